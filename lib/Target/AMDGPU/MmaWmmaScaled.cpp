//===- MmaWmmaScaled.cpp - v_wmma_scale[16]_f32_16x16x128_f8f6f4 ----------===//
//
// Half of the lanes, which the instruction names, give the scales of a row each: those of the
// tile's first step, or of its second. Lane l holds of a result column l % 16 and rows 8 (l / 16)
// to 8 (l / 16) + 7 (AMD, CDNA 5 ISA, 7.12.2).
//
// Only two operands of E2M1 take other scales than E8M0; LLVM 22 assembles them for E2M3 too.
//
//===----------------------------------------------------------------------===//

#include "MmaScaledLanes.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

using numerics::ScaleKind;

namespace {
class MmaWmmaScaled final : public MmaScaledLanes {
public:
  MmaWmmaScaled(llvm::StringLiteral name, Path path, llvm::StringLiteral instruction,
                const LaneMajorScaledStorage &storage, unsigned block,
                ScaleKind scale = ScaleKind::UE8M0)
      : MmaScaledLanes(name, path, instruction, storage, block), scale(scale) {}

  bool takes(const numerics::Scheme &scheme) const override {
    return MmaScaledLanes::takes(scheme) && scheme.scale == scale;
  }
  unsigned runLength() const override { return 8; }

  /// The scheduler would load and expand the second step's before the first one's products, and
  /// spill.
  SmallVector<Fragment> loadFragments(KernelBuilder &b, Side side, const WarpTile &tile,
                                      const FragmentAddresses &addresses, Value stage,
                                      unsigned step) const override {
    if (side == Side::A && step)
      callIntrinsic(b, Type(), "llvm.amdgcn.sched.barrier", b.i32(0));
    return MmaScaledLanes::loadFragments(b, side, tile, addresses, stage, step);
  }

  Fragment accumulate(KernelBuilder &b, unsigned i, unsigned j, unsigned product,
                      const StepFragments &operands, const ScaleRegisters &scales,
                      const Fragment &sum) const override {
    std::string vector = "v" + std::to_string(wordsOfFragment()) + "i32";
    std::string name = std::string("llvm.amdgcn.wmma.scale") + (block == 16 ? "16" : "") +
                       ".f32.16x16x128.f8f6f4.v8f32." + vector + "." + vector;
    // As the instruction numbers formats: E2M3 and E2M1, E8M0 and E4M3.
    Value format = b.i32(isContainer() ? 2 : 4), half = b.i32(product),
          ofScales = b.i32(scale == ScaleKind::UE8M0 ? 0 : 2);
    Value asItIs = arith::ConstantOp::create(b, b.getI16IntegerAttr(0));
    Value no = arith::ConstantOp::create(b, b.getBoolAttr(false));
    return {
        callIntrinsic(b, sum[0].getType(), name,
                      {format, operands.rhs[0][j][0], format, operands.lhs[0][i][0], asItIs, sum[0],
                       half, ofScales, scales.rhs[j], half, ofScales, scales.lhs[i], no, no})};
  }

private:
  const ScaleKind scale;
};
} // namespace

const Mma &ufp4::target::mmaWmmaE2M1Scaled32() {
  static const MmaWmmaScaled mma("wmma_16x16x128_e2m1", Path::Native,
                                 "v_wmma_scale_f32_16x16x128_f8f6f4 fp4",
                                 laneMajorE2M1WmmaStorage(), 32);
  return mma;
}

const Mma &ufp4::target::mmaWmmaE2M1Scaled16() {
  static const MmaWmmaScaled mma("wmma_16x16x128_e2m1", Path::Native,
                                 "v_wmma_scale16_f32_16x16x128_f8f6f4 fp4",
                                 laneMajorE2M1WmmaStorage(), 16);
  return mma;
}

const Mma &ufp4::target::mmaWmmaE2M1Scaled16UE4M3() {
  static const MmaWmmaScaled mma("wmma_16x16x128_e2m1_ue4m3", Path::Native,
                                 "v_wmma_scale16_f32_16x16x128_f8f6f4 fp4",
                                 laneMajorE2M1WmmaStorage(), 16, ScaleKind::UE4M3);
  return mma;
}

const Mma &ufp4::target::mmaWmmaE2M3Scaled32() {
  static const MmaWmmaScaled mma("wmma_16x16x128_e2m3_split", Path::Container,
                                 "v_wmma_scale_f32_16x16x128_f8f6f4 fp6",
                                 laneMajorSplitWmmaStorage(), 32);
  return mma;
}

const Mma &ufp4::target::mmaWmmaE2M3Scaled16() {
  static const MmaWmmaScaled mma("wmma_16x16x128_e2m3_split", Path::Container,
                                 "v_wmma_scale16_f32_16x16x128_f8f6f4 fp6",
                                 laneMajorSplitWmmaStorage(), 16);
  return mma;
}
