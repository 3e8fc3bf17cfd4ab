"""Compiling modules, and the programs that come out."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import _native
from ._arrays import from_native, integer, to_native
from ._errors import Error


def opt(text: str, pipeline: str, *, generic: bool = False, debug_info: bool = False) -> str:
    """Runs a pass pipeline over an MLIR module.

    Args:
      text: the module. Operations of dialects that are not registered are read in generic form.
      pipeline: MLIR's textual form: ``ufp4-quantize-training{recipe=ufp4},canonicalize``, with or without
        ``builtin.module(…)`` around it. Every pass of UFP4 and of MLIR is known; docs/reference lists
        UFP4's.
      generic: print operations in their generic form.
      debug_info: print locations.

    Raises:
      Error: the text is no module, the pipeline is none, or a pass failed.
    """
    return _native.opt(text, "<text>", pipeline, generic, debug_info)


def recipes() -> dict[str, Any]:
    """The compiler's recipes by name: ``summary``, ``hash``, and under ``roles`` the scheme and rounding of
    both operands of fprop, dgrad and wgrad (None where the role stays in its own precision)."""
    return json.loads(_native.recipes())


def capabilities() -> dict[str, Any]:
    """What each chip can do, by LLVM's name of it: sizes, features, and under ``paths`` the ways in which it
    multiplies 4-bit operands: formats, scales, elements under a scale (None: any), instruction, whether a
    document describes it, and the rate at best relative to ``rate_base``."""
    return json.loads(_native.capabilities())


def formats() -> dict[str, Any]:
    """``formats``: the magnitudes of codes 0 to 7; ``scales``; the legal ``blocks`` and ``rotations``."""
    return json.loads(_native.formats())


def _threads(value: int) -> int:
    count = integer(value, 64, "threads")
    if not 1 <= count <= 1024:
        raise Error(f"threads: expected 1 to 1024, found {value}")
    return count


class Artifacts(Mapping):
    """What the compiler made on the way, by file name; each text is made when it is asked for.

    ``rewritten.mlir``: UFP4's dialect; ``linalg.mlir``: upstream dialects alone, for any compiler;
    ``llvm.mlir``: the LLVM dialect; ``decisions.json``, where a recipe was given.
    """

    def __init__(self, rewritten: str, decisions: str | None):
        self._texts: dict[str, str | None] = {"rewritten.mlir": rewritten, "linalg.mlir": None, "llvm.mlir": None}
        if decisions is not None:
            self._texts["decisions.json"] = decisions

    def __getitem__(self, name: str) -> str:
        text = self._texts[name]
        if text is None:
            pipeline = {"linalg.mlir": "ufp4-to-linalg", "llvm.mlir": "ufp4-to-cpu"}[name]
            text = self._texts[name] = opt(self._texts["rewritten.mlir"], pipeline)
        return text

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __repr__(self) -> str:
        return f"Artifacts({', '.join(self)})"


class Program:
    """A function compiled for this machine's CPU; `compile` makes them.

    Safe to call from any number of threads at once: calls release the GIL and run in their own
    floating-point environment.
    """

    def __init__(self, native, entry: str, rewritten: str, decisions: str | None):
        self._native = native
        self._entry = entry
        self._recording = None
        self._signature: dict[str, Any] = json.loads(native.signature)
        self._decisions: list[dict[str, Any]] = json.loads(decisions)["gemms"] if decisions else []
        self._artifacts = Artifacts(rewritten, decisions)

    @property
    def signature(self) -> dict[str, Any]:
        """``name``; ``arguments`` and ``results`` (``name``, ``type``, ``shape``, None for dynamic extents);
        ``rng``, the number of the argument that `seed` and `step` go to, or None."""
        return self._signature

    @property
    def decisions(self) -> list[dict[str, Any]]:
        """What became of each matmul, in program order: the records of decisions.json (docs/spec.md, Files).
        Empty without a recipe."""
        return self._decisions

    @property
    def artifacts(self) -> Artifacts:
        """The texts that the compiler made on the way."""
        return self._artifacts

    def __call__(self, *inputs: Any, seed: int = 0, step: int = 0, threads: int = 1) -> tuple[np.ndarray, ...]:
        """Runs the function.

        Args:
          inputs: one array for each argument but the rng one, of its shape and element type. Bit patterns
            (uint16) stand for bf16 and f16, integers of either sign for each other. Contiguous arrays are
            read in place and never changed.
          seed: 64 bits, step: 32 bits, of stochastic rounding; without effect where nothing draws.
          threads: how many the loops may share, the caller's included; the results' bits do not depend on it.

        Returns:
          New arrays, one for each result; bf16 as ml_dtypes.bfloat16.

        Raises:
          Error: an input's number, shape or element type is another than expected.
        """
        results = self._native.call(
            [to_native(array) for array in inputs],
            integer(seed, 64, "seed"),
            integer(step, 32, "step"),
            _threads(threads),
        )
        return tuple(from_native(array, name) for array, name in results)

    def report(
        self,
        *inputs: Any,
        seed: int = 0,
        step: int = 0,
        compare: Sequence[str] = (),
        html: str | os.PathLike | None = None,
    ) -> dict[str, Any]:
        """Runs the function once and tells what quantizing did to each operand, in f64 and in the rotated
        domain: for each GEMM ``role`` and ``operands``, with ``sqnr_db`` (None where exact), ``alpha`` =
        ⟨Q(x), x⟩/⟨x, x⟩, the shares ``clipped`` and ``zeroed``; ``alpha_product`` along the depth
        (docs/report.md).

        The first report compiles the function a second time.

        Args:
          inputs, seed, step: as a call's.
          compare: recipes that are judged on the same tensors, under ``rivals``; spelled as `compile`'s.
          html: the path of a page with the report's tables and plots, which is written.

        Raises:
          Error: as a call; the function quantizes nothing; ``compare`` without a recipe that the
            function was compiled with; a recipe is not known; the page cannot be written.
        """
        if "ufp4.quantize" not in self._artifacts["rewritten.mlir"]:
            raise Error("a report has nothing to tell of: the module quantizes nothing; give recipe=NAME")
        decisions = self._artifacts.get("decisions.json", "")
        if isinstance(compare, str):
            raise Error(f"compare: expected a list of recipes, found the text '{compare}'")
        if compare and not decisions:
            raise Error("compare judges recipes beside the one that quantizes: compile the module with recipe=NAME")
        if self._recording is None:
            self._recording = _native.compile(
                self._artifacts["rewritten.mlir"], "<rewritten>", self._entry, True
            )
        arrays = [to_native(array) for array in inputs]
        report, page = self._recording.report(
            arrays, integer(seed, 64, "seed"), integer(step, 32, "step"), list(compare), decisions
        )
        if html is not None:
            try:
                with open(html, "w", encoding="utf-8") as file:
                    file.write(page)
            except OSError as error:
                raise Error(f"{os.fspath(html)}: {error.strerror}; expected the path of a page to write") from error
        return json.loads(report)

    def __repr__(self) -> str:
        rewritten = sum(d["decision"] == "rewritten" for d in self._decisions)
        matmuls = f", {rewritten} of {len(self._decisions)} matmuls rewritten" if self._decisions else ""
        return f"<ufp4.Program {self._signature['name']}: {len(self._signature['arguments'])} arguments, {len(self._signature['results'])} results{matmuls}>"


def _read(module: str | os.PathLike) -> tuple[str, str]:
    """A module's text and the name that stands for it in locations."""
    if isinstance(module, str) and any(c in module for c in "\n{@") and not os.path.exists(module):
        return module, "<text>"
    try:
        with open(module, encoding="utf-8") as file:
            return file.read(), os.fspath(module)
    except OSError as error:
        raise Error(f"{os.fspath(module)}: {error.strerror}; expected MLIR text or the path of a file") from error


