"""Compiles block-scaled GEMMs with CuTe's Python DSL for a chip that need not be there.

Usage: cute_gemm.py DIR CAPABILITY NAME…

NAME is e2m1_ue4m3, of 128 x 128 x 256 with 4 warps and one that copies, 2 stages, operands row by row and scales in
the order of CUTLASS's blocks of 128 rows; `_128` behind it makes that 128 deep with 4 stages. Sizes are arguments.

Writes DIR/NAME.cubin and prints one JSON object a line: name, CPU seconds of the compilation with its children and
without the import of the DSL, registers and spilled bytes as far as the cubin tells them. A compilation that fails has
`error` instead.
"""

from cute_compile import compile_all  # Before the DSL, which reads what this sets.

import cutlass  # noqa: E402
import cutlass.pipeline as pipeline  # noqa: E402
import cutlass.utils.blackwell_helpers as helpers  # noqa: E402
import cutlass.utils.blockscaled_layout as scale_layouts  # noqa: E402
import cutlass.utils.hopper_helpers as shared_layouts  # noqa: E402
from cutlass import cute, memory, tensor_utils  # noqa: E402
from cutlass.cute.nvgpu import cpasync, warp, warpgroup  # noqa: E402

CODE, SCALE, SUM, RESULT = cutlass.Float4E2M1FN, cutlass.Float8E4M3FN, cutlass.Float32, cutlass.BFloat16
ROWS, BLOCK, WARPS = 128, 16, 4


