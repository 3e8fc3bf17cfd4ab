//===- LaneMajorStorage.h - Storage in the order of MFMA's lanes -*- C++ -*-===//

#ifndef UFP4_TARGET_LANEMAJORSTORAGE_H
#define UFP4_TARGET_LANEMAJORSTORAGE_H

#include "ufp4/Target/OperandStorage.h"

namespace ufp4::target {

/// Elements of `elementBytes` in tiles of 128 x 64, zero-padded, in the order in which the lanes of
/// AMD's 32 x 32 MFMAs take them: [G, ⌈R / 128⌉, ⌈Kp / 64⌉, 4 groups of 32 rows, pieces along K, 64
/// lanes, 16 bytes]. A piece is one run of 16 along K, or a pair of them where elements are bytes;
/// lane 32h + r holds row r of the group and, of each run, positions 8h to 8h + 7. Kernels copy
/// tiles as they lie, and every access of a wave is contiguous.
class LaneMajorStorage : public OperandStorage {
public:
  static constexpr unsigned rows = 128, depth = 64, rowsOfGroup = 32, pieceBytes = 1024;

  const unsigned elementBytes;
  /// Positions along K of a piece, and bytes of its group of rows and of a tile.
  const unsigned depthOfPiece, groupBytes, tileBytes;

  static constexpr int64_t rowTiles(int64_t r) { return (r + rows - 1) / rows; }
  static constexpr int64_t depthTiles(int64_t paddedK) { return (paddedK + depth - 1) / depth; }
  /// Where the code of a position lies in its tile.
  unsigned codeOffset(unsigned row, unsigned k) const;
  /// Bytes of the scales of one tile.
  virtual unsigned scaleTileBytes(unsigned block) const = 0;

  llvm::SmallVector<Plane, planeCount> buffers(const OperandType &type) const override;
  BitAddress locate(const OperandType &type, PlaneIndex plane, Position position) const override;
  std::optional<Position> positionAt(const OperandType &type, BitAddress address) const override;
  numerics::ViewShape pads(const OperandType &type) const override;
  std::optional<StorageTile> tile(const numerics::Scheme &scheme) const override;
  std::optional<std::string> verify(const OperandType &type, const Chip &chip) const override;
  LayoutFormulas formulas() const override;

protected:
  explicit constexpr LaneMajorStorage(unsigned elementBytes)
      : elementBytes(elementBytes), depthOfPiece(32 / elementBytes),
        groupBytes(depth / depthOfPiece * pieceBytes), tileBytes(rows / rowsOfGroup * groupBytes) {}

  /// The place of a block's scale in its tile, and the inverse.
  virtual unsigned scaleOffset(unsigned block, unsigned row, unsigned blockOfRow) const = 0;
  virtual std::pair<unsigned, unsigned> scaleAt(unsigned block, unsigned offset) const = 0;
  /// LayoutFormulas::scaleByte, given the formula of the tile's number.
  virtual std::string scaleFormula(llvm::StringRef tile) const = 0;
};

/// Codes as FP8 bytes. A byte is twice the level, with the sign in bit 7: as E4M3 that is the level
/// times 2^-8, as gfx942's fnuz form half of that; -0 is 0, since 0x80 is NaN there. Scales are f32
/// values (bytes decoded), two blocks to a line of 128 rows: [lines, 4 groups, 2 blocks, 32 rows].
class LaneMajorFP8Storage final : public LaneMajorStorage {
public:
  static constexpr unsigned scaleGroupBytes = 2 * rowsOfGroup * 4,
                            scaleLineBytes = rows / rowsOfGroup * scaleGroupBytes;

  constexpr LaneMajorFP8Storage() : LaneMajorStorage(1) {}
  llvm::StringRef name() const override { return "lane_major_fp8"; }
  unsigned scaleTileBytes(unsigned block) const override {
    return depth / (2 * block) * scaleLineBytes;
  }
  uint32_t encodeCode(numerics::Format format, uint8_t code) const override;
  uint32_t encodeScale(numerics::ScaleKind kind, uint32_t stored) const override;

protected:
  unsigned scaleOffset(unsigned block, unsigned row, unsigned blockOfRow) const override;
  std::pair<unsigned, unsigned> scaleAt(unsigned block, unsigned offset) const override;
  std::string scaleFormula(llvm::StringRef tile) const override;
};

/// Products of codes and scales as bf16, as `tile_major_folded` has them.
class LaneMajorFoldedStorage final : public LaneMajorStorage {
public:
  constexpr LaneMajorFoldedStorage() : LaneMajorStorage(2) {}
  llvm::StringRef name() const override { return "lane_major_folded"; }
  bool hasScales() const override { return false; }
  unsigned scaleTileBytes(unsigned) const override { return 0; }
  std::optional<std::string> verify(const OperandType &type, const Chip &chip) const override;
  uint32_t encodeCode(numerics::Format format, uint8_t code) const override;
  uint32_t encode(const numerics::Scheme &scheme, uint8_t code, uint32_t stored) const override;
  uint32_t encodeScale(numerics::ScaleKind, uint32_t) const override { return 0; }

protected:
  unsigned scaleOffset(unsigned, unsigned, unsigned) const override { return 0; }
  std::pair<unsigned, unsigned> scaleAt(unsigned, unsigned) const override { return {0, 0}; }
  std::string scaleFormula(llvm::StringRef) const override { return ""; }
};

const LaneMajorFP8Storage &laneMajorFP8Storage();
const LaneMajorFoldedStorage &laneMajorFoldedStorage();

} // namespace ufp4::target

#endif // UFP4_TARGET_LANEMAJORSTORAGE_H
