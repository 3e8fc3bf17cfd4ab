"""Compiles the headers below a folder with the flags of a project that uses them: all in one file, which
nothing that is not installed may be missing from, and by itself each that needs nothing of MLIR's. The
others would cost seconds each; builds without a precompiled header (the preset no-pch) prove them, as
each source includes its own header first.

Usage: check_headers.py INCLUDE COMPILE_COMMANDS
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys


def needs_mlir(header, include):
    text = header.read_text()
    if re.search(r'^#include "mlir/', text, re.M):
        return True
    inner = re.findall(r'^#include "(ufp4/.*\.h)"$', text, re.M)
    return any(needs_mlir(include / name, include) for name in inner)


def main(include, commands):
    include = pathlib.Path(include)
    (command,) = json.loads(pathlib.Path(commands).read_text())
    # Without the object and the source, which end the command.
    words = shlex.split(command["command"])
    flags = [*words[: words.index("-o")], "-w", "-fsyntax-only", "-x", "c++", "-"]
    names = [h.relative_to(include).as_posix() for h in sorted(include.rglob("*.h"))]
    alone = [[name] for name in names if not needs_mlir(include / name, include)]

    def check(group):
        text = "".join(f'#include "{name}"\n' for name in group)
        return subprocess.run(flags, input=text, capture_output=True, text=True)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(check, [names, *alone]))
    for result in results:
        print(result.stderr, end="")
    failed = sum(result.returncode != 0 for result in results)
    print(f"{len(names)} headers together and {len(alone)} alone, {failed} compilations failed")
    return int(failed != 0)


sys.exit(main(*sys.argv[1:]))