class Gemm:
    """C = A · Bᵀ."""

    def __init__(self, depth, stages):
        self.tile, self.stages = (ROWS, ROWS, depth), stages

    @cute.jit
    def __call__(self, a: cute.Pointer, b: cute.Pointer, a_scales: cute.Pointer, b_scales: cute.Pointer, c: cute.Pointer,
                 m: cutlass.Int32, n: cutlass.Int32, k: cutlass.Int32):
        depth = cute.assume(k, 64)
        left = cute.make_tensor(a, cute.make_layout((m, depth, 1), stride=(depth, 1, m * depth)))
        right = cute.make_tensor(b, cute.make_layout((n, depth, 1), stride=(depth, 1, n * depth)))
        result = cute.make_tensor(c, cute.make_layout((m, n), stride=(cute.assume(n, 8), 1)))
        left_scales = cute.make_tensor(a_scales, scale_layouts.tile_atom_to_shape_SF(left.shape, BLOCK))
        right_scales = cute.make_tensor(b_scales, scale_layouts.tile_atom_to_shape_SF(right.shape, BLOCK))

        mma = cute.make_tiled_mma(warp.MmaMXF4NVF4Op(CODE, SUM, SCALE), cute.make_layout((2, 2, 1)),
                                  permutation_mnk=helpers.get_permutation_mnk(self.tile, BLOCK, False))
        atom = warpgroup.make_smem_layout_atom(
            shared_layouts.get_smem_layout_atom(tensor_utils.LayoutEnum.ROW_MAJOR, CODE, self.tile[2]), CODE)
        codes = cute.tile_to_shape(atom, (ROWS, self.tile[2], self.stages), order=(0, 1, 2))
        of_left = scale_layouts.sm120_make_smem_layout_sfa(mma, self.tile, BLOCK, self.stages)
        of_right = scale_layouts.sm120_make_smem_layout_sfb(mma, self.tile, BLOCK, self.stages)

        copy, box = cpasync.CopyBulkTensorTileG2SOp(), (ROWS, self.tile[2])
        one = cute.slice_(codes, (None, None, 0))
        one_left, one_right = (cute.slice_(layout, (None, None, 0)) for layout in (of_left, of_right))
        copies = [cpasync.make_tiled_tma_atom(copy, left, one, box), cpasync.make_tiled_tma_atom(copy, right, one, box),
                  cpasync.make_tiled_tma_atom(copy, left_scales, one_left, box, internal_type=cutlass.Int16),
                  cpasync.make_tiled_tma_atom(copy, right_scales, one_right, box, internal_type=cutlass.Int16)]
        self.bytes = (2 * cute.size_in_bytes(CODE, one) + cute.size_in_bytes(SCALE, one_left)
                      + cute.size_in_bytes(SCALE, one_right))
        self.kernel(mma, *copies[0], *copies[1], *copies[2], *copies[3], result, codes, of_left, of_right).launch(
            grid=(cute.ceil_div(n, ROWS), cute.ceil_div(m, ROWS), 1), block=(32 * (WARPS + 1), 1, 1))

    def partition(self, tensor, copy, shared, at):
        tile = cute.local_tile(tensor, (ROWS, self.tile[2]), (at, None, 0))
        to, source = cpasync.tma_partition(copy, 0, cute.make_layout(1), cute.group_modes(shared, 0, 2),
                                           cute.group_modes(tile, 0, 2))
        return copy, cute.filter_zeros(source), cute.filter_zeros(to)

    def load(self, copy, source, target, is_scales):
        if is_scales:
            source, target = cute.filter_zeros(source), cute.filter_zeros(target)
        cute.copy(copy, source, target)

    @cute.kernel
    def kernel(self, mma: cute.TiledMma, copy_a: cute.CopyAtom, a: cute.Tensor, copy_b: cute.CopyAtom, b: cute.Tensor,
               copy_sa: cute.CopyAtom, sa: cute.Tensor, copy_sb: cute.CopyAtom, sb: cute.Tensor, c: cute.Tensor,
               codes: cute.ComposedLayout, of_left: cute.Layout, of_right: cute.Layout):
        thread, _, _ = cute.arch.thread_idx()
        column, row, _ = cute.arch.block_idx()
        warp_number = cute.arch.make_warp_uniform(cute.arch.warp_idx())
        pool = memory.SmemAllocator()
        barriers = pool.allocate_array(cutlass.Int64, 2 * self.stages)
        shared = [pool.allocate_tensor(CODE, codes.outer, byte_alignment=1024, swizzle=codes.inner) for _ in range(2)]
        shared += [pool.allocate_tensor(SCALE, layout, byte_alignment=1024) for layout in (of_left, of_right)]
        ring = pipeline.PipelineTmaAsync.create(
            barrier_storage=barriers, num_stages=self.stages, tx_count=self.bytes,
            producer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread),
            consumer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, WARPS),
            cta_layout_vmnk=cute.make_layout((1, 1, 1, 1)))

        parts = [self.partition(a, copy_a, shared[0], row), self.partition(b, copy_b, shared[1], column),
                 self.partition(sa, copy_sa, shared[2], row), self.partition(sb, copy_sb, shared[3], column)]
        steps = cute.ceil_div(cute.size(a, mode=[1]), self.tile[2])

        if warp_number == WARPS:
            state = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, self.stages)
            for step in cutlass.range(steps, unroll=1):
                ring.producer_acquire(state)
                for number in cutlass.range_constexpr(4):
                    cute.copy(parts[number][0], parts[number][1][None, step], parts[number][2][None, state.index],
                              tma_bar_ptr=ring.producer_get_barrier(state))
                ring.producer_commit(state)
                state.advance()
            ring.producer_tail(state)
        else:
            own = mma.get_slice(thread)
            sums = mma.make_fragment_C(own.partition_shape_C(self.tile[:2]))
            sums.fill(0.0)
            left = own.make_fragment_A(own.partition_A(shared[0])[None, None, None, 0])
            right = own.make_fragment_B(own.partition_B(shared[1])[None, None, None, 0])
            left_scales = helpers.partition_fragment_SFA(shared[2][None, None, 0], own, thread)
            right_scales = helpers.partition_fragment_SFB(shared[3][None, None, 0], own, thread)
            matrix = cute.make_copy_atom(warp.LdMatrix8x8x16bOp(False, 4), CODE)
            plain = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), SCALE)
            order = mma.permutation_mnk
            loads = [cute.make_tiled_copy_A(matrix, mma), cute.make_tiled_copy_B(matrix, mma),
                     cute.make_tiled_copy(plain, helpers.get_layoutSFA_TV(mma), (cute.size(order[0]), cute.size(order[2]))),
                     cute.make_tiled_copy(plain, helpers.get_layoutSFB_TV(mma), (cute.size(order[1]), cute.size(order[2])))]
            sources = [load.get_slice(thread).partition_S(tensor) for load, tensor in zip(loads, shared)]
            views = [load.retile(one) for load, one in zip(loads, (left, right, left_scales, right_scales))]
            state = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, self.stages)
            for step in cutlass.range(steps, unroll=1):
                ring.consumer_wait(state)
                for part in cutlass.range_constexpr(self.tile[2] // 64):
                    for number in cutlass.range_constexpr(4):
                        self.load(loads[number], sources[number][None, None, part, state.index],
                                  views[number][None, None, part], number >= 2)
                    cute.gemm(mma, sums, [left[None, None, part], left_scales[None, None, part]],
                              [right[None, None, part], right_scales[None, None, part]], sums)
                ring.consumer_release(state)
                state.advance()
            place = own.partition_C(cute.local_tile(c, self.tile[:2], (row, column)))
            narrow = cute.make_fragment_like(sums, RESULT)
            narrow.store(sums.load().to(RESULT))
            cute.autovec_copy(narrow, place)


compile_all(lambda name: Gemm(*((128, 4) if name.endswith("_128") else (256, 2))), (CODE, CODE, SCALE, SCALE, RESULT),
            registers=None, spills=None)
