//===- MmaWmmaFold.cpp - v_wmma_f32_16x16x32_bf16 on scaled bf16 ----------===//
//
// Operands are products of codes and scales already: a plain bf16 GEMM, from the storage of 32 x 32
// MFMAs, whose groups of 32 rows are two fragments.
//
// Lane l holds of an operand row l % 16 and, of each of two runs of 16 positions, 8 (l / 16) to
// 8 (l / 16) + 7, and of a result column l % 16 and rows 8 (l / 16) to 8 (l / 16) + 7 (AMD, CDNA 5
// ISA, 7.12.2); so columns of C are the result's rows, and a lane has runs of eight.
//
//===----------------------------------------------------------------------===//

#include "AMDEmission.h"

#include "ufp4/Target/LaneMajorStorage.h"
#include "ufp4/Target/Mma.h"

using namespace mlir;
using namespace ufp4::target;

using Storage = LaneMajorFoldedStorage;

static constexpr unsigned rows = 16, depth = 32;

namespace {
class MmaWmmaFold final : public FragmentMma {
public:
  llvm::StringRef name() const override { return "wmma_16x16x32_bf16_fold"; }
  Path path() const override { return Path::Fold; }
  llvm::StringRef instruction() const override { return "v_wmma_f32_16x16x32_bf16"; }
  unsigned m() const override { return rows; }
  unsigned n() const override { return rows; }
  unsigned k() const override { return depth; }
  const OperandStorage &storage() const override { return laneMajorFoldedStorage(); }
  unsigned rowGranule() const override { return Storage::rowsOfGroup; }
  unsigned columnGranule() const override { return Storage::rowsOfGroup; }
  unsigned runLength() const override { return 8; }
  unsigned productDepth(unsigned) const override { return depth; }
  unsigned scalesDepth(unsigned) const override { return depth; }
  unsigned accumulatorRegisters(unsigned m, unsigned n) const override { return m * n / 32; }
  unsigned operandRegisters(unsigned m, unsigned n) const override { return (m + n) / rows * 8; }

  /// Of 64 lanes' pieces those of the own row and half.
  FragmentAddresses address(KernelBuilder &b, Side side, const WarpTile &tile, Value codes,
                            Value) const override {
    unsigned groupBytes = laneMajorFoldedStorage().groupBytes;
    Value group = b.mul(tile.firstLineOf(side), groupBytes / Storage::rowsOfGroup);
    Value half = b.shr(tile.lane, llvm::Log2_32(rows)), row = b.bitAnd(tile.lane, rows - 1);
    Value lane = b.add(b.mul(half, Storage::rowsOfGroup), row);
    FragmentAddresses addresses;
    addresses.codes.push_back(b.at(codes, b.add(group, b.mul(lane, pieceBytesOfLane))));
    return addresses;
  }

  SmallVector<Fragment> loadFragments(KernelBuilder &b, Side side, const WarpTile &tile,
                                      const FragmentAddresses &addresses, Value stage,
                                      unsigned step) const override {
    unsigned groupBytes = laneMajorFoldedStorage().groupBytes;
    Value pointer = b.at(addresses.codes[0], stage);
    SmallVector<Fragment> fragments;
    for (unsigned row = 0; row < tile.linesOf(side); row += rows) {
      SmallVector<Value, 2> runs;
      for (unsigned run = 0; run < 2; ++run) {
        int32_t offset = row / Storage::rowsOfGroup * groupBytes +
                         row % Storage::rowsOfGroup * pieceBytesOfLane +
                         (2 * step + run) * Storage::pieceBytes;
        runs.push_back(
            loadShared(b, b.vector(8, b.getBF16Type()), b.at(pointer, offset), pieceBytesOfLane));
      }
      auto both = llvm::to_vector<16>(llvm::seq<int32_t>(0, 16));
      fragments.push_back({LLVM::ShuffleVectorOp::create(b, runs[0], runs[1], both).getResult()});
    }
    return fragments;
  }
  SmallVector<Value> loadScales(KernelBuilder &, Side, const WarpTile &, const FragmentAddresses &,
                                Value, unsigned) const override {
    return {};
  }

  Fragment zero(KernelBuilder &b) const override {
    return {arith::ConstantOp::create(b, b.getZeroAttr(b.vector(8, b.getF32Type())))};
  }
  Fragment accumulate(KernelBuilder &b, unsigned i, unsigned j, unsigned,
                      const StepFragments &operands, const ScaleRegisters &,
                      const Fragment &sum) const override {
    Value asItIs = arith::ConstantOp::create(b, b.getI16IntegerAttr(0));
    Value no = arith::ConstantOp::create(b, b.getBoolAttr(false));
    return {callIntrinsic(
        b, sum[0].getType(), "llvm.amdgcn.wmma.f32.16x16x32.bf16.v8f32.v16bf16",
        {no, operands.rhs[0][j][0], no, operands.lhs[0][i][0], asItIs, sum[0], no, no})};
  }
  Accumulators runs(KernelBuilder &b, const WarpTile &tile,
                    ArrayRef<Fragment> sums) const override {
    return runsOfColumns(b, tile, sums, rows, runLength());
  }

private:
  static constexpr unsigned pieceBytesOfLane = 16;
};
} // namespace

const Mma &ufp4::target::mmaWmmaFold() {
  static const MmaWmmaFold mma;
  return mma;
}
