//===- Npy.h - .npy and .npz files ------------------------------*- C++ -*-===//
//
// NumPy's array files (format versions 1 to 3) in C order, and zip archives of them, stored or
// deflated. bf16 is `<V2`, as ml_dtypes writes it. Every error names the file, what was expected
// and what was found; no file, however damaged, is trusted.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_EXECUTION_NPY_H
#define UFP4_EXECUTION_NPY_H

#include "ufp4/Execution/Array.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>

namespace ufp4 {

llvm::Expected<Array> readNpy(llvm::StringRef path);

/// Reads an array from the bytes of a .npy file; `name` stands for it in errors.
llvm::Expected<Array> parseNpy(llvm::StringRef bytes, llvm::StringRef name);

/// The bytes of a .npy file that holds `array`.
std::string formatNpy(const Array &array);

llvm::Error writeNpy(llvm::StringRef path, const Array &array);

/// The arrays of a .npz by name, without the `.npy`. `wanted`, if given, says which members are
/// read at all.
llvm::Expected<std::map<std::string, Array>>
readNpz(llvm::StringRef path, llvm::function_ref<bool(llvm::StringRef)> wanted = nullptr);

llvm::Expected<std::map<std::string, Array>>
parseNpz(llvm::StringRef bytes, llvm::StringRef name,
         llvm::function_ref<bool(llvm::StringRef)> wanted = nullptr);

/// Writes a .npz with stored members.
llvm::Error writeNpz(llvm::StringRef path, const std::map<std::string, Array> &arrays);

} // namespace ufp4

#endif // UFP4_EXECUTION_NPY_H
