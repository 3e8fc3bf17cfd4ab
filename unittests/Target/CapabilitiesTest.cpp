//===- CapabilitiesTest.cpp - The table of chips answers questions --------===//

#include "ufp4/Target/Capabilities.h"

#include "gtest/gtest.h"

using namespace ufp4;
using namespace ufp4::target;
using numerics::Format;
using numerics::ScaleKind;
using numerics::Scheme;

namespace {

Scheme makeScheme(Format format, ScaleKind scale, unsigned block) {
  Scheme scheme;
  scheme.format = format;
  scheme.scale = scale;
  scheme.block = block;
  return scheme;
}

const Scheme kPaper = makeScheme(Format::E1M2, ScaleKind::F32, 16);
const Scheme kNV = makeScheme(Format::E1M2, ScaleKind::UE4M3, 16);
const Scheme kMX = makeScheme(Format::E1M2, ScaleKind::UE8M0, 32);

/// Letters of the paths that a chip has for a scheme, `!` behind those by permission.
std::string pathsOf(llvm::StringRef name, const Scheme &scheme) {
  const Chip *chip = findChip(name);
  if (!chip)
    return "unknown";
  std::string text;
  for (Path path : kPaths)
    if (const PathCapability *row = findPath(*chip, scheme, path)) {
      text += stringify(path)[0];
      text += row->permission == Permission::ByPermission ? "!" : "";
    }
  return text;
}

// Breaks if a row of the table of hardware is dropped, doubled or documented by mistake.
TEST(Capabilities, UniformGridByChipAndScale) {
  struct Row {
    const char *chip, *f32, *ue4m3, *ue8m0;
  };
  const Row rows[] = {
      {"sm_80", "p", "pf", "pf"},      {"sm_86", "p", "pf", "pf"},
      {"sm_89", "p", "pf", "pf"},      {"sm_90a", "p", "pf", "pf"},
      {"sm_100f", "p", "n!pf", "cpf"}, {"sm_100a", "p", "n!pf", "cpf"},
      {"sm_103a", "p", "n!pf", "cpf"}, {"sm_110a", "p", "n!pf", "cpf"},
      {"sm_120a", "p", "n!pf", "cpf"}, {"sm_121a", "p", "n!pf", "cpf"},
      {"gfx942", "p", "pf", "pf"},     {"gfx950", "p", "pf", "cpf"},
      {"gfx1250", "", "f", "cf"},
  };
  EXPECT_EQ(std::size(rows), getChips().size());
  for (const Row &row : rows) {
    EXPECT_EQ(pathsOf(row.chip, kPaper), row.f32) << row.chip;
    EXPECT_EQ(pathsOf(row.chip, kNV), row.ue4m3) << row.chip;
    EXPECT_EQ(pathsOf(row.chip, kMX), row.ue8m0) << row.chip;
  }
}

TEST(Capabilities, NativeE2M1IsDocumented) {
  EXPECT_EQ(pathsOf("sm_120a", makeScheme(Format::E2M1, ScaleKind::UE4M3, 16)), "npf");
  EXPECT_EQ(pathsOf("sm_100a", makeScheme(Format::E2M1, ScaleKind::UE8M0, 32)), "ncpf");
  EXPECT_EQ(pathsOf("gfx950", makeScheme(Format::E2M1, ScaleKind::UE8M0, 32)), "ncpf");
  EXPECT_EQ(pathsOf("gfx1250", makeScheme(Format::E2M1, ScaleKind::UE4M3, 16)), "nf");
  EXPECT_EQ(pathsOf("gfx1250", makeScheme(Format::E2M1, ScaleKind::UE8M0, 16)), "ncf");
  EXPECT_EQ(pathsOf("sm_90a", makeScheme(Format::E2M1, ScaleKind::UE4M3, 16)), "pf");
}

TEST(Capabilities, RatesAreRelativeToTheirBase) {
  const PathCapability *row = findPath(*findChip("sm_120a"), kNV, Path::Native);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->rate, 1.0f);
  EXPECT_EQ(row->base, RateBase::E2M1);
  row = findPath(*findChip("sm_100a"), kMX, Path::Container);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->rate, 0.5f);
  row = findPath(*findChip("gfx950"), kMX, Path::Container);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->rate, 1.0f);
  row = findPath(*findChip("sm_80"), kPaper, Path::Post);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->rate, 0.5f);
  EXPECT_EQ(row->base, RateBase::BF16);
}

