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

namespace {
class MmaWmmaScaled final : public MmaScaledLanes {
public:
  MmaWmmaScaled(llvm::StringLiteral name, llvm::StringLiteral instruction,
                const LaneMajorScaledStorage &storage, unsigned block)
      : MmaScaledLanes(name, Path::Container, instruction, storage, block) {}

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
    Value format = b.i32(2), half = b.i32(product), isE8M0 = b.i32(0);
    Value asItIs = arith::ConstantOp::create(b, b.getI16IntegerAttr(0));
    Value no = arith::ConstantOp::create(b, b.getBoolAttr(false));
    return {
        callIntrinsic(b, sum[0].getType(), name,
                      {format, operands.rhs[0][j][0], format, operands.lhs[0][i][0], asItIs, sum[0],
                       half, isE8M0, scales.rhs[j], half, isE8M0, scales.lhs[i], no, no})};
  }
};
} // namespace

const Mma &ufp4::target::mmaWmmaE2M3Scaled32() {
  static const MmaWmmaScaled mma("wmma_16x16x128_e2m3_split",
                                 "v_wmma_scale_f32_16x16x128_f8f6f4 fp6",
                                 laneMajorSplitWmmaStorage(), 32);
  return mma;
}

const Mma &ufp4::target::mmaWmmaE2M3Scaled16() {
  static const MmaWmmaScaled mma("wmma_16x16x128_e2m3_split",
                                 "v_wmma_scale16_f32_16x16x128_f8f6f4 fp6",
                                 laneMajorSplitWmmaStorage(), 16);
  return mma;
}
