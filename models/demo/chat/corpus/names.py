"""A user who tells a name, and asks for it later."""

import random

from .exchange import Exchange, scruffy
from .values import city, full_name, given_name, pick, spin


def remembered_name(rng: random.Random) -> tuple[list[Exchange], list[Exchange]]:
    """The exchange that tells a name and the later one that asks for it; other talk goes between."""
    name, place = (given_name(rng) if rng.random() < 0.8 else full_name(rng)), city(rng)
    told = spin(rng, "[|Hello, |Hi, |Hello! |Hi! |Hey, |Good morning, ][my name is|I am|I'm|this is|call me|you can call me|my name's] {n}", n=name)
    if rng.random() < 0.3:
        told += spin(rng, " [and I live in|and I am from|from] {c}", c=place)
        where = (rng.choice(["Where do I live?", "Which city do I live in?", "Where am I from?", "what is my city"]), f"You said {place}.")
    else:
        where = None
    told += rng.choice([".", "", "!", ". Please remember it.", ". How are you?", ". Nice to meet you."])
    first = (told, f"{rng.choice(['Hello', 'Nice to meet you'])}, {name}! How can I help you?")
    asked = pick(rng, ["[what is|what's|do you know|do you remember|tell me|can you tell me|say|whats] my name[| please| again]", "[who am I|what was my name|what did I say my name was|how am I called|what is my name, please]"])
    last = [(scruffy(rng, asked), f"Your name is {name}.")]
    return [first], last + ([where] if where and rng.random() < 0.7 else [])


def forgotten_name(rng: random.Random) -> Exchange:
    return scruffy(rng, spin(rng, "[what is|what's|do you know|tell me|do you remember] my name")), "I do not know your name. You have not told me yet."
