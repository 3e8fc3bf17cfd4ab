; Made by make_witnesses.py for sm_120; shared memory 8448
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
  %15 = lshr i32 %12, 3
  %16 = and i32 %15, 15
  %17 = or disjoint i32 %16, 16
  %18 = or disjoint i32 %16, 32
  %19 = or disjoint i32 %16, 48
  %20 = lshr i32 %12, 2
  %21 = and i32 %20, 31
  %22 = or disjoint i32 %21, 32
  %23 = and i32 %12, 15
  %24 = or disjoint i32 %16, %11
  %25 = or disjoint i32 %17, %11
  %26 = or disjoint i32 %18, %11
  %27 = or disjoint i32 %19, %11
  %28 = or disjoint i32 %21, %11
  %29 = or disjoint i32 %22, %11
  %30 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %31 = shl nuw nsw i32 %30, 6
  %32 = or disjoint i32 %16, %31
  %33 = or disjoint i32 %17, %31
  %34 = or disjoint i32 %18, %31
  %35 = or disjoint i32 %19, %31
  %36 = or disjoint i32 %21, %31
  %37 = or disjoint i32 %22, %31
  %38 = sdiv i32 %6, 2
  %39 = mul i32 %38, %24
  %40 = mul i32 %38, %25
  %41 = mul i32 %38, %26
  %42 = mul i32 %38, %27
  %43 = sext i32 %39 to i64
  %44 = getelementptr i8, ptr addrspace(1) %0, i64 %43
  %45 = sext i32 %40 to i64
  %46 = getelementptr i8, ptr addrspace(1) %0, i64 %45
  %47 = sext i32 %41 to i64
  %48 = getelementptr i8, ptr addrspace(1) %0, i64 %47
  %49 = sext i32 %42 to i64
  %50 = getelementptr i8, ptr addrspace(1) %0, i64 %49
  %51 = mul i32 %38, %32
  %52 = mul i32 %38, %33
  %53 = mul i32 %38, %34
  %54 = mul i32 %38, %35
  %55 = sext i32 %51 to i64
  %56 = getelementptr i8, ptr addrspace(1) %2, i64 %55
  %57 = sext i32 %52 to i64
  %58 = getelementptr i8, ptr addrspace(1) %2, i64 %57
  %59 = sext i32 %53 to i64
  %60 = getelementptr i8, ptr addrspace(1) %2, i64 %59
  %61 = sext i32 %54 to i64
  %62 = getelementptr i8, ptr addrspace(1) %2, i64 %61
  %63 = sdiv i32 %6, 32
  %64 = mul i32 %63, %28
  %65 = mul i32 %63, %29
  %66 = sext i32 %64 to i64
  %67 = getelementptr i8, ptr addrspace(1) %1, i64 %66
  %68 = sext i32 %65 to i64
  %69 = getelementptr i8, ptr addrspace(1) %1, i64 %68
  %70 = mul i32 %63, %36
  %71 = mul i32 %63, %37
  %72 = sext i32 %70 to i64
  %73 = getelementptr i8, ptr addrspace(1) %3, i64 %72
  %74 = sext i32 %71 to i64
  %75 = getelementptr i8, ptr addrspace(1) %3, i64 %74
  %76 = icmp sgt i32 %6, 127
  %77 = zext nneg i32 %14 to i64
  %78 = getelementptr i8, ptr addrspace(1) %44, i64 %77
  %79 = getelementptr i8, ptr addrspace(1) %46, i64 %77
  %80 = getelementptr i8, ptr addrspace(1) %48, i64 %77
  %81 = getelementptr i8, ptr addrspace(1) %50, i64 %77
  %82 = shl nuw nsw i32 %12, 3
  %83 = and i32 %82, 1016
  %84 = and i32 %12, 48
  %85 = xor i32 %83, %84
  %86 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %85
  %87 = select i1 %76, i32 8, i32 0
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) %86, ptr addrspace(1) %78, i32 %87) #2
  %88 = or disjoint i32 %85, 1024
  %89 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %88
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %89, ptr addrspace(1) %79, i32 %87) #2
  %90 = or disjoint i32 %85, 2048
  %91 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %90
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %91, ptr addrspace(1) %80, i32 %87) #2
  %92 = or disjoint i32 %85, 3072
  %93 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %92
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %93, ptr addrspace(1) %81, i32 %87) #2
  tail call void @llvm.nvvm.cp.async.commit.group()
  %94 = getelementptr i8, ptr addrspace(1) %56, i64 %77
  %95 = getelementptr i8, ptr addrspace(1) %58, i64 %77
  %96 = getelementptr i8, ptr addrspace(1) %60, i64 %77
  %97 = getelementptr i8, ptr addrspace(1) %62, i64 %77
  %98 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %85
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) %98, ptr addrspace(1) %94, i32 %87) #2
  %99 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %88
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %99, ptr addrspace(1) %95, i32 %87) #2
  %100 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %90
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %100, ptr addrspace(1) %96, i32 %87) #2
  %101 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %92
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %101, ptr addrspace(1) %97, i32 %87) #2
  tail call void @llvm.nvvm.cp.async.commit.group()
  br i1 %76, label %.lr.ph, label %.._crit_edge_crit_edge

