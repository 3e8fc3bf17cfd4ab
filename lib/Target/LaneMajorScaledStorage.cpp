//===- LaneMajorScaledStorage.cpp - Storage of block-scaled MFMA and WMMA -===//

#include "ufp4/Target/LaneMajorScaledStorage.h"

#include "ufp4/Target/ContainerStorage.h"

#include "llvm/Support/FormatVariadic.h"

using namespace ufp4;
using namespace ufp4::target;

/// Bytes of a lane that lie together.
static constexpr unsigned pieceBytes = 16;

/// Codes whose `Split` bits are two words, and bits of a code in E2M3.
static constexpr unsigned codesOfSplit = 16, containerBits = 6;

/// Where E2M3 has a bit of a code of e1m2: S00MMM.
static constexpr unsigned bitInE2M3(unsigned bit) { return bit < 3 ? bit : 5; }

std::pair<uint32_t, uint32_t> LaneMajorScaledStorage::splitMasks(unsigned word) {
  std::pair<uint32_t, uint32_t> masks{0, 0};
  for (unsigned code = 0; code < codesOfSplit; ++code)
    for (unsigned bit = 0; bit < 4; ++bit) {
      unsigned place = containerBits * code + bitInE2M3(bit);
      if (place / 32 == word)
        (bitOfSplit(code, bit) < 32 ? masks.first : masks.second) |= uint32_t(1) << place % 32;
    }
  return masks;
}

unsigned LaneMajorScaledStorage::bitOfSplit(unsigned code, unsigned bit) {
  unsigned place = containerBits * code + bitInE2M3(bit);
  // Word 0 has no bits at 3 and 4, word 1 none at 1 and 2 (mod 6), where word 2 has all of its.
  return place < 64 ? place : place % 64 + (place % 32 % 6 < 3 ? 32 : 0);
}

unsigned LaneMajorScaledStorage::bitOfLane(unsigned code, unsigned bit) const {
  if (form == LaneForm::Split)
    return code / codesOfSplit * 64 + bitOfSplit(code % codesOfSplit, bit);
  return code * elementBits + bit;
}

llvm::SmallVector<Plane, planeCount>
LaneMajorScaledStorage::buffers(const OperandType &type) const {
  int64_t tiles = type.shape.g * rowTiles(type.shape.r) * depthTiles(type.paddedK());
  return {Plane{tiles * tileBytes(), elementBits, 16},
          Plane{tiles * scaleTileBytes(type.scheme.block), 8, 16}};
}

BitAddress LaneMajorScaledStorage::locateBit(const OperandType &type, PlaneIndex plane, Position p,
                                             unsigned bit) const {
  int64_t tile =
      (p.g * rowTiles(type.shape.r) + p.row / rows) * depthTiles(type.paddedK()) + p.k / depth;
  unsigned group = p.row % rows / shape.rows, row = p.row % shape.rows, k = p.k % depth;
  if (plane == scalesPlane) {
    unsigned block = type.scheme.block, line = scaleLineBytes(block), inTile = k / block;
    unsigned half = shape.alternatesScales ? inTile % 2 : inTile / line;
    unsigned byte = shape.alternatesScales ? inTile / 2 : inTile % line;
    return {plane,
            tile * scaleTileBytes(block) + group * scaleGroupBytes(block) +
                (half * shape.rows + row) * line + byte,
            bit};
  }
  unsigned inStep = k % shape.depth, lane = inStep / chunk % 2 * shape.rows + row;
  unsigned ofLane = bitOfLane(inStep / (2 * chunk) * chunk + k % chunk, bit);
  unsigned piece = ofLane / 8 / pieceBytes,
           width = std::min(pieceBytes, laneBytes() - piece * pieceBytes);
  return {plane,
          tile * tileBytes() + group * groupBytes() + k / shape.depth * fragmentBytes() +
              piece * pieceBytes * shape.lanes + lane * width + ofLane / 8 % pieceBytes,
          ofLane % 8};
}

