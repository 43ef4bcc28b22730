"""What differs between people who write the same thing: politeness, contractions, left-out words, slips of the finger."""

import random
import re

BEFORE = [
    "please", "hello,", "hi,", "hi there,", "good morning,", "hey,", "can you tell me", "could you tell me", "i would like to know", "i want to know", "tell me",
    "quick question:", "question:", "help:", "can you help me?", "i have a question,", "do you know", "just wondering,", "excuse me,", "sorry,", "so", "well,", "my question is", "i need help:",
]
AFTER = ["please", "thanks", "thank you", "?", "??", "!", ".", "please help", "thanks in advance", "i wonder", "exactly", "anyone?"]
SHORTER = {
    "do not": "don't", "does not": "doesn't", "did not": "didn't", "is not": "isn't", "are not": "aren't", "cannot": "can't", "can not": "can't", "will not": "won't", "would not": "wouldn't",
    "i am": "i'm", "it is": "it's", "what is": "what's", "where is": "where's", "i have": "i've", "i would": "i'd", "we are": "we're", "that is": "that's", "who is": "who's", "has not": "hasn't", "have not": "haven't", "should not": "shouldn't",
}
WHOLE = {short: whole for whole, short in SHORTER.items()} | {"can't": "cannot"}
SMALL = {"a", "an", "the", "my", "of", "to", "is", "do", "i", "does", "in", "on", "for", "are", "it", "be", "any", "some", "our", "your", "can"}
TO_SHORTER, TO_WHOLE = (re.compile(r"\b(" + "|".join(map(re.escape, table)) + r")\b") for table in (SHORTER, WHOLE))


def dress(text: str, rng: random.Random) -> str:
    """Mostly one small change, often none."""
    chance = rng.random()
    if chance < 0.12:
        text = TO_SHORTER.sub(lambda found: SHORTER[found[1]], text)
    elif chance < 0.2:
        text = TO_WHOLE.sub(lambda found: WHOLE[found[1]], text)
    if rng.random() < 0.15:
        text = drop_words(text, rng)
    if rng.random() < 0.04:
        text = slip(text, rng)
    if rng.random() < 0.12:
        text = f"{rng.choice(BEFORE)} {text}"
    if rng.random() < 0.25:
        after = rng.choice(AFTER)
        text = text + after if after[0] in "?!." else f"{text} {after}"
    return text


def drop_words(text: str, rng: random.Random) -> str:
    """Like a query in a search box: function words are dropped first."""
    small = rng.random() < 0.6
    words = [word for word in text.split() if not (word in SMALL if small else rng.random() < 0.15)]
    return " ".join(words) if len(words) > 1 else text


def slip(text: str, rng: random.Random) -> str:
    """One letter missing, doubled, or in its neighbour's place."""
    words = text.split()
    index = rng.randrange(len(words))
    word = words[index]
    if len(word) > 4:
        at = rng.randint(1, len(word) - 2)
        words[index] = rng.choice((word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:], word[:at] + word[at + 1] + word[at] + word[at + 2 :]))
    return " ".join(words)
