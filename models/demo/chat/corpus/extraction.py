"""Short texts with known facts: extract one, several as JSON, answer yes or no, quote, summarise."""

import json
import random
from dataclasses import dataclass

from . import values as v
from .exchange import Exchange
from .values import spin


@dataclass
class Passage:
    text: str
    facts: dict[str, str]
    summary: str


FORMS: list[tuple[list[str], list[str]]] = [
    (["On {date}, {name} [ordered|bought] {goods} from {company} for {amount}. The order number is {order_number}.",
      "{name} from {city} [ordered|bought] {goods} on {date}. The [price was|total was|total is] {amount} and the order number is {order_number}.",
      "Order {order_number}: {name} [ordered|bought] {goods} for {amount} on {date}.",
      "Your order {order_number} for {goods} was [shipped|sent] to {name} in {city} on {date}. The total is {amount}."],
     ["{name} bought {goods} for {amount}."]),
    (["Dear team, my name is {name} and I live in {city}. Please write to me at {email} or call {phone}.",
      "Hello, this is {name} from {company}. You can reach me at {email}[.| or by phone at {phone}.] [Best regards|Kind regards|Regards], {name}",
      "Contact: {name}, {company}, {city}. Email: {email}. Phone: {phone}.",
      "{name} works for {company} in {city} and can be reached at {email}."],
     ["{name} can be reached at {email}."]),
    (["Invoice {invoice_number} from {company}, dated {date}, is for {amount}[ and is due on {due_date}|]. It was sent to {name} in {city}.",
      "{company} sent invoice {invoice_number} over {amount} to {name} on {date}.",
      "We have not yet received {amount} for invoice {invoice_number} of {date}. Please pay soon. {name}, {company}",
      "Invoice number: {invoice_number}\nDate: {date}\nCompany: {company}\nCustomer: {name}\nAmount: {amount}"],
     ["{company} sent {name} an invoice for {amount}."]),
    (["The meeting with {name} takes place in {city} on {date} at {time}.",
      "{name} [will visit|visits|is coming to] {city} on {date} at {time}[ to talk about {goods}|].",
      "Reminder: your appointment with {name} is on {date} at {time} in {city}.",
      "On {date} at {time}, {name} will meet {company} in {city}[ about {goods}|]."],
     ["{name} has a meeting in {city} on {date}."]),
    (["This agreement is made on {date} between {company} and {name}. The fee is {amount}. It is governed by the law of {city}.",
      "This contract between {company} and {name}, signed in {city}, starts on {date}. The yearly fee is {amount}.",
      "{company} and {name} agree as follows. The term begins on {date}. The price is {amount}. The place of delivery is {city}."],
     ["{company} and {name} made an agreement for {amount}."]),
    (["{name} joined {company} in {city} on {date} with a salary of {amount}.",
      "{company} hired {name} on {date}. The salary is {amount} and the office is in {city}.",
      "{name} was born in {city} on {date} and now works for {company}.",
      "{name} left {company} on {date} and moved to {city}."],
     ["{name} works for {company}."]),
    (["{company} of {city} reported a profit of {amount} on {date}, said {name}.",
      "On {date} {company} opened an office in {city}. It cost {amount}. The head of the office is {name}.",
      "{company} sold its shop in {city} to {name} for {amount} on {date}."],
     ["{company} is active in {city}."]),
    (["Patient {name}, born {date}, came to the clinic in {city} on {due_date}. The record number is {record_number}.",
      "Ticket {ticket_number} was opened by {name} on {date} at {time}. Reply to {email}.",
      "Parcel {tracking_number} for {name} arrived in {city} on {date} at {time}."],
     ["This is about {name}."]),
]
MAKERS = {
    "name": v.full_name, "date": v.date, "due_date": v.date, "amount": v.amount, "company": v.company, "city": v.city, "email": v.email,
    "phone": v.phone, "time": v.clock, "order_number": v.code, "invoice_number": v.code, "record_number": v.code, "ticket_number": v.code, "tracking_number": v.code,
}
PADDING = [
    "[The weather was mild that week.|All other terms stay as they are.|Please keep this message for your records.|Nothing else was agreed.]",
    "[We thank you for your trust.|This text is for information only.|There were no further questions.|A copy is kept on file.]",
    "[The delivery takes about two weeks.|Everyone was pleased with the result.|Please reply soon.|The details follow later.]",
]
ALSO_CALLED = {
    "name": "name|name|name|full name|person|name of the person|customer name|person's name", "amount": "amount|amount|amount|price|sum|total amount|money amount",
    "email": "email|email|email address|e-mail address|mail address", "company": "company|company|company name|name of the company|organisation", "city": "city|city|place|town|location",
    "phone": "phone number|phone|telephone number", "time": "time|time of day", "date": "date|date|date mentioned",
}


