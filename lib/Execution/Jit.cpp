//===- Jit.cpp - Running LLVM-dialect modules in this process -------------===//

#include "ufp4/Execution/Jit.h"
#include "ufp4/Execution/BufferPool.h"
#include "ufp4/Numerics/FloatEnvironment.h"
#include "ufp4/Support/Runtime.h"
#include "ufp4/Target/CPU/Codegen.h"

#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Target/TargetMachine.h"

#include <cstring>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace ufp4 {

static constexpr StringRef kCInterface = "_mlir_ciface_";
static constexpr StringRef kInvoker = "ufp4_invoke_";

/// Adds `void ufp4_invoke_X(ptr *arguments)` for each C interface, so that one C++ signature calls
/// them all.
static void addInvokers(llvm::Module &module) {
  std::vector<llvm::Function *> interfaces;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && function.getName().starts_with(kCInterface))
      interfaces.push_back(&function);
  llvm::IRBuilder<> b(module.getContext());
  llvm::PointerType *pointer = b.getPtrTy();
  for (llvm::Function *callee : interfaces) {
    StringRef entry = callee->getName().drop_front(kCInterface.size());
    entry.consume_front(kModelPrefix);
    auto *invoker =
        llvm::Function::Create(llvm::FunctionType::get(b.getVoidTy(), {pointer}, false),
                               llvm::GlobalValue::ExternalLinkage, kInvoker + entry, module);
    b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", invoker));
    llvm::SmallVector<llvm::Value *> arguments;
    for (unsigned i = 0; i < callee->arg_size(); ++i)
      arguments.push_back(
          b.CreateLoad(pointer, b.CreateConstInBoundsGEP1_64(pointer, invoker->getArg(0), i)));
    b.CreateCall(callee, arguments);
    b.CreateRetVoid();
  }
}

JitModule::JitModule(std::unique_ptr<llvm::orc::LLJIT> jit) : jit(std::move(jit)) {}
JitModule::~JitModule() = default;

Expected<std::unique_ptr<JitModule>> JitModule::create(mlir::ModuleOp module,
                                                       llvm::ArrayRef<JitSymbol> symbols) {
  auto processor = target::findProcessor("");
  if (!processor)
    return processor.takeError();
  auto machine = processor->createTargetMachine();
  if (!machine)
    return machine.takeError();

  auto context = std::make_unique<llvm::LLVMContext>();
  Expected<std::unique_ptr<llvm::Module>> translated =
      target::translateForProcessor(module, *context, **machine);
  if (!translated)
    return translated.takeError();
  std::unique_ptr<llvm::Module> code = std::move(*translated);
  addInvokers(*code);
  target::optimizeForProcessor(*code, **machine);

  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(*processor)
                 .setDataLayout((*machine)->createDataLayout())
                 .create();
  if (!jit)
    return jit.takeError();
  llvm::orc::JITDylib &library = (*jit)->getMainJITDylib();
  llvm::orc::SymbolMap absolute;
  llvm::SmallVector<JitSymbol> all(symbols.begin(), symbols.end());
  all.push_back({"malloc", reinterpret_cast<void *>(&allocateBuffer)});
  // The optimizer makes one of an allocation that is filled with zeros.
  all.push_back({"calloc", reinterpret_cast<void *>(&allocateZeros)});
  all.push_back({"free", reinterpret_cast<void *>(&freeBuffer)});
  for (const JitSymbol &symbol : all)
    absolute[(*jit)->mangleAndIntern(symbol.name)] = {
        llvm::orc::ExecutorAddr::fromPtr(symbol.address), llvm::JITSymbolFlags::Exported};
  if (Error error = library.define(llvm::orc::absoluteSymbols(std::move(absolute))))
    return error;
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  if (Error error =
          (*jit)->addIRModule(llvm::orc::ThreadSafeModule(std::move(code), std::move(context))))
    return error;
  return std::unique_ptr<JitModule>(new JitModule(std::move(*jit)));
}

namespace {
/// A memref descriptor in memory: allocated, aligned, offset, sizes, strides, in 64-bit words.
class Descriptor {
public:
  explicit Descriptor(int64_t *words) : words(words) {}
  static size_t wordCount(size_t rank) { return 3 + 2 * rank; }

  void set(char *data, llvm::ArrayRef<int64_t> shape) {
    std::memcpy(&words[0], &data, sizeof(data));
    std::memcpy(&words[1], &data, sizeof(data));
    words[2] = 0;
    int64_t stride = 1;
    for (size_t i = shape.size(); i-- > 0;) {
      words[3 + i] = shape[i];
      words[3 + shape.size() + i] = stride;
      stride *= shape[i];
    }
  }

