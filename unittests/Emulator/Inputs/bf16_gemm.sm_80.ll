; Made by make_witnesses.py for sm_80; shared memory 16384
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

@global_smem = external addrspace(3) global [0 x i8], align 16

; Function Attrs: nounwind
define ptx_kernel void @bf16_gemm(ptr addrspace(1) %0, ptr addrspace(1) %1, ptr addrspace(1) %2, i32 %3, i32 %4, ptr addrspace(1) nofree readnone captures(none) %5, ptr addrspace(1) nofree readnone captures(none) %6) local_unnamed_addr #0 {
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = shl i32 %8, 6
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = lshr i32 %10, 2
  %12 = and i32 %11, 31
  %13 = or disjoint i32 %12, 32
  %14 = and i32 %10, 15
  %15 = or disjoint i32 %12, %9
  %16 = or disjoint i32 %13, %9
  %17 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %18 = shl nuw nsw i32 %17, 6
  %19 = or disjoint i32 %12, %18
  %20 = or disjoint i32 %13, %18
  %21 = shl nuw nsw i32 %10, 3
  %22 = and i32 %21, 24
  %23 = mul i32 %4, %15
  %24 = mul i32 %4, %16
  %25 = sext i32 %23 to i64
  %26 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %25
  %27 = sext i32 %24 to i64
  %28 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %27
  %29 = mul i32 %4, %19
  %30 = mul i32 %4, %20
  %31 = sext i32 %29 to i64
  %32 = getelementptr [2 x i8], ptr addrspace(1) %1, i64 %31
  %33 = sext i32 %30 to i64
  %34 = getelementptr [2 x i8], ptr addrspace(1) %1, i64 %33
  %35 = icmp sgt i32 %4, 31
  %36 = zext nneg i32 %22 to i64
  %37 = getelementptr [2 x i8], ptr addrspace(1) %26, i64 %36
  %38 = getelementptr [2 x i8], ptr addrspace(1) %28, i64 %36
  %39 = shl nuw nsw i32 %10, 4
  %40 = and i32 %39, 2032
  %41 = and i32 %10, 24
  %42 = shl nuw nsw i32 %41, 1
  %43 = xor i32 %40, %42
  %44 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %43
  %45 = select i1 %35, i32 16, i32 0
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) %44, ptr addrspace(1) %37, i32 %45) #2
  %46 = or disjoint i32 %43, 2048
  %47 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %46
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %47, ptr addrspace(1) %38, i32 %45) #2
  tail call void @llvm.nvvm.cp.async.commit.group()
  %48 = getelementptr [2 x i8], ptr addrspace(1) %32, i64 %36
  %49 = getelementptr [2 x i8], ptr addrspace(1) %34, i64 %36
  %50 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %43
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) %50, ptr addrspace(1) %48, i32 %45) #2
  %51 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %46
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %51, ptr addrspace(1) %49, i32 %45) #2
  tail call void @llvm.nvvm.cp.async.commit.group()
  %52 = icmp sgt i32 %4, 63
  %53 = or disjoint i32 %22, 32
  %54 = zext nneg i32 %53 to i64
  %55 = getelementptr [2 x i8], ptr addrspace(1) %26, i64 %54
  %56 = getelementptr [2 x i8], ptr addrspace(1) %28, i64 %54
  %57 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %43
  %58 = select i1 %52, i32 16, i32 0
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) %57, ptr addrspace(1) %55, i32 %58) #2
  %59 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 4096), i32 %46
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %59, ptr addrspace(1) %56, i32 %58) #2
  tail call void @llvm.nvvm.cp.async.commit.group()
  %60 = getelementptr [2 x i8], ptr addrspace(1) %32, i64 %54
  %61 = getelementptr [2 x i8], ptr addrspace(1) %34, i64 %54
  %62 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 12288), i32 %43
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) %62, ptr addrspace(1) %60, i32 %58) #2
  %63 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 12288), i32 %46
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %63, ptr addrspace(1) %61, i32 %58) #2
  tail call void @llvm.nvvm.cp.async.commit.group()
  br i1 %35, label %.lr.ph, label %.._crit_edge_crit_edge

