//===- OperandStorage.h - How an operand lies in memory ---------*- C++ -*-===//
//
// One formula per storage says where each code and each scale of a quantized operand lies. Quantize
// kernels, GEMM kernels, manifests, dumps and tests all ask it; none has a formula of its own.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_OPERANDSTORAGE_H
#define UFP4_TARGET_OPERANDSTORAGE_H

#include "ufp4/Numerics/Quantize.h"
#include "ufp4/Numerics/Scheme.h"
#include "ufp4/Target/Capabilities.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ufp4::target {

/// A quantized operand before it lies anywhere: its scheme and its view [G, R, K].
struct OperandType {
  numerics::Scheme scheme;
  numerics::ViewShape shape;

  int64_t paddedK() const { return numerics::paddedK(scheme, shape.k); }
};

/// The planes of a storage, one buffer each.
enum PlaneIndex : unsigned { codesPlane, scalesPlane, planeCount };

/// One buffer.
struct Plane {
  int64_t bytes;
  /// Bits of one code or scale.
  unsigned elementBits;
  /// What the address of the buffer must be a multiple of.
  unsigned alignment;
};

/// An element of the view; k runs to Kp.
struct Position {
  int64_t g, row, k;
  bool operator==(const Position &other) const {
    return g == other.g && row == other.row && k == other.k;
  }
};

/// The lowest bit of an element in a plane; multi-byte elements are little-endian.
struct BitAddress {
  PlaneIndex plane;
  int64_t byte;
  unsigned bit;
  bool operator==(const BitAddress &other) const {
    return plane == other.plane && byte == other.byte && bit == other.bit;
  }
};

/// What lies together in each plane: the positions of `rows` x `depth` of the padded view, [G, row
/// tiles, depth tiles].
struct StorageTile {
  unsigned rows, depth;
  /// Of one tile in each plane.
  std::array<int64_t, planeCount> bytes;
};

/// `locate` in formulas, for manifests: expressions on integers with the operators + * // % & | ^
/// and parentheses, as Python has them, over g, row, k, the view's extents R and Kp, the scheme's
/// block B and rows of blocks BR, and scale_bytes, the bytes of a stored scale; where the bits of a
/// code do not follow one another, over the number of one as well, bit.
struct LayoutFormulas {
  /// The first bit of a code, or the one of number bit, and the first byte of a scale, in their
  /// planes; of scales nothing where they have no plane.
  std::string codeBit, scaleByte;
};

class OperandStorage {
public:
  virtual ~OperandStorage();

  /// The spelling in IR and manifests; `findStorage` finds it again.
  virtual llvm::StringRef name() const = 0;
  /// The buffers, in the order of PlaneIndex.
  virtual llvm::SmallVector<Plane, planeCount> buffers(const OperandType &type) const = 0;
  /// Where the code of an element lies, or the scale that applies to it.
  virtual BitAddress locate(const OperandType &type, PlaneIndex plane, Position position) const = 0;
  /// The same of one of its bits, where they do not follow the lowest one.
  virtual BitAddress locateBit(const OperandType &type, PlaneIndex plane, Position position,
                               unsigned bit) const;
  /// Whether codes are such.
  virtual bool partsCodes() const { return false; }
  /// The inverse: the first element, in the order of the view, whose code or scale begins at
  /// `address`; nothing for padding.
  virtual std::optional<Position> positionAt(const OperandType &type, BitAddress address) const = 0;
  /// The view with the padding that this storage adds. Padding holds zeros, which whoever fills the
  /// storage writes: code 0 and scale 0.
  virtual numerics::ViewShape pads(const OperandType &type) const = 0;
  /// The tiles that operands of this scheme lie in; nothing where rows lie one behind the other.
  virtual std::optional<StorageTile> tile(const numerics::Scheme &scheme) const = 0;
  /// Nothing where the storage holds operands of this type on this chip; otherwise a sentence.
  virtual std::optional<std::string> verify(const OperandType &type, const Chip &chip) const = 0;
  virtual LayoutFormulas formulas() const = 0;
  /// Whether scales have a plane. Where they have none it is empty, and what stands for a code is
  /// the product with its scale; S stays outside.
  virtual bool hasScales() const { return true; }
  /// The bits that stand for a code of 4 bits.
  virtual uint32_t encodeCode(numerics::Format format, uint8_t code) const = 0;
  /// The bits that stand for a code under its scale, given as numerics stores it.
  virtual uint32_t encode(const numerics::Scheme &scheme, uint8_t code, uint32_t) const {
    return encodeCode(scheme.format, code);
  }
  /// The bits that stand for a scale, given as numerics stores it (an f32's bits or a byte).
  virtual uint32_t encodeScale(numerics::ScaleKind kind, uint32_t stored) const = 0;
};

