#!/usr/bin/env bash
# Builds with sanitizers and runs the unit tests and the IR tests: first AddressSanitizer and
# UndefinedBehaviorSanitizer, then ThreadSanitizer, or those presets alone that are named. Needs Debian's
# libclang-rt-22-dev beside what setup.sh installs. LLVM's own libraries are as Debian builds them.
#
# Usage: check_sanitizers.sh [asan|tsan]…
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
# MLIR's templates are in instrumented code and its containers' memory is not: arenas that one poisons the
# other hands out. What the context and LLVM's tables hold until the end is no leak of ours, and a finding
# must stop the test.
export ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0:detect_leaks=0:detect_odr_violation=0
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1
presets=("$@")
((${#presets[@]})) || presets=(asan tsan)
for preset in "${presets[@]}"; do
  mkdir -p "build/$preset"
  cmake --preset "$preset" -DPython3_EXECUTABLE=/usr/bin/python3 >"build/$preset/configure.log"
  cmake --build "build/$preset" | tail -n 1
  /usr/bin/python3 scripts/run_tests.py "$root/build/$preset" unit
  # Not by the same script, for which a test that cannot run has failed: Debian's mlir-opt loads no
  # instrumented plugin.
  cmake --build "build/$preset" --target check-ufp4-lit
done
