//===- Module.cpp - The bindings of ufp4._native --------------------------===//
//
// Thin on purpose: what users see, with its documentation, is the Python package around it.
//
//===----------------------------------------------------------------------===//

#include "Bridge.h"
#include "XlaHandlers.h"

#include "ufp4/Numerics/Quantize.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>

namespace nb = nanobind;
using namespace nb::literals;
using namespace ufp4;
using namespace ufp4::python;

namespace {

using AnyArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

struct FailureException : std::exception {
  explicit FailureException(Failure failure) : failure(std::move(failure)) {}
  const char *what() const noexcept override { return failure.message.c_str(); }
  Failure failure;
};

nb::list convert(const std::vector<python::Diagnostic> &diagnostics) {
  nb::list list;
  for (const python::Diagnostic &diagnostic : diagnostics) {
    nb::dict entry;
    entry["severity"] = diagnostic.severity;
    entry["location"] =
        diagnostic.location.empty() ? nb::object(nb::none()) : nb::cast(diagnostic.location);
    entry["message"] = diagnostic.message;
    entry["notes"] = convert(diagnostic.notes);
    list.append(std::move(entry));
  }
  return list;
}

/// Raises ufp4.Error.
void translate(const std::exception_ptr &pointer, void *) {
  try {
    std::rethrow_exception(pointer);
  } catch (const FailureException &error) {
    nb::object type = nb::module_::import_("ufp4._errors").attr("Error");
    nb::object value = type(error.failure.message, convert(error.failure.diagnostics));
    PyErr_SetObject(type.ptr(), value.ptr());
  }
}

[[noreturn]] void fail(std::string message) {
  throw FailureException(Failure{std::move(message), {}});
}

template <typename T> T unwrap(Result<T> result) {
  if (auto *failure = std::get_if<Failure>(&result))
    throw FailureException(std::move(*failure));
  return std::get<T>(std::move(result));
}

/// Calls without the GIL.
template <typename Call> auto released(Call call) {
  nb::gil_scoped_release release;
  return call();
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

constexpr ElementType kElementTypes[] = {
    ElementType::Bool,   ElementType::Int8,  ElementType::Int16,  ElementType::Int32,
    ElementType::Int64,  ElementType::UInt8, ElementType::UInt16, ElementType::UInt32,
    ElementType::UInt64, ElementType::BF16,  ElementType::F16,    ElementType::F32,
    ElementType::F64};

ElementType parseElementType(const std::string &text) {
  for (ElementType type : kElementTypes)
    if (name(type) == text)
      return type;
  fail("no element type '" + text + "'");
}

Buffer toBuffer(const AnyArray &array, const std::string &type) {
  Buffer buffer{parseElementType(type), {}, array.data(), nullptr};
  if (array.itemsize() != byteWidth(buffer.type))
    fail("expected elements of " + type + ", found " + std::to_string(array.itemsize()) +
         " bytes each");
  for (size_t i = 0; i < array.ndim(); ++i)
    buffer.shape.push_back(array.shape(i));
  return buffer;
}

nb::dlpack::dtype storageType(ElementType type) {
  using nb::dlpack::dtype_code;
  auto bits = static_cast<uint8_t>(8 * byteWidth(type));
  auto code = dtype_code::UInt;
  if (type == ElementType::Bool)
    code = dtype_code::Bool;
  else if (type >= ElementType::F16)
    code = dtype_code::Float;
  else if (type <= ElementType::Int64)
    code = dtype_code::Int;
  // bf16 leaves as its bit patterns: NumPy itself has no such type.
  return {static_cast<uint8_t>(code), bits, 1};
}

/// A NumPy array over memory that `owner` keeps alive.
nb::object toArray(ElementType type, const std::vector<int64_t> &shape, const void *data,
                   std::shared_ptr<void> owner) {
  std::vector<size_t> extents(shape.begin(), shape.end());
  auto *keep = new std::shared_ptr<void>(std::move(owner));
  nb::capsule capsule(keep,
                      [](void *p) noexcept { delete static_cast<std::shared_ptr<void> *>(p); });
  return nb::cast(nb::ndarray<nb::numpy>(const_cast<void *>(data), extents.size(), extents.data(),
                                         capsule, nullptr, storageType(type)));
}

template <typename T>
nb::object toArray(ElementType type, std::vector<int64_t> shape, std::vector<T> values) {
  auto owner = std::make_shared<std::vector<T>>(std::move(values));
  const void *data = owner->data();
  return toArray(type, shape, data, std::move(owner));
}

//===----------------------------------------------------------------------===//
// Numerics
//===----------------------------------------------------------------------===//

numerics::Element toElement(const std::string &type) {
  if (type == "f32")
    return numerics::Element::F32;
  if (type == "bf16")
    return numerics::Element::BF16;
  if (type == "f16")
    return numerics::Element::F16;
  fail("expected elements of float32, bfloat16 or float16, found " + type);
}

/// The value that a library's name stands for.
template <typename T, size_t N>
T choose(const char *what, const std::string &text, const T (&values)[N]) {
  std::string expected;
  for (size_t i = 0; i < N; ++i) {
    if (text == numerics::name(values[i]))
      return values[i];
    expected += (i == 0 ? "" : i + 1 == N ? " or " : ", ") + std::string(numerics::name(values[i]));
  }
  fail(std::string(what) + ": expected " + expected + ", found '" + text + "'");
}

numerics::Scheme makeScheme(const std::string &format, unsigned block, unsigned blockRows,
                            const std::string &scale, const std::string &rule,
                            unsigned rotationSize,
                            std::optional<std::pair<uint64_t, uint64_t>> signs) {
  using numerics::Format;
  using numerics::ScaleKind;
  using numerics::ScaleRule;
  numerics::Scheme scheme;
  scheme.format = choose("format", format, {Format::E1M2, Format::E2M1});
  scheme.block = block;
  scheme.blockRows = blockRows;
  scheme.scale = choose("scale", scale, {ScaleKind::F32, ScaleKind::UE4M3, ScaleKind::UE8M0});
  scheme.rule = choose("scale_rule", rule, {ScaleRule::Ceil, ScaleRule::OcpFloor});
  scheme.rotation = numerics::presetRotation(rotationSize);
  if (signs)
    scheme.rotation.signs = {signs->first, signs->second};
  if (std::optional<std::string> problem = numerics::verifyScheme(scheme))
    fail(*problem);
  return scheme;
}

numerics::ViewShape toView(std::tuple<int64_t, int64_t, int64_t> shape) {
  return {std::get<0>(shape), std::get<1>(shape), std::get<2>(shape)};
}

/// (seed, step, stream, bits), in the order of the package.
using PyDraw = std::tuple<uint64_t, uint32_t, uint32_t, unsigned>;

nb::tuple quantize(const AnyArray &x, const std::string &type,
                   std::tuple<int64_t, int64_t, int64_t> shape, const numerics::Scheme &scheme,
                   std::optional<PyDraw> draw, std::optional<float> amax) {
  numerics::ViewShape view = toView(shape);
  numerics::Element element = toElement(type);
  numerics::Draw drawn{};
  if (draw) {
    drawn = {std::get<0>(*draw), std::get<2>(*draw), std::get<1>(*draw), std::get<3>(*draw)};
    if (std::optional<std::string> problem = numerics::verifyDraw(drawn, scheme))
      fail(*problem);
  }
  int64_t codes = numerics::codeCount(scheme, view), scales = numerics::scaleCount(scheme, view);
  bool wide = scheme.scale == numerics::ScaleKind::F32;
  std::vector<uint8_t> codeBytes(codes), scaleBytes(wide ? 0 : scales);
  std::vector<float> scaleFloats(wide ? scales : 0);
  float global = 0;
  released([&] {
    numerics::quantizeInto(x.data(), element, view, scheme, draw ? &drawn : nullptr,
                           amax ? &*amax : nullptr, nullptr, codeBytes.data(),
                           wide ? static_cast<void *>(scaleFloats.data()) : scaleBytes.data(),
                           &global);
  });
  nb::object scaleArray = wide ? toArray(ElementType::F32, {scales}, std::move(scaleFloats))
                               : toArray(ElementType::UInt8, {scales}, std::move(scaleBytes));
  nb::object s = nb::none();
  if (scheme.scale == numerics::ScaleKind::UE4M3)
    s = nb::cast(global);
  return nb::make_tuple(toArray(ElementType::UInt8, {codes}, std::move(codeBytes)), scaleArray, s);
}

nb::object dequantize(const AnyArray &codes, const AnyArray &scales, float global,
                      std::tuple<int64_t, int64_t, int64_t> shape, const numerics::Scheme &scheme,
                      const std::string &type, bool padded) {
  numerics::ViewShape view = toView(shape);
  numerics::Element element = toElement(type);
  if (int64_t(codes.size()) != numerics::codeCount(scheme, view) || codes.itemsize() != 1)
    fail("codes: expected " + std::to_string(numerics::codeCount(scheme, view)) +
         " of uint8, found " + std::to_string(codes.size()) + " of " +
         std::to_string(codes.itemsize()) + " bytes");
  if (int64_t(scales.size()) != numerics::scaleCount(scheme, view) ||
      scales.itemsize() != numerics::scaleBytes(scheme.scale))
    fail("scales: expected " + std::to_string(numerics::scaleCount(scheme, view)) + " of " +
         std::to_string(numerics::scaleBytes(scheme.scale)) + " bytes, found " +
         std::to_string(scales.size()) + " of " + std::to_string(scales.itemsize()));
  int64_t k = padded ? numerics::paddedK(scheme, view.k) : view.k;
  int64_t count = view.g * view.r * k;
  std::vector<char> values(count * numerics::elementBytes(element));
  released([&] {
    auto into = padded ? numerics::dequantizePaddedInto : numerics::dequantizeInto;
    into(static_cast<const uint8_t *>(codes.data()), scales.data(), global, view, scheme, element,
         values.data());
  });
  return toArray(parseElementType(type), {count}, std::move(values));
}

nb::object rotate(const AnyArray &x, const std::string &type,
                  std::tuple<int64_t, int64_t, int64_t> shape, const numerics::Scheme &scheme) {
  numerics::ViewShape view = toView(shape);
  numerics::Element element = toElement(type);
  int64_t size = scheme.rotation.size, padded = (view.k + size - 1) / size * size;
  std::vector<float> values(view.g * view.r * padded);
  released([&] { numerics::rotateInto(x.data(), element, view, scheme.rotation, values.data()); });
  auto count = static_cast<int64_t>(values.size());
  return toArray(ElementType::F32, {count}, std::move(values));
}

float amax(const AnyArray &x, const std::string &type, std::tuple<int64_t, int64_t, int64_t> shape,
           const numerics::Scheme &scheme) {
  numerics::Element element = toElement(type);
  return released([&] { return numerics::amax(x.data(), element, toView(shape), scheme); });
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

using Inputs = std::vector<std::pair<AnyArray, std::string>>;

std::vector<Buffer> toBuffers(const Inputs &inputs) {
  std::vector<Buffer> buffers;
  for (const auto &[array, type] : inputs)
    buffers.push_back(toBuffer(array, type));
  return buffers;
}

/// Pairs of an array and its element type's name.
nb::list callProgram(Program &program, const Inputs &inputs, uint64_t seed, uint32_t step,
                     unsigned threads) {
  std::vector<Buffer> buffers = toBuffers(inputs);
  nb::list results;
  for (Buffer &result :
       unwrap(released([&] { return program.call(buffers, seed, step, threads); })))
    results.append(nb::make_tuple(toArray(result.type, result.shape, result.data, result.owner),
                                  std::string(name(result.type))));
  return results;
}

} // namespace

NB_MODULE(_native, m) {
  m.doc() = "The compiler's bindings; the package ufp4 is their interface.";
  nb::register_exception_translator(translate);

  m.def("version", &version);
  m.def("recipes", &describeRecipes, "The table of recipes, as JSON.");
  m.def("capabilities", &describeCapabilities, "The table of chips, as JSON.");
  m.def("formats", &describeFormats, "Formats, scales, blocks and rotations, as JSON.");

  m.def(
      "opt",
      [](const std::string &text, const std::string &name, const std::string &pipeline,
         bool generic, bool debugInfo) {
        return unwrap(released([&] {
          return runPipeline(text, name, pipeline, {generic, debugInfo});
        }));
      },
      "text"_a, "name"_a, "pipeline"_a, "generic"_a, "debug_info"_a);
  m.def(
      "rewrite",
      [](const std::string &text, const std::string &name, const std::string &recipe,
         std::vector<std::string> params, const std::string &exclude, unsigned skipFirst,
         unsigned skipLast, bool includeF32, bool failOnMiss, bool generic, bool debugInfo) {
        RewriteOptions options{recipe,   std::move(params), exclude,   skipFirst,
                               skipLast, includeF32,        failOnMiss};
        Rewritten result = unwrap(released([&] {
          return rewrite(text, name, options, {generic, debugInfo});
        }));
        return std::make_tuple(std::move(result.text), std::move(result.decisions));
      },
      "text"_a, "name"_a, "recipe"_a, "params"_a, "exclude"_a, "skip_first"_a, "skip_last"_a,
      "include_f32"_a, "fail_on_miss"_a, "generic"_a, "debug_info"_a,
      "The rewritten module's text and decisions.json.");

  nb::class_<Program>(m, "Program")
      .def_prop_ro("signature", &Program::signature)
      .def("call", &callProgram, "inputs"_a, "seed"_a, "step"_a, "threads"_a)
      .def(
          "report",
          [](Program &program, const Inputs &inputs, uint64_t seed, uint32_t step,
             const std::vector<std::string> &compare, const std::string &decisions) {
            std::vector<Buffer> buffers = toBuffers(inputs);
            ReportTexts texts = unwrap(
                released([&] { return program.report(buffers, seed, step, compare, decisions); }));
            return std::make_pair(texts.json, texts.html);
          },
          "inputs"_a, "seed"_a, "step"_a, "compare"_a, "decisions"_a);
  m.def(
      "compile",
      [](const std::string &text, const std::string &name, const std::string &entry, bool record) {
        return unwrap(released([&] { return Program::compile(text, name, entry, record); }));
      },
      "text"_a, "name"_a, "entry"_a, "record"_a);

  nb::class_<numerics::Scheme>(m, "Scheme")
      .def_prop_ro("format", [](const numerics::Scheme &s) { return numerics::name(s.format); })
      .def_ro("block", &numerics::Scheme::block)
      .def_ro("block_rows", &numerics::Scheme::blockRows)
      .def_prop_ro("scale", [](const numerics::Scheme &s) { return numerics::name(s.scale); })
      .def_prop_ro("scale_rule", [](const numerics::Scheme &s) { return numerics::name(s.rule); })
      .def_prop_ro("rotation_size", [](const numerics::Scheme &s) { return s.rotation.size; })
      .def_prop_ro("rotation_words",
                   [](const numerics::Scheme &s) {
                     return std::make_pair(s.rotation.signs[0], s.rotation.signs[1]);
                   })
      .def("padded_k", [](const numerics::Scheme &s, int64_t k) { return paddedK(s, k); });
  m.def("scheme", &makeScheme, "format"_a, "block"_a, "block_rows"_a, "scale"_a, "scale_rule"_a,
        "rotation_size"_a, "signs"_a.none());
  m.def("quantize", &quantize, "x"_a, "type"_a, "shape"_a, "scheme"_a, "draw"_a.none(),
        "amax"_a.none());
  m.def("dequantize", &dequantize, "codes"_a, "scales"_a, "global_scale"_a, "shape"_a, "scheme"_a,
        "type"_a, "padded"_a);
  m.def("rotate", &rotate, "x"_a, "type"_a, "shape"_a, "scheme"_a);
  m.def("amax", &amax, "x"_a, "type"_a, "shape"_a, "scheme"_a);

  m.def("compiled_gemm_calls", &compiledGemmCalls,
        "How many functions have been compiled for custom calls.");
  m.def(
      "xla_handlers",
      [] {
        nb::dict handlers;
        for (const XlaHandler &handler : xlaHandlers())
          handlers[nb::make_tuple(handler.platform, handler.target)] =
              nb::capsule(handler.function, "xla._CUSTOM_CALL_TARGET");
        return handlers;
      },
      "Handlers of XLA's foreign function interface by platform and target; empty if the package "
      "was built without jaxlib's headers.");
}
