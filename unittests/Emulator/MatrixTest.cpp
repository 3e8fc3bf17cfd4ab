//===- MatrixTest.cpp - Matrix instructions against plain products ---------===//

#include "Harness.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <functional>

using namespace ufp4::emulator;
using namespace ufp4::emulator::testing;

namespace {
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

const Decode e2m1 = smallFloat(2, 1, 1), e2m3 = smallFloat(2, 3, 1), e3m2 = smallFloat(3, 2, 3),
             e4m3 = smallFloat(4, 3, 7), e5m2 = smallFloat(5, 2, 15), f16 = smallFloat(5, 10, 15);
double bf16(uint32_t code) { return fromBF16(uint16_t(code)); }
double uniform(uint32_t code) { return (code & 8 ? -1.0 : 1.0) * int(code & 7); }
double signed8(uint32_t code) { return int8_t(code); }
double signed4(uint32_t code) { return int(code & 7) - int(code & 8); }

/// One warp's operands: codes of A [16][k] and B [k][8], C, and scales per row and group.
struct Problem {
  unsigned k, width;
  Decode decodeA, decodeB;
  unsigned groups = 0, byteA = 0, threadA = 0, byteB = 0, threadB = 0;
  Decode decodeScale;
  std::vector<uint32_t> a, b, scaleA, scaleB;
  std::vector<double> c;

