//===- TrainingFlags.h - The rewriting's options as flags -------*- C++ -*-===//

#ifndef UFP4_DRIVER_TRAININGFLAGS_H
#define UFP4_DRIVER_TRAININGFLAGS_H

#include "ufp4/Transforms/QuantizeTraining.h"

#include "llvm/Support/CommandLine.h"

namespace ufp4 {

/// --recipe, --params, --exclude, --skip-first, --skip-last, --include-f32 and --fail-on-miss, as
/// --ufp4-quantize-training spells them. One object a process, made before the command line is
/// parsed.
class TrainingFlags {
public:
  explicit TrainingFlags(llvm::cl::OptionCategory &category);

  /// With an empty recipe, the module is left as it is.
  QuantizeTrainingOptions get() const;
  /// An error where a flag was given that means nothing without --recipe.
  llvm::Error verify() const;

private:
  llvm::cl::opt<std::string> recipe, params, exclude;
  llvm::cl::opt<unsigned> skipFirst, skipLast;
  llvm::cl::opt<bool> includeF32, failOnMiss;
};

} // namespace ufp4

#endif // UFP4_DRIVER_TRAININGFLAGS_H
