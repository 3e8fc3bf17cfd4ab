//===- Copies.cpp - From global to shared memory on AMD's chips -----------===//
//
// The tiles of a step lie one behind the other in a stage, so all of them are one run of bytes
// there, of which a wave takes 16 bytes a lane at a time: round i covers the bytes from i * 16 *
// threads on. Where in global memory a wave's bytes begin is uniform, as is where they go; rounds
// that go on in one tile have one pointer. In a last round of fewer bytes all waves take fewer a
// lane, where there are such loads, or some take part.
//
//===----------------------------------------------------------------------===//

#include "AMDEmission.h"

#include "ufp4/Target/Transport.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ufp4::target;

static constexpr int64_t chunk = 16;
/// LLVM's address space of buffer resources.
static constexpr unsigned bufferSpace = 8;

namespace {
/// What all waves copy at once.
struct Round {
  /// Where it begins in a stage, its bytes, and those of a lane.
  int64_t offset, bytes, laneBytes;
  /// The tiles it has a part in, by where they begin in a stage.
  SmallVector<std::pair<unsigned, int64_t>> tiles;
  /// Bytes behind the round whose pointer it shares; 0 where the pointer is its own.
  int64_t behind = 0;
};

/// Until no load is under way: how many are is the scheduler's.
static void waitForLoads(KernelBuilder &b, unsigned warpSize) {
  // vmcnt 0; expcnt and lgkmcnt at their most (AMD's CDNA 3 ISA, S_WAITCNT). Chips with waves of 32
  // count loads apart (AMD, CDNA 5 ISA, S_WAIT_LOADCNT).
  static constexpr int64_t noVectorMemory = 0x0F70;
  if (warpSize == 32)
    callIntrinsic(b, Type(), "llvm.amdgcn.s.wait.loadcnt",
                  Value(arith::ConstantOp::create(b, b.getI16IntegerAttr(0))));
  else
    callIntrinsic(b, Type(), "llvm.amdgcn.s.waitcnt", b.i32(noVectorMemory));
}

class WaveCopies : public Transport {
public:
  const OperandStorage *source(const OperandStorage &tiles) const override { return &tiles; }
  unsigned alignment() const override { return chunk; }
  unsigned depthGranule(const ufp4::numerics::Scheme &) const override { return 1; }
  bool completesByGroup() const override { return true; }
  bool fillsWithZeros() const override { return false; }

  std::optional<std::string> verify(llvm::ArrayRef<int64_t> tileBytes, unsigned threads,
                                    unsigned warpSize) const override {
    for (int64_t bytes : tileBytes)
      if (bytes % (warpSize * chunk))
        return llvm::formatv("a tile of {0} bytes is no multiple of a wave's {1}", bytes,
                             warpSize * chunk)
            .str();
    for (const Round &round : rounds(tileBytes, threads))
      for (auto [tile, offset] : round.tiles)
        if (tileBytes[tile] != tileBytes[round.tiles.front().first])
          return llvm::formatv("{0} threads copy from tiles of {1} and of {2} bytes at once",
                               threads, tileBytes[round.tiles.front().first], tileBytes[tile])
              .str();
    return std::nullopt;
  }

  unsigned barrierBytes() const override { return 0; }
  void prepare(KernelBuilder &, const CopyingThreads &, const TileStream &, Value,
               unsigned) const override {}

  /// Uniform pointers: where the wave's bytes begin.
  SmallVector<Value> begin(KernelBuilder &b, const CopyingThreads &threads,
                           const TileStream &stream) const override {
    SmallVector<Value> carried;
    SmallVector<int64_t, 4> tileBytes = stream.copiedBytes();
    SmallVector<Value, 4> tiles = locateFirstTiles(b, stream);
    Value wave = emitUniform(b, threads.warp);
    for (const Round &round : rounds(tileBytes, threads.count)) {
      if (round.behind)
        continue;
      Value pointer;
      for (auto [tile, offset] : round.tiles) {
        // In an earlier tile than the one that the wave's bytes are in: moved back.
        Value moved = b.at(tiles[tile], int32_t(round.offset - offset));
        int64_t firstWave = (offset - round.offset) / waveBytes(threads, round);
        pointer = pointer ? b.select(b.less(wave, firstWave), pointer, moved) : moved;
      }
      carried.push_back(b.at(pointer, b.widen(b.mul(wave, waveBytes(threads, round)))));
    }
    return carried;
  }

