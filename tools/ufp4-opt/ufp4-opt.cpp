//===- ufp4-opt.cpp - runs any pass or pipeline of UFP4 -------------------===//

#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "ufp4/Pipelines/Pipelines.h"
#include "ufp4/Pipelines/Tables.h"

int main(int argc, char **argv) {
  if (ufp4::printRequestedTables(argc, argv))
    return 0;
  mlir::DialectRegistry registry;
  ufp4::registerAllDialects(registry);
  mlir::registerAllPasses();
  ufp4::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "UFP4 modular optimizer driver\n", registry));
}
