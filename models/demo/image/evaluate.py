"""Score the exported pipeline on held-out captions: the presence, colours, shapes and positions of the objects."""

import argparse
import random
import time
from pathlib import Path

import numpy as np
from PIL import Image

from pipeline import Pipeline
from scenes import COLOURS, MASKS, SHAPES, SIDE, SKIES, Part, Scene, draw, landscape, pair, single

HERE = Path(__file__).parent
SEED, BATCH = 77, 25
PALETTE = {**COLOURS, **SKIES}
COLOUR_REACH, PIXELS_MIN = 0.22, 25
GALLERY = [
    "a red circle above a blue square", "a green hill under a yellow sun", "a small purple triangle left of a large orange star", "a red boat on the sea under a white moon and stars at night",
    "a large black ring", "a pink star on a black background", "a yellow house with a red roof on a green hill under an orange sun", "a green triangle below a purple circle",
    "a large orange cross", "a brown ring to the right of a green square", "a green tree on a brown hill under a white moon at night", "a small blue star at the top on a yellow background",
]


def mask_of(picture: np.ndarray, colour: str) -> np.ndarray:
    """Return the pixels whose nearest palette colour is this one, within a tolerance."""
    distances = np.stack([np.linalg.norm(picture - np.array(value), axis=2) for value in PALETTE.values()])
    index = list(PALETTE).index(colour)
    return (distances.argmin(0) == index) & (distances[index] < COLOUR_REACH)


def largest_piece(mask: np.ndarray) -> np.ndarray:
    """Return the largest 8-connected group of pixels."""
    rest, best = mask.copy(), np.zeros_like(mask)
    while rest.sum() > best.sum():
        piece = np.zeros_like(mask)
        piece[tuple(np.argwhere(rest)[0])] = True
        while True:
            wide = np.pad(piece, 1)
            grown = rest & np.logical_or.reduce([wide[row : row + mask.shape[0], column : column + mask.shape[1]] for row in range(3) for column in range(3)])
            if grown.sum() == piece.sum():
                break
            piece = grown
        if piece.sum() > best.sum():
            best = piece
        rest &= ~piece
    return best


def shape_of(piece: np.ndarray) -> str | None:
    """Return the shape whose outline matches the piece best, both scaled to their boxes; None if no shape matches well."""
    rows, columns = np.flatnonzero(piece.any(1)), np.flatnonzero(piece.any(0))
    height, width = rows[-1] - rows[0] + 1, columns[-1] - columns[0] + 1
    if not 0.7 < width / height < 1.45:
        return None
    grid = (np.arange(40) + 0.5) / 40
    found = piece[np.ix_(rows[0] + (grid * height).astype(int), columns[0] + (grid * width).astype(int))]
    scores = {}
    for shape in SHAPES:
        fine = np.broadcast_to(MASKS[shape](*np.meshgrid(np.linspace(-1, 1, 201), np.linspace(-1, 1, 201))), (201, 201))
        down, across = np.flatnonzero(fine.any(1)), np.flatnonzero(fine.any(0))
        model = fine[np.ix_((down[0] + grid * (down[-1] - down[0])).astype(int), (across[0] + grid * (across[-1] - across[0])).astype(int))]
        scores[shape] = (model & found).sum() / (model | found).sum()
    best = max(scores, key=scores.get)
    return best if scores[best] > 0.5 else None


def check_shapes(scene: Scene, picture: np.ndarray) -> dict[str, bool]:
    """Score one or two shapes: colours present, shapes correct, relation correct, everything correct."""
    centres, colours, shapes = [], [], []
    for part in scene.parts:
        piece = largest_piece(mask_of(picture, part.colour))
        colours.append(PIXELS_MIN <= piece.sum() < SIDE * SIDE * 0.4)
        shapes.append(colours[-1] and shape_of(piece) == part.kind)
        centres.append(np.argwhere(piece).mean(0) if piece.any() else None)
    result = {"colour": all(colours), "colour and shape": all(shapes)}
    if scene.relation and all(centre is not None for centre in centres):
        (y1, x1), (y2, x2) = centres
        down, across = y1 - y2, x1 - x2
        result["relation"] = {"above": down < -8, "below": down > 8, "left": across < -8, "right": across > 8}[scene.relation] and (abs(down) > abs(across)) == (scene.relation in ("above", "below"))
    elif scene.relation:
        result["relation"] = False
    background = mask_of(picture, scene.background)
    result["background"] = bool(background.mean() > 0.4)
    result["everything"] = all(result.values())
    return result


