//===- AMDTest.cpp - AMD's instructions ------------------------------------===//

#include "Harness.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <functional>

using namespace ufp4::emulator;
using namespace ufp4::emulator::testing;

namespace {
using Words = std::vector<std::vector<uint32_t>>;

std::string replaceAll(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// laneKernel() for AMD.
std::string waveKernel(llvm::StringRef body, unsigned inputs, unsigned outputs,
                       llvm::StringRef declarations = "") {
  std::string text = laneKernel(body, inputs, outputs, declarations);
  text = replaceAll(text, "ptx_kernel", "amdgpu_kernel");
  return replaceAll(text, "llvm.nvvm.read.ptx.sreg.tid.x", "llvm.amdgcn.workitem.id.x");
}

Words numbered(unsigned lanes = 64) {
  Words in;
  for (unsigned i = 0; i < lanes; ++i)
    in.push_back({100 + i});
  return in;
}

//===----------------------------------------------------------------------===//
// Matrix instructions
//===----------------------------------------------------------------------===//

using Decode = std::function<double(uint32_t)>;

/// A small float by its definition: sign, exponent with its bias, mantissa.
Decode smallFloat(int exponentBits, int mantissaBits, int bias) {
  return [=](uint32_t code) {
    int mantissa = code & ((1 << mantissaBits) - 1);
    int exponent = code >> mantissaBits & ((1 << exponentBits) - 1);
    double value =
        exponent ? std::pow(2.0, exponent - bias) * (1 + mantissa / std::pow(2.0, mantissaBits))
                 : std::pow(2.0, 1 - bias) * mantissa / std::pow(2.0, mantissaBits);
    return code >> (exponentBits + mantissaBits) & 1 ? -value : value;
  };
}

struct Format {
  unsigned bits;
  Decode decode;
  /// Codes below are numbers.
  uint32_t codes;
};
const Format f32{32, [](uint32_t code) { return double(number(code)); }, 0};
const Format f16{16, smallFloat(5, 10, 15), 0x7C00},
    bf16{16, [](uint32_t code) { return fromBF16(uint16_t(code)); }, 0};
const Format e4m3{8, smallFloat(4, 3, 7), 0x7F}, e4m3Fnuz{8, smallFloat(4, 3, 8), 0x7F},
    e5m2Fnuz{8, smallFloat(5, 2, 16), 0x7F}, e2m3{6, smallFloat(2, 3, 1), 64},
    e3m2{6, smallFloat(3, 2, 3), 64}, e2m1{4, smallFloat(2, 1, 1), 16};

struct Form {
  const char *name, *operandType;
  unsigned m, k, blocks;
  Format a, b;
  const char *chip;
};

uint32_t randomCode(const Format &format, std::mt19937 &random) {
  if (format.bits == 32)
    return bits(float(int(random() % 17) - 8));
  if (!format.codes)
    return exactBF16(float(int(random() % 17) - 8));
  // Small halves, some of them subnormal.
  if (format.bits == 16)
    return (random() & 0x8000) | random() % 0x2400;
  uint32_t code = random() % format.codes;
  return format.bits == 8 && code ? code | (random() & 0x80) : code;
}

void append(std::vector<uint32_t> &words, const std::vector<uint32_t> &codes, unsigned bits) {
  std::vector<uint32_t> packed((codes.size() * bits + 31) / 32);
  for (size_t i = 0; i < codes.size(); ++i)
    for (unsigned bit = 0; bit < bits; ++bit)
      packed[(i * bits + bit) / 32] |= (codes[i] >> bit & 1) << (i * bits + bit) % 32;
  words.insert(words.end(), packed.begin(), packed.end());
}

std::string vectorType(const char *type, unsigned words) {
  return llvm::StringRef(type) == "i64" || words == 1
             ? std::string(type)
             : "<" + std::to_string(words) + " x " + type + ">";
}

/// An operand of `count` words from %x<first> on, as %<name> of a type.
std::string joined(const std::string &name, unsigned first, unsigned count,
                   const std::string &type) {
  std::string text, vector = "<" + std::to_string(count) + " x i32>", last = "poison";
  for (unsigned i = 0; i < count; ++i) {
    std::string next = "%" + name + "w" + std::to_string(i);
    text += "  " + next + " = insertelement " + vector + " " + last + ", i32 %x" +
            std::to_string(first + i) + ", i32 " + std::to_string(i) + "\n";
    last = next;
  }
  return text + "  %" + name + " = bitcast " + vector + " " + last + " to " + type + "\n";
}

/// Words of the result, from %d of a type.
std::string split(unsigned count, const std::string &type) {
  std::string vector = "<" + std::to_string(count) + " x i32>";
  std::string text = "  %e = bitcast " + type + " %d to " + vector + "\n";
  for (unsigned i = 0; i < count; ++i)
    text += "  %y" + std::to_string(i) + " = extractelement " + vector + " %e, i32 " +
            std::to_string(i) + "\n";
  return text;
}

/// Where a register of a lane lies in D.
std::pair<unsigned, unsigned> placeOf(unsigned m, unsigned lane, unsigned r) {
  return {m == 32 ? 8 * (r / 4) + 4 * (lane / 32) + r % 4 : 4 * (lane / 16) + r, lane % m};
}

/// Runs one instruction on random operands and compares with the sum of products. `scales`: per
/// operand, row and 32 positions, E8M0; else empty. `place` is the position along K of an element.
void expectProducts(const Form &form, const std::string &tail, const std::string &tailTypes,
                    std::function<unsigned(const Format &, unsigned, unsigned)> place,
                    unsigned opselA = 0, unsigned opselB = 0, bool isScaled = false) {
  SCOPED_TRACE(std::string(form.name) + " on " + form.chip);
  std::mt19937 random(form.m * form.k + form.blocks);
  unsigned m = form.m, k = form.k, groups = 64 / m;
  unsigned elements = form.blocks > 1 ? k : k / groups, registers = m * m / 64 * form.blocks;
  unsigned scaleGroups = isScaled ? k / 32 : 1;
  std::vector<uint32_t> a(form.blocks * m * k), b(a.size()), scaleA(m * scaleGroups),
      scaleB(m * scaleGroups);
  for (uint32_t &code : a)
    code = randomCode(form.a, random);
  for (uint32_t &code : b)
    code = randomCode(form.b, random);
  for (auto *scales : {&scaleA, &scaleB})
    for (uint32_t &scale : *scales)
      scale = 124 + random() % 7;
  Words in(64);
  unsigned wordsA = 0, wordsB = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    auto gather = [&](const Format &format, const std::vector<uint32_t> &codes) {
      std::vector<uint32_t> own;
      for (unsigned j = 0; j < elements; ++j) {
        unsigned block = form.blocks > 1 ? lane / m : 0;
        own.push_back(codes[(block * m + lane % m) * k + place(format, lane, j)]);
      }
      size_t before = in[lane].size();
      append(in[lane], own, format.bits);
      return in[lane].size() - before;
    };
    wordsA = gather(form.a, a);
    wordsB = gather(form.b, b);
    for (unsigned r = 0; r < registers; ++r)
      in[lane].push_back(bits(float(int(lane * registers + r) % 1000 - 500)));
    if (isScaled) {
      // Bytes that opsel does not name are traps.
      auto word = [&](const std::vector<uint32_t> &scales, unsigned byte) {
        uint32_t scale = scales[lane % m * scaleGroups + lane / m];
        return (0xFFFFFFFFu & ~(0xFFu << 8 * byte)) | scale << 8 * byte;
      };
      in[lane].push_back(word(scaleA, opselA));
      in[lane].push_back(word(scaleB, opselB));
    }
  }
  std::string typeC = "<" + std::to_string(registers) + " x float>";
  std::string typeA = form.operandType ? form.operandType : vectorType("i32", wordsA),
              typeB = form.operandType ? form.operandType : vectorType("i32", wordsB);
  std::string callee = "@llvm.amdgcn." + std::string(form.name);
  std::string body = joined("a", 0, wordsA, typeA) + joined("b", wordsA, wordsB, typeB) +
                     joined("c", wordsA + wordsB, registers, typeC) + "  %d = call " + typeC + " " +
                     callee + "(" + typeA + " %a, " + typeB + " %b, " + typeC + " %c" +
                     replaceAll(replaceAll(tail, "%sa", "%x" + std::to_string(in[0].size() - 2)),
                                "%sb", "%x" + std::to_string(in[0].size() - 1)) +
                     ")\n" + split(registers, typeC);
  std::string declaration = "declare " + typeC + " " + callee + "(" + typeA + ", " + typeB + ", " +
                            typeC + tailTypes + ")\n";
  auto results =
      runLanes(waveKernel(body, in[0].size(), registers, declaration), in, registers, form.chip);
  unsigned ofBlock = registers / form.blocks;
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned r = 0; r < registers; ++r) {
      auto [row, column] = placeOf(m, lane, r % ofBlock);
      unsigned block = r / ofBlock;
      double sum = int(lane * registers + r) % 1000 - 500;
      for (unsigned i = 0; i < k; ++i) {
        double term = form.a.decode(a[(block * m + row) * k + i]) *
                      form.b.decode(b[(block * m + column) * k + i]);
        if (isScaled)
          term *= std::pow(2.0, double(scaleA[row * scaleGroups + i / 32]) +
                                    scaleB[column * scaleGroups + i / 32] - 254);
        sum += term;
      }
      ASSERT_EQ(number(results[lane][r]), float(sum)) << "lane " << lane << " register " << r;
    }
}
} // namespace

