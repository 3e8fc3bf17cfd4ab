//===- Schedule.cpp - Tiles, warps and stages of a GEMM -------------------===//

#include "ufp4/Target/Schedule.h"

#include "ufp4/Target/Rates.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

using namespace ufp4;
using namespace ufp4::target;

/// Registers that the threads of a block share: of a multiprocessor, or of the four SIMDs of a
/// compute unit with 512 for each of 64 lanes.
static unsigned registersPerBlock(const Chip &chip) {
  return chip.vendor == Vendor::AMD ? 4 * 512 * 64 : 65536;
}
/// Addresses, loop state and products in flight.
static constexpr unsigned otherRegisters = 24;

llvm::ArrayRef<GemmSchedule> ufp4::target::gemmSchedules() {
  static const GemmSchedule table[] = {
      {&mmaE2M1Scaled4X(), &groupedCopies(), 128, 128, 256, 2, 2, 2},
      {&mmaE2M1Scaled2X(), &groupedCopies(), 128, 128, 256, 2, 2, 2},
      {&mmaE0M3Scaled4X(), &groupedCopies(), 128, 128, 256, 2, 2, 2},
      {&mmaE2M3Scaled1X(), &groupedCopies(), 128, 128, 128, 2, 2, 2},
      // Four warps of 32 rows store what two others bring and multiply. Pairs of blocks have 256
      // rows in all, and half of B's columns each: of large products they take 76 bytes of a block
      // for a clock of the tensor core and 7 % of the issue slots, wide tiles 105 and 9, others 141
      // and 13.
      {&tensorMmaE2M1Scaled16(), &bulkCopies(), 128, 256, 256, 4, 1, 4, /*blocks=*/2},
      {&tensorMmaE0M3Scaled16(), &bulkCopies(), 128, 256, 256, 4, 1, 4, /*blocks=*/2},
      {&tensorMmaE2M1Scaled32(), &bulkCopies(), 128, 256, 256, 4, 1, 5, /*blocks=*/2},
      {&tensorMmaE2M3Scaled32(), &bulkCopies(), 128, 256, 128, 4, 1, 5, /*blocks=*/2},
      {&tensorMmaE2M1Scaled16(), &bulkCopies(), 128, 256, 256, 4, 1, 4},
      {&tensorMmaE0M3Scaled16(), &bulkCopies(), 128, 256, 256, 4, 1, 4},
      {&tensorMmaE2M1Scaled32(), &bulkCopies(), 128, 256, 256, 4, 1, 4},
      {&tensorMmaE2M3Scaled32(), &bulkCopies(), 128, 256, 128, 4, 1, 4},
      {&tensorMmaE2M1Scaled16(), &bulkCopies(), 128, 128, 256, 4, 1, 5},
      {&tensorMmaE0M3Scaled16(), &bulkCopies(), 128, 128, 256, 4, 1, 5},
      {&tensorMmaE2M1Scaled32(), &bulkCopies(), 128, 128, 256, 4, 1, 5},
      {&tensorMmaE2M3Scaled32(), &bulkCopies(), 128, 128, 128, 4, 1, 5},
      // Of operands in rows: 0.72 and 0.78 instructions beside an MMA, 0.83 where K is no multiple
      // of a tile's depth; copies of each row have 0.77, 0.84, 0.91 and 0.92.
      {&mmaE2M1Scaled4X(), &tensorCopies(), 128, 128, 256, 2, 2, 2},
      {&mmaE2M1Scaled2X(), &tensorCopies(), 128, 128, 256, 2, 2, 2},
      // Of rows that are no multiple of 16 bytes, which no tensor copy takes.
      {&mmaE2M1Scaled4X(), &rowCopies(), 128, 128, 256, 2, 2, 2},
      // Warps of 64 x 64 read least of shared memory for a product, and 3 stages fit every chip.
      {&mmaBF16Fold(), &groupedCopies(), 128, 128, 64, 2, 2, 3},
      // Warps of 64 x 32: at 64 x 64 the assembler hoists all fragments of a tile and spills.
      {&mmaBF16PostPairs(), &groupedCopies(), 128, 128, 64, 2, 4, 4},
      {&mmaBF16Post(), &groupedCopies(), 128, 128, 64, 2, 4, 4},
      {&mmaBF16Post(), &groupedCopies(), 128, 128, 64, 2, 4, 2},
      // At 64 x 64 a warp's scales would take as many registers as its codes and their products.
      {&mmaBF16FoldCodes(), &groupedCopies(), 128, 128, 256, 2, 4, 2},
      {&mmaBF16FoldCodes(), &tensorCopies(), 128, 128, 256, 2, 4, 2},
      {&mmaBF16FoldCodes(), &rowCopies(), 128, 128, 256, 2, 4, 2},
      // At 64 x 64 an MMA's share of its operands is least to expand. Pointers of one thread's
      // copies, which a warp agrees on, leave these warps the registers that they need.
      {&mmaBF16FoldCodesByWords(), &bulkCopies(), 128, 256, 256, 2, 4, 3},
      {&mmaBF16FoldCodesByWords(), &bulkCopies(), 128, 128, 256, 2, 2, 3},
      // Eight waves of 128 x 64, two for each SIMD.
      {&mmaMfmaE2M1(), &sharedLoads(), 256, 256, 256, 2, 4, 2},
      // 4 bits in memory before 6, though those take fewer instructions.
      {&mmaMfmaE2M3Split(), &sharedLoads(), 256, 256, 256, 2, 4, 2},
      {&mmaMfmaE2M3(), &sharedLoads(), 256, 256, 128, 2, 4, 2},
      // Sixteen waves of 64 x 64, whose 256 registers need no bank to be chosen; twice the scales
      // do not fit in there.
      {&mmaWmmaE2M1Scaled32(), &registerCopies(), 256, 256, 256, 4, 4, 2},
      {&mmaWmmaE2M1Scaled16(), &registerCopies(), 256, 256, 256, 4, 4, 2},
      {&mmaWmmaE2M1Scaled16UE4M3(), &registerCopies(), 256, 256, 256, 4, 4, 2},
      {&mmaWmmaE2M3Scaled32(), &registerCopies(), 256, 256, 256, 4, 4, 2},
      {&mmaWmmaE2M3Scaled16(), &registerCopies(), 256, 256, 256, 2, 4, 2},
      {&mmaMfmaFold16(), &sharedLoads(), 128, 128, 64, 2, 2, 2},
      {&mmaFP8Post(), &sharedLoads(), 128, 128, 64, 2, 2, 2},
      {&mmaWmmaFold(), &registerCopies(), 128, 128, 64, 4, 2, 2},
      // Eight waves: four leave one for each SIMD, since shared memory holds one block.
      {&mmaMfmaFold8(), &registerCopies(), 128, 128, 64, 4, 2, 2},
      {&mmaFP8FnuzPost(), &registerCopies(), 128, 128, 64, 4, 2, 2},
  };
  return table;
}

