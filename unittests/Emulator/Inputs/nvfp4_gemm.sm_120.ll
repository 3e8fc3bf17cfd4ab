; Made by make_witnesses.py for sm_120; shared memory 8704
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

@global_smem = external addrspace(3) global [0 x i8], align 16

; Function Attrs: nounwind
define ptx_kernel void @scaled_gemm(ptr addrspace(1) %0, ptr addrspace(1) %1, ptr addrspace(1) %2, ptr addrspace(1) %3, ptr addrspace(1) %4, i32 %5, i32 %6, ptr addrspace(1) nofree readnone captures(none) %7, ptr addrspace(1) nofree readnone captures(none) %8) local_unnamed_addr #0 {
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %11 = shl i32 %10, 6
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %13 = and i32 %12, 7
  %14 = shl nuw nsw i32 %13, 3
  %15 = and i32 %12, 120
  %16 = lshr exact i32 %15, 3
  %17 = or disjoint i32 %16, 16
  %18 = or disjoint i32 %16, 32
  %19 = or disjoint i32 %16, 48
  %20 = and i32 %12, 15
  %21 = or disjoint i32 %16, %11
  %22 = or disjoint i32 %17, %11
  %23 = or disjoint i32 %18, %11
  %24 = or disjoint i32 %19, %11
  %25 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %26 = shl nuw nsw i32 %25, 6
  %27 = or disjoint i32 %16, %26
  %28 = or disjoint i32 %17, %26
  %29 = or disjoint i32 %18, %26
  %30 = or disjoint i32 %19, %26
  %31 = sdiv i32 %6, 2
  %32 = mul i32 %31, %21
  %33 = mul i32 %31, %22
  %34 = mul i32 %31, %23
  %35 = mul i32 %31, %24
  %36 = sext i32 %32 to i64
  %37 = getelementptr i8, ptr addrspace(1) %0, i64 %36
  %38 = sext i32 %33 to i64
  %39 = getelementptr i8, ptr addrspace(1) %0, i64 %38
  %40 = sext i32 %34 to i64
  %41 = getelementptr i8, ptr addrspace(1) %0, i64 %40
  %42 = sext i32 %35 to i64
  %43 = getelementptr i8, ptr addrspace(1) %0, i64 %42
  %44 = mul i32 %31, %27
  %45 = mul i32 %31, %28
  %46 = mul i32 %31, %29
  %47 = mul i32 %31, %30
  %48 = sext i32 %44 to i64
  %49 = getelementptr i8, ptr addrspace(1) %2, i64 %48
  %50 = sext i32 %45 to i64
  %51 = getelementptr i8, ptr addrspace(1) %2, i64 %50
  %52 = sext i32 %46 to i64
  %53 = getelementptr i8, ptr addrspace(1) %2, i64 %52
  %54 = sext i32 %47 to i64
  %55 = getelementptr i8, ptr addrspace(1) %2, i64 %54
  %56 = sdiv i32 %6, 16
  %57 = mul i32 %56, %21
  %58 = mul i32 %56, %22
  %59 = mul i32 %56, %23
  %60 = mul i32 %56, %24
  %61 = sext i32 %57 to i64
  %62 = getelementptr i8, ptr addrspace(1) %1, i64 %61
  %63 = sext i32 %58 to i64
  %64 = getelementptr i8, ptr addrspace(1) %1, i64 %63
  %65 = sext i32 %59 to i64
  %66 = getelementptr i8, ptr addrspace(1) %1, i64 %65
  %67 = sext i32 %60 to i64
  %68 = getelementptr i8, ptr addrspace(1) %1, i64 %67
  %69 = mul i32 %56, %27
  %70 = mul i32 %56, %28
  %71 = mul i32 %56, %29
  %72 = mul i32 %56, %30
  %73 = sext i32 %69 to i64
  %74 = getelementptr i8, ptr addrspace(1) %3, i64 %73
  %75 = sext i32 %70 to i64
  %76 = getelementptr i8, ptr addrspace(1) %3, i64 %75
  %77 = sext i32 %71 to i64
  %78 = getelementptr i8, ptr addrspace(1) %3, i64 %77
  %79 = sext i32 %72 to i64
  %80 = getelementptr i8, ptr addrspace(1) %3, i64 %79
  %81 = icmp sgt i32 %6, 127
  %82 = zext nneg i32 %14 to i64
  %83 = getelementptr i8, ptr addrspace(1) %37, i64 %82
  %84 = getelementptr i8, ptr addrspace(1) %39, i64 %82
  %85 = getelementptr i8, ptr addrspace(1) %41, i64 %82
  %86 = getelementptr i8, ptr addrspace(1) %43, i64 %82
  %87 = shl nuw nsw i32 %12, 3
  %88 = and i32 %87, 1016
  %89 = and i32 %12, 48
  %90 = xor i32 %88, %89
  %91 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %90
  %92 = select i1 %81, i32 8, i32 0
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) %91, ptr addrspace(1) %83, i32 %92) #2
  %93 = or disjoint i32 %90, 1024
  %94 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %93
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %94, ptr addrspace(1) %84, i32 %92) #2
  %95 = or disjoint i32 %90, 2048
  %96 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %95
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %96, ptr addrspace(1) %85, i32 %92) #2
  %97 = or disjoint i32 %90, 3072
  %98 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %97
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %98, ptr addrspace(1) %86, i32 %92) #2
  tail call void @llvm.nvvm.cp.async.commit.group()
  %99 = getelementptr i8, ptr addrspace(1) %49, i64 %82
  %100 = getelementptr i8, ptr addrspace(1) %51, i64 %82
  %101 = getelementptr i8, ptr addrspace(1) %53, i64 %82
  %102 = getelementptr i8, ptr addrspace(1) %55, i64 %82
  %103 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %90
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) %103, ptr addrspace(1) %99, i32 %92) #2
  %104 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %93
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %104, ptr addrspace(1) %100, i32 %92) #2
  %105 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %95
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %105, ptr addrspace(1) %101, i32 %92) #2
  %106 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %97
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %106, ptr addrspace(1) %102, i32 %92) #2
  tail call void @llvm.nvvm.cp.async.commit.group()
  br i1 %81, label %.lr.ph, label %.._crit_edge_crit_edge

