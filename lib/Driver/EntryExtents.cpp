//===- EntryExtents.cpp - Which extents of arguments must agree -----------===//
//
// A GEMM whose operands differ in K at run time is undefined, and its code would read past a
// buffer. What can be told at a function's entry is told there: extents that an operation wants
// equal form classes, and where a class holds several extents of arguments, callers must keep to
// it.
//
//===----------------------------------------------------------------------===//

#include "EntryExtents.h"

#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Execution/Entry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace ufp4;

namespace {

/// An extent: a value's dimension or, with -1 for it, a value of type index. A null value: the
/// number in place of the dimension.
using Extent = std::pair<void *, int64_t>;

using ExtentClasses = llvm::EquivalenceClasses<Extent>;

class ExtentFinder {
public:
  explicit ExtentFinder(ModuleOp module) : symbols(module) {}

  const ExtentClasses &get(func::FuncOp function) {
    auto [found, isNew] = functions.try_emplace(function);
    if (isNew)
      found->second = std::make_unique<ExtentClasses>();
    ExtentClasses &extents = *found->second;
    // A function that calls itself sees none of its own.
    if (isNew && function.getBody().hasOneBlock()) {
      ExtentClasses *outer = std::exchange(current, &extents);
      for (Operation &op : function.getBody().front())
        visit(&op);
      current = outer;
    }
    return extents;
  }

private:
  static std::optional<ArrayRef<int64_t>> shapeOf(Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      return tensor.getShape();
    if (auto quantized = dyn_cast<QuantizedTensorType>(type))
      return quantized.getShape();
    return std::nullopt;
  }

  void unite(Extent x, Extent y) { current->unionSets(x, y); }

  static Extent number(int64_t value) { return {nullptr, value}; }
  static Extent ofIndex(Value value) { return {value.getAsOpaquePointer(), -1}; }
  Extent of(Value value, int64_t dim) {
    Extent extent{value.getAsOpaquePointer(), dim};
    int64_t size = (*shapeOf(value.getType()))[dim];
    if (!ShapedType::isDynamic(size))
      unite(extent, number(size));
    return extent;
  }

  void uniteShapes(Value x, Value y) {
    auto left = shapeOf(x.getType()), right = shapeOf(y.getType());
    if (!left || !right || left->size() != right->size())
      return;
    for (size_t i = 0; i < left->size(); ++i)
      unite(of(x, i), of(y, i));
  }

  void uniteSizes(Value tensor, ArrayRef<OpFoldResult> sizes) {
    for (auto [i, size] : llvm::enumerate(sizes))
      if (auto value = dyn_cast<Value>(size))
        unite(of(tensor, i), ofIndex(value));
  }

  void visit(Operation *op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      return visitLinalg(linalgOp);
    if (auto matmul = dyn_cast<MatmulOp>(op))
      return visitMatmul(matmul);
    if (auto call = dyn_cast<func::CallOp>(op))
      return visitCall(call);
    if (auto quantize = dyn_cast<QuantizeOp>(op); quantize && quantize.getRows()) {
      unite(of(quantize.getRows(), 0), of(quantize.getResult(), 0));
      return unite(of(quantize.getInput(), 1), of(quantize.getResult(), 1));
    }
    if (isa<QuantizeOp, DequantizeOp, RotateOp, tensor::CastOp>(op))
      return uniteShapes(op->getOperand(0), op->getResult(0));
    if (auto dim = dyn_cast<tensor::DimOp>(op)) {
      if (std::optional<int64_t> index = dim.getConstantIndex())
        if (auto shape = shapeOf(dim.getSource().getType());
            shape && *index >= 0 && *index < int64_t(shape->size()))
          unite(ofIndex(dim), of(dim.getSource(), *index));
      return;
    }
    if (auto constant = dyn_cast<arith::ConstantIndexOp>(op))
      return unite(ofIndex(constant), number(constant.value()));
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      return uniteSizes(empty, empty.getMixedSizes());
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      if (slice.getType().getRank() == slice.getSourceType().getRank())
        uniteSizes(slice, slice.getMixedSizes());
      return;
    }
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      return visitReshape(op);
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      return uniteShapes(insert.getDest(), insert);
    if (OpTrait::hasElementwiseMappableTraits(op))
      for (Value operand : op->getOperands())
        for (Value result : op->getResults())
          uniteShapes(operand, result);
  }

