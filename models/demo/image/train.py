"""Train the demo image model from scratch: text encoder, decoder, then UNet and text encoder together; resumable."""

import argparse
import copy
import random
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model import Decoder, TextEncoder, UNet, to_latents
from scenes import COLOURS, KINDS, Scene, draw, random_scene
from tokenizer import LENGTH, build_tokenizer

BUILD = Path(__file__).parent / "build"
SEED, PICTURES, BATCH = 31, 40_000, 64
STEPS, BETA_START, BETA_END = 1_000, 0.00085, 0.02
NO_CAPTION_SHARE = 0.1
MUON_RATE, ADAM_RATE, WARMUP_STEPS, DECAY_FROM = 0.02, 0.002, 50, 0.3
COLOUR_NAMES = list(COLOURS)


def noise_shares() -> tuple[Tensor, Tensor]:
    """Return the share of image and of noise of each of the STEPS time steps ("scaled_linear" betas)."""
    betas = torch.linspace(BETA_START**0.5, BETA_END**0.5, STEPS, dtype=torch.float64) ** 2
    kept = torch.cumprod(1 - betas, 0)
    return kept.sqrt().float(), (1 - kept).sqrt().float()


def token_facts(scene: Scene) -> np.ndarray:
    """Return per token [LENGTH, 5]: colour, kind (-1: no object), x, y, radius of the described object."""
    facts = np.full((LENGTH, 5), -1, dtype=np.float32)
    row = 1  # After the start token; each word of these captions is one token.
    for text, index in scene.pieces:
        count = len(text.split())
        if index >= 0:
            part = scene.parts[index]
            facts[row : row + count] = (COLOUR_NAMES.index(part.colour), KINDS.index(part.kind), part.x, part.y, part.radius)
        row += count
    return facts


def make_data(build: Path) -> dict[str, Tensor]:
    """Return images [n, 64, 64, 3] in bytes, token ids, facts per token; generated once and cached in the build folder."""
    saved = build / "data.pt"
    if saved.exists():
        return torch.load(saved)
    rng, tokenizer = random.Random(SEED), build_tokenizer()
    scenes = [random_scene(rng) for _ in range(PICTURES)]
    pictures = np.stack([(draw(scene, rng) * 255 + 0.5).astype(np.uint8) for scene in scenes])
    ids = [encoded.ids for encoded in tokenizer.encode_batch([scene.caption for scene in scenes])]
    data = {"pictures": torch.from_numpy(pictures), "ids": torch.tensor(ids), "facts": torch.from_numpy(np.stack([token_facts(scene) for scene in scenes]))}
    data["latents"] = torch.cat([to_latents(as_picture(data["pictures"][at : at + 500])).half() for at in range(0, PICTURES, 500)])
    torch.save(data, saved)
    return data


def as_picture(pixels: Tensor) -> Tensor:
    """Bytes [n, h, w, 3] to [n, 3, h, w] in -1…1."""
    return (pixels.permute(0, 3, 1, 2).float() / 127.5 - 1).contiguous(memory_format=torch.channels_last)


