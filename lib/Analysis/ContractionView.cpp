//===- ContractionView.cpp - one view of every matmul-like op -------------===//

#include "ufp4/Analysis/ContractionView.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace ufp4;

RankedTensorType ContractionView::getOperandType(unsigned side) const {
  return cast<RankedTensorType>(getOperand(side).getType());
}

bool ContractionView::cutsContraction() const {
  return isGrouped() && llvm::any_of(dims, [](const ContractionDim &dim) {
           return dim.group == DimGroup::Expert && dim.result >= 0;
         });
}

int64_t ContractionView::getExtent(DimGroup group) const {
  int64_t extent = 1;
  for (const ContractionDim &dim : dims) {
    if (dim.group != group)
      continue;
    if (ShapedType::isDynamic(dim.extent))
      return ShapedType::kDynamic;
    extent *= dim.extent;
  }
  return extent;
}

std::optional<ContractionView> Frontends::matchContraction(Operation *op) const {
  for (const auto &frontend : all)
    if (std::optional<ContractionView> view = frontend->matchContraction(op))
      return view;
  return std::nullopt;
}

std::optional<ViewStep> Frontends::matchView(Value value) const {
  auto result = dyn_cast<OpResult>(value);
  if (!result || !isa<RankedTensorType>(value.getType()))
    return std::nullopt;
  for (const auto &frontend : all)
    if (std::optional<ViewStep> step = frontend->matchView(result))
      return step;
  return std::nullopt;
}

std::optional<UpdateStep> Frontends::matchUpdate(Operation *op) const {
  for (const auto &frontend : all)
    if (std::optional<UpdateStep> update = frontend->matchUpdate(op))
      return update;
  return std::nullopt;
}

std::optional<SmallVector<FlowEdge>> Frontends::matchFlow(Operation *op) const {
  for (const auto &frontend : all)
    if (auto flow = frontend->matchFlow(op))
      return flow;
  return std::nullopt;
}

bool Frontends::isPure(Operation *op) const {
  return llvm::any_of(all, [&](const auto &frontend) { return frontend->isPure(op); });
}

FlatSymbolRefAttr Frontends::getDecomposition(Operation *op) const {
  for (const auto &frontend : all)
    if (FlatSymbolRefAttr decomposition = frontend->getDecomposition(op))
      return decomposition;
  return {};
}

FlatSymbolRefAttr Frontends::getCallee(Operation *op) const {
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.getCalleeAttr();
  for (const auto &frontend : all)
    if (FlatSymbolRefAttr callee = frontend->getCallee(op))
      return callee;
  return {};
}

SmallVector<std::pair<SmallVector<int64_t>, SmallVector<int64_t>>>
ufp4::getReshapeGroups(ArrayRef<int64_t> source, ArrayRef<int64_t> result) {
  SmallVector<std::pair<SmallVector<int64_t>, SmallVector<int64_t>>> groups;
  size_t s = 0, r = 0;
  while (s < source.size() || r < result.size()) {
    auto &[from, to] = groups.emplace_back();
    int64_t fromCount = 1, toCount = 1;
    do {
      // The side with fewer elements grows; at a tie the source does, so that a group has both.
      if (s < source.size() && (fromCount <= toCount || r == result.size())) {
        fromCount *= source[s];
        from.push_back(s++);
      } else {
        toCount *= result[r];
        to.push_back(r++);
      }
    } while (fromCount != toCount && (s < source.size() || r < result.size()));
  }
  return groups;
}
