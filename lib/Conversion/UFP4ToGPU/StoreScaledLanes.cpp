//===- StoreScaledLanes.cpp - Writing runs for block-scaled lanes ---------===//

#include "QuantizeStore.h"

#include "ufp4/Target/LaneMajorScaledStorage.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

using Storage = LaneMajorScaledStorage;

SmallVector<Value> ufp4::toLaneForm(KernelBuilder &b, const Storage &storage,
                                    numerics::Format format, ValueRange nibbles) {
  if (storage.form == LaneForm::Nibbles)
    return nibbles;
  // Bits that keep their distances move together: by source, target, and how far up.
  llvm::MapVector<std::tuple<unsigned, unsigned, int>, uint32_t> moves;
  unsigned count = nibbles.size() * storage.elementBits / 4;
  for (unsigned code = 0; code < nibbles.size() * 8; ++code)
    for (unsigned bit = 0; bit < 4; ++bit) {
      unsigned from = code * 4 + bit;
      // encodeCode, of one bit.
      unsigned encoded = llvm::Log2_32(storage.encodeCode(format, 1 << bit));
      unsigned to = storage.bitOfLane(code, encoded);
      moves[{from / 32, to / 32, int(to % 32) - int(from % 32)}] |= uint32_t(1) << to % 32;
    }
  SmallVector<Value> words(count);
  for (auto [move, mask] : moves) {
    auto [from, to, up] = move;
    Value moved = up < 0 ? b.shr(nibbles[from], -up) : b.shl(nibbles[from], up);
    moved = b.bitAnd(moved, int32_t(mask));
    words[to] = words[to] ? b.bitOr(words[to], moved) : moved;
  }
  return words;
}

namespace {
class ScaledLanesWriter final : public RunWriter {
public:
  ScaledLanesWriter(const Storage &storage, const numerics::Scheme &scheme)
      : storage(storage), shape(storage.shape), scheme(scheme),
        line(storage.scaleLineBytes(scheme.block)),
        wordsAtOnce(std::min<unsigned>(numerics::runLength(scheme), Storage::chunk) / 8) {}

  Value paddedRows(KernelBuilder &b, Value rows) const override {
    return alignUp(b, rows, Storage::rows);
  }
  Value paddedDepth(KernelBuilder &b, Value paddedK) const override {
    return alignUp(b, paddedK, storage.depth);
  }

  CodeForm form() const override {
    bool isWhole = codesAtOnce() == Storage::chunk;
    return storage.form == LaneForm::Split && isWhole ? CodeForm::Split : CodeForm::Nibbles;
  }
  /// A chunk, or the half that is a run.
  unsigned codesAtOnce() const override { return wordsAtOnce * 8; }

  /// Pointers to the run's first code: for pieces of 16 bytes and, where there is one of 8, for
  /// that; and to its first scale.
  SmallVector<Value> begin(KernelBuilder &b, const RunPlace &p, Value codes,
                           Value scales) const override {
    Value rowTiles = shiftDown(b, paddedRows(b, p.rows), Storage::rows);
    Value depthTiles = shiftDown(b, storedDepth(b, p), storage.depth);
    Value lineOfTiles = b.add(b.mul(p.g, rowTiles), shiftDown(b, p.row, Storage::rows));
    Value tile = b.add(b.mul(b.widen(lineOfTiles), b.widen(depthTiles)),
                       b.widen(shiftDown(b, p.k, storage.depth)));
    Value inTile = b.bitAnd(p.row, Storage::rows - 1), k = b.bitAnd(p.k, storage.depth - 1);
    Value group = shiftDown(b, inTile, shape.rows), row = b.bitAnd(inTile, shape.rows - 1);

    Value inStep = b.bitAnd(k, shape.depth - 1);
    Value lane = laneOf(b, shiftDown(b, inStep, Storage::chunk), row);
    Value ofStep = b.add(b.mul(group, storage.groupBytes()),
                         b.mul(shiftDown(b, k, shape.depth), storage.fragmentBytes()));
    Value first = b.add(ofStep, b.mul(lane, pieceBytes));
    if (shape.codesOfLane() > Storage::chunk)
      first =
          b.add(first, b.mul(shiftDown(b, inStep, 2 * Storage::chunk), pieceBytes * shape.lanes));
    if (codesAtOnce() < Storage::chunk)
      first = b.add(first, b.shr(b.bitAnd(inStep, codesAtOnce()), 1));
    Value codesOfTile = b.at(codes, b.mul(tile, storage.tileBytes()));
    SmallVector<Value> run = {b.at(codesOfTile, b.widen(first))};
    if (hasHalfPiece())
      run.push_back(b.at(codesOfTile, b.widen(b.add(b.add(ofStep, pieceBytes * shape.lanes),
                                                    b.mul(lane, pieceBytes / 2)))));

    Value block = shiftDown(b, k, scheme.block), half, byte;
    if (shape.alternatesScales) {
      half = block;
      byte = b.shr(block, 1);
    } else {
      half = shiftDown(b, block, line);
      byte = b.bitAnd(block, line - 1);
    }
    Value scale = b.add(b.mul(group, storage.scaleGroupBytes(scheme.block)),
                        b.add(b.mul(laneOf(b, half, row), line), byte));
    run.push_back(
        b.at(scales, b.add(b.mul(tile, storage.scaleTileBytes(scheme.block)), b.widen(scale))));
    return run;
  }

