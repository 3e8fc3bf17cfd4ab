//===- Rivals.cpp - Recipes that a report compares with -------------------===//

#include "ufp4/Driver/Rivals.h"

#include "ufp4/Transforms/QuantizeTraining.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace ufp4 {

std::vector<std::string> splitRecipes(StringRef list) {
  std::vector<std::string> recipes;
  if (list.empty())
    return recipes;
  SmallVector<StringRef> parts;
  list.split(parts, ',');
  for (StringRef part : parts) {
    if (recipes.empty() || !part.take_until([](char c) { return c == ':'; }).contains('='))
      recipes.push_back(part.str());
    else
      recipes.back() += "," + part.str();
  }
  return recipes;
}

static RivalRecipe toRival(const Recipe &recipe) {
  RivalRecipe rival;
  rival.name = recipe.name;
  rival.hash = recipe.getHash();
  rival.plan = [recipe](StringRef role, StringRef member) -> std::optional<QuantizePlan> {
    for (Member candidate : {Member::X, Member::W, Member::DY}) {
      std::optional<Role> found = symbolizeRole(role);
      if (!found || stringifyMember(candidate) != member)
        continue;
      if (const OperandPlan *plan = recipe.getPlan(*found, candidate)) {
        bool stochastic = plan->rounding == Rounding::Stochastic;
        return QuantizePlan{plan->scheme, stochastic, stochastic ? plan->bits : 0};
      }
    }
    return std::nullopt;
  };
  return rival;
}

FailureOr<std::vector<RivalRecipe>> findRivals(ArrayRef<std::string> specs, StringRef own,
                                               ModuleOp module) {
  std::vector<RivalRecipe> rivals;
  for (const std::string &spec : specs) {
    if (spec.empty())
      return emitError(module.getLoc())
             << "expected the recipes to compare with, NAME[,NAME…], found an empty name";
    FailureOr<Recipe> recipe = findRecipe(spec, module);
    if (failed(recipe))
      return failure();
    if (recipe->name == own)
      return emitError(module.getLoc())
             << "the recipe '" << own << "' is the run's own, which the report judges anyway: "
             << "compare with others";
    if (llvm::any_of(rivals, [&](const RivalRecipe &known) { return known.name == recipe->name; }))
      return emitError(module.getLoc())
             << "the recipe '" << recipe->name << "' is compared with twice: name it once";
    rivals.push_back(toRival(*recipe));
  }
  return rivals;
}

std::pair<std::string, std::string> getRecipeOf(ModuleOp module) {
  auto recipe = module->getAttrOfType<DictionaryAttr>(kRecipeAttr);
  auto get = [&](StringRef key) {
    auto text = recipe ? recipe.getAs<StringAttr>(key) : StringAttr();
    return text ? text.str() : std::string();
  };
  return {get("name"), get("hash")};
}

} // namespace ufp4