std::optional<Position> LaneMajorScaledStorage::positionAt(const OperandType &type,
                                                           BitAddress a) const {
  int64_t tilesDeep = depthTiles(type.paddedK()), tilesHigh = rowTiles(type.shape.r);
  if (!tilesDeep || !tilesHigh)
    return std::nullopt;
  auto position = [&](int64_t tile, unsigned row, unsigned k) -> std::optional<Position> {
    Position p{tile / tilesDeep / tilesHigh, tile / tilesDeep % tilesHigh * rows + row,
               tile % tilesDeep * depth + k};
    if (p.g >= type.shape.g || p.row >= type.shape.r || p.k >= type.paddedK())
      return std::nullopt;
    return p;
  };
  if (a.plane == scalesPlane) {
    unsigned block = type.scheme.block, line = scaleLineBytes(block);
    unsigned inTile = a.byte % scaleTileBytes(block), inGroup = inTile % scaleGroupBytes(block);
    unsigned lane = inGroup / line, half = lane / shape.rows, byte = inGroup % line;
    if (a.bit)
      return std::nullopt;
    return position(a.byte / scaleTileBytes(block),
                    inTile / scaleGroupBytes(block) * shape.rows + lane % shape.rows,
                    block * (shape.alternatesScales ? 2 * byte + half : half * line + byte));
  }
  unsigned inTile = a.byte % tileBytes(), inGroup = inTile % groupBytes();
  unsigned inFragment = inGroup % fragmentBytes(), piece = inFragment / (pieceBytes * shape.lanes);
  unsigned width = std::min(pieceBytes, laneBytes() - piece * pieceBytes);
  unsigned inPiece = inFragment % (pieceBytes * shape.lanes), lane = inPiece / width;
  unsigned ofLane = (piece * pieceBytes + inPiece % width) * 8 + a.bit;
  for (unsigned code = 0; code < shape.codesOfLane(); ++code)
    if (bitOfLane(code, 0) == ofLane)
      return position(a.byte / tileBytes(), inTile / groupBytes() * shape.rows + lane % shape.rows,
                      inGroup / fragmentBytes() * shape.depth +
                          (code / chunk * 2 + lane / shape.rows) * chunk + code % chunk);
  return std::nullopt;
}

numerics::ViewShape LaneMajorScaledStorage::pads(const OperandType &type) const {
  return {type.shape.g, rowTiles(type.shape.r) * rows, depthTiles(type.paddedK()) * depth};
}

std::optional<StorageTile> LaneMajorScaledStorage::tile(const numerics::Scheme &scheme) const {
  return StorageTile{rows, depth, {tileBytes(), scaleTileBytes(scheme.block)}};
}

std::optional<std::string> LaneMajorScaledStorage::verify(const OperandType &type,
                                                          const Chip &) const {
  const numerics::Scheme &scheme = type.scheme;
  bool holdsBlock = !shape.alternatesScales || scheme.block == chunk;
  if (numerics::scaleBytes(scheme.scale) != 1 || !holdsBlock)
    return llvm::formatv("{0} holds scales of one byte{1}, and not {2}", name(),
                         shape.alternatesScales ? " per 32" : "", describeScheme(scheme))
        .str();
  if (form == LaneForm::Split && scheme.format != numerics::Format::E1M2)
    return llvm::formatv("{0} holds codes of e1m2, and not {1}", name(), describeScheme(scheme))
        .str();
  return verifyTiles(*this, type);
}

