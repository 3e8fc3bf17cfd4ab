//===- LaneTest.cpp - Arithmetic of one thread -----------------------------===//

#include "Harness.h"

#include <cmath>
#include <functional>
#include <limits>

using namespace ufp4::emulator;
using namespace ufp4::emulator::testing;

namespace {
constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNaN = std::numeric_limits<float>::quiet_NaN();

/// All magnitudes of a format by code, infinities left out.
std::vector<double> magnitudes(int exponentBits, int mantissaBits, int bias, unsigned count) {
  std::vector<double> result;
  for (unsigned code = 0; code < count; ++code) {
    int mantissa = code & ((1 << mantissaBits) - 1), exponent = code >> mantissaBits;
    result.push_back(
        exponent ? std::ldexp((1 << mantissaBits) + mantissa, exponent - bias - mantissaBits)
                 : std::ldexp(mantissa, 1 - bias - mantissaBits));
  }
  return result;
}

/// The code of the nearest magnitude, of the even one of two; the largest beyond the range.
unsigned nearest(const std::vector<double> &table, double value) {
  unsigned best = 0;
  value = std::min(value, table.back());
  for (unsigned code = 1; code < table.size(); ++code) {
    double now = std::fabs(table[code] - value), before = std::fabs(table[best] - value);
    if (now < before || (now == before && code % 2 == 0))
      best = code;
  }
  return best;
}

std::string unary(const std::string &intrinsic) {
  return laneKernel("  %f = bitcast i32 %x0 to float\n  %r = call float @llvm.nvvm." + intrinsic +
                        "(float %f)\n  %y0 = bitcast float %r to i32\n",
                    1, 1, "declare float @llvm.nvvm." + intrinsic + "(float)\n");
}

uint32_t one(const std::string &text, std::vector<uint32_t> in, const char *chip = "sm_80") {
  return runLanes(text, {in}, 1, chip)[0][0];
}

std::vector<float> interesting(const std::vector<double> &table) {
  std::vector<float> values = {0.0f, -0.0f, 1e-30f, 1e30f, -1e30f, kInfinity, -kInfinity};
  std::mt19937 random(3);
  for (size_t i = 0; i + 1 < table.size(); ++i) {
    float tie = float((table[i] + table[i + 1]) / 2);
    for (float value : {float(table[i]), tie, std::nextafter(tie, 0.0f), std::nextafter(tie, 1e9f)})
      values.push_back(random() % 2 ? value : -value);
  }
  while (values.size() % 2)
    values.push_back(1);
  return values;
}
} // namespace

TEST(Lane, CastsToPairs) {
  struct Case {
    const char *name;
    int exponentBits, mantissaBits, bias;
    unsigned count, signBit, stride;
    const char *chip;
  };
  // E4M3's last code is NaN, E5M2's last four are infinity and NaN.
  const Case cases[] = {{"e2m1x2.rn.satfinite", 2, 1, 1, 8, 3, 4, "sm_120a"},
                        {"e2m3x2.rn.satfinite", 2, 3, 1, 32, 5, 8, "sm_120a"},
                        {"e3m2x2.rn.satfinite", 3, 2, 3, 32, 5, 8, "sm_120a"},
                        {"e4m3x2.rn", 4, 3, 7, 127, 7, 8, "sm_89"},
                        {"e5m2x2.rn", 5, 2, 15, 124, 7, 8, "sm_89"}};
  for (const Case &c : cases) {
    std::string name = std::string("llvm.nvvm.ff.to.") + c.name;
    std::string text =
        laneKernel("  %a = bitcast i32 %x0 to float\n  %b = bitcast i32 %x1 to float\n"
                   "  %r = call i16 @" +
                       name +
                       "(float %a, float %b)\n"
                       "  %y0 = zext i16 %r to i32\n",
                   2, 1, "declare i16 @" + name + "(float, float)\n");
    auto table = magnitudes(c.exponentBits, c.mantissaBits, c.bias, c.count);
    auto values = interesting(table);
    std::vector<std::vector<uint32_t>> in;
    for (size_t i = 0; i < values.size(); i += 2)
      in.push_back({bits(values[i]), bits(values[i + 1])});
    auto results = runLanes(text, in, 1, c.chip);
    auto code = [&](float value) {
      return nearest(table, std::fabs(value)) | unsigned(std::signbit(value)) << c.signBit;
    };
    for (size_t i = 0; i < in.size(); ++i)
      EXPECT_EQ(results[i][0], code(values[2 * i]) << c.stride | code(values[2 * i + 1]))
          << c.name << " " << values[2 * i] << " " << values[2 * i + 1];
    // NaN: a NaN where there is one, else the largest number.
    EXPECT_EQ(runLanes(text, {{bits(kNaN), bits(1.0f)}}, 1, c.chip)[0][0] >> c.stride,
              c.signBit == 7 ? 0x7Fu : c.count - 1);
  }
}

