"""Calls an entry of a compiled library as its manifest.json alone describes it, and compares every
result, bit for bit, with what ufp4-run wrote.

Usage: call.py FOLDER ENTRY RUN SEED STEP INPUT.npy...
"""

import ctypes
import json
import pathlib
import sys

import numpy as np

ELEMENTS = {"i1": "u1", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "ui8": "u1", "ui16": "u2",
            "ui32": "u4", "ui64": "u8", "bf16": "u2", "f16": "u2", "f32": "f4", "f64": "f8"}


def pointer_fields(record):
    yield record["field"], ctypes.c_void_p
    if record["shape_field"]:
        yield record["shape_field"], ctypes.c_int64 * len(record["shape"])


def structure(fields):
    return type("S", (ctypes.Structure,), {"_fields_": fields})()


def make_arguments(entry, arrays, seed, step):
    fields, values = [], {}
    arrays = iter(arrays)
    for argument in entry["arguments"]:
        if argument["kind"] == "rng":
            fields += [(argument["seed_field"], ctypes.c_uint64), (argument["step_field"], ctypes.c_uint32)]
            values.update({argument["seed_field"]: seed, argument["step_field"]: step})
            continue
        array = next(arrays)
        assert array.dtype.itemsize == np.dtype(ELEMENTS[argument["element"]]).itemsize, argument
        fields += pointer_fields(argument)
        values[argument["field"]] = array.ctypes.data
        if argument["shape_field"]:
            values[argument["shape_field"]] = (ctypes.c_int64 * array.ndim)(*array.shape)
        assert all(want in (None, have) for want, have in zip(argument["shape"], array.shape)), argument
    made = structure(fields)
    for name, value in values.items():
        setattr(made, name, value)
    return made


def make_results(entry):
    made = structure([field for result in entry["results"] for field in pointer_fields(result)])
    arrays = []
    for result in entry["results"]:
        array = None
        if result["memory"] == "caller":
            array = np.full(result["shape"], 0x5A, ELEMENTS[result["element"]])
            setattr(made, result["field"], array.ctypes.data)
        arrays.append(array)
    return made, arrays


def take_results(library, entry, made, arrays):
    for result, array in zip(entry["results"], arrays):
        if array is None:
            shape, data = list(getattr(made, result["shape_field"])), getattr(made, result["field"])
            dtype = np.dtype(ELEMENTS[result["element"]])
            array = np.frombuffer(ctypes.string_at(data, int(np.prod(shape)) * dtype.itemsize), dtype).reshape(shape)
            release = getattr(library, result["memory"])
            release.argtypes = [ctypes.c_void_p]
            release(data)
        yield array


def main(folder, name, run, seed, step, *inputs):
    folder = pathlib.Path(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    library = ctypes.CDLL(str(folder / manifest["library"]))
    (entry,) = [entry for entry in manifest["entries"] if entry["name"] == name]
    kept = [np.ascontiguousarray(np.load(file)).reshape(np.load(file).shape) for file in inputs]
    before = [array.tobytes() for array in kept]
    arguments = make_arguments(entry, kept, int(seed), int(step))
    made, arrays = make_results(entry)
    status = getattr(library, entry["function"])(ctypes.byref(arguments), ctypes.byref(made))
    if status:
        print(f"status {status}")
        return 1
    different = sum(array.tobytes() != before[i] for i, array in enumerate(kept))
    for i, array in enumerate(take_results(library, entry, made, arrays)):
        want = np.load(pathlib.Path(run) / f"out{i}.npy")
        different += want.shape != array.shape or want.tobytes() != array.tobytes()
    print(f"{name}: {len(arrays)} results, {different} differences")
    return int(different != 0)


sys.exit(main(*sys.argv[1:]))
