"""Random contractions behind random views, quantized and not: random_layouts.py FIRST COUNT FOLDER

Each case is a `linalg.generic` over random batch, free and contracted dimensions in random order, its
operands behind random transposes, reshapes, permuting generics, unit dimensions and widenings, with
and without accumulator. Inputs are 0, 7 and -7, which any block keeps exactly, so that the quantized
step must equal the plain one to the bit.
"""

import pathlib
import random
import subprocess
import sys

import numpy as np

SIZES = (1, 1, 2, 3, 4, 5, 6, 8)
CONTRACTED = (1, 2, 3, 4, 5, 8, 16, 17, 20, 32)


def tensor(shape, element):
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + element + ">"


def affine(loops, dims):
    return f"affine_map<({','.join(loops)}) -> ({','.join(dims)})>"


def permuting_generic(rng, name, value, source, result, index, element):
    """A generic whose result dimension i is the source's index[i], with loops in random order."""
    dims = [f"d{i}" for i in range(len(result))]
    read = [dims[list(index).index(i)] for i in range(len(source))]
    loops = rng.sample(dims, len(dims))
    parallel = ", ".join(['"parallel"'] * len(dims))
    return [
        f"{name}e = tensor.empty() : {tensor(result, element)}",
        f"{name} = linalg.generic {{indexing_maps = [{affine(loops, read)}, {affine(loops, dims)}],"
        f" iterator_types = [{parallel}]}} ins({value} : {tensor(source, element)})"
        f" outs({name}e : {tensor(result, element)}) {{ ^bb0(%p: {element}, %q: {element}):"
        f" linalg.yield %p : {element} }} -> {tensor(result, element)}",
    ]


