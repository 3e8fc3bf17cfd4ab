//===- Epilogue.cpp - From accumulators to C ------------------------------===//

#include "Epilogue.h"

#include "KernelParts.h"
#include "ufp4/Conversion/NumericsEmitter.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

namespace {
class Epilogue {
public:
  Epilogue(KernelBuilder &b, const GemmKernelSpec &spec, const ResultTile &tile, ValueRange factors,
           Value bias, const Accumulators &sums)
      : b(b), spec(spec), tile(tile), factors(factors), bias(bias), sums(sums),
        isNarrow(spec.result == numerics::Element::BF16), elementBytes(isNarrow ? 2 : 4),
        biasBytes(spec.bias ? numerics::elementBytes(*spec.bias) : 0) {}

  void emit() {
    row = b.add(tile.firstRow, sums.row);
    column = b.add(tile.firstColumn, sums.column);
    Value rows = b.add(b.mul(b.widen(tile.batch), b.widen(tile.m)), b.widen(row));
    Value index = b.add(b.mul(rows, b.widen(tile.n)), b.widen(column));
    Value pointer = b.at(tile.pointer, b.mul(index, elementBytes));
    Value rowBytes = b.mul(b.widen(tile.n), elementBytes);
    for (const Accumulators::Run &run : sums.runs) {
      Value place = b.at(pointer, b.mul(rowBytes, run.row));
      store(run, b.at(place, int32_t(run.column * elementBytes)));
    }
  }

private:
  void store(const Accumulators::Run &run, Value pointer) {
    SmallVector<Value, 8> values = run.values;
    for (Value &value : values)
      for (Value factor : factors)
        value = b.mulF(value, factor);
    Value rowInside = b.less(b.add(row, run.row), tile.m);
    if (isWhole(run)) {
      if (bias)
        for (auto [value, addend] : llvm::zip_equal(values, biasOf(run)))
          value = b.addF(value, addend);
      Value inside = b.both(rowInside, b.less(b.add(column, run.column), tile.n));
      emitIf(b, inside, [&] { storeWhole(values, pointer); });
      return;
    }
    for (auto [i, value] : llvm::enumerate(values)) {
      Value place = b.add(column, run.column + i);
      emitIf(b, b.both(rowInside, b.less(place, tile.n)), [&, i = i, value = value] {
        storeOne(bias ? b.addF(value, loadBias(place, 1)[0]) : value,
                 b.at(pointer, int32_t(i * elementBytes)));
      });
    }
  }

  /// A run begins at a multiple of its length, so it may be inside as a whole or not at all.
  bool isWhole(const Accumulators::Run &run) const {
    return spec.columnMultiple % run.values.size() == 0;
  }

  /// The bias of a whole run's columns as f32, loaded once for all rows; beyond N that of its last
  /// columns, which is not stored.
  ArrayRef<Value> biasOf(const Accumulators::Run &run) {
    SmallVector<Value, 8> &loaded = biases[run.column];
    if (!loaded.empty())
      return loaded;
    unsigned width = std::min<unsigned>(16 / biasBytes, run.values.size());
    for (unsigned i = 0; i < run.values.size(); i += width) {
      Value last = b.sub(tile.n, b.i32(width));
      llvm::append_range(
          loaded,
          loadBias(b.createOrFold<arith::MinUIOp>(b.add(column, run.column + i), last), width));
    }
    return loaded;
  }

  /// The bias of `width` neighbouring columns as f32.
  SmallVector<Value, 8> loadBias(Value first, unsigned width) {
    Type type = *spec.bias == numerics::Element::BF16 ? Type(b.getBF16Type()) : b.getF32Type();
    Value pointer = b.at(bias, b.mul(b.widen(first), biasBytes));
    if (width == 1)
      return {widened(b.load(type, pointer, biasBytes))};
    Value joined = widened(b.load(b.vector(width, type), pointer, width * biasBytes));
    SmallVector<Value, 8> values;
    for (unsigned x = 0; x < width; ++x)
      values.push_back(b.element(joined, x));
    return values;
  }

  /// 16 bytes a store, or a whole run.
  void storeWhole(ArrayRef<Value> values, Value pointer) {
    unsigned width = std::min<unsigned>(16 / elementBytes, values.size());
    unsigned alignment = width * elementBytes;
    for (unsigned i = 0; i < values.size(); i += width) {
      Value joined = b.join(values.slice(i, width)),
            target = b.at(pointer, int32_t(i * elementBytes));
      if (spec.accumulate)
        joined = b.addF(joined, b.load(joined.getType(), target, alignment));
      b.store(rounded(joined), target, alignment);
    }
  }

  void storeOne(Value value, Value pointer) {
    if (spec.accumulate)
      value = b.addF(value, b.load(value.getType(), pointer, elementBytes));
    b.store(rounded(value), pointer, elementBytes);
  }

  static Type withElement(Type type, Type element) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? Type(vector.clone(element)) : element;
  }
  Value rounded(Value value) {
    if (!isNarrow)
      return value;
    return arith::TruncFOp::create(b, withElement(value.getType(), b.getBF16Type()), value);
  }
  Value widened(Value value) {
    Type type = withElement(value.getType(), b.getF32Type());
    return type == value.getType() ? value : Value(arith::ExtFOp::create(b, type, value));
  }

  KernelBuilder &b;
  const GemmKernelSpec &spec;
  const ResultTile &tile;
  const ValueRange factors;
  const Value bias;
  const Accumulators &sums;
  const bool isNarrow;
  const unsigned elementBytes, biasBytes;
  /// The lane's place in C.
  Value row, column;
  /// By a run's column.
  llvm::SmallDenseMap<unsigned, SmallVector<Value, 8>> biases;
};
} // namespace

SmallVector<Value> ufp4::emitFactors(KernelBuilder &b, float factor, Value globalA, Value globalB,
                                     Value alpha) {
  SmallVector<Value> factors;
  if (factor != 1)
    factors.push_back(b.f32(factor));
  if (globalA)
    llvm::append_range(factors, NumericsEmitter(b, b.getLoc()).balance(globalA, globalB));
  if (alpha)
    factors.push_back(alpha);
  return factors;
}

void ufp4::emitEpilogue(KernelBuilder &b, const GemmKernelSpec &spec, const ResultTile &tile,
                        ValueRange factors, Value bias, const Accumulators &sums) {
  Epilogue(b, spec, tile, factors, bias, sums).emit();
}
