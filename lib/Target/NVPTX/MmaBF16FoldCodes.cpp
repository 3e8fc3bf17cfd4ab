//===- MmaBF16FoldCodes.cpp - mma.sync m16n8k16 on codes times scales -----===//
//
// Operands are those of the block-scaled MMAs: fragments of eight codes a register, 64 deep, and
// scales a word of four for each row and step, in either order. A register of codes becomes four of
// bf16, each code times its scale, which is exact: three significant bits times four. Which k a
// place of a fragment stands for is free where A and B agree, so pair q is of codes q and q + 4 of
// a register, which one mask takes out, and two pairs of one half of K make an MMA.
//
//   |code| · 2^-133 is a subnormal bf16, whose bits are the code's; a UE4M3 scale shifted by four
//   is a bf16 of the same significand, 2^120 times too small.
//
//===----------------------------------------------------------------------===//

#include "MmaSync.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

namespace {
class MmaBF16FoldCodes final : public MmaSync {
public:
  MmaBF16FoldCodes(llvm::StringRef spelling, const TileMajor4BitStorage &tiles)
      : MmaSync(tiles, SlabOrder::Lanes, SlabOrder::Lanes), spelling(spelling),
        wordsOfLoad(tiles.scaleOrder == TileMajor4BitStorage::ScaleOrder::Rows ? tiles.depth / k()
                                                                               : 1) {}

  llvm::StringRef name() const override { return spelling; }
  Path path() const override { return Path::Fold; }
  llvm::StringRef instruction() const override { return "mma.sync.m16n8k16 bf16"; }
  bool takes(const numerics::Scheme &scheme) const override {
    return scheme.format == numerics::Format::E1M2 && scheme.scale == numerics::ScaleKind::UE4M3 &&
           scheme.block == block;
  }
  /// One MMA, of a quarter of a fragment's codes.
  unsigned productDepth(unsigned) const override { return 16; }
  unsigned scalesDepth(unsigned) const override { return wordsOfLoad * k(); }
  unsigned operandRegisters(unsigned rows, unsigned columns) const override {
    // Of a step codes and scales, and of an MMA codes times scales.
    return (rows + columns) / 4 + (rows + columns) / 8 + (rows + columns) / 4;
  }
  /// Factors are 2^118 times as large, codes of one side 2^-133 times and of the other 2^-129.
  float factor(const numerics::Scheme &) const override { return 0x1p26f; }

  FragmentAddresses address(KernelBuilder &b, Side side, const WarpTile &tile, Value codes,
                            Value scales) const override {
    FragmentAddresses addresses;
    addresses.codes = addressCodes(b, side, tile, codes);
    // Of one row a lane loads all words, or one each of the four that are row g of a slab.
    Value row = wordsOfLoad == 1 ? laneOfRow(b, tile) : tile.lane;
    addresses.scales.push_back(b.at(scales, b.mul(b.add(tile.firstLineOf(side), row), rowBytes())));
    return addresses;
  }

  /// The words of row g of each slab: [slab][step].
  SmallVector<Value> loadScales(KernelBuilder &b, Side side, const WarpTile &tile,
                                const FragmentAddresses &addresses, Value stage,
                                unsigned group) const override {
    unsigned rows = tile.linesOf(side), bytes = rowBytes();
    int32_t first = group * TileMajorStorage::rows * bytes;
    SmallVector<Value> words;
    Value pointer = b.at(addresses.scales[0], stage);
    for (unsigned row = 0; row < rows; row += rowsPerGroup) {
      Value loaded = b.load(b.vector(wordsAtOnce, b.getI32Type()),
                            b.at(pointer, first + int32_t(row * bytes)), wordsAtOnce * 4);
      for (unsigned slab = 0; slab < slabsPerGroup; ++slab) {
        if (wordsOfLoad == 1) {
          words.push_back(b.element(loaded, slab));
          continue;
        }
        Value owner = b.bitOr(laneOfRow(b, tile), b.i32(slab));
        for (unsigned i = 0; i < wordsOfLoad; ++i)
          words.push_back(NVVM::ShflOp::create(b, b.getI32Type(), b.i32(-1), b.element(loaded, i),
                                               owner, b.i32(31), NVVM::ShflKind::idx, UnitAttr()));
      }
    }
    return words;
  }

