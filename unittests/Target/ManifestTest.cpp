//===- ManifestTest.cpp - Manifests say how to launch ---------------------===//

#include "ufp4/Target/Manifest.h"

#include "ufp4/Support/Version.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <functional>

using namespace ufp4;
using namespace ufp4::target;
namespace json = llvm::json;

namespace {

Manifest makeManifest() {
  Manifest manifest;
  manifest.recipe = "ufp4-nv";
  manifest.recipeHash = "0123456789abcdef";
  manifest.layouts = {{"tile", "(row * Kp + k) * 4", "row * (Kp // B) + k // B"},
                      {"lines", "k * 4", "row"}};
  KernelEntry kernel;
  kernel.name = "gemm";
  kernel.assembly = "gemm.ptx";
  kernel.binary = "gemm.cubin";
  kernel.chip = "sm_120a";
  kernel.path = "native";
  kernel.schemes["operands"] =
      json::Object{{"format", "e1m2"}, {"block", 16},          {"block_rows", 1},
                   {"scale", "ue4m3"}, {"scale_rule", "ceil"}, {"rotation", nullptr}};
  kernel.multiples["n"] = 8;
  kernel.grid = {GridAxis{{"n", 128}}, GridAxis{{"m", 128}}, GridAxis{{"g", 1}}};
  kernel.block = {128, 1, 1};
  kernel.dynamicSharedBytes = 73728;
  kernel.registers = 238;
  kernel.documented = false;
  kernel.canary = "codes";
  kernel.fallback = "post";
  auto operand = [](const char *name, ArgumentKind kind, const char *element, const char *layout,
                    std::vector<std::string> shape, std::vector<int64_t> padding) {
    ArgumentEntry argument;
    argument.name = name;
    argument.kind = kind;
    argument.element = element;
    argument.layout = layout;
    argument.shape = std::move(shape);
    argument.padding = std::move(padding);
    argument.alignment = 128;
    return argument;
  };
  kernel.arguments = {
      operand("a", ArgumentKind::Codes, "u4", "tile", {"g", "m", "k"}, {1, 128, 256}),
      operand("a_scales", ArgumentKind::Scales, "u8", "lines", {"g", "m", "k"}, {1, 128, 256}),
      operand("a_global", ArgumentKind::Global, "f32", "", {"1"}, {}),
      operand("b", ArgumentKind::Codes, "u4", "tile", {"g", "n", "k"}, {1, 128, 256}),
      operand("c", ArgumentKind::Accumulator, "f32", "", {"g", "m", "n"}, {})};
  kernel.arguments.back().access = ArgumentAccess::ReadWrite;
  ArgumentEntry depth;
  depth.name = "k";
  depth.element = "i32";
  depth.alignment = 4;
  depth.value = "k";
  kernel.arguments.push_back(depth);
  manifest.kernels.push_back(kernel);

  KernelEntry fallback = kernel;
  fallback.name = "post";
  fallback.path = "post";
  fallback.binary = "";
  fallback.documented = true;
  fallback.canary = fallback.fallback = "";
  manifest.kernels.push_back(fallback);
  manifest.canaries = {{"codes", "gemm", 128, 128, 64, 7, 1, 448, 192}};
  return manifest;
}

std::string print(const Manifest &manifest) {
  return llvm::formatv("{0:2}", toJSON(manifest)).str();
}

std::string problemOf(const Manifest &manifest) { return llvm::toString(verify(manifest)); }

/// The error of reading a manifest whose JSON was changed.
std::string problemAfter(const std::function<void(json::Object &)> &change) {
  json::Value value = toJSON(makeManifest());
  change(*value.getAsObject());
  auto manifest = parseManifest(llvm::formatv("{0}", value).str(), "manifest.json");
  return manifest ? "" : llvm::toString(manifest.takeError());
}

json::Object &firstKernel(json::Object &root) {
  return *root.getArray("kernels")->front().getAsObject();
}

// Breaks if a field is written and not read, or the other way round.
TEST(Manifest, ComesBackAsItWas) {
  Manifest manifest = makeManifest();
  for (KernelEntry &kernel : manifest.kernels)
    kernel.arguments[0].encoding = {0, 1, 2, 3, 4, 5, 6, 7, 32, 33, 34, 35, 36, 37, 38, 39};
  ASSERT_EQ(problemOf(manifest), "");
  auto again = parseManifest(print(manifest), "manifest.json");
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(print(manifest), print(*again));
  const KernelEntry *kernel = again->find("gemm");
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->grid[1].front().extent, "m");
  EXPECT_EQ(kernel->arguments[0].padding, (std::vector<int64_t>{1, 128, 256}));
  EXPECT_EQ(kernel->arguments[0].encoding[9], 33);
  EXPECT_TRUE(kernel->arguments[1].encoding.empty());
  EXPECT_EQ(kernel->arguments[2].shape, std::vector<std::string>{"1"});
  EXPECT_FALSE(kernel->documented);
  EXPECT_EQ(again->canaries.front().expected, 448);
  EXPECT_EQ(again->layouts.front().scaleByte, "row * (Kp // B) + k // B");
}

