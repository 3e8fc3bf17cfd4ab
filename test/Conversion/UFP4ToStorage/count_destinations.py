"""Counts quantizes into storages, those with two destinations, and values that two of them read.

Usage: count_destinations.py FILE.mlir
"""

import collections
import re
import sys

lines = [line for line in open(sys.argv[1]) if "ufp4.quantize_into" in line]
counts = [line.count("#ufp4.destination") for line in lines]
readers = collections.defaultdict(set)
for line, count in zip(lines, counts):
    value = re.search(r"ins\((%\S+) :", line)[1]
    along = tuple(re.findall(r"along = (\d+)", line.split(" as ")[1]))
    if count == 1:
        readers[value].add(along)
twice = sum(len(alongs) > 1 for alongs in readers.values())
print(f"{len(lines)} quantizes, {counts.count(2)} dual, {sum(counts)} destinations; "
      f"read both ways but quantized twice: {twice}")
