"""Held-out pairs, and recall@1 on them."""

import random
from pathlib import Path

import numpy as np

from corpus import draw_pair

HELD_OUT = Path(__file__).parent / "held-out"
SEED = 77

Texts = list[tuple[str, str]]


def hand_written(name: str) -> Texts:
    lines = [line for line in (HELD_OUT / name).read_text().splitlines() if line and not line.startswith("#")]
    return [tuple(line.split(" = ")) for line in lines]


def template_pairs(count: int) -> Texts:
    """Combinations of wordings and values that training never generates, each about a different subject."""
    rng, drawn = random.Random(SEED), {}
    while len(drawn) < count:
        pair = draw_pair(rng, held_out=True)
        drawn.setdefault(pair.key, pair.texts)
    return list(drawn.values())


def recall_at_1(first: np.ndarray, second: np.ndarray) -> float:
    """Share of rows whose nearest row on the other side is the partner; mean of both directions."""
    first, second = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in (first, second))
    scores, rows = first @ second.T, np.arange(len(first))
    return float(((scores.argmax(1) == rows).mean() + (scores.argmax(0) == rows).mean()) / 2)
