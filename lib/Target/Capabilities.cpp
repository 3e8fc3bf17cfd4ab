//===- Capabilities.cpp - What each chip can do ---------------------------===//
//
// A constexpr table and not td: no operation, attribute or pass refers to its rows, and the
// aggregates below are checked by the compiler.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Target/Capabilities.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace ufp4;
using namespace ufp4::target;
using llvm::StringRef;
using numerics::Format;
using numerics::ScaleKind;
using numerics::Scheme;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr uint8_t E1M2 = 1 << unsigned(Format::E1M2);
static constexpr uint8_t E2M1 = 1 << unsigned(Format::E2M1);
static constexpr uint8_t F32 = 1 << unsigned(ScaleKind::F32);
static constexpr uint8_t UE4M3 = 1 << unsigned(ScaleKind::UE4M3);
static constexpr uint8_t UE8M0 = 1 << unsigned(ScaleKind::UE8M0);
static constexpr Permission Documented = Permission::Documented;
static constexpr Permission ByPermission = Permission::ByPermission;

// path, formats, scales, block, instruction, permission, rate, base, PTX version.
static constexpr PathCapability kPostBF16 = {
    Path::Post, E1M2 | E2M1, F32 | UE4M3 | UE8M0, 0, "mma.sync.m16n8k16 bf16",
    Documented, 0.5f,        RateBase::BF16,      0};
static constexpr PathCapability kFoldBF16 = {
    Path::Fold, E1M2 | E2M1, UE4M3 | UE8M0,  0, "mma.sync.m16n8k16 bf16",
    Documented, 1.0f,        RateBase::BF16, 0};

static constexpr PathCapability kAmpere[] = {kPostBF16, kFoldBF16};

static constexpr PathCapability kTensorMemory[] = {
    {Path::Native, E1M2, UE4M3, 16, "tcgen05.mma kind::mxf4nvf4 block16, element format 0",
     ByPermission, 1.0f, RateBase::E2M1, 86},
    {Path::Native, E2M1, UE4M3, 16, "tcgen05.mma kind::mxf4nvf4 block16", Documented, 1.0f,
     RateBase::E2M1, 86},
    {Path::Native, E2M1, UE8M0, 32, "tcgen05.mma kind::mxf4 block32", Documented, 1.0f,
     RateBase::E2M1, 86},
    {Path::Container, E1M2 | E2M1, UE8M0, 32, "tcgen05.mma kind::mxf8f6f4", Documented, 0.5f,
     RateBase::E2M1, 86},
    kPostBF16,
    kFoldBF16};

static constexpr PathCapability kWarpScaled[] = {
    {Path::Native, E1M2, UE4M3, 16, "mma.sync.m16n8k64 kind::mxf4nvf4 scale_vec::4X, OMMA.E0M3",
     ByPermission, 1.0f, RateBase::E2M1, 87},
    {Path::Native, E1M2, UE8M0, 16, "mma.sync.m16n8k64 kind::mxf4nvf4 scale_vec::4X, OMMA.E0M3",
     ByPermission, 1.0f, RateBase::E2M1, 91},
    {Path::Native, E2M1, UE4M3, 16, "mma.sync.m16n8k64 kind::mxf4nvf4 scale_vec::4X", Documented,
     1.0f, RateBase::E2M1, 87},
    {Path::Native, E2M1, UE8M0, 16, "mma.sync.m16n8k64 kind::mxf4nvf4 scale_vec::4X", Documented,
     1.0f, RateBase::E2M1, 91},
    {Path::Native, E2M1, UE8M0, 32, "mma.sync.m16n8k64 kind::mxf4 scale_vec::2X", Documented, 1.0f,
     RateBase::E2M1, 87},
    {Path::Container, E1M2 | E2M1, UE8M0, 32, "mma.sync.m16n8k32 kind::mxf8f6f4", Documented, 0.5f,
     RateBase::E2M1, 87},
    kPostBF16,
    kFoldBF16};

