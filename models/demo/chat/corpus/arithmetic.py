"""Sums: addition, subtraction, small products, comparisons and counting, in digits and in words.

One pair in eleven is held out by a fixed rule and never trained on, so that the test measures the rule and not the table.
"""

import random

from .exchange import Exchange, scruffy
from .values import CITIES, THINGS, given_name, join_words, spin

UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
).split()
ORDINALS = ["first", "second", "third", "fourth", "fifth"]


def is_held_out(a: int, b: int) -> bool:
    """Depends on both tens and units and skips one-digit sums, so that held-out sums can still be derived."""
    return max(a, b) > 9 and (a * 7 + b * 13) % 11 == 3


def pair(rng: random.Random, held_out: bool, limit: int = 0) -> tuple[int, int]:
    while True:
        high = limit or rng.choice([10, 99, 99, 99])
        a, b = rng.randint(0, high), rng.randint(0, high)
        if is_held_out(a, b) == held_out:
            return a, b


def phrased(rng: random.Random, a: int, b: int, symbol: str, words: str) -> str:
    sign = spin(rng, f"[ {symbol} | {symbol} |{symbol}| [{words}] | [{words}] ]")
    opening = rng.choice(["what is ", "what's ", "how much is ", "calculate ", "compute ", "tell me ", "solve ", "please work out ", "", ""])
    if rng.random() < 0.08:
        return f"{a}{sign}{b} ="
    return scruffy(rng, f"{opening}{a}{sign}{b}")


def addition(rng: random.Random, held_out: bool = False) -> Exchange:
    a, b = pair(rng, held_out)
    if rng.random() < 0.15:
        return scruffy(rng, spin(rng, "[add {a} and {b}|what is the sum of {a} and {b}|add {a} to {b}|sum {a} and {b}]", a=a, b=b)), worked(a, b, "+") + "."
    return phrased(rng, a, b, "+", "plus|plus|and"), worked(a, b, "+") + "."


def subtraction(rng: random.Random, held_out: bool = False) -> Exchange:
    a, b = pair(rng, held_out)
    while a < b and rng.random() < 0.95:
        a, b = pair(rng, held_out)
    if rng.random() < 0.15:
        return scruffy(rng, spin(rng, "[subtract {b} from {a}|take {b} away from {a}|what is the difference between {a} and {b}]", a=a, b=b)), worked(a, b, "-") + "."
    return phrased(rng, a, b, "-", "minus|minus|less"), worked(a, b, "-") + "."


def product(rng: random.Random, held_out: bool = False) -> Exchange:
    a, b = rng.randint(0, 12), rng.randint(0, 12)
    if rng.random() < 0.1:
        return scruffy(rng, spin(rng, "[multiply {a} by {b}|what is the product of {a} and {b}]", a=a, b=b)), f"{a} * {b} = {a * b}."
    return in_full(phrased(rng, a, b, rng.choice("*x"), "times|times|multiplied by"), a, b, "*", a * b)


def division(rng: random.Random, held_out: bool = False) -> Exchange:
    b, quotient = rng.randint(1, 10), rng.randint(0, 10)
    return in_full(phrased(rng, b * quotient, b, "/", "divided by|over"), b * quotient, b, "/", quotient)


def in_full(question: str, a: int, b: int, symbol: str, value: int) -> Exchange:
    """Every sum is answered in full, which also lets the model see its operands again before the result."""
    return question, f"{a} {symbol} {b} = {value}."


def worked(a: int, b: int, symbol: str) -> str:
    """The sum with its result; two-digit operands by way of tens and units, so that each step is a small table."""
    if symbol == "+":
        step = f"{a // 10 * 10 + b // 10 * 10} + {a % 10 + b % 10} = " if a > 9 and b > 9 else ""
        return f"{a} + {b} = {step}{a + b}"
    step = f"{a - b // 10 * 10} - {b % 10} = " if a >= b > 9 and b % 10 else ""
    return f"{a} - {b} = {step}{a - b}"


def double_or_half(rng: random.Random) -> Exchange:
    value = rng.randint(1, 50)
    if rng.random() < 0.5:
        return scruffy(rng, spin(rng, "[what is|tell me] [double|twice|two times] {v}", v=value)), f"2 * {value} = {2 * value}."
    return scruffy(rng, spin(rng, "[what is|tell me] [half of|one half of] {v}", v=2 * value)), f"{2 * value} / 2 = {value}."


def next_number(rng: random.Random) -> Exchange:
    value, step = rng.randint(1, 99), rng.choice([1, -1])
    asked = "after" if step == 1 else "before"
    return scruffy(rng, f"{rng.choice(['what number comes', 'which number comes', 'what comes', 'which number is just'])} {asked} {value}"), f"{value + step} comes {asked} {value}."


