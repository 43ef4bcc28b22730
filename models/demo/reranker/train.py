"""Train the demo reranker from the demo embedding model, with new pairs in every step and resumable checkpoints."""

import argparse
import random
import time
from pathlib import Path

import torch
from reranker import Reranker, initial_reranker
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional as F

from corpus import Pair, draw_long_pair, draw_pair
from measure import hand_written, template_pairs
from model import Encoder, pool
from tokenizer import CONTEXT, END, PAD, START

HERE = Path(__file__).parent
SEED = 9
QUERIES, LONG_SENTENCES, LONG_EVERY = 48, (2, 8), 4
# Negatives of each query: those that the embedding model confuses most with the partner, and random ones.
DRAWN, HARD, RANDOM = 96, 3, 1
CHUNK_TOKENS = 4_000
# Half of the target is the embedding model's own ranking, which says more about negatives than that they are wrong.
TEACHER_WEIGHT, TEACHER_TEMPERATURE = 0.5, 0.06
WARMUP_STEPS, DECAY_FROM = 30, 0.4
MUON_RATE, EMBEDDING_RATE, NORM_RATE = 0.004, 0.002, 0.001
EVALUATE_EVERY, SAVE_EVERY = 100, 50
CANDIDATES = 20


def encode(tokenizer: Tokenizer, texts: list[str]) -> list[list[int]]:
    return [row.ids for row in tokenizer.encode_batch(texts, add_special_tokens=False)]


def pair_ids(query: list[int], document: list[int]) -> list[int]:
    """[CLS] query [SEP] document [SEP]; a document that is too long loses its end."""
    return [START, *query, END, *document[: CONTEXT - 3 - len(query)], END]


def batches(rows: list[list[int]]) -> list[list[int]]:
    """Group rows of similar length, so that there is little padding."""
    found: list[list[int]] = [[]]
    for index in sorted(range(len(rows)), key=lambda index: len(rows[index])):
        if found[-1] and len(rows[index]) * (len(found[-1]) + 1) > CHUNK_TOKENS:
            found.append([])
        found[-1].append(index)
    return found


def padded(rows: list[list[int]]) -> tuple[Tensor, Tensor]:
    longest = max(map(len, rows))
    tokens = torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])
    return tokens, (tokens != PAD).float()


def in_order(parts: list[Tensor], order: list[int]) -> Tensor:
    return torch.cat(parts)[torch.tensor(order).argsort()]


def score(reranker: Reranker, rows: list[list[int]]) -> Tensor:
    """Return one logit per pair."""
    groups = batches(rows)
    parts = [reranker(*padded([rows[index] for index in group]))[:, 0] for group in groups]
    return in_order(parts, sum(groups, []))


@torch.no_grad()
def embed(embedder: Encoder, texts: list[list[int]]) -> Tensor:
    """Return vectors of length 1 of the embedding model."""
    rows = [[START, *ids[: CONTEXT - 2], END] for ids in texts]
    groups, parts = batches(rows), []
    for group in groups:
        tokens, mask = padded([rows[index] for index in group])
        parts.append(pool(embedder(tokens, mask), mask))
    return F.normalize(in_order(parts, sum(groups, [])).float(), dim=-1)


def draw_pairs(rng: random.Random) -> list[Pair]:
    drawn: dict[str, Pair] = {}
    # Few pairs are long, because the training time depends on the tokens.
    if rng.randrange(LONG_EVERY) == 0:
        pair = draw_long_pair(rng, rng.randint(*LONG_SENTENCES))
        drawn[pair.key] = pair
    while len(drawn) < DRAWN:
        pair = draw_pair(rng)
        drawn.setdefault(pair.key, pair)
    return list(drawn.values())