TEST(AMDMatrix, Products) {
  const Form forms[] = {
      {"mfma.f32.32x32x1f32", "float", 32, 1, 2, f32, f32, "gfx942"},
      {"mfma.f32.32x32x2f32", "float", 32, 2, 1, f32, f32, "gfx942"},
      {"mfma.f32.16x16x4f32", "float", 16, 4, 1, f32, f32, "gfx942"},
      {"mfma.f32.32x32x4f16", "<4 x half>", 32, 4, 2, f16, f16, "gfx942"},
      {"mfma.f32.32x32x8f16", "<4 x half>", 32, 8, 1, f16, f16, "gfx942"},
      {"mfma.f32.16x16x16f16", "<4 x half>", 16, 16, 1, f16, f16, "gfx942"},
      {"mfma.f32.32x32x8bf16.1k", "<4 x i16>", 32, 8, 1, bf16, bf16, "gfx942"},
      {"mfma.f32.32x32x16.f16", "<8 x half>", 32, 16, 1, f16, f16, "gfx950"},
      {"mfma.f32.16x16x32.bf16", "<8 x bfloat>", 16, 32, 1, bf16, bf16, "gfx950"},
      {"mfma.f32.32x32x16.fp8.fp8", "i64", 32, 16, 1, e4m3, e4m3, "gfx950"},
      {"mfma.f32.32x32x16.fp8.fp8", "i64", 32, 16, 1, e4m3Fnuz, e4m3Fnuz, "gfx942"},
      {"mfma.f32.16x16x32.fp8.fp8", "i64", 16, 32, 1, e4m3, e4m3, "gfx950"},
      {"mfma.f32.16x16x32.bf8.fp8", "i64", 16, 32, 1, e5m2Fnuz, e4m3Fnuz, "gfx942"},
  };
  for (const Form &form : forms) {
    unsigned elements = form.blocks > 1 ? form.k : form.k * form.m / 64;
    expectProducts(form, ", i32 0, i32 0, i32 0", ", i32, i32, i32",
                   [&](const Format &, unsigned lane, unsigned j) {
                     return form.blocks > 1 ? j : lane / form.m * elements + j;
                   });
  }
}

