//===- QuantizeKernelTest.cpp - Quantize kernels against the definition ---===//
//
// Breaks when a kernel's codes or scales differ from numerics::quantize in a bit, lie elsewhere
// than the storage says, leave padding unwritten, or read what is not the input's.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "ufp4/Conversion/UFP4ToGPU/KernelEntries.h"
#include "ufp4/Conversion/UFP4ToGPU/QuantizeKernel.h"
#include "ufp4/Target/NVPTX/Binary.h"
#include "ufp4/Target/Schedule.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

#include <cmath>
#include <cstring>

using namespace ufp4;
using namespace ufp4::testing;
using emulator::Access;
using emulator::KernelArgument;
using numerics::Element;
using numerics::Format;
using numerics::ScaleKind;
using numerics::ScaleRule;
using numerics::Scheme;
using numerics::ViewShape;

namespace {

constexpr uint64_t kSeed = 0x123456789ABCDEF0;
constexpr uint32_t kStep = 0x80000007;
/// Two destinations draw from two streams.
uint32_t streamOf(QuantizeAxis axis) { return 41 + unsigned(axis); }

constexpr QuantizeAxis kAxes[] = {QuantizeAxis::Inner, QuantizeAxis::Outer};

/// Quantize kernels, and amax kernels of the axes whose scales ask for them, in one module.
struct QuantizeKernels {
  QuantizeKernelSpec spec;
  QuantizeKernelInfo quantize;
  std::optional<QuantizeKernelInfo> amax[2];
  std::unique_ptr<emulator::EmulatedModule> module;
  /// Whether launches count sectors and wavefronts, which takes a while.
  bool countsRequests = false;
};

bool hasGlobal(const std::optional<QuantizeDestination> &destination) {
  return destination && destination->scheme.scale == ScaleKind::UE4M3;
}

/// Builds what QuantizeKernels holds.
auto builderOf(const QuantizeKernelSpec &spec, QuantizeKernels &kernels) {
  return [&](mlir::OpBuilder &b, mlir::Location loc) -> mlir::LogicalResult {
    auto quantize = buildQuantizeKernel(b, loc, spec);
    if (failed(quantize))
      return mlir::failure();
    kernels.spec = spec;
    kernels.quantize = *quantize;
    for (QuantizeAxis axis : kAxes) {
      if (!hasGlobal(spec.along(axis)))
        continue;
      QuantizeKernelSpec one = spec;
      (axis == QuantizeAxis::Inner ? one.outer : one.inner).reset();
      auto amax = buildAmaxKernel(b, loc, one);
      if (failed(amax))
        return mlir::failure();
      kernels.amax[unsigned(axis)] = *amax;
    }
    return mlir::success();
  };
}

QuantizeKernels load(const QuantizeKernelSpec &spec) {
  QuantizeKernels kernels;
  kernels.module = loadKernels(*spec.chip, builderOf(spec, kernels));
  return kernels;
}

/// Which rows of how many make an array.
struct Gathered {
  std::vector<int32_t> rows;
  int32_t sourceRows = 0;
};

/// An array as the bytes of its element, or of those that its rows are gathered from; gaps between
/// rows and batches, and rows that no index names, hold NaNs.
struct Input {
  QuantizeExtents extents;
  Element element;
  Gathered gathered;
  std::vector<uint8_t> bytes;

  Input(QuantizeExtents extents, Element element, Gathered from = {})
      : extents(extents), element(element), gathered(std::move(from)) {
    int64_t last = (gathered.sourceRows ? gathered.sourceRows : extents.outer) - 1;
    if (extents.g && last >= 0 && extents.inner)
      bytes.assign(
          ((extents.g - 1) * extents.strideBatch + last * extents.strideOuter + extents.inner) *
              numerics::elementBytes(element),
          0xFF);
  }
  int64_t at(int64_t g, int64_t o, int64_t i) const {
    if (gathered.sourceRows)
      o = std::clamp(gathered.rows[o], 0, gathered.sourceRows - 1);
    return g * extents.strideBatch + o * extents.strideOuter + i;
  }
  void set(int64_t g, int64_t o, int64_t i, float value) {
    int64_t index = at(g, o, i);
    if (element == Element::F32) {
      std::memcpy(&bytes[index * 4], &value, 4);
      return;
    }
    uint16_t narrow =
        element == Element::F16 ? numerics::f32ToF16(value) : numerics::f32ToBF16(value);
    std::memcpy(&bytes[index * 2], &narrow, 2);
  }
  /// The view along an axis without gaps.
  std::vector<uint8_t> view(QuantizeAxis axis) const {
    std::vector<uint8_t> view;
    ViewShape shape = extents.view(axis);
    unsigned size = numerics::elementBytes(element);
    for (int64_t g = 0; g < shape.g; ++g)
      for (int64_t r = 0; r < shape.r; ++r)
        for (int64_t k = 0; k < shape.k; ++k) {
          int64_t from = (axis == QuantizeAxis::Inner ? at(g, r, k) : at(g, k, r)) * size;
          view.insert(view.end(), &bytes[from], &bytes[from] + size);
        }
    return view;
  }
};

/// Values whose binade changes from block to block along both dimensions, ties of both grids, zeros
/// and blocks of zeros; with `rarity` not 0 also blocks around 2^-120 and of great values, and once
/// in `rarity` a NaN, an infinity or what overflows in a rotation.
Input makeInput(QuantizeExtents extents, Element element, unsigned seed, unsigned rarity,
                const Gathered &gathered = {}) {
  Input input(extents, element, gathered);
  std::mt19937 random(seed);
  std::vector<std::pair<unsigned, float>> blocks;
  int64_t blocksOfRow = (extents.inner + 15) / 16;
  for (int64_t i = 0; i < (extents.outer + 15) / 16 * blocksOfRow; ++i) {
    float unit = std::ldexp(1.0f, int(random() % 12) - 6);
    if (rarity && random() % 4 == 0)
      unit = std::ldexp(1.0f, random() % 2 ? -122 + int(random() % 5) : 118 + int(random() % 10));
    blocks.push_back({random() % 16, unit});
  }
  for (int64_t g = 0; g < extents.g; ++g)
    for (int64_t o = 0; o < extents.outer; ++o)
      for (int64_t i = 0; i < extents.inner; ++i) {
        auto [kind, unit] = blocks[(o / 16 * blocksOfRow + i / 16 + g) % blocks.size()];
        float value = (random() * 0x1p-31f - 1) * unit;
        if (kind == 0)
          value = 0;
        else if (kind < 6)
          value = (int(random() % 29) - 14) * 0.25f * unit;
        if (random() % 16 == 0)
          value = random() % 2 ? -0.0f : 0.0f;
        if (rarity && random() % rarity == 0) {
          static const float special[] = {INFINITY,     -INFINITY, std::nanf(""),
                                          -0x1.fep127f, 0x1p-120f, 0x1.fep-121f};
          value = special[random() % 6];
        }
        input.set(g, o, i, value);
      }
  return input;
}

/// What kernels left for one destination.
struct Written {
  std::vector<uint8_t> planes[target::planeCount];
  float amax = 0, global = 0;
};
struct QuantizeRun {
  Written along[2];
  emulator::LaunchStats stats;

