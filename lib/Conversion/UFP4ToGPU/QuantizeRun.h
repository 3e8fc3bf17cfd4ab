//===- QuantizeRun.h - Quantizing runs of one destination -------*- C++ -*-===//
//
// What a thread does with runs of values once it has them, whatever kernel brought them: rotate,
// find the blocks' maxima and scales, encode, store.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_CONVERSION_UFP4TOGPU_QUANTIZERUN_H
#define UFP4_LIB_CONVERSION_UFP4TOGPU_QUANTIZERUN_H

#include "QuantizeStore.h"
#include "ufp4/Conversion/UFP4ToGPU/QuantizeKernel.h"

namespace ufp4 {

/// The arguments of one destination, by role; null where the kernel has none.
struct DestinationArguments {
  mlir::Value values[unsigned(QuantizeArgument::Stream) + 1];
  mlir::Value operator[](QuantizeArgument role) const { return values[unsigned(role)]; }
};

/// How rows are spread over a wave: those of a 2-D block lie `stride` lanes apart.
struct RowLanes {
  unsigned stride;
};

class RunEmitter {
public:
  /// `writer` is null for an amax kernel. `rows` and `depth` are R and K.
  RunEmitter(target::KernelBuilder &b, const target::Chip &chip,
             const QuantizeDestination &destination, const RunWriter *writer,
             const DestinationArguments &arguments, mlir::Value rows, mlir::Value depth);

  /// Where S is needed: finds it, and the thread for which `isFirst` holds stores it.
  void emitGlobal(mlir::Value isFirst);

  /// Values of one run of K, f32, zeros outside of the view, by its number among `count` runs that
  /// are neighbours in rows.
  using Values = llvm::function_ref<llvm::SmallVector<mlir::Value>(unsigned)>;

  /// Quantizes runs from (g, row, k) on, and stores what lies in the storage. All lanes of a wave
  /// come here together where blocks are 2-D, and then with one run.
  void emitRuns(mlir::Value g, mlir::Value row, mlir::Value k, unsigned count, RowLanes lanes,
                Values values);
  /// Raises amax_tensor to these runs' maximum; all lanes of a wave come here together.
  void emitAmax(mlir::Value lane, unsigned count, RowLanes lanes, Values values);

  /// Positions along K that a thread holds: the longer of rotation and block.
  const unsigned run;

private:
  using Run = llvm::SmallVector<mlir::Value>;

  mlir::Value greatestOfLanes(mlir::Value value, unsigned stride, unsigned count);
  void rotate(Run &x);
  llvm::SmallVector<mlir::Value> findMaxima(llvm::ArrayRef<mlir::Value> x, RowLanes lanes);
  void store(const RunPlace &first, unsigned number,
             llvm::function_ref<std::pair<Run, llvm::SmallVector<mlir::Value>>()> emitValues);
  mlir::Value isInViewAt(const RunPlace &place);
  void storeScales(const RunPlace &place, mlir::ValueRange target, mlir::ValueRange stored);

  target::KernelBuilder &b;
  const target::Chip &chip;
  const QuantizeDestination &destination;
  const numerics::Scheme &scheme;
  const RunWriter *writer;
  const DestinationArguments arguments;
  mlir::Value rows, paddedK, global;
};

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOGPU_QUANTIZERUN_H
