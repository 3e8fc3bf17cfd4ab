//===- AsmTest.cpp - Inline assembly ---------------------------------------===//

#include "Harness.h"

#include <cmath>

using namespace ufp4::emulator;
using namespace ufp4::emulator::testing;

/// One assembly statement with 32-bit operands: $0 is the result, $1 … the inputs.
static uint32_t evaluate(const std::string &assembly, std::vector<uint32_t> inputs,
                         const char *chip = "sm_80") {
  std::string arguments, constraints = "=r";
  for (size_t i = 0; i < inputs.size(); ++i) {
    arguments += (i ? ", i32 %x" : "i32 %x") + std::to_string(i);
    constraints += ",r";
  }
  std::string text = laneKernel("  %y0 = call i32 asm \"" + assembly + "\", \"" + constraints +
                                    "\"(" + arguments + ")\n",
                                inputs.size(), 1);
  return runLanes(text, {inputs}, 1, chip)[0][0];
}

TEST(Asm, Arithmetic) {
  EXPECT_EQ(evaluate("add.s32 $0, $1, $2;", {3, 4}), 7u);
  EXPECT_EQ(evaluate("sub.u32 $0, $1, 5;", {3}), uint32_t(-2));
  EXPECT_EQ(evaluate("mad.lo.s32 $0, $1, $2, $3;", {3, 4, 5}), 17u);
  EXPECT_EQ(evaluate("mul.hi.u32 $0, $1, $2;", {0x80000000, 6}), 3u);
  EXPECT_EQ(evaluate("shl.b32 $0, $1, $2;", {1, 33}), 0u);
  EXPECT_EQ(evaluate("shr.s32 $0, $1, $2;", {0x80000000, 40}), 0xFFFFFFFFu);
  EXPECT_EQ(evaluate("shf.l.wrap.b32 $0, $1, $2, $3;", {0x80000000, 1, 33}), 3u);
  EXPECT_EQ(evaluate("shf.r.clamp.b32 $0, $1, $2, $3;", {5, 7, 32}), 7u);
  EXPECT_EQ(evaluate("lop3.b32 $0, $1, $2, $3, 0xe2;", {0xFF00FF00, 0x0F0F0F0F, 0x33333333}),
            (0xFF00FF00u & 0x0F0F0F0F) | (0x33333333u & ~0x0F0F0F0Fu));
  EXPECT_EQ(evaluate("bfe.u32 $0, $1, $2, $3;", {0xABCD1234, 8, 8}), 0x12u);
  EXPECT_EQ(evaluate("bfe.s32 $0, $1, $2, $3;", {0x0000F000, 8, 8}), 0xFFFFFFF0u);
  EXPECT_EQ(evaluate("bfi.b32 $0, $1, $2, $3, $4;", {0xAB, 0x11111111, 8, 8}), 0x1111AB11u);
  EXPECT_EQ(evaluate("popc.b32 $0, $1;", {0xF0F0}), 8u);
  EXPECT_EQ(evaluate("clz.b32 $0, $1;", {0x00010000}), 15u);
  EXPECT_EQ(evaluate("brev.b32 $0, $1;", {1}), 0x80000000u);
  EXPECT_EQ(evaluate("prmt.b32 $0, $1, $2, 0x5410;", {0x11112222, 0x33334444}), 0x44442222u);
  EXPECT_EQ(evaluate("dp4a.s32.s32 $0, $1, $2, $3;", {0x01FF0203, 0x01010101, 10}), 15u);
  EXPECT_EQ(evaluate("max.s32 $0, $1, $2;", {uint32_t(-5), 2}), 2u);
  EXPECT_EQ(evaluate("{ .reg .pred p; setp.lt.u32 p, $1, $2; selp.b32 $0, $1, $2, p; }", {9, 4}),
            4u);
}

