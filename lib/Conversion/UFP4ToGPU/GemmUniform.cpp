//===- GemmUniform.cpp - The GEMM whose warps are all alike ---------------===//
//
// Every warp copies its share of each step's tiles into a ring of stages in shared memory, and
// multiplies its part of the block's tile:
//
// (waiting is for groups of copies of the thread's own, or for a barrier that counts their bytes)
//
//   fill all stages but one
//   for each step of K:
//     wait for the oldest stage; barrier
//     fill the stage that the step before has read
//     for each product along K: fragments and scales from shared memory, sums
//   epilogue
//
// One barrier a step is enough: it says both that all copies of this step have landed and that the
// stage filled next has been read.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "GemmSpecialised.h"
#include "GroupTable.h"
#include "KernelParts.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

StringRef ufp4::stringify(GemmArgument argument) {
  static constexpr StringLiteral names[] = {
      "codes_a", "scales_a", "codes_b", "scales_b",    "result", "global_a",    "global_b", "bias",
      "groups",  "m",        "n",       "depth_tiles", "depth",  "group_count", "alpha"};
  return names[unsigned(argument)];
}

//===----------------------------------------------------------------------===//
// KernelInfo
//===----------------------------------------------------------------------===//

std::array<int64_t, 3> KernelInfo::grid(int64_t m, int64_t n, int64_t batch) const {
  return {int64_t(llvm::divideCeil(n, schedule.tileN)),
          int64_t(llvm::divideCeil(m, schedule.tileM * launchedBlocks)) * launchedBlocks, batch};
}

int64_t KernelInfo::depthTiles(int64_t paddedK) const {
  return llvm::divideCeil(paddedK, schedule.tileK);
}

