//===- MaterializeStorage.cpp - the value level to the storage level ------===//
//
// Three steps, each linear in the program. What can be done is decided first: which matmuls have a
// path, and which types cross functions and loops in a storage. Then quantizes and matmuls are
// rewritten where they stand, with casts between a `!ufp4.tensor` and its buffers where a boundary
// lies between. Last, boundaries are converted and the casts vanish.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Conversion/Boundaries.h"
#include "ufp4/Conversion/UFP4ToStorage/Passes.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Numerics/Groups.h"
#include "ufp4/Target/Schedule.h"

#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace ufp4 {
#define GEN_PASS_DEF_MATERIALIZESTORAGE
#include "ufp4/Conversion/UFP4ToStorage/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;

namespace {

//===----------------------------------------------------------------------===//
// What the target does
//===----------------------------------------------------------------------===//

/// How a chip multiplies operands of one scheme; without a storage it does not, and `why` says so.
struct GemmPlan {
  target::Path path;
  const target::OperandStorage *storage = nullptr;
  /// The path of the kernel beside it, for devices that do not understand its encoding.
  std::optional<target::Path> fallback;
  /// With a storage: why a better path was left out, if one was.
  std::string why;
  /// The user asked for a path that there is not.
  bool refused = false;
  /// Better paths of the chip that it does not take.
  SmallVector<target::PassedOver, 2> passedOver;
};

class Planner {
public:
  Planner(const target::Chip &chip, std::optional<target::Path> e1m2, bool canRewrite)
      : chip(chip), e1m2(e1m2), canRewrite(canRewrite) {}

  const target::Chip &chip;

  const GemmPlan &getPlan(SchemeAttr scheme) {
    auto [found, isNew] = plans.try_emplace(scheme);
    if (isNew)
      found->second = choose(scheme.getNumerics());
    return found->second;
  }
  const GemmPlan &getPlan(MatmulOp op) {
    return getPlan(cast<QuantizedTensorType>(op.getLhs().getType()).getScheme());
  }

private:
  GemmPlan choose(numerics::Scheme scheme) const {
    // G1: operands of one GEMM may differ in these; the kernel does not see them.
    scheme.blockRows = 1;
    scheme.rule = numerics::ScaleRule::Ceil;
    std::optional<target::Path> wanted;
    if (scheme.format == numerics::Format::E1M2)
      wanted = e1m2;
    GemmPlan plan;
    target::GemmChoice choice = target::chooseSchedules(chip, scheme, wanted, canRewrite);
    plan.why = choice.why;
    plan.passedOver = choice.passedOver;
    if (choice.schedule) {
      plan.path = choice.schedule->mma->path();
      plan.storage = &choice.schedule->storage();
    } else {
      plan.refused = wanted.has_value();
    }
    if (choice.fallback)
      plan.fallback = choice.fallback->mma->path();
    return plan;
  }

  std::optional<target::Path> e1m2;
  bool canRewrite;
  llvm::DenseMap<SchemeAttr, GemmPlan> plans;
};

//===----------------------------------------------------------------------===//
// What is done
//===----------------------------------------------------------------------===//

/// A quantize into one storage, and the uses that read it there.
struct QuantizeJob {
  QuantizeOp op;
  StoredAttr stored;
  SmallVector<OpOperand *> uses;
};

/// Decides, for a module, what crosses over to the storage level.
class Decisions {
public:
  Decisions(ModuleOp module, Planner &planner) : planner(planner) { decide(module); }

  /// Matmuls in the order of the program, and why each stays as it is; empty where it does not.
  llvm::MapVector<MatmulOp, std::string> matmuls;

  /// How a type crosses boundaries; null where it crosses them as it is.
  StoredAttr getCarried(QuantizedTensorType type) const {
    auto found = carried.find(type);
    return found == carried.end() || !found->second.why.empty() ? StoredAttr()
                                                                : found->second.stored;
  }
  bool hasCarried() const {
    return llvm::any_of(carried, [](const auto &entry) { return entry.second.why.empty(); });
  }
  /// How a matmul that crosses over reads an operand.
  StoredAttr getStored(MatmulOp op, unsigned side) const {
    auto type = cast<QuantizedTensorType>(op->getOperand(side).getType());
    return StoredAttr::get(op.getContext(), type,
                           StorageAttr::get(op.getContext(), planner.getPlan(op).storage->name()),
                           getBatch(op, side));
  }
  /// How many leading dimensions of an operand's view are G.
  static unsigned getBatch(MatmulOp op, unsigned side) {
    auto type = cast<QuantizedTensorType>(op->getOperand(side).getType());
    return type.isGrouped(numerics::Grouping::Stacked) ? 1 : op.getLhsBatch().size();
  }

private:
  struct Carried {
    StoredAttr stored;
    /// Why it crosses as it is.
    std::string why;
    /// Matmuls that read a value of this type from the other side of a boundary.
    SmallVector<MatmulOp> readers;
  };

  void decide(ModuleOp module);
  void decide(Operation *op);
  void decide(MatmulOp op);
  /// Looks at what boundaries hand on.
  void look(Value value);
  Carried &getEntry(QuantizedTensorType type);
  void refuse(Carried &entry, const Twine &why);
  void leave(MatmulOp op, const Twine &why);
  std::string explainOperand(MatmulOp op, unsigned side) const;

