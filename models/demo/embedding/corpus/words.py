"""The thesaurus: which words may stand for each other, in all their forms; and words that do not exist."""

import random
from pathlib import Path

HERE = Path(__file__).parent
IRREGULAR_VERBS = dict(
    entry.split(":") for entry in (
        "buy:bought bought,sell:sold sold,get:got got,find:found found,begin:began begun,shut:shut shut,break:broke broken,make:made made,"
        "build:built built,see:saw seen,tell:told told,know:knew known,teach:taught taught,understand:understood understood,send:sent sent,"
        "bring:brought brought,come:came come,leave:left left,go:went gone,pay:paid paid,cost:cost cost,spend:spent spent,put:put put,"
        "keep:kept kept,lose:lost lost,steal:stole stolen,take:took taken,choose:chose chosen,let:let let,forbid:forbade forbidden,"
        "show:showed shown,grow:grew grown,cut:cut cut,hold:held held,hang:hung hung,be:was been,fly:flew flown,drive:drove driven,"
        "run:ran run,swim:swam swum,rent:rented rented,lend:lent lent,have:had had,draw:drew drawn,throw:threw thrown,catch:caught caught,"
        "fall:fell fallen,sit:sat sat,sleep:slept slept,wake:woke woken,eat:ate eaten,drink:drank drunk,freeze:froze frozen,sew:sewed sewn,"
        "sow:sowed sown,feed:fed fed,hurt:hurt hurt,bleed:bled bled,wed:wed wed,split:split split,sue:sued sued,give:gave given,meet:met met,"
        "say:said said,speak:spoke spoken,write:wrote written,read:read read,think:thought thought,forget:forgot forgotten,hear:heard heard,"
        "weep:wept wept,shed:shed shed,win:won won,beat:beat beaten,sing:sang sung,shoot:shot shot,hide:hid hidden,burn:burnt burnt,"
        "blow:blew blown,shine:shone shone,shrink:shrank shrunk,set:set set,flee:fled fled,strike:struck struck,fight:fought fought,"
        "ring:rang rung,rise:rose risen,do:did done,learn:learnt learnt,quit:quit quit,become:became become,lead:led led,burst:burst burst,"
        "undo:undid undone,withdraw:withdrew withdrawn,stand:stood stood,wear:wore worn,stick:stuck stuck,tear:tore torn,swallow:swallowed swallowed"
    ).split(",")
)
IRREGULAR_NOUNS = {"child": "children", "man": "men", "woman": "women", "person": "people", "wife": "wives", "foot": "feet", "tooth": "teeth", "mouse": "mice", "knife": "knives", "loaf": "loaves", "leaf": "leaves", "shelf": "shelves", "bookshelf": "bookshelves", "life": "lives", "fish": "fish", "sheep": "sheep", "aircraft": "aircraft", "scarf": "scarves", "thief": "thieves", "half": "halves"}
DOUBLED = {"stop", "plan", "chop", "drop", "tap", "swap", "ban", "wrap", "fit", "hit", "get", "put", "cut", "let", "sit", "run", "swim", "win", "begin", "forget", "set", "hop", "jog", "drag", "rob", "grab", "bar", "cap", "split", "opt", "clip", "wed", "nod", "beg", "log", "step", "grip", "scan", "dip", "flip", "prefer", "occur", "cancel", "travel"} - {"opt"}
IRREGULAR = {base: forms.split() for base, forms in IRREGULAR_VERBS.items()}


def verb_forms(phrase: str) -> list[str]:
    """Base, third person, past, participle, -ing; of a phrase, its first word changes."""
    base, _, rest = phrase.partition(" ")
    vowel = len(base) > 1 and base[-2] in "aeiou"
    if base == "be":
        forms = ["be", "is", "was", "been", "being"]
    else:
        soft = base[-1] == "y" and not vowel
        third = base[:-1] + "ies" if soft else base + ("es" if base.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")
        third = "has" if base == "have" else third
        stem = base + base[-1] if base in DOUBLED else base[:-1] if base.endswith("e") and not base.endswith("ee") else base
        regular = base[:-1] + "ied" if soft else stem + "ed"
        past, participle = IRREGULAR.get(base, [regular, regular])
        forms = [base, third, past, participle, (base[:-2] + "y" if base in ("die", "lie") else stem) + "ing"]
    return [f"{form} {rest}".strip() for form in forms]


def plural(phrase: str) -> str:
    """Of a phrase with a preposition, the word before it changes."""
    words = phrase.split()
    last = next((index - 1 for index, word in enumerate(words) if index and word in ("of", "to", "from", "for", "with", "in", "on", "between", "after")), len(words) - 1)
    word = words[last]
    if word in IRREGULAR_NOUNS:
        words[last] = IRREGULAR_NOUNS[word]
    elif word.endswith("y") and word[-2:-1] not in "aeiou":
        words[last] = word[:-1] + "ies"
    elif not word.endswith("s") or word.endswith("ss"):
        words[last] = word + ("es" if word.endswith(("ss", "sh", "ch", "x")) else "s")
    return " ".join(words)


def read_lines(name: str) -> list[str]:
    """Reads the lines of a file in this folder, without comments and blank lines."""
    return [line.strip() for line in (HERE / name).read_text().splitlines() if line.strip() and not line.startswith("#")]


def build_thesaurus() -> list[list[str]]:
    """Groups of words with one meaning and one form."""
    groups = []
    for line in read_lines("verbs.txt"):
        groups += [list(group) for group in zip(*(verb_forms(phrase) for phrase in line.split(", ")))]
    for line in read_lines("nouns.txt"):
        words = line.split(", ")
        groups += [words, [plural(word) for word in words]]
    groups += [line.split(", ") for name in ("adjectives.txt", "phrases.txt") for line in read_lines(name)]
    return groups


GROUPS = build_thesaurus()
LONGEST = 6
SYNONYMS: dict[str, list[list[str]]] = {}
for _group in GROUPS:
    for _word in _group:
        SYNONYMS.setdefault(_word, []).append(_group)


def exchange(text: str, share: float, rng: random.Random) -> str:
    """A share of the words and phrases that have a synonym changes into one."""
    words, out, at = text.split(), [], 0
    while at < len(words):
        for length in range(min(LONGEST, len(words) - at), 0, -1):
            phrase = " ".join(words[at : at + length])
            groups = SYNONYMS.get(phrase)
            if groups and rng.random() < share:
                out.append(rng.choice(rng.choice(groups)))
                at += length
                break
        else:
            out.append(words[at])
            at += 1
    return " ".join(out)


ONSETS = "b br c ch cl d dr f fl g gr h j k kl l m n p pl pr qu r s sh sk sl st t th tr v w y z".split()
VOWELS = "a e i o u a e i o ai ea ee ie oo ou".split()
CODAS = " n r l s t k m d ck nd ng nt rt st x".split(" ")


def invented_word(rng: random.Random) -> str:
    """A name or a word that nobody knows: all a model can do is find it again."""
    return "".join(rng.choice(ONSETS) + rng.choice(VOWELS) + rng.choice(CODAS) * (rng.random() < 0.6) for _ in range(rng.choice((1, 2, 2, 3))))
