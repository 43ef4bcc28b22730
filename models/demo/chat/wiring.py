"""A first setting of the weights that can already copy: look for the last place where this token stood, and say what followed.

Left to itself a model of this size needs far more text than this corpus run to find that circuit (two attention layers, one
reading what the other wrote). Here it is laid down by hand before training starts; training then keeps it, sharpens it and builds on it.
"""

import torch
from torch import Tensor, nn

CONTENT = slice(0, 160)  # The current token: the part that the output matrix, tied to the embedding, reads.
BEFORE = slice(160, 224)  # The previous token: written by the first layer, zero in the embedding.
ALWAYS = 255  # Equal for every token, so that attention can depend on position only.
NEIGHBOUR_PAIRS = 12  # Fast rotary pairs distinguish adjacent positions.
SLOW_PAIRS = slice(16, 32)  # Slow rotary pairs hardly rotate within a text, so they can compare content.


def directions(count: int, width: int, generator: torch.Generator) -> Tensor:
    """`count` orthonormal rows [count, width]."""
    return nn.init.orthogonal_(torch.empty(count, width), generator=generator)


@torch.no_grad()
def wire_copying(model: nn.Module, seed: int = 0) -> None:
    shape = model.shape
    size, generator = shape.head_width, torch.Generator().manual_seed(seed)
    embedding = model.token_embd.weight
    embedding.zero_()
    embedding[:, CONTENT].normal_(std=shape.width**-0.5, generator=generator)
    embedding[:, ALWAYS] = 0.4
    model.output_norm.weight.fill_(1.5)
    for block in model.blk:
        for matrix in (block.attn_output.weight, block.ffn_down.weight):
            matrix.normal_(std=0.002, generator=generator)
    named = directions(64, 160, generator)
    look_at_the_token_before(model.blk[0], size, shape.rope_base, named)
    find_the_last_time(model.blk[1], size, named, generator)


def look_at_the_token_before(block: nn.Module, size: int, rope_base: float, named: Tensor) -> None:
    """Head 0: queries and keys that agree one position apart; the value, 64 numbers naming the token, goes to BEFORE."""
    head = slice(0, size)
    for matrix in (block.attn_q.weight, block.attn_k.weight, block.attn_v.weight):
        matrix[head] = 0
    for pair in range(NEIGHBOUR_PAIRS):
        turn = torch.tensor(rope_base ** (-2 * pair / size))
        block.attn_q.weight[2 * pair, ALWAYS] = 1.2
        block.attn_k.weight[2 * pair, ALWAYS] = 1.2 * turn.cos()
        block.attn_k.weight[2 * pair + 1, ALWAYS] = 1.2 * turn.sin()
    block.attn_v.weight[head, CONTENT] = named
    block.attn_output.weight[:, head] = 0
    block.attn_output.weight[BEFORE, head] = 0.08 * torch.eye(size)


def find_the_last_time(block: nn.Module, size: int, named: Tensor, generator: torch.Generator) -> None:
    """Heads 0 and 1: the query names this token, the key the token before it; the value, the token itself, goes to the output."""
    copied = directions(2 * size, 160, generator)
    for index in range(2):
        rows = slice(index * size, (index + 1) * size)
        block.attn_q.weight[rows] = 0
        block.attn_k.weight[rows] = 0
        for nth, dimension in enumerate(range(2 * SLOW_PAIRS.start, 2 * SLOW_PAIRS.stop)):
            block.attn_q.weight[index * size + dimension, CONTENT] = 1.5 * named[32 * index + nth]
            block.attn_k.weight[index * size + dimension, BEFORE.start + 32 * index + nth] = 1.5
        block.attn_v.weight[rows] = 0
        block.attn_v.weight[rows, CONTENT] = copied[rows]
        block.attn_output.weight[:, rows] = 0
        block.attn_output.weight[CONTENT, rows] = 0.2 * copied[rows].T
