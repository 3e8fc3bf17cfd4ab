//===- StandInDriver.cpp - A driver library without a device --------------===//
//
// What the launcher calls of CUDA's driver, on host memory, under its names and under HIP's. A
// launch runs in the emulator. The environment says how:
//
//   UFP4_STANDIN_CAPABILITY  the device's compute capability, 8.0 where it is not set
//   UFP4_STANDIN_CODE        a folder with .ll files in it or below, as ufp4-compile writes them,
//   with
//                            the kernels of every module that is loaded; without it launches do
//                            nothing
//   UFP4_STANDIN_LOG         a file that each call which does something adds a line to
//   UFP4_STANDIN_FAIL        FUNCTION=CODE: that function refuses
//
//===----------------------------------------------------------------------===//

#include "ufp4/Execution/Emulator/Emulator.h"
#include "ufp4/Target/Capabilities.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using llvm::StringRef;
using llvm::Twine;
using ufp4::emulator::Access;
using ufp4::emulator::EmulatedModule;
using ufp4::emulator::KernelArgument;

namespace {

/// Drivers take any address where there is nothing to copy.
void copyBytes(void *to, const void *from, size_t bytes) {
  if (bytes)
    memcpy(to, from, bytes);
}

// CUresult.
constexpr int kInvalidValue = 1, kOutOfMemory = 2, kNotFound = 500, kLaunchFailed = 719;

/// The kernels of one .ll file.
struct Code {
  std::unique_ptr<EmulatedModule> module;
  std::map<std::string, std::vector<KernelArgument>> signatures;
};

/// What a tensor map holds here.
struct EncodedMap {
  static constexpr uint64_t kMagic = 0x70616D206E696D73;
  uint64_t magic, address, width, height, pitch;
  uint32_t boxWidth, boxHeight, rowStep, swizzle;
};

/// A kernel; without code it can be launched and does nothing.
struct Function {
  std::string name;
  std::shared_ptr<Code> code;
};

struct State {
  std::recursive_mutex mutex;
  std::map<uint64_t, size_t> allocations;
  std::map<std::string, std::shared_ptr<Code>> files;
  std::vector<std::unique_ptr<Function>> functions;
  std::string fault;
  int context = 0, depth = 0;
};

State &state() {
  static auto *all = new State;
  return *all;
}

std::string getVariable(const char *name) { return llvm::sys::Process::GetEnv(name).value_or(""); }

void note(const Twine &line) {
  std::string file = getVariable("UFP4_STANDIN_LOG");
  if (file.empty())
    return;
  std::error_code code;
  llvm::raw_fd_ostream os(file, code, llvm::sys::fs::OF_Append);
  // A test that is over has removed its folder.
  if (!code)
    os << line << '\n';
}

/// What the environment wants a function to return; 0 where it may go on.
int refusal(StringRef function) {
  std::string wanted = getVariable("UFP4_STANDIN_FAIL");
  auto [name, code] = StringRef(wanted).split('=');
  int value = 0;
  if (name == function)
    code.getAsInteger(10, value);
  return value;
}

std::pair<int, int> getCapability() {
  std::string text = getVariable("UFP4_STANDIN_CAPABILITY");
  auto [major, minor] = StringRef(text.empty() ? "8.0" : text).split('.');
  std::pair<int, int> result{0, 0};
  major.getAsInteger(10, result.first);
  minor.getAsInteger(10, result.second);
  return result;
}

/// Fails a launch with the emulator's words.
int fault(const Twine &message) {
  state().fault = message.str();
  note("fault: " + message);
  return kLaunchFailed;
}

std::shared_ptr<Code> readCode(const std::string &file) {
  std::shared_ptr<Code> &code = state().files[file];
  if (code)
    return code;
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(file, diagnostic, *context);
  if (!module)
    return nullptr;
  auto read = std::make_shared<Code>();
  for (llvm::Function &function : *module)
    for (llvm::Argument &argument : function.args()) {
      KernelArgument &known = read->signatures[function.getName().str()].emplace_back();
      known.isBuffer = argument.getType()->isPointerTy();
      known.size = argument.getType()->getScalarSizeInBits() / 8;
      if (argument.hasByValAttr())
        known = KernelArgument::tensorMap({}, "");
    }
  auto [major, minor] = getCapability();
  ufp4::emulator::EmulatorTarget target;
  target.chip = ufp4::target::findChip(major, minor)->name.str();
  auto made = EmulatedModule::create(std::move(module), std::move(context), target);
  if (!made) {
    fault(llvm::toString(made.takeError()));
    return nullptr;
  }
  read->module = std::move(*made);
  return code = read;
}

/// The file of the folder that defines a kernel.
std::shared_ptr<Code> findCode(const std::string &kernel) {
  std::string folder = getVariable("UFP4_STANDIN_CODE");
  std::error_code code;
  if (!folder.empty())
    for (llvm::sys::fs::recursive_directory_iterator it(folder, code), end; it != end && !code;
         it.increment(code)) {
      auto buffer = llvm::MemoryBuffer::getFile(it->path());
      if (StringRef(it->path()).ends_with(".ll") && buffer &&
          (*buffer)->getBuffer().contains("@" + kernel + "("))
        return readCode(it->path());
    }
  return nullptr;
}

int run(const Function &function, const unsigned *grid, const unsigned *block, unsigned sharedBytes,
        void **arguments) {
  if (!function.code)
    return 0;
  std::vector<KernelArgument> passed;
  // From an address to the end of its allocation; 0 for an address that is none of the device's.
  auto bytesFrom = [](uint64_t address) -> uint64_t {
    auto after = state().allocations.upper_bound(address);
    if (after == state().allocations.begin())
      return 0;
    uint64_t end = std::prev(after)->first + std::prev(after)->second;
    return address < end ? end - address : 0;
  };
  for (auto [i, known] : llvm::enumerate(function.code->signatures[function.name])) {
    if (known.map) {
      EncodedMap encoded;
      memcpy(&encoded, arguments[i], sizeof(encoded));
      ufp4::emulator::TensorMap map;
      map.pointer = reinterpret_cast<void *>(encoded.address);
      map.size = bytesFrom(encoded.address);
      if (encoded.magic != EncodedMap::kMagic || !map.size)
        return fault("argument " + Twine(i) + " is no tensor map of the device's memory");
      map.width = encoded.width;
      map.height = encoded.height;
      map.pitch = encoded.pitch;
      map.boxWidth = encoded.boxWidth;
      map.boxHeight = encoded.boxHeight;
      map.rowStep = encoded.rowStep;
      map.swizzle = encoded.swizzle;
      passed.push_back(KernelArgument::tensorMap(map, "argument " + std::to_string(i)));
      continue;
    }
    if (!known.isBuffer) {
      passed.push_back(
          KernelArgument::bytes(StringRef(static_cast<const char *>(arguments[i]), known.size)));
      continue;
    }
    uint64_t address = *static_cast<uint64_t *>(arguments[i]);
    uint64_t bytes = bytesFrom(address);
    if (!bytes)
      return fault("argument " + Twine(i) + " is no address of the device");
    passed.push_back(KernelArgument::buffer(reinterpret_cast<void *>(address), bytes,
                                            Access::ReadWrite, "argument " + std::to_string(i)));
  }
  auto stats = function.code->module->launch(function.name, {grid[0], grid[1], grid[2]},
                                             {block[0], block[1], block[2]}, sharedBytes, passed);
  return stats ? 0 : fault(llvm::toString(stats.takeError()));
}

std::string join(const unsigned *extents) {
  return std::to_string(extents[0]) + "," + std::to_string(extents[1]) + "," +
         std::to_string(extents[2]);
}

/// CUlaunchConfig, as far as it is read here.
struct Config {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  struct {
    int id;
    char padding[4];
    unsigned extents[3];
    char rest[52];
  } * attributes;
  unsigned count;
};

} // namespace

