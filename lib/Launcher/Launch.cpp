//===- Launch.cpp - From named values to a launch -------------------------===//

#include "Artifact.h"

#include "ufp4/Support/Error.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace ufp4;
using namespace ufp4::launcher;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION.
static constexpr int kClusterDimension = 4;
/// CU_TENSOR_MAP_DATA_TYPE_UINT8, _INTERLEAVE_NONE, _L2_PROMOTION_L2_128B, _FLOAT_OOB_FILL_NONE.
static constexpr int kBytes = 0, kNotInterleaved = 0, kWholeLines = 2, kZerosOutside = 0;

static std::string nameOf(const UFP4Kernel &kernel) { return "kernel " + kernel.entry->name; }

/// The argument and the dimension of `stride(ARGUMENT, DIMENSION)`, which the manifest's reader has
/// verified; null for another value.
static const target::ArgumentEntry *parseStride(const UFP4Kernel &kernel, StringRef value,
                                                unsigned &dimension) {
  if (!value.consume_front("stride(") || !value.consume_back(")"))
    return nullptr;
  auto [name, number] = value.split(", ");
  if (number.getAsInteger(10, dimension))
    return nullptr;
  for (const target::ArgumentEntry &argument : kernel.entry->arguments)
    if (argument.name == name)
      return &argument;
  return nullptr;
}

/// What a kernel can be given, by its names.
enum class ValueKind { Extent, Buffer, Scalar };

static std::map<std::string, ValueKind> getNames(const UFP4Kernel &kernel) {
  std::map<std::string, ValueKind> names;
  for (const std::string &extent : kernel.extents)
    names[extent] = ValueKind::Extent;
  const std::map<std::string, int64_t> none;
  for (const target::ArgumentEntry &argument : kernel.entry->arguments)
    if (argument.kind != target::ArgumentKind::Scalar)
      names[argument.name] = ValueKind::Buffer;
    else if (!target::TileCount::parse(argument.value) &&
             target::parseExtentOfBatch(argument.value).empty())
      names.emplace(argument.value, ValueKind::Scalar);
  return names;
}

Expected<NamedValues> launcher::readValues(const UFP4Kernel &kernel,
                                           llvm::ArrayRef<UFP4Value> values) {
  std::map<std::string, ValueKind> names = getNames(kernel);
  NamedValues result;
  llvm::StringSet<> given;
  for (const UFP4Value &value : values) {
    if (!value.name)
      return fail(nameOf(kernel) + ": a value has no name");
    auto found = names.find(value.name);
    if (found == names.end())
      return fail(nameOf(kernel) + ": it takes no '" + value.name + "'; it takes " +
                  llvm::join(llvm::make_first_range(names), ", "));
    if (!given.insert(value.name).second)
      return fail(nameOf(kernel) + ": '" + value.name + "' is given twice");
    switch (found->second) {
    case ValueKind::Extent:
      result.extents[value.name] = value.as.integer;
      break;
    case ValueKind::Buffer:
      result.buffers[value.name] = reinterpret_cast<uintptr_t>(value.as.address);
      break;
    case ValueKind::Scalar:
      result.scalars[value.name] = StringRef(value.name) == "alpha"
                                       ? llvm::bit_cast<uint32_t>(value.as.real)
                                       : value.as.integer;
      break;
    }
  }
  for (const std::string &extent : kernel.extents) {
    auto found = result.extents.find(extent);
    if (found == result.extents.end() || found->second < 0 || found->second > INT32_MAX)
      return fail(nameOf(kernel) + ": expected the extent '" + extent +
                  "', from 0 to 2^31 - 1, found " +
                  (found == result.extents.end() ? "none" : std::to_string(found->second)));
  }
  return result;
}