TEST(Lane, CastsToScales) {
  for (bool up : {false, true}) {
    std::string name = std::string("llvm.nvvm.ff.to.ue8m0x2.") + (up ? "rp" : "rz") + ".satfinite";
    std::string text =
        laneKernel("  %a = bitcast i32 %x0 to float\n  %b = bitcast i32 %x1 to float\n"
                   "  %r = call i16 @" +
                       name +
                       "(float %a, float %b)\n"
                       "  %y0 = zext i16 %r to i32\n",
                   2, 1, "declare i16 @" + name + "(float, float)\n");
    auto cast = [&](float a, float b) { return one(text, {bits(a), bits(b)}, "sm_120a"); };
    EXPECT_EQ(cast(1.0f, 1.5f), (127u << 8 | (up ? 128u : 127u)));
    EXPECT_EQ(cast(0.0f, kNaN), 0x00FFu);
    EXPECT_EQ(cast(kInfinity, std::ldexp(1.75f, 127)), 0xFEFEu);
    EXPECT_EQ(cast(std::ldexp(1.0f, -127), std::ldexp(1.25f, -127)), up ? 1u : 0u);
  }
}

TEST(Lane, CastsFromPairs) {
  std::string name = "llvm.nvvm.e4m3x2.to.f16x2.rn";
  std::string text = laneKernel("  %t = trunc i32 %x0 to i16\n  %r = call <2 x half> @" + name +
                                    "(i16 %t)\n  %y0 = bitcast <2 x half> %r to i32\n",
                                1, 1, "declare <2 x half> @" + name + "(i16)\n");
  // 1.5 low, subnormal 3 * 2^-9 high.
  EXPECT_EQ(one(text, {0x033C}, "sm_89"), 0x1E003E00u);
  name = "llvm.nvvm.e2m1x2.to.f16x2.rn";
  text = laneKernel("  %t = trunc i32 %x0 to i16\n  %r = call <2 x half> @" + name +
                        "(i16 %t)\n  %y0 = bitcast <2 x half> %r to i32\n",
                    1, 1, "declare <2 x half> @" + name + "(i16)\n");
  EXPECT_EQ(one(text, {0x9F}, "sm_120a"), 0xB800u << 16 | 0xC600u);
  name = "llvm.nvvm.ue8m0x2.to.bf16x2";
  text = laneKernel("  %t = trunc i32 %x0 to i16\n  %r = call <2 x bfloat> @" + name +
                        "(i16 %t)\n  %y0 = bitcast <2 x bfloat> %r to i32\n",
                    1, 1, "declare <2 x bfloat> @" + name + "(i16)\n");
  EXPECT_EQ(one(text, {0x7F00}, "sm_120a"), 0x3F800040u);
}

