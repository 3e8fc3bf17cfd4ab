"""Any exported training step, StableHLO -> linalg on tensors.

    to_linalg.py IN [-o OUT] [--spelling=default|named]

IN is StableHLO text, pretty or generic. OUT is one module of upstream dialects
only (func, linalg, tensor, arith, math, scf), which plain `mlir-opt` parses.
Arguments keep their names, which StableHLO has as locations, as `ufp4.name`
attributes: `p['blocks'][0]['wd']` becomes "p.blocks.0.wd".

Two spellings, since converters differ in how they write a dot:
  default  a plain product is `linalg.matmul` or `linalg.batch_matmul`, any other
           a `linalg.generic` whose maps carry the transposes;
  named    every dot is a `matmul` or `batch_matmul` between explicit transposes
           and reshapes.

The work is done in three steps, each on IR and not on text:
  prepare      with jaxlib's bindings: names, and what `iree-opt` would not take
               (barriers, shardings, composites, dot algorithms);
  PASSES       by `iree-opt`;
  expand       with IREE's bindings: scatters, scans and sorts become loops.
A conversion that leaves a foreign op would still exit with 0, so the result is
searched for foreign dialects at the end.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

SPELLINGS = {"default": ".linalg.mlir", "named": ".named.linalg.mlir"}

UPSTREAM_DIALECTS = {"builtin", "func", "linalg", "tensor", "arith", "math", "scf"}


class ConversionError(Exception):
    pass


def pass_pipeline(spelling):
    preprocess = {"default": "", "named": "iree-stablehlo-to-stablehlo-preprocessing,"}
    return (
        "builtin.module(inline,symbol-dce,"
        "func.func(chlo-legalize-to-stablehlo,iree-stablehlo-legalize-control-flow),"
        f"canonicalize,{preprocess[spelling]}"
        "func.func(iree-stablehlo-canonicalize,iree-stablehlo-to-linalg-ext),"
        "iree-stablehlo-to-iree-input,canonicalize,cse)"
    )


def plain_path(name):
    """JAX's path syntax made plain: p['blocks'][0]['wd'] -> p.blocks.0.wd."""
    return re.sub(r"""\[(?:'([^']*)'|"([^"]*)"|(\d+))\]""", lambda m: "." + m[m.lastindex], name)


def walk(ir, root):
    """All operations below `root`, collected first, so that they may be changed."""
    found = []

    def visit(op):
        found.append(op)
        return ir.WalkResult.ADVANCE

    root.operation.walk(visit)
    return [op for op in found if op != root.operation]


# Step 1: StableHLO that iree-opt takes.


def prepare(text):
    """Returns the module as text, ready for PASSES."""
    from jax.interpreters.mlir import make_ir_context
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import func, stablehlo

    with make_ir_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        for op in list(module.body.operations):
            if op.operation.name == "func.func":
                name_arguments(ir, op)
        for op in walk(ir, module):
            prepare_op(ir, func, stablehlo, op)
        # Modules carry replica counts and meshes, which iree-opt's passes drop
        # or stumble over.
        strip_attributes(module.operation)
        module.operation.verify()
        return module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)


def name_arguments(ir, function):
    """Argument names, which are locations, as attributes; other ones go."""
    attributes = []
    is_public = "private" not in str(function.attributes.get("sym_visibility", ""))
    given = list(function.arg_attrs) if "arg_attrs" in function.attributes else []
    for i, argument in enumerate(function.arguments):
        kept = {}
        if i < len(given) and "ufp4.name" in given[i]:
            kept["ufp4.name"] = given[i]["ufp4.name"]
        elif is_public and isinstance(argument.location, ir.NameLoc):
            kept["ufp4.name"] = ir.StringAttr.get(plain_path(argument.location.name_str))
        attributes.append(ir.DictAttr.get(kept))
    function.arg_attrs = ir.ArrayAttr.get(attributes)
    if "res_attrs" in function.attributes:
        del function.attributes["res_attrs"]


def strip_attributes(op):
    for name in list(op.attributes.keys()):
        if name.split(".")[0] in ("mhlo", "jax", "sdy", "xla"):
            del op.attributes[name]


