//===- Buffers.cpp - Copies, casts and shapes of strided buffers ----------===//

#include "ufp4/Conversion/CPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace ufp4 {
#define GEN_PASS_DEF_CPULOWERCOPIES
#define GEN_PASS_DEF_CPUREPAIRCASTS
#define GEN_PASS_DEF_CPUREPLACEEMPTYMERGES
#define GEN_PASS_DEF_CPULOWEREXPANDSHAPES
#include "ufp4/Conversion/CPU/Passes.h.inc"
} // namespace ufp4

using namespace mlir;

namespace {

/// Whether a group of dimensions has a static extent of 0 beside a dynamic one.
bool mergesNothing(tensor::CollapseShapeOp collapse) {
  RankedTensorType type = collapse.getSrcType();
  return llvm::any_of(collapse.getReassociationIndices(), [&](const ReassociationIndices &group) {
    return llvm::any_of(group, [&](int64_t d) { return type.getDimSize(d) == 0; }) &&
           llvm::any_of(group, [&](int64_t d) { return type.isDynamicDim(d); });
  });
}

struct CPUReplaceEmptyMergesPass
    : public ufp4::impl::CPUReplaceEmptyMergesBase<CPUReplaceEmptyMergesPass> {
  void runOnOperation() override {
    SmallVector<tensor::CollapseShapeOp> merges;
    getOperation()->walk([&](tensor::CollapseShapeOp collapse) {
      if (mergesNothing(collapse))
        merges.push_back(collapse);
    });
    for (tensor::CollapseShapeOp collapse : merges) {
      OpBuilder b(collapse);
      Location loc = collapse.getLoc();
      RankedTensorType type = collapse.getResultType();
      SmallVector<Value> sizes;
      for (auto [i, group] : llvm::enumerate(collapse.getReassociationIndices())) {
        if (!type.isDynamicDim(i))
          continue;
        Value size = arith::ConstantIndexOp::create(b, loc, 1);
        for (int64_t d : group)
          size = b.createOrFold<arith::MulIOp>(
              loc, size, b.createOrFold<tensor::DimOp>(loc, collapse.getSrc(), d));
        sizes.push_back(size);
      }
      Value empty = tensor::EmptyOp::create(b, loc, type, sizes);
      collapse.replaceAllUsesWith(empty);
      collapse.erase();
    }
  }
};

/// The same condition under which the conversion to LLVM emits a memcpy.
bool isContiguous(Value v) {
  auto type = dyn_cast<MemRefType>(v.getType());
  return type &&
         (type.getLayout().isIdentity() || (type.hasStaticShape() && type.getNumElements() > 0 &&
                                            memref::isStaticShapeAndContiguousRowMajor(type)));
}

/// Whether the cast claims that a strided buffer is dense without the types proving it.
bool claimsDense(memref::CastOp cast) {
  auto source = dyn_cast<MemRefType>(cast.getSource().getType());
  auto target = dyn_cast<MemRefType>(cast.getType());
  if (!source || !target || source.getLayout().isIdentity() || !target.getLayout().isIdentity())
    return false;
  return source.getRank() > 1 &&
         llvm::is_contained(target.getShape().drop_front(), ShapedType::kDynamic);
}

struct CPURepairCastsPass : public ufp4::impl::CPURepairCastsBase<CPURepairCastsPass> {
  void runOnOperation() override {
    SmallVector<memref::CastOp> casts;
    getOperation()->walk([&](memref::CastOp cast) {
      if (claimsDense(cast))
        casts.push_back(cast);
    });
    for (memref::CastOp cast : casts) {
      OpBuilder b(cast);
      Location loc = cast.getLoc();
      auto type = mlir::cast<MemRefType>(cast.getType());
      SmallVector<Value> sizes;
      for (int64_t i = 0; i < type.getRank(); ++i)
        if (type.isDynamicDim(i))
          sizes.push_back(memref::DimOp::create(b, loc, cast.getSource(), i));
      Value dense = memref::AllocOp::create(b, loc, type, sizes);
      memref::CopyOp::create(b, loc, cast.getSource(), dense);
      cast.replaceAllUsesWith(dense);
      cast.erase();
      ++numCopies;
    }
  }
};

struct CPULowerCopiesPass : public ufp4::impl::CPULowerCopiesBase<CPULowerCopiesPass> {
  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    getOperation()->walk([&](memref::CopyOp copy) {
      if (!isContiguous(copy.getSource()) || !isContiguous(copy.getTarget()))
        copies.push_back(copy);
    });
    for (memref::CopyOp copy : copies) {
      OpBuilder b(copy);
      linalg::makeMemRefCopyOp(b, copy.getLoc(), copy.getSource(), copy.getTarget());
      copy.erase();
    }
  }
};

/// Whether a dimension of the source splits into several of dynamic size, or into one and an extent
/// of 0, by which upstream's lowering would divide.
bool splitsDynamically(memref::ExpandShapeOp expand) {
  MemRefType type = expand.getResultType();
  return llvm::any_of(expand.getReassociationIndices(), [&](const ReassociationIndices &group) {
    int64_t dynamic = llvm::count_if(group, [&](int64_t d) { return type.isDynamicDim(d); });
    return dynamic > 1 || (dynamic == 1 &&
                           llvm::any_of(group, [&](int64_t d) { return type.getDimSize(d) == 0; }));
  });
}

struct CPULowerExpandShapesPass
    : public ufp4::impl::CPULowerExpandShapesBase<CPULowerExpandShapesPass> {
  void runOnOperation() override {
    SmallVector<memref::ExpandShapeOp> expands;
    getOperation()->walk([&](memref::ExpandShapeOp expand) {
      if (splitsDynamically(expand))
        expands.push_back(expand);
    });
    for (memref::ExpandShapeOp expand : expands)
      lower(expand);
  }

private:
  static void lower(memref::ExpandShapeOp expand) {
    OpBuilder b(expand);
    Location loc = expand.getLoc();
    MemRefType type = expand.getResultType();
    auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, expand.getSrc());
    SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape();
    SmallVector<OpFoldResult> strides(type.getRank());
    auto [typeStrides, typeOffset] = type.getStridesAndOffset();
    for (auto [i, group] : llvm::enumerate(expand.getReassociationIndices())) {
      Value stride = metadata.getStrides()[i];
      for (int64_t d : llvm::reverse(group)) {
        strides[d] = ShapedType::isDynamic(typeStrides[d]) ? OpFoldResult(stride)
                                                           : b.getIndexAttr(typeStrides[d]);
        stride = arith::MulIOp::create(b, loc, stride,
                                       getValueOrCreateConstantIndexOp(b, loc, sizes[d]));
      }
    }
    OpFoldResult offset = ShapedType::isDynamic(typeOffset) ? OpFoldResult(metadata.getOffset())
                                                            : b.getIndexAttr(typeOffset);
    auto view = memref::ReinterpretCastOp::create(b, loc, type, metadata.getBaseBuffer(), offset,
                                                  sizes, strides);
    expand.replaceAllUsesWith(view.getResult());
    expand.erase();
  }
};

} // namespace