std::optional<std::string> KernelInfo::verifySizes(int64_t m, int64_t n, int64_t paddedK,
                                                   int64_t batch) const {
  if (n % columnMultiple)
    return llvm::formatv("{0} stores rows of C in runs of {1}, which do not divide N = {2}", name,
                         columnMultiple, n)
        .str();
  if (paddedK % depthMultiple)
    return llvm::formatv("{0} copies rows in pieces of {1} positions, which do not divide K = {2}",
                         name, depthMultiple, paddedK)
        .str();
  // CUDA and HIP alike: 2^31 - 1 blocks along x, 2^16 - 1 along y and z.
  static constexpr int64_t limits[3] = {INT32_MAX, 65535, 65535};
  std::array<int64_t, 3> blocks = grid(m, n, batch);
  for (unsigned i = 0; i < 3; ++i)
    if (blocks[i] > limits[i])
      return llvm::formatv("{0} would need {1} blocks along {2}; at most {3} can be launched", name,
                           blocks[i], StringRef("xyz").substr(i, 1), limits[i])
          .str();
  // Rows and columns are counted in 32 bits, up to the end of the last tile.
  if (std::max(m, n) > INT32_MAX - int64_t(schedule.tileM * launchedBlocks + schedule.tileN))
    return llvm::formatv("{0} counts rows and columns in 32 bits: {1} x {2} is too large", name, m,
                         n)
        .str();
  if (!storage->tile(scheme) && paddedK > INT32_MAX - int64_t(schedule.tileK))
    return llvm::formatv("{0} counts positions along K in 32 bits: {1} are too many", name, paddedK)
        .str();
  // Of tensor copies rows of all products are one tensor's.
  if (schedule.transport->codesBox() &&
      std::max(m, n) >
          (INT32_MAX - int64_t(schedule.tileM + schedule.tileN)) / std::max<int64_t>(batch, 1))
    return llvm::formatv(
               "{0} counts rows of all products in 32 bits: {1} of {2} x {3} are too many", name,
               batch, m, n)
        .str();
  for (int64_t rows : {m, n})
    if (std::optional<std::string> reason =
            storage->verify({scheme, numerics::ViewShape{batch, rows, paddedK}}, *chip))
      return reason;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The skeleton
//===----------------------------------------------------------------------===//

namespace {
class GemmUniform {
public:
  GemmUniform(KernelBuilder &b, const GemmKernelSpec &spec, const KernelInfo &info)
      : b(b), spec(spec), info(info), schedule(info.schedule),
        mma(static_cast<const FragmentMma &>(*schedule.mma)), transport(*schedule.transport),
        storageRows(mma.storage().tile(spec.scheme)->rows),
        tileBytes(schedule.tileBytes(spec.scheme)), stageBytes(schedule.stageBytes(spec.scheme)) {}

  void emit(gpu::GPUFuncOp function, Value shared) {
    for (auto [role, value] : llvm::zip(info.arguments, function.getArguments()))
      arguments[unsigned(role)] = value;
    emitIds();
    emitWork();
    emitStream();
    SmallVector<Value> carried = fillStages(shared);
    std::array<FragmentAddresses, 2> addresses = {addressOf(Side::A, shared),
                                                  addressOf(Side::B, shared)};
    SmallVector<Fragment> sums = emitMainLoop(shared, carried, addresses);
    transport.end(b);
    ResultTile tile{argument(GemmArgument::Result),
                    work.rowEnd,
                    argument(GemmArgument::N),
                    work.product,
                    work.firstRow,
                    b.mul(blockColumn, schedule.tileN)};
    SmallVector<Value> factors = emitFactors(
        b, mma.factor(spec.scheme), loadGlobal(b, argument(GemmArgument::GlobalA), work),
        loadGlobal(b, argument(GemmArgument::GlobalB), work), argument(GemmArgument::Alpha));
    emitEpilogue(b, spec, tile, factors, argument(GemmArgument::Bias), mma.runs(b, warpTile, sums));
  }

private:
  Value argument(GemmArgument role) { return arguments[unsigned(role)]; }
  /// Where the tile of a plane begins in a stage.
  int32_t stageOffset(unsigned tile) const {
    int64_t offset = 0;
    for (unsigned i = 0; i < tile; ++i)
      offset += tileBytes[i];
    return offset;
  }

  /// What a warp reads of an operand lies in one of the storage's tiles.
  FragmentAddresses addressOf(Side side, Value shared) {
    unsigned plane = unsigned(side), tiles = tilesOf(side);
    Value codes = b.at(shared, stageOffset(plane)), scales = b.at(shared, stageOffset(plane + 2));
    if (tiles == 1)
      return mma.address(b, side, warpTile, codes, scales);
    WarpTile inTile = warpTile;
    Value &first = side == Side::A ? inTile.firstRow : inTile.firstColumn;
    Value tile = createQuotient(first, storageRows);
    first = createRemainder(first, storageRows);
    return mma.address(b, side, inTile, b.at(codes, b.mul(tile, tileBytes[plane] / tiles)),
                       b.at(scales, b.mul(tile, tileBytes[plane + 2] / tiles)));
  }
  unsigned tilesOf(Side side) const {
    return (side == Side::A ? schedule.tileM : schedule.tileN) / storageRows;
  }

  void emitIds() {
    Value thread = toI32(b, gpu::ThreadIdOp::create(b, gpu::Dimension::x));
    blockColumn = toI32(b, gpu::BlockIdOp::create(b, gpu::Dimension::x));
    blockRow = toI32(b, gpu::BlockIdOp::create(b, gpu::Dimension::y));
    batch = toI32(b, gpu::BlockIdOp::create(b, gpu::Dimension::z));
    unsigned waveSize = spec.chip->waveSize;
    Value lane = b.bitAnd(thread, waveSize - 1), warp = b.shr(thread, llvm::Log2_32(waveSize));
    // Where one thread issues copies, the assembler must know that a warp agrees on who it is in.
    if (!transport.completesByGroup()) {
      Value all = b.i32(-1), first = b.i32(0), clamp = b.i32(waveSize - 1);
      warp = NVVM::ShflOp::create(b, warp.getType(), all, warp, first, clamp, NVVM::ShflKind::idx,
                                  UnitAttr());
    }
    threads = {thread, lane, warp, info.threads, waveSize};
    // Neighbouring warps share rows, so their fragments of A.
    Value warpColumn = createRemainder(warp, schedule.warpsN);
    Value warpRow = createQuotient(warp, schedule.warpsN);
    warpTile = {schedule.warpRows(), schedule.warpColumns(), b.mul(warpRow, schedule.warpRows()),
                b.mul(warpColumn, schedule.warpColumns()), lane};
  }
  Value createRemainder(Value x, unsigned y) { return b.createOrFold<arith::RemUIOp>(x, b.i32(y)); }
  Value createQuotient(Value x, unsigned y) { return b.createOrFold<arith::DivUIOp>(x, b.i32(y)); }

  void emitWork() {
    depthTiles = argument(GemmArgument::DepthTiles);
    if (!depthTiles)
      depthTiles = b.shr(b.add(argument(GemmArgument::Depth), schedule.tileK - 1),
                         llvm::Log2_32(schedule.tileK));
    work = locateWork(b, spec, schedule, blockRow, batch, argument(GemmArgument::M), depthTiles,
                      argument(GemmArgument::Groups), argument(GemmArgument::GroupCount));
    if (info.launchedBlocks > schedule.blocks)
      work.steps = b.select(b.less(work.firstRow, work.rowEnd), work.steps, b.i32(0));
  }

  void emitStream() {
    Value m = argument(GemmArgument::M), n = argument(GemmArgument::N);
    Value depth = argument(GemmArgument::Depth);
    auto linesOf = [&](Side side, Value matrix, Value rows, Value tile) {
      return locateLines(b, matrix, rows, tile, storageRows, tilesOf(side));
    };
    stream = {
        &mma.storage(),
        spec.scheme,
        tileBytes,
        {TileRows{argument(GemmArgument::CodesA), argument(GemmArgument::ScalesA), m, blockRow,
                  spec.blockRows[0], linesOf(Side::A, work.matrixA, m, blockRow)},
         TileRows{argument(GemmArgument::CodesB), argument(GemmArgument::ScalesB), n, blockColumn,
                  spec.blockRows[1], linesOf(Side::B, work.matrixB, n, blockColumn)}},
        batch,
        depth,
        depthTiles,
        work.firstStep,
        info.depthMultiple};
  }

  /// Returns what the transport carries into the first step.
  SmallVector<Value> fillStages(Value shared) {
    transport.prepare(b, threads, stream, shared, schedule.stages);
    SmallVector<Value> carried = transport.begin(b, threads, stream);
    for (unsigned stage = 0; stage + 1 < schedule.stages; ++stage) {
      emitIf(b, b.less(b.i32(stage), work.steps), [&] {
        Value target = b.at(shared, int32_t(stage * stageBytes));
        transport.land(b, threads, stream,
                       transport.issue(b, threads, stream, carried, b.i32(stage), target), target);
      });
      transport.commit(b);
      carried = emitAdvance(carried, b.less(b.i32(stage + 1), work.steps));
    }
    return carried;
  }

  SmallVector<Fragment> emitMainLoop(Value shared, ValueRange copying,
                                     const std::array<FragmentAddresses, 2> &addresses) {
    unsigned fragmentCount = warpTile.rows / mma.m() * (warpTile.columns / mma.n());
    const Fragment zero = mma.zero(b);
    // Carried: the stage read, the stage written, where a barrier counts its phases their parity,
    // the transport's values, the sums.
    bool hasParity = !transport.completesByGroup();
    SmallVector<Value> inits{b.i32(0), b.i32((schedule.stages - 1) * stageBytes)};
    if (hasParity)
      inits.push_back(b.i32(0));
    size_t firstCopy = inits.size(), firstSum = firstCopy + copying.size();
    llvm::append_range(inits, copying);
    for (unsigned i = 0; i < fragmentCount; ++i)
      llvm::append_range(inits, zero);
    auto loop = scf::ForOp::create(b, b.i32(0), work.steps, b.i32(1), inits);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      ValueRange carried = loop.getRegionIterArgs();
      Value reading = carried[0], writing = carried[1];
      Value parity = hasParity ? carried[2] : Value();
      ValueRange copies = carried.slice(firstCopy, copying.size());
      SmallVector<Fragment> sums = split(carried.drop_front(firstSum), zero.size());

      transport.wait(b, stream, schedule.stages - 2, b.at(shared, reading), parity);
      gpu::BarrierOp::create(b);
      Value ahead = b.add(loop.getInductionVar(), schedule.stages - 1);
      Value isAhead = b.less(ahead, work.steps), target = b.at(shared, writing);
      SmallVector<Value> loaded;
      auto issue = [&] { loaded = transport.issue(b, threads, stream, copies, ahead, target); };
      if (transport.landsFromRegisters())
        issue();
      else
        emitIf(b, isAhead, issue);
      transport.commit(b);
      emitProducts(addresses, reading, sums);
      transport.land(b, threads, stream, loaded, target);

      Value following = b.add(reading, stageBytes);
      Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, following,
                                           b.i32(schedule.stages * stageBytes));
      SmallVector<Value> next{b.select(isLast, b.i32(0), following), reading};
      if (hasParity)
        next.push_back(b.bitXor(parity, arith::ExtUIOp::create(b, b.getI32Type(), isLast)));
      llvm::append_range(next, emitAdvance(copies, b.less(b.add(ahead, 1), work.steps)));
      for (const Fragment &sum : sums)
        llvm::append_range(next, sum);
      scf::YieldOp::create(b, next);
    }
    return split(loop.getResults().drop_front(firstSum), zero.size());
  }

  /// What the transport carries to the next step. Copies that land from registers are of every
  /// step, since a branch around them would part a step's products from their sums: beyond the last
  /// they are of the last again.
  SmallVector<Value> emitAdvance(ValueRange carried, Value exists) {
    SmallVector<Value> next = transport.advance(b, threads, stream, carried);
    if (transport.landsFromRegisters())
      for (auto [value, before] : llvm::zip_equal(next, carried))
        value = b.select(exists, value, before);
    return next;
  }

  static SmallVector<Fragment> split(ValueRange values, unsigned size) {
    SmallVector<Fragment> fragments;
    for (; !values.empty(); values = values.drop_front(size))
      fragments.emplace_back(values.take_front(size));
    return fragments;
  }

  /// Adds the scaled products along the depth of a stage to `sums`.
  void emitProducts(const std::array<FragmentAddresses, 2> &addresses, Value stage,
                    SmallVectorImpl<Fragment> &sums) {
    unsigned depth = mma.productDepth(spec.scheme.block), steps = std::max(depth / mma.k(), 1u);
    unsigned perLoad = std::max(mma.k() / depth, 1u);
    unsigned perScales = mma.scalesDepth(spec.scheme.block) / depth;
    ScaleRegisters scales;
    StepFragments loaded;
    for (unsigned product = 0; product < schedule.tileK / depth; ++product) {
      if (product % perLoad == 0) {
        loaded = {};
        for (unsigned i = 0; i < steps; ++i) {
          unsigned step = product / perLoad * steps + i;
          loaded.lhs.push_back(mma.loadFragments(b, Side::A, warpTile, addresses[0], stage, step));
          loaded.rhs.push_back(mma.loadFragments(b, Side::B, warpTile, addresses[1], stage, step));
        }
      }
      if (product % perScales == 0) {
        unsigned group = product / perScales;
        scales = {mma.loadScales(b, Side::A, warpTile, addresses[0], stage, group),
                  mma.loadScales(b, Side::B, warpTile, addresses[1], stage, group)};
      }
      StepFragments operands = loaded;
      mma.prepare(b, Side::A, warpTile, product % perScales, scales.lhs, operands.lhs);
      mma.prepare(b, Side::B, warpTile, product % perScales, scales.rhs, operands.rhs);
      unsigned columns = operands.rhs[0].size();
      for (unsigned i = 0; i < operands.lhs[0].size(); ++i)
        for (unsigned step = 0; step < columns; ++step) {
          // Back and forth, so that neighbours share a fragment of B where rows change.
          unsigned j = i % 2 ? columns - 1 - step : step;
          Fragment &sum = sums[i * columns + j];
          sum = mma.accumulate(b, i, j, product % perScales, operands, scales, sum);
        }
    }
  }

  KernelBuilder &b;
  const GemmKernelSpec &spec;
  const KernelInfo &info;
  const GemmSchedule &schedule;
  const FragmentMma &mma;
  const Transport &transport;
  /// Of the storage's tiles.
  const unsigned storageRows;
  const std::array<int64_t, 4> tileBytes;
  const int64_t stageBytes;
  Value arguments[unsigned(GemmArgument::Alpha) + 1];
  Value blockRow, blockColumn, batch, depthTiles;
  TileWork work;
  CopyingThreads threads;
  TileStream stream;
  WarpTile warpTile;
};
} // namespace