  template <typename Code> void fill(unsigned seed, Code code) {
    std::mt19937 random(seed);
    for (unsigned i = 0; i < 16 * k; ++i)
      a.push_back(code(random));
    for (unsigned i = 0; i < 8 * k; ++i)
      b.push_back(code(random));
    for (unsigned i = 0; i < 128; ++i)
      c.push_back(int(random() % 2001) - 1000);
  }
  double expected(unsigned m, unsigned n) const {
    double sum = c[8 * m + n];
    for (unsigned i = 0; i < k; ++i) {
      double term = decodeA(a[m * k + i]) * decodeB(b[i * 8 + n]);
      if (groups) {
        unsigned group = i / (k / groups);
        term *= decodeScale(scaleA[m * groups + group]) * decodeScale(scaleB[n * groups + group]);
      }
      sum += term;
    }
    return sum;
  }
};

/// Registers of all lanes by the table of places, C as f32 or s32 bits.
std::vector<std::vector<uint32_t>> place(const Problem &p, bool isInteger) {
  unsigned e = 32 / p.width, aRegisters = p.k == 8 * e ? 4 : 2, bRegisters = aRegisters / 2;
  std::vector<std::vector<uint32_t>> lanes(32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned g = lane / 4, t = lane % 4;
    auto &words = lanes[lane];
    for (unsigned r = 0; r < aRegisters; ++r) {
      uint32_t word = 0;
      for (unsigned i = 0; i < e; ++i)
        word |= p.a[(g + 8 * (r & 1)) * p.k + t * e + i + (r >> 1) * p.k / 2] << i * p.width;
      words.push_back(word);
    }
    for (unsigned r = 0; r < bRegisters; ++r) {
      uint32_t word = 0;
      for (unsigned i = 0; i < e; ++i)
        word |= p.b[(t * e + i + r * p.k / 2) * 8 + g] << i * p.width;
      words.push_back(word);
    }
    for (unsigned r = 0; r < 4; ++r) {
      double c = p.c[(g + 8 * (r >> 1)) * 8 + 2 * t + (r & 1)];
      words.push_back(isInteger ? uint32_t(int32_t(c)) : bits(float(c)));
    }
    if (p.groups) {
      // Every byte that the selectors do not name is a trap.
      uint32_t a = 0x7F7F7F7F, b = 0x7F7F7F7F;
      auto set = [](uint32_t &word, unsigned byte, uint32_t value) {
        word = (word & ~(0xFFu << 8 * byte)) | value << 8 * byte;
      };
      for (unsigned group = 0; group < p.groups; ++group) {
        if (t / 2 == p.threadA)
          set(a, p.byteA + group, p.scaleA[(g + 8 * (t % 2)) * p.groups + group]);
        if (t == p.threadB)
          set(b, p.byteB + group, p.scaleB[g * p.groups + group]);
      }
      words.push_back(a);
      words.push_back(b);
    }
  }
  return lanes;
}

std::string join(const std::vector<std::string> &parts) { return llvm::join(parts, ", "); }

/// A laneKernel around one matrix intrinsic.
std::string mmaKernel(const Problem &p, const std::string &name, const std::string &operandType,
                      const std::string &accumulator, const std::string &mark = "") {
  unsigned e = 32 / p.width, aRegisters = p.k == 8 * e ? 4 : 2, operands = aRegisters * 3 / 2;
  std::string body, declaration = "declare { " + join(std::vector<std::string>(4, accumulator)) +
                                  " } @llvm.nvvm." + name + "(";
  std::vector<std::string> arguments, types;
  auto add = [&](unsigned word, const std::string &type) {
    std::string n = std::to_string(word);
    if (type != "i32")
      body += "  %o" + n + " = bitcast i32 %x" + n + " to " + type + "\n";
    arguments.push_back(type + (type == "i32" ? " %x" : " %o") + n);
    types.push_back(type);
  };
  for (unsigned i = 0; i < operands; ++i)
    add(i, operandType);
  for (unsigned i = 0; i < 4; ++i)
    add(operands + i, accumulator);
  if (p.groups) {
    add(operands + 4, "i32");
    for (unsigned value : {p.byteA, p.threadA})
      arguments.push_back("i16 " + std::to_string(value));
    add(operands + 5, "i32");
    for (unsigned value : {p.byteB, p.threadB})
      arguments.push_back("i16 " + std::to_string(value));
    types.insert(types.begin() + operands + 5, 2, "i16");
    types.insert(types.end(), 2, "i16");
  }
  std::string structure = "{ " + join(std::vector<std::string>(4, accumulator)) + " }";
  body += "  %d = call " + structure + " @llvm.nvvm." + name + "(" + join(arguments) + ")" + mark +
          "\n";
  for (unsigned i = 0; i < 4; ++i) {
    std::string n = std::to_string(i);
    body += "  %d" + n + " = extractvalue " + structure + " %d, " + n + "\n  %y" + n +
            " = bitcast " + accumulator + " %d" + n + " to i32\n";
  }
  declaration += join(types) + ")\n";
  if (!mark.empty())
    declaration += "!0 = !{!\"A\"}\n!1 = !{!\"B\"}\n!2 = !{!\"A\", !\"B\"}\n";
  return laneKernel(body, operands + 4 + (p.groups ? 2 : 0), 4, declaration);
}

void check(const Problem &p, const std::string &text, const std::string &chip,
           bool isInteger = false) {
  auto results = runLanes(text, place(p, isInteger), 4, chip);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned r = 0; r < 4; ++r) {
      unsigned m = lane / 4 + 8 * (r >> 1), n = 2 * (lane % 4) + (r & 1);
      double expected = p.expected(m, n);
      if (isInteger)
        ASSERT_EQ(int32_t(results[lane][r]), int32_t(expected)) << m << " " << n;
      else
        ASSERT_EQ(number(results[lane][r]), float(expected)) << m << " " << n;
    }
}

/// Codes of numbers that are whole and small, so that sums are exact in any order.
uint32_t smallBF16(std::mt19937 &random) { return exactBF16(float(int(random() % 17) - 8)); }
} // namespace

TEST(Mma, BF16) {
  for (unsigned k : {16u, 8u}) {
    Problem p{k, 16, bf16, bf16};
    p.fill(k, smallBF16);
    check(p, mmaKernel(p, "mma.m16n8k" + std::to_string(k) + ".row.col.bf16", "i32", "float"),
          "sm_80");
  }
}

TEST(Mma, KeepsSubnormals) {
  Problem p{16, 16, bf16, bf16};
  p.a.assign(256, 1); // 2^-133
  p.b.assign(128, exactBF16(std::ldexp(1.0f, 100)));
  p.c.assign(128, 0);
  check(p, mmaKernel(p, "mma.m16n8k16.row.col.bf16", "i32", "float"), "sm_80");
}

