//===- Recipe.h - how each operand of each role is quantized ----*- C++ -*-===//
//
// Recipes are data: rows of one table, a user's `ufp4.recipe` operations, and overrides of single
// fields. Sources: arXiv 2606.20381 (ufp4 and its baseline), arXiv 2509.25149 (nvidia-nvfp4), OCP
// MX v1.0 (mxfp4).
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TRANSFORMS_RECIPE_H
#define UFP4_TRANSFORMS_RECIPE_H

#include "mlir/IR/BuiltinOps.h"
#include "ufp4/Analysis/TrainingRoles.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"

namespace ufp4 {

/// How one operand is quantized.
struct OperandPlan {
  numerics::Scheme scheme;
  Evaluation evaluation = Evaluation::Butterfly;
  Rounding rounding = Rounding::Nearest;
  unsigned bits = 16;

  SchemeAttr getSchemeAttr(mlir::MLIRContext *context) const {
    return SchemeAttr::get(context, scheme, evaluation);
  }
};

/// A plan for both operands of each role; a role without one stays in its own precision.
struct Recipe {
  std::string name;
  /// fprop (x, w), dgrad (dy, w), wgrad (x, dy).
  std::optional<std::array<OperandPlan, 2>> roles[3];

  const OperandPlan *getPlan(Role role, Member member) const;
  bool quantizes() const { return roles[0] || roles[1] || roles[2]; }
  /// Every field, in one line a role.
  std::string getText() const;
  /// Identifies the recipe in artifacts: 16 hexadecimal digits of its text's hash.
  std::string getHash() const;
};

/// Finds the recipe that `spec` names: `NAME[:FIELD=VALUE,…]`, where NAME is a row of the table,
/// the symbol of a `ufp4.recipe` in `module`, or a file that holds one (`FILE[@SYMBOL]`).
///
/// A FIELD is `[ROLE.][OPERAND.]KEY`: roles fprop, dgrad, wgrad; operands x, w, dy; keys format,
/// block, rows, scale, rule, rotation (`none` or a size), signs, evaluation, rounding, bits. A role
/// alone takes the value `none`. Errors say what is known.
mlir::FailureOr<Recipe> findRecipe(llvm::StringRef spec, mlir::ModuleOp module);

/// The table's recipes, each with what it is in a few words.
std::vector<std::pair<Recipe, llvm::StringRef>> getRecipes();

/// The table, for people.
void printRecipes(llvm::raw_ostream &os);

} // namespace ufp4

#endif // UFP4_TRANSFORMS_RECIPE_H