.._crit_edge_crit_edge:                           ; preds = %9
  %.pre = and i32 %12, 1
  %.pre67 = and i32 %12, 32
  %.pre69 = shl nuw nsw i32 %12, 2
  %.pre71 = and i32 %12, 16
  br label %._crit_edge

.lr.ph:                                           ; preds = %9
  %102 = lshr i32 %6, 7
  %103 = and i32 %12, 3
  %104 = add nsw i32 %102, -1
  %105 = shl nuw nsw i32 %23, 6
  %106 = and i32 %82, 48
  %107 = and i32 %12, 16
  %108 = and i32 %12, 64
  %109 = shl nuw nsw i32 %108, 4
  %110 = or disjoint i32 %105, %106
  %111 = xor i32 %110, %107
  %112 = or disjoint i32 %111, %109
  %113 = xor i32 %112, 32
  %114 = shl nuw nsw i32 %13, 6
  %115 = shl nuw nsw i32 %12, 1
  %116 = and i32 %115, 48
  %117 = and i32 %12, 32
  %118 = shl nuw nsw i32 %117, 4
  %119 = or disjoint i32 %114, %106
  %120 = xor i32 %119, %116
  %invariant.gep = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %118
  %invariant.gep64 = getelementptr i8, ptr addrspace(3) %invariant.gep, i32 %120
  %121 = shl nuw nsw i32 %12, 2
  %122 = and i32 %121, 124
  %123 = icmp eq i32 %117, 0
  %124 = select i1 %123, i32 0, i32 132
  %125 = lshr exact i32 %108, 5
  %126 = xor i32 %124, %122
  %127 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %125
  %128 = getelementptr inbounds nuw i8, ptr addrspace(3) %127, i32 %126
  %129 = and i32 %121, 112
  %130 = and i32 %12, 1
  %131 = icmp eq i32 %130, 0
  %132 = select i1 %131, i32 0, i32 132
  %133 = or disjoint i32 %129, %132
  %134 = or disjoint i32 %133, %125
  %135 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %134
  %136 = getelementptr inbounds nuw i8, ptr addrspace(3) %135, i32 8
  %137 = xor i32 %134, 4
  %138 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %137
  %139 = getelementptr inbounds nuw i8, ptr addrspace(3) %138, i32 8
  %140 = and i32 %121, 252
  %141 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %140
  %142 = getelementptr inbounds nuw i8, ptr addrspace(3) %141, i32 %125
  %143 = and i32 %121, 240
  %144 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %143
  %145 = zext nneg i32 %103 to i64
  %146 = zext nneg i32 %104 to i64
  %147 = zext nneg i32 %14 to i64
  %wide.trip.count = zext nneg i32 %102 to i64
  %148 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %112
  %149 = getelementptr inbounds nuw i8, ptr addrspace(3) %148, i32 2048
  %150 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %113
  %151 = getelementptr inbounds nuw i8, ptr addrspace(3) %150, i32 2048
  %152 = getelementptr inbounds nuw i8, ptr addrspace(3) %invariant.gep64, i32 1024
  %153 = getelementptr inbounds nuw i8, ptr addrspace(3) %invariant.gep64, i32 2048
  %154 = getelementptr inbounds nuw i8, ptr addrspace(3) %invariant.gep64, i32 3072
  %155 = getelementptr inbounds nuw i8, ptr addrspace(3) %135, i32 1
  %156 = getelementptr inbounds nuw i8, ptr addrspace(3) %135, i32 9
  %157 = getelementptr inbounds nuw i8, ptr addrspace(3) %138, i32 1
  %158 = getelementptr inbounds nuw i8, ptr addrspace(3) %138, i32 9
  %159 = getelementptr inbounds nuw i8, ptr addrspace(3) %144, i32 4
  %160 = getelementptr inbounds nuw i8, ptr addrspace(3) %144, i32 8
  %161 = getelementptr inbounds nuw i8, ptr addrspace(3) %144, i32 12
  %162 = getelementptr inbounds nuw i8, ptr addrspace(3) %144, i32 1
  %163 = getelementptr inbounds nuw i8, ptr addrspace(3) %144, i32 2
  %164 = getelementptr inbounds nuw i8, ptr addrspace(3) %144, i32 3
  br label %165

