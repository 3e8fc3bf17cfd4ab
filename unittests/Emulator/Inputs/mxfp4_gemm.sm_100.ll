; Made by make_witnesses.py for sm_100; shared memory 21504
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

@global_smem = external addrspace(3) global [0 x i8], align 16

; Function Attrs: nounwind
define ptx_kernel void @scaled_gemm(ptr addrspace(1) %0, ptr addrspace(1) %1, ptr addrspace(1) %2, ptr addrspace(1) %3, ptr addrspace(1) %4, i32 %5, i32 %6, ptr addrspace(1) nofree readnone captures(none) %7, ptr addrspace(1) nofree readnone captures(none) %8) local_unnamed_addr #0 {
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = icmp samesign ult i32 %10, 32
  tail call void asm sideeffect "@$0 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$1], 64;", "b,r"(i1 %11, ptr addrspace(3) @global_smem) #5
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %12 = load i32, ptr addrspace(3) @global_smem, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  tail call void asm sideeffect "@$0 tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;", "b"(i1 %11) #5
  %13 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %14 = shl i32 %13, 7
  %15 = lshr i32 %10, 5
  %16 = shl nuw nsw i32 %10, 3
  %17 = and i32 %16, 120
  %18 = and i32 %10, 112
  %19 = lshr exact i32 %18, 4
  %20 = or disjoint i32 %19, 8
  %21 = or disjoint i32 %19, 16
  %22 = or disjoint i32 %19, 24
  %23 = lshr i32 %10, 3
  %24 = and i32 %23, 15
  %25 = or disjoint i32 %24, 16
  %26 = or disjoint i32 %19, %14
  %27 = or disjoint i32 %20, %14
  %28 = or disjoint i32 %21, %14
  %29 = or disjoint i32 %22, %14
  %30 = or disjoint i32 %26, 32
  %31 = or disjoint i32 %26, 40
  %32 = or disjoint i32 %26, 48
  %33 = or disjoint i32 %26, 56
  %34 = or disjoint i32 %26, 64
  %35 = or disjoint i32 %26, 72
  %36 = or disjoint i32 %26, 80
  %37 = or disjoint i32 %26, 88
  %38 = or disjoint i32 %26, 96
  %39 = or disjoint i32 %26, 104
  %40 = or disjoint i32 %26, 112
  %41 = or disjoint i32 %26, 120
  %42 = or disjoint i32 %24, %14
  %43 = or disjoint i32 %25, %14
  %44 = or disjoint i32 %42, 32
  %45 = or disjoint i32 %42, 48
  %46 = or disjoint i32 %42, 64
  %47 = or disjoint i32 %42, 80
  %48 = or disjoint i32 %42, 96
  %49 = or disjoint i32 %14, %23
  %50 = or i32 %49, 112
  %51 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %52 = shl nuw nsw i32 %51, 5
  %53 = and i32 %10, 7
  %54 = or disjoint i32 %19, %52
  %55 = or disjoint i32 %20, %52
  %56 = or disjoint i32 %21, %52
  %57 = or disjoint i32 %22, %52
  %58 = or disjoint i32 %24, %52
  %59 = or disjoint i32 %25, %52
  %60 = sdiv i32 %6, 2
  %61 = mul i32 %60, %26
  %62 = mul i32 %60, %27
  %63 = mul i32 %60, %28
  %64 = mul i32 %60, %29
  %65 = mul i32 %60, %30
  %66 = mul i32 %60, %31
  %67 = mul i32 %60, %32
  %68 = mul i32 %60, %33
  %69 = mul i32 %60, %34
  %70 = mul i32 %60, %35
  %71 = mul i32 %60, %36
  %72 = mul i32 %60, %37
  %73 = mul i32 %60, %38
  %74 = mul i32 %60, %39
  %75 = mul i32 %60, %40
  %76 = mul i32 %60, %41
  %77 = sext i32 %61 to i64
  %78 = getelementptr i8, ptr addrspace(1) %0, i64 %77
  %79 = sext i32 %62 to i64
  %80 = getelementptr i8, ptr addrspace(1) %0, i64 %79
  %81 = sext i32 %63 to i64
  %82 = getelementptr i8, ptr addrspace(1) %0, i64 %81
  %83 = sext i32 %64 to i64
  %84 = getelementptr i8, ptr addrspace(1) %0, i64 %83
  %85 = sext i32 %65 to i64
  %86 = getelementptr i8, ptr addrspace(1) %0, i64 %85
  %87 = sext i32 %66 to i64
  %88 = getelementptr i8, ptr addrspace(1) %0, i64 %87
  %89 = sext i32 %67 to i64
  %90 = getelementptr i8, ptr addrspace(1) %0, i64 %89
  %91 = sext i32 %68 to i64
  %92 = getelementptr i8, ptr addrspace(1) %0, i64 %91
  %93 = sext i32 %69 to i64
  %94 = getelementptr i8, ptr addrspace(1) %0, i64 %93
  %95 = sext i32 %70 to i64
  %96 = getelementptr i8, ptr addrspace(1) %0, i64 %95
  %97 = sext i32 %71 to i64
  %98 = getelementptr i8, ptr addrspace(1) %0, i64 %97
  %99 = sext i32 %72 to i64
  %100 = getelementptr i8, ptr addrspace(1) %0, i64 %99
  %101 = sext i32 %73 to i64
  %102 = getelementptr i8, ptr addrspace(1) %0, i64 %101
  %103 = sext i32 %74 to i64
  %104 = getelementptr i8, ptr addrspace(1) %0, i64 %103
  %105 = sext i32 %75 to i64
  %106 = getelementptr i8, ptr addrspace(1) %0, i64 %105
  %107 = sext i32 %76 to i64
  %108 = getelementptr i8, ptr addrspace(1) %0, i64 %107
  %109 = mul i32 %60, %54
  %110 = mul i32 %60, %55
  %111 = mul i32 %60, %56
  %112 = mul i32 %60, %57
  %113 = sext i32 %109 to i64
  %114 = getelementptr i8, ptr addrspace(1) %2, i64 %113
  %115 = sext i32 %110 to i64
  %116 = getelementptr i8, ptr addrspace(1) %2, i64 %115
  %117 = sext i32 %111 to i64
  %118 = getelementptr i8, ptr addrspace(1) %2, i64 %117
  %119 = sext i32 %112 to i64
  %120 = getelementptr i8, ptr addrspace(1) %2, i64 %119
  %121 = sdiv i32 %6, 32
  %122 = mul i32 %121, %42
  %123 = mul i32 %121, %43
  %124 = mul i32 %121, %44
  %125 = mul i32 %121, %45
  %126 = mul i32 %121, %46
  %127 = mul i32 %121, %47
  %128 = mul i32 %121, %48
  %129 = mul i32 %121, %50
  %130 = sext i32 %122 to i64
  %131 = getelementptr i8, ptr addrspace(1) %1, i64 %130
  %132 = sext i32 %123 to i64
  %133 = getelementptr i8, ptr addrspace(1) %1, i64 %132
  %134 = sext i32 %124 to i64
  %135 = getelementptr i8, ptr addrspace(1) %1, i64 %134
  %136 = sext i32 %125 to i64
  %137 = getelementptr i8, ptr addrspace(1) %1, i64 %136
  %138 = sext i32 %126 to i64
  %139 = getelementptr i8, ptr addrspace(1) %1, i64 %138
  %140 = sext i32 %127 to i64
  %141 = getelementptr i8, ptr addrspace(1) %1, i64 %140
  %142 = sext i32 %128 to i64
  %143 = getelementptr i8, ptr addrspace(1) %1, i64 %142
  %144 = sext i32 %129 to i64
  %145 = getelementptr i8, ptr addrspace(1) %1, i64 %144
  %146 = mul i32 %121, %58
  %147 = mul i32 %121, %59
  %148 = sext i32 %146 to i64
  %149 = getelementptr i8, ptr addrspace(1) %3, i64 %148
  %150 = sext i32 %147 to i64
  %151 = getelementptr i8, ptr addrspace(1) %3, i64 %150
  %152 = tail call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %15, i32 0, i32 31)
  %153 = shl i32 %152, 21
  %154 = and i32 %153, 6291456
  %155 = add i32 %154, %12
  tail call void asm sideeffect "@$0 tcgen05.st.sync.aligned.32x32b.x32.b32 [$1 + 0], {$2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33};", "b,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r"(i1 true, i32 %155, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00) #5
  %156 = icmp sgt i32 %6, 255
  %157 = zext nneg i32 %17 to i64
  %158 = getelementptr i8, ptr addrspace(1) %78, i64 %157
  %159 = getelementptr i8, ptr addrspace(1) %80, i64 %157
  %160 = getelementptr i8, ptr addrspace(1) %82, i64 %157
  %161 = getelementptr i8, ptr addrspace(1) %84, i64 %157
  %162 = getelementptr i8, ptr addrspace(1) %86, i64 %157
  %163 = getelementptr i8, ptr addrspace(1) %88, i64 %157
  %164 = getelementptr i8, ptr addrspace(1) %90, i64 %157
  %165 = getelementptr i8, ptr addrspace(1) %92, i64 %157
  %166 = getelementptr i8, ptr addrspace(1) %94, i64 %157
  %167 = getelementptr i8, ptr addrspace(1) %96, i64 %157
  %168 = getelementptr i8, ptr addrspace(1) %98, i64 %157
  %169 = getelementptr i8, ptr addrspace(1) %100, i64 %157
  %170 = getelementptr i8, ptr addrspace(1) %102, i64 %157
  %171 = getelementptr i8, ptr addrspace(1) %104, i64 %157
  %172 = getelementptr i8, ptr addrspace(1) %106, i64 %157
  %173 = getelementptr i8, ptr addrspace(1) %108, i64 %157
  %174 = and i32 %16, 1016
  %175 = xor i32 %174, %18
  %176 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %175
  %177 = select i1 %156, i32 8, i32 0
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) %176, ptr addrspace(1) %158, i32 %177) #5
  %178 = or disjoint i32 %175, 1024
  %179 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %178
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %179, ptr addrspace(1) %159, i32 %177) #5
  %180 = or disjoint i32 %175, 2048
  %181 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %180
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %181, ptr addrspace(1) %160, i32 %177) #5
  %182 = or disjoint i32 %175, 3072
  %183 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %182
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %183, ptr addrspace(1) %161, i32 %177) #5
  %184 = getelementptr inbounds nuw i8, ptr addrspace(3) %176, i32 4096
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %184, ptr addrspace(1) %162, i32 %177) #5
  %185 = getelementptr inbounds nuw i8, ptr addrspace(3) %176, i32 5120
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %185, ptr addrspace(1) %163, i32 %177) #5
  %186 = getelementptr inbounds nuw i8, ptr addrspace(3) %176, i32 6144
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %186, ptr addrspace(1) %164, i32 %177) #5
  %187 = getelementptr inbounds nuw i8, ptr addrspace(3) %176, i32 7168
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %187, ptr addrspace(1) %165, i32 %177) #5
  %188 = getelementptr inbounds nuw i8, ptr addrspace(3) %176, i32 8192
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %188, ptr addrspace(1) %166, i32 %177) #5
  %189 = getelementptr inbounds nuw i8, ptr addrspace(3) %176, i32 9216
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %189, ptr addrspace(1) %167, i32 %177) #5
  %190 = getelementptr inbounds nuw i8, ptr addrspace(3) %176, i32 10240
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %190, ptr addrspace(1) %168, i32 %177) #5
  %191 = getelementptr inbounds nuw i8, ptr addrspace(3) %176, i32 11264
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %191, ptr addrspace(1) %169, i32 %177) #5
  %192 = getelementptr inbounds nuw i8, ptr addrspace(3) %176, i32 12288
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %192, ptr addrspace(1) %170, i32 %177) #5
  %193 = getelementptr inbounds nuw i8, ptr addrspace(3) %176, i32 13312
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %193, ptr addrspace(1) %171, i32 %177) #5
  %194 = getelementptr inbounds nuw i8, ptr addrspace(3) %176, i32 14336
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %194, ptr addrspace(1) %172, i32 %177) #5
  %195 = getelementptr inbounds nuw i8, ptr addrspace(3) %176, i32 15360
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %195, ptr addrspace(1) %173, i32 %177) #5
  tail call void @llvm.nvvm.tcgen05.wait.st()
  tail call void @llvm.nvvm.cp.async.commit.group()
  %196 = getelementptr i8, ptr addrspace(1) %114, i64 %157
  %197 = getelementptr i8, ptr addrspace(1) %116, i64 %157
  %198 = getelementptr i8, ptr addrspace(1) %118, i64 %157
  %199 = getelementptr i8, ptr addrspace(1) %120, i64 %157
  %200 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %175
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) %200, ptr addrspace(1) %196, i32 %177) #5
  %201 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %178
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %201, ptr addrspace(1) %197, i32 %177) #5
  %202 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %180
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %202, ptr addrspace(1) %198, i32 %177) #5
  %203 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %182
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %203, ptr addrspace(1) %199, i32 %177) #5
  tail call void @llvm.nvvm.cp.async.commit.group()
  br i1 %156, label %.lr.ph, label %.._crit_edge_crit_edge

