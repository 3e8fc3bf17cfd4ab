"""Compares stored runs: table, CSV, plots and a page.

    python examples/training/report.py --setting=smoke --runs=runs.jsonl --output-dir=report

Reads what train.py wrote (and mechanism.py, by --mechanism). Rows are compared within seeds: a gap is that of a row to
BF16 with the same data and initial values, and intervals are of Student's t over seeds.
"""

import argparse
import base64
import csv
import html
import json
import math
import pathlib

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import scipy.stats
import train

BASELINE, OURS = "e2m1-baseline", "ufp4"
LEVEL = 0.95
COLOURS = {"uniform, rotated": "C0", "uniform": "C2", "E2M1, rotated": "C1", "E2M1": "C3"}


def quantile(n):
    return scipy.stats.t.ppf((1 + LEVEL) / 2, n - 1)


def interval(values):
    """Mean and half the width of its confidence interval; None from one value."""
    n = len(values)
    return np.mean(values), quantile(n) * np.std(values, ddof=1) / math.sqrt(n) if n > 1 else None


def reduction(baseline, ours):
    """By how much the mean of `ours` lies below that of `baseline`, relative to it, and the ends of its interval by
    Fieller's theorem: None where the seeds leave the baseline's own mean open."""
    baseline, ours = np.asarray(baseline), np.asarray(ours)
    value = 1 - ours.mean() / baseline.mean()
    n = len(baseline)
    if n < 2:
        return value, None
    # θ = ours / baseline is possible where (mean of ours − θ · baseline)² ≤ t² · its variance: a quadratic in θ.
    covariance = quantile(n) ** 2 * np.cov(ours, baseline) / n
    a = baseline.mean() ** 2 - covariance[1, 1]
    b = ours.mean() * baseline.mean() - covariance[0, 1]
    c = ours.mean() ** 2 - covariance[0, 0]
    if a <= 0 or b * b - a * c < 0:
        return value, None
    width = math.sqrt(b * b - a * c)
    return value, (1 - (b + width) / a, 1 - (b - width) / a)


def seeds_to_resolve(values):
    """How many seeds would part a mean like this one from 0; None where none can be said."""
    if len(values) < 2 or not np.mean(values):
        return None
    ratio = np.std(values, ddof=1) / abs(np.mean(values))
    return next((n for n in range(2, 10_000) if quantile(n) * ratio / math.sqrt(n) < 1), None)


class Comparison:
    """The runs of one setting.

    Attributes:
      runs: by row, by seed.
      gaps: by row, by seed: per cent above BF16's final loss of that seed.
    """

    def __init__(self, runs, setting):
        wanted = train.digest(train.choose("--setting", setting, train.table("settings.json")))
        self.setting, self.left_out = setting, 0
        texts = {run["text"] for run in runs if run["setting_hash"] == wanted}
        if len(texts) > 1:
            raise SystemExit(f"the runs are of several texts, {', '.join(sorted(texts))}: compare those of one")
        self.runs = {row: {} for row in train.table("rows.json")}
        for run in runs:
            # Runs of another setting of that name, or by the other route, are others.
            if run["setting"] != setting or run["setting_hash"] != wanted or run["route"] != "jax":
                self.left_out += 1
                continue
            known = self.runs.setdefault(run["row"], {}).setdefault(run["seed"], run)
            if known["recipe_hash"] != run["recipe_hash"]:
                raise SystemExit(f"{run['row']}, seed {run['seed']}: the runs are of two recipes of that name")
        self.runs = {row: dict(sorted(seeds.items())) for row, seeds in self.runs.items() if seeds}
        reference = self.runs.get("bf16", {})
        self.gaps = {
            row: {s: 100 * (r["final"] / reference[s]["final"] - 1) for s, r in seeds.items() if s in reference}
            for row, seeds in self.runs.items()
            if row != "bf16"
        }

    def pairs(self, first, second):
        """The gaps of two rows for the seeds that both have."""
        a, b = self.gaps.get(first, {}), self.gaps.get(second, {})
        seeds = [seed for seed in a if seed in b]
        return [a[seed] for seed in seeds], [b[seed] for seed in seeds]


