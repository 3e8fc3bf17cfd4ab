//===- QuantizeStore.h - Writing runs into an operand storage ---*- C++ -*-===//
//
// The formulas of OperandStorage::locate as code: where a run of codes and its scales lie, and how
// they are stored there.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_CONVERSION_UFP4TOGPU_QUANTIZESTORE_H
#define UFP4_LIB_CONVERSION_UFP4TOGPU_QUANTIZESTORE_H

#include "ufp4/Target/Emission.h"
#include "ufp4/Target/LaneMajorScaledStorage.h"
#include "ufp4/Target/OperandStorage.h"
#include "llvm/Support/ErrorHandling.h"

#include <memory>

namespace ufp4 {

/// A run of a row, and the sizes of the view it is in; i32 values.
struct RunPlace {
  mlir::Value g, row, k;
  mlir::Value rows, paddedK;
  /// Positions along K of the storage; null for what it pads K to.
  mlir::Value storedDepth;
};

/// What a storage makes of codes.
enum class CodeForm : uint8_t {
  /// Themselves, eight to a word, the first in the lowest nibble.
  Nibbles,
  /// Their levels as bf16, two to a word, the first in the lower half; code 8 is +0.
  BF16,
  /// Bytes of twice their levels with the sign in the highest bit, four to a word, the first in the
  /// lowest; code 8 is 0.
  FP8,
  /// Their levels times their scales as bf16, as in BF16.
  Products,
  /// As LaneForm::Split has them, sixteen to two words.
  Split,
  /// Those of e1m2 as E2M3, bytes of sign, two zeros and code behind two zeros, four to a word, the
  /// first in the lowest.
  E2M3,
};

/// Stores one run, whose length and first k are multiples of rotation and block.
class RunWriter {
public:
  virtual ~RunWriter();

  /// The view with the storage's padding, OperandStorage::pads.
  virtual mlir::Value paddedRows(target::KernelBuilder &b, mlir::Value rows) const = 0;
  virtual mlir::Value paddedDepth(target::KernelBuilder &b, mlir::Value paddedK) const = 0;
  mlir::Value storedDepth(target::KernelBuilder &b, const RunPlace &place) const {
    return place.storedDepth ? place.storedDepth : paddedDepth(b, place.paddedK);
  }

  /// What `storeCodes` needs of the run's scales behind what `begin` returned, where codes are
  /// stored times their scales; `scales` and `isInView` as in `storeScales`, which is not called
  /// then.
  virtual llvm::SmallVector<mlir::Value> factors(target::KernelBuilder &, mlir::ValueRange scales,
                                                 mlir::Value isInView) const {
    return {};
  }
  virtual CodeForm form() const = 0;
  /// How many codes one `storeCodes` takes, a whole store.
  virtual unsigned codesAtOnce() const = 0;
  /// Addresses that the stores below share. Returns what they take as `run`.
  virtual llvm::SmallVector<mlir::Value> begin(target::KernelBuilder &b, const RunPlace &place,
                                               mlir::Value codes, mlir::Value scales) const = 0;
  /// Codes, i32 values, from position `first` of the run on.
  virtual void storeCodes(target::KernelBuilder &b, mlir::ValueRange run, unsigned first,
                          mlir::ValueRange codes) const = 0;
  /// The run's scales as numerics stores them, f32 or i8 values. Where `isInView` is false they are
  /// padding, and zeros are stored.
  virtual void storeScales(target::KernelBuilder &b, mlir::ValueRange run, mlir::ValueRange scales,
                           mlir::Value isInView) const = 0;

  /// What `begin` returns for the run that lies `rows` and `depth` further than its: powers of two
  /// or 0, whose bit the place's row and k do not have. Rows do not leave the tile, and are 1 or a
  /// multiple of 32.
  virtual llvm::SmallVector<mlir::Value> move(target::KernelBuilder &b, const RunPlace &place,
                                              mlir::ValueRange run, unsigned rows,
                                              unsigned depth) const {
    llvm_unreachable("this form has no short way");
  }
  /// `storeCodes` for words of `form`, at most 16 bytes, of runs that follow one another in the
  /// row.
  virtual void storeWords(target::KernelBuilder &b, mlir::ValueRange run, unsigned first,
                          mlir::ValueRange words) const {
    llvm_unreachable("this form has no short way");
  }
  /// Scales in the view as this storage has them: decoded to f32 beside bf16.
  virtual void storeScaleWords(target::KernelBuilder &b, mlir::ValueRange run,
                               mlir::ValueRange scales) const {
    llvm_unreachable("this form has no short way");
  }
};

/// x up to the next multiple of a power of two.
mlir::Value alignUp(target::KernelBuilder &b, mlir::Value x, unsigned multiple);
/// Eight codes a word, the first in the lowest nibble.
llvm::SmallVector<mlir::Value> packCodes(target::KernelBuilder &b, mlir::ValueRange codes);

/// Words of a storage's form from words of nibbles, codes of a format.
llvm::SmallVector<mlir::Value> toLaneForm(target::KernelBuilder &b,
                                          const target::LaneMajorScaledStorage &storage,
                                          numerics::Format format, mlir::ValueRange nibbles);

/// Of storages in the order of lanes of block-scaled instructions.
std::unique_ptr<RunWriter> createScaledLanesWriter(const target::OperandStorage &storage,
                                                   const numerics::Scheme &scheme);

/// Null where no kernel writes the storage.
std::unique_ptr<RunWriter> createRunWriter(const target::OperandStorage &storage,
                                           const numerics::Scheme &scheme);

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOGPU_QUANTIZESTORE_H