.._crit_edge_crit_edge:                           ; preds = %9
  %.pre = shl nuw nsw i32 %12, 4
  %.pre67 = and i32 %12, 1
  %.pre69 = shl nuw nsw i32 %13, 4
  %.pre71 = shl nuw nsw i32 %12, 2
  %.pre73 = and i32 %.pre71, 384
  %.pre75 = and i32 %12, 16
  %.pre77 = or disjoint i32 %.pre69, %.pre73
  br label %._crit_edge

.lr.ph:                                           ; preds = %9
  %107 = lshr i32 %6, 7
  %108 = add nsw i32 %107, -1
  %109 = shl nuw nsw i32 %20, 6
  %110 = and i32 %87, 48
  %111 = and i32 %12, 16
  %112 = and i32 %12, 64
  %113 = shl nuw nsw i32 %112, 4
  %114 = or disjoint i32 %109, %110
  %115 = xor i32 %114, %111
  %116 = or disjoint i32 %115, %113
  %117 = xor i32 %116, 32
  %118 = shl nuw nsw i32 %13, 6
  %119 = shl nuw nsw i32 %12, 1
  %120 = and i32 %119, 48
  %121 = shl nuw nsw i32 %12, 4
  %122 = and i32 %121, 512
  %123 = or disjoint i32 %118, %110
  %124 = xor i32 %123, %120
  %invariant.gep = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %122
  %invariant.gep64 = getelementptr i8, ptr addrspace(3) %invariant.gep, i32 %124
  %125 = shl nuw nsw i32 %13, 4
  %126 = shl nuw nsw i32 %12, 2
  %127 = and i32 %126, 384
  %128 = lshr exact i32 %15, 1
  %129 = or disjoint i32 %125, %127
  %130 = xor i32 %129, %128
  %131 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %130
  %132 = and i32 %12, 12
  %133 = and i32 %12, 1
  %134 = icmp eq i32 %133, 0
  %135 = select i1 %134, i32 0, i32 288
  %136 = icmp eq i32 %111, 0
  %137 = select i1 %136, i32 0, i32 144
  %138 = lshr exact i32 %112, 5
  %139 = or disjoint i32 %138, %137
  %140 = or disjoint i32 %139, %135
  %141 = or disjoint i32 %140, %132
  %142 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %141
  %143 = getelementptr inbounds nuw i8, ptr addrspace(3) %142, i32 64
  %144 = xor i32 %141, 16
  %145 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %144
  %146 = getelementptr inbounds nuw i8, ptr addrspace(3) %145, i32 64
  %147 = xor i32 %141, 32
  %148 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %147
  %149 = getelementptr inbounds nuw i8, ptr addrspace(3) %148, i32 64
  %150 = xor i32 %141, 48
  %151 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %150
  %152 = getelementptr inbounds nuw i8, ptr addrspace(3) %151, i32 64
  %153 = lshr i32 %12, 2
  %154 = or i32 %153, %12
  %155 = shl nuw nsw i32 %154, 4
  %156 = and i32 %155, 384
  %157 = shl nuw nsw i32 %12, 6
  %158 = and i32 %157, 64
  %159 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %156
  %160 = getelementptr inbounds nuw i8, ptr addrspace(3) %159, i32 %158
  %161 = getelementptr inbounds nuw i8, ptr addrspace(3) %160, i32 %110
  %162 = shl nuw nsw i32 %89, 3
  %163 = shl nuw nsw i32 %132, 2
  %164 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %162
  %165 = getelementptr inbounds nuw i8, ptr addrspace(3) %164, i32 %163
  %166 = getelementptr inbounds nuw i8, ptr addrspace(3) %165, i32 64
  %167 = zext nneg i32 %13 to i64
  %168 = zext nneg i32 %108 to i64
  %169 = zext nneg i32 %14 to i64
  %wide.trip.count = zext nneg i32 %107 to i64
  %170 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %116
  %171 = getelementptr inbounds nuw i8, ptr addrspace(3) %170, i32 2048
  %172 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %117
  %173 = getelementptr inbounds nuw i8, ptr addrspace(3) %172, i32 2048
  %174 = getelementptr inbounds nuw i8, ptr addrspace(3) %invariant.gep64, i32 1024
  %175 = getelementptr inbounds nuw i8, ptr addrspace(3) %invariant.gep64, i32 2048
  %176 = getelementptr inbounds nuw i8, ptr addrspace(3) %invariant.gep64, i32 3072
  %177 = getelementptr inbounds nuw i8, ptr addrspace(3) %142, i32 1
  %178 = getelementptr inbounds nuw i8, ptr addrspace(3) %142, i32 65
  %179 = getelementptr inbounds nuw i8, ptr addrspace(3) %145, i32 1
  %180 = getelementptr inbounds nuw i8, ptr addrspace(3) %145, i32 65
  %181 = getelementptr inbounds nuw i8, ptr addrspace(3) %148, i32 1
  %182 = getelementptr inbounds nuw i8, ptr addrspace(3) %148, i32 65
  %183 = getelementptr inbounds nuw i8, ptr addrspace(3) %151, i32 1
  %184 = getelementptr inbounds nuw i8, ptr addrspace(3) %151, i32 65
  %185 = getelementptr inbounds nuw i8, ptr addrspace(3) %165, i32 4
  %186 = getelementptr inbounds nuw i8, ptr addrspace(3) %165, i32 8
  %187 = getelementptr inbounds nuw i8, ptr addrspace(3) %165, i32 12
  %188 = getelementptr inbounds nuw i8, ptr addrspace(3) %165, i32 68
  %189 = getelementptr inbounds nuw i8, ptr addrspace(3) %165, i32 72
  %190 = getelementptr inbounds nuw i8, ptr addrspace(3) %165, i32 76
  %191 = getelementptr inbounds nuw i8, ptr addrspace(3) %165, i32 9
  %192 = getelementptr inbounds nuw i8, ptr addrspace(3) %165, i32 10
  %193 = getelementptr inbounds nuw i8, ptr addrspace(3) %165, i32 11
  %194 = getelementptr inbounds nuw i8, ptr addrspace(3) %165, i32 73
  %195 = getelementptr inbounds nuw i8, ptr addrspace(3) %165, i32 74
  %196 = getelementptr inbounds nuw i8, ptr addrspace(3) %165, i32 75
  br label %197