std::array<int64_t, 4> GemmSchedule::tileBytes(const numerics::Scheme &scheme) const {
  std::optional<StorageTile> tile = mma->storage().tile(scheme);
  assert(tile && "a schedule copies tiles");
  int64_t a = tileM / tile->rows, b = tileN / tile->rows;
  return {a * tile->bytes[codesPlane], b / blocks * tile->bytes[codesPlane],
          a * tile->bytes[scalesPlane], b * tile->bytes[scalesPlane]};
}

int64_t GemmSchedule::stageBytes(const numerics::Scheme &scheme) const {
  std::array<int64_t, 4> bytes = tileBytes(scheme);
  return llvm::alignTo(
      std::accumulate(bytes.begin(), bytes.end(), int64_t(transport->barrierBytes())),
      mma->stageAlignment());
}

unsigned GemmSchedule::tensorColumns() const {
  unsigned columns = mma->tensorColumns(tileM, tileN, stages);
  return columns ? std::max<unsigned>(32, llvm::PowerOf2Ceil(columns)) : 0;
}

unsigned GemmSchedule::registers() const {
  return mma->accumulatorRegisters(warpRows(), warpColumns()) +
         mma->operandRegisters(warpRows(), warpColumns()) + otherRegisters;
}

std::string GemmSchedule::describe() const {
  return llvm::formatv("{0}x{1}x{2}{8}, {3}x{4} warps, {5} stages, {6}, {7}", tileM, tileN, tileK,
                       warpsM, warpsN, stages, mma->name(), transport->name(),
                       blocks == 2 ? " in pairs" : "")
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
  if (!schedule.transport->source(mma.storage()))
    return refuse(llvm::formatv("{0} brings no tiles of {1}", schedule.transport->name(),
                                mma.storage().name()));
  const PathCapability *row = findPath(chip, scheme, mma.path());
  if (!row)
    return refuse(llvm::formatv("{0}", explainRefusal(chip, scheme, mma.path())));
  if (row->instruction != mma.instruction())
    return refuse(llvm::formatv("{0} needs {1}", describeScheme(scheme), row->instruction));
  if (!mma.takes(scheme))
    return refuse(llvm::formatv("{0} does not read {1}", mma.name(), describeScheme(scheme)));
  // A storage's tile goes to shared memory whole, as it lies.
  std::optional<StorageTile> tile = mma.storage().tile(scheme);
  if (!tile)
    return refuse(llvm::formatv("the storage {0} has no tiles", mma.storage().name()));
  if (schedule.tileM != tile->rows || !schedule.tileN || schedule.tileN % tile->rows ||
      schedule.tileK != tile->depth)
    return refuse(llvm::formatv("tiles must be those of the storage {0}, {1}x{1}x{2}, of B one or "
                                "more",
                                mma.storage().name(), tile->rows, tile->depth));
  if (!schedule.warpsM || !schedule.warpsN || schedule.tileM % schedule.warpsM ||
      schedule.tileN % schedule.warpsN || schedule.warpRows() % mma.rowGranule() ||
      schedule.warpColumns() % mma.columnGranule())
    return refuse(llvm::formatv("a warp's tile must be a multiple of {0}x{1}", mma.rowGranule(),
                                mma.columnGranule()));
  if (!mma.asTensor() && tile->rows % schedule.warpColumns())
    return refuse(llvm::formatv("a warp's {0} columns lie in several of the storage's tiles of {1}",
                                schedule.warpColumns(), tile->rows));
  unsigned productDepth = mma.productDepth(scheme.block);
  if ((productDepth % mma.k() && mma.k() % productDepth) ||
      mma.scalesDepth(scheme.block) % productDepth ||
      schedule.tileK % mma.scalesDepth(scheme.block))
    return refuse(
        llvm::formatv("products {0} deep must be a multiple of {1} or divide it, and divide {2}",
                      productDepth, mma.k(), schedule.tileK));
  if (schedule.stages < 2)
    return refuse(llvm::formatv("the ring needs at least 2 stages"));
  unsigned threads = schedule.threads(chip.waveSize);
  std::array<int64_t, 4> tileBytes = schedule.tileBytes(scheme);
  if (std::optional<std::string> reason =
          schedule.transport->verify(tileBytes, threads, chip.waveSize))
    return refuse(llvm::formatv("{0}", *reason));
  int64_t sharedBytes = schedule.sharedBytes(scheme);
  if (sharedBytes > int64_t(chip.sharedMemoryBytes))
    return refuse(llvm::formatv("{0} bytes of shared memory are needed, {1} stages of {2}; a block "
                                "has at most {3}",
                                sharedBytes, schedule.stages, schedule.stageBytes(scheme),
                                chip.sharedMemoryBytes));
  if (schedule.tensorColumns() > chip.tensorMemoryColumns)
    return refuse(llvm::formatv("{0} columns of tensor memory are needed; there are {1}",
                                schedule.tensorColumns(), chip.tensorMemoryColumns));
  unsigned limit = std::min<unsigned>(chip.maxRegisters, registersPerBlock(chip) / threads);
  if (schedule.registers() > limit)
    return refuse(llvm::formatv("a thread needs at least {0} registers; {1} threads may have {2} "
                                "each",
                                schedule.registers(), threads, limit));
  return std::nullopt;
}

