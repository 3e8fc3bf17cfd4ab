//===- CPU.cpp - What a CPU's vector units do -----------------------------===//

#include "ufp4/Target/CPU.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace ufp4::target;
using llvm::StringRef;

// The best first. A register block leaves room beside the f32 accumulators for the sums of its
// rows, a line of the columns and a broadcast.
static constexpr IntegerDot kDots[] = {
    {"vpdpbusd-512", 4, 16, 32, 6, 32, "llvm.x86.avx512.vpdpbusd.512", true, "avx512vnni"},
    {"pmaddubsw-512", 2, 32, 16, 8, 32, "llvm.x86.avx512.pmaddubs.w.512", false, "avx512bw"},
    {"vpdpbusd-256", 4, 8, 32, 3, 16, "llvm.x86.avx512.vpdpbusd.256", true, "avxvnni"},
    {"pmaddubsw-256", 2, 16, 16, 3, 16, "llvm.x86.avx2.pmadd.ub.sw", false, "avx2"},
    {"plain", 1, 16, 16, 3, 16, "", false, ""},
};

const IntegerDot *ufp4::target::findIntegerDot(StringRef name) {
  for (const IntegerDot &dot : kDots)
    if (dot.name == name)
      return &dot;
  return nullptr;
}

std::string ufp4::target::listIntegerDots() {
  llvm::SmallVector<StringRef> names;
  for (const IntegerDot &dot : kDots)
    names.push_back(dot.name);
  return llvm::join(names, ", ");
}

std::string ufp4::target::explainUnknownCPU(StringRef name) {
  llvm::SmallVector<StringRef> names;
  llvm::X86::fillValidCPUArchList(names);
  return ("unknown CPU '" + name + "'; known are native, " + llvm::join(names, ", ")).str();
}

std::optional<CPU> ufp4::target::findCPU(StringRef name) {
  llvm::StringSet<> features;
  if (name.empty() || name == "native") {
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      if (feature.second)
        features.insert(feature.first());
  } else if (llvm::Triple(llvm::sys::getDefaultTargetTriple()).isX86()) {
    if (llvm::X86::parseArchX86(name) == llvm::X86::CK_None)
      return std::nullopt;
    llvm::SmallVector<StringRef> list;
    llvm::X86::getFeaturesForCPU(name, list);
    features.insert(list.begin(), list.end());
  }
  auto *dot = llvm::find_if(kDots, [&](const IntegerDot &each) {
    return each.feature.empty() || features.contains(each.feature);
  });
  // 32 registers of 16 lanes: 16 accumulators cover the FMA latency with room for operands.
  bool wide = features.contains("avx512f");
  return CPU{wide ? 8u : 6u, wide ? 32u : 16u, *dot};
}