def forward_operands(op):
    for result, operand in zip(op.results, op.operands):
        result.replace_all_uses_with(operand)
    op.erase()


def prepare_op(ir, func, stablehlo, op):
    name = op.name
    strip_attributes(op)
    if name in ("stablehlo.optimization_barrier", "sdy.sharding_constraint"):
        forward_operands(op)
    elif name == "stablehlo.custom_call":
        target = ir.StringAttr(op.attributes["call_target_name"]).value
        if target not in ("Sharding", "annotate_device_placement"):
            raise ConversionError(f"custom call @{target} has no meaning in linalg: {op.location}")
        forward_operands(op)
    elif name == "stablehlo.composite":
        with ir.InsertionPoint(op), op.location:
            call = func.CallOp(
                [r.type for r in op.results],
                op.attributes["decomposition"],
                list(op.operands),
            )
        for old, new in zip(op.results, call.results):
            old.replace_all_uses_with(new)
        op.erase()
    elif name == "sdy.mesh":
        op.erase()
    elif name.startswith("sdy."):
        raise ConversionError(f"{name} is left; export without a mesh: {op.location}")
    elif name == "stablehlo.dot_general" and "algorithm" in op.attributes:
        drop_algorithm(ir, stablehlo, op)


def drop_algorithm(ir, stablehlo, op):
    """A dot algorithm, said by types where they can say the same."""
    algorithm = str(op.attributes["algorithm"])
    fields = dict(re.findall(r"(\w+) = (\w+)", algorithm))
    for side, operand in zip(("lhs", "rhs"), op.operands):
        wanted = fields.get(f"{side}_precision_type")
        actual = str(ir.RankedTensorType(operand.type).element_type)
        if wanted != actual or fields.get(f"{side}_component_count", "1") != "1":
            raise ConversionError(f"{algorithm} on {actual}: {op.location}")
    del op.attributes["algorithm"]
    accumulator = ir.Type.parse(fields["accumulation_type"])
    result = op.results[0]
    old = ir.RankedTensorType(result.type)
    if old.element_type == accumulator:
        return
    with ir.InsertionPoint(op), op.location:
        wide = ir.Operation.create(
            op.name,
            results=[ir.RankedTensorType.get(old.shape, accumulator)],
            operands=list(op.operands),
            attributes=dict(op.attributes.items()),
        )
        narrow = stablehlo.ConvertOp(old, wide.results[0])
    result.replace_all_uses_with(narrow.result)
    op.erase()


# Step 2: the passes.


def iree_opt(text, pipeline):
    beside = str(pathlib.Path(sys.executable).parent)
    tool = shutil.which("iree-opt", path=beside) or shutil.which("iree-opt")
    if tool is None:
        raise ConversionError("no iree-opt beside this Python nor on the PATH")
    run = subprocess.run(
        [tool, "-", f"--pass-pipeline={pipeline}"], input=text, capture_output=True, text=True
    )
    if run.returncode != 0:
        raise ConversionError(run.stderr)
    return run.stdout


# Step 3: what linalg itself has no op for.


def expand(text):
    """Scatters, scans and sorts of IREE's `iree_linalg_ext` as loops over elements."""
    if "iree_linalg_ext." not in text:
        return text
    from iree.compiler import ir

    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        for op in walk(ir, module):
            if not op.name.startswith("iree_linalg_ext.") or op.name == "iree_linalg_ext.yield":
                continue
            expander = EXPANDERS.get(op.name)
            if expander is None:
                raise ConversionError(f"{op.name} has no expansion here")
            with ir.InsertionPoint(op):
                results = expander(LoopBuilder(ir), op)
            for old, new in zip(op.results, results):
                old.replace_all_uses_with(new)
            op.erase()
        module.operation.verify()
        text = str(module)
    return iree_opt(text, "builtin.module(canonicalize,cse)")


