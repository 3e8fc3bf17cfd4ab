//===- DecomposeGroups.cpp - grouped GEMMs as loops over groups -----------===//
//
// docs/spec.md G4: each group is a GEMM of its own, so each becomes one, on slices of the operands.
// What is quantized alike in every group (nearest, scales of one level) is quantized at once.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "TensorEmitter.h"
#include "ufp4/Conversion/Gather.h"
#include "ufp4/Conversion/UFP4ToLinalg/Passes.h"
#include "ufp4/Support/Runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

namespace ufp4 {
#define GEN_PASS_DEF_UFP4DECOMPOSEGROUPS
#include "ufp4/Conversion/UFP4ToLinalg/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;
using numerics::Grouping;

namespace {

/// Tokens of a group that one matmul of a weight's gradient takes at once; what is left over goes
/// by runs. More would not pay: the sums are read and written once for each.
constexpr int64_t kTokensAtOnce = 128;

/// Where the loop over groups stands.
struct Group {
  /// Its number and, where groups are runs, where its rows begin and how many there are.
  Value number, begin, size;
  /// Where its codes begin along K and how many they are, where that is what groups cut.
  Value position, padded;
};

class GroupEmitter {
public:
  GroupEmitter(Operation *op, GroupsAttr groups, SchemeAttr scheme)
      : builder(op), t(builder, op->getLoc()), b(t.builder()), groups(groups), scheme(scheme),
        length(numerics::runLength(scheme.getNumerics())) {}

  Value emit(QuantizeOp op);
  Value emit(MatmulOp op);
  /// Calls the runtime where sizes are not what they should be.
  void emitReport(Value sizes, Value extent, func::FuncOp report);

  Value dim(Value tensor, int64_t dim) { return tensor::DimOp::create(b, tensor, dim); }

private:
  using Carried = SmallVector<Value>;
  using Body = llvm::function_ref<Carried(const Group &, ValueRange)>;

  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }
  Value plus(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value times(Value x, int64_t y) { return arith::MulIOp::create(b, x, index(y)); }
  Value over(Value x, int64_t y) { return arith::DivUIOp::create(b, x, index(y)); }
  bool isContracted() const { return groups.getGrouping() == Grouping::Contracted; }

  /// scf.for from `lower` to `upper`.
  Carried loop(Value lower, Value upper, int64_t step, ValueRange inits,
               llvm::function_ref<Carried(Value, ValueRange)> body) {
    auto nested = [&](OpBuilder &, Location, Value iv, ValueRange carried) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(iv.getParentBlock());
      scf::YieldOp::create(b, body(iv, carried));
    };
    auto result = scf::ForOp::create(b, lower, upper, index(step), inits, nested);
    return llvm::to_vector_of<Value>(result.getResults());
  }

  Carried forEachGroup(Value sizes, Value extent, ValueRange inits, Body body);
  /// Only where a group has rows.
  Carried ifNotEmpty(const Group &group, ValueRange carried, llvm::function_ref<Carried()> body);

  Value zeros(const TensorEmitter::Sizes &sizes, Type element) {
    return t.filled(sizes, b.getZeroAttr(element));
  }
  /// Part of one dimension, all of the others; `reduce` drops it, a part of one.
  Value slice(Value tensor, int64_t dim, OpFoldResult offset, OpFoldResult size,
              bool reduce = false);
  Value insert(Value part, Value whole, int64_t dim, OpFoldResult offset, OpFoldResult size);
  Carried unpack(Value quantized) {
    auto type = cast<QuantizedTensorType>(quantized.getType());
    return llvm::to_vector_of<Value>(
        UnpackOp::create(b, type.getPartTypes(), quantized).getParts());
  }
  Value pack(QuantizedTensorType type, ValueRange parts) {
    SmallVector<Value> cast;
    for (auto [part, wanted] : llvm::zip_equal(parts, type.getPartTypes()))
      cast.push_back(t.cast(part, wanted));
    return PackOp::create(b, type, cast);
  }

