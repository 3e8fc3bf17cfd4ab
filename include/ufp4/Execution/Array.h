//===- Array.h - Dense arrays that programs take and give -------*- C++ -*-===//

#ifndef UFP4_EXECUTION_ARRAY_H
#define UFP4_EXECUTION_ARRAY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlir {
class Type;
} // namespace mlir

namespace ufp4 {

/// What one element of an array is. Signedness is the file's; a program's signless integers take
/// either.
enum class ElementType : uint8_t {
  Bool,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  BF16,
  F16,
  F32,
  F64
};

unsigned byteWidth(ElementType type);
bool isFloat(ElementType type);
/// `bf16`, `i32`, `ui8`, …
llvm::StringRef name(ElementType type);

/// A dense row-major array that owns its bytes; rank 0 holds one element.
struct Array {
  ElementType type = ElementType::F32;
  std::vector<int64_t> shape;
  std::vector<char> data;

  /// Zeros of the given type and shape.
  static Array zeros(ElementType type, llvm::ArrayRef<int64_t> shape);

  int64_t size() const;

  template <typename T> T *as() { return reinterpret_cast<T *>(data.data()); }
  template <typename T> const T *as() const { return reinterpret_cast<const T *>(data.data()); }
};

/// A dense row-major array whose bytes and shape someone else owns; aligned to its element.
struct ArrayView {
  ElementType type;
  llvm::ArrayRef<int64_t> shape;
  const void *data;

  ArrayView(ElementType type, llvm::ArrayRef<int64_t> shape, const void *data)
      : type(type), shape(shape), data(data) {}
  ArrayView(const Array &array) : ArrayView(array.type, array.shape, array.data.data()) {}
};

/// `tensor<3x4xbf16>`.
std::string describe(ElementType type, llvm::ArrayRef<int64_t> shape);
inline std::string describe(const Array &array) { return describe(array.type, array.shape); }

/// The element type that holds `type`; false if no array can.
bool elementTypeOf(mlir::Type type, ElementType &result);

/// Whether bytes of type `from` may stand for a program's elements of type `to`: the same type,
/// integers of one width, or 16-bit patterns for bf16 and f16.
bool canStandFor(ElementType from, ElementType to);

/// Normal values for floats, integers in [0, 8) otherwise, a bit for booleans: the same for the
/// same seed and index on every machine (SplitMix64).
Array randomArray(ElementType type, llvm::ArrayRef<int64_t> shape, uint64_t seed, uint64_t index);

} // namespace ufp4

#endif // UFP4_EXECUTION_ARRAY_H
