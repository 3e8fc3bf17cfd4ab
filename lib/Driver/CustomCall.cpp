//===- CustomCall.cpp - What `ufp4.gemm` computes, on the CPU -------------===//

#include "ufp4/Driver/CustomCall.h"
#include "ufp4/Driver/Driver.h"

#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Numerics/FloatEnvironment.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace ufp4 {

static Error fail(const Twine &message) {
  return llvm::createStringError(std::errc::invalid_argument, "%s", message.str().c_str());
}

namespace {

/// The three groups of a view, each as the operand's dimensions that it merges.
struct Groups {
  ArrayRef<int64_t> dims[3];
};

/// An operand as a quantize takes it: which dimension is G (-1: none), which K.
struct Arranged {
  Value value;
  int64_t batch, along;
};

constexpr StringLiteral kSides[] = {"lhs", "rhs"};

} // namespace

//===----------------------------------------------------------------------===//
// The contract's rules
//===----------------------------------------------------------------------===//

static Groups getGroups(const GemmCallOperand &operand) {
  Groups groups;
  ArrayRef<int64_t> rest = operand.view;
  for (unsigned i = 0; i < 3; ++i) {
    groups.dims[i] = rest.take_front(operand.groups[i]);
    rest = rest.drop_front(operand.groups[i]);
  }
  return groups;
}

static int64_t getExtent(const GemmCallOperand &operand, ArrayRef<int64_t> dims) {
  int64_t extent = 1;
  for (int64_t dim : dims)
    extent *= operand.shape[dim];
  return extent;
}

static Error verifyOperand(const GemmCallOperand &operand, StringRef side) {
  auto bad = [&](const Twine &what) { return fail("ufp4.gemm: " + side + what); };
  if (operand.type != ElementType::BF16 && operand.type != ElementType::F16 &&
      operand.type != ElementType::F32)
    return bad(": expected bf16, f16 or f32, found " + name(operand.type));
  size_t rank = operand.shape.size();
  SmallVector<int64_t> sorted(operand.view);
  llvm::sort(sorted);
  if (rank == 0 || !llvm::equal(sorted, llvm::seq<int64_t>(0, rank)))
    return bad(
        "_view: expected a permutation of the operand's " + Twine(rank) + " dimensions, found [" +
        llvm::join(llvm::map_range(operand.view, [](int64_t dim) { return std::to_string(dim); }),
                   ", ") +
        "]");
  int64_t total = 0;
  for (int64_t group : operand.groups)
    total = group < 0 ? -1 : total + group;
  if (operand.groups.size() != 3 || total != static_cast<int64_t>(rank) ||
      llvm::any_of(operand.groups, [](int64_t group) { return group < 0; }))
    return bad("_groups: expected three numbers that add up to the rank, " + Twine(rank));
  if (operand.rounding != "nearest" && operand.rounding != "stochastic")
    return bad("_rounding: expected nearest or stochastic, found '" + operand.rounding + "'");
  if (operand.isStochastic() && operand.bits != 16 && operand.bits != 8)
    return bad("_bits: expected 16 or 8, found " + Twine(operand.bits));
  return Error::success();
}

static Error verifyCall(const GemmCall &call) {
  for (auto [operand, side] : llvm::zip_equal(call.operands, kSides))
    if (Error error = verifyOperand(operand, side))
      return error;
  const GemmCallOperand &lhs = call.operands[0], &rhs = call.operands[1];
  Groups left = getGroups(lhs), right = getGroups(rhs);
  for (unsigned group : {0, 2})
    if (getExtent(lhs, left.dims[group]) != getExtent(rhs, right.dims[group]))
      return fail("ufp4.gemm: the operands differ in " + Twine(group ? "K" : "G") + ": " +
                  Twine(getExtent(lhs, left.dims[group])) + " and " +
                  Twine(getExtent(rhs, right.dims[group])));
  if (call.resultType != ElementType::BF16 && call.resultType != ElementType::F16 &&
      call.resultType != ElementType::F32)
    return fail("ufp4.gemm: expected a result of bf16, f16 or f32, found " + name(call.resultType));
  int64_t count =
      getExtent(lhs, left.dims[0]) * getExtent(lhs, left.dims[1]) * getExtent(rhs, right.dims[1]);
  if (count != call.resultCount)
    return fail("ufp4.gemm: expected a result of G M N = " + Twine(count) + " elements, found " +
                Twine(call.resultCount));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

static Type getType(OpBuilder &b, ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return b.getBF16Type();
  case ElementType::F16:
    return b.getF16Type();
  default:
    return b.getF32Type();
  }
}