  /// What is quantized: all of a tensor, or the rows of one that are gathered.
  struct Source {
    Value input, rows;
  };
  Source takeGroup(QuantizeOp op, int64_t dim, const Group &group);
  Value quantize(QuantizeOp like, Source source, int64_t along, Value amax, const Group *group,
                 ValueRange offsets, PlaceAttr place);
  Value quantizeRows(QuantizeOp op);
  Value quantizeStacked(QuantizeOp op);
  Value quantizeContracted(QuantizeOp op);
  Carried quantizeRuns(QuantizeOp op, Value padded, const Group &group, Carried parts);
  /// The parts of a grouped result before any group: no codes, no scales, S of an empty tensor.
  Carried emptyParts(QuantizeOp op);
  Value setGlobal(Value globals, Value global, const Group &group) {
    return tensor::InsertOp::create(b, t.extract(global), globals, group.number);
  }

  /// One group of an operand: [R, K] with K contracted, or `count` positions of K from `first`.
  Value takeRows(QuantizedTensorType type, ValueRange parts, const Group &group);
  Value takeStacked(QuantizedTensorType type, ValueRange parts, const Group &group);
  Value takeRun(QuantizedTensorType type, ValueRange parts, const Group &group, Value first,
                int64_t count);
  Value takeGlobal(Value globals, const Group &group) {
    Value global = tensor::ExtractOp::create(b, globals, group.number);
    return tensor::FromElementsOp::create(b, RankedTensorType::get({}, global.getType()), global);
  }
  Value round(Value tensor, Type element);