/// The codes of the kernel and of its fallback come by a tensor map.
Manifest makeTensorManifest() {
  Manifest manifest = makeManifest();
  for (KernelEntry &kernel : manifest.kernels) {
    kernel.arguments[0].padding = {1, 1, 16};
    kernel.arguments[0].tensorMap = TensorMapEntry{128, 64, 4, 128};
  }
  return manifest;
}

TEST(Manifest, TensorMaps) {
  Manifest manifest = makeTensorManifest();
  ASSERT_EQ(problemOf(manifest), "");
  auto again = parseManifest(print(manifest), "manifest.json");
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(print(manifest), print(*again));
  const KernelEntry &kernel = again->kernels.front();
  EXPECT_EQ(kernel.arguments[0].tensorMap->rowStep, 4);
  EXPECT_FALSE(kernel.arguments[1].tensorMap);

  // What the launch's numbers tell: g by the grid, k by a scalar.
  std::map<std::string, int64_t> read = readExtents(kernel, {7, 8, 3}, {0, 0, 0, 0, 0, 512});
  EXPECT_EQ(read, (std::map<std::string, int64_t>{{"g", 3}, {"k", 512}}));
  read["m"] = 5;
  auto rows = getTensorRows(kernel, kernel.arguments[0], read);
  ASSERT_TRUE(bool(rows)) << llvm::toString(rows.takeError());
  EXPECT_EQ(*rows, (std::array<int64_t, 2>{256, 15}));
  read["m"] = int64_t(1) << 30;
  EXPECT_NE(llvm::toString(getTensorRows(kernel, kernel.arguments[0], read).takeError())
                .find("counted in 32 bits"),
            std::string::npos);
  read.erase("m");
  EXPECT_NE(llvm::toString(getTensorRows(kernel, kernel.arguments[0], read).takeError())
                .find("expected the extent 'm'"),
            std::string::npos);

  auto problem = [](auto change) {
    Manifest changed = makeTensorManifest();
    change(changed.kernels.front().arguments[0]);
    return problemOf(changed);
  };
  auto expectPart = [](const std::string &text, const char *part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expectPart(problem([](ArgumentEntry &a) {
               a.padding = {1, 128, 16};
             }),
             "in rows without padding");
  expectPart(problem([](ArgumentEntry &a) { a.tensorMap->boxBytes = 24; }), "found 24, 64 and 4");
  expectPart(problem([](ArgumentEntry &a) { a.tensorMap->rowStep = 9; }), "found 128, 64 and 9");
  expectPart(problem([](ArgumentEntry &a) { a.tensorMap->swizzle = 64; }), "at least, found 64");
}

TEST(Manifest, SaysWhoMadeIt) {
  json::Value value = toJSON(makeManifest());
  const json::Object &root = *value.getAsObject();
  EXPECT_EQ(root.getInteger("schema_version"), kSchemaVersion);
  EXPECT_EQ(root.getString("compiler"), ("ufp4 " + kVersion).str());
  EXPECT_EQ(root.getObject("recipe")->getString("hash"), "0123456789abcdef");
}

TEST(Manifest, GoesThroughAFile) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("ufp4-manifest", folder));
  std::string file = (folder + "/manifest.json").str();
  EXPECT_EQ(llvm::toString(writeManifest(makeManifest(), file)), "");
  auto again = readManifest(file);
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(print(makeManifest()), print(*again));
  llvm::sys::fs::remove_directories(folder);
  auto missing = readManifest(file);
  ASSERT_FALSE(bool(missing));
  EXPECT_NE(llvm::toString(missing.takeError()).find("cannot read"), std::string::npos);
}