  SmallVector<Value> advance(KernelBuilder &b, const CopyingThreads &threads,
                             const TileStream &stream, ValueRange carried) const override {
    SmallVector<Value> next;
    SmallVector<int64_t, 4> tileBytes = stream.copiedBytes();
    for (const Round &round : rounds(tileBytes, threads.count))
      if (!round.behind)
        next.push_back(b.at(carried[next.size()], int32_t(tileBytes[round.tiles.front().first])));
    return next;
  }

  void commit(KernelBuilder &) const override {}
  void end(KernelBuilder &) const override {}

protected:
  /// Whether there are copies of 4 and 8 bytes a lane.
  virtual bool takesFew() const = 0;

  static int64_t waveBytes(const CopyingThreads &threads, const Round &round) {
    return threads.warpSize * round.laneBytes;
  }
  static bool isWhole(const Round &round, const CopyingThreads &threads) {
    return round.bytes == threads.count * round.laneBytes;
  }
  /// Whether a wave takes part in a round that is not whole.
  static Value takesPart(KernelBuilder &b, const CopyingThreads &threads, const Round &round) {
    return b.less(emitUniform(b, threads.warp), round.bytes / waveBytes(threads, round));
  }

  SmallVector<Round> rounds(llvm::ArrayRef<int64_t> tileBytes, unsigned threads) const {
    SmallVector<Round> all;
    int64_t atOnce = threads * chunk, begin = 0;
    for (auto [tile, bytes] : llvm::enumerate(tileBytes)) {
      int64_t end = begin + bytes;
      if (!all.empty() && all.back().bytes < atOnce) {
        Round &open = all.back();
        open.tiles.push_back({unsigned(tile), begin});
        open.bytes = std::min(atOnce, end - open.offset);
        open.behind = 0;
      }
      int64_t first = all.empty() ? 0 : all.back().offset + all.back().bytes;
      for (int64_t at = first; at < end; at += atOnce)
        all.push_back(
            {at, std::min(atOnce, end - at), chunk, {{unsigned(tile), begin}}, at - first});
      begin = end;
    }
    Round &last = all.back();
    if (takesFew() && (last.bytes == 4 * threads || last.bytes == 8 * threads)) {
      last.laneBytes = last.bytes / threads;
      last.behind = 0;
    }
    return all;
  }
};

//===----------------------------------------------------------------------===//
// Through registers
//===----------------------------------------------------------------------===//

class RegisterCopies final : public WaveCopies {
public:
  llvm::StringRef name() const override { return "reg"; }
  bool runsOn(const Chip &chip) const override { return chip.vendor == Vendor::AMD; }

  bool landsFromRegisters() const override { return true; }

  std::optional<std::string> verify(llvm::ArrayRef<int64_t> tileBytes, unsigned threads,
                                    unsigned warpSize) const override {
    Round last = rounds(tileBytes, threads).back();
    if (last.bytes != threads * last.laneBytes)
      return llvm::formatv("{0} threads cannot share out {1} bytes evenly", threads, last.bytes)
          .str();
    return WaveCopies::verify(tileBytes, threads, warpSize);
  }

  SmallVector<Value> issue(KernelBuilder &b, const CopyingThreads &threads,
                           const TileStream &stream, ValueRange carried, Value,
                           Value) const override {
    SmallVector<Value> loaded;
    SmallVector<int64_t, 4> tileBytes = stream.copiedBytes();
    auto next = carried.begin();
    Value source;
    for (const Round &round : rounds(tileBytes, threads.count)) {
      if (!round.behind)
        source = b.at(*next++, b.widen(b.mul(threads.lane, round.laneBytes)));
      loaded.push_back(
          b.load(typeOf(b, round), b.at(source, int32_t(round.behind)), round.laneBytes));
    }
    // Before all products, which hide them: what may pass is other arithmetic and shared memory.
    static constexpr int64_t vectorALU = 2, scalarALU = 4, sharedMemory = 0x80;
    callIntrinsic(b, Type(), "llvm.amdgcn.sched.barrier",
                  b.i32(vectorALU | scalarALU | sharedMemory));
    return loaded;
  }