class LoopBuilder:
    """scf, tensor and arith at the current insertion point."""

    def __init__(self, ir):
        from iree.compiler.dialects import arith, scf, tensor

        self.ir, self.arith, self.scf, self.tensor = ir, arith, scf, tensor

    def index(self, n):
        return self.arith.ConstantOp(self.ir.IndexType.get(), n).result

    def to_index(self, value):
        if isinstance(value.type, self.ir.IndexType):
            return value
        return self.arith.IndexCastOp(self.ir.IndexType.get(), value).result

    def add(self, a, b):
        return self.arith.AddIOp(a, b).result

    def all_true(self, conditions):
        result = conditions[0]
        for c in conditions[1:]:
            result = self.arith.AndIOp(result, c).result
        return result

    def below(self, value, bound):
        """0 <= value < bound: one unsigned comparison, which no negative value passes."""
        ult = self.arith.CmpIPredicate.ult
        return self.arith.CmpIOp(ult, value, self.index(bound)).result

    def extract(self, tensor, indices):
        return self.tensor.ExtractOp(tensor, indices).result

    def insert(self, scalar, tensor, indices):
        return self.tensor.InsertOp(scalar, tensor, indices).result

    def loops(self, bounds, carried, body):
        """for i0 < bounds[0]: for i1 < bounds[1]: ... carried = body([i0, i1, ...], carried)."""

        def nest(depth, indices, values):
            if depth == len(bounds):
                return body(indices, values)
            loop = self.scf.ForOp(self.index(0), self.index(bounds[depth]), self.index(1), values)
            with self.ir.InsertionPoint(loop.body):
                self.scf.YieldOp(
                    nest(depth + 1, indices + [loop.induction_variable], list(loop.inner_iter_args))
                )
            return list(loop.results)

        return nest(0, [], list(carried))

    def where(self, condition, carried, body):
        """carried = condition ? body(carried) : carried."""
        branch = self.scf.IfOp(condition, [v.type for v in carried], has_else=True)
        with self.ir.InsertionPoint(branch.then_block):
            self.scf.YieldOp(body(carried))
        with self.ir.InsertionPoint(branch.else_block):
            self.scf.YieldOp(carried)
        return list(branch.results)

    def inline_body(self, op, arguments):
        """Moves the one block of `op` here; gives what it yields. At most once per op."""
        block = op.regions[0].blocks[0]
        for old, new in zip(block.arguments, arguments):
            old.replace_all_uses_with(new)
        # Ops move one by one in front of a marker at the insertion point.
        marker = self.arith.ConstantOp(self.ir.IndexType.get(), 0).operation
        *ops, terminator = list(block.operations)
        yielded = list(terminator.operands)
        for inner in ops:
            inner.operation.move_before(marker)
        marker.erase()
        return yielded


def ranked_shape(value):
    return list(value.type.shape)


def expand_scatter(b, op):
    """Updates whose index is out of bounds are skipped, as StableHLO has it.

    An index vector names a place in the operand's leading dimensions, an update
    is a window over all others. The dimension of the index vectors may be absent
    where they have one entry.
    """
    updates, indices, original = op.operands
    dimension_map = list(op.attributes["dimension_map"])
    shape, update_shape = ranked_shape(original), ranked_shape(updates)
    depth = len(dimension_map)
    if sorted(dimension_map) != list(range(depth)):
        raise ConversionError(f"a scatter into dimensions {dimension_map}, not the leading ones")
    batch_rank = len(update_shape) - (len(shape) - depth)
    vectors = len(ranked_shape(indices)) == batch_rank + 1

    def one_update(batch, carried):
        starts = [None] * depth
        for i, dim in enumerate(dimension_map):
            at = batch + [b.index(i)] if vectors else batch
            starts[dim] = b.to_index(b.extract(indices, at))
        legal = b.all_true([b.below(s, size) for s, size in zip(starts, shape)])

        def one_element(window, carried):
            place = starts + window
            update = b.extract(updates, batch + window)
            (new,) = b.inline_body(op, [update, b.extract(carried[0], place)])
            return [b.insert(new, carried[0], place)]

        return b.where(legal, carried, lambda c: b.loops(update_shape[batch_rank:], c, one_element))

    return b.loops(update_shape[:batch_rank], [original], one_update)