.._crit_edge_crit_edge:                           ; preds = %9
  %.pre = shl nuw nsw i32 %10, 4
  %.pre2 = and i32 %10, 4
  %.pre4 = shl nuw nsw i32 %10, 6
  %.pre6 = shl nuw nsw i32 %10, 5
  %.pre8 = and i32 %16, 48
  br label %._crit_edge

.lr.ph:                                           ; preds = %9
  %204 = lshr i32 %6, 8
  %205 = and i32 %10, 31
  %206 = add nsw i32 %204, -1
  %207 = shl nuw nsw i32 %15, 4
  %208 = or i32 %207, %205
  %209 = shl nuw nsw i32 %208, 5
  %210 = and i32 %209, 768
  %211 = and i32 %16, 48
  %212 = shl nuw nsw i32 %208, 2
  %213 = and i32 %212, 192
  %214 = shl nuw nsw i32 %10, 6
  %215 = and i32 %214, 64
  %216 = xor i32 %213, %215
  %217 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %210
  %218 = getelementptr inbounds nuw i8, ptr addrspace(3) %217, i32 %211
  %219 = getelementptr inbounds nuw i8, ptr addrspace(3) %218, i32 %216
  %220 = shl nuw nsw i32 %10, 4
  %221 = and i32 %220, 432
  %222 = and i32 %10, 4
  %223 = icmp eq i32 %222, 0
  %224 = select i1 %223, i32 0, i32 576
  %225 = or disjoint i32 %224, %221
  %226 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %225
  %227 = xor i32 %225, 64
  %228 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %227
  %229 = shl nuw nsw i32 %10, 2
  %230 = and i32 %229, 124
  %231 = and i32 %15, 3
  %232 = or disjoint i32 %231, %230
  %233 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %232
  %234 = xor i32 %232, 132
  %235 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %234
  %236 = shl nuw nsw i32 %10, 5
  %237 = and i32 %236, 96
  %238 = lshr i32 %10, 2
  %239 = and i32 %238, 3
  %240 = and i32 %10, 16
  %241 = icmp eq i32 %240, 0
  %242 = select i1 %241, i32 0, i32 132
  %243 = or disjoint i32 %239, %237
  %244 = or disjoint i32 %243, %242
  %245 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %244
  %246 = getelementptr inbounds nuw i8, ptr addrspace(3) %245, i32 8
  %247 = getelementptr inbounds nuw i8, ptr addrspace(3) %245, i32 16
  %248 = getelementptr inbounds nuw i8, ptr addrspace(3) %245, i32 24
  %249 = xor i32 %244, 4
  %250 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %249
  %251 = getelementptr inbounds nuw i8, ptr addrspace(3) %250, i32 8
  %252 = getelementptr inbounds nuw i8, ptr addrspace(3) %250, i32 16
  %253 = getelementptr inbounds nuw i8, ptr addrspace(3) %250, i32 24
  %254 = add i32 %12, 32
  %255 = add i32 %154, %254
  %256 = add i32 %12, 40
  %257 = add i32 %154, %256
  %258 = icmp eq i32 %15, 0
  %259 = icmp eq i32 %152, 0
  %260 = add i32 %12, 36
  %261 = add i32 %12, 42
  %262 = zext nneg i32 %53 to i64
  %263 = zext nneg i32 %206 to i64
  %264 = zext nneg i32 %17 to i64
  %wide.trip.count = zext nneg i32 %204 to i64
  %265 = getelementptr inbounds nuw i8, ptr addrspace(3) %226, i32 4
  %266 = getelementptr inbounds nuw i8, ptr addrspace(3) %226, i32 8
  %267 = getelementptr inbounds nuw i8, ptr addrspace(3) %226, i32 12
  %268 = getelementptr inbounds nuw i8, ptr addrspace(3) %228, i32 4
  %269 = getelementptr inbounds nuw i8, ptr addrspace(3) %228, i32 8
  %270 = getelementptr inbounds nuw i8, ptr addrspace(3) %228, i32 12
  %271 = lshr exact i32 ptrtoint (ptr addrspace(3) @global_smem to i32), 4
  %272 = and i32 %271, 32767
  %273 = lshr exact i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384) to i32), 4
  %274 = and i32 %273, 32767
  %275 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %272, i64 0
  %276 = bitcast <2 x i32> %275 to i64
  %277 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %274, i64 0
  %278 = bitcast <2 x i32> %277 to i64
  %279 = add nuw nsw i32 %272, 2
  %280 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %279, i64 0
  %281 = bitcast <2 x i32> %280 to i64
  %282 = add nuw nsw i32 %274, 2
  %283 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %282, i64 0
  %284 = bitcast <2 x i32> %283 to i64
  %285 = add nuw nsw i32 %272, 4
  %286 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %285, i64 0
  %287 = bitcast <2 x i32> %286 to i64
  %288 = add nuw nsw i32 %274, 4
  %289 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %288, i64 0
  %290 = bitcast <2 x i32> %289 to i64
  %291 = add nuw nsw i32 %272, 6
  %292 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %291, i64 0
  %293 = bitcast <2 x i32> %292 to i64
  %294 = add nuw nsw i32 %274, 6
  %295 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %294, i64 0
  %296 = bitcast <2 x i32> %295 to i64
  br label %297

