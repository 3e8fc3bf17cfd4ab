//===- CustomCall.cpp - What custom calls compute, on the CPU -------------===//

#include "ufp4/Driver/CustomCall.h"
#include "ufp4/Driver/Driver.h"

#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Numerics/FloatEnvironment.h"
#include "ufp4/Support/Error.h"

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
constexpr StringLiteral kPrefixes[] = {"lhs_", "rhs_"};

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

static int64_t getWholeExtent(const GemmCallOperand &operand, ArrayRef<int64_t> dims) {
  int64_t extent = 1;
  for (int64_t dim : dims)
    extent *= operand.of[dim];
  return extent;
}

static std::string join(ArrayRef<int64_t> numbers) {
  return llvm::join(llvm::map_range(numbers, [](int64_t number) { return std::to_string(number); }),
                    ", ");
}

/// `side` is what attributes' names begin with.
static Error verifyView(const GemmCallOperand &operand, StringRef target, StringRef side) {
  auto bad = [&](const Twine &what) { return fail(target + ": " + side + what); };
  if (operand.type != ElementType::BF16 && operand.type != ElementType::F16 &&
      operand.type != ElementType::F32)
    return bad("operand: expected bf16, f16 or f32, found " + name(operand.type));
  size_t rank = operand.shape.size();
  SmallVector<int64_t> sorted(operand.view);
  llvm::sort(sorted);
  if (rank == 0 || !llvm::equal(sorted, llvm::seq<int64_t>(0, rank)))
    return bad("view: expected a permutation of the operand's " + Twine(rank) +
               " dimensions, found [" + join(operand.view) + "]");
  int64_t total = 0;
  for (int64_t group : operand.groups)
    total = group < 0 ? -1 : total + group;
  if (operand.groups.size() != 3 || total != static_cast<int64_t>(rank) ||
      llvm::any_of(operand.groups, [](int64_t group) { return group < 0; }))
    return bad("groups: expected three numbers that add up to the rank, " + Twine(rank));
  return Error::success();
}

