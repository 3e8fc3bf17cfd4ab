//===- Harness.h - Compiled code against the numerics library ---*- C++ -*-===//

#ifndef UFP4_UNITTESTS_CONVERSION_HARNESS_H
#define UFP4_UNITTESTS_CONVERSION_HARNESS_H

#include "ufp4/Execution/Jit.h"
#include "ufp4/Numerics/Quantize.h"

#include "mlir/IR/MLIRContext.h"

#include <memory>
#include <random>
#include <string>

namespace ufp4::test {

/// The two lowerings of a quantize, the second with each number of lanes.
enum class Lowering { Linalg, Vector, Vector8, Vector4 };
const char *name(Lowering lowering);

/// One function, compiled by a lowering and the CPU pipeline.
class Program {
public:
  /// Aborts with a message where the text does not compile: a test's text is the test's fault.
  Program(const std::string &text, Lowering lowering);
  ~Program();

  std::vector<Array> call(const std::vector<Array> &arguments) const;

private:
  EntrySignature entry;
  std::unique_ptr<JitModule> jit;
};

/// The IR of a module after passes, for tests of folds.
std::string transform(const std::string &text, const std::string &pipeline);

ElementType elementTypeOf(numerics::Element element);
std::string spell(const numerics::Scheme &scheme);
std::string spell(numerics::Element element);

template <typename T> Array scalar(ElementType type, T value) {
  Array array = Array::zeros(type, {});
  *array.as<T>() = value;
  return array;
}

/// What random values are made of.
enum class Fill {
  Normal, ///< each block about its own power of two
  Bits,   ///< any bit pattern at all: infinities, NaNs, subnormals
  Grid,   ///< small multiples of a quarter: ties everywhere
  Edges,  ///< about 2^-120, zeros of both signs, the greatest finite values
};
constexpr Fill allFills[] = {Fill::Normal, Fill::Bits, Fill::Grid, Fill::Edges};

/// Elements of a tensor, natural order.
Array fill(Fill kind, numerics::Element element, std::vector<int64_t> shape, uint64_t seed);

/// The tensor in the order of the view (`along` last).
Array toView(const Array &natural, int64_t along);
numerics::ViewShape viewShape(const std::vector<int64_t> &shape, int64_t along);

/// A tensor of rank 2 as rows of a greater one: other rows are NaNs, and some indices lie beyond
/// it.
struct Gathered {
  Array source, rows;
};
Gathered scatter(const Array &x);

/// How a quantize is written and what it is compared with.
struct Case {
  numerics::Scheme scheme;
  numerics::Element element = numerics::Element::BF16;
  std::vector<int64_t> shape;
  int64_t along = 0;
  /// 0 rounds to nearest.
  unsigned bits = 0;
  bool amaxOperand = false;
  /// Leading extents are written as `?`.
  bool dynamic = false;
  /// `at … of … part …` with offsets as operands.
  std::optional<numerics::Place> place;
  uint32_t stream = 7;

  std::string describe() const;
};

/// A compiled quantize.
class QuantizeProgram {
public:
  QuantizeProgram(const Case &test, Lowering lowering);

  /// Empty where codes, scales and S equal the library's, else the first difference.
  std::string compare(const Array &x, uint64_t seed, uint32_t step, float amax) const;

private:
  Case test;
  Program program;
};

} // namespace ufp4::test

#endif // UFP4_UNITTESTS_CONVERSION_HARNESS_H
