//===- MatmulToVector.cpp - matmul on the codes themselves ----------------===//
//
// Codes are small integers, so the dot product of two blocks is exact in integers: one instruction
// multiplies bytes and adds `group` neighbours along K. The sum of a block then takes the product
// of its two scales in one f32 fused multiply-add, in rising k; S is multiplied in at the end. So a
// sum has the very bits of a GPU's block-by-block kernel.
//
// The right operand is packed to panels of `columns` rows of the view, each byte made unsigned by a
// bias; the left one to words to broadcast, and what the bias adds to a block is taken off before.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "TensorEmitter.h"
#include "VectorShuffles.h"
#include "ufp4/Conversion/NumericsEmitter.h"
#include "ufp4/Conversion/Parallel.h"
#include "ufp4/Target/CPU/Units.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ufp4;

namespace {

/// Rows of C, at most, that pass over a panel while it lies in the first cache.
constexpr int64_t kRowsInCache = 64;
/// Codes along K that are packed at a time.
constexpr int64_t kPiece = 16;

class MatmulEmitter {
public:
  MatmulEmitter(OpBuilder &builder, MatmulOp op, const target::IntegerDot &dot)
      : b(op.getLoc(), builder), t(builder, op.getLoc()), op(op), dot(dot),
        scheme(op.getLhs().getType().getScheme().getNumerics()), columns(dot.columns),
        batches(op.getLhsBatch().size()) {}

