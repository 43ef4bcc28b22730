"""Pairs of texts that belong together, drawn from grammars and word lists written for this model; no third-party text."""

import hashlib
import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .dress import dress
from .grammar import check, spin
from .reserved import is_reserved, resembles_reserved
from .slots import SLOTS, fill
from .words import GROUPS, HERE, exchange, invented_word, read_lines

__all__ = ["Pair", "draw_pair", "draw_long_pair", "every_way", "invented_word", "subjects"]

HELD_OUT_ONE_IN = 12
SPARING = 6  # Meanings with fewer pairs of ways are trained on whole.
SPARING_GROUP = 4  # As SPARING, in words of one meaning.
SPINS = 12  # Of a way with brackets, so many are looked at.
SAME_WAY = 0.08  # The brackets of one way, chosen twice.


@dataclass(frozen=True)
class Pair:
    kind: str
    # The subject of the pair. Two pairs with the same key match each other too, so a batch may have only one of them.
    key: str
    texts: tuple[str, str]


@dataclass(frozen=True)
class Meaning:
    """One thing that can be said in several ways; answers are no paraphrases of each other's questions."""

    key: str
    ways: tuple[str, ...]
    answers: tuple[str, ...]


def read_meanings(path: Path) -> list[Meaning]:
    meanings = []
    for line in read_lines(str(path.relative_to(HERE))):
        ways, _, answers = line.partition(" => ")
        meaning = Meaning(ways.split(" = ")[0], tuple(ways.split(" = ")), tuple(answers.split(" = ")) if answers else ())
        for pattern in meaning.ways + meaning.answers:
            check(pattern)
        if len(meaning.ways) + len(meaning.answers) < 2:
            raise ValueError(f"{path.name}: a meaning needs at least two phrasings: {line}")
        meaning = Meaning(meaning.key, *(tuple(way for way in ways if not may_say_reserved(way)) for ways in (meaning.ways, meaning.answers)))
        if meaning.ways and len(meaning.ways) + len(meaning.answers) > 1:
            meanings.append(meaning)
    return meanings


def may_say_reserved(pattern: str) -> bool:
    rng = random.Random(pattern)
    return any(resembles_reserved(spin(pattern, rng)) for _ in range(SPINS if set("([") & set(pattern) else 1))


SUBJECTS = {path.stem: read_meanings(path) for path in sorted((HERE / "meanings").glob("*.txt"))}
MEANINGS = [meaning for meanings in SUBJECTS.values() for meaning in meanings]
FRAMES = read_meanings(HERE / "frames.txt")
GLOSSARY = read_meanings(HERE / "glossary.txt")
TOPICS = [(title, words.split(", ")) for title, words in (line.split(": ") for line in read_lines("topics.txt"))]


def subjects() -> dict[str, int]:
    return {name: len(meanings) for name, meanings in SUBJECTS.items()}


def is_held_out(*parts: object) -> bool:
    """The same on every machine."""
    return hashlib.sha256(repr(parts).encode()).digest()[0] % HELD_OUT_ONE_IN == 0


@cache
def combinations(meaning: Meaning, held_out: bool) -> list[tuple[str, str]]:
    """Every two ways, and every way with every answer; of meanings that can spare some, a few are kept from training."""
    every = meaning.ways + meaning.answers
    pairs = [(every[i], every[j]) for i in range(len(meaning.ways)) for j in range(i + 1, len(every))]
    if len(pairs) < SPARING:
        return [] if held_out else pairs
    return [pair for pair in pairs if is_held_out(meaning.key, pair) == held_out]


def draw_ways(meaning: Meaning, rng: random.Random, held_out: bool) -> tuple[str, str] | None:
    """Two ways of one meaning in random order, or a question and an answer."""
    if not held_out and rng.random() < SAME_WAY:
        way = rng.choice(meaning.ways)
        return way, way
    pairs = combinations(meaning, held_out)
    if not pairs:
        return None
    first, second = rng.choice(pairs)
    return (first, second) if rng.random() < 0.5 else (second, first)


def meaning_pair(rng: random.Random, held_out: bool) -> Pair | None:
    meaning = rng.choice(MEANINGS)
    ways = draw_ways(meaning, rng, held_out)
    return ways and Pair("meaning", meaning.key, (say(ways[0], rng), say(ways[1], rng)))


