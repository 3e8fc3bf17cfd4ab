//===- Recipe.cpp - how each operand of each role is quantized ------------===//

#include "ufp4/Transforms/Recipe.h"

#include "ufp4/Support/Files.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace ufp4;
using numerics::Format;
using numerics::ScaleKind;
using numerics::ScaleRule;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
enum class Rotated { No, Wgrad, All };

/// One row: what R's table of docs/spec.md says of a recipe.
struct RecipeRow {
  StringLiteral name;
  bool quantizes;
  Format format;
  unsigned block;
  ScaleKind scale;
  ScaleRule rule;
  Rotated rotated;
  unsigned rotationSize;
  /// dY is rounded stochastically in dgrad and wgrad.
  bool stochastic;
  /// Rows of a block of the weights in fprop and dgrad.
  unsigned weightRows;
  StringLiteral summary;
};

constexpr RecipeRow kRecipes[] = {
    {"ufp4", true, Format::E1M2, 16, ScaleKind::F32, ScaleRule::Ceil, Rotated::All, 16, true, 1,
     "the paper: uniform grid, rotation on all three GEMMs"},
    {"e2m1-baseline", true, Format::E2M1, 16, ScaleKind::F32, ScaleRule::Ceil, Rotated::Wgrad, 16,
     true, 1, "the paper's baseline"},
    {"ufp4-nv", true, Format::E1M2, 16, ScaleKind::UE4M3, ScaleRule::Ceil, Rotated::All, 16, true,
     1, "ufp4 with NVFP4's two-level scales"},
    {"ufp4-mx", true, Format::E1M2, 32, ScaleKind::UE8M0, ScaleRule::Ceil, Rotated::All, 32, true,
     1, "ufp4 with MX scales"},
    {"nvidia-nvfp4", true, Format::E2M1, 16, ScaleKind::UE4M3, ScaleRule::Ceil, Rotated::Wgrad, 16,
     true, 16, "NVFP4 pre-training, 2-D weight scales"},
    {"mxfp4", true, Format::E2M1, 32, ScaleKind::UE8M0, ScaleRule::OcpFloor, Rotated::No, 0, false,
     1, "OCP MX v1.0"},
    {"bf16", false, Format::E1M2, 16, ScaleKind::F32, ScaleRule::Ceil, Rotated::No, 0, false, 1,
     "no quantization; accumulates in f32"},
};
} // namespace

static constexpr StringLiteral kRoleNames[] = {"fprop", "dgrad", "wgrad"};
static constexpr Member kMembers[3][2] = {
    {Member::X, Member::W}, {Member::DY, Member::W}, {Member::X, Member::DY}};

static Recipe makeRecipe(const RecipeRow &row) {
  Recipe recipe;
  recipe.name = row.name.str();
  if (!row.quantizes)
    return recipe;
  for (unsigned role = 0; role < 3; ++role) {
    bool isWgrad = role == 2;
    auto &plans = recipe.roles[role].emplace();
    for (auto [plan, member] : llvm::zip_equal(plans, kMembers[role])) {
      plan.scheme.format = row.format;
      plan.scheme.block = row.block;
      plan.scheme.scale = row.scale;
      plan.scheme.rule = row.rule;
      plan.scheme.blockRows = member == Member::W ? row.weightRows : 1;
      if (row.rotated == Rotated::All || (row.rotated == Rotated::Wgrad && isWgrad))
        plan.scheme.rotation = numerics::presetRotation(row.rotationSize);
      if (row.stochastic && member == Member::DY)
        plan.rounding = Rounding::Stochastic;
    }
  }
  return recipe;
}

//===----------------------------------------------------------------------===//
// Recipe
//===----------------------------------------------------------------------===//

const OperandPlan *Recipe::getPlan(Role role, Member member) const {
  if (role == Role::None)
    return nullptr;
  unsigned index = static_cast<unsigned>(role) - 1;
  if (!roles[index])
    return nullptr;
  return &(*roles[index])[kMembers[index][1] == member];
}

