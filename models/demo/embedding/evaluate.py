"""Score the finished folder through ONNX Runtime: recall@1 on held-out pairs, nearest neighbours, and whether a batch changes a vector."""

import argparse
import re
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from corpus import every_way
from measure import hand_written, recall_at_1, template_pairs
from tokenizer import CONTEXT, PAD

HERE = Path(__file__).parent
WIDTHS = (256, 128, 64)
TEMPLATE_PAIRS = 500
QUERIES = [
    "my head aches", "I want my money back", "the wifi does not reach the bedroom", "a dish without meat", "how do I prove that the server is genuine",
    "somebody stole my bicycle", "it is pouring outside", "undo a commit",
]


class Embedder:
    def __init__(self, folder: Path):
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(CONTEXT)
        self.tokenizer.enable_padding(pad_id=PAD)
        self.session = onnxruntime.InferenceSession(folder / "onnx/model.onnx", providers=["CPUExecutionProvider"])

    def embed(self, texts: list[str]) -> np.ndarray:
        """[texts, width], each row of length 1; all texts in one batch."""
        encoded = self.tokenizer.encode_batch(texts)
        mask = np.array([row.attention_mask for row in encoded])
        (hidden,) = self.session.run(None, {"input_ids": np.array([row.ids for row in encoded]), "attention_mask": mask})
        pooled = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)


def word_overlap(pairs: list[tuple[str, str]]) -> float:
    """Baseline without a model: recall@1 by counting common words, with higher weight for rare words."""
    sides = [[set(words(pair[side])) for pair in pairs] for side in (0, 1)]
    every = sorted(set().union(*sides[0], *sides[1]))
    spread = {word: sum(word in text for side in sides for text in side) for word in every}
    vectors = [np.array([[np.log(2 * len(pairs) / spread[word]) * (word in text) for word in every] for text in side]) + 1e-9 for side in sides]
    return recall_at_1(*vectors)


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def report_recall(embedder: Embedder) -> None:
    for name, pairs in (("hand-written", hand_written("pairs.txt")), ("hand-written, for tuning", hand_written("tuning.txt")), ("templates", template_pairs(TEMPLATE_PAIRS))):
        first, second = (embedder.embed([pair[side] for pair in pairs]) for side in (0, 1))
        scores = ", ".join(f"{width} numbers {recall_at_1(first[:, :width], second[:, :width]):.3f}" for width in WIDTHS)
        print(f"{name}: recall@1 among {len(pairs)}: {scores}; recall@5 {recall_at_5(first, second):.3f}; common words {word_overlap(pairs):.3f}, chance {1 / len(pairs):.4f}")


def recall_at_5(first: np.ndarray, second: np.ndarray) -> float:
    own = (first * second).sum(1, keepdims=True)
    scores = first @ second.T
    return float(((scores > own).sum(1) < 5).mean() / 2 + ((scores.T > own).sum(1) < 5).mean() / 2)


def report_seen() -> None:
    """Share of hand-written pairs that a template can generate."""
    trained = [frozenset(words(way)) for way in every_way()]
    exact = set(trained)
    texts = [text for pair in hand_written("pairs.txt") for text in pair]
    close = sum(max(len(text & way) / len(text | way) for way in exact) >= 0.8 for text in (frozenset(words(text)) for text in texts))
    print(f"hand-written texts with the same words as a phrasing in the corpus: {sum(frozenset(words(text)) in exact for text in texts)}, in at least four words of five: {close}, of {len(texts)}")


def report_batches(embedder: Embedder) -> None:
    texts = [text for pair in hand_written("tuning.txt") for text in pair]
    texts[1] = " ".join(texts)  # A text that fills the context, so that all others are mostly padding.
    together = embedder.embed(texts)
    cosines = [float(embedder.embed([text])[0] @ row) for text, row in zip(texts, together)]
    print(f"alone and in a batch padded to {CONTEXT}: smallest cosine {min(cosines):.7f}")


def report_neighbours(embedder: Embedder) -> None:
    texts = [text for pair in hand_written("pairs.txt") for text in pair]
    vectors = embedder.embed(texts)
    for query, row in zip(QUERIES, embedder.embed(QUERIES) @ vectors.T):
        print(f"{query}: " + "; ".join(f"{texts[index]} ({row[index]:.2f})" for index in row.argsort()[:-4:-1]))


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--folder", type=Path, default=HERE)
    embedder = Embedder(options.parse_args().folder)
    report_recall(embedder)
    report_seen()
    report_batches(embedder)
    report_neighbours(embedder)