  Written &inner() { return along[0]; }
};

bool launch(QuantizeKernels &kernels, const QuantizeKernelInfo &info, const Input &input,
            QuantizeRun &run, uint64_t scheduleSeed) {
  std::vector<KernelArgument> arguments;
  const QuantizeExtents &extents = input.extents;
  bool isAmax = &info != &kernels.quantize;
  for (const QuantizeArgumentInfo &argument : info.arguments) {
    QuantizeArgument role = argument.role;
    QuantizeAxis axis = argument.axis;
    Written &written = run.along[unsigned(axis)];
    arguments.push_back([&] {
      switch (role) {
      case QuantizeArgument::Input:
        return KernelArgument::input(input.bytes.data(), input.bytes.size(), "input");
      case QuantizeArgument::Codes:
      case QuantizeArgument::Scales: {
        auto &plane =
            written
                .planes[role == QuantizeArgument::Codes ? target::codesPlane : target::scalesPlane];
        return KernelArgument::buffer(plane.data(), plane.size(), Access::Write,
                                      stringify(role).str());
      }
      case QuantizeArgument::Amax:
        return KernelArgument::buffer(&written.amax, 4, isAmax ? Access::ReadWrite : Access::Read,
                                      "amax");
      case QuantizeArgument::Global:
        return KernelArgument::buffer(&written.global, 4, Access::Write, "global");
      case QuantizeArgument::Seed:
        return KernelArgument::scalar(kSeed);
      case QuantizeArgument::Step:
        return KernelArgument::scalar(kStep);
      case QuantizeArgument::Stream:
        return KernelArgument::scalar(streamOf(axis));
      case QuantizeArgument::Outer:
        return KernelArgument::scalar(int32_t(extents.g ? extents.outer : 0));
      case QuantizeArgument::Inner:
        return KernelArgument::scalar(int32_t(extents.inner));
      case QuantizeArgument::StrideBatch:
        return KernelArgument::scalar(extents.strideBatch);
      case QuantizeArgument::StrideOuter:
        return KernelArgument::scalar(extents.strideOuter);
      case QuantizeArgument::Rows:
        return KernelArgument::input(input.gathered.rows.data(), input.gathered.rows.size() * 4,
                                     "rows");
      case QuantizeArgument::SourceRows:
        return KernelArgument::scalar(input.gathered.sourceRows);
      case QuantizeArgument::Groups:
      case QuantizeArgument::GroupTiles:
      case QuantizeArgument::GroupCount:
      case QuantizeArgument::FirstGroup:
        break; // Kernels of groups are launched by their entries.
      }
      llvm_unreachable("a closed set");
    }());
  }
  EXPECT_EQ(info.verifySizes(extents), std::nullopt);
  std::array<int64_t, 3> grid = info.grid(extents);
  if (!grid[0] || !grid[1] || !grid[2])
    return true;
  emulator::LaunchOptions options;
  options.requireOutputsWritten = true;
  options.seed = scheduleSeed;
  options.memoryStatistics = kernels.countsRequests;
  auto stats =
      kernels.module->launch(info.name, {unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2])},
                             {info.threads, 1, 1}, info.dynamicSharedBytes, arguments, options);
  if (!stats) {
    ADD_FAILURE() << llvm::toString(stats.takeError());
    return false;
  }
  run.stats = *stats;
  return true;
}

/// Runs the kernel, after those for amax where scales ask for it and none is given.
QuantizeRun runQuantize(QuantizeKernels &kernels, const Input &input, const float *amax = nullptr,
                        uint64_t scheduleSeed = 0) {
  QuantizeRun run;
  const target::KernelEntry entry = describeKernel(kernels.spec, kernels.quantize);
  const auto &own = input.extents;
  const std::map<std::string, int64_t> extents = {
      {"g", own.g}, {"outer", own.outer}, {"inner", own.inner}};
  for (QuantizeAxis axis : kAxes) {
    const std::optional<QuantizeDestination> &destination = kernels.spec.along(axis);
    if (!destination)
      continue;
    Written &written = run.along[unsigned(axis)];
    auto buffers = destination->storage->buffers({destination->scheme, input.extents.view(axis)});
    for (auto [plane, buffer, role] :
         llvm::zip(written.planes, buffers,
                   std::array{QuantizeArgument::Codes, QuantizeArgument::Scales})) {
      plane.assign(buffer.bytes, 0xFF);
      if (!buffer.bytes)
        continue;
      // What the manifest tells a launcher to allocate.
      std::string name = describeArgument({role, axis});
      llvm::Expected<int64_t> bytes = target::getBytes(entry, name, extents);
      if (bytes)
        EXPECT_EQ(*bytes, buffer.bytes) << name;
      else
        ADD_FAILURE() << llvm::toString(bytes.takeError());
    }
    if (amax)
      written.amax = *amax;
    else if (kernels.amax[unsigned(axis)])
      launch(kernels, *kernels.amax[unsigned(axis)], input, run, scheduleSeed);
  }
  launch(kernels, kernels.quantize, input, run, scheduleSeed);
  return run;
}

numerics::Quantized define(const QuantizeKernelSpec &spec, QuantizeAxis axis, const Input &input,
                           const float *amax = nullptr) {
  const QuantizeDestination &destination = *spec.along(axis);
  numerics::Draw draw{kSeed, streamOf(axis), kStep, destination.randomBits};
  return numerics::quantize(input.view(axis).data(), input.element, input.extents.view(axis),
                            destination.scheme, destination.randomBits ? &draw : nullptr, amax);
}

/// Bit for bit what the definition gives, in its storage.
void check(QuantizeKernels &kernels, const Input &input, const float *amax = nullptr,
           uint64_t scheduleSeed = 0) {
  QuantizeRun run = runQuantize(kernels, input, amax, scheduleSeed);
  for (QuantizeAxis axis : kAxes) {
    const std::optional<QuantizeDestination> &destination = kernels.spec.along(axis);
    if (!destination)
      continue;
    SCOPED_TRACE(stringify(axis).str());
    const Scheme &scheme = destination->scheme;
    ViewShape shape = input.extents.view(axis);
    numerics::Quantized expected = define(kernels.spec, axis, input, amax);
    auto packed = target::packOperand(*destination->storage, {scheme, shape}, expected.codes.data(),
                                      expected.scales());
    const Written &written = run.along[unsigned(axis)];
    for (unsigned plane = 0; plane < target::planeCount; ++plane) {
      ASSERT_EQ(written.planes[plane].size(), packed[plane].size());
      for (size_t i = 0; i < packed[plane].size(); ++i)
        ASSERT_EQ(written.planes[plane][i], packed[plane][i]) << "plane " << plane << " byte " << i;
    }
    if (scheme.scale != ScaleKind::UE4M3)
      continue;
    if (!amax) {
      float defined = numerics::amax(input.view(axis).data(), input.element, shape, scheme);
      ASSERT_EQ(numerics::bitsOf(written.amax), numerics::bitsOf(defined));
    }
    ASSERT_EQ(numerics::bitsOf(written.global), numerics::bitsOf(expected.global));
  }
}

/// All of a format, those of 2-D blocks among them.
std::vector<Scheme> allSchemes(Format format) {
  std::vector<Scheme> schemes;
  for (auto [scale, rule] :
       {std::pair(ScaleKind::F32, ScaleRule::Ceil), std::pair(ScaleKind::UE4M3, ScaleRule::Ceil),
        std::pair(ScaleKind::UE8M0, ScaleRule::Ceil),
        std::pair(ScaleKind::UE8M0, ScaleRule::OcpFloor)})
    for (unsigned block : {16, 32})
      for (unsigned rotation : {0, 1, 16, 32, 64, 128}) {
        Scheme scheme;
        scheme.format = format;
        scheme.scale = scale;
        scheme.rule = rule;
        scheme.block = block;
        if (rotation == 1)
          scheme.blockRows = block;
        else if (rotation)
          scheme.rotation = numerics::presetRotation(rotation);
        if (!numerics::verifyScheme(scheme))
          schemes.push_back(scheme);
      }
  return schemes;
}

QuantizeKernelSpec makeSpec(Element element, std::optional<QuantizeDestination> inner,
                            std::optional<QuantizeDestination> outer = std::nullopt,
                            unsigned innerMultiple = 1) {
  QuantizeKernelSpec spec;
  spec.chip = target::findChip(target::kBaselineChip);
  spec.element = element;
  spec.inner = inner;
  spec.outer = outer;
  spec.innerMultiple = innerMultiple;
  return spec;
}

