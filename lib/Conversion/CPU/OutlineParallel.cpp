//===- OutlineParallel.cpp - Independent iterations as functions ----------===//
//
// First, on buffers, the loop becomes a function over a range of its iterations; later, in the LLVM
// dialect, each call of it becomes one of the runtime, which may hand ranges to threads.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Conversion/CPU/Passes.h"
#include "ufp4/Conversion/Parallel.h"
#include "ufp4/Support/Runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

namespace ufp4 {
#define GEN_PASS_DEF_CPUOUTLINEPARALLEL
#define GEN_PASS_DEF_CPULAUNCHPARALLEL
#include "ufp4/Conversion/CPU/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;

namespace {

/// On a function of a range: iterations that are worth handing to a thread together.
constexpr StringLiteral kGrainAttr = "ufp4.grain";

/// Operations, about, that pay for handing them to another thread.
constexpr int64_t kWorthAThread = 30000;
/// Iterations of a loop whose number is not known.
constexpr int64_t kTypicalTrips = 32;

/// Operations that running a block once comes to, vectors by the eight lanes.
int64_t estimateWork(Block &block) {
  int64_t work = 0;
  for (Operation &op : block) {
    int64_t inside = 0;
    for (Region &region : op.getRegions())
      for (Block &nested : region)
        inside += estimateWork(nested);
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      std::optional<APInt> trips = loop.getStaticTripCount();
      int64_t count = trips ? trips->getLimitedValue(kWorthAThread) : kTypicalTrips;
      inside = std::min(inside, kWorthAThread) * count;
    }
    int64_t own = 1;
    for (Type type : op.getResultTypes())
      if (auto vector = dyn_cast<VectorType>(type))
        own = std::max(own, vector.getNumElements() / 8);
    work += own + inside;
  }
  return work;
}

struct CPUOutlineParallelPass : public ufp4::impl::CPUOutlineParallelBase<CPUOutlineParallelPass> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (!loop->hasAttr(kParallelAttr) || loop.getNumResults())
        return WalkResult::advance();
      loops.push_back(loop);
      // What an iteration holds stays on its thread.
      return WalkResult::skip();
    });
    SymbolTable symbols(getOperation());
    for (scf::ForOp loop : loops) {
      outline(loop, symbols);
      ++numFunctions;
    }
  }

private:
  /// Targets without narrow floats pass one by calls of a library.
  static Type passedType(Type type) {
    return type.isBF16() || type.isF16() ? IntegerType::get(type.getContext(), 16) : type;
  }

  static Value bitcast(OpBuilder &b, Value value, Type type) {
    if (value.getType() == type)
      return value;
    return arith::BitcastOp::create(b, value.getLoc(), type, value);
  }

  void outline(scf::ForOp loop, SymbolTable &symbols) {
    // Constants go along, so that sizes stay known.
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(loop.getRegion(), captured);
    captured.insert(loop.getLowerBound());
    captured.insert(loop.getStep());
    SmallVector<Operation *> constants;
    captured.remove_if([&](Value value) {
      Operation *definition = value.getDefiningOp();
      if (!definition || !matchPattern(definition, m_Constant()))
        return false;
      constants.push_back(definition);
      return true;
    });

    ImplicitLocOpBuilder b(loop.getLoc(), getOperation().getBody(),
                           getOperation().getBody()->end());
    SmallVector<Type> types(2, b.getIndexType());
    for (Value value : captured)
      types.push_back(passedType(value.getType()));
    auto function = func::FuncOp::create(b, "ufp4_range_0", b.getFunctionType(types, {}));
    function.setPrivate();
    symbols.insert(function);
    int64_t work = std::max<int64_t>(1, estimateWork(*loop.getBody()));
    function->setAttr(kGrainAttr, b.getI64IntegerAttr(llvm::divideCeil(kWorthAThread, work)));

    Block *entry = function.addEntryBlock();
    b.setInsertionPointToStart(entry);
    IRMapping mapping;
    for (Operation *constant : constants)
      b.clone(*constant, mapping);
    for (auto [value, argument] : llvm::zip_equal(captured, entry->getArguments().drop_front(2)))
      mapping.map(value, bitcast(b, argument, value.getType()));
    Value one = arith::ConstantIndexOp::create(b, 1);
    auto range = scf::ForOp::create(b, entry->getArgument(0), entry->getArgument(1), one);
    func::ReturnOp::create(b);
    b.setInsertionPointToStart(range.getBody());
    Value offset =
        arith::MulIOp::create(b, range.getInductionVar(), mapping.lookupOrDefault(loop.getStep()));
    mapping.map(loop.getInductionVar(),
                arith::AddIOp::create(b, mapping.lookupOrDefault(loop.getLowerBound()), offset));
    for (Operation &op : loop.getBody()->without_terminator())
      b.clone(op, mapping);

    b.setInsertionPoint(loop);
    Value extent = arith::SubIOp::create(b, loop.getUpperBound(), loop.getLowerBound());
    SmallVector<Value> arguments{arith::ConstantIndexOp::create(b, 0),
                                 arith::CeilDivSIOp::create(b, extent, loop.getStep())};
    for (Value value : captured)
      arguments.push_back(bitcast(b, value, passedType(value.getType())));
    func::CallOp::create(b, function, arguments);
    loop.erase();
  }
};

