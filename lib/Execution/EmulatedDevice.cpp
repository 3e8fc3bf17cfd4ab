//===- EmulatedDevice.cpp - Launching kernels by their manifest -----------===//

#include "ufp4/Execution/EmulatedDevice.h"

#include "ufp4/Support/Error.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <cstring>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
using ufp4::emulator::KernelArgument;
using ufp4::emulator::LaunchStats;

namespace ufp4 {

Expected<std::unique_ptr<EmulatedDevice>>
EmulatedDevice::create(std::unique_ptr<llvm::Module> code,
                       std::unique_ptr<llvm::LLVMContext> context, const target::Chip &chip,
                       std::vector<target::KernelEntry> kernels) {
  emulator::EmulatorTarget target;
  target.chip = chip.name.str();
  target.warpSize = chip.waveSize;
  auto module = emulator::EmulatedModule::create(std::move(code), std::move(context), target);
  if (!module)
    return module.takeError();
  std::unique_ptr<EmulatedDevice> device(new EmulatedDevice);
  device->module = std::move(*module);
  for (target::KernelEntry &kernel : kernels) {
    std::string name = kernel.name;
    device->kernels.emplace(std::move(name), std::move(kernel));
  }
  return device;
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

Error EmulatedDevice::launch(StringRef name, const LaunchValues &values) {
  auto found = kernels.find(name.str());
  if (found == kernels.end())
    return fail("no kernel is called " + name);
  const target::KernelEntry &kernel = found->second;
  Expected<std::array<int64_t, 3>> grid = target::getGrid(kernel, values.extents);
  if (!grid)
    return grid.takeError();
  auto missing = [&](StringRef what) { return fail("kernel " + name + " needs " + what); };
  std::vector<Argument> arguments;
  for (const target::ArgumentEntry &argument : kernel.arguments) {
    if (argument.kind != target::ArgumentKind::Scalar) {
      auto buffer = values.buffers.find(argument.name);
      if (buffer == values.buffers.end())
        return missing("a buffer '" + argument.name + "'");
      arguments.push_back(
          {reinterpret_cast<intptr_t>(buffer->second.data), int64_t(buffer->second.bytes)});
      continue;
    }
    std::optional<int64_t> bits = target::getScalar(argument.value, values.extents, values.scalars);
    if (!bits)
      return missing("a value for '" + argument.value + "'");
    arguments.push_back({*bits, 0});
  }
  return launch(name, *grid, arguments);
}

static void add(std::vector<emulator::SiteStats> &sum,
                const std::vector<emulator::SiteStats> &more) {
  for (const emulator::SiteStats &site : more) {
    auto same = llvm::find_if(
        sum, [&](const emulator::SiteStats &known) { return known.location == site.location; });
    if (same == sum.end()) {
      sum.push_back(site);
      continue;
    }
    same->requests += site.requests;
    same->used += site.used;
    same->ideal += site.ideal;
  }
}

static void add(LaunchStats &sum, const LaunchStats &more) {
  for (const auto &[name, count] : more.instructions)
    sum.instructions[name] += count;
  for (const auto &[name, count] : more.operations)
    sum.operations[name] += count;
  sum.globalSectors += more.globalSectors;
  sum.idealGlobalSectors += more.idealGlobalSectors;
  sum.sharedWavefronts += more.sharedWavefronts;
  sum.idealSharedWavefronts += more.idealSharedWavefronts;
  add(sum.globalSites, more.globalSites);
  add(sum.sharedSites, more.sharedSites);
  sum.mmas += more.mmas;
  sum.barriers += more.barriers;
}

Error EmulatedDevice::launch(StringRef name, std::array<int64_t, 3> grid,
                             llvm::ArrayRef<Argument> arguments) {
  auto found = kernels.find(name.str());
  if (found == kernels.end())
    return fail("no kernel is called " + name);
  const target::KernelEntry &kernel = found->second;
  if (arguments.size() != kernel.arguments.size())
    return fail("kernel " + name + " takes " + Twine(kernel.arguments.size()) +
                " arguments, found " + Twine(arguments.size()));
  if (!grid[0] || !grid[1] || !grid[2])
    return Error::success();
  std::vector<int64_t> words;
  for (const Argument &argument : arguments)
    words.push_back(argument.bits);
  std::map<std::string, int64_t> extents = target::readExtents(kernel, grid, words);
  std::vector<KernelArgument> passed;
  for (auto [entry, argument] : llvm::zip_equal(kernel.arguments, arguments)) {
    if (const std::optional<target::TensorMapEntry> &map = entry.tensorMap) {
      Expected<std::array<int64_t, 2>> sizes = target::getTensorRows(kernel, entry, extents);
      if (!sizes)
        return sizes.takeError();
      emulator::TensorMap made;
      made.pointer = reinterpret_cast<void *>(intptr_t(argument.bits));
      made.size = argument.bytes;
      made.width = made.pitch = (*sizes)[0];
      made.height = (*sizes)[1];
      made.boxWidth = map->boxBytes;
      made.boxHeight = map->boxRows;
      made.rowStep = map->rowStep;
      made.swizzle = map->swizzle;
      passed.push_back(KernelArgument::tensorMap(made, entry.name));
      continue;
    }
    if (entry.kind == target::ArgumentKind::Scalar) {
      passed.push_back(KernelArgument::bytes({reinterpret_cast<const char *>(&argument.bits),
                                              target::getElementBits(entry.element) / 8}));
      continue;
    }
    auto access = entry.access == target::ArgumentAccess::Read    ? emulator::Access::Read
                  : entry.access == target::ArgumentAccess::Write ? emulator::Access::Write
                                                                  : emulator::Access::ReadWrite;
    passed.push_back(KernelArgument::buffer(reinterpret_cast<void *>(intptr_t(argument.bits)),
                                            argument.bytes, access, entry.name));
  }
  emulator::LaunchOptions options;
  options.requireOutputsWritten = true;
  options.memoryStatistics = countsRequests;
  Expected<LaunchStats> stats = module->launch(
      name, {unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2])},
      {unsigned(kernel.block[0]), unsigned(kernel.block[1]), unsigned(kernel.block[2])},
      kernel.dynamicSharedBytes, passed, options);
  if (!stats)
    return stats.takeError();
  KernelStats &total = statistics[name.str()];
  ++total.launches;
  total.blocks += grid[0] * grid[1] * grid[2];
  add(total.sum, *stats);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Launches of compiled code
//===----------------------------------------------------------------------===//

static std::atomic<LaunchScope *> activeScope{nullptr};

LaunchScope::LaunchScope(EmulatedDevice &device)
    : device(device), previous(activeScope.exchange(this)) {}

LaunchScope::~LaunchScope() { activeScope = previous; }

void LaunchScope::launch(StringRef kernel, std::array<int64_t, 3> grid,
                         llvm::ArrayRef<EmulatedDevice::Argument> arguments) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!problem.empty())
    return;
  if (Error error = device.launch(kernel, grid, arguments))
    problem = llvm::toString(std::move(error));
}