class Facts(nn.Module):
    """Predicts the described object from each token's hidden state; used only to pretrain the text encoder."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.read = nn.Linear(width, len(COLOURS) + len(KINDS) + 3)

    def forward(self, hidden: Tensor, facts: Tensor) -> Tensor:
        told = facts[:, :, 0] >= 0
        guess, truth = self.read(hidden)[told].float(), facts[told]
        colour, kind, place = guess.split([len(COLOURS), len(KINDS), 3], 1)
        return F.cross_entropy(colour, truth[:, 0].long()) + F.cross_entropy(kind, truth[:, 1].long()) + 10 * F.mse_loss(place, truth[:, 2:])


class Run:
    """Training of one network: optimizers, a schedule by elapsed time, and checkpoints."""

    def __init__(self, name: str, network: nn.Module, minutes: float, build: Path) -> None:
        self.name, self.network, self.seconds_total, self.file = name, network, minutes * 60, build / f"{name}.pt"
        matrices = [weight for label, weight in network.named_parameters() if weight.ndim == 2 and "words" not in label and "places" not in label]
        others = [weight for label, weight in network.named_parameters() if weight.ndim != 2 or "words" in label or "places" in label]
        self.tuners: list[torch.optim.Optimizer] = [torch.optim.AdamW(others, lr=ADAM_RATE, betas=(0.9, 0.98), weight_decay=0.0)]
        if matrices:
            self.tuners.append(torch.optim.Muon(matrices, lr=MUON_RATE, weight_decay=0.01, momentum=0.95))
        self.rates = [ADAM_RATE, MUON_RATE]
        self.mean = copy.deepcopy(network)
        self.step, self.seconds, self.recent = 0, 0.0, []
        if self.file.exists():
            state = torch.load(self.file)
            network.load_state_dict(state["network"])
            self.mean.load_state_dict(state["mean"])
            for tuner, values in zip(self.tuners, state["tuners"]):
                tuner.load_state_dict(values)
            self.step, self.seconds = state["step"], state["seconds"]
        self.last_saved = time.monotonic()

    def share(self) -> float:
        """Return the factor of the learning rate: warm-up, constant, linear decay to zero."""
        return min((self.step + 1) / WARMUP_STEPS, 1.0, max(0.0, (1 - self.seconds / self.seconds_total) / (1 - DECAY_FROM)))

    def apply(self, loss: Tensor, started: float) -> None:
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        for tuner, rate in zip(self.tuners, self.rates):
            tuner.param_groups[0]["lr"] = rate * self.share()
            tuner.step()
            tuner.zero_grad(set_to_none=True)
        self.step += 1
        decay = min(0.995, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.mean.parameters()), list(self.network.parameters()), 1 - decay)
        self.recent.append(loss.item())
        self.seconds += time.monotonic() - started
        if self.step % 20 == 0:
            print(f"{self.name} step {self.step} loss {sum(self.recent[-50:]) / len(self.recent[-50:]):.4f} seconds {self.seconds:.0f}", flush=True)
        if time.monotonic() - self.last_saved > 60 or self.done():
            self.save()

    def done(self) -> bool:
        return self.seconds >= self.seconds_total

    def save(self) -> None:
        """Write to a temporary file, then rename, so that an interruption leaves the last checkpoint intact."""
        partial = self.file.with_suffix(".partial")
        torch.save({"network": self.network.state_dict(), "mean": self.mean.state_dict(), "tuners": [tuner.state_dict() for tuner in self.tuners], "step": self.step, "seconds": self.seconds}, partial)
        partial.replace(self.file)
        self.last_saved = time.monotonic()


def train_text(data: dict[str, Tensor], text: TextEncoder, minutes: float, build: Path) -> None:
    run = Run("text", nn.ModuleList([text, Facts(text.norm.normalized_shape[0])]), minutes, build)
    while not run.done():
        started, rows = time.monotonic(), torch.randint(0, PICTURES, (192,))
        with torch.autocast("cpu", torch.bfloat16):
            hidden = text(data["ids"][rows])
            loss = run.network[1](hidden, data["facts"][rows])
        run.apply(loss, started)


def train_decoder(data: dict[str, Tensor], minutes: float, build: Path) -> None:
    run = Run("decoder", Decoder().to(memory_format=torch.channels_last), minutes, build)
    while not run.done():
        started, rows = time.monotonic(), torch.randint(0, PICTURES, (32,))
        latents = data["latents"][rows].float()
        # Generated latents differ slightly from real ones; a little noise makes the decoder robust to this.
        latents += torch.randn_like(latents) * 0.06 * torch.rand(len(rows), 1, 1, 1)
        with torch.autocast("cpu", torch.bfloat16):
            drawn = run.network(latents.contiguous(memory_format=torch.channels_last))
        off = drawn.float() - as_picture(data["pictures"][rows])
        run.apply(off.abs().mean() + 2 * off.square().mean(), started)


def train_unet(data: dict[str, Tensor], text: TextEncoder, minutes: float, build: Path) -> None:
    run = Run("unet", nn.ModuleList([UNet().to(memory_format=torch.channels_last), text]), minutes, build)
    kept, noised = noise_shares()
    nothing = torch.tensor(build_tokenizer().encode("").ids)
    unet, text = run.network
    while not run.done():
        started, rows = time.monotonic(), torch.randint(0, PICTURES, (BATCH,))
        ids = data["ids"][rows]
        ids[torch.rand(BATCH) < NO_CAPTION_SHARE] = nothing
        latents = data["latents"][rows].float().contiguous(memory_format=torch.channels_last)
        noise, when = torch.randn_like(latents), torch.randint(0, STEPS, (BATCH,))
        signal, spread = kept[when].view(-1, 1, 1, 1), noised[when].view(-1, 1, 1, 1)
        with torch.autocast("cpu", torch.bfloat16):
            guess = unet(signal * latents + spread * noise, when, text(ids))
        run.apply(F.mse_loss(guess.float(), signal * noise - spread * latents), started)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--text-minutes", type=float, default=2)
    options.add_argument("--decoder-minutes", type=float, default=6)
    options.add_argument("--unet-minutes", type=float, default=60)
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("--build", type=Path, default=BUILD)
    given = options.parse_args()
    given.build.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(given.threads)
    torch.manual_seed(time.time_ns() if (given.build / "unet.pt").exists() else SEED)  # A resumed run uses different noise.
    data = make_data(given.build)
    text = TextEncoder(build_tokenizer().get_vocab_size(), LENGTH)
    train_text(data, text, given.text_minutes, given.build)
    train_decoder(data, given.decoder_minutes, given.build)
    train_unet(data, text, given.unet_minutes, given.build)


if __name__ == "__main__":
    main()