static std::string getText(const OperandPlan &plan) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const numerics::Scheme &scheme = plan.scheme;
  os << stringify(scheme.format) << ' ' << scheme.blockRows << 'x' << scheme.block << ' '
     << stringify(scheme.scale);
  if (scheme.scale == ScaleKind::UE8M0)
    os << ' ' << stringify(scheme.rule);
  if (scheme.rotation) {
    os << " rotation " << scheme.rotation.size << " 0x";
    if (scheme.rotation.signs[1])
      os << llvm::utohexstr(scheme.rotation.signs[1])
         << llvm::format_hex_no_prefix(scheme.rotation.signs[0], 16, true);
    else
      os << llvm::utohexstr(scheme.rotation.signs[0]);
    if (plan.evaluation != Evaluation::Butterfly)
      os << ' ' << stringifyEvaluation(plan.evaluation);
  }
  os << ' ' << stringifyRounding(plan.rounding);
  if (plan.rounding == Rounding::Stochastic)
    os << ' ' << plan.bits;
  return text;
}

std::string Recipe::getText() const {
  std::string text;
  for (auto [role, name, members] : llvm::zip_equal(roles, kRoleNames, kMembers)) {
    text += name;
    if (!role)
      text += ": untouched";
    else
      for (auto [i, plan] : llvm::enumerate(*role))
        text += ((i ? "; " : ": ") + stringifyMember(members[i]) + " = " + ::getText(plan)).str();
    text += '\n';
  }
  return text;
}

std::string Recipe::getHash() const {
  return llvm::formatv("{0:x-16}", llvm::xxh3_64bits(getText()));
}

std::vector<std::pair<Recipe, StringRef>> ufp4::getRecipes() {
  std::vector<std::pair<Recipe, StringRef>> recipes;
  for (const RecipeRow &row : kRecipes)
    recipes.emplace_back(makeRecipe(row), row.summary);
  return recipes;
}

void ufp4::printRecipes(raw_ostream &os) {
  for (const RecipeRow &row : kRecipes) {
    Recipe recipe = makeRecipe(row);
    os << row.name << " (" << recipe.getHash() << "): " << row.summary << '\n';
    SmallVector<StringRef> lines;
    std::string text = recipe.getText();
    StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef line : lines)
      os << "  " << line << '\n';
  }
}

//===----------------------------------------------------------------------===//
// Finding and overriding
//===----------------------------------------------------------------------===//

static OperandPlan getPlan(PlanAttr attr) {
  OperandPlan plan;
  plan.scheme = attr.getScheme().getNumerics();
  if (RotationAttr rotation = attr.getScheme().getRotation())
    plan.evaluation = rotation.getEvaluation();
  plan.rounding = attr.getRounding();
  plan.bits = attr.getBits();
  return plan;
}

static Recipe getRecipe(RecipeOp op) {
  Recipe recipe;
  recipe.name = op.getSymName().str();
  PlanAttr plans[3][2] = {{op.getFpropXAttr(), op.getFpropWAttr()},
                          {op.getDgradDyAttr(), op.getDgradWAttr()},
                          {op.getWgradXAttr(), op.getWgradDyAttr()}};
  for (auto [role, pair] : llvm::zip_equal(recipe.roles, plans))
    if (pair[0])
      role = std::array<OperandPlan, 2>{getPlan(pair[0]), getPlan(pair[1])};
  return recipe;
}

/// Recipes are named by options, so no line of the module is at fault.
static InFlightDiagnostic emitOptionError(ModuleOp module) {
  return emitError(UnknownLoc::get(module.getContext()));
}

/// The recipe that a file holds; `symbol` chooses among several.
static FailureOr<Recipe> readRecipe(StringRef path, StringRef symbol, ModuleOp module) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return emitOptionError(module)
           << "the recipe file '" << path << "' could not be read: " << buffer.getError().message();
  StringRef text = (*buffer)->getBuffer();
  if (llvm::Error error = verifyIR(path, text))
    return emitOptionError(module) << llvm::toString(std::move(error));
  OwningOpRef<ModuleOp> file = parseSourceString<ModuleOp>(text, module.getContext(), path);
  if (!file)
    return emitOptionError(module) << "the recipe file '" << path << "' could not be read";
  SmallVector<RecipeOp> recipes(file->getOps<RecipeOp>());
  for (RecipeOp op : recipes)
    if (symbol.empty() ? recipes.size() == 1 : op.getSymName() == symbol)
      return getRecipe(op);
  InFlightDiagnostic diag = emitOptionError(module);
  if (recipes.empty())
    return diag << "the file '" << path << "' holds no ufp4.recipe";
  diag << "name one recipe of '" << path << "' as " << path << "@NAME: it holds ";
  llvm::interleaveComma(recipes, diag, [&](RecipeOp op) { diag << op.getSymName(); });
  return diag;
}

