//===- ReportPage.cpp - A report as one HTML page -------------------------===//

#include "ufp4/Execution/Report.h"

#include "ufp4/Support/Version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <map>

using llvm::formatv;
using llvm::raw_ostream;
using llvm::StringRef;

namespace ufp4 {
namespace {

//===----------------------------------------------------------------------===//
// What does not depend on the report
//===----------------------------------------------------------------------===//

// Colours of Okabe and Ito, which people with colour-blindness tell apart; lighter on dark.
constexpr StringRef kStyle = R"css(
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --line: #d5dae0; --grid: #e9ecf0;
  --page: #ffffff; --card: #f6f8fa;
  --c0: #0072b2; --c1: #d55e00; --c2: #007a5a; --c3: #b0508c; --c4: #9a6b00; --c5: #3d8fc4; --c6: #444444; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --soft: #9aa4b0; --line: #3a424c; --grid: #262c34;
  --page: #0f1318; --card: #171c23;
  --c0: #56b4e9; --c1: #ff8a3d; --c2: #2fc79a; --c3: #e29ac6; --c4: #f0c040; --c5: #8fb8ff; --c6: #c8c8c8; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; }
main { max-width: 1344px; margin: 0 auto; padding: 28px 24px 64px; }
h1 { font-size: 24px; line-height: 1.25; margin: 0 0 4px; }
h2 { font-size: 18px; margin: 40px 0 4px; }
p { margin: 4px 0 10px; max-width: 86ch; }
.soft { color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; gap: 10px; margin: 18px 0 8px; padding: 0; }
.facts div { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 8px 14px; }
.facts dt { font-size: 12px; color: var(--soft); }
.facts dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 6px 0; padding: 0; list-style: none; font-size: 13px; }
.legend svg { vertical-align: -3px; margin-right: 5px; }
.facets { display: flex; flex-wrap: wrap; gap: 6px 0; }
.facets svg { display: block; max-width: 100%; height: auto; }
svg text { fill: var(--ink); font-size: 11px; font-family: inherit; }
svg .tick { fill: var(--soft); } svg .name { font-weight: 600; font-size: 13px; }
svg .grid { stroke: var(--grid); } svg .axis { stroke: var(--line); } svg .one { stroke: var(--soft); stroke-dasharray: 4 3; }
svg polyline { fill: none; stroke: currentColor; stroke-width: 1.4; opacity: 0.75; }
svg use { fill: currentColor; stroke: var(--page); stroke-width: 0.8; }
.c0 { color: var(--c0); } .c1 { color: var(--c1); } .c2 { color: var(--c2); } .c3 { color: var(--c3); }
.c4 { color: var(--c4); } .c5 { color: var(--c5); } .c6 { color: var(--c6); }
.wide { overflow-x: auto; width: fit-content; max-width: 100%; border: 1px solid var(--line); border-radius: 8px; margin: 10px 0; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 5px 9px; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--grid); }
thead th { background: var(--card); border-bottom: 1px solid var(--line); font-weight: 600; vertical-align: bottom; }
tbody tr:last-child td { border-bottom: 0; }
.num { text-align: right; font-variant-numeric: tabular-nums; }
th.num { white-space: normal; }
th.group { text-align: center; } th.group, .first { border-left: 1px solid var(--grid); }
tr.left td { color: var(--soft); }
td.text { white-space: normal; min-width: 18em; }
.sorts th.by { cursor: pointer; } .sorts th.by:hover { text-decoration: underline; }
summary { cursor: pointer; font-weight: 600; margin: 14px 0 4px; }
@media print { main { max-width: none; } .wide { overflow: visible; } }
)css";

// A click on a heading of the last row sorts the table; a second one turns the order around.
constexpr StringRef kScript = R"js(
for (const table of document.querySelectorAll("table.sorts"))
  table.querySelectorAll("th.by").forEach((heading, column) => heading.addEventListener("click", () => {
    const sign = heading.dataset.sign = heading.dataset.sign === "1" ? -1 : 1;
    const text = (row) => row.cells[column].textContent, body = table.tBodies[0];
    const order = (a, b) => (parseFloat(a) - parseFloat(b)) || a.localeCompare(b);
    const isNumber = (t) => !isNaN(parseFloat(t));
    body.append(...[...body.rows].sort((a, b) => isNumber(text(b)) - isNumber(text(a)) || sign * order(text(a), text(b))));
  }));
)js";

