//===- Cubin.cpp - What is in a cubin -------------------------------------===//

#include "ufp4/Target/NVPTX/Binary.h"

#include "ufp4/Support/Error.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace ufp4::target;
using llvm::Expected;
using llvm::StringRef;

/// STO_CUDA_ENTRY: the symbol is a kernel.
static constexpr uint8_t kEntry = 0x10;
static constexpr uint64_t kWordBytes = 16;
/// The opcode is the low 12 bits of a word.
static constexpr unsigned kOpcodeMask = 0xfff;
static constexpr StringRef kCodePrefix = ".text.";

/// SASS of sm_80 to sm_121: BRA, and BRA.U under a uniform predicate.
static bool isBranch(unsigned opcode) { return opcode == 0x947 || opcode == 0x547; }

bool ufp4::target::isMatrixOpcode(unsigned opcode) {
  return opcode == 0x23c || opcode == 0x27a || opcode == 0x47f || opcode == 0x237 ||
         opcode == 0x5ea || opcode == 0xdea;
}

/// Where a branch goes, in bytes from its end: before sm_90 bits 32 to 81; since then in words of
/// four bytes, the low ones in bits 16 to 23, the others in 34 to 81.
static int64_t getBranchOffset(const uint8_t *word, unsigned architecture) {
  uint64_t low = llvm::support::endian::read64le(word);
  uint64_t high = llvm::support::endian::read64le(word + 8) & llvm::maskTrailingOnes<uint64_t>(18);
  if (architecture < 90)
    return llvm::SignExtend64<50>(high << 32 | low >> 32);
  return llvm::SignExtend64<48>(high << 30 | low >> 34) * (256 * 4) + (low >> 16 & 0xff) * 4;
}

static unsigned getOpcode(const uint8_t *word) {
  return llvm::support::endian::read16le(word) & kOpcodeMask;
}

/// UBLKCP, UTMALDG.
static bool isBulkCopy(unsigned opcode) { return opcode == 0x3ba || opcode == 0x5b4; }

/// The shortest range with most instructions of a kind that a branch at its end goes back over.
static OpcodeCounts findLoop(llvm::ArrayRef<uint8_t> code, unsigned architecture,
                             bool (*isWanted)(unsigned opcode)) {
  std::vector<unsigned> wantedBefore(1);
  for (uint64_t at = 0; at < code.size(); at += kWordBytes)
    wantedBefore.push_back(wantedBefore.back() + isWanted(getOpcode(&code[at])));
  uint64_t begin = 0, end = 0;
  unsigned most = 0;
  for (uint64_t at = 0; at < code.size(); at += kWordBytes) {
    if (!isBranch(getOpcode(&code[at])))
      continue;
    uint64_t after = at + kWordBytes, target = after + getBranchOffset(&code[at], architecture);
    if (target > at || target % kWordBytes)
      continue;
    unsigned count = wantedBefore[after / kWordBytes] - wantedBefore[target / kWordBytes];
    if (count > most || (count == most && count && after - target < end - begin)) {
      most = count;
      begin = target;
      end = after;
    }
  }
  OpcodeCounts counts;
  for (uint64_t at = begin; at < end; at += kWordBytes)
    ++counts[getOpcode(&code[at])];
  return counts;
}

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
      ++entry.opcodes[getOpcode(code->data() + at)];
    entry.loop = findLoop(*code, summary.architecture, isMatrixOpcode);
    entry.copies = findLoop(*code, summary.architecture, isBulkCopy);
    summary.functions.push_back(std::move(entry));
  }
  return summary;
}
