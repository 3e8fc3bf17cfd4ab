//===- UFP4ToLinalg.cpp - the value level to upstream dialects ------------===//
//
// The 1:N type conversion and the boundaries that carry it, and the two passes.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "ufp4/Conversion/UFP4ToLinalg/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace ufp4 {
#define GEN_PASS_DEF_UFP4TOLINALG
#define GEN_PASS_DEF_UFP4TOVECTOR
#include "ufp4/Conversion/UFP4ToLinalg/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;

/// Whether a type is or holds a `!ufp4.tensor`.
static bool holdsQuantized(Type type) {
  return type.walk([](QuantizedTensorType) { return WalkResult::interrupt(); }).wasInterrupted();
}

PartsTypeConverter::PartsTypeConverter() {
  // A type that merely holds one (a tuple, a function value) has no lowered form.
  addConversion([](Type type) { return holdsQuantized(type) ? Type() : type; });
  addConversion([](QuantizedTensorType type, SmallVectorImpl<Type> &parts) -> LogicalResult {
    parts.push_back(type.getCodesType());
    parts.push_back(type.getScalesType());
    if (type.getScheme().hasGlobalScale())
      parts.push_back(RankedTensorType::get({}, Float32Type::get(type.getContext())));
    return success();
  });
}

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

/// The parts are what the type became.
struct ConvertUnpack : OpConversionPattern<UnpackOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(UnpackOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getInput());
    return success();
  }
};

/// A recipe has been read by the rewriting.
struct EraseRecipe : OpConversionPattern<RecipeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(RecipeOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

/// Converts the whole module; `populate` adds what a pass has beyond linalg.
LogicalResult
lower(ModuleOp module,
      llvm::function_ref<void(RewritePatternSet &, const PartsTypeConverter &)> populate) {
  MLIRContext *context = module.getContext();
  PartsTypeConverter converter;
  RewritePatternSet patterns(context);
  populateQuantizeToLinalgPatterns(patterns, converter);
  populateMatmulToLinalgPatterns(patterns, converter);
  populate(patterns, converter);
  patterns.add<ConvertBranch, ConvertCondBranch, ConvertFunction, ConvertSelect, ConvertUnpack,
               EraseRecipe>(converter, context);
  populateCallOpTypeConversionPattern(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
  scf::populateSCFStructuralTypeConversions(converter, patterns);

  ConversionTarget target(*context);
  target.addIllegalDialect<UFP4Dialect>();
  target.markUnknownOpDynamicallyLegal([&](Operation *op) {
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      if (auto type = dyn_cast<FunctionType>(function.getFunctionType());
          type && !converter.isSignatureLegal(type))
        return false;
    return converter.isLegal(op) && llvm::all_of(op->getRegions(), [&](Region &region) {
             return converter.isLegal(&region);
           });
  });
  return applyFullConversion(module, target, std::move(patterns));
}

/// The statistics of both passes.
void countOps(ModuleOp module, Pass::Statistic &quantizes, Pass::Statistic &matmuls) {
  module.walk([&](Operation *op) {
    if (isa<QuantizeOp>(op))
      ++quantizes;
    else if (isa<MatmulOp>(op))
      ++matmuls;
  });
}

struct UFP4ToLinalgPass : ufp4::impl::UFP4ToLinalgBase<UFP4ToLinalgPass> {
  void runOnOperation() override {
    countOps(getOperation(), numQuantizes, numMatmuls);
    auto none = [](RewritePatternSet &, const PartsTypeConverter &) {};
    if (failed(lower(getOperation(), none)))
      signalPassFailure();
  }
};

struct UFP4ToVectorPass : ufp4::impl::UFP4ToVectorBase<UFP4ToVectorPass> {
  using UFP4ToVectorBase::UFP4ToVectorBase;

  void runOnOperation() override {
    if (lanes < 4 || lanes > 16 || !llvm::isPowerOf2_64(lanes)) {
      getOperation().emitError() << "ufp4-to-vector: lanes is a power of two from 4 to 16, found "
                                 << int64_t(lanes);
      return signalPassFailure();
    }
    countOps(getOperation(), numQuantizes, numMatmuls);
    auto vectors = [&](RewritePatternSet &patterns, const PartsTypeConverter &converter) {
      populateQuantizeToVectorPatterns(patterns, converter, lanes);
    };
    if (failed(lower(getOperation(), vectors)))
      signalPassFailure();
  }
};

} // namespace
