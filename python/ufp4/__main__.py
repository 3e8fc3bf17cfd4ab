"""``python -m ufp4``: what this installation knows."""

import argparse
import json

import ufp4


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m ufp4", description=ufp4.__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print the tables whole, as JSON")
    arguments = parser.parse_args()
    if arguments.json:
        tables = {"version": ufp4.__version__, "recipes": ufp4.recipes()}
        tables |= {"formats": ufp4.formats(), "capabilities": ufp4.capabilities()}
        print(json.dumps(tables, indent=2))
        return
    print(f"ufp4 {ufp4.__version__}\n\nrecipes")
    for name, recipe in ufp4.recipes().items():
        print(f"  {name:<14} {recipe['hash']}  {recipe['summary']}")
    print("\nformats")
    for name, magnitudes in ufp4.formats()["formats"].items():
        print(f"  {name:<14} ±{{{', '.join(f'{m:g}' for m in magnitudes)}}}")
    print("\nchips, and the paths by which they multiply e1m2 and e2m1")
    for name, chip in ufp4.capabilities().items():
        ways = {}
        for path in chip["paths"]:
            for form in path["formats"]:
                ways.setdefault(form, []).append(path["path"])
        text = "; ".join(f"{form}: {', '.join(dict.fromkeys(paths))}" for form, paths in sorted(ways.items()))
        print(f"  {name:<14} {text}")
    print(
        '\nusage\n  ufp4.compile("step.mlir", recipe="ufp4")(*arrays, seed=1, step=0)\n'
        "  ufp4.quantize(x, rotation=16)"
    )


if __name__ == "__main__":
    main()
