#!/bin/sh
# Training from the demo embedding model, ONNX file, evaluation: the complete build. Resumes from the last checkpoint in build/.
# usage: ./train.sh [options of train.py]   for instance: ./train.sh --threads 4 --steps 2000
set -eu
reranker=$(dirname "$0")
python3 -u "$reranker/train.py" "$@"
python3 "$reranker/export.py"
python3 "$reranker/evaluate.py" | tee "$reranker/build/evaluation.txt"
