//===- GroupedKernelTest.cpp - Kernels of grouped GEMMs -------------------===//
//
// Breaks when a group's codes, scales or S differ in a bit from those of numerics::quantizeGroups,
// lie elsewhere than at its tiles, or when a product of groups is another than G4's: with any order
// of sizes, with sizes that do not fit, on every chip of the construction.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "ufp4/Conversion/UFP4ToGPU/KernelEntries.h"
#include "ufp4/Execution/EmulatedDevice.h"
#include "ufp4/Numerics/Groups.h"
#include "ufp4/Target/Schedule.h"

#include <cstring>
#include <numeric>

using namespace ufp4;
using namespace ufp4::testing;
using numerics::Element;
using numerics::Grouping;
using numerics::QuantizedGroups;
using numerics::ScaleKind;
using numerics::Scheme;
using numerics::ViewShape;

namespace {

constexpr uint64_t kSeed = 0x123456789ABCDEF0, kFirstGroup = 5;
constexpr uint32_t kStep = 11, kStream = 3;

/// x [tokens, K] and dy [tokens, N] are sorted by group; w is [groups, N, K].
struct Sizes {
  int64_t n, k;
  std::vector<int32_t> groups;
  int64_t tokens;
};

int64_t sum(const std::vector<int32_t> &sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(0));
}

struct Config {
  const char *chip;
  Scheme scheme;
  unsigned randomBits = 0;
  /// Whether tokens are not sorted: quantizes read them through indices.
  bool gathers = false;
  /// Whether products are added to what is there.
  bool accumulates = false;
};

Scheme schemeOf(ScaleKind scale, unsigned block, unsigned rotation) {
  Scheme scheme;
  scheme.scale = scale;
  scheme.block = block;
  if (rotation)
    scheme.rotation = numerics::presetRotation(rotation);
  return scheme;
}

/// An operand as a device holds it.
struct Stored {
  std::vector<uint8_t> planes[target::planeCount];
  std::vector<float> amax, globals;
};

/// The kernels of grouped layers, and what they are launched with for one of them.
class Layer {
public:
  explicit Layer(const Config &config) : config(config) {
    const target::Chip &chip = *target::findChip(config.chip);
    Scheme plain = config.scheme;
    plain.rotation = {};
    std::string why;
    const target::GemmSchedule *first = chooseSchedule(chip, plain, std::nullopt, why);
    if (!first) {
      ADD_FAILURE() << why;
      return;
    }
    const target::GemmSchedule *schedule =
        &chooseTiles(*first, chip, plain, std::nullopt, /*isGrouped=*/true);
    storage = &schedule->storage();
    tile = *storage->tile(plain);
    for (Grouping grouping : {Grouping::Rows, Grouping::Contracted}) {
      GemmKernelSpec spec;
      spec.chip = &chip;
      spec.scheme = plain;
      spec.grouping = grouping;
      spec.accumulate = config.accumulates;
      spec.schedule = *schedule;
      gemms[unsigned(grouping)] = add(spec, buildGemmKernel);
    }
    // One kernel serves both where their tiles are alike.
    tables[0] = add(GroupKernelSpec{&chip, unsigned(tile.rows)}, buildGroupKernel);
    tables[1] = tile.rows == tile.depth ? tables[0]
                                        : add(GroupKernelSpec{&chip, tile.depth}, buildGroupKernel);
    for (Grouping grouping : {Grouping::Rows, Grouping::Contracted, Grouping::Stacked}) {
      QuantizeKernelSpec spec;
      spec.chip = &chip;
      spec.grouping = grouping;
      spec.innerMultiple = 8;
      if (grouping != Grouping::Stacked)
        spec.groupTile = tileOf(grouping);
      spec.gathers = config.gathers && grouping != Grouping::Stacked;
      (grouping == Grouping::Contracted ? spec.outer : spec.inner) =
          QuantizeDestination{config.scheme, storage, config.randomBits};
      quantizes[unsigned(grouping)] = add(spec, buildQuantizeKernel);
      if (config.scheme.scale == ScaleKind::UE4M3)
        amaxes[unsigned(grouping)] = add(spec, buildAmaxKernel);
    }
    device = load(chip);
  }