constexpr StringRef kRoles[] = {"fprop", "dgrad", "wgrad"};
constexpr size_t kColours = 7, kShapes = 5;
constexpr double kLabelPitch = 14, kMarkSize = 12, kPlotHeight = 190, kTop = 26;
constexpr size_t kLabelLength = 20;

constexpr StringRef kMarks =
    R"svg(<svg width='0' height='0' style='position:absolute' aria-hidden='true'>
<symbol id='m0' viewBox='-6 -6 12 12'><circle r='3.6'/></symbol>
<symbol id='m1' viewBox='-6 -6 12 12'><path d='M-3.2-3.2h6.4v6.4h-6.4z'/></symbol>
<symbol id='m2' viewBox='-6 -6 12 12'><path d='M0-4.4L4.2 3.2H-4.2z'/></symbol>
<symbol id='m3' viewBox='-6 -6 12 12'><path d='M0-4.8L4.8 0L0 4.8L-4.8 0z'/></symbol>
<symbol id='m4' viewBox='-6 -6 12 12'><path d='M0 4.4L4.2-3.2H-4.2z'/></symbol>
</svg>
)svg";

std::string escape(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::printHTMLEscaped(text, os);
  return result;
}

/// The mark of a recipe: a colour, and a shape for those who do not see it.
void writeMark(raw_ostream &os, size_t recipe, double x, double y, double size, StringRef tip) {
  os << formatv("<use href='#m{0}' class='c{1}' x='{2:f1}' y='{3:f1}' width='{4:f1}' "
                "height='{4:f1}'><title>{5}</title></use>",
                recipe % kShapes, recipe % kColours, x - size / 2, y - size / 2, size, escape(tip));
}

//===----------------------------------------------------------------------===//
// Plots
//===----------------------------------------------------------------------===//

using Judgement = GemmReport::Judgement;
using Measure = llvm::function_ref<double(const Judgement &)>;

/// An axis whose ticks are round numbers.
struct Axis {
  double least = 0, most = 1, step = 0.2;
  int digits = 1;

  static Axis covering(double low, double high) {
    if (high - low < 1e-9 * std::max(std::abs(high), 1e-3)) {
      double margin = std::max(std::abs(high) * 0.01, 1e-5);
      low -= margin;
      high += margin;
    }
    Axis axis;
    double rough = (high - low) / 5, power = std::pow(10, std::floor(std::log10(rough)));
    for (double factor : {1.0, 2.0, 5.0, 10.0})
      if ((axis.step = factor * power) >= rough)
        break;
    axis.least = std::floor(low / axis.step) * axis.step;
    axis.most = std::ceil(high / axis.step) * axis.step;
    axis.digits = std::max(0, static_cast<int>(-std::floor(std::log10(axis.step) + 1e-9)));
    return axis;
  }
  int ticks() const { return static_cast<int>(std::lround((most - least) / step)); }
};

/// A quantity of GEMMs, drawn for each role.
struct Plot {
  StringRef title, explanation;
  std::vector<StringRef> roles;
  Measure measure;
  /// printf-like, of a tooltip.
  StringRef format;
  /// A value that a line marks and the axis holds.
  std::optional<double> reference;
  bool fromZero = false;
};

class Page {
public:
  Page(const Report &report, raw_ostream &os) : report(report), os(os) {
    for (const GemmReport &gemm : report.gemms)
      if (!gemm.recipes.empty())
        byRole[gemm.role].push_back(&gemm);
  }

  void write();

private:
  std::string getName(size_t recipe) const {
    StringRef name = report.recipes[recipe].name;
    return name.empty() ? "this module" : name.str();
  }
  static std::string getLabel(const GemmReport &gemm) {
    return gemm.layer.empty() ? "gemm " + std::to_string(gemm.gemm) : gemm.layer;
  }

