"""Checks rules that compilers do not: each finding is a line, the exit code says if there are any.

chip      Names of chips stay in folders called Target; the rest asks capability questions. Comments
          may name one.
include   Headers of vendors' dialects stay there and in Conversion/UFP4ToGPU; cmake/Precompiled.h, which
          serves them too, may name them.
pipe      No script or document pipes into a reader that stops early: under pipefail the writer's
          SIGPIPE fails it, now and then.
unfinished  No mark of unfinished work, anywhere.

Usage: check_source.py ROOT
"""

import pathlib
import re
import sys

SOURCES = {".h", ".cpp", ".td", ".txt", ".cmake", ".in", ".py", ".sh", ".mlir", ".test", ".md", ".def"}
FOLDERS = ["benchmarks", "cmake", "docs", "examples", "include", "lib", "python", "scripts", "test",
           "tools", "unittests"]
# Rooms whose code may not know a chip; tests and documents may.
ROOMS = {"cmake", "include", "lib", "python", "tools"}

CHIP = re.compile(r"\b(?:sm_\d+[a-z]?|gfx\d+[a-z]?)\b")
VENDOR_INCLUDE = re.compile(r"^\s*(?:#\s*)?include\s*[<\"][^>\"]*(?:nvvm|rocdl)", re.I)
# Spelt in pieces, as this file is checked too.
UNFINISHED = re.compile(r"\b(?:%s)\b" % "|".join(
    ["TO" "DO", "FIX" "ME", "XX" "X", "HA" "CK", "place" "holder", "not (?:yet )?imple" "mented",
     "unimple" "mented"]), re.I)
EARLY_READER = re.compile(r"(?<!\|)\|\s*(?:head -|grep (?:-\w+ )*-\w*[qm])")
# The emulator judges the compiler, so it shares no table of chips with it.
ALLOWED_CHIPS = {"include/ufp4/Execution/Emulator/Emulator.h",
                 "lib/Execution/Emulator/AMDOperations.cpp", "lib/Execution/Emulator/Emulator.cpp"}


def without_comments(line, suffix):
    if suffix in {".h", ".cpp", ".td", ".def"}:
        return line.split("//", 1)[0]
    if suffix in {".py", ".txt", ".cmake", ".sh", ".in"}:
        return line.split("#", 1)[0]
    return line


def check_file(path, name):
    parts = name.split("/")
    in_target = "Target" in parts[:-1]
    in_gpu = in_target or "Conversion/UFP4ToGPU/" in name or name == "cmake/Precompiled.h"
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        place = f"{name}:{number}"
        if parts[0] in ROOMS:
            chip = CHIP.search(without_comments(line, path.suffix))
            # A pass that exists for tests is a test.
            allowed = in_target or name in ALLOWED_CHIPS or parts[-1].startswith("Test")
            if chip and not allowed:
                yield f"{place}: chip: {chip[0]} is named outside Target"
            if VENDOR_INCLUDE.search(line) and not in_gpu:
                yield f"{place}: include: a vendor's dialect outside Target and Conversion/UFP4ToGPU"
        if path.suffix in {".sh", ".md"} and EARLY_READER.search(line):
            yield f"{place}: pipe: the reader stops early"
        mark = UNFINISHED.search(line)
        if mark:
            yield f"{place}: unfinished: '{mark[0]}'"


def main(root):
    found = files = 0
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SOURCES or not path.is_file():
                continue
            files += 1
            for finding in check_file(path, path.relative_to(root).as_posix()):
                print(finding)
                found += 1
    print(f"{files} files, {found} findings")
    return int(found != 0 or files == 0)


sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