165:                                              ; preds = %.lr.ph, %165
  %indvars.iv = phi i64 [ 0, %.lr.ph ], [ %indvars.iv.next, %165 ]
  %166 = phi float [ 0.000000e+00, %.lr.ph ], [ %353, %165 ]
  %167 = phi float [ 0.000000e+00, %.lr.ph ], [ %354, %165 ]
  %168 = phi float [ 0.000000e+00, %.lr.ph ], [ %355, %165 ]
  %169 = phi float [ 0.000000e+00, %.lr.ph ], [ %356, %165 ]
  %170 = phi float [ 0.000000e+00, %.lr.ph ], [ %362, %165 ]
  %171 = phi float [ 0.000000e+00, %.lr.ph ], [ %363, %165 ]
  %172 = phi float [ 0.000000e+00, %.lr.ph ], [ %364, %165 ]
  %173 = phi float [ 0.000000e+00, %.lr.ph ], [ %365, %165 ]
  %174 = phi float [ 0.000000e+00, %.lr.ph ], [ %371, %165 ]
  %175 = phi float [ 0.000000e+00, %.lr.ph ], [ %372, %165 ]
  %176 = phi float [ 0.000000e+00, %.lr.ph ], [ %373, %165 ]
  %177 = phi float [ 0.000000e+00, %.lr.ph ], [ %374, %165 ]
  %178 = phi float [ 0.000000e+00, %.lr.ph ], [ %380, %165 ]
  %179 = phi float [ 0.000000e+00, %.lr.ph ], [ %381, %165 ]
  %180 = phi float [ 0.000000e+00, %.lr.ph ], [ %382, %165 ]
  %181 = phi float [ 0.000000e+00, %.lr.ph ], [ %383, %165 ]
  %182 = phi float [ 0.000000e+00, %.lr.ph ], [ %389, %165 ]
  %183 = phi float [ 0.000000e+00, %.lr.ph ], [ %390, %165 ]
  %184 = phi float [ 0.000000e+00, %.lr.ph ], [ %391, %165 ]
  %185 = phi float [ 0.000000e+00, %.lr.ph ], [ %392, %165 ]
  %186 = phi float [ 0.000000e+00, %.lr.ph ], [ %394, %165 ]
  %187 = phi float [ 0.000000e+00, %.lr.ph ], [ %395, %165 ]
  %188 = phi float [ 0.000000e+00, %.lr.ph ], [ %396, %165 ]
  %189 = phi float [ 0.000000e+00, %.lr.ph ], [ %397, %165 ]
  %190 = phi float [ 0.000000e+00, %.lr.ph ], [ %399, %165 ]
  %191 = phi float [ 0.000000e+00, %.lr.ph ], [ %400, %165 ]
  %192 = phi float [ 0.000000e+00, %.lr.ph ], [ %401, %165 ]
  %193 = phi float [ 0.000000e+00, %.lr.ph ], [ %402, %165 ]
  %194 = phi float [ 0.000000e+00, %.lr.ph ], [ %404, %165 ]
  %195 = phi float [ 0.000000e+00, %.lr.ph ], [ %405, %165 ]
  %196 = phi float [ 0.000000e+00, %.lr.ph ], [ %406, %165 ]
  %197 = phi float [ 0.000000e+00, %.lr.ph ], [ %407, %165 ]
  %198 = icmp samesign ult i64 %indvars.iv, %146
  tail call void @llvm.nvvm.cp.async.wait.group(i32 0)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %199 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %148)
  %200 = extractvalue { i32, i32, i32, i32 } %199, 0
  %201 = extractvalue { i32, i32, i32, i32 } %199, 1
  %202 = extractvalue { i32, i32, i32, i32 } %199, 2
  %203 = extractvalue { i32, i32, i32, i32 } %199, 3
  %204 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %149)
  %205 = extractvalue { i32, i32, i32, i32 } %204, 0
  %206 = extractvalue { i32, i32, i32, i32 } %204, 1
  %207 = extractvalue { i32, i32, i32, i32 } %204, 2
  %208 = extractvalue { i32, i32, i32, i32 } %204, 3
  %209 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %150)
  %210 = extractvalue { i32, i32, i32, i32 } %209, 0
  %211 = extractvalue { i32, i32, i32, i32 } %209, 1
  %212 = extractvalue { i32, i32, i32, i32 } %209, 2
  %213 = extractvalue { i32, i32, i32, i32 } %209, 3
  %214 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %151)
  %215 = extractvalue { i32, i32, i32, i32 } %214, 0
  %216 = extractvalue { i32, i32, i32, i32 } %214, 1
  %217 = extractvalue { i32, i32, i32, i32 } %214, 2
  %218 = extractvalue { i32, i32, i32, i32 } %214, 3
  %219 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %invariant.gep64)
  %220 = extractvalue { i32, i32, i32, i32 } %219, 0
  %221 = extractvalue { i32, i32, i32, i32 } %219, 1
  %222 = extractvalue { i32, i32, i32, i32 } %219, 2
  %223 = extractvalue { i32, i32, i32, i32 } %219, 3
  %224 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %152)
  %225 = extractvalue { i32, i32, i32, i32 } %224, 0
  %226 = extractvalue { i32, i32, i32, i32 } %224, 1
  %227 = extractvalue { i32, i32, i32, i32 } %224, 2
  %228 = extractvalue { i32, i32, i32, i32 } %224, 3
  %229 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %153)
  %230 = extractvalue { i32, i32, i32, i32 } %229, 0
  %231 = extractvalue { i32, i32, i32, i32 } %229, 1
  %232 = extractvalue { i32, i32, i32, i32 } %229, 2
  %233 = extractvalue { i32, i32, i32, i32 } %229, 3
  %234 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %154)
  %235 = extractvalue { i32, i32, i32, i32 } %234, 0
  %236 = extractvalue { i32, i32, i32, i32 } %234, 1
  %237 = extractvalue { i32, i32, i32, i32 } %234, 2
  %238 = extractvalue { i32, i32, i32, i32 } %234, 3
  %239 = shl nuw nsw i64 %indvars.iv, 2
  %240 = or disjoint i64 %239, %145
  %241 = getelementptr i8, ptr addrspace(1) %67, i64 %240
  %242 = getelementptr i8, ptr addrspace(1) %69, i64 %240
  %243 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %241) #2
  %244 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %242) #2
  %245 = getelementptr i8, ptr addrspace(1) %73, i64 %240
  %246 = getelementptr i8, ptr addrspace(1) %75, i64 %240
  %247 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %245) #2
  %248 = tail call i8 asm sideeffect "mov.u16 $0, 0x0;\0A\09ld.global.b8 { $0 }, [ $1 + 0 ];", "=c,l"(ptr addrspace(1) %246) #2
  %249 = insertelement <2 x i8> poison, i8 %243, i64 0
  %250 = insertelement <2 x i8> %249, i8 %244, i64 1
  store <2 x i8> %250, ptr addrspace(3) %128, align 2
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %251 = load i8, ptr addrspace(3) %135, align 2
  %252 = load i8, ptr addrspace(3) %155, align 1
  %253 = load i8, ptr addrspace(3) %136, align 2
  %254 = load i8, ptr addrspace(3) %156, align 1
  %255 = load i8, ptr addrspace(3) %138, align 2
  %256 = load i8, ptr addrspace(3) %157, align 1
  %257 = load i8, ptr addrspace(3) %139, align 2
  %258 = load i8, ptr addrspace(3) %158, align 1
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %259 = insertelement <2 x i8> poison, i8 %247, i64 0
  %260 = insertelement <2 x i8> %259, i8 %248, i64 1
  store <2 x i8> %260, ptr addrspace(3) %142, align 2
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %261 = load <4 x i8>, ptr addrspace(3) %159, align 4
  %262 = load <4 x i8>, ptr addrspace(3) %160, align 8
  %263 = load <4 x i8>, ptr addrspace(3) %161, align 4
  %264 = load i8, ptr addrspace(3) %144, align 16
  %265 = load i8, ptr addrspace(3) %162, align 1
  %266 = load i8, ptr addrspace(3) %163, align 2
  %267 = load i8, ptr addrspace(3) %164, align 1
  %268 = extractelement <4 x i8> %261, i64 0
  %269 = extractelement <4 x i8> %261, i64 1
  %270 = extractelement <4 x i8> %261, i64 2
  %271 = extractelement <4 x i8> %261, i64 3
  %272 = extractelement <4 x i8> %262, i64 0
  %273 = extractelement <4 x i8> %262, i64 1
  %274 = extractelement <4 x i8> %262, i64 2
  %275 = extractelement <4 x i8> %262, i64 3
  %276 = extractelement <4 x i8> %263, i64 0
  %277 = extractelement <4 x i8> %263, i64 1
  %278 = extractelement <4 x i8> %263, i64 2
  %279 = extractelement <4 x i8> %263, i64 3
  %280 = zext i8 %251 to i32
  %281 = zext i8 %255 to i32
  %282 = shl nuw nsw i32 %281, 8
  %283 = or disjoint i32 %282, %280
  %284 = zext i8 %264 to i32
  %285 = zext i8 %268 to i32
  %286 = shl nuw nsw i32 %285, 8
  %287 = or disjoint i32 %286, %284
  %288 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %166, float %167, float %168, float %169, i32 %200, i32 %201, i32 %202, i32 %203, i32 %220, i32 %221, i32 %283, i32 %287) #2
  %289 = extractvalue { float, float, float, float } %288, 0
  %290 = extractvalue { float, float, float, float } %288, 1
  %291 = extractvalue { float, float, float, float } %288, 2
  %292 = extractvalue { float, float, float, float } %288, 3
  %293 = zext i8 %266 to i32
  %294 = zext i8 %270 to i32
  %295 = shl nuw nsw i32 %294, 8
  %296 = or disjoint i32 %295, %293
  %297 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %170, float %171, float %172, float %173, i32 %200, i32 %201, i32 %202, i32 %203, i32 %225, i32 %226, i32 %283, i32 %296) #2
  %298 = extractvalue { float, float, float, float } %297, 0
  %299 = extractvalue { float, float, float, float } %297, 1
  %300 = extractvalue { float, float, float, float } %297, 2
  %301 = extractvalue { float, float, float, float } %297, 3
  %302 = zext i8 %265 to i32
  %303 = zext i8 %269 to i32
  %304 = shl nuw nsw i32 %303, 8
  %305 = or disjoint i32 %304, %302
  %306 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %174, float %175, float %176, float %177, i32 %200, i32 %201, i32 %202, i32 %203, i32 %230, i32 %231, i32 %283, i32 %305) #2
  %307 = extractvalue { float, float, float, float } %306, 0
  %308 = extractvalue { float, float, float, float } %306, 1
  %309 = extractvalue { float, float, float, float } %306, 2
  %310 = extractvalue { float, float, float, float } %306, 3
  %311 = zext i8 %267 to i32
  %312 = zext i8 %271 to i32
  %313 = shl nuw nsw i32 %312, 8
  %314 = or disjoint i32 %313, %311
  %315 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %178, float %179, float %180, float %181, i32 %200, i32 %201, i32 %202, i32 %203, i32 %235, i32 %236, i32 %283, i32 %314) #2
  %316 = extractvalue { float, float, float, float } %315, 0
  %317 = extractvalue { float, float, float, float } %315, 1
  %318 = extractvalue { float, float, float, float } %315, 2
  %319 = extractvalue { float, float, float, float } %315, 3
  %320 = zext i8 %252 to i32
  %321 = zext i8 %256 to i32
  %322 = shl nuw nsw i32 %321, 8
  %323 = or disjoint i32 %322, %320
  %324 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %182, float %183, float %184, float %185, i32 %205, i32 %206, i32 %207, i32 %208, i32 %220, i32 %221, i32 %323, i32 %287) #2
  %325 = extractvalue { float, float, float, float } %324, 0
  %326 = extractvalue { float, float, float, float } %324, 1
  %327 = extractvalue { float, float, float, float } %324, 2
  %328 = extractvalue { float, float, float, float } %324, 3
  %329 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %186, float %187, float %188, float %189, i32 %205, i32 %206, i32 %207, i32 %208, i32 %225, i32 %226, i32 %323, i32 %296) #2
  %330 = extractvalue { float, float, float, float } %329, 0
  %331 = extractvalue { float, float, float, float } %329, 1
  %332 = extractvalue { float, float, float, float } %329, 2
  %333 = extractvalue { float, float, float, float } %329, 3
  %334 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %190, float %191, float %192, float %193, i32 %205, i32 %206, i32 %207, i32 %208, i32 %230, i32 %231, i32 %323, i32 %305) #2
  %335 = extractvalue { float, float, float, float } %334, 0
  %336 = extractvalue { float, float, float, float } %334, 1
  %337 = extractvalue { float, float, float, float } %334, 2
  %338 = extractvalue { float, float, float, float } %334, 3
  %339 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %194, float %195, float %196, float %197, i32 %205, i32 %206, i32 %207, i32 %208, i32 %235, i32 %236, i32 %323, i32 %314) #2
  %340 = extractvalue { float, float, float, float } %339, 0
  %341 = extractvalue { float, float, float, float } %339, 1
  %342 = extractvalue { float, float, float, float } %339, 2
  %343 = extractvalue { float, float, float, float } %339, 3
  %344 = zext i8 %253 to i32
  %345 = zext i8 %257 to i32
  %346 = shl nuw nsw i32 %345, 8
  %347 = or disjoint i32 %346, %344
  %348 = zext i8 %272 to i32
  %349 = zext i8 %276 to i32
  %350 = shl nuw nsw i32 %349, 8
  %351 = or disjoint i32 %350, %348
  %352 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %289, float %290, float %291, float %292, i32 %210, i32 %211, i32 %212, i32 %213, i32 %222, i32 %223, i32 %347, i32 %351) #2
  %353 = extractvalue { float, float, float, float } %352, 0
  %354 = extractvalue { float, float, float, float } %352, 1
  %355 = extractvalue { float, float, float, float } %352, 2
  %356 = extractvalue { float, float, float, float } %352, 3
  %357 = zext i8 %274 to i32
  %358 = zext i8 %278 to i32
  %359 = shl nuw nsw i32 %358, 8
  %360 = or disjoint i32 %359, %357
  %361 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %298, float %299, float %300, float %301, i32 %210, i32 %211, i32 %212, i32 %213, i32 %227, i32 %228, i32 %347, i32 %360) #2
  %362 = extractvalue { float, float, float, float } %361, 0
  %363 = extractvalue { float, float, float, float } %361, 1
  %364 = extractvalue { float, float, float, float } %361, 2
  %365 = extractvalue { float, float, float, float } %361, 3
  %366 = zext i8 %273 to i32
  %367 = zext i8 %277 to i32
  %368 = shl nuw nsw i32 %367, 8
  %369 = or disjoint i32 %368, %366
  %370 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %307, float %308, float %309, float %310, i32 %210, i32 %211, i32 %212, i32 %213, i32 %232, i32 %233, i32 %347, i32 %369) #2
  %371 = extractvalue { float, float, float, float } %370, 0
  %372 = extractvalue { float, float, float, float } %370, 1
  %373 = extractvalue { float, float, float, float } %370, 2
  %374 = extractvalue { float, float, float, float } %370, 3
  %375 = zext i8 %275 to i32
  %376 = zext i8 %279 to i32
  %377 = shl nuw nsw i32 %376, 8
  %378 = or disjoint i32 %377, %375
  %379 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %316, float %317, float %318, float %319, i32 %210, i32 %211, i32 %212, i32 %213, i32 %237, i32 %238, i32 %347, i32 %378) #2
  %380 = extractvalue { float, float, float, float } %379, 0
  %381 = extractvalue { float, float, float, float } %379, 1
  %382 = extractvalue { float, float, float, float } %379, 2
  %383 = extractvalue { float, float, float, float } %379, 3
  %384 = zext i8 %254 to i32
  %385 = zext i8 %258 to i32
  %386 = shl nuw nsw i32 %385, 8
  %387 = or disjoint i32 %386, %384
  %388 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %325, float %326, float %327, float %328, i32 %215, i32 %216, i32 %217, i32 %218, i32 %222, i32 %223, i32 %387, i32 %351) #2
  %389 = extractvalue { float, float, float, float } %388, 0
  %390 = extractvalue { float, float, float, float } %388, 1
  %391 = extractvalue { float, float, float, float } %388, 2
  %392 = extractvalue { float, float, float, float } %388, 3
  %393 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %330, float %331, float %332, float %333, i32 %215, i32 %216, i32 %217, i32 %218, i32 %227, i32 %228, i32 %387, i32 %360) #2
  %394 = extractvalue { float, float, float, float } %393, 0
  %395 = extractvalue { float, float, float, float } %393, 1
  %396 = extractvalue { float, float, float, float } %393, 2
  %397 = extractvalue { float, float, float, float } %393, 3
  %398 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %335, float %336, float %337, float %338, i32 %215, i32 %216, i32 %217, i32 %218, i32 %232, i32 %233, i32 %387, i32 %369) #2
  %399 = extractvalue { float, float, float, float } %398, 0
  %400 = extractvalue { float, float, float, float } %398, 1
  %401 = extractvalue { float, float, float, float } %398, 2
  %402 = extractvalue { float, float, float, float } %398, 3
  %403 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 }, $14, { 0, 0 }, $15, { 0, 0 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r,r,r"(float %340, float %341, float %342, float %343, i32 %215, i32 %216, i32 %217, i32 %218, i32 %237, i32 %238, i32 %387, i32 %378) #2
  %404 = extractvalue { float, float, float, float } %403, 0
  %405 = extractvalue { float, float, float, float } %403, 1
  %406 = extractvalue { float, float, float, float } %403, 2
  %407 = extractvalue { float, float, float, float } %403, 3
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %408 = shl nuw nsw i64 %indvars.iv.next, 6
  %409 = or disjoint i64 %408, %147
  %410 = getelementptr i8, ptr addrspace(1) %44, i64 %409
  %411 = getelementptr i8, ptr addrspace(1) %46, i64 %409
  %412 = getelementptr i8, ptr addrspace(1) %48, i64 %409
  %413 = getelementptr i8, ptr addrspace(1) %50, i64 %409
  %414 = select i1 %198, i32 8, i32 0
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) %86, ptr addrspace(1) %410, i32 %414) #2
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %89, ptr addrspace(1) %411, i32 %414) #2
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %91, ptr addrspace(1) %412, i32 %414) #2
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %93, ptr addrspace(1) %413, i32 %414) #2
  tail call void @llvm.nvvm.cp.async.commit.group()
  %415 = getelementptr i8, ptr addrspace(1) %56, i64 %409
  %416 = getelementptr i8, ptr addrspace(1) %58, i64 %409
  %417 = getelementptr i8, ptr addrspace(1) %60, i64 %409
  %418 = getelementptr i8, ptr addrspace(1) %62, i64 %409
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) %98, ptr addrspace(1) %415, i32 %414) #2
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %99, ptr addrspace(1) %416, i32 %414) #2
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %100, ptr addrspace(1) %417, i32 %414) #2
  tail call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x8, $2;", "r,l,r"(ptr addrspace(3) nonnull %101, ptr addrspace(1) %418, i32 %414) #2
  tail call void @llvm.nvvm.cp.async.commit.group()
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %._crit_edge, label %165