  void writeHeader();
  void writeSummary();
  void writePlots();
  void writePlot(const Plot &plot);
  void writeFacet(const Plot &plot, StringRef role, const Axis &axis, double width);
  void writeLabels(llvm::ArrayRef<const GemmReport *> gemms, double left, double pitch,
                   double bottom);
  void writeLegend();
  void writeGemms();
  void writeOperands();
  void writeLeft();
  void writeJSON();

  const Report &report;
  raw_ostream &os;
  std::map<StringRef, std::vector<const GemmReport *>> byRole;
};

void Page::writeLegend() {
  os << "<ul class='legend'>";
  for (size_t i = 0; i < report.recipes.size(); ++i) {
    os << "<li><svg width='26' height='14' aria-hidden='true'><polyline points='0,7 26,7' class='c"
       << i % kColours << "'/>";
    writeMark(os, i, 13, 7, kMarkSize, getName(i));
    os << "</svg>" << escape(getName(i)) << "</li>";
  }
  os << "</ul>\n";
}

/// The ends of long names, which tell layers apart.
std::string shorten(StringRef name) {
  return name.size() <= kLabelLength ? name.str() : "…" + name.take_back(kLabelLength - 1).str();
}

/// Slanted names under the axis, so many that they do not collide.
void Page::writeLabels(llvm::ArrayRef<const GemmReport *> gemms, double left, double pitch,
                       double bottom) {
  size_t every = std::max<size_t>(1, std::ceil(kLabelPitch / pitch));
  for (size_t i = 0; i < gemms.size(); i += every) {
    double x = left + pitch * (i + 0.5), y = bottom + 12;
    os << formatv("<text class='tick' x='{0:f1}' y='{1:f1}' text-anchor='end' "
                  "transform='rotate(-42 {0:f1} {1:f1})'>{2}</text>",
                  x, y, escape(shorten(getLabel(*gemms[i]))));
  }
}

void Page::writeFacet(const Plot &plot, StringRef role, const Axis &axis, double width) {
  llvm::ArrayRef<const GemmReport *> gemms = byRole[role];
  size_t longest = 0;
  for (const GemmReport *gemm : gemms)
    longest = std::max(longest, std::min(getLabel(*gemm).size(), kLabelLength));
  constexpr double left = 62, right = 14;
  double bottom = kTop + kPlotHeight, height = bottom + 24 + 4.4 * longest;
  double pitch = (width - left - right) / gemms.size();
  auto toY = [&](double value) {
    return bottom - (value - axis.least) / (axis.most - axis.least) * kPlotHeight;
  };
  os << formatv("<svg width='{0}' height='{1:f0}' viewBox='0 0 {0} {1:f0}' role='img' "
                "aria-label='{2}, {3}'>",
                width, height, plot.title, role);
  os << formatv("<text class='name' x='{0}' y='14'>{1}</text>", left, role);
  for (int i = 0; i <= axis.ticks(); ++i) {
    double value = axis.least + i * axis.step, y = toY(value);
    os << formatv("<line class='grid' x1='{0}' x2='{1}' y1='{2:f1}' y2='{2:f1}'/>", left,
                  width - right, y);
    os << formatv("<text class='tick' x='{0}' y='{1:f1}' text-anchor='end'>", left - 6, y + 4)
       << llvm::format("%.*f", axis.digits, value == 0 ? 0.0 : value) << "</text>";
  }
  os << formatv("<line class='axis' x1='{0}' x2='{1}' y1='{2:f1}' y2='{2:f1}'/>", left,
                width - right, bottom);
  if (plot.reference)
    os << formatv("<line class='one' x1='{0}' x2='{1}' y1='{2:f1}' y2='{2:f1}'/>", left,
                  width - right, toY(*plot.reference));
  writeLabels(gemms, left, pitch, bottom);

  double size = pitch < kLabelPitch ? 0.7 * kMarkSize : kMarkSize;
  // The run's own recipe is drawn last, above its rivals.
  for (size_t recipe = report.recipes.size(); recipe-- > 0;) {
    std::string line, marks;
    llvm::raw_string_ostream lineOS(line);
    auto endLine = [&] {
      if (!line.empty())
        os << "<polyline class='c" << recipe % kColours << "' points='" << line << "'/>";
      line.clear();
    };
    for (auto [i, gemm] : llvm::enumerate(gemms)) {
      const auto &judgement = gemm->recipes[recipe];
      if (!judgement || !std::isfinite(plot.measure(*judgement))) {
        endLine();
        continue;
      }
      lineOS << formatv("{0:f1},{1:f1} ", left + pitch * (i + 0.5), toY(plot.measure(*judgement)));
    }
    endLine();
    for (auto [i, gemm] : llvm::enumerate(gemms)) {
      const auto &judgement = gemm->recipes[recipe];
      if (!judgement || !std::isfinite(plot.measure(*judgement)))
        continue;
      double value = plot.measure(*judgement);
      std::string tip;
      llvm::raw_string_ostream tipOS(tip);
      tipOS << getName(recipe) << ", gemm " << gemm->gemm << ' ' << role;
      if (!gemm->layer.empty())
        tipOS << ' ' << gemm->layer;
      tipOS << ": " << llvm::format(plot.format.data(), value);
      writeMark(os, recipe, left + pitch * (i + 0.5), toY(value), size, tip);
    }
  }
  os << "</svg>\n";
}

