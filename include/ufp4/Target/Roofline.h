//===- Roofline.h - What a launch takes, and what binds ---------*- C++ -*-===//
//
// Predicted without a device, in clocks of a multiprocessor: how long a launch keeps each resource
// busy, from its sizes, from what the assembler made of the kernel, and from rates of a product of
// the chip's kind. The resource that is busy longest binds; nothing else is modelled.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_ROOFLINE_H
#define UFP4_TARGET_ROOFLINE_H

#include "ufp4/Target/Manifest.h"
#include "ufp4/Target/NVPTX/Binary.h"
#include "ufp4/Target/Rates.h"

namespace ufp4::target {

enum class Resource : uint8_t { MMA, F32, Issue, Shared, Memory };
inline constexpr unsigned kResourceCount = 5;
llvm::StringRef stringify(Resource resource);

/// How many blocks of a kernel one multiprocessor holds.
struct Occupancy {
  int64_t blocks = 0, warps = 0;
  /// `registers`, `shared memory`, `tensor memory`, `threads` or `blocks`.
  llvm::StringRef limit;
};

/// Registers are 0 where the kernel was not assembled, and then limit nothing.
Occupancy getOccupancy(const KernelEntry &kernel, const ChipRates &rates);

struct LaunchEstimate {
  /// Blocks, and how often a multiprocessor is filled with them.
  int64_t blocks = 0, waves = 0;
  /// Of the device's memory: each buffer once, twice where it is read and written.
  int64_t bytes = 0;
  /// Of the busiest multiprocessor, by Resource; nothing where it is not known.
  std::array<std::optional<double>, kResourceCount> clocks;
  Resource binds = Resource::Memory;
  /// Of a GEMM the share of the chip's best rate on this path, padding not counted as work; of
  /// other kernels that of the memory's rate.
  double share = 0;

  double total() const { return *clocks[unsigned(binds)]; }
};

/// `code` is null where the kernel was not assembled. Errors: an extent is missing or no launch can
/// have it.
llvm::Expected<LaunchEstimate> estimateLaunch(const KernelEntry &kernel,
                                              const std::map<std::string, int64_t> &extents,
                                              const CubinFunction *code, const ChipRates &rates);

/// A launch of a step.
struct LaunchSite {
  std::string kernel;
  /// Where it comes from, as `file:line:column`; empty where that is not known.
  std::string location;
  /// Nothing where a size is dynamic.
  std::optional<std::map<std::string, int64_t>> extents;
  /// Whether it stands in a loop; the estimate is that of one launch.
  bool isInLoop = false;
};

struct Roofline {
  const ChipRates *rates = nullptr;
  struct Launch {
    LaunchSite site;
    std::optional<LaunchEstimate> estimate;
  };
  std::vector<Launch> launches;
};

/// Errors: the chip has no rates, or a launch names no kernel of the manifest.
llvm::Expected<Roofline> makeRoofline(const Manifest &manifest, const CubinSummary *code,
                                      const Chip &chip, llvm::ArrayRef<LaunchSite> sites);

/// What is taken for granted, a sentence each.
llvm::ArrayRef<llvm::StringLiteral> getRooflineAssumptions();

/// roofline.json (docs/spec.md, "Files").
llvm::json::Value toJSON(const Roofline &roofline, const Manifest &manifest,
                         const CubinSummary *code);
/// A table for people.
void printRoofline(llvm::raw_ostream &os, const Roofline &roofline, const Manifest &manifest);

} // namespace ufp4::target

#endif // UFP4_TARGET_ROOFLINE_H
