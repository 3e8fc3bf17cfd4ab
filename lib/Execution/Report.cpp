//===- Report.cpp - What quantizing did to each GEMM ----------------------===//

#include "ufp4/Execution/Report.h"

#include "ufp4/Numerics/Rotate.h"
#include "ufp4/Support/Version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <map>

using llvm::StringRef;
namespace json = llvm::json;

namespace ufp4 {

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

namespace {

/// Sums over every element of an operand's executions.
struct Sums {
  double signal = 0, cross = 0, error = 0;
  int64_t elements = 0, clipped = 0, nonzero = 0, zeroed = 0;

  QuantizeError take() const {
    auto share = [](int64_t part, int64_t whole) {
      return whole ? double(part) / double(whole) : 0;
    };
    return {10 * std::log10(signal / error), signal == 0 ? 1 : cross / signal,
            share(clipped, elements), share(zeroed, nonzero)};
  }
};

/// Codes and scales, from the run or from the definition.
struct CodedView {
  const uint8_t *codes;
  const void *scales;
  float global;

  double scale(numerics::ScaleKind kind, int64_t index) const {
    switch (kind) {
    case numerics::ScaleKind::F32:
      return static_cast<const float *>(scales)[index];
    case numerics::ScaleKind::UE4M3:
      return double(numerics::decodeUE4M3(static_cast<const uint8_t *>(scales)[index])) * global;
    case numerics::ScaleKind::UE8M0:
      return numerics::decodeUE8M0(static_cast<const uint8_t *>(scales)[index]);
    }
    llvm_unreachable("unknown scale kind");
  }
};

/// A record's view in f64, padded and rotated as schemes ask; each arrangement is made once.
class RotatedViews {
public:
  explicit RotatedViews(const QuantizeRecord &record)
      : view(record.viewShape()), wide(view.g * view.r * view.k) {
    numerics::rotateInto(record.input.data.data(), record.element(), view, numerics::Rotation(),
                         wide.data());
  }

  const std::vector<double> &get(const numerics::Scheme &scheme) {
    int64_t paddedK = numerics::paddedK(scheme, view.k);
    for (const Entry &entry : entries)
      if (entry.rotation == scheme.rotation && entry.paddedK == paddedK)
        return entry.values;
    std::vector<double> values(view.g * view.r * paddedK);
    for (int64_t row = 0; row < view.g * view.r; ++row) {
      double *out = values.data() + row * paddedK;
      std::copy_n(wide.data() + row * view.k, view.k, out);
      if (scheme.rotation)
        numerics::rotateF64(out, llvm::divideCeil(view.k, scheme.rotation.size), scheme.rotation);
    }
    return entries.emplace_back(Entry{scheme.rotation, paddedK, std::move(values)}).values;
  }

private:
  struct Entry {
    numerics::Rotation rotation;
    int64_t paddedK;
    std::vector<double> values;
  };

  numerics::ViewShape view;
  std::vector<float> wide;
  std::vector<Entry> entries;
};

void accumulate(const std::vector<double> &values, const CodedView &coded, numerics::ViewShape view,
                const numerics::Scheme &scheme, Sums &sums) {
  int64_t paddedK = numerics::paddedK(scheme, view.k), blocks = paddedK / scheme.block;
  int64_t scaleRows = numerics::scaleRows(scheme, view.r);
  double top = numerics::gMax(scheme.format);
  double limit = top + (top - numerics::level(scheme.format, numerics::levelCount - 2)) / 2;
  for (int64_t g = 0; g < view.g; ++g)
    for (int64_t r = 0; r < view.r; ++r)
      for (int64_t block = 0; block < blocks; ++block) {
        double scale =
            coded.scale(scheme.scale, (g * scaleRows + r / scheme.blockRows) * blocks + block);
        int64_t first = (g * view.r + r) * paddedK + block * scheme.block;
        for (int64_t flat = first; flat < first + scheme.block; ++flat) {
          double x = values[flat];
          double q = numerics::decodeCode(scheme.format, coded.codes[flat]) * scale;
          sums.signal += x * x;
          sums.cross += x * q;
          sums.error += (x - q) * (x - q);
          sums.clipped += scale > 0 && std::abs(x) / scale > limit;
          sums.nonzero += x != 0;
          sums.zeroed += x != 0 && (coded.codes[flat] & 7) == 0;
        }
        sums.elements += scheme.block;
      }
}

/// One quantize of the module: its executions, and what rivals would do there.
struct Quantize {
  const QuantizeSite *site;
  std::vector<const QuantizeRecord *> records;
  std::vector<QuantizePlan> plans;
  /// What a rival draws from where the run itself drew nothing.
  uint32_t stream = 0;

