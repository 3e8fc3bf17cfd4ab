//===- ShardPlaces.h - which part of a tensor a device holds ----*- C++ -*-===//
//
// In the body of a `sdy.manual_computation` a value is one device's part. How its dimensions are
// split over mesh axes is known of the arguments and followed through operations; what cannot be
// shown to be a split of dimensions is said to vary, never guessed.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_TRANSFORMS_SHARDPLACES_H
#define UFP4_LIB_TRANSFORMS_SHARDPLACES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "ufp4/Analysis/ContractionView.h"

namespace ufp4 {

/// A mesh's axes, outermost first; partitions are numbered row-major.
struct Mesh {
  struct Axis {
    std::string name;
    int64_t size;
  };
  llvm::SmallVector<Axis> axes;
};

/// A run of a dimension's positions: `extent` of them here, times the sizes of `axes` (outermost
/// first) everywhere. `group`: the group of a GEMM's view that it belongs to; -1: not asked.
struct Digit {
  int64_t extent;
  llvm::SmallVector<unsigned, 2> axes;
  int group = -1;

  bool operator==(const Digit &other) const {
    return extent == other.extent && axes == other.axes && group == other.group;
  }
};

using Digits = llvm::SmallVector<Digit, 2>;

/// How a value lies on a mesh. The digits of a dimension are outermost first, and none for an
/// extent of 1 that is whole.
struct Shard {
  llvm::SmallVector<Digits> dims;
  /// One bit per axis over which devices differ in a way that no split of a dimension explains.
  uint64_t varying = 0;

  /// One bit per axis that splits a dimension.
  uint64_t getSplitAxes() const;
  uint64_t getAxes() const { return varying | getSplitAxes(); }
  bool operator==(const Shard &other) const {
    return dims == other.dims && varying == other.varying;
  }
};

/// A value of this shape that is the same on all devices.
Shard getWholeShard(llvm::ArrayRef<int64_t> shape);

/// The digits under another shape; an axis whose digit could belong to either of two dimensions
/// varies.
Shard reshapeShard(const Shard &shard, llvm::ArrayRef<int64_t> shape);

/// What the operands of a contraction are parts of.
struct ContractionShards {
  const Mesh *mesh = nullptr;
  Shard operands[2];
  /// Why nothing is known of them; empty: something is.
  std::string problem;
};

/// Follows shards through the manual computations of a module.
class ShardPlaces {
public:
  ShardPlaces(mlir::ModuleOp module, const Frontends &frontends);
  ~ShardPlaces();

  /// Null where a contraction sees whole tensors.
  const ContractionShards *find(mlir::Operation *contraction) const;

private:
  struct Walk;

  llvm::DenseMap<mlir::Operation *, ContractionShards> contractions;
  std::vector<std::unique_ptr<Mesh>> meshes;
};

} // namespace ufp4

#endif // UFP4_LIB_TRANSFORMS_SHARDPLACES_H