297:                                              ; preds = %.lr.ph, %398
  %indvars.iv = phi i64 [ 0, %.lr.ph ], [ %indvars.iv.next, %398 ]
  %298 = phi i1 [ false, %.lr.ph ], [ true, %398 ]
  %299 = icmp samesign ult i64 %indvars.iv, %263
  tail call void @llvm.nvvm.cp.async.wait.group(i32 0)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %300 = shl nuw nsw i64 %indvars.iv, 3
  %301 = or disjoint i64 %300, %262
  %302 = getelementptr i8, ptr addrspace(1) %131, i64 %301
  %303 = getelementptr i8, ptr addrspace(1) %133, i64 %301
  %304 = getelementptr i8, ptr addrspace(1) %135, i64 %301
  %305 = getelementptr i8, ptr addrspace(1) %137, i64 %301
  %306 = getelementptr i8, ptr addrspace(1) %139, i64 %301
  %307 = getelementptr i8, ptr addrspace(1) %141, i64 %301
  %308 = getelementptr i8, ptr addrspace(1) %143, i64 %301
  %309 = getelementptr i8, ptr addrspace(1) %145, i64 %301
  %310 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %302) #5
  %311 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %303) #5
  %312 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %304) #5
  %313 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %305) #5
  %314 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %306) #5
  %315 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %307) #5
  %316 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %308) #5
  %317 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %309) #5
  %318 = getelementptr i8, ptr addrspace(1) %149, i64 %301
  %319 = getelementptr i8, ptr addrspace(1) %151, i64 %301
  %320 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %318) #5
  %321 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %319) #5
  %322 = insertelement <4 x i8> poison, i8 %310, i64 0
  %323 = insertelement <4 x i8> %322, i8 %312, i64 1
  %324 = insertelement <4 x i8> %323, i8 %314, i64 2
  %325 = insertelement <4 x i8> %324, i8 %316, i64 3
  %326 = bitcast <4 x i8> %325 to i32
  %327 = insertelement <4 x i8> poison, i8 %311, i64 0
  %328 = insertelement <4 x i8> %327, i8 %313, i64 1
  %329 = insertelement <4 x i8> %328, i8 %315, i64 2
  %330 = insertelement <4 x i8> %329, i8 %317, i64 3
  %331 = bitcast <4 x i8> %330 to i32
  tail call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %219, i32 %326, i32 %331)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %332 = load <4 x i8>, ptr addrspace(3) %226, align 16
  %333 = load <4 x i8>, ptr addrspace(3) %265, align 4
  %334 = load <4 x i8>, ptr addrspace(3) %266, align 8
  %335 = load <4 x i8>, ptr addrspace(3) %267, align 4
  %336 = load <4 x i8>, ptr addrspace(3) %228, align 16
  %337 = load <4 x i8>, ptr addrspace(3) %268, align 4
  %338 = load <4 x i8>, ptr addrspace(3) %269, align 8
  %339 = load <4 x i8>, ptr addrspace(3) %270, align 4
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %340 = insertelement <1 x i8> poison, i8 %320, i64 0
  store <1 x i8> %340, ptr addrspace(3) %233, align 1
  %341 = insertelement <1 x i8> poison, i8 %321, i64 0
  store <1 x i8> %341, ptr addrspace(3) %235, align 1
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %342 = load i8, ptr addrspace(3) %245, align 1
  %343 = load i8, ptr addrspace(3) %246, align 1
  %344 = load i8, ptr addrspace(3) %247, align 1
  %345 = load i8, ptr addrspace(3) %248, align 1
  %346 = load i8, ptr addrspace(3) %250, align 1
  %347 = load i8, ptr addrspace(3) %251, align 1
  %348 = load i8, ptr addrspace(3) %252, align 1
  %349 = load i8, ptr addrspace(3) %253, align 1
  %350 = shufflevector <4 x i8> %332, <4 x i8> %333, <4 x i32> <i32 0, i32 4, i32 poison, i32 poison>
  %351 = shufflevector <4 x i8> %350, <4 x i8> %334, <4 x i32> <i32 0, i32 1, i32 4, i32 poison>
  %352 = shufflevector <4 x i8> %351, <4 x i8> %335, <4 x i32> <i32 0, i32 1, i32 2, i32 4>
  %353 = bitcast <4 x i8> %352 to i32
  %354 = shufflevector <4 x i8> %332, <4 x i8> %333, <4 x i32> <i32 1, i32 5, i32 poison, i32 poison>
  %355 = shufflevector <4 x i8> %354, <4 x i8> %334, <4 x i32> <i32 0, i32 1, i32 5, i32 poison>
  %356 = shufflevector <4 x i8> %355, <4 x i8> %335, <4 x i32> <i32 0, i32 1, i32 2, i32 5>
  %357 = bitcast <4 x i8> %356 to i32
  %358 = shufflevector <4 x i8> %332, <4 x i8> %333, <4 x i32> <i32 2, i32 6, i32 poison, i32 poison>
  %359 = shufflevector <4 x i8> %358, <4 x i8> %334, <4 x i32> <i32 0, i32 1, i32 6, i32 poison>
  %360 = shufflevector <4 x i8> %359, <4 x i8> %335, <4 x i32> <i32 0, i32 1, i32 2, i32 6>
  %361 = bitcast <4 x i8> %360 to i32
  %362 = shufflevector <4 x i8> %332, <4 x i8> %333, <4 x i32> <i32 3, i32 7, i32 poison, i32 poison>
  %363 = shufflevector <4 x i8> %362, <4 x i8> %334, <4 x i32> <i32 0, i32 1, i32 7, i32 poison>
  %364 = shufflevector <4 x i8> %363, <4 x i8> %335, <4 x i32> <i32 0, i32 1, i32 2, i32 7>
  %365 = bitcast <4 x i8> %364 to i32
  %366 = shufflevector <4 x i8> %336, <4 x i8> %337, <4 x i32> <i32 0, i32 4, i32 poison, i32 poison>
  %367 = shufflevector <4 x i8> %366, <4 x i8> %338, <4 x i32> <i32 0, i32 1, i32 4, i32 poison>
  %368 = shufflevector <4 x i8> %367, <4 x i8> %339, <4 x i32> <i32 0, i32 1, i32 2, i32 4>
  %369 = bitcast <4 x i8> %368 to i32
  %370 = shufflevector <4 x i8> %336, <4 x i8> %337, <4 x i32> <i32 1, i32 5, i32 poison, i32 poison>
  %371 = shufflevector <4 x i8> %370, <4 x i8> %338, <4 x i32> <i32 0, i32 1, i32 5, i32 poison>
  %372 = shufflevector <4 x i8> %371, <4 x i8> %339, <4 x i32> <i32 0, i32 1, i32 2, i32 5>
  %373 = bitcast <4 x i8> %372 to i32
  %374 = shufflevector <4 x i8> %336, <4 x i8> %337, <4 x i32> <i32 2, i32 6, i32 poison, i32 poison>
  %375 = shufflevector <4 x i8> %374, <4 x i8> %338, <4 x i32> <i32 0, i32 1, i32 6, i32 poison>
  %376 = shufflevector <4 x i8> %375, <4 x i8> %339, <4 x i32> <i32 0, i32 1, i32 2, i32 6>
  %377 = bitcast <4 x i8> %376 to i32
  %378 = shufflevector <4 x i8> %336, <4 x i8> %337, <4 x i32> <i32 3, i32 7, i32 poison, i32 poison>
  %379 = shufflevector <4 x i8> %378, <4 x i8> %338, <4 x i32> <i32 0, i32 1, i32 7, i32 poison>
  %380 = shufflevector <4 x i8> %379, <4 x i8> %339, <4 x i32> <i32 0, i32 1, i32 2, i32 7>
  %381 = bitcast <4 x i8> %380 to i32
  tail call void asm sideeffect "@$0 tcgen05.st.sync.aligned.32x32b.x8.b32 [$1 + 0], {$2, $3, $4, $5, $6, $7, $8, $9};", "b,r,r,r,r,r,r,r,r,r"(i1 true, i32 %255, i32 %353, i32 %357, i32 %361, i32 %365, i32 %369, i32 %373, i32 %377, i32 %381) #5
  %382 = insertelement <4 x i8> poison, i8 %342, i64 0
  %383 = insertelement <4 x i8> %382, i8 %346, i64 1
  %384 = insertelement <4 x i8> %383, i8 %343, i64 2
  %385 = insertelement <4 x i8> %384, i8 %347, i64 3
  %386 = bitcast <4 x i8> %385 to i32
  %387 = insertelement <4 x i8> poison, i8 %344, i64 0
  %388 = insertelement <4 x i8> %387, i8 %348, i64 1
  %389 = insertelement <4 x i8> %388, i8 %345, i64 2
  %390 = insertelement <4 x i8> %389, i8 %349, i64 3
  %391 = bitcast <4 x i8> %390 to i32
  tail call void asm sideeffect "@$0 tcgen05.st.sync.aligned.32x32b.x1.b32 [$1 + 0], {$2};", "b,r,r"(i1 true, i32 %257, i32 %386) #5
  tail call void asm sideeffect "@$0 tcgen05.st.sync.aligned.32x32b.x1.b32 [$1 + 2], {$2};", "b,r,r"(i1 true, i32 %257, i32 %391) #5
  tail call void @llvm.nvvm.tcgen05.wait.st()
  tail call void @llvm.nvvm.fence.proxy.async.shared_cta()
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %392 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %393 = extractvalue { i32, i1 } %392, 1
  %394 = and i1 %258, %393
  tail call void asm sideeffect "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r"(i1 %394, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480)) #5
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %259, label %395, label %398

