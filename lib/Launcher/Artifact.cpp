//===- Artifact.cpp - Loading kernels -------------------------------------===//

#include "Artifact.h"

#include "ufp4/Numerics/Formats.h"
#include "ufp4/Support/Error.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <deque>

using namespace ufp4;
using namespace ufp4::launcher;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, and what a block has without it.
static constexpr int kMaxDynamicShared = 8;
static constexpr int64_t kSharedWithout = 48 * 1024;

/// A canary is a small product, whatever its manifest says.
static constexpr int64_t kMaxCanaryBytes = int64_t(1) << 30;
static constexpr int64_t kMaxCanaryCodes = int64_t(1) << 22;

/// The driver is given an address without a length: what ends early, it would read past.
static Error verifyELF(StringRef object, const Twine &where) {
  auto truncated = [&](uint64_t end) {
    return failWith(UFP4_INVALID, where + ": the binary is truncated: expected " + Twine(end) +
                                      " bytes, found " + Twine(object.size()) +
                                      "; compile it again");
  };
  llvm::ELF::Elf64_Ehdr header;
  if (object.size() < sizeof(header))
    return truncated(sizeof(header));
  std::memcpy(&header, object.data(), sizeof(header));
  if (header.e_ident[llvm::ELF::EI_CLASS] != llvm::ELF::ELFCLASS64)
    return failWith(UFP4_INVALID, where + ": expected an ELF file of 64 bits");
  llvm::ELF::Elf64_Shdr section;
  auto verifySize = [&](const char *what, unsigned count, unsigned found,
                        size_t expected) -> Error {
    if (!count || found == expected)
      return Error::success();
    return failWith(UFP4_INVALID, where + ": expected " + what + " headers of " + Twine(expected) +
                                      " bytes in the binary, found " + Twine(found) +
                                      "; compile it again");
  };
  if (Error error = verifySize("section", header.e_shnum, header.e_shentsize, sizeof(section)))
    return error;
  if (Error error =
          verifySize("program", header.e_phnum, header.e_phentsize, sizeof(llvm::ELF::Elf64_Phdr)))
    return error;
  // A sum that wraps would seem to lie within.
  auto endOf = [](uint64_t begin, uint64_t size) { return llvm::SaturatingAdd(begin, size); };
  uint64_t end = std::max(endOf(header.e_shoff, uint64_t(header.e_shnum) * sizeof(section)),
                          endOf(header.e_phoff, uint64_t(header.e_phnum) * header.e_phentsize));
  if (end > object.size())
    return truncated(end);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    std::memcpy(&section, object.data() + header.e_shoff + i * sizeof(section), sizeof(section));
    if (section.sh_type != llvm::ELF::SHT_NOBITS)
      end = std::max(end, endOf(section.sh_offset, section.sh_size));
  }
  return end > object.size() ? truncated(end) : Error::success();
}

static bool isELF(StringRef object) { return object.starts_with(llvm::ELF::ElfMagic); }

/// A manifest's error, as one of another release where it is.
static Error explainManifest(Error error) {
  std::string message = llvm::toString(std::move(error));
  bool isForeign = StringRef(message).contains("schema_version");
  return failWith(isForeign ? UFP4_INCOMPATIBLE : UFP4_INVALID,
                  message + (isForeign ? "; artifact and launcher must be of one release" : ""));
}

Artifact::Artifact(std::shared_ptr<Device> device, target::Manifest manifest)
    : device(std::move(device)), manifest(std::move(manifest)) {
  for (const target::KernelEntry &entry : this->manifest.kernels)
    kernels.push_back({this, &entry, target::getExtentNames(entry)});
}

