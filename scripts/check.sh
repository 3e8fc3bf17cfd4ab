#!/usr/bin/env bash
# Runs every test; the last line is `N passed, N failed`.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/scripts/packages.sh"

# An environment of its own, build/NAME, for what tests ask for.
install() {
  local venv=$root/build/$1
  [[ -x $venv/bin/pip ]] || /usr/bin/python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check "${@:2}"
}
# They are fetched while the compiler is built.
fetches=()
# The tests assemble kernels by ptxas, which needs no GPU: the machine's, or the one of PyPI's package.
ptxas=
if ! command -v ptxas >/dev/null && [[ ! -x /usr/local/cuda/bin/ptxas ]]; then
  ptxas=$root/build/ptxas
  install ptxas nvidia-cuda-nvcc==13.5.37 &
  fetches+=($!)
fi
# Others run JAX's own exports on the CPU, and what this compiler writes in IREE.
if [[ -z ${UFP4_JAX_PYTHON-} || -z ${UFP4_IREE_PYTHON-} ]]; then
  install jax jax==0.10.2 iree-base-compiler==3.13.0 iree-base-runtime==3.13.0 &
  fetches+=($!)
  export UFP4_JAX_PYTHON=${UFP4_JAX_PYTHON:-$root/build/jax/bin/python}
  export UFP4_IREE_PYTHON=${UFP4_IREE_PYTHON:-$root/build/jax/bin/python}
fi
# And one builds the documentation's site.
if [[ -z ${UFP4_MKDOCS_PYTHON-} ]]; then
  install docs -r "$root/scripts/docs-requirements.txt" &
  fetches+=($!)
  export UFP4_MKDOCS_PYTHON=$root/build/docs/bin/python
fi
"$root/scripts/setup.sh"
for fetch in "${fetches[@]}"; do
  wait "$fetch"
done
if [[ -n $ptxas ]]; then
  UFP4_PTXAS=$(find "$ptxas" -name ptxas -type f -print -quit)
  export UFP4_PTXAS
fi
exec /usr/bin/python3 "$root/scripts/run_tests.py" "$root/build/ci"
