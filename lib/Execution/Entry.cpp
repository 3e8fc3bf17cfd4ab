//===- Entry.cpp - A function to run and what it takes --------------------===//

#include "ufp4/Execution/Entry.h"

#include "ufp4/Support/Error.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace ufp4 {

Expected<func::FuncOp> findEntry(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> candidates;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isDeclaration())
      candidates.push_back(function);
  auto list = [&] {
    SmallVector<StringRef> names;
    for (func::FuncOp function : candidates)
      names.push_back(function.getName());
    return names.empty() ? std::string("none") : llvm::join(names, ", ");
  };
  if (name.empty()) {
    if (candidates.size() == 1)
      return candidates.front();
    if (candidates.empty())
      return fail("expected a public func.func with a body to run, found none");
    return fail("expected exactly one public function, found " + Twine(candidates.size()) + ": " +
                list() + "; choose one with --entry=NAME");
  }
  for (func::FuncOp function : candidates)
    if (function.getName() == name)
      return function;
  return fail("no public function '" + name + "' with a body; the module has: " + list());
}

static Expected<TensorSignature> readTensor(Type type, const Twine &what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  TensorSignature signature;
  if (!tensor || !elementTypeOf(tensor.getElementType(), signature.type)) {
    std::string found;
    llvm::raw_string_ostream(found) << type;
    return fail(what +
                ": expected a ranked tensor of i1, i8, i16, i32, i64, bf16, f16, f32 or "
                "f64, found " +
                found + (tensor ? "" : "; wrap a scalar as tensor<TYPE>"));
  }
  signature.shape = tensor.getShape().vec();
  return signature;
}

Expected<EntrySignature> readSignature(func::FuncOp function) {
  EntrySignature signature;
  signature.name = function.getName().str();
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    Expected<TensorSignature> argument = readTensor(
        function.getArgument(i).getType(), "argument " + Twine(i) + " of '" + signature.name + "'");
    if (!argument)
      return argument.takeError();
    if (auto name = function.getArgAttrOfType<StringAttr>(i, kArgumentNameAttr))
      argument->name = name.str();
    if (function.getArgAttr(i, kRngArgumentAttr)) {
      if (argument->type != ElementType::Int32 || argument->shape != std::vector<int64_t>{3})
        return fail("argument " + Twine(i) + " of '" + signature.name + "' is marked " +
                    kRngArgumentAttr + ": expected tensor<3xi32>, found " +
                    describe(argument->type, argument->shape));
      if (signature.rng)
        return fail("arguments " + Twine(*signature.rng) + " and " + Twine(i) + " of '" +
                    signature.name + "' are both marked " + kRngArgumentAttr +
                    "; expected at most one");
      signature.rng = i;
    }
    signature.arguments.push_back(std::move(*argument));
  }
  if (auto rules = function->getAttrOfType<ArrayAttr>(kExtentsAttr))
    for (auto rule : rules.getAsRange<DenseI64ArrayAttr>()) {
      ExtentRule &read = signature.extentRules.emplace_back();
      read.argument = rule[0];
      read.dim = rule[1];
      if (rule.size() == 3) {
        read.value = rule[2];
        continue;
      }
      read.otherArgument = rule[2];
      read.otherDim = rule[3];
    }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    Expected<TensorSignature> result =
        readTensor(type, "result " + Twine(i) + " of '" + signature.name + "'");
    if (!result)
      return result.takeError();
    signature.results.push_back(std::move(*result));
  }
  return signature;
}

static bool matches(const TensorSignature &expected, const ArrayView &found) {
  if (!canStandFor(found.type, expected.type) || expected.shape.size() != found.shape.size())
    return false;
  for (auto [want, have] : llvm::zip(expected.shape, found.shape))
    if (!ShapedType::isDynamic(want) && want != have)
      return false;
  return true;
}

Error verifyInputs(const EntrySignature &signature, llvm::ArrayRef<ArrayView> inputs) {
  if (inputs.size() != signature.inputCount())
    return fail("'" + signature.name + "' expected " + Twine(signature.inputCount()) +
                " inputs, found " + Twine(inputs.size()) +
                (signature.rng ? "; the rng argument is not counted" : ""));
  for (auto [i, input] : llvm::enumerate(inputs)) {
    const TensorSignature &argument =
        signature.arguments[i + (signature.rng && i >= *signature.rng)];
    if (!matches(argument, input))
      return fail("input " + Twine(i) + (argument.name.empty() ? "" : " (" + argument.name + ")") +
                  " of '" + signature.name + "': expected " +
                  describe(argument.type, argument.shape) + ", found " +
                  describe(input.type, input.shape));
  }
  auto inputOf = [&](unsigned argument) {
    return argument - (signature.rng && argument > *signature.rng);
  };
  auto describeInput = [&](unsigned argument) {
    const std::string &name = signature.arguments[argument].name;
    return "input " + std::to_string(inputOf(argument)) + (name.empty() ? "" : " (" + name + ")");
  };
  for (const ExtentRule &rule : signature.extentRules) {
    int64_t found = inputs[inputOf(rule.argument)].shape[rule.dim];
    int64_t expected =
        rule.value ? *rule.value : inputs[inputOf(rule.otherArgument)].shape[rule.otherDim];
    if (found != expected)
      return fail(describeInput(rule.argument) + " of '" + signature.name + "': expected extent " +
                  Twine(rule.dim) + " to be " + Twine(expected) +
                  (rule.value ? std::string()
                              : ", extent " + std::to_string(rule.otherDim) + " of " +
                                    describeInput(rule.otherArgument)) +
                  ", found " + Twine(found));
  }
  return Error::success();
}

std::array<uint32_t, 3> rngWords(uint64_t seed, uint32_t step) {
  return {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32), step};
}

Expected<std::vector<Array>> bindInputs(const EntrySignature &signature, std::vector<Array> inputs,
                                        uint64_t seed, uint32_t step) {
  if (Error error = verifyInputs(signature, std::vector<ArrayView>(inputs.begin(), inputs.end())))
    return error;
  if (signature.rng) {
    Array rng = Array::zeros(ElementType::Int32, {3});
    llvm::copy(rngWords(seed, step), rng.as<uint32_t>());
    inputs.insert(inputs.begin() + *signature.rng, std::move(rng));
  }
  for (auto [input, argument] : llvm::zip_equal(inputs, signature.arguments))
    input.type = argument.type;
  return inputs;
}

Expected<std::vector<Array>> randomInputs(const EntrySignature &signature, uint64_t seed) {
  std::vector<Array> inputs;
  for (auto [i, argument] : llvm::enumerate(signature.arguments)) {
    if (signature.rng == i)
      continue;
    if (llvm::is_contained(argument.shape, ShapedType::kDynamic))
      return fail("argument " + Twine(i) + " of '" + signature.name + "' is " +
                  describe(argument.type, argument.shape) +
                  ": random inputs need static sizes; give .npy files instead");
    inputs.push_back(randomArray(argument.type, argument.shape, seed, inputs.size()));
  }
  return inputs;
}

} // namespace ufp4
