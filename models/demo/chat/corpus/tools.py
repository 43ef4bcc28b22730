"""Tool calling in Hermes form: choose a tool and its arguments, then state what came back."""

import json
import random
from dataclasses import dataclass, field
from typing import Callable

from . import values as v
from .general import unknown
from .smalltalk import small_talk
from .values import pick

Message = dict[str, object]


@dataclass
class Tool:
    name: str
    about: str
    parameters: dict[str, str]
    """Name of each parameter → its JSON type."""
    ask: list[str]
    make: Callable[[random.Random], dict[str, object]]
    answer: Callable[[random.Random, dict[str, object]], tuple[object, str]] = field(repr=False)


def _weather(rng: random.Random, given: dict[str, object]) -> tuple[object, str]:
    degrees, sky = rng.randint(-15, 38), rng.choice(["sunny", "cloudy", "rainy", "windy", "foggy", "clear"])
    return {"temperature": degrees, "sky": sky}, f"It is {sky} in {given['city']} and the temperature is {degrees} degrees."


def _valued(key: str, make: Callable[[random.Random], object], sentence: str) -> Callable[[random.Random, dict[str, object]], tuple[object, str]]:
    def answer(rng: random.Random, given: dict[str, object]) -> tuple[object, str]:
        value = make(rng)
        return {key: value}, v.SLOT.sub(lambda slot: str((given | {key: value})[slot.group(1)]), sentence)

    return answer


TOOLS = [
    Tool("get_weather", "Get the weather of a city", {"city": "string"}, ["[what is|how is|what's|tell me] the weather [in|like in] {city}", "[weather in|is it raining in|is it cold in|is it warm in|how warm is it in|temperature in] {city}"],
         lambda r: {"city": v.city(r)}, _weather),
    Tool("get_time", "Get the current time in a city", {"city": "string"}, ["what time is it in {city}", "[tell me the time in|current time in|time in] {city}"],
         lambda r: {"city": v.city(r)}, _valued("time", v.clock, "It is {time} in {city}.")),
    Tool("get_order", "Look up an order", {"order_number": "string"}, ["[where is|what is the status of|look up|find|check] order {order_number}", "[status of order|has order] {order_number}"],
         lambda r: {"order_number": v.code(r)}, _valued("status", lambda r: r.choice(["shipped", "delivered", "pending", "cancelled", "packed"]), "Order {order_number} is {status}.")),
    Tool("find_customer", "Find a customer by name", {"name": "string"}, ["[find|look up|search|get] [the customer|customer] {name}", "[what is the email of|find the email of] {name}"],
         lambda r: {"name": v.full_name(r)}, _valued("email", v.email, "The email address of {name} is {email}.")),
    Tool("add", "Add two numbers", {"a": "number", "b": "number"}, ["[add|use the tool to add] {a} and {b}", "[what is|calculate|compute] {a} [+|plus] {b}"],
         lambda r: {"a": v.number(r), "b": v.number(r)}, lambda r, g: ({"result": g["a"] + g["b"]}, f"{g['a']} + {g['b']} = {g['a'] + g['b']}.")),
    Tool("convert_currency", "Convert an amount to another currency", {"amount": "number", "to": "string"}, ["[convert|change] {amount} [euros |]to {to}", "how much is {amount} [euros |]in {to}"],
         lambda r: {"amount": v.number(r), "to": r.choice(["USD", "CHF", "GBP", "JPY", "SEK", "PLN"])}, _valued("value", v.number, "That is {value} {to}.")),
    Tool("send_email", "Send an email", {"to": "string", "text": "string"}, ["[send an email to|write to|email|mail] {to}: {text}", "[send|mail] {text} to {to}"],
         lambda r: {"to": v.email(r), "text": r.choice(["hello", "the meeting is moved", "thank you", "see you soon", "please call me"])}, lambda r, g: ({"sent": True}, f"The email to {g['to']} was sent.")),
    Tool("book_meeting", "Book a meeting", {"name": "string", "date": "string"}, ["[book|schedule|arrange|plan] a meeting with {name} on {date}", "meet {name} on {date}"],
         lambda r: {"name": v.full_name(r), "date": v.date(r)}, lambda r, g: ({"booked": True}, f"The meeting with {g['name']} on {g['date']} is booked.")),
    Tool("get_price", "Get the price of a product", {"product": "string"}, ["[how much is|what is the price of|price of|what does] [a |the |]{product}", "[get|find|look up] the price of {product}"],
         lambda r: {"product": r.choice([t.rstrip("s") for t in v.THINGS] + [v.word(r)])}, _valued("price", v.amount, "The price is {price}.")),
    Tool("search_contract", "Search a contract for a clause", {"clause": "string"}, ["[find|search|look for|is there] [the|a] {clause} clause", "[does the contract have|where is] a {clause} clause"],
         lambda r: {"clause": r.choice(["liability", "termination", "renewal", "payment", "confidentiality", "warranty", v.word(r)])}, _valued("section", lambda r: r.randint(1, 40), "The {clause} clause is in section {section}.")),
    Tool("get_balance", "Get the balance of an account", {"account": "string"}, ["[what is the balance of|show the balance of|balance of|check] account {account}", "how much is on account {account}"],
         lambda r: {"account": v.code(r)}, _valued("balance", v.amount, "The balance of account {account} is {balance}.")),
]