  void prepare(const Sizes &given) {
    sizes = given;
    count = sizes.groups.size();
    writeTables();
  }

  int64_t tileOf(Grouping grouping) const {
    return grouping == Grouping::Rows ? tile.rows : tile.depth;
  }
  int64_t tiled(Grouping grouping) const {
    return numerics::groupedTiles(sizes.tokens, tileOf(grouping), count) * tileOf(grouping);
  }
  /// The view that lies in the storage, of an array whose other extent is `other`.
  target::OperandType typeOf(Grouping grouping, int64_t other) const {
    switch (grouping) {
    case Grouping::Rows:
      return {config.scheme, {1, tiled(grouping), other}};
    case Grouping::Contracted:
      return {config.scheme, {1, other, tiled(grouping)}};
    case Grouping::Stacked:
      return {config.scheme, {count, sizes.n, other}};
    }
    llvm_unreachable("closed set");
  }

  /// An array [tokens, other], or [groups, N, other], of bf16.
  Stored quantize(Grouping grouping, const std::vector<uint16_t> &x, int64_t other) {
    Stored stored;
    auto buffers = storage->buffers(typeOf(grouping, other));
    for (unsigned plane = 0; plane < target::planeCount; ++plane)
      stored.planes[plane].assign(buffers[plane].bytes, 0xFF);
    stored.amax.assign(count, 0);
    stored.globals.assign(count, NAN);
    bool isStacked = grouping == Grouping::Stacked;
    LaunchValues values = common(grouping);
    values.extents["outer"] = isStacked ? sizes.n : sizes.tokens;
    values.extents["inner"] = values.scalars["stride(input, 1)"] = other;
    values.extents["g"] = isStacked ? count : 1;
    values.scalars["stride(input, 0)"] = values.extents["outer"] * other;
    std::string suffix = grouping == Grouping::Contracted ? "_outer" : "_inner";
    values.scalars["seed" + suffix] = int64_t(kSeed);
    values.scalars["step" + suffix] = kStep;
    values.scalars["stream" + suffix] = kStream;
    values.scalars["first_group"] = kFirstGroup;
    // Where rows lie before they are sorted: backwards, each of them among two.
    std::vector<uint16_t> source;
    std::vector<int32_t> rows;
    if (config.gathers && !isStacked) {
      source.assign(2 * x.size() + other, 0x7FC0);
      for (int64_t token = 0; token < sizes.tokens; ++token) {
        rows.push_back(2 * (sizes.tokens - 1 - token) + 1);
        std::copy_n(&x[token * other], other, &source[rows.back() * other]);
      }
      values.extents["source_rows"] = 2 * sizes.tokens + 1;
      give(values, "rows", rows);
    }
    give(values, "input", source.empty() ? x : source);
    give(values, "codes" + suffix, stored.planes[target::codesPlane]);
    give(values, "scales" + suffix, stored.planes[target::scalesPlane]);
    give(values, "amax" + suffix, stored.amax);
    give(values, "global" + suffix, stored.globals);
    if (config.scheme.scale == ScaleKind::UE4M3)
      launch(amaxes[unsigned(grouping)], values);
    launch(quantizes[unsigned(grouping)], values);
    return stored;
  }

  /// Rows by stacked to [tokens, columns of B], or contracted by contracted to [groups, rows].
  std::vector<float> multiply(Grouping grouping, Stored &a, Stored &b, int64_t m, int64_t n,
                              int64_t k, std::vector<float> c) {
    bool isRows = grouping == Grouping::Rows;
    LaunchValues values = common(grouping);
    values.extents["g"] = 1;
    values.extents["m"] = m;
    values.extents["n"] = n;
    values.extents["k"] = isRows ? numerics::paddedK(config.scheme, k) : 0;
    c.resize((isRows ? 1 : count) * m * n, NAN);
    give(values, "result", c);
    for (auto [stored, side] : {std::pair(&a, "a"), std::pair(&b, "b")}) {
      give(values, std::string("codes_") + side, stored->planes[target::codesPlane]);
      give(values, std::string("scales_") + side, stored->planes[target::scalesPlane]);
      give(values, std::string("global_") + side, stored->globals);
    }
    launch(gemms[unsigned(grouping)], values);
    return c;
  }

