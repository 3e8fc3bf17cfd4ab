"""to_linalg on what the models of this folder do not reach.

    python test_to_linalg.py

Each function is exported, converted in both spellings and run; the results must
be JAX's. The inputs are small integers, so that equality can be asked for.
"""

import functools
import pathlib

import jax
import jax.numpy as jnp
import numpy as np

import check
import to_linalg

LLVM = pathlib.Path("/usr/lib/llvm-22")
BF16, F32 = jnp.bfloat16, jnp.float32
DROP = jax.lax.GatherScatterMode.FILL_OR_DROP


def integers(*shape, dtype=F32, low=-4, high=5):
    return jnp.asarray(np.random.default_rng(0).integers(low, high, shape), dtype)


def scatter_rows(x, rows, u):
    return x.at[rows].add(u, mode="drop")


def scatter_elements(x, i, j, u):
    return x.at[i, j].max(u, mode="drop")


def scatter_columns(x, columns, u):
    return x.at[:, columns].add(u, mode="drop")


def scatter_window(x, starts, u):
    """Windows of two rows, moved along the rows."""
    numbers = jax.lax.ScatterDimensionNumbers(
        update_window_dims=(1, 2), inserted_window_dims=(), scatter_dims_to_operand_dims=(0,)
    )
    return jax.lax.scatter_add(x, starts, u, numbers, mode=DROP)


def picked_gradient(x, i):
    return jax.grad(lambda x: jnp.take_along_axis(x, i, axis=1).sum())(x)


def sorted_pairs(keys, values):
    return jax.lax.sort((keys, values), dimension=0, num_keys=1, is_stable=True)


def cumulative(x):
    return jnp.cumsum(x, axis=0), jnp.cumsum(x, axis=1)


def barrier(x):
    return jax.lax.optimization_barrier((x + 1, x * 2))


def dot_with_algorithm(x, w):
    return jax.lax.dot(
        x, w, precision=jax.lax.DotAlgorithmPreset.BF16_BF16_F32, preferred_element_type=BF16
    )


def counted_loop(x):
    return jax.lax.fori_loop(0, 3, lambda i, x: x * 2 + i, x)


def two_results_of_a_branch(x):
    return jax.lax.cond(x[0] > 0, lambda x: (x, x + 1), lambda x: (x - 1, x), x)


def scores(q, k):
    return jnp.einsum("bshk,bthk->bhst", q, k, preferred_element_type=F32)


CASES = [
    # The index 9 is out of bounds, and so skipped; 2 comes twice.
    (scatter_rows, integers(5, 3), jnp.array([2, 9, 0, 2]), integers(4, 3)),
    (scatter_elements, integers(5, 3), jnp.array([4, 1, 0]), jnp.array([2, 3, 0]), integers(3)),
    (scatter_columns, integers(5, 6), jnp.array([2, 9, 0]), integers(5, 3)),
    (scatter_window, integers(5, 6), jnp.array([[0], [3], [4]]), integers(3, 2, 6)),
    (picked_gradient, integers(4, 6), jnp.array([[1], [5], [0], [3]])),
    (sorted_pairs, integers(9), jnp.arange(9)),
    (cumulative, integers(5, 4)),
    (barrier, integers(4)),
    (dot_with_algorithm, integers(4, 8, dtype=BF16), integers(8, 3, dtype=BF16)),
    (counted_loop, integers(4)),
    (two_results_of_a_branch, integers(4)),
    (scores, integers(2, 3, 2, 4, dtype=BF16), integers(2, 5, 2, 4, dtype=BF16)),
]

# iree-opt takes some scatters only after the named spelling's preprocessing, and
# windows along a dimension that the indices move in not at all.
REFUSED = {
    (picked_gradient, "default"),
    (scatter_columns, "default"),
    (scatter_window, "default"),
    (scatter_window, "named"),
}


def run(function, *args, spelling):
    jitted = jax.jit(function, keep_unused=True)
    text = str(jitted.lower(*args).compiler_ir("stablehlo"))
    if (function, spelling) in REFUSED:
        return refused(text, spelling, "scatter")
    linalg = to_linalg.convert(text, spelling)
    references = [np.asarray(r) for r in jax.tree.leaves(jitted(*args))]
    inputs = [np.asarray(a) for a in args]
    results = check.run_on_cpu(linalg, inputs, references, LLVM)
    for result, reference in zip(results, references, strict=True):
        np.testing.assert_array_equal(
            result.astype(np.float64), reference.astype(np.float64)
        )


def test_plain_path():
    for jax_path, plain in [
        ("p['blocks'][0]['wd']", "p.blocks.0.wd"),
        ('p["it\'s"].w', "p.it's.w"),
        ("state.params['w1']", "state.params.w1"),
        ("x", "x"),
    ]:
        assert to_linalg.plain_path(jax_path) == plain


def refused(text, spelling, reason):
    try:
        to_linalg.convert(text, spelling)
    except to_linalg.ConversionError as error:
        assert reason in str(error), error
    else:
        raise AssertionError(f"converted, though {reason}")


def test_custom_call():
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.custom_call @mystery(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    refused(text, "default", "@mystery")


def test_algorithm_that_rounds():
    """bf16 by algorithm on f32 operands would have to be a cast in linalg."""
    text = str(
        jax.jit(lambda x, w: jax.lax.dot(x, w, precision="BF16_BF16_F32"))
        .lower(integers(4, 8), integers(8, 3))
        .compiler_ir("stablehlo")
    )
    refused(text, "default", "on f32")


def test_names():
    """A name given as an attribute wins; arguments of private functions have none."""
    text = """func.func public @main(%arg0: tensor<4xf32> loc("p['a'][1]"),
        %arg1: tensor<4xf32> {jax.buffer_donor = true, ufp4.name = "mine"} loc("p['b']"),
        %arg2: tensor<4xf32> {mhlo.sharding = "{replicated}"})
        -> (tensor<4xf32> {jax.result_info = "r"}) {
      %0 = stablehlo.add %arg0, %arg1 : tensor<4xf32>
      %1 = stablehlo.add %0, %arg2 : tensor<4xf32>
      return %1 : tensor<4xf32>
    }"""
    signature = to_linalg.convert(text).split("@main(")[1].split(" {\n")[0]
    assert signature == (
        '%arg0: tensor<4xf32> {ufp4.name = "p.a.1"}, %arg1: tensor<4xf32> {ufp4.name = "mine"},'
        " %arg2: tensor<4xf32>) -> tensor<4xf32>"
    ), signature


def test_composite():
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.composite "my.twice" %x {decomposition = @twice}
        : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.add %x, %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    x = np.arange(4, dtype=np.float32)
    (result,) = check.run_on_cpu(to_linalg.convert(text), [x], [x], LLVM)
    np.testing.assert_array_equal(result, 2 * x)


def main():
    passed = failed = 0
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    for case in CASES:
        for spelling in to_linalg.SPELLINGS:
            test = functools.partial(run, *case, spelling=spelling)
            tests.append((f"{case[0].__name__}, {spelling}", test))
    for name, test in tests:
        try:
            test()
            passed += 1
        except Exception as error:
            failed += 1
            print(f"FAILED {name}: {str(error)[:2000]}")
    print(f"{passed} passed, {failed} failed")
    raise SystemExit(failed > 0)


if __name__ == "__main__":
    main()
