//===- TensorMma.cpp - tcgen05 ---------------------------------------------===//
//
// Descriptors of matrices in shared memory (PTX ISA, "Shared memory descriptor"): bits 13:0 where
// they start, 45:32 the bytes from eight rows to the next, both by 16; 48:46 are 0b001; 63:61 the
// swizzle, 2 for 128 bytes.
// Descriptors of instructions ("Instruction descriptor"): 5:4 and 30:29 the byte of a word that the
// scales of B and of A begin at; 9:7 and 12:10 the elements of A and of B; 22:17 N / 8; 23 whether
// scales are ue8m0; 28:27 M / 128.
//
// Scales of a row are words in columns of tensor memory, that of row r in column r / 32 of its
// word's and lane r % 32 of each quarter of the lanes. A copy of 32 rows of 16 bytes brings a word
// of 128 rows.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Target/NVPTX/TensorMma.h"

#include "ufp4/Target/ContainerStorage.h"
#include "ufp4/Target/NVPTX/Binary.h"
#include "ufp4/Target/NVPTX/MBarriers.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

static Value toI64(KernelBuilder &b, int64_t value) {
  return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
}
static Value toI1(KernelBuilder &b, bool value) {
  return arith::ConstantOp::create(b, b.getBoolAttr(value));
}

/// The form of an instruction for one block or for two (PTX ISA, ".cta_group").
static std::string ofGroup(StringRef name, unsigned blocks) {
  return (name + ".cg" + Twine(blocks)).str();
}

