//===- DevicePlan.cpp - A function of launches as a list ------------------===//

#include "DevicePlan.h"

#include "ufp4/Support/Error.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using llvm::Error;
using llvm::Expected;

namespace ufp4 {

namespace {

class PlanReader {
public:
  explicit PlanReader(func::FuncOp function) : function(function) {}

  Expected<DevicePlan> read() {
    for (Operation &op : function.getBody().front())
      if (failed(readOp(&op)))
        return fail("'" + op.getName().getStringRef() +
                    "' would touch the device's memory from the host");
    return std::move(plan);
  }

private:
  using Word = DevicePlan::Word;

  LogicalResult readOp(Operation *op) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<memref::AllocOp>([&](auto alloc) {
          slots[alloc] = function.getNumArguments() + plan.buffers.size();
          plan.buffers.push_back(getBytes(alloc.getType()));
          return success(alloc.getType().hasStaticShape());
        })
        .Case<gpu::LaunchFuncOp>([&](auto launch) { return readLaunch(launch); })
        .Case<linalg::FillOp>(
            [&](auto fill) { return readFill(fill.getInputs()[0], fill.getOutputs()[0]); })
        .Case<memref::StoreOp>([&](auto store) {
          // A number of one buffer, moved to another.
          auto load = store.getValue().template getDefiningOp<memref::LoadOp>();
          if (!isNumber(store.getMemref()))
            return failure();
          return load ? readCopy(load.getMemref(), store.getMemref())
                      : readFill(store.getValue(), store.getMemref());
        })
        .Case<memref::CopyOp>(
            [&](auto copy) { return readCopy(copy.getSource(), copy.getTarget()); })
        .Case<memref::DeallocOp, func::ReturnOp>([](auto) { return success(); })
        // What it loads is read where it is stored.
        .Case<memref::LoadOp>([&](auto load) {
          return success(llvm::all_of(load->getUsers(), llvm::IsaPred<memref::StoreOp>));
        })
        .Default([](Operation *other) { return success(isMemoryEffectFree(other)); });
  }

  static int64_t getBytes(Value buffer) { return getBytes(cast<MemRefType>(buffer.getType())); }
  static int64_t getBytes(MemRefType type) {
    return type.getNumElements() * (type.getElementTypeBitWidth() / 8);
  }
  static bool isDense(Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    return type.hasStaticShape() && type.getLayout().isIdentity();
  }
  static bool isNumber(Value buffer) { return cast<MemRefType>(buffer.getType()).getRank() == 0; }

  /// What a number or an address is made of; nothing where it is computed otherwise.
  std::optional<Word> readWord(Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return Word{std::nullopt, constant.getSExtValue()};
    if (auto argument = dyn_cast<BlockArgument>(value))
      return Word{argument.getArgNumber()};
    if (auto slot = slots.find(value); slot != slots.end())
      return Word{slot->second};
    Operation *op = value.getDefiningOp();
    if (auto sum = dyn_cast<arith::AddIOp>(op)) {
      std::optional<Word> lhs = readWord(sum.getLhs()), rhs = readWord(sum.getRhs());
      if (!lhs || !rhs || (lhs->slot && rhs->slot))
        return std::nullopt;
      return Word{lhs->slot ? lhs->slot : rhs->slot, lhs->plus + rhs->plus};
    }
    // A view begins where its buffer does: its offset is added by whoever takes the address.
    if (isa<arith::IndexCastOp, LLVM::IntToPtrOp, memref::ExtractAlignedPointerAsIndexOp>(op) ||
        (isa<ViewLikeOpInterface>(op) && isa<MemRefType>(value.getType())))
      return readWord(op->getOperand(0));
    return std::nullopt;
  }

  LogicalResult readLaunch(gpu::LaunchFuncOp op) {
    DevicePlan::Launch launch;
    launch.kernel = op.getKernelName().str();
    const Value grid[] = {op.getGridSizeX(), op.getGridSizeY(), op.getGridSizeZ()};
    for (auto [extent, value] : llvm::zip_equal(launch.grid, grid)) {
      std::optional<Word> word = readWord(value);
      if (!word || word->slot)
        return failure();
      extent = word->plus;
    }
    for (Value operand : op.getKernelOperands()) {
      std::optional<Word> word = readWord(operand);
      if (!word)
        return failure();
      launch.arguments.push_back(*word);
    }
    plan.steps.push_back(std::move(launch));
    return success();
  }

  LogicalResult readFill(Value value, Value buffer) {
    std::optional<Word> to = readWord(buffer);
    APFloat constant(0.0f);
    if (!to || !isDense(buffer) || !value.getType().isF32() ||
        !matchPattern(value, m_ConstantFloat(&constant)))
      return failure();
    auto word = static_cast<uint32_t>(constant.bitcastToAPInt().getZExtValue());
    plan.steps.push_back(DevicePlan::Fill{*to, word, getBytes(buffer) / 4});
    return success();
  }

  LogicalResult readCopy(Value from, Value to) {
    std::optional<Word> source = readWord(from), target = readWord(to);
    if (!source || !target || !isDense(from) || !isDense(to))
      return failure();
    plan.steps.push_back(DevicePlan::Copy{*target, *source, getBytes(to)});
    return success();
  }

  func::FuncOp function;
  DevicePlan plan;
  llvm::DenseMap<Value, unsigned> slots;
};

} // namespace

Expected<DevicePlan> readPlan(func::FuncOp function) { return PlanReader(function).read(); }

} // namespace ufp4
