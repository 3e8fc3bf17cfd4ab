"""Quantizing JAX training steps: StableHLO in, StableHLO out.

    step4 = ufp4.jax.quantize(step, recipe="ufp4")
    params, loss = step4(params, batch, seed=1, step=i)

`step` is exported, the GEMMs of its linear layers become custom calls (docs/custom-call.md), and everything
else stays as it was, so that XLA keeps fusing, sharding and placing it.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import inspect
import json
import threading
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.custom_batching
import jax.export
import jax.extend.backend
import jax.extend.mlir
import jax.numpy as jnp
import numpy as np
from jax._src.lax import lax as lax_internal
from jax.interpreters.mlir import make_ir_context
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func, stablehlo

from . import _native
from ._errors import Error
from ._program import _params
from ._sharding import add_sharding_rules, register_partitioner, walk

__all__ = ["CUSTOM_CALLS", "Quantization", "QuantizedStep", "quantize", "register"]

#: What jax.export.export takes as `disabled_checks`, to export a quantized step as it is.
CUSTOM_CALLS = tuple(jax.export.DisabledSafetyCheck.custom_call(target) for target in ("ufp4.gemm", "ufp4.grouped_gemm", "ufp4.amax"))

# As jax.export spells them.
_PLATFORMS = ("cpu", "cuda", "rocm")


@functools.cache
def register() -> None:
    """Registers the handlers of UFP4's custom calls with XLA, for every platform that there are handlers for,
    whether or not this machine has it. `quantize` does it by itself; it is for programs that load a module
    quantized before.

    Raises:
      Error: the package was built without jaxlib's headers.
    """
    handlers = _native.xla_handlers()
    if not handlers:
        raise Error(
            "this build of ufp4 has no XLA handlers: jaxlib's headers were missing; reinstall with jaxlib in the"
            " build environment (pip install . takes it by itself)"
        )
    for (platform, target), capsule in handlers.items():
        jax.ffi.register_ffi_target(target, capsule, platform=platform)
    register_partitioner()


@dataclasses.dataclass(frozen=True)
class Quantization:
    """What became of a step for one signature of its arguments.

    Attributes:
      recipe: ``name``, as it was given, and ``hash``, which equal recipes share however they are spelled.
      decisions: what became of each matmul, in program order: the records of decisions.json.
      module: the rewritten StableHLO module, in generic form.
      stochastic: whether the step draws random words, from its seed and step.
    """

    recipe: dict[str, str]
    decisions: list[dict[str, Any]]
    module: str
    stochastic: bool


@dataclasses.dataclass(frozen=True)
class _Compiled:
    quantization: Quantization
    call: Callable[..., Any]


def quantize(
    step: Callable[..., Any],
    recipe: str = "ufp4",
    params: Sequence[str | int] | str | None = None,
    exclude: str = "",
    *,
    skip_first: int = 0,
    skip_last: int = 0,
    include_f32: bool = False,
    fail_on_miss: bool = False,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Sequence[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    donate_argnames: str | Sequence[str] | None = None,
    platform: str | None = None,
    seed_keyword: str = "seed",
    step_keyword: str = "step",
) -> QuantizedStep:
    """Quantizes a training step, forward and backward, by a recipe.

    Args:
      step: the function that holds the gradient (``jax.grad`` inside), jitted or not. A jitted one keeps its
        static and donated arguments.
      recipe, params, exclude, skip_first, skip_last, include_f32, fail_on_miss: as of `ufp4.compile`; names
        are those of the step's arguments (``params.layers.0.w``) and of its name stacks.
      static_argnums, static_argnames, donate_argnums, donate_argnames: as of jax.jit, for a step that is not
        jitted.
      platform: ``cpu``, ``cuda`` or ``rocm``: what the step is for, if it is not this machine's default. So a
        machine without a GPU exports one for it, by ``jax.export.export(jax.jit(step4), platforms=["cuda"],
        disabled_checks=CUSTOM_CALLS)``.
      seed_keyword, step_keyword: the names of the two keyword arguments that the quantized step takes for
        itself, where `step` has arguments of such names.

    Returns:
      A function to use like the jitted step, in loops, under jit, with pytrees, keys and new shapes (which are
      rewritten and compiled anew). Beside the step's arguments it takes ``seed`` (an integer of 64 bits or a
      JAX key) and ``step`` (an integer of 32 bits) of stochastic rounding; left out, seed is 0 and step the
      number of calls so far.

    Raises:
      Error: here for what is no function or no option; at a call for a step that JAX cannot export, a recipe
        that is none, or a step without a GEMM to quantize.
    """
    if not callable(step):
        raise Error(f"step: expected a function, jitted or not, found {type(step).__name__}")
    given = {
        "static_argnums": static_argnums,
        "static_argnames": static_argnames,
        "donate_argnums": donate_argnums,
        "donate_argnames": donate_argnames,
    }
    options = {name: value for name, value in given.items() if value is not None}
    if hasattr(step, "_jit_info"):
        if options:
            raise Error(f"{', '.join(options)}: the step is jitted already; give them to its jax.jit")
        jitted = step
    elif hasattr(step, "lower") and hasattr(step, "trace"):
        raise Error(
            f"the step is wrapped by {type(step).__name__}, not by jax.jit: give its function, with arrays for"
            " arguments and results, new ones for what it changed (flax.nnx.split, equinox.partition)"
        )
    else:
        jitted = jax.jit(step, **options)
    try:
        names = inspect.signature(step).parameters
    except (TypeError, ValueError):
        names = {}
    for keyword, option in ((seed_keyword, "seed_keyword"), (step_keyword, "step_keyword")):
        if keyword in names:
            raise Error(
                f"the step has an argument '{keyword}' of its own: name the quantizer's differently, as in"
                f" {option}='fp4_{keyword}'"
            )
    if platform is not None and platform not in _PLATFORMS:
        raise Error(f"platform: expected one of {', '.join(_PLATFORMS)}, found '{platform}'")
    rewriting = (recipe, _params(params), exclude, skip_first, skip_last, include_f32, fail_on_miss)
    return QuantizedStep(step, jitted, rewriting, platform, seed_keyword, step_keyword)


class QuantizedStep:
    """A quantized step; `quantize` makes them. Each signature of the arguments is rewritten once."""

    def __init__(self, step, jitted, rewriting, platform: str | None, seed_keyword: str, step_keyword: str):
        functools.update_wrapper(self, step)
        self._jitted = jitted
        self._rewriting = rewriting
        self._platform = platform
        self._keywords = (seed_keyword, step_keyword)
        info = jitted._jit_info
        self._static = (frozenset(info.static_argnums), frozenset(info.static_argnames))
        self._donated = (frozenset(info.donate_argnums), frozenset(info.donate_argnames))
        self._compiled: dict[Any, _Compiled] = {}
        self._last: _Compiled | None = None
        self._lock = threading.RLock()
        self._calls = 0

    @property
    def decisions(self) -> list[dict[str, Any]]:
        """What became of each matmul, for the signature that was traced last."""
        if self._last is None:
            raise Error("nothing was traced yet: call the step, or trace(*arguments)")
        return self._last.quantization.decisions

    @property
    def recipe(self) -> dict[str, str]:
        """The recipe's ``name``, as it was given, and ``hash`` (docs/recipes.md), once a step was traced."""
        if self._last is None:
            raise Error("nothing was traced yet: call the step, or trace(*arguments)")
        return self._last.quantization.recipe

    def trace(self, *args: Any, **kwargs: Any) -> Quantization:
        """Rewrites the step for arguments, or jax.ShapeDtypeStructs in their place, without running it."""
        return self._get(args, kwargs)[0].quantization

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        _check_mesh()
        seed, step = (kwargs.pop(keyword, None) for keyword in self._keywords)
        compiled, leaves = self._get(args, kwargs)
        if compiled.quantization.stochastic:
            leaves.append(self._rng(seed, step))
        return compiled.call(*leaves)

    def _rng(self, seed: Any, step: Any) -> Any:
        if seed is None and step is None:
            # Under a trace, even a constant is traced.
            if isinstance(jnp.zeros(()), jax.core.Tracer):
                seed_keyword, step_keyword = self._keywords
                raise Error(
                    "under jit the number of calls is no number of steps: the step would draw the same random"
                    f" words in every execution. Give {step_keyword}=… (and {seed_keyword}=…, an integer or a JAX"
                    " key), or call the quantized step outside of jit"
                )
            with self._lock:
                step = self._calls
                self._calls += 1
        return _rng_words(0 if seed is None else seed, 0 if step is None else step)

    def _get(self, args: tuple, kwargs: dict) -> tuple[_Compiled, list[Any]]:
        numbers, names = self._static
        numbers = {number % len(args) for number in numbers if -len(args) <= number < len(args)}
        dynamic = (
            tuple(arg for i, arg in enumerate(args) if i not in numbers),
            {name: arg for name, arg in kwargs.items() if name not in names},
        )
        static = (
            tuple((i, args[i]) for i in sorted(numbers)),
            tuple(sorted((name, kwargs[name]) for name in kwargs.keys() & names)),
        )
        leaves, tree = jax.tree.flatten(dynamic)
        avals = tuple(_typeof(leaf, dynamic, place) for place, leaf in enumerate(leaves))
        try:
            key = (tree, avals, tuple(map(_placement, leaves)), static)
            compiled = self._compiled.get(key)
        except TypeError as error:
            raise Error(f"static arguments must be hashable: {error}") from error
        if compiled is None:
            # Tracing twice at once would be wasted work, not wrong.
            with self._lock:
                compiled = self._compiled.get(key)
                if compiled is None:
                    compiled = self._compiled[key] = self._compile(args, kwargs, dynamic, avals)
        self._last = compiled
        return compiled, leaves

    def _compile(self, args: tuple, kwargs: dict, dynamic: tuple, avals: tuple) -> _Compiled:
        register()
        exported = self._export(args, kwargs)
        text = _to_text(exported)
        rewritten, decisions = _native.rewrite(text, exported.fun_name, *self._rewriting, True, True)
        decided = json.loads(decisions)
        gemms = decided["gemms"]
        _check_rewritten(exported.fun_name, self._rewriting[0], gemms)
        module, inputs = _to_artifact(rewritten, exported.platforms)
        added = inputs - len(exported.module_kept_var_idx)
        in_avals = exported.in_avals
        changes: dict[str, Any] = {}
        if added:
            rng = jax.typeof(np.zeros(3, np.int32))
            changes = {
                "in_avals": in_avals + (rng,),
                "module_kept_var_idx": exported.module_kept_var_idx + (len(in_avals),),
                "_in_named_shardings": exported._in_named_shardings + (None,),
                "in_shardings_hlo": exported.in_shardings_hlo + (None,),
            }
        flat = tuple(range(len(in_avals) + added))
        quantized = dataclasses.replace(
            exported,
            mlir_module_serialized=module,
            in_tree=jax.tree.structure((flat, {})),
            # JAX's would be the gradient of the step as it was.
            _get_vjp=None,
            **changes,
        )
        call = _refuse_transforms(quantized.call, exported.fun_name)
        call = jax.jit(call, donate_argnums=self._donated_leaves(args, kwargs))
        return _Compiled(Quantization(decided["recipe"], gemms, rewritten, bool(added)), call)

    def _export(self, args: tuple, kwargs: dict) -> jax.export.Exported:
        platform = self._platform or jax.export.default_export_platform()
        if platform not in _PLATFORMS:
            raise Error(f"ufp4.gemm has handlers for {', '.join(_PLATFORMS)}, found the platform {platform}")
        try:
            export = jax.export.export(self._jitted, platforms=(platform,), **_grouped_lowering())
            return export(*args, **kwargs)
        except Exception as error:
            reason = str(error).strip().splitlines() or [""]
            if "callback" in reason[0]:
                cure = "return what the callback is to see, and call it outside of the step"
            else:
                cure = "a step is what jax.jit and jax.export take, a function of arrays by jax.numpy"
            raise Error(
                f"JAX cannot export the step '{getattr(self, '__name__', 'step')}': {type(error).__name__}:"
                f" {reason[0]}; {cure}"
            ) from error

    def _donated_leaves(self, args: tuple, kwargs: dict) -> tuple[int, ...]:
        numbers, names = self._static
        numbers = {number % len(args) for number in numbers if -len(args) <= number < len(args)}
        donated_numbers, donated_names = self._donated
        donated_numbers = {n % len(args) for n in donated_numbers if -len(args) <= n < len(args)}
        leaves: list[int] = []
        place = 0
        # Keywords flatten in sorted order, after the positional arguments.
        parts = [(i in donated_numbers, arg) for i, arg in enumerate(args) if i not in numbers]
        parts += [(name in donated_names, kwargs[name]) for name in sorted(kwargs) if name not in names]
        for donated, part in parts:
            count = len(jax.tree.leaves(part))
            leaves.extend(range(place, place + count) if donated else ())
            place += count
        return tuple(leaves)


