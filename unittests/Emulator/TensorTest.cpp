//===- TensorTest.cpp - Tensor memory and tcgen05 --------------------------===//
//
// Breaks when a product takes other elements or scales than its descriptors say, when it is done
// before somebody waited for its commit, or when a fence, a wait or a bound that a kernel left out
// is not missed.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <regex>

using namespace ufp4::emulator;
using namespace ufp4::emulator::testing;

namespace {

constexpr unsigned kRows = 128, kColumns = 64, kThreads = 128, kAllocated = 128;

/// A way to multiply 128 x 64 elements: four products, 32 bytes of a row each.
struct Way {
  const char *kind;
  /// Elements of a product, and of a block.
  unsigned k, block;
  /// Of the instruction descriptor: formats of A and B, and whether scales are ue8m0.
  unsigned formatA, formatB;
  bool isUE8M0;
  /// Whether rows of 128 bytes are swizzled; otherwise each product has a tile of core matrices.
  bool isSwizzled;
  bool isMarked = false;
  /// Whether two blocks multiply 256 rows: either has 128 of them and half of the columns'
  /// operands.
  bool isPair = false;

  unsigned blockColumns() const { return isPair ? kColumns / 2 : kColumns; }
  unsigned scalesOfProduct() const { return k / block; }
  /// Words of scales of a row, and products that share one.
  unsigned productsOfWord() const { return 4 / scalesOfProduct(); }
  unsigned words() const { return 4 / productsOfWord(); }
  unsigned scaleBytes() const { return 512 * words(); }
  unsigned bytes() const { return (kRows + blockColumns()) * 128 + 2 * scaleBytes(); }
};

const Way kPacked{"mxf4nvf4.block_scale.block16", 64, 16, 1, 1, false, true};

std::string wait(llvm::StringRef name, unsigned barrier) {
  return llvm::formatv(R"(  br label %{0}
{0}:
  %{0}d = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) %b{1}, i32 0)
  br i1 %{0}d, label %{0}x, label %{0}
{0}x:
)",
                       name, barrier);
}

const char *const kBefore = "  call void @llvm.nvvm.tcgen05.fence.before.thread.sync()\n",
                  *const kAfter = "  call void @llvm.nvvm.tcgen05.fence.after.thread.sync()\n";

/// Four warps: the first thread brings all operands, multiplies and commits; then every thread
/// stores its row. Of a pair, the first block's multiplies once the other one's says that it has
/// its operands.
std::string kernel(const Way &way) {
  unsigned b = kRows * 128, scalesA = b + way.blockColumns() * 128,
           scalesB = scalesA + way.scaleBytes();
  const char *group = way.isPair ? "cg2" : "cg1";
  const char *meet = way.isPair ? "  call void @llvm.nvvm.barrier.cluster.arrive.aligned()\n"
                                  "  call void @llvm.nvvm.barrier.cluster.wait.aligned()\n"
                                : "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
  // Columns of tensor memory.
  unsigned firstA = kColumns, firstB = firstA + 16;
  std::string text = llvm::formatv(R"(
@s = internal addrspace(3) global [{0} x i8] undef, align 1024
@b = internal addrspace(3) global [4 x i64] undef, align 8
define ptx_kernel void @k(ptr addrspace(1) %input, ptr addrspace(1) %out) {{
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %leads = icmp eq i32 %rank, 0
  %skipped = mul i32 %rank, {0}
  %in = getelementptr i8, ptr addrspace(1) %input, i32 %skipped
  %b3 = getelementptr i64, ptr addrspace(3) @b, i32 3
  %b0 = getelementptr i64, ptr addrspace(3) @b, i32 0
  %b1 = getelementptr i64, ptr addrspace(3) @b, i32 1
  %slot = getelementptr i64, ptr addrspace(3) @b, i32 2
  %first = icmp eq i32 %tid, 0
  %warp0 = icmp ult i32 %tid, 32
  br i1 %warp0, label %alloc, label %ready
alloc:
  call void @llvm.nvvm.tcgen05.alloc.shared.{2}(ptr addrspace(3) %slot, i32 {1})
  call void @llvm.nvvm.tcgen05.relinq.alloc.permit.{2}()
  br i1 %first, label %init, label %ready
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %b0, i32 1)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %b1, i32 1)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %b3, i32 1)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %ready
ready:
{3}  %t = load i32, ptr addrspace(3) %slot
  %d = inttoptr i32 %t to ptr addrspace(6)
  %base32 = ptrtoint ptr addrspace(3) @s to i32
  %offset = and i32 %base32, 262143
  %units32 = lshr i32 %offset, 4
  %units = zext i32 %units32 to i64
  br i1 %first, label %work, label %epilogue
work:
  call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) %b0, i32 {0})
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) @s, ptr addrspace(3) %b0, ptr addrspace(1) %in, i32 {0}, i64 0, i1 false)
)",
                                   way.bytes(), kAllocated, group, meet);
  text += wait("full", 0);
  if (way.isPair)
    text += std::string(R"(  br i1 %leads, label %lead, label %follow
follow:
  %told = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %b3, i32 0)
  call void @llvm.nvvm.mbarrier.arrive.scope.cluster.space.cluster(ptr addrspace(7) %told, i32 1)
  br label %epilogue
