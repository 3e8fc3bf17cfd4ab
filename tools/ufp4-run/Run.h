//===- Run.h - What ufp4-run does -------------------------------*- C++ -*-===//

#ifndef UFP4_TOOLS_UFP4_RUN_RUN_H
#define UFP4_TOOLS_UFP4_RUN_RUN_H

#include "RunOptions.h"

#include "llvm/Support/Error.h"

namespace ufp4::run {

/// Does all that `options` ask for. Diagnostics of the module's own go to stderr; the error is what
/// remains to be said.
llvm::Error run(const RunOptions &options);

} // namespace ufp4::run

#endif // UFP4_TOOLS_UFP4_RUN_RUN_H
