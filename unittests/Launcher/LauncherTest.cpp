//===- LauncherTest.cpp - Named values to launches ------------------------===//

#include "ufp4-c/Launcher.h"
#include "ufp4/Target/Manifest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <functional>

using namespace ufp4::target;
namespace json = llvm::json;

namespace {

ArgumentEntry buffer(const char *name, ArgumentKind kind, ArgumentAccess access,
                     const char *element, std::vector<std::string> shape,
                     std::vector<int64_t> padding = {}) {
  ArgumentEntry argument;
  argument.name = name;
  argument.kind = kind;
  argument.access = access;
  argument.element = element;
  argument.shape = std::move(shape);
  argument.layout = padding.empty() ? "" : "tiles";
  argument.padding = std::move(padding);
  argument.alignment = 16;
  return argument;
}

ArgumentEntry scalar(const char *name, const char *element, const char *value) {
  ArgumentEntry argument;
  argument.name = name;
  argument.element = element;
  argument.value = value;
  argument.alignment = 4;
  return argument;
}

/// A GEMM on 4-bit codes, and a quantize kernel with natural scales in 2-D blocks.
Manifest makeManifest(const char *chip = "sm_80") {
  json::Object scheme{{"format", "e1m2"}, {"block", 16},          {"block_rows", 1},
                      {"scale", "f32"},   {"scale_rule", "ceil"}, {"rotation", nullptr}};
  KernelEntry gemm;
  gemm.name = "gemm";
  gemm.assembly = "kernels.ptx";
  gemm.chip = chip;
  gemm.path = "post";
  gemm.schemes["operands"] = scheme;
  gemm.multiples["n"] = 8;
  gemm.grid = {GridAxis{{"n", 128}}, GridAxis{{"m", 64}}, GridAxis{{"g", 1}}};
  gemm.block = {256, 1, 1};
  gemm.dynamicSharedBytes = 65536;
  auto read = ArgumentAccess::Read;
  gemm.arguments = {
      buffer("codes_a", ArgumentKind::Codes, read, "u4", {"g", "m", "k"}, {1, 64, 64}),
      buffer("scales_a", ArgumentKind::Scales, read, "f32", {"g", "m", "k"}, {1, 64, 64}),
      buffer("result", ArgumentKind::Output, ArgumentAccess::Write, "f32", {"g", "m", "n"}),
      scalar("m", "i32", "m"),
      scalar("depth", "i32", "tiles(k, 64, 64)"),
      scalar("alpha", "f32", "alpha")};

  KernelEntry quantize;
  quantize.name = "quantize";
  quantize.assembly = "kernels.ptx";
  quantize.chip = chip;
  quantize.path = "quantize";
  scheme["block_rows"] = 16;
  scheme["rotation"] = json::Object{{"size", 128}, {"signs", "0x1D7E8D7E8D7E8D7E8"}};
  scheme["bits"] = 16;
  quantize.schemes["inner"] = scheme;
  quantize.multiples["stride(input, 1)"] = 8;
  quantize.grid = {GridAxis{{"inner", 64}}, GridAxis{{"outer", 64}}, GridAxis{{"g", 1}}};
  quantize.block = {128, 1, 1};
  quantize.arguments = {buffer("input", ArgumentKind::Input, read, "bf16", {"g", "outer", "inner"}),
                        buffer("codes_inner", ArgumentKind::Codes, ArgumentAccess::Write, "u4",
                               {"g", "outer", "inner"}, {1, 1, 128}),
                        buffer("scales_inner", ArgumentKind::Scales, ArgumentAccess::Write, "f32",
                               {"g", "outer", "inner"}, {1, 1, 128}),
                        scalar("seed", "i64", "seed_inner"),
                        scalar("outer", "i32", "outer * min(g, 1)"),
                        scalar("stride_batch", "i64", "stride(input, 0)"),
                        scalar("stride_outer", "i64", "stride(input, 1)")};
  Manifest manifest;
  manifest.recipe = "ufp4";
  manifest.recipeHash = "0123456789abcdef";
  manifest.layouts = {{"tiles", "k * 4", "row"}};
  manifest.kernels = {std::move(gemm), std::move(quantize)};
  return manifest;
}

UFP4Value integer(const char *name, int64_t value) {
  UFP4Value result{name, {}};
  result.as.integer = value;
  return result;
}

UFP4Value address(const char *name, uintptr_t value) {
  UFP4Value result{name, {}};
  result.as.address = reinterpret_cast<void *>(value);
  return result;
}

UFP4Value real(const char *name, float value) {
  UFP4Value result{name, {}};
  result.as.real = value;
  return result;
}

/// Of a file of 64 bits without sections.
llvm::ELF::Elf64_Ehdr makeELFHeader() {
  llvm::ELF::Elf64_Ehdr header = {};
  memcpy(header.e_ident, llvm::ELF::ElfMagic, 4);
  header.e_ident[llvm::ELF::EI_CLASS] = llvm::ELF::ELFCLASS64;
  return header;
}

class LauncherTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("launcher", "log", log));
    setenv("UFP4_STANDIN_LOG", log.c_str(), 1);
    setenv("UFP4_STANDIN_CAPABILITY", "8.6", 1);
    unsetenv("UFP4_STANDIN_FAIL");
    ASSERT_EQ(ufp4DriverOpen(UFP4_NVIDIA, UFP4_STANDIN_DRIVER, &driver), UFP4_SUCCESS)
        << ufp4LastError();
    ASSERT_EQ(ufp4DeviceOpen(driver, 1, &device), UFP4_SUCCESS) << ufp4LastError();
  }

  void TearDown() override {
    ufp4ArtifactClose(artifact);
    ufp4DeviceClose(device);
    ufp4DriverClose(driver);
    llvm::sys::fs::remove(log);
  }

  UFP4Status load(const Manifest &manifest, const std::string &object = ".version 8.0") {
    std::string text = llvm::formatv("{0}", toJSON(manifest));
    return ufp4ArtifactLoadBytes(device, text.data(), text.size(), object.data(), object.size(),
                                 &artifact);
  }

  const UFP4Kernel *find(const char *name) {
    const UFP4Kernel *kernel = nullptr;
    EXPECT_EQ(ufp4ArtifactFind(artifact, name, &kernel), UFP4_SUCCESS) << ufp4LastError();
    return kernel;
  }

  std::string readLog() {
    auto buffer = llvm::MemoryBuffer::getFile(log);
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  }

  llvm::SmallString<128> log;
  UFP4Driver *driver = nullptr;
  UFP4Device *device = nullptr;
  UFP4Artifact *artifact = nullptr;
};

