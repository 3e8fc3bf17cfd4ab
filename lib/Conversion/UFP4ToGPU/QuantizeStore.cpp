//===- QuantizeStore.cpp - Writing runs into an operand storage -----------===//

#include "QuantizeStore.h"

#include "ufp4/Conversion/NumericsEmitter.h"
#include "ufp4/Target/StorageEmission.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

RunWriter::~RunWriter() = default;

/// x up to the next multiple of a power of two.
static Value alignUp(KernelBuilder &b, Value x, unsigned multiple) {
  return b.bitAnd(b.add(x, multiple - 1), -int64_t(multiple));
}

/// Eight codes a word, the first in the lowest nibble.
static SmallVector<Value> packCodes(KernelBuilder &b, ValueRange codes) {
  SmallVector<Value> words;
  for (auto [i, code] : llvm::enumerate(codes)) {
    Value placed = b.shl(code, i % 8 * 4);
    if (i % 8)
      words.back() = b.bitOr(words.back(), placed);
    else
      words.push_back(placed);
  }
  return words;
}

/// Neighbouring scales, as few stores as there can be.
static void storeNeighbours(KernelBuilder &b, ValueRange scales, unsigned bytes, Value pointer) {
  unsigned width = std::min<unsigned>(scales.size(), 16 / bytes);
  for (unsigned i = 0; i < scales.size(); i += width) {
    Value value = width == 1 ? scales[i] : b.join(scales.slice(i, width));
    b.store(value, b.at(pointer, int32_t(i * bytes)), width * bytes);
  }
}

namespace {

//===----------------------------------------------------------------------===//
// Natural
//===----------------------------------------------------------------------===//

class NaturalWriter final : public RunWriter {
public:
  explicit NaturalWriter(const numerics::Scheme &scheme)
      : scheme(scheme), run(numerics::runLength(scheme)),
        scaleBytes(numerics::scaleBytes(scheme.scale)) {}

  Value paddedRows(KernelBuilder &, Value rows) const override { return rows; }
  Value paddedDepth(KernelBuilder &, Value paddedK) const override { return paddedK; }

  CodeForm form() const override { return CodeForm::Nibbles; }
  /// 8 or 16 bytes.
  unsigned codesAtOnce() const override { return std::min(run, 32u); }

  SmallVector<Value> begin(KernelBuilder &b, const RunPlace &p, Value codes,
                           Value scales) const override {
    Value row = b.add(b.mul(b.widen(p.g), b.widen(p.rows)), b.widen(p.row));
    Value index = b.add(b.mul(row, b.widen(p.paddedK)), b.widen(p.k));
    Value block = b.shr(index, llvm::Log2_32(scheme.block));
    return {b.at(codes, b.shr(index, 1)), b.at(scales, b.mul(block, scaleBytes))};
  }

  SmallVector<Value> move(KernelBuilder &b, const RunPlace &p, ValueRange run, unsigned rows,
                          unsigned depth) const override {
    Value codes = run[0], scales = run[1];
    if (rows) {
      Value index = b.mul(b.widen(p.paddedK), rows);
      codes = b.at(codes, b.shr(index, 1));
      scales = b.at(scales, b.mul(b.shr(index, llvm::Log2_32(scheme.block)), scaleBytes));
    }
    return {b.at(codes, int32_t(depth / 2)),
            b.at(scales, int32_t(depth / scheme.block * scaleBytes))};
  }

  void storeCodes(KernelBuilder &b, ValueRange pointers, unsigned first,
                  ValueRange codes) const override {
    storeWords(b, pointers, first, packCodes(b, codes));
  }
  void storeWords(KernelBuilder &b, ValueRange pointers, unsigned first,
                  ValueRange words) const override {
    // Rows begin at multiples of a run's bytes.
    unsigned width = std::min<unsigned>(words.size(), run / 8);
    for (unsigned i = 0; i < words.size(); i += width)
      b.store(b.join(words.slice(i, width)), b.at(pointers[0], int32_t(first / 2 + i * 4)),
              width * 4);
  }

  void storeScales(KernelBuilder &b, ValueRange pointers, ValueRange scales, Value) const override {
    storeScaleWords(b, pointers, scales);
  }
  void storeScaleWords(KernelBuilder &b, ValueRange pointers, ValueRange scales) const override {
    // As above.
    unsigned width = run / scheme.block;
    for (unsigned i = 0; i < scales.size(); i += width)
      storeNeighbours(b, scales.slice(i, width), scaleBytes,
                      b.at(pointers[1], int32_t(i * scaleBytes)));
  }

private:
  numerics::Scheme scheme;
  unsigned run, scaleBytes;
};

//===----------------------------------------------------------------------===//
// Tile-major
//===----------------------------------------------------------------------===//

/// Addresses of both tile-major storages; a run lies in one tile or begins at a tile's border.
class TileMajorWriter : public RunWriter {
public:
  TileMajorWriter(const TileMajorStorage &storage, const numerics::Scheme &scheme)
      : scheme(scheme), storage(storage) {}

