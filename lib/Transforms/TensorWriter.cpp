//===- TensorWriter.cpp - quantized GEMMs among linalg's ops --------------===//

#include "ufp4/Transforms/ModelWriter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include "ufp4/Transforms/Arrange.h"
#include "ufp4/Transforms/CastElements.h"
#include "ufp4/Transforms/TripNumbers.h"
#include "ufp4/Transforms/WidenAccumulators.h"

using namespace mlir;
using namespace ufp4;

namespace {

/// The dimensions [G, R, K] (or [R, K]) of an operand; `along` is K's place. K comes earlier where
/// the root has it there, so that no transpose is needed: the view is the same (Q1).
SmallVector<Factors> chooseDims(const GemmLayout &layout, unsigned side, int64_t &along) {
  SmallVector<Factors> leading;
  if (!layout.batch.empty())
    leading.push_back(layout.batch);
  leading.push_back(layout.free[side]);
  // Where a factor begins in the root's memory: the root's factor, then the place in it.
  auto place = [&](const Factor &factor) {
    int64_t position = 0;
    for (const Factors &dim : layout.roots[side].layout.dims)
      for (const Factor &root : dim) {
        ++position;
        if (root.contains(factor))
          return std::make_pair(position, -factor.stride);
      }
    llvm_unreachable("every factor lies in the root");
  };
  for (along = leading.size(); along >= 0; --along) {
    SmallVector<Factors> dims(leading);
    dims.insert(dims.begin() + along, layout.contracted);
    SmallVector<std::pair<int64_t, int64_t>> places;
    for (const Factors &dim : dims)
      for (const Factor &factor : dim)
        places.push_back(place(factor));
    if (llvm::is_sorted(places))
      return dims;
  }
  // A copy then, in an order that the other direction's quantize of the root chooses too: one copy
  // serves both.
  const Factors &free = layout.free[side], &contracted = layout.contracted;
  bool isFirst =
      !free.empty() && !contracted.empty() && place(contracted.front()) < place(free.front());
  along = leading.size() - isFirst;
  leading.insert(leading.begin() + along, contracted);
  return leading;
}

/// The same tensor with other extents known at compile time.
Value castShape(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  return tensor::CastOp::create(builder, loc, type.clone(shape), value);
}

class TensorWriter : public ModelWriter {
public:
  SmallVector<Type> getSeedTypes(MLIRContext *context) const override {
    return {IntegerType::get(context, 64), IntegerType::get(context, 32)};
  }

  Attribute getRngMark(MLIRContext *context) const override { return UnitAttr::get(context); }

  SeedState unpack(OpBuilder &builder, Location loc, Value rng) override {
    Type i64 = builder.getI64Type();
    auto extract = [&](int64_t i) -> Value {
      Value index = arith::ConstantIndexOp::create(builder, loc, i);
      return tensor::ExtractOp::create(builder, loc, rng, index);
    };
    Value low = arith::ExtUIOp::create(builder, loc, i64, extract(0));
    Value high = arith::ExtUIOp::create(builder, loc, i64, extract(1));
    Value shift = arith::ConstantIntOp::create(builder, loc, 32, 64);
    Value shifted = arith::ShLIOp::create(builder, loc, high, shift);
    Value seed = arith::OrIOp::create(builder, loc, low, shifted);
    return {seed, extract(2)};
  }

  Value pack(OpBuilder &builder, Location loc, const SeedState &state) override {
    Type i32 = builder.getI32Type();
    Value low = arith::TruncIOp::create(builder, loc, i32, state[0]);
    Value shift = arith::ConstantIntOp::create(builder, loc, 32, 64);
    Value high = arith::TruncIOp::create(builder, loc, i32,
                                         arith::ShRUIOp::create(builder, loc, state[0], shift));
    return tensor::FromElementsOp::create(builder, loc, ValueRange{low, high, state[1]});
  }

  SeedState getConstant(OpBuilder &builder, Location loc, uint64_t seed, uint32_t step) override {
    return {arith::ConstantIntOp::create(builder, loc, static_cast<int64_t>(seed), 64),
            arith::ConstantIntOp::create(builder, loc, static_cast<int32_t>(step), 32)};
  }

  SeedState foldIn(OpBuilder &builder, Location loc, const SeedState &state,
                   int64_t ordinal) override {
    Value value = arith::ConstantIntOp::create(builder, loc, ordinal, 64);
    return {FoldInOp::create(builder, loc, state[0], value), state[1]};
  }

  Scope getScope(Operation *op) const override {
    if (isa<scf::ForOp, scf::WhileOp>(op))
      return Scope::Own;
    return isa<scf::IfOp, scf::ExecuteRegionOp>(op) ? Scope::Parents : Scope::None;
  }

  void addTripCounters(ArrayRef<Operation *> ops) override { ufp4::addTripCounters(ops); }

  SeedState enter(Region &region, const SeedState &outer) override {
    Location loc = region.getParentOp()->getLoc();
    OpBuilder builder = OpBuilder::atBlockBegin(&region.front());
    Value trip = getTripNumber(builder, loc, region);
    return {FoldInOp::create(builder, loc, outer[0], trip), outer[1]};
  }

