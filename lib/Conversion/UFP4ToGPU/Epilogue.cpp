//===- Epilogue.cpp - From accumulators to C ------------------------------===//

#include "Epilogue.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

SmallVector<Value> ufp4::emitBalancedScales(KernelBuilder &b, Value globalA, Value globalB) {
  auto exponent = [&](Value scale) {
    Value bits = arith::BitcastOp::create(b, b.getI32Type(), scale);
    return b.bitAnd(b.shr(bits, 23), 255);
  };
  Value half = arith::ShRSIOp::create(b, b.sub(exponent(globalB), exponent(globalA)), b.i32(1));
  // 2^±half is normal: S is at least 2^-100, and the exponent field of a NaN is 255. A product with
  // it, unlike an exchange of exponents, keeps the NaN.
  auto power = [&](Value exponent) -> Value {
    Value bits = b.shl(b.add(exponent, 127), 23);
    return arith::BitcastOp::create(b, b.getF32Type(), bits);
  };
  return {b.mulF(globalA, power(half)), b.mulF(globalB, power(b.sub(b.i32(0), half)))};
}

namespace {
/// Stores one run of neighbours in a row, which begins inside of C's rows.
class RunStore {
public:
  RunStore(KernelBuilder &b, const GemmKernelSpec &spec) : b(b), spec(spec) {
    isNarrow = spec.result == numerics::Element::BF16;
    elementBytes = isNarrow ? 2 : 4;
  }

  unsigned elementBytes;

  /// All of the run is inside: 16 bytes a store.
  void storeWhole(ArrayRef<Value> values, Value pointer) {
    unsigned width = 16 / elementBytes;
    for (unsigned i = 0; i < values.size(); i += width) {
      Value joined = b.join(values.slice(i, width)),
            target = b.at(pointer, int32_t(i * elementBytes));
      if (spec.accumulate)
        joined = b.addF(joined, b.load(joined.getType(), target, 16));
      b.store(rounded(joined), target, 16);
    }
  }

  void storeOne(Value value, Value pointer) {
    if (spec.accumulate)
      value = b.addF(value, b.load(value.getType(), pointer, elementBytes));
    b.store(rounded(value), pointer, elementBytes);
  }

private:
  Value rounded(Value value) {
    if (!isNarrow)
      return value;
    Type type = b.getBF16Type();
    if (auto vector = dyn_cast<VectorType>(value.getType()))
      type = vector.clone(type);
    return arith::TruncFOp::create(b, type, value);
  }

  KernelBuilder &b;
  const GemmKernelSpec &spec;
  bool isNarrow;
};
} // namespace

void ufp4::emitEpilogue(KernelBuilder &b, const GemmKernelSpec &spec, const ResultTile &tile,
                        ValueRange factors, ArrayRef<AccumulatorRun> runs) {
  RunStore out(b, spec);
  auto inside = [&](Value condition, auto emit) {
    auto guarded = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(guarded.thenBlock());
    emit();
  };
  Value n64 = b.widen(tile.n);
  Value matrixRow = b.mul(b.widen(tile.batch), b.widen(tile.m));
  for (const AccumulatorRun &run : runs) {
    SmallVector<Value, 8> values = run.values;
    for (Value &value : values)
      for (Value factor : factors)
        value = b.mulF(value, factor);
    Value row = b.add(tile.firstRow, run.row), column = b.add(tile.firstColumn, run.column);
    Value index = b.add(b.mul(b.add(matrixRow, b.widen(row)), n64), b.widen(column));
    Value pointer = b.at(tile.pointer, b.mul(index, out.elementBytes));
    Value rowInside = b.less(row, tile.m);
    if (spec.columnMultiple % run.values.size() == 0) {
      // The run begins at a multiple of its length, so it is inside as a whole or not at all.
      inside(b.both(rowInside, b.less(column, tile.n)), [&] { out.storeWhole(values, pointer); });
      continue;
    }
    for (auto [i, value] : llvm::enumerate(values))
      inside(b.both(rowInside, b.less(b.add(column, i), tile.n)), [&, i = i, value = value] {
        out.storeOne(value, b.at(pointer, int32_t(i * out.elementBytes)));
      });
  }
}
