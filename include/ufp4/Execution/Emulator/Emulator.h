//===- Emulator.h - Running GPU modules on the host -------------*- C++ -*-===//
//
// Executes the LLVM IR module that is handed to the NVPTX or the AMDGPU backend, thread by thread,
// on the host, and judges what a GPU would let pass: bounds of every argument and of shared memory,
// reads of bytes that nobody wrote, races in shared memory, asynchronous copies that are read
// before their wait or never waited for (bulk ones land as late as their mbarrier allows), missing
// fences between the generic and the asynchronous proxy, use of the memory of a block that has
// ended by others of its cluster, misaligned accesses, divergent collectives, deadlocks.
//
// What it takes: the instructions of LLVM IR, the intrinsics and the PTX instructions of inline
// assembly that docs in Operations.h, AMDOperations.h and InlineAsm.h list. Anything else is an
// error of create().
//
// What it computes: IEEE arithmetic as the IR says, with fast-math flags ignored (no contraction);
// approximate instructions are exact and rounded once; matrix instructions take exact products,
// sum them in double over the instruction's k together with the accumulator, and round once;
// subnormal inputs are kept. A matrix instruction marked `!ufp4.e0m3 !{!"A", !"B"}` (either name or
// both) decodes the 4-bit codes of these operands as sign and magnitude: s|mmm is +-m.
//
// What it does not see: instruction selection, registers, speed; fences for tensor maps; races in
// global memory (clusters run one after another), so that there a proxy fence is missed within a
// cluster only; order that atomics on shared memory give (only barriers
// order); bounds and unwritten bytes of local variables; the bits of NaNs that plain arithmetic
// makes; loops without an end that neither touch memory nor call anything.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_EXECUTION_EMULATOR_EMULATOR_H
#define UFP4_EXECUTION_EMULATOR_EMULATOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace ufp4::emulator {

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
  uint64_t volume() const { return uint64_t(x) * y * z; }
};

struct EmulatorTarget {
  /// As LLVM spells it: sm_80, sm_120a, gfx942, …
  std::string chip = "sm_80";
  unsigned warpSize = 32;
};

/// What the kernel may do with a buffer. The bytes of a `Write` buffer are undefined until the
/// kernel writes them.
enum class Access { Read, Write, ReadWrite };

/// A tensor map of two dimensions (CUDA driver API, cuTensorMapEncodeTiled): rows of elements in a
/// buffer, of which a copy brings a box into shared memory, zeros where the box is outside.
struct TensorMap {
  const void *pointer = nullptr;
  /// Of the buffer, in bytes.
  size_t size = 0;
  unsigned elementBytes = 1;
  /// Elements of a row, rows, and the bytes from row to row.
  uint64_t width = 0, height = 0, pitch = 0;
  /// Elements of a row of the box, and its rows.
  unsigned boxWidth = 0, boxHeight = 0;
  /// 0, or the bytes of a line in which chunks of 16 bytes change places: 32, 64 or 128.
  unsigned swizzle = 0;
  /// Of the box's rows every first to eighth is copied.
  unsigned rowStep = 1;
};

/// One kernel argument: the bytes of a scalar or by-value aggregate, or a buffer in host memory,
/// which the launch copies in and, unless it failed, back; or a tensor map of an input.
class KernelArgument {
public:
  template <typename T> static KernelArgument scalar(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return bytes({reinterpret_cast<const char *>(&value), sizeof(T)});
  }
  static KernelArgument bytes(llvm::StringRef value) {
    KernelArgument argument;
    argument.value = value.str();
    return argument;
  }
  static KernelArgument buffer(void *pointer, size_t size, Access access, std::string name) {
    KernelArgument argument;
    argument.isBuffer = true;
    argument.pointer = pointer;
    argument.size = size;
    argument.access = access;
    argument.name = std::move(name);
    return argument;
  }
  static KernelArgument input(const void *pointer, size_t size, std::string name) {
    return buffer(const_cast<void *>(pointer), size, Access::Read, std::move(name));
  }

  /// For a parameter of 128 bytes that is passed by value.
  static KernelArgument tensorMap(const TensorMap &map, std::string name) {
    KernelArgument argument = bytes(llvm::StringRef());
    argument.value.assign(tensorMapBytes, 0);
    argument.map = map;
    argument.name = std::move(name);
    return argument;
  }
  static constexpr size_t tensorMapBytes = 128;

  bool isBuffer = false;
  std::optional<TensorMap> map;
  std::string value;
  void *pointer = nullptr;
  size_t size = 0;
  Access access = Access::Read;
  std::string name;
};

