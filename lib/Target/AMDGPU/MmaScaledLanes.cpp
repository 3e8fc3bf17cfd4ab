//===- MmaScaledLanes.cpp - Block-scaled MFMA and WMMA --------------------===//

#include "MmaScaledLanes.h"

#include "ufp4/Target/ContainerStorage.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

using Storage = LaneMajorScaledStorage;

static constexpr unsigned pieceBytes = 16;

/// E2M3 from `Split` words.
static SmallVector<Value> expand(KernelBuilder &b, ArrayRef<Value> words) {
  SmallVector<Value> expanded;
  for (; !words.empty(); words = words.drop_front(2))
    for (unsigned word = 0; word < 3; ++word) {
      auto [first, second] = Storage::splitMasks(word);
      Value x = b.bitAnd(words[0], int32_t(first)), y = b.bitAnd(words[1], int32_t(second));
      expanded.push_back(!second ? x : !first ? y : b.bitOr(x, y));
    }
  return expanded;
}

bool MmaScaledLanes::takes(const numerics::Scheme &scheme) const {
  return isContainer() ? codes.form == LaneForm::E2M3 || scheme.format == numerics::Format::E1M2
                       : scheme.format == numerics::Format::E2M1;
}

float MmaScaledLanes::factor(const numerics::Scheme &scheme) const {
  return isContainer() ? TileMajorE2M3Storage::productFactor(scheme.format) : 1;
}

FragmentAddresses MmaScaledLanes::address(KernelBuilder &b, Side side, const WarpTile &tile,
                                          Value codePointer, Value scalePointer) const {
  Value first = tile.firstLineOf(side);
  Value group = b.shr(first, llvm::Log2_32(shape.rows));
  Value ofGroup = b.at(codePointer, b.mul(group, codes.groupBytes()));
  FragmentAddresses addresses;
  // Pieces of 16 bytes, and one of 8 where codes have 24.
  addresses.codes.push_back(b.at(ofGroup, b.mul(tile.lane, pieceBytes)));
  if (codes.laneBytes() % pieceBytes)
    addresses.codes.push_back(b.at(ofGroup, b.mul(tile.lane, pieceBytes / 2)));
  Value ofScales = b.add(b.mul(group, codes.scaleGroupBytes(block)),
                         b.mul(tile.lane, codes.scaleLineBytes(block)));
  addresses.scales.push_back(b.at(scalePointer, ofScales));
  return addresses;
}

SmallVector<Fragment> MmaScaledLanes::loadFragments(KernelBuilder &b, Side side,
                                                    const WarpTile &tile,
                                                    const FragmentAddresses &addresses, Value stage,
                                                    unsigned step) const {
  unsigned rows = tile.linesOf(side);
  SmallVector<Value> pointers;
  for (Value pointer : addresses.codes)
    pointers.push_back(b.at(pointer, stage));
  SmallVector<Fragment> fragments;
  for (unsigned i = 0; i < rows / shape.rows; ++i) {
    SmallVector<Value> words;
    for (unsigned at = 0; at < codes.laneBytes(); at += pieceBytes) {
      unsigned bytes = std::min(pieceBytes, codes.laneBytes() - at);
      int32_t offset = i * codes.groupBytes() + step * codes.fragmentBytes() + at * shape.lanes;
      Value loaded = loadShared(b, b.vector(bytes / 4, b.getI32Type()),
                                b.at(pointers[bytes < pieceBytes], offset), bytes);
      for (unsigned word = 0; word < bytes / 4; ++word)
        words.push_back(b.element(loaded, word));
    }
    fragments.push_back({b.join(codes.form == LaneForm::Split ? expand(b, words) : words)});
  }
  return fragments;
}

SmallVector<Value> MmaScaledLanes::loadScales(KernelBuilder &b, Side side, const WarpTile &tile,
                                              const FragmentAddresses &addresses, Value stage,
                                              unsigned) const {
  unsigned rows = tile.linesOf(side);
  unsigned bytes = codes.scaleLineBytes(block);
  Type type = b.getIntegerType(8 * bytes);
  Value pointer = b.at(addresses.scales[0], stage);
  SmallVector<Value> scales;
  for (unsigned i = 0; i < rows / shape.rows; ++i) {
    Value at = b.at(pointer, int32_t(i * codes.scaleGroupBytes(block)));
    Value loaded = loadShared(b, type, at, bytes);
    scales.push_back(bytes < 4 ? arith::ExtUIOp::create(b, b.getI32Type(), loaded) : loaded);
  }
  return scales;
}

Fragment MmaScaledLanes::zero(KernelBuilder &b) const {
  return {arith::ConstantOp::create(
      b, b.getZeroAttr(b.vector(shape.rows * shape.rows / shape.lanes, b.getF32Type())))};
}
