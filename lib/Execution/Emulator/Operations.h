//===- Operations.h - What target instructions do ---------------*- C++ -*-===//
//
// Every target instruction that the emulator knows, by name. An intrinsic is known by its name
// without "llvm.nvvm."; assembly is translated to the same names (InlineAsm.h). Operands and
// results are words of 32 bits: up to 32 bits of a value in one, 64-bit values in two, low word
// first, aggregates flattened in order.
//
//   lane by lane
//     prmt  mulhi.*  mul24.*  idp4a.*  lop3  bfe.*  bfi  bfind.*  flo.*  isspacep.{shared,global}
//     {add,mul,fma,div,rcp,sqrt}.{rn,rz,rm,rp}[.ftz][.sat].f  {div,rcp,rsqrt,sqrt,ex2,lg2,sin,
//     cos,tanh}.approx[.ftz]*  div.full[.ftz]
//     f{min,max}[.ftz][.nan][.xorsign.abs].{f,f16,f16x2,bf16,bf16x2}  fma.rn[.relu].{f16,bf16}[x2]
//     fabs.f  floor.f  ceil.f  trunc.f  round.f  saturate.f (and their .ftz forms)
//     {f2i,f2ui,f2ll,f2ull}.{rn,rz,rm,rp}[.ftz]  {i2f,ui2f,ll2f,ull2f}.{rn,rz,rm,rp}
//     ff.to.{e2m1,e2m3,e3m2,e4m3,e5m2,ue8m0}x2.*  f16x2.to.{e4m3,e5m2}x2.*  bf16x2.to.ue8m0x2.*
//     {e2m1,e2m3,e3m2,e4m3,e5m2}x2.to.f16x2.rn[.relu]  ue8m0x2.to.bf16x2
//     ff2{bf16,f16}x2.*  f2{bf16,f16,tf32}.* (rn, rz, rna; relu, satfinite)
//     add.mixed.{bf16,f16} (add.rn.f32.bf16 of PTX 8.6)
//   the lanes of a mask
//     shfl.sync.{idx,up,down,bfly}.{i32,f32}[p]  vote.{all,any,uni,ballot}.sync
//     match.{any.sync.{i32,i64},all.sync.{i32p,i64p}}  redux.sync.*  elect.sync  bar.warp.sync
//   the whole warp
//     mma.m16n8k*.row.col.* with f32 or s32 accumulators, dense: f16, bf16, tf32, s8, u8, s4, u4,
//     e4m3, e5m2, kind.f8f6f4; mma.block.scale.m16n8k{32,64}.* (mxf8f6f4, mxf4, mxf4nvf4)
//     ldmatrix.sync.aligned.m8n8.x{1,2,4}[.trans].b16.* …m8n16.x{1,2,4}.b8x16.{b4x16_p64,b6x16_p32}
//     stmatrix.sync.aligned.m8n8.x{1,2,4}[.trans].b16.*
//   the block
//     barrier.cta.{sync,red.*}[.aligned].{all,count}  barrier.cta.arrive[.aligned].count
//   asynchronous copies
//     cp.async.{ca,cg}.shared.global.{4,8,16}[.s]  cp.async.{commit.group,wait.group,wait.all}
//     mbarrier.{init,inval,arrive[.noComplete],test.wait}[.shared]  mbarrier.{arrive[.expect.tx],
//     expect.tx,complete.tx,{test,try}.wait[.parity][.tl]}.scope.{cta,cluster}.space.cta
//     cp.async.bulk.global.to.shared.{cta,cluster}  cp.async.bulk.tensor.g2s[.cta].tile.2d
//     cp.async.bulk.shared.cta.to.global  cp.async.bulk.{commit.group,wait.group[.read]}
//     fence.proxy.async[.{global,shared_cta,shared_cluster}]
//     fence.proxy.async_generic.{release.sync_restrict.space.cta.scope.cluster,
//     acquire.sync_restrict.space.cluster.scope.cluster}
//   clusters
//     mapa[.shared.cluster]  getctarank[.shared.cluster]  barrier.cluster.{arrive[.relaxed],wait}
//     [.aligned]  mbarrier.{arrive[.expect.tx],expect.tx,complete.tx}.scope.*.space.cluster, and
//     the bulk and tensor copies above to several blocks
//   tensor memory, of one block (cg1) or of two (cg2)
//     tcgen05.{alloc,commit[.mc]}[.shared].cgN  tcgen05.{dealloc,relinq.alloc.permit}.cgN
//     tcgen05.fence.{before,after}.thread.sync  tcgen05.wait.{ld,st}
//     tcgen05.{ld,st}.32x32b.x{1,2,4,…,128}  tcgen05.cp.32x128b_warpx4.cgN
//     tcgen05.mma.shared (f16 and bf16 with f32 sums)
//     tcgen05.mma.shared.{mxf4nvf4.block_scale.block{16,32},
//     mxf4.block_scale[.block32],mxf8f6f4.block_scale[.block32]}
//   clusters that take over others
//     clusterlaunchcontrol.{try_cancel.async.[multicast.]shared,
//     query_cancel.{is_canceled,get_first_ctaid.*}}
//   nothing to be seen
//     membar.*  all other fence.*  prefetch*  griddepcontrol.*  nanosleep
//   errors
//     trap  assertfail
//
// Special registers (read.ptx.sreg.*) are rewritten apart: tid, ntid, ctaid, nctaid, laneid,
// warpid, nwarpid, warpsize, lanemask_*, smid, nsmid, gridid, clusterid, nclusterid,
// cluster.{ctaid,nctaid,ctarank,nctarank}, dynamic and total shared bytes; clock, clock64 and
// globaltimer are 0.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_EXECUTION_EMULATOR_OPERATIONS_H
#define UFP4_LIB_EXECUTION_EMULATOR_OPERATIONS_H

