"""The network: BERT's encoder with layer norm after each part, learned positions, no token types."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass(frozen=True)
class Shape:
    vocabulary: int
    width: int = 256
    layers: int = 4
    heads: int = 4
    feed_forward: int = 768
    context: int = 512


NORM_EPSILON = 1e-12
WORD_STD, POSITION_STD = 1.0, 0.1
HIDDEN = -1e4  # Added to the scores of padding.


class Layer(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.heads = shape.heads
        self.query, self.key, self.value, self.mixed = (nn.Linear(shape.width, shape.width) for _ in range(4))
        self.wide, self.narrow = nn.Linear(shape.width, shape.feed_forward), nn.Linear(shape.feed_forward, shape.width)
        self.attention_norm, self.output_norm = (nn.LayerNorm(shape.width, eps=NORM_EPSILON) for _ in range(2))

    def forward(self, hidden: Tensor, mask: Tensor) -> Tensor:
        batch, length, width = hidden.shape
        split = lambda part: part(hidden).view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        scores = split(self.query) @ split(self.key).transpose(-1, -2) / (width // self.heads) ** 0.5 + mask
        mixed = (scores.softmax(-1) @ split(self.value)).transpose(1, 2).reshape(batch, length, width)
        hidden = self.attention_norm(hidden + self.mixed(mixed))
        return self.output_norm(hidden + self.narrow(F.gelu(self.wide(hidden))))


class Encoder(nn.Module):
    """Map token ids and attention mask [batch, length] to [batch, length, width]."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.words = nn.Embedding(shape.vocabulary, shape.width)
        self.positions = nn.Embedding(shape.context, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=NORM_EPSILON)
        self.layers = nn.ModuleList([Layer(shape) for _ in range(shape.layers)])
        self.reset(shape)

    def reset(self, shape: Shape) -> None:
        """Initialize random word vectors, and layers close to the identity, so that the untrained mean of a text reflects its words."""
        nn.init.normal_(self.words.weight, std=WORD_STD)
        nn.init.normal_(self.positions.weight, std=POSITION_STD)
        for layer in self.layers:
            for part in (layer.query, layer.key, layer.value, layer.wide, layer.mixed, layer.narrow):
                nn.init.normal_(part.weight, std=0.5 * part.in_features**-0.5)
                nn.init.zeros_(part.bias)
            for part in (layer.mixed, layer.narrow):
                part.weight.data /= (2 * shape.layers) ** 0.5

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        positions = self.positions.weight[: input_ids.shape[1]]
        hidden = self.norm(self.words(input_ids) + positions)
        mask = (1.0 - attention_mask[:, None, None, :].to(hidden.dtype)) * HIDDEN
        for layer in self.layers:
            hidden = layer(hidden, mask)
        return hidden


def pool(hidden: Tensor, attention_mask: Tensor) -> Tensor:
    """Return the mean over tokens without padding: [batch, width]."""
    mask = attention_mask[:, :, None].to(hidden.dtype)
    return (hidden * mask).sum(1) / mask.sum(1)
