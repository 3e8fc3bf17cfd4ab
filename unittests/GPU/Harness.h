//===- Harness.h - GEMM kernels in the emulator -----------------*- C++ -*-===//

#ifndef UFP4_UNITTESTS_GPU_HARNESS_H
#define UFP4_UNITTESTS_GPU_HARNESS_H

#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"
#include "ufp4/Execution/Emulator/Emulator.h"
#include "ufp4/Numerics/Gemm.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"

#include <random>

namespace ufp4::testing {

/// A kernel built, translated and loaded into the emulator.
struct LoadedKernel {
  KernelInfo info;
  std::unique_ptr<emulator::EmulatedModule> module;
};

/// The kernel's LLVM module. Fails the test, and returns null, where a step fails.
std::unique_ptr<llvm::Module> translateKernel(const GemmKernelSpec &spec,
                                              llvm::LLVMContext &context, KernelInfo &info);

/// Fails the test, and returns no module, where a step fails.
LoadedKernel loadKernel(const GemmKernelSpec &spec);

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
/// and keep all sums below 2^24; others are random.
enum class Scales { Integers, Random };
Operand makeOperand(const numerics::Scheme &scheme, numerics::ViewShape shape, Scales scales,
                    unsigned seed);

struct GemmRun {
  std::vector<float> result;
  emulator::LaunchStats stats;
};

/// Runs the kernel on the operands. `c0` is what C holds before, for kernels that accumulate;
/// others must write every byte of C. The result is widened to f32.
GemmRun runGemm(LoadedKernel &kernel, const GemmKernelSpec &spec, const Operand &a,
                const Operand &b, const std::vector<float> &c0 = {}, float alpha = 1,
                uint64_t scheduleSeed = 0);

/// The exact products (G1).
std::vector<numerics::GemmBound> exactGemm(const Operand &a, const Operand &b,
                                           const std::vector<float> &c0 = {});

/// Every element conforms (G2).
void expectConforms(const GemmKernelSpec &spec, const GemmRun &run,
                    const std::vector<numerics::GemmBound> &exact);
/// Every element is the exact one.
void expectEqual(const GemmRun &run, const std::vector<numerics::GemmBound> &exact);

} // namespace ufp4::testing

#endif // UFP4_UNITTESTS_GPU_HARNESS_H
