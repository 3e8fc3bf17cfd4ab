//===- Patterns.h - the patterns of the folder's passes ---------*- C++ -*-===//

#ifndef UFP4_LIB_CONVERSION_UFP4TOLINALG_PATTERNS_H
#define UFP4_LIB_CONVERSION_UFP4TOLINALG_PATTERNS_H

#include "TensorEmitter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"

namespace ufp4 {

namespace target {
struct IntegerDot;
} // namespace target

/// What a `!ufp4.tensor` is lowered to. `global` is null unless the scales are ue4m3.
struct Parts {
  mlir::Value codes, scales, global;

  explicit Parts(mlir::ValueRange values)
      : codes(values[0]), scales(values[1]),
        global(values.size() == 3 ? values[2] : mlir::Value()) {}
  Parts(mlir::Value codes, mlir::Value scales, mlir::Value global)
      : codes(codes), scales(scales), global(global) {}

  llvm::SmallVector<mlir::Value> values() const {
    llvm::SmallVector<mlir::Value> all{codes, scales};
    if (global)
      all.push_back(global);
    return all;
  }
};

/// `!ufp4.tensor` to its parts; all else as it is.
class PartsTypeConverter : public mlir::TypeConverter {
public:
  PartsTypeConverter();
};

/// `quantize`, `amax` and `rotate` as linalg ops.
void populateQuantizeToLinalgPatterns(mlir::RewritePatternSet &patterns,
                                      const PartsTypeConverter &converter);
/// `matmul`, `dequantize` and `constant` as linalg ops.
void populateMatmulToLinalgPatterns(mlir::RewritePatternSet &patterns,
                                    const PartsTypeConverter &converter);
/// `quantize` as loops over vectors of `lanes` elements, where it has such a form.
void populateQuantizeToVectorPatterns(mlir::RewritePatternSet &patterns,
                                      const PartsTypeConverter &converter, int64_t lanes);

/// `matmul` as loops over vectors of integers, where it has such a form.
void populateMatmulToVectorPatterns(mlir::RewritePatternSet &patterns,
                                    const PartsTypeConverter &converter,
                                    const target::IntegerDot &dot);

/// Grouped quantizes and matmuls as loops over groups (`ufp4-decompose-groups`).
mlir::LogicalResult decomposeGroups(mlir::ModuleOp module, bool report);

/// amax_tensor (Q5), an f32 scalar, from the greatest magnitudes of all blocks.
mlir::Value emitAmax(TensorEmitter &t, mlir::Value maxima);
/// S (Q5), an f32 scalar, from amax_tensor.
mlir::Value emitGlobalScale(TensorEmitter &t, mlir::Value amax, SchemeAttr scheme);
/// S as it is stored, of rank 0; null for null.
mlir::Value emitGlobalTensor(TensorEmitter &t, mlir::Value global);

/// Stored scales and factors e (Q5, Q6) as tensors with one element for each block.
struct ScaleTensors {
  mlir::Value stored, factors;
};
ScaleTensors emitScales(TensorEmitter &t, mlir::Value maxima, SchemeAttr scheme,
                        mlir::Value global);

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOLINALG_PATTERNS_H