TEST(Mma, F16) {
  for (unsigned k : {16u, 8u}) {
    Problem p{k, 16, f16, f16};
    p.fill(k, [](std::mt19937 &random) { return random() & 0x83FF; }); // subnormals
    p.c.assign(128, 0);
    check(
        p,
        mmaKernel(p, "mma.m16n8k" + std::to_string(k) + ".row.col.f32.f32", "<2 x half>", "float"),
        "sm_80");
  }
}

TEST(Mma, TF32) {
  // Bits below TF32's do not count.
  Problem p{8, 32, [](uint32_t code) { return double(number(code & 0xFFFFE000)); },
            [](uint32_t code) { return double(number(code & 0xFFFFE000)); }};
  p.fill(3, [](std::mt19937 &random) {
    return bits(float(int(random() % 17) - 8)) | uint32_t(random() & 0x1FFF);
  });
  check(p, mmaKernel(p, "mma.m16n8k8.row.col.tf32", "i32", "float"), "sm_80");
}

/// As mmaKernel(), by inline assembly.
static std::string mmaAsmKernel(const Problem &p, const std::string &name, bool isInteger) {
  unsigned e = 32 / p.width, aRegisters = p.k == 8 * e ? 4 : 2, operands = aRegisters * 3 / 2;
  std::string accumulator = isInteger ? "i32" : "float", letter = isInteger ? "r" : "f";
  std::string structure = "{ " + join(std::vector<std::string>(4, accumulator)) + " }";
  std::string body, constraints, arguments;
  auto group = [](unsigned first, unsigned count) {
    std::vector<std::string> names;
    for (unsigned i = 0; i < count; ++i)
      names.push_back("$" + std::to_string(first + i));
    return "{" + join(names) + "}";
  };
  for (unsigned i = 0; i < 4; ++i)
    constraints += "=" + letter + ",";
  for (unsigned i = 0; i < operands; ++i) {
    constraints += "r,";
    arguments += "i32 %x" + std::to_string(i) + ", ";
  }
  for (unsigned i = 0; i < 4; ++i) {
    std::string n = std::to_string(operands + i);
    body += "  %c" + n + " = bitcast i32 %x" + n + " to " + accumulator + "\n";
    constraints += std::to_string(i) + (i == 3 ? "" : ",");
    arguments += accumulator + " %c" + n + (i == 3 ? "" : ", ");
  }
  std::string text = name + " " + group(0, 4) + ", " + group(4, aRegisters) + ", " +
                     group(4 + aRegisters, aRegisters / 2) + ", " + group(4 + operands, 4);
  if (p.groups) {
    auto selector = [](unsigned byte, unsigned thread) {
      return "{" + std::to_string(byte) + ", " + std::to_string(thread) + "}";
    };
    text += ", {$" + std::to_string(8 + operands) + "}, " + selector(p.byteA, p.threadA) + ", {$" +
            std::to_string(9 + operands) + "}, " + selector(p.byteB, p.threadB);
    constraints += ",r,r";
    arguments +=
        ", i32 %x" + std::to_string(operands + 4) + ", i32 %x" + std::to_string(operands + 5);
  }
  body += "  %d = call " + structure + " asm \"" + text + ";\", \"" + constraints + "\"(" +
          arguments + ")\n";
  for (unsigned i = 0; i < 4; ++i) {
    std::string n = std::to_string(i);
    body += "  %d" + n + " = extractvalue " + structure + " %d, " + n + "\n  %y" + n +
            " = bitcast " + accumulator + " %d" + n + " to i32\n";
  }
  return laneKernel(body, operands + 4 + (p.groups ? 2 : 0), 4);
}

