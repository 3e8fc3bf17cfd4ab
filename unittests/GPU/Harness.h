//===- Harness.h - Kernels in the emulator -----------------------*- C++ -*-===//

#ifndef UFP4_UNITTESTS_GPU_HARNESS_H
#define UFP4_UNITTESTS_GPU_HARNESS_H

#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"
#include "ufp4/Execution/Emulator/Emulator.h"
#include "ufp4/Numerics/Gemm.h"
#include "ufp4/Target/NVPTX/Binary.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"

#include <random>

namespace ufp4::testing {

/// The LLVM module of the kernels that `build` puts into a module. Fails the test, and returns
/// null, where a step fails.
using BuildKernels = llvm::function_ref<mlir::LogicalResult(mlir::OpBuilder &, mlir::Location)>;
std::unique_ptr<llvm::Module> translateKernels(const target::Chip &chip, llvm::LLVMContext &context,
                                               BuildKernels build);
/// The same, loaded into the emulator; `edit` changes the module first.
std::unique_ptr<emulator::EmulatedModule>
loadKernels(const target::Chip &chip, BuildKernels build,
            llvm::function_ref<void(llvm::Module &)> edit = nullptr);

/// A GEMM kernel loaded into the emulator.
struct LoadedKernel {
  KernelInfo info;
  std::unique_ptr<emulator::EmulatedModule> module;
};

std::unique_ptr<llvm::Module> translateKernel(const GemmKernelSpec &spec,
                                              llvm::LLVMContext &context, KernelInfo &info);
LoadedKernel loadKernel(const GemmKernelSpec &spec,
                        llvm::function_ref<void(llvm::Module &)> edit = nullptr);

/// A kernel as the assembler makes it.
struct AssembledKernel {
  KernelInfo info;
  target::PTX ptx;
  target::Cubin cubin;
  target::KernelUsage usage;
  target::CubinFunction code;
};
/// Of one kernel, whose marked instructions are rewritten. Fails the test, and returns nothing,
/// where a step fails or the assembler spills registers; needs ptxas.
std::optional<AssembledKernel> assembleKernel(const GemmKernelSpec &spec);
/// Skips a test that cannot assemble.
#define UFP4_NEED_PTXAS()                                                                          \
  if (auto ptxas = target::findPtxas({}); !ptxas)                                                  \
  GTEST_SKIP() << llvm::toString(ptxas.takeError())

/// Codes and scales of an operand, as numerics lays them out.
struct Operand {
  numerics::Scheme scheme;
  numerics::ViewShape shape;
  numerics::Quantized data;

  numerics::QuantizedView view() const {
    return {data.codes.data(), data.scales(), data.global, shape, scheme};
  }
};

/// Random codes, the padding of K zero. Integer scales differ between neighbouring rows and blocks,
/// and keep all sums below 2^24; powers of two from 1/2 to 4 do so for any depth below 2^12; others
/// are random.
enum class Scales { Integers, Powers, Random };
Operand makeOperand(const numerics::Scheme &scheme, numerics::ViewShape shape, Scales scales,
                    unsigned seed);

struct GemmRun {
  std::vector<float> result;
  emulator::LaunchStats stats;
};

/// A bias that no two columns of a tile share: integers up to 125.
std::vector<float> makeBias(int64_t n);

/// What a launch gets beside the operands.
struct GemmInputs {
  /// What C holds before, for kernels that accumulate; others must write every byte of C.
  std::vector<float> c0;
  float alpha = 1;
  /// [N], values of the kernel's type of bias.
  std::vector<float> bias;
  uint64_t scheduleSeed = 0;
  /// In place of the transport's, for tensor maps.
  std::optional<unsigned> swizzle;
  emulator::Takeover takeover = emulator::Takeover::Random;
  /// Of a launch.
  emulator::Dim3 cluster = {1, 1, 1};
  /// Whether to count sectors and wavefronts, which takes a while.
  bool memoryStatistics = true;
};

/// The planes of an operand in a storage.
using Planes = std::vector<std::vector<uint8_t>>;

/// Runs the kernel on the operands. The result is widened to f32.
GemmRun runGemm(LoadedKernel &kernel, const GemmKernelSpec &spec, const Operand &a,
                const Operand &b, const GemmInputs &inputs = {});
/// The same on packed planes, which are as long as the storage says. Fails with the emulator's
/// fault.
llvm::Expected<GemmRun> launchGemm(LoadedKernel &kernel, const GemmKernelSpec &spec,
                                   const Operand &a, const Operand &b, const Planes &planesA,
                                   const Planes &planesB, const GemmInputs &inputs);

/// The exact products (G1), with alpha, bias and C0.
std::vector<numerics::GemmBound> exactGemm(const Operand &a, const Operand &b,
                                           const GemmInputs &inputs = {});

/// Every element conforms (G2).
void expectConforms(const GemmKernelSpec &spec, const GemmRun &run,
                    const std::vector<numerics::GemmBound> &exact);
/// Every element is the exact one, rounded once to the kernel's result.
void expectEqual(const GemmRun &run, const std::vector<numerics::GemmBound> &exact,
                 numerics::Element result = numerics::Element::F32);

/// Q4: a poisoned block, codes 0 and scale NaN, reaches every element that reads it, and no other.
void expectPoisonIsNotLost(const GemmKernelSpec &spec);
/// What becomes of a product [m, n, k] of exact operands by a kernel whose module `edit` changes:
/// `equal`, `differs`, or the emulator's word for the fault.
std::string outcomeOf(const GemmKernelSpec &spec, std::array<int64_t, 3> extents,
                      llvm::function_ref<void(llvm::Module &)> edit, uint64_t scheduleSeed,
                      std::optional<unsigned> swizzle = std::nullopt,
                      emulator::Takeover takeover = emulator::Takeover::Random);
/// The calls of intrinsics whose names begin so, in the order of the module; one at least.
std::vector<llvm::CallInst *> callsOf(llvm::Module &module, llvm::StringRef prefix);

} // namespace ufp4::testing

#endif // UFP4_UNITTESTS_GPU_HARNESS_H
