"""Prints each annotated GEMM of a module read from standard input: its index, role, layer, stream."""

import re
import sys

text = sys.stdin.read()
for index, attr in enumerate(re.findall(r"ufp4\.gemm = \{(.*?)\}", text)):
    layer = re.search(r'layer = "([^"]*)"', attr)
    role = re.search(r'role = "(\w+)"', attr).group(1)
    stream = re.search(r"stream = (\d+)", attr).group(1)
    print(f"g{index} {role} {layer.group(1) if layer else '-'} stream {stream}")
