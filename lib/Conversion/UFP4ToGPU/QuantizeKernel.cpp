//===- QuantizeKernel.cpp - Quantizing arrays along either dimension ------===//
//
// A thread takes a run, which is the longer of a rotation and a block, into registers and quantizes
// it there (QuantizeRun.h). Threads exist for the storage's padding too; they find zeros, and code
// 0. What differs is where runs come from:
//
//   inner   a run is contiguous. Threads of a warp read 128 bytes of neighbouring rows (of 16-bit
//           elements), and write whole lines of codes and whole sectors of scales in tile-major
//           storage.
//   outer   the elements of a run are a row apart. Neighbouring lanes read neighbouring elements,
//           two at a time where these have 16 bits, so that a warp reads whole lines.
//   both    a block of threads brings a tile to shared memory, as it lies, and reads it twice: runs
//           of rows, 16 bytes at a time, then runs of columns.
//
// Rows of a tile in shared memory are 16 bytes more than a multiple of 128 apart: so 16 bytes of
// each of eight neighbouring rows lie in different banks, as does what neighbours in a row hold.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Conversion/UFP4ToGPU/QuantizeKernel.h"

#include "GroupTable.h"
#include "KernelParts.h"
#include "QuantizeRun.h"
#include "RotateByMma.h"
#include "ufp4/Conversion/NumericsEmitter.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;
using numerics::Element;
using numerics::ScaleKind;

static constexpr unsigned threadsOfBlock = 128;
/// Positions along K that a block covers, unless a single run is longer; and along R in a tile.
static constexpr unsigned depthOfThreads = 64;
/// Bytes that a thread loads or stores at most at once.
static constexpr unsigned mostBytes = 16;
/// The longest run of which a thread holds two.
static constexpr unsigned longestOfTwo = 64;
/// Of threads that quantize the short way: rows of a block, those of a tile-major storage's tile,
/// so that only constants lie between a thread's places; steps of a block along K; and positions
/// along the outer dimension, which are 16 bytes of codes.
static constexpr unsigned rowsOfTile = 128, stepsOfBlock = 4, depthOfFastThread = 32;

static constexpr QuantizeAxis axes[] = {QuantizeAxis::Inner, QuantizeAxis::Outer};

StringRef ufp4::stringify(QuantizeAxis axis) {
  return axis == QuantizeAxis::Inner ? "inner" : "outer";
}

StringRef ufp4::stringify(QuantizeArgument argument) {
  static constexpr StringLiteral names[] = {
      "input", "codes",       "scales", "amax",        "global",       "seed",
      "step",  "stream",      "outer",  "inner",       "stride_batch", "stride_outer",
      "rows",  "source_rows", "groups", "group_tiles", "group_count",  "first_group"};
  return names[unsigned(argument)];
}

//===----------------------------------------------------------------------===//
// QuantizeKernelInfo
//===----------------------------------------------------------------------===//

std::array<int64_t, 3> QuantizeKernelInfo::grid(const QuantizeExtents &extents) const {
  int64_t outerEnd = 0, innerEnd = 0;
  for (QuantizeAxis axis : axes) {
    const std::optional<QuantizeDestination> &destination = along(axis);
    if (!destination)
      continue;
    const OperandStorage &filled = destination->storage ? *destination->storage : naturalStorage();
    numerics::ViewShape padded = filled.pads({destination->scheme, extents.view(axis)});
    bool isInner = axis == QuantizeAxis::Inner;
    outerEnd = std::max(outerEnd, isInner ? padded.r : padded.k);
    innerEnd = std::max(innerEnd, isInner ? padded.k : padded.r);
  }
  std::array<int64_t, 3> blocks = {int64_t(llvm::divideCeil(innerEnd, innerOfBlock)),
                                   int64_t(llvm::divideCeil(outerEnd, outerOfBlock)), extents.g};
  bool storesGlobal = llvm::any_of(arguments, [](const QuantizeArgumentInfo &argument) {
    return argument.role == QuantizeArgument::Global;
  });
  if (storesGlobal)
    for (int64_t &count : blocks)
      count = std::max<int64_t>(count, 1);
  return blocks;
}

