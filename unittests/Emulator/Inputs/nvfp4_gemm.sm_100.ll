; Made by make_witnesses.py for sm_100; shared memory 22528
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
  %16 = and i32 %10, 15
  %17 = shl nuw nsw i32 %16, 3
  %18 = and i32 %10, 112
  %19 = lshr exact i32 %18, 4
  %20 = or disjoint i32 %19, 8
  %21 = or disjoint i32 %19, 16
  %22 = or disjoint i32 %19, 24
  %23 = and i32 %10, 120
  %24 = or disjoint i32 %19, %14
  %25 = or disjoint i32 %20, %14
  %26 = or disjoint i32 %21, %14
  %27 = or disjoint i32 %22, %14
  %28 = or disjoint i32 %24, 32
  %29 = or disjoint i32 %24, 40
  %30 = or disjoint i32 %24, 48
  %31 = or disjoint i32 %24, 56
  %32 = or disjoint i32 %24, 64
  %33 = or disjoint i32 %24, 72
  %34 = or disjoint i32 %24, 80
  %35 = or disjoint i32 %24, 88
  %36 = or disjoint i32 %24, 96
  %37 = or disjoint i32 %24, 104
  %38 = or disjoint i32 %24, 112
  %39 = or disjoint i32 %24, 120
  %40 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %41 = shl nuw nsw i32 %40, 5
  %42 = or disjoint i32 %19, %41
  %43 = or disjoint i32 %20, %41
  %44 = or disjoint i32 %21, %41
  %45 = or disjoint i32 %22, %41
  %46 = sdiv i32 %6, 2
  %47 = mul i32 %46, %24
  %48 = mul i32 %46, %25
  %49 = mul i32 %46, %26
  %50 = mul i32 %46, %27
  %51 = mul i32 %46, %28
  %52 = mul i32 %46, %29
  %53 = mul i32 %46, %30
  %54 = mul i32 %46, %31
  %55 = mul i32 %46, %32
  %56 = mul i32 %46, %33
  %57 = mul i32 %46, %34
  %58 = mul i32 %46, %35
  %59 = mul i32 %46, %36
  %60 = mul i32 %46, %37
  %61 = mul i32 %46, %38
  %62 = mul i32 %46, %39
  %63 = sext i32 %47 to i64
  %64 = getelementptr i8, ptr addrspace(1) %0, i64 %63
  %65 = sext i32 %48 to i64
  %66 = getelementptr i8, ptr addrspace(1) %0, i64 %65
  %67 = sext i32 %49 to i64
  %68 = getelementptr i8, ptr addrspace(1) %0, i64 %67
  %69 = sext i32 %50 to i64
  %70 = getelementptr i8, ptr addrspace(1) %0, i64 %69
  %71 = sext i32 %51 to i64
  %72 = getelementptr i8, ptr addrspace(1) %0, i64 %71
  %73 = sext i32 %52 to i64
  %74 = getelementptr i8, ptr addrspace(1) %0, i64 %73
  %75 = sext i32 %53 to i64
  %76 = getelementptr i8, ptr addrspace(1) %0, i64 %75
  %77 = sext i32 %54 to i64
  %78 = getelementptr i8, ptr addrspace(1) %0, i64 %77
  %79 = sext i32 %55 to i64
  %80 = getelementptr i8, ptr addrspace(1) %0, i64 %79
  %81 = sext i32 %56 to i64
  %82 = getelementptr i8, ptr addrspace(1) %0, i64 %81
  %83 = sext i32 %57 to i64
  %84 = getelementptr i8, ptr addrspace(1) %0, i64 %83
  %85 = sext i32 %58 to i64
  %86 = getelementptr i8, ptr addrspace(1) %0, i64 %85
  %87 = sext i32 %59 to i64
  %88 = getelementptr i8, ptr addrspace(1) %0, i64 %87
  %89 = sext i32 %60 to i64
  %90 = getelementptr i8, ptr addrspace(1) %0, i64 %89
  %91 = sext i32 %61 to i64
  %92 = getelementptr i8, ptr addrspace(1) %0, i64 %91
  %93 = sext i32 %62 to i64
  %94 = getelementptr i8, ptr addrspace(1) %0, i64 %93
  %95 = mul i32 %46, %42
  %96 = mul i32 %46, %43
  %97 = mul i32 %46, %44
  %98 = mul i32 %46, %45
  %99 = sext i32 %95 to i64
  %100 = getelementptr i8, ptr addrspace(1) %2, i64 %99
  %101 = sext i32 %96 to i64
  %102 = getelementptr i8, ptr addrspace(1) %2, i64 %101
  %103 = sext i32 %97 to i64
  %104 = getelementptr i8, ptr addrspace(1) %2, i64 %103
  %105 = sext i32 %98 to i64
  %106 = getelementptr i8, ptr addrspace(1) %2, i64 %105
  %107 = sdiv i32 %6, 16
  %108 = mul i32 %107, %24
  %109 = mul i32 %107, %25
  %110 = mul i32 %107, %26
  %111 = mul i32 %107, %27
  %112 = mul i32 %107, %28
  %113 = mul i32 %107, %29
  %114 = mul i32 %107, %30
  %115 = mul i32 %107, %31
  %116 = mul i32 %107, %32
  %117 = mul i32 %107, %33
  %118 = mul i32 %107, %34
  %119 = mul i32 %107, %35
  %120 = mul i32 %107, %36
  %121 = mul i32 %107, %37
  %122 = mul i32 %107, %38
  %123 = mul i32 %107, %39
  %124 = sext i32 %108 to i64
  %125 = getelementptr i8, ptr addrspace(1) %1, i64 %124
  %126 = sext i32 %109 to i64
  %127 = getelementptr i8, ptr addrspace(1) %1, i64 %126
  %128 = sext i32 %110 to i64
  %129 = getelementptr i8, ptr addrspace(1) %1, i64 %128
  %130 = sext i32 %111 to i64
  %131 = getelementptr i8, ptr addrspace(1) %1, i64 %130
  %132 = sext i32 %112 to i64
  %133 = getelementptr i8, ptr addrspace(1) %1, i64 %132
  %134 = sext i32 %113 to i64
  %135 = getelementptr i8, ptr addrspace(1) %1, i64 %134
  %136 = sext i32 %114 to i64
  %137 = getelementptr i8, ptr addrspace(1) %1, i64 %136
  %138 = sext i32 %115 to i64
  %139 = getelementptr i8, ptr addrspace(1) %1, i64 %138
  %140 = sext i32 %116 to i64
  %141 = getelementptr i8, ptr addrspace(1) %1, i64 %140
  %142 = sext i32 %117 to i64
  %143 = getelementptr i8, ptr addrspace(1) %1, i64 %142
  %144 = sext i32 %118 to i64
  %145 = getelementptr i8, ptr addrspace(1) %1, i64 %144
  %146 = sext i32 %119 to i64
  %147 = getelementptr i8, ptr addrspace(1) %1, i64 %146
  %148 = sext i32 %120 to i64
  %149 = getelementptr i8, ptr addrspace(1) %1, i64 %148
  %150 = sext i32 %121 to i64
  %151 = getelementptr i8, ptr addrspace(1) %1, i64 %150
  %152 = sext i32 %122 to i64
  %153 = getelementptr i8, ptr addrspace(1) %1, i64 %152
  %154 = sext i32 %123 to i64
  %155 = getelementptr i8, ptr addrspace(1) %1, i64 %154
  %156 = mul i32 %107, %42
  %157 = mul i32 %107, %43
  %158 = mul i32 %107, %44
  %159 = mul i32 %107, %45
  %160 = sext i32 %156 to i64
  %161 = getelementptr i8, ptr addrspace(1) %3, i64 %160
  %162 = sext i32 %157 to i64
  %163 = getelementptr i8, ptr addrspace(1) %3, i64 %162
  %164 = sext i32 %158 to i64
  %165 = getelementptr i8, ptr addrspace(1) %3, i64 %164
  %166 = sext i32 %159 to i64
  %167 = getelementptr i8, ptr addrspace(1) %3, i64 %166
  %168 = tail call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %15, i32 0, i32 31)
  %169 = shl i32 %168, 21
  %170 = and i32 %169, 6291456
  %171 = add i32 %170, %12
  tail call void asm sideeffect "@$0 tcgen05.st.sync.aligned.32x32b.x32.b32 [$1 + 0], {$2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33};", "b,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r"(i1 true, i32 %171, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00) #5
  %172 = icmp sgt i32 %6, 255
  %173 = zext nneg i32 %17 to i64
  %174 = getelementptr i8, ptr addrspace(1) %64, i64 %173
  %175 = getelementptr i8, ptr addrspace(1) %66, i64 %173
  %176 = getelementptr i8, ptr addrspace(1) %68, i64 %173
  %177 = getelementptr i8, ptr addrspace(1) %70, i64 %173
  %178 = getelementptr i8, ptr addrspace(1) %72, i64 %173
  %179 = getelementptr i8, ptr addrspace(1) %74, i64 %173
  %180 = getelementptr i8, ptr addrspace(1) %76, i64 %173
  %181 = getelementptr i8, ptr addrspace(1) %78, i64 %173
  %182 = getelementptr i8, ptr addrspace(1) %80, i64 %173
  %183 = getelementptr i8, ptr addrspace(1) %82, i64 %173
  %184 = getelementptr i8, ptr addrspace(1) %84, i64 %173
  %185 = getelementptr i8, ptr addrspace(1) %86, i64 %173
  %186 = getelementptr i8, ptr addrspace(1) %88, i64 %173
  %187 = getelementptr i8, ptr addrspace(1) %90, i64 %173
  %188 = getelementptr i8, ptr addrspace(1) %92, i64 %173
  %189 = getelementptr i8, ptr addrspace(1) %94, i64 %173
  %190 = shl nuw nsw i32 %10, 3
  %191 = and i32 %190, 1016
  %192 = xor i32 %191, %18
  %193 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %192
  %194 = select i1 %172, i32 8, i32 0
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) %193, ptr addrspace(1) %174, i32 %194) #5
  %195 = or disjoint i32 %192, 1024
  %196 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %195
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %196, ptr addrspace(1) %175, i32 %194) #5
  %197 = or disjoint i32 %192, 2048
  %198 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %197
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %198, ptr addrspace(1) %176, i32 %194) #5
  %199 = or disjoint i32 %192, 3072
  %200 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %199
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %200, ptr addrspace(1) %177, i32 %194) #5
  %201 = getelementptr inbounds nuw i8, ptr addrspace(3) %193, i32 4096
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %201, ptr addrspace(1) %178, i32 %194) #5
  %202 = getelementptr inbounds nuw i8, ptr addrspace(3) %193, i32 5120
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %202, ptr addrspace(1) %179, i32 %194) #5
  %203 = getelementptr inbounds nuw i8, ptr addrspace(3) %193, i32 6144
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %203, ptr addrspace(1) %180, i32 %194) #5
  %204 = getelementptr inbounds nuw i8, ptr addrspace(3) %193, i32 7168
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %204, ptr addrspace(1) %181, i32 %194) #5
  %205 = getelementptr inbounds nuw i8, ptr addrspace(3) %193, i32 8192
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %205, ptr addrspace(1) %182, i32 %194) #5
  %206 = getelementptr inbounds nuw i8, ptr addrspace(3) %193, i32 9216
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %206, ptr addrspace(1) %183, i32 %194) #5
  %207 = getelementptr inbounds nuw i8, ptr addrspace(3) %193, i32 10240
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %207, ptr addrspace(1) %184, i32 %194) #5
  %208 = getelementptr inbounds nuw i8, ptr addrspace(3) %193, i32 11264
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %208, ptr addrspace(1) %185, i32 %194) #5
  %209 = getelementptr inbounds nuw i8, ptr addrspace(3) %193, i32 12288
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %209, ptr addrspace(1) %186, i32 %194) #5
  %210 = getelementptr inbounds nuw i8, ptr addrspace(3) %193, i32 13312
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %210, ptr addrspace(1) %187, i32 %194) #5
  %211 = getelementptr inbounds nuw i8, ptr addrspace(3) %193, i32 14336
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %211, ptr addrspace(1) %188, i32 %194) #5
  %212 = getelementptr inbounds nuw i8, ptr addrspace(3) %193, i32 15360
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %212, ptr addrspace(1) %189, i32 %194) #5
  tail call void @llvm.nvvm.tcgen05.wait.st()
  tail call void @llvm.nvvm.cp.async.commit.group()
  %213 = getelementptr i8, ptr addrspace(1) %100, i64 %173
  %214 = getelementptr i8, ptr addrspace(1) %102, i64 %173
  %215 = getelementptr i8, ptr addrspace(1) %104, i64 %173
  %216 = getelementptr i8, ptr addrspace(1) %106, i64 %173
  %217 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %192
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) %217, ptr addrspace(1) %213, i32 %194) #5
  %218 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %195
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %218, ptr addrspace(1) %214, i32 %194) #5
  %219 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %197
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %219, ptr addrspace(1) %215, i32 %194) #5
  %220 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %199
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %220, ptr addrspace(1) %216, i32 %194) #5
  tail call void @llvm.nvvm.cp.async.commit.group()
  br i1 %172, label %.lr.ph, label %.._crit_edge_crit_edge

