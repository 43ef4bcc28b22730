"""Train the demo vision model from scratch: all parts together, with new images in every step and resumable checkpoints."""

import argparse
import random
import time
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional as F

from model import EyeShape, Llava
from questions import IMAGE, Talk, conversation, paint, patch_looks, render
from tokens import load_tokenizer

BUILD = Path(__file__).parent / "build"
SEED = 11
CONVERSATIONS = 40  # Per step.
LOOKS_WEIGHT = 0.5
WARMUP_STEPS, DECAY_FROM = 40, 0.5
MUON_RATE, OTHER_RATE = 0.012, 0.002
SAVE_EVERY = 100


def pixels(images: list[np.ndarray]) -> Tensor:
    """Bytes → [count, 3, side, side] in −1…1, as llama.cpp scales with mean and deviation 0.5."""
    return torch.from_numpy(np.stack(images)).permute(0, 3, 1, 2).float() / 127.5 - 1


def encode(tokenizer: Tokenizer, talk: Talk) -> tuple[list[int], list[bool]]:
    """Token ids, −1 for each patch of an image, and whether each is a target."""
    ids: list[int] = []
    own: list[bool] = []
    for text, is_own in render(talk):
        for index, part in enumerate(text.split(IMAGE)):
            new = ([-1] * EyeShape().patches if index else []) + tokenizer.encode(part, add_special_tokens=False).ids
            ids += new
            own += [is_own] * len(new)
    return ids, own


def make_batch(tokenizer: Tokenizer, rng: random.Random) -> tuple[Tensor, ...]:
    talks = [conversation(rng) for _ in range(CONVERSATIONS)]
    rows = [encode(tokenizer, talk) for talk in talks]
    longest = max(len(ids) for ids, _ in rows) - 1
    tokens = torch.zeros(len(rows), longest, dtype=torch.long)
    chosen, targets = [], []
    for row, (ids, own) in enumerate(rows):
        tokens[row, : len(ids) - 1] = torch.tensor(ids[:-1])
        for column in range(1, len(ids)):
            if own[column]:
                chosen.append(row * longest + column - 1)
                targets.append(ids[column])
    shown = [scene for talk in talks for scene in talk.images]
    looks = torch.from_numpy(np.stack([patch_looks(scene) for scene in shown]))
    return tokens, pixels([paint(scene, rng) for scene in shown]), torch.tensor(chosen), torch.tensor(targets), looks


def learning_rate(step: int, steps: int) -> float:
    return min((step + 1) / WARMUP_STEPS, 1.0, (steps - step) / (steps * (1 - DECAY_FROM)))


def optimizers(model: Llava) -> list[torch.optim.Optimizer]:
    named = list(model.named_parameters())
    is_matrix = {name: weight.ndim == 2 and "embd" not in name and "looks" not in name for name, weight in named}
    matrices = [weight for name, weight in named if is_matrix[name]]
    others = [weight for name, weight in named if not is_matrix[name]]
    return [torch.optim.Muon(matrices, lr=MUON_RATE, weight_decay=0.01), torch.optim.AdamW(others, lr=OTHER_RATE, weight_decay=0.0)]


def train(given: argparse.Namespace) -> None:
    torch.manual_seed(SEED)
    torch.set_num_threads(given.threads)
    saved = given.build / "checkpoint.pt"
    tokenizer = load_tokenizer(given.build / "tokenizer.json")
    model = Llava(tokenizer.get_vocab_size())
    tuners = optimizers(model)
    step = 0
    if saved.exists():
        state = torch.load(saved)
        model.load_state_dict(state["model"])
        for tuner, tuner_state in zip(tuners, state["tuners"]):
            tuner.load_state_dict(tuner_state)
        step = state["step"]
    rng = random.Random(f"{SEED}/{step}")
    print(f"{sum(weight.numel() for weight in model.parameters()):,} parameters, from step {step} of {given.steps}", flush=True)
    started, recent = time.monotonic(), []
    while step < given.steps:
        tokens, images, chosen, targets, looks = make_batch(tokenizer, rng)
        embeddings, features = model.embed(images)
        logits = model(tokens, embeddings.flatten(0, 1), chosen)
        text_loss = F.cross_entropy(logits, targets)
        looks_loss = sum(F.cross_entropy(head(features).flatten(0, 1), looks[:, index].flatten()) for index, head in enumerate(model.looks))
        (text_loss + LOOKS_WEIGHT * looks_loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for tuner, full in zip(tuners, (MUON_RATE, OTHER_RATE)):
            tuner.param_groups[0]["lr"] = full * learning_rate(step, given.steps)
            tuner.step()
            tuner.zero_grad(set_to_none=True)
        recent.append((text_loss.item(), looks_loss.item(), (logits.argmax(-1) == targets).float().mean().item()))
        step += 1
        if step % 20 == 0:
            text, patches, right = np.mean(recent[-20:], axis=0)
            print(f"step {step} loss {text:.4f} patches {patches:.4f} tokens right {right:.3f} seconds {time.monotonic() - started:.0f}", flush=True)
        if step % SAVE_EVERY == 0 or step == given.steps:
            partial = saved.with_suffix(".partial")
            torch.save({"model": model.state_dict(), "tuners": [tuner.state_dict() for tuner in tuners], "step": step}, partial)
            partial.replace(saved)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=1_500)
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("--build", type=Path, default=BUILD)
    train(options.parse_args())
