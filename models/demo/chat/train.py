"""Train the demo chat model from scratch, with new conversations in every shard and resumable checkpoints."""

import argparse
import itertools
import random
import time
from collections.abc import Iterator
from pathlib import Path

import torch
import torch.distributed as distributed
import torch.multiprocessing
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional as F

from corpus import Conversation, conversation, render
from model import Llama, Shape
from tokenizer import BYTES, SPECIAL, load_tokenizer
from wiring import wire_copying

BUILD = Path(__file__).parent / "build"
SEED = 20
SHARD_CONVERSATIONS = 3_000
BATCH_TOKENS = 3_072
BATCHES_PER_STEP = 2
OTHER_SHARE, OTHER_WEIGHT = 0.15, 0.5  # Share and weight of other tokens than the assistant's in the loss.
LONG_PHASE, LONG_EVERY = 0.02, 3  # In the last phase every step has one long conversation; before, every third step.
COPY_PHASE, COPY_ROWS = 0.25, 12  # Copying random tokens preserves the copying circuit until the conversations need it.
ALIKE_EVERY, ALIKE_ROWS, ALIKE_TOKENS_MAX = 6, 4, 160  # Copying rows of few distinct tokens, which requires more context than the previous token.
WARMUP_STEPS, DECAY_FROM = 80, 0.70
MUON_RATE, EMBEDDING_RATE, NORM_RATE = 0.015, 0.001, 0.01

Sample = tuple[list[int], list[float]]
Batch = tuple[Tensor, Tensor, Tensor]


def encode(tokenizer: Tokenizer, talk: Conversation, rng: random.Random) -> Sample:
    """Return token ids, and the weight of each as a target."""
    pieces = render(talk)
    ids: list[int] = []
    weights: list[float] = []
    for (_, own), encoded in zip(pieces, tokenizer.encode_batch([text for text, _ in pieces], add_special_tokens=False)):
        ids += encoded.ids
        weights += [1.0] * len(encoded.ids) if own else [OTHER_WEIGHT if rng.random() < OTHER_SHARE else 0.0 for _ in encoded.ids]
    return ids, weights


def collate(samples: list[Sample]) -> Batch:
    """Return inputs [batch, length], the flat positions to predict from, and (target, weight) per position [2, count]."""
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


def shard_batches(tokenizer: Tokenizer, shard: str) -> list[Batch]:
    """Return batches in random order, each with conversations of similar length, so that there is little padding."""
    rng = random.Random(shard)
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


def short_batches(tokenizer: Tokenizer, stream: str) -> Iterator[Batch]:
    for shard in itertools.count():
        yield from shard_batches(tokenizer, f"{stream}/{shard}")


def long_batches(tokenizer: Tokenizer, stream: str) -> Iterator[Batch]:
    rng = random.Random(f"{stream}/long")
    while True:
        ids, weights = encode(tokenizer, conversation(rng, long=True), rng)
        yield collate([(ids[:4096], weights[:4096])])


def copy_batches(vocabulary: int, stream: str) -> Iterator[Batch]:
    """Yield repeated random tokens: all repetitions can be predicted, but only by copying. Short ones are learned first."""
    rng = random.Random(f"{stream}/copy")
    learned = range(len(SPECIAL) + len(BYTES), vocabulary)
    while True:
        rows = []
        for _ in range(COPY_ROWS):
            once = rng.choices(learned, k=rng.choice([2, 3, 4, 6, 8, 12, 16, 24, 32]))
            times = 64 // len(once)
            rows.append((once * times, [0.0] * len(once) + [1.0] * len(once) * (times - 1)))
        yield collate(rows)


def alike_batches(vocabulary: int, stream: str) -> Iterator[Batch]:
    """Yield a marked row of few tokens, twice: the position to copy from depends on the start of the row."""
    rng = random.Random(f"{stream}/alike")
    learned = range(len(SPECIAL) + len(BYTES), vocabulary)
    while True:
        rows = []
        for _ in range(ALIKE_ROWS):
            few = rng.sample(learned, rng.choice([2, 3, 5, 8, 12, 20]))
            others = [rng.choices(learned, k=rng.randint(5, 40)) for _ in range(2)]
            once = rng.sample(learned, 2) + rng.choices(few, k=rng.randint(20, ALIKE_TOKENS_MAX))
            rows.append((others[0] + once + others[1] + once, [0.0] * (len(others[0]) + len(once) + len(others[1]) + 2) + [0.5] * (len(once) - 2)))
        yield collate(rows)


def learning_rate(step: int, steps: int) -> float:
    """Return the factor of the learning rate: warm-up, constant, linear decay to zero."""
    return min((step + 1) / WARMUP_STEPS, 1.0, (steps - step) / (steps * (1 - DECAY_FROM)))


def optimizers(model: Llama) -> list[torch.optim.Optimizer]:
    """Use Muon for the matrices, Adam for the embedding, and Adam with a ten times higher rate for the norms, which also scale the logits."""
    named = list(model.named_parameters())
    matrices = [weight for name, weight in named if weight.ndim == 2 and "embd" not in name]
    embedding = [weight for name, weight in named if "embd" in name]
    norms = [weight for _, weight in named if weight.ndim == 1]
    # A rare token occasionally gets a large gradient; a short average of squared gradients would let the small ones in between dominate.
    adam = {"betas": (0.9, 0.999), "weight_decay": 0.0}
    return [torch.optim.Muon(matrices, lr=MUON_RATE, weight_decay=0.01, momentum=0.95), torch.optim.AdamW(embedding, lr=EMBEDDING_RATE, **adam), torch.optim.AdamW(norms, lr=NORM_RATE, **adam)]


