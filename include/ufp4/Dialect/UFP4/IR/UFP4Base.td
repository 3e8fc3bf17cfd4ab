//===- UFP4Base.td - the ufp4 dialect ----------------------*- tablegen -*-===//

#ifndef UFP4_DIALECT_UFP4_IR_UFP4BASE_TD
#define UFP4_DIALECT_UFP4_IR_UFP4BASE_TD

include "mlir/IR/OpBase.td"

def UFP4_Dialect : Dialect {
  let name = "ufp4";
  let cppNamespace = "::ufp4";
  let summary = "4-bit block-scaled tensors, their rotation, rounding and GEMMs";
  let description = [{
    Two levels. The value level: pure operations on 4-bit block-scaled tensors (`!ufp4.tensor`).
    The storage level: `quantize_into`, `amax_into` and `block_gemm`, destination-style operations
    on the bytes of an operand storage, as tensors or as memrefs.
    `docs/spec.md` defines every bit; the labels in the descriptions below (F1, Q5, G1, ...) are its
    labels. Sources: the recipe, arXiv 2606.20381; rotation of 16 and two-level scales, arXiv
    2509.25149; MX formats, OCP MX v1.0.

    Nibble order, padding of buffers and swizzle do not exist on the value level.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // UFP4_DIALECT_UFP4_IR_UFP4BASE_TD
