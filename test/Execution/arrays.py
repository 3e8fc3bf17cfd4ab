"""NumPy's files without NumPy, and comparing what a run wrote with what is expected.

  arrays.py write FILE DTYPE SHAPE VALUES…    a .npy file (SHAPE: 2,3 or - for rank 0)
  arrays.py show FILE…                        dtype, shape and values of .npy files
  arrays.py compare DIR FILE.npz TOLERANCE    DIR/out<i>.npy against o<i>: worst |difference| / max
"""

import ast
import io
import struct
import sys
import zipfile

CODES = {"f4": "f", "f8": "d", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "V2": "H", "i4": "i",
         "u4": "I", "i8": "q", "u8": "Q", "b1": "B"}


def read(data):
    assert data[:6] == b"\x93NUMPY", "not a .npy file"
    size, start = (struct.unpack("<H", data[8:10])[0], 10)
    header = ast.literal_eval(data[start:start + size].decode("latin1"))
    assert not header["fortran_order"]
    kind = header["descr"][1:]
    count = 1
    for extent in header["shape"]:
        count *= extent
    body = data[start + size:]
    values = list(struct.unpack("<%d%s" % (count, CODES[kind]), body))
    return header["descr"], header["shape"], values


def write(path, descr, shape, values):
    header = repr({"descr": descr, "fortran_order": False, "shape": tuple(shape)})
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode("latin1"))
        file.write(struct.pack("<%d%s" % (len(values), CODES[descr[1:]]), *values))


def floats(descr, values):
    if descr[1:] in ("V2", "u2"):
        return [struct.unpack("<f", struct.pack("<I", v << 16))[0] for v in values]
    return [float(v) for v in values]


def compare(directory, archive, tolerance):
    worst = (0.0, -1)
    count = 0
    with zipfile.ZipFile(archive) as names:
        for name in names.namelist():
            if not (name[0] == "o" and name[1:-4].isdigit()):
                continue
            index = int(name[1:-4])
            descr, shape, want = read(names.read(name))
            with open("%s/out%d.npy" % (directory, index), "rb") as file:
                found_descr, found_shape, found = read(file.read())
            assert shape == found_shape, "out%d: expected %s, found %s" % (index, shape, found_shape)
            want, found = floats(descr, want), floats(found_descr, found)
            scale = max([abs(w) for w in want], default=0.0) or 1.0
            error = max([abs(w - f) if w == w and f == f else float("inf")
                         for w, f in zip(want, found)], default=0.0) / scale
            worst = max(worst, (error, index))
            count += 1
    verdict = "close" if worst[0] <= tolerance else "FAR"
    print("%d results %s, worst %.4f at out%d" % (count, verdict, *worst))
    return verdict == "close"


def main(arguments):
    if arguments[0] == "write":
        path, descr, shape = arguments[1:4]
        shape = [] if shape == "-" else [int(n) for n in shape.split(",")]
        number = float if descr[1:] in ("f4", "f8") else lambda text: int(text, 0)
        write(path, descr, shape, [number(v) for v in arguments[4:]])
        return True
    if arguments[0] == "show":
        for path in arguments[1:]:
            with open(path, "rb") as file:
                descr, shape, values = read(file.read())
            print(descr, shape, " ".join("%g" % v for v in values))
        return True
    return compare(arguments[1], arguments[2], float(arguments[3]))


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
