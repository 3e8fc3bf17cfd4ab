//===- Epilogue.cpp - From accumulators to C ------------------------------===//

#include "Epilogue.h"

#include "KernelParts.h"
#include "ufp4/Conversion/NumericsEmitter.h"

#include <numeric>

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
    // A piece begins at a multiple of its length, as N ends: it is inside as a whole or not at all.
    unsigned length = std::gcd(spec.columnMultiple, values.size());
    for (unsigned first = 0; first < values.size(); first += length) {
      MutableArrayRef<Value> piece = MutableArrayRef(values).slice(first, length);
      unsigned place = run.column + first;
      if (bias && length > 1)
        for (auto [value, addend] : llvm::zip_equal(piece, biasOf(place, length)))
          value = b.addF(value, addend);
      Value columnOfPiece = b.add(column, place);
      emitIf(b, b.both(rowInside, b.less(columnOfPiece, tile.n)), [&] {
        if (bias && length == 1)
          piece[0] = b.addF(piece[0], loadBias(columnOfPiece, 1)[0]);
        storePiece(piece, b.at(pointer, int32_t(first * elementBytes)));
      });
    }
  }

  /// The bias of a piece's columns as f32, loaded once for all rows; beyond N that of its last
  /// columns, which is not stored.
  ArrayRef<Value> biasOf(unsigned place, unsigned length) {
    SmallVector<Value, 8> &loaded = biases[place];
    if (!loaded.empty())
      return loaded;
    unsigned width = std::min<unsigned>(16 / biasBytes, length);
    for (unsigned i = 0; i < length; i += width) {
      Value last = b.sub(tile.n, b.i32(width));
      llvm::append_range(
          loaded, loadBias(b.createOrFold<arith::MinUIOp>(b.add(column, place + i), last), width));
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

  /// As much a store as the chip takes.
  void storePiece(ArrayRef<Value> values, Value pointer) {
    unsigned width = std::min<unsigned>(spec.chip->accessBytes() / elementBytes, values.size());
    unsigned alignment = width * elementBytes;
    for (unsigned i = 0; i < values.size(); i += width) {
      Value joined = width == 1 ? values[i] : b.join(values.slice(i, width));
      Value target = b.at(pointer, int32_t(i * elementBytes));
      if (spec.accumulate)
        joined = b.addF(joined, b.load(joined.getType(), target, alignment));
      b.store(rounded(joined), target, alignment);
    }
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
  /// By a piece's first column.
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