def _typeof(leaf: Any, arguments: tuple[tuple, dict], place: int) -> Any:
    """The type of the leaf at `place` of the arguments."""

    def where() -> str:
        path = jax.tree_util.tree_flatten_with_path(arguments)[0][place][0]
        # The path begins with which of (args, kwargs) it is.
        return ("argument " if path[0].idx == 0 else "keyword argument ") + jax.tree_util.keystr(path[1:])

    if isinstance(leaf, jax.ShapeDtypeStruct):
        aval = jax.core.ShapedArray(leaf.shape, leaf.dtype)
    else:
        try:
            aval = jax.typeof(leaf)
        except (TypeError, ValueError) as error:
            raise Error(
                f"{where()} is no array but a {type(leaf).__name__}; name it in static_argnums or static_argnames, or"
                " split it off (equinox.partition, flax.nnx.split)"
            ) from error
    if not all(isinstance(extent, int) for extent in aval.shape):
        raise Error(
            f"{where()} has the symbolic shape {aval.shape}: streams and blocks are laid out for given extents;"
            " export the step with concrete shapes"
        )
    return aval


def _check_mesh() -> None:
    mesh = jax.sharding.get_abstract_mesh()
    if mesh.manual_axes and any(n > 1 and name not in mesh.manual_axes for name, n in mesh.shape.items()):
        raise Error(
            f"the quantized step is called in a shard_map over {', '.join(mesh.manual_axes)} of the mesh axes"
            f" {', '.join(mesh.axis_names)}: XLA could not tell devices' parts apart. Put the shard_map inside the"
            " step, or over all axes"
        )


