//===- GemmPair.cpp - The GEMM of two blocks that multiply together -------===//
//
// The two blocks of a cluster compute tiles of C that are below each other. Each copies its rows of
// A and half of the columns of B, and the scales of its rows and of all columns; tensor cores of
// both read both halves (PTX ISA, ".cta_group::2"), so that a block brings half as much of B. The
// first block's issuer issues for both, and what it commits arrives in both:
//
//   producers:         for each step: wait until the stage was read; copy a step's tiles into it
//   second's issuer:   for each step: wait until the stage is full; say so to the first block
//   first's issuer:    for each step: wait for both; issue the products; commit them to the
//                      barriers of stages read
//                      and then: commit to the barriers of full sums
//   the other warps:   wait for the sums; load them; epilogue
//
//===----------------------------------------------------------------------===//

#include "GemmSpecialised.h"

#include "Epilogue.h"
#include "KernelParts.h"
#include "Ring.h"
#include "TensorSums.h"
#include "ufp4/Target/NVPTX/MBarriers.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

namespace {
class GemmPair {
public:
  GemmPair(KernelBuilder &b, const GemmKernelSpec &spec, const KernelInfo &info,
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
              b, isIssuer,
              [&] {
                emitEither(
                    b, isFirst, [&] { emitIssuer(); }, [&] { emitFollower(); });
              },
              [&] { emitStores(); });
        });
    // Only now nobody reads or writes tensor memory any more, nor shared memory of the other block.
    emitTensorFence(b, /*isBefore=*/true);
    meet();
    emitIf(b, isIssuer, [&] { emitTensorRelease(b, tensor, columns, schedule.blocks); });
  }