  Value emit(Parts lhsParts, Parts rhsParts, Value accumulator) {
    Operand lhs = arrange(op.getLhs(), lhsParts, op.getLhsBatch());
    Operand rhs = arrange(op.getRhs(), rhsParts, op.getRhsBatch());
    size_t rowDim = batches ? 1 : 0;
    mSize = t.sizesOf(lhs.codes)[rowDim];
    nSize = t.sizesOf(rhs.codes)[rowDim];
    rows = t.asValue(mSize);
    batch = batches ? t.asValue(t.sizesOf(lhs.codes)[0]) : index(1);
    rhsRows = t.asValue(nSize);
    panels = arith::CeilDivUIOp::create(b, rhsRows, index(columns));
    blocks = op.getLhs().getType().getPaddedK() / scheme.block;

    Packed left = packRows(lhs), right = packPanels(rhs);
    SmallVector<Value> factors;
    if (lhsParts.global) {
      auto balanced = NumericsEmitter(b, b.getLoc())
                          .balance(t.extract(lhsParts.global), t.extract(rhsParts.global));
      factors.assign(balanced.begin(), balanced.end());
    }
    return emitTiles(lhs, rhs, left, right, factors, accumulator);
  }

private:
  /// An operand as [G, R, Kp] codes and [G, R, Kp / B] f32 scales, or without G where there is no
  /// batch, and the extents that G and R merge.
  struct Operand {
    Value codes, scales;
    TensorEmitter::Sizes batch, free;
  };
  struct Packed {
    Value words, scales, corrections;
  };

  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  Value plus(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value times(Value x, int64_t y) { return arith::MulIOp::create(b, x, index(y)); }
  int64_t linesInBlock() const { return scheme.block / dot.group; }
  /// Makes a right operand's byte unsigned.
  int64_t bias() const { return dot.group == 1 ? 0 : 16; }
  /// What a left code is stored as: alone, or in a word of its group repeated.
  Type wordType() { return dot.group == 1 ? b.getI16Type() : b.getI32Type(); }
  VectorType bytes(int64_t count) { return VectorType::get(count, b.getI8Type()); }

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  using Body = llvm::function_ref<SmallVector<Value>(Value iv, ValueRange carried)>;

  SmallVector<Value> loop(Value lower, Value upper, int64_t step, ValueRange inits, Body body) {
    auto forOp = scf::ForOp::create(b, lower, upper, index(step), inits);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(forOp.getBody());
    SmallVector<Value> results = body(forOp.getInductionVar(), forOp.getRegionIterArgs());
    scf::YieldOp::create(b, results);
    return SmallVector<Value>(forOp.getResults());
  }

  /// A loop whose iterations write apart from one another.
  SmallVector<Value> parallel(Value upper, ValueRange inits, Body body) {
    SmallVector<Value> results = loop(index(0), upper, 1, inits, body);
    setParallel(results.front().getDefiningOp());
    return results;
  }

  /// Splits a flat loop over [G, inner] and gives what an operand's indices begin with.
  SmallVector<Value> unflatten(Value flat, Value inner) {
    if (!batches)
      return {flat};
    return {arith::DivUIOp::create(b, flat, inner), arith::RemUIOp::create(b, flat, inner)};
  }

  static SmallVector<Value> joined(ArrayRef<Value> front, std::initializer_list<Value> back) {
    SmallVector<Value> all(front);
    all.append(back.begin(), back.end());
    return all;
  }

  Value read(VectorType type, Value tensor, ArrayRef<Value> at, bool inBounds = true) {
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
    return vector::TransferReadOp::create(b, type, tensor, at, zero, ArrayRef<bool>(inBounds));
  }
  Value write(Value vector, Value tensor, ArrayRef<Value> at, bool inBounds = true) {
    return vector::TransferWriteOp::create(b, vector, tensor, at, ArrayRef<bool>(inBounds))
        .getResult();
  }

  //===--------------------------------------------------------------------===//
  // Operands
  //===--------------------------------------------------------------------===//

  Operand arrange(Value quantized, const Parts &parts, ArrayRef<int64_t> batch) {
    auto type = cast<QuantizedTensorType>(quantized.getType());
    int64_t leading = type.getRank() - 1;
    Value codes = parts.codes;
    Value scales = emitRowScales(parts, type);
    // The batch in its own order, then what is free.
    SmallVector<int64_t> dims = TensorEmitter::allBut(type.getRank(), type.getAlong());
    SmallVector<int64_t> order, free;
    for (int64_t dim : batch)
      order.push_back(llvm::find(dims, dim) - dims.begin());
    for (int64_t i = 0; i < leading; ++i)
      if (!llvm::is_contained(batch, dims[i]))
        free.push_back(i);
    llvm::append_range(order, free);
    order.push_back(leading);
    codes = t.permute(codes, order);
    scales = t.permute(scales, order);
    Operand operand;
    TensorEmitter::Sizes sizes = t.sizesOf(codes);
    operand.batch.assign(sizes.begin(), sizes.begin() + batches);
    operand.free.assign(sizes.begin() + batches, sizes.end() - 1);
    operand.codes = collapse(codes, operand);
    operand.scales = collapse(scales, operand);
    return operand;
  }

  /// [batch.., free.., K] to [G, R, K].
  Value collapse(Value tensor, const Operand &operand) {
    for (size_t i = 1; i < operand.free.size(); ++i)
      tensor = t.merge(tensor, batches);
    for (int64_t i = 1; i < batches; ++i)
      tensor = t.merge(tensor, 0);
    return tensor;
  }

  /// F2: an f32 for each block of each row, S left out.
  Value emitRowScales(const Parts &parts, QuantizedTensorType type) {
    Value stored = parts.scales;
    int64_t rank = type.getRank();
    TensorEmitter::Sizes sizes = t.sizesOf(stored);
    AffineMap map = b.getMultiDimIdentityMap(rank);
    int64_t rowsInBlock = type.getScheme().getBlockRows();
    if (rowsInBlock != 1) {
      sizes.insert(sizes.end() - 1, b.getIndexAttr(rowsInBlock));
      map = t.select(rank + 1, TensorEmitter::allBut(rank + 1, rank - 1));
    }
    Value scales =
        t.map(sizes, stored, map, b.getF32Type(),
              [&](OpBuilder &nested, Location loc, ValueRange args) -> SmallVector<Value> {
                return {NumericsEmitter(nested, loc).decodeScale(scheme.scale, args[0])};
              })[0];
    if (rowsInBlock == 1)
      return scales;
    return t.takeFront(t.merge(scales, rank - 2), rank - 2, t.sizesOf(parts.codes)[rank - 2]);
  }

  /// [G, R, words] and [G, R, blocks].
  Packed packRows(const Operand &lhs) {
    TensorEmitter::Sizes sizes = t.sizesOf(lhs.codes);
    sizes.back() = b.getIndexAttr(op.getLhs().getType().getPaddedK() / dot.group);
    bool corrects = bias() != 0;
    SmallVector<Value> inits{t.empty(sizes, wordType())};
    if (corrects)
      inits.push_back(t.empty(t.sizesOf(lhs.scales), b.getI32Type()));
    SmallVector<Value> packed =
        parallel(arith::MulIOp::create(b, batch, rows), inits, [&](Value flat, ValueRange outer) {
          SmallVector<Value> row = unflatten(flat, rows);
          return loop(index(0), index(blocks), 1, outer, [&](Value block, ValueRange carried) {
            Value words = carried[0], sum;
            for (int64_t start = 0; start < scheme.block; start += kPiece) {
              Value first = plus(times(block, scheme.block), index(start));
              Value codes = integers(read(bytes(kPiece), lhs.codes, joined(row, {first})), kPiece);
              words = write(
                  toWords(codes), words,
                  joined(row, {plus(times(block, linesInBlock()), index(start / dot.group))}));
              Value wide =
                  arith::ExtSIOp::create(b, VectorType::get(kPiece, b.getI16Type()), codes);
              sum = sum ? arith::AddIOp::create(b, sum, wide).getResult() : wide;
            }
            SmallVector<Value> next{words};
            if (corrects)
              next.push_back(
                  tensor::InsertOp::create(b, correction(sum), carried[1], joined(row, {block})));
            return next;
          });
        });
    return {packed[0], lhs.scales, corrects ? packed[1] : Value()};
  }

  /// i8 codes as the integers of F1, doubled for e2m1.
  Value integers(Value codes, int64_t lanes) {
    return NumericsEmitter(b, b.getLoc(), lanes).integerOfCode(scheme.format, codes);
  }

  Value toWords(Value codes) {
    if (dot.group == 1)
      return arith::ExtSIOp::create(b, VectorType::get(kPiece, b.getI16Type()), codes);
    SmallVector<int64_t> mask;
    for (int64_t i = 0; i < kPiece; i += dot.group)
      for (int64_t j = 0; j < 4; ++j)
        mask.push_back(i + j % dot.group);
    Value repeated = vector::ShuffleOp::create(b, codes, codes, mask);
    return vector::BitCastOp::create(b, VectorType::get(kPiece / dot.group, b.getI32Type()),
                                     repeated);
  }

  /// What the bias adds to a block's sum, negated, in each sum of a word.
  Value correction(Value codes) {
    Value sum = vector::ReductionOp::create(b, vector::CombiningKind::ADD, codes);
    auto i32 = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(b, b.getI32Type(), value);
    };
    Value wide = arith::ExtSIOp::create(b, b.getI32Type(), sum);
    Value negated = arith::MulIOp::create(b, wide, i32(-bias()));
    if (dot.sumBits == 32)
      return negated;
    return arith::OrIOp::create(b, arith::ShLIOp::create(b, negated, i32(16)),
                                arith::AndIOp::create(b, negated, i32(0xFFFF)));
  }

