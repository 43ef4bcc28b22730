"""Random values: names, places, companies, dates, amounts and the choice syntax all templates are written in.

Values come from syllables and digits, so that almost every one is new: the model must copy, it cannot remember.
"""

import random
import re

CHOICE = re.compile(r"\[([^\[\]]*)\]")
SLOT = re.compile(r"\{(\w+)\}")

ONSETS = "b d f g h j k l m n p r s t v w z b d f g k l m n p r s t v br ch cl dr gr kr st th tr".split()
VOWELS = "a e i o u a e i o u a e i o ai ea ou".split()
CODAS = ["", "", "", "", "", "l", "n", "r", "s", "m", "nd", "rk"]
UNWANTED = ["nig", "naz", "homo", "fag", "dik", "rap", "pis", "kil"]
GIVEN = (
    "Ada Adam Alice Amir Ana Anna Ben Bob Carla Chen Clara Dana David Elena Emma Eric Eva Farid Felix Grace Hana Hugo Ida "
    "Ines Ivan Jack Jana John Jonas Julia Karim Lars Laura Lena Leo Lina Lucas Luis Maria Mark Marta Mary Max Mei Mia Mila "
    "Nadia Nina Noah Nora Olga Omar Oscar Paul Peter Pia Priya Rosa Sam Sara Sofia Stefan Tara Theo Tim Tom Vera Viktor Yara Zoe"
).split()
FAMILY = (
    "Adams Baker Berg Brown Carter Cohen Costa Davis Ek Evans Fischer Garcia Green Hansen Hill Ito Jensen Jones Keller Khan "
    "King Kovac Lee Lind Lopez Meyer Moore Morel Novak Olsen Park Patel Petrov Reed Rossi Sato Silva Smith Stone Tanaka "
    "Taylor Vogel Walker Weber White Wilson Wolf Wood Young Zhang"
).split()
CITIES = (
    "Amsterdam Athens Berlin Bergen Boston Brussels Chicago Cologne Copenhagen Dublin Geneva Hamburg Helsinki Krakow Lisbon "
    "London Lyon Madrid Milan Munich Oslo Paris Porto Prague Riga Rome Seville Sofia Stockholm Tallinn Tokyo Toronto Turin "
    "Vienna Vilnius Warsaw Zagreb Zurich"
).split()
MONTHS = "January February March April May June July August September October November December".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
THINGS = (
    "apples pears books pens chairs lamps coins cards eggs boxes tickets plates cups keys stamps letters stones shells oranges "
    "bottles candles flowers pencils marbles cookies buttons bags hats towels files"
).split()
GOODS = (
    "a desk,two chairs,a printer,a laptop,office supplies,a coffee machine,six monitors,paint,a bicycle,spare parts,cables,"
    "a server rack,consulting,training,cleaning,a licence,a repair,translation work,printed books,wooden shelves"
).split(",")
LEGAL_FORMS = ["Ltd", "GmbH", "Inc", "AG", "LLC", "SA", "BV", "Group", "Partners", "Systems"]
DOMAINS = ["com", "org", "net", "eu", "io", "de", "example"]


def spin(rng: random.Random, template: str, **values: object) -> str:
    """Expand `[a|b]` choices (nested too), then fill `{slots}`."""
    while (match := CHOICE.search(template)) is not None:
        choice = rng.choice(match.group(1).split("|"))
        template = template[: match.start()] + choice + template[match.end() :]
    return SLOT.sub(lambda slot: str(values[slot.group(1)]), template)


def pick(rng: random.Random, templates: list[str], **values: object) -> str:
    return spin(rng, rng.choice(templates), **values)


def word(rng: random.Random, syllables: int = 0) -> str:
    """A pronounceable word that means nothing."""
    count = syllables or rng.choice([1, 2, 2, 2, 3])
    made = "".join(rng.choice(ONSETS) + rng.choice(VOWELS) + rng.choice(CODAS) for _ in range(count))
    return word(rng, syllables) if any(part in made for part in UNWANTED) else made


def given_name(rng: random.Random) -> str:
    return rng.choice(GIVEN) if rng.random() < 0.4 else word(rng).capitalize()


def family_name(rng: random.Random) -> str:
    return rng.choice(FAMILY) if rng.random() < 0.3 else word(rng).capitalize()


def full_name(rng: random.Random) -> str:
    return f"{given_name(rng)} {family_name(rng)}"


def city(rng: random.Random) -> str:
    return rng.choice(CITIES) if rng.random() < 0.5 else word(rng, rng.choice([2, 2, 3])).capitalize()


def company(rng: random.Random) -> str:
    return f"{word(rng, rng.choice([1, 2, 2, 3])).capitalize()} {rng.choice(LEGAL_FORMS)}"


def email(rng: random.Random) -> str:
    left = rng.choice(GIVEN).lower() if rng.random() < 0.4 else word(rng)
    if rng.random() < 0.5:
        left += rng.choice("._-") + (rng.choice(FAMILY).lower() if rng.random() < 0.4 else word(rng))
    elif rng.random() < 0.3:
        left += str(rng.randint(1, 99))
    return f"{left}@{word(rng)}.{rng.choice(DOMAINS)}"


def year(rng: random.Random) -> int:
    return rng.randint(1990, 2035)


def date(rng: random.Random) -> str:
    day, month = rng.randint(1, 28), rng.choice(MONTHS)
    form = rng.random()
    if form < 0.4:
        return f"{day} {month} {year(rng)}"
    if form < 0.65:
        return f"{month} {day}, {year(rng)}"
    if form < 0.9:
        return f"{year(rng)}-{rng.randint(1, 12):02d}-{day:02d}"
    return f"{day:02d}/{rng.randint(1, 12):02d}/{year(rng)}"


def number(rng: random.Random) -> int:
    return rng.randint(1, 10 ** rng.randint(1, 5))


def amount(rng: random.Random) -> str:
    value = number(rng)
    digits = f"{value:,}" if rng.random() < 0.6 else str(value)
    if rng.random() < 0.25:
        digits += f".{rng.randint(0, 99):02d}"
    return rng.choice(["{} EUR", "{} euros", "EUR {}", "${}", "{} USD", "{} dollars", "{} pounds", "{} CHF"]).format(digits)


def code(rng: random.Random) -> str:
    """An order, invoice or reference number such as `KX-40718`."""
    letters = "".join(rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(rng.choice([0, 1, 2, 2, 3])))
    digits = "".join(rng.choice("0123456789") for _ in range(rng.randint(3, 7)))
    return f"{letters}{rng.choice(['-', '', '-'])}{digits}" if letters else digits


def phone(rng: random.Random) -> str:
    groups = " ".join("".join(rng.choice("0123456789") for _ in range(rng.choice([2, 3]))) for _ in range(3))
    return f"+{rng.randint(1, 99)} {groups}"


def clock(rng: random.Random) -> str:
    return f"{rng.randint(0, 23):02d}:{rng.choice(['00', '15', '30', '45', '10', '05'])}"


def join_words(items: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]
