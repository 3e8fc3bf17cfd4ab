//===- UFP4Bufferization.h - the storage level and buffers ------*- C++ -*-===//

#ifndef UFP4_DIALECT_UFP4_IR_UFP4BUFFERIZATION_H
#define UFP4_DIALECT_UFP4_IR_UFP4BUFFERIZATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ufp4 {

/// One-shot bufferization of the storage level: `outs` are written in place.
void registerBufferizationModels(mlir::DialectRegistry &registry);

} // namespace ufp4

#endif // UFP4_DIALECT_UFP4_IR_UFP4BUFFERIZATION_H