#define EXPECT_FAILS(call, expectedStatus, words)                                                  \
  do {                                                                                             \
    EXPECT_EQ(call, expectedStatus);                                                               \
    EXPECT_NE(std::string(ufp4LastError()).find(words), std::string::npos) << ufp4LastError();     \
  } while (false)

const std::vector<UFP4Value> kGemmValues = {
    integer("g", 3),           integer("m", 65),           integer("n", 136),
    integer("k", 80),          address("codes_a", 0x1000), address("scales_a", 0x2000),
    address("result", 0x3000), real("alpha", 2.0f)};

std::vector<UFP4Value> with(std::vector<UFP4Value> values, UFP4Value value) {
  for (UFP4Value &known : values)
    if (std::string(known.name) == value.name) {
      known = value;
      return values;
    }
  values.push_back(value);
  return values;
}

std::vector<UFP4Value> without(std::vector<UFP4Value> values, const std::string &name) {
  llvm::erase_if(values, [&](const UFP4Value &value) { return value.name == name; });
  return values;
}

TEST_F(LauncherTest, LaunchesWhatTheManifestSays) {
  ASSERT_EQ(load(makeManifest()), UFP4_SUCCESS) << ufp4LastError();
  ASSERT_EQ(ufp4KernelLaunch(find("gemm"), kGemmValues.data(), kGemmValues.size(),
                             reinterpret_cast<void *>(7)),
            UFP4_SUCCESS)
      << ufp4LastError();
  EXPECT_EQ(readLog(), "init\nretain 1\nload assembly\nattribute 8 = 65536 of gemm\n"
                       "launch gemm grid 2,2,3 block 256,1,1 shared 65536 stream 7\n");
}

