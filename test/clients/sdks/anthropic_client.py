"""One area of Anthropic's client for Python per call: `python anthropic_client.py AREA`. A failed check raises."""

import os
import sys
from typing import Literal

import anthropic
from pydantic import BaseModel

chat_model, scripted_model = os.environ["CHAT"], os.environ["SCRIPTED"]
hello = [{"role": "user", "content": "Hello! Who are you?"}]
question = {"role": "user", "content": "What is the weather in Bern?"}
sunny = "It is sunny there today."
schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
tool = {"name": "get_weather", "description": "The weather in a city.", "input_schema": schema}
# The methods of this client have no parameter for the temperature.
greedy = {"extra_body": {"temperature": 0}}
greeting = {"model": chat_model, "max_tokens": 200, "messages": hello, **greedy}


class City(BaseModel):
    city: Literal["Bern", "Oslo"]


def connect(key: str = os.environ["API_KEY"]) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=os.environ["BASE_URL"], api_key=key, max_retries=0)


client = connect()


def text() -> str:
    said = client.messages.create(**greeting).content[0].text
    assert "cloister" in said.lower(), said
    return said


def stream() -> None:
    with client.messages.stream(**greeting) as events:
        streamed = "".join(events.text_stream)
    assert streamed == text(), streamed


def tools() -> None:
    request = {"model": scripted_model, "max_tokens": 200, "tools": [tool]}
    first = client.messages.create(messages=[question], **request)
    assert first.stop_reason == "tool_use", first
    call = next(block for block in first.content if block.type == "tool_use")
    assert call.input == {"city": "Bern"}, call
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "sunny"}
    turns = [question, {"role": "assistant", "content": first.content}, {"role": "user", "content": [result]}]
    assert client.messages.create(messages=turns, **request).content[0].text == sunny


def typed() -> None:
    parsed = client.messages.parse(
        model=chat_model, max_tokens=400, messages=[question], output_format=City, **greedy
    )
    assert isinstance(parsed.parsed_output, City), parsed


def errors() -> None:
    expect(anthropic.NotFoundError, lambda: client.messages.create(**{**greeting, "model": "other"}))
    long = [{"role": "user", "content": "word " * 6000}]
    expect(anthropic.BadRequestError, lambda: client.messages.create(**{**greeting, "messages": long}))
    expect(anthropic.AuthenticationError, lambda: connect("clst_wrong").messages.create(**greeting))


def tokens() -> None:
    counted = client.messages.count_tokens(model=chat_model, messages=hello).input_tokens
    usage = client.messages.create(**{**greeting, "max_tokens": 1}).usage
    assert counted == usage.input_tokens + (usage.cache_read_input_tokens or 0), (counted, usage)


def expect(kind: type[Exception], call) -> Exception:
    try:
        call()
    except kind as error:
        return error
    raise AssertionError(f"expected {kind.__name__}")


globals()[sys.argv[1]]()