  OpBuilder builder;
  TensorEmitter t;
  ImplicitLocOpBuilder &b;
  GroupsAttr groups;
  SchemeAttr scheme;
  /// What runs of K are padded to.
  int64_t length;
};

GroupEmitter::Carried GroupEmitter::forEachGroup(Value sizes, Value extent, ValueRange inits,
                                                 Body body) {
  Value zero = index(0);
  Carried state{zero, zero};
  llvm::append_range(state, inits);
  Carried result = loop(
      zero, index(groups.getCount()), 1, state, [&](Value number, ValueRange carried) -> Carried {
        Group group{number, carried[0], Value(), carried[1], Value()};
        if (sizes) {
          Value size = arith::IndexCastOp::create(b, b.getIndexType(),
                                                  tensor::ExtractOp::create(b, sizes, number));
          Value left = arith::SubIOp::create(b, extent, group.begin);
          size = arith::MaxSIOp::create(b, size, index(0));
          group.size = arith::MinSIOp::create(b, size, left);
          Value up = plus(group.size, index(length - 1));
          group.padded = times(over(up, length), length);
        }
        Carried next = body(group, carried.drop_front(2));
        if (sizes)
          next.insert(next.begin(),
                      {plus(group.begin, group.size), plus(group.position, group.padded)});
        else
          next.insert(next.begin(), {group.begin, group.position});
        return next;
      });
  return result;
}

GroupEmitter::Carried GroupEmitter::ifNotEmpty(const Group &group, ValueRange carried,
                                               llvm::function_ref<Carried()> body) {
  Value some = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, group.size, index(0));
  auto result = scf::IfOp::create(b, carried.getTypes(), some, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(result.thenBlock());
  scf::YieldOp::create(b, body());
  b.setInsertionPointToEnd(result.elseBlock());
  scf::YieldOp::create(b, carried);
  return llvm::to_vector_of<Value>(result.getResults());
}

Value GroupEmitter::slice(Value tensor, int64_t dim, OpFoldResult offset, OpFoldResult size,
                          bool reduce) {
  TensorEmitter::Sizes sizes = t.sizesOf(tensor);
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  offsets[dim] = offset;
  sizes[dim] = size;
  if (!reduce)
    return tensor::ExtractSliceOp::create(b, tensor, offsets, sizes, strides);
  SmallVector<int64_t> shape(TensorEmitter::typeOf(tensor).getShape());
  shape.erase(shape.begin() + dim);
  auto type = RankedTensorType::get(shape, TensorEmitter::typeOf(tensor).getElementType());
  return tensor::ExtractSliceOp::create(b, type, tensor, offsets, sizes, strides);
}

Value GroupEmitter::insert(Value part, Value whole, int64_t dim, OpFoldResult offset,
                           OpFoldResult size) {
  TensorEmitter::Sizes sizes = t.sizesOf(whole);
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  offsets[dim] = offset;
  sizes[dim] = size;
  return tensor::InsertSliceOp::create(b, part, whole, offsets, sizes, strides);
}

//===----------------------------------------------------------------------===//
// Quantize
//===----------------------------------------------------------------------===//

/// A group's part of a dimension: of gathered rows by their indices.
GroupEmitter::Source GroupEmitter::takeGroup(QuantizeOp op, int64_t dim, const Group &group) {
  Source source{op.getInput(), op.getRows()};
  Value &divided = dim == 0 && source.rows ? source.rows : source.input;
  divided = slice(divided, dim, group.begin, group.size);
  return source;
}

/// An ungrouped quantize of `source`, drawing with the seed of a group.
Value GroupEmitter::quantize(QuantizeOp like, Source source, int64_t along, Value amax,
                             const Group *group, ValueRange offsets, PlaceAttr place) {
  SmallVector<int64_t> shape(TensorEmitter::typeOf(source.input).getShape());
  if (source.rows)
    shape[0] = TensorEmitter::typeOf(source.rows).getDimSize(0);
  auto type = QuantizedTensorType::get(b.getContext(), shape, scheme, along);
  Value seed = like.getSeed();
  if (seed) {
    Value number = arith::IndexCastOp::create(b, b.getI64Type(), group->number);
    if (like.getFirstGroup())
      number = plus(like.getFirstGroup(), number);
    seed = FoldInOp::create(b, seed, number);
  }
  return QuantizeOp::create(b, type, source.input, amax, seed, like.getStep(),
                            like.getDynamicStream(), offsets, like.getStreamAttr(),
                            like.getBitsAttr(), place, source.rows);
}

GroupEmitter::Carried GroupEmitter::emptyParts(QuantizeOp op) {
  QuantizedTensorType type = op.getQuantizedType();
  TensorEmitter::Sizes sizes;
  for (int64_t dim : TensorEmitter::allBut(type.getRank(), type.getAlong()))
    sizes.push_back(t.sizesOf(op.getSized(dim))[dim]);
  Carried parts;
  SmallVector<Type> types = type.getPartTypes();
  for (Type part : ArrayRef(types).take_front(2)) {
    auto tensor = cast<RankedTensorType>(part);
    TensorEmitter::Sizes own(sizes);
    // 2-D blocks have fewer rows, and theirs are static with them.
    for (auto [size, extent] : llvm::zip(own, tensor.getShape().drop_back()))
      if (!ShapedType::isDynamic(extent))
        size = b.getIndexAttr(extent);
    own.push_back(b.getIndexAttr(tensor.getShape().back()));
    parts.push_back(zeros(own, tensor.getElementType()));
  }
  if (scheme.hasGlobalScale())
    parts.push_back(t.filled({b.getIndexAttr(groups.getCount())},
                             b.getF32FloatAttr(numerics::globalScale(0.0f, scheme.getFormat()))));
  return parts;
}

Value GroupEmitter::quantizeRows(QuantizeOp op) {
  QuantizedTensorType type = op.getQuantizedType();
  int64_t rowDim = 1 - type.getAlong();
  Value rows = dim(op.getSized(rowDim), rowDim);
  if (!op.isStochastic() && !scheme.hasGlobalScale()) {
    // Each row by itself, whatever its group; rows of no group are cleared.
    Carried parts = unpack(quantize(op, {op.getInput(), op.getRows()}, type.getAlong(), Value(),
                                    nullptr, {}, PlaceAttr()));
    Value end = forEachGroup(op.getGroupSizes(), rows, {},
                             [](const Group &, ValueRange) { return Carried(); })[0];
    Value left = arith::SubIOp::create(b, rows, end);
    for (Value &part : parts) {
      Value tail = slice(part, 0, end, left);
      Value zero =
          arith::ConstantOp::create(b, b.getZeroAttr(TensorEmitter::typeOf(part).getElementType()));
      part = insert(linalg::FillOp::create(b, zero, tail).getResult(0), part, 0, end, left);
    }
    return pack(type, parts);
  }
  Carried all =
      forEachGroup(op.getGroupSizes(), rows, emptyParts(op),
                   [&](const Group &group, ValueRange carried) -> Carried {
                     return ifNotEmpty(group, carried, [&] {
                       Source own = takeGroup(op, rowDim, group);
                       Carried parts = unpack(
                           quantize(op, own, type.getAlong(), Value(), &group, {}, PlaceAttr()));
                       Carried next{insert(parts[0], carried[0], 0, group.begin, group.size),
                                    insert(parts[1], carried[1], 0, group.begin, group.size)};
                       if (parts.size() == 3)
                         next.push_back(setGlobal(carried[2], parts[2], group));
                       return next;
                     });
                   });
  return pack(type, ArrayRef(all).drop_front(2));
}

Value GroupEmitter::quantizeStacked(QuantizeOp op) {
  QuantizedTensorType type = op.getQuantizedType();
  int64_t along = type.getAlong(), groupDim = along == 0 ? 1 : 0;
  if (!op.isStochastic() && !scheme.hasGlobalScale())
    return pack(type,
                unpack(quantize(op, {op.getInput()}, along, Value(), nullptr, {}, PlaceAttr())));
  OpFoldResult one = b.getIndexAttr(1);
  Carried all = forEachGroup(
      Value(), Value(), emptyParts(op), [&](const Group &group, ValueRange carried) -> Carried {
        Value own = slice(op.getInput(), groupDim, group.number, one, /*reduce=*/true);
        Carried parts = unpack(
            quantize(op, {own}, along - (groupDim < along), Value(), &group, {}, PlaceAttr()));
        Carried next{insert(parts[0], carried[0], 0, group.number, one),
                     insert(parts[1], carried[1], 0, group.number, one)};
        if (parts.size() == 3)
          next.push_back(setGlobal(carried[2], parts[2], group));
        return next;
      });
  return pack(type, ArrayRef(all).drop_front(2));
}

/// The runs of one group, which lie padded one behind the other.
GroupEmitter::Carried GroupEmitter::quantizeRuns(QuantizeOp op, Value padded, const Group &group,
                                                 Carried parts) {
  QuantizedTensorType type = op.getQuantizedType();
  int64_t along = type.getAlong();
  OpFoldResult size = b.getIndexAttr(length);
  Value zero = index(0), amax;
  auto takeChunk = [&](Value first) {
    return slice(padded, along, plus(group.position, first), size);
  };
  if (scheme.hasGlobalScale()) {
    Value none = arith::ConstantOp::create(b, b.getF32FloatAttr(0.0f));
    amax = loop(zero, group.padded, length, none, [&](Value first, ValueRange carried) -> Carried {
      Value own = AmaxOp::create(b, b.getF32Type(), takeChunk(first), along, scheme);
      Value isGreater = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, own, carried[0]);
      return {arith::SelectOp::create(b, isGreater, own, carried[0])};
    })[0];
  }
  // A word is counted in the group's own padded K.
  PlaceAttr place;
  if (op.isStochastic()) {
    auto list = [&](ArrayRef<int64_t> values) {
      return DenseI64ArrayAttr::get(b.getContext(), values);
    };
    DenseI64ArrayAttr open = list({ShapedType::kDynamic});
    place = PlaceAttr::get(b.getContext(), ArrayRef<DenseI64ArrayAttr>{list({}), open},
                           ArrayRef<DenseI64ArrayAttr>{list({}), open},
                           ArrayRef<DenseI64ArrayAttr>{list({}), list({length})});
  }
  return loop(zero, group.padded, length, parts, [&](Value first, ValueRange carried) -> Carried {
    SmallVector<Value> offsets;
    if (place)
      for (Value value : {first, group.padded})
        offsets.push_back(arith::IndexCastOp::create(b, b.getI64Type(), value));
    Carried own = unpack(quantize(op, {takeChunk(first)}, along, amax, &group, offsets, place));
    Value at = plus(group.position, first);
    Carried next{insert(own[0], carried[0], 1, at, size),
                 insert(own[1], carried[1], 1, over(at, scheme.getBlock()),
                        b.getIndexAttr(length / scheme.getBlock()))};
    if (own.size() == 3)
      next.push_back(setGlobal(carried[2], own[2], group));
    return next;
  });
}

