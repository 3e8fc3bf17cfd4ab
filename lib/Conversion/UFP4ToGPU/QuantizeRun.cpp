//===- QuantizeRun.cpp - Quantizing runs of one destination ---------------===//

#include "QuantizeRun.h"

#include "KernelParts.h"
#include "ufp4/Conversion/NumericsEmitter.h"

#include "ufp4/Target/LaneInstructions.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

/// Emits where `b` stands.
static NumericsEmitter numbers(KernelBuilder &b) { return NumericsEmitter(b, b.getLoc()); }

RunEmitter::RunEmitter(KernelBuilder &b, const Chip &chip, const QuantizeDestination &destination,
                       const RunWriter *writer, const DestinationArguments &arguments,
                       const StoredView &view)
    : run(numerics::runLength(destination.scheme)), b(b), chip(chip), destination(destination),
      scheme(destination.scheme), writer(writer), arguments(arguments), view(view),
      rows(view.rows) {
  // Rotation and block are powers of two, so padding to the longer pads to both (Q3).
  paddedK = b.bitAnd(b.add(view.depth, run - 1), -int64_t(run));
}

Value ufp4::emitGlobalScale(KernelBuilder &b, Value amax, numerics::Format format) {
  Value value = b.load(b.getF32Type(), amax, 4);
  float divisor = numerics::gMax(format) * numerics::maxE4M3;
  return numbers(b).globalScale(value, emitQuotient(b, value, divisor));
}

void RunEmitter::emitGlobal(Value isFirst) {
  Value amax = arguments[QuantizeArgument::Amax];
  if (!amax)
    return;
  global = emitGlobalScale(b, amax, scheme.format);
  if (isFirst)
    emitIf(b, isFirst, [&] { b.store(global, arguments[QuantizeArgument::Global], 4); });
}

void RunEmitter::emitRuns(Value g, Value row, Value k, unsigned count, RowLanes lanes,
                          Values values) {
  RunPlace place = placeOf(g, row, k);
  // Lanes exchange maxima where all of them are.
  SmallVector<Value> ofRows;
  if (scheme.blockRows > 1) {
    assert(count == 1 && "a thread holds one row of a 2-D block");
    ofRows = findMaxima(values(0), lanes);
  }
  // One run after the other, and each in one block of code: registers hold x' or |x'|, not both.
  for (unsigned i = 0; i < count; ++i)
    store(place, i, [&] {
      Run x = values(i);
      rotate(x);
      return std::pair(x, ofRows.empty() ? findMaxima(x, lanes) : ofRows);
    });
}

void RunEmitter::emitAmax(Value lane, unsigned count, RowLanes lanes, Values values) {
  Value found = b.i32(0);
  for (unsigned i = 0; i < count; ++i) {
    Run x = values(i);
    rotate(x);
    for (Value maximum : findMaxima(x, lanes))
      found = arith::MaxUIOp::create(b, found, numbers(b).magnitudeForAmax(maximum));
  }
  // Bits of floats that are not negative order as the floats do.
  found = greatestOfLanes(found, 1, chip.waveSize);
  emitIf(b, b.less(lane, 1), [&] {
    LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::umax, arguments[QuantizeArgument::Amax], found,
                              LLVM::AtomicOrdering::monotonic, "device", 4);
  });
}

/// The maximum over lanes whose numbers differ by multiples of `stride` below `stride` * `count`.
Value RunEmitter::greatestOfLanes(Value value, unsigned stride, unsigned count) {
  for (unsigned offset = stride; offset < stride * count; offset *= 2) {
    auto other = gpu::ShuffleOp::create(b, value, offset, chip.waveSize, gpu::ShuffleMode::XOR);
    value = arith::MaxUIOp::create(b, value, other.getShuffleResult());
  }
  return value;
}

/// Q2.
void RunEmitter::rotate(Run &x) {
  unsigned n = scheme.rotation.size;
  if (!n)
    return;
  for (unsigned i = 0; i < run; ++i)
    if (scheme.rotation.signs[i % n / 64] >> i % n % 64 & 1)
      x[i] = arith::NegFOp::create(b, x[i]);
  for (unsigned stride = 1; stride < n; stride *= 2)
    for (unsigned i = 0; i < run; ++i) {
      if (i & stride)
        continue;
      Value low = x[i], high = x[i + stride];
      x[i] = arith::AddFOp::create(b, low, high);
      x[i + stride] = arith::SubFOp::create(b, low, high);
    }
  for (Value &value : x)
    value = numbers(b).rotationFactor(value, n);
}