.._crit_edge_crit_edge:                           ; preds = %9
  %.pre = shl nuw nsw i32 %10, 2
  %.pre2 = shl nuw nsw i32 %10, 4
  %.pre4 = shl nuw nsw i32 %10, 6
  %.pre6 = shl nuw nsw i32 %10, 5
  br label %._crit_edge

.lr.ph:                                           ; preds = %9
  %221 = lshr i32 %6, 8
  %222 = add nsw i32 %221, -1
  %223 = shl nuw nsw i32 %10, 5
  %224 = and i32 %223, 96
  %225 = shl nuw nsw i32 %23, 4
  %226 = and i32 %10, 96
  %227 = shl nuw nsw i32 %10, 2
  %228 = and i32 %227, 16
  %229 = or disjoint i32 %224, %225
  %230 = xor i32 %229, %226
  %231 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %228
  %232 = getelementptr inbounds nuw i8, ptr addrspace(3) %231, i32 %230
  %233 = shl nuw nsw i32 %10, 8
  %234 = and i32 %233, 1536
  %235 = and i32 %10, 31
  %236 = shl nuw nsw i32 %235, 4
  %237 = or disjoint i32 %234, %236
  %238 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %237
  %239 = xor i32 %237, 32
  %240 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %239
  %241 = xor i32 %237, 64
  %242 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %241
  %243 = xor i32 %237, 96
  %244 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %243
  %245 = shl nuw nsw i32 %235, 2
  %246 = lshr exact i32 %226, 5
  %247 = or disjoint i32 %246, %245
  %248 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %247
  %249 = xor i32 %247, 132
  %250 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %249
  %251 = xor i32 %247, 264
  %252 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %251
  %253 = xor i32 %247, 396
  %254 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %253
  %255 = shl nuw nsw i32 %10, 4
  %256 = and i32 %255, 384
  %257 = lshr i32 %10, 1
  %258 = and i32 %257, 15
  %259 = shl nuw nsw i32 %10, 6
  %260 = and i32 %259, 64
  %261 = or disjoint i32 %256, %258
  %262 = or disjoint i32 %261, %260
  %263 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %262
  %264 = getelementptr inbounds nuw i8, ptr addrspace(3) %263, i32 16
  %265 = getelementptr inbounds nuw i8, ptr addrspace(3) %263, i32 32
  %266 = getelementptr inbounds nuw i8, ptr addrspace(3) %263, i32 48
  %267 = xor i32 %262, 4
  %268 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %267
  %269 = getelementptr inbounds nuw i8, ptr addrspace(3) %268, i32 16
  %270 = getelementptr inbounds nuw i8, ptr addrspace(3) %268, i32 32
  %271 = getelementptr inbounds nuw i8, ptr addrspace(3) %268, i32 48
  %272 = xor i32 %262, 8
  %273 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %272
  %274 = getelementptr inbounds nuw i8, ptr addrspace(3) %273, i32 16
  %275 = getelementptr inbounds nuw i8, ptr addrspace(3) %273, i32 32
  %276 = getelementptr inbounds nuw i8, ptr addrspace(3) %273, i32 48
  %277 = xor i32 %262, 12
  %278 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 %277
  %279 = getelementptr inbounds nuw i8, ptr addrspace(3) %278, i32 16
  %280 = getelementptr inbounds nuw i8, ptr addrspace(3) %278, i32 32
  %281 = getelementptr inbounds nuw i8, ptr addrspace(3) %278, i32 48
  %282 = add i32 %12, 32
  %283 = add i32 %170, %282
  %284 = add i32 %12, 48
  %285 = add i32 %170, %284
  %286 = icmp eq i32 %15, 0
  %287 = icmp eq i32 %168, 0
  %288 = add i32 %12, 36
  %289 = add i32 %12, 50
  %290 = add i32 %12, 40
  %291 = add i32 %12, 52
  %292 = add i32 %12, 44
  %293 = add i32 %12, 54
  %294 = zext nneg i32 %16 to i64
  %295 = zext nneg i32 %222 to i64
  %296 = zext nneg i32 %17 to i64
  %wide.trip.count = zext nneg i32 %221 to i64
  %297 = getelementptr inbounds nuw i8, ptr addrspace(3) %238, i32 4
  %298 = getelementptr inbounds nuw i8, ptr addrspace(3) %238, i32 8
  %299 = getelementptr inbounds nuw i8, ptr addrspace(3) %238, i32 12
  %300 = getelementptr inbounds nuw i8, ptr addrspace(3) %240, i32 4
  %301 = getelementptr inbounds nuw i8, ptr addrspace(3) %240, i32 8
  %302 = getelementptr inbounds nuw i8, ptr addrspace(3) %240, i32 12
  %303 = getelementptr inbounds nuw i8, ptr addrspace(3) %242, i32 4
  %304 = getelementptr inbounds nuw i8, ptr addrspace(3) %242, i32 8
  %305 = getelementptr inbounds nuw i8, ptr addrspace(3) %242, i32 12
  %306 = getelementptr inbounds nuw i8, ptr addrspace(3) %244, i32 4
  %307 = getelementptr inbounds nuw i8, ptr addrspace(3) %244, i32 8
  %308 = getelementptr inbounds nuw i8, ptr addrspace(3) %244, i32 12
  %309 = lshr exact i32 ptrtoint (ptr addrspace(3) @global_smem to i32), 4
  %310 = and i32 %309, 32767
  %311 = lshr exact i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384) to i32), 4
  %312 = and i32 %311, 32767
  %313 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %310, i64 0
  %314 = bitcast <2 x i32> %313 to i64
  %315 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %312, i64 0
  %316 = bitcast <2 x i32> %315 to i64
  %317 = add nuw nsw i32 %310, 2
  %318 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %317, i64 0
  %319 = bitcast <2 x i32> %318 to i64
  %320 = add nuw nsw i32 %312, 2
  %321 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %320, i64 0
  %322 = bitcast <2 x i32> %321 to i64
  %323 = add nuw nsw i32 %310, 4
  %324 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %323, i64 0
  %325 = bitcast <2 x i32> %324 to i64
  %326 = add nuw nsw i32 %312, 4
  %327 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %326, i64 0
  %328 = bitcast <2 x i32> %327 to i64
  %329 = add nuw nsw i32 %310, 6
  %330 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %329, i64 0
  %331 = bitcast <2 x i32> %330 to i64
  %332 = add nuw nsw i32 %312, 6
  %333 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %332, i64 0
  %334 = bitcast <2 x i32> %333 to i64
  br label %335

