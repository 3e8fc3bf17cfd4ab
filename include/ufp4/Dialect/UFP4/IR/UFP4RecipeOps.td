//===- UFP4RecipeOps.td - a user's own recipes in IR -------*- tablegen -*-===//

#ifndef UFP4_DIALECT_UFP4_IR_UFP4RECIPEOPS_TD
#define UFP4_DIALECT_UFP4_IR_UFP4RECIPEOPS_TD

include "ufp4/Dialect/UFP4/IR/UFP4OpBase.td"

def UFP4_RecipeOp : UFP4_Op<"recipe", [Symbol]> {
  let summary = "a named recipe: a plan for each operand of each role (R)";
  let description = [{
    x is the activation, w the parameter, dy the gradient of the result. Both plans of a role are
    given, or none: GEMMs of a role without plans stay in their own precision.

    ```mlir
    ufp4.recipe @mine
      fprop(x = <#rot, nearest>, w = <#rot, nearest>)
      dgrad(dy = <#rot, stochastic>, w = <#rot, nearest>)
      wgrad(x = <#rot, nearest>, dy = <#rot, stochastic>)
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       OptionalAttr<UFP4_PlanAttr>:$fprop_x, OptionalAttr<UFP4_PlanAttr>:$fprop_w,
                       OptionalAttr<UFP4_PlanAttr>:$dgrad_dy, OptionalAttr<UFP4_PlanAttr>:$dgrad_w,
                       OptionalAttr<UFP4_PlanAttr>:$wgrad_x, OptionalAttr<UFP4_PlanAttr>:$wgrad_dy);
  let assemblyFormat = [{
    $sym_name (`fprop` `(` `x` `=` $fprop_x^ `,` `w` `=` $fprop_w `)`)?
    (`dgrad` `(` `dy` `=` $dgrad_dy^ `,` `w` `=` $dgrad_w `)`)?
    (`wgrad` `(` `x` `=` $wgrad_x^ `,` `dy` `=` $wgrad_dy `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

#endif // UFP4_DIALECT_UFP4_IR_UFP4RECIPEOPS_TD
