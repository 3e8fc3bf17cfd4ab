//===- Link.cpp - Object files to shared libraries ------------------------===//

#include "ufp4/Target/CPU/Link.h"

#include "ufp4/Support/Error.h"
#include "ufp4/Support/Programs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace ufp4;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static constexpr unsigned kTimeoutSeconds = 300;
static constexpr llvm::StringLiteral kDrivers[] = {"cc", "gcc", "clang"};
static constexpr llvm::StringLiteral kLinker = "ld.lld";

Expected<std::string> target::findLinker(StringRef choice) {
  if (!choice.empty()) {
    if (auto found = llvm::sys::findProgramByName(choice))
      return *found;
    return fail("--linker=" + choice + ": no such program, as a path or on the PATH");
  }
  for (StringRef driver : kDrivers)
    if (auto found = llvm::sys::findProgramByName(driver))
      return *found;
  if (auto found = llvm::sys::findProgramByName(kLinker))
    return *found;
  if (auto found = llvm::sys::findProgramByName(kLinker, {UFP4_LLVM_TOOLS_DIR}))
    return *found;
  return fail("no linker: looked for cc, gcc, clang and ld.lld on the PATH, and for ld.lld "
              "in " UFP4_LLVM_TOOLS_DIR "; install one (gcc, or LLVM's lld), or name it with "
              "--linker=PROGRAM");
}

/// A linker proper, rather than a compiler that calls one.
static bool isLinker(StringRef program) {
  StringRef name = llvm::sys::path::filename(program);
  return name == "ld" || name.starts_with("ld.") || name.starts_with("ld-");
}

Error target::linkSharedLibrary(StringRef linker, StringRef object, StringRef library) {
  StringRef name = llvm::sys::path::filename(library);
  std::vector<std::string> arguments{linker.str(), "-shared", "-o", library.str(), object.str()};
  if (isLinker(linker)) {
    // Libraries as they are installed everywhere; what the C library's development files add, a
    // step does not need.
    llvm::Triple triple(llvm::sys::getProcessTriple());
    std::string multiarch = (triple.getArchName() + "-linux-gnu").str();
    for (StringRef root : {"/lib", "/usr/lib"})
      for (StringRef folder : {"/" + multiarch, std::string("64"), std::string()})
        arguments.push_back(("-L" + root + folder).str());
    llvm::append_range(arguments, std::vector<std::string>{"-soname", name.str(), "-z", "defs",
                                                           "-l:libm.so.6", "-l:libc.so.6"});
  } else {
    llvm::append_range(arguments,
                       std::vector<std::string>{("-Wl,-soname," + name).str(), "-Wl,-z,defs",
                                                "-Wl,-z,noexecstack", "-static-libgcc", "-lm"});
  }
  TemporaryFolder folder;
  if (Error error = folder.create())
    return error;
  std::string output = folder.file("output");
  std::vector<StringRef> views(arguments.begin(), arguments.end());
  Expected<int> code = runProgram(linker, views, output, kTimeoutSeconds);
  if (!code)
    return code.takeError();
  if (*code)
    return fail(linker + " cannot link " + name + ", exit code " + llvm::Twine(*code) + ":\n  " +
                StringRef(readText(output)).trim() +
                "\nname another linker with --linker=PROGRAM, such as ld.lld");
  return Error::success();
}
