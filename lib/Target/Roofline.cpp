//===- Roofline.cpp - What a launch takes, and what binds -----------------===//

#include "ufp4/Target/Roofline.h"

#include "ufp4/Support/Error.h"
#include "ufp4/Support/Version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace ufp4;
using namespace ufp4::target;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// What is taken for granted
//===----------------------------------------------------------------------===//

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
static constexpr int64_t kRegisters = 65536, kRegisterUnit = 256, kMostBlocks = 32;
/// Of each block, taken by the system (the same guide, "Shared Memory").
static constexpr int64_t kSystemSharedBytes = 1024;
static constexpr int64_t kWarp = 32;
/// Warp instructions of a multiprocessor in one clock.
static constexpr int64_t kIssue = 4;

static constexpr llvm::StringLiteral kAssumptions[] = {
    "clocks are a multiprocessor's; the product's boost clock is what its rates are quoted at",
    "each buffer crosses the device's memory once, twice where it is read and written; what blocks "
    "read again comes from the cache",
    "a multiprocessor issues 4 warp instructions a clock, none of them twice; NOPs issue",
    "one multiprocessor gets ceil(blocks / multiprocessors) blocks; resources overlap perfectly",
    "the loop with most matrix instructions runs once for each tile along K; all else, other loops "
    "and cold paths too, is counted once, for all warps; where products are on tensor memory that "
    "loop is one warp's, and the loop of copies another's, once for each tile along K as well; "
    "warps that wait issue nothing",
    "a matrix load from shared memory moves 512 bytes a warp, another load or a store 512 at most; "
    "128 bytes a clock, without bank conflicts; products on tensor memory read the tiles of a step "
    "from there once, of the codes that blocks of a cluster share each its own, and copies into it "
    "take none of these clocks",
    "f32 additions, multiplications and FMAs run at the f32 lanes' rate, those on pairs at half as "
    "many instructions",
    "mma.sync runs at the share of the bf16 rate that the table gives; where nobody published one "
    "(sm_100a and later) at all of it, so that MMA clocks are from below",
    "groups, whose sizes the device alone knows, fill all of their tiles, and those of K are equal",
};

llvm::ArrayRef<llvm::StringLiteral> target::getRooflineAssumptions() { return kAssumptions; }

StringRef target::stringify(Resource resource) {
  static constexpr llvm::StringLiteral names[] = {"mma", "f32", "issue", "shared", "memory"};
  return names[unsigned(resource)];
}

//===----------------------------------------------------------------------===//
// One launch
//===----------------------------------------------------------------------===//

static int64_t getWarps(const KernelEntry &kernel) {
  return llvm::divideCeil(kernel.block[0] * kernel.block[1] * kernel.block[2], kWarp);
}

Occupancy target::getOccupancy(const KernelEntry &kernel, const ChipRates &rates) {
  int64_t warps = getWarps(kernel);
  Occupancy occupancy{kMostBlocks, 0, "blocks"};
  auto limit = [&](int64_t blocks, StringRef by) {
    if (blocks < occupancy.blocks)
      occupancy = {blocks, 0, by};
  };
  limit(rates.threads / (warps * kWarp), "threads");
  int64_t shared = kernel.dynamicSharedBytes + kernel.staticSharedBytes + kSystemSharedBytes;
  limit(rates.sharedBytes / shared, "shared memory");
  if (kernel.tensorColumns)
    limit(findChip(rates.chip)->tensorMemoryColumns / kernel.tensorColumns, "tensor memory");
  if (kernel.registers)
    limit(kRegisters / (llvm::alignTo(kernel.registers * kWarp, kRegisterUnit) * warps),
          "registers");
  occupancy.warps = occupancy.blocks * warps;
  return occupancy;
}

namespace {
/// What one warp issues.
struct Counts {
  double words = 0, f32 = 0, sharedBytes = 0;

  /// `times` what `counts` has.
  void add(const OpcodeCounts &counts, double times) {
    for (auto [opcode, count] : counts) {
      words += times * count;
      // FMUL, FADD, FFMA in their forms (the upper three bits); FFMA2, FMUL2, FADD2 on pairs.
      unsigned base = opcode & 0x1ff;
      bool isPair = opcode == 0x249 || opcode == 0x24a || opcode == 0x24b;
      if (base == 0x020 || base == 0x021 || base == 0x023)
        f32 += times * count;
      else if (isPair)
        f32 += times * count * 2;
      // LDSM; LDS, STS.
      if (opcode == 0x83b || opcode == 0x984 || base == 0x188)
        sharedBytes += times * count * kWarp * 16;
    }
  }
};
} // namespace