  Planner &planner;
  llvm::MapVector<QuantizedTensorType, Carried> carried;
  /// Matmuls whose operands' types are to be looked at.
  SmallVector<MatmulOp> left;
};

std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// How a type lies that no GEMM tells the batch of: its rows are its last dimension but K.
unsigned getUsualBatch(QuantizedTensorType type) {
  return type.getRank() < 2 ? 0 : type.getRank() - 2;
}

/// Why a storage of a chip does not hold a type; empty where it does.
std::string explainStorage(StoredAttr stored, const target::Chip &chip) {
  FailureOr<target::OperandType> type = stored.getOperandType();
  // Where extents are dynamic, whoever launches kernels checks them.
  if (failed(type))
    return {};
  return stored.getStorage().getStorage().verify(*type, chip).value_or("");
}

Decisions::Carried &Decisions::getEntry(QuantizedTensorType type) {
  auto [found, isNew] = carried.try_emplace(type);
  Carried &entry = found->second;
  if (!isNew)
    return entry;
  const GemmPlan &plan = planner.getPlan(type.getScheme());
  if (!plan.storage) {
    entry.why = plan.why;
  } else if (type.isGrouped()) {
    entry.why = "it is in groups";
  } else if (ShapedType::isDynamicShape(type.getShape())) {
    entry.why = "its extents are dynamic, and buffers do not tell them";
  } else {
    auto storage = StorageAttr::get(type.getContext(), plan.storage->name());
    entry.why = StoredAttr::explainMisfit(type, storage, getUsualBatch(type));
    if (entry.why.empty()) {
      entry.stored = StoredAttr::get(type.getContext(), type, storage, getUsualBatch(type));
      entry.why = explainStorage(entry.stored, planner.chip);
    }
  }
  return entry;
}

void Decisions::leave(MatmulOp op, const Twine &why) {
  std::string &reason = matmuls[op];
  if (!reason.empty())
    return;
  reason = why.str();
  left.push_back(op);
}

void Decisions::refuse(Carried &entry, const Twine &why) {
  if (!entry.why.empty())
    return;
  entry.why = why.str();
  for (MatmulOp reader : entry.readers)
    leave(reader, "an operand crosses functions or loops as a value: " + entry.why);
}

/// Why an operand cannot be brought into the storage of a GEMM; empty where it can.
std::string Decisions::explainOperand(MatmulOp op, unsigned side) const {
  StringRef name = side ? "rhs" : "lhs";
  ArrayRef<int64_t> batch = side ? op.getRhsBatch() : op.getLhsBatch();
  Value operand = op->getOperand(side);
  auto type = cast<QuantizedTensorType>(operand.getType());
  for (auto [i, dim] : llvm::enumerate(batch))
    if (dim - (dim > type.getAlong()) != static_cast<int64_t>(i))
      return llvm::formatv("the batch dimensions of the {0} do not come first", name);
  auto storage = StorageAttr::get(op.getContext(), planner.getPlan(op).storage->name());
  if (std::string why = StoredAttr::explainMisfit(type, storage, getBatch(op, side)); !why.empty())
    return why;
  if (std::string why = explainStorage(getStored(op, side), planner.chip); !why.empty())
    return why;
  if (auto quantize = operand.getDefiningOp<QuantizeOp>(); quantize && quantize.getPlace())
    return llvm::formatv("the {0} is a part of a tensor (Q8), which no kernel quantizes", name);
  if (operand.getDefiningOp<QuantizeOp>() ||
      (operand.getDefiningOp<ConstantOp>() && !type.isGrouped()))
    return {};
  if (!comesFromBoundary(operand)) {
    if (Operation *definition = operand.getDefiningOp())
      return llvm::formatv("the {0} is computed by '{1}'", name,
                           definition->getName().getStringRef());
    return llvm::formatv("the {0} is an argument of '{1}'", name,
                         operand.getParentBlock()->getParentOp()->getName().getStringRef());
  }
  if (type.isGrouped())
    return llvm::formatv("the {0} is in groups, and crosses functions or loops as a value", name);
  if (batch.size() != getUsualBatch(type))
    return llvm::formatv("the {0} crosses functions or loops with {1} batch dimensions, and here "
                         "has {2}",
                         name, getUsualBatch(type), batch.size());
  return {};
}

void Decisions::decide(MatmulOp op) {
  const GemmPlan &plan = planner.getPlan(op);
  if (!plan.storage)
    return leave(op, plan.why);
  if (op.getType().getElementType().isF16())
    return leave(op, "kernels store f32 and bf16, and the result is f16");
  for (unsigned side : {0, 1})
    if (std::string why = explainOperand(op, side); !why.empty())
      return leave(op, why);
}

void Decisions::look(Value value) {
  // A type that merely holds one, such as a function's, crosses over with nobody.
  auto type = dyn_cast<QuantizedTensorType>(value.getType());
  if (!type) {
    value.getType().walk([&](QuantizedTensorType held) {
      refuse(getEntry(held), "it is a part of a " + print(value.getType()));
    });
    return;
  }
  bool leaves = comesFromBoundary(value);
  bool known = leaves || value.getDefiningOp<QuantizeOp>() || value.getDefiningOp<ConstantOp>();
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isBoundary(user)) {
      Carried &entry = getEntry(type);
      if (!known)
        refuse(entry, "it is computed by other operations than quantizes");
    } else if (leaves) {
      Carried &entry = getEntry(type);
      if (auto matmul = dyn_cast<MatmulOp>(user))
        entry.readers.push_back(matmul);
      else
        refuse(entry, "'" + user->getName().getStringRef() + "' reads it");
    }
  }
  if (leaves)
    getEntry(type);
}

void Decisions::decide(Operation *op) {
  for (Value result : op->getResults())
    look(result);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Value argument : block.getArguments())
        look(argument);
  if (auto function = dyn_cast<func::FuncOp>(op))
    for (TypeRange types :
         {TypeRange(function.getArgumentTypes()), TypeRange(function.getResultTypes())})
      for (Type type : types)
        if (auto quantized = dyn_cast<QuantizedTensorType>(type)) {
          Carried &entry = getEntry(quantized);
          // Who calls it is not seen here.
          if (function.isPublic())
            refuse(entry,
                   "it is in the signature of the public function '" + function.getSymName() + "'");
        }
  if (auto matmul = dyn_cast<MatmulOp>(op))
    decide(matmul);
}

