//===- HotPath.h - Instructions that a kernel issues as a rule --*- C++ -*-===//
//
// Counts the instructions of a kernel on its longest way that enters no innermost loop; a
// quantize kernel has its rare cases in one. Where a loop lies around such loops, the way is one
// turn of it.
//
// Source of the encodings: NVIDIA's disassembler on cubins of ptxas 13.0 for sm_80 to sm_120.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_UNITTESTS_GPU_HOTPATH_H
#define UFP4_UNITTESTS_GPU_HOTPATH_H

#include "ufp4/Target/NVPTX/Binary.h"

#include <string>
#include <vector>

namespace ufp4::testing {

struct HotPath {
  /// Instructions of the way, and of the kernel, device functions that it calls among them; no NOP.
  unsigned instructions = 0, total = 0;
  bool isLoop = false;
};

HotPath findHotPath(const target::Cubin &cubin, llvm::StringRef kernel);
/// The same of AMDGCN, whose vector instructions alone are counted.
HotPath findHotPath(const target::Assembly &assembly, llvm::StringRef kernel);
/// All instructions of the innermost loop that has matrix instructions, mnemonics with their
/// operands, wherever its blocks lie.
std::vector<std::string> findMatrixLoop(const target::Assembly &assembly, llvm::StringRef kernel);

} // namespace ufp4::testing

#endif // UFP4_UNITTESTS_GPU_HOTPATH_H
