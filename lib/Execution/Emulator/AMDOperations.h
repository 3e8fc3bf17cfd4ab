//===- AMDOperations.h - What AMD's instructions do -------------*- C++ -*-===//
//
// Every AMD instruction that the emulator knows, by the intrinsic's name without "llvm.amdgcn.";
// operands and results are words as in Operations.h. LLVM's own fences are among them:
// "fence.{acquire,release,acq_rel}".
//
//   lane by lane
//     mbcnt.{lo,hi}  perm  bitop3.i32  cvt.scalef32.2xpk16.fp6.f32  make.buffer.rsrc.p8.*  raw.ptr.buffer.{load,store}.*
//   the lanes of a wave that stand at one place
//     ds.bpermute  ds.swizzle  readfirstlane.*  readlane.*  ballot.*  update.dpp.*
//     permlane{16,32}.swap
//   the whole wave
//     mfma.f32.{16x16,32x32}x*: f32, f16, bf16, FP8 (fnuz on gfx942), and with several blocks
//     mfma.scale.f32.{16x16x128,32x32x64}.f8f6f4.*
//     wmma.f32.16x16x32.{f16,bf16}.*, wmma.scale{,16}.f32.16x16x128.f8f6f4.* with E8M0 scales or,
//     of E2M1, E4M3 ones (gfx1250)
//   the block
//     s.barrier  fence.*: a barrier orders what was released before it for those that acquire
//     behind it
//   asynchronous copies
//     raw.ptr.buffer.load.lds  global.load.lds  s.waitcnt (only with vmcnt 0 do they land)
//   nothing to be seen
//     sched.*  iglp.opt  s.setprio  wave.barrier  s.wait.loadcnt (gfx1250)
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_EXECUTION_EMULATOR_AMDOPERATIONS_H
#define UFP4_LIB_EXECUTION_EMULATOR_AMDOPERATIONS_H

#include "Operations.h"

namespace ufp4::emulator {

/// Nothing if the chip has no such instruction.
std::optional<Operation> findAMDOperation(llvm::StringRef name, llvm::StringRef chip);

/// One of them: WMMA.
std::optional<Operation> findWmma(llvm::StringRef name);

/// The register that an intrinsic, here with "amdgcn.", reads: a work-item's or a work-group's
/// number, the size of a wave.
std::optional<Special> findAMDSpecial(llvm::StringRef name);

} // namespace ufp4::emulator

#endif // UFP4_LIB_EXECUTION_EMULATOR_AMDOPERATIONS_H
