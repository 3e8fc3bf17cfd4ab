//===- FuseGathers.cpp - quantizes read gathered rows by their indices ----===//

#include "ufp4/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "llvm/ADT/TypeSwitch.h"

namespace ufp4 {
#define GEN_PASS_DEF_FUSEGATHERS
#include "ufp4/Transforms/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;

namespace {

bool isIndexOf(Value value, int64_t dim) {
  auto index = value.getDefiningOp<linalg::IndexOp>();
  return index && static_cast<int64_t>(index.getDim()) == dim;
}

/// The rows of a tensor that indices name.
struct Gather {
  Value input;
  /// The vector of indices, [R], or [R, 1] as front ends have it.
  Value rows;
  /// Why it is not read through its indices; empty where it is.
  std::string why;
};

/// Removes what cuts an index; whether that is first to 0 and above, then to `last` and below.
bool stripClamp(Value &index, int64_t last) {
  bool isCut = true;
  for (bool toLast : {true, false}) {
    Operation *op = index.getDefiningOp();
    if (!isa_and_nonnull<arith::MinSIOp, arith::MaxSIOp>(op))
      return false;
    isCut &= isa<arith::MinSIOp>(op) == toLast &&
             getConstantIntValue(op->getOperand(1)) == (toLast ? last : 0);
    index = op->getOperand(0);
  }
  return isCut;
}

/// A gather of whole rows, of rank 2; nothing where an operation is none.
std::optional<Gather> matchGather(linalg::GenericOp op) {
  if (op.getNumDpsInputs() || op.getNumDpsInits() != 1 || op.getNumLoops() != 2 ||
      op.getNumParallelLoops() != 2 || !op.hasPureTensorSemantics() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  Value yielded = op.getBody()->getTerminator()->getOperand(0);
  auto element = yielded.getDefiningOp<tensor::ExtractOp>();
  if (!element || element->getBlock() != op.getBody() || element.getIndices().size() != 2 ||
      !isIndexOf(element.getIndices()[1], 1))
    return std::nullopt;
  Gather gather{element.getTensor(), nullptr, ""};
  auto input = cast<RankedTensorType>(gather.input.getType());
  auto result = cast<RankedTensorType>(op.getResult(0).getType());
  if (input.isDynamicDim(1) || input.getDimSize(1) != result.getDimSize(1))
    return std::nullopt;
  auto isInside = [&](Value value) { return value.getParentRegion() == &op.getRegion(); };
  Value index = element.getIndices()[0];
  bool isCut =
      !input.isDynamicDim(0) && input.getDimSize(0) && stripClamp(index, input.getDimSize(0) - 1);
  auto cast = index.getDefiningOp<arith::IndexCastOp>();
  auto named = (cast ? cast.getIn() : index).getDefiningOp<tensor::ExtractOp>();
  if (!named || named.getIndices().empty() || named.getIndices().size() > 2 ||
      !isIndexOf(named.getIndices()[0], 0) ||
      !llvm::all_of(named.getIndices().drop_front(),
                    [](Value at) { return getConstantIntValue(at) == 0; }) ||
      isInside(gather.input) || isInside(named.getTensor()))
    return std::nullopt;
  gather.rows = named.getTensor();
  auto rows = mlir::cast<RankedTensorType>(gather.rows.getType());
  if (!isCut)
    gather.why = "its indices are not cut to the rows that there are";
  else if (!cast || !rows.getElementType().isInteger(32))
    gather.why = "its indices are no i32";
  else if (rows.isDynamicDim(0) || rows.getDimSize(0) != result.getDimSize(0) ||
           (rows.getRank() == 2 && rows.getDimSize(1) != 1))
    gather.why = "its indices are not known to be all of a tensor's";
  return gather;
}

/// Indices as [R].
Value getVector(OpBuilder &builder, Location loc, Value rows) {
  auto type = cast<RankedTensorType>(rows.getType());
  if (type.getRank() == 1)
    return rows;
  if (auto expand = rows.getDefiningOp<tensor::ExpandShapeOp>())
    if (expand.getSrcType().getRank() == 1)
      return expand.getSrc();
  return tensor::CollapseShapeOp::create(builder, loc, rows, ReassociationIndices{0, 1});
}

/// Whether a use reads a value to quantize it, and not through other indices.
bool isQuantized(OpOperand &use) {
  return llvm::TypeSwitch<Operation *, bool>(use.getOwner())
      .Case<QuantizeOp, AmaxOp>(
          [&](auto op) { return use.getOperandNumber() == 0 && !op.getRows(); })
      .Default(false);
}

struct FuseGathers : ufp4::impl::FuseGathersBase<FuseGathers> {
  void runOnOperation() override {
    SmallVector<std::pair<linalg::GenericOp, Gather>> gathers;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.getNumResults() == 1 && llvm::any_of(op.getResult(0).getUses(), isQuantized))
        if (std::optional<Gather> gather = matchGather(op))
          gathers.push_back({op, *gather});
    });
    for (auto &[op, gather] : gathers)
      fuse(op, gather);
  }

private:
  void fuse(linalg::GenericOp op, Gather gather) {
    Value result = op.getResult(0);
    for (OpOperand &use : result.getUses())
      if (gather.why.empty() && !isQuantized(use))
        gather.why = "'" + use.getOwner()->getName().getStringRef().str() + "' reads it too";
    if (!gather.why.empty()) {
      op.emitRemark() << "a gather is made before it is quantized: " << gather.why;
      return;
    }
    OpBuilder builder(op);
    Value rows = getVector(builder, op.getLoc(), gather.rows);
    for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
      Operation *reader = use.getOwner();
      reader->setOperand(0, gather.input);
      llvm::TypeSwitch<Operation *>(reader).Case<QuantizeOp, AmaxOp>(
          [&](auto quantize) { quantize.getRowsMutable().assign(rows); });
    }
    op.erase();
    ++numGathers;
  }
};
} // namespace