// The driver makes what a kernel takes in place of an address, of the extents by name or as
// compiled host code has them; none of nothing.
TEST_F(LauncherTest, MakesTensorMaps) {
  Manifest manifest = makeManifest();
  KernelEntry &gemm = manifest.kernels[0];
  gemm.arguments[0].padding = {1, 1, 16};
  gemm.arguments[0].tensorMap = TensorMapEntry{128, 128, 4, 128};
  gemm.arguments[4].value = "k";
  ASSERT_EQ(load(manifest), UFP4_SUCCESS) << ufp4LastError();
  std::vector<UFP4Value> values = with(kGemmValues, integer("k", 96));
  EXPECT_EQ(ufp4KernelLaunch(find("gemm"), values.data(), values.size(), nullptr), UFP4_SUCCESS)
      << ufp4LastError();
  std::string map =
      "tensor map of 195 rows of 48 bytes, box 128 x 128 by 4, swizzle 3\nlaunch gemm";
  EXPECT_NE(readLog().find(map), std::string::npos) << readLog();

  llvm::sys::fs::remove(log);
  uint64_t codes = 0x1000, scales = 0x2000, result = 0x3000;
  int32_t m = 65, k = 96;
  float alpha = 2;
  int64_t grid[3] = {2, 2, 3};
  void *arguments[] = {&codes, &scales, &result, &m, &k, &alpha};
  EXPECT_EQ(ufp4KernelLaunchGrid(find("gemm"), grid, arguments, nullptr), UFP4_SUCCESS)
      << ufp4LastError();
  EXPECT_NE(readLog().find(map), std::string::npos) << readLog();

  llvm::sys::fs::remove(log);
  values = with(values, integer("k", 0));
  EXPECT_EQ(ufp4KernelLaunch(find("gemm"), values.data(), values.size(), nullptr), UFP4_SUCCESS)
      << ufp4LastError();
  EXPECT_EQ(readLog().find("tensor map"), std::string::npos) << readLog();

  values = with(values, integer("k", 16));
  EXPECT_FAILS(ufp4KernelLaunch(find("gemm"), values.data(), values.size(), nullptr),
               UFP4_DRIVER_ERROR, "kernel gemm: the tensor map of 'codes_a' cannot be made");
}

TEST_F(LauncherTest, LaunchesNothingWhereAnExtentIsZero) {
  ASSERT_EQ(load(makeManifest()), UFP4_SUCCESS) << ufp4LastError();
  std::vector<UFP4Value> values = without(with(kGemmValues, integer("m", 0)), "result");
  EXPECT_EQ(ufp4KernelLaunch(find("gemm"), values.data(), values.size(), nullptr), UFP4_SUCCESS)
      << ufp4LastError();
  EXPECT_EQ(readLog().find("launch"), std::string::npos);
}

TEST_F(LauncherTest, RefusesValuesThatAKernelDoesNotTake) {
  ASSERT_EQ(load(makeManifest()), UFP4_SUCCESS) << ufp4LastError();
  struct Case {
    std::vector<UFP4Value> values;
    const char *words;
  } cases[] = {
      {with(kGemmValues, integer("n", 132)),
       "kernel gemm: expected 'n' to be a multiple of 8, found 132"},
      {with(kGemmValues, integer("m", -1)),
       "expected the extent 'm', from 0 to 2^31 - 1, found -1"},
      {with(kGemmValues, integer("m", int64_t(1) << 31)), "found 2147483648"},
      {without(kGemmValues, "g"), "expected the extent 'g', from 0 to 2^31 - 1, found none"},
      {with(kGemmValues, integer("k", 72)),
       "expected 'k', which is padded to whole blocks (Q3), to be a multiple of 16, found 72"},
      {with(kGemmValues, address("result", 0)), "expected an address for 'result', found NULL"},
      {without(kGemmValues, "result"), "expected an address for 'result', found none"},
      {with(kGemmValues, address("codes_a", 0x1008)),
       "expected the address of 'codes_a' to be a multiple of 16 bytes, found 0x1008"},
      {without(kGemmValues, "alpha"), "expected a value for 'alpha', found none"},
      {with(kGemmValues, address("codes_b", 0x1000)),
       "kernel gemm: it takes no 'codes_b'; it takes alpha, codes_a, g, k, m, n, result, scales_a"},
  };
  for (const Case &one : cases)
    EXPECT_FAILS(ufp4KernelLaunch(find("gemm"), one.values.data(), one.values.size(), nullptr),
                 UFP4_INVALID, one.words);
  std::vector<UFP4Value> twice = kGemmValues;
  twice.push_back(integer("m", 1));
  EXPECT_FAILS(ufp4KernelLaunch(find("gemm"), twice.data(), twice.size(), nullptr), UFP4_INVALID,
               "kernel gemm: 'm' is given twice");
  EXPECT_FAILS(ufp4KernelLaunch(nullptr, nullptr, 0, nullptr), UFP4_INVALID,
               "expected 'kernel', found NULL");
  EXPECT_EQ(readLog().find("launch"), std::string::npos);
}