  QuantizeError own;
  std::vector<QuantizeError> errors;

  size_t addPlan(const QuantizePlan &plan) {
    auto known = llvm::find(plans, plan);
    size_t index = known - plans.begin();
    if (known == plans.end())
      plans.push_back(plan);
    return index;
  }

  void judge(const ReportedRun &run);

private:
  numerics::Draw draw(const ReportedRun &run, const QuantizeRecord &record, unsigned bits) const {
    if (record.site.stochastic)
      return {record.seed, record.site.stream, record.step, bits};
    uint64_t seed = run.seed;
    for (int64_t trip : record.trips)
      seed = numerics::foldIn(seed, trip);
    return {seed, stream, run.step, bits};
  }
};

void Quantize::judge(const ReportedRun &run) {
  Sums ownSums;
  std::vector<Sums> sums(plans.size());
  for (const QuantizeRecord *record : records) {
    RotatedViews views(*record);
    numerics::ViewShape view = record->viewShape();
    accumulate(
        views.get(site->scheme),
        {record->codes.as<uint8_t>(), record->scales.data.data(), record->global.value_or(0)}, view,
        site->scheme, ownSums);
    for (auto [plan, sum] : llvm::zip_equal(plans, sums)) {
      numerics::Draw words = draw(run, *record, plan.bits);
      numerics::Quantized quantized =
          numerics::quantize(record->input.data.data(), record->element(), view, plan.scheme,
                             plan.stochastic ? &words : nullptr);
      accumulate(views.get(plan.scheme),
                 {quantized.codes.data(), quantized.scales(), quantized.global}, view, plan.scheme,
                 sum);
    }
  }
  own = ownSums.take();
  for (const Sums &sum : sums)
    errors.push_back(sum.take());
}

//===----------------------------------------------------------------------===//
// GEMMs
//===----------------------------------------------------------------------===//

constexpr StringRef kRoles[] = {"fprop", "dgrad", "wgrad"};
constexpr StringRef kExtents[] = {"batch", "m", "n", "k"};

/// What decisions.json says of a GEMM's operand.
struct DecidedOperand {
  std::string member;
  uint32_t stream = 0;
};

std::string getText(const json::Object &object, StringRef key) {
  return object.getString(key).value_or("").str();
}

/// The GEMMs of decisions.json, and what it says of their operands, by position.
std::vector<std::array<DecidedOperand, 2>> readDecisions(const json::Value &decisions,
                                                         Report &report) {
  std::vector<std::array<DecidedOperand, 2>> operands;
  const json::Object *root = decisions.getAsObject();
  const json::Array *gemms = root ? root->getArray("gemms") : nullptr;
  if (!gemms)
    return operands;
  for (const json::Value &value : *gemms) {
    const json::Object &record = *value.getAsObject();
    GemmReport &gemm = report.gemms.emplace_back();
    gemm.gemm = report.gemms.size() - 1;
    gemm.role = getText(record, "role");
    gemm.layer = getText(record, "layer");
    for (auto [extent, key] : llvm::zip_equal(gemm.extents, kExtents))
      extent = record.getInteger(key);
    if (getText(record, "decision") != "rewritten") {
      gemm.reason = getText(record, "reason");
      gemm.message = getText(record, "message");
    }
    auto &sides = operands.emplace_back();
    for (auto [side, operand] : llvm::zip_equal(sides, *record.getArray("operands"))) {
      side.member = getText(*operand.getAsObject(), "member");
      side.stream = operand.getAsObject()->getInteger("stream").value_or(0);
    }
  }
  return operands;
}

/// Both errors added, as they are in a product of two operands with independent errors.
double addNoise(double lhs, double rhs) {
  return -10 * std::log10(std::pow(10, -lhs / 10) + std::pow(10, -rhs / 10));
}

/// Makes a report from the quantizes of a run.
class Reporter {
public:
  Reporter(const ReportedRun &run, llvm::ArrayRef<QuantizeRecord> records) : run(run) {
    report.module = run.module;
    report.seed = run.seed;
    report.step = run.step;
    report.recipes.push_back({run.recipe, run.recipeHash, {}, {}});
    for (const RivalRecipe &rival : run.rivals)
      report.recipes.push_back({rival.name, rival.hash, {}, {}});
    decided = readDecisions(run.decisions, report);
    for (const QuantizeRecord &record : records) {
      const QuantizeSite &site = record.site;
      Quantize &quantize = quantizes[{site.gemm, site.operand}];
      quantize.site = &site;
      quantize.records.push_back(&record);
    }
    for (size_t i = 0; i < report.gemms.size(); ++i)
      positions[report.gemms[i].gemm] = i;
    for (auto &[place, quantize] : quantizes)
      for (int64_t gemm : users(quantize))
        if (positions.try_emplace(gemm, report.gemms.size()).second) {
          report.gemms.emplace_back().gemm = gemm;
          report.gemms.back().role = quantize.site->role;
        }
    if (decided.empty()) {
      llvm::sort(report.gemms,
                 [](const GemmReport &a, const GemmReport &b) { return a.gemm < b.gemm; });
      for (size_t i = 0; i < report.gemms.size(); ++i)
        positions[report.gemms[i].gemm] = i;
    }
  }

