"""ufp4.compile, opt and the tables."""

import importlib.metadata
import json
import resource
import subprocess
import sys
import threading

import ml_dtypes
import models
import numpy as np
import pytest
import ufp4

BF16 = ml_dtypes.bfloat16
MLP = models.MODELS / "mlp_f32acc.linalg.mlir"

ADD = """
func.func @add(%x: tensor<2x3xf32> {ufp4.name = "x"}, %y: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %e = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.add ins(%x, %y : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %x : tensor<2x3xf32>, tensor<2x3xf32>
}
"""

SUM = """
func.func @sum(%x: tensor<?xf32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.reduce ins(%x : tensor<?xf32>) outs(%zero : tensor<f32>) dimensions = [0]
    (%a: f32, %b: f32) { %s = arith.addf %a, %b : f32  linalg.yield %s : f32 }
  return %0 : tensor<f32>
}
"""


@pytest.fixture(scope="module")
def add():
    return ufp4.compile(ADD)


@pytest.fixture(scope="module")
def mlp():
    return ufp4.compile(MLP, recipe="ufp4")


def test_signature(add, mlp):
    assert add.signature["name"] == "add"
    assert add.signature["arguments"][0] == {"name": "x", "type": "f32", "shape": [2, 3]}
    assert add.signature["rng"] is None and mlp.signature["rng"] == 6
    assert ufp4.compile(SUM).signature["arguments"][0]["shape"] == [None]


def test_arrays_of_any_layout(add):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    y = np.arange(12, dtype=np.float32).reshape(3, 4).T[:2]
    for left, right in [(x, y), (np.asfortranarray(x), y), (x.astype(">f4"), y)]:
        total, same = add(left, right)
        np.testing.assert_array_equal(total, x + y)
        np.testing.assert_array_equal(same, x)
    frozen = x.copy()
    frozen.flags.writeable = False
    total, same = add(frozen, frozen)
    # A result is never the caller's own memory.
    same[...] = 7
    np.testing.assert_array_equal(frozen, x)


def test_results_outlive_the_program():
    result = ufp4.compile(ADD)(np.ones((2, 3), np.float32), np.ones((2, 3), np.float32))[0]
    np.testing.assert_array_equal(result, np.full((2, 3), 2))


def test_large_inputs_are_not_copied():
    program = ufp4.compile(SUM)
    x = np.zeros(32 << 20, np.float32)
    x[::1 << 16] = 1
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    total = program(x)[0]
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert total == 512 and total.shape == ()
    assert grown * 1024 < x.nbytes / 4


@pytest.mark.parametrize(
    "name,data,limit",
    [
        ("mlp_f32acc.linalg", "mlp_f32acc", 0.02),
        ("transformer_f32acc.linalg", "transformer_f32acc", 0.05),
    ],
)
def test_models(name, data, limit):
    inputs, expected = models.load(data)
    results = ufp4.compile(models.MODELS / f"{name}.mlir", recipe="bf16")(*inputs)
    assert [r.dtype for r in results] == [e.dtype for e in expected]
    assert models.worst(results, expected)[0] < limit


def test_quantized_transformer():
    inputs, expected = models.load("transformer_f32acc")
    program = ufp4.compile(models.MODELS / "transformer_f32acc.linalg.mlir", recipe="ufp4")
    assert [d["decision"] for d in program.decisions].count("rewritten") == 27
    assert {d["reason"] for d in program.decisions if d["decision"] == "left"} == {"no-parameter"}
    error = models.worst(program(*inputs, seed=1), expected)[1]
    assert 0.1 < error < 0.4


def test_equal_in_another_process(mlp):
    inputs, _ = models.load("mlp_f32acc")
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import models, numpy as np, ufp4;"
        "results = ufp4.compile(sys.argv[2], recipe='ufp4')(*models.load('mlp_f32acc')[0], seed=-3, step=9);"
        "sys.stdout.buffer.write(b''.join(r.tobytes() for r in results))"
    )
    here = models.pathlib.Path(__file__).parent
    out = subprocess.run([sys.executable, "-c", script, here, MLP], check=True, capture_output=True).stdout
    assert out == b"".join(r.tobytes() for r in mlp(*inputs, seed=2**64 - 3, step=9))