/// Brings an operand to [G, R, K], or [R, K] where G is 1, K standing wherever it lies in memory
/// if only rows follow each other as the view says; otherwise transposed.
static Arranged arrange(ImplicitLocOpBuilder &b, Value value, const GemmCallOperand &operand) {
  Groups groups = getGroups(operand);
  bool hasBatch = getExtent(operand, groups.dims[0]) != 1;
  SmallVector<int64_t> rows(groups.dims[1]);
  // A batch of one stands among the rows.
  if (!hasBatch)
    rows.insert(rows.begin(), groups.dims[0].begin(), groups.dims[0].end());
  SmallVector<ArrayRef<int64_t>> parts;
  if (hasBatch)
    parts.push_back(groups.dims[0]);
  parts.push_back(rows);
  parts.push_back(groups.dims[2]);

  // The order of the parts in memory; absent ones are added at their place as extents of 1.
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(0, parts.size()));
  unsigned k = parts.size() - 1;
  if (!parts[k].empty()) {
    unsigned position = 0;
    for (unsigned part = 0; part < k; ++part)
      position += !parts[part].empty() && parts[part].front() < parts[k].front();
    order.erase(order.begin() + k);
    order.insert(order.begin() + position, k);
  }
  SmallVector<int64_t> inOrder;
  for (unsigned part : order)
    llvm::append_range(inOrder, parts[part]);
  bool inPlace = llvm::is_sorted(inOrder);
  auto source = cast<RankedTensorType>(value.getType());
  if (!inPlace) {
    order = llvm::to_vector(llvm::seq<unsigned>(0, parts.size()));
    if (!llvm::is_sorted(operand.view)) {
      SmallVector<int64_t> shape;
      for (int64_t dim : operand.view)
        shape.push_back(operand.shape[dim]);
      Value empty = tensor::EmptyOp::create(b, shape, source.getElementType());
      value = linalg::TransposeOp::create(b, value, empty, operand.view)->getResult(0);
    }
  }

  SmallVector<ReassociationIndices> merged, split;
  SmallVector<int64_t> shape;
  int64_t next = 0, unit = 0;
  for (unsigned part : order) {
    shape.push_back(getExtent(operand, parts[part]));
    ReassociationIndices group;
    for (size_t i = 0; i < parts[part].size(); ++i)
      group.push_back(next++);
    if (group.empty()) {
      // Units at the front lean on the first part, others on the one before.
      if (!split.empty())
        split.back().push_back(unit);
    } else {
      split.emplace_back();
      if (split.size() == 1)
        llvm::append_range(split.back(), llvm::seq<int64_t>(0, unit));
      split.back().push_back(unit);
      merged.push_back(std::move(group));
    }
    ++unit;
  }
  if (merged.size() != operand.shape.size())
    value = tensor::CollapseShapeOp::create(b, value, merged);
  if (merged.size() != order.size())
    value = tensor::ExpandShapeOp::create(b, RankedTensorType::get(shape, source.getElementType()),
                                          value, split);
  return {value, hasBatch ? int64_t(llvm::find(order, 0u) - order.begin()) : -1,
          int64_t(llvm::find(order, k) - order.begin())};
}

/// The scheme that a text names, or nothing after an error.
static SchemeAttr parseScheme(MLIRContext &context, const GemmCallOperand &operand,
                              StringRef side) {
  auto scheme = dyn_cast_or_null<SchemeAttr>(parseAttribute(operand.scheme, &context));
  if (!scheme)
    emitError(UnknownLoc::get(&context))
        << side << "_scheme: expected a #ufp4.scheme, found '" << operand.scheme << "'";
  return scheme;
}