TEST(Mma, ByAssembly) {
  Problem half{16, 16, bf16, bf16};
  half.fill(1, smallBF16);
  check(half, mmaAsmKernel(half, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", false),
        "sm_80");
  Problem eight{32, 8, signed8, signed8};
  eight.fill(2, [](std::mt19937 &random) { return random() & 0xFF; });
  check(eight,
        mmaAsmKernel(eight, "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32", true),
        "sm_80", true);
  Problem fp8{32, 8, e4m3, e5m2};
  fp8.fill(3, [](std::mt19937 &random) { return (random() & 0x87) | 0x38; });
  check(fp8, mmaAsmKernel(fp8, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", false),
        "sm_89");
  Problem scaled{64, 4, e2m1, e2m1, 4, 0, 1, 0, 2, e4m3};
  scaled.fill(4, [](std::mt19937 &random) { return random() & 15; });
  for (unsigned i = 0; i < 64; ++i)
    scaled.scaleA.push_back(0x30 + i % 17);
  for (unsigned i = 0; i < 32; ++i)
    scaled.scaleB.push_back(0x34 + i % 13);
  check(scaled,
        mmaAsmKernel(scaled,
                     "mma.sync.aligned.kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col."
                     "f32.e2m1.e2m1.f32.ue4m3",
                     false),
        "sm_120a");
  Problem boxed{32,
                8,
                [](uint32_t c) { return e3m2(c & 63); },
                e4m3,
                1,
                3,
                0,
                1,
                2,
                [](uint32_t code) { return std::pow(2.0, int(code) - 127); }};
  boxed.fill(5, [](std::mt19937 &random) { return random() & 0xBF; });
  for (unsigned i = 0; i < 16; ++i)
    boxed.scaleA.push_back(120 + i);
  for (unsigned i = 0; i < 8; ++i)
    boxed.scaleB.push_back(122 + i);
  check(boxed,
        mmaAsmKernel(boxed,
                     "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X."
                     "f32.e3m2.e4m3.f32.ue8m0",
                     false),
        "sm_120a");
}

TEST(Mma, IntegersSaturateOrWrap) {
  Problem p{32, 8, signed8, signed8};
  p.a.assign(512, 127);
  p.b.assign(256, 127);
  p.c.assign(128, 2147483000.0);
  auto run = [&](const char *name) {
    return int32_t(runLanes(mmaKernel(p, name, "i32", "i32"), place(p, true), 4)[3][1]);
  };
  EXPECT_EQ(run("mma.m16n8k32.row.col.satfinite.s8"), std::numeric_limits<int32_t>::max());
  EXPECT_EQ(run("mma.m16n8k32.row.col.s8"), int32_t(uint32_t(2147483000u + 32u * 127 * 127)));
}

TEST(Mma, Integers) {
  auto any = [](std::mt19937 &random) { return random() & 0xFF; };
  auto four = [](std::mt19937 &random) { return random() & 15; };
  for (unsigned k : {32u, 16u}) {
    Problem p{k, 8, signed8, signed8};
    p.fill(k, any);
    check(p, mmaKernel(p, "mma.m16n8k" + std::to_string(k) + ".row.col.s8", "i32", "i32"), "sm_80",
          true);
  }
  for (unsigned k : {64u, 32u}) {
    Problem p{k, 4, signed4, signed4};
    p.fill(k, four);
    check(p, mmaKernel(p, "mma.m16n8k" + std::to_string(k) + ".row.col.s4", "i32", "i32"), "sm_80",
          true);
  }
}

TEST(Mma, FP8) {
  // Up to 2, so that every sum is exact.
  auto code = [](std::mt19937 &random) { return random() & 0xBF; };
  Problem p{32, 8, e4m3, e4m3};
  p.fill(1, code);
  check(p, mmaKernel(p, "mma.m16n8k32.row.col.f32.e4m3.e4m3.f32", "i32", "float"), "sm_89");
  Problem q{32, 8, e5m2, e4m3};
  q.fill(2, code);
  for (uint32_t &one : q.a)
    one = (one & 0x87) | 0x38;
  check(q, mmaKernel(q, "mma.m16n8k32.row.col.f32.e5m2.e4m3.f32", "i32", "float"), "sm_89");
}

TEST(Mma, ScaledFourBit) {
  auto code = [](std::mt19937 &random) { return random() & 15; };
  for (unsigned threadA : {0u, 1u})
    for (unsigned threadB : {0u, 1u, 2u, 3u}) {
      Problem p{64, 4, e2m1, e2m1, 4, 0, threadA, 0, threadB, e4m3};
      p.fill(threadA * 4 + threadB, code);
      // Distinct scales in all places: whole multiples of 2^-9 … 1.
      for (unsigned i = 0; i < 64; ++i)
        p.scaleA.push_back(0x08 + i % 56);
      for (unsigned i = 0; i < 32; ++i)
        p.scaleB.push_back(0x38 + (i * 7) % 32);
      check(p,
            mmaKernel(p,
                      "mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3",
                      "i32", "float"),
            "sm_120a");
    }
  for (unsigned byte : {0u, 2u}) {
    Problem p{
        64,   4, e2m1,     e2m1, 2,
        byte, 1, 2 - byte, 3,    [](uint32_t code) { return std::pow(2.0, int(code) - 127); }};
    p.fill(byte, code);
    for (unsigned i = 0; i < 32; ++i)
      p.scaleA.push_back(120 + i % 13);
    for (unsigned i = 0; i < 16; ++i)
      p.scaleB.push_back(122 + i % 9);
    check(p,
          mmaKernel(p, "mma.block.scale.m16n8k64.row.col.mxf4.scale.2x.f32.e2m1.e2m1.f32.ue8m0",
                    "i32", "float"),
          "sm_120a");
  }
}

TEST(Mma, ScaledContainers) {
  struct Case {
    const char *a, *b;
    Decode decodeA, decodeB;
    uint32_t maskA, maskB;
  };
  auto inFour = [](uint32_t code) { return e2m1(code >> 2 & 15); };
  // Bits of a container outside the element are noise.
  const Case cases[] = {
      {"e2m3", "e2m3", [](uint32_t c) { return e2m3(c & 63); },
       [](uint32_t c) { return e2m3(c & 63); }, 0xFF, 0xFF},
      {"e2m1", "e3m2", inFour, [](uint32_t c) { return e3m2(c & 63); }, 0xFF, 0xFF},
      {"e4m3", "e2m1", e4m3, inFour, 0xBF, 0xFF}};
  for (const Case &one : cases)
    for (unsigned byte = 0; byte < 4; ++byte) {
      Problem p{32,          8,
                one.decodeA, one.decodeB,
                1,           byte,
                byte % 2,    3 - byte,
                byte,        [](uint32_t code) { return std::pow(2.0, int(code) - 127); }};
      std::mt19937 random(byte);
      for (unsigned i = 0; i < 512; ++i)
        p.a.push_back(random() & one.maskA);
      for (unsigned i = 0; i < 256; ++i)
        p.b.push_back(random() & one.maskB);
      p.c.assign(128, 3);
      for (unsigned i = 0; i < 16; ++i)
        p.scaleA.push_back(118 + i);
      for (unsigned i = 0; i < 8; ++i)
        p.scaleB.push_back(121 + i);
      check(p,
            mmaKernel(p,
                      std::string("mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.") +
                          one.a + "." + one.b + ".f32.ue8m0",
                      "i32", "float"),
            "sm_120a");
    }
}

TEST(Mma, UniformCodesByMark) {
  const char *name = "mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3";
  auto code = [](std::mt19937 &random) { return random() & 15; };
  for (unsigned mark : {0u, 1u, 2u}) {
    Problem p{
        64, 4,   mark != 1 ? Decode(uniform) : e2m1, mark != 0 ? Decode(uniform) : e2m1, 4, 0, 0, 0,
        0,  e4m3};
    p.fill(mark, code);
    for (unsigned i = 0; i < 64; ++i)
      p.scaleA.push_back(0x30 + i % 16);
    for (unsigned i = 0; i < 32; ++i)
      p.scaleB.push_back(0x34 + i % 9);
    check(p, mmaKernel(p, name, "i32", "float", ", !ufp4.e0m3 !" + std::to_string(mark)),
          "sm_120a");
  }
  // The canary: 7 times 1 over k = 64 is 448, and 6 times 0.5 where the bits mean E2M1.
  Problem p{64, 4, uniform, uniform, 4, 0, 0, 0, 0, e4m3};
  p.a.assign(1024, 7);
  p.b.assign(512, 1);
  p.c.assign(128, 0);
  p.scaleA.assign(64, 0x38);
  p.scaleB.assign(32, 0x38);
  EXPECT_EQ(number(runLanes(mmaKernel(p, name, "i32", "float", ", !ufp4.e0m3 !2"), place(p, false),
                            4, "sm_120a")[5][2]),
            448);
  EXPECT_EQ(
      number(runLanes(mmaKernel(p, name, "i32", "float"), place(p, false), 4, "sm_120a")[5][2]),
      192);
}

TEST(Mma, WrongSelectorGivesAnotherNumber) {
  const char *name = "mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3";
  Problem p{64, 4, e2m1, e2m1, 4, 0, 0, 0, 0, e4m3};
  p.fill(1, [](std::mt19937 &) { return 2u; });
  p.scaleA.assign(64, 0x38);
  p.scaleB.assign(32, 0x38);
  auto lanes = place(p, false);
  p.threadA = 1;
  // The other rows' words hold NaN.
  EXPECT_TRUE(
      std::isnan(number(runLanes(mmaKernel(p, name, "i32", "float"), lanes, 4, "sm_120a")[0][0])));
  p.threadA = 0;
  p.byteB = 1;
  auto module = mustLoad(mmaKernel(p, name, "i32", "float"), "sm_120a");
  std::vector<uint32_t> words, result(128);
  for (auto &lane : lanes)
    words.insert(words.end(), lane.begin(), lane.end());
  expectFault(*module, "k", {1}, {32}, 0, {in(words, "in"), out(result, "out")},
              FaultKind::IllegalOperand, "byte-id 1");
}

TEST(Mma, NaNScales) {
  const char *name = "mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3";
  Problem p{64, 4, e2m1, e2m1, 4, 0, 0, 0, 0, e4m3};
  p.fill(1, [](std::mt19937 &) { return 2u; });
  p.scaleA.assign(64, 0xB8); // bit 7 does not count: 1
  p.scaleB.assign(32, 0x38);
  p.scaleA[4 * 3 + 1] = 0x7F;
  auto results = runLanes(mmaKernel(p, name, "i32", "float"), place(p, false), 4, "sm_120a");
  EXPECT_TRUE(std::isnan(number(results[4 * 3][0])));
  EXPECT_EQ(number(results[4 * 2][0]), float(p.c[8 * 2] + 64));
}

TEST(Mma, RefusesWhatTheChipHasNot) {
  Problem p{32, 8, e4m3, e4m3};
  auto module =
      load(mmaKernel(p, "mma.m16n8k32.row.col.f32.e4m3.e4m3.f32", "i32", "float"), "sm_80");
  ASSERT_FALSE(bool(module));
  auto fault = takeFault(module.takeError());
  EXPECT_EQ(fault->kind, FaultKind::Unsupported);
  EXPECT_NE(fault->text.find("sm_89"), std::string::npos) << fault->text;
}

//===----------------------------------------------------------------------===//
// Matrix loads and stores
//===----------------------------------------------------------------------===//

/// Copies 512 bytes of %in to shared memory, loads matrices at 16 * lane, and gives four words.
static std::string matrixLoadKernel(const std::string &name, unsigned count) {
  std::string type =
      count == 1 ? "i32" : "{ " + join(std::vector<std::string>(count, "i32")) + " }";
  std::string text = R"(
@buffer = internal addrspace(3) global [512 x i8] undef, align 16
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %offset = mul i32 %tid, 16
  %p = getelementptr i8, ptr addrspace(1) %in, i32 %offset
  %v = load <4 x i32>, ptr addrspace(1) %p, align 16
  %s = getelementptr i8, ptr addrspace(3) @buffer, i32 %offset
  store <4 x i32> %v, ptr addrspace(3) %s, align 16
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %d = call )" + type +
                     " @llvm.nvvm." + name + "(ptr addrspace(3) %s)\n";
  for (unsigned i = 0; i < count; ++i) {
    std::string n = std::to_string(i);
    text += count == 1 ? "  %d0 = add i32 %d, 0\n"
                       : "  %d" + n + " = extractvalue " + type + " %d, " + n + "\n";
    text += "  %i" + n + " = add i32 %offset, " + std::to_string(4 * i) + "\n  %q" + n +
            " = getelementptr i8, ptr addrspace(1) %out, i32 %i" + n + "\n  store i32 %d" + n +
            ", ptr addrspace(1) %q" + n + "\n";
  }
  return text +
         "  ret void\n}\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare void "
         "@llvm.nvvm.bar.warp.sync(i32)\ndeclare " +
         type + " @llvm.nvvm." + name + "(ptr addrspace(3))\n";
}

TEST(MatrixLoad, SixteenBit) {
  std::vector<uint16_t> data(256);
  for (unsigned i = 0; i < 256; ++i)
    data[i] = uint16_t(0x1000 + i);
  for (unsigned count : {1u, 2u, 4u})
    for (bool transposed : {false, true}) {
      auto module =
          mustLoad(matrixLoadKernel("ldmatrix.sync.aligned.m8n8.x" + std::to_string(count) +
                                        (transposed ? ".trans" : "") + ".b16.p3",
                                    count));
      std::vector<uint32_t> result(128);
      LaunchStats stats =
          mustLaunch(*module, "k", {1}, {32}, 0, {in(data, "in"), out(result, "out")});
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned j = 0; j < count; ++j) {
          unsigned g = lane / 4, t = lane % 4;
          // Matrix j has its rows at 64 j + 8 row.
          uint32_t low = transposed ? data[64 * j + 8 * (2 * t) + g] : data[64 * j + 8 * g + 2 * t];
          uint32_t high =
              transposed ? data[64 * j + 8 * (2 * t + 1) + g] : data[64 * j + 8 * g + 2 * t + 1];
          EXPECT_EQ(result[4 * lane + j], low | high << 16);
        }
      EXPECT_EQ(stats.sharedWavefronts, 4u + count);
      EXPECT_EQ(stats.idealSharedWavefronts, 4u + count);
    }
}