Value GroupEmitter::quantizeContracted(QuantizeOp op) {
  QuantizedTensorType type = op.getQuantizedType();
  Value input = op.getInput();
  int64_t along = type.getAlong();
  // Every group's rows at the beginning of its own padded run, zeros behind them.
  TensorEmitter::Sizes sizes{t.sizesOf(op.getSized(0))[0], t.sizesOf(input)[1]};
  sizes[along] = b.getIndexAttr(type.getPaddedK());
  Value extent = dim(op.getSized(along), along);
  Value copy = forEachGroup(op.getGroupSizes(), extent,
                            zeros(sizes, TensorEmitter::typeOf(input).getElementType()),
                            [&](const Group &group, ValueRange carried) -> Carried {
                              Source source = takeGroup(op, along, group);
                              Value own = source.rows
                                              ? emitGather(b, b.getLoc(), source.input, source.rows)
                                              : source.input;
                              return {insert(own, carried[0], along, group.position, group.size)};
                            })[2];
  if (!op.isStochastic() && !scheme.hasGlobalScale())
    return pack(type, unpack(quantize(op, {copy}, along, Value(), nullptr, {}, PlaceAttr())));
  Carried all =
      forEachGroup(op.getGroupSizes(), extent, emptyParts(op),
                   [&](const Group &group, ValueRange carried) -> Carried {
                     return quantizeRuns(op, copy, group, llvm::to_vector_of<Value>(carried));
                   });
  return pack(type, ArrayRef(all).drop_front(2));
}