TEST(Asm, Floats) {
  EXPECT_EQ(number(evaluate("fma.rn.f32 $0, $1, $2, $3;", {bits(2), bits(3), bits(1)})), 7);
  EXPECT_EQ(number(evaluate("add.f32 $0, $1, 0f3F800000;", {bits(2)})), 3);
  EXPECT_EQ(number(evaluate("ex2.approx.ftz.f32 $0, $1;", {bits(3)})), 8);
  EXPECT_EQ(number(evaluate("max.NaN.f32 $0, $1, $2;", {bits(3), bits(4)})), 4);
  EXPECT_EQ(number(evaluate("neg.f32 $0, $1;", {bits(3)})), -3);
  // Pairs of bf16: (1, 2) + (3, -1).
  EXPECT_EQ(evaluate("add.rn.bf16x2 $0, $1, $2;", {0x40003F80, 0xBF804040}, "sm_90"), 0x3F804080u);
  EXPECT_EQ(evaluate("mul.bf16x2 $0, $1, $2;", {0x40003F80, 0xBF804040}, "sm_90"), 0xC0004040u);
  EXPECT_EQ(evaluate("sub.bf16x2 $0, $1, $2;", {0x40003F80, 0xBF804040}, "sm_90"), 0x4040C000u);
  EXPECT_EQ(evaluate("abs.bf16x2 $0, $1;", {0xC000BF80}), 0x40003F80u);
  EXPECT_EQ(evaluate("cvt.rn.bf16x2.f32 $0, $1, $2;", {bits(2), bits(1)}), 0x40003F80u);
  EXPECT_EQ(evaluate("cvt.rna.tf32.f32 $0, $1;", {0x3F801000}), 0x3F802000u);
  EXPECT_EQ(evaluate("cvt.rni.s32.f32 $0, $1;", {bits(2.5f)}), 2u);
  EXPECT_EQ(number(evaluate("cvt.rn.f32.s32 $0, $1;", {uint32_t(-7)})), -7);
  EXPECT_EQ(number(evaluate("{ .reg .b16 h; cvt.u16.u32 h, $1; add.rn.f32.bf16 $0, h, $2; }",
                            {0x3F80, bits(0.5f)}, "sm_120a")),
            1.5f);
}

TEST(Asm, EightCodesPerWord) {
  // Bytes are written by .b8 registers and packed by one mov.
  EXPECT_EQ(
      evaluate("{ .reg .b8 a,b,c,d; cvt.rn.satfinite.e2m1x2.f32 a,$2,$1; "
               "cvt.rn.satfinite.e2m1x2.f32 b,$4,$3; cvt.rn.satfinite.e2m1x2.f32 c,$6,$5; "
               "cvt.rn.satfinite.e2m1x2.f32 d,$8,$7; mov.b32 $0,{a,b,c,d}; }",
               {bits(0), bits(0.5f), bits(1), bits(1.5f), bits(-2), bits(3), bits(4), bits(-9)},
               "sm_120a"),
      0xF65C3210u);
}

TEST(Asm, Packing) {
  EXPECT_EQ(evaluate("{ .reg .b16 l, h; mov.b32 {l, h}, $1; mov.b32 $0, {h, l}; }", {0x12345678}),
            0x56781234u);
  EXPECT_EQ(evaluate("{ .reg .b64 w; mov.b64 w, {$1, $2}; shr.u64 w, w, 16; cvt.u32.u64 $0, w; }",
                     {0x11112222, 0x33334444}),
            0x44441111u);
}

TEST(Asm, PredicatedLoadsAndStores) {
  std::string text = R"(
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %tid = call i32 asm "mov.u32 $0, %tid.x;", "=r"()
  %even = and i32 %tid, 1
  %p = icmp eq i32 %even, 0
  %wide = zext i32 %tid to i64
  %offset = shl i64 %wide, 3
  %a = getelementptr i8, ptr addrspace(1) %in, i64 %offset
  %b = getelementptr i8, ptr addrspace(1) %out, i64 %offset
  %r = call { i32, i32 } asm sideeffect "mov.u32 $0, 0x5; mov.u32 $1, 0x6; @$3 ld.global.v2.b32 { $0, $1 }, [ $2 + 0 ];", "=r,=r,l,b"(ptr addrspace(1) %a, i1 %p)
  %x = extractvalue { i32, i32 } %r, 0
  %y = extractvalue { i32, i32 } %r, 1
  call void asm sideeffect "@!$3 st.global.b32 [ $0 + 4 ], { $2 };\0A\09@$3 st.global.v2.b32 [ $0 + 0 ], { $1, $2 };", "l,r,r,b"(ptr addrspace(1) %b, i32 %x, i32 %y, i1 %p)
  ret void
}
)";
  auto module = mustLoad(text);
  std::vector<uint32_t> data(8), result(8, 99);
  for (unsigned i = 0; i < 8; ++i)
    data[i] = 10 + i;
  mustLaunch(*module, "k", {1}, {4}, 0, {in(data, "in"), out(result, "out")});
  EXPECT_EQ(result, (std::vector<uint32_t>{10, 11, 99, 6, 14, 15, 99, 6}));
  data.resize(5);
  expectFault(*module, "k", {1}, {4}, 0, {in(data, "in"), out(result, "out")},
              FaultKind::OutOfBounds, "ld.global.v2.b32");
}