  const Config config;
  Sizes sizes;
  int64_t count = 0;
  const target::OperandStorage *storage = nullptr;
  target::StorageTile tile{};
  std::vector<int32_t> records[2];
  unsigned gemms[2], tables[2], quantizes[3], amaxes[3];
  std::unique_ptr<EmulatedDevice> device;

private:
  using Build =
      std::function<mlir::FailureOr<target::KernelEntry>(mlir::OpBuilder &, mlir::Location)>;

  /// Returns the kernel's number; it gets its name when it is built.
  template <typename Spec, typename Builder> unsigned add(const Spec &spec, Builder build) {
    builds.push_back(
        [=](mlir::OpBuilder &b, mlir::Location loc) -> mlir::FailureOr<target::KernelEntry> {
          auto info = build(b, loc, spec);
          if (failed(info))
            return mlir::failure();
          return describeKernel(spec, *info);
        });
    return builds.size() - 1;
  }

  std::unique_ptr<EmulatedDevice> load(const target::Chip &chip) {
    auto context = std::make_unique<llvm::LLVMContext>();
    std::vector<target::KernelEntry> entries;
    std::unique_ptr<llvm::Module> code =
        translateKernels(chip, *context, [&](mlir::OpBuilder &b, mlir::Location loc) {
          for (Build &build : builds) {
            auto entry = build(b, loc);
            if (failed(entry))
              return mlir::failure();
            names.push_back(entry->name);
            entries.push_back(std::move(*entry));
          }
          return mlir::success();
        });
    if (!code)
      return nullptr;
    auto made =
        EmulatedDevice::create(std::move(code), std::move(context), chip, std::move(entries));
    if (made)
      return std::move(*made);
    ADD_FAILURE() << llvm::toString(made.takeError());
    return nullptr;
  }

  void writeTables() {
    for (Grouping grouping : {Grouping::Rows, Grouping::Contracted}) {
      std::vector<int32_t> &table = records[unsigned(grouping)];
      table.assign((count + tiled(grouping) / tileOf(grouping)) * groupFields, -1);
      LaunchValues values = common(grouping);
      values.scalars["extent"] = sizes.tokens;
      give(values, "table", table);
      std::vector<int32_t> given = sizes.groups;
      give(values, "sizes", given);
      launch(tables[unsigned(grouping)], values);
    }
  }

  LaunchValues common(Grouping grouping) {
    LaunchValues values;
    values.extents["groups"] = count;
    if (grouping == Grouping::Stacked)
      return values;
    std::vector<int32_t> &table = records[unsigned(grouping)];
    values.extents["records"] = table.size() / groupFields;
    values.extents["tiled"] = tiled(grouping);
    give(values, "groups", table);
    return values;
  }

  template <typename T>
  static void give(LaunchValues &values, const std::string &name, const std::vector<T> &data) {
    values.buffers[name] = {const_cast<T *>(data.data()), data.size() * sizeof(T)};
  }

  void launch(unsigned kernel, const LaunchValues &values) {
    if (llvm::Error error = device->launch(names[kernel], values))
      FAIL() << llvm::toString(std::move(error));
  }

  std::vector<Build> builds;
  std::vector<std::string> names;
};

std::vector<uint16_t> makeArray(int64_t count, unsigned seed, bool isInteger) {
  std::mt19937 random(seed);
  std::vector<uint16_t> x(count);
  for (uint16_t &value : x)
    value = numerics::f32ToBF16(isInteger ? float(int(random() % 15) - 7)
                                          : std::ldexp(random() * 0x1p-31f - 1, random() % 8));
  return x;
}

/// What the definition gives, in an order of its own.
struct Expected {
  QuantizedGroups values;
  numerics::QuantizedGroupsView view;
};

/// [tokens, other] as the view that groups cut.
std::vector<uint16_t> viewOf(Grouping grouping, const std::vector<uint16_t> &x, int64_t other) {
  if (grouping != Grouping::Contracted)
    return x;
  int64_t rows = x.size() / other;
  std::vector<uint16_t> transposed;
  for (int64_t i = 0; i < other; ++i)
    for (int64_t row = 0; row < rows; ++row)
      transposed.push_back(x[row * other + i]);
  return transposed;
}