/// Gives strides that were left out those of an array without gaps, and verifies all of them.
static Error addStrides(const UFP4Kernel &kernel, NamedValues &values) {
  for (const target::ArgumentEntry &scalar : kernel.entry->arguments) {
    unsigned dimension;
    const target::ArgumentEntry *array = scalar.kind == target::ArgumentKind::Scalar
                                             ? parseStride(kernel, scalar.value, dimension)
                                             : nullptr;
    if (!array)
      continue;
    if (!values.scalars.count(scalar.value)) {
      int64_t stride = 1;
      for (const std::string &extent : llvm::ArrayRef(array->shape).drop_front(dimension + 1)) {
        int64_t number;
        stride *= StringRef(extent).getAsInteger(10, number) ? values.extents.at(extent) : number;
      }
      values.scalars[scalar.value] = stride;
    }
    int64_t stride = values.scalars.at(scalar.value);
    auto multiple = kernel.entry->multiples.find(scalar.value);
    if (multiple != kernel.entry->multiples.end() && stride % multiple->second)
      return fail(nameOf(kernel) + ": expected '" + scalar.value + "' to be a multiple of " +
                  Twine(multiple->second) + " elements, found " + Twine(stride));
  }
  return Error::success();
}

/// A GEMM's depth is padded by whoever quantized (Q3), so it ends with a block.
static Error verifyDepth(const UFP4Kernel &kernel, const NamedValues &values) {
  auto operands = kernel.entry->schemes.find("operands");
  auto depth = values.extents.find("k");
  if (operands == kernel.entry->schemes.end() || depth == values.extents.end())
    return Error::success();
  std::optional<int64_t> block = operands->second.getInteger("block");
  if (block && *block > 0 && depth->second % *block)
    return fail(nameOf(kernel) +
                ": expected 'k', which is padded to whole blocks (Q3), to be a "
                "multiple of " +
                Twine(*block) + ", found " + Twine(depth->second));
  return Error::success();
}

Error launcher::launch(const UFP4Kernel &kernel, const NamedValues &given, Handle stream) {
  NamedValues values = given;
  Expected<std::array<int64_t, 3>> grid = target::getGrid(*kernel.entry, values.extents);
  if (!grid)
    return grid.takeError();
  if (Error error = addStrides(kernel, values))
    return error;
  if (Error error = verifyDepth(kernel, values))
    return error;
  bool isEmpty = llvm::is_contained(*grid, 0);

  std::vector<int64_t> bits;
  for (const target::ArgumentEntry &argument : kernel.entry->arguments) {
    if (argument.kind == target::ArgumentKind::Scalar) {
      std::optional<int64_t> value =
          target::getScalar(argument.value, values.extents, values.scalars);
      if (!value)
        return fail(nameOf(kernel) + ": expected a value for '" + argument.value + "', found none");
      if (target::getElementBits(argument.element) == 32 && !llvm::isInt<32>(*value) &&
          !llvm::isUInt<32>(*value))
        return fail(nameOf(kernel) + ": expected '" + argument.value +
                    "' to fit in 32 bits, found " + Twine(*value));
      bits.push_back(*value);
      continue;
    }
    auto buffer = values.buffers.find(argument.name);
    Address address = buffer == values.buffers.end() ? 0 : buffer->second;
    if (!address && !isEmpty)
      return fail(nameOf(kernel) + ": expected an address for '" + argument.name + "', found " +
                  (buffer == values.buffers.end() ? "none" : "NULL"));
    if (address % argument.alignment)
      return fail(nameOf(kernel) + ": expected the address of '" + argument.name +
                  "' to be a multiple of " + Twine(argument.alignment) + " bytes, found 0x" +
                  llvm::utohexstr(address));
    bits.push_back(address);
  }
  if (isEmpty)
    return Error::success();
  // The low bytes come first, so a narrow scalar's address is that of its bits.
  std::vector<void *> arguments;
  for (int64_t &word : bits)
    arguments.push_back(&word);
  return launch(kernel, *grid, arguments.data(), stream);
}

namespace {
/// CUtensorMap.
struct alignas(64) TensorMap {
  char bytes[128] = {};
};
} // namespace

