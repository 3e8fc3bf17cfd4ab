//===- ContainerStorage.h - Codes widened to E2M3 ---------------*- C++ -*-===//
//
// E2M3 holds every level of both 4-bit formats exactly: those of e1m2 as m / 8, its subnormals, so
// eight times too small; those of e2m1 as they are. A matrix instruction reads six bits of a byte
// (PTX ISA, "mma with block scaling": .kind::mxf8f6f4 takes 8-bit containers).
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_CONTAINERSTORAGE_H
#define UFP4_TARGET_CONTAINERSTORAGE_H

#include "ufp4/Target/OperandStorage.h"

namespace ufp4::target {

/// Codes as E2M3, one to a byte, 128 deep. Scales are bytes, as in 4-bit storage.
class TileMajorE2M3Storage final : public TileMajorStorage {
public:
  TileMajorE2M3Storage() : TileMajorStorage(8, 8, LineOrder::Fours) {}
  llvm::StringRef name() const override { return "tile_major_e2m3"; }
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

} // namespace ufp4::target

#endif // UFP4_TARGET_CONTAINERSTORAGE_H
