"""What the frames are filled with; a value may have several names, and both texts of a pair get the same value."""

import random

from .words import read_lines

# Of each slot, its values; of each value, its names.
SLOTS: dict[str, list[list[str]]] = {
    slot: [value.split("/") for value in values.split(", ")] for slot, values in (line.split(": ") for line in read_lines("slots.txt"))
}


def fill(text: str, values: dict[str, list[str]], rng: random.Random) -> str:
    """`{city}` becomes a name of the city, `{city:1}` always its second name, such as the country of a capital."""
    for slot, names in values.items():
        if "{" + slot not in text:
            continue
        text = text.replace("{" + slot + "}", rng.choice(names))
        for index, name in enumerate(names):
            text = text.replace("{" + f"{slot}:{index}" + "}", name)
    return text
