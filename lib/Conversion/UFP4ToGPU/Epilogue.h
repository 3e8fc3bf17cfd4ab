//===- Epilogue.h - From accumulators to C ----------------------*- C++ -*-===//
//
// What every skeleton does with its accumulators: scale by the tensors' scales and alpha, add the
// bias and what C holds, round once, and store what lies inside C.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_CONVERSION_UFP4TOGPU_EPILOGUE_H
#define UFP4_LIB_CONVERSION_UFP4TOGPU_EPILOGUE_H

#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"

namespace ufp4 {

/// The place of a block's tile in C, as i32 values.
struct ResultTile {
  mlir::Value pointer;
  mlir::Value m, n, batch, firstRow, firstColumn;
};

/// What the sums are multiplied by: a matrix instruction's factor, the tensors' scales and
/// alpha, where there are such.
mlir::SmallVector<mlir::Value> emitFactors(target::KernelBuilder &b, float factor,
                                           mlir::Value globalA, mlir::Value globalB,
                                           mlir::Value alpha);

/// `factors` multiply the sums one after the other. `bias` points to column 0's; it is null where
/// the spec has none.
void emitEpilogue(target::KernelBuilder &b, const GemmKernelSpec &spec, const ResultTile &tile,
                  mlir::ValueRange factors, mlir::Value bias, const target::Accumulators &sums);

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOGPU_EPILOGUE_H
