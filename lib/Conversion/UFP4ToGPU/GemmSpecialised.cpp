//===- GemmSpecialised.cpp - The GEMM whose warps have roles --------------===//
//
// A block computes its tile of C, and then those of blocks that have not begun and that it is given
// (PTX ISA, "clusterlaunchcontrol"), whichever and however many these are. Copies and products are
// asynchronous, and mbarriers say when each is done:
//
//   producer, for each tile:  ask for the next one
//       for each step of K:   wait until the stage was read; copy a step's tiles into it
//   issuer, for each tile:    wait until the columns of its sums were read
//       for each step of K:   wait until the stage is full; issue its products; commit them to the
//                             barrier of stages read
//       and then:             commit to the barrier of full sums
//   the others, for each:     wait for the sums; load them and say that they were read; epilogue
//
// What comes next all read in shared memory, where the producer asks again only when they have.
// Sums and answers alternate between two places each, so that the epilogue of a tile overlaps the
// products of the next one, and the ring of stages runs on from tile to tile.
//
// Two blocks of a cluster compute tiles below each other. Each copies its rows of A and half of the
// columns of B, and the scales of its rows and of all columns; tensor cores of both read both
// halves (PTX ISA, ".cta_group::2"), so that a block brings half as much of B. The first block asks
// and issues for both, is told what was read in both, and what it is given or commits arrives in
// both; the second's issuer tells it of full stages.
//
// All lanes of the issuer go round its loop, and one of them issues: what is the same for a warp
// then stays out of vector registers. Stages have columns of their own for scales in tensor memory,
// since only what a full stage says orders copies of scales behind products that read others; where
// some share them, the issuer waits for these products, too.
//
//===----------------------------------------------------------------------===//

#include "GemmSpecialised.h"

#include "Epilogue.h"
#include "GroupTable.h"
#include "KernelParts.h"
#include "ufp4/Target/NVPTX/MBarriers.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <numeric>

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

//===----------------------------------------------------------------------===//
// Stages that are filled and read in turn
//===----------------------------------------------------------------------===//

/// Where a ring is before its first step: the number of a stage and the parity of its phase.
static SmallVector<Value> ringFrom(KernelBuilder &b, unsigned parity) {
  return {b.i32(0), b.i32(parity)};
}

/// A loop over so many steps (i32), from where the ring is; returns where it is then. `emitBody` is
/// given the step, the number and the parity of its stage, and what it carried; it returns what it
/// carries further.
static SmallVector<Value>
emitRing(KernelBuilder &b, unsigned stages, Value steps, ValueRange place, ValueRange inits,
         llvm::function_ref<SmallVector<Value>(Value step, Value stage, Value parity,
                                               ValueRange carried)>
             emitBody) {
  SmallVector<Value> all(place);
  llvm::append_range(all, inits);
  auto loop = scf::ForOp::create(b, b.i32(0), steps, b.i32(1), all);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  ValueRange carried = loop.getRegionIterArgs();
  SmallVector<Value> further =
      emitBody(loop.getInductionVar(), carried[0], carried[1], carried.drop_front(2));
  Value following = b.add(carried[0], 1);
  Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, following, b.i32(stages));
  SmallVector<Value> next{b.select(isLast, b.i32(0), following),
                          b.bitXor(carried[1], arith::ExtUIOp::create(b, b.getI32Type(), isLast))};
  llvm::append_range(next, further);
  scf::YieldOp::create(b, next);
  return llvm::to_vector_of<Value>(loop.getResults().take_front(2));
}

//===----------------------------------------------------------------------===//
// From tensor memory to the epilogue
//===----------------------------------------------------------------------===//

/// Factors of sums as vectors of equal ones: neighbours in a vector are neighbours in registers,
/// which some chips multiply at once.
static SmallVector<Value> widenFactors(KernelBuilder &b, SmallVector<Value> factors) {
  for (Value &factor : factors)
    factor = b.join(SmallVector<Value>(TensorMma::sumsType(b).getNumElements(), factor));
  return factors;
}