TEST_F(LauncherTest, StridesAreThoseOfAnArrayWithoutGapsUnlessGiven) {
  ASSERT_EQ(load(makeManifest()), UFP4_SUCCESS) << ufp4LastError();
  std::vector<UFP4Value> values = {
      integer("g", 1),          integer("outer", 40),           integer("inner", 72),
      address("input", 0x1000), address("codes_inner", 0x2000), address("scales_inner", 0x3000),
      integer("seed_inner", -1)};
  auto launch = [&](const std::vector<UFP4Value> &all) {
    return ufp4KernelLaunch(find("quantize"), all.data(), all.size(), nullptr);
  };
  EXPECT_EQ(launch(values), UFP4_SUCCESS) << ufp4LastError();
  EXPECT_EQ(launch(with(values, integer("stride(input, 1)", 80))), UFP4_SUCCESS) << ufp4LastError();
  EXPECT_FAILS(launch(with(values, integer("stride(input, 1)", 76))), UFP4_INVALID,
               "expected 'stride(input, 1)' to be a multiple of 8 elements, found 76");
  EXPECT_FAILS(launch(with(values, integer("inner", 70))), UFP4_INVALID,
               "expected 'stride(input, 1)' to be a multiple of 8 elements, found 70");
}

TEST_F(LauncherTest, BytesOfBuffers) {
  ASSERT_EQ(load(makeManifest()), UFP4_SUCCESS) << ufp4LastError();
  auto bytes = [&](const char *kernel, const char *argument, std::vector<UFP4Value> values) {
    size_t found = 0;
    EXPECT_EQ(ufp4KernelArgumentBytes(find(kernel), argument, values.data(), values.size(), &found),
              UFP4_SUCCESS)
        << ufp4LastError();
    return found;
  };
  std::vector<UFP4Value> gemm = {integer("g", 3), integer("m", 65), integer("n", 136),
                                 integer("k", 80)};
  EXPECT_EQ(bytes("gemm", "codes_a", gemm), size_t(3 * 128 * 128 / 2));
  EXPECT_EQ(bytes("gemm", "scales_a", gemm), size_t(3 * 128 * 128 / 16 * 4));
  EXPECT_EQ(bytes("gemm", "result", gemm), size_t(3 * 65 * 136 * 4));
  // Natural rows share a scale in blocks of 16.
  std::vector<UFP4Value> quantize = {integer("g", 2), integer("outer", 40), integer("inner", 72)};
  EXPECT_EQ(bytes("quantize", "input", quantize), size_t(2 * 40 * 72 * 2));
  EXPECT_EQ(bytes("quantize", "codes_inner", quantize), size_t(2 * 40 * 128 / 2));
  EXPECT_EQ(bytes("quantize", "scales_inner", quantize), size_t(2 * 3 * 128 / 16 * 4));
  size_t workspace = 1;
  EXPECT_EQ(ufp4KernelWorkspaceBytes(find("gemm"), gemm.data(), gemm.size(), &workspace),
            UFP4_SUCCESS);
  EXPECT_EQ(workspace, 0u);
  EXPECT_FAILS(ufp4KernelArgumentBytes(find("gemm"), "m", gemm.data(), gemm.size(), &workspace),
               UFP4_INVALID, "kernel gemm: argument m: there is no buffer of that name");
}

