//===- LayoutFormula.cpp - The formulas of layouts ------------------------===//

#include "ufp4/Target/Manifest.h"

#include "ufp4/Support/Error.h"

#include "llvm/ADT/StringExtras.h"

using namespace ufp4;
using llvm::Expected;
using llvm::StringRef;

namespace {
/// Climbs by precedence, Python's: `|`, `^`, `&`, `+`, then `*`, `//` and `%`.
class Evaluator {
public:
  Evaluator(StringRef text, const std::map<std::string, int64_t> &variables)
      : text(text), rest(text), variables(variables) {}

  Expected<int64_t> evaluate() {
    int64_t value = expression(0);
    skipSpace();
    if (problem.empty() && !rest.empty())
      refuse("an operator");
    if (!problem.empty())
      return fail("formula '" + text + "': " + problem);
    return value;
  }

private:
  static constexpr StringRef operators[][3] = {{"|"}, {"^"}, {"&"}, {"+"}, {"*", "//", "%"}};
  /// Formulas of layouts nest a few.
  static constexpr unsigned maxDepth = 64;

  void skipSpace() { rest = rest.ltrim(); }
  void refuse(const llvm::Twine &expected) {
    if (problem.empty())
      problem = ("expected " + expected + " at '" + rest.take_front(16) + "'").str();
  }

  int64_t expression(unsigned level) {
    if (level == std::size(operators))
      return operand();
    int64_t value = expression(level + 1);
    while (problem.empty()) {
      skipSpace();
      const StringRef *found = llvm::find_if(operators[level], [&](StringRef name) {
        return !name.empty() && rest.starts_with(name);
      });
      if (found == std::end(operators[level]))
        break;
      rest = rest.drop_front(found->size());
      value = apply(*found, value, expression(level + 1));
    }
    return value;
  }

  int64_t apply(StringRef name, int64_t x, int64_t y) {
    // Offsets of what fits in memory; others wrap, and are found to be outside.
    auto wrap = [](uint64_t value) { return static_cast<int64_t>(value); };
    if ((name == "//" || name == "%") && (y <= 0 || x < 0)) {
      refuse("a positive divisor and a dividend of 0 or more, before what is");
      return 0;
    }
    return name == "|"    ? x | y
           : name == "^"  ? x ^ y
           : name == "&"  ? x & y
           : name == "+"  ? wrap(uint64_t(x) + uint64_t(y))
           : name == "*"  ? wrap(uint64_t(x) * uint64_t(y))
           : name == "//" ? x / y
                          : x % y;
  }

  int64_t operand() {
    skipSpace();
    if (rest.consume_front("(")) {
      if (++depth > maxDepth)
        refuse("fewer parentheses in each other");
      int64_t value = problem.empty() ? expression(0) : 0;
      --depth;
      skipSpace();
      if (!rest.consume_front(")"))
        refuse("')'");
      return value;
    }
    int64_t value = 0;
    if (!rest.empty() && llvm::isDigit(rest.front())) {
      if (rest.consumeInteger(10, value))
        refuse("a number of 63 bits");
      return value;
    }
    StringRef name = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    auto found = variables.find(name.str());
    if (found == variables.end()) {
      refuse("a number, a variable of layouts or '('");
      return 0;
    }
    rest = rest.drop_front(name.size());
    return found->second;
  }

  const StringRef text;
  StringRef rest;
  const std::map<std::string, int64_t> &variables;
  std::string problem;
  unsigned depth = 0;
};
} // namespace

Expected<int64_t> target::evaluateFormula(StringRef formula,
                                          const std::map<std::string, int64_t> &variables) {
  return Evaluator(formula, variables).evaluate();
}