TEST(AMDMatrix, ScaledProducts) {
  struct Case {
    const char *name;
    unsigned m, k;
    Format a, b;
    unsigned formatA, formatB, opselA, opselB;
  };
  const Case cases[] = {
      {"mfma.scale.f32.32x32x64.f8f6f4.v4i32.v4i32", 32, 64, e2m1, e2m1, 4, 4, 0, 3},
      {"mfma.scale.f32.32x32x64.f8f6f4.v6i32.v6i32", 32, 64, e2m3, e2m3, 2, 2, 1, 2},
      {"mfma.scale.f32.16x16x128.f8f6f4.v6i32.v4i32", 16, 128, e3m2, e2m1, 3, 4, 2, 1},
      {"mfma.scale.f32.16x16x128.f8f6f4.v8i32.v6i32", 16, 128, e4m3, e2m3, 0, 2, 3, 0},
  };
  for (const Case &c : cases) {
    Form form{c.name, nullptr, c.m, c.k, 1, c.a, c.b, "gfx950"};
    auto text = [](unsigned value) { return ", i32 " + std::to_string(value); };
    expectProducts(
        form,
        text(c.formatA) + text(c.formatB) + text(c.opselA) + ", i32 %sa" + text(c.opselB) +
            ", i32 %sb",
        ", i32, i32, i32, i32, i32, i32",
        [&](const Format &format, unsigned lane, unsigned j) {
          return format.bits == 8 ? j / 16 * c.k / 2 + lane / c.m * 16 + j % 16
                                  : lane / c.m * 32 + j;
        },
        c.opselA, c.opselB, /*isScaled=*/true);
  }
}

