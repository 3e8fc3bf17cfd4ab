//===- Emulator.cpp - Running NVPTX modules on the host --------------------===//

#include "ufp4/Execution/Emulator/Emulator.h"

#include "Formats.h"
#include "Launch.h"
#include "Rewrite.h"

#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"

#include <cfenv>
#include <cmath>
#include <sys/mman.h>

using namespace llvm;

namespace ufp4::emulator {

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

char EmulatorFault::ID = 0;

StringRef stringifyFaultKind(FaultKind kind) {
  switch (kind) {
  case FaultKind::Unsupported:
    return "unsupported";
  case FaultKind::CompileFailed:
    return "compile-failed";
  case FaultKind::InvalidLaunch:
    return "invalid-launch";
  case FaultKind::OutOfBounds:
    return "out-of-bounds";
  case FaultKind::ReadOnlyWrite:
    return "read-only-write";
  case FaultKind::Misaligned:
    return "misaligned";
  case FaultKind::UninitializedRead:
    return "uninitialized-read";
  case FaultKind::Race:
    return "race";
  case FaultKind::AsyncNotWaited:
    return "async-not-waited";
  case FaultKind::AsyncLeftAtExit:
    return "async-left-at-exit";
  case FaultKind::Deadlock:
    return "deadlock";
  case FaultKind::Divergence:
    return "divergence";
  case FaultKind::IllegalOperand:
    return "illegal-operand";
  case FaultKind::Trap:
    return "trap";
  case FaultKind::OutputNotWritten:
    return "output-not-written";
  }
  llvm_unreachable("unknown fault kind");
}

void EmulatorFault::log(raw_ostream &os) const {
  os << stringifyFaultKind(kind);
  if (!kernel.empty())
    os << " in " << kernel;
  if (hasThread)
    os << ", block (" << block.x << ", " << block.y << ", " << block.z << "), thread (" << thread.x
       << ", " << thread.y << ", " << thread.z << ")";
  os << ": " << message;
  if (!instruction.empty())
    os << "\n  at " << instruction;
  if (!location.empty())
    os << "\n  at " << location;
}

std::error_code EmulatorFault::convertToErrorCode() const { return inconvertibleErrorCode(); }

static Error launchFault(FaultKind kind, StringRef kernel, std::string message) {
  auto fault = std::make_unique<EmulatorFault>();
  fault->kind = kind;
  fault->kernel = kernel.str();
  fault->message = std::move(message);
  return Error(std::move(fault));
}

//===----------------------------------------------------------------------===//
// What the compiled code calls
//===----------------------------------------------------------------------===//

static void runOperation(uint32_t site, const uint32_t *in, uint32_t *out) {
  ActiveLaunch::get().operation(site, in, out);
}

static void checkAccess(uint32_t site, uint64_t address, uint64_t bytes) {
  ActiveLaunch::get().memoryAccess(site, address, bytes);
}

static uint32_t readSpecial(uint32_t which) { return ActiveLaunch::get().special(Special(which)); }

// The casts that the host's code calls for 16-bit numbers. x86-64 passes them in SSE registers, as
// it does float: the low 16 bits count.
template <Format format> static float narrow(float value) {
  return asFloat(encode(format, value, Rounding::NearestEven, false));
}
template <Format format> static float narrowDouble(double value) {
  return asFloat(encode(format, value, Rounding::NearestEven, false));
}
template <Format format> static float widen(float value) {
  return float(decode(format, asBits(value) & 0xFFFF));
}

namespace {
struct RuntimeSymbol {
  const char *name;
  void *address;
};
} // namespace

template <typename Function> static void *addressOf(Function *function) {
  return reinterpret_cast<void *>(function);
}

static std::vector<RuntimeSymbol> runtimeSymbols() {
  return {
      {Rewriter::kOperation.data(), addressOf(&runOperation)},
      {Rewriter::kAccess.data(), addressOf(&checkAccess)},
      {Rewriter::kSpecial.data(), addressOf(&readSpecial)},
      {"__truncsfbf2", addressOf(&narrow<Format::BF16>)},
      {"__truncdfbf2", addressOf(&narrowDouble<Format::BF16>)},
      {"__truncsfhf2", addressOf(&narrow<Format::F16>)},
      {"__truncdfhf2", addressOf(&narrowDouble<Format::F16>)},
      {"__extendhfsf2", addressOf(&widen<Format::F16>)},
      {"memcpy", addressOf<void *(void *, const void *, size_t)>(&std::memcpy)},
      {"memmove", addressOf<void *(void *, const void *, size_t)>(&std::memmove)},
      {"memset", addressOf<void *(void *, int, size_t)>(&std::memset)},
      {"fma", addressOf<double(double, double, double)>(&std::fma)},
      {"fmaf", addressOf<float(float, float, float)>(&::fmaf)},
      {"roundevenf", addressOf<float(float)>(&::nearbyintf)},
      {"nearbyintf", addressOf<float(float)>(&::nearbyintf)},
      {"rintf", addressOf<float(float)>(&::nearbyintf)},
      {"floorf", addressOf<float(float)>(&::floorf)},
      {"ceilf", addressOf<float(float)>(&::ceilf)},
      {"truncf", addressOf<float(float)>(&::truncf)},
  };
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

#ifdef MAP_FIXED_NOREPLACE
static constexpr int kMapInPlace = MAP_FIXED_NOREPLACE;
#else
static constexpr int kMapInPlace = 0;
#endif

/// Null where the place is taken.
static char *mapAt(uint64_t address, uint64_t size) {
  void *wanted = reinterpret_cast<void *>(address);
  void *memory = mmap(wanted, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | kMapInPlace, -1, 0);
  if (memory == wanted)
    return static_cast<char *>(memory);
  if (memory != MAP_FAILED)
    munmap(memory, size);
  return nullptr;
}

/// Memory below 4 GiB, so that 32-bit shared pointers name it; at a multiple of its size, so that
/// the low bits are offsets.
static char *mapSharedWindow() {
  constexpr uint64_t size = SharedMemory::windowBytes;
  for (uint64_t address = uint64_t(1) << 30; address < uint64_t(1) << 32; address += size)
    if (char *memory = mapAt(address, size))
      return memory;
  return nullptr;
}

/// The same for the blocks of a cluster, so that bits from 24 on are a block's rank.
static char *mapClusterWindow() {
  constexpr uint64_t size = SharedMemory::blockStride * SharedMemory::mostBlocks;
  for (uint64_t address = (uint64_t(1) << 32) - size; address >= size; address -= size)
    if (char *memory = mapAt(address, size))
      return memory;
  return nullptr;
}

/// Takes vectors and aggregates apart. What the fast selection of instructions does not know costs
/// it all that stands before in the block.
static void takeApart(Module &module, TargetMachine &machine) {
  PassBuilder builder(&machine);
  FunctionAnalysisManager analyses;
  builder.registerFunctionAnalyses(analyses);
  ScalarizerPassOptions options;
  options.ScalarizeLoadStore = true;
  FunctionPassManager passes;
  passes.addPass(ScalarizerPass(options));
  passes.addPass(InstSimplifyPass());
  for (Function &function : module)
    if (!function.isDeclaration())
      passes.run(function, analyses);
}

static Expected<orc::JITTargetMachineBuilder> hostTarget() {
  static const bool once = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)once;
  auto target = orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return target.takeError();
  if (target->getTargetTriple().isX86()) {
    // Later levels have bf16 instructions, which flush subnormals.
    bool level3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi2");
    target->setCPU(level3 ? "x86-64-v3" : "x86-64");
    target->getFeatures() = SubtargetFeatures();
  }
  // A kernel is compiled for a few launches, and waits for memory's checks more than for its code.
  target->setCodeGenOptLevel(CodeGenOptLevel::None);
  target->getOptions().AllowFPOpFusion = FPOpFusion::Strict;
  return *target;
}

namespace {
struct AMDChip {
  const char *name;
  unsigned waveSize, sharedBytes;
};
} // namespace

static const AMDChip *findAMDChip(StringRef name) {
  static constexpr AMDChip chips[] = {
      {"gfx942", 64, 64 * 1024}, {"gfx950", 64, 160 * 1024}, {"gfx1250", 32, 320 * 1024}};
  for (const AMDChip &chip : chips)
    if (name == chip.name)
      return &chip;
  return nullptr;
}

/// The shared memory that one block may have.
static unsigned maximumSharedBytes(const Program &program) {
  if (program.isAMD)
    return findAMDChip(program.target.chip)->sharedBytes;
  switch (program.chip) {
  case 80:
  case 87:
    return 163 * 1024;
  case 86:
  case 89:
  case 120:
  case 121:
    return 99 * 1024;
  default:
    return program.chip >= 90 ? 227 * 1024 : 48 * 1024;
  }
}

EmulatedModule::EmulatedModule(std::unique_ptr<Program> program) : program(std::move(program)) {}
EmulatedModule::~EmulatedModule() = default;

unsigned EmulatedModule::staticSharedBytes() const { return program->staticSharedBytes; }

Expected<std::unique_ptr<EmulatedModule>>
EmulatedModule::create(std::unique_ptr<Module> givenModule,
                       std::unique_ptr<LLVMContext> givenContext, const EmulatorTarget &target) {
  // In this order the module goes before its context.
  std::unique_ptr<LLVMContext> context = std::move(givenContext);
  std::unique_ptr<Module> module = std::move(givenModule);
  auto unsupported = [](std::string message) {
    return launchFault(FaultKind::Unsupported, "", std::move(message));
  };
  auto program = std::make_unique<Program>();
  program->target = target;
  StringRef chip = target.chip;
  const AMDChip *ofAMD = findAMDChip(chip);
  program->isAMD = ofAMD;
  if (ofAMD ? target.warpSize != ofAMD->waveSize
            : !chip.consume_front("sm_") || chip.consumeInteger(10, program->chip) ||
                  target.warpSize != 32)
    return unsupported(
        formatv("no chip that is known: '{0}' with warps of {1}", target.chip, target.warpSize));
  program->familyChip = chip == "a" || chip == "f";
  if (ofAMD ? !module->getTargetTriple().isAMDGCN() : !module->getTargetTriple().isNVPTX())
    return unsupported(formatv("a module for '{0}'", module->getTargetTriple().str()));
  std::string problems;
  raw_string_ostream problemStream(problems);
  if (verifyModule(*module, &problemStream))
    return launchFault(FaultKind::CompileFailed, "", "the module is malformed: " + problems);
  program->sharedBase = mapSharedWindow();
  if (!program->sharedBase)
    return unsupported("no memory below 4 GiB is free");

  Rewriter rewriter(*module, *program);
  if (Error error = rewriter.run())
    return error;

  auto machineBuilder = hostTarget();
  if (!machineBuilder)
    return machineBuilder.takeError();
  auto machine = machineBuilder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  module->setDataLayout((*machine)->createDataLayout());
  module->setTargetTriple((*machine)->getTargetTriple());
  if (NamedMDNode *flags = module->getModuleFlagsMetadata())
    flags->eraseFromParent();
  if (verifyModule(*module, &problemStream))
    return launchFault(FaultKind::CompileFailed, "",
                       "the rewritten module is malformed: " + problems);
  takeApart(*module, **machine);

  auto jit = orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(*machineBuilder)
                 .setDataLayout((*machine)->createDataLayout())
                 .setLinkProcessSymbolsByDefault(false)
                 .setPlatformSetUp(orc::setUpInactivePlatform)
                 .create();
  if (!jit)
    return jit.takeError();
  orc::SymbolMap symbols;
  for (const RuntimeSymbol &symbol : runtimeSymbols())
    symbols[(*jit)->mangleAndIntern(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address),
                                                     JITSymbolFlags::Exported};
  symbols[(*jit)->mangleAndIntern(Rewriter::kBlocks)] = {
      orc::ExecutorAddr::fromPtr(program->blockExecutions.data()), JITSymbolFlags::Exported};
  if (Error error = (*jit)->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))))
    return error;
  if (Error error =
          (*jit)->addIRModule(orc::ThreadSafeModule(std::move(module), std::move(context))))
    return error;
  for (auto &entry : program->kernels) {
    auto address = (*jit)->lookup(Rewriter::entryName(entry.getKey()));
    if (!address)
      return launchFault(FaultKind::CompileFailed, entry.getKey(), toString(address.takeError()));
    entry.getValue().entry = address->toPtr<void (*)(void **)>();
  }
  for (const ModuleVariable &variable : program->variables) {
    auto address = (*jit)->lookup(variable.symbol);
    if (!address)
      return launchFault(FaultKind::CompileFailed, "", toString(address.takeError()));
    program->variableMemory.regions.push_back({address->getValue(),
                                               address->getValue() + variable.size,
                                               variable.constant ? Access::Read : Access::ReadWrite,
                                               variable.name,
                                               {}});
  }
  program->jit = std::move(*jit);
  return std::unique_ptr<EmulatedModule>(new EmulatedModule(std::move(program)));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