def expand_scan(b, op):
    source, output, accumulator = op.operands
    dimension = b.ir.IntegerAttr(op.attributes["dimension"]).value
    inclusive = b.ir.BoolAttr(op.attributes["inclusive"]).value
    shape = ranked_shape(source)
    others = [d for d in range(len(shape)) if d != dimension]

    def element(ivs, carried):
        output, accumulator = carried
        kept, along = ivs[:-1], ivs[-1]
        place = kept[:dimension] + [along] + kept[dimension:]
        value = b.extract(source, place)
        before = b.extract(accumulator, kept)
        (after,) = b.inline_body(op, [before, value])
        return [
            b.insert(after if inclusive else before, output, place),
            b.insert(after, accumulator, kept),
        ]

    bounds = [shape[d] for d in others] + [shape[dimension]]
    return b.loops(bounds, [output, accumulator], element)


def expand_sort(b, op):
    """A stable exchange sort of neighbours, quadratic: models sort little."""
    operands = list(op.operands)
    dimension = b.ir.IntegerAttr(op.attributes["dimension"]).value
    shape = ranked_shape(operands[0])
    length = shape[dimension]
    others = [d for d in range(len(shape)) if d != dimension]

    def exchange(ivs, carried):
        kept, at = ivs[:-2], ivs[-1]
        left = kept[:dimension] + [at] + kept[dimension:]
        right = kept[:dimension] + [b.add(at, b.index(1))] + kept[dimension:]
        pairs = [(b.extract(t, left), b.extract(t, right)) for t in carried]
        # The comparator says that its first argument comes before its second.
        (wrong,) = b.inline_body(op, [value for l, r in pairs for value in (r, l)])

        def swap(tensors):
            return [
                b.insert(l, b.insert(r, t, left), right) for t, (l, r) in zip(tensors, pairs)
            ]

        return b.where(wrong, carried, swap)

    bounds = [shape[d] for d in others] + [length, max(length - 1, 0)]
    return b.loops(bounds, operands, exchange)


EXPANDERS = {
    "iree_linalg_ext.scatter": expand_scatter,
    "iree_linalg_ext.scan": expand_scan,
    "iree_linalg_ext.sort": expand_sort,
}


# Step 4: what the converter's named ops leave out.


def mark_conditions(text):
    """A named contraction reads an i1 as a signed number, in which true is -1, unless it says otherwise."""
    from iree.compiler import ir

    with ir.Context() as context:
        module = ir.Module.parse(text)
        condition = ir.IntegerType.get_signless(1)
        unsigned = ir.Attribute.parse("#linalg.type_fn<cast_unsigned>", context)
        marked = False
        for op in walk(ir, module):
            operands = [ir.RankedTensorType(v.type).element_type for v in op.operands
                        if isinstance(v.type, ir.RankedTensorType)]
            if op.name in ("linalg.matmul", "linalg.batch_matmul", "linalg.matvec") and condition in operands:
                op.attributes["cast"] = unsigned
                marked = True
        return f"{module}\n" if marked else text


def check_dialects(text):
    from iree.compiler import ir

    with ir.Context():
        module = ir.Module.parse(text)
        names = {op.name for op in walk(ir, module)}
    foreign = sorted(n for n in names if n.split(".")[0] not in UPSTREAM_DIALECTS)
    if foreign:
        raise ConversionError("foreign ops are left: " + ", ".join(foreign))
    # Attributes and types can be foreign too.
    left = sorted(set(re.findall(r"[#!](?:stablehlo|chlo|mhlo|sdy|util|iree\w*)\b[\w.<]*", text)))
    if left:
        raise ConversionError("foreign attributes or types are left: " + ", ".join(left))


def convert(text, spelling="default"):
    """StableHLO text -> linalg text."""
    text = mark_conditions(expand(iree_opt(prepare(text), pass_pipeline(spelling))))
    check_dialects(text)
    return text


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("input", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--spelling", choices=sorted(SPELLINGS), default="default")
    args = parser.parse_args()
    try:
        text = convert(args.input.read_text(), args.spelling)
    except ConversionError as error:
        sys.exit(f"{args.input}: {error}")
    if args.output:
        args.output.write_text(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