static Error verifyOperand(const GemmCallOperand &operand, StringRef side) {
  auto bad = [&](const Twine &what) { return fail("ufp4.gemm: " + side + what); };
  if (Error error = verifyView(operand, "ufp4.gemm", (side + "_").str()))
    return error;
  if (operand.rounding != "nearest" && operand.rounding != "stochastic")
    return bad("_rounding: expected nearest or stochastic, found '" + operand.rounding + "'");
  if (operand.isStochastic() && operand.bits != 16 && operand.bits != 8)
    return bad("_bits: expected 16 or 8, found " + Twine(operand.bits));
  if (operand.of.size() != operand.shape.size())
    return bad("_of: expected an extent for each of the operand's " + Twine(operand.shape.size()) +
               " dimensions, found " + Twine(operand.of.size()));
  if (!operand.isPart())
    return Error::success();
  if (!operand.isStochastic())
    return bad("_of: only a stochastic operand is a part; what rounds to nearest is whole");
  for (auto [of, at, part] : llvm::zip_equal(operand.of, operand.at, operand.shape))
    if (at < 0 || of < part || at > of - part)
      return bad("_of: a part of [" + join(operand.shape) + "] at [" + join(operand.at) +
                 "] is not inside [" + join(operand.of) + "]");
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

/// The dimensions of R; a batch of one stands among them.
static SmallVector<int64_t> getRows(const GemmCallOperand &operand, bool hasBatch) {
  Groups groups = getGroups(operand);
  SmallVector<int64_t> rows(groups.dims[1]);
  if (!hasBatch)
    rows.insert(rows.begin(), groups.dims[0].begin(), groups.dims[0].end());
  return rows;
}

/// The place of a part (Q8), all its offsets of split dimensions being operands, and these: `load`
/// gives a dimension's.
static PlaceAttr getPlace(MLIRContext *context, const GemmCallOperand &operand, bool hasBatch,
                          llvm::function_ref<Value(int64_t)> load,
                          SmallVectorImpl<Value> &offsets) {
  Groups groups = getGroups(operand);
  SmallVector<SmallVector<int64_t>> lists;
  if (hasBatch)
    lists.push_back(SmallVector<int64_t>(groups.dims[0]));
  lists.push_back(getRows(operand, hasBatch));
  lists.push_back(SmallVector<int64_t>(groups.dims[2]));
  SmallVector<DenseI64ArrayAttr> at, of, part;
  for (ArrayRef<int64_t> dims : lists) {
    SmallVector<int64_t> ats, ofs, parts;
    for (int64_t dim : dims) {
      bool isSplit = operand.of[dim] != operand.shape[dim];
      if (isSplit)
        offsets.push_back(load(dim));
      ats.push_back(isSplit ? ShapedType::kDynamic : 0);
      ofs.push_back(operand.of[dim]);
      parts.push_back(operand.shape[dim]);
    }
    at.push_back(DenseI64ArrayAttr::get(context, ats));
    of.push_back(DenseI64ArrayAttr::get(context, ofs));
    part.push_back(DenseI64ArrayAttr::get(context, parts));
  }
  return PlaceAttr::get(context, at, of, part);
}

/// Brings an operand to [G, R, K], or [R, K] where G is 1, K standing wherever it lies in memory
/// if only rows follow each other as the view says; otherwise transposed.
static Arranged arrange(ImplicitLocOpBuilder &b, Value value, const GemmCallOperand &operand,
                        bool hasBatch) {
  Groups groups = getGroups(operand);
  SmallVector<int64_t> rows = getRows(operand, hasBatch);
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
        << side << "scheme: expected a #ufp4.scheme, found '" << operand.scheme << "'";
  return scheme;
}

/// @gemm(lhs, rhs, rng, streams, offsets, maxima): all that a call can change without another
/// function. Offsets are those of the lhs's dimensions, then the rhs's; maxima one per side.
static func::FuncOp buildFunction(MLIRContext &context, ModuleOp module, const GemmCall &call) {
  ImplicitLocOpBuilder b(UnknownLoc::get(&context), &context);
  SmallVector<Type> types;
  for (const GemmCallOperand &operand : call.operands)
    types.push_back(RankedTensorType::get(operand.shape, getType(b, operand.type)));
  types.push_back(RankedTensorType::get({3}, b.getI32Type()));
  types.push_back(RankedTensorType::get({2}, b.getI32Type()));
  int64_t ranks = call.operands[0].shape.size() + call.operands[1].shape.size();
  types.push_back(RankedTensorType::get({ranks}, b.getI64Type()));
  types.push_back(RankedTensorType::get({2}, b.getF32Type()));
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

  bool hasBatch = llvm::any_of(call.operands, [](const GemmCallOperand &operand) {
    return getWholeExtent(operand, getGroups(operand).dims[0]) != 1;
  });
  Value quantized[2];
  Arranged arranged[2];
  for (unsigned side : {0, 1}) {
    const GemmCallOperand &operand = call.operands[side];
    SchemeAttr scheme = parseScheme(context, operand, kPrefixes[side]);
    if (!scheme)
      return nullptr;
    arranged[side] = arrange(b, function.getArgument(side), operand, hasBatch);
    auto input = cast<RankedTensorType>(arranged[side].value.getType());
    auto type = QuantizedTensorType::get(&context, input.getShape(), scheme, arranged[side].along);
    bool stochastic = operand.isStochastic();
    SmallVector<Value> offsets;
    PlaceAttr place;
    if (operand.isPart())
      place = getPlace(
          &context, operand, hasBatch,
          [&](int64_t dim) { return word(4, side * call.operands[0].shape.size() + dim); },
          offsets);
    quantized[side] =
        QuantizeOp::create(b, type, arranged[side].value, operand.amax ? word(5, side) : Value(),
                           stochastic ? seed : Value(), stochastic ? step : Value(),
                           stochastic ? word(3, side) : Value(), offsets, IntegerAttr(),
                           stochastic ? b.getI64IntegerAttr(operand.bits) : IntegerAttr(), place);
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

/// @amax(input).
static func::FuncOp buildAmax(MLIRContext &context, ModuleOp module,
                              const GemmCallOperand &operand) {
  ImplicitLocOpBuilder b(UnknownLoc::get(&context), &context);
  SchemeAttr scheme = parseScheme(context, operand, "");
  if (!scheme)
    return nullptr;
  auto type = RankedTensorType::get(operand.shape, getType(b, operand.type));
  auto resultType = RankedTensorType::get({}, b.getF32Type());
  b.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(b, "amax", b.getFunctionType(type, resultType));
  b.setInsertionPointToStart(function.addEntryBlock());
  bool hasBatch = getExtent(operand, getGroups(operand).dims[0]) != 1;
  Arranged arranged = arrange(b, function.getArgument(0), operand, hasBatch);
  Value maximum = AmaxOp::create(b, b.getF32Type(), arranged.value, arranged.along, scheme);
  Value result = tensor::FromElementsOp::create(b, resultType, maximum);
  func::ReturnOp::create(b, result);
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

static void addToKey(std::string &key, ArrayRef<int64_t> numbers) {
  key.append(reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(int64_t));
}

/// Everything that a compiled function depends on.
static void addToKey(std::string &key, const GemmCallOperand &operand) {
  addToKey(key,
           {int64_t(operand.type), int64_t(operand.shape.size()), int64_t(operand.scheme.size()),
            operand.isStochastic() ? operand.bits : 0, operand.amax != nullptr});
  addToKey(key, operand.shape);
  addToKey(key, operand.view);
  addToKey(key, operand.groups);
  addToKey(key, operand.of);
  key += operand.scheme;
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

  std::string key = "gemm";
  for (const GemmCallOperand &operand : call.operands)
    addToKey(key, operand);
  addToKey(key, int64_t(call.resultType));
  std::shared_ptr<Function> function = get(key);
  std::call_once(function->compiled, [&] {
    function->compile("gemm", [&](MLIRContext &context, ModuleOp module) {
      return buildFunction(context, module, call);
    });
  });
  if (!function->jit)
    return fail("ufp4.gemm: " + function->problem);

  const uint32_t none[3] = {};
  const uint32_t streams[2] = {static_cast<uint32_t>(call.operands[0].stream),
                               static_cast<uint32_t>(call.operands[1].stream)};
  SmallVector<int64_t> offsets;
  float maxima[2] = {};
  for (auto [operand, maximum] : llvm::zip_equal(call.operands, maxima)) {
    if (operand.isPart())
      llvm::append_range(offsets, operand.at);
    else
      offsets.append(operand.shape.size(), 0);
    if (operand.amax)
      maximum = *operand.amax;
  }
  const int64_t words = 3, sides = 2, ranks = offsets.size();
  return function->jit->callInto("gemm",
                                 {ArrayView(call.operands[0].type, call.operands[0].shape, lhs),
                                  ArrayView(call.operands[1].type, call.operands[1].shape, rhs),
                                  ArrayView(ElementType::Int32, words, rng ? rng : none),
                                  ArrayView(ElementType::Int32, sides, streams),
                                  ArrayView(ElementType::Int64, ranks, offsets.data()),
                                  ArrayView(ElementType::F32, sides, maxima)},
                                 {ArrayView(call.resultType, function->resultShape, result)});
}

Error GemmCalls::runAmax(const GemmCallOperand &operand, const void *input, float *result) {
  if (Error error = verifyView(operand, "ufp4.amax", ""))
    return error;
  *result = 0;
  if (llvm::is_contained(operand.shape, 0))
    return Error::success();
  std::string key = "amax";
  addToKey(key, operand);
  std::shared_ptr<Function> function = get(key);
  std::call_once(function->compiled, [&] {
    function->compile("amax", [&](MLIRContext &context, ModuleOp module) {
      return buildAmax(context, module, operand);
    });
  });
  if (!function->jit)
    return fail("ufp4.amax: " + function->problem);
  return function->jit->callInto("amax", {ArrayView(operand.type, operand.shape, input)},
                                 {ArrayView(ElementType::F32, function->resultShape, result)});
}

} // namespace ufp4