def passage(rng: random.Random) -> Passage:
    templates, summaries = rng.choice(FORMS)
    facts = {key: make(rng) for key, make in MAKERS.items()}
    facts["name"] = v.full_name(rng) if rng.random() < 0.85 else v.given_name(rng)
    slots = facts | {"goods": rng.choice(v.GOODS)}
    template = rng.choice(templates)
    text = spin(rng, template, **slots)
    present = {key: value for key, value in facts.items() if f"{{{key}}}" in template and value in text}
    summary = spin(rng, rng.choice(summaries), **slots)
    for sentence in PADDING:
        if rng.random() < 0.12:
            text = f"{text} {spin(rng, sentence)}" if rng.random() < 0.6 else f"{spin(rng, sentence)} {text}"
    return Passage(text, present, summary)


def ask_over(rng: random.Random, request: str, text: str) -> str:
    """Put the request before or after the text, in one of the usual layouts."""
    request = request if rng.random() < 0.85 else request.lower()
    return spin(rng, "[{r}: {t}|{r}:\n{t}|{r}:\n\n{t}|{r}.\n\nText: {t}|{t}\n\n{r}.|{r}: \"{t}\"|Text: {t}\n{r}.|{r}.\n{t}]", r=request, t=text)


def called(rng: random.Random, key: str) -> str:
    return rng.choice(ALSO_CALLED.get(key, key.replace("_", " ")).split("|"))


def extract_one(rng: random.Random) -> Exchange:
    given = passage(rng)
    key = rng.choice(list(given.facts))
    request = spin(rng, "[[Extract|Extract|Find|Give me|Return|Get|Copy|Tell me] the {k}[| from this text| from the text| from the following text| in this text| from the text below| in the text]"
                        "|Extract the {k} from this text|Extract the {k}]", k=called(rng, key))
    return ask_over(rng, request, given.text).replace("?.", "?"), given.facts[key]


def extract_missing(rng: random.Random) -> Exchange:
    given = passage(rng)
    key = rng.choice([key for key in ALSO_CALLED if key not in given.facts])
    return ask_over(rng, f"Extract the {called(rng, key)} from this text", given.text), "The text does not say."


def extract_json(rng: random.Random) -> Exchange:
    given = passage(rng)
    count = min(len(given.facts), rng.choice([1, 2, 2, 3, 3, 4]))
    keys = rng.sample(list(given.facts), count)
    fields = {key: given.facts[key] for key in keys}
    listed = rng.choice([v.join_words(list(fields)), ", ".join(fields), v.join_words([f"the {key.replace('_', ' ')}" for key in keys])])
    request = spin(rng, "[Extract|Extract|Return|Give me|Get] {l} [as JSON|as JSON|as a JSON object|in JSON|as compact JSON|in JSON form][| from this text| from the text| from the following text]", l=listed)
    return ask_over(rng, request, given.text), json.dumps(fields, ensure_ascii=False)


def question(rng: random.Random) -> Exchange:
    """A natural question about one fact, answered by a short sentence."""
    given = passage(rng)
    facts = given.facts
    asked = {
        "date": "[What is the date|Which date is given|What date is mentioned]|The date is {a}.", "amount": "[How much is it|What is the amount|How much money is it about|What does it cost]|The amount is {a}.",
        "city": "[Which city is mentioned|Where is it|What is the city]|The city is {a}.", "company": "[Which company is mentioned|What is the company called|Which company is it]|The company is {a}.",
        "name": "[Who is mentioned|Which person is mentioned|Who is it about|What is the person called]|The name is {a}.", "email": "[What is the email address|Where can I write to]|The email address is {a}.",
        "time": "[At what time|What time is it at]|The time is {a}.",
    }
    key = rng.choice([key for key in facts if key in asked] or ["name"])
    if key not in facts:
        return extract_one(rng)
    ask, answer = asked[key].rsplit("|", 1)
    ask = spin(rng, ask)
    shape = rng.choice(["{t}\n\n{q}?", "{t} {q}?", "Text: {t}\nQuestion: {q}?", "Read this text and answer. {t}\n\n{q}?", "{q}?\n\n{t}", "Context: {t}\n\nQuestion: {q}?\nAnswer:"])
    return shape.replace("{t}", given.text).replace("{q}", ask), answer.replace("{a}", facts[key])


def yes_or_no(rng: random.Random) -> Exchange:
    given = passage(rng)
    key = rng.choice([key for key in given.facts if key in ("date", "amount", "city", "company", "name")])
    value, true = given.facts[key], rng.random() < 0.5
    shown = value if true else MAKERS[key](rng)
    ask = {
        "date": "[Is the date {x}|Is the date given as {x}]", "amount": "[Is the amount {x}|Is the sum {x}]",
        "city": "[Is the city {x}|Is it in {x}]", "company": "[Is the company {x}|Is the company called {x}]",
        "name": "[Is the name {x}|Is it about {x}]",
    }[key]
    ask = spin(rng, ask, x=shown)
    noun = key
    answer = f"Yes, the {noun} is {value}." if shown == value else f"No, the {noun} is {value}."
    shape = rng.choice(["{t}\n\n{q}?", "{t} {q}?", "Text: {t}\nQuestion: {q}?", "{q}?\n\n{t}", "Answer yes or no. {q}?\n\n{t}", "Read this: {t}\n\n{q}? Answer yes or no."])
    return shape.replace("{t}", given.text).replace("{q}", ask), answer


