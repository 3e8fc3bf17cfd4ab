//===- ufp4-emulate.cpp - Launch a kernel on files of bytes ---------------===//
//
// Runs one kernel of an LLVM IR module for NVIDIA in the SIMT emulator, as a loader would launch
// the object that was made of it: for people who write kernels or loaders and have no GPU at hand.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Execution/Emulator/Emulator.h"
#include "ufp4/Support/Error.h"
#include "ufp4/Support/Files.h"
#include "ufp4/Target/Capabilities.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <deque>

namespace cl = llvm::cl;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using ufp4::fail;
using ufp4::emulator::Access;
using ufp4::emulator::KernelArgument;

namespace {
/// What one argument was given as, and its bytes where it is a buffer.
struct Argument {
  std::string output;
  std::vector<char> bytes;
  KernelArgument passed;
};
} // namespace

static Expected<std::vector<char>> readBytes(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail(file + ": cannot read: " + buffer.getError().message());
  StringRef text = (*buffer)->getBuffer();
  return std::vector<char>(text.begin(), text.end());
}

/// Fills in `argument`, which must not move afterwards.
static Error parseArgument(StringRef text, unsigned index, Argument &argument) {
  auto [kind, value] = text.split(':');
  std::string name = "argument " + std::to_string(index);
  auto malformed = [&] {
    return fail(name +
                ": expected i32:N, i64:N, f32:X, in:FILE, out:FILE:BYTES or "
                "inout:FILE:FILE, found '" +
                text + "'");
  };
  if (kind == "i32" || kind == "i64") {
    int64_t number;
    if (value.getAsInteger(0, number))
      return malformed();
    if (kind == "i32" && !llvm::isInt<32>(number) && !llvm::isUInt<32>(number))
      return fail(name + ": " + value + " does not fit in 32 bits");
    argument.passed =
        kind == "i64" ? KernelArgument::scalar(number) : KernelArgument::scalar(int32_t(number));
    return Error::success();
  }
  if (kind == "f32") {
    double number;
    if (value.getAsDouble(number))
      return malformed();
    argument.passed = KernelArgument::scalar(float(number));
    return Error::success();
  }
  Access access = Access::Read;
  if (kind == "out") {
    auto [file, size] = value.rsplit(':');
    uint64_t bytes;
    if (file.empty() || size.getAsInteger(0, bytes))
      return malformed();
    constexpr uint64_t most = uint64_t(1) << 34;
    if (bytes > most)
      return fail(name + ": expected at most " + llvm::Twine(most) + " bytes, found " + size);
    argument.bytes.assign(bytes, char(0xFF));
    argument.output = file.str();
    access = Access::Write;
  } else if (kind == "in" || kind == "inout") {
    StringRef input = value;
    if (kind == "inout") {
      auto [from, to] = value.split(':');
      if (to.empty())
        return malformed();
      input = from;
      argument.output = to.str();
      access = Access::ReadWrite;
    }
    Expected<std::vector<char>> bytes = readBytes(input);
    if (!bytes)
      return bytes.takeError();
    argument.bytes = std::move(*bytes);
  } else {
    return malformed();
  }
  argument.passed =
      KernelArgument::buffer(argument.bytes.data(), argument.bytes.size(), access, name);
  return Error::success();
}

static Expected<ufp4::emulator::Dim3> parseDimensions(StringRef text, StringRef what) {
  llvm::SmallVector<StringRef, 3> parts;
  text.split(parts, ',');
  unsigned extents[3] = {1, 1, 1};
  bool valid = parts.size() <= 3;
  for (unsigned i = 0; valid && i < parts.size(); ++i)
    valid = !parts[i].getAsInteger(10, extents[i]);
  if (!valid)
    return fail("--" + what + ": expected X, X,Y or X,Y,Z, found '" + text + "'");
  return ufp4::emulator::Dim3{extents[0], extents[1], extents[2]};
}

static Error run(StringRef file, StringRef chipName, StringRef kernel, StringRef gridText,
                 StringRef blockText, unsigned sharedBytes, llvm::ArrayRef<std::string> texts) {
  const ufp4::target::Chip *chip = ufp4::target::findChip(chipName);
  if (!chip)
    return fail("--chip: " + ufp4::target::explainUnknownChip(chipName));
  Expected<ufp4::emulator::Dim3> grid = parseDimensions(gridText, "grid");
  if (!grid)
    return grid.takeError();
  Expected<ufp4::emulator::Dim3> block = parseDimensions(blockText, "block");
  if (!block)
    return block.takeError();
  std::deque<Argument> arguments;
  std::vector<KernelArgument> passed;
  for (const std::string &text : texts) {
    if (Error error = parseArgument(text, arguments.size(), arguments.emplace_back()))
      return error;
    passed.push_back(arguments.back().passed);
  }

  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file);
  if (!buffer)
    return fail(file + ": cannot read: " + buffer.getError().message());
  if (Error error = ufp4::verifyIR(file, (*buffer)->getBuffer(), ufp4::IRForm::LLVM))
    return error;
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> code = llvm::parseIR(**buffer, diagnostic, *context);
  if (!code) {
    std::string message;
    llvm::raw_string_ostream os(message);
    diagnostic.print("", os, /*ShowColors=*/false);
    return fail(StringRef(message).trim());
  }
  ufp4::emulator::EmulatorTarget target;
  target.chip = chip->name.str();
  target.warpSize = chip->waveSize;
  auto module = ufp4::emulator::EmulatedModule::create(std::move(code), std::move(context), target);
  if (!module)
    return module.takeError();
  ufp4::emulator::LaunchOptions options;
  options.requireOutputsWritten = true;
  if (!grid->volume() || !block->volume())
    return fail("--grid and --block: expected extents of 1 or more");
  if (auto stats = (*module)->launch(kernel, *grid, *block, sharedBytes, passed, options); !stats)
    return stats.takeError();
  for (const Argument &argument : arguments) {
    if (argument.output.empty())
      continue;
    std::error_code code;
    llvm::raw_fd_ostream os(argument.output, code);
    if (code)
      return fail(argument.output + ": cannot write: " + code.message());
    os.write(argument.bytes.data(), argument.bytes.size());
  }
  return Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::OptionCategory category("ufp4-emulate options");
  cl::opt<std::string> file(cl::Positional, cl::Required, cl::desc("<module.ll>"),
                            cl::cat(category));
  cl::list<std::string> arguments(
      cl::Positional, cl::cat(category),
      cl::desc("<i32:N | i64:N | f32:X | in:FILE | out:FILE:BYTES | inout:FILE:FILE>…"));
  cl::opt<std::string> chip("chip", cl::Required, cl::desc("The chip, as LLVM spells it"),
                            cl::cat(category));
  cl::opt<std::string> kernel("kernel", cl::Required, cl::desc("The entry to launch"),
                              cl::cat(category));
  cl::opt<std::string> grid("grid", cl::init("1"), cl::value_desc("X,Y,Z"), cl::desc("Blocks"),
                            cl::cat(category));
  cl::opt<std::string> block("block", cl::init("1"), cl::value_desc("X,Y,Z"),
                             cl::desc("Threads of a block"), cl::cat(category));
  cl::opt<unsigned> shared("shared", cl::init(0), cl::value_desc("BYTES"),
                           cl::desc("Dynamic shared memory of a block"), cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Launches a kernel in the emulator\n");
  if (Error error = run(file, chip, kernel, grid, block, shared,
                        std::vector<std::string>(arguments.begin(), arguments.end()))) {
    llvm::WithColor::error(llvm::errs(), "ufp4-emulate")
        << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
