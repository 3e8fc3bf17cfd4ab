//===- QuantizedDump.cpp - Quantized operands on disk ---------------------===//

#include "ufp4/Execution/QuantizedDump.h"

#include "ufp4/Execution/Npy.h"
#include "ufp4/Numerics/Gemm.h"
#include "ufp4/Support/Error.h"
#include "ufp4/Support/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace json = llvm::json;

namespace ufp4 {

static constexpr int64_t kSchemaVersion = 1;
static constexpr StringRef kIndex = "index.json";
// The greatest integer below which every one is a double, which is all that JSON promises.

numerics::ViewShape QuantizeRecord::viewShape() const {
  llvm::ArrayRef<int64_t> shape = input.shape;
  numerics::ViewShape view;
  view.g = shape.size() == 3 ? shape[0] : 1;
  view.r = shape[shape.size() - 2];
  view.k = shape.back();
  return view;
}

numerics::Element QuantizeRecord::element() const {
  switch (input.type) {
  case ElementType::F32:
    return numerics::Element::F32;
  case ElementType::F16:
    return numerics::Element::F16;
  default:
    return numerics::Element::BF16;
  }
}

std::string QuantizeRecord::describe() const {
  std::string text = "gemm " + std::to_string(site.gemm) + " (" + site.role + ") operand " +
                     std::to_string(site.operand);
  if (trips.empty())
    return text;
  text += ", trips [";
  for (auto [i, trip] : llvm::enumerate(trips))
    text += (i ? ", " : "") + std::to_string(trip);
  return text + "]";
}

//===----------------------------------------------------------------------===//
// Schemes
//===----------------------------------------------------------------------===//

namespace {

/// Reads fields of one JSON object; the first problem sticks and names the field.
class Fields {
public:
  Fields(const json::Object *object, std::string where) : object(object), where(std::move(where)) {
    if (!object)
      problem = this->where + ": expected an object";
  }

  const json::Value *get(StringRef key) {
    if (!problem.empty())
      return nullptr;
    const json::Value *value = object->get(key);
    if (!value)
      problem = where + ": expected a field '" + key.str() + "', found none";
    return value;
  }

  uint64_t integer(StringRef key, uint64_t most) {
    const json::Value *value = get(key);
    if (!value)
      return 0;
    std::optional<uint64_t> found = value->getAsUINT64();
    if (!found || *found > most) {
      expected(key, "an integer in [0, " + std::to_string(most) + "]", *value);
      return 0;
    }
    return *found;
  }

  std::string text(StringRef key) {
    const json::Value *value = get(key);
    if (!value)
      return {};
    std::optional<StringRef> found = value->getAsString();
    if (!found) {
      expected(key, "a string", *value);
      return {};
    }
    return found->str();
  }

  template <typename T> T oneOf(StringRef key, std::initializer_list<T> choices) {
    std::string found = text(key);
    std::string known;
    for (T choice : choices) {
      if (found == numerics::name(choice))
        return choice;
      known += (known.empty() ? "" : ", ") + std::string(numerics::name(choice));
    }
    if (problem.empty())
      problem = where + ": expected '" + key.str() + "' to be one of " + known + ", found '" +
                found + "'";
    return *choices.begin();
  }

  std::vector<int64_t> integers(StringRef key) {
    const json::Value *value = get(key);
    std::vector<int64_t> result;
    if (!value)
      return result;
    const json::Array *array = value->getAsArray();
    if (!array) {
      expected(key, "an array of integers", *value);
      return result;
    }
    for (const json::Value &element : *array) {
      std::optional<int64_t> integer = element.getAsInteger();
      if (!integer) {
        expected(key, "an array of integers", *value);
        return {};
      }
      result.push_back(*integer);
    }
    return result;
  }

  void expected(StringRef key, const Twine &what, const json::Value &found) {
    if (!problem.empty())
      return;
    llvm::raw_string_ostream(problem)
        << where << ": expected '" << key << "' to be " << what << ", found " << found;
  }

  void note(const Twine &message) {
    if (problem.empty())
      problem = (where + ": " + message).str();
  }

