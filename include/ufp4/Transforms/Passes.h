//===- Passes.h - tensor to tensor passes -----------------------*- C++ -*-===//

#ifndef UFP4_TRANSFORMS_PASSES_H
#define UFP4_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace ufp4 {
#define GEN_PASS_DECL
#include "ufp4/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ufp4/Transforms/Passes.h.inc"
} // namespace ufp4

#endif // UFP4_TRANSFORMS_PASSES_H
