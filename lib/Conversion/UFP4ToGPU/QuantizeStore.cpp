//===- QuantizeStore.cpp - Writing runs into an operand storage -----------===//

#include "QuantizeStore.h"

#include "ufp4/Conversion/NumericsEmitter.h"
#include "ufp4/Target/ContainerStorage.h"
#include "ufp4/Target/LaneInstructions.h"
#include "ufp4/Target/LaneMajorStorage.h"
#include "ufp4/Target/StorageEmission.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

RunWriter::~RunWriter() = default;

Value ufp4::alignUp(KernelBuilder &b, Value x, unsigned multiple) {
  return b.bitAnd(b.add(x, multiple - 1), -int64_t(multiple));
}

SmallVector<Value> ufp4::packCodes(KernelBuilder &b, ValueRange codes) {
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

/// Addresses of tile-major storages; a run lies in one tile or begins at a tile's border.
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
    Value depthTiles = b.shr(storedDepth(b, p), depthBits);
    Value line = b.add(b.mul(p.g, rowTiles), b.shr(p.row, rowBits));
    Value tile = b.widen(b.add(b.mul(line, depthTiles), b.shr(p.k, depthBits)));
    Value row = b.bitAnd(p.row, Storage::rows - 1), k = b.bitAnd(p.k, storage.depth - 1);
    Value chunk =
        b.bitXor(b.shr(k, llvm::Log2_32(storage.chunkDepth)), emitSwizzle(b, storage, row));
    Value codesOfRow = b.add(b.mul(tile, Storage::tileBytes),
                             b.widen(b.mul(emitLine(b, storage, row), Storage::rowBytes)));
    // Codes, the place among them, an offset in bytes, and of scales, where they have a plane.
    SmallVector<Value> run = {b.at(codes, codesOfRow),
                              b.add(b.shl(chunk, chunkBits), byteInChunk(b, k)), b.widen(b.i32(0))};
    if (storage.hasScales()) {
      Value offset = scaleOffset(b, row, b.shr(k, llvm::Log2_32(scheme.block)));
      run.push_back(
          b.at(scales, b.add(b.mul(tile, storage.scaleTileBytes(scheme.block)), b.widen(offset))));
    }
    return run;
  }

  SmallVector<Value> move(KernelBuilder &b, const RunPlace &, ValueRange run, unsigned rows,
                          unsigned depth) const override {
    assert((rows <= 1 || rows % 32 == 0) && "swizzle and lines repeat after 32 rows");
    // Offsets are the place's, since it has none of these bits. Those that are no swizzled ones are
    // kept apart as one constant, which a store adds to an address that runs share.
    unsigned tile = depth / storage.depth, inTile = depth % storage.depth;
    unsigned chunk = inTile / storage.chunkDepth ^ storage.swizzle(rows);
    unsigned inChunk = inTile % storage.chunkDepth * storage.elementBits / 8;
    SmallVector<Value> moved = {
        run[0], b.bitXor(run[1], b.i32(chunk << chunkBits | inChunk)),
        b.add(run[2], tile * Storage::tileBytes + storage.line(rows) * Storage::rowBytes)};
    if (storage.hasScales()) {
      Value scale = b.add(scaleOffset(b, b.i32(rows), b.i32(inTile / scheme.block)),
                          tile * storage.scaleTileBytes(scheme.block));
      moved.push_back(b.at(run[3], b.widen(scale)));
    }
    return moved;
  }

  void storeCodes(KernelBuilder &b, ValueRange run, unsigned first,
                  ValueRange codes) const override {
    storeWords(b, run, first, pack(b, run, first, codes));
  }
  void storeWords(KernelBuilder &b, ValueRange run, unsigned first,
                  ValueRange words) const override {
    // The run begins at a multiple of its length, so only low bits of the chunk's number differ.
    unsigned tile = first / storage.depth, chunk = first % storage.depth / storage.chunkDepth;
    Value place = chunk ? b.bitXor(run[1], b.i32(chunk << chunkBits)) : run[1];
    Value pointer = b.at(run[0], b.widen(place));
    b.store(b.join(words), b.at(pointer, b.add(run[2], tile * Storage::tileBytes)),
            words.size() * 4);
  }

