//===- XlaHandlers.cpp - Custom calls of XLA ------------------------------===//
//
// docs/custom-call.md is the contract. The headers are jaxlib's.
//
//===----------------------------------------------------------------------===//

#include "XlaHandlers.h"

#ifdef UFP4_HAVE_XLA

#include "Bridge.h"
#include "ufp4/Execution/Threads.h"

#include "xla/ffi/api/ffi.h"

#include <algorithm>

namespace ffi = xla::ffi;

namespace ufp4::python {
namespace {

constexpr int64_t kVersion = 2;

ffi::Error invalid(std::string message, const char *target = "ufp4.gemm") {
  return ffi::Error(ffi::ErrorCode::kInvalidArgument,
                    std::string(target) + ": " + std::move(message));
}

std::string checkVersion(int64_t version) {
  if (version == kVersion)
    return "";
  return "this handler knows version " + std::to_string(kVersion) + " of the call, found " +
         std::to_string(version) + "; the rewriting and the handler must be of one release";
}

bool convert(ffi::DataType from, ElementType &to) {
  switch (from) {
  case ffi::DataType::BF16:
    to = ElementType::BF16;
    return true;
  case ffi::DataType::F16:
    to = ElementType::F16;
    return true;
  case ffi::DataType::F32:
    to = ElementType::F32;
    return true;
  default:
    return false;
  }
}

/// Reads attributes; the first that is missing or of another type is kept as the problem.
class Attributes {
public:
  explicit Attributes(ffi::Dictionary dictionary) : dictionary(dictionary) {}

  template <typename T> T get(const std::string &name) {
    ffi::ErrorOr<T> value = dictionary.get<T>(name);
    if (value.has_value())
      return *value;
    if (problem.empty())
      problem =
          "attribute '" + name + "' is missing or of another type: " + value.error().message();
    return T();
  }

  /// Of an attribute that is there where it is not 0 alone.
  bool isSet(const std::string &name) {
    return dictionary.contains(name) && get<int64_t>(name) != 0;
  }

