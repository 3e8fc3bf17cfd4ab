"""How XLA splits a GEMM's custom call over devices (docs/custom-call.md, Shards).

A sharding rule tells Shardy which dimensions of operands and result go together; what it chose comes back to
`_partition`, which gives the call of one device: parts that cut no run of blocks, their places in the whole tensors
(Q8), the maximum of a whole tensor where its scale asks for it (Q5), and the sum over a contraction that is split.
"""

from __future__ import annotations

import dataclasses
import functools
import io
import itertools
import math
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from jax._src import xla_bridge
from jax.interpreters.mlir import make_ir_context
from jaxlib import xla_client
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func, sdy, stablehlo

_TARGET = "ufp4.gemm"
_SIDES = ("lhs", "rhs")


def register_partitioner() -> None:
    """Has XLA ask this module how a call is split."""
    register = functools.partial(
        xla_client.register_custom_call_partitioner,
        name=_TARGET,
        # Shardings are propagated by Shardy, which asks the rules, not these.
        prop_user_sharding=lambda sharding, shape, config: sharding,
        infer_sharding_from_operands=lambda shapes, shardings, shape, config: xla_client.HloSharding.replicate(),
        partition=_partition,
        can_side_effecting_have_replicated_sharding=True,
    )
    register()
    # Plugins, as for CUDA, have a table of their own.
    xla_bridge.register_plugin_callbacks(register)


def add_sharding_rules(module: ir.Module) -> None:
    """Marks each call that sees whole tensors, outside of manual computations, and gives it its rule."""
    functions = {op.operation.attributes["sym_name"].value: op for op in module.body if isinstance(op, func.FuncOp)}
    manual = [op.callee.value for op, inside in walk(module.operation) if inside and isinstance(op, func.CallOp)]
    for name in manual:
        callees = [op.callee.value for op, _ in walk(functions[name]) if isinstance(op, func.CallOp)]
        manual += [callee for callee in callees if callee not in manual]
    for name, function in functions.items():
        for op, inside in walk(function):
            is_call = isinstance(op, stablehlo.CustomCallOp) and op.call_target_name.value == _TARGET
            if not is_call or inside or name in manual:
                continue
            config = op.attributes["backend_config"]
            shapes = [ir.RankedTensorType(value.type).shape for value in (*op.operands, op.results[0])]
            op.attributes["sdy.sharding_rule"] = _Gemm(_parse(config), (*shapes[:2], shapes[-1])).get_rule(shapes)
            mark = {"whole": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 1)}
            op.attributes["backend_config"] = ir.DictAttr.get({named.name: named.attr for named in config} | mark)


def walk(op: Any, inside: bool = False) -> Iterator[tuple[Any, bool]]:
    """All operations in `op`, and whether they are in a manual computation."""
    for region in op.regions:
        for block in region:
            for inner in block:
                yield inner, inside
                yield from walk(inner, inside or isinstance(inner, sdy.ManualComputationOp))


def _parse(config: ir.Attribute) -> dict[str, Any]:
    """A call's attributes. Where XLA prints them, lists have become tensors."""
    values: dict[str, Any] = {}
    for named in ir.DictAttr(config):
        attr = named.attr
        if isinstance(attr, ir.StringAttr | ir.IntegerAttr):
            values[named.name] = attr.value
        else:
            values[named.name] = [int(value) for value in attr]
    return values


def _print(config: dict[str, Any]) -> str:
    def text(value: Any) -> str:
        if isinstance(value, str):
            return str(ir.StringAttr.get(value))
        if isinstance(value, int):
            return f"{value} : i64"
        return str(ir.DenseI64ArrayAttr.get(value))

    return "{" + ", ".join(f"{key} = {text(value)}" for key, value in config.items()) + "}"


