//===- MmaBF16Post.cpp - mma.sync m16n8k16 on bf16 codes ------------------===//
//
// Lane l = 4g + t holds rows g and g + 8 of a fragment of A, column g of one of B, and of C columns
// 2t and 2t + 1 of rows g and g + 8 (PTX ISA, "Matrix Fragments for mma.m16n8k16").
//
// Which row of the operand the row of a fragment is, is free. Call eight rows that a matrix load
// takes together a slab: fragment i of A is slabs 2i and 2i + 1, fragment j of B is slab j. Four
// slabs are 32 rows: row g of slab x is 4g + x in A, and 8(g / 2) + 2x + g % 2 in B. Thus a lane's
// sums of four slabs of columns are eight neighbours in a row of C, its scales of A are four
// neighbours, and those of B eight, columns 2t and 2t + 1 of a slab in adjacent registers.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Target/Mma.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace ufp4::target;

Mma::~Mma() = default;

namespace {
using Storage = TileMajorStorage;

class MmaBF16Post final : public Mma {
public:
  /// `pairs`: sums are vectors of two f32, columns 2t and 2t + 1 of a row.
  explicit MmaBF16Post(bool pairs) : pairs(pairs) {}

  llvm::StringRef name() const override {
    return pairs ? "mma_m16n8k16_bf16_f32x2" : "mma_m16n8k16_bf16";
  }
  bool runsOn(const Chip &chip) const override {
    if (pairs && !chip.has(Feature::PackedF32))
      return false;
    return llvm::any_of(chip.paths, [](const PathCapability &path) {
      return path.path == Path::Post && path.instruction == "mma.sync.m16n8k16 bf16";
    });
  }
  ScaleMode scaleMode() const override { return ScaleMode::Post; }
  unsigned m() const override { return 16; }
  unsigned n() const override { return 8; }
  unsigned k() const override { return 16; }
  const OperandStorage &storage() const override { return tileMajorStorage(); }
  unsigned rowGranule() const override { return rowsPerGroup; }
  unsigned columnGranule() const override { return rowsPerGroup; }
  unsigned runLength() const override { return 8; }
  unsigned accumulatorRegisters(unsigned rows, unsigned columns) const override {
    return rows * columns / 32;
  }
  unsigned fragmentRegisters(unsigned rows, unsigned columns) const override {
    return rows / 4 + columns / 4 + rows / 8 + columns / 4;
  }

  FragmentAddresses address(KernelBuilder &b, Side side, const WarpTile &tile, Value codes,
                            Value scales) const override {
    // ldmatrix takes the address of row l % 8 of matrix l / 8 from lane l. The four matrices are
    // two slabs by the two halves of K, in the order of the fragments' registers. The slabs are
    // those between which the swizzle differs, 0 and 1 of A, 0 and 2 of B: all further ones then
    // lie at constant distances.
    Value row = b.bitAnd(tile.lane, 7);
    Value low = b.bitAnd(b.shr(tile.lane, 3), 1), high = b.shr(tile.lane, 4);
    bool isA = side == Side::A;
    Value slab = isA ? low : high, half = isA ? high : low;
    Value first = isA ? tile.firstRow : tile.firstColumn;
    Value place = b.add(first, b.add(rowInSlab(b, side, row), b.mul(slab, isA ? 1 : 4)));
    Value swizzle = b.bitXor(row, slab); // Storage::swizzle(place)
    Value rowPointer = b.at(codes, b.mul(place, Storage::rowBytes));
    FragmentAddresses addresses;
    for (unsigned step = 0; step < Storage::depth / k(); ++step) {
      Value chunk = b.bitXor(b.add(half, 2 * step), swizzle);
      addresses.codes.push_back(b.at(rowPointer, b.shl(chunk, 4)));
    }
    // Of A the scales of rows 4g …, of B those of columns 8t …
    Value line = b.at(scales, b.shl(first, 2));
    addresses.scales.push_back(
        b.at(line, isA ? b.shl(rowOfLane(b, tile), 4) : b.shl(columnPairOfLane(b, tile), 5)));
    return addresses;
  }

  SmallVector<Fragment> loadFragments(KernelBuilder &b, Side side, const WarpTile &tile,
                                      const FragmentAddresses &addresses, Value stage,
                                      unsigned step) const override {
    bool isA = side == Side::A;
    unsigned rows = isA ? tile.rows : tile.columns;
    SmallVector<Fragment> fragments(isA ? rows / 16 : rows / 8);
    Value pointer = b.at(addresses.codes[step], stage);
    Type i32 = b.getI32Type();
    auto four = LLVM::LLVMStructType::getLiteral(b.getContext(), {i32, i32, i32, i32});
    auto shape = NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8);
    for (unsigned pair = 0; pair < rows / 16; ++pair) {
      // The second pair of four slabs is 2 rows on, in A and in B.
      int32_t offset = (pair / 2 * rowsPerGroup + pair % 2 * 2) * Storage::rowBytes;
      Value loaded =
          NVVM::LdMatrixOp::create(b, four, b.at(pointer, offset), 4, NVVM::MMALayout::row, shape,
                                   NVVM::LdStMatrixEltType::B16);
      Fragment registers;
      for (unsigned i = 0; i < 4; ++i)
        registers.push_back(b.field(loaded, i));
      if (isA) {
        fragments[pair] = registers;
        continue;
      }
      unsigned slab = pair / 2 * slabsPerGroup + pair % 2;
      fragments[slab] = {registers[0], registers[1]};
      fragments[slab + 2] = {registers[2], registers[3]};
    }
    return fragments;
  }