TEST(Asm, Collectives) {
  std::string text = laneKernel(R"(
  %s = call { i32, i32 } asm sideeffect "{ .reg .pred p; shfl.sync.bfly.b32 $0|p, $2, 0x1, 0x1f, 0xffffffff; selp.u32 $1, 1, 0, p; }", "=r,=r,r"(i32 %x0)
  %y0 = extractvalue { i32, i32 } %s, 0
  %y1 = extractvalue { i32, i32 } %s, 1
  %y2 = call i32 asm sideeffect "redux.sync.max.u32 $0, $1, 0xffffffff;", "=r,r"(i32 %x0)
  %y3 = call i32 asm sideeffect "{ .reg .pred q; elect.sync _|q, 0xffffffff; selp.b32 $0, 1, 0, q; }", "=r"()
  call void asm sideeffect "bar.warp.sync 0xffffffff; bar.sync 1, 32; membar.cta; fence.proxy.async;", ""()
)",
                                1, 4);
  std::vector<std::vector<uint32_t>> in;
  for (unsigned i = 0; i < 32; ++i)
    in.push_back({i});
  auto results = runLanes(text, in, 4, "sm_90");
  for (unsigned l = 0; l < 32; ++l)
    EXPECT_EQ(results[l], (std::vector<uint32_t>{l ^ 1, 1, 31, l == 0}));
}

TEST(Asm, AtomicsAndReductions) {
  std::string text = R"(
define ptx_kernel void @k(ptr addrspace(1) %sum, ptr addrspace(1) %count) {
  call void asm sideeffect "red.global.add.f32 [$0], $1;", "l,f"(ptr addrspace(1) %sum, float 0.5)
  %old = call i32 asm sideeffect "atom.global.gpu.relaxed.add.u32 $0, [$1], 2;", "=r,l"(ptr addrspace(1) %count)
  %m = atomicrmw fadd ptr addrspace(1) %sum, float 0.25 syncscope("device") monotonic
  ret void
}
)";
  auto module = mustLoad(text);
  std::vector<float> sum(1);
  std::vector<uint32_t> count(1, 5);
  mustLaunch(*module, "k", {2}, {64}, 0,
             {out(sum, "sum", Access::ReadWrite), out(count, "count", Access::ReadWrite)});
  EXPECT_EQ(sum[0], 96);
  EXPECT_EQ(count[0], 261u);
}

TEST(Asm, CopiesWithSizes) {
  std::string text = R"(
@tile = internal addrspace(3) global [16 x i8] undef, align 16
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %size) {
  call void asm sideeffect "cp.async.cg.shared.global.L2::128B [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) @tile, ptr addrspace(1) %in, i32 %size)
  call void asm sideeffect "cp.async.commit_group;", ""()
  call void asm sideeffect "cp.async.wait_group 0;", ""()
  %v = load <4 x i32>, ptr addrspace(3) @tile, align 16
  store <4 x i32> %v, ptr addrspace(1) %out, align 16
  ret void
}
)";
  auto module = mustLoad(text);
  std::vector<uint32_t> data = {1, 2, 3, 4}, result(4, 9);
  for (unsigned size : {16u, 8u, 0u}) {
    mustLaunch(*module, "k", {1}, {1}, 0,
               {in(data, "in"), out(result, "out"), KernelArgument::scalar(size)});
    for (unsigned i = 0; i < 4; ++i)
      EXPECT_EQ(result[i], 4 * i < size ? i + 1 : 0);
  }
  // A copy of nothing reads nothing.
  std::vector<uint32_t> none;
  mustLaunch(*module, "k", {1}, {1}, 0,
             {in(none, "in"), out(result, "out"), KernelArgument::scalar(0)});
  expectFault(*module, "k", {1}, {1}, 0,
              {in(none, "in"), out(result, "out"), KernelArgument::scalar(4)},
              FaultKind::OutOfBounds, "cp.async.cg");
}

TEST(Asm, UnknownIsAnError) {
  for (const char *assembly :
       {"tex.1d.v4.f32.s32 {$0, $0, $0, $0}, [$1, {$1}];", "wgmma.fence.sync.aligned;",
        "add.f32.x $0, $1, $1;", "mov.u32 $0, %pm0;", "mov.u32 $0, q;", "@p mov.u32 $0, $1;",
        "cvt.rn.satfinite.e9m9x2.f32 $0, $1, $1;", "ld.global.b32 $0, $1;", "not assembly at all",
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {$0}, {$1}, {$1}, {$1};"}) {
    auto module = load(
        laneKernel("  %y0 = call i32 asm \"" + std::string(assembly) + "\", \"=r,r\"(i32 %x0)\n", 1,
                   1),
        "sm_120a");
    ASSERT_FALSE(bool(module)) << assembly;
    auto fault = takeFault(module.takeError());
    ASSERT_TRUE(fault.has_value());
    EXPECT_EQ(fault->kind, FaultKind::Unsupported) << assembly;
    EXPECT_NE(fault->text.find(std::string(assembly).substr(0, 8)), std::string::npos)
        << fault->text;
  }
}