#define STAND_IN extern "C" __attribute__((visibility("default"))) int
/// Defines a function under CUDA's name and HIP's, with `code` the refusal that the environment
/// wants.
#define BOTH(cuda, hip, parameters)                                                                \
  STAND_IN cuda parameters;                                                                        \
  STAND_IN hip parameters __attribute__((alias(#cuda)));                                           \
  STAND_IN cuda parameters

#define REFUSE_IF_ASKED(function)                                                                  \
  std::lock_guard<std::recursive_mutex> lock(state().mutex);                                       \
  if (int code = refusal(function))                                                                \
  return code

BOTH(cuInit, hipInit, (unsigned)) {
  REFUSE_IF_ASKED("cuInit");
  note("init");
  return 0;
}

BOTH(cuGetErrorString, hipDrvGetErrorString, (int result, const char **text)) {
  static std::string words;
  words = result == kLaunchFailed ? state().fault : "error " + std::to_string(result);
  *text = words.c_str();
  return 0;
}

BOTH(cuDeviceGetCount, hipGetDeviceCount, (int *count)) {
  REFUSE_IF_ASKED("cuDeviceGetCount");
  *count = 2;
  return 0;
}

BOTH(cuDeviceGet, hipDeviceGet, (int *device, int ordinal)) {
  *device = ordinal;
  return 0;
}

BOTH(cuDeviceGetAttribute, hipDeviceGetAttribute, (int *value, int attribute, int)) {
  auto [major, minor] = getCapability();
  *value = attribute == 75 ? major : minor;
  return attribute == 75 || attribute == 76 ? 0 : kInvalidValue;
}

BOTH(cuDevicePrimaryCtxRetain, hipDevicePrimaryCtxRetain, (void **context, int device)) {
  note("retain " + Twine(device));
  *context = &state().context;
  return 0;
}

BOTH(cuDevicePrimaryCtxRelease_v2, hipDevicePrimaryCtxRelease, (int device)) {
  note("release " + Twine(device));
  return 0;
}

BOTH(cuCtxPushCurrent_v2, hipCtxPushCurrent, (void *)) {
  REFUSE_IF_ASKED("cuCtxPushCurrent_v2");
  ++state().depth;
  return 0;
}

BOTH(cuCtxPopCurrent_v2, hipCtxPopCurrent, (void **)) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  return --state().depth < 0 ? kInvalidValue : 0;
}

BOTH(cuModuleLoadDataEx, hipModuleLoadDataEx,
     (void **module, const void *image, unsigned count, int *options, void **values)) {
  StringRef text(static_cast<const char *>(image), 4);
  // What the driver's compiler says.
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == 5 && refusal("cuModuleLoadDataEx"))
      strcpy(static_cast<char *>(values[i]), "ptxas fatal: the stand-in was asked to refuse\n");
  REFUSE_IF_ASKED("cuModuleLoadDataEx");
  note(text == "\x7f"
               "ELF"
           ? "load binary"
           : "load assembly");
  *module = new int(0);
  return state().depth ? 0 : kInvalidValue;
}

BOTH(cuModuleUnload, hipModuleUnload, (void *module)) {
  note("unload");
  delete static_cast<int *>(module);
  return 0;
}

BOTH(cuModuleGetFunction, hipModuleGetFunction, (void **function, void *, const char *name)) {
  REFUSE_IF_ASKED("cuModuleGetFunction");
  std::shared_ptr<Code> code = findCode(name);
  if (!code && !getVariable("UFP4_STANDIN_CODE").empty())
    return kNotFound;
  state().functions.push_back(std::make_unique<Function>(Function{name, code}));
  *function = state().functions.back().get();
  return 0;
}

STAND_IN cuFuncSetAttribute(void *function, int attribute, int value) {
  REFUSE_IF_ASKED("cuFuncSetAttribute");
  note("attribute " + Twine(attribute) + " = " + Twine(value) + " of " +
       static_cast<Function *>(function)->name);
  return 0;
}

BOTH(cuLaunchKernel, hipModuleLaunchKernel,
     (void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
      unsigned blockY, unsigned blockZ, unsigned sharedBytes, void *stream, void **arguments,
      void **)) {
  REFUSE_IF_ASKED("cuLaunchKernel");
  unsigned grid[] = {gridX, gridY, gridZ}, block[] = {blockX, blockY, blockZ};
  auto &launched = *static_cast<Function *>(function);
  note("launch " + launched.name + " grid " + join(grid) + " block " + join(block) + " shared " +
       Twine(sharedBytes) + " stream " + Twine(uint64_t(uintptr_t(stream))));
  return run(launched, grid, block, sharedBytes, arguments);
}

STAND_IN cuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address,
                                const uint64_t *extents, const uint64_t *strides,
                                const unsigned *box, const unsigned *steps, int interleave,
                                int swizzle, int promotion, int fill) {
  REFUSE_IF_ASKED("cuTensorMapEncodeTiled");
  note("tensor map of " + Twine(extents[1]) + " rows of " + Twine(extents[0]) + " bytes, box " +
       Twine(box[0]) + " x " + Twine(box[1]) + " by " + Twine(steps[1]) + ", swizzle " +
       Twine(swizzle));
  // The driver takes more than that, and the launcher makes no other.
  bool isAligned = uintptr_t(map) % 64 == 0 && uintptr_t(address) % 16 == 0;
  if (!isAligned || type || rank != 2 || !extents[0] || !extents[1] || strides[0] % 16 ||
      steps[0] != 1 || interleave || swizzle < 0 || swizzle > 3 || promotion < 0 || promotion > 3 ||
      fill)
    return kInvalidValue;
  EncodedMap encoded{EncodedMap::kMagic,
                     uint64_t(uintptr_t(address)),
                     extents[0],
                     extents[1],
                     strides[0],
                     box[0],
                     box[1],
                     steps[1],
                     swizzle ? 16u << swizzle : 0};
  memset(map, 0, 128);
  memcpy(map, &encoded, sizeof(encoded));
  return 0;
}

