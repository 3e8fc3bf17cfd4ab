"""Launches every kernel of an artifact, knowing only what manifest.json says and the formats F1 and F2.

Usage: stranger.py DIR CHIP

Buffers are laid out by the manifest's formulas, launches by its grids, arguments by its entries. GEMMs
on integers must be exact; what quantize kernels write, read back by the same formulas, must be within
one step of the rotated input (half a step to nearest), and its padding zero.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

LEVELS = {"e1m2": [0, 1, 2, 3, 4, 5, 6, 7], "e2m1": [0, 0.5, 1, 1.5, 2, 3, 4, 6]}
BYTES = {"u4": 0.5, "u6": 0.75, "u8": 1, "bf16": 2, "f16": 2, "f32": 4, "i32": 4, "i64": 8}
rng = np.random.default_rng(7)


def round_up(value, multiple):
    return -(-value // multiple) * multiple


def tiles(extent, padding, tile):
    return -(-round_up(extent, padding) // tile)


def decode_e4m3(byte):
    exponent, mantissa = byte >> 3 & 15, byte & 7
    value = np.where(exponent, (1 + mantissa / 8) * 2.0 ** (exponent - 7.0), mantissa * 2.0**-9)
    return np.where(byte & 127 == 127, np.nan, value)


def decode_scales(kind, element, raw):
    """Stored scales as values; f32 ones are values whatever the scheme's kind."""
    if element == "f32":
        return raw.view(np.float32).astype(np.float64)
    return decode_e4m3(raw.astype(int)) if kind == "ue4m3" else 2.0 ** (raw.astype(float) - 127)