TEST_F(LauncherTest, TellsWhatKernelsAre) {
  ASSERT_EQ(load(makeManifest()), UFP4_SUCCESS) << ufp4LastError();
  EXPECT_STREQ(ufp4ArtifactRecipe(artifact), "ufp4");
  EXPECT_STREQ(ufp4ArtifactRecipeHash(artifact), "0123456789abcdef");
  ASSERT_EQ(ufp4ArtifactKernelCount(artifact), 2u);
  EXPECT_EQ(ufp4ArtifactKernel(artifact, 2), nullptr);
  const UFP4Kernel *gemm = ufp4ArtifactKernel(artifact, 0), *quantize = find("quantize");
  EXPECT_EQ(ufp4KernelRole(gemm), UFP4_GEMM);
  EXPECT_EQ(ufp4KernelRole(quantize), UFP4_QUANTIZE);
  EXPECT_STREQ(ufp4KernelPath(gemm), "post");
  UFP4Scheme scheme;
  EXPECT_FALSE(ufp4KernelScheme(gemm, "inner", &scheme));
  ASSERT_TRUE(ufp4KernelScheme(quantize, "inner", &scheme));
  EXPECT_STREQ(scheme.format, "e1m2");
  EXPECT_STREQ(scheme.scale, "f32");
  EXPECT_EQ(scheme.blockRows, 16);
  EXPECT_EQ(scheme.rotationSize, 128);
  EXPECT_EQ(scheme.randomBits, 16);
  EXPECT_EQ(scheme.rotationSigns[0], 0xD7E8D7E8D7E8D7E8u);
  EXPECT_EQ(scheme.rotationSigns[1], 1u);
  UFP4Argument argument;
  ASSERT_TRUE(ufp4KernelArgument(gemm, 2, &argument));
  EXPECT_STREQ(argument.name, "result");
  EXPECT_EQ(argument.kind, UFP4_OUTPUT);
  EXPECT_TRUE(argument.isWritten && !argument.isRead);
  EXPECT_EQ(argument.alignment, 16);
  EXPECT_FALSE(ufp4KernelArgument(gemm, 6, &argument));
  const UFP4Kernel *none;
  EXPECT_FAILS(ufp4ArtifactFind(artifact, "none", &none), UFP4_INVALID, "no kernel is called none");
}

TEST_F(LauncherTest, ClustersAreAnAttribute) {
  Manifest manifest = makeManifest();
  manifest.kernels[0].cluster = {2, 1, 1};
  ASSERT_EQ(load(manifest), UFP4_SUCCESS) << ufp4LastError();
  ASSERT_EQ(ufp4KernelLaunch(find("gemm"), kGemmValues.data(), kGemmValues.size(), nullptr),
            UFP4_SUCCESS)
      << ufp4LastError();
  EXPECT_NE(readLog().find("launch gemm grid 2,2,3 block 256,1,1 attribute 4 = 2,1,1\n"),
            std::string::npos);
}

TEST_F(LauncherTest, RefusesArtifactsOfOtherDevices) {
  EXPECT_FAILS(load(makeManifest("sm_90a")), UFP4_INCOMPATIBLE,
               "manifest: kernel gemm is for sm_90a, the device has compute capability 8.6; "
               "compile with --target=sm_86");
  EXPECT_FAILS(load(makeManifest("gfx950")), UFP4_INCOMPATIBLE,
               "kernel gemm is for gfx950 of AMD, the driver is one of NVIDIA");
  std::string text = llvm::formatv("{0}", toJSON(makeManifest()));
  text.replace(text.find("\"schema_version\":1"), strlen("\"schema_version\":1"),
               "\"schema_version\":9");
  EXPECT_FAILS(ufp4ArtifactLoadBytes(device, text.data(), text.size(), "", 0, &artifact),
               UFP4_INCOMPATIBLE, "expected schema_version 1, found 9");
  EXPECT_FAILS(ufp4ArtifactLoadBytes(device, "{}", 2, "", 0, &artifact), UFP4_INCOMPATIBLE,
               "expected a field 'schema_version', found none");
  EXPECT_FAILS(ufp4ArtifactLoadBytes(device, "{", 1, "", 0, &artifact), UFP4_INVALID,
               "manifest: malformed JSON");
  std::string deep(1 << 21, '[');
  EXPECT_FAILS(ufp4ArtifactLoadBytes(device, deep.data(), deep.size(), "", 0, &artifact),
               UFP4_INVALID,
               "manifest: malformed JSON: expected at most 64 nested values, found more");
  // Brackets in a string nest nothing.
  std::string flat = "{\"schema_version\": 9, \"\\\"" + std::string(65, '[') + "\": 0}";
  EXPECT_FAILS(ufp4ArtifactLoadBytes(device, flat.data(), flat.size(), "", 0, &artifact),
               UFP4_INCOMPATIBLE, "expected schema_version 1, found 9");
  std::string large((64 << 20) + 1, ' ');
  EXPECT_FAILS(ufp4ArtifactLoadBytes(device, large.data(), large.size(), "", 0, &artifact),
               UFP4_INVALID,
               "manifest: malformed JSON: expected at most 67108864 bytes, found 67108865");
  EXPECT_FAILS(ufp4ArtifactLoadBytes(device, nullptr, 0, "", 0, &artifact), UFP4_INVALID,
               "expected 'manifest', found NULL");
  EXPECT_FAILS(ufp4DeviceOpen(driver, 2, &device), UFP4_NO_DEVICE,
               "expected a device below 2, found 2");
}