def check_landscape(scene: Scene, picture: np.ndarray) -> dict[str, bool]:
    """Check that each object of one colour appears at its height, and that the sky matches the time of day."""
    sky = bool(mask_of(picture[:24], scene.background).mean() > 0.35)
    there = [thing_there(part, picture) for part in scene.parts if part.kind != "stars"]
    return {"colour": all(there), "background": sky, "everything": sky and all(there)}


def thing_there(part: Part, picture: np.ndarray) -> bool:
    if part.kind in ("hill", "sea"):
        return bool(mask_of(picture, part.colour)[-8:].mean() > 0.5)
    top, bottom = {"sun": (0.0, 0.45), "moon": (0.0, 0.45), "roof": (0.25, 0.65), "house": (0.4, 0.85), "tree": (0.15, 0.7), "boat": (0.45, 0.9)}[part.kind]
    band = mask_of(picture, part.colour)[int(top * SIDE) : int(bottom * SIDE)]
    return bool(band.sum() >= PIXELS_MIN)


def score(name: str, scenes: list[Scene], pictures: np.ndarray) -> dict[str, float]:
    checks = [(check_landscape if scene.group == "landscape" else check_shapes)(scene, picture) for scene, picture in zip(scenes, pictures)]
    shares = {key: sum(check[key] for check in checks) / len(checks) for key in checks[0]}
    cells = [f"{100 * shares[key]:.1f} %" if key in shares else "" for key in ("colour", "colour and shape", "relation", "background", "everything")]
    print(f"| {name} | {len(scenes)} | {' | '.join(cells)} |", flush=True)
    return shares


def gallery(pipeline: Pipeline, file: Path, columns: int = 4) -> None:
    """Return a sheet of images, doubled in size."""
    drawn = np.concatenate([pipeline.draw(GALLERY[at : at + 4], seed=5, steps=30) for at in range(0, len(GALLERY), 4)])
    framed = np.pad(drawn, ((0, 0), (2, 2), (2, 2), (0, 0)), constant_values=0.75)
    side = framed.shape[1]
    sheet = framed.reshape(-1, columns, side, side, 3).transpose(0, 2, 1, 3, 4).reshape(-1, columns * side, 3)
    image = Image.fromarray((sheet.clip(0, 1) * 255 + 0.5).astype(np.uint8))
    image.resize((image.width * 2, image.height * 2), Image.Resampling.NEAREST).save(file, optimize=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--folder", type=Path, default=HERE)
    options.add_argument("--captions", type=int, default=100, help="captions of each group")
    options.add_argument("--steps", type=int, default=20)
    options.add_argument("--guidance", type=float, default=3.0)
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("--samples", type=Path, help="also draw the sheet of samples into this file")
    given = options.parse_args()
    pipeline, rng, started = Pipeline(given.folder, given.threads), random.Random(SEED), time.monotonic()
    if given.samples:
        gallery(pipeline, given.samples)
    groups = [[make(rng) for _ in range(given.captions)] for make in (lambda source: single(source, True), lambda source: pair(source, True), landscape)]
    print("| group | captions | colour | colour and shape | relation | background | everything |\n|---|---|---|---|---|---|---|")
    totals = {"drawn": [], "by the generator (ceiling)": [], "for another caption (chance)": []}
    for scenes in groups:
        pictures = np.concatenate([pipeline.draw([scene.caption for scene in scenes[at : at + BATCH]], seed=at, steps=given.steps, guidance=given.guidance) for at in range(0, len(scenes), BATCH)])
        others = {"drawn": pictures, "by the generator (ceiling)": np.stack([draw(scene, rng) for scene in scenes]), "for another caption (chance)": np.roll(pictures, 7, axis=0)}
        for name, some in others.items():
            totals[name].append(score(f"{scenes[0].group}: {name}", scenes, some)["everything"])
    for name, values in totals.items():
        print(f"everything right, {name}: {100 * sum(values) / len(values):.1f} %")
    print(f"{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
