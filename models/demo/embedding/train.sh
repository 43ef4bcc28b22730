#!/bin/sh
# Pairs, vocabulary, training, ONNX file, evaluation: the complete build. Resumes from the last checkpoint in build/.
# usage: ./train.sh [options of train.py]   for instance: ./train.sh --threads 4 --steps 3000
set -eu
embedding=$(dirname "$0")
python3 -u "$embedding/train.py" "$@"
python3 "$embedding/export.py"
python3 "$embedding/evaluate.py" | tee "$embedding/build/evaluation.txt"
