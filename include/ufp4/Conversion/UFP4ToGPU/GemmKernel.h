//===- GemmKernel.h - GEMM kernels for GPUs ---------------------*- C++ -*-===//
//
// Builds the kernel of a block-scaled GEMM (docs/spec.md G1) from a chip, a scheme and a schedule.
// Sizes are arguments, so one kernel serves every M, N, K and batch.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_CONVERSION_UFP4TOGPU_GEMMKERNEL_H
#define UFP4_CONVERSION_UFP4TOGPU_GEMMKERNEL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "ufp4/Numerics/Elements.h"
#include "ufp4/Numerics/Groups.h"
#include "ufp4/Target/Schedule.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace ufp4 {

struct GemmKernelSpec {
  const target::Chip *chip = nullptr;
  /// Of both operands, but for their rows of a 2-D block.
  numerics::Scheme scheme;
  /// How operands lie in global memory; without one as the instruction has it best.
  const target::OperandStorage *storage = nullptr;
  /// Rows of a 2-D block of A and of B; they matter in natural storage only, where the rows of a
  /// block share their scales.
  std::array<unsigned, 2> blockRows = {1, 1};
  /// F32 or BF16.
  numerics::Element result = numerics::Element::F32;
  /// Whether the product is added to what C holds; F32 only (G3).
  bool accumulate = false;
  /// Whether the product is multiplied by an f32 argument.
  bool alpha = false;
  /// Type of a bias [N] that is added to every row of alpha · product: F32 or BF16.
  std::optional<numerics::Element> bias;
  /// What N is known to be a multiple of: so many columns, up to a run of accumulators, are stored
  /// by as few stores as the chip can (Chip::accessBytes).
  unsigned columnMultiple = 1;
  /// What Kp is known to be a multiple of; it matters in natural storage only, where rows are
  /// copied in pieces of up to 16 bytes.
  unsigned depthMultiple = 1;
  /// How groups lie in A (docs/spec.md G4): runs of rows, by as many B; or runs along K of A and B,
  /// each a product of its own. Every group begins a tile of the storage.
  std::optional<numerics::Grouping> grouping;
  /// By which operands are multiplied; without one the best that is documented.
  std::optional<target::Path> path;
  /// In place of the table's choice.
  std::optional<target::GemmSchedule> schedule;
  /// What the rows of blocks of a launch are a multiple of, where it is not the schedule's
  /// `blocks`: those of a kernel that this one takes the place of. Blocks behind M then have
  /// nothing to do.
  unsigned launchedBlocks = 1;
  /// In place of a name made of the above.
  std::string name;
};

/// What a kernel's argument is. Pointers are to global memory; those of planes, bias and C are
/// aligned to 16 bytes.
///
/// With groups of rows A is [1, M, K] where M counts numerics::groupedTiles, B [groups, N, K] and C
/// [1, M, N]; with contracted ones K of A and of B counts these, and C is [groups, M, N].
enum class GemmArgument : uint8_t {
  CodesA,  ///< planes of A, [G, M, K], in `KernelInfo::storage`
  ScalesA, ///< where the storage has such a plane
  CodesB,  ///< planes of B, [G, N, K]
  ScalesB,
  Result,  ///< C [G, M, N], row-major, nothing behind it is touched
  GlobalA, ///< one f32, S of A, or one of each group: with ue4m3 scales only
  GlobalB,
  Bias,       ///< [N]: GemmKernelSpec::bias
  Groups,     ///< the table that GroupKernel.h's kernel writes; with groups only
  M,          ///< i32
  N,          ///< i32
  DepthTiles, ///< i32, KernelInfo::depthTiles: where operands lie in tiles
  Depth,      ///< i32, Kp: where they lie in rows
  GroupCount, ///< i32; with groups only
  Alpha,      ///< f32
};
llvm::StringRef stringify(GemmArgument argument);

/// How to launch a kernel.
struct KernelInfo {
  std::string name;
  /// The arguments in their order.
  llvm::SmallVector<GemmArgument> arguments;
  const target::Chip *chip;
  numerics::Scheme scheme;
  target::GemmSchedule schedule;
  /// How the operands lie.
  const target::OperandStorage *storage;
  /// What the rows of blocks are a multiple of.
  unsigned launchedBlocks;
  /// Threads of a block, along x.
  unsigned threads;
  unsigned dynamicSharedBytes;
  /// What N and Kp must be multiples of.
  unsigned columnMultiple, depthMultiple;
  /// What the result's address is a multiple of, in bytes: of its widest stores.
  unsigned resultAlignment;
  std::optional<numerics::Grouping> grouping;

  /// Blocks along x, y and z. Where one is 0 there is nothing to launch. With groups of rows `m` is
  /// that of A's tiles and `batch` 1, with contracted ones `batch` their number.
  std::array<int64_t, 3> grid(int64_t m, int64_t n, int64_t batch) const;
  /// The argument DepthTiles for a padded K.
  int64_t depthTiles(int64_t paddedK) const;
  /// Nothing where the kernel serves these sizes; otherwise a sentence.
  std::optional<std::string> verifySizes(int64_t m, int64_t n, int64_t paddedK,
                                         int64_t batch) const;
};

/// Whether the argument is the tensor map of a plane in place of its address.
bool isTensorMap(const KernelInfo &info, GemmArgument argument);

/// Loads the dialects that kernels are built of.
void loadKernelDialects(mlir::MLIRContext &context);

/// The name that the kernel of a spec gets, by which equal ones can be told.
std::string getKernelName(const GemmKernelSpec &spec, const target::GemmSchedule &schedule);

/// Builds a `gpu.func` at the insertion point, which is in the body of a `gpu.module`, and the
/// module's dynamic shared memory where it has none yet. Emits an error and fails where no schedule
/// fits.
mlir::FailureOr<KernelInfo> buildGemmKernel(mlir::OpBuilder &builder, mlir::Location loc,
                                            const GemmKernelSpec &spec);

/// Lowers a module of kernels, which lies in a builtin module, to the LLVM dialect
/// and the vendor's, NVVM or ROCDL.
mlir::LogicalResult lowerKernelModule(mlir::gpu::GPUModuleOp module, const target::Chip &chip);

/// Translates a module of kernels to LLVM IR for a chip, with its triple and data layout. This is
/// the module that the backend takes and the emulator runs. The IR given is not changed. Emits an
/// error and returns null on failure.
std::unique_ptr<llvm::Module> translateKernelModule(mlir::gpu::GPUModuleOp module,
                                                    llvm::LLVMContext &context,
                                                    const target::Chip &chip);

/// Registers `--ufp4-test-gemm-kernel`, which emits one kernel into an empty module.
void registerTestGemmKernelPass();

} // namespace ufp4

#endif // UFP4_CONVERSION_UFP4TOGPU_GEMMKERNEL_H
