; Made by make_witnesses.py for sm_100; shared memory 61456
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-p101:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"

@global_smem = external addrspace(3) global [0 x i8], align 16

; Function Attrs: nounwind
define ptx_kernel void @bf16_gemm(ptr addrspace(1) %0, ptr addrspace(1) %1, ptr addrspace(1) %2, i32 %3, i32 %4, ptr addrspace(1) nofree readnone captures(none) %5, ptr addrspace(1) nofree readnone captures(none) %6) local_unnamed_addr #0 {
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = icmp samesign ult i32 %8, 32
  tail call void asm sideeffect "@$0 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$1], 32;", "b,r"(i1 %9, ptr addrspace(3) @global_smem) #6
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %10 = load i32, ptr addrspace(3) @global_smem, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  tail call void asm sideeffect "@$0 tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;", "b"(i1 %9) #6
  %11 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %12 = shl i32 %11, 7
  %13 = lshr i32 %8, 5
  %14 = lshr i32 %8, 3
  %15 = and i32 %14, 15
  %16 = or disjoint i32 %15, 16
  %17 = or disjoint i32 %15, %12
  %18 = or disjoint i32 %16, %12
  %19 = or disjoint i32 %17, 32
  %20 = or disjoint i32 %17, 48
  %21 = or disjoint i32 %17, 64
  %22 = or disjoint i32 %17, 80
  %23 = or disjoint i32 %17, 96
  %24 = or disjoint i32 %14, %12
  %25 = or i32 %24, 112
  %26 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %27 = shl nuw nsw i32 %26, 5
  %28 = and i32 %8, 7
  %29 = or disjoint i32 %15, %27
  %30 = or disjoint i32 %16, %27
  %31 = shl nuw nsw i32 %28, 3
  %32 = sdiv i32 %4, 64
  %33 = mul i32 %4, %17
  %34 = mul i32 %4, %18
  %35 = mul i32 %4, %19
  %36 = mul i32 %4, %20
  %37 = mul i32 %4, %21
  %38 = mul i32 %4, %22
  %39 = mul i32 %4, %23
  %40 = mul i32 %4, %25
  %41 = sext i32 %33 to i64
  %42 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %41
  %43 = sext i32 %34 to i64
  %44 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %43
  %45 = sext i32 %35 to i64
  %46 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %45
  %47 = sext i32 %36 to i64
  %48 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %47
  %49 = sext i32 %37 to i64
  %50 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %49
  %51 = sext i32 %38 to i64
  %52 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %51
  %53 = sext i32 %39 to i64
  %54 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %53
  %55 = sext i32 %40 to i64
  %56 = getelementptr [2 x i8], ptr addrspace(1) %0, i64 %55
  %57 = mul i32 %4, %29
  %58 = mul i32 %4, %30
  %59 = sext i32 %57 to i64
  %60 = getelementptr [2 x i8], ptr addrspace(1) %1, i64 %59
  %61 = sext i32 %58 to i64
  %62 = getelementptr [2 x i8], ptr addrspace(1) %1, i64 %61
  %63 = tail call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %13, i32 0, i32 31)
  %64 = shl i32 %63, 21
  %65 = and i32 %64, 6291456
  %66 = add i32 %65, %10
  tail call void asm sideeffect "@$0 tcgen05.st.sync.aligned.32x32b.x32.b32 [$1 + 0], {$2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33};", "b,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r"(i1 true, i32 %66, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00) #6
  tail call void @llvm.nvvm.tcgen05.wait.st()
  %67 = icmp eq i32 %13, 0
  %68 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %69 = extractvalue { i32, i1 } %68, 1
  %70 = and i1 %67, %69
  tail call void asm sideeffect "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r"(i1 %70, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 61440)) #6
  %71 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %72 = extractvalue { i32, i1 } %71, 1
  %73 = and i1 %67, %72
  tail call void asm sideeffect "@$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r"(i1 %73, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 61448)) #6
  %74 = icmp sgt i32 %4, 63
  %75 = zext nneg i32 %31 to i64
  %76 = getelementptr [2 x i8], ptr addrspace(1) %42, i64 %75
  %77 = getelementptr [2 x i8], ptr addrspace(1) %44, i64 %75
  %78 = getelementptr [2 x i8], ptr addrspace(1) %46, i64 %75
  %79 = getelementptr [2 x i8], ptr addrspace(1) %48, i64 %75
  %80 = getelementptr [2 x i8], ptr addrspace(1) %50, i64 %75
  %81 = getelementptr [2 x i8], ptr addrspace(1) %52, i64 %75
  %82 = getelementptr [2 x i8], ptr addrspace(1) %54, i64 %75
  %83 = getelementptr [2 x i8], ptr addrspace(1) %56, i64 %75
  %84 = shl nuw nsw i32 %8, 4
  %85 = and i32 %84, 2032
  %86 = shl nuw nsw i32 %8, 1
  %87 = and i32 %86, 112
  %88 = xor i32 %85, %87
  %89 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %88
  %90 = select i1 %74, i32 16, i32 0
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) %89, ptr addrspace(1) %76, i32 %90) #6
  %91 = or disjoint i32 %88, 2048
  %92 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %91
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %92, ptr addrspace(1) %77, i32 %90) #6
  %93 = or disjoint i32 %88, 4096
  %94 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %93
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %94, ptr addrspace(1) %78, i32 %90) #6
  %95 = or disjoint i32 %88, 6144
  %96 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %95
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %96, ptr addrspace(1) %79, i32 %90) #6
  %97 = or disjoint i32 %88, 8192
  %98 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %97
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %98, ptr addrspace(1) %80, i32 %90) #6
  %99 = or disjoint i32 %88, 10240
  %100 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %99
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %100, ptr addrspace(1) %81, i32 %90) #6
  %101 = or disjoint i32 %88, 12288
  %102 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %101
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %102, ptr addrspace(1) %82, i32 %90) #6
  %103 = or disjoint i32 %88, 14336
  %104 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %103
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %104, ptr addrspace(1) %83, i32 %90) #6
  tail call void @llvm.nvvm.cp.async.commit.group()
  %105 = getelementptr [2 x i8], ptr addrspace(1) %60, i64 %75
  %106 = getelementptr [2 x i8], ptr addrspace(1) %62, i64 %75
  %107 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152), i32 %88
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) %107, ptr addrspace(1) %105, i32 %90) #6
  %108 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152), i32 %91
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %108, ptr addrspace(1) %106, i32 %90) #6
  tail call void @llvm.nvvm.cp.async.commit.group()
  %109 = icmp sgt i32 %4, 127
  %110 = or disjoint i32 %31, 64
  %111 = zext nneg i32 %110 to i64
  %112 = getelementptr [2 x i8], ptr addrspace(1) %42, i64 %111
  %113 = getelementptr [2 x i8], ptr addrspace(1) %44, i64 %111
  %114 = getelementptr [2 x i8], ptr addrspace(1) %46, i64 %111
  %115 = getelementptr [2 x i8], ptr addrspace(1) %48, i64 %111
  %116 = getelementptr [2 x i8], ptr addrspace(1) %50, i64 %111
  %117 = getelementptr [2 x i8], ptr addrspace(1) %52, i64 %111
  %118 = getelementptr [2 x i8], ptr addrspace(1) %54, i64 %111
  %119 = getelementptr [2 x i8], ptr addrspace(1) %56, i64 %111
  %120 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %88
  %121 = select i1 %109, i32 16, i32 0
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) %120, ptr addrspace(1) %112, i32 %121) #6
  %122 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %91
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %122, ptr addrspace(1) %113, i32 %121) #6
  %123 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %93
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %123, ptr addrspace(1) %114, i32 %121) #6
  %124 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %95
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %124, ptr addrspace(1) %115, i32 %121) #6
  %125 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %97
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %125, ptr addrspace(1) %116, i32 %121) #6
  %126 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %99
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %126, ptr addrspace(1) %117, i32 %121) #6
  %127 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %101
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %127, ptr addrspace(1) %118, i32 %121) #6
  %128 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 16384), i32 %103
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %128, ptr addrspace(1) %119, i32 %121) #6
  tail call void @llvm.nvvm.cp.async.commit.group()
  %129 = getelementptr [2 x i8], ptr addrspace(1) %60, i64 %111
  %130 = getelementptr [2 x i8], ptr addrspace(1) %62, i64 %111
  %131 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 53248), i32 %88
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) %131, ptr addrspace(1) %129, i32 %121) #6
  %132 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 53248), i32 %91
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %132, ptr addrspace(1) %130, i32 %121) #6
  tail call void @llvm.nvvm.cp.async.commit.group()
  %133 = icmp sgt i32 %4, 191
  tail call void @llvm.nvvm.cp.async.wait.group(i32 2)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  tail call void @llvm.nvvm.fence.proxy.async.shared_cta()
  %134 = icmp eq i32 %63, 0
  %135 = and i1 %74, %134
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %135, label %136, label %165