STAND_IN cuLaunchKernelEx(const Config *config, void *function, void **arguments, void **) {
  REFUSE_IF_ASKED("cuLaunchKernelEx");
  auto &launched = *static_cast<Function *>(function);
  std::string text;
  for (unsigned i = 0; i < config->count; ++i)
    text += " attribute " + std::to_string(config->attributes[i].id) + " = " +
            join(config->attributes[i].extents);
  note("launch " + launched.name + " grid " + join(config->grid) + " block " + join(config->block) +
       text);
  return run(launched, config->grid, config->block, config->sharedBytes, arguments);
}

BOTH(cuMemAlloc_v2, hipMalloc, (uint64_t * address, size_t bytes)) {
  REFUSE_IF_ASKED("cuMemAlloc_v2");
  if (!bytes)
    return kInvalidValue;
  // What nobody wrote is no number.
  void *memory = std::aligned_alloc(256, llvm::alignTo(bytes, 256));
  if (!memory)
    return kOutOfMemory;
  memset(memory, 0xFF, bytes);
  *address = reinterpret_cast<uint64_t>(memory);
  state().allocations[*address] = bytes;
  return 0;
}

BOTH(cuMemFree_v2, hipFree, (uint64_t address)) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  if (!state().allocations.erase(address))
    return kInvalidValue;
  std::free(reinterpret_cast<void *>(address));
  return 0;
}

