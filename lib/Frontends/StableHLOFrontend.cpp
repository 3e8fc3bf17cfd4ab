//===- StableHLOFrontend.cpp - StableHLO in generic form ------------------===//
//
// No StableHLO library is needed: operations are unregistered, their attributes are builtin ones or
// opaque text.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Frontends/Frontends.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace ufp4;

namespace {

/// The list `name = [1, 2]` in an opaque attribute's text; empty where it is absent.
SmallVector<int64_t> parseDims(StringRef text, StringRef name) {
  SmallVector<int64_t> dims;
  size_t at = text.find(name);
  if (at == StringRef::npos)
    return dims;
  StringRef list = text.substr(at).split('[').second.split(']').first;
  SmallVector<StringRef> words;
  list.split(words, ',', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    int64_t dim;
    if (!word.trim().getAsInteger(10, dim))
      dims.push_back(dim);
  }
  return dims;
}

class StableHLOFrontend : public Frontend {
public:
  std::optional<ContractionView> matchContraction(Operation *op) const override {
    if (op->getNumResults() != 1 || op->getNumOperands() < 2)
      return std::nullopt;
    std::optional<DotDims> dims = getDotDims(op);
    auto lhs = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    auto rhs = dyn_cast<RankedTensorType>(op->getOperand(1).getType());
    if (!dims || !lhs || !rhs)
      return std::nullopt;
    auto valid = [](ArrayRef<int64_t> dims, RankedTensorType type) {
      return llvm::all_of(dims, [&](int64_t dim) { return dim >= 0 && dim < type.getRank(); });
    };
    if (dims->batch[0].size() != dims->batch[1].size() ||
        dims->contracted[0].size() != dims->contracted[1].size() || !valid(dims->batch[0], lhs) ||
        !valid(dims->batch[1], rhs) || !valid(dims->contracted[0], lhs) ||
        !valid(dims->contracted[1], rhs) || !valid(dims->rhsGroups, rhs))
      return std::nullopt;

    ContractionView view;
    view.op = op;
    view.lhs = op->getOperand(0);
    view.rhs = op->getOperand(1);
    int64_t next = 0;
    if (dims->isRagged && !addGroups(view, *dims, next))
      return std::nullopt;
    for (auto [l, r] : llvm::zip_equal(dims->batch[0], dims->batch[1]))
      view.dims.push_back({DimGroup::Batch, lhs.getDimSize(l), l, r, next++});
    auto isFree = [&](int64_t dim, unsigned side) {
      return !llvm::is_contained(dims->batch[side], dim) &&
             !llvm::is_contained(dims->contracted[side], dim) &&
             !(side && llvm::is_contained(dims->rhsGroups, dim));
    };
    for (int64_t dim = 0; dim < lhs.getRank(); ++dim)
      if (isFree(dim, 0))
        view.dims.push_back({DimGroup::LhsFree, lhs.getDimSize(dim), dim, -1, next++});
    for (int64_t dim = 0; dim < rhs.getRank(); ++dim)
      if (isFree(dim, 1))
        view.dims.push_back({DimGroup::RhsFree, rhs.getDimSize(dim), -1, dim, next++});
    bool hasFree = next > static_cast<int64_t>(dims->batch[0].size());
    for (auto [l, r] : llvm::zip_equal(dims->contracted[0], dims->contracted[1]))
      view.dims.push_back({DimGroup::Contracted, lhs.getDimSize(l), l, r, -1});
    if (dims->contracted[0].empty() || !hasFree)
      return std::nullopt;
    if (view.isGrouped() && !dims->batch[0].empty())
      view.obstacle = "a grouped GEMM has batch dimensions (a ragged_dot under vmap)";
    if (view.isGrouped() && view.obstacle.empty()) {
      DimGroup cut = view.cutsContraction() ? DimGroup::Contracted : DimGroup::LhsFree;
      if (llvm::count_if(view.dims, [&](const ContractionDim &dim) { return dim.group == cut; }) >
          1)
        view.obstacle = "groups cut one of several dimensions that are merged into one";
    }
    return view;
  }

  FlatSymbolRefAttr getDecomposition(Operation *op) const override {
    std::optional<DotDims> dims = getDotDims(op);
    return dims && dims->isRagged ? op->getAttrOfType<FlatSymbolRefAttr>("decomposition")
                                  : FlatSymbolRefAttr();
  }

