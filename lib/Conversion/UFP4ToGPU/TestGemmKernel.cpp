//===- TestGemmKernel.cpp - --ufp4-test-gemm-kernel -----------------------===//

#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"

using namespace mlir;
using namespace ufp4;

namespace {
/// Emits the kernel that its options describe; with m, n and k, an attribute says how to launch it.
struct TestGemmKernel : PassWrapper<TestGemmKernel, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestGemmKernel)

  TestGemmKernel() = default;
  TestGemmKernel(const TestGemmKernel &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "ufp4-test-gemm-kernel"; }
  StringRef getDescription() const override { return "Emit one GEMM kernel (for tests)"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                    NVVM::NVVMDialect, ROCDL::ROCDLDialect, scf::SCFDialect>();
  }

  Option<std::string> chip{*this, "chip", llvm::cl::desc("The chip"), llvm::cl::init("sm_80")};
  Option<std::string> format{*this, "format", llvm::cl::desc("e1m2 or e2m1"),
                             llvm::cl::init("e1m2")};
  Option<unsigned> block{*this, "block", llvm::cl::desc("16 or 32"), llvm::cl::init(16)};
  Option<std::string> scale{*this, "scale", llvm::cl::desc("f32, ue4m3 or ue8m0"),
                            llvm::cl::init("f32")};
  Option<std::string> result{*this, "result", llvm::cl::desc("f32 or bf16"), llvm::cl::init("f32")};
  Option<bool> accumulate{*this, "accumulate", llvm::cl::desc("Add to what C holds")};
  Option<bool> alpha{*this, "alpha", llvm::cl::desc("Multiply by an argument")};
  Option<std::string> bias{*this, "bias", llvm::cl::desc("none, f32 or bf16"),
                           llvm::cl::init("none")};
  Option<std::string> path{*this, "path", llvm::cl::desc("auto, native, container, post or fold"),
                           llvm::cl::init("auto")};
  Option<unsigned> columnMultiple{*this, "column-multiple",
                                  llvm::cl::desc("What N is a multiple of"), llvm::cl::init(1)};
  Option<std::string> storage{*this, "storage",
                              llvm::cl::desc("In place of the one that suits the instruction best"),
                              llvm::cl::init("")};
  Option<std::string> transport{*this, "transport",
                                llvm::cl::desc("In place of the schedule's: cp_async, bulk, "
                                               "cp_async_rows or tensor_rows"),
                                llvm::cl::init("")};
  Option<unsigned> depthMultiple{
      *this, "depth-multiple", llvm::cl::desc("What padded K is a multiple of"), llvm::cl::init(1)};
  Option<std::string> tile{
      *this, "tile",
      llvm::cl::desc("Rows and columns of C that a block, or a pair of blocks, "
                     "computes, as 128x256; empty: the chosen schedule's"),
      llvm::cl::init("")};
  Option<unsigned> stages{*this, "stages", llvm::cl::desc("In place of the schedule's"),
                          llvm::cl::init(0)};
  Option<int64_t> m{*this, "m", llvm::cl::desc("Rows of C"), llvm::cl::init(0)};
  Option<int64_t> n{*this, "n", llvm::cl::desc("Columns of C"), llvm::cl::init(0)};
  Option<int64_t> k{*this, "k", llvm::cl::desc("Depth"), llvm::cl::init(0)};
  Option<int64_t> batch{*this, "batch", llvm::cl::desc("Number of products"), llvm::cl::init(1)};
  Option<std::string> form{*this, "form", llvm::cl::desc("gpu, or llvm: lowered, for translation"),
                           llvm::cl::init("gpu")};

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

  FailureOr<GemmKernelSpec> readSpec() {
    GemmKernelSpec spec;
    spec.chip = target::findChip(chip);
    if (!spec.chip)
      return getOperation().emitError(target::explainUnknownChip(chip));
    auto formatValue = symbolizeFormat(format);
    auto scaleValue = symbolizeScaleKind(scale);
    if (!formatValue || !scaleValue || (result != "f32" && result != "bf16"))
      return getOperation().emitError("unknown format, scale or result");
    spec.path = target::parsePath(path);
    if (!spec.path && path != "auto")
      return getOperation().emitError("unknown path");
    if (bias == "f32")
      spec.bias = numerics::Element::F32;
    else if (bias == "bf16")
      spec.bias = numerics::Element::BF16;
    else if (bias != "none")
      return getOperation().emitError("unknown type of a bias");
    spec.scheme.format = *formatValue;
    spec.scheme.scale = *scaleValue;
    spec.scheme.block = block;
    spec.result = result == "bf16" ? numerics::Element::BF16 : numerics::Element::F32;
    spec.accumulate = accumulate;
    spec.alpha = alpha;
    spec.columnMultiple = columnMultiple;
    spec.depthMultiple = depthMultiple;
    spec.storage = target::findStorage(storage);
    if (!spec.storage && !storage.empty())
      return getOperation().emitError("unknown storage");
    if (!stages && transport.empty() && tile.empty())
      return spec;
    std::string why;
    if (const target::GemmSchedule *schedule =
            target::chooseSchedule(*spec.chip, spec.scheme, spec.path, why, spec.storage)) {
      if (!tile.empty()) {
        const auto *found =
            llvm::find_if(target::gemmSchedules(), [&](const target::GemmSchedule &other) {
              return other.mma == schedule->mma && other.transport == schedule->transport &&
                     tile ==
                         llvm::formatv("{0}x{1}", other.tileM * other.blocks, other.tileN).str();
            });
        if (found == target::gemmSchedules().end())
          return getOperation().emitError("tile: no schedule of ")
                 << schedule->mma->name() << " has " << tile.getValue();
        schedule = found;
      }
      spec.schedule = *schedule;
      if (stages)
        spec.schedule->stages = stages;
      for (const target::Transport *known : {&target::groupedCopies(), &target::bulkCopies(),
                                             &target::rowCopies(), &target::tensorCopies()})
        if (known->name() == transport)
          spec.schedule->transport = known;
    }
    return spec;
  }

  LogicalResult run() {
    FailureOr<GemmKernelSpec> spec = readSpec();
    if (failed(spec))
      return failure();
    ModuleOp top = getOperation();
    OpBuilder b = OpBuilder::atBlockEnd(top.getBody());
    auto module = gpu::GPUModuleOp::create(b, top.getLoc(), "kernels");
    b.setInsertionPointToStart(module.getBody());
    FailureOr<KernelInfo> info = buildGemmKernel(b, top.getLoc(), *spec);
    if (failed(info))
      return failure();
    if (m && n && failed(describeLaunch(module, *spec, *info)))
      return failure();
    if (form == "gpu")
      return success();
    if (failed(lowerKernelModule(module, *spec->chip)))
      return failure();
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      op.moveBefore(top.getBody(), top.getBody()->end());
    module.erase();
    top->setAttr(LLVM::LLVMDialect::getTargetTripleAttrName(), b.getStringAttr(spec->chip->triple));
    return success();
  }

  LogicalResult describeLaunch(gpu::GPUModuleOp module, const GemmKernelSpec &spec,
                               const KernelInfo &info) {
    int64_t paddedK = numerics::paddedK(spec.scheme, k);
    if (std::optional<std::string> reason = info.verifySizes(m, n, paddedK, batch))
      return module.emitError(*reason);
    Builder b(&getContext());
    SmallVector<StringRef> names;
    for (GemmArgument argument : info.arguments)
      names.push_back(stringify(argument));
    NamedAttribute launch[] = {
        b.getNamedAttr("arguments", b.getStrArrayAttr(names)),
        b.getNamedAttr("grid", b.getDenseI64ArrayAttr(info.grid(m, n, batch))),
        b.getNamedAttr("threads", b.getI64IntegerAttr(info.threads)),
        b.getNamedAttr("dynamic_shared_bytes", b.getI64IntegerAttr(info.dynamicSharedBytes)),
        b.getNamedAttr("depth_tiles", b.getI64IntegerAttr(info.depthTiles(paddedK))),
        b.getNamedAttr("storage", b.getStringAttr(info.storage->name()))};
    module->setAttr("ufp4.launch", b.getDictionaryAttr(launch));
    return success();
  }
};
} // namespace

void ufp4::registerTestGemmKernelPass() { PassRegistration<TestGemmKernel>(); }
