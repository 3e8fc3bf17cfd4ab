//===- CInterface.h - Compiled entries as functions of C --------*- C++ -*-===//
//
// docs/aot.md is the contract: one function of C per entry, which takes a structure of pointers to
// what is read and one of pointers to what is written, checks both and gives a status.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_DRIVER_CINTERFACE_H
#define UFP4_DRIVER_CINTERFACE_H

#include "ufp4/Execution/Entry.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace ufp4 {

/// A field of one of a function's two structures, for one argument or result: a pointer, followed
/// by its extents where they are not all static; for the rng argument, the seed followed by the
/// step.
struct CField {
  std::string name;
  /// The extents' name, or the step's; empty where there is none.
  std::string second;
};

struct CFunction {
  EntrySignature signature;
  std::string name;
  std::vector<CField> arguments, results;
};

class CInterface {
public:
  /// Names everything after `library`, which is an identifier of C, and after the signatures'
  /// names: what cannot stand in an identifier becomes `_`, a digit at the front and an empty name
  /// get `_` before them, a word that C or C++ reserves or a header may have taken gets `_` after
  /// it (docs/aot.md has the rule), and a name that an earlier one has taken gets `_2`, `_3` and
  /// so on.
  CInterface(std::string library, std::vector<EntrySignature> signatures);

  llvm::ArrayRef<CFunction> functions() const { return entries; }

  /// The text of a header for C99 and C++.
  std::string header() const;

  /// The `entries` and `statuses` of a manifest.
  llvm::json::Array entriesToJSON() const;
  llvm::json::Object statusesToJSON() const;

  /// Adds the functions to code that `buildUFP4ToCPUPipeline` made, with results returned or, if
  /// `outParams`, which they can be where none is dynamic, written to the caller's buffers; nothing
  /// else remains visible. The code is the pipeline's with `renameEntries`. Errors: its entries are
  /// not those of the signatures, a function has the name of one of the C library.
  llvm::Error addFunctions(llvm::Module &code, bool outParams) const;

  /// Whether any function gives memory that its caller has to free, which dynamic results are.
  bool allocates() const;

private:
  std::string library;
  std::vector<CFunction> entries;
};

/// Whether `text` is an identifier that C and C++ allow and do not reserve.
bool isCIdentifier(llvm::StringRef text);

} // namespace ufp4

#endif // UFP4_DRIVER_CINTERFACE_H
