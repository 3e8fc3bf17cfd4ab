#!/usr/bin/env bash
# The main job: a BF16 training step in, a uniform-FP4 training step out, run on the CPU and compared
# with the results that JAX computed for the BF16 step.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/scripts/setup.sh"
export PATH=$root/build/ci/bin:$PATH
models=$root/examples/models
out=$root/build/demo
mkdir -p "$out"

echo
echo "What becomes of each matmul of the transformer step under the recipe ufp4:"
ufp4-run "$models/transformer_f32acc.linalg.mlir" --recipe=ufp4 --list-layers

for model in transformer_f32acc mlp_f32acc; do
  echo
  echo "One step of $model, by recipe:"
  for recipe in bf16 e2m1-baseline ufp4; do
    ufp4-run "$models/$model.linalg.mlir" --recipe="$recipe" --inputs="$models/$model.npz" \
      --seed=1 --step=0 --output-dir="$out/$model.$recipe"
    printf '%-14s ' "$recipe"
    /usr/bin/python3 "$root/examples/compare.py" "$out/$model.$recipe" "$models/$model.npz"
  done
done
