//===- OutputDirectory.h - Folders written whole or not at all --*- C++ -*-===//

#ifndef UFP4_EXECUTION_OUTPUTDIRECTORY_H
#define UFP4_EXECUTION_OUTPUTDIRECTORY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace ufp4 {

/// Collects files in a fresh hidden folder in the target, or in the nearest of its parents that is
/// there; `commit` moves them to the target, and without it the destructor removes them. Parents
/// are created by the commit.
class OutputDirectory {
public:
  /// Errors: the target or a parent is a file or a link to nothing, or cannot be written into.
  static llvm::Expected<OutputDirectory> create(llvm::StringRef target);
  OutputDirectory(OutputDirectory &&other);
  OutputDirectory &operator=(OutputDirectory &&) = delete;
  ~OutputDirectory();

  /// Whether `other` names the same folder.
  bool isAt(llvm::StringRef other) const;

  /// Where the file called `name` is to be written before the commit.
  std::string path(llvm::StringRef name) const;

  /// Whether every file can be put in its place: what several commits ask before the first.
  llvm::Error verify() const;
  /// `earlier`: a regular expression of the names that an earlier run may have given to files. They
  /// go where they are not given again; everything else is kept.
  llvm::Error commit(llvm::StringRef earlier);

private:
  OutputDirectory(std::string target, std::string staging);

  std::string target, staging;
};

} // namespace ufp4

#endif // UFP4_EXECUTION_OUTPUTDIRECTORY_H