private:
  Value argument(GemmArgument role) { return arguments[unsigned(role)]; }
  Value equal(Value x, Value y) { return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, y); }
  Value isWarp(unsigned number) { return equal(threads.warp, b.i32(number)); }
  /// All threads of both blocks.
  void meet() {
    callIntrinsic(b, "llvm.nvvm.barrier.cluster.arrive.aligned", {});
    callIntrinsic(b, "llvm.nvvm.barrier.cluster.wait.aligned", {});
  }

  void emitIds() {
    Value thread = toI32(b, gpu::ThreadIdOp::create(b, gpu::Dimension::x));
    blockColumn = toI32(b, gpu::BlockIdOp::create(b, gpu::Dimension::x));
    blockRow = toI32(b, gpu::BlockIdOp::create(b, gpu::Dimension::y));
    batch = toI32(b, gpu::BlockIdOp::create(b, gpu::Dimension::z));
    // Clusters are along the rows, of which their blocks have neighbours.
    isFirst = equal(b.bitAnd(blockRow, schedule.blocks - 1), b.i32(0));
    unsigned waveSize = spec.chip->waveSize;
    Value lane = b.bitAnd(thread, waveSize - 1), warp = b.shr(thread, llvm::Log2_32(waveSize));
    // The assembler must know that a warp agrees on who it is.
    Value all = b.i32(-1), first = b.i32(0), clamp = b.i32(waveSize - 1);
    warp = NVVM::ShflOp::create(b, warp.getType(), all, warp, first, clamp, NVVM::ShflKind::idx,
                                UnitAttr());
    threads = {thread, lane, warp, waveSize, waveSize};
  }

  void emitStream() {
    depthTiles = argument(GemmArgument::DepthTiles);
    Value m = argument(GemmArgument::M), n = argument(GemmArgument::N);
    constexpr unsigned rows = TileMajorStorage::rows;
    // Of what a pair has, and what is this block's of it.
    auto own = [&](ArrayRef<Value> lines) {
      return SmallVector<Value, 2>{b.select(isFirst, lines[0], lines[1])};
    };
    Value pair = b.shr(blockRow, llvm::Log2_32(schedule.blocks));
    TileRows a{argument(GemmArgument::CodesA),
               argument(GemmArgument::ScalesA),
               m,
               blockRow,
               spec.blockRows[0],
               own(locateLines(b, batch, m, pair, rows, schedule.blocks)),
               {}};
    auto lines = locateLines(b, batch, n, blockColumn, rows, schedule.tileN / rows);
    TileRows c{argument(GemmArgument::CodesB),
               argument(GemmArgument::ScalesB),
               n,
               blockColumn,
               spec.blockRows[1],
               lines,
               own(lines)};
    stream = {&mma.storage(), spec.scheme, tileBytes,         {a, c}, batch, Value(),
              depthTiles,     Value(),     info.depthMultiple};
  }

  //===--- Barriers, behind the tiles of their stages -----------------------===//
  /// Of a stage; and in the first stage, of the sums.
  enum Place : int32_t { Full = 0, Read = 8, OtherFull = 16, Sums = 24, TensorSlot = 32 };
  Value at(Value stage, Place place) { return b.at(barrierOf(b, stream, stage), int32_t(place)); }

  void emitPreparation() {
    emitIf(b, isWarp(storingWarps), [&] {
      emitByOneThread(b, threads, 1, [&] {
        auto init = [&](Value barrier) {
          callIntrinsic(b, "llvm.nvvm.mbarrier.init.shared", {barrier, b.i32(1)});
        };
        for (unsigned i = 0; i < schedule.stages; ++i)
          for (Place place : {Full, Read, OtherFull})
            init(at(b.at(ring, int32_t(i * stageBytes)), place));
        init(at(ring, Sums));
        // Copies, tensor cores and the other block see the barriers too.
        callIntrinsic(b, "llvm.nvvm.fence.mbarrier_init.release.cluster", {});
      });
    });
    emitIf(b, isWarp(storingWarps + 1),
           [&] { emitTensorAllocation(b, at(ring, TensorSlot), columns, schedule.blocks); });
    emitTensorFence(b, /*isBefore=*/true);
    meet();
    emitTensorFence(b, /*isBefore=*/false);
    tensor = b.load(b.getI32Type(), at(ring, TensorSlot), 4);
  }

  void emitProducer() {
    // Before the first phase every stage counts as read.
    emitRing(b, schedule.stages, depthTiles, ringFrom(b, 1), transport.begin(b, threads, stream),
             [&](Value step, Value number, Value parity, ValueRange carried) {
               Value stage = b.at(ring, b.mul(number, stageBytes));
               waitForPhase(b, at(stage, Read), parity);
               transport.issue(b, threads, stream, carried, step, stage);
               return transport.advance(b, threads, stream, carried);
             });
  }

  void emitFollower() {
    auto there = LLVM::LLVMPointerType::get(b.getContext(), clusterSpace);
    Value first =
        callIntrinsic(b, "llvm.nvvm.mapa.shared.cluster", {at(ring, OtherFull), b.i32(0)}, there);
    emitRing(b, schedule.stages, depthTiles, ringFrom(b, 0), {},
             [&](Value, Value number, Value parity, ValueRange) {
               Value offset = b.mul(number, stageBytes);
               waitForPhase(b, at(b.at(ring, offset), Full), parity);
               emitByOneThread(b, threads, 1, [&] {
                 callIntrinsic(b, "llvm.nvvm.mbarrier.arrive.scope.cluster.space.cluster",
                               {b.at(first, offset), b.i32(1)});
               });
               return SmallVector<Value>();
             });
  }

  void emitIssuer() {
    TensorOperands operands = mma.describe(b, ring, tileBytes);
    Value scales = b.add(tensor, schedule.tileN);
    emitRing(
        b, schedule.stages, depthTiles, ringFrom(b, 0), {},
        [&](Value step, Value number, Value parity, ValueRange) {
          Value stage = b.at(ring, b.mul(number, stageBytes));
          waitForPhase(b, at(stage, Full), parity);
          waitForPhase(b, at(stage, OtherFull), parity);
          emitTensorFence(b, /*isBefore=*/false);
          emitByOneThread(b, threads, 1, [&] {
            Value continues = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, step, b.i32(0));
            Value column =
                b.add(scales, b.mul(number, mma.scaleColumns(schedule.tileM, schedule.tileN)));
            mma.accumulate(b, operands, schedule.tileN, b.widen(b.mul(number, stageBytes / 16)),
                           tensor, column, continues, schedule.blocks);
            emitTensorCommit(b, at(stage, Read), schedule.blocks);
          });
          return SmallVector<Value>();
        });
    emitByOneThread(b, threads, 1, [&] { emitTensorCommit(b, at(ring, Sums), schedule.blocks); });
  }

  void emitStores() {
    auto load = [&](GemmArgument role) {
      Value place = argument(role);
      return place ? b.load(b.getF32Type(), place, 4) : place;
    };
    SmallVector<Value> factors =
        widenFactors(b, emitFactors(b, mma.factor(spec.scheme), load(GemmArgument::GlobalA),
                                    load(GemmArgument::GlobalB), argument(GemmArgument::Alpha)));
    waitForPhase(b, at(ring, Sums), b.i32(0));
    emitTensorFence(b, /*isBefore=*/false);
    // Where K is 0 there are no sums.
    Value isEmpty = equal(depthTiles, b.i32(0));
    Value firstColumn = b.mul(blockColumn, schedule.tileN);
    for (unsigned column = 0; column < schedule.tileN; column += TensorMma::columnsAtOnce) {
      SmallVector<Value> sums = loadSums(b, mma, threads.warp, b.add(tensor, column), isEmpty);
      scaleSums(b, sums, factors);
      ResultTile tile{argument(GemmArgument::Result),  argument(GemmArgument::M),
                      argument(GemmArgument::N),       batch,
                      b.mul(blockRow, schedule.tileM), b.add(firstColumn, column)};
      emitEpilogue(b, spec, tile, /*factors=*/{}, argument(GemmArgument::Bias),
                   mma.runs(b, threads.warp, threads.lane, sums));
    }
  }

  /// Of addresses in the shared memory of any block of the cluster.
  static constexpr unsigned clusterSpace = 7;

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
  Value ring, tensor, blockRow, blockColumn, batch, depthTiles, isFirst;
  CopyingThreads threads;
  TileStream stream;
};
} // namespace

void ufp4::emitGemmPair(KernelBuilder &b, const GemmKernelSpec &spec, const KernelInfo &info,
                        const TensorMma &mma, gpu::GPUFuncOp function, Value shared) {
  GemmPair(b, spec, info, mma).emit(function, shared);
}