//===----------------------------------------------------------------------===//
// The entry
//===----------------------------------------------------------------------===//

std::string ufp4::getKernelName(const GemmKernelSpec &spec, const GemmSchedule &schedule) {
  std::string name =
      llvm::formatv("ufp4_gemm_b{0}_{1}_{2}x{3}x{4}_s{5}_{6}", spec.scheme.block,
                    schedule.mma->name(), schedule.tileM, schedule.tileN, schedule.tileK,
                    schedule.stages, spec.result == numerics::Element::BF16 ? "bf16" : "f32")
          .str();
  if (spec.scheme.scale == numerics::ScaleKind::UE4M3)
    name += "_global";
  if (spec.alpha)
    name += "_alpha";
  if (spec.bias)
    name += *spec.bias == numerics::Element::BF16 ? "_bias_bf16" : "_bias_f32";
  if (spec.accumulate)
    name += "_accumulate";
  if (spec.grouping)
    name += "_" + stringify(*spec.grouping).str();
  if (spec.columnMultiple > 1)
    name += "_n" + std::to_string(spec.columnMultiple);
  if (schedule.blocks > 1)
    name += "_pairs";
  else if (spec.launchedBlocks > 1)
    name += "_for_pairs";
  if (schedule.transport != &groupedCopies())
    name += ("_" + schedule.transport->name()).str();
  if (&schedule.storage() == &naturalStorage()) {
    name += "_k" + std::to_string(spec.depthMultiple);
    if (spec.blockRows != std::array<unsigned, 2>{1, 1})
      name += llvm::formatv("_rows{0}x{1}", spec.blockRows[0], spec.blockRows[1]);
  }
  return name;
}

