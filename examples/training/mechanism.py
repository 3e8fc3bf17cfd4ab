"""What 4 bits do to the operands of a training, on both grids, with and without a rotation.

    python examples/training/mechanism.py --setting=smoke --steps=0,40 --output=mechanism.jsonl

Trains one run, and before the steps asked for takes the operands of every GEMM of every linear layer: activations x,
weights w, gradients dy. Each recipe of SCHEMES quantizes them as its plan for that GEMM says, by the definition
(`ufp4.quantize`), and is judged in the rotated domain (docs/report.md): SQNR, α, how often each code is used. A line of
the output is one step.
"""

import argparse
import json
import pathlib

import corpus
import jax
import jax.numpy as jnp
import model as decoder
import numpy as np
import train
import trainer as training
import ufp4
import ufp4.jax

SCHEMES = {
    "uniform, rotated": "ufp4",
    "uniform": "ufp4:rotation=none",
    "E2M1, rotated": "ufp4:format=e2m1",
    "E2M1": "ufp4:format=e2m1,rotation=none",
}
# Along which axis of x [tokens, k], w [k, n] and dy [tokens, n] a role contracts.
AXES = {
    ("fprop", "x"): 1, ("fprop", "w"): 0, ("dgrad", "dy"): 1, ("dgrad", "w"): 1, ("wgrad", "x"): 0, ("wgrad", "dy"): 0,
}  # fmt: skip


def operands(model, p, tokens, targets):
    """x, w and dy of each linear layer, by its name, in BF16's forward and backward. The gradient of a linear layer's
    result is that of zeros added to it."""

    def forward(zeros):
        seen = {}

        def linear(x, w, name):
            seen[name] = (x, w)
            y = decoder.linear(x, w, name)
            return y if zeros is None else y + zeros[name]

        bf16 = jax.tree.map(lambda a: a.astype(jnp.bfloat16), p)
        return decoder.make_loss(model, linear)(bf16, tokens, targets), seen

    _, seen = jax.eval_shape(forward, None)
    zeros = {name: jnp.zeros((*x.shape[:-1], w.shape[-1]), jnp.bfloat16) for name, (x, w) in seen.items()}
    gradients, seen = jax.jit(jax.grad(forward, has_aux=True))(zeros)
    rows = lambda a: np.asarray(a).reshape(-1, a.shape[-1])
    return {name: {"x": rows(x), "w": rows(w), "dy": rows(gradients[name])} for name, (x, w) in seen.items()}


def judge(array, axis, plan, seed, step):
    """What an operand's plan (an entry of decisions.json) does to an array: SQNR in dB, α, the kurtosis of what is
    quantized, and the shares of the magnitudes 0 to 7."""
    scheme = plan["scheme"]
    rotation = scheme["rotation"]
    if rotation:
        # A mask of more than 53 bits is text.
        rotation = ufp4.Rotation(rotation["size"], int(str(rotation["signs"]), 0))
    draw = ufp4.Stochastic(seed, step, plan["stream"]) if plan["rounding"] == "stochastic" else None
    quantized = ufp4.quantize(
        array, scheme["format"], scheme["block"], scheme["scale"], scheme["scale_rule"], rotation, axis,
        scheme["block_rows"], draw,
    )  # fmt: skip
    wide = array.astype(np.float64) if not rotation else ufp4.rotate(array, rotation, axis).astype(np.float64)
    values = ufp4.dequantize(quantized, padded=True).astype(np.float64)
    wide = np.pad(wide, [(0, b - a) for a, b in zip(wide.shape, values.shape)])
    power = np.square(wide).sum()
    noise = np.square(wide - values).sum()
    codes = np.bincount((quantized.codes & 7).ravel(), minlength=8)
    return {
        "sqnr_db": round(10 * np.log10(power / noise), 3) if noise else None,
        "alpha": round((values * wide).sum() / power, 6),
        "kurtosis": round(np.mean(wide**4) / np.mean(wide**2) ** 2, 2),
        "codes": np.round(codes / codes.sum(), 4).tolist(),
    }


def plans(trainer):
    """The plan of each GEMM under each scheme, in program order: role, layer, operands."""
    batch = trainer.batch(0)
    found = {}
    for name, recipe in SCHEMES.items():
        quantized = ufp4.jax.quantize(trainer.function, recipe=recipe, exclude=trainer.setting["exclude"])
        gemms = [g for g in quantized.trace(trainer.state, *batch).decisions if g["decision"] == "rewritten"]
        # Parameters are those of the first element of the first argument: state.0.blocks.3.wd
        layer = lambda g: g["parameter"]["name"].split(".", 2)[2]
        found[name] = [{"role": g["role"], "layer": layer(g), "operands": g["operands"]} for g in gemms]
    return found


def measure(trainer, found):
    """The record of a trainer's next step."""
    done = len(trainer.losses)
    layers = operands(trainer.model, trainer.state[0], *trainer.batch(done))
    record = {"step": done, "schemes": {}}
    for name, gemms in found.items():
        products = {"fprop": 1.0, "dgrad": 1.0}
        judged = []
        for gemm in gemms:
            role, arrays = gemm["role"], layers[gemm["layer"]]
            sides = {}
            for plan in gemm["operands"]:
                axis = AXES[role, plan["member"]]
                sides[plan["member"]] = judge(arrays[plan["member"]], axis, plan, trainer.seed, done)
            alpha = float(np.prod([side["alpha"] for side in sides.values()]))
            if role in products:
                products[role] *= alpha
            judged.append({"role": role, "layer": gemm["layer"], "alpha": round(alpha, 6), **sides})
        record["schemes"][name] = {
            "recipe": SCHEMES[name],
            "alpha_product": {role: round(value, 5) for role, value in products.items()},
            "gemms": judged,
        }
    return record


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--setting", default="smoke", help=", ".join(train.table("settings.json")))
    parser.add_argument("--row", default="ufp4", help="the recipe that trains, of rows.json")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=lambda text: [int(part) for part in text.split(",")], default=[0])
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("mechanism.jsonl"))
    parser.add_argument("--text", type=pathlib.Path, help="as of train.py")
    arguments = parser.parse_args()
    setting = train.choose("--setting", arguments.setting, train.table("settings.json"))
    recipe = train.choose("--row", arguments.row, train.table("rows.json"))["recipe"]
    text, text_hash = corpus.load(arguments.text)
    trainer = training.Trainer(setting, recipe, arguments.seed, text)
    found = plans(trainer)
    about = {"setting": arguments.setting, "setting_hash": train.digest(setting), "row": arguments.row,
             "seed": arguments.seed, "ufp4": ufp4.__version__, "text": text_hash}  # fmt: skip
    show = train.progress_bar(setting, arguments.row, arguments.seed)
    for step in sorted(arguments.steps):
        trainer.run(step, show)
        record = about | measure(trainer, found)
        with open(arguments.output, "a") as file:
            file.write(json.dumps(record) + "\n")
        products = {name: scheme["alpha_product"]["fprop"] for name, scheme in record["schemes"].items()}
        print(f"step {step}: product of α in fprop: {', '.join(f'{name} {value}' for name, value in products.items())}")


if __name__ == "__main__":
    main()