TEST(Manifest, GridOfExtents) {
  Manifest manifest = makeManifest();
  const KernelEntry &kernel = manifest.kernels.front();
  auto grid = getGrid(kernel, {{"m", 129}, {"n", 1024}, {"k", 7}, {"g", 3}});
  ASSERT_TRUE(bool(grid));
  EXPECT_EQ(*grid, (std::array<int64_t, 3>{8, 2, 3}));
  grid = getGrid(kernel, {{"m", 1}, {"n", 12}, {"g", 1}});
  ASSERT_FALSE(bool(grid));
  EXPECT_EQ(llvm::toString(grid.takeError()),
            "kernel gemm: expected 'n' to be a multiple of 8, found 12");
  grid = getGrid(kernel, {{"m", 0}, {"n", 8}, {"g", 1}});
  ASSERT_TRUE(bool(grid));
  EXPECT_EQ((*grid)[1], 0);
  grid = getGrid(kernel, {{"m", 1}, {"n", 8}});
  ASSERT_FALSE(bool(grid));
  EXPECT_EQ(llvm::toString(grid.takeError()),
            "kernel gemm: expected the extent 'g', 0 or more, found none");
  grid = getGrid(kernel, {{"m", 128 * 65536}, {"n", 8}, {"g", 1}});
  ASSERT_FALSE(bool(grid));
  EXPECT_EQ(llvm::toString(grid.takeError()),
            "kernel gemm: 65536 blocks along axis 1, at most 65535 can be launched");
  KernelEntry product = kernel;
  product.multiples.clear();
  product.grid = {GridAxis{{"m", 4}, {"n", 3}}, {}, {}};
  grid = getGrid(product, {{"m", 9}, {"n", 7}});
  ASSERT_TRUE(bool(grid));
  EXPECT_EQ(*grid, (std::array<int64_t, 3>{9, 1, 1}));
  product.grid[0] = {{"m", 1}, {"m", 1}, {"m", 1}};
  grid = getGrid(product, {{"m", int64_t(1) << 40}});
  ASSERT_FALSE(bool(grid));
  llvm::consumeError(grid.takeError());
}

TEST(Manifest, CountsOfTiles) {
  TileCount count{"k", 64, 128};
  EXPECT_EQ(count.of(0), 0);
  EXPECT_EQ(count.of(1), 2);
  EXPECT_EQ(count.of(128), 2);
  EXPECT_EQ(count.of(129), 4);
  EXPECT_EQ(count.spelling(), "tiles(k, 128, 64)");
  auto again = TileCount::parse(count.spelling());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->extent, "k");
  EXPECT_EQ(again->padding, 128);
  EXPECT_EQ(again->tile, 64);
  count.least = 1;
  EXPECT_EQ(count.of(0), 1);
  EXPECT_EQ(count.of(INT64_MAX), INT64_MAX);
  for (const char *text : {"k", "tiles(k)", "tiles(k, 0, 64)", "tiles(k, 1, 64", "tiles(k, 1, x)"})
    EXPECT_FALSE(TileCount::parse(text)) << text;
}

TEST(Manifest, OtherVersionsAreRefused) {
  EXPECT_EQ(problemAfter([](json::Object &root) { root["schema_version"] = 2; }),
            "manifest.json: expected schema_version 1, found 2");
  EXPECT_EQ(problemAfter([](json::Object &root) { root.erase("schema_version"); }),
            "manifest.json: expected a field 'schema_version', found none");
}

TEST(Manifest, FieldsAreChecked) {
  EXPECT_EQ(problemAfter([](json::Object &root) { root["kernel"] = 1; }),
            "manifest.json: field 'kernel' is not known");
  EXPECT_EQ(problemAfter([](json::Object &root) { firstKernel(root).erase("block"); }),
            "manifest.json.kernels[0]: expected a field 'block', found none");
  EXPECT_EQ(problemAfter([](json::Object &root) { firstKernel(root)["registers"] = "many"; }),
            "manifest.json.kernels[0]: expected 'registers' to be an integer, found \"many\"");
  EXPECT_EQ(problemAfter([](json::Object &root) {
              firstKernel(root)["block"] = json::Array{1, 2};
            }),
            "manifest.json.kernels[0]: expected 'block' to have 3 extents, found 2");
  EXPECT_EQ(problemAfter([](json::Object &root) {
              (*firstKernel(root).getArray("arguments")->front().getAsObject())["kind"] = "code";
            }),
            "manifest.json.kernels[0].arguments[0]: expected 'kind' to be one of input, codes, "
            "scales, global, output, accumulator, scalar, found 'code'");
  auto broken = parseManifest("{", "manifest.json");
  ASSERT_FALSE(bool(broken));
  EXPECT_NE(llvm::toString(broken.takeError()).find("malformed JSON"), std::string::npos);
}

