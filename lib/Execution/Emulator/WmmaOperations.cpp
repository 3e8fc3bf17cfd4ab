//===- WmmaOperations.cpp - WMMA, plain and block-scaled -------------------===//
//
// Places of matrix elements, for lane l of 32 and 16 rows and columns:
//   A: row l % 16, B: column l % 16; blocks along K, of 16 bytes or, of FP6, of 32 positions, go to
//   the two halves of lanes in turn, and lie one behind the other in a lane, bits packed
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

#include <cmath>
#include <vector>

using llvm::formatv;
using llvm::StringRef;

namespace ufp4::emulator {

static constexpr unsigned lanes = 32, rows = 16, sums = 8;

namespace {
/// An operand: of what format it is, or a sign's change, then codes; behind both C: which half of
/// the lanes, the scales' format, scales.
struct Operand {
  unsigned firstWord, words, scaleWord;
};
struct WmmaShape {
  unsigned depth;
  /// Of a scale; 0 where there are none.
  unsigned block;
  /// Of operands that do not say theirs.
  std::optional<Format> format;
  Operand a, b;
  unsigned wordC;

  WmmaShape(unsigned depth, unsigned block, std::optional<Format> format, unsigned wordsA,
            unsigned wordsB)
      : depth(depth), block(block), format(format), a{0, wordsA, 0}, b{1 + wordsA, wordsB, 0},
        wordC(b.firstWord + 1 + wordsB + 1) {
    a.scaleWord = wordC + sums;
    b.scaleWord = a.scaleWord + 2 + (block == 16 ? 2 : 1);
  }
};
/// An operand's, row by row.
using Numbers = std::vector<double>;
} // namespace

/// The format that a number means to the instruction.
static std::optional<Format> formatOf(uint32_t number) {
  static constexpr Format formats[] = {Format::E4M3, Format::E5M2, Format::E2M3, Format::E3M2,
                                       Format::E2M1};
  return number < std::size(formats) ? std::optional(formats[number]) : std::nullopt;
}
/// E5M3, number 1, is none that is known here.
static std::optional<Format> scaleFormatOf(uint32_t number) {
  if (number == 0)
    return Format::UE8M0;
  return number == 2 ? std::optional(Format::UE4M3) : std::nullopt;
}

static bool fail(WarpCall &call, const llvm::Twine &message) {
  call.launch.fail(FaultKind::IllegalOperand, message.str());
  return false;
}

/// An operand's numbers, scaled.
static bool readOperand(WarpCall &call, const WmmaShape &shape, const Operand &operand,
                        Numbers &numbers) {
  const uint32_t *common = call.in[0];
  uint32_t first = common[operand.firstWord];
  if (shape.format && first)
    return fail(call, "a matrix instruction that changes the signs of an operand");
  std::optional<Format> format = shape.format ? shape.format : formatOf(first);
  if (!format)
    return fail(call, "a scaled matrix instruction of an unknown format");
  unsigned bits = bitWidth(*format), chunk = bits == 6 ? 32 : 128 / bits;
  if (operand.words * 32 != shape.depth / 2 * bits)
    return fail(call, formatv("{0} elements of {1} bits in {2} registers", shape.depth / 2, bits,
                              operand.words));
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned k = 0; k < shape.depth; ++k) {
      const uint32_t *codes = call.in[k / chunk % 2 * rows + row] + operand.firstWord + 1;
      unsigned first = (k / (2 * chunk) * chunk + k % chunk) * bits;
      uint64_t pair = codes[first / 32];
      if (first % 32 + bits > 32)
        pair |= uint64_t(codes[first / 32 + 1]) << 32;
      uint32_t code = uint32_t(pair >> first % 32) & ((1u << bits) - 1);
      numbers.push_back(decode(*format, code));
    }
  if (!shape.block)
    return true;

  unsigned half = common[operand.scaleWord];
  if (half > 1)
    return fail(call, formatv("scales in half {0} of the lanes", half));
  std::optional<Format> scaleFormat = scaleFormatOf(common[operand.scaleWord + 1]);
  bool isE2M1 =
      *format == Format::E2M1 && common[shape.a.scaleWord + 1] == common[shape.b.scaleWord + 1];
  if (!scaleFormat || (*scaleFormat != Format::UE8M0 && !isE2M1))
    return fail(call, formatv("scales of format {0}, and not E8M0, for elements of {1} bits",
                              common[operand.scaleWord + 1], bits));
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned k = 0; k < shape.depth; ++k) {
      const uint32_t *scales = call.in[half * rows + row] + operand.scaleWord + 2;
      unsigned number = k / shape.block;
      numbers[row * shape.depth + k] *=
          decode(*scaleFormat, scales[number / 4] >> number % 4 * 8 & 0xFF);
    }
  return true;
}

static void multiply(WarpCall &call, const WmmaShape &shape) {
  Numbers a, b;
  if (!readOperand(call, shape, shape.a, a) || !readOperand(call, shape, shape.b, b))
    return;
  if (call.in[0][shape.wordC - 1]) {
    fail(call, "a matrix instruction that changes the signs of C");
    return;
  }
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned r = 0; r < sums; ++r) {
      double sum = dot(&a[(lane / rows * sums + r) * shape.depth], &b[lane % rows * shape.depth],
                       shape.depth);
      float result = float(double(asFloat(call.in[lane][shape.wordC + r])) + sum);
      call.out[lane][r] = std::isnan(result) ? 0x7FC00000u : asBits(result);
    }
}

/// "scale.f32.16x16x128.f8f6f4.v8f32.v12i32.v8i32", scale16 alike;
/// "f32.16x16x32.bf16.v8f32.v16bf16".
static std::optional<WmmaShape> parseWmma(StringRef name) {
  if (name == "f32.16x16x32.bf16.v8f32.v16bf16" || name == "f32.16x16x32.f16.v8f32.v16f16")
    return WmmaShape(32, 0, name.contains(".bf16.") ? Format::BF16 : Format::F16, 8, 8);
  bool isFine = name.consume_front("scale16.");
  unsigned wordsA = 0, wordsB = 0;
  if ((!isFine && !name.consume_front("scale.")) ||
      !name.consume_front("f32.16x16x128.f8f6f4.v8f32.v") || name.consumeInteger(10, wordsA) ||
      !name.consume_front("i32.v") || name.consumeInteger(10, wordsB) || name != "i32")
    return std::nullopt;
  return WmmaShape(128, isFine ? 16 : 32, std::nullopt, wordsA, wordsB);
}

std::optional<Operation> findWmma(StringRef name) {
  if (!name.consume_front("wmma."))
    return std::nullopt;
  std::optional<WmmaShape> shape = parseWmma(name);
  if (!shape)
    return std::nullopt;
  Operation operation;
  operation.meeting = Meeting::Warp;
  operation.isMma = true;
  operation.warp = [shape = *shape](WarpCall &call) { multiply(call, shape); };
  return operation;
}

} // namespace ufp4::emulator
