//===- Passes.h - the value level to the storage level ----------*- C++ -*-===//

#ifndef UFP4_CONVERSION_UFP4TOSTORAGE_PASSES_H
#define UFP4_CONVERSION_UFP4TOSTORAGE_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace ufp4 {

#define GEN_PASS_DECL
#include "ufp4/Conversion/UFP4ToStorage/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ufp4/Conversion/UFP4ToStorage/Passes.h.inc"

} // namespace ufp4

#endif // UFP4_CONVERSION_UFP4TOSTORAGE_PASSES_H