def _refine(*lists: Sequence[int]) -> tuple[list[int], list[list[list[int]]]] | None:
    """The factors into which lists of extents, row-major and of one size, can all be cut, major ones first, and
    which of them make up each extent; None where they are cut across each other."""
    bounds = [list(itertools.accumulate(reversed(extents), lambda x, y: x * y, initial=1))[::-1] for extents in lists]
    cuts = sorted(set(itertools.chain(*bounds)), reverse=True)
    if any(x % y for x, y in itertools.pairwise(cuts)):
        return None
    factors = [x // y for x, y in itertools.pairwise(cuts)]
    return factors, [
        [list(range(cuts.index(x), cuts.index(y))) for x, y in itertools.pairwise(bound)] for bound in bounds
    ]


@dataclasses.dataclass(frozen=True)
class _Split:
    """A factor cut into `parts`, of which device d has number `index[d]`."""

    parts: int
    index: np.ndarray


class _Gemm:
    """A call's operands and result, their dimensions as products of common factors."""

    def __init__(self, config: dict[str, Any], shapes: Sequence[Sequence[int]]):
        self.config = config
        self.shapes = [list(shape) for shape in shapes]
        self.factors: list[int] = []
        self.contraction = range(0)
        # Of the lhs, the rhs and the result.
        self.dims: list[list[list[int]]] = [[[] for _ in shape] for shape in self.shapes]
        # Dimensions of each operand that make up G, R and K.
        self.groups: list[list[list[int]]] = []
        for side in _SIDES:
            view = iter(config[f"{side}_view"])
            self.groups.append([list(itertools.islice(view, count)) for count in config[f"{side}_groups"]])
        if any(0 in shape for shape in self.shapes):
            return
        places = [[[(side, dim) for dim in group] for group in self.groups[side]] for side in (0, 1)]
        free = places[0][1] + places[1][1]
        self._add(places[0][2], places[1][2])
        self.contraction = range(len(self.factors))
        self._add(places[0][0] + free, places[1][0] + free, [(2, dim) for dim in range(len(self.shapes[2]))])

    def _add(self, *lists: list[tuple[int, int]]) -> None:
        refined = _refine(*([self.shapes[tensor][dim] for tensor, dim in places] for places in lists))
        if refined is None:
            return
        first = len(self.factors)
        self.factors += refined[0]
        for places, dims in zip(lists, refined[1]):
            for (tensor, dim), factors in zip(places, dims):
                self.dims[tensor][dim] = [first + factor for factor in factors]

    def get_rule(self, shapes: list[list[int]]) -> ir.Attribute:
        sizes = list(self.factors)
        whole: list[int] = []
        mappings = []
        for i, shape in enumerate(shapes):
            tensor = i if i < 2 else 2 if i == len(shapes) - 1 else None
            dims = []
            for dim, extent in enumerate(shape):
                factors = [] if tensor is None else self.dims[tensor][dim]
                if not factors:
                    factors = [len(sizes)]
                    whole.append(len(sizes))
                    sizes.append(extent)
                dims.append(sdy.DimMappingAttr.get(factor_indices=factors))
            mappings.append(sdy.TensorMappingAttr.get(dim_mappings=dims))
        return sdy.OpShardingRuleAttr.get(
            factor_sizes=sizes,
            operand_mappings=mappings[:-1],
            result_mappings=mappings[-1:],
            is_custom=True,
            reduction_factors=list(self.contraction),
            need_replication_factors=whole,
        )

    def describe(self, tensor: int, dim: int) -> str:
        return f"dimension {dim} of the {(*_SIDES, 'result')[tensor]}, of {self.shapes[tensor][dim]}, is split"

    def get_run(self, side: int, group: int) -> int:
        """How many neighbours along R or K no part may cut: blocks, and the runs of a rotation."""
        if group == 0:
            return 1
        keys = ("rows",) if group == 1 else ("block", "size")
        scheme = self.config[f"{_SIDES[side]}_scheme"]
        return math.lcm(*(int(n) for key in keys for n in re.findall(rf"\b{key} = (\d+)", scheme)))

    def has_global_scale(self, side: int) -> bool:
        return "scale = ue4m3" in self.config[f"{_SIDES[side]}_scheme"]

    def cuts_run(self, splits: dict[int, _Split]) -> bool:
        for side, group in itertools.product((0, 1), (1, 2)):
            minor = 1
            for factor in reversed([f for dim in self.groups[side][group] for f in self.dims[side][dim]]):
                if factor in splits:
                    if self.factors[factor] // splits[factor].parts * minor % self.get_run(side, group):
                        return True
                    break
                minor *= self.factors[factor]
        return False

    def is_tiled(self, splits: dict[int, _Split]) -> bool:
        """Whether all parts of a dimension are slices of it and equally many devices have each part."""
        for factors in itertools.chain(*self.dims):
            parts = [splits[f].parts if f in splits else 1 for f in factors]
            split = [part > 1 for part in parts]
            last = len(split) - split[::-1].index(True) - 1 if any(split) else 0
            if any(part != self.factors[f] for part, f in zip(parts[:last], factors)):
                return False
        index, parts = _join(splits.values())
        return len(set(np.bincount(index, minlength=parts))) == 1


def _join(splits: Iterable[_Split]) -> tuple[Any, int]:
    """The number of each device's part among the parts of all splits."""
    index, parts = 0, 1
    for split in splits:
        index, parts = index * split.parts + split.index, parts * split.parts
    return index, parts


def _get_tiles(sharding: Any, rank: int, devices: int) -> list[_Split]:
    """How each dimension of a tensor is cut."""
    if not sharding.is_tiled():
        return [_Split(1, np.zeros(devices, np.int64))] * rank
    extents = sharding.tile_assignment_dimensions()
    index = np.empty(devices, np.int64)
    index[list(sharding.tile_assignment_devices())] = np.arange(devices)
    return [_Split(n, index) for n, index in zip(extents[:rank], np.unravel_index(index, extents))]


def _get_sharding(splits: list[_Split], devices: int) -> Any:
    index, parts = _join(splits)
    if parts == 1:
        return xla_client.HloSharding.replicate()
    tiles = np.argsort(index, kind="stable").astype(np.int64)
    extents = [split.parts for split in splits]
    if parts == devices:
        return xla_client.HloSharding.subgroup_with_device_ordering(tiles.reshape(extents))
    replicated = [xla_client.OpSharding.Type.REPLICATED]
    return xla_client.HloSharding.subgroup_with_device_ordering(tiles.reshape(*extents, -1), replicated)


def _choose(gemm: _Gemm, tiles: list[list[_Split]]) -> dict[int, _Split]:
    """Which factors are split, and how: by what both operands say of the contraction, what the result says, and
    what one operand says, in this order."""
    said: list[dict[int, _Split]] = []
    problems = []
    for tensor, dims in enumerate(tiles):
        own: dict[int, _Split] = {}
        for dim, tile in enumerate(dims):
            rest = tile.parts
            for factor in gemm.dims[tensor][dim]:
                parts = math.gcd(rest, gemm.factors[factor])
                rest //= parts
                if parts > 1:
                    own[factor] = _Split(parts, tile.index // rest % parts)
                if parts != gemm.factors[factor]:
                    break
            if rest > 1:
                problems.append(f"{gemm.describe(tensor, dim)} into {tile.parts} parts that are no equal slices")
        said.append(own)
    lhs, rhs, result = said
    agreed = {f: s for f, s in lhs.items() if f in gemm.contraction and f in rhs and _equal(s, rhs[f])}
    order = [*agreed.items(), *result.items(), *lhs.items(), *rhs.items()]
    chosen = _fit(gemm, order, gemm.cuts_run)
    for factor, split in _fit(gemm, order, lambda splits: False).items():
        if factor not in chosen or chosen[factor].parts < split.parts:
            tensor, dim = next((t, d) for t in (2, 1, 0) for d, own in enumerate(gemm.dims[t]) if factor in own)
            runs = max(gemm.get_run(side, group) for side in (0, 1) for group in (1, 2))
            problems.append(f"{gemm.describe(tensor, dim)} into {split.parts} parts that cut runs of {runs} elements")
    if problems:
        _warn(gemm, ", ".join(problems), "split dimensions into equal multiples of such runs, or leave them whole")
    return chosen


def _fit(
    gemm: _Gemm, order: list[tuple[int, _Split]], is_bad: Callable[[dict[int, _Split]], bool]
) -> dict[int, _Split]:
    """As many of the splits as go together, the first ones first."""
    chosen: dict[int, _Split] = {}
    for factor, split in order:
        # Fewer parts may do where that many do not.
        for parts in range(split.parts, 1, -1):
            if factor in chosen or split.parts % parts:
                continue
            trial = chosen | {factor: _Split(parts, split.index * parts // split.parts)}
            if gemm.is_tiled(trial) and not is_bad(trial):
                chosen = trial
    return chosen


def _equal(x: _Split, y: _Split) -> bool:
    return x.parts == y.parts and np.array_equal(x.index, y.index)


def _warn(gemm: _Gemm, problem: str, cure: str) -> None:
    config = gemm.config
    warnings.warn(
        f"GEMM {config['gemm']} ({config['role']} of {config['parameter'] or config['layer']}) is not divided as its"
        f" arrays are: {problem}. Devices gather them and several compute the same; {cure} (docs/custom-call.md,"
        " Shards)",
        stacklevel=2,
    )


def _get_splits(gemm: _Gemm, tensor: int, chosen: dict[int, _Split], devices: int) -> list[_Split]:
    """How each dimension of a tensor is split."""
    splits = []
    for factors in gemm.dims[tensor]:
        index, parts = _join(chosen[f] for f in factors if f in chosen)
        splits.append(_Split(parts, np.zeros(devices, np.int64) + index))
    return splits


def _group(across: Iterable[_Split], within: Iterable[_Split], devices: int) -> str:
    """Groups of devices with every part of `across` once, and one part of `within`; as an attribute's text."""
    inner, parts = _join(across)
    outer, _ = _join(within)
    order = np.lexsort((np.arange(devices), inner, np.zeros(devices, np.int64) + outer))
    # Devices that hold alike parts come one after the other.
    outers = len(set(np.atleast_1d(outer)))
    groups = order.reshape(outers, parts, -1).swapaxes(1, 2).reshape(-1, parts)
    return f"dense<{groups.tolist()}> : tensor<{groups.shape[0]}x{parts}xi64>"


class _Writer:
    """The text of one device's module."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, text: str, type: str) -> str:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"    {name} = {text} : {type}")
        return name

    def call(self, target: str, operands: list[tuple[str, str]], result: str, config: dict[str, Any]) -> str:
        names = ", ".join(name for name, _ in operands)
        types = ", ".join(type for _, type in operands)
        layouts = ", ".join(_row_major(type) for _, type in operands)
        return self.add(
            f'"stablehlo.custom_call"({names}) <{{api_version = 4 : i32, backend_config = {_print(config)},'
            f' call_target_name = "{target}", has_side_effect = false, operand_layouts = [{layouts}],'
            f" result_layouts = [{_row_major(result)}]}}>",
            f"({types}) -> {result}",
        )

    def all_reduce(self, kind: str, value: str, type: str, groups: str) -> str:
        scalar = f"tensor<{type[7:-1].split('x')[-1]}>"
        return self.add(
            f'"stablehlo.all_reduce"({value}) <{{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>,'
            f" replica_groups = {groups}, use_global_device_ids}}> ({{\n"
            f"    ^bb0(%a: {scalar}, %b: {scalar}):\n"
            f'      %c = "stablehlo.{kind}"(%a, %b) : ({scalar}, {scalar}) -> {scalar}\n'
            f'      "stablehlo.return"(%c) : ({scalar}) -> ()\n    }})',
            f"({type}) -> {type}",
        )

    def get_row(self, table: np.ndarray) -> str:
        """The row of a table that is this device's."""
        rows, width = table.shape
        constant = self.add(f"stablehlo.constant dense<{table.tolist()}>", f"tensor<{rows}x{width}xi64>")
        device = self.add("stablehlo.partition_id", "tensor<ui32>")
        zero = self.add("stablehlo.constant dense<0>", "tensor<ui32>")
        row = self.add(
            f'"stablehlo.dynamic_slice"({constant}, {device}, {zero}) <{{slice_sizes = array<i64: 1, {width}>}}>',
            f"(tensor<{rows}x{width}xi64>, tensor<ui32>, tensor<ui32>) -> tensor<1x{width}xi64>",
        )
        return self.add(f"stablehlo.reshape {row}", f"(tensor<1x{width}xi64>) -> tensor<{width}xi64>")


def _row_major(type: str) -> str:
    rank = type.count("x") if type[7].isdigit() else 0
    return f"dense<{list(range(rank))[::-1]}> : tensor<{rank}xindex>"


def _get_type(shape: Sequence[int], element: np.dtype) -> str:
    names = {"float32": "f32", "bfloat16": "bf16", "float16": "f16", "int32": "i32", "int64": "i64"}
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}{names[str(element)]}>"


def _partition(shapes: list, shardings: list, result: Any, sharding: Any, config: bytes) -> tuple[bytes, list, Any]:
    """What XLA asks: the module of one device, and the shardings of its operands and its result."""
    with make_ir_context():
        return _write(shapes, shardings, result, sharding, _parse(ir.Attribute.parse(config.decode())))


def _write(shapes: list, shardings: list, result: Any, sharding: Any, config: dict) -> tuple[bytes, list, Any]:
    devices = max(s.num_devices() for s in (*shardings, sharding))
    tensors = (*shapes[:2], result)
    gemm = _Gemm(config, [shape.dimensions() for shape in tensors])
    chosen: dict[int, _Split] = {}
    # Of what is manual over some axes, neither devices nor places are known here.
    is_whole = config.get("whole", 0)
    given = (*shardings[:2], sharding)
    if is_whole:
        chosen = _choose(gemm, [_get_tiles(s, len(t.dimensions()), devices) for s, t in zip(given, tensors)])
    elif any(s.is_tiled() for s in given):
        problem = "inside of a shard_map over some axes of the mesh, they are split over others"
        _warn(gemm, problem, "let shard_map have all axes, or none")
    splits = [_get_splits(gemm, tensor, chosen, devices) for tensor in range(3)]
    local = [[n // s.parts for n, s in zip(shape, own)] for shape, own in zip(gemm.shapes, splits)]
    types = [_get_type(shape, t.numpy_dtype()) for shape, t in zip(local, tensors)]
    arguments = types[:2] + [_get_type(t.dimensions(), t.numpy_dtype()) for t in shapes[2:]]
    operands = [(f"%arg{i}", type) for i, type in enumerate(arguments)]

    writer = _Writer()
    config = {key: value for key, value in config.items() if key != "whole"}
    offsets = []
    for i, side in enumerate(_SIDES):
        if config[f"{side}_rounding"] == "stochastic" and local[i] != gemm.shapes[i]:
            offsets += [s.index * extent for s, extent in zip(splits[i], local[i])]
        elif is_whole:
            config[f"{side}_of"] = local[i]
    if offsets:
        operands.append((writer.get_row(np.stack(offsets, axis=1)), f"tensor<{len(offsets)}xi64>"))
    for i, side in enumerate(_SIDES):
        if gemm.has_global_scale(i) and local[i] != gemm.shapes[i]:
            own = {key: config[f"{side}_{key}"] for key in ("scheme", "view", "groups")}
            maximum = writer.call("ufp4.amax", [operands[i]], "tensor<f32>", own | {"version": config["version"]})
            groups = _group(splits[i], (), devices)
            operands.append((writer.all_reduce("maximum", maximum, "tensor<f32>", groups), "tensor<f32>"))
            config[f"{side}_amax"] = 1
    value = writer.call(_TARGET, operands, types[2], config)
    summed = [chosen[f] for f in gemm.contraction if f in chosen]
    if summed:
        kept = [split for factor, split in chosen.items() if factor not in gemm.contraction]
        value = writer.all_reduce("add", value, types[2], _group(summed, kept, devices))

    parameters = ", ".join(f"%arg{i}: {type}" for i, type in enumerate(arguments))
    body = "\n".join(writer.lines)
    text = (
        f"module {{\n  func.func public @main({parameters}) -> {types[2]} {{\n{body}\n"
        f"    func.return {value} : {types[2]}\n  }}\n}}"
    )
    bytecode = io.BytesIO()
    ir.Module.parse(text).operation.write_bytecode(bytecode)
    # A manual computation's calls see parts already.
    if sharding.is_manual():
        return bytecode.getvalue(), shardings, sharding
    whole = [xla_client.HloSharding.replicate()] * (len(shapes) - 2)
    return (
        bytecode.getvalue(),
        [*(_get_sharding(own, devices) for own in splits[:2]), *whole],
        _get_sharding(splits[2], devices),
    )
