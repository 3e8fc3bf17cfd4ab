//===- LowerContractions.cpp - linalg contractions to the packed GEMM -----===//
//
// Each contraction becomes a [G, M, K] × [G, N, K] GEMM of f32 operands. What the body does to an
// operand before the product moves into the op that packs it.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Conversion/CPU/Gemm.h"
#include "ufp4/Conversion/CPU/Passes.h"
#include "ufp4/Target/CPU/Units.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#include <vector>

namespace ufp4 {
#define GEN_PASS_DEF_CPULOWERCONTRACTIONS
#include "ufp4/Conversion/CPU/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;

namespace {

/// One input of a contraction: the tensor, how the loops index it, and the elementwise ops of the
/// body between its element and the product, in order.
struct Factor {
  Value source;
  AffineMap map;
  BlockArgument element;
  Value value;
  SmallVector<Operation *> ops;
};

/// A contraction seen as a GEMM: loop dimensions by role, each list in the order of the result
/// (`k`: of the loops). `lhs` holds m, `rhs` holds n.
struct Contraction {
  linalg::LinalgOp op;
  Factor lhs, rhs;
  SmallVector<unsigned> g, m, n, k;
};

/// The ops of the body between one block argument and `value`; none if anything but that argument,
/// constants and values from outside feed it.
std::optional<Factor> traceFactor(linalg::LinalgOp op, Value value) {
  Block *body = op.getBlock();
  llvm::SetVector<Operation *> slice;
  SmallVector<Value> worklist{value};
  BlockArgument element;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      if (argument.getOwner() != body)
        continue;
      if (element && element != argument)
        return std::nullopt;
      element = argument;
      continue;
    }
    Operation *definition = next.getDefiningOp();
    if (definition->getBlock() != body)
      continue;
    if (definition->getNumRegions() || !isPure(definition) || isa<linalg::IndexOp>(definition))
      return std::nullopt;
    if (slice.insert(definition))
      llvm::append_range(worklist, definition->getOperands());
  }
  if (!element || element.getArgNumber() > 1)
    return std::nullopt;
  Factor factor;
  factor.element = element;
  factor.value = value;
  factor.ops.assign(slice.begin(), slice.end());
  llvm::sort(factor.ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  OpOperand *operand = op.getDpsInputOperand(element.getArgNumber());
  factor.source = operand->get();
  factor.map = op.getMatchingIndexingMap(operand);
  return factor;
}

std::optional<Contraction> matchContraction(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return std::nullopt;
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation())
      return std::nullopt;
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  if (!resultType.getElementType().isF32())
    return std::nullopt;

  Block *body = op.getBlock();
  auto add = body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add || add->getBlock() != body)
    return std::nullopt;
  BlockArgument out = body->getArgument(2);
  Value product = add.getLhs() == out ? add.getRhs() : add.getLhs();
  if ((add.getLhs() != out && add.getRhs() != out) || product == out)
    return std::nullopt;
  auto mul = product.getDefiningOp<arith::MulFOp>();
  if (!mul || mul->getBlock() != body)
    return std::nullopt;
  std::optional<Factor> a = traceFactor(op, mul.getLhs());
  std::optional<Factor> b = traceFactor(op, mul.getRhs());
  if (!a || !b || a->element == b->element)
    return std::nullopt;

  Contraction c;
  c.op = op;
  AffineMap outMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto uses = [](AffineMap map, unsigned dim) { return map.isFunctionOfDim(dim); };
  for (unsigned d = 0; d < op.getNumLoops(); ++d) {
    bool inA = uses(a->map, d), inB = uses(b->map, d);
    if (uses(outMap, d)) {
      if (!inA && !inB)
        return std::nullopt;
      continue;
    }
    if (!inA || !inB)
      return std::nullopt;
    c.k.push_back(d);
  }
  if (c.k.empty())
    return std::nullopt;
  for (AffineExpr expr : outMap.getResults()) {
    unsigned d = cast<AffineDimExpr>(expr).getPosition();
    bool inA = uses(a->map, d), inB = uses(b->map, d);
    (inA && inB ? c.g : inA ? c.m : c.n).push_back(d);
  }
  c.lhs = *a;
  c.rhs = *b;
  // The vector runs along n: the operand whose dimension is innermost in the result is the rhs.
  if (outMap.getNumResults() > 0) {
    unsigned last = cast<AffineDimExpr>(outMap.getResults().back()).getPosition();
    if (llvm::is_contained(c.m, last)) {
      std::swap(c.lhs, c.rhs);
      std::swap(c.m, c.n);
    }
  }
  return c;
}