void define(const Layer &layer, Grouping grouping, const std::vector<uint16_t> &x, int64_t other,
            Expected &expected) {
  const Sizes &sizes = layer.sizes;
  ViewShape shape = grouping == Grouping::Rows         ? ViewShape{1, sizes.tokens, other}
                    : grouping == Grouping::Contracted ? ViewShape{1, other, sizes.tokens}
                                                       : ViewShape{layer.count, sizes.n, other};
  numerics::Draw draw{kSeed, kStream, kStep, layer.config.randomBits};
  expected.values = numerics::quantizeGroups(
      viewOf(grouping, x, other).data(), Element::BF16, shape, grouping, sizes.groups.data(),
      layer.count, layer.config.scheme, draw.bits ? &draw : nullptr, kFirstGroup);
  expected.view = {&expected.values, shape, layer.config.scheme, grouping};
}

/// The definition's codes and scales where the storage has them: every group at a tile.
void expectStored(const Layer &layer, Grouping grouping, const Expected &expected, int64_t other,
                  const Stored &stored) {
  const Scheme &scheme = layer.config.scheme;
  const QuantizedGroups &values = expected.values;
  target::OperandType type = layer.typeOf(grouping, other);
  int64_t paddedK = type.paddedK(), blocks = paddedK / scheme.block;
  int64_t lines = type.shape.g * type.shape.r;
  bool isF32 = scheme.scale == ScaleKind::F32, isContracted = grouping == Grouping::Contracted;
  std::vector<uint8_t> codes(lines * paddedK), scaleBytes(lines * blocks);
  std::vector<float> scales(lines * blocks);
  int64_t sourceK =
      isContracted ? numerics::groupedPaddedK(scheme, layer.sizes.tokens, layer.count) : paddedK;
  auto copy = [&](int64_t line, int64_t k, int64_t fromLine, int64_t fromK, int64_t size) {
    std::copy_n(&values.codes[fromLine * sourceK + fromK], size, &codes[line * paddedK + k]);
    int64_t from = fromLine * (sourceK / scheme.block) + fromK / scheme.block;
    int64_t to = line * blocks + k / scheme.block;
    if (isF32)
      std::copy_n(&values.scalesF32[from], size / scheme.block, &scales[to]);
    else
      std::copy_n(&values.scaleBytes[from], size / scheme.block, &scaleBytes[to]);
  };
  if (grouping == Grouping::Stacked) {
    for (int64_t line = 0; line < lines; ++line)
      copy(line, 0, line, 0, paddedK);
  } else {
    int64_t first = 0, position = 0, tile = layer.tileOf(grouping);
    for (numerics::GroupRange range :
         numerics::groupRanges(layer.sizes.groups.data(), layer.count, layer.sizes.tokens)) {
      int64_t padded = numerics::paddedK(scheme, range.size);
      for (int64_t i = 0; i < (isContracted ? other : range.size); ++i)
        if (isContracted && padded)
          copy(i, first, i, position, padded);
        else if (!isContracted)
          copy(first + i, 0, range.begin + i, 0, paddedK);
      position += padded;
      first += (range.size + tile - 1) / tile * tile;
    }
  }
  auto planes =
      target::packOperand(*layer.storage, type, codes.data(),
                          isF32 ? static_cast<const void *>(scales.data()) : scaleBytes.data());
  for (unsigned plane = 0; plane < target::planeCount; ++plane)
    EXPECT_EQ(stored.planes[plane], planes[plane])
        << "plane " << plane << " of groups " << int(grouping);
  if (scheme.scale == ScaleKind::UE4M3)
    EXPECT_EQ(stored.globals, values.globals);
}

