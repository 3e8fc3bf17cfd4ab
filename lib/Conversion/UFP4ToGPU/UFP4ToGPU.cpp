//===- UFP4ToGPU.cpp - Quantizes and GEMMs on buffers to kernels ----------===//
//
// A kernel serves every size, so a module needs few: each is built when it is first asked for. Its
// manifest entry then says how to launch it.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Conversion/UFP4ToGPU/KernelEntries.h"
#include "ufp4/Conversion/UFP4ToGPU/Passes.h"

#include "KernelLaunch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"

#include <numeric>

namespace ufp4 {
#define GEN_PASS_DEF_UFP4TOGPU
#include "ufp4/Conversion/UFP4ToGPU/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;

namespace {

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

constexpr StringLiteral moduleName = "ufp4_kernels";

struct Kernel {
  gpu::GPUFuncOp function;
  target::KernelEntry entry;
};

/// The module's kernels, by name; names tell all that a kernel depends on.
class KernelSet {
public:
  explicit KernelSet(ModuleOp module) : module(module) {}

  template <typename Spec, typename Build>
  FailureOr<Kernel> get(Location loc, const Spec &spec, StringRef name, Build build) {
    auto found = kernels.find(name);
    if (found != kernels.end())
      return found->second;
    if (!kernelModule) {
      auto builder = OpBuilder::atBlockEnd(module.getBody());
      kernelModule = gpu::GPUModuleOp::create(builder, module.getLoc(), moduleName);
      // The module may have a symbol of that name.
      kernelModule->remove();
      SymbolTable(module).insert(kernelModule);
      module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), builder.getUnitAttr());
    }
    auto builder = OpBuilder::atBlockEnd(kernelModule.getBody());
    auto info = build(builder, loc, spec);
    if (failed(info))
      return failure();
    auto function = kernelModule.lookupSymbol<gpu::GPUFuncOp>(info->name);
    Kernel kernel{function, describeKernel(spec, *info)};
    kernels[name] = kernel;
    order.push_back(name.str());
    return kernel;
  }

  /// Names the kernel that stands in for another.
  void setFallback(const Kernel &kernel, const Kernel &fallback) {
    kernels[kernel.entry.name].entry.fallback = fallback.entry.name;
  }

  std::vector<target::KernelEntry> entries() const {
    std::vector<target::KernelEntry> all;
    for (const std::string &name : order)
      all.push_back(kernels.lookup(name).entry);
    return all;
  }
  unsigned size() const { return order.size(); }

private:
  ModuleOp module;
  gpu::GPUModuleOp kernelModule;
  llvm::StringMap<Kernel> kernels;
  std::vector<std::string> order;
};

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Dimensions of a buffer that are one dimension of a view, in their order.
using Group = SmallVector<int64_t>;

/// A buffer's dimensions as those of a view [G, R, K].
struct ViewGroups {
  Group g, r, k;

  ViewGroups(int64_t rank, int64_t along, unsigned batch) : k({along}) {
    for (int64_t d = 0; d < rank; ++d)
      if (d != along)
        (g.size() < batch ? g : r).push_back(d);
  }
  explicit ViewGroups(StoredAttr stored)
      : ViewGroups(stored.getType().getRank(), stored.getType().getAlong(), stored.getBatch()) {}
};

/// One dimension of a view.
struct ViewDimension {
  OpFoldResult size, stride;
};

/// Reads a buffer's sizes and strides.
class BufferShape {
public:
  BufferShape(OpBuilder &b, Location loc, Value buffer)
      : b(b), loc(loc), type(cast<MemRefType>(buffer.getType())) {
    auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, buffer);
    sizes = metadata.getConstifiedMixedSizes();
    strides = metadata.getConstifiedMixedStrides();
    offset = metadata.getConstifiedMixedOffset();
    auto isKnown = [](OpFoldResult value) { return isa<Attribute>(value); };
    if (isKnown(offset) && llvm::all_of(sizes, isKnown) && llvm::all_of(strides, isKnown))
      metadata.erase();
  }

  SmallVector<OpFoldResult> sizes, strides;
  OpFoldResult offset;

  OpFoldResult product(ArrayRef<int64_t> dims) {
    OpFoldResult all = b.getIndexAttr(1);
    for (int64_t d : dims) {
      if (auto x = getConstantIntValue(all))
        if (auto y = getConstantIntValue(sizes[d])) {
          all = b.getIndexAttr(*x * *y);
          continue;
        }
      all = b.createOrFold<arith::MulIOp>(loc, getValueOrCreateConstantIndexOp(b, loc, all),
                                          getValueOrCreateConstantIndexOp(b, loc, sizes[d]));
    }
    return all;
  }

  /// The dimensions as one, if their elements lie at one distance from each other.
  std::optional<ViewDimension> merge(ArrayRef<int64_t> dims) {
    Group some;
    for (int64_t d : dims)
      if (getConstantIntValue(sizes[d]) != 1)
        some.push_back(d);
    for (unsigned i = 0; i + 1 < some.size(); ++i)
      if (!areNeighbours(some[i], some[i + 1]))
        return std::nullopt;
    OpFoldResult stride = some.empty() ? OpFoldResult(b.getIndexAttr(0)) : strides[some.back()];
    return ViewDimension{product(dims), stride};
  }

