//===- Boundaries.cpp - quantized values across functions and loops -------===//

#include "ufp4/Conversion/Boundaries.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"

using namespace mlir;
using namespace ufp4;

namespace {

/// Selects part by part.
struct ConvertSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (auto [yes, no] : llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      parts.push_back(
          arith::SelectOp::create(rewriter, op.getLoc(), adaptor.getCondition().front(), yes, no));
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{parts});
    return success();
  }
};

SmallVector<Value> flatten(ArrayRef<ValueRange> parts) {
  SmallVector<Value> flat;
  for (ValueRange range : parts)
    llvm::append_range(flat, range);
  return flat;
}

/// Upstream's pattern leaves the types of inner blocks and the positions of attributes behind.
struct ConvertFunction : OpConversionPattern<func::FuncOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(func::FuncOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const TypeConverter &converter = *getTypeConverter();
    FunctionType type = op.getFunctionType();
    TypeConverter::SignatureConversion signature(type.getNumInputs());
    SmallVector<Type> results;
    SmallVector<Attribute> argAttrs, resultAttrs;
    for (auto [i, input] : llvm::enumerate(type.getInputs())) {
      SmallVector<Type> parts;
      if (failed(converter.convertType(input, parts)))
        return rewriter.notifyMatchFailure(op, "an argument's type has no lowered form");
      signature.addInputs(i, parts);
      argAttrs.append(parts.size(), attrsOrEmpty(op.getArgAttrDict(i), rewriter));
    }
    for (auto [i, result] : llvm::enumerate(type.getResults())) {
      size_t before = results.size();
      if (failed(converter.convertType(result, results)))
        return rewriter.notifyMatchFailure(op, "a result's type has no lowered form");
      resultAttrs.append(results.size() - before, attrsOrEmpty(op.getResultAttrDict(i), rewriter));
    }
    if (!op.isExternal() &&
        failed(rewriter.convertRegionTypes(&op.getBody(), converter, &signature)))
      return rewriter.notifyMatchFailure(op, "a block argument's type has no lowered form");
    rewriter.modifyOpInPlace(op, [&] {
      op.setType(rewriter.getFunctionType(signature.getConvertedTypes(), results));
      if (op.getArgAttrsAttr())
        op.setArgAttrsAttr(rewriter.getArrayAttr(argAttrs));
      if (op.getResAttrsAttr())
        op.setResAttrsAttr(rewriter.getArrayAttr(resultAttrs));
    });
    return success();
  }

private:
  /// Every part carries what the whole carried.
  static DictionaryAttr attrsOrEmpty(DictionaryAttr attrs, Builder &builder) {
    return attrs ? attrs : builder.getDictionaryAttr({});
  }
};

/// Upstream's pattern for branches is 1:1.
struct ConvertBranch : OpConversionPattern<cf::BranchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cf::BranchOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<cf::BranchOp>(op, op.getDest(), flatten(adaptor.getDestOperands()));
    return success();
  }
};

struct ConvertCondBranch : OpConversionPattern<cf::CondBranchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cf::CondBranchOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<cf::CondBranchOp>(
        op, adaptor.getCondition().front(), op.getTrueDest(),
        flatten(adaptor.getTrueDestOperands()), op.getFalseDest(),
        flatten(adaptor.getFalseDestOperands()));
    return success();
  }
};

} // namespace

void ufp4::populateBoundaryPatterns(RewritePatternSet &patterns, const TypeConverter &converter) {
  patterns.add<ConvertBranch, ConvertCondBranch, ConvertFunction, ConvertSelect>(
      converter, patterns.getContext());
  populateCallOpTypeConversionPattern(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
  scf::populateSCFStructuralTypeConversions(converter, patterns);
}

bool ufp4::hasLegalTypes(Operation *op, const TypeConverter &converter) {
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    if (auto type = dyn_cast<FunctionType>(function.getFunctionType());
        type && !converter.isSignatureLegal(type))
      return false;
  return converter.isLegal(op) &&
         llvm::all_of(op->getRegions(), [&](Region &region) { return converter.isLegal(&region); });
}

bool ufp4::isBoundary(Operation *op) {
  if (isa<scf::YieldOp>(op))
    return isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op->getParentOp());
  if (isa<cf::BranchOp, cf::CondBranchOp>(op))
    return isa<func::FuncOp>(op->getParentOp());
  return isa<func::FuncOp, func::CallOp, func::ReturnOp, scf::ForOp, scf::IfOp, scf::WhileOp,
             scf::ConditionOp, arith::SelectOp>(op);
}

bool ufp4::comesFromBoundary(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isBoundary(argument.getOwner()->getParentOp());
  return isBoundary(value.getDefiningOp());
}
