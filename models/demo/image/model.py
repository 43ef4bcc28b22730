"""The three networks (text encoder, UNet, decoder), and the fixed conversion of an image to its latent."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

LATENTS, CELL = 4, 4  # Channels of a latent, and side of a latent cell in pixels.
TEXT_WIDTH, WIDE, NARROW, HEADS = 128, 128, 48, 4
# Mean and standard deviation of the four channels over the training images.
MEANS, SPREADS = (0.4, 0.4, 0.4, 0.05), (0.7, 0.7, 0.7, 0.13)


def to_latents(pictures: Tensor) -> Tensor:
    """[batch, 3, h, w] in -1…1 to [batch, 4, h/4, w/4]: the mean colour of each cell and how much its brightness varies."""
    colour = F.avg_pool2d(pictures, CELL)
    brightness = pictures.mean(1, keepdim=True)
    spread = (F.avg_pool2d(brightness**2, CELL) - F.avg_pool2d(brightness, CELL) ** 2).clamp(min=0).sqrt()
    means, spreads = (torch.tensor(values).view(1, LATENTS, 1, 1) for values in (MEANS, SPREADS))
    return (torch.cat((colour, spread), 1) - means) / spreads


class Attention(nn.Module):
    """Multi-head attention of `x` [batch, n, width] over `source` [batch, m, source_width]."""

    def __init__(self, width: int, source_width: int) -> None:
        super().__init__()
        self.query, self.out = nn.Linear(width, width, bias=False), nn.Linear(width, width)
        self.keys_values = nn.Linear(source_width, 2 * width, bias=False)

    def forward(self, x: Tensor, source: Tensor, mask: Tensor | None = None) -> Tensor:
        width = x.shape[2]
        query, key, value = (part.unflatten(2, (HEADS, width // HEADS)).transpose(1, 2) for part in (self.query(x), *self.keys_values(source).chunk(2, 2)))
        # Written out: at these sizes faster to train on a CPU than the fused function.
        scores = (query * (width // HEADS) ** -0.5) @ key.transpose(2, 3)
        shares = (scores if mask is None else scores + mask).softmax(3)
        return self.out((shares.to(value.dtype) @ value).transpose(1, 2).flatten(2))


class Block(nn.Module):
    """Transformer block: self-attention, cross-attention to the text if there is one, and a feed-forward layer."""

    def __init__(self, width: int, text_width: int | None = None) -> None:
        super().__init__()
        self.norms = nn.ModuleList([nn.LayerNorm(width) for _ in range(3)])
        self.own = Attention(width, width)
        self.text = Attention(width, text_width) if text_width else None
        self.inner, self.outer = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: Tensor, text: Tensor | None = None, mask: Tensor | None = None) -> Tensor:
        normed = self.norms[0](x)
        x = x + self.own(normed, normed, mask)
        if self.text is not None:
            x = x + self.text(self.norms[1](x), text)
        return x + self.outer(F.silu(self.inner(self.norms[2](x))))


class TextEncoder(nn.Module):
    """Token ids [batch, tokens] to hidden states [batch, tokens, TEXT_WIDTH]; padding gives zeros and is masked."""

    def __init__(self, vocabulary: int, tokens: int, layers: int = 2) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(vocabulary, TEXT_WIDTH), nn.Embedding(tokens, TEXT_WIDTH)
        nn.init.normal_(self.words.weight, std=0.5)
        nn.init.normal_(self.places.weight, std=0.2)
        self.blocks = nn.ModuleList([Block(TEXT_WIDTH) for _ in range(layers)])
        self.norm = nn.LayerNorm(TEXT_WIDTH)

    def forward(self, input_ids: Tensor) -> Tensor:
        real = input_ids != 0
        mask = torch.zeros_like(input_ids, dtype=torch.float32).masked_fill(~real, -1e4)[:, None, None, :]
        x = self.words(input_ids) + self.places.weight[None]
        for block in self.blocks:
            x = block(x, mask=mask.to(x.dtype))
        return self.norm(x) * real[:, :, None]


class ResBlock(nn.Module):
    """Two convolutions; the condition [batch, WIDE] scales and shifts between them."""

    def __init__(self, channels_in: int, channels: int, conditioned: bool = True) -> None:
        super().__init__()
        self.norm_in, self.norm_out = nn.GroupNorm(8, channels_in), nn.GroupNorm(8, channels)
        self.conv_in, self.conv_out = nn.Conv2d(channels_in, channels, 3, padding=1), nn.Conv2d(channels, channels, 3, padding=1)
        self.condition = nn.Linear(WIDE, 2 * channels) if conditioned else None
        self.skip = nn.Conv2d(channels_in, channels, 1) if channels_in != channels else nn.Identity()

    def forward(self, x: Tensor, condition: Tensor | None = None) -> Tensor:
        hidden = self.norm_out(self.conv_in(F.silu(self.norm_in(x))))
        if self.condition is not None:
            scale, shift = self.condition(condition)[:, :, None, None].chunk(2, 1)
            hidden = hidden * (1 + scale) + shift
        return self.skip(x) + self.conv_out(F.silu(hidden))


class UNet(nn.Module):
    """Predicts v from a noised latent [batch, 4, h, w] (h and w even), a time step [batch] and the text's hidden states."""

    def __init__(self, layers: int = 5) -> None:
        super().__init__()
        self.conv_in = nn.Conv2d(LATENTS + 2, NARROW, 3, padding=1)
        self.time = nn.Sequential(nn.Linear(64, WIDE), nn.SiLU(), nn.Linear(WIDE, WIDE))
        self.summary = nn.Linear(TEXT_WIDTH, WIDE)
        self.fine_in = ResBlock(NARROW, NARROW)
        self.down = nn.Conv2d(NARROW + 2, WIDE, 2, stride=2)
        self.coarse_in = ResBlock(WIDE, WIDE)
        self.blocks = nn.ModuleList([Block(WIDE, TEXT_WIDTH) for _ in range(layers)])
        self.coarse_out = ResBlock(WIDE, WIDE)
        self.up = nn.Conv2d(WIDE, 4 * NARROW, 1)
        self.fine_out = ResBlock(2 * NARROW, NARROW)
        self.norm, self.conv_out = nn.GroupNorm(8, NARROW), nn.Conv2d(NARROW, LATENTS, 3, padding=1)
        nn.init.zeros_(self.conv_out.weight)
        for block in self.blocks:
            nn.init.normal_(block.outer.weight, std=0.01)
        frequencies = torch.exp(-torch.arange(32) * (torch.log(torch.tensor(10_000.0)) / 32))
        self.register_buffer("frequencies", frequencies, persistent=False)

    def forward(self, sample: Tensor, timestep: Tensor, encoder_hidden_states: Tensor) -> Tensor:
        # Position of a cell, from -1 to 1 for any shape, so that "above" and "left" extend to the edges of a wide image.
        ones = torch.ones_like(sample[:, :1])
        across, down = ones.cumsum(3), ones.cumsum(2)
        where = torch.cat(((across - 0.5) / across[:, :, :, -1:], (down - 0.5) / down[:, :, -1:]), 1) * 2 - 1
        angles = timestep.float()[:, None] * self.frequencies[None]
        time = self.time(torch.cat((angles.cos(), angles.sin()), 1)) + self.summary(encoder_hidden_states[:, 0])
        time = F.silu(time)
        fine = self.fine_in(self.conv_in(torch.cat((sample, where.to(sample.dtype)), 1)), time)
        coarse = self.coarse_in(self.down(torch.cat((fine, where.to(fine.dtype)), 1)), time)
        height, width = coarse.shape[2], coarse.shape[3]
        tokens = coarse.flatten(2).transpose(1, 2)
        for block in self.blocks:
            tokens = block(tokens, encoder_hidden_states)
        coarse = self.coarse_out(tokens.transpose(1, 2).reshape(-1, WIDE, height, width), time)
        fine = self.fine_out(torch.cat((F.pixel_shuffle(self.up(coarse), 2), fine), 1), time)
        return self.conv_out(F.silu(self.norm(fine)))


