//===- Transport.h - Bringing tiles into shared memory ----------*- C++ -*-===//
//
// A transport copies the tiles of one K step from global memory into a stage of the shared-memory
// ring, asynchronously. Skeletons know only this interface; each instance knows its instruction.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_TRANSPORT_H
#define UFP4_TARGET_TRANSPORT_H

#include "ufp4/Target/Capabilities.h"
#include "ufp4/Target/Emission.h"
#include "ufp4/Target/OperandStorage.h"

#include "llvm/ADT/STLExtras.h"

#include <optional>
#include <string>

namespace ufp4::target {

/// The threads that copy, all of a block.
struct CopyingThreads {
  mlir::Value thread, lane, warp; ///< i32; the thread's number, and its parts
  unsigned count, warpSize;
};

/// Where a block of a GEMM finds its tiles of one operand.
struct TileRows {
  /// The planes that there are, in global memory; of codes the tensor map for Transport::codesBox.
  mlir::Value codes, scales;
  /// i32: rows of the operand, and the number of the block's tile among tiles of rows.
  mlir::Value rows, tile;
  /// Rows of a 2-D block of the operand.
  unsigned blockRows;
  /// Where operands lie in tiles, locateLines.
  llvm::SmallVector<mlir::Value, 2> lines;
  /// Of these, those whose codes are copied; all where it is empty.
  llvm::SmallVector<mlir::Value, 2> codesLines;

  llvm::ArrayRef<mlir::Value> linesOf(bool isCodes) const {
    return isCodes && !codesLines.empty() ? codesLines : lines;
  }
};

/// What a block copies, step by step along K: a tile of A and one of B.
struct TileStream {
  /// What tiles are in shared memory, and the scheme of what is in them.
  const OperandStorage *storage;
  numerics::Scheme scheme;
  /// In the order in which they lie in a stage: codes of A and of B, scales of A and of B; 0 where
  /// the storage has no such plane.
  std::array<int64_t, 4> tileBytes;
  /// A and B.
  std::array<TileRows, 2> operands;
  /// i32: the product's number in the batch, Kp, and tiles along K. Where operands lie in tiles,
  /// Kp is not known.
  mlir::Value batch, depth, depthTiles;
  /// i32: the first step's tile along K, where operands lie in tiles; null for 0.
  mlir::Value firstStep;
  /// What Kp is known to be a multiple of.
  unsigned depthMultiple;

  /// Of the storage's tiles, of the planes that there are.
  llvm::SmallVector<int64_t, 4> copiedBytes() const {
    llvm::SmallVector<int64_t, 4> bytes;
    for (auto [i, all] : llvm::enumerate(tileBytes))
      if (size_t tiles = std::max<size_t>(1, operands[i % 2].linesOf(i < 2).size()); all != 0)
        bytes.append(tiles, all / int64_t(tiles));
    return bytes;
  }
  /// Of the tiles of one stage.
  int64_t bytes() const { return tileBytes[0] + tileBytes[1] + tileBytes[2] + tileBytes[3]; }
};

/// i32: of each of the storage's `tiles`, of `tileRows` rows, that the block's tile consists of, its
/// number among those of all matrices. Behind the last tile of rows it is that again.
llvm::SmallVector<mlir::Value, 2> locateLines(KernelBuilder &b, mlir::Value matrix,
                                              mlir::Value rows, mlir::Value tile,
                                              unsigned tileRows, unsigned tiles = 1);
/// Pointers to the first tiles of each plane that there is, in the order of `copiedBytes`, where
/// operands lie in tiles, [G, row tiles, depth tiles].
llvm::SmallVector<mlir::Value, 4> locateFirstTiles(KernelBuilder &b, const TileStream &stream);

/// What one tensor copy brings of a plane's rows.
struct TensorBox {
  /// Bytes of a row, and rows, of which every `rowStep`th is copied.
  unsigned bytes, rows, rowStep;
  /// Bytes in which chunks of 16 bytes change places (PTX ISA, "Tensor Swizzling Modes").
  unsigned swizzle;
};

class Transport {
public:
  virtual ~Transport();