.._crit_edge_crit_edge:                           ; preds = %7
  %.pre = and i32 %10, 16
  br label %._crit_edge

.lr.ph:                                           ; preds = %7
  %invariant.op = or disjoint i32 %22, 64
  %64 = lshr i32 %4, 5
  %65 = add nsw i32 %64, -2
  %66 = shl nuw nsw i32 %14, 6
  %67 = and i32 %21, 48
  %68 = and i32 %10, 16
  %69 = and i32 %39, 1024
  %70 = or disjoint i32 %66, %67
  %71 = xor i32 %70, %68
  %72 = or disjoint i32 %71, %69
  %73 = xor i32 %72, 32
  %74 = shl nuw nsw i32 %10, 6
  %75 = and i32 %74, 448
  %76 = and i32 %39, 512
  %77 = or disjoint i32 %75, %67
  %78 = xor i32 %77, %42
  %invariant.gep = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %76
  %invariant.gep64 = getelementptr i8, ptr addrspace(3) %invariant.gep, i32 %78
  %79 = sext i32 %65 to i64
  %wide.trip.count = zext nneg i32 %64 to i64
  br label %80

80:                                               ; preds = %.lr.ph, %80
  %indvars.iv = phi i64 [ 0, %.lr.ph ], [ %indvars.iv.next, %80 ]
  %81 = phi i32 [ -1, %.lr.ph ], [ %118, %80 ]
  %82 = phi i32 [ 1, %.lr.ph ], [ %250, %80 ]
  %83 = phi float [ 0.000000e+00, %.lr.ph ], [ %209, %80 ]
  %84 = phi float [ 0.000000e+00, %.lr.ph ], [ %210, %80 ]
  %85 = phi float [ 0.000000e+00, %.lr.ph ], [ %211, %80 ]
  %86 = phi float [ 0.000000e+00, %.lr.ph ], [ %212, %80 ]
  %87 = phi float [ 0.000000e+00, %.lr.ph ], [ %214, %80 ]
  %88 = phi float [ 0.000000e+00, %.lr.ph ], [ %215, %80 ]
  %89 = phi float [ 0.000000e+00, %.lr.ph ], [ %216, %80 ]
  %90 = phi float [ 0.000000e+00, %.lr.ph ], [ %217, %80 ]
  %91 = phi float [ 0.000000e+00, %.lr.ph ], [ %219, %80 ]
  %92 = phi float [ 0.000000e+00, %.lr.ph ], [ %220, %80 ]
  %93 = phi float [ 0.000000e+00, %.lr.ph ], [ %221, %80 ]
  %94 = phi float [ 0.000000e+00, %.lr.ph ], [ %222, %80 ]
  %95 = phi float [ 0.000000e+00, %.lr.ph ], [ %224, %80 ]
  %96 = phi float [ 0.000000e+00, %.lr.ph ], [ %225, %80 ]
  %97 = phi float [ 0.000000e+00, %.lr.ph ], [ %226, %80 ]
  %98 = phi float [ 0.000000e+00, %.lr.ph ], [ %227, %80 ]
  %99 = phi float [ 0.000000e+00, %.lr.ph ], [ %229, %80 ]
  %100 = phi float [ 0.000000e+00, %.lr.ph ], [ %230, %80 ]
  %101 = phi float [ 0.000000e+00, %.lr.ph ], [ %231, %80 ]
  %102 = phi float [ 0.000000e+00, %.lr.ph ], [ %232, %80 ]
  %103 = phi float [ 0.000000e+00, %.lr.ph ], [ %234, %80 ]
  %104 = phi float [ 0.000000e+00, %.lr.ph ], [ %235, %80 ]
  %105 = phi float [ 0.000000e+00, %.lr.ph ], [ %236, %80 ]
  %106 = phi float [ 0.000000e+00, %.lr.ph ], [ %237, %80 ]
  %107 = phi float [ 0.000000e+00, %.lr.ph ], [ %239, %80 ]
  %108 = phi float [ 0.000000e+00, %.lr.ph ], [ %240, %80 ]
  %109 = phi float [ 0.000000e+00, %.lr.ph ], [ %241, %80 ]
  %110 = phi float [ 0.000000e+00, %.lr.ph ], [ %242, %80 ]
  %111 = phi float [ 0.000000e+00, %.lr.ph ], [ %244, %80 ]
  %112 = phi float [ 0.000000e+00, %.lr.ph ], [ %245, %80 ]
  %113 = phi float [ 0.000000e+00, %.lr.ph ], [ %246, %80 ]
  %114 = phi float [ 0.000000e+00, %.lr.ph ], [ %247, %80 ]
  %115 = icmp slt i64 %indvars.iv, %79
  %116 = add i32 %81, 1
  %117 = icmp sgt i32 %116, 1
  %118 = select i1 %117, i32 0, i32 %116
  tail call void @llvm.nvvm.cp.async.wait.group(i32 2)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %119 = shl i32 %118, 11
  %120 = getelementptr [2 x i8], ptr addrspace(3) @global_smem, i32 %119
  %121 = getelementptr inbounds nuw i8, ptr addrspace(3) %120, i32 %72
  %122 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %121)
  %123 = extractvalue { i32, i32, i32, i32 } %122, 0
  %124 = extractvalue { i32, i32, i32, i32 } %122, 1
  %125 = extractvalue { i32, i32, i32, i32 } %122, 2
  %126 = extractvalue { i32, i32, i32, i32 } %122, 3
  %127 = getelementptr inbounds nuw i8, ptr addrspace(3) %121, i32 2048
  %128 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %127)
  %129 = extractvalue { i32, i32, i32, i32 } %128, 0
  %130 = extractvalue { i32, i32, i32, i32 } %128, 1
  %131 = extractvalue { i32, i32, i32, i32 } %128, 2
  %132 = extractvalue { i32, i32, i32, i32 } %128, 3
  %133 = getelementptr inbounds nuw i8, ptr addrspace(3) %120, i32 %73
  %134 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %133)
  %135 = extractvalue { i32, i32, i32, i32 } %134, 0
  %136 = extractvalue { i32, i32, i32, i32 } %134, 1
  %137 = extractvalue { i32, i32, i32, i32 } %134, 2
  %138 = extractvalue { i32, i32, i32, i32 } %134, 3
  %139 = getelementptr inbounds nuw i8, ptr addrspace(3) %133, i32 2048
  %140 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %139)
  %141 = extractvalue { i32, i32, i32, i32 } %140, 0
  %142 = extractvalue { i32, i32, i32, i32 } %140, 1
  %143 = extractvalue { i32, i32, i32, i32 } %140, 2
  %144 = extractvalue { i32, i32, i32, i32 } %140, 3
  %gep65 = getelementptr [2 x i8], ptr addrspace(3) %invariant.gep64, i32 %119
  %145 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %gep65)
  %146 = extractvalue { i32, i32, i32, i32 } %145, 0
  %147 = extractvalue { i32, i32, i32, i32 } %145, 1
  %148 = extractvalue { i32, i32, i32, i32 } %145, 2
  %149 = extractvalue { i32, i32, i32, i32 } %145, 3
  %150 = getelementptr inbounds nuw i8, ptr addrspace(3) %gep65, i32 1024
  %151 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %150)
  %152 = extractvalue { i32, i32, i32, i32 } %151, 0
  %153 = extractvalue { i32, i32, i32, i32 } %151, 1
  %154 = extractvalue { i32, i32, i32, i32 } %151, 2
  %155 = extractvalue { i32, i32, i32, i32 } %151, 3
  %156 = getelementptr inbounds nuw i8, ptr addrspace(3) %gep65, i32 2048
  %157 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %156)
  %158 = extractvalue { i32, i32, i32, i32 } %157, 0
  %159 = extractvalue { i32, i32, i32, i32 } %157, 1
  %160 = extractvalue { i32, i32, i32, i32 } %157, 2
  %161 = extractvalue { i32, i32, i32, i32 } %157, 3
  %162 = getelementptr inbounds nuw i8, ptr addrspace(3) %gep65, i32 3072
  %163 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %162)
  %164 = extractvalue { i32, i32, i32, i32 } %163, 0
  %165 = extractvalue { i32, i32, i32, i32 } %163, 1
  %166 = extractvalue { i32, i32, i32, i32 } %163, 2
  %167 = extractvalue { i32, i32, i32, i32 } %163, 3
  %168 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %83, float %84, float %85, float %86, i32 %123, i32 %124, i32 %125, i32 %126, i32 %146, i32 %147) #2
  %169 = extractvalue { float, float, float, float } %168, 0
  %170 = extractvalue { float, float, float, float } %168, 1
  %171 = extractvalue { float, float, float, float } %168, 2
  %172 = extractvalue { float, float, float, float } %168, 3
  %173 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %87, float %88, float %89, float %90, i32 %123, i32 %124, i32 %125, i32 %126, i32 %152, i32 %153) #2
  %174 = extractvalue { float, float, float, float } %173, 0
  %175 = extractvalue { float, float, float, float } %173, 1
  %176 = extractvalue { float, float, float, float } %173, 2
  %177 = extractvalue { float, float, float, float } %173, 3
  %178 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %91, float %92, float %93, float %94, i32 %123, i32 %124, i32 %125, i32 %126, i32 %158, i32 %159) #2
  %179 = extractvalue { float, float, float, float } %178, 0
  %180 = extractvalue { float, float, float, float } %178, 1
  %181 = extractvalue { float, float, float, float } %178, 2
  %182 = extractvalue { float, float, float, float } %178, 3
  %183 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %95, float %96, float %97, float %98, i32 %123, i32 %124, i32 %125, i32 %126, i32 %164, i32 %165) #2
  %184 = extractvalue { float, float, float, float } %183, 0
  %185 = extractvalue { float, float, float, float } %183, 1
  %186 = extractvalue { float, float, float, float } %183, 2
  %187 = extractvalue { float, float, float, float } %183, 3
  %188 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %99, float %100, float %101, float %102, i32 %129, i32 %130, i32 %131, i32 %132, i32 %146, i32 %147) #2
  %189 = extractvalue { float, float, float, float } %188, 0
  %190 = extractvalue { float, float, float, float } %188, 1
  %191 = extractvalue { float, float, float, float } %188, 2
  %192 = extractvalue { float, float, float, float } %188, 3
  %193 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %103, float %104, float %105, float %106, i32 %129, i32 %130, i32 %131, i32 %132, i32 %152, i32 %153) #2
  %194 = extractvalue { float, float, float, float } %193, 0
  %195 = extractvalue { float, float, float, float } %193, 1
  %196 = extractvalue { float, float, float, float } %193, 2
  %197 = extractvalue { float, float, float, float } %193, 3
  %198 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %107, float %108, float %109, float %110, i32 %129, i32 %130, i32 %131, i32 %132, i32 %158, i32 %159) #2
  %199 = extractvalue { float, float, float, float } %198, 0
  %200 = extractvalue { float, float, float, float } %198, 1
  %201 = extractvalue { float, float, float, float } %198, 2
  %202 = extractvalue { float, float, float, float } %198, 3
  %203 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %111, float %112, float %113, float %114, i32 %129, i32 %130, i32 %131, i32 %132, i32 %164, i32 %165) #2
  %204 = extractvalue { float, float, float, float } %203, 0
  %205 = extractvalue { float, float, float, float } %203, 1
  %206 = extractvalue { float, float, float, float } %203, 2
  %207 = extractvalue { float, float, float, float } %203, 3
  %208 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %169, float %170, float %171, float %172, i32 %135, i32 %136, i32 %137, i32 %138, i32 %148, i32 %149) #2
  %209 = extractvalue { float, float, float, float } %208, 0
  %210 = extractvalue { float, float, float, float } %208, 1
  %211 = extractvalue { float, float, float, float } %208, 2
  %212 = extractvalue { float, float, float, float } %208, 3
  %213 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %174, float %175, float %176, float %177, i32 %135, i32 %136, i32 %137, i32 %138, i32 %154, i32 %155) #2
  %214 = extractvalue { float, float, float, float } %213, 0
  %215 = extractvalue { float, float, float, float } %213, 1
  %216 = extractvalue { float, float, float, float } %213, 2
  %217 = extractvalue { float, float, float, float } %213, 3
  %218 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %179, float %180, float %181, float %182, i32 %135, i32 %136, i32 %137, i32 %138, i32 %160, i32 %161) #2
  %219 = extractvalue { float, float, float, float } %218, 0
  %220 = extractvalue { float, float, float, float } %218, 1
  %221 = extractvalue { float, float, float, float } %218, 2
  %222 = extractvalue { float, float, float, float } %218, 3
  %223 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %184, float %185, float %186, float %187, i32 %135, i32 %136, i32 %137, i32 %138, i32 %166, i32 %167) #2
  %224 = extractvalue { float, float, float, float } %223, 0
  %225 = extractvalue { float, float, float, float } %223, 1
  %226 = extractvalue { float, float, float, float } %223, 2
  %227 = extractvalue { float, float, float, float } %223, 3
  %228 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %189, float %190, float %191, float %192, i32 %141, i32 %142, i32 %143, i32 %144, i32 %148, i32 %149) #2
  %229 = extractvalue { float, float, float, float } %228, 0
  %230 = extractvalue { float, float, float, float } %228, 1
  %231 = extractvalue { float, float, float, float } %228, 2
  %232 = extractvalue { float, float, float, float } %228, 3
  %233 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %194, float %195, float %196, float %197, i32 %141, i32 %142, i32 %143, i32 %144, i32 %154, i32 %155) #2
  %234 = extractvalue { float, float, float, float } %233, 0
  %235 = extractvalue { float, float, float, float } %233, 1
  %236 = extractvalue { float, float, float, float } %233, 2
  %237 = extractvalue { float, float, float, float } %233, 3
  %238 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %199, float %200, float %201, float %202, i32 %141, i32 %142, i32 %143, i32 %144, i32 %160, i32 %161) #2
  %239 = extractvalue { float, float, float, float } %238, 0
  %240 = extractvalue { float, float, float, float } %238, 1
  %241 = extractvalue { float, float, float, float } %238, 2
  %242 = extractvalue { float, float, float, float } %238, 3
  %243 = tail call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float %204, float %205, float %206, float %207, i32 %141, i32 %142, i32 %143, i32 %144, i32 %166, i32 %167) #2
  %244 = extractvalue { float, float, float, float } %243, 0
  %245 = extractvalue { float, float, float, float } %243, 1
  %246 = extractvalue { float, float, float, float } %243, 2
  %247 = extractvalue { float, float, float, float } %243, 3
  %248 = add i32 %82, 1
  %249 = icmp sgt i32 %248, 1
  %250 = select i1 %249, i32 0, i32 %248
  %indvars.iv.tr = trunc i64 %indvars.iv to i32
  %251 = shl i32 %indvars.iv.tr, 5
  %252 = add i32 %251, %invariant.op
  %253 = sext i32 %252 to i64
  %254 = getelementptr [2 x i8], ptr addrspace(1) %26, i64 %253
  %255 = getelementptr [2 x i8], ptr addrspace(1) %28, i64 %253
  %256 = shl i32 %250, 11
  %257 = getelementptr [2 x i8], ptr addrspace(3) @global_smem, i32 %256
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %258 = getelementptr inbounds nuw i8, ptr addrspace(3) %257, i32 %43
  %259 = select i1 %115, i32 16, i32 0
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) %258, ptr addrspace(1) %254, i32 %259) #2
  %260 = getelementptr inbounds nuw i8, ptr addrspace(3) %257, i32 %46
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %260, ptr addrspace(1) %255, i32 %259) #2
  tail call void @llvm.nvvm.cp.async.commit.group()
  %261 = getelementptr [2 x i8], ptr addrspace(1) %32, i64 %253
  %262 = getelementptr [2 x i8], ptr addrspace(1) %34, i64 %253
  %263 = getelementptr [2 x i8], ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 8192), i32 %256
  %264 = getelementptr inbounds nuw i8, ptr addrspace(3) %263, i32 %43
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) %264, ptr addrspace(1) %261, i32 %259) #2
  %265 = getelementptr inbounds nuw i8, ptr addrspace(3) %263, i32 %46
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %265, ptr addrspace(1) %262, i32 %259) #2
  tail call void @llvm.nvvm.cp.async.commit.group()
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %._crit_edge, label %80