constexpr Element kElements[] = {Element::BF16, Element::F16, Element::F32};
constexpr unsigned kRandomBits[] = {0, 16, 8};

/// Storages and roundings that a scheme does not go with give way to those that it does.
QuantizeDestination makeDestination(const Scheme &scheme, unsigned randomBits, unsigned storage) {
  QuantizeDestination destination;
  destination.scheme = scheme;
  destination.randomBits = scheme.blockRows > 1 ? 0 : randomBits;
  const target::Chip &chip = *target::findChip(target::kBaselineChip);
  auto storages = target::storages();
  do
    destination.storage = storages[storage++ % storages.size()];
  while (destination.storage->verify({scheme, {0, 0, 0}}, chip));
  return destination;
}

/// Some of all pairs of extents, others at each `turn`; rows and batches that follow one another
/// or lie apart; plain and extreme values; threads in order and shuffled.
void checkExtents(const QuantizeKernelSpec &spec, unsigned turn) {
  static constexpr int64_t extents[] = {0, 1, 2, 15, 16, 17, 31, 33, 64, 65, 127, 129};
  constexpr unsigned count = std::size(extents);
  QuantizeKernels kernels = load(spec);
  ASSERT_TRUE(kernels.module);
  SCOPED_TRACE(kernels.quantize.name);
  int64_t multiple = spec.innerMultiple;
  bool in2D = (spec.inner && spec.inner->scheme.blockRows > 1) ||
              (spec.outer && spec.outer->scheme.blockRows > 1);
  for (unsigned i = 0; i < 3; ++i) {
    unsigned number = turn * 3 + i;
    int64_t outer = extents[number % count], inner = extents[number * 5 / count % count] * multiple;
    int64_t strideOuter = inner + (number % 3 ? 0 : 3 * multiple);
    int64_t strideBatch = outer * strideOuter + (number % 4 ? 0 : 5 * multiple);
    SCOPED_TRACE(::testing::Message() << outer << " x " << inner);
    unsigned rarity = number % 2 ? 0 : in2D ? 1000 : 100;
    check(kernels,
          makeInput({number % 5 ? 1 : 3, outer, inner, strideBatch, strideOuter}, spec.element,
                    number + 1, rarity),
          nullptr, number % 3);
    if (::testing::Test::HasFatalFailure())
      return;
  }
}

/// Rows of an input in any order, some of them more than once, some not at all, and indices beyond
/// it.
Gathered makeGathered(int64_t count, int32_t sourceRows, unsigned seed) {
  std::mt19937 random(seed);
  Gathered gathered{std::vector<int32_t>(count), sourceRows};
  for (int32_t &row : gathered.rows)
    row = random() % 16 ? int32_t(random() % sourceRows) : int32_t(random());
  return gathered;
}

/// Breaks if a kernel reads a row that its index does not name, or an index of no row.
TEST(QuantizeKernel, Q1_GatheredRows) {
  static constexpr int64_t outers[] = {0, 1, 33, 128, 200, 385}, inners[] = {8, 64, 136, 320};
  for (const char *name : {"sm_80", "sm_100a", "sm_120a", "gfx942", "gfx950", "gfx1250"}) {
    const target::Chip &chip = *target::findChip(name);
    for (ScaleKind scale : {ScaleKind::F32, ScaleKind::UE4M3, ScaleKind::UE8M0}) {
      Scheme scheme;
      scheme.scale = scale;
      scheme.block = scale == ScaleKind::UE8M0 ? 32 : 16;
      scheme.rotation = numerics::presetRotation(scheme.block);
      std::string why;
      Scheme plain = scheme;
      plain.rotation = {};
      const target::GemmSchedule *schedule = chooseSchedule(chip, plain, std::nullopt, why);
      // gfx1250 has no kernels of f32 scales.
      if (!schedule && scale == ScaleKind::F32)
        continue;
      ASSERT_TRUE(schedule) << why;
      for (unsigned axes : {1, 2, 3}) {
        QuantizeDestination nearest{scheme, &schedule->storage()}, stochastic = nearest;
        stochastic.randomBits = 16;
        QuantizeKernelSpec spec =
            makeSpec(Element::BF16,
                     axes & 1 ? std::optional(axes == 1 ? stochastic : nearest) : std::nullopt,
                     axes & 2 ? std::optional(stochastic) : std::nullopt, 8);
        spec.chip = &chip;
        spec.gathers = true;
        QuantizeKernels kernels = load(spec);
        ASSERT_TRUE(kernels.module);
        SCOPED_TRACE(name + (" " + kernels.quantize.name));
        for (unsigned turn = 0; turn < 2; ++turn) {
          int64_t outer = outers[(axes + 2 * turn + unsigned(scale)) % std::size(outers)];
          int64_t inner = inners[(axes + turn) % std::size(inners)];
          check(kernels, makeInput({1, outer, inner}, Element::BF16, turn + 1, turn ? 100 : 0,
                                   makeGathered(outer, 3 + 40 * turn, turn)));
        }
      }
    }
  }
}

/// Breaks if the general way of a kernel gathers otherwise: other elements, rows of any length and
/// distance, 2-D blocks.
TEST(QuantizeKernel, Q1_GatheredRowsOfAnyLength) {
  Scheme scheme, square;
  scheme.block = 32;
  square.blockRows = 16;
  for (Element element : kElements)
    for (bool inColumns : {false, true})
      for (const Scheme &one : {scheme, square}) {
        QuantizeDestination destination = makeDestination(one, 0, unsigned(element));
        QuantizeKernelSpec spec = inColumns ? makeSpec(element, std::nullopt, destination)
                                            : makeSpec(element, destination);
        spec.gathers = true;
        QuantizeKernels kernels = load(spec);
        ASSERT_TRUE(kernels.module);
        SCOPED_TRACE(kernels.quantize.name);
        for (int64_t outer : {1, 65})
          check(kernels, makeInput({1, outer, 33, 0, 40}, element, outer, 100,
                                   makeGathered(outer, 7, outer)));
      }
}

/// Format, whether rounding is stochastic, and one of `kParts` parts of the schemes.
class QuantizeKernelSchemes : public ::testing::TestWithParam<std::tuple<Format, bool, unsigned>> {
};
constexpr unsigned kParts = 8;

// Every scheme; input types, storages, dimensions, widths of loads and second schemes are drawn.
TEST_P(QuantizeKernelSchemes, AreTheDefinitions) {
  auto [format, isStochastic, part] = GetParam();
  std::vector<Scheme> schemes = allSchemes(format);
  std::mt19937 random(1 + unsigned(format) + 2 * isStochastic);
  static constexpr unsigned multiples[] = {1, 2, 1, 8, 16};
  for (auto [i, scheme] : llvm::enumerate(schemes)) {
    unsigned draws[8];
    for (unsigned &draw : draws)
      draw = random() >> 8;
    // Stochastic rounding with half of them, in which any two of scale, block and rotation meet.
    if (i % kParts != part || (isStochastic && (scheme.blockRows > 1 || (i / 12 + i / 6 + i) % 2)))
      continue;
    QuantizeDestination one =
        makeDestination(scheme, isStochastic ? kRandomBits[1 + draws[0] % 2] : 0, draws[1]);
    QuantizeDestination other =
        makeDestination(schemes[draws[2] % schemes.size()], kRandomBits[draws[3] % 3], draws[4]);
    QuantizeKernelSpec spec =
        makeSpec(kElements[draws[6] % 3], one, other, multiples[draws[7] % 5]);
    if (draws[5] & 1)
      std::swap(spec.inner, spec.outer);
    // The scheme alone, or both.
    if (draws[5] & 2)
      (draws[5] & 1 ? spec.inner : spec.outer).reset();
    checkExtents(spec, i + 7 * part);
    if (HasFatalFailure())
      return;
  }
}

INSTANTIATE_TEST_SUITE_P(All, QuantizeKernelSchemes,
                         ::testing::Combine(::testing::Values(Format::E1M2, Format::E2M1),
                                            ::testing::Bool(), ::testing::Range(0u, kParts)));