  virtual llvm::StringRef name() const = 0;
  virtual bool runsOn(const Chip &chip) const = 0;
  /// How operands lie in global memory whose tiles arrive as `tiles` has them; null where this
  /// transport brings no such tiles.
  virtual const OperandStorage *source(const OperandStorage &tiles) const = 0;
  /// What the address of every plane must be a multiple of.
  virtual unsigned alignment() const = 0;
  /// What Kp must be a multiple of.
  virtual unsigned depthGranule(const numerics::Scheme &scheme) const = 0;
  /// Where codes come by tensor copies: kernels have tensor maps for them (128 bytes by value), of
  /// rows of bytes, batches one behind the other, in place of their addresses.
  virtual std::optional<TensorBox> codesBox() const { return std::nullopt; }
  /// Groups that the issuing thread waits for, or also a barrier in shared memory that counts
  /// bytes.
  virtual bool completesByGroup() const = 0;
  /// Whether positions outside the operand arrive as zeros; otherwise its storage must be padded.
  virtual bool fillsWithZeros() const = 0;
  /// Nothing where `threads` can copy tiles of these sizes; otherwise a sentence.
  virtual std::optional<std::string> verify(llvm::ArrayRef<int64_t> tileBytes, unsigned threads,
                                            unsigned warpSize) const = 0;

  /// Bytes that a stage has behind its tiles for a barrier; 0 where copies complete by group.
  virtual unsigned barrierBytes() const = 0;

  /// Makes the barriers of a ring of stages ready, before the first issue.
  virtual void prepare(KernelBuilder &b, const CopyingThreads &threads, const TileStream &stream,
                       mlir::Value ring, unsigned stages) const = 0;
  /// What a thread carries from step to step.
  virtual llvm::SmallVector<mlir::Value> begin(KernelBuilder &b, const CopyingThreads &threads,
                                               const TileStream &stream) const = 0;
  /// The same for the next step.
  virtual llvm::SmallVector<mlir::Value> advance(KernelBuilder &b, const CopyingThreads &threads,
                                                 const TileStream &stream,
                                                 mlir::ValueRange carried) const = 0;
  /// Issues the copies of step number `step` (i32); the tiles land one behind the other at `stage`.
  /// Returns what is under way in registers, of which `land` stores what belongs there.
  virtual llvm::SmallVector<mlir::Value> issue(KernelBuilder &b, const CopyingThreads &threads,
                                               const TileStream &stream, mlir::ValueRange carried,
                                               mlir::Value step, mlir::Value stage) const = 0;
  /// Whether copies pass through registers: then `issue` returns them.
  virtual bool landsFromRegisters() const { return false; }
  /// Stores what `issue` returned, once the stage's last reader is done.
  virtual void land(KernelBuilder &b, const CopyingThreads &threads, const TileStream &stream,
                    mlir::ValueRange loaded, mlir::Value stage) const {}
  /// Ends the group of copies issued since the last end; it may be empty.
  virtual void commit(KernelBuilder &b) const = 0;
  /// Waits for the copies into `stage`. By group: until at most `pending` of the latest groups are
  /// under way; the waiting thread sees its own copies, and a barrier makes them visible to others.
  /// By barrier: until the phase of `parity` (i32: 0 for the first fill of a stage, then 1, 0, …)
  /// is complete.
  virtual void wait(KernelBuilder &b, const TileStream &stream, unsigned pending, mlir::Value stage,
                    mlir::Value parity) const = 0;
  /// After the last step.
  virtual void end(KernelBuilder &b) const = 0;
};

/// cp.async of tiles as they lie: 16 bytes a thread, completion by groups.
const Transport &groupedCopies();
/// AMD: global loads of 16 bytes to registers, stored to shared memory after a step's products.
const Transport &registerCopies();
/// AMD: global loads to shared memory, 16 bytes a lane.
const Transport &sharedLoads();
/// cp.async.bulk of tiles as they lie: one thread issues, an mbarrier in each stage counts bytes.
const Transport &bulkCopies();
/// cp.async.bulk.tensor of rows of codes, whose ends its map knows; scales as `rowCopies` has them.
const Transport &tensorCopies();
/// cp.async of rows: 16 bytes of codes and up to 16 of scales a thread, each to its place in a
/// tile; what lies behind Kp arrives as zeros, and rows behind the last one as copies of it.
const Transport &rowCopies();

} // namespace ufp4::target

#endif // UFP4_TARGET_TRANSPORT_H
