#!/bin/sh
# Training, GGUF files, evaluation: the complete build. Resumes from the last checkpoint in build/.
# usage: ./train.sh [options of train.py]   for instance: ./train.sh --steps 4000
# evaluate.mjs needs Cloister's addon: run `npm install` in the repository's root before.
set -eu
vision=$(dirname "$0")
python3 -u "$vision/train.py" "$@"
python3 "$vision/export.py"
python3 "$vision/cases.py" --count 100 > "$vision/build/cases.jsonl"
node "$vision/evaluate.mjs" "$vision/build/cases.jsonl" | tee "$vision/build/evaluation.txt"