/// Why a chip that has the path for a scheme multiplies by an instruction no schedule is made for.
static std::string explainMissingKernel(const PathCapability &row, const Chip &chip,
                                        const numerics::Scheme &scheme,
                                        const OperandStorage *storage) {
  std::string where = storage ? (" in storage " + storage->name()).str() : "";
  return llvm::formatv("there is no kernel for {0}{1} on the {2} path of {3}, which is {4} ({5})",
                       describeScheme(scheme), where, stringify(row.path), chip.name,
                       row.instruction, stringify(row.permission))
      .str();
}

const GemmSchedule *ufp4::target::chooseSchedule(const Chip &chip, const numerics::Scheme &scheme,
                                                 std::optional<Path> path, std::string &why,
                                                 const OperandStorage *storage,
                                                 llvm::SmallVectorImpl<PassedOver> *passedOver,
                                                 int64_t depth) {
  why.clear();
  // No choice is ever made for an undocumented encoding.
  static constexpr Path automatic[] = {Path::Native, Path::Container, Path::Fold, Path::Post};
  for (Path candidate : path ? llvm::ArrayRef(*path) : llvm::ArrayRef(automatic)) {
    std::string reasons;
    auto explain = [&](llvm::StringRef reason) {
      for (std::string *text : {&why, &reasons})
        *text += (text->empty() ? "" : "; ") + reason.str();
    };
    const PathCapability *row = findPath(chip, scheme, candidate);
    if (!row) {
      explain(explainRefusal(chip, scheme, candidate));
      continue;
    }
    bool isDocumented = row->permission == Permission::Documented;
    if (!path && !isDocumented) {
      explain(llvm::formatv("the {0} path of {1} for {2} is taken only when asked for",
                            stringify(candidate), chip.name, describeScheme(scheme))
                  .str());
    } else {
      bool hasKernel = false;
      for (const GemmSchedule &schedule : gemmSchedules()) {
        if (schedule.mma->path() != candidate || schedule.mma->instruction() != row->instruction)
          continue;
        if (storage && schedule.transport->source(schedule.mma->storage()) != storage)
          continue;
        if (depth % schedule.transport->depthGranule(scheme))
          continue;
        hasKernel = true;
        std::optional<std::string> reason = verifySchedule(schedule, chip, scheme);
        if (!reason)
          return &schedule;
        explain(*reason);
      }
      if (!hasKernel)
        explain(explainMissingKernel(*row, chip, scheme, storage));
    }
    if (passedOver)
      passedOver->push_back({candidate, std::move(reasons), isDocumented});
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// By sizes
//===----------------------------------------------------------------------===//

double ufp4::target::estimateTiles(const GemmSchedule &schedule, const numerics::Scheme &scheme,
                                   const GemmExtents &extents, const ChipRates &rates) {
  unsigned blocks = schedule.blocks;
  auto count = [](int64_t extent, int64_t tile) { return double(llvm::divideCeil(extent, tile)); };
  double rows = count(extents.m, schedule.tileM * blocks) * blocks,
         columns = count(extents.n, schedule.tileN), steps = count(extents.k, schedule.tileK);
  // Tensor memory's products read tiles once, a warp what its own products are of.
  bool isTensor = schedule.mma->asTensor();
  double readsOfA = isTensor ? 1 : schedule.warpsN, readsOfB = isTensor ? 1 : schedule.warpsM;
  auto [codesA, codesB, scalesA, scalesB] = schedule.tileBytes(scheme);
  double read = (codesA + scalesA) * readsOfA + (codesB + scalesB) * readsOfB;
  double work = 2.0 * schedule.tileM * schedule.tileN * schedule.tileK;
  double step = std::max(work / getMatrixRates(schedule.mma->path(), rates).first,
                         read / kSharedBytesOfClock);
  return std::ceil(extents.g * rows * columns / rates.multiprocessors) * steps * step;
}

/// Whether a schedule can be chosen: tiles of a cluster that are below each other may be of two
/// groups, and one that has no rows at all is idle.
static bool fits(const GemmSchedule &schedule, const std::optional<GemmExtents> &extents,
                 bool isGrouped) {
  unsigned further = schedule.blocks - 1;
  return !further || (!isGrouped && (!extents || extents->m > int64_t(further * schedule.tileM)));
}

/// The first of schedules in the table's order, or the one that its sizes prefer.
static unsigned pickTiles(llvm::ArrayRef<const GemmSchedule *> schedules, const Chip &chip,
                          const numerics::Scheme &scheme,
                          const std::optional<GemmExtents> &extents) {
  const ChipRates *rates = extents ? findRates(chip.name) : nullptr;
  if (!rates)
    return 0;
  unsigned best = 0;
  double least = estimateTiles(*schedules[0], scheme, *extents, *rates);
  for (auto [i, schedule] : llvm::drop_begin(llvm::enumerate(schedules))) {
    double clocks = estimateTiles(*schedule, scheme, *extents, *rates);
    if (clocks < least * kWorthwhile) {
      best = i;
      least = clocks;
    }
  }
  return best;
}

const GemmSchedule &ufp4::target::chooseTiles(const GemmSchedule &first, const Chip &chip,
                                              const numerics::Scheme &scheme,
                                              const std::optional<GemmExtents> &extents,
                                              bool isGrouped) {
  llvm::SmallVector<const GemmSchedule *> candidates;
  if (fits(first, extents, isGrouped))
    candidates.push_back(&first);
  for (const GemmSchedule &schedule : gemmSchedules())
    if (&schedule != &first && schedule.mma == first.mma &&
        &schedule.storage() == &first.storage() && fits(schedule, extents, isGrouped) &&
        (!extents || extents->k % schedule.transport->depthGranule(scheme) == 0) &&
        !verifySchedule(schedule, chip, scheme))
      candidates.push_back(&schedule);
  return candidates.empty() ? first : *candidates[pickTiles(candidates, chip, scheme, extents)];
}

//===----------------------------------------------------------------------===//
// With a fallback
//===----------------------------------------------------------------------===//

static bool isDocumented(const GemmSchedule &schedule, const Chip &chip,
                         const numerics::Scheme &scheme) {
  return findPath(chip, scheme, schedule.mma->path())->permission == Permission::Documented;
}

/// Whether blocks of one can take the place of the other's, which may multiply in pairs.
static bool canReplace(const GemmSchedule &x, const GemmSchedule &y) {
  return x.tileM == y.tileM && x.tileN == y.tileN && x.tileK == y.tileK &&
         (x.blocks == 1 || x.blocks == y.blocks);
}

/// The first schedule on a path that reads the same storage and has the same tiles.
static const GemmSchedule *findFallback(const GemmSchedule &schedule, const Chip &chip,
                                        const numerics::Scheme &scheme, Path path,
                                        std::string &why) {
  const GemmSchedule *best = chooseSchedule(chip, scheme, path, why, &schedule.storage());
  if (!best)
    return nullptr;
  for (const GemmSchedule &other : gemmSchedules())
    if (other.mma == best->mma && &other.storage() == &best->storage() &&
        canReplace(other, schedule) && !verifySchedule(other, chip, scheme))
      return &other;
  why = best->describe() + " has other tiles than " + schedule.describe();
  return nullptr;
}

SchedulePair ufp4::target::choosePair(const Chip &chip, const numerics::Scheme &scheme,
                                      const Mma &mma, std::optional<Path> path, std::string &why,
                                      const std::optional<GemmExtents> &extents, bool isGrouped) {
  static constexpr Path documented[] = {Path::Container, Path::Fold, Path::Post};
  why.clear();
  for (Path candidate : path ? llvm::ArrayRef(*path) : llvm::ArrayRef(documented)) {
    llvm::SmallVector<const GemmSchedule *> schedules, fallbacks;
    for (const GemmSchedule &schedule : gemmSchedules()) {
      if (schedule.mma != &mma || !fits(schedule, extents, isGrouped) ||
          verifySchedule(schedule, chip, scheme))
        continue;
      std::string reason;
      if (const GemmSchedule *fallback = findFallback(schedule, chip, scheme, candidate, reason)) {
        schedules.push_back(&schedule);
        fallbacks.push_back(fallback);
      } else {
        why += (why.empty() ? "" : "; ") + reason;
      }
    }
    if (schedules.empty())
      continue;
    unsigned picked = pickTiles(schedules, chip, scheme, extents);
    return {schedules[picked], fallbacks[picked]};
  }
  return {};
}

GemmChoice ufp4::target::chooseSchedules(const Chip &chip, const numerics::Scheme &scheme,
                                         std::optional<Path> path, bool canRewrite) {
  GemmChoice choice;
  std::string ignored;
  const GemmSchedule *wanted = chooseSchedule(chip, scheme, path.value_or(Path::Native), ignored);
  if (wanted && wanted->mma->needsRewrite() && !canRewrite) {
    choice.why =
        llvm::formatv("the {0} path of {1} for {2} is a rewrite of the assembled kernel, "
                      "and there is no assembler: install CUDA 13, or name ptxas in UFP4_PTXAS",
                      stringify(wanted->mma->path()), chip.name, describeScheme(scheme));
    wanted = nullptr;
    if (path)
      return choice;
  }
  if (path) {
    choice.schedule = wanted;
    choice.why = ignored;
    return choice;
  }
  if (wanted && !isDocumented(*wanted, chip, scheme)) {
    SchedulePair pair = choosePair(chip, scheme, *wanted->mma, std::nullopt, ignored);
    if (pair.fallback) {
      choice.schedule = pair.schedule;
      choice.fallback = pair.fallback;
      return choice;
    }
  }
  std::string why;
  choice.schedule =
      chooseSchedule(chip, scheme, std::nullopt, why, /*storage=*/nullptr, &choice.passedOver);
  if (!choice.schedule)
    choice.why = why;
  else if (!choice.why.empty())
    // Not asked for, and still what would have been taken.
    for (PassedOver &passed : choice.passedOver)
      if (passed.path == Path::Native)
        passed = {Path::Native, choice.why, /*isExpected=*/true};
  return choice;
}
