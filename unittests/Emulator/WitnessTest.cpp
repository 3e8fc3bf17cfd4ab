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

/// What a witness is run with. Those of tensor memory have none of its fences.
static LaunchOptions witnessOptions(uint64_t seed) {
  LaunchOptions options;
  options.seed = seed;
  options.requireOutputsWritten = true;
  options.tensorFences = false;
  return options;
}

/// Without the fence between what threads copy to shared memory and the products that read it.
static void expectFenceMissed(std::string text, llvm::StringRef kernel, Dim3 grid,
                              llvm::ArrayRef<KernelArgument> arguments) {
  const std::string fence = "tail call void @llvm.nvvm.fence.proxy.async.shared_cta()";
  unsigned removed = 0;
  for (size_t at; (at = text.find(fence)) != std::string::npos; ++removed)
    text.erase(at, fence.size());
  ASSERT_NE(removed, 0u);
  expectFault(*mustLoad(text, "sm_100a"), kernel, grid, {128}, sharedBytes(text), arguments,
              FaultKind::Race, "with no fence.proxy.async between", witnessOptions(7));
}

static void runBF16(const char *name, std::initializer_list<const char *> chips, unsigned tileM,
                    unsigned tileN, unsigned k, bool isFenced) {
  std::string text = readInput(name);
  for (const char *chip : chips) {
    auto module = mustLoad(text, chip);
    const unsigned m = 2 * tileM, n = 64;
    std::mt19937 random(1);
    std::vector<uint16_t> a(m * k), b(n * k);
    for (auto *matrix : {&a, &b})
      for (uint16_t &code : *matrix)
        code = exactBF16(float(int(random() % 15) - 7));
    std::vector<float> c(m * n);
    Dim3 grid{m / tileM, n / tileN};
    std::vector<KernelArgument> arguments{in(a, "A"),
                                          in(b, "B"),
                                          out(c, "C"),
                                          KernelArgument::scalar(n),
                                          KernelArgument::scalar(k),
                                          KernelArgument::input(nullptr, 0, "scratch"),
                                          KernelArgument::input(nullptr, 0, "profile")};
    mustLaunch(*module, "bf16_gemm", grid, {128}, sharedBytes(text), arguments, witnessOptions(5));
    for (unsigned i = 0; i < m; ++i)
      for (unsigned j = 0; j < n; ++j) {
        double sum = 0;
        for (unsigned l = 0; l < k; ++l)
          sum += double(fromBF16(a[i * k + l])) * fromBF16(b[j * k + l]);
        ASSERT_EQ(c[i * n + j], sum) << i << " " << j;
      }
    if (isFenced)
      expectFenceMissed(text, "bf16_gemm", grid, arguments);
  }
}

TEST(Witness, BF16) {
  runBF16("bf16_gemm.sm_80.ll", {"sm_80", "sm_90", "sm_120a"}, 64, 64, 160, /*isFenced=*/false);
}

TEST(Witness, BF16InTensorMemory) {
  runBF16("bf16_gemm.sm_100.ll", {"sm_100a", "sm_103a"}, 128, 32, 320, /*isFenced=*/true);
}

/// Scales are chosen so that every sum is exact: 1 … 1.875, or 1 … 8.
static void runScaled(std::string name, bool isTensor, unsigned block,
                      double (*decodeScale)(uint8_t), uint8_t firstScale, unsigned scaleCount) {
  static const double e2m1[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  std::string text = readInput(name + (isTensor ? ".sm_100.ll" : ".sm_120.ll"));
  auto module = mustLoad(text, isTensor ? "sm_100a" : "sm_120a");
  const unsigned tileM = isTensor ? 128 : 64, tileN = isTensor ? 32 : 64;
  const unsigned m = tileM, n = 2 * tileN, k = isTensor ? 768 : 384;
  std::mt19937 random(2);
  std::vector<uint8_t> a(m * k / 2), b(n * k / 2), sa(m * k / block), sb(n * k / block);
  for (auto *matrix : {&a, &b})
    for (uint8_t &byte : *matrix)
      byte = uint8_t(random());
  for (auto *scales : {&sa, &sb})
    for (uint8_t &scale : *scales)
      scale = uint8_t(firstScale + random() % scaleCount);
  std::vector<float> c(m * n);
  Dim3 grid{m / tileM, n / tileN};
  std::vector<KernelArgument> arguments{in(a, "A"),
                                        in(sa, "SA"),
                                        in(b, "B"),
                                        in(sb, "SB"),
                                        out(c, "C"),
                                        KernelArgument::scalar(n),
                                        KernelArgument::scalar(k),
                                        KernelArgument::input(nullptr, 0, "scratch"),
                                        KernelArgument::input(nullptr, 0, "profile")};
  mustLaunch(*module, "scaled_gemm", grid, {128}, sharedBytes(text), arguments, witnessOptions(6));
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
  if (isTensor)
    expectFenceMissed(text, "scaled_gemm", grid, arguments);
}

static void runScaledBy16(bool isTensor) {
  runScaled(
      "nvfp4_gemm", isTensor, 16,
      [](uint8_t code) { return (8 + (code & 7)) / 8.0 * std::exp2((code >> 3) - 7); }, 0x38, 8);
}

static void runScaledBy32(bool isTensor) {
  runScaled(
      "mxfp4_gemm", isTensor, 32, [](uint8_t code) { return std::exp2(int(code) - 127); }, 127, 4);
}

TEST(Witness, ScaledBy16) { runScaledBy16(false); }
TEST(Witness, ScaledBy32) { runScaledBy32(false); }
TEST(Witness, ScaledBy16InTensorMemory) { runScaledBy16(true); }
TEST(Witness, ScaledBy32InTensorMemory) { runScaledBy32(true); }
