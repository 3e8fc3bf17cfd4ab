//===- Parallel.h - Loops whose iterations are independent ------*- C++ -*-===//

#ifndef UFP4_CONVERSION_PARALLEL_H
#define UFP4_CONVERSION_PARALLEL_H

#include "mlir/IR/Builders.h"

namespace ufp4 {

/// On an `scf.for`: no iteration reads or writes what another one writes. What the loop carries are
/// the tensors that its iterations write apart; once they are buffers, iterations may share
/// threads.
inline constexpr llvm::StringLiteral kParallelAttr = "ufp4.parallel";

inline void setParallel(mlir::Operation *loop) {
  loop->setAttr(kParallelAttr, mlir::UnitAttr::get(loop->getContext()));
}

} // namespace ufp4

#endif // UFP4_CONVERSION_PARALLEL_H
