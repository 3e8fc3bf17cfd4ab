//===- Frontends.h - the dialects that models arrive in ---------*- C++ -*-===//

#ifndef UFP4_FRONTENDS_FRONTENDS_H
#define UFP4_FRONTENDS_FRONTENDS_H

#include "ufp4/Analysis/ContractionView.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ufp4 {
/// linalg's matmul family, `linalg.contract` and contraction-shaped `linalg.generic`, with views by
/// tensor, linalg and arith, loops by scf.
std::unique_ptr<Frontend> createLinalgFrontend();

/// StableHLO in generic form, as unregistered operations (and sdy's constraints and manual
/// computations).
std::unique_ptr<Frontend> createStableHLOFrontend();

/// Makes StableHLO, CHLO and Shardy known to a context, as dialects whose operations are
/// unregistered and whose attributes are opaque text.
void registerStableHLODialects(mlir::DialectRegistry &registry);

/// Every front end.
Frontends createAllFrontends();
} // namespace ufp4

#endif // UFP4_FRONTENDS_FRONTENDS_H