395:                                              ; preds = %297
  %396 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %397 = extractvalue { i32, i1 } %396, 1
  tail call void asm sideeffect "@$7 tcgen05.mma.cta_group::1.kind::mxf4.block_scale.block32 [ $0 + 0 ], $1, $2, $3, [ $4 + 0 ], [ $5 + 0 ], $6;", "r,l,l,r,r,r,b,b"(i32 %12, i64 %276, i64 %278, i32 143131776, i32 %254, i32 %256, i1 %298, i1 %397) #5
  tail call void asm sideeffect "@$7 tcgen05.mma.cta_group::1.kind::mxf4.block_scale.block32 [ $0 + 0 ], $1, $2, $3, [ $4 + 0 ], [ $5 + 0 ], $6;", "r,l,l,r,r,r,b,b"(i32 %12, i64 %281, i64 %284, i32 1216873632, i32 %254, i32 %256, i1 true, i1 %397) #5
  tail call void asm sideeffect "@$7 tcgen05.mma.cta_group::1.kind::mxf4.block_scale.block32 [ $0 + 0 ], $1, $2, $3, [ $4 + 0 ], [ $5 + 0 ], $6;", "r,l,l,r,r,r,b,b"(i32 %12, i64 %287, i64 %290, i32 143131776, i32 %260, i32 %261, i1 true, i1 %397) #5
  tail call void asm sideeffect "@$7 tcgen05.mma.cta_group::1.kind::mxf4.block_scale.block32 [ $0 + 0 ], $1, $2, $3, [ $4 + 0 ], [ $5 + 0 ], $6;", "r,l,l,r,r,r,b,b"(i32 %12, i64 %293, i64 %296, i32 1216873632, i32 %260, i32 %261, i1 true, i1 %397) #5
  tail call void asm sideeffect "@$0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$1];", "b,r"(i1 %397, i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480) to i32)) #5
  br label %398