def weighted_loss(model: Llama, batch: Batch, device: str) -> Tensor:
    inputs, chosen, aims = (part.to(device) for part in batch)
    with torch.autocast(device, torch.bfloat16):
        logits = model(inputs, chosen)
    losses = F.cross_entropy(logits.float(), aims[0].long(), reduction="none")
    return (losses * aims[1]).sum()


def step_batches(step: int, steps: int, streams: list[Iterator[Batch]], process: int, processes: int) -> list[Batch]:
    """Return the batches of this process for a step; the last process takes the long conversation."""
    short, long, copies, alike = streams
    batches = [next(short) for _ in range(BATCHES_PER_STEP // processes)]
    if process == processes - 1 and (step > steps * (1 - LONG_PHASE) or step % LONG_EVERY == 0):
        batches[-1] = next(long)
    if step < steps * COPY_PHASE:
        batches.append(next(copies))
    elif step % ALIKE_EVERY == 0 and step < steps * (1 - LONG_PHASE):
        batches.append(next(alike))
    return batches


def add_up(model: Llama, loss: float, weight: float, processes: int) -> float:
    """Reduce gradient sums over all processes to the gradient of the mean; return the mean loss."""
    totals = torch.tensor([loss, weight])
    gradients = [weights.grad for weights in model.parameters()]
    if processes > 1:
        flat = torch.cat([gradient.flatten() for gradient in gradients])
        distributed.all_reduce(flat)
        distributed.all_reduce(totals)
        for gradient, summed in zip(gradients, flat.split([gradient.numel() for gradient in gradients])):
            gradient.copy_(summed.view_as(gradient))
    for gradient in gradients:
        gradient.div_(totals[1].item())
    return (totals[0] / totals[1]).item()


def train(process: int, given: argparse.Namespace) -> None:
    torch.manual_seed(SEED)
    torch.set_num_threads(given.threads)
    steps, device, processes, saved = given.steps, given.device, given.processes, given.build / "checkpoint.pt"
    if processes > 1:
        distributed.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{given.port}", rank=process, world_size=processes)
    tokenizer = load_tokenizer(given.build / "tokenizer.json")
    model = Llama(Shape(vocabulary=tokenizer.get_vocab_size()))
    wire_copying(model)
    model.to(device)
    tuners = optimizers(model)
    step = load(saved, model, tuners, device) if saved.exists() else 0
    if process == 0:
        print(f"{sum(weight.numel() for weight in model.parameters()):,} parameters, from step {step} of {steps} on {device}", flush=True)
    stream = f"{SEED}/{process}/{step}"  # A resumed run continues with new conversations.
    streams = [short_batches(tokenizer, stream), long_batches(tokenizer, stream), copy_batches(tokenizer.get_vocab_size(), stream), alike_batches(tokenizer.get_vocab_size(), stream)]
    started, last_saved, recent, seen = time.monotonic(), time.monotonic(), [], 0
    while step < min(steps, given.stop_at):
        loss = weight = 0.0
        for batch in step_batches(step, steps, streams, process, processes):
            batch_loss = weighted_loss(model, batch, device)
            batch_loss.backward()
            loss, weight, seen = loss + batch_loss.item(), weight + batch[2][1].sum().item(), seen + batch[0].numel()
        recent.append(add_up(model, loss, weight, processes))
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for tuner, full in zip(tuners, (MUON_RATE, EMBEDDING_RATE, NORM_RATE)):
            tuner.param_groups[0]["lr"] = full * learning_rate(step, steps)
            tuner.step()
            tuner.zero_grad(set_to_none=True)
        step += 1
        if process == 0 and step % 20 == 0:
            print(f"step {step} loss {sum(recent[-20:]) / len(recent[-20:]):.4f} tokens since start {seen * processes / 1e6:.2f}M seconds {time.monotonic() - started:.0f}", flush=True)
        if process == 0 and (time.monotonic() - last_saved > 180 or step == min(steps, given.stop_at)):
            save(saved, model, tuners, step)
            last_saved = time.monotonic()


def load(path: Path, model: Llama, tuners: list[torch.optim.Optimizer], device: str) -> int:
    state = torch.load(path, map_location=device)
    model.load_state_dict(state["model"])
    for tuner, tuner_state in zip(tuners, state["tuners"]):
        tuner.load_state_dict(tuner_state)
    return state["step"]


def save(path: Path, model: Llama, tuners: list[torch.optim.Optimizer], step: int) -> None:
    """Write to a temporary file, then rename, so that an interruption leaves the last checkpoint intact."""
    partial = path.with_suffix(".partial")
    torch.save({"model": model.state_dict(), "tuners": [tuner.state_dict() for tuner in tuners], "step": step}, partial)
    partial.replace(path)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=6_000, help="length of the whole schedule")
    options.add_argument("--stop-at", type=int, default=10**9, help="stop after this step, to resume later")
    options.add_argument("--processes", type=int, default=1 if torch.cuda.is_available() else 2, help="number of processes that share each step: 1 or 2")
    options.add_argument("--threads", type=int, default=1, help="threads of each process")
    options.add_argument("--port", type=int, default=29_517, help="loopback port for communication between processes")
    options.add_argument("--build", type=Path, default=BUILD)
    options.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = options.parse_args()
    load_tokenizer(given.build / "tokenizer.json")
    if given.processes == 1:
        train(0, given)
    else:
        torch.multiprocessing.spawn(train, (given,), given.processes)


if __name__ == "__main__":
    main()
