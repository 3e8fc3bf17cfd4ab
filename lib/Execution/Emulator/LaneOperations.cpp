//===- LaneOperations.cpp - Arithmetic of one thread -----------------------===//

#include "Formats.h"
#include "Launch.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

#include <cfenv>
#include <cmath>
#include <limits>

namespace ufp4::emulator {

using Lane = std::function<void(LaneCall &)>;

//===----------------------------------------------------------------------===//
// f32 arithmetic with a rounding mode
//===----------------------------------------------------------------------===//

namespace {
/// The suffixes of an f32 operation: rounding, flushing, clamping to [0, 1].
struct FloatMode {
  int rounding = FE_TONEAREST;
  bool flush = false, saturate = false;
};

/// Sets the rounding of the host's arithmetic while it lives.
class RoundingScope {
public:
  explicit RoundingScope(int rounding) : previous(std::fegetround()) { std::fesetround(rounding); }
  ~RoundingScope() { std::fesetround(previous); }

private:
  int previous;
};
} // namespace

static float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

static float clamped(float value) { return value > 0 ? std::min(value, 1.0f) : 0.0f; }

// Operands and results pass through volatiles, so that nothing is computed before the rounding is
// set or kept until it is restored.
template <typename Function>
static Lane floatLane(unsigned operands, FloatMode mode, Function function) {
  return [=](LaneCall &call) {
    volatile float values[3] = {0, 0, 0};
    for (unsigned i = 0; i < operands; ++i) {
      float value = asFloat(call.in[i]);
      values[i] = mode.flush ? flushed(value) : value;
    }
    volatile float result;
    {
      RoundingScope scope(mode.rounding);
      result = function(values[0], values[1], values[2]);
    }
    float value = result;
    if (mode.flush)
      value = flushed(value);
    if (mode.saturate)
      value = clamped(value);
    // The chips' NaN.
    call.out[0] = std::isnan(value) ? 0x7FFFFFFFu : asBits(value);
  };
}

static std::optional<int> parseRounding(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<int>>(name)
      .Case("rn", FE_TONEAREST)
      .Case("rz", FE_TOWARDZERO)
      .Case("rm", FE_DOWNWARD)
      .Case("rp", FE_UPWARD)
      .Default(std::nullopt);
}

static std::optional<Lane> findFloat(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef, 6> parts;
  name.split(parts, '.');
  llvm::StringRef base = parts.front();
  FloatMode mode;
  bool approximate = false, full = false, rounded = false, typed = false;
  for (llvm::StringRef part : llvm::drop_begin(parts)) {
    if (auto rounding = parseRounding(part)) {
      mode.rounding = *rounding;
      rounded = true;
    } else if (part == "ftz") {
      mode.flush = true;
    } else if (part == "sat") {
      mode.saturate = true;
    } else if (part == "approx") {
      approximate = true;
    } else if (part == "full") {
      full = true;
    } else if (part == "f" || part == "f32") {
      typed = true;
    } else {
      return std::nullopt;
    }
  }
  if (!typed && !full)
    return std::nullopt;
  if (rounded) {
    if (base == "add")
      return floatLane(2, mode, [](float a, float b, float) { return a + b; });
    if (base == "sub")
      return floatLane(2, mode, [](float a, float b, float) { return a - b; });
    if (base == "mul")
      return floatLane(2, mode, [](float a, float b, float) { return a * b; });
    if (base == "fma")
      return floatLane(3, mode, [](float a, float b, float c) { return std::fma(a, b, c); });
    if (base == "div")
      return floatLane(2, mode, [](float a, float b, float) { return a / b; });
    if (base == "rcp")
      return floatLane(1, mode, [](float a, float, float) { return 1.0f / a; });
    if (base == "sqrt")
      return floatLane(1, mode, [](float a, float, float) { return std::sqrt(a); });
    return std::nullopt;
  }
  if (full)
    return base == "div" ? std::optional<Lane>(
                               floatLane(2, mode, [](float a, float b, float) { return a / b; }))
                         : std::nullopt;
  if (approximate) {
    // In double, then rounded: exact but for what a table maker would have to prove.
    if (base == "div")
      return floatLane(2, mode, [](float a, float b, float) { return a / b; });
    if (base == "rcp")
      return floatLane(1, mode, [](float a, float, float) { return 1.0f / a; });
    if (base == "rsqrt")
      return floatLane(1, mode,
                       [](float a, float, float) { return float(1.0 / std::sqrt(double(a))); });
    if (base == "sqrt")
      return floatLane(1, mode, [](float a, float, float) { return std::sqrt(a); });
    if (base == "ex2")
      return floatLane(1, mode, [](float a, float, float) { return float(std::exp2(double(a))); });
    if (base == "lg2")
      return floatLane(1, mode, [](float a, float, float) { return float(std::log2(double(a))); });
    if (base == "sin")
      return floatLane(1, mode, [](float a, float, float) { return float(std::sin(double(a))); });
    if (base == "cos")
      return floatLane(1, mode, [](float a, float, float) { return float(std::cos(double(a))); });
    if (base == "tanh")
      return floatLane(1, mode, [](float a, float, float) { return float(std::tanh(double(a))); });
    return std::nullopt;
  }
  if (base == "fabs")
    return floatLane(1, mode, [](float a, float, float) { return std::fabs(a); });
  if (base == "floor")
    return floatLane(1, mode, [](float a, float, float) { return std::floor(a); });
  if (base == "ceil")
    return floatLane(1, mode, [](float a, float, float) { return std::ceil(a); });
  if (base == "trunc")
    return floatLane(1, mode, [](float a, float, float) { return std::trunc(a); });
  if (base == "round")
    return floatLane(1, mode, [](float a, float, float) { return std::nearbyint(a); });
  if (base == "saturate")
    return floatLane(1, mode, [](float a, float, float) { return clamped(a); });
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Minimum and maximum; half-precision fma
//===----------------------------------------------------------------------===//

static std::optional<Lane> findMinMax(llvm::StringRef name) {
  bool isMax = name.starts_with("fmax.");
  if (!isMax && !name.starts_with("fmin."))
    return std::nullopt;
  llvm::SmallVector<llvm::StringRef, 6> parts;
  name.split(parts, '.');
  bool flush = false, nan = false, xorSign = false;
  std::optional<Format> format;
  bool pair = false;
  for (llvm::StringRef part : llvm::drop_begin(parts)) {
    if (part == "ftz")
      flush = true;
    else if (part == "nan")
      nan = true;
    else if (part == "xorsign")
      xorSign = true;
    else if (part == "abs" && xorSign)
      continue;
    else if (part == "f")
      format = Format::F32;
    else {
      pair = part.consume_back("x2");
      format = parseFormat(part);
      if (!format || (*format != Format::F16 && *format != Format::BF16))
        return std::nullopt;
    }
  }
  if (!format || (flush && *format != Format::F32))
    return std::nullopt;
  auto one = [=](uint32_t a, uint32_t b) -> uint32_t {
    unsigned width = bitWidth(*format);
    uint32_t signBit = uint32_t(1) << (width - 1);
    uint32_t notANumber = width == 32 ? 0x7FFFFFFFu : 0x7FFFu;
    uint32_t sign = (a ^ b) & signBit;
    if (xorSign) {
      a &= ~signBit;
      b &= ~signBit;
    }
    double x = decode(*format, a), y = decode(*format, b);
    if (flush) {
      x = flushed(float(x));
      y = flushed(float(y));
    }
    uint32_t result;
    if (std::isnan(x) || std::isnan(y)) {
      if (nan || (std::isnan(x) && std::isnan(y)))
        return notANumber;
      result = encode(*format, std::isnan(x) ? y : x, Rounding::NearestEven, false);
    } else {
      // -0 lies below +0.
      bool xIsLess = x < y || (x == y && std::signbit(x) && !std::signbit(y));
      result = encode(*format, xIsLess != isMax ? x : y, Rounding::NearestEven, false);
    }
    return xorSign ? (result & ~signBit) | sign : result;
  };
  return Lane([=](LaneCall &call) {
    uint32_t a = call.in[0], b = call.in[1];
    if (pair)
      call.out[0] = one(a & 0xFFFF, b & 0xFFFF) | one(a >> 16, b >> 16) << 16;
    else
      call.out[0] = one(a, b);
  });
}

/// a * b + c of 16-bit numbers, rounded once: the product is exact in double, and what the sum
/// loses there decides ties.
static uint32_t fmaSmall(Format format, uint32_t a, uint32_t b, uint32_t c, bool relu,
                         bool saturate) {
  double product = decode(format, a) * decode(format, b), addend = decode(format, c);
  double sum = product + addend;
  double rest = 0;
  if (std::isfinite(sum)) {
    double part = sum - product;
    rest = (product - (sum - part)) + (addend - part);
  }
  if (relu && sum < 0)
    return 0;
  if (saturate)
    sum = std::isnan(sum) ? 0 : std::min(std::max(sum, 0.0), 1.0);
  if (std::isnan(sum))
    return 0x7FFF;
  return encodeWithRest(format, sum, saturate ? 0 : rest, Rounding::NearestEven, false);
}

static std::optional<Lane> findSmallFma(llvm::StringRef name) {
  if (!name.consume_front("fma.rn."))
    return std::nullopt;
  bool relu = name.consume_front("relu."), saturate = name.consume_front("sat.");
  bool pair = name.consume_back("x2");
  auto format = parseFormat(name);
  if (!format || (*format != Format::F16 && *format != Format::BF16))
    return std::nullopt;
  return Lane([=](LaneCall &call) {
    const uint32_t *in = call.in;
    uint32_t low =
        fmaSmall(*format, in[0] & 0xFFFF, in[1] & 0xFFFF, in[2] & 0xFFFF, relu, saturate);
    call.out[0] =
        pair ? low | fmaSmall(*format, in[0] >> 16, in[1] >> 16, in[2] >> 16, relu, saturate) << 16
             : low;
  });
}

//===----------------------------------------------------------------------===//
// Integers and f32
//===----------------------------------------------------------------------===//

static std::optional<Lane> findIntegerConversion(llvm::StringRef name) {
  auto [base, tail] = name.split('.');
  bool flush = tail.consume_back(".ftz");
  auto rounding = parseRounding(tail);
  if (!rounding)
    return std::nullopt;
  auto toInteger = [&](bool isSigned, unsigned width) {
    return Lane([=, rounding = *rounding](LaneCall &call) {
      float value = asFloat(call.in[0]);
      if (flush)
        value = flushed(value);
      double whole;
      {
        RoundingScope scope(rounding);
        volatile double input = value;
        whole = std::nearbyint(input);
      }
      // Out of range clamps; NaN becomes 0, or the sign bit in 64 bits.
      uint64_t result;
      if (std::isnan(whole))
        result = width == 64 ? uint64_t(1) << 63 : 0;
      else if (isSigned) {
        double limit = std::ldexp(1.0, width - 1);
        int64_t most =
            width == 64 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int32_t>::max();
        result = whole >= limit   ? uint64_t(most)
                 : whole < -limit ? uint64_t(-most - 1)
                                  : uint64_t(int64_t(whole));
      } else {
        double limit = std::ldexp(1.0, width);
        result = whole >= limit ? ~uint64_t(0) : whole < 0 ? 0 : uint64_t(whole);
      }
      call.out[0] = uint32_t(result);
      if (width == 64)
        call.out[1] = uint32_t(result >> 32);
    });
  };
  if (base == "f2i")
    return toInteger(true, 32);
  if (base == "f2ui")
    return toInteger(false, 32);
  if (base == "f2ll")
    return toInteger(true, 64);
  if (base == "f2ull")
    return toInteger(false, 64);
  if (flush)
    return std::nullopt;
  auto toFloat = [&](bool isSigned, unsigned width) {
    return Lane([=, rounding = *rounding](LaneCall &call) {
      volatile uint64_t bits = call.in[0];
      if (width == 64)
        bits = bits | uint64_t(call.in[1]) << 32;
      else if (isSigned)
        bits = uint64_t(int64_t(int32_t(call.in[0])));
      RoundingScope scope(rounding);
      volatile float result = isSigned ? float(int64_t(bits)) : float(uint64_t(bits));
      call.out[0] = asBits(result);
    });
  };
  if (base == "i2f")
    return toFloat(true, 32);
  if (base == "ui2f")
    return toFloat(false, 32);
  if (base == "ll2f")
    return toFloat(true, 64);
  if (base == "ull2f")
    return toFloat(false, 64);
  return std::nullopt;
}

static uint32_t permuteBytes(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t choice = selector >> 4 * i & 15;
    uint32_t byte = uint32_t(bytes >> 8 * (choice & 7)) & 0xFF;
    if (choice & 8)
      byte = byte & 0x80 ? 0xFF : 0;
    result |= byte << 8 * i;
  }
  return result;
}

static uint32_t bitField(uint32_t value, uint32_t position, uint32_t length, bool isSigned) {
  position &= 0xFF;
  length &= 0xFF;
  if (length == 0)
    return 0;
  uint64_t wide = isSigned ? uint64_t(int64_t(int32_t(value))) : value;
  // Beyond bit 31 a signed field repeats the sign, an unsigned one holds zeros.
  uint64_t field = position > 63 ? (isSigned && int32_t(value) < 0 ? ~uint64_t(0) : 0)
                   : isSigned    ? uint64_t(int64_t(wide) >> position)
                                 : wide >> position;
  if (length >= 32)
    return uint32_t(field);
  uint32_t mask = (uint32_t(1) << length) - 1;
  uint32_t result = uint32_t(field) & mask;
  if (!isSigned)
    return result;
  // The sign is the field's top bit, or the value's where the field reaches beyond it.
  bool negative = position + length > 32 ? int32_t(value) < 0 : result >> (length - 1) & 1;
  return negative ? result | ~mask : result;
}

static uint64_t word64(const uint32_t *in) { return uint64_t(in[1]) << 32 | in[0]; }

static const llvm::StringMap<Lane> &integerTable() {
  static const llvm::StringMap<Lane> table = [] {
    llvm::StringMap<Lane> lanes;
    lanes["prmt"] = [](LaneCall &c) { c.out[0] = permuteBytes(c.in[0], c.in[1], c.in[2]); };
    lanes["mulhi.i"] = [](LaneCall &c) {
      c.out[0] = uint32_t(int64_t(int32_t(c.in[0])) * int32_t(c.in[1]) >> 32);
    };
    lanes["mulhi.ui"] = [](LaneCall &c) { c.out[0] = uint32_t(uint64_t(c.in[0]) * c.in[1] >> 32); };
    lanes["mulhi.ull"] = [](LaneCall &c) {
      auto product = static_cast<unsigned __int128>(word64(c.in)) * word64(c.in + 2);
      c.out[0] = uint32_t(uint64_t(product >> 64));
      c.out[1] = uint32_t(uint64_t(product >> 96));
    };
    lanes["mulhi.ll"] = [](LaneCall &c) {
      auto product = static_cast<__int128>(int64_t(word64(c.in))) * int64_t(word64(c.in + 2));
      c.out[0] = uint32_t(uint64_t(product >> 64));
      c.out[1] = uint32_t(uint64_t(product >> 96));
    };
    lanes["mul24.i"] = [](LaneCall &c) {
      c.out[0] = uint32_t((int32_t(c.in[0] << 8) >> 8) * int64_t(int32_t(c.in[1] << 8) >> 8));
    };
    lanes["mul24.ui"] = [](LaneCall &c) {
      c.out[0] = uint32_t(uint64_t(c.in[0] & 0xFFFFFF) * (c.in[1] & 0xFFFFFF));
    };
    for (bool aSigned : {false, true})
      for (bool bSigned : {false, true})
        lanes[std::string("idp4a.") + (aSigned ? "s." : "u.") + (bSigned ? "s" : "u")] =
            [=](LaneCall &c) {
              int64_t sum = int32_t(c.in[2]);
              for (unsigned i = 0; i < 4; ++i) {
                uint8_t a = uint8_t(c.in[0] >> 8 * i), b = uint8_t(c.in[1] >> 8 * i);
                sum += int64_t(aSigned ? int8_t(a) : a) * (bSigned ? int8_t(b) : b);
              }
              c.out[0] = uint32_t(sum);
            };
    lanes["lop3"] = [](LaneCall &c) {
      uint32_t result = 0;
      for (unsigned i = 0; i < 8; ++i)
        if (c.in[3] >> i & 1)
          result |= (i & 4 ? c.in[0] : ~c.in[0]) & (i & 2 ? c.in[1] : ~c.in[1]) &
                    (i & 1 ? c.in[2] : ~c.in[2]);
      c.out[0] = result;
    };
    lanes["bfe.u32"] = [](LaneCall &c) { c.out[0] = bitField(c.in[0], c.in[1], c.in[2], false); };
    lanes["bfe.s32"] = [](LaneCall &c) { c.out[0] = bitField(c.in[0], c.in[1], c.in[2], true); };
    lanes["bfi"] = [](LaneCall &c) {
      uint32_t position = c.in[2] & 0xFF, length = c.in[3] & 0xFF;
      uint64_t mask = position > 31 ? 0
                      : length > 31 ? ~uint64_t(0) << position
                                    : ((uint64_t(1) << length) - 1) << position;
      uint64_t field = position > 31 ? 0 : uint64_t(c.in[0]) << position;
      c.out[0] = uint32_t((c.in[1] & ~mask) | (field & mask));
    };
    auto findLead = [](bool isSigned, bool shift) {
      return [=](LaneCall &c) {
        uint32_t value = c.in[0];
        if (isSigned && int32_t(value) < 0)
          value = ~value;
        int position = value == 0 ? -1 : 31 - int(llvm::countl_zero(value));
        c.out[0] = shift && position >= 0 ? uint32_t(31 - position) : uint32_t(position);
      };
    };
    lanes["bfind.u32"] = findLead(false, false);
    lanes["bfind.s32"] = findLead(true, false);
    // flo's second operand asks for the shift amount.
    lanes["flo.u"] = [=](LaneCall &c) { findLead(false, c.in[1] != 0)(c); };
    lanes["flo.s"] = [=](LaneCall &c) { findLead(true, c.in[1] != 0)(c); };
    lanes["isspacep.shared"] = [](LaneCall &c) { c.out[0] = c.launch.isShared(word64(c.in)); };
    lanes["isspacep.global"] = [](LaneCall &c) {
      c.out[0] = c.launch.global.contains(word64(c.in));
    };
    for (Format format : {Format::BF16, Format::F16})
      lanes[format == Format::BF16 ? "add.mixed.bf16" : "add.mixed.f16"] = [=](LaneCall &c) {
        c.out[0] = asBits(float(decode(format, c.in[0])) + asFloat(c.in[1]));
      };
    return lanes;
  }();
  return table;
}

std::optional<Operation> findLaneOperation(llvm::StringRef name) {
  Operation operation;
  operation.name = name.str();
  const auto &table = integerTable();
  if (auto found = table.find(name); found != table.end()) {
    operation.lane = found->second;
    if (name.starts_with("add.mixed"))
      operation.minimumChip = 100;
    return operation;
  }
  for (auto find : {findFloat, findMinMax, findSmallFma, findIntegerConversion})
    if (auto lane = find(name)) {
      operation.lane = std::move(*lane);
      if (name.contains("bf16") || name.contains("nan") || name.contains("f16"))
        operation.minimumChip = 80;
      return operation;
    }
  return std::nullopt;
}

} // namespace ufp4::emulator
