//===- BinaryTest.cpp - Modules become PTX and cubins ---------------------===//
//
// Where there is no ptxas, each test that assembles checks that its absence is said instead.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Target/NVPTX/Binary.h"

#include "ufp4/Support/Programs.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

#include <chrono>
#include <cstdlib>
#include <thread>

using namespace ufp4;
using namespace ufp4::target;
namespace fs = llvm::sys::fs;

namespace {

/// A loop over shared memory whose addresses strength reduction would rewrite, and one bf16 MMA.
constexpr const char *kPortable = R"(
@tile = internal addrspace(3) global [512 x float] poison, align 16
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32, i32, i32, i32, i32, i32, float, float, float, float)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @sum(ptr addrspace(1) %out, i32 %n, float %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr float, ptr addrspace(3) @tile, i32 %t
  store float %x, ptr addrspace(3) %own, align 4
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %acc = phi float [ 0.0, %entry ], [ %added, %loop ]
  %scaled = mul i32 %i, %t
  %place = getelementptr float, ptr addrspace(3) @tile, i32 %scaled
  %value = load float, ptr addrspace(3) %place, align 4
  %product = fmul float %value, %x
  %added = fadd float %acc, %product
  %next = add i32 %i, 1
  %done = icmp sge i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  %d = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %n, i32 %n, i32 %n, i32 %n, i32 %n, i32 %n, float %added, float %added, float %added, float %added)
  store { float, float, float, float } %d, ptr addrspace(1) %out, align 4
  ret void
}
define ptx_kernel void @nothing() {
  ret void
}
)";

