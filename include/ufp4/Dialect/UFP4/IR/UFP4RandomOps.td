//===- UFP4RandomOps.td - seeds ----------------------------*- tablegen -*-===//

#ifndef UFP4_DIALECT_UFP4_IR_UFP4RANDOMOPS_TD
#define UFP4_DIALECT_UFP4_IR_UFP4RANDOMOPS_TD

include "ufp4/Dialect/UFP4/IR/UFP4OpBase.td"

def UFP4_FoldInOp : UFP4_Op<"fold_in", [Pure, SameOperandsAndResultType]> {
  let summary = "a new seed from a seed and an integer (Q10)";
  let description = [{
    Words 0 and 1 of Philox4x32-10 with key `%seed` and counter (low %j, high %j, 2^32-1, 2^32-1).

    ```mlir
    %0 = ufp4.fold_in %seed, %trip
    ```
  }];
  let arguments = (ins I64:$seed, I64:$value);
  let results = (outs I64:$result);
  let assemblyFormat = "$seed `,` $value attr-dict";
  let hasFolder = 1;
}

#endif // UFP4_DIALECT_UFP4_IR_UFP4RANDOMOPS_TD
