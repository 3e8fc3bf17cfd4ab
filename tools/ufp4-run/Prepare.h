//===- Prepare.h - From what was read to what the back end takes *- C++ -*-===//

#ifndef UFP4_TOOLS_UFP4_RUN_PREPARE_H
#define UFP4_TOOLS_UFP4_RUN_PREPARE_H

#include "RunOptions.h"

#include "ufp4/Execution/Report.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/LogicalResult.h"

namespace ufp4::run {

/// Rewrites model IR by the recipe, if one is given, and takes UFP4 ops down to upstream dialects
/// on tensors. Where a dump or a report is asked for, `sites` describes each quantize that the
/// module records, in the order of the record ids it passes, and `reported` says what a report is
/// to say of the run.
llvm::LogicalResult prepareModule(mlir::ModuleOp module, const RunOptions &options,
                                  std::vector<QuantizeSite> &sites, ReportedRun &reported);

} // namespace ufp4::run

#endif // UFP4_TOOLS_UFP4_RUN_PREPARE_H
