//===- Passes.h - the value level to the storage level ----------*- C++ -*-===//

#ifndef UFP4_CONVERSION_UFP4TOSTORAGE_PASSES_H
#define UFP4_CONVERSION_UFP4TOSTORAGE_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace ufp4 {

/// On a matmul that is left, or the block_gemm that it became: why it has no kernel, or why not on
/// a better path that the chip's table has for it.
inline constexpr llvm::StringLiteral kPathReasonAttr = "ufp4.path_reason";

#define GEN_PASS_DECL
#include "ufp4/Conversion/UFP4ToStorage/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ufp4/Conversion/UFP4ToStorage/Passes.h.inc"

} // namespace ufp4

#endif // UFP4_CONVERSION_UFP4TOSTORAGE_PASSES_H
