//===- LaneMajorStorage.h - Storage in the order of MFMA's lanes -*- C++ -*-===//

#ifndef UFP4_TARGET_LANEMAJORSTORAGE_H
#define UFP4_TARGET_LANEMAJORSTORAGE_H

#include "ufp4/Target/OperandStorage.h"

namespace ufp4::target {

/// Codes as FP8 bytes in tiles of 128 x 64, zero-padded, in the order in which the lanes of AMD's
/// 32 x 32 MFMAs of FP8 take them: [G, ⌈R / 128⌉, ⌈Kp / 64⌉, 4 groups of 32 rows, 2 pairs of 16
/// along K, 64 lanes, 16 bytes]. Lane 32h + r holds row r of the group, of each half of the pair
/// positions 8h to 8h + 7. A byte is twice the level, with the sign in bit 7: as E4M3 that is the
/// level times 2^-8, as gfx942's fnuz form half of that; -0 is 0, since 0x80 is NaN there. Scales
/// are f32 values (bytes decoded), two blocks to a line of 128 rows: [lines, 4 groups, 2 blocks, 32
/// rows]. Kernels copy tiles as they lie, and every access of a wave is contiguous.
class LaneMajorFP8Storage final : public OperandStorage {
public:
  static constexpr unsigned rows = 128, depth = 64, rowsOfGroup = 32, depthOfPair = 32;
  static constexpr unsigned pairBytes = 1024, groupBytes = depth / depthOfPair * pairBytes;
  static constexpr unsigned tileBytes = rows / rowsOfGroup * groupBytes;
  static constexpr unsigned scaleGroupBytes = 2 * rowsOfGroup * 4,
                            scaleLineBytes = rows / rowsOfGroup * scaleGroupBytes;

  llvm::StringRef name() const override { return "lane_major_fp8"; }
  static constexpr unsigned scaleTileBytes(unsigned block) {
    return depth / (2 * block) * scaleLineBytes;
  }
  static constexpr int64_t rowTiles(int64_t r) { return (r + rows - 1) / rows; }
  static constexpr int64_t depthTiles(int64_t paddedK) { return (paddedK + depth - 1) / depth; }
  llvm::SmallVector<Plane, planeCount> buffers(const OperandType &type) const override;
  BitAddress locate(const OperandType &type, PlaneIndex plane, Position position) const override;
  std::optional<Position> positionAt(const OperandType &type, BitAddress address) const override;
  numerics::ViewShape pads(const OperandType &type) const override;
  std::optional<StorageTile> tile(const numerics::Scheme &scheme) const override;
  std::optional<std::string> verify(const OperandType &type, const Chip &chip) const override;
  LayoutFormulas formulas() const override;
  uint32_t encodeCode(numerics::Format format, uint8_t code) const override;
  uint32_t encodeScale(numerics::ScaleKind kind, uint32_t stored) const override;
};

const LaneMajorFP8Storage &laneMajorFP8Storage();

} // namespace ufp4::target

#endif // UFP4_TARGET_LANEMAJORSTORAGE_H
