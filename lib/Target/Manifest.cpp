//===- Manifest.cpp - How to launch what was compiled ---------------------===//

#include "ufp4/Target/Manifest.h"

#include "ufp4/Support/Error.h"
#include "ufp4/Support/Files.h"
#include "ufp4/Support/Version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ufp4;
using namespace ufp4::target;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kKinds[] = {"input",  "codes",       "scales", "global",
                                                 "output", "accumulator", "scalar"};
static constexpr llvm::StringLiteral kAccesses[] = {"read", "write", "read_write"};
static constexpr llvm::StringLiteral kElements[] = {"u4",  "u6",  "u8",  "bf16",
                                                    "f16", "f32", "i32", "i64"};
static constexpr llvm::StringLiteral kAxes[] = {"x", "y", "z"};
static constexpr StringRef kQuantize = "quantize", kGroups = "groups";

/// The greatest grid along x and along y or z (CUDA C++ Programming Guide, compute capabilities).
static constexpr int64_t kMaxGrid[] = {(int64_t(1) << 31) - 1, 65535, 65535};
static constexpr int64_t kMaxThreads = 1024;

/// Kernels count in 32 bits.
static constexpr int64_t kMaxExtent = (int64_t(1) << 31) - 1;

/// More is no manifest, and the reader of JSON calls itself for what is nested.
static constexpr size_t kMaxManifestBytes = size_t(64) << 20;
static constexpr unsigned kMaxNesting = 64;

static std::string join(llvm::ArrayRef<llvm::StringLiteral> names) {
  std::string text;
  llvm::interleave(
      names, [&](StringRef name) { text += name; }, [&] { text += ", "; });
  return text;
}