/// What TensorMma::load brings from a place in tensor memory; zeros where nothing was summed.
static SmallVector<Value> loadSums(KernelBuilder &b, const TensorMma &mma, Value warp, Value place,
                                   Value isEmpty) {
  const VectorType type = mma.sumsType(b);
  const SmallVector<Type> types(mma.quarters, type);
  const SmallVector<Value> zeros(mma.quarters, arith::ConstantOp::create(b, b.getZeroAttr(type)));
  return emitChoice(
      b, types, isEmpty, [&] { return zeros; }, [&] { return mma.load(b, warp, place); });
}

static void scaleSums(KernelBuilder &b, MutableArrayRef<Value> sums, ArrayRef<Value> wideFactors) {
  for (Value &some : sums)
    for (Value factor : wideFactors)
      some = b.mulF(some, factor);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

namespace {
/// The tiles of C of a cluster: i32, its number among those of its product, and the product's.
struct Tile {
  Value cluster, batch;
};

/// Row and column of a block's tile; the row of its cluster's.
struct Place {
  Value row, column, clusterRow;
};

/// What alternates from tile to tile: i32, which of two places it has, and the parity of its uses.
struct Turn {
  Value place, parity;
};

class GemmSpecialised {
public:
  GemmSpecialised(KernelBuilder &b, const GemmKernelSpec &spec, const KernelInfo &info,
                  const TensorMma &mma)
      : b(b), spec(spec), info(info), schedule(info.schedule), mma(mma),
        transport(*schedule.transport), tileBytes(schedule.tileBytes(spec.scheme)),
        stageBytes(schedule.stageBytes(spec.scheme)), blocks(schedule.blocks),
        columns(schedule.tensorColumns()), parts(schedule.tileN / TensorMma::columnsAtOnce),
        storingWarps(schedule.warpsM * schedule.warpsN),
        scaleStages(mma.scaleStages(schedule.tileM, schedule.tileN, schedule.stages)) {}

  void emit(gpu::GPUFuncOp function, Value shared) {
    for (auto [role, value] : llvm::zip(info.arguments, function.getArguments()))
      arguments[unsigned(role)] = value;
    ring = shared;
    depthTiles = argument(GemmArgument::DepthTiles);
    emitIds();
    emitPreparation();
    Value isProducer = isWarp(storingWarps), isIssuer = isWarp(storingWarps + 1);
    emitEither(
        b, isProducer, [&] { emitProducer(); },
        [&] {
          emitEither(
              b, isIssuer, [&] { emitByRank([&] { emitIssuer(); }, [&] { emitFollower(); }); },
              [&] { emitStores(); });
        });
    // Only now nobody reads tensor memory any more, of all but a first part without a word, nor
    // tells the first block anything.
    if (parts > 1)
      emitTensorFence(b, /*isBefore=*/true);
    meet();
    emitIf(b, isIssuer, [&] { emitTensorRelease(b, tensor, columns, blocks); });
  }

private:
  Value argument(GemmArgument role) { return arguments[unsigned(role)]; }
  Value equal(Value x, Value y) { return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, y); }
  Value isWarp(unsigned number) { return equal(threads.warp, b.i32(number)); }
  /// A lane's value, of which the assembler must know that the warp agrees.
  Value shuffle(Value value, Value lane) {
    Value all = b.i32(-1), clamp = b.i32(threads.warpSize - 1);
    return NVVM::ShflOp::create(b, value.getType(), all, value, lane, clamp, NVVM::ShflKind::idx,
                                UnitAttr());
  }

  /// All threads of the cluster.
  void meet() {
    if (blocks == 1) {
      gpu::BarrierOp::create(b);
      return;
    }
    callIntrinsic(b, "llvm.nvvm.barrier.cluster.arrive.aligned", {});
    callIntrinsic(b, "llvm.nvvm.barrier.cluster.wait.aligned", {});
  }
  /// What the first block of a cluster does, and what the others do.
  void emitByRank(llvm::function_ref<void()> emitFirst, llvm::function_ref<void()> emitOthers) {
    if (blocks == 1)
      emitFirst();
    else
      emitEither(b, isFirst, emitFirst, emitOthers);
  }

  void emitIds() {
    Value thread = toI32(b, gpu::ThreadIdOp::create(b, gpu::Dimension::x));
    unsigned waveSize = spec.chip->waveSize;
    // Of what is copied or issued, one warp's.
    threads = {thread, b.bitAnd(thread, waveSize - 1), Value(), waveSize, waveSize};
    threads.warp = shuffle(b.shr(thread, llvm::Log2_32(waveSize)), b.i32(0));
    clustersN = toI32(b, gpu::GridDimOp::create(b, gpu::Dimension::x));
    clustersM = clusterRow(toI32(b, gpu::GridDimOp::create(b, gpu::Dimension::y)));
    rank = b.bitAnd(toI32(b, gpu::BlockIdOp::create(b, gpu::Dimension::y)), blocks - 1);
    isFirst = equal(rank, b.i32(0));
  }
  /// Clusters are along the rows of blocks.
  Value clusterRow(Value row) { return b.shr(row, llvm::Log2_32(blocks)); }
  Tile tileOf(Value x, Value y, Value z) { return {b.add(b.mul(clusterRow(y), clustersN), x), z}; }

  /// Where in C: clusters are run in their order, and those that run at a time should read few rows
  /// of A and of B. So bands of rows are gone through by columns.
  Place locate(const Tile &tile) {
    auto divide = [&](Value x, Value y) { return b.createOrFold<arith::DivUIOp>(x, y); };
    const int64_t bandRows = GemmSchedule::bandRows / blocks;
    Value perBand = b.mul(clustersN, bandRows), band = divide(tile.cluster, perBand);
    Value first = b.mul(band, bandRows), inBand = b.sub(tile.cluster, b.mul(band, perBand));
    Value rows = b.createOrFold<arith::MinUIOp>(b.sub(clustersM, first), b.i32(bandRows));
    Value column = divide(inBand, rows);
    Value row = b.add(first, b.sub(inBand, b.mul(column, rows)));
    return {blocks == 1 ? row : b.add(b.mul(row, blocks), rank), column, row};
  }

  TileWork workOf(const Tile &tile, Value row) {
    return locateWork(b, spec, schedule, row, tile.batch, argument(GemmArgument::M), depthTiles,
                      argument(GemmArgument::Groups), argument(GemmArgument::GroupCount));
  }

  TileStream streamOf(const Tile &tile, const Place &place, const TileWork &work) {
    Value m = argument(GemmArgument::M), n = argument(GemmArgument::N);
    constexpr unsigned rows = TileMajorStorage::rows;
    // Of what a cluster has, this block's.
    auto own = [&](ArrayRef<Value> lines) {
      return SmallVector<Value, 2>{blocks == 1 ? lines[0] : b.select(isFirst, lines[0], lines[1])};
    };
    TileRows ofA{argument(GemmArgument::CodesA),
                 argument(GemmArgument::ScalesA),
                 m,
                 place.row,
                 spec.blockRows[0],
                 own(locateLines(b, work.matrixA, m, place.clusterRow, rows, blocks)),
                 {}};
    TileRows ofB{argument(GemmArgument::CodesB),
                 argument(GemmArgument::ScalesB),
                 n,
                 place.column,
                 spec.blockRows[1],
                 locateLines(b, work.matrixB, n, place.column, rows, schedule.tileN / rows),
                 {}};
    if (blocks > 1)
      ofB.codesLines = own(ofB.lines);
    return {&mma.storage(), spec.scheme, tileBytes,      {ofA, ofB},        tile.batch,
            Value(),        depthTiles,  work.firstStep, info.depthMultiple};
  }

  //===--- Barriers, behind the tiles of their stages -----------------------===//
  /// Of a stage, and of the same in the second block.
  enum StagePlace : int32_t { StageFull = 0, StageRead = 8, OtherFull = 16 };
  /// Of a turn: of its sums, of the answer to what comes next, and that answer.
  enum TurnPlace : int32_t {
    TensorSlot = 24,
    SumsFull = 32,
    SumsRead = 40,
    AnswerFull = 48,
    AnswerRead = 56,
    Answer = 64,
    NextTurn = 48
  };
  Value inStage(Value stage, StagePlace place) {
    int64_t bytes = std::accumulate(tileBytes.begin(), tileBytes.end(), int64_t(place));
    return b.at(stage, int32_t(bytes));
  }
  /// Both turns' are in the first stage.
  Value inTurn(Value turn, TurnPlace place) {
    return b.at(b.at(inStage(ring, StageFull), b.mul(turn, NextTurn)), place);
  }
  Value tensorSlot() { return inTurn(b.i32(0), TensorSlot); }

  void emitPreparation() {
    emitIf(b, isWarp(storingWarps), [&] {
      emitByOneThread(b, threads, 1, [&] {
        auto init = [&](Value barrier, unsigned arrivals) {
          callIntrinsic(b, "llvm.nvvm.mbarrier.init.shared", {barrier, b.i32(arrivals)});
        };
        constexpr StagePlace places[] = {StageFull, StageRead, OtherFull};
        for (unsigned i = 0; i < schedule.stages; ++i)
          for (StagePlace place : ArrayRef(places).take_front(1 + blocks))
            init(inStage(b.at(ring, int32_t(i * stageBytes)), place), 1);
        for (unsigned i = 0; i < 2; ++i) {
          Value turn = b.i32(i);
          init(inTurn(turn, SumsFull), 1);
          init(inTurn(turn, SumsRead), blocks * storingWarps);
          init(inTurn(turn, AnswerFull), 1);
          init(inTurn(turn, AnswerRead), blocks * (storingWarps + 2));
        }
        // Copies, tensor cores and the other block see the barriers too.
        callIntrinsic(b, "llvm.nvvm.fence.mbarrier_init.release.cluster", {});
      });
    });
    emitIf(b, isWarp(storingWarps + 1),
           [&] { emitTensorAllocation(b, tensorSlot(), columns, blocks); });
    emitTensorFence(b, /*isBefore=*/true);
    meet();
    emitTensorFence(b, /*isBefore=*/false);
    tensor = b.load(b.getI32Type(), tensorSlot(), 4);
  }

  /// At the barrier that the first block has in this place.
  void arrive(Value barrier) {
    if (blocks == 1) {
      callIntrinsic(b, "llvm.nvvm.mbarrier.arrive.scope.cta.space.cta", {barrier, b.i32(1)},
                    b.getI64Type());
      return;
    }
    auto there = LLVM::LLVMPointerType::get(b.getContext(), clusterSpace);
    Value first = callIntrinsic(b, "llvm.nvvm.mapa.shared.cluster", {barrier, b.i32(0)}, there);
    callIntrinsic(b, "llvm.nvvm.mbarrier.arrive.scope.cluster.space.cluster", {first, b.i32(1)});
  }

  //===--- From tile to tile ------------------------------------------------===//
  /// All tiles that the cluster gets. `emitBody` is given what it carries from tile to tile, and
  /// returns the next tile and what it carries on.
  void emitTiles(ValueRange inits,
                 llvm::function_ref<std::pair<Tile, SmallVector<Value>>(Tile tile, Turn turn,
                                                                        ValueRange carried)>
                     emitBody) {
    auto blockId = [&](gpu::Dimension dimension) {
      return toI32(b, gpu::BlockIdOp::create(b, dimension));
    };
    Tile own =
        tileOf(blockId(gpu::Dimension::x), blockId(gpu::Dimension::y), blockId(gpu::Dimension::z));
    SmallVector<Value> all{own.cluster, own.batch, b.i32(0), b.i32(0)};
    llvm::append_range(all, inits);
    SmallVector<Type> types = llvm::to_vector_of<Type>(ValueRange(all).getTypes());
    auto loop = scf::WhileOp::create(b, types, all);
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Location> locations(types.size(), b.getLoc());
    Block *body = b.createBlock(&loop.getBefore(), {}, types, locations);
    ValueRange carried = body->getArguments();
    Turn turn{carried[2], carried[3]};
    auto [next, further] = emitBody({carried[0], carried[1]}, turn, carried.drop_front(4));
    Value exists = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, next.batch, b.i32(none));
    SmallVector<Value> onward{next.cluster, next.batch, b.bitXor(turn.place, 1),
                              b.bitXor(turn.parity, turn.place)};
    llvm::append_range(onward, further);
    scf::ConditionOp::create(b, exists, onward);
    Block *after = b.createBlock(&loop.getAfter(), {}, types, locations);
    scf::YieldOp::create(b, after->getArguments());
  }

  /// By producers, which know that no answer has been no. Each block has its copy of the answer.
  void askForNext(const Turn &turn) {
    Value barrier = inTurn(turn.place, AnswerFull);
    emitByOneThread(b, threads, 1, [&] { expectBytes(b, barrier, answerBytes); });
    auto ask = [&] {
      waitForPhase(b, inTurn(turn.place, AnswerRead), b.bitXor(turn.parity, 1));
      emitByOneThread(b, threads, 1, [&] {
        // The answer is written by another way than it was read by.
        callIntrinsic(
            b,
            "llvm.nvvm.fence.proxy.async_generic.acquire.sync_restrict.space.cluster.scope.cluster",
            {});
        const std::string request = "llvm.nvvm.clusterlaunchcontrol.try_cancel.async.";
        callIntrinsic(b, request + (blocks == 1 ? "shared" : "multicast.shared"),
                      {inTurn(turn.place, Answer), barrier});
      });
    };
    emitByRank(ask, [] {});
  }

  /// By every warp, once a turn.
  Tile readNext(const Turn &turn) {
    waitForPhase(b, inTurn(turn.place, AnswerFull), turn.parity);
    auto electedType =
        LLVM::LLVMStructType::getLiteral(b.getContext(), {b.getI32Type(), b.getI1Type()});
    Value elected = callIntrinsic(b, "llvm.nvvm.elect.sync", {b.i32(-1)}, electedType);
    SmallVector<Type> types(2, b.getI32Type());
    const SmallVector<Value> nothing{b.i32(0), b.i32(none)};
    SmallVector<Value> read = emitChoice(
        b, types, b.field(elected, 1),
        [&] {
          // Nothing that the compiler knows of writes it.
          Value answer = LLVM::LoadOp::create(b, b.getIntegerType(8 * answerBytes),
                                              inTurn(turn.place, Answer), answerBytes,
                                              /*isVolatile=*/true);
          const std::string query = "llvm.nvvm.clusterlaunchcontrol.query_cancel.";
          SmallVector<Value> tile = emitChoice(
              b, types, callIntrinsic(b, query + "is_canceled", {answer}, b.getI1Type()),
              [&] {
                auto first = [&](const char *axis) {
                  return callIntrinsic(b, query + "get_first_ctaid." + axis, {answer},
                                       b.getI32Type());
                };
                Tile next = tileOf(first("x"), first("y"), first("z"));
                return SmallVector<Value>{next.cluster, next.batch};
              },
              [&] { return nothing; });
          callIntrinsic(
              b,
              "llvm.nvvm.fence.proxy.async_generic.release.sync_restrict.space.cta.scope.cluster",
              {});
          arrive(inTurn(turn.place, AnswerRead));
          return tile;
        },
        [&] { return nothing; });
    Value lane = b.field(elected, 0);
    return {shuffle(read[0], lane), shuffle(read[1], lane)};
  }

  //===--- From step to step ------------------------------------------------===//
  /// What a table said, so that a warp agrees.
  Value agreed(Value steps) { return spec.grouping ? shuffle(steps, b.i32(0)) : steps; }

  void emitProducer() {
    // Before the first phase every stage counts as read.
    emitTiles(ringFrom(b, 1), [&](Tile tile, Turn turn, ValueRange place) {
      askForNext(turn);
      Place where = locate(tile);
      TileWork work = workOf(tile, where.row);
      TileStream stream = streamOf(tile, where, work);
      SmallVector<Value> further = emitRing(
          b, schedule.stages, agreed(work.steps), place, transport.begin(b, threads, stream),
          [&](Value step, Value number, Value parity, ValueRange carried) {
            Value stage = b.at(ring, b.mul(number, stageBytes));
            waitForPhase(b, inStage(stage, StageRead), parity);
            transport.issue(b, threads, stream, carried, step, stage);
            return transport.advance(b, threads, stream, carried);
          });
      return std::pair(readNext(turn), further);
    });
  }

  /// Where a turn's sums begin.
  Value sumsOf(const Turn &turn) { return b.add(tensor, b.mul(turn.place, mma.sumsShift)); }

  /// What follows every full stage is a fence as well.
  void waitForColumns(const Turn &turn) {
    // Of the tile before this one, or before that one.
    if (parts > 1)
      waitForPhase(b, inTurn(b.bitXor(turn.place, 1), SumsRead),
                   b.bitXor(b.bitXor(turn.parity, turn.place), 1));
    else
      waitForPhase(b, inTurn(turn.place, SumsRead), b.bitXor(turn.parity, 1));
  }

  /// Until the products are done that read the scales whose columns a step's have.
  void waitForScales(Value number, Value parity) {
    if (scaleStages == schedule.stages)
      return;
    Value isBefore = b.less(number, scaleStages);
    Value stage = b.select(isBefore, b.add(number, schedule.stages - scaleStages),
                           b.sub(number, b.i32(scaleStages)));
    waitForPhase(b, inStage(b.at(ring, b.mul(stage, stageBytes)), StageRead),
                 b.bitXor(parity, arith::ExtUIOp::create(b, b.getI32Type(), isBefore)));
  }

  void emitIssuer() {
    TensorOperands operands = mma.describe(b, ring, tileBytes);
    Value scales = b.add(tensor, schedule.tileN + mma.sumsShift);
    emitTiles(ringFrom(b, 0), [&](Tile tile, Turn turn, ValueRange place) {
      Value steps = depthTiles;
      if (spec.grouping)
        steps = agreed(workOf(tile, locate(tile).row).steps);
      waitForColumns(turn);
      Value sums = sumsOf(turn);
      SmallVector<Value> further = emitRing(
          b, schedule.stages, steps, place, {},
          [&](Value step, Value number, Value parity, ValueRange) {
            Value stage = b.at(ring, b.mul(number, stageBytes));
            waitForScales(number, parity);
            waitForPhase(b, inStage(stage, StageFull), parity);
            if (blocks > 1)
              waitForPhase(b, inStage(stage, OtherFull), parity);
            emitTensorFence(b, /*isBefore=*/false);
            emitByOneThread(b, threads, 1, [&] {
              Value continues = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, step, b.i32(0));
              Value slot = scaleStages == schedule.stages
                               ? number
                               : b.createOrFold<arith::RemUIOp>(number, b.i32(scaleStages));
              Value column =
                  b.add(scales, b.mul(slot, mma.scaleColumns(schedule.tileM, schedule.tileN)));
              mma.accumulate(b, operands, schedule.tileN, b.widen(b.mul(number, stageBytes / 16)),
                             sums, column, continues, blocks);
              emitTensorCommit(b, inStage(stage, StageRead), blocks);
            });
            return SmallVector<Value>();
          });
      emitByOneThread(b, threads, 1,
                      [&] { emitTensorCommit(b, inTurn(turn.place, SumsFull), blocks); });
      return std::pair(readNext(turn), further);
    });
  }

  /// In place of the issuer, where the first block's issues for both.
  void emitFollower() {
    emitTiles(ringFrom(b, 0), [&](Tile, Turn turn, ValueRange place) {
      SmallVector<Value> further =
          emitRing(b, schedule.stages, depthTiles, place, {},
                   [&](Value, Value number, Value parity, ValueRange) {
                     Value stage = b.at(ring, b.mul(number, stageBytes));
                     waitForPhase(b, inStage(stage, StageFull), parity);
                     emitByOneThread(b, threads, 1, [&] { arrive(inStage(stage, OtherFull)); });
                     return SmallVector<Value>();
                   });
      return std::pair(readNext(turn), further);
    });
  }

  void emitStores() {
    constexpr unsigned width = TensorMma::columnsAtOnce;
    auto factorsOf = [&](const TileWork &work) {
      return widenFactors(b, emitFactors(b, mma.factor(spec.scheme),
                                         loadGlobal(b, argument(GemmArgument::GlobalA), work),
                                         loadGlobal(b, argument(GemmArgument::GlobalB), work),
                                         argument(GemmArgument::Alpha)));
    };
    SmallVector<Value> factors;
    if (!spec.grouping)
      factors = factorsOf(TileWork());
    emitTiles({}, [&](Tile tile, Turn turn, ValueRange) {
      Tile next = readNext(turn);
      waitForPhase(b, inTurn(turn.place, SumsFull), turn.parity);
      emitTensorFence(b, /*isBefore=*/false);
      Place where = locate(tile);
      TileWork work = workOf(tile, where.row);
      if (spec.grouping)
        factors = factorsOf(work);
      // Without depth there are no sums.
      Value isEmpty = equal(work.steps, b.i32(0));
      for (unsigned part = 0; part < parts; ++part) {
        // Columns that the next tile shares come first.
        Value first = b.i32(0);
        if (parts > 1)
          first = b.mul(part ? turn.place : b.bitXor(turn.place, 1), width);
        SmallVector<Value> sums =
            loadSums(b, mma, threads.warp, b.add(sumsOf(turn), first), isEmpty);
        if (part == 0) {
          emitTensorFence(b, /*isBefore=*/true);
          NVVM::SyncWarpOp::create(b, b.i32(-1));
          emitByOneThread(b, threads, 1, [&] { arrive(inTurn(turn.place, SumsRead)); });
        }
        scaleSums(b, sums, factors);
        ResultTile result{argument(GemmArgument::Result),
                          work.rowEnd,
                          argument(GemmArgument::N),
                          work.product,
                          work.firstRow,
                          b.add(b.mul(where.column, schedule.tileN), first)};
        emitEpilogue(b, spec, result, /*factors=*/{}, argument(GemmArgument::Bias),
                     mma.runs(b, threads.warp, threads.lane, sums));
      }
      return std::pair(next, SmallVector<Value>());
    });
  }

  /// In place of a product's number, where no tile comes next.
  static constexpr int32_t none = -1;
  static constexpr unsigned answerBytes = 16;
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
  const unsigned blocks, columns, parts, storingWarps, scaleStages;
  Value arguments[unsigned(GemmArgument::Alpha) + 1];
  Value ring, tensor, clustersM, clustersN, rank, isFirst, depthTiles;
  CopyingThreads threads;
};
} // namespace

void ufp4::emitGemmSpecialised(KernelBuilder &b, const GemmKernelSpec &spec, const KernelInfo &info,
                               const TensorMma &mma, gpu::GPUFuncOp function, Value shared) {
  GemmSpecialised(b, spec, info, mma).emit(function, shared);
}
