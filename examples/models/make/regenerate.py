"""Makes every X.linalg.mlir and X.named.linalg.mlir of this folder again, from X.generic.mlir.

    regenerate.py [--check]

--check writes nothing: it names the files that would change, and fails if there are any.
"""

import argparse
import pathlib
import sys

import to_linalg

FOLDER = pathlib.Path(__file__).resolve().parent.parent

# The gradient of take_along_axis is a scatter that iree-opt takes in the named spelling alone.
NAMED_ALONE = {"transformer_f32acc"}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    equal = changed = 0
    for source in sorted(FOLDER.glob("*.generic.mlir")):
        model = source.name.split(".")[0]
        for spelling, suffix in to_linalg.SPELLINGS.items():
            path = FOLDER / f"{model}{suffix}"
            if not path.exists():
                continue
            text = to_linalg.convert(source.read_text(), "named" if model in NAMED_ALONE else spelling)
            if text == path.read_text():
                equal += 1
                continue
            changed += 1
            print(f"{path.name} changes", flush=True)
            if not check:
                path.write_text(text)
    print(f"{equal} equal, {changed} changed")
    sys.exit(check and changed > 0)


if __name__ == "__main__":
    main()
