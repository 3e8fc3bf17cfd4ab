//===- OutputDirectory.cpp - Folders written whole or not at all ----------===//

#include "ufp4/Execution/OutputDirectory.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace ufp4 {

static Error fail(StringRef path, StringRef what, std::error_code code) {
  return llvm::createStringError(code, "%s: %s: %s", path.str().c_str(), what.str().c_str(),
                                 code.message().c_str());
}

OutputDirectory::OutputDirectory(std::string target, std::string staging)
    : target(std::move(target)), staging(std::move(staging)) {}

OutputDirectory::OutputDirectory(OutputDirectory &&other)
    : target(std::move(other.target)), staging(std::move(other.staging)) {
  other.staging.clear();
}

OutputDirectory::~OutputDirectory() {
  if (!staging.empty())
    (void)llvm::sys::fs::remove_directories(staging);
}

/// Absolute, without dots, and without a separator at the end.
static Expected<std::string> normalize(StringRef target) {
  llvm::SmallString<256> absolute(target);
  if (std::error_code code = llvm::sys::fs::make_absolute(absolute))
    return fail(target, "cannot find the output folder", code);
  llvm::sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  while (absolute.size() > 1 && llvm::sys::path::is_separator(absolute.back()))
    absolute.pop_back();
  return absolute.str().str();
}

Expected<OutputDirectory> OutputDirectory::create(StringRef target) {
  Expected<std::string> absolute = normalize(target);
  if (!absolute)
    return absolute.takeError();
  // The staging folder must be on the target's file system for renames to work.
  llvm::SmallString<256> place(*absolute);
  while (!llvm::sys::fs::exists(place) && llvm::sys::path::has_parent_path(place))
    llvm::sys::path::remove_filename(place);
  bool isThere = place == *absolute;
  if (!llvm::sys::fs::is_directory(place))
    return llvm::createStringError(std::errc::not_a_directory,
                                   "%s: expected a folder for the output, found a file",
                                   isThere ? target.str().c_str() : place.c_str());
  llvm::sys::path::append(place, ".ufp4-%%%%%%%%");
  llvm::SmallString<256> staging;
  llvm::sys::fs::createUniquePath(place, staging, /*MakeAbsolute=*/false);
  if (std::error_code code = llvm::sys::fs::create_directory(staging, /*IgnoreExisting=*/false,
                                                             llvm::sys::fs::all_all))
    return fail(target,
                isThere ? "cannot write into the output folder" : "cannot create the output folder",
                code);
  return OutputDirectory(*absolute, staging.str().str());
}

bool OutputDirectory::isAt(StringRef other) const {
  Expected<std::string> absolute = normalize(other);
  if (!absolute) {
    llvm::consumeError(absolute.takeError());
    return false;
  }
  return *absolute == target || llvm::sys::fs::equivalent(*absolute, target);
}

std::string OutputDirectory::path(StringRef name) const {
  llvm::SmallString<256> result(staging);
  llvm::sys::path::append(result, name);
  return result.str().str();
}

/// The files of a folder, by name; folders in it are left out.
static Expected<llvm::StringSet<>> listFiles(StringRef folder) {
  llvm::StringSet<> files;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(folder, code), end; it != end && !code;
       it.increment(code))
    if (!llvm::sys::fs::is_directory(it->path()))
      files.insert(llvm::sys::path::filename(it->path()));
  if (code)
    return fail(folder, "cannot read", code);
  return files;
}

/// The names that a run gives: out0.npy, q0_g0_0_codes.npy, index.json, report.html.
static bool isOurs(StringRef name) {
  return name == "index.json" || name == "report.html" ||
         llvm::Regex("^(out[0-9]+|q[0-9]+_[a-z0-9_]+)[.]npy$").match(name);
}

Error OutputDirectory::commit() {
  if (!llvm::sys::fs::exists(target)) {
    if (std::error_code code = llvm::sys::fs::create_directories(
            llvm::sys::path::parent_path(target), /*IgnoreExisting=*/true, llvm::sys::fs::all_all))
      return fail(target, "cannot create the output folder", code);
    if (std::error_code code = llvm::sys::fs::rename(staging, target))
      return fail(target, "cannot write the output folder", code);
    staging.clear();
    return Error::success();
  }
  Expected<llvm::StringSet<>> made = listFiles(staging), old = listFiles(target);
  if (!made || !old)
    return llvm::joinErrors(made.takeError(), old.takeError());
  auto place = [&](StringRef name) {
    llvm::SmallString<256> path(target);
    llvm::sys::path::append(path, name);
    return path;
  };
  // Nothing is touched where something could not be replaced.
  for (const auto &file : *made)
    if (llvm::sys::fs::is_directory(place(file.getKey())))
      return fail(place(file.getKey()), "cannot write",
                  std::make_error_code(std::errc::is_a_directory));
  for (const auto &file : *old)
    if (isOurs(file.getKey()) && !made->contains(file.getKey()))
      if (std::error_code code = llvm::sys::fs::remove(place(file.getKey())))
        return fail(place(file.getKey()), "cannot remove an earlier run's file", code);
  for (const auto &file : *made)
    if (std::error_code code = llvm::sys::fs::rename(path(file.getKey()), place(file.getKey())))
      return fail(place(file.getKey()), "cannot write", code);
  return Error::success();
}

} // namespace ufp4
