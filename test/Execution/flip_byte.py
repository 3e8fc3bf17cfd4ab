"""Changes the lowest bit of one byte of a file: flip_byte.py FILE OFFSET."""

import pathlib
import sys

path = pathlib.Path(sys.argv[1])
data = bytearray(path.read_bytes())
data[int(sys.argv[2])] ^= 1
path.write_bytes(data)