def test_seed_and_step(mlp):
    inputs, _ = models.load("mlp_f32acc")
    gradients = [mlp(*inputs, seed=s, step=t)[7] for s, t in [(1, 0), (1, 0), (2, 0), (1, 1), (1 << 40 | 1, 0)]]
    assert np.array_equal(gradients[0], gradients[1])
    for other in gradients[2:]:
        assert not np.array_equal(gradients[0], other)


def test_bit_patterns_and_signs(mlp):
    inputs, _ = models.load("mlp_f32acc")
    expected = mlp(*inputs)
    patterns = [x.view(np.uint16) if x.dtype == BF16 else x for x in inputs]
    for a, b in zip(mlp(*patterns), expected):
        assert a.tobytes() == b.tobytes()
    saved = [x.view("V2") if x.dtype == BF16 else x for x in inputs]
    assert mlp(*saved)[7].tobytes() == expected[7].tobytes()


def test_artifacts():
    artifacts = ufp4.compile(LAYERS, recipe="ufp4", params="a,b").artifacts
    assert list(artifacts) == ["rewritten.mlir", "linalg.mlir", "llvm.mlir", "decisions.json"]
    assert artifacts["rewritten.mlir"].count("= ufp4.matmul") == 2
    assert "ufp4.quantize" not in artifacts["linalg.mlir"] and "linalg." in artifacts["linalg.mlir"]
    assert "llvm.func" in artifacts["llvm.mlir"] and "linalg." not in artifacts["llvm.mlir"]
    assert len(json.loads(artifacts["decisions.json"])["gemms"]) == 2
    with pytest.raises(KeyError):
        artifacts["cubin"]


def test_report(add, mlp):
    inputs, _ = models.load("mlp_f32acc")
    report = mlp.report(*inputs, seed=1)
    assert [g["role"] for g in report["gemms"]] == ["fprop", "fprop", "wgrad", "dgrad", "wgrad"]
    for operand in (o for g in report["gemms"] for o in g["operands"]):
        assert 10 < operand["sqnr_db"] < 30 and 0.9 < operand["alpha"] < 1.1
    with pytest.raises(ufp4.Error, match="give recipe=NAME"):
        add.report(np.ones((2, 3), np.float32), np.ones((2, 3), np.float32))


def test_report_compares(mlp, tmp_path):
    inputs, _ = models.load("mlp_f32acc")
    page = tmp_path / "report.html"
    report = mlp.report(*inputs, seed=1, compare=["ufp4:block=16", "e2m1-baseline:block=32"], html=page)
    for gemm in report["gemms"]:
        assert gemm["layer"] and gemm["rivals"]["ufp4:block=16"]["alpha_product"] == gemm["alpha_product"]
        assert gemm["rivals"]["e2m1-baseline:block=32"]["sqnr_db"] < gemm["sqnr_db"]
    assert page.read_text().startswith("<!DOCTYPE html>") and "e2m1-baseline:block=32" in page.read_text()
    with pytest.raises(ufp4.Error, match="unknown recipe 'int4': known are ufp4"):
        mlp.report(*inputs, compare=["int4"])
    with pytest.raises(ufp4.Error, match="expected a list of recipes"):
        mlp.report(*inputs, compare="ufp4")
    with pytest.raises(ufp4.Error, match="expected the path of a page"):
        mlp.report(*inputs, html=tmp_path)
    rewritten = ufp4.compile(mlp.artifacts["rewritten.mlir"])
    assert rewritten.report(*inputs, seed=1)["recipe"] == report["recipe"]
    with pytest.raises(ufp4.Error, match="compile the module with recipe=NAME"):
        rewritten.report(*inputs, compare=["ufp4"])


LAYERS = """
func.func @step(%x: tensor<16x32xbf16>, %a: tensor<32x32xbf16> {ufp4.name = "a"},
                %b: tensor<32x16xbf16> {ufp4.name = "b"}) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x32xbf16>
  %h = linalg.matmul ins(%x, %a : tensor<16x32xbf16>, tensor<32x32xbf16>)
                     outs(%zero : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %none = arith.constant dense<0.0> : tensor<16x16xf32>
  %y = linalg.matmul ins(%h, %b : tensor<16x32xbf16>, tensor<32x16xbf16>)
                     outs(%none : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}
"""