private:
  /// Whether one step along `outer` is all of `inner`.
  bool areNeighbours(int64_t outer, int64_t inner) {
    if (type.getLayout().isIdentity() && llvm::all_of(llvm::seq(outer + 1, inner), [&](int64_t d) {
          return getConstantIntValue(sizes[d]) == 1;
        }))
      return true;
    auto stride = getConstantIntValue(strides[outer]), size = getConstantIntValue(sizes[inner]),
         step = getConstantIntValue(strides[inner]);
    return stride && size && step && *stride == *size * *step;
  }

  OpBuilder &b;
  Location loc;
  MemRefType type;
};

/// A buffer as a quantize kernel sees it, inner elements one behind the other.
struct KernelView {
  ViewDimension batch, outer, inner;
  OpFoldResult offset;

  /// The greatest power of two, at most 16 bytes of elements, that is known to divide the inner
  /// extent and the place where every line begins.
  unsigned getInnerMultiple(numerics::Element element) const {
    int64_t multiple = 16 / numerics::elementBytes(element);
    for (OpFoldResult value : {inner.size, outer.stride, batch.stride, offset})
      multiple = std::gcd(multiple, getConstantIntValue(value).value_or(1));
    return multiple;
  }
};

bool isUnit(const ViewDimension &dimension) {
  return getConstantIntValue(dimension.stride) == 1 || getConstantIntValue(dimension.size) == 1;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

class Lowering {
public:
  Lowering(const target::Chip &chip, KernelSet &kernels) : chip(chip), kernels(kernels) {}

  unsigned numLaunches = 0, numCopies = 0;

  LogicalResult lower(BlockGemmOp op);
  LogicalResult lower(QuantizeIntoOp op);
  LogicalResult lower(AmaxIntoOp op);
  LogicalResult lower(GroupTableIntoOp op);

  /// Where all kernels on an undocumented encoding are of groups, one that is not: a canary is one
  /// product, without a table.
  LogicalResult addCanaryKernel(Location loc);

private:
  using Destination = QuantizeIntoOp::Destination;

  /// Where a quantized dimension lies in the kernel's view.
  struct PlacedView {
    KernelView view;
    QuantizeAxis axis;
  };

  /// Fails where the grid is known and too large.
  LogicalResult launch(OpBuilder &b, Location loc, const Kernel &kernel,
                       const LaunchOperands &operands) {
    std::map<std::string, int64_t> extents;
    for (const auto &[name, size] : operands.sizes)
      if (std::optional<int64_t> known = getConstantIntValue(size))
        extents[name.str()] = *known;
    bool isKnown = llvm::all_of(kernel.entry.grid, [&](const target::GridAxis &axis) {
      return llvm::all_of(
          axis, [&](const target::TileCount &tiles) { return extents.count(tiles.extent); });
    });
    if (isKnown)
      if (auto grid = target::getGrid(kernel.entry, extents); !grid)
        return emitError(loc) << llvm::toString(grid.takeError());
    numLaunches += emitLaunch(b, loc, kernel.entry, kernel.function, operands);
    return success();
  }

  /// Builds the kernel that takes the place of another where a device does not understand it.
  LogicalResult addFallback(BlockGemmOp op, const Kernel &kernel, GemmKernelSpec spec,
                            const target::GemmSchedule &schedule);
  static std::optional<PlacedView> findView(BufferShape &shape, const ViewGroups &groups);
  Value copyToView(OpBuilder &b, Location loc, Value input, const ViewGroups &groups);
  LogicalResult quantize(OpBuilder &b, QuantizeIntoOp op,
                         ArrayRef<std::pair<Destination, ViewGroups>> destinations);
  /// The view of an input, which is copied where it has none, or of its rows that are gathered.
  PlacedView placeGathered(OpBuilder &b, Location loc, Value &input, Value rows,
                           const ViewGroups &groups, SmallVectorImpl<Value> &temporaries);
  PlacedView placeOrCopy(OpBuilder &b, Location loc, Value &input, Value rows,
                         const ViewGroups &groups, SmallVectorImpl<Value> &temporaries);
  static void addView(OpBuilder &b, Location loc, Value input, Value rows, const KernelView &view,
                      LaunchOperands &operands);
  /// The extents of a table of groups.
  static void addTable(OpBuilder &b, Location loc, Value table, Value groups, int64_t tile,
                       LaunchOperands &operands);
  /// What kernels of grouped operands take beside others: `table` is null where groups are stacked.
  static void addGroups(OpBuilder &b, Location loc, GroupsAttr groups, Value table, int64_t tile,
                        LaunchOperands &operands);

  const target::Chip &chip;
  KernelSet &kernels;
  /// A kernel on an undocumented encoding, of groups only where no other is.
  std::optional<GemmKernelSpec> undocumented;
};

Value toValue(OpBuilder &b, Location loc, OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(b, loc, value);
}

/// Whether groups are seen by whoever quantizes: stacked ones that are quantized alike are a batch.
bool areGroupsSeen(GroupsAttr groups, SchemeAttr scheme, bool isStochastic) {
  return groups && (groups.isRagged() || scheme.hasGlobalScale() || isStochastic);
}

/// The numerics library's element type of a buffer.
numerics::Element getElementOf(Value buffer) {
  Type type = cast<ShapedType>(buffer.getType()).getElementType();
  return type.isF32()    ? numerics::Element::F32
         : type.isBF16() ? numerics::Element::BF16
                         : numerics::Element::F16;
}

//===----------------------------------------------------------------------===//
// GEMMs
//===----------------------------------------------------------------------===//

/// A dense buffer of the same shape.
Value allocateLike(OpBuilder &b, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      sizes.push_back(memref::DimOp::create(b, loc, buffer, d));
  return memref::AllocOp::create(b, loc, MemRefType::get(type.getShape(), type.getElementType()),
                                 sizes);
}

/// A buffer, or null, or a dense copy where its elements lie apart.
Value makeDense(OpBuilder &b, Location loc, Value buffer, SmallVectorImpl<Value> &temporaries) {
  if (!buffer || cast<MemRefType>(buffer.getType()).getLayout().isIdentity())
    return buffer;
  Value copy = allocateLike(b, loc, buffer);
  memref::CopyOp::create(b, loc, buffer, copy);
  temporaries.push_back(copy);
  return copy;
}

/// What a GEMM kernel depends on: not on rotations, on rows of blocks, nor on how a scale was
/// chosen.
numerics::Scheme getGemmScheme(SchemeAttr attr) {
  numerics::Scheme scheme = attr.getNumerics(), gemm;
  gemm.format = scheme.format;
  gemm.block = scheme.block;
  gemm.scale = scheme.scale;
  return gemm;
}

LogicalResult Lowering::addFallback(BlockGemmOp op, const Kernel &kernel, GemmKernelSpec spec,
                                    const target::GemmSchedule &schedule) {
  spec.path = schedule.mma->path();
  spec.launchedBlocks = spec.schedule->blocks;
  spec.schedule = schedule;
  FailureOr<Kernel> fallback =
      kernels.get(op.getLoc(), spec, getKernelName(spec, schedule), buildGemmKernel);
  if (failed(fallback))
    return failure();
  std::string difference = target::explainOtherLaunch(kernel.entry, fallback->entry);
  if (!difference.empty())
    return op.emitOpError() << "has a fallback, " << fallback->entry.name
                            << ", which is launched in place of " << kernel.entry.name
                            << " and differs from it in " << difference;
  kernels.setFallback(kernel, *fallback);
  return success();
}

LogicalResult Lowering::addCanaryKernel(Location loc) {
  if (!undocumented || !undocumented->grouping)
    return success();
  GemmKernelSpec spec = *undocumented;
  spec.grouping = std::nullopt;
  return kernels.get(loc, spec, getKernelName(spec, *spec.schedule), buildGemmKernel);
}

LogicalResult Lowering::lower(BlockGemmOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  GemmKernelSpec spec;
  spec.chip = &chip;
  spec.scheme = getGemmScheme(op.getLhs().getType().getScheme());
  spec.path = op.getPath().getValue();
  spec.result = getElementOf(op.getOutput());
  spec.accumulate = op.getAccumulate();
  spec.alpha = static_cast<bool>(op.getAlpha());
  GroupsAttr groups = op.getLhs().getType().getGroups();
  if (groups)
    spec.grouping = groups.getGrouping();
  if (op.getBias())
    spec.bias = getElementOf(op.getBias());

  // Operands may lie as the instruction has them best, or be made elsewhere, row by row.
  std::string why;
  const target::OperandStorage &given = op.getLhs().getStorage().getStorage();
  int64_t depth = op.getLhs().getType().getPaddedK();
  const target::GemmSchedule *schedule = target::chooseSchedule(
      chip, spec.scheme, spec.path, why, &given, /*passedOver=*/nullptr, depth);
  if (!schedule)
    schedule = target::chooseSchedule(chip, spec.scheme, spec.path, why);
  if (!schedule)
    return op.emitOpError() << "has no kernel on " << chip.name << ": " << why;
  // Of groups nobody knows the sizes; of others, that tiles should not waste what is known.
  std::optional<target::GemmExtents> extents;
  if (!groups) {
    auto known = [](int64_t extent) {
      return ShapedType::isDynamic(extent) ? target::kUnknownExtent : extent;
    };
    extents = target::GemmExtents{known(op.getG()), known(op.getM()), known(op.getN()), depth};
  }
  target::SchedulePair pair;
  if (auto path = op->getAttrOfType<PathAttr>(target::kFallbackAttr)) {
    pair = target::choosePair(chip, spec.scheme, *schedule->mma, path.getValue(), why, extents,
                              /*isGrouped=*/bool(groups));
    if (!pair.fallback)
      return op.emitOpError() << "has no fallback on " << chip.name << " that reads \""
                              << schedule->storage().name() << "\": " << why;
    schedule = pair.schedule;
  } else {
    schedule = &target::chooseTiles(*schedule, chip, spec.scheme, extents, bool(groups));
  }
  spec.schedule = *schedule;
  // What a tile's depth is a multiple of is enough.
  spec.depthMultiple = std::gcd(depth, int64_t(schedule->tileK));
  for (auto [stored, rows] : llvm::zip(std::array{op.getLhs(), op.getRhs()}, spec.blockRows))
    rows = stored.getType().getScheme().getBlockRows();
  // A run of accumulators is not stored at once with the next.
  int64_t n = op.getN();
  spec.columnMultiple =
      ShapedType::isDynamic(n) ? 1 : std::gcd(n, int64_t(schedule->mma->runLength()));
  const target::OperandStorage &read = schedule->storage();
  for (StoredAttr stored : {op.getLhs(), op.getRhs()})
    if (&stored.getStorage().getStorage() != &read) {
      InFlightDiagnostic error = op.emitOpError();
      error << "has an operand in storage \"" << stored.getStorage().getName() << "\"; "
            << chip.name << " reads \"" << read.name()
            << "\" on this path: materialize storages for this target";
      for (target::Path path : target::kPaths)
        if (target::chooseSchedule(chip, spec.scheme, path, why, &given, /*passedOver=*/nullptr,
                                   depth))
          error << ", or take the path " << target::stringify(path) << ", which reads it";
      return error;
    }
  FailureOr<Kernel> kernel =
      kernels.get(loc, spec, getKernelName(spec, *schedule), buildGemmKernel);
  if (failed(kernel))
    return failure();
  if (pair.fallback && failed(addFallback(op, *kernel, spec, *pair.fallback)))
    return failure();
  if (!kernel->entry.documented && (!undocumented || undocumented->grouping))
    undocumented = spec;

  Value output = op.getOutput(), target = output;
  bool isDense = cast<MemRefType>(output.getType()).getLayout().isIdentity();
  if (!isDense) {
    target = allocateLike(b, loc, output);
    if (op.getAccumulate())
      memref::CopyOp::create(b, loc, output, target);
  }
  BufferShape shape(b, loc, target);
  bool isContracted = spec.grouping == numerics::Grouping::Contracted;
  // A product for each group of K, as if of a batch.
  unsigned batch = isContracted ? 1 : op.getLhs().getBatchShape().size();
  unsigned free = op.getLhs().getFreeShape().size();
  auto range = [](unsigned from, unsigned to) {
    return llvm::to_vector(llvm::seq<int64_t>(from, to));
  };
  LaunchOperands operands;
  operands.sizes["g"] = toValue(b, loc, shape.product(range(0, batch)));
  operands.sizes["m"] = toValue(b, loc, shape.product(range(batch, batch + free)));
  operands.sizes["n"] = toValue(b, loc, shape.product(range(batch + free, shape.sizes.size())));
  operands.sizes["k"] = arith::ConstantIndexOp::create(b, loc, op.getLhs().getType().getPaddedK());
  if (groups) {
    if (isContracted)
      operands.sizes["g"] = arith::ConstantIndexOp::create(b, loc, 1);
    addGroups(b, loc, groups, op.getGroups(), op.getLhs().getGroupTile(), operands);
  }
  auto give = [&](GemmArgument argument, Value buffer) {
    if (buffer)
      operands.buffers[stringify(argument)] = buffer;
  };
  give(GemmArgument::CodesA, op.getLhsCodes());
  give(GemmArgument::ScalesA, op.getLhsScales());
  give(GemmArgument::GlobalA, op.getLhsGlobal());
  give(GemmArgument::CodesB, op.getRhsCodes());
  give(GemmArgument::ScalesB, op.getRhsScales());
  give(GemmArgument::GlobalB, op.getRhsGlobal());
  give(GemmArgument::Bias, op.getBias());
  give(GemmArgument::Result, target);
  if (op.getAlpha())
    operands.scalars["alpha"] = op.getAlpha();
  if (failed(launch(b, loc, *kernel, operands)))
    return failure();
  if (!isDense) {
    memref::CopyOp::create(b, loc, target, output);
    memref::DeallocOp::create(b, loc, target);
  }
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Quantizes
//===----------------------------------------------------------------------===//

std::optional<Lowering::PlacedView> Lowering::findView(BufferShape &shape,
                                                       const ViewGroups &groups) {
  std::optional<ViewDimension> g = shape.merge(groups.g), r = shape.merge(groups.r),
                               k = shape.merge(groups.k);
  if (!g || !r || !k)
    return std::nullopt;
  if (isUnit(*k))
    return PlacedView{{*g, *r, *k, shape.offset}, QuantizeAxis::Inner};
  if (isUnit(*r))
    return PlacedView{{*g, *k, *r, shape.offset}, QuantizeAxis::Outer};
  return std::nullopt;
}

Value Lowering::copyToView(OpBuilder &b, Location loc, Value input, const ViewGroups &groups) {
  SmallVector<int64_t> order;
  llvm::append_range(order, groups.g);
  llvm::append_range(order, groups.r);
  llvm::append_range(order, groups.k);
  auto type = cast<MemRefType>(input.getType());
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  for (int64_t d : order) {
    shape.push_back(type.getDimSize(d));
    if (type.isDynamicDim(d))
      sizes.push_back(memref::DimOp::create(b, loc, input, d));
  }
  Value copy =
      memref::AllocOp::create(b, loc, MemRefType::get(shape, type.getElementType()), sizes);
  linalg::TransposeOp::create(b, loc, input, copy, order);
  emitRemark(loc) << "a quantize's input is copied: it has no view [G, outer, inner] with a "
                     "contiguous inner dimension";
  ++numCopies;
  return copy;
}

Lowering::PlacedView Lowering::placeGathered(OpBuilder &b, Location loc, Value &input, Value rows,
                                             const ViewGroups &groups,
                                             SmallVectorImpl<Value> &temporaries) {
  // Of rank 2; elements of a row follow one another.
  BufferShape given(b, loc, input);
  if (getConstantIntValue(given.strides[1]) != 1 && getConstantIntValue(given.sizes[1]) != 1) {
    input = copyToView(b, loc, input, ViewGroups(/*rank=*/2, /*along=*/1, /*batch=*/0));
    temporaries.push_back(input);
  }
  BufferShape shape(b, loc, input);
  KernelView view;
  view.batch = {b.getIndexAttr(1), b.getIndexAttr(0)};
  view.outer = {BufferShape(b, loc, rows).sizes[0], shape.strides[0]};
  view.inner = {shape.sizes[1], b.getIndexAttr(1)};
  view.offset = shape.offset;
  return {view, groups.k.front() == 1 ? QuantizeAxis::Inner : QuantizeAxis::Outer};
}

Lowering::PlacedView Lowering::placeOrCopy(OpBuilder &b, Location loc, Value &input, Value rows,
                                           const ViewGroups &groups,
                                           SmallVectorImpl<Value> &temporaries) {
  if (rows)
    return placeGathered(b, loc, input, rows, groups, temporaries);
  BufferShape shape(b, loc, input);
  if (std::optional<PlacedView> placed = findView(shape, groups))
    return *placed;
  input = copyToView(b, loc, input, groups);
  temporaries.push_back(input);
  BufferShape copied(b, loc, input);
  // The copy's dimensions are those of G, of R and K, in this order.
  ViewGroups order = groups;
  int64_t next = 0;
  for (Group *group : {&order.g, &order.r, &order.k})
    for (int64_t &d : *group)
      d = next++;
  std::optional<PlacedView> placed = findView(copied, order);
  assert(placed && "a dense copy has a view");
  return *placed;
}

void Lowering::addView(OpBuilder &b, Location loc, Value input, Value rows, const KernelView &view,
                       LaunchOperands &operands) {
  operands.buffers["input"] = input;
  if (rows) {
    operands.buffers["rows"] = rows;
    operands.sizes["source_rows"] = toValue(b, loc, BufferShape(b, loc, input).sizes[0]);
  }
  operands.sizes["g"] = toValue(b, loc, view.batch.size);
  operands.sizes["outer"] = toValue(b, loc, view.outer.size);
  operands.sizes["inner"] = toValue(b, loc, view.inner.size);
  operands.sizes["stride(input, 0)"] = toValue(b, loc, view.batch.stride);
  operands.sizes["stride(input, 1)"] = toValue(b, loc, view.outer.stride);
}

void Lowering::addTable(OpBuilder &b, Location loc, Value table, Value groups, int64_t tile,
                        LaunchOperands &operands) {
  Value records = toValue(b, loc, BufferShape(b, loc, table).sizes[0]);
  Value tiles = b.createOrFold<arith::SubIOp>(loc, records, groups);
  operands.sizes["groups"] = groups;
  operands.sizes["records"] = records;
  operands.sizes["tiled"] = b.createOrFold<arith::MulIOp>(
      loc, tiles, arith::ConstantIndexOp::create(b, loc, tile).getResult());
}

void Lowering::addGroups(OpBuilder &b, Location loc, GroupsAttr groups, Value table, int64_t tile,
                         LaunchOperands &operands) {
  Value count = arith::ConstantIndexOp::create(b, loc, groups.getCount());
  operands.sizes["groups"] = count;
  if (!table)
    return;
  operands.buffers["groups"] = table;
  addTable(b, loc, table, count, tile, operands);
}

LogicalResult Lowering::quantize(OpBuilder &b, QuantizeIntoOp op,
                                 ArrayRef<std::pair<Destination, ViewGroups>> destinations) {
  Location loc = op.getLoc();
  SmallVector<Value> temporaries;
  Value input = op.getInput(), rows = makeDense(b, loc, op.getRows(), temporaries);
  QuantizeKernelSpec spec;
  spec.gathers = static_cast<bool>(rows);
  spec.chip = &chip;
  spec.element = getElementOf(input);
  LaunchOperands operands;
  KernelView view;
  for (const auto &[destination, groups] : destinations) {
    PlacedView placed = placeOrCopy(b, loc, input, rows, groups, temporaries);
    view = placed.view;
    auto &place = placed.axis == QuantizeAxis::Inner ? spec.inner : spec.outer;
    assert(!place && "destinations of one kernel are along different dimensions");
    DestinationAttr attr = destination.attr;
    StoredAttr stored = attr.getStored();
    if (areGroupsSeen(stored.getType().getGroups(), attr.getScheme(), attr.isStochastic())) {
      spec.grouping = stored.getType().getGroups().getGrouping();
      if (op.getGroups())
        spec.groupTile = stored.getGroupTile();
      addGroups(b, loc, stored.getType().getGroups(), op.getGroups(), spec.groupTile, operands);
    }
    place = QuantizeDestination{attr.getScheme().getNumerics(),
                                &attr.getStored().getStorage().getStorage(),
                                attr.isStochastic() ? attr.getBits() : 0};
    RotationAttr rotation = attr.getScheme().getRotation();
    place->rotatesByMma = rotation && rotation.getEvaluation() == Evaluation::Mma;
    auto name = [&](QuantizeArgument role) { return describeArgument({role, placed.axis}); };
    auto give = [&](QuantizeArgument role, Value buffer) {
      if (buffer)
        operands.buffers[name(role)] = buffer;
    };
    give(QuantizeArgument::Codes, destination.codes);
    give(QuantizeArgument::Scales, destination.scales);
    give(QuantizeArgument::Amax, destination.amax);
    give(QuantizeArgument::Global, destination.global);
    if (!attr.isStochastic())
      continue;
    operands.scalars[name(QuantizeArgument::Seed)] = destination.seed;
    operands.scalars[name(QuantizeArgument::Step)] = destination.step;
    Value stream = destination.stream;
    if (!stream)
      stream = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(int32_t(attr.getStream())));
    operands.scalars[name(QuantizeArgument::Stream)] = stream;
  }
  spec.innerMultiple = spec.dividesInner() ? 1 : view.getInnerMultiple(spec.element);
  if (spec.grouping) {
    Value first = op.getFirstGroup();
    operands.scalars["first_group"] =
        first ? first : arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0)).getResult();
  }
  FailureOr<Kernel> kernel =
      kernels.get(loc, spec, getKernelName(spec, /*isAmax=*/false), buildQuantizeKernel);
  if (failed(kernel))
    return failure();
  addView(b, loc, input, rows, view, operands);
  if (failed(launch(b, loc, *kernel, operands)))
    return failure();
  for (Value temporary : temporaries)
    memref::DeallocOp::create(b, loc, temporary);
  return success();
}

