//===- BulkCopies.cpp - cp.async.bulk -------------------------------------===//
//
// One thread tells the stage's mbarrier how many bytes are to come and issues one copy a tile; the
// copies tell it when they have come (PTX ISA, "cp.async.bulk", "mbarrier"). The barrier lies
// behind the stage's tiles, so a stage's address is all that either side needs.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Target/Transport.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

namespace {
class BulkCopies final : public Transport {
public:
  llvm::StringRef name() const override { return "bulk"; }
  bool runsOn(const Chip &chip) const override { return chip.has(Feature::BulkCopy); }
  const OperandStorage *source(const OperandStorage &tiles) const override { return &tiles; }
  unsigned alignment() const override { return chunk; }
  unsigned depthGranule(const numerics::Scheme &) const override { return 1; }
  bool completesByGroup() const override { return false; }
  bool fillsWithZeros() const override { return false; }
  /// Eight of them are the mbarrier; tiles stay as aligned as the ring.
  unsigned barrierBytes() const override { return 128; }

  std::optional<std::string> verify(llvm::ArrayRef<int64_t> tileBytes, unsigned,
                                    unsigned) const override {
    int64_t all = 0;
    for (int64_t bytes : tileBytes) {
      if (bytes % chunk)
        return llvm::formatv("a tile of {0} bytes is no multiple of {1}", bytes, chunk).str();
      all += bytes;
    }
    if (all > mostBytes)
      return llvm::formatv("an mbarrier counts up to {0} bytes, and the tiles of a step have {1}",
                           mostBytes, all)
          .str();
    return std::nullopt;
  }

  void prepare(KernelBuilder &b, const CopyingThreads &threads, const TileStream &stream,
               Value ring, unsigned stages) const override {
    byOneThread(b, threads, [&] {
      for (unsigned stage = 0; stage < stages; ++stage)
        call(b, "llvm.nvvm.mbarrier.init.shared",
             {barrierOf(b, stream, b.at(ring, int32_t(stage * (stream.bytes() + barrierBytes())))),
              b.i32(1)});
      // Copies see the barriers too.
      call(b, "llvm.nvvm.fence.mbarrier_init.release.cluster", {});
    });
    NVVM::BarrierOp::create(b);
  }

  /// A pointer for each tile.
  SmallVector<Value> begin(KernelBuilder &b, const CopyingThreads &,
                           const TileStream &stream) const override {
    return llvm::to_vector_of<Value>(locateFirstTiles(b, stream));
  }

  SmallVector<Value> advance(KernelBuilder &b, const CopyingThreads &, const TileStream &stream,
                             ValueRange carried) const override {
    SmallVector<Value> next;
    for (auto [pointer, bytes] : llvm::zip(carried, stream.copiedBytes()))
      next.push_back(b.at(pointer, int32_t(bytes)));
    return next;
  }

  SmallVector<Value> issue(KernelBuilder &b, const CopyingThreads &threads,
                           const TileStream &stream, ValueRange carried, Value,
                           Value stage) const override {
    byOneThread(b, threads, [&] {
      Value barrier = barrierOf(b, stream, stage);
      call(b, "llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta",
           {barrier, b.i32(stream.bytes())}, b.getI64Type());
      Value noHint = arith::ConstantOp::create(b, b.getI64IntegerAttr(0)),
            isHinted = arith::ConstantOp::create(b, b.getBoolAttr(false));
      int32_t offset = 0;
      for (auto [pointer, bytes] : llvm::zip(carried, stream.copiedBytes())) {
        call(b, "llvm.nvvm.cp.async.bulk.global.to.shared.cta",
             {b.at(stage, offset), barrier, pointer, b.i32(bytes), noHint, isHinted});
        offset += bytes;
      }
    });
    return {};
  }

  void commit(KernelBuilder &) const override {}

  void wait(KernelBuilder &b, const TileStream &stream, unsigned, Value stage,
            Value parity) const override {
    // The instruction may give up before the phase is complete.
    Value barrier = barrierOf(b, stream, stage);
    auto loop = scf::WhileOp::create(b, TypeRange(), ValueRange());
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&loop.getBefore());
    Value isComplete = call(b, "llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta",
                            {barrier, parity}, b.getI1Type());
    Value asksAgain =
        arith::XOrIOp::create(b, isComplete, arith::ConstantOp::create(b, b.getBoolAttr(true)));
    scf::ConditionOp::create(b, asksAgain, ValueRange());
    b.createBlock(&loop.getAfter());
    scf::YieldOp::create(b);
  }

  void end(KernelBuilder &) const override {}

private:
  static constexpr int64_t chunk = 16, mostBytes = (1 << 20) - 1;

  static Value barrierOf(KernelBuilder &b, const TileStream &stream, Value stage) {
    return b.at(stage, int32_t(stream.bytes()));
  }

  static Value call(KernelBuilder &b, llvm::StringRef name, ValueRange arguments,
                    Type result = nullptr) {
    auto intrinsic = b.getStringAttr(name);
    if (result)
      return LLVM::CallIntrinsicOp::create(b, result, intrinsic, arguments)->getResult(0);
    LLVM::CallIntrinsicOp::create(b, intrinsic, arguments);
    return {};
  }

  static void byOneThread(KernelBuilder &b, const CopyingThreads &threads,
                          llvm::function_ref<void()> emit) {
    // An elected lane of a warp that goes there as a whole: by its number, the assembler would
    // issue for each of the lanes that might be it, in a loop.
    auto warp = scf::IfOp::create(b, b.less(threads.warp, 1), /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(warp.thenBlock());
    auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), {b.getI32Type(), b.getI1Type()});
    Value elected = call(b, "llvm.nvvm.elect.sync", {b.i32(-1)}, type);
    auto one = scf::IfOp::create(b, b.field(elected, 1), /*withElseRegion=*/false);
    b.setInsertionPointToStart(one.thenBlock());
    emit();
  }
};
} // namespace

const Transport &ufp4::target::bulkCopies() {
  static const BulkCopies transport;
  return transport;
}
