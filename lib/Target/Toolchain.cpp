//===- Toolchain.cpp - What a vendor's kernels are made by ----------------===//

#include "ufp4/Target/Toolchain.h"

#include "ufp4/Support/Error.h"
#include "ufp4/Target/AMDGPU/Binary.h"

using namespace ufp4;
using namespace ufp4::target;
using llvm::Expected;

static Expected<Binary> assemblePTX(const Assembly &assembly, const Chip &chip,
                                    const PtxasOptions &options) {
  Expected<Binary> binary = assemble(assembly.text, chip, options);
  // One that was asked for by name must be there.
  if (!binary && !options.path.empty())
    return fail(llvm::toString(binary.takeError()));
  return binary;
}

static Expected<Binary> linkAMDGCN(const Assembly &assembly, const Chip &chip,
                                   const PtxasOptions &) {
  return linkCodeObject(assembly, chip);
}

const Toolchain &ufp4::target::getToolchain(const Chip &chip) {
  static constexpr Toolchain nvidia{"kernels.ptx", "kernels.cubin", prepareModule, emitPTX,
                                    assemblePTX},
      amd{"kernels.amdgcn", "kernels.hsaco", prepareAMDModule, emitAMDGCN, linkAMDGCN};
  return chip.vendor == Vendor::AMD ? amd : nvidia;
}
