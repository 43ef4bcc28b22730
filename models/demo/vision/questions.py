"""The training data: images of one or two shapes, and conversations about them. Templates written for this project."""

import random
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parent.parent / "image"))
import scenes  # noqa: E402
from scenes import COLOURS, SHAPES, Scene, phrase  # noqa: E402

SIDE = scenes.SIDE = 48  # Pixels of an image.
PATCH = 8
LOOKS = ["nothing", *SHAPES], ["nothing", *COLOURS]
# Where the template puts an image; not a text that a tokenizer sees.
IMAGE = "\0"

WHAT = [
    "What is in the image?", "What do you see?", "Describe the image.", "What does the image show?", "What is this?",
    "What's in this image?", "Describe this picture.", "What is in the picture?", "what do you see in the image?",
]
HOW_MANY = ["How many shapes are there?", "How many shapes do you see?", "How many shapes are in the image?"]
BACKGROUND = ["What colour is the background?", "What color is the background?", "Which colour has the background?"]
NO_IMAGE = "I see no image."
ORDINALS = ["first", "second"]


@dataclass
class Talk:
    """Images, and exchanges of a question (with IMAGE where an image goes) and its answer."""

    images: list[Scene]
    exchanges: list[tuple[str, str]]


def describe(scene: Scene) -> str:
    """The caption without sizes, places and background: "a red circle above a blue square"."""
    looks = [phrase(part.colour, part.kind) for part in scene.parts]
    return looks[0] if len(looks) == 1 else f"{looks[0]} {scene.pieces[1][0]} {looks[1]}"


def ask(scene: Scene, rng: random.Random) -> tuple[str, str]:
    chance, part = rng.random(), rng.choice(scene.parts)
    if chance < 0.45:
        return rng.choice(WHAT), describe(scene)
    if chance < 0.55:
        return rng.choice(HOW_MANY), str(len(scene.parts))
    if chance < 0.65:
        return rng.choice(BACKGROUND), scene.background
    if chance < 0.85 and sum(other.kind == part.kind for other in scene.parts) == 1:
        word = rng.choice(["colour", "color"])
        return rng.choice([f"What {word} is the {part.kind}?", f"Which {word} has the {part.kind}?"]), part.colour
    return rng.choice([f"What is {part.colour}?", f"Which shape is {part.colour}?"]), f"the {part.kind}"


def draw_scene(rng: random.Random, held_out: bool = False) -> Scene:
    return scenes.single(rng, held_out) if held_out or rng.random() < 0.55 else scenes.pair(rng)


def conversation(rng: random.Random) -> Talk:
    """Up to three exchanges about one image, a question about one of two images, or a question without an image."""
    chance = rng.random()
    if chance < 0.06:
        return Talk([], [(rng.choice(WHAT), NO_IMAGE)])
    if chance < 0.14:
        both = [scenes.single(rng), scenes.single(rng)]
        which = rng.randrange(2)
        question = rng.choice([f"What is in the {ORDINALS[which]} image?", f"Describe the {ORDINALS[which]} image."])
        return Talk(both, [(rng.choice([f"{IMAGE}{IMAGE}{question}", f"{IMAGE}\n{IMAGE}\n{question}"]), describe(both[which]))])
    scene = draw_scene(rng)
    exchanges = [ask(scene, rng) for _ in range(rng.choice([1, 2, 2, 3]))]
    question, answer = exchanges[0]
    exchanges[0] = (rng.choice([f"{IMAGE}{question}", f"{IMAGE}\n{question}", f"{question}{IMAGE}", f"{question}\n{IMAGE}"]), answer)
    return Talk([scene], exchanges)


def render(talk: Talk) -> list[tuple[str, bool]]:
    """Pieces of the ChatML text, each with whether the assistant writes it."""
    pieces = []
    for question, answer in talk.exchanges:
        pieces += [(f"<|im_start|>user\n{question}<|im_end|>\n<|im_start|>assistant\n", False), (f"{answer}<|im_end|>", True), ("\n", False)]
    return pieces


def paint(scene: Scene, rng: random.Random) -> np.ndarray:
    """The image as bytes [SIDE, SIDE, 3], as a decoder of images gives it."""
    return (scenes.draw(scene, rng).clip(0, 1) * 255 + 0.5).astype(np.uint8)


def patch_looks(scene: Scene) -> np.ndarray:
    """Per patch the shape and the colour of the part that covers its centre, 0 for none: [2, patches]."""
    centres = (np.arange(SIDE // PATCH) + 0.5) * PATCH / SIDE
    found = np.zeros((2, len(centres), len(centres)), dtype=np.int64)
    for part in scene.parts:
        inside = np.hypot(centres[None, :] - part.x, centres[:, None] - part.y) < part.radius * 1.1
        found[0][inside] = LOOKS[0].index(part.kind)
        found[1][inside] = LOOKS[1].index(part.colour)
    return found.reshape(2, -1)
