# dump-replay.sh MODEL RECIPE OUT
set -e
ufp4-run $1.linalg.mlir --recipe=$2 --inputs=$1.npz --seed=5 --step=2 --output-dir=$3/o --dump-quantized=$3/dump
ufp4-run --replay=$3/dump