lead:
)") + wait("peer", 3);
  text += kAfter;
  auto column = [&](llvm::StringRef name, unsigned offset) {
    text += llvm::formatv("  %{0}c = add i32 %t, {1}\n  %{0} = inttoptr i32 %{0}c to ptr "
                          "addrspace(6)\n",
                          name, offset);
  };
  auto descriptor = [&](llvm::StringRef name, unsigned offset, uint64_t bits) {
    text += llvm::formatv("  %{0} = add i64 %units, {1}\n", name, int64_t(bits + (offset >> 4)));
  };
  constexpr uint64_t version = uint64_t(1) << 46;
  for (unsigned word = 0; word < way.words(); ++word) {
    std::string a = "ca" + std::to_string(word), b = "cb" + std::to_string(word);
    column(a, firstA + 4 * word);
    column(b, firstB + 4 * word);
    constexpr uint64_t scales = uint64_t(128 >> 4) << 32 | version;
    descriptor("d" + a, scalesA + 512 * word, scales);
    descriptor("d" + b, scalesB + 512 * word, scales);
    for (const std::string &name : {a, b})
      text += llvm::formatv("  call void @llvm.nvvm.tcgen05.cp.32x128b_warpx4.{1}(ptr "
                            "addrspace(6) %{0}, i64 %d{0})\n",
                            name, group);
  }
  for (unsigned product = 0; product < 4; ++product) {
    std::string a = "a" + std::to_string(product), c = "b" + std::to_string(product) + "m";
    if (way.isSwizzled) {
      constexpr uint64_t codes = uint64_t(2) << 61 | uint64_t(1024 >> 4) << 32 | version;
      descriptor(a, 32 * product, codes);
      descriptor(c, b + 32 * product, codes);
    } else {
      // Core matrices of 128 bytes: along K, then along rows.
      constexpr uint64_t codes = uint64_t(256 >> 4) << 32 | uint64_t(128 >> 4) << 16 | version;
      descriptor(a, kRows * 32 * product, codes);
      descriptor(c, b + way.blockColumns() * 32 * product, codes);
    }
    unsigned byte = product % way.productsOfWord() * way.scalesOfProduct();
    uint32_t instruction = byte << 4 | way.formatA << 7 | way.formatB << 10 | kColumns / 8 << 17 |
                           uint32_t(way.isUE8M0) << 23 | (way.isPair ? 2 : 1) << 27 | byte << 29;
    unsigned word = product / way.productsOfWord();
    text += llvm::formatv("  call void @llvm.nvvm.tcgen05.mma.shared.{0}(ptr addrspace(6) %d, i64 "
                          "%{1}, i64 %{2}, i32 {3}, i1 {4}, ptr addrspace(6) %ca{5}, ptr "
                          "addrspace(6) %cb{5}, i32 {7}, i32 0){6}\n",
                          way.kind, a, c, instruction, product != 0, word,
                          way.isMarked ? ", !ufp4.e0m3 !0" : "", way.isPair ? 2 : 1);
  }
  text += way.isPair
              ? "  call void @llvm.nvvm.tcgen05.commit.mc.shared.cg2(ptr addrspace(3) %b1, i16 3)\n"
              : "  call void @llvm.nvvm.tcgen05.commit.shared.cg1(ptr addrspace(3) %b1)\n";
  text += "  br label %epilogue\nepilogue:\n";
  text += wait("done", 1) + kAfter;
  text += llvm::formatv(R"(  %quarter = and i32 %tid, 96
  %lane = shl i32 %quarter, 16
  %place = add i32 %t, %lane
  %from = inttoptr i32 %place to ptr addrspace(6)
  %v = call <64 x i32> @llvm.nvvm.tcgen05.ld.32x32b.x64(ptr addrspace(6) %from, i1 false)
  call void @llvm.nvvm.tcgen05.wait.ld()
  %rows = mul i32 %rank, 128
  %numbered = add i32 %rows, %tid
  %row = mul i32 %numbered, 64
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %row
  store <64 x i32> %v, ptr addrspace(1) %o, align 4
  call void @llvm.nvvm.tcgen05.fence.before.thread.sync()
{2}  br i1 %warp0, label %free, label %end
free:
  call void @llvm.nvvm.tcgen05.dealloc.{1}(ptr addrspace(6) %d, i32 {0})
  br label %end
end:
  ret void
})",
                        kAllocated, group, meet);
  return text + "!0 = !{!\"A\", !\"B\"}\n";
}

