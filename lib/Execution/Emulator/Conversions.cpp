//===- Conversions.cpp - Casts between small floating-point formats --------===//

#include "Formats.h"
#include "Launch.h"

#include "llvm/ADT/SmallVector.h"

#include <cmath>

namespace ufp4::emulator {

namespace {
/// The modifiers after the two formats of a conversion.
struct Modifiers {
  Rounding rounding = Rounding::NearestEven;
  bool saturate = false, relu = false;
};
} // namespace

static std::optional<Modifiers> parseModifiers(llvm::StringRef text) {
  Modifiers result;
  llvm::SmallVector<llvm::StringRef, 4> parts;
  text.split(parts, '.', -1, false);
  for (llvm::StringRef part : parts) {
    if (part == "rn")
      result.rounding = Rounding::NearestEven;
    else if (part == "rna")
      result.rounding = Rounding::NearestAway;
    else if (part == "rz")
      result.rounding = Rounding::Zero;
    else if (part == "rp")
      result.rounding = Rounding::Up;
    else if (part == "relu")
      result.relu = true;
    else if (part == "satfinite")
      result.saturate = true;
    else
      return std::nullopt;
  }
  return result;
}

static uint32_t convert(Format to, double value, const Modifiers &modifiers) {
  if (modifiers.relu && !(value > 0) && !std::isnan(value))
    value = 0;
  return encode(to, value, modifiers.rounding, modifiers.saturate);
}

static std::optional<Format> parsePair(llvm::StringRef name) {
  if (!name.consume_back("x2"))
    return std::nullopt;
  return parseFormat(name);
}

/// Bits between the two elements of a pair: FP4 pairs share a byte.
static unsigned pairStride(Format format) {
  return format == Format::E2M1 ? 4 : bitWidth(format) == 16 ? 16 : 8;
}

static unsigned minimumChipOf(Format format) {
  switch (format) {
  case Format::E4M3:
  case Format::E5M2:
    return 89;
  case Format::E2M1:
  case Format::E2M3:
  case Format::E3M2:
  case Format::UE8M0:
    return 100;
  default:
    return 80;
  }
}

static Operation makeOperation(llvm::StringRef name, Format a, Format b,
                               std::function<void(LaneCall &)> lane) {
  Operation operation;
  operation.name = name.str();
  operation.minimumChip = std::max(minimumChipOf(a), minimumChipOf(b));
  operation.needsFamily = operation.minimumChip >= 100;
  operation.lane = std::move(lane);
  return operation;
}

std::optional<Operation> findConversion(llvm::StringRef name) {
  // ff.to.e2m1x2.rn.satfinite (a, b): b in the low element.
  if (llvm::StringRef rest = name; rest.consume_front("ff.to.")) {
    auto [target, tail] = rest.split('.');
    auto to = parsePair(target);
    auto modifiers = parseModifiers(tail);
    if (!to || !modifiers || pairStride(*to) == 16)
      return std::nullopt;
    // Without infinities these saturate by definition; the name says so only for some.
    if (*to == Format::E4M3 || *to == Format::E5M2)
      modifiers->saturate = true;
    return makeOperation(name, *to, Format::F32, [=](LaneCall &call) {
      call.out[0] = convert(*to, asFloat(call.in[0]), *modifiers) << pairStride(*to) |
                    convert(*to, asFloat(call.in[1]), *modifiers);
    });
  }
  // f16x2.to.e4m3x2.rn, e2m1x2.to.f16x2.rn, ue8m0x2.to.bf16x2
  if (size_t split = name.find(".to."); split != llvm::StringRef::npos) {
    auto from = parsePair(name.take_front(split));
    auto [target, tail] = name.drop_front(split + 4).split('.');
    auto to = parsePair(target);
    auto modifiers = parseModifiers(tail);
    if (!from || !to || !modifiers || (pairStride(*from) == 16) == (pairStride(*to) == 16))
      return std::nullopt;
    if (*to == Format::E4M3 || *to == Format::E5M2)
      modifiers->saturate = true;
    return makeOperation(name, *from, *to, [=](LaneCall &call) {
      unsigned in = pairStride(*from), out = pairStride(*to);
      call.out[0] = convert(*to, decode(*from, call.in[0]), *modifiers) |
                    convert(*to, decode(*from, call.in[0] >> in), *modifiers) << out;
    });
  }
  // ff2bf16x2.rn (a, b): b in the low element.
  if (llvm::StringRef rest = name; rest.consume_front("ff2")) {
    auto [target, tail] = rest.split('.');
    auto to = parsePair(target);
    auto modifiers = parseModifiers(tail);
    if (!to || !modifiers || pairStride(*to) != 16)
      return std::nullopt;
    return makeOperation(name, *to, Format::F32, [=](LaneCall &call) {
      call.out[0] = convert(*to, asFloat(call.in[0]), *modifiers) << 16 |
                    convert(*to, asFloat(call.in[1]), *modifiers);
    });
  }
  if (llvm::StringRef rest = name; rest.consume_front("f2")) {
    auto [target, tail] = rest.split('.');
    auto to = target == "h" ? Format::F16 : parseFormat(target);
    auto modifiers = parseModifiers(tail);
    if (!to || !modifiers || (*to != Format::F16 && *to != Format::BF16 && *to != Format::TF32))
      return std::nullopt;
    return makeOperation(name, *to, Format::F32, [=](LaneCall &call) {
      call.out[0] = convert(*to, asFloat(call.in[0]), *modifiers);
    });
  }
  return std::nullopt;
}

} // namespace ufp4::emulator
