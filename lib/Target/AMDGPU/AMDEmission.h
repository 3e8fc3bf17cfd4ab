//===- AMDEmission.h - What AMD's transports and MMAs share -----*- C++ -*-===//

#ifndef UFP4_LIB_TARGET_AMDGPU_AMDEMISSION_H
#define UFP4_LIB_TARGET_AMDGPU_AMDEMISSION_H

#include "ufp4/Target/Emission.h"
#include "ufp4/Target/Mma.h"

namespace ufp4::target {

/// A call of an LLVM intrinsic; `type` is null for none.
inline mlir::Value callIntrinsic(KernelBuilder &b, mlir::Type type, llvm::StringRef name,
                                 mlir::ValueRange arguments) {
  mlir::StringAttr intrinsic = b.getStringAttr(name);
  if (!type) {
    mlir::LLVM::CallIntrinsicOp::create(b, intrinsic, arguments);
    return {};
  }
  return mlir::LLVM::CallIntrinsicOp::create(b, type, intrinsic, arguments).getResult(0);
}

/// A value that all lanes of a wave have in common, known as such: scalar registers hold it and
/// what is computed from it.
inline mlir::Value emitUniform(KernelBuilder &b, mlir::Value value) {
  return callIntrinsic(b, b.getI32Type(), "llvm.amdgcn.readfirstlane.i32", value);
}

/// The scope of loads from global to shared memory. Without it the backend lets every read of
/// shared memory wait for all of them.
inline mlir::ArrayAttr asyncScope(KernelBuilder &b) {
  mlir::MLIRContext *context = b.getContext();
  auto domain =
      mlir::LLVM::AliasScopeDomainAttr::get(context, b.getStringAttr("ufp4.async"), nullptr);
  auto scope =
      mlir::LLVM::AliasScopeAttr::get(context, b.getStringAttr("ufp4.loads"), domain, nullptr);
  return b.getArrayAttr(scope);
}

/// A load of shared memory that no asynchronous load under way writes.
inline mlir::Value loadShared(KernelBuilder &b, mlir::Type type, mlir::Value pointer,
                              unsigned alignment) {
  auto load = mlir::LLVM::LoadOp::create(b, type, pointer, alignment);
  load.setNoaliasScopesAttr(asyncScope(b));
  return load;
}

/// The runs of results of `rows` x `rows` whose columns two groups of lanes hold, a lane the
/// `runLength` rows of every second run: as rows and columns of C the other way round.
inline Accumulators runsOfColumns(KernelBuilder &b, const WarpTile &tile,
                                  llvm::ArrayRef<Fragment> sums, unsigned rows,
                                  unsigned runLength) {
  Accumulators all;
  all.row = b.add(tile.firstRow, b.bitAnd(tile.lane, rows - 1));
  all.column = b.add(tile.firstColumn,
                     b.shl(b.shr(tile.lane, llvm::Log2_32(rows)), llvm::Log2_32(runLength)));
  unsigned perRow = tile.columns / rows;
  for (unsigned i = 0; i < tile.rows / rows; ++i)
    for (unsigned j = 0; j < perRow; ++j)
      for (unsigned group = 0; group < rows / (2 * runLength); ++group) {
        Accumulators::Run run{rows * i, rows * j + 2 * runLength * group, {}};
        for (unsigned r = 0; r < runLength; ++r)
          run.values.push_back(b.element(sums[i * perRow + j][0], runLength * group + r));
        all.runs.push_back(std::move(run));
      }
  return all;
}

} // namespace ufp4::target

#endif // UFP4_LIB_TARGET_AMDGPU_AMDEMISSION_H