  /// A: one scale a slab. B: two a slab, of columns 2t and 2t + 1.
  SmallVector<Value> loadScales(KernelBuilder &b, Side side, const WarpTile &tile,
                                const FragmentAddresses &addresses, Value stage,
                                unsigned line) const override {
    unsigned rows = side == Side::A ? tile.rows : tile.columns;
    unsigned perSlab = side == Side::A ? 1 : 2;
    SmallVector<Value> scales;
    Value pointer = b.at(addresses.scales[0], stage);
    for (unsigned group = 0; group < rows / rowsPerGroup; ++group)
      for (unsigned i = 0; i < perSlab; ++i) {
        int32_t offset = line * Storage::scaleLineBytes + group * rowsPerGroup * 4 + i * 16;
        Value loaded = b.load(b.vector(4, b.getF32Type()), b.at(pointer, offset), 16);
        for (unsigned x = 0; x < 4; ++x)
          scales.push_back(b.element(loaded, x));
      }
    return scales;
  }

  Fragment multiply(KernelBuilder &b, const Fragment &lhs, const Fragment &rhs,
                    const Fragment &c) const override {
    Type f32 = b.getF32Type();
    auto result = LLVM::LLVMStructType::getLiteral(b.getContext(), {f32, f32, f32, f32});
    Fragment addend = c;
    if (addend.empty())
      addend.assign(4, b.f32(0));
    Value d = NVVM::MmaOp::create(
        b, result, lhs, rhs, addend, {16, 8, 16}, std::nullopt, std::nullopt,
        std::array<NVVM::MMATypes, 2>{NVVM::MMATypes::bf16, NVVM::MMATypes::bf16},
        std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row, NVVM::MMALayout::col});
    Fragment product;
    for (unsigned i = 0; i < 4; ++i)
      product.push_back(b.field(d, i));
    return product;
  }

  Fragment zero(KernelBuilder &b) const override {
    if (!pairs)
      return Fragment(4, b.f32(0));
    auto type = b.vector(2, b.getF32Type());
    return Fragment(2, arith::ConstantOp::create(b, b.getZeroAttr(type)));
  }

  Fragment scale(KernelBuilder &b, unsigned i, unsigned j, const Fragment &product,
                 ValueRange scalesA, ValueRange scalesB, const Fragment &sum) const override {
    Fragment scaled;
    if (pairs) {
      Value factorB = b.join({scalesB[2 * j], scalesB[2 * j + 1]});
      for (unsigned half = 0; half < 2; ++half) {
        Value scaleA = scalesA[2 * i + half];
        Value factor = b.mulF(b.join({scaleA, scaleA}), factorB);
        scaled.push_back(
            b.fma(b.join({product[2 * half], product[2 * half + 1]}), factor, sum[half]));
      }
      return scaled;
    }
    for (unsigned r = 0; r < 4; ++r) {
      Value factor = b.mulF(scalesA[2 * i + r / 2], scalesB[2 * j + r % 2]);
      scaled.push_back(b.fma(product[r], factor, sum[r]));
    }
    return scaled;
  }

  SmallVector<AccumulatorRun> runs(KernelBuilder &b, const WarpTile &tile,
                                   ArrayRef<Fragment> sums) const override {
    SmallVector<AccumulatorRun> all;
    unsigned perRow = tile.columns / n();
    Value laneRow = b.add(tile.firstRow, rowInSlab(b, Side::A, rowOfLane(b, tile)));
    // Rows 2t and 2t + 1 of slab 0 are columns 8t and 8t + 1.
    Value laneColumn = b.add(tile.firstColumn, b.shl(columnPairOfLane(b, tile), 3));
    for (unsigned slab = 0; slab < tile.rows / 8; ++slab)
      for (unsigned group = 0; group < perRow; group += slabsPerGroup) {
        AccumulatorRun run{b.add(laneRow, firstRow(Side::A, slab)),
                           b.add(laneColumn, firstRow(Side::B, group)),
                           {}};
        for (unsigned x = 0; x < slabsPerGroup; ++x) {
          const Fragment &fragment = sums[slab / 2 * perRow + group + x];
          for (unsigned i = 0; i < 2; ++i)
            run.values.push_back(pairs ? b.element(fragment[slab % 2], i)
                                       : fragment[slab % 2 * 2 + i]);
        }
        all.push_back(std::move(run));
      }
    return all;
  }

private:
  static constexpr unsigned slabsPerGroup = 4, rowsPerGroup = 32;
  const bool pairs;

  static Value rowOfLane(KernelBuilder &b, const WarpTile &tile) { return b.shr(tile.lane, 2); }
  static Value columnPairOfLane(KernelBuilder &b, const WarpTile &tile) {
    return b.bitAnd(tile.lane, 3);
  }
  /// The first row of a slab.
  static constexpr unsigned firstRow(Side side, unsigned slab) {
    return slab / slabsPerGroup * rowsPerGroup + slab % slabsPerGroup * (side == Side::A ? 1 : 2);
  }
  /// A row of slab 0.
  static Value rowInSlab(KernelBuilder &b, Side side, Value row) {
    if (side == Side::A)
      return b.shl(row, 2);
    return b.add(b.shl(b.shr(row, 1), 3), b.bitAnd(row, 1));
  }
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