static Value tensorPointer(KernelBuilder &b, Value place) {
  return LLVM::IntToPtrOp::create(b, LLVM::LLVMPointerType::get(b.getContext(), tensorSpace),
                                  place);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Descriptors count by 16 bytes.
static constexpr unsigned unitBytes = 16;
/// Rows of 128 bytes, swizzled; and rows of 16 bytes, one behind the other.
static constexpr int64_t version = int64_t(1) << 46,
                         codesDescriptor =
                             int64_t(uint64_t(2) << 61) | int64_t(1024 / unitBytes) << 32 | version,
                         scalesDescriptor = int64_t(128 / unitBytes) << 32 | version;
static constexpr unsigned wordBytes = 4 * TileMajorStorage::rows;

float TensorMma::factor(const numerics::Scheme &scheme) const {
  return &tiles == &tileMajorPackedE2M3Storage()
             ? TileMajorE2M3Storage::productFactor(scheme.format)
             : 1;
}

TensorOperands TensorMma::describe(KernelBuilder &b, Value ring,
                                   const std::array<int64_t, 4> &tileBytes) const {
  int64_t offset = 0;
  auto describeTile = [&](unsigned number, int64_t bits) {
    Value tile = b.at(ring, int32_t(offset));
    offset += tileBytes[number];
    Value address = LLVM::PtrToIntOp::create(b, b.getI32Type(), tile);
    // Shared memory has 18 bits of addresses.
    Value start = b.shr(b.bitAnd(address, (1 << 18) - 1), 4);
    return b.bitOr(b.widen(start), toI64(b, bits));
  };
  // Braces: from left to right.
  return {{describeTile(0, codesDescriptor), describeTile(1, codesDescriptor)},
          {describeTile(2, scalesDescriptor), describeTile(3, scalesDescriptor)}};
}

void TensorMma::accumulate(KernelBuilder &b, const TensorOperands &operands, unsigned columns,
                           Value stage, Value sums, Value scales, Value continues,
                           unsigned blocks) const {
  TensorOperands here;
  for (unsigned side = 0; side < 2; ++side) {
    here.codes[side] = b.add(operands.codes[side], stage);
    here.scales[side] = b.add(operands.scales[side], stage);
  }
  // Columns of tensor memory: words of A, then words of B.
  const std::array<unsigned, 2> rows = {m(), columns};
  auto columnOf = [&](unsigned side, unsigned word) {
    unsigned first = side ? wordsOfRow() * rows[0] / lanesOfWarp : 0;
    return first + word * rows[side] / lanesOfWarp;
  };
  SmallVector<Value> scalesOfWord[2];
  for (unsigned word = 0; word < wordsOfRow(); ++word)
    for (unsigned side = 0; side < 2; ++side) {
      scalesOfWord[side].push_back(tensorPointer(b, b.add(scales, columnOf(side, word))));
      for (unsigned tile = 0; tile < rows[side] / TileMajorStorage::rows; ++tile) {
        unsigned bytes = tile * tiles.scaleTileBytes(operation.block) + word * wordBytes;
        Value column = b.add(scales, columnOf(side, word) + tile * 4);
        callIntrinsic(b, ofGroup("llvm.nvvm.tcgen05.cp.32x128b_warpx4", blocks),
                      {tensorPointer(b, column), b.add(here.scales[side], bytes / unitBytes)});
      }
    }
  unsigned bytesOfProduct = k() / operation.block, productsOfWord = 4 / bytesOfProduct;
  Value target = tensorPointer(b, sums), group = b.i32(blocks), discards = b.i32(0);
  for (unsigned product = 0; product < tiles.depth / k(); ++product) {
    unsigned word = product / productsOfWord, byte = product % productsOfWord * bytesOfProduct;
    uint32_t descriptor = byte << 4 | operation.element << 7 | operation.element << 10 |
                          columns / 8 << 17 | uint32_t(operation.isUE8M0) << 23 |
                          m() * blocks / 128 << 27 | byte << 29;
    unsigned units = product * chunksOfProduct * TileMajorStorage::chunkBytes / unitBytes;
    auto call = LLVM::CallIntrinsicOp::create(
        b, b.getStringAttr(operation.intrinsic),
        ValueRange{target, b.add(here.codes[0], units), b.add(here.codes[1], units),
                   b.i32(int32_t(descriptor)), product ? toI1(b, true) : continues,
                   scalesOfWord[0][word], scalesOfWord[1][word], group, discards});
    if (operation.uniformCodes)
      call->setAttr(kUniformCodesMark, b.getUnitAttr());
  }
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

SmallVector<Value> TensorMma::load(KernelBuilder &b, Value warp, Value sums) const {
  // Neighbours lie in four groups of columns of tensor memory.
  Value place = b.add(sums, b.shl(warp, 16 + llvm::Log2_32(lanesOfWarp)));
  const unsigned count = columnsAtOnce / quarters;
  SmallVector<Value> groups;
  for (unsigned group = 0; group < quarters; ++group)
    groups.push_back(callIntrinsic(b, "llvm.nvvm.tcgen05.ld.32x32b.x" + std::to_string(count),
                                   {tensorPointer(b, b.add(place, group * count)), toI1(b, false)},
                                   b.vector(count, b.getI32Type())));
  callIntrinsic(b, "llvm.nvvm.tcgen05.wait.ld", {});
  for (Value &group : groups)
    group = LLVM::BitcastOp::create(b, b.vector(count, b.getF32Type()), group);
  return groups;
}

Accumulators TensorMma::runs(KernelBuilder &b, Value warp, Value lane,
                             ArrayRef<Value> groups) const {
  SmallVector<Value> values;
  for (unsigned i = 0; i < columnsAtOnce; ++i)
    values.push_back(b.element(groups[i % quarters], i / quarters));
  Accumulators accumulators;
  accumulators.row = b.add(b.mul(lane, quarters), warp);
  accumulators.column = b.i32(0);
  for (unsigned first = 0; first < values.size(); first += runLength())
    accumulators.runs.push_back(
        {0, first, SmallVector<Value, 8>(ArrayRef(values).slice(first, runLength()))});
  return accumulators;
}

//===----------------------------------------------------------------------===//
// What all of them need
//===----------------------------------------------------------------------===//

void ufp4::target::emitTensorAllocation(KernelBuilder &b, Value slot, unsigned columns,
                                        unsigned blocks) {
  callIntrinsic(b, ofGroup("llvm.nvvm.tcgen05.alloc.shared", blocks), {slot, b.i32(columns)});
  callIntrinsic(b, ofGroup("llvm.nvvm.tcgen05.relinq.alloc.permit", blocks), {});
}

void ufp4::target::emitTensorRelease(KernelBuilder &b, Value first, unsigned columns,
                                     unsigned blocks) {
  callIntrinsic(b, ofGroup("llvm.nvvm.tcgen05.dealloc", blocks),
                {tensorPointer(b, first), b.i32(columns)});
}

void ufp4::target::emitTensorCommit(KernelBuilder &b, Value barrier, unsigned blocks) {
  if (blocks == 1) {
    callIntrinsic(b, "llvm.nvvm.tcgen05.commit.shared.cg1", {barrier});
    return;
  }
  Value both = arith::ConstantOp::create(b, b.getI16IntegerAttr(3));
  callIntrinsic(b, "llvm.nvvm.tcgen05.commit.mc.shared.cg2", {barrier, both});
}

void ufp4::target::emitTensorFence(KernelBuilder &b, bool isBefore) {
  callIntrinsic(b,
                isBefore ? "llvm.nvvm.tcgen05.fence.before.thread.sync"
                         : "llvm.nvvm.tcgen05.fence.after.thread.sync",
                {});
}

//===----------------------------------------------------------------------===//
// The instructions
//===----------------------------------------------------------------------===//

const Mma &ufp4::target::tensorMmaE2M1Scaled16() {
  static const TensorMma mma(tileMajor4BitWordsStorage(),
                             {"tcgen05_e2m1_ue4m3", "tcgen05.mma kind::mxf4nvf4 block16",
                              "llvm.nvvm.tcgen05.mma.shared.mxf4nvf4.block_scale.block16",
                              Path::Native, 16, /*element=*/1, /*isUE8M0=*/false});
  return mma;
}

const Mma &ufp4::target::tensorMmaE0M3Scaled16() {
  static const TensorMma mma(tileMajor4BitWordsStorage(),
                             {"tcgen05_e0m3_ue4m3",
                              "tcgen05.mma kind::mxf4nvf4 block16, element format 0",
                              "llvm.nvvm.tcgen05.mma.shared.mxf4nvf4.block_scale.block16",
                              Path::Native, 16, /*element=*/0, /*isUE8M0=*/false,
                              /*uniformCodes=*/true});
  return mma;
}

const Mma &ufp4::target::tensorMmaE2M1Scaled32() {
  static const TensorMma mma(tileMajor4BitWordsStorage(),
                             {"tcgen05_e2m1_ue8m0", "tcgen05.mma kind::mxf4 block32",
                              "llvm.nvvm.tcgen05.mma.shared.mxf4.block_scale.block32", Path::Native,
                              32, /*element=*/1, /*isUE8M0=*/true});
  return mma;
}

const Mma &ufp4::target::tensorMmaE2M3Scaled32() {
  static const TensorMma mma(tileMajorPackedE2M3Storage(),
                             {"tcgen05_e2m3_ue8m0", "tcgen05.mma kind::mxf8f6f4",
                              "llvm.nvvm.tcgen05.mma.shared.mxf8f6f4.block_scale", Path::Container,
                              32, /*element=*/3, /*isUE8M0=*/true});
  return mma;
}