136:                                              ; preds = %7
  %137 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %138 = extractvalue { i32, i1 } %137, 1
  %139 = lshr exact i32 ptrtoint (ptr addrspace(3) @global_smem to i32), 4
  %140 = and i32 %139, 32767
  %141 = lshr exact i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152) to i32), 4
  %142 = and i32 %141, 32767
  %143 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %140, i64 0
  %144 = bitcast <2 x i32> %143 to i64
  %145 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %142, i64 0
  %146 = bitcast <2 x i32> %145 to i64
  tail call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %10, i64 %144, i64 %146, i32 134743184, i1 false, i1 %138) #6
  %147 = add nuw nsw i32 %140, 2
  %148 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %147, i64 0
  %149 = bitcast <2 x i32> %148 to i64
  %150 = add nuw nsw i32 %142, 2
  %151 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %150, i64 0
  %152 = bitcast <2 x i32> %151 to i64
  tail call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %10, i64 %149, i64 %152, i32 134743184, i1 true, i1 %138) #6
  %153 = add nuw nsw i32 %140, 4
  %154 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %153, i64 0
  %155 = bitcast <2 x i32> %154 to i64
  %156 = add nuw nsw i32 %142, 4
  %157 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %156, i64 0
  %158 = bitcast <2 x i32> %157 to i64
  tail call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %10, i64 %155, i64 %158, i32 134743184, i1 true, i1 %138) #6
  %159 = add nuw nsw i32 %140, 6
  %160 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %159, i64 0
  %161 = bitcast <2 x i32> %160 to i64
  %162 = add nuw nsw i32 %142, 6
  %163 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %162, i64 0
  %164 = bitcast <2 x i32> %163 to i64
  tail call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %10, i64 %161, i64 %164, i32 134743184, i1 true, i1 %138) #6
  tail call void asm sideeffect "@$0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$1];", "b,r"(i1 %138, i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 61440) to i32)) #6
  br label %165