@pytest.mark.parametrize(
    "options,reasons,formats",
    [
        ({"params": "a, b"}, ["none", "none"], ["e1m2", "e1m2"]),
        ({"params": ["a", 2], "exclude": "^a$"}, ["excluded", "none"], ["e1m2", "e1m2"]),
        ({"params": "a,b", "skip_first": 1}, ["excluded", "none"], ["e1m2", "e1m2"]),
        ({"params": "a,b", "skip_last": 1}, ["none", "excluded"], ["e1m2", "e1m2"]),
        ({"params": [1], "recipe": "ufp4:format=e2m1"}, ["none", "no-gradient"], ["e2m1", None]),
    ],
)
def test_options(options, reasons, formats):
    decisions = ufp4.compile(LAYERS, **{"recipe": "ufp4"} | options).decisions
    assert [d["reason"] for d in decisions] == reasons
    schemes = [d["operands"][0]["scheme"] for d in decisions]
    assert [s and s["format"] for s in schemes] == formats


def test_fail_on_miss():
    with pytest.raises(ufp4.Error) as caught:
        ufp4.compile(LAYERS, recipe="ufp4", params="a", fail_on_miss=True, include_f32=True, exclude="nothing")
    assert caught.value.location == "<text>:8:8"


def test_threads(mlp, add):
    inputs, _ = models.load("mlp_f32acc")
    expected = {seed: [r.tobytes() for r in mlp(*inputs, seed=seed)] for seed in range(4)}
    x = np.random.default_rng(0).standard_normal((256, 256)).astype(np.float32)
    codes = ufp4.quantize(x, rotation=16).codes
    problems = []

    def work(number):
        try:
            own = ufp4.compile(ADD)
            for i in range(50):
                seed = (number + i) % 4
                assert [r.tobytes() for r in mlp(*inputs, seed=seed)] == expected[seed]
                assert np.array_equal(ufp4.quantize(x, rotation=16).codes, codes)
            one = np.ones((2, 3), np.float32)
            assert own(one, one)[0].sum() == 12
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


def test_calls_release_the_gil():
    # Another thread runs Python code while a long quantize is under way.
    x = np.zeros((1 << 14, 1 << 12), np.float32)
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.0005):
            ticks.append(None)

    thread = threading.Thread(target=tick)
    thread.start()
    ufp4.quantize(x, rotation=128)
    held = len(ticks)
    done.set()
    thread.join()
    assert held > 5


#===------------------------------------------------------------------------===#
# Errors
#===------------------------------------------------------------------------===#


def test_syntax_error_has_a_location():
    with pytest.raises(ufp4.Error, match="expected") as caught:
        ufp4.compile("func.func @f() {\n  %0 = arith.constant : i32\n  return\n}")
    assert caught.value.location.startswith("<text>:2:")
    assert caught.value.diagnostics[0]["severity"] == "error"


def test_error_in_a_file_names_it(tmp_path):
    path = tmp_path / "broken.mlir"
    path.write_text("func.func @f(%x: tensor<4xf32>) -> tensor<5xf32> {\n  return %x : tensor<4xf32>\n}\n")
    with pytest.raises(ufp4.Error) as caught:
        ufp4.compile(path)
    assert caught.value.location == f"{path}:2:3"


def test_notes():
    with pytest.raises(ufp4.Error, match="redefinition") as caught:
        ufp4.compile("func.func @f(%a: i32) {\n  %b = arith.addi %a, %a : i32\n  %b = arith.addi %a, %a : i32\n  return\n}")
    assert caught.value.location == "<text>:3:3"
    assert [note["location"] for note in caught.value.notes] == ["<text>:2:3"]


