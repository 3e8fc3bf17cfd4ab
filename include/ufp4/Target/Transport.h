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

#include <optional>
#include <string>

namespace ufp4::target {

/// The threads that copy, all of a block.
struct CopyingThreads {
  mlir::Value thread, lane, warp; ///< i32; the thread's number, and its parts
  unsigned count, warpSize;
};

class Transport {
public:
  virtual ~Transport();

  virtual llvm::StringRef name() const = 0;
  virtual bool runsOn(const Chip &chip) const = 0;
  /// What the global address of every tile, and its size, must be a multiple of.
  virtual unsigned alignment() const = 0;
  /// Groups that the issuing thread waits for, or a barrier in shared memory that counts bytes.
  virtual bool completesByGroup() const = 0;
  /// Whether bytes outside the operand arrive as zeros; otherwise its storage must be padded.
  virtual bool fillsWithZeros() const = 0;
  /// Nothing where `threads` can copy tiles of these sizes; otherwise a sentence.
  virtual std::optional<std::string> verify(llvm::ArrayRef<int64_t> tileBytes, unsigned threads,
                                            unsigned warpSize) const = 0;

  /// What a thread carries from step to step. `tiles` point to the first tile of each plane, which
  /// has `tileBytes`; later tiles of a plane follow each other in memory.
  virtual llvm::SmallVector<mlir::Value> begin(KernelBuilder &b, const CopyingThreads &threads,
                                               mlir::ValueRange tiles,
                                               llvm::ArrayRef<int64_t> tileBytes) const = 0;
  /// The same for the next step.
  virtual llvm::SmallVector<mlir::Value> advance(KernelBuilder &b, const CopyingThreads &threads,
                                                 mlir::ValueRange carried,
                                                 llvm::ArrayRef<int64_t> tileBytes) const = 0;
  /// Issues the copies of one step; the tiles land one behind the other at `stage`. Returns what is
  /// under way in registers, of which `land` stores what belongs there.
  virtual llvm::SmallVector<mlir::Value> issue(KernelBuilder &b, const CopyingThreads &threads,
                                               mlir::ValueRange carried,
                                               llvm::ArrayRef<int64_t> tileBytes,
                                               mlir::Value stage) const = 0;
  /// The types of what `issue` returns; none where copies land by themselves.
  virtual llvm::SmallVector<mlir::Type> inFlight(KernelBuilder &b, const CopyingThreads &threads,
                                                 llvm::ArrayRef<int64_t> tileBytes) const {
    return {};
  }
  /// Stores what `issue` returned, once the stage's last reader is done.
  virtual void land(KernelBuilder &b, const CopyingThreads &threads, mlir::ValueRange loaded,
                    llvm::ArrayRef<int64_t> tileBytes, mlir::Value stage) const {}
  /// Ends the group of copies issued since the last end; it may be empty.
  virtual void commit(KernelBuilder &b) const = 0;
  /// Waits until at most `pending` of the latest groups are under way. The waiting thread sees its
  /// own copies; a barrier makes them visible to others.
  virtual void wait(KernelBuilder &b, unsigned pending) const = 0;
};

/// cp.async: 16 bytes a thread, completion by groups.
const Transport &groupedCopies();
/// AMD: global loads of 16 bytes to registers, stored to shared memory after a step's products.
const Transport &registerCopies();
/// AMD: global loads to shared memory, 16 bytes a lane.
const Transport &sharedLoads();

} // namespace ufp4::target

#endif // UFP4_TARGET_TRANSPORT_H
