//===- Programs.cpp - Running other programs ------------------------------===//

#include "ufp4/Support/Programs.h"

#include "ufp4/Support/Error.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <chrono>
#include <csignal>
#include <thread>

using namespace ufp4;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

TemporaryFolder::~TemporaryFolder() {
  if (!folder.empty())
    fs::remove_directories(folder);
}

Error TemporaryFolder::create() {
  if (std::error_code code = fs::createUniqueDirectory("ufp4", folder))
    return fail("cannot make a temporary folder: " + code.message());
  return Error::success();
}

std::string TemporaryFolder::file(StringRef name) const {
  llvm::SmallString<256> result(folder);
  llvm::sys::path::append(result, name);
  return result.str().str();
}

std::string ufp4::readText(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

Expected<int> ufp4::runProgram(StringRef program, llvm::ArrayRef<StringRef> arguments,
                               StringRef output, unsigned timeoutSeconds) {
  std::optional<StringRef> redirects[] = {StringRef(), output, output};
  std::string message;
  bool failed = false;
  // In a session of its own, so that what a wrapper script starts ends with it.
  llvm::sys::ProcessInfo process =
      llvm::sys::ExecuteNoWait(program, arguments, std::nullopt, redirects, /*MemoryLimit=*/0,
                               &message, &failed, nullptr, /*DetachProcess=*/true);
  if (failed)
    return fail("cannot run " + program + ": " + message);
  // By polling: LLVM's own timeout is an alarm, which belongs to the process and not to the thread.
  auto start = std::chrono::steady_clock::now();
  auto pause = std::chrono::microseconds(200);
  for (;;) {
    std::optional<llvm::sys::ProcessStatistics> statistics;
    llvm::sys::ProcessInfo done =
        llvm::sys::Wait(process, /*SecondsToWait=*/0, &message, &statistics, /*Polling=*/true);
    if (done.Pid == process.Pid) {
      if (done.ReturnCode == -2)
        return fail(program + " crashed: " + message);
      if (done.ReturnCode == -1)
        return fail("cannot run " + program + ": " + message);
      return done.ReturnCode;
    }
    if (done.ReturnCode < 0)
      return fail("cannot wait for " + program + ": " + message);
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(timeoutSeconds)) {
      ::kill(-process.Pid, SIGKILL);
      ::kill(process.Pid, SIGKILL);
      llvm::sys::Wait(process, std::nullopt, &message);
      return fail(program + " took longer than " + llvm::Twine(timeoutSeconds) +
                  " s and was ended");
    }
    std::this_thread::sleep_for(pause);
    pause = std::min<std::chrono::microseconds>(pause * 2, std::chrono::milliseconds(10));
  }
}