  /// The registers of one MMA.
  void prepare(KernelBuilder &b, Side side, const WarpTile &tile, unsigned product,
               ArrayRef<Value> scales,
               SmallVectorImpl<SmallVector<Fragment>> &steps) const override {
    unsigned slabsOfFragment = side == Side::A ? 2 : 1;
    unsigned step = product / productsOfStep, half = product % productsOfStep / 2;
    for (auto [number, fragment] : llvm::enumerate(steps[0])) {
      Fragment expanded;
      for (unsigned pair : {product % 2 * 2, product % 2 * 2 + 1})
        for (unsigned i = 0; i < slabsOfFragment; ++i) {
          unsigned slab = number * slabsOfFragment + i;
          Value factors = factorsOf(b, tile, scales[slab * wordsOfLoad + step]);
          Value factor = LLVM::ShuffleVectorOp::create(
              b, factors, factors, ArrayRef<int32_t>{int32_t(half), int32_t(half)});
          Value codes = codesOf(b, side, fragment[half * slabsOfFragment + i], pair);
          expanded.push_back(toBits(b, b.mulF(codes, factor)));
        }
      fragment = std::move(expanded);
    }
  }

  Fragment zero(KernelBuilder &b) const override { return Fragment(4, b.f32(0)); }

  Fragment accumulate(KernelBuilder &b, unsigned i, unsigned j, unsigned,
                      const StepFragments &operands, const ScaleRegisters &,
                      const Fragment &sum) const override {
    return multiplyBF16(b, operands.lhs[0][i], operands.rhs[0][j], sum);
  }

private:
  static constexpr unsigned block = 16, productsOfStep = 4;
  /// 16 bytes.
  static constexpr unsigned wordsAtOnce = 4;

  unsigned rowBytes() const { return wordsOfLoad * 4; }

  static Type pairType(KernelBuilder &b) { return b.vector(2, b.getBF16Type()); }
  static Value toPair(KernelBuilder &b, Value bits) {
    return LLVM::BitcastOp::create(b, pairType(b), bits);
  }
  static Value toBits(KernelBuilder &b, Value pair) {
    return LLVM::BitcastOp::create(b, b.getI32Type(), pair);
  }
  /// Both halves alike.
  static Value pairOf(KernelBuilder &b, uint32_t half) {
    return toPair(b, b.i32(int32_t(half << 16 | half)));
  }

  /// Lane 4g, whose row in a group is row g of slab 0.
  static Value laneOfRow(KernelBuilder &b, const WarpTile &tile) {
    return b.bitAnd(tile.lane, -int64_t(slabsPerGroup));
  }

  /// Two scales of a row, 2^118 times as large: of the blocks that a lane's codes of each half of K
  /// are in.
  static Value factorsOf(KernelBuilder &b, const WarpTile &tile, Value word) {
    // Lanes t = 0 and 1 have codes of blocks 0 and 2, the others of 1 and 3.
    Value isLow = b.less(b.bitAnd(tile.lane, 3), 2);
    Value bytes = b.both(word, b.select(isLow, b.i32(0x007F007F), b.i32(0x7F007F00)));
    Value placed = LLVM::FshlOp::create(b, b.getI32Type(), bytes, bytes,
                                        b.select(isLow, b.i32(4), b.i32(32 - 4)));
    Value scaled = b.mulF(toPair(b, placed), pairOf(b, 0x7F00 /* 2^127 */));
    scaled = b.mulF(scaled, pairOf(b, 0x7700 /* 2^111 */));
    // 0x7F is NaN (F2), and the only one that this makes infinite.
    Value beyond = b.mulF(scaled, pairOf(b, 0x400D /* 2.203125 */));
    return b.fma(beyond, pairOf(b, 0), scaled);
  }

  /// Codes `pair` and `pair` + 4 of a register, 2^-133 times as large, or 2^-129 times: of A where
  /// `pair` is odd and of B where it is even, so that pairs share shifts.
  static Value codesOf(KernelBuilder &b, Side side, Value codes, unsigned pair) {
    unsigned place = (pair % 2 == 1) == (side == Side::A) ? 4 : 0;
    Value levels = pair || !place ? b.shr(codes, 4 * pair - place) : b.shl(codes, place);
    Value signs = b.shl(codes, 12 - 4 * pair);
    return toPair(
        b, b.bitOr(b.bitAnd(levels, 0x00070007 << place), b.bitAnd(signs, int32_t(0x80008000))));
  }

  const llvm::StringRef spelling;
  /// Of a row, which lie together: one for each step of a tile, or one.
  const unsigned wordsOfLoad;
};
} // namespace

const Mma &ufp4::target::mmaBF16FoldCodes() {
  static const MmaBF16FoldCodes mma("mma_m16n8k16_bf16_codes", tileMajor4BitStorage());
  return mma;
}

const Mma &ufp4::target::mmaBF16FoldCodesByWords() {
  static const MmaBF16FoldCodes mma("mma_m16n8k16_bf16_codes_words", tileMajor4BitWordsStorage());
  return mma;
}