Expected<target::Fit> Artifact::fit(StringRef where) const {
  target::Fit all = target::Fit::Binary;
  for (const target::KernelEntry &kernel : manifest.kernels) {
    const target::Chip &chip = *target::findChip(kernel.chip);
    std::string place = (where + ": kernel " + kernel.name).str();
    if (chip.vendor != device->driver->vendor)
      return failWith(UFP4_INCOMPATIBLE,
                      place + " is for " + chip.name + " of " + target::stringify(chip.vendor) +
                          ", the driver is one of " + target::stringify(device->driver->vendor));
    // Of AMD's devices the driver itself compares the names.
    target::Fit one = device->driver->vendor == target::Vendor::NVIDIA
                          ? target::getFit(chip, device->major, device->minor)
                          : target::Fit::Binary;
    if (one == target::Fit::None) {
      const target::Chip *meant = target::findChip(device->major, device->minor);
      return failWith(UFP4_INCOMPATIBLE,
                      place + " is for " + chip.name + ", the device has compute capability " +
                          Twine(device->major) + "." + Twine(device->minor) +
                          (meant ? "; compile with --target=" + meant->name.str()
                                 : std::string(", for which there are no kernels")));
    }
    all = std::min(all, one);
  }
  return all;
}

Error Artifact::addObject(StringRef object, const Twine &where,
                          llvm::function_ref<bool(const target::KernelEntry &)> isOf) {
  const Driver &driver = *device->driver;
  // Assembly is a text that ends in a zero.
  std::string text;
  if (isELF(object)) {
    if (Error error = verifyELF(object, where))
      return error;
  } else {
    if (driver.vendor == target::Vendor::AMD)
      return failWith(UFP4_INCOMPATIBLE,
                      where + ": it is no code object, and HIP loads no assembly; compile where "
                              "LLVM's ld.lld is found");
    if (object.contains(target::kUnpatchedSuffix))
      return failWith(UFP4_INVALID, where + ": it holds unpatched kernels, which compute something "
                                            "else and are never launched");
    text = object.str();
    object = text;
  }
  // CU_JIT_ERROR_LOG_BUFFER and its size, which is passed in the pointer's place.
  char log[4096] = {};
  int options[] = {5, 6};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log) - 1)};
  Handle module;
  Result loaded = driver.call.loadModule(&module, object.data(), 2, options, values);
  StringRef said = StringRef(log).trim();
  if (Error error = driver.check(loaded, where + ": the driver does not load the kernels" +
                                             (said.empty() ? "" : " (" + said + ")")))
    return error;
  modules.push_back(module);
  for (UFP4Kernel &kernel : kernels) {
    const target::KernelEntry &entry = *kernel.entry;
    if (!isOf(entry))
      continue;
    if (Error error =
            driver.check(driver.call.getFunction(&kernel.function, module, entry.name.c_str()),
                         where + ": no kernel " + entry.name))
      return error;
    if (driver.call.setFunctionAttribute && entry.dynamicSharedBytes > kSharedWithout)
      if (Error error = driver.check(
              driver.call.setFunctionAttribute(kernel.function, kMaxDynamicShared,
                                               int(entry.dynamicSharedBytes)),
              where + ": kernel " + entry.name + " needs " + Twine(entry.dynamicSharedBytes) +
                  " bytes of shared memory, which the device does not give a block"))
        return error;
  }
  return Error::success();
}

Expected<std::unique_ptr<Artifact>> Artifact::load(std::shared_ptr<Device> device,
                                                   const std::string &folder) {
  auto pathOf = [&](StringRef file) {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, file);
    return path.str().str();
  };
  std::string manifestPath = pathOf("manifest.json");
  Expected<target::Manifest> manifest = target::readManifest(manifestPath);
  if (!manifest)
    return explainManifest(manifest.takeError());
  std::unique_ptr<Artifact> artifact(new Artifact(std::move(device), std::move(*manifest)));
  Expected<target::Fit> fit = artifact->fit(manifestPath);
  if (!fit)
    return fit.takeError();
  ContextScope scope(*artifact->device);
  if (Error error = scope.check())
    return std::move(error);
  auto fileOf = [&](const target::KernelEntry &kernel) -> const std::string & {
    bool asBinary = *fit == target::Fit::Binary && !kernel.binary.empty();
    return asBinary ? kernel.binary : kernel.assembly;
  };
  llvm::StringSet<> files;
  for (const target::KernelEntry &kernel : artifact->manifest.kernels) {
    const std::string &file = fileOf(kernel);
    if (file.empty())
      return failWith(UFP4_INCOMPATIBLE, manifestPath + ": kernel " + kernel.name +
                                             " has a binary for " + kernel.chip +
                                             " alone, and the device needs assembly");
    if (!files.insert(file).second)
      continue;
    std::string path = pathOf(file);
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!buffer)
      return failWith(UFP4_INVALID, path + ": cannot read: " + buffer.getError().message());
    if (Error error = artifact->addObject(
            (*buffer)->getBuffer(), path,
            [&](const target::KernelEntry &other) { return fileOf(other) == file; }))
      return std::move(error);
  }
  if (Error error = artifact->runCanaries())
    return std::move(error);
  return artifact;
}

