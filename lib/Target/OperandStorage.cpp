//===- OperandStorage.cpp - How an operand lies in memory -----------------===//

#include "ufp4/Target/OperandStorage.h"

#include "ufp4/Target/ContainerStorage.h"
#include "ufp4/Target/LaneMajorScaledStorage.h"
#include "ufp4/Target/LaneMajorStorage.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace ufp4;
using namespace ufp4::target;
using llvm::divideCeil;

OperandStorage::~OperandStorage() = default;

BitAddress OperandStorage::locateBit(const OperandType &type, PlaneIndex plane, Position position,
                                     unsigned bit) const {
  BitAddress lowest = locate(type, plane, position);
  bit += lowest.bit;
  return {plane, lowest.byte + bit / 8, bit % 8};
}

/// Whether a position is one of the view's, K padded to Kp.
static bool isInside(const OperandType &type, const Position &p) {
  return p.g >= 0 && p.g < type.shape.g && p.row >= 0 && p.row < type.shape.r && p.k >= 0 &&
         p.k < type.paddedK();
}

static std::optional<Position> insideOrNothing(const OperandType &type, const Position &p) {
  return isInside(type, p) ? std::optional(p) : std::nullopt;
}

/// A stored scale as an f32's bits.
static uint32_t widenScale(numerics::ScaleKind kind, uint32_t stored) {
  switch (kind) {
  case numerics::ScaleKind::F32:
    return stored;
  case numerics::ScaleKind::UE4M3:
    return llvm::bit_cast<uint32_t>(numerics::decodeUE4M3(stored));
  case numerics::ScaleKind::UE8M0:
    return llvm::bit_cast<uint32_t>(numerics::decodeUE8M0(stored));
  }
  llvm_unreachable("a scale kind outside the enum");
}