/// Rows in global memory are copied in pieces, which Kp must allow.
static LogicalResult verifyDepth(Location loc, const GemmKernelSpec &spec,
                                 const GemmSchedule &schedule) {
  unsigned granule = schedule.transport->depthGranule(spec.scheme);
  if (spec.depthMultiple && spec.depthMultiple % granule == 0)
    return success();
  return emitError(loc) << "K must be a multiple of " << granule << " for "
                        << schedule.transport->name() << " of " << describeScheme(spec.scheme)
                        << " in storage " << schedule.storage().name()
                        << ", and is known to be one of " << spec.depthMultiple
                        << ": pad K, or quantize into storage " << schedule.mma->storage().name();
}

static FailureOr<GemmSchedule> findSchedule(Location loc, const GemmKernelSpec &spec) {
  if (!spec.chip)
    return emitError(loc) << "a kernel needs a chip";
  if (std::optional<std::string> reason = numerics::verifyScheme(spec.scheme))
    return emitError(loc) << *reason;
  if (spec.result != numerics::Element::F32 && spec.result != numerics::Element::BF16)
    return emitError(loc) << "a GEMM stores f32 or bf16";
  if (spec.accumulate && spec.result != numerics::Element::F32)
    return emitError(loc) << "a GEMM accumulates into f32 only (G3)";
  if (spec.bias && *spec.bias != numerics::Element::F32 && *spec.bias != numerics::Element::BF16)
    return emitError(loc) << "a bias is f32 or bf16";
  if (!spec.columnMultiple)
    return emitError(loc) << "N cannot be a multiple of 0";
  if (spec.grouping == numerics::Grouping::Stacked)
    return emitError(loc) << "stacked groups are a batch";
  if (spec.schedule) {
    if (spec.path && *spec.path != spec.schedule->mma->path())
      return emitError(loc) << "schedule " << spec.schedule->describe() << " is on the "
                            << target::stringify(spec.schedule->mma->path()) << " path, not on "
                            << target::stringify(*spec.path);
    if (std::optional<std::string> reason = verifySchedule(*spec.schedule, *spec.chip, spec.scheme))
      return emitError(loc) << *reason;
    if (spec.storage && spec.storage != &spec.schedule->storage())
      return emitError(loc) << "schedule " << spec.schedule->describe() << " reads storage "
                            << spec.schedule->storage().name() << ", not " << spec.storage->name();
    return *spec.schedule;
  }
  std::string why;
  if (const GemmSchedule *schedule =
          chooseSchedule(*spec.chip, spec.scheme, spec.path, why, spec.storage,
                         /*passedOver=*/nullptr, spec.storage ? spec.depthMultiple : 0))
    return target::chooseTiles(*schedule, *spec.chip, spec.scheme, std::nullopt,
                               spec.grouping.has_value());
  return emitError(loc) << "no schedule fits: " << why;
}