165:                                              ; preds = %136, %7
  %166 = or disjoint i32 %31, 128
  %167 = zext nneg i32 %166 to i64
  %168 = getelementptr [2 x i8], ptr addrspace(1) %42, i64 %167
  %169 = getelementptr [2 x i8], ptr addrspace(1) %44, i64 %167
  %170 = getelementptr [2 x i8], ptr addrspace(1) %46, i64 %167
  %171 = getelementptr [2 x i8], ptr addrspace(1) %48, i64 %167
  %172 = getelementptr [2 x i8], ptr addrspace(1) %50, i64 %167
  %173 = getelementptr [2 x i8], ptr addrspace(1) %52, i64 %167
  %174 = getelementptr [2 x i8], ptr addrspace(1) %54, i64 %167
  %175 = getelementptr [2 x i8], ptr addrspace(1) %56, i64 %167
  %176 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 32768), i32 %88
  %177 = select i1 %133, i32 16, i32 0
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) %176, ptr addrspace(1) %168, i32 %177) #6
  %178 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 32768), i32 %91
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %178, ptr addrspace(1) %169, i32 %177) #6
  %179 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 32768), i32 %93
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %179, ptr addrspace(1) %170, i32 %177) #6
  %180 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 32768), i32 %95
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %180, ptr addrspace(1) %171, i32 %177) #6
  %181 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 32768), i32 %97
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %181, ptr addrspace(1) %172, i32 %177) #6
  %182 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 32768), i32 %99
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %182, ptr addrspace(1) %173, i32 %177) #6
  %183 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 32768), i32 %101
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %183, ptr addrspace(1) %174, i32 %177) #6
  %184 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 32768), i32 %103
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %184, ptr addrspace(1) %175, i32 %177) #6
  tail call void @llvm.nvvm.cp.async.commit.group()
  %185 = getelementptr [2 x i8], ptr addrspace(1) %60, i64 %167
  %186 = getelementptr [2 x i8], ptr addrspace(1) %62, i64 %167
  %187 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 57344), i32 %88
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) %187, ptr addrspace(1) %185, i32 %177) #6
  %188 = getelementptr inbounds nuw i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 57344), i32 %91
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %188, ptr addrspace(1) %186, i32 %177) #6
  tail call void @llvm.nvvm.cp.async.commit.group()
  br i1 %109, label %.lr.ph, label %._crit_edge

