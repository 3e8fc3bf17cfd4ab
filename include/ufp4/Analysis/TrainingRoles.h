//===- TrainingRoles.h - which GEMM is which --------------------*- C++ -*-===//
//
// A linear layer's three GEMMs share operands in a triangle: fprop (x, w), dgrad (dy, w) and wgrad
// (x, dy), each contracting what the others keep. A parameter is an argument that one side of a
// GEMM reaches through views and whose gradient the function computes: a GEMM that pairs the other
// two members of the triangle reaches a result with as many elements. Or one that the user names.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_ANALYSIS_TRAININGROLES_H
#define UFP4_ANALYSIS_TRAININGROLES_H

#include "mlir/IR/BuiltinOps.h"
#include "ufp4/Analysis/ContractionView.h"

#include "ufp4/Analysis/AnalysisEnums.h.inc"

namespace ufp4 {

/// The attribute by which a user says what a GEMM is: a dictionary of `role`, `layer`, `stream`.
inline constexpr llvm::StringLiteral kGemmAttr = "ufp4.gemm";

/// The members of the triangle.
enum class Member { X, W, DY, None };
llvm::StringRef stringifyMember(Member member);

/// What is known of one matmul-like operation.
struct GemmInfo {
  ContractionView view;
  /// The position among all matmul-like operations (Q9).
  unsigned index = 0;
  /// The index that its streams come from: an earlier GEMM's where this one is recomputed.
  unsigned streamIndex = 0;
  Role role = Role::None;
  Reason reason = Reason::None;
  std::string message;
  /// Which member of the triangle each operand is.
  Member members[2] = {Member::None, Member::None};
  /// The parameter: its argument number and name in the public function; -1: none.
  int parameter = -1;
  std::string parameterName;
  std::string layer;
};

/// Finds every matmul-like operation of a module and its role, in the order of Q9. `params` names
/// parameters (argument numbers or names); an unknown one is an error that lists the known.
mlir::FailureOr<std::vector<GemmInfo>> analyzeTraining(mlir::ModuleOp module,
                                                       const Frontends &frontends,
                                                       llvm::ArrayRef<std::string> params);

} // namespace ufp4

#endif // UFP4_ANALYSIS_TRAININGROLES_H