struct CPULaunchParallelPass : public ufp4::impl::CPULaunchParallelBase<CPULaunchParallelPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<std::pair<LLVM::CallOp, LLVM::LLVMFuncOp>> calls;
    SymbolTableCollection tables;
    module.walk([&](LLVM::CallOp call) {
      auto callee = tables.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(call, call.getCalleeAttr());
      if (callee && callee->hasAttr(kGrainAttr))
        calls.emplace_back(call, callee);
    });
    if (calls.empty())
      return;
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    FailureOr<LLVM::LLVMFuncOp> runtime = LLVM::lookupOrCreateFn(
        top, module, kParallelForSymbol, {pointer, pointer, top.getI64Type(), top.getI64Type()},
        LLVM::LLVMVoidType::get(&getContext()));
    if (failed(runtime))
      return signalPassFailure();
    llvm::DenseMap<Operation *, LLVM::LLVMFuncOp> thunks;
    for (auto [call, callee] : calls) {
      LLVM::LLVMFuncOp &thunk = thunks[callee];
      if (!thunk)
        thunk = makeThunk(callee);
      launch(call, callee, thunk, *runtime);
    }
    for (auto &[callee, thunk] : thunks)
      callee->removeAttr(kGrainAttr);
  }

private:
  static LLVM::LLVMStructType captures(LLVM::LLVMFuncOp callee) {
    return LLVM::LLVMStructType::getLiteral(callee.getContext(),
                                            callee.getArgumentTypes().drop_front(2));
  }

  /// void (captures *, first, end), which unpacks the captures.
  static LLVM::LLVMFuncOp makeThunk(LLVM::LLVMFuncOp callee) {
    ImplicitLocOpBuilder b(callee.getLoc(), callee);
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                            {pointer, b.getI64Type(), b.getI64Type()});
    auto thunk = LLVM::LLVMFuncOp::create(b, (callee.getSymName() + "_of").str(), type,
                                          LLVM::Linkage::Internal);
    b.setInsertionPointToStart(thunk.addEntryBlock(b));
    SmallVector<Value> arguments{thunk.getArgument(1), thunk.getArgument(2)};
    LLVM::LLVMStructType packed = captures(callee);
    for (auto [i, type] : llvm::enumerate(packed.getBody())) {
      Value place = LLVM::GEPOp::create(b, pointer, packed, thunk.getArgument(0),
                                        ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
      arguments.push_back(LLVM::LoadOp::create(b, type, place));
    }
    LLVM::CallOp::create(b, callee, arguments);
    LLVM::ReturnOp::create(b, ValueRange());
    return thunk;
  }

  static void launch(LLVM::CallOp call, LLVM::LLVMFuncOp callee, LLVM::LLVMFuncOp thunk,
                     LLVM::LLVMFuncOp runtime) {
    // In the entry block, so that a loop around the launch does not grow the stack.
    auto function = call->getParentOfType<LLVM::LLVMFuncOp>();
    ImplicitLocOpBuilder b(call.getLoc(), &function.getBody().front(),
                           function.getBody().front().begin());
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    LLVM::LLVMStructType packed = captures(callee);
    Value one = LLVM::ConstantOp::create(b, b.getI64IntegerAttr(1));
    Value context = LLVM::AllocaOp::create(b, pointer, packed, one);
    b.setInsertionPoint(call);
    for (auto [i, value] : llvm::enumerate(call.getArgOperands().drop_front(2))) {
      Value place =
          LLVM::GEPOp::create(b, pointer, packed, context, ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
      LLVM::StoreOp::create(b, value, place);
    }
    Value body = LLVM::AddressOfOp::create(b, thunk);
    Value grain = LLVM::ConstantOp::create(b, callee->getAttrOfType<IntegerAttr>(kGrainAttr));
    LLVM::CallOp::create(b, runtime, ValueRange{body, context, call.getArgOperands()[1], grain});
    call.erase();
  }
};

} // namespace
