//===- CustomCall.cpp - What custom calls compute, on the CPU -------------===//

#include "ufp4/Driver/CustomCall.h"

#include "CallFunction.h"

#include "ufp4/Driver/Driver.h"
#include "ufp4/Numerics/FloatEnvironment.h"
#include "ufp4/Support/Error.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace ufp4 {

struct GemmCalls::Function {
  std::once_flag compiled;
  std::unique_ptr<JitModule> jit;
  std::vector<int64_t> resultShape;
  std::string problem;

  /// `build` makes the function `entry`.
  void compile(StringRef entry, llvm::function_ref<func::FuncOp(MLIRContext &, ModuleOp)> build) {
    // Parsing and folding floats must not depend on the caller's mode either.
    numerics::FloatEnvironment environment;
    DialectRegistry registry;
    registerDriverDialects(registry);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.printOpOnDiagnostic(false);
    loadDriverDialects(context);
    ErrorText errors(context);
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    func::FuncOp function = build(context, *module);
    if (!function || failed(verify(*module))) {
      problem = errors.take("the call cannot be built");
      return;
    }
    resultShape = cast<ShapedType>(function.getResultTypes().front()).getShape().vec();
    if (failed(lowerQuantizes(*module))) {
      problem = errors.take("the call cannot be lowered");
      return;
    }
    Expected<std::unique_ptr<JitModule>> result = compileForCPU(*module, /*outParams=*/true);
    if (!result) {
      problem = llvm::toString(result.takeError());
      problem = errors.take(problem);
      return;
    }
    if (Error error = (*result)->prepare(entry))
      problem = llvm::toString(std::move(error));
    else
      jit = std::move(*result);
  }
};

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

GemmCalls::GemmCalls() = default;
GemmCalls::~GemmCalls() = default;

size_t GemmCalls::size() {
  std::lock_guard<std::mutex> lock(mutex);
  return functions.size();
}

std::shared_ptr<GemmCalls::Function> GemmCalls::get(const std::string &key) {
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<Function> &entry = functions[key];
  if (!entry)
    entry = std::make_shared<Function>();
  return entry;
}

Error GemmCalls::run(const GemmCall &call, const void *lhs, const void *rhs, const void *rng,
                     void *result) {
  if (Error error = verifyCall(call, rng))
    return error;
  if (call.resultCount == 0)
    return Error::success();
  // A sum of nothing is zero.
  if (isSumOfNothing(call)) {
    std::memset(result, 0, call.resultCount * byteWidth(call.resultType));
    return Error::success();
  }

  std::shared_ptr<Function> function = get(getKey(call));
  std::call_once(function->compiled, [&] {
    function->compile("gemm", [&](MLIRContext &context, ModuleOp module) {
      return buildGemm(context, module, call, CallMemory::Host);
    });
  });
  if (!function->jit)
    return fail(call.target() + ": " + function->problem);

  const uint32_t none[3] = {};
  const int64_t none64 = 0;
  const uint32_t streams[2] = {static_cast<uint32_t>(call.operands[0].stream),
                               static_cast<uint32_t>(call.operands[1].stream)};
  SmallVector<int64_t> offsets = getOffsets(call);
  float maxima[2] = {};
  for (auto [operand, maximum] : llvm::zip_equal(call.operands, maxima))
    if (operand.amax)
      maximum = *operand.amax;
  const int64_t words = 3, sides = 2, ranks = offsets.size(), one = 1;
  SmallVector<int64_t> shapes[2] = {getArrayShape(call.operands[0]),
                                    getArrayShape(call.operands[1])};
  SmallVector<ArrayView> arguments{ArrayView(call.operands[0].type, shapes[0], lhs),
                                   ArrayView(call.operands[1].type, shapes[1], rhs),
                                   ArrayView(ElementType::Int32, words, rng ? rng : none),
                                   ArrayView(ElementType::Int32, sides, streams)};
  int64_t count = 0;
  if (call.groups) {
    count = call.groups->sizes.size();
    arguments.push_back(ArrayView(ElementType::Int32, count, call.groups->sizes.data()));
    arguments.push_back(
        ArrayView(ElementType::Int64, one, call.groups->first ? call.groups->first : &none64));
    for (const GemmCallOperand &operand : call.operands)
      if (operand.rows)
        arguments.push_back(
            ArrayView(ElementType::Int32, operand.shape.take_front(), operand.rows));
  } else {
    arguments.push_back(ArrayView(ElementType::Int64, ranks, offsets.data()));
    arguments.push_back(ArrayView(ElementType::F32, sides, maxima));
  }
  return function->jit->callInto("gemm", arguments,
                                 {ArrayView(call.resultType, function->resultShape, result)});
}

Error GemmCalls::runAmax(const GemmCallOperand &operand, const void *input, float *result) {
  if (Error error = verifyView(operand, "ufp4.amax", ""))
    return error;
  *result = 0;
  if (llvm::is_contained(operand.shape, 0))
    return Error::success();
  std::shared_ptr<Function> function = get(getKey(operand));
  std::call_once(function->compiled, [&] {
    function->compile("amax", [&](MLIRContext &context, ModuleOp module) {
      return buildAmax(context, module, operand, CallMemory::Host);
    });
  });
  if (!function->jit)
    return fail("ufp4.amax: " + function->problem);
  return function->jit->callInto("amax", {ArrayView(operand.type, operand.shape, input)},
                                 {ArrayView(ElementType::F32, function->resultShape, result)});
}

} // namespace ufp4
