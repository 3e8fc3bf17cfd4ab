//===- UFP4Bufferization.cpp - the storage level and buffers --------------===//

#include "ufp4/Dialect/UFP4/IR/UFP4Bufferization.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"

using namespace mlir;
using namespace ufp4;
using namespace mlir::bufferization;

namespace {
template <typename OpTy>
struct StorageModel : DstBufferizableOpInterfaceExternalModel<StorageModel<OpTy>, OpTy> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand, const AnalysisState &) const {
    auto concrete = cast<OpTy>(op);
    return concrete.readsOutputs() || !concrete.isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto concrete = cast<OpTy>(op);
    SmallVector<Value> operands, buffers;
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (isa<TensorType>(value.getType())) {
        FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
        if (failed(buffer))
          return failure();
        value = *buffer;
      }
      operands.push_back(value);
      if (concrete.isDpsInit(&operand))
        buffers.push_back(value);
    }
    OperationState clone(op->getLoc(), op->getName(), operands, TypeRange{}, op->getAttrs());
    rewriter.create(clone);
    replaceOpWithBufferizedValues(rewriter, op, buffers);
    return success();
  }
};
} // namespace

void ufp4::registerBufferizationModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, UFP4Dialect *) {
    GroupTableIntoOp::attachInterface<StorageModel<GroupTableIntoOp>>(*context);
    QuantizeIntoOp::attachInterface<StorageModel<QuantizeIntoOp>>(*context);
    AmaxIntoOp::attachInterface<StorageModel<AmaxIntoOp>>(*context);
    BlockGemmOp::attachInterface<StorageModel<BlockGemmOp>>(*context);
  });
}