/// Makes the tensor maps that a kernel takes in place of addresses, and passes them.
static Error makeTensorMaps(const UFP4Kernel &kernel, const std::array<int64_t, 3> &grid,
                            std::vector<void *> &arguments, std::vector<TensorMap> &maps) {
  const target::KernelEntry &entry = *kernel.entry;
  const Driver &driver = *kernel.artifact->device->driver;
  if (llvm::none_of(entry.arguments, [](const auto &one) { return one.tensorMap.has_value(); }))
    return Error::success();
  std::vector<int64_t> values;
  for (auto [argument, passed] : llvm::zip_equal(entry.arguments, arguments)) {
    bool isWide = argument.kind != target::ArgumentKind::Scalar ||
                  target::getElementBits(argument.element) == 64;
    values.push_back(isWide ? *static_cast<int64_t *>(passed) : *static_cast<int32_t *>(passed));
  }
  std::map<std::string, int64_t> extents = target::readExtents(entry, grid, values);
  maps.resize(arguments.size());
  for (auto [i, argument] : llvm::enumerate(entry.arguments)) {
    if (!argument.tensorMap)
      continue;
    arguments[i] = &maps[i];
    Expected<std::array<int64_t, 2>> sizes = target::getTensorRows(entry, argument, extents);
    if (!sizes)
      return sizes.takeError();
    auto [rowBytes, rows] = *sizes;
    // The driver makes none of nothing, of which nothing is copied.
    if (!rowBytes || !rows)
      continue;
    const target::TensorMapEntry &map = *argument.tensorMap;
    uint64_t sizesOfTensor[] = {uint64_t(rowBytes), uint64_t(rows)}, pitch = rowBytes;
    unsigned box[] = {unsigned(map.boxBytes), unsigned(map.boxRows)},
             steps[] = {1, unsigned(map.rowStep)};
    // CU_TENSOR_MAP_SWIZZLE_NONE, _32B, _64B, _128B.
    int swizzle = map.swizzle ? int(llvm::Log2_64(map.swizzle / 16)) : 0;
    if (Error error = driver.check(
            driver.call.encodeTensorMap(&maps[i], kBytes, 2, reinterpret_cast<void *>(values[i]),
                                        sizesOfTensor, &pitch, box, steps, kNotInterleaved, swizzle,
                                        kWholeLines, kZerosOutside),
            nameOf(kernel) + ": the tensor map of '" + argument.name + "' cannot be made"))
      return error;
  }
  return Error::success();
}

Error launcher::launch(const UFP4Kernel &kernel, const std::array<int64_t, 3> &grid,
                       void *const *given, Handle stream) {
  const target::KernelEntry &entry = *kernel.entry;
  const Driver &driver = *kernel.artifact->device->driver;
  for (int64_t blocks : grid)
    if (blocks < 1 || blocks > INT32_MAX)
      return fail(nameOf(kernel) + ": expected 1 to 2^31 - 1 blocks along an axis, found " +
                  Twine(blocks));
  std::vector<void *> arguments(given, given + entry.arguments.size());
  std::vector<TensorMap> maps;
  if (Error error = makeTensorMaps(kernel, grid, arguments, maps))
    return error;
  void **passed = arguments.data();
  std::string what = nameOf(kernel) + " cannot be launched";
  const std::array<int64_t, 3> &block = entry.block, &cluster = entry.cluster;
  if (cluster == std::array<int64_t, 3>{1, 1, 1})
    return driver.check(driver.call.launch(kernel.function, grid[0], grid[1], grid[2], block[0],
                                           block[1], block[2], entry.dynamicSharedBytes, stream,
                                           passed, nullptr),
                        what);
  if (!driver.call.launchCluster)
    return failWith(UFP4_INCOMPATIBLE, what + ": " + driver.library + " has no clusters of blocks");
  ClusterLaunch config{};
  ClusterLaunch::Attribute attribute{};
  attribute.id = kClusterDimension;
  for (unsigned axis = 0; axis < 3; ++axis) {
    config.grid[axis] = grid[axis];
    config.block[axis] = block[axis];
    attribute.cluster[axis] = cluster[axis];
  }
  config.sharedBytes = entry.dynamicSharedBytes;
  config.stream = stream;
  config.attributes = &attribute;
  config.attributeCount = 1;
  return driver.check(driver.call.launchCluster(&config, kernel.function, passed, nullptr), what);
}
