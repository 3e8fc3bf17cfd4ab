//===- LowerCopies.cpp - Strided memref copies to loops -------------------===//

#include "ufp4/Conversion/CPU/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace ufp4 {
#define GEN_PASS_DEF_CPULOWERCOPIES
#include "ufp4/Conversion/CPU/Passes.h.inc"
} // namespace ufp4

using namespace mlir;

namespace {

/// The same condition under which the conversion to LLVM emits a memcpy.
bool isContiguous(Value v) {
  auto type = dyn_cast<MemRefType>(v.getType());
  return type && (type.getLayout().isIdentity() ||
                  (type.hasStaticShape() && type.getNumElements() > 0 &&
                   memref::isStaticShapeAndContiguousRowMajor(type)));
}

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

} // namespace
