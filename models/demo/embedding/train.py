"""Train the demo embedding model from scratch, with new pairs in every step and resumable checkpoints."""

import argparse
import random
import time
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional as F

from corpus import draw_long_pair, draw_pair
from measure import hand_written, recall_at_1, template_pairs
from model import Encoder, Shape, pool
from tokenizer import PAD, load_tokenizer, train_tokenizer

BUILD = Path(__file__).parent / "build"
SEED = 5
PAIRS, LONG_PAIRS, LONG_SENTENCES = 256, 2, (3, 80)
CHUNK_TOKENS = 3_000
TEMPERATURE = 0.06
# The loss is computed for each of these widths, so that truncated vectors are useful.
WIDTHS = {256: 1.0, 128: 0.4, 64: 0.3}
WARMUP_STEPS, DECAY_FROM = 60, 0.45
MUON_RATE, EMBEDDING_RATE, NORM_RATE = 0.006, 0.01, 0.002
EVALUATE_EVERY, SAVE_EVERY = 100, 50

Vectors = tuple[Tensor, Tensor]


def draw_batch(rng: random.Random, pairs: int) -> tuple[list[str], list[str]]:
    """Pairs of different keys, some of them long."""
    drawn: dict[str, tuple[str, str]] = {}
    while len(drawn) < LONG_PAIRS:
        # Most pairs are short, because the training time depends on the tokens.
        pair = draw_long_pair(rng, round(LONG_SENTENCES[0] * (LONG_SENTENCES[1] / LONG_SENTENCES[0]) ** (rng.random() ** 1.5)))
        drawn.setdefault(pair.key, pair.texts)
    while len(drawn) < pairs:
        pair = draw_pair(rng)
        drawn.setdefault(pair.key, pair.texts)
    first, second = zip(*drawn.values())
    return list(first), list(second)


def chunks(lengths: list[int]) -> list[list[int]]:
    """Group rows of similar length, so that there is little padding."""
    found: list[list[int]] = [[]]
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        if found[-1] and lengths[row] * (len(found[-1]) + 1) > CHUNK_TOKENS:
            found.append([])
        found[-1].append(row)
    return found


def embed(encoder: Encoder, tokenizer: Tokenizer, texts: list[str]) -> Tensor:
    """Return [texts, width], not normalized."""
    ids = [encoded.ids for encoded in tokenizer.encode_batch(texts)]
    order, parts = [], []
    for rows in chunks([len(row) for row in ids]):
        longest = max(len(ids[row]) for row in rows)
        tokens = torch.tensor([ids[row] + [PAD] * (longest - len(ids[row])) for row in rows])
        mask = (tokens != PAD).float()
        parts.append(pool(encoder(tokens, mask), mask))
        order += rows
    return torch.cat(parts)[torch.tensor(order).argsort()]


def contrast(first: Tensor, second: Tensor) -> Tensor:
    """Contrastive loss: match each text with its partner among all others of the batch, including those of its own side."""
    loss = first.new_zeros(())
    own = torch.eye(len(first), dtype=torch.bool)
    for width, weight in WIDTHS.items():
        a, b = (F.normalize(side[:, :width], dim=-1) for side in (first, second))
        across = a @ b.T / TEMPERATURE
        beside = [(side @ side.T / TEMPERATURE).masked_fill(own, -torch.inf) for side in (a, b)]
        for scores, same in ((across, beside[0]), (across.T, beside[1])):
            loss = loss + weight / 2 * F.cross_entropy(torch.cat((scores, same), 1), torch.arange(len(a)))
    return loss / sum(WIDTHS.values())


def build_optimizers(encoder: Encoder) -> list[torch.optim.Optimizer]:
    """Use Muon for the matrices of the layers, Adam for words, positions, norms and biases."""
    named = list(encoder.named_parameters())
    matrices = [weight for name, weight in named if name.startswith("layers") and weight.ndim == 2]
    tables = [weight for name, weight in named if not name.startswith("layers") and weight.ndim == 2]
    vectors = [weight for _, weight in named if weight.ndim == 1]
    return [
        torch.optim.Muon(matrices, lr=MUON_RATE, weight_decay=0.01),
        torch.optim.AdamW([{"params": tables, "lr": EMBEDDING_RATE}, {"params": vectors, "lr": NORM_RATE}], betas=(0.9, 0.98), weight_decay=0.0),
    ]


def rate(step: int, steps: int) -> float:
    """Return the factor of the learning rate: warm-up, constant, linear decay to zero."""
    decay = (steps - step) / (steps * (1 - DECAY_FROM))
    return min(1.0, (step + 1) / WARMUP_STEPS, max(decay, 0.0))


def train(steps: int, threads: int, build: Path) -> None:
    torch.set_num_threads(threads)
    torch.manual_seed(SEED)
    build.mkdir(parents=True, exist_ok=True)
    vocabulary, checkpoint = build / "tokenizer.json", build / "checkpoint.pt"
    if not vocabulary.exists():
        train_tokenizer().save(str(vocabulary))
    tokenizer = load_tokenizer(vocabulary)
    encoder = Encoder(Shape(tokenizer.get_vocab_size()))
    optimizers = build_optimizers(encoder)
    start = 0
    if checkpoint.exists():
        state = torch.load(checkpoint)
        start = state["step"]
        encoder.load_state_dict(state["encoder"])
        for optimizer, saved in zip(optimizers, state["optimizers"]):
            optimizer.load_state_dict(saved)
    print(f"{sum(weight.numel() for weight in encoder.parameters()):,} parameters, {tokenizer.get_vocab_size():,} tokens, from step {start}", flush=True)
    bases = [[group["lr"] for group in optimizer.param_groups] for optimizer in build_optimizers(encoder)]
    losses, began = [], time.monotonic()
    for step in range(start, steps):
        for optimizer, rates in zip(optimizers, bases):
            for group, base in zip(optimizer.param_groups, rates):
                group["lr"] = base * rate(step, steps)
        first, second = draw_batch(random.Random(f"{SEED} {step}"), PAIRS)
        with torch.autocast("cpu", torch.bfloat16):
            vectors = embed(encoder, tokenizer, first + second)
        loss = contrast(vectors[:PAIRS].float(), vectors[PAIRS:].float())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        losses.append(loss.item())
        if (step + 1) % 20 == 0:
            print(f"step {step + 1} loss {sum(losses[-20:]) / 20:.4f} seconds {time.monotonic() - began:.0f}", flush=True)
        if (step + 1) % EVALUATE_EVERY == 0 or step + 1 == steps:
            report(encoder, tokenizer, step + 1)
        if (step + 1) % SAVE_EVERY == 0 or step + 1 == steps:
            torch.save({"step": step + 1, "encoder": encoder.state_dict(), "optimizers": [optimizer.state_dict() for optimizer in optimizers]}, checkpoint)


@torch.no_grad()
def report(encoder: Encoder, tokenizer: Tokenizer, step: int) -> None:
    """Measure the tuning pairs only; the others are measured once, at the end."""
    scores = {name: recall_at_1(*(embed(encoder, tokenizer, [pair[side] for pair in pairs]).numpy() for side in (0, 1))) for name, pairs in (("tuning", hand_written("tuning.txt")), ("templates", template_pairs(500)))}
    print(f"step {step} recall@1 " + " ".join(f"{name} {score:.3f}" for name, score in scores.items()), flush=True)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=1500)
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("--build", type=Path, default=BUILD)
    given = options.parse_args()
    train(given.steps, given.threads, given.build)