  std::string problem;

private:
  ffi::Dictionary dictionary;
};

/// `prefix` is what the names of an operand's attributes begin with.
CallOperand readView(Attributes &attributes, const std::string &prefix, ffi::AnyBuffer buffer,
                     ElementType type) {
  auto view = attributes.get<ffi::Span<const int64_t>>(prefix + "view");
  auto groups = attributes.get<ffi::Span<const int64_t>>(prefix + "groups");
  CallOperand operand{};
  operand.buffer = {type,
                    {buffer.dimensions().begin(), buffer.dimensions().end()},
                    buffer.untyped_data(),
                    nullptr};
  operand.scheme = attributes.get<std::string_view>(prefix + "scheme");
  operand.view = view.begin();
  operand.viewSize = view.size();
  operand.groups = groups.begin();
  operand.groupsSize = groups.size();
  return operand;
}

CallOperand readOperand(Attributes &attributes, const std::string &prefix, ffi::AnyBuffer buffer,
                        ElementType type) {
  CallOperand operand = readView(attributes, prefix, buffer, type);
  auto of = attributes.get<ffi::Span<const int64_t>>(prefix + "of");
  operand.rounding = attributes.get<std::string_view>(prefix + "rounding");
  operand.bits = attributes.get<int64_t>(prefix + "bits");
  operand.stream = attributes.get<int64_t>(prefix + "stream");
  operand.of = of.begin();
  operand.ofSize = of.size();
  return operand;
}

bool isPart(const CallOperand &operand) {
  return !std::equal(operand.of, operand.of + operand.ofSize, operand.buffer.shape.begin(),
                     operand.buffer.shape.end());
}

ffi::Error gemm(ffi::RemainingArgs arguments, ffi::RemainingRets results,
                ffi::Dictionary dictionary, const CallStream *stream, bool isGrouped = false) {
  Attributes attributes(dictionary);
  auto invalid = [&](std::string message) {
    return python::invalid(std::move(message), isGrouped ? "ufp4.grouped_gemm" : "ufp4.gemm");
  };
  auto version = attributes.get<int64_t>("version");
  if (!attributes.problem.empty())
    return invalid(attributes.problem);
  if (std::string problem = checkVersion(version); !problem.empty())
    return invalid(problem);
  if (arguments.size() < 2 || results.size() != 1)
    return invalid("expected lhs, rhs and one result; found " + std::to_string(arguments.size()) +
                   " operands and " + std::to_string(results.size()) + " results");
  ffi::ErrorOr<ffi::AnyBuffer> lhs = arguments.get<ffi::AnyBuffer>(0),
                               rhs = arguments.get<ffi::AnyBuffer>(1);
  ffi::ErrorOr<ffi::Result<ffi::AnyBuffer>> result = results.get<ffi::AnyBuffer>(0);
  if (!lhs.has_value() || !rhs.has_value() || !result.has_value())
    return invalid("operands and result must be buffers");
  ElementType types[3];
  if (!convert(lhs->element_type(), types[0]) || !convert(rhs->element_type(), types[1]) ||
      !convert((*result)->element_type(), types[2]))
    return invalid("operands and result must be bf16, f16 or f32");
  CallOperand operands[2] = {readOperand(attributes, "lhs_", *lhs, types[0]),
                             readOperand(attributes, "rhs_", *rhs, types[1])};
  bool hasMaximum[2];
  for (int side : {0, 1})
    hasMaximum[side] = attributes.get<int64_t>(side ? "rhs_amax" : "lhs_amax") != 0;
  CallGroups groups{};
  bool countsFrom = false, gathers[2] = {};
  if (isGrouped) {
    auto ragged = attributes.get<std::string_view>("ragged");
    countsFrom = attributes.get<int64_t>("first") != 0;
    groups.cutsContraction = ragged == "contracted";
    for (int side : {0, 1})
      gathers[side] = attributes.isSet(side ? "rhs_rows" : "lhs_rows");
    if (attributes.problem.empty() && !groups.cutsContraction && ragged != "rows")
      return invalid("ragged: expected rows or contracted, found '" + std::string(ragged) + "'");
  }
  if (!attributes.problem.empty())
    return invalid(attributes.problem);

  // From here on an operand that is gathered has the shape of its rows.
  for (int side : {0, 1})
    if (gathers[side]) {
      CallOperand &operand = operands[side];
      if (operand.buffer.shape.size() != 2 || operand.ofSize != 2)
        return invalid(std::string(side ? "rhs" : "lhs") + "_rows: expected an operand of rank 2");
      operand.sourceRows = operand.buffer.shape[0];
      operand.buffer.shape[0] = operand.of[0];
    }

  // What follows is there if and only if the attributes say so.
  size_t next = 2;
  auto take = [&](std::initializer_list<ffi::DataType> types, size_t rank,
                  size_t count) -> const void * {
    ffi::ErrorOr<ffi::AnyBuffer> buffer = arguments.get<ffi::AnyBuffer>(next++);
    bool fits = buffer.has_value() && buffer->dimensions().size() == rank &&
                buffer->element_count() == count &&
                std::find(types.begin(), types.end(), buffer->element_type()) != types.end();
    return fits ? buffer->untyped_data() : nullptr;
  };
  if (isGrouped) {
    ffi::ErrorOr<ffi::AnyBuffer> sizes = arguments.get<ffi::AnyBuffer>(next);
    groups.count = sizes.has_value() ? sizes->element_count() : 0;
    groups.sizes = static_cast<const int32_t *>(take({ffi::DataType::S32}, 1, groups.count));
    if (!groups.sizes || !groups.count)
      return invalid("the sizes of groups must be tensor<nxi32>");
  }
  const void *rng = nullptr;
  if (operands[0].rounding == "stochastic" || operands[1].rounding == "stochastic") {
    if (next == arguments.size())
      return invalid("stochastic rounding needs the operand rng, tensor<3xi32>");
    if (!(rng = take({ffi::DataType::S32, ffi::DataType::U32}, 1, 3)))
      return invalid("rng must be tensor<3xi32>");
  }
  if (countsFrom) {
    groups.first = static_cast<const int64_t *>(take({ffi::DataType::S64}, 1, 1));
    if (!groups.first)
      return invalid("the index of the first group must be tensor<1xi64>");
  }
  size_t offsets = 0;
  for (const CallOperand &operand : operands)
    offsets += isPart(operand) ? operand.buffer.shape.size() : 0;
  if (offsets) {
    auto *at = static_cast<const int64_t *>(take({ffi::DataType::S64}, 1, offsets));
    if (!at)
      return invalid("parts need the operand at, tensor<" + std::to_string(offsets) + "xi64>");
    for (CallOperand &operand : operands)
      if (isPart(operand)) {
        operand.at = at;
        at += operand.buffer.shape.size();
      }
  }
  for (int side : {0, 1})
    if (hasMaximum[side] &&
        !(operands[side].amax = static_cast<const float *>(take({ffi::DataType::F32}, 0, 1))))
      return invalid(std::string(side ? "rhs" : "lhs") + "_amax needs an operand, tensor<f32>");
  for (int side : {0, 1})
    if (gathers[side] && !(operands[side].rows = static_cast<const int32_t *>(
                               take({ffi::DataType::S32}, 1, operands[side].of[0]))))
      return invalid(std::string(side ? "rhs" : "lhs") + "_rows needs an operand, tensor<" +
                     std::to_string(operands[side].of[0]) + "xi32>");
  if (next != arguments.size())
    return invalid("expected " + std::to_string(next) + " operands, found " +
                   std::to_string(arguments.size()));
  std::string problem = runGemmCall(operands[0], operands[1], isGrouped ? &groups : nullptr, rng,
                                    types[2], static_cast<int64_t>((*result)->element_count()),
                                    (*result)->untyped_data(), stream);
  if (!problem.empty())
    return ffi::Error(ffi::ErrorCode::kInvalidArgument, std::move(problem));
  return ffi::Error::Success();
}

using Number = ffi::Result<ffi::BufferR0<ffi::DataType::F32>>;

ffi::Error amax(ffi::AnyBuffer input, Number result, ffi::Dictionary dictionary,
                const CallStream *stream) {
  Attributes attributes(dictionary);
  auto version = attributes.get<int64_t>("version");
  ElementType type;
  if (!convert(input.element_type(), type))
    return invalid("the operand must be bf16, f16 or f32", "ufp4.amax");
  if (attributes.problem.empty())
    if (std::string problem = checkVersion(version); !problem.empty())
      return invalid(problem, "ufp4.amax");
  CallOperand operand = readView(attributes, "", input, type);
  if (!attributes.problem.empty())
    return invalid(attributes.problem, "ufp4.amax");
  std::string problem = runAmaxCall(operand, result->typed_data(), stream);
  if (!problem.empty())
    return ffi::Error(ffi::ErrorCode::kInvalidArgument, std::move(problem));
  return ffi::Error::Success();
}

/// XLA's own threads.
Executor makeExecutor(ffi::ThreadPool pool) {
  return {static_cast<unsigned>(pool.num_threads()),
          [pool](std::shared_ptr<SharedTask> task, unsigned copies) mutable {
            for (unsigned i = 0; i < copies; ++i)
              pool.Schedule([task] { task->work(); });
          }};
}

ffi::Error gemmOnCPU(ffi::ThreadPool pool, ffi::RemainingArgs arguments, ffi::RemainingRets results,
                     ffi::Dictionary dictionary) {
  Executor executor = makeExecutor(pool);
  ExecutorScope scope(&executor);
  return gemm(arguments, results, dictionary, nullptr);
}

ffi::Error groupedOnCPU(ffi::ThreadPool pool, ffi::RemainingArgs arguments,
                        ffi::RemainingRets results, ffi::Dictionary dictionary) {
  Executor executor = makeExecutor(pool);
  ExecutorScope scope(&executor);
  return gemm(arguments, results, dictionary, nullptr, /*isGrouped=*/true);
}

ffi::Error amaxOnCPU(ffi::ThreadPool pool, ffi::AnyBuffer input, Number result,
                     ffi::Dictionary dictionary) {
  Executor executor = makeExecutor(pool);
  ExecutorScope scope(&executor);
  return amax(input, result, dictionary, nullptr);
}

/// XLA frees what its allocator gave when the call's work on the stream is done.
CallStream makeStream(decltype(CallStream::platform) platform, int ordinal, void *stream,
                      ffi::ScratchAllocator &scratch) {
  return {platform, ordinal, stream, [&scratch](size_t bytes) {
            constexpr size_t alignment = 16;
            return scratch.Allocate(bytes, alignment).value_or(nullptr);
          }};
}

template <auto platform>
ffi::Error gemmOnDevice(void *stream, ffi::ScratchAllocator scratch, int32_t ordinal,
                        ffi::RemainingArgs arguments, ffi::RemainingRets results,
                        ffi::Dictionary dictionary) {
  CallStream where = makeStream(platform, ordinal, stream, scratch);
  return gemm(arguments, results, dictionary, &where);
}

template <auto platform>
ffi::Error groupedOnDevice(void *stream, ffi::ScratchAllocator scratch, int32_t ordinal,
                           ffi::RemainingArgs arguments, ffi::RemainingRets results,
                           ffi::Dictionary dictionary) {
  CallStream where = makeStream(platform, ordinal, stream, scratch);
  return gemm(arguments, results, dictionary, &where, /*isGrouped=*/true);
}

template <auto platform>
ffi::Error amaxOnDevice(void *stream, ffi::ScratchAllocator scratch, int32_t ordinal,
                        ffi::AnyBuffer input, Number result, ffi::Dictionary dictionary) {
  CallStream where = makeStream(platform, ordinal, stream, scratch);
  return amax(input, result, dictionary, &where);
}

auto bindCPU() { return ffi::Ffi::Bind().Ctx<ffi::ThreadPool>(); }

/// What a stream is does not matter here: the driver gets it back.
auto bindDevice() {
  return ffi::Ffi::Bind()
      .Ctx<ffi::PlatformStream<void *>>()
      .Ctx<ffi::ScratchAllocator>()
      .Ctx<ffi::DeviceOrdinal>();
}

} // namespace

#define GEMM_OPERANDS RemainingArgs().RemainingRets().Attrs<ffi::Dictionary>()
#define AMAX_OPERANDS                                                                              \
  Arg<ffi::AnyBuffer>().Ret<ffi::BufferR0<ffi::DataType::F32>>().Attrs<ffi::Dictionary>()

XLA_FFI_DEFINE_HANDLER(kGemm, gemmOnCPU, bindCPU().GEMM_OPERANDS);
XLA_FFI_DEFINE_HANDLER(kGrouped, groupedOnCPU, bindCPU().GEMM_OPERANDS);
XLA_FFI_DEFINE_HANDLER(kAmax, amaxOnCPU, bindCPU().AMAX_OPERANDS);
XLA_FFI_DEFINE_HANDLER(kCudaGemm, gemmOnDevice<CallStream::CUDA>, bindDevice().GEMM_OPERANDS);
XLA_FFI_DEFINE_HANDLER(kCudaGrouped, groupedOnDevice<CallStream::CUDA>, bindDevice().GEMM_OPERANDS);
XLA_FFI_DEFINE_HANDLER(kCudaAmax, amaxOnDevice<CallStream::CUDA>, bindDevice().AMAX_OPERANDS);
XLA_FFI_DEFINE_HANDLER(kRocmGemm, gemmOnDevice<CallStream::ROCm>, bindDevice().GEMM_OPERANDS);
XLA_FFI_DEFINE_HANDLER(kRocmGrouped, groupedOnDevice<CallStream::ROCm>, bindDevice().GEMM_OPERANDS);
XLA_FFI_DEFINE_HANDLER(kRocmAmax, amaxOnDevice<CallStream::ROCm>, bindDevice().AMAX_OPERANDS);

std::vector<XlaHandler> xlaHandlers() {
  return {{"cpu", "ufp4.gemm", reinterpret_cast<void *>(kGemm)},
          {"cpu", "ufp4.grouped_gemm", reinterpret_cast<void *>(kGrouped)},
          {"cpu", "ufp4.amax", reinterpret_cast<void *>(kAmax)},
          {"CUDA", "ufp4.gemm", reinterpret_cast<void *>(kCudaGemm)},
          {"CUDA", "ufp4.grouped_gemm", reinterpret_cast<void *>(kCudaGrouped)},
          {"CUDA", "ufp4.amax", reinterpret_cast<void *>(kCudaAmax)},
          {"ROCM", "ufp4.gemm", reinterpret_cast<void *>(kRocmGemm)},
          {"ROCM", "ufp4.grouped_gemm", reinterpret_cast<void *>(kRocmGrouped)},
          {"ROCM", "ufp4.amax", reinterpret_cast<void *>(kRocmAmax)}};
}

} // namespace ufp4::python

#else

namespace ufp4::python {
std::vector<XlaHandler> xlaHandlers() { return {}; }
} // namespace ufp4::python

#endif