TEST(Lane, CastsToSixteenBitsAndTF32) {
  auto pair = [](const std::string &name, const std::string &type, float a, float b) {
    std::string text =
        laneKernel("  %a = bitcast i32 %x0 to float\n  %b = bitcast i32 %x1 to float\n"
                   "  %r = call <2 x " +
                       type + "> @llvm.nvvm." + name +
                       "(float %a, float %b)\n  %y0 = bitcast <2 x " + type + "> %r to i32\n",
                   2, 1, "declare <2 x " + type + "> @llvm.nvvm." + name + "(float, float)\n");
    return one(text, {bits(a), bits(b)});
  };
  EXPECT_EQ(pair("ff2bf16x2.rn", "bfloat", 1.0f, 1.00390625f), 0x3F803F80u);
  EXPECT_EQ(pair("ff2bf16x2.rn", "bfloat", -2.0f, 1.01171875f), 0xC0003F82u);
  EXPECT_EQ(pair("ff2bf16x2.rz", "bfloat", -2.0f, 1.01171875f), 0xC0003F81u);
  EXPECT_EQ(pair("ff2bf16x2.rn.relu", "bfloat", -2.0f, kInfinity), 0x7F80u);
  EXPECT_EQ(pair("ff2f16x2.rn", "half", 65520.0f, 65519.0f), 0x7C007BFFu);
  EXPECT_EQ(pair("ff2f16x2.rz", "half", 65520.0f, 5.9604645e-8f), 0x7BFF0001u);
  std::string text = laneKernel("  %a = bitcast i32 %x0 to float\n"
                                "  %y0 = call i32 @llvm.nvvm.f2tf32.rna(float %a)\n",
                                1, 1, "declare i32 @llvm.nvvm.f2tf32.rna(float)\n");
  EXPECT_EQ(one(text, {0x3F801000}), 0x3F802000u);
  EXPECT_EQ(one(text, {0x3F800FFF}), 0x3F800000u);
  EXPECT_EQ(one(text, {0xBF801000}), 0xBF802000u);
}

TEST(Lane, RoundsAndFlushes) {
  auto binary = [](const std::string &name, float a, float b) {
    std::string text =
        laneKernel("  %a = bitcast i32 %x0 to float\n  %b = bitcast i32 %x1 to float\n"
                   "  %r = call float @llvm.nvvm." +
                       name +
                       "(float %a, float %b)\n"
                       "  %y0 = bitcast float %r to i32\n",
                   2, 1, "declare float @llvm.nvvm." + name + "(float, float)\n");
    return number(one(text, {bits(a), bits(b)}));
  };
  float tiny = std::ldexp(1.0f, -30), next = std::nextafter(1.0f, 2.0f);
  EXPECT_EQ(binary("add.rn.f", 1.0f, tiny), 1.0f);
  EXPECT_EQ(binary("add.rp.f", 1.0f, tiny), next);
  EXPECT_EQ(binary("add.rm.f", 1.0f, -tiny), std::nextafter(1.0f, 0.0f));
  EXPECT_EQ(binary("add.rz.f", 1.0f, -tiny), std::nextafter(1.0f, 0.0f));
  EXPECT_EQ(binary("mul.rp.f", next, next), std::nextafter(std::nextafter(next, 2.0f), 2.0f));
  EXPECT_EQ(binary("div.rn.f", 1.0f, 3.0f), 1.0f / 3.0f);
  EXPECT_EQ(binary("mul.rn.ftz.f", std::ldexp(1.0f, -100), std::ldexp(1.0f, -30)), 0.0f);
  EXPECT_EQ(binary("mul.rn.f", std::ldexp(1.0f, -100), std::ldexp(1.0f, -30)),
            std::ldexp(1.0f, -130));
  EXPECT_EQ(binary("fmax.f", kNaN, 2.0f), 2.0f);
  EXPECT_TRUE(std::isnan(binary("fmax.nan.f", kNaN, 2.0f)));
  EXPECT_TRUE(std::signbit(binary("fmin.f", 0.0f, -0.0f)));
  EXPECT_EQ(binary("fmax.xorsign.abs.f", -3.0f, 2.0f), -3.0f);
  EXPECT_EQ(number(one(unary("rcp.approx.ftz.f"), {bits(3.0f)})), 1.0f / 3.0f);
  EXPECT_EQ(number(one(unary("rsqrt.approx.f"), {bits(0.25f)})), 2.0f);
  EXPECT_EQ(number(one(unary("ex2.approx.ftz.f32"), {bits(-3.0f)})), 0.125f);
  EXPECT_EQ(number(one(unary("ex2.approx.ftz.f32"), {bits(-140.0f)})), 0.0f);
  EXPECT_EQ(number(one(unary("lg2.approx.f"), {bits(8.0f)})), 3.0f);
}

