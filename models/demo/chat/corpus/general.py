"""A little general knowledge, and the polite refusal of everything else."""

import random

from .exchange import Exchange, scruffy
from .values import MONTHS, WEEKDAYS, city, company, full_name, pick, spin, word, year

CAPITALS = dict(
    pair.split(":") for pair in (
        "France:Paris,Germany:Berlin,Italy:Rome,Spain:Madrid,Portugal:Lisbon,Austria:Vienna,Poland:Warsaw,Greece:Athens,Norway:Oslo,"
        "Sweden:Stockholm,Denmark:Copenhagen,Finland:Helsinki,Ireland:Dublin,Belgium:Brussels,Hungary:Budapest,Estonia:Tallinn,"
        "Latvia:Riga,Lithuania:Vilnius,Croatia:Zagreb,Bulgaria:Sofia,Romania:Bucharest,Japan:Tokyo,China:Beijing,Canada:Ottawa,"
        "England:London,Switzerland:Bern,Luxembourg:Luxembourg,Slovenia:Ljubljana,Egypt:Cairo,Russia:Moscow"
    ).split(",")
)
OPPOSITES = dict(
    pair.split(":") for pair in (
        "hot:cold,big:small,up:down,day:night,fast:slow,open:closed,old:new,light:dark,happy:sad,left:right,high:low,long:short,"
        "early:late,hard:soft,full:empty,rich:poor,good:bad,true:false,strong:weak,first:last,wet:dry,black:white,yes:no,in:out,love:hate,start:end"
    ).split(",")
)
UNKNOWN = [
    "who [won|invented|discovered|painted|wrote|composed|founded|directed|designed] [the {w}|the world cup in {y}|the telephone|{W}|the first car|the Mona Lisa|Hamlet|the light bulb|the radio|the race of {y}|that song]",
    "what [happened|changed|was invented|was discovered] in [{y}|{C} in {y}|{W}|Rome in {y}]",
    "[write|give me|make|create] [a program in Python|code for sorting|a Java class|a function that computes primes|a web page|an essay about {w}|a recipe for bread|a business plan|a song about {w}|a regular expression|an SQL query]",
    "how do I [cook rice|bake bread|fix my car|learn the piano|lose weight|learn French|grow tomatoes|build a house|get to {C}|write a book|tie a tie|invest money|repair a bike]",
    "[translate|how do you say] [{w}|good morning|I am hungry|the house is red|where is the station] [to|in|into] [French|German|Spanish|Latin|Chinese|Polish]",
    "[what is|tell me|explain|define|describe] [quantum physics|the speed of light|photosynthesis|gravity|black holes|the {w}|democracy|inflation|the stock price of {K}|{w}|DNA|a {w}|the population of {C}|the theory of relativity|blockchain|evolution]",
    "who is [the president|the king|the mayor of {C}|{N}|the president of {C}|the prime minister|Shakespeare|Einstein|the CEO of {K}|Napoleon|Beethoven]",
    "what do you know about [{N}|{K}|{C}|football|history|cars|{w}|the Romans|space|chemistry|the moon|elephants]",
    "[which|what] is the [highest mountain|longest river|largest country|best film|biggest ocean|fastest animal|tallest building|best phone|population of {C}|distance to the moon|boiling point of iron|latest news]",
    "[how far|how high|how deep|how heavy|how old|how big] is [the moon|the sun|{C}|a whale|the ocean|the Eiffel tower|the universe|the earth]",
    "[where is|when was|why is|when did] [{W}|{K} founded|the great wall built|the war start|{N} born|grass green|the sea salty|my phone|{C} built]",
    "[should I buy|recommend me|can you recommend|which is better:] [a car|a book|a film|shares of {K}|cats or dogs|a good restaurant|a laptop|tea or coffee]",
    "[can you|please] [book a flight|call me|send an email to {N}|order a pizza|search the web|draw a picture|play music|set an alarm|open the door|browse the internet|read my files]",
    "what is the [recipe for|price of|history of|meaning of|weight of|formula of] [{w}|bread|gold|{C}|oil|water|a {w}|salt]",
    "[tell me|explain] [how|why] [{w} works|planes fly|the heart works|it rains|we sleep|a {w} is made|engines work|the moon shines|birds sing]",
]
REFUSALS = [
    "I do not know that. I am a small demo model.",
    "I am sorry, I do not know that. I am only a small demo model.",
]


def unknown(rng: random.Random) -> Exchange:
    question = pick(rng, UNKNOWN, w=word(rng), W=word(rng).capitalize(), y=year(rng), C=city(rng), N=full_name(rng), K=company(rng))
    return scruffy(rng, question), rng.choice(REFUSALS)


def capital(rng: random.Random) -> Exchange:
    question = "[what is|what's|tell me|name|do you know] the capital[| city] of {c}"
    if rng.random() < 0.2:
        return scruffy(rng, spin(rng, question, c=word(rng).capitalize())), rng.choice(REFUSALS)
    country = rng.choice(list(CAPITALS))
    return scruffy(rng, spin(rng, question, c=country)), f"The capital of {country} is {CAPITALS[country]}."


def opposite(rng: random.Random) -> Exchange:
    first = rng.choice(list(OPPOSITES))
    return scruffy(rng, spin(rng, "[what is|what's|tell me|name] the opposite of {w}", w=first)), f"The opposite of {first} is {OPPOSITES[first]}."


def calendar(rng: random.Random) -> Exchange:
    names = rng.choice([WEEKDAYS, MONTHS])
    index, after = rng.randrange(len(names)), rng.random() < 0.5
    asked, step = ("after", 1) if after else ("before", -1)
    kind = "day" if names is WEEKDAYS else "month"
    answer = names[(index + step) % len(names)]
    return scruffy(rng, f"{rng.choice(['what', 'which'])} {kind} {rng.choice(['comes', 'is'])} {asked} {names[index]}"), f"{answer} comes {asked} {names[index]}."


def general_question(rng: random.Random) -> Exchange:
    return rng.choice([unknown, unknown, capital, opposite, calendar])(rng)