/// Along the inner dimension, the outer one and both, the same way.
std::array<QuantizeKernelSpec, 3> makeSpecs(Element element, const QuantizeDestination &destination,
                                            unsigned innerMultiple = 1) {
  return {makeSpec(element, destination, std::nullopt, innerMultiple),
          makeSpec(element, std::nullopt, destination, innerMultiple),
          makeSpec(element, destination, destination, innerMultiple)};
}

/// One of each way to quantize.
constexpr llvm::StringLiteral kChips[] = {"sm_80",  "sm_90a", "sm_100a", "sm_120a",
                                          "gfx942", "gfx950", "gfx1250"};

/// Those of `kChips` for which kernels read operands in a storage; of natural storage all.
std::vector<const target::Chip *> chipsOf(const target::OperandStorage &storage) {
  std::vector<const target::Chip *> chips;
  for (llvm::StringRef name : kChips) {
    const target::Chip *chip = target::findChip(name);
    if (&storage == &target::naturalStorage() ||
        llvm::any_of(target::gemmSchedules(), [&](const target::GemmSchedule &schedule) {
          return &schedule.mma->storage() == &storage && schedule.mma->runsOn(*chip) &&
                 schedule.transport->runsOn(*chip);
        }))
      chips.push_back(chip);
  }
  return chips;
}

/// A chip, and whether along the inner dimension, the outer one or both.
class QuantizeKernelRoads
    : public ::testing::TestWithParam<std::tuple<llvm::StringLiteral, unsigned>> {};

// Extents at which threads find all of their runs inside, some, and none; values by which blocks
// lie in the range of the short way (QuantizeFast.h), outside of it, and side by side.
TEST_P(QuantizeKernelRoads, AreTheDefinitions) {
  auto [chip, axes] = GetParam();
  unsigned turn = axes;
  for (Format format : {Format::E1M2, Format::E2M1})
    for (ScaleKind scale : {ScaleKind::F32, ScaleKind::UE4M3, ScaleKind::UE8M0})
      for (unsigned storage = 0; storage < target::storages().size(); ++storage)
        for (unsigned bits : {0, 16}) {
          ++turn;
          const target::OperandStorage &one = *target::storages()[storage];
          if (!llvm::is_contained(chipsOf(one), target::findChip(chip)))
            continue;
          if ((turn / 2 + storage + unsigned(scale)) % 2 || (axes == 2 && turn % 3))
            continue;
          Scheme scheme;
          scheme.format = format;
          scheme.scale = scale;
          scheme.block = turn % 3 ? 16 : 32;
          scheme.rule = format == Format::E2M1 ? ScaleRule::OcpFloor : ScaleRule::Ceil;
          if (scale != ScaleKind::UE8M0)
            scheme.rule = ScaleRule::Ceil;
          if (unsigned size = turn % 4 == 3 ? 0 : turn % 4 == 1 ? 32 : 16)
            scheme.rotation = numerics::presetRotation(size);
          QuantizeDestination destination =
              makeDestination(scheme, bits && turn % 8 > 5 ? 8 : bits, storage);
          Element element = kElements[turn % 5 ? 0 : 1 + turn / 5 % 2];
          QuantizeKernelSpec spec =
              makeSpec(element, axes != 1 ? std::optional(destination) : std::nullopt,
                       axes ? std::optional(destination) : std::nullopt, turn % 2 ? 8 : 16);
          spec.chip = target::findChip(chip);
          QuantizeKernels kernels = load(spec);
          ASSERT_TRUE(kernels.module);
          SCOPED_TRACE(kernels.quantize.name);
          check(kernels, makeInput({1, 145, 176}, element, turn, turn % 2 ? 2000 : 0));
          if (HasFatalFailure())
            return;
        }
}

INSTANTIATE_TEST_SUITE_P(All, QuantizeKernelRoads,
                         ::testing::Combine(::testing::ValuesIn(kChips), ::testing::Range(0u, 3u)));

/// Every storage that takes the scheme, on one of its chips each, others at each `turn`.
template <typename Check>
void forEachStorage(const Scheme &scheme, unsigned bits, unsigned turn, Check check) {
  for (const target::OperandStorage *storage : target::storages()) {
    std::vector<const target::Chip *> chips = chipsOf(*storage);
    // Of two chips both at even turns, and at odd ones.
    const target::Chip *chip = chips[(turn + turn / chips.size()) % chips.size()];
    ++turn;
    if (storage->verify({scheme, {0, 0, 0}}, *chip))
      continue;
    QuantizeKernelSpec spec =
        makeSpec(Element::BF16, QuantizeDestination{scheme, storage, bits}, std::nullopt, 16);
    spec.chip = chip;
    QuantizeKernels kernels = load(spec);
    ASSERT_TRUE(kernels.module);
    SCOPED_TRACE(chip->name.str() + ' ' + kernels.quantize.name);
    check(kernels);
    if (::testing::Test::HasFatalFailure())
      return;
  }
}

// Every bf16, with its neighbours and, rotated or not, among ones of its binade's size.
TEST(QuantizeKernel, EveryInput) {
  for (unsigned turn : {0, 1, 2, 3, 4, 5}) {
    Scheme scheme;
    if (turn % 2)
      scheme.rotation = numerics::presetRotation(16);
    Input input({1, 512, 256}, Element::BF16);
    for (unsigned pattern = 0; pattern < 0x10000; ++pattern) {
      float value = numerics::floatOf(pattern << 16);
      input.set(0, pattern / 256, pattern % 256, value);
      // The same patterns 4099 apart, so that blocks mix binades.
      input.set(0, 256 + pattern / 256, pattern % 256,
                numerics::floatOf((pattern * 4099 & 0xFFFF) << 16));
    }
    forEachStorage(scheme, 0, turn, [&](QuantizeKernels &kernels) { check(kernels, input); });
  }
}

// Blocks whose maxima are the last inside of the range of the short way and the first outside, in
// threads whose other blocks are ordinary; zeros are inside.
TEST(QuantizeKernel, BordersOfTheRange) {
  unsigned turn = 0;
  for (auto [format, bits] : {std::pair(Format::E1M2, 0u), std::pair(Format::E1M2, 16u),
                              std::pair(Format::E2M1, 0u), std::pair(Format::E2M1, 16u)})
    for (ScaleKind scale : {ScaleKind::F32, ScaleKind::UE4M3, ScaleKind::UE8M0}) {
      Scheme scheme;
      scheme.format = format;
      scheme.scale = scale;
      Input input({1, 128, 256}, Element::BF16);
      for (int64_t o = 0; o < 128; ++o)
        for (int64_t i = 0; i < 256; ++i) {
          // A power of two, one in 16 the next number up or down; the block's other members
          // smaller.
          int exponent = -133 + int((o * 16 + i / 16) % 262);
          float maximum = std::ldexp(1.0f, exponent);
          uint32_t pattern = numerics::bitsOf(maximum) >> 16;
          pattern += o % 3 == 1 && exponent < 128 ? 1 : o % 3 == 2 ? -1 : 0;
          if (o % 16 == 7)
            pattern = 0;
          float value = numerics::floatOf(pattern << 16);
          input.set(0, o, i, i % 16 == o % 16 ? value : value * (int(i % 7) - 3) * 0.125f);
        }
      forEachStorage(scheme, bits, turn++, [&](QuantizeKernels &kernels) {
        if (scale != ScaleKind::UE4M3)
          return check(kernels, input);
        // S at the borders of its own range, and ratios from 2^-20 to infinity under each.
        for (float amax : {0x1.88p-79f, 0x1.87p-79f, 1.0f, 0x1.8ap101f})
          check(kernels, input, &amax);
      });
      if (HasFatalFailure())
        return;
    }
}

