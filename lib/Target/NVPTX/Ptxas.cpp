//===- Ptxas.cpp - PTX to cubins by NVIDIA's assembler --------------------===//

#include "ufp4/Target/NVPTX/Binary.h"

#include "ufp4/Support/Error.h"
#include "ufp4/Support/Files.h"
#include "ufp4/Support/Programs.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace ufp4;
using namespace ufp4::target;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr StringRef kVariable = "UFP4_PTXAS";

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

static bool isProgram(const llvm::Twine &file) {
  return !fs::is_directory(file) && fs::can_execute(file);
}

static std::string makeAbsolute(StringRef file) {
  llvm::SmallString<256> absolute(file);
  fs::make_absolute(absolute);
  return absolute.str().str();
}

/// An executable itself, or the ptxas below a folder; empty if there is none.
static std::string lookIn(StringRef place) {
  if (place.empty())
    return {};
  if (!fs::is_directory(place))
    return isProgram(place) ? makeAbsolute(place) : std::string();
  llvm::SmallString<256> file;
  auto tryFile = [&](StringRef below) {
    file = place;
    path::append(file, path::Style::native, below, "ptxas");
    return isProgram(file);
  };
  // The PyPI package's folders up to CUDA 12, then that of CUDA 13.
  for (StringRef below : {"", "bin", "nvidia/cuda_nvcc/bin", "nvidia/cu13/bin"})
    if (tryFile(below))
      return makeAbsolute(file);
  // Later majors keep the pattern.
  llvm::SmallString<256> packages(place);
  path::append(packages, "nvidia");
  std::error_code code;
  for (fs::directory_iterator it(packages, code), end; it != end && !code; it.increment(code)) {
    file = it->path();
    path::append(file, "bin", "ptxas");
    if (path::filename(it->path()).starts_with("cu") && isProgram(file))
      return makeAbsolute(file);
  }
  return {};
}