def invented_tool(rng: random.Random) -> Tool:
    """A tool never seen before: the name and the parameter must be copied from its description."""
    verb, noun, key = rng.choice(["get", "find", "lookup", "fetch", "read", "check"]), v.word(rng), rng.choice(["name", "city", "id", "code", "query", "key", v.word(rng)])
    makers = {"name": v.full_name, "city": v.city, "id": v.code, "code": v.code}
    make = makers.get(key, v.word)
    return Tool(f"{verb}_{noun}", f"{verb.capitalize()} the {noun}", {key: "string"}, [f"[{verb}|what is|tell me|give me|show me] the {noun} [of|for] {{{key}}}", f"{noun} of {{{key}}}"],
                lambda r: {key: make(r)}, _valued("value", lambda r: rng.choice([v.word(r), v.number(r), v.city(r)]), f"The {noun} of {{{key}}} is {{value}}."))


def declaration(rng: random.Random, tool: Tool) -> Message:
    properties = {name: {"type": kind} | ({"description": f"The {name.replace('_', ' ')}"} if rng.random() < 0.4 else {}) for name, kind in tool.parameters.items()}
    return {"type": "function", "function": {"name": tool.name, "description": tool.about, "parameters": {"type": "object", "properties": properties, "required": list(properties)}}}


def call(tool: Tool, arguments: dict[str, object]) -> Message:
    return {"role": "assistant", "content": "", "tool_calls": [{"type": "function", "function": {"name": tool.name, "arguments": arguments}}]}


def tool_conversation(rng: random.Random) -> tuple[list[Message], list[Message]]:
    """The declared tools and the messages."""
    offered = rng.sample(TOOLS, rng.choice([1, 1, 1, 2, 3]))
    if rng.random() < 0.35:
        offered[rng.randrange(len(offered))] = invented_tool(rng)
    declared = [declaration(rng, tool) for tool in offered]
    if rng.random() < 0.15:
        user, answer = small_talk(rng) if rng.random() < 0.7 else unknown(rng)
        return declared, [{"role": "user", "content": user}, {"role": "assistant", "content": answer}]
    messages: list[Message] = []
    for _ in range(rng.choice([1, 1, 2])):
        tool = rng.choice(offered)
        arguments = tool.make(rng)
        asked = pick(rng, tool.ask, **arguments)
        asked = asked[0].upper() + asked[1:] + rng.choice(["?", "?", "", "."]) if rng.random() < 0.8 else asked
        messages += [{"role": "user", "content": asked}, call(tool, arguments)]
        if rng.random() < 0.75 or len(messages) > 2:
            result, sentence = tool.answer(rng, arguments)
            messages += [{"role": "tool", "content": json.dumps(result)}, {"role": "assistant", "content": sentence}]
        else:
            break
    return declared, messages