static constexpr PathCapability kPostFP8 = {
    Path::Post, E1M2 | E2M1, F32 | UE4M3 | UE8M0, 0, "v_mfma_f32_32x32x16_fp8_fp8",
    Documented, 0.5f,        RateBase::BF16,      0};

// Its FP8 is the fnuz form: half the value of the same byte, and 0x80 is NaN.
static constexpr PathCapability kGfx942[] = {
    {Path::Post, E1M2 | E2M1, F32 | UE4M3 | UE8M0, 0, "v_mfma_f32_32x32x16_fp8_fp8 fnuz",
     Documented, 0.5f, RateBase::BF16, 0},
    {Path::Fold, E1M2 | E2M1, UE4M3 | UE8M0, 0, "v_mfma_f32_32x32x8_bf16", Documented, 1.0f,
     RateBase::BF16, 0}};

static constexpr PathCapability kGfx950[] = {
    {Path::Native, E2M1, UE8M0, 32, "v_mfma_scale_f32_32x32x64_f8f6f4 fp4", Documented, 1.0f,
     RateBase::E2M1, 0},
    {Path::Container, E1M2 | E2M1, UE8M0, 32, "v_mfma_scale_f32_32x32x64_f8f6f4 fp6", Documented,
     1.0f, RateBase::E2M1, 0},
    kPostFP8,
    {Path::Fold, E1M2 | E2M1, UE4M3 | UE8M0, 0, "v_mfma_f32_32x32x16_bf16", Documented, 1.0f,
     RateBase::BF16, 0}};

// Of scales other than E8M0 only two operands of E2M1 take any.
static constexpr PathCapability kGfx1250[] = {
    {Path::Native, E2M1, UE4M3 | UE8M0, 16, "v_wmma_scale16_f32_16x16x128_f8f6f4 fp4", Documented,
     0, RateBase::Unknown, 0},
    {Path::Native, E2M1, UE8M0, 32, "v_wmma_scale_f32_16x16x128_f8f6f4 fp4", Documented, 0,
     RateBase::Unknown, 0},
    {Path::Container, E1M2 | E2M1, UE8M0, 16, "v_wmma_scale16_f32_16x16x128_f8f6f4 fp6", Documented,
     0, RateBase::Unknown, 0},
    {Path::Container, E1M2 | E2M1, UE8M0, 32, "v_wmma_scale_f32_16x16x128_f8f6f4 fp6", Documented,
     0, RateBase::Unknown, 0},
    {Path::Fold, E1M2 | E2M1, UE4M3 | UE8M0, 0, "v_wmma_f32_16x16x32_bf16", Documented, 0,
     RateBase::Unknown, 0}};

namespace {
// Sets of features that generations have in common.
constexpr uint16_t set() { return 0; }
template <typename... Rest> constexpr uint16_t set(Feature first, Rest... rest) {
  return uint16_t(first) | set(rest...);
}
constexpr uint16_t Sm80 = set(Feature::AsyncCopy);
constexpr uint16_t Sm89 = Sm80 | set(Feature::ConvertE4M3);
constexpr uint16_t Sm90 = Sm89 | set(Feature::BulkCopy, Feature::TensorMap);
constexpr uint16_t Sm120 = Sm90 | set(Feature::ConvertE2M1, Feature::MixedAdd, Feature::WideAccess);
constexpr uint16_t Sm110 = Sm120 | set(Feature::TensorMemory);
constexpr uint16_t Sm100Family = Sm110 | set(Feature::PackedF32);
constexpr uint16_t Sm100 = Sm100Family | set(Feature::ConvertStochastic);
constexpr uint16_t Cdna3 = set(Feature::ConvertE4M3, Feature::PackedF32);
constexpr uint16_t Cdna4 = Cdna3 | set(Feature::BufferToShared, Feature::ConvertE2M3);
} // namespace

