//===- OperandLayout.cpp - which dimension is which, through views --------===//

#include "ufp4/Analysis/OperandLayout.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ufp4;

OperandLayout ufp4::getLayout(const ContractionView &view, unsigned side) {
  auto type = cast<RankedTensorType>(side == 2 ? view.op->getResult(0).getType()
                                               : view.getOperand(side).getType());
  OperandLayout layout;
  layout.dims.resize(type.getRank());
  for (auto [index, dim] : llvm::enumerate(view.dims)) {
    int64_t operandDim = side == 2 ? dim.result : ContractionView::getOperandDim(dim, side);
    if (operandDim >= 0 && dim.extent != 1)
      layout.dims[operandDim].push_back({static_cast<unsigned>(index), dim.extent, 1});
  }
  return layout;
}

std::optional<Factors> ufp4::cutLike(ArrayRef<Factor> factors, ArrayRef<Factor> other) {
  Factors result;
  for (Factor factor : factors) {
    SmallVector<int64_t> strides;
    if (!ShapedType::isDynamic(factor.extent))
      for (const Factor &o : other)
        if (o.dim == factor.dim && o.stride > factor.stride &&
            o.stride < factor.stride * factor.extent)
          strides.push_back(o.stride);
    llvm::sort(strides, std::greater<>());
    for (int64_t stride : strides) {
      if (stride % factor.stride || (factor.stride * factor.extent) % stride)
        return std::nullopt;
      result.push_back({factor.dim, factor.stride * factor.extent / stride, stride});
      factor.extent = stride / factor.stride;
    }
    result.push_back(factor);
  }
  return result;
}

/// Cuts a list of factors, most significant first, into one list per extent; nothing where an
/// extent does not end where a factor can be cut.
static std::optional<SmallVector<Factors>> cut(Factors factors, ArrayRef<int64_t> extents) {
  SmallVector<Factors> pieces(extents.size());
  // An empty tensor has no elements to tell its dimensions apart by.
  if (llvm::is_contained(extents, 0) ||
      llvm::any_of(factors, [](Factor f) { return f.extent == 0; }))
    return std::nullopt;
  // A dynamic extent has no divisors: it is one dimension, the others are units.
  if (llvm::any_of(factors, [](Factor f) { return ShapedType::isDynamic(f.extent); }) ||
      llvm::is_contained(extents, ShapedType::kDynamic)) {
    SmallVector<size_t> wide;
    for (auto [i, extent] : llvm::enumerate(extents))
      if (extent != 1)
        wide.push_back(i);
    if (wide.size() != 1)
      return std::nullopt;
    pieces[wide.front()] = std::move(factors);
    return pieces;
  }
  for (size_t i = extents.size(); i-- > 0;) {
    int64_t need = extents[i];
    while (need != 1) {
      if (factors.empty())
        return std::nullopt;
      Factor &last = factors.back();
      if (need % last.extent == 0) {
        need /= last.extent;
        pieces[i].insert(pieces[i].begin(), last);
        factors.pop_back();
        continue;
      }
      if (last.extent % need)
        return std::nullopt;
      pieces[i].insert(pieces[i].begin(), {last.dim, need, last.stride});
      last.extent /= need;
      last.stride *= need;
      need = 1;
    }
  }
  if (!factors.empty())
    return std::nullopt;
  return pieces;
}

std::optional<OperandLayout> ufp4::followStep(const ContractionView &view, const ViewStep &step,
                                              const OperandLayout &layout,
                                              ArrayRef<int64_t> sourceShape,
                                              ArrayRef<int64_t> resultShape, bool acrossGroups) {
  OperandLayout source;
  source.dims.resize(sourceShape.size());
  if (!step.isReshape()) {
    for (auto [dim, from] : llvm::enumerate(step.dims))
      if (from >= 0 && sourceShape[from] != 1)
        source.dims[from] = layout.dims[dim];
    return source;
  }
  for (const auto &[from, to] : step.groups) {
    Factors merged;
    for (int64_t dim : to)
      llvm::append_range(merged, layout.dims[dim]);
    bool mixed = llvm::any_of(merged, [&](Factor f) {
      return view.dims[f.dim].group != view.dims[merged.front().dim].group;
    });
    if (mixed && !acrossGroups)
      return std::nullopt;
    SmallVector<int64_t> extents;
    for (int64_t dim : from)
      extents.push_back(sourceShape[dim]);
    std::optional<SmallVector<Factors>> pieces = cut(std::move(merged), extents);
    if (!pieces)
      return std::nullopt;
    for (auto [dim, piece] : llvm::zip_equal(from, *pieces))
      source.dims[dim] = std::move(piece);
  }
  return source;
}

