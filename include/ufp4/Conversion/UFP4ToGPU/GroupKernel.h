//===- GroupKernel.h - Where the groups of a grouped GEMM lie ---*- C++ -*-===//
//
// In an operand's storage each group of a ragged dimension (docs/spec.md G4) begins at a tile. The
// kernel built here reads the sizes of groups on the device and writes a table by which the kernels
// of a grouped GEMM find, with one load, what a block works on: so none of them counts groups.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_CONVERSION_UFP4TOGPU_GROUPKERNEL_H
#define UFP4_CONVERSION_UFP4TOGPU_GROUPKERNEL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "ufp4/Target/Capabilities.h"

namespace ufp4 {

/// What a record of the table tells, i32 each.
enum class GroupField : uint8_t {
  /// The group, or their number for what is in none.
  Group,
  /// Its first row (or position along K), and how many it has, in the array that groups divide.
  Begin,
  Size,
  /// Its first tile.
  FirstTile,
};
inline constexpr unsigned groupFields = 4, groupRecordBytes = groupFields * 4;

struct GroupKernelSpec {
  const target::Chip *chip = nullptr;
  /// Rows, or positions along K, of a tile: a power of two.
  unsigned tile = 0;
};

/// What the kernel's arguments are, in their order.
enum class GroupArgument : uint8_t {
  /// i32 [groups]; negative ones count as 0, and groups end where the extent does.
  Sizes,
  /// i32 [records, 4], aligned to 16 bytes: a record for each group, greater ones first, so that
  /// blocks which take a group each are balanced; then one for each tile.
  Table,
  Groups,  ///< i32
  Records, ///< i32: groups + numerics::groupedTiles
  Extent,  ///< i32: of the dimension that groups divide
};
inline constexpr unsigned groupArguments = 5;
llvm::StringRef stringify(GroupArgument argument);

struct GroupKernelInfo {
  std::string name;
  const target::Chip *chip;
  /// Of a block, along x, a record each.
  unsigned threads;
};

std::string getKernelName(const GroupKernelSpec &spec);

/// Builds a `gpu.func` at the insertion point, which is in the body of a `gpu.module`.
mlir::FailureOr<GroupKernelInfo> buildGroupKernel(mlir::OpBuilder &builder, mlir::Location loc,
                                                  const GroupKernelSpec &spec);

} // namespace ufp4

#endif // UFP4_CONVERSION_UFP4TOGPU_GROUPKERNEL_H
