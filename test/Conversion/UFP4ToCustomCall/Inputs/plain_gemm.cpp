//===- plain_gemm.cpp - ufp4.gemm without the quantizing ------------------===//
//
// A handler of the contract in docs/custom-call.md that multiplies its operands as they are, in
// f64, so that a rewritten model must agree with the original: views, groups and the order of
// results are right or the numbers are not. It keeps the seed of every call for the test to read.
//
//===----------------------------------------------------------------------===//

#include "xla/ffi/api/ffi.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numeric>
#include <vector>

namespace ffi = xla::ffi;

namespace {

struct Call {
  int64_t gemm, lhsStream, rhsStream, seedLow, seedHigh, step;
};
std::mutex mutex;
std::vector<Call> calls;

float read(const ffi::AnyBuffer &buffer, int64_t i) {
  if (buffer.element_type() == ffi::DataType::F32)
    return static_cast<const float *>(buffer.untyped_data())[i];
  uint32_t bits = static_cast<uint32_t>(static_cast<const uint16_t *>(buffer.untyped_data())[i])
                  << 16;
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

void write(const ffi::AnyBuffer &buffer, int64_t i, float value) {
  if (buffer.element_type() == ffi::DataType::F32) {
    static_cast<float *>(buffer.untyped_data())[i] = value;
    return;
  }
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  bits += 0x7FFF + ((bits >> 16) & 1);
  static_cast<uint16_t *>(buffer.untyped_data())[i] = bits >> 16;
}

/// The view [G, R, K] of an operand, as docs/custom-call.md says it.
struct View {
  int64_t extent[3] = {1, 1, 1};
  std::vector<double> values;
};

ffi::ErrorOr<View> getView(const ffi::AnyBuffer &buffer, const ffi::Dictionary &attrs,
                           const std::string &side) {
  auto view = attrs.get<ffi::Span<const int64_t>>(side + "_view");
  auto groups = attrs.get<ffi::Span<const int64_t>>(side + "_groups");
  if (!view.has_value() || !groups.has_value())
    return ffi::Unexpected(ffi::Error::InvalidArgument("no view"));
  auto dims = buffer.dimensions();
  if (view->size() != dims.size() || groups->size() != 3 ||
      std::accumulate(groups->begin(), groups->end(), int64_t(0)) != int64_t(dims.size()))
    return ffi::Unexpected(ffi::Error::InvalidArgument("the groups do not cover the operand"));
  size_t rank = dims.size();
  std::vector<int64_t> strides(rank, 1);
  for (size_t i = rank; i-- > 1;)
    strides[i - 1] = strides[i] * dims[i];
  View result;
  size_t next = 0;
  for (int group = 0; group < 3; ++group)
    for (int64_t i = 0; i < (*groups)[group]; ++i)
      result.extent[group] *= dims[(*view)[next++]];
  int64_t count = buffer.element_count();
  std::vector<int64_t> index(rank, 0);
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = 0;
    for (size_t d = 0; d < rank; ++d)
      place += index[d] * strides[(*view)[d]];
    result.values.push_back(read(buffer, place));
    for (size_t d = rank; d-- > 0;) {
      if (++index[d] < dims[(*view)[d]])
        break;
      index[d] = 0;
    }
  }
  return result;
}

ffi::Error run(ffi::RemainingArgs args, ffi::RemainingRets rets, ffi::Dictionary attrs) {
  auto version = attrs.get<int64_t>("version");
  if (!version.has_value() || *version != 2)
    return ffi::Error::InvalidArgument("ufp4.gemm: expected version 2");
  auto lhsBuffer = args.get<ffi::AnyBuffer>(0), rhsBuffer = args.get<ffi::AnyBuffer>(1);
  auto lhs = getView(*lhsBuffer, attrs, "lhs"), rhs = getView(*rhsBuffer, attrs, "rhs");
  if (!lhs.has_value())
    return lhs.error();
  if (!rhs.has_value())
    return rhs.error();
  int64_t g = lhs->extent[0], m = lhs->extent[1], n = rhs->extent[1], k = lhs->extent[2];
  auto result = *rets.get<ffi::AnyBuffer>(0);
  if (g != rhs->extent[0] || k != rhs->extent[2] || int64_t(result->element_count()) != g * m * n)
    return ffi::Error::InvalidArgument("ufp4.gemm: the views do not fit");
  for (int64_t b = 0; b < g; ++b)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t c = 0; c < k; ++c)
          sum += lhs->values[(b * m + i) * k + c] * rhs->values[(b * n + j) * k + c];
        write(*result, (b * m + i) * n + j, sum);
      }
  bool draws = *attrs.get<std::string_view>("lhs_rounding") == "stochastic" ||
               *attrs.get<std::string_view>("rhs_rounding") == "stochastic";
  auto isPart = [&](const ffi::AnyBuffer &buffer, const std::string &side) {
    auto of = *attrs.get<ffi::Span<const int64_t>>(side + "_of");
    auto dims = buffer.dimensions();
    return !std::equal(of.begin(), of.end(), dims.begin(), dims.end());
  };
  bool isPlaced = isPart(*lhsBuffer, "lhs") || isPart(*rhsBuffer, "rhs");
  if (args.size() != 2u + draws + isPlaced)
    return ffi::Error::InvalidArgument("ufp4.gemm: the seed is there when something is drawn, "
                                       "offsets when a part is");
  if (draws) {
    auto rng = args.get<ffi::AnyBuffer>(2);
    const auto *words = static_cast<const uint32_t *>(rng->untyped_data());
    std::lock_guard<std::mutex> lock(mutex);
    calls.push_back({*attrs.get<int64_t>("gemm"), *attrs.get<int64_t>("lhs_stream"),
                     *attrs.get<int64_t>("rhs_stream"), words[0], words[1], words[2]});
  }
  return ffi::Error::Success();
}

} // namespace

XLA_FFI_DEFINE_HANDLER_SYMBOL(PlainGemm, run,
                              ffi::Ffi::Bind().RemainingArgs().RemainingRets().Attrs());

extern "C" int64_t countCalls() { return calls.size(); }
extern "C" const Call *getCalls() { return calls.data(); }
extern "C" void clearCalls() { calls.clear(); }