@pytest.mark.parametrize(
    "call,message",
    [
        (lambda: ufp4.compile("missing.mlir"), "missing.mlir: No such file or directory"),
        (lambda: ufp4.compile(MLP, recipe="fp5"), "unknown recipe 'fp5': known are ufp4, "),
        (lambda: ufp4.compile(MLP, recipe="ufp4:block=20"), "block size is 20"),
        (lambda: ufp4.compile(MLP, recipe="ufp4", params=["nothing"]), "nothing"),
        (lambda: ufp4.compile(MLP, exclude="x"), "give recipe=NAME"),
        (lambda: ufp4.compile(MLP, target=next(iter(ufp4.capabilities()))), "target: steps run on cpu here"),
        (lambda: ufp4.compile(MLP, target="tpu"), "target: expected cpu, found 'tpu'"),
        (lambda: ufp4.compile(ADD, entry="sub"), "no public function 'sub'"),
        (lambda: ufp4.compile("func.func private @f()"), "a body to run, found none"),
        (lambda: ufp4.compile("func.func @f(%x: f32) {\n return\n}"), "expected a ranked tensor"),
        (lambda: ufp4.compile('func.func @f() {\n "tosa.x"() : () -> ()\n return\n}'), "tosa"),
        (lambda: ufp4.compile((models.MODELS / "mlp_f32acc.generic.mlir").read_text()), "dialect 'stablehlo'"),
        (lambda: ufp4.opt("module {}", "no-such-pass"), "'no-such-pass' does not refer to a registered pass"),
        (lambda: ufp4.opt("module {}", "builtin.module(cse"), r"ends without its '\)'"),
        (lambda: ufp4.opt("module {", "cse"), "expected"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ufp4.Error, match=message):
        call()


def test_wrong_inputs(add, mlp):
    x = np.ones((2, 3), np.float32)
    for inputs, message in [
        ((x,), "'add' expected 2 inputs, found 1"),
        ((x, x, x), "expected 2 inputs, found 3"),
        ((x, x[:1]), r"input 1 of 'add': expected tensor<2x3xf32>, found tensor<1x3xf32>"),
        ((x.astype(np.float64), x), r"input 0 \(x\) of 'add': expected tensor<2x3xf32>, found tensor<2x3xf64>"),
        ((x.astype(np.complex64), x), "expected elements of one of bool"),
        ((x, None), "expected elements of one of"),
    ]:
        with pytest.raises(ufp4.Error, match=message):
            add(*inputs)
    with pytest.raises(ufp4.Error, match="the rng argument is not counted"):
        mlp()


#===------------------------------------------------------------------------===#
# Text and tables
#===------------------------------------------------------------------------===#


def test_opt():
    text = ufp4.opt(MLP.read_text(), "ufp4-quantize-training{recipe=ufp4}")
    assert text.count("ufp4.matmul") == 5
    assert ufp4.opt(text, "builtin.module(ufp4-to-linalg)").count("ufp4.matmul") == 0
    generic = ufp4.opt(ADD, "", generic=True, debug_info=True)
    assert '"func.func"' in generic and 'loc("<text>":2:1)' in generic


def test_tables():
    recipes = ufp4.recipes()
    plan = recipes["ufp4"]["roles"]["dgrad"]["dy"]
    assert plan["rounding"] == "stochastic" and plan["rotation"] == {"size": 16, "signs": 0xD7E8}
    assert recipes["bf16"]["roles"] == {"fprop": None, "dgrad": None, "wgrad": None}
    assert ufp4.formats()["formats"]["e1m2"] == list(range(8))
    assert ufp4.formats()["rotations"] == [16, 32, 64, 128]
    chips = ufp4.capabilities()
    assert {chip["vendor"] for chip in chips.values()} == {"NVIDIA", "AMD"}
    for path in (path for chip in chips.values() for path in chip["paths"]):
        assert path["path"] in {"native", "container", "post", "fold"} and path["formats"] and path["instruction"]


def test_main():
    for arguments in ([], ["--json"]):
        out = subprocess.run([sys.executable, "-m", "ufp4", *arguments], check=True, capture_output=True, text=True)
        assert ufp4.__version__ in out.stdout and "e2m1-baseline" in out.stdout
    tables = json.loads(out.stdout)
    assert tables["recipes"] == ufp4.recipes()


def test_wheel_holds_the_package_alone():
    """Libraries and headers for C++ are `cmake --install`'s."""
    places = {file.parts[0] for file in importlib.metadata.files("ufp4")}
    assert places == {"ufp4", f"ufp4-{importlib.metadata.version('ufp4')}.dist-info"}
