//===- BackwardLinks.cpp - a step cut into forward and backward -----------===//

#include "ufp4/Analysis/BackwardLinks.h"

using namespace mlir;
using namespace ufp4;

/// The number of a result of `forward` that an argument's attribute says; -1 without one.
static FailureOr<int> readResult(func::FuncOp backward, unsigned argument, func::FuncOp forward,
                                 StringRef name) {
  Attribute attr = backward.getArgAttr(argument, name);
  if (!attr)
    return -1;
  auto fail = [&]() {
    return backward.emitError() << "'" << name << "' of argument " << argument << " of @"
                                << backward.getName() << ": ";
  };
  if (!forward)
    return fail() << "the function has no '" << kForwardAttr << "' that names its forward";
  auto number = dyn_cast<IntegerAttr>(attr);
  if (!number || number.getValue().isNegative() || number.getValue().uge(forward.getNumResults()))
    return fail() << "expected the number of one of the " << forward.getNumResults()
                  << " results of @" << forward.getName() << ", found " << attr;
  int result = number.getValue().getZExtValue();
  Type expected = forward.getResultTypes()[result], found = backward.getArgumentTypes()[argument];
  if (expected != found)
    return fail() << "expected the type of result " << result << " of @" << forward.getName()
                  << ", " << expected << ", found " << found;
  return result;
}

/// The function that a backward names as its forward; null without a name.
static FailureOr<func::FuncOp> readForward(ModuleOp module, func::FuncOp backward) {
  Attribute attr = backward->getAttr(kForwardAttr);
  if (!attr)
    return func::FuncOp();
  auto symbol = dyn_cast<FlatSymbolRefAttr>(attr);
  auto forward = symbol ? module.lookupSymbol<func::FuncOp>(symbol.getAttr()) : func::FuncOp();
  if (!forward || forward == backward || !forward.isPublic() || forward.isExternal() ||
      !forward.getBody().hasOneBlock() || forward->hasAttr(kForwardAttr))
    return backward.emitError() << "'" << kForwardAttr << "' of @" << backward.getName()
                                << ": expected another public function of one block that is no "
                                   "backward itself, found "
                                << attr;
  return forward;
}

/// Links are of entries; on another function one would do nothing, and silently so.
static LogicalResult verifyUnlinked(func::FuncOp function) {
  StringRef found;
  if (function->hasAttr(kForwardAttr))
    found = kForwardAttr;
  for (StringRef name : {StringRef(kSavedAttr), StringRef(kTangentAttr)})
    for (unsigned argument = 0; argument < function.getNumArguments(); ++argument)
      if (function.getArgAttr(argument, name))
        found = name;
  if (found.empty())
    return success();
  return function.emitError() << "'" << found << "' of @" << function.getName()
                              << ": expected a public function with a body, found a "
                              << (function.isExternal() ? "declaration" : "private one")
                              << "; make it public, or remove the attribute";
}

FailureOr<SmallVector<BackwardLink, 1>> ufp4::findBackwardLinks(ModuleOp module) {
  SmallVector<BackwardLink, 1> links;
  for (auto function : module.getOps<func::FuncOp>()) {
    // A private one is walked where it is called, with what it is given.
    if (!function.isPublic() || function.isExternal()) {
      if (failed(verifyUnlinked(function)))
        return failure();
      continue;
    }
    FailureOr<func::FuncOp> forward = readForward(module, function);
    if (failed(forward))
      return failure();
    BackwardLink link{function, *forward, {}, {}};
    for (unsigned argument = 0; argument < function.getNumArguments(); ++argument) {
      FailureOr<int> saved = readResult(function, argument, *forward, kSavedAttr);
      FailureOr<int> tangent = readResult(function, argument, *forward, kTangentAttr);
      if (failed(saved) || failed(tangent))
        return failure();
      auto fail = [&]() {
        return function.emitError()
               << "argument " << argument << " of @" << function.getName() << ": ";
      };
      if (*saved >= 0 && *tangent >= 0)
        return fail() << "expected '" << kSavedAttr << "' or '" << kTangentAttr << "', found both";
      if (const int *other = llvm::find(link.tangents, *tangent);
          *tangent >= 0 && other != link.tangents.end())
        return fail() << "expected one '" << kTangentAttr << "' of a result, found that of result "
                      << *tangent << " on argument " << other - link.tangents.begin() << " too";
      link.saved.push_back(*saved);
      link.tangents.push_back(*tangent);
    }
    if (*forward)
      links.push_back(std::move(link));
  }
  return links;
}