/// What a code of a format means, from the formats' definitions.
double element(const Way &way, unsigned format, unsigned code) {
  auto number = [&](unsigned exponentBits, unsigned mantissaBits, int bias) {
    unsigned mantissa = code & ((1u << mantissaBits) - 1),
             exponent = code >> mantissaBits & ((1u << exponentBits) - 1);
    double value =
        exponent ? std::ldexp(1 + std::ldexp(mantissa, -int(mantissaBits)), int(exponent) - bias)
                 : std::ldexp(mantissa, 1 - bias - int(mantissaBits));
    return code >> (exponentBits + mantissaBits) & 1 ? -value : value;
  };
  if (way.k == 64)
    return format == 1 ? number(2, 1, 1) : (code & 8 ? -1.0 : 1.0) * (code & 7);
  switch (format) {
  case 0:
    return number(4, 3, 7);
  case 3:
    return number(2, 3, 1);
  default:
    return number(2, 1, 1);
  }
}

unsigned bitsOf(const Way &way, unsigned format) {
  return way.k == 64 || format == 5 ? 4 : format == 0 ? 8 : 6;
}

/// Random operands in the form that kernels of `way` read, and their product.
struct Operands {
  std::vector<uint8_t> bytes;
  std::vector<float> product;

  /// Of a pair, those of the block of a rank: it has the other one's columns, too, in `product`.
  explicit Operands(const Way &way, unsigned rank = 0)
      : bytes(way.bytes()), product(kRows * kColumns) {
    std::vector<double> values[2], scales[2];
    unsigned depth = 4 * way.k, blocks = depth / way.block;
    for (unsigned side = 0; side < 2; ++side) {
      unsigned rows = side ? kColumns : kRows, format = side ? way.formatB : way.formatA;
      // Rows of the block.
      unsigned held = side ? way.blockColumns() : kRows;
      std::mt19937 random(side ? 7 : 8 + rank);
      unsigned start = side ? kRows * 128 : 0,
               scaleStart = (kRows + way.blockColumns()) * 128 + side * way.scaleBytes();
      for (unsigned row = 0; row < rows; ++row) {
        for (unsigned k = 0; k < depth; ++k) {
          // No sum is rounded: E4M3 from 1/2 to 2.
          unsigned bits = bitsOf(way, format), code = random() & ((1u << bits) - 1);
          if (bits == 8)
            code = (code & 0x87) | (6 + code / 8 % 2) << 3;
          values[side].push_back(element(way, format, code));
          if (side && way.isPair && row / held != rank)
            continue;
          unsigned local = row % held, perChunk = way.k / 2, product = k / way.k,
                   chunk = k % way.k / perChunk;
          unsigned place =
              way.isSwizzled ? local * 128 + ((product * 2 + chunk) ^ local % 8) * 16
                             : product * held * 32 + local / 8 * 256 + chunk * 128 + local % 8 * 16;
          for (unsigned bit = 0; bit < bits; ++bit) {
            unsigned at = k % perChunk * bits + bit;
            bytes[start + place + at / 8] |= (code >> bit & 1) << at % 8;
          }
        }
        for (unsigned block = 0; block < blocks; ++block) {
          unsigned byte = way.isUE8M0 ? 126 + random() % 3 : 0x30 + random() % 24;
          scales[side].push_back(way.isUE8M0 ? std::ldexp(1.0, int(byte) - 127)
                                             : std::ldexp(1 + byte % 8 / 8.0, int(byte >> 3) - 7));
          bytes[scaleStart + block / 4 * 512 + row % 32 * 16 + row / 32 * 4 + block % 4] = byte;
        }
      }
    }
    for (unsigned m = 0; m < kRows; ++m)
      for (unsigned n = 0; n < kColumns; ++n) {
        double sum = 0;
        for (unsigned k = 0; k < depth; ++k) {
          unsigned block = k / way.block;
          sum += values[0][m * depth + k] * scales[0][m * blocks + block] *
                 values[1][n * depth + k] * scales[1][n * blocks + block];
        }
        product[m * kColumns + n] = float(sum);
      }
  }
};