Expected<std::string> ufp4::target::findPtxas(const PtxasOptions &options) {
  if (!options.path.empty()) {
    if (isProgram(options.path))
      return makeAbsolute(options.path);
    return fail("no ptxas: '" + options.path + "' is no executable file");
  }
  std::vector<std::string> places = options.searchFolders;
  auto addList = [&](StringRef variable) {
    std::string value = llvm::sys::Process::GetEnv(variable).value_or("");
    llvm::SmallVector<StringRef, 8> parts;
    const char separator[] = {llvm::sys::EnvPathSeparator, 0};
    StringRef(value).split(parts, separator, -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      places.push_back(part.str());
    return value;
  };
  std::string named = addList(kVariable);
  auto find = [&]() -> std::string {
    for (const std::string &place : places)
      if (std::string found = lookIn(place); !found.empty())
        return found;
    return {};
  };
  // Who names one wants no other.
  if (!named.empty()) {
    if (std::string found = find(); !found.empty())
      return found;
    return fail(kVariable + " has no ptxas: '" + named +
                "' is neither an executable file nor a folder with one; name another, or unset " +
                kVariable + " to have it searched for");
  }
  addList("PATH");
  for (StringRef variable : {"CUDA_HOME", "CUDA_PATH"})
    if (std::optional<std::string> value = llvm::sys::Process::GetEnv(variable);
        value && !value->empty()) {
      llvm::SmallString<256> folder(*value);
      path::append(folder, "bin");
      places.push_back(folder.str().str());
    }
  llvm::append_range(places, options.systemFolders);
  if (std::string found = find(); !found.empty())
    return found;
  std::string message = "no ptxas, so the kernels remain PTX; looked in ";
  llvm::interleave(
      places, [&](const std::string &place) { message += place; }, [&] { message += ", "; });
  message += places.empty() ? "no folder" : "";
  return llvm::make_error<ToolNotFound>(message +
                                        "; install CUDA 13 or the PyPI package nvidia-cuda-nvcc, "
                                        "and name ptxas or its site-packages in " +
                                        kVariable.str());
}

bool ufp4::target::hasPtxas(StringRef path) {
  PtxasOptions options;
  options.path = path.str();
  Expected<std::string> found = findPtxas(options);
  if (found)
    return true;
  // A wrong name is no absence: an error, where it is to be run.
  llvm::Error error = found.takeError();
  bool isAbsent = error.isA<ToolNotFound>();
  llvm::consumeError(std::move(error));
  return !isAbsent;
}

Expected<PtxasVersion> ufp4::target::queryPtxasVersion(StringRef program) {
  TemporaryFolder folder;
  if (Error error = folder.create())
    return std::move(error);
  std::string output = folder.file("output");
  Expected<int> code = runProgram(program, {program, "--version"}, output, 30);
  if (!code)
    return code.takeError();
  std::string text = readText(output);
  // `Cuda compilation tools, release 13.0, V13.0.88`
  StringRef release = StringRef(text).split("release ").second;
  PtxasVersion version;
  if (*code || release.consumeInteger(10, version.major) || !release.consume_front(".") ||
      release.consumeInteger(10, version.minor) || !release.consume_front(", V"))
    return fail(program + " --version says no CUDA release: " + StringRef(text).trim());
  version.build = release.take_while([](char c) { return llvm::isDigit(c) || c == '.'; }).str();
  return version;
}

//===----------------------------------------------------------------------===//
// Reading what it says
//===----------------------------------------------------------------------===//

/// The number before `unit` in a list such as `0 bytes stack frame, 8 bytes spill stores`.
static unsigned numberBefore(StringRef line, StringRef unit) {
  size_t end = line.find(unit);
  if (end == StringRef::npos)
    return 0;
  StringRef before = line.take_front(end).rtrim();
  unsigned value = 0;
  StringRef digits = before.drop_front(before.find_last_not_of("0123456789") + 1);
  return digits.getAsInteger(10, value) ? 0 : value;
}

static StringRef quoted(StringRef line) { return line.split('\'').second.split('\'').first; }

std::vector<KernelUsage> ufp4::target::parseUsage(StringRef log) {
  std::vector<KernelUsage> kernels;
  // Device functions that are not inlined have a stack frame too, but no registers of their own.
  bool ofKernel = false;
  llvm::SmallVector<StringRef, 32> lines;
  log.split(lines, '\n');
  for (StringRef line : lines) {
    if (line.contains("Compiling entry function '")) {
      kernels.push_back({quoted(line).str()});
      ofKernel = false;
    } else if (size_t at = line.find("Function properties for "); at != StringRef::npos) {
      StringRef name = line.drop_front(at + strlen("Function properties for ")).trim();
      ofKernel = !kernels.empty() && name == kernels.back().name;
    } else if (line.contains(" bytes stack frame") && ofKernel) {
      kernels.back().stackBytes = numberBefore(line, " bytes stack frame");
      kernels.back().spillStoreBytes = numberBefore(line, " bytes spill stores");
      kernels.back().spillLoadBytes = numberBefore(line, " bytes spill loads");
    } else if (line.contains(": Used ") && line.contains(" registers") && !kernels.empty()) {
      kernels.back().registers = numberBefore(line, " registers");
      kernels.back().barriers = numberBefore(line, " barriers");
      kernels.back().sharedBytes = numberBefore(line, " bytes smem");
    }
  }
  return kernels;
}

namespace {
/// The lines of a PTX text, to show what a message speaks of.
class PTXLines {
public:
  explicit PTXLines(StringRef ptx) { ptx.split(lines, '\n'); }

  /// `line 7, in kernel k, "add.u32 %r1, %r2, %q;"`.
  std::string describe(unsigned number) const {
    std::string text = "line " + std::to_string(number);
    if (number == 0 || number > lines.size())
      return text;
    for (unsigned i = number; i-- > 0;) {
      StringRef line = lines[i];
      size_t at = line.find(".entry ");
      if (at == StringRef::npos)
        continue;
      text += ", in kernel " + line.drop_front(at + strlen(".entry "))
                                   .trim()
                                   .take_until([](char c) { return c == '(' || llvm::isSpace(c); })
                                   .str();
      break;
    }
    return text + ", \"" + lines[number - 1].trim().str() + "\"";
  }

private:
  llvm::SmallVector<StringRef, 0> lines;
};
} // namespace

/// `ptxas k.ptx, line 7; error   : Unknown symbol '%q'` without the file, but with the line's text;
/// empty for a line that carries no message.
static std::string explainMessage(StringRef line, const PTXLines &ptx, StringRef severity) {
  size_t at = line.find(severity);
  if (at == StringRef::npos || !line.starts_with("ptxas"))
    return {};
  StringRef message = line.drop_front(at + severity.size()).ltrim();
  if (!message.consume_front(":"))
    return {};
  StringRef where = line.take_front(at);
  size_t number = where.rfind(", line ");
  unsigned value = 0;
  if (number == StringRef::npos ||
      where.drop_front(number + strlen(", line ")).consumeInteger(10, value))
    return message.trim().str();
  return ptx.describe(value) + ": " + message.trim().str();
}

/// The errors; if ptxas names none, all that it printed.
static std::string explainErrors(StringRef log, StringRef ptx) {
  PTXLines lines(ptx);
  std::string errors, fatal;
  llvm::SmallVector<StringRef, 32> messages;
  log.split(messages, '\n');
  for (StringRef line : messages) {
    if (std::string text = explainMessage(line, lines, "error"); !text.empty())
      errors += "\n  " + text;
    else if (std::string text = explainMessage(line, lines, "fatal"); !text.empty())
      fatal += "\n  " + text;
  }
  if (!errors.empty())
    return errors;
  return fatal.empty() ? "\n  " + log.trim().str() : fatal;
}

/// Behind what a program did that may not be ptxas.
static std::string askWhetherPtxas() {
  return ("; is it ptxas? --ptxas or " + kVariable + " says which is run").str();
}
static std::string explainSilence() { return " and said nothing" + askWhetherPtxas(); }

/// Why bytes that a program wrote are no code for a chip; empty where they are.
static std::string explainOtherCode(llvm::ArrayRef<char> bytes, const Chip &chip) {
  Expected<CubinSummary> summary = readCubin(bytes);
  if (!summary)
    return llvm::toString(summary.takeError());
  std::string found = "sm_" + std::to_string(summary->architecture);
  return chip.name.rtrim("af") == found ? "" : "its code is for " + found;
}

Expected<Cubin> ufp4::target::assemble(StringRef ptx, const Chip &chip,
                                       const PtxasOptions &options) {
  if (chip.vendor != Vendor::NVIDIA)
    return fail("ptxas is for NVIDIA's chips, and " + StringRef(chip.name) + " is " +
                stringify(chip.vendor) + "'s");
  Expected<std::string> program = findPtxas(options);
  if (!program)
    return program.takeError();
  TemporaryFolder folder;
  if (Error error = folder.create())
    return std::move(error);
  std::string input = folder.file("kernels.ptx"), result = folder.file("kernels.cubin"),
              output = folder.file("output");
  if (Error error = writeFile(input, ptx))
    return std::move(error);
  std::string architecture = ("-arch=" + chip.name).str(),
              level = "-O" + std::to_string(options.optimization);
  std::vector<StringRef> arguments = {*program, architecture, level, "-v", input, "-o", result};
  llvm::append_range(arguments, options.arguments);
  Expected<int> code = runProgram(*program, arguments, output, options.timeoutSeconds);
  if (!code)
    return code.takeError();
  std::string log = readText(output);
  if (*code && StringRef(log).trim().empty())
    return fail(*program + " ended with exit code " + llvm::Twine(*code) + explainSilence());
  if (*code)
    return fail("ptxas refuses the PTX for " + StringRef(chip.name) + ":" +
                explainErrors(log, ptx));
  auto bytes = llvm::MemoryBuffer::getFile(result, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
  if (!bytes)
    return fail(*program + " wrote no cubin" +
                (StringRef(log).trim().empty()
                     ? explainSilence()
                     : ": " + bytes.getError().message() + ": " + StringRef(log).trim().str()));
  Cubin cubin;
  cubin.bytes.append((*bytes)->getBufferStart(), (*bytes)->getBufferEnd());
  if (std::string why = explainOtherCode(cubin.bytes, chip); !why.empty())
    return fail(*program + " wrote no cubin for " + StringRef(chip.name) + ": " + why +
                askWhetherPtxas());
  cubin.chip = chip.name;
  cubin.kernels = parseUsage(log);
  cubin.assembler = *program;
  PTXLines lines(ptx);
  llvm::SmallVector<StringRef, 32> messages;
  StringRef(log).split(messages, '\n');
  for (StringRef line : messages)
    if (std::string text = explainMessage(line, lines, "warning"); !text.empty())
      cubin.warnings.push_back(text);
  return cubin;
}
