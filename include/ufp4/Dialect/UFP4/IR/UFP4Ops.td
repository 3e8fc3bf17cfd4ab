//===- UFP4Ops.td - the dialect, whole ---------------------*- tablegen -*-===//

#ifndef UFP4_DIALECT_UFP4_IR_UFP4OPS_TD
#define UFP4_DIALECT_UFP4_IR_UFP4OPS_TD

include "ufp4/Dialect/UFP4/IR/UFP4QuantizeOps.td"
include "ufp4/Dialect/UFP4/IR/UFP4MatmulOps.td"
include "ufp4/Dialect/UFP4/IR/UFP4RandomOps.td"
include "ufp4/Dialect/UFP4/IR/UFP4RecipeOps.td"
include "ufp4/Dialect/UFP4/IR/UFP4StorageOps.td"

#endif // UFP4_DIALECT_UFP4_IR_UFP4OPS_TD