  SmallVector<Value> move(KernelBuilder &b, const RunPlace &, ValueRange run, unsigned rows,
                          unsigned depth) const override {
    // Offsets add up, since the place has none of these bits.
    unsigned code = rows / shape.rows * storage.groupBytes() + codeOffset(depth);
    unsigned inGroup = rows % shape.rows;
    SmallVector<Value> moved = {b.at(run[0], int32_t(code + inGroup * pieceBytes))};
    if (hasHalfPiece())
      moved.push_back(b.at(run[1], int32_t(rows / shape.rows * storage.groupBytes() +
                                           halfPieceOffset(depth) + inGroup * pieceBytes / 2)));
    unsigned scale = rows / shape.rows * storage.scaleGroupBytes(scheme.block) + inGroup * line +
                     scaleOffset(depth / scheme.block);
    moved.push_back(b.at(run.back(), int32_t(scale)));
    return moved;
  }

  void storeCodes(KernelBuilder &b, ValueRange run, unsigned first,
                  ValueRange codes) const override {
    storeForm(b, run, first, toLaneForm(b, storage, scheme.format, packCodes(b, codes)));
  }
  void storeWords(KernelBuilder &b, ValueRange run, unsigned first,
                  ValueRange words) const override {
    for (; !words.empty(); words = words.drop_front(wordsAtOnce)) {
      ValueRange some = words.take_front(wordsAtOnce);
      storeForm(b, run, first,
                form() == CodeForm::Split ? SmallVector<Value>(some)
                                          : toLaneForm(b, storage, scheme.format, some));
      first += codesAtOnce();
    }
  }

  void storeScales(KernelBuilder &b, ValueRange run, ValueRange scales,
                   Value isInView) const override {
    Value zero = arith::ConstantOp::create(b, b.getI8IntegerAttr(0));
    SmallVector<Value> bytes;
    for (Value stored : scales)
      bytes.push_back(b.select(isInView, stored, zero));
    storeScaleWords(b, run, bytes);
  }
  void storeScaleWords(KernelBuilder &b, ValueRange run, ValueRange scales) const override {
    for (auto [i, stored] : llvm::enumerate(scales))
      b.store(stored, b.at(run.back(), int32_t(scaleOffset(i))), 1);
  }

private:
  static constexpr unsigned pieceBytes = 16;

  const Storage &storage;
  const LaneShape &shape;
  const numerics::Scheme scheme;
  /// Bytes of a lane's scales in a tile.
  const unsigned line;
  /// Words of nibbles that make one store.
  const unsigned wordsAtOnce;

  static Value shiftDown(KernelBuilder &b, Value x, unsigned powerOfTwo) {
    return b.shr(x, llvm::Log2_32(powerOfTwo));
  }
  /// Codes of one store, in the storage's form.
  void storeForm(KernelBuilder &b, ValueRange run, unsigned first, ArrayRef<Value> words) const {
    size_t inPiece = std::min<size_t>(words.size(), 4);
    b.store(b.join(words.take_front(inPiece)), b.at(run[0], int32_t(codeOffset(first))),
            inPiece * 4);
    if (hasHalfPiece())
      b.store(b.join(words.drop_front(inPiece)), b.at(run[1], int32_t(halfPieceOffset(first))),
              (words.size() - inPiece) * 4);
  }
  /// The lane of a row and of a half, the parity of a number.
  Value laneOf(KernelBuilder &b, Value parity, Value row) const {
    return b.add(b.mul(b.bitAnd(parity, 1), shape.rows), row);
  }
  bool hasHalfPiece() const { return storage.laneBytes() % pieceBytes; }

  /// LaneMajorScaledStorage::locateBit for a position from the run's first on; offsets add up,
  /// since a run begins at a multiple of its length.
  unsigned codeOffset(unsigned k) const {
    unsigned inStep = k % shape.depth;
    return stepOffset(k) + inStep / (2 * Storage::chunk) * pieceBytes * shape.lanes +
           inStep / Storage::chunk % 2 * shape.rows * pieceBytes + k % Storage::chunk / 2;
  }
  unsigned halfPieceOffset(unsigned k) const {
    return stepOffset(k) + k % shape.depth / Storage::chunk * shape.rows * pieceBytes / 2;
  }
  unsigned stepOffset(unsigned k) const {
    return k / storage.depth * storage.tileBytes() +
           k % storage.depth / shape.depth * storage.fragmentBytes();
  }
  unsigned scaleOffset(unsigned block) const {
    unsigned ofTile = storage.depth / scheme.block, inTile = block % ofTile;
    unsigned half = shape.alternatesScales ? inTile % 2 : inTile / line;
    unsigned byte = shape.alternatesScales ? inTile / 2 : inTile % line;
    return block / ofTile * storage.scaleTileBytes(scheme.block) + half * shape.rows * line + byte;
  }
};
} // namespace

std::unique_ptr<RunWriter> ufp4::createScaledLanesWriter(const OperandStorage &storage,
                                                         const numerics::Scheme &scheme) {
  for (const Storage *lanes : scaledLanesStorages()) {
    if (&storage != lanes)
      continue;
    // A run of 16 in E2M3 would end inside a piece.
    bool isShort = numerics::runLength(scheme) < Storage::chunk;
    return isShort && lanes->form == LaneForm::E2M3
               ? nullptr
               : std::make_unique<ScaledLanesWriter>(*lanes, scheme);
  }
  return nullptr;
}
