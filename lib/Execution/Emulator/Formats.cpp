//===- Formats.cpp - Small numbers, as the emulated chips read them --------===//

#include "Formats.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

#include <cmath>
#include <limits>

namespace ufp4::emulator {

namespace {
/// A binary format: sign, exponent, mantissa from the top.
struct Shape {
  int exponentBits, mantissaBits, bias;
  bool hasSign = true;
  /// IEEE: the top exponent holds infinity and NaN. Otherwise NaN, if any, is all ones.
  bool ieee = false;
  bool hasNaN = false;
};
} // namespace

static Shape shapeOf(Format format) {
  switch (format) {
  case Format::F32:
    return {8, 23, 127, true, true, true};
  case Format::TF32:
    return {8, 10, 127, true, true, true};
  case Format::F16:
    return {5, 10, 15, true, true, true};
  case Format::BF16:
    return {8, 7, 127, true, true, true};
  case Format::E5M2:
    return {5, 2, 15, true, true, true};
  case Format::E4M3:
    return {4, 3, 7, true, false, true};
  case Format::UE4M3:
    return {4, 3, 7, false, false, true};
  case Format::E3M2:
    return {3, 2, 3};
  case Format::E2M3:
    return {2, 3, 1};
  case Format::E2M1:
    return {2, 1, 1};
  default:
    llvm_unreachable("not a floating-point format");
  }
}

std::optional<Format> parseFormat(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Format>>(name)
      .Case("f32", Format::F32)
      .Case("tf32", Format::TF32)
      .Case("f16", Format::F16)
      .Case("bf16", Format::BF16)
      .Case("e5m2", Format::E5M2)
      .Case("e4m3", Format::E4M3)
      .Case("e3m2", Format::E3M2)
      .Case("e2m3", Format::E2M3)
      .Case("e2m1", Format::E2M1)
      .Case("ue8m0", Format::UE8M0)
      .Case("ue4m3", Format::UE4M3)
      .Case("s8", Format::S8)
      .Case("u8", Format::U8)
      .Case("s4", Format::S4)
      .Case("u4", Format::U4)
      .Default(std::nullopt);
}

unsigned bitWidth(Format format) {
  switch (format) {
  case Format::F32:
  case Format::TF32:
    return 32;
  case Format::F16:
  case Format::BF16:
    return 16;
  case Format::E2M1:
  case Format::E0M3:
  case Format::S4:
  case Format::U4:
    return 4;
  case Format::E3M2:
  case Format::E2M3:
    return 6;
  default:
    return 8;
  }
}

bool isInteger(Format format) {
  return format == Format::S8 || format == Format::U8 || format == Format::S4 ||
         format == Format::U4;
}

/// 2^exponent, which must be a normal double.
static double powerOfTwo(int exponent) { return bitCast<double>(uint64_t(exponent + 1023) << 52); }

double decode(Format format, uint32_t code) {
  switch (format) {
  case Format::F32:
    return asFloat(code);
  case Format::TF32:
    return asFloat(code & 0xFFFFE000u);
  case Format::BF16:
    return asFloat(code << 16);
  case Format::S8:
    return int8_t(code);
  case Format::U8:
    return uint8_t(code);
  case Format::S4:
    return int32_t(code << 28) >> 28;
  case Format::U4:
    return code & 15;
  case Format::E0M3:
    return code & 8 ? -double(code & 7) : double(code & 7);
  case Format::UE8M0:
    code &= 0xFF;
    return code == 0xFF ? std::numeric_limits<double>::quiet_NaN() : powerOfTwo(int(code) - 127);
  default:
    break;
  }
  Shape shape = shapeOf(format);
  uint32_t mantissa = code & ((1u << shape.mantissaBits) - 1);
  uint32_t exponent = code >> shape.mantissaBits & ((1u << shape.exponentBits) - 1);
  bool negative = shape.hasSign && code >> (shape.mantissaBits + shape.exponentBits) & 1;
  bool topExponent = exponent == (1u << shape.exponentBits) - 1;
  double value;
  if (shape.ieee && topExponent)
    value = mantissa ? std::numeric_limits<double>::quiet_NaN()
                     : std::numeric_limits<double>::infinity();
  else if (shape.hasNaN && topExponent && mantissa == (1u << shape.mantissaBits) - 1)
    value = std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    value = mantissa * powerOfTwo(1 - shape.bias - shape.mantissaBits);
  else
    value = (mantissa | 1u << shape.mantissaBits) *
            powerOfTwo(int(exponent) - shape.bias - shape.mantissaBits);
  return negative ? -value : value;
}

/// The integer that `value` rounds to; `rest` breaks ties and moves directed roundings.
static double roundToInteger(double value, double rest, Rounding rounding) {
  double below = std::floor(value);
  double fraction = value - below;
  if (fraction == 0 && rest < 0) {
    below -= 1;
    fraction = 1;
  }
  bool exact = fraction == 0 && rest == 0;
  switch (rounding) {
  case Rounding::Down:
    return below;
  case Rounding::Up:
    return exact ? below : below + 1;
  case Rounding::Zero:
    return exact || value > 0 || (value == 0 && rest > 0) ? below : below + 1;
  case Rounding::NearestEven:
  case Rounding::NearestAway:
    break;
  }
  if (fraction == 1)
    return below + 1;
  if (fraction != 0.5)
    return fraction < 0.5 ? below : below + 1;
  if (rest != 0)
    return rest < 0 ? below : below + 1;
  if (rounding == Rounding::NearestAway)
    return value > 0 ? below + 1 : below;
  return std::fmod(below, 2) == 0 ? below : below + 1;
}

static uint32_t encodeUE8M0(double value, Rounding rounding, bool saturate) {
  if (std::isnan(value))
    return 0xFF;
  value = std::fabs(value);
  if (std::isinf(value))
    return saturate ? 0xFE : 0xFF;
  if (value <= std::ldexp(1.0, -127))
    return 0;
  int exponent;
  double mantissa = std::frexp(value, &exponent);
  exponent -= 1;
  if (rounding == Rounding::Up && mantissa != 0.5)
    ++exponent;
  if (exponent > 127)
    return saturate ? 0xFE : 0xFF;
  return exponent + 127;
}

uint32_t encodeWithRest(Format format, double value, double rest, Rounding rounding,
                        bool saturate) {
  if (format == Format::UE8M0)
    return encodeUE8M0(value, rounding, saturate);
  bool isTF32 = format == Format::TF32;
  Shape shape = shapeOf(format);
  unsigned magnitudeBits = shape.exponentBits + shape.mantissaBits;
  uint32_t sign = shape.hasSign && std::signbit(value) ? 1u << magnitudeBits : 0;
  uint32_t ones = (1u << magnitudeBits) - 1;
  uint32_t infinity = ((1u << shape.exponentBits) - 1) << shape.mantissaBits;
  uint32_t largest = shape.ieee ? infinity - 1 : shape.hasNaN ? ones - 1 : ones;
  auto finish = [&](uint32_t code) { return isTF32 ? code << 13 : code; };
  if (std::isnan(value))
    return finish(shape.hasNaN ? ones : largest);
  if (std::isinf(value)) {
    if (saturate || !shape.hasNaN)
      return finish(sign | largest);
    return finish(shape.ieee ? sign | infinity : sign | ones);
  }
  if (value == 0 && rest == 0)
    return finish(sign);

  int exponent = 1 - shape.bias;
  if (value != 0)
    exponent = std::max(exponent, std::ilogb(value));
  double quantum = std::ldexp(1.0, exponent - shape.mantissaBits);
  double count = std::fabs(roundToInteger(value / quantum, rest, rounding));
  double magnitude = count * quantum;
  if (magnitude > decode(format == Format::TF32 ? Format::F32 : format, finish(largest))) {
    bool towardsZero =
        rounding == Rounding::Zero || rounding == (sign ? Rounding::Up : Rounding::Down);
    if (saturate || !shape.hasNaN || towardsZero)
      return finish(sign | largest);
    return finish(shape.ieee ? sign | infinity : sign | ones);
  }
  if (magnitude == 0)
    return finish(sign);
  if (count >= std::ldexp(1.0, shape.mantissaBits + 1)) {
    count /= 2;
    ++exponent;
  }
  uint32_t mantissa = uint32_t(count);
  if (!(mantissa >> shape.mantissaBits))
    return finish(sign | mantissa);
  mantissa &= (1u << shape.mantissaBits) - 1;
  return finish(sign | uint32_t(exponent + shape.bias) << shape.mantissaBits | mantissa);
}

uint32_t encode(Format format, double value, Rounding rounding, bool saturate) {
  return encodeWithRest(format, value, 0, rounding, saturate);
}

} // namespace ufp4::emulator
