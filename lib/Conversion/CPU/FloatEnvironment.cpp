//===- FloatEnvironment.cpp - Entry points that set their own FP mode -----===//

#include "ufp4/Conversion/CPU/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

namespace ufp4 {
#define GEN_PASS_DEF_CPUGUARDFLOATENVIRONMENT
#include "ufp4/Conversion/CPU/Passes.h.inc"
} // namespace ufp4

using namespace mlir;

namespace {

// mxcsr: exceptions masked, nearest even, FTZ (bit 15) and DAZ (bit 6) off, no sticky flags.
constexpr int64_t kMxcsrDefault = 0x1F80;
// fpcr: every bit that changes a result or traps is zero.
constexpr int64_t kFpcrDefault = 0;

/// Reads and writes the control register of one architecture.
class ControlRegister {
public:
  ControlRegister(OpBuilder &b, Location loc, bool x86) : b(b), loc(loc), x86(x86) {}

  /// Saves the register and sets the default mode.
  void enter() {
    if (!x86) {
      saved = call("llvm.aarch64.get.fpcr", b.getI64Type(), {});
      call("llvm.aarch64.set.fpcr", {}, {constant(b.getI64Type(), kFpcrDefault)});
      return;
    }
    Value one = constant(b.getI32Type(), 1);
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    saved = LLVM::AllocaOp::create(b, loc, pointer, b.getI32Type(), one);
    Value fresh = LLVM::AllocaOp::create(b, loc, pointer, b.getI32Type(), one);
    call("llvm.x86.sse.stmxcsr", {}, {saved});
    LLVM::StoreOp::create(b, loc, constant(b.getI32Type(), kMxcsrDefault), fresh);
    call("llvm.x86.sse.ldmxcsr", {}, {fresh});
  }

  void leave() { call(x86 ? "llvm.x86.sse.ldmxcsr" : "llvm.aarch64.set.fpcr", {}, {saved}); }

private:
  Value constant(Type type, int64_t value) {
    return LLVM::ConstantOp::create(b, loc, type, b.getIntegerAttr(type, value));
  }

  Value call(StringRef name, Type result, ValueRange operands) {
    StringAttr intrinsic = b.getStringAttr(name);
    if (!result) {
      LLVM::CallIntrinsicOp::create(b, loc, intrinsic, operands);
      return nullptr;
    }
    return LLVM::CallIntrinsicOp::create(b, loc, result, intrinsic, operands)->getResult(0);
  }

  OpBuilder &b;
  Location loc;
  bool x86;
  Value saved;
};

struct CPUGuardFloatEnvironmentPass
    : public ufp4::impl::CPUGuardFloatEnvironmentBase<CPUGuardFloatEnvironmentPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::string name = llvm::sys::getDefaultTargetTriple();
    if (auto attribute =
            module->getAttrOfType<StringAttr>(LLVM::LLVMDialect::getTargetTripleAttrName()))
      name = attribute.str();
    llvm::Triple triple(name);
    bool x86 = triple.getArch() == llvm::Triple::x86_64;
    if (!x86 && !triple.isAArch64(64)) {
      emitRemark(module.getLoc())
          << "entry points keep the caller's floating-point mode: no guard is known for target '"
          << name << "' (known: x86_64, aarch64)";
      return;
    }

    SymbolTable symbols(module);
    for (auto function : llvm::to_vector(module.getOps<LLVM::LLVMFuncOp>())) {
      if (function.isExternal() || function.getLinkage() != LLVM::Linkage::External ||
          function.getName().starts_with("_mlir_ciface_"))
        continue;
      guard(symbols, function, x86);
      ++numEntries;
    }
  }

private:
  static void guard(SymbolTable &symbols, LLVM::LLVMFuncOp entry, bool x86) {
    OpBuilder b(entry);
    auto body = LLVM::LLVMFuncOp::create(b, entry.getLoc(), (entry.getName() + "__body").str(),
                                         entry.getFunctionType(), LLVM::Linkage::Internal);
    symbols.insert(body);
    body.getBody().takeBody(entry.getBody());
    // Inlined, floating-point ops could move across the writes of the control register.
    body.setNoInline(true);

    Block *block = entry.addEntryBlock(b);
    b.setInsertionPointToStart(block);
    ControlRegister control(b, entry.getLoc(), x86);
    control.enter();
    auto call = LLVM::CallOp::create(b, entry.getLoc(), body, block->getArguments());
    control.leave();
    LLVM::ReturnOp::create(b, entry.getLoc(), call.getResults());
  }
};

} // namespace