class Views:
    """Views made backwards, from an operand's shape up to its root's."""

    def __init__(self, rng, prefix, shape, element):
        self.rng, self.prefix, self.element = rng, prefix, element
        self.shape, self.steps = list(shape), []
        for _ in range(rng.choice((0, 0, 1, 2, 3, 4))):
            rng.choice((self.transpose, self.permute, self.split, self.merge, self.widen, self.unit))()
        if self.element == "f32":
            self.widen()

    def add(self, source, emit):
        result = list(self.shape)
        self.steps.append((source, result, emit))
        self.shape = list(source)

    def order(self):
        index = self.rng.sample(range(len(self.shape)), len(self.shape))
        source = [0] * len(self.shape)
        for i, dim in enumerate(index):
            source[dim] = self.shape[i]
        return index, source

    def transpose(self):
        index, source = self.order()
        element = self.element
        self.add(source, lambda name, value, src, res: [
            f"{name}e = tensor.empty() : {tensor(res, element)}",
            f"{name} = linalg.transpose ins({value} : {tensor(src, element)})"
            f" outs({name}e : {tensor(res, element)}) permutation = {index}"])

    def permute(self):
        index, source = self.order()
        element = self.element
        self.add(source, lambda name, value, src, res: permuting_generic(
            self.rng, name, value, src, res, index, element))

    def unit(self):
        units = [i for i, extent in enumerate(self.shape) if extent == 1]
        if not units:
            return
        new = self.rng.choice(units)
        index = [i - (i > new) if i != new else -1 for i in range(len(self.shape))]
        source = self.shape[:new] + self.shape[new + 1:]
        element = self.element
        self.add(source, lambda name, value, src, res: permuting_generic(
            self.rng, name, value, src, res, index, element))

    def split(self):
        """The result collapses what the source has split."""
        groups, source = [], []
        for extent in self.shape:
            parts = [extent]
            if self.rng.random() < 0.6:
                first = self.rng.choice([d for d in range(1, extent + 1) if extent % d == 0])
                parts = [first, extent // first]
            groups.append(list(range(len(source), len(source) + len(parts))))
            source += parts
        element = self.element
        if len(self.shape) < len(source) < 10:
            self.add(source, lambda name, value, src, res: [
                f"{name} = tensor.collapse_shape {value} {groups}"
                f" : {tensor(src, element)} into {tensor(res, element)}"])

    def merge(self):
        """The result expands what the source has merged."""
        groups, source, at = [], [], 0
        while at < len(self.shape):
            group = list(range(at, min(at + self.rng.choice((1, 1, 2, 3)), len(self.shape))))
            groups.append(group)
            source.append(int(np.prod([self.shape[dim] for dim in group])))
            at = group[-1] + 1
        element = self.element
        if len(source) < len(self.shape):
            self.add(source, lambda name, value, src, res: [
                f"{name} = tensor.expand_shape {value} {groups} output_shape {res}"
                f" : {tensor(src, element)} into {tensor(res, element)}"])

    def widen(self):
        if self.element == "f32":
            self.element = "bf16"
            self.add(list(self.shape), lambda name, value, src, res: [
                f"{name} = arith.extf {value} : {tensor(src, 'bf16')} to {tensor(res, 'f32')}"])

    def emit(self):
        value, lines = f"%{self.prefix}", []
        for number, (source, result, emit) in enumerate(reversed(self.steps)):
            name = f"%{self.prefix}_{number}"
            lines += emit(name, value, source, result)
            value = name
        return value, lines


def make_case(seed):
    rng = random.Random(seed)
    counts = {"b": rng.choice((0, 0, 1, 2)), "l": rng.choice((0, 1, 1, 2)),
              "r": rng.choice((0, 1, 1, 2)), "k": rng.choice((1, 1, 2, 3))}
    counts["l"] += counts["l"] + counts["r"] == 0
    dims = [(group, rng.choice(CONTRACTED if group == "k" else SIZES))
            for group, count in counts.items() for _ in range(count)]
    rng.shuffle(dims)
    pick = lambda groups: rng.sample([i for i, d in enumerate(dims) if d[0] in groups],
                                     sum(d[0] in groups for d in dims))
    lhs, rhs, out = pick("blk"), pick("brk"), pick("blr")
    shape = lambda operand: [dims[i][1] for i in operand]
    elements = rng.choice(("bf16", "f32")), rng.choice(("bf16", "f32"))
    result = rng.choice(("f32", "bf16"))
    views = Views(rng, "x", shape(lhs), elements[0]), Views(rng, "w", shape(rhs), elements[1])
    (a, a_lines), (b, b_lines) = views[0].emit(), views[1].emit()
    order = [f"d{i}" for i in rng.sample(range(len(dims)), len(dims))]
    maps = ", ".join(affine(order, [f"d{i}" for i in operand]) for operand in (lhs, rhs, out))
    kinds = ", ".join('"reduction"' if dims[int(d[1:])][0] == "k" else '"parallel"' for d in order)
    body, names = [], ["%p", "%q"]
    for i, element in enumerate(elements):
        if element == "bf16":
            body.append(f"{names[i]}1 = arith.extf {names[i]} : bf16 to f32")
            names[i] += "1"
    body.append(f"%m = arith.mulf {', '.join(rng.sample(names, 2))} : f32")
    product = "%m"
    if result == "bf16":
        body.append("%m1 = arith.truncf %m : f32 to bf16")
        product = "%m1"
    body.append(f"%s = arith.addf {', '.join(rng.sample(['%o', product], 2))} : {result}")
    accumulates = rng.random() < 0.3
    c = tensor(shape(out), result)
    lines = a_lines + b_lines
    if not accumulates:
        lines.append(f"%c = arith.constant dense<0.0> : {c}")
    lines.append(
        f"%y = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}"
        f" ins({a}, {b} : {tensor(shape(lhs), elements[0])}, {tensor(shape(rhs), elements[1])})"
        f" outs(%c : {c}) {{ ^bb0(%p: {elements[0]}, %q: {elements[1]}, %o: {result}):"
        f" {' '.join(body)} linalg.yield %s : {result} }} -> {c}")
    arguments = [f"%x: {tensor(views[0].shape, 'bf16')}",
                 f"%w: {tensor(views[1].shape, 'bf16')} {{ufp4.name = \"w\"}}"]
    if accumulates:
        arguments.append(f"%c: {c}")
    text = (f"func.func @main({', '.join(arguments)}) -> {c} {{\n  " + "\n  ".join(lines) +
            f"\n  return %y : {c}\n}}\n")
    numbers = np.random.default_rng(seed)
    bf16 = lambda values: (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    inputs = [bf16(numbers.integers(-1, 2, view.shape) * 7.0) for view in views]
    if accumulates:
        start = numbers.integers(-3, 4, shape(out)).astype(np.float32)
        inputs.append(bf16(start) if result == "bf16" else start)
    return text, inputs


def main(first, count, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    quantized = ["--recipe=ufp4:rotation=none,rounding=nearest", "--params=w"]
    for seed in range(first, first + count):
        text, inputs = make_case(seed)
        step = folder / "case.mlir"
        step.write_text(text)
        paths = []
        for number, array in enumerate(inputs):
            paths.append(folder / f"in{number}.npy")
            np.save(paths[-1], array)
        results = []
        for options in (["--recipe=bf16"], quantized):
            subprocess.run(["ufp4-run", step, f"--inputs={','.join(map(str, paths))}",
                            f"--output-dir={folder / 'out'}", *options], check=True)
            results.append((folder / "out" / "out0.npy").read_bytes())
        if results[0] != results[1]:
            sys.exit(f"case {seed} differs:\n{text}")
    print(f"{count} layouts agree")


main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
