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

//===----------------------------------------------------------------------===//
// ptxas
//===----------------------------------------------------------------------===//

struct PtxasOptions {
  /// An executable; nothing else is searched when it is set.
  std::string path;
  /// Executables, or folders to look in: with ptxas, bin/ptxas, or the PyPI package
  /// nvidia-cuda-nvcc (a `site-packages`). Searched first, before those in the environment variable
  /// UFP4_PTXAS, which is such a list with the system's path separator.
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

/// There is no ptxas: kernels remain PTX. A pipeline may go on; the message says how to get one.
class PtxasNotFound : public llvm::ErrorInfo<PtxasNotFound> {
public:
  static char ID;
  explicit PtxasNotFound(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override;

private:
  std::string message;
};

/// The ptxas to run, as an absolute path. `PtxasNotFound` lists where it was looked for.
llvm::Expected<std::string> findPtxas(const PtxasOptions &options);

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

/// Runs ptxas in a temporary folder, which is removed. Errors: `PtxasNotFound`; what ptxas says,
/// each with the line of PTX and the kernel it is in; a run longer than the limit; a crash.
llvm::Expected<Cubin> assemble(llvm::StringRef ptx, const Chip &chip,
                               const PtxasOptions &options = {});

//===----------------------------------------------------------------------===//
// Reading cubins
//===----------------------------------------------------------------------===//

/// The instructions of one kernel or device function.
struct CubinFunction {
  std::string name;
  bool isKernel = false;
  /// Where `.text.NAME` lies in the file, in bytes.
  uint64_t offset = 0, size = 0;
  /// How many 16-byte words have which low 12 bits. Counts predicated forms together, NOPs and the
  /// padding behind the last branch too.
  std::map<unsigned, unsigned> opcodes;

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

} // namespace ufp4::target

#endif // UFP4_TARGET_NVPTX_BINARY_H