197:                                              ; preds = %.lr.ph, %197
  %indvars.iv = phi i64 [ 0, %.lr.ph ], [ %indvars.iv.next, %197 ]
  %198 = phi float [ 0.000000e+00, %.lr.ph ], [ %404, %197 ]
  %199 = phi float [ 0.000000e+00, %.lr.ph ], [ %405, %197 ]
  %200 = phi float [ 0.000000e+00, %.lr.ph ], [ %406, %197 ]
  %201 = phi float [ 0.000000e+00, %.lr.ph ], [ %407, %197 ]
  %202 = phi float [ 0.000000e+00, %.lr.ph ], [ %413, %197 ]
  %203 = phi float [ 0.000000e+00, %.lr.ph ], [ %414, %197 ]
  %204 = phi float [ 0.000000e+00, %.lr.ph ], [ %415, %197 ]
  %205 = phi float [ 0.000000e+00, %.lr.ph ], [ %416, %197 ]
  %206 = phi float [ 0.000000e+00, %.lr.ph ], [ %422, %197 ]
  %207 = phi float [ 0.000000e+00, %.lr.ph ], [ %423, %197 ]
  %208 = phi float [ 0.000000e+00, %.lr.ph ], [ %424, %197 ]
  %209 = phi float [ 0.000000e+00, %.lr.ph ], [ %425, %197 ]
  %210 = phi float [ 0.000000e+00, %.lr.ph ], [ %431, %197 ]
  %211 = phi float [ 0.000000e+00, %.lr.ph ], [ %432, %197 ]
  %212 = phi float [ 0.000000e+00, %.lr.ph ], [ %433, %197 ]
  %213 = phi float [ 0.000000e+00, %.lr.ph ], [ %434, %197 ]
  %214 = phi float [ 0.000000e+00, %.lr.ph ], [ %441, %197 ]
  %215 = phi float [ 0.000000e+00, %.lr.ph ], [ %442, %197 ]
  %216 = phi float [ 0.000000e+00, %.lr.ph ], [ %443, %197 ]
  %217 = phi float [ 0.000000e+00, %.lr.ph ], [ %444, %197 ]
  %218 = phi float [ 0.000000e+00, %.lr.ph ], [ %446, %197 ]
  %219 = phi float [ 0.000000e+00, %.lr.ph ], [ %447, %197 ]
  %220 = phi float [ 0.000000e+00, %.lr.ph ], [ %448, %197 ]
  %221 = phi float [ 0.000000e+00, %.lr.ph ], [ %449, %197 ]
  %222 = phi float [ 0.000000e+00, %.lr.ph ], [ %451, %197 ]
  %223 = phi float [ 0.000000e+00, %.lr.ph ], [ %452, %197 ]
  %224 = phi float [ 0.000000e+00, %.lr.ph ], [ %453, %197 ]
  %225 = phi float [ 0.000000e+00, %.lr.ph ], [ %454, %197 ]
  %226 = phi float [ 0.000000e+00, %.lr.ph ], [ %456, %197 ]
  %227 = phi float [ 0.000000e+00, %.lr.ph ], [ %457, %197 ]
  %228 = phi float [ 0.000000e+00, %.lr.ph ], [ %458, %197 ]
  %229 = phi float [ 0.000000e+00, %.lr.ph ], [ %459, %197 ]
  %230 = icmp samesign ult i64 %indvars.iv, %168
  tail call void @llvm.nvvm.cp.async.wait.group(i32 0)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %231 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %170)
  %232 = extractvalue { i32, i32, i32, i32 } %231, 0
  %233 = extractvalue { i32, i32, i32, i32 } %231, 1
  %234 = extractvalue { i32, i32, i32, i32 } %231, 2
  %235 = extractvalue { i32, i32, i32, i32 } %231, 3
  %236 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %171)
  %237 = extractvalue { i32, i32, i32, i32 } %236, 0
  %238 = extractvalue { i32, i32, i32, i32 } %236, 1
  %239 = extractvalue { i32, i32, i32, i32 } %236, 2
  %240 = extractvalue { i32, i32, i32, i32 } %236, 3
  %241 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %172)
  %242 = extractvalue { i32, i32, i32, i32 } %241, 0
  %243 = extractvalue { i32, i32, i32, i32 } %241, 1
  %244 = extractvalue { i32, i32, i32, i32 } %241, 2
  %245 = extractvalue { i32, i32, i32, i32 } %241, 3
  %246 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %173)
  %247 = extractvalue { i32, i32, i32, i32 } %246, 0
  %248 = extractvalue { i32, i32, i32, i32 } %246, 1
  %249 = extractvalue { i32, i32, i32, i32 } %246, 2
  %250 = extractvalue { i32, i32, i32, i32 } %246, 3
  %251 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %invariant.gep64)
  %252 = extractvalue { i32, i32, i32, i32 } %251, 0
  %253 = extractvalue { i32, i32, i32, i32 } %251, 1
  %254 = extractvalue { i32, i32, i32, i32 } %251, 2
  %255 = extractvalue { i32, i32, i32, i32 } %251, 3
  %256 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %174)
  %257 = extractvalue { i32, i32, i32, i32 } %256, 0
  %258 = extractvalue { i32, i32, i32, i32 } %256, 1
  %259 = extractvalue { i32, i32, i32, i32 } %256, 2
  %260 = extractvalue { i32, i32, i32, i32 } %256, 3
  %261 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %175)
  %262 = extractvalue { i32, i32, i32, i32 } %261, 0
  %263 = extractvalue { i32, i32, i32, i32 } %261, 1
  %264 = extractvalue { i32, i32, i32, i32 } %261, 2
  %265 = extractvalue { i32, i32, i32, i32 } %261, 3
  %266 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %176)
  %267 = extractvalue { i32, i32, i32, i32 } %266, 0
  %268 = extractvalue { i32, i32, i32, i32 } %266, 1
  %269 = extractvalue { i32, i32, i32, i32 } %266, 2
  %270 = extractvalue { i32, i32, i32, i32 } %266, 3
  %271 = shl nuw nsw i64 %indvars.iv, 3
  %272 = or disjoint i64 %271, %167
  %273 = getelementptr i8, ptr addrspace(1) %62, i64 %272
  %274 = getelementptr i8, ptr addrspace(1) %64, i64 %272
  %275 = getelementptr i8, ptr addrspace(1) %66, i64 %272
  %276 = getelementptr i8, ptr addrspace(1) %68, i64 %272
  %277 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %273) #2
  %278 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %274) #2
  %279 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %275) #2
  %280 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %276) #2
  %281 = getelementptr i8, ptr addrspace(1) %74, i64 %272
  %282 = getelementptr i8, ptr addrspace(1) %76, i64 %272
  %283 = getelementptr i8, ptr addrspace(1) %78, i64 %272
  %284 = getelementptr i8, ptr addrspace(1) %80, i64 %272
  %285 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %281) #2
  %286 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %282) #2
  %287 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %283) #2
  %288 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %284) #2
  %289 = insertelement <4 x i8> poison, i8 %277, i64 0
  %290 = insertelement <4 x i8> %289, i8 %279, i64 1
  %291 = insertelement <4 x i8> %290, i8 %278, i64 2
  %292 = insertelement <4 x i8> %291, i8 %280, i64 3
  store <4 x i8> %292, ptr addrspace(3) %131, align 4
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %293 = load i8, ptr addrspace(3) %142, align 2
  %294 = load i8, ptr addrspace(3) %177, align 1
  %295 = load i8, ptr addrspace(3) %143, align 2
  %296 = load i8, ptr addrspace(3) %178, align 1
  %297 = load i8, ptr addrspace(3) %145, align 2
  %298 = load i8, ptr addrspace(3) %179, align 1
  %299 = load i8, ptr addrspace(3) %146, align 2
  %300 = load i8, ptr addrspace(3) %180, align 1
  %301 = load i8, ptr addrspace(3) %148, align 2
  %302 = load i8, ptr addrspace(3) %181, align 1
  %303 = load i8, ptr addrspace(3) %149, align 2
  %304 = load i8, ptr addrspace(3) %182, align 1
  %305 = load i8, ptr addrspace(3) %151, align 2
  %306 = load i8, ptr addrspace(3) %183, align 1
  %307 = load i8, ptr addrspace(3) %152, align 2
  %308 = load i8, ptr addrspace(3) %184, align 1
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %309 = insertelement <4 x i8> poison, i8 %285, i64 0
  %310 = insertelement <4 x i8> %309, i8 %286, i64 1
  %311 = insertelement <4 x i8> %310, i8 %287, i64 2
  %312 = insertelement <4 x i8> %311, i8 %288, i64 3
  %313 = bitcast <4 x i8> %312 to i32
  tail call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %161, i32 %313)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %314 = load <4 x i8>, ptr addrspace(3) %165, align 16
  %315 = load <4 x i8>, ptr addrspace(3) %185, align 4
  %316 = load <4 x i8>, ptr addrspace(3) %187, align 4
  %317 = load i8, ptr addrspace(3) %186, align 8
  %318 = load i8, ptr addrspace(3) %191, align 1
  %319 = load i8, ptr addrspace(3) %192, align 2
  %320 = load i8, ptr addrspace(3) %193, align 1
  %321 = load <4 x i8>, ptr addrspace(3) %166, align 16
  %322 = load <4 x i8>, ptr addrspace(3) %188, align 4
  %323 = load <4 x i8>, ptr addrspace(3) %190, align 4
  %324 = load i8, ptr addrspace(3) %189, align 8
  %325 = load i8, ptr addrspace(3) %194, align 1
  %326 = load i8, ptr addrspace(3) %195, align 2
  %327 = load i8, ptr addrspace(3) %196, align 1
  %328 = insertelement <4 x i8> poison, i8 %293, i64 0
  %329 = insertelement <4 x i8> %328, i8 %297, i64 1
  %330 = insertelement <4 x i8> %329, i8 %301, i64 2
  %331 = insertelement <4 x i8> %330, i8 %305, i64 3
  %332 = bitcast <4 x i8> %331 to i32
  %333 = shufflevector <4 x i8> %314, <4 x i8> %315, <4 x i32> <i32 0, i32 4, i32 poison, i32 poison>
  %334 = insertelement <4 x i8> %333, i8 %317, i64 2
  %335 = shufflevector <4 x i8> %334, <4 x i8> %316, <4 x i32> <i32 0, i32 1, i32 2, i32 4>
  %336 = bitcast <4 x i8> %335 to i32
  %337 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %198, float %199, float %200, float %201, i32 %232, i32 %233, i32 %234, i32 %235, i32 %252, i32 %253, i32 %332, i32 %336) #2
  %338 = extractvalue { float, float, float, float } %337, 0
  %339 = extractvalue { float, float, float, float } %337, 1
  %340 = extractvalue { float, float, float, float } %337, 2
  %341 = extractvalue { float, float, float, float } %337, 3
  %342 = shufflevector <4 x i8> %314, <4 x i8> %315, <4 x i32> <i32 1, i32 5, i32 poison, i32 poison>
  %343 = insertelement <4 x i8> %342, i8 %318, i64 2
  %344 = shufflevector <4 x i8> %343, <4 x i8> %316, <4 x i32> <i32 0, i32 1, i32 2, i32 5>
  %345 = bitcast <4 x i8> %344 to i32
  %346 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %202, float %203, float %204, float %205, i32 %232, i32 %233, i32 %234, i32 %235, i32 %257, i32 %258, i32 %332, i32 %345) #2
  %347 = extractvalue { float, float, float, float } %346, 0
  %348 = extractvalue { float, float, float, float } %346, 1
  %349 = extractvalue { float, float, float, float } %346, 2
  %350 = extractvalue { float, float, float, float } %346, 3
  %351 = shufflevector <4 x i8> %314, <4 x i8> %315, <4 x i32> <i32 2, i32 6, i32 poison, i32 poison>
  %352 = insertelement <4 x i8> %351, i8 %319, i64 2
  %353 = shufflevector <4 x i8> %352, <4 x i8> %316, <4 x i32> <i32 0, i32 1, i32 2, i32 6>
  %354 = bitcast <4 x i8> %353 to i32
  %355 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %206, float %207, float %208, float %209, i32 %232, i32 %233, i32 %234, i32 %235, i32 %262, i32 %263, i32 %332, i32 %354) #2
  %356 = extractvalue { float, float, float, float } %355, 0
  %357 = extractvalue { float, float, float, float } %355, 1
  %358 = extractvalue { float, float, float, float } %355, 2
  %359 = extractvalue { float, float, float, float } %355, 3
  %360 = shufflevector <4 x i8> %314, <4 x i8> %315, <4 x i32> <i32 3, i32 7, i32 poison, i32 poison>
  %361 = insertelement <4 x i8> %360, i8 %320, i64 2
  %362 = shufflevector <4 x i8> %361, <4 x i8> %316, <4 x i32> <i32 0, i32 1, i32 2, i32 7>
  %363 = bitcast <4 x i8> %362 to i32
  %364 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %210, float %211, float %212, float %213, i32 %232, i32 %233, i32 %234, i32 %235, i32 %267, i32 %268, i32 %332, i32 %363) #2
  %365 = extractvalue { float, float, float, float } %364, 0
  %366 = extractvalue { float, float, float, float } %364, 1
  %367 = extractvalue { float, float, float, float } %364, 2
  %368 = extractvalue { float, float, float, float } %364, 3
  %369 = insertelement <4 x i8> poison, i8 %294, i64 0
  %370 = insertelement <4 x i8> %369, i8 %298, i64 1
  %371 = insertelement <4 x i8> %370, i8 %302, i64 2
  %372 = insertelement <4 x i8> %371, i8 %306, i64 3
  %373 = bitcast <4 x i8> %372 to i32
  %374 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %214, float %215, float %216, float %217, i32 %237, i32 %238, i32 %239, i32 %240, i32 %252, i32 %253, i32 %373, i32 %336) #2
  %375 = extractvalue { float, float, float, float } %374, 0
  %376 = extractvalue { float, float, float, float } %374, 1
  %377 = extractvalue { float, float, float, float } %374, 2
  %378 = extractvalue { float, float, float, float } %374, 3
  %379 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %218, float %219, float %220, float %221, i32 %237, i32 %238, i32 %239, i32 %240, i32 %257, i32 %258, i32 %373, i32 %345) #2
  %380 = extractvalue { float, float, float, float } %379, 0
  %381 = extractvalue { float, float, float, float } %379, 1
  %382 = extractvalue { float, float, float, float } %379, 2
  %383 = extractvalue { float, float, float, float } %379, 3
  %384 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %222, float %223, float %224, float %225, i32 %237, i32 %238, i32 %239, i32 %240, i32 %262, i32 %263, i32 %373, i32 %354) #2
  %385 = extractvalue { float, float, float, float } %384, 0
  %386 = extractvalue { float, float, float, float } %384, 1
  %387 = extractvalue { float, float, float, float } %384, 2
  %388 = extractvalue { float, float, float, float } %384, 3
  %389 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %226, float %227, float %228, float %229, i32 %237, i32 %238, i32 %239, i32 %240, i32 %267, i32 %268, i32 %373, i32 %363) #2
  %390 = extractvalue { float, float, float, float } %389, 0
  %391 = extractvalue { float, float, float, float } %389, 1
  %392 = extractvalue { float, float, float, float } %389, 2
  %393 = extractvalue { float, float, float, float } %389, 3
  %394 = insertelement <4 x i8> poison, i8 %295, i64 0
  %395 = insertelement <4 x i8> %394, i8 %299, i64 1
  %396 = insertelement <4 x i8> %395, i8 %303, i64 2
  %397 = insertelement <4 x i8> %396, i8 %307, i64 3
  %398 = bitcast <4 x i8> %397 to i32
  %399 = shufflevector <4 x i8> %321, <4 x i8> %322, <4 x i32> <i32 0, i32 4, i32 poison, i32 poison>
  %400 = insertelement <4 x i8> %399, i8 %324, i64 2
  %401 = shufflevector <4 x i8> %400, <4 x i8> %323, <4 x i32> <i32 0, i32 1, i32 2, i32 4>
  %402 = bitcast <4 x i8> %401 to i32
  %403 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %338, float %339, float %340, float %341, i32 %242, i32 %243, i32 %244, i32 %245, i32 %254, i32 %255, i32 %398, i32 %402) #2
  %404 = extractvalue { float, float, float, float } %403, 0
  %405 = extractvalue { float, float, float, float } %403, 1
  %406 = extractvalue { float, float, float, float } %403, 2
  %407 = extractvalue { float, float, float, float } %403, 3
  %408 = shufflevector <4 x i8> %321, <4 x i8> %322, <4 x i32> <i32 1, i32 5, i32 poison, i32 poison>
  %409 = insertelement <4 x i8> %408, i8 %325, i64 2
  %410 = shufflevector <4 x i8> %409, <4 x i8> %323, <4 x i32> <i32 0, i32 1, i32 2, i32 5>
  %411 = bitcast <4 x i8> %410 to i32
  %412 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %347, float %348, float %349, float %350, i32 %242, i32 %243, i32 %244, i32 %245, i32 %259, i32 %260, i32 %398, i32 %411) #2
  %413 = extractvalue { float, float, float, float } %412, 0
  %414 = extractvalue { float, float, float, float } %412, 1
  %415 = extractvalue { float, float, float, float } %412, 2
  %416 = extractvalue { float, float, float, float } %412, 3
  %417 = shufflevector <4 x i8> %321, <4 x i8> %322, <4 x i32> <i32 2, i32 6, i32 poison, i32 poison>
  %418 = insertelement <4 x i8> %417, i8 %326, i64 2
  %419 = shufflevector <4 x i8> %418, <4 x i8> %323, <4 x i32> <i32 0, i32 1, i32 2, i32 6>
  %420 = bitcast <4 x i8> %419 to i32
  %421 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %356, float %357, float %358, float %359, i32 %242, i32 %243, i32 %244, i32 %245, i32 %264, i32 %265, i32 %398, i32 %420) #2
  %422 = extractvalue { float, float, float, float } %421, 0
  %423 = extractvalue { float, float, float, float } %421, 1
  %424 = extractvalue { float, float, float, float } %421, 2
  %425 = extractvalue { float, float, float, float } %421, 3
  %426 = shufflevector <4 x i8> %321, <4 x i8> %322, <4 x i32> <i32 3, i32 7, i32 poison, i32 poison>
  %427 = insertelement <4 x i8> %426, i8 %327, i64 2
  %428 = shufflevector <4 x i8> %427, <4 x i8> %323, <4 x i32> <i32 0, i32 1, i32 2, i32 7>
  %429 = bitcast <4 x i8> %428 to i32
  %430 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %365, float %366, float %367, float %368, i32 %242, i32 %243, i32 %244, i32 %245, i32 %269, i32 %270, i32 %398, i32 %429) #2
  %431 = extractvalue { float, float, float, float } %430, 0
  %432 = extractvalue { float, float, float, float } %430, 1
  %433 = extractvalue { float, float, float, float } %430, 2
  %434 = extractvalue { float, float, float, float } %430, 3
  %435 = insertelement <4 x i8> poison, i8 %296, i64 0
  %436 = insertelement <4 x i8> %435, i8 %300, i64 1
  %437 = insertelement <4 x i8> %436, i8 %304, i64 2
  %438 = insertelement <4 x i8> %437, i8 %308, i64 3
  %439 = bitcast <4 x i8> %438 to i32
  %440 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %375, float %376, float %377, float %378, i32 %247, i32 %248, i32 %249, i32 %250, i32 %254, i32 %255, i32 %439, i32 %402) #2
  %441 = extractvalue { float, float, float, float } %440, 0
  %442 = extractvalue { float, float, float, float } %440, 1
  %443 = extractvalue { float, float, float, float } %440, 2
  %444 = extractvalue { float, float, float, float } %440, 3
  %445 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %380, float %381, float %382, float %383, i32 %247, i32 %248, i32 %249, i32 %250, i32 %259, i32 %260, i32 %439, i32 %411) #2
  %446 = extractvalue { float, float, float, float } %445, 0
  %447 = extractvalue { float, float, float, float } %445, 1
  %448 = extractvalue { float, float, float, float } %445, 2
  %449 = extractvalue { float, float, float, float } %445, 3
  %450 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %385, float %386, float %387, float %388, i32 %247, i32 %248, i32 %249, i32 %250, i32 %264, i32 %265, i32 %439, i32 %420) #2
  %451 = extractvalue { float, float, float, float } %450, 0
  %452 = extractvalue { float, float, float, float } %450, 1
  %453 = extractvalue { float, float, float, float } %450, 2
  %454 = extractvalue { float, float, float, float } %450, 3
  %455 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %390, float %391, float %392, float %393, i32 %247, i32 %248, i32 %249, i32 %250, i32 %269, i32 %270, i32 %439, i32 %429) #2
  %456 = extractvalue { float, float, float, float } %455, 0
  %457 = extractvalue { float, float, float, float } %455, 1
  %458 = extractvalue { float, float, float, float } %455, 2
  %459 = extractvalue { float, float, float, float } %455, 3
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %460 = shl nuw nsw i64 %indvars.iv.next, 6
  %461 = or disjoint i64 %460, %169
  %462 = getelementptr i8, ptr addrspace(1) %37, i64 %461
  %463 = getelementptr i8, ptr addrspace(1) %39, i64 %461
  %464 = getelementptr i8, ptr addrspace(1) %41, i64 %461
  %465 = getelementptr i8, ptr addrspace(1) %43, i64 %461
  %466 = select i1 %230, i32 8, i32 0
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) %91, ptr addrspace(1) %462, i32 %466) #2
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %94, ptr addrspace(1) %463, i32 %466) #2
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %96, ptr addrspace(1) %464, i32 %466) #2
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %98, ptr addrspace(1) %465, i32 %466) #2
  tail call void @llvm.nvvm.cp.async.commit.group()
  %467 = getelementptr i8, ptr addrspace(1) %49, i64 %461
  %468 = getelementptr i8, ptr addrspace(1) %51, i64 %461
  %469 = getelementptr i8, ptr addrspace(1) %53, i64 %461
  %470 = getelementptr i8, ptr addrspace(1) %55, i64 %461
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) %103, ptr addrspace(1) %467, i32 %466) #2
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %104, ptr addrspace(1) %468, i32 %466) #2
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %105, ptr addrspace(1) %469, i32 %466) #2
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %106, ptr addrspace(1) %470, i32 %466) #2
  tail call void @llvm.nvvm.cp.async.commit.group()
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %._crit_edge, label %197