/// A layer's fprop and weight gradient. `isExact`: every sum is.
void check(Layer &layer, const Sizes &sizes, bool isExact) {
  SCOPED_TRACE(layer.config.chip);
  ASSERT_TRUE(layer.device);
  layer.prepare(sizes);
  std::vector<uint16_t> x = makeArray(sizes.tokens * sizes.k, 1, isExact);
  std::vector<uint16_t> dy = makeArray(sizes.tokens * sizes.n, 2, isExact);
  std::vector<uint16_t> w = makeArray(layer.count * sizes.n * sizes.k, 3, isExact);
  auto expectProduct = [&](Grouping grouping, Expected &a, Expected &b, Stored &storedA,
                           Stored &storedB, int64_t m, int64_t n, int64_t k) {
    std::vector<float> c0;
    if (layer.config.accumulates)
      for (int64_t i = 0; i < (grouping == Grouping::Rows ? 1 : layer.count) * m * n; ++i)
        c0.push_back(i % 37 - 18);
    std::vector<float> c = layer.multiply(grouping, storedA, storedB, m, n, k, c0);
    std::vector<numerics::GemmBound> exact(c.size());
    numerics::gemmGroupsExact(a.view, b.view, sizes.groups.data(), layer.count,
                              layer.config.accumulates ? c0.data() : nullptr, exact.data());
    for (size_t i = 0; i < c.size(); ++i) {
      double allowed = isExact ? 0 : exact[i].tolerance(c[i], Element::F32);
      ASSERT_LE(std::abs(c[i] - exact[i].exact), allowed) << i << " of groups " << int(grouping);
    }
  };
  Expected rows, stacked, contracted, gradient;
  define(layer, Grouping::Rows, x, sizes.k, rows);
  define(layer, Grouping::Stacked, w, sizes.k, stacked);
  define(layer, Grouping::Contracted, x, sizes.k, contracted);
  define(layer, Grouping::Contracted, dy, sizes.n, gradient);
  Stored storedRows = layer.quantize(Grouping::Rows, x, sizes.k);
  Stored storedStacked = layer.quantize(Grouping::Stacked, w, sizes.k);
  Stored storedContracted = layer.quantize(Grouping::Contracted, x, sizes.k);
  Stored storedGradient = layer.quantize(Grouping::Contracted, dy, sizes.n);
  expectStored(layer, Grouping::Rows, rows, sizes.k, storedRows);
  expectStored(layer, Grouping::Stacked, stacked, sizes.k, storedStacked);
  expectStored(layer, Grouping::Contracted, contracted, sizes.k, storedContracted);
  expectStored(layer, Grouping::Contracted, gradient, sizes.n, storedGradient);
  expectProduct(Grouping::Rows, rows, stacked, storedRows, storedStacked, sizes.tokens, sizes.n,
                sizes.k);
  expectProduct(Grouping::Contracted, contracted, gradient, storedContracted, storedGradient,
                sizes.k, sizes.n, sizes.tokens);
}

Sizes layerOf(std::vector<int32_t> groups) {
  int64_t tokens = sum(groups);
  return {40, 48, std::move(groups), tokens};
}

/// Unrotated integers under powers of two: every sum is exact, in whatever order.
Config exactOn(const char *chip) { return {chip, schemeOf(ScaleKind::UE8M0, 32, 0)}; }

void check(const Config &config, const Sizes &sizes, bool isExact) {
  Layer layer(config);
  check(layer, sizes, isExact);
}

class GroupedKernels : public ::testing::TestWithParam<const char *> {};

TEST_P(GroupedKernels, G4_EverySizeInManyOrders) {
  std::vector<int32_t> sizes = {0, 1, 15, 16, 17, 31, 127, 128, 129, 300};
  std::mt19937 random(7);
  Layer layer(exactOn(GetParam()));
  for (unsigned order = 0; order < 4; ++order) {
    check(layer, layerOf(sizes), /*isExact=*/true);
    std::shuffle(sizes.begin(), sizes.end(), random);
  }
}

TEST_P(GroupedKernels, G4_FewAndManyGroups) {
  Layer layer(exactOn(GetParam()));
  check(layer, layerOf({0, 0, 200, 0}), true);
  check(layer, layerOf({0, 0, 0, 0}), true);
  check(layer, layerOf({130}), true);
  std::vector<int32_t> many(64, 0);
  for (unsigned i = 0; i < many.size(); ++i)
    many[i] = i * 7 % 13;
  check(layer, layerOf(many), true);
}

TEST_P(GroupedKernels, G4_SizesThatDoNotFit) {
  Layer layer(exactOn(GetParam()));
  check(layer, {40, 48, {20, 0, 150}, 300}, true);
  check(layer, {40, 48, {100, 250, 30}, 300}, true);
  check(layer, {40, 48, {-5, 90, -1, 40}, 130}, true);
}