// Codes times scales of either kind, to nearest and by random words, where values are kept one by
// one and in pairs.
TEST(QuantizeKernel, Products) {
  unsigned turn = 0;
  for (llvm::StringRef chip : {"sm_90a", "sm_100a"})
    for (ScaleKind scale : {ScaleKind::UE4M3, ScaleKind::UE8M0})
      for (unsigned bits : {0, 16}) {
        ++turn;
        Scheme scheme;
        scheme.scale = scale;
        scheme.block = scale == ScaleKind::UE8M0 ? 32 : 16;
        scheme.rotation = numerics::presetRotation(16);
        QuantizeDestination destination{scheme, &target::tileMajorFoldedStorage(), bits};
        QuantizeKernelSpec spec = makeSpecs(Element::BF16, destination, 16)[turn / 3 % 2];
        spec.chip = target::findChip(chip);
        QuantizeKernels kernels = load(spec);
        ASSERT_TRUE(kernels.module);
        SCOPED_TRACE(chip.str() + ' ' + kernels.quantize.name);
        check(kernels, makeInput({1, 66, 128}, Element::BF16, turn, turn % 3 ? 500 : 0));
        if (HasFatalFailure())
          return;
      }
}

// What products on tensor memory and block-scaled instructions read: codes of either format, to
// nearest and by random words of 16 and 8 bits, as they are and widened to E2M3.
TEST(QuantizeKernel, BlockScaledOperands) {
  unsigned turn = 0;
  for (const target::OperandStorage *storage :
       {target::findStorage("tile_major_4bit_words"), target::findStorage("tile_major_e2m3_packed"),
        target::findStorage("tile_major_e2m3")})
    for (Format format : {Format::E1M2, Format::E2M1})
      for (unsigned bits : {0, 16, 8}) {
        ++turn;
        Scheme scheme;
        scheme.format = format;
        bool isWide = storage != target::findStorage("tile_major_4bit_words");
        scheme.scale = isWide ? ScaleKind::UE8M0 : ScaleKind::UE4M3;
        scheme.block = isWide ? 32 : 16;
        scheme.rotation = numerics::presetRotation(turn % 2 ? 16 : 32);
        QuantizeKernelSpec spec =
            makeSpecs(Element::BF16, QuantizeDestination{scheme, storage, bits}, 16)[turn / 3 % 3];
        spec.chip = target::findChip(turn % 4 ? "sm_100a" : "sm_120a");
        QuantizeKernels kernels = load(spec);
        ASSERT_TRUE(kernels.module);
        SCOPED_TRACE(spec.chip->name.str() + ' ' + kernels.quantize.name);
        check(kernels, makeInput({1, 66, 160}, Element::BF16, turn, turn % 3 ? 500 : 0));
        if (HasFatalFailure())
          return;
      }
}

/// Specs of kernels that a matrix unit rotates for, one of each way to keep values.
template <typename Check> void forEachMatrixRotation(Check check) {
  unsigned turn = 0;
  for (llvm::StringRef chip : {"sm_80", "sm_90a", "sm_100a", "sm_120a"})
    for (unsigned size : {16, 32})
      for (unsigned bits : {0, 16}) {
        Scheme scheme;
        scheme.scale = size == 32 ? ScaleKind::UE8M0 : ScaleKind::F32;
        scheme.block = size;
        scheme.rotation = numerics::presetRotation(size);
        if (turn++ % 3)
          scheme.rotation.signs[0] = 0x9E3779B9 >> (32 - size);
        const target::OperandStorage *storage = &target::naturalStorage();
        if ((turn + turn / 4) % 2)
          storage = &target::tileMajorStorage();
        QuantizeDestination destination{scheme, storage, bits, /*rotatesByMma=*/true};
        // Along rows, or either or both of the others.
        QuantizeKernelSpec spec = makeSpecs(Element::BF16, destination, 16)[turn / 4 % 3];
        spec.chip = target::findChip(chip);
        QuantizeKernels kernels = load(spec);
        ASSERT_TRUE(kernels.module);
        SCOPED_TRACE(chip.str() + ' ' + kernels.quantize.name);
        EXPECT_NE(kernels.quantize.name.find("_mma"), std::string::npos);
        check(kernels, turn);
        if (::testing::Test::HasFatalFailure())
          return;
      }
}

// Q2: `evaluation = mma` has the definition's bits where a run's magnitudes that are not 0 lie
// within a factor 2^11, the last of which is met. Some blocks are whole, some are not.
TEST(QuantizeKernel, MatrixUnitsRotateExactly) {
  forEachMatrixRotation([&](QuantizeKernels &kernels, unsigned seed) {
    Input input({2, 145, 144}, Element::BF16);
    std::mt19937 random(seed);
    for (int64_t g = 0; g < 2; ++g)
      for (int64_t o = 0; o < 145; ++o)
        for (int64_t i = 0; i < 144; ++i) {
          int binade = int((o / 32 * 5 + i / 32) * 37 % 200) - 100 + random() % 12;
          float mantissa = binade % 11 == 0 ? 1 : 1 + (random() % 128) / 128.0f;
          float value = std::ldexp(random() % 2 ? mantissa : -mantissa, binade);
          input.set(g, o, i, random() % 8 && o % 16 ? value : 0);
        }
    EXPECT_GT(runQuantize(kernels, input).stats.mmas, 0u);
    check(kernels, input);
  });
}

// Elsewhere x' is within 2^-22 of the greatest, so the scale is that far off at most, and codes
// differ where t is that close to a border.
TEST(QuantizeKernel, MatrixUnitsRotateClosely) {
  unsigned inexact = 0;
  forEachMatrixRotation([&](QuantizeKernels &kernels, unsigned seed) {
    if (!kernels.spec.inner)
      return;
    const QuantizeDestination &destination = *kernels.spec.inner;
    if (destination.scheme.scale != ScaleKind::F32 || destination.randomBits ||
        destination.storage != &target::naturalStorage())
      return;
    constexpr int64_t rows = 256, depth = 256;
    Input input({1, rows, depth}, Element::BF16);
    std::mt19937 random(seed);
    for (int64_t o = 0; o < rows; ++o)
      for (int64_t i = 0; i < depth; ++i)
        input.set(0, o, i, std::ldexp(random() * 0x1p-31f - 1, -int(random() % 40)));
    const Written &written = runQuantize(kernels, input).along[0];
    numerics::Quantized expected = define(kernels.spec, QuantizeAxis::Inner, input);
    auto packed = target::packOperand(*destination.storage, {destination.scheme, {1, rows, depth}},
                                      expected.codes.data(), expected.scales());
    for (unsigned i = 0; i < rows * depth / 16; ++i) {
      float one, other;
      std::memcpy(&one, &written.planes[1][i * 4], 4);
      std::memcpy(&other, &packed[1][i * 4], 4);
      ASSERT_LE(std::abs(one - other), 0x1.8p-22f * other) << "block " << i;
      inexact += one != other;
    }
    unsigned differences = 0;
    for (unsigned i = 0; i < rows * depth / 2; ++i)
      for (unsigned shift : {0, 4}) {
        unsigned one = written.planes[0][i] >> shift & 15, other = packed[0][i] >> shift & 15;
        differences += one != other;
        int difference = int(one & 7) - int(other & 7);
        ASSERT_LE(std::abs(difference), 1) << "byte " << i;
      }
    EXPECT_LE(differences, 4u);
  });
  EXPECT_GT(inexact, 0u) << "the inputs are exact";
}

