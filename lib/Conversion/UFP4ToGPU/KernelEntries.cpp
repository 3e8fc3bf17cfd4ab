//===- KernelEntries.cpp - Kernels as a manifest has them -----------------===//

#include "ufp4/Conversion/UFP4ToGPU/KernelEntries.h"

#include "ufp4/Support/SchemeJSON.h"

using namespace ufp4;
using namespace ufp4::target;
using numerics::Element;

static ArgumentEntry scalar(llvm::StringRef name, llvm::StringRef element, std::string value) {
  ArgumentEntry argument;
  argument.name = name.str();
  argument.element = element.str();
  argument.value = std::move(value);
  argument.alignment = element == "i64" ? 8 : 4;
  return argument;
}

static ArgumentEntry buffer(llvm::StringRef name, ArgumentKind kind, ArgumentAccess access,
                            llvm::StringRef element, std::vector<std::string> shape,
                            int64_t alignment = 16) {
  ArgumentEntry argument;
  argument.name = name.str();
  argument.kind = kind;
  argument.access = access;
  argument.element = element.str();
  argument.shape = std::move(shape);
  argument.alignment = alignment;
  return argument;
}

/// One f32 of a tensor, or of each group.
static ArgumentEntry number(llvm::StringRef name, ArgumentKind kind, ArgumentAccess access,
                            bool ofGroups) {
  return buffer(name, kind, access, "f32", {ofGroups ? "groups" : "1"}, 4);
}

/// The table of groups (GroupKernel.h).
static ArgumentEntry groupTable(llvm::StringRef name, ArgumentAccess access) {
  return buffer(name, access == ArgumentAccess::Write ? ArgumentKind::Output : ArgumentKind::Input,
                access, "i32", {"records", std::to_string(groupFields)}, groupRecordBytes);
}

/// What a view's extents are rounded up to: a view of one element takes one tile.
static std::vector<int64_t> paddingOf(const OperandStorage &storage,
                                      const numerics::Scheme &scheme) {
  numerics::ViewShape padded = storage.pads({scheme, {1, 1, 1}});
  return {padded.g, padded.r, padded.k};
}

/// A plane of an operand whose view [G, R, K] has extents of these names.
static ArgumentEntry plane(llvm::StringRef name, PlaneIndex index, ArgumentAccess access,
                           const OperandStorage &storage, const numerics::Scheme &scheme,
                           std::vector<std::string> shape) {
  const Plane plane = storage.buffers({scheme, {1, 1, 1}})[index];
  unsigned bits = plane.elementBits;
  bool isCodes = index == codesPlane;
  std::string element = bits == 32 ? "f32" : bits == 16 ? "bf16" : "u" + std::to_string(bits);
  ArgumentEntry argument = buffer(name, isCodes ? ArgumentKind::Codes : ArgumentKind::Scales,
                                  access, element, std::move(shape));
  argument.layout = storage.name().str();
  argument.padding = paddingOf(storage, scheme);
  int64_t elements = llvm::product_of(argument.padding) / (isCodes ? 1 : scheme.block);
  if (int64_t stored = plane.bytes * 8 / elements; stored != bits)
    argument.storedBits = stored;
  if (isCodes && (bits == 6 || bits == 8))
    for (uint8_t code = 0; code < 16; ++code)
      argument.encoding.push_back(storage.encodeCode(scheme.format, code));
  return argument;
}

LayoutEntry ufp4::describeLayout(const OperandStorage &storage) {
  LayoutFormulas formulas = storage.formulas();
  return {storage.name().str(), formulas.codeBit, formulas.scaleByte};
}

/// What the input's address is a multiple of: the power of two in its known divisor, up to 16
/// bytes.
static int64_t inputAlignment(const QuantizeKernelSpec &spec) {
  int64_t multiple = spec.innerMultiple & -spec.innerMultiple;
  return std::min<int64_t>(multiple * numerics::elementBytes(spec.element), 16);
}

//===----------------------------------------------------------------------===//
// GEMM
//===----------------------------------------------------------------------===//

