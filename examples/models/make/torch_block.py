"""Makes torch_block: the forward and backward graphs that AOTAutograd cuts a PyTorch module into.

    python torch_block.py [--output-dir=DIR] [--partition=default|min-cut]

torch-mlir lowers both graphs to linalg, each a function of its own. What PyTorch knows and the text
does not is written as attributes: the parameters' names, and which result of @forward each argument
of @backward is (`ufp4.saved`) or is the gradient of (`ufp4.tangent`). `link` does that for any
module. On torch 2.15.0 and torch-mlir 20261001.
"""

import argparse
import copy
import inspect
import pathlib
import re

import ml_dtypes
import numpy as np
import torch
from functorch.compile import default_partition, make_boxed_func, min_cut_rematerialization_partition
from torch._functorch.aot_autograd import aot_module
from torch_mlir import fx, ir
from torch_mlir.extras.fx_decomp_util import get_decomposition_table

from npz import save_npz

PARTITIONS = {"default": default_partition, "min-cut": min_cut_rematerialization_partition}


class Block(torch.nn.Module):
    """A transformer block before the norm: attention of two heads, GELU."""

    def __init__(self, width=64, heads=2, hidden=128):
        super().__init__()
        kind = dict(dtype=torch.bfloat16)
        self.heads = heads
        self.norm1 = torch.nn.RMSNorm(width, eps=1e-5, **kind)
        self.qkv = torch.nn.Linear(width, 3 * width, bias=False, **kind)
        self.out = torch.nn.Linear(width, width, bias=False, **kind)
        self.norm2 = torch.nn.RMSNorm(width, eps=1e-5, **kind)
        self.up = torch.nn.Linear(width, hidden, bias=False, **kind)
        self.down = torch.nn.Linear(hidden, width, bias=False, **kind)

    def forward(self, x):
        batch, length, width = x.shape
        qkv = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        scores = (q @ k.transpose(-1, -2)).float() / (width // self.heads) ** 0.5
        mixed = torch.softmax(scores, -1).to(torch.bfloat16) @ v
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, width))
        hidden = torch.nn.functional.gelu(self.up(self.norm2(x)), approximate="tanh")
        return x + self.down(hidden)


def results_of(graph):
    return next(node for node in graph.graph.nodes if node.op == "output").args[0]


def argument_names(graph):
    return list(inspect.signature(graph.forward).parameters)


def without_missing_results(graph):
    """Arguments without a gradient have None for a result, which linalg cannot return."""
    graph = copy.deepcopy(graph)
    output = next(node for node in graph.graph.nodes if node.op == "output")
    output.args = (tuple(node for node in output.args[0] if node is not None),)
    graph.recompile()
    return graph


def import_graphs(module, example, partition):
    """Runs AOTAutograd; gives the forward and the backward graph."""
    graphs = {}

    def keep(name):
        def compiler(graph, _):
            graphs[name] = graph
            return make_boxed_func(graph.forward)

        return compiler

    compiled = aot_module(
        module,
        fw_compiler=keep("forward"),
        bw_compiler=keep("backward"),
        partition_fn=PARTITIONS[partition],
        decompositions=get_decomposition_table(),
    )
    compiled(example).sum().backward()
    return graphs["forward"], graphs["backward"]


def link(forward, backward, names):
    """Both graphs in one module of linalg. `names` are those of the forward's arguments."""
    texts = [
        str(fx.stateless_fx_import(without_missing_results(graph), model_name=name, output_type="linalg-on-tensors"))
        for graph, name in ((forward, "forward"), (backward, "backward"))
    ]
    saved = {node.name: i for i, node in enumerate(results_of(forward))}
    with ir.Context(), ir.Location.unknown():
        module, other = (ir.Module.parse(text) for text in texts)
        function = other.body.operations[0].detach_from_parent()
        module.body.append(function)
        number = lambda n: ir.IntegerAttr.get(ir.IntegerType.get_signless(64), n)
        attributes = []
        for name in argument_names(backward):
            tangent = re.fullmatch(r"tangents_(\d+)", name)
            if tangent:
                attributes.append({"ufp4.tangent": number(int(tangent[1]) - 1)})
            else:
                attributes.append({"ufp4.saved": number(saved[name])})
        function.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(a) for a in attributes])
        function.attributes["ufp4.forward"] = ir.FlatSymbolRefAttr.get("forward")
        module.body.operations[0].attributes["arg_attrs"] = ir.ArrayAttr.get(
            [ir.DictAttr.get({"ufp4.name": ir.StringAttr.get(name)}) for name in names]
        )
        module.operation.verify()
        return str(module)


def bits(tensor):
    tensor = tensor.detach()
    return tensor.view(torch.uint16).numpy() if tensor.dtype == torch.bfloat16 else tensor.numpy()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output-dir", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--partition", choices=PARTITIONS, default="default")
    args = parser.parse_args()
    rng = np.random.default_rng(0)

    def normal(shape, scale):
        values = (rng.standard_normal(shape) * scale).astype(ml_dtypes.bfloat16)
        return torch.from_numpy(values.view(np.uint16)).view(torch.bfloat16)

    block = Block()
    with torch.no_grad():
        for parameter in block.parameters():
            vector = parameter.ndim == 1
            values = normal(parameter.shape, 0.1 if vector else parameter.shape[-1] ** -0.5)
            parameter.copy_(1 + values if vector else values)
    x, dy = normal((2, 16, 64), 1), normal((2, 16, 64), 1)
    names = [name for name, _ in block.named_parameters()] + ["x"]
    text = link(*import_graphs(block, x, args.partition), names)

    block.zero_grad()
    y = block(x)
    y.backward(dy)
    arrays = {f"i{i}": bits(p) for i, p in enumerate([*block.parameters(), x])}
    arrays |= {"t0": bits(dy), "o0": bits(y)}
    arrays |= {f"g{i}": bits(p.grad) for i, p in enumerate(block.parameters())}
    args.output_dir.mkdir(parents=True, exist_ok=True)
    suffix = "" if args.partition == "default" else "_remat"
    (args.output_dir / f"torch_block{suffix}.linalg.mlir").write_text(text)
    save_npz(args.output_dir / "torch_block.npz", arrays)


if __name__ == "__main__":
    main()
