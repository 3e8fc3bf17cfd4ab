//===- MmaFP8Post.cpp - v_mfma_f32_32x32x16_fp8_fp8 on codes --------------===//
//
// An MFMA is 16 deep, so a block of scales takes one or two, into zeros. The scales' products come
// from v_mfma_f32_32x32x1_2b_f32, two blocks at a time and in the order of the sums, which f32 FMAs
// then add up.
//
// Of a scale lane l holds that of row l % 32 of block l / 32 (Mfma.h has the rest).
//
//===----------------------------------------------------------------------===//

#include "Mfma.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

using Storage = LaneMajorFP8Storage;

/// A product of bytes is 2^-16 (as fnuz 2^-18) times that of their levels. Made good in the scales
/// alone the largest would overflow; in the result alone small sums would lose bits below 2^-126.
/// G2's scales, below 2^124.2 by what a block's values may be, bear 2^3 each, and their products,
/// up to 2^120, twice that.
static constexpr float scaleFactor = 0x1p3f;
static constexpr float resultFactor = 0x1p10f, resultFactorFnuz = 0x1p12f;

namespace {
class MmaFP8Post final : public Mfma32 {
public:
  explicit MmaFP8Post(bool fnuz) : Mfma32(laneMajorFP8Storage()), fnuz(fnuz) {}

  llvm::StringRef name() const override {
    return fnuz ? "mfma_32x32x16_fp8_fnuz" : "mfma_32x32x16_fp8";
  }
  Path path() const override { return Path::Post; }
  llvm::StringRef instruction() const override {
    return fnuz ? "v_mfma_f32_32x32x16_fp8_fp8 fnuz" : "v_mfma_f32_32x32x16_fp8_fp8";
  }
  /// Two blocks.
  unsigned productDepth(unsigned block) const override { return 2 * block; }
  unsigned scalesDepth(unsigned block) const override { return 2 * block; }
  unsigned operandRegisters(unsigned rows, unsigned columns) const override {
    // Fragments and scales; products of two blocks and of their scales.
    return (rows + columns) / 32 * 5 + 2 * 16 + 2 * 16;
  }

  FragmentAddresses address(KernelBuilder &b, Side side, const WarpTile &tile, Value codes,
                            Value scales) const override {
    static_assert(Storage::scaleGroupBytes % 32 == 0);
    Value group = b.mul(tile.firstLineOf(side), Storage::scaleGroupBytes / 32);
    FragmentAddresses addresses;
    addresses.codes.push_back(addressCodes(b, side, tile, codes));
    addresses.scales.push_back(b.at(scales, b.add(group, b.shl(tile.lane, 2))));
    return addresses;
  }

  SmallVector<Fragment> loadFragments(KernelBuilder &b, Side side, const WarpTile &tile,
                                      const FragmentAddresses &addresses, Value stage,
                                      unsigned step) const override {
    SmallVector<Fragment> fragments;
    Type type = b.vector(2, b.getI64Type());
    for (Value piece : loadPieces(b, side, tile, addresses, stage, step, type))
      fragments.push_back({b.element(piece, 0), b.element(piece, 1)});
    return fragments;
  }

  SmallVector<Value> loadScales(KernelBuilder &b, Side side, const WarpTile &tile,
                                const FragmentAddresses &addresses, Value stage,
                                unsigned line) const override {
    Value pointer = b.at(addresses.scales[0], stage);
    SmallVector<Value> scales;
    for (unsigned i = 0; i < tile.linesOf(side) / 32; ++i) {
      int32_t offset = line * Storage::scaleLineBytes + i * Storage::scaleGroupBytes;
      Value loaded = loadShared(b, b.getF32Type(), b.at(pointer, offset), 4);
      scales.push_back(b.mulF(loaded, b.f32(scaleFactor)));
    }
    return scales;
  }

  Fragment accumulate(KernelBuilder &b, unsigned i, unsigned j, unsigned,
                      const StepFragments &operands, const ScaleRegisters &scales,
                      const Fragment &sum) const override {
    Value factors =
        emitMfma(b, "llvm.amdgcn.mfma.f32.32x32x1f32", scales.rhs[j], scales.lhs[i], zeros(b, 32));
    // Halves of one step are two blocks, or steps are.
    bool isShort = operands.lhs.size() == 1;
    Value result = sum[0];
    for (unsigned block = 0; block < 2; ++block) {
      Value product = zeros(b, 16);
      for (unsigned part = 0; part < (isShort ? 1 : 2); ++part) {
        unsigned step = isShort ? 0 : block, half = isShort ? block : part;
        product = emitMfma(b, "llvm.amdgcn.mfma.f32.32x32x16.fp8.fp8", operands.rhs[step][j][half],
                           operands.lhs[step][i][half], product);
      }
      SmallVector<int32_t, 16> lanes;
      for (unsigned r = 0; r < 16; ++r)
        lanes.push_back(16 * block + r);
      Value factor = LLVM::ShuffleVectorOp::create(b, factors, factors, lanes);
      result = b.fma(product, factor, result);
    }
    // The scheduler would begin all products of a step before it adds one up, and spill.
    callIntrinsic(b, Type(), "llvm.amdgcn.sched.barrier", b.i32(0));
    return {result};
  }

  Accumulators runs(KernelBuilder &b, const WarpTile &tile,
                    ArrayRef<Fragment> sums) const override {
    Accumulators all = Mfma32::runs(b, tile, sums);
    Value factor = b.f32(fnuz ? resultFactorFnuz : resultFactor);
    for (Accumulators::Run &run : all.runs)
      for (Value &value : run.values)
        value = b.mulF(value, factor);
    return all;
  }

private:
  const bool fnuz;
};
} // namespace

const Mma &ufp4::target::mmaFP8Post() {
  static const MmaFP8Post mma(/*fnuz=*/false);
  return mma;
}

const Mma &ufp4::target::mmaFP8FnuzPost() {
  static const MmaFP8Post mma(/*fnuz=*/true);
  return mma;
}
