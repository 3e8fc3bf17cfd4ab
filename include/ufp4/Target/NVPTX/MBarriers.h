//===- MBarriers.h - Copies that a barrier counts ---------------*- C++ -*-===//
//
// What transports share whose copies tell an mbarrier how many bytes have come (PTX ISA,
// "mbarrier"). Each stage has its barrier behind its tiles, so a stage's address is all that either
// side needs.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_TARGET_NVPTX_MBARRIERS_H
#define UFP4_LIB_TARGET_NVPTX_MBARRIERS_H

#include "ufp4/Target/Transport.h"

namespace ufp4::target {

mlir::Value callIntrinsic(KernelBuilder &b, llvm::StringRef name, mlir::ValueRange arguments,
                          mlir::Type result = nullptr);

/// By one thread of each of the first `warps` warps: an elected lane of a warp that goes there as a
/// whole. By its number, the assembler would issue for each of the lanes that might be it, in a
/// loop.
void emitByOneThread(KernelBuilder &b, const CopyingThreads &threads, unsigned warps,
                     llvm::function_ref<void()> emit);

/// The barrier of a stage.
mlir::Value barrierOf(KernelBuilder &b, const TileStream &stream, mlir::Value stage);

/// Makes the barriers of a ring ready, stages `stageBytes` apart, for `arrivals` of each phase.
void initBarriers(KernelBuilder &b, const CopyingThreads &threads, const TileStream &stream,
                  mlir::Value ring, unsigned stages, int64_t stageBytes, unsigned arrivals);

/// Arrives, and tells the barrier how many bytes are to come.
void expectBytes(KernelBuilder &b, mlir::Value barrier, int64_t bytes);

/// Transport::wait by barrier.
void waitForPhase(KernelBuilder &b, mlir::Value barrier, mlir::Value parity);

} // namespace ufp4::target

#endif // UFP4_LIB_TARGET_NVPTX_MBARRIERS_H
