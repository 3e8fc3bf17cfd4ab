//===- WitnessTest.cpp - Kernels that another compiler made ----------------===//
//
// Inputs/make_witnesses.py says how. Their layouts of fragments and scales share nothing with ours.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include <cmath>

using namespace ufp4::emulator;
using namespace ufp4::emulator::testing;

/// The shared memory that the first line of a witness asks for.
static unsigned sharedBytes(llvm::StringRef text) {
  llvm::StringRef rest = text.split("shared memory ").second;
  unsigned bytes = 0;
  rest.consumeInteger(10, bytes);
  return bytes;
}

TEST(Witness, BF16) {
  std::string text = readInput("bf16_gemm.sm_80.ll");
  for (const char *chip : {"sm_80", "sm_90", "sm_120a"}) {
    auto module = mustLoad(text, chip);
    const unsigned m = 128, n = 64, k = 160;
    std::mt19937 random(1);
    std::vector<uint16_t> a(m * k), b(n * k);
    for (auto *matrix : {&a, &b})
      for (uint16_t &code : *matrix)
        code = exactBF16(float(int(random() % 15) - 7));
    std::vector<float> c(m * n);
    LaunchOptions options;
    options.seed = 5;
    options.requireOutputsWritten = true;
    mustLaunch(*module, "bf16_gemm", {m / 64, n / 64}, {128}, sharedBytes(text),
               {in(a, "A"), in(b, "B"), out(c, "C"), KernelArgument::scalar(n),
                KernelArgument::scalar(k), KernelArgument::input(nullptr, 0, "scratch"),
                KernelArgument::input(nullptr, 0, "profile")},
               options);
    for (unsigned i = 0; i < m; ++i)
      for (unsigned j = 0; j < n; ++j) {
        double sum = 0;
        for (unsigned l = 0; l < k; ++l)
          sum += double(fromBF16(a[i * k + l])) * fromBF16(b[j * k + l]);
        ASSERT_EQ(c[i * n + j], sum) << i << " " << j;
      }
  }
}

/// Scales are chosen so that every sum is exact: 1 … 1.875, or 1 … 8.
static void runScaled(const char *name, unsigned block, double (*decodeScale)(uint8_t),
                      uint8_t firstScale, unsigned scaleCount) {
  static const double e2m1[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  std::string text = readInput(name);
  auto module = mustLoad(text, "sm_120a");
  const unsigned m = 64, n = 128, k = 384;
  std::mt19937 random(2);
  std::vector<uint8_t> a(m * k / 2), b(n * k / 2), sa(m * k / block), sb(n * k / block);
  for (auto *matrix : {&a, &b})
    for (uint8_t &byte : *matrix)
      byte = uint8_t(random());
  for (auto *scales : {&sa, &sb})
    for (uint8_t &scale : *scales)
      scale = uint8_t(firstScale + random() % scaleCount);
  std::vector<float> c(m * n);
  LaunchOptions options;
  options.seed = 6;
  options.requireOutputsWritten = true;
  mustLaunch(*module, "scaled_gemm", {m / 64, n / 64}, {128}, sharedBytes(text),
             {in(a, "A"), in(sa, "SA"), in(b, "B"), in(sb, "SB"), out(c, "C"),
              KernelArgument::scalar(n), KernelArgument::scalar(k),
              KernelArgument::input(nullptr, 0, "scratch"),
              KernelArgument::input(nullptr, 0, "profile")},
             options);
  auto element = [&](const std::vector<uint8_t> &codes, unsigned row, unsigned l) {
    uint8_t code = codes[row * k / 2 + l / 2] >> 4 * (l % 2) & 15;
    return code & 8 ? -e2m1[code & 7] : e2m1[code & 7];
  };
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < n; ++j) {
      double sum = 0;
      for (unsigned l = 0; l < k; ++l)
        sum += element(a, i, l) * element(b, j, l) * decodeScale(sa[i * (k / block) + l / block]) *
               decodeScale(sb[j * (k / block) + l / block]);
      ASSERT_EQ(c[i * n + j], sum) << i << " " << j;
    }
}

TEST(Witness, ScaledBy16) {
  runScaled(
      "nvfp4_gemm.sm_120.ll", 16,
      [](uint8_t code) { return (8 + (code & 7)) / 8.0 * std::exp2((code >> 3) - 7); }, 0x38, 8);
}

TEST(Witness, ScaledBy32) {
  runScaled(
      "mxfp4_gemm.sm_120.ll", 32, [](uint8_t code) { return std::exp2(int(code) - 127); }, 127, 4);
}
