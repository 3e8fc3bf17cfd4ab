//===- StableHLOBuilder.cpp - makes StableHLO in generic form -------------===//

#include "StableHLOBuilder.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace ufp4;

Operation *StableHLOBuilder::create(StringRef name, ValueRange operands, TypeRange types,
                                    ArrayRef<NamedAttribute> attrs) {
  OperationState state(loc, name, operands, types);
  if (!attrs.empty())
    state.propertiesAttr = builder.getDictionaryAttr(attrs);
  return builder.create(state);
}

Value StableHLOBuilder::constant(DenseElementsAttr value) {
  return createValue("stablehlo.constant", {}, value.getType(),
                     builder.getNamedAttr("value", value));
}

Value StableHLOBuilder::scalar(Type elementType, uint64_t value) {
  APInt bits(elementType.getIntOrFloatBitWidth(), value, /*isSigned=*/false,
             /*implicitTrunc=*/true);
  return constant(DenseElementsAttr::get(RankedTensorType::get({}, elementType), bits));
}

Value StableHLOBuilder::reshape(Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  return createValue("stablehlo.reshape", value, type.clone(shape));
}

Value StableHLOBuilder::transpose(Value value, ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  return createValue(
      "stablehlo.transpose", value, type.clone(shape),
      builder.getNamedAttr("permutation", builder.getDenseI64ArrayAttr(permutation)));
}

Value StableHLOBuilder::convert(Value value, Type elementType) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == elementType)
    return value;
  return createValue("stablehlo.convert", value, type.clone(elementType));
}

Value StableHLOBuilder::bitcast(Value value, Type elementType) {
  auto type = cast<RankedTensorType>(value.getType());
  return createValue("stablehlo.bitcast_convert", value, type.clone(elementType));
}

Value StableHLOBuilder::vector(ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, builder.getI64Type());
  return constant(DenseElementsAttr::get(type, values));
}

Value StableHLOBuilder::splat(Value scalar, int64_t count) {
  auto type = cast<RankedTensorType>(scalar.getType());
  return createValue(
      "stablehlo.broadcast_in_dim", scalar, type.clone({count}),
      builder.getNamedAttr("broadcast_dimensions", builder.getDenseI64ArrayAttr({})));
}

Value StableHLOBuilder::partitionId() {
  Type ui32 = builder.getIntegerType(32, /*isSigned=*/false);
  Value id = createValue("stablehlo.partition_id", {}, RankedTensorType::get({}, ui32));
  return convert(id, builder.getI64Type());
}

Value StableHLOBuilder::allReduceMax(Value value, ArrayRef<SmallVector<int64_t>> groups) {
  MLIRContext *context = builder.getContext();
  SmallVector<int64_t> ids;
  for (ArrayRef<int64_t> group : groups)
    llvm::append_range(ids, group);
  auto groupsType = RankedTensorType::get(
      {static_cast<int64_t>(groups.size()), static_cast<int64_t>(groups.front().size())},
      builder.getI64Type());
  // As JAX writes it: devices are numbered across the mesh.
  auto channel = OpaqueAttr::get(StringAttr::get(context, "stablehlo"),
                                 "channel_handle<handle = 1, type = 0>", NoneType::get(context));
  NamedAttribute attrs[] = {
      builder.getNamedAttr("channel_handle", channel),
      builder.getNamedAttr("replica_groups",
                           DenseElementsAttr::get(groupsType, ArrayRef<int64_t>(ids))),
      builder.getNamedAttr("use_global_device_ids", builder.getUnitAttr())};
  OperationState state(loc, "stablehlo.all_reduce", value, value.getType());
  state.propertiesAttr = builder.getDictionaryAttr(attrs);
  Block &body = state.addRegion()->emplaceBlock();
  auto scalar = RankedTensorType::get({}, cast<RankedTensorType>(value.getType()).getElementType());
  body.addArguments({scalar, scalar}, {loc, loc});
  Operation *op = builder.create(state);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&body);
  Value maximum = createValue("stablehlo.maximum", body.getArguments(), scalar);
  create("stablehlo.return", maximum, {});
  return op->getResult(0);
}

