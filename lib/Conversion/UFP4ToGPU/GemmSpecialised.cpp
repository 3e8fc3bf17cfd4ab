//===- GemmSpecialised.cpp - The GEMM whose warps have roles --------------===//
//
// Copies and products are asynchronous, and mbarriers say when each is done:
//
//   producer, for each step of K:  wait until the stage was read; copy a step's tiles into it
//   issuer, for each step of K:    wait until the stage is full; issue its products; commit them to
//                                  the barrier of stages read
//           and then:              commit to the barrier of sums
//   the others:                    wait for the sums; epilogue
//
// All lanes of the issuer go round its loop, and one of them issues: what is the same for a warp
// then stays out of vector registers. Each stage has columns for its scales in tensor memory, since
// only what a full stage says orders copies of scales behind products that read others.
//
//===----------------------------------------------------------------------===//

#include "GemmSpecialised.h"

#include "Epilogue.h"
#include "KernelParts.h"
#include "ufp4/Target/NVPTX/MBarriers.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

namespace {
class GemmSpecialised {
public:
  GemmSpecialised(KernelBuilder &b, const GemmKernelSpec &spec, const KernelInfo &info,
                  const TensorMma &mma)
      : b(b), spec(spec), info(info), schedule(info.schedule), mma(mma),
        transport(*schedule.transport), tileBytes(schedule.tileBytes(spec.scheme)),
        stageBytes(schedule.stageBytes(spec.scheme)), columns(schedule.tensorColumns()),
        storingWarps(schedule.warpsM * schedule.warpsN) {}

