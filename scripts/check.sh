#!/usr/bin/env bash
# Runs every test; the last line is `N passed, N failed`.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/scripts/setup.sh"

# The tests assemble kernels by ptxas, which needs no GPU: the machine's, or the one of PyPI's package.
if ! command -v ptxas >/dev/null && [[ ! -x /usr/local/cuda/bin/ptxas ]]; then
  venv=$root/build/ptxas
  [[ -x $venv/bin/pip ]] || /usr/bin/python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check nvidia-cuda-nvcc==13.5.37
  UFP4_PTXAS=$(find "$venv" -name ptxas -type f -print -quit)
  export UFP4_PTXAS
fi
# Others run JAX's own exports on the CPU, and what this compiler writes in IREE.
if [[ -z ${UFP4_JAX_PYTHON-} || -z ${UFP4_IREE_PYTHON-} ]]; then
  venv=$root/build/jax
  [[ -x $venv/bin/pip ]] || /usr/bin/python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check jax==0.10.2 iree-base-compiler==3.13.0 iree-base-runtime==3.13.0
  export UFP4_JAX_PYTHON=${UFP4_JAX_PYTHON:-$venv/bin/python} UFP4_IREE_PYTHON=${UFP4_IREE_PYTHON:-$venv/bin/python}
fi
# And one builds the documentation's site.
if [[ -z ${UFP4_MKDOCS_PYTHON-} ]]; then
  venv=$root/build/docs
  [[ -x $venv/bin/pip ]] || /usr/bin/python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$root/scripts/docs-requirements.txt"
  export UFP4_MKDOCS_PYTHON=$venv/bin/python
fi
exec /usr/bin/python3 "$root/scripts/run_tests.py" "$root/build/ci"