static FailureOr<Recipe> findNamed(StringRef name, ModuleOp module) {
  for (const RecipeRow &row : kRecipes)
    if (row.name == name)
      return makeRecipe(row);
  StringRef symbol = name;
  symbol.consume_front("@");
  for (auto op : module.getOps<RecipeOp>())
    if (op.getSymName() == symbol)
      return getRecipe(op);
  auto [path, inFile] = name.rsplit('@');
  if (llvm::sys::fs::exists(name))
    return readRecipe(name, "", module);
  if (llvm::sys::fs::exists(path))
    return readRecipe(path, inFile, module);
  InFlightDiagnostic diag = emitOptionError(module)
                            << "unknown recipe '" << name << "': known are ";
  llvm::interleaveComma(kRecipes, diag, [&](const RecipeRow &row) { diag << row.name; });
  for (auto op : module.getOps<RecipeOp>())
    diag << ", @" << op.getSymName();
  return diag << ", or a file with a ufp4.recipe";
}

/// Sets one field of a plan; returns what is expected where the value is no such thing.
static std::optional<std::string> setField(OperandPlan &plan, StringRef key, StringRef value) {
  numerics::Scheme &scheme = plan.scheme;
  auto set = [](auto &field, auto parsed, StringRef expected) -> std::optional<std::string> {
    if (!parsed)
      return expected.str();
    field = *parsed;
    return std::nullopt;
  };
  auto number = [&]() -> std::optional<unsigned> {
    unsigned parsed;
    return value.getAsInteger(0, parsed) ? std::nullopt : std::optional<unsigned>(parsed);
  };
  if (key == "format")
    return set(scheme.format, symbolizeFormat(value), "e1m2 or e2m1");
  if (key == "scale")
    return set(scheme.scale, symbolizeScaleKind(value), "f32, ue4m3 or ue8m0");
  if (key == "rule")
    return set(scheme.rule, symbolizeScaleRule(value), "ceil or ocp-floor");
  if (key == "rounding")
    return set(plan.rounding, symbolizeRounding(value), "nearest or stochastic");
  if (key == "evaluation")
    return set(plan.evaluation, symbolizeEvaluation(value), "butterfly or mma");
  if (key == "block")
    return set(scheme.block, number(), "16 or 32");
  if (key == "rows")
    return set(scheme.blockRows, number(), "1 or the block's size");
  if (key == "bits")
    return set(plan.bits, number(), "16 or 8");
  if (key == "rotation") {
    unsigned size = 0;
    if (value != "none" && (value.getAsInteger(10, size) || size % 16 || size > 128))
      return "none, 16, 32, 64 or 128";
    scheme.rotation = numerics::presetRotation(size);
    return std::nullopt;
  }
  if (key == "signs") {
    APInt signs;
    if (value.getAsInteger(0, signs) || signs.getActiveBits() > scheme.rotation.size)
      return "a mask of " + std::to_string(scheme.rotation.size) + " bits";
    signs = signs.zextOrTrunc(128);
    scheme.rotation.signs = {signs.extractBitsAsZExtValue(64, 0),
                             signs.extractBitsAsZExtValue(64, 64)};
    return std::nullopt;
  }
  return "a field format, block, rows, scale, rule, rotation, signs, evaluation, rounding or bits";
}