constexpr const char *kWarpScaled = R"(
declare { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3(i32, i32, i32, i32, i32, i32, float, float, float, float, i32, i16, i16, i32, i16, i16)
declare { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e2m3.e2m3.f32.ue8m0(i32, i32, i32, i32, i32, i32, float, float, float, float, i32, i16, i16, i32, i16, i16)
define ptx_kernel void @native(i32 %a, i32 %b, float %c, i32 %s, ptr addrspace(1) %out) {
  %d = call { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3(i32 %a, i32 %a, i32 %a, i32 %a, i32 %b, i32 %b, float %c, float %c, float %c, float %c, i32 %s, i16 0, i16 0, i32 %s, i16 0, i16 0)
  %d0 = extractvalue { float, float, float, float } %d, 0
  %e = call { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3(i32 %a, i32 %a, i32 %a, i32 %a, i32 %b, i32 %b, float %d0, float %c, float %c, float %c, i32 %s, i16 0, i16 0, i32 %s, i16 0, i16 0)
  store { float, float, float, float } %e, ptr addrspace(1) %out, align 4
  ret void
}
define ptx_kernel void @container(i32 %a, i32 %b, float %c, i32 %s, ptr addrspace(1) %out) {
  %d = call { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e2m3.e2m3.f32.ue8m0(i32 %a, i32 %a, i32 %a, i32 %a, i32 %b, i32 %b, float %c, float %c, float %c, float %c, i32 %s, i16 0, i16 0, i32 %s, i16 0, i16 0)
  store { float, float, float, float } %d, ptr addrspace(1) %out, align 4
  ret void
}
)";

constexpr const char *kTensorMemory = R"(
declare void @llvm.nvvm.tcgen05.mma.shared.mxf4nvf4.block_scale.block16(ptr addrspace(6), i64, i64, i32, i1, ptr addrspace(6), ptr addrspace(6), i32, i32)
declare void @llvm.nvvm.tcgen05.mma.shared.mxf8f6f4.block_scale(ptr addrspace(6), i64, i64, i32, i1, ptr addrspace(6), ptr addrspace(6), i32, i32)
define ptx_kernel void @native(i32 %t, i64 %a, i32 %descriptor) {
  %d = inttoptr i32 %t to ptr addrspace(6)
  call void @llvm.nvvm.tcgen05.mma.shared.mxf4nvf4.block_scale.block16(ptr addrspace(6) %d, i64 %a, i64 %a, i32 %descriptor, i1 false, ptr addrspace(6) %d, ptr addrspace(6) %d, i32 1, i32 0)
  ret void
}
define ptx_kernel void @container(i32 %t, i64 %a, i32 %descriptor) {
  %d = inttoptr i32 %t to ptr addrspace(6)
  call void @llvm.nvvm.tcgen05.mma.shared.mxf8f6f4.block_scale(ptr addrspace(6) %d, i64 %a, i64 %a, i32 %descriptor, i1 false, ptr addrspace(6) %d, ptr addrspace(6) %d, i32 1, i32 0)
  ret void
}
)";

/// SASS opcodes: HMMA; OMMA.SF (4-bit block-scaled).
constexpr unsigned kHMMA = 0x23c, kOMMA = 0x47f;

struct Source {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;

  Source(const char *text, const Chip &chip) {
    llvm::SMDiagnostic diagnostic;
    module = llvm::parseAssemblyString(text, diagnostic, context);
    EXPECT_TRUE(module) << diagnostic.getMessage().str();
    EXPECT_EQ(llvm::toString(prepareModule(*module, chip)), "");
  }
};

std::string print(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, nullptr);
  return text;
}

PTX emit(const char *text, const Chip &chip) {
  Source source(text, chip);
  auto ptx = emitPTX(*source.module, chip);
  if (ptx)
    return std::move(*ptx);
  ADD_FAILURE() << chip.name.str() << ": " << llvm::toString(ptx.takeError());
  return {};
}

template <typename T> std::string errorOf(llvm::Expected<T> value) {
  return value ? std::string() : llvm::toString(value.takeError());
}

bool hasPtxas() {
  auto found = findPtxas({});
  if (found)
    return true;
  llvm::consumeError(found.takeError());
  return false;
}

/// Nothing where there is no ptxas, which then must be said.
std::optional<Cubin> tryAssemble(llvm::StringRef ptx, const Chip &chip) {
  auto cubin = assemble(ptx, chip);
  if (cubin)
    return std::move(*cubin);
  llvm::Error error = cubin.takeError();
  bool notFound = error.isA<ToolNotFound>();
  std::string message = llvm::toString(std::move(error));
  EXPECT_EQ(notFound, !hasPtxas()) << chip.name.str() << ": " << message;
  if (notFound) {
    EXPECT_NE(message.find("the kernels remain PTX"), std::string::npos) << message;
  }
  return std::nullopt;
}

std::vector<const Chip *> nvidiaChips() {
  std::vector<const Chip *> chips;
  for (const Chip &chip : getChips())
    if (chip.vendor == Vendor::NVIDIA)
      chips.push_back(&chip);
  return chips;
}

llvm::cl::opt<bool> &getSwitch(const char *name) {
  return *static_cast<llvm::cl::opt<bool> *>(llvm::cl::getRegisteredOptions().lookup(name));
}

/// An environment variable for the time of a test.
class Variable {
public:
  Variable(const char *name, const char *value) : name(name) {
    if (const char *old = std::getenv(name))
      before = old;
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Variable() { before ? setenv(name, before->c_str(), 1) : unsetenv(name); }

private:
  const char *name;
  std::optional<std::string> before;
};

/// A folder for the time of a test.
struct Folder {
  llvm::SmallString<128> path;
  Folder() { EXPECT_FALSE(fs::createUniqueDirectory("ufp4-binary-test", path)); }
  ~Folder() { fs::remove_directories(path); }

  std::string write(llvm::StringRef name, llvm::StringRef text) {
    std::string file = (path + "/" + name).str();
    EXPECT_FALSE(fs::create_directories(file.substr(0, file.rfind('/'))));
    std::error_code code;
    llvm::raw_fd_ostream(file, code) << text;
    EXPECT_FALSE(code);
    EXPECT_FALSE(fs::setPermissions(file, fs::all_all));
    return file;
  }
  bool empty() {
    std::error_code code;
    return fs::directory_iterator(path, code) == fs::directory_iterator();
  }
};

//===----------------------------------------------------------------------===//
// PTX
//===----------------------------------------------------------------------===//

// Breaks if a chip's name, features or data layout is not what LLVM and ptxas take.
TEST(EmitPTX, EveryNVIDIAChip) {
  for (const Chip *chip : nvidiaChips()) {
    PTX ptx = emit(kPortable, *chip);
    EXPECT_EQ(ptx.chip, chip->name);
    EXPECT_EQ(ptx.kernels, (std::vector<std::string>{"sum", "nothing"}));
    EXPECT_NE(ptx.text.find(".version 9.0"), std::string::npos);
    EXPECT_NE(ptx.text.find(".target " + chip->name.str()), std::string::npos);
    std::optional<Cubin> cubin = tryAssemble(ptx.text, *chip);
    if (!cubin)
      continue;
    ASSERT_EQ(cubin->kernels.size(), 2u);
    for (const KernelUsage &kernel : cubin->kernels) {
      bool sum = kernel.name == "sum";
      EXPECT_TRUE(sum || kernel.name == "nothing") << kernel.name;
      EXPECT_EQ(kernel.spillStoreBytes + kernel.spillLoadBytes, 0u);
      EXPECT_LE(kernel.registers, chip->maxRegisters);
      EXPECT_GT(kernel.registers, 0u);
      // Blackwell's driver keeps 1 KB of its own, which ptxas counts.
      EXPECT_EQ(sum ? kernel.sharedBytes & 2048 : kernel.sharedBytes, sum ? 2048u : 0u)
          << chip->name.str() << " " << kernel.name << " " << kernel.sharedBytes;
    }
    auto summary = readCubin(cubin->bytes);
    ASSERT_TRUE(bool(summary)) << llvm::toString(summary.takeError());
    EXPECT_EQ("sm_" + std::to_string(summary->architecture), chip->name.rtrim("af"));
    const CubinFunction *sum = summary->find("sum");
    ASSERT_TRUE(sum && sum->isKernel && summary->find("nothing"));
    EXPECT_EQ(sum->count(kHMMA), 1u) << chip->name.str();
    EXPECT_EQ(sum->count(kOMMA), 0u);
    EXPECT_EQ(sum->size % 128, 0u);
    uint64_t words = 0;
    for (const auto &[opcode, count] : sum->opcodes)
      words += count;
    EXPECT_EQ(words, sum->words());
  }
}

// Breaks if a chip's table promises a matrix instruction that LLVM or ptxas does not know there, or
// if counting by opcode misses one.
TEST(EmitPTX, BlockScaledInstructions) {
  for (const Chip *chip : nvidiaChips()) {
    bool native = llvm::any_of(getPaths(*chip),
                               [](const PathCapability &row) { return row.path == Path::Native; });
    if (!native)
      continue;
    bool tensorMemory = chip->has(Feature::TensorMemory);
    PTX ptx = emit(tensorMemory ? kTensorMemory : kWarpScaled, *chip);
    EXPECT_NE(ptx.text.find("kind::mxf4nvf4"), std::string::npos);
    std::optional<Cubin> cubin = tryAssemble(ptx.text, *chip);
    if (!cubin)
      continue;
    auto summary = readCubin(cubin->bytes);
    ASSERT_TRUE(bool(summary)) << llvm::toString(summary.takeError());
    ASSERT_TRUE(summary->find("native") && summary->find("container"));
    EXPECT_EQ(summary->find("native")->count(kOMMA), tensorMemory ? 0u : 2u) << chip->name.str();
    EXPECT_EQ(summary->find("container")->count(kOMMA), 0u);
  }
}

TEST(EmitPTX, TheCallersModuleStays) {
  const Chip &chip = *findChip("sm_90a");
  Source source(kPortable, chip);
  std::string before = print(*source.module);
  auto first = emitPTX(*source.module, chip);
  ASSERT_TRUE(bool(first)) << llvm::toString(first.takeError());
  EXPECT_EQ(print(*source.module), before);
  auto second = emitPTX(*source.module, chip);
  ASSERT_TRUE(bool(second));
  EXPECT_EQ(first->text, second->text);
}

// Breaks if shared memory is addressed by 64 bits, if products are contracted into sums, or if
// strength reduction runs: its loop steps a pointer.
TEST(EmitPTX, CodeIsGeneratedWithOurSwitches) {
  PTX ptx = emit(kPortable, *findChip("sm_120a"));
  EXPECT_EQ(ptx.text.find("mul.wide"), std::string::npos) << ptx.text;
  EXPECT_NE(ptx.text.find("st.shared.b32 \t[%r"), std::string::npos) << ptx.text;
  EXPECT_EQ(ptx.text.find("st.shared.b32 \t[%rd"), std::string::npos) << ptx.text;
  EXPECT_EQ(ptx.text.find("fma."), std::string::npos) << ptx.text;
  EXPECT_NE(ptx.text.find("mul.rn.f32"), std::string::npos) << ptx.text;
  EXPECT_NE(ptx.text.find("mul.lo.s32"), std::string::npos) << ptx.text;
}

// Breaks if a kernel's text is cut elsewhere than at its ends, or what kernels share is left out.
TEST(EmitPTX, KernelsAreSelected) {
  const Chip &chip = *findChip("sm_80");
  PTX all = emit(R"(
@tile = external addrspace(3) global [0 x i8], align 16
define ptx_kernel void @first(ptr addrspace(1) %p) {
  call void asm sideeffect "{ .reg .b32 r;\0A}\0A", ""()
  store i32 1, ptr addrspace(1) %p
  ret void
}
define ptx_kernel void @second(ptr addrspace(1) %p) {
  %x = load i32, ptr addrspace(3) @tile
  store i32 %x, ptr addrspace(1) %p
  ret void
})",
                 chip);
  PTX first =
      selectKernels(all, [](llvm::StringRef name) { return name == "first" ? "other" : ""; });
  PTX second =
      selectKernels(all, [](llvm::StringRef name) { return name == "second" ? name.str() : ""; });
  EXPECT_EQ(first.kernels, std::vector<std::string>{"other"});
  EXPECT_EQ(second.kernels, std::vector<std::string>{"second"});
  EXPECT_EQ(first.text.find("second"), std::string::npos) << first.text;
  EXPECT_EQ(second.text.find("first"), std::string::npos) << second.text;
  for (const auto &[part, name] : {std::pair(&first, "other"), {&second, "second"}})
    if (std::optional<Cubin> cubin = tryAssemble(part->text, chip)) {
      ASSERT_EQ(cubin->kernels.size(), 1u);
      EXPECT_EQ(cubin->kernels.front().name, name);
    }
}

TEST(EmitPTX, SwitchesAreRestored) {
  const Chip &chip = *findChip("sm_80");
  Source source(kPortable, chip);
  for (const char *name : {"disable-lsr", "nvptx-short-ptr"}) {
    llvm::cl::opt<bool> &option = getSwitch(name);
    bool before = option.getValue();
    llvm::scope_exit restore([&] { option.setValue(before); });
    for (bool value : {false, true}) {
      option.setValue(value);
      EXPECT_EQ(errorOf(emitPTX(*source.module, chip)), "");
      EXPECT_EQ(option.getValue(), value) << name;
    }
  }
  // After a failure too.
  Source scaled(kWarpScaled, chip);
  bool before = getSwitch("disable-lsr").getValue();
  EXPECT_NE(errorOf(emitPTX(*scaled.module, chip)), "");
  EXPECT_EQ(getSwitch("disable-lsr").getValue(), before);
}

TEST(EmitPTX, TwoThreadsAtOnce) {
  const Chip *chips[] = {findChip("sm_80"), findChip("sm_120a")};
  std::string expected[] = {emit(kPortable, *chips[0]).text, emit(kPortable, *chips[1]).text};
  bool same[2] = {true, true};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 2; ++i)
    threads.emplace_back([&, i] {
      for (unsigned round = 0; round < 8; ++round)
        same[i] &= emit(kPortable, *chips[i]).text == expected[i];
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_TRUE(same[0] && same[1]);
  EXPECT_FALSE(getSwitch("nvptx-short-ptr").getValue());
}

// Breaks if an instruction that the chip lacks ends the process.
TEST(EmitPTX, InstructionsThatAChipLacks) {
  const Chip &chip = *findChip("sm_80");
  Source source(kWarpScaled, chip);
  std::string error = errorOf(emitPTX(*source.module, chip));
  EXPECT_EQ(error.rfind("LLVM cannot compile module '<string>' for sm_80: ", 0), 0u) << error;
  EXPECT_NE(error.find("llvm.nvvm.mma.block.scale"), std::string::npos) << error;
  EXPECT_FALSE(emit(kPortable, chip).text.empty());
}

TEST(EmitPTX, ModulesMustBePrepared) {
  const Chip &chip = *findChip("sm_80");
  Source source(kPortable, chip);
  source.module->setDataLayout("e-i64:64");
  std::string error = errorOf(emitPTX(*source.module, chip));
  EXPECT_NE(error.find("was not prepared for sm_80: expected the data layout 'e-p3:32:32"),
            std::string::npos)
      << error;
}

TEST(EmitPTX, InvalidModules) {
  const Chip &chip = *findChip("sm_80");
  Source source(kPortable, chip);
  source.module->getFunction("nothing")->getEntryBlock().getTerminator()->eraseFromParent();
  std::string error = errorOf(emitPTX(*source.module, chip));
  EXPECT_NE(error.find("is not valid: "), std::string::npos) << error;
  EXPECT_NE(error.find("terminator"), std::string::npos) << error;
}

TEST(EmitPTX, OtherVendorsChips) {
  llvm::LLVMContext context;
  llvm::Module module("m", context);
  EXPECT_EQ(errorOf(emitPTX(module, *findChip("gfx950"))),
            "PTX is for NVIDIA's chips, and gfx950 is AMD's");
  EXPECT_EQ(llvm::toString(prepareModule(module, *findChip("gfx950"))),
            "PTX is for NVIDIA's chips, and gfx950 is AMD's");
  EXPECT_EQ(errorOf(assemble("", *findChip("gfx950"))),
            "ptxas is for NVIDIA's chips, and gfx950 is AMD's");
}

//===----------------------------------------------------------------------===//
// ptxas
//===----------------------------------------------------------------------===//

// Each feature against the assembler's own opinion, chip by chip.
TEST(Ptxas, FeaturesOfEveryChip) {
  struct Row {
    Feature feature;
    const char *instruction;
    /// ptxas splits it on some chips that lack the hardware.
    bool elsewhereToo;
  };
  const Row rows[] = {
      {Feature::AsyncCopy, "cp.async.cg.shared.global [%r1], [%rd1], 16;", false},
      {Feature::BulkCopy,
       "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], %r2, "
       "[%r3];",
       false},
      {Feature::TensorMap,
       "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, "
       "{%r2, %r3}], [%r4];",
       false},
      {Feature::TensorMemory, "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], %r2;",
       false},
      {Feature::ConvertE4M3, "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;", false},
      {Feature::ConvertE2M1, "{ .reg .b8 b; cvt.rn.satfinite.e2m1x2.f32 b, %f1, %f2; }", false},
      {Feature::ConvertStochastic, "cvt.rs.satfinite.e2m1x4.f32 %h1, {%f1, %f2, %f3, %f4}, %r1;",
       false},
      {Feature::PackedF32, "fma.rn.f32x2 %rd1, %rd2, %rd2, %rd2;", true},
      {Feature::MixedAdd, "add.rn.f32.bf16 %f1, %h1, %f2;", false},
      {Feature::MaximumOfThree, "max.u32 %r1, %r2, %r3; max.u32 %r1, %r1, %r4;", true},
  };
  for (const Chip *chip : nvidiaChips())
    for (const Row &row : rows) {
      std::string ptx = ".version 9.0\n.target " + chip->name.str() +
                        "\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<5>;\n.reg .b64 "
                        "%rd<4>;\n.reg .f32 %f<6>;\n.reg .b16 %h<3>;\n" +
                        row.instruction + "\nret;\n}\n";
      auto cubin = assemble(ptx, *chip);
      if (!hasPtxas()) {
        EXPECT_TRUE(cubin.takeError().isA<ToolNotFound>());
        continue;
      }
      std::string error = errorOf(std::move(cubin));
      if (chip->has(row.feature)) {
        EXPECT_EQ(error, "") << chip->name.str() << " " << row.instruction;
      } else if (!row.elsewhereToo) {
        EXPECT_NE(error, "") << chip->name.str() << " " << row.instruction;
      }
    }
}

TEST(Ptxas, ErrorsNameTheLineAndTheKernel) {
  const char *bad =
      ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry first()\n{\n"
      "ret;\n}\n.visible .entry second()\n{\n.reg .b32 %r<3>;\nadd.u32 %r1, %r2, %q;\n"
      "ret;\n}\n";
  if (!hasPtxas()) {
    EXPECT_FALSE(tryAssemble(bad, *findChip("sm_80")));
    return;
  }
  std::string error = errorOf(assemble(bad, *findChip("sm_80")));
  EXPECT_EQ(error.rfind("ptxas refuses the PTX for sm_80:\n", 0), 0u) << error;
  EXPECT_NE(error.find("\n  line 11, in kernel second, \"add.u32 %r1, %r2, %q;\": "),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("Unknown symbol '%q'"), std::string::npos) << error;
  EXPECT_EQ(error.find("/tmp"), std::string::npos) << error;
  // A version that it does not know is an error of a line, too; no text is none of it.
  error = errorOf(assemble(".version 99.0\n.target sm_80\n", *findChip("sm_80")));
  EXPECT_NE(error.find("99.0"), std::string::npos) << error;
}

TEST(Ptxas, UsageIsRead) {
  std::vector<KernelUsage> usage = parseUsage(
      "ptxas info    : 0 bytes gmem, 8 bytes cmem[4]\n"
      "ptxas info    : Compiling entry function 'a' for 'sm_120a'\n"
      "ptxas info    : Function properties for helper\n"
      "    96 bytes stack frame, 1 bytes spill stores, 1 bytes spill loads\n"
      "ptxas info    : Function properties for a\n"
      "    40 bytes stack frame, 128 bytes spill stores, 256 bytes spill loads\n"
      "ptxas info    : Used 255 registers, used 2 barriers, 40 bytes cumulative stack size, 49152 "
      "bytes smem, 380 bytes cmem[0]\n"
      "ptxas info    : Compile time = 18.733 ms\n"
      "ptxas info    : Compiling entry function 'b' for 'sm_120a'\n"
      "ptxas info    : Function properties for b\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 4 registers, used 0 barriers\n");
  ASSERT_EQ(usage.size(), 2u);
  EXPECT_EQ(usage[0].name, "a");
  EXPECT_EQ(usage[0].registers, 255u);
  EXPECT_EQ(usage[0].barriers, 2u);
  EXPECT_EQ(usage[0].stackBytes, 40u);
  EXPECT_EQ(usage[0].spillStoreBytes, 128u);
  EXPECT_EQ(usage[0].spillLoadBytes, 256u);
  EXPECT_EQ(usage[0].sharedBytes, 49152u);
  EXPECT_EQ(usage[1].name, "b");
  EXPECT_EQ(usage[1].registers, 4u);
  EXPECT_EQ(usage[1].sharedBytes, 0u);
  EXPECT_TRUE(parseUsage("").empty());
}

TEST(Ptxas, SpillsAreCounted) {
  // 64 values live at once in 24 registers.
  std::string ptx =
      ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n"
      ".maxntid 1024\n.maxnreg 24\n{\n.reg .b32 %r<65>;\n.reg .b64 %rd<2>;\nld.param.u64 "
      "%rd1, [p];\n";
  for (int i = 0; i < 64; ++i)
    ptx += "ld.volatile.global.u32 %r" + std::to_string(i) + ", [%rd1+" + std::to_string(4 * i) +
           "];\n";
  for (int i = 0; i < 64; ++i)
    ptx += "st.volatile.global.u32 [%rd1+" + std::to_string(4 * i) + "], %r" +
           std::to_string(63 - i) + ";\n";
  ptx += "ret;\n}\n";
  std::optional<Cubin> cubin = tryAssemble(ptx, *findChip("sm_80"));
  if (!cubin)
    return;
  ASSERT_EQ(cubin->kernels.size(), 1u);
  EXPECT_LE(cubin->kernels[0].registers, 24u);
  EXPECT_GT(cubin->kernels[0].spillStoreBytes, 0u);
  EXPECT_GT(cubin->kernels[0].spillLoadBytes, 0u);
}

TEST(Ptxas, IsFoundInThisOrder) {
  Folder folder;
  const char *script = "#!/bin/sh\n";
  std::string file = folder.write("own/ptxas", script);
  std::string listed = folder.write("listed/ptxas", script);
  std::string onPath = folder.write("path/ptxas", script);
  std::string home = folder.write("home/bin/ptxas", script);
  std::string package = folder.write("site-packages/nvidia/cu13/bin/ptxas", script);
  std::string older = folder.write("older/nvidia/cuda_nvcc/bin/ptxas", script);
  std::string later = folder.write("later/nvidia/cu14/bin/ptxas", script);
  auto at = [&](const char *name) { return (folder.path + "/" + name).str(); };
  Variable path("PATH", at("path").c_str()), cudaHome("CUDA_HOME", at("home").c_str()),
      cudaPath("CUDA_PATH", nullptr), variable("UFP4_PTXAS", at("listed").c_str());

  PtxasOptions options;
  options.searchFolders = {at("site-packages")};
  options.path = file;
  auto found = [&] {
    auto result = findPtxas(options);
    return result ? *result : llvm::toString(result.takeError());
  };
  EXPECT_EQ(found(), file);
  options.path.clear();
  EXPECT_EQ(found(), package);
  options.searchFolders = {at("nowhere"), at("older")};
  EXPECT_EQ(found(), older);
  options.searchFolders = {at("later")};
  EXPECT_EQ(found(), later);
  options.searchFolders = {later};
  EXPECT_EQ(found(), later);
  options.searchFolders.clear();
  EXPECT_EQ(found(), listed);
  {
    Variable none("UFP4_PTXAS", nullptr);
    EXPECT_EQ(found(), onPath);
    Variable noPath("PATH", "/nonexistent");
    EXPECT_EQ(found(), home);
    Variable noHome("CUDA_HOME", nullptr);
    Variable system("CUDA_PATH", at("home").c_str());
    EXPECT_EQ(found(), home);
    Variable noSystem("CUDA_PATH", nullptr);
    options.systemFolders = {at("own")};
    EXPECT_EQ(found(), file);
  }
  // A list with a site-packages in it.
  Variable list("UFP4_PTXAS", (at("nowhere") + ":" + at("site-packages")).c_str());
  EXPECT_EQ(found(), package);
  // One that is wrong is not passed over, and no absence.
  Variable wrong("UFP4_PTXAS", at("nowhere").c_str());
  EXPECT_EQ(found(), "UFP4_PTXAS has no ptxas: '" + at("nowhere") +
                         "' is neither an executable file nor a folder with one; name another, or "
                         "unset UFP4_PTXAS to have it searched for");
  EXPECT_FALSE(findPtxas(options).takeError().isA<ToolNotFound>());
  EXPECT_TRUE(target::hasPtxas(""));
}

TEST(Ptxas, AbsenceIsSaid) {
  Variable path("PATH", "/nonexistent"), home("CUDA_HOME", nullptr), cuda("CUDA_PATH", nullptr),
      variable("UFP4_PTXAS", nullptr);
  PtxasOptions options;
  options.systemFolders.clear();
  auto cubin = assemble(".version 9.0\n.target sm_80\n", *findChip("sm_80"), options);
  ASSERT_FALSE(bool(cubin));
  llvm::Error error = cubin.takeError();
  EXPECT_TRUE(error.isA<ToolNotFound>());
  EXPECT_EQ(
      llvm::toString(std::move(error)),
      "no ptxas, so the kernels remain PTX; looked in /nonexistent; install CUDA 13 or the PyPI "
      "package nvidia-cuda-nvcc, and name ptxas or its site-packages in UFP4_PTXAS");
  options.path = "/nonexistent/ptxas";
  EXPECT_EQ(errorOf(findPtxas(options)), "no ptxas: '/nonexistent/ptxas' is no executable file");
}

TEST(Ptxas, VersionIsAsked) {
  Folder folder;
  std::string fake = folder.write(
      "ptxas",
      "#!/bin/sh\necho 'Cuda compilation tools, release 13.5, V13.5.12'\necho 'Build x'\n");
  auto version = queryPtxasVersion(fake);
  ASSERT_TRUE(bool(version)) << llvm::toString(version.takeError());
  EXPECT_EQ(version->major, 13u);
  EXPECT_EQ(version->minor, 5u);
  EXPECT_EQ(version->build, "13.5.12");
  std::string mute = folder.write("mute", "#!/bin/sh\necho hello\n");
  EXPECT_EQ(errorOf(queryPtxasVersion(mute)), mute + " --version says no CUDA release: hello");
  if (!hasPtxas())
    return;
  version = queryPtxasVersion(*findPtxas({}));
  ASSERT_TRUE(bool(version)) << llvm::toString(version.takeError());
  EXPECT_GE(version->major, 12u);
}

// Breaks if a hanging assembler, or what its wrapper started, outlives the limit.
TEST(Ptxas, HangingRunsAreEnded) {
  Folder folder;
  PtxasOptions options;
  std::string mark = (folder.path + "/alive").str();
  options.path = folder.write("ptxas", "#!/bin/sh\n(sleep 3; echo > '" + mark + "') &\nsleep 60\n");
  options.timeoutSeconds = 1;
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(errorOf(assemble("", *findChip("sm_80"), options)),
            options.path + " took longer than 1 s and was ended");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  EXPECT_FALSE(fs::exists(mark));
}

TEST(Ptxas, FailuresWithoutAMessage) {
  Folder folder;
  PtxasOptions options;
  options.path = folder.write("ptxas", "#!/bin/sh\necho out of licences\nexit 3\n");
  EXPECT_EQ(errorOf(assemble("", *findChip("sm_80"), options)),
            "ptxas refuses the PTX for sm_80:\n  out of licences");
  options.path = folder.write("crash", "#!/bin/sh\nkill -SEGV $$\n");
  std::string error = errorOf(assemble("", *findChip("sm_80"), options));
  EXPECT_EQ(error.rfind(options.path + " crashed: ", 0), 0u) << error;
  options.path = folder.write("empty", "#!/bin/sh\nexit 0\n");
  error = errorOf(assemble("", *findChip("sm_80"), options));
  EXPECT_EQ(error.rfind(options.path + " wrote no cubin and said nothing; is it ptxas?", 0), 0u)
      << error;
}

/// A program that writes what a file has, and a warning.
std::string writeOther(Folder &folder, const std::string &what) {
  return folder.write("ptxas", "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\ncp '" + what +
                                   "' \"$2\"\necho \"ptxas kernels.ptx, line 2; warning : slow\" "
                                   ">&2\n");
}

TEST(Ptxas, WarningsAreKept) {
  const Chip &chip = *findChip("sm_80");
  std::optional<Cubin> real = tryAssemble(emit(kPortable, chip).text, chip);
  if (!real)
    GTEST_SKIP() << "no ptxas";
  Folder folder;
  PtxasOptions options;
  options.path = writeOther(
      folder, folder.write("cubin", std::string(real->bytes.data(), real->bytes.size())));
  auto cubin = assemble("one\ntwo\n", chip, options);
  ASSERT_TRUE(bool(cubin)) << llvm::toString(cubin.takeError());
  EXPECT_EQ(cubin->warnings, std::vector<std::string>{"line 2, \"two\": slow"});
  EXPECT_EQ(cubin->bytes, real->bytes);
  EXPECT_EQ(cubin->assembler, options.path);
  auto other = assemble("one\ntwo\n", *findChip("sm_90a"), options);
  ASSERT_FALSE(bool(other));
  EXPECT_EQ(llvm::toString(other.takeError()),
            options.path +
                " wrote no cubin for sm_90a: its code is for sm_80; is it ptxas? --ptxas "
                "or UFP4_PTXAS says which is run");
}

// Whatever a program writes that is no ptxas would be in the manifest.
TEST(Ptxas, OtherFilesAreNoCubins) {
  Folder folder;
  PtxasOptions options;
  for (const std::string &what : {folder.write("text", "x\n"), std::string("/bin/true")}) {
    options.path = writeOther(folder, what);
    auto cubin = assemble("one\ntwo\n", *findChip("sm_80"), options);
    ASSERT_FALSE(bool(cubin));
    std::string error = llvm::toString(cubin.takeError());
    EXPECT_EQ(error.rfind(options.path + " wrote no cubin for sm_80: ", 0), 0u) << error;
  }
}

TEST(Ptxas, TwoThreadsAtOnce) {
  const Chip &chip = *findChip("sm_80");
  std::string ptx = emit(kPortable, chip).text;
  std::optional<Cubin> alone = tryAssemble(ptx, chip), both[2];
  std::thread other([&] { both[0] = tryAssemble(ptx, chip); });
  both[1] = tryAssemble(ptx, chip);
  other.join();
  for (const std::optional<Cubin> &cubin : both) {
    ASSERT_EQ(cubin.has_value(), alone.has_value());
    if (cubin) {
      EXPECT_EQ(cubin->bytes, alone->bytes);
    }
  }
}

TEST(Ptxas, NothingIsLeftBehind) {
  Folder folder, scripts;
  Variable temporary("TMPDIR", folder.path.c_str());
  tryAssemble(emit(kPortable, *findChip("sm_80")).text, *findChip("sm_80"));
  llvm::consumeError(assemble("nonsense", *findChip("sm_80")).takeError());
  PtxasOptions options;
  options.path = scripts.write("ptxas", "#!/bin/sh\nsleep 60\n");
  options.timeoutSeconds = 1;
  llvm::consumeError(assemble("", *findChip("sm_80"), options).takeError());
  EXPECT_TRUE(folder.empty());
}

//===----------------------------------------------------------------------===//
// Cubins
//===----------------------------------------------------------------------===//

TEST(Cubin, OtherFilesAreRefused) {
  EXPECT_NE(errorOf(readCubin({})), "");
  std::string text(256, 'x');
  EXPECT_EQ(errorOf(readCubin(llvm::ArrayRef<char>(text.data(), text.size()))),
            "not a cubin: no little-endian ELF64 file");
  auto self = llvm::MemoryBuffer::getFile("/proc/self/exe", false, false);
  if (self) {
    std::string error = errorOf(
        readCubin(llvm::ArrayRef<char>((*self)->getBufferStart(), (*self)->getBufferSize())));
    EXPECT_EQ(error.rfind("not a cubin: ", 0), 0u) << error;
  }
}

TEST(Cubin, TruncatedFilesAreErrors) {
  std::optional<Cubin> cubin =
      tryAssemble(emit(kPortable, *findChip("sm_80")).text, *findChip("sm_80"));
  if (!cubin)
    return;
  llvm::ArrayRef<char> bytes = cubin->bytes;
  for (size_t size = 0; size < bytes.size(); size += 97)
    EXPECT_NE(errorOf(readCubin(bytes.take_front(size))), "") << size;
}

//===----------------------------------------------------------------------===//
// The uniform grid
//===----------------------------------------------------------------------===//

constexpr const char *kMmas = R"(
declare { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3(i32, i32, i32, i32, i32, i32, float, float, float, float, i32, i16, i16, i32, i16, i16)
declare { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4.scale.2x.f32.e2m1.e2m1.f32.ue8m0(i32, i32, i32, i32, i32, i32, float, float, float, float, i32, i16, i16, i32, i16, i16)
!0 = !{!"A", !"B"}
!1 = !{!"A"}
)";

/// A function of MMAs, each with its scales, `4x` or `2x`, and what stands behind it.
std::string function(const char *name, std::vector<std::pair<const char *, const char *>> mmas,
                     const char *convention = "ptx_kernel ") {
  std::string text = "define " + std::string(convention) + "void @" + name +
                     "(i32 %a, i32 %b, float %c, i32 %s, ptr addrspace(1) %out) {\n";
  for (auto [i, mma] : llvm::enumerate(mmas)) {
    bool four = mma.first == std::string("4x");
    text += "  %d" + std::to_string(i) +
            " = call { float, float, float, float } @llvm.nvvm.mma.block.scale.m16n8k64.row.col." +
            (four ? "mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3"
                  : "mxf4.scale.2x.f32.e2m1.e2m1.f32.ue8m0") +
            "(i32 %a, i32 %a, i32 %a, i32 %a, i32 %b, i32 %b, float %c, float %c, float %c, float "
            "%c, i32 %s, i16 0, i16 0, i32 %s, i16 0, i16 " +
            std::to_string(i) + ")" + mma.second +
            "\n  store volatile { float, float, float, float } %d" + std::to_string(i) +
            ", ptr addrspace(1) %out, align 4\n";
  }
  return text + "  ret void\n}\n";
}

constexpr const char *kMarked = ", !ufp4.e0m3 !0";

std::string marksOf(const std::string &functions) {
  Source source((kMmas + functions).c_str(), *findChip("sm_120a"));
  auto marked = findMarkedKernels(*source.module);
  if (!marked)
    return llvm::toString(marked.takeError());
  std::string text;
  for (const MarkedKernel &kernel : *marked)
    text += kernel.name + " " + std::to_string(kernel.mmas) + "\n";
  return text;
}

// Breaks if a kernel whose MMAs mean two things would be rewritten, or one be left that should be.
TEST(UniformGrid, MarksSayWhichKernels) {
  EXPECT_EQ(marksOf(function("plain", {{"4x", ""}, {"2x", ""}}) +
                    function("grid", {{"4x", kMarked}, {"4x", kMarked}})),
            "grid 2\n");
  EXPECT_EQ(marksOf(function("k", {{"4x", kMarked}, {"4x", ""}})),
            "function k: expected all of its 2 block-scaled MMAs to be marked as on the uniform "
            "grid, found 1");
  EXPECT_EQ(marksOf(function("k", {{"4x", kMarked}, {"2x", ""}})),
            "function k: expected all of its 2 block-scaled MMAs to be marked as on the uniform "
            "grid, found 1");
  EXPECT_EQ(marksOf(function("k", {{"4x", ", !ufp4.e0m3 !1"}})),
            "function k: expected 'ufp4.e0m3' to mark both operands, A and B");
  EXPECT_NE(marksOf(function("k", {{"2x", kMarked}}))
                .find("can have codes on the uniform grid, 'ufp4.e0m3' marks "
                      "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4.scale.2x"),
            std::string::npos);
  EXPECT_EQ(marksOf(function("f", {{"4x", kMarked}}, "")),
            "function f: its MMAs are marked as on the uniform grid, and it is no kernel");
}

class RewriteCubin : public ::testing::TestWithParam<const char *> {
protected:
  const Chip &chip = *findChip(GetParam());

  void SetUp() override {
    std::string text = kMmas + function("grid", {{"4x", ""}, {"4x", ""}, {"4x", ""}}) +
                       function("two", {{"2x", ""}}) + function("plain", {{"4x", ""}});
    std::optional<Cubin> cubin = tryAssemble(emit(text.c_str(), chip).text, chip);
    if (!cubin)
      GTEST_SKIP() << "no ptxas";
    bytes = cubin->bytes;
  }

  std::string rewrite(std::vector<MarkedKernel> kernels, const char *as = nullptr) {
    return llvm::toString(rewriteCubin(bytes, as ? *findChip(as) : chip, kernels));
  }

  llvm::SmallVector<char, 0> bytes;
};

// Section by section: two bits of each OMMA of the kernel, and no other bit of the file.
TEST_P(RewriteCubin, OnlyTheIntendedBitsChange) {
  llvm::SmallVector<char, 0> before = bytes;
  ASSERT_EQ(rewrite({{"grid", 3}}), "");
  ASSERT_EQ(before.size(), bytes.size());
  auto summary = readCubin(bytes);
  ASSERT_TRUE(bool(summary)) << llvm::toString(summary.takeError());
  const CubinFunction *grid = summary->find("grid");
  ASSERT_TRUE(grid);
  unsigned words = 0;
  for (size_t at = 0; at < bytes.size(); ++at) {
    unsigned changed = uint8_t(before[at] ^ bytes[at]);
    if (!changed)
      continue;
    ASSERT_TRUE(at >= grid->offset && at < grid->offset + grid->size) << at;
    // Bits 78 and 79 are the upper two of byte 9.
    size_t word = (at - grid->offset) / 16 * 16 + grid->offset;
    EXPECT_EQ(at - word, 9u);
    EXPECT_EQ(changed, 0xC0u);
    EXPECT_EQ(uint8_t(bytes[at]) & 0xC0, 0xC0);
    EXPECT_EQ(uint8_t(bytes[word]) | (uint8_t(bytes[word + 1]) & 0xF) << 8, 0x47F);
    ++words;
  }
  EXPECT_EQ(words, 3u);
}

// UFP4_NVDISASM names a disassembler that knows the words: 13.1.80, as in triton 3.9.0's wheel.
TEST_P(RewriteCubin, TheDisassemblerReadsIt) {
  const char *disassembler = std::getenv("UFP4_NVDISASM");
  if (!disassembler)
    GTEST_SKIP() << "UFP4_NVDISASM is not set";
  ASSERT_EQ(rewrite({{"grid", 3}}), "");
  Folder folder;
  std::string file = folder.write("k.cubin", llvm::StringRef(bytes.data(), bytes.size()));
  std::string output = (folder.path + "/output").str();
  auto code = runProgram(disassembler, {disassembler, file}, output, 60);
  ASSERT_TRUE(bool(code)) << llvm::toString(code.takeError());
  ASSERT_EQ(*code, 0);
  std::string text = readText(output);
  auto count = [&](llvm::StringRef words) { return llvm::StringRef(text).count(words); };
  EXPECT_EQ(count("OMMA.SF.16864.F32.E0M3.E0M3.UE4M3.4X"), 3u) << text;
  EXPECT_EQ(count("OMMA.SF.16864.F32.E2M1.E2M1.UE4M3.4X"), 1u);
  EXPECT_EQ(count("OMMA.SF.16864.F32.E2M1.E2M1.E8"), 1u);
}

// A refused cubin stays as it was.
TEST_P(RewriteCubin, RefusesWhatItDoesNotKnow) {
  llvm::SmallVector<char, 0> before = bytes;
  EXPECT_EQ(
      rewrite({{"two", 1}}).rfind("the cubin's kernel two is not rewritten: instruction 0x", 0),
      0u);
  EXPECT_NE(rewrite({{"grid", 3}, {"two", 1}})
                .find("expected an OMMA with four scales a row (4X: bit 82 set, bit 83 clear), "
                      "found one without, which would trap on the uniform grid"),
            std::string::npos);
  for (unsigned count : {2, 4})
    EXPECT_EQ(rewrite({{"grid", count}}), "the cubin's kernel grid is not rewritten: expected " +
                                              std::to_string(count) +
                                              " OMMAs, as many as were emitted, found 3");
  EXPECT_EQ(rewrite({{"none", 1}}), "the cubin has no kernel none");
  const char *other = llvm::StringRef(GetParam()) == "sm_120a" ? "sm_121a" : "sm_120a";
  EXPECT_EQ(rewrite({{"grid", 3}}, other), "the cubin is for " +
                                               llvm::StringRef(GetParam()).rtrim('a').str() +
                                               ", expected one for " + other);
  EXPECT_EQ(rewrite({{"grid", 3}}, "sm_100a"),
            "sm_100a has no OMMA on the uniform grid: its cubins are not rewritten");
  EXPECT_EQ(bytes, before);
  ASSERT_EQ(rewrite({{"grid", 3}}), "");
  EXPECT_NE(rewrite({{"grid", 3}}).find("it was rewritten already"), std::string::npos);
  bytes.truncate(bytes.size() / 2);
  EXPECT_NE(rewrite({{"grid", 3}}), "");
  bytes.assign(256, 'x');
  EXPECT_EQ(rewrite({{"grid", 3}}), "not a cubin: no little-endian ELF64 file");
}

INSTANTIATE_TEST_SUITE_P(Chips, RewriteCubin, ::testing::Values("sm_120a", "sm_121a"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
