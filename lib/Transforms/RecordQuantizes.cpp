//===- RecordQuantizes.cpp - calls a recorder after each quantize ---------===//

#include "ufp4/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "ufp4/Conversion/Gather.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Transforms/TripNumbers.h"

namespace ufp4 {
#define GEN_PASS_DEF_RECORDQUANTIZES
#include "ufp4/Transforms/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;

/// The recorder for an input and scale type, declared where it is not yet.
static func::FuncOp getRecorder(ModuleOp module, SymbolTable &symbols, Type input, Type scale) {
  std::string name;
  llvm::raw_string_ostream(name) << "ufp4RecordQuantize_" << input << '_' << scale;
  if (auto known = symbols.lookup<func::FuncOp>(name))
    return known;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Type i64 = builder.getI64Type();
  auto any = [](Type element) { return UnrankedTensorType::get(element); };
  auto type =
      builder.getFunctionType({i64, any(input), any(builder.getI8Type()), any(scale),
                               any(builder.getF32Type()), i64, builder.getI32Type(), any(i64)},
                              {});
  auto recorder = func::FuncOp::create(builder, module.getLoc(), name, type);
  recorder.setPrivate();
  recorder->setAttr("llvm.emit_c_interface", builder.getUnitAttr());
  for (unsigned arg = 0; arg < type.getNumInputs(); ++arg)
    if (isa<UnrankedTensorType>(type.getInput(arg)))
      recorder.setArgAttr(arg, bufferization::BufferizationDialect::kBufferAccessAttrName,
                          builder.getStringAttr("read"));
  symbols.insert(recorder);
  return recorder;
}

/// The input in the order of the view: the dimension that is quantized along comes last.
static Value getView(OpBuilder &builder, QuantizeOp op) {
  Location loc = op.getLoc();
  Value input = op.getInput();
  if (op.getRows())
    input = emitGather(builder, loc, input, op.getRows());
  int64_t rank = op.getInput().getType().getRank(), along = op.getQuantizedType().getAlong();
  if (along == rank - 1)
    return input;
  SmallVector<int64_t> permutation;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != along)
      permutation.push_back(dim);
  permutation.push_back(along);
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim : permutation)
    sizes.push_back(tensor::getMixedSize(builder, loc, input, dim));
  Value empty =
      tensor::EmptyOp::create(builder, loc, sizes, op.getInput().getType().getElementType());
  return linalg::TransposeOp::create(builder, loc, input, empty, permutation)->getResult(0);
}

static void record(QuantizeOp op, int64_t index, ModuleOp module, SymbolTable &symbols) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Location loc = op.getLoc();
  QuantizedTensorType type = op.getQuantizedType();
  Type i64 = builder.getI64Type(), f32 = builder.getF32Type();

  SmallVector<Type> parts = type.getPartTypes();
  auto unpacked = UnpackOp::create(builder, loc, parts, op.getResult());
  Value global = parts.size() == 3
                     ? unpacked.getResult(2)
                     : tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{0}, f32).getResult();
  Value seed = op.getSeed(), step = op.getStep();
  if (!seed) {
    seed = arith::ConstantIntOp::create(builder, loc, 0, 64);
    step = arith::ConstantIntOp::create(builder, loc, 0, 32);
  }
  SmallVector<Value> trips;
  for (Region *scope = op->getParentRegion(); scope; scope = scope->getParentRegion())
    if (isa<scf::ForOp, scf::WhileOp>(scope->getParentOp()))
      trips.insert(trips.begin(), getTripNumber(builder, loc, *scope));
  Value tripTensor =
      trips.empty() ? tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{0}, i64).getResult()
                    : tensor::FromElementsOp::create(builder, loc, trips).getResult();
  auto unrank = [&](Value value) -> Value {
    Type element = cast<RankedTensorType>(value.getType()).getElementType();
    return tensor::CastOp::create(builder, loc, UnrankedTensorType::get(element), value);
  };
  func::FuncOp recorder = getRecorder(module, symbols, op.getInput().getType().getElementType(),
                                      type.getScheme().getScaleType());
  SmallVector<Value> operands{arith::ConstantIntOp::create(builder, loc, index, 64),
                              unrank(getView(builder, op)),
                              unrank(unpacked.getResult(0)),
                              unrank(unpacked.getResult(1)),
                              unrank(global),
                              seed,
                              step,
                              unrank(tripTensor)};
  func::CallOp::create(builder, loc, recorder, operands);
}

namespace {
struct RecordQuantizes : ufp4::impl::RecordQuantizesBase<RecordQuantizes> {
  void runOnOperation() override {
    SmallVector<Operation *> quantizes;
    getOperation().walk<WalkOrder::PreOrder>([&](QuantizeOp op) {
      // Each group has a view of its own; there is no record of a whole.
      if (!op.getQuantizedType().isGrouped())
        quantizes.push_back(op);
    });
    addTripCounters(quantizes);
    SymbolTable symbols(getOperation());
    for (auto [index, op] : llvm::enumerate(quantizes))
      record(cast<QuantizeOp>(op), index, getOperation(), symbols);
  }
};
} // namespace