/// Rewrites one contraction; sizes of all its loops are resolved once.
class Lowering {
public:
  Lowering(OpBuilder &b, Contraction contraction, const GemmTile &tile)
      : b(b), loc(contraction.op.getLoc()), c(std::move(contraction)), tile(tile) {
    sizes.resize(c.op.getNumLoops());
    for (OpOperand &operand : c.op->getOpOperands()) {
      AffineMap map = c.op.getMatchingIndexingMap(&operand);
      for (auto [i, expr] : llvm::enumerate(map.getResults())) {
        OpFoldResult &size = sizes[cast<AffineDimExpr>(expr).getPosition()];
        if (!size || !getConstantIntValue(size))
          size = tensor::getMixedSize(b, loc, operand.get(), i);
      }
    }
  }

  Value run() {
    int64_t mSize = product(c.m), nSize = product(c.n);
    GemmTile fitted = tile.fittedTo(mSize, nSize);
    Value lhs = merge(permute(c.lhs, concat({c.g, c.m, c.k})), {c.g, c.m, c.k});
    Value panels = packPanels(fitted.columns);
    Value result = emitPackedGemm(b, loc, lhs, panels, mergedSize(c.n), accumulator(), fitted);
    return place(result);
  }

private:
  static SmallVector<unsigned> concat(ArrayRef<ArrayRef<unsigned>> groups) {
    SmallVector<unsigned> all;
    for (ArrayRef<unsigned> group : groups)
      llvm::append_range(all, group);
    return all;
  }

  SmallVector<OpFoldResult> sizesOf(ArrayRef<unsigned> dims) const {
    SmallVector<OpFoldResult> result;
    for (unsigned d : dims)
      result.push_back(sizes[d]);
    return result;
  }

  int64_t product(ArrayRef<unsigned> dims) const {
    int64_t total = 1;
    for (unsigned d : dims) {
      std::optional<int64_t> size = getConstantIntValue(sizes[d]);
      if (!size)
        return ShapedType::kDynamic;
      total *= *size;
    }
    return total;
  }

  /// The product of the dimensions' sizes; a product of symbols is not affine.
  OpFoldResult mergedSize(ArrayRef<unsigned> dims) {
    int64_t known = product(dims);
    if (!ShapedType::isDynamic(known))
      return b.getIndexAttr(known);
    Value total = getValueOrCreateConstantIndexOp(b, loc, sizes[dims.front()]);
    for (unsigned d : dims.drop_front())
      total =
          arith::MulIOp::create(b, loc, total, getValueOrCreateConstantIndexOp(b, loc, sizes[d]));
    return total;
  }

  static SmallVector<int64_t> shapeOf(ArrayRef<OpFoldResult> sizes) {
    SmallVector<int64_t> shape;
    for (OpFoldResult size : sizes)
      shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    return shape;
  }

  /// A generic that reads `source` by `map` into a fresh f32 tensor over `outMap`'s dimensions of
  /// sizes `outSizes`, applying the factor's ops to each element.
  Value copyThrough(const Factor &factor, Value source, AffineMap map,
                    ArrayRef<OpFoldResult> outSizes, AffineMap outMap) {
    Value init = tensor::EmptyOp::create(b, loc, outSizes, b.getF32Type());
    SmallVector<utils::IteratorType> iterators(outMap.getNumDims(), utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        b, loc, init.getType(), ValueRange{source}, ValueRange{init},
        ArrayRef<AffineMap>{map, outMap}, iterators,
        [&](OpBuilder &nested, Location l, ValueRange args) {
          IRMapping mapping;
          mapping.map(factor.element, args[0]);
          for (Operation *op : factor.ops)
            nested.clone(*op, mapping);
          linalg::YieldOp::create(nested, l, mapping.lookupOrDefault(factor.value));
        });
    return generic.getResult(0);
  }

  /// The factor as f32 with its dimensions in `order`.
  Value permute(const Factor &factor, ArrayRef<unsigned> order) {
    AffineMap map = mapOver(factor.map, order);
    if (map.isIdentity() && factor.ops.empty())
      return factor.source;
    return copyThrough(factor, factor.source, map, sizesOf(order),
                       b.getMultiDimIdentityMap(order.size()));
  }

  /// `map`, from the contraction's loops, rewritten over loops that run in `order`.
  AffineMap mapOver(AffineMap map, ArrayRef<unsigned> order) {
    SmallVector<AffineExpr> replacements(map.getNumDims(), b.getAffineConstantExpr(0));
    for (auto [i, d] : llvm::enumerate(order))
      replacements[d] = b.getAffineDimExpr(i);
    return map.replaceDimsAndSymbols(replacements, {}, order.size(), 0);
  }

