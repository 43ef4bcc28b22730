"""Draw with the exported files: ONNX Runtime, DDIM, classifier-free guidance. The reference implementation for the files."""

import json
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer


class Pipeline:
    """The files of one folder, ready to draw."""

    def __init__(self, folder: Path, threads: int) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.text, self.unet, self.decoder = (onnxruntime.InferenceSession(folder / name / "model.onnx", options, providers=["CPUExecutionProvider"]) for name in ("text_encoder", "unet", "vae_decoder"))
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer/tokenizer.json"))
        noise = json.loads((folder / "scheduler/scheduler_config.json").read_text())
        betas = np.linspace(noise["beta_start"] ** 0.5, noise["beta_end"] ** 0.5, noise["num_train_timesteps"]) ** 2
        self.kept = np.cumprod(1 - betas)

    def hidden(self, captions: list[str]) -> np.ndarray:
        ids = np.array([encoded.ids for encoded in self.tokenizer.encode_batch(captions)], dtype=np.int64)
        return self.text.run(None, {"input_ids": ids})[0]

    def draw(self, captions: list[str], seed: int, steps: int = 20, guidance: float = 3.0, height: int = 16, width: int = 16) -> np.ndarray:
        """Draw images [n, 4·height, 4·width, 3] in 0…1; the arguments are sizes of the latent."""
        count = len(captions)
        words = np.concatenate((self.hidden([""] * count), self.hidden(captions)))
        latent = np.random.default_rng(seed).standard_normal((count, 4, height, width)).astype(np.float32)
        times = np.round(np.arange(len(self.kept), 0, -len(self.kept) / steps)).astype(np.int64) - 1
        for time, after in zip(times, [*times[1:], None]):
            without, told = np.split(self.unet.run(None, {"sample": np.concatenate((latent, latent)), "timestep": np.full(2 * count, time), "encoder_hidden_states": words})[0], 2)
            v = without + guidance * (told - without)
            kept, next_kept = self.kept[time], 1.0 if after is None else self.kept[after]
            clean, noise = kept**0.5 * latent - (1 - kept) ** 0.5 * v, kept**0.5 * v + (1 - kept) ** 0.5 * latent
            latent = (next_kept**0.5 * clean + (1 - next_kept) ** 0.5 * noise).astype(np.float32)
        return (self.decoder.run(None, {"latent_sample": latent})[0].transpose(0, 2, 3, 1) + 1) / 2