// Draws whose numbers need a second word (Q7): the module is moved to rows far down in a view, and
// that word changes at row 100, between two runs.
TEST(QuantizeKernel, DrawsBeyond32Bits) {
  constexpr int64_t depth = 48, drawsOfRow = depth / 8, rows = 200;
  constexpr int64_t firstRow = ((int64_t(1) << 32) - 100 * drawsOfRow) / drawsOfRow;
  static_assert(firstRow * drawsOfRow + 100 * drawsOfRow == (int64_t(1) << 32) - 4);
  for (QuantizeAxis axis : kAxes)
    for (const target::OperandStorage *storage :
         {static_cast<const target::OperandStorage *>(&target::naturalStorage()),
          static_cast<const target::OperandStorage *>(&target::tileMajorStorage())}) {
      SCOPED_TRACE(stringify(axis).str() + " " + storage->name().str());
      QuantizeDestination destination;
      destination.scheme.rotation = numerics::presetRotation(16);
      destination.storage = storage;
      destination.randomBits = 16;
      QuantizeKernelSpec spec = makeSpec(Element::BF16, std::nullopt, std::nullopt, 8);
      bool isInner = axis == QuantizeAxis::Inner;
      (isInner ? spec.inner : spec.outer) = destination;
      QuantizeKernels kernels;
      kernels.module = loadKernels(*spec.chip, builderOf(spec, kernels), [&](llvm::Module &module) {
        // A run's first draw is its index in the view by 8.
        unsigned moved = 0;
        for (llvm::Function &function : module)
          for (llvm::Instruction &instruction :
               llvm::make_early_inc_range(llvm::instructions(function))) {
            using namespace llvm::PatternMatch;
            if (!match(&instruction, m_LShr(m_Add(m_Value(), m_Value()), m_SpecificInt(3))) ||
                !instruction.getType()->isIntegerTy(64))
              continue;
            llvm::IRBuilder<> b(instruction.getNextNode());
            auto *sum = llvm::cast<llvm::Instruction>(
                b.CreateAdd(&instruction, b.getInt64(firstRow * drawsOfRow)));
            instruction.replaceUsesWithIf(sum,
                                          [&](llvm::Use &use) { return use.getUser() != sum; });
            ++moved;
          }
        // The short way's and the other's.
        EXPECT_GE(moved, 2u);
      });
      ASSERT_TRUE(kernels.module);
      Input input =
          makeInput(isInner ? QuantizeExtents(1, rows, depth) : QuantizeExtents(1, depth, rows),
                    Element::BF16, 3, 0);
      QuantizeRun run = runQuantize(kernels, input);
      numerics::Draw draw{kSeed, streamOf(axis), kStep, 16};
      numerics::Place place;
      place.at[1] = {firstRow};
      place.of[1] = {int64_t(1) << 31};
      place.part[1] = {rows};
      numerics::Quantized expected =
          numerics::quantize(input.view(axis).data(), Element::BF16, input.extents.view(axis),
                             destination.scheme, &draw, nullptr, &place);
      EXPECT_EQ(run.along[unsigned(axis)].planes[target::codesPlane],
                target::packOperand(*storage, {destination.scheme, input.extents.view(axis)},
                                    expected.codes.data(), expected.scales())[target::codesPlane]);
    }
}

// Sums that leave f32's range in some stage of a rotation, and infinities that meet in a later one:
// of NaNs alone, among numbers, a block must be poisoned as well.
TEST(QuantizeKernel, RotationsOverflow) {
  for (auto [chip, rotation, block] : {std::tuple("gfx942", 16u, 16u),
                                       {"gfx950", 32u, 16u},
                                       {"gfx950", 16u, 32u},
                                       {"gfx942", 32u, 32u},
                                       {"sm_100a", 32u, 16u}}) {
    Scheme scheme;
    scheme.block = block;
    scheme.rotation = numerics::presetRotation(rotation);
    QuantizeKernelSpec spec = makeSpec(
        Element::BF16, QuantizeDestination{scheme, &target::naturalStorage()}, std::nullopt, 16);
    spec.chip = target::findChip(chip);
    QuantizeKernels kernels = load(spec);
    ASSERT_TRUE(kernels.module);
    SCOPED_TRACE(std::string(chip) + ' ' + kernels.quantize.name);
    Input input({1, 256, 256}, Element::BF16);
    std::mt19937 random(rotation + block);
    for (int64_t o = 0; o < 256; ++o)
      for (int64_t i = 0; i < 256; ++i) {
        // From a few great numbers among zeros to nothing else.
        float value = random() % 32 < uint32_t(o / 8) ? 0x1.8p127f : 0.0f;
        input.set(0, o, i, random() % 2 ? value : -value);
      }
    check(kernels, input);
    if (HasFatalFailure())
      return;
  }
}

// The lemmas of the short way, over all mantissas: exponents only scale what is normal.
TEST(QuantizeKernel, DivisionAndReciprocalAreRounded) {
  for (float g : {7.0f, 6.0f}) {
    const float reciprocal = 1 / g;
    unsigned different = 0;
    for (uint32_t mantissa = 0; mantissa < 1u << 23; ++mantissa) {
      float x = numerics::floatOf(0x3F800000 | mantissa), q = x * reciprocal;
      different += std::fma(std::fma(-q, g, x), reciprocal, q) != x / g;
    }
    EXPECT_EQ(different, 0u) << g;
  }
  // From any seed within a last place. Of a mantissa of ones the reciprocal is a tie but for its
  // last bits, and the smaller neighbour would stay; the chips' rcp.rn.f32 relies on the other.
  unsigned different = 0;
  for (uint32_t mantissa = 0; mantissa < 0x7FFFFF; ++mantissa) {
    float x = numerics::floatOf(0x3F800000 | mantissa), exact = 1 / x;
    for (int ulps : {-1, 0, 1}) {
      float seed = numerics::floatOf(numerics::bitsOf(exact) + ulps);
      if (std::fabs(1 / double(x) - seed) > std::ldexp(1.0, -24))
        continue;
      different += std::fma(std::fma(-x, seed, 1.0f), seed, seed) != exact;
    }
  }
  EXPECT_EQ(different, 0u);
}

// Loads of 2 to 16 bytes, and without checks within a run.
TEST(QuantizeKernel, WideLoads) {
  unsigned turn = 0;
  for (Element element : kElements)
    for (unsigned multiple : {2, 3, 4, 8, 24, 160}) {
      QuantizeKernels kernels =
          load(makeSpecs(element, makeDestination({}, 0, turn), multiple)[turn % 7 % 3]);
      ASSERT_TRUE(kernels.module);
      SCOPED_TRACE(kernels.quantize.name);
      for (int64_t times : {1, 2, 5})
        check(kernels, makeInput({2, 19, times * multiple}, element, multiple + times, 100));
      ++turn;
    }
}

// Any mask of signs, not the presets' alone.
TEST(QuantizeKernel, AnyMask) {
  for (unsigned size : {16, 128}) {
    Scheme scheme;
    scheme.rotation.size = size;
    scheme.rotation.signs = {size == 16 ? 0x8001ull : 0x8000000000000001ull,
                             size == 16 ? 0ull : 0xFEDCBA9876543210ull};
    QuantizeDestination destination = makeDestination(scheme, 0, 0);
    QuantizeKernels kernels = load(makeSpec(Element::BF16, destination, destination));
    ASSERT_TRUE(kernels.module);
    check(kernels, makeInput({1, 7, 300}, Element::BF16, 3, 0));
  }
}

// Q4 by hand: poison, a zero block, and the least block that is none.
TEST(QuantizeKernel, PoisonAndZeroBlocks) {
  for (const QuantizeKernelSpec &spec : makeSpecs(Element::F32, makeDestination({}, 0, 0))) {
    QuantizeKernels kernels = load(spec);
    ASSERT_TRUE(kernels.module);
    for (QuantizeAxis axis : kAxes) {
      if (!spec.along(axis))
        continue;
      bool isInner = axis == QuantizeAxis::Inner;
      Input input(isInner ? QuantizeExtents(1, 1, 64) : QuantizeExtents(1, 64, 1), Element::F32);
      auto set = [&](int64_t k, float value) {
        isInner ? input.set(0, 0, k, value) : input.set(0, k, 0, value);
      };
      for (int64_t k = 0; k < 64; ++k)
        set(k, k < 16 ? 1.0f : k < 32 ? 0.0f : k < 48 ? -0x1p-120f : 0x1.fffffep-121f);
      set(5, std::nanf(""));
      set(20, -0.0f);
      QuantizeRun run = runQuantize(kernels, input);
      const Written &written = run.along[unsigned(axis)];
      std::vector<uint8_t> codes(32, 0);
      std::fill_n(codes.begin() + 16, 8, 0xFF);
      EXPECT_EQ(written.planes[target::codesPlane], codes);
      uint32_t scales[4];
      std::memcpy(scales, written.planes[target::scalesPlane].data(), sizeof(scales));
      EXPECT_EQ(scales[0], numerics::canonicalNaN);
      EXPECT_EQ(scales[1], 0u);
      EXPECT_EQ(scales[2], numerics::bitsOf(0x1p-120f / 7));
      EXPECT_EQ(scales[3], 0u);
    }
  }
}

