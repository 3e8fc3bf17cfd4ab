//===- RunOptions.h - What ufp4-run was asked to do -------------*- C++ -*-===//

#ifndef UFP4_TOOLS_UFP4_RUN_RUNOPTIONS_H
#define UFP4_TOOLS_UFP4_RUN_RUNOPTIONS_H

#include "ufp4/Transforms/QuantizeTraining.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ufp4::run {

struct RunOptions {
  std::string input;
  /// Empty: the only public function.
  std::string entry;
  /// .npy paths, one .npz path, or `random:SEED`.
  std::vector<std::string> inputs;
  std::string outputDir;
  std::string target = "cpu";
  /// The path of e1m2 GEMMs on a chip.
  std::string e1m2 = "auto";
  uint64_t seed = 0;
  uint32_t step = 0;

  /// How to rewrite the module first; without a recipe it is left as it is.
  QuantizeTrainingOptions training;
  /// Print what becomes of each matmul instead of running.
  bool listLayers = false;

  /// Folders; empty: not asked for.
  std::string dumpQuantized, replay;
  /// `text`, `json` or `html`, or empty.
  std::string report;
  /// Recipes that the report judges on the same tensors, in one list.
  std::string compare;
  /// Print what the emulated kernels took.
  bool emulatorStats = false;
  unsigned threads = 1;
};

} // namespace ufp4::run

#endif // UFP4_TOOLS_UFP4_RUN_RUNOPTIONS_H