Value GroupEmitter::emit(QuantizeOp op) {
  // Nothing to slice, which static extents of 0 do not let be written either.
  if (llvm::is_contained(TensorEmitter::typeOf(op.getInput()).getShape(), 0) ||
      TensorEmitter::typeOf(op.getSized(0)).getDimSize(0) == 0)
    return pack(op.getQuantizedType(), emptyParts(op));
  switch (groups.getGrouping()) {
  case Grouping::Rows:
    return quantizeRows(op);
  case Grouping::Contracted:
    return quantizeContracted(op);
  case Grouping::Stacked:
    return quantizeStacked(op);
  }
  llvm_unreachable("closed set");
}

//===----------------------------------------------------------------------===//
// Matmul
//===----------------------------------------------------------------------===//

Value GroupEmitter::takeRows(QuantizedTensorType type, ValueRange parts, const Group &group) {
  auto own = QuantizedTensorType::get(b.getContext(), {ShapedType::kDynamic, type.getK()},
                                      type.getScheme(), 1);
  Carried taken;
  for (Value part : parts.take_front(2))
    taken.push_back(slice(part, 0, group.begin, group.size));
  if (parts.size() == 3)
    taken.push_back(takeGlobal(parts[2], group));
  return pack(own, taken);
}

Value GroupEmitter::takeStacked(QuantizedTensorType type, ValueRange parts, const Group &group) {
  auto own = QuantizedTensorType::get(b.getContext(), {type.getLeadingShape().back(), type.getK()},
                                      type.getScheme(), 1);
  Carried taken;
  for (Value part : parts.take_front(2))
    taken.push_back(slice(part, 0, group.number, b.getIndexAttr(1), /*reduce=*/true));
  if (parts.size() == 3)
    taken.push_back(takeGlobal(parts[2], group));
  return pack(own, taken);
}

Value GroupEmitter::takeRun(QuantizedTensorType type, ValueRange parts, const Group &group,
                            Value first, int64_t count) {
  SchemeAttr own = type.getScheme();
  int64_t block = own.getBlock();
  Carried taken{slice(parts[0], 1, first, b.getIndexAttr(count)),
                slice(parts[1], 1, over(first, block), b.getIndexAttr(count / block))};
  if (parts.size() == 3)
    taken.push_back(takeGlobal(parts[2], group));
  return pack(
      QuantizedTensorType::get(b.getContext(), {type.getLeadingShape().back(), count}, own, 1),
      taken);
}

Value GroupEmitter::round(Value tensor, Type element) {
  if (TensorEmitter::typeOf(tensor).getElementType() == element)
    return tensor;
  int64_t rank = TensorEmitter::typeOf(tensor).getRank();
  return t.map(t.sizesOf(tensor), tensor, b.getMultiDimIdentityMap(rank), element,
               [&](OpBuilder &nested, Location loc, ValueRange args) -> SmallVector<Value> {
                 return {arith::TruncFOp::create(nested, loc, element, args[0])};
               })[0];
}