class Decoder(nn.Module):
    """Latent [batch, 4, h, w] to picture [batch, 3, 4h, 4w] in -1…1."""

    def __init__(self, width: int = 96, layers: int = 3) -> None:
        super().__init__()
        self.conv_in = nn.Conv2d(LATENTS, width, 3, padding=1)
        self.blocks = nn.ModuleList([ResBlock(width, width, conditioned=False) for _ in range(layers)])
        self.up = nn.Conv2d(width, 16 * CELL * CELL, 1)
        self.sharpen, self.conv_out = nn.Conv2d(16, 16, 3, padding=1), nn.Conv2d(16, 3, 3, padding=1)
        self.register_buffer("means", torch.tensor(MEANS).view(1, LATENTS, 1, 1), persistent=False)
        self.register_buffer("spreads", torch.tensor(SPREADS).view(1, LATENTS, 1, 1), persistent=False)

    def forward(self, latent_sample: Tensor) -> Tensor:
        x = self.conv_in(latent_sample)
        for block in self.blocks:
            x = block(x)
        x = F.pixel_shuffle(self.up(x), CELL)
        detail = self.conv_out(F.silu(self.sharpen(F.silu(x))))
        # The mean colour of a cell is already correct in uniform areas; the network adds the edges.
        colour = (latent_sample * self.spreads + self.means)[:, :3]
        picture = F.interpolate(colour, scale_factor=CELL, mode="nearest") + detail
        return picture if self.training else picture.clamp(-1, 1)
