//===- MmaE2M1Scaled.cpp - Block-scaled mma.sync m16n8k64 on E2M1 ---------===//
//
// The instruction reads the scales of a step, one byte a block, from registers of other lanes too:
// row m of A from lane 4(m % 8) + 2p + m / 8, column n of B from lane 4n + p, bytes b on, where the
// thread-id p and the byte-id b are immediates (PTX ISA, "Block scaling for mma.sync"). Slab x of
// a group of 32 rows has its scales in lanes 4g + x, be it half of a fragment of A (p = x / 2) or a
// fragment of B (p = x). So one word a lane serves two fragments of A or four of B for as many
// steps as its bytes last, and a lane loads all words of its row's line at once.
//
//===----------------------------------------------------------------------===//

#include "MmaSync.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

namespace {
class MmaE2M1Scaled final : public MmaSync {
public:
  /// `block`: 16 with ue4m3 scales, four bytes a step, or 32 with ue8m0 scales, two bytes.
  explicit MmaE2M1Scaled(unsigned block)
      : MmaSync(tileMajor4BitStorage(), SlabOrder::Pairs), block(block) {}

  llvm::StringRef name() const override {
    return isUE4M3() ? "mma_m16n8k64_e2m1_ue4m3" : "mma_m16n8k64_e2m1_ue8m0";
  }
  Path path() const override { return Path::Native; }
  llvm::StringRef instruction() const override {
    return isUE4M3() ? "mma.sync.m16n8k64 kind::mxf4nvf4 scale_vec::4X"
                     : "mma.sync.m16n8k64 kind::mxf4 scale_vec::2X";
  }
  unsigned productDepth(unsigned) const override { return k(); }
  unsigned scalesDepth(unsigned) const override { return tileMajor4BitStorage().depth; }
  unsigned operandRegisters(unsigned rows, unsigned columns) const override {
    return rows / 4 + columns / 4 + (rows + columns) / rowsPerGroup * wordsOfLine();
  }

  FragmentAddresses address(KernelBuilder &b, Side side, const WarpTile &tile, Value codes,
                            Value scales) const override {
    FragmentAddresses addresses;
    addresses.codes = addressCodes(b, side, tile, codes);
    Value line = b.add(side == Side::A ? tile.firstRow : tile.firstColumn, tile.lane);
    addresses.scales.push_back(b.at(scales, b.mul(line, wordsOfLine() * 4)));
    return addresses;
  }

  /// [group of 32 rows][word].
  SmallVector<Value> loadScales(KernelBuilder &b, Side side, const WarpTile &tile,
                                const FragmentAddresses &addresses, Value stage,
                                unsigned) const override {
    unsigned rows = side == Side::A ? tile.rows : tile.columns, bytes = wordsOfLine() * 4;
    SmallVector<Value> words;
    Value pointer = b.at(addresses.scales[0], stage);
    for (unsigned row = 0; row < rows; row += rowsPerGroup) {
      Value loaded = b.load(b.vector(wordsOfLine(), b.getI32Type()),
                            b.at(pointer, int32_t(row * bytes)), bytes);
      for (unsigned i = 0; i < wordsOfLine(); ++i)
        words.push_back(b.element(loaded, i));
    }
    return words;
  }

  Fragment zero(KernelBuilder &b) const override { return Fragment(4, b.f32(0)); }

  Fragment accumulate(KernelBuilder &b, unsigned i, unsigned j, unsigned product,
                      const StepFragments &operands, const ScaleRegisters &scales,
                      const Fragment &sum) const override {
    unsigned word = product / stepsOfWord(), byte = product % stepsOfWord() * bytesOfStep();
    Value scaleA = scales.lhs[i / 2 * wordsOfLine() + word];
    Value scaleB = scales.rhs[j / slabsPerGroup * wordsOfLine() + word];
    auto i16 = [&](unsigned value) -> Value {
      return arith::ConstantOp::create(b, b.getI16IntegerAttr(value));
    };
    Type f32 = b.getF32Type();
    auto result = LLVM::LLVMStructType::getLiteral(b.getContext(), {f32, f32, f32, f32});
    Value d = NVVM::MmaBlockScaleOp::create(
        b, result, operands.lhs[0][i], operands.rhs[0][j], sum, scaleA, i16(byte), i16(i % 2),
        scaleB, i16(byte), i16(j % slabsPerGroup), {16, 8, 64},
        std::array<NVVM::MMATypes, 2>{NVVM::MMATypes::e2m1, NVVM::MMATypes::e2m1},
        isUE4M3() ? NVVM::ScaleVecSize::X4 : NVVM::ScaleVecSize::X2,
        isUE4M3() ? NVVM::BlockScaleFormat::UE4M3 : NVVM::BlockScaleFormat::UE8M0,
        isUE4M3() ? NVVM::MMABlockScaleKind::MXF4NVF4 : NVVM::MMABlockScaleKind::MXF4);
    Fragment sums;
    for (unsigned r = 0; r < 4; ++r)
      sums.push_back(b.field(d, r));
    return sums;
  }

private:
  const unsigned block;

  bool isUE4M3() const { return block == 16; }
  unsigned bytesOfStep() const { return k() / block; }
  /// Steps whose scales are in one word.
  unsigned stepsOfWord() const { return 4 / bytesOfStep(); }
  unsigned wordsOfLine() const { return tileMajor4BitStorage().scaleLineBytes(block) / 4; }
};
} // namespace

const Mma &ufp4::target::mmaE2M1Scaled4X() {
  static const MmaE2M1Scaled mma(16);
  return mma;
}

const Mma &ufp4::target::mmaE2M1Scaled2X() {
  static const MmaE2M1Scaled mma(32);
  return mma;
}
