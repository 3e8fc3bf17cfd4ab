//===- MmaBlockScaled.cpp - Block-scaled mma.sync m16n8 -------------------===//
//
// The instruction reads the scales of a step, one byte a block, from registers of other lanes too:
// row m of A from lane 4(m % 8) + 2p + m / 8, column n of B from lane 4n + p, bytes b on, where the
// thread-id p and the byte-id b are immediates (PTX ISA, "Block scaling for mma.sync"). Slab x of
// a group of 32 rows has its scales in lanes 4g + x, be it half of a fragment of A (p = x / 2) or a
// fragment of B (p = x). So one word a lane serves two fragments of A or four of B for as many
// steps as its bytes last, and a lane loads all words of its row's line at once. Codes of 4 bits
// are multiplied 64 deep, those in containers of a byte 32 deep.
//
//===----------------------------------------------------------------------===//

#include "MmaSync.h"

#include "ufp4/Target/ContainerStorage.h"
#include "ufp4/Target/NVPTX/Binary.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

namespace {
/// One instruction: what NVVM and the chips' table call it.
struct Instruction {
  llvm::StringLiteral name, spelling;
  Path path;
  unsigned block;
  NVVM::MMATypes type;
  NVVM::ScaleVecSize scalesOfRow;
  NVVM::BlockScaleFormat scale;
  NVVM::MMABlockScaleKind kind;
  /// Codes of A and B lie on the uniform grid, which the assembled instruction is told by a rewrite
  /// of the binary.
  bool uniformCodes = false;
};

class MmaBlockScaled final : public MmaSync {
public:
  MmaBlockScaled(const TileMajorStorage &tiles, const Instruction &operation)
      : MmaSync(tiles, SlabOrder::Lanes, SlabOrder::Lanes), tiles(tiles), operation(operation) {}

  llvm::StringRef name() const override { return operation.name; }
  Path path() const override { return operation.path; }
  llvm::StringRef instruction() const override { return operation.spelling; }
  bool needsRewrite() const override { return operation.uniformCodes; }
  float factor(const numerics::Scheme &scheme) const override {
    return &tiles == &tileMajorE2M3Storage() ? TileMajorE2M3Storage::productFactor(scheme.format)
                                             : 1;
  }
  unsigned productDepth(unsigned) const override { return k(); }
  unsigned scalesDepth(unsigned) const override { return tiles.depth; }
  unsigned operandRegisters(unsigned rows, unsigned columns) const override {
    return rows / 4 + columns / 4 + (rows + columns) / rowsPerGroup * wordsOfLine();
  }

  FragmentAddresses address(KernelBuilder &b, Side side, const WarpTile &tile, Value codes,
                            Value scales) const override {
    FragmentAddresses addresses;
    addresses.codes = addressCodes(b, side, tile, codes);
    Value line = b.add(tile.firstLineOf(side), tile.lane);
    addresses.scales.push_back(b.at(scales, b.mul(line, wordsOfLine() * 4)));
    return addresses;
  }

  /// [group of 32 rows][word].
  SmallVector<Value> loadScales(KernelBuilder &b, Side side, const WarpTile &tile,
                                const FragmentAddresses &addresses, Value stage,
                                unsigned) const override {
    unsigned rows = tile.linesOf(side), bytes = wordsOfLine() * 4;
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
    auto mma = NVVM::MmaBlockScaleOp::create(
        b, result, operands.lhs[0][i], operands.rhs[0][j], sum, scaleA, i16(byte), i16(i % 2),
        scaleB, i16(byte), i16(j % slabsPerGroup), {m(), n(), k()},
        std::array<NVVM::MMATypes, 2>{operation.type, operation.type}, operation.scalesOfRow,
        operation.scale, operation.kind);
    if (operation.uniformCodes)
      mma->setAttr(kUniformCodesMark, b.getUnitAttr());
    Fragment sums;
    for (unsigned r = 0; r < 4; ++r)
      sums.push_back(b.field(mma, r));
    return sums;
  }

private:
  const TileMajorStorage &tiles;
  const Instruction operation;

  unsigned bytesOfStep() const { return k() / operation.block; }
  /// Steps whose scales are in one word.
  unsigned stepsOfWord() const { return 4 / bytesOfStep(); }
  unsigned wordsOfLine() const {
    return tiles.scaleTileBytes(operation.block) / TileMajorStorage::rows / 4;
  }
};
} // namespace

const Mma &ufp4::target::mmaE2M1Scaled4X() {
  static const MmaBlockScaled mma(
      tileMajor4BitStorage(),
      {"mma_m16n8k64_e2m1_ue4m3", "mma.sync.m16n8k64 kind::mxf4nvf4 scale_vec::4X", Path::Native,
       16, NVVM::MMATypes::e2m1, NVVM::ScaleVecSize::X4, NVVM::BlockScaleFormat::UE4M3,
       NVVM::MMABlockScaleKind::MXF4NVF4});
  return mma;
}

const Mma &ufp4::target::mmaE2M1Scaled2X() {
  static const MmaBlockScaled mma(tileMajor4BitStorage(),
                                  {"mma_m16n8k64_e2m1_ue8m0",
                                   "mma.sync.m16n8k64 kind::mxf4 scale_vec::2X", Path::Native, 32,
                                   NVVM::MMATypes::e2m1, NVVM::ScaleVecSize::X2,
                                   NVVM::BlockScaleFormat::UE8M0, NVVM::MMABlockScaleKind::MXF4});
  return mma;
}

const Mma &ufp4::target::mmaE0M3Scaled4X() {
  static const MmaBlockScaled mma(
      tileMajor4BitStorage(),
      {"mma_m16n8k64_e0m3_ue4m3", "mma.sync.m16n8k64 kind::mxf4nvf4 scale_vec::4X, OMMA.E0M3",
       Path::Native, 16, NVVM::MMATypes::e2m1, NVVM::ScaleVecSize::X4,
       NVVM::BlockScaleFormat::UE4M3, NVVM::MMABlockScaleKind::MXF4NVF4, /*uniformCodes=*/true});
  return mma;
}

const Mma &ufp4::target::mmaE2M3Scaled1X() {
  static const MmaBlockScaled mma(
      tileMajorE2M3Storage(), {"mma_m16n8k32_e2m3_ue8m0", "mma.sync.m16n8k32 kind::mxf8f6f4",
                               Path::Container, 32, NVVM::MMATypes::e2m3, NVVM::ScaleVecSize::X1,
                               NVVM::BlockScaleFormat::UE8M0, NVVM::MMABlockScaleKind::MXF8F6F4});
  return mma;
}
