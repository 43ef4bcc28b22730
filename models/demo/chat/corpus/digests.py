"""Documents with lines in the form of the agents' tools. Their digits and words are random, so that the model must copy them."""

import itertools
import json
import random
import re
from dataclasses import dataclass
from pathlib import Path

from .extraction import passage
from .findings import checked_name
from .values import amount, city, code, company, date, full_name, number, spin, word

HERE = Path(__file__).parent
# `digest-lines.mjs` collects both.
LINES = [line for line in (HERE / "digest-lines.txt").read_text().splitlines() if line and not line.startswith("#")]
TURNS = [json.loads(line) for line in (HERE / "turns.jsonl").read_text().splitlines()]
# As in `agents/agent/findings-block.ts`.
LINES_MAX, BLOCK_UNITS_MAX, LINE_UNITS_MAX = 8, 1_200, 300
DIGIT = re.compile(r"\d")
WORD = re.compile(r"[^\W\d_]{4,}")
# Position of a finding, message and offsets: for programs, not for people.
SPAN = re.compile(r"\[m\d+:\d+-\d+\]")


@dataclass
class Digest:
    lines: list[str]
    document: str
    """Empty, or the text that the lines are about."""


def digest(rng: random.Random, document_units: int) -> Digest:
    """@param document_units maximum length of the text before the lines"""
    form = rng.random()
    if form < 0.5:
        drawn = whole_turn(rng, document_units)
    elif form < 0.65:
        drawn = Digest(alike(rng), "")
    else:
        count = rng.randint(1, LINES_MAX)
        first = rng.randrange(len(LINES))
        # Neighbours in the sorted list resemble each other, like lines of one tool.
        lines = LINES[first : first + count] if rng.random() < 0.5 else rng.choices(LINES, k=count)
        drawn = Digest([other_line(rng) if rng.random() < 0.15 else line for line in lines], "")
    changed = changed_alike(rng, drawn)
    lines = list(dict.fromkeys(SPAN.sub(lambda _: span(rng), line)[:LINE_UNITS_MAX] for line in changed.lines))
    ends = itertools.accumulate(len(line) + 3 for line in lines)
    lines = [line for line, end in zip(lines, ends) if end <= BLOCK_UNITS_MAX]
    document = changed.document or ("" if document_units == 0 else made_document(rng, lines, rng.randint(document_units // 4, document_units)))
    return Digest(lines, document)


def whole_turn(rng: random.Random, document_units: int) -> Digest:
    """What tools found in one text, with some of the text: their lines repeat words and numbers of it."""
    turn = rng.choice(TURNS)
    blocks = turn["blocks"]
    # The agent whose subject the text is has most to say.
    lines = list(rng.choices(blocks, [sum(map(len, block)) ** 2 for block in blocks])[0])
    if rng.random() < 0.5:
        rng.shuffle(lines)
    lines = lines[: rng.choice([2, 3, 4, 5, 6, LINES_MAX, LINES_MAX, LINES_MAX])]
    if rng.random() < 0.4:
        lines[rng.randrange(len(lines))] = rng.choice(LINES)
    if document_units == 0:
        return Digest(lines, "")
    units = rng.randint(document_units // 2, document_units)
    parts = turn["text"].strip().split("\n\n")
    if rng.random() < 0.6:
        rng.shuffle(parts)
    return Digest(lines, "\n\n".join(parts)[:units].strip())


def alike(rng: random.Random) -> list[str]:
    """One line several times, with a few other digits and words each time."""
    line = rng.choice(LINES)
    return [varied(rng, line, rng.choice([0.1, 0.3, 0.6]), 0.15) for _ in range(rng.randint(2, LINES_MAX))]


def varied(rng: random.Random, text: str, digits: float, words: float) -> str:
    text = DIGIT.sub(lambda match: str(rng.randint(0, 9)) if rng.random() < digits else match.group(), text)
    return WORD.sub(lambda match: word(rng) if rng.random() < words else match.group(), text)


def changed_alike(rng: random.Random, drawn: Digest) -> Digest:
    """The same change wherever a word or a digit stands: rows of zeros, dates near each other and quotations stay what they are."""
    ciphers = rng.sample("123456789", 9)
    mapped = {str(index): cipher for index, cipher in enumerate(ciphers, 1)} if rng.random() < 0.7 else {}
    if rng.random() < 0.3:
        other = rng.choice("123456789")
        mapped |= {"0": other, next((key for key, value in mapped.items() if value == other), other): "0"}
    share = rng.choice([0.0, 0.05, 0.1, 0.3])
    replaced: dict[str, str] = {}

    def other_word(match: re.Match[str]) -> str:
        found = match.group()
        if found not in replaced:
            made = found
            if rng.random() < share:
                made = word(rng)
                made = made.capitalize() if found[0].isupper() else made
            replaced[found] = made
        return replaced[found]

    def changed(text: str) -> str:
        return WORD.sub(other_word, DIGIT.sub(lambda match: mapped.get(match.group(), match.group()), text))

    lines = [changed(line) for line in drawn.lines]
    return Digest([varied(rng, line, 0.8, 0.1) if rng.random() < 0.15 else line for line in lines], changed(drawn.document))


def span(rng: random.Random) -> str:
    start = rng.randint(0, 6_000)
    return f"[m0:{start}-{start + rng.randint(5, 400)}]"


def made_document(rng: random.Random, lines: list[str], units: int) -> str:
    """Paragraphs, tables and lists; now and then they hold pieces of the lines."""
    parts: list[str] = []
    while sum(map(len, parts)) < units:
        form = rng.random()
        parts.append(paragraph(rng) if form < 0.4 else table(rng) if form < 0.55 else pieces(rng, lines or LINES) if form < 0.8 else pieces(rng, rng.choices(LINES, k=8)))
    return "\n\n".join(parts)


def paragraph(rng: random.Random) -> str:
    heading = spin(rng, "[|||{n}. {t}\n|# {t}\n|{t}: |Clause {n}. ]", n=rng.randint(1, 40), t=checked_name(rng).capitalize())
    return heading + " ".join(passage(rng).text for _ in range(rng.randint(1, 3)))


def table(rng: random.Random) -> str:
    mark = rng.choice(["   ", " | ", ", ", ": "])
    cell = rng.choice([lambda: f"{rng.randint(1, 99)}{',000' * rng.randint(1, 2)}", lambda: date(rng), lambda: str(rng.randint(1, 99) * 10 ** rng.randint(0, 6)), lambda: f"{rng.randint(0, 99)}.{rng.randint(0, 99):02} %"])
    return "\n".join(checked_name(rng).capitalize() + mark + mark.join(cell() for _ in range(rng.randint(1, 3))) for _ in range(rng.randint(2, 6)))


def pieces(rng: random.Random, lines: list[str]) -> str:
    made = []
    for _ in range(rng.randint(1, 4)):
        words = SPAN.sub("", rng.choice(lines)).split()
        first = rng.randrange(len(words))
        made.append(" ".join(words[first : first + rng.randint(2, 14)]))
    return rng.choice([". ", "\n", " "]).join(made)


def other_line(rng: random.Random) -> str:
    return spin(
        rng,
        "[{n}: {x}|{n}: {x} of {y}|{n}: {a}|{n}: {d}|{n}: absent, {s}|{n}: found ({r} {x})|{n}: weak, {s}|{n} is {a}|{x} {n}: {c}|{n} = {x} %|{k}: {a} ({d})|{n}: not computable: {w} missing|{p}: {d}|{n}: {o}, {l}]",
        n=checked_name(rng), x=number(rng), y=rng.choice([10, 23, 100]), a=amount(rng), d=date(rng), s=rng.choice(["critical", "high", "medium"]), r=rng.choice(["clause", "section", "article"]),
        c=code(rng), k=company(rng), w=word(rng), p=full_name(rng), o=rng.choice(["ok", "low", "high", "normal", "open"]), l=city(rng),
    )