void Decisions::decide(ModuleOp module) {
  module.walk([&](MatmulOp op) { matmuls.try_emplace(op); });
  module.walk([&](Operation *op) { decide(op); });
  // A type that was refused before its readers were met.
  for (auto &[type, entry] : carried)
    if (!entry.why.empty())
      for (MatmulOp reader : entry.readers)
        leave(reader, "an operand crosses functions or loops as a value: " + entry.why);
  // A matmul that is left reads values, so no type that comes to it crosses over.
  while (!left.empty()) {
    MatmulOp op = left.pop_back_val();
    for (unsigned side : {0, 1})
      if (Value operand = op->getOperand(side); comesFromBoundary(operand))
        refuse(getEntry(cast<QuantizedTensorType>(operand.getType())),
               "a matmul that is left at the value level reads it");
  }
}

//===----------------------------------------------------------------------===//
// How it is done
//===----------------------------------------------------------------------===//

/// Emits what one value or operation becomes.
class Emitter {
public:
  Emitter(OpBuilder &builder, Location loc) : b(loc, builder) {}

  /// The extents of a quantized tensor; those that its type leaves open are of what was quantized.
  SmallVector<OpFoldResult> getExtents(QuantizedTensorType type, QuantizeOp quantize);
  /// Buffers that `stored` takes, given the extents of its type.
  SmallVector<Value> makeBuffers(StoredAttr stored, ArrayRef<OpFoldResult> extents);
  /// A product of extents.
  OpFoldResult multiply(ArrayRef<OpFoldResult> factors);
  OpFoldResult divideCeil(OpFoldResult value, int64_t by);
  /// Zeros that an amax is raised from: one, or one of each group.
  Value makeZeros(GroupsAttr groups);
  /// Where the groups of a ragged operand lie.
  Value makeGroupTable(StoredAttr stored, Value sizes, QuantizeOp quantize);

  ImplicitLocOpBuilder b;

private:
  Value asValue(OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), value);
  }
  OpFoldResult add(OpFoldResult value, int64_t more) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return b.getIndexAttr(*constant + more);
    return arith::AddIOp::create(b, asValue(value), asValue(b.getIndexAttr(more))).getResult();
  }
  /// Of what is one number of a tensor, or one of each group.
  static SmallVector<int64_t> shapeOfNumbers(GroupsAttr groups) {
    return groups ? SmallVector<int64_t>{groups.getCount()} : SmallVector<int64_t>{};
  }
};

SmallVector<OpFoldResult> Emitter::getExtents(QuantizedTensorType type, QuantizeOp quantize) {
  SmallVector<OpFoldResult> extents;
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    extents.push_back(ShapedType::isDynamic(extent)
                          ? tensor::getMixedSize(b, b.getLoc(), quantize.getSized(dim), dim)
                          : OpFoldResult(b.getIndexAttr(extent)));
  return extents;
}

OpFoldResult Emitter::multiply(ArrayRef<OpFoldResult> factors) {
  int64_t constant = 1;
  Value product;
  for (OpFoldResult factor : factors) {
    if (std::optional<int64_t> value = getConstantIntValue(factor))
      constant *= *value;
    else
      product = product ? arith::MulIOp::create(b, product, asValue(factor)).getResult()
                        : asValue(factor);
  }
  if (!product || constant == 0)
    return b.getIndexAttr(constant);
  if (constant != 1)
    product = arith::MulIOp::create(b, product, asValue(b.getIndexAttr(constant)));
  return product;
}

OpFoldResult Emitter::divideCeil(OpFoldResult value, int64_t by) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return b.getIndexAttr(llvm::divideCeil(*constant, by));
  if (by == 1)
    return value;
  return arith::CeilDivUIOp::create(b, asValue(value), asValue(b.getIndexAttr(by))).getResult();
}

SmallVector<Value> Emitter::makeBuffers(StoredAttr stored, ArrayRef<OpFoldResult> extents) {
  QuantizedTensorType type = stored.getType();
  const target::OperandStorage &storage = stored.getStorage().getStorage();
  numerics::Scheme scheme = type.getScheme().getNumerics();
  SmallVector<OpFoldResult> leading(extents);
  leading.erase(leading.begin() + type.getAlong());
  OpFoldResult g = multiply(ArrayRef(leading).take_front(stored.getBatch()));
  OpFoldResult r = multiply(ArrayRef(leading).drop_front(stored.getBatch()));
  std::optional<target::StorageTile> tile = storage.tile(scheme);
  GroupsAttr groups = type.getGroups();
  int64_t k = type.getK();
  if (type.isGrouped(numerics::Grouping::Contracted))
    k = numerics::groupedTiles(k, tile->depth, groups.getCount()) * tile->depth;
  SmallVector<Value> buffers;
  for (unsigned plane : {target::codesPlane, target::scalesPlane}) {
    // A plane grows by whole granules of rows, for each g: a tile's, or a block's of scales.
    int64_t granule = tile ? tile->rows : plane == target::scalesPlane ? scheme.blockRows : 1;
    int64_t bytes = storage.buffers({scheme, {1, granule, k}})[plane].bytes;
    OpFoldResult granules = divideCeil(r, granule);
    if (type.isGrouped(numerics::Grouping::Rows))
      granules = add(granules, groups.getCount());
    OpFoldResult size = multiply({g, granules, b.getIndexAttr(bytes)});
    buffers.push_back(tensor::EmptyOp::create(b, ArrayRef(size), b.getI8Type()));
  }
  if (type.getScheme().hasGlobalScale())
    buffers.push_back(tensor::EmptyOp::create(b, shapeOfNumbers(groups), b.getF32Type()));
  return buffers;
}

