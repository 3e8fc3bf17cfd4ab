//===- Harness.cpp - Compiled code against the numerics library -----------===//

#include "Harness.h"

#include "ufp4/Conversion/CPU/Passes.h"
#include "ufp4/Conversion/UFP4ToLinalg/Passes.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace ufp4::test {

static DialectRegistry &registry() {
  static DialectRegistry &registry = *[] {
    auto *registry = new DialectRegistry;
    registerCPUPipelineDialects(*registry);
    registerAllToLLVMIRTranslations(*registry);
    registry->insert<UFP4Dialect>();
    registerTransformsPasses();
    registerUFP4ToLinalgPasses();
    return registry;
  }();
  return registry;
}

const char *name(Lowering lowering) {
  switch (lowering) {
  case Lowering::Linalg:
    return "linalg";
  case Lowering::Vector:
    return "vector";
  case Lowering::Vector8:
    return "vector8";
  case Lowering::Vector4:
    return "vector4";
  }
  return "";
}

[[noreturn]] static void abortWith(const std::string &what, const std::string &text) {
  llvm::errs() << what << " in\n" << text << "\n";
  std::abort();
}

Program::Program(const std::string &text, Lowering lowering) {
  MLIRContext context(registry(), MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    abortWith("a syntax error", text);
  PassManager upper(&context), lower(&context);
  UFP4ToVectorOptions vectors;
  vectors.lanes = lowering == Lowering::Vector4 ? 4 : lowering == Lowering::Vector8 ? 8 : 16;
  if (lowering == Lowering::Linalg)
    upper.addPass(createUFP4ToLinalg());
  else
    upper.addPass(createUFP4ToVector(vectors));
  buildUFP4ToCPUPipeline(lower);
  if (failed(upper.run(*module)))
    abortWith("a failed lowering", text);
  auto signature = readSignature(llvm::cantFail(findEntry(*module, "main")));
  if (!signature)
    abortWith(llvm::toString(signature.takeError()), text);
  entry = std::move(*signature);
  if (failed(lower.run(*module)))
    abortWith("a failed CPU pipeline", text);
  auto compiled = JitModule::create(*module);
  if (!compiled)
    abortWith(llvm::toString(compiled.takeError()), text);
  jit = std::move(*compiled);
}

Program::~Program() = default;

std::vector<Array> Program::call(const std::vector<Array> &arguments) const {
  auto results = jit->call(entry, arguments);
  if (!results)
    abortWith(llvm::toString(results.takeError()), entry.name);
  return std::move(*results);
}

std::string transform(const std::string &text, const std::string &pipeline) {
  MLIRContext context(registry(), MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  PassManager passes(&context);
  if (!module || failed(parsePassPipeline(pipeline, passes)) || failed(passes.run(*module)))
    abortWith("a failed pipeline", text);
  std::string result;
  llvm::raw_string_ostream stream(result);
  module->print(stream);
  return result;
}

ElementType elementTypeOf(numerics::Element element) {
  switch (element) {
  case numerics::Element::F32:
    return ElementType::F32;
  case numerics::Element::BF16:
    return ElementType::BF16;
  case numerics::Element::F16:
    return ElementType::F16;
  }
  return ElementType::F32;
}

std::string spell(numerics::Element element) { return name(elementTypeOf(element)).str(); }

std::string spell(const numerics::Scheme &scheme) {
  MLIRContext context(registry(), MLIRContext::Threading::DISABLED);
  context.loadDialect<UFP4Dialect>();
  std::string result;
  llvm::raw_string_ostream stream(result);
  SchemeAttr::get(&context, scheme).Attribute::print(stream);
  return result;
}

Array fill(Fill kind, numerics::Element element, std::vector<int64_t> shape, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  Array array = Array::zeros(elementTypeOf(element), shape);
  auto store = [&](int64_t i, float value) {
    if (element == numerics::Element::F32)
      array.as<float>()[i] = value;
    else
      array.as<uint16_t>()[i] = element == numerics::Element::BF16 ? numerics::f32ToBF16(value)
                                                                   : numerics::f32ToF16(value);
  };
  int range = element == numerics::Element::F16 ? 8 : 60;
  static constexpr float edges[] = {0.0f,      -0.0f,       0x1p-120f,      0x1.fffffep-121f,
                                    0x1p-149f, -0x1p-126f,  0x1.cp-118f,    0x1.8p-118f,
                                    7.0f,      448.0f,      -6.0f,          0x1p-24f,
                                    65504.0f,  0x1.fep127f, 0x1.fffffep127f};
  float scale = 1;
  for (int64_t i = 0; i < array.size(); ++i) {
    if (i % 16 == 0)
      scale = std::ldexp(1.0f, int(random() % (2 * range)) - range);
    switch (kind) {
    case Fill::Normal:
      store(i, normal(random) * scale);
      break;
    case Fill::Bits:
      // Mostly finite, or all would be poisoned.
      if (element == numerics::Element::F32)
        array.as<uint32_t>()[i] = uint32_t(random()) & (random() % 64 ? 0xBFFFFFFF : 0xFFFFFFFF);
      else
        array.as<uint16_t>()[i] = uint16_t(random()) & (random() % 64 ? 0xBFFF : 0xFFFF);
      break;
    case Fill::Grid:
      store(i, (int(random() % 57) - 28) * 0.25f);
      break;
    case Fill::Edges: {
      float value = edges[random() % std::size(edges)];
      store(i, random() % 3 ? value * 0.125f : value);
      break;
    }
    }
  }
  return array;
}

Array toView(const Array &natural, int64_t along) {
  Array view = natural;
  unsigned width = byteWidth(natural.type);
  int64_t outer = 1, inner = 1, k = natural.shape[along];
  for (size_t i = 0; i < natural.shape.size(); ++i)
    (int64_t(i) < along ? outer : inner) *= int64_t(i) == along ? 1 : natural.shape[i];
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < k; ++i)
      for (int64_t j = 0; j < inner; ++j)
        std::memcpy(view.data.data() + ((o * inner + j) * k + i) * width,
                    natural.data.data() + ((o * k + i) * inner + j) * width, width);
  view.shape.erase(view.shape.begin() + along);
  view.shape.push_back(k);
  return view;
}

Gathered scatter(const Array &x) {
  int64_t count = x.shape[0], sourceRows = 2 * count + 1;
  size_t bytes = x.data.size() / std::max<int64_t>(count, 1);
  Gathered result{Array::zeros(x.type, {sourceRows, x.shape[1]}),
                  Array::zeros(ElementType::Int32, {count})};
  std::fill(result.source.data.begin(), result.source.data.end(), char(0xFF));
  for (int64_t i = 0; i < count; ++i) {
    // The first and the last of the source by indices beyond them.
    int64_t row = i == 0 ? 0 : i == 1 ? sourceRows - 1 : 2 * (count - i);
    result.rows.as<int32_t>()[i] = i == 0 ? -5 : i == 1 ? sourceRows + 9 : row;
    std::copy_n(x.data.begin() + i * bytes, bytes, result.source.data.begin() + row * bytes);
  }
  return result;
}

numerics::ViewShape viewShape(const std::vector<int64_t> &shape, int64_t along) {
  std::vector<int64_t> leading(shape);
  numerics::ViewShape view;
  view.k = shape[along];
  leading.erase(leading.begin() + along);
  view.r = leading.empty() ? 1 : leading.back();
  if (!leading.empty())
    leading.pop_back();
  for (int64_t extent : leading)
    view.g *= extent;
  return view;
}

static std::string join(const std::vector<int64_t> &shape, int64_t fixed, bool dynamic) {
  std::string result;
  for (size_t i = 0; i < shape.size(); ++i)
    result += (dynamic && int64_t(i) != fixed ? "?" : std::to_string(shape[i])) + "x";
  return result;
}

std::string Case::describe() const {
  return spell(scheme) + " " + join(shape, along, dynamic) + spell(element) + " along " +
         std::to_string(along) + " bits " + std::to_string(bits) + (amaxOperand ? " amax" : "") +
         (place ? " place" : "");
}

static std::string listsOf(const std::vector<int64_t> (&lists)[3], bool operands) {
  std::string result = "[";
  int operand = 0;
  for (const auto &list : lists) {
    result += result.size() > 1 ? ", [" : "[";
    for (size_t i = 0; i < list.size(); ++i)
      result +=
          (i ? ", " : "") + (operands ? "%o" + std::to_string(operand++) : std::to_string(list[i]));
    result += "]";
  }
  return result + "]";
}

/// `main` takes the tensor, seed, step, amax and the place's offsets.
static std::string textOf(const Case &test) {
  std::string dims = join(test.shape, test.along, test.dynamic);
  std::string real = "tensor<" + dims + spell(test.element) + ">";
  dims.pop_back();
  std::string quantized = "!ufp4.tensor<" + dims + ", " + spell(test.scheme) +
                          ", along = " + std::to_string(test.along) + ">";
  std::string clauses;
  if (test.amaxOperand)
    clauses += " amax(%amax)";
  if (test.bits)
    clauses += " stochastic(%seed, %step)";
  std::string extracts;
  if (test.place) {
    int64_t count = 0;
    for (const auto &list : test.place->at)
      for (size_t i = 0; i < list.size(); ++i, ++count) {
        std::string n = std::to_string(count);
        extracts += "  %c" + n + " = arith.constant " + n + " : index\n  %o" + n +
                    " = tensor.extract %o[%c" + n + "] : tensor<?xi64>\n";
      }
    clauses += " at " + listsOf(test.place->at, true) + " of " + listsOf(test.place->of, false) +
               " part " + listsOf(test.place->part, false);
  }
  if (test.bits)
    clauses +=
        " {stream = " + std::to_string(test.stream) + ", bits = " + std::to_string(test.bits) + "}";
  return "func.func @main(%x: " + real +
         ", %seeds: tensor<i64>, %steps: tensor<i32>, %amaxs: tensor<f32>, %o: tensor<?xi64>) -> " +
         quantized +
         " {\n  %seed = tensor.extract %seeds[] : tensor<i64>\n"
         "  %step = tensor.extract %steps[] : tensor<i32>\n"
         "  %amax = tensor.extract %amaxs[] : tensor<f32>\n" +
         extracts + "  %q = ufp4.quantize %x along " + std::to_string(test.along) + clauses +
         " : " + real + " -> " + quantized + "\n  return %q : " + quantized + "\n}\n";
}

QuantizeProgram::QuantizeProgram(const Case &test, Lowering lowering)
    : test(test), program(textOf(test), lowering) {}

std::string QuantizeProgram::compare(const Array &x, uint64_t seed, uint32_t step,
                                     float amax) const {
  std::vector<int64_t> offsets;
  if (test.place)
    for (const auto &list : test.place->at)
      offsets.insert(offsets.end(), list.begin(), list.end());
  Array offsetArray = Array::zeros(ElementType::Int64, {int64_t(offsets.size())});
  std::copy(offsets.begin(), offsets.end(), offsetArray.as<int64_t>());
  std::vector<Array> found =
      program.call({x, scalar(ElementType::Int64, seed), scalar(ElementType::Int32, step),
                    scalar(ElementType::F32, amax), offsetArray});

  Array view = toView(x, test.along);
  numerics::Draw draw{seed, test.stream, step, test.bits};
  numerics::Quantized expected =
      numerics::quantize(view.data.data(), test.element, viewShape(x.shape, test.along),
                         test.scheme, test.bits ? &draw : nullptr,
                         test.amaxOperand ? &amax : nullptr, test.place ? &*test.place : nullptr);
  auto differ = [&](const char *what, const void *want, size_t bytes, const Array &have,
                    unsigned width) -> std::string {
    if (bytes != have.data.size())
      return std::string(what) + ": expected " + std::to_string(bytes) + " bytes, found " +
             std::to_string(have.data.size());
    for (size_t i = 0; i < bytes; i += width)
      if (std::memcmp(static_cast<const char *>(want) + i, have.data.data() + i, width)) {
        uint32_t w = 0, h = 0;
        std::memcpy(&w, static_cast<const char *>(want) + i, width);
        std::memcpy(&h, have.data.data() + i, width);
        return std::string(what) + " " + std::to_string(i / width) + ": expected " +
               std::to_string(w) + ", found " + std::to_string(h);
      }
    return "";
  };
  bool isF32 = test.scheme.scale == numerics::ScaleKind::F32;
  size_t scaleBytes = isF32 ? expected.scalesF32.size() * 4 : expected.scaleBytes.size();
  const void *scales =
      isF32 ? static_cast<const void *>(expected.scalesF32.data()) : expected.scaleBytes.data();
  std::string result = differ("scale", scales, scaleBytes, found[1], isF32 ? 4 : 1);
  if (result.empty() && test.scheme.scale == numerics::ScaleKind::UE4M3)
    result = differ("S", &expected.global, 4, found[2], 4);
  if (result.empty())
    result = differ("code", expected.codes.data(), expected.codes.size(), found[0], 1);
  return result;
}

} // namespace ufp4::test