class Plane:
    """The bytes of one argument of codes or scales, and where its view's elements lie in them."""

    def __init__(self, argument, layout, scheme, view):
        self.argument, self.layout, self.scheme, self.view = argument, layout, scheme, view
        self.is_codes = argument["kind"] == "codes"
        g, r, k = (round_up(v, p) for v, p in zip(view, argument["padding"]))
        self.padded = (g, r, k)
        names = {"B": scheme["block"], "BR": scheme["block_rows"], "R": view[1],
                 "Kp": round_up(view[2], max(scheme["block"], (scheme["rotation"] or {"size": 1})["size"])),
                 "scale_bytes": int(BYTES[argument["element"]])}
        self.kp = names["Kp"]
        grid = np.meshgrid(*(np.arange(n) for n in (view[0], view[1], names["Kp"])), indexing="ij")
        names.update(zip(("g", "row", "k"), grid))
        formula = layout["code_bit" if self.is_codes else "scale_byte"]
        # What stands for each code.
        self.encoding = np.array(argument.get("encoding", range(16)))
        self.width = {"u4": 4, "u6": 6, "u8": 8}.get(argument["element"]) if self.is_codes else None
        if self.width:
            # Of each bit, which follow one another unless the formula says otherwise.
            scattered = re.search(r"\bbit\b", formula)
            self.bits = [np.broadcast_to(eval(formula, {}, {**names, "bit": i}) + (0 if scattered else i), grid[0].shape)
                         for i in range(self.width)]
        else:
            self.place = np.broadcast_to(eval(formula, {}, names), grid[0].shape)
        if self.is_codes:
            self.bytes = int(g * r * k * BYTES[argument["element"]])
        else:
            rows = r if argument["padding"][1] > 1 else g and round_up(r, scheme["block_rows"]) // scheme["block_rows"]
            self.bytes = int(g * rows * (k // scheme["block"]) * BYTES[argument["element"]])

    def pack(self, values, scale=None):
        """Codes, or values of scales that every element of the view has; `scale` is
        given where codes are stored times their scales."""
        raw = np.zeros(self.bytes, np.uint8)
        element = self.argument["element"]
        if self.width:
            for i, place in enumerate(self.bits):
                np.bitwise_or.at(raw, place // 8, ((self.encoding[values] >> i & 1) << place % 8).astype(np.uint8))
        elif element == "u8":
            kind = self.scheme["scale"]
            exponent = np.log2(values).astype(int)
            raw[self.place] = (exponent + 7 << 3) if kind == "ue4m3" else exponent + 127
        elif element == "bf16":
            levels = np.array(LEVELS[self.scheme["format"]], np.float32)
            real = np.where(values & 8, -levels[values & 7], levels[values & 7])
            if scale is not None:
                real = (real * scale).astype(np.float32)
            raw.view(np.uint16)[self.place // 16] = real.view(np.uint32) >> 16
        else:
            raw.view(np.float32)[self.place // 4] = values
        return raw

    def unpack(self, raw):
        """Levels with their sign, or scales, of every element of the view."""
        element = self.argument["element"]
        if self.width:
            stored = sum((raw[place // 8] >> place % 8 & 1).astype(int) << i for i, place in enumerate(self.bits))
            codes = np.zeros(256, int)
            codes[self.encoding] = np.arange(16)
            codes = codes[stored]
            levels = np.array(LEVELS[self.scheme["format"]])
            return np.where(codes & 8, -levels[codes & 7], levels[codes & 7])
        if element == "bf16":
            return (raw.view(np.uint16)[self.place // 16].astype(np.uint32) << 16).view(np.float32).astype(float)
        unit = int(BYTES[element])
        stored = raw.view(np.float32)[self.place // 4] if unit == 4 else raw[self.place]
        return decode_scales(self.scheme["scale"], element, stored)

    def padding_is_zero(self, raw):
        if self.width:
            used = np.zeros(self.bytes * 8, bool)
            for place in self.bits:
                used[place] = True
            return not np.unpackbits(raw, bitorder="little")[~used].any()
        used = np.zeros(self.bytes, bool)
        width = int(BYTES[self.argument["element"]])
        begin = self.place // 8 if self.is_codes else self.place
        for i in range(width):
            used[begin + i] = True
        return not raw[~used].any()


class Launcher:
    def __init__(self, folder, chip):
        self.folder, self.chip = folder, chip
        self.manifest = json.loads((folder / "manifest.json").read_text())
        self.layouts = {layout["name"]: layout for layout in self.manifest["layouts"]}

    def launch(self, kernel, extents, scalars, inputs, sizes):
        """Runs a kernel on bytes by argument; returns what it wrote."""
        with tempfile.TemporaryDirectory() as temporary:
            words, outputs = [], {}
            for argument in kernel["arguments"]:
                name, path = argument["name"], f"{temporary}/{argument['name']}"
                if argument["kind"] == "scalar":
                    value = scalars.get(argument["value"])
                    if value is None:
                        value = eval(argument["value"], {"tiles": tiles, "min": min}, dict(extents))
                    words.append(f"{argument['element']}:{value}")
                    continue
                if argument["access"] != "write":
                    inputs[name].tofile(path)
                out = path + ".out"
                words.append({"read": f"in:{path}", "write": f"out:{out}:{sizes.get(name)}",
                              "read_write": f"inout:{path}:{out}"}[argument["access"]])
                if argument["access"] != "read":
                    outputs[name] = out
            grid = []
            for axis in "xyz":
                blocks = 1
                for factor in kernel["grid"][axis]:
                    blocks *= max(factor["least"], tiles(extents[factor["extent"]], factor["padding"], factor["tile"]))
                grid.append(str(blocks))
            subprocess.run(
                ["ufp4-emulate", str(self.folder / "kernels.ll"), f"--chip={self.chip}", f"--kernel={kernel['name']}",
                 f"--grid={','.join(grid)}", f"--block={','.join(map(str, kernel['block']))}",
                 f"--shared={kernel['dynamic_shared_bytes']}", *words], check=True)
            return {name: np.fromfile(path, np.uint8) for name, path in outputs.items()}

    def plane(self, kernel, name, scheme, view):
        argument = next(a for a in kernel["arguments"] if a["name"] == name)
        return Plane(argument, self.layouts[argument["layout"]], scheme, view)

    def run_gemm(self, kernel):
        scheme = kernel["schemes"]["operands"]
        names = {argument["name"]: argument for argument in kernel["arguments"]}
        g, m, n, k = 2, 130, round_up(77, kernel["multiples"]["n"]), 3 * 32
        levels = np.array(LEVELS[scheme["format"]])
        inputs, operands = {}, []
        for side, rows in (("a", m), ("b", n)):
            codes = self.plane(kernel, f"codes_{side}", scheme, (g, rows, k))
            folded = f"scales_{side}" not in names
            code = rng.integers(0, 16, (g, rows, k))
            scale = np.repeat(2.0 ** rng.integers(0, 3, (g, rows, k // scheme["block"])), scheme["block"], 2)
            inputs[f"codes_{side}"] = codes.pack(code, scale if folded else None)
            if not folded:
                inputs[f"scales_{side}"] = self.plane(kernel, f"scales_{side}", scheme, (g, rows, k)).pack(scale)
            assert folded == (codes.layout["scale_byte"] is None), kernel["name"]
            inputs[f"global_{side}"] = np.array([0.5], np.float32)
            operands.append(np.where(code & 8, -1, 1) * levels[code & 7] * scale)
        exact = np.einsum("gmk,gnk->gmn", *operands)
        if "global_a" in names:
            exact *= 0.25
        if "bias" in names:
            bias = rng.integers(-9, 9, n).astype(np.float32)
            exact = exact + bias
            inputs["bias"] = bias if names["bias"]["element"] == "f32" else (bias.view(np.uint32) >> 16).astype(np.uint16)
        c0 = rng.integers(-9, 9, (g, m, n)).astype(np.float32)
        inputs["result"] = c0
        if names["result"]["access"] == "read_write":
            exact = exact + c0
        narrow = names["result"]["element"] == "bf16"
        out = self.launch(kernel, {"g": g, "m": m, "n": n, "k": k}, {"alpha": 1.0}, inputs,
                          {"result": g * m * n * (2 if narrow else 4)})["result"]
        if narrow:
            got = (out.view(np.uint16).astype(np.uint32) << 16).view(np.float32).reshape(exact.shape)
            assert np.all(np.abs(got - exact) <= np.abs(exact) * 2.0**-8), kernel["name"]
        else:
            assert np.array_equal(out.view(np.float32).reshape(exact.shape), exact), kernel["name"]

    def run_quantize(self, kernel):
        names = {argument["name"]: argument for argument in kernel["arguments"]}
        g, outer, inner = 2, 37, round_up(70, kernel["multiples"]["inner"])
        x = rng.standard_normal((g, outer, inner)).astype(np.float32)
        element = names["input"]["element"]
        if element == "bf16":
            raw = (x.view(np.uint32) >> 16).astype(np.uint16)
            x = (raw.astype(np.uint32) << 16).view(np.float32)
        else:
            raw = x.astype({"f32": np.float32, "f16": np.float16}[element])
            x = raw.astype(np.float32)
        scalars = {"stride(input, 0)": outer * inner, "stride(input, 1)": inner}
        inputs, sizes, checks = {"input": raw}, {}, []
        for axis, scheme in kernel["schemes"].items():
            view = x if axis == "inner" else x.transpose(0, 2, 1)
            rotation = scheme["rotation"]
            size = rotation["size"] if rotation else 1
            length = round_up(view.shape[2], max(size, scheme["block"]))
            rotated = np.zeros((*view.shape[:2], length))
            rotated[..., : view.shape[2]] = view
            if rotation:
                signs = int(rotation["signs"], 16) if isinstance(rotation["signs"], str) else rotation["signs"]
                sign = np.array([-1.0 if signs >> i & 1 else 1.0 for i in range(size)])
                h = np.array([[(-1.0) ** bin(i & j).count("1") for j in range(size)] for i in range(size)])
                runs = rotated.reshape(*view.shape[:2], -1, size) * sign
                rotated = (runs @ h / np.sqrt(size)).reshape(rotated.shape)
            amax = np.abs(rotated).max()
            inputs[f"amax_{axis}"] = np.array([0 if kernel["name"].startswith("ufp4_amax") else amax], np.float32)
            sizes[f"global_{axis}"] = 4
            for role, value in (("seed", 11), ("step", 3), ("stream", 7)):
                scalars[f"{role}_{axis}"] = value
            if f"codes_{axis}" not in names:
                checks.append(lambda out, axis=axis, amax=amax: np.isclose(
                    out[f"amax_{axis}"].view(np.float32)[0], amax, rtol=1e-5))
                continue
            planes = {what: self.plane(kernel, f"{what}_{axis}", scheme, view.shape)
                      for what in ("codes", "scales") if f"{what}_{axis}" in names}
            sizes.update((f"{what}_{axis}", plane.bytes) for what, plane in planes.items())

            def check(out, axis=axis, scheme=scheme, planes=planes, rotated=rotated):
                raw = {what: out[f"{what}_{axis}"] for what in planes}
                tensor = out[f"global_{axis}"].view(np.float32)[0] if scheme["scale"] == "ue4m3" else 1.0
                level = planes["codes"].unpack(raw["codes"])
                if "scales" in planes:
                    scale = planes["scales"].unpack(raw["scales"]) * tensor
                else:
                    # Products: the scale is what the greatest magnitude of the block asks for.
                    block, rows, r = scheme["block"], scheme["block_rows"], rotated.shape[1]
                    whole = np.pad(np.abs(rotated), ((0, 0), (0, -r % rows), (0, 0)))
                    scale = whole.reshape(len(whole), -1, rows, whole.shape[2] // block, block).max((2, 4))
                    scale /= LEVELS[scheme["format"]][-1]
                    if scheme["scale"] == "ue8m0":
                        scale = 2.0 ** np.ceil(np.log2(np.maximum(scale, 2.0**-120)))
                    scale = np.repeat(np.repeat(scale, rows, 1)[:, :r], block, 2)
                    level = np.divide(level * tensor, scale, out=np.zeros_like(scale), where=scale > 0)
                # The widest step of a grid is between its two greatest levels; rounded scales may
                # saturate the greatest.
                step = np.diff(LEVELS[scheme["format"]]).max()
                slack = 1.0 if scheme["scale"] == "f32" else 2.0
                bound = scale * step * (1.0 if scheme["bits"] else 0.5) * slack + 1e-5
                return (np.all(np.abs(level * scale - rotated) <= bound) and np.abs(level).max() > 3
                        and all(plane.padding_is_zero(raw[what]) for what, plane in planes.items()))

            checks.append(check)
        out = self.launch(kernel, {"g": g, "outer": outer, "inner": inner}, scalars, inputs, sizes)
        assert all(check(out) for check in checks), kernel["name"]


def main(folder, chip):
    launcher = Launcher(pathlib.Path(folder), chip)
    for kernel in launcher.manifest["kernels"]:
        (launcher.run_quantize if kernel["path"] == "quantize" else launcher.run_gemm)(kernel)
    print(f"{len(launcher.manifest['kernels'])} kernels launched from the manifest of {chip}")


if __name__ == "__main__":
    main(*sys.argv[1:])