def compile(
    module: str | os.PathLike,
    recipe: str | None = None,
    target: str = "cpu",
    params: Sequence[str | int] | str | None = None,
    exclude: str = "",
    *,
    entry: str = "",
    skip_first: int = 0,
    skip_last: int = 0,
    include_f32: bool = False,
    fail_on_miss: bool = False,
) -> Program:
    """Compiles a module on tensors (linalg, tensor, arith, math, scf, func, UFP4) to a callable.

    Args:
      module: MLIR text, or the path of a file.
      recipe: quantize the GEMMs of linear layers by this recipe first: ``NAME[:FIELD=VALUE,…]`` of
        `recipes()`, a symbol of the module or a file (docs/recipes.md). None: the module as it is.
      target: ``cpu``.
      params: arguments that are parameters where the graph does not show it: names or numbers.
      exclude: a POSIX ERE; layers or parameters in whose name it is found stay in their own precision.
      entry: the function to run; empty: the only public one.
      skip_first, skip_last: layers left alone at either end, in the order of their first fprop.
      include_f32: also quantize GEMMs of which no operand is bf16 or f16.
      fail_on_miss: fail where a GEMM of a linear layer is left without being excluded.

    Raises:
      Error: with the compiler's location, notes and remarks.
    """
    if target != "cpu":
        if target in capabilities():
            raise Error(
                f"target: steps run on cpu here, found the chip '{target}'; its kernels are judged by"
                f" ufp4-run --replay=DIR --target={target}"
            )
        raise Error(f"target: expected cpu, found '{target}'")
    text, name = _read(module)
    decisions = None
    if recipe is None:
        if params or exclude or skip_first or skip_last or include_f32 or fail_on_miss:
            raise Error(
                "params, exclude, skip_first, skip_last, include_f32 and fail_on_miss say how to rewrite by a"
                " recipe: give recipe=NAME"
            )
    else:
        text, decisions = _native.rewrite(
            text, name, recipe, _params(params), exclude, skip_first, skip_last, include_f32, fail_on_miss, False, True
        )
        name = "<rewritten>"
    return Program(_native.compile(text, name, entry, False), entry, text, decisions)


def _params(params: Sequence[str | int] | str | None) -> list[str]:
    if params is None:
        return []
    if isinstance(params, str):
        return [part for part in re.split(r"\s*,\s*", params.strip()) if part]
    return [str(param) for param in params]