  char *allocated() const { return pointer(0); }
  const char *aligned() const { return pointer(1); }
  int64_t offset() const { return words[2]; }
  int64_t size(size_t i) const { return words[3 + i]; }

private:
  char *pointer(size_t word) const {
    char *result;
    std::memcpy(&result, &words[word], sizeof(result));
    return result;
  }

  int64_t *words;
};
} // namespace

UFP4_NOINLINE static void callGuarded(void (*invoker)(void **), void **arguments) {
  BufferPoolCall call;
  numerics::FloatEnvironment environment;
  invoker(arguments);
}

Error JitModule::prepare(StringRef entry) {
  return jit->lookup((kInvoker + entry).str()).takeError();
}

/// Appends a descriptor of `array` at `next`, and where it lies to `pointers`.
static int64_t *describeArray(const ArrayView &array, int64_t *next,
                              std::vector<void *> &pointers) {
  Descriptor(next).set(static_cast<char *>(const_cast<void *>(array.data)), array.shape);
  pointers.push_back(next);
  return next + Descriptor::wordCount(array.shape.size());
}

Expected<std::vector<OwnedResult>> JitModule::callOnViews(const EntrySignature &entry,
                                                          llvm::ArrayRef<ArrayView> arguments) {
  auto address = jit->lookup((kInvoker + entry.name).str());
  if (!address)
    return address.takeError();
  auto *invoker = address->toPtr<void (*)(void **)>();

  size_t resultWords = 0, argumentWords = 0;
  for (const TensorSignature &result : entry.results)
    resultWords += Descriptor::wordCount(result.shape.size());
  for (const ArrayView &argument : arguments)
    argumentWords += Descriptor::wordCount(argument.shape.size());
  std::vector<int64_t> words(resultWords + argumentWords);
  std::vector<void *> pointers;
  if (!entry.results.empty())
    pointers.push_back(words.data());
  llvm::SmallPtrSet<const void *, 16> callerOwned;
  int64_t *next = words.data() + resultWords;
  for (const ArrayView &argument : arguments) {
    // The entry's arguments are read-only (ufp4-cpu-prepare-entries).
    callerOwned.insert(argument.data);
    next = describeArray(argument, next, pointers);
  }

  callGuarded(invoker, pointers.data());

  std::vector<OwnedResult> results;
  llvm::SmallDenseMap<char *, std::shared_ptr<void>, 16> owners;
  next = words.data();
  for (const TensorSignature &signature : entry.results) {
    Descriptor descriptor(next);
    OwnedResult result{signature.type, {}, nullptr, nullptr};
    size_t bytes = byteWidth(signature.type);
    size_t start = descriptor.offset() * bytes;
    for (size_t i = 0; i < signature.shape.size(); ++i) {
      result.shape.push_back(descriptor.size(i));
      bytes *= descriptor.size(i);
    }
    const char *data = descriptor.aligned() + start;
    if (callerOwned.contains(descriptor.allocated())) {
      auto copy = std::make_shared<std::vector<char>>(data, data + bytes);
      result.data = copy->data();
      result.owner = std::move(copy);
    } else {
      std::shared_ptr<void> &owner = owners[descriptor.allocated()];
      if (!owner)
        owner.reset(descriptor.allocated(), freeBuffer);
      result.data = data;
      result.owner = owner;
    }
    results.push_back(std::move(result));
    next += Descriptor::wordCount(signature.shape.size());
  }
  return results;
}

Expected<std::vector<Array>> JitModule::call(const EntrySignature &entry,
                                             llvm::ArrayRef<Array> arguments) {
  std::vector<ArrayView> views(arguments.begin(), arguments.end());
  Expected<std::vector<OwnedResult>> owned = callOnViews(entry, views);
  if (!owned)
    return owned.takeError();
  std::vector<Array> results;
  for (const OwnedResult &result : *owned) {
    Array array = Array::zeros(result.type, result.shape);
    if (!array.data.empty())
      std::memcpy(array.data.data(), result.data, array.data.size());
    results.push_back(std::move(array));
  }
  return results;
}

Error JitModule::callInto(StringRef entry, llvm::ArrayRef<ArrayView> arguments,
                          llvm::ArrayRef<ArrayView> results) {
  auto address = jit->lookup((kInvoker + entry).str());
  if (!address)
    return address.takeError();
  size_t wordCount = 0;
  for (llvm::ArrayRef<ArrayView> list : {arguments, results})
    for (const ArrayView &array : list)
      wordCount += Descriptor::wordCount(array.shape.size());
  std::vector<int64_t> words(wordCount);
  std::vector<void *> pointers;
  int64_t *next = words.data();
  for (llvm::ArrayRef<ArrayView> list : {arguments, results})
    for (const ArrayView &array : list)
      next = describeArray(array, next, pointers);
  callGuarded(address->toPtr<void (*)(void **)>(), pointers.data());
  return Error::success();
}

} // namespace ufp4
