#!/usr/bin/env python3
"""What LLVM makes of our AMD kernels and of Triton's, without a device.

    python benchmarks/amd.py [--bin=build/ci/bin] [--peers=build/peers] [--only=gemm,quantize,compile]
                             [--repetitions=3] [--offline]

Triton is installed from PyPI into a virtual environment below --peers, once; where it cannot be had, the output says so.
A GEMM's loop is the natural loop with MFMAs, wherever its blocks lie; a quantize kernel's way is the one that nearly all
blocks take, into no innermost loop, of which vector instructions count. Compilations are timed in CPU seconds, children
included, ours from the start of the process to its end, Triton's without its import."""

import argparse
import collections
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import gpu_static

CHIPS = ["gfx942", "gfx950"]
# Format, scale, block, path, and the bars of the chips.
GEMMS = [("e1m2", "f32", 16, "post", {"gfx942": 14, "gfx950": 14}), ("e1m2", "f32", 32, "post", {"gfx942": 14, "gfx950": 14}),
         ("e1m2", "ue4m3", 16, "fold", {"gfx942": 6, "gfx950": 11, "gfx1250": 6}),
         ("e1m2", "ue8m0", 32, "fold", {"gfx942": 6, "gfx950": 11, "gfx1250": 6}),
         ("e1m2", "ue4m3", 16, "post", {"gfx942": 14, "gfx950": 14}), ("e2m1", "ue8m0", 32, "auto", {"gfx950": 4, "gfx1250": 4}),
         ("e2m1", "ue4m3", 16, "auto", {"gfx1250": 4}),
         ("e1m2", "ue8m0", 32, "container", {"gfx950": 10, "gfx1250": 14.5}),
         ("e1m2", "ue8m0", 16, "container", {"gfx1250": 14.5})]
MATRIX = ("v_mfma", "v_wmma")
# Along which dimensions, scale, rounding, and the bars.
QUANTIZES = [(how, scale, (bar, bar)) for how in ("rows", "columns", "dual")
             for scale, bar in (("f32", 8), ("ue4m3", 8), ("ue8m0", 6))]
QUANTIZES += [("stochastic", "f32", (22, 20)), ("stochastic", "ue4m3", (22, 20))]
KINDS = [("VALU", r"v_(?!mfma|wmma|readfirstlane)"), ("LDS", r"ds_"), ("VMEM", r"(global|buffer)_"),
         ("wait", r"s_(wait|nop|barrier)"), ("SALU", r"s_|v_readfirstlane"), ("scratch", r"scratch_")]
STORED = {"byte": 1, "short": 2, "dword": 4, "dwordx2": 8, "dwordx3": 12, "dwordx4": 16}


class Code:
    """A function's blocks, [mnemonic, …] each, and its natural loops."""

    def __init__(self, assembly, function):
        text = re.search(rf"^{re.escape(function)}:.*?^\.Lfunc_end", assembly, re.S | re.M)[0]
        self.blocks, self.next, labels, branches = [[]], [], {}, []
        for line in text.split("\n"):
            if label := re.match(r"(\.LBB\w+):", line):
                self.blocks.append([])
                labels[label[1]] = len(self.blocks) - 1
            elif found := re.match(r"\t([a-z]\w+)\s*([^;]*)", line):
                self.blocks[-1].append(found[1])
                if re.match(r"s_c?branch|s_endpgm", found[1]):
                    branches.append((len(self.blocks) - 1, found[1], found[2].strip()))
                    self.blocks.append([])
        count = len(self.blocks)
        self.next = [[block + 1] if block + 1 < count else [] for block in range(count)]
        self.ends = set()
        for block, name, target in branches:
            if not name.startswith("s_cbranch"):
                self.next[block] = []
            if name == "s_endpgm":
                self.ends.add(block)
            else:
                self.next[block].append(labels[target])
        self.find_loops()

    def find_loops(self):
        count = len(self.blocks)
        reached, left = set(), [0]
        while left:
            if (block := left.pop()) not in reached:
                reached.add(block)
                left += self.next[block]
        before = collections.defaultdict(list)
        for block in reached:
            for following in self.next[block]:
                before[following].append(block)
        over = {block: set(reached) for block in reached}
        over[0], changed = {0}, True
        while changed:
            changed = False
            for block in sorted(reached - {0}):
                new = set.intersection(*(over[b] for b in before[block])) | {block}
                changed |= new != over[block]
                over[block] = new
        self.loops = {}
        for block in reached:
            for header in self.next[block]:
                if header in over[block]:
                    body, left = self.loops.setdefault(header, {header}), [block]
                    while left:
                        if (at := left.pop()) not in body:
                            body.add(at)
                            left += before[at]

    def matrix_loop(self):
        """Mnemonics of the smallest loop with MFMAs."""
        bodies = [[name for block in sorted(body) for name in self.blocks[block]] for body in self.loops.values()]
        return min((body for body in bodies if any(name.startswith(MATRIX) for name in body)), key=len)

    def way(self):
        """Mnemonics of the way with most vector instructions that comes back to a loop's head, or to the end."""
        inner = {header: body for header, body in self.loops.items()
                 if not any(other != header and other in body for other in self.loops)}
        rare = set().union(*inner.values())
        around = max((header for header in self.loops if header not in inner),
                     key=lambda header: len(self.loops[header]), default=None)
        start = 0 if around is None else around
        allowed = (set(range(len(self.blocks))) if around is None else self.loops[around]) - rare
        memo = {}

        def longest(block):
            if block not in memo:
                memo[block] = None
                found = [()] if block in self.ends else []
                for following in self.next[block]:
                    if following == start:
                        found.append(())
                    elif following in allowed and longest(following) is not None:
                        found.append(longest(following))
                if found:
                    best = max(found, key=lambda way: sum(self.weight(b) for b in way))
                    memo[block] = (block, *best)
            return memo[block]

        sys.setrecursionlimit(10000)
        return [name for block in longest(start) for name in self.blocks[block]]

    def weight(self, block):
        return sum(name.startswith("v_") for name in self.blocks[block])


