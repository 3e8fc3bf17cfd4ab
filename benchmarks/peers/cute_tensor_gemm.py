"""Compiles block-scaled GEMMs on tensor memory with CuTe's Python DSL for a chip that need not be there.

Usage: cute_tensor_gemm.py DIR CAPABILITY NAME…

NAME is e2m1_ue4m3_ROWSxCOLUMNS, the tile of C, which is 256 deep; 256 rows are a pair's of blocks. Persistent, by roles:
one warp copies, one multiplies, four store, who overlap the next tile's products: by two accumulators, or at 256 columns
by two that share those which are read first. Sizes are arguments.

Writes DIR/NAME.cubin and prints one JSON object a line: name, CPU seconds of the compilation with its children and
without the import of the DSL, how many warps copy, multiply and store. A compilation that fails has `error` instead.
"""

import warnings

from cute_compile import CAPABILITY, compile_all  # Before the DSL, which reads what this sets.

warnings.simplefilter("ignore")
import cutlass  # noqa: E402
import cutlass.pipeline as pipeline  # noqa: E402
import cutlass.utils as utils  # noqa: E402
import cutlass.utils.blackwell_helpers as helpers  # noqa: E402
import cutlass.utils.blockscaled_layout as scale_layouts  # noqa: E402
from cutlass import cute, memory, tensor_utils  # noqa: E402
from cutlass.cute.nvgpu import OperandMajorMode, cpasync, tcgen05  # noqa: E402

CODE, SCALE, SUM, RESULT = cutlass.Float4E2M1FN, cutlass.Float8E4M3FN, cutlass.Float32, cutlass.BFloat16
BLOCK, DEPTH, PARTS = 16, 256, 4
STORING, MULTIPLYING, COPYING, WARPS = 4, 4, 5, 6
STORE_STAGES, COLUMNS, MULTIPROCESSORS = 2, 512, 148
USER = pipeline.PipelineUserType


def threads(count=1):
    return pipeline.CooperativeGroup(pipeline.Agent.Thread, count)