Value Emitter::makeGroupTable(StoredAttr stored, Value sizes, QuantizeOp quantize) {
  QuantizedTensorType type = stored.getType();
  int64_t tile = stored.getGroupTile(), count = type.getGroups().getCount();
  bool cutsRows = type.isGrouped(numerics::Grouping::Rows);
  // A view [R, K] of a tensor of rank 2.
  OpFoldResult extent =
      getExtents(type, quantize)[cutsRows ? 1 - type.getAlong() : type.getAlong()];
  OpFoldResult records = add(divideCeil(extent, tile), 2 * count);
  SmallVector<OpFoldResult> shape{records, b.getIndexAttr(GroupTableIntoOp::kFields)};
  Value empty = tensor::EmptyOp::create(b, shape, b.getI32Type());
  return GroupTableIntoOp::create(b, empty.getType(), sizes, asValue(extent), empty,
                                  b.getI64IntegerAttr(tile))
      .getResult();
}

Value Emitter::makeZeros(GroupsAttr groups) {
  Value empty = tensor::EmptyOp::create(b, shapeOfNumbers(groups), b.getF32Type());
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0.0f));
  return linalg::FillOp::create(b, zero, empty).getResult(0);
}

/// The types of the buffers of a carried type, all static.
SmallVector<Type> getBufferTypes(StoredAttr stored) {
  Builder b(stored.getContext());
  SmallVector<Type> types;
  for (int64_t bytes : stored.getPlaneBytes())
    types.push_back(RankedTensorType::get(bytes, b.getI8Type()));
  if (stored.getType().getScheme().hasGlobalScale())
    types.push_back(RankedTensorType::get({}, b.getF32Type()));
  return types;
}

class Materializer {
public:
  Materializer(ModuleOp module, Planner &planner, const Decisions &decisions)
      : module(module), planner(planner), decisions(decisions) {}

  void rewriteQuantizes();
  void rewriteConstants();
  void rewriteMatmuls();
  LogicalResult convertBoundaries();

  unsigned numQuantizes = 0, numDuals = 0, numGemms = 0;

private:
  void emit(QuantizeJob &first, QuantizeJob *second, Operation *at);
  void rewrite(MatmulOp op);
  /// Where buffers are known: every use reads them there.
  void distribute(OpBuilder &builder, StoredAttr stored, ArrayRef<OpOperand *> uses,
                  ValueRange buffers, Location loc);
  /// Where the groups of a ragged operand lie.
  Value getGroupTable(OpBuilder &builder, StoredAttr stored, Value sizes, QuantizeOp quantize);
  /// The buffers that an operand of a matmul is read from.
  SmallVector<Value> getBuffers(OpBuilder &builder, OpOperand &operand, StoredAttr stored);

  ModuleOp module;
  Planner &planner;
  const Decisions &decisions;
  llvm::DenseMap<OpOperand *, SmallVector<Value, 3>> buffersOf;
  llvm::DenseMap<Value, SmallVector<Value, 3>> buffersOfValues;
  /// By sizes, the extent that they divide, and the tile.
  llvm::DenseMap<std::tuple<Value, int64_t, int64_t>, Value> groupTables;
  SmallVector<Operation *> dead;
};

/// The uses of a value that cross over, by how they read it.
llvm::MapVector<StoredAttr, SmallVector<OpOperand *>> getStoredUses(const Decisions &decisions,
                                                                    Value value) {
  llvm::MapVector<StoredAttr, SmallVector<OpOperand *>> uses;
  auto type = cast<QuantizedTensorType>(value.getType());
  // A list of uses begins with the last.
  auto all = llvm::to_vector(llvm::make_pointer_range(value.getUses()));
  for (OpOperand *use : llvm::reverse(all)) {
    StoredAttr stored;
    if (auto matmul = dyn_cast<MatmulOp>(use->getOwner())) {
      if (decisions.matmuls.lookup(matmul).empty())
        stored = decisions.getStored(matmul, use->getOperandNumber());
    } else if (isBoundary(use->getOwner())) {
      stored = decisions.getCarried(type);
    }
    if (stored)
      uses[stored].push_back(use);
  }
  return uses;
}

void Materializer::distribute(OpBuilder &builder, StoredAttr stored, ArrayRef<OpOperand *> uses,
                              ValueRange buffers, Location loc) {
  Value cast;
  for (OpOperand *use : uses) {
    if (isa<MatmulOp>(use->getOwner())) {
      buffersOf[use] = llvm::to_vector<3>(buffers);
      continue;
    }
    if (!cast)
      cast =
          UnrealizedConversionCastOp::create(builder, loc, stored.getType(), buffers).getResult(0);
    use->set(cast);
  }
}