/// Words of a function without the padding behind its end, which is NOPs.
static OpcodeCounts withoutPadding(const CubinFunction &code) {
  OpcodeCounts counts = code.opcodes;
  // Code ends in a branch to itself; what is behind it fills the section up.
  static constexpr unsigned nop = 0x918;
  unsigned inLoop = 0;
  if (auto found = code.loop.find(nop); found != code.loop.end())
    inLoop = found->second;
  if (auto found = counts.find(nop); found != counts.end())
    found->second = inLoop;
  return counts;
}

/// Of the tiles that a GEMM's blocks compute, padding included.
static double getPaddedWork(const KernelEntry &kernel, int64_t blocks, int64_t depth) {
  double tile = 1;
  for (unsigned axis : {0, 1})
    for (const TileCount &factor : kernel.grid[axis])
      tile *= factor.tile;
  return 2.0 * blocks * tile * depth;
}

/// The codes and scales of a step of a GEMM's block; blocks of a cluster share the codes of
/// columns.
static Expected<int64_t> getStepBytes(const KernelEntry &kernel, int64_t depth, bool cutsDepth) {
  std::map<std::string, int64_t> extents = {{"g", 1}, {"groups", 1}, {"k", depth}};
  if (cutsDepth)
    extents["tiled"] = depth;
  std::map<std::string, int64_t> ofCodes = extents;
  for (unsigned axis : {0, 1})
    for (const TileCount &factor : kernel.grid[axis]) {
      extents[factor.extent] = factor.tile;
      ofCodes[factor.extent] = axis ? factor.tile : factor.tile / kernel.cluster[1];
    }
  int64_t all = 0;
  for (const ArgumentEntry &argument : kernel.arguments) {
    if (argument.kind != ArgumentKind::Codes && argument.kind != ArgumentKind::Scales)
      continue;
    Expected<int64_t> bytes =
        getBytes(kernel, argument.name, argument.kind == ArgumentKind::Codes ? ofCodes : extents);
    if (!bytes)
      return bytes.takeError();
    all += *bytes;
  }
  return all;
}