TEST(Capabilities, ResourcesOfAChip) {
  const Chip *chip = findChip("sm_120a");
  ASSERT_TRUE(chip);
  EXPECT_EQ(chip->sharedMemoryBytes, 101376u);
  EXPECT_EQ(chip->maxRegisters, 255u);
  EXPECT_EQ(chip->waveSize, 32u);
  EXPECT_EQ(chip->features, "+ptx90");
  EXPECT_FALSE(chip->has(Feature::TensorMemory));
  EXPECT_EQ(findChip("sm_100a")->tensorMemoryColumns, 512u);
  EXPECT_EQ(findChip("gfx942")->waveSize, 64u);
  for (const Chip &other : getChips())
    EXPECT_EQ(other.tensorMemoryColumns != 0, other.has(Feature::TensorMemory));
}

TEST(Capabilities, ChipsOfComputeCapabilities) {
  auto nameOf = [](int major, int minor) {
    const Chip *chip = findChip(major, minor);
    return chip ? chip->name.str() : "none";
  };
  EXPECT_EQ(nameOf(7, 5), "none");
  EXPECT_EQ(nameOf(8, 0), "sm_80");
  // A later minor capability runs the binaries of an earlier one.
  EXPECT_EQ(nameOf(8, 7), "sm_86");
  EXPECT_EQ(nameOf(9, 0), "sm_90a");
  EXPECT_EQ(nameOf(10, 0), "sm_100a");
  EXPECT_EQ(nameOf(10, 3), "sm_103a");
  // One of a family that the table lacks, and one that it refuses.
  EXPECT_EQ(nameOf(10, 4), "sm_100f");
  EXPECT_EQ(nameOf(10, 7), "sm_89");
  EXPECT_EQ(nameOf(12, 1), "sm_121a");
  // One that the table lacks compiles the assembly of an earlier one.
  EXPECT_EQ(nameOf(13, 0), "sm_89");

  auto fitOf = [](const char *chip, int major, int minor) {
    return getFit(*findChip(chip), major, minor);
  };
  EXPECT_EQ(fitOf("sm_80", 8, 9), Fit::Binary);
  EXPECT_EQ(fitOf("sm_80", 9, 0), Fit::Assembly);
  EXPECT_EQ(fitOf("sm_86", 8, 0), Fit::None);
  EXPECT_EQ(fitOf("sm_90a", 9, 0), Fit::Binary);
  EXPECT_EQ(fitOf("sm_90a", 10, 0), Fit::None);
  EXPECT_EQ(fitOf("sm_120a", 12, 1), Fit::None);
  EXPECT_EQ(fitOf("sm_100f", 10, 0), Fit::Binary);
  EXPECT_EQ(fitOf("sm_100f", 10, 3), Fit::Binary);
  EXPECT_EQ(fitOf("sm_100f", 10, 7), Fit::None);
  EXPECT_EQ(fitOf("sm_100f", 11, 0), Fit::None);
  EXPECT_EQ(fitOf("gfx950", 9, 5), Fit::None);
}

