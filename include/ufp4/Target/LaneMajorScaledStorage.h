//===- LaneMajorScaledStorage.h - Storage of block-scaled MFMA and WMMA ---===//

#ifndef UFP4_TARGET_LANEMAJORSCALEDSTORAGE_H
#define UFP4_TARGET_LANEMAJORSCALEDSTORAGE_H

#include "ufp4/Target/OperandStorage.h"

namespace ufp4::target {

/// The operand of one matrix instruction: `rows` x `depth`, of which lane l holds, of row l % rows,
/// the chunks of 32 positions whose number has the parity l / rows.
struct LaneShape {
  unsigned lanes, rows, depth;
  /// Where a lane's scales are: those of every other block, one for each instruction, or those of
  /// neighbouring blocks, all of one instruction.
  bool alternatesScales;

  constexpr unsigned codesOfLane() const { return rows * depth / lanes; }
};

/// v_mfma_scale_f32_32x32x64_f8f6f4 (AMD, CDNA 4 ISA, "Matrix Arithmetic Instructions").
inline constexpr LaneShape kMfmaScaled{64, 32, 64, true};
/// v_wmma_scale_f32_16x16x128_f8f6f4 and v_wmma_scale16_… (AMD, CDNA 5 ISA, 7.12.2).
inline constexpr LaneShape kWmmaScaled{32, 16, 128, false};

/// What a lane has of a code.
enum class LaneForm : uint8_t {
  /// Its 4 bits, the first code in the lowest nibble.
  Nibbles,
  /// Its 4 bits where E2M3 has them, of e1m2: sixteen codes are 96 bits of E2M3, and 64 that are
  /// not 0 for all codes. Words 0 and 1 have theirs in place, and in the gaps those of word 2 in
  /// place, so that masks alone make E2M3 of two words.
  Split,
  /// E2M3, 6 bits a code.
  E2M3,
};

/// Codes in tiles of 256 rows, zero-padded, in the order in which the lanes of a block-scaled
/// instruction take them: [G, ⌈R / 256⌉, ⌈Kp / depth⌉, groups of rows, steps along K, 16 bytes of
/// each lane after another, the next 16 or 8]. Scales are the bytes that numerics stores, a line of
/// neighbouring ones for each lane and group of rows; every row has its own. Kernels copy tiles as
/// they lie, and every access of a wave is contiguous.
class LaneMajorScaledStorage final : public OperandStorage {
public:
  static constexpr unsigned rows = 256, chunk = 32;

  LaneMajorScaledStorage(llvm::StringLiteral name, LaneShape shape, LaneForm form, unsigned depth)
      : shape(shape), form(form), depth(depth), elementBits(form == LaneForm::E2M3 ? 6 : 4),
        spelling(name) {}

  const LaneShape shape;
  const LaneForm form;
  /// Positions along K of a tile.
  const unsigned depth;
  /// Bits of one code.
  const unsigned elementBits;

  /// Bytes of a lane's codes, of those of a wave, of a group of rows and of a tile.
  unsigned laneBytes() const { return shape.codesOfLane() * elementBits / 8; }
  unsigned fragmentBytes() const { return laneBytes() * shape.lanes; }
  unsigned groupBytes() const { return depth / shape.depth * fragmentBytes(); }
  unsigned tileBytes() const { return rows / shape.rows * groupBytes(); }
  /// Of a lane's scales in a tile, and of those of a group of rows and of a tile.
  unsigned scaleLineBytes(unsigned block) const { return depth / block * shape.rows / shape.lanes; }
  unsigned scaleGroupBytes(unsigned block) const { return shape.lanes * scaleLineBytes(block); }
  unsigned scaleTileBytes(unsigned block) const {
    return rows / shape.rows * scaleGroupBytes(block);
  }
  static constexpr int64_t rowTiles(int64_t r) { return (r + rows - 1) / rows; }
  int64_t depthTiles(int64_t paddedK) const { return (paddedK + depth - 1) / depth; }

  /// Where a bit of code number `code` of a lane lies among the lane's bits.
  unsigned bitOfLane(unsigned code, unsigned bit) const;
  /// The bits of word `word`, of three, of E2M3 codes that each of the two `Split` words has.
  static std::pair<uint32_t, uint32_t> splitMasks(unsigned word);

  llvm::StringRef name() const override { return spelling; }
  llvm::SmallVector<Plane, planeCount> buffers(const OperandType &type) const override;
  BitAddress locate(const OperandType &type, PlaneIndex plane, Position position) const override {
    return locateBit(type, plane, position, 0);
  }
  BitAddress locateBit(const OperandType &type, PlaneIndex plane, Position position,
                       unsigned bit) const override;
  bool partsCodes() const override { return form != LaneForm::Nibbles; }
  std::optional<Position> positionAt(const OperandType &type, BitAddress address) const override;
  numerics::ViewShape pads(const OperandType &type) const override;
  std::optional<StorageTile> tile(const numerics::Scheme &scheme) const override;
  std::optional<std::string> verify(const OperandType &type, const Chip &chip) const override;
  LayoutFormulas formulas() const override;
  uint32_t encodeCode(numerics::Format format, uint8_t code) const override;
  uint32_t encodeScale(numerics::ScaleKind kind, uint32_t stored) const override { return stored; }

private:
  /// The same among the bits of two `Split` words.
  static unsigned bitOfSplit(unsigned code, unsigned bit);

  const llvm::StringLiteral spelling;
};

/// E2M1 for v_mfma_scale_f32_32x32x64_f8f6f4.
const LaneMajorScaledStorage &laneMajorE2M1Storage();
/// E2M3 for it: of 4 bits, and of 6.
const LaneMajorScaledStorage &laneMajorSplitStorage();
const LaneMajorScaledStorage &laneMajorE2M3Storage();
/// For v_wmma_scale_f32_16x16x128_f8f6f4 E2M1, and E2M3 of 4 bits.
const LaneMajorScaledStorage &laneMajorE2M1WmmaStorage();
const LaneMajorScaledStorage &laneMajorSplitWmmaStorage();

/// All of them.
llvm::ArrayRef<const LaneMajorScaledStorage *> scaledLanesStorages();

} // namespace ufp4::target

#endif // UFP4_TARGET_LANEMAJORSCALEDSTORAGE_H