  /// [G, panels, lines, columns] of groups of bytes and [G, panels, blocks, columns].
  Packed packPanels(const Operand &rhs) {
    TensorEmitter::Sizes lines, scales;
    if (batches)
      lines.push_back(t.sizesOf(rhs.codes)[0]);
    std::optional<int64_t> n = getConstantIntValue(nSize);
    lines.push_back(n ? OpFoldResult(b.getIndexAttr(llvm::divideCeil(*n, columns))) : panels);
    scales = lines;
    lines.append({b.getIndexAttr(blocks * linesInBlock()), b.getIndexAttr(columns * dot.group)});
    scales.append({b.getIndexAttr(blocks), b.getIndexAttr(columns)});
    Type element = dot.group == 1 ? b.getI16Type() : b.getI8Type();
    SmallVector<Value> packed = parallel(
        arith::MulIOp::create(b, batch, panels),
        {t.empty(lines, element), t.empty(scales, b.getF32Type())},
        [&](Value flat, ValueRange outer) {
          SmallVector<Value> panel = unflatten(flat, panels);
          SmallVector<Value> source(panel);
          Value last = arith::SubIOp::create(b, rhsRows, index(1));
          SmallVector<Value> column;
          for (int64_t i = 0; i < columns; ++i)
            column.push_back(
                arith::MinUIOp::create(b, plus(times(panel.back(), columns), index(i)), last));
          return loop(index(0), index(blocks), 1, outer, [&](Value block, ValueRange carried) {
            Value target = carried[0];
            for (int64_t start = 0; start < scheme.block; start += kPiece)
              target = packPiece(rhs, source, column, panel, block, start, target);
            SmallVector<Value> ofColumns;
            for (Value at : column) {
              source.back() = at;
              ofColumns.push_back(
                  tensor::ExtractOp::create(b, rhs.scales, joined(source, {block})));
            }
            Value line = vector::FromElementsOp::create(b, VectorType::get(columns, b.getF32Type()),
                                                        ofColumns);
            return SmallVector<Value>{target,
                                      write(line, carried[1], joined(panel, {block, index(0)}))};
          });
        });
    return {packed[0], packed[1], Value()};
  }

