//===- SchemeJSON.cpp - a scheme in every JSON file -----------------------===//

#include "ufp4/Support/SchemeJSON.h"

#include "llvm/ADT/StringExtras.h"

namespace json = llvm::json;
using namespace ufp4;

/// The greatest integer up to which every JSON reader is exact.
static constexpr uint64_t kMaxJSONInteger = uint64_t(1) << 53;

static json::Value maskToJSON(const numerics::Rotation &rotation) {
  if (rotation.signs[1] == 0 && rotation.signs[0] <= kMaxJSONInteger)
    return static_cast<int64_t>(rotation.signs[0]);
  std::string digits = llvm::utohexstr(rotation.signs[0], /*LowerCase=*/false);
  if (rotation.signs[1])
    digits = llvm::utohexstr(rotation.signs[1]) + std::string(16 - digits.size(), '0') + digits;
  return "0x" + digits;
}

json::Object ufp4::toJSON(const numerics::Scheme &scheme) {
  json::Value rotation = nullptr;
  if (scheme.rotation)
    rotation = json::Object{{"size", static_cast<int64_t>(scheme.rotation.size)},
                            {"signs", maskToJSON(scheme.rotation)}};
  return json::Object{{"format", numerics::name(scheme.format)},
                      {"block", static_cast<int64_t>(scheme.block)},
                      {"block_rows", static_cast<int64_t>(scheme.blockRows)},
                      {"scale", numerics::name(scheme.scale)},
                      {"scale_rule", numerics::name(scheme.rule)},
                      {"rotation", std::move(rotation)}};
}
