//===- RewriteCubin.cpp - The uniform grid in assembled MMAs --------------===//

#include "ufp4/Target/NVPTX/Binary.h"

#include "ufp4/Support/Error.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ufp4;
using namespace ufp4::target;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

static constexpr StringRef kScaledMma = "llvm.nvvm.mma.block.scale.";
/// The one that can be marked.
static constexpr StringRef kMarkedMma =
    "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3";

static StringRef calleeOf(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : StringRef();
}

static bool marksBothOperands(const llvm::MDNode &mark) {
  bool a = false, b = false;
  for (const llvm::MDOperand &operand : mark.operands())
    if (auto *name = llvm::dyn_cast_or_null<llvm::MDString>(operand)) {
      a |= name->getString() == "A";
      b |= name->getString() == "B";
    }
  return a && b;
}

Expected<std::vector<MarkedKernel>> ufp4::target::findMarkedKernels(const llvm::Module &module) {
  std::vector<MarkedKernel> kernels;
  for (const llvm::Function &function : module) {
    MarkedKernel kernel{function.getName().str()};
    unsigned scaled = 0;
    auto refuse = [&](const llvm::Twine &why) {
      return fail("function " + function.getName() + ": " + why);
    };
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      StringRef callee = calleeOf(instruction);
      scaled += callee.starts_with(kScaledMma);
      const llvm::MDNode *mark = instruction.getMetadata(kUniformCodesMark);
      // Products on tensor memory say so in their descriptors.
      if (!mark || callee.starts_with("llvm.nvvm.tcgen05.mma."))
        continue;
      if (callee != kMarkedMma)
        return refuse("only " + kMarkedMma + " can have codes on the uniform grid, '" +
                      kUniformCodesMark + "' marks " +
                      (callee.empty() ? StringRef("another instruction") : callee));
      if (!marksBothOperands(*mark))
        return refuse("expected '" + kUniformCodesMark + "' to mark both operands, A and B");
      ++kernel.mmas;
    }
    if (!kernel.mmas)
      continue;
    if (function.getCallingConv() != llvm::CallingConv::PTX_Kernel)
      return refuse("its MMAs are marked as on the uniform grid, and it is no kernel");
    if (kernel.mmas != scaled)
      return refuse("expected all of its " + llvm::Twine(scaled) +
                    " block-scaled MMAs to be marked as on the uniform grid, found " +
                    llvm::Twine(kernel.mmas));
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// OMMA.SF, in the low 12 bits.
static constexpr unsigned kOMMA = 0x47f, kOpcodeMask = 0xfff;
static constexpr unsigned kWordBytes = 16;
/// Bits of the upper half of a word, which begins at bit 64: codes of A and of B on the uniform
/// grid; four ue4m3 scales a row; ue8m0 scales, two a row.
static constexpr uint64_t bit(unsigned number) { return uint64_t(1) << (number - 64); }
static constexpr uint64_t kUniform = bit(78) | bit(79), kFourScales = bit(82), kTwoScales = bit(83);

static bool hasUniformOMMA(const Chip &chip) {
  return llvm::any_of(chip.paths, [](const PathCapability &row) {
    return row.path == Path::Native && StringRef(row.instruction).ends_with("OMMA.E0M3");
  });
}

/// Why a word is none to be rewritten; empty if it is.
static std::string explainWord(uint64_t upper) {
  if (upper & kTwoScales || !(upper & kFourScales))
    return "expected an OMMA with four scales a row (4X: bit 82 set, bit 83 clear), found one "
           "without, which would trap on the uniform grid";
  if (upper & kUniform)
    return "expected codes of E2M1 (bits 78 and 79 clear): it was rewritten already";
  return {};
}

/// Calls `visit` with the place in the file of each OMMA of a function.
static void forEachOMMA(llvm::ArrayRef<char> cubin, const CubinFunction &function,
                        llvm::function_ref<void(uint64_t)> visit) {
  for (uint64_t at = function.offset; at < function.offset + function.size; at += kWordBytes)
    if ((llvm::support::endian::read16le(cubin.data() + at) & kOpcodeMask) == kOMMA)
      visit(at);
}

/// The places of the words to rewrite.
static Expected<std::vector<uint64_t>> findWords(llvm::ArrayRef<char> cubin,
                                                 const CubinSummary &summary,
                                                 llvm::ArrayRef<MarkedKernel> kernels) {
  std::vector<uint64_t> places;
  for (const MarkedKernel &kernel : kernels) {
    auto refuse = [&](const llvm::Twine &why) {
      return fail("the cubin's kernel " + kernel.name + " is not rewritten: " + why);
    };
    const CubinFunction *function = summary.find(kernel.name);
    if (!function || !function->isKernel)
      return fail("the cubin has no kernel " + kernel.name);
    if (function->count(kOMMA) != kernel.mmas)
      return refuse("expected " + llvm::Twine(kernel.mmas) +
                    " OMMAs, as many as were emitted, found " +
                    llvm::Twine(function->count(kOMMA)));
    std::string problem;
    forEachOMMA(cubin, *function, [&](uint64_t at) {
      std::string why = explainWord(llvm::support::endian::read64le(cubin.data() + at + 8));
      if (problem.empty() && !why.empty())
        problem = llvm::formatv("instruction {0:x4}: {1}", at - function->offset, why);
      places.push_back(at);
    });
    if (!problem.empty())
      return refuse(problem);
  }
  return places;
}

/// Whether `after` is `before` with the bits set in the words at `places`, and nothing else.
static Error verifyRewritten(llvm::ArrayRef<char> before, llvm::ArrayRef<char> after,
                             const CubinSummary &summary, llvm::ArrayRef<MarkedKernel> kernels,
                             llvm::ArrayRef<uint64_t> places) {
  Expected<CubinSummary> read = readCubin(after);
  if (!read)
    return read.takeError();
  for (const MarkedKernel &kernel : kernels)
    if (read->find(kernel.name)->opcodes != summary.find(kernel.name)->opcodes)
      return fail("kernel " + kernel.name + " has other instructions after it was rewritten");
  std::vector<char> expected(before.begin(), before.end());
  for (uint64_t at : places)
    llvm::support::endian::write64le(expected.data() + at + 8,
                                     llvm::support::endian::read64le(before.data() + at + 8) |
                                         kUniform);
  if (!llvm::equal(expected, after))
    return fail("the cubin differs in other bits than those of codes after it was rewritten");
  return Error::success();
}

Error ufp4::target::rewriteCubin(llvm::MutableArrayRef<char> cubin, const Chip &chip,
                                 llvm::ArrayRef<MarkedKernel> kernels) {
  if (!hasUniformOMMA(chip))
    return fail(chip.name + " has no OMMA on the uniform grid: its cubins are not rewritten");
  Expected<CubinSummary> summary = readCubin(cubin);
  if (!summary)
    return summary.takeError();
  if (std::string found = "sm_" + std::to_string(summary->architecture);
      found != StringRef(chip.name).rtrim('a'))
    return fail("the cubin is for " + found + ", expected one for " + chip.name);
  Expected<std::vector<uint64_t>> places = findWords(cubin, *summary, kernels);
  if (!places)
    return places.takeError();
  const std::vector<char> before(cubin.begin(), cubin.end());
  for (uint64_t at : *places) {
    char *upper = cubin.data() + at + 8;
    llvm::support::endian::write64le(upper, llvm::support::endian::read64le(upper) | kUniform);
  }
  if (Error error = verifyRewritten(before, cubin, *summary, kernels, *places)) {
    llvm::copy(before, cubin.begin());
    return error;
  }
  return Error::success();
}
