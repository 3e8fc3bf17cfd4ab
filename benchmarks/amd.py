#!/usr/bin/env python3
"""What LLVM makes of AMD's default kernels: instructions of the hot loop for each MFMA, by kind.

usage: amd.py [--bin=FOLDER of ufp4-opt]"""
import argparse
import collections
import re
import resource
import subprocess
import sys

KERNELS = [
    ("gfx942 e1m2 f32/16", "chip=gfx942 column-multiple=4", 14.0),
    ("gfx950 e1m2 f32/16", "chip=gfx950 column-multiple=4", 14.0),
    ("gfx942 e1m2 ue4m3/16, post", "chip=gfx942 scale=ue4m3 column-multiple=4", None),
    ("gfx950 e1m2 ue4m3/16, post", "chip=gfx950 scale=ue4m3 column-multiple=4", None),
    ("gfx950 e1m2 ue8m0/32, post", "chip=gfx950 scale=ue8m0 block=32 path=post column-multiple=4", None),
    ("gfx950 e2m1 ue8m0/32, native", "chip=gfx950 format=e2m1 scale=ue8m0 block=32 column-multiple=4",
     4.0),
    ("gfx950 e1m2 ue8m0/32, 4 bits", "chip=gfx950 scale=ue8m0 block=32 column-multiple=4", 10.0),
    ("gfx950 e1m2 ue8m0/32, 6 bits",
     "chip=gfx950 scale=ue8m0 block=32 storage=lane_major_e2m3 column-multiple=4", 6.0),
    ("gfx1250 e1m2 ue8m0/32, 4 bits", "chip=gfx1250 scale=ue8m0 block=32 column-multiple=8", 14.5),
    ("gfx1250 e1m2 ue8m0/16, 4 bits", "chip=gfx1250 scale=ue8m0 block=16 column-multiple=8", 14.5),
]
MATRIX = ("v_mfma", "v_wmma")
KINDS = [
    ("VALU", r"v_(?!mfma|wmma|readfirstlane)"),
    ("LDS", r"ds_"),
    ("VMEM", r"(global|buffer)_"),
    ("wait", r"s_(wait|nop|barrier)"),
    ("SALU", r"s_|v_readfirstlane"),
    ("scratch", r"scratch_"),
]


def compile_kernel(tool, options):
    """The kernel's assembly, and the CPU seconds of the whole compilation."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    chip = re.search(r"chip=(\w+)", options)[1]
    run = subprocess.run(
        [tool, "-", f"--ufp4-test-gemm-kernel={options}", f"--ufp4-emit-binaries=target={chip}"],
        input="module {}", capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode:
        sys.exit(run.stderr)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    literal = re.search(r'assembly = "((?:[^"\\]|\\.)*)"', run.stdout)[1]
    return re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), literal), seconds


def hot_loop(assembly):
    """The shortest loop that has MFMAs."""
    code, labels, loops = [], {}, []
    for line in assembly.split("\n"):
        line = line.split(";")[0]
        if label := re.match(r"(\.LBB\w+):", line):
            labels[label[1]] = len(code)
        elif instruction := re.match(r"\t([a-z]\w+)\s*(.*)", line):
            code.append(instruction[1])
            start = labels.get(instruction[2].strip())
            if "branch" in instruction[1] and start is not None:
                body = code[start:]
                if any(name.startswith(MATRIX) for name in body):
                    loops.append(body)
    return min(loops, key=len)


def number(assembly, key):
    return int(re.search(rf"\.{key}:\s+(\d+)", assembly)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", default="build/ci/bin")
    tool = parser.parse_args().bin + "/ufp4-opt"
    print(f"{'kernel':30}{'MFMA':>5}{'other':>7}{'bar':>6}", *(f"{kind:>8}" for kind, _ in KINDS),
          f"{'VGPR':>6}{'spill':>6}{'CPU s':>7}")
    failed = False
    for name, options, bar in KERNELS:
        assembly, seconds = compile_kernel(tool, options)
        loop = hot_loop(assembly)
        counts = collections.Counter()
        for instruction in loop:
            kind = "MFMA" if instruction.startswith(MATRIX) else next(
                kind for kind, pattern in KINDS if re.match(pattern, instruction))
            counts[kind] += 1
        mfma = counts["MFMA"]
        other = (len(loop) - mfma) / mfma
        failed |= bar is not None and other > bar
        print(f"{name:30}{mfma:5}{other:7.2f}{bar or '':>6}",
              *(f"{counts[kind] / mfma:8.2f}" for kind, _ in KINDS),
              f"{number(assembly, 'vgpr_count'):6}{number(assembly, 'vgpr_spill_count'):6}"
              f"{seconds:7.2f}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
