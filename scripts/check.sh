#!/usr/bin/env bash
# Runs every test; the last line is `N passed, N failed`.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/scripts/setup.sh"
exec /usr/bin/python3 "$root/scripts/run_tests.py" "$root/build/ci"