protected:
  using Storage = TileMajorStorage;
  const numerics::Scheme scheme;

  /// TileMajorStorage::scaleOffset.
  virtual Value scaleOffset(KernelBuilder &b, Value row, Value blockOfRow) const = 0;
  /// Where a run that is shorter than a chunk begins in it.
  virtual Value byteInChunk(KernelBuilder &b, Value) const { return b.i32(0); }
  /// The bits that stand for the codes from position `first` of the run on, as words.
  virtual SmallVector<Value> pack(KernelBuilder &b, ValueRange run, unsigned first,
                                  ValueRange codes) const = 0;

private:
  static constexpr unsigned chunkBits = llvm::ConstantLog2<Storage::chunkBytes>();
  const TileMajorStorage &storage;
};

//===----------------------------------------------------------------------===//
// Tile-major, of 4 bits
//===----------------------------------------------------------------------===//

/// Scales are bytes, those of a row together or in words.
class TileMajorBytesWriter : public TileMajorWriter {
public:
  TileMajorBytesWriter(const TileMajorStorage &storage, const numerics::Scheme &scheme,
                       bool isInWords = false)
      : TileMajorWriter(storage, scheme), storage(storage), run(numerics::runLength(scheme)),
        isInWords(isInWords) {}

  /// 8 or 16 bytes.
  unsigned codesAtOnce() const override { return std::min(run, storage.chunkDepth); }

  void storeScales(KernelBuilder &b, ValueRange place, ValueRange scales,
                   Value isInView) const override {
    SmallVector<Value> bytes;
    Value zero = arith::ConstantOp::create(b, b.getI8IntegerAttr(0));
    for (Value stored : scales)
      bytes.push_back(b.select(isInView, stored, zero));
    storeScaleWords(b, place, bytes);
  }
  void storeScaleWords(KernelBuilder &b, ValueRange place, ValueRange scales) const override {
    unsigned width = isInWords ? std::min<unsigned>(scales.size(), wordBytes) : scales.size();
    for (unsigned i = 0; i < scales.size(); i += width)
      storeNeighbours(b, scales.slice(i, width), /*bytes=*/1,
                      b.at(place[3], int32_t(i * Storage::rows)));
  }

protected:
  Value scaleOffset(KernelBuilder &b, Value row, Value blockOfRow) const override {
    if (isInWords) {
      Value word = b.add(b.mul(b.shr(blockOfRow, llvm::Log2_32(wordBytes)), Storage::rows), row);
      return b.add(b.mul(word, wordBytes), b.bitAnd(blockOfRow, wordBytes - 1));
    }
    unsigned bytes = storage.scaleTileBytes(scheme.block) / Storage::rows;
    return b.add(b.mul(row, bytes), blockOfRow);
  }
  Value byteInChunk(KernelBuilder &b, Value k) const override {
    Value first = b.bitAnd(k, storage.chunkDepth - codesAtOnce());
    return b.shr(first, llvm::Log2_32(8 / storage.elementBits));
  }

private:
  static constexpr unsigned wordBytes = TileMajor4BitStorage::blocksOfWord;
  const TileMajorStorage &storage;
  const unsigned run;
  const bool isInWords;
};

class TileMajor4BitWriter final : public TileMajorBytesWriter {
public:
  TileMajor4BitWriter(const TileMajor4BitStorage &storage, const numerics::Scheme &scheme)
      : TileMajorBytesWriter(storage, scheme,
                             storage.scaleOrder == TileMajor4BitStorage::ScaleOrder::Words) {}

  CodeForm form() const override { return CodeForm::Nibbles; }

protected:
  SmallVector<Value> pack(KernelBuilder &b, ValueRange, unsigned, ValueRange codes) const override {
    return packCodes(b, codes);
  }
};

//===----------------------------------------------------------------------===//
// Tile-major, widened to E2M3
//===----------------------------------------------------------------------===//

class TileMajorE2M3Writer final : public TileMajorBytesWriter {
public:
  TileMajorE2M3Writer(const TileMajorE2M3Storage &storage, const numerics::Scheme &scheme)
      : TileMajorBytesWriter(storage, scheme), bits(storage.elementBits),
        chunkDepth(storage.chunkDepth), isE2M1(scheme.format == numerics::Format::E2M1) {}

  /// A chip converts to both.
  CodeForm form() const override { return isE2M1 ? CodeForm::Nibbles : CodeForm::E2M3; }