TEST_F(LauncherTest, RefusesBinariesThatEndEarly) {
  llvm::ELF::Elf64_Ehdr header = makeELFHeader();
  header.e_shoff = sizeof(header);
  header.e_shnum = 2;
  header.e_shentsize = 64;
  std::string binary(reinterpret_cast<char *>(&header), sizeof(header));
  EXPECT_FAILS(load(makeManifest(), binary.substr(0, 32)), UFP4_INVALID,
               "the object: the binary is truncated: expected 64 bytes, found 32");
  EXPECT_FAILS(load(makeManifest(), binary + std::string(127, '\0')), UFP4_INVALID,
               "the binary is truncated: expected 192 bytes, found 191");
  EXPECT_EQ(load(makeManifest(), binary + std::string(128, '\0')), UFP4_SUCCESS) << ufp4LastError();
}

TEST_F(LauncherTest, RefusesBinariesWhoseSumsWrap) {
  llvm::ELF::Elf64_Ehdr header = makeELFHeader();
  header.e_shoff = sizeof(header);
  header.e_shnum = 1;
  header.e_shentsize = sizeof(llvm::ELF::Elf64_Shdr);
  header.e_phentsize = sizeof(llvm::ELF::Elf64_Phdr);
  llvm::ELF::Elf64_Shdr section = {};
  section.sh_type = llvm::ELF::SHT_PROGBITS;
  auto loadBinary = [&](const llvm::ELF::Elf64_Ehdr &first, const llvm::ELF::Elf64_Shdr &second) {
    std::string binary(reinterpret_cast<const char *>(&first), sizeof(first));
    binary.append(reinterpret_cast<const char *>(&second), sizeof(second));
    return load(makeManifest(), binary);
  };
  const char *truncated = "the binary is truncated: expected 18446744073709551615 bytes, found 128";
  auto bad = header;
  bad.e_shoff = -sizeof(section);
  EXPECT_FAILS(loadBinary(bad, section), UFP4_INVALID, truncated);
  bad = header;
  bad.e_phoff = -sizeof(llvm::ELF::Elf64_Phdr);
  bad.e_phnum = 1;
  EXPECT_FAILS(loadBinary(bad, section), UFP4_INVALID, truncated);
  auto wrapped = section;
  wrapped.sh_offset = -16;
  wrapped.sh_size = 16;
  EXPECT_FAILS(loadBinary(header, wrapped), UFP4_INVALID, truncated);
  bad = header;
  bad.e_shentsize = 0;
  EXPECT_FAILS(loadBinary(bad, section), UFP4_INVALID,
               "expected section headers of 64 bytes in the binary, found 0");
  bad = header;
  bad.e_phnum = 1;
  bad.e_phentsize = 1;
  EXPECT_FAILS(loadBinary(bad, section), UFP4_INVALID,
               "expected program headers of 56 bytes in the binary, found 1");
  EXPECT_EQ(loadBinary(header, section), UFP4_SUCCESS) << ufp4LastError();
}

