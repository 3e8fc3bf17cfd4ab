//===- KernelEntries.h - Kernels as a manifest has them ---------*- C++ -*-===//

#ifndef UFP4_CONVERSION_UFP4TOGPU_KERNELENTRIES_H
#define UFP4_CONVERSION_UFP4TOGPU_KERNELENTRIES_H

#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"
#include "ufp4/Conversion/UFP4ToGPU/GroupKernel.h"
#include "ufp4/Conversion/UFP4ToGPU/QuantizeKernel.h"
#include "ufp4/Target/Manifest.h"

namespace ufp4 {

/// How to launch a kernel, without its files. Extents: of a GEMM `g`, `m`, `n` and `k`, which is Kp
/// of its operands (Q3); of a quantize kernel `g`, `outer` and `inner`, its input's. With groups
/// also `groups`, `records` of their table, and `tiled`, the positions of all tiles along the
/// dimension that they divide.
target::KernelEntry describeKernel(const GemmKernelSpec &spec, const KernelInfo &info);
target::KernelEntry describeKernel(const QuantizeKernelSpec &spec, const QuantizeKernelInfo &info);
target::KernelEntry describeKernel(const GroupKernelSpec &spec, const GroupKernelInfo &info);

/// Gives the undocumented kernels of a manifest a canary, for which the first of them that is of no
/// groups is launched.
void addCanary(target::Manifest &manifest);

/// The name of an argument in manifests; one of a destination ends in `_inner` or `_outer`.
std::string describeArgument(QuantizeArgumentInfo argument);

/// The entry of a storage that arguments name as their layout.
target::LayoutEntry describeLayout(const target::OperandStorage &storage);

} // namespace ufp4

#endif // UFP4_CONVERSION_UFP4TOGPU_KERNELENTRIES_H