._crit_edge:                                      ; preds = %80, %.._crit_edge_crit_edge
  %.pre-phi = phi i32 [ %.pre, %.._crit_edge_crit_edge ], [ %68, %80 ]
  %266 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %209, %80 ]
  %267 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %210, %80 ]
  %268 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %211, %80 ]
  %269 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %212, %80 ]
  %270 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %214, %80 ]
  %271 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %215, %80 ]
  %272 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %216, %80 ]
  %273 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %217, %80 ]
  %274 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %219, %80 ]
  %275 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %220, %80 ]
  %276 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %221, %80 ]
  %277 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %222, %80 ]
  %278 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %224, %80 ]
  %279 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %225, %80 ]
  %280 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %226, %80 ]
  %281 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %227, %80 ]
  %282 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %229, %80 ]
  %283 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %230, %80 ]
  %284 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %231, %80 ]
  %285 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %232, %80 ]
  %286 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %234, %80 ]
  %287 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %235, %80 ]
  %288 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %236, %80 ]
  %289 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %237, %80 ]
  %290 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %239, %80 ]
  %291 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %240, %80 ]
  %292 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %241, %80 ]
  %293 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %242, %80 ]
  %294 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %244, %80 ]
  %295 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %245, %80 ]
  %296 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %246, %80 ]
  %297 = phi float [ 0.000000e+00, %.._crit_edge_crit_edge ], [ %247, %80 ]
  %298 = shl nuw nsw i32 %14, 2
  %299 = or disjoint i32 %298, %18
  %300 = lshr i32 %10, 4
  %301 = or disjoint i32 %300, %9
  %302 = or i32 %301, 56
  %303 = and i32 %300, 7
  %304 = or disjoint i32 %303, %9
  %305 = or disjoint i32 %304, 48
  %306 = or disjoint i32 %304, 40
  %307 = or disjoint i32 %304, 32
  %308 = or disjoint i32 %304, 24
  %309 = or disjoint i32 %304, 16
  %310 = or disjoint i32 %304, 8
  tail call void @llvm.nvvm.cp.async.wait.group(i32 0)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %311 = mul i32 %3, %304
  %312 = mul i32 %3, %310
  %313 = mul i32 %3, %309
  %314 = mul i32 %3, %308
  %315 = mul i32 %3, %307
  %316 = mul i32 %3, %306
  %317 = mul i32 %3, %305
  %318 = mul i32 %3, %302
  %319 = sext i32 %311 to i64
  %320 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %319
  %321 = sext i32 %312 to i64
  %322 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %321
  %323 = sext i32 %313 to i64
  %324 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %323
  %325 = sext i32 %314 to i64
  %326 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %325
  %327 = sext i32 %315 to i64
  %328 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %327
  %329 = sext i32 %316 to i64
  %330 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %329
  %331 = sext i32 %317 to i64
  %332 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %331
  %333 = sext i32 %318 to i64
  %334 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %333
  %335 = zext nneg i32 %299 to i64
  %336 = getelementptr [4 x i8], ptr addrspace(1) %320, i64 %335
  %337 = getelementptr [4 x i8], ptr addrspace(1) %322, i64 %335
  %338 = getelementptr [4 x i8], ptr addrspace(1) %324, i64 %335
  %339 = getelementptr [4 x i8], ptr addrspace(1) %326, i64 %335
  %340 = getelementptr [4 x i8], ptr addrspace(1) %328, i64 %335
  %341 = getelementptr [4 x i8], ptr addrspace(1) %330, i64 %335
  %342 = getelementptr [4 x i8], ptr addrspace(1) %332, i64 %335
  %343 = getelementptr [4 x i8], ptr addrspace(1) %334, i64 %335
  %344 = shl nuw nsw i32 %41, 4
  %345 = and i32 %21, 528
  %346 = and i32 %10, 1
  %347 = icmp eq i32 %346, 0
  %348 = select i1 %347, i32 0, i32 4160
  %349 = and i32 %10, 4
  %350 = icmp eq i32 %349, 0
  %351 = select i1 %350, i32 0, i32 2080
  %352 = and i32 %10, 32
  %353 = or disjoint i32 %344, %345
  %354 = xor i32 %351, %352
  %355 = or disjoint i32 %354, %353
  %356 = or disjoint i32 %355, %348
  %357 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %356
  %358 = insertelement <4 x float> poison, float %266, i64 0
  %359 = insertelement <4 x float> %358, float %267, i64 1
  %360 = insertelement <4 x float> %359, float %268, i64 2
  %361 = insertelement <4 x float> %360, float %269, i64 3
  store <4 x float> %361, ptr addrspace(3) %357, align 16
  %362 = getelementptr inbounds nuw i8, ptr addrspace(3) %357, i32 1024
  %363 = insertelement <4 x float> poison, float %274, i64 0
  %364 = insertelement <4 x float> %363, float %275, i64 1
  %365 = insertelement <4 x float> %364, float %276, i64 2
  %366 = insertelement <4 x float> %365, float %277, i64 3
  store <4 x float> %366, ptr addrspace(3) %362, align 16
  %367 = xor i32 %356, 64
  %368 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %367
  %369 = insertelement <4 x float> poison, float %270, i64 0
  %370 = insertelement <4 x float> %369, float %271, i64 1
  %371 = insertelement <4 x float> %370, float %272, i64 2
  %372 = insertelement <4 x float> %371, float %273, i64 3
  store <4 x float> %372, ptr addrspace(3) %368, align 16
  %373 = getelementptr inbounds nuw i8, ptr addrspace(3) %368, i32 1024
  %374 = insertelement <4 x float> poison, float %278, i64 0
  %375 = insertelement <4 x float> %374, float %279, i64 1
  %376 = insertelement <4 x float> %375, float %280, i64 2
  %377 = insertelement <4 x float> %376, float %281, i64 3
  store <4 x float> %377, ptr addrspace(3) %373, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %378 = and i32 %39, 112
  %379 = shl nuw nsw i32 %10, 2
  %380 = and i32 %379, 384
  %381 = shl nuw nsw i32 %10, 7
  %382 = and i32 %381, 1024
  %383 = icmp eq i32 %.pre-phi, 0
  %384 = select i1 %383, i32 0, i32 2080
  %385 = or disjoint i32 %378, %380
  %386 = xor i32 %385, %384
  %387 = or disjoint i32 %386, %382
  %388 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %387
  %389 = load <4 x i32>, ptr addrspace(3) %388, align 16
  %390 = getelementptr inbounds nuw i8, ptr addrspace(3) %388, i32 512
  %391 = load <4 x i32>, ptr addrspace(3) %390, align 16
  %392 = xor i32 %387, 4160
  %393 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %392
  %394 = load <4 x i32>, ptr addrspace(3) %393, align 16
  %395 = getelementptr inbounds nuw i8, ptr addrspace(3) %393, i32 512
  %396 = load <4 x i32>, ptr addrspace(3) %395, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %397 = insertelement <4 x float> poison, float %282, i64 0
  %398 = insertelement <4 x float> %397, float %283, i64 1
  %399 = insertelement <4 x float> %398, float %284, i64 2
  %400 = insertelement <4 x float> %399, float %285, i64 3
  store <4 x float> %400, ptr addrspace(3) %357, align 16
  %401 = insertelement <4 x float> poison, float %290, i64 0
  %402 = insertelement <4 x float> %401, float %291, i64 1
  %403 = insertelement <4 x float> %402, float %292, i64 2
  %404 = insertelement <4 x float> %403, float %293, i64 3
  store <4 x float> %404, ptr addrspace(3) %362, align 16
  %405 = insertelement <4 x float> poison, float %286, i64 0
  %406 = insertelement <4 x float> %405, float %287, i64 1
  %407 = insertelement <4 x float> %406, float %288, i64 2
  %408 = insertelement <4 x float> %407, float %289, i64 3
  store <4 x float> %408, ptr addrspace(3) %368, align 16
  %409 = insertelement <4 x float> poison, float %294, i64 0
  %410 = insertelement <4 x float> %409, float %295, i64 1
  %411 = insertelement <4 x float> %410, float %296, i64 2
  %412 = insertelement <4 x float> %411, float %297, i64 3
  store <4 x float> %412, ptr addrspace(3) %373, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %413 = load <4 x i32>, ptr addrspace(3) %388, align 16
  %414 = load <4 x i32>, ptr addrspace(3) %390, align 16
  %415 = load <4 x i32>, ptr addrspace(3) %393, align 16
  %416 = load <4 x i32>, ptr addrspace(3) %395, align 16
  %.extract = extractelement <4 x i32> %389, i64 0
  %.extract33 = extractelement <4 x i32> %389, i64 1
  %.extract34 = extractelement <4 x i32> %394, i64 0
  %.extract35 = extractelement <4 x i32> %394, i64 1
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract, i32 %.extract33, i32 %.extract34, i32 %.extract35, ptr addrspace(1) %336) #2
  %.extract36 = extractelement <4 x i32> %389, i64 2
  %.extract37 = extractelement <4 x i32> %389, i64 3
  %.extract38 = extractelement <4 x i32> %394, i64 2
  %.extract39 = extractelement <4 x i32> %394, i64 3
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract36, i32 %.extract37, i32 %.extract38, i32 %.extract39, ptr addrspace(1) %337) #2
  %.extract40 = extractelement <4 x i32> %391, i64 0
  %.extract41 = extractelement <4 x i32> %391, i64 1
  %.extract42 = extractelement <4 x i32> %396, i64 0
  %.extract43 = extractelement <4 x i32> %396, i64 1
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract40, i32 %.extract41, i32 %.extract42, i32 %.extract43, ptr addrspace(1) %338) #2
  %.extract44 = extractelement <4 x i32> %391, i64 2
  %.extract45 = extractelement <4 x i32> %391, i64 3
  %.extract46 = extractelement <4 x i32> %396, i64 2
  %.extract47 = extractelement <4 x i32> %396, i64 3
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract44, i32 %.extract45, i32 %.extract46, i32 %.extract47, ptr addrspace(1) %339) #2
  %.extract48 = extractelement <4 x i32> %413, i64 0
  %.extract49 = extractelement <4 x i32> %413, i64 1
  %.extract50 = extractelement <4 x i32> %415, i64 0
  %.extract51 = extractelement <4 x i32> %415, i64 1
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract48, i32 %.extract49, i32 %.extract50, i32 %.extract51, ptr addrspace(1) %340) #2
  %.extract52 = extractelement <4 x i32> %413, i64 2
  %.extract53 = extractelement <4 x i32> %413, i64 3
  %.extract54 = extractelement <4 x i32> %415, i64 2
  %.extract55 = extractelement <4 x i32> %415, i64 3
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract52, i32 %.extract53, i32 %.extract54, i32 %.extract55, ptr addrspace(1) %341) #2
  %.extract56 = extractelement <4 x i32> %414, i64 0
  %.extract57 = extractelement <4 x i32> %414, i64 1
  %.extract58 = extractelement <4 x i32> %416, i64 0
  %.extract59 = extractelement <4 x i32> %416, i64 1
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract56, i32 %.extract57, i32 %.extract58, i32 %.extract59, ptr addrspace(1) %342) #2
  %.extract60 = extractelement <4 x i32> %414, i64 2
  %.extract61 = extractelement <4 x i32> %414, i64 3
  %.extract62 = extractelement <4 x i32> %416, i64 2
  %.extract63 = extractelement <4 x i32> %416, i64 3
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %.extract60, i32 %.extract61, i32 %.extract62, i32 %.extract63, ptr addrspace(1) %343) #2
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
