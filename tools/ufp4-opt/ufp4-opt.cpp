//===- ufp4-opt.cpp - runs any pass or pipeline of UFP4 -------------------===//

#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "ufp4/Pipelines/Pipelines.h"
#include "ufp4/Pipelines/Tables.h"
#include "ufp4/Support/Files.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

/// What MlirOptMain does with files, for input that is IR.
static mlir::LogicalResult process(llvm::StringRef input, llvm::StringRef output,
                                   mlir::DialectRegistry &registry,
                                   const mlir::MlirOptMainConfig &config) {
  auto fail = [](const llvm::Twine &message) {
    llvm::WithColor::error(llvm::errs(), "ufp4-opt") << message << '\n';
    return mlir::failure();
  };
  if (input == "-" && llvm::sys::Process::FileDescriptorIsDisplayed(fileno(stdin)))
    llvm::errs() << "(reads standard input)\n";
  std::string problem;
  std::unique_ptr<llvm::MemoryBuffer> buffer = mlir::openInputFile(input, &problem);
  if (!buffer)
    return fail(problem);
  if (llvm::Error error = ufp4::verifyIR(input, buffer->getBuffer()))
    return fail(llvm::toString(std::move(error)));
  std::unique_ptr<llvm::ToolOutputFile> file = mlir::openOutputFile(output, &problem);
  if (!file)
    return fail(problem);
  if (failed(mlir::MlirOptMain(file->os(), std::move(buffer), registry, config)))
    return mlir::failure();
  file->keep();
  return mlir::success();
}

int main(int argc, char **argv) {
  if (ufp4::printRequestedTables(argc, argv))
    return 0;
  mlir::DialectRegistry registry;
  ufp4::registerAllDialects(registry);
  mlir::registerAllPasses();
  ufp4::registerAllPasses();
  auto [input, output] =
      mlir::registerAndParseCLIOptions(argc, argv, "UFP4 modular optimizer driver\n", registry);
  mlir::MlirOptMainConfig config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  return mlir::asMainReturnCode(process(input, output, registry, config));
}
