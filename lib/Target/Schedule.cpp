//===- Schedule.cpp - Tiles, warps and stages of a GEMM -------------------===//

#include "ufp4/Target/Schedule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace ufp4;
using namespace ufp4::target;

/// Registers that the threads of a block share.
static constexpr unsigned registersPerBlock = 65536;
/// Addresses, loop state and products in flight.
static constexpr unsigned otherRegisters = 24;

llvm::ArrayRef<GemmSchedule> ufp4::target::gemmSchedules() {
  // Warps of 64 x 32: at 64 x 64 the assembler hoists all fragments of a tile and spills.
  static const GemmSchedule table[] = {
      {&mmaBF16PostPairs(), &groupedCopies(), 128, 128, 64, 2, 4, 4},
      {&mmaBF16Post(), &groupedCopies(), 128, 128, 64, 2, 4, 4},
      {&mmaBF16Post(), &groupedCopies(), 128, 128, 64, 2, 4, 2},
  };
  return table;
}

std::array<int64_t, 4> GemmSchedule::tileBytes(unsigned block) const {
  using Storage = TileMajorStorage;
  int64_t a = tileM / Storage::rows, b = tileN / Storage::rows;
  return {a * Storage::tileBytes, b * Storage::tileBytes, a * Storage::scaleTileBytes(block),
          b * Storage::scaleTileBytes(block)};
}

int64_t GemmSchedule::stageBytes(unsigned block) const {
  std::array<int64_t, 4> bytes = tileBytes(block);
  return std::accumulate(bytes.begin(), bytes.end(), int64_t(0));
}

unsigned GemmSchedule::registers() const {
  return mma->accumulatorRegisters(warpRows(), warpColumns()) +
         mma->fragmentRegisters(warpRows(), warpColumns()) + otherRegisters;
}

std::string GemmSchedule::describe() const {
  return llvm::formatv("{0}x{1}x{2}, {3}x{4} warps, {5} stages, {6}, {7}", tileM, tileN, tileK,
                       warpsM, warpsN, stages, mma->name(), transport->name())
      .str();
}

std::optional<std::string> ufp4::target::verifySchedule(const GemmSchedule &schedule,
                                                        const Chip &chip,
                                                        const numerics::Scheme &scheme) {
  auto refuse = [&](const llvm::formatv_object_base &reason) {
    return llvm::formatv("schedule {0} on {1}: {2}", schedule.describe(), chip.name, reason.str())
        .str();
  };
  const Mma &mma = *schedule.mma;
  if (!mma.runsOn(chip))
    return refuse(llvm::formatv("the chip has no {0}", mma.name()));
  if (!schedule.transport->runsOn(chip))
    return refuse(llvm::formatv("the chip has no {0}", schedule.transport->name()));
  // A storage's tile goes to shared memory whole, as it lies.
  using Storage = TileMajorStorage;
  if (schedule.tileM != Storage::rows || schedule.tileN != Storage::rows ||
      schedule.tileK != Storage::depth)
    return refuse(llvm::formatv("tiles must be those of the storage {0}, {1}x{1}x{2}",
                                mma.storage().name(), Storage::rows, Storage::depth));
  if (!schedule.warpsM || !schedule.warpsN || schedule.tileM % schedule.warpsM ||
      schedule.tileN % schedule.warpsN || schedule.warpRows() % mma.rowGranule() ||
      schedule.warpColumns() % mma.columnGranule())
    return refuse(llvm::formatv("a warp's tile must be a multiple of {0}x{1}", mma.rowGranule(),
                                mma.columnGranule()));
  if (scheme.block % mma.k() || schedule.tileK % scheme.block)
    return refuse(llvm::formatv("blocks of {0} must be a multiple of {1} and divide {2}",
                                scheme.block, mma.k(), schedule.tileK));
  if (schedule.stages < 2)
    return refuse(llvm::formatv("the ring needs at least 2 stages"));
  unsigned threads = schedule.threads(chip.waveSize);
  std::array<int64_t, 4> tileBytes = schedule.tileBytes(scheme.block);
  if (std::optional<std::string> reason =
          schedule.transport->verify(tileBytes, threads, chip.waveSize))
    return refuse(llvm::formatv("{0}", *reason));
  int64_t sharedBytes = schedule.sharedBytes(scheme.block);
  if (sharedBytes > int64_t(chip.sharedMemoryBytes))
    return refuse(llvm::formatv("{0} bytes of shared memory are needed, {1} stages of {2}; a block "
                                "has at most {3}",
                                sharedBytes, schedule.stages, schedule.stageBytes(scheme.block),
                                chip.sharedMemoryBytes));
  unsigned limit = std::min<unsigned>(chip.maxRegisters, registersPerBlock / threads);
  if (schedule.registers() > limit)
    return refuse(llvm::formatv("a thread needs at least {0} registers; {1} threads may have {2} "
                                "each",
                                schedule.registers(), threads, limit));
  return std::nullopt;
}

const GemmSchedule *ufp4::target::chooseSchedule(const Chip &chip, const numerics::Scheme &scheme,
                                                 std::string &why) {
  why.clear();
  for (const GemmSchedule &schedule : gemmSchedules()) {
    std::optional<std::string> reason = verifySchedule(schedule, chip, scheme);
    if (!reason)
      return &schedule;
    why += (why.empty() ? "" : "; ") + *reason;
  }
  return nullptr;
}
