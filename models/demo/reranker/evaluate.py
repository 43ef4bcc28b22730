"""Score the finished folder through ONNX Runtime: where the partner of each held-out query ranks among candidates."""

import argparse
import random
import re
from pathlib import Path

import numpy as np
import onnxruntime
from reranker import HERE
from tokenizers import Tokenizer
from train import encode, pair_ids

from measure import hand_written, template_pairs
from tokenizer import PAD

SEED, CANDIDATES, TEMPLATE_PAIRS = 3, (10, 50), 200


class Ranker:
    def __init__(self, folder: Path):
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.session = onnxruntime.InferenceSession(folder / "onnx/model.onnx", providers=["CPUExecutionProvider"])

    def score(self, query: str, documents: list[str]) -> np.ndarray:
        """One logit per document; all pairs in one batch."""
        first, *others = encode(self.tokenizer, [query, *documents])
        rows = [pair_ids(first, document) for document in others]
        longest = max(map(len, rows))
        ids = np.array([row + [PAD] * (longest - len(row)) for row in rows])
        (logits,) = self.session.run(None, {"input_ids": ids, "attention_mask": (ids != PAD).astype(np.int64)})
        return logits[:, 0]


def common_words(query: str, documents: list[str]) -> np.ndarray:
    """Baseline without a model."""
    words = [set(re.findall(r"\w+", text.lower())) for text in (query, *documents)]
    return np.array([len(words[0] & other) / max(1, len(other)) for other in words[1:]])


def ranks(pairs: list[tuple[str, str]], count: int, score) -> np.ndarray:
    """Rank of the partner, from 1, among it and random other documents; ties count as lost."""
    rng, found = random.Random(SEED), []
    for index, (query, partner) in enumerate(pairs):
        others = rng.sample([other for at, (_, other) in enumerate(pairs) if at != index], count - 1)
        scores = score(query, [partner, *others])
        found.append(1 + int((scores[1:] >= scores[0]).sum()))
    return np.array(found)


def report(ranker: Ranker) -> None:
    for name, pairs in (("hand-written", hand_written("pairs.txt")), ("hand-written, for tuning", hand_written("tuning.txt")), ("templates", template_pairs(TEMPLATE_PAIRS))):
        for count in CANDIDATES:
            own, baseline = ranks(pairs, count, ranker.score), ranks(pairs, count, common_words)
            print(f"{name}: {len(pairs)} queries, {count} candidates: first {np.mean(own == 1):.3f}, MRR {np.mean(1 / own):.3f}; common words first {np.mean(baseline == 1):.3f}, MRR {np.mean(1 / baseline):.3f}; chance {1 / count:.3f}")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--folder", type=Path, default=HERE)
    report(Ranker(options.parse_args().folder))
