//===- KernelLaunch.cpp - Launches from manifest entries ------------------===//

#include "KernelLaunch.h"

#include "ufp4/Conversion/UFP4ToGPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

namespace {
class LaunchEmitter {
public:
  LaunchEmitter(OpBuilder &builder, Location loc, const KernelEntry &kernel,
                const LaunchOperands &operands)
      : b(loc, builder), kernel(kernel), operands(operands) {}

  bool emit(gpu::GPUFuncOp function) {
    SmallVector<Value, 3> grid;
    Value nonEmpty;
    for (const GridAxis &axis : kernel.grid) {
      Value blocks = index(1);
      for (const TileCount &factor : axis)
        blocks = b.createOrFold<arith::MulIOp>(blocks, count(factor));
      grid.push_back(blocks);
      if (std::optional<int64_t> known = getConstantIntValue(blocks)) {
        if (*known == 0)
          return false;
        continue;
      }
      Value some = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, blocks, index(0));
      nonEmpty = nonEmpty ? arith::AndIOp::create(b, nonEmpty, some) : some;
    }
    OpBuilder::InsertionGuard guard(b);
    if (nonEmpty) {
      auto guarded = scf::IfOp::create(b, nonEmpty, /*withElseRegion=*/false);
      b.setInsertionPointToStart(guarded.thenBlock());
    }
    SmallVector<Value> arguments;
    for (auto [argument, type] :
         llvm::zip_equal(kernel.arguments, function.getFunctionType().getInputs()))
      arguments.push_back(argument.kind == ArgumentKind::Scalar ? scalar(argument, type)
                                                                : pointer(argument, type));
    Value sharedBytes;
    if (kernel.dynamicSharedBytes)
      sharedBytes = arith::ConstantOp::create(b, b.getI32IntegerAttr(kernel.dynamicSharedBytes));
    gpu::KernelDim3 blocks{grid[0], grid[1], grid[2]};
    gpu::KernelDim3 threads{index(kernel.block[0]), index(kernel.block[1]), index(kernel.block[2])};
    auto launch = gpu::LaunchFuncOp::create(b, function, blocks, threads, sharedBytes, arguments);
    if (DictionaryAttr extents = knownExtents())
      launch->setAttr(kLaunchExtentsAttr, extents);
    return true;
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, value); }

  Value size(StringRef name) {
    Value value = operands.sizes.lookup(name);
    assert(value && "the launch lacks a size that the entry names");
    return value;
  }

  /// Null where one is dynamic.
  DictionaryAttr knownExtents() {
    SmallVector<NamedAttribute> extents;
    for (const std::string &name : getExtentNames(kernel)) {
      std::optional<int64_t> known = getConstantIntValue(size(name));
      if (!known)
        return {};
      extents.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(*known)));
    }
    return b.getDictionaryAttr(extents);
  }

  Value count(const TileCount &tiles) {
    auto up = [&](Value x, int64_t by) {
      return by == 1 ? x : b.createOrFold<arith::CeilDivUIOp>(x, index(by));
    };
    Value padded = size(tiles.extent);
    if (tiles.padding > 1)
      padded = b.createOrFold<arith::MulIOp>(up(padded, tiles.padding), index(tiles.padding));
    Value blocks = up(padded, tiles.tile);
    return tiles.least ? b.createOrFold<arith::MaxUIOp>(blocks, index(tiles.least)) : blocks;
  }

  Value scalar(const ArgumentEntry &argument, Type type) {
    if (Value value = operands.scalars.lookup(argument.value))
      return value;
    return b.createOrFold<arith::IndexCastOp>(type, computed(argument.value));
  }

  Value computed(StringRef value) {
    if (std::optional<TileCount> tiles = TileCount::parse(value))
      return count(*tiles);
    if (StringRef extent = parseExtentOfBatch(value); !extent.empty()) {
      Value hasBatch = b.createOrFold<arith::MinUIOp>(size("g"), index(1));
      return b.createOrFold<arith::MulIOp>(size(extent), hasBatch);
    }
    return size(value);
  }

  Value pointer(const ArgumentEntry &argument, Type type) {
    Value buffer = operands.buffers.lookup(argument.name);
    assert(buffer && "the launch lacks a buffer that the entry names");
    // Of the first element, which an offset may have moved.
    auto metadata = memref::ExtractStridedMetadataOp::create(b, buffer);
    Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, buffer);
    unsigned bytes = cast<MemRefType>(buffer.getType()).getElementTypeBitWidth() / 8;
    Value offset = metadata.getConstifiedMixedOffset() == OpFoldResult(b.getIndexAttr(0))
                       ? Value()
                       : b.createOrFold<arith::MulIOp>(metadata.getOffset(), index(bytes));
    Value address = offset ? b.createOrFold<arith::AddIOp>(base, offset) : base;
    if (metadata->use_empty())
      metadata.erase();
    Value bits = arith::IndexCastOp::create(b, b.getI64Type(), address);
    return LLVM::IntToPtrOp::create(b, type, bits);
  }

  ImplicitLocOpBuilder b;
  const KernelEntry &kernel;
  const LaunchOperands &operands;
};
} // namespace

bool ufp4::emitLaunch(OpBuilder &builder, Location loc, const KernelEntry &kernel,
                      gpu::GPUFuncOp function, const LaunchOperands &operands) {
  return LaunchEmitter(builder, loc, kernel, operands).emit(function);
}

Value ufp4::getLaunchedBuffer(Value pointer) {
  auto cast = pointer.getDefiningOp<LLVM::IntToPtrOp>();
  auto bits = cast ? cast.getArg().getDefiningOp<arith::IndexCastOp>() : arith::IndexCastOp();
  if (!bits)
    return {};
  Value address = bits.getIn();
  if (auto sum = address.getDefiningOp<arith::AddIOp>())
    address = sum.getLhs();
  auto extract = address.getDefiningOp<memref::ExtractAlignedPointerAsIndexOp>();
  return extract ? extract.getSource() : Value();
}
