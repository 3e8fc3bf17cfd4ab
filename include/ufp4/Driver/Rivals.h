//===- Rivals.h - Recipes that a report compares with -----------*- C++ -*-===//

#ifndef UFP4_DRIVER_RIVALS_H
#define UFP4_DRIVER_RIVALS_H

#include "ufp4/Execution/Report.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/LogicalResult.h"

namespace ufp4 {

/// Cuts `NAME[:FIELD=VALUE,…],…` into recipes: what has a `=` and no `:` before it is one more
/// field of the recipe before. What is empty between commas stays, for `findRivals` to refuse.
std::vector<std::string> splitRecipes(llvm::StringRef list);

/// Finds recipes as --recipe does (`findRecipe`). Errors: an empty name, a name given twice, that
/// of the run's `own` recipe.
llvm::FailureOr<std::vector<RivalRecipe>> findRivals(llvm::ArrayRef<std::string> specs,
                                                     llvm::StringRef own, mlir::ModuleOp module);

/// The recipe that a module says it was rewritten by: name and hash, empty where it says none.
std::pair<std::string, std::string> getRecipeOf(mlir::ModuleOp module);

} // namespace ufp4

#endif // UFP4_DRIVER_RIVALS_H