TEST(MatrixLoad, UnpacksFourAndSixBits) {
  std::vector<uint8_t> data(512);
  std::mt19937 random(1);
  for (uint8_t &byte : data)
    byte = uint8_t(random());
  for (unsigned width : {4u, 6u}) {
    auto module =
        mustLoad(matrixLoadKernel(width == 4 ? "ldmatrix.sync.aligned.m8n16.x4.b8x16.b4x16_p64.p3"
                                             : "ldmatrix.sync.aligned.m8n16.x4.b8x16.b6x16_p32.p3",
                                  4),
                 "sm_120a");
    std::vector<uint32_t> result(128);
    mustLaunch(*module, "k", {1}, {32}, 0, {in(data, "in"), out(result, "out")});
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned j = 0; j < 4; ++j)
        for (unsigned i = 0; i < 4; ++i) {
          unsigned row = 8 * j + lane / 4, column = 4 * (lane % 4) + i, code = 0;
          for (unsigned bit = 0; bit < width; ++bit) {
            unsigned place = column * width + bit;
            code |= (data[16 * row + place / 8] >> place % 8 & 1u) << bit;
          }
          EXPECT_EQ(result[4 * lane + j] >> 8 * i & 0xFF, code);
        }
  }
}

TEST(MatrixStore, GoesBackWhereALoadTakesIt) {
  for (bool transposed : {false, true}) {
    std::string trans = transposed ? ".trans" : "";
    std::string text = R"(
@buffer = internal addrspace(3) global [512 x i8] undef, align 16
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %offset = mul i32 %tid, 16
  %s = getelementptr i8, ptr addrspace(3) @buffer, i32 %offset
  %b = add i32 %tid, 1000
  %c = add i32 %tid, 2000
  %d = add i32 %tid, 3000
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4)" +
                       trans + R"(.b16.p3(ptr addrspace(3) %s, i32 %tid, i32 %b, i32 %c, i32 %d)
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %r = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4)" +
                       trans + R"(.b16.p3(ptr addrspace(3) %s)
  %q = getelementptr i8, ptr addrspace(1) %out, i32 %offset
  store { i32, i32, i32, i32 } %r, ptr addrspace(1) %q, align 16
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4)" +
                       trans + R"(.b16.p3(ptr addrspace(3), i32, i32, i32, i32)
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4)" +
                       trans + R"(.b16.p3(ptr addrspace(3))
)";
    auto module = mustLoad(text, "sm_90");
    std::vector<uint32_t> result(128);
    mustLaunch(*module, "k", {1}, {32}, 0, {out(result, "out")});
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned j = 0; j < 4; ++j)
        EXPECT_EQ(result[4 * lane + j], lane + 1000 * j);
  }
}