// One fault each; breaks if a manifest that cannot be launched passes.
TEST(Manifest, FaultsAreFound) {
  auto problem = [](const std::function<void(Manifest &)> &change) {
    Manifest manifest = makeManifest();
    change(manifest);
    return problemOf(manifest);
  };
  EXPECT_EQ(problem([](Manifest &m) {
              m.kernels[0].fallback = "";
              m.kernels[1].name = "gemm__unpatched";
            }),
            "kernel gemm__unpatched: an unpatched kernel computes something else and is never "
            "launched");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[1].name = "gemm"; }),
            "there are two kernels called gemm");
  EXPECT_NE(
      problem([](Manifest &m) { m.kernels[0].chip = "sm_120"; }).find("did you mean sm_120a?"),
      std::string::npos);
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[0].dynamicSharedBytes = 110000; }),
            "kernel gemm: it needs 110000 bytes of shared memory, a block on sm_120a has 101376");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[0].registers = 256; }),
            "kernel gemm: it needs 256 registers, a thread on sm_120a has 255");
  EXPECT_EQ(problem([](Manifest &m) {
              m.kernels[0].block = {512, 4, 1};
            }),
            "kernel gemm: a block has 2048 threads, at most 1024 can be launched");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[0].grid[0][0].extent = "q"; }),
            "kernel gemm: the grid needs the extent 'q', which no argument's shape names");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[0].arguments[0].layout = "swizzled"; }),
            "kernel gemm: argument a: layout 'swizzled' is not among the layouts");
  EXPECT_EQ(problem([](Manifest &m) {
              m.kernels[0].arguments[0].encoding = {0, 1};
            }),
            "kernel gemm: argument a: expected 'encoding' of 16 codes, or none, found 2 for codes");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[0].arguments[0].layout = ""; }),
            "kernel gemm: argument a: expected a layout for codes, found none");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[0].arguments[0].storedBits = 4; }),
            "kernel gemm: argument a: expected 'stored_bits' of an array, above the element's 4, "
            "found 4");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[0].arguments[0].element = "e1m2"; }),
            "kernel gemm: argument a: expected 'element' to be one of u4, u6, u8, bf16, f16, f32, "
            "i32, i64, found 'e1m2'");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[0].arguments[0].alignment = 24; }),
            "kernel gemm: argument a: expected 'alignment' to be a power of two, found 24");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[0].arguments[4].access = ArgumentAccess::Write; }),
            "kernel gemm: argument c: expected 'access' to be read_write for accumulator, found "
            "write");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[0].arguments[5].value = ""; }),
            "kernel gemm: argument k: expected 'value' to say what the scalar holds, found none");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[0].arguments[5].value = "tiles(q, 1, 64)"; }),
            "kernel gemm: argument k: 'tiles(q, 1, 64)' is no extent that a shape names, no count "
            "of its tiles, no stride of an argument, and none of alpha, seed, step, stream, extent "
            "and first_group");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[0].arguments[5].value = "stride(a, 3)"; }),
            "kernel gemm: argument k: 'stride(a, 3)' is no extent that a shape names, no count of "
            "its tiles, no stride of an argument, and none of alpha, seed, step, stream, extent "
            "and first_group");
  for (const char *known : {"alpha", "seed_inner", "stride(a, 2)", "tiles(k, 32, 256)"})
    EXPECT_EQ(problem([=](Manifest &m) {
                for (KernelEntry &kernel : m.kernels)
                  kernel.arguments[5].value = known;
              }),
              "");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[0].grid[0][0].padding = 0; }),
            "kernel gemm: expected tiles and padding of 1 or more, found 128 and 0");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[0].canary = ""; }),
            "kernel gemm: expected a canary, as its encoding is not documented");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[0].fallback = "fold"; }),
            "kernel gemm: fallback 'fold' is not among the kernels");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[1].arguments[1].padding[1] = 64; }),
            "kernel gemm: its fallback post is launched in its place, and differs from it in "
            "argument a_scales");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[1].arguments.pop_back(); }),
            "kernel gemm: its fallback post is launched in its place, and differs from it in its "
            "arguments");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[1].grid[1][0].tile = 64; }),
            "kernel gemm: its fallback post is launched in its place, and differs from it in its "
            "grid");
  EXPECT_EQ(problem([](Manifest &m) { m.kernels[0].assembly = "gemm.unpatched.ptx"; }),
            "kernel gemm: 'gemm.unpatched.ptx' is to be read, not to be loaded: its kernels "
            "compute something else");
  EXPECT_EQ(problem([](Manifest &m) { m.canaries[0].n = 12; }),
            "canary codes: expected n to be a multiple of 8, as kernel gemm takes, found 12");
  EXPECT_EQ(problem([](Manifest &m) {
              for (KernelEntry &kernel : m.kernels) {
                kernel.grid[1] = GridAxis{{"tiled", 128}};
                kernel.arguments[0].shape[1] = "tiled";
              }
            }),
            "canary codes: expected kernel gemm to have the extents g, m, n and k, found 'tiled'");
  EXPECT_EQ(problem([](Manifest &m) { m.canaries[0].otherwise = 448; }),
            "canary codes: it cannot tell, as it expects 448 either way");
}