#include "ufp4/Execution/Emulator/Emulator.h"

#include "llvm/ADT/StringRef.h"

#include <functional>
#include <optional>
#include <string>

namespace ufp4::emulator {

class Launch;
struct Thread;
struct Warp;

/// How an operation meets those of other threads.
enum class Meeting {
  Lane,   ///< not at all, or by the handler itself
  Mask,   ///< the lanes of a member mask, which may stand at different places of the code
  Active, ///< AMD: the lanes at one place, once no lane of the wave can come there any more
  Warp    ///< all lanes of the warp at one place
};

/// Lanes of a warp, AMD's wave: 32 or 64.
using LaneMask = uint64_t;
inline constexpr unsigned kMaximumLanes = 64;

/// One thread's execution.
struct LaneCall {
  Launch &launch;
  Thread &thread;
  const uint32_t *in;
  uint32_t *out;
};

/// One execution by the lanes of `mask`; `in` and `out` of other lanes are null.
struct WarpCall {
  Launch &launch;
  Warp &warp;
  LaneMask mask;
  const uint32_t *in[kMaximumLanes];
  uint32_t *out[kMaximumLanes];
};

struct Operation {
  std::string name;
  Meeting meeting = Meeting::Lane;
  /// The word that holds the member mask.
  unsigned maskWord = 0;
  /// The lowest and the highest sm_XX that has the instruction, and whether it must be an "a" or
  /// "f" chip.
  unsigned minimumChip = 0, maximumChip = ~0u;
  bool needsFamily = false;
  bool isMma = false;
  bool isNoOp = false;
  /// Whether it reads or writes memory by the asynchronous proxy.
  bool usesAsyncProxy = false;
  std::function<void(LaneCall &)> lane;
  std::function<void(WarpCall &)> warp;
};

/// Whether the 4-bit codes of a matrix instruction's operands lie on the uniform grid.
struct UniformCodes {
  bool a = false, b = false;
};

/// The operation of an intrinsic's name without "llvm.nvvm.", or of a PTX matrix instruction's
/// ("mma.sync.…"). Nothing if there is none; `reason` says what was wrong with a name that was
/// understood in part.
std::optional<Operation> findOperation(llvm::StringRef name, UniformCodes codes,
                                       std::string &reason);

std::optional<Operation> findLaneOperation(llvm::StringRef name);
std::optional<Operation> findConversion(llvm::StringRef name);
std::optional<Operation> findWarpOperation(llvm::StringRef name);
/// mbarriers, and the copies that they count.
std::optional<Operation> findBulkOperation(llvm::StringRef name);
/// Blocks of a cluster.
std::optional<Operation> findClusterOperation(llvm::StringRef name);
/// Blocks that take over others.
std::optional<Operation> findLaunchControl(llvm::StringRef name);
/// Tensor memory. `isUniform`: of 4-bit codes those of format 0 lie on the uniform grid.
std::optional<Operation> findTensorOperation(llvm::StringRef name, bool isUniform);
std::optional<Operation> findMatrixOperation(llvm::StringRef name, UniformCodes codes,
                                             std::string &reason);

/// Special registers, as the rewritten code asks for them.
enum class Special : uint32_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  WarpCount,
  WarpSize,
  MaskEq,
  MaskLt,
  MaskLe,
  MaskGt,
  MaskGe,
  DynamicShared,
  TotalShared,
  ClusterCtaidX,
  ClusterCtaidY,
  ClusterCtaidZ,
  ClusterNctaidX,
  ClusterNctaidY,
  ClusterNctaidZ,
  ClusteridX,
  ClusteridY,
  ClusteridZ,
  NclusteridX,
  NclusteridY,
  NclusteridZ,
  ClusterRank,
  ClusterSize,
  /// Where the block's shared memory lies.
  SharedBase,
  Zero,
  One
};
/// The register of a name as in PTX without '%': "tid.x", "laneid", "lanemask_eq" or "lanemask.eq".
std::optional<Special> findSpecial(llvm::StringRef name);

} // namespace ufp4::emulator

#endif // UFP4_LIB_EXECUTION_EMULATOR_OPERATIONS_H
