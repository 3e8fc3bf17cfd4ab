//===- Runtime.h - What code for the CPU may call ---------------*- C++ -*-===//

#ifndef UFP4_SUPPORT_RUNTIME_H
#define UFP4_SUPPORT_RUNTIME_H

#include "llvm/ADT/StringRef.h"

namespace ufp4 {

/// void ufp4ParallelFor(void (*body)(void *context, int64_t first, int64_t end), void *context,
///                      int64_t count, int64_t grain)
///
/// Calls `body` on ranges that together are [0, count), each but the last of at least `grain`
/// iterations, in any order and on any threads, under the caller's floating-point environment, and
/// returns when all are done. Only code that was compiled with the pipeline's `threads` calls it.
inline constexpr llvm::StringLiteral kParallelForSymbol = "ufp4ParallelFor";

/// What the symbols of a model begin with in code for the CPU, so that none is one of the C
/// library's, an intrinsic of LLVM's or the runtime's.
inline constexpr llvm::StringLiteral kModelPrefix = "model.";

/// void ufp4ReportGroups(int64_t sum, int64_t rows, int64_t negative)
///
/// Tells the user that the sizes of groups, which add up to `sum`, are not those of `rows` rows, or
/// that one is negative. Only code that was compiled to report calls it.
inline constexpr llvm::StringLiteral kReportGroupsSymbol = "ufp4ReportGroups";

} // namespace ufp4

#endif // UFP4_SUPPORT_RUNTIME_H
