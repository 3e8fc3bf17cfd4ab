//===- OutlineMatmuls.cpp - equal matmuls share one function --------------===//

#include "ufp4/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "llvm/ADT/DenseMap.h"

namespace ufp4 {
#define GEN_PASS_DEF_OUTLINEMATMULS
#include "ufp4/Transforms/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;

namespace {
struct OutlineMatmuls : ufp4::impl::OutlineMatmulsBase<OutlineMatmuls> {
  void runOnOperation() override {
    SmallVector<SmallVector<MatmulOp>> kinds;
    llvm::DenseMap<FunctionType, SmallVector<size_t>> byType;
    getOperation().walk([&](MatmulOp op) {
      SmallVector<size_t> &same = byType[getType(op)];
      for (size_t kind : same)
        if (hasSameBatch(kinds[kind].front(), op)) {
          kinds[kind].push_back(op);
          return;
        }
      same.push_back(kinds.size());
      kinds.push_back({op});
    });
    SymbolTable symbols(getOperation());
    for (ArrayRef<MatmulOp> ops : kinds) {
      if (ops.size() < 2)
        continue;
      func::FuncOp function = makeFunction(symbols, ops.front());
      for (MatmulOp op : ops) {
        OpBuilder builder(op);
        auto call = func::CallOp::create(builder, op.getLoc(), function, op->getOperands());
        op.getResult().replaceAllUsesWith(call.getResult(0));
        op->erase();
      }
      ++numFunctions;
      numCalls += ops.size();
    }
  }

private:
  static FunctionType getType(MatmulOp op) {
    return FunctionType::get(op.getContext(), op->getOperandTypes(), op->getResultTypes());
  }

  static bool hasSameBatch(MatmulOp a, MatmulOp b) {
    return a.getLhsBatch() == b.getLhsBatch() && a.getRhsBatch() == b.getRhsBatch();
  }

  func::FuncOp makeFunction(SymbolTable &symbols, MatmulOp op) {
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    auto function = func::FuncOp::create(builder, op.getLoc(), "ufp4_matmul_0", getType(op));
    function.setPrivate();
    symbols.insert(function);
    Block *entry = function.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    IRMapping mapping;
    mapping.map(op->getOperands(), entry->getArguments());
    Operation *matmul = builder.clone(*op, mapping);
    // What the rewriting noted of one matmul is not true of all.
    matmul->setDiscardableAttrs(builder.getDictionaryAttr({}));
    func::ReturnOp::create(builder, op.getLoc(), matmul->getResults());
    return function;
  }
};
} // namespace