KernelEntry ufp4::describeKernel(const GemmKernelSpec &spec, const KernelInfo &info) {
  const GemmSchedule &schedule = info.schedule;
  KernelEntry kernel;
  kernel.name = info.name;
  kernel.chip = info.chip->name.str();
  kernel.path = stringify(schedule.mma->path()).str();
  const PathCapability *row = findPath(*info.chip, info.scheme, schedule.mma->path());
  assert(row && "the schedule was verified");
  kernel.documented = row->permission == Permission::Documented;
  kernel.schemes["operands"] = toJSON(info.scheme);
  // Natural rows share the scales of their blocks.
  if (!info.storage->tile(info.scheme))
    for (auto [rows, name] : llvm::zip(spec.blockRows, std::array{"a", "b"}))
      if (rows > 1) {
        numerics::Scheme own = info.scheme;
        own.blockRows = rows;
        kernel.schemes[name] = toJSON(own);
      }
  kernel.multiples["n"] = info.columnMultiple;
  if (info.depthMultiple > 1)
    kernel.multiples["k"] = info.depthMultiple;
  // Groups divide A's rows, or K of both; the batch is theirs.
  bool cutsRows = spec.grouping == numerics::Grouping::Rows;
  bool cutsDepth = spec.grouping == numerics::Grouping::Contracted;
  const char *rowsOfA = cutsRows ? "tiled" : "m", *depth = cutsDepth ? "tiled" : "k";
  const char *batch = cutsDepth ? "groups" : "g";
  kernel.grid = {GridAxis{{"n", schedule.tileN}},
                 GridAxis{{rowsOfA, schedule.tileM, schedule.tileM * info.launchedBlocks}},
                 GridAxis{{batch, 1}}};
  kernel.cluster = {1, schedule.blocks, 1};
  kernel.block = {info.threads, 1, 1};
  kernel.dynamicSharedBytes = info.dynamicSharedBytes;
  kernel.tensorColumns = schedule.tensorColumns();
  const char *rowsOfB = "n";
  auto operand = [&](GemmArgument role, PlaneIndex index, const char *rows) {
    const char *matrices = cutsRows && rows == rowsOfB ? "groups" : "g";
    ArgumentEntry argument = plane(stringify(role), index, ArgumentAccess::Read, *info.storage,
                                   info.scheme, {matrices, rows, depth});
    if (isTensorMap(info, role)) {
      TensorBox box = *schedule.transport->codesBox();
      argument.tensorMap = TensorMapEntry{box.bytes, box.rows, box.rowStep, box.swizzle};
    }
    return argument;
  };
  for (GemmArgument role : info.arguments)
    kernel.arguments.push_back([&] {
      llvm::StringRef name = stringify(role);
      switch (role) {
      case GemmArgument::CodesA:
        return operand(role, codesPlane, rowsOfA);
      case GemmArgument::ScalesA:
        return operand(role, scalesPlane, rowsOfA);
      case GemmArgument::CodesB:
        return operand(role, codesPlane, rowsOfB);
      case GemmArgument::ScalesB:
        return operand(role, scalesPlane, rowsOfB);
      case GemmArgument::Result:
        return buffer(name, spec.accumulate ? ArgumentKind::Accumulator : ArgumentKind::Output,
                      spec.accumulate ? ArgumentAccess::ReadWrite : ArgumentAccess::Write,
                      numerics::name(spec.result), {batch, "m", "n"}, info.resultAlignment);
      case GemmArgument::GlobalA:
      case GemmArgument::GlobalB:
        return number(name, ArgumentKind::Global, ArgumentAccess::Read, spec.grouping.has_value());
      case GemmArgument::Groups:
        return groupTable(name, ArgumentAccess::Read);
      case GemmArgument::GroupCount:
        return scalar(name, "i32", "groups");
      case GemmArgument::Bias:
        return buffer(name, ArgumentKind::Input, ArgumentAccess::Read, numerics::name(*spec.bias),
                      {"n"});
      case GemmArgument::M:
        return scalar(name, "i32", "m");
      case GemmArgument::N:
        return scalar(name, "i32", "n");
      case GemmArgument::DepthTiles:
        return scalar(
            name, "i32",
            TileCount{depth, schedule.tileK, paddingOf(*info.storage, info.scheme)[2]}.spelling());
      case GemmArgument::Depth:
        return scalar(name, "i32", "k");
      case GemmArgument::Alpha:
        return scalar(name, "f32", "alpha");
      }
      llvm_unreachable("closed set");
    }());
  return kernel;
}

