#!/usr/bin/env bash
# Installs what a fresh Debian 12 lacks and builds UFP4 into build/ci. Run by demo.sh and check.sh.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/ci

"$root/scripts/packages.sh"
cd "$root"
mkdir -p "$build"
# The system's Python, whose numpy is installed above, not whichever is first on the PATH.
if ! cmake --preset ci -DPython3_EXECUTABLE=/usr/bin/python3 >"$build/configure.log" 2>&1; then
  cat "$build/configure.log"
  exit 1
fi
echo "building into build/ci"
cmake --build "$build" | tail -n 3