/// A manifest whose GEMM must pass a canary.
Manifest makeCanary() {
  Manifest manifest = makeManifest();
  manifest.kernels[0].canary = "codes";
  manifest.canaries = {{"codes", "gemm", 16, 8, 64, 1, 1, 64, 1}};
  return manifest;
}

TEST_F(LauncherTest, RefusesCanariesThatCannotRun) {
  ASSERT_EQ(load(makeCanary()), UFP4_SUCCESS) << ufp4LastError();
  ufp4ArtifactClose(artifact);
  artifact = nullptr;
  Manifest manifest = makeCanary();
  manifest.kernels[0].arguments[2].name = "product";
  EXPECT_FAILS(load(manifest), UFP4_INVALID,
               "canary codes: expected kernel gemm to write 'result' in f32 or bf16, found no such "
               "argument");
  manifest = makeCanary();
  manifest.kernels[0].arguments[2].element = "u8";
  EXPECT_FAILS(load(manifest), UFP4_INVALID,
               "canary codes: expected kernel gemm to write 'result' in f32 or bf16, found u8");
  manifest = makeCanary();
  manifest.canaries[0].m = int64_t(1) << 31;
  EXPECT_FAILS(load(manifest), UFP4_INVALID,
               "canary codes: expected m, n and k in [1, 2147483647], found 2147483648");
  manifest = makeCanary();
  manifest.canaries[0].m = manifest.canaries[0].n = (int64_t(1) << 31) - 8;
  manifest.kernels[0].arguments[0].shape[1] = manifest.kernels[0].arguments[1].shape[1] = "1";
  EXPECT_FAILS(load(manifest), UFP4_INVALID, "argument result: its bytes do not fit in 63 bits");
  manifest.canaries[0].m = 8;
  EXPECT_FAILS(load(manifest), UFP4_INVALID,
               "canary codes: argument result: expected at most 1073741824 bytes, found "
               "68719476480");
  EXPECT_EQ(readLog().find("launch gemm grid 268435455"), std::string::npos);
  manifest = makeCanary();
  manifest.canaries[0].k = 72;
  EXPECT_FAILS(load(manifest), UFP4_INVALID,
               "canary codes: argument codes_a: expected k to be a multiple of the scheme's block, "
               "16, found 72");
  manifest = makeCanary();
  manifest.canaries[0].m = 1 << 20;
  EXPECT_FAILS(
      load(manifest), UFP4_INVALID,
      "canary codes: argument codes_a: expected at most 4194304 codes, found 1048576 x 64");
  for (const char *formula : {"k * 4000", "k * 4 + 9223372036854775807"}) {
    manifest = makeCanary();
    manifest.layouts[0].codeBit = formula;
    EXPECT_FAILS(load(manifest), UFP4_INVALID,
                 "canary codes: argument codes_a: layout tiles has a place outside of its 2048 "
                 "bytes");
  }
  manifest = makeCanary();
  manifest.layouts[0].codeBit = "k * col";
  EXPECT_FAILS(load(manifest), UFP4_INVALID,
               "canary codes: argument codes_a: formula 'k * col': expected a number, a variable "
               "of layouts or '(' at 'col'");
  EXPECT_FAILS(load(makeCanary(), ".entry gemm__unpatched()"), UFP4_INVALID,
               "the object: it holds unpatched kernels, which compute something else and are never "
               "launched");
  setenv("UFP4_STANDIN_FAIL", "cuMemAlloc_v2=2", 1);
  EXPECT_FAILS(load(makeCanary()), UFP4_DRIVER_ERROR, "bytes of the device's memory cannot be");
}

TEST_F(LauncherTest, RefusesPlanesThatAreNoViews) {
  for (unsigned plane : {0, 1}) {
    Manifest manifest = makeManifest();
    manifest.kernels[0].arguments[plane].shape = {"k"};
    manifest.kernels[0].arguments[plane].padding = {64};
    EXPECT_FAILS(load(manifest), UFP4_INVALID,
                 std::string(": expected 3 extents for ") + (plane ? "scales" : "codes") +
                     ", found 1");
  }
}

