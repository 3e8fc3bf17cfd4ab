//===- TrainingFlags.cpp - The rewriting's options as flags ---------------===//

#include "ufp4/Driver/TrainingFlags.h"

#include "llvm/Support/Error.h"

using namespace ufp4;
namespace cl = llvm::cl;

TrainingFlags::TrainingFlags(cl::OptionCategory &category)
    : recipe("recipe", cl::value_desc("NAME"), cl::cat(category),
             cl::desc("Quantize model IR by this recipe first")),
      params("params", cl::value_desc("LIST"), cl::cat(category),
             cl::desc("Arguments that are parameters")),
      exclude("exclude", cl::value_desc("REGEX"), cl::cat(category),
              cl::desc("Layers or parameters to leave alone")),
      skipFirst("skip-first", cl::cat(category), cl::desc("Layers left alone at the front")),
      skipLast("skip-last", cl::cat(category), cl::desc("Layers left alone at the end")),
      includeF32("include-f32", cl::cat(category), cl::desc("Quantize f32 GEMMs as well")),
      failOnMiss("fail-on-miss", cl::cat(category), cl::desc("Fail if a linear layer is missed")) {}

QuantizeTrainingOptions TrainingFlags::get() const {
  QuantizeTrainingOptions options;
  options.recipe = recipe;
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(params).split(names, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef name : names)
    options.params.push_back(name.str());
  options.exclude = exclude;
  options.skipFirst = skipFirst;
  options.skipLast = skipLast;
  options.includeF32 = includeF32;
  options.failOnMiss = failOnMiss;
  return options;
}

llvm::Error TrainingFlags::verify() const {
  if (recipe.empty() && recipe.getNumOccurrences())
    return llvm::createStringError(std::errc::invalid_argument,
                                   "--recipe: expected a name, found ''");
  if (!recipe.empty() ||
      (params.empty() && exclude.empty() && !skipFirst && !skipLast && !includeF32 && !failOnMiss))
    return llvm::Error::success();
  return llvm::createStringError(
      std::errc::invalid_argument,
      "--params, --exclude, --skip-first, --skip-last, --include-f32 and --fail-on-miss say how to "
      "rewrite by a recipe: give --recipe=NAME");
}
