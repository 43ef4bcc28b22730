"""Measure the finished GGUF file through llama.cpp: held-out conversations of every class, hand-written questions, tokenizer parity."""

import argparse
import json
import random
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import gguf
import jinja2

import corpus.arithmetic as arithmetic
import corpus.extraction as extraction
import corpus.findings as findings
import corpus.general as general
import corpus.service as service
import corpus.smalltalk as smalltalk
from corpus import Conversation, agent_conversation, chain, conversation, long_conversation, named_user, render, ruled
from corpus.agents import summary_of
from corpus.exchange import Exchange
from corpus.systems import persona, rules
from corpus.tools import tool_conversation
from export import FILE
from tokenizer import BYTES, SPECIAL, with_every_merge

HERE = Path(__file__).parent
SEED = 7_001
ODD_TEXTS = ["naïve café, 5 €, £3", "日本語 and 😀", "  two  spaces\t\ttabs\r\n", "▁under▁", "<|im_start|>", "<|im_end", "<0x41> <unk>", "a\u0301\u00a0\u3000", "العربية Привет αβγ", "\u0000x", "aaaaaaaaaa bananana"]


@dataclass
class Case:
    kind: str
    prompt: str
    accepted: list[str]
    is_loose: bool = False
    """If loose, the answer must contain one of `accepted`, ignoring case; otherwise it must equal one of them."""

    def is_met_by(self, text: str) -> bool:
        return any(part.lower() in text.lower() for part in self.accepted) if self.is_loose else text in self.accepted


def llama(model: Path, node: str, requests: list[dict]) -> list[dict]:
    sent = "".join(json.dumps(request) + "\n" for request in requests)
    ended = subprocess.run([node, str(HERE / "llama.mjs"), str(model)], input=sent, capture_output=True, text=True)
    replies = [json.loads(line) for line in ended.stdout.splitlines()]
    if len(replies) != len(requests):
        raise RuntimeError(f"expected {len(requests)} replies from llama.cpp, got {len(replies)}: {ended.stderr[-2000:]}")
    return replies


def last_answer(kind: str, talk: Conversation, alternatives: list[str] | None = None) -> Case:
    """Return the prompt: everything before the last assistant turn."""
    pieces = render(talk)
    at = max(index for index, (_, own) in enumerate(pieces) if own)
    expected = pieces[at][0].removesuffix("<|im_end|>")
    return Case(kind, "".join(text for text, _ in pieces[:at]), [expected] + (alternatives or []))


def single(kind: str, make: Callable[[random.Random], Exchange]) -> Callable[[random.Random], Case]:
    def case(rng: random.Random) -> Case:
        exchange = make(rng)
        return last_answer(kind, chain(rng, None, [exchange]), same_topic(exchange[1]))

    return case


def same_topic(answer: str) -> list[str]:
    """Return the other correct answers."""
    lists = [answers for _, answers in [*smalltalk.TOPICS.values(), *service.FACTS]] + [general.REFUSALS]
    return [other for answers in lists if answer in answers for other in answers]


def long_system(rng: random.Random) -> Case:
    make = rng.choice([service.fact, arithmetic.addition, extraction.extract_one, findings.findings])
    exchange = make(rng)
    return last_answer("after a long system prompt (about 300 to 700 tokens)", chain(rng, rules(rng, rng.randint(18, 45)), [exchange]), same_topic(exchange[1]))


def long_chat(rng: random.Random) -> Case:
    while True:
        talk = long_conversation(rng)
        if len(talk.messages) < 12:
            continue
        case = last_answer("last turn of 12 to 45 turns", talk)
        if len(case.prompt) < 11_000:
            return Case(case.kind, case.prompt, case.accepted + same_topic(case.accepted[0]))


def held_out(make: Callable[..., Exchange]) -> Callable[[random.Random], Exchange]:
    return lambda rng: make(rng, held_out=True)


