#!/usr/bin/env bash
# Installs the Python package into a fresh environment and runs its tests; the last line is
# `N passed, N failed`. With `--keep` the environment, build/venv, is used again if it exists.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
venv=$root/build/venv
log=$root/build/python-install.log
mkdir -p "$root/build"
# The system's Python comes without its headers; another's, named in PYTHON, with them.
if [[ -z ${PYTHON-} ]] && ! dpkg-query -W -f='${Status}' python3-dev 2>/dev/null | grep 'ok installed' >/dev/null; then
  sudo=()
  [[ $EUID -eq 0 ]] || sudo=(sudo)
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends python3-dev python3-venv >/dev/null
fi

[[ ${1-} == --keep ]] || rm -rf "$venv"
[[ -x $venv/bin/pip ]] || "${PYTHON:-/usr/bin/python3}" -m venv "$venv"
# What check.sh has built is of the package's own flags, and need not be built again. Otherwise a compiler
# cache, where there is one, makes a second install quick.
shared=()
if [[ -f $root/build/ci/CMakeCache.txt ]]; then
  shared=("--config-settings=build-dir=$root/build/ci" --config-settings=cmake.define.UFP4_ENABLE_TESTS=ON)
elif command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache
  export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime CCACHE_NOHASHDIR=1
fi
start=$SECONDS
if ! "$venv/bin/pip" install --disable-pip-version-check "${shared[@]}" "$root[test]" >"$log" 2>&1; then
  tail -n 50 "$log"
  echo "0 passed, 1 failed"
  exit 1
fi
echo "pip install: $((SECONDS - start)) s"

# The package is the installed one, not the sources in the current folder.
cd "$root/build"
exec "$venv/bin/python" "$root/python/tests/run.py" "$root/python/tests"