  Value packPiece(const Operand &rhs, SmallVector<Value> source, ArrayRef<Value> column,
                  ArrayRef<Value> panel, Value block, int64_t start, Value target) {
    Value first = plus(times(block, scheme.block), index(start));
    auto group = VectorType::get(kPiece / dot.group, b.getIntegerType(8 * dot.group));
    SmallVector<Value> rowsOfCodes;
    for (Value at : column) {
      source.back() = at;
      Value codes = read(bytes(kPiece), rhs.codes, joined(source, {first}));
      rowsOfCodes.push_back(vector::BitCastOp::create(b, group, codes));
    }
    int64_t length = columns * dot.group;
    for (auto [i, line] : llvm::enumerate(transpose(b, rowsOfCodes))) {
      Value codes = integers(vector::BitCastOp::create(b, bytes(length), line), length);
      if (dot.group == 1) {
        codes = arith::ExtSIOp::create(b, VectorType::get(length, b.getI16Type()), codes);
      } else {
        Value offset =
            arith::ConstantOp::create(b, DenseElementsAttr::get(bytes(length), int8_t(bias())));
        codes = arith::AddIOp::create(b, codes, offset);
      }
      Value at = plus(times(block, linesInBlock()), index(start / dot.group + i));
      target = write(codes, target, joined(panel, {at, index(0)}));
    }
    return target;
  }

  //===--------------------------------------------------------------------===//
  // Tiles
  //===--------------------------------------------------------------------===//

  /// The result, [batch.., free of the lhs.., free of the rhs..].
  Value emitTiles(const Operand &lhs, const Operand &rhs, const Packed &left, const Packed &right,
                  ArrayRef<Value> factors, Value accumulator) {
    TensorEmitter::Sizes merged, sizes(lhs.batch);
    if (batches)
      merged.push_back(t.sizesOf(lhs.codes)[0]);
    merged.append({mSize, nSize});
    llvm::append_range(sizes, lhs.free);
    llvm::append_range(sizes, rhs.free);
    SmallVector<ReassociationIndices> groups;
    int64_t next = 0;
    for (size_t size : {lhs.batch.size(), lhs.free.size(), rhs.free.size()})
      if (size) {
        groups.emplace_back(llvm::to_vector<2>(llvm::seq<int64_t>(next, next + size)));
        next += size;
      }
    bool folds = groups.size() != sizes.size();

    if (accumulator && folds)
      accumulator = tensor::CollapseShapeOp::create(b, accumulator, groups);
    // A narrower result leaves the accumulator as it is; else the result takes its place.
    bool inPlace = accumulator && op.getType().getElementType().isF32();
    Value init = inPlace ? accumulator : t.empty(merged, op.getType().getElementType());
    int64_t rowsInChunk = kRowsInCache / dot.rows * dot.rows;
    Value chunks = arith::CeilDivUIOp::create(b, rows, index(rowsInChunk));
    Value perBatch = arith::MulIOp::create(b, chunks, panels);
    Value result = parallel(
        arith::MulIOp::create(b, batch, perBatch), init,
        [&](Value flat, ValueRange carried) -> SmallVector<Value> {
          SmallVector<Value> outer = unflatten(flat, perBatch);
          Value inBatch = outer.pop_back_val();
          Value panel = arith::RemUIOp::create(b, inBatch, panels);
          Value firstRow = times(arith::DivUIOp::create(b, inBatch, panels), rowsInChunk);
          Value end = arith::MinUIOp::create(b, rows, plus(firstRow, index(rowsInChunk)));
          return loop(firstRow, end, dot.rows, carried, [&](Value row, ValueRange target) {
            return SmallVector<Value>{emitTile(left, right, factors, outer, row, panel, target[0],
                                               inPlace ? Value(target[0]) : accumulator)};
          });
        })[0];
    if (!folds)
      return result;
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamic;
    dispatchIndexOpFoldResults(sizes, dynamic, shape);
    auto type = RankedTensorType::get(shape, op.getType().getElementType());
    return tensor::ExpandShapeOp::create(b, type, result, groups, sizes);
  }