/// Applies `[ROLE.][OPERAND.]KEY=VALUE` to every operand that it selects.
static LogicalResult applyOverride(Recipe &recipe, StringRef text, ModuleOp module) {
  auto [field, value] = text.split('=');
  auto fail = [&](const Twine &expected) {
    return emitOptionError(module) << "recipe override '" << text << "': expected " << expected;
  };
  SmallVector<StringRef> parts;
  field.split(parts, '.');
  std::optional<unsigned> onlyRole;
  std::optional<Member> onlyMember;
  ArrayRef<StringRef> rest(parts);
  for (auto [index, name] : llvm::enumerate(kRoleNames))
    if (rest.front() == name)
      onlyRole = index;
  if (onlyRole)
    rest = rest.drop_front();
  if (onlyRole && rest.empty()) {
    if (value != "none")
      return fail("none");
    recipe.roles[*onlyRole].reset();
    return success();
  }
  if (rest.size() == 2)
    for (Member member : {Member::X, Member::W, Member::DY})
      if (rest.front() == stringifyMember(member))
        onlyMember = member;
  if (onlyMember)
    rest = rest.drop_front();
  if (rest.size() != 1 || value.empty())
    return fail("[fprop.|dgrad.|wgrad.][x.|w.|dy.]FIELD=VALUE");
  bool selected = false, isOfRotations = rest.front() == "evaluation";
  for (unsigned role = 0; role < 3; ++role) {
    if (!recipe.roles[role] || (onlyRole && *onlyRole != role))
      continue;
    for (auto [plan, member] : llvm::zip_equal(*recipe.roles[role], kMembers[role])) {
      if (onlyMember && *onlyMember != member)
        continue;
      // How to rotate is nothing of an operand that is not.
      if (isOfRotations && !plan.scheme.rotation.size)
        continue;
      selected = true;
      if (std::optional<std::string> expected = setField(plan, rest.front(), value))
        return fail(*expected);
    }
  }
  return selected ? success()
                  : fail(isOfRotations ? "an operand that the recipe rotates"
                                       : "an operand that the recipe quantizes");
}

/// Both operands of each role must be able to meet in a GEMM.
static LogicalResult verifyRecipe(const Recipe &recipe, ModuleOp module) {
  for (auto [role, name, members] : llvm::zip_equal(recipe.roles, kRoleNames, kMembers)) {
    if (!role)
      continue;
    auto fail = [&, name = name](const Twine &what) {
      return emitOptionError(module) << "recipe '" << recipe.name << "', " << name << ": " << what;
    };
    for (auto [plan, member] : llvm::zip_equal(*role, members)) {
      if (std::optional<std::string> error = numerics::verifyScheme(plan.scheme))
        return fail(stringifyMember(member) + ": " + *error);
      if (plan.rounding == Rounding::Stochastic && plan.scheme.blockRows != 1)
        return fail(stringifyMember(member) + ": 2-D blocks need nearest rounding");
      if (plan.bits != 16 && plan.bits != 8)
        return fail(stringifyMember(member) + ": stochastic rounding draws 16 or 8 bits, found " +
                    Twine(plan.bits));
      unsigned size = plan.scheme.rotation.size;
      if (plan.evaluation == Evaluation::Mma && (size > 32 || !size))
        return fail(stringifyMember(member) +
                    ": evaluation = mma needs a rotation of at most 32, found " +
                    (size ? std::to_string(size) : "none"));
    }
    const numerics::Scheme &a = (*role)[0].scheme, &b = (*role)[1].scheme;
    if (a.format != b.format || a.scale != b.scale || a.block != b.block ||
        a.rotation != b.rotation)
      return fail("the operands could not meet in a GEMM: " + ::getText((*role)[0]) + " and " +
                  ::getText((*role)[1]));
  }
  return success();
}

FailureOr<Recipe> ufp4::findRecipe(StringRef spec, ModuleOp module) {
  auto [name, overrides] = spec.split(':');
  FailureOr<Recipe> recipe = findNamed(name, module);
  if (failed(recipe))
    return failure();
  SmallVector<StringRef> list;
  overrides.split(list, ',', -1, /*KeepEmpty=*/false);
  for (StringRef text : list)
    if (failed(applyOverride(*recipe, text, module)))
      return failure();
  if (!list.empty())
    recipe->name = spec.str();
  if (failed(verifyRecipe(*recipe, module)))
    return failure();
  return recipe;
}