def larger(rng: random.Random) -> Exchange:
    a, b = rng.sample(range(0, 100), 2)
    greater = rng.random() < 0.6
    asked = rng.choice(["larger", "bigger", "greater"]) if greater else rng.choice(["smaller", "less"])
    return scruffy(rng, f"{rng.choice(['which', 'which number'])} is {asked}{rng.choice([':', ','])} {a} or {b}"), f"{max(a, b) if greater else min(a, b)} is {asked}."


def words(rng: random.Random) -> Exchange:
    """Sums spelled out: `seven plus five`."""
    a, b = pair(rng, held_out=False, limit=10)
    if rng.random() < 0.5:
        return scruffy(rng, f"{rng.choice(['what is ', 'how much is ', ''])}{UNITS[a]} {rng.choice(['plus', 'and'])} {UNITS[b]}"), worked(a, b, "+") + "."
    if a < b:
        return words(rng)
    return scruffy(rng, f"{rng.choice(['what is ', 'how much is ', ''])}{UNITS[a]} minus {UNITS[b]}"), worked(a, b, "-") + "."


def story_sum(rng: random.Random, held_out: bool = False) -> Exchange:
    a, b = pair(rng, held_out, rng.choice([10, 20, 50, 99]))
    thing, name = rng.choice(THINGS), rng.choice(["I", given_name(rng)])
    has, gives, gets, does = ("have", "give away", "get", "do") if name == "I" else ("has", "gives away", "gets", "does")
    again = "I" if name == "I" else rng.choice(["he", "she", name])
    if rng.random() < 0.5:
        told = spin(rng, "{n} {h} {a} {t}[ and|. {A}] [{g}|{g}|{buy}|{find}] {b} more[ {t}|]. ", n=name, h=has, a=a, t=thing, A=again.capitalize(), g=gets, b=b,
                    buy="buy" if name == "I" else "buys", find="find" if name == "I" else "finds")
        asked = spin(rng, "How many [{t} |]{d} {A} have[| now| in total| altogether]?", t=thing, d=does, A=again)
        return told + asked, f"{worked(a, b, '+')}, so {'you have' if name == 'I' else name + ' has'} {a + b} {thing}."
    a, b = (a, b) if a >= b or is_held_out(b, a) != held_out else (b, a)
    if a < b:
        return story_sum(rng, held_out)
    told = spin(rng, "{n} {h} {a} {t}[ and|. {A}] [{g}|{g}|{lose}|{sell}] {b}[ of them|]. ", n=name, h=has, a=a, t=thing, A=again.capitalize(), g=gives, b=b,
                lose="lose" if name == "I" else "loses", sell="sell" if name == "I" else "sells")
    asked = spin(rng, "How many[ {t}|] [are left|{d} {A} have left|remain]?", t=thing, d=does, A=again)
    return told.replace(". ", ", ", 1) + asked[0].lower() + asked[1:] if rng.random() < 0.3 else told + asked, f"{worked(a, b, '-')}, so {a - b} {thing} are left."


def count_items(rng: random.Random) -> Exchange:
    items = rng.sample(THINGS + CITIES, rng.randint(1, 9))
    shape = rng.random()
    listed = ", ".join(items) if shape < 0.4 else join_words(items) if shape < 0.6 else "\n" + "\n".join(f"- {item}" for item in items)
    asked = rng.choice(["How many items are in this list", "Count the items", "How many items are there", "How many things are listed here", "Count the items in the list"])
    # Numbering the items while counting is what makes the count right.
    numbered = ", ".join(f"{index} {item}" for index, item in enumerate(items, 1))
    noun = "item" if len(items) == 1 else "items"
    return f"{asked}: {listed}", f"{numbered}. There {'is' if len(items) == 1 else 'are'} {len(items)} {noun}."


def counting(rng: random.Random) -> Exchange:
    first, last = (1, rng.randint(3, 20)) if rng.random() < 0.7 else ((start := rng.randint(1, 90)), start + rng.randint(2, 9))
    asked = f"to {last}" if first == 1 and rng.random() < 0.5 else f"from {first} to {last}"
    return scruffy(rng, f"{rng.choice(['count', 'please count', 'can you count', 'count up'])} {asked}"), ", ".join(map(str, range(first, last + 1))) + "."


SUMS = [addition] * 7 + [subtraction] * 7 + [product] * 4 + [division] + [story_sum] * 4 + [double_or_half, next_number, larger, words, count_items, count_items, counting]


def sums(rng: random.Random) -> Exchange:
    return rng.choice(SUMS)(rng)
