//===- Driver.cpp - From a module's text to a function that runs ----------===//

#include "ufp4/Driver/Driver.h"

#include "EntryExtents.h"

#include "ufp4/Conversion/CPU/Passes.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Execution/GroupReport.h"
#include "ufp4/Execution/Recorder.h"
#include "ufp4/Execution/Threads.h"
#include "ufp4/Pipelines/Pipelines.h"
#include "ufp4/Support/Error.h"
#include "ufp4/Support/Files.h"
#include "ufp4/Support/Runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace ufp4 {

void registerDriverDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllToLLVMIRTranslations(registry);
}

void loadDriverDialects(MLIRContext &context) {
  context.loadDialect<UFP4Dialect, arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                      scf::SCFDialect, tensor::TensorDialect>();
}

//===----------------------------------------------------------------------===//
// Reading the module
//===----------------------------------------------------------------------===//

static Error foreignDialect(StringRef path, StringRef dialect) {
  return fail(path + ": dialect '" + dialect +
              "' is not one that UFP4 executes; lower the module to linalg, tensor, arith, "
              "math, scf and func first");
}

/// The first dialect of the module that `isKnown` rejects.
static std::optional<StringRef> findDialect(ModuleOp module,
                                            llvm::function_ref<bool(Operation *)> isKnown) {
  std::optional<StringRef> found;
  module.walk([&](Operation *op) {
    if (isKnown(op))
      return WalkResult::advance();
    found = op->getName().getDialectNamespace();
    return WalkResult::interrupt();
  });
  return found;
}

/// The dialects that the CPU pipeline lowers, and what becomes launches.
static bool isExecutable(Operation *op) {
  if (isa<BlockGemmOp, QuantizeIntoOp, AmaxIntoOp, GroupTableIntoOp>(op))
    return true;
  static const llvm::StringSet<> dialects{"affine", "arith", "bufferization", "builtin", "cf",
                                          "func",   "index", "linalg",        "llvm",    "math",
                                          "memref", "scf",   "tensor",        "ub",      "vector"};
  return dialects.contains(op->getName().getDialectNamespace());
}

Expected<OwningOpRef<ModuleOp>> parseModule(MLIRContext &context,
                                            const std::shared_ptr<llvm::SourceMgr> &sources,
                                            StringRef name, bool readOnlyToo) {
  // Generic ops of foreign dialects parse, so that the message can name the dialect. Custom syntax
  // does not, and the parser says so together with a list of every dialect there is.
  std::string foreign;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    std::string text = diagnostic.str();
    StringRef message(text);
    if (!message.consume_front("Dialect `"))
      return failure();
    foreign = message.take_until([](char c) { return c == '\''; }).str();
    return success();
  });
  if (Error error = verifyIR(name, sources->getMemoryBuffer(sources->getMainFileID())->getBuffer()))
    return std::move(error);
  context.allowUnregisteredDialects(true);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  context.allowUnregisteredDialects(false);
  if (!module && !foreign.empty())
    return foreignDialect(name, foreign);
  if (!module)
    return fail(name + ": cannot be parsed");
  if (readOnlyToo)
    return module;
  if (auto dialect = findDialect(*module, [](Operation *op) { return op->isRegistered(); }))
    return foreignDialect(name, *dialect);
  return module;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// Describes each quantize in pre-order, the order of the ids that recording passes.
static std::vector<QuantizeSite> describeSites(ModuleOp module) {
  llvm::DenseMap<Operation *, int64_t> ordinals;
  module.walk<WalkOrder::PreOrder>([&](MatmulOp op) { ordinals[op] = ordinals.size(); });
  std::vector<QuantizeSite> sites;
  module.walk<WalkOrder::PreOrder>([&](QuantizeOp op) {
    // Each group has a view of its own; there is no record of a whole.
    if (op.getQuantizedType().isGrouped())
      return;
    QuantizeSite &site = sites.emplace_back();
    site.scheme = op.getQuantizedType().getScheme().getNumerics();
    site.stochastic = op.isStochastic();
    if (site.stochastic) {
      site.bits = op.getRandomBits();
      site.stream = *op.getStream();
    }
    // The GEMMs that read it, by their place in the input module where the rewriting left it.
    SmallVector<std::tuple<int64_t, unsigned, StringRef>> uses;
    for (OpOperand &use : op->getUses())
      if (auto matmul = dyn_cast<MatmulOp>(use.getOwner())) {
        auto gemm = matmul->getAttrOfType<DictionaryAttr>(kGemmAttr);
        auto index = gemm ? gemm.getAs<IntegerAttr>("index") : IntegerAttr();
        auto role = gemm ? gemm.getAs<StringAttr>("role") : StringAttr();
        uses.push_back({index ? index.getInt() : ordinals[matmul], use.getOperandNumber(),
                        role ? role.getValue() : stringifyRole(Role::None)});
      }
    llvm::sort(uses);
    if (uses.empty())
      return;
    site.gemm = std::get<0>(uses.front());
    site.operand = std::get<1>(uses.front());
    site.role = std::get<2>(uses.front()).str();
    for (auto [gemm, operand, role] : ArrayRef(uses).drop_front())
      site.uses.push_back(gemm);
  });
  return sites;
}

LogicalResult lowerQuantizes(ModuleOp module, std::vector<QuantizeSite> *sites,
                             const target::Chip *chip, StringRef e1m2) {
  noteEntryExtents(module);
  PassManager pm(module.getContext());
  if (sites) {
    *sites = describeSites(module);
    pm.addPass(createRecordQuantizes());
  }
  if (chip) {
    // The emulator reads marks, so that nothing has to be rewritten.
    buildToStoragePipeline(pm, chip->name, e1m2, Fallback::ToHost, /*canRewrite=*/true);
  } else {
    buildToVectorPipeline(pm, /*cpu=*/"", /*reportGroups=*/true);
  }
  return pm.run(module);
}

Error verifyExecutable(ModuleOp module, StringRef name) {
  if (auto dialect = findDialect(module, isExecutable))
    return foreignDialect(name, *dialect);
  return Error::success();
}

Error verifyBodies(ModuleOp module, StringRef name) {
  // Two are the runtime's.
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isExternal() && !function.getSymName().starts_with("ufp4RecordQuantize_") &&
        function.getSymName() != kReportGroupsSymbol)
      return fail(name + ": '" + function.getSymName() +
                  "' is declared but has no body; nothing is linked: give it one");
  return Error::success();
}

Error keepOnly(ModuleOp module, func::FuncOp entry, StringRef name) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function != entry)
      function.setPrivate();
  PassManager pm(module.getContext());
  pm.addPass(createSymbolDCEPass());
  if (failed(pm.run(module)))
    return fail("the module's unused functions cannot be removed");
  return verifyBodies(module, name);
}

Expected<std::unique_ptr<JitModule>> compileForCPU(ModuleOp module, bool outParams) {
  PassManager pm(module.getContext());
  CPUPipelineOptions options;
  options.outParams = outParams;
  options.threads = true;
  options.renameEntries = true;
  buildUFP4ToCPUPipeline(pm, options);
  if (failed(pm.run(module)))
    return fail("the module cannot be lowered to the CPU");
  std::vector<JitSymbol> symbols = recorderSymbols();
  symbols.push_back({kParallelForSymbol.str(), reinterpret_cast<void *>(&parallelFor)});
  symbols.push_back({kReportGroupsSymbol.str(), reinterpret_cast<void *>(&reportGroups)});
  return JitModule::create(module, symbols);
}

} // namespace ufp4