  Value paddedRows(KernelBuilder &b, Value rows) const override {
    return alignUp(b, rows, Storage::rows);
  }
  Value paddedDepth(KernelBuilder &b, Value paddedK) const override {
    return alignUp(b, paddedK, storage.depth);
  }

  SmallVector<Value> begin(KernelBuilder &b, const RunPlace &p, Value codes,
                           Value scales) const override {
    unsigned rowBits = llvm::Log2_32(Storage::rows), depthBits = llvm::Log2_32(storage.depth);
    Value rowTiles = b.shr(paddedRows(b, p.rows), rowBits);
    Value depthTiles = b.shr(paddedDepth(b, p.paddedK), depthBits);
    Value line = b.add(b.mul(p.g, rowTiles), b.shr(p.row, rowBits));
    Value tile = b.widen(b.add(b.mul(line, depthTiles), b.shr(p.k, depthBits)));
    Value row = b.bitAnd(p.row, Storage::rows - 1), k = b.bitAnd(p.k, storage.depth - 1);
    Value chunk =
        b.bitXor(b.shr(k, llvm::Log2_32(storage.chunkDepth)), emitSwizzle(b, storage, row));
    Value codesOfRow =
        b.add(b.mul(tile, Storage::tileBytes), b.widen(b.mul(row, Storage::rowBytes)));
    Value scale = b.add(b.mul(tile, storage.scaleTileBytes(scheme.block)),
                        b.widen(scaleOffset(b, row, b.shr(k, llvm::Log2_32(scheme.block)))));
    return {b.at(codes, codesOfRow), b.add(b.shl(chunk, chunkBits), byteInChunk(b, k)),
            b.at(scales, scale), b.widen(b.i32(0))};
  }

  SmallVector<Value> move(KernelBuilder &b, const RunPlace &, ValueRange run, unsigned rows,
                          unsigned depth) const override {
    assert((rows <= 1 || rows % 32 == 0) && "swizzle and lines repeat after 32 rows");
    // Offsets are the place's, since it has none of these bits. Those that are no swizzled ones are
    // kept apart as one constant, which a store adds to an address that runs share.
    unsigned tile = depth / storage.depth, inTile = depth % storage.depth;
    unsigned chunk = inTile / storage.chunkDepth ^ storage.swizzle(rows);
    unsigned inChunk = inTile % storage.chunkDepth * storage.elementBits / 8;
    Value scale = b.add(scaleOffset(b, b.i32(rows), b.i32(inTile / scheme.block)),
                        tile * storage.scaleTileBytes(scheme.block));
    return {run[0], b.bitXor(run[1], b.i32(chunk << chunkBits | inChunk)),
            b.at(run[2], b.widen(scale)),
            b.add(run[3], tile * Storage::tileBytes + rows * Storage::rowBytes)};
  }

  void storeCodes(KernelBuilder &b, ValueRange run, unsigned first,
                  ValueRange codes) const override {
    storeWords(b, run, first, pack(b, codes));
  }
  void storeWords(KernelBuilder &b, ValueRange run, unsigned first,
                  ValueRange words) const override {
    // The run begins at a multiple of its length, so only low bits of the chunk's number differ.
    unsigned tile = first / storage.depth, chunk = first % storage.depth / storage.chunkDepth;
    Value place = chunk ? b.bitXor(run[1], b.i32(chunk << chunkBits)) : run[1];
    Value pointer = b.at(run[0], b.widen(place));
    b.store(b.join(words), b.at(pointer, b.add(run[3], tile * Storage::tileBytes)),
            words.size() * 4);
  }

protected:
  using Storage = TileMajorStorage;
  const numerics::Scheme scheme;

  /// TileMajorStorage::scaleOffset.
  virtual Value scaleOffset(KernelBuilder &b, Value row, Value blockOfRow) const = 0;
  /// Where a run that is shorter than a chunk begins in it.
  virtual Value byteInChunk(KernelBuilder &b, Value) const { return b.i32(0); }
  /// The bits that stand for codes.
  virtual SmallVector<Value> pack(KernelBuilder &b, ValueRange codes) const = 0;

private:
  static constexpr unsigned chunkBits = llvm::ConstantLog2<Storage::chunkBytes>();
  const TileMajorStorage &storage;
};

//===----------------------------------------------------------------------===//
// Tile-major, of 4 bits
//===----------------------------------------------------------------------===//

class TileMajor4BitWriter final : public TileMajorWriter {
public:
  explicit TileMajor4BitWriter(const numerics::Scheme &scheme)
      : TileMajorWriter(tileMajor4BitStorage(), scheme), run(numerics::runLength(scheme)) {}

  CodeForm form() const override { return CodeForm::Nibbles; }
  /// 8 or 16 bytes.
  unsigned codesAtOnce() const override { return std::min(run, tileMajor4BitStorage().chunkDepth); }