def summarise(rng: random.Random) -> Exchange:
    given = passage(rng)
    request = spin(rng, "[[Summarise|Summarize|Sum up|Shorten] [this text|the text|this|the following text|the following][| in one sentence| in one short sentence| briefly]|Give me a [short|one-sentence] summary]")
    return ask_over(rng, request, given.text), given.summary


SENTENCE_PARTS = (
    "the [old|new|small|red|quiet|broken|green|long|last] [bridge|door|letter|garden|ship|tower|book|train|window|market|road|contract|report|server|key]",
    "[was closed|opened|arrived|stood|fell|was sold|was painted|was signed|was sent|was lost|was found|ended|began]",
    "[before the storm|near the river|in the morning|without a sound|after the war|for a small price|at the edge of the town|on the hill|under the snow|two days late|in silence|by mistake]",
)


def sentence(rng: random.Random) -> str:
    text = " ".join(spin(rng, part) for part in SENTENCE_PARTS)
    if rng.random() < 0.3:
        text += f" {rng.choice(['by', 'for', 'with'])} {v.given_name(rng)}"
    return text[0].upper() + text[1:]


def repeat(rng: random.Random) -> Exchange:
    """Say exactly this: copying of words, codes, sentences and nonsense."""
    form = rng.random()
    copied = (
        sentence(rng) + rng.choice([".", ""]) if form < 0.4
        else " ".join(v.word(rng) for _ in range(rng.randint(1, 6))) if form < 0.7
        else rng.choice([v.code, v.full_name, v.email, v.date, v.amount, v.company])(rng) if form < 0.85
        else rng.choice(["This is a test", "ok", "yes", "Hello", "ready", "pong", "done", "no", "hello world", "Hello, world!", "test", "I am here", "OK", "apple", "banana", "blue"])
    )
    request = spin(rng, "[Say|Repeat|Repeat after me|Please say|Write|Say exactly|Respond with|Reply with|Reply exactly with|Reply with only|Repeat this|Copy this|Repeat the following|Answer with|Respond only with|Output|Just say|Echo|Return exactly]")
    if rng.random() < 0.25 and form > 0.3:
        request += rng.choice([" the word", " the words", " this text"])
    quoted = spin(rng, "[ {c}|: {c}|: \"{c}\"| \"{c}\"|: {c}| '{c}'|:\n{c}]", c=copied)
    return request + quoted, copied


def quote(rng: random.Random) -> Exchange:
    """Quote the sentence of a text that mentions a given name, or the first, or the last one."""
    names = [v.given_name(rng) for _ in range(rng.randint(2, 4))]
    verbs = ["likes {c}", "lives in {c}", "works for {k}", "has {n} {t}", "was born in {y}", "moved to {c}", "paid {a}", "called {p}", "sold {n} {t}", "lost {t}"]
    lines = [f"{name} " + spin(rng, rng.choice(verbs), c=v.city(rng), k=v.company(rng), n=rng.randint(2, 99), t=rng.choice(v.THINGS), y=v.year(rng), a=v.amount(rng), p=v.given_name(rng)) + "." for name in names]
    index = rng.randrange(len(names))
    form = rng.random()
    if form < 0.25:
        request, index = rng.choice(["Quote the first sentence", "Copy the first sentence", "What is the first sentence"]), 0
    elif form < 0.45:
        request, index = rng.choice(["Quote the last sentence", "Copy the last sentence", "What is the last sentence"]), len(lines) - 1
    else:
        request = spin(rng, "[Quote the sentence about|Which sentence mentions|Quote what is said about|Copy the sentence about|What does the text say about] {n}", n=names[index])
    return ask_over(rng, request, " ".join(lines)), lines[index]


def who(rng: random.Random) -> Exchange:
    """Several people, one asked for: binding a value to the right name."""
    names = list(dict.fromkeys(v.given_name(rng) for _ in range(rng.randint(2, 4))))
    kind, make = rng.choice([("lives in", v.city), ("works for", v.company), ("was born in", lambda r: str(v.year(r))), ("paid", v.amount), ("likes", lambda r: r.choice(v.THINGS))])
    told = [make(rng) for _ in names]
    text = " ".join(f"{name} {kind} {value}." for name, value in zip(names, told))
    index = rng.randrange(len(names))
    name, value = names[index], told[index]
    if rng.random() < 0.5 and told.count(value) == 1:
        return f"{text} Who {kind} {value}?", f"{name} {kind} {value}."
    asked = {"lives in": "Where does {n} live", "works for": "Who does {n} work for", "was born in": "When was {n} born", "paid": "How much did {n} pay", "likes": "What does {n} like"}[kind]
    return f"{text} {asked.replace('{n}', name)}?", f"{name} {kind} {value}."


EXTRACTIONS = [extract_one] * 6 + [extract_json] * 4 + [extract_missing, question, question, yes_or_no, yes_or_no, summarise, repeat, repeat, quote, who, who]


def about_text(rng: random.Random) -> Exchange:
    return rng.choice(EXTRACTIONS)(rng)