  void storeCodes(KernelBuilder &b, ValueRange run, unsigned first,
                  ValueRange codes) const override {
    TileMajorWriter::storeWords(b, run, first, pack(b, run, first, codes));
  }
  void storeWords(KernelBuilder &b, ValueRange run, unsigned first,
                  ValueRange words) const override {
    SmallVector<Value> fours;
    for (Value word : words)
      if (isE2M1)
        fours.append({widenNibbles(b, word, 0), widenNibbles(b, word, 1)});
      else
        fours.push_back(bits == 8 ? word : closeGaps(b, word));
    unsigned ofChunk = chunkDepth / 4;
    for (unsigned i = 0; i < fours.size(); i += ofChunk) {
      ArrayRef<Value> chunk = ArrayRef(fours).slice(i, ofChunk);
      TileMajorWriter::storeWords(b, run, first + 4 * i,
                                  bits == 8 ? SmallVector<Value>(chunk) : joinPacked(b, chunk));
    }
  }

protected:
  /// TileMajorE2M3Storage::encodeCode, four codes at a time.
  SmallVector<Value> pack(KernelBuilder &b, ValueRange, unsigned, ValueRange codes) const override {
    int64_t magnitudes = 0, signs = 0;
    for (unsigned j = 0; j < 4; ++j) {
      magnitudes |= int64_t(7) << bits * j;
      signs |= int64_t(0x20) << bits * j;
    }
    SmallVector<Value> fours;
    for (unsigned i = 0; i < codes.size(); i += 4) {
      Value four = codes[i];
      for (unsigned j = 1; j < 4; ++j)
        four = b.bitOr(four, b.shl(codes[i + j], bits * j));
      Value wide = b.shl(four, 2);
      fours.push_back(isE2M1 ? wide : b.bitOr(b.bitAnd(four, magnitudes), b.bitAnd(wide, signs)));
    }
    return bits == 8 ? fours : joinPacked(b, fours);
  }

private:
  static Value merge(KernelBuilder &b, Value x, Value y, uint32_t mask) {
    return b.bitOr(b.bitAnd(x, int32_t(mask)), b.bitAnd(y, int32_t(~mask)));
  }
  /// Of a word of e2m1, the lower or the upper four codes.
  Value widenNibbles(KernelBuilder &b, Value word, unsigned half) const {
    if (bits == 8) {
      Value even = b.bitAnd(b.shl(word, 2), 0x3C3C3C3C), odd = b.bitAnd(b.shr(word, 2), 0x3C3C3C3C);
      return emitPermute(b, even, odd, half ? 0x7362 : 0x5140);
    }
    // Two codes at bit 0, two at bit 12.
    Value pairs = half ? merge(b, b.shr(word, 16), b.shr(word, 12), 0xFF)
                       : merge(b, word, b.shl(word, 4), 0xFF);
    return b.bitOr(b.bitAnd(b.shl(pairs, 2), 0x03C03C), b.bitAnd(b.shl(pairs, 4), 0xF00F00));
  }
  /// Four bytes of six bits, one behind the other.
  static Value closeGaps(KernelBuilder &b, Value bytes) {
    Value pairs = merge(b, bytes, b.shr(bytes, 2), 0x003F003F);
    return merge(b, pairs, b.shr(pairs, 4), 0xFFF);
  }
  /// Chunks of four times 24 bits, and 32 zeros.
  static SmallVector<Value> joinPacked(KernelBuilder &b, ArrayRef<Value> fours) {
    SmallVector<Value> words;
    for (; !fours.empty(); fours = fours.drop_front(4))
      words.append({emitPermute(b, fours[0], fours[1], 0x4210),
                    emitPermute(b, fours[1], fours[2], 0x5421),
                    emitPermute(b, fours[2], fours[3], 0x6542), b.i32(0)});
    return words;
  }
  const unsigned bits, chunkDepth;
  const bool isE2M1;
};

//===----------------------------------------------------------------------===//
// bf16
//===----------------------------------------------------------------------===//

