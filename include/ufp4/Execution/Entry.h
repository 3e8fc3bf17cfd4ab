//===- Entry.h - A function to run and what it takes ------------*- C++ -*-===//

#ifndef UFP4_EXECUTION_ENTRY_H
#define UFP4_EXECUTION_ENTRY_H

#include "ufp4/Execution/Array.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ufp4 {

/// The attribute of the argument that carries seed and step: tensor<3xi32>, seed low, seed high,
/// step.
inline constexpr llvm::StringLiteral kRngArgumentAttr = "ufp4.rng";
/// The attribute of an argument that carries its name.
inline constexpr llvm::StringLiteral kArgumentNameAttr = "ufp4.name";
/// The attribute of a function that lists its `ExtentRule`s, arrays of an argument, a dimension and
/// either a number or another argument and its dimension.
inline constexpr llvm::StringLiteral kExtentsAttr = "ufp4.extents";

/// One argument or result; extents may be dynamic.
struct TensorSignature {
  ElementType type = ElementType::F32;
  std::vector<int64_t> shape;
  std::string name;
};

/// A dynamic extent of an argument that must be `value` or, without one, an extent of an argument
/// before.
struct ExtentRule {
  unsigned argument, dim;
  std::optional<int64_t> value;
  unsigned otherArgument = 0, otherDim = 0;
};

/// What a function takes and gives, read while it is still on tensors.
struct EntrySignature {
  std::string name;
  std::vector<TensorSignature> arguments, results;
  /// The argument that seed and step go to.
  std::optional<unsigned> rng;
  std::vector<ExtentRule> extentRules;

  /// Arguments that the user gives: all but the rng one.
  unsigned inputCount() const { return arguments.size() - (rng ? 1 : 0); }
};

/// The function called `name`, or the only public one if `name` is empty.
llvm::Expected<mlir::func::FuncOp> findEntry(mlir::ModuleOp module, llvm::StringRef name);

/// Reads the signature of a function on ranked tensors.
llvm::Expected<EntrySignature> readSignature(mlir::func::FuncOp function);

/// Why `inputs`, the rng argument left out, do not fit the signature.
llvm::Error verifyInputs(const EntrySignature &signature, llvm::ArrayRef<ArrayView> inputs);

/// The elements of the rng argument.
std::array<uint32_t, 3> rngWords(uint64_t seed, uint32_t step);

/// Checks `inputs` against the signature and puts the rng argument in its place.
llvm::Expected<std::vector<Array>> bindInputs(const EntrySignature &signature,
                                              std::vector<Array> inputs, uint64_t seed,
                                              uint32_t step);

/// Random inputs for the signature, without the rng argument; dynamic extents are an error.
llvm::Expected<std::vector<Array>> randomInputs(const EntrySignature &signature, uint64_t seed);

} // namespace ufp4

#endif // UFP4_EXECUTION_ENTRY_H
