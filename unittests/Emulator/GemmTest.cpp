//===- GemmTest.cpp - A complete kernel, and the same with faults ----------===//
//
// The kernel: C[M, N] (f32) = A[M, K] B[N, K]^T in bf16, 64 x 64 x 32 tiles, four warps of 32 x 32,
// two stages filled by asynchronous copies, fragments by ldmatrix. Its text is put together here,
// so that one line can be left out or changed.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include <random>

using namespace ufp4::emulator;
using namespace ufp4::emulator::testing;

namespace {
struct Variant {
  bool barrierBeforeCompute = true, barrierAfterCompute = true;
  unsigned groupsLeft = 1;
  /// Added to every row index of A's loads.
  int rowOffset = 0;
  bool swizzle = true;
};

/// Writes LLVM IR, one value per call.
class Writer {
public:
  std::string text;
  std::string value(const std::string &right) {
    std::string name = "%v" + std::to_string(next++);
    text += "  " + name + " = " + right + "\n";
    return name;
  }
  void line(const std::string &l) { text += "  " + l + "\n"; }
  void label(const std::string &l) { text += l + ":\n"; }
  std::string op(const std::string &name, const std::string &a, const std::string &b) {
    return value(name + " i32 " + a + ", " + b);
  }
  std::string op(const std::string &name, const std::string &a, int b) {
    return op(name, a, std::to_string(b));
  }
  std::string shared(const std::string &offset) {
    return value("getelementptr i8, ptr addrspace(3) @tiles, i32 " + offset);
  }

private:
  unsigned next = 0;
};

constexpr int kTile = 64 * 64, kStage = 2 * kTile;

std::string gemm(const Variant &variant) {
  Writer w;
  w.text = "@tiles = external addrspace(3) global [0 x i8], align 1024\n"
           "define ptx_kernel void @gemm(ptr addrspace(1) %A, ptr addrspace(1) %B, "
           "ptr addrspace(1) %C, i32 %N, i32 %K) \"nvvm.reqntid\"=\"128\" {\nentry:\n";
  auto special = [&](const std::string &name) {
    return w.value("call i32 @llvm.nvvm.read.ptx.sreg." + name + "()");
  };
  std::string tid = special("tid.x"), bx = special("ctaid.x"), by = special("ctaid.y");
  std::string lane = w.op("and", tid, 31), warp = w.op("lshr", tid, 5);
  std::string wm = w.op("shl", w.op("and", warp, 1), 5), wn = w.op("shl", w.op("lshr", warp, 1), 5);
  // 16-byte chunk c of a tile's row of 64 bytes lies at c ^ (row >> 1 & 3).
  auto place = [&](const std::string &row, const std::string &chunk) {
    std::string c = chunk;
    if (variant.swizzle)
      c = w.op("xor", chunk, w.op("and", w.op("lshr", row, 1), 3));
    return w.op("add", w.op("shl", row, 6), w.op("shl", c, 4));
  };
  // Each thread copies four chunks: rows tid / 4 and 32 + tid / 4 of both operands.
  std::string chunk = w.op("and", tid, 3), row0 = w.op("lshr", tid, 2);
  std::string k2 = w.op("shl", "%K", 1);
  struct Copy {
    std::string to, from;
  };
  std::vector<Copy> copies;
  for (int operand = 0; operand < 2; ++operand)
    for (int half = 0; half < 2; ++half) {
      std::string row = w.op("add", row0, 32 * half);
      std::string to = w.op("add", place(row, chunk), operand * kTile);
      std::string global = w.op("add", w.op("shl", operand ? bx : by, 6), row);
      if (operand == 0)
        global = w.op("add", global, variant.rowOffset);
      std::string offset = w.op("add", w.op("mul", global, k2), w.op("shl", chunk, 4));
      copies.push_back({to, w.value(std::string("getelementptr i8, ptr addrspace(1) ") +
                                    (operand ? "%B" : "%A") + ", i32 " + offset)});
    }
  auto issue = [&](const std::string &stage, const std::string &step) {
    std::string bytes = w.op("shl", step, 6);
    for (const Copy &copy : copies) {
      std::string from =
          w.value("getelementptr i8, ptr addrspace(1) " + copy.from + ", i32 " + bytes);
      std::string to = w.shared(w.op("add", copy.to, w.op("mul", stage, kStage)));
      w.line("call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) " + to +
             ", ptr addrspace(1) " + from + ")");
    }
  };
  std::string steps = w.op("lshr", "%K", 5);
  issue("0", "0");
  w.line("call void @llvm.nvvm.cp.async.commit.group()");
  w.line("br label %loop");
  w.label("loop");
  std::string phis = "  %step = phi i32 [ 0, %entry ], [ %nextstep, %issued.end ]\n";
  size_t phiPlace = w.text.size();
  std::string stage = w.op("and", "%step", 1), other = w.op("xor", stage, 1);
  w.line("%nextstep = add i32 %step, 1");
  std::string more = w.value("icmp ult i32 %nextstep, " + steps);
  w.line("br i1 " + more + ", label %issue, label %issued");
  w.label("issue");
  issue(other, "%nextstep");
  w.line("br label %issued");
  w.label("issued");
  w.line("call void @llvm.nvvm.cp.async.commit.group()");
  w.line("call void @llvm.nvvm.cp.async.wait.group(i32 " + std::to_string(variant.groupsLeft) +
         ")");
  const std::string barrier = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)";
  if (variant.barrierBeforeCompute)
    w.line(barrier);
  std::string base = w.op("mul", stage, kStage);
  auto load = [&](const std::string &row, const std::string &c, int operand) {
    std::string p = w.shared(w.op("add", w.op("add", place(row, c), operand * kTile), base));
    std::string r = w.value("call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4."
                            "b16.p3(ptr addrspace(3) " +
                            p + ")");
    std::vector<std::string> words;
    for (int i = 0; i < 4; ++i)
      words.push_back(
          w.value("extractvalue { i32, i32, i32, i32 } " + r + ", " + std::to_string(i)));
    return words;
  };
  std::string acc[2][4][4];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int r = 0; r < 4; ++r)
        acc[i][j][r] = "%acc" + std::to_string(16 * i + 4 * j + r);
  std::string current[2][4][4];
  for (int k = 0; k < 2; ++k) {
    std::vector<std::string> a[2], b[2];
    for (int i = 0; i < 2; ++i) {
      // A: rows 0-7, 8-15 of k low, then of k high.
      std::string row = w.op("add", w.op("add", wm, 16 * i), w.op("and", lane, 15));
      a[i] = load(row, w.op("add", w.op("lshr", lane, 4), 2 * k), 0);
      // B: columns 0-7 k low, k high, then columns 8-15.
      std::string column =
          w.op("add", w.op("add", wn, 16 * i),
               w.op("or", w.op("and", lane, 7), w.op("shl", w.op("lshr", lane, 4), 3)));
      b[i] = load(column, w.op("add", w.op("and", w.op("lshr", lane, 3), 1), 2 * k), 1);
    }
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 4; ++j) {
        std::string arguments;
        for (int r = 0; r < 4; ++r)
          arguments += "i32 " + a[i][r] + ", ";
        for (int r = 0; r < 2; ++r)
          arguments += "i32 " + b[j / 2][2 * (j % 2) + r] + ", ";
        for (int r = 0; r < 4; ++r)
          arguments += "float " + (k ? current : acc)[i][j][r] + (r == 3 ? "" : ", ");
        std::string d = w.value("call { float, float, float, float } "
                                "@llvm.nvvm.mma.m16n8k16.row.col.bf16(" +
                                arguments + ")");
        for (int r = 0; r < 4; ++r)
          current[i][j][r] = w.value("extractvalue { float, float, float, float } " + d + ", " +
                                     std::to_string(r));
      }
  }
  if (variant.barrierAfterCompute)
    w.line(barrier);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int r = 0; r < 4; ++r)
        phis += "  " + acc[i][j][r] + " = phi float [ 0.0, %entry ], [ " + current[i][j][r] +
                ", %issued.end ]\n";
  w.line("br label %issued.end");
  w.label("issued.end");
  w.line("br i1 " + more + ", label %loop, label %done");
  w.label("done");
  w.line("call void @llvm.nvvm.cp.async.wait.all()");
  std::string g = w.op("lshr", lane, 2), t2 = w.op("shl", w.op("and", lane, 3), 1);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int r = 0; r < 4; ++r) {
        std::string row =
            w.op("add", w.op("add", w.op("shl", by, 6), wm), w.op("add", g, 16 * i + 8 * (r >> 1)));
        std::string column =
            w.op("add", w.op("add", w.op("shl", bx, 6), wn), w.op("add", t2, 8 * j + (r & 1)));
        std::string index = w.op("add", w.op("mul", row, "%N"), column);
        std::string p = w.value("getelementptr float, ptr addrspace(1) %C, i32 " + index);
        w.line("store float " + current[i][j][r] + ", ptr addrspace(1) " + p);
      }
  w.text.insert(phiPlace, phis);
  return w.text + R"(  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
