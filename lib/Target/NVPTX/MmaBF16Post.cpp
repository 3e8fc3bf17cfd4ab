//===- MmaBF16Post.cpp - mma.sync m16n8k16 on bf16 codes ------------------===//
//
// Products of one block, then f32 FMAs by s_a · s_b. Slabs of A lie as lanes, so a lane's scales of
// A are four neighbours; those of B are eight, columns 2t and 2t + 1 of a slab in adjacent
// registers.
//
//===----------------------------------------------------------------------===//

#include "MmaSync.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

namespace {
class MmaBF16Post final : public MmaSync {
public:
  /// `pairs`: sums are vectors of two f32, columns 2t and 2t + 1 of a row.
  explicit MmaBF16Post(bool pairs)
      : MmaSync(tileMajorStorage(), SlabOrder::Lanes, SlabOrder::Pairs), pairs(pairs) {}

  llvm::StringRef name() const override {
    return pairs ? "mma_m16n8k16_bf16_f32x2" : "mma_m16n8k16_bf16";
  }
  Path path() const override { return Path::Post; }
  llvm::StringRef instruction() const override { return "mma.sync.m16n8k16 bf16"; }
  bool runsOn(const Chip &chip) const override {
    return Mma::runsOn(chip) && (!pairs || chip.has(Feature::PackedF32));
  }
  unsigned productDepth(unsigned block) const override { return block; }
  unsigned scalesDepth(unsigned block) const override { return block; }
  unsigned operandRegisters(unsigned rows, unsigned columns) const override {
    return rows / 4 + columns / 4 + rows / 8 + columns / 4;
  }

  FragmentAddresses address(KernelBuilder &b, Side side, const WarpTile &tile, Value codes,
                            Value scales) const override {
    FragmentAddresses addresses;
    addresses.codes = addressCodes(b, side, tile, codes);
    // Of A the scales of rows 4g …, of B those of columns 8t …
    bool isA = side == Side::A;
    Value line = b.at(scales, b.shl(isA ? tile.firstRow : tile.firstColumn, 2));
    addresses.scales.push_back(
        b.at(line, isA ? b.shl(rowOfLane(b, tile), 4) : b.shl(columnPairOfLane(b, tile), 5)));
    return addresses;
  }

  /// A: one scale a slab. B: two a slab, of columns 2t and 2t + 1.
  SmallVector<Value> loadScales(KernelBuilder &b, Side side, const WarpTile &tile,
                                const FragmentAddresses &addresses, Value stage,
                                unsigned line) const override {
    unsigned rows = tile.linesOf(side);
    unsigned perSlab = side == Side::A ? 1 : 2;
    SmallVector<Value> scales;
    Value pointer = b.at(addresses.scales[0], stage);
    for (unsigned group = 0; group < rows / rowsPerGroup; ++group)
      for (unsigned i = 0; i < perSlab; ++i) {
        int32_t offset =
            line * TileMajorBF16Storage::scaleLineBytes + group * rowsPerGroup * 4 + i * 16;
        Value loaded = b.load(b.vector(4, b.getF32Type()), b.at(pointer, offset), 16);
        for (unsigned x = 0; x < 4; ++x)
          scales.push_back(b.element(loaded, x));
      }
    return scales;
  }

  Fragment zero(KernelBuilder &b) const override {
    if (!pairs)
      return Fragment(4, b.f32(0));
    auto type = b.vector(2, b.getF32Type());
    return Fragment(2, arith::ConstantOp::create(b, b.getZeroAttr(type)));
  }

  Fragment accumulate(KernelBuilder &b, unsigned i, unsigned j, unsigned,
                      const StepFragments &operands, const ScaleRegisters &scales,
                      const Fragment &sum) const override {
    Fragment product(4, b.f32(0));
    for (auto [lhs, rhs] : llvm::zip_equal(operands.lhs, operands.rhs))
      product = multiplyBF16(b, lhs[i], rhs[j], product);
    Fragment scaled;
    if (pairs) {
      Value factorB = b.join({scales.rhs[2 * j], scales.rhs[2 * j + 1]});
      for (unsigned half = 0; half < 2; ++half) {
        Value scaleA = scales.lhs[2 * i + half];
        Value factor = b.mulF(b.join({scaleA, scaleA}), factorB);
        scaled.push_back(
            b.fma(b.join({product[2 * half], product[2 * half + 1]}), factor, sum[half]));
      }
      return scaled;
    }
    for (unsigned r = 0; r < 4; ++r) {
      Value factor = b.mulF(scales.lhs[2 * i + r / 2], scales.rhs[2 * j + r % 2]);
      scaled.push_back(b.fma(product[r], factor, sum[r]));
    }
    return scaled;
  }

protected:
  SmallVector<Value, 4> registersOfSum(KernelBuilder &b, const Fragment &sum) const override {
    if (!pairs)
      return sum;
    return {b.element(sum[0], 0), b.element(sum[0], 1), b.element(sum[1], 0), b.element(sum[1], 1)};
  }

private:
  const bool pairs;
};
} // namespace

const Mma &ufp4::target::mmaBF16Post() {
  static const MmaBF16Post mma(/*pairs=*/false);
  return mma;
}

const Mma &ufp4::target::mmaBF16PostPairs() {
  static const MmaBF16Post mma(/*pairs=*/true);
  return mma;
}