  std::optional<ViewStep> matchView(OpResult result) const override {
    Operation *op = result.getOwner();
    StringRef name = op->getName().getStringRef();
    auto type = dyn_cast<RankedTensorType>(result.getType());
    unsigned index = name == "stablehlo.optimization_barrier" ? result.getResultNumber() : 0;
    if (!type || index >= op->getNumOperands())
      return std::nullopt;
    auto source = dyn_cast<RankedTensorType>(op->getOperand(index).getType());
    if (!source)
      return std::nullopt;

    ViewStep step;
    step.source = op->getOperand(index);
    auto keepDims = [&] { llvm::append_range(step.dims, llvm::seq<int64_t>(0, source.getRank())); };
    if (isIdentity(op)) {
      keepDims();
      step.identity = true;
      return step;
    }
    if (name == "stablehlo.convert") {
      auto from = dyn_cast<FloatType>(source.getElementType());
      auto to = dyn_cast<FloatType>(type.getElementType());
      if (!from || !to)
        return std::nullopt;
      keepDims();
      step.identity = from == to;
      // Only these widen exactly; any other cast may round.
      step.rounds = from != to && !((from.isBF16() || from.isF16()) && to.isF32()) &&
                    !(to.isF64() && from.getWidth() < 64);
      return step;
    }
    if (name == "stablehlo.transpose") {
      auto permutation = op->getAttrOfType<DenseI64ArrayAttr>("permutation");
      if (!permutation || permutation.size() != type.getRank())
        return std::nullopt;
      llvm::append_range(step.dims, permutation.asArrayRef());
      return step;
    }
    if (name == "stablehlo.reshape") {
      if (!source.hasStaticShape() || !type.hasStaticShape())
        return std::nullopt;
      step.groups = getReshapeGroups(source.getShape(), type.getShape());
      return step;
    }
    if (name == "stablehlo.broadcast_in_dim") {
      auto dims = op->getAttrOfType<DenseI64ArrayAttr>("broadcast_dimensions");
      if (!dims)
        return std::nullopt;
      step.dims.assign(type.getRank(), -1);
      for (auto [from, to] : llvm::enumerate(dims.asArrayRef()))
        if (source.getDimSize(from) == type.getDimSize(to))
          step.dims[to] = from;
      step.broadcasts = source.getNumElements() != type.getNumElements();
      return step;
    }
    // A device's part of a parameter, gathered from all of them, is the parameter.
    if (name == "stablehlo.slice" || name == "stablehlo.dynamic_slice" ||
        name == "stablehlo.all_gather") {
      if (type.getRank() != source.getRank())
        return std::nullopt;
      keepDims();
      step.slices = true;
      return step;
    }
    return std::nullopt;
  }

  std::optional<UpdateStep> matchUpdate(Operation *op) const override {
    if (op->getName().getStringRef() != "stablehlo.dynamic_update_slice" ||
        op->getNumOperands() < 2)
      return std::nullopt;
    UpdateStep step{op->getOperand(0), op->getOperand(1), {}};
    if (auto type = dyn_cast<RankedTensorType>(step.update.getType()))
      llvm::append_range(step.dims, llvm::seq<int64_t>(0, type.getRank()));
    return step;
  }

  std::optional<SmallVector<FlowEdge>> matchFlow(Operation *op) const override {
    StringRef name = op->getName().getStringRef();
    SmallVector<FlowEdge> edges;
    auto returned = [](Region &region, unsigned i) -> Value {
      Operation *terminator = region.front().getTerminator();
      return i < terminator->getNumOperands() ? terminator->getOperand(i) : Value();
    };
    auto wellFormed = [&](unsigned args) {
      return llvm::all_of(op->getRegions(), [&](Region &region) {
        return region.hasOneBlock() && region.getNumArguments() == args && !region.front().empty();
      });
    };
    if (name == "stablehlo.while") {
      if (op->getNumRegions() != 2 || op->getNumResults() != op->getNumOperands() ||
          !wellFormed(op->getNumOperands()))
        return std::nullopt;
      for (unsigned i = 0; i < op->getNumOperands(); ++i) {
        Value init = op->getOperand(i), next = returned(op->getRegion(1), i);
        if (!next)
          return std::nullopt;
        edges.push_back({op->getRegion(0).getArgument(i), {init, next}});
        edges.push_back({op->getRegion(1).getArgument(i), {init, next}});
        edges.push_back({op->getResult(i), {init, next}});
      }
      return edges;
    }
    if (name == "sdy.manual_computation") {
      if (op->getNumRegions() != 1 || !wellFormed(op->getNumOperands()))
        return std::nullopt;
      for (auto [argument, operand] :
           llvm::zip_equal(op->getRegion(0).getArguments(), op->getOperands()))
        edges.push_back({argument, {operand}});
      for (OpResult result : op->getResults())
        if (Value value = returned(op->getRegion(0), result.getResultNumber()))
          edges.push_back({result, {value}});
      return edges;
    }
    if (name == "stablehlo.if" || name == "stablehlo.case") {
      if (!wellFormed(0))
        return std::nullopt;
      for (OpResult result : op->getResults()) {
        FlowEdge edge{result, {}};
        for (Region &region : op->getRegions())
          if (Value value = returned(region, result.getResultNumber()))
            edge.sources.push_back(value);
        edges.push_back(std::move(edge));
      }
      return edges;
    }
    return std::nullopt;
  }