Expected<LaunchEstimate> target::estimateLaunch(const KernelEntry &kernel,
                                                const std::map<std::string, int64_t> &extents,
                                                const CubinFunction *code, const ChipRates &rates) {
  Expected<std::array<int64_t, 3>> grid = getGrid(kernel, extents);
  if (!grid)
    return grid.takeError();
  LaunchEstimate estimate;
  estimate.blocks = (*grid)[0] * (*grid)[1] * (*grid)[2];
  if (int64_t resident = getOccupancy(kernel, rates).blocks * rates.multiprocessors)
    estimate.waves = llvm::divideCeil(estimate.blocks, resident);
  std::optional<int64_t> depthTiles;
  for (const ArgumentEntry &argument : kernel.arguments) {
    if (argument.kind == ArgumentKind::Scalar) {
      if (argument.name == "depth_tiles")
        depthTiles = getScalar(argument.value, extents, {});
      continue;
    }
    Expected<int64_t> bytes = getBytes(kernel, argument.name, extents);
    if (!bytes)
      return bytes.takeError();
    estimate.bytes += *bytes * (argument.access == ArgumentAccess::ReadWrite ? 2 : 1);
  }
  bool cutsDepth = depthTiles && !extents.count("k");
  if (cutsDepth)
    depthTiles = llvm::divideCeil(*depthTiles, std::max<int64_t>(extents.at("groups"), 1));
  auto clocks = [&](Resource resource) -> std::optional<double> & {
    return estimate.clocks[unsigned(resource)];
  };
  double memory = estimate.bytes / (double(rates.memoryBytes) * rates.multiprocessors);
  clocks(Resource::Memory) = memory;
  double ofBusiest = double(llvm::divideCeil(estimate.blocks, rates.multiprocessors));
  double warps = double(getWarps(kernel)) * ofBusiest;
  std::optional<TileCount> tiles;
  for (const ArgumentEntry &argument : kernel.arguments)
    if (argument.name == "depth_tiles")
      tiles = TileCount::parse(argument.value);
  if (code) {
    Counts counts;
    counts.add(withoutPadding(*code), 1);
    double further = depthTiles ? double(*depthTiles) - 1 : 0, ofTensorCores = 0;
    if (kernel.tensorColumns && tiles) {
      counts.add(code->loop, further / getWarps(kernel));
      counts.add(code->copies, further / getWarps(kernel));
      Expected<int64_t> step = getStepBytes(kernel, tiles->tile, cutsDepth);
      if (!step)
        return step.takeError();
      ofTensorCores = ofBusiest * double(*depthTiles) * *step;
    } else {
      counts.add(code->loop, further);
    }
    clocks(Resource::Issue) = warps * counts.words / kIssue;
    clocks(Resource::F32) = warps * counts.f32 * kWarp / rates.f32Lanes;
    clocks(Resource::Shared) = (warps * counts.sharedBytes + ofTensorCores) / kSharedBytesOfClock;
  }
  double best = memory;
  std::optional<Path> path = parsePath(kernel.path);
  if (path && depthTiles) {
    auto [rate, peak] = getMatrixRates(*path, rates);
    int64_t depth = tiles ? *depthTiles * tiles->tile : extents.at("k");
    if (estimate.blocks)
      clocks(Resource::MMA) =
          getPaddedWork(kernel, estimate.blocks, depth) / estimate.blocks * ofBusiest / rate;
    double work = 2.0;
    for (const char *extent : {"g", "m", "n", cutsDepth ? "tiled" : "k"})
      work *= extents.at(extent);
    best = work / (peak * rates.multiprocessors);
  }
  for (unsigned i = 0; i < kResourceCount; ++i)
    if (estimate.clocks[i] && *estimate.clocks[i] > estimate.total())
      estimate.binds = Resource(i);
  estimate.share = estimate.total() > 0 ? best / estimate.total() : 0;
  return estimate;
}

//===----------------------------------------------------------------------===//
// A step
//===----------------------------------------------------------------------===//

Expected<Roofline> target::makeRoofline(const Manifest &manifest, const CubinSummary *code,
                                        const Chip &chip, llvm::ArrayRef<LaunchSite> sites) {
  Roofline roofline;
  roofline.rates = findRates(chip.name);
  if (!roofline.rates)
    return fail("no rates of " + chip.name + " are known");
  for (const LaunchSite &site : sites) {
    const KernelEntry *kernel = manifest.find(site.kernel);
    if (!kernel)
      return fail("a launch names the kernel " + site.kernel + ", which the manifest has not");
    Roofline::Launch launch{site, std::nullopt};
    if (site.extents) {
      Expected<LaunchEstimate> estimate = estimateLaunch(
          *kernel, *site.extents, code ? code->find(site.kernel) : nullptr, *roofline.rates);
      if (!estimate)
        return estimate.takeError();
      launch.estimate = *estimate;
    }
    roofline.launches.push_back(std::move(launch));
  }
  return roofline;
}

static json::Object toJSON(const OpcodeCounts &counts) {
  unsigned words = 0, matrix = 0;
  for (auto [opcode, count] : counts) {
    words += count;
    matrix += isMatrixOpcode(opcode) ? count : 0;
  }
  return json::Object{{"instructions", words}, {"mma", matrix}};
}

