"""Runs the commands that a document shows and compares their output with what it shows.

A fence ```sh holds commands, run from the repository's root. A fence ```text right after it holds
texts that the output (of all of them, errors included) has in this order.

Usage: run_commands.py ROOT DOCUMENT
"""

import re
import subprocess
import sys


def read_examples(text):
    fences = re.finditer(r"^```sh\n(.*?)^```\n(?:\n*^```text\n(.*?)^```\n)?", text, re.M | re.S)
    for commands, expected in (fence.groups() for fence in fences):
        yield commands, [line for line in (expected or "").splitlines() if line.strip()]


def run(root, commands, expected):
    script = "set -euo pipefail\n" + commands
    done = subprocess.run(["bash", "-c", script], cwd=root, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        return f"ended with {done.returncode}:\n{done.stdout}"
    position = 0
    for line in expected:
        found = done.stdout.find(line, position)
        if found < 0:
            return f"does not print, where it should:\n{line}\nbut:\n{done.stdout[position:]}"
        position = found + len(line)
    return None


def main(root, document):
    with open(document, encoding="utf-8") as file:
        examples = list(read_examples(file.read()))
    failed = 0
    for commands, expected in examples:
        error = run(root, commands, expected)
        if error:
            failed += 1
            print(f"{commands}{error}")
    print(f"{len(examples)} examples, {failed} failed")
    return int(failed != 0 or not examples)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
