//===- MmaBF16Fold.cpp - mma.sync m16n8k16 on scaled bf16 -----------------===//
//
// Operands are products of codes and scales already, so sums stay in the instruction's
// accumulators: a plain bf16 GEMM.
//
//===----------------------------------------------------------------------===//

#include "MmaSync.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

namespace {
class MmaBF16Fold final : public MmaSync {
public:
  MmaBF16Fold() : MmaSync(tileMajorFoldedStorage(), SlabOrder::Pairs, SlabOrder::Pairs) {}

  llvm::StringRef name() const override { return "mma_m16n8k16_bf16_fold"; }
  Path path() const override { return Path::Fold; }
  llvm::StringRef instruction() const override { return "mma.sync.m16n8k16 bf16"; }
  unsigned productDepth(unsigned) const override { return k(); }
  unsigned scalesDepth(unsigned) const override { return k(); }
  unsigned operandRegisters(unsigned rows, unsigned columns) const override {
    // Half of a step's fragments: the others are loaded when these are done.
    return rows / 8 + columns / 8;
  }

  FragmentAddresses address(KernelBuilder &b, Side side, const WarpTile &tile, Value codes,
                            Value) const override {
    FragmentAddresses addresses;
    addresses.codes = addressCodes(b, side, tile, codes);
    return addresses;
  }
  SmallVector<Value> loadScales(KernelBuilder &, Side, const WarpTile &, const FragmentAddresses &,
                                Value, unsigned) const override {
    return {};
  }

  Fragment zero(KernelBuilder &b) const override { return Fragment(4, b.f32(0)); }
  Fragment accumulate(KernelBuilder &b, unsigned i, unsigned j, unsigned,
                      const StepFragments &operands, const ScaleRegisters &,
                      const Fragment &sum) const override {
    return multiplyBF16(b, operands.lhs[0][i], operands.rhs[0][j], sum);
  }
};
} // namespace

const Mma &ufp4::target::mmaBF16Fold() {
  static const MmaBF16Fold mma;
  return mma;
}
