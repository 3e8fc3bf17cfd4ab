//===- MmaMfmaScaled.cpp - v_mfma_scale_f32_32x32x64_f8f6f4 ---------------===//
//
// Lane l gives of the scales of a row l % 32 that of block l / 32, in the byte that the instruction
// names, and holds of a result column l % 32 and rows 8 (r / 4) + 4 (l / 32) + r % 4 (AMD, CDNA 4
// ISA, "Matrix Arithmetic Instructions").
//
//===----------------------------------------------------------------------===//

#include "MmaScaledLanes.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

namespace {
class MmaMfmaScaled final : public MmaScaledLanes {
public:
  MmaMfmaScaled(llvm::StringLiteral name, Path path, llvm::StringLiteral instruction,
                const LaneMajorScaledStorage &storage)
      : MmaScaledLanes(name, path, instruction, storage, /*block=*/32) {}

  unsigned runLength() const override { return 4; }

  Fragment accumulate(KernelBuilder &b, unsigned i, unsigned j, unsigned product,
                      const StepFragments &operands, const ScaleRegisters &scales,
                      const Fragment &sum) const override {
    // As cbsz and blgp number formats.
    Value format = b.i32(isContainer() ? 2 : 4), byte = b.i32(product);
    std::string vector = "v" + std::to_string(wordsOfFragment()) + "i32";
    std::string name = "llvm.amdgcn.mfma.scale.f32.32x32x64.f8f6f4." + vector + "." + vector;
    return {callIntrinsic(b, sum[0].getType(), name,
                          {operands.rhs[0][j][0], operands.lhs[0][i][0], sum[0], format, format,
                           byte, scales.rhs[j], byte, scales.lhs[i]})};
  }
};
} // namespace

const Mma &ufp4::target::mmaMfmaE2M1() {
  static const MmaMfmaScaled mma("mfma_32x32x64_e2m1", Path::Native,
                                 "v_mfma_scale_f32_32x32x64_f8f6f4 fp4", laneMajorE2M1Storage());
  return mma;
}

const Mma &ufp4::target::mmaMfmaE2M3Split() {
  static const MmaMfmaScaled mma("mfma_32x32x64_e2m3_split", Path::Container,
                                 "v_mfma_scale_f32_32x32x64_f8f6f4 fp6", laneMajorSplitStorage());
  return mma;
}

const Mma &ufp4::target::mmaMfmaE2M3() {
  static const MmaMfmaScaled mma("mfma_32x32x64_e2m3", Path::Container,
                                 "v_mfma_scale_f32_32x32x64_f8f6f4 fp6", laneMajorE2M3Storage());
  return mma;
}
