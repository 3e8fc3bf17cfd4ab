//===- WmmaOperations.cpp - Block-scaled WMMA ------------------------------===//
//
// Places of matrix elements, for lane l of 32 and 16 rows and columns:
//   A: row l % 16, B: column l % 16; blocks of 32 positions along K (FP8: 16) go to the two halves
//   of lanes in turn, and lie one behind the other in a lane, bits packed
//   C, D: column l % 16, rows 8 (l / 16) to 8 (l / 16) + 7
//   scales: those of row i in lane i, or in lane 16 + i where the instruction says so, blocks along
//   K in bytes from the lowest on
//
// Sources: AMD's CDNA 5 ISA document, 7.12.2; LLVM's IntrinsicsAMDGPU.td; scales and formats as
// MLIR's amdgpu.scaled_wmma describes them.
//
//===----------------------------------------------------------------------===//

#include "AMDOperations.h"

#include "Formats.h"
#include "Launch.h"

#include "llvm/Support/FormatVariadic.h"

#include <array>
#include <cmath>

using llvm::formatv;
using llvm::StringRef;

namespace ufp4::emulator {

static constexpr unsigned lanes = 32, rows = 16, depth = 128, sums = 8;

namespace {
/// The words of an operand in the intrinsic's order: format, codes; behind both C: which half of
/// the lanes, the scales' format, scales.
struct Operand {
  unsigned firstWord, words, scaleWord;
};
using Numbers = std::array<std::array<double, depth>, rows>;
} // namespace

/// The format that a number means to the instruction.
static std::optional<Format> formatOf(uint32_t number) {
  static constexpr Format formats[] = {Format::E4M3, Format::E5M2, Format::E2M3, Format::E3M2,
                                       Format::E2M1};
  return number < std::size(formats) ? std::optional(formats[number]) : std::nullopt;
}

/// An operand's numbers, scaled.
static bool readOperand(WarpCall &call, const Operand &operand, unsigned block, Numbers &numbers) {
  auto fail = [&](const llvm::Twine &message) {
    call.launch.fail(FaultKind::IllegalOperand, message.str());
    return false;
  };
  const uint32_t *common = call.in[0];
  std::optional<Format> format = formatOf(common[operand.firstWord]);
  if (!format)
    return fail("a scaled matrix instruction of an unknown format");
  unsigned bits = bitWidth(*format), chunk = bits == 8 ? 16 : 32;
  if (operand.words * 32 != depth / 2 * bits)
    return fail(formatv("64 elements of {0} bits in {1} registers", bits, operand.words));
  unsigned half = common[operand.scaleWord], scaleFormat = common[operand.scaleWord + 1];
  if (half > 1)
    return fail(formatv("scales in half {0} of the lanes", half));
  // E5M3 and E4M3 are for E2M1, by which nothing is multiplied here.
  if (scaleFormat)
    return fail(
        formatv("scales of format {0}, and not E8M0, for elements of {1} bits", scaleFormat, bits));
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned k = 0; k < depth; ++k) {
      const uint32_t *codes = call.in[k / chunk % 2 * rows + row] + operand.firstWord + 1;
      unsigned first = (k / (2 * chunk) * chunk + k % chunk) * bits;
      uint64_t pair = codes[first / 32];
      if (first % 32 + bits > 32)
        pair |= uint64_t(codes[first / 32 + 1]) << 32;
      uint32_t code = uint32_t(pair >> first % 32) & ((1u << bits) - 1);
      const uint32_t *scales = call.in[half * rows + row] + operand.scaleWord + 2;
      uint32_t scale = scales[k / block / 4] >> k / block % 4 * 8 & 0xFF;
      numbers[row][k] = decode(*format, code) * decode(Format::UE8M0, scale);
    }
  return true;
}

static void multiply(WarpCall &call, const Operand &first, const Operand &second, unsigned wordC,
                     unsigned block) {
  Numbers a, b;
  if (!readOperand(call, first, block, a) || !readOperand(call, second, block, b))
    return;
  if (call.in[0][wordC - 1])
    return call.launch.fail(FaultKind::IllegalOperand,
                            "a matrix instruction that changes the signs of C");
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned r = 0; r < sums; ++r) {
      const double *x = a[lane / rows * sums + r].data(), *y = b[lane % rows].data();
      // Independent partial sums; every product is exact in double.
      double partial[4] = {0, 0, 0, 0};
      for (unsigned k = 0; k < depth; ++k)
        partial[k % 4] += x[k] * y[k];
      double sum = (partial[0] + partial[1]) + (partial[2] + partial[3]);
      float result = float(double(asFloat(call.in[lane][wordC + r])) + sum);
      call.out[lane][r] = std::isnan(result) ? 0x7FC00000u : asBits(result);
    }
}

std::optional<Operation> findScaledWmma(StringRef name) {
  bool isFine = name.consume_front("wmma.scale16.");
  unsigned wordsA = 0, wordsB = 0;
  if ((!isFine && !name.consume_front("wmma.scale.")) ||
      !name.consume_front("f32.16x16x128.f8f6f4.v8f32.v") || name.consumeInteger(10, wordsA) ||
      !name.consume_front("i32.v") || name.consumeInteger(10, wordsB) || name != "i32")
    return std::nullopt;
  unsigned wordB = 1 + wordsA, wordC = wordB + 1 + wordsB + 1, scaleA = wordC + sums;
  Operand a{0, wordsA, scaleA}, b{wordB, wordsB, scaleA + 2 + (isFine ? 2 : 1)};
  Operation operation;
  operation.meeting = Meeting::Warp;
  operation.isMma = true;
  operation.warp = [=](WarpCall &call) { multiply(call, a, b, wordC, isFine ? 16 : 32); };
  return operation;
}

} // namespace ufp4::emulator