def plus_minus(value, half, digits=2):
    return f"{value:.{digits}f}" + (f" ± {half:.{digits}f}" if half is not None else "")


def table_rows(comparison):
    """One dictionary for each row of the table."""
    rows = []
    bf16 = comparison.runs.get("bf16", {})
    for row, seeds in comparison.runs.items():
        runs = list(seeds.values())
        gaps = list(comparison.gaps.get(row, {}).values())
        ours, theirs = comparison.pairs(row, BASELINE)
        differences = [b - a for a, b in zip(ours, theirs)] if row != BASELINE else []
        cpu = np.median([run["cpu_ms"] for run in runs])
        reference = [run["cpu_ms"] for run in bf16.values()]
        rows.append({
            "row": row,
            "recipe": runs[0]["recipe"],
            "seeds": len(runs),
            "loss": np.mean([run["final"] for run in runs]),
            "gap": interval(gaps) if gaps else None,
            "below": (*interval(differences), len(differences)) if differences else None,
            "resolved": bool(differences) and (interval(differences)[1] or math.inf) < abs(np.mean(differences)),
            "to_resolve": seeds_to_resolve(differences) if differences else None,
            "cpu_ms": cpu,
            "of_bf16": cpu / np.median(reference) if reference else None,
            "peak_mib": max(run["peak_mib"] for run in runs),
        })  # fmt: skip
    return rows


COLUMNS = [
    "row",
    "seeds",
    "final loss",
    "gap to BF16, %",
    "below e2m1-baseline, points of %",
    "CPU ms a step",
    "peak MiB",
]


def cells(row):
    below = "–"
    if row["below"]:
        mean, half, _ = row["below"]
        verdict = "" if row["resolved"] else " (open)"
        below = plus_minus(mean, half) + verdict
    speed = f"{row['cpu_ms']:.0f}" + (f" ({row['of_bf16']:.2f} of BF16's)" if row["of_bf16"] else "")
    gap = plus_minus(*row["gap"]) if row["gap"] else "–"
    return [row["row"], str(row["seeds"]), f"{row['loss']:.4f}", gap, below, speed, str(row["peak_mib"])]


def count(n):
    return f"{n} seed" + "s" * (n != 1)


def verdicts(comparison, rows, paper):
    """What the numbers say and what they do not, in sentences."""
    said = []
    baseline, ours = comparison.pairs(BASELINE, OURS)
    published = [100 * (1 - case["ufp4"] / case["e2m1-baseline"]) for case in paper["gaps"]]
    span = f"{min(published):.1f} to {max(published):.1f} % of {paper['source']}"
    if baseline:
        value, ends = reduction(baseline, ours)
        head = f"From {BASELINE} to {OURS} the gap to BF16 shrinks by {100 * value:.1f} %"
        found = f"{100 * LEVEL:.0f} % interval {100 * ends[0]:.1f} to {100 * ends[1]:.1f}" if ends else "no interval"
        said.append(f"{head} ({count(len(baseline))}, {found}), beside {span}.")
    else:
        said.append(f"No seed has {BASELINE}, {OURS} and BF16 all: there is no reduction of the gap to give yet.")
    unresolved = [row for row in rows if row["below"] and not row["resolved"]]
    for row in unresolved:
        more = f"; about {row['to_resolve']} would" if row["to_resolve"] else ""
        few = f"{row['row']}: {count(row['below'][2])} cannot tell its place beside {BASELINE} at this size{more}."
        said.append(few)
    return said


def order(comparison, paper):
    """The ablation beside the paper's: how far each row's loss lies above ufp4's, in per cent."""
    found = []
    for row, loss in paper["ablation"].items():
        if row == OURS:
            continue
        seeds = [s for s in comparison.runs.get(row, {}) if s in comparison.runs.get(OURS, {})]
        ours = [100 * (comparison.runs[row][s]["final"] / comparison.runs[OURS][s]["final"] - 1) for s in seeds]
        mean = interval(ours) if ours else None
        resolved = bool(ours) and mean[1] is not None and mean[1] < abs(mean[0])
        text = plus_minus(*mean) + ("" if resolved else " (open)") if ours else "–"
        found.append([row, text, str(len(ours)), f"{100 * (loss / paper['ablation'][OURS] - 1):.2f}"])
    return found