398:                                              ; preds = %395, %297
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  tail call void asm sideeffect "\0A{\0A\09.reg .pred complete;\0A\09waitLoop:\0A\09mbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;\0A\09@!complete bra.uni waitLoop;\0A}\0A", "r,r"(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 0) #5
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %399 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %400 = extractvalue { i32, i1 } %399, 1
  %401 = and i1 %258, %400
  tail call void asm sideeffect "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r"(i1 %401, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480)) #5
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %402 = shl nuw nsw i64 %indvars.iv.next, 7
  %403 = or disjoint i64 %402, %264
  %404 = getelementptr i8, ptr addrspace(1) %78, i64 %403
  %405 = getelementptr i8, ptr addrspace(1) %80, i64 %403
  %406 = getelementptr i8, ptr addrspace(1) %82, i64 %403
  %407 = getelementptr i8, ptr addrspace(1) %84, i64 %403
  %408 = getelementptr i8, ptr addrspace(1) %86, i64 %403
  %409 = getelementptr i8, ptr addrspace(1) %88, i64 %403
  %410 = getelementptr i8, ptr addrspace(1) %90, i64 %403
  %411 = getelementptr i8, ptr addrspace(1) %92, i64 %403
  %412 = getelementptr i8, ptr addrspace(1) %94, i64 %403
  %413 = getelementptr i8, ptr addrspace(1) %96, i64 %403
  %414 = getelementptr i8, ptr addrspace(1) %98, i64 %403
  %415 = getelementptr i8, ptr addrspace(1) %100, i64 %403
  %416 = getelementptr i8, ptr addrspace(1) %102, i64 %403
  %417 = getelementptr i8, ptr addrspace(1) %104, i64 %403
  %418 = getelementptr i8, ptr addrspace(1) %106, i64 %403
  %419 = getelementptr i8, ptr addrspace(1) %108, i64 %403
  %420 = select i1 %299, i32 8, i32 0
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) %176, ptr addrspace(1) %404, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %179, ptr addrspace(1) %405, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %181, ptr addrspace(1) %406, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %183, ptr addrspace(1) %407, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %184, ptr addrspace(1) %408, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %185, ptr addrspace(1) %409, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %186, ptr addrspace(1) %410, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %187, ptr addrspace(1) %411, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %188, ptr addrspace(1) %412, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %189, ptr addrspace(1) %413, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %190, ptr addrspace(1) %414, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %191, ptr addrspace(1) %415, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %192, ptr addrspace(1) %416, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %193, ptr addrspace(1) %417, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %194, ptr addrspace(1) %418, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %195, ptr addrspace(1) %419, i32 %420) #5
  tail call void @llvm.nvvm.cp.async.commit.group()
  %421 = getelementptr i8, ptr addrspace(1) %114, i64 %403
  %422 = getelementptr i8, ptr addrspace(1) %116, i64 %403
  %423 = getelementptr i8, ptr addrspace(1) %118, i64 %403
  %424 = getelementptr i8, ptr addrspace(1) %120, i64 %403
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) %200, ptr addrspace(1) %421, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %201, ptr addrspace(1) %422, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %202, ptr addrspace(1) %423, i32 %420) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %203, ptr addrspace(1) %424, i32 %420) #5
  tail call void @llvm.nvvm.cp.async.commit.group()
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %._crit_edge, label %297

