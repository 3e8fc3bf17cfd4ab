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

namespace {
/// A folder by one spelling: of what is there the real path, then the names that are not.
struct Resolved {
  llvm::SmallString<256> place, missing;

  std::string path() const {
    llvm::SmallString<256> path(place);
    if (!missing.empty())
      llvm::sys::path::append(path, missing);
    return path.str().str();
  }
};
} // namespace

static Expected<Resolved> resolve(StringRef target) {
  auto refuse = [&](std::error_code code) {
    return fail(target, "cannot create the output folder", code);
  };
  llvm::SmallString<256> path(target);
  if (std::error_code code = llvm::sys::fs::make_absolute(path))
    return refuse(code);
  // Of a link `..` is not what precedes it, so dots are not removed from what is there.
  llvm::SmallVector<StringRef> names;
  StringRef place = path;
  llvm::sys::fs::file_status status;
  while (std::error_code code = llvm::sys::fs::status(place, status)) {
    llvm::sys::fs::file_status link;
    if (!llvm::sys::fs::status(place, link, /*follow=*/false) &&
        link.type() == llvm::sys::fs::file_type::symlink_file)
      return llvm::createStringError(
          code, "%s: expected a folder for the output, found a link to what is not there",
          place.str().c_str());
    if (code != std::errc::no_such_file_or_directory && code != std::errc::not_a_directory)
      return refuse(code);
    names.push_back(llvm::sys::path::filename(place));
    place = llvm::sys::path::parent_path(place);
  }
  if (!llvm::sys::fs::is_directory(status))
    return llvm::createStringError(std::errc::not_a_directory,
                                   "%s: expected a folder for the output, found a file",
                                   (names.empty() ? target : place).str().c_str());
  Resolved resolved;
  if (std::error_code code = llvm::sys::fs::real_path(place, resolved.place))
    return refuse(code);
  for (StringRef name : llvm::reverse(names))
    llvm::sys::path::append(resolved.missing, name);
  llvm::sys::path::remove_dots(resolved.missing, /*remove_dot_dot=*/true);
  return resolved;
}

Expected<OutputDirectory> OutputDirectory::create(StringRef target) {
  Expected<Resolved> resolved = resolve(target);
  if (!resolved)
    return resolved.takeError();
  // The staging folder must be on the target's file system for renames to work.
  llvm::SmallString<256> model(resolved->place), staging;
  llvm::sys::path::append(model, ".ufp4-%%%%%%%%");
  llvm::sys::fs::createUniquePath(model, staging, /*MakeAbsolute=*/false);
  if (std::error_code code = llvm::sys::fs::create_directory(staging, /*IgnoreExisting=*/false,
                                                             llvm::sys::fs::all_all))
    return fail(target,
                resolved->missing.empty() ? "cannot write into the output folder"
                                          : "cannot create the output folder",
                code);
  return OutputDirectory(resolved->path(), staging.str().str());
}

bool OutputDirectory::isAt(StringRef other) const {
  Expected<Resolved> resolved = resolve(other);
  if (resolved)
    return resolved->path() == target;
  llvm::consumeError(resolved.takeError());
  return false;
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

Error OutputDirectory::verify() const {
  Expected<llvm::StringSet<>> made = listFiles(staging);
  if (!made)
    return made.takeError();
  for (const auto &file : *made) {
    llvm::SmallString<256> place(target);
    llvm::sys::path::append(place, file.getKey());
    if (llvm::sys::fs::is_directory(place))
      return fail(place, "cannot write", std::make_error_code(std::errc::is_a_directory));
  }
  return Error::success();
}

Error OutputDirectory::commit(StringRef earlier) {
  if (!llvm::sys::fs::exists(target)) {
    if (std::error_code code = llvm::sys::fs::create_directories(
            llvm::sys::path::parent_path(target), /*IgnoreExisting=*/true, llvm::sys::fs::all_all))
      return fail(target, "cannot create the output folder", code);
    if (std::error_code code = llvm::sys::fs::rename(staging, target))
      return fail(target, "cannot write the output folder", code);
    staging.clear();
    return Error::success();
  }
  // Nothing is touched where something could not be replaced.
  if (Error error = verify())
    return error;
  Expected<llvm::StringSet<>> made = listFiles(staging), old = listFiles(target);
  if (!made || !old)
    return llvm::joinErrors(made.takeError(), old.takeError());
  auto place = [&](StringRef name) {
    llvm::SmallString<256> path(target);
    llvm::sys::path::append(path, name);
    return path;
  };
  llvm::Regex isEarlier(earlier);
  for (const auto &file : *old)
    if (isEarlier.match(file.getKey()) && !made->contains(file.getKey()))
      if (std::error_code code = llvm::sys::fs::remove(place(file.getKey())))
        return fail(place(file.getKey()), "cannot remove an earlier run's file", code);
  for (const auto &file : *made)
    if (std::error_code code = llvm::sys::fs::rename(path(file.getKey()), place(file.getKey())))
      return fail(place(file.getKey()), "cannot write", code);
  return Error::success();
}

} // namespace ufp4