def draw_runs(comparison, rows, paper, path):
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2))
    bf16 = comparison.runs.get("bf16", {})
    named = [row["row"] for row in rows if row["row"] != "bf16"]
    for i, row in enumerate(named):
        curves = [
            np.array(run["losses"]) / np.array(bf16[s]["losses"]) - 1
            for s, run in comparison.runs[row].items()
            if s in bf16
        ]
        if curves:
            mean = 100 * np.mean(curves, axis=0)
            window = max(1, len(mean) // 10)
            smooth = np.convolve(mean, np.ones(window) / window, mode="valid")
            steps = train.table("settings.json")[comparison.setting]["steps"]
            at = steps * (np.arange(len(smooth)) + window) / len(mean)
            left.plot(at, smooth, color=f"C{i}", label=row, linewidth=1)
        gaps = list(comparison.gaps[row].values())
        right.plot([i] * len(gaps), gaps, "o", color=f"C{i}", markersize=3)
        if gaps:
            mean, half = interval(gaps)
            right.errorbar([i + 0.2], [mean], yerr=None if half is None else [half], fmt="_", color="black", capsize=3)
    for case in paper["gaps"]:
        for row in (BASELINE, OURS):
            if row in named:
                right.plot(named.index(row) - 0.25, case[row], "x", color="grey", markersize=4)
    left.set(xlabel="step", ylabel="loss above BF16's, %", title="over the training (means of seeds)")
    if left.lines:
        left.legend(fontsize=7)
    right.set_xticks(range(len(named)), named, rotation=40, ha="right", fontsize=8)
    right.set(ylabel="gap to BF16, %", title="last quarter: seeds, mean, interval; ×: the paper's")
    right.axhline(0, color="grey", linewidth=0.5)
    figure.suptitle(f"setting {comparison.setting}")
    figure.savefig(path, dpi=110, bbox_inches="tight")
    plt.close(figure)


def sqnr_gain(record, rotated):
    """By how many dB the uniform grid is ahead of E2M1, for each operand: (layer's kind, member, role, dB)."""
    suffix = ", rotated" if rotated else ""
    uniform, other = (record["schemes"][name + suffix]["gemms"] for name in ("uniform", "E2M1"))
    return {
        (a["role"], a["layer"], member): a[member]["sqnr_db"] - b[member]["sqnr_db"]
        for a, b in zip(uniform, other)
        for member in ("x", "w", "dy")
        if member in a
    }


def flips(record):
    """Operands of which E2M1 has the better SQNR without a rotation and the uniform grid with one, and all."""
    plain, rotated = sqnr_gain(record, False), sqnr_gain(record, True)
    return [key for key in plain if plain[key] < 0 < rotated[key]], list(plain)


def draw_mechanism(records, path):
    last = records[-1]
    figure, axes = plt.subplots(2, 2, figsize=(11, 8))
    for name, scheme in last["schemes"].items():
        fprop = [gemm for gemm in scheme["gemms"] if gemm["role"] == "fprop"]
        axes[0, 0].plot(np.cumprod([gemm["alpha"] for gemm in fprop]), label=name, color=COLOURS[name], marker=".")
        means = [
            np.mean([g[m]["sqnr_db"] for g in r["schemes"][name]["gemms"] for m in ("x", "w", "dy") if m in g])
            for r in records
        ]
        axes[0, 1].plot([r["step"] for r in records], means, label=name, color=COLOURS[name], marker=".")
    axes[0, 0].set(
        title=f"product of α along fprop, step {last['step']}",
        xlabel="linear layer, in program order",
        ylabel="product of α",
    )
    axes[0, 0].legend(fontsize=8)
    axes[0, 1].set(title="mean SQNR of all operands", xlabel="step", ylabel="dB")
    down = lambda name: [
        g["x"]["codes"] for g in last["schemes"][name]["gemms"] if g["role"] == "fprop" and g["layer"].endswith("wd")
    ]
    for i, name in enumerate(last["schemes"]):
        axes[1, 0].bar(np.arange(8) + 0.2 * i - 0.3, np.mean(down(name), axis=0), 0.2, label=name, color=COLOURS[name])
    axes[1, 0].set(title="codes used by the down-projections' x", xlabel="magnitude code", ylabel="share")
    plain, rotated = sqnr_gain(last, False), sqnr_gain(last, True)
    for member, marker in (("x", "o"), ("w", "s"), ("dy", "^")):
        keys = [key for key in plain if key[2] == member]
        for down_projection in (False, True):
            chosen = [key for key in keys if key[1].endswith("wd") == down_projection]
            label = f"{member}{', down-projections' if down_projection else ''}"
            axes[1, 1].plot(
                [plain[k] for k in chosen], [rotated[k] for k in chosen], marker, label=label, alpha=0.6, markersize=5
            )
    axes[1, 1].axhline(0, color="grey", linewidth=0.5)
    axes[1, 1].axvline(0, color="grey", linewidth=0.5)
    axes[1, 1].set(title="uniform ahead of E2M1, dB", xlabel="without a rotation", ylabel="with a rotation")
    axes[1, 1].legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def mechanism_rows(records):
    """For each step and scheme: products of α, mean SQNR by member, the down-projection's x."""
    found = []
    for record in records:
        for name, scheme in record["schemes"].items():
            gemms = scheme["gemms"]
            means = [np.mean([g[m]["sqnr_db"] for g in gemms if m in g]) for m in ("x", "w", "dy")]
            down = [g["x"] for g in gemms if g["role"] == "fprop" and g["layer"].endswith("wd")]
            product = scheme["alpha_product"]
            found.append([
                str(record["step"]), name, f"{product['fprop']:.4f}", f"{product['dgrad']:.4f}",
                *(f"{mean:.2f}" for mean in means),
                f"{np.mean([x['sqnr_db'] for x in down]):.2f}", f"{np.mean([x['kurtosis'] for x in down]):.1f}",
                f"{100 * np.mean([x['codes'][0] for x in down]):.1f}",
            ])  # fmt: skip
    return found


MECHANISM = [
    "step",
    "scheme",
    "product of α, fprop",
    "dgrad",
    "SQNR dB: x",
    "w",
    "dy",
    "x of down-projections: SQNR dB",
    "kurtosis",
    "zeros %",
]


ABLATION = ["ablation", "loss above ufp4's, %", "seeds", "the paper's, %"]


def text_table(header, rows):
    widths = [max(len(line[i]) for line in [header, *rows]) for i in range(len(header))]
    pad = lambda line: "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip()
    return "\n".join(pad(line) for line in [header, *rows])


def html_table(header, rows):
    line = lambda tag, row: "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row) + "</tr>"
    return "<table>" + line("th", header) + "".join(line("td", row) for row in rows) + "</table>"


STYLE = (
    "body{font:15px sans-serif;max-width:75em;margin:2em auto;padding:0 1em}img{max-width:100%}"
    "table{border-collapse:collapse}tr{border-bottom:1px solid #ccc}td,th{padding:.2em .8em;text-align:left}"
)


def page(parts):
    body = []
    for kind, *content in parts:
        if kind == "image":
            data = base64.b64encode(content[0].read_bytes()).decode()
            body.append(f'<img alt="{html.escape(content[1])}" src="data:image/png;base64,{data}">')
        elif kind == "table":
            body.append(html_table(*content))
        else:
            body.append(f"<{kind}>{html.escape(content[0])}</{kind}>")
    return (
        f'<!doctype html><meta charset="utf-8"><title>UFP4: training</title><style>{STYLE}</style>'
        + "\n".join(body)
        + "\n"
    )


def write_csv(comparison, path):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        kept = [
            "row",
            "recipe",
            "recipe_hash",
            "seed",
            "final",
            "wall_ms",
            "cpu_ms",
            "peak_mib",
            "threads",
            "processor",
            "ufp4",
            "jax",
            "text",
            "date",
        ]
        writer.writerow([*kept, "gap_percent"])
        for row, seeds in comparison.runs.items():
            for seed, run in seeds.items():
                gap = comparison.gaps.get(row, {}).get(seed)
                writer.writerow([*(run[key] for key in kept), "" if gap is None else f"{gap:.4f}"])


def mechanism_parts(path, setting, image):
    """The page's part about what mechanism.py wrote; it is printed as well."""
    wanted = train.digest(train.table("settings.json")[setting])
    records = [record for record in train.stored(path) if record["setting_hash"] == wanted]
    if not records:
        raise SystemExit(f"{path}: no step of the setting {setting} as it is now; mechanism.py makes them")
    records.sort(key=lambda record: record["step"])
    draw_mechanism(records, image)
    rows = mechanism_rows(records)
    flipped, every = flips(records[-1])
    down = [key for key in every if key[1].endswith("wd") and key[2] == "x"]
    down_flipped = sum(key in flipped for key in down)
    text = (
        f"Rank flip at step {records[-1]['step']}: E2M1 is the better grid without a rotation and the uniform one with"
        f" it for {len(flipped)} of {len(every)} operands, for {down_flipped} of the {len(down)} x of down-projections."
    )
    print("", text_table(MECHANISM, rows), "", text, sep="\n")
    trained = f"Operands of a training of the row {records[0]['row']}, seed {records[0]['seed']}."
    return [
        ("h2", "Mechanism"),
        ("p", trained),
        ("table", MECHANISM, rows),
        ("p", text),
        ("image", image, "alpha, SQNR, codes, rank flip"),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--setting", default="smoke", help=", ".join(train.table("settings.json")))
    parser.add_argument("--runs", type=pathlib.Path, default=pathlib.Path("runs.jsonl"), help="what train.py wrote")
    parser.add_argument("--mechanism", type=pathlib.Path, help="what mechanism.py wrote")
    parser.add_argument("--output-dir", type=pathlib.Path, default=pathlib.Path("report"))
    arguments = parser.parse_args()
    comparison = Comparison(train.stored(arguments.runs), arguments.setting)
    if not comparison.runs:
        raise SystemExit(
            f"{arguments.runs}: no run of the setting {arguments.setting} as it is now; train.py makes them"
        )
    paper = json.loads((train.HERE / "paper.json").read_text())
    out = arguments.output_dir
    out.mkdir(parents=True, exist_ok=True)
    rows = table_rows(comparison)
    write_csv(comparison, out / "runs.csv")
    draw_runs(comparison, rows, paper, out / "runs.png")
    lines, ablation, said = [cells(row) for row in rows], order(comparison, paper), verdicts(comparison, rows, paper)
    example = next(iter(next(iter(comparison.runs.values())).values()))
    steps = train.table("settings.json")[comparison.setting]["steps"]
    about = (
        f"Setting {comparison.setting}: {example['parameters']:,} parameters, {steps} steps, {example['tokens']:,}"
        f" tokens of the text {example['text']}. Losses are in nats a token, over the last quarter of the steps;"
        f" intervals of {100 * LEVEL:.0f} % over seeds. (open): the interval holds 0, or there is one seed."
    )
    if comparison.left_out:
        about += f" Left out: {comparison.left_out} of other settings or by the other route."
    print(about, "", text_table(COLUMNS, lines), "", text_table(ABLATION, ablation), "", *said, sep="\n")
    parts = [("h1", f"4-bit training beside BF16: {comparison.setting}"), ("p", about), ("table", COLUMNS, lines)]
    parts += [("p", sentence) for sentence in said]
    parts += [("image", out / "runs.png", "gaps to BF16"), ("h2", "Ablation"), ("table", ABLATION, ablation)]
    command = f"report.py --setting={arguments.setting} --runs={arguments.runs.name}"
    if arguments.mechanism:
        parts += mechanism_parts(arguments.mechanism, arguments.setting, out / "mechanism.png")
        command += f" --mechanism={arguments.mechanism.name}"
    made = f"{example['command']} and its like for each row and seed, then {command}"
    parts += [("h2", "Made by"), ("p", f"{made}; ufp4 {example['ufp4']}, JAX {example['jax']}.")]
    (out / "report.html").write_text(page(parts), encoding="utf-8")
    print("", f"written: runs.csv, the plots and report.html, in {out}", sep="\n")


if __name__ == "__main__":
    main()