/// Whether one kernel can write both: each quantizes along what the other keeps.
bool canShareKernel(BufferShape &shape, const ViewGroups &x, const ViewGroups &y) {
  if (x.g != y.g || x.r != y.k || x.k != y.r)
    return false;
  // One of the dimensions must be contiguous, and only one.
  return (getConstantIntValue(shape.strides[x.k[0]]) == 1) !=
         (getConstantIntValue(shape.strides[y.k[0]]) == 1);
}

LogicalResult Lowering::lower(QuantizeIntoOp op) {
  OpBuilder b(op);
  SmallVector<std::pair<Destination, ViewGroups>, 0> destinations;
  for (const Destination &destination : op.getEach()) {
    if (destination.attr.getPlace())
      return op.emitOpError() << "quantizes a part of a tensor (Q8), for which there is no kernel; "
                                 "lower it with --ufp4-to-linalg";
    destinations.push_back({destination, ViewGroups(destination.attr.getStored())});
  }
  Value input = op.getInput();
  bool together = destinations.size() == 2;
  if (together) {
    BufferShape shape(b, op.getLoc(), input);
    together = canShareKernel(shape, destinations[0].second, destinations[1].second);
  }
  if (together) {
    if (failed(quantize(b, op, destinations)))
      return failure();
  } else {
    for (auto &destination : destinations)
      if (failed(quantize(b, op, destination)))
        return failure();
  }
  op.erase();
  return success();
}