def number(assembly, function, key):
    """A value of a kernel's metadata, whose keys are in alphabetical order."""
    for kernel in assembly.split(".amdhsa_code_object_version")[-1].split("  - .agpr_count")[1:]:
        if re.search(rf"\.name:\s+{re.escape(function)}\n", kernel):
            return int(re.search(rf"\.{key}:\s+(\d+)", kernel)[1])
    return int(re.search(rf"\.{key}:\s+(\d+)", assembly)[1])


def compile_text(tool, text, chip, path="auto"):
    """Assembly, manifest entries and CPU seconds."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "in.mlir").write_text(text)
        begin = gpu_static.cpu()
        got = subprocess.run([tool, folder / "in.mlir", f"--target={chip}", f"--e1m2={path}", "-o", folder / "out"],
                             capture_output=True, text=True)
        seconds = gpu_static.cpu() - begin
        if got.returncode:
            sys.exit(got.stderr)
        out = folder / "out"
        if not (out / "kernels.hsaco").exists():
            sys.exit("no ld.lld was found")
        return ((out / "kernels.amdgcn").read_text(), json.loads((out / "manifest.json").read_text())["kernels"], seconds)


def loop_cells(assembly, function):
    loop = Code(assembly, function).matrix_loop()
    kinds = collections.Counter(
        "matrix" if name.startswith(MATRIX) else next(kind for kind, pattern in KINDS if re.match(pattern, name))
        for name in loop)
    matrix = kinds["matrix"]
    ratio = (len(loop) - matrix) / matrix
    parts = "  ".join(f"{kind} {kinds[kind] / matrix:.2f}" for kind, _ in KINDS if kinds[kind])
    spills = number(assembly, function, "private_segment_fixed_size")
    registers = number(assembly, function, "vgpr_count")
    return ratio, f"{matrix:3d} matrix  {ratio:5.2f} other for each  ({parts})  VGPR {registers}  scratch {spills} B", spills


def show_gemms(tool, peers, folder):
    print("GEMM: instructions of the hot loop")
    for form, scale, block, path, bars in GEMMS:
        for chip, bar in bars.items():
            assembly, kernels, _ = compile_text(tool, gpu_static.constant_text(form, scale, block), chip, path)
            ratio, cells, spills = loop_cells(assembly, kernels[0]["name"])
            gpu_static.row(f"{chip} {form} {scale}/{block} {kernels[0]['path']}", cells, str(bar),
                           ratio <= bar and not spills)
    for chip in CHIPS:
        for name in ("bf16", "e2m1_ue8m0", "e2m1_ue8m0_256")[:3 if chip == "gfx950" else 2]:
            record = peers.compile("triton", folder, chip, [name])[name]
            if "error" in record:
                gpu_static.row(f"triton {chip} {name}", "not run: " + record["error"])
                continue
            assembly = (folder / f"{name}.amdgcn").read_text()
            function = re.search(r"^\s+\.globl\s+(\w+)", assembly, re.M)[1]
            gpu_static.row(f"triton {chip} {name}", loop_cells(assembly, function)[1])


def show_quantizes(tool):
    print("Quantize bf16 to e1m2, rotation 16: vector instructions per element and destination")
    for how, scale, bars in QUANTIZES:
        block = 32 if scale == "ue8m0" else 16
        for chip, bar in zip(CHIPS, bars):
            text = gpu_static.quantize_text("e1m2", scale, how).replace("block = 16", f"block = {block}")
            assembly, kernels, _ = compile_text(tool, text, chip)
            wanted = {"rows": "_inner_", "stochastic": "_u16_", "columns": "_outer_", "dual": "_outer_"}[how]
            entry = next(kernel for kernel in kernels if "quantize" in kernel["name"] and wanted in kernel["name"] and
                         (how != "dual" or "_inner_" in kernel["name"]))
            way = Code(assembly, entry["name"]).way()
            stored = sum(STORED[name.removeprefix("global_store_")] for name in way if name.startswith("global_store_"))
            size = {"fp8": 1, "u8": 1, "bf16": 2, "f32": 4, "u4": 0.5}
            planes = [argument for argument in entry["arguments"] if argument["kind"] in ("codes", "scales")]
            each = sum(size[plane["element"]] / (1 if plane["kind"] == "codes" else block) for plane in planes)
            # S is stored as well.
            elements = stored / (each / 2 if how == "dual" else each) // 16 * 16
            count = sum(name.startswith("v_") for name in way)
            spills = number(assembly, entry["name"], "private_segment_fixed_size")
            gpu_static.row(f"{chip} {how} {scale}/{block}", f"{count / elements:6.2f} per element  {count:5d} for {elements:.0f}"
                           f"  VGPR {number(assembly, entry['name'], 'vgpr_count')}  scratch {spills} B", str(bar),
                           count / elements <= bar and not spills)


def show_compile(tool, peers, repetitions, folder):
    print("One GEMM to hsaco, CPU seconds, medians of", repetitions)
    for chip in CHIPS:
        name, theirs = "e2m1_ue8m0", []
        for _ in range(repetitions):
            record = peers.compile("triton", folder, chip, [name])[name]
            if "error" in record:
                gpu_static.row(f"triton {chip} {name}", "not run: " + record["error"])
                break
            theirs.append(record["cpu"])
        peer = statistics.median(theirs) if theirs else None
        if theirs:
            gpu_static.row(f"triton {chip} {name}, import apart", f"{peer:.2f} s  [{min(theirs):.2f}, {max(theirs):.2f}]")
        for scale, block in (("f32", 16), ("ue4m3", 16)):
            ours = [compile_text(tool, gpu_static.constant_text("e1m2", scale, block), chip)[2] for _ in range(repetitions)]
            middle = statistics.median(ours)
            ratio = f", x {middle / peer:.2f} of Triton" if peer else ""
            gpu_static.row(f"ufp4 {chip} e1m2 {scale}/{block}", f"{middle:.2f} s  [{min(ours):.2f}, {max(ours):.2f}]{ratio}",
                           "0.7 s and 0.5 of Triton", middle <= 0.7 and (peer is None or middle <= peer / 2))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=gpu_static.ROOT / "build" / "ci" / "bin", help="where ufp4-compile is")
    parser.add_argument("--peers", type=pathlib.Path, default=gpu_static.ROOT / "build" / "peers", help="environments of peers")
    parser.add_argument("--only", default="gemm,quantize,compile", help="tables, separated by commas")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--offline", action="store_true", help="install nothing")
    options = parser.parse_args()
    options.peers.mkdir(parents=True, exist_ok=True)
    peers = gpu_static.Peers(options.peers.resolve(), options.offline)
    tool = options.bin.resolve() / "ufp4-compile"
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        tables = {"gemm": lambda: show_gemms(tool, peers, folder), "quantize": lambda: show_quantizes(tool),
                  "compile": lambda: show_compile(tool, peers, options.repetitions, folder)}
        for name in options.only.split(","):
            if name not in tables:
                parser.error(f"--only: unknown table '{name}': expected {', '.join(tables)}")
            tables[name]()


if __name__ == "__main__":
    main()