void Materializer::rewriteConstants() {
  SmallVector<ConstantOp> constants;
  module.walk([&](ConstantOp op) { constants.push_back(op); });
  for (ConstantOp op : constants) {
    OpBuilder builder(op);
    for (auto &[stored, uses] : getStoredUses(decisions, op.getResult())) {
      QuantizedAttr value = op.getValue();
      SmallVector<uint8_t> codes, scaleBytes;
      SmallVector<float> scales;
      for (const APInt &code : value.getCodes())
        codes.push_back(code.getZExtValue());
      bool isFloat = stored.getType().getScheme().getScale() == numerics::ScaleKind::F32;
      if (isFloat)
        for (const APFloat &scale : value.getScales().getValues<APFloat>())
          scales.push_back(scale.convertToFloat());
      else
        for (const APInt &scale : value.getScales().getValues<APInt>())
          scaleBytes.push_back(scale.getZExtValue());
      std::vector<std::vector<uint8_t>> planes = target::packOperand(
          stored.getStorage().getStorage(), *stored.getOperandType(), codes.data(),
          isFloat ? static_cast<const void *>(scales.data()) : scaleBytes.data());
      SmallVector<Value> buffers;
      for (const std::vector<uint8_t> &plane : planes) {
        auto type = RankedTensorType::get(plane.size(), builder.getI8Type());
        buffers.push_back(arith::ConstantOp::create(
            builder, op.getLoc(),
            DenseElementsAttr::get(
                type, ArrayRef(reinterpret_cast<const int8_t *>(plane.data()), plane.size()))));
      }
      if (FloatAttr global = value.getGlobal())
        buffers.push_back(arith::ConstantOp::create(
            builder, op.getLoc(),
            DenseElementsAttr::get(RankedTensorType::get({}, builder.getF32Type()),
                                   global.getValue())));
      distribute(builder, stored, uses, buffers, op.getLoc());
    }
    dead.push_back(op);
  }
}

/// Whether everything an operation reads is there at `at`, an earlier operation of its block.
bool isReadyAt(Operation *op, Operation *at) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    Operation *definition = operand.getDefiningOp();
    return !definition || definition->getBlock() != at->getBlock() ||
           definition->isBeforeInBlock(at);
  });
}

/// Whether nothing that a job serves comes before `at`, a later operation of the job's block.
bool canWaitFor(const QuantizeJob &job, Operation *at) {
  return llvm::all_of(job.uses, [&](OpOperand *use) {
    Operation *ancestor = at->getBlock()->findAncestorOpInBlock(*use->getOwner());
    // What is in another block that this one dominates comes after all of this one.
    return !ancestor || at->isBeforeInBlock(ancestor);
  });
}

void Materializer::rewriteQuantizes() {
  std::vector<QuantizeJob> jobs;
  module.walk([&](QuantizeOp op) {
    for (auto &[stored, uses] : getStoredUses(decisions, op.getResult()))
      jobs.push_back({op, stored, uses});
    dead.push_back(op);
  });
  // Jobs of a value, or of its same rows, wait for a partner in their block; a few at a time, so
  // that all is linear.
  constexpr unsigned kMostWaiting = 4;
  using Source = std::tuple<Value, Value, Block *>;
  llvm::DenseMap<Source, SmallVector<unsigned, kMostWaiting>> waiting;
  struct Emission {
    unsigned first;
    std::optional<unsigned> second;
    Operation *at;
  };
  std::vector<Emission> emissions;
  std::vector<bool> paired(jobs.size());
  for (unsigned i = 0; i < jobs.size(); ++i) {
    QuantizeJob &job = jobs[i];
    auto &others = waiting[{job.op.getInput(), job.op.getRows(), job.op->getBlock()}];
    for (unsigned &other : others) {
      QuantizeJob &earlier = jobs[other];
      QuantizedTensorType type = job.stored.getType(), before = earlier.stored.getType();
      if (type.getAlong() == before.getAlong() || type.getGroups() != before.getGroups() ||
          job.op.getFirstGroup() != earlier.op.getFirstGroup() || job.op.getGroupSizes())
        continue;
      Operation *at = isReadyAt(job.op, earlier.op) ? earlier.op.getOperation()
                      : canWaitFor(earlier, job.op) ? job.op.getOperation()
                                                    : nullptr;
      if (!at)
        continue;
      emissions.push_back({other, i, at});
      paired[i] = paired[other] = true;
      others.erase(&other);
      break;
    }
    if (!paired[i] && others.size() < kMostWaiting)
      others.push_back(i);
  }
  for (unsigned i = 0; i < jobs.size(); ++i)
    if (!paired[i])
      emissions.push_back({i, std::nullopt, jobs[i].op});
  for (const Emission &emission : emissions)
    emit(jobs[emission.first], emission.second ? &jobs[*emission.second] : nullptr, emission.at);
}

void Materializer::emit(QuantizeJob &first, QuantizeJob *second, Operation *at) {
  OpBuilder builder(at);
  Location loc =
      second ? builder.getFusedLoc({first.op.getLoc(), second->op.getLoc()}) : first.op.getLoc();
  Emitter emitter(builder, loc);
  ImplicitLocOpBuilder &b = emitter.b;
  Value input = first.op.getInput(), rows = first.op.getRows();
  SmallVector<QuantizeJob *, 2> jobs{&first};
  if (second)
    jobs.push_back(second);

  Value groups;
  if (Value sizes = first.op.getGroupSizes())
    groups = getGroupTable(builder, first.stored, sizes, first.op);
  SmallVector<Value> amaxes, seeds, steps, streams, offsets, outputs;
  SmallVector<Attribute> destinations;
  for (QuantizeJob *job : jobs) {
    QuantizeOp op = job->op;
    SchemeAttr scheme = job->stored.getType().getScheme();
    if (scheme.hasGlobalScale()) {
      Value amax;
      if (op.getAmax()) {
        amax = tensor::FromElementsOp::create(b, RankedTensorType::get({}, b.getF32Type()),
                                              op.getAmax());
      } else {
        GroupsAttr attr = job->stored.getType().getGroups();
        Value zeros = emitter.makeZeros(attr);
        amax = AmaxIntoOp::create(b, zeros.getType(), input, rows, groups,
                                  job->stored.getType().getAlong(), scheme, zeros, attr,
                                  groups ? b.getI64IntegerAttr(job->stored.getGroupTile())
                                         : IntegerAttr())
                   .getResult();
      }
      amaxes.push_back(amax);
    }
    unsigned bits = DestinationAttr::kNoBits;
    int64_t stream = DestinationAttr::kNoStream;
    Rounding rounding = Rounding::Nearest;
    if (op.isStochastic()) {
      rounding = Rounding::Stochastic;
      bits = op.getRandomBits();
      seeds.push_back(op.getSeed());
      steps.push_back(op.getStep());
      if (Value dynamic = op.getDynamicStream()) {
        streams.push_back(dynamic);
        stream = ShapedType::kDynamic;
      } else {
        stream = *op.getStream();
      }
    }
    llvm::append_range(offsets, op.getOffsets());
    destinations.push_back(DestinationAttr::get(b.getContext(), job->stored, rounding, bits, stream,
                                                op.getPlaceAttr()));
    llvm::append_range(
        outputs, emitter.makeBuffers(job->stored, emitter.getExtents(job->stored.getType(), op)));
  }
  auto into = QuantizeIntoOp::create(b, ValueRange(outputs).getTypes(), input, rows, amaxes, seeds,
                                     steps, streams, offsets, groups, first.op.getFirstGroup(),
                                     outputs, b.getArrayAttr(destinations));
  ++numQuantizes;
  numDuals += second != nullptr;
  for (auto [job, destination] : llvm::zip_equal(jobs, into.getEach()))
    distribute(b, job->stored, job->uses,
               into.getResults().slice(destination.firstOutput, job->stored.getNumBuffers()), loc);
}