namespace {
/// One WMMA on random operands. Where it is block-scaled, `half` of the lanes has the scales, of a
/// block each, and the other half NaNs; where not, `block` is 0.
struct Wmma {
  Format a, b;
  unsigned formatA, formatB, halfA, halfB, block;
  /// Number and meaning of scales.
  unsigned scaleFormat = 0;
  Decode scale = [](uint32_t code) { return std::pow(2.0, double(code) - 127); };
};

std::string number32(unsigned value) { return "i32 " + std::to_string(value) + ", "; }

/// A kernel of it, of as many words for operands.
std::string wmmaKernel(const Wmma &c, unsigned wordsA, unsigned wordsB) {
  std::string typeA = vectorType("i32", wordsA), typeB = vectorType("i32", wordsB);
  std::string beforeA = number32(c.formatA), beforeB = number32(c.formatB);
  std::string name = ".f32.16x16x128.f8f6f4.v8f32.v" + std::to_string(wordsA) + "i32.v" +
                     std::to_string(wordsB) + "i32";
  if (!c.block) {
    typeA = typeB = "<16 x bfloat>";
    beforeA = beforeB = "i1 0, ";
    name = ".f32.16x16x32.bf16.v8f32.v16bf16";
  }
  std::string callee = std::string("@llvm.amdgcn.wmma") +
                       (c.block == 16 ? ".scale16"
                        : c.block     ? ".scale"
                                      : "") +
                       name;
  unsigned wordC = wordsA + wordsB, wordOfScales = wordC + 8, wordsOfScales = c.block == 16 ? 2 : 1;
  std::string typeOfScales = c.block == 16 ? "i64" : "i32", scales, arguments;
  for (auto [name, half, first] :
       {std::tuple("sa", c.halfA, wordOfScales), {"sb", c.halfB, wordOfScales + wordsOfScales}}) {
    if (!c.block)
      break;
    scales += wordsOfScales == 2
                  ? joined(name, first, 2, "i64")
                  : "  %" + std::string(name) + " = add i32 0, %x" + std::to_string(first) + "\n";
    arguments += number32(half) + number32(c.scaleFormat) + typeOfScales + " %" + name + ", ";
  }
  std::string body = joined("a", 0, wordsA, typeA) + joined("b", wordsA, wordsB, typeB) +
                     joined("c", wordC, 8, "<8 x float>") + scales + "  %d = call <8 x float> " +
                     callee + "(" + beforeA + typeA + " %a, " + beforeB + typeB +
                     " %b, i16 0, <8 x float> %c, " + arguments + "i1 0, i1 0)\n" +
                     split(8, "<8 x float>");
  std::string typeOfFormat = c.block ? "i32, " : "i1, ";
  std::string declaration = "declare <8 x float> " + callee + "(" + typeOfFormat + typeA + ", " +
                            typeOfFormat + typeB + ", i16, <8 x float>, ";
  for (unsigned operand = 0; c.block && operand < 2; ++operand)
    declaration += "i32, i32, " + typeOfScales + ", ";
  return waveKernel(body, wordOfScales + (c.block ? 2 * wordsOfScales : 0), 8,
                    declaration + "i1, i1)\n");
}

void expectWmma(const Wmma &c) {
  unsigned rows = 16, k = c.block ? 128 : 32, blocks = c.block ? k / c.block : 0;
  SCOPED_TRACE(::testing::Message() << c.formatA << ' ' << c.formatB << " per " << c.block);
  std::mt19937 random(c.formatA * 8 + c.formatB + c.block);
  std::vector<uint32_t> a(rows * k), b(rows * k), scaleA(rows * blocks), scaleB(rows * blocks);
  for (uint32_t &code : a)
    code = randomCode(c.a, random);
  for (uint32_t &code : b)
    code = randomCode(c.b, random);
  for (auto *scales : {&scaleA, &scaleB})
    for (uint32_t &scale : *scales)
      scale = c.scaleFormat ? random() % 0x60 : 124 + random() % 7;
  Words in(32);
  unsigned wordsA = k * c.a.bits / 64, wordsB = k * c.b.bits / 64;
  for (unsigned lane = 0; lane < 32; ++lane) {
    auto gather = [&](const Format &format, const std::vector<uint32_t> &codes) {
      std::vector<uint32_t> own;
      // Blocks of 16 bytes, of 6 bits those of 32, in turn.
      unsigned chunk = format.bits == 6 ? 32 : 128 / format.bits;
      for (unsigned j = 0; j < k / 2; ++j)
        own.push_back(codes[lane % 16 * k + (2 * (j / chunk) + lane / 16) * chunk + j % chunk]);
      append(in[lane], own, format.bits);
    };
    gather(c.a, a);
    gather(c.b, b);
    for (unsigned r = 0; r < 8; ++r)
      in[lane].push_back(bits(float(int(lane * 8 + r) - 100)));
    for (auto [scales, half] : {std::pair(&scaleA, c.halfA), {&scaleB, c.halfB}}) {
      std::vector<uint32_t> own(blocks, c.scaleFormat ? 0x7F : 0xFF);
      if (lane / 16 == half)
        std::copy_n(scales->begin() + lane % 16 * blocks, blocks, own.begin());
      append(in[lane], own, 8);
    }
  }
  auto results = runLanes(wmmaKernel(c, wordsA, wordsB), in, 8, "gfx1250");
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned r = 0; r < 8; ++r) {
      unsigned row = lane / 16 * 8 + r, column = lane % 16;
      double sum = int(lane * 8 + r) - 100;
      for (unsigned i = 0; i < k; ++i) {
        double term = c.a.decode(a[row * k + i]) * c.b.decode(b[column * k + i]);
        if (c.block)
          term *= c.scale(scaleA[row * blocks + i / c.block]) *
                  c.scale(scaleB[column * blocks + i / c.block]);
        sum += term;
      }
      ASSERT_EQ(number(results[lane][r]), float(sum)) << "lane " << lane << " register " << r;
    }
}
} // namespace

TEST(AMDMatrix, WmmaProducts) {
  expectWmma({bf16, bf16, 0, 0, 0, 0, 0});
  for (unsigned block : {16, 32}) {
    expectWmma({e2m3, e2m3, 2, 2, 0, 1, block});
    expectWmma({e2m1, e3m2, 4, 3, 1, 0, block});
    expectWmma({e4m3, e2m3, 0, 2, 1, 1, block});
    expectWmma({e2m1, e2m1, 4, 4, 0, 1, block, 2, e4m3.decode});
  }
}

// LLVM 22 assembles these.
TEST(AMDMatrix, OnlyE2M1TakesOtherScalesThanE8M0) {
  for (const Wmma &c : {Wmma{e2m3, e2m3, 2, 2, 0, 1, 16, 2}, {e2m1, e2m3, 4, 2, 0, 1, 16, 2}}) {
    auto module = mustLoad(wmmaKernel(c, 2 * c.a.bits, 2 * c.b.bits), "gfx1250");
    unsigned words = 2 * (c.a.bits + c.b.bits) + 12;
    std::vector<uint32_t> data(32 * words), result(32 * 8);
    expectFault(*module, "k", {1}, {32}, 0, {in(data, "in"), out(result, "out")},
                FaultKind::IllegalOperand);
  }
}

