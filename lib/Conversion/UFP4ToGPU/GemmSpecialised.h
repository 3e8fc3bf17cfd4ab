//===- GemmSpecialised.h - The GEMM whose warps have roles ------*- C++ -*-===//

#ifndef UFP4_LIB_CONVERSION_UFP4TOGPU_GEMMSPECIALISED_H
#define UFP4_LIB_CONVERSION_UFP4TOGPU_GEMMSPECIALISED_H

#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"
#include "ufp4/Target/NVPTX/TensorMma.h"

namespace ufp4 {

/// Fills a kernel's function, given dynamic shared memory.
void emitGemmSpecialised(target::KernelBuilder &b, const GemmKernelSpec &spec,
                         const KernelInfo &info, const target::TensorMma &mma,
                         mlir::gpu::GPUFuncOp function, mlir::Value shared);

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOGPU_GEMMSPECIALISED_H