  void storeScales(KernelBuilder &b, ValueRange place, ValueRange scales,
                   Value isInView) const override {
    SmallVector<Value> bytes;
    Value zero = arith::ConstantOp::create(b, b.getI8IntegerAttr(0));
    for (Value stored : scales)
      bytes.push_back(b.select(isInView, stored, zero));
    storeScaleWords(b, place, bytes);
  }
  void storeScaleWords(KernelBuilder &b, ValueRange place, ValueRange scales) const override {
    storeNeighbours(b, scales, /*bytes=*/1, place[2]);
  }

protected:
  Value scaleOffset(KernelBuilder &b, Value row, Value blockOfRow) const override {
    unsigned bytes = tileMajor4BitStorage().scaleLineBytes(scheme.block);
    return b.add(b.mul(emitLine(b, row), bytes), blockOfRow);
  }
  Value byteInChunk(KernelBuilder &b, Value k) const override {
    return b.shr(b.bitAnd(k, tileMajor4BitStorage().chunkDepth - codesAtOnce()), 1);
  }
  SmallVector<Value> pack(KernelBuilder &b, ValueRange codes) const override {
    return packCodes(b, codes);
  }

private:
  const unsigned run;
};

//===----------------------------------------------------------------------===//
// Tile-major, expanded to bf16
//===----------------------------------------------------------------------===//

class TileMajorBF16Writer final : public TileMajorWriter {
public:
  explicit TileMajorBF16Writer(const numerics::Scheme &scheme)
      : TileMajorWriter(tileMajorStorage(), scheme) {}

  CodeForm form() const override { return CodeForm::BF16; }
  /// One chunk.
  unsigned codesAtOnce() const override { return tileMajorStorage().chunkDepth; }

  void storeScales(KernelBuilder &b, ValueRange place, ValueRange scales,
                   Value isInView) const override {
    NumericsEmitter emitter(b, b.getLoc());
    SmallVector<Value> values;
    for (Value stored : scales)
      values.push_back(b.select(isInView, emitter.decodeScale(scheme.scale, stored), b.f32(0)));
    storeScaleWords(b, place, values);
  }
  void storeScaleWords(KernelBuilder &b, ValueRange place, ValueRange scales) const override {
    // Lines of one tile and of the next follow one another.
    for (auto [i, value] : llvm::enumerate(scales))
      b.store(value, b.at(place[2], int32_t(i * TileMajorBF16Storage::scaleLineBytes)), 4);
  }

protected:
  Value scaleOffset(KernelBuilder &b, Value row, Value blockOfRow) const override {
    return b.add(b.mul(blockOfRow, TileMajorBF16Storage::scaleLineBytes), b.mul(row, 4));
  }
  SmallVector<Value> pack(KernelBuilder &b, ValueRange codes) const override {
    // Every level has at most three significant bits, so the upper half of the f32 is exact.
    auto bits = [&](Value code) -> Value {
      return arith::BitcastOp::create(b, b.getI32Type(), levelOf(b, code));
    };
    SmallVector<Value> words;
    for (unsigned i = 0; i < codes.size(); i += 2) {
      Value upper = b.bitAnd(bits(codes[i + 1]), int32_t(0xFFFF0000));
      words.push_back(b.bitOr(b.shr(bits(codes[i]), 16), upper));
    }
    return words;
  }

private:
  /// The f32 value of a code (F1); code 8 is +0. Shorter than NumericsEmitter::decodeCode.
  Value levelOf(KernelBuilder &b, Value code) const {
    auto real = [&](Value bits) -> Value {
      return arith::BitcastOp::create(b, b.getF32Type(), bits);
    };
    Value m = b.bitAnd(code, 7), sign = b.bitAnd(b.shl(code, 28), INT32_MIN);
    if (scheme.format == numerics::Format::E1M2) {
      // At 2^23 an f32's last place is 1: ±(2^23 + m) -+ 2^23, where equal ones leave +0.
      Value origin = b.bitOr(sign, b.i32(0x4B000000));
      return arith::SubFOp::create(b, real(b.bitOr(origin, m)), real(origin));
    }
    // As the upper bits of a magnitude m is its level times 2^-126; adding +0 drops the sign of -0.
    Value small = real(b.bitOr(b.shl(m, 22), sign));
    return b.fma(small, b.f32(0x1p126f), b.f32(0));
  }
};
} // namespace

std::unique_ptr<RunWriter> ufp4::createRunWriter(const OperandStorage &storage,
                                                 const numerics::Scheme &scheme) {
  if (&storage == &naturalStorage())
    return std::make_unique<NaturalWriter>(scheme);
  if (&storage == &tileMajorStorage())
    return std::make_unique<TileMajorBF16Writer>(scheme);
  if (&storage == &tileMajor4BitStorage() && numerics::scaleBytes(scheme.scale) == 1)
    return std::make_unique<TileMajor4BitWriter>(scheme);
  return nullptr;
}