void expectProduct(const Way &way) {
  auto module = mustLoad(kernel(way), "sm_100a");
  Operands operands(way);
  for (uint64_t seed : {0, 1, 2}) {
    std::vector<float> result(kRows * kColumns);
    LaunchOptions options;
    options.seed = seed;
    LaunchStats stats = mustLaunch(*module, "k", {1}, {kThreads}, 0,
                                   {in(operands.bytes, "in"), out(result, "out")}, options);
    EXPECT_EQ(stats.mmas, 4u);
    for (unsigned i = 0; i < result.size(); ++i)
      ASSERT_EQ(result[i], operands.product[i])
          << "row " << i / kColumns << " column " << i % kColumns;
  }
}

/// One of these kinds, whichever the order of threads shows first, with a text that has the part.
void expectSomeFault(const std::string &text, std::initializer_list<FaultKind> kinds,
                     llvm::StringRef part = "") {
  auto module = mustLoad(text, "sm_100a");
  Operands operands(kPacked);
  for (uint64_t seed : {0, 1, 2}) {
    std::vector<float> result(kRows * kColumns);
    LaunchOptions options;
    options.seed = seed;
    auto stats = module->launch("k", {1}, {kThreads}, 0,
                                {in(operands.bytes, "in"), out(result, "out")}, options);
    ASSERT_FALSE(bool(stats)) << "seed " << seed;
    auto fault = takeFault(stats.takeError());
    EXPECT_TRUE(llvm::is_contained(kinds, fault->kind)) << fault->text;
    EXPECT_NE(fault->text.find(part.str()), std::string::npos) << fault->text;
  }
}

} // namespace

TEST(TensorProducts, OfPackedCodes) {
  expectProduct(kPacked);
  expectProduct({"mxf4nvf4.block_scale.block16", 64, 16, 1, 1, false, false});
  expectProduct({"mxf4.block_scale.block32", 64, 32, 1, 1, true, true});
}

TEST(TensorProducts, OfUniformCodes) {
  expectProduct({"mxf4nvf4.block_scale.block16", 64, 16, 0, 0, false, true, true});
  expectProduct({"mxf4nvf4.block_scale.block16", 64, 16, 0, 1, false, true, true});
}