TEST(Lane, SixteenBitArithmeticRoundsOnce) {
  // 1 + 2^-8 halfway between bf16 neighbours, and what the product adds below decides.
  auto text = [](const std::string &callee, const std::string &type) {
    return laneKernel(
        "  %t0 = trunc i32 %x0 to i16\n  %t1 = trunc i32 %x1 to i16\n"
        "  %t2 = trunc i32 %x2 to i16\n  %a = bitcast i16 %t0 to " +
            type + "\n  %b = bitcast i16 %t1 to " + type + "\n  %c = bitcast i16 %t2 to " + type +
            "\n  %r = call " + type + " @" + callee + "(" + type + " %a, " + type + " %b, " + type +
            " %c)\n  %s = bitcast " + type + " %r to i16\n  %y0 = zext i16 %s to i32\n",
        3, 1, "declare " + type + " @" + callee + "(" + type + ", " + type + ", " + type + ")\n");
  };
  uint32_t tinyBF16 = exactBF16(std::ldexp(1.0f, -50));
  for (const char *callee : {"llvm.fma.bf16", "llvm.nvvm.fma.rn.bf16"}) {
    // c = 1 + 2^-7, a b = 2^-8 (a tie) with and without a little more.
    EXPECT_EQ(
        one(text(callee, "bfloat"), {exactBF16(0.0625f), exactBF16(0.0625f), exactBF16(1.0f)}),
        0x3F80u);
    EXPECT_EQ(one(text(callee, "bfloat"),
                  {exactBF16(0.0625f), exactBF16(0.0625f), exactBF16(1.0078125f)}),
              0x3F82u);
    EXPECT_EQ(one(text(callee, "bfloat"), {tinyBF16, tinyBF16, exactBF16(1.0f)}), 0x3F80u);
  }
  // fadd of bfloat goes through the host's casts.
  std::string add =
      laneKernel("  %t0 = trunc i32 %x0 to i16\n  %t1 = trunc i32 %x1 to i16\n"
                 "  %a = bitcast i16 %t0 to bfloat\n  %b = bitcast i16 %t1 to bfloat\n"
                 "  %r = fadd fast bfloat %a, %b\n  %s = bitcast bfloat %r to i16\n"
                 "  %y0 = zext i16 %s to i32\n",
                 2, 1);
  EXPECT_EQ(one(add, {exactBF16(1.0078125f), exactBF16(0.00390625f)}), 0x3F82u);
  std::string half = laneKernel("  %f = bitcast i32 %x0 to float\n  %h = fptrunc float %f to half\n"
                                "  %q = fmul half %h, 0xH4200\n  %s = bitcast half %q to i16\n"
                                "  %y0 = zext i16 %s to i32\n",
                                1, 1);
  EXPECT_EQ(one(half, {bits(0.1f)}), 0x34CCu);
}

TEST(Lane, MinimaAndMaximaOfVectors) {
  std::string text = laneKernel(R"(
  %a = bitcast i32 %x0 to float
  %b = bitcast i32 %x1 to float
  %va0 = insertelement <2 x float> poison, float %a, i32 0
  %va = insertelement <2 x float> %va0, float %b, i32 1
  %vb0 = insertelement <2 x float> poison, float %b, i32 0
  %vb = insertelement <2 x float> %vb0, float %a, i32 1
  %m = call <2 x float> @llvm.maxnum.v2f32(<2 x float> %va, <2 x float> %vb)
  %m0 = extractelement <2 x float> %m, i32 0
  %m1 = extractelement <2 x float> %m, i32 1
  %y0 = bitcast float %m0 to i32
  %y1 = bitcast float %m1 to i32
  %n = call float @llvm.minimum.f32(float %a, float %b)
  %y2 = bitcast float %n to i32
)",
                                2, 3,
                                "declare <2 x float> @llvm.maxnum.v2f32(<2 x float>, <2 x float>)\n"
                                "declare float @llvm.minimum.f32(float, float)\n");
  auto results = runLanes(
      text, {{bits(-0.0f), bits(0.0f)}, {bits(kNaN), bits(2.0f)}, {bits(3.0f), bits(-2.0f)}}, 3);
  EXPECT_EQ(results[0], (std::vector<uint32_t>{0, 0, 0x80000000}));
  EXPECT_EQ(results[1], (std::vector<uint32_t>{bits(2.0f), bits(2.0f), 0x7FFFFFFF}));
  EXPECT_EQ(results[2], (std::vector<uint32_t>{bits(3.0f), bits(3.0f), bits(-2.0f)}));
}

