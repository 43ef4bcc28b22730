"""One question and its answer, and the ways in which people type a question."""

import random

Exchange = tuple[str, str]


def scruffy(rng: random.Random, text: str) -> str:
    """Punctuate and case a question the way people type."""
    question = text.lower().startswith(("what", "who", "how", "why", "when", "where", "which", "are ", "do ", "does ", "can ", "could ", "is ", "will ", "may ", "should ", "am "))
    end = rng.choice(["?", "?", "?", "", "??", " ?"] if question else [".", "", "", "!", "."])
    if text[-1] in "?!.":
        end = ""
    form = rng.random()
    if form < 0.5:
        return text[0].upper() + text[1:] + end
    if form < 0.9:
        return text.lower() + end if form > 0.7 else text + end
    return text.upper() + end if form > 0.98 else text[0].upper() + text[1:] + end