TEST(TensorProducts, OfContainers) {
  for (unsigned a : {0, 3, 5})
    expectProduct({"mxf8f6f4.block_scale", 32, 32, a, 3, true, true});
  expectProduct({"mxf8f6f4.block_scale", 32, 32, 3, 0, true, false});
}

namespace {
/// Of two blocks, either with its operands.
llvm::Expected<LaunchStats> launchPair(const std::string &text, const Way &way, uint64_t seed,
                                       std::vector<float> &result) {
  auto module = mustLoad(text, "sm_100a");
  std::vector<uint8_t> bytes;
  for (unsigned rank : {0, 1})
    for (uint8_t byte : Operands(way, rank).bytes)
      bytes.push_back(byte);
  LaunchOptions options;
  options.seed = seed;
  options.cluster = {2};
  result.assign(2 * kRows * kColumns, 0);
  return module->launch("k", {2}, {kThreads}, 0, {in(bytes, "in"), out(result, "out")}, options);
}

Way pairOf(Way way) {
  way.isPair = true;
  return way;
}

void expectFaultOfPair(const std::string &text, std::initializer_list<FaultKind> kinds,
                       llvm::StringRef part = "") {
  for (uint64_t seed : {0, 1, 2}) {
    std::vector<float> result;
    auto stats = launchPair(text, pairOf(kPacked), seed, result);
    ASSERT_FALSE(bool(stats)) << "seed " << seed;
    auto fault = takeFault(stats.takeError());
    EXPECT_TRUE(llvm::is_contained(kinds, fault->kind)) << fault->text;
    EXPECT_NE(fault->text.find(part.str()), std::string::npos) << fault->text;
  }
}
} // namespace

TEST(TensorPairs, Products) {
  for (const Way &way :
       {pairOf(kPacked), pairOf({"mxf4nvf4.block_scale.block16", 64, 16, 0, 0, false, true, true}),
        pairOf({"mxf8f6f4.block_scale", 32, 32, 3, 3, true, true})})
    for (uint64_t seed : {0, 1, 2}) {
      std::vector<float> result;
      auto stats = launchPair(kernel(way), way, seed, result);
      if (auto fault = takeFault(stats.takeError()))
        FAIL() << fault->text;
      for (unsigned rank : {0, 1}) {
        Operands operands(way, rank);
        for (unsigned i = 0; i < operands.product.size(); ++i)
          ASSERT_EQ(result[rank * kRows * kColumns + i], operands.product[i])
              << "block " << rank << " row " << i / kColumns << " column " << i % kColumns;
      }
    }
}

