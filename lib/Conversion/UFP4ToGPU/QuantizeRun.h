//===- QuantizeRun.h - Quantizing runs of one destination -------*- C++ -*-===//
//
// What a thread does with runs of values once it has them, whatever kernel brought them: rotate,
// find the blocks' maxima and scales, encode, store.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_CONVERSION_UFP4TOGPU_QUANTIZERUN_H
#define UFP4_LIB_CONVERSION_UFP4TOGPU_QUANTIZERUN_H

#include "QuantizeFast.h"
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

/// Runs that a thread takes together. Run i lies i / depthCount steps of rows and i % depthCount
/// steps along K further than the first (RunWriter::move).
struct RunGroup {
  unsigned rowCount = 1, rowStep = 0, depthCount = 1, depthStep = 0;
  unsigned count() const { return rowCount * depthCount; }
};

/// A view and the part of the storage that is its: null for what the storage pads it to.
struct StoredView {
  /// R and K.
  mlir::Value rows, depth;
  /// Where the rows and positions along K that a thread may store end, and those from one line of
  /// the storage to the next.
  mlir::Value rowEnd, depthEnd, storedDepth;
};

/// Q5: S of the amax_tensor at an address.
mlir::Value emitGlobalScale(target::KernelBuilder &b, mlir::Value amax, numerics::Format format);

class RunEmitter {
public:
  /// `writer` is null for an amax kernel.
  RunEmitter(target::KernelBuilder &b, const target::Chip &chip,
             const QuantizeDestination &destination, const RunWriter *writer,
             const DestinationArguments &arguments, const StoredView &view);

  /// Where S is needed: finds it, and the thread for which `isFirst` holds stores it, unless that
  /// is null.
  void emitGlobal(mlir::Value isFirst);

  /// Values of one run of K, f32, zeros outside of the view, by its number among `count` runs that
  /// are neighbours in rows.
  using Values = llvm::function_ref<llvm::SmallVector<mlir::Value>(unsigned)>;

  /// Quantizes runs from (g, row, k) on, and stores what lies in the storage. All lanes of a wave
  /// come here together where blocks are 2-D, and then with one run.
  void emitRuns(mlir::Value g, mlir::Value row, mlir::Value k, unsigned count, RowLanes lanes,
                Values values);
  /// The elements of one run, by its number in the group.
  using Elements = llvm::function_ref<llvm::SmallVector<RunElement>(unsigned)>;
  /// The short way (QuantizeFast.h) for a group whose runs are inside of the view, after
  /// `prepareFast`. Returns an i1: where it is false, something else must quantize all of them,
  /// over what this has stored.
  mlir::Value emitFast(mlir::Value g, mlir::Value row, mlir::Value k, const RunGroup &group,
                       Elements elements);
  /// After `emitGlobal`. Returns an i1: where it is false, `emitFast` would give false.
  mlir::Value prepareFast(numerics::Element element);

  /// Raises amax_tensor to these runs' maximum; all lanes of a wave come here together.
  void emitAmax(mlir::Value lane, unsigned count, RowLanes lanes, Values values);

  /// K with the storage's padding.
  mlir::Value paddedDepth() {
    return view.depthEnd ? view.depthEnd : writer->paddedDepth(b, paddedK);
  }

  /// Positions along K that a thread holds: the longer of rotation and block.
  const unsigned run;

private:
  using Run = llvm::SmallVector<mlir::Value>;

  RunPlace placeOf(mlir::Value g, mlir::Value row, mlir::Value k) const {
    return {g, row, k, rows, paddedK, view.storedDepth};
  }
  mlir::Value greatestOfLanes(mlir::Value value, unsigned stride, unsigned count);
  void rotate(Run &x);
  llvm::SmallVector<mlir::Value> findMaxima(llvm::ArrayRef<mlir::Value> x, RowLanes lanes);
  void store(const RunPlace &first, unsigned number,
             llvm::function_ref<std::pair<Run, llvm::SmallVector<mlir::Value>>()> emitValues);
  mlir::Value isInViewAt(const RunPlace &place);
  void storeScales(const RunPlace &place, mlir::ValueRange target, mlir::ValueRange stored);
  mlir::Value firstDraw(const RunPlace &place);
  /// Q7: the words of a draw, whose number's low and high word are given.
  std::array<mlir::Value, 4> draw(std::array<mlir::Value, 2> number);

  target::KernelBuilder &b;
  const target::Chip &chip;
  const QuantizeDestination &destination;
  const numerics::Scheme &scheme;
  const RunWriter *writer;
  const DestinationArguments arguments;
  const StoredView view;
  mlir::Value rows, paddedK, global;
  std::unique_ptr<FastRunEmitter> fast;
};

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOGPU_QUANTIZERUN_H