  Report take() {
    connect();
    for (auto &[place, quantize] : quantizes)
      quantize.judge(run);
    for (GemmReport &gemm : report.gemms)
      judge(gemm);
    summarize();
    return std::move(report);
  }

private:
  using Slots = std::array<Quantize *, 2>;

  static std::vector<int64_t> users(const Quantize &quantize) {
    std::vector<int64_t> gemms{quantize.site->gemm};
    gemms.insert(gemms.end(), quantize.site->uses.begin(), quantize.site->uses.end());
    return gemms;
  }

  const DecidedOperand &getDecided(int64_t gemm, unsigned side) const {
    static const DecidedOperand unknown;
    return static_cast<size_t>(gemm) < decided.size() ? decided[gemm][side] : unknown;
  }

  /// Finds the quantizes that each GEMM reads, and what rivals do to them.
  void connect() {
    slots.resize(report.gemms.size());
    for (auto &[place, quantize] : quantizes)
      slots[positions[place.first]][place.second] = &quantize;
    // A shared quantize does not say which operand it is elsewhere: the one of its member that no
    // quantize of the GEMM's own takes.
    for (auto &[place, quantize] : quantizes)
      for (int64_t gemm : quantize.site->uses) {
        Slots &free = slots[positions[gemm]];
        const std::string &member = getDecided(place.first, place.second).member;
        unsigned side = !free[0] && (free[1] || getDecided(gemm, 0).member == member) ? 0 : 1;
        if (!free[side])
          free[side] = &quantize;
      }
    for (auto &[place, quantize] : quantizes)
      quantize.stream = getDecided(place.first, place.second).stream;
    plans.resize(report.gemms.size());
    for (auto [gemm, quantizes, plans] : llvm::zip_equal(report.gemms, slots, plans))
      for (unsigned side : {0, 1})
        for (const RivalRecipe &rival : run.rivals) {
          std::optional<size_t> index;
          if (quantizes[side])
            if (auto plan = rival.plan(gemm.role, getDecided(gemm.gemm, side).member))
              index = quantizes[side]->addPlan(*plan);
          plans[side].push_back(index);
        }
  }

  void judge(GemmReport &gemm) {
    size_t position = positions[gemm.gemm];
    for (unsigned side : {0, 1}) {
      const Quantize *quantize = slots[position][side];
      if (!quantize)
        continue;
      const QuantizeSite &site = *quantize->site;
      OperandReport &operand = gemm.operands.emplace_back();
      operand.operand = side;
      operand.member = getDecided(gemm.gemm, side).member;
      operand.quantizedBy = site.gemm;
      if (site.gemm == gemm.gemm && site.operand == side)
        operand.uses = site.uses;
      operand.executions = quantize->records.size();
      operand.recipes.push_back(OperandReport::Judgement{
          {site.scheme, site.stochastic, site.stochastic ? site.bits : 0}, quantize->own});
      for (std::optional<size_t> plan : plans[position][side]) {
        auto &judgement = operand.recipes.emplace_back();
        if (plan)
          judgement = {quantize->plans[*plan], quantize->errors[*plan]};
      }
    }
    if (gemm.operands.empty())
      return;
    auto &products = alphaProducts[gemm.role];
    products.resize(report.recipes.size(), 1.0);
    for (size_t recipe = 0; recipe < report.recipes.size(); ++recipe) {
      auto &judgement = gemm.recipes.emplace_back();
      for (const OperandReport &operand : gemm.operands) {
        const auto &part = operand.recipes[recipe];
        if (!part)
          continue;
        if (!judgement) {
          judgement = {part->error};
          continue;
        }
        QuantizeError &error = judgement->error;
        error.sqnr = addNoise(error.sqnr, part->error.sqnr);
        error.alpha *= part->error.alpha;
        error.clipped = std::max(error.clipped, part->error.clipped);
        error.zeroed = std::max(error.zeroed, part->error.zeroed);
      }
      if (judgement)
        judgement->alphaProduct = products[recipe] *= judgement->error.alpha;
    }
  }