// Q3, Q4: a 2-D block is poisoned as a whole, its neighbours are not, and amax_tensor leaves it
// out.
TEST(QuantizeKernel, PoisonedBlockOfRows) {
  for (unsigned block : {16, 32}) {
    Scheme scheme;
    scheme.block = scheme.blockRows = block;
    scheme.scale = ScaleKind::UE4M3;
    for (const QuantizeKernelSpec &spec : makeSpecs(Element::BF16, makeDestination(scheme, 0, 0))) {
      QuantizeKernels kernels = load(spec);
      ASSERT_TRUE(kernels.module);
      Input input({1, 3 * block - 1, 3 * block - 1}, Element::BF16);
      for (int64_t o = 0; o < input.extents.outer; ++o)
        for (int64_t i = 0; i < input.extents.inner; ++i)
          input.set(0, o, i, o / block == 1 && i / block == 1 ? 64.0f : 2.0f);
      input.set(0, block + 3, 2 * block - 1, INFINITY);
      check(kernels, input);
      QuantizeRun run = runQuantize(kernels, input);
      for (QuantizeAxis axis : kAxes) {
        if (!spec.along(axis))
          continue;
        const Written &written = run.along[unsigned(axis)];
        EXPECT_EQ(written.amax, 2.0f);
        // Of 3 x 3 blocks the one in the middle.
        std::vector<uint8_t> scales(9, numerics::encodeUE4M3(448));
        scales[4] = numerics::nanUE4M3;
        EXPECT_EQ(written.planes[target::scalesPlane], scales);
      }
    }
  }
}

// Q5: an amax_tensor that is no maximum poisons every block, and no padding.
TEST(QuantizeKernel, GivenAmax) {
  for (unsigned storage = 0; storage < 2; ++storage) {
    Scheme scheme;
    scheme.scale = ScaleKind::UE4M3;
    QuantizeDestination destination = makeDestination(scheme, 0, storage);
    QuantizeKernels kernels = load(makeSpec(Element::BF16, destination, destination));
    ASSERT_TRUE(kernels.module);
    for (float amax : {3.0f, 0.0f, 1e-38f, 1e30f, -1.0f, INFINITY, std::nanf("")}) {
      SCOPED_TRACE(amax);
      check(kernels, makeInput({1, 9, 40}, Element::BF16, 5, 0), &amax);
    }
  }
}

// An empty view has an S all the same, and padding where it has rows.
TEST(QuantizeKernel, EmptyViews) {
  for (unsigned storage = 0; storage < target::storages().size(); ++storage)
    for (ScaleKind scale : {ScaleKind::F32, ScaleKind::UE4M3}) {
      Scheme scheme;
      scheme.scale = scale;
      for (const QuantizeKernelSpec &spec :
           makeSpecs(Element::BF16, makeDestination(scheme, 16, storage))) {
        QuantizeKernels kernels = load(spec);
        ASSERT_TRUE(kernels.module);
        for (QuantizeExtents extents :
             {QuantizeExtents(1, 0, 16), QuantizeExtents(1, 3, 0), QuantizeExtents(0, 3, 16)})
          check(kernels, makeInput(extents, Element::BF16, 1, 0));
      }
    }
}

// A kernel of two destinations reads its input once, and shared memory without conflicts.
TEST(QuantizeKernel, MemoryTraffic) {
  for (auto [element, rotation, blockRows] :
       {std::tuple(Element::BF16, 0u, 1u), std::tuple(Element::BF16, 0u, 16u),
        std::tuple(Element::BF16, 128u, 1u), std::tuple(Element::F32, 0u, 1u),
        std::tuple(Element::F32, 32u, 1u), std::tuple(Element::F32, 64u, 1u)}) {
    Scheme scheme;
    scheme.blockRows = blockRows;
    if (rotation)
      scheme.rotation = numerics::presetRotation(rotation);
    QuantizeDestination destination = {scheme, &target::tileMajorStorage()};
    QuantizeKernels kernels = load(makeSpec(element, destination, destination, 128));
    ASSERT_TRUE(kernels.module);
    kernels.countsRequests = true;
    SCOPED_TRACE(kernels.quantize.name);
    Input input = makeInput({1, 128, 128}, element, 1, 0);
    QuantizeRun run = runQuantize(kernels, input);
    EXPECT_EQ(run.stats.sharedWavefronts, run.stats.idealSharedWavefronts);
    EXPECT_GT(run.stats.sharedWavefronts, 0u);
    size_t bytes = input.bytes.size();
    for (const Written &written : run.along)
      for (const std::vector<uint8_t> &plane : written.planes)
        bytes += plane.size();
    EXPECT_EQ(run.stats.idealGlobalSectors * 32, bytes);
  }
}

TEST(QuantizeKernel, RefusesWhatItCannot) {
  mlir::MLIRContext ir(mlir::MLIRContext::Threading::DISABLED);
  loadKernelDialects(ir);
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&ir, [&](mlir::Diagnostic &diagnostic) {
    message = diagnostic.str();
    return mlir::success();
  });
  mlir::OpBuilder b(&ir);
  mlir::OwningOpRef<mlir::gpu::GPUModuleOp> module(
      mlir::gpu::GPUModuleOp::create(b, b.getUnknownLoc(), "kernels"));
  b.setInsertionPointToStart(module->getBody());
  QuantizeDestination destination = makeDestination({}, 0, 0);
  auto expectRefused = [&](const QuantizeKernelSpec &spec, llvm::StringRef reason, bool isAmax) {
    message.clear();
    EXPECT_TRUE(failed(isAmax ? buildAmaxKernel(b, b.getUnknownLoc(), spec)
                              : buildQuantizeKernel(b, b.getUnknownLoc(), spec)));
    EXPECT_NE(message.find(reason.str()), std::string::npos) << message;
  };
  expectRefused(makeSpec(Element::BF16, std::nullopt), "a destination", false);
  expectRefused(makeSpec(Element::BF16, destination, destination), "not along both", true);
  expectRefused(makeSpec(Element::BF16, destination, std::nullopt, 0), "multiple of 0", false);
  QuantizeDestination bad = destination;
  bad.randomBits = 12;
  expectRefused(makeSpec(Element::BF16, destination, bad), "12 bits", false);
  bad = destination;
  bad.storage = nullptr;
  expectRefused(makeSpec(Element::BF16, bad), "a storage", false);
  bad = destination;
  bad.scheme.blockRows = 16;
  bad.scheme.rotation = numerics::presetRotation(16);
  expectRefused(makeSpec(Element::BF16, bad), *numerics::verifyScheme(bad.scheme), false);
  EXPECT_TRUE(module->getBody()->without_terminator().empty());

  auto info = buildQuantizeKernel(b, b.getUnknownLoc(), makeSpec(Element::BF16, destination));
  auto wide = buildQuantizeKernel(b, b.getUnknownLoc(),
                                  makeSpec(Element::BF16, std::nullopt, destination, 8));
  ASSERT_TRUE(succeeded(info) && succeeded(wide));
  EXPECT_EQ(info->verifySizes({65535, 65535 * 32, 1 << 20}), std::nullopt);
  EXPECT_EQ(wide->verifySizes({3, 2, 16, 64, 24}), std::nullopt);
  EXPECT_EQ(wide->verifySizes({1, 1, 16, 3, 5}), std::nullopt);
  for (auto [kernel, extents, reason] :
       {std::tuple(&*info, QuantizeExtents(1, int64_t(65535) * info->outerOfBlock + 1, 16),
                   "along y"),
        std::tuple(&*info, QuantizeExtents(65536, 1, 16), "along z"),
        std::tuple(&*info, QuantizeExtents(1, 1, INT32_MAX), "32 bits"),
        std::tuple(&*wide, QuantizeExtents(1, INT32_MAX, 8), "32 bits"),
        std::tuple(&*wide, QuantizeExtents(1, 1, 12), "rows of 12"),
        std::tuple(&*wide, QuantizeExtents(1, 2, 16, 40, 20), "rows that are apart by 20"),
        std::tuple(&*wide, QuantizeExtents(2, 1, 16, 20, 16), "batches that are apart by 20")}) {
    message = kernel->verifySizes(extents).value_or("");
    EXPECT_NE(message.find(reason), std::string::npos) << message;
  }
}

