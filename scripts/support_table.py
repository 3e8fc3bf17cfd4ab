"""Writes the table of chips in docs/support.md from what `ufp4-opt --print-capabilities` prints.

Usage: ufp4-opt --print-capabilities | support_table.py docs/support.md [--check]
With --check nothing is written, and the exit code is 1 when the table is stale.
"""

import pathlib
import re
import sys

PATHS = ["native", "container", "post", "fold"]


def read_chips(text):
    chips = {}
    for line in text.splitlines():
        chip = re.match(r"(\S+): (NVIDIA|AMD), ", line)
        if chip:
            cells = chips[chip[1]] = {path: [] for path in PATHS}
            continue
        row = re.match(r"  (\w+) +(e\dm\d(?:, e\dm\d)*) +(.+?)  +(any|\d+) ", line)
        if row and "refused" not in line:
            mark = "\\*" if "by permission" in line else ""
            elements = "" if row[4] == "any" else f" per {row[4]}"
            cells[row[1]].append(f"{row[2]} × {row[3]}{elements}{mark}")
    return chips


def main(page, check=None):
    chips = read_chips(sys.stdin.read())
    lines = [f"| chip | {' | '.join(PATHS)} |", "|---" * (len(PATHS) + 1) + "|"]
    for chip, cells in chips.items():
        lines.append(f"| `{chip}` | " + " | ".join("; ".join(cells[path]) for path in PATHS) + " |")
    page = pathlib.Path(page)
    old = page.read_text(encoding="utf-8")
    begin, end = old.index("| chip |"), old.index("<!-- end of chips -->")
    new = old[:begin] + "\n".join(lines) + "\n\n" + old[end:]
    if not check:
        page.write_text(new, encoding="utf-8")
    elif new != old:
        print(f"{page} is stale: run ufp4-opt --print-capabilities | scripts/support_table.py {page}")
        return 1
    print(f"{len(chips)} chips")
    return int(not chips)


sys.exit(main(*sys.argv[1:]))