.lr.ph:                                           ; preds = %165
  %invariant.op = or disjoint i32 %31, 192
  %189 = add nsw i32 %32, -3
  %190 = sext i32 %189 to i64
  %191 = tail call i32 @llvm.smax.i32(i32 %32, i32 2)
  %smax = add nsw i32 %191, -1
  %wide.trip.count = zext nneg i32 %smax to i64
  br label %192

192:                                              ; preds = %.lr.ph, %238
  %indvars.iv = phi i64 [ 0, %.lr.ph ], [ %indvars.iv.next, %238 ]
  %193 = phi i32 [ 0, %.lr.ph ], [ %198, %238 ]
  %194 = phi ptr addrspace(3) [ getelementptr (i8, ptr addrspace(3) @global_smem, i32 61440), %.lr.ph ], [ %203, %238 ]
  %195 = phi i32 [ 0, %.lr.ph ], [ %202, %238 ]
  %196 = phi i32 [ 2, %.lr.ph ], [ %246, %238 ]
  %197 = phi i32 [ 1, %.lr.ph ], [ %241, %238 ]
  %198 = phi i32 [ 0, %.lr.ph ], [ %243, %238 ]
  %199 = icmp slt i64 %indvars.iv, %190
  %200 = add i32 %195, 1
  %201 = icmp sgt i32 %200, 2
  %202 = select i1 %201, i32 0, i32 %200
  tail call void @llvm.nvvm.cp.async.wait.group(i32 2)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %203 = getelementptr [8 x i8], ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 61440), i32 %197
  tail call void @llvm.nvvm.fence.proxy.async.shared_cta()
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %134, label %204, label %238

204:                                              ; preds = %192
  %.idx1 = shl i32 %202, 12
  %205 = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152), i32 %.idx1
  %.idx = shl i32 %202, 14
  %206 = getelementptr i8, ptr addrspace(3) @global_smem, i32 %.idx
  %207 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %208 = extractvalue { i32, i1 } %207, 1
  %209 = ptrtoint ptr addrspace(3) %206 to i32
  %210 = lshr exact i32 %209, 4
  %211 = and i32 %210, 32767
  %212 = ptrtoint ptr addrspace(3) %205 to i32
  %213 = lshr exact i32 %212, 4
  %214 = and i32 %213, 32767
  %215 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %211, i64 0
  %216 = bitcast <2 x i32> %215 to i64
  %217 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %214, i64 0
  %218 = bitcast <2 x i32> %217 to i64
  tail call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %10, i64 %216, i64 %218, i32 134743184, i1 true, i1 %208) #6
  %219 = add nuw nsw i32 %211, 2
  %220 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %219, i64 0
  %221 = bitcast <2 x i32> %220 to i64
  %222 = add nuw nsw i32 %214, 2
  %223 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %222, i64 0
  %224 = bitcast <2 x i32> %223 to i64
  tail call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %10, i64 %221, i64 %224, i32 134743184, i1 true, i1 %208) #6
  %225 = add nuw nsw i32 %211, 4
  %226 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %225, i64 0
  %227 = bitcast <2 x i32> %226 to i64
  %228 = add nuw nsw i32 %214, 4
  %229 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %228, i64 0
  %230 = bitcast <2 x i32> %229 to i64
  tail call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %10, i64 %227, i64 %230, i32 134743184, i1 true, i1 %208) #6
  %231 = add nuw nsw i32 %211, 6
  %232 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %231, i64 0
  %233 = bitcast <2 x i32> %232 to i64
  %234 = add nuw nsw i32 %214, 6
  %235 = insertelement <2 x i32> <i32 poison, i32 1073758272>, i32 %234, i64 0
  %236 = bitcast <2 x i32> %235 to i64
  tail call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %10, i64 %233, i64 %236, i32 134743184, i1 true, i1 %208) #6
  %237 = ptrtoint ptr addrspace(3) %203 to i32
  tail call void asm sideeffect "@$0 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$1];", "b,r"(i1 %208, i32 %237) #6
  br label %238

