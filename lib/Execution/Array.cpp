//===- Array.cpp - Dense arrays that programs take and give ---------------===//

#include "ufp4/Execution/Array.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>

namespace ufp4 {

namespace {
struct ElementInfo {
  const char *name;
  unsigned bytes;
};
} // namespace

static ElementInfo info(ElementType type) {
  static const ElementInfo table[] = {
      {"i1", 1},   {"i8", 1},   {"i16", 2},  {"i32", 4}, {"i64", 8}, {"ui8", 1}, {"ui16", 2},
      {"ui32", 4}, {"ui64", 8}, {"bf16", 2}, {"f16", 2}, {"f32", 4}, {"f64", 8}};
  return table[static_cast<unsigned>(type)];
}

unsigned byteWidth(ElementType type) { return info(type).bytes; }
bool isFloat(ElementType type) { return type >= ElementType::BF16; }
llvm::StringRef name(ElementType type) { return info(type).name; }

Array Array::zeros(ElementType type, llvm::ArrayRef<int64_t> shape) {
  Array array;
  array.type = type;
  array.shape.assign(shape.begin(), shape.end());
  array.data.resize(array.size() * byteWidth(type));
  return array;
}

int64_t Array::size() const {
  int64_t total = 1;
  for (int64_t extent : shape)
    total *= extent;
  return total;
}

std::string describe(ElementType type, llvm::ArrayRef<int64_t> shape) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += (mlir::ShapedType::isDynamic(extent) ? "?" : std::to_string(extent)) + "x";
  return text + name(type).str() + ">";
}

bool elementTypeOf(mlir::Type type, ElementType &result) {
  auto set = [&](ElementType found) {
    result = found;
    return true;
  };
  if (type.isF32())
    return set(ElementType::F32);
  if (type.isF64())
    return set(ElementType::F64);
  if (type.isF16())
    return set(ElementType::F16);
  if (type.isBF16())
    return set(ElementType::BF16);
  if (type.isIndex())
    return set(ElementType::Int64);
  auto integer = mlir::dyn_cast<mlir::IntegerType>(type);
  if (!integer)
    return false;
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return set(ElementType::Bool);
  case 8:
    return set(isUnsigned ? ElementType::UInt8 : ElementType::Int8);
  case 16:
    return set(isUnsigned ? ElementType::UInt16 : ElementType::Int16);
  case 32:
    return set(isUnsigned ? ElementType::UInt32 : ElementType::Int32);
  case 64:
    return set(isUnsigned ? ElementType::UInt64 : ElementType::Int64);
  default:
    return false;
  }
}

bool canStandFor(ElementType from, ElementType to) {
  if (from == to)
    return true;
  if (from == ElementType::Bool || to == ElementType::Bool)
    return false;
  if (from == ElementType::UInt16 && (to == ElementType::BF16 || to == ElementType::F16))
    return true;
  return !isFloat(from) && !isFloat(to) && byteWidth(from) == byteWidth(to);
}

namespace {
/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
class SplitMix {
public:
  explicit SplitMix(uint64_t state) : state(state) {}

  uint64_t next() {
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  /// Approximately normal: twelve uniforms less their mean, with exact arithmetic throughout.
  double normal() {
    int64_t total = 0;
    for (int i = 0; i < 3; ++i) {
      uint64_t word = next();
      for (int j = 0; j < 4; ++j)
        total += (word >> (16 * j)) & 0xFFFF;
    }
    return (static_cast<double>(total) - 12 * 32767.5) / 65536.0;
  }

private:
  uint64_t state;
};
} // namespace

static uint16_t toBF16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

/// For |value| < 65504; results below the least normal are flushed to zero.
static uint16_t toF16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
  uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude < 0x38800000)
    return sign;
  magnitude -= 0x38000000;
  return static_cast<uint16_t>(sign | ((magnitude + 0xFFF + ((magnitude >> 13) & 1)) >> 13));
}

Array randomArray(ElementType type, llvm::ArrayRef<int64_t> shape, uint64_t seed, uint64_t index) {
  Array array = Array::zeros(type, shape);
  SplitMix mixed(seed);
  SplitMix random(mixed.next() ^ (index * 0xD1342543DE82EF95u));
  for (int64_t i = 0, e = array.size(); i < e; ++i) {
    char *element = array.data.data() + i * byteWidth(type);
    if (isFloat(type)) {
      double value = random.normal();
      auto single = static_cast<float>(value);
      uint16_t half = type == ElementType::BF16 ? toBF16(single) : toF16(single);
      switch (type) {
      case ElementType::F64:
        std::memcpy(element, &value, 8);
        break;
      case ElementType::F32:
        std::memcpy(element, &single, 4);
        break;
      default:
        std::memcpy(element, &half, 2);
        break;
      }
      continue;
    }
    uint64_t value = random.next() >> (type == ElementType::Bool ? 63 : 61);
    std::memcpy(element, &value, byteWidth(type));
  }
  return array;
}

} // namespace ufp4
