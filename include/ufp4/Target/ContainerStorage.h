//===- ContainerStorage.h - Codes widened to E2M3 ---------------*- C++ -*-===//
//
// E2M3 holds every level of both 4-bit formats exactly: those of e1m2 as m / 8, its subnormals, so
// eight times too small; those of e2m1 as they are. Registers of a matrix instruction have six bits
// of a byte (PTX ISA, "mma with block scaling": .kind::mxf8f6f4 takes 8-bit containers), and shared
// memory sixteen codes one behind the other in 12 bytes of 16 ("tcgen05, packing formats").
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_CONTAINERSTORAGE_H
#define UFP4_TARGET_CONTAINERSTORAGE_H

#include "ufp4/Target/OperandStorage.h"

namespace ufp4::target {

/// Codes as E2M3, 16 to a chunk, 128 deep: one to a byte, or the six bits of one behind those of
/// another. Scales are bytes, those of a row together.
class TileMajorE2M3Storage final : public TileMajorStorage {
public:
  explicit TileMajorE2M3Storage(unsigned elementBits)
      : TileMajorStorage(elementBits, 8, LineOrder::Fours) {}
  llvm::StringRef name() const override {
    return partsCodes() ? "tile_major_e2m3_packed" : "tile_major_e2m3";
  }
  bool partsCodes() const override { return elementBits == 6; }
  /// Of one row.
  unsigned scaleLineBytes(unsigned block) const { return depth / block; }
  unsigned scaleTileBytes(unsigned block) const override { return rows * scaleLineBytes(block); }
  std::optional<std::string> verify(const OperandType &type, const Chip &chip) const override;
  uint32_t encodeCode(numerics::Format format, uint8_t code) const override;
  uint32_t encodeScale(numerics::ScaleKind kind, uint32_t stored) const override { return stored; }

  /// What the product of two codes of a format is, in units of that of their containers.
  static constexpr float productFactor(numerics::Format format) {
    return format == numerics::Format::E1M2 ? 64 : 1;
  }

protected:
  unsigned scaleOffset(unsigned block, unsigned row, unsigned blockOfRow) const override;
  std::pair<unsigned, unsigned> scaleAt(unsigned block, unsigned offset) const override;
  std::string scaleTileFormula() const override;
  std::string scaleFormula() const override;
};

const TileMajorE2M3Storage &tileMajorE2M3Storage();
const TileMajorE2M3Storage &tileMajorPackedE2M3Storage();

} // namespace ufp4::target

#endif // UFP4_TARGET_CONTAINERSTORAGE_H
