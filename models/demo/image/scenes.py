"""The training data: captions and their images of shapes, colours and simple landscapes."""

import random
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

SIDE = 64  # Pixels of a picture.
FINE = 3  # Each pixel is the mean of this many squared samples, which smooths the edges.

COLOURS = {
    "red": (0.88, 0.10, 0.12), "orange": (1.0, 0.55, 0.05), "yellow": (0.98, 0.88, 0.10), "green": (0.13, 0.62, 0.20),
    "blue": (0.12, 0.30, 0.88), "purple": (0.50, 0.14, 0.65), "pink": (1.0, 0.55, 0.75), "brown": (0.45, 0.26, 0.10),
    "black": (0.05, 0.05, 0.06), "white": (1.0, 1.0, 1.0), "gray": (0.55, 0.55, 0.56),
}
SHAPES = ["circle", "square", "triangle", "star", "ring", "cross"]
THINGS = ["hill", "sea", "sun", "moon", "stars", "house", "roof", "tree", "boat"]
KINDS = SHAPES + THINGS
SKIES = {"day": (0.62, 0.84, 0.98), "night": (0.05, 0.07, 0.25)}
RELATIONS = {
    "above": ["above", "over"], "below": ["below", "under"],
    "left": ["left of", "to the left of"], "right": ["right of", "to the right of"],
}
PLACES = {"left": ("on the left", 0.25, 0.5), "right": ("on the right", 0.75, 0.5), "top": ("at the top", 0.5, 0.25), "bottom": ("at the bottom", 0.5, 0.75)}
# Held out of training in any scene: each colour and each shape occurs, but not in this combination.
HELD_OUT_LOOKS = {("purple", "star"), ("orange", "ring"), ("green", "cross"), ("pink", "triangle"), ("blue", "circle"), ("brown", "square")}

Mask = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass
class Part:
    """One object in an image; position and radius relative to the side."""

    kind: str
    colour: str
    x: float
    y: float
    radius: float


@dataclass
class Scene:
    """A caption in pieces, each with the index of the described part or -1, and the parts to draw."""

    pieces: list[tuple[str, int]]
    parts: list[Part]
    background: str
    group: str
    relation: str | None = None
    drawn: list[Part] = field(default_factory=list)

    @property
    def caption(self) -> str:
        return " ".join(text for text, _ in self.pieces)