/// Q4: the greatest magnitude of each block of a run, of 2-D blocks over all of their rows.
SmallVector<Value> RunEmitter::findMaxima(ArrayRef<Value> x, RowLanes lanes) {
  SmallVector<Value> maxima;
  for (unsigned i = 0; i < run; ++i) {
    Value magnitude = numbers(b).magnitude(x[i]);
    if (i % scheme.block == 0)
      maxima.push_back(magnitude);
    else
      maxima.back() = arith::MaxUIOp::create(b, maxima.back(), magnitude);
  }
  assert(lanes.stride * scheme.blockRows <= chip.waveSize && "a block's rows are in one wave");
  for (Value &maximum : maxima)
    maximum = greatestOfLanes(maximum, lanes.stride, scheme.blockRows);
  return maxima;
}

/// Q5 to Q7 for the run of row `first.row` + `number`, whose x' and blocks' maxima are emitted
/// where the run lies in the storage.
void RunEmitter::store(const RunPlace &first, unsigned number,
                       llvm::function_ref<std::pair<Run, SmallVector<Value>>()> emitValues) {
  RunPlace place = first;
  place.row = b.add(first.row, number);
  Value rowEnd = view.rowEnd;
  Value exists = b.both(b.less(place.k, paddedDepth()),
                        b.less(place.row, rowEnd ? rowEnd : writer->paddedRows(b, rows)));
  emitIf(b, exists, [&] {
    auto [x, maxima] = emitValues();
    SmallVector<Value> stored, factors;
    for (Value maximum : maxima) {
      NumericsEmitter::BlockScale scale = numbers(b).chooseScale(scheme, maximum, global);
      stored.push_back(scale.stored);
      factors.push_back(scale.reciprocal);
    }
    SmallVector<Value> target = writer->begin(b, place, arguments[QuantizeArgument::Codes],
                                              arguments[QuantizeArgument::Scales]);
    if (destination.storage->hasScales())
      storeScales(place, target, stored);
    else
      llvm::append_range(target, writer->factors(b, stored, isInViewAt(place)));

    unsigned bits = destination.randomBits;
    unsigned ofDraw = bits ? 128 / bits : 1, ofWord = bits ? 32 / bits : 1;
    Value drawOfRun = bits ? firstDraw(place) : Value();
    std::array<Value, 4> words;
    SmallVector<Value> codes;
    for (unsigned i = 0; i < run; ++i) {
      Value word;
      if (bits) {
        // Runs begin at a multiple of a draw.
        if (i % ofDraw == 0)
          words = draw(numbers(b).split(b.add(drawOfRun, i / ofDraw)));
        word = numbers(b).extractLane(words[i % ofDraw / ofWord], b.i32(i % ofWord), bits);
      }
      codes.push_back(
          numbers(b).encode(scheme.format, x[i], factors[i / scheme.block], word, bits));
      if (codes.size() == writer->codesAtOnce()) {
        writer->storeCodes(b, target, i + 1 - codes.size(), codes);
        codes.clear();
      }
    }
  });
}

Value RunEmitter::isInViewAt(const RunPlace &place) {
  return b.both(b.less(place.row, rows), b.less(place.k, paddedK));
}

/// Q7: the number of a run's first draw.
Value RunEmitter::firstDraw(const RunPlace &place) {
  Value row = b.add(b.mul(b.widen(place.g), b.widen(rows)), b.widen(place.row));
  Value index = b.add(b.mul(row, b.widen(paddedK)), b.widen(place.k));
  return b.shr(index, llvm::Log2_32(128 / destination.randomBits));
}

std::array<Value, 4> RunEmitter::draw(std::array<Value, 2> number) {
  return numbers(b).philox({number[0], number[1], arguments[QuantizeArgument::Stream],
                            arguments[QuantizeArgument::Step]},
                           numbers(b).split(arguments[QuantizeArgument::Seed]));
}

Value RunEmitter::prepareFast(numerics::Element element) {
  fast = FastRunEmitter::create(b, chip, element, destination, writer->form(), global);
  Value possible = fast->canBeInRange();
  return possible ? possible : arith::ConstantOp::create(b, b.getBoolAttr(true)).getResult();
}