declare void @llvm.nvvm.cp.async.wait.all()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32, i32, i32, i32, i32, i32, float, float, float, float)
)";
}

struct Matrices {
  unsigned m, n, k;
  std::vector<uint16_t> a, b;
  std::vector<float> c;
  Matrices(unsigned m, unsigned n, unsigned k) : m(m), n(n), k(k), a(m * k), b(n * k), c(m * n) {
    std::mt19937 random(m + n + k);
    for (auto *matrix : {&a, &b})
      for (uint16_t &code : *matrix)
        code = exactBF16(float(int(random() % 15) - 7));
  }
  std::vector<KernelArgument> arguments() {
    return {in(a, "A"), in(b, "B"), out(c, "C"), KernelArgument::scalar(n),
            KernelArgument::scalar(k)};
  }
  void check() const {
    for (unsigned i = 0; i < m; ++i)
      for (unsigned j = 0; j < n; ++j) {
        double sum = 0;
        for (unsigned l = 0; l < k; ++l)
          sum += double(fromBF16(a[i * k + l])) * fromBF16(b[j * k + l]);
        ASSERT_EQ(c[i * n + j], sum) << i << " " << j;
      }
  }
};
} // namespace

TEST(Gemm, EqualsThePlainProduct) {
  auto module = mustLoad(gemm({}));
  for (uint64_t seed : {0, 1, 2}) {
    Matrices data(128, 64, 96);
    LaunchOptions options;
    options.seed = seed;
    options.requireOutputsWritten = true;
    LaunchStats stats =
        mustLaunch(*module, "gemm", {1, 2}, {128}, 2 * kStage, data.arguments(), options);
    data.check();
    EXPECT_EQ(stats.mmas, 2u * 3 * 4 * 16);
    EXPECT_EQ(stats.operations["mma.m16n8k16.row.col.bf16"], stats.mmas);
    EXPECT_EQ(stats.operations["ldmatrix.sync.aligned.m8n8.x4.b16.p3"], 2u * 3 * 4 * 8);
    EXPECT_EQ(stats.operations["cp.async.cg.shared.global.16"], 2u * 3 * 128 * 4);
    EXPECT_EQ(stats.sharedWavefronts, stats.idealSharedWavefronts);
    EXPECT_EQ(stats.barriers, 2u * 3 * 2);
  }
}