def _placement(leaf: Any) -> Any:
    """How a leaf lies on several devices, which the export depends on; None for one that lies on one."""
    if isinstance(leaf, jax.core.Tracer) or not isinstance(leaf, jax.Array):
        return None
    return leaf.sharding if len(leaf.sharding.device_set) > 1 else None


def _refuse_transforms(call: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The call of a step, with rules for vmap and for derivatives, under jit or not, that say what to do instead."""
    call = jax.custom_batching.custom_vmap(call)

    @call.def_vmap
    def refuse_vmap(axis_size: int, in_batched: Any, *leaves: Any) -> Any:
        raise Error(
            f"the quantized step '{name}' has no batching rule for jax.vmap: roles, streams and rounding are a whole"
            " step's. Put the vmap inside, quantize(jax.vmap(step)) or around the loss, or give the step's arrays a"
            " batch dimension"
        )

    call = jax.custom_jvp(call)

    @call.defjvp
    def refuse_jvp(primals: Any, tangents: Any) -> Any:
        raise Error(
            f"the quantized step '{name}' has no gradient of its own: its backward GEMMs are quantized in the step."
            " Quantize the function that calls jax.grad: quantize(lambda p, b: jax.value_and_grad(loss)(p, b))"
        )

    return call


def _rng_words(seed: Any, step: Any) -> Any:
    """The tensor<3xi32> of seed low, seed high, step; a constant where both are known."""
    known = (int, np.integer)
    if isinstance(seed, known) and isinstance(step, known):
        seed = int(seed) % 2**64
        return np.array([seed % 2**32, seed >> 32, int(step) % 2**32], np.uint32).view(np.int32)
    if isinstance(seed, known):
        low, high = (jnp.uint32(int(seed) % 2**64 >> shift & 0xFFFFFFFF) for shift in (0, 32))
    else:
        low, high = _split_seed(_to_array("seed", seed))
    if isinstance(step, known):
        step = jnp.uint32(int(step) % 2**32)
    else:
        step = _to_array("step", step)
        if not jnp.issubdtype(step.dtype, jnp.integer) or step.ndim:
            raise Error(f"step: expected an integer, found {step.dtype} of shape {step.shape}")
    words = jnp.stack([low, high, step.astype(jnp.uint32)])
    return jax.lax.bitcast_convert_type(words, jnp.int32)


def _to_array(what: str, value: Any) -> jax.Array:
    try:
        return jnp.asarray(value)
    except (TypeError, ValueError) as error:
        raise Error(f"{what}: expected an integer, found {value!r}") from error


def _split_seed(seed: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The low and the high word of an integer or of a key, whose words come in the order of
    jax.random.key(integer)."""
    if jnp.issubdtype(seed.dtype, jax.dtypes.prng_key):
        seed = jax.random.key_data(seed)
    if seed.dtype == jnp.uint32 and seed.ndim == 1 and seed.size >= 2:
        return seed[1], seed[0]
    if not jnp.issubdtype(seed.dtype, jnp.integer) or seed.ndim:
        raise Error(f"seed: expected an integer or a JAX key, found {seed.dtype} of shape {seed.shape}")
    if seed.dtype.itemsize == 8:
        return seed.astype(jnp.uint32), (seed >> 32).astype(jnp.uint32)
    sign = jnp.where(seed < 0, jnp.uint32(0xFFFFFFFF), jnp.uint32(0))
    return seed.astype(jnp.uint32), sign


# What a user does about each reason for which a matmul is left (docs/spec.md, Files).
_WAYS_OUT = {
    "no-parameter": "parameters are arguments of the step, params=… names them",
    "ambiguous-parameter": "params=… names which arguments are weights",
    "no-gradient": "a step holds its gradient (jax.grad inside) and returns it or what is made of it; params=… names"
    " weights that have none",
    "operand-type": "compute in bf16 or f16, or give include_f32=True",
    "shape": "give every array a fixed shape",
    "read-only-dialect": "a grouped dot stays as it is",
    "shard": "let shard_map split arrays along whole blocks (docs/custom-call.md, Shards)",
}


def _check_rewritten(name: str, recipe: str, gemms: list[dict[str, Any]]) -> None:
    """Refuses a step of which nothing was rewritten, and warns of matmuls that were missed."""
    reasons = collections.Counter(gemm["reason"] for gemm in gemms if gemm["decision"] == "left")
    missed = {reason: count for reason, count in reasons.items() if reason not in ("no-parameter", "excluded")}
    rewritten = any(gemm["decision"] == "rewritten" for gemm in gemms)
    known = json.loads(_native.recipes()).get(recipe)
    if known and not any(known["roles"].values()) or (rewritten and not missed):
        return
    said = missed if rewritten else reasons
    found = ", ".join(f"{count} {reason}" for reason, count in said.items()) or "none"
    cures = "".join(f"; {reason}: {_WAYS_OUT[reason]}" for reason in said if reason in _WAYS_OUT)
    if rewritten:
        warnings.warn(f"the recipe {recipe} leaves matmuls of '{name}': {found}{cures}", stacklevel=5)
        return
    raise Error(
        f"the recipe {recipe} quantizes nothing in '{name}': matmuls left: {found}"
        + (cures or "; a step has matmuls of parameters, which are its arguments")
    )


def _to_text(exported: jax.export.Exported) -> str:
    """The exported module in generic form, with locations."""
    with make_ir_context():
        module = exported.mlir_module(serialized=False)
        return module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)


