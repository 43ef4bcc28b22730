#!/bin/sh
# Corpus, tokenizer, training, GGUF, evaluation: the complete build. Resumes from the last checkpoint in build/.
# usage: ./train.sh [options of train.py]   for instance: ./train.sh --threads 4
# evaluate.py needs Node with node-llama-cpp, which is resolved from the working directory (the repository's root).
set -eu
chat=$(dirname "$0")
python3 -u "$chat/train.py" "$@"
python3 "$chat/export.py"
python3 "$chat/evaluate.py" | tee "$chat/build/evaluation.txt"