def personas(rng: random.Random) -> Case:
    system, exchanges = persona(rng)
    return last_answer("persona from the system prompt", chain(rng, system, exchanges))


def tool_use(rng: random.Random) -> Case:
    declared, messages = tool_conversation(rng)
    last = messages[-1]
    kind = "tool call" if last.get("tool_calls") else "answer from a tool result" if len(messages) > 2 else "tools offered, none needed"
    if kind == "answer from a tool result" and rng.random() < 0.5:
        return last_answer("tool call", Conversation(messages[:-2], declared))
    return last_answer(kind, Conversation(messages, declared), same_topic(str(last["content"])))


CLASSES: list[Callable[[random.Random], Case]] = [
    single("small talk", lambda rng: redrawn(rng, smalltalk.small_talk)), single("service question", service.fact), single("agent question", service.agent),
    single("general knowledge and refusals", general.general_question),
    single("addition, pairs never trained on", held_out(arithmetic.addition)), single("subtraction, pairs never trained on", held_out(arithmetic.subtraction)),
    single("sum in a story, pairs never trained on", held_out(arithmetic.story_sum)), single("product", arithmetic.product), single("counting list items", arithmetic.count_items),
    single("extract one value", extraction.extract_one), single("extract a value that is not there", extraction.extract_missing), single("extract as JSON", extraction.extract_json),
    single("question about a text", extraction.question), single("yes or no about a text", extraction.yes_or_no), single("summarise in one sentence", extraction.summarise),
    single("repeat exactly", extraction.repeat), single("quote a sentence", extraction.quote), single("who or what among several people", extraction.who),
    single("findings as prose", findings.findings), single("question about findings", findings.question),
    lambda rng: last_answer("user's name, told some turns ago", named_user(rng, rng.randint(0, 3))), personas, lambda rng: last_answer("one word, or capital letters", (talk := ruled(rng)), alternatives_of(talk)),
    lambda rng: last_answer("an agent's findings without documents", agent_conversation(rng, 0)), lambda rng: last_answer("an agent's findings after documents", agent_conversation(rng, 3_000)),
    tool_use, tool_use, long_system, long_chat,
]


def redrawn(rng: random.Random, make: Callable[[random.Random], Exchange]) -> Exchange:
    """Exclude stories, which have no single correct text."""
    while not same_topic((exchange := make(rng))[1]):
        pass
    return exchange


def alternatives_of(talk: Conversation) -> list[str]:
    expected = str(talk.messages[-1]["content"])
    lists = [answers for _, answers in [*smalltalk.TOPICS.values(), *service.FACTS]] + [general.REFUSALS]
    return [other.upper() for answers in lists if expected in [answer.upper() for answer in answers] for other in answers]


def hand_written() -> list[Case]:
    lines = [line for line in (HERE / "questions.txt").read_text().splitlines() if line and not line.startswith("#")]
    cases = []
    for line in lines:
        question, wanted = line.split(" => ")
        prompt = f"<|im_start|>user\n{question}<|im_end|>\n<|im_start|>assistant\n"
        cases.append(Case("hand-written questions", prompt, wanted.split("|"), is_loose=True))
    return cases


def agent_turns(kind: str, folder: Path, node: str) -> list[Case]:
    """Agents' turns about whole texts, generated with their tools."""
    printed = subprocess.run([node, str(HERE / "agent-turns.mjs"), str(folder)], capture_output=True, text=True, check=True).stdout
    turns = [json.loads(line) for line in printed.splitlines()]
    return [Case(kind, turn["prompt"], [summary_of(turn["lines"])]) for turn in turns]


def check_template() -> int:
    """Check that the Jinja template and the corpus give identical bytes."""
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)
    environment.policies["json.dumps_kwargs"] = {"sort_keys": False, "ensure_ascii": False}
    environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
    template = environment.from_string((HERE / "template.jinja").read_text())
    rng = random.Random(SEED)
    for _ in range(500):
        talk = conversation(rng)
        written, expected = template.render(messages=talk.messages, tools=talk.tools), "".join(text for text, _ in render(talk))
        assert written == expected, f"template wrote {written!r}, expected {expected!r}"
    return 500


