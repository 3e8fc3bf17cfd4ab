//===- MmaBF16FoldCodes.cpp - mma.sync m16n8k16 on codes times scales -----===//
//
// Operands are those of the block-scaled MMAs: fragments of eight codes a register, 64 deep, and
// scales a word of four for each row and step, in either order. A register of codes becomes four of
// bf16, each code times its scale, which is exact: three significant bits times four. Which k a
// place of a fragment stands for is free where A and B agree, so pair q is of codes q and q + 4 of
// a register, which one mask takes out.
//
//   |code| · s = (128 + |code|) · s - 128 · s, rounded once: 0x4300 | |code| is 128 + |code|.
//
// A UE4M3 scale shifted by four is a bf16 of the same significand, 2^120 times too small.
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
  unsigned productDepth(unsigned) const override { return k(); }
  unsigned scalesDepth(unsigned) const override { return wordsOfLoad * k(); }
  unsigned operandRegisters(unsigned rows, unsigned columns) const override {
    return rows + columns + (rows + columns) / rowsPerGroup * wordsOfLoad;
  }

  FragmentAddresses address(KernelBuilder &b, Side side, const WarpTile &tile, Value codes,
                            Value scales) const override {
    FragmentAddresses addresses;
    addresses.codes = addressCodes(b, side, tile, codes);
    Value line = b.add(tile.firstLineOf(side), tile.lane);
    addresses.scales.push_back(b.at(scales, b.mul(line, rowBytes())));
    return addresses;
  }

  /// The words of row l in lane l: [group of 32 rows][step].
  SmallVector<Value> loadScales(KernelBuilder &b, Side side, const WarpTile &tile,
                                const FragmentAddresses &addresses, Value stage,
                                unsigned group) const override {
    unsigned rows = tile.linesOf(side), bytes = rowBytes();
    int32_t first = group * TileMajorStorage::rows * bytes;
    SmallVector<Value> words;
    Value pointer = b.at(addresses.scales[0], stage);
    for (unsigned row = 0; row < rows; row += rowsPerGroup) {
      Value loaded = b.load(b.vector(wordsOfLoad, b.getI32Type()),
                            b.at(pointer, first + int32_t(row * bytes)), bytes);
      for (unsigned i = 0; i < wordsOfLoad; ++i)
        words.push_back(b.element(loaded, i));
    }
    return words;
  }

  /// Registers [pair][register of the MMA].
  void prepare(KernelBuilder &b, Side side, const WarpTile &tile, unsigned step,
               ArrayRef<Value> scales,
               SmallVectorImpl<SmallVector<Fragment>> &steps) const override {
    unsigned slabsOfFragment = side == Side::A ? 2 : 1;
    for (auto [number, fragment] : llvm::enumerate(steps[0])) {
      SmallVector<std::array<Value, 2>, 2> factors;
      for (unsigned i = 0; i < slabsOfFragment; ++i) {
        unsigned slab = number * slabsOfFragment + i;
        Value word = scales[slab / slabsPerGroup * wordsOfLoad + step];
        factors.push_back(factorsOf(b, tile, word, slab % slabsPerGroup));
      }
      Fragment expanded(4 * fragment.size());
      for (auto [r, codes] : llvm::enumerate(fragment))
        for (unsigned pair = 0; pair < 4; ++pair)
          expanded[pair * fragment.size() + r] =
              multiply(b, codes, pair, factors[r % slabsOfFragment][r / slabsOfFragment]);
      fragment = std::move(expanded);
    }
  }

  Fragment zero(KernelBuilder &b) const override { return Fragment(4, b.f32(0)); }

  Fragment accumulate(KernelBuilder &b, unsigned i, unsigned j, unsigned,
                      const StepFragments &operands, const ScaleRegisters &,
                      const Fragment &sum) const override {
    Type f32 = b.getF32Type();
    auto result = LLVM::LLVMStructType::getLiteral(b.getContext(), {f32, f32, f32, f32});
    Fragment sums = sum;
    for (unsigned pair = 0; pair < 4; ++pair) {
      ArrayRef<Value> lhs = ArrayRef<Value>(operands.lhs[0][i]).slice(4 * pair, 4),
                      rhs = ArrayRef<Value>(operands.rhs[0][j]).slice(2 * pair, 2);
      Value d = NVVM::MmaOp::create(
          b, result, lhs, rhs, sums, {16, 8, 16}, std::nullopt, std::nullopt,
          std::array<NVVM::MMATypes, 2>{NVVM::MMATypes::bf16, NVVM::MMATypes::bf16},
          std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row, NVVM::MMALayout::col});
      for (unsigned r = 0; r < 4; ++r)
        sums[r] = b.field(d, r);
    }
    return sums;
  }

private:
  static constexpr unsigned block = 16;

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

  /// The scales of row g of a slab, as pairs of equal ones: of the block that a lane's codes of the
  /// first half of K are in, and of the second half. `word` is row 4g + t's of the step.
  static std::array<Value, 2> factorsOf(KernelBuilder &b, const WarpTile &tile, Value word,
                                        unsigned slab) {
    Value owner = b.bitOr(b.bitAnd(tile.lane, -4), b.i32(slab));
    Value ofRow = NVVM::ShflOp::create(b, b.getI32Type(), b.i32(-1), word, owner, b.i32(31),
                                       NVVM::ShflKind::idx, UnitAttr());
    // Lanes t = 0 and 1 have codes of blocks 0 and 2, the others of 1 and 3.
    Value odd = b.shl(b.bitAnd(b.shr(tile.lane, 1), 1), 3);
    Value bytes = b.bitAnd(arith::ShRUIOp::create(b, ofRow, odd), 0x007F007F);
    Value scaled = b.mulF(toPair(b, b.shl(bytes, 4)), pairOf(b, 0x7B80 /* 2^120 */));
    // 0x7F is NaN (F2).
    Value carries = b.bitAnd(b.shr(b.add(bytes, 0x00010001), 7), 0x00010001);
    Value bits = b.bitOr(toBits(b, scaled), b.mul(carries, 0x7FC0));
    Value low = b.bitAnd(bits, 0xFFFF), high = b.shr(bits, 16);
    return {b.bitOr(low, b.shl(low, 16)), b.bitOr(high, b.bitAnd(bits, int32_t(0xFFFF0000)))};
  }

  /// Codes `pair` and `pair` + 4 of a register times a scale.
  static Value multiply(KernelBuilder &b, Value codes, unsigned pair, Value factor) {
    Value levels = b.bitOr(b.bitAnd(b.shr(codes, 4 * pair), 0x00070007), b.i32(0x43004300));
    Value scale = toPair(b, factor);
    Value minus = b.mulF(scale, pairOf(b, 0xC300 /* -128 */));
    Value magnitude = b.fma(toPair(b, levels), scale, minus);
    Value signs = b.bitAnd(b.shl(codes, 12 - 4 * pair), int32_t(0x80008000));
    return b.bitXor(toBits(b, magnitude), signs);
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