._crit_edge:                                      ; preds = %165, %.._crit_edge_crit_edge
  %.pre-phi72 = phi i32 [ %.pre71, %.._crit_edge_crit_edge ], [ %107, %165 ]
  %.pre-phi70 = phi i32 [ %.pre69, %.._crit_edge_crit_edge ], [ %121, %165 ]
  %.pre-phi68 = phi i32 [ %.pre67, %.._crit_edge_crit_edge ], [ %117, %165 ]
  %.pre-phi = phi i32 [ %.pre, %.._crit_edge_crit_edge ], [ %130, %165 ]
  %419 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %353, %165 ]
  %420 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %354, %165 ]
  %421 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %355, %165 ]
  %422 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %356, %165 ]
  %423 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %362, %165 ]
  %424 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %363, %165 ]
  %425 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %364, %165 ]
  %426 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %365, %165 ]
  %427 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %371, %165 ]
  %428 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %372, %165 ]
  %429 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %373, %165 ]
  %430 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %374, %165 ]
  %431 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %380, %165 ]
  %432 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %381, %165 ]
  %433 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %382, %165 ]
  %434 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %383, %165 ]
  %435 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %389, %165 ]
  %436 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %390, %165 ]
  %437 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %391, %165 ]
  %438 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %392, %165 ]
  %439 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %394, %165 ]
  %440 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %395, %165 ]
  %441 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %396, %165 ]
  %442 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %397, %165 ]
  %443 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %399, %165 ]
  %444 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %400, %165 ]
  %445 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %401, %165 ]
  %446 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %402, %165 ]
  %447 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %404, %165 ]
  %448 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %405, %165 ]
  %449 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %406, %165 ]
  %450 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %407, %165 ]
  %451 = shl nuw nsw i32 %23, 2
  %452 = or disjoint i32 %451, %31
  %453 = lshr i32 %12, 4
  %454 = or disjoint i32 %453, %11
  %455 = or i32 %454, 56
  %456 = and i32 %453, 7
  %457 = or disjoint i32 %456, %11
  %458 = or disjoint i32 %457, 48
  %459 = or disjoint i32 %457, 40
  %460 = or disjoint i32 %457, 32
  %461 = or disjoint i32 %457, 24
  %462 = or disjoint i32 %457, 16
  %463 = or disjoint i32 %457, 8
  tail call void @llvm.nvvm.cp.async.wait.group(i32 0)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %464 = mul i32 %5, %457
  %465 = mul i32 %5, %463
  %466 = mul i32 %5, %462
  %467 = mul i32 %5, %461
  %468 = mul i32 %5, %460
  %469 = mul i32 %5, %459
  %470 = mul i32 %5, %458
  %471 = mul i32 %5, %455
  %472 = sext i32 %464 to i64
  %473 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %472
  %474 = sext i32 %465 to i64
  %475 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %474
  %476 = sext i32 %466 to i64
  %477 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %476
  %478 = sext i32 %467 to i64
  %479 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %478
  %480 = sext i32 %468 to i64
  %481 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %480
  %482 = sext i32 %469 to i64
  %483 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %482
  %484 = sext i32 %470 to i64
  %485 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %484
  %486 = sext i32 %471 to i64
  %487 = getelementptr [4 x i8], ptr addrspace(1) %4, i64 %486
  %488 = zext nneg i32 %452 to i64
  %489 = getelementptr [4 x i8], ptr addrspace(1) %473, i64 %488
  %490 = getelementptr [4 x i8], ptr addrspace(1) %475, i64 %488
  %491 = getelementptr [4 x i8], ptr addrspace(1) %477, i64 %488
  %492 = getelementptr [4 x i8], ptr addrspace(1) %479, i64 %488
  %493 = getelementptr [4 x i8], ptr addrspace(1) %481, i64 %488
  %494 = getelementptr [4 x i8], ptr addrspace(1) %483, i64 %488
  %495 = getelementptr [4 x i8], ptr addrspace(1) %485, i64 %488
  %496 = getelementptr [4 x i8], ptr addrspace(1) %487, i64 %488
  %497 = shl nuw nsw i32 %12, 4
  %498 = and i32 %497, 384
  %499 = and i32 %82, 528
  %500 = icmp eq i32 %.pre-phi, 0
  %501 = select i1 %500, i32 0, i32 4160
  %502 = and i32 %12, 4
  %503 = icmp eq i32 %502, 0
  %504 = select i1 %503, i32 0, i32 2080
  %505 = or disjoint i32 %498, %499
  %506 = xor i32 %504, %.pre-phi68
  %507 = or disjoint i32 %505, %501
  %508 = or disjoint i32 %507, %506
  %509 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %508
  %510 = insertelement <4 x float> poison, float %419, i64 0
  %511 = insertelement <4 x float> %510, float %420, i64 1
  %512 = insertelement <4 x float> %511, float %421, i64 2
  %513 = insertelement <4 x float> %512, float %422, i64 3
  store <4 x float> %513, ptr addrspace(3) %509, align 16
  %514 = getelementptr inbounds nuw i8, ptr addrspace(3) %509, i32 1024
  %515 = insertelement <4 x float> poison, float %427, i64 0
  %516 = insertelement <4 x float> %515, float %428, i64 1
  %517 = insertelement <4 x float> %516, float %429, i64 2
  %518 = insertelement <4 x float> %517, float %430, i64 3
  store <4 x float> %518, ptr addrspace(3) %514, align 16
  %519 = xor i32 %508, 64
  %520 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %519
  %521 = insertelement <4 x float> poison, float %423, i64 0
  %522 = insertelement <4 x float> %521, float %424, i64 1
  %523 = insertelement <4 x float> %522, float %425, i64 2
  %524 = insertelement <4 x float> %523, float %426, i64 3
  store <4 x float> %524, ptr addrspace(3) %520, align 16
  %525 = getelementptr inbounds nuw i8, ptr addrspace(3) %520, i32 1024
  %526 = insertelement <4 x float> poison, float %431, i64 0
  %527 = insertelement <4 x float> %526, float %432, i64 1
  %528 = insertelement <4 x float> %527, float %433, i64 2
  %529 = insertelement <4 x float> %528, float %434, i64 3
  store <4 x float> %529, ptr addrspace(3) %525, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %530 = shl nuw nsw i32 %13, 4
  %531 = and i32 %.pre-phi70, 384
  %532 = shl nuw nsw i32 %12, 7
  %533 = and i32 %532, 1024
  %534 = icmp eq i32 %.pre-phi72, 0
  %535 = select i1 %534, i32 0, i32 2080
  %536 = or disjoint i32 %530, %531
  %537 = xor i32 %536, %535
  %538 = or disjoint i32 %537, %533
  %539 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %538
  %540 = load <4 x i32>, ptr addrspace(3) %539, align 16
  %541 = getelementptr inbounds nuw i8, ptr addrspace(3) %539, i32 512
  %542 = load <4 x i32>, ptr addrspace(3) %541, align 16
  %543 = xor i32 %538, 4160
  %544 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %543
  %545 = load <4 x i32>, ptr addrspace(3) %544, align 16
  %546 = getelementptr inbounds nuw i8, ptr addrspace(3) %544, i32 512
  %547 = load <4 x i32>, ptr addrspace(3) %546, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %548 = insertelement <4 x float> poison, float %435, i64 0
  %549 = insertelement <4 x float> %548, float %436, i64 1
  %550 = insertelement <4 x float> %549, float %437, i64 2
  %551 = insertelement <4 x float> %550, float %438, i64 3
  store <4 x float> %551, ptr addrspace(3) %509, align 16
  %552 = insertelement <4 x float> poison, float %443, i64 0
  %553 = insertelement <4 x float> %552, float %444, i64 1
  %554 = insertelement <4 x float> %553, float %445, i64 2
  %555 = insertelement <4 x float> %554, float %446, i64 3
  store <4 x float> %555, ptr addrspace(3) %514, align 16
  %556 = insertelement <4 x float> poison, float %439, i64 0
  %557 = insertelement <4 x float> %556, float %440, i64 1
  %558 = insertelement <4 x float> %557, float %441, i64 2
  %559 = insertelement <4 x float> %558, float %442, i64 3
  store <4 x float> %559, ptr addrspace(3) %520, align 16
  %560 = insertelement <4 x float> poison, float %447, i64 0
  %561 = insertelement <4 x float> %560, float %448, i64 1
  %562 = insertelement <4 x float> %561, float %449, i64 2
  %563 = insertelement <4 x float> %562, float %450, i64 3
  store <4 x float> %563, ptr addrspace(3) %525, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %564 = load <4 x i32>, ptr addrspace(3) %539, align 16
  %565 = load <4 x i32>, ptr addrspace(3) %541, align 16
  %566 = load <4 x i32>, ptr addrspace(3) %544, align 16
  %567 = load <4 x i32>, ptr addrspace(3) %546, align 16
  %.extract = extractelement <4 x i32> %540, i64 0
  %.extract33 = extractelement <4 x i32> %540, i64 1
  %.extract34 = extractelement <4 x i32> %545, i64 0
  %.extract35 = extractelement <4 x i32> %545, i64 1
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract, i32 %.extract33, i32 %.extract34, i32 %.extract35, ptr addrspace(1) %489) #2
  %.extract36 = extractelement <4 x i32> %540, i64 2
  %.extract37 = extractelement <4 x i32> %540, i64 3
  %.extract38 = extractelement <4 x i32> %545, i64 2
  %.extract39 = extractelement <4 x i32> %545, i64 3
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract36, i32 %.extract37, i32 %.extract38, i32 %.extract39, ptr addrspace(1) %490) #2
  %.extract40 = extractelement <4 x i32> %542, i64 0
  %.extract41 = extractelement <4 x i32> %542, i64 1
  %.extract42 = extractelement <4 x i32> %547, i64 0
  %.extract43 = extractelement <4 x i32> %547, i64 1
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract40, i32 %.extract41, i32 %.extract42, i32 %.extract43, ptr addrspace(1) %491) #2
  %.extract44 = extractelement <4 x i32> %542, i64 2
  %.extract45 = extractelement <4 x i32> %542, i64 3
  %.extract46 = extractelement <4 x i32> %547, i64 2
  %.extract47 = extractelement <4 x i32> %547, i64 3
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract44, i32 %.extract45, i32 %.extract46, i32 %.extract47, ptr addrspace(1) %492) #2
  %.extract48 = extractelement <4 x i32> %564, i64 0
  %.extract49 = extractelement <4 x i32> %564, i64 1
  %.extract50 = extractelement <4 x i32> %566, i64 0
  %.extract51 = extractelement <4 x i32> %566, i64 1
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract48, i32 %.extract49, i32 %.extract50, i32 %.extract51, ptr addrspace(1) %493) #2
  %.extract52 = extractelement <4 x i32> %564, i64 2
  %.extract53 = extractelement <4 x i32> %564, i64 3
  %.extract54 = extractelement <4 x i32> %566, i64 2
  %.extract55 = extractelement <4 x i32> %566, i64 3
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract52, i32 %.extract53, i32 %.extract54, i32 %.extract55, ptr addrspace(1) %494) #2
  %.extract56 = extractelement <4 x i32> %565, i64 0
  %.extract57 = extractelement <4 x i32> %565, i64 1
  %.extract58 = extractelement <4 x i32> %567, i64 0
  %.extract59 = extractelement <4 x i32> %567, i64 1
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract56, i32 %.extract57, i32 %.extract58, i32 %.extract59, ptr addrspace(1) %495) #2
  %.extract60 = extractelement <4 x i32> %565, i64 2
  %.extract61 = extractelement <4 x i32> %565, i64 3
  %.extract62 = extractelement <4 x i32> %567, i64 2
  %.extract63 = extractelement <4 x i32> %567, i64 3
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract60, i32 %.extract61, i32 %.extract62, i32 %.extract63, ptr addrspace(1) %496) #2
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

attributes #0 = { nounwind "nvvm.reqntid"="128" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { convergent nocallback nofree nounwind memory(argmem: read) }

!llvm.module.flags = !{!2, !3}

!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