._crit_edge:                                      ; preds = %197, %.._crit_edge_crit_edge
  %.pre-phi78 = phi i32 [ %.pre77, %.._crit_edge_crit_edge ], [ %129, %197 ]
  %.pre-phi76 = phi i32 [ %.pre75, %.._crit_edge_crit_edge ], [ %111, %197 ]
  %.pre-phi68 = phi i32 [ %.pre67, %.._crit_edge_crit_edge ], [ %133, %197 ]
  %.pre-phi = phi i32 [ %.pre, %.._crit_edge_crit_edge ], [ %121, %197 ]
  %471 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %404, %197 ]
  %472 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %405, %197 ]
  %473 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %406, %197 ]
  %474 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %407, %197 ]
  %475 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %413, %197 ]
  %476 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %414, %197 ]
  %477 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %415, %197 ]
  %478 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %416, %197 ]
  %479 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %422, %197 ]
  %480 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %423, %197 ]
  %481 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %424, %197 ]
  %482 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %425, %197 ]
  %483 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %431, %197 ]
  %484 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %432, %197 ]
  %485 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %433, %197 ]
  %486 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %434, %197 ]
  %487 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %441, %197 ]
  %488 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %442, %197 ]
  %489 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %443, %197 ]
  %490 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %444, %197 ]
  %491 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %446, %197 ]
  %492 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %447, %197 ]
  %493 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %448, %197 ]
  %494 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %449, %197 ]
  %495 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %451, %197 ]
  %496 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %452, %197 ]
  %497 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %453, %197 ]
  %498 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %454, %197 ]
  %499 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %456, %197 ]
  %500 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %457, %197 ]
  %501 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %458, %197 ]
  %502 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %459, %197 ]
  %503 = shl nuw nsw i32 %20, 2
  %504 = or disjoint i32 %503, %26
  %505 = lshr i32 %12, 4
  %506 = or disjoint i32 %505, %11
  %507 = or i32 %506, 56
  %508 = and i32 %505, 7
  %509 = or disjoint i32 %508, %11
  %510 = or disjoint i32 %509, 48
  %511 = or disjoint i32 %509, 40
  %512 = or disjoint i32 %509, 32
  %513 = or disjoint i32 %509, 24
  %514 = or disjoint i32 %509, 16
  %515 = or disjoint i32 %509, 8
  tail call void @llvm.nvvm.cp.async.wait.group(i32 0)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %516 = mul i32 %5, %509
  %517 = mul i32 %5, %515
  %518 = mul i32 %5, %514
  %519 = mul i32 %5, %513
  %520 = mul i32 %5, %512
  %521 = mul i32 %5, %511
  %522 = mul i32 %5, %510
  %523 = mul i32 %5, %507
  %524 = sext i32 %516 to i64
  %525 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %524
  %526 = sext i32 %517 to i64
  %527 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %526
  %528 = sext i32 %518 to i64
  %529 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %528
  %530 = sext i32 %519 to i64
  %531 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %530
  %532 = sext i32 %520 to i64
  %533 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %532
  %534 = sext i32 %521 to i64
  %535 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %534
  %536 = sext i32 %522 to i64
  %537 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %536
  %538 = sext i32 %523 to i64
  %539 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %538
  %540 = zext nneg i32 %504 to i64
  %541 = getelementptr [4 x i8], ptr addrspace(1) %525, i64 %540
  %542 = getelementptr [4 x i8], ptr addrspace(1) %527, i64 %540
  %543 = getelementptr [4 x i8], ptr addrspace(1) %529, i64 %540
  %544 = getelementptr [4 x i8], ptr addrspace(1) %531, i64 %540
  %545 = getelementptr [4 x i8], ptr addrspace(1) %533, i64 %540
  %546 = getelementptr [4 x i8], ptr addrspace(1) %535, i64 %540
  %547 = getelementptr [4 x i8], ptr addrspace(1) %537, i64 %540
  %548 = getelementptr [4 x i8], ptr addrspace(1) %539, i64 %540
  %549 = and i32 %.pre-phi, 384
  %550 = and i32 %87, 528
  %551 = icmp eq i32 %.pre-phi68, 0
  %552 = select i1 %551, i32 0, i32 4160
  %553 = and i32 %12, 4
  %554 = icmp eq i32 %553, 0
  %555 = select i1 %554, i32 0, i32 2080
  %556 = and i32 %12, 32
  %557 = or disjoint i32 %549, %550
  %558 = xor i32 %555, %556
  %559 = or disjoint i32 %557, %552
  %560 = or disjoint i32 %559, %558
  %561 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %560
  %562 = insertelement <4 x float> poison, float %471, i64 0
  %563 = insertelement <4 x float> %562, float %472, i64 1
  %564 = insertelement <4 x float> %563, float %473, i64 2
  %565 = insertelement <4 x float> %564, float %474, i64 3
  store <4 x float> %565, ptr addrspace(3) %561, align 16
  %566 = getelementptr inbounds nuw i8, ptr addrspace(3) %561, i32 1024
  %567 = insertelement <4 x float> poison, float %479, i64 0
  %568 = insertelement <4 x float> %567, float %480, i64 1
  %569 = insertelement <4 x float> %568, float %481, i64 2
  %570 = insertelement <4 x float> %569, float %482, i64 3
  store <4 x float> %570, ptr addrspace(3) %566, align 16
  %571 = xor i32 %560, 64
  %572 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %571
  %573 = insertelement <4 x float> poison, float %475, i64 0
  %574 = insertelement <4 x float> %573, float %476, i64 1
  %575 = insertelement <4 x float> %574, float %477, i64 2
  %576 = insertelement <4 x float> %575, float %478, i64 3
  store <4 x float> %576, ptr addrspace(3) %572, align 16
  %577 = getelementptr inbounds nuw i8, ptr addrspace(3) %572, i32 1024
  %578 = insertelement <4 x float> poison, float %483, i64 0
  %579 = insertelement <4 x float> %578, float %484, i64 1
  %580 = insertelement <4 x float> %579, float %485, i64 2
  %581 = insertelement <4 x float> %580, float %486, i64 3
  store <4 x float> %581, ptr addrspace(3) %577, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %582 = shl nuw nsw i32 %12, 7
  %583 = and i32 %582, 1024
  %584 = icmp eq i32 %.pre-phi76, 0
  %585 = select i1 %584, i32 0, i32 2080
  %586 = xor i32 %.pre-phi78, %585
  %587 = or disjoint i32 %586, %583
  %588 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %587
  %589 = load <4 x i32>, ptr addrspace(3) %588, align 16
  %590 = getelementptr inbounds nuw i8, ptr addrspace(3) %588, i32 512
  %591 = load <4 x i32>, ptr addrspace(3) %590, align 16
  %592 = xor i32 %587, 4160
  %593 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %592
  %594 = load <4 x i32>, ptr addrspace(3) %593, align 16
  %595 = getelementptr inbounds nuw i8, ptr addrspace(3) %593, i32 512
  %596 = load <4 x i32>, ptr addrspace(3) %595, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %597 = insertelement <4 x float> poison, float %487, i64 0
  %598 = insertelement <4 x float> %597, float %488, i64 1
  %599 = insertelement <4 x float> %598, float %489, i64 2
  %600 = insertelement <4 x float> %599, float %490, i64 3
  store <4 x float> %600, ptr addrspace(3) %561, align 16
  %601 = insertelement <4 x float> poison, float %495, i64 0
  %602 = insertelement <4 x float> %601, float %496, i64 1
  %603 = insertelement <4 x float> %602, float %497, i64 2
  %604 = insertelement <4 x float> %603, float %498, i64 3
  store <4 x float> %604, ptr addrspace(3) %566, align 16
  %605 = insertelement <4 x float> poison, float %491, i64 0
  %606 = insertelement <4 x float> %605, float %492, i64 1
  %607 = insertelement <4 x float> %606, float %493, i64 2
  %608 = insertelement <4 x float> %607, float %494, i64 3
  store <4 x float> %608, ptr addrspace(3) %572, align 16
  %609 = insertelement <4 x float> poison, float %499, i64 0
  %610 = insertelement <4 x float> %609, float %500, i64 1
  %611 = insertelement <4 x float> %610, float %501, i64 2
  %612 = insertelement <4 x float> %611, float %502, i64 3
  store <4 x float> %612, ptr addrspace(3) %577, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %613 = load <4 x i32>, ptr addrspace(3) %588, align 16
  %614 = load <4 x i32>, ptr addrspace(3) %590, align 16
  %615 = load <4 x i32>, ptr addrspace(3) %593, align 16
  %616 = load <4 x i32>, ptr addrspace(3) %595, align 16
  %.extract = extractelement <4 x i32> %589, i64 0
  %.extract33 = extractelement <4 x i32> %589, i64 1
  %.extract34 = extractelement <4 x i32> %594, i64 0
  %.extract35 = extractelement <4 x i32> %594, i64 1
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract, i32 %.extract33, i32 %.extract34, i32 %.extract35, ptr addrspace(1) %541) #2
  %.extract36 = extractelement <4 x i32> %589, i64 2
  %.extract37 = extractelement <4 x i32> %589, i64 3
  %.extract38 = extractelement <4 x i32> %594, i64 2
  %.extract39 = extractelement <4 x i32> %594, i64 3
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract36, i32 %.extract37, i32 %.extract38, i32 %.extract39, ptr addrspace(1) %542) #2
  %.extract40 = extractelement <4 x i32> %591, i64 0
  %.extract41 = extractelement <4 x i32> %591, i64 1
  %.extract42 = extractelement <4 x i32> %596, i64 0
  %.extract43 = extractelement <4 x i32> %596, i64 1
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract40, i32 %.extract41, i32 %.extract42, i32 %.extract43, ptr addrspace(1) %543) #2
  %.extract44 = extractelement <4 x i32> %591, i64 2
  %.extract45 = extractelement <4 x i32> %591, i64 3
  %.extract46 = extractelement <4 x i32> %596, i64 2
  %.extract47 = extractelement <4 x i32> %596, i64 3
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract44, i32 %.extract45, i32 %.extract46, i32 %.extract47, ptr addrspace(1) %544) #2
  %.extract48 = extractelement <4 x i32> %613, i64 0
  %.extract49 = extractelement <4 x i32> %613, i64 1
  %.extract50 = extractelement <4 x i32> %615, i64 0
  %.extract51 = extractelement <4 x i32> %615, i64 1
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract48, i32 %.extract49, i32 %.extract50, i32 %.extract51, ptr addrspace(1) %545) #2
  %.extract52 = extractelement <4 x i32> %613, i64 2
  %.extract53 = extractelement <4 x i32> %613, i64 3
  %.extract54 = extractelement <4 x i32> %615, i64 2
  %.extract55 = extractelement <4 x i32> %615, i64 3
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract52, i32 %.extract53, i32 %.extract54, i32 %.extract55, ptr addrspace(1) %546) #2
  %.extract56 = extractelement <4 x i32> %614, i64 0
  %.extract57 = extractelement <4 x i32> %614, i64 1
  %.extract58 = extractelement <4 x i32> %616, i64 0
  %.extract59 = extractelement <4 x i32> %616, i64 1
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract56, i32 %.extract57, i32 %.extract58, i32 %.extract59, ptr addrspace(1) %547) #2
  %.extract60 = extractelement <4 x i32> %614, i64 2
  %.extract61 = extractelement <4 x i32> %614, i64 3
  %.extract62 = extractelement <4 x i32> %616, i64 2
  %.extract63 = extractelement <4 x i32> %616, i64 3
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract60, i32 %.extract61, i32 %.extract62, i32 %.extract63, ptr addrspace(1) %548) #2
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

; Function Attrs: nounwind
declare void @llvm.nvvm.cp.async.commit.group() #2

; Function Attrs: nounwind
declare void @llvm.nvvm.cp.async.wait.group(i32 immarg) #2

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #3

; Function Attrs: convergent nocallback nofree nounwind memory(argmem: read)
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) readonly captures(none)) #4

; Function Attrs: convergent nocallback nounwind memory(argmem: write)
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) writeonly captures(none), i32) #5

attributes #0 = { nounwind "nvvm.reqntid"="128" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { convergent nocallback nofree nounwind memory(argmem: read) }
attributes #5 = { convergent nocallback nounwind memory(argmem: write) }

!llvm.module.flags = !{!2, !3}

!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