  void land(KernelBuilder &b, const CopyingThreads &threads, const TileStream &stream,
            ValueRange loaded, Value stage) const override {
    SmallVector<int64_t, 4> tileBytes = stream.copiedBytes();
    // One wait for all, behind the step's products, where each store would wait for its own load.
    callIntrinsic(b, Type(), "llvm.amdgcn.sched.barrier", b.i32(0));
    waitForLoads(b, threads.warpSize);
    for (auto [value, round] : llvm::zip(loaded, rounds(tileBytes, threads.count))) {
      Value target = b.at(stage, b.mul(threads.thread, round.laneBytes));
      b.store(value, b.at(target, int32_t(round.offset)), round.laneBytes);
    }
  }

  /// Loads are waited for where they are stored.
  void wait(KernelBuilder &, const TileStream &, unsigned, Value, Value) const override {}

protected:
  bool takesFew() const override { return true; }

private:
  static Type typeOf(KernelBuilder &b, const Round &round) {
    return b.vector(round.laneBytes / 4, b.getI32Type());
  }
};

//===----------------------------------------------------------------------===//
// To shared memory
//===----------------------------------------------------------------------===//

class SharedLoads final : public WaveCopies {
public:
  llvm::StringRef name() const override { return "shared_loads"; }
  bool runsOn(const Chip &chip) const override { return chip.has(Feature::BufferToShared); }

  SmallVector<Value> issue(KernelBuilder &b, const CopyingThreads &threads,
                           const TileStream &stream, ValueRange carried, Value,
                           Value stage) const override {
    SmallVector<int64_t, 4> tileBytes = stream.copiedBytes();
    // The hardware adds a lane's 16 bytes to a wave's address.
    Value target = b.at(stage, b.mul(emitUniform(b, threads.warp), threads.warpSize * chunk));
    Value lane = b.mul(threads.lane, chunk);
    auto next = carried.begin();
    Value source;
    for (const Round &round : rounds(tileBytes, threads.count)) {
      if (!round.behind)
        source = describeBuffer(b, *next++);
      OpBuilder::InsertionGuard guard(b);
      if (!isWhole(round, threads)) {
        auto some = scf::IfOp::create(b, takesPart(b, threads, round), /*withElseRegion=*/false);
        b.setInsertionPointToStart(some.thenBlock());
      }
      ROCDL::RawPtrBufferLoadLdsOp::create(
          b, source, b.at(target, int32_t(round.offset)), /*size=*/b.i32(chunk), /*voffset=*/lane,
          /*soffset=*/b.i32(round.behind), /*offset=*/b.i32(0), /*aux=*/b.i32(0), asyncScope(b),
          ArrayAttr(), ArrayAttr());
    }
    return {};
  }

  void wait(KernelBuilder &b, const TileStream &, unsigned, Value, Value) const override {
    waitForLoads(b, /*warpSize=*/64);
  }

protected:
  bool takesFew() const override { return false; }

private:
  /// A resource of all that lies behind a uniform pointer, to which the hardware adds a lane's
  /// offset: pointers of lanes, added up by 64 bits in vector registers, are what LLVM's strength
  /// reduction would carry through the loop.
  static Value describeBuffer(KernelBuilder &b, Value pointer) {
    // Untyped, but of some format: without one nothing is read (AMD's CDNA 3 ISA, "Buffer Resource
    // Descriptor").
    static constexpr int64_t format = 4 << 15;
    auto type = LLVM::LLVMPointerType::get(b.getContext(), bufferSpace);
    Value stride = arith::ConstantOp::create(b, b.getI16IntegerAttr(0));
    Value bytes = arith::ConstantOp::create(b, b.getI64IntegerAttr(UINT32_MAX));
    return ROCDL::MakeBufferRsrcOp::create(b, type, pointer, stride, bytes, b.i32(format));
  }
};
} // namespace

const Transport &ufp4::target::registerCopies() {
  static const RegisterCopies transport;
  return transport;
}

const Transport &ufp4::target::sharedLoads() {
  static const SharedLoads transport;
  return transport;
}