def groups_of(embedder: Encoder, tokenizer: Tokenizer, rng: random.Random) -> tuple[list[list[int]], Tensor]:
    """Rows of QUERIES groups, the partner first, then negatives; and their cosines in the embedding model."""
    pairs = draw_pairs(rng)
    sides = [encode(tokenizer, [pair.texts[side] for pair in pairs]) for side in (0, 1)]
    vectors = [embed(embedder, side) for side in sides]
    likeness = vectors[0][:QUERIES] @ vectors[1].T
    hard = likeness.clone().fill_diagonal_(-2).topk(HARD).indices.tolist()
    rows, cosines = [], []
    for index in range(QUERIES):
        chosen = hard[index] + rng.sample([other for other in range(DRAWN) if other != index], RANDOM)
        rows += [pair_ids(sides[0][index][: CONTEXT // 4], sides[1][other]) for other in [index, *chosen]]
        cosines.append(likeness[index, [index, *chosen]])
    return rows, torch.stack(cosines)


def optimizers_of(reranker: Reranker) -> list[torch.optim.Optimizer]:
    named = list(reranker.named_parameters())
    is_matrix = lambda name, weight: weight.ndim == 2 and ("layers" in name or name.startswith("pooler"))
    matrices = [weight for name, weight in named if is_matrix(name, weight)]
    tables = [weight for name, weight in named if weight.ndim == 2 and not is_matrix(name, weight)]
    vectors = [weight for _, weight in named if weight.ndim == 1]
    return [
        torch.optim.Muon(matrices, lr=MUON_RATE, weight_decay=0.01),
        torch.optim.AdamW([{"params": tables, "lr": EMBEDDING_RATE}, {"params": vectors, "lr": NORM_RATE}], betas=(0.9, 0.98), weight_decay=0.0),
    ]


def rate(step: int, steps: int) -> float:
    decay = (steps - step) / (steps * (1 - DECAY_FROM))
    return min(1.0, (step + 1) / WARMUP_STEPS, max(decay, 0.0))


def train(steps: int, threads: int, build: Path) -> None:
    torch.set_num_threads(threads)
    torch.manual_seed(SEED)
    build.mkdir(parents=True, exist_ok=True)
    checkpoint = build / "checkpoint.pt"
    tokenizer = Tokenizer.from_file(str(HERE / "tokenizer.json"))
    reranker, embedder, _ = initial_reranker()
    optimizers, start = optimizers_of(reranker), 0
    bases = [[group["lr"] for group in optimizer.param_groups] for optimizer in optimizers]
    if checkpoint.exists():
        state = torch.load(checkpoint)
        start = state["step"]
        reranker.load_state_dict(state["reranker"])
        for optimizer, saved in zip(optimizers, state["optimizers"]):
            optimizer.load_state_dict(saved)
    print(f"{sum(weight.numel() for weight in reranker.parameters()):,} parameters, from step {start}", flush=True)
    losses, began = [], time.monotonic()
    for step in range(start, steps):
        for optimizer, rates in zip(optimizers, bases):
            for group, base in zip(optimizer.param_groups, rates):
                group["lr"] = base * rate(step, steps)
        with torch.autocast("cpu", torch.bfloat16):
            rows, cosines = groups_of(embedder, tokenizer, random.Random(f"{SEED} {step}"))
            logits = score(reranker, rows).float().view(QUERIES, -1)
        # The softmax ranks the candidates of a query; the binary loss makes logits of different queries comparable.
        labels = torch.zeros_like(logits)
        labels[:, 0] = 1
        teacher = (cosines.float() / TEACHER_TEMPERATURE).softmax(-1)
        target = TEACHER_WEIGHT * teacher + (1 - TEACHER_WEIGHT) * labels
        loss = F.cross_entropy(logits, target) + F.binary_cross_entropy_with_logits(logits, labels)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(reranker.parameters(), 1.0)
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        losses.append(loss.item())
        if (step + 1) % 20 == 0:
            print(f"step {step + 1} loss {sum(losses[-20:]) / 20:.4f} seconds {time.monotonic() - began:.0f}", flush=True)
        if (step + 1) % EVALUATE_EVERY == 0 or step + 1 == steps:
            report(reranker, embedder, tokenizer, step + 1)
        if (step + 1) % SAVE_EVERY == 0 or step + 1 == steps:
            torch.save({"step": step + 1, "reranker": reranker.state_dict(), "optimizers": [optimizer.state_dict() for optimizer in optimizers]}, checkpoint)


@torch.no_grad()
def report(reranker: Reranker, embedder: Encoder, tokenizer: Tokenizer, step: int) -> None:
    """Rank the partner among those texts that the embedding model finds most alike; tuning pairs only."""
    found = []
    for name, pairs in (("tuning", hand_written("tuning.txt")), ("templates", template_pairs(120))):
        sides = [encode(tokenizer, [pair[side] for pair in pairs]) for side in (0, 1)]
        likeness = embed(embedder, sides[0]) @ embed(embedder, sides[1]).T
        hits = 0
        for index, row in enumerate(likeness):
            others = [other for other in row.argsort(descending=True).tolist() if other != index][: CANDIDATES - 1]
            logits = score(reranker, [pair_ids(sides[0][index], sides[1][other]) for other in [index, *others]])
            hits += int(logits.argmax() == 0)
        found.append(f"{name} {hits / len(pairs):.3f} (embedding {(likeness.argmax(1) == torch.arange(len(pairs))).float().mean():.3f})")
    print(f"step {step} first of {CANDIDATES}: " + ", ".join(found), flush=True)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=600)
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("--build", type=Path, default=HERE / "build")
    given = options.parse_args()
    train(given.steps, given.threads, given.build)
