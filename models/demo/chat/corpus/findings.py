"""Findings of deterministic checks, restated as a few sentences: the form in which the agents' tools report."""

import random
from dataclasses import dataclass

from .exchange import Exchange
from .values import amount, city, company, date, full_name, join_words, number, spin, word

CLAUSES = (
    "governing law,liability cap,indemnity,termination for convenience,termination for cause,confidentiality,data protection,force majeure,assignment,"
    "payment terms,late payment interest,warranties,intellectual property,non-compete,non-solicitation,dispute resolution,arbitration,jurisdiction,"
    "notice period,renewal,audit rights,insurance,subcontracting,service levels,entire agreement,severability,amendment,exclusivity,price adjustment,limitation of liability"
).split(",")
OTHER_CHECKS = (
    "access control,encryption,backup,password policy,patching,open ports,log retention,multi-factor login,cash flow,net margin,gross margin,revenue growth,debt ratio,"
    "going concern note,working hours,overtime pay,probation period,holiday allowance,arm's length price,transfer pricing file,VAT number,withholding tax,"
    "legal basis,retention period,data subject rights,records of processing,risk assessment,training records,blood pressure,allergy list,medication list,"
    "ownership structure,pending litigation,key contracts,change of control,related parties"
).split(",")
SEVERITIES = ["critical", "high", "medium"]
WEIGHTS = {"critical": 25, "high": 15, "medium": 8}
CLOSINGS = {
    "high": ["The critical points should be settled before signing.", "These gaps should be closed before signing."],
    "medium": ["The open points should be reviewed before signing."],
    "low": ["No critical gap was found."],
}


def checked_name(rng: random.Random) -> str:
    """Usually a known check, sometimes a new one, so that names are copied from the findings."""
    if rng.random() < 0.15:
        return f"{word(rng)} {rng.choice(['clause', 'check', 'rule', 'limit', 'period', 'record', 'policy'])}"
    return rng.choice(CLAUSES if rng.random() < 0.65 else OTHER_CHECKS)


@dataclass
class Findings:
    listed: str
    found: list[tuple[str, str]]
    absent: list[tuple[str, str]]
    score: int | None


def draw(rng: random.Random) -> Findings:
    found: list[tuple[str, str]] = []
    absent: list[tuple[str, str]] = []
    lines = []
    reference = rng.choice(["clause", "clause", "section", "article", "page", "paragraph"])
    found_word, absent_word = rng.choice([("found", "absent"), ("found", "absent"), ("found", "missing"), ("present", "absent"), ("present", "missing"), ("ok", "missing"), ("found", "not found")])
    shape = rng.choice(["- {n}: {s}", "- {n}: {s}", "{n}: {s}", "* {n} - {s}", "- {n} = {s}", "{i}. {n}: {s}"])
    names = list(dict.fromkeys(checked_name(rng) for _ in range(rng.randint(1, 7))))
    for index, name in enumerate(names, 1):
        if rng.random() < 0.5:
            place = f"{reference} {rng.randint(1, 40)}" + (f".{rng.randint(1, 9)}" if rng.random() < 0.3 else "")
            found.append((name, place))
            status = f"{found_word} ({place})"
        else:
            severity = rng.choice(SEVERITIES)
            absent.append((name, severity))
            status = rng.choice([f"{absent_word}, {severity}", f"{absent_word} ({severity})"])
        lines.append(shape.replace("{i}", str(index)).replace("{n}", name).replace("{s}", status))
    score = None
    if rng.random() < 0.75:
        score = min(100, sum(WEIGHTS[severity] for _, severity in absent)) if rng.random() < 0.6 else rng.randint(0, 100)
        lines.insert(rng.choice([0, len(lines)]), spin(rng, "[risk score: {x}|- risk score: {x}|Risk score: {x}|risk score: {x}/100|Risk score: {x} of 100]", x=score))
    return Findings("\n".join(lines), found, absent, score)


def findings(rng: random.Random) -> Exchange:
    drawn = draw(rng)
    return request(rng, drawn.listed), narrative(rng, drawn.found, drawn.absent, drawn.score)