/// The f32 value of a code (F1); code 8 is +0. Shorter than NumericsEmitter::decodeCode.
Value levelOf(KernelBuilder &b, numerics::Format format, Value code) {
  auto real = [&](Value bits) -> Value {
    return arith::BitcastOp::create(b, b.getF32Type(), bits);
  };
  Value m = b.bitAnd(code, 7), sign = b.bitAnd(b.shl(code, 28), INT32_MIN);
  if (format == numerics::Format::E1M2) {
    // At 2^23 an f32's last place is 1: ±(2^23 + m) -+ 2^23, where equal ones leave +0.
    Value origin = b.bitOr(sign, b.i32(0x4B000000));
    return arith::SubFOp::create(b, real(b.bitOr(origin, m)), real(origin));
  }
  // As the upper bits of a magnitude m is its level times 2^-126; adding +0 drops the sign of -0.
  Value small = real(b.bitOr(b.shl(m, 22), sign));
  return b.fma(small, b.f32(0x1p126f), b.f32(0));
}

/// Levels of codes as bf16, times a factor unless it is null, two to a word. Every level has at
/// most three significant bits, a scale of one byte four, so the upper half of the f32 is exact.
SmallVector<Value> packBF16(KernelBuilder &b, const numerics::Scheme &scheme, ValueRange codes,
                            Value factor) {
  auto bits = [&](Value code) -> Value {
    Value value = levelOf(b, scheme.format, code);
    return arith::BitcastOp::create(b, b.getI32Type(), factor ? b.mulF(value, factor) : value);
  };
  SmallVector<Value> words;
  for (unsigned i = 0; i < codes.size(); i += 2) {
    Value upper = b.bitAnd(bits(codes[i + 1]), int32_t(0xFFFF0000));
    words.push_back(b.bitOr(b.shr(bits(codes[i]), 16), upper));
  }
  return words;
}

/// Scales as numerics stores them as f32, zeros beyond the view.
SmallVector<Value> decodeScales(KernelBuilder &b, const numerics::Scheme &scheme, ValueRange scales,
                                Value isInView) {
  NumericsEmitter emitter(b, b.getLoc());
  SmallVector<Value> values;
  for (Value stored : scales)
    values.push_back(b.select(isInView, emitter.decodeScale(scheme.scale, stored), b.f32(0)));
  return values;
}

//===----------------------------------------------------------------------===//
// Tile-major, expanded to bf16 or folded into it
//===----------------------------------------------------------------------===//

class TileMajorBF16Writer final : public TileMajorWriter {
public:
  TileMajorBF16Writer(const TileMajorStorage &storage, const numerics::Scheme &scheme)
      : TileMajorWriter(storage, scheme), isFolded(!storage.hasScales()) {}

  SmallVector<Value> factors(KernelBuilder &b, ValueRange scales, Value isInView) const override {
    return decodeScales(b, scheme, scales, isInView);
  }

  CodeForm form() const override { return isFolded ? CodeForm::Products : CodeForm::BF16; }
  /// One chunk.
  unsigned codesAtOnce() const override { return tileMajorStorage().chunkDepth; }

  void storeScales(KernelBuilder &b, ValueRange place, ValueRange scales,
                   Value isInView) const override {
    storeScaleWords(b, place, factors(b, scales, isInView));
  }
  void storeScaleWords(KernelBuilder &b, ValueRange place, ValueRange scales) const override {
    // Lines of one tile and of the next follow one another.
    for (auto [i, value] : llvm::enumerate(scales))
      b.store(value, b.at(place[3], int32_t(i * TileMajorBF16Storage::scaleLineBytes)), 4);
  }

protected:
  Value scaleOffset(KernelBuilder &b, Value row, Value blockOfRow) const override {
    return b.add(b.mul(blockOfRow, TileMajorBF16Storage::scaleLineBytes), b.mul(row, 4));
  }
  SmallVector<Value> pack(KernelBuilder &b, ValueRange run, unsigned first,
                          ValueRange codes) const override {
    return packBF16(b, scheme, codes, isFolded ? run[3 + first / scheme.block] : Value());
  }

private:
  const bool isFolded;
};

//===----------------------------------------------------------------------===//
// Lane-major
//===----------------------------------------------------------------------===//

/// Addresses of lane-major storages.
class LaneMajorWriter : public RunWriter {
public:
  LaneMajorWriter(const LaneMajorStorage &storage, const numerics::Scheme &scheme)
      : scheme(scheme), storage(storage) {}

  Value paddedRows(KernelBuilder &b, Value rows) const override {
    return alignUp(b, rows, Storage::rows);
  }
  Value paddedDepth(KernelBuilder &b, Value paddedK) const override {
    return alignUp(b, paddedK, Storage::depth);
  }

  /// What a lane of the GEMM's has of 16 positions.
  unsigned codesAtOnce() const override { return 8; }

