#!/usr/bin/env bash
# Builds the documentation's site into build/site; with --check, keeps nothing and fails on every warning
# (a link or anchor that leads nowhere, a page that the navigation lacks).
#
# Usage: build-docs.sh [--check]
# The environment may name a Python that has scripts/docs-requirements.txt in UFP4_MKDOCS_PYTHON; otherwise
# they are installed into build/docs.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

case ${1-} in
'' | --check) ;;
*)
  echo "usage: build-docs.sh [--check]" >&2
  exit 2
  ;;
esac

python=${UFP4_MKDOCS_PYTHON-}
if [[ -z $python ]]; then
  venv=$root/build/docs
  [[ -x $venv/bin/pip ]] || "${PYTHON:-/usr/bin/python3}" -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$root/scripts/docs-requirements.txt"
  python=$venv/bin/python
fi

cd "$root"
# mkdocs-material speaks of its maker's plans otherwise.
export NO_MKDOCS_2_WARNING=true
if [[ ${1-} == --check ]]; then
  site=$(mktemp -d)
  trap 'rm -rf "$site"' EXIT
  "$python" -m mkdocs build --quiet --strict --site-dir "$site"
  echo "$(find "$site" -name '*.html' | wc -l) pages"
  exit
fi
"$python" -m mkdocs build --quiet --site-dir "$root/build/site"
echo "build/site/index.html; with the search box: python3 -m http.server --directory build/site"
