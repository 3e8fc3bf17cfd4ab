//===- Arrange.cpp - reorders a tensor's dimensions by factors ------------===//

#include "ufp4/Transforms/Arrange.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ufp4;

static SmallVector<Factor> flatten(ArrayRef<Factors> dims) {
  SmallVector<Factor> flat;
  for (const Factors &dim : dims)
    llvm::append_range(flat, dim);
  return flat;
}

static SmallVector<Factors> cutDims(ArrayRef<Factors> dims, ArrayRef<Factors> other) {
  SmallVector<Factors> result;
  for (const Factors &dim : dims) {
    std::optional<Factors> cut = cutLike(dim, flatten(other));
    assert(cut && "source and target are made of the same factors");
    result.push_back(std::move(*cut));
  }
  return result;
}

/// For each dimension, the positions of its factors in the flat list; unit dimensions lean on a
/// neighbour, as reassociations have no empty groups.
static SmallVector<ReassociationIndices> getGroups(ArrayRef<Factors> dims) {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (const Factors &dim : dims) {
    ReassociationIndices &group = groups.emplace_back();
    for (size_t i = 0; i < dim.size(); ++i)
      group.push_back(next++);
  }
  return groups;
}

/// Reshapes between a shape with unit dimensions and the same shape without; `units` marks them.
static Value reshapeUnits(OpBuilder &builder, Location loc, Value value, ArrayRef<Factors> dims,
                          bool add, ArrayRef<int64_t> wideShape) {
  if (llvm::none_of(dims, [](const Factors &dim) { return dim.empty(); }))
    return value;
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices leading;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (!dim.empty()) {
      groups.push_back(leading);
      groups.back().push_back(i);
      leading.clear();
    } else if (groups.empty()) {
      leading.push_back(i);
    } else {
      groups.back().push_back(i);
    }
  }
  if (!add)
    return tensor::CollapseShapeOp::create(builder, loc, value, groups);
  auto type = cast<RankedTensorType>(value.getType()).clone(wideShape);
  return tensor::ExpandShapeOp::create(builder, loc, type, value, groups);
}

Value ufp4::arrange(OpBuilder &builder, Location loc, Value value, ArrayRef<Factors> source,
                    ArrayRef<Factors> target) {
  auto isSame = [](ArrayRef<Factors> a, ArrayRef<Factors> b) {
    return llvm::equal(a, b, [](const Factors &x, const Factors &y) { return llvm::equal(x, y); });
  };
  if (isSame(source, target))
    return value;
  SmallVector<Factors> from = cutDims(source, target), to = cutDims(target, from);
  auto dropUnits = [](ArrayRef<Factors> dims) {
    SmallVector<Factors> wide;
    for (const Factors &dim : dims)
      if (!dim.empty())
        wide.push_back(dim);
    return wide;
  };
  value = reshapeUnits(builder, loc, value, from, /*add=*/false, {});

  SmallVector<Factors> wideFrom = dropUnits(from), wideTo = dropUnits(to);
  if (!isSame(wideFrom, wideTo)) {
    SmallVector<Factor> flat = flatten(wideFrom), wanted = flatten(wideTo);
    SmallVector<int64_t> shape;
    for (const Factor &factor : flat)
      shape.push_back(factor.extent);
    auto type = cast<RankedTensorType>(value.getType());
    if (flat.size() != wideFrom.size())
      value = tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value,
                                            getGroups(wideFrom));
    SmallVector<int64_t> permutation;
    for (const Factor &factor : wanted)
      permutation.push_back(llvm::find(flat, factor) - flat.begin());
    if (!llvm::is_sorted(permutation)) {
      SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, value);
      SmallVector<OpFoldResult> permuted;
      for (int64_t dim : permutation)
        permuted.push_back(sizes[dim]);
      Value empty = tensor::EmptyOp::create(builder, loc, permuted, type.getElementType());
      value = linalg::TransposeOp::create(builder, loc, value, empty, permutation)->getResult(0);
    }
    if (wanted.size() != wideTo.size())
      value = tensor::CollapseShapeOp::create(builder, loc, value, getGroups(wideTo));
  }

  SmallVector<int64_t> shape;
  ArrayRef<int64_t> narrow = cast<RankedTensorType>(value.getType()).getShape();
  for (const Factors &dim : to) {
    shape.push_back(dim.empty() ? 1 : narrow.front());
    narrow = narrow.drop_front(!dim.empty());
  }
  return reshapeUnits(builder, loc, value, to, /*add=*/true, shape);
}