Value Materializer::getGroupTable(OpBuilder &builder, StoredAttr stored, Value sizes,
                                  QuantizeOp quantize) {
  Location loc = quantize.getInput().getLoc();
  QuantizedTensorType type = stored.getType();
  bool cutsRows = type.isGrouped(numerics::Grouping::Rows);
  int64_t extent = cutsRows ? type.getLeadingShape().back() : type.getK();
  if (ShapedType::isDynamic(extent))
    return Emitter(builder, loc).makeGroupTable(stored, sizes, quantize);
  Value &table = groupTables[{sizes, extent, stored.getGroupTile()}];
  if (!table) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(sizes);
    table = Emitter(builder, loc).makeGroupTable(stored, sizes, quantize);
  }
  return table;
}

SmallVector<Value> Materializer::getBuffers(OpBuilder &builder, OpOperand &operand,
                                            StoredAttr stored) {
  auto known = buffersOf.find(&operand);
  if (known != buffersOf.end())
    return llvm::to_vector(known->second);
  // It comes across a boundary, whose conversion makes it these buffers.
  SmallVector<Value, 3> &buffers = buffersOfValues[operand.get()];
  if (buffers.empty()) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(operand.get());
    llvm::append_range(buffers,
                       UnrealizedConversionCastOp::create(builder, operand.get().getLoc(),
                                                          getBufferTypes(stored), operand.get())
                           .getResults());
  }
  return llvm::to_vector(buffers);
}

/// What follows a product, reads it alone, and is done to the same bits as the result is stored: an
/// f32 addition of a tensor, or of one row for all rows; rounding to bf16.
struct Epilogue {
  /// What the GEMM replaces, the matmul first.
  SmallVector<Operation *, 3> replaced;
  Value accumulator, bias;

  Operation *last() const { return replaced.back(); }
};

/// The only operation, but the yield of its result, of an elementwise linalg op over `operand`'s
/// elements, which reads `operand` itself in their order; null for others.
Operation *getElementwiseBody(linalg::GenericOp op, OpOperand &operand) {
  AffineMap identity = AffineMap::getMultiDimIdentityMap(op.getNumLoops(), op.getContext());
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() || !op.isDpsInput(&operand) ||
      op.getMatchingIndexingMap(&operand) != identity ||
      op.getMatchingIndexingMap(op.getDpsInitOperand(0)) != identity ||
      !op.getRegionOutputArgs()[0].use_empty() || !llvm::hasNItems(*op.getBody(), 2))
    return nullptr;
  Operation *body = &op.getBody()->front();
  return body->getNumResults() == 1 &&
                 op.getBody()->getTerminator()->getOperand(0) == body->getResult(0) &&
                 llvm::is_contained(body->getOperands(), op.getMatchingBlockArgument(&operand))
             ? body
             : nullptr;
}

/// Whether an operation rounds a product's elements to bf16.
bool narrows(Operation *user, OpOperand &use) {
  Type result = user->getNumResults() == 1 ? getElementTypeOrSelf(user->getResult(0)) : Type();
  if (!result || !result.isBF16())
    return false;
  auto generic = dyn_cast<linalg::GenericOp>(user);
  if (!generic)
    return isa<arith::TruncFOp>(user);
  return generic.getNumDpsInputs() == 1 &&
         isa_and_nonnull<arith::TruncFOp>(getElementwiseBody(generic, use));
}

/// The row that a broadcast repeats for every row of its result; null where it is none.
Value getRepeatedRow(Value value) {
  auto broadcast = value.getDefiningOp<linalg::BroadcastOp>();
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  if (!broadcast || !llvm::equal(broadcast.getDimensions(), llvm::seq<int64_t>(0, rank - 1)))
    return nullptr;
  return broadcast.getInput();
}

