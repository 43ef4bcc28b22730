"""Keeps what is measured out of what is trained on: texts that resemble a hand-written one of `held-out/` are left out of the corpus."""

import re

from .words import HERE

FOLDER = HERE.parent / "held-out"
RESEMBLES, WORDS_MIN = 0.7, 2
# Words that say nothing of the subject.
SMALL = frozenset(
    "a an the my your our their his her its of to in on at for from with by as is are be am was were been it this that i you we they he she me us do does did can could may should would "
    "will not no any some how what which where when why who there if and or but so than then have has had one get s t m d ve re please".split()
)


def subject_words(text: str) -> frozenset[str]:
    """Without small words and without a plural's s."""
    return frozenset(word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in re.findall(r"\w+", text.lower()) if word not in SMALL)


RESERVED = [words for file in sorted(FOLDER.glob("*.txt")) for line in file.read_text().splitlines() if line and not line.startswith("#") for words in map(subject_words, line.split(" = "))]
LONG_ENOUGH = [words for words in RESERVED if len(words) >= WORDS_MIN]
EXACT = frozenset(LONG_ENOUGH)


def is_reserved(text: str) -> bool:
    """Whether a hand-written text consists of the same words, small ones aside."""
    return subject_words(text) in EXACT


def resembles_reserved(text: str) -> bool:
    """Whether a hand-written text shares most words with this one; slower."""
    words = subject_words(text)
    return any(len(words & other) >= RESEMBLES * len(words | other) for other in LONG_ENOUGH)
