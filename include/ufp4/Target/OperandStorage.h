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

class OperandStorage {
public:
  virtual ~OperandStorage();

  /// The spelling in IR and manifests; `findStorage` finds it again.
  virtual llvm::StringRef name() const = 0;
  /// The buffers, in the order of PlaneIndex.
  virtual llvm::SmallVector<Plane, planeCount> buffers(const OperandType &type) const = 0;
  /// Where the code of an element lies, or the scale that applies to it.
  virtual BitAddress locate(const OperandType &type, PlaneIndex plane, Position position) const = 0;
  /// The inverse: the first element, in the order of the view, whose code or scale begins at
  /// `address`; nothing for padding.
  virtual std::optional<Position> positionAt(const OperandType &type, BitAddress address) const = 0;
  /// The view with the padding that this storage adds. Padding holds zeros, which whoever fills the
  /// storage writes: code 0 and scale 0.
  virtual numerics::ViewShape pads(const OperandType &type) const = 0;
  /// Nothing where the storage holds operands of this type on this chip; otherwise a sentence.
  virtual std::optional<std::string> verify(const OperandType &type, const Chip &chip) const = 0;
  /// The bits that stand for a code of 4 bits.
  virtual uint32_t encodeCode(numerics::Format format, uint8_t code) const = 0;
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
  std::optional<std::string> verify(const OperandType &type, const Chip &chip) const override;
  uint32_t encodeCode(numerics::Format format, uint8_t code) const override { return code & 15; }
  uint32_t encodeScale(numerics::ScaleKind kind, uint32_t stored) const override { return stored; }
};

/// Codes expanded to elements of 16 bits (bf16), in tiles of `rows` × `depth`, zero-padded:
/// [G, ⌈R / rows⌉, ⌈Kp / depth⌉, rows, depth]. A row of a tile is 8 chunks of 16 bytes; chunk c of
/// row r lies at chunk c ^ swizzle(r). Scales are f32 values (bytes decoded), in lines:
/// [G, ⌈R / rows⌉, ⌈Kp / depth⌉, depth / B, rows]; rows of one 2-D block each have their copy.
class TileMajorStorage final : public OperandStorage {
public:
  static constexpr unsigned rows = 128, chunkBytes = 16, chunksPerRow = 8;
  static constexpr unsigned elementBits = 16;
  static constexpr unsigned rowBytes = chunkBytes * chunksPerRow;
  static constexpr unsigned depth = rowBytes * 8 / elementBits;
  static constexpr unsigned tileBytes = rows * rowBytes;
  static constexpr unsigned scaleLineBytes = rows * 4;

  /// Sends one chunk of eight rows into eight different banks, be they r + {0, 4, … 28} with r < 4
  /// or r + {0, 1, 8, 9, … 25} with r in 0, 2, 4, 6 (of 32 rows): those that matrix loads of A and
  /// of B take together, so that a thread's elements of C are neighbours in rows.
  static constexpr unsigned swizzle(unsigned row) { return row / 8 % 4 * 2 + (row ^ row / 4) % 2; }

  /// Bytes of the scales of one tile.
  static constexpr unsigned scaleTileBytes(unsigned block) {
    return depth / block * scaleLineBytes;
  }
  static constexpr int64_t rowTiles(int64_t r) { return (r + rows - 1) / rows; }
  static constexpr int64_t depthTiles(int64_t paddedK) { return (paddedK + depth - 1) / depth; }

  llvm::StringRef name() const override { return "tile_major_bf16"; }
  llvm::SmallVector<Plane, planeCount> buffers(const OperandType &type) const override;
  BitAddress locate(const OperandType &type, PlaneIndex plane, Position position) const override;
  std::optional<Position> positionAt(const OperandType &type, BitAddress address) const override;
  numerics::ViewShape pads(const OperandType &type) const override;
  std::optional<std::string> verify(const OperandType &type, const Chip &chip) const override;
  uint32_t encodeCode(numerics::Format format, uint8_t code) const override;
  uint32_t encodeScale(numerics::ScaleKind kind, uint32_t stored) const override;
};

const NaturalStorage &naturalStorage();
const TileMajorStorage &tileMajorStorage();

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
