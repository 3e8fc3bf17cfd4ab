//===- LayerNames.cpp - names of parameters and layers --------------------===//

#include "ufp4/Analysis/LayerNames.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace ufp4;

std::string ufp4::getPlainPath(StringRef path) {
  std::string plain;
  for (char c : path) {
    if (c == '[' || c == '.') {
      if (!plain.empty() && plain.back() != '.')
        plain += '.';
    } else if (c != '\'' && c != '"' && c != ']') {
      plain += c;
    }
  }
  return plain;
}

std::string ufp4::getArgumentName(FunctionOpInterface function, unsigned argument) {
  if (auto name = function.getArgAttrOfType<StringAttr>(argument, kNameAttr))
    return name.str();
  if (!function.isExternal())
    if (auto loc = dyn_cast<NameLoc>(function.getArgument(argument).getLoc()))
      return getPlainPath(loc.getName());
  return ("arg" + Twine(argument)).str();
}

/// The outermost name of a location that is a name stack.
static StringRef getNameStack(Location location) {
  if (auto name = dyn_cast<NameLoc>(location))
    return name.getName();
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (StringRef stack = getNameStack(part); !stack.empty())
        return stack;
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return getNameStack(call.getCallee());
  return {};
}

/// Splits a stack at the slashes outside parentheses.
static SmallVector<StringRef> splitStack(StringRef stack) {
  SmallVector<StringRef> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= stack.size(); ++i) {
    if (i < stack.size() && stack[i] == '(')
      ++depth;
    if (i < stack.size() && stack[i] == ')')
      --depth;
    if (i == stack.size() || (stack[i] == '/' && depth == 0)) {
      if (i > begin)
        parts.push_back(stack.slice(begin, i));
      begin = i + 1;
    }
  }
  return parts;
}

static void appendScopes(StringRef stack, SmallVectorImpl<std::string> &scopes) {
  for (StringRef part : splitStack(stack)) {
    // Transformations wrap the scope that they were applied in; a jitted function's name is none.
    bool wrapped = true;
    while (wrapped) {
      auto [transform, inner] = part.split('(');
      wrapped = part.ends_with(")") &&
                llvm::StringSwitch<bool>(transform)
                    .Cases({"jvp", "transpose", "vmap", "remat", "checkpoint"}, true)
                    .Default(false);
      if (wrapped)
        part = inner.drop_back();
    }
    if (part.empty() || part.starts_with("jit(") || part.starts_with("pjit(") ||
        part == "checkpoint" || part == "rematted_computation" || part == "while" ||
        part == "body" || part == "closed_call")
      continue;
    if (part.contains('/')) {
      appendScopes(part, scopes);
      continue;
    }
    // The backward of a remat block repeats the forward's stack.
    if (!scopes.empty() && scopes.back() == part)
      continue;
    scopes.push_back(part.str());
  }
}

std::string ufp4::getLayerName(Location location, ArrayRef<Operation *> calls) {
  SmallVector<std::string> scopes;
  auto append = [&](Location loc) {
    SmallVector<StringRef> parts = splitStack(getNameStack(loc));
    // The last part is the primitive; a stack of one part is only that.
    if (parts.size() < 2)
      return;
    StringRef stack = getNameStack(loc);
    appendScopes(stack.drop_back(parts.back().size()), scopes);
  };
  for (Operation *call : calls)
    append(call->getLoc());
  append(location);
  return llvm::join(scopes, "/");
}
