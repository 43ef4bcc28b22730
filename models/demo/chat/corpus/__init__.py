"""The self-written corpus: random conversations, every sentence from templates in this folder.

`conversation(rng)` draws one; the same seed always gives the same conversations.
"""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from .agents import agent_turns
from .arithmetic import addition, product, subtraction, sums
from .exchange import Exchange
from .extraction import about_text, yes_or_no
from .findings import report
from .general import calendar, capital, general_question, opposite
from .names import forgotten_name, remembered_name
from .service import agent, fact
from .smalltalk import small_talk
from .systems import CAPITAL_LETTERS, ONE_WORD, persona, plain, rules, system_prompt
from .tools import Message, tool_conversation

MIX: list[tuple[float, Callable[[random.Random], Exchange]]] = [
    (0.12, small_talk), (0.10, fact), (0.04, agent), (0.07, general_question), (0.01, forgotten_name), (0.23, sums), (0.30, about_text), (0.13, report),
]
WEIGHTS = [weight for weight, _ in MIX]
MAKERS = [make for _, make in MIX]
# An agent's conversation is nine times as long as another: these are two fifths of all tokens. With more of them the rest is forgotten.
AGENT_SHARE, LONG_AGENT_SHARE = 0.08, 0.3
# UTF-16 units of an agent's documents, at most: none, a note, a page, several.
DOCUMENT_UNITS = [0, 0, 0, 800, 1_600, 3_000, 7_000]
LONG_DOCUMENT_UNITS = 8_000
TOOLS_INTRODUCTION = "\n\n# Tools\n\nYou may call these functions. Their signatures are inside <tools></tools>:\n<tools>"
TOOLS_INSTRUCTION = (
    "\n</tools>\n\nFor each call, answer with a JSON object inside <tool_call></tool_call>:\n"
    '<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>'
)


@dataclass
class Conversation:
    messages: list[Message]
    tools: list[Message] = field(default_factory=list)


def conversation(rng: random.Random, long: bool = False) -> Conversation:
    if long:
        return long_conversation(rng)
    if rng.random() < AGENT_SHARE:
        return agent_conversation(rng, rng.choice(DOCUMENT_UNITS), rng.choice([1, 2, 3, 4]))
    form = rng.uniform(0.25, 1.0)
    if form < 0.76:
        return chain(rng, system_prompt(rng), [exchange(rng) for _ in range(rng.choice([1, 1, 1, 1, 2, 2, 3, 4]))])
    if form < 0.80:
        return drill(rng)
    if form < 0.855:
        return named_user(rng, rng.choice([0, 0, 1, 1, 2, 3]))
    if form < 0.895:
        system, exchanges = persona(rng)
        return chain(rng, system, mixed(rng, [exchange(rng) for _ in range(rng.choice([0, 0, 1, 2]))], exchanges))
    if form < 0.945:
        return ruled(rng)
    declared, messages = tool_conversation(rng)
    if rng.random() < 0.4:
        messages = [{"role": "system", "content": plain(rng) if rng.random() < 0.7 else rules(rng, rng.randint(1, 8))}] + messages
    return Conversation(messages, declared)


def exchange(rng: random.Random) -> Exchange:
    return rng.choices(MAKERS, WEIGHTS)[0](rng)


def mixed(rng: random.Random, some: list[Exchange], others: list[Exchange]) -> list[Exchange]:
    together = some + others
    rng.shuffle(together)
    return together


def chain(rng: random.Random, system: str | None, exchanges: list[Exchange]) -> Conversation:
    messages: list[Message] = [{"role": "system", "content": system}] if system else []
    for user, assistant in exchanges:
        messages += [{"role": "user", "content": user}, {"role": "assistant", "content": assistant}]
    return Conversation(messages)


def drill(rng: random.Random) -> Conversation:
    """Many sums in a row."""
    return chain(rng, None, [rng.choice([addition, addition, subtraction, subtraction, product])(rng) for _ in range(rng.randint(3, 10))])


