"""Train the demo chat model from nothing: fresh conversations every shard, checkpoints that a second start resumes from."""

import argparse
import random
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional as F

from corpus import Conversation, conversation, render
from model import Llama, Shape
from tokenizer import BYTES, SPECIAL, load_tokenizer

BUILD = Path(__file__).parent / "build"
SEED = 20
SHARD_CONVERSATIONS = 6_000
BATCH_TOKENS = 4_096
BATCHES_PER_STEP = 2
OTHER_SHARE, OTHER_WEIGHT = 0.15, 0.5  # Text the model will not write is learnt from lightly.
LONG_PHASE = 0.10  # The last tenth pairs every batch with one long conversation; before, every twentieth step does.
COPY_PHASE, COPY_ROWS = 0.25, 24  # Copying random tokens early on makes the model find names and numbers in its context much sooner.
WARMUP_STEPS, DECAY_FROM = 60, 0.35
MUON_RATE, ADAM_RATE = 0.02, 0.003

Sample = tuple[list[int], list[float]]
Batch = tuple[Tensor, Tensor, Tensor]


def encode(tokenizer: Tokenizer, talk: Conversation, rng: random.Random) -> Sample:
    """Token ids, and the weight of each as a target."""
    pieces = render(talk)
    ids: list[int] = []
    weights: list[float] = []
    for (_, own), encoded in zip(pieces, tokenizer.encode_batch([text for text, _ in pieces], add_special_tokens=False)):
        ids += encoded.ids
        weights += [1.0] * len(encoded.ids) if own else [OTHER_WEIGHT if rng.random() < OTHER_SHARE else 0.0 for _ in encoded.ids]
    return ids, weights


def collate(samples: list[Sample]) -> Batch:
    """Inputs [batch, length], the flat positions to predict from, and (target, weight) per position [2, count]."""
    longest = max(len(ids) for ids, _ in samples) - 1
    inputs = torch.zeros(len(samples), longest, dtype=torch.long)
    chosen, targets, weights = [], [], []
    for row, (ids, weight) in enumerate(samples):
        inputs[row, : len(ids) - 1] = torch.tensor(ids[:-1])
        for column in range(1, len(ids)):
            if weight[column]:
                chosen.append(row * longest + column - 1)
                targets.append(ids[column])
                weights.append(weight[column])
    return inputs, torch.tensor(chosen), torch.stack((torch.tensor(targets, dtype=torch.float), torch.tensor(weights)))


def shard_batches(tokenizer: Tokenizer, shard: int) -> list[Batch]:
    """Conversations of similar length side by side, so that little is padding; batches in random order."""
    rng = random.Random(f"{SEED}/{shard}")
    samples = [encode(tokenizer, conversation(rng), rng) for _ in range(SHARD_CONVERSATIONS)]
    samples.sort(key=lambda sample: len(sample[0]) * rng.uniform(0.9, 1.1))
    batches, rows, longest = [], [], 0
    for ids, weights in samples:
        longest = max(longest, len(ids))
        if rows and longest * (len(rows) + 1) > BATCH_TOKENS:
            batches.append(rows)
            rows, longest = [], len(ids)
        rows.append((ids[: 4096], weights[: 4096]))
    rng.shuffle(batches)
    return [collate(batch) for batch in batches]


def short_batches(tokenizer: Tokenizer, first_step: int) -> Iterator[Batch]:
    shard = first_step  # A resumed run goes on with other conversations, not the same ones again.
    while True:
        yield from shard_batches(tokenizer, shard)
        shard += 1


def long_batches(tokenizer: Tokenizer, first_step: int) -> Iterator[Batch]:
    rng = random.Random(f"{SEED}/long/{first_step}")
    while True:
        ids, weights = encode(tokenizer, conversation(rng, long=True), rng)
        yield collate([(ids[:4096], weights[:4096])])


def copy_batches(vocabulary: int, first_step: int) -> Iterator[Batch]:
    """Random tokens twice in a row: only the second time can be predicted, and only by looking back."""
    rng = random.Random(f"{SEED}/copy/{first_step}")
    learned = range(len(SPECIAL) + len(BYTES), vocabulary)
    while True:
        rows = []
        for _ in range(COPY_ROWS):
            once = rng.choices(learned, k=rng.randint(8, 56))
            rows.append((once * 2, [0.0] * len(once) + [1.0] * len(once)))
        yield collate(rows)