238:                                              ; preds = %204, %192
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  tail call void asm sideeffect "\0A{\0A\09.reg .pred complete;\0A\09waitLoop:\0A\09mbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;\0A\09@!complete bra.uni waitLoop;\0A}\0A", "r,r"(ptr addrspace(3) %194, i32 %193) #6
  %239 = add i32 %197, 1
  %240 = icmp sgt i32 %239, 1
  %241 = select i1 %240, i32 0, i32 %239
  %242 = zext i1 %240 to i32
  %243 = xor i32 %198, %242
  %244 = add i32 %196, 1
  %245 = icmp sgt i32 %244, 2
  %246 = select i1 %245, i32 0, i32 %244
  %indvars.iv.tr = trunc i64 %indvars.iv to i32
  %247 = shl i32 %indvars.iv.tr, 6
  %248 = add i32 %247, %invariant.op
  %249 = sext i32 %248 to i64
  %250 = getelementptr [2 x i8], ptr addrspace(1) %42, i64 %249
  %251 = getelementptr [2 x i8], ptr addrspace(1) %44, i64 %249
  %252 = getelementptr [2 x i8], ptr addrspace(1) %46, i64 %249
  %253 = getelementptr [2 x i8], ptr addrspace(1) %48, i64 %249
  %254 = getelementptr [2 x i8], ptr addrspace(1) %50, i64 %249
  %255 = getelementptr [2 x i8], ptr addrspace(1) %52, i64 %249
  %256 = getelementptr [2 x i8], ptr addrspace(1) %54, i64 %249
  %257 = getelementptr [2 x i8], ptr addrspace(1) %56, i64 %249
  %.idx2 = shl i32 %246, 14
  %258 = getelementptr i8, ptr addrspace(3) @global_smem, i32 %.idx2
  %259 = getelementptr inbounds nuw i8, ptr addrspace(3) %258, i32 %88
  %260 = select i1 %199, i32 16, i32 0
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) %259, ptr addrspace(1) %250, i32 %260) #6
  %261 = getelementptr inbounds nuw i8, ptr addrspace(3) %258, i32 %91
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %261, ptr addrspace(1) %251, i32 %260) #6
  %262 = getelementptr inbounds nuw i8, ptr addrspace(3) %258, i32 %93
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %262, ptr addrspace(1) %252, i32 %260) #6
  %263 = getelementptr inbounds nuw i8, ptr addrspace(3) %258, i32 %95
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %263, ptr addrspace(1) %253, i32 %260) #6
  %264 = getelementptr inbounds nuw i8, ptr addrspace(3) %258, i32 %97
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %264, ptr addrspace(1) %254, i32 %260) #6
  %265 = getelementptr inbounds nuw i8, ptr addrspace(3) %258, i32 %99
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %265, ptr addrspace(1) %255, i32 %260) #6
  %266 = getelementptr inbounds nuw i8, ptr addrspace(3) %258, i32 %101
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %266, ptr addrspace(1) %256, i32 %260) #6
  %267 = getelementptr inbounds nuw i8, ptr addrspace(3) %258, i32 %103
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %267, ptr addrspace(1) %257, i32 %260) #6
  tail call void @llvm.nvvm.cp.async.commit.group()
  %268 = getelementptr [2 x i8], ptr addrspace(1) %60, i64 %249
  %269 = getelementptr [2 x i8], ptr addrspace(1) %62, i64 %249
  %.idx3 = shl i32 %246, 12
  %270 = getelementptr i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 49152), i32 %.idx3
  %271 = getelementptr inbounds nuw i8, ptr addrspace(3) %270, i32 %88
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) %271, ptr addrspace(1) %268, i32 %260) #6
  %272 = getelementptr inbounds nuw i8, ptr addrspace(3) %270, i32 %91
  tail call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) nonnull %272, ptr addrspace(1) %269, i32 %260) #6
  tail call void @llvm.nvvm.cp.async.commit.group()
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %._crit_edge, label %192

