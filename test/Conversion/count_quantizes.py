"""Counts how often a lowered module quantizes: count_quantizes.py REWRITTEN LOWERED.

A quantize with f32 scales divides twice (Q5's scale, Q6's reciprocal), and the lowering adds no other
division but that of tanh's polynomial; shared quantizes are functions @ufp4_quantize_N, one body for all of their calls.
"""

import re
import sys

rewritten, lowered = (open(path, encoding="utf-8").read() for path in sys.argv[1:])
own = len(re.findall(r"arith\.divf|math\.tanh", rewritten))
bodies, odd = divmod(len(re.findall(r"llvm\.fdiv", lowered)) - own, 2)
assert not odd, "an odd number of divisions"
functions = len(re.findall(r"llvm\.func .*@ufp4_quantize_\d+\(", lowered))
calls = len(re.findall(r"llvm\.call @ufp4_quantize_\d+\(", lowered))
print(f"{bodies - functions + calls} quantizes in {bodies} bodies")