/// Of groups one takes a table too.
static bool isOfOneProduct(const KernelEntry &kernel) {
  return llvm::none_of(kernel.arguments, [](const ArgumentEntry &argument) {
    return argument.name == stringify(GemmArgument::Groups);
  });
}

void ufp4::addCanary(Manifest &manifest) {
  // 7 · 1 sixty-four times on the uniform grid; where the codes mean E2M1 it is 6 · 0.5.
  static constexpr llvm::StringLiteral name = "uniform_codes";
  for (KernelEntry &kernel : manifest.kernels) {
    if (kernel.documented)
      continue;
    kernel.canary = name.str();
    if (!manifest.canaries.empty() || !isOfOneProduct(kernel))
      continue;
    int64_t n = llvm::alignTo(8, kernel.multiples["n"]);
    manifest.canaries.push_back({kernel.canary, kernel.name, /*m=*/16, n,
                                 /*k=*/64, /*codeA=*/7, /*codeB=*/1, /*expected=*/448,
                                 /*otherwise=*/192});
  }
}

//===----------------------------------------------------------------------===//
// Quantize and amax
//===----------------------------------------------------------------------===//

static bool isOfDestination(QuantizeArgument role) {
  return role >= QuantizeArgument::Codes && role <= QuantizeArgument::Stream;
}

std::string ufp4::describeArgument(QuantizeArgumentInfo argument) {
  std::string name = stringify(argument.role).str();
  return isOfDestination(argument.role) ? name + "_" + stringify(argument.axis).str() : name;
}

/// Blocks along the outer or the inner dimension: until the padding of every storage ends.
static TileCount countBlocks(const QuantizeKernelInfo &info, bool alongOuter) {
  TileCount count{alongOuter ? "outer" : "inner",
                  alongOuter ? info.outerOfBlock : info.innerOfBlock};
  for (QuantizeAxis axis : {QuantizeAxis::Inner, QuantizeAxis::Outer})
    if (const std::optional<QuantizeDestination> &destination = info.along(axis)) {
      const OperandStorage &storage =
          destination->storage ? *destination->storage : naturalStorage();
      bool isDepth = (axis == QuantizeAxis::Outer) == alongOuter;
      count.padding =
          std::max(count.padding, paddingOf(storage, destination->scheme)[isDepth ? 2 : 1]);
    }
  return count;
}