335:                                              ; preds = %.lr.ph, %526
  %indvars.iv = phi i64 [ 0, %.lr.ph ], [ %indvars.iv.next, %526 ]
  %336 = phi i1 [ false, %.lr.ph ], [ true, %526 ]
  %337 = icmp samesign ult i64 %indvars.iv, %295
  tail call void @llvm.nvvm.cp.async.wait.group(i32 0)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %338 = shl nuw nsw i64 %indvars.iv, 4
  %339 = or disjoint i64 %338, %294
  %340 = getelementptr i8, ptr addrspace(1) %125, i64 %339
  %341 = getelementptr i8, ptr addrspace(1) %127, i64 %339
  %342 = getelementptr i8, ptr addrspace(1) %129, i64 %339
  %343 = getelementptr i8, ptr addrspace(1) %131, i64 %339
  %344 = getelementptr i8, ptr addrspace(1) %133, i64 %339
  %345 = getelementptr i8, ptr addrspace(1) %135, i64 %339
  %346 = getelementptr i8, ptr addrspace(1) %137, i64 %339
  %347 = getelementptr i8, ptr addrspace(1) %139, i64 %339
  %348 = getelementptr i8, ptr addrspace(1) %141, i64 %339
  %349 = getelementptr i8, ptr addrspace(1) %143, i64 %339
  %350 = getelementptr i8, ptr addrspace(1) %145, i64 %339
  %351 = getelementptr i8, ptr addrspace(1) %147, i64 %339
  %352 = getelementptr i8, ptr addrspace(1) %149, i64 %339
  %353 = getelementptr i8, ptr addrspace(1) %151, i64 %339
  %354 = getelementptr i8, ptr addrspace(1) %153, i64 %339
  %355 = getelementptr i8, ptr addrspace(1) %155, i64 %339
  %356 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %340) #5
  %357 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %341) #5
  %358 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %342) #5
  %359 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %343) #5
  %360 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %344) #5
  %361 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %345) #5
  %362 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %346) #5
  %363 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %347) #5
  %364 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %348) #5
  %365 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %349) #5
  %366 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %350) #5
  %367 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %351) #5
  %368 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %352) #5
  %369 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %353) #5
  %370 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %354) #5
  %371 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %355) #5
  %372 = getelementptr i8, ptr addrspace(1) %161, i64 %339
  %373 = getelementptr i8, ptr addrspace(1) %163, i64 %339
  %374 = getelementptr i8, ptr addrspace(1) %165, i64 %339
  %375 = getelementptr i8, ptr addrspace(1) %167, i64 %339
  %376 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %372) #5
  %377 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %373) #5
  %378 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %374) #5
  %379 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %375) #5
  %380 = insertelement <4 x i8> poison, i8 %356, i64 0
  %381 = insertelement <4 x i8> %380, i8 %360, i64 1
  %382 = insertelement <4 x i8> %381, i8 %364, i64 2
  %383 = insertelement <4 x i8> %382, i8 %368, i64 3
  %384 = bitcast <4 x i8> %383 to i32
  %385 = insertelement <4 x i8> poison, i8 %357, i64 0
  %386 = insertelement <4 x i8> %385, i8 %361, i64 1
  %387 = insertelement <4 x i8> %386, i8 %365, i64 2
  %388 = insertelement <4 x i8> %387, i8 %369, i64 3
  %389 = bitcast <4 x i8> %388 to i32
  %390 = insertelement <4 x i8> poison, i8 %358, i64 0
  %391 = insertelement <4 x i8> %390, i8 %362, i64 1
  %392 = insertelement <4 x i8> %391, i8 %366, i64 2
  %393 = insertelement <4 x i8> %392, i8 %370, i64 3
  %394 = bitcast <4 x i8> %393 to i32
  %395 = insertelement <4 x i8> poison, i8 %359, i64 0
  %396 = insertelement <4 x i8> %395, i8 %363, i64 1
  %397 = insertelement <4 x i8> %396, i8 %367, i64 2
  %398 = insertelement <4 x i8> %397, i8 %371, i64 3
  %399 = bitcast <4 x i8> %398 to i32
  tail call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %232, i32 %384, i32 %389, i32 %394, i32 %399)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %400 = load <4 x i8>, ptr addrspace(3) %238, align 16
  %401 = load <4 x i8>, ptr addrspace(3) %297, align 4
  %402 = load <4 x i8>, ptr addrspace(3) %298, align 8
  %403 = load <4 x i8>, ptr addrspace(3) %299, align 4
  %404 = load <4 x i8>, ptr addrspace(3) %240, align 16
  %405 = load <4 x i8>, ptr addrspace(3) %300, align 4
  %406 = load <4 x i8>, ptr addrspace(3) %301, align 8
  %407 = load <4 x i8>, ptr addrspace(3) %302, align 4
  %408 = load <4 x i8>, ptr addrspace(3) %242, align 16
  %409 = load <4 x i8>, ptr addrspace(3) %303, align 4
  %410 = load <4 x i8>, ptr addrspace(3) %304, align 8
  %411 = load <4 x i8>, ptr addrspace(3) %305, align 4
  %412 = load <4 x i8>, ptr addrspace(3) %244, align 16
  %413 = load <4 x i8>, ptr addrspace(3) %306, align 4
  %414 = load <4 x i8>, ptr addrspace(3) %307, align 8
  %415 = load <4 x i8>, ptr addrspace(3) %308, align 4
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %416 = insertelement <1 x i8> poison, i8 %376, i64 0
  store <1 x i8> %416, ptr addrspace(3) %248, align 1
  %417 = insertelement <1 x i8> poison, i8 %377, i64 0
  store <1 x i8> %417, ptr addrspace(3) %250, align 1
  %418 = insertelement <1 x i8> poison, i8 %378, i64 0
  store <1 x i8> %418, ptr addrspace(3) %252, align 1
  %419 = insertelement <1 x i8> poison, i8 %379, i64 0
  store <1 x i8> %419, ptr addrspace(3) %254, align 1
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %420 = load i8, ptr addrspace(3) %263, align 1
  %421 = load i8, ptr addrspace(3) %264, align 1
  %422 = load i8, ptr addrspace(3) %265, align 1
  %423 = load i8, ptr addrspace(3) %266, align 1
  %424 = load i8, ptr addrspace(3) %268, align 1
  %425 = load i8, ptr addrspace(3) %269, align 1
  %426 = load i8, ptr addrspace(3) %270, align 1
  %427 = load i8, ptr addrspace(3) %271, align 1
  %428 = load i8, ptr addrspace(3) %273, align 1
  %429 = load i8, ptr addrspace(3) %274, align 1
  %430 = load i8, ptr addrspace(3) %275, align 1
  %431 = load i8, ptr addrspace(3) %276, align 1
  %432 = load i8, ptr addrspace(3) %278, align 1
  %433 = load i8, ptr addrspace(3) %279, align 1
  %434 = load i8, ptr addrspace(3) %280, align 1
  %435 = load i8, ptr addrspace(3) %281, align 1
  %436 = shufflevector <4 x i8> %400, <4 x i8> %401, <4 x i32> <i32 0, i32 4, i32 poison, i32 poison>
  %437 = shufflevector <4 x i8> %436, <4 x i8> %402, <4 x i32> <i32 0, i32 1, i32 4, i32 poison>
  %438 = shufflevector <4 x i8> %437, <4 x i8> %403, <4 x i32> <i32 0, i32 1, i32 2, i32 4>
  %439 = bitcast <4 x i8> %438 to i32
  %440 = shufflevector <4 x i8> %400, <4 x i8> %401, <4 x i32> <i32 1, i32 5, i32 poison, i32 poison>
  %441 = shufflevector <4 x i8> %440, <4 x i8> %402, <4 x i32> <i32 0, i32 1, i32 5, i32 poison>
  %442 = shufflevector <4 x i8> %441, <4 x i8> %403, <4 x i32> <i32 0, i32 1, i32 2, i32 5>
  %443 = bitcast <4 x i8> %442 to i32
  %444 = shufflevector <4 x i8> %400, <4 x i8> %401, <4 x i32> <i32 2, i32 6, i32 poison, i32 poison>
  %445 = shufflevector <4 x i8> %444, <4 x i8> %402, <4 x i32> <i32 0, i32 1, i32 6, i32 poison>
  %446 = shufflevector <4 x i8> %445, <4 x i8> %403, <4 x i32> <i32 0, i32 1, i32 2, i32 6>
  %447 = bitcast <4 x i8> %446 to i32
  %448 = shufflevector <4 x i8> %400, <4 x i8> %401, <4 x i32> <i32 3, i32 7, i32 poison, i32 poison>
  %449 = shufflevector <4 x i8> %448, <4 x i8> %402, <4 x i32> <i32 0, i32 1, i32 7, i32 poison>
  %450 = shufflevector <4 x i8> %449, <4 x i8> %403, <4 x i32> <i32 0, i32 1, i32 2, i32 7>
  %451 = bitcast <4 x i8> %450 to i32
  %452 = shufflevector <4 x i8> %404, <4 x i8> %405, <4 x i32> <i32 0, i32 4, i32 poison, i32 poison>
  %453 = shufflevector <4 x i8> %452, <4 x i8> %406, <4 x i32> <i32 0, i32 1, i32 4, i32 poison>
  %454 = shufflevector <4 x i8> %453, <4 x i8> %407, <4 x i32> <i32 0, i32 1, i32 2, i32 4>
  %455 = bitcast <4 x i8> %454 to i32
  %456 = shufflevector <4 x i8> %404, <4 x i8> %405, <4 x i32> <i32 1, i32 5, i32 poison, i32 poison>
  %457 = shufflevector <4 x i8> %456, <4 x i8> %406, <4 x i32> <i32 0, i32 1, i32 5, i32 poison>
  %458 = shufflevector <4 x i8> %457, <4 x i8> %407, <4 x i32> <i32 0, i32 1, i32 2, i32 5>
  %459 = bitcast <4 x i8> %458 to i32
  %460 = shufflevector <4 x i8> %404, <4 x i8> %405, <4 x i32> <i32 2, i32 6, i32 poison, i32 poison>
  %461 = shufflevector <4 x i8> %460, <4 x i8> %406, <4 x i32> <i32 0, i32 1, i32 6, i32 poison>
  %462 = shufflevector <4 x i8> %461, <4 x i8> %407, <4 x i32> <i32 0, i32 1, i32 2, i32 6>
  %463 = bitcast <4 x i8> %462 to i32
  %464 = shufflevector <4 x i8> %404, <4 x i8> %405, <4 x i32> <i32 3, i32 7, i32 poison, i32 poison>
  %465 = shufflevector <4 x i8> %464, <4 x i8> %406, <4 x i32> <i32 0, i32 1, i32 7, i32 poison>
  %466 = shufflevector <4 x i8> %465, <4 x i8> %407, <4 x i32> <i32 0, i32 1, i32 2, i32 7>
  %467 = bitcast <4 x i8> %466 to i32
  %468 = shufflevector <4 x i8> %408, <4 x i8> %409, <4 x i32> <i32 0, i32 4, i32 poison, i32 poison>
  %469 = shufflevector <4 x i8> %468, <4 x i8> %410, <4 x i32> <i32 0, i32 1, i32 4, i32 poison>
  %470 = shufflevector <4 x i8> %469, <4 x i8> %411, <4 x i32> <i32 0, i32 1, i32 2, i32 4>
  %471 = bitcast <4 x i8> %470 to i32
  %472 = shufflevector <4 x i8> %408, <4 x i8> %409, <4 x i32> <i32 1, i32 5, i32 poison, i32 poison>
  %473 = shufflevector <4 x i8> %472, <4 x i8> %410, <4 x i32> <i32 0, i32 1, i32 5, i32 poison>
  %474 = shufflevector <4 x i8> %473, <4 x i8> %411, <4 x i32> <i32 0, i32 1, i32 2, i32 5>
  %475 = bitcast <4 x i8> %474 to i32
  %476 = shufflevector <4 x i8> %408, <4 x i8> %409, <4 x i32> <i32 2, i32 6, i32 poison, i32 poison>
  %477 = shufflevector <4 x i8> %476, <4 x i8> %410, <4 x i32> <i32 0, i32 1, i32 6, i32 poison>
  %478 = shufflevector <4 x i8> %477, <4 x i8> %411, <4 x i32> <i32 0, i32 1, i32 2, i32 6>
  %479 = bitcast <4 x i8> %478 to i32
  %480 = shufflevector <4 x i8> %408, <4 x i8> %409, <4 x i32> <i32 3, i32 7, i32 poison, i32 poison>
  %481 = shufflevector <4 x i8> %480, <4 x i8> %410, <4 x i32> <i32 0, i32 1, i32 7, i32 poison>
  %482 = shufflevector <4 x i8> %481, <4 x i8> %411, <4 x i32> <i32 0, i32 1, i32 2, i32 7>
  %483 = bitcast <4 x i8> %482 to i32
  %484 = shufflevector <4 x i8> %412, <4 x i8> %413, <4 x i32> <i32 0, i32 4, i32 poison, i32 poison>
  %485 = shufflevector <4 x i8> %484, <4 x i8> %414, <4 x i32> <i32 0, i32 1, i32 4, i32 poison>
  %486 = shufflevector <4 x i8> %485, <4 x i8> %415, <4 x i32> <i32 0, i32 1, i32 2, i32 4>
  %487 = bitcast <4 x i8> %486 to i32
  %488 = shufflevector <4 x i8> %412, <4 x i8> %413, <4 x i32> <i32 1, i32 5, i32 poison, i32 poison>
  %489 = shufflevector <4 x i8> %488, <4 x i8> %414, <4 x i32> <i32 0, i32 1, i32 5, i32 poison>
  %490 = shufflevector <4 x i8> %489, <4 x i8> %415, <4 x i32> <i32 0, i32 1, i32 2, i32 5>
  %491 = bitcast <4 x i8> %490 to i32
  %492 = shufflevector <4 x i8> %412, <4 x i8> %413, <4 x i32> <i32 2, i32 6, i32 poison, i32 poison>
  %493 = shufflevector <4 x i8> %492, <4 x i8> %414, <4 x i32> <i32 0, i32 1, i32 6, i32 poison>
  %494 = shufflevector <4 x i8> %493, <4 x i8> %415, <4 x i32> <i32 0, i32 1, i32 2, i32 6>
  %495 = bitcast <4 x i8> %494 to i32
  %496 = shufflevector <4 x i8> %412, <4 x i8> %413, <4 x i32> <i32 3, i32 7, i32 poison, i32 poison>
  %497 = shufflevector <4 x i8> %496, <4 x i8> %414, <4 x i32> <i32 0, i32 1, i32 7, i32 poison>
  %498 = shufflevector <4 x i8> %497, <4 x i8> %415, <4 x i32> <i32 0, i32 1, i32 2, i32 7>
  %499 = bitcast <4 x i8> %498 to i32
  tail call void asm sideeffect "@$0 tcgen05.st.sync.aligned.32x32b.x16.b32 [$1 + 0], {$2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17};", "b,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r"(i1 true, i32 %283, i32 %439, i32 %443, i32 %447, i32 %451, i32 %455, i32 %459, i32 %463, i32 %467, i32 %471, i32 %475, i32 %479, i32 %483, i32 %487, i32 %491, i32 %495, i32 %499) #5
  %500 = insertelement <4 x i8> poison, i8 %420, i64 0
  %501 = insertelement <4 x i8> %500, i8 %424, i64 1
  %502 = insertelement <4 x i8> %501, i8 %428, i64 2
  %503 = insertelement <4 x i8> %502, i8 %432, i64 3
  %504 = bitcast <4 x i8> %503 to i32
  %505 = insertelement <4 x i8> poison, i8 %421, i64 0
  %506 = insertelement <4 x i8> %505, i8 %425, i64 1
  %507 = insertelement <4 x i8> %506, i8 %429, i64 2
  %508 = insertelement <4 x i8> %507, i8 %433, i64 3
  %509 = bitcast <4 x i8> %508 to i32
  %510 = insertelement <4 x i8> poison, i8 %422, i64 0
  %511 = insertelement <4 x i8> %510, i8 %426, i64 1
  %512 = insertelement <4 x i8> %511, i8 %430, i64 2
  %513 = insertelement <4 x i8> %512, i8 %434, i64 3
  %514 = bitcast <4 x i8> %513 to i32
  %515 = insertelement <4 x i8> poison, i8 %423, i64 0
  %516 = insertelement <4 x i8> %515, i8 %427, i64 1
  %517 = insertelement <4 x i8> %516, i8 %431, i64 2
  %518 = insertelement <4 x i8> %517, i8 %435, i64 3
  %519 = bitcast <4 x i8> %518 to i32
  tail call void asm sideeffect "@$0 tcgen05.st.sync.aligned.32x32b.x1.b32 [$1 + 0], {$2};", "b,r,r"(i1 true, i32 %285, i32 %504) #5
  tail call void asm sideeffect "@$0 tcgen05.st.sync.aligned.32x32b.x1.b32 [$1 + 2], {$2};", "b,r,r"(i1 true, i32 %285, i32 %509) #5
  tail call void asm sideeffect "@$0 tcgen05.st.sync.aligned.32x32b.x1.b32 [$1 + 4], {$2};", "b,r,r"(i1 true, i32 %285, i32 %514) #5
  tail call void asm sideeffect "@$0 tcgen05.st.sync.aligned.32x32b.x1.b32 [$1 + 6], {$2};", "b,r,r"(i1 true, i32 %285, i32 %519) #5
  tail call void @llvm.nvvm.tcgen05.wait.st()
  tail call void @llvm.nvvm.fence.proxy.async.shared_cta()
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %520 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %521 = extractvalue { i32, i1 } %520, 1
  %522 = and i1 %286, %521
  tail call void asm sideeffect "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r"(i1 %522, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480)) #5
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %287, label %523, label %526