Value GroupEmitter::emit(MatmulOp op) {
  QuantizedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  Carried left = unpack(op.getLhs()), right = unpack(op.getRhs());
  RankedTensorType resultType = op.getType();
  Type element = resultType.getElementType(), f32 = b.getF32Type();
  bool isF32 = element.isF32();
  Value accumulator = op.getAccumulator();
  // What rows of no group, and empty groups, keep.
  Value init;
  if (accumulator)
    init = round(accumulator, element);
  else if (isContracted())
    init = zeros({b.getIndexAttr(groups.getCount()), t.sizesOf(left[0])[0], t.sizesOf(right[0])[0]},
                 element);
  else
    init = zeros({t.sizesOf(left[0])[0], t.sizesOf(right[0])[1]}, element);
  if (!lhs.getK() || llvm::is_contained(resultType.getShape(), 0))
    return t.cast(init, resultType);
  // A sum in f32 goes on in the result itself.
  auto getSums = [&](Value result) { return isF32 ? result : accumulator; };

  Value extent = isContracted() ? index(lhs.getK()) : dim(left[0], 0);
  Carried all = forEachGroup(
      op.getGroupSizes(), extent, init, [&](const Group &group, ValueRange carried) -> Carried {
        return ifNotEmpty(group, carried, [&]() -> Carried {
          if (!isContracted()) {
            Value sums =
                accumulator ? slice(getSums(carried[0]), 0, group.begin, group.size) : Value();
            auto type = RankedTensorType::get({ShapedType::kDynamic, rhs.getLeadingShape().back()},
                                              element);
            Value product = MatmulOp::create(b, type, takeRows(lhs, left, group),
                                             takeStacked(rhs, right, group), sums,
                                             ArrayRef<int64_t>(), ArrayRef<int64_t>());
            return {insert(product, carried[0], 0, group.begin, group.size)};
          }
          OpFoldResult one = b.getIndexAttr(1);
          auto type = RankedTensorType::get(
              {lhs.getLeadingShape().back(), rhs.getLeadingShape().back()}, f32);
          Value sums;
          if (accumulator || isF32)
            sums = slice(getSums(carried[0]), 0, group.number, one, /*reduce=*/true);
          else
            sums = zeros({t.sizesOf(left[0])[0], t.sizesOf(right[0])[0]}, f32);
          sums = t.cast(sums, type);
          auto add = [&](Value from, Value to, int64_t count, Value sums) {
            return loop(from, to, count, sums, [&](Value at, ValueRange sums) -> Carried {
              Value first = plus(group.position, at);
              return {MatmulOp::create(b, type, takeRun(lhs, left, group, first, count),
                                       takeRun(rhs, right, group, first, count), sums[0],
                                       ArrayRef<int64_t>(), ArrayRef<int64_t>())};
            })[0];
          };
          int64_t many = std::max(length, kTokensAtOnce);
          Value whole = times(over(group.padded, many), many);
          sums = add(index(0), whole, many, sums);
          if (many != length)
            sums = add(whole, group.padded, length, sums);
          return {insert(round(sums, element), carried[0], 0, group.number, one)};
        });
      });
  return t.cast(all[2], resultType);
}

void GroupEmitter::emitReport(Value sizes, Value extent, func::FuncOp report) {
  Type i64 = b.getI64Type();
  Value none = arith::ConstantIntOp::create(b, i64, 0), count = index(groups.getCount());
  Value isNegative = arith::ConstantIntOp::create(b, b.getI1Type(), 0);
  Carried found = loop(
      index(0), count, 1, {none, isNegative}, [&](Value number, ValueRange carried) -> Carried {
        Value size = arith::ExtSIOp::create(b, i64, tensor::ExtractOp::create(b, sizes, number));
        Value negative = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, size, none);
        return {plus(carried[0], size), arith::OrIOp::create(b, carried[1], negative)};
      });
  Value rows = arith::IndexCastOp::create(b, i64, extent);
  Value differs = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, found[0], rows);
  Value bad = arith::OrIOp::create(b, differs, found[1]);
  auto branch = scf::IfOp::create(b, bad, /*withElseRegion=*/false);
  OpBuilder nested = branch.getThenBodyBuilder();
  Value negative = arith::ExtUIOp::create(nested, b.getLoc(), i64, found[1]);
  func::CallOp::create(nested, b.getLoc(), report, ValueRange{found[0], rows, negative});
}