Value RunEmitter::emitFast(Value g, Value row, Value k, const RunGroup &group, Elements elements) {
  RunPlace place = placeOf(g, row, k);
  // All loads first, unless random words take long enough to make, and registers; from shared
  // memory they are short.
  SmallVector<SmallVector<RunElement>> loaded;
  bool isLate = destination.randomBits || destination.rotatesByMma;
  for (unsigned i = 0; i < group.count() && !isLate; ++i)
    loaded.push_back(elements(i));
  SmallVector<Value> target = writer->begin(b, place, arguments[QuantizeArgument::Codes],
                                            arguments[QuantizeArgument::Scales]);
  unsigned bits = destination.randomBits, ofDraw = bits ? 128 / bits : 1;
  // Draws of a group share the upper word of their number, and what Philox makes of it: a group in
  // which it changes is not for this way.
  std::array<Value, 2> drawOfGroup;
  Value isInRange;
  auto drawsUpTo = [&](unsigned rows) {
    return b.shr(b.mul(b.widen(paddedK), rows), llvm::Log2_32(ofDraw));
  };
  if (bits) {
    Value first = firstDraw(place);
    Value ofLastRow = b.add(first, drawsUpTo((group.rowCount - 1) * group.rowStep));
    unsigned inRow = (group.depthStep * (group.depthCount - 1) + run - 1) / ofDraw;
    drawOfGroup = numbers(b).split(first);
    isInRange = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, drawOfGroup[1],
                                      numbers(b).split(b.add(ofLastRow, inRow))[1]);
  }
  // Draw `number` of run `i`.
  auto drawOf = [&](unsigned i, unsigned number) {
    unsigned rowOffset = i / group.depthCount * group.rowStep;
    unsigned inRow = i % group.depthCount * group.depthStep / ofDraw + number;
    Value ofRow = drawOfGroup[0];
    if (rowOffset)
      ofRow = b.add(ofRow, numbers(b).split(drawsUpTo(rowOffset))[0]);
    return draw({b.add(ofRow, inRow), drawOfGroup[1]});
  };
  // Runs that follow one another in a row are stored together.
  bool areNeighbours = group.depthStep == run;
  unsigned together = areNeighbours ? group.depthCount : 1;
  SmallVector<FastRun> done;
  for (unsigned first = 0; first < group.count(); first += together) {
    SmallVector<Value> words, scales;
    unsigned rowOffset = first / group.depthCount * group.rowStep;
    unsigned depthOffset = first % group.depthCount * group.depthStep;
    for (unsigned i = first; i < first + together; ++i) {
      if (done.size() == i) {
        unsigned end = std::min(i + fast->runsAtOnce(), group.count());
        while (loaded.size() < end)
          loaded.push_back(elements(loaded.size()));
        llvm::append_range(done, fast->emit(ArrayRef(loaded).slice(i, end - i),
                                            [&, i = i](unsigned ofRuns, unsigned number) {
                                              return drawOf(i + ofRuns, number);
                                            }));
      }
      const FastRun &one = done[i];
      isInRange = isInRange ? b.both(isInRange, one.isInRange) : one.isInRange;
      llvm::append_range(words, one.words);
      llvm::append_range(scales, one.scales);
    }
    SmallVector<Value> moved = writer->move(b, place, target, rowOffset, depthOffset);
    unsigned wordsOfStore = std::min<unsigned>(words.size(), 4);
    for (unsigned i = 0; i < words.size(); i += wordsOfStore)
      writer->storeWords(b, moved, i * together * run / words.size(),
                         ArrayRef(words).slice(i, wordsOfStore));
    if (destination.storage->hasScales())
      writer->storeScaleWords(b, moved, scales);
  }
  return isInRange;
}

/// `target` is where the run's codes and, if each row has its own, scales go.
void RunEmitter::storeScales(const RunPlace &place, ValueRange target, ValueRange stored) {
  Value isInView = isInViewAt(place);
  unsigned blockRows = scheme.blockRows;
  OperandType block{scheme, {1, int64_t(blockRows), int64_t(scheme.block)}};
  bool isShared = destination.storage->locate(block, scalesPlane, {0, 0, 0}) ==
                  destination.storage->locate(block, scalesPlane, {0, int64_t(blockRows) - 1, 0});
  if (blockRows == 1 || !isShared) {
    writer->storeScales(b, target, stored, isInView);
    return;
  }
  // One scale for the block, as for one row of as many rows as there are blocks: by its first row.
  emitIf(b, b.less(b.bitAnd(place.row, blockRows - 1), 1), [&] {
    unsigned bits = llvm::Log2_32(blockRows);
    RunPlace ofBlock = place;
    ofBlock.row = b.shr(place.row, bits);
    ofBlock.rows = b.shr(b.add(rows, blockRows - 1), bits);
    SmallVector<Value> scales = writer->begin(b, ofBlock, arguments[QuantizeArgument::Codes],
                                              arguments[QuantizeArgument::Scales]);
    writer->storeScales(b, scales, stored, isInView);
  });
}
