"""Runs an entry in ufp4-run and in the library that was compiled of it, and compares.

Usage: same_results.py MODULE LIBRARY_FOLDER ARRAYS_FOLDER ENTRY ARRAY... [--recipe=NAME]
"""

import pathlib
import subprocess
import sys

options = [a for a in sys.argv[1:] if a.startswith("--")]
module, library, folder, entry, *names = [a for a in sys.argv[1:] if not a.startswith("--")]
arrays = [f"{folder}/{name}.npy" for name in names]
seed, step = str(2**40 + 3), "4"
subprocess.run(["ufp4-run", module, f"--entry={entry}", *([f"--inputs={','.join(arrays)}"] if arrays else []),
                f"--seed={seed}", f"--step={step}", f"--output-dir={folder}/run", *options], check=True)
call = pathlib.Path(__file__).with_name("call.py")
sys.exit(subprocess.run([sys.executable, call, library, entry, f"{folder}/run", seed, step, *arrays]).returncode)
