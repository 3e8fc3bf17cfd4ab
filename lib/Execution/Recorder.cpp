//===- Recorder.cpp - What compiled code reports while it runs ------------===//

#include "ufp4/Execution/Recorder.h"

#include "llvm/ADT/STLExtras.h"

#include <atomic>
#include <cstring>

using llvm::Expected;

namespace ufp4 {

static std::atomic<QuantizeRecorder *> activeRecorder{nullptr};

void QuantizeRecorder::add(int64_t site, Array input, Array codes, Array scales,
                           std::optional<float> global, uint64_t seed, uint32_t step,
                           std::vector<int64_t> trips) {
  std::lock_guard<std::mutex> lock(mutex);
  if (site < 0 || static_cast<size_t>(site) >= sites.size()) {
    problem = "the module reports a quantize with record id " + std::to_string(site) +
              ", but only " + std::to_string(sites.size()) + " are known";
    return;
  }
  QuantizeRecord record;
  record.site = sites[site];
  record.input = std::move(input);
  record.codes = std::move(codes);
  record.scales = std::move(scales);
  if (record.site.scheme.scale == numerics::ScaleKind::UE4M3)
    record.global = global.value_or(0);
  if (record.site.stochastic) {
    record.seed = seed;
    record.step = step;
  }
  record.trips = std::move(trips);
  records.push_back({site, records.size(), std::move(record)});
}

Expected<std::vector<QuantizeRecord>> QuantizeRecorder::take() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!problem.empty())
    return llvm::createStringError(std::errc::invalid_argument, "%s", problem.c_str());
  llvm::sort(records, [](const Report &a, const Report &b) {
    return std::tie(a.site, a.record.trips, a.order) < std::tie(b.site, b.record.trips, b.order);
  });
  std::vector<QuantizeRecord> result;
  for (Report &report : records)
    result.push_back(std::move(report.record));
  records.clear();
  return result;
}

RecordingScope::RecordingScope(QuantizeRecorder &recorder)
    : previous(activeRecorder.exchange(&recorder)) {}

RecordingScope::~RecordingScope() { activeRecorder = previous; }

namespace {

/// An unranked memref as the C interface passes it.
struct UnrankedMemRef {
  int64_t rank;
  const int64_t *descriptor;

  /// The descriptor's words: allocated, aligned, offset, sizes, strides.
  const char *data() const {
    const char *pointer;
    std::memcpy(&pointer, &descriptor[1], sizeof(pointer));
    return pointer;
  }
  int64_t size(int64_t i) const { return descriptor[3 + i]; }
  int64_t stride(int64_t i) const { return descriptor[3 + rank + i]; }

  Array read(ElementType type) const {
    std::vector<int64_t> shape(rank);
    for (int64_t i = 0; i < rank; ++i)
      shape[i] = size(i);
    Array array = Array::zeros(type, shape);
    unsigned width = byteWidth(type);
    std::vector<int64_t> index(rank, 0);
    for (int64_t flat = 0, count = array.size(); flat < count; ++flat) {
      int64_t offset = descriptor[2];
      for (int64_t i = 0; i < rank; ++i)
        offset += index[i] * stride(i);
      std::memcpy(array.data.data() + flat * width, data() + offset * width, width);
      for (int64_t i = rank; i-- > 0;) {
        if (++index[i] < shape[i])
          break;
        index[i] = 0;
      }
    }
    return array;
  }
};

template <ElementType Input, ElementType Scale>
void recordQuantize(int64_t site, const UnrankedMemRef *input, const UnrankedMemRef *codes,
                    const UnrankedMemRef *scales, const UnrankedMemRef *global, int64_t seed,
                    int32_t step, const UnrankedMemRef *trips) {
  QuantizeRecorder *recorder = activeRecorder;
  if (!recorder)
    return;
  std::optional<float> s;
  if (Array value = global->read(ElementType::F32); value.size() == 1)
    s = *value.as<float>();
  Array tripNumbers = trips->read(ElementType::Int64);
  const auto *first = tripNumbers.as<int64_t>();
  recorder->add(site, input->read(Input), codes->read(ElementType::UInt8), scales->read(Scale), s,
                static_cast<uint64_t>(seed), static_cast<uint32_t>(step),
                std::vector<int64_t>(first, first + tripNumbers.size()));
}

template <ElementType Input, ElementType Scale> JitSymbol recorderSymbol() {
  std::string scale = Scale == ElementType::F32 ? "f32" : "i8";
  return {"_mlir_ciface_ufp4RecordQuantize_" + name(Input).str() + "_" + scale,
          reinterpret_cast<void *>(&recordQuantize<Input, Scale>)};
}

} // namespace

std::vector<JitSymbol> recorderSymbols() {
  return {recorderSymbol<ElementType::BF16, ElementType::F32>(),
          recorderSymbol<ElementType::F16, ElementType::F32>(),
          recorderSymbol<ElementType::F32, ElementType::F32>(),
          recorderSymbol<ElementType::BF16, ElementType::UInt8>(),
          recorderSymbol<ElementType::F16, ElementType::UInt8>(),
          recorderSymbol<ElementType::F32, ElementType::UInt8>()};
}

} // namespace ufp4
