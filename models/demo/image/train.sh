#!/bin/sh
# Pictures, training, ONNX files, evaluation: the complete build. Resumes from the last checkpoints in build/.
# usage: ./train.sh [options of train.py]   for instance: ./train.sh --threads 4 --unet-minutes 60
set -eu
image=$(dirname "$0")
python3 -u "$image/train.py" "$@"
python3 "$image/export.py"
python3 "$image/evaluate.py" --samples "$image/samples.png" | tee "$image/build/evaluation.txt"
