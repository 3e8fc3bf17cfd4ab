//===- Units.cpp - What a processor's vector units do ---------------------===//

#include "ufp4/Target/CPU/Units.h"

#include "ufp4/Target/CPU/Codegen.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace ufp4::target;
using llvm::Expected;
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

Expected<VectorUnits> ufp4::target::findVectorUnits(StringRef cpu) {
  auto processor = findProcessor(cpu);
  if (!processor)
    return processor.takeError();
  auto machine = processor->createTargetMachine();
  if (!machine)
    return machine.takeError();
  const llvm::MCSubtargetInfo &features = *(*machine)->getMCSubtargetInfo();
  bool isX86 = (*machine)->getTargetTriple().isX86();
  auto has = [&](StringRef feature) {
    return isX86 && features.checkFeatures(("+" + feature).str());
  };
  const IntegerDot *dot = llvm::find_if(
      kDots, [&](const IntegerDot &each) { return each.feature.empty() || has(each.feature); });
  // 32 registers of 16 lanes: 16 accumulators cover the FMA latency with room for operands.
  bool wide = has("avx512f");
  return VectorUnits{wide ? 8u : 6u, wide ? 32u : 16u, wide ? 16u : 8u, *dot};
}