bool ufp4::isStableHLOConstant(Value value, int64_t expected) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getName().getStringRef() != "stablehlo.constant")
    return false;
  auto elements = op->getAttrOfType<DenseIntElementsAttr>("value");
  return elements && elements.getNumElements() == 1 &&
         *elements.getValues<APInt>().begin() == static_cast<uint64_t>(expected);
}

func::FuncOp ufp4::createFoldInFunction(ModuleOp module) {
  MLIRContext *context = module.getContext();
  OpBuilder builder(context);
  Type i32 = builder.getI32Type(), u32 = builder.getIntegerType(32, /*isSigned=*/false),
       u64 = builder.getIntegerType(64, /*isSigned=*/false);
  auto rngType = RankedTensorType::get({3}, i32);
  auto numberType = RankedTensorType::get({}, builder.getI64Type());
  Location loc = builder.getUnknownLoc();
  auto function = func::FuncOp::create(loc, "ufp4.fold_in",
                                       builder.getFunctionType({rngType, numberType}, {rngType}));
  function.setPrivate();
  SymbolTable(module).insert(function);
  builder.setInsertionPointToStart(function.addEntryBlock());
  StableHLOBuilder b(builder, loc);
  Value rng = function.getArgument(0), number = function.getArgument(1);

  auto binary = [&](StringRef name, Value x, Value y) {
    return b.createValue(("stablehlo." + name).str(), {x, y}, x.getType());
  };
  auto slice = [&](int64_t i) {
    NamedAttribute attrs[] = {
        builder.getNamedAttr("limit_indices", builder.getDenseI64ArrayAttr({i + 1})),
        builder.getNamedAttr("start_indices", builder.getDenseI64ArrayAttr({i})),
        builder.getNamedAttr("strides", builder.getDenseI64ArrayAttr({1}))};
    return b.createValue("stablehlo.slice", rng, RankedTensorType::get({1}, i32), attrs);
  };
  auto word = [&](int64_t i) { return b.bitcast(b.reshape(slice(i), {}), u32); };
  Value shift = b.scalar(u64, 32);
  auto low = [&](Value wide) { return b.convert(wide, u32); };
  auto high = [&](Value wide) {
    return b.convert(binary("shift_right_logical", wide, shift), u32);
  };

  Value wideNumber = b.bitcast(number, u64);
  Value ones = b.scalar(u32, 0xFFFFFFFF);
  Value counter[4] = {low(wideNumber), high(wideNumber), ones, ones};
  Value key[2] = {word(0), word(1)};
  Value multipliers[2] = {b.scalar(u64, 0xD2511F53), b.scalar(u64, 0xCD9E8D57)};
  Value weyl[2] = {b.scalar(u32, 0x9E3779B9), b.scalar(u32, 0xBB67AE85)};
  constexpr unsigned rounds = 10;
  for (unsigned round = 0; round < rounds; ++round) {
    if (round)
      for (unsigned i : {0, 1})
        key[i] = binary("add", key[i], weyl[i]);
    Value product0 = binary("multiply", b.convert(counter[0], u64), multipliers[0]);
    Value product1 = binary("multiply", b.convert(counter[2], u64), multipliers[1]);
    Value next0 = binary("xor", binary("xor", high(product1), counter[1]), key[0]);
    Value next2 = binary("xor", binary("xor", high(product0), counter[3]), key[1]);
    counter[0] = next0;
    counter[1] = low(product1);
    counter[2] = next2;
    counter[3] = low(product0);
  }
  Value folded[2];
  for (unsigned i : {0, 1})
    folded[i] = b.reshape(b.bitcast(counter[i], i32), {1});
  Value result = b.createValue("stablehlo.concatenate", {folded[0], folded[1], slice(2)}, rngType,
                               builder.getNamedAttr("dimension", builder.getI64IntegerAttr(0)));
  func::ReturnOp::create(builder, loc, result);
  return function;
}