/// Codes two to a byte, the even one in the low nibble, [G, R, Kp]; scales as numerics stores them.
class NaturalStorage final : public OperandStorage {
public:
  llvm::StringRef name() const override { return "natural"; }
  llvm::SmallVector<Plane, planeCount> buffers(const OperandType &type) const override;
  BitAddress locate(const OperandType &type, PlaneIndex plane, Position position) const override;
  std::optional<Position> positionAt(const OperandType &type, BitAddress address) const override;
  numerics::ViewShape pads(const OperandType &type) const override;
  std::optional<StorageTile> tile(const numerics::Scheme &) const override { return std::nullopt; }
  LayoutFormulas formulas() const override;
  std::optional<std::string> verify(const OperandType &type, const Chip &chip) const override;
  uint32_t encodeCode(numerics::Format format, uint8_t code) const override { return code & 15; }
  uint32_t encodeScale(numerics::ScaleKind kind, uint32_t stored) const override { return stored; }
};

/// Codes in tiles of `rows` x `depth`, zero-padded: [G, ⌈R / rows⌉, ⌈Kp / depth⌉, rows, depth]. A
/// row of a tile is a line of 8 chunks of 16 bytes, each of a power of two of codes; chunk c of row
/// r lies in line(r) at chunk c ^ swizzle(r). Every row has its scales, rows of one 2-D block a
/// copy each: [G, ⌈R / rows⌉, ⌈Kp / depth⌉, scales of a tile]. Kernels copy tiles as they lie.
class TileMajorStorage : public OperandStorage {
public:
  static constexpr unsigned rows = 128, chunkBytes = 16, chunksPerRow = 8;
  static constexpr unsigned rowBytes = chunkBytes * chunksPerRow;
  static constexpr unsigned tileBytes = rows * rowBytes;

  /// Bits of one code.
  const unsigned elementBits;
  /// Bits of one scale.
  const unsigned scaleBits;
  /// Positions along K of a tile, and of a chunk.
  const unsigned depth, chunkDepth;
  enum class LineOrder : uint8_t {
    /// Row r is line r.
    Rows,
    /// Row r is line 32 (r % 4) + r / 4, so a tensor copy of every fourth row fills 32 lines.
    Fours,
  };
  const LineOrder order;
  /// With lines in the order of rows, which bit of a row's number is added to its lowest bit in
  /// `swizzle`; 0 for none.
  const unsigned foldedBit;

  unsigned line(unsigned row) const {
    return order == LineOrder::Fours ? (row & 3) << 5 | row >> 2 : row;
  }
  unsigned rowAtLine(unsigned line) const {
    return order == LineOrder::Fours ? (line & 31) << 2 | line >> 5 : line;
  }

  /// Sends one chunk of eight rows that a matrix load takes together into eight different banks, by
  /// which a thread's elements of C are neighbours in a row (of 32 rows): r + {0, 1, 8, 9, … 25}
  /// with r in 0, 2, 4, 6, with a folded bit of 2 also r + {0, 4, … 28} with r < 4. In the order of
  /// fours only these, which are neighbouring lines: their numbers' low bits, as tensor copies have
  /// it.
  unsigned swizzle(unsigned row) const {
    if (order == LineOrder::Fours)
      return row >> 2 & 7;
    return (row >> 2 & 6) | ((row ^ (foldedBit ? row >> foldedBit : 0)) & 1);
  }
  /// Bytes of the scales of one tile.
  virtual unsigned scaleTileBytes(unsigned block) const = 0;

  static constexpr int64_t rowTiles(int64_t r) { return (r + rows - 1) / rows; }
  int64_t depthTiles(int64_t paddedK) const { return (paddedK + depth - 1) / depth; }

  llvm::SmallVector<Plane, planeCount> buffers(const OperandType &type) const override;
  BitAddress locate(const OperandType &type, PlaneIndex plane, Position position) const override;
  std::optional<Position> positionAt(const OperandType &type, BitAddress address) const override;
  numerics::ViewShape pads(const OperandType &type) const override;
  std::optional<std::string> verify(const OperandType &type, const Chip &chip) const override;
  std::optional<StorageTile> tile(const numerics::Scheme &scheme) const override;
  LayoutFormulas formulas() const override;

protected:
  TileMajorStorage(unsigned elementBits, unsigned scaleBits, LineOrder order,
                   unsigned foldedBit = 0)
      : elementBits(elementBits), scaleBits(scaleBits),
        depth(chunksPerRow * llvm::bit_floor(chunkBytes * 8 / elementBits)),
        chunkDepth(depth / chunksPerRow), order(order), foldedBit(foldedBit) {}

  /// Where the scale of a block of a row lies in a tile's scales, in bytes.
  virtual unsigned scaleOffset(unsigned block, unsigned row, unsigned blockOfRow) const = 0;
  /// The inverse, for a multiple of a scale's bytes: the row, and the block's number in the row.
  virtual std::pair<unsigned, unsigned> scaleAt(unsigned block, unsigned offset) const = 0;
  /// `scaleTileBytes` and `scaleOffset` in formulas, over a row of the tile r and its block b.
  virtual std::string scaleTileFormula() const = 0;
  virtual std::string scaleFormula() const = 0;
};

/// Codes expanded to bf16, 64 deep. Scales are f32 values (bytes decoded), in lines:
/// [depth / B, rows].
class TileMajorBF16Storage final : public TileMajorStorage {
public:
  static constexpr unsigned scaleLineBytes = rows * 4;