// The same instructions as PTX.
static std::string inAssembly(std::string text) {
  static const std::pair<const char *, const char *> table[] = {
      {R"(@llvm\.nvvm\.tcgen05\.alloc\.shared\.cg(.)(\(.*\)))",
       R"(asm sideeffect "tcgen05.alloc.cta_group::$1.sync.aligned.shared::cta.b32 [$$0], $$1;", "r,n"$2)"},
      {R"(@llvm\.nvvm\.tcgen05\.relinq\.alloc\.permit\.cg(.))",
       R"(asm sideeffect "tcgen05.relinquish_alloc_permit.cta_group::$1.sync.aligned;", "")"},
      {R"(@llvm\.nvvm\.tcgen05\.dealloc\.cg(.))",
       R"(asm sideeffect "tcgen05.dealloc.cta_group::$1.sync.aligned.b32 $$0, $$1;", "r,n")"},
      {R"(@llvm\.nvvm\.tcgen05\.commit\.shared\.cg1)",
       R"(asm sideeffect "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$$0];", "r")"},
      {R"(@llvm\.nvvm\.tcgen05\.commit\.mc\.shared\.cg2)",
       R"(asm sideeffect "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [$$0], $$1;", "r,h")"},
      {R"(@llvm\.nvvm\.tcgen05\.cp\.32x128b_warpx4\.cg(.))",
       R"(asm sideeffect "tcgen05.cp.cta_group::$1.32x128b.warpx4 [$$0], $$1;", "r,l")"},
      {R"(@llvm\.nvvm\.tcgen05\.mma\.shared\.([a-z0-9_.]*)(\(.*), i32 (.), i32 0\))",
       R"(asm sideeffect "tcgen05.mma.cta_group::$3.kind::$1 [$$0], $$1, $$2, $$3, [$$5], [$$6], $$4;", "r,l,l,r,b,r,r"$2))"},
      {R"(@llvm\.nvvm\.tcgen05\.fence\.(before|after)\.thread\.sync)",
       R"(asm sideeffect "tcgen05.fence::$1_thread_sync;", "")"},
      {R"(@llvm\.nvvm\.tcgen05\.wait\.ld)",
       R"(asm sideeffect "tcgen05.wait::ld.sync.aligned;", "")"},
      {R"(@llvm\.nvvm\.mbarrier\.init\.shared)",
       R"(asm sideeffect "mbarrier.init.shared::cta.b64 [$$0], $$1;", "r,r")"},
      {R"(call i64 @llvm\.nvvm\.mbarrier\.arrive\.expect\.tx\.scope\.cta\.space\.cta)",
       R"(call void asm sideeffect "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$$0], $$1;", "r,r")"},
      {R"(@llvm\.nvvm\.mbarrier\.try\.wait\.parity\.scope\.cta\.space\.cta)",
       R"(asm sideeffect "mbarrier.try_wait.parity.shared::cta.b64 $$0, [$$1], $$2;", "=b,r,r")"},
      {R"(@llvm\.nvvm\.mbarrier\.arrive\.scope\.cluster\.space\.cluster)",
       R"(asm sideeffect "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [$$0], $$1;", "r,r")"},
      {R"(@llvm\.nvvm\.mapa\.shared\.cluster)",
       R"(asm sideeffect "mapa.shared::cluster.u32 $$0, $$1, $$2;", "=r,r,r")"},
      {R"(@llvm\.nvvm\.barrier\.cluster\.arrive\.aligned)",
       R"(asm sideeffect "barrier.cluster.arrive.release.aligned;", "")"},
      {R"(@llvm\.nvvm\.barrier\.cluster\.wait\.aligned)",
       R"(asm sideeffect "barrier.cluster.wait.acquire.aligned;", "")"},
  };
  for (auto [intrinsic, assembly] : table)
    text = std::regex_replace(text, std::regex(intrinsic), assembly);
  // Loads, whose registers are a vector, and the copies stay.
  EXPECT_EQ(text.find("tcgen05.mma.shared"), std::string::npos);
  return text;
}

TEST(TensorProducts, InAssembly) {
  auto module = mustLoad(inAssembly(kernel(kPacked)), "sm_100a");
  Operands operands(kPacked);
  std::vector<float> result(kRows * kColumns);
  mustLaunch(*module, "k", {1}, {kThreads}, 0, {in(operands.bytes, "in"), out(result, "out")});
  EXPECT_EQ(result, operands.product);
}

TEST(TensorPairs, InAssembly) {
  Way way = pairOf(kPacked);
  std::vector<float> result;
  auto stats = launchPair(inAssembly(kernel(way)), way, 0, result);
  if (auto fault = takeFault(stats.takeError()))
    FAIL() << fault->text;
  for (unsigned rank : {0, 1}) {
    std::vector<float> product = Operands(way, rank).product;
    EXPECT_TRUE(
        std::equal(product.begin(), product.end(), result.begin() + rank * kRows * kColumns));
  }
}