/// The narrowest element type among what a value is an exact view of.
static Type findExactType(const Frontends &frontends, Value value) {
  auto getElementType = [](Value v) {
    return cast<RankedTensorType>(v.getType()).getElementType();
  };
  Type type = getElementType(value);
  while (std::optional<ViewStep> step = frontends.matchView(value)) {
    if (step->rounds)
      break;
    value = step->source;
    if (getElementType(value).getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
      type = getElementType(value);
  }
  return type;
}

ViewRoot ufp4::findViewRoot(const Frontends &frontends, const ContractionView &view,
                            unsigned side) {
  ViewRoot root{view.getOperand(side), getLayout(view, side), {}};
  while (std::optional<ViewStep> step = frontends.matchView(root.value)) {
    if (step->rounds || step->broadcasts || step->slices)
      break;
    auto sourceType = cast<RankedTensorType>(step->source.getType());
    auto type = cast<RankedTensorType>(root.value.getType());
    // A cast that makes extents static says more than its source.
    if (sourceType.getNumDynamicDims() > type.getNumDynamicDims())
      break;
    std::optional<OperandLayout> layout =
        followStep(view, *step, root.layout, sourceType.getShape(), type.getShape(),
                   /*acrossGroups=*/false);
    if (!layout)
      break;
    root = {step->source, std::move(*layout), {}};
  }
  root.elementType = findExactType(frontends, root.value);
  return root;
}

/// The factors of a group in the order in which they lie in a root.
static Factors collect(const ContractionView &view, const OperandLayout &layout, DimGroup group) {
  Factors factors;
  for (const Factors &dim : layout.dims)
    for (const Factor &factor : dim)
      if (view.dims[factor.dim].group == group)
        factors.push_back(factor);
  return factors;
}

static bool isPermutation(ArrayRef<Factor> a, ArrayRef<Factor> b) {
  return a.size() == b.size() &&
         llvm::all_of(a, [&](const Factor &factor) { return llvm::is_contained(b, factor); });
}

/// Whether factors follow each other as in the dimensions that they were cut from.
static bool isInOrder(ArrayRef<Factor> factors) {
  return llvm::is_sorted(factors, [](const Factor &a, const Factor &b) {
    return std::make_pair(a.dim, -a.stride) < std::make_pair(b.dim, -b.stride);
  });
}

GemmLayout ufp4::getGemmLayout(const Frontends &frontends, const ContractionView &view) {
  GemmLayout layout;
  auto tryRoots = [&](ViewRoot lhs, ViewRoot rhs) {
    layout.roots[0] = std::move(lhs);
    layout.roots[1] = std::move(rhs);
    const OperandLayout &l = layout.roots[0].layout, &r = layout.roots[1].layout;
    layout.free[0] = collect(view, l, DimGroup::LhsFree);
    layout.free[1] = collect(view, r, DimGroup::RhsFree);
    auto share = [&](DimGroup group, Factors &shared) {
      Factors a = collect(view, l, group), b = collect(view, r, group);
      std::optional<Factors> fine = cutLike(a, b), other = cutLike(b, a);
      if (!fine || !other || !isPermutation(*fine, *other))
        return false;
      shared = std::move(*fine);
      return true;
    };
    if (!share(DimGroup::Batch, layout.batch) || !share(DimGroup::Contracted, layout.contracted))
      return false;
    if (!view.isGrouped())
      return true;
    bool inResult = view.cutsContraction();
    layout.experts = collect(view, inResult ? getLayout(view, 2) : r, DimGroup::Expert);
    // A group is a run in the order of its own dimension, whatever the root's.
    return isInOrder(inResult ? layout.contracted : layout.free[0]) && isInOrder(layout.experts);
  };
  if (tryRoots(findViewRoot(frontends, view, 0), findViewRoot(frontends, view, 1)))
    return layout;
  // Reshapes that cut a shared dimension at unrelated places: the operands are their own roots.
  auto getOperand = [&](unsigned side) {
    Value operand = view.getOperand(side);
    return ViewRoot{operand, getLayout(view, side), findExactType(frontends, operand)};
  };
  bool fits = tryRoots(getOperand(0), getOperand(1));
  assert(fits && "an operation's own dimensions always agree");
  (void)fits;
  return layout;
}