BOTH(cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync,
     (uint64_t to, const void *from, size_t bytes, void *)) {
  copyBytes(reinterpret_cast<void *>(to), from, bytes);
  return 0;
}

BOTH(cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync,
     (void *to, uint64_t from, size_t bytes, void *stream)) {
  note("to host " + Twine(bytes) + " stream " + Twine(uint64_t(uintptr_t(stream))));
  copyBytes(to, reinterpret_cast<void *>(from), bytes);
  return 0;
}

BOTH(cuMemcpyDtoDAsync_v2, hipMemcpyDtoDAsync,
     (uint64_t to, uint64_t from, size_t bytes, void *stream)) {
  note("copy " + Twine(bytes) + " stream " + Twine(uint64_t(uintptr_t(stream))));
  copyBytes(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), bytes);
  return 0;
}

BOTH(cuMemsetD32Async, hipMemsetD32Async,
     (uint64_t to, unsigned word, size_t words, void *stream)) {
  note("fill " + Twine(words) + " stream " + Twine(uint64_t(uintptr_t(stream))));
  std::fill_n(reinterpret_cast<unsigned *>(to), words, word);
  return 0;
}

BOTH(cuStreamSynchronize, hipStreamSynchronize, (void *)) {
  REFUSE_IF_ASKED("cuStreamSynchronize");
  return 0;
}
