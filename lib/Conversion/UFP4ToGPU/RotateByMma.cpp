//===- RotateByMma.cpp - Rotations by a matrix unit -----------------------===//

#include "RotateByMma.h"

#include "ufp4/Target/LaneInstructions.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

static constexpr uint32_t bothSigns = 0x80008000, twoOnes = 0x3F803F80;

// B[i][j] = ε_i · (-1)^popcount(i & j). Of position i bit 0 is the half of a word, then come t
// twice, the register and the step; of column j g thrice and the number of the eight columns.
MatrixRotation::MatrixRotation(KernelBuilder &b, const numerics::Rotation &rotation, Value lane,
                               Value shared)
    : b(b), size(rotation.size), lane(lane), shared(shared) {
  Value t = b.bitAnd(lane, 3), g = b.shr(lane, 2);
  Value common = LLVM::CtPopOp::create(b, b.getI32Type(), b.both(t, b.shr(g, 1)));
  Value base = b.mul(b.bitAnd(common, 1), int64_t(bothSigns));
  base = b.bitXor(b.bitXor(base, b.shl(b.bitAnd(g, 1), 31)), b.i32(twoOnes));
  for (unsigned step = 0; step < size / 16; ++step) {
    signs.emplace_back();
    for (unsigned i : {0, 1}) {
      uint32_t mask = rotation.signs[0] >> (16 * step + 8 * i) & 0xFF;
      Value own = b.createOrFold<arith::ShRUIOp>(b.i32(mask), b.shl(t, 1));
      Value both = b.bitOr(b.bitAnd(b.shl(own, 15), 0x8000), b.shl(b.bitAnd(own, 2), 30));
      signs.back()[i] = b.bitXor(base, both);
    }
  }
}

/// Sixteen bytes of a run of bf16: those of eight runs have different banks.
Value MatrixRotation::placeOfInput(Value run, Value chunk) {
  Value swizzle = size == 32 ? b.bitAnd(b.shr(run, 1), 3) : b.bitAnd(b.shr(run, 2), 1);
  return b.at(shared, b.add(b.mul(run, size * 2), b.shl(b.bitXor(chunk, swizzle), 4)));
}

/// Sixteen bytes of a run of f32: those of eight runs have different banks, and so have 32 bytes of
/// four.
Value MatrixRotation::placeOfSums(Value run, Value chunk) {
  Value high = size == 32 ? b.shl(b.bitAnd(run, 3), 1) : b.bitAnd(run, 2);
  Value swizzle = b.bitOr(high, b.bitAnd(b.shr(run, 2), 1));
  return b.at(shared, b.add(b.mul(run, size * 4), b.shl(b.bitXor(chunk, swizzle), 4)));
}

SmallVector<Value> MatrixRotation::rotate(ArrayRef<Value> words) {
  // What was there has been read.
  emitWarpBarrier(b);
  for (unsigned chunk = 0; chunk < size / 8; ++chunk)
    b.store(b.join(words.slice(4 * chunk, 4)), placeOfInput(lane, b.i32(chunk)), 16);
  emitWarpBarrier(b);
  // Of 16 runs each, by step.
  SmallVector<SmallVector<Value, 4>> fragments[2];
  for (unsigned i : {0, 1})
    for (unsigned step = 0; step < size / 16; ++step) {
      Value chunk = b.add(b.shr(lane, 4), 2 * step);
      Value place = placeOfInput(b.bitAnd(lane, 15), chunk);
      fragments[i].push_back(emitMatrixLoad(b, b.at(place, int32_t(i * 16 * size * 2))));
    }
  emitWarpBarrier(b);
  for (unsigned i : {0, 1})
    storeSums(fragments[i], i * 16 * size * 4);
  emitWarpBarrier(b);
  SmallVector<Value> rotated;
  for (unsigned chunk = 0; chunk < size / 4; ++chunk) {
    Value four = b.load(b.vector(4, b.getI32Type()), placeOfSums(lane, b.i32(chunk)), 16);
    for (unsigned i = 0; i < 4; ++i)
      rotated.push_back(b.element(four, i));
  }
  return rotated;
}

void MatrixRotation::storeSums(ArrayRef<SmallVector<Value, 4>> fragment, unsigned offset) {
  Value t = b.bitAnd(lane, 3), g = b.shr(lane, 2);
  for (unsigned eight = 0; eight < size / 8; ++eight) {
    SmallVector<Value, 4> sums(4, b.f32(0));
    for (auto [step, lhs] : llvm::enumerate(fragment)) {
      SmallVector<Value, 2> rhs;
      for (unsigned i : {0, 1}) {
        bool isNegated = ((i & eight) ^ (step & eight >> 1)) & 1;
        Value word = signs[step][i];
        rhs.push_back(isNegated ? b.bitXor(word, b.i32(int32_t(bothSigns))) : word);
      }
      sums = emitProductBF16(b, lhs, rhs, sums);
    }
    Value place = placeOfSums(g, b.add(b.shr(t, 1), 2 * eight));
    place = b.at(place, b.shl(b.bitAnd(t, 1), 3));
    for (unsigned half : {0, 1})
      b.store(b.join({sums[2 * half], sums[2 * half + 1]}),
              b.at(place, int32_t(offset + half * 8 * size * 4)), 8);
  }
}
