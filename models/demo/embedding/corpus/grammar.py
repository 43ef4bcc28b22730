"""Small grammars: `(a|b)` is one of them, `[x]` is x or nothing; both nest."""

import random
import re

INNERMOST = re.compile(r"\(([^()\[\]]*)\)|\[([^()\[\]]*)\]")


def spin(pattern: str, rng: random.Random) -> str:
    """One text of the pattern."""

    def choose(found: re.Match[str]) -> str:
        if found[1] is not None:
            return rng.choice(found[1].split("|"))
        return rng.choice(found[2].split("|")) if rng.random() < 0.5 else ""

    before = None
    while before != pattern:
        before, pattern = pattern, INNERMOST.sub(choose, pattern)
    return " ".join(pattern.split())


def check(pattern: str) -> None:
    """Raises ValueError where a bracket is open."""
    rest, before = pattern, None
    while before != rest:
        before, rest = rest, INNERMOST.sub("", rest)
    if re.search(r"[()\[\]|]", rest):
        raise ValueError(f"not a pattern: {pattern}")