const KernelEntry *Manifest::find(StringRef name) const {
  for (const KernelEntry &kernel : kernels)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Tile counts
//===----------------------------------------------------------------------===//

int64_t TileCount::of(int64_t value) const {
  auto up = [](int64_t x, int64_t y) { return x / y + (x % y != 0); };
  int64_t padded = 0;
  if (llvm::MulOverflow(up(value, padding), padding, padded))
    return INT64_MAX;
  return std::max(least, up(padded, tile));
}

std::string TileCount::spelling() const {
  return llvm::formatv("tiles({0}, {1}, {2})", extent, padding, tile).str();
}

std::optional<TileCount> TileCount::parse(StringRef text) {
  if (!text.consume_front("tiles(") || !text.consume_back(")"))
    return std::nullopt;
  llvm::SmallVector<StringRef, 3> parts;
  text.split(parts, ',');
  TileCount count;
  if (parts.size() != 3 || parts[1].trim().getAsInteger(10, count.padding) ||
      parts[2].trim().getAsInteger(10, count.tile) || count.padding < 1 || count.tile < 1)
    return std::nullopt;
  count.extent = parts[0].trim().str();
  return count;
}

StringRef target::parseExtentOfBatch(StringRef value) {
  return value.consume_back(" * min(g, 1)") ? value : StringRef();
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static bool isNumber(StringRef text) {
  int64_t value;
  return !text.getAsInteger(10, value) && value >= 0;
}

/// The extents whose values a launcher needs: those that shapes name; beside the records of a table
/// of groups their number, and the positions that records tell of.
static llvm::StringSet<> getExtents(const KernelEntry &kernel) {
  llvm::StringSet<> extents;
  for (const ArgumentEntry &argument : kernel.arguments)
    for (const std::string &extent : argument.shape)
      if (!isNumber(extent))
        extents.insert(extent);
  if (extents.contains("records"))
    for (StringRef extent : {"groups", "tiled"})
      extents.insert(extent);
  return extents;
}

static Error verifyArgument(const ArgumentEntry &argument, const Manifest &manifest,
                            const std::string &where) {
  if (!llvm::is_contained(kElements, argument.element))
    return fail(where + ": expected 'element' to be one of " + join(kElements) + ", found '" +
                argument.element + "'");
  if (int64_t bits = getElementBits(argument.element); argument.storedBits)
    if (argument.storedBits <= bits || argument.kind == ArgumentKind::Scalar)
      return fail(where + ": expected 'stored_bits' of an array, above the element's " +
                  Twine(bits) + ", found " + Twine(argument.storedBits));
  if (!llvm::isPowerOf2_64(argument.alignment))
    return fail(where + ": expected 'alignment' to be a power of two, found " +
                Twine(argument.alignment));
  bool scalar = argument.kind == ArgumentKind::Scalar;
  if (scalar != argument.shape.empty())
    return fail(where + ": expected " +
                (scalar ? "no shape, as a scalar is passed by value"
                        : "a shape, as only scalars have none"));
  if (scalar != !argument.value.empty())
    return fail(where + ": expected " +
                (scalar ? "'value' to say what the scalar holds, found none"
                        : "no 'value', as only scalars have one"));
  if (scalar && argument.access != ArgumentAccess::Read)
    return fail(where + ": expected a scalar to be read only");
  ArgumentAccess access = argument.kind == ArgumentKind::Output        ? ArgumentAccess::Write
                          : argument.kind == ArgumentKind::Accumulator ? ArgumentAccess::ReadWrite
                                                                       : argument.access;
  if (access != argument.access)
    return fail(where + ": expected 'access' to be " + kAccesses[unsigned(access)] + " for " +
                kKinds[unsigned(argument.kind)] + ", found " +
                kAccesses[unsigned(argument.access)]);
  if (!argument.padding.empty() && argument.padding.size() != argument.shape.size())
    return fail(where + ": expected 'padding' for each of " + Twine(argument.shape.size()) +
                " extents, or none, found " + Twine(argument.padding.size()));
  for (int64_t multiple : argument.padding)
    if (multiple < 1)
      return fail(where + ": expected 'padding' of 1 or more, found " + Twine(multiple));
  bool needsLayout = argument.kind == ArgumentKind::Codes || argument.kind == ArgumentKind::Scales;
  if (needsLayout && argument.layout.empty())
    return fail(where + ": expected a layout for " + kKinds[unsigned(argument.kind)] +
                ", found none");
  if (needsLayout && argument.shape.size() != 3)
    return fail(where + ": expected 3 extents for " + kKinds[unsigned(argument.kind)] + ", found " +
                Twine(argument.shape.size()));
  if (!argument.layout.empty() && llvm::none_of(manifest.layouts, [&](const LayoutEntry &layout) {
        return layout.name == argument.layout;
      }))
    return fail(where + ": layout '" + argument.layout + "' is not among the layouts");
  if (!argument.encoding.empty() &&
      (argument.kind != ArgumentKind::Codes || argument.encoding.size() != 16))
    return fail(where + ": expected 'encoding' of 16 codes, or none, found " +
                Twine(argument.encoding.size()) + " for " + kKinds[unsigned(argument.kind)]);
  if (const std::optional<TensorMapEntry> &map = argument.tensorMap) {
    if (argument.kind != ArgumentKind::Codes ||
        llvm::any_of(llvm::ArrayRef(argument.padding).drop_back(!argument.padding.empty()),
                     [](int64_t multiple) { return multiple != 1; }))
      return fail(where + ": expected a tensor map of codes in rows without padding alone");
    // What the driver takes.
    bool isBox = map->boxBytes > 0 && map->boxBytes <= 256 && map->boxBytes % 16 == 0 &&
                 map->boxRows > 0 && map->boxRows <= 256 && map->rowStep > 0 && map->rowStep <= 8;
    if (!isBox)
      return fail(where +
                  ": expected a box of 16 to 256 bytes, by 16, and 1 to 256 rows, every "
                  "first to eighth copied, found " +
                  Twine(map->boxBytes) + ", " + Twine(map->boxRows) + " and " +
                  Twine(map->rowStep));
    if (!llvm::is_contained({0, 32, 64, 128}, map->swizzle) ||
        (map->swizzle && map->boxBytes > map->swizzle))
      return fail(where +
                  ": expected a swizzle of no bytes, or of 32, 64 or 128 and the box's at "
                  "least, found " +
                  Twine(map->swizzle));
  }
  return Error::success();
}

/// A scalar's value is one that a launcher can know.
static Error verifyScalar(const ArgumentEntry &scalar, const KernelEntry &kernel,
                          const llvm::StringSet<> &extents, const std::string &where) {
  StringRef value = scalar.value;
  if (scalar.kind != ArgumentKind::Scalar || extents.contains(value))
    return Error::success();
  if (std::optional<TileCount> tiles = TileCount::parse(value))
    if (extents.contains(tiles->extent))
      return Error::success();
  if (StringRef extent = parseExtentOfBatch(value);
      extents.contains(extent) && extents.contains("g"))
    return Error::success();
  for (StringRef given : {"alpha", "seed", "step", "stream", "extent", "first_group"})
    if (value == given || (value.starts_with(given) && value[given.size()] == '_'))
      return Error::success();
  if (StringRef inside = value; inside.consume_front("stride(") && inside.consume_back(")")) {
    auto [name, dimension] = inside.split(", ");
    unsigned index;
    for (const ArgumentEntry &argument : kernel.arguments)
      if (argument.name == name && !dimension.getAsInteger(10, index) &&
          index < argument.shape.size())
        return Error::success();
  }
  return fail(where + ": argument " + scalar.name + ": '" + value +
              "' is no extent that a shape names, no count of its tiles, no stride of an argument, "
              "and none of alpha, seed, step, stream, extent and first_group");
}

static json::Value toJSON(const ArgumentEntry &argument);

std::string target::explainOtherLaunch(const KernelEntry &x, const KernelEntry &y) {
  auto isSame = [](const TileCount &one, const TileCount &other) {
    return one.extent == other.extent && one.tile == other.tile && one.padding == other.padding &&
           one.least == other.least;
  };
  for (const auto &[one, other] : llvm::zip_equal(x.grid, y.grid))
    if (!llvm::equal(one, other, isSame))
      return "its grid";
  if (x.arguments.size() != y.arguments.size())
    return "its arguments";
  for (const auto &[one, other] : llvm::zip_equal(x.arguments, y.arguments))
    if (::toJSON(one) != ::toJSON(other))
      return "argument " + one.name;
  return {};
}

static Error verifyKernel(const KernelEntry &kernel, const Manifest &manifest) {
  std::string where = "kernel " + kernel.name;
  if (StringRef(kernel.name).ends_with(kUnpatchedSuffix))
    return fail(where + ": an unpatched kernel computes something else and is never launched");
  for (StringRef file : {kernel.assembly, kernel.binary})
    if (file.contains(kUnpatchedFile))
      return fail(where + ": '" + file +
                  "' is to be read, not to be loaded: its kernels compute "
                  "something else");
  const Chip *chip = findChip(kernel.chip);
  if (!chip)
    return fail(where + ": " + explainUnknownChip(kernel.chip));
  bool isTable = kernel.path == kGroups;
  if (kernel.path != kQuantize && !isTable && !parsePath(kernel.path))
    return fail(
        where +
        ": expected 'path' to be native, container, post, fold, quantize or groups, found '" +
        kernel.path + "'");
  if (kernel.assembly.empty() && kernel.binary.empty())
    return fail(where + ": expected an assembly file, a binary file or both, found neither");
  if (kernel.schemes.empty() != isTable)
    return fail(where + (isTable ? ": expected no scheme" : ": expected a scheme, found none"));
  for (const auto &[of, scheme] : kernel.schemes)
    for (const char *field : {"format", "block", "scale"})
      if (!scheme.get(field))
        return fail(where + ": expected the scheme of " + of + " to have '" + field +
                    "', found none");
  for (const auto &[name, multiple] : kernel.multiples)
    if (multiple < 1)
      return fail(where + ": expected '" + name + "' to be a multiple of 1 or more, found " +
                  Twine(multiple));

  int64_t threads = 1;
  for (int64_t extent : kernel.block) {
    if (extent < 1 || extent > kMaxThreads)
      return fail(where + ": expected block extents in [1, " + Twine(kMaxThreads) + "], found " +
                  Twine(extent));
    threads *= extent;
  }
  if (threads > kMaxThreads)
    return fail(where + ": a block has " + Twine(threads) + " threads, at most " +
                Twine(kMaxThreads) + " can be launched");
  for (int64_t extent : kernel.cluster)
    if (extent < 1 || extent > 16)
      return fail(where + ": expected cluster extents in [1, 16], found " + Twine(extent));
  if (kernel.dynamicSharedBytes < 0 || kernel.staticSharedBytes < 0 || kernel.registers < 0)
    return fail(where + ": expected no negative sizes");
  int64_t shared = kernel.dynamicSharedBytes + kernel.staticSharedBytes;
  if (shared > int64_t(chip->sharedMemoryBytes))
    return fail(where + ": it needs " + Twine(shared) + " bytes of shared memory, a block on " +
                kernel.chip + " has " + Twine(chip->sharedMemoryBytes));
  if (kernel.registers > chip->maxRegisters)
    return fail(where + ": it needs " + Twine(kernel.registers) + " registers, a thread on " +
                kernel.chip + " has " + Twine(chip->maxRegisters));
  if (kernel.tensorColumns < 0 || kernel.tensorColumns > chip->tensorMemoryColumns)
    return fail(where + ": it allocates " + Twine(kernel.tensorColumns) +
                " columns of tensor memory, " + kernel.chip + " has " +
                Twine(chip->tensorMemoryColumns));

  llvm::StringSet<> extents = getExtents(kernel), names;
  for (const ArgumentEntry &argument : kernel.arguments) {
    std::string place = where + ": argument " + argument.name;
    if (!names.insert(argument.name).second)
      return fail(place + ": there are two of that name");
    if (Error error = verifyArgument(argument, manifest, place))
      return error;
  }
  for (const ArgumentEntry &argument : kernel.arguments)
    if (Error error = verifyScalar(argument, kernel, extents, where))
      return error;
  for (const GridAxis &axis : kernel.grid)
    for (const TileCount &factor : axis) {
      if (factor.tile < 1 || factor.padding < 1)
        return fail(where + ": expected tiles and padding of 1 or more, found " +
                    Twine(factor.tile) + " and " + Twine(factor.padding));
      if (!extents.contains(factor.extent))
        return fail(where + ": the grid needs the extent '" + factor.extent +
                    "', which no argument's shape names");
    }
  if (!kernel.documented && kernel.canary.empty())
    return fail(where + ": expected a canary, as its encoding is not documented");
  if (!kernel.canary.empty() && llvm::none_of(manifest.canaries, [&](const CanaryEntry &canary) {
        return canary.name == kernel.canary;
      }))
    return fail(where + ": canary '" + kernel.canary + "' is not among the canaries");
  if (kernel.fallback.empty())
    return Error::success();
  const KernelEntry *fallback = manifest.find(kernel.fallback);
  if (!fallback)
    return fail(where + ": fallback '" + kernel.fallback + "' is not among the kernels");
  if (std::string difference = explainOtherLaunch(kernel, *fallback); !difference.empty())
    return fail(where + ": its fallback " + kernel.fallback +
                " is launched in its place, and differs from it in " + difference);
  return Error::success();
}

template <typename Entry> static Error verifyNames(const std::vector<Entry> &all, StringRef what) {
  llvm::StringSet<> names;
  for (const Entry &entry : all) {
    if (entry.name.empty())
      return fail("a " + what + " has no name");
    if (!names.insert(entry.name).second)
      return fail("there are two " + what + "s called " + entry.name);
  }
  return Error::success();
}

/// The first extent that is no multiple of what the kernel takes, with that; null for none.
static const std::pair<const std::string, int64_t> *
findUnmetMultiple(const KernelEntry &kernel, const std::map<std::string, int64_t> &extents) {
  for (const auto &multiple : kernel.multiples)
    if (auto found = extents.find(multiple.first);
        found != extents.end() && found->second % multiple.second)
      return &multiple;
  return nullptr;
}

Error target::verify(const Manifest &manifest) {
  if (Error error = verifyNames(manifest.kernels, "kernel"))
    return error;
  if (Error error = verifyNames(manifest.layouts, "layout"))
    return error;
  if (Error error = verifyNames(manifest.canaries, "canary"))
    return error;
  for (const KernelEntry &kernel : manifest.kernels)
    if (Error error = verifyKernel(kernel, manifest))
      return error;
  for (const CanaryEntry &canary : manifest.canaries) {
    std::string where = "canary " + canary.name;
    const KernelEntry *kernel = manifest.find(canary.kernel);
    if (!kernel)
      return fail(where + ": kernel '" + canary.kernel + "' is not among the kernels");
    for (int64_t extent : {canary.m, canary.n, canary.k})
      if (extent < 1 || extent > kMaxExtent)
        return fail(where + ": expected m, n and k in [1, " + Twine(kMaxExtent) + "], found " +
                    Twine(extent));
    // What the launcher gives (Artifact::run).
    const std::map<std::string, int64_t> extents = {
        {"g", 1}, {"m", canary.m}, {"n", canary.n}, {"k", canary.k}};
    for (const std::string &name : getExtentNames(*kernel))
      if (!extents.count(name))
        return fail(where + ": expected kernel " + kernel->name +
                    " to have the extents g, m, n and k, found '" + name + "'");
    if (const auto *unmet = findUnmetMultiple(*kernel, extents))
      return fail(where + ": expected " + unmet->first + " to be a multiple of " +
                  Twine(unmet->second) + ", as kernel " + kernel->name + " takes, found " +
                  Twine(extents.at(unmet->first)));
    for (int64_t code : {canary.codeA, canary.codeB})
      if (code < 0 || code > 15)
        return fail(where + ": expected codes in [0, 15], found " + Twine(code));
    if (canary.expected == canary.otherwise)
      return fail(where + ": it cannot tell, as it expects " +
                  llvm::formatv("{0}", json::Value(canary.expected)).str() + " either way");
  }
  return Error::success();
}

Expected<std::array<int64_t, 3>> target::getGrid(const KernelEntry &kernel,
                                                 const std::map<std::string, int64_t> &extents) {
  if (const auto *unmet = findUnmetMultiple(kernel, extents))
    return fail("kernel " + kernel.name + ": expected '" + unmet->first + "' to be a multiple of " +
                Twine(unmet->second) + ", found " + Twine(extents.at(unmet->first)));
  std::array<int64_t, 3> grid = {1, 1, 1};
  for (unsigned axis = 0; axis < 3; ++axis) {
    for (const TileCount &factor : kernel.grid[axis]) {
      auto found = extents.find(factor.extent);
      if (found == extents.end() || found->second < 0)
        return fail("kernel " + kernel.name + ": expected the extent '" + factor.extent +
                    "', 0 or more, found " +
                    (found == extents.end() ? "none" : std::to_string(found->second)));
      if (llvm::MulOverflow(grid[axis], factor.of(found->second), grid[axis]))
        grid[axis] = INT64_MAX;
    }
    if (grid[axis] > kMaxGrid[axis])
      return fail("kernel " + kernel.name + ": " + Twine(grid[axis]) + " blocks along axis " +
                  Twine(axis) + ", at most " + Twine(kMaxGrid[axis]) + " can be launched");
  }
  return grid;
}

std::vector<std::string> target::getExtentNames(const KernelEntry &kernel) {
  std::vector<std::string> names;
  for (const auto &entry : getExtents(kernel))
    names.push_back(entry.getKey().str());
  llvm::sort(names);
  return names;
}

unsigned target::getElementBits(StringRef element) {
  unsigned bits;
  StringRef digits = element.ltrim("abfiu");
  return llvm::is_contained(kElements, element) && !digits.getAsInteger(10, bits) ? bits : 0;
}

const json::Object *target::getScheme(const KernelEntry &kernel, StringRef argument) {
  for (const auto &[of, scheme] : kernel.schemes)
    if (argument.ends_with("_" + of))
      return &scheme;
  auto operands = kernel.schemes.find("operands");
  return operands == kernel.schemes.end() ? nullptr : &operands->second;
}

/// A field of a scheme, or 1.
static int64_t getSchemeNumber(const json::Object *scheme, StringRef field) {
  std::optional<int64_t> value = scheme ? scheme->getInteger(field) : std::nullopt;
  return value && *value > 0 ? *value : 1;
}

Expected<int64_t> target::getBytes(const KernelEntry &kernel, StringRef name,
                                   const std::map<std::string, int64_t> &extents) {
  std::string where = "kernel " + kernel.name + ": argument " + name.str();
  auto found = llvm::find_if(kernel.arguments, [&](const ArgumentEntry &argument) {
    return argument.name == name && argument.kind != ArgumentKind::Scalar;
  });
  if (found == kernel.arguments.end())
    return fail(where + ": there is no buffer of that name");
  const json::Object *scheme = getScheme(kernel, name);
  bool isScales = found->kind == ArgumentKind::Scales;
  int64_t bits = found->storedBits ? found->storedBits : getElementBits(found->element);
  bool overflows = false;
  for (auto [i, extent] : llvm::enumerate(found->shape)) {
    int64_t value;
    if (StringRef(extent).getAsInteger(10, value)) {
      auto given = extents.find(extent);
      if (given == extents.end() || given->second < 0)
        return fail(where + ": expected the extent '" + extent + "', 0 or more, found " +
                    (given == extents.end() ? "none" : std::to_string(given->second)));
      value = given->second;
    }
    int64_t padding = found->padding.empty() ? 1 : found->padding[i], divisor = 1;
    // A view [G, R, K] has one scale for B elements of K, and natural rows share it in blocks.
    if (isScales && i == 1 && padding == 1)
      divisor = getSchemeNumber(scheme, "block_rows");
    if (isScales && i == 2)
      divisor = getSchemeNumber(scheme, "block");
    value = TileCount{extent, divisor, padding}.of(value);
    overflows |= llvm::MulOverflow(bits, value, bits);
  }
  if (overflows)
    return fail(where + ": its bytes do not fit in 63 bits");
  return llvm::divideCeil(bits, 8);
}

Expected<std::array<int64_t, 2>>
target::getTensorRows(const KernelEntry &kernel, const ArgumentEntry &argument,
                      const std::map<std::string, int64_t> &extents) {
  std::array<int64_t, 2> sizes = {getElementBits(argument.element), 1};
  for (auto [i, extent] : llvm::enumerate(argument.shape)) {
    auto found = extents.find(extent);
    if (found == extents.end() || found->second < 0 || found->second > kMaxExtent)
      return fail("kernel " + kernel.name + ": argument " + argument.name +
                  ": expected the extent '" + extent + "', from 0 to " + Twine(kMaxExtent) +
                  ", found " + (found == extents.end() ? "none" : std::to_string(found->second)));
    int64_t &size = sizes[i + 1 < argument.shape.size()];
    if (llvm::MulOverflow(size, found->second, size) || sizes[1] > INT32_MAX)
      return fail("kernel " + kernel.name + ": argument " + argument.name +
                  ": its rows are counted in 32 bits, and there are more");
  }
  sizes[0] /= 8;
  return sizes;
}

std::map<std::string, int64_t> target::readExtents(const KernelEntry &kernel,
                                                   const std::array<int64_t, 3> &grid,
                                                   llvm::ArrayRef<int64_t> values) {
  std::map<std::string, int64_t> extents;
  llvm::StringSet<> named = getExtents(kernel);
  for (auto [argument, value] : llvm::zip_equal(kernel.arguments, values))
    if (argument.kind == ArgumentKind::Scalar && named.contains(argument.value))
      extents[argument.value] = value;
  for (auto [axis, blocks] : llvm::zip_equal(kernel.grid, grid))
    if (axis.size() == 1 && axis[0].tile == 1 && axis[0].padding == 1 && !axis[0].least)
      extents[axis[0].extent] = blocks;
  return extents;
}

std::optional<int64_t> target::getScalar(StringRef value,
                                         const std::map<std::string, int64_t> &extents,
                                         const std::map<std::string, int64_t> &others) {
  auto find = [](const std::map<std::string, int64_t> &all,
                 StringRef name) -> std::optional<int64_t> {
    auto found = all.find(name.str());
    return found == all.end() ? std::nullopt : std::optional(found->second);
  };
  if (std::optional<TileCount> tiles = TileCount::parse(value)) {
    std::optional<int64_t> extent = find(extents, tiles->extent);
    return extent ? std::optional(tiles->of(*extent)) : std::nullopt;
  }
  if (StringRef name = parseExtentOfBatch(value); !name.empty()) {
    std::optional<int64_t> extent = find(extents, name), batch = find(extents, "g");
    return extent && batch ? std::optional(*batch ? *extent : 0) : std::nullopt;
  }
  std::optional<int64_t> extent = find(extents, value);
  return extent ? extent : find(others, value);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static json::Value textOrNull(const std::string &text) {
  return text.empty() ? json::Value(nullptr) : json::Value(text);
}

static json::Array toArray(llvm::ArrayRef<int64_t> values) {
  json::Array array;
  for (int64_t value : values)
    array.push_back(value);
  return array;
}

static json::Value toJSON(const ArgumentEntry &argument) {
  json::Array shape;
  for (const std::string &extent : argument.shape) {
    int64_t number;
    if (StringRef(extent).getAsInteger(10, number))
      shape.push_back(extent);
    else
      shape.push_back(number);
  }
  json::Object object{{"name", argument.name},
                      {"kind", kKinds[unsigned(argument.kind)]},
                      {"access", kAccesses[unsigned(argument.access)]},
                      {"element", argument.element},
                      {"layout", textOrNull(argument.layout)},
                      {"shape", std::move(shape)},
                      {"padding", toArray(argument.padding)},
                      {"alignment", argument.alignment},
                      {"value", textOrNull(argument.value)}};
  if (argument.storedBits)
    object["stored_bits"] = argument.storedBits;
  if (!argument.encoding.empty())
    object["encoding"] = toArray(argument.encoding);
  if (const std::optional<TensorMapEntry> &map = argument.tensorMap)
    object["tensor_map"] = json::Object{{"box_bytes", map->boxBytes},
                                        {"box_rows", map->boxRows},
                                        {"row_step", map->rowStep},
                                        {"swizzle", map->swizzle}};
  return object;
}

static json::Value toJSON(const KernelEntry &kernel) {
  json::Object grid;
  for (auto [name, axis] : llvm::zip_equal(kAxes, kernel.grid)) {
    json::Array factors;
    for (const TileCount &factor : axis)
      factors.push_back(json::Object{{"extent", factor.extent},
                                     {"padding", factor.padding},
                                     {"tile", factor.tile},
                                     {"least", factor.least}});
    grid[name] = std::move(factors);
  }
  json::Array arguments;
  for (const ArgumentEntry &argument : kernel.arguments)
    arguments.push_back(toJSON(argument));
  json::Object schemes, multiples;
  for (const auto &[of, scheme] : kernel.schemes)
    schemes[of] = json::Object(scheme);
  for (const auto &[name, multiple] : kernel.multiples)
    multiples[name] = multiple;
  return json::Object{{"name", kernel.name},
                      {"assembly", textOrNull(kernel.assembly)},
                      {"binary", textOrNull(kernel.binary)},
                      {"chip", kernel.chip},
                      {"path", kernel.path},
                      {"schemes", std::move(schemes)},
                      {"multiples", std::move(multiples)},
                      {"grid", std::move(grid)},
                      {"block", toArray(kernel.block)},
                      {"cluster", toArray(kernel.cluster)},
                      {"dynamic_shared_bytes", kernel.dynamicSharedBytes},
                      {"static_shared_bytes", kernel.staticSharedBytes},
                      {"registers", kernel.registers},
                      {"tensor_columns", kernel.tensorColumns},
                      {"documented", kernel.documented},
                      {"arguments", std::move(arguments)},
                      {"canary", textOrNull(kernel.canary)},
                      {"fallback", textOrNull(kernel.fallback)}};
}

static json::Value toJSON(const LayoutEntry &layout) {
  return json::Object{{"name", layout.name},
                      {"code_bit", layout.codeBit},
                      {"scale_byte", textOrNull(layout.scaleByte)}};
}

static json::Value toJSON(const CanaryEntry &canary) {
  return json::Object{{"name", canary.name},
                      {"kernel", canary.kernel},
                      {"m", canary.m},
                      {"n", canary.n},
                      {"k", canary.k},
                      {"code_a", canary.codeA},
                      {"code_b", canary.codeB},
                      {"expected", canary.expected},
                      {"otherwise", canary.otherwise}};
}

template <typename Entry> static json::Array toArray(const std::vector<Entry> &entries) {
  json::Array array;
  for (const Entry &entry : entries)
    array.push_back(toJSON(entry));
  return array;
}

json::Value target::toJSON(const Manifest &manifest) {
  return json::Object{
      {"schema_version", kSchemaVersion},
      {"compiler", ("ufp4 " + kVersion).str()},
      {"recipe", json::Object{{"name", manifest.recipe}, {"hash", manifest.recipeHash}}},
      {"grid_formula",
       "blocks along an axis: the product over its factors of max(least, ceil(p / tile)), where p "
       "is the extent rounded up to a multiple of padding; 1 without factors. The scalar "
       "tiles(extent, padding, tile) is the same with least = 0"},
      {"layout_formulas",
       "over g, row, k of a view [G, R, Kp], the scheme's block B and rows of blocks BR, and "
       "scale_bytes, the bytes of one scale; where a code's bits are apart, that of "
       "number bit; + * // % & | ^ as in Python"},
      {"kernels", toArray(manifest.kernels)},
      {"layouts", toArray(manifest.layouts)},
      {"canaries", toArray(manifest.canaries)}};
}

Error target::writeManifest(const Manifest &manifest, StringRef file) {
  if (Error error = verify(manifest))
    return error;
  std::string text = llvm::formatv("{0:2}\n", toJSON(manifest));
  return writeFile(file, text);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Reads one object's fields; the first problem of all sticks. Fields that nobody asked for are a
/// problem too.
class Reader {
public:
  Reader(const json::Value &value, std::string where, std::string &problem)
      : object(value.getAsObject()), where(std::move(where)), problem(problem) {
    if (!object)
      note("expected an object");
  }
  ~Reader() {
    if (object)
      for (const auto &field : *object)
        if (!asked.contains(field.first))
          note("field '" + StringRef(field.first) + "' is not known");
  }

  const json::Value *get(StringRef key) {
    const json::Value *value = find(key);
    if (!value)
      note("expected a field '" + key + "', found none");
    return value;
  }

  /// Null where there is none.
  const json::Value *find(StringRef key) {
    asked.insert(key);
    return object ? object->get(key) : nullptr;
  }

  std::string text(StringRef key) {
    const json::Value *value = get(key);
    std::optional<StringRef> found = value ? value->getAsString() : std::nullopt;
    if (value && !found)
      expected(key, "a string", *value);
    return found ? found->str() : std::string();
  }

  std::string textOrNull(StringRef key) {
    const json::Value *value = get(key);
    if (!value || value->getAsNull())
      return {};
    return text(key);
  }

  int64_t integer(StringRef key) {
    const json::Value *value = get(key);
    std::optional<int64_t> found = value ? value->getAsInteger() : std::nullopt;
    if (value && !found)
      expected(key, "an integer", *value);
    return found.value_or(0);
  }

  double number(StringRef key) {
    const json::Value *value = get(key);
    std::optional<double> found = value ? value->getAsNumber() : std::nullopt;
    if (value && !found)
      expected(key, "a number", *value);
    return found.value_or(0);
  }

  bool boolean(StringRef key) {
    const json::Value *value = get(key);
    std::optional<bool> found = value ? value->getAsBoolean() : std::nullopt;
    if (value && !found)
      expected(key, "true or false", *value);
    return found.value_or(false);
  }

  unsigned oneOf(StringRef key, llvm::ArrayRef<llvm::StringLiteral> names) {
    std::string found = text(key);
    auto it = llvm::find(names, found);
    if (it != names.end())
      return it - names.begin();
    note("expected '" + key + "' to be one of " + join(names) + ", found '" + found + "'");
    return 0;
  }

  const json::Array &array(StringRef key) {
    static const json::Array empty;
    const json::Value *value = get(key);
    if (value && !value->getAsArray())
      expected(key, "an array", *value);
    return value && value->getAsArray() ? *value->getAsArray() : empty;
  }

  const json::Object &members(StringRef key) {
    static const json::Object empty;
    const json::Value *value = get(key);
    if (value && !value->getAsObject())
      expected(key, "an object", *value);
    return value && value->getAsObject() ? *value->getAsObject() : empty;
  }

  std::vector<int64_t> integers(StringRef key) {
    std::vector<int64_t> result;
    for (const json::Value &element : array(key)) {
      std::optional<int64_t> found = element.getAsInteger();
      if (!found)
        expected(key, "an array of integers", element);
      result.push_back(found.value_or(0));
    }
    return result;
  }

  std::array<int64_t, 3> triple(StringRef key) {
    std::vector<int64_t> found = integers(key);
    if (found.size() != 3)
      note("expected '" + key + "' to have 3 extents, found " + Twine(found.size()));
    found.resize(3);
    return {found[0], found[1], found[2]};
  }

  void note(const Twine &message) {
    if (problem.empty())
      problem = (where + ": " + message).str();
  }

  void expected(StringRef key, StringRef what, const json::Value &found) {
    note("expected '" + key + "' to be " + what + ", found " + llvm::formatv("{0}", found).str());
  }

  const std::string &getPlace() const { return where; }
  std::string below(StringRef key, size_t index) const {
    return where + "." + key.str() + "[" + std::to_string(index) + "]";
  }

private:
  const json::Object *object;
  std::string where;
  std::string &problem;
  llvm::StringSet<> asked;
};
} // namespace

static ArgumentEntry readArgument(const json::Value &value, std::string where,
                                  std::string &problem) {
  Reader reader(value, std::move(where), problem);
  ArgumentEntry argument;
  argument.name = reader.text("name");
  argument.kind = ArgumentKind(reader.oneOf("kind", kKinds));
  argument.access = ArgumentAccess(reader.oneOf("access", kAccesses));
  argument.element = reader.text("element");
  argument.layout = reader.textOrNull("layout");
  for (const json::Value &extent : reader.array("shape")) {
    if (std::optional<StringRef> name = extent.getAsString(); name && !name->empty())
      argument.shape.push_back(name->str());
    else if (std::optional<int64_t> number = extent.getAsInteger(); number && *number >= 0)
      argument.shape.push_back(std::to_string(*number));
    else
      reader.expected("shape", "an array of names and numbers", extent);
  }
  argument.padding = reader.integers("padding");
  argument.alignment = reader.integer("alignment");
  argument.value = reader.textOrNull("value");
  if (reader.find("stored_bits"))
    argument.storedBits = reader.integer("stored_bits");
  if (reader.find("encoding"))
    argument.encoding = reader.integers("encoding");
  if (const json::Value *map = reader.find("tensor_map")) {
    Reader fields(*map, reader.getPlace() + ".tensor_map", problem);
    argument.tensorMap = TensorMapEntry{fields.integer("box_bytes"), fields.integer("box_rows"),
                                        fields.integer("row_step"), fields.integer("swizzle")};
  }
  return argument;
}

static KernelEntry readKernel(const json::Value &value, std::string where, std::string &problem) {
  Reader reader(value, where, problem);
  KernelEntry kernel;
  kernel.name = reader.text("name");
  kernel.assembly = reader.textOrNull("assembly");
  kernel.binary = reader.textOrNull("binary");
  kernel.chip = reader.text("chip");
  kernel.path = reader.text("path");
  for (const auto &[of, scheme] : reader.members("schemes")) {
    if (const json::Object *object = scheme.getAsObject())
      kernel.schemes[StringRef(of).str()] = *object;
    else
      reader.expected("schemes", "an object of objects", scheme);
  }
  for (const auto &[name, multiple] : reader.members("multiples")) {
    if (std::optional<int64_t> number = multiple.getAsInteger())
      kernel.multiples[StringRef(name).str()] = *number;
    else
      reader.expected("multiples", "an object of integers", multiple);
  }
  if (const json::Value *grid = reader.get("grid")) {
    Reader axes(*grid, where + ".grid", problem);
    for (auto [name, axis] : llvm::zip_equal(kAxes, kernel.grid))
      for (auto [i, factor] : llvm::enumerate(axes.array(name))) {
        Reader fields(factor, axes.below(name, i), problem);
        std::string extent = fields.text("extent");
        axis.push_back({std::move(extent), fields.integer("tile"), fields.integer("padding"),
                        fields.integer("least")});
      }
  }
  kernel.block = reader.triple("block");
  kernel.cluster = reader.triple("cluster");
  kernel.dynamicSharedBytes = reader.integer("dynamic_shared_bytes");
  kernel.staticSharedBytes = reader.integer("static_shared_bytes");
  kernel.registers = reader.integer("registers");
  kernel.tensorColumns = reader.integer("tensor_columns");
  kernel.documented = reader.boolean("documented");
  for (auto [i, argument] : llvm::enumerate(reader.array("arguments")))
    kernel.arguments.push_back(readArgument(argument, reader.below("arguments", i), problem));
  kernel.canary = reader.textOrNull("canary");
  kernel.fallback = reader.textOrNull("fallback");
  return kernel;
}

static LayoutEntry readLayout(const json::Value &value, std::string where, std::string &problem) {
  Reader reader(value, std::move(where), problem);
  LayoutEntry layout;
  layout.name = reader.text("name");
  layout.codeBit = reader.text("code_bit");
  layout.scaleByte = reader.textOrNull("scale_byte");
  return layout;
}

static CanaryEntry readCanary(const json::Value &value, std::string where, std::string &problem) {
  Reader reader(value, std::move(where), problem);
  CanaryEntry canary;
  canary.name = reader.text("name");
  canary.kernel = reader.text("kernel");
  canary.m = reader.integer("m");
  canary.n = reader.integer("n");
  canary.k = reader.integer("k");
  canary.codeA = reader.integer("code_a");
  canary.codeB = reader.integer("code_b");
  canary.expected = reader.number("expected");
  canary.otherwise = reader.number("otherwise");
  return canary;
}

/// Nothing when a text is small and flat enough for the reader of JSON.
static Error verifySize(StringRef text) {
  if (text.size() > kMaxManifestBytes)
    return fail("expected at most " + Twine(kMaxManifestBytes) + " bytes, found " +
                Twine(text.size()));
  unsigned depth = 0;
  bool isString = false;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '"')
      isString = !isString;
    else if (isString)
      at += c == '\\';
    else if (c == '[' || c == '{')
      ++depth;
    else if ((c == ']' || c == '}') && depth)
      --depth;
    if (depth > kMaxNesting)
      return fail("expected at most " + Twine(kMaxNesting) + " nested values, found more");
  }
  return Error::success();
}

Expected<Manifest> target::parseManifest(StringRef text, StringRef where) {
  if (Error error = verifySize(text))
    return fail(where + ": malformed JSON: " + llvm::toString(std::move(error)));
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return fail(where + ": malformed JSON: " + llvm::toString(value.takeError()));
  std::string problem;
  Manifest manifest;
  {
    Reader reader(*value, where.str(), problem);
    int64_t version = reader.integer("schema_version");
    // Before all else: the fields of another version mean nothing here.
    if (problem.empty() && version != kSchemaVersion)
      return fail(where + ": expected schema_version " + Twine(kSchemaVersion) + ", found " +
                  Twine(version));
    reader.text("compiler");
    reader.text("grid_formula");
    reader.text("layout_formulas");
    if (const json::Value *recipe = reader.get("recipe")) {
      Reader fields(*recipe, where.str() + ".recipe", problem);
      manifest.recipe = fields.text("name");
      manifest.recipeHash = fields.text("hash");
    }
    for (auto [i, kernel] : llvm::enumerate(reader.array("kernels")))
      manifest.kernels.push_back(readKernel(kernel, reader.below("kernels", i), problem));
    for (auto [i, layout] : llvm::enumerate(reader.array("layouts")))
      manifest.layouts.push_back(readLayout(layout, reader.below("layouts", i), problem));
    for (auto [i, canary] : llvm::enumerate(reader.array("canaries")))
      manifest.canaries.push_back(readCanary(canary, reader.below("canaries", i), problem));
  }
  if (!problem.empty())
    return fail(problem);
  if (Error error = verify(manifest))
    return fail(where + ": " + llvm::toString(std::move(error)));
  return manifest;
}

Expected<Manifest> target::readManifest(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return fail(file + ": cannot read: " + buffer.getError().message());
  return parseManifest((*buffer)->getBuffer(), file);
}