TEST(AMDMatrix, NegativeZeroIsNaNInFnuz) {
  std::string text = waveKernel("  %a = zext i32 %x0 to i64\n"
                                "  %d = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x16.fp8.fp8("
                                "i64 %a, i64 %a, <16 x float> zeroinitializer, i32 0, i32 0, "
                                "i32 0)\n" +
                                    split(16, "<16 x float>"),
                                1, 16,
                                "declare <16 x float> @llvm.amdgcn.mfma.f32.32x32x16.fp8.fp8(i64, "
                                "i64, <16 x float>, i32, i32, i32)\n");
  Words in(64, {0x80});
  EXPECT_TRUE(std::isnan(number(runLanes(text, in, 16, "gfx942")[0][0])));
  EXPECT_EQ(number(runLanes(text, in, 16, "gfx950")[0][0]), 0);
}

TEST(AMDMatrix, WhatTheChipHasNot) {
  auto refused = [](const char *declaration, const char *call, const char *chip) {
    auto module =
        load(waveKernel(std::string(call) + "\n  %y0 = add i32 %x0, 0\n", 1, 1, declaration), chip);
    if (module) {
      ADD_FAILURE() << call;
      return;
    }
    auto fault = takeFault(module.takeError());
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::Unsupported) << fault->text;
  };
  refused("declare <16 x float> @llvm.amdgcn.mfma.f32.32x32x16.f16(<8 x half>, <8 x half>, "
          "<16 x float>, i32, i32, i32)\n",
          "  %d = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x16.f16(<8 x half> "
          "zeroinitializer, <8 x half> zeroinitializer, <16 x float> zeroinitializer, i32 0, i32 "
          "0, i32 0)",
          "gfx942");
  refused("declare i32 @llvm.amdgcn.sudot4(i1, i32, i1, i32, i32, i1)\n",
          "  %d = call i32 @llvm.amdgcn.sudot4(i1 0, i32 0, i1 0, i32 0, i32 0, i1 0)", "gfx942");
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// The nearest code by its definition, of two equally near ones the even; NaN beyond the range.
uint32_t nearestFP8(float value, const Format &format, bool isFnuz) {
  // What is far beyond the range is no nearer to one code than to another.
  double magnitude = std::min(std::fabs(double(value)), 1000.0);
  // One beyond the greatest, by which what rounds up to it is found.
  uint32_t greatest = isFnuz ? 0x7F : 0x7E, best = 0;
  auto decode = [&](uint32_t code) {
    return code == 0x80 ? format.decode(0x78) + format.decode(0x78) : format.decode(code);
  };
  for (uint32_t code = 0; code <= greatest + 1; ++code) {
    double distance = std::fabs(decode(code) - magnitude),
           least = std::fabs(decode(best) - magnitude);
    if (distance < least || (distance == least && code % 2 == 0))
      best = code;
  }
  uint32_t sign = std::signbit(value) ? 0x80 : 0;
  if (std::isnan(value) || best > greatest)
    return isFnuz ? 0x80 : sign | 0x7F;
  return isFnuz && !best ? 0 : sign | best;
}

TEST(AMDLane, ConvertsFP8) {
  std::string text = waveKernel(R"(
  %f0 = bitcast i32 %x0 to float
  %f1 = bitcast i32 %x1 to float
  %y0 = call i32 @llvm.amdgcn.cvt.pk.fp8.f32(float %f0, float %f1, i32 305419896, i1 false)
  %y1 = call i32 @llvm.amdgcn.cvt.pk.fp8.f32(float %f1, float %f0, i32 %y0, i1 true)
  %v = call <2 x float> @llvm.amdgcn.cvt.pk.f32.fp8(i32 %y1, i1 true)
  %v0 = extractelement <2 x float> %v, i32 0
  %v1 = extractelement <2 x float> %v, i32 1
  %y2 = bitcast float %v0 to i32
  %y3 = bitcast float %v1 to i32
)",
                                2, 4, R"(
declare i32 @llvm.amdgcn.cvt.pk.fp8.f32(float, float, i32, i1 immarg)
declare <2 x float> @llvm.amdgcn.cvt.pk.f32.fp8(i32, i1 immarg)
)");
  for (const char *chip : {"gfx942", "gfx950"}) {
    bool isFnuz = chip == std::string("gfx942");
    const Format &format = isFnuz ? e4m3Fnuz : e4m3;
    // Numbers, what lies between them and beside that, of either sign.
    std::vector<float> values = {0.0f, -0.0f, -0x1p-20f, 500, -1e30f, INFINITY, NAN};
    for (uint32_t code = 0; code < 0x7E; ++code) {
      float low = float(format.decode(code)), high = float(format.decode(code + 1));
      float middle = (low + high) / 2;
      for (float value : {low, middle, std::nextafter(middle, low), std::nextafter(middle, high)})
        values.push_back(code % 2 ? -value : value);
    }
    values.resize((values.size() + 127) / 128 * 128, 1.0f);
    for (size_t first = 0; first < values.size(); first += 128) {
      Words in;
      for (unsigned l = 0; l < 64; ++l)
        in.push_back({bits(values[first + l]), bits(values[first + 64 + l])});
      auto results = runLanes(text, in, 4, chip);
      for (unsigned l = 0; l < 64; ++l) {
        uint32_t a = nearestFP8(values[first + l], format, isFnuz),
                 b = nearestFP8(values[first + 64 + l], format, isFnuz);
        EXPECT_EQ(results[l][0], 0x12340000 | b << 8 | a) << chip << ' ' << values[first + l];
        EXPECT_EQ(results[l][1], a << 24 | b << 16 | b << 8 | a) << chip;
        for (auto [word, code] : {std::pair(results[l][2], b), std::pair(results[l][3], a)}) {
          if ((code & 0x7F) == 0x7F && !isFnuz)
            EXPECT_TRUE(std::isnan(number(word)));
          else if (code == 0x80 && isFnuz)
            EXPECT_TRUE(std::isnan(number(word)));
          else
            EXPECT_EQ(number(word), float(format.decode(code)));
        }
      }
    }
  }
}