._crit_edge:                                      ; preds = %238, %165
  %.lcssa4 = phi ptr addrspace(3) [ getelementptr (i8, ptr addrspace(3) @global_smem, i32 61440), %165 ], [ %203, %238 ]
  %.lcssa = phi i32 [ 0, %165 ], [ %198, %238 ]
  br i1 %74, label %273, label %274

273:                                              ; preds = %._crit_edge
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  tail call void asm sideeffect "\0A{\0A\09.reg .pred complete;\0A\09waitLoop:\0A\09mbarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;\0A\09@!complete bra.uni waitLoop;\0A}\0A", "r,r"(ptr addrspace(3) %.lcssa4, i32 %.lcssa) #6
  br label %274

274:                                              ; preds = %273, %._crit_edge
  %275 = shl nuw nsw i32 %28, 2
  %276 = or disjoint i32 %275, %27
  %277 = inttoptr i32 %10 to ptr addrspace(6)
  tail call void @llvm.nvvm.cp.async.wait.group(i32 0)
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %278 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %279 = extractvalue { i32, i1 } %278, 1
  %280 = and i1 %67, %279
  tail call void asm sideeffect "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r"(i1 %280, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 61440)) #6
  %281 = tail call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %282 = extractvalue { i32, i1 } %281, 1
  %283 = and i1 %67, %282
  tail call void asm sideeffect "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r"(i1 %283, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @global_smem, i32 61448)) #6
  %284 = mul i32 %3, %17
  %285 = mul i32 %3, %18
  %286 = mul i32 %3, %19
  %287 = mul i32 %3, %20
  %288 = mul i32 %3, %21
  %289 = mul i32 %3, %22
  %290 = mul i32 %3, %23
  %291 = mul i32 %3, %25
  %292 = sext i32 %284 to i64
  %293 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %292
  %294 = sext i32 %285 to i64
  %295 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %294
  %296 = sext i32 %286 to i64
  %297 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %296
  %298 = sext i32 %287 to i64
  %299 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %298
  %300 = sext i32 %288 to i64
  %301 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %300
  %302 = sext i32 %289 to i64
  %303 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %302
  %304 = sext i32 %290 to i64
  %305 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %304
  %306 = sext i32 %291 to i64
  %307 = getelementptr [4 x i8], ptr addrspace(1) %2, i64 %306
  %308 = zext nneg i32 %276 to i64
  %309 = getelementptr [4 x i8], ptr addrspace(1) %293, i64 %308
  %310 = getelementptr [4 x i8], ptr addrspace(1) %295, i64 %308
  %311 = getelementptr [4 x i8], ptr addrspace(1) %297, i64 %308
  %312 = getelementptr [4 x i8], ptr addrspace(1) %299, i64 %308
  %313 = getelementptr [4 x i8], ptr addrspace(1) %301, i64 %308
  %314 = getelementptr [4 x i8], ptr addrspace(1) %303, i64 %308
  %315 = getelementptr [4 x i8], ptr addrspace(1) %305, i64 %308
  %316 = getelementptr [4 x i8], ptr addrspace(1) %307, i64 %308
  %317 = tail call { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } asm sideeffect "tcgen05.ld.sync.aligned.32x32b.x32.b32 {$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31}, [$32 + 0];", "=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,=r,r"(i32 %66) #6
  %318 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 0
  %319 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 1
  %320 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 2
  %321 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 3
  %322 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 4
  %323 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 5
  %324 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 6
  %325 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 7
  %326 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 8
  %327 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 9
  %328 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 10
  %329 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 11
  %330 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 12
  %331 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 13
  %332 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 14
  %333 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 15
  %334 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 16
  %335 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 17
  %336 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 18
  %337 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 19
  %338 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 20
  %339 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 21
  %340 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 22
  %341 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 23
  %342 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 24
  %343 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 25
  %344 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 26
  %345 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 27
  %346 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 28
  %347 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 29
  %348 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 30
  %349 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 } %317, 31
  tail call void @llvm.nvvm.tcgen05.wait.ld()
  %350 = and i32 %84, 1968
  %351 = and i32 %8, 4
  %352 = icmp eq i32 %351, 0
  %353 = select i1 %352, i32 0, i32 2112
  %354 = or disjoint i32 %353, %350
  %355 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %354
  %356 = insertelement <4 x i32> poison, i32 %318, i64 0
  %357 = insertelement <4 x i32> %356, i32 %322, i64 1
  %358 = insertelement <4 x i32> %357, i32 %326, i64 2
  %359 = insertelement <4 x i32> %358, i32 %330, i64 3
  store <4 x i32> %359, ptr addrspace(3) %355, align 16
  %360 = xor i32 %354, 64
  %361 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %360
  %362 = insertelement <4 x i32> poison, i32 %334, i64 0
  %363 = insertelement <4 x i32> %362, i32 %338, i64 1
  %364 = insertelement <4 x i32> %363, i32 %342, i64 2
  %365 = insertelement <4 x i32> %364, i32 %346, i64 3
  store <4 x i32> %365, ptr addrspace(3) %361, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %366 = shl nuw nsw i32 %8, 6
  %367 = and i32 %366, 2112
  %368 = shl nuw nsw i32 %8, 5
  %369 = and i32 %368, 768
  %370 = shl nuw nsw i32 %8, 3
  %371 = and i32 %370, 48
  %372 = and i32 %86, 192
  %373 = or disjoint i32 %367, %369
  %374 = or disjoint i32 %371, %372
  %375 = xor i32 %373, %374
  %376 = getelementptr inbounds nuw i8, ptr addrspace(3) @global_smem, i32 %375
  %377 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %376)
  %378 = extractvalue { i32, i32, i32, i32 } %377, 0
  %379 = extractvalue { i32, i32, i32, i32 } %377, 1
  %380 = extractvalue { i32, i32, i32, i32 } %377, 2
  %381 = extractvalue { i32, i32, i32, i32 } %377, 3
  %382 = getelementptr inbounds nuw i8, ptr addrspace(3) %376, i32 1024
  %383 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %382)
  %384 = extractvalue { i32, i32, i32, i32 } %383, 0
  %385 = extractvalue { i32, i32, i32, i32 } %383, 1
  %386 = extractvalue { i32, i32, i32, i32 } %383, 2
  %387 = extractvalue { i32, i32, i32, i32 } %383, 3
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %388 = insertelement <4 x i32> poison, i32 %319, i64 0
  %389 = insertelement <4 x i32> %388, i32 %323, i64 1
  %390 = insertelement <4 x i32> %389, i32 %327, i64 2
  %391 = insertelement <4 x i32> %390, i32 %331, i64 3
  store <4 x i32> %391, ptr addrspace(3) %355, align 16
  %392 = insertelement <4 x i32> poison, i32 %335, i64 0
  %393 = insertelement <4 x i32> %392, i32 %339, i64 1
  %394 = insertelement <4 x i32> %393, i32 %343, i64 2
  %395 = insertelement <4 x i32> %394, i32 %347, i64 3
  store <4 x i32> %395, ptr addrspace(3) %361, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %396 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %376)
  %397 = extractvalue { i32, i32, i32, i32 } %396, 0
  %398 = extractvalue { i32, i32, i32, i32 } %396, 1
  %399 = extractvalue { i32, i32, i32, i32 } %396, 2
  %400 = extractvalue { i32, i32, i32, i32 } %396, 3
  %401 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %382)
  %402 = extractvalue { i32, i32, i32, i32 } %401, 0
  %403 = extractvalue { i32, i32, i32, i32 } %401, 1
  %404 = extractvalue { i32, i32, i32, i32 } %401, 2
  %405 = extractvalue { i32, i32, i32, i32 } %401, 3
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %406 = insertelement <4 x i32> poison, i32 %320, i64 0
  %407 = insertelement <4 x i32> %406, i32 %324, i64 1
  %408 = insertelement <4 x i32> %407, i32 %328, i64 2
  %409 = insertelement <4 x i32> %408, i32 %332, i64 3
  store <4 x i32> %409, ptr addrspace(3) %355, align 16
  %410 = insertelement <4 x i32> poison, i32 %336, i64 0
  %411 = insertelement <4 x i32> %410, i32 %340, i64 1
  %412 = insertelement <4 x i32> %411, i32 %344, i64 2
  %413 = insertelement <4 x i32> %412, i32 %348, i64 3
  store <4 x i32> %413, ptr addrspace(3) %361, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %414 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %376)
  %415 = extractvalue { i32, i32, i32, i32 } %414, 0
  %416 = extractvalue { i32, i32, i32, i32 } %414, 1
  %417 = extractvalue { i32, i32, i32, i32 } %414, 2
  %418 = extractvalue { i32, i32, i32, i32 } %414, 3
  %419 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %382)
  %420 = extractvalue { i32, i32, i32, i32 } %419, 0
  %421 = extractvalue { i32, i32, i32, i32 } %419, 1
  %422 = extractvalue { i32, i32, i32, i32 } %419, 2
  %423 = extractvalue { i32, i32, i32, i32 } %419, 3
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %424 = insertelement <4 x i32> poison, i32 %321, i64 0
  %425 = insertelement <4 x i32> %424, i32 %325, i64 1
  %426 = insertelement <4 x i32> %425, i32 %329, i64 2
  %427 = insertelement <4 x i32> %426, i32 %333, i64 3
  store <4 x i32> %427, ptr addrspace(3) %355, align 16
  %428 = insertelement <4 x i32> poison, i32 %337, i64 0
  %429 = insertelement <4 x i32> %428, i32 %341, i64 1
  %430 = insertelement <4 x i32> %429, i32 %345, i64 2
  %431 = insertelement <4 x i32> %430, i32 %349, i64 3
  store <4 x i32> %431, ptr addrspace(3) %361, align 16
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %432 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %376)
  %433 = extractvalue { i32, i32, i32, i32 } %432, 0
  %434 = extractvalue { i32, i32, i32, i32 } %432, 1
  %435 = extractvalue { i32, i32, i32, i32 } %432, 2
  %436 = extractvalue { i32, i32, i32, i32 } %432, 3
  %437 = tail call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) nonnull %382)
  %438 = extractvalue { i32, i32, i32, i32 } %437, 0
  %439 = extractvalue { i32, i32, i32, i32 } %437, 1
  %440 = extractvalue { i32, i32, i32, i32 } %437, 2
  %441 = extractvalue { i32, i32, i32, i32 } %437, 3
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %378, i32 %397, i32 %415, i32 %433, ptr addrspace(1) %309) #6
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %379, i32 %398, i32 %416, i32 %434, ptr addrspace(1) %310) #6
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %380, i32 %399, i32 %417, i32 %435, ptr addrspace(1) %311) #6
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %381, i32 %400, i32 %418, i32 %436, ptr addrspace(1) %312) #6
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %384, i32 %402, i32 %420, i32 %438, ptr addrspace(1) %313) #6
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %385, i32 %403, i32 %421, i32 %439, ptr addrspace(1) %314) #6
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %386, i32 %404, i32 %422, i32 %440, ptr addrspace(1) %315) #6
  tail call void asm sideeffect "st.global.v4.b32 [ $4 + 0 ], { $0, $1, $2, $3 };", "r,r,r,r,l"(i32 %387, i32 %405, i32 %423, i32 %441, ptr addrspace(1) %316) #6
  tail call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  tail call void asm sideeffect "@$0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 $1, 32;", "b,r"(i1 %9, ptr addrspace(6) %277) #6
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

; Function Attrs: convergent mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare { i32, i1 } @llvm.nvvm.elect.sync(i32) #5

; Function Attrs: nounwind
declare void @llvm.nvvm.cp.async.commit.group() #6

; Function Attrs: nounwind
declare void @llvm.nvvm.cp.async.wait.group(i32 immarg) #6

; Function Attrs: nocallback nounwind
declare void @llvm.nvvm.fence.proxy.async.shared_cta() #7

; Function Attrs: convergent nounwind memory(inaccessiblemem: readwrite)
declare void @llvm.nvvm.tcgen05.wait.ld() #4

; Function Attrs: convergent nocallback nofree nounwind memory(argmem: read)
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) readonly captures(none)) #8

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.all(i32) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #9

attributes #0 = { nounwind "nvvm.reqntid"="128" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }
attributes #3 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #4 = { convergent nounwind memory(inaccessiblemem: readwrite) }
attributes #5 = { convergent mustprogress nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #6 = { nounwind }
attributes #7 = { nocallback nounwind }
attributes #8 = { convergent nocallback nofree nounwind memory(argmem: read) }
attributes #9 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!2, !3}

!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