// Python's rules, by which strangers read them.
TEST(Formula, IsEvaluated) {
  std::map<std::string, int64_t> variables = {{"row", 13}, {"k", 70}, {"scale_bytes", 4}};
  auto evaluate = [&](llvm::StringRef formula) {
    llvm::Expected<int64_t> value = evaluateFormula(formula, variables);
    return value ? std::to_string(*value) : llvm::toString(value.takeError());
  };
  EXPECT_EQ(evaluate("row"), "13");
  EXPECT_EQ(evaluate(" 2 + 3 * row "), "41");
  EXPECT_EQ(evaluate("(2 + 3) * row"), "65");
  EXPECT_EQ(evaluate("k // 8 % 5 * scale_bytes"), "12");
  EXPECT_EQ(evaluate("row & 4 | row ^ 1 & 3"), "12");
  EXPECT_EQ(evaluate("1 | 2 ^ 3 & 4 + 2"), "1");
  EXPECT_EQ(evaluate("k % 64 // 8 ^ (row // 4 & 6 | (row ^ row // 4) & 1)"), "2");
  EXPECT_EQ(evaluate(""), "formula '': expected a number, a variable of layouts or '(' at ''");
  EXPECT_EQ(evaluate("row +"),
            "formula 'row +': expected a number, a variable of layouts or '(' at ''");
  EXPECT_EQ(evaluate("col * 2"),
            "formula 'col * 2': expected a number, a variable of layouts or '(' at 'col * 2'");
  EXPECT_EQ(evaluate("(row"), "formula '(row': expected ')' at ''");
  EXPECT_EQ(evaluate("row row"), "formula 'row row': expected an operator at 'row'");
  EXPECT_EQ(evaluate("row - 1"), "formula 'row - 1': expected an operator at '- 1'");
  EXPECT_EQ(evaluate("row // (k % 7)"), "formula 'row // (k % 7)': expected a positive divisor and "
                                        "a dividend of 0 or more, before what is at ''");
  EXPECT_EQ(evaluate("99999999999999999999"), "formula '99999999999999999999': expected a number "
                                              "of 63 bits at '9999999999999999'");
  EXPECT_NE(evaluate(std::string(100000, '(')).find("expected fewer parentheses"),
            std::string::npos);
}

TEST(Manifest, FaultyOnesAreNotWritten) {
  Manifest manifest = makeManifest();
  manifest.kernels[0].registers = -1;
  EXPECT_EQ(llvm::toString(writeManifest(manifest, "/nonexistent/manifest.json")),
            "kernel gemm: expected no negative sizes");
  EXPECT_NE(llvm::toString(writeManifest(makeManifest(), "/nonexistent/manifest.json"))
                .find("cannot write"),
            std::string::npos);
}

} // namespace
