"""What the assembler makes of our GPU kernels and of our peers', without a device.

    python benchmarks/gpu_static.py [--bin=build/ci/bin] [--peers=build/peers]
                                    [--only=gemm,tensor,post,fold,quantize,compile]
                                    [--repetitions=5] [--ptxas=FILE] [--offline]

Peers are installed from PyPI into virtual environments below --peers, once; one that cannot be installed or run is
reported as such. Everything is disassembled by nvdisasm from PyPI's nvidia-cuda-nvdisasm. Counted is the natural loop
with most matrix instructions: `other` are its instructions that are neither MMAs nor NOPs, which stand beside. Ours
have dynamic sizes; TileLang's are compiled in. TileLang and CuTe copy by a warp of its own, which is not in that loop.
Where sums are in tensor memory, each kind of work has its own warps: counted are the loop that multiplies, the loop that
copies and the way from sums to C, without asking again; issue slots are what all warps issue for a tile of depth 16384,
of four in each clock that its products take. What a block's warps do once for a tile beside these is not in it.
Compilations are timed in CPU seconds, children included, ours from the start of the process to its end, a peer's
without its import.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PEERS = {
    "nvdisasm": ["nvidia-cuda-nvdisasm==13.5.37"],
    "triton": ["triton==3.9.0"],
    "tilelang": ["tilelang==0.1.15"],
    "cutlass-dsl": ["nvidia-cutlass-dsl==4.8.1"],
}
# What a peer's GEMMs are compiled by, their names there, and of these the one whose compilation is timed.
PROGRAMS = {"triton": "triton_gemm.py", "tilelang": "tilelang_gemm.py", "cutlass-dsl": "cute_gemm.py"}
GEMMS = {
    "triton": ["e2m1_ue4m3", "e2m1_ue4m3_8", "e2m1_ue4m3_128"],
    "tilelang": ["e2m1_ue4m3", "e2m1_ue4m3_128", "e2m1_ue4m3_lanes"],
    "cutlass-dsl": ["e2m1_ue4m3", "e2m1_ue4m3_128"],
}
# The same where sums are in tensor memory, and the tiles of C.
TENSOR_PROGRAMS = {"triton": "triton_gemm.py", "cutlass-dsl": "cute_tensor_gemm.py"}
TENSOR_TILES = {"ufp4": ["128x128", "128x256", "256x256"], "triton": ["128x128", "128x256"],
                "cutlass-dsl": ["128x128", "128x256", "256x256"]}
# Operations of E2M1 products in a clock of a multiprocessor (lib/Target/Roofline.cpp).
TENSOR_CHIPS = {"sm_100a": 32768, "sm_103a": 49152, "sm_110a": 32768}
DEPTH, PRODUCT_DEPTH = 16384, 64
# The form with the shortest loop.
TIMED = {"triton": "e2m1_ue4m3_128", "tilelang": "e2m1_ue4m3_lanes", "cutlass-dsl": "e2m1_ue4m3"}


# ----------------------------------------------------------------------------------------------------------------------
# Peers
# ----------------------------------------------------------------------------------------------------------------------

class Peers:
    def __init__(self, folder, offline):
        self.folder, self.offline, self.problems = folder, offline, {}

    def python(self, name):
        """The interpreter of a peer's environment; None where it cannot be had, and `problems` says why."""
        python = self.folder / name / "bin" / "python"
        done = self.folder / name / "installed"
        if done.exists():
            return python
        if self.offline:
            self.problems[name] = "not installed, and --offline was given"
            return None
        subprocess.run([sys.executable, "-m", "venv", self.folder / name], check=True)
        got = subprocess.run([python, "-m", "pip", "install", "-q", "--no-cache-dir", *PEERS[name]],
                             capture_output=True, text=True)
        if got.returncode:
            self.problems[name] = "cannot be installed: " + (got.stderr.strip().splitlines() or ["?"])[-1][:160]
            return None
        done.touch()
        return python

    def nvdisasm(self):
        if named := os.environ.get("NVDISASM") or shutil.which("nvdisasm"):
            return named
        self.python("nvdisasm")
        found = sorted(self.folder.glob("nvdisasm/lib/python*/site-packages/nvidia/*/bin/nvdisasm"))
        return found[0] if found else sys.exit("no nvdisasm: " + self.problems.get("nvdisasm", "the package has none"))

    def nvdisasm_of_uniform_grid(self):
        """The one disassembler that has a word for MMAs on the uniform grid, in Triton's wheel; else the other."""
        self.python("triton")
        found = sorted(self.folder.glob("triton/lib/python*/site-packages/triton/backends/nvidia/bin/nvdisasm"))
        return found[0] if found else self.nvdisasm()

    def compile(self, name, folder, capability, kernels, programs=PROGRAMS):
        """Records by kernel, with a cubin in `folder` each, or an error."""
        python = self.python(name)
        if python is None:
            return {kernel: {"error": self.problems[name]} for kernel in kernels}
        program = ROOT / "benchmarks" / "peers" / programs[name]
        got = subprocess.run([python, program, folder, capability, *kernels], capture_output=True, text=True)
        lines = [line for line in got.stdout.splitlines() if line.startswith("{")]
        records = {record["name"]: record for record in map(json.loads, lines)}
        last = (got.stderr.strip().splitlines() or [f"exit code {got.returncode}"])[-1][:160]
        return {kernel: records.get(kernel, {"error": last}) for kernel in kernels}


