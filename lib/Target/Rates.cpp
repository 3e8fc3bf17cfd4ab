//===- Rates.cpp - What multiprocessors do in a clock ---------------------===//

#include "ufp4/Target/Rates.h"

#include "llvm/ADT/STLExtras.h"

using namespace ufp4;
using namespace ufp4::target;

// Rates follow from what the source says of the product: FLOP/s and bytes/s by multiprocessors and
// the boost clock that it quotes them at.
static constexpr ChipRates kRates[] = {
    {"sm_80", "A100 SXM 80 GB", 108, 164 * 1024, 2048, 2048, 0, 1, 64, 13.4f,
     "NVIDIA A100 Tensor Core GPU Architecture (312 TFLOPS, 2.04 TB/s at 1.41 GHz)"},
    {"sm_86", "RTX A6000", 84, 100 * 1024, 1536, 1024, 0, 1, 128, 5.1f,
     "NVIDIA Ampere GA102 GPU Architecture (155 TFLOPS, 768 GB/s at 1.80 GHz)"},
    {"sm_89", "RTX 6000 Ada", 142, 100 * 1024, 1536, 1024, 0, 1, 128, 2.7f,
     "NVIDIA Ada GPU Architecture (364 TFLOPS, 960 GB/s at 2.51 GHz)"},
    {"sm_90a", "H200 SXM", 132, 228 * 1024, 2048, 4096, 0, 0.63f, 128, 19.9f,
     "NVIDIA H100 Tensor Core GPU Architecture, H200 data sheet (989 TFLOPS, 4.8 TB/s at 1.83 "
     "GHz); "
     "mma.sync: arXiv 2402.13499"},
    {"sm_100f", "B200", 148, 228 * 1024, 2048, 8192, 32768, 1, 128, 29.1f,
     "NVIDIA Blackwell Architecture Technical Brief, as sm_100a"},
    {"sm_100a", "B200", 148, 228 * 1024, 2048, 8192, 32768, 1, 128, 29.1f,
     "NVIDIA Blackwell Architecture Technical Brief (2.25 PFLOPS, 8 TB/s; 1.86 GHz follows)"},
    {"sm_103a", "B300", 160, 228 * 1024, 2048, 8192, 49152, 1, 128, 26.2f,
     "Inside NVIDIA Blackwell Ultra (2.5 PFLOPS, 15 PFLOPS NVFP4, 8 TB/s; 1.91 GHz follows)"},
    {"sm_110a", "Jetson T5000", 20, 228 * 1024, 2048, 8192, 32768, 1, 128, 8.7f,
     "NVIDIA Jetson Thor data sheet (1035 TFLOPS NVFP4 dense, 273 GB/s at 1.58 GHz)"},
    {"sm_120a", "RTX PRO 6000 Blackwell", 188, 100 * 1024, 1536, 1024, 4096, 1, 128, 3.6f,
     "NVIDIA RTX Blackwell PRO GPU Architecture (504 TFLOPS, 1792 GB/s at 2.62 GHz)"},
    {"sm_121a", "GB10", 48, 100 * 1024, 1536, 1024, 4096, 1, 128, 2.3f,
     "NVIDIA DGX Spark data sheet (1 PFLOPS NVFP4 sparse, 273 GB/s; 2.5 GHz follows)"},
};

const ChipRates *target::findRates(llvm::StringRef chip) {
  const ChipRates *found =
      llvm::find_if(kRates, [&](const ChipRates &rates) { return rates.chip == chip; });
  return found == std::end(kRates) ? nullptr : found;
}

std::pair<double, double> target::getMatrixRates(Path path, const ChipRates &rates) {
  switch (path) {
  case Path::Native:
    return {rates.e2m1, rates.e2m1};
  case Path::Container:
    // Of 8 bits, whatever E2M1 runs at.
    return {rates.bf16 * 2.0, rates.bf16 * 2.0};
  case Path::Post:
  case Path::Fold:
    return {rates.bf16 * rates.mmaSync, rates.bf16};
  }
  llvm_unreachable("a closed set");
}