._crit_edge:                                      ; preds = %398, %.._crit_edge_crit_edge
  %.pre-phi9 = phi i32 [ %.pre8, %.._crit_edge_crit_edge ], [ %211, %398 ]
  %.pre-phi7 = phi i32 [ %.pre6, %.._crit_edge_crit_edge ], [ %236, %398 ]
  %.pre-phi5 = phi i32 [ %.pre4, %.._crit_edge_crit_edge ], [ %214, %398 ]
  %.pre-phi3 = phi i32 [ %.pre2, %.._crit_edge_crit_edge ], [ %222, %398 ]
  %.pre-phi = phi i32 [ %.pre, %.._crit_edge_crit_edge ], [ %220, %398 ]
  %425 = shl nuw nsw i32 %53, 2
  %426 = or disjoint i32 %425, %52
  %427 = inttoptr i32 %12 to ptr addrspace(6)
  tail call void @llvm.nvvm.cp.async.wait.group(i32 0)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %428 = mul i32 %5, %42
  %429 = mul i32 %5, %43
  %430 = mul i32 %5, %44
  %431 = mul i32 %5, %45
  %432 = mul i32 %5, %46
  %433 = mul i32 %5, %47
  %434 = mul i32 %5, %48
  %435 = mul i32 %5, %50
  %436 = sext i32 %428 to i64
  %437 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %436
  %438 = sext i32 %429 to i64
  %439 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %438
  %440 = sext i32 %430 to i64
  %441 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %440
  %442 = sext i32 %431 to i64
  %443 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %442
  %444 = sext i32 %432 to i64
  %445 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %444
  %446 = sext i32 %433 to i64
  %447 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %446
  %448 = sext i32 %434 to i64
  %449 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %448
  %450 = sext i32 %435 to i64
  %451 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %450
  %452 = zext nneg i32 %426 to i64
  %453 = getelementptr [4 x i8], ptr addrspace(1) %437, i64 %452
  %454 = getelementptr [4 x i8], ptr addrspace(1) %439, i64 %452
  %455 = getelementptr [4 x i8], ptr addrspace(1) %441, i64 %452
  %456 = getelementptr [4 x i8], ptr addrspace(1) %443, i64 %452
  %457 = getelementptr [4 x i8], ptr addrspace(1) %445, i64 %452
  %458 = getelementptr [4 x i8], ptr addrspace(1) %447, i64 %452
  %459 = getelementptr [4 x i8], ptr addrspace(1) %449, i64 %452
  %460 = getelementptr [4 x i8], ptr addrspace(1) %451, i64 %452
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %461 = tail call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "tcgen05.ld.sync.aligned.32x32b.x32.b32 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, [$32 + 0];", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,r"(i32 %155) #5
  %462 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 0
  %463 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 1
  %464 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 2
  %465 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 3
  %466 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 4
  %467 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 5
  %468 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 6
  %469 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 7
  %470 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 8
  %471 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 9
  %472 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 10
  %473 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 11
  %474 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 12
  %475 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 13
  %476 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 14
  %477 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 15
  %478 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 16
  %479 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 17
  %480 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 18
  %481 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 19
  %482 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 20
  %483 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 21
  %484 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 22
  %485 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 23
  %486 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 24
  %487 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 25
  %488 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 26
  %489 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 27
  %490 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 28
  %491 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 29
  %492 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 30
  %493 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %461, 31
  tail call void @llvm.nvvm.tcgen05.wait.ld()
  %494 = and i32 %.pre-phi, 1968
  %495 = icmp eq i32 %.pre-phi3, 0
  %496 = select i1 %495, i32 0, i32 2112
  %497 = or disjoint i32 %496, %494
  %498 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %497
  %499 = insertelement <4 x i32> poison, i32 %462, i64 0
  %500 = insertelement <4 x i32> %499, i32 %466, i64 1
  %501 = insertelement <4 x i32> %500, i32 %470, i64 2
  %502 = insertelement <4 x i32> %501, i32 %474, i64 3
  store <4 x i32> %502, ptr addrspace(3) %498, align 16
  %503 = xor i32 %497, 64
  %504 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %503
  %505 = insertelement <4 x i32> poison, i32 %478, i64 0
  %506 = insertelement <4 x i32> %505, i32 %482, i64 1
  %507 = insertelement <4 x i32> %506, i32 %486, i64 2
  %508 = insertelement <4 x i32> %507, i32 %490, i64 3
  store <4 x i32> %508, ptr addrspace(3) %504, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %509 = and i32 %.pre-phi5, 2112
  %510 = and i32 %.pre-phi7, 768
  %511 = shl nuw nsw i32 %10, 1
  %512 = and i32 %511, 192
  %513 = or disjoint i32 %509, %510
  %514 = or disjoint i32 %.pre-phi9, %512
  %515 = xor i32 %513, %514
  %516 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %515
  %517 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %516)
  %518 = extractvalue { i32, i32, i32, i32 } %517, 0
  %519 = extractvalue { i32, i32, i32, i32 } %517, 1
  %520 = extractvalue { i32, i32, i32, i32 } %517, 2
  %521 = extractvalue { i32, i32, i32, i32 } %517, 3
  %522 = getelementptr inbounds nuw i8, ptr addrspace(3) %516, i32 1024
  %523 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %522)
  %524 = extractvalue { i32, i32, i32, i32 } %523, 0
  %525 = extractvalue { i32, i32, i32, i32 } %523, 1
  %526 = extractvalue { i32, i32, i32, i32 } %523, 2
  %527 = extractvalue { i32, i32, i32, i32 } %523, 3
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %528 = insertelement <4 x i32> poison, i32 %463, i64 0
  %529 = insertelement <4 x i32> %528, i32 %467, i64 1
  %530 = insertelement <4 x i32> %529, i32 %471, i64 2
  %531 = insertelement <4 x i32> %530, i32 %475, i64 3
  store <4 x i32> %531, ptr addrspace(3) %498, align 16
  %532 = insertelement <4 x i32> poison, i32 %479, i64 0
  %533 = insertelement <4 x i32> %532, i32 %483, i64 1
  %534 = insertelement <4 x i32> %533, i32 %487, i64 2
  %535 = insertelement <4 x i32> %534, i32 %491, i64 3
  store <4 x i32> %535, ptr addrspace(3) %504, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %536 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %516)
  %537 = extractvalue { i32, i32, i32, i32 } %536, 0
  %538 = extractvalue { i32, i32, i32, i32 } %536, 1
  %539 = extractvalue { i32, i32, i32, i32 } %536, 2
  %540 = extractvalue { i32, i32, i32, i32 } %536, 3
  %541 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %522)
  %542 = extractvalue { i32, i32, i32, i32 } %541, 0
  %543 = extractvalue { i32, i32, i32, i32 } %541, 1
  %544 = extractvalue { i32, i32, i32, i32 } %541, 2
  %545 = extractvalue { i32, i32, i32, i32 } %541, 3
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %546 = insertelement <4 x i32> poison, i32 %464, i64 0
  %547 = insertelement <4 x i32> %546, i32 %468, i64 1
  %548 = insertelement <4 x i32> %547, i32 %472, i64 2
  %549 = insertelement <4 x i32> %548, i32 %476, i64 3
  store <4 x i32> %549, ptr addrspace(3) %498, align 16
  %550 = insertelement <4 x i32> poison, i32 %480, i64 0
  %551 = insertelement <4 x i32> %550, i32 %484, i64 1
  %552 = insertelement <4 x i32> %551, i32 %488, i64 2
  %553 = insertelement <4 x i32> %552, i32 %492, i64 3
  store <4 x i32> %553, ptr addrspace(3) %504, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %554 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %516)
  %555 = extractvalue { i32, i32, i32, i32 } %554, 0
  %556 = extractvalue { i32, i32, i32, i32 } %554, 1
  %557 = extractvalue { i32, i32, i32, i32 } %554, 2
  %558 = extractvalue { i32, i32, i32, i32 } %554, 3
  %559 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %522)
  %560 = extractvalue { i32, i32, i32, i32 } %559, 0
  %561 = extractvalue { i32, i32, i32, i32 } %559, 1
  %562 = extractvalue { i32, i32, i32, i32 } %559, 2
  %563 = extractvalue { i32, i32, i32, i32 } %559, 3
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %564 = insertelement <4 x i32> poison, i32 %465, i64 0
  %565 = insertelement <4 x i32> %564, i32 %469, i64 1
  %566 = insertelement <4 x i32> %565, i32 %473, i64 2
  %567 = insertelement <4 x i32> %566, i32 %477, i64 3
  store <4 x i32> %567, ptr addrspace(3) %498, align 16
  %568 = insertelement <4 x i32> poison, i32 %481, i64 0
  %569 = insertelement <4 x i32> %568, i32 %485, i64 1
  %570 = insertelement <4 x i32> %569, i32 %489, i64 2
  %571 = insertelement <4 x i32> %570, i32 %493, i64 3
  store <4 x i32> %571, ptr addrspace(3) %504, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %572 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %516)
  %573 = extractvalue { i32, i32, i32, i32 } %572, 0
  %574 = extractvalue { i32, i32, i32, i32 } %572, 1
  %575 = extractvalue { i32, i32, i32, i32 } %572, 2
  %576 = extractvalue { i32, i32, i32, i32 } %572, 3
  %577 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %522)
  %578 = extractvalue { i32, i32, i32, i32 } %577, 0
  %579 = extractvalue { i32, i32, i32, i32 } %577, 1
  %580 = extractvalue { i32, i32, i32, i32 } %577, 2
  %581 = extractvalue { i32, i32, i32, i32 } %577, 3
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %518, i32 %537, i32 %555, i32 %573, ptr addrspace(1) %453) #5
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %519, i32 %538, i32 %556, i32 %574, ptr addrspace(1) %454) #5
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %520, i32 %539, i32 %557, i32 %575, ptr addrspace(1) %455) #5
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %521, i32 %540, i32 %558, i32 %576, ptr addrspace(1) %456) #5
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %524, i32 %542, i32 %560, i32 %578, ptr addrspace(1) %457) #5
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %525, i32 %543, i32 %561, i32 %579, ptr addrspace(1) %458) #5
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %526, i32 %544, i32 %562, i32 %580, ptr addrspace(1) %459) #5
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %527, i32 %545, i32 %563, i32 %581, ptr addrspace(1) %460) #5
  tail call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  tail call void asm sideeffect "@$0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 $1, 64;", "b,r"(i1 %11, ptr addrspace(6) %427) #5
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) #3