/// Takes an addition of f32 numbers into an epilogue; false where there is none.
bool matchAddition(Operation *user, OpOperand &use, bool hasOneColumn, Epilogue &epilogue) {
  auto type = cast<RankedTensorType>(use.get().getType());
  Value other, row;
  if (isa<arith::AddFOp>(user)) {
    other = user->getOperand(1 - use.getOperandNumber());
    row = getRepeatedRow(other);
  } else if (auto generic = dyn_cast<linalg::GenericOp>(user)) {
    if (generic.getNumDpsInputs() != 2 ||
        !isa_and_nonnull<arith::AddFOp>(getElementwiseBody(generic, use)))
      return false;
    OpOperand *operand = generic.getDpsInputOperand(1 - use.getOperandNumber());
    // The sum is of the product and this, not of one of them twice.
    if (!generic.getMatchingBlockArgument(operand).hasOneUse() ||
        !generic.getMatchingBlockArgument(&use).hasOneUse())
      return false;
    AffineMap map = generic.getMatchingIndexingMap(operand);
    if (map.isIdentity()) {
      other = operand->get();
      row = getRepeatedRow(other);
    } else if (map.getNumResults() == 1 && map.getResult(0).isFunctionOfDim(type.getRank() - 1) &&
               map.isProjectedPermutation()) {
      row = operand->get();
    }
  }
  if (row && hasOneColumn && getElementTypeOrSelf(row).isF32())
    epilogue.bias = row;
  else if (other && other.getType() == type)
    epilogue.accumulator = other;
  else
    return false;
  epilogue.replaced.push_back(user);
  return true;
}

Epilogue findEpilogue(MatmulOp op) {
  Epilogue epilogue;
  epilogue.replaced.push_back(op);
  epilogue.accumulator = op.getAccumulator();
  unsigned columns =
      cast<QuantizedTensorType>(op.getRhs().getType()).getRank() - 1 - op.getRhsBatch().size();
  auto getOnlyUse = [&]() -> OpOperand * {
    Value result = epilogue.last()->getResult(0);
    // In another block, a loop perhaps, the GEMM would run more often.
    if (!getElementTypeOrSelf(result).isF32() || !result.hasOneUse() ||
        result.use_begin()->getOwner()->getBlock() != op->getBlock())
      return nullptr;
    return &*result.use_begin();
  };
  if (OpOperand *use = getOnlyUse(); use && !epilogue.accumulator)
    matchAddition(use->getOwner(), *use, columns == 1, epilogue);
  // What is accumulated into is f32.
  if (OpOperand *use = getOnlyUse(); use && !epilogue.accumulator)
    if (narrows(use->getOwner(), *use))
      epilogue.replaced.push_back(use->getOwner());
  return epilogue;
}

void Materializer::rewrite(MatmulOp op) {
  Epilogue epilogue = findEpilogue(op);
  OpBuilder builder(op);
  StoredAttr lhs = decisions.getStored(op, 0), rhs = decisions.getStored(op, 1);
  SmallVector<Value> a = getBuffers(builder, op.getLhsMutable(), lhs);
  SmallVector<Value> c = getBuffers(builder, op.getRhsMutable(), rhs);
  builder.setInsertionPoint(epilogue.last());
  Emitter emitter(builder, op.getLoc());
  ImplicitLocOpBuilder &b = emitter.b;
  auto resultType = cast<RankedTensorType>(epilogue.last()->getResult(0).getType());
  // C0 is added in f32, so such a sum is rounded by an operation of its own.
  bool narrowsLater = epilogue.accumulator && !resultType.getElementType().isF32();
  Value output = epilogue.accumulator;
  if (!output) {
    auto extentsOf = [&](Value operand, StoredAttr stored) {
      auto quantize = operand.getDefiningOp<QuantizeOp>();
      SmallVector<OpFoldResult> extents = emitter.getExtents(stored.getType(), quantize);
      extents.erase(extents.begin() + stored.getType().getAlong());
      return extents;
    };
    SmallVector<OpFoldResult> sizes = extentsOf(op.getLhs(), lhs),
                              columns = extentsOf(op.getRhs(), rhs);
    sizes.append(columns.begin() + rhs.getBatch(), columns.end());
    if (lhs.getType().isGrouped(numerics::Grouping::Contracted))
      sizes.insert(sizes.begin(), b.getIndexAttr(lhs.getType().getGroups().getCount()));
    for (auto [size, extent] : llvm::zip_equal(sizes, resultType.getShape()))
      if (!ShapedType::isDynamic(extent))
        size = b.getIndexAttr(extent);
    output = tensor::EmptyOp::create(b, sizes, resultType.getElementType());
    // The other side can know an extent that the result's type does not, and the reverse.
    if (output.getType() != resultType)
      output = tensor::CastOp::create(b, resultType, output);
  }
  Value groups;
  if (Value sizes = op.getGroupSizes())
    groups = getGroupTable(builder, lhs, sizes, op.getLhs().getDefiningOp<QuantizeOp>());
  Value aGlobal = a.size() > 2 ? a[2] : Value(), cGlobal = c.size() > 2 ? c[2] : Value();
  const GemmPlan &plan = planner.getPlan(op);
  auto gemm = BlockGemmOp::create(b, output.getType(), a[0], a[1], aGlobal, c[0], c[1], cGlobal,
                                  /*alpha=*/Value(), epilogue.bias, groups, output, lhs, rhs,
                                  PathAttr::get(b.getContext(), plan.path),
                                  epilogue.accumulator ? b.getUnitAttr() : UnitAttr());
  gemm->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  if (plan.fallback)
    gemm->setDiscardableAttr(target::kFallbackAttr, PathAttr::get(b.getContext(), *plan.fallback));
  ++numGemms;
  Value result = gemm.getResult();
  if (narrowsLater)
    result = arith::TruncFOp::create(b, resultType, result);
  epilogue.last()->getResult(0).replaceAllUsesWith(result);
  for (Operation *replaced : llvm::reverse(epilogue.replaced))
    replaced->erase();
}

void Materializer::rewriteMatmuls() {
  for (auto &[op, why] : decisions.matmuls)
    if (why.empty())
      rewrite(op);
  // Pure operations that nobody reads any more.
  for (Operation *op : dead)
    if (op->use_empty())
      op->erase();
}