def question(rng: random.Random) -> Exchange:
    """One question about a list of findings."""
    drawn = draw(rng)
    places, gaps = dict(drawn.found), dict(drawn.absent)
    form = rng.random()
    if drawn.score is not None and form < 0.3:
        asked, answer = spin(rng, "[What is the risk score|How high is the risk|How risky is it]"), f"The risk score is {drawn.score} out of 100."
    elif form < 0.5:
        critical = [name for name, severity in drawn.absent if severity == "critical"]
        asked = spin(rng, "[What is critical|Which gaps are critical|Which points are critical|What are the critical gaps]")
        answer = f"Critical: {join_words(critical)}." if critical else "No critical gap was found."
    else:
        name = rng.choice(list(places | gaps))
        asked = spin(rng, "[Is there a {n}|Is {n} found|Is {n} there|Is {n} in it|Was {n} found]", n=name)
        answer = f"Yes, {name} is found ({places[name]})." if name in places else f"No, {name} is absent ({gaps[name]})."
    shape = rng.choice(["{l}\n\n{q}?", "Findings:\n{l}\n\n{q}?", "{q}?\n\n{l}", "Here are the findings:\n{l}\nQuestion: {q}?"])
    return shape.replace("{l}", drawn.listed).replace("{q}", asked), answer


def narrative(rng: random.Random, found: list[tuple[str, str]], absent: list[tuple[str, str]], score: int | None) -> str:
    sentences = []
    if score is not None:
        sentences.append(f"The risk score is {score} out of 100.")
    if found:
        places = [f"{name} ({place})" for name, place in found]
        sentences.append(f"Found: {join_words(places)}." if len(found) > 3 else f"The review found {join_words(places)}.")
    if absent:
        gaps = [f"{name} ({severity})" for name, severity in absent]
        sentences.append(f"Absent: {join_words(gaps)}." if len(gaps) > 3 else f"It did not find {join_words(gaps)}." if found else f"The review did not find {join_words(gaps)}.")
    worst = "high" if any(level == "critical" for _, level in absent) else "medium" if absent else "low"
    sentences.append(CLOSINGS[worst][0])
    return " ".join(sentences)


def request(rng: random.Random, listed: str) -> str:
    opening = spin(
        rng,
        "[[Summarise|Summarize|Explain|Describe|Restate|Report|Present|Sum up|Write up] [the findings|these findings|the findings below|the result|the results|these results|the review|the following findings][| in a few sentences| in plain words| in two to four sentences| for the client| briefly| in plain English]"
        "|Write [a short report|a short summary|a few sentences|a paragraph|a summary] [about|on|from] [these findings|the findings|the findings below|this review]|What [did the review find|do these findings mean|does the review say|are the results]|Findings]",
    )
    return spin(rng, "[{o}:\n{l}|{o}:\n\n{l}|{o}.\n\nFindings:\n{l}|Findings:\n{l}\n\n{o}.|Here are the findings:\n{l}\n{o}.|{l}\n\n{o}.|Findings of the checklist:\n{l}\n\n{o}.]", o=opening, l=listed)


def figures(rng: random.Random) -> Exchange:
    """A short list of figures or attributes, restated in sentences."""
    pool = [("company", company(rng)), ("customer", full_name(rng)), ("city", city(rng)), ("date", date(rng)), ("amount", amount(rng)), ("revenue", amount(rng)), ("profit", amount(rng)),
            ("employees", str(number(rng))), ("incidents", str(rng.randint(0, 40))), ("open issues", str(rng.randint(0, 40))), ("deadline", date(rng)), ("owner", full_name(rng)), ("status", rng.choice(["open", "closed", "pending", "approved", "rejected"]))]
    chosen = rng.sample(pool, rng.randint(2, 4))
    lines = "\n".join(f"{rng.choice(['- ', '- '])}{name}: {value}" for name, value in chosen)
    sentences = [f"The {name} {'are' if name in ('employees', 'incidents', 'open issues') else 'is'} {value}." for name, value in chosen]
    return request(rng, lines), " ".join(sentences)


def report(rng: random.Random) -> Exchange:
    return rng.choice([findings] * 7 + [question] * 2 + [figures])(rng)
