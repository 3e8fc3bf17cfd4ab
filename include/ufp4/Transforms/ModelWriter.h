//===- ModelWriter.h - writes quantized GEMMs in a model's dialect -*- C++ -*-===//
//
// The rewriting decides what becomes quantized, what is shared and what is drawn from which stream;
// a writer spells that in the dialect of the model: ufp4 operations among upstream ones, or custom
// calls among StableHLO's.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TRANSFORMS_MODELWRITER_H
#define UFP4_TRANSFORMS_MODELWRITER_H

#include "mlir/IR/Builders.h"
#include "ufp4/Analysis/OperandLayout.h"
#include "ufp4/Transforms/Recipe.h"

namespace ufp4 {

/// Seed and step at some place, as the values that a dialect holds them in.
using SeedState = llvm::SmallVector<mlir::Value, 2>;

/// A quantize, shared by every GEMM that reads the same value in the same way.
struct SharedQuantize {
  const OperandPlan *plan;
  /// Empty when rounding is to nearest.
  SeedState state;
  /// The least stream among the GEMMs that share it.
  uint32_t stream;
  /// Where the first of them stands.
  mlir::Block *block;
  /// What writers made of it: a quantize of its own, or the calls that hold one and the side.
  llvm::SmallVector<std::pair<mlir::Operation *, unsigned>> written;

  bool isStochastic() const { return plan->rounding == Rounding::Stochastic; }
};

/// A GEMM to write, as the rewriting has decided it.
struct QuantizedGemm {
  const GemmInfo &info;
  const ContractionView &view;
  const GemmLayout &layout;
  llvm::StringRef recipe;
  SharedQuantize *operands[2];
};

class ModelWriter {
public:
  virtual ~ModelWriter() = default;

  //===--------------------------------------------------------------------===//
  // Seeds (Q7, Q10)
  //===--------------------------------------------------------------------===//

  /// What a private function takes.
  virtual llvm::SmallVector<mlir::Type> getSeedTypes(mlir::MLIRContext *context) const = 0;
  /// What the mark on a public function's argument says.
  virtual mlir::Attribute getRngMark(mlir::MLIRContext *context) const = 0;
  /// Takes a tensor<3xi32> of seed low, seed high and step apart, and puts it together.
  virtual SeedState unpack(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value rng) = 0;
  virtual mlir::Value pack(mlir::OpBuilder &builder, mlir::Location loc,
                           const SeedState &state) = 0;
  virtual SeedState getConstant(mlir::OpBuilder &builder, mlir::Location loc, uint64_t seed,
                                uint32_t step) = 0;
  /// Folds the ordinal of a call into a seed.
  virtual SeedState foldIn(mlir::OpBuilder &builder, mlir::Location loc, const SeedState &state,
                           int64_t ordinal) = 0;
  /// Whether a region of the operation has a state of its own (a loop), or has its parent's (a
  /// branch), or cannot draw.
  enum class Scope { Own, Parents, None };
  virtual Scope getScope(mlir::Operation *op) const = 0;
  /// Gives loops around `ops` a counter of their trips where they have none.
  virtual void addTripCounters(llvm::ArrayRef<mlir::Operation *> ops) = 0;
  /// The state in a region whose operation has Scope::Own, from the state around the operation.
  virtual SeedState enter(mlir::Region &region, const SeedState &outer) = 0;

  //===--------------------------------------------------------------------===//
  // GEMMs
  //===--------------------------------------------------------------------===//

  /// Whether this writer knows the operation's dialect.
  virtual bool canWrite(mlir::Operation *op) const = 0;
  /// Why it cannot write a GEMM of this shape; nothing: it can.
  virtual std::optional<std::string> getShapeObstacle(const ContractionView &view) const = 0;
  /// Why its operands are no parts (Q8) that can be quantized by `plans`; nothing: they are whole
  /// or can.
  virtual std::optional<std::string> getPartObstacle(const GemmInfo &,
                                                     llvm::ArrayRef<const OperandPlan *>) {
    return std::nullopt;
  }
  /// Gives operands that a body rounds (`lhsRounding`) their rounded values.
  virtual void roundOperands(mlir::OpBuilder &builder, ContractionView &view) = 0;
  /// Writes a GEMM before its operation; the result replaces the operation's.
  virtual mlir::Value write(mlir::OpBuilder &builder, const QuantizedGemm &gemm) = 0;
  /// Writes what is known of a quantize only when every GEMM is written: its stream.
  virtual void finish(const SharedQuantize &quantize) = 0;
  /// Tidies up what rewriting has left behind.
  virtual void finish(mlir::ModuleOp module) = 0;
};

/// linalg on tensors: `ufp4.quantize` and `ufp4.matmul`, scalars of arith, loops of scf.
std::unique_ptr<ModelWriter> createTensorWriter();

/// StableHLO in generic form: the custom call of docs/custom-call.md.
std::unique_ptr<ModelWriter> createCustomCallWriter(mlir::ModuleOp module,
                                                    const Frontends &frontends);

} // namespace ufp4

#endif // UFP4_TRANSFORMS_MODELWRITER_H
