# bf16.sh PYTHON MODELS HERE STEP DATA OUT VECTOR_LIMIT
set -e
ufp4-run $2/$4.mlir --recipe=bf16 --inputs=$2/$5.npz --output-dir=$6/$4
$1 $3/../../examples/compare.py $6/$4 $2/$5.npz --limit=0.02 --vector-limit=$7
