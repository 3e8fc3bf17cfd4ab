//===- CodeObject.cpp - AMDGCN assembly to code objects -------------------===//

#include "../CodegenOptions.h"
#include "Machine.h"

#include "ufp4/Support/Error.h"
#include "ufp4/Support/Files.h"
#include "ufp4/Support/Programs.h"
#include "ufp4/Target/AMDGPU/Binary.h"

#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"

using namespace ufp4;
using namespace ufp4::target;
using llvm::Expected;
using llvm::StringRef;

static constexpr unsigned timeoutSeconds = 300;
static constexpr llvm::StringLiteral linkerName = "ld.lld";

//===----------------------------------------------------------------------===//
// The assembler
//===----------------------------------------------------------------------===//

static Expected<llvm::SmallString<0>> assembleObject(StringRef text, const Chip &chip) {
  CodegenOptions switches;
  auto machine = createAMDMachine(chip);
  if (!machine)
    return machine.takeError();
  const llvm::Target &target = (*machine)->getTarget();
  const llvm::Triple &triple = (*machine)->getTargetTriple();
  llvm::SourceMgr sources;
  std::string problem;
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic &diagnostic, void *into) {
        auto &problem = *static_cast<std::string *>(into);
        if (problem.empty() && diagnostic.getKind() == llvm::SourceMgr::DK_Error)
          problem = ("line " + llvm::Twine(diagnostic.getLineNo()) + ": " +
                     diagnostic.getMessage() + ": " + diagnostic.getLineContents().trim())
                        .str();
      },
      &problem);
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text, "kernels"), llvm::SMLoc());

  const llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers(target.createMCRegInfo(triple));
  std::unique_ptr<llvm::MCAsmInfo> info(target.createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target.createMCSubtargetInfo(triple, chip.name, chip.features));
  std::unique_ptr<llvm::MCInstrInfo> instructions(target.createMCInstrInfo());
  llvm::MCContext context(triple, info.get(), registers.get(), subtarget.get(), &sources, &options);
  std::unique_ptr<llvm::MCObjectFileInfo> files(
      target.createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(files.get());

  llvm::SmallString<0> object;
  llvm::raw_svector_ostream os(object);
  std::unique_ptr<llvm::MCAsmBackend> backend(
      target.createMCAsmBackend(*subtarget, *registers, options));
  std::unique_ptr<llvm::MCObjectWriter> writer = backend->createObjectWriter(os);
  std::unique_ptr<llvm::MCStreamer> streamer(target.createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer),
      std::unique_ptr<llvm::MCCodeEmitter>(target.createMCCodeEmitter(*instructions, context)),
      *subtarget));
  std::unique_ptr<llvm::MCAsmParser> parser(
      llvm::createMCAsmParser(sources, context, *streamer, *info));
  std::unique_ptr<llvm::MCTargetAsmParser> ofTarget(
      target.createMCAsmParser(*subtarget, *parser, *instructions, options));
  if (!ofTarget)
    return fail("this LLVM has no assembler for " + StringRef(chip.name));
  parser->setTargetParser(*ofTarget);
  if (parser->Run(/*NoInitialTextSection=*/false) || !problem.empty())
    return fail("LLVM's assembler refuses the kernels for " + StringRef(chip.name) + ": " +
                problem);
  return object;
}

//===----------------------------------------------------------------------===//
// Metadata
//===----------------------------------------------------------------------===//

Expected<std::vector<KernelUsage>> ufp4::target::readUsage(StringRef assembly) {
  StringRef text = assembly.split(".amdgpu_metadata").second.split(".end_amdgpu_metadata").first;
  llvm::msgpack::Document document;
  if (text.empty() || !document.fromYAML(text) || !document.getRoot().isMap())
    return fail("the assembly has no metadata of kernels");
  llvm::msgpack::DocNode kernels = document.getRoot().getMap()["amdhsa.kernels"];
  std::vector<KernelUsage> all;
  if (!kernels.isArray())
    return all;
  for (llvm::msgpack::DocNode &kernel : kernels.getArray()) {
    if (!kernel.isMap())
      return fail("the assembly's metadata has a kernel that is no map");
    auto number = [&](StringRef key) -> unsigned {
      llvm::msgpack::DocNode value = kernel.getMap()[key];
      return value.getKind() == llvm::msgpack::Type::UInt ? unsigned(value.getUInt()) : 0;
    };
    KernelUsage usage;
    if (llvm::msgpack::DocNode name = kernel.getMap()[".name"]; name.isString())
      usage.name = name.getString().str();
    usage.registers = number(".vgpr_count");
    usage.stackBytes = number(".private_segment_fixed_size");
    usage.spillStoreBytes = usage.spillLoadBytes = 4 * number(".vgpr_spill_count");
    usage.sharedBytes = number(".group_segment_fixed_size");
    all.push_back(std::move(usage));
  }
  return all;
}

//===----------------------------------------------------------------------===//
// The linker
//===----------------------------------------------------------------------===//

Expected<std::string> ufp4::target::findDeviceLinker(StringRef path) {
  auto missing = [](const llvm::Twine &message) {
    return llvm::make_error<ToolNotFound>(message.str());
  };
  if (!path.empty()) {
    auto found = llvm::sys::findProgramByName(path);
    if (found && llvm::sys::fs::can_execute(*found))
      return *found;
    return missing("no linker '" + path + "', as a path or on the PATH");
  }
  // A distribution's own ld.lld is often older than these code objects.
  if (auto found = llvm::sys::findProgramByName(linkerName, {UFP4_LLVM_TOOLS_DIR}))
    return *found;
  const std::string major = std::to_string(LLVM_VERSION_MAJOR);
  for (const std::string &name : {linkerName.str() + "-" + major, linkerName.str()})
    if (auto found = llvm::sys::findProgramByName(name))
      return *found;
  return missing("no ld.lld in " UFP4_LLVM_TOOLS_DIR " nor on the PATH; install LLVM's lld "
                 "(Debian: lld-" +
                 major + ")");
}

Expected<Binary> ufp4::target::linkCodeObject(const Assembly &assembly, const Chip &chip,
                                              StringRef linker) {
  Expected<std::string> program = findDeviceLinker(linker);
  if (!program)
    return program.takeError();
  auto usage = readUsage(assembly.text);
  if (!usage)
    return usage.takeError();
  auto object = assembleObject(assembly.text, chip);
  if (!object)
    return object.takeError();
  TemporaryFolder folder;
  if (llvm::Error error = folder.create())
    return std::move(error);
  std::string input = folder.file("kernels.o"), output = folder.file("kernels.hsaco"),
              log = folder.file("log");
  if (llvm::Error error = writeFile(input, *object))
    return std::move(error);
  Expected<int> code =
      runProgram(*program, {*program, "-shared", input, "-o", output}, log, timeoutSeconds);
  if (!code)
    return code.takeError();
  if (*code)
    return fail(*program + " cannot link the kernels for " + StringRef(chip.name) + ":\n  " +
                StringRef(readText(log)).trim());
  auto linked = llvm::MemoryBuffer::getFile(output);
  if (!linked)
    return fail(*program + " wrote nothing: " + linked.getError().message());
  Binary binary;
  binary.bytes.append((*linked)->getBufferStart(), (*linked)->getBufferEnd());
  binary.chip = chip.name;
  binary.kernels = std::move(*usage);
  binary.assembler = std::move(*program);
  return binary;
}