  /// Merges consecutive dimensions to one per group; an empty group becomes a dimension of size 1.
  Value merge(Value v, ArrayRef<ArrayRef<unsigned>> groups) {
    SmallVector<ReassociationIndices> merged;
    SmallVector<OpFoldResult> mergedSizes, finalSizes;
    int64_t next = 0;
    for (ArrayRef<unsigned> group : groups) {
      finalSizes.push_back(mergedSize(group));
      if (group.empty())
        continue;
      ReassociationIndices indices;
      for (size_t i = 0; i < group.size(); ++i)
        indices.push_back(next++);
      merged.push_back(indices);
      mergedSizes.push_back(finalSizes.back());
    }
    Type element = cast<RankedTensorType>(v.getType()).getElementType();
    if (static_cast<size_t>(next) != merged.size())
      v = tensor::CollapseShapeOp::create(
          b, loc, RankedTensorType::get(shapeOf(mergedSizes), element), v, merged);
    if (merged.size() == groups.size())
      return v;
    // Unit dimensions join the group before them, or the first one.
    SmallVector<ReassociationIndices> split(merged.size());
    if (!split.empty()) {
      int64_t current = -1;
      for (auto [i, group] : llvm::enumerate(groups)) {
        if (!group.empty())
          ++current;
        split[std::max<int64_t>(current, 0)].push_back(i);
      }
    }
    return tensor::ExpandShapeOp::create(
        b, loc, RankedTensorType::get(shapeOf(finalSizes), element), v, split, finalSizes);
  }

  /// The right operand as panels. Where the innermost n dimension splits evenly, one copy reads it
  /// straight into its panels; else it is first brought to [G, N, K].
  Value packPanels(int64_t columns) {
    std::optional<int64_t> inner;
    if (!c.n.empty())
      inner = getConstantIntValue(sizes[c.n.back()]);
    if (!inner || *inner == 0 || *inner % columns != 0)
      return emitPackPanels(b, loc, merge(permute(c.rhs, concat({c.g, c.n, c.k})), {c.g, c.n, c.k}),
                            columns);

    // Loops: g…, n…, k…, column; the innermost n counts panels.
    unsigned split = c.n.back();
    SmallVector<unsigned> order = concat({c.g, c.n, c.k});
    unsigned loops = order.size() + 1;
    auto sourceType = cast<RankedTensorType>(c.rhs.source.getType());
    SmallVector<ReassociationIndices> reassociation;
    SmallVector<OpFoldResult> sourceSizes, outSizes;
    SmallVector<AffineExpr> sourceExprs;
    int64_t next = 0;
    for (AffineExpr expr : c.rhs.map.getResults()) {
      unsigned d = cast<AffineDimExpr>(expr).getPosition();
      unsigned position = llvm::find(order, d) - order.begin();
      sourceExprs.push_back(b.getAffineDimExpr(position));
      reassociation.push_back({next++});
      if (d != split) {
        sourceSizes.push_back(sizes[d]);
        continue;
      }
      reassociation.back().push_back(next++);
      sourceExprs.push_back(b.getAffineDimExpr(loops - 1));
      sourceSizes.push_back(b.getIndexAttr(*inner / columns));
      sourceSizes.push_back(b.getIndexAttr(columns));
    }
    Value source = tensor::ExpandShapeOp::create(
        b, loc, RankedTensorType::get(shapeOf(sourceSizes), sourceType.getElementType()),
        c.rhs.source, reassociation, sourceSizes);
    sizes[split] = b.getIndexAttr(*inner / columns);
    outSizes = sizesOf(order);
    outSizes.push_back(b.getIndexAttr(columns));
    Value panels = copyThrough(c.rhs, source, AffineMap::get(loops, 0, sourceExprs, b.getContext()),
                               outSizes, b.getMultiDimIdentityMap(loops));
    // The column dimension is a group of its own, addressed by a loop of that size.
    sizes.push_back(b.getIndexAttr(columns));
    SmallVector<unsigned> column{static_cast<unsigned>(sizes.size() - 1)};
    panels = merge(panels, {c.g, c.n, c.k, column});
    sizes.pop_back();
    sizes[split] = b.getIndexAttr(*inner);
    return panels;
  }

  bool isZero(Value init) {
    if (auto fill = init.getDefiningOp<linalg::FillOp>())
      return matchPattern(fill.getInputs()[0], m_PosZeroFloat());
    DenseFPElementsAttr splat;
    return matchPattern(init, m_Constant(&splat)) && splat.isSplat() &&
           splat.getSplatValue<APFloat>().isPosZero();
  }