TEST_P(GroupedKernels, G4_SumsGoOn) {
  Config config = exactOn(GetParam());
  config.accumulates = true;
  Layer layer(config);
  check(layer, layerOf({17, 0, 129}), true);
  check(layer, {40, 48, {20, 0, 50}, 90}, true);
}

INSTANTIATE_TEST_SUITE_P(Chips, GroupedKernels,
                         ::testing::Values("sm_80", "sm_90a", "sm_100a", "sm_120a", "gfx942",
                                           "gfx950", "gfx1250"),
                         [](const auto &info) { return info.param; });

/// The recipes' schemes: S, random words and rotations are each group's own.
TEST(GroupedKernels, G4_SchemesOfRecipes) {
  Sizes sizes = layerOf({0, 1, 31, 129, 17});
  for (const char *chip : {"sm_80", "sm_90a", "sm_100a", "sm_120a", "gfx942", "gfx950"})
    for (ScaleKind scale : {ScaleKind::F32, ScaleKind::UE4M3})
      check({chip, schemeOf(scale, 16, 16), 16}, sizes, false);
  check({"sm_80", schemeOf(ScaleKind::UE4M3, 16, 16), 0}, sizes, false);
  // By tensor memory.
  Config native{"sm_100a", schemeOf(ScaleKind::UE4M3, 16, 16), 16};
  native.scheme.format = numerics::Format::E2M1;
  check(native, sizes, false);
  for (const char *chip : {"sm_80", "sm_100a", "sm_120a", "gfx950", "gfx1250"})
    check({chip, schemeOf(ScaleKind::UE8M0, 32, 32), 16}, sizes, false);
}

/// Tokens that are not sorted have the codes of sorted ones.
TEST(GroupedKernels, G4_GatheredTokens) {
  Sizes sizes = layerOf({0, 1, 31, 129, 17}), unfit{40, 48, {100, -1, 250, 30}, 300};
  for (const char *chip : {"sm_80", "sm_100a", "sm_120a", "gfx942", "gfx950", "gfx1250"}) {
    for (ScaleKind scale : {ScaleKind::F32, ScaleKind::UE4M3})
      if (llvm::StringRef(chip) != "gfx1250")
        check({chip, schemeOf(scale, 16, 16), 16, /*gathers=*/true}, sizes, false);
    check({chip, schemeOf(ScaleKind::UE8M0, 32, 32), 0, /*gathers=*/true}, unfit, false);
  }
}

/// Eight equal groups, against one product of as many rows: the instructions of all threads.
TEST(GroupedKernels, G4_CostOfGroups) {
  auto instructionsOf = [](const std::vector<int32_t> &groups) {
    Sizes sizes{128, 512, groups, sum(groups)};
    Layer layer(exactOn("sm_80"));
    layer.prepare(sizes);
    std::vector<uint16_t> x = makeArray(sizes.tokens * sizes.k, 1, true);
    std::vector<uint16_t> w = makeArray(layer.count * sizes.n * sizes.k, 3, true);
    Stored a = layer.quantize(Grouping::Rows, x, sizes.k);
    Stored b = layer.quantize(Grouping::Stacked, w, sizes.k);
    layer.multiply(Grouping::Rows, a, b, sizes.tokens, sizes.n, sizes.k, {});
    uint64_t all = 0;
    for (const auto &[name, kernel] : layer.device->stats())
      if (llvm::StringRef(name).starts_with("ufp4_gemm"))
        for (const auto &[opcode, n] : kernel.sum.instructions)
          all += n;
    return all;
  };
  uint64_t grouped = instructionsOf(std::vector<int32_t>(8, 128)), one = instructionsOf({1024});
  EXPECT_LE(grouped, one * 1.15) << "instructions of 8 groups, and of one, " << one;
  std::printf("8 groups over one: %.4f\n", double(grouped) / one);
  // Proportional to tokens: with as many groups and half of the rows, half.
  uint64_t half = instructionsOf(std::vector<int32_t>{128, 0, 128, 0, 128, 0, 128, 0});
  EXPECT_LE(half, grouped * 0.6);
}

} // namespace