  bool isPure(Operation *op) const override {
    static const llvm::StringSet<> impure = {
        "stablehlo.custom_call", "stablehlo.infeed",       "stablehlo.outfeed",
        "stablehlo.send",        "stablehlo.recv",         "stablehlo.rng",
        "stablehlo.while",       "stablehlo.partition_id", "stablehlo.replica_id"};
    StringRef name = op->getName().getStringRef();
    return name.starts_with("stablehlo.") && !impure.contains(name);
  }

  FlatSymbolRefAttr getCallee(Operation *op) const override {
    // A grouped dot is one operation, whatever it decomposes to.
    if (op->getName().getStringRef() != "stablehlo.composite" || getDotDims(op))
      return {};
    return op->getAttrOfType<FlatSymbolRefAttr>("decomposition");
  }

private:
  /// The dimension numbers of a dot, or of a grouped one (a `chlo.ragged_dot` composite), whose
  /// group dimension only chooses among right-hand sides.
  struct DotDims {
    SmallVector<int64_t> batch[2], contracted[2], ragged, rhsGroups;
    bool isRagged = false;
  };

  /// The dimension that counts groups: of the rhs where they are rows, the result's first where
  /// they cut what is contracted.
  static bool addGroups(ContractionView &view, const DotDims &dims, int64_t &next) {
    Operation *op = view.op;
    auto sizes = op->getNumOperands() == 3 ? dyn_cast<RankedTensorType>(op->getOperand(2).getType())
                                           : RankedTensorType();
    if (!sizes || sizes.getRank() == 0 || dims.ragged.size() != 1)
      return false;
    int64_t ragged = dims.ragged.front(), groups = sizes.getShape().back();
    // Where groups cut the batch, each product is the same without them.
    if (llvm::is_contained(dims.batch[0], ragged)) {
      view.readOnly = true;
      return true;
    }
    view.groupSizes = op->getOperand(2);
    if (sizes.getRank() != 1)
      view.obstacle = "groups have other sizes in each of a batch";
    if (llvm::is_contained(dims.contracted[0], ragged))
      view.dims.push_back({DimGroup::Expert, groups, -1, -1, next++});
    else if (dims.rhsGroups.size() == 1)
      view.dims.push_back({DimGroup::Expert, groups, -1, dims.rhsGroups.front(), -1});
    else
      return false;
    return true;
  }

  static std::optional<DotDims> getDotDims(Operation *op) {
    DotDims dims;
    StringRef name = op->getName().getStringRef();
    if (name == "stablehlo.dot_general" && op->getNumOperands() == 2) {
      std::string text;
      if (Attribute numbers = op->getAttr("dot_dimension_numbers"))
        llvm::raw_string_ostream(text) << numbers;
      if (text.empty())
        return std::nullopt;
      dims.batch[0] = parseDims(text, "lhs_batching_dimensions");
      dims.batch[1] = parseDims(text, "rhs_batching_dimensions");
      dims.contracted[0] = parseDims(text, "lhs_contracting_dimensions");
      dims.contracted[1] = parseDims(text, "rhs_contracting_dimensions");
      return dims;
    }
    auto composite = op->getAttrOfType<StringAttr>("name");
    auto attributes = op->getAttrOfType<DictionaryAttr>("composite_attributes");
    if (name != "stablehlo.composite" || !composite || composite != "chlo.ragged_dot" ||
        !attributes)
      return std::nullopt;
    auto numbers = attributes.getAs<ArrayAttr>("ragged_dot_dimension_numbers");
    if (!numbers || numbers.size() != 6)
      return std::nullopt;
    SmallVector<int64_t> *lists[] = {&dims.batch[0],      &dims.batch[1], &dims.contracted[0],
                                     &dims.contracted[1], &dims.ragged,   &dims.rhsGroups};
    for (auto [list, attr] : llvm::zip_equal(lists, numbers)) {
      auto elements = dyn_cast<DenseIntElementsAttr>(attr);
      if (!elements)
        return std::nullopt;
      for (const APInt &dim : elements)
        list->push_back(dim.getSExtValue());
    }
    dims.isRagged = true;
    return dims;
  }

  /// Operations that pass their operands on as they are.
  static bool isIdentity(Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (name == "stablehlo.optimization_barrier" || name == "sdy.sharding_constraint")
      return op->getNumOperands() == op->getNumResults();
    if (name != "stablehlo.custom_call" || op->getNumOperands() != 1 || op->getNumResults() != 1)
      return false;
    auto target = op->getAttrOfType<StringAttr>("call_target_name");
    return target &&
           (target == "Sharding" || target == "SPMDFullToShardShape" ||
            target == "SPMDShardToFullShape") &&
           op->getOperand(0).getType() == op->getResult(0).getType();
  }
};
} // namespace

std::unique_ptr<Frontend> ufp4::createStableHLOFrontend() {
  return std::make_unique<StableHLOFrontend>();
}
