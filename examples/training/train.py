"""Trains a small language model under the rows of the comparison, and stores each run.

    pip install ".[examples]"
    python examples/training/train.py --setting=smoke --rows=bf16,ufp4 --seeds=0,1 --output=runs.jsonl

A row is a recipe with a name (rows.json), a setting a model with its schedule (settings.json). Each run is a process of
its own and one line of the output: what it was made of, its losses, its speed and its memory. Runs that the output
holds already are left out, so the same command goes on where it was stopped: within a run from its last checkpoint,
with the bits of a run that was never stopped.
"""

import argparse
import datetime
import hashlib
import json
import os
import pathlib
import resource
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
POINTS = 100


def table(name):
    return json.loads((HERE / name).read_text())


def choose(what, name, known):
    if name not in known:
        raise SystemExit(f"{what}: expected one of {', '.join(known)}, found '{name}'")
    return known[name]


def digest(value):
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def stored(path):
    """The runs of a file; none where there is none yet."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def progress_bar(setting, row, seed):
    """On a terminal one line that changes; elsewhere a line for every tenth of the run."""
    terminal = sys.stderr.isatty()

    def show(trainer):
        done, steps = len(trainer.losses), setting["steps"]
        if not terminal and done % max(1, steps // 10) and done != steps:
            return
        recent = trainer.losses[-max(1, steps // 20) :]
        left = (steps - done) * sorted(trainer.walls)[len(trainer.walls) // 2]
        bar = "█" * (20 * done // steps)
        loss = sum(recent) / len(recent)
        line = f"{row:14} seed {seed} {bar:20} {done}/{steps} loss {loss:.4f}, {left / 60:.0f} min left"
        print(line, end="\r" if terminal and done < steps else "\n", file=sys.stderr, flush=True)

    return show


def median(values):
    return sorted(values)[len(values) // 2]


def processor():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")


def reset_peak():
    """Forgets the most memory that this process had so far, on Linux, where that can be."""
    try:
        pathlib.Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pass


def peak_mib():
    try:
        status = pathlib.Path("/proc/self/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) // 1024
    except (OSError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def checkpoint_name(name, setting, row, recipe, seed, text_hash, route):
    """What a checkpoint was made of is in its name: another setting or text begins anew."""
    return f"{name}-{row}-{seed}-{digest([setting, recipe, text_hash, route])}.npz"


def one_run(arguments, row, seed):
    """Runs a row with a seed, from its checkpoint if there is one, and returns its record (docs/training.md)."""
    import corpus
    import jax
    import trainer as training
    import ufp4

    setting = choose("--setting", arguments.setting, table("settings.json"))
    recipe = choose("--rows", row, table("rows.json"))["recipe"]
    text, text_hash = corpus.load(arguments.text)
    threads = len(os.sched_getaffinity(0))
    trainer = training.Trainer(setting, recipe, seed, text, arguments.devices, arguments.route, threads)
    checkpoint = None
    if arguments.checkpoints:
        arguments.checkpoints.mkdir(parents=True, exist_ok=True)
        name = checkpoint_name(arguments.setting, setting, row, recipe, seed, text_hash, arguments.route)
        checkpoint = arguments.checkpoints / name
        if checkpoint.exists():
            trainer.load(checkpoint)
    resumed = len(trainer.losses)
    show = progress_bar(setting, row, seed)

    def after(trainer):
        show(trainer)
        done = len(trainer.losses)
        if done == resumed + 1:
            # The compiler's memory is not the training's.
            reset_peak()
        if checkpoint and done % arguments.every == 0 and done < setting["steps"]:
            trainer.save(checkpoint)

    trainer.run(setting["steps"], after)
    if checkpoint:
        checkpoint.unlink(missing_ok=True)

    losses, steps = trainer.losses, setting["steps"]
    edges = [steps * i // POINTS for i in range(POINTS + 1)] if steps > POINTS else range(steps + 1)
    quarter = losses[-(steps // 4) :]
    # The first step of a process compiles.
    walls, cpus = trainer.walls[1:] or trainer.walls, trainer.cpus[1:] or trainer.cpus
    return {
        "setting": arguments.setting,
        "setting_hash": digest(setting),
        "row": row,
        "recipe": recipe,
        "recipe_hash": trainer.step.recipe["hash"],
        "seed": seed,
        "final": round(sum(quarter) / len(quarter), 6),
        "parameters": trainer.parameters,
        "tokens": steps * setting["batch"] * setting["length"],
        "wall_ms": round(1000 * median(walls), 2),
        "cpu_ms": round(1000 * median(cpus), 2),
        "peak_mib": peak_mib(),
        "resumed_at": resumed,
        "threads": threads,
        "devices": arguments.devices,
        "route": arguments.route,
        "processor": processor(),
        "ufp4": ufp4.__version__,
        "jax": jax.__version__,
        "text": text_hash,
        "date": datetime.date.today().isoformat(),
        "command": f"train.py --setting={arguments.setting} --rows={row} --seeds={seed} --route={arguments.route}",
        "losses": [round(sum(losses[a:b]) / (b - a), 5) for a, b in zip(edges, edges[1:])],
    }


def seeds(text):
    """0,2,5-7 as numbers."""
    found = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--setting", default="smoke", help=", ".join(table("settings.json")))
    parser.add_argument("--rows", default="bf16,e2m1-baseline,ufp4", help="all, or of " + ", ".join(table("rows.json")))
    parser.add_argument("--seeds", type=seeds, default=[0], help="as in 0-4,7")
    parser.add_argument(
        "--output", type=pathlib.Path, default=pathlib.Path("runs.jsonl"), help="a line is added for each run"
    )
    parser.add_argument("--checkpoints", type=pathlib.Path, help="a folder to keep interrupted runs in")
    parser.add_argument("--every", type=int, default=100, help="steps between checkpoints")
    parser.add_argument("--text", type=pathlib.Path, help="a file, or a folder of Python sources; JAX's without it")
    parser.add_argument(
        "--devices",
        type=int,
        default=1,
        help="how many of XLA's split a batch",
    )
    parser.add_argument(
        "--route", choices=["jax", "linalg"], default="jax", help="linalg: without XLA, by iree-opt and ufp4.compile"
    )
    parser.add_argument("--in-process", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    rows = list(table("rows.json")) if arguments.rows == "all" else arguments.rows.split(",")
    setting = choose("--setting", arguments.setting, table("settings.json"))
    for row in rows:
        choose("--rows", row, table("rows.json"))

    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    if arguments.in_process:
        record = one_run(arguments, rows[0], arguments.seeds[0])
        with open(arguments.output, "a") as file:
            file.write(json.dumps(record) + "\n")
        return
    # Seed by seed, so that whatever is finished can be compared in pairs.
    for seed in arguments.seeds:
        for row in rows:
            wanted = {"row": row, "seed": seed, "setting_hash": digest(setting), "route": arguments.route}
            if any(wanted.items() <= run.items() for run in stored(arguments.output)):
                continue
            # The peak of memory is a process's. Of an option given twice the last one counts.
            command = [sys.executable, __file__, *sys.argv[1:], "--in-process", f"--rows={row}", f"--seeds={seed}"]
            if subprocess.run(command).returncode:
                raise SystemExit(
                    f"the run of {row} with seed {seed} failed; the same command goes on from its checkpoint"
                )


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    main()