TEST(TensorPairs, Faults) {
  std::string text = kernel(pairOf(kPacked));
  // The other block's operands are not waited for, or its sums.
  expectFaultOfPair(replaced(text, "br label %peer\npeer:", "br label %peerx\npeer:"),
                    {FaultKind::Race, FaultKind::AsyncNotWaited, FaultKind::UninitializedRead});
  expectFaultOfPair(replaced(text, "%b1, i16 3)", "%b1, i16 1)"), {FaultKind::Deadlock},
                    "of block 1 of the cluster");
  expectFaultOfPair(replaced(text, "%b1, i16 3)", "%b1, i16 7)"), {FaultKind::IllegalOperand},
                    "blocks 0x7 of a cluster of 2");
  // It ends while tensor cores read its operands and write its sums.
  expectFaultOfPair(replaced(text, "epilogue:\n",
                             "epilogue:\n  br i1 %leads, label %stay, label %leave\nleave:\n"
                             "  br i1 %warp0, label %free, label %end\nstay:\n"),
                    {FaultKind::OutOfBounds, FaultKind::Race});
  // What is done by pairs is not done by blocks.
  expectFaultOfPair(replaced(text, "tcgen05.dealloc.cg2", "tcgen05.dealloc.cg1"),
                    {FaultKind::IllegalOperand}, "by blocks and by pairs");
  expectFaultOfPair(replaced(text, "%cb0, i32 2,", "%cb0, i32 1,"), {FaultKind::IllegalOperand},
                    "M = 256 and N = 64 of 1 blocks");
  std::vector<float> result;
  auto alone = mustLoad(text, "sm_100a");
  Operands operands(pairOf(kPacked));
  result.resize(2 * kRows * kColumns);
  expectFault(*alone, "k", {1}, {kThreads}, 0, {in(operands.bytes, "in"), out(result, "out")},
              FaultKind::IllegalOperand, "not one of a pair");
}

TEST(TensorProducts, Refusals) {
  // No document says what format 0 is.
  Way way = kPacked;
  way.formatB = 0;
  expectSomeFault(kernel(way), {FaultKind::IllegalOperand}, "elements 1 and 0");
  way = kPacked;
  way.isUE8M0 = true;
  expectSomeFault(kernel(way), {FaultKind::IllegalOperand}, "ue8m0 scales");
  auto refusal = llvm::toString(load(kernel(kPacked), "sm_120a").takeError());
  EXPECT_NE(refusal.find("is no longer on sm_120a"), std::string::npos) << refusal;
}

TEST(TensorFaults, OperandsNotWaitedFor) {
  std::string text = kernel(kPacked);
  expectSomeFault(replaced(text, "br i1 %fulld, label %fullx, label %full", "br label %fullx"),
                  {FaultKind::AsyncNotWaited, FaultKind::Race});
}

TEST(TensorFaults, ProductsNotWaitedFor) {
  std::string text = kernel(kPacked);
  expectSomeFault(replaced(text, "br i1 %doned, label %donex, label %done", "br label %donex"),
                  {FaultKind::UninitializedRead});
  expectSomeFault(replaced(text, "commit.shared.cg1(ptr addrspace(3) %b1)",
                           "commit.shared.cg1(ptr addrspace(3) %b0)"),
                  {FaultKind::Deadlock});
}

TEST(TensorFaults, MissingFences) {
  std::string text = kernel(kPacked);
  expectSomeFault(replaced(text, std::string("donex:\n") + kAfter, "donex:\n"), {FaultKind::Race},
                  "of tensor memory");
  expectSomeFault(replaced(text, kBefore, ""), {FaultKind::Race}, "release of tensor memory");
}

// An element and a byte of a scale are written once more by a store.
TEST(TensorFaults, OperandsWrittenByTheGenericProxy) {
  const char *fence = "  call void @llvm.nvvm.fence.proxy.async.shared_cta()\n";
  for (unsigned place : {0u, (kRows + kColumns) * 128}) {
    std::string store = llvm::formatv("  %own = getelementptr i8, ptr addrspace(3) @s, i32 {0}\n"
                                      "  %same = load i8, ptr addrspace(3) %own\n"
                                      "  store i8 %same, ptr addrspace(3) %own\n",
                                      place);
    std::string text = replaced(kernel(kPacked), "fullx:\n", "fullx:\n" + store + fence);
    auto module = mustLoad(text, "sm_100a");
    Operands operands(kPacked);
    std::vector<float> result(kRows * kColumns);
    mustLaunch(*module, "k", {1}, {kThreads}, 0, {in(operands.bytes, "in"), out(result, "out")});
    EXPECT_EQ(result, operands.product);
    expectSomeFault(replaced(text, fence, ""), {FaultKind::Race},
                    "with no fence.proxy.async between");
  }
}

