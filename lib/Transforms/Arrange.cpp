//===- Arrange.cpp - reorders a tensor's dimensions by factors ------------===//

#include "ufp4/Transforms/Arrange.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace ufp4;

/// Cuts every factor wherever a factor of `other` begins.
static SmallVector<Factors> cutLike(ArrayRef<Factors> dims, ArrayRef<Factors> other) {
  SmallVector<Factors> result;
  for (const Factors &dim : dims) {
    Factors &cut = result.emplace_back();
    for (Factor factor : dim) {
      SmallVector<int64_t> strides;
      if (!ShapedType::isDynamic(factor.extent))
        for (const Factors &otherDim : other)
          for (const Factor &o : otherDim)
            if (o.dim == factor.dim && o.stride > factor.stride &&
                o.stride < factor.stride * factor.extent)
              strides.push_back(o.stride);
      llvm::sort(strides, std::greater<>());
      for (int64_t stride : strides) {
        cut.push_back({factor.dim, factor.stride * factor.extent / stride, stride});
        factor.extent = stride / factor.stride;
      }
      cut.push_back(factor);
    }
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
  SmallVector<Factors> from = cutLike(source, target), to = cutLike(target, from);
  auto dropUnits = [](ArrayRef<Factors> dims) {
    SmallVector<Factors> wide;
    for (const Factors &dim : dims)
      if (!dim.empty())
        wide.push_back(dim);
    return wide;
  };
  value = reshapeUnits(builder, loc, value, from, /*add=*/false, {});

  SmallVector<Factors> wideFrom = dropUnits(from), wideTo = dropUnits(to);
  auto flatten = [](ArrayRef<Factors> dims) {
    SmallVector<Factor> flat;
    for (const Factors &dim : dims)
      llvm::append_range(flat, dim);
    return flat;
  };
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
  auto narrow = cast<RankedTensorType>(value.getType()).getShape();
  for (const Factors &dim : to)
    shape.push_back(dim.empty() ? 1 : narrow[llvm::count_if(ArrayRef(to).take_front(shape.size()), [](const Factors &d) {
      return !d.empty();
    })]);
  return reshapeUnits(builder, loc, value, to, /*add=*/true, shape);
}
