//===- LaneInstructions.h - One lane's arithmetic by instruction -*- C++ -*-===//
//
// Instructions of a thread or a warp that upstream dialects have no operation for. Which chips have
// one is said by a `Feature`, or by the PTX ISA's target note where it is every chip of the table.
//
// Sources: PTX ISA 9.0, "cvt", "prmt", "rcp.approx.ftz.f32", "add" of mixed precision; AMD's CDNA 3
// and CDNA 4 ISA documents, "V_CVT_PK_FP8_F32", "V_PERM_B32", "V_RCP_F32".
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_LANEINSTRUCTIONS_H
#define UFP4_TARGET_LANEINSTRUCTIONS_H

#include "ufp4/Target/Capabilities.h"
#include "ufp4/Target/Emission.h"

namespace ufp4::target {

/// bf16 (an i16's bits) plus f32, or minus it, rounded once to f32. Feature::MixedAdd.
mlir::Value emitMixedAdd(KernelBuilder &b, mlir::Value half, mlir::Value x, bool subtracts);
/// |x| of an f32, which most instructions take as an operand. Every chip.
mlir::Value emitMagnitude(KernelBuilder &b, mlir::Value x);
/// x + y in f32, rounded towards minus infinity and, where it saturates, into [0, 1]. Every NVIDIA
/// chip.
mlir::Value emitAddDown(KernelBuilder &b, mlir::Value x, mlir::Value y, bool saturates);
/// x * y + z in f32, rounded towards minus infinity. Every NVIDIA chip.
mlir::Value emitFmaDown(KernelBuilder &b, mlir::Value x, mlir::Value y, mlir::Value z);
/// x / divisor rounded to nearest even, where x is in [2^-100, 2^127] or 0 and the divisor in
/// [1, 2^20]; an infinity or a NaN gives a NaN. Every chip.
mlir::Value emitQuotient(KernelBuilder &b, mlir::Value x, float divisor);
/// 1 / x rounded to nearest even, where |x| is in [2^-126, 2^126): what ptxas itself makes of
/// rcp.rn.f32 there, without its check of the range. 0 gives a NaN. Every NVIDIA chip.
mlir::Value emitReciprocal(KernelBuilder &b, mlir::Value x);
/// Two f32 to E4M3, nearest even, at most 448: an i16 with the first in the low byte.
/// Feature::ConvertE4M3.
mlir::Value emitToE4M3(KernelBuilder &b, mlir::Value low, mlir::Value high);
/// The value of the low byte of an i16, E4M3, as f32. Feature::ConvertE4M3.
mlir::Value emitFromE4M3(KernelBuilder &b, mlir::Value pair);
/// Two f32 to E2M3, nearest even, at most 7.5: an i16 with the first in the low byte.
/// Feature::ConvertE2M1.
mlir::Value emitToE2M3(KernelBuilder &b, mlir::Value low, mlir::Value high);
/// Eight f32 to E2M1, nearest even, at most 6: a word, the first in the lowest nibble.
/// Feature::ConvertE2M1.
mlir::Value emitToE2M1(KernelBuilder &b, mlir::ValueRange eight);
/// Four bytes of (x, y), the first in the lowest byte: nibble i of `selector` names the byte, 0 to
/// 7 with those of x first; its highest bit asks for the byte's sign, eight times. Every NVIDIA
/// chip.
mlir::Value emitPermute(KernelBuilder &b, mlir::Value x, mlir::Value y, unsigned selector);

/// a · b + c of m16n8k16 on bf16 by a warp (PTX ISA, "Matrix Fragments for mma.m16n8k16"). Every
/// NVIDIA chip.
llvm::SmallVector<mlir::Value, 4> emitProductBF16(KernelBuilder &b, mlir::ValueRange lhs,
                                                  mlir::ValueRange rhs, mlir::ValueRange c);
/// Four matrices of 8 rows of 16 bytes in shared memory, row l % 8 of matrix l / 8 at the address
/// of lane l: of each, two bf16 of a fragment. Every NVIDIA chip.
llvm::SmallVector<mlir::Value, 4> emitMatrixLoad(KernelBuilder &b, mlir::Value pointer);
/// What lanes of a warp stored before, all of them see behind it. Every NVIDIA chip.
void emitWarpBarrier(KernelBuilder &b);

/// An f32 within one last place of 1 / x. Every AMD chip.
mlir::Value emitReciprocalSeed(KernelBuilder &b, mlir::Value x);
/// Whether the chip's E4M3 is the fnuz form: a byte stands for half the number, and no zero has a
/// sign.
bool hasFnuz(const Chip &chip);
/// Two or four f32 to the chip's E4M3, nearest even, in the low bytes of a word, the first in the
/// lowest. Every AMD chip that has Feature::ConvertE4M3.
mlir::Value emitPackE4M3(KernelBuilder &b, mlir::ValueRange values);
/// Thirty-two f32 as E2M3, nearest even, in six words.
llvm::SmallVector<mlir::Value> emitPackE2M3(KernelBuilder &b, mlir::ValueRange values);
/// The values of the two low bytes of a word, of the same form, as a pair of f32.
mlir::Value emitUnpackE4M3(KernelBuilder &b, mlir::Value word);
/// Four bytes of eight, those of `low` first: each byte of `selector` is the number of one. Every
/// AMD chip.
mlir::Value emitPermuteBytes(KernelBuilder &b, mlir::Value high, mlir::Value low,
                             uint32_t selector);

} // namespace ufp4::target

#endif // UFP4_TARGET_LANEINSTRUCTIONS_H