/// Sizes that are known are what they should be.
LogicalResult verifySizes(Operation *op, Value sizes, int64_t extent) {
  DenseIntElementsAttr constant;
  if (!sizes || ShapedType::isDynamic(extent) || !matchPattern(sizes, m_Constant(&constant)))
    return success();
  int64_t sum = 0;
  for (auto [group, size] : llvm::enumerate(constant.getValues<int32_t>())) {
    if (size < 0)
      return op->emitOpError() << "group " << group << " has a negative size, " << size;
    sum += size;
  }
  if (sum != extent)
    return op->emitOpError() << "the sizes of the groups add up to " << sum << ", expected "
                             << extent << ", the rows that they divide";
  return success();
}

/// The extent that groups divide: of rows or of K.
int64_t getDivided(QuantizedTensorType type) {
  return type.isGrouped(Grouping::Contracted) ? type.getK() : type.getLeadingShape().back();
}

func::FuncOp declareReport(ModuleOp module) {
  if (auto known = module.lookupSymbol<func::FuncOp>(kReportGroupsSymbol))
    return known;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Type i64 = builder.getI64Type();
  auto function = func::FuncOp::create(builder, module.getLoc(), kReportGroupsSymbol,
                                       builder.getFunctionType({i64, i64, i64}, {}));
  function.setPrivate();
  return function;
}

} // namespace

LogicalResult ufp4::decomposeGroups(ModuleOp module, bool report) {
  SmallVector<Operation *> ops;
  WalkResult legal = module.walk([&](Operation *op) {
    Value sizes;
    QuantizedTensorType type;
    if (auto quantize = dyn_cast<QuantizeOp>(op)) {
      sizes = quantize.getGroupSizes();
      type = quantize.getQuantizedType();
    } else if (auto matmul = dyn_cast<MatmulOp>(op)) {
      sizes = matmul.getGroupSizes();
      type = matmul.getLhs().getType();
    }
    if (!type || !type.isGrouped())
      return WalkResult::advance();
    if (failed(verifySizes(op, sizes, getDivided(type))))
      return WalkResult::interrupt();
    if (auto quantize = dyn_cast<QuantizeOp>(op);
        quantize && quantize.isStochastic() && type.isGrouped(Grouping::Contracted) &&
        ShapedType::isDynamic(type.getLeadingShape().back())) {
      op->emitOpError() << "stochastic rounding of groups along K needs static rows, found "
                        << type;
      return WalkResult::interrupt();
    }
    ops.push_back(op);
    return WalkResult::advance();
  });
  if (legal.wasInterrupted())
    return failure();
  llvm::DenseSet<std::pair<Value, int64_t>> reported;
  for (Operation *op : ops) {
    auto quantize = dyn_cast<QuantizeOp>(op);
    QuantizedTensorType type =
        quantize ? quantize.getQuantizedType() : cast<MatmulOp>(op).getLhs().getType();
    GroupEmitter emitter(op, type.getGroups(), type.getScheme());
    // A quantize says it for the matmuls that read it.
    if (report && quantize && quantize.getGroupSizes() &&
        reported.insert({quantize.getGroupSizes(), getDivided(type)}).second) {
      bool isContracted = type.isGrouped(Grouping::Contracted);
      int64_t dim = isContracted ? type.getAlong() : 1 - type.getAlong();
      emitter.emitReport(quantize.getGroupSizes(), emitter.dim(quantize.getSized(dim), dim),
                         declareReport(module));
    }
    Value result = quantize ? emitter.emit(quantize) : emitter.emit(cast<MatmulOp>(op));
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }
  return success();
}

namespace {
struct DecomposeGroupsPass : ufp4::impl::UFP4DecomposeGroupsBase<DecomposeGroupsPass> {
  using UFP4DecomposeGroupsBase::UFP4DecomposeGroupsBase;

  void runOnOperation() override {
    if (failed(decomposeGroups(getOperation(), report)))
      signalPassFailure();
  }
};
} // namespace