class Gemm:
    """C = A · Bᵀ."""

    def __init__(self, rows, columns):
        self.blocks = rows // 128
        self.tile, self.own = (rows, columns, DEPTH), (128, columns, DEPTH)
        self.cluster = (self.blocks, 1, 1)
        self.group = tcgen05.CtaGroup.TWO if self.blocks == 2 else tcgen05.CtaGroup.ONE
        # Two accumulators of 256 columns leave none for scales, so they share as many as those take.
        self.scale_columns = (128 + columns) // 32 * PARTS
        self.shares = columns == 256
        self.sum_stages = 1 if self.shares else 2
        self.sum_columns = 2 * columns - (self.scale_columns if self.shares else 0)

    def make_mma(self, group, rows, columns):
        major = OperandMajorMode.K
        return helpers.make_blockscaled_trivial_tiled_mma(CODE, CODE, major, major, SCALE, BLOCK, group, (rows, columns))

    @cute.jit
    def __call__(self, a: cute.Pointer, b: cute.Pointer, a_scales: cute.Pointer, b_scales: cute.Pointer, c: cute.Pointer,
                 m: cutlass.Int32, n: cutlass.Int32, k: cutlass.Int32):
        depth = cute.assume(k, 32)
        left = cute.make_tensor(a, cute.make_layout((m, depth, 1), stride=(depth, 1, m * depth)))
        right = cute.make_tensor(b, cute.make_layout((n, depth, 1), stride=(depth, 1, n * depth)))
        result = cute.make_tensor(c, cute.make_layout((m, n, 1), stride=(cute.assume(n, 8), 1, m * n)))
        left_scales = cute.make_tensor(a_scales, scale_layouts.tile_atom_to_shape_SF(left.shape, BLOCK))
        right_scales = cute.make_tensor(b_scales, scale_layouts.tile_atom_to_shape_SF(right.shape, BLOCK))

        mma = self.make_mma(self.group, *self.tile[:2])
        # Each block of a pair has the scales of all columns.
        each = self.make_mma(tcgen05.CtaGroup.ONE, *self.own[:2])
        places = [cute.tiled_divide(cute.make_layout(self.cluster), (one.thr_id.shape,)) for one in (mma, each)]

        def make_layouts(stages):
            return [helpers.make_smem_layout_a(mma, self.tile, CODE, stages),
                    helpers.make_smem_layout_b(mma, self.tile, CODE, stages),
                    scale_layouts.make_smem_layout_sfa(mma, self.tile, BLOCK, stages),
                    scale_layouts.make_smem_layout_sfb(mma, self.tile, BLOCK, stages)]

        kinds = (CODE, CODE, SCALE, SCALE)
        row_major = tensor_utils.LayoutEnum.ROW_MAJOR
        part = helpers.compute_epilogue_tile_shape(self.own, self.blocks == 2, row_major, RESULT)
        of_result = helpers.make_smem_layout_epi(RESULT, row_major, part, STORE_STAGES)
        stage_bytes = sum(cute.size_in_bytes(kind, layout) for kind, layout in zip(kinds, make_layouts(1)))
        room = memory.SmemAllocator.capacity_in_bytes(f"sm_{CAPABILITY}") - 2048
        self.stages = (room - cute.size_in_bytes(RESULT, of_result)) // stage_bytes
        self.bytes = stage_bytes * self.blocks
        layouts = make_layouts(self.stages)
        firsts = [cute.slice_(layout, (None, None, None, 0)) for layout in layouts]

        by_rows = helpers.cluster_shape_to_tma_atom_A(self.cluster[:2], mma.thr_id)
        by_lines = helpers.cluster_shape_to_tma_atom_B(self.cluster[:2], mma.thr_id)
        by_all = helpers.cluster_shape_to_tma_atom_SFB(self.cluster[:2], mma.thr_id)
        copies = [
            cute.nvgpu.make_tiled_tma_atom_A(by_rows, left, firsts[0], self.tile, mma, places[0].shape),
            cute.nvgpu.make_tiled_tma_atom_B(by_lines, right, firsts[1], self.tile, mma, places[0].shape),
            cute.nvgpu.make_tiled_tma_atom_A(by_rows, left_scales, firsts[2], self.tile, mma, places[0].shape,
                                             internal_type=cutlass.Int16),
            cute.nvgpu.make_tiled_tma_atom_B(by_all, right_scales, firsts[3], self.own, each, places[1].shape,
                                             internal_type=cutlass.Int16)]
        store = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileS2GOp(), result,
                                            cute.slice_(of_result, (None, None, 0)), part)
        tiles = cute.zipped_divide(result, tiler=self.own[:2])[(0, (None, None, None))].shape
        order = utils.PersistentTileSchedulerParams(tiles, self.cluster)
        grid = utils.StaticPersistentTileScheduler.get_grid_shape(order, MULTIPROCESSORS // self.blocks)
        self.kernel(mma, each, *copies[0], *copies[1], *copies[2], *copies[3], *store, *places, *layouts, of_result, part,
                    order).launch(grid=grid, block=(32 * WARPS, 1, 1), cluster=self.cluster, min_blocks_per_mp=1)

    def share(self, copy, tensor, shared, slice_of, tile, place, at, keep, partition):
        """Of an array, what this block copies; and where to."""
        parts = partition(slice_of)(cute.local_tile(tensor, tile, (None, None, None)))
        layout = cute.make_layout(cute.slice_(place, keep).shape)
        to, source = cpasync.tma_partition(copy, at, layout, cute.group_modes(shared, 0, 3), cute.group_modes(parts, 0, 3))
        return cute.filter_zeros(source), cute.filter_zeros(to)

    def copy_scales(self, shared, tensor):
        """From shared to tensor memory."""
        source, target = cute.filter_zeros(shared), cute.filter_zeros(tensor)
        copy = tcgen05.make_s2t_copy(cute.make_copy_atom(tcgen05.Cp4x32x128bOp(self.group), SCALE), target)
        one = copy.get_slice(0)
        return copy, tcgen05.get_s2t_smem_desc_tensor(copy, one.partition_S(source)), one.partition_D(target)

    @cute.kernel
    def kernel(self, mma: cute.TiledMma, each: cute.TiledMma, copy_a: cute.CopyAtom, a: cute.Tensor, copy_b: cute.CopyAtom,
               b: cute.Tensor, copy_sa: cute.CopyAtom, sa: cute.Tensor, copy_sb: cute.CopyAtom, sb: cute.Tensor,
               store_c: cute.CopyAtom, c: cute.Tensor, places: cute.Layout, places_of_each: cute.Layout,
               of_a: cute.ComposedLayout, of_b: cute.ComposedLayout, of_sa: cute.Layout, of_sb: cute.Layout,
               of_c: cute.ComposedLayout, part: cute.Tile, order: utils.PersistentTileSchedulerParams):
        warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())
        thread, _, _ = cute.arch.thread_idx()
        half = cute.arch.block_idx()[0] % self.blocks
        leads = half == 0
        rank = cute.arch.make_warp_uniform(cute.arch.block_idx_in_cluster())
        place, place_of_each = places.get_flat_coord(rank), places_of_each.get_flat_coord(rank)

        pool = memory.SmemAllocator()
        full = pool.allocate_array(cutlass.Int64, 2 * self.stages)
        summed = pool.allocate_array(cutlass.Int64, 2 * self.sum_stages)
        freed, holder = pool.allocate_array(cutlass.Int64, 1), pool.allocate_array(cutlass.Int32, 1)
        ring = pipeline.PipelineTmaUmma.create(barrier_storage=full, num_stages=self.stages, producer_group=threads(),
                                               consumer_group=threads(), tx_count=self.bytes, cta_layout_vmnk=places,
                                               defer_sync=True)
        readers = threads(32 * STORING * self.blocks)
        sums = pipeline.PipelineUmmaAsync.create(barrier_storage=summed, num_stages=self.sum_stages,
                                                 producer_group=threads(), consumer_group=readers,
                                                 cta_layout_vmnk=places, defer_sync=True)
        columns = memory.TmemAllocator(holder, is_two_cta=self.blocks == 2, two_cta_tmem_dealloc_mbar_ptr=freed,
                                       barrier_for_retrieve=pipeline.NamedBarrier(2, 32 * (STORING + 1)))
        pipeline.pipeline_init_arrive(cluster_shape_mn=self.cluster, is_relaxed=True)

        result = pool.allocate_tensor(RESULT, of_c.outer, byte_alignment=1024, swizzle=of_c.inner)
        shared = [pool.allocate_tensor(CODE, layout.outer, byte_alignment=1024, swizzle=layout.inner)
                  for layout in (of_a, of_b)]
        shared += [pool.allocate_tensor(SCALE, layout, byte_alignment=1024) for layout in (of_sa, of_sb)]
        masks = [None] * 4
        if cutlass.const_expr(self.blocks == 2):
            masks = [cpasync.create_tma_multicast_mask(at, own, mcast_mode=mode) for at, own, mode in
                     ((places, place, 2), (places, place, 1), (places, place, 2), (places_of_each, place_of_each, 1))]

        rows, lines = cute.slice_(self.tile, (None, 0, None)), cute.slice_(self.tile, (0, None, None))
        of_mma, of_each = mma.get_slice(half), each.get_slice(half)
        by_rows, by_lines = (0, 0, None, 0), (0, None, 0, 0)
        parts = [
            self.share(copy_a, a, shared[0], of_mma, rows, places, place[2], by_rows, lambda one: one.partition_A),
            self.share(copy_b, b, shared[1], of_mma, lines, places, place[1], by_lines, lambda one: one.partition_B),
            self.share(copy_sa, sa, shared[2], of_mma, rows, places, place[2], by_rows, lambda one: one.partition_A),
            self.share(copy_sb, sb, shared[3], of_each, lines, places_of_each, place_of_each[1], by_lines,
                       lambda one: one.partition_B)]
        copies = (copy_a, copy_b, copy_sa, copy_sb)
        steps = cute.ceil_div(cute.size(a, mode=[1]), DEPTH)

        fragments = [mma.make_fragment_A(shared[0]), mma.make_fragment_B(shared[1])]
        accumulators = mma.make_fragment_C(cute.append(mma.partition_shape_C(self.tile[:2]), 2))
        if cutlass.const_expr(self.shares):
            old = accumulators.layout
            apart = (self.tile[1] - self.scale_columns) * old.stride[0][1]
            overlapped = cute.make_layout(old.shape, stride=(*old.stride[:3], apart))
            accumulators = cute.make_tensor(accumulators.iterator, overlapped)
        pipeline.pipeline_init_wait(cluster_shape_mn=self.cluster)

        if warp == COPYING:
            tiles = utils.StaticPersistentTileScheduler.create(order, cute.arch.block_idx(), cute.arch.grid_dim())
            work = tiles.initial_work_tile_info()
            state = pipeline.make_pipeline_state(USER.Producer, self.stages)
            while work.is_valid_tile:
                at = (work.tile_idx[0] // self.blocks, work.tile_idx[1], work.tile_idx[0] // self.blocks, work.tile_idx[1])
                state.reset_count()
                is_free = ring.producer_try_acquire(state)
                for step in cutlass.range(steps, unroll=1):
                    ring.producer_acquire(state, is_free)
                    for number in cutlass.range_constexpr(4):
                        cute.copy(copies[number], parts[number][0][None, at[number], state.count, work.tile_idx[2]],
                                  parts[number][1][None, state.index], tma_bar_ptr=ring.producer_get_barrier(state),
                                  mcast_mask=masks[number])
                    state.advance()
                    is_free = cutlass.Boolean(1)
                    if state.count < steps:
                        is_free = ring.producer_try_acquire(state)
                tiles.advance_to_next_work()
                work = tiles.get_current_work()
            ring.producer_tail(state)

        if warp == MULTIPLYING:
            columns.wait_for_alloc()
            base = columns.retrieve_ptr(SUM)
            totals = cute.make_tensor(base, accumulators.layout)
            of_left, of_right = (cute.slice_(layout, (None, None, None, 0)) for layout in (of_sa, of_sb))
            left_scales = cute.make_tensor(cute.recast_ptr(base + self.sum_columns, dtype=SCALE),
                                           scale_layouts.make_tmem_layout_sfa(mma, self.tile, BLOCK, of_left))
            right_scales = cute.make_tensor(cute.recast_ptr(base + self.sum_columns + 128 // 32 * PARTS, dtype=SCALE),
                                            scale_layouts.make_tmem_layout_sfb(mma, self.tile, BLOCK, of_right))
            moves = [self.copy_scales(shared[2], left_scales), self.copy_scales(shared[3], right_scales)]
            tiles = utils.StaticPersistentTileScheduler.create(order, cute.arch.block_idx(), cute.arch.grid_dim())
            work = tiles.initial_work_tile_info()
            state = pipeline.make_pipeline_state(USER.Consumer, self.stages)
            of_sums = pipeline.make_pipeline_state(USER.Producer, self.sum_stages)
            while work.is_valid_tile:
                number = of_sums.phase ^ 1 if cutlass.const_expr(self.shares) else of_sums.index
                total = totals[None, None, None, number]
                state.reset_count()
                is_full = cutlass.Boolean(1)
                if leads:
                    is_full = ring.consumer_try_wait(state)
                    sums.producer_acquire(of_sums)
                for step in range(steps):
                    if leads:
                        ring.consumer_wait(state, is_full)
                        full_scales = [source[None, None, None, None, state.index] for _, source, _ in moves]
                        for number in cutlass.range_constexpr(2):
                            cute.copy(moves[number][0], full_scales[number], moves[number][2])
                        mma.set(tcgen05.Field.ACCUMULATE, step != 0)
                        now = (None, None, None, state.index)
                        cute.gemm(mma, total, [fragments[0][now], left_scales], [fragments[1][now], right_scales], total)
                        ring.consumer_release(state)
                    state.advance()
                    is_full = cutlass.Boolean(1)
                    if state.count < steps:
                        if leads:
                            is_full = ring.consumer_try_wait(state)
                if leads:
                    sums.producer_commit(of_sums)
                of_sums.advance()
                tiles.advance_to_next_work()
                work = tiles.get_current_work()
            sums.producer_tail(of_sums)

        if warp < STORING:
            columns.allocate(COLUMNS)
            columns.wait_for_alloc()
            base = columns.retrieve_ptr(SUM)
            totals = cute.flat_divide(cute.make_tensor(base, accumulators.layout)[((None, None), 0, 0, None)], part)
            row_major = tensor_utils.LayoutEnum.ROW_MAJOR
            load = helpers.get_tmem_load_op(self.own, row_major, RESULT, SUM, part, self.blocks == 2)
            load = tcgen05.make_tmem_copy(load, totals[None, None, 0, 0, 0])
            sources = load.get_slice(thread).partition_S(totals)
            whole = of_mma.partition_C(cute.local_tile(c, self.tile[:2], (None, None, None)))
            whole = cute.flat_divide(whole[((None, None), 0, 0, None, None, None)], part)
            shape = load.get_slice(thread).partition_D(whole)[None, None, None, 0, 0, 0, 0, 0].shape
            wide, narrow = cute.make_rmem_tensor(shape, SUM), cute.make_rmem_tensor(shape, RESULT)
            put = cute.make_tiled_copy_D(helpers.get_smem_store_op(row_major, RESULT, SUM, load), load)
            target = put.get_slice(thread).partition_D(result)
            stored, out = cpasync.tma_partition(store_c, 0, cute.make_layout(1), cute.group_modes(result, 0, 2),
                                                cute.group_modes(whole, 0, 2))
            meet = pipeline.NamedBarrier(1, 32 * STORING)
            stores = pipeline.PipelineTmaStore.create(num_stages=STORE_STAGES, producer_group=threads(32 * STORING))
            tiles = utils.StaticPersistentTileScheduler.create(order, cute.arch.block_idx(), cute.arch.grid_dim())
            work = tiles.initial_work_tile_info()
            of_sums = pipeline.make_pipeline_state(USER.Consumer, self.sum_stages)
            while work.is_valid_tile:
                at = (work.tile_idx[0] // self.blocks, work.tile_idx[1], work.tile_idx[2])
                number = of_sums.phase if cutlass.const_expr(self.shares) else of_sums.index
                here = cute.group_modes(sources[None, None, None, None, None, number], 3, 5)
                there = cute.group_modes(out[None, None, None, *at], 1, 3)
                sums.consumer_wait(of_sums)
                count = cute.size(here.shape, mode=[3])
                before = tiles.num_tiles_executed * count
                for turn in cutlass.range(count):
                    which = turn
                    if cutlass.const_expr(self.shares):
                        if number == 0:
                            which = count - 1 - turn
                    cute.copy(load, here[None, None, None, which], wide)
                    if cutlass.const_expr(self.shares):
                        if turn == self.scale_columns // cute.size(part[1]):
                            cute.arch.fence_view_async_tmem_load()
                            sums.consumer_release(of_sums)
                            of_sums.advance()
                    retiled = put.retile(narrow)
                    retiled.store(put.retile(wide).load().to(RESULT))
                    stage = (before + turn) % STORE_STAGES
                    cute.copy(put, retiled, target[None, None, None, stage])
                    cute.arch.fence_proxy("async.shared", space="cta")
                    meet.arrive_and_wait()
                    if warp == 0:
                        cute.copy(store_c, stored[None, stage], there[None, which])
                        stores.producer_commit()
                        stores.producer_acquire()
                    meet.arrive_and_wait()
                if cutlass.const_expr(not self.shares):
                    sums.consumer_release(of_sums)
                    of_sums.advance()
                tiles.advance_to_next_work()
                work = tiles.get_current_work()
            columns.relinquish_alloc_permit()
            meet.arrive_and_wait()
            columns.free(base)
            stores.producer_tail()


compile_all(lambda name: Gemm(*map(int, name.rsplit("_", 1)[1].split("x"))), (CODE, CODE, SCALE, SCALE, RESULT),
            warps={"copies": 1, "products": 1, "stores": STORING})