Expected<std::unique_ptr<Artifact>> Artifact::load(std::shared_ptr<Device> device,
                                                   StringRef manifest, StringRef object) {
  Expected<target::Manifest> parsed = target::parseManifest(manifest, "manifest");
  if (!parsed)
    return explainManifest(parsed.takeError());
  std::unique_ptr<Artifact> artifact(new Artifact(std::move(device), std::move(*parsed)));
  Expected<target::Fit> fit = artifact->fit("manifest");
  if (!fit)
    return fit.takeError();
  if (isELF(object) && *fit != target::Fit::Binary)
    return failWith(UFP4_INCOMPATIBLE,
                    "the object is a binary, and the device, of compute capability " +
                        Twine(artifact->device->major) + "." + Twine(artifact->device->minor) +
                        ", needs assembly");
  ContextScope scope(*artifact->device);
  if (Error error = scope.check())
    return std::move(error);
  if (Error error = artifact->addObject(object, "the object",
                                        [](const target::KernelEntry &) { return true; }))
    return std::move(error);
  if (Error error = artifact->runCanaries())
    return std::move(error);
  return artifact;
}

Artifact::~Artifact() {
  if (modules.empty())
    return;
  ContextScope scope(*device);
  for (Handle module : modules)
    device->driver->call.unloadModule(module);
}

Expected<const UFP4Kernel *> Artifact::find(StringRef name) const {
  std::string why;
  // A fallback may have a canary of its own; as many steps as there are kernels end any circle.
  for (size_t i = 0; i <= kernels.size(); ++i) {
    const UFP4Kernel *found = nullptr;
    for (const UFP4Kernel &kernel : kernels)
      if (kernel.entry->name == name)
        found = &kernel;
    if (!found)
      return fail("no kernel is called " + name);
    if (found->refusal.empty())
      return found;
    why = found->refusal;
    if (found->entry->fallback.empty())
      break;
    name = found->entry->fallback;
  }
  return failWith(UFP4_INCOMPATIBLE, why);
}

//===----------------------------------------------------------------------===//
// Canaries
//===----------------------------------------------------------------------===//

/// The bits of a code as stored, or of a scale of 1.
static Expected<uint32_t> getBits(const target::ArgumentEntry &argument, int64_t code,
                                  const llvm::json::Object *scheme, const Twine &where) {
  bool isCodes = argument.kind == target::ArgumentKind::Codes;
  StringRef element = argument.element;
  if (isCodes && (element == "u4" || element == "u8"))
    return code;
  if (!isCodes && element == "f32")
    return llvm::bit_cast<uint32_t>(1.0f);
  auto text = [&](StringRef field) {
    return scheme ? scheme->getString(field).value_or("") : StringRef();
  };
  if (isCodes && element == "bf16") {
    numerics::Format format =
        text("format") == "e1m2" ? numerics::Format::E1M2 : numerics::Format::E2M1;
    float level = numerics::level(format, code & 7);
    return llvm::bit_cast<uint32_t>(code & 8 ? -level : level) >> 16;
  }
  // 1 is 0x38 in UE4M3 and 127 in UE8M0.
  StringRef scale = text("scale");
  if (!isCodes && element == "u8" && (scale == "ue4m3" || scale == "ue8m0"))
    return scale == "ue4m3" ? 0x38 : 127;
  return failWith(UFP4_INVALID, where + ": argument " + argument.name +
                                    ": no constant operand is known in elements " + element);
}

