"""Runs contractions of many layouts and compares them with sums of Python's integers."""

import itertools
import os
import random
import subprocess
import sys

sys.dont_write_bytecode = True

sys.path.insert(0, os.path.dirname(__file__))
import arrays

LAYOUTS = ["mk kn mn", "mk nk mn", "km kn mn", "mk kn nm", "bmk bnk bmn", "bmk bkn bnm", "mbk kbn mbn",
           "bsd de bse", "bsd bse de", "bsd bse ed", "bqhd bkhd bhqk", "bhqk bkhd bqhd", "k k -",
           "mk k m", "k kn n", "bk bk b", "abk kcd cadb"]
SIZES = [dict(zip("abcdehkmnqs", sizes)) for sizes in
         ([2, 3, 4, 5, 7, 3, 9, 13, 17, 6, 5], [1, 2, 3, 16, 32, 2, 24, 8, 32, 4, 8])]
# More than one block of K and one chunk of rows.
LARGE = [dict(m=66, n=5, k=530)]
EMPTY = [dict(m=0, n=4, k=3), dict(m=4, n=0, k=3), dict(m=4, n=5, k=0)]


def module(name, a, b, c, sizes, dynamic, init):
    dims = sorted(set(a + b))
    order = {d: i for i, d in enumerate(dims)}
    loops = ", ".join("d%d" % i for i in range(len(dims)))
    indexing = ", ".join("affine_map<(%s) -> (%s)>" % (loops, ", ".join("d%d" % order[d] for d in s))
                         for s in (a, b, c))
    kinds = ", ".join('"parallel"' if d in c else '"reduction"' for d in dims)
    kind = lambda s: "tensor<%sf32>" % "".join(("?" if dynamic else str(sizes[d])) + "x" for d in s)
    ta, tb, tc = kind(a), kind(b), kind(c)
    text = "func.func @%s(%%a: %s, %%b: %s, %%c: %s) -> %s {\n" % (name, ta, tb, tc, tc)
    text += "  %zero = arith.constant 0.0 : f32\n"
    out = "%c"
    if not init:
        text += "  %%z = linalg.fill ins(%%zero : f32) outs(%%c : %s) -> %s\n" % (tc, tc)
        out = "%z"
    text += "  %%r = linalg.generic {indexing_maps = [%s], iterator_types = [%s]}" % (indexing, kinds)
    text += " ins(%%a, %%b : %s, %s) outs(%s : %s) {\n" % (ta, tb, out, tc)
    text += "  ^bb0(%x: f32, %y: f32, %o: f32):\n    %p = arith.mulf %x, %y : f32\n"
    text += "    %%q = arith.addf %%o, %%p : f32\n    linalg.yield %%q : f32\n  } -> %s\n" % tc
    return text + "  return %%r : %s\n}\n" % tc


def fill(rng, s, sizes):
    count = 1
    for d in s:
        count *= sizes[d]
    return [rng.randint(-4, 4) for _ in range(count)]


def at(values, s, sizes, index):
    flat = 0
    for d in s:
        flat = flat * sizes[d] + index[d]
    return values[flat]


def reference(a, b, c, sizes, va, vb, vc):
    inner = [d for d in sorted(set(a + b)) if d not in c]
    result = []
    for outer in itertools.product(*(range(sizes[d]) for d in c)):
        index = dict(zip(c, outer))
        total = at(vc, c, sizes, index) if vc else 0
        for step in itertools.product(*(range(sizes[d]) for d in inner)):
            index.update(zip(inner, step))
            total += at(va, a, sizes, index) * at(vb, b, sizes, index)
        result.append(total)
    return result


def main(folder, tool):
    rng = random.Random(1)
    cases = [(layout, sizes) for layout in LAYOUTS for sizes in SIZES]
    cases += [("mk kn mn", sizes) for sizes in EMPTY + LARGE]
    count = 0
    for layout, sizes in cases:
        a, b, c = layout.replace("-", "").split(" ")
        va, vb, vc = (fill(rng, s, sizes) for s in (a, b, c))
        for name, s, values in (("a", a, va), ("b", b, vb), ("c", c, vc)):
            arrays.write("%s/%s.npy" % (folder, name), "<f4", [sizes[d] for d in s], values)
        inputs = "--inputs=" + ",".join("%s/%s.npy" % (folder, name) for name in "abc")
        for dynamic, init in itertools.product((False, True), (False, True)):
            path = folder + "/f.mlir"
            with open(path, "w") as file:
                file.write(module("f", a, b, c, sizes, dynamic, init))
            subprocess.run([tool, path, inputs, "--output-dir=" + folder + "/out"], check=True)
            with open(folder + "/out/out0.npy", "rb") as file:
                _, _, found = arrays.read(file.read())
            want = reference(a, b, c, sizes, va, vb, vc if init else None)
            if found != want:
                print("%s %s dynamic=%s init=%s differs" % (layout, sizes, dynamic, init))
                return False
            count += 1
    print("all %d contractions equal" % count)
    return True


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