TEST(Lane, FastMathIsNotUsed) {
  std::string text = laneKernel("  %a = bitcast i32 %x0 to float\n  %b = bitcast i32 %x1 to float\n"
                                "  %p = fmul fast float %a, %b\n  %s = fadd fast float %p, -1.0\n"
                                "  %y0 = bitcast float %s to i32\n",
                                2, 1);
  float next = std::nextafter(1.0f, 2.0f);
  volatile float product = next * next;
  EXPECT_EQ(number(one(text, {bits(next), bits(next)})), product - 1.0f);
}

TEST(Lane, Integers) {
  std::string prmt = laneKernel("  %y0 = call i32 @llvm.nvvm.prmt(i32 %x0, i32 %x1, i32 %x2)\n", 3,
                                1, "declare i32 @llvm.nvvm.prmt(i32, i32, i32)\n");
  EXPECT_EQ(one(prmt, {0x33221100, 0x77665584, 0x7420}), 0x77842200u);
  EXPECT_EQ(one(prmt, {0x33221100, 0x77665584, 0xC8C8}), 0xFF00FF00u);
  std::string convert = laneKernel("  %f = bitcast i32 %x0 to float\n"
                                   "  %y0 = call i32 @llvm.nvvm.f2i.rn(float %f)\n"
                                   "  %y1 = call i32 @llvm.nvvm.f2i.rz(float %f)\n"
                                   "  %y2 = call i32 @llvm.nvvm.f2ui.rp(float %f)\n"
                                   "  %g = call float @llvm.nvvm.i2f.rz(i32 %x1)\n"
                                   "  %y3 = bitcast float %g to i32\n",
                                   2, 4,
                                   "declare i32 @llvm.nvvm.f2i.rn(float)\n"
                                   "declare i32 @llvm.nvvm.f2i.rz(float)\n"
                                   "declare i32 @llvm.nvvm.f2ui.rp(float)\n"
                                   "declare float @llvm.nvvm.i2f.rz(i32)\n");
  auto results = runLanes(convert,
                          {{bits(2.5f), 16777217},
                           {bits(-2.5f), uint32_t(-16777217)},
                           {bits(1e20f), 1},
                           {bits(kNaN), 1}},
                          4);
  EXPECT_EQ(results[0], (std::vector<uint32_t>{2, 2, 3, bits(16777216.0f)}));
  EXPECT_EQ(results[1], (std::vector<uint32_t>{uint32_t(-2), uint32_t(-2), 0, bits(-16777216.0f)}));
  EXPECT_EQ(results[2], (std::vector<uint32_t>{0x7FFFFFFF, 0x7FFFFFFF, 0xFFFFFFFF, bits(1.0f)}));
  EXPECT_EQ(results[3][0], 0u);
}

TEST(Lane, SpecialRegisters) {
  std::string text = R"(
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %cz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %warp = call i32 @llvm.nvvm.read.ptx.sreg.warpid()
  %lt = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
  %clock = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %a = mul i32 %y, %nx
  %t = add i32 %a, %x
  %threads = mul i32 %nx, %ny
  %b = mul i32 %cz, %threads
  %i = add i32 %b, %t
  %p = getelementptr [4 x i32], ptr addrspace(1) %out, i32 %i
  %w5 = shl i32 %warp, 5
  %e0 = add i32 %w5, %lane
  %low = trunc i64 %clock to i32
  %e3 = add i32 %nz, %low
  %v0 = insertelement <4 x i32> poison, i32 %e0, i32 0
  %v1 = insertelement <4 x i32> %v0, i32 %lt, i32 1
  %v2 = insertelement <4 x i32> %v1, i32 %cz, i32 2
  %v3 = insertelement <4 x i32> %v2, i32 %e3, i32 3
  store <4 x i32> %v3, ptr addrspace(1) %p, align 16
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.warpid()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
)";
  auto module = mustLoad(text);
  std::vector<uint32_t> result(2 * 60 * 4);
  mustLaunch(*module, "k", {1, 1, 2}, {12, 5}, 0, {out(result, "out")});
  for (unsigned z = 0; z < 2; ++z)
    for (unsigned t = 0; t < 60; ++t) {
      const uint32_t *r = &result[4 * (60 * z + t)];
      EXPECT_EQ(r[0], t);
      EXPECT_EQ(r[1], (1u << t % 32) - 1);
      EXPECT_EQ(r[2], z);
      EXPECT_EQ(r[3], 2u);
    }
}
