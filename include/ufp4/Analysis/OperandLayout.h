//===- OperandLayout.h - which dimension is which, through views -*- C++ -*-===//
//
// A GEMM's operand is often a view (transposes, reshapes, casts) of the value that a program
// computes: its root. A layout says which part of the contraction's iteration space each dimension
// of a root is, so that operands which look different are seen to be the same view (Q1).
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_ANALYSIS_OPERANDLAYOUT_H
#define UFP4_ANALYSIS_OPERANDLAYOUT_H

#include "ufp4/Analysis/ContractionView.h"

namespace ufp4 {

/// A part of a dimension of the iteration space: the index divided by `stride`, modulo `extent`.
struct Factor {
  unsigned dim;
  int64_t extent, stride;

  /// Whether `part` is this factor or was cut out of it. A dynamic or empty extent is never cut.
  bool contains(const Factor &part) const {
    return dim == part.dim && stride <= part.stride &&
           (extent <= 0 || part.stride < stride * extent);
  }
  bool operator==(const Factor &other) const {
    return dim == other.dim && extent == other.extent && stride == other.stride;
  }
};

using Factors = llvm::SmallVector<Factor, 2>;

/// For each dimension of a value, the factors it is made of, most significant first. Extents of 1
/// have none.
struct OperandLayout {
  llvm::SmallVector<Factors> dims;
};

/// `factors` with each cut wherever a factor of `other` begins inside it; nothing where one begins
/// between two of its elements' strides.
std::optional<Factors> cutLike(llvm::ArrayRef<Factor> factors, llvm::ArrayRef<Factor> other);

/// The layout of an operand (side 0: lhs, 1: rhs) or of the result (side 2) of a contraction.
OperandLayout getLayout(const ContractionView &view, unsigned side);

/// The layout of a step's source, given its result's; nothing where the step mixes dimensions in a
/// way that factors cannot follow or, unless `acrossGroups`, mixes groups.
std::optional<OperandLayout> followStep(const ContractionView &view, const ViewStep &step,
                                        const OperandLayout &layout,
                                        llvm::ArrayRef<int64_t> sourceShape,
                                        llvm::ArrayRef<int64_t> resultShape, bool acrossGroups);

/// A view root (Q1) and its layout.
struct ViewRoot {
  mlir::Value value;
  OperandLayout layout;
  /// The element type that holds the values exactly: narrower than the root's own where a view that
  /// mixes groups keeps a widening above it out of the root.
  mlir::Type elementType;
};

/// Walks up from an operand through views that keep its groups and its values.
ViewRoot findViewRoot(const Frontends &frontends, const ContractionView &view, unsigned side);

/// How a GEMM is brought to [G, R, K] operands: the roots and, in factors both sides share, the
/// order of each group.
struct GemmLayout {
  ViewRoot roots[2];
  Factors batch, contracted, free[2];
  /// What counts the groups of a grouped GEMM, in the rhs or in the result.
  Factors experts;

  /// The dimensions of G in an operand's view.
  const Factors &getBatch(const ContractionView &view, unsigned side) const {
    return side == 1 && view.isGrouped() && !view.cutsContraction() ? experts : batch;
  }
};

/// The layout of Q1: batch and contracted factors as they lie in the lhs's root, free ones as they
/// lie in their own root.
GemmLayout getGemmLayout(const Frontends &frontends, const ContractionView &view);

} // namespace ufp4

#endif // UFP4_ANALYSIS_OPERANDLAYOUT_H