/// @gemm(lhs, rhs, rng, streams): the two streams are an argument, so that calls share a function.
static func::FuncOp buildFunction(MLIRContext &context, ModuleOp module, const GemmCall &call) {
  ImplicitLocOpBuilder b(UnknownLoc::get(&context), &context);
  SmallVector<Type> types;
  for (const GemmCallOperand &operand : call.operands)
    types.push_back(RankedTensorType::get(operand.shape, getType(b, operand.type)));
  types.push_back(RankedTensorType::get({3}, b.getI32Type()));
  types.push_back(RankedTensorType::get({2}, b.getI32Type()));
  b.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(b, "gemm", b.getFunctionType(types, {}));
  b.setInsertionPointToStart(function.addEntryBlock());

  auto word = [&](unsigned argument, int64_t index) -> Value {
    Value at = arith::ConstantIndexOp::create(b, index);
    return tensor::ExtractOp::create(b, function.getArgument(argument), at);
  };
  auto wide = [&](Value value) -> Value {
    return arith::ExtUIOp::create(b, b.getI64Type(), value);
  };
  Value high = arith::ShLIOp::create(b, wide(word(2, 1)),
                                     arith::ConstantIntOp::create(b, b.getI64Type(), 32));
  Value seed = arith::OrIOp::create(b, wide(word(2, 0)), high);
  Value step = word(2, 2);

  Value quantized[2];
  Arranged arranged[2];
  for (unsigned side : {0, 1}) {
    const GemmCallOperand &operand = call.operands[side];
    SchemeAttr scheme = parseScheme(context, operand, kSides[side]);
    if (!scheme)
      return nullptr;
    arranged[side] = arrange(b, function.getArgument(side), operand);
    auto input = cast<RankedTensorType>(arranged[side].value.getType());
    auto type = QuantizedTensorType::get(&context, input.getShape(), scheme, arranged[side].along);
    bool stochastic = operand.isStochastic();
    quantized[side] = QuantizeOp::create(
        b, type, arranged[side].value, /*amax=*/Value(), stochastic ? seed : Value(),
        stochastic ? step : Value(), stochastic ? word(3, side) : Value(), ValueRange{},
        IntegerAttr(), stochastic ? b.getI64IntegerAttr(operand.bits) : IntegerAttr(), PlaceAttr());
  }
  SmallVector<int64_t> shape, batch[2];
  for (unsigned side : {0, 1}) {
    auto input = cast<RankedTensorType>(arranged[side].value.getType());
    if (arranged[side].batch >= 0)
      batch[side].push_back(arranged[side].batch);
    for (int64_t dim : llvm::seq<int64_t>(0, input.getRank()))
      if (dim != arranged[side].along && (side == 0 || dim != arranged[side].batch))
        shape.push_back(input.getDimSize(dim));
  }
  auto resultType = RankedTensorType::get(shape, getType(b, call.resultType));
  Value result =
      MatmulOp::create(b, resultType, quantized[0], quantized[1], Value(), batch[0], batch[1]);
  func::ReturnOp::create(b, result);
  function.setFunctionType(b.getFunctionType(types, {resultType}));
  return function;
}

namespace {

/// What a diagnostic handler heard of errors.
class ErrorText {
public:
  explicit ErrorText(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            text += (text.empty() ? "" : "; ") + diagnostic.str();
          return success();
        }) {}

  std::string take(StringRef otherwise) { return text.empty() ? otherwise.str() : text; }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};

} // namespace

struct GemmCalls::Function {
  std::once_flag compiled;
  std::unique_ptr<JitModule> jit;
  std::vector<int64_t> resultShape;
  std::string problem;

  void compile(const GemmCall &call) {
    // Parsing and folding floats must not depend on the caller's mode either.
    numerics::FloatEnvironment environment;
    DialectRegistry registry;
    registerDriverDialects(registry);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.printOpOnDiagnostic(false);
    loadDriverDialects(context);
    ErrorText errors(context);
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    func::FuncOp function = buildFunction(context, *module, call);
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
    if (Error error = (*result)->prepare("gemm"))
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

/// Everything that the compiled function depends on.
static std::string getKey(const GemmCall &call) {
  std::string key;
  auto add = [&](ArrayRef<int64_t> numbers) {
    key.append(reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(int64_t));
  };
  for (const GemmCallOperand &operand : call.operands) {
    add({int64_t(operand.type), int64_t(operand.shape.size()), int64_t(operand.scheme.size()),
         operand.isStochastic() ? operand.bits : 0});
    add(operand.shape);
    add(operand.view);
    add(operand.groups);
    key += operand.scheme;
  }
  add(int64_t(call.resultType));
  return key;
}

Error GemmCalls::run(const GemmCall &call, const void *lhs, const void *rhs, const void *rng,
                     void *result) {
  if (Error error = verifyCall(call))
    return error;
  if ((call.operands[0].isStochastic() || call.operands[1].isStochastic()) && !rng)
    return fail("ufp4.gemm: stochastic rounding needs the operand rng, tensor<3xi32>");
  if (call.resultCount == 0)
    return Error::success();
  // A sum of nothing is zero.
  if (getExtent(call.operands[0], getGroups(call.operands[0]).dims[2]) == 0) {
    std::memset(result, 0, call.resultCount * byteWidth(call.resultType));
    return Error::success();
  }

  std::shared_ptr<Function> function;
  {
    std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<Function> &entry = functions[getKey(call)];
    if (!entry)
      entry = std::make_shared<Function>();
    function = entry;
  }
  std::call_once(function->compiled, [&] { function->compile(call); });
  if (!function->jit)
    return fail("ufp4.gemm: " + function->problem);

  const uint32_t none[3] = {};
  const uint32_t streams[2] = {static_cast<uint32_t>(call.operands[0].stream),
                               static_cast<uint32_t>(call.operands[1].stream)};
  const int64_t words = 3, sides = 2;
  return function->jit->callInto("gemm",
                                 {ArrayView(call.operands[0].type, call.operands[0].shape, lhs),
                                  ArrayView(call.operands[1].type, call.operands[1].shape, rhs),
                                  ArrayView(ElementType::Int32, words, rng ? rng : none),
                                  ArrayView(ElementType::Int32, sides, streams)},
                                 {ArrayView(call.resultType, function->resultShape, result)});
}

} // namespace ufp4
