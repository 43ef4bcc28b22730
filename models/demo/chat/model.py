"""A small Llama: RMSNorm, rotary positions on neighbouring pairs (as in llama.cpp's `llama` graph), SwiGLU, tied embeddings."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass(frozen=True)
class Shape:
    vocabulary: int = 4096
    width: int = 256
    layers: int = 6
    heads: int = 4
    inner: int = 768
    context: int = 4096
    rope_base: float = 10_000.0
    epsilon: float = 1e-5

    @property
    def head_width(self) -> int:
        return self.width // self.heads


def rotary_table(shape: Shape) -> tuple[Tensor, Tensor]:
    """Cosines and sines, each [context, head_width / 2]."""
    frequency = shape.rope_base ** (-torch.arange(0, shape.head_width, 2) / shape.head_width)
    angle = torch.outer(torch.arange(shape.context), frequency)
    return angle.cos(), angle.sin()


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotate each pair (2i, 2i+1) of x [batch, heads, length, head_width] by the angle of its position."""
    even, odd = x.float().unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2).to(x.dtype)


def attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Causal attention. On a CPU, plain products are a fifth faster than the fused kernel for short sequences."""
    length = query.shape[2]
    if query.is_cuda or length > 512:
        return F.scaled_dot_product_attention(query, key, value, is_causal=True)
    scores = (query * query.shape[-1] ** -0.5) @ key.transpose(-1, -2)
    later = torch.ones(length, length, dtype=torch.bool).triu(1)
    return scores.masked_fill(later, -1e4).softmax(-1).to(value.dtype) @ value


class Block(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width, inner = shape.width, shape.inner
        self.heads = shape.heads
        self.attn_norm = nn.RMSNorm(width, eps=shape.epsilon)
        self.attn_q = nn.Linear(width, width, bias=False)
        self.attn_k = nn.Linear(width, width, bias=False)
        self.attn_v = nn.Linear(width, width, bias=False)
        self.attn_output = nn.Linear(width, width, bias=False)
        self.ffn_norm = nn.RMSNorm(width, eps=shape.epsilon)
        self.ffn_gate = nn.Linear(width, inner, bias=False)
        self.ffn_up = nn.Linear(width, inner, bias=False)
        self.ffn_down = nn.Linear(inner, width, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        normed = self.attn_norm(x)
        query, key, value = (part(normed).unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in (self.attn_q, self.attn_k, self.attn_v))
        mixed = attend(rotate(query, cos, sin), rotate(key, cos, sin), value)
        x = x + self.attn_output(mixed.transpose(1, 2).flatten(2))
        normed = self.ffn_norm(x)
        return x + self.ffn_down(F.silu(self.ffn_gate(normed)) * self.ffn_up(normed))


class Llama(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.token_embd = nn.Embedding(shape.vocabulary, shape.width)
        self.blk = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.output_norm = nn.RMSNorm(shape.width, eps=shape.epsilon)
        cos, sin = rotary_table(shape)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)
        self.initialise()

    def initialise(self) -> None:
        """The embedding is also the output matrix: smaller, and no logit could be large enough at this width."""
        for name, weight in self.named_parameters():
            if weight.ndim == 2:
                nn.init.normal_(weight, std=0.02 if "ffn_down" in name else self.shape.width**-0.5)

    def forward(self, tokens: Tensor, chosen: Tensor | None = None) -> Tensor:
        """tokens [batch, length] → logits [batch, length, vocabulary], or [count, vocabulary] at the `chosen` flat positions."""
        length = tokens.shape[1]
        x = self.token_embd(tokens)
        for block in self.blk:
            x = block(x, self.cos[:length], self.sin[:length])
        if chosen is not None:
            x = x.flatten(0, 1)[chosen]
        return F.linear(self.output_norm(x), self.token_embd.weight)