std::optional<std::string> ufp4::target::verifyTiles(const OperandStorage &storage,
                                                     const OperandType &type) {
  StorageTile tile = *storage.tile(type.scheme);
  int64_t tiles =
      type.shape.g * divideCeil(type.shape.r, tile.rows) * divideCeil(type.paddedK(), tile.depth);
  if (!llvm::isInt<32>(tiles))
    return llvm::formatv("{0} has {1} tiles of {2} x {3}; at most {4} can be addressed",
                         storage.name(), tiles, tile.rows, tile.depth, INT32_MAX)
        .str();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Natural
//===----------------------------------------------------------------------===//

llvm::SmallVector<Plane, planeCount> NaturalStorage::buffers(const OperandType &type) const {
  unsigned scaleBytes = numerics::scaleBytes(type.scheme.scale);
  return {Plane{numerics::codeCount(type.scheme, type.shape) / 2, 4, 1},
          Plane{numerics::scaleCount(type.scheme, type.shape) * scaleBytes, scaleBytes * 8,
                scaleBytes}};
}

BitAddress NaturalStorage::locate(const OperandType &type, PlaneIndex plane, Position p) const {
  const numerics::Scheme &scheme = type.scheme;
  if (plane == codesPlane) {
    int64_t index = (p.g * type.shape.r + p.row) * type.paddedK() + p.k;
    return {plane, index / 2, unsigned(index % 2 * 4)};
  }
  int64_t scaleRow = p.g * numerics::scaleRows(scheme, type.shape.r) + p.row / scheme.blockRows;
  int64_t index = scaleRow * (type.paddedK() / scheme.block) + p.k / scheme.block;
  return {plane, index * numerics::scaleBytes(scheme.scale), 0};
}

std::optional<Position> NaturalStorage::positionAt(const OperandType &type, BitAddress a) const {
  const numerics::Scheme &scheme = type.scheme;
  int64_t paddedK = type.paddedK();
  if (!paddedK || !type.shape.r)
    return std::nullopt;
  if (a.plane == codesPlane) {
    if (a.bit % 4)
      return std::nullopt;
    int64_t index = a.byte * 2 + a.bit / 4, row = index / paddedK;
    return insideOrNothing(type, {row / type.shape.r, row % type.shape.r, index % paddedK});
  }
  unsigned bytes = numerics::scaleBytes(scheme.scale);
  if (a.bit || a.byte % bytes)
    return std::nullopt;
  int64_t perRow = paddedK / scheme.block, rows = numerics::scaleRows(scheme, type.shape.r);
  int64_t index = a.byte / bytes, row = index / perRow;
  return insideOrNothing(
      type, {row / rows, row % rows * scheme.blockRows, index % perRow * scheme.block});
}

numerics::ViewShape NaturalStorage::pads(const OperandType &type) const {
  return {type.shape.g, type.shape.r, type.paddedK()};
}

std::optional<std::string> NaturalStorage::verify(const OperandType &, const Chip &) const {
  return std::nullopt;
}

LayoutFormulas NaturalStorage::formulas() const {
  return {"((g * R + row) * Kp + k) * 4",
          "((g * (R // BR + 2 * (R % BR) // (R % BR + 1)) + row // BR) * (Kp // B) + k // B) * "
          "scale_bytes"};
}

//===----------------------------------------------------------------------===//
// Tile-major
//===----------------------------------------------------------------------===//

llvm::SmallVector<Plane, planeCount> TileMajorStorage::buffers(const OperandType &type) const {
  int64_t tiles = type.shape.g * rowTiles(type.shape.r) * depthTiles(type.paddedK());
  return {Plane{tiles * tileBytes, elementBits, chunkBytes},
          Plane{tiles * scaleTileBytes(type.scheme.block), scaleBits, chunkBytes}};
}

BitAddress TileMajorStorage::locate(const OperandType &type, PlaneIndex plane, Position p) const {
  int64_t tile =
      (p.g * rowTiles(type.shape.r) + p.row / rows) * depthTiles(type.paddedK()) + p.k / depth;
  unsigned row = p.row % rows, k = p.k % depth, block = type.scheme.block;
  if (plane == scalesPlane)
    return {plane, tile * scaleTileBytes(block) + scaleOffset(block, row, k / block), 0};
  unsigned chunk = k / chunkDepth ^ swizzle(row), bit = k % chunkDepth * elementBits;
  return {plane, tile * tileBytes + line(row) * rowBytes + chunk * chunkBytes + bit / 8, bit % 8};
}

std::optional<Position> TileMajorStorage::positionAt(const OperandType &type, BitAddress a) const {
  int64_t tilesDeep = depthTiles(type.paddedK()), tilesHigh = rowTiles(type.shape.r);
  if (!tilesDeep || !tilesHigh || (a.plane == scalesPlane && !hasScales()))
    return std::nullopt;
  auto position = [&](int64_t tile, unsigned row, unsigned k) {
    return insideOrNothing(type,
                           {tile / tilesDeep / tilesHigh, tile / tilesDeep % tilesHigh * rows + row,
                            tile % tilesDeep * depth + k});
  };
  unsigned block = type.scheme.block;
  if (a.plane == scalesPlane) {
    unsigned bytes = scaleTileBytes(block), offset = a.byte % bytes;
    if (a.bit || offset % (scaleBits / 8))
      return std::nullopt;
    auto [row, blockOfRow] = scaleAt(block, offset);
    return position(a.byte / bytes, row, blockOfRow * block);
  }
  unsigned inTile = a.byte % tileBytes, row = rowAtLine(inTile / rowBytes),
           byte = inTile % rowBytes;
  unsigned bit = byte % chunkBytes * 8 + a.bit;
  if (bit % elementBits || bit / elementBits >= chunkDepth)
    return std::nullopt;
  unsigned chunk = byte / chunkBytes ^ swizzle(row);
  return position(a.byte / tileBytes, row, chunk * chunkDepth + bit / elementBits);
}

numerics::ViewShape TileMajorStorage::pads(const OperandType &type) const {
  return {type.shape.g, rowTiles(type.shape.r) * rows, depthTiles(type.paddedK()) * depth};
}

std::optional<StorageTile> TileMajorStorage::tile(const numerics::Scheme &scheme) const {
  return StorageTile{rows, depth, {tileBytes, scaleTileBytes(scheme.block)}};
}

std::optional<std::string> TileMajorStorage::verify(const OperandType &type, const Chip &) const {
  return verifyTiles(*this, type);
}

LayoutFormulas TileMajorStorage::formulas() const {
  std::string tile = llvm::formatv("((g * ((R + {0}) // {1}) + row // {1}) * ((Kp + {2}) // {3}) + "
                                   "k // {3})",
                                   rows - 1, rows, depth - 1, depth);
  std::string folded = foldedBit ? llvm::formatv(" ^ row // {0}", 1 << foldedBit).str() : "";
  bool isFours = order == LineOrder::Fours;
  std::string line = llvm::formatv("row % {0}", rows),
              swizzle = llvm::formatv("row // 4 & 6 | (row{0}) & 1", folded);
  if (isFours) {
    line = llvm::formatv("(row % 4 * {0} + row % {1} // 4)", rows / 4, rows);
    swizzle = "row // 4 & 7";
  }
  std::string chunk = llvm::formatv("(k % {0} // {1} ^ ({2}))", depth, chunkDepth, swizzle);
  std::string code =
      llvm::formatv("({0} * {1} + {2} * {3} + {4} * {5}) * 8 + k % {6} * {7}", tile, tileBytes,
                    line, rowBytes, chunk, chunkBytes, chunkDepth, elementBits);
  if (partsCodes())
    code += " + bit";
  std::string scale = llvm::formatv("{0} * ({1}) + {2}", tile, scaleTileFormula(), scaleFormula());
  return {code, scale};
}

//===----------------------------------------------------------------------===//
// Tile-major, expanded to bf16
//===----------------------------------------------------------------------===//

unsigned TileMajorBF16Storage::scaleOffset(unsigned, unsigned row, unsigned blockOfRow) const {
  return blockOfRow * scaleLineBytes + row * 4;
}

std::pair<unsigned, unsigned> TileMajorBF16Storage::scaleAt(unsigned, unsigned offset) const {
  return {offset % scaleLineBytes / 4, offset / scaleLineBytes};
}

std::string TileMajorBF16Storage::scaleTileFormula() const {
  return llvm::formatv("{0} // B * {1}", depth, scaleLineBytes);
}

std::string TileMajorBF16Storage::scaleFormula() const {
  return llvm::formatv("k % {0} // B * {1} + row % {2} * 4", depth, scaleLineBytes, rows);
}

uint32_t TileMajorBF16Storage::encodeCode(numerics::Format format, uint8_t code) const {
  // Every level has at most three significant bits, so the upper half of the f32 is exact.
  return llvm::bit_cast<uint32_t>(numerics::decodeCode(format, code)) >> 16;
}

uint32_t TileMajorBF16Storage::encodeScale(numerics::ScaleKind kind, uint32_t stored) const {
  return widenScale(kind, stored);
}

//===----------------------------------------------------------------------===//
// Tile-major, scales folded in
//===----------------------------------------------------------------------===//

uint32_t TileMajorFoldedStorage::encodeCode(numerics::Format format, uint8_t code) const {
  return tileMajorStorage().encodeCode(format, code);
}

uint32_t TileMajorFoldedStorage::encode(const numerics::Scheme &scheme, uint8_t code,
                                        uint32_t stored) const {
  // Code 8 is +0 here.
  float scale = llvm::bit_cast<float>(tileMajorStorage().encodeScale(scheme.scale, stored));
  float level = llvm::bit_cast<float>(encodeCode(scheme.format, code) << 16);
  return llvm::bit_cast<uint32_t>(level * scale) >> 16;
}

LayoutFormulas TileMajorFoldedStorage::formulas() const {
  return {TileMajorStorage::formulas().codeBit, ""};
}

/// Why products of codes and scales are not exact in a storage of bf16; empty if they are.
static std::string explainProducts(const OperandStorage &storage, const OperandType &type) {
  if (type.scheme.scale != numerics::ScaleKind::F32)
    return "";
  return llvm::formatv("{0} holds products that bf16 has exactly, and those of {1} it has not",
                       storage.name(), describeScheme(type.scheme))
      .str();
}

std::optional<std::string> TileMajorFoldedStorage::verify(const OperandType &type,
                                                          const Chip &chip) const {
  if (std::string why = explainProducts(*this, type); !why.empty())
    return why;
  return TileMajorStorage::verify(type, chip);
}

//===----------------------------------------------------------------------===//
// Tile-major, of 4 bits
//===----------------------------------------------------------------------===//

unsigned TileMajor4BitStorage::scaleOffset(unsigned block, unsigned row,
                                           unsigned blockOfRow) const {
  if (scaleOrder == ScaleOrder::Words)
    return (blockOfRow / blocksOfWord * rows + row) * blocksOfWord + blockOfRow % blocksOfWord;
  return row * scaleLineBytes(block) + blockOfRow;
}

std::pair<unsigned, unsigned> TileMajor4BitStorage::scaleAt(unsigned block, unsigned offset) const {
  if (scaleOrder == ScaleOrder::Words) {
    unsigned word = offset / blocksOfWord;
    return {word % rows, word / rows * blocksOfWord + offset % blocksOfWord};
  }
  return {offset / scaleLineBytes(block), offset % scaleLineBytes(block)};
}

std::string TileMajor4BitStorage::scaleTileFormula() const {
  return llvm::formatv("{0} * ({1} // B)", rows, depth);
}

/// The place of a block's scale, rows having theirs together.
static std::string formulaOfRows(unsigned depth) {
  return llvm::formatv("row % {0} * ({1} // B) + k % {1} // B", TileMajorStorage::rows, depth);
}

std::string TileMajor4BitStorage::scaleFormula() const {
  if (scaleOrder == ScaleOrder::Words)
    return llvm::formatv("(k % {0} // B // {1} * {2} + row % {2}) * {1} + k // B % {1}", depth,
                         blocksOfWord, rows);
  return formulaOfRows(depth);
}

/// Why a storage of byte-wide scales does not hold an operand's; empty if it does.
static std::string explainScales(const OperandStorage &storage, const OperandType &type) {
  unsigned bytes = numerics::scaleBytes(type.scheme.scale);
  return bytes == 1 ? ""
                    : llvm::formatv("{0} holds scales of one byte, and {1} has {2}", storage.name(),
                                    describeScheme(type.scheme), bytes)
                          .str();
}

std::optional<std::string> TileMajor4BitStorage::verify(const OperandType &type,
                                                        const Chip &chip) const {
  if (std::string why = explainScales(*this, type); !why.empty())
    return why;
  return TileMajorStorage::verify(type, chip);
}

//===----------------------------------------------------------------------===//
// Tile-major, widened to E2M3
//===----------------------------------------------------------------------===//

uint32_t TileMajorE2M3Storage::encodeCode(numerics::Format format, uint8_t code) const {
  // S000MMM and SEEM00 in six bits.
  return format == numerics::Format::E1M2 ? (code & 8) << 2 | (code & 7) : (code & 15) << 2;
}

unsigned TileMajorE2M3Storage::scaleOffset(unsigned block, unsigned row,
                                           unsigned blockOfRow) const {
  return row * scaleLineBytes(block) + blockOfRow;
}

std::pair<unsigned, unsigned> TileMajorE2M3Storage::scaleAt(unsigned block, unsigned offset) const {
  return {offset / scaleLineBytes(block), offset % scaleLineBytes(block)};
}

std::string TileMajorE2M3Storage::scaleTileFormula() const {
  return llvm::formatv("{0} * ({1} // B)", rows, depth);
}

std::string TileMajorE2M3Storage::scaleFormula() const { return formulaOfRows(depth); }

std::optional<std::string> TileMajorE2M3Storage::verify(const OperandType &type,
                                                        const Chip &chip) const {
  if (std::string why = explainScales(*this, type); !why.empty())
    return why;
  return TileMajorStorage::verify(type, chip);
}

//===----------------------------------------------------------------------===//
// Lane-major
//===----------------------------------------------------------------------===//

llvm::SmallVector<Plane, planeCount> LaneMajorStorage::buffers(const OperandType &type) const {
  int64_t tiles = type.shape.g * rowTiles(type.shape.r) * depthTiles(type.paddedK());
  return {Plane{tiles * tileBytes, 8 * elementBytes, 16},
          Plane{tiles * scaleTileBytes(type.scheme.block), hasScales() ? 32u : 0u, 16}};
}

unsigned LaneMajorStorage::codeOffset(unsigned row, unsigned k) const {
  unsigned lane = k / 8 % 2 * rowsOfGroup + row % rowsOfGroup;
  return row / rowsOfGroup * groupBytes + k / depthOfPiece * pieceBytes + lane * 16 +
         (k % depthOfPiece / 16 * 8 + k % 8) * elementBytes;
}

BitAddress LaneMajorStorage::locate(const OperandType &type, PlaneIndex plane, Position p) const {
  int64_t tile =
      (p.g * rowTiles(type.shape.r) + p.row / rows) * depthTiles(type.paddedK()) + p.k / depth;
  unsigned row = p.row % rows, k = p.k % depth, block = type.scheme.block;
  if (plane == scalesPlane)
    return {plane, tile * scaleTileBytes(block) + scaleOffset(block, row, k / block), 0};
  return {plane, tile * tileBytes + codeOffset(row, k), 0};
}

std::optional<Position> LaneMajorStorage::positionAt(const OperandType &type, BitAddress a) const {
  int64_t tilesDeep = depthTiles(type.paddedK()), tilesHigh = rowTiles(type.shape.r);
  if (!tilesDeep || !tilesHigh || a.bit || (a.plane == scalesPlane && !hasScales()))
    return std::nullopt;
  auto position = [&](int64_t tile, unsigned row, unsigned k) {
    return insideOrNothing(type,
                           {tile / tilesDeep / tilesHigh, tile / tilesDeep % tilesHigh * rows + row,
                            tile % tilesDeep * depth + k});
  };
  if (a.plane == scalesPlane) {
    unsigned bytes = scaleTileBytes(type.scheme.block), offset = a.byte % bytes;
    if (offset % 4)
      return std::nullopt;
    auto [row, blockOfRow] = scaleAt(type.scheme.block, offset);
    return position(a.byte / bytes, row, blockOfRow * type.scheme.block);
  }
  unsigned inTile = a.byte % tileBytes, lane = inTile % pieceBytes / 16, byte = inTile % 16;
  if (byte % elementBytes)
    return std::nullopt;
  unsigned element = byte / elementBytes;
  return position(a.byte / tileBytes, inTile / groupBytes * rowsOfGroup + lane % rowsOfGroup,
                  inTile % groupBytes / pieceBytes * depthOfPiece + element / 8 * 16 +
                      lane / rowsOfGroup * 8 + element % 8);
}

numerics::ViewShape LaneMajorStorage::pads(const OperandType &type) const {
  return {type.shape.g, rowTiles(type.shape.r) * rows, depthTiles(type.paddedK()) * depth};
}

std::optional<StorageTile> LaneMajorStorage::tile(const numerics::Scheme &scheme) const {
  return StorageTile{rows, depth, {tileBytes, scaleTileBytes(scheme.block)}};
}

std::optional<std::string> LaneMajorStorage::verify(const OperandType &type, const Chip &) const {
  return verifyTiles(*this, type);
}

LayoutFormulas LaneMajorStorage::formulas() const {
  std::string tile = llvm::formatv("((g * ((R + {0}) // {1}) + row // {1}) * ((Kp + {2}) // {3}) + "
                                   "k // {3})",
                                   rows - 1, rows, depth - 1, depth);
  // Of a piece that is a single run of 16 there is no other.
  std::string run = depthOfPiece == 16 ? "" : " + k // 16 % 2 * 8";
  std::string code = llvm::formatv(
      "({0} * {1} + row % {2} // {3} * {4} + k % {5} // {6} * {7} + (k // 8 % 2 * {3} + row % {3}) "
      "* 16{8} + k % 8{9}) * 8",
      tile, tileBytes, rows, rowsOfGroup, groupBytes, depth, depthOfPiece, pieceBytes, run,
      elementBytes == 1 ? "" : " * " + std::to_string(elementBytes));
  return {code, scaleFormula(tile)};
}

//===----------------------------------------------------------------------===//
// Lane-major, expanded to FP8
//===----------------------------------------------------------------------===//

unsigned LaneMajorFP8Storage::scaleOffset(unsigned, unsigned row, unsigned blockOfRow) const {
  return blockOfRow / 2 * scaleLineBytes + row / rowsOfGroup * scaleGroupBytes +
         (blockOfRow % 2 * rowsOfGroup + row % rowsOfGroup) * 4;
}

std::pair<unsigned, unsigned> LaneMajorFP8Storage::scaleAt(unsigned, unsigned offset) const {
  unsigned inGroup = offset % scaleGroupBytes / 4;
  return {offset % scaleLineBytes / scaleGroupBytes * rowsOfGroup + inGroup % rowsOfGroup,
          offset / scaleLineBytes * 2 + inGroup / rowsOfGroup};
}

std::string LaneMajorFP8Storage::scaleFormula(llvm::StringRef tile) const {
  return llvm::formatv("{0} * ({1} // (2 * B) * {2}) + k % {1} // (2 * B) * {2} + "
                       "row % {3} // {4} * {5} + (k // B % 2 * {4} + row % {4}) * 4",
                       tile, depth, scaleLineBytes, rows, rowsOfGroup, scaleGroupBytes);
}

uint32_t LaneMajorFP8Storage::encodeCode(numerics::Format format, uint8_t code) const {
  // E4M3's codes up to 15 are the multiples of its least number.
  float twice = 2 * numerics::decodeCode(format, code);
  return twice < 0 ? uint32_t(-twice) | 0x80 : uint32_t(twice);
}

uint32_t LaneMajorFP8Storage::encodeScale(numerics::ScaleKind kind, uint32_t stored) const {
  return widenScale(kind, stored);
}

//===----------------------------------------------------------------------===//
// Lane-major, scales folded in
//===----------------------------------------------------------------------===//

uint32_t LaneMajorFoldedStorage::encodeCode(numerics::Format format, uint8_t code) const {
  return tileMajorFoldedStorage().encodeCode(format, code);
}

uint32_t LaneMajorFoldedStorage::encode(const numerics::Scheme &scheme, uint8_t code,
                                        uint32_t stored) const {
  return tileMajorFoldedStorage().encode(scheme, code, stored);
}

std::optional<std::string> LaneMajorFoldedStorage::verify(const OperandType &type,
                                                          const Chip &chip) const {
  if (std::string why = explainProducts(*this, type); !why.empty())
    return why;
  return LaneMajorStorage::verify(type, chip);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

const NaturalStorage &ufp4::target::naturalStorage() {
  static const NaturalStorage storage;
  return storage;
}

const TileMajorBF16Storage &ufp4::target::tileMajorStorage() {
  static const TileMajorBF16Storage storage;
  return storage;
}

const TileMajorFoldedStorage &ufp4::target::tileMajorFoldedStorage() {
  static const TileMajorFoldedStorage storage;
  return storage;
}

const TileMajor4BitStorage &ufp4::target::tileMajor4BitStorage() {
  static const TileMajor4BitStorage storage(TileMajor4BitStorage::ScaleOrder::Rows);
  return storage;
}

const TileMajor4BitStorage &ufp4::target::tileMajor4BitWordsStorage() {
  static const TileMajor4BitStorage storage(TileMajor4BitStorage::ScaleOrder::Words);
  return storage;
}

const TileMajorE2M3Storage &ufp4::target::tileMajorE2M3Storage() {
  static const TileMajorE2M3Storage storage(8);
  return storage;
}

const TileMajorE2M3Storage &ufp4::target::tileMajorPackedE2M3Storage() {
  static const TileMajorE2M3Storage storage(6);
  return storage;
}

const LaneMajorFP8Storage &ufp4::target::laneMajorFP8Storage() {
  static const LaneMajorFP8Storage storage;
  return storage;
}

const LaneMajorFoldedStorage &ufp4::target::laneMajorFoldedStorage() {
  static const LaneMajorFoldedStorage storage;
  return storage;
}

llvm::ArrayRef<const OperandStorage *> ufp4::target::storages() {
  static const std::vector<const OperandStorage *> all = [] {
    std::vector<const OperandStorage *> all = {&naturalStorage(),
                                               &tileMajorStorage(),
                                               &tileMajorFoldedStorage(),
                                               &tileMajor4BitStorage(),
                                               &tileMajor4BitWordsStorage(),
                                               &tileMajorE2M3Storage(),
                                               &tileMajorPackedE2M3Storage(),
                                               &laneMajorFP8Storage(),
                                               &laneMajorFoldedStorage()};
    llvm::append_range(all, scaledLanesStorages());
    return all;
  }();
  return all;
}

const OperandStorage *ufp4::target::findStorage(llvm::StringRef name) {
  for (const OperandStorage *storage : storages())
    if (storage->name() == name)
      return storage;
  return nullptr;
}

/// Writes the bits of one element, which overlaps no other.
static void deposit(std::vector<uint8_t> &buffer, const BitAddress &at, unsigned bits,
                    uint32_t value) {
  if (bits < 8) {
    buffer[at.byte] |= value << at.bit;
    return;
  }
  std::memcpy(&buffer[at.byte], &value, bits / 8); // Hosts are little-endian, as LLVM's JIT ones.
}

std::vector<std::vector<uint8_t>> ufp4::target::packOperand(const OperandStorage &storage,
                                                            const OperandType &type,
                                                            const uint8_t *codes,
                                                            const void *scales) {
  llvm::SmallVector<Plane, planeCount> planes = storage.buffers(type);
  std::vector<std::vector<uint8_t>> packed;
  for (const Plane &plane : planes)
    packed.emplace_back(plane.bytes, 0);
  const numerics::Scheme &scheme = type.scheme;
  int64_t paddedK = type.paddedK(), scaleRows = numerics::scaleRows(scheme, type.shape.r);
  for (int64_t g = 0; g < type.shape.g; ++g)
    for (int64_t row = 0; row < type.shape.r; ++row) {
      for (int64_t block = 0; block < paddedK / scheme.block; ++block) {
        int64_t index = (g * scaleRows + row / scheme.blockRows) * (paddedK / scheme.block) + block;
        uint32_t stored = 0;
        if (scheme.scale == numerics::ScaleKind::F32)
          std::memcpy(&stored, static_cast<const float *>(scales) + index, 4);
        else
          stored = static_cast<const uint8_t *>(scales)[index];
        for (int64_t k = block * scheme.block; k < (block + 1) * scheme.block; ++k) {
          uint8_t code = codes[(g * type.shape.r + row) * paddedK + k];
          uint32_t bits = storage.encode(scheme, code, stored);
          if (!storage.partsCodes()) {
            deposit(packed[codesPlane], storage.locate(type, codesPlane, {g, row, k}),
                    planes[codesPlane].elementBits, bits);
            continue;
          }
          for (unsigned i = 0; i < planes[codesPlane].elementBits; ++i)
            deposit(packed[codesPlane], storage.locateBit(type, codesPlane, {g, row, k}, i), 1,
                    bits >> i & 1);
        }
        if (!storage.hasScales())
          continue;
        deposit(packed[scalesPlane],
                storage.locate(type, scalesPlane, {g, row, block * scheme.block}),
                planes[scalesPlane].elementBits, storage.encodeScale(scheme.scale, stored));
      }
    }
  return packed;
}