/// A plane of an operand whose codes are all `code` and whose scales are all 1; padding is zeros.
Expected<std::vector<uint8_t>> Artifact::makePlane(const target::KernelEntry &kernel,
                                                   const target::ArgumentEntry &argument,
                                                   const std::map<std::string, int64_t> &extents,
                                                   int64_t code, int64_t bytes,
                                                   const Twine &where) const {
  std::string place = (where + ": argument " + argument.name).str();
  auto extentOf = [&](unsigned dimension) {
    int64_t number = 0;
    StringRef text = argument.shape[dimension];
    return text.getAsInteger(10, number) ? extents.at(text.str()) : number;
  };
  const llvm::json::Object *scheme = target::getScheme(kernel, argument.name);
  auto number = [&](StringRef field) { return scheme ? scheme->getInteger(field).value_or(0) : 0; };
  int64_t rows = extentOf(1), depth = extentOf(2), block = number("block");
  bool isCodes = argument.kind == target::ArgumentKind::Codes;
  if (block < 1 || depth % block)
    return failWith(UFP4_INVALID, place + ": expected k to be a multiple of the scheme's block, " +
                                      Twine(block) + ", found " + Twine(depth));
  if (rows > kMaxCanaryCodes / depth)
    return failWith(UFP4_INVALID, place + ": expected at most " + Twine(kMaxCanaryCodes) +
                                      " codes, found " + Twine(rows) + " x " + Twine(depth));
  Expected<uint32_t> bits = getBits(argument, code, scheme, where);
  if (!bits)
    return bits.takeError();
  auto layout = llvm::find_if(manifest.layouts, [&](const target::LayoutEntry &entry) {
    return entry.name == argument.layout;
  });
  unsigned width = target::getElementBits(argument.element);
  std::vector<uint8_t> plane(bytes);
  std::map<std::string, int64_t> variables = {{"g", 0},
                                              {"R", rows},
                                              {"Kp", depth},
                                              {"B", block},
                                              {"BR", number("block_rows")},
                                              {"scale_bytes", width / 8}};
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t k = 0; k < depth; k += isCodes ? 1 : block) {
      variables["row"] = row;
      variables["k"] = k;
      Expected<int64_t> at =
          target::evaluateFormula(isCodes ? layout->codeBit : layout->scaleByte, variables);
      if (!at)
        return failWith(UFP4_INVALID, place + ": " + llvm::toString(at.takeError()));
      int64_t byte = isCodes ? *at / 8 : *at, shift = isCodes ? *at % 8 : 0;
      unsigned touched = llvm::divideCeil(shift + width, 8);
      if (*at < 0 || byte > bytes - touched)
        return failWith(UFP4_INVALID, place + ": layout " + layout->name +
                                          " has a place outside of its " + Twine(bytes) + " bytes");
      uint64_t placed = uint64_t(*bits) << shift;
      for (unsigned i = 0; i < touched; ++i)
        plane[byte + i] |= placed >> 8 * i;
    }
  return plane;
}