// Two vectors' numbers are codes in turn, divided by the scale.
TEST(AMDLane, ConvertsFP6) {
  std::string callee = "@llvm.amdgcn.cvt.scalef32.2xpk16.fp6.f32";
  std::string text =
      waveKernel(joined("a", 0, 16, "<16 x float>") + joined("b", 16, 16, "<16 x float>") +
                     "  %d = call <6 x i32> " + callee +
                     "(<16 x float> %a, <16 x float> %b, float 4.0)\n" + split(6, "<6 x i32>"),
                 32, 6, "declare <6 x i32> " + callee + "(<16 x float>, <16 x float>, float)\n");
  // The grid's eighths, what lies between them, and what is beyond the greatest.
  std::vector<float> values;
  for (int quarters = 0; quarters < 31; ++quarters)
    values.push_back((quarters % 2 ? -1 : 1) * float(quarters) / 8);
  values.push_back(-1000);
  std::vector<uint32_t> ofLane(32);
  for (unsigned i = 0; i < 32; ++i)
    ofLane[i % 2 * 16 + i / 2] = bits(values[i]);
  auto results = runLanes(text, Words(64, ofLane), 6, "gfx950");
  for (unsigned i = 0; i < 32; ++i) {
    uint32_t code = 0;
    for (unsigned bit = 0; bit < 6; ++bit)
      code |= (results[0][(6 * i + bit) / 32] >> (6 * i + bit) % 32 & 1) << bit;
    // Halves of a unit go to the even code; the number is code / 8 below 1, which is 4 here.
    uint32_t expected = i == 31 ? 31 : uint32_t(std::nearbyint(std::fabs(values[i]) * 2));
    EXPECT_EQ(code, expected | (std::signbit(values[i]) ? 32 : 0)) << values[i];
  }
}

TEST(AMDLane, Reciprocal) {
  std::string text = waveKernel(R"(
  %f0 = bitcast i32 %x0 to float
  %r = call float @llvm.amdgcn.rcp.f32(float %f0)
  %y0 = bitcast float %r to i32
)",
                                1, 1, "declare float @llvm.amdgcn.rcp.f32(float)\n");
  Words in;
  for (unsigned l = 0; l < 64; ++l)
    in.push_back({bits(float(l) * 0.75f)});
  auto results = runLanes(text, in, 1, "gfx950");
  for (unsigned l = 0; l < 64; ++l)
    EXPECT_EQ(number(results[l][0]), 1 / (float(l) * 0.75f));
}

//===----------------------------------------------------------------------===//
// Exchange between lanes
//===----------------------------------------------------------------------===//

TEST(AMDWave, Exchanges) {
  std::string text = waveKernel(R"(
  %lo = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  %y0 = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %lo)
  %far = xor i32 %tid, 37
  %address = shl i32 %far, 2
  %y1 = call i32 @llvm.amdgcn.ds.bpermute(i32 %address, i32 %x0)
  %y2 = call i32 @llvm.amdgcn.ds.swizzle(i32 %x0, i32 4127)
  %y3 = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %x0)
  %y4 = call i32 @llvm.amdgcn.readlane.i32(i32 %x0, i32 41)
  %y5 = call i32 @llvm.amdgcn.update.dpp.i32(i32 7, i32 %x0, i32 177, i32 15, i32 15, i1 false)
  %y6 = call i32 @llvm.amdgcn.update.dpp.i32(i32 7, i32 %x0, i32 273, i32 15, i32 15, i1 false)
  %y7 = call i32 @llvm.amdgcn.update.dpp.i32(i32 7, i32 %x0, i32 320, i32 15, i32 15, i1 false)
  %odd = trunc i32 %x0 to i1
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 %odd)
  %bh = lshr i64 %b, 32
  %y8 = trunc i64 %bh to i32
  %y9 = call i32 @llvm.amdgcn.perm(i32 %x0, i32 305419896, i32 201588740)
)",
                                1, 10, R"(
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
declare i32 @llvm.amdgcn.ds.swizzle(i32, i32)
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare i32 @llvm.amdgcn.readlane.i32(i32, i32)
declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32, i32, i32, i1)
declare i64 @llvm.amdgcn.ballot.i64(i1)
declare i32 @llvm.amdgcn.perm(i32, i32, i32)
)");
  auto results = runLanes(text, numbered(), 10, "gfx942");
  for (unsigned l = 0; l < 64; ++l) {
    // perm takes bytes 4 (of x), 0 .. of the constant 0x12345678, and a zero: 0x0C040004.
    uint32_t permuted = (100 + l) << 16 | 0x78 << 8 | (100 + l);
    EXPECT_EQ(results[l],
              (std::vector<uint32_t>{l, 100 + (l ^ 37), 100 + (l ^ 4), 100, 141, 100 + (l ^ 1),
                                     l % 16 ? 100 + l - 1 : 7, 100 + (l / 16 * 16 + 15 - l % 16),
                                     0xAAAAAAAA, permuted}))
        << l;
  }
}

