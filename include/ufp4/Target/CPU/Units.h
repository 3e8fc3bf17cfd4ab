//===- Units.h - What a processor's vector units do -------------*- C++ -*-===//
//
// Tables of what the lowerings to the CPU choose by: nothing else names an instruction.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_CPU_UNITS_H
#define UFP4_TARGET_CPU_UNITS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace ufp4::target {

/// How dot products of small integers are computed: an unsigned byte times a signed one, `group`
/// neighbours along K to a lane, added without saturation for the values that codes have.
struct IntegerDot {
  llvm::StringRef name;
  /// Bytes along K in a lane: 1 is a product of i16 lanes, which every vector unit has.
  unsigned group;
  /// Lanes of one instruction, and the width of a lane's sum.
  unsigned lanes, sumBits;
  /// The GEMM's register block: rows, and columns, a multiple of `lanes`.
  unsigned rows, columns;
  /// LLVM's intrinsic, (unsigned, signed) or (sum, unsigned, signed) where it adds; empty for
  /// group 1.
  llvm::StringRef intrinsic;
  bool addsToSum;
  /// LLVM's name of the feature that has it.
  llvm::StringRef feature;
};

/// What is chosen for a processor.
struct VectorUnits {
  /// The register block of the f32 GEMM.
  unsigned rows, columns;
  /// f32 lanes of a quantize's vectors: sixteen of them, a run of 16, fill the registers.
  unsigned lanes;
  const IntegerDot &dot;
};

/// Of a processor as `findProcessor` (Codegen.h) takes its name.
llvm::Expected<VectorUnits> findVectorUnits(llvm::StringRef cpu);

/// By its name in the table: `plain`, `pmaddubsw-256`, ... Null for an unknown one.
const IntegerDot *findIntegerDot(llvm::StringRef name);
/// Names of all, for messages.
std::string listIntegerDots();

} // namespace ufp4::target

#endif // UFP4_TARGET_CPU_UNITS_H
