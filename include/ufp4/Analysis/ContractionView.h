//===- ContractionView.h - one view of every matmul-like op -----*- C++ -*-===//
//
// What the analysis and the rewriting know of an operation. Front ends (include/ufp4/Frontends)
// present the operations of their dialect in these terms; nothing else knows their names.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_ANALYSIS_CONTRACTIONVIEW_H
#define UFP4_ANALYSIS_CONTRACTIONVIEW_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace ufp4 {

/// The groups that the dimensions of a GEMM fall into. `Expert`: what counts the groups of a
/// grouped GEMM, a dimension of the rhs or, where groups cut what is contracted, of the result.
enum class DimGroup { Batch, LhsFree, RhsFree, Contracted, Expert };

/// One dimension of a contraction's iteration space and the dimensions it indexes; -1: none.
struct ContractionDim {
  DimGroup group;
  int64_t extent;
  int64_t lhs = -1, rhs = -1, result = -1;
};

/// A matmul-like operation (Q9): it multiplies two inputs and adds along at least one dimension
/// that both have.
struct ContractionView {
  mlir::Operation *op = nullptr;
  mlir::Value lhs, rhs;
  llvm::SmallVector<ContractionDim> dims;
  /// What the sum starts from; null: zero.
  mlir::Value accumulator;
  /// The element type that an operand is rounded to before the product; null: it is exact.
  mlir::Type lhsRounding, rhsRounding;
  /// The sizes of the groups of a grouped GEMM (G4), which are runs of the only LhsFree dimension
  /// or of the only Contracted one; null: it is none.
  mlir::Value groupSizes;
  /// Why the operation cannot become a GEMM over quantized operands; empty: it can.
  std::string obstacle;
  /// The front end reads this dialect but does not write it.
  bool readOnly = false;

  mlir::Value getOperand(unsigned side) const { return side ? rhs : lhs; }
  mlir::RankedTensorType getOperandType(unsigned side) const;
  /// The dimension of `side` that a dimension of the iteration space indexes.
  static int64_t getOperandDim(const ContractionDim &dim, unsigned side) {
    return side ? dim.rhs : dim.lhs;
  }
  bool isGrouped() const { return static_cast<bool>(groupSizes); }
  /// Whether groups cut what is contracted: a weight's gradient.
  bool cutsContraction() const;
  /// The product of the extents of a group; dynamic when one of them is.
  int64_t getExtent(DimGroup group) const;
};

/// How a result is its source, seen differently: each dimension of the result is a dimension of the
/// source (`dims`, -1: a new one), or, in a reshape, a group of dimensions is a group of the
/// source's (`groups`: source dimensions, result dimensions).
struct ViewStep {
  mlir::Value source;
  llvm::SmallVector<int64_t> dims;
  llvm::SmallVector<std::pair<llvm::SmallVector<int64_t>, llvm::SmallVector<int64_t>>> groups;
  /// The values are the source's values under another type at most: identity casts, barriers,
  /// sharding constraints.
  bool identity = false;
  /// The step rounds (a narrowing cast), repeats (a broadcast) or omits (a slice) elements.
  bool rounds = false, broadcasts = false, slices = false;

  bool isReshape() const { return dims.empty(); }
};

/// An operation that overwrites a part of a tensor: `dims` says which dimension of the destination
/// each dimension of the update is.
struct UpdateStep {
  mlir::Value destination, update;
  llvm::SmallVector<int64_t> dims;
};

/// A value that is one of `sources` at run time: what a loop carries, what a branch yields.
struct FlowEdge {
  mlir::Value target;
  llvm::SmallVector<mlir::Value> sources;
};

/// Presents a dialect's operations to the analysis.
class Frontend {
public:
  virtual ~Frontend() = default;
  /// The operation as a contraction, if it is one.
  virtual std::optional<ContractionView> matchContraction(mlir::Operation *op) const = 0;
  /// The result as a view of one of its operation's operands, if it is one.
  virtual std::optional<ViewStep> matchView(mlir::OpResult result) const = 0;
  /// The operation as an update of a part of a tensor, if it is one.
  virtual std::optional<UpdateStep> matchUpdate(mlir::Operation *op) const = 0;
  /// Where values flow into and out of the regions of a loop or branch; nothing for other ops.
  virtual std::optional<llvm::SmallVector<FlowEdge>> matchFlow(mlir::Operation *op) const = 0;
  /// Whether equal operands give equal results.
  virtual bool isPure(mlir::Operation *op) const = 0;
  /// The function that says in other words what a contraction computes, and is no part of the
  /// program; null: none.
  virtual mlir::FlatSymbolRefAttr getDecomposition(mlir::Operation *op) const { return {}; }
  /// The function that the operation calls with its operands for its results; null: none.
  virtual mlir::FlatSymbolRefAttr getCallee(mlir::Operation *op) const { return {}; }
};

/// The front ends, asked in turn.
class Frontends {
public:
  Frontends() = default;
  void add(std::unique_ptr<Frontend> frontend) { all.push_back(std::move(frontend)); }
  std::optional<ContractionView> matchContraction(mlir::Operation *op) const;
  std::optional<ViewStep> matchView(mlir::Value value) const;
  std::optional<UpdateStep> matchUpdate(mlir::Operation *op) const;
  std::optional<llvm::SmallVector<FlowEdge>> matchFlow(mlir::Operation *op) const;
  bool isPure(mlir::Operation *op) const;
  mlir::FlatSymbolRefAttr getDecomposition(mlir::Operation *op) const;
  mlir::FlatSymbolRefAttr getCallee(mlir::Operation *op) const;

private:
  llvm::SmallVector<std::unique_ptr<Frontend>> all;
};

/// The groups of a reshape between two static shapes: the finest pairs of runs of dimensions with
/// equal numbers of elements.
llvm::SmallVector<std::pair<llvm::SmallVector<int64_t>, llvm::SmallVector<int64_t>>>
getReshapeGroups(llvm::ArrayRef<int64_t> source, llvm::ArrayRef<int64_t> result);

} // namespace ufp4

#endif // UFP4_ANALYSIS_CONTRACTIONVIEW_H