TEST(AMDWave, Swaps) {
  std::string text = waveKernel(R"(
  %other = add i32 %x0, 1000
  %r = call { i32, i32 } @llvm.amdgcn.permlane32.swap(i32 %x0, i32 %other, i1 false, i1 false)
  %y0 = extractvalue { i32, i32 } %r, 0
  %y1 = extractvalue { i32, i32 } %r, 1
  %s = call { i32, i32 } @llvm.amdgcn.permlane16.swap(i32 %x0, i32 %other, i1 false, i1 false)
  %y2 = extractvalue { i32, i32 } %s, 0
  %y3 = extractvalue { i32, i32 } %s, 1
)",
                                1, 4,
                                "declare { i32, i32 } @llvm.amdgcn.permlane32.swap(i32, i32, i1, "
                                "i1)\ndeclare { i32, i32 } @llvm.amdgcn.permlane16.swap(i32, i32, "
                                "i1, i1)\n");
  auto results = runLanes(text, numbered(), 4, "gfx950");
  for (unsigned l = 0; l < 64; ++l) {
    bool upper = l >= 32, odd = l / 16 % 2;
    EXPECT_EQ(results[l], (std::vector<uint32_t>{
                              upper ? 1100 + l - 32 : 100 + l, upper ? 1100 + l : 100 + l + 32,
                              odd ? 1100 + l - 16 : 100 + l, odd ? 1100 + l : 100 + l + 16}));
  }
}

/// The lanes of a branch are by themselves; behind it all are together again.
TEST(AMDWave, BranchesJoin) {
  std::string text = waveKernel(R"(
  %low = icmp ult i32 %tid, 20
  br i1 %low, label %first, label %join
first:
  %u = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %x0)
  %v = add i32 %u, %tid
  br label %join
join:
  %w = phi i32 [ %v, %first ], [ %x0, %0 ]
  %sum = add i32 %w, 0
  %address = mul i32 %tid, 4
  %far = xor i32 %address, 128
  %y0 = call i32 @llvm.amdgcn.ds.bpermute(i32 %far, i32 %sum)
)",
                                1, 1,
                                "declare i32 @llvm.amdgcn.readfirstlane.i32(i32)\n"
                                "declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)\n");
  auto results = runLanes(text, numbered(), 1, "gfx942");
  for (unsigned l = 0; l < 64; ++l)
    EXPECT_EQ(results[l][0], 100 + (l ^ 32)) << l;
}

TEST(AMDFaults, ReadingALaneThatIsNotThere) {
  auto module = mustLoad(waveKernel(R"(
  %low = icmp ult i32 %tid, 20
  br i1 %low, label %first, label %join
first:
  %u = call i32 @llvm.amdgcn.ds.bpermute(i32 120, i32 %x0)
  br label %join
join:
  %y0 = phi i32 [ %u, %first ], [ 0, %0 ]
)",
                                    1, 1, "declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)\n"),
                         "gfx942");
  std::vector<uint32_t> data(64), result(64);
  expectFault(*module, "k", {1}, {64}, 0, {in(data, "in"), out(result, "out")},
              FaultKind::IllegalOperand, "lane 30");
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// 128 threads write shared memory and read what the other wave wrote.
static std::string exchangeKernel(const std::string &before, const std::string &after) {
  return "@s = internal addrspace(3) global [128 x i32] poison\n" +
         waveKernel("  %p = getelementptr i32, ptr addrspace(3) @s, i32 %tid\n"
                    "  store i32 %x0, ptr addrspace(3) %p\n" +
                        before + "  call void @llvm.amdgcn.s.barrier()\n" + after +
                        "  %o = xor i32 %tid, 64\n"
                        "  %q = getelementptr i32, ptr addrspace(3) @s, i32 %o\n"
                        "  %y0 = load i32, ptr addrspace(3) %q\n",
                    1, 1, "declare void @llvm.amdgcn.s.barrier()\n");
}