  SmallVector<Value> begin(KernelBuilder &b, const RunPlace &p, Value codes,
                           Value scales) const override {
    Value rowTiles = b.shr(paddedRows(b, p.rows), llvm::Log2_32(Storage::rows));
    Value depthTiles = b.shr(storedDepth(b, p), llvm::Log2_32(Storage::depth));
    Value line = b.add(b.mul(p.g, rowTiles), b.shr(p.row, llvm::Log2_32(Storage::rows)));
    Value tile = b.add(b.mul(b.widen(line), b.widen(depthTiles)),
                       b.widen(b.shr(p.k, llvm::Log2_32(Storage::depth))));
    Value inTile = b.bitAnd(p.row, Storage::rows - 1), k = b.bitAnd(p.k, Storage::depth - 1);
    Value group = b.shr(inTile, 5), row = b.bitAnd(inTile, Storage::rowsOfGroup - 1);
    // A run begins at a multiple of 16.
    Value piece = b.shr(k, llvm::Log2_32(storage.depthOfPiece));
    Value inLane = b.shr(b.bitAnd(k, storage.depthOfPiece - 16), 1);
    Value code = b.add(b.add(b.mul(group, storage.groupBytes), b.mul(piece, Storage::pieceBytes)),
                       b.add(b.shl(row, 4), inLane));
    SmallVector<Value> run = {b.at(codes, b.add(b.mul(tile, storage.tileBytes), b.widen(code)))};
    if (storage.hasScales()) {
      Value scale = scaleOffset(b, group, row, b.shr(k, llvm::Log2_32(scheme.block)));
      run.push_back(
          b.at(scales, b.add(b.mul(tile, storage.scaleTileBytes(scheme.block)), b.widen(scale))));
    }
    return run;
  }

  SmallVector<Value> move(KernelBuilder &b, const RunPlace &, ValueRange run, unsigned rows,
                          unsigned depth) const override {
    // The place has none of these bits, so offsets add up.
    SmallVector<Value> moved = {b.at(run[0], codeOffset(rows, depth))};
    if (storage.hasScales()) {
      OperandType oneTile{scheme, {1, Storage::rows, int64_t(depth) + Storage::depth}};
      moved.push_back(
          b.at(run[1], int32_t(storage.locate(oneTile, scalesPlane, {0, rows, depth}).byte)));
    }
    return moved;
  }

  void storeCodes(KernelBuilder &b, ValueRange run, unsigned first,
                  ValueRange codes) const override {
    storeWords(b, run, first, pack(b, run, first, codes));
  }
  void storeWords(KernelBuilder &b, ValueRange run, unsigned first,
                  ValueRange words) const override {
    // Eight positions are neighbours. Offsets add up: a run is at least as long as the piece or
    // tile that it reaches beyond, or begins in the first half of it.
    unsigned width = 2 * storage.elementBytes;
    for (unsigned i = 0; i < words.size(); i += width)
      b.store(b.join(words.slice(i, width)), b.at(run[0], codeOffset(0, first + i / width * 8)),
              4 * width);
  }

protected:
  using Storage = LaneMajorStorage;
  const numerics::Scheme scheme;

  /// The bits that stand for the codes from position `first` of the run on, as words.
  virtual SmallVector<Value> pack(KernelBuilder &b, ValueRange run, unsigned first,
                                  ValueRange codes) const = 0;
  /// LaneMajorStorage::scaleOffset.
  virtual Value scaleOffset(KernelBuilder &b, Value, Value, Value) const { return b.i32(0); }

private:
  const LaneMajorStorage &storage;

  int32_t codeOffset(unsigned row, unsigned k) const {
    return k / Storage::depth * storage.tileBytes + storage.codeOffset(row, k % Storage::depth);
  }
};

class LaneMajorFP8Writer final : public LaneMajorWriter {
public:
  explicit LaneMajorFP8Writer(const numerics::Scheme &scheme)
      : LaneMajorWriter(laneMajorFP8Storage(), scheme) {}

  CodeForm form() const override { return CodeForm::FP8; }