  bool canWrite(Operation *op) const override { return op->isRegistered(); }
  std::optional<std::string> getShapeObstacle(const ContractionView &view) const override {
    for (DimGroup group : {DimGroup::Batch, DimGroup::LhsFree, DimGroup::RhsFree}) {
      auto count = [&](int64_t extent) {
        return llvm::count_if(view.dims, [&](const ContractionDim &dim) {
          return dim.group == group && dim.extent == extent;
        });
      };
      if (count(ShapedType::kDynamic) > 1)
        return "two dynamic extents would be merged into one";
      if (count(ShapedType::kDynamic) && count(0))
        return "a dynamic extent would be merged with one of 0, which it could not be split from";
    }
    return std::nullopt;
  }
  void roundOperands(OpBuilder &builder, ContractionView &view) override {
    Location loc = view.op->getLoc();
    if (view.lhsRounding)
      view.lhs = castElements(builder, loc, view.lhs, view.lhsRounding);
    if (view.rhsRounding)
      view.rhs = castElements(builder, loc, view.rhs, view.rhsRounding);
  }
  Value write(OpBuilder &builder, const QuantizedGemm &gemm) override;
  void finish(const SharedQuantize &quantize) override {
    if (quantize.isStochastic())
      cast<QuantizeOp>(quantize.written.front().first).setStream(quantize.stream);
  }
  void finish(ModuleOp module) override {
    widenAccumulators(module);
    IRRewriter rewriter(module.getContext());
    (void)runRegionDCE(rewriter, module->getRegions());
  }

private:
  Value quantize(OpBuilder &builder, const QuantizedGemm &gemm, unsigned side);
};

Value TensorWriter::quantize(OpBuilder &builder, const QuantizedGemm &gemm, unsigned side) {
  SharedQuantize &shared = *gemm.operands[side];
  if (!shared.written.empty())
    return shared.written.front().first->getResult(0);
  const OperandPlan &plan = *shared.plan;
  const ViewRoot &root = gemm.layout.roots[side];
  Location loc = gemm.view.op->getLoc();
  int64_t along;
  SmallVector<Factors> dims = chooseDims(gemm.layout, side, along);
  bool stochastic = shared.isStochastic();
  Value value = castElements(builder, loc, root.value, root.elementType);
  value = arrange(builder, loc, value, root.layout.dims, dims);
  auto type = QuantizedTensorType::get(builder.getContext(),
                                       cast<RankedTensorType>(value.getType()).getShape(),
                                       plan.getSchemeAttr(builder.getContext()), along);
  auto op = QuantizeOp::create(
      builder, loc, type, value, /*amax=*/Value(), stochastic ? shared.state[0] : Value(),
      stochastic ? shared.state[1] : Value(),
      /*dynamic_stream=*/Value(), ValueRange{},
      stochastic ? builder.getI64IntegerAttr(shared.stream) : IntegerAttr(),
      stochastic && plan.bits != 16 ? builder.getI64IntegerAttr(plan.bits) : IntegerAttr(),
      PlaceAttr());
  shared.written.push_back({op, side});
  return op;
}

Value TensorWriter::write(OpBuilder &builder, const QuantizedGemm &gemm) {
  const ContractionView &view = gemm.view;
  const GemmLayout &layout = gemm.layout;
  Location loc = view.op->getLoc();
  bool hasBatch = !layout.batch.empty();
  Value lhs = quantize(builder, gemm, 0);
  Value rhs = quantize(builder, gemm, 1);

  // The batch dimension is the first of each operand's that K does not precede.
  auto getBatch = [&](Value operand) -> SmallVector<int64_t> {
    if (!hasBatch)
      return {};
    return {cast<QuantizedTensorType>(operand.getType()).getAlong() == 0 ? 1 : 0};
  };
  SmallVector<int64_t> lhsBatch = getBatch(lhs), rhsBatch = getBatch(rhs);
  SmallVector<Factors> dims;
  if (hasBatch)
    dims.push_back(layout.batch);
  dims.push_back(layout.free[0]);
  dims.push_back(layout.free[1]);
  SmallVector<int64_t> shape;
  auto leading = [](Value operand) {
    return cast<QuantizedTensorType>(operand.getType()).getLeadingShape();
  };
  llvm::append_range(shape, leading(lhs));
  shape.push_back(leading(rhs).back());

  OperandLayout resultLayout = getLayout(view, 2);
  auto resultType = cast<RankedTensorType>(view.op->getResult(0).getType());
  Value accumulator;
  if (view.accumulator) {
    accumulator = castElements(builder, loc, view.accumulator, builder.getF32Type());
    accumulator = arrange(builder, loc, accumulator, resultLayout.dims, dims);
    accumulator = castShape(builder, loc, accumulator, shape);
  }
  auto matmul =
      MatmulOp::create(builder, loc, RankedTensorType::get(shape, resultType.getElementType()), lhs,
                       rhs, accumulator, lhsBatch, rhsBatch);
  NamedAttrList attrs;
  attrs.append("index", builder.getI64IntegerAttr(gemm.info.index));
  attrs.append("layer", builder.getStringAttr(gemm.info.layer));
  attrs.append("role", builder.getStringAttr(stringifyRole(gemm.info.role)));
  matmul->setAttr(kGemmAttr, attrs.getDictionary(builder.getContext()));
  Value result = arrange(builder, loc, matmul, dims, resultLayout.dims);
  return castShape(builder, loc, result, resultType.getShape());
}

} // namespace

std::unique_ptr<ModelWriter> ufp4::createTensorWriter() { return std::make_unique<TensorWriter>(); }