# ----------------------------------------------------------------------------------------------------------------------
# SASS
# ----------------------------------------------------------------------------------------------------------------------

MATRIX = re.compile(r"^(UTC)?([HIQOD])(G?)MMA$")
COPY = re.compile(r"^(UBLKCP|UTMALDG)$")
LINE = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(?:\{\s*)?(@!?U?P(?:T|\d+)\s+)?([A-Z][A-Z0-9_]*)([.\w]*)(.*)")
ENDS = {"EXIT", "RET", "BRX"}
Instruction = collections.namedtuple("Instruction", "address predicate name suffix operands")


def read_functions(nvdisasm, cubin):
    """Instructions and labels of each function of a cubin."""
    text = subprocess.run([nvdisasm, "-c", "-ndf", "-novliw", cubin], capture_output=True, text=True, check=True).stdout
    functions, current, waiting = {}, None, []
    for line in text.splitlines():
        if found := re.match(r"^\.text\.(\S+):", line):
            current = functions[found[1]] = ([], {})
        elif current and (found := re.match(r"^(\.L_\w+):", line)):
            waiting.append(found[1])
        elif current and (found := LINE.match(line)):
            for label in waiting:
                current[1][label] = len(current[0])
            waiting = []
            predicate = (found[2] or "").strip()
            current[0].append(Instruction(int(found[1], 16), predicate, found[3], found[4], found[5]))
    return functions


def read_graph(code, labels):
    """Basic blocks as ranges of instructions, what follows each, and natural loops by their header: the blocks that
    reach a branch back to it without passing it."""
    jumps = {}
    for at, ins in enumerate(code):
        if ins.name in ("BRA", "JMP") and (found := re.search(r"^(.*?)`\((\.L_\w+)\)", ins.operands)):
            always = ins.predicate in ("", "@PT", "@UPT") and not found[1].strip(" ,") and ".DIV" not in ins.suffix
            jumps[at] = (labels.get(found[2]), always)
    starts = {0} | {to for to, _ in jumps.values() if to is not None} | {at + 1 for at in jumps}
    starts |= {at + 1 for at, ins in enumerate(code) if ins.name in ENDS}
    starts = sorted(at for at in starts if at < len(code))
    block_of = {at: i for i, at in enumerate(starts)}
    stops = [*starts[1:], len(code)]
    following, before = [], [[] for _ in starts]
    for i, stop in enumerate(stops):
        last, out = code[stop - 1], []
        to, always = jumps.get(stop - 1, (None, False))
        if to is not None:
            out.append(block_of[to])
        ends = last.name in ENDS and last.predicate in ("", "@PT")
        if not always and not ends and i + 1 < len(starts):
            out.append(i + 1)
        following.append(out)
        for j in out:
            before[j].append(i)
    # Where nothing known leads, code begins as well: warps by role get there by a table.
    roots = {i for i in range(len(starts)) if not before[i] or i == 0}
    dominators = [{i} if i in roots else None for i in range(len(starts))]
    changed = True
    while changed:
        changed = False
        for i in range(len(starts)):
            known = [dominators[j] for j in before[i] if dominators[j] is not None]
            if i not in roots and known and (now := set.intersection(*known) | {i}) != dominators[i]:
                dominators[i], changed = now, True
    loops = {}
    for i, out in enumerate(following):
        for header in out:
            if dominators[i] is None or header not in dominators[i]:
                continue
            body, work = {header}, [i]
            while work:
                if (j := work.pop()) not in body:
                    body.add(j)
                    work += [k for k in before[j] if dominators[k] is not None]
            loops.setdefault(header, set()).update(body)
    return list(zip(starts, stops)), following, loops


def natural_loops(code, labels):
    """Sets of instructions."""
    blocks, _, loops = read_graph(code, labels)
    return [{at for i in body for at in range(*blocks[i])} for body in loops.values()]


def find_way(code, labels):
    """Instructions and stored bytes of the longest way that enters no innermost loop, where kernels have rare cases; a
    turn of the loop around such loops, if there is one."""
    blocks, following, loops = read_graph(code, labels)
    inner = [body for body in loops.values() if not any(other < body for other in loops.values())]
    outer = {header: body for header, body in loops.items() if body not in inner}
    rare = set().union(*inner) if inner else set()
    header, body = max(outer.items(), key=lambda item: len(item[1]), default=(0, set(range(len(blocks)))))
    best, state = {}, {}

    def walk(i):
        if i in best:
            return best[i]
        if state.get(i):  # a loop within: not entered again
            return 0, 0
        state[i] = True
        first, last = blocks[i]
        ends = [walk(j) for j in following[i] if j in body and j not in rare and j != header]
        count, stored = max(ends, default=(0, 0))
        here = [ins for ins in code[first:last] if ins.name != "NOP"]
        best[i] = (count + len(here), stored + sum(map(stored_bytes, here)))
        return best[i]

    sys.setrecursionlimit(10000)
    return walk(header)


def shared_bytes(ins):
    if ins.name == "LDSM":
        return 128 * int((re.findall(r"\.([124])\b", ins.suffix) or ["1"])[0])
    if ins.name == "LDS":
        return 32 * (16 if ".128" in ins.suffix else 8 if ".64" in ins.suffix else 4)
    return 0


def stored_bytes(ins):
    if ins.name != "STG":
        return 0
    for suffix, size in ((".128", 16), (".64", 8), (".U16", 2), (".U8", 1), (".S16", 2), (".S8", 1)):
        if suffix in ins.suffix:
            return size
    return 4


def count_loop(code, labels):
    """The hot loop's MMAs, other instructions, NOPs and bytes of shared memory; None without one."""
    loops = [loop for loop in natural_loops(code, labels) if any(MATRIX.match(code[at].name) for at in loop)]
    loops = [loop for loop in loops if not any(other < loop for other in loops)]
    if not loops:
        return None
    loop = max(loops, key=lambda loop: sum(bool(MATRIX.match(code[at].name)) for at in loop))
    names = collections.Counter(code[at].name for at in loop)
    matrix = sum(count for name, count in names.items() if MATRIX.match(name))
    nops = names["NOP"]
    spills = names["LDL"] + names["STL"]
    return {"mma": matrix, "other": len(loop) - matrix - nops, "nops": nops, "spills": spills,
            "shared": sum(shared_bytes(code[at]) for at in loop) / matrix, "names": names}


def count_range(code, labels, wanted):
    """How many instructions of a kind the innermost loop with most of them has, and how many in all, between its first
    and the last that goes back to it: what is out of line is not issued as a rule. None without a loop."""
    blocks, following, loops = read_graph(code, labels)
    count = {header: sum(bool(wanted.match(code[at].name)) for i in body for at in range(*blocks[i]))
             for header, body in loops.items()}
    inner = [header for header, body in loops.items()
             if count[header] and not any(loops[other] < body and count[other] for other in loops)]
    if not inner:
        return None
    header = max(inner, key=count.get)
    last = max(blocks[i][1] for i in loops[header] if header in following[i])
    return count[header], last - blocks[header][0]


def count_stores(code, labels, columns):
    """Instructions of the longest way of a warp that takes a tile of so many columns from tensor memory, past loops
    that ask again: a turn of the loop over tiles, if there is one, and loops over columns as often as these need."""
    blocks, following, loops = read_graph(code, labels)

    def loaded(body):
        instructions = [code[at] for i in body for at in range(*blocks[i])]
        return sum(int(re.search(r"\.x(\d+)", ins.suffix)[1]) for ins in instructions if ins.name == "LDTM")

    def walk(start, body):
        """Of the longest way through `body` from `start` back to it or to an end."""
        within = {header: inner for header, inner in loops.items() if inner < body}
        nested = {header: inner for header, inner in within.items()
                  if not any(inner < other for other in within.values())}
        cost = {i: sum(ins.name != "NOP" for ins in code[slice(*blocks[i])]) for i in body}
        for header, inner in nested.items():
            turns = columns // loaded(inner) if loaded(inner) else 0
            cost.update(dict.fromkeys(inner, 0))
            cost[header] = turns * walk(header, inner) if turns else 0
        best, entered = {}, set()

        def longest(i):
            if i not in best and i not in entered:
                entered.add(i)
                best[i] = cost[i] + max((longest(j) for j in following[i] if j in body and j != start), default=0)
            return best.get(i, 0)

        return longest(start)

    over_tiles = [header for header, body in loops.items()
                  if loaded(body) >= columns or any(loaded(other) and other < body for other in loops.values())]
    if not over_tiles:
        return walk(0, set(range(len(blocks))))
    header = max(over_tiles, key=lambda header: len(loops[header]))
    return walk(header, loops[header])


# ----------------------------------------------------------------------------------------------------------------------
# Ours
# ----------------------------------------------------------------------------------------------------------------------

def cpu():
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


class Compiler:
    def __init__(self, folder, ptxas):
        self.tool, self.ptxas = folder / "ufp4-compile", ptxas

    def compile(self, text, chip, path="auto"):
        """Code by kernel, its spills, its manifest entry, and the CPU seconds that it took."""
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            (folder / "in.mlir").write_text(text)
            begin = cpu()
            command = [self.tool, folder / "in.mlir", f"--target={chip}", f"--e1m2={path}", "-o", folder / "out"]
            got = subprocess.run(command + ([f"--ptxas={self.ptxas}"] if self.ptxas else []), capture_output=True, text=True)
            seconds = cpu() - begin
            if got.returncode:
                said = [line.split("error: ", 1)[1] for line in got.stderr.splitlines() if "error: " in line]
                raise RuntimeError(said[0] if said else f"exit code {got.returncode}")
            manifest = json.loads((folder / "out" / "manifest.json").read_text())
            cubin = folder / "out" / "kernels.cubin"
            if not cubin.exists():
                raise RuntimeError("no ptxas was found")
            is_uniform = any(not entry["documented"] for entry in manifest["kernels"])
            functions = read_functions(self.nvdisasm_of_uniform_grid if is_uniform else self.nvdisasm, cubin)
            return {entry["name"]: (entry, *functions[entry["name"]]) for entry in manifest["kernels"]}, seconds


    def compile_kernel(self, chip, options):
        """Code of one GEMM on e2m1 operands."""
        options = f"chip={chip} format=e2m1 result=bf16 column-multiple=16 {options}"
        emit = f"--ufp4-emit-binaries=target={chip}" + (f" ptxas={self.ptxas}" if self.ptxas else "")
        command = [self.tool.with_name("ufp4-opt"), f"--ufp4-test-gemm-kernel={options}", emit]
        got = subprocess.run(command, input="module {}", capture_output=True, text=True)
        found = re.search(r'bin = "((?:[^"\\]|\\.)*)"', got.stdout)
        if not found:
            raise RuntimeError((got.stderr.strip().splitlines() or ["no binary"])[0])
        # A byte is itself, an escaped character, or two digits.
        code = re.sub(r"\\([0-9A-F]{2}|.)", lambda one: chr(int(one[1], 16)) if len(one[1]) == 2 else one[1], found[1])
        with tempfile.TemporaryDirectory() as temporary:
            cubin = pathlib.Path(temporary) / "kernel.cubin"
            cubin.write_bytes(code.encode("latin-1"))
            return next(iter(read_functions(self.nvdisasm, cubin).values()))


def scheme(format, scale, block, rotation=False):
    text = f"{format}, block = {block}, scale = {scale}"
    return text + (f", rotation = <size = {block}, signs = {'0xD7E8' * (block // 16) if block == 16 else '0xD7E8D7E8'}>" if rotation else "")


def gemm_text(format, scale, block, size=4096):
    """One GEMM from values to C with dynamic rows and columns."""
    s = f"#ufp4.scheme<{scheme(format, scale, block)}>"
    q = f"!ufp4.tensor<?x{size}, {s}, along = 1>"
    x, y = f"tensor<?x{size}xbf16>", "tensor<?x?xbf16>"
    return (f"func.func @gemm(%x: {x}, %w: {x}) -> {y} {{\n"
            f"  %a = ufp4.quantize %x along 1 : {x} -> {q}\n  %b = ufp4.quantize %w along 1 : {x} -> {q}\n"
            f"  %y = ufp4.matmul %a, %b : {q}, {q} -> {y}\n  return %y : {y}\n}}")


def constant_text(format, scale, block):
    """One GEMM alone: its operands are there. Its kernel does not depend on their sizes."""
    rows, depth = 128, 256
    kind = "f32" if scale == "f32" else "i8"
    one = {"f32": "1.0", "ue4m3": "56", "ue8m0": "127"}[scale]
    s = f"#ufp4.scheme<{scheme(format, scale, block)}>"
    q = f"!ufp4.tensor<{rows}x{depth}, {s}, along = 1>"
    whole = ", global = 1.0 : f32" if scale == "ue4m3" else ""
    value = (f"<codes = dense<1> : tensor<{rows}x{depth}xi8>, scales = dense<{one}> : "
             f"tensor<{rows}x{depth // block}x{kind}>{whole}>")
    y = f"tensor<{rows}x{rows}xf32>"
    return (f"func.func @gemm() -> {y} {{\n  %a = ufp4.constant {value} : {q}\n"
            f"  %y = ufp4.matmul %a, %a : {q}, {q} -> {y}\n  return %y : {y}\n}}")


def quantize_text(format, scale, how, size=4096):
    """A GEMM, or two, whose first operand is quantized as `how` says; the other is along rows, to nearest."""
    s = f"#ufp4.scheme<{scheme(format, scale, 16, rotation=True)}>"
    x, y = f"tensor<{size}x{size}xbf16>", f"tensor<{size}x{size}xf32>"
    q = [f"!ufp4.tensor<{size}x{size}, {s}, along = {along}>" for along in (0, 1)]
    lines = [f"func.func @step(%x: {x}, %w: {x}, %seed: i64, %step: i32) -> ({y}, {y}) {{",
             f"  %w1 = ufp4.quantize %w along 1 : {x} -> {q[1]}"]
    draw = " stochastic(%seed, %step) {stream = 7}"
    first, second = {"rows": (1, 1), "stochastic": (1, 1), "columns": (0, 0), "dual": (1, 0)}[how]
    stochastic = draw if how == "stochastic" else ""
    lines.append(f"  %a = ufp4.quantize %x along {first}{stochastic} : {x} -> {q[first]}")
    lines.append(f"  %b = ufp4.quantize %x along {second}{stochastic} : {x} -> {q[second]}")
    for result, operand, along in (("%y", "%a", first), ("%z", "%b", second)):
        lines.append(f"  {result} = ufp4.matmul {operand}, %w1 : {q[along]}, {q[1]} -> {y}")
    return "\n".join(lines + [f"  return %y, %z : {y}, {y}", "}"])


# ----------------------------------------------------------------------------------------------------------------------
# Tables
# ----------------------------------------------------------------------------------------------------------------------

def row(name, cells, bar="", passed=None):
    mark = "" if passed is None else "  ok" if passed else "  MISSED"
    print(f"  {name:46s} {cells}{'   bar ' + bar if bar else ''}{mark}", flush=True)


def loop_row(name, code, labels, bar=None, spills=None, text=""):
    found = count_loop(code, labels)
    if found is None:
        row(name, "no loop with matrix instructions")
        return
    ratio = found["other"] / found["mma"]
    cells = (f"{found['mma']:4d} MMA {found['other']:5d} other  {ratio:5.2f} per MMA  {found['nops']:4d} NOP "
             f"{found['shared']:5.0f} B shared/MMA  spills {found['spills']} in the loop"
             + (f", {spills} B in all" if spills is not None else ""))
    row(name, cells, text or (f"{bar}" if bar else ""), None if bar is None else ratio <= bar and not found["spills"])


def gemm_of(kernels):
    return next(value for name, value in kernels.items() if value[0]["path"] != "quantize")


def show_loops(compiler, title, cases):
    print(title)
    for name, arguments, chip, path, bar in cases:
        try:
            kernels, _ = compiler.compile(gemm_text(*arguments), chip, path)
        except RuntimeError as error:
            row(f"ufp4 {name} {chip}", f"not compiled: {error}")
            continue
        entry, code, labels = gemm_of(kernels)
        loop_row(f"ufp4 {name} {chip}, {entry['path']}", code, labels, bar)


def show_peer(peers, compiler, name, capability, kernels, folder):
    for kernel, record in peers.compile(name, folder, capability, kernels).items():
        if "error" in record:
            row(f"{name} {kernel} sm_{capability}", "not run: " + record["error"])
            continue
        for code, labels in read_functions(compiler.nvdisasm, folder / f"{kernel}.cubin").values():
            loop_row(f"{name} {kernel} sm_{capability}", code, labels, spills=record["spills"])


def show_rows(compiler):
    for scale, block in (("ue4m3", 16), ("ue8m0", 32)):
        for multiple in (16 * block, 4 * block, 2 * block, block):
            name = f"ufp4 e2m1 {scale} sm_120a, rows, K = {multiple} x"
            try:
                options = f"scale={scale} block={block} storage=natural depth-multiple={multiple}"
                loop_row(name, *compiler.compile_kernel("sm_120a", options), 1.1 if multiple >= 4 * block else None)
            except RuntimeError as error:
                row(name, f"not compiled: {error}")


def show_gemms(compiler, peers, folder):
    show_loops(compiler, "Block-scaled GEMM in the hot loop, by MMA (sm_120a)", [
        ("e2m1 ue4m3", ("e2m1", "ue4m3", 16), "sm_120a", "auto", 0.75),
        ("e2m1 ue8m0", ("e2m1", "ue8m0", 32), "sm_120a", "auto", 0.75),
        ("e1m2 ue4m3", ("e1m2", "ue4m3", 16), "sm_120a", "native", 0.75),
        ("e1m2 ue8m0", ("e1m2", "ue8m0", 32), "sm_120a", "container", None)])
    show_rows(compiler)
    for name, kernels in GEMMS.items():
        show_peer(peers, compiler, name, "120", kernels, folder)


def tensor_row(name, code, labels, chip, tile, warps, bar=None):
    products, copies = (count_range(code, labels, wanted) for wanted in (MATRIX, COPY))
    if not products or not copies:
        row(name, "no loop with matrix instructions, or none with copies")
        return
    rows, columns = map(int, tile.split("x"))
    blocks, stores = rows // 128, count_stores(code, labels, columns)
    counts = {"products": products[1], "copies": copies[1], "stores": stores}
    steps = DEPTH / (products[0] * PRODUCT_DEPTH)
    # One block of a pair multiplies for both.
    issued = (steps * (counts["products"] * warps["products"] + blocks * counts["copies"] * warps["copies"])
              + blocks * counts["stores"] * warps["stores"])
    share = issued / (4 * 2 * rows * columns * DEPTH / TENSOR_CHIPS[chip])
    for_four = counts["products"] * 4 / products[0]
    spills = sum(ins.name in ("LDL", "STL") for ins in code)
    bars = [] if not bar else [(f"{bar} for 4", for_four <= bar), ("0.1 of the slots", share <= 0.1)]
    row(name, f"{for_four:4.0f} for 4 MMA  {copies[1]:3d} copying x {warps['copies']}  {stores:5d} storing x {warps['stores']}  "
        f"{share:6.3f} of the issue slots  spills {spills}",
        ", ".join(f"{text} {'ok' if holds else 'MISSED'}" for text, holds in bars))


def show_tensor(compiler, peers, folder):
    print("Sums in tensor memory, e2m1 ue4m3: instructions for 4 MMAs and for a step's copies, from sums to C, by warps")
    for chip in TENSOR_CHIPS:
        for tile in TENSOR_TILES["ufp4"]:
            name = f"ufp4 {tile} {chip}"
            try:
                code, labels = compiler.compile_kernel(chip, f"scale=ue4m3 tile={tile}")
            except RuntimeError as error:
                row(name, f"not compiled: {error}")
                continue
            bar = {"128x128": 75, "128x256": 90}.get(tile)
            tensor_row(name, code, labels, chip, tile, {"copies": 1, "products": 1, "stores": 4}, bar)
    for peer in TENSOR_PROGRAMS:
        tiles = {f"e2m1_ue4m3_{tile}": tile for tile in TENSOR_TILES[peer]}
        for chip in TENSOR_CHIPS:
            records = peers.compile(peer, folder, re.search(r"\d+", chip)[0], list(tiles), TENSOR_PROGRAMS)
            for kernel, record in records.items():
                name = f"{peer} {tiles[kernel]} {chip}"
                if "error" in record:
                    row(name, "not run: " + record["error"])
                    continue
                for code, labels in read_functions(compiler.nvdisasm, folder / f"{kernel}.cubin").values():
                    tensor_row(name, code, labels, chip, tiles[kernel], record["warps"])


def show_post(compiler):
    show_loops(compiler, "`post`: f32 scales per 16, by m16n8k16", [
        ("e1m2 f32", ("e1m2", "f32", 16), chip, "post", bar)
        for chip, bar in (("sm_80", 10), ("sm_90a", 10), ("sm_120a", 10), ("sm_100a", 6), ("sm_103a", 6))])


def show_fold(compiler, peers, folder):
    show_loops(compiler, "`fold`: scales in the bf16 operands, by m16n8k16", [
        (f"e1m2 {scale}", ("e1m2", scale, block), chip, "fold", None)
        for chip in ("sm_80", "sm_89", "sm_90a", "sm_100a", "sm_120a") for scale, block in (("ue4m3", 16), ("ue8m0", 32))])
    show_peer(peers, compiler, "triton", "80", ["bf16"], folder)


def show_quantize(compiler):
    print("RHT16 and quantize of bf16 to e1m2, by element and thread: the longest way past loops for rare cases")
    bars = {"rows": {"sm_100a": 8, "sm_120a": 10.5, "sm_90a": 11}, "stochastic": dict.fromkeys(["sm_100a", "sm_120a", "sm_90a"], 20),
            "columns": dict.fromkeys(["sm_100a", "sm_120a", "sm_90a"], 13), "dual": {"sm_100a": 10, "sm_120a": 12, "sm_90a": 12}}
    for how, scales in (("rows", ("f32", "ue4m3")), ("stochastic", ("f32",)), ("columns", ("f32",)), ("dual", ("f32",))):
        for scale in scales:
            for chip, bar in bars[how].items():
                name = f"ufp4 {how} {scale} {chip}"
                try:
                    kernels, _ = compiler.compile(quantize_text("e1m2", scale, how), chip)
                except RuntimeError as error:
                    row(name, f"not compiled: {error}")
                    continue
                wanted = {"rows": "_inner_", "stochastic": "_u16_", "columns": "_outer_", "dual": "_outer_"}[how]
                entry, code, labels = next(value for key, value in kernels.items()
                                           if "quantize" in key and wanted in key and (how != "dual" or "_inner_" in key))
                count, stored = find_way(code, labels)
                planes = [argument for argument in entry["arguments"] if argument["kind"] in ("codes", "scales")]
                size = {"u4": 0.5, "u8": 1, "bf16": 2, "f32": 4}
                # What is stored tells how many elements the way quantizes; of a dual kernel, of both outputs.
                each = sum(size[a["element"]] / (1 if a["kind"] == "codes" else 16) for a in planes)
                elements = stored / (each / 2 if how == "dual" else each)
                whole = sum(ins.name != "NOP" for ins in code)
                local = sum(ins.name in ("LDL", "STL") for ins in code)
                if elements < 8:
                    row(name, f"  its work is in loops: {whole} instructions in all  spills {local}", str(bar))
                    continue
                row(name, f"{count / elements:6.2f} per element  {count:5d} for {elements:.0f}, {whole} in all  spills {local}",
                    str(bar), count / elements <= bar and not local)


def show_compile(compiler, peers, repetitions, folder):
    print("From ufp4.matmul to cubin, CPU seconds, medians of", repetitions)
    medians = {}
    for name, form in TIMED.items():
        theirs = []
        for _ in range(repetitions):
            record = peers.compile(name, folder, "120", [form])[form]
            if "error" in record:
                row(f"{name} {form} sm_120", "not run: " + record["error"])
                break
            theirs.append(record["cpu"])
        if theirs:
            medians[name] = statistics.median(theirs)
            row(f"{name} {form} sm_120, import apart", f"{medians[name]:.2f} s  [{min(theirs):.2f}, {max(theirs):.2f}]")
    peer = medians.get("triton")
    for name, text, chip in (("GEMM", constant_text("e2m1", "ue4m3", 16), "sm_120a"),
                             ("GEMM", constant_text("e1m2", "f32", 16), "sm_120a"),
                             ("GEMM and its quantizes", gemm_text("e2m1", "ue4m3", 16), "sm_120a")):
        try:
            ours = [compiler.compile(text, chip)[1] for _ in range(repetitions)]
        except RuntimeError as error:
            row(f"ufp4 {name}", f"not compiled: {error}")
            continue
        middle = statistics.median(ours)
        scale = "f32" if "scale = f32" in text else "ue4m3"
        ratio = f", x {middle / peer:.2f} of Triton" if peer else ""
        bar = name == "GEMM"
        row(f"ufp4 {name}, {scale}, {chip}", f"{middle:.2f} s  [{min(ours):.2f}, {max(ours):.2f}]{ratio}",
            "0.7 s and 0.5 of Triton" if bar else "", (middle <= 0.7 and (peer is None or middle <= peer / 2)) if bar else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build" / "ci" / "bin", help="where ufp4-compile is")
    parser.add_argument("--peers", type=pathlib.Path, default=ROOT / "build" / "peers", help="environments of peers")
    parser.add_argument("--only", default="gemm,tensor,post,fold,quantize,compile", help="tables, separated by commas")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--ptxas", default="", help="the assembler; searched for when empty")
    parser.add_argument("--offline", action="store_true", help="install nothing")
    options = parser.parse_args()
    options.peers.mkdir(parents=True, exist_ok=True)
    peers = Peers(options.peers.resolve(), options.offline)
    compiler = Compiler(options.bin.resolve(), options.ptxas)
    compiler.nvdisasm = peers.nvdisasm()
    compiler.nvdisasm_of_uniform_grid = peers.nvdisasm_of_uniform_grid()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        tables = {"gemm": lambda: show_gemms(compiler, peers, folder),
                  "tensor": lambda: show_tensor(compiler, peers, folder), "post": lambda: show_post(compiler),
                  "fold": lambda: show_fold(compiler, peers, folder), "quantize": lambda: show_quantize(compiler),
                  "compile": lambda: show_compile(compiler, peers, options.repetitions, folder)}
        for name in options.only.split(","):
            if name not in tables:
                parser.error(f"--only: unknown table '{name}': expected {', '.join(tables)}")
            tables[name]()


if __name__ == "__main__":
    main()
