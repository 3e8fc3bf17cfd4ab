"""Training in uniform 4-bit floating point, by a compiler.

    program = ufp4.compile("step.mlir", recipe="ufp4")    # a training step in MLIR
    results = program(*arrays, seed=1, step=0)
    q = ufp4.quantize(x, rotation=16)                     # the definition, as a reference

`ufp4.jax` quantizes a jitted JAX step. ``python -m ufp4`` prints recipes and capabilities.
"""

from . import _native
from ._errors import Diagnostic, Error
from ._numerics import Quantized, Rotation, Stochastic, amax, dequantize, quantize, rotate
from ._program import Artifacts, Program, capabilities, compile, formats, opt, recipes

__version__ = _native.version()

__all__ = [
    "Artifacts",
    "Diagnostic",
    "Error",
    "Program",
    "Quantized",
    "Rotation",
    "Stochastic",
    "amax",
    "capabilities",
    "compile",
    "dequantize",
    "formats",
    "opt",
    "quantize",
    "recipes",
    "rotate",
]