def named_user(rng: random.Random, between: int) -> Conversation:
    told, asked = remembered_name(rng)
    return chain(rng, system_prompt(rng), told + [exchange(rng) for _ in range(between)] + asked)


def ruled(rng: random.Random) -> Conversation:
    """A system prompt with one rule of form that every answer obeys."""
    if rng.random() < 0.5:
        exchanges = [one_word(rng) for _ in range(rng.choice([1, 1, 2, 3]))]
        if rng.random() < 0.3:
            user, answer = exchanges[-1]
            return chain(rng, system_prompt(rng), [(f"{rng.choice(['Answer in one word', 'In one word', 'One word only'])}: {user}", answer)])
        return chain(rng, rng.choice(ONE_WORD), exchanges)
    makers = [small_talk, small_talk, fact, addition, capital]
    exchanges = [rng.choice(makers)(rng) for _ in range(rng.choice([1, 1, 2]))]
    return chain(rng, rng.choice(CAPITAL_LETTERS), [(user, answer.upper()) for user, answer in exchanges])


def one_word(rng: random.Random) -> Exchange:
    make = rng.choice([addition, subtraction, capital, opposite, calendar, yes_or_no])
    user, answer = make(rng)
    if "I do not know" in answer or "I am sorry" in answer:
        return user, "Unknown."
    first_word = make in (calendar, yes_or_no)
    word = answer.split()[0] if first_word else answer.split()[-1]
    return user, word.strip(",.") + "."


def agent_conversation(rng: random.Random, document_units: int, count: int = 1) -> Conversation:
    """@param count of exchanges"""
    system, exchanges = agent_turns(rng, document_units, count)
    return chain(rng, system, exchanges)


def long_conversation(rng: random.Random) -> Conversation:
    """Thousands of tokens: a long system prompt, many turns, or both, some with a name to remember across all of it; or documents."""
    if rng.random() < LONG_AGENT_SHARE:
        return agent_conversation(rng, LONG_DOCUMENT_UNITS, rng.choice([1, 2, 3, 4]))
    system = system_prompt(rng, long=rng.random() < 0.6)
    turns = [exchange(rng) for _ in range(rng.randint(12, 45))]
    told, asked = remembered_name(rng)
    if rng.random() < 0.5:
        at = rng.randrange(len(turns))
        turns = turns[:at] + told + turns[at:] + asked
    return chain(rng, system, turns)


def render(talk: Conversation) -> list[tuple[str, bool]]:
    """The ChatML text in pieces; the flag marks what the model must write itself. Same text as the Jinja template."""
    pieces: list[tuple[str, bool]] = []
    messages = talk.messages
    if talk.tools:
        has_system = messages[0]["role"] == "system"
        system = str(messages[0]["content"]) if has_system else ""
        messages = messages[1:] if has_system else messages
        declared = "".join("\n" + json.dumps(tool, ensure_ascii=False) for tool in talk.tools)
        pieces.append((f"<|im_start|>system\n{system}{TOOLS_INTRODUCTION}{declared}{TOOLS_INSTRUCTION}<|im_end|>\n", False))
    for message in messages:
        pieces += render_message(message)
    return pieces


def render_message(message: Message) -> list[tuple[str, bool]]:
    role, content = message["role"], str(message["content"])
    if role == "tool":
        return [(f"<|im_start|>user\n<tool_response>\n{content}\n</tool_response><|im_end|>\n", False)]
    if role != "assistant":
        return [(f"<|im_start|>{role}\n{content}<|im_end|>\n", False)]
    calls = [json.dumps({"name": call["function"]["name"], "arguments": call["function"]["arguments"]}, ensure_ascii=False) for call in message.get("tool_calls", [])]
    written = "\n".join(([content] if content else []) + [f"<tool_call>\n{call}\n</tool_call>" for call in calls])
    return [("<|im_start|>assistant\n", False), (written + "<|im_end|>", True), ("\n", False)]