TEST(Gemm, ManyBlocks) {
  auto module = mustLoad(gemm({}));
  Matrices data(256, 256, 256);
  mustLaunch(*module, "gemm", {4, 4}, {128}, 2 * kStage, data.arguments());
  data.check();
}

TEST(Gemm, SeesBankConflicts) {
  Variant variant;
  variant.swizzle = false;
  auto module = mustLoad(gemm(variant));
  Matrices data(64, 64, 32);
  LaunchStats stats = mustLaunch(*module, "gemm", {1, 1}, {128}, 2 * kStage, data.arguments());
  data.check();
  EXPECT_GT(stats.sharedWavefronts, stats.idealSharedWavefronts);
}

static void expectGemmFault(const Variant &variant, FaultKind kind, llvm::StringRef part = "") {
  auto module = mustLoad(gemm(variant));
  for (uint64_t seed : {0, 1, 2, 3}) {
    Matrices data(64, 64, 128);
    LaunchOptions options;
    options.seed = seed;
    expectFault(*module, "gemm", {1, 1}, {128}, 2 * kStage, data.arguments(), kind, part, options);
  }
}

TEST(GemmFaults, MissingBarrierBeforeReading) {
  Variant variant;
  variant.barrierBeforeCompute = false;
  auto module = mustLoad(gemm(variant));
  for (uint64_t seed : {0, 1, 2, 3}) {
    Matrices data(64, 64, 128);
    LaunchOptions options;
    options.seed = seed;
    auto stats = module->launch("gemm", {1, 1}, {128}, 2 * kStage, data.arguments(), options);
    ASSERT_FALSE(bool(stats));
    auto fault = takeFault(stats.takeError());
    // What a thread reads too early may have landed, be under way, or not have begun.
    EXPECT_TRUE(fault->kind == FaultKind::Race || fault->kind == FaultKind::AsyncNotWaited ||
                fault->kind == FaultKind::UninitializedRead)
        << fault->text;
  }
}