  void visitLinalg(linalg::LinalgOp op) {
    SmallVector<std::optional<Extent>> loops(op.getNumLoops());
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      for (auto [i, expression] : llvm::enumerate(map.getResults())) {
        auto loop = dyn_cast<AffineDimExpr>(expression);
        if (!loop)
          continue;
        Extent extent = of(operand.get(), i);
        std::optional<Extent> &known = loops[loop.getPosition()];
        if (known)
          unite(*known, extent);
        known = extent;
      }
    }
    for (OpResult result : op->getResults())
      uniteShapes(result, op.getDpsInitsMutable()[result.getResultNumber()].get());
  }

  void visitMatmul(MatmulOp op) {
    unite(of(op.getLhs(), cast<QuantizedTensorType>(op.getLhs().getType()).getAlong()),
          of(op.getRhs(), cast<QuantizedTensorType>(op.getRhs().getType()).getAlong()));
    // What counts groups is no extent of a view: a result's first where rows are contracted in
    // groups, and of stacked operands the first that is not contracted (G4).
    auto isGrouped = [](Value operand, numerics::Grouping grouping) {
      GroupsAttr groups = cast<QuantizedTensorType>(operand.getType()).getGroups();
      return groups && groups.getGrouping() == grouping;
    };
    int64_t next = isGrouped(op.getLhs(), numerics::Grouping::Contracted);
    for (auto [left, right] : llvm::zip_equal(op.getLhsBatch(), op.getRhsBatch())) {
      unite(of(op.getLhs(), left), of(op.getRhs(), right));
      unite(of(op.getResult(), next++), of(op.getLhs(), left));
    }
    for (auto [operand, batch] :
         {std::pair(op.getLhs(), op.getLhsBatch()), std::pair(op.getRhs(), op.getRhsBatch())}) {
      auto type = cast<QuantizedTensorType>(operand.getType());
      bool countsGroups = isGrouped(operand, numerics::Grouping::Stacked);
      for (int64_t i = 0; i < type.getRank(); ++i) {
        if (i == type.getAlong() || llvm::is_contained(batch, i) ||
            std::exchange(countsGroups, false))
          continue;
        unite(of(op.getResult(), next++), of(operand, i));
      }
    }
    if (op.getAccumulator())
      uniteShapes(op.getAccumulator(), op.getResult());
  }

  /// Dimensions that are neither merged nor split.
  void visitReshape(Operation *op) {
    Value source = op->getOperand(0), result = op->getResult(0);
    auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
    Value wide = expand ? result : source, narrow = expand ? source : result;
    SmallVector<ReassociationIndices> groups =
        expand ? expand.getReassociationIndices()
               : cast<tensor::CollapseShapeOp>(op).getReassociationIndices();
    for (auto [i, group] : llvm::enumerate(groups))
      if (group.size() == 1)
        unite(of(narrow, i), of(wide, group.front()));
  }

  /// What the callee wants of its arguments, and what it says of its results.
  void visitCall(func::CallOp call) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!callee || !callee.getBody().hasOneBlock())
      return;
    const ExtentClasses &inside = get(callee);
    auto exits = cast<func::ReturnOp>(callee.getBody().front().getTerminator());
    // The caller's extent that stands for each class of the callee's.
    llvm::DenseMap<Extent, Extent> outside;
    auto join = [&](Value inner, Value outer) {
      auto shape = shapeOf(outer.getType());
      for (size_t i = 0; shape && i < shape->size(); ++i) {
        Extent extent{inner.getAsOpaquePointer(), int64_t(i)};
        if (!inside.contains(extent))
          continue;
        auto [found, isNew] = outside.try_emplace(inside.getLeaderValue(extent), of(outer, i));
        if (!isNew)
          unite(found->second, of(outer, i));
        for (const Extent &member : inside.members(extent))
          if (!member.first)
            unite(of(outer, i), member);
      }
    };
    for (auto [inner, outer] : llvm::zip_equal(callee.getArguments(), call.getOperands()))
      join(inner, outer);
    for (auto [inner, outer] : llvm::zip_equal(exits.getOperands(), call.getResults()))
      join(inner, outer);
  }

  SymbolTable symbols;
  llvm::DenseMap<Operation *, std::unique_ptr<ExtentClasses>> functions;
  ExtentClasses *current = nullptr;
};

} // namespace

void ufp4::noteEntryExtents(ModuleOp module) {
  ExtentFinder finder(module);
  Builder b(module.getContext());
  for (auto function : module.getOps<func::FuncOp>()) {
    // Quantized arguments become several each, and arguments lose their numbers.
    bool isPlain = llvm::none_of(function.getArgumentTypes(),
                                 [](Type type) { return isa<QuantizedTensorType>(type); });
    if (!function.isPublic() || function.isExternal() || !isPlain)
      continue;
    const ExtentClasses &extents = finder.get(function);
    // The first dynamic extent of an argument that is in a class.
    llvm::DenseMap<Extent, std::pair<int64_t, int64_t>> first;
    SmallVector<Attribute> rules;
    for (BlockArgument argument : function.getArguments()) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      for (int64_t dim = 0; type && dim < type.getRank(); ++dim) {
        Extent extent{argument.getAsOpaquePointer(), dim};
        if (!type.isDynamicDim(dim) || !extents.contains(extent))
          continue;
        int64_t number = argument.getArgNumber();
        for (const Extent &member : extents.members(extent))
          if (!member.first)
            rules.push_back(b.getDenseI64ArrayAttr({number, dim, member.second}));
        auto [known, isNew] = first.try_emplace(extents.getLeaderValue(extent), number, dim);
        if (!isNew)
          rules.push_back(
              b.getDenseI64ArrayAttr({number, dim, known->second.first, known->second.second}));
      }
    }
    if (!rules.empty())
      function->setAttr(kExtentsAttr, b.getArrayAttr(rules));
  }
}