def _grouped_lowering() -> dict[str, Any]:
    """What keeps `lax.ragged_dot` one operation on every platform: for the CPU, JAX expands it over all experts."""
    lower = getattr(lax_internal, "_ragged_dot_general_lower", None)
    primitive = getattr(lax_internal, "ragged_dot_general_p", None)
    if lower is None or primitive is None:
        return {}
    return {"_override_lowering_rules": ((primitive, functools.partial(lower, platform="tpu")),)}


def _expand_grouped(module: ir.Module) -> None:
    """Calls what a grouped dot is made of where one was left: XLA's CPU has no such operation."""
    left = [
        op.operation
        for op, _ in walk(module.operation)
        if op.operation.name == "stablehlo.composite"
        and ir.StringAttr(op.operation.attributes["name"]).value == "chlo.ragged_dot"
    ]
    for op in left:
        with ir.InsertionPoint(op), op.location:
            types = [result.type for result in op.results]
            call = func.CallOp(types, op.attributes["decomposition"], list(op.operands))
        for result, value in zip(op.results, call.results):
            result.replace_all_uses_with(value)
        op.erase()


def _to_artifact(text: str, platforms: Sequence[str]) -> tuple[bytes, int]:
    """A module's text as the bytes that jax.export keeps, and how many arguments @main has."""
    with make_ir_context():
        module = ir.Module.parse(text)
        if "cpu" in platforms:
            _expand_grouped(module)
        add_sharding_rules(module)
        inputs = len(ir.SymbolTable(module.operation)["main"].arguments)
        # As jax.export does, so that what loads one of its modules loads ours.
        version = stablehlo.get_version_from_compatibility_requirement(
            stablehlo.StablehloCompatibilityRequirement.WEEK_4
        )
        with_sdy = jax.extend.backend.get_backend().serialize_with_sdy
        return jax.extend.mlir.serialize_portable_artifact(module, version, with_sdy), inputs
