//===- XlaHandlers.cpp - Custom calls of XLA on the CPU -------------------===//
//
// docs/custom-call.md is the contract. The headers are jaxlib's.
//
//===----------------------------------------------------------------------===//

#include "XlaHandlers.h"

#ifdef UFP4_HAVE_XLA

#include "Bridge.h"

#include "xla/ffi/api/ffi.h"

#include <cstring>

namespace ffi = xla::ffi;

namespace ufp4::python {
namespace {

ffi::Error invalid(std::string message) {
  return ffi::Error(ffi::ErrorCode::kInvalidArgument, "ufp4.gemm: " + std::move(message));
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

  std::string problem;

private:
  ffi::Dictionary dictionary;
};

CallOperand readOperand(Attributes &attributes, const std::string &side, ffi::AnyBuffer buffer,
                        ElementType type) {
  auto view = attributes.get<ffi::Span<const int64_t>>(side + "_view");
  auto groups = attributes.get<ffi::Span<const int64_t>>(side + "_groups");
  CallOperand operand;
  operand.buffer = {type,
                    {buffer.dimensions().begin(), buffer.dimensions().end()},
                    buffer.untyped_data(),
                    nullptr};
  operand.scheme = attributes.get<std::string_view>(side + "_scheme");
  operand.rounding = attributes.get<std::string_view>(side + "_rounding");
  operand.bits = attributes.get<int64_t>(side + "_bits");
  operand.stream = attributes.get<int64_t>(side + "_stream");
  operand.view = view.begin();
  operand.viewSize = view.size();
  operand.groups = groups.begin();
  operand.groupsSize = groups.size();
  return operand;
}

ffi::Error gemm(ffi::RemainingArgs arguments, ffi::RemainingRets results,
                ffi::Dictionary dictionary) {
  Attributes attributes(dictionary);
  auto version = attributes.get<int64_t>("version");
  if (!attributes.problem.empty())
    return invalid(attributes.problem);
  if (version != 1)
    return invalid("this handler knows version 1 of the call, found " + std::to_string(version) +
                   "; the rewriting and the handler must be of one release");
  if (arguments.size() < 2 || arguments.size() > 3 || results.size() != 1)
    return invalid("expected lhs, rhs and perhaps rng, and one result; found " +
                   std::to_string(arguments.size()) + " operands and " +
                   std::to_string(results.size()) + " results");
  ffi::ErrorOr<ffi::AnyBuffer> lhs = arguments.get<ffi::AnyBuffer>(0),
                               rhs = arguments.get<ffi::AnyBuffer>(1);
  ffi::ErrorOr<ffi::Result<ffi::AnyBuffer>> result = results.get<ffi::AnyBuffer>(0);
  if (!lhs.has_value() || !rhs.has_value() || !result.has_value())
    return invalid("operands and result must be buffers");
  ElementType types[3];
  if (!convert(lhs->element_type(), types[0]) || !convert(rhs->element_type(), types[1]) ||
      !convert((*result)->element_type(), types[2]))
    return invalid("operands and result must be bf16, f16 or f32");
  const void *rng = nullptr;
  if (arguments.size() == 3) {
    ffi::ErrorOr<ffi::AnyBuffer> words = arguments.get<ffi::AnyBuffer>(2);
    if (!words.has_value() ||
        (words->element_type() != ffi::DataType::S32 &&
         words->element_type() != ffi::DataType::U32) ||
        words->dimensions().size() != 1 || words->element_count() != 3)
      return invalid("rng must be tensor<3xi32>");
    rng = words->untyped_data();
  }
  CallOperand operands[2] = {readOperand(attributes, "lhs", *lhs, types[0]),
                             readOperand(attributes, "rhs", *rhs, types[1])};
  if (!attributes.problem.empty())
    return invalid(attributes.problem);
  std::string problem =
      runGemmCall(operands[0], operands[1], rng, types[2],
                  static_cast<int64_t>((*result)->element_count()), (*result)->untyped_data());
  if (!problem.empty())
    return ffi::Error(ffi::ErrorCode::kInvalidArgument, std::move(problem));
  return ffi::Error::Success();
}

} // namespace

XLA_FFI_DEFINE_HANDLER(kGemm, gemm,
                       ffi::Ffi::Bind().RemainingArgs().RemainingRets().Attrs<ffi::Dictionary>());

std::vector<XlaHandler> xlaHandlers() { return {{"ufp4.gemm", reinterpret_cast<void *>(kGemm)}}; }

} // namespace ufp4::python

#else

namespace ufp4::python {
std::vector<XlaHandler> xlaHandlers() { return {}; }
} // namespace ufp4::python

#endif