void Page::writePlot(const Plot &plot) {
  double low = INFINITY, high = -INFINITY;
  size_t most = 0;
  for (StringRef role : plot.roles) {
    most = std::max(most, byRole[role].size());
    for (const GemmReport *gemm : byRole[role])
      for (const auto &judgement : gemm->recipes)
        if (judgement && std::isfinite(plot.measure(*judgement))) {
          low = std::min(low, plot.measure(*judgement));
          high = std::max(high, plot.measure(*judgement));
        }
  }
  os << "<section><h2>" << plot.title << "</h2>\n<p class='soft'>" << plot.explanation << "</p>\n";
  if (low > high || (plot.fromZero && high == 0)) {
    os << (low > high ? "<p>No GEMM of this step has such a number.</p></section>\n"
                      : "<p><strong>None, under any recipe here.</strong></p></section>\n");
    return;
  }
  if (plot.reference) {
    low = std::min(low, *plot.reference);
    high = std::max(high, *plot.reference);
  }
  Axis axis = Axis::covering(plot.fromZero ? 0 : low, high);
  writeLegend();
  os << "<div class='facets'>\n";
  size_t facets = llvm::count_if(plot.roles, [&](StringRef role) { return !byRole[role].empty(); });
  // Side by side while names fit, each on the whole width otherwise.
  constexpr double whole = 1152;
  double width = std::floor(whole / facets);
  if (most * kLabelPitch > width - 76)
    width = whole;
  for (StringRef role : plot.roles)
    if (!byRole[role].empty())
      writeFacet(plot, role, axis, width);
  os << "</div></section>\n";
}

