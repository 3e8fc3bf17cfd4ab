//===- InlineAsm.h - PTX in inline assembly ---------------------*- C++ -*-===//
//
// Inline assembly is translated, statement by statement, to LLVM IR and the operations of
// Operations.h. Known are declarations (.reg), scopes, predicates (@p, @!p) and
//
//   mov (packing, unpacking, special registers)  cvta  ld  ld.global.nc  st  atom  red
//   add sub mul mad fma div neg abs min max and or xor not shl shr shf popc clz brev prmt lop3 bfe
//   bfi bfind selp setp dp4a rcp rsqrt sqrt ex2 lg2 sin cos tanh (of the types that
//   Operations.h has), fma/add/mul of f32x2, f16x2 and bf16x2, add/sub.rn.f32.{bf16,f16}
//   cvt (between integers, f32, f16, bf16, tf32 and the pairs of Operations.h)
//   cp.async (with all its forms of sizes)  ldmatrix  stmatrix  mma.sync  shfl.sync  vote.sync
//   match.sync  redux.sync  elect.sync  bar/barrier  membar  fence  prefetch  createpolicy
//   griddepcontrol  nanosleep  trap  bra, with a predicate to a label before it
//   mbarrier.{init,inval,arrive[.expect_tx],expect_tx,{try,test}_wait.parity} in shared::cta
//   mapa  barrier.cluster.{arrive,wait}  mbarrier.arrive[.expect_tx] in shared::cluster
//   cp.async.bulk.tensor.2d to shared memory, cp.async.bulk.{commit,wait}_group
//   tcgen05.{alloc,dealloc,relinquish_alloc_permit,ld,st,wait,cp,mma,commit,fence} (of the shapes
//   and kinds that Operations.h has)
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_EXECUTION_EMULATOR_INLINEASM_H
#define UFP4_LIB_EXECUTION_EMULATOR_INLINEASM_H

#include "Rewrite.h"

namespace ufp4::emulator {

/// Replaces a call of inline assembly; an error names the statement that is not known.
llvm::Error expandInlineAsm(llvm::CallInst &call, Rewriter &rewriter);

} // namespace ufp4::emulator

#endif // UFP4_LIB_EXECUTION_EMULATOR_INLINEASM_H
