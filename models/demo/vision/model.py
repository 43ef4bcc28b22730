"""A small LLaVA: a vision transformer and a two-layer projector, as llama.cpp's `clip` reads them, in front of a Llama."""

import importlib.util
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from questions import LOOKS, PATCH, SIDE

# The demo chat model's network. Loaded by its path, because both folders have a file of this name.
_chat = importlib.util.spec_from_file_location("chat_model", Path(__file__).parent.parent / "chat" / "model.py")
chat_model = importlib.util.module_from_spec(_chat)
_chat.loader.exec_module(chat_model)
Llama, Shape = chat_model.Llama, chat_model.Shape

TEXT = {"width": 128, "layers": 3, "heads": 4, "inner": 384, "context": 1024}


@dataclass(frozen=True)
class EyeShape:
    width: int = 128
    layers: int = 3
    heads: int = 4
    inner: int = 384
    epsilon: float = 1e-5

    @property
    def patches(self) -> int:
        return (SIDE // PATCH) ** 2


def gelu(x: Tensor) -> Tensor:
    """ggml's approximation."""
    return F.gelu(x, approximate="tanh")


class EyeBlock(nn.Module):
    def __init__(self, shape: EyeShape) -> None:
        super().__init__()
        width = shape.width
        self.heads = shape.heads
        self.ln1, self.ln2 = nn.LayerNorm(width, eps=shape.epsilon), nn.LayerNorm(width, eps=shape.epsilon)
        self.attn_q, self.attn_k, self.attn_v, self.attn_out = (nn.Linear(width, width) for _ in range(4))
        self.ffn_up, self.ffn_down = nn.Linear(width, shape.inner), nn.Linear(shape.inner, width)

    def forward(self, x: Tensor) -> Tensor:
        normed = self.ln1(x)
        query, key, value = (part(normed).unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in (self.attn_q, self.attn_k, self.attn_v))
        x = x + self.attn_out(F.scaled_dot_product_attention(query, key, value).transpose(1, 2).flatten(2))
        return x + self.ffn_down(gelu(self.ffn_up(self.ln2(x))))


class Eye(nn.Module):
    """Images [count, 3, SIDE, SIDE] in −1…1 → features [count, patches, width]."""

    def __init__(self, shape: EyeShape) -> None:
        super().__init__()
        self.patch_embd = nn.Conv2d(3, shape.width, PATCH, PATCH)
        self.position_embd = nn.Parameter(torch.randn(shape.patches, shape.width) * 0.02)
        self.blk = nn.ModuleList(EyeBlock(shape) for _ in range(shape.layers))
        self.post_ln = nn.LayerNorm(shape.width, eps=shape.epsilon)

    def forward(self, images: Tensor) -> Tensor:
        x = self.patch_embd(images).flatten(2).transpose(1, 2) + self.position_embd
        for block in self.blk:
            x = block(x)
        return self.post_ln(x)


class Llava(nn.Module):
    def __init__(self, vocabulary: int) -> None:
        super().__init__()
        shape = EyeShape()
        self.eye = Eye(shape)
        self.mm = nn.ModuleDict({"0": nn.Linear(shape.width, TEXT["width"]), "2": nn.Linear(TEXT["width"], TEXT["width"])})
        self.text = Llama(Shape(vocabulary=vocabulary, **TEXT))
        # Used in training only: which shape and which colour a patch shows.
        self.looks = nn.ModuleList(nn.Linear(shape.width, len(names)) for names in LOOKS)

    def embed(self, images: Tensor) -> tuple[Tensor, Tensor]:
        """Returns embeddings for the text model [count, patches, width] and the features that they were made from."""
        features = self.eye(images)
        return self.mm["2"](gelu(self.mm["0"](features))), features

    def forward(self, tokens: Tensor, embeddings: Tensor, chosen: Tensor) -> Tensor:
        """tokens [batch, length], −1 where the next row of `embeddings` [rows, width] goes → logits at the `chosen` flat positions."""
        length, is_image = tokens.shape[1], tokens < 0
        x = self.text.token_embd(tokens.clamp(min=0))
        if len(embeddings):
            x = x.masked_scatter(is_image[..., None], embeddings)
        for block in self.text.blk:
            x = block(x, self.text.cos[:length], self.text.sin[:length])
        return F.linear(self.text.output_norm(x.flatten(0, 1)[chosen]), self.text.token_embd.weight)
