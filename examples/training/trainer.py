"""One training run: AdamW in f32 with a cosine schedule, around a step that UFP4 quantizes."""

import dataclasses
import json
import os
import pathlib
import sys
import time
from typing import Any

import corpus
import jax
import jax.numpy as jnp
import model as decoder
import numpy as np
import optax
import ufp4
import ufp4.jax


def make_optimizer(setting):
    last = 0.1 * setting["rate"]
    rate = optax.warmup_cosine_decay_schedule(0, setting["rate"], setting["warmup"], setting["steps"], last)
    matrices = lambda p: jax.tree.map(lambda a: a.ndim == 2, p)
    adamw = optax.adamw(rate, b1=0.9, b2=0.95, weight_decay=0.1, mask=matrices)
    return optax.chain(optax.clip_by_global_norm(1.0), adamw)


def make_step(loss, optimizer):
    def train_step(state, tokens, targets):
        p, moments = state
        in_bf16 = lambda p: loss(jax.tree.map(lambda a: a.astype(jnp.bfloat16), p), tokens, targets)
        value, gradients = jax.value_and_grad(in_bf16)(p)
        updates, moments = optimizer.update(gradients, moments, p)
        return (optax.apply_updates(p, updates), moments), value

    return train_step


class LinalgStep:
    """The same step without XLA: JAX's export as linalg (iree-opt), quantized and compiled by `ufp4.compile`."""

    def __init__(self, step, arguments, recipe, exclude, threads):
        sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "models" / "make"))
        import to_linalg
        from jax.interpreters.mlir import make_ir_context

        exported = jax.export.export(jax.jit(step), platforms=("cpu",))(*arguments)
        with make_ir_context():
            operation = exported.mlir_module(serialized=False).operation
            text = operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
        self._out = jax.tree.structure(jax.eval_shape(step, *arguments))
        self._threads = threads
        self.program = ufp4.compile(to_linalg.convert(text), recipe=recipe, exclude=exclude)
        self.recipe = json.loads(self.program.artifacts["decisions.json"])["recipe"]

    def __call__(self, *arguments, seed, step):
        leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(arguments)]
        return jax.tree.unflatten(self._out, self.program(*leaves, seed=seed, step=step, threads=self._threads))


@dataclasses.dataclass
class Trainer:
    """A run, which goes on from the steps done so far.

    Attributes:
      setting: an entry of settings.json.
      recipe: as of `ufp4.jax.quantize`.
      seed: of the initial values, the data's order and stochastic rounding.
      text: bytes [n].
      devices: over how many of XLA's devices a batch is split.
      route: ``jax``, or ``linalg`` for `LinalgStep`.
      function: the step as it was before UFP4.
      state: the parameters in f32, and the optimizer's state.
      losses: of each step so far, in nats a token.
      walls, cpus: seconds of each step of this process; the first one compiles.
    """

    setting: dict[str, Any]
    recipe: str
    seed: int
    text: np.ndarray
    devices: int = 1
    route: str = "jax"
    threads: int = 1

    def __post_init__(self):
        self.model = decoder.Model(**self.setting["model"])
        optimizer = make_optimizer(self.setting)
        self.function = step = make_step(decoder.make_loss(self.model), optimizer)
        p = decoder.init(self.model, self.seed)
        self.parameters = sum(leaf.size for leaf in jax.tree.leaves(p))
        self.losses, self.walls, self.cpus = [], [], []
        self._mesh = None
        if self.devices > 1:
            self._mesh = jax.make_mesh((self.devices,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))
        self.state = self._place((p, optimizer.init(p)))
        if self.route == "jax":
            self.step = ufp4.jax.quantize(step, recipe=self.recipe, exclude=self.setting["exclude"])
        else:
            arguments = (self.state, *self.batch(0))
            self.step = LinalgStep(step, arguments, self.recipe, self.setting["exclude"], self.threads)

    def _place(self, tree, *axes):
        if self._mesh is None:
            return tree
        return jax.device_put(tree, jax.sharding.NamedSharding(self._mesh, jax.sharding.PartitionSpec(*axes)))

    def batch(self, step):
        """Tokens and targets of a step."""
        batch = corpus.batch(self.text, self.seed, step, self.setting["batch"], self.setting["length"])
        return self._place(batch, "data")

    def run(self, until, after=lambda trainer: None):
        """Goes on until `until` steps are done; calls `after` once each is."""
        for i in range(len(self.losses), until):
            batch = self.batch(i)
            wall, cpu = time.perf_counter(), time.process_time()
            self.state, loss = self.step(self.state, *batch, seed=self.seed, step=i)
            self.losses.append(float(loss))
            self.walls.append(time.perf_counter() - wall)
            self.cpus.append(time.process_time() - cpu)
            after(self)

    def save(self, path):
        """Writes a checkpoint. An interrupted one leaves the one before it whole."""
        leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(self.state)]
        part = path.with_name(path.name + ".part")
        with open(part, "wb") as file:
            np.savez(file, losses=np.array(self.losses), **{f"leaf{i}": leaf for i, leaf in enumerate(leaves)})
        os.replace(part, path)

    def load(self, path):
        """Goes back to a checkpoint."""
        with np.load(path) as arrays:
            # On an array of NumPy's the step would be compiled a second time.
            leaves = [jnp.asarray(arrays[f"leaf{i}"]) for i in range(len(arrays.files) - 1)]
            self.losses = arrays["losses"].tolist()
        self.state = self._place(jax.tree.unflatten(jax.tree.structure(self.state), leaves))