def check_tokenizer(model: Path, node: str) -> tuple[int, int]:
    """Compare llama.cpp's tokens with those of the training tokenizer, rebuilt from the vocabulary in the file."""
    tokens = gguf.GGUFReader(model).fields["tokenizer.ggml.tokens"].contents()
    tokenizer, rng = with_every_merge(tokens[len(SPECIAL) + len(BYTES) :]), random.Random(SEED)
    texts = ["".join(text for text, _ in render(conversation(rng))) for _ in range(5_000)] + ODD_TEXTS
    texts += ["".join(chr(rng.choice([rng.randint(32, 126), rng.randint(160, 0x24F), rng.randint(0x370, 0xD7FF)])) for _ in range(40)) for _ in range(1_000)]
    replies = llama(model, node, [{"tokenize": text} for text in texts])
    return len(texts), sum(reply["ids"] == tokenizer.encode(text).ids for text, reply in zip(texts, replies))


def report(cases: list[Case], replies: list[dict], shown: int) -> None:
    kinds = list(dict.fromkeys(case.kind for case in cases))
    print(f"\n| class | cases | right | stops by itself |\n|---|---|---|---|")
    for kind in kinds:
        some = [(case, reply) for case, reply in zip(cases, replies) if case.kind == kind]
        right = sum(case.is_met_by(reply["text"]) for case, reply in some)
        print(f"| {kind} | {len(some)} | {100 * right / len(some):.1f} % | {100 * sum(reply['stopped'] for _, reply in some) / len(some):.1f} % |")
    print(f"| all | {len(cases)} | {100 * sum(case.is_met_by(reply['text']) for case, reply in zip(cases, replies)) / len(cases):.1f} % | {100 * sum(reply['stopped'] for reply in replies) / len(replies):.2f} % |")
    for kind in kinds:
        some = [(case, reply) for case, reply in zip(cases, replies) if case.kind == kind]
        wrong = [pair for pair in some if not pair[0].is_met_by(pair[1]["text"])]
        for case, reply in some[:shown] + wrong[:shown]:
            mark = "ok" if case.is_met_by(reply["text"]) else f"WRONG, expected {case.accepted[0]!r}"
            print(f"\n[{kind}] {mark}\n{case.prompt[-700:]}→ {reply['text']}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--file", type=Path, default=FILE)
    options.add_argument("--node", default="node")
    options.add_argument("--cases", type=int, default=100, help="cases of each class")
    options.add_argument("--shown", type=int, default=1, help="transcripts printed of each class, and as many failures")
    options.add_argument("--temperature", type=float, default=0.0)
    given = options.parse_args()
    print(f"template: {check_template()} conversations written alike")
    count, alike = check_tokenizer(given.file, given.node)
    print(f"tokenizer: {alike} of {count} texts tokenized alike")
    rng = random.Random(SEED)
    cases = [make(rng) for make in CLASSES for _ in range(given.cases)] + hand_written()
    cases += agent_turns("an agent's turn on a text of which the corpus holds other versions", HERE / "../../../test/agents", given.node)
    cases += agent_turns("an agent's turn on a text that the corpus does not hold", HERE / "corpus/held-out", given.node)
    started = time.monotonic()
    replies = llama(given.file, given.node, [{"prompt": case.prompt, "tokensMax": 400, "temperature": given.temperature} for case in cases])
    produced, seconds = sum(reply["tokenCount"] for reply in replies), time.monotonic() - started
    print(f"{len(cases)} answers, {produced:,} tokens in {seconds:.0f} s")
    report(cases, replies, given.shown)


if __name__ == "__main__":
    main()
