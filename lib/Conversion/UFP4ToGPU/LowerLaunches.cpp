//===- LowerLaunches.cpp - Launches as calls of this process --------------===//

#include "ufp4/Conversion/UFP4ToGPU/Passes.h"

#include "KernelLaunch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ufp4 {
#define GEN_PASS_DEF_UFP4LOWERLAUNCHES
#include "ufp4/Conversion/UFP4ToGPU/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;

namespace {

/// A name that no source language gives a function.
constexpr StringLiteral launchName = "ufp4.launch";

class LaunchLowering {
public:
  explicit LaunchLowering(ModuleOp module)
      : module(module), pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  LogicalResult lower(gpu::LaunchFuncOp launch) {
    ImplicitLocOpBuilder b(launch.getLoc(), launch);
    SmallVector<Value> words;
    for (Value operand : launch.getKernelOperands()) {
      Value bytes = arith::ConstantOp::create(b, b.getI64IntegerAttr(0));
      Value bits = toBits(b, operand);
      if (isa<LLVM::LLVMPointerType>(operand.getType())) {
        Value buffer = getLaunchedBuffer(operand);
        if (!buffer)
          return launch.emitOpError() << "has a pointer operand that was not made of a memref";
        bytes = getBytes(b, buffer);
      }
      if (!bits)
        return launch.emitOpError() << "has an operand of type " << operand.getType()
                                    << "; expected integers of 32 or 64 bits, f32 and pointers";
      words.append({bits, bytes});
    }
    SmallVector<Value> grid;
    for (Value extent : {launch.getGridSizeX(), launch.getGridSizeY(), launch.getGridSizeZ()})
      grid.push_back(toI64(b, extent));
    Value count = arith::ConstantOp::create(b, b.getI64IntegerAttr(launch.getNumKernelOperands()));
    func::CallOp::create(b, declare(),
                         ValueRange{nameOf(b, launch.getKernelName().getValue()),
                                    storeWords(b, grid), storeWords(b, words), count});
    launch.erase();
    return success();
  }

private:
  static Value toI64(ImplicitLocOpBuilder &b, Value value) {
    return value.getType().isIndex() ? arith::IndexCastOp::create(b, b.getI64Type(), value) : value;
  }

  /// The bits of a scalar or an address, zero-extended; null for other types.
  static Value toBits(ImplicitLocOpBuilder &b, Value value) {
    Type type = value.getType(), i64 = b.getI64Type();
    if (isa<LLVM::LLVMPointerType>(type))
      return LLVM::PtrToIntOp::create(b, i64, value);
    if (type.isF32())
      value = arith::BitcastOp::create(b, b.getI32Type(), value);
    if (value.getType().isInteger(32))
      return arith::ExtUIOp::create(b, i64, value);
    return type.isInteger(64) ? value : Value();
  }

  /// From the first element to behind the last.
  static Value getBytes(ImplicitLocOpBuilder &b, Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    auto metadata = memref::ExtractStridedMetadataOp::create(b, buffer);
    Value last = arith::ConstantIndexOp::create(b, 0), count = arith::ConstantIndexOp::create(b, 1);
    Value one = count;
    for (auto [size, stride] : llvm::zip_equal(metadata.getConstifiedMixedSizes(),
                                               metadata.getConstifiedMixedStrides())) {
      Value extent = getValueOrCreateConstantIndexOp(b, b.getLoc(), size);
      Value step = getValueOrCreateConstantIndexOp(b, b.getLoc(), stride);
      count = b.createOrFold<arith::MulIOp>(count, extent);
      last = b.createOrFold<arith::AddIOp>(
          last, b.createOrFold<arith::MulIOp>(b.createOrFold<arith::SubIOp>(extent, one), step));
    }
    // A buffer without elements has no last one.
    Value isEmpty = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, count,
                                                  arith::ConstantIndexOp::create(b, 0));
    Value elements = b.createOrFold<arith::SelectOp>(isEmpty, arith::ConstantIndexOp::create(b, 0),
                                                     b.createOrFold<arith::AddIOp>(last, one));
    unsigned width = type.getElementTypeBitWidth() / 8;
    return toI64(b,
                 b.createOrFold<arith::MulIOp>(elements, arith::ConstantIndexOp::create(b, width)));
  }

  /// The words in memory, as one array. The function's first block holds it, for loops run often.
  Value storeWords(ImplicitLocOpBuilder &b, ArrayRef<Value> words) {
    Value array;
    {
      OpBuilder::InsertionGuard guard(b);
      auto function = b.getInsertionBlock()->getParentOp()->getParentOfType<func::FuncOp>();
      if (!function)
        function = cast<func::FuncOp>(b.getInsertionBlock()->getParentOp());
      b.setInsertionPointToStart(&function.getBody().front());
      Value count = LLVM::ConstantOp::create(b, b.getI64Type(), std::max<int64_t>(words.size(), 1));
      array = LLVM::AllocaOp::create(b, pointer, b.getI64Type(), count);
    }
    for (auto [i, word] : llvm::enumerate(words)) {
      Value place =
          LLVM::GEPOp::create(b, pointer, b.getI64Type(), array, LLVM::GEPArg(int32_t(i)));
      LLVM::StoreOp::create(b, word, place);
    }
    return array;
  }

  func::FuncOp declare() {
    if (auto known = module.lookupSymbol<func::FuncOp>(launchName))
      return known;
    auto b = ImplicitLocOpBuilder::atBlockEnd(module.getLoc(), module.getBody());
    auto type = b.getFunctionType({pointer, pointer, pointer, b.getI64Type()}, {});
    auto function = func::FuncOp::create(b, launchName, type);
    function.setPrivate();
    return function;
  }

  Value nameOf(ImplicitLocOpBuilder &b, StringRef kernel) {
    std::string symbol = ("ufp4.name." + kernel).str();
    auto global = module.lookupSymbol<LLVM::GlobalOp>(symbol);
    if (!global) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(module.getBody());
      std::string text = kernel.str() + '\0';
      auto type = LLVM::LLVMArrayType::get(b.getI8Type(), text.size());
      global = LLVM::GlobalOp::create(b, type, /*isConstant=*/true, LLVM::Linkage::Internal, symbol,
                                      b.getStringAttr(text));
    }
    return LLVM::AddressOfOp::create(b, global);
  }

  ModuleOp module;
  Type pointer;
};

struct UFP4LowerLaunchesPass : ufp4::impl::UFP4LowerLaunchesBase<UFP4LowerLaunchesPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    LaunchLowering lowering(module);
    SmallVector<gpu::LaunchFuncOp> launches;
    module.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
    for (gpu::LaunchFuncOp launch : launches) {
      if (failed(lowering.lower(launch)))
        return signalPassFailure();
      ++numLaunches;
    }
    for (auto kernels : llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
      kernels.erase();
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  }
};

} // namespace