Error Artifact::run(const target::CanaryEntry &canary) {
  std::string where = "canary " + canary.name;
  UFP4Kernel &kernel = *llvm::find_if(
      kernels, [&](const UFP4Kernel &one) { return one.entry->name == canary.kernel; });
  const DriverFunctions &call = device->driver->call;
  NamedValues values;
  values.extents = {{"g", 1}, {"m", canary.m}, {"n", canary.n}, {"k", canary.k}};
  values.scalars["alpha"] = llvm::bit_cast<uint32_t>(1.0f);
  std::vector<DeviceMemory> memory;
  auto output = llvm::find_if(kernel.entry->arguments, [](const target::ArgumentEntry &argument) {
    return argument.name == "result" && (argument.kind == target::ArgumentKind::Output ||
                                         argument.kind == target::ArgumentKind::Accumulator);
  });
  if (output == kernel.entry->arguments.end() ||
      (output->element != "f32" && output->element != "bf16"))
    return failWith(UFP4_INVALID,
                    where + ": expected kernel " + canary.kernel +
                        " to write 'result' in f32 or bf16, found " +
                        (output == kernel.entry->arguments.end() ? "no such argument"
                                                                 : StringRef(output->element)));
  bool isNarrow = output->element == "bf16";
  std::vector<uint8_t> result;
  // They live until the stream is waited for.
  std::deque<std::vector<uint8_t>> planes;
  for (const target::ArgumentEntry &argument : kernel.entry->arguments) {
    if (argument.kind == target::ArgumentKind::Scalar)
      continue;
    Expected<int64_t> bytes = target::getBytes(*kernel.entry, argument.name, values.extents);
    if (!bytes)
      return bytes.takeError();
    if (*bytes > kMaxCanaryBytes)
      return failWith(UFP4_INVALID, where + ": argument " + argument.name + ": expected at most " +
                                        Twine(kMaxCanaryBytes) + " bytes, found " + Twine(*bytes));
    if (&argument == &*output)
      result.resize(*bytes);
    size_t words = llvm::divideCeil(*bytes, 4);
    Expected<DeviceMemory> buffer = DeviceMemory::allocate(*device, 4 * words);
    if (!buffer)
      return buffer.takeError();
    values.buffers[argument.name] = buffer->address;
    memory.push_back(std::move(*buffer));
    Address address = memory.back().address;
    auto check = [&](Result prepared) {
      return device->driver->check(prepared, where + " cannot be prepared");
    };
    if (argument.kind != target::ArgumentKind::Codes &&
        argument.kind != target::ArgumentKind::Scales) {
      bool isGlobal = argument.kind == target::ArgumentKind::Global;
      uint32_t word = isGlobal ? llvm::bit_cast<uint32_t>(1.0f) : 0;
      if (Error error = check(call.fill(address, word, words, nullptr)))
        return error;
      continue;
    }
    int64_t code = argument.shape[1] == "m" ? canary.codeA : canary.codeB;
    Expected<std::vector<uint8_t>> plane =
        makePlane(*kernel.entry, argument, values.extents, code, *bytes, where);
    if (!plane)
      return plane.takeError();
    planes.push_back(std::move(*plane));
    if (Error error =
            check(call.copyFromHost(address, planes.back().data(), planes.back().size(), nullptr)))
      return error;
  }
  if (Error error = launch(kernel, values, nullptr))
    return error;
  Address address = values.buffers.at("result");
  if (Error error = device->driver->check(
          call.copyToHost(result.data(), address, result.size(), nullptr), where))
    return error;
  if (Error error = device->driver->check(call.synchronize(nullptr), where))
    return error;
  auto read = [&](size_t at) {
    uint32_t bits = 0;
    std::memcpy(&bits, &result[at], isNarrow ? 2 : 4);
    return llvm::bit_cast<float>(isNarrow ? bits << 16 : bits);
  };
  auto isAll = [&](double value) {
    for (size_t at = 0; at < result.size(); at += isNarrow ? 2 : 4)
      if (read(at) != value)
        return false;
    return true;
  };
  if (isAll(canary.expected))
    return Error::success();
  std::string found =
      isAll(canary.otherwise)
          ? "the device takes its codes for those of another format"
          : "found " + std::to_string(read(0)) + ", expected " + std::to_string(canary.expected);
  for (UFP4Kernel &dependent : kernels)
    if (dependent.entry->canary == canary.name)
      dependent.refusal =
          "kernel " + dependent.entry->name + " does not run here: " + where + ": " + found;
  return Error::success();
}

Error Artifact::runCanaries() {
  for (const target::CanaryEntry &canary : manifest.canaries)
    if (Error error = run(canary))
      return error;
  return Error::success();
}