TEST(AMDBarriers, OrderWhatFencesRelease) {
  const std::string release = "  fence syncscope(\"workgroup\") release\n",
                    acquire = "  fence syncscope(\"workgroup\") acquire\n";
  auto results = runLanes(exchangeKernel(release, acquire), numbered(128), 1, "gfx942");
  for (unsigned l = 0; l < 128; ++l)
    EXPECT_EQ(results[l][0], 100 + (l ^ 64));
  for (auto [before, after] : {std::pair(std::string(), acquire), {release, std::string()}}) {
    auto module = mustLoad(exchangeKernel(before, after), "gfx942");
    std::vector<uint32_t> data(128), result(128);
    expectFault(*module, "k", {1}, {128}, 0, {in(data, "in"), out(result, "out")}, FaultKind::Race);
  }
}

TEST(AMDBarriers, DoNotWaitForLanesThatEnded) {
  auto module = mustLoad(waveKernel(R"(
  %low = icmp ult i32 %tid, 20
  br i1 %low, label %first, label %join
first:
  call void @llvm.amdgcn.s.barrier()
  br label %join
join:
  %y0 = add i32 %x0, 0
)",
                                    1, 1, "declare void @llvm.amdgcn.s.barrier()\n"),
                         "gfx942");
  std::vector<uint32_t> data(64), result(64);
  auto stats =
      module->launch("k", {1}, {64}, 0, {in(data, "in"), out(result, "out")}, LaunchOptions());
  // The others have ended: those that wait are all that are left, and go on.
  if (!stats)
    ADD_FAILURE() << llvm::toString(stats.takeError());
}

//===----------------------------------------------------------------------===//
// Buffers and loads to shared memory
//===----------------------------------------------------------------------===//

TEST(AMDBuffers, BeyondTheEndAreZeros) {
  std::string text = waveKernel(R"(
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 0, i64 128, i32 159744)
  %o = shl i32 %tid, 2
  %y0 = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %o, i32 0, i32 0)
  %y1 = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 %o, i32 64, i32 0)
)",
                                1, 2, R"(
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32)
)");
  auto results = runLanes(text, numbered(), 2, "gfx942");
  for (unsigned l = 0; l < 64; ++l)
    EXPECT_EQ(results[l], (std::vector<uint32_t>{l < 32 ? 100 + l : 0, l < 16 ? 100 + l + 16 : 0}));
}

TEST(AMDBuffers, StoresBeyondTheEndAreDropped) {
  auto module = mustLoad(R"(
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  %tid = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 0, i64 80, i32 159744)
  %o = shl i32 %tid, 2
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %tid, ptr addrspace(8) %r, i32 %o, i32 0, i32 0)
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32, ptr addrspace(8), i32, i32, i32)
)",
                         "gfx942");
  std::vector<uint32_t> result(20, 7);
  LaunchOptions options;
  options.requireOutputsWritten = true;
  mustLaunch(*module, "k", {1}, {64}, 0, {out(result, "out")}, options);
  for (unsigned i = 0; i < 20; ++i)
    EXPECT_EQ(result[i], i);
}

/// 64 lanes bring 16 bytes each to shared memory, and read another lane's.
static std::string sharedLoadKernel(const std::string &wait) {
  return "@s = internal addrspace(3) global [256 x i32] poison, align 16\n" +
         waveKernel("  %o = shl i32 %tid, 4\n"
                    "  %g = getelementptr i8, ptr addrspace(1) %in, i32 %o\n"
                    "  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %g, "
                    "ptr addrspace(3) @s, i32 16, i32 0, i32 0)\n" +
                        wait +
                        "  fence syncscope(\"workgroup\") release\n"
                        "  call void @llvm.amdgcn.s.barrier()\n"
                        "  fence syncscope(\"workgroup\") acquire\n"
                        "  %other = xor i32 %tid, 5\n"
                        "  %at = mul i32 %other, 16\n"
                        "  %q = getelementptr i8, ptr addrspace(3) @s, i32 %at\n"
                        "  %y0 = load i32, ptr addrspace(3) %q\n",
                    4, 1,
                    "declare void @llvm.amdgcn.global.load.lds(ptr addrspace(1), ptr "
                    "addrspace(3), i32, i32, i32)\n"
                    "declare void @llvm.amdgcn.s.waitcnt(i32)\n"
                    "declare void @llvm.amdgcn.s.barrier()\n");
}

TEST(AMDSharedLoads, LandAtTheWait) {
  Words data;
  for (unsigned i = 0; i < 64; ++i)
    data.push_back({i, i + 1000, i + 2000, i + 3000});
  auto results = runLanes(sharedLoadKernel("  call void @llvm.amdgcn.s.waitcnt(i32 3952)\n"), data,
                          1, "gfx950");
  for (unsigned l = 0; l < 64; ++l)
    EXPECT_EQ(results[l][0], l ^ 5);
  // Without it, or with other counters at 0, the bytes are still on their way.
  for (const char *wait : {"", "  call void @llvm.amdgcn.s.waitcnt(i32 49279)\n"}) {
    auto module = mustLoad(sharedLoadKernel(wait), "gfx950");
    std::vector<uint32_t> flat(256), result(64);
    expectFault(*module, "k", {1}, {64}, 0, {in(flat, "in"), out(result, "out")},
                FaultKind::AsyncNotWaited);
  }
}
