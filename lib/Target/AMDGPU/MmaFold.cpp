//===- MmaFold.cpp - v_mfma_f32_32x32x16_bf16 on scaled bf16 --------------===//
//
// Operands are products of codes and scales already: a plain bf16 GEMM. Where an instruction is
// eight deep, two take the halves of what a lane has loaded: which positions of K meet in which of
// them is free, as long as A and B agree.
//
//===----------------------------------------------------------------------===//

#include "Mfma.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

namespace {
class MmaFold final : public Mfma32 {
public:
  /// `depth`: of an instruction, 16 or 8.
  explicit MmaFold(unsigned depth) : Mfma32(laneMajorFoldedStorage()), depth(depth) {}

  llvm::StringRef name() const override {
    return depth == 16 ? "mfma_32x32x16_bf16_fold" : "mfma_32x32x8_bf16_fold";
  }
  Path path() const override { return Path::Fold; }
  llvm::StringRef instruction() const override {
    return depth == 16 ? "v_mfma_f32_32x32x16_bf16" : "v_mfma_f32_32x32x8_bf16";
  }
  unsigned productDepth(unsigned) const override { return k(); }
  unsigned scalesDepth(unsigned) const override { return k(); }
  unsigned operandRegisters(unsigned rows, unsigned columns) const override {
    return (rows + columns) / 32 * 4;
  }

  FragmentAddresses address(KernelBuilder &b, Side side, const WarpTile &tile, Value codes,
                            Value) const override {
    FragmentAddresses addresses;
    addresses.codes.push_back(addressCodes(b, side, tile, codes));
    return addresses;
  }

  SmallVector<Fragment> loadFragments(KernelBuilder &b, Side side, const WarpTile &tile,
                                      const FragmentAddresses &addresses, Value stage,
                                      unsigned step) const override {
    // The older instruction takes bf16 as integers.
    Type type = depth == 16 ? b.vector(8, b.getBF16Type()) : b.vector(8, b.getI16Type());
    SmallVector<Fragment> fragments;
    for (Value piece : loadPieces(b, side, tile, addresses, stage, step, type)) {
      Fragment &fragment = fragments.emplace_back();
      for (unsigned first = 0; first < 8; first += depth / 2) {
        auto half = llvm::to_vector<8>(llvm::seq<int32_t>(first, first + depth / 2));
        fragment.push_back(
            depth == 16 ? piece : LLVM::ShuffleVectorOp::create(b, piece, piece, half).getResult());
      }
    }
    return fragments;
  }
  SmallVector<Value> loadScales(KernelBuilder &, Side, const WarpTile &, const FragmentAddresses &,
                                Value, unsigned) const override {
    return {};
  }

  Fragment accumulate(KernelBuilder &b, unsigned i, unsigned j, unsigned,
                      const StepFragments &operands, const ScaleRegisters &,
                      const Fragment &sum) const override {
    llvm::StringRef intrinsic =
        depth == 16 ? "llvm.amdgcn.mfma.f32.32x32x16.bf16" : "llvm.amdgcn.mfma.f32.32x32x8bf16.1k";
    Value result = sum[0];
    for (auto [columns, rows] : llvm::zip(operands.rhs[0][j], operands.lhs[0][i]))
      result = emitMfma(b, intrinsic, columns, rows, result);
    return {result};
  }

private:
  const unsigned depth;
};
} // namespace

const Mma &ufp4::target::mmaMfmaFold16() {
  static const MmaFold mma(16);
  return mma;
}

const Mma &ufp4::target::mmaMfmaFold8() {
  static const MmaFold mma(8);
  return mma;
}