523:                                              ; preds = %335
  %524 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %525 = extractvalue { i32, i1 } %524, 1
  tail call void asm sideeffect "@$7 tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block16 [ $0 + 0 ], $1, $2, $3, [ $4 + 0 ], [ $5 + 0 ], $6;", "r,l,l,r,r,r,b,b"(i32 %12, i64 %314, i64 %316, i32 134743168, i32 %282, i32 %284, i1 %336, i1 %525) #5
  tail call void asm sideeffect "@$7 tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block16 [ $0 + 0 ], $1, $2, $3, [ $4 + 0 ], [ $5 + 0 ], $6;", "r,l,l,r,r,r,b,b"(i32 %12, i64 %319, i64 %322, i32 134743168, i32 %288, i32 %289, i1 true, i1 %525) #5
  tail call void asm sideeffect "@$7 tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block16 [ $0 + 0 ], $1, $2, $3, [ $4 + 0 ], [ $5 + 0 ], $6;", "r,l,l,r,r,r,b,b"(i32 %12, i64 %325, i64 %328, i32 134743168, i32 %290, i32 %291, i1 true, i1 %525) #5
  tail call void asm sideeffect "@$7 tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block16 [ $0 + 0 ], $1, $2, $3, [ $4 + 0 ], [ $5 + 0 ], $6;", "r,l,l,r,r,r,b,b"(i32 %12, i64 %331, i64 %334, i32 134743168, i32 %292, i32 %293, i1 true, i1 %525) #5
  tail call void asm sideeffect "@$0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$1];", "b,r"(i1 %525, i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480) to i32)) #5
  br label %526