  void summarize() {
    for (auto [index, recipe] : llvm::enumerate(report.recipes)) {
      for (auto [role, name] : llvm::enumerate(kRoles)) {
        double sum = 0;
        size_t count = 0;
        for (const GemmReport &gemm : report.gemms) {
          if (gemm.role != name || gemm.recipes.empty() || !gemm.recipes[index])
            continue;
          const GemmReport::Judgement &judgement = *gemm.recipes[index];
          if (role < recipe.alphaProduct.size())
            recipe.alphaProduct[role] = judgement.alphaProduct;
          recipe.clipped = std::max(recipe.clipped, judgement.error.clipped);
          recipe.zeroed = std::max(recipe.zeroed, judgement.error.zeroed);
          if (std::isinf(judgement.error.sqnr))
            continue;
          sum += judgement.error.sqnr;
          ++count;
        }
        if (count)
          recipe.sqnr[role] = sum / count;
      }
    }
  }

  const ReportedRun &run;
  Report report;
  std::vector<std::array<DecidedOperand, 2>> decided;
  std::map<std::pair<int64_t, unsigned>, Quantize> quantizes;
  /// By GEMM: where it is in the report.
  std::map<int64_t, size_t> positions;
  /// By position in the report.
  std::vector<Slots> slots;
  std::vector<std::array<std::vector<std::optional<size_t>>, 2>> plans;
  std::map<std::string, std::vector<double>> alphaProducts;
};

} // namespace

Report makeReport(const ReportedRun &run, llvm::ArrayRef<QuantizeRecord> records) {
  return Reporter(run, records).take();
}

//===----------------------------------------------------------------------===//
// JSON and text
//===----------------------------------------------------------------------===//

/// JSON has no infinities and no NaN.
static json::Value finite(double value) {
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}
static json::Value finite(std::optional<double> value) {
  return value ? finite(*value) : json::Value(nullptr);
}

static void addError(json::Object &object, const QuantizeError &error) {
  object["sqnr_db"] = finite(error.sqnr);
  object["alpha"] = finite(error.alpha);
  object["clipped"] = error.clipped;
  object["zeroed"] = error.zeroed;
}

static json::Object toJSON(const OperandReport::Judgement &judgement) {
  json::Object object{{"scheme", toJSON(judgement.plan.scheme)},
                      {"rounding", judgement.plan.stochastic ? "stochastic" : "nearest"}};
  addError(object, judgement.error);
  return object;
}

static json::Object toJSON(const GemmReport::Judgement &judgement) {
  json::Object object{{"alpha_product", finite(judgement.alphaProduct)}};
  addError(object, judgement.error);
  return object;
}

/// What each rival does, by name; null where it does nothing.
template <typename Judgements>
static json::Object rivalsToJSON(const Report &report, const Judgements &judgements) {
  json::Object rivals;
  for (size_t i = 1; i < judgements.size(); ++i)
    rivals[report.recipes[i].name] =
        judgements[i] ? json::Value(toJSON(*judgements[i])) : json::Value(nullptr);
  return rivals;
}

static json::Object toJSON(const RecipeReport &recipe) {
  json::Object sqnr, product;
  for (auto [role, value] : llvm::zip_equal(kRoles, recipe.sqnr))
    sqnr[role] = finite(value);
  for (auto [value, role] : llvm::zip_first(recipe.alphaProduct, kRoles))
    product[role] = finite(value);
  return json::Object{
      {"name", recipe.name},
      {"hash", recipe.hash.empty() ? json::Value(nullptr) : json::Value(recipe.hash)},
      {"sqnr_db", std::move(sqnr)},
      {"alpha_product", std::move(product)},
      {"clipped", recipe.clipped},
      {"zeroed", recipe.zeroed}};
}

json::Value toJSON(const Report &report) {
  json::Array recipes, gemms, left;
  for (const RecipeReport &recipe : report.recipes)
    recipes.push_back(toJSON(recipe));
  for (const GemmReport &gemm : report.gemms) {
    json::Object object{{"gemm", gemm.gemm}, {"role", gemm.role}, {"layer", gemm.layer}};
    for (auto [key, extent] : llvm::zip_equal(kExtents, gemm.extents))
      object[key] = extent ? json::Value(*extent) : json::Value(nullptr);
    if (!gemm.reason.empty()) {
      object["reason"] = gemm.reason;
      object["message"] = gemm.message;
      left.push_back(std::move(object));
      continue;
    }
    if (gemm.operands.empty())
      continue;
    json::Array operands;
    for (const OperandReport &operand : gemm.operands) {
      json::Object entry = toJSON(*operand.recipes.front());
      entry["operand"] = static_cast<int64_t>(operand.operand);
      entry["member"] = operand.member.empty() ? json::Value(nullptr) : json::Value(operand.member);
      entry["quantized_by"] = operand.quantizedBy;
      entry["uses"] = json::Array(operand.uses);
      entry["executions"] = static_cast<int64_t>(operand.executions);
      entry["rivals"] = rivalsToJSON(report, operand.recipes);
      operands.push_back(std::move(entry));
    }
    json::Object own = toJSON(*gemm.recipes.front());
    for (auto &field : own)
      object[field.first] = std::move(field.second);
    object["operands"] = std::move(operands);
    object["rivals"] = rivalsToJSON(report, gemm.recipes);
    gemms.push_back(std::move(object));
  }
  const RecipeReport &own = report.recipes.front();
  return json::Object{{"schema_version", kSchemaVersion},
                      {"compiler", ("ufp4 " + kVersion).str()},
                      {"module", report.module},
                      {"recipe", own.hash.empty() ? json::Value(nullptr) : json::Value(own.hash)},
                      {"seed", report.seed},
                      {"step", report.step},
                      {"recipes", std::move(recipes)},
                      {"gemms", std::move(gemms)},
                      {"left", std::move(left)}};
}

/// `-` where there is nothing.
static std::string getText(std::optional<double> value, const char *format) {
  return value ? llvm::formatv(format, *value).str() : "-";
}

void writeReportText(const Report &report, llvm::raw_ostream &os) {
  bool hasRivals = report.recipes.size() > 1;
  size_t width = 6;
  for (const RecipeReport &recipe : report.recipes)
    width = std::max(width, recipe.name.size());
  auto name = [&](StringRef text) {
    return hasRivals ? llvm::formatv("  {0}", llvm::left_justify(text, width)).str() : "";
  };
  os << "gemm  role   operand" << name("recipe")
     << "  SQNR dB  alpha    clipped  zeroed   product of alpha\n";
  for (const GemmReport &gemm : report.gemms)
    for (const OperandReport &operand : gemm.operands)
      for (size_t i = 0; i < report.recipes.size(); ++i) {
        os << llvm::formatv("{0,4}  {1,-6} {2,7}{3}", gemm.gemm, gemm.role, operand.operand,
                            name(report.recipes[i].name));
        if (const auto &judgement = operand.recipes[i]) {
          const QuantizeError &error = judgement->error;
          os << llvm::formatv("  {0,7:f2}  {1,7:f5}  {2,7:f5}  {3,7:f5}  {4,7:f5}\n", error.sqnr,
                              error.alpha, error.clipped, error.zeroed,
                              gemm.recipes[i]->alphaProduct);
        } else {
          os << "  left\n";
        }
      }
  if (!hasRivals)
    return;
  os << "\n"
     << llvm::left_justify("recipe", width)
     << "  SQNR dB: fprop  dgrad  wgrad  product of alpha: fprop    dgrad  most clipped   zeroed\n";
  for (const RecipeReport &recipe : report.recipes)
    os << llvm::formatv(
        "{0}           {1,5}  {2,5}  {3,5}                  {4,7}  {5,7}  {6,12:f5}  "
        "{7,7:f5}\n",
        llvm::left_justify(recipe.name, width), getText(recipe.sqnr[0], "{0:f2}"),
        getText(recipe.sqnr[1], "{0:f2}"), getText(recipe.sqnr[2], "{0:f2}"),
        getText(recipe.alphaProduct[0], "{0:f5}"), getText(recipe.alphaProduct[1], "{0:f5}"),
        recipe.clipped, recipe.zeroed);
}

} // namespace ufp4