TEST_F(LauncherTest, DriversWordsAreInErrors) {
  setenv("UFP4_STANDIN_FAIL", "cuModuleLoadDataEx=218", 1);
  EXPECT_FAILS(load(makeManifest()), UFP4_DRIVER_ERROR,
               "the object: the driver does not load the kernels (ptxas fatal: the stand-in was "
               "asked to refuse)");
  setenv("UFP4_STANDIN_FAIL", "cuModuleGetFunction=500", 1);
  EXPECT_FAILS(load(makeManifest()), UFP4_DRIVER_ERROR, "the object: no kernel gemm: ");
  setenv("UFP4_STANDIN_FAIL", "cuFuncSetAttribute=1", 1);
  EXPECT_FAILS(load(makeManifest()), UFP4_DRIVER_ERROR,
               "kernel gemm needs 65536 bytes of shared memory, which the device does not give");
  setenv("UFP4_STANDIN_FAIL", "cuLaunchKernel=719", 1);
  ASSERT_EQ(load(makeManifest()), UFP4_SUCCESS) << ufp4LastError();
  EXPECT_FAILS(ufp4KernelLaunch(find("gemm"), kGemmValues.data(), kGemmValues.size(), nullptr),
               UFP4_DRIVER_ERROR, "kernel gemm cannot be launched: ");
  setenv("UFP4_STANDIN_FAIL", "cuInit=100", 1);
  UFP4Driver *other;
  EXPECT_FAILS(ufp4DriverOpen(UFP4_NVIDIA, UFP4_STANDIN_DRIVER, &other), UFP4_NO_DEVICE,
               "the driver does not start: ");
  EXPECT_FAILS(ufp4DriverOpen(UFP4_NVIDIA, "/nowhere/libcuda.so.1", &other), UFP4_NO_DEVICE,
               "no driver: /nowhere/libcuda.so.1");
  // A library that is no driver.
  EXPECT_FAILS(ufp4DriverOpen(UFP4_NVIDIA, "libm.so.6", &other), UFP4_NO_DEVICE,
               "libm.so.6 has no function cu");
}

TEST_F(LauncherTest, WhatWasOpenedOutlivesTheHandlesBelow) {
  ASSERT_EQ(load(makeManifest()), UFP4_SUCCESS) << ufp4LastError();
  ufp4DriverClose(driver);
  ufp4DeviceClose(device);
  driver = nullptr;
  device = nullptr;
  EXPECT_EQ(ufp4KernelLaunch(find("gemm"), kGemmValues.data(), kGemmValues.size(), nullptr),
            UFP4_SUCCESS)
      << ufp4LastError();
  ufp4ArtifactClose(artifact);
  artifact = nullptr;
  EXPECT_NE(readLog().find("unload\nrelease 1\n"), std::string::npos);
}

TEST_F(LauncherTest, HIPHasTheSameFunctions) {
  UFP4Driver *hip;
  ASSERT_EQ(ufp4DriverOpen(UFP4_AMD, UFP4_STANDIN_DRIVER, &hip), UFP4_SUCCESS) << ufp4LastError();
  int count = 0;
  EXPECT_EQ(ufp4DriverDeviceCount(hip, &count), UFP4_SUCCESS);
  EXPECT_EQ(count, 2);
  ufp4DeviceClose(device);
  ASSERT_EQ(ufp4DeviceOpen(hip, 0, &device), UFP4_SUCCESS) << ufp4LastError();
  EXPECT_FAILS(load(makeManifest("gfx950")), UFP4_INCOMPATIBLE,
               "the object: it is no code object, and HIP loads no assembly; compile where LLVM's "
               "ld.lld is found");
  llvm::ELF::Elf64_Ehdr header = makeELFHeader();
  std::string binary(reinterpret_cast<char *>(&header), sizeof(header));
  ASSERT_EQ(load(makeManifest("gfx950"), binary), UFP4_SUCCESS) << ufp4LastError();
  EXPECT_EQ(ufp4KernelLaunch(find("gemm"), kGemmValues.data(), kGemmValues.size(), nullptr),
            UFP4_SUCCESS)
      << ufp4LastError();
  EXPECT_NE(readLog().find("launch gemm grid 2,2,3 block 256,1,1 shared 65536 stream 0\n"),
            std::string::npos);
  ufp4DriverClose(hip);
}

} // namespace