LayoutFormulas LaneMajorScaledStorage::formulas() const {
  std::string tile = llvm::formatv("((g * ((R + {0}) // {1}) + row // {1}) * ((Kp + {2}) // {3}) + "
                                   "k // {3})",
                                   rows - 1, rows, depth - 1, depth);
  std::string group = llvm::formatv("row % {0} // {1}", rows, shape.rows);
  // Of a code among those of its lane, and of its bit.
  std::string code =
      llvm::formatv("(k % {0} // {1} * {2} + k % {2})", shape.depth, 2 * chunk, chunk);
  std::string ofLane = llvm::formatv("({0} * 4)", code);
  if (form == LaneForm::E2M3)
    ofLane = llvm::formatv("({0} * 6 + bit)", code);
  if (form == LaneForm::Split) {
    std::string place =
        llvm::formatv("(k % {0} * {1} + bit + bit // 3 * 2)", codesOfSplit, containerBits);
    ofLane =
        llvm::formatv("({0} // {1} * 64 + {2} % 64 + {2} // 64 * (1 ^ {2} % 32 % 6 // 3) * 32)",
                      code, codesOfSplit, place);
  }
  std::string piece = llvm::formatv("{0} // 128", ofLane);
  // The last piece of 24 bytes is half of one.
  std::string width = laneBytes() % pieceBytes ? llvm::formatv("(128 // (1 + {0}))", piece).str()
                                               : std::string("128");
  std::string codeBit = llvm::formatv(
      "({0} * {1} + {2} * {3} + k % {4} // {5} * {6}) * 8 + {7} * {8} + (k // {9} % 2 * {10} + row "
      "% {10}) * {11} + {12} % 128",
      tile, tileBytes(), group, groupBytes(), depth, shape.depth, fragmentBytes(), piece,
      128 * shape.lanes, chunk, shape.rows, width, ofLane);
  std::string line = llvm::formatv("({0} // B)", depth * shape.rows / shape.lanes);
  std::string block = llvm::formatv("(k % {0} // B)", depth);
  bool alternates = shape.alternatesScales;
  std::string half = llvm::formatv(alternates ? "{0} % 2" : "{0} // {1}", block, line);
  std::string byte = llvm::formatv(alternates ? "{0} // 2" : "{0} % {1}", block, line);
  std::string scale = llvm::formatv(
      "{0} * ({1} * {2}) + {3} * ({4} * {2}) + ({5} * {6} + row % {6}) * {2} + {7}", tile,
      rows / shape.rows * shape.lanes, line, group, shape.lanes, half, shape.rows, byte);
  return {codeBit, scale};
}

uint32_t LaneMajorScaledStorage::encodeCode(numerics::Format format, uint8_t code) const {
  return form == LaneForm::E2M3 ? tileMajorE2M3Storage().encodeCode(format, code) : code & 15;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

const LaneMajorScaledStorage &ufp4::target::laneMajorE2M1Storage() {
  static const LaneMajorScaledStorage storage("lane_major_e2m1", kMfmaScaled, LaneForm::Nibbles,
                                              256);
  return storage;
}

const LaneMajorScaledStorage &ufp4::target::laneMajorSplitStorage() {
  static const LaneMajorScaledStorage storage("lane_major_split", kMfmaScaled, LaneForm::Split,
                                              256);
  return storage;
}

const LaneMajorScaledStorage &ufp4::target::laneMajorE2M3Storage() {
  // Two stages of twice this depth are more than a block's shared memory.
  static const LaneMajorScaledStorage storage("lane_major_e2m3", kMfmaScaled, LaneForm::E2M3, 128);
  return storage;
}

// Two steps, whose scales are in the two halves of the lanes.
const LaneMajorScaledStorage &ufp4::target::laneMajorE2M1WmmaStorage() {
  static const LaneMajorScaledStorage storage("lane_major_e2m1_wmma", kWmmaScaled,
                                              LaneForm::Nibbles, 256);
  return storage;
}

const LaneMajorScaledStorage &ufp4::target::laneMajorSplitWmmaStorage() {
  static const LaneMajorScaledStorage storage("lane_major_split_wmma", kWmmaScaled, LaneForm::Split,
                                              256);
  return storage;
}

llvm::ArrayRef<const LaneMajorScaledStorage *> ufp4::target::scaledLanesStorages() {
  static const LaneMajorScaledStorage *const all[] = {
      &laneMajorE2M1Storage(), &laneMajorSplitStorage(), &laneMajorE2M3Storage(),
      &laneMajorE2M1WmmaStorage(), &laneMajorSplitWmmaStorage()};
  return all;
}