TEST(GemmFaults, MissingBarrierBeforeOverwriting) {
  Variant variant;
  variant.barrierAfterCompute = false;
  expectGemmFault(variant, FaultKind::Race, "read");
}

TEST(GemmFaults, ShortWait) {
  Variant variant;
  variant.groupsLeft = 2;
  expectGemmFault(variant, FaultKind::AsyncNotWaited);
}

TEST(GemmFaults, CopiesLeftAtExit) {
  auto module = mustLoad(R"(
@tile = internal addrspace(3) global [16 x i8] undef, align 16
define ptx_kernel void @k(ptr addrspace(1) %in) {
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) @tile, ptr addrspace(1) %in)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 1)
  ret void
}
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
)");
  std::vector<uint32_t> data(4);
  expectFault(*module, "k", {1}, {1}, 0, {in(data, "in")}, FaultKind::AsyncLeftAtExit,
              "cp.async.cg");
}

TEST(GemmFaults, OneRowTooFar) {
  Variant variant;
  variant.rowOffset = 1;
  expectGemmFault(variant, FaultKind::OutOfBounds, "of A");
  variant.rowOffset = -1;
  expectGemmFault(variant, FaultKind::OutOfBounds, "offset -2");
}

TEST(GemmFaults, TooLittleSharedMemory) {
  auto module = mustLoad(gemm({}));
  Matrices data(64, 64, 64);
  expectFault(*module, "gemm", {1, 1}, {128}, 2 * kStage - 16, data.arguments(),
              FaultKind::OutOfBounds, "shared offset");
  expectFault(*module, "gemm", {1, 1}, {128}, 1 << 19, data.arguments(), FaultKind::InvalidLaunch,
              "166912");
  expectFault(*module, "gemm", {1, 1}, {64}, 2 * kStage, data.arguments(), FaultKind::InvalidLaunch,
              "compiled for 128");
}

TEST(GemmFaults, WriteToAnInput) {
  auto module = mustLoad(gemm({}));
  Matrices data(64, 64, 64);
  auto arguments = data.arguments();
  arguments[2].access = Access::Read;
  expectFault(*module, "gemm", {1, 1}, {128}, 2 * kStage, arguments, FaultKind::ReadOnlyWrite,
              "of C");
}

TEST(GemmFaults, OutputNotWritten) {
  auto module = mustLoad(gemm({}));
  Matrices data(128, 64, 32);
  LaunchOptions options;
  options.requireOutputsWritten = true;
  expectFault(*module, "gemm", {1, 1}, {128}, 2 * kStage, data.arguments(),
              FaultKind::OutputNotWritten, "byte 16384 of C", options);
}