void Page::writePlots() {
  const std::vector<StringRef> all(std::begin(kRoles), std::end(kRoles));
  writePlot(
      {"Product of α along the depth",
       "α of the GEMMs of one role, multiplied in the order in which they run: fprop from the "
       "first layer to the last, dgrad from the last back to the first. Noise averages out over "
       "a training; a factor does not: below 1 in each layer it compounds to a signal that "
       "fades with the depth, which is the effect that arXiv 2606.20381 describes. Residual "
       "connections carry part of the signal around these GEMMs; the product is that of the "
       "path through all of them. A weight gradient feeds no further GEMM and has no product.",
       {"fprop", "dgrad"},
       [](const Judgement &j) { return j.alphaProduct; },
       "product of alpha %.5f",
       1.0});
  writePlot(
      {"α of each GEMM",
       "α = ⟨Q(x′), x′⟩ / ⟨x′, x′⟩, the factor by which quantizing scales what it keeps of an "
       "operand x′ (after the rotation, if any); a GEMM's is the product of both operands'. "
       "1 is unbiased, below 1 the result shrinks.",
       all, [](const Judgement &j) { return j.error.alpha; }, "alpha %.5f", 1.0});
  writePlot(
      {"SQNR of each GEMM, dB",
       "Signal over quantization noise: 10 log₁₀(Σ x′² / Σ (x′ − Q(x′))²) of each operand, and "
       "of the GEMM with both noises added, −10 log₁₀(10^(−SQNR lhs/10) + 10^(−SQNR rhs/10)). "
       "Higher is better; 6 dB are one bit.",
       all, [](const Judgement &j) { return j.error.sqnr; }, "%.2f dB", std::nullopt});
  writePlot({"Zeros, % of nonzero elements",
             "The share of elements x′ ≠ 0 whose code is 0, of the operand that has more of them.",
             all, [](const Judgement &j) { return 100 * j.error.zeroed; }, "%.3f %% become zero",
             std::nullopt, true});
  writePlot({"Saturation, % of elements",
             "The share of elements whose magnitude lies more than half a step beyond the grid's "
             "greatest, of the operand that has more of them.",
             all, [](const Judgement &j) { return 100 * j.error.clipped; }, "%.3f %% saturate",
             std::nullopt, true});
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// `e1m2 1×16 f32, RHT 16`.
std::string describe(const numerics::Scheme &scheme) {
  std::string text = formatv("{0} {1}×{2} {3}", numerics::name(scheme.format), scheme.blockRows,
                             scheme.block, numerics::name(scheme.scale));
  if (scheme.scale == numerics::ScaleKind::UE8M0)
    text += std::string(" ") + numerics::name(scheme.rule);
  if (scheme.rotation)
    text += ", RHT " + std::to_string(scheme.rotation.size);
  return text;
}
std::string describe(const QuantizePlan &plan) {
  return describe(plan.scheme) + (plan.stochastic ? ", stochastic" : ", nearest");
}

std::string number(double value, const char *format) {
  if (std::isnan(value))
    return "NaN";
  if (std::isinf(value))
    return value > 0 ? "exact" : "−∞";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(format, value);
  return text;
}
std::string number(std::optional<double> value, const char *format) {
  return value ? number(*value, format) : "–";
}
std::string decibels(std::optional<double> value) { return number(value, "%.2f"); }
std::string factor(std::optional<double> value) { return number(value, "%.5f"); }
std::string percent(std::optional<double> share) {
  return number(share ? std::optional<double>(100 * *share) : std::nullopt, "%.3f");
}

void Page::writeHeader() {
  std::map<StringRef, size_t> left;
  size_t rewritten = 0, notRun = 0;
  for (const GemmReport &gemm : report.gemms) {
    if (!gemm.reason.empty())
      ++left[gemm.reason];
    else
      ++(gemm.operands.empty() ? notRun : rewritten);
  }
  const RecipeReport &own = report.recipes.front();
  os << "<h1>What 4-bit floating point does to "
     << escape(report.module.empty() ? "this step" : report.module) << "</h1>\n"
     << "<p class='soft'>One training step, with its GEMMs quantized by "
     << (own.name.empty() ? std::string("the module's own plans")
                          : "the recipe <strong>" + escape(own.name) + "</strong>");
  if (report.recipes.size() > 1)
    os << "; the tensors that the step recorded, quantized by "
       << (report.recipes.size() > 2 ? "other recipes" : "another recipe") << " as well";
  os << ". Every number is measured in f64 on the operands themselves.</p>\n<dl class='facts'>";
  auto fact = [&](StringRef name, const llvm::Twine &value) {
    os << "<div><dt>" << name << "</dt><dd>" << escape(value.str()) << "</dd></div>";
  };
  fact("GEMMs quantized", llvm::Twine(rewritten));
  for (auto [reason, count] : left)
    fact(("left: " + reason).str(), llvm::Twine(count));
  if (notRun)
    fact("rewritten, not run", llvm::Twine(notRun));
  if (!own.name.empty())
    fact("recipe", own.name);
  if (!own.hash.empty())
    fact("recipe's hash", own.hash);
  fact("seed", llvm::Twine(report.seed));
  fact("step", llvm::Twine(report.step));
  fact("compiler", "ufp4 " + llvm::Twine(kVersion));
  os << "</dl>\n";
}

void Page::writeSummary() {
  os << "<section><h2>By recipe</h2>\n<div class='wide'><table id='recipes'><thead>"
        "<tr><th rowspan='2'>recipe</th><th colspan='2' class='group'>product of α</th>"
        "<th colspan='3' class='group'>mean SQNR, dB</th>"
        "<th rowspan='2' class='num first'>most zeros, %</th>"
        "<th rowspan='2' class='num'>most saturated, %</th></tr>\n<tr>"
        "<th class='num first'>fprop</th><th class='num'>dgrad</th><th class='num first'>fprop</th>"
        "<th class='num'>dgrad</th><th class='num'>wgrad</th></tr></thead><tbody>\n";
  for (auto [i, recipe] : llvm::enumerate(report.recipes)) {
    os << "<tr><td><svg width='14' height='14' aria-hidden='true' style='vertical-align:-2px'>";
    writeMark(os, i, 7, 7, kMarkSize, getName(i));
    os << "</svg> " << escape(getName(i)) << "</td>";
    auto cell = [&](const std::string &text) { os << "<td class='num'>" << text << "</td>"; };
    for (std::optional<double> value : recipe.alphaProduct)
      cell(factor(value));
    for (std::optional<double> value : recipe.sqnr)
      cell(decibels(value));
    cell(percent(recipe.zeroed));
    cell(percent(recipe.clipped));
    os << "</tr>\n";
  }
  os << "</tbody></table></div></section>\n";
}

void Page::writeGemms() {
  os << "<section><h2>GEMM by GEMM</h2>\n<p class='soft'>Every matmul of the step in the program's "
        "order; a click on a heading sorts.</p>\n"
        "<div class='wide'><table id='gemms' class='sorts'><thead><tr>"
        "<th colspan='5'></th>";
  size_t recipes = report.recipes.size();
  for (StringRef title : {"SQNR, dB", "α"})
    os << "<th class='group' colspan='" << recipes << "'>" << title << "</th>";
  os << "</tr>\n<tr>";
  for (StringRef title : {"gemm", "role", "layer", "batch × m × n × k", "scheme"})
    os << "<th class='by'>" << title << "</th>";
  for (int quantity = 0; quantity < 2; ++quantity)
    for (size_t i = 0; i < recipes; ++i)
      os << "<th class='num by" << (i ? "" : " first") << "'>" << escape(getName(i)) << "</th>";
  os << "</tr></thead><tbody>\n";
  for (const GemmReport &gemm : report.gemms) {
    bool isLeft = !gemm.reason.empty();
    os << (isLeft ? "<tr class='left'>" : "<tr>") << "<td>" << gemm.gemm << "</td><td>" << gemm.role
       << "</td><td>" << escape(gemm.layer) << "</td><td>";
    if (llvm::any_of(gemm.extents, [](const auto &extent) { return extent.has_value(); }))
      llvm::interleave(
          gemm.extents, os,
          [&](std::optional<int64_t> extent) {
            os << (extent ? std::to_string(*extent) : std::string("?"));
          },
          " × ");
    os << "</td><td>";
    if (isLeft)
      os << "left: " << gemm.reason;
    else if (gemm.operands.empty())
      os << "not run";
    // The operands of a GEMM differ in rows of blocks at most (G1).
    for (const OperandReport &operand : gemm.operands) {
      const numerics::Scheme &scheme = operand.recipes.front()->plan.scheme;
      bool isFirst = &operand == &gemm.operands.front();
      if (isFirst || scheme != gemm.operands.front().recipes.front()->plan.scheme)
        os << (isFirst ? "" : "; ") << describe(scheme);
    }
    os << "</td>";
    auto cells = [&](llvm::function_ref<std::string(const QuantizeError &)> text) {
      for (size_t i = 0; i < recipes; ++i)
        os << "<td class='num" << (i ? "" : " first") << "'>"
           << (gemm.recipes.empty() ? ""
               : gemm.recipes[i]    ? text(gemm.recipes[i]->error)
                                    : "left")
           << "</td>";
    };
    cells([](const QuantizeError &error) { return decibels(error.sqnr); });
    cells([](const QuantizeError &error) { return factor(error.alpha); });
    os << "</tr>\n";
  }
  os << "</tbody></table></div></section>\n";
}

void Page::writeOperands() {
  os << "<details><summary>Operand by operand</summary>\n<div class='wide'><table id='operands' "
        "class='sorts'><thead><tr>";
  for (StringRef title : {"gemm", "role", "layer", "operand", "recipe", "plan"})
    os << "<th class='by'>" << title << "</th>";
  for (StringRef title : {"SQNR, dB", "α", "saturated, %", "zeros, %", "product of α"})
    os << "<th class='num by'>" << title << "</th>";
  os << "</tr></thead><tbody>\n";
  for (const GemmReport &gemm : report.gemms)
    for (const OperandReport &operand : gemm.operands)
      for (size_t i = 0; i < report.recipes.size(); ++i) {
        os << "<tr><td>" << gemm.gemm << "</td><td>" << gemm.role << "</td><td>"
           << escape(gemm.layer) << "</td><td>" << (operand.operand ? "rhs" : "lhs");
        if (!operand.member.empty())
          os << ": " << operand.member;
        if (operand.quantizedBy != gemm.gemm)
          os << ", shared with " << operand.quantizedBy;
        os << "</td><td>" << escape(getName(i)) << "</td>";
        if (const auto &judgement = operand.recipes[i]) {
          const QuantizeError &error = judgement->error;
          os << "<td>" << describe(judgement->plan) << "</td>";
          for (const std::string &text :
               {decibels(error.sqnr), factor(error.alpha), percent(error.clipped),
                percent(error.zeroed), factor(gemm.recipes[i]->alphaProduct)})
            os << "<td class='num'>" << text << "</td>";
        } else {
          os << "<td>left</td><td></td><td></td><td></td><td></td><td></td>";
        }
        os << "</tr>\n";
      }
  os << "</tbody></table></div></details>\n";
}

void Page::writeLeft() {
  if (llvm::all_of(report.gemms, [](const GemmReport &gemm) { return gemm.reason.empty(); }))
    return;
  os << "<section><h2>Matmuls left alone</h2>\n<div class='wide'><table "
        "id='left'><thead><tr><th>gemm"
        "</th><th>role</th><th>layer</th><th>reason</th><th>because</th></tr></thead><tbody>\n";
  for (const GemmReport &gemm : report.gemms)
    if (!gemm.reason.empty())
      os << "<tr><td>" << gemm.gemm << "</td><td>" << gemm.role << "</td><td>" << escape(gemm.layer)
         << "</td><td>" << gemm.reason << "</td><td class='text'>" << escape(gemm.message)
         << "</td></tr>\n";
  os << "</tbody></table></div></section>\n";
}

/// What the page shows, for programs; a `<` in a string cannot end the element.
void Page::writeJSON() {
  std::string text;
  llvm::raw_string_ostream(text) << toJSON(report);
  os << "<script type='application/json' id='report'>";
  for (char c : text)
    if (c == '<')
      os << "\\u003c";
    else
      os << c;
  os << "</script>\n";
}

void Page::write() {
  os << "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>\n"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>\n<title>UFP4 report"
     << (report.module.empty() ? "" : ": " + escape(report.module)) << "</title>\n<style>" << kStyle
     << "</style></head>\n<body>\n"
     << kMarks << "<main>\n";
  writeHeader();
  writeSummary();
  writePlots();
  writeGemms();
  writeOperands();
  writeLeft();
  os << "</main>\n";
  writeJSON();
  os << "<script>" << kScript << "</script>\n</body></html>\n";
}

} // namespace

void writeReportHTML(const Report &report, raw_ostream &os) { Page(report, os).write(); }

} // namespace ufp4
