//===- QuantizeToVector.cpp - quantize as loops over vectors --------------===//
//
// The lanes of a vector are `rows` rows of the view times `runs` runs of each row, and there is one
// vector for each position of a run. So a butterfly, a maximum, a division or a Philox round works
// on all lanes at once, without a shuffle. Where K is the innermost dimension, runs are transposed
// into that form on loading; where it is not, the input lies in it already. Codes go back to their
// rows in words of four.
//
//===----------------------------------------------------------------------===//

#include "Counter.h"
#include "Patterns.h"
#include "TensorEmitter.h"
#include "VectorShuffles.h"
#include "ufp4/Conversion/Gather.h"
#include "ufp4/Conversion/NumericsEmitter.h"
#include "ufp4/Conversion/Parallel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ufp4;

namespace {

/// Of a line of memory in caches.
constexpr int64_t kLineBits = 512;
/// Lines of the input's rows, and of the result's, that a band along columns has. With these, what
/// is fetched ahead of a row is used, and what is in work fits a second-level cache.
constexpr int64_t kBandWidth = 8, kBandHeight = 4;

Value slice(ImplicitLocOpBuilder &b, Value vector, int64_t offset, int64_t size) {
  if (size == lanesOf(vector))
    return vector;
  return vector::ExtractStridedSliceOp::create(b, vector, offset, size, 1);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// One quantize, or its search for amax_tensor.
class QuantizeEmitter {
public:
  QuantizeEmitter(OpBuilder &builder, QuantizeOp op, QuantizeOp::Adaptor adaptor, int64_t lanes)
      : b(op.getLoc(), builder), t(builder, op.getLoc()), op(op), adaptor(adaptor),
        type(op.getQuantizedType()), scheme(type.getScheme().getNumerics()), lanes(lanes),
        along(type.getAlong()), rank(type.getRank()), run(numerics::runLength(scheme)),
        runs(type.getPaddedK() / run), columns(along != rank - 1),
        r(columns ? rank - 1 : rank - 2) {
    // Runs of one row lie next to each other, so take as many of them as divide the row.
    runsInTile = 1;
    while (!columns && runsInTile < lanes && runs % (2 * runsInTile) == 0)
      runsInTile *= 2;
    rowsInTile = lanes / runsInTile;
  }

  Parts emit() {
    for (int64_t dim : TensorEmitter::allBut(rank, along)) {
      Value sized = dim == 0 && op.getRows() ? adaptor.getRows() : adaptor.getInput();
      extents.push_back(tensor::DimOp::create(b, sized, dim));
      wideExtents.push_back(arith::IndexCastOp::create(b, b.getI64Type(), extents.back()));
    }
    return scheme.blockRows == 1 ? emitRows() : emitSquares();
  }

private:
  /// Where the loops stand.
  struct Tile {
    /// Leading coordinates before R, the first row and the first run.
    SmallVector<Value> outer;
    Value row, run;
    /// Where each of the tile's rows is read and written. One that does not exist stands for the
    /// last, and what is written for it is written over.
    SmallVector<Value> rows;
    /// x' of Q2, a vector for each position of the run.
    SmallVector<Value> x;
    /// Where the tile's runs are written: leading coordinates, rows, the run and how many of them a
    /// row of the target has.
    SmallVector<Value> outerOfTarget, rowsOfTarget;
    Value runOfTarget;
    int64_t runsOfTarget;
    /// The run's rows of the input from `rowsOfTarget` on, zeros beyond K; null: the input itself.
    Value staged;
  };
  using Body = llvm::function_ref<SmallVector<Value>(Tile &, ValueRange carried)>;

  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  Value plus(Value x, int64_t y) {
    return y ? arith::AddIOp::create(b, x, index(y)).getResult() : x;
  }
  Value times(Value x, int64_t y) { return arith::MulIOp::create(b, x, index(y)); }
  NumericsEmitter numbers() { return NumericsEmitter(b, b.getLoc(), lanes); }

  /// Blocks within a row: maxima, scales and codes in one go.
  Parts emitRows() {
    Value global;
    if (type.getScheme().hasGlobalScale())
      global = emitGlobalScale(t, adaptor.getAmax() ? adaptor.getAmax() : emitAmaxOfRows(),
                               type.getScheme());
    Value everywhere = global ? numbers().splat(global) : Value();
    SmallVector<Value> results =
        emitLoops({empty(type.getPaddedK(), b.getI8Type()),
                   empty(type.getPaddedK() / scheme.block, type.getScheme().getScaleType())},
                  [&](Tile &tile, ValueRange carried) -> SmallVector<Value> {
                    SmallVector<Value> stored, factors;
                    for (Value maximum : emitMaxima(tile)) {
                      auto scale = numbers().chooseScale(scheme, maximum, everywhere);
                      stored.push_back(scale.stored);
                      factors.push_back(scale.reciprocal);
                    }
                    Value scales = writeRows(tile, carried[1], interleave(b, stored));
                    return {emitCodes(tile, carried[0], factors), scales};
                  });
    return Parts(results[0], results[1], emitGlobalTensor(t, global));
  }

  /// 2-D blocks: the maxima of all rows first, then codes; what lies between is small.
  Parts emitSquares() {
    Value ofRows = emitLoops({empty(runs, b.getI32Type())},
                             [&](Tile &tile, ValueRange carried) -> SmallVector<Value> {
                               return {writeRows(tile, carried[0], emitMaxima(tile).front())};
                             })[0];
    int64_t rows = rank - 2;
    Value split = t.split(t.padTo(ofRows, rows, scheme.blockRows), rows, scheme.blockRows);
    Value maxima = t.maximum(split, TensorEmitter::allBut(rank + 1, rows + 1),
                             [](OpBuilder &, Location, Value maximum) { return maximum; });
    Value global;
    if (type.getScheme().hasGlobalScale())
      global = emitGlobalScale(t, adaptor.getAmax() ? adaptor.getAmax() : emitAmax(t, maxima),
                               type.getScheme());
    ScaleTensors scales = emitScales(t, maxima, type.getScheme(), global);
    Value codes =
        emitLoops({empty(type.getPaddedK(), b.getI8Type())},
                  [&](Tile &tile, ValueRange carried) -> SmallVector<Value> {
                    return {emitCodes(tile, carried[0], readSquares(tile, scales.factors))};
                  })[0];
    return Parts(codes, scales.stored, emitGlobalTensor(t, global));
  }

  /// [leading.., size].
  Value empty(int64_t size, Type element) {
    TensorEmitter::Sizes sizes;
    SmallVector<int64_t> leading = type.getLeadingShape();
    for (auto [i, extent] : llvm::enumerate(extents))
      sizes.push_back(ShapedType::isDynamic(leading[i]) ? OpFoldResult(extent)
                                                        : b.getIndexAttr(leading[i]));
    sizes.push_back(b.getIndexAttr(size));
    return t.empty(sizes, element);
  }

  /// Loops over all tiles. `body` takes tensors, or a vector that it folds, and gives their
  /// successors.
  SmallVector<Value> emitLoops(SmallVector<Value> inits, Body body) {
    bool writes = llvm::all_of(inits, [](Value v) { return isa<TensorType>(v.getType()); });
    return writes && rowsInBand() > lanes ? emitBands(inits, body) : emitTiles(inits, body);
  }

  SmallVector<Value> emitTiles(SmallVector<Value> inits, Body body) {
    // In columns R is innermost in memory, so it is the inner loop.
    Value zero = index(0);
    SmallVector<Value> lower(rank, zero), upper(extents), steps(rank, index(1));
    upper.insert(columns ? upper.end() - 1 : upper.end(), index(runs));
    steps[rank - 1] = index(columns ? rowsInTile : runsInTile);
    steps[rank - 2] = index(columns ? runsInTile : rowsInTile);
    OpBuilder::InsertionGuard guard(b);
    scf::LoopNest nest = scf::buildLoopNest(
        b, b.getLoc(), lower, upper, steps, inits,
        [&](OpBuilder &nested, Location, ValueRange ivs, ValueRange carried) -> scf::ValueVector {
          OpBuilder::InsertionGuard inner(b);
          b.restoreInsertionPoint(nested.saveInsertionPoint());
          Tile tile;
          llvm::append_range(tile.outer, ivs.drop_back(2));
          tile.row = ivs[columns ? rank - 1 : rank - 2];
          tile.run = ivs[columns ? rank - 2 : rank - 1];
          placeRows(tile);
          tile.outerOfTarget = tile.outer;
          tile.rowsOfTarget = tile.rows;
          tile.runOfTarget = tile.run;
          tile.runsOfTarget = runs;
          load(tile);
          rotate(tile);
          return scf::ValueVector(body(tile, carried));
        });
    setParallel(nest.loops.front());
    return SmallVector<Value>(nest.results);
  }

  /// Columns of a band, a multiple of the lanes, about as many in each; `lanes` where R is not
  /// known to have more.
  int64_t rowsInBand() {
    if (!columns || ShapedType::isDynamic(rowExtent()) || rowExtent() < lanes)
      return lanes;
    int64_t most = kBandWidth * kLineBits / op.getInput().getType().getElementTypeBitWidth();
    int64_t bands = llvm::divideCeil(rowExtent(), most);
    int64_t rows = llvm::alignTo(llvm::divideCeil(rowExtent(), bands), lanes);
    return rows <= rowExtent() ? rows : lanes;
  }

  /// Along columns a tile reads a part of a line from each of its run's rows, and what it writes to
  /// each row of the result is a part of a line too, rows apart that share their place in a cache.
  /// So a band, some lines of each row wide and some lines of each result high, is quantized into a
  /// tensor that stays in the cache, which is then copied row by row.
  SmallVector<Value> emitBands(SmallVector<Value> inits, Body body) {
    int64_t height = 1, band = rowsInBand();
    while (runs % (2 * height) == 0 && runs >= 8 * height &&
           2 * height * run * 8 <= kBandHeight * kLineBits)
      height *= 2;
    Value zero = index(0), one = index(1);
    SmallVector<Value> lower(rank, zero), upper(extents), steps(rank - 2, one);
    upper.insert(upper.end() - 1, index(runs));
    steps.append({index(height), index(band)});
    auto insideLoop = [&](OpBuilder &nested, auto emit) {
      OpBuilder::InsertionGuard inner(b);
      b.restoreInsertionPoint(nested.saveInsertionPoint());
      return emit();
    };
    auto perRun = [&](Value target) {
      return TensorEmitter::typeOf(target).getShape().back() / runs;
    };
    OpBuilder::InsertionGuard guard(b);
    auto emitBand = [&](ValueRange ivs, ValueRange carried) -> SmallVector<Value> {
      Tile place;
      llvm::append_range(place.outer, ivs.drop_back(2));
      Value firstRun = ivs[rank - 2], firstRow = ivs[rank - 1];
      if (rowExtent() % band)
        firstRow = arith::MinUIOp::create(b, firstRow, index(rowExtent() - band));
      SmallVector<Value> pieces;
      for (Value target : carried)
        pieces.push_back(tensor::EmptyOp::create(b,
                                                 ArrayRef<int64_t>{band, height * perRun(target)},
                                                 TensorEmitter::typeOf(target).getElementType()));
      // The run's rows first, all of a band's at once: what a tile computes would else stand
      // between its reads, which lie rows apart, and those of the next one.
      Type element = op.getInput().getType().getElementType();
      pieces.push_back(tensor::EmptyOp::create(b, ArrayRef<int64_t>{run, band}, element));
      scf::LoopNest tiles = scf::buildLoopNest(
          b, b.getLoc(), {zero}, {index(height)}, {one}, pieces,
          [&](OpBuilder &nested, Location, ValueRange at, ValueRange made) -> scf::ValueVector {
            return insideLoop(nested, [&] {
              Tile inRun = place;
              inRun.run = arith::AddIOp::create(b, firstRun, at[0]);
              inRun.runOfTarget = at[0];
              inRun.runsOfTarget = height;
              inRun.staged = stageRows(inRun, firstRow, made.back());
              scf::LoopNest groups = scf::buildLoopNest(
                  b, b.getLoc(), {zero}, {index(band)}, {index(lanes)}, made.drop_back(),
                  [&](OpBuilder &nested, Location, ValueRange column,
                      ValueRange into) -> scf::ValueVector {
                    return insideLoop(nested, [&] {
                      Tile tile = inRun;
                      tile.row = arith::AddIOp::create(b, firstRow, column[0]);
                      for (int64_t i = 0; i < lanes; ++i) {
                        tile.rows.push_back(plus(tile.row, i));
                        tile.rowsOfTarget.push_back(plus(column[0], i));
                      }
                      load(tile);
                      rotate(tile);
                      return scf::ValueVector(body(tile, into));
                    });
                  });
              scf::ValueVector results(groups.results);
              results.push_back(inRun.staged);
              return results;
            });
          });
      SmallVector<Value> written(ArrayRef(tiles.results).drop_back());
      scf::LoopNest copies = scf::buildLoopNest(
          b, b.getLoc(), {zero}, {index(band)}, {one}, carried,
          [&](OpBuilder &nested, Location, ValueRange at, ValueRange into) -> scf::ValueVector {
            return insideLoop(nested, [&] {
              scf::ValueVector results;
              for (auto [piece, target] : llvm::zip_equal(written, into)) {
                RankedTensorType type = TensorEmitter::typeOf(piece);
                Value padding = arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
                Value line = vector::TransferReadOp::create(
                    b, VectorType::get(type.getDimSize(1), type.getElementType()), piece,
                    ValueRange{at[0], zero}, padding, ArrayRef<bool>(true));
                SmallVector<Value> to(place.outer);
                to.push_back(arith::AddIOp::create(b, firstRow, at[0]));
                to.push_back(times(firstRun, perRun(target)));
                results.push_back(
                    vector::TransferWriteOp::create(b, line, target, to, ArrayRef<bool>(true))
                        .getResult());
              }
              return results;
            });
          });
      return SmallVector<Value>(copies.results);
    };
    scf::LoopNest nest = scf::buildLoopNest(
        b, b.getLoc(), lower, upper, steps, inits,
        [&](OpBuilder &nested, Location, ValueRange ivs, ValueRange carried) -> scf::ValueVector {
          return insideLoop(nested, [&] { return scf::ValueVector(emitBand(ivs, carried)); });
        });
    setParallel(nest.loops.front());
    return SmallVector<Value>(nest.results);
  }

  /// Copies the rows of a run, `target`'s columns from `firstRow` on, to `target`.
  Value stageRows(const Tile &tile, Value firstRow, Value target) {
    RankedTensorType to = TensorEmitter::typeOf(target);
    auto line = VectorType::get(to.getDimSize(1), to.getElementType());
    Value zero = index(0), k = index(type.getK());
    Value padding = arith::ConstantOp::create(b, b.getZeroAttr(to.getElementType()));
    Value zeros = arith::ConstantOp::create(b, b.getZeroAttr(line));
    scf::LoopNest rows = scf::buildLoopNest(
        b, b.getLoc(), {zero}, {index(run)}, {index(1)}, target,
        [&](OpBuilder &nested, Location, ValueRange at, ValueRange made) -> scf::ValueVector {
          OpBuilder::InsertionGuard inner(b);
          b.restoreInsertionPoint(nested.saveInsertionPoint());
          Value position = arith::AddIOp::create(b, times(tile.run, run), at[0]);
          SmallVector<Value> from(tile.outer);
          from.push_back(firstRow);
          bool ragged = type.getK() != type.getPaddedK();
          Value exists;
          if (ragged) {
            exists = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, position, k);
            position = arith::SelectOp::create(b, exists, position, zero);
          }
          from.insert(from.begin() + along, toInput(along, position));
          Value row = vector::TransferReadOp::create(b, line, adaptor.getInput(), from, padding,
                                                     ArrayRef<bool>(true));
          if (ragged)
            row = arith::SelectOp::create(b, exists, row, zeros);
          return {vector::TransferWriteOp::create(b, row, made.front(), ValueRange{at[0], zero},
                                                  ArrayRef<bool>(true))
                      .getResult()};
        });
    return rows.results.front();
  }

  /// Where the input has what lies at a position of a dimension of what is quantized.
  Value toInput(int64_t dim, Value position) {
    if (dim != 0 || !op.getRows())
      return position;
    return emitRowIndex(b, b.getLoc(), adaptor.getRows(), position,
                        op.getInput().getType().getDimSize(0));
  }

  int64_t rowExtent() { return cast<RankedTensorType>(op.getSized(r).getType()).getDimSize(r); }
  /// Whether there are whole vectors of columns: then the last one is moved back to end with R.
  bool wholeColumns() { return !ShapedType::isDynamic(rowExtent()) && rowExtent() >= lanes; }

  void placeRows(Tile &tile) {
    bool exact = !ShapedType::isDynamic(rowExtent()) && rowExtent() % rowsInTile == 0;
    auto limit = [&](Value row, int64_t fromEnd) -> Value {
      if (exact)
        return row;
      Value last = arith::SubIOp::create(b, extents.back(), index(fromEnd));
      return arith::MinUIOp::create(b, row, last);
    };
    if (columns && wholeColumns())
      tile.row = limit(tile.row, lanes);
    for (int64_t i = 0; i < rowsInTile; ++i) {
      Value row = plus(tile.row, i);
      tile.rows.push_back(columns && wholeColumns() ? row : limit(row, 1));
    }
  }

  /// Q1: tile.x from the input, widened; zeros beyond K.
  void load(Tile &tile) {
    RankedTensorType input = op.getInput().getType();
    Type element = input.getElementType();
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(element));
    auto read = [&](int64_t size, ArrayRef<Value> at, bool inBounds) -> Value {
      return vector::TransferReadOp::create(b, VectorType::get(size, element), adaptor.getInput(),
                                            at, zero, ArrayRef<bool>(inBounds));
    };
    if (tile.staged) {
      for (int64_t i = 0; i < run; ++i) {
        Value row = vector::TransferReadOp::create(b, VectorType::get(lanes, element), tile.staged,
                                                   ValueRange{index(i), tile.rowsOfTarget.front()},
                                                   zero, ArrayRef<bool>(true));
        tile.x.push_back(numbers().widen(row));
      }
      return;
    }
    int64_t k = type.getK();
    Value first = times(tile.run, run);
    if (columns) {
      SmallVector<Value> at(tile.outer);
      at.push_back(tile.row);
      at.insert(at.begin() + along, Value());
      Value lastRun = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, tile.run, index(runs - 1));
      Value zeros = numbers().splat(zero);
      for (int64_t i = 0; i < run; ++i) {
        // Only the last run can reach beyond K; it then reads any row and drops it.
        bool ragged = (runs - 1) * run + i >= k;
        at[along] = plus(first, i);
        if (ragged)
          at[along] = arith::SelectOp::create(b, lastRun, index(0), at[along]);
        at[along] = toInput(along, at[along]);
        Value x = read(lanes, at, wholeColumns());
        if (ragged)
          x = arith::SelectOp::create(b, lastRun, zeros, x);
        tile.x.push_back(numbers().widen(x));
      }
      return;
    }
    // Sixteen positions at a time, in words of 32 bits, as rows to be transposed.
    int64_t perWord = 32 / input.getElementTypeBitWidth();
    int64_t piece = std::min<int64_t>(16, lanes * perWord);
    auto words = VectorType::get(piece / perWord, b.getI32Type());
    SmallVector<Value> lines =
        llvm::map_to_vector(tile.rows, [&](Value row) { return toInput(r, row); });
    for (int64_t start = 0; start < run; start += piece) {
      SmallVector<Value> rows;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        SmallVector<Value> at(tile.outer);
        at.push_back(lines[lane / runsInTile]);
        at.push_back(plus(first, lane % runsInTile * run + start));
        rows.push_back(
            vector::BitCastOp::create(b, words, read(piece, at, k == type.getPaddedK())));
      }
      for (Value word : transpose(b, rows))
        for (int64_t i = 0; i < perWord; ++i)
          tile.x.push_back(widenPart(word, i, element));
    }
  }

  /// Element `i` of a word of 32 bits, the low end first.
  Value widenPart(Value word, int64_t i, Type element) {
    NumericsEmitter emitter = numbers();
    Type real = emitter.like(element);
    if (element.isF32())
      return arith::BitcastOp::create(b, real, word);
    if (i)
      word = arith::ShRUIOp::create(b, word, emitter.i32(16 * i));
    Value half = arith::TruncIOp::create(b, emitter.like(b.getI16Type()), word);
    return emitter.widen(arith::BitcastOp::create(b, real, half));
  }

  /// Q2.
  void rotate(Tile &tile) {
    int64_t n = scheme.rotation.size;
    if (!n)
      return;
    APInt signs = type.getScheme().getRotation().getSigns();
    for (int64_t i = 0; i < run; ++i)
      if (signs[i % n])
        tile.x[i] = arith::NegFOp::create(b, tile.x[i]);
    for (int64_t stride = 1; stride < n; stride *= 2)
      for (int64_t i = 0; i < run; ++i) {
        if (i & stride)
          continue;
        Value x = tile.x[i], y = tile.x[i + stride];
        tile.x[i] = arith::AddFOp::create(b, x, y);
        tile.x[i + stride] = arith::SubFOp::create(b, x, y);
      }
    for (Value &x : tile.x)
      x = numbers().rotationFactor(x, n);
  }

  /// Q4: the greatest magnitudes, a vector for each block of the run.
  SmallVector<Value> emitMaxima(const Tile &tile) {
    SmallVector<Value> maxima;
    for (int64_t i = 0; i < run; ++i) {
      Value magnitude = numbers().magnitude(tile.x[i]);
      if (i % scheme.block == 0)
        maxima.push_back(magnitude);
      else
        maxima.back() = arith::MaxUIOp::create(b, maxima.back(), magnitude);
    }
    return maxima;
  }

  /// Q5: amax_tensor, f32.
  Value emitAmaxOfRows() {
    Value greatest =
        emitLoops({numbers().i32(0)}, [&](Tile &tile, ValueRange carried) -> SmallVector<Value> {
          Value found = carried[0];
          for (Value maximum : emitMaxima(tile))
            found = arith::MaxUIOp::create(b, found, numbers().magnitudeForAmax(maximum));
          return {found};
        })[0];
    Value bits = vector::ReductionOp::create(b, vector::CombiningKind::MAXUI, greatest);
    return arith::BitcastOp::create(b, b.getF32Type(), bits);
  }

  /// Q6 and Q7: writes a tile's codes under the factors of the run's blocks.
  Value emitCodes(const Tile &tile, Value codes, ArrayRef<Value> factors) {
    SmallVector<Value> words = emitWords(tile);
    unsigned bits = op.getRandomBits();
    int64_t perWord = 32 / bits;
    SmallVector<Value> packed;
    for (int64_t i = 0; i < run; ++i) {
      Value word;
      if (!words.empty())
        word = numbers().extractLane(words[i / perWord], numbers().i32(i % perWord), bits);
      Value code =
          numbers().encode(scheme.format, tile.x[i], factors[i / scheme.block], word, bits);
      if (i % 4 == 0) {
        packed.push_back(code);
        continue;
      }
      Value shifted = arith::ShLIOp::create(b, code, numbers().i32(8 * (i % 4)));
      packed.back() = arith::OrIOp::create(b, packed.back(), shifted);
    }
    auto bytes = VectorType::get(run * lanes, b.getI8Type());
    Value all = vector::BitCastOp::create(b, bytes, interleave(b, packed));
    return writeRows(tile, codes, all);
  }

  /// Writes what belongs to each lane's run; a row's runs follow one another.
  Value writeRows(const Tile &tile, Value target, Value vector) {
    int64_t perRun = TensorEmitter::typeOf(target).getShape().back() / tile.runsOfTarget;
    // Backwards, so that the last row overwrites what rows beyond it wrote in its place.
    for (int64_t i = rowsInTile - 1; i >= 0; --i) {
      SmallVector<Value> at(tile.outerOfTarget);
      at.push_back(tile.rowsOfTarget[i]);
      at.push_back(times(tile.runOfTarget, perRun));
      int64_t size = runsInTile * perRun;
      target = vector::TransferWriteOp::create(b, slice(b, vector, i * size, size), target, at,
                                               ArrayRef<bool>(true))
                   .getResult();
    }
    return target;
  }

  /// One element for each lane, of the 2-D block that its row and run lie in.
  Value readSquares(const Tile &tile, Value source) {
    auto row = VectorType::get(runsInTile, b.getF32Type());
    SmallVector<Value> lines;
    for (Value at : tile.rows) {
      SmallVector<Value> indices(tile.outer);
      indices.push_back(arith::DivUIOp::create(b, at, index(scheme.blockRows)));
      indices.push_back(tile.run);
      lines.push_back(vector::TransferReadOp::create(
          b, row, source, indices, NumericsEmitter(b, b.getLoc()).f32(0.0f), ArrayRef<bool>(true)));
    }
    return joinRows(b, lines, lanes).front();
  }

  /// Q7: the run's random words in order, a vector each; none for nearest rounding.
  SmallVector<Value> emitWords(const Tile &tile) {
    SmallVector<Value> words;
    if (!op.isStochastic())
      return words;
    NumericsEmitter emitter = numbers();
    auto wide = [&](Value index) -> Value {
      return arith::IndexCastOp::create(b, b.getI64Type(), index);
    };
    SmallVector<int64_t> rowOfLane, runOfLane, countersOfLane;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      rowOfLane.push_back(lane / runsInTile);
      runOfLane.push_back(lane % runsInTile * run);
      countersOfLane.push_back((rowOfLane.back() * type.getPaddedK() + runOfLane.back()) /
                               elementsPerDraw(op));
    }
    auto lanesFrom = [&](Value first, ArrayRef<int64_t> offsets) -> Value {
      Value steps = arith::ConstantOp::create(
          b, DenseElementsAttr::get(cast<VectorType>(emitter.like(b.getI64Type())), offsets));
      return arith::AddIOp::create(b, emitter.splat(first), steps);
    };
    SmallVector<Value> row = llvm::map_to_vector(tile.outer, wide);
    Value firstRow = wide(tile.row), firstK = wide(times(tile.run, run)), counter;
    auto count = [&](int64_t lanes, Value k) {
      return emitCounter(b, b.getLoc(), lanes, op, adaptor.getOffsets(), wideExtents, row, k);
    };
    if (op.getPlaceAttr()) {
      for (Value &coordinate : row)
        coordinate = emitter.splat(coordinate);
      row.push_back(lanesFrom(firstRow, rowOfLane));
      counter = count(lanes, lanesFrom(firstK, runOfLane));
    } else {
      // Rows and runs begin with a draw, so that lanes are a fixed number of draws apart.
      row.push_back(firstRow);
      counter = lanesFrom(count(/*lanes=*/0, firstK), countersOfLane);
    }
    // Within a run global positions follow one another (Q8), hence so do counters.
    for (int64_t draw = 0; draw < run / elementsPerDraw(op); ++draw) {
      Value next = arith::AddIOp::create(b, counter, emitter.i64(draw));
      llvm::append_range(
          words, emitter.drawWords(next, emitter.splat(adaptor.getSeed()),
                                   emitter.stream(op.getStream(), adaptor.getDynamicStream()),
                                   emitter.splat(adaptor.getStep())));
    }
    return words;
  }

  ImplicitLocOpBuilder b;
  TensorEmitter t;
  QuantizeOp op;
  QuantizeOp::Adaptor adaptor;
  QuantizedTensorType type;
  numerics::Scheme scheme;
  int64_t lanes, along, rank;
  /// Positions in a run and runs in a row.
  int64_t run, runs;
  /// Whether K is not the innermost dimension, so that lanes lie along R in memory.
  bool columns;
  /// The input's dimension R, the last of the view's leading ones.
  int64_t r;
  int64_t rowsInTile, runsInTile;
  /// Leading extents, as index and as i64.
  SmallVector<Value> extents, wideExtents;
};

struct QuantizeToVector : OpConversionPattern<QuantizeOp> {
  QuantizeToVector(const TypeConverter &converter, MLIRContext *context, int64_t lanes)
      : OpConversionPattern(converter, context, /*benefit=*/2), lanes(lanes) {}

  LogicalResult matchAndRewrite(QuantizeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    QuantizedTensorType type = op.getQuantizedType();
    if (type.getRank() < 2 || type.getK() == 0)
      return rewriter.notifyMatchFailure(op, "a view without rows or runs has no tiles");
    Parts parts = QuantizeEmitter(rewriter, op, adaptor, lanes).emit();
    TensorEmitter t(rewriter, op.getLoc());
    parts.codes = t.cast(parts.codes, type.getCodesType());
    parts.scales = t.cast(parts.scales, type.getScalesType());
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{parts.values()});
    return success();
  }

private:
  int64_t lanes;
};

} // namespace

void ufp4::populateQuantizeToVectorPatterns(RewritePatternSet &patterns,
                                            const PartsTypeConverter &converter, int64_t lanes) {
  patterns.add<QuantizeToVector>(converter, patterns.getContext(), lanes);
}
