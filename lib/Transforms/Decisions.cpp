//===- Decisions.cpp - what became of each matmul -------------------------===//

#include "ufp4/Transforms/Decisions.h"

#include "mlir/IR/Remarks.h"
#include "ufp4/Support/SchemeJSON.h"
#include "ufp4/Support/Version.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ufp4;

namespace {
struct RemarkObserver : DecisionObserver {
  void observe(const Decision &decision) override {
    auto opts =
        remark::RemarkOpts::name(decision.rewritten ? "rewritten" : "left").category("ufp4");
    auto role = remark::metric("role", stringifyRole(decision.role));
    auto layer = remark::metric("layer", StringRef(decision.layer));
    if (decision.rewritten)
      remark::passed(decision.location, opts) << role << layer;
    else
      remark::missed(decision.location, opts)
          << remark::reason("{0}: {1}", stringifyReason(decision.reason), decision.message) << role
          << layer;
  }
};
} // namespace

std::unique_ptr<DecisionObserver> ufp4::createRemarkObserver() {
  return std::make_unique<RemarkObserver>();
}

std::string ufp4::getLocationText(Location location) {
  if (auto file = dyn_cast<FileLineColLoc>(location))
    return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
            Twine(file.getColumn()))
        .str();
  if (auto name = dyn_cast<NameLoc>(location)) {
    std::string inner = getLocationText(name.getChildLoc());
    return inner.empty() ? name.getName().str() : inner;
  }
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (std::string text = getLocationText(part); !text.empty())
        return text;
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return getLocationText(call.getCallee());
  return "";
}

llvm::json::Value ufp4::toJSON(ArrayRef<Decision> decisions, const Recipe &recipe) {
  auto extent = [](int64_t value) -> llvm::json::Value {
    if (ShapedType::isDynamic(value))
      return nullptr;
    return value;
  };
  auto textOrNull = [](const std::string &text) -> llvm::json::Value {
    if (text.empty())
      return nullptr;
    return text;
  };
  llvm::json::Array gemms;
  for (const Decision &decision : decisions) {
    llvm::json::Array operands;
    for (unsigned side : {0, 1}) {
      llvm::json::Object operand{{"member", decision.members[side] == Member::None
                                                ? llvm::json::Value(nullptr)
                                                : stringifyMember(decision.members[side])},
                                 {"stream", decision.streams[side]},
                                 {"scheme", nullptr},
                                 {"rounding", nullptr}};
      if (const auto &plan = decision.plans[side]) {
        operand["scheme"] = ufp4::toJSON(plan->scheme);
        operand["rounding"] = stringifyRounding(plan->rounding);
        operand["evaluation"] = stringifyEvaluation(plan->evaluation);
        if (plan->rounding == Rounding::Stochastic)
          operand["bits"] = plan->bits;
      }
      operands.push_back(std::move(operand));
    }
    llvm::json::Value parameter = nullptr;
    if (decision.parameter >= 0)
      parameter =
          llvm::json::Object{{"index", decision.parameter}, {"name", decision.parameterName}};
    gemms.push_back(llvm::json::Object{{"location", getLocationText(decision.location)},
                                       {"op", decision.op},
                                       {"batch", extent(decision.batch)},
                                       {"m", extent(decision.m)},
                                       {"n", extent(decision.n)},
                                       {"k", extent(decision.k)},
                                       {"role", stringifyRole(decision.role)},
                                       {"parameter", std::move(parameter)},
                                       {"layer", decision.layer},
                                       {"decision", decision.rewritten ? "rewritten" : "left"},
                                       {"reason", stringifyReason(decision.reason)},
                                       {"message", decision.message},
                                       {"operands", std::move(operands)},
                                       {"path", textOrNull(decision.path)},
                                       {"path_reason", textOrNull(decision.pathReason)}});
    if (decision.groups)
      (*gemms.back().getAsObject())["groups"] = decision.groups;
  }
  return llvm::json::Object{
      {"schema_version", kSchemaVersion},
      {"compiler", ("ufp4 " + kVersion).str()},
      {"recipe", llvm::json::Object{{"name", recipe.name}, {"hash", recipe.getHash()}}},
      {"gemms", std::move(gemms)}};
}

void ufp4::printDecisions(raw_ostream &os, ArrayRef<Decision> decisions) {
  auto extent = [](int64_t value) {
    return ShapedType::isDynamic(value) ? std::string("?") : std::to_string(value);
  };
  size_t width = 5;
  for (const Decision &decision : decisions)
    width = std::max(width, decision.layer.size());
  std::string layerWidth = std::to_string(width);
  llvm::MapVector<StringRef, unsigned> left;
  unsigned rewritten = 0;
  os << llvm::formatv("{0,4}  {1,-6} {2} {3,-20} {4}\n", "gemm", "role",
                      llvm::left_justify("layer", width), "batch x m x n x k", "decision");
  for (auto [index, decision] : llvm::enumerate(decisions)) {
    std::string size = extent(decision.batch) + " x " + extent(decision.m) + " x " +
                       extent(decision.n) + " x " + extent(decision.k);
    os << llvm::formatv("{0,4}  {1,-6} {2} {3,-20} ", index, stringifyRole(decision.role),
                        llvm::left_justify(decision.layer, width), size);
    if (decision.rewritten) {
      ++rewritten;
      os << "rewritten\n";
    } else {
      ++left[stringifyReason(decision.reason)];
      os << "left: " << stringifyReason(decision.reason) << " (" << decision.message << ")\n";
    }
  }
  os << rewritten << " rewritten";
  for (auto &[reason, count] : left)
    os << ", " << count << " left: " << reason;
  os << '\n';
}
