//===- Formats.cpp - The 4-bit element formats ----------------------------===//

#include "ufp4/Numerics/Formats.h"

namespace ufp4::numerics {

const char *name(Format format) { return format == Format::E1M2 ? "e1m2" : "e2m1"; }

std::optional<int64_t> codesFromInt4(const int8_t *values, int64_t count, uint8_t *codes) {
  for (int64_t i = 0; i < count; ++i) {
    const std::optional<uint8_t> code = codeFromInt4(values[i]);
    if (!code)
      return i;
    codes[i] = *code;
  }
  return std::nullopt;
}

void packCodes(const uint8_t *codes, int64_t count, uint8_t *packed) {
  for (int64_t i = 0; i < count / 2; ++i)
    packed[i] = uint8_t((codes[2 * i] & 15) | codes[2 * i + 1] << 4);
  if (count % 2)
    packed[count / 2] = codes[count - 1] & 15;
}

void unpackCodes(const uint8_t *packed, int64_t count, uint8_t *codes) {
  for (int64_t i = 0; i < count; ++i)
    codes[i] = packed[i / 2] >> 4 * (i % 2) & 15;
}

} // namespace ufp4::numerics
