//===- Registration.cpp - everything UFP4 registers -----------------------===//

#include "ufp4/Pipelines/Pipelines.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Transforms/Passes.h"

void ufp4::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<UFP4Dialect>();
}

void ufp4::registerAllPasses() {
  registerUFP4TransformsPasses();
}
