//===- LaneInstructions.cpp - One lane's arithmetic by instruction --------===//

#include "ufp4/Target/LaneInstructions.h"

#include "AMDEmission.h"

#include "ufp4/Target/Mma.h"

using namespace mlir;
using namespace ufp4::target;

Value ufp4::target::emitReciprocalSeed(KernelBuilder &b, Value x) {
  return callIntrinsic(b, b.getF32Type(), "llvm.amdgcn.rcp.f32", x);
}

bool ufp4::target::hasFnuz(const Chip &chip) { return mmaFP8FnuzPost().runsOn(chip); }

Value ufp4::target::emitPackE4M3(KernelBuilder &b, ValueRange values) {
  Value word = b.i32(0);
  for (unsigned i = 0; i < values.size(); i += 2) {
    Value isUpper = arith::ConstantOp::create(b, b.getBoolAttr(i == 2));
    word = callIntrinsic(b, b.getI32Type(), "llvm.amdgcn.cvt.pk.fp8.f32",
                         {values[i], values[i + 1], word, isUpper});
  }
  return word;
}

SmallVector<Value> ufp4::target::emitPackE2M3(KernelBuilder &b, ValueRange values) {
  // The instruction takes codes in turn from two vectors.
  SmallVector<Value, 16> turns[2];
  for (auto [i, value] : llvm::enumerate(values))
    turns[i % 2].push_back(value);
  Value packed =
      callIntrinsic(b, b.vector(6, b.getI32Type()), "llvm.amdgcn.cvt.scalef32.2xpk16.fp6.f32",
                    {b.join(turns[0]), b.join(turns[1]), b.f32(1)});
  SmallVector<Value> words;
  for (unsigned i = 0; i < 6; ++i)
    words.push_back(b.element(packed, i));
  return words;
}

Value ufp4::target::emitUnpackE4M3(KernelBuilder &b, Value word) {
  Value isUpper = arith::ConstantOp::create(b, b.getBoolAttr(false));
  return callIntrinsic(b, b.vector(2, b.getF32Type()), "llvm.amdgcn.cvt.pk.f32.fp8",
                       {word, isUpper});
}

Value ufp4::target::emitPermuteBytes(KernelBuilder &b, Value high, Value low, uint32_t selector) {
  return callIntrinsic(b, b.getI32Type(), "llvm.amdgcn.perm",
                       {high, low, b.i32(int32_t(selector))});
}
