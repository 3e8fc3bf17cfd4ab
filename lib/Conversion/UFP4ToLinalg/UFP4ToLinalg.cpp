//===- UFP4ToLinalg.cpp - the value level to upstream dialects ------------===//
//
// The 1:N type conversion and the two passes.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "ufp4/Conversion/Boundaries.h"
#include "ufp4/Conversion/UFP4ToLinalg/Passes.h"
#include "ufp4/Target/CPU/Units.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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
    llvm::append_range(parts, type.getPartTypes());
    return success();
  });
}

namespace {

/// The parts are what the type became.
struct ConvertUnpack : OpConversionPattern<UnpackOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(UnpackOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getInput());
    return success();
  }
};

/// The type becomes the parts.
struct ConvertPack : OpConversionPattern<PackOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(PackOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (ValueRange part : adaptor.getParts())
      llvm::append_range(parts, part);
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{parts});
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
      llvm::function_ref<void(RewritePatternSet &, const PartsTypeConverter &, ConversionTarget &)>
          populate) {
  MLIRContext *context = module.getContext();
  PartsTypeConverter converter;
  RewritePatternSet patterns(context);
  populateQuantizeToLinalgPatterns(patterns, converter);
  populateMatmulToLinalgPatterns(patterns, converter);
  ConversionTarget target(*context);
  target.addIllegalDialect<UFP4Dialect>();
  target.markUnknownOpDynamicallyLegal([&](Operation *op) { return hasLegalTypes(op, converter); });
  populate(patterns, converter, target);
  patterns.add<ConvertPack, ConvertUnpack, EraseRecipe>(converter, context);
  populateBoundaryPatterns(patterns, converter);
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
    auto none = [](RewritePatternSet &, const PartsTypeConverter &, ConversionTarget &) {};
    if (failed(decomposeGroups(getOperation(), /*report=*/false)) ||
        failed(lower(getOperation(), none)))
      signalPassFailure();
  }
};

struct UFP4ToVectorPass : ufp4::impl::UFP4ToVectorBase<UFP4ToVectorPass> {
  using UFP4ToVectorBase::UFP4ToVectorBase;

  void runOnOperation() override {
    if (lanes != 0 && (lanes < 4 || lanes > 16 || !llvm::isPowerOf2_64(lanes))) {
      emitError(getOperation().getLoc())
          << "ufp4-to-vector: lanes is a power of two from 4 to 16, found " << int64_t(lanes);
      return signalPassFailure();
    }
    llvm::Expected<target::VectorUnits> units = target::findVectorUnits(cpu);
    if (!units) {
      emitError(getOperation().getLoc()) << "ufp4-to-vector: " << llvm::toString(units.takeError());
      return signalPassFailure();
    }
    const target::IntegerDot *unit = dot.empty() ? &units->dot : target::findIntegerDot(dot);
    if (!unit) {
      emitError(getOperation().getLoc()) << "ufp4-to-vector: dot is one of "
                                         << target::listIntegerDots() << ", found '" << dot << "'";
      return signalPassFailure();
    }
    countOps(getOperation(), numQuantizes, numMatmuls);
    if (failed(decomposeGroups(getOperation(), reportGroups)))
      return signalPassFailure();
    auto vectors = [&](RewritePatternSet &patterns, const PartsTypeConverter &converter,
                       ConversionTarget &target) {
      populateQuantizeToVectorPatterns(patterns, converter, lanes ? int64_t(lanes) : units->lanes);
      populateMatmulToVectorPatterns(patterns, converter, *unit);
      target.addLegalOp<QuantizeIntoOp, AmaxIntoOp, BlockGemmOp, GroupTableIntoOp>();
    };
    if (failed(lower(getOperation(), vectors)))
      signalPassFailure();
  }
};

} // namespace
