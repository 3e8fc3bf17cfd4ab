//===- Report.h - What quantizing did to each operand -----------*- C++ -*-===//

#ifndef UFP4_EXECUTION_REPORT_H
#define UFP4_EXECUTION_REPORT_H

#include "ufp4/Execution/QuantizedDump.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace ufp4 {

/// The error of one operand over all executions of its quantize, measured in f64 in the rotated
/// domain, where x' is what the codes approximate.
struct OperandReport {
  QuantizeSite site;
  size_t executions = 0;
  /// Signal over error, in dB; infinite where the codes are exact.
  double sqnr = 0;
  /// ⟨Q(x'), x'⟩ / ⟨x', x'⟩: below one the operand shrinks.
  double alpha = 1;
  /// Share of elements whose t exceeds the grid's greatest magnitude by more than half a step, and
  /// share of nonzero elements that became zero.
  double clipped = 0, zeroed = 0;
};

/// One report per site, in the order of the records.
std::vector<OperandReport> reportOperands(llvm::ArrayRef<QuantizeRecord> records);

/// Writes the reports per GEMM, with the product of α along the GEMMs of each role up to there.
/// `recipe`: the hash of the recipe that the module was rewritten by, or empty.
void writeReportJSON(llvm::ArrayRef<OperandReport> operands, llvm::StringRef recipe,
                     llvm::raw_ostream &os);
void writeReportText(llvm::ArrayRef<OperandReport> operands, llvm::raw_ostream &os);

} // namespace ufp4

#endif // UFP4_EXECUTION_REPORT_H