  Value emitTile(const Packed &left, const Packed &right, ArrayRef<Value> factors,
                 ArrayRef<Value> outer, Value row, Value panel, Value target, Value accumulator) {
    auto real = VectorType::get(columns, b.getF32Type());
    Value last = arith::SubIOp::create(b, rows, index(1));
    SmallVector<Value> rowAt;
    for (int64_t i = 0; i < dot.rows; ++i)
      rowAt.push_back(i ? arith::MinUIOp::create(b, plus(row, index(i)), last).getResult() : row);
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(real));
    SmallVector<Value> sums =
        loop(index(0), index(blocks), 1, SmallVector<Value>(dot.rows, zero),
             [&](Value block, ValueRange carried) {
               SmallVector<Value> dots = emitDots(left, right, outer, rowAt, panel, block);
               Value scales = read(real, right.scales, joined(outer, {panel, block, index(0)}));
               SmallVector<Value> next;
               for (int64_t i = 0; i < dot.rows; ++i) {
                 Value scale =
                     tensor::ExtractOp::create(b, left.scales, joined(outer, {rowAt[i], block}));
                 Value factor =
                     arith::MulFOp::create(b, vector::BroadcastOp::create(b, real, scale), scales);
                 next.push_back(math::FmaOp::create(b, dots[i], factor, carried[i]));
               }
               return next;
             });
    Value column = times(panel, columns);
    std::optional<int64_t> n = getConstantIntValue(nSize);
    bool whole = n && *n % columns == 0;
    // A row beyond the last stands for the last and has its sums, so all are read before one is
    // written.
    for (auto [sum, at] : llvm::zip_equal(sums, rowAt)) {
      for (Value factor : factors)
        sum = arith::MulFOp::create(b, sum, vector::BroadcastOp::create(b, real, factor));
      if (accumulator)
        sum = arith::AddFOp::create(b, sum,
                                    read(real, accumulator, joined(outer, {at, column}), whole));
    }
    Type element = op.getType().getElementType();
    for (auto [sum, at] : llvm::zip_equal(sums, rowAt)) {
      Value rounded =
          element.isF32() ? sum : arith::TruncFOp::create(b, real.clone(element), sum).getResult();
      target = write(rounded, target, joined(outer, {at, column}), whole);
    }
    return target;
  }

  /// The f32 dot product of each row's block with each column's.
  SmallVector<Value> emitDots(const Packed &left, const Packed &right, ArrayRef<Value> outer,
                              ArrayRef<Value> rowAt, Value panel, Value block) {
    int64_t parts = columns / dot.lanes, length = dot.lanes * dot.group;
    auto sumType = VectorType::get(dot.lanes, b.getIntegerType(dot.sumBits));
    auto lineType = dot.group == 1 ? VectorType::get(dot.lanes, b.getI16Type()) : bytes(length);
    SmallVector<SmallVector<Value>> sums(rowAt.size());
    for (auto [row, at] : llvm::zip_equal(sums, rowAt))
      if (left.corrections)
        row.assign(parts, spread(tensor::ExtractOp::create(b, left.corrections,
                                                           joined(outer, {at, block})),
                                 sumType));
    Value firstLine = times(block, linesInBlock());
    for (int64_t line = 0; line < linesInBlock(); ++line) {
      Value at = plus(firstLine, index(line));
      SmallVector<Value> ofColumns;
      for (int64_t part = 0; part < parts; ++part)
        ofColumns.push_back(
            read(lineType, right.words, joined(outer, {panel, at, index(part * length)})));
      for (auto [row, rowIndex] : llvm::zip_equal(sums, rowAt)) {
        Value word = tensor::ExtractOp::create(b, left.words, joined(outer, {rowIndex, at}));
        Value everywhere = spread(word, lineType);
        for (int64_t part = 0; part < parts; ++part) {
          if (row.size() == size_t(part))
            row.push_back(Value());
          row[part] = multiplyAdd(row[part], ofColumns[part], everywhere, sumType);
        }
      }
    }
    SmallVector<Value> dots;
    for (ArrayRef<Value> row : sums)
      dots.push_back(toReal(row));
    return dots;
  }