/// A carried type to its buffers; all else as it is.
class BufferTypeConverter : public TypeConverter {
public:
  explicit BufferTypeConverter(const Decisions &decisions) {
    addConversion([](Type type) { return type; });
    addConversion([&](QuantizedTensorType type,
                      SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
      StoredAttr stored = decisions.getCarried(type);
      if (!stored)
        return std::nullopt;
      llvm::append_range(types, getBufferTypes(stored));
      return success();
    });
    addSourceMaterialization([](OpBuilder &builder, Type type, ValueRange inputs, Location loc) {
      return UnrealizedConversionCastOp::create(builder, loc, type, inputs).getResult(0);
    });
    addTargetMaterialization([](OpBuilder &builder, TypeRange types, ValueRange inputs,
                                Location loc) -> SmallVector<Value> {
      return UnrealizedConversionCastOp::create(builder, loc, types, inputs).getResults();
    });
  }
};

LogicalResult Materializer::convertBoundaries() {
  if (!decisions.hasCarried())
    return success();
  MLIRContext *context = module.getContext();
  BufferTypeConverter converter(decisions);
  RewritePatternSet patterns(context);
  populateBoundaryPatterns(patterns, converter);
  ConversionTarget target(*context);
  // What others do with a type of the same name is on the value level.
  target.markUnknownOpDynamicallyLegal(
      [&](Operation *op) { return !isBoundary(op) || hasLegalTypes(op, converter); });
  if (failed(applyFullConversion(module, target, std::move(patterns))))
    return failure();
  SmallVector<UnrealizedConversionCastOp> casts;
  module.walk([&](UnrealizedConversionCastOp op) {
    if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<QuantizedTensorType>) ||
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<QuantizedTensorType>))
      casts.push_back(op);
  });
  SmallVector<UnrealizedConversionCastOp> remaining;
  reconcileUnrealizedCasts(casts, &remaining);
  for (UnrealizedConversionCastOp op : remaining)
    return op.emitError("a value crosses a boundary that has no conversion");
  return success();
}

struct MaterializeStoragePass : ufp4::impl::MaterializeStorageBase<MaterializeStoragePass> {
  using MaterializeStorageBase::MaterializeStorageBase;

  void runOnOperation() override {
    if (failed(run(getOperation())))
      signalPassFailure();
  }

private:
  static void explainPath(MatmulOp op, StringRef why) {
    op->setAttr(kPathReasonAttr, StringAttr::get(op.getContext(), why));
  }

  /// A remark, or where asked for an error; whether the pass fails.
  bool reportFallback(Operation *op, const Twine &text) {
    if (failOnFallback)
      op->emitError() << "fail-on-fallback: " << text;
    else
      op->emitRemark() << text;
    return failOnFallback;
  }

  /// That a GEMM takes a lesser path than the chip's table has for it.
  bool reportPassedOver(MatmulOp op, const GemmPlan &plan) {
    bool failed = false;
    std::string why;
    for (const target::PassedOver &passed : plan.passedOver) {
      why += (why.empty() ? "" : "; ") + passed.why;
      // What is undocumented stays out unless it is asked for: no fallback, but worth knowing.
      if (passed.isExpected)
        failed |= reportFallback(op, "takes the " + target::stringify(plan.path) +
                                         " path: " + Twine(passed.why));
    }
    if (!why.empty())
      explainPath(op, why);
    return failed;
  }

  /// That quantizes have readers which no kernel serves; those of matmuls say so themselves.
  bool reportQuantizes(ModuleOp module, const Decisions &decisions) {
    bool failed = false;
    module.walk([&](QuantizeOp op) {
      llvm::SmallPtrSet<OpOperand *, 4> stored;
      for (auto &[how, uses] : getStoredUses(decisions, op.getResult()))
        stored.insert_range(uses);
      for (OpOperand &use : op->getUses()) {
        if (stored.contains(&use) || isa<MatmulOp>(use.getOwner()))
          continue;
        failed |=
            reportFallback(op, "quantizes at the value level: no kernel serves '" +
                                   use.getOwner()->getName().getStringRef() + "', which reads it");
        break;
      }
    });
    return failed;
  }

  LogicalResult run(ModuleOp module) {
    const target::Chip *chip = target::findChip(chipName);
    if (!chip)
      return emitError(module.getLoc()) << target::explainUnknownChip(chipName);
    if (std::string why = target::explainPathOption(e1m2); !why.empty())
      return emitError(module.getLoc()) << "e1m2: " << why;
    Planner planner(*chip, target::parsePath(e1m2), canRewrite);
    Decisions decisions(module, planner);
    bool failed = reportQuantizes(module, decisions);
    for (auto &[op, why] : decisions.matmuls) {
      MatmulOp matmul = op;
      const GemmPlan &plan = planner.getPlan(matmul);
      if (why.empty()) {
        failed |= reportPassedOver(matmul, plan);
        continue;
      }
      ++numLeft;
      explainPath(matmul, why);
      bool isRefused = plan.refused;
      failed |= isRefused || failOnFallback || failOnLeft;
      if (isRefused)
        matmul.emitError() << "e1m2=" << e1m2 << ": " << why;
      else if (failOnFallback)
        matmul.emitError() << "fail-on-fallback: " << why;
      else if (failOnLeft)
        matmul.emitError(why);
      else
        matmul.emitRemark() << "left at the value level: " << why;
    }
    if (failed)
      return failure();
    Materializer materializer(module, planner, decisions);
    materializer.rewriteConstants();
    materializer.rewriteQuantizes();
    materializer.rewriteMatmuls();
    if (mlir::failed(materializer.convertBoundaries()))
      return failure();
    numQuantizes += materializer.numQuantizes;
    numDuals += materializer.numDuals;
    numGemms += materializer.numGemms;
    return success();
  }
};

} // namespace