/// Which blocks that have not begun are given to one that asks to compute them too: as many as it
/// asks for, none, or a shuffled half.
enum class Takeover { All, None, Random };

struct LaunchOptions {
  /// 0: threads run in their order; otherwise the seed of a shuffled schedule.
  uint64_t seed = 0;
  /// By the same seed, where it is random.
  Takeover takeover = Takeover::Random;
  /// Blocks of a cluster, which run together and reach each other's shared memory.
  Dim3 cluster;
  /// Every byte of every `Write` buffer must have been written at the end.
  bool requireOutputsWritten = false;
  /// What threads do with tensor memory is ordered by fences of tcgen05 only. Some compilers write
  /// none: they count on ptxas to keep it in the order of the instructions that synchronise.
  bool tensorFences = true;
  /// Collects sectors and wavefronts; instruction counts are always collected.
  bool memoryStatistics = true;
  /// Runtime calls of one block after which it counts as livelocked.
  uint64_t maxSteps = uint64_t(1) << 32;
  size_t stackBytes = 256 * 1024;
};

enum class FaultKind {
  Unsupported,       ///< create(): an intrinsic, assembly or construct outside the lists
  CompileFailed,     ///< create(): the host compiler refused the module
  InvalidLaunch,     ///< the launch does not fit the kernel or the chip
  OutOfBounds,       ///< an access outside every buffer, or outside shared memory
  ReadOnlyWrite,     ///< a write to an input
  Misaligned,        ///< an address that is not a multiple of the access's alignment
  UninitializedRead, ///< a read of shared or output bytes that nobody wrote
  Race,              ///< two accesses to shared bytes without an order or a fence between them
  AsyncNotWaited,    ///< bytes of an asynchronous copy touched before its wait
  AsyncLeftAtExit,   ///< a thread ended with an asynchronous copy that it did not wait for
  Deadlock,          ///< no thread can go on
  Divergence,        ///< an aligned instruction reached from several places of the code
  IllegalOperand,    ///< an operand that the instruction does not take
  Trap,              ///< trap or failed assertion
  OutputNotWritten   ///< see LaunchOptions::requireOutputsWritten
};

/// The stable spelling of a kind: "out-of-bounds", "race", …
llvm::StringRef stringifyFaultKind(FaultKind kind);

class EmulatorFault : public llvm::ErrorInfo<EmulatorFault> {
public:
  static char ID;

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  FaultKind kind = FaultKind::Unsupported;
  std::string message;
  std::string kernel;
  bool hasThread = false;
  Dim3 block{0, 0, 0}, thread{0, 0, 0};
  /// file:line:column where the module has debug locations.
  std::string location;
  /// The instruction as LLVM prints it.
  std::string instruction;
};

/// Wavefronts or sectors at one place of the code.
struct SiteStats {
  std::string location;
  uint64_t requests = 0, used = 0, ideal = 0;
};

struct LaunchStats {
  /// Executions by LLVM opcode ("fadd", "load", …), counted per thread on the module as given.
  std::map<std::string, uint64_t> instructions;
  /// Executions of intrinsics and assembly by name: per warp for collectives, per thread otherwise.
  std::map<std::string, uint64_t> operations;
  /// 32-byte sectors that the warps' requests touched, and the fewest that could hold the bytes.
  uint64_t globalSectors = 0, idealGlobalSectors = 0;
  /// Passes of 32 banks of 4 bytes, and the fewest possible.
  uint64_t sharedWavefronts = 0, idealSharedWavefronts = 0;
  std::vector<SiteStats> globalSites, sharedSites;
  /// Matrix instructions, per warp.
  uint64_t mmas = 0;
  /// Completed barriers of a block.
  uint64_t barriers = 0;
};

struct Program;

class EmulatedModule {
public:
  static llvm::Expected<std::unique_ptr<EmulatedModule>>
  create(std::unique_ptr<llvm::Module> module, std::unique_ptr<llvm::LLVMContext> context,
         const EmulatorTarget &target);
  ~EmulatedModule();

  /// Runs the grid, cluster after cluster. Not to be called for one module from two threads at a
  /// time.
  llvm::Expected<LaunchStats> launch(llvm::StringRef kernel, Dim3 grid, Dim3 block,
                                     unsigned dynamicSharedBytes,
                                     llvm::ArrayRef<KernelArgument> arguments,
                                     const LaunchOptions &options = {});

  /// Bytes of shared memory that the module's own variables take.
  unsigned staticSharedBytes() const;

private:
  explicit EmulatedModule(std::unique_ptr<Program> program);
  std::unique_ptr<Program> program;
};

} // namespace ufp4::emulator

#endif // UFP4_EXECUTION_EMULATOR_EMULATOR_H
