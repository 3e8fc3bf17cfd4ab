//===- Recorder.h - What compiled code reports while it runs ----*- C++ -*-===//
//
// A module that is to be dumped calls, for each quantize,
//
//   func.func private @ufp4RecordQuantize_<input>_<scale>(
//       %site: i64, %input: memref<*x<input>>, %codes: memref<*xi8>, %scales: memref<*x<scale>>,
//       %global: memref<*xf32>, %seed: i64, %step: i32, %trips: memref<*xi64>)
//       attributes {llvm.emit_c_interface}
//
// with <input> one of bf16, f16, f32 and <scale> one of f32, i8. %site indexes the sites that the
// recorder was made with; %global has rank 0, or no elements where there is no S; %trips has rank
// 1. On tensors the same call takes tensor<*x…> arguments marked `bufferization.access = "read"`.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_EXECUTION_RECORDER_H
#define UFP4_EXECUTION_RECORDER_H

#include "ufp4/Execution/Jit.h"
#include "ufp4/Execution/QuantizedDump.h"

#include <mutex>

namespace ufp4 {

/// Collects the records of one run; safe to report to from any number of threads.
class QuantizeRecorder {
public:
  explicit QuantizeRecorder(std::vector<QuantizeSite> sites) : sites(std::move(sites)) {}

  void add(int64_t site, Array input, Array codes, Array scales, std::optional<float> global,
           uint64_t seed, uint32_t step, std::vector<int64_t> trips);

  /// The records so far, in the order of sites and, within one, of trips; or what was wrong with a
  /// report.
  llvm::Expected<std::vector<QuantizeRecord>> take();

private:
  struct Report {
    int64_t site;
    size_t order;
    QuantizeRecord record;
  };

  std::mutex mutex;
  std::vector<QuantizeSite> sites;
  std::vector<Report> records;
  std::string problem;
};

/// Makes a recorder the one that compiled code of this process reports to, while it lives.
class RecordingScope {
public:
  explicit RecordingScope(QuantizeRecorder &recorder);
  ~RecordingScope();
  RecordingScope(const RecordingScope &) = delete;
  RecordingScope &operator=(const RecordingScope &) = delete;

private:
  QuantizeRecorder *previous;
};

/// The symbols that recording modules call.
std::vector<JitSymbol> recorderSymbols();

} // namespace ufp4

#endif // UFP4_EXECUTION_RECORDER_H