; Function Attrs: convergent nounwind memory(inaccessiblemem: readwrite)
declare void @llvm.nvvm.tcgen05.wait.st() #4

; Function Attrs: nounwind
declare void @llvm.nvvm.cp.async.commit.group() #5

; Function Attrs: nounwind
declare void @llvm.nvvm.cp.async.wait.group(i32 immarg) #5

; Function Attrs: convergent nounwind memory(inaccessiblemem: readwrite)
declare void @llvm.nvvm.tcgen05.wait.ld() #4

; Function Attrs: convergent nocallback nofree nounwind memory(argmem: read)
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) readonly captures(none)) #6

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.all(i32) #2

; Function Attrs: convergent nocallback nounwind memory(argmem: write)
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) writeonly captures(none), i32, i32) #7

; Function Attrs: nocallback nounwind
declare void @llvm.nvvm.fence.proxy.async.shared_cta() #8

; Function Attrs: convergent mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare { i32, i1 } @llvm.nvvm.elect.sync(i32) #9

attributes #0 = { nounwind "nvvm.reqntid"="128" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }
attributes #3 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #4 = { convergent nounwind memory(inaccessiblemem: readwrite) }
attributes #5 = { nounwind }
attributes #6 = { convergent nocallback nofree nounwind memory(argmem: read) }
attributes #7 = { convergent nocallback nounwind memory(argmem: write) }
attributes #8 = { nocallback nounwind }
attributes #9 = { convergent mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!llvm.module.flags = !{!2, !3}

!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
