//===- Counter.cpp - which random words an element draws ------------------===//

#include "Counter.h"
#include "ufp4/Conversion/NumericsEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace ufp4;

namespace {
/// i64 arithmetic modulo 2^64, as Q7 counts.
class CounterEmitter {
public:
  CounterEmitter(OpBuilder &builder, Location loc, int64_t lanes, QuantizeOp op, ValueRange offsets)
      : b(loc, builder), emitter(builder, loc, lanes), op(op), unused(offsets) {}

  Value emit(ValueRange extents, ValueRange row, Value k) {
    QuantizedTensorType type = op.getQuantizedType();
    Value index = nullptr;
    Value paddedK = emitter.i64(type.getPaddedK());
    if (PlaceAttr place = op.getPlaceAttr()) {
      // The view's R is the last leading dimension; all before it are G.
      numerics::Place lists = place.getNumerics();
      Value zero = emitter.i64(0);
      Value r = row.empty() ? zero : row.back();
      Value g = row.size() < 2 ? zero : joined(extents.drop_back(), row.drop_back());
      // Offsets are consumed in the order of the lists: G, R, K.
      Value globalG = toGlobal(place, lists, 0, g);
      Value globalR = toGlobal(place, lists, 1, r);
      k = toGlobal(place, lists, 2, k);
      index = plus(times(globalG, globalExtent(lists, 1, extents)), globalR);
      // The whole of K is the last operand where it is one, padded.
      if (place.hasDynamicK())
        paddedK = emitter.splat(unused.front());
      else if (!lists.of[2].empty())
        paddedK = emitter.i64(type.getScheme().getPaddedK(product(lists.of[2])));
    } else {
      index = row.empty() ? emitter.i64(0) : joined(extents, row);
    }
    index = plus(times(index, paddedK), k);
    Value shift = emitter.i64(llvm::Log2_64(elementsPerDraw(op)));
    return arith::ShRUIOp::create(b, index, shift);
  }

private:
  Value plus(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value times(Value x, Value y) { return arith::MulIOp::create(b, x, y); }

  static int64_t product(ArrayRef<int64_t> sizes) { return ShapedType::getNumElements(sizes); }

  /// Row-major index of `coordinates`.
  Value joined(ValueRange extents, ValueRange coordinates) {
    Value index = coordinates.front();
    for (size_t i = 1; i < coordinates.size(); ++i)
      index = plus(times(index, emitter.splat(extents[i])), coordinates[i]);
    return index;
  }

  Value globalExtent(const numerics::Place &lists, unsigned dim, ValueRange extents) {
    if (!lists.of[dim].empty())
      return emitter.i64(product(lists.of[dim]));
    return extents.empty() ? emitter.i64(1) : emitter.splat(extents.back());
  }

  /// Q8: a local index is split by `part`, `at` is added, and it is joined by `of`.
  Value toGlobal(PlaceAttr place, const numerics::Place &lists, unsigned dim, Value local) {
    ArrayRef<int64_t> of = lists.of[dim], part = lists.part[dim];
    if (of.empty())
      return local;
    size_t first = 3 - place.getAt().size();
    ArrayRef<int64_t> at = place.getAt()[dim - first].asArrayRef();
    SmallVector<Value> offsets;
    for (int64_t offset : at) {
      bool isOperand = ShapedType::isDynamic(offset);
      offsets.push_back(isOperand ? emitter.splat(unused.front()) : emitter.i64(offset));
      unused = unused.drop_front(isOperand);
    }
    Value global;
    int64_t stride = 1;
    for (size_t i = of.size(); i-- > 0;) {
      Value digit = local;
      // The outermost digit needs no remainder; an empty part has no elements to place.
      if (i > 0) {
        Value size = emitter.i64(std::max<int64_t>(part[i], 1));
        digit = arith::RemUIOp::create(b, local, size);
        local = arith::DivUIOp::create(b, local, size);
      }
      Value term = times(plus(offsets[i], digit), emitter.i64(stride));
      global = global ? plus(global, term) : term;
      stride *= of[i];
    }
    return global;
  }

  ImplicitLocOpBuilder b;
  NumericsEmitter emitter;
  QuantizeOp op;
  /// Dynamic offsets not met yet, and a dynamic K.
  ValueRange unused;
};
} // namespace

Value ufp4::emitCounter(OpBuilder &builder, Location loc, int64_t lanes, QuantizeOp op,
                        ValueRange offsets, ValueRange extents, ValueRange row, Value k) {
  return CounterEmitter(builder, loc, lanes, op, offsets).emit(extents, row, k);
}