  /// Whether the result's dimensions already run g, m, n.
  bool inOrder(AffineMap outMap) {
    SmallVector<unsigned> order = concat({c.g, c.m, c.n});
    return llvm::all_of(llvm::enumerate(outMap.getResults()), [&](auto it) {
      return cast<AffineDimExpr>(it.value()).getPosition() == order[it.index()];
    });
  }

  AffineMap outMap() { return c.op.getMatchingIndexingMap(c.op.getDpsInitOperand(0)); }

  Value accumulator() {
    Value init = c.op.getDpsInitOperand(0)->get();
    if (isZero(init))
      return nullptr;
    if (!inOrder(outMap())) {
      Factor identity;
      identity.source = init;
      identity.map = outMap();
      identity.element = c.op.getBlock()->getArgument(2);
      identity.value = identity.element;
      init = permute(identity, concat({c.g, c.m, c.n}));
    }
    return merge(init, {c.g, c.m, c.n});
  }

  /// Splits [G, M, N] back into the result's dimensions and order.
  Value place(Value result) {
    SmallVector<unsigned> order = concat({c.g, c.m, c.n});
    auto resultType = cast<RankedTensorType>(c.op->getResult(0).getType());
    // First drop the unit dimensions of empty groups, then split the merged ones.
    SmallVector<ArrayRef<unsigned>> groups{c.g, c.m, c.n};
    SmallVector<OpFoldResult> keptSizes;
    SmallVector<ReassociationIndices> kept, split;
    int64_t next = 0;
    ReassociationIndices leading;
    for (auto [i, group] : llvm::enumerate(groups)) {
      if (group.empty()) {
        (kept.empty() ? leading : kept.back()).push_back(i);
        continue;
      }
      kept.push_back(leading);
      leading.clear();
      kept.back().push_back(i);
      keptSizes.push_back(mergedSize(group));
      ReassociationIndices indices;
      for (size_t j = 0; j < group.size(); ++j)
        indices.push_back(next++);
      split.push_back(indices);
    }
    if (kept.size() != 3)
      result = tensor::CollapseShapeOp::create(
          b, loc, RankedTensorType::get(shapeOf(keptSizes), b.getF32Type()), result, kept);
    if (order.size() != kept.size())
      result = tensor::ExpandShapeOp::create(
          b, loc, RankedTensorType::get(shapeOf(sizesOf(order)), b.getF32Type()), result, split,
          sizesOf(order));
    if (!inOrder(outMap())) {
      AffineMap map = mapOver(outMap(), order);
      Factor identity;
      identity.element = c.op.getBlock()->getArgument(2);
      identity.value = identity.element;
      SmallVector<OpFoldResult> outSizes;
      for (AffineExpr expr : outMap().getResults())
        outSizes.push_back(sizes[cast<AffineDimExpr>(expr).getPosition()]);
      // Loops run in the result's own order, so the store is contiguous.
      AffineMap sourceMap = inversePermutation(map);
      result = copyThrough(identity, result, sourceMap, outSizes,
                           b.getMultiDimIdentityMap(order.size()));
    }
    if (result.getType() != resultType)
      result = tensor::CastOp::create(b, loc, resultType, result);
    return result;
  }

  OpBuilder &b;
  Location loc;
  Contraction c;
  GemmTile tile;
  SmallVector<OpFoldResult> sizes;
};

struct CPULowerContractionsPass
    : public ufp4::impl::CPULowerContractionsBase<CPULowerContractionsPass> {
  using CPULowerContractionsBase::CPULowerContractionsBase;

  void runOnOperation() override {
    if (rows < 0 || columns < 0 || depth <= 0) {
      emitError(getOperation()->getLoc())
          << "ufp4-cpu-lower-contractions: rows and columns must not be negative and depth must be "
             "positive, got rows="
          << int64_t(rows) << " columns=" << int64_t(columns) << " depth=" << int64_t(depth);
      return signalPassFailure();
    }
    llvm::Expected<target::VectorUnits> machine = target::findVectorUnits(cpu);
    if (!machine) {
      emitError(getOperation()->getLoc())
          << "ufp4-cpu-lower-contractions: " << llvm::toString(machine.takeError());
      return signalPassFailure();
    }
    GemmTile tile{rows ? int64_t(rows) : machine->rows,
                  columns ? int64_t(columns) : machine->columns, depth};

    std::vector<Contraction> contractions;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (std::optional<Contraction> c = matchContraction(op))
        contractions.push_back(*c);
    });
    IRRewriter rewriter(&getContext());
    for (Contraction &c : contractions) {
      rewriter.setInsertionPoint(c.op);
      Value result = Lowering(rewriter, c, tile).run();
      rewriter.replaceOp(c.op, result);
      ++numContractions;
    }
  }
};

} // namespace