def frame_pair(rng: random.Random, held_out: bool) -> Pair | None:
    frame = rng.choice(FRAMES)
    values = {slot: rng.choice(options) for slot, options in SLOTS.items()}
    used = [values[slot][0] for slot in SLOTS if "{" + slot in frame.ways[0]]
    if is_held_out(frame.key, used) != held_out:
        return None
    first, second = rng.choice(frame.ways), rng.choice(frame.ways + frame.answers)
    return Pair("frame", f"{frame.key} {used}", (say(fill(spin(first, rng), values, rng), rng), say(fill(spin(second, rng), values, rng), rng)))


def glossary_pair(rng: random.Random, held_out: bool) -> Pair | None:
    entry = rng.choice(GLOSSARY)
    ways = draw_ways(entry, rng, held_out)
    return ways and Pair("glossary", entry.key, (say(ways[0], rng), say(ways[1], rng)))


def synonym_pair(rng: random.Random, held_out: bool) -> Pair | None:
    group = rng.choice(GROUPS)
    first, second = rng.sample(group, 2)
    if (len(group) >= SPARING_GROUP and is_held_out(*sorted((first, second)))) != held_out:
        return None
    return Pair("synonym", group[0], (first, second))


def topic_pair(rng: random.Random, held_out: bool) -> Pair | None:
    """Words of one subject in random combinations."""
    title, words = rng.choice(TOPICS)
    if held_out:
        return None
    chosen = rng.sample(words, min(len(words), rng.randint(2, 7)))
    cut = rng.randint(1, len(chosen) - 1)
    first = " ".join(chosen[:cut]) if rng.random() < 0.8 else title
    return Pair("topic", title, (first, " ".join(chosen[cut:])))


def name_pair(rng: random.Random, held_out: bool) -> Pair | None:
    """A name or number nobody has seen tells two texts of one meaning apart."""
    meaning = rng.choice(MEANINGS)
    if held_out:
        return None
    name = invented_word(rng) if rng.random() < 0.8 else str(rng.randint(2, 10 ** rng.randint(2, 5)))
    sides = []
    for pattern in draw_ways(meaning, rng, False):
        words = say(pattern, rng).split()
        words.insert(rng.randint(0, len(words)), name)
        sides.append(" ".join(words))
    return Pair("name", f"{meaning.key} {name}", (sides[0], sides[1] if rng.random() < 0.7 else name))


DRAWS = ((meaning_pair, 46), (frame_pair, 16), (glossary_pair, 16), (synonym_pair, 12), (topic_pair, 5), (name_pair, 5))


def draw_pair(rng: random.Random, held_out: bool = False) -> Pair:
    """Two short texts. Held-out pairs are combinations that training never draws."""
    while True:
        (draw,) = rng.choices([draw for draw, _ in DRAWS], [weight for _, weight in DRAWS])
        pair = draw(rng, held_out)
        if pair is not None and not any(map(is_reserved, pair.texts)):
            return pair


def draw_long_pair(rng: random.Random, sentences: int) -> Pair:
    """Pairs a body of many sentences with its title, or with a paraphrase in another order."""
    among = rng.choice(list(SUBJECTS.values())) if rng.random() < 0.7 else MEANINGS
    meanings = rng.sample(among, min(sentences, len(among)))
    sides = [[sentence(say(way, rng), rng) for way in ways] for ways in zip(*(draw_ways(meaning, rng, False) for meaning in meanings))]
    key = meanings[0].key
    if rng.random() < 0.5:
        rng.shuffle(sides[1])
        return Pair("long", key, (" ".join(sides[0]), " ".join(sides[1])))
    # The title says the first thing; the body says it first, last and in between.
    for _ in range(max(1, sentences // 3)):
        sides[1].insert(rng.randint(0, len(sides[1])), sentence(say(rng.choice(meanings[0].ways), rng), rng))
    return Pair("long", key, (sides[0][0], " ".join(sides[1])))


def say(pattern: str, rng: random.Random) -> str:
    return dress(exchange(spin(pattern, rng), 0.22 if rng.random() < 0.7 else 0.0, rng), rng)


def sentence(text: str, rng: random.Random) -> str:
    return text.rstrip(".?!") + rng.choice("...?!")


def every_way() -> list[str]:
    """All ways of all meanings, brackets chosen a few times: to look for texts that should not be among them."""
    rng = random.Random(0)
    patterns = [way for meaning in MEANINGS + GLOSSARY + FRAMES for way in meaning.ways + meaning.answers]
    return [spin(pattern, rng) for pattern in patterns for _ in range(SPINS if set("([") & set(pattern) else 1)]