#define NVIDIA Vendor::NVIDIA, "nvptx64-nvidia-cuda", "+ptx90", 90, 32
#define AMD(WAVE) Vendor::AMD, "amdgcn-amd-amdhsa", "", 0, WAVE
// name, vendor and toolchain, shared memory, registers, tensor memory, features, paths.
static constexpr Chip kChips[] = {
    {"sm_80", NVIDIA, 163 * 1024, 255, 0, Sm80, kAmpere},
    {"sm_86", NVIDIA, 99 * 1024, 255, 0, Sm80, kAmpere},
    {"sm_89", NVIDIA, 99 * 1024, 255, 0, Sm89, kAmpere},
    {"sm_90a", NVIDIA, 227 * 1024, 255, 0, Sm90 | set(Feature::MaximumOfThree), kAmpere},
    {"sm_100f", NVIDIA, 227 * 1024, 255, 512, Sm100Family, kTensorMemory},
    {"sm_100a", NVIDIA, 227 * 1024, 255, 512, Sm100, kTensorMemory},
    {"sm_103a", NVIDIA, 227 * 1024, 255, 512, Sm100, kTensorMemory},
    {"sm_110a", NVIDIA, 227 * 1024, 255, 512, Sm110, kTensorMemory},
    {"sm_120a", NVIDIA, 99 * 1024, 255, 0, Sm120, kWarpScaled},
    {"sm_121a", NVIDIA, 99 * 1024, 255, 0, Sm120, kWarpScaled},
    {"gfx942", AMD(64), 64 * 1024, 512, 0, Cdna3, kGfx942},
    {"gfx950", AMD(64), 160 * 1024, 512, 0, Cdna4, kGfx950},
    {"gfx1250", AMD(32), 320 * 1024, 1024, 0, set(), kGfx1250},
};
#undef NVIDIA
#undef AMD

namespace {
struct RefusedChip {
  /// The name without its suffix.
  llvm::StringLiteral name;
  llvm::StringLiteral why;
};
} // namespace

static constexpr RefusedChip kRefused[] = {
    {"sm_107",
     "its matrix instructions take the uniform grid's encoding for an illegal instruction"},
};

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

StringRef target::stringify(Vendor vendor) { return vendor == Vendor::NVIDIA ? "NVIDIA" : "AMD"; }

StringRef target::stringify(Path path) {
  static constexpr llvm::StringLiteral names[] = {"native", "container", "post", "fold"};
  return names[unsigned(path)];
}

StringRef target::stringify(Permission permission) {
  return permission == Documented ? "documented" : "by permission";
}

std::optional<Path> target::parsePath(StringRef name) {
  for (Path path : kPaths)
    if (stringify(path) == name)
      return path;
  return std::nullopt;
}

std::string target::explainPathOption(StringRef name) {
  if (name == "auto" || parsePath(name))
    return {};
  return "expected auto, native, container, post or fold, found '" + name.str() + "'";
}

template <typename Enum> static std::string nameSet(uint8_t set, llvm::ArrayRef<Enum> all) {
  std::string text;
  for (Enum value : all)
    if (set & 1 << unsigned(value))
      text += (text.empty() ? "" : ", ") + std::string(numerics::name(value));
  return text;
}

static std::string nameFormats(uint8_t set) {
  return nameSet<Format>(set, {Format::E1M2, Format::E2M1});
}

static std::string nameScales(uint8_t set) {
  return nameSet<ScaleKind>(set, {ScaleKind::F32, ScaleKind::UE4M3, ScaleKind::UE8M0});
}

