//===- Gemm.h - The CPU's f32 GEMM, emitted on tensors ----------*- C++ -*-===//
//
// One register-blocked kernel serves every contraction of real numbers on the CPU.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_CONVERSION_CPU_GEMM_H
#define UFP4_CONVERSION_CPU_GEMM_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace ufp4 {

/// The register block of the kernel: `rows` × `columns` f32 accumulators, revisited every `depth`
/// steps along K.
struct GemmTile {
  int64_t rows, columns;
  int64_t depth = 512;

  /// This block, shrunk to an [m, n] result where that saves padding; sizes may be kDynamic.
  GemmTile fittedTo(int64_t m, int64_t n) const;
};

/// Brings `rhs` [G, N, K] to the panels [G, ⌈N / columns⌉, K, columns] that `emitPackedGemm` reads;
/// columns beyond N are zero.
mlir::Value emitPackPanels(mlir::OpBuilder &b, mlir::Location loc, mlir::Value rhs,
                           int64_t columns);

/// Emits C[g, m, n] = acc[g, m, n] + Σ_k lhs[g, m, k] · rhs[g, n, k] on f32 tensors of any static
/// or dynamic sizes, and returns C : tensor<GxMxN>. `panels` [G, P, K, columns] hold the rhs, whose
/// columns are the first n of theirs; `tile.columns` is their innermost size. A null `acc` stands
/// for zeros. Sums are f32 fused multiply-adds in rising k, whatever the block. K = 0 gives `acc`.
mlir::Value emitPackedGemm(mlir::OpBuilder &b, mlir::Location loc, mlir::Value lhs,
                           mlir::Value panels, mlir::OpFoldResult n, mlir::Value acc,
                           const GemmTile &tile);

} // namespace ufp4

#endif // UFP4_CONVERSION_CPU_GEMM_H