  TileMajorBF16Storage() : TileMajorStorage(16, 32, LineOrder::Rows, 2) {}
  llvm::StringRef name() const override { return "tile_major_bf16"; }
  unsigned scaleTileBytes(unsigned block) const override { return depth / block * scaleLineBytes; }
  uint32_t encodeCode(numerics::Format format, uint8_t code) const override;
  uint32_t encodeScale(numerics::ScaleKind kind, uint32_t stored) const override;

protected:
  unsigned scaleOffset(unsigned block, unsigned row, unsigned blockOfRow) const override;
  std::pair<unsigned, unsigned> scaleAt(unsigned block, unsigned offset) const override;
  std::string scaleTileFormula() const override;
  std::string scaleFormula() const override;
};

/// Codes of 4 bits, 256 deep, the even one in the low nibble. Scales are the bytes that numerics
/// stores.
class TileMajor4BitStorage final : public TileMajorStorage {
public:
  enum class ScaleOrder : uint8_t {
    /// Those of a row together, [rows, depth / B]: a block-scaled MMA's lane 4g + x holds those of
    /// row g of slab x (MmaSync.h), which is row 4g + x.
    Rows,
    /// Four of each row together, [depth / 4B, rows, 4]: what a copy to tensor memory brings, lane
    /// i the words of rows 4i to 4i + 3, which are lines 32 apart.
    Words,
  };
  const ScaleOrder scaleOrder;
  static constexpr unsigned blocksOfWord = 4;

  explicit TileMajor4BitStorage(ScaleOrder scaleOrder)
      : TileMajorStorage(4, 8, LineOrder::Fours), scaleOrder(scaleOrder) {}
  llvm::StringRef name() const override {
    return scaleOrder == ScaleOrder::Rows ? "tile_major_4bit" : "tile_major_4bit_words";
  }
  /// Of one row.
  unsigned scaleLineBytes(unsigned block) const { return depth / block; }
  unsigned scaleTileBytes(unsigned block) const override { return rows * scaleLineBytes(block); }
  std::optional<std::string> verify(const OperandType &type, const Chip &chip) const override;
  uint32_t encodeCode(numerics::Format format, uint8_t code) const override { return code & 15; }
  uint32_t encodeScale(numerics::ScaleKind kind, uint32_t stored) const override { return stored; }

protected:
  unsigned scaleOffset(unsigned block, unsigned row, unsigned blockOfRow) const override;
  std::pair<unsigned, unsigned> scaleAt(unsigned block, unsigned offset) const override;
  std::string scaleTileFormula() const override;
  std::string scaleFormula() const override;
};

/// Products of codes and scales as bf16, 64 deep. Of scales of one byte they are exact below 2^128,
/// beyond it infinities: a code has three significant bits, ue4m3 four and a range far inside of
/// bf16's, ue8m0 one, and its least products are bf16's subnormals. A poisoned block is NaNs, whose
/// bits are the chip's.
class TileMajorFoldedStorage final : public TileMajorStorage {
public:
  TileMajorFoldedStorage() : TileMajorStorage(16, 0, LineOrder::Rows) {}
  llvm::StringRef name() const override { return "tile_major_folded"; }
  bool hasScales() const override { return false; }
  unsigned scaleTileBytes(unsigned) const override { return 0; }
  std::optional<std::string> verify(const OperandType &type, const Chip &chip) const override;
  LayoutFormulas formulas() const override;
  uint32_t encodeCode(numerics::Format format, uint8_t code) const override;
  uint32_t encode(const numerics::Scheme &scheme, uint8_t code, uint32_t stored) const override;
  uint32_t encodeScale(numerics::ScaleKind, uint32_t) const override { return 0; }

protected:
  unsigned scaleOffset(unsigned, unsigned, unsigned) const override { return 0; }
  std::pair<unsigned, unsigned> scaleAt(unsigned, unsigned) const override { return {0, 0}; }
  std::string scaleTileFormula() const override { return "0"; }
  std::string scaleFormula() const override { return "0"; }
};

const NaturalStorage &naturalStorage();
const TileMajorBF16Storage &tileMajorStorage();
const TileMajorFoldedStorage &tileMajorFoldedStorage();
const TileMajor4BitStorage &tileMajor4BitStorage();
const TileMajor4BitStorage &tileMajor4BitWordsStorage();

/// Nothing where kernels can count the operand's tiles; otherwise a sentence. They count in 32
/// bits, and byte offsets have 64.
std::optional<std::string> verifyTiles(const OperandStorage &storage, const OperandType &type);

/// Every storage, and the one of a name (null where there is none).
llvm::ArrayRef<const OperandStorage *> storages();
const OperandStorage *findStorage(llvm::StringRef name);

/// Codes and scales, as numerics lays them out, brought into the buffers of a storage, padding
/// included.
std::vector<std::vector<uint8_t>> packOperand(const OperandStorage &storage,
                                              const OperandType &type, const uint8_t *codes,
                                              const void *scales);

} // namespace ufp4::target

#endif // UFP4_TARGET_OPERANDSTORAGE_H