526:                                              ; preds = %523, %335
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  tail call void asm sideeffect "\0A{\0A\09.reg .pred complete;\0A\09waitLoop:\0A\09mbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;\0A\09@!complete bra.uni waitLoop;\0A}\0A", "r,r"(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480), i32 0) #5
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %527 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %528 = extractvalue { i32, i1 } %527, 1
  %529 = and i1 %286, %528
  tail call void asm sideeffect "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r"(i1 %529, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 20480)) #5
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %530 = shl nuw nsw i64 %indvars.iv.next, 7
  %531 = or disjoint i64 %530, %296
  %532 = getelementptr i8, ptr addrspace(1) %64, i64 %531
  %533 = getelementptr i8, ptr addrspace(1) %66, i64 %531
  %534 = getelementptr i8, ptr addrspace(1) %68, i64 %531
  %535 = getelementptr i8, ptr addrspace(1) %70, i64 %531
  %536 = getelementptr i8, ptr addrspace(1) %72, i64 %531
  %537 = getelementptr i8, ptr addrspace(1) %74, i64 %531
  %538 = getelementptr i8, ptr addrspace(1) %76, i64 %531
  %539 = getelementptr i8, ptr addrspace(1) %78, i64 %531
  %540 = getelementptr i8, ptr addrspace(1) %80, i64 %531
  %541 = getelementptr i8, ptr addrspace(1) %82, i64 %531
  %542 = getelementptr i8, ptr addrspace(1) %84, i64 %531
  %543 = getelementptr i8, ptr addrspace(1) %86, i64 %531
  %544 = getelementptr i8, ptr addrspace(1) %88, i64 %531
  %545 = getelementptr i8, ptr addrspace(1) %90, i64 %531
  %546 = getelementptr i8, ptr addrspace(1) %92, i64 %531
  %547 = getelementptr i8, ptr addrspace(1) %94, i64 %531
  %548 = select i1 %337, i32 8, i32 0
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) %193, ptr addrspace(1) %532, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %196, ptr addrspace(1) %533, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %198, ptr addrspace(1) %534, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %200, ptr addrspace(1) %535, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %201, ptr addrspace(1) %536, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %202, ptr addrspace(1) %537, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %203, ptr addrspace(1) %538, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %204, ptr addrspace(1) %539, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %205, ptr addrspace(1) %540, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %206, ptr addrspace(1) %541, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %207, ptr addrspace(1) %542, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %208, ptr addrspace(1) %543, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %209, ptr addrspace(1) %544, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %210, ptr addrspace(1) %545, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %211, ptr addrspace(1) %546, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %212, ptr addrspace(1) %547, i32 %548) #5
  tail call void @llvm.nvvm.cp.async.commit.group()
  %549 = getelementptr i8, ptr addrspace(1) %100, i64 %531
  %550 = getelementptr i8, ptr addrspace(1) %102, i64 %531
  %551 = getelementptr i8, ptr addrspace(1) %104, i64 %531
  %552 = getelementptr i8, ptr addrspace(1) %106, i64 %531
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) %217, ptr addrspace(1) %549, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %218, ptr addrspace(1) %550, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %219, ptr addrspace(1) %551, i32 %548) #5
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %220, ptr addrspace(1) %552, i32 %548) #5
  tail call void @llvm.nvvm.cp.async.commit.group()
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %._crit_edge, label %335