KernelEntry ufp4::describeKernel(const QuantizeKernelSpec &spec, const QuantizeKernelInfo &info) {
  KernelEntry kernel;
  kernel.name = info.name;
  kernel.chip = info.chip->name.str();
  kernel.path = "quantize";
  for (QuantizeAxis axis : {QuantizeAxis::Inner, QuantizeAxis::Outer})
    if (const std::optional<QuantizeDestination> &destination = info.along(axis)) {
      llvm::json::Object scheme = toJSON(destination->scheme);
      scheme["rounding"] = destination->randomBits ? "stochastic" : "nearest";
      scheme["bits"] = destination->randomBits;
      kernel.schemes[stringify(axis).str()] = std::move(scheme);
    }
  for (const char *size : {"inner", "stride(input, 0)", "stride(input, 1)"})
    kernel.multiples[size] = info.innerMultiple;
  kernel.block = {info.threads, 1, 1};
  kernel.dynamicSharedBytes = info.dynamicSharedBytes;
  TileCount inner = countBlocks(info, /*alongOuter=*/false),
            outer = countBlocks(info, /*alongOuter=*/true), batch{"g", 1};
  if (spec.isRagged()) {
    TileCount &divided = spec.dividesOuter() ? outer : inner;
    divided.extent = "tiled";
    divided.padding = spec.groupTile;
  }
  bool storesGlobal = llvm::any_of(info.arguments, [](const QuantizeArgumentInfo &argument) {
    return argument.role == QuantizeArgument::Global;
  });
  if (storesGlobal)
    inner.least = outer.least = batch.least = 1;
  kernel.grid = {GridAxis{inner}, GridAxis{outer}, GridAxis{batch}};
  for (const QuantizeArgumentInfo &argument : info.arguments)
    kernel.arguments.push_back([&] {
      std::string name = describeArgument(argument);
      const std::optional<QuantizeDestination> &destination = info.along(argument.axis);
      std::vector<std::string> view = {"g", "outer", "inner"};
      if (argument.axis == QuantizeAxis::Outer)
        std::swap(view[1], view[2]);
      if (spec.isRagged())
        view[spec.grouping == numerics::Grouping::Rows ? 1 : 2] = "tiled";
      auto written = [&](PlaneIndex index) {
        return plane(name, index, ArgumentAccess::Write, *destination->storage, destination->scheme,
                     view);
      };
      bool isAmax = destination && !destination->storage;
      switch (argument.role) {
      case QuantizeArgument::Input:
        return buffer(name, ArgumentKind::Input, ArgumentAccess::Read, numerics::name(spec.element),
                      {"g", spec.gathers ? "source_rows" : "outer", "inner"}, inputAlignment(spec));
      case QuantizeArgument::Rows:
        return buffer(name, ArgumentKind::Input, ArgumentAccess::Read, "i32", {"outer"}, 4);
      case QuantizeArgument::SourceRows:
        return scalar(name, "i32", name);
      case QuantizeArgument::Codes:
        return written(codesPlane);
      case QuantizeArgument::Scales:
        return written(scalesPlane);
      case QuantizeArgument::Amax:
        return number(name, isAmax ? ArgumentKind::Accumulator : ArgumentKind::Global,
                      isAmax ? ArgumentAccess::ReadWrite : ArgumentAccess::Read,
                      spec.grouping.has_value());
      case QuantizeArgument::Global:
        return number(name, ArgumentKind::Global, ArgumentAccess::Write, spec.grouping.has_value());
      case QuantizeArgument::Seed:
        return scalar(name, "i64", name);
      case QuantizeArgument::Step:
      case QuantizeArgument::Stream:
        return scalar(name, "i32", name);
      case QuantizeArgument::Outer:
        return scalar(name, "i32", "outer * min(g, 1)");
      case QuantizeArgument::Inner:
        return scalar(name, "i32", "inner");
      case QuantizeArgument::StrideBatch:
        return scalar(name, "i64", "stride(input, 0)");
      case QuantizeArgument::StrideOuter:
        return scalar(name, "i64", "stride(input, 1)");
      case QuantizeArgument::Groups:
        return groupTable(name, ArgumentAccess::Read);
      case QuantizeArgument::GroupTiles:
        return scalar(name, "i32", TileCount{"tiled", spec.groupTile}.spelling());
      case QuantizeArgument::GroupCount:
        return scalar(name, "i32", "groups");
      case QuantizeArgument::FirstGroup:
        return scalar(name, "i64", name);
      }
      llvm_unreachable("closed set");
    }());
  return kernel;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

KernelEntry ufp4::describeKernel(const GroupKernelSpec &spec, const GroupKernelInfo &info) {
  KernelEntry kernel;
  kernel.name = info.name;
  kernel.chip = info.chip->name.str();
  kernel.path = "groups";
  kernel.block = {info.threads, 1, 1};
  kernel.grid = {GridAxis{{"records", info.threads}}, GridAxis{}, GridAxis{}};
  for (unsigned i = 0; i < groupArguments; ++i)
    kernel.arguments.push_back([&] {
      auto role = GroupArgument(i);
      llvm::StringRef name = stringify(role);
      switch (role) {
      case GroupArgument::Sizes:
        return buffer(name, ArgumentKind::Input, ArgumentAccess::Read, "i32", {"groups"}, 4);
      case GroupArgument::Table:
        return groupTable(name, ArgumentAccess::Write);
      case GroupArgument::Groups:
      case GroupArgument::Records:
      case GroupArgument::Extent:
        return scalar(name, "i32", name.str());
      }
      llvm_unreachable("closed set");
    }());
  return kernel;
}