Error LaunchScope::take() {
  std::lock_guard<std::mutex> lock(mutex);
  return problem.empty() ? Error::success() : fail(problem);
}

static void launchKernel(const char *kernel, const int64_t *grid,
                         const EmulatedDevice::Argument *arguments, int64_t count) {
  if (LaunchScope *scope = activeScope)
    scope->launch(kernel, {grid[0], grid[1], grid[2]}, {arguments, size_t(count)});
}

std::vector<JitSymbol> launchSymbols() {
  return {{"ufp4.launch", reinterpret_cast<void *>(&launchKernel)}};
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

void printStats(const EmulatedDevice &device, llvm::raw_ostream &os) {
  auto ratio = [](uint64_t used, uint64_t ideal) { return ideal ? double(used) / ideal : 1.0; };
  for (const auto &[name, kernel] : device.stats()) {
    uint64_t instructions = 0;
    for (const auto &[opcode, count] : kernel.sum.instructions)
      instructions += count;
    os << name << ": " << kernel.launches << " launches, " << kernel.blocks << " blocks, "
       << instructions << " LLVM instructions of threads, " << kernel.sum.mmas
       << " matrix instructions of warps, " << kernel.sum.barriers << " barriers\n";
    os << "  global memory: " << kernel.sum.globalSectors << " sectors, "
       << llvm::format("%.2f", ratio(kernel.sum.globalSectors, kernel.sum.idealGlobalSectors))
       << " of the fewest; shared memory: " << kernel.sum.sharedWavefronts << " wavefronts, "
       << llvm::format("%.2f", ratio(kernel.sum.sharedWavefronts, kernel.sum.idealSharedWavefronts))
       << " of the fewest\n";
    auto printSites = [&](std::vector<emulator::SiteStats> sites, StringRef what) {
      constexpr unsigned most = 3;
      llvm::stable_sort(sites, [](const emulator::SiteStats &x, const emulator::SiteStats &y) {
        return x.used - x.ideal > y.used - y.ideal;
      });
      sites.resize(std::min<size_t>(sites.size(), most));
      for (const emulator::SiteStats &site : sites)
        if (site.used > site.ideal)
          os << "    " << what << ' ' << (site.location.empty() ? "?" : site.location) << ": "
             << site.used << " in " << site.requests << " requests, "
             << llvm::format("%.2f", ratio(site.used, site.ideal)) << " of the fewest\n";
    };
    printSites(kernel.sum.globalSites, "sectors");
    printSites(kernel.sum.sharedSites, "wavefronts");
  }
}

} // namespace ufp4
