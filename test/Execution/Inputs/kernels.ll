target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @double(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = shl i32 %block, 5
  %i = add i32 %first, %thread
  %from = getelementptr float, ptr addrspace(1) %x, i32 %i
  %to = getelementptr float, ptr addrspace(1) %y, i32 %i
  %value = load float, ptr addrspace(1) %from, align 4
  %doubled = fadd float %value, %value
  store float %doubled, ptr addrspace(1) %to, align 4
  ret void
}

define ptx_kernel void @never() {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp ugt i32 %thread, 7
  br i1 %some, label %there, label %end
there:
  unreachable
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