TEST(Capabilities, SuggestsTheChipThatWasMeant) {
  EXPECT_EQ(suggestChip("sm_120"), "sm_120a");
  EXPECT_EQ(suggestChip("sm_120f"), "sm_120a");
  EXPECT_EQ(suggestChip("sm90"), "sm_90a");
  EXPECT_EQ(suggestChip("SM_100a"), "sm_100a");
  EXPECT_EQ(suggestChip("sm_100"), "sm_100a");
  EXPECT_EQ(suggestChip("gfx95"), "gfx950");
  EXPECT_EQ(suggestChip("sm_90"), "sm_90a");
  EXPECT_EQ(suggestChip("riscv"), "");
  // The nearest name is that of a chip which would run something else.
  EXPECT_EQ(suggestChip("sm_107"), "");
}

TEST(Capabilities, UnknownChipsAreExplained) {
  EXPECT_TRUE(findChip(kBaselineChip));
  EXPECT_FALSE(findChip("sm_107"));
  EXPECT_FALSE(findChip("sm_107a"));
  EXPECT_EQ(explainUnknownChip("sm_120"),
            "unknown chip 'sm_120', did you mean sm_120a?; known: sm_80, sm_86, sm_89, sm_90a, "
            "sm_100f, sm_100a, sm_103a, sm_110a, sm_120a, sm_121a, gfx942, gfx950, gfx1250");
  EXPECT_NE(explainUnknownChip("sm_107a").find("an illegal instruction"), std::string::npos);
  EXPECT_EQ(explainUnknownChip("").rfind("no chip is named; known: sm_80, ", 0), 0u);
  EXPECT_EQ(explainUnknownChip("riscv").rfind("unknown chip 'riscv'; known: sm_80, ", 0), 0u);
}

TEST(Capabilities, RefusalsNameTheScheme) {
  EXPECT_EQ(explainRefusal(*findChip("sm_120a"), kNV, Path::Native), "");
  EXPECT_EQ(explainRefusal(*findChip("sm_120a"), kPaper, Path::Native),
            "sm_120a has no native path for e1m2 with f32 scales per 16: that path takes e1m2 with "
            "ue4m3 scales per 16; e2m1 with ue4m3 scales per 16; e2m1 with ue8m0 scales per 32");
  EXPECT_EQ(
      explainRefusal(*findChip("sm_90a"), kNV, Path::Native),
      "sm_90a has no native path for e1m2 with ue4m3 scales per 16: it has no such path for any "
      "scheme, but for this one it has post, fold");
  EXPECT_EQ(
      explainRefusal(*findChip("sm_80"), kPaper, Path::Fold),
      "sm_80 has no fold path for e1m2 with f32 scales per 16: that path takes e1m2, e2m1 with "
      "ue4m3, ue8m0 scales per 16 or 32");
}

// Breaks if a row that needs a later PTX version than LLVM emits is used.
TEST(Capabilities, RowsThatCannotBeEmittedAreRefused) {
  for (Format format : {Format::E1M2, Format::E2M1}) {
    Scheme scheme = makeScheme(format, ScaleKind::UE8M0, 16);
    EXPECT_FALSE(findPath(*findChip("sm_120a"), scheme, Path::Native));
    EXPECT_EQ(explainRefusal(*findChip("sm_120a"), scheme, Path::Native),
              "sm_120a has no native path for " + describeScheme(scheme) +
                  ": its instruction needs PTX 9.1, and this compiler emits PTX 9.0");
  }
}

TEST(Capabilities, PathNames) {
  for (Path path : kPaths)
    EXPECT_EQ(parsePath(stringify(path)), path);
  EXPECT_FALSE(parsePath("auto"));
}

TEST(Capabilities, PrintedTableHasEveryRow) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printCapabilities(os);
  size_t rows = 0;
  for (const Chip &chip : getChips()) {
    EXPECT_NE(text.find("\n" + chip.name.str() + ": "), std::string::npos);
    rows += getPaths(chip).size();
  }
  size_t found = 0;
  for (Path path : kPaths) {
    std::string line = "\n  " + stringify(path).str();
    for (size_t at = text.find(line); at != std::string::npos; at = text.find(line, at + 1))
      ++found;
  }
  EXPECT_EQ(found, rows);
}

} // namespace