  void emit(gpu::GPUFuncOp function, Value shared) {
    for (auto [role, value] : llvm::zip(info.arguments, function.getArguments()))
      arguments[unsigned(role)] = value;
    ring = shared;
    emitIds();
    emitStream();
    emitPreparation();
    Value isProducer = isWarp(storingWarps), isIssuer = isWarp(storingWarps + 1);
    emitEither(
        b, isProducer, [&] { emitProducer(); },
        [&] {
          emitEither(
              b, isIssuer, [&] { emitIssuer(); }, [&] { emitStores(); });
        });
    // Only now nobody reads tensor memory any more.
    emitTensorFence(b, /*isBefore=*/true);
    gpu::BarrierOp::create(b);
    emitIf(b, isIssuer, [&] { emitTensorRelease(b, tensor, columns); });
  }

private:
  Value argument(GemmArgument role) { return arguments[unsigned(role)]; }
  Value isWarp(unsigned number) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, threads.warp, b.i32(number));
  }

  void emitIds() {
    Value thread = toI32(b, gpu::ThreadIdOp::create(b, gpu::Dimension::x));
    blockColumn = toI32(b, gpu::BlockIdOp::create(b, gpu::Dimension::x));
    blockRow = toI32(b, gpu::BlockIdOp::create(b, gpu::Dimension::y));
    batch = toI32(b, gpu::BlockIdOp::create(b, gpu::Dimension::z));
    unsigned waveSize = spec.chip->waveSize;
    Value lane = b.bitAnd(thread, waveSize - 1), warp = b.shr(thread, llvm::Log2_32(waveSize));
    // The assembler must know that a warp agrees on who it is.
    Value all = b.i32(-1), first = b.i32(0), clamp = b.i32(waveSize - 1);
    warp = NVVM::ShflOp::create(b, warp.getType(), all, warp, first, clamp, NVVM::ShflKind::idx,
                                UnitAttr());
    // Of what is copied or issued, one warp's.
    threads = {thread, lane, warp, waveSize, waveSize};
  }

  void emitStream() {
    depthTiles = argument(GemmArgument::DepthTiles);
    Value m = argument(GemmArgument::M), n = argument(GemmArgument::N);
    constexpr unsigned rows = TileMajorStorage::rows;
    stream = {&mma.storage(),
              spec.scheme,
              tileBytes,
              {TileRows{argument(GemmArgument::CodesA), argument(GemmArgument::ScalesA), m,
                        blockRow, spec.blockRows[0], locateLines(b, batch, m, blockRow, rows)},
               TileRows{argument(GemmArgument::CodesB), argument(GemmArgument::ScalesB), n,
                        blockColumn, spec.blockRows[1],
                        locateLines(b, batch, n, blockColumn, rows, schedule.tileN / rows)}},
              batch,
              Value(),
              depthTiles,
              Value(),
              info.depthMultiple};
  }

  //===--- Barriers, behind the tiles of their stages -----------------------===//
  Value fullBarrier(Value stage) { return barrierOf(b, stream, stage); }
  Value readBarrier(Value stage) { return b.at(barrierOf(b, stream, stage), 8); }
  /// In the first stage.
  Value sumsBarrier() { return b.at(barrierOf(b, stream, ring), 16); }
  Value tensorSlot() { return b.at(barrierOf(b, stream, ring), 24); }

  void emitPreparation() {
    emitIf(b, isWarp(storingWarps), [&] {
      emitByOneThread(b, threads, 1, [&] {
        auto init = [&](Value barrier) {
          callIntrinsic(b, "llvm.nvvm.mbarrier.init.shared", {barrier, b.i32(1)});
        };
        for (unsigned i = 0; i < schedule.stages; ++i) {
          Value stage = b.at(ring, int32_t(i * stageBytes));
          init(fullBarrier(stage));
          init(readBarrier(stage));
        }
        init(sumsBarrier());
        // Copies and tensor cores see the barriers too.
        callIntrinsic(b, "llvm.nvvm.fence.mbarrier_init.release.cluster", {});
      });
    });
    emitIf(b, isWarp(storingWarps + 1), [&] { emitTensorAllocation(b, tensorSlot(), columns); });
    emitTensorFence(b, /*isBefore=*/true);
    gpu::BarrierOp::create(b);
    emitTensorFence(b, /*isBefore=*/false);
    tensor = b.load(b.getI32Type(), tensorSlot(), 4);
  }

  /// A loop over the steps of K, with the number of a step's stage and the parity of the stage's
  /// phase, from `parity` on. `emitBody` returns what it carries further.
  void emitSteps(unsigned parity, ValueRange inits,
                 llvm::function_ref<SmallVector<Value>(Value step, Value stage, Value parity,
                                                       ValueRange carried)>
                     emitBody) {
    SmallVector<Value> all{b.i32(0), b.i32(parity)};
    llvm::append_range(all, inits);
    auto loop = scf::ForOp::create(b, b.i32(0), depthTiles, b.i32(1), all);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    ValueRange carried = loop.getRegionIterArgs();
    SmallVector<Value> further =
        emitBody(loop.getInductionVar(), carried[0], carried[1], carried.drop_front(2));
    Value following = b.add(carried[0], 1);
    Value isLast =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, following, b.i32(schedule.stages));
    SmallVector<Value> next{
        b.select(isLast, b.i32(0), following),
        b.bitXor(carried[1], arith::ExtUIOp::create(b, b.getI32Type(), isLast))};
    llvm::append_range(next, further);
    scf::YieldOp::create(b, next);
  }

  void emitProducer() {
    // Before the first phase every stage counts as read.
    emitSteps(1, transport.begin(b, threads, stream),
              [&](Value step, Value number, Value parity, ValueRange carried) {
                Value stage = b.at(ring, b.mul(number, stageBytes));
                waitForPhase(b, readBarrier(stage), parity);
                transport.issue(b, threads, stream, carried, step, stage);
                return transport.advance(b, threads, stream, carried);
              });
  }

  void emitIssuer() {
    SmallVector<Value> tiles;
    int64_t offset = 0;
    for (int64_t bytes : tileBytes) {
      tiles.push_back(b.at(ring, int32_t(offset)));
      offset += bytes;
    }
    TensorOperands operands = mma.describe(b, tiles);
    Value scales = b.add(tensor, schedule.tileN);
    emitSteps(0, {}, [&](Value step, Value number, Value parity, ValueRange) {
      Value stage = b.at(ring, b.mul(number, stageBytes));
      waitForPhase(b, fullBarrier(stage), parity);
      emitTensorFence(b, /*isBefore=*/false);
      emitByOneThread(b, threads, 1, [&] {
        Value continues = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, step, b.i32(0));
        Value column =
            b.add(scales, b.mul(number, mma.scaleColumns(schedule.tileM, schedule.tileN)));
        mma.accumulate(b, operands, schedule.tileN, b.widen(b.mul(number, stageBytes / 16)), tensor,
                       column, continues);
        emitTensorCommit(b, readBarrier(stage));
      });
      return SmallVector<Value>();
    });
    emitByOneThread(b, threads, 1, [&] { emitTensorCommit(b, sumsBarrier()); });
  }

  void emitStores() {
    auto load = [&](GemmArgument role) {
      Value place = argument(role);
      return place ? b.load(b.getF32Type(), place, 4) : place;
    };
    SmallVector<Value> factors =
        emitFactors(b, mma.factor(spec.scheme), load(GemmArgument::GlobalA),
                    load(GemmArgument::GlobalB), argument(GemmArgument::Alpha));
    waitForPhase(b, sumsBarrier(), b.i32(0));
    emitTensorFence(b, /*isBefore=*/false);
    ResultTile tile{argument(GemmArgument::Result),  argument(GemmArgument::M),
                    argument(GemmArgument::N),       batch,
                    b.mul(blockRow, schedule.tileM), b.mul(blockColumn, schedule.tileN)};
    // Where K is 0 there are no sums.
    Value isEmpty = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, depthTiles, b.i32(0));
    SmallVector<Type> types(TensorMma::columnsAtOnce, b.getF32Type());
    SmallVector<Value> zeros(types.size(), b.f32(0));
    for (unsigned column = 0; column < schedule.tileN; column += types.size()) {
      SmallVector<Value> sums = emitChoice(
          b, types, isEmpty, [&] { return zeros; },
          [&] { return mma.load(b, threads.warp, tensor, column); });
      emitEpilogue(b, spec, tile, factors, argument(GemmArgument::Bias),
                   mma.runs(b, threads.warp, threads.lane, column, sums));
    }
  }

  KernelBuilder &b;
  const GemmKernelSpec &spec;
  const KernelInfo &info;
  const GemmSchedule &schedule;
  const TensorMma &mma;
  const Transport &transport;
  const std::array<int64_t, 4> tileBytes;
  const int64_t stageBytes;
  const unsigned columns, storingWarps;
  Value arguments[unsigned(GemmArgument::Alpha) + 1];
  Value ring, tensor, blockRow, blockColumn, batch, depthTiles;
  CopyingThreads threads;
  TileStream stream;
};
} // namespace

void ufp4::emitGemmSpecialised(KernelBuilder &b, const GemmKernelSpec &spec, const KernelInfo &info,
                               const TensorMma &mma, gpu::GPUFuncOp function, Value shared) {
  GemmSpecialised(b, spec, info, mma).emit(function, shared);
}