namespace {
/// Copies of the arguments in device memory: buffers lie 256 bytes aligned and far apart.
class DeviceMemory {
public:
  ~DeviceMemory() {
    if (memory)
      munmap(memory, total);
  }

  bool allocate(ArrayRef<KernelArgument> arguments) {
    std::vector<uint64_t> starts;
    total = kGap;
    for (const KernelArgument &argument : arguments) {
      starts.push_back(total);
      total += alignTo(argument.isBuffer ? argument.size : argument.value.size(), 256) + kGap;
      mapped.push_back(total);
      if (argument.map)
        total += alignTo(argument.map->size, 256) + kGap;
    }
    void *pages = mmap(nullptr, total, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
      return false;
    memory = static_cast<char *>(pages);
    for (uint64_t start : starts)
      places.push_back(memory + start);
    return true;
  }

  char *place(size_t argument) const { return places[argument]; }
  /// Of the buffer that an argument maps.
  char *mappedPlace(size_t argument) const { return memory + mapped[argument]; }

private:
  static constexpr uint64_t kGap = 1 << 16;
  char *memory = nullptr;
  uint64_t total = 0;
  std::vector<char *> places;
  std::vector<uint64_t> mapped;
};

/// The default floating-point environment while it lives.
class EnvironmentScope {
public:
  EnvironmentScope() {
    std::fegetenv(&saved);
    std::fesetenv(FE_DFL_ENV);
  }
  ~EnvironmentScope() { std::fesetenv(&saved); }

private:
  std::fenv_t saved;
};
} // namespace

/// Why a chip takes no such tensor map; empty where it does.
static std::string explainTensorMap(const TensorMap &map) {
  uint64_t rowBytes = uint64_t(map.boxWidth) * map.elementBytes;
  if (!is_contained({1u, 2u, 4u, 8u}, map.elementBytes))
    return formatv("elements of {0} bytes", map.elementBytes);
  if (!is_contained({0u, 32u, 64u, 128u}, map.swizzle))
    return formatv("a swizzle of {0} bytes", map.swizzle);
  if (map.pitch % 16 != 0 || map.pitch < map.width * map.elementBytes)
    return formatv("{0} bytes from row to row of {1} elements; they must hold a row and be a "
                   "multiple of 16",
                   map.pitch, map.width);
  if (map.boxWidth == 0 || map.boxWidth > 256 || map.boxHeight == 0 || map.boxHeight > 256)
    return formatv("a box of {0} x {1} elements; at most 256 x 256 can be copied", map.boxHeight,
                   map.boxWidth);
  if (map.rowStep == 0 || map.rowStep > 8)
    return formatv("every row number {0} of the box; from 1 to 8 can be skipped to", map.rowStep);
  if (rowBytes % 16 != 0 || (map.swizzle && rowBytes != map.swizzle))
    return formatv("a box of rows of {0} bytes, which must be a multiple of 16 and here be those "
                   "of the swizzle, {1}",
                   rowBytes, map.swizzle);
  if (map.width && map.height &&
      (map.height - 1) * map.pitch + map.width * map.elementBytes > map.size)
    return formatv("{0} rows, {1} bytes apart, in a buffer of {2} bytes", map.height, map.pitch,
                   map.size);
  return "";
}

static Error checkLaunch(const Program &program, StringRef name, const KernelInfo &kernel,
                         Dim3 grid, Dim3 block, Dim3 cluster, unsigned dynamicSharedBytes,
                         ArrayRef<KernelArgument> arguments) {
  auto invalid = [&](std::string message) {
    return launchFault(FaultKind::InvalidLaunch, name, std::move(message));
  };
  if (grid.volume() == 0 || block.volume() == 0 || block.volume() > 1024 || block.z > 64 ||
      grid.y > 65535 || grid.z > 65535)
    return invalid(formatv("a grid of {0} x {1} x {2} blocks of {3} x {4} x {5} threads", grid.x,
                           grid.y, grid.z, block.x, block.y, block.z));
  if (cluster.volume() == 0 || cluster.volume() > SharedMemory::mostBlocks ||
      (cluster.volume() > 1 && (program.isAMD || program.chip < 90)) || grid.x % cluster.x != 0 ||
      grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
    return invalid(formatv("clusters of {0} x {1} x {2} blocks in a grid of {3} x {4} x {5} on {6}",
                           cluster.x, cluster.y, cluster.z, grid.x, grid.y, grid.z,
                           program.target.chip));
  Dim3 compiled = kernel.requiredCluster;
  if (compiled.volume() != 0 &&
      (compiled.x != cluster.x || compiled.y != cluster.y || compiled.z != cluster.z))
    return invalid(formatv("clusters of {0} x {1} x {2} blocks; the kernel was compiled for {3} x "
                           "{4} x {5}",
                           cluster.x, cluster.y, cluster.z, compiled.x, compiled.y, compiled.z));
  Dim3 required = kernel.requiredBlock;
  if (required.volume() != 0 &&
      (required.x != block.x || required.y != block.y || required.z != block.z))
    return invalid(formatv("blocks of {0} x {1} x {2} threads; the kernel was compiled for {3} x "
                           "{4} x {5}",
                           block.x, block.y, block.z, required.x, required.y, required.z));
  if (kernel.maximumThreads && block.volume() > kernel.maximumThreads)
    return invalid(formatv("blocks of {0} threads; the kernel was compiled for up to {1}",
                           block.volume(), kernel.maximumThreads));
  uint64_t shared = uint64_t(program.staticSharedBytes) + dynamicSharedBytes;
  if (shared > maximumSharedBytes(program))
    return invalid(formatv("{0} bytes of shared memory; {1} has {2} per block", shared,
                           program.target.chip, maximumSharedBytes(program)));
  if (arguments.size() != kernel.parameters.size())
    return invalid(
        formatv("{0} arguments for {1} parameters", arguments.size(), kernel.parameters.size()));
  for (auto [i, argument] : enumerate(arguments)) {
    const KernelParameter &parameter = kernel.parameters[i];
    bool wantsBuffer = parameter.isPointer && !parameter.byValueSize;
    size_t size = parameter.byValueSize ? parameter.byValueSize : parameter.size;
    if (argument.isBuffer && !wantsBuffer)
      return invalid(formatv("argument {0} is a buffer; the parameter is none", i));
    if (!argument.isBuffer && argument.value.size() != size)
      return invalid(formatv("argument {0} has {1} bytes; the parameter has {2}", i,
                             argument.value.size(), size));
    if (argument.map)
      if (std::string why = explainTensorMap(*argument.map); !why.empty())
        return invalid(formatv("the tensor map {0}: {1}", argument.name, why));
    if (!argument.isBuffer)
      continue;
    for (const KernelArgument &other : arguments.take_front(i)) {
      auto *begin = static_cast<const char *>(argument.pointer);
      auto *otherBegin = static_cast<const char *>(other.pointer);
      if (other.isBuffer && begin < otherBegin + other.size && otherBegin < begin + argument.size &&
          (begin != otherBegin || argument.size != other.size || argument.access != other.access))
        return invalid(formatv("buffers {0} and {1} overlap without being the same", other.name,
                               argument.name));
    }
  }
  return Error::success();
}

Expected<LaunchStats> EmulatedModule::launch(StringRef name, Dim3 grid, Dim3 block,
                                             unsigned dynamicSharedBytes,
                                             ArrayRef<KernelArgument> arguments,
                                             const LaunchOptions &options) {
  auto found = program->kernels.find(name);
  if (found == program->kernels.end())
    return launchFault(FaultKind::InvalidLaunch, name, "the module has no such kernel");
  const KernelInfo &kernel = found->getValue();
  // A kernel that is compiled for clusters has them without being asked.
  Dim3 cluster = options.cluster;
  if (cluster.volume() == 1 && kernel.requiredCluster.volume() != 0)
    cluster = kernel.requiredCluster;
  if (Error error =
          checkLaunch(*program, name, kernel, grid, block, cluster, dynamicSharedBytes, arguments))
    return error;
  if (cluster.volume() > 1 && !program->clusterBase && !(program->clusterBase = mapClusterWindow()))
    return createStringError(std::errc::not_enough_memory, "no memory below 4 GiB is free");

  DeviceMemory memory;
  if (!memory.allocate(arguments))
    return createStringError(std::errc::not_enough_memory, "no memory for the buffers");
  Launch launch(*program, found->getKey(), kernel, grid, block, cluster, dynamicSharedBytes,
                options);
  launch.global = program->variableMemory;
  for (Site &site : program->sites)
    site.executions = 0;
  std::fill(program->blockExecutions.begin(), program->blockExecutions.end(), 0);

  // A buffer given twice is one buffer.
  std::vector<size_t> first(arguments.size());
  std::vector<uint64_t> addresses(arguments.size());
  std::vector<void *> pointers(arguments.size());
  std::vector<size_t> regions(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const KernelArgument &argument = arguments[i];
    first[i] = i;
    if (!argument.isBuffer) {
      pointers[i] = memory.place(i);
      std::memcpy(pointers[i], argument.value.data(), argument.value.size());
      if (const std::optional<TensorMap> &map = argument.map) {
        auto data = reinterpret_cast<uint64_t>(memory.mappedPlace(i));
        EncodedTensorMap encoded{
            EncodedTensorMap::kMagic, data,          map->width,     map->height,  map->pitch,
            map->elementBytes,        map->boxWidth, map->boxHeight, map->swizzle, map->rowStep};
        std::memcpy(pointers[i], &encoded, sizeof(encoded));
        launch.global.regions.push_back({data, data + map->size, Access::Read, argument.name, {}});
        if (map->size)
          std::memcpy(memory.mappedPlace(i), map->pointer, map->size);
      }
      if (kernel.parameters[i].byValueSize) {
        auto address = reinterpret_cast<uint64_t>(pointers[i]);
        launch.global.regions.push_back({address,
                                         address + argument.value.size(),
                                         Access::Read,
                                         ("parameter " + Twine(i)).str(),
                                         {}});
      }
      continue;
    }
    for (size_t j = 0; j < i; ++j)
      if (arguments[j].isBuffer && arguments[j].pointer == argument.pointer &&
          arguments[j].size == argument.size && argument.size != 0) {
        first[i] = j;
        break;
      }
    addresses[i] = reinterpret_cast<uint64_t>(memory.place(first[i]));
    pointers[i] = &addresses[i];
    if (first[i] != i)
      continue;
    regions[i] = launch.global.regions.size();
    launch.global.regions.push_back(
        {addresses[i], addresses[i] + argument.size, argument.access, argument.name, {}});
    if (argument.access == Access::Write)
      launch.global.regions.back().written.assign(argument.size, 0);
    if (argument.size)
      std::memcpy(memory.place(i), argument.pointer, argument.size);
  }

  {
    EnvironmentScope environment;
    if (Error error = launch.run(pointers.data()))
      return error;
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const KernelArgument &argument = arguments[i];
    if (!argument.isBuffer || argument.access == Access::Read || first[i] != i || !argument.size)
      continue;
    const auto &written = launch.global.regions[regions[i]].written;
    auto missing = llvm::find(written, 0);
    if (options.requireOutputsWritten && missing != written.end())
      return launchFault(FaultKind::OutputNotWritten, name,
                         formatv("byte {0} of {1} and {2} of its {3} bytes in all were not "
                                 "written",
                                 missing - written.begin(), argument.name, llvm::count(written, 0),
                                 written.size()));
    std::memcpy(argument.pointer, memory.place(i), argument.size);
  }
  LaunchStats stats;
  launch.collect(stats);
  return stats;
}

} // namespace ufp4::emulator