json::Value target::toJSON(const Roofline &roofline, const Manifest &manifest,
                           const CubinSummary *code) {
  const ChipRates &rates = *roofline.rates;
  json::Array kernels, launches, assumptions;
  for (StringRef sentence : kAssumptions)
    assumptions.push_back(sentence);
  for (const KernelEntry &kernel : manifest.kernels) {
    Occupancy occupancy = getOccupancy(kernel, rates);
    const CubinFunction *function = code ? code->find(kernel.name) : nullptr;
    kernels.push_back(json::Object{
        {"name", kernel.name},
        {"path", kernel.path},
        {"registers", kernel.registers},
        {"shared_bytes", kernel.dynamicSharedBytes + kernel.staticSharedBytes},
        {"tensor_columns", kernel.tensorColumns},
        {"occupancy", json::Object{{"blocks", occupancy.blocks},
                                   {"warps", occupancy.warps},
                                   {"limit", occupancy.limit}}},
        {"code", function ? json::Value(::toJSON(withoutPadding(*function))) : nullptr},
        {"loop",
         function && !function->loop.empty() ? json::Value(::toJSON(function->loop)) : nullptr}});
  }
  for (const Roofline::Launch &launch : roofline.launches) {
    json::Object entry{{"kernel", launch.site.kernel},
                       {"location", launch.site.location},
                       {"in_loop", launch.site.isInLoop}};
    json::Value extents = nullptr, estimate = nullptr;
    if (launch.site.extents) {
      json::Object object;
      for (const auto &[name, value] : *launch.site.extents)
        object[name] = value;
      extents = std::move(object);
    }
    if (const auto &found = launch.estimate) {
      json::Object clocks;
      for (unsigned i = 0; i < kResourceCount; ++i)
        clocks[stringify(Resource(i))] =
            found->clocks[i] ? json::Value(*found->clocks[i]) : json::Value(nullptr);
      estimate = json::Object{{"blocks", found->blocks},
                              {"waves", found->waves},
                              {"bytes", found->bytes},
                              {"clocks", std::move(clocks)},
                              {"binds", stringify(found->binds)},
                              {"share", found->share}};
    }
    entry["extents"] = std::move(extents);
    entry["estimate"] = std::move(estimate);
    launches.push_back(std::move(entry));
  }
  return json::Object{
      {"schema_version", kSchemaVersion},
      {"compiler", ("ufp4 " + kVersion).str()},
      {"recipe", json::Object{{"name", manifest.recipe}, {"hash", manifest.recipeHash}}},
      {"chip", rates.chip},
      {"rates", json::Object{{"product", rates.product},
                             {"multiprocessors", rates.multiprocessors},
                             {"shared_bytes", rates.sharedBytes},
                             {"threads", rates.threads},
                             {"bf16", rates.bf16},
                             {"e2m1", rates.e2m1},
                             {"mma_sync", rates.mmaSync},
                             {"f32_lanes", rates.f32Lanes},
                             {"memory_bytes", rates.memoryBytes},
                             {"source", rates.source}}},
      {"assumptions", std::move(assumptions)},
      {"kernels", std::move(kernels)},
      {"launches", std::move(launches)}};
}

void target::printRoofline(llvm::raw_ostream &os, const Roofline &roofline,
                           const Manifest &manifest) {
  const ChipRates &rates = *roofline.rates;
  os << llvm::formatv("{0}, as {1} with {2} multiprocessors; clocks of the busiest one\n",
                      rates.chip, rates.product, rates.multiprocessors);
  os << "       MB     mma     f32   issue  shared  memory  binds   share  occupancy           "
        "launch\n";
  for (const Roofline::Launch &launch : roofline.launches) {
    const KernelEntry &kernel = *manifest.find(launch.site.kernel);
    Occupancy occupancy = getOccupancy(kernel, rates);
    std::string text;
    llvm::raw_string_ostream line(text);
    if (const auto &estimate = launch.estimate) {
      line << llvm::format("%9.3f", estimate->bytes / 1e6);
      for (const std::optional<double> &clocks : estimate->clocks) {
        if (clocks)
          line << llvm::format(" %7.0f", *clocks);
        else
          line << "       -";
      }
      line << llvm::formatv("  {0,-6}", stringify(estimate->binds))
           << llvm::format(" %5.1f %%", 100 * estimate->share);
    } else {
      line << "sizes are dynamic: no estimate" << std::string(39, ' ');
    }
    line << llvm::formatv("  {0,2} x {1,2}, {2,-13}", occupancy.blocks, getWarps(kernel),
                          occupancy.limit)
         << (launch.site.isInLoop ? " (in a loop) " : " ") << kernel.name;
    if (launch.site.extents) {
      const auto &extents = *launch.site.extents;
      const char *separator = "  ";
      for (const auto &[name, value] : extents) {
        line << separator << name << '=' << value;
        separator = " ";
      }
    }
    os << text << '\n';
  }
  os << "assumed:\n";
  for (StringRef sentence : kAssumptions)
    os << "  " << sentence << '\n';
  os << "  rates: " << rates.source << '\n';
}
