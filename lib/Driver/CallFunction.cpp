//===- CallFunction.cpp - The function of a custom call -------------------===//

#include "CallFunction.h"

#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Support/Error.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using llvm::Error;
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

/// The numbers of a call's function, as its quantizes take them.
struct CallNumbers {
  Value seed, step, streams[2], maxima[2];
  /// Where a side's part begins in a dimension.
  llvm::function_ref<Value(unsigned side, int64_t dim)> getOffset;
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

Error verifyView(const GemmCallOperand &operand, StringRef target, StringRef side) {
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

/// What a grouped call asks beyond the rules of any: its operands are whole, and their G what
/// groups make it.
static Error verifyGroups(const GemmCall &call) {
  int64_t count = call.groups->sizes.size();
  for (auto [operand, side] : llvm::zip_equal(call.operands, kSides)) {
    int64_t expected = side == kSides[1] && !call.groups->cutsContraction ? count : 1;
    int64_t found = getExtent(operand, getGroups(operand).dims[0]);
    if (operand.isPart() || operand.amax)
      return fail(call.target() + ": " + side + ": groups are whole, expected no part and no amax");
    bool isRagged = side == kSides[0] || call.groups->cutsContraction;
    if (operand.rows &&
        (!isRagged || operand.groups != ArrayRef<int64_t>{0, 1, 1} || operand.sourceRows < 1))
      return fail(call.target() + ": " + side +
                  "_rows: expected rows of tokens of rank 2, one at least to gather from");
    if (found != expected)
      return fail(call.target() + ": " + side + "_groups: expected G = " + Twine(expected) +
                  " for " + Twine(count) + " groups, found " + Twine(found));
  }
  return Error::success();
}

Error verifyCall(const GemmCall &call, const void *rng) {
  for (auto [operand, side] : llvm::zip_equal(call.operands, kSides))
    if (Error error = verifyOperand(operand, side))
      return error;
  if (call.groups)
    if (Error error = verifyGroups(call))
      return error;
  if (!call.groups && (call.operands[0].rows || call.operands[1].rows))
    return fail("ufp4.gemm: only tokens of groups are gathered");
  const GemmCallOperand &lhs = call.operands[0], &rhs = call.operands[1];
  Groups left = getGroups(lhs), right = getGroups(rhs);
  for (unsigned group : {0, 2})
    if ((group || !call.groups) &&
        getExtent(lhs, left.dims[group]) != getExtent(rhs, right.dims[group]))
      return fail("ufp4.gemm: the operands differ in " + Twine(group ? "K" : "G") + ": " +
                  Twine(getExtent(lhs, left.dims[group])) + " and " +
                  Twine(getExtent(rhs, right.dims[group])));
  if (call.resultType != ElementType::BF16 && call.resultType != ElementType::F16 &&
      call.resultType != ElementType::F32)
    return fail("ufp4.gemm: expected a result of bf16, f16 or f32, found " + name(call.resultType));
  int64_t count = getExtent(lhs, left.dims[1]) * getExtent(rhs, right.dims[1]);
  if (!call.groups)
    count *= getExtent(lhs, left.dims[0]);
  else if (call.groups->cutsContraction)
    count *= call.groups->sizes.size();
  if (count != call.resultCount)
    return fail("ufp4.gemm: expected a result of G M N = " + Twine(count) + " elements, found " +
                Twine(call.resultCount));
  if (llvm::any_of(call.operands, [](const auto &operand) { return operand.isStochastic(); }) &&
      !rng)
    return fail("ufp4.gemm: stochastic rounding needs the operand rng, tensor<3xi32>");
  return Error::success();
}

bool isSumOfNothing(const GemmCall &call) {
  return getExtent(call.operands[0], getGroups(call.operands[0]).dims[2]) == 0;
}

SmallVector<int64_t> getArrayShape(const GemmCallOperand &operand) {
  SmallVector<int64_t> shape(operand.shape);
  if (operand.rows)
    shape.front() = operand.sourceRows;
  return shape;
}

SmallVector<int64_t> getOffsets(const GemmCall &call) {
  SmallVector<int64_t> offsets;
  for (const GemmCallOperand &operand : call.operands)
    if (operand.isPart())
      llvm::append_range(offsets, operand.at);
    else
      offsets.append(operand.shape.size(), 0);
  return offsets;
}

static void addToKey(std::string &key, ArrayRef<int64_t> numbers) {
  key.append(reinterpret_cast<const char *>(numbers.data()), numbers.size() * sizeof(int64_t));
}

static void addToKey(std::string &key, const GemmCallOperand &operand) {
  addToKey(key, {int64_t(operand.type), int64_t(operand.shape.size()),
                 int64_t(operand.scheme.size()), operand.isStochastic() ? operand.bits : 0,
                 operand.amax != nullptr, operand.rows ? operand.sourceRows : 0});
  addToKey(key, operand.shape);
  addToKey(key, operand.view);
  addToKey(key, operand.groups);
  addToKey(key, operand.of);
  key += operand.scheme;
}

std::string getKey(const GemmCall &call) {
  std::string key = "gemm";
  if (call.groups)
    addToKey(key, {int64_t(call.groups->sizes.size()), call.groups->cutsContraction});
  for (const GemmCallOperand &operand : call.operands)
    addToKey(key, operand);
  addToKey(key, int64_t(call.resultType));
  return key;
}

std::string getKey(const GemmCallOperand &operand) {
  std::string key = "amax";
  addToKey(key, operand);
  return key;
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

/// Views an operand as [G, R, K], or [R, K], where it lies: no kernel moves a tensor. Nothing after
/// an error, which names the operand.
static std::optional<Arranged> viewInPlace(ImplicitLocOpBuilder &b, Value array,
                                           const GemmCallOperand &operand, bool hasBatch,
                                           StringRef side) {
  Groups groups = getGroups(operand);
  SmallVector<int64_t> rows = getRows(operand, hasBatch), strides(operand.shape.size(), 1);
  for (size_t dim = strides.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * operand.shape[dim];
  SmallVector<ArrayRef<int64_t>, 3> parts;
  if (hasBatch)
    parts.push_back(groups.dims[0]);
  llvm::append_values(parts, ArrayRef<int64_t>(rows), groups.dims[2]);

  SmallVector<int64_t> sizes, steps;
  bool merges = true;
  for (ArrayRef<int64_t> dims : parts) {
    int64_t size = 1, step = 0;
    for (int64_t dim : llvm::reverse(dims)) {
      if (operand.shape[dim] == 1)
        continue;
      // Each goes on where those behind it end.
      merges &= size == 1 || strides[dim] == step * size;
      step = size == 1 ? strides[dim] : step;
      size *= operand.shape[dim];
    }
    sizes.push_back(size);
    steps.push_back(size == 1 ? 1 : step);
  }
  if (!merges || (steps.back() != 1 && steps[steps.size() - 2] != 1)) {
    emitError(b.getLoc()) << "the " << side << ", [" << join(operand.shape) << "] viewed by ["
                          << join(operand.view) << "] in groups [" << join(operand.groups)
                          << "], does not lie as kernels read it, each group at one distance and "
                             "rows or depth one behind the other: end its transpose by "
                             "jax.lax.optimization_barrier, which makes a copy";
    return std::nullopt;
  }
  auto type = cast<MemRefType>(array.getType());
  auto layout = StridedLayoutAttr::get(b.getContext(), /*offset=*/0, steps);
  auto viewed = MemRefType::get(sizes, type.getElementType(), layout);
  array = memref::ReinterpretCastOp::create(b, viewed, array, /*offset=*/0, sizes, steps);
  Value value = bufferization::ToTensorOp::create(
      b, RankedTensorType::get(sizes, type.getElementType()), array, /*restrict=*/true);
  return Arranged{value, hasBatch ? 0 : -1, int64_t(sizes.size()) - 1};
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

/// The lhs and rhs, arranged, to the product, which is returned.
static func::FuncOp finishGemm(ImplicitLocOpBuilder &b, func::FuncOp function, const GemmCall &call,
                               ArrayRef<Arranged> arranged, bool hasBatch,
                               const CallNumbers &numbers) {
  MLIRContext *context = b.getContext();
  Value quantized[2];
  for (unsigned side : {0, 1}) {
    const GemmCallOperand &operand = call.operands[side];
    SchemeAttr scheme = parseScheme(*context, operand, kPrefixes[side]);
    if (!scheme)
      return nullptr;
    auto input = cast<RankedTensorType>(arranged[side].value.getType());
    auto type = QuantizedTensorType::get(context, input.getShape(), scheme, arranged[side].along);
    bool stochastic = operand.isStochastic();
    SmallVector<Value> offsets;
    PlaceAttr place;
    if (operand.isPart())
      place = getPlace(
          context, operand, hasBatch, [&](int64_t dim) { return numbers.getOffset(side, dim); },
          offsets);
    quantized[side] = QuantizeOp::create(
        b, type, arranged[side].value, operand.amax ? numbers.maxima[side] : Value(),
        stochastic ? numbers.seed : Value(), stochastic ? numbers.step : Value(),
        stochastic ? numbers.streams[side] : Value(), offsets, IntegerAttr(),
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
  function.setFunctionType(b.getFunctionType(function.getArgumentTypes(), {resultType}));
  return function;
}

/// The lhs and rhs of a grouped call, arranged, to the product, which is returned.
static func::FuncOp finishGrouped(ImplicitLocOpBuilder &b, func::FuncOp function,
                                  const GemmCall &call, ArrayRef<Arranged> arranged,
                                  ArrayRef<Value> rows, Value sizes, Value first,
                                  const CallNumbers &numbers) {
  using numerics::Grouping;
  MLIRContext *context = b.getContext();
  int64_t count = call.groups->sizes.size();
  bool cutsContraction = call.groups->cutsContraction;
  Grouping groupings[] = {cutsContraction ? Grouping::Contracted : Grouping::Rows,
                          cutsContraction ? Grouping::Contracted : Grouping::Stacked};
  Value quantized[2];
  SmallVector<int64_t> shape;
  if (cutsContraction)
    shape.push_back(count);
  for (unsigned side : {0, 1}) {
    const GemmCallOperand &operand = call.operands[side];
    SchemeAttr scheme = parseScheme(*context, operand, kPrefixes[side]);
    if (!scheme)
      return nullptr;
    SmallVector<int64_t> extents(cast<RankedTensorType>(arranged[side].value.getType()).getShape());
    if (rows[side])
      extents.front() = operand.shape.front();
    auto type = QuantizedTensorType::get(context, extents, scheme, arranged[side].along,
                                         GroupsAttr::get(context, count, groupings[side]));
    bool stochastic = operand.isStochastic();
    quantized[side] = QuantizeOp::create(
        b, type, arranged[side].value, rows[side], /*amax=*/Value(),
        stochastic ? numbers.seed : Value(), stochastic ? numbers.step : Value(),
        stochastic ? numbers.streams[side] : Value(), ValueRange(),
        type.getGroups().isRagged() ? sizes : Value(), stochastic ? first : Value(), IntegerAttr(),
        stochastic ? b.getI64IntegerAttr(operand.bits) : IntegerAttr(), PlaceAttr());
    shape.push_back(type.getLeadingShape().back());
  }
  auto resultType = RankedTensorType::get(shape, getType(b, call.resultType));
  Value result = MatmulOp::create(b, resultType, quantized[0], quantized[1], Value(),
                                  ArrayRef<int64_t>(), ArrayRef<int64_t>(), sizes);
  func::ReturnOp::create(b, result);
  function.setFunctionType(b.getFunctionType(function.getArgumentTypes(), {resultType}));
  return function;
}

static func::FuncOp startFunction(ImplicitLocOpBuilder &b, ModuleOp module, StringRef name,
                                  TypeRange types) {
  b.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(b, name, b.getFunctionType(types, {}));
  b.setInsertionPointToStart(function.addEntryBlock());
  return function;
}

static bool hasBatchOf(const GemmCall &call) {
  return llvm::any_of(call.operands, [](const GemmCallOperand &operand) {
    return getWholeExtent(operand, getGroups(operand).dims[0]) != 1;
  });
}

static func::FuncOp buildOnHost(ImplicitLocOpBuilder &b, ModuleOp module, const GemmCall &call) {
  SmallVector<Type> types;
  for (const GemmCallOperand &operand : call.operands)
    types.push_back(RankedTensorType::get(getArrayShape(operand), getType(b, operand.type)));
  types.push_back(RankedTensorType::get({3}, b.getI32Type()));
  types.push_back(RankedTensorType::get({2}, b.getI32Type()));
  int64_t ranks = call.operands[0].shape.size() + call.operands[1].shape.size();
  if (call.groups) {
    int64_t count = call.groups->sizes.size();
    types.push_back(RankedTensorType::get({count}, b.getI32Type()));
    types.push_back(RankedTensorType::get({1}, b.getI64Type()));
    for (const GemmCallOperand &operand : call.operands)
      if (operand.rows)
        types.push_back(RankedTensorType::get(operand.shape.front(), b.getI32Type()));
  } else {
    types.push_back(RankedTensorType::get({ranks}, b.getI64Type()));
    types.push_back(RankedTensorType::get({2}, b.getF32Type()));
  }
  func::FuncOp function = startFunction(b, module, "gemm", types);

  auto word = [&](unsigned argument, int64_t index) -> Value {
    Value at = arith::ConstantIndexOp::create(b, index);
    return tensor::ExtractOp::create(b, function.getArgument(argument), at);
  };
  auto wide = [&](Value value) -> Value {
    return arith::ExtUIOp::create(b, b.getI64Type(), value);
  };
  Value high = arith::ShLIOp::create(b, wide(word(2, 1)),
                                     arith::ConstantIntOp::create(b, b.getI64Type(), 32));
  auto getOffset = [&](unsigned side, int64_t dim) {
    return word(4, side * call.operands[0].shape.size() + dim);
  };
  CallNumbers numbers{arith::OrIOp::create(b, wide(word(2, 0)), high),
                      word(2, 2),
                      {word(3, 0), word(3, 1)},
                      {},
                      getOffset};
  if (call.groups) {
    Arranged arranged[2];
    Value rows[2];
    unsigned next = 6;
    for (unsigned side : {0, 1}) {
      arranged[side] = arrange(b, function.getArgument(side), call.operands[side],
                               /*hasBatch=*/side == 1 && !call.groups->cutsContraction);
      if (call.operands[side].rows)
        rows[side] = function.getArgument(next++);
    }
    return finishGrouped(b, function, call, arranged, rows, function.getArgument(4), word(5, 0),
                         numbers);
  }
  for (unsigned side : {0, 1})
    numbers.maxima[side] = word(5, side);
  bool hasBatch = hasBatchOf(call);
  Arranged arranged[2];
  for (unsigned side : {0, 1})
    arranged[side] = arrange(b, function.getArgument(side), call.operands[side], hasBatch);
  return finishGemm(b, function, call, arranged, hasBatch, numbers);
}

static func::FuncOp buildOnDevice(ImplicitLocOpBuilder &b, ModuleOp module, const GemmCall &call) {
  Type i32 = b.getI32Type(), i64 = b.getI64Type(), number = MemRefType::get({}, b.getF32Type());
  SmallVector<Type> types;
  for (const GemmCallOperand &operand : call.operands)
    types.push_back(MemRefType::get(getArrayShape(operand), getType(b, operand.type)));
  llvm::append_values(types, number, number, i64, i32, i32, i32);
  size_t ranks[] = {call.operands[0].shape.size(), call.operands[1].shape.size()};
  if (call.groups) {
    llvm::append_values(types, MemRefType::get(call.groups->sizes.size(), i32), i64);
    for (const GemmCallOperand &operand : call.operands)
      if (operand.rows)
        types.push_back(MemRefType::get(operand.shape.front(), i32));
  } else {
    types.append(ranks[0] + ranks[1], i64);
  }
  func::FuncOp function = startFunction(b, module, "gemm", types);

  auto argument = [&](unsigned index) -> Value { return function.getArgument(index); };
  auto getMaximum = [&](unsigned side) -> Value {
    if (!call.operands[side].amax)
      return nullptr;
    Value tensor =
        bufferization::ToTensorOp::create(b, RankedTensorType::get({}, b.getF32Type()),
                                          argument(DeviceLhsAmax + side), /*restrict=*/true);
    return tensor::ExtractOp::create(b, tensor, ValueRange());
  };
  auto getOffset = [&](unsigned side, int64_t dim) {
    return argument(DeviceOffsets + side * ranks[0] + dim);
  };
  CallNumbers numbers{argument(DeviceSeed),
                      argument(DeviceStep),
                      {argument(DeviceLhsStream), argument(DeviceRhsStream)},
                      {getMaximum(0), getMaximum(1)},
                      getOffset};
  auto toTensor = [&](Value buffer) -> Value {
    auto type = cast<MemRefType>(buffer.getType());
    return bufferization::ToTensorOp::create(
        b, RankedTensorType::get(type.getShape(), type.getElementType()), buffer,
        /*restrict=*/true);
  };
  bool hasBatch = !call.groups && hasBatchOf(call);
  Arranged arranged[2];
  Value rows[2];
  unsigned next = DeviceOffsets + 2;
  for (unsigned side : {0, 1}) {
    if (call.operands[side].rows) {
      // Kernels find rows wherever K lies.
      rows[side] = toTensor(argument(next++));
      arranged[side] = {toTensor(argument(side)), -1, call.operands[side].view.back()};
      continue;
    }
    bool isStacked = call.groups && side == 1 && !call.groups->cutsContraction;
    std::optional<Arranged> viewed =
        viewInPlace(b, argument(side), call.operands[side], hasBatch || isStacked, kSides[side]);
    if (!viewed)
      return nullptr;
    arranged[side] = *viewed;
  }
  if (call.groups) {
    Value sizes = toTensor(argument(DeviceOffsets));
    return finishGrouped(b, function, call, arranged, rows, sizes, argument(DeviceOffsets + 1),
                         numbers);
  }
  return finishGemm(b, function, call, arranged, hasBatch, numbers);
}

func::FuncOp buildGemm(MLIRContext &context, ModuleOp module, const GemmCall &call,
                       CallMemory memory) {
  ImplicitLocOpBuilder b(UnknownLoc::get(&context), &context);
  return memory == CallMemory::Host ? buildOnHost(b, module, call) : buildOnDevice(b, module, call);
}

func::FuncOp buildAmax(MLIRContext &context, ModuleOp module, const GemmCallOperand &operand,
                       CallMemory memory) {
  ImplicitLocOpBuilder b(UnknownLoc::get(&context), &context);
  SchemeAttr scheme = parseScheme(context, operand, "");
  if (!scheme)
    return nullptr;
  bool hasBatch = getExtent(operand, getGroups(operand).dims[0]) != 1;
  Type element = getType(b, operand.type);
  auto resultType = RankedTensorType::get({}, b.getF32Type());
  func::FuncOp function;
  Value result;
  if (memory == CallMemory::Host) {
    function = startFunction(b, module, "amax", RankedTensorType::get(operand.shape, element));
    Arranged arranged = arrange(b, function.getArgument(0), operand, hasBatch);
    Value maximum = AmaxOp::create(b, b.getF32Type(), arranged.value, arranged.along, scheme);
    result = tensor::FromElementsOp::create(b, resultType, maximum);
  } else {
    function = startFunction(b, module, "amax", MemRefType::get(operand.shape, element));
    std::optional<Arranged> viewed =
        viewInPlace(b, function.getArgument(0), operand, hasBatch, "operand");
    if (!viewed)
      return nullptr;
    // On the storage level, where kernels are made of it.
    Value empty = tensor::EmptyOp::create(b, resultType.getShape(), b.getF32Type());
    Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0.0f));
    Value start = linalg::FillOp::create(b, zero, empty).getResult(0);
    result =
        AmaxIntoOp::create(b, resultType, viewed->value, viewed->along, scheme, start).getResult();
  }
  func::ReturnOp::create(b, result);
  function.setFunctionType(b.getFunctionType(function.getArgumentTypes(), {resultType}));
  return function;
}

} // namespace ufp4