LogicalResult Lowering::lower(AmaxIntoOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  SmallVector<Value> temporaries;
  Value input = op.getInput(), rows = makeDense(b, loc, op.getRows(), temporaries);
  // Rows of 2-D blocks lie in one dimension; for others it does not matter how they are split.
  int64_t rank = cast<ShapedType>(input.getType()).getRank();
  ViewGroups groups(rank, op.getAlong(), std::max<int64_t>(rank - 2, 0));
  PlacedView placed = placeOrCopy(b, loc, input, rows, groups, temporaries);
  QuantizeKernelSpec spec;
  spec.chip = &chip;
  spec.gathers = static_cast<bool>(rows);
  spec.element = getElementOf(input);
  (placed.axis == QuantizeAxis::Inner ? spec.inner : spec.outer) =
      QuantizeDestination{op.getScheme().getNumerics()};
  LaunchOperands operands;
  if (GroupsAttr attr = op.getGroupsAttr()) {
    spec.grouping = attr.getGrouping();
    spec.groupTile = op.getTile().value_or(0);
    addGroups(b, loc, attr, op.getTable(), spec.groupTile, operands);
  }
  spec.innerMultiple = spec.dividesInner() ? 1 : placed.view.getInnerMultiple(spec.element);
  FailureOr<Kernel> kernel =
      kernels.get(loc, spec, getKernelName(spec, /*isAmax=*/true), buildAmaxKernel);
  if (failed(kernel))
    return failure();
  operands.buffers[describeArgument({QuantizeArgument::Amax, placed.axis})] = op.getOutput();
  addView(b, loc, input, rows, placed.view, operands);
  if (failed(launch(b, loc, *kernel, operands)))
    return failure();
  for (Value temporary : temporaries)
    memref::DeallocOp::create(b, loc, temporary);
  op.erase();
  return success();
}

