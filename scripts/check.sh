#!/usr/bin/env bash
# Runs every test; the last line is `N passed, N failed`.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/scripts/setup.sh"

# The tests assemble kernels by ptxas, which needs no GPU.
ptxas=$root/build/ptxas
if [[ ! -x $ptxas/bin/pip ]]; then
  /usr/bin/python3 -m venv "$ptxas"
fi
"$ptxas/bin/pip" install --quiet --disable-pip-version-check nvidia-cuda-nvcc==13.5.37
UFP4_PTXAS=$(find "$ptxas" -name ptxas -type f | head -n 1)
export UFP4_PTXAS
exec /usr/bin/python3 "$root/scripts/run_tests.py" "$root/build/ci"
