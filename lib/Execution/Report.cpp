//===- Report.cpp - What quantizing did to each operand -------------------===//

#include "ufp4/Execution/Report.h"

#include "ufp4/Numerics/Rotate.h"
#include "ufp4/Support/Version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>
#include <map>

namespace json = llvm::json;

namespace ufp4 {

namespace {

/// Sums over every element of an operand's executions.
struct Sums {
  double signal = 0, cross = 0, error = 0;
  int64_t elements = 0, clipped = 0, nonzero = 0, zeroed = 0;
};

double scaleAt(const QuantizeRecord &record, int64_t index) {
  switch (record.site.scheme.scale) {
  case numerics::ScaleKind::F32:
    return record.scales.as<float>()[index];
  case numerics::ScaleKind::UE4M3:
    return double(numerics::decodeUE4M3(record.scales.as<uint8_t>()[index])) *
           record.global.value_or(0);
  case numerics::ScaleKind::UE8M0:
    return numerics::decodeUE8M0(record.scales.as<uint8_t>()[index]);
  }
  llvm_unreachable("unknown scale kind");
}

/// The view in f64, padded to whole blocks and rotated.
std::vector<double> rotatedView(const QuantizeRecord &record, int64_t paddedK) {
  numerics::ViewShape view = record.viewShape();
  numerics::Element element = record.input.type == ElementType::F32   ? numerics::Element::F32
                              : record.input.type == ElementType::F16 ? numerics::Element::F16
                                                                      : numerics::Element::BF16;
  std::vector<float> wide(view.g * view.r * view.k);
  numerics::rotateInto(record.input.data.data(), element, view, numerics::Rotation(), wide.data());
  std::vector<double> result(view.g * view.r * paddedK);
  const numerics::Rotation &rotation = record.site.scheme.rotation;
  for (int64_t row = 0; row < view.g * view.r; ++row) {
    double *out = result.data() + row * paddedK;
    std::copy_n(wide.data() + row * view.k, view.k, out);
    if (rotation)
      numerics::rotateF64(out, llvm::divideCeil(view.k, rotation.size), rotation);
  }
  return result;
}

void accumulate(const QuantizeRecord &record, Sums &sums) {
  const numerics::Scheme &scheme = record.site.scheme;
  numerics::ViewShape view = record.viewShape();
  int64_t paddedK = numerics::paddedK(scheme, view.k), blocks = paddedK / scheme.block;
  int64_t scaleRows = numerics::scaleRows(scheme, view.r);
  std::vector<double> values = rotatedView(record, paddedK);
  const auto *codes = record.codes.as<uint8_t>();
  double top = numerics::gMax(scheme.format);
  double limit = top + (top - numerics::level(scheme.format, numerics::levelCount - 2)) / 2;
  for (int64_t g = 0; g < view.g; ++g)
    for (int64_t r = 0; r < view.r; ++r)
      for (int64_t k = 0; k < paddedK; ++k) {
        int64_t flat = (g * view.r + r) * paddedK + k;
        double scale =
            scaleAt(record, (g * scaleRows + r / scheme.blockRows) * blocks + k / scheme.block);
        double x = values[flat];
        double q = numerics::decodeCode(scheme.format, codes[flat]) * scale;
        sums.signal += x * x;
        sums.cross += x * q;
        sums.error += (x - q) * (x - q);
        ++sums.elements;
        sums.clipped += scale > 0 && std::abs(x) / scale > limit;
        sums.nonzero += x != 0;
        sums.zeroed += x != 0 && (codes[flat] & 7) == 0;
      }
}

double share(int64_t part, int64_t whole) { return whole ? double(part) / double(whole) : 0; }

/// α of each GEMM's operands multiplied, and that product along the GEMMs of one role.
struct GemmReport {
  std::vector<const OperandReport *> operands;
  double alphaProduct = 1;
};

std::map<int64_t, GemmReport> byGemm(llvm::ArrayRef<OperandReport> operands) {
  std::map<int64_t, GemmReport> gemms;
  for (const OperandReport &operand : operands)
    gemms[operand.site.gemm].operands.push_back(&operand);
  std::map<std::string, double> products;
  for (auto &[gemm, report] : gemms) {
    auto [product, isNew] = products.try_emplace(report.operands.front()->site.role, 1.0);
    for (const OperandReport *operand : report.operands)
      product->second *= operand->alpha;
    // A shared quantize shrinks every GEMM that reads it.
    for (const OperandReport &operand : operands)
      if (operand.site.gemm != gemm && llvm::is_contained(operand.site.uses, gemm))
        product->second *= operand.alpha;
    report.alphaProduct = product->second;
  }
  return gemms;
}

/// JSON has no infinities and no NaN.
json::Value finite(double value) {
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}

} // namespace

std::vector<OperandReport> reportOperands(llvm::ArrayRef<QuantizeRecord> records) {
  std::vector<OperandReport> reports;
  std::vector<Sums> sums;
  std::map<std::pair<int64_t, unsigned>, size_t> places;
  for (const QuantizeRecord &record : records) {
    auto [place, isNew] =
        places.try_emplace({record.site.gemm, record.site.operand}, reports.size());
    if (isNew) {
      reports.emplace_back().site = record.site;
      sums.emplace_back();
    }
    ++reports[place->second].executions;
    accumulate(record, sums[place->second]);
  }
  for (auto [report, sum] : llvm::zip(reports, sums)) {
    report.sqnr = 10 * std::log10(sum.signal / sum.error);
    report.alpha = sum.signal == 0 ? 1 : sum.cross / sum.signal;
    report.clipped = share(sum.clipped, sum.elements);
    report.zeroed = share(sum.zeroed, sum.nonzero);
  }
  return reports;
}

void writeReportJSON(llvm::ArrayRef<OperandReport> operands, llvm::StringRef recipe,
                     llvm::raw_ostream &os) {
  json::Array gemms;
  for (const auto &[gemm, report] : byGemm(operands)) {
    json::Array list;
    for (const OperandReport *operand : report.operands) {
      json::Array uses;
      for (int64_t use : operand->site.uses)
        uses.push_back(use);
      list.push_back(json::Object{{"operand", static_cast<int64_t>(operand->site.operand)},
                                  {"uses", std::move(uses)},
                                  {"executions", static_cast<int64_t>(operand->executions)},
                                  {"scheme", toJSON(operand->site.scheme)},
                                  {"sqnr_db", finite(operand->sqnr)},
                                  {"alpha", finite(operand->alpha)},
                                  {"clipped", operand->clipped},
                                  {"zeroed", operand->zeroed}});
    }
    gemms.push_back(json::Object{{"gemm", gemm},
                                 {"role", report.operands.front()->site.role},
                                 {"operands", std::move(list)},
                                 {"alpha_product", finite(report.alphaProduct)}});
  }
  json::Object root{{"schema_version", kSchemaVersion},
                    {"compiler", ("ufp4 " + kVersion).str()},
                    {"recipe", recipe.empty() ? json::Value(nullptr) : json::Value(recipe)},
                    {"gemms", std::move(gemms)}};
  os << llvm::formatv("{0:2}\n", json::Value(std::move(root)));
}

void writeReportText(llvm::ArrayRef<OperandReport> operands, llvm::raw_ostream &os) {
  os << "gemm  role   operand  SQNR dB  alpha    clipped  zeroed   product of alpha\n";
  for (const auto &[gemm, report] : byGemm(operands))
    for (const OperandReport *operand : report.operands)
      os << llvm::formatv("{0,4}  {1,-6} {2,7}  {3,7:f2}  {4,7:f5}  {5,7:f5}  {6,7:f5}  {7,7:f5}\n",
                          gemm, operand->site.role, operand->site.operand, operand->sqnr,
                          operand->alpha, operand->clipped, operand->zeroed, report.alphaProduct);
}

} // namespace ufp4
