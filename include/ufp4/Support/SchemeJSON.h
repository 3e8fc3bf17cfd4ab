//===- SchemeJSON.h - a scheme in every JSON file ---------------*- C++ -*-===//

#ifndef UFP4_SUPPORT_SCHEMEJSON_H
#define UFP4_SUPPORT_SCHEMEJSON_H

#include "ufp4/Numerics/Scheme.h"
#include "llvm/Support/JSON.h"

namespace ufp4 {
/// The fields format, block, block_rows, scale, scale_rule and rotation (size and signs, or null).
/// A sign mask above 2^53, which JSON readers may round, is hexadecimal text.
llvm::json::Object toJSON(const numerics::Scheme &scheme);
} // namespace ufp4

#endif // UFP4_SUPPORT_SCHEMEJSON_H
