"""Write questions about generated images for `evaluate.mjs`, one JSON object per line: class, pixels in base64, question, and the answer or its parts."""

import argparse
import base64
import json
import random
from collections.abc import Iterator

from questions import BACKGROUND, HOW_MANY, SIDE, WHAT, describe, draw_scene, paint, scenes


def cases(count: int, rng: random.Random) -> Iterator[tuple[str, list, str, str | list[str]]]:
    for _ in range(count):
        one = scenes.single(rng)
        yield "one shape", [one], rng.choice(WHAT), describe(one)
        new = scenes.single(rng, True)
        yield "one shape, held-out colour", [new], rng.choice(WHAT), describe(new)
        two = scenes.pair(rng)
        # Each relation has two wordings and two orders.
        yield "two shapes, both named", [two], rng.choice(WHAT), [scenes.phrase(part.colour, part.kind) for part in two.parts]
        any_scene = draw_scene(rng)
        yield "how many shapes", [any_scene], rng.choice(HOW_MANY), str(len(any_scene.parts))
        yield "background", [any_scene], rng.choice(BACKGROUND), any_scene.background
        yield "colour of a shape", [one], f"What colour is the {one.parts[0].kind}?", one.parts[0].colour
        yield "shape of a colour", [one], f"What is {one.parts[0].colour}?", f"the {one.parts[0].kind}"
        both = [scenes.single(rng), scenes.single(rng)]
        yield "the second of two images", both, "What is in the second image?", describe(both[1])


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=100, help="cases per class")
    options.add_argument("--seed", type=int, default=99)
    given = options.parse_args()
    draws = random.Random(given.seed)
    for kind, shown, question, answer in cases(given.count, draws):
        pixels = [base64.b64encode(paint(scene, draws).tobytes()).decode() for scene in shown]
        print(json.dumps({"kind": kind, "side": SIDE, "images": pixels, "question": question, "answer": answer}))