  /// A word in every word of a vector.
  Value spread(Value word, VectorType type) {
    int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
    auto words = VectorType::get(bits / word.getType().getIntOrFloatBitWidth(), word.getType());
    Value all = vector::BroadcastOp::create(b, words, word);
    return words == type ? all : vector::BitCastOp::create(b, type, all).getResult();
  }

  /// sum + columns · row; a null sum is 0.
  Value multiplyAdd(Value sum, Value ofColumns, Value row, VectorType sumType) {
    if (dot.addsToSum)
      return callIntrinsic(sumType, {sum, ofColumns, row});
    Value product = dot.group == 1 ? arith::MulIOp::create(b, ofColumns, row).getResult()
                                   : callIntrinsic(sumType, {ofColumns, row});
    return sum ? arith::AddIOp::create(b, sum, product).getResult() : product;
  }

  Value callIntrinsic(VectorType type, ValueRange arguments) {
    return LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(dot.intrinsic), arguments)
        .getResult(0);
  }

  Value toReal(ArrayRef<Value> parts) {
    Value whole = parts.front();
    for (Value part : parts.drop_front()) {
      SmallVector<int64_t> all =
          llvm::to_vector(llvm::seq<int64_t>(lanesOf(whole) + lanesOf(part)));
      whole = vector::ShuffleOp::create(b, whole, part, all);
    }
    if (dot.sumBits != 32)
      whole = arith::ExtSIOp::create(b, VectorType::get(columns, b.getI32Type()), whole);
    NumericsEmitter emitter(b, b.getLoc(), columns);
    Value real = arith::SIToFPOp::create(b, emitter.like(b.getF32Type()), whole);
    // Both operands' integers are doubled.
    if (scheme.format == numerics::Format::E2M1)
      real = arith::MulFOp::create(b, real, emitter.f32(0.25f));
    return real;
  }

  ImplicitLocOpBuilder b;
  TensorEmitter t;
  MatmulOp op;
  const target::IntegerDot &dot;
  numerics::Scheme scheme;
  int64_t columns, batches;
  /// Blocks along K.
  int64_t blocks;
  OpFoldResult mSize, nSize;
  /// M, N, G and the panels of columns in each G.
  Value rows, rhsRows, batch, panels;
};

struct MatmulToVector : OpConversionPattern<MatmulOp> {
  MatmulToVector(const TypeConverter &converter, MLIRContext *context,
                 const target::IntegerDot &dot)
      : OpConversionPattern(converter, context, /*benefit=*/2), dot(dot) {}

  LogicalResult matchAndRewrite(MatmulOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getLhs().getType().getRank() == int64_t(op.getLhsBatch().size()) + 1 ||
        op.getRhs().getType().getRank() == int64_t(op.getRhsBatch().size()) + 1)
      return rewriter.notifyMatchFailure(op, "an operand that is all batch has no rows");
    Value accumulator;
    if (op.getAccumulator())
      accumulator = adaptor.getAccumulator().front();
    Value result = MatmulEmitter(rewriter, op, dot)
                       .emit(Parts(adaptor.getLhs()), Parts(adaptor.getRhs()), accumulator);
    rewriter.replaceOp(op, TensorEmitter(rewriter, op.getLoc()).cast(result, op.getType()));
    return success();
  }

private:
  const target::IntegerDot &dot;
};

} // namespace

void ufp4::populateMatmulToVectorPatterns(RewritePatternSet &patterns,
                                          const PartsTypeConverter &converter,
                                          const target::IntegerDot &dot) {
  patterns.add<MatmulToVector>(converter, patterns.getContext(), dot);
}
