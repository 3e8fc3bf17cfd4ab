//===- UFP4OpBase.td - what every ufp4 operation shares ----*- tablegen -*-===//

#ifndef UFP4_DIALECT_UFP4_IR_UFP4OPBASE_TD
#define UFP4_DIALECT_UFP4_IR_UFP4OPBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "ufp4/Dialect/UFP4/IR/UFP4Types.td"

class UFP4_Op<string mnemonic, list<Trait> traits = []> : Op<UFP4_Dialect, mnemonic, traits>;

/// What can be quantized (Q1); f64, integers and i1 cannot.
def UFP4_RealTensor : RankedTensorOf<[F32, BF16, F16]>;
/// The sizes of a grouped GEMM's groups (G4).
def UFP4_GroupSizes : 1DTensorOf<[I32]>;
/// Which row each row of a gathered tensor is.
def UFP4_RowIndices : 1DTensorOf<[I32]>;

#endif // UFP4_DIALECT_UFP4_IR_UFP4OPBASE_TD