std::optional<std::string> QuantizeKernelInfo::verifySizes(const QuantizeExtents &extents) const {
  // Strides that nothing is multiplied by do not matter.
  bool isApart = extents.outer > 1 || llvm::any_of(arguments, [](const auto &argument) {
                   return argument.role == QuantizeArgument::Rows;
                 });
  for (auto [size, what] :
       {std::pair(extents.inner, "rows of"),
        std::pair(isApart ? extents.strideOuter : 0, "rows that are apart by"),
        std::pair(extents.g > 1 ? extents.strideBatch : 0, "batches that are apart by")})
    if (size % int64_t(innerMultiple))
      return llvm::formatv("{0} loads pieces of {1} elements, which do not divide {2} {3}", name,
                           innerMultiple, what, size)
          .str();
  // Positions are counted in 32 bits, up to the end of the padding.
  static constexpr int64_t most = INT32_MAX - 1024;
  if (extents.outer > most || extents.inner > most)
    return llvm::formatv("{0} counts positions in 32 bits: {1} x {2} is too large", name,
                         extents.outer, extents.inner)
        .str();
  static constexpr int64_t limits[3] = {INT32_MAX, 65535, 65535};
  std::array<int64_t, 3> blocks = grid(extents);
  for (unsigned i = 0; i < 3; ++i)
    if (blocks[i] > limits[i])
      return llvm::formatv("{0} would need {1} blocks along {2}; at most {3} can be launched", name,
                           blocks[i], StringRef("xyz").substr(i, 1), limits[i])
          .str();
  for (QuantizeAxis axis : axes)
    if (const std::optional<QuantizeDestination> &destination = along(axis))
      if (destination->storage)
        if (std::optional<std::string> reason =
                destination->storage->verify({destination->scheme, extents.view(axis)}, *chip))
          return reason;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// How threads lie
//===----------------------------------------------------------------------===//

namespace {
/// How a kernel's threads share the work; sizes are powers of two.
struct ThreadMap {
  unsigned outerOfBlock, innerOfBlock;
  /// Whether all destinations are quantized the short way (QuantizeFast.h): then in groups of runs,
  /// and blocks of threads go along K in steps, or take a larger tile.
  bool isFast;
  /// Along the inner dimension: runs that neighbouring lanes take of one row (of both: of a warp's
  /// rows).
  unsigned runsOfRow = 1;
  /// Along the outer dimension: neighbouring columns that one thread takes, and positions that a
  /// block of threads takes at once.
  unsigned columns = 1, outerOfStep = 0;
  /// Of both: bytes from one row to the next in shared memory.
  unsigned pitch = 0;
  /// Behind that, of each warp, where a matrix unit rotates.
  unsigned rotationBytes = 0;

  ThreadMap(const QuantizeKernelSpec &spec, bool isFast) : isFast(isFast) {
    for (QuantizeAxis axis : axes)
      if (const std::optional<QuantizeDestination> &destination = spec.along(axis))
        if (destination->rotatesByMma)
          rotationBytes =
              std::max(rotationBytes, MatrixRotation::bytesOf(destination->scheme.rotation.size));
    unsigned waveSize = spec.chip->waveSize, bytes = numerics::elementBytes(spec.element);
    unsigned innerRun = spec.inner ? numerics::runLength(spec.inner->scheme) : 0;
    unsigned outerRun = spec.outer ? numerics::runLength(spec.outer->scheme) : 0;
    bool isTile = innerRun && outerRun;
    // A thread's steps along K would lead from group to group.
    bool isCut = spec.grouping == numerics::Grouping::Contracted;
    if (isTile) {
      outerOfBlock = innerOfBlock = std::max({depthOfThreads, innerRun, outerRun});
      if (isFast)
        innerOfBlock *= 2;
      pitch = innerOfBlock * bytes + mostBytes;
    }
    if (innerRun) {
      unsigned rows = spec.inner->scheme.blockRows;
      // All rows of a 2-D block go to one wave; otherwise a wave stores 32 bytes of each row.
      runsOfRow = rows > 1 ? waveSize / rows : std::max(depthOfThreads / innerRun, 1u);
      if (isTile) {
        setColumns(spec, outerRun, /*canPair=*/true);
        outerOfStep = outerOfBlock;
        return;
      }
      innerOfBlock = innerRun * runsOfRow;
      outerOfBlock = threadsOfBlock / runsOfRow;
      if (isFast) {
        innerOfBlock *= isCut ? 1 : stepsOfBlock;
        outerOfBlock = std::max(outerOfBlock, rowsOfTile);
      }
      return;
    }
    setColumns(spec, outerRun, spec.innerMultiple % 2 == 0);
    if (isFast) {
      outerOfStep = threadsOfBlock / waveSize * depthOfFastThread;
      outerOfBlock = outerOfStep * (isCut ? 1 : 2);
      innerOfBlock = waveSize * columns;
      return;
    }
    // As many as there are waves, at most: the lanes of a wave lie along rows.
    unsigned runsOfColumn =
        std::min(std::max(depthOfThreads / outerRun, 1u), threadsOfBlock / waveSize);
    outerOfBlock = outerOfStep = outerRun * runsOfColumn;
    innerOfBlock = threadsOfBlock / runsOfColumn * columns;
  }

  /// Along the outer dimension: positions that a thread takes at once.
  unsigned depthOfThread(unsigned run) const {
    if (!isFast)
      return run;
    return pitch ? outerOfBlock * innerOfBlock / columns / threadsOfBlock : depthOfFastThread;
  }
  unsigned tileBytes() const { return pitch * outerOfBlock; }
  unsigned sharedBytes() const {
    return tileBytes() + threadsOfBlock / MatrixRotation::lanes * rotationBytes;
  }
  /// See QuantizeKernelInfo.
  unsigned elementsOfTurn() const {
    bool isLoop = isFast && !pitch;
    unsigned outer = isLoop && outerOfStep ? outerOfStep : outerOfBlock;
    unsigned inner = isLoop && !outerOfStep ? depthOfThreads : innerOfBlock;
    return outer * inner / threadsOfBlock;
  }
  RunGroup columnsOfThread(unsigned run) const {
    return {columns, 1, depthOfThread(run) / run, run};
  }

private:
  void setColumns(const QuantizeKernelSpec &spec, unsigned outerRun, bool canPair) {
    // One row of a 2-D block, so that its lanes need not hold two while they find the maximum.
    if (canPair && numerics::elementBytes(spec.element) == 2 && outerRun <= longestOfTwo &&
        spec.outer->scheme.blockRows == 1)
      columns = 2;
  }
};

//===----------------------------------------------------------------------===//
// The kernels
//===----------------------------------------------------------------------===//

class QuantizeEmitter {
public:
  QuantizeEmitter(KernelBuilder &b, const QuantizeKernelSpec &spec, const ThreadMap &map,
                  bool isAmax)
      : b(b), spec(spec), map(map), isAmax(isAmax), bytes(numerics::elementBytes(spec.element)),
        waveSize(spec.chip->waveSize) {}

  /// `shared` is null where ThreadMap::sharedBytes is 0.
  void emit(gpu::GPUFuncOp function, ArrayRef<QuantizeArgumentInfo> arguments,
            const std::array<std::unique_ptr<RunWriter>, 2> &writers, Value shared) {
    DestinationArguments ofDestination[2];
    for (auto [argument, value] : llvm::zip(arguments, function.getArguments())) {
      ofArray[unsigned(argument.role)] = value;
      if (argument.role <= QuantizeArgument::Stream)
        ofDestination[unsigned(argument.axis)].values[unsigned(argument.role)] = value;
    }
    outer = ofArray[unsigned(QuantizeArgument::Outer)];
    inner = ofArray[unsigned(QuantizeArgument::Inner)];
    emitIds();
    std::optional<RunEmitter> emitters[2];
    std::optional<Group> group;
    if (spec.grouping)
      group = enterGroup();
    for (QuantizeAxis axis : axes)
      if (const std::optional<QuantizeDestination> &destination = spec.along(axis)) {
        bool isInner = axis == QuantizeAxis::Inner;
        std::optional<RunEmitter> &emitter = emitters[unsigned(axis)];
        DestinationArguments &own = ofDestination[unsigned(axis)];
        StoredView view;
        view.rows = isInner ? outer : inner;
        view.depth = isInner ? inner : outer;
        if (group) {
          if (!isAmax)
            emitGlobals(*destination, own);
          enterGroup(*group, *destination, own, view);
        }
        emitter.emplace(b, *spec.chip, *destination, writers[unsigned(axis)].get(), own, view);
        if (!isAmax)
          emitter->emitGlobal(group ? Value() : b.less(b.bitOr(thread, block), 1));
      }
    if (map.rotationBytes)
      ofWarp = b.at(shared,
                    b.add(b.mul(quotient(thread, waveSize), map.rotationBytes), map.tileBytes()));
    if (emitters[0] && emitters[1])
      emitTile(shared, *emitters[0], *emitters[1]);
    else if (emitters[0])
      emitRows(*emitters[0]);
    else
      emitColumns(*emitters[1]);
  }

private:
  Value smaller(Value x, Value y) { return b.createOrFold<arith::MinUIOp>(x, y); }
  Value quotient(Value x, unsigned y) { return b.shr(x, llvm::Log2_32(y)); }
  Value remainder(Value x, unsigned y) { return b.bitAnd(x, y - 1); }

  void emitIds() {
    thread = toI32(b, gpu::ThreadIdOp::create(b, gpu::Dimension::x));
    Value x = toI32(b, gpu::BlockIdOp::create(b, gpu::Dimension::x));
    Value y = toI32(b, gpu::BlockIdOp::create(b, gpu::Dimension::y));
    g = toI32(b, gpu::BlockIdOp::create(b, gpu::Dimension::z));
    firstInner = b.mul(x, map.innerOfBlock);
    firstOuter = b.mul(y, map.outerOfBlock);
    block = b.bitOr(b.bitOr(x, y), g);
  }

  //===--------------------------------------------------------------------===//
  // Groups
  //===--------------------------------------------------------------------===//

  /// Where the thread's group lies in operands; i32.
  struct Group {
    /// For what is in no group, the last one.
    Value number;
    /// Of ragged ones: its first tile, and positions until the storage ends, from its first one and
    /// in all.
    Value firstTile, end, stored;
  };

  /// Makes the array that of the thread's group: from here on positions, extents and the input are
  /// those of an array of its own.
  Group enterGroup() {
    Group group;
    Value &input = ofArray[unsigned(QuantizeArgument::Input)];
    Value &rows = ofArray[unsigned(QuantizeArgument::Rows)];
    auto skip = [&](Value count, Value stride) {
      Value elements = stride ? b.mul(b.widen(count), stride) : b.widen(count);
      input = b.at(input, b.mul(elements, bytes));
    };
    if (!spec.isRagged()) {
      group.number = g;
      skip(g, ofArray[unsigned(QuantizeArgument::StrideBatch)]);
      g = b.i32(0);
      return group;
    }
    bool isOuter = spec.dividesOuter();
    Value &first = isOuter ? firstOuter : firstInner;
    // A block's work lies in one tile; but along columns it may not, and each wave's does.
    Value position = first;
    if (isOuter && spec.outer)
      position = b.add(first, depthOfWave(numerics::runLength(spec.outer->scheme)));
    Value tiles = ofArray[unsigned(QuantizeArgument::GroupTiles)];
    Value count = ofArray[unsigned(QuantizeArgument::GroupCount)];
    Value tile = smaller(quotient(position, spec.groupTile), b.sub(tiles, b.i32(1)));
    GroupRecord record =
        loadGroupRecord(b, ofArray[unsigned(QuantizeArgument::Groups)], b.add(count, tile));
    group.number = smaller(record.group, b.sub(count, b.i32(1)));
    group.firstTile = record.firstTile;
    Value shift = b.mul(record.firstTile, spec.groupTile);
    group.stored = b.mul(tiles, spec.groupTile);
    group.end = b.sub(group.stored, shift);
    first = b.sub(first, shift);
    (isOuter ? outer : inner) = b.select(b.less(record.group, count), record.size, b.i32(0));
    if (isOuter && rows)
      rows = b.at(rows, b.mul(b.widen(record.begin), 4));
    else
      skip(record.begin, isOuter ? ofArray[unsigned(QuantizeArgument::StrideOuter)] : Value());
    return group;
  }

  /// The same for a destination, whose view is the group's already.
  void enterGroup(const Group &group, const QuantizeDestination &destination,
                  DestinationArguments &arguments, StoredView &view) {
    auto move = [&](QuantizeArgument role, Value offset) {
      if (Value &pointer = arguments.values[unsigned(role)])
        pointer = b.at(pointer, offset);
    };
    move(QuantizeArgument::Amax, b.mul(b.widen(group.number), 4));
    if (Value &seed = arguments.values[unsigned(QuantizeArgument::Seed)]) {
      Value index = b.add(ofArray[unsigned(QuantizeArgument::FirstGroup)], b.widen(group.number));
      seed = NumericsEmitter(b, b.getLoc()).foldIn(seed, index);
    }
    if (isAmax)
      return;
    StorageTile tile = *destination.storage->tile(destination.scheme);
    auto tilesOf = [&](Value extent, unsigned of) { return quotient(b.add(extent, of - 1), of); };
    Value first = group.firstTile;
    if (spec.grouping != numerics::Grouping::Contracted) {
      unsigned run = numerics::runLength(destination.scheme);
      Value line = tilesOf(b.bitAnd(b.add(view.depth, run - 1), -int64_t(run)), tile.depth);
      if (!first)
        first = b.mul(group.number, tilesOf(view.rows, tile.rows));
      first = b.mul(b.widen(first), b.widen(line));
      view.rowEnd = group.end;
    } else {
      first = b.widen(first);
      view.depthEnd = group.end;
      view.storedDepth = group.stored;
    }
    move(QuantizeArgument::Codes, b.mul(first, tile.bytes[codesPlane]));
    move(QuantizeArgument::Scales, b.mul(first, tile.bytes[scalesPlane]));
  }

  /// The first block stores S of every group, also of those without a tile.
  void emitGlobals(const QuantizeDestination &destination, const DestinationArguments &arguments) {
    Value amax = arguments[QuantizeArgument::Amax];
    if (!amax)
      return;
    emitIf(b, b.less(block, 1), [&] {
      emitLoop(thread, ofArray[unsigned(QuantizeArgument::GroupCount)], threadsOfBlock,
               [&](Value group) {
                 Value offset = b.mul(b.widen(group), 4);
                 Value global = emitGlobalScale(b, b.at(amax, offset), destination.scheme.format);
                 b.store(global, b.at(arguments[QuantizeArgument::Global], offset), 4);
               });
    });
  }

  /// Which row of the input a row of the array is, which there must be.
  Value emitSourceRow(Value row) {
    Value rows = ofArray[unsigned(QuantizeArgument::Rows)];
    if (!rows)
      return row;
    Value index = b.load(b.getI32Type(), b.at(rows, b.mul(b.widen(row), 4)), 4);
    Value last = b.sub(ofArray[unsigned(QuantizeArgument::SourceRows)], b.i32(1));
    index = b.createOrFold<arith::MaxSIOp>(index, b.i32(0));
    return b.createOrFold<arith::MinSIOp>(index, last);
  }

  /// The address of an element of the array.
  Value emitAddress(Value row, Value column) {
    return emitSourceAddress(emitSourceRow(row), column);
  }
  /// The same, given its row of the input.
  Value emitSourceAddress(Value row, Value column) {
    Value batch = b.mul(b.widen(g), ofArray[unsigned(QuantizeArgument::StrideBatch)]);
    Value line = b.mul(b.widen(row), ofArray[unsigned(QuantizeArgument::StrideOuter)]);
    Value index = b.add(b.add(batch, line), b.widen(column));
    return b.at(ofArray[unsigned(QuantizeArgument::Input)], b.mul(index, bytes));
  }

  /// The address of an element, given that of one `step` bytes above it, unless rows are gathered.
  Value emitBelow(Value pointer, Value step, Value row, Value column) {
    return spec.gathers ? emitAddress(row, column) : b.at(pointer, step);
  }

  /// Elements that one load takes, as far as alignment goes.
  unsigned loadWidth() const {
    return std::min(spec.innerMultiple & -spec.innerMultiple, mostBytes / bytes);
  }

  void emitDestination(RunEmitter &emitter, Value row, Value k, unsigned count, RowLanes lanes,
                       RunEmitter::Values values) {
    if (isAmax)
      emitter.emitAmax(remainder(thread, waveSize), count, lanes, values);
    else
      emitter.emitRuns(g, row, k, count, lanes, values);
  }

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  /// Words of 32 bits; 2 bytes fill the lower half of one.
  SmallVector<Value> loadWords(Value pointer, unsigned bytes) {
    if (bytes == 2)
      return {arith::ExtUIOp::create(b, b.getI32Type(), b.load(b.getI16Type(), pointer, 2))};
    if (bytes == 4)
      return {b.load(b.getI32Type(), pointer, 4)};
    Value joined = b.load(b.vector(bytes / 4, b.getI32Type()), pointer, bytes);
    SmallVector<Value> words;
    for (unsigned i = 0; i < bytes / 4; ++i)
      words.push_back(b.element(joined, i));
    return words;
  }

  /// All elements of words that hold `perWord` each.
  SmallVector<RunElement> listAll(ArrayRef<Value> words, unsigned perWord) {
    SmallVector<RunElement> elements;
    for (Value word : words)
      for (unsigned half = 0; half < perWord; ++half)
        elements.push_back({word, half});
    return elements;
  }
  /// One element of each.
  SmallVector<RunElement> listHalves(ArrayRef<Value> words, unsigned half) {
    SmallVector<RunElement> elements;
    for (Value word : words)
      elements.push_back({word, half});
    return elements;
  }
  SmallVector<Value> widenAll(ArrayRef<RunElement> elements) {
    return llvm::map_to_vector(
        elements, [&](const RunElement &source) { return widen(b, spec.element, source); });
  }

  /// What `emit` gives where the condition holds; zeros elsewhere.
  SmallVector<Value> emitOrZeros(Value condition, unsigned count,
                                 llvm::function_ref<SmallVector<Value>()> emit) {
    return emitChoice(b, SmallVector<Type>(count, b.getI32Type()), condition, emit,
                      [&] { return SmallVector<Value>(count, b.i32(0)); });
  }

  /// What rotates runs along a dimension, where a matrix unit does: all lanes of a warp or none.
  std::optional<MatrixRotation> createRotation(QuantizeAxis axis) {
    const QuantizeDestination &destination = *spec.along(axis);
    if (!destination.rotatesByMma)
      return std::nullopt;
    return MatrixRotation(b, destination.scheme.rotation, remainder(thread, waveSize), ofWarp);
  }

  /// Words of two 16-bit elements that follow one another.
  SmallVector<Value> packPairs(ArrayRef<RunElement> elements) {
    SmallVector<Value> words;
    for (unsigned i = 0; i < elements.size(); i += 2) {
      const RunElement &low = elements[i], &high = elements[i + 1];
      words.push_back(low.word == high.word
                          ? low.word
                          : emitPermute(b, low.word, high.word, low.half ? 0x7632 : 0x5410));
    }
    return words;
  }

  /// Emits a group of runs the short way where it is inside of the view, and where that does not
  /// do, which is rare, each of its runs by `emitRun`, with the run's row and k.
  void emitGroup(RunEmitter &emitter, Value row, Value k, const RunGroup &group, Value isInside,
                 std::optional<MatrixRotation> &rotation, RunEmitter::Elements elements,
                 llvm::function_ref<void(Value, Value)> emitRun) {
    SmallVector<SmallVector<RunElement>> loaded;
    auto emitElements = [&](unsigned i) {
      if (!rotation)
        return elements(i);
      // All loads first, since a rotation waits for its own.
      while (loaded.size() < group.count())
        loaded.push_back(elements(loaded.size()));
      return listAll(rotation->rotate(packPairs(loaded[i])), 1);
    };
    Value isDone = emitChoice(
        b, SmallVector<Type>(1, b.getI1Type()), isInside,
        [&]() -> SmallVector<Value> { return {emitter.emitFast(g, row, k, group, emitElements)}; },
        [&]() -> SmallVector<Value> {
          return {arith::ConstantOp::create(b, b.getBoolAttr(false))};
        })[0];
    Value isLeft = b.bitXor(isDone, arith::ConstantOp::create(b, b.getBoolAttr(true)));
    emitIf(b, isLeft, [&] {
      emitLoop(b.i32(0), b.i32(group.count()), 1, [&](Value i) {
        Value rows = quotient(i, group.depthCount), depth = remainder(i, group.depthCount);
        Value offset = b.mul(depth, group.depthStep);
        // What the same k leaves unchanged would be made before the loop, and kept in registers
        // that are wanted elsewhere; the backend does not know that this is 0.
        if (group.depthCount == 1)
          offset = b.shr(i, 31);
        emitRun(b.add(row, b.mul(rows, group.rowStep)), b.add(k, offset));
      });
    });
  }

  scf::ForOp emitLoop(Value first, Value end, unsigned step, llvm::function_ref<void(Value)> emit) {
    auto loop = scf::ForOp::create(b, first, end, b.i32(step));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    emit(loop.getInductionVar());
    return loop;
  }

  /// Of what is rare, which ptxas would unroll.
  void keepRolled(scf::ForOp loop) {
    auto unroll = LLVM::LoopUnrollAttr::get(b.getContext(), /*disable=*/b.getBoolAttr(true), {}, {},
                                            {}, {}, {}, {});
    loop->setAttr("llvm.loop_annotation",
                  LLVM::LoopAnnotationAttr::get(b.getContext(), {}, {}, {}, unroll, {}, {}, {}, {},
                                                {}, {}, {}, {}, {}, {}, {}));
  }

  //===--------------------------------------------------------------------===//
  // One destination
  //===--------------------------------------------------------------------===//

  void emitRows(RunEmitter &emitter) {
    unsigned run = emitter.run;
    Value k = b.add(firstInner, b.mul(remainder(thread, map.runsOfRow), run));
    Value row = b.add(firstOuter, quotient(thread, map.runsOfRow));
    if (!map.isFast) {
      emitRowRun(emitter, row, k);
      return;
    }
    Value isPossible = emitter.prepareFast(spec.element);
    RunGroup group;
    group.rowStep = threadsOfBlock / map.runsOfRow;
    group.rowCount = map.outerOfBlock / group.rowStep;
    Value lastRow = b.add(row, group.rowStep * (group.rowCount - 1)), last = b.add(k, run - 1);
    std::optional<MatrixRotation> rotation = createRotation(QuantizeAxis::Inner);
    if (rotation) {
      lastRow = b.add(firstOuter, map.outerOfBlock - 1);
      last = b.add(firstInner, depthOfThreads - 1);
    }
    Value isInside = b.both(isPossible, b.both(b.less(lastRow, outer), b.less(last, inner)));
    // Offsets along K below this one begin runs that are inside.
    Value limit = b.select(isInside, b.sub(inner, last), b.i32(0));
    // Gathered rows are found once, where there are any.
    SmallVector<Value> lines;
    if (spec.gathers)
      for (Value source : emitOrZeros(isInside, group.rowCount, [&] {
             SmallVector<Value> sources;
             for (unsigned i = 0; i < group.rowCount; ++i)
               sources.push_back(emitSourceRow(b.add(row, i * group.rowStep)));
             return sources;
           }))
        lines.push_back(emitSourceAddress(source, k));
    Value first = spec.gathers ? Value() : emitAddress(row, k);
    Value step = b.mul(ofArray[unsigned(QuantizeArgument::StrideOuter)], group.rowStep * bytes);
    unsigned width = loadWidth(), perWord = std::max(std::min(width, 4 / bytes), 1u);
    Value end = smaller(b.i32(map.innerOfBlock), b.sub(emitter.paddedDepth(), firstInner));
    emitLoop(b.i32(0), end, depthOfThreads, [&](Value offset) {
      Value pointer;
      emitGroup(
          emitter, row, b.add(k, offset), group, b.less(offset, limit), rotation,
          [&](unsigned i) {
            if (i && !spec.gathers)
              pointer = b.at(pointer, step);
            else
              pointer = b.at(spec.gathers ? lines[i] : first, b.widen(b.mul(offset, bytes)));
            SmallVector<Value> words;
            for (unsigned j = 0; j < run; j += width)
              llvm::append_range(words,
                                 loadWords(b.at(pointer, int32_t(j * bytes)), width * bytes));
            return listAll(words, perWord);
          },
          [&](Value row, Value k) { emitRowRun(emitter, row, k); });
    });
  }

  /// One run of a thread, which may lie outside of the view in part.
  void emitRowRun(RunEmitter &emitter, Value row, Value k) {
    unsigned run = emitter.run;
    unsigned width = loadWidth(), perWord = std::max(std::min(width, 4 / bytes), 1u);
    Value isInside = b.both(b.less(row, outer), b.less(k, inner));
    SmallVector<Value> words = emitOrZeros(isInside, run / perWord, [&] {
      Value line = emitAddress(row, b.i32(0));
      // A run, or else a piece of `width` elements, lies inside of K as a whole or not at all.
      unsigned piece = spec.innerMultiple % run ? width : run;
      SmallVector<Value> loaded;
      for (unsigned i = 0; i < run; i += piece) {
        Value at = b.add(k, i);
        Value first = i ? smaller(at, b.sub(inner, b.i32(piece))) : at;
        Value pointer = b.at(line, b.mul(b.widen(first), bytes));
        for (unsigned j = 0; j < piece; j += width)
          for (Value word : loadWords(b.at(pointer, int32_t(j * bytes)), width * bytes))
            loaded.push_back(i ? b.select(b.less(at, inner), word, b.i32(0)) : word);
      }
      return loaded;
    });
    emitDestination(emitter, row, k, 1, {map.runsOfRow},
                    [&](unsigned) { return widenAll(listAll(words, perWord)); });
  }

  /// Where a wave's part begins among the positions along K that a block takes at once.
  Value depthOfWave(unsigned run) {
    unsigned depthOfThread = map.depthOfThread(run);
    unsigned parts = map.outerOfStep / depthOfThread;
    return b.mul(remainder(quotient(thread, waveSize), parts), depthOfThread);
  }

  void emitColumns(RunEmitter &emitter) {
    unsigned run = emitter.run, depthOfThread = map.depthOfThread(run);
    unsigned parts = map.outerOfStep / depthOfThread;
    Value warp = quotient(thread, waveSize);
    Value group = b.add(b.mul(quotient(warp, parts), waveSize), remainder(thread, waveSize));
    Value column = b.add(firstInner, b.mul(group, map.columns));
    Value k = b.add(firstOuter, depthOfWave(run));
    if (!map.isFast) {
      emitColumnRun(emitter, column, k, map.columns);
      return;
    }
    std::optional<MatrixRotation> rotation = createRotation(QuantizeAxis::Outer);
    Value lastColumn = rotation ? b.add(firstInner, map.innerOfBlock - 1) : column;
    Value isPossible = b.both(emitter.prepareFast(spec.element), b.less(lastColumn, inner));
    Value step = b.mul(ofArray[unsigned(QuantizeArgument::StrideOuter)], bytes);
    Value last = smaller(b.i32(map.outerOfBlock), b.sub(emitter.paddedDepth(), firstOuter));
    emitLoop(b.i32(0), last, map.outerOfStep, [&](Value offset) {
      Value at = b.add(k, offset);
      Value end = rotation ? b.add(b.add(firstOuter, offset), map.outerOfStep - 1)
                           : b.add(at, depthOfThread - 1);
      Value isInside = b.both(isPossible, b.less(end, outer));
      SmallVector<Value> words;
      emitGroup(
          emitter, column, at, map.columnsOfThread(run), isInside, rotation,
          [&](unsigned i) {
            if (words.empty()) {
              Value line = emitAddress(at, column);
              for (unsigned j = 0; j < depthOfThread; ++j) {
                if (j)
                  line = emitBelow(line, step, b.add(at, j), column);
                words.push_back(loadWords(line, map.columns * bytes)[0]);
              }
            }
            return ofColumn(words, run, i);
          },
          [&](Value column, Value k) { emitColumnRun(emitter, column, k, 1); });
    });
  }

  /// Of words that lie below one another, the elements of run `i` of `ThreadMap::columnsOfThread`.
  SmallVector<RunElement> ofColumn(ArrayRef<Value> words, unsigned run, unsigned i) {
    unsigned runs = words.size() / run;
    return listHalves(words.slice(i % runs * run, run), i / runs);
  }

  /// Runs of neighbouring columns, which may lie outside of the view in part.
  void emitColumnRun(RunEmitter &emitter, Value column, Value k, unsigned columns) {
    unsigned run = emitter.run, width = columns * bytes;
    Value isInside = b.both(b.less(column, inner), b.less(k, outer));
    SmallVector<Value> words = emitOrZeros(isInside, run, [&] {
      Value step = b.mul(ofArray[unsigned(QuantizeArgument::StrideOuter)], bytes);
      auto emitLoads = [&](bool isWhole) {
        SmallVector<Value> loaded;
        Value pointer = emitAddress(k, column);
        for (unsigned i = 0; i < run; ++i) {
          Value exists = isWhole || !i ? Value() : b.less(b.add(k, i), outer);
          if (i)
            pointer = emitBelow(pointer, exists ? b.select(exists, step, b.widen(b.i32(0))) : step,
                                exists ? b.select(exists, b.add(k, i), k) : b.add(k, i), column);
          Value word = loadWords(pointer, width)[0];
          loaded.push_back(exists ? b.select(exists, word, b.i32(0)) : word);
        }
        return loaded;
      };
      // Nearly all runs are inside of K as a whole, and need no checks.
      Value end = b.add(k, run - 1);
      return emitChoice(
          b, SmallVector<Type>(run, b.getI32Type()), b.less(end, outer),
          [&] { return emitLoads(true); }, [&] { return emitLoads(false); });
    });
    emitDestination(emitter, column, k, columns, {1},
                    [&](unsigned half) { return widenAll(listHalves(words, half)); });
  }

  //===--------------------------------------------------------------------===//
  // Both
  //===--------------------------------------------------------------------===//

  void emitTile(Value shared, RunEmitter &rows, RunEmitter &columns) {
    emitFill(shared);
    gpu::BarrierOp::create(b);
    emitRowsOfTile(shared, rows);
    emitColumnsOfTile(shared, columns);
  }

  /// Emits `count` pieces of work of the block's threads.
  void emitShares(unsigned count, llvm::function_ref<void(Value)> emit) {
    if (count == threadsOfBlock)
      return emit(thread);
    emitLoop(thread, b.i32(count), threadsOfBlock, emit);
  }

  Value isWholeTile() {
    return b.both(b.less(b.add(firstInner, map.innerOfBlock - 1), inner),
                  b.less(b.add(firstOuter, map.outerOfBlock - 1), outer));
  }

  /// Copies the block's tile, zeros beyond the array.
  void emitFill(Value shared) {
    unsigned width = loadWidth(), widthBytes = width * bytes;
    unsigned piecesOfRow = map.innerOfBlock / width;
    assert(piecesOfRow <= threadsOfBlock && "a thread's pieces lie below one another");
    unsigned rowStep = threadsOfBlock / piecesOfRow, pieces = map.outerOfBlock / rowStep;
    Value column = b.mul(remainder(thread, piecesOfRow), width);
    Value row = quotient(thread, piecesOfRow);
    Value ofArrayColumn = b.add(firstInner, column);
    Value columnIsInside = b.less(ofArrayColumn, inner);
    Value step = b.mul(ofArray[unsigned(QuantizeArgument::StrideOuter)], rowStep * bytes);
    auto emitPieces = [&](Value firstRow, unsigned count, bool isWhole) {
      SmallVector<SmallVector<Value>> loaded;
      Value ofArrayRow = b.add(firstOuter, firstRow);
      Value pointer;
      for (unsigned i = 0; i < count; ++i) {
        auto load = [&] {
          Value row = b.add(ofArrayRow, i * rowStep);
          pointer =
              i ? emitBelow(pointer, step, row, ofArrayColumn) : emitAddress(row, ofArrayColumn);
          return loadWords(pointer, widthBytes);
        };
        loaded.push_back(
            isWhole
                ? load()
                : emitOrZeros(b.both(columnIsInside, b.less(b.add(ofArrayRow, i * rowStep), outer)),
                              std::max(widthBytes / 4, 1u), load));
      }
      for (auto [i, words] : llvm::enumerate(loaded)) {
        Value line = b.add(b.mul(firstRow, map.pitch), i * rowStep * map.pitch);
        Value pointer = b.at(shared, b.add(line, b.mul(column, bytes)));
        Value value = words.size() == 1 ? words[0] : b.join(words);
        if (widthBytes == 2)
          value = arith::TruncIOp::create(b, b.getI16Type(), value);
        b.store(value, pointer, widthBytes);
      }
    };
    // Loads of a group are in flight together; at the array's edges they are one by one.
    unsigned group = std::min(pieces, 8u);
    emitEither(
        b, isWholeTile(),
        [&] {
          if (group == pieces)
            emitPieces(row, group, /*isWhole=*/true);
          else
            emitLoop(row, b.i32(map.outerOfBlock), group * rowStep,
                     [&](Value first) { emitPieces(first, group, /*isWhole=*/true); });
        },
        [&] {
          keepRolled(emitLoop(row, b.i32(map.outerOfBlock), rowStep,
                              [&](Value first) { emitPieces(first, 1, /*isWhole=*/false); }));
        });
  }

  /// Lanes lie along rows, so that they read different banks.
  void emitRowsOfTile(Value shared, RunEmitter &emitter) {
    unsigned run = emitter.run, runsOfRow = map.runsOfRow, rowsOfWave = waveSize / runsOfRow;
    auto emitLoads = [&](Value row, Value k) {
      Value pointer = b.at(shared, b.add(b.mul(row, map.pitch), b.mul(k, bytes)));
      SmallVector<Value> words;
      for (unsigned i = 0; i < run * bytes; i += mostBytes)
        llvm::append_range(words, loadWords(b.at(pointer, int32_t(i)), mostBytes));
      return listAll(words, 4 / bytes);
    };
    auto emitRun = [&](Value row, Value k) {
      SmallVector<RunElement> elements = emitLoads(row, k);
      emitDestination(emitter, b.add(firstOuter, row), b.add(firstInner, k), 1, {1},
                      [&](unsigned) { return widenAll(elements); });
    };
    if (map.isFast) {
      Value wave = quotient(thread, waveSize), lane = remainder(thread, waveSize);
      Value row = b.add(b.mul(wave, rowsOfWave), remainder(lane, rowsOfWave));
      Value k = b.mul(quotient(lane, rowsOfWave), run);
      RunGroup group;
      group.rowStep = threadsOfBlock / runsOfRow;
      group.rowCount = map.outerOfBlock / group.rowStep;
      group.depthStep = runsOfRow * run;
      group.depthCount = map.innerOfBlock / group.depthStep;
      Value lastRow = b.add(b.add(firstOuter, row), group.rowStep * (group.rowCount - 1));
      Value last = b.add(b.add(firstInner, k), group.depthStep * (group.depthCount - 1) + run - 1);
      std::optional<MatrixRotation> rotation = createRotation(QuantizeAxis::Inner);
      Value isInside =
          rotation ? isWholeTile() : b.both(b.less(lastRow, outer), b.less(last, inner));
      emitGroup(
          emitter, b.add(firstOuter, row), b.add(firstInner, k), group,
          b.both(isInside, emitter.prepareFast(spec.element)), rotation,
          [&](unsigned i) {
            return emitLoads(b.add(row, i / group.depthCount * group.rowStep),
                             b.add(k, i % group.depthCount * group.depthStep));
          },
          [&](Value row, Value k) { emitRun(b.sub(row, firstOuter), b.sub(k, firstInner)); });
      return;
    }
    unsigned groupsOfRow = map.innerOfBlock / run / runsOfRow;
    emitShares(map.outerOfBlock * (map.innerOfBlock / run), [&](Value share) {
      Value wave = quotient(share, waveSize), lane = remainder(share, waveSize);
      Value row =
          b.add(b.mul(quotient(wave, groupsOfRow), rowsOfWave), remainder(lane, rowsOfWave));
      Value number =
          b.add(b.mul(remainder(wave, groupsOfRow), runsOfRow), quotient(lane, rowsOfWave));
      emitRun(row, b.mul(number, run));
    });
  }

  void emitColumnsOfTile(Value shared, RunEmitter &emitter) {
    unsigned run = emitter.run, groups = map.innerOfBlock / map.columns;
    auto emitLoads = [&](Value column, Value k, unsigned columns, unsigned depth) {
      Value pointer = b.at(shared, b.add(b.mul(k, map.pitch), b.mul(column, bytes)));
      SmallVector<Value> words;
      for (unsigned i = 0; i < depth; ++i)
        words.push_back(loadWords(b.at(pointer, int32_t(i * map.pitch)), columns * bytes)[0]);
      return words;
    };
    auto emitRun = [&](Value column, Value k, unsigned columns) {
      SmallVector<Value> words = emitLoads(column, k, columns, run);
      emitDestination(emitter, b.add(firstInner, column), b.add(firstOuter, k), columns, {1},
                      [&](unsigned half) { return widenAll(listHalves(words, half)); });
    };
    if (map.isFast) {
      unsigned depth = map.depthOfThread(run);
      Value column = b.mul(remainder(thread, groups), map.columns);
      Value k = b.mul(quotient(thread, groups), depth);
      Value last = b.add(b.add(firstOuter, k), depth - 1);
      Value lastColumn = b.add(b.add(firstInner, column), map.columns - 1);
      std::optional<MatrixRotation> rotation = createRotation(QuantizeAxis::Outer);
      Value isInside =
          rotation ? isWholeTile() : b.both(b.less(lastColumn, inner), b.less(last, outer));
      SmallVector<Value> words;
      emitGroup(
          emitter, b.add(firstInner, column), b.add(firstOuter, k), map.columnsOfThread(run),
          b.both(isInside, emitter.prepareFast(spec.element)), rotation,
          [&](unsigned i) {
            if (words.empty())
              words = emitLoads(column, k, map.columns, depth);
            return ofColumn(words, run, i);
          },
          [&](Value row, Value k) { emitRun(b.sub(row, firstInner), b.sub(k, firstOuter), 1); });
      return;
    }
    emitShares(groups * (map.outerOfBlock / run), [&](Value share) {
      emitRun(b.mul(remainder(share, groups), map.columns), b.mul(quotient(share, groups), run),
              map.columns);
    });
  }

  KernelBuilder &b;
  const QuantizeKernelSpec &spec;
  const ThreadMap &map;
  const bool isAmax;
  /// Of an element.
  const unsigned bytes;
  const unsigned waveSize;
  /// Those of the array, by role.
  Value ofArray[unsigned(QuantizeArgument::FirstGroup) + 1];
  Value outer, inner;
  /// The block's number is 0 where `block` is.
  Value thread, block, g, firstInner, firstOuter;
  /// Of shared memory, where a matrix unit rotates.
  Value ofWarp;
};
} // namespace

//===----------------------------------------------------------------------===//
// The entries
//===----------------------------------------------------------------------===//

static std::string nameOf(const QuantizeDestination &destination, bool isAmax) {
  const numerics::Scheme &scheme = destination.scheme;
  std::string name = llvm::formatv("{0}_{1}_b{2}", numerics::name(scheme.format),
                                   numerics::name(scheme.scale), scheme.block);
  if (scheme.blockRows > 1)
    name += "x" + std::to_string(scheme.blockRows);
  if (scheme.scale == ScaleKind::UE8M0 && scheme.rule == numerics::ScaleRule::OcpFloor)
    name += "_floor";
  if (scheme.rotation) {
    name += "_r" + std::to_string(scheme.rotation.size);
    if (scheme.rotation != numerics::presetRotation(scheme.rotation.size))
      for (uint64_t signs : ArrayRef(scheme.rotation.signs))
        name += "_" + llvm::utohexstr(signs, /*LowerCase=*/true);
  }
  if (isAmax)
    return name;
  if (destination.rotatesByMma)
    name += "_mma";
  if (destination.randomBits)
    name += "_u" + std::to_string(destination.randomBits);
  return name + "_" + destination.storage->name().str();
}

/// Whether all destinations are quantized the short way.
static bool isFast(const QuantizeKernelSpec &spec) {
  return llvm::all_of(axes, [&](QuantizeAxis axis) {
    const std::optional<QuantizeDestination> &destination = spec.along(axis);
    if (!destination)
      return true;
    auto writer = createRunWriter(*destination->storage, destination->scheme);
    return writer && FastRunEmitter::exists(*spec.chip, *destination, writer->form());
  });
}

/// The spec with `rotatesByMma` where a matrix unit does rotate.
static QuantizeKernelSpec resolve(const QuantizeKernelSpec &spec, bool isAmax) {
  QuantizeKernelSpec resolved = spec;
  bool isPossible = !isAmax && spec.chip->vendor == Vendor::NVIDIA &&
                    spec.element == Element::BF16 && isFast(spec);
  for (std::optional<QuantizeDestination> *destination : {&resolved.inner, &resolved.outer})
    if (*destination) {
      const numerics::Scheme &scheme = (*destination)->scheme;
      (*destination)->rotatesByMma &= isPossible && MatrixRotation::takes(scheme.rotation) &&
                                      scheme.rotation.size == numerics::runLength(scheme);
    }
  return resolved;
}

std::string ufp4::getKernelName(const QuantizeKernelSpec &given, bool isAmax) {
  if (!given.name.empty())
    return given.name;
  QuantizeKernelSpec spec = resolve(given, isAmax);
  std::string name = isAmax ? "ufp4_amax" : "ufp4_quantize";
  name += "_" + std::string(numerics::name(spec.element));
  for (QuantizeAxis axis : axes)
    if (const std::optional<QuantizeDestination> &destination = spec.along(axis))
      name += "_" + stringify(axis).str() + "_" + nameOf(*destination, isAmax);
  if (spec.grouping)
    name += "_" + stringify(*spec.grouping).str();
  if (spec.groupTile)
    name += std::to_string(spec.groupTile);
  if (spec.gathers)
    name += "_gathered";
  if (spec.innerMultiple > 1)
    name += "_i" + std::to_string(spec.innerMultiple);
  return name;
}

/// A block's work, or a wave's along columns, lies in one tile, and each group begins one.
static LogicalResult verifyGrouping(Location loc, const QuantizeKernelSpec &spec, bool isAmax) {
  bool isContracted = spec.grouping == numerics::Grouping::Contracted;
  if (spec.isRagged() && spec.inner && spec.outer)
    return emitError(loc) << "ragged groups are quantized along one dimension, not along both";
  if (spec.dividesInner() && spec.innerMultiple > 1)
    return emitError(loc) << "groups that divide the inner dimension begin anywhere, not at "
                             "multiples of "
                          << spec.innerMultiple;
  for (QuantizeAxis axis : axes) {
    const std::optional<QuantizeDestination> &destination = spec.along(axis);
    if (!destination)
      continue;
    const numerics::Scheme &scheme = destination->scheme;
    if (spec.isRagged() && scheme.blockRows > 1)
      return emitError(loc) << "2-D blocks are not combined with ragged groups";
    std::optional<StorageTile> tile = isAmax ? std::nullopt : destination->storage->tile(scheme);
    if (!isAmax && !tile)
      return emitError(loc) << "groups begin at tiles, and storage " << destination->storage->name()
                            << " has none";
    unsigned least = isContracted ? numerics::runLength(scheme) : rowsOfTile;
    unsigned expected = !tile ? spec.groupTile : isContracted ? tile->depth : tile->rows;
    if (spec.isRagged() && (spec.groupTile != expected || expected < least))
      return emitError(loc) << "groups need tiles of " << least << " at least that are the "
                            << "storage's, found " << spec.groupTile;
  }
  return success();
}

static LogicalResult verifySpec(Location loc, const QuantizeKernelSpec &spec, bool isAmax) {
  if (!spec.chip)
    return emitError(loc) << "a kernel needs a chip";
  if (!spec.innerMultiple)
    return emitError(loc) << "the inner extent cannot be a multiple of 0";
  if (!spec.inner && !spec.outer)
    return emitError(loc) << "a quantize kernel needs a destination";
  if (isAmax && spec.inner && spec.outer)
    return emitError(loc) << "an amax kernel finds the maximum along one dimension, not along both";
  for (QuantizeAxis axis : axes) {
    const std::optional<QuantizeDestination> &destination = spec.along(axis);
    if (!destination)
      continue;
    const numerics::Scheme &scheme = destination->scheme;
    if (std::optional<std::string> reason = numerics::verifyScheme(scheme))
      return emitError(loc) << *reason;
    if (isAmax)
      continue;
    if (destination->randomBits)
      if (std::optional<std::string> reason =
              numerics::verifyDraw({0, 0, 0, destination->randomBits}, scheme))
        return emitError(loc) << *reason;
    if (!destination->storage)
      return emitError(loc) << "a quantize kernel needs a storage";
    if (std::optional<std::string> reason =
            destination->storage->verify({scheme, {0, 0, 0}}, *spec.chip))
      return emitError(loc) << *reason;
  }
  return spec.grouping ? verifyGrouping(loc, spec, isAmax) : success();
}

/// A kernel's arguments, in their order.
static SmallVector<QuantizeArgumentInfo> listArguments(const QuantizeKernelSpec &spec,
                                                       bool isAmax) {
  using Role = QuantizeArgument;
  SmallVector<QuantizeArgumentInfo> arguments = {{Role::Input}};
  for (QuantizeAxis axis : axes) {
    const std::optional<QuantizeDestination> &destination = spec.along(axis);
    if (!destination)
      continue;
    SmallVector<Role> roles;
    bool hasGlobal = !isAmax && destination->scheme.scale == ScaleKind::UE4M3;
    if (!isAmax)
      roles.push_back(Role::Codes);
    if (!isAmax && destination->storage->hasScales())
      roles.push_back(Role::Scales);
    if (isAmax || hasGlobal)
      roles.push_back(Role::Amax);
    if (hasGlobal)
      roles.push_back(Role::Global);
    if (!isAmax && destination->randomBits)
      roles.append({Role::Seed, Role::Step, Role::Stream});
    for (Role role : roles)
      arguments.push_back({role, axis});
  }
  for (Role role : {Role::Outer, Role::Inner, Role::StrideBatch, Role::StrideOuter})
    arguments.push_back({role});
  if (spec.gathers)
    arguments.append({{Role::Rows}, {Role::SourceRows}});
  if (!spec.grouping)
    return arguments;
  auto has = [&](Role role) {
    return llvm::any_of(arguments, [&](const auto &argument) { return argument.role == role; });
  };
  if (spec.isRagged())
    arguments.append({{Role::Groups}, {Role::GroupTiles}});
  if (spec.isRagged() || has(Role::Global))
    arguments.push_back({Role::GroupCount});
  if (has(Role::Seed))
    arguments.push_back({Role::FirstGroup});
  return arguments;
}

static Type typeOf(Builder &b, QuantizeArgument role) {
  switch (role) {
  case QuantizeArgument::Step:
  case QuantizeArgument::Stream:
  case QuantizeArgument::Outer:
  case QuantizeArgument::Inner:
  case QuantizeArgument::SourceRows:
  case QuantizeArgument::GroupTiles:
  case QuantizeArgument::GroupCount:
    return b.getI32Type();
  case QuantizeArgument::FirstGroup:
  case QuantizeArgument::Seed:
  case QuantizeArgument::StrideBatch:
  case QuantizeArgument::StrideOuter:
    return b.getI64Type();
  default:
    return LLVM::LLVMPointerType::get(b.getContext(), globalSpace);
  }
}

static gpu::GPUFuncOp createFunction(KernelBuilder &b, const QuantizeKernelSpec &spec,
                                     const QuantizeKernelInfo &info, bool isAmax) {
  SmallVector<Type> types;
  for (const QuantizeArgumentInfo &argument : info.arguments)
    types.push_back(typeOf(b, argument.role));
  auto function = gpu::GPUFuncOp::create(b, info.name, b.getFunctionType(types, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  function.setKnownBlockSize(ArrayRef<int32_t>{int32_t(info.threads), 1, 1});
  unsigned bytes = numerics::elementBytes(spec.element);
  for (auto [i, argument] : llvm::enumerate(info.arguments)) {
    if (!isa<LLVM::LLVMPointerType>(types[i]))
      continue;
    QuantizeArgument role = argument.role;
    bool isInput = role == QuantizeArgument::Input, isAmaxTensor = role == QuantizeArgument::Amax;
    unsigned alignment = mostBytes;
    if (isInput)
      alignment = std::min((spec.innerMultiple & -spec.innerMultiple) * bytes, mostBytes);
    else if (isAmaxTensor || role == QuantizeArgument::Global || role == QuantizeArgument::Rows)
      alignment = 4;
    function.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(alignment));
    function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
    if (isInput || role == QuantizeArgument::Groups || role == QuantizeArgument::Rows ||
        (isAmaxTensor && !isAmax))
      function.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(), b.getUnitAttr());
  }
  return function;
}

static FailureOr<QuantizeKernelInfo> build(OpBuilder &builder, Location loc,
                                           const QuantizeKernelSpec &given, bool isAmax) {
  if (failed(verifySpec(loc, given, isAmax)))
    return failure();
  QuantizeKernelSpec spec = resolve(given, isAmax);
  std::array<std::unique_ptr<RunWriter>, 2> writers;
  QuantizeKernelInfo info;
  info.inner = spec.inner;
  info.outer = spec.outer;
  for (QuantizeAxis axis : axes) {
    std::optional<QuantizeDestination> &destination =
        axis == QuantizeAxis::Inner ? info.inner : info.outer;
    if (!destination)
      continue;
    if (isAmax) {
      destination->storage = nullptr;
      continue;
    }
    std::unique_ptr<RunWriter> &writer = writers[unsigned(axis)];
    writer = createRunWriter(*destination->storage, destination->scheme);
    if (!writer)
      return emitError(loc) << "no quantize kernel writes the storage "
                            << destination->storage->name();
  }
  ThreadMap map(spec, !isAmax && isFast(spec));
  info.name = getKernelName(given, isAmax);
  info.chip = spec.chip;
  info.threads = threadsOfBlock;
  info.outerOfBlock = map.outerOfBlock;
  info.innerOfBlock = map.innerOfBlock;
  info.dynamicSharedBytes = map.sharedBytes();
  info.innerMultiple = spec.innerMultiple;
  info.elementsOfTurn = map.elementsOfTurn();
  info.arguments = listArguments(spec, isAmax);
  if (info.dynamicSharedBytes > spec.chip->sharedMemoryBytes)
    return emitError(loc) << "a tile of " << map.outerOfBlock << " x " << map.innerOfBlock
                          << " elements takes " << info.dynamicSharedBytes
                          << " bytes of shared memory; " << StringRef(spec.chip->name) << " has "
                          << spec.chip->sharedMemoryBytes;

  KernelBuilder b(loc, builder);
  auto module = cast<gpu::GPUModuleOp>(builder.getInsertionBlock()->getParentOp());
  gpu::GPUFuncOp function = createFunction(b, spec, info, isAmax);
  b.setInsertionPointToStart(&function.getBody().front());
  Value shared = info.dynamicSharedBytes ? createSharedPointer(b, module) : Value();
  QuantizeEmitter(b, spec, map, isAmax).emit(function, info.arguments, writers, shared);
  gpu::ReturnOp::create(b);
  return info;
}

FailureOr<QuantizeKernelInfo> ufp4::buildQuantizeKernel(OpBuilder &builder, Location loc,
                                                        const QuantizeKernelSpec &spec) {
  return build(builder, loc, spec, /*isAmax=*/false);
}

FailureOr<QuantizeKernelInfo> ufp4::buildAmaxKernel(OpBuilder &builder, Location loc,
                                                    const QuantizeKernelSpec &spec) {
  return build(builder, loc, spec, /*isAmax=*/true);
}