TEST(TensorFaults, LoadsNotWaitedFor) {
  std::string text = replaced(kernel(kPacked), "  call void @llvm.nvvm.tcgen05.wait.ld()\n", "");
  auto fault = takeFault(load(text, "sm_100a").takeError());
  EXPECT_EQ(fault->kind, FaultKind::AsyncNotWaited) << fault->text;
}

// A product may still read scales that a later copy brings others in place of.
TEST(TensorFaults, CopiesDoNotFollowProducts) {
  std::string again = "  call void @llvm.nvvm.tcgen05.cp.32x128b_warpx4.cg1(ptr addrspace(6) %ca0, "
                      "i64 %dca0)\n  call void @llvm.nvvm.tcgen05.commit";
  expectSomeFault(replaced(kernel(kPacked), "  call void @llvm.nvvm.tcgen05.commit", again),
                  {FaultKind::Race}, "read with nothing between");
}

// So may operands be read.
TEST(TensorFaults, OperandsOverwritten) {
  std::string again =
      R"(  call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) %b0, i32 16)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) @s, ptr addrspace(3) %b0, ptr addrspace(1) %in, i32 16, i64 0, i1 false)
  br label %epilogue
)";
  expectSomeFault(replaced(kernel(kPacked), "  br label %epilogue\nepilogue:", again + "epilogue:"),
                  {FaultKind::AsyncNotWaited, FaultKind::Race});
}

TEST(TensorFaults, Bounds) {
  std::string text = kernel(kPacked);
  // The accumulators of the last 64 columns of the allocation, and 64 more.
  expectSomeFault(replaced(text, "%from = inttoptr i32 %place",
                           "%far = add i32 %place, 96\n  %from = inttoptr i32 %far"),
                  {FaultKind::OutOfBounds, FaultKind::UninitializedRead});
  expectSomeFault(replaced(text, "%d = inttoptr i32 %t to",
                           "%low = sub i32 %t, 32\n  %d = inttoptr i32 %low to"),
                  {FaultKind::OutOfBounds}, "is not allocated");
  expectSomeFault(replaced(text, "%place = add i32 %t, %lane", "%place = add i32 %t, 0"),
                  {FaultKind::OutOfBounds}, "from lane 0 of tensor memory by warp");
}

TEST(TensorFaults, Allocations) {
  std::string text = kernel(kPacked);
  expectSomeFault(replaced(text, "br i1 %warp0, label %free", "br i1 false, label %free"),
                  {FaultKind::IllegalOperand}, "ends with tensor memory allocated");
  expectSomeFault(replaced(text, "%slot, i32 128", "%slot, i32 96"), {FaultKind::IllegalOperand},
                  "a power of 2");
  expectSomeFault(replaced(text, "%d, i32 128)\n  br label %end", "%d, i32 64)\n  br label %end"),
                  {FaultKind::IllegalOperand}, "which no allocation gave");
}

// Other scales and other codes give another product.
TEST(TensorFaults, WrongOperands) {
  for (llvm::StringRef what : {"%dca1 = add i64 %units, ", "%a1 = add i64 %units, "}) {
    // The next chunk of 16 bytes.
    std::string text = kernel(kPacked);
    size_t at = text.find(what.str()) + what.size(), end = text.find('\n', at);
    text.replace(at, end - at, std::to_string(std::stoll(text.substr(at, end - at)) + 1));
    auto module = mustLoad(text, "sm_100a");
    Operands operands(kPacked);
    std::vector<float> result(kRows * kColumns);
    mustLaunch(*module, "k", {1}, {kThreads}, 0, {in(operands.bytes, "in"), out(result, "out")});
    EXPECT_NE(result, operands.product) << what.str();
  }
}