._crit_edge:                                      ; preds = %526, %.._crit_edge_crit_edge
  %.pre-phi7 = phi i32 [ %.pre6, %.._crit_edge_crit_edge ], [ %223, %526 ]
  %.pre-phi5 = phi i32 [ %.pre4, %.._crit_edge_crit_edge ], [ %259, %526 ]
  %.pre-phi3 = phi i32 [ %.pre2, %.._crit_edge_crit_edge ], [ %255, %526 ]
  %.pre-phi = phi i32 [ %.pre, %.._crit_edge_crit_edge ], [ %227, %526 ]
  %553 = and i32 %.pre-phi, 28
  %554 = or disjoint i32 %553, %41
  %555 = lshr exact i32 %23, 3
  %556 = or disjoint i32 %555, %14
  %557 = or disjoint i32 %556, 112
  %558 = or disjoint i32 %556, 96
  %559 = or disjoint i32 %556, 80
  %560 = or disjoint i32 %556, 64
  %561 = or disjoint i32 %556, 48
  %562 = or disjoint i32 %556, 32
  %563 = or disjoint i32 %556, 16
  %564 = inttoptr i32 %12 to ptr addrspace(6)
  tail call void @llvm.nvvm.cp.async.wait.group(i32 0)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %565 = mul i32 %5, %556
  %566 = mul i32 %5, %563
  %567 = mul i32 %5, %562
  %568 = mul i32 %5, %561
  %569 = mul i32 %5, %560
  %570 = mul i32 %5, %559
  %571 = mul i32 %5, %558
  %572 = mul i32 %5, %557
  %573 = sext i32 %565 to i64
  %574 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %573
  %575 = sext i32 %566 to i64
  %576 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %575
  %577 = sext i32 %567 to i64
  %578 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %577
  %579 = sext i32 %568 to i64
  %580 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %579
  %581 = sext i32 %569 to i64
  %582 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %581
  %583 = sext i32 %570 to i64
  %584 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %583
  %585 = sext i32 %571 to i64
  %586 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %585
  %587 = sext i32 %572 to i64
  %588 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %587
  %589 = zext nneg i32 %554 to i64
  %590 = getelementptr [4 x i8], ptr addrspace(1) %574, i64 %589
  %591 = getelementptr [4 x i8], ptr addrspace(1) %576, i64 %589
  %592 = getelementptr [4 x i8], ptr addrspace(1) %578, i64 %589
  %593 = getelementptr [4 x i8], ptr addrspace(1) %580, i64 %589
  %594 = getelementptr [4 x i8], ptr addrspace(1) %582, i64 %589
  %595 = getelementptr [4 x i8], ptr addrspace(1) %584, i64 %589
  %596 = getelementptr [4 x i8], ptr addrspace(1) %586, i64 %589
  %597 = getelementptr [4 x i8], ptr addrspace(1) %588, i64 %589
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %598 = tail call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "tcgen05.ld.sync.aligned.32x32b.x32.b32 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, [$32 + 0];", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,r"(i32 %171) #5
  %599 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 0
  %600 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 1
  %601 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 2
  %602 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 3
  %603 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 4
  %604 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 5
  %605 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 6
  %606 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 7
  %607 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 8
  %608 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 9
  %609 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 10
  %610 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 11
  %611 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 12
  %612 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 13
  %613 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 14
  %614 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 15
  %615 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 16
  %616 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 17
  %617 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 18
  %618 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 19
  %619 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 20
  %620 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 21
  %621 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 22
  %622 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 23
  %623 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 24
  %624 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 25
  %625 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 26
  %626 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 27
  %627 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 28
  %628 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 29
  %629 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 30
  %630 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %598, 31
  tail call void @llvm.nvvm.tcgen05.wait.ld()
  %631 = and i32 %.pre-phi3, 1968
  %632 = and i32 %10, 4
  %633 = icmp eq i32 %632, 0
  %634 = select i1 %633, i32 0, i32 2112
  %635 = or disjoint i32 %634, %631
  %636 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %635
  %637 = insertelement <4 x i32> poison, i32 %599, i64 0
  %638 = insertelement <4 x i32> %637, i32 %603, i64 1
  %639 = insertelement <4 x i32> %638, i32 %607, i64 2
  %640 = insertelement <4 x i32> %639, i32 %611, i64 3
  store <4 x i32> %640, ptr addrspace(3) %636, align 16
  %641 = xor i32 %635, 64
  %642 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %641
  %643 = insertelement <4 x i32> poison, i32 %615, i64 0
  %644 = insertelement <4 x i32> %643, i32 %619, i64 1
  %645 = insertelement <4 x i32> %644, i32 %623, i64 2
  %646 = insertelement <4 x i32> %645, i32 %627, i64 3
  store <4 x i32> %646, ptr addrspace(3) %642, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %647 = and i32 %.pre-phi5, 2112
  %648 = and i32 %.pre-phi7, 768
  %649 = and i32 %190, 48
  %650 = shl nuw nsw i32 %10, 1
  %651 = and i32 %650, 192
  %652 = or disjoint i32 %647, %648
  %653 = or disjoint i32 %649, %651
  %654 = xor i32 %652, %653
  %655 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %654
  %656 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %655)
  %657 = extractvalue { i32, i32, i32, i32 } %656, 0
  %658 = extractvalue { i32, i32, i32, i32 } %656, 1
  %659 = extractvalue { i32, i32, i32, i32 } %656, 2
  %660 = extractvalue { i32, i32, i32, i32 } %656, 3
  %661 = getelementptr inbounds nuw i8, ptr addrspace(3) %655, i32 1024
  %662 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %661)
  %663 = extractvalue { i32, i32, i32, i32 } %662, 0
  %664 = extractvalue { i32, i32, i32, i32 } %662, 1
  %665 = extractvalue { i32, i32, i32, i32 } %662, 2
  %666 = extractvalue { i32, i32, i32, i32 } %662, 3
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %667 = insertelement <4 x i32> poison, i32 %600, i64 0
  %668 = insertelement <4 x i32> %667, i32 %604, i64 1
  %669 = insertelement <4 x i32> %668, i32 %608, i64 2
  %670 = insertelement <4 x i32> %669, i32 %612, i64 3
  store <4 x i32> %670, ptr addrspace(3) %636, align 16
  %671 = insertelement <4 x i32> poison, i32 %616, i64 0
  %672 = insertelement <4 x i32> %671, i32 %620, i64 1
  %673 = insertelement <4 x i32> %672, i32 %624, i64 2
  %674 = insertelement <4 x i32> %673, i32 %628, i64 3
  store <4 x i32> %674, ptr addrspace(3) %642, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %675 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %655)
  %676 = extractvalue { i32, i32, i32, i32 } %675, 0
  %677 = extractvalue { i32, i32, i32, i32 } %675, 1
  %678 = extractvalue { i32, i32, i32, i32 } %675, 2
  %679 = extractvalue { i32, i32, i32, i32 } %675, 3
  %680 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %661)
  %681 = extractvalue { i32, i32, i32, i32 } %680, 0
  %682 = extractvalue { i32, i32, i32, i32 } %680, 1
  %683 = extractvalue { i32, i32, i32, i32 } %680, 2
  %684 = extractvalue { i32, i32, i32, i32 } %680, 3
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %685 = insertelement <4 x i32> poison, i32 %601, i64 0
  %686 = insertelement <4 x i32> %685, i32 %605, i64 1
  %687 = insertelement <4 x i32> %686, i32 %609, i64 2
  %688 = insertelement <4 x i32> %687, i32 %613, i64 3
  store <4 x i32> %688, ptr addrspace(3) %636, align 16
  %689 = insertelement <4 x i32> poison, i32 %617, i64 0
  %690 = insertelement <4 x i32> %689, i32 %621, i64 1
  %691 = insertelement <4 x i32> %690, i32 %625, i64 2
  %692 = insertelement <4 x i32> %691, i32 %629, i64 3
  store <4 x i32> %692, ptr addrspace(3) %642, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %693 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %655)
  %694 = extractvalue { i32, i32, i32, i32 } %693, 0
  %695 = extractvalue { i32, i32, i32, i32 } %693, 1
  %696 = extractvalue { i32, i32, i32, i32 } %693, 2
  %697 = extractvalue { i32, i32, i32, i32 } %693, 3
  %698 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %661)
  %699 = extractvalue { i32, i32, i32, i32 } %698, 0
  %700 = extractvalue { i32, i32, i32, i32 } %698, 1
  %701 = extractvalue { i32, i32, i32, i32 } %698, 2
  %702 = extractvalue { i32, i32, i32, i32 } %698, 3
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %703 = insertelement <4 x i32> poison, i32 %602, i64 0
  %704 = insertelement <4 x i32> %703, i32 %606, i64 1
  %705 = insertelement <4 x i32> %704, i32 %610, i64 2
  %706 = insertelement <4 x i32> %705, i32 %614, i64 3
  store <4 x i32> %706, ptr addrspace(3) %636, align 16
  %707 = insertelement <4 x i32> poison, i32 %618, i64 0
  %708 = insertelement <4 x i32> %707, i32 %622, i64 1
  %709 = insertelement <4 x i32> %708, i32 %626, i64 2
  %710 = insertelement <4 x i32> %709, i32 %630, i64 3
  store <4 x i32> %710, ptr addrspace(3) %642, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %711 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %655)
  %712 = extractvalue { i32, i32, i32, i32 } %711, 0
  %713 = extractvalue { i32, i32, i32, i32 } %711, 1
  %714 = extractvalue { i32, i32, i32, i32 } %711, 2
  %715 = extractvalue { i32, i32, i32, i32 } %711, 3
  %716 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %661)
  %717 = extractvalue { i32, i32, i32, i32 } %716, 0
  %718 = extractvalue { i32, i32, i32, i32 } %716, 1
  %719 = extractvalue { i32, i32, i32, i32 } %716, 2
  %720 = extractvalue { i32, i32, i32, i32 } %716, 3
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %657, i32 %676, i32 %694, i32 %712, ptr addrspace(1) %590) #5
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %658, i32 %677, i32 %695, i32 %713, ptr addrspace(1) %591) #5
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %659, i32 %678, i32 %696, i32 %714, ptr addrspace(1) %592) #5
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %660, i32 %679, i32 %697, i32 %715, ptr addrspace(1) %593) #5
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %663, i32 %681, i32 %699, i32 %717, ptr addrspace(1) %594) #5
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %664, i32 %682, i32 %700, i32 %718, ptr addrspace(1) %595) #5
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %665, i32 %683, i32 %701, i32 %719, ptr addrspace(1) %596) #5
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %666, i32 %684, i32 %702, i32 %720, ptr addrspace(1) %597) #5
  tail call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  tail call void asm sideeffect "@$0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 $1, 64;", "b,r"(i1 %11, ptr addrspace(6) %564) #5
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
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) writeonly captures(none), i32, i32, i32, i32) #7

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