LogicalResult Lowering::lower(GroupTableIntoOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  GroupKernelSpec spec;
  spec.chip = &chip;
  spec.tile = op.getTile();
  FailureOr<Kernel> kernel = kernels.get(loc, spec, getKernelName(spec), buildGroupKernel);
  if (failed(kernel))
    return failure();
  LaunchOperands operands;
  auto give = [&](GroupArgument argument, Value buffer) {
    operands.buffers[stringify(argument)] = buffer;
  };
  SmallVector<Value> temporaries;
  Value sizes = makeDense(b, loc, op.getSizes(), temporaries);
  give(GroupArgument::Sizes, sizes);
  give(GroupArgument::Table, op.getOutput());
  addTable(b, loc, op.getOutput(), toValue(b, loc, BufferShape(b, loc, sizes).sizes[0]),
           op.getTile(), operands);
  operands.scalars["extent"] =
      b.createOrFold<arith::IndexCastOp>(loc, b.getI32Type(), op.getExtent());
  if (failed(launch(b, loc, *kernel, operands)))
    return failure();
  for (Value temporary : temporaries)
    memref::DeallocOp::create(b, loc, temporary);
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct UFP4ToGPUPass : ufp4::impl::UFP4ToGPUBase<UFP4ToGPUPass> {
  using UFP4ToGPUBase::UFP4ToGPUBase;
  UFP4ToGPUPass(StringRef target, target::Manifest &manifest) : manifest(&manifest) {
    this->target = target.str();
  }

  void runOnOperation() override {
    const target::Chip *chip = target::findChip(target);
    if (!chip) {
      emitError(getOperation().getLoc())
          << "ufp4-to-gpu: target: " << target::explainUnknownChip(target);
      return signalPassFailure();
    }
    SmallVector<Operation *> operations;
    bool isBuffered = true;
    getOperation().walk([&](Operation *op) {
      if (!isa<BlockGemmOp, QuantizeIntoOp, AmaxIntoOp, GroupTableIntoOp>(op))
        return;
      operations.push_back(op);
      if (op->getNumResults()) {
        op->emitOpError() << "is on tensors: run --one-shot-bufferize first";
        isBuffered = false;
      }
    });
    if (!isBuffered)
      return signalPassFailure();
    KernelSet kernels(getOperation());
    Lowering lowering(*chip, kernels);
    for (Operation *op : operations) {
      LogicalResult lowered = llvm::TypeSwitch<Operation *, LogicalResult>(op)
                                  .Case<BlockGemmOp, QuantizeIntoOp, AmaxIntoOp, GroupTableIntoOp>(
                                      [&](auto op) { return lowering.lower(op); });
      if (failed(lowered))
        return signalPassFailure();
    }
    if (manifest && failed(lowering.addCanaryKernel(getOperation().getLoc())))
      return signalPassFailure();
    numKernels += kernels.size();
    numLaunches += lowering.numLaunches;
    numCopies += lowering.numCopies;
    if (manifest)
      describe(kernels);
  }

private:
  void describe(const KernelSet &kernels) {
    manifest->kernels = kernels.entries();
    addCanary(*manifest);
    for (const target::OperandStorage *storage : target::storages())
      if (llvm::any_of(manifest->kernels, [&](const target::KernelEntry &kernel) {
            return llvm::any_of(kernel.arguments, [&](const target::ArgumentEntry &argument) {
              return argument.layout == storage->name();
            });
          }))
        manifest->layouts.push_back(describeLayout(*storage));
  }

  target::Manifest *manifest = nullptr;
};

} // namespace

std::unique_ptr<Pass> ufp4::createUFP4ToGPU(StringRef target, target::Manifest &manifest) {
  return std::make_unique<UFP4ToGPUPass>(target, manifest);
}
