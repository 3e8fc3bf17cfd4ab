//===- QuantizeStore.cpp - Writing runs into an operand storage -----------===//

#include "QuantizeStore.h"

#include "ufp4/Conversion/NumericsEmitter.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

RunWriter::~RunWriter() = default;

static Value bitOr(KernelBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::OrIOp>(x, y);
}

/// x up to the next multiple of a power of two.
static Value alignUp(KernelBuilder &b, Value x, unsigned multiple) {
  return b.bitAnd(b.add(x, multiple - 1), -int64_t(multiple));
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

  /// 8 or 16 bytes.
  unsigned codesAtOnce() const override { return std::min(run, 32u); }

  SmallVector<Value> begin(KernelBuilder &b, const RunPlace &p, Value codes,
                           Value scales) const override {
    Value row = b.add(b.mul(b.widen(p.g), b.widen(p.rows)), b.widen(p.row));
    Value index = b.add(b.mul(row, b.widen(p.paddedK)), b.widen(p.k));
    Value block = b.shr(index, llvm::Log2_32(scheme.block));
    return {b.at(codes, b.shr(index, 1)), b.at(scales, b.mul(block, scaleBytes))};
  }

  void storeCodes(KernelBuilder &b, ValueRange pointers, unsigned first,
                  ValueRange codes) const override {
    SmallVector<Value> words;
    for (auto [i, code] : llvm::enumerate(codes)) {
      Value placed = b.shl(code, i % 8 * 4);
      if (i % 8)
        words.back() = bitOr(b, words.back(), placed);
      else
        words.push_back(placed);
    }
    b.store(b.join(words), b.at(pointers[0], int32_t(first / 2)), words.size() * 4);
  }

  void storeScales(KernelBuilder &b, ValueRange pointers, ValueRange scales, Value) const override {
    unsigned width = std::min<unsigned>(scales.size(), 16 / scaleBytes);
    for (unsigned i = 0; i < scales.size(); i += width) {
      Value value = width == 1 ? scales[i] : b.join(scales.slice(i, width));
      b.store(value, b.at(pointers[1], int32_t(i * scaleBytes)), width * scaleBytes);
    }
  }

private:
  numerics::Scheme scheme;
  unsigned run, scaleBytes;
};

//===----------------------------------------------------------------------===//
// Tile-major
//===----------------------------------------------------------------------===//

class TileMajorWriter final : public RunWriter {
  using Storage = TileMajorStorage;

public:
  explicit TileMajorWriter(const numerics::Scheme &scheme) : scheme(scheme) {}

  Value paddedRows(KernelBuilder &b, Value rows) const override {
    return alignUp(b, rows, Storage::rows);
  }
  Value paddedDepth(KernelBuilder &b, Value paddedK) const override {
    return alignUp(b, paddedK, Storage::depth);
  }

  /// One chunk.
  unsigned codesAtOnce() const override { return codesOfChunk; }

  SmallVector<Value> begin(KernelBuilder &b, const RunPlace &p, Value codes,
                           Value scales) const override {
    Value rowTiles = b.shr(paddedRows(b, p.rows), llvm::Log2_32(Storage::rows));
    Value depthTiles = b.shr(paddedDepth(b, p.paddedK), llvm::Log2_32(Storage::depth));
    Value line = b.add(b.mul(p.g, rowTiles), b.shr(p.row, llvm::Log2_32(Storage::rows)));
    Value tile = b.widen(b.add(b.mul(line, depthTiles), b.shr(p.k, llvm::Log2_32(Storage::depth))));
    Value row = b.bitAnd(p.row, Storage::rows - 1), k = b.bitAnd(p.k, Storage::depth - 1);
    // Storage::swizzle.
    Value pairs = b.shl(b.bitAnd(b.shr(row, 3), 3), 1);
    Value swizzle = b.add(pairs, b.bitAnd(b.bitXor(row, b.shr(row, 2)), 1));
    Value chunk = b.bitXor(b.shr(k, llvm::Log2_32(codesOfChunk)), swizzle);
    Value codesOfRow = b.add(b.mul(tile, Storage::tileBytes), b.widen(b.mul(row, rowBytes)));
    Value block = b.shr(k, llvm::Log2_32(scheme.block));
    Value inTile = b.add(b.mul(block, Storage::scaleLineBytes), b.mul(row, 4));
    Value scale = b.add(b.mul(tile, Storage::scaleTileBytes(scheme.block)), b.widen(inTile));
    return {b.at(codes, codesOfRow), chunk, b.at(scales, scale)};
  }

  void storeCodes(KernelBuilder &b, ValueRange run, unsigned first,
                  ValueRange codes) const override {
    // Every level has at most three significant bits, so the upper half of the f32 is exact.
    auto bits = [&](Value code) -> Value {
      return arith::BitcastOp::create(b, b.getI32Type(), levelOf(b, code));
    };
    SmallVector<Value> words;
    for (unsigned i = 0; i < codesOfChunk; i += 2) {
      Value upper = b.bitAnd(bits(codes[i + 1]), int32_t(0xFFFF0000));
      words.push_back(bitOr(b, b.shr(bits(codes[i]), 16), upper));
    }
    // The run begins at a multiple of its length, so only low bits of the chunk's number differ.
    unsigned tile = first / Storage::depth, chunk = first % Storage::depth / codesOfChunk;
    Value place = chunk ? b.bitXor(run[1], b.i32(chunk)) : run[1];
    Value pointer = b.at(run[0], b.widen(b.mul(place, Storage::chunkBytes)));
    b.store(b.join(words), b.at(pointer, int32_t(tile * Storage::tileBytes)), Storage::chunkBytes);
  }

  void storeScales(KernelBuilder &b, ValueRange run, ValueRange scales,
                   Value isInView) const override {
    NumericsEmitter emitter(b, b.getLoc());
    for (auto [i, stored] : llvm::enumerate(scales)) {
      Value value = b.select(isInView, emitter.decodeScale(scheme.scale, stored), b.f32(0));
      // Lines of one tile and of the next follow one another.
      b.store(value, b.at(run[2], int32_t(i * Storage::scaleLineBytes)), 4);
    }
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
      Value origin = bitOr(b, sign, b.i32(0x4B000000));
      return arith::SubFOp::create(b, real(bitOr(b, origin, m)), real(origin));
    }
    // As the upper bits of a magnitude m is its level times 2^-126; adding +0 drops the sign of -0.
    Value small = real(bitOr(b, b.shl(m, 22), sign));
    return b.fma(small, b.f32(0x1p126f), b.f32(0));
  }

  static constexpr unsigned codesOfChunk = Storage::chunkBytes * 8 / Storage::elementBits;
  static constexpr unsigned rowBytes = Storage::rowBytes;
  numerics::Scheme scheme;
};
} // namespace

std::unique_ptr<RunWriter> ufp4::createRunWriter(const OperandStorage &storage,
                                                 const numerics::Scheme &scheme) {
  if (&storage == &naturalStorage())
    return std::make_unique<NaturalWriter>(scheme);
  if (&storage == &tileMajorStorage())
    return std::make_unique<TileMajorWriter>(scheme);
  return nullptr;
}
