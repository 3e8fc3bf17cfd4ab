#!/usr/bin/env bash
# Installs what a fresh Debian 12 lacks. Run by setup.sh and check.sh.
set -euo pipefail
packages=(cmake ninja-build clang-22 lld-22 llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools
          zlib1g-dev libgtest-dev python3 python3-numpy python3-venv)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep 'ok installed' >/dev/null || missing+=("$package")
done
if ((${#missing[@]})); then
  echo "installing ${missing[*]}"
  sudo=()
  [[ $EUID -eq 0 ]] || sudo=(sudo)
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
fi