static std::string nameVersion(unsigned version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

std::string target::describeScheme(const Scheme &scheme) {
  return std::string(numerics::name(scheme.format)) + " with " + numerics::name(scheme.scale) +
         " scales per " + std::to_string(scheme.block);
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

llvm::ArrayRef<Chip> target::getChips() { return kChips; }

llvm::ArrayRef<PathCapability> target::getPaths(const Chip &chip) { return chip.paths; }

const Chip *target::findChip(StringRef name) {
  for (const Chip &chip : kChips)
    if (chip.name == name)
      return &chip;
  return nullptr;
}

static const RefusedChip *findRefused(StringRef name) {
  for (const RefusedChip &refused : kRefused)
    if (name == refused.name ||
        (name.starts_with(refused.name) && name.size() == refused.name.size() + 1 &&
         llvm::isAlpha(name.back())))
      return &refused;
  return nullptr;
}

Fit target::getFit(const Chip &chip, int major, int minor) {
  StringRef digits(chip.name);
  int number;
  if (chip.vendor != Vendor::NVIDIA || !digits.consume_front("sm_") ||
      digits.consumeInteger(10, number))
    return Fit::None;
  int capability = 10 * major + minor;
  bool isFamily = digits == "f";
  if (number == capability)
    return Fit::Binary;
  if ((!digits.empty() && !isFamily) || number > capability)
    return Fit::None;
  if (isFamily && (number / 10 != major || findRefused("sm_" + std::to_string(capability))))
    return Fit::None;
  return number / 10 == major ? Fit::Binary : Fit::Assembly;
}

const Chip *target::findChip(int major, int minor) {
  // The table goes from earlier to later ones.
  const Chip *best = nullptr;
  for (const Chip &chip : kChips) {
    Fit fit = getFit(chip, major, minor);
    if (fit != Fit::None && (!best || fit >= getFit(*best, major, minor)))
      best = &chip;
  }
  return best;
}

StringRef target::suggestChip(StringRef name) {
  if (findRefused(name))
    return {};
  // sm_120, sm_120f and SM120a are sm_120a.
  auto plain = [](StringRef text) {
    std::string lower = text.lower();
    llvm::erase(lower, '_');
    return StringRef(lower).rtrim("af").str();
  };
  std::string wanted = plain(name);
  // A family stands before its first chip, whose kernels may do more.
  for (const Chip &chip : llvm::reverse(kChips))
    if (plain(chip.name) == wanted)
      return chip.name;
  StringRef best;
  unsigned bestDistance = 3;
  for (const Chip &chip : kChips) {
    unsigned distance = StringRef(name).edit_distance(chip.name, /*AllowReplacements=*/true,
                                                      /*MaxEditDistance=*/bestDistance);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = chip.name;
    }
  }
  return best;
}

std::string target::explainUnknownChip(StringRef name) {
  std::string text = name.empty() ? "no chip is named" : "unknown chip '" + name.str() + "'";
  if (const RefusedChip *refused = findRefused(name))
    text += ": " + refused->why.str();
  else if (StringRef suggestion = suggestChip(name); !suggestion.empty())
    text += ", did you mean " + suggestion.str() + "?";
  text += "; known: ";
  llvm::interleave(
      kChips, [&](const Chip &chip) { text += chip.name; }, [&] { text += ", "; });
  return text;
}

bool PathCapability::takes(const Scheme &scheme) const {
  return formats & 1 << unsigned(scheme.format) && scales & 1 << unsigned(scheme.scale) &&
         (block == 0 || block == scheme.block);
}

static bool canEmit(const Chip &chip, const PathCapability &row) {
  return row.ptxVersion <= chip.ptxVersion;
}

const PathCapability *target::findPath(const Chip &chip, const Scheme &scheme, Path path) {
  for (const PathCapability &row : chip.paths)
    if (row.path == path && row.takes(scheme) && canEmit(chip, row))
      return &row;
  return nullptr;
}

static std::string describeTaken(const PathCapability &row) {
  return nameFormats(row.formats) + " with " + nameScales(row.scales) + " scales per " +
         (row.block ? std::to_string(row.block) : "16 or 32");
}

std::string target::explainRefusal(const Chip &chip, const Scheme &scheme, Path path) {
  if (findPath(chip, scheme, path))
    return {};
  std::string text = chip.name.str() + " has no " + stringify(path).str() + " path for " +
                     describeScheme(scheme) + ": ";
  std::string taken;
  for (const PathCapability &row : chip.paths) {
    if (row.path != path)
      continue;
    if (!canEmit(chip, row)) {
      if (row.takes(scheme))
        return text + "its instruction needs PTX " + nameVersion(row.ptxVersion) +
               ", and this compiler emits PTX " + nameVersion(chip.ptxVersion);
      continue;
    }
    taken += (taken.empty() ? "" : "; ") + describeTaken(row);
  }
  if (!taken.empty())
    return text + "that path takes " + taken;
  std::string others;
  for (Path other : kPaths)
    if (findPath(chip, scheme, other))
      others += (others.empty() ? "" : ", ") + stringify(other).str();
  return text + "it has no such path for any scheme" +
         (others.empty() ? "" : ", but for this one it has " + others);
}

//===----------------------------------------------------------------------===//
// For people
//===----------------------------------------------------------------------===//

static constexpr std::pair<Feature, llvm::StringLiteral> kFeatureNames[] = {
    {Feature::AsyncCopy, "async copy"},
    {Feature::BulkCopy, "bulk copy"},
    {Feature::TensorMap, "tensor map"},
    {Feature::TensorMemory, "tensor memory"},
    {Feature::ConvertE4M3, "convert e4m3"},
    {Feature::ConvertE2M1, "convert e2m1"},
    {Feature::ConvertStochastic, "convert stochastic"},
    {Feature::PackedF32, "packed f32"},
    {Feature::MixedAdd, "mixed add"},
    {Feature::BufferToShared, "buffer to shared"},
    {Feature::MaximumOfThree, "maximum of three"},
    {Feature::ConvertE2M3, "convert e2m3"},
    {Feature::WideAccess, "wide access"},
};

StringRef target::stringify(Feature feature) {
  for (const auto &[known, name] : kFeatureNames)
    if (known == feature)
      return name;
  return {};
}

static std::string describeRate(const PathCapability &row) {
  if (row.base == RateBase::Unknown)
    return "rate not known";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g x ", row.rate)
                                 << (row.base == RateBase::E2M1 ? "e2m1" : "bf16");
  return text;
}

void target::printCapabilities(llvm::raw_ostream &os) {
  os << "path: how operands are multiplied; formats, scales, elements under a scale; rate at "
        "best;\n"
        "whether documents describe the encoding (by permission: only where the user allows it)\n";
  for (const Chip &chip : kChips) {
    os << chip.name << ": " << stringify(chip.vendor) << ", waves of " << unsigned(chip.waveSize)
       << ", " << chip.sharedMemoryBytes << " bytes of shared memory a block, " << chip.maxRegisters
       << " registers a thread";
    if (chip.tensorMemoryColumns)
      os << ", " << chip.tensorMemoryColumns << " columns of tensor memory";
    if (chip.ptxVersion)
      os << ", PTX " << nameVersion(chip.ptxVersion);
    os << '\n';
    if (chip.featureSet) {
      os << "  features: ";
      llvm::interleaveComma(
          llvm::make_filter_range(kFeatureNames,
                                  [&](const auto &entry) { return chip.has(entry.first); }),
          os, [&](const auto &entry) { os << entry.second; });
      os << '\n';
    }
    for (const PathCapability &row : chip.paths) {
      os << "  " << llvm::left_justify(stringify(row.path), 9) << "  "
         << llvm::left_justify(nameFormats(row.formats), 10) << "  "
         << llvm::left_justify(nameScales(row.scales), 17) << "  "
         << llvm::left_justify(row.block ? std::to_string(row.block) : "any", 3) << "  "
         << llvm::left_justify(describeRate(row), 14) << "  "
         << llvm::left_justify(stringify(row.permission), 13) << "  " << row.instruction;
      if (!canEmit(chip, row))
        os << " (needs PTX " << nameVersion(row.ptxVersion) << ": refused)";
      os << '\n';
    }
  }
}
