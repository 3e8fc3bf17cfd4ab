//===- Binary.h - From LLVM IR to PTX and cubins ----------------*- C++ -*-===//
//
// LLVM module -> PTX by the NVPTX backend in this process -> cubin by ptxas in a process of its
// own. Emission is a function of the module, the chip and the options; nothing of the caller's is
// changed.
//
// Sources: PTX ISA 9.0 (directives, `.maxntid`, state spaces); ptxas --help of CUDA 13; ELF for
// CUDA as ptxas 13.0 to 13.5 write it: sections `.text.NAME` of 16-byte instruction words, kernels
// marked by STO_CUDA_ENTRY (0x10) in st_other.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_NVPTX_BINARY_H
#define UFP4_TARGET_NVPTX_BINARY_H

#include "ufp4/Target/Capabilities.h"
#include "ufp4/Target/Objects.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace ufp4::target {

//===----------------------------------------------------------------------===//
// PTX
//===----------------------------------------------------------------------===//

using PTX = Assembly;

/// Gives a module the triple and data layout that `emitPTX` expects: pointers to shared, constant
/// and local memory have 32 bits. Do this before building code into it.
llvm::Error prepareModule(llvm::Module &module, const Chip &chip);

/// Generates code at -O3 with no middle-end passes. A copy of the module goes into the backend, so
/// the caller keeps what was handed over, bit for bit, for the emulator. Safe to call from several
/// threads, which then wait for each other. Errors: the chip is not NVIDIA's, the module was not
/// prepared for it or does not verify, or the backend cannot select an instruction (its words).
llvm::Expected<PTX> emitPTX(llvm::Module &module, const Chip &chip);

/// The PTX of some kernels, under the names that `nameOf` gives them; an empty one leaves a kernel
/// out. What lies outside of kernels stays.
PTX selectKernels(const PTX &ptx, llvm::function_ref<std::string(llvm::StringRef)> nameOf);

//===----------------------------------------------------------------------===//
// ptxas
//===----------------------------------------------------------------------===//

struct PtxasOptions {
  /// An executable; nothing else is searched when it is set.
  std::string path;
  /// Executables, or folders to look in: with ptxas, bin/ptxas, or the PyPI package
  /// nvidia-cuda-nvcc (a `site-packages`). Searched first, before those in the environment variable
  /// UFP4_PTXAS, which is such a list with the system's path separator; set, it is the last.
  std::vector<std::string> searchFolders;
  /// Searched last, after PATH, CUDA_HOME/bin and CUDA_PATH/bin.
  std::vector<std::string> systemFolders = {"/usr/local/cuda/bin"};
  /// 0 to 3.
  unsigned optimization = 3;
  /// Further arguments, as they are.
  std::vector<std::string> arguments;
  /// Wall-clock limit of one run.
  unsigned timeoutSeconds = 300;
};

/// The ptxas to run, as an absolute path. `ToolNotFound` lists where it was looked for; one that
/// was named and is not there is another error.
llvm::Expected<std::string> findPtxas(const PtxasOptions &options);

/// Whether `findPtxas` has one, or one was named, with nothing but its path given; empty: searched
/// for.
bool hasPtxas(llvm::StringRef path);

struct PtxasVersion {
  unsigned major = 0, minor = 0;
  /// `13.0.88`.
  std::string build;
};

/// Asks the executable at `path`.
llvm::Expected<PtxasVersion> queryPtxasVersion(llvm::StringRef path);

/// Reads the output of ptxas -v, in its order.
std::vector<KernelUsage> parseUsage(llvm::StringRef log);

using Cubin = Binary;

/// Runs ptxas in a temporary folder, which is removed. Errors: `ToolNotFound`; what ptxas says,
/// each with the line of PTX and the kernel it is in; a run longer than the limit; a crash.
llvm::Expected<Cubin> assemble(llvm::StringRef ptx, const Chip &chip,
                               const PtxasOptions &options = {});

//===----------------------------------------------------------------------===//
// Reading cubins
//===----------------------------------------------------------------------===//

/// How many 16-byte words have which low 12 bits: predicated forms together, NOPs too.
using OpcodeCounts = std::map<unsigned, unsigned>;

/// Matrix instructions of one warp: HMMA, QMMA, OMMA, IMMA; of one thread: UTCOMMA,
/// UTCQMMA.
bool isMatrixOpcode(unsigned opcode);

/// The instructions of one kernel or device function.
struct CubinFunction {
  std::string name;
  bool isKernel = false;
  /// Where `.text.NAME` lies in the file, in bytes.
  uint64_t offset = 0, size = 0;
  /// The padding behind the last branch too.
  OpcodeCounts opcodes;
  /// Of the shortest range with most matrix instructions that a branch at its end goes back over;
  /// empty where no loop has any.
  OpcodeCounts loop;
  /// The same of bulk copies to shared memory.
  OpcodeCounts copies;

  uint64_t words() const { return size / 16; }
  unsigned count(unsigned opcode) const {
    auto found = opcodes.find(opcode);
    return found == opcodes.end() ? 0 : found->second;
  }
};

struct CubinSummary {
  /// The architecture's number in the ELF flags: 80, 120, …
  unsigned architecture = 0;
  std::vector<CubinFunction> functions;

  const CubinFunction *find(llvm::StringRef name) const;
};

/// Errors: not an ELF64 file of CUDA's, truncated, or code that is no whole number of words.
llvm::Expected<CubinSummary> readCubin(llvm::ArrayRef<char> bytes);

//===----------------------------------------------------------------------===//
// The uniform grid in block-scaled MMAs
//===----------------------------------------------------------------------===//
//
// PTX has no name for codes on the uniform grid in an MMA with block scaling, E0M3, and no document
// describes it. On compute capability 12.x the assembled instruction of E2M1 codes, OMMA with four
// scales a row (`scale_vec::4X`), has a bit for each operand that says it: bit 78 for A, bit 79 for
// B. NVIDIA's disassembler 13.1.80 prints such words as `OMMA.SF.16864.F32.E0M3.E0M3.UE4M3.4X`.
// With two scales a row the same bits trap.
//
// So a kernel on the uniform grid is one of E2M1 whose MMAs are marked in LLVM IR, and whose cubin
// is rewritten. Its PTX computes something else.

/// The attribute of an operation, and the metadata `!{!"A", !"B"}` of its instruction, that marks
/// an MMA whose codes lie on the uniform grid.
inline constexpr llvm::StringLiteral kUniformCodesMark = "ufp4.e0m3";

struct MarkedKernel {
  std::string name;
  /// Its MMAs, all marked.
  unsigned mmas = 0;
};

/// The kernels with marks, in the module's order. Errors: a mark on another instruction than a
/// block-scaled MMA of E2M1 with four ue4m3 scales, on one of its operands only, outside a kernel,
/// or on some of a kernel's block-scaled MMAs.
llvm::Expected<std::vector<MarkedKernel>> findMarkedKernels(const llvm::Module &module);

/// Rewrites every OMMA of the kernels, and nothing else; reads the result back. Errors, after which
/// the cubin is as it was: it is no cubin or another chip's, a kernel is missing, has not as many
/// OMMAs as were emitted, or has one without four scales a row or that was rewritten already.
llvm::Error rewriteCubin(llvm::MutableArrayRef<char> cubin, const Chip &chip,
                         llvm::ArrayRef<MarkedKernel> kernels);

} // namespace ufp4::target

#endif // UFP4_TARGET_NVPTX_BINARY_H