  Error take() { return problem.empty() ? Error::success() : fail(problem); }
  bool failed() const { return !problem.empty(); }

private:
  const json::Object *object;
  std::string where, problem;
};

} // namespace

/// Reads a sign mask: an integer, or hexadecimal digits after 0x.
static bool readMask(const json::Value &value, std::array<uint64_t, 2> &signs) {
  if (std::optional<uint64_t> integer = value.getAsUINT64()) {
    signs = {*integer, 0};
    return true;
  }
  std::optional<StringRef> text = value.getAsString();
  if (!text || !text->consume_front("0x") || text->empty() || text->size() > 32)
    return false;
  signs = {};
  StringRef low = text->take_back(16), high = text->drop_back(low.size());
  return !low.getAsInteger(16, signs[0]) && (high.empty() || !high.getAsInteger(16, signs[1]));
}

Expected<numerics::Scheme> schemeFromJSON(const json::Value &value, StringRef where) {
  using namespace numerics;
  Fields fields(value.getAsObject(), where.str());
  Scheme scheme;
  scheme.format = fields.oneOf("format", {Format::E1M2, Format::E2M1});
  scheme.block = fields.integer("block", 1024);
  scheme.blockRows = fields.integer("block_rows", 1024);
  scheme.scale = fields.oneOf("scale", {ScaleKind::F32, ScaleKind::UE4M3, ScaleKind::UE8M0});
  scheme.rule = fields.oneOf("scale_rule", {ScaleRule::Ceil, ScaleRule::OcpFloor});
  if (const json::Value *rotation = fields.get("rotation"); rotation && !rotation->getAsNull()) {
    Fields inner(rotation->getAsObject(), (where + ".rotation").str());
    scheme.rotation.size = inner.integer("size", 1024);
    if (const json::Value *signs = inner.get("signs"))
      if (!readMask(*signs, scheme.rotation.signs))
        inner.expected("signs", "an integer or hexadecimal digits after 0x", *signs);
    if (Error error = inner.take())
      return std::move(error);
  }
  if (Error error = fields.take())
    return std::move(error);
  if (std::optional<std::string> problem = verifyScheme(scheme))
    return fail(where + ": " + *problem);
  return scheme;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static json::Array toJSON(llvm::ArrayRef<int64_t> values) {
  json::Array array;
  for (int64_t value : values)
    array.push_back(value);
  return array;
}

Error writeQuantizedDump(const OutputDirectory &out, llvm::ArrayRef<QuantizeRecord> records) {
  json::Array index;
  for (auto [i, record] : llvm::enumerate(records)) {
    std::string stem = "q" + std::to_string(i) + "_g" + std::to_string(record.site.gemm) + "_" +
                       std::to_string(record.site.operand) + "_";
    auto write = [&](StringRef part, const Array &array) -> Expected<std::string> {
      std::string file = stem + part.str() + ".npy";
      if (Error error = writeNpy(out.path(file), array))
        return std::move(error);
      return file;
    };
    Expected<std::string> input = write("input", record.input);
    if (!input)
      return input.takeError();
    Expected<std::string> codes = write("codes", record.codes);
    if (!codes)
      return codes.takeError();
    Expected<std::string> scales = write("scales", record.scales);
    if (!scales)
      return scales.takeError();
    json::Value global = nullptr;
    if (record.global) {
      Array scalar = Array::zeros(ElementType::F32, {});
      *scalar.as<float>() = *record.global;
      Expected<std::string> file = write("global", scalar);
      if (!file)
        return file.takeError();
      global = *file;
    }
    json::Object entry{{"schema_version", kSchemaVersion},
                       {"gemm", record.site.gemm},
                       {"role", record.site.role},
                       {"operand", static_cast<int64_t>(record.site.operand)},
                       {"uses", toJSON(record.site.uses)},
                       {"scheme", toJSON(record.site.scheme)},
                       {"rounding", record.site.stochastic ? "stochastic" : "nearest"},
                       {"bits", static_cast<int64_t>(record.site.bits)},
                       {"seed", record.seed},
                       {"stream", static_cast<int64_t>(record.site.stream)},
                       {"step", static_cast<int64_t>(record.step)},
                       {"input", *input},
                       {"codes", *codes},
                       {"scales", *scales},
                       {"global", std::move(global)}};
    if (!record.trips.empty())
      entry["trips"] = toJSON(record.trips);
    index.push_back(std::move(entry));
  }
  std::string text = llvm::formatv("{0:2}\n", json::Value(std::move(index)));
  return writeFile(out.path(kIndex), text);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Error checkShape(const Twine &where, const Array &array, ElementType type,
                        llvm::ArrayRef<int64_t> shape) {
  if (canStandFor(array.type, type) && array.shape == shape.vec())
    return Error::success();
  return fail(where + ": expected " + describe(type, shape) + ", found " + describe(array));
}

/// Checks what a record's arrays must be, given its scheme and its input.
static Error checkRecord(QuantizeRecord &record, const Twine &where) {
  size_t rank = record.input.shape.size();
  if (rank != 2 && rank != 3)
    return fail(where + ".input: expected a view of rank 2 or 3, found " + describe(record.input));
  // Bit patterns without a float type are bf16's.
  if (record.input.type == ElementType::UInt16)
    record.input.type = ElementType::BF16;
  if (record.input.type != ElementType::BF16 && record.input.type != ElementType::F16 &&
      record.input.type != ElementType::F32)
    return fail(where + ".input: expected bf16, f16 or f32, found " + describe(record.input));
  const numerics::Scheme &scheme = record.site.scheme;
  numerics::ViewShape view = record.viewShape();
  std::vector<int64_t> shape = record.input.shape;
  shape.back() = numerics::paddedK(scheme, view.k);
  if (Error error = checkShape(where + ".codes", record.codes, ElementType::UInt8, shape))
    return error;
  shape[rank - 2] = numerics::scaleRows(scheme, view.r);
  shape.back() /= scheme.block;
  ElementType scaleType =
      scheme.scale == numerics::ScaleKind::F32 ? ElementType::F32 : ElementType::UInt8;
  if (Error error = checkShape(where + ".scales", record.scales, scaleType, shape))
    return error;
  bool wantsGlobal = scheme.scale == numerics::ScaleKind::UE4M3;
  if (wantsGlobal != record.global.has_value())
    return fail(where + ".global: expected " +
                (wantsGlobal ? "a file, as the scale is ue4m3, found null"
                             : "null, as the scale is not ue4m3, found a file"));
  return Error::success();
}

static Expected<QuantizeRecord> readRecord(StringRef directory, const json::Value &value,
                                           const std::string &where) {
  Fields fields(value.getAsObject(), where);
  QuantizeRecord record;
  if (uint64_t version = fields.integer("schema_version", 1u << 20);
      version != kSchemaVersion && !fields.failed())
    fields.note("expected schema_version " + Twine(kSchemaVersion) + ", found " + Twine(version));
  record.site.gemm = fields.integer("gemm", INT64_MAX);
  record.site.role = fields.text("role");
  record.site.operand = fields.integer("operand", 1);
  record.site.uses = fields.integers("uses");
  std::string rounding = fields.text("rounding");
  record.site.stochastic = rounding == "stochastic";
  if (!record.site.stochastic && rounding != "nearest")
    fields.note("expected 'rounding' to be nearest or stochastic, found '" + rounding + "'");
  record.site.bits = fields.integer("bits", 16);
  record.site.stream = fields.integer("stream", UINT32_MAX);
  record.seed = fields.integer("seed", UINT64_MAX);
  record.step = fields.integer("step", UINT32_MAX);
  if (!fields.failed() && value.getAsObject()->get("trips"))
    record.trips = fields.integers("trips");
  const json::Value *scheme = fields.get("scheme");
  std::string input = fields.text("input"), codes = fields.text("codes"),
              scales = fields.text("scales");
  const json::Value *global = fields.get("global");
  if (Error error = fields.take())
    return std::move(error);

  Expected<numerics::Scheme> parsed = schemeFromJSON(*scheme, where + ".scheme");
  if (!parsed)
    return parsed.takeError();
  record.site.scheme = *parsed;
  if (record.site.stochastic) {
    numerics::Draw draw{record.seed, record.site.stream, record.step, record.site.bits};
    if (std::optional<std::string> problem = numerics::verifyDraw(draw, *parsed))
      return fail(where + ": " + *problem);
  }

  auto read = [&](StringRef file, Array &array) -> Error {
    llvm::SmallString<256> path(directory);
    llvm::sys::path::append(path, file);
    Expected<Array> found = readNpy(path);
    if (!found)
      return found.takeError();
    array = std::move(*found);
    return Error::success();
  };
  if (Error error = read(input, record.input))
    return std::move(error);
  if (Error error = read(codes, record.codes))
    return std::move(error);
  if (Error error = read(scales, record.scales))
    return std::move(error);
  if (std::optional<StringRef> file = global->getAsString()) {
    Array scalar;
    if (Error error = read(*file, scalar))
      return std::move(error);
    if (scalar.type != ElementType::F32 || scalar.size() != 1)
      return fail(where + ".global: expected one f32, found " + describe(scalar));
    record.global = *scalar.as<float>();
  } else if (!global->getAsNull()) {
    return fail(where + ": expected 'global' to be a file name or null");
  }
  if (Error error = checkRecord(record, where))
    return std::move(error);
  return record;
}

Expected<std::vector<QuantizeRecord>> readQuantizedDump(StringRef directory) {
  llvm::SmallString<256> path(directory);
  llvm::sys::path::append(path, kIndex);
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "%s: cannot read: %s", path.c_str(),
                                   buffer.getError().message().c_str());
  Expected<json::Value> index = json::parse((*buffer)->getBuffer());
  if (!index)
    return fail(path + ": malformed JSON: " + llvm::toString(index.takeError()));
  const json::Array *entries = index->getAsArray();
  if (!entries)
    return fail(path + ": expected an array of records");
  std::vector<QuantizeRecord> records;
  for (auto [i, entry] : llvm::enumerate(*entries)) {
    Expected<QuantizeRecord> record =
        readRecord(directory, entry, (path + ": record " + Twine(i)).str());
    if (!record)
      return record.takeError();
    records.push_back(std::move(*record));
  }
  return records;
}

//===----------------------------------------------------------------------===//
// Replay
//===----------------------------------------------------------------------===//

Expected<std::optional<numerics::Quantized>> quantizeByDefinition(const QuantizeRecord &record) {
  numerics::Draw draw{record.seed, record.site.stream, record.step, record.site.bits};
  return numerics::quantize(record.input.data.data(), record.element(), record.viewShape(),
                            record.site.scheme, record.site.stochastic ? &draw : nullptr);
}

/// The position of a flat index in a row-major shape, `[1, 0, 5]`.
static std::string position(int64_t flat, llvm::ArrayRef<int64_t> shape) {
  std::vector<std::string> parts(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    parts[i] = std::to_string(flat % shape[i]);
    flat /= shape[i];
  }
  return "[" + llvm::join(parts, ", ") + "]";
}

static Error compareBytes(const QuantizeRecord &record, StringRef what, const Array &expected,
                          const void *found, size_t foundBytes) {
  if (foundBytes != expected.data.size())
    return fail(record.describe() + ": expected " + Twine(expected.data.size()) + " bytes of " +
                what + ", found " + Twine(foundBytes));
  const char *bytes = static_cast<const char *>(found);
  unsigned width = byteWidth(expected.type);
  for (size_t i = 0; i < foundBytes; i += width) {
    if (std::memcmp(bytes + i, expected.data.data() + i, width) == 0)
      continue;
    auto hex = [&](const char *element) {
      uint64_t bits = 0;
      std::memcpy(&bits, element, width);
      return "0x" + llvm::utohexstr(bits);
    };
    return fail(record.describe() + ": " + what + position(i / width, expected.shape) +
                ": expected " + hex(expected.data.data() + i) + " as dumped, found " +
                hex(bytes + i));
  }
  return Error::success();
}

static Error judgeQuantize(const QuantizeRecord &record, const ReplayKernels &kernels,
                           ReplayCounts &counts) {
  Expected<std::optional<numerics::Quantized>> made = kernels.quantize(record);
  if (!made)
    return made.takeError();
  const std::optional<numerics::Quantized> &found = *made;
  if (!found) {
    ++counts.skipped;
    return Error::success();
  }
  ++counts.quantizes;
  if (record.global && std::memcmp(&*record.global, &found->global, sizeof(float)) != 0)
    return fail(record.describe() + ": S: expected " + std::to_string(*record.global) +
                " as dumped, found " + std::to_string(found->global));
  size_t scaleBytes = record.site.scheme.scale == numerics::ScaleKind::F32
                          ? found->scalesF32.size() * sizeof(float)
                          : found->scaleBytes.size();
  if (Error error = compareBytes(record, "scales", record.scales, found->scales(), scaleBytes))
    return error;
  return compareBytes(record, "codes", record.codes, found->codes.data(), found->codes.size());
}

static Error judgeGemm(int64_t gemm, const QuantizeRecord &lhs, const QuantizeRecord &rhs,
                       const ReplayKernels &kernels) {
  std::string where = "gemm " + std::to_string(gemm) + ", of the quantizes " + lhs.describe() +
                      " and " + rhs.describe();
  if (std::optional<std::string> problem = numerics::verifyOperands(
          lhs.site.scheme, lhs.viewShape(), rhs.site.scheme, rhs.viewShape()))
    return fail(where + ": " + *problem);
  Expected<std::vector<float>> found = kernels.gemm(lhs, rhs);
  if (!found)
    return found.takeError();
  auto view = [](const QuantizeRecord &record) {
    return numerics::QuantizedView{record.codes.as<uint8_t>(), record.scales.data.data(),
                                   record.global.value_or(0), record.viewShape(),
                                   record.site.scheme};
  };
  int64_t g = lhs.viewShape().g, m = lhs.viewShape().r, n = rhs.viewShape().r;
  size_t count = g * m * n;
  if (found->size() != count)
    return fail(where + ": expected " + Twine(count) + " results, found " + Twine(found->size()));
  std::vector<numerics::GemmBound> bounds(count);
  numerics::gemmExact(view(lhs), view(rhs), nullptr, bounds.data());
  std::vector<numerics::Conformance> verdicts(count);
  numerics::checkBounds(bounds.data(), found->data(), count, numerics::Element::F32,
                        verdicts.data());
  for (size_t i = 0; i < count; ++i) {
    float value = (*found)[i];
    if (verdicts[i] != numerics::Conformance::Violates)
      continue;
    return fail(where + ": C" + position(i, {g, m, n}) + ": expected " +
                std::to_string(bounds[i].exact) + " within " +
                std::to_string(bounds[i].tolerance(value, numerics::Element::F32)) +
                " (G2), found " + std::to_string(value));
  }
  return Error::success();
}

/// Whether two records belong to one execution of a GEMM: the quantize further out ran once for
/// all trips further in.
static bool sameExecution(const QuantizeRecord &a, const QuantizeRecord &b) {
  size_t common = std::min(a.trips.size(), b.trips.size());
  return std::equal(a.trips.begin(), a.trips.begin() + common, b.trips.begin());
}

Expected<ReplayCounts> replay(llvm::ArrayRef<QuantizeRecord> records,
                              const ReplayKernels &kernels) {
  ReplayCounts counts;
  for (const QuantizeRecord &record : records) {
    if (Error error = judgeQuantize(record, kernels, counts))
      return std::move(error);
  }

  // For each GEMM, its operands: the quantize of its own records, and those it shares.
  using Site = std::pair<int64_t, unsigned>;
  std::map<int64_t, std::map<Site, std::vector<const QuantizeRecord *>>> operands;
  for (const QuantizeRecord &record : records) {
    Site site{record.site.gemm, record.site.operand};
    operands[record.site.gemm][site].push_back(&record);
    for (int64_t gemm : record.site.uses)
      if (gemm != record.site.gemm)
        operands[gemm][site].push_back(&record);
  }
  for (const auto &[gemm, sites] : operands) {
    if (sites.size() > 2)
      return fail("gemm " + Twine(gemm) + ": expected at most 2 operands, found " +
                  Twine(sites.size()));
    auto judge = [&, gemm = gemm](const QuantizeRecord &a, const QuantizeRecord &b) -> Error {
      // A shared quantize does not say which operand it is here; the other one's own record does.
      bool swap = (a.site.gemm == gemm && a.site.operand == 1) ||
                  (b.site.gemm == gemm && b.site.operand == 0 && &a != &b);
      ++counts.gemms;
      return swap ? judgeGemm(gemm, b, a, kernels) : judgeGemm(gemm, a, b, kernels);
    };
    if (sites.size() == 1) {
      const auto &[site, own] = *sites.begin();
      if (site.first != gemm || !llvm::is_contained(own.front()->site.uses, gemm))
        continue;
      for (const QuantizeRecord *record : own)
        if (Error error = judge(*record, *record))
          return std::move(error);
      continue;
    }
    for (const QuantizeRecord *a : sites.begin()->second)
      for (const QuantizeRecord *b : std::next(sites.begin())->second)
        if (sameExecution(*a, *b))
          if (Error error = judge(*a, *b))
            return std::move(error);
  }
  return counts;
}

} // namespace ufp4