  void storeScales(KernelBuilder &b, ValueRange run, ValueRange scales,
                   Value isInView) const override {
    storeScaleWords(b, run, decodeScales(b, scheme, scales, isInView));
  }
  void storeScaleWords(KernelBuilder &b, ValueRange run, ValueRange scales) const override {
    unsigned blocksOfTile = Storage::depth / scheme.block;
    for (auto [i, value] : llvm::enumerate(scales)) {
      unsigned block = i % blocksOfTile;
      unsigned offset = i / blocksOfTile * laneMajorFP8Storage().scaleTileBytes(scheme.block) +
                        block / 2 * FP8::scaleLineBytes + block % 2 * Storage::rowsOfGroup * 4;
      b.store(value, b.at(run[1], int32_t(offset)), 4);
    }
  }

protected:
  Value scaleOffset(KernelBuilder &b, Value group, Value row, Value block) const override {
    return b.add(
        b.add(b.mul(b.shr(block, 1), FP8::scaleLineBytes), b.mul(group, FP8::scaleGroupBytes)),
        b.add(b.shl(b.bitAnd(block, 1), 7), b.shl(row, 2)));
  }
  SmallVector<Value> pack(KernelBuilder &b, ValueRange, unsigned, ValueRange codes) const override {
    SmallVector<Value> words;
    for (auto [i, code] : llvm::enumerate(codes)) {
      Value placed = b.shl(byteOf(b, code), i % 4 * 8);
      if (i % 4)
        words.back() = b.bitOr(words.back(), placed);
      else
        words.push_back(placed);
    }
    return words;
  }

private:
  using FP8 = LaneMajorFP8Storage;

  /// LaneMajorFP8Storage::encodeCode.
  Value byteOf(KernelBuilder &b, Value code) const {
    Value m = b.bitAnd(code, 7), twice;
    if (scheme.format == numerics::Format::E1M2)
      twice = b.shl(m, 1);
    else // Twice the levels 0 .5 1 1.5 2 3 4 6, a nibble each.
      twice = b.bitAnd(arith::ShRUIOp::create(b, b.i32(int32_t(0xC8643210)), b.shl(m, 2)), 15);
    Value sign = b.shl(b.bitAnd(code, 8), 4);
    return b.select(b.less(m, 1), b.i32(0), b.bitOr(twice, sign));
  }
};

class LaneMajorFoldedWriter final : public LaneMajorWriter {
public:
  explicit LaneMajorFoldedWriter(const numerics::Scheme &scheme)
      : LaneMajorWriter(laneMajorFoldedStorage(), scheme) {}

  CodeForm form() const override { return CodeForm::Products; }
  SmallVector<Value> factors(KernelBuilder &b, ValueRange scales, Value isInView) const override {
    return decodeScales(b, scheme, scales, isInView);
  }
  void storeScales(KernelBuilder &, ValueRange, ValueRange, Value) const override {
    llvm_unreachable("scales have no plane");
  }

protected:
  SmallVector<Value> pack(KernelBuilder &b, ValueRange run, unsigned first,
                          ValueRange codes) const override {
    return packBF16(b, scheme, codes, run[1 + first / scheme.block]);
  }
};
} // namespace

std::unique_ptr<RunWriter> ufp4::createRunWriter(const OperandStorage &storage,
                                                 const numerics::Scheme &scheme) {
  if (&storage == &naturalStorage())
    return std::make_unique<NaturalWriter>(scheme);
  if (&storage == &tileMajorStorage())
    return std::make_unique<TileMajorBF16Writer>(tileMajorStorage(), scheme);
  if (&storage == &laneMajorFP8Storage())
    return std::make_unique<LaneMajorFP8Writer>(scheme);
  if (numerics::scaleBytes(scheme.scale) != 1)
    return nullptr;
  if (&storage == &laneMajorFoldedStorage())
    return std::make_unique<LaneMajorFoldedWriter>(scheme);
  if (&storage == &tileMajorFoldedStorage())
    return std::make_unique<TileMajorBF16Writer>(tileMajorFoldedStorage(), scheme);
  for (const TileMajor4BitStorage *tiles : {&tileMajor4BitStorage(), &tileMajor4BitWordsStorage()})
    if (&storage == tiles)
      return std::make_unique<TileMajor4BitWriter>(*tiles, scheme);
  for (const TileMajorE2M3Storage *tiles : {&tileMajorE2M3Storage(), &tileMajorPackedE2M3Storage()})
    if (&storage == tiles)
      return std::make_unique<TileMajorE2M3Writer>(*tiles, scheme);
  return createScaledLanesWriter(storage, scheme);
}