bool ufp4::isTensorMap(const KernelInfo &info, GemmArgument argument) {
  return info.schedule.transport->codesBox() &&
         (argument == GemmArgument::CodesA || argument == GemmArgument::CodesB);
}

FailureOr<KernelInfo> ufp4::buildGemmKernel(OpBuilder &builder, Location loc,
                                            const GemmKernelSpec &spec) {
  FailureOr<GemmSchedule> schedule = findSchedule(loc, spec);
  if (failed(schedule) || failed(verifyDepth(loc, spec, *schedule)))
    return failure();
  auto module = cast<gpu::GPUModuleOp>(builder.getInsertionBlock()->getParentOp());
  KernelInfo info;
  info.name = spec.name.empty() ? getKernelName(spec, *schedule) : spec.name;
  info.chip = spec.chip;
  info.scheme = spec.scheme;
  info.schedule = *schedule;
  info.storage = &schedule->storage();
  info.launchedBlocks = std::max(spec.launchedBlocks, schedule->blocks);
  info.threads = schedule->threads(spec.chip->waveSize);
  info.dynamicSharedBytes = schedule->sharedBytes(spec.scheme);
  info.columnMultiple = spec.columnMultiple;
  unsigned columnsAtOnce = spec.columnMultiple & -spec.columnMultiple;
  info.resultAlignment = std::clamp(columnsAtOnce * numerics::elementBytes(spec.result), 16u,
                                    spec.chip->accessBytes());
  info.grouping = spec.grouping;
  bool isInTiles = info.storage->tile(spec.scheme).has_value();
  if (spec.grouping && info.launchedBlocks > 1)
    return emitError(loc) << "kernels of pairs of blocks take no groups";
  if (info.launchedBlocks > schedule->blocks && schedule->mma->asTensor())
    return emitError(loc) << "blocks on tensor memory take the place of no pairs";
  if (spec.grouping && !isInTiles)
    return emitError(loc) << "groups begin at tiles, and storage " << info.storage->name()
                          << " has none";
  info.depthMultiple = isInTiles ? 1 : spec.depthMultiple;
  info.arguments = {GemmArgument::CodesA, GemmArgument::ScalesA, GemmArgument::CodesB,
                    GemmArgument::ScalesB, GemmArgument::Result};
  if (!info.storage->hasScales())
    info.arguments = {GemmArgument::CodesA, GemmArgument::CodesB, GemmArgument::Result};
  if (spec.scheme.scale == numerics::ScaleKind::UE4M3)
    info.arguments.append({GemmArgument::GlobalA, GemmArgument::GlobalB});
  if (spec.bias)
    info.arguments.push_back(GemmArgument::Bias);
  if (spec.grouping)
    info.arguments.push_back(GemmArgument::Groups);
  unsigned pointerCount = info.arguments.size();
  info.arguments.append({GemmArgument::M, GemmArgument::N,
                         isInTiles ? GemmArgument::DepthTiles : GemmArgument::Depth});
  if (spec.grouping)
    info.arguments.push_back(GemmArgument::GroupCount);
  unsigned countCount = info.arguments.size() - pointerCount;
  if (spec.alpha)
    info.arguments.push_back(GemmArgument::Alpha);

  KernelBuilder b(loc, builder);
  SmallVector<Type> types;
  for (GemmArgument argument : ArrayRef(info.arguments).take_front(pointerCount))
    types.push_back(
        LLVM::LLVMPointerType::get(b.getContext(), isTensorMap(info, argument) ? 0 : globalSpace));
  types.append(countCount, b.getI32Type());
  if (spec.alpha)
    types.push_back(b.getF32Type());
  auto function = gpu::GPUFuncOp::create(b, info.name, b.getFunctionType(types, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  function.setKnownBlockSize(ArrayRef<int32_t>{int32_t(info.threads), 1, 1});
  if (schedule->blocks > 1)
    function.setKnownClusterSize(ArrayRef<int32_t>{1, int32_t(schedule->blocks), 1});
  for (unsigned i = 0; i < pointerCount; ++i) {
    bool isScalar =
        info.arguments[i] == GemmArgument::GlobalA || info.arguments[i] == GemmArgument::GlobalB;
    bool isMap = isTensorMap(info, info.arguments[i]);
    bool isResult = info.arguments[i] == GemmArgument::Result;
    function.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                        b.getI64IntegerAttr(isScalar   ? 4
                                            : isMap    ? 64
                                            : isResult ? info.resultAlignment
                                                       : 16));
    if (isMap) {
      function.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(),
                          TypeAttr::get(LLVM::LLVMArrayType::get(b.getI8Type(), 128)));
      continue;
    }
    function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
    if (!isResult)
      function.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(), b.getUnitAttr());
  }
  b.setInsertionPointToStart(&function.getBody().front());
  Value shared = createSharedPointer(b, module);
  if (const TensorMma *mma = schedule->mma->asTensor())
    emitGemmSpecialised(b, spec, info, *mma, function, shared);
  else
    GemmUniform(b, spec, info).emit(function, shared);
  gpu::ReturnOp::create(b);
  return info;
}