/// One operand quantized by kernels, and what it means.
struct Quantized {
  Written run;
  Operand operand;
};

Quantized quantizeForGemm(const Scheme &scheme, ViewShape shape, unsigned bits, unsigned seed) {
  QuantizeDestination destination = {scheme, &target::tileMajorStorage(), bits};
  QuantizeKernelSpec spec = makeSpec(Element::BF16, destination);
  QuantizeKernels kernels = load(spec);
  Input input({shape.g, shape.r, shape.k}, Element::BF16);
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  for (int64_t g = 0; g < shape.g; ++g)
    for (int64_t r = 0; r < shape.r; ++r)
      for (int64_t k = 0; k < shape.k; ++k)
        input.set(g, r, k, normal(random));
  return {runQuantize(kernels, input).inner(),
          {scheme, shape, define(spec, QuantizeAxis::Inner, input)}};
}

// From bf16 values to C by kernels alone, against the definition of both steps.
TEST(QuantizeKernel, ThenGemm) {
  for (ScaleKind scale : {ScaleKind::F32, ScaleKind::UE4M3, ScaleKind::UE8M0}) {
    Scheme scheme;
    scheme.scale = scale;
    scheme.rotation = numerics::presetRotation(16);
    int64_t m = 97, n = 141, k = 301, batch = 2;
    Quantized a = quantizeForGemm(scheme, {batch, m, k}, 0, 1),
              b = quantizeForGemm(scheme, {batch, n, k}, 16, 2);
    GemmKernelSpec spec;
    spec.chip = target::findChip(target::kBaselineChip);
    spec.scheme = scheme;
    spec.path = target::Path::Post;
    LoadedKernel gemm = loadKernel(spec);
    ASSERT_TRUE(gemm.module);
    GemmRun result;
    result.result.assign(batch * m * n, std::nanf(""));
    auto input = [](const std::vector<uint8_t> &bytes, const char *name) {
      return KernelArgument::input(bytes.data(), bytes.size(), name);
    };
    std::vector<KernelArgument> arguments = {
        input(a.run.planes[target::codesPlane], "codes_a"),
        input(a.run.planes[target::scalesPlane], "scales_a"),
        input(b.run.planes[target::codesPlane], "codes_b"),
        input(b.run.planes[target::scalesPlane], "scales_b"),
        KernelArgument::buffer(result.result.data(), result.result.size() * 4, Access::Write, "c")};
    if (scale == ScaleKind::UE4M3) {
      arguments.push_back(KernelArgument::input(&a.run.global, 4, "global_a"));
      arguments.push_back(KernelArgument::input(&b.run.global, 4, "global_b"));
    }
    int64_t depthTiles = gemm.info.depthTiles(numerics::paddedK(scheme, k));
    for (int64_t size : {m, n, depthTiles})
      arguments.push_back(KernelArgument::scalar(int32_t(size)));
    std::array<int64_t, 3> grid = gemm.info.grid(m, n, batch);
    auto stats = gemm.module->launch(
        gemm.info.name, {unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2])},
        {gemm.info.threads, 1, 1}, gemm.info.dynamicSharedBytes, arguments);
    ASSERT_TRUE(bool(stats)) << llvm::toString(stats.takeError());
    expectConforms(spec, result, exactGemm(a.operand, b.operand));
  }
}

void checkBinary(const QuantizeKernelSpec &spec, bool hasPtxas) {
  llvm::LLVMContext context;
  QuantizeKernels kernels;
  std::unique_ptr<llvm::Module> module =
      translateKernels(*spec.chip, context, builderOf(spec, kernels));
  ASSERT_TRUE(module);
  SCOPED_TRACE(spec.chip->name.str() + ' ' + kernels.quantize.name);
  auto ptx = target::emitPTX(*module, *spec.chip);
  ASSERT_TRUE(bool(ptx)) << llvm::toString(ptx.takeError());
  // No flush to zero, no approximate result, and no contraction by any later compiler (Q). The seed
  // of a reciprocal (LaneInstructions.h) is none.
  std::string text = ptx->text;
  static constexpr llvm::StringLiteral seed = "rcp.approx.ftz.f32";
  for (size_t at; (at = text.find(seed.str())) != std::string::npos;)
    text.erase(at, seed.size());
  for (llvm::StringRef forbidden :
       {".ftz", ".approx", "div.full", "mul.f32", "add.f32", "sub.f32", "mad.f32"})
    EXPECT_EQ(text.find(forbidden.str()), std::string::npos) << forbidden.str();
  if (!hasPtxas)
    return;
  auto cubin = target::assemble(ptx->text, *spec.chip);
  ASSERT_TRUE(bool(cubin)) << llvm::toString(cubin.takeError());
  for (const target::KernelUsage &usage : cubin->kernels)
    EXPECT_EQ(usage.spillStoreBytes + usage.spillLoadBytes + usage.stackBytes + usage.sharedBytes,
              0u)
        << usage.name;
}

class QuantizeKernelBinary : public ::testing::TestWithParam<std::tuple<ScaleKind, unsigned>> {};

// The module that the emulator runs becomes a binary without spills, and its arithmetic is IEEE's.
TEST_P(QuantizeKernelBinary, DoesNotSpill) {
  auto ptxas = target::findPtxas({});
  std::string missing = ptxas ? "" : llvm::toString(ptxas.takeError());
  auto [scale, rotation] = GetParam();
  unsigned turn = unsigned(scale) * 3 + rotation / 16;
  for (unsigned bits : {0, 16}) {
    Scheme scheme;
    scheme.format = turn % 3 ? Format::E1M2 : Format::E2M1;
    scheme.scale = scale;
    if (rotation == 1)
      scheme.blockRows = scheme.block;
    else if (rotation)
      scheme.rotation = numerics::presetRotation(rotation);
    QuantizeDestination destination = makeDestination(scheme, bits, turn);
    auto specs = makeSpecs(Element::BF16, destination, turn % 4 ? 128 : 1);
    for (auto [i, spec] : llvm::enumerate(specs)) {
      // The assembler takes seconds for the longest runs.
      if (rotation == 128 && (i != unsigned(scale) || !bits))
        continue;
      // What the assembler takes.
      spec.chip = target::findChip(kChips[turn++ % 4]);
      checkBinary(spec, missing.empty());
    }
  }
  if (!missing.empty())
    GTEST_SKIP() << missing;
}

INSTANTIATE_TEST_SUITE_P(All, QuantizeKernelBinary,
                         ::testing::Combine(::testing::Values(ScaleKind::F32, ScaleKind::UE4M3,
                                                              ScaleKind::UE8M0),
                                            ::testing::Values(0u, 1u, 16u, 128u)));

} // namespace