def learning_rate(step: int, steps: int) -> float:
    """Share of the full rate: rise, stay, fall to zero in a straight line."""
    return min((step + 1) / WARMUP_STEPS, 1.0, (steps - step) / (steps * (1 - DECAY_FROM)))


def optimizers(model: Llama) -> list[torch.optim.Optimizer]:
    matrices = [weight for name, weight in model.named_parameters() if weight.ndim == 2 and "embd" not in name]
    others = [weight for name, weight in model.named_parameters() if weight.ndim != 2 or "embd" in name]
    return [torch.optim.Muon(matrices, lr=MUON_RATE, weight_decay=0.01, momentum=0.95), torch.optim.AdamW(others, lr=ADAM_RATE, betas=(0.9, 0.95), weight_decay=0.0)]


def step_loss(model: Llama, batch: Batch, device: str) -> tuple[Tensor, Tensor]:
    """Sum of weighted losses and sum of weights."""
    inputs, chosen, aims = (part.to(device) for part in batch)
    with torch.autocast(device, torch.bfloat16):
        logits = model(inputs, chosen)
    losses = F.cross_entropy(logits.float(), aims[0].long(), reduction="none")
    return (losses * aims[1]).sum(), aims[1].sum()


def train(steps: int, build: Path, device: str, stop_at: int) -> None:
    torch.manual_seed(SEED)
    tokenizer = load_tokenizer(build / "tokenizer.json")
    model = Llama(Shape(vocabulary=tokenizer.get_vocab_size())).to(device)
    tuners = optimizers(model)
    step, seen = 0, 0
    saved = build / "checkpoint.pt"
    if saved.exists():
        state = torch.load(saved, map_location=device)
        model.load_state_dict(state["model"])
        for tuner, tuner_state in zip(tuners, state["tuners"]):
            tuner.load_state_dict(tuner_state)
        step, seen = state["step"], state["seen"]
    print(f"{sum(weight.numel() for weight in model.parameters()):,} parameters, from step {step} of {steps} on {device}", flush=True)
    short, long, copies = short_batches(tokenizer, step), long_batches(tokenizer, step), copy_batches(tokenizer.get_vocab_size(), step)
    started, last_saved, recent = time.monotonic(), time.monotonic(), []
    while step < min(steps, stop_at):
        in_long_phase = step > steps * (1 - LONG_PHASE)
        batches = [next(short) for _ in range(BATCHES_PER_STEP)]
        if in_long_phase or step % 20 == 19:
            batches[-1] = next(long)
        if step < steps * COPY_PHASE:
            batches.append(next(copies))
        weight_total = sum(float(batch[2][1].sum()) for batch in batches)
        total = 0.0
        for batch in batches:
            loss, _ = step_loss(model, batch, device)
            (loss / weight_total).backward()
            total += float(loss.detach()) / weight_total
            seen += batch[0].numel()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        rate = learning_rate(step, steps)
        for tuner, full in zip(tuners, (MUON_RATE, ADAM_RATE)):
            tuner.param_groups[0]["lr"] = full * rate
            tuner.step()
            tuner.zero_grad(set_to_none=True)
        step += 1
        recent.append(total)
        if step % 20 == 0:
            print(f"step {step} loss {sum(recent) / len(recent):.4f} rate {rate:.3f} tokens {seen / 1e6:.2f}M seconds {time.monotonic() - started:.0f}", flush=True)
            recent = []
        if time.monotonic() - last_saved > 180 or step == min(steps, stop_at):
            save(saved, model, tuners, step, seen)
            last_saved = time.monotonic()


def save(path: Path, model: Llama, tuners: list[torch.optim.Optimizer], step: int, seen: int) -> None:
    """Write beside, then rename, so that a stop in between leaves the last checkpoint whole."""
    partial = path.with_suffix(".partial")
    torch.save({"model": model.state_dict(), "tuners": [tuner.state_dict() for tuner in tuners], "step": step, "seen": seen}, partial)
    partial.replace(path)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=3_000, help="length of the whole schedule")
    options.add_argument("--stop-at", type=int, default=10**9, help="stop after this step, to resume later")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--build", type=Path, default=BUILD)
    options.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = options.parse_args()
    torch.set_num_threads(given.threads)
    train(given.steps, given.build, given.device, given.stop_at)