def star(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    angle = np.abs((np.arctan2(x, -y) + np.pi / 5) % (2 * np.pi / 5) - np.pi / 5)
    length = np.hypot(x, y)
    inner = 0.42  # The straight edge runs from the tip (1, 0) to the notch at 36 degrees.
    notch_x, notch_y = inner * np.cos(np.pi / 5), inner * np.sin(np.pi / 5)
    return length * np.cos(angle) + length * np.sin(angle) * (1 - notch_x) / notch_y < 1


MASKS: dict[str, Mask] = {
    "circle": lambda x, y: x * x + y * y < 1,
    "square": lambda x, y: (np.abs(x) < 0.88) & (np.abs(y) < 0.88),
    "triangle": lambda x, y: (y < 0.85) & (np.abs(x) < (y + 1) * 0.54),
    "star": star,
    "ring": lambda x, y: (x * x + y * y < 1) & (x * x + y * y > 0.3),
    "cross": lambda x, y: (np.maximum(np.abs(x), np.abs(y)) < 0.95) & (np.minimum(np.abs(x), np.abs(y)) < 0.3),
    "hill": lambda x, y: x * x + y * y < 1,
    "sea": lambda x, y: y > -1,
    "sun": lambda x, y: x * x + y * y < 1,
    "moon": lambda x, y: (x * x + y * y < 1) & ((x - 0.55) ** 2 + (y + 0.2) ** 2 > 0.7),
    "house": lambda x, y: (np.abs(x) < 0.8) & (y > -0.1) & (y < 1),
    "roof": lambda x, y: (y < 0) & (np.abs(x) < (y + 1) * 1.05),
    "trunk": lambda x, y: (np.abs(x) < 0.16) & (y > 0) & (y < 1),
    "tree": lambda x, y: x * x * 1.9 + (y + 0.3) ** 2 * 2 < 1,
    "boat": lambda x, y: (y > 0.2) & (y < 0.75) & (np.abs(x) < 1.2 - y * 0.7),
    "sail": lambda x, y: (y < 0.1) & (y > -1) & (x > -0.1) & (x < (y + 1) * 0.7),
}


def paint(canvas: np.ndarray, kind: str, colour: tuple[float, ...], x: float, y: float, radius: float) -> None:
    """Blend one shape into the image [SIDE, SIDE, 3]; changes only the square around it."""
    reach = radius * (1.0 if kind not in ("sea", "boat", "roof") else 1.2)
    x0, x1 = max(0, int((x - reach) * SIDE)), min(SIDE, int((x + reach) * SIDE) + 2)
    y0, y1 = max(0, int((y - reach) * SIDE)), min(SIDE, int((y + reach) * SIDE) + 2)
    if x0 >= x1 or y0 >= y1:
        return
    across = ((np.arange(x0 * FINE, x1 * FINE) + 0.5) / (FINE * SIDE) - x) / radius
    down = ((np.arange(y0 * FINE, y1 * FINE) + 0.5) / (FINE * SIDE) - y) / radius
    inside = MASKS[kind](across[None, :].astype(np.float32), down[:, None].astype(np.float32))
    inside = np.broadcast_to(inside, (down.size, across.size))
    share = inside.reshape(y1 - y0, FINE, x1 - x0, FINE).mean(axis=(1, 3), dtype=np.float32)[..., None]
    window = canvas[y0:y1, x0:x1]
    window += share * (np.asarray(colour, dtype=np.float32) - window)


def draw(scene: Scene, rng: random.Random) -> np.ndarray:
    """Return the image [SIDE, SIDE, 3] in 0…1; colours vary slightly."""

    def shade(colour: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(min(1.0, max(0.0, channel + rng.uniform(-0.03, 0.03))) for channel in colour)

    ground = SKIES[scene.background] if scene.background in SKIES else COLOURS[scene.background]
    canvas = np.empty((SIDE, SIDE, 3), dtype=np.float32)
    canvas[:] = ground if scene.background == "white" else shade(ground)
    for part in scene.drawn or scene.parts:
        if part.kind == "stars":
            for _ in range(7):
                paint(canvas, "star", shade(COLOURS[part.colour]), rng.uniform(0.05, 0.95), rng.uniform(0.05, 0.45), 0.045)
            continue
        if part.kind == "tree":
            paint(canvas, "trunk", shade(COLOURS["brown"]), part.x, part.y, part.radius)
        if part.kind == "boat":
            paint(canvas, "sail", COLOURS["white"], part.x, part.y, part.radius)
        paint(canvas, part.kind, shade(COLOURS[part.colour]), part.x, part.y, part.radius)
    return canvas


def phrase(*words: str) -> str:
    text = " ".join(word for word in words if word)
    return ("an " if text[0] in "aeiou" else "a ") + text


def is_held_out(*facts: str) -> bool:
    """Hold one combination in eight out of training."""
    return zlib.crc32(" ".join(facts).encode()) % 8 == 0


def pick_look(rng: random.Random, avoid: set[str], held_out: bool | None) -> tuple[str, str]:
    while True:
        colour, shape = rng.choice([name for name in COLOURS if name not in avoid]), rng.choice(SHAPES)
        if held_out is None or ((colour, shape) in HELD_OUT_LOOKS) == held_out:
            return colour, shape


def backdrop(rng: random.Random) -> tuple[str, list[tuple[str, int]]]:
    if rng.random() < 0.7:
        return "white", []
    colour = rng.choice([name for name in COLOURS if name != "white"])
    return colour, [(f"on {phrase(colour)} background", -1)]


def single(rng: random.Random, held_out: bool = False) -> Scene:
    """One shape; if held out, with a colour that this shape never has in training."""
    background, behind = backdrop(rng)
    colour, shape = pick_look(rng, {background}, held_out)
    size = rng.choice(["", "", "small", "large"])
    place, x, y = rng.choice([*PLACES.values(), *[("", 0.5, 0.5)] * 4])
    radius = {"small": 0.14, "": 0.20, "large": 0.24 if place else 0.32}[size] * rng.uniform(0.93, 1.07)
    part = Part(shape, colour, x + rng.uniform(-0.03, 0.03), y + rng.uniform(-0.03, 0.03), radius)
    pieces = [(phrase(size, colour, shape), 0)] + ([(place, 0)] if place else []) + behind
    return Scene(pieces, [part], background, "one shape, new colour" if held_out else "one shape")


def pair(rng: random.Random, held_out: bool = False) -> Scene:
    """Two shapes, next to or above each other; if held out, a combination that never occurs in training."""
    while True:
        background, behind = backdrop(rng)
        first = pick_look(rng, {background}, False)
        second = pick_look(rng, {background, first[0]}, False)
        relation = rng.choice(list(RELATIONS))
        if is_held_out(*first, relation, *second) == held_out:
            break
    sizes = [rng.choice(["", "", "small", "large"]) for _ in range(2)]
    sign = -1 if relation in ("above", "left") else 1
    parts = []
    for (colour, shape), size, side in zip((first, second), sizes, (sign, -sign)):
        along, across = 0.5 + side * rng.uniform(0.22, 0.25), 0.5 + rng.uniform(-0.06, 0.06)
        x, y = (across, along) if relation in ("above", "below") else (along, across)
        parts.append(Part(shape, colour, x, y, {"small": 0.13, "": 0.18, "large": 0.22}[size] * rng.uniform(0.93, 1.05)))
    (colour_a, shape_a), (colour_b, shape_b) = first, second
    pieces = [(phrase(sizes[0], colour_a, shape_a), 0), (rng.choice(RELATIONS[relation]), -1), (phrase(sizes[1], colour_b, shape_b), 1)]
    return Scene(pieces + behind, parts, background, "two shapes", relation)


def landscape(rng: random.Random) -> Scene:
    """A hill or the sea, a sun or a moon, and perhaps a house, a tree or a boat."""
    night = rng.random() < 0.4
    light = Part("moon", rng.choice(["white", "yellow"]), rng.uniform(0.2, 0.8), 0.22, 0.13) if night else Part("sun", rng.choice(["yellow", "orange", "red"]), rng.uniform(0.2, 0.8), 0.22, 0.13)
    hill = rng.random() < 0.6
    land = Part("hill", rng.choice(["green", "brown", "yellow", "gray", "white"] if not night else ["green", "brown", "gray"]), rng.uniform(0.4, 0.6), 1.35, 0.78) if hill else Part("sea", "blue", 0.5, 1.35, 0.68)
    parts, pieces, extra = [land], [], rng.random()
    if hill and extra < 0.35:
        colour, roof = rng.sample([name for name in COLOURS if name not in (land.colour, "black")], 2)
        x = rng.uniform(0.35, 0.65)
        parts += [Part("house", colour, x, 0.52, 0.17), Part("roof", roof, x, 0.52, 0.17)]
        pieces = [(f"{phrase(colour)} house", 1), ("with", -1), (f"{phrase(roof)} roof", 2), ("on", -1)]
    elif hill and extra < 0.6:
        parts.append(Part("tree", "green", rng.uniform(0.3, 0.7), 0.48, 0.2))
        pieces = [("a green tree", 1), ("on", -1)]
    elif not hill and extra < 0.6:
        parts.append(Part("boat", rng.choice(["red", "orange", "yellow", "brown", "black", "green"]), rng.uniform(0.3, 0.7), 0.58, 0.17))
        pieces = [(f"{phrase(parts[1].colour)} boat", 1), ("on", -1)]
    pieces.append((f"{phrase(land.colour)} hill" if hill else "the sea", 0))
    parts.append(light)
    named = (phrase(light.colour, light.kind), len(parts) - 1)
    if not (len(pieces) == 1 and rng.random() < 0.4):
        pieces += [("under", -1), named]
    else:
        pieces = [named, (rng.choice(["over", "above"]), -1), *pieces]
    if night and rng.random() < 0.5:
        parts.append(Part("stars", "white", 0.5, 0.25, 0.3))
        pieces += [("and", -1), ("stars", len(parts) - 1)]
    if night and rng.random() < 0.6:
        pieces.append(("at night", -1))
    # The sky is drawn first, so that a house covers it; the order in the caption does not change.
    order = {"stars": 0, "sun": 1, "moon": 1, "hill": 2, "sea": 2}
    drawn = sorted(parts, key=lambda part: order.get(part.kind, 3))
    return Scene(pieces, parts, "night" if night else "day", "landscape", drawn=drawn)


def random_scene(rng: random.Random) -> Scene:
    """A scene for training, without held-out combinations."""
    chance = rng.random()
    return single(rng) if chance < 0.25 else pair(rng) if chance < 0.72 else landscape(rng)
