//===- Cubin.cpp - What is in a cubin -------------------------------------===//

#include "ufp4/Target/NVPTX/Binary.h"

#include "ufp4/Support/Error.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"

using namespace ufp4::target;
using llvm::Expected;
using llvm::StringRef;

/// STO_CUDA_ENTRY: the symbol is a kernel.
static constexpr uint8_t kEntry = 0x10;
static constexpr uint64_t kWordBytes = 16;
/// The opcode is the low 12 bits of a word.
static constexpr unsigned kOpcodeMask = 0xfff;
static constexpr StringRef kCodePrefix = ".text.";

const CubinFunction *CubinSummary::find(StringRef name) const {
  for (const CubinFunction &function : functions)
    if (function.name == name)
      return &function;
  return nullptr;
}

Expected<CubinSummary> ufp4::target::readCubin(llvm::ArrayRef<char> bytes) {
  using ELF = llvm::object::ELF64LE;
  StringRef image(bytes.data(), bytes.size());
  Expected<llvm::object::ELFFile<ELF>> file = llvm::object::ELFFile<ELF>::create(image);
  if (!file)
    return file.takeError();
  const ELF::Ehdr &header = file->getHeader();
  if (!header.checkMagic() || header.getFileClass() != llvm::ELF::ELFCLASS64 ||
      header.getDataEncoding() != llvm::ELF::ELFDATA2LSB)
    return fail("not a cubin: no little-endian ELF64 file");
  if (header.e_machine != llvm::ELF::EM_CUDA)
    return fail("not a cubin: expected the ELF machine " + llvm::Twine(llvm::ELF::EM_CUDA) +
                " (CUDA), found " + llvm::Twine(header.e_machine));
  CubinSummary summary;
  // ABI version 8 (CUDA 13) moved the architecture one byte up.
  unsigned flags = header.e_flags;
  summary.architecture =
      header.e_ident[llvm::ELF::EI_ABIVERSION] >= 8 ? flags >> 8 & 0xff : flags & 0xff;

  Expected<ELF::ShdrRange> sections = file->sections();
  if (!sections)
    return sections.takeError();
  // All of it must be there, what is not read here too: a truncated cubin must not reach a driver.
  for (const ELF::Shdr &section : *sections) {
    // Shared memory takes no room in the file.
    if (section.sh_type == llvm::ELF::SHT_NOBITS)
      continue;
    Expected<llvm::ArrayRef<uint8_t>> contents = file->getSectionContents(section);
    if (!contents)
      return contents.takeError();
  }
  if (Expected<ELF::PhdrRange> segments = file->program_headers(); !segments)
    return segments.takeError();
  std::map<std::string, bool> kernels;
  for (const ELF::Shdr &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_SYMTAB)
      continue;
    Expected<StringRef> names = file->getStringTableForSymtab(section);
    if (!names)
      return names.takeError();
    Expected<ELF::SymRange> symbols = file->symbols(&section);
    if (!symbols)
      return symbols.takeError();
    for (const ELF::Sym &symbol : *symbols) {
      if (symbol.getType() != llvm::ELF::STT_FUNC)
        continue;
      Expected<StringRef> name = symbol.getName(*names);
      if (!name)
        return name.takeError();
      kernels[name->str()] = symbol.st_other & kEntry;
    }
  }
  for (const ELF::Shdr &section : *sections) {
    Expected<StringRef> name = file->getSectionName(section);
    if (!name)
      return name.takeError();
    StringRef function = *name;
    if (section.sh_type != llvm::ELF::SHT_PROGBITS || !function.consume_front(kCodePrefix) ||
        !(section.sh_flags & llvm::ELF::SHF_EXECINSTR))
      continue;
    Expected<llvm::ArrayRef<uint8_t>> code = file->getSectionContents(section);
    if (!code)
      return code.takeError();
    if (code->size() % kWordBytes)
      return fail("section " + *name + ": expected a multiple of " + llvm::Twine(kWordBytes) +
                  " bytes, found " + llvm::Twine(code->size()));
    CubinFunction entry;
    entry.name = function.str();
    auto found = kernels.find(entry.name);
    entry.isKernel = found != kernels.end() && found->second;
    entry.offset = section.sh_offset;
    entry.size = code->size();
    for (uint64_t at = 0; at < code->size(); at += kWordBytes)
      ++entry.opcodes[llvm::support::endian::read16le(code->data() + at) & kOpcodeMask];
    summary.functions.push_back(std::move(entry));
  }
  return summary;
}
