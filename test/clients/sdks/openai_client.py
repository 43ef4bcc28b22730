"""One area of the openai client for Python per call: `python openai_client.py AREA`. A failed check raises."""

import json
import os
import sys
from typing import Literal

import openai
from pydantic import BaseModel

chat_model, scripted_model, embedding_model = os.environ["CHAT"], os.environ["SCRIPTED"], os.environ["EMBEDDING"]
hello = [{"role": "user", "content": "Hello! Who are you?"}]
question = {"role": "user", "content": "What is the weather in Bern?"}
sunny = "It is sunny there today."
parameters = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
tool = {"type": "function", "function": {"name": "get_weather", "parameters": parameters}}


class City(BaseModel):
    city: Literal["Bern", "Oslo"]


def connect(key: str = os.environ["API_KEY"]) -> openai.OpenAI:
    return openai.OpenAI(base_url=os.environ["BASE_URL"], api_key=key, max_retries=0)


client = connect()


def text() -> str:
    answer = client.chat.completions.create(model=chat_model, messages=hello, temperature=0)
    said = answer.choices[0].message.content
    assert "cloister" in said.lower(), said
    response = client.responses.create(model=chat_model, input=hello[0]["content"], temperature=0)
    assert response.output_text == said, response.output_text
    return said


def stream() -> None:
    chunks = client.chat.completions.create(model=chat_model, messages=hello, temperature=0, stream=True)
    streamed = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert streamed == text(), streamed
    with client.responses.stream(model=chat_model, input=hello[0]["content"], temperature=0) as events:
        for _ in events:
            pass
        assert events.get_final_response().output_text == streamed


def tools() -> None:
    first = client.chat.completions.create(model=scripted_model, messages=[question], tools=[tool])
    message = first.choices[0].message
    call = message.tool_calls[0]
    assert json.loads(call.function.arguments) == {"city": "Bern"}, call
    result = {"role": "tool", "tool_call_id": call.id, "content": "sunny"}
    turns = [question, message.model_dump(exclude_none=True), result]
    last = client.chat.completions.create(model=scripted_model, messages=turns, tools=[tool])
    assert last.choices[0].message.content == sunny, last


def typed() -> None:
    parsed = client.chat.completions.parse(
        model=chat_model, messages=[question], response_format=City, temperature=0, max_tokens=400
    )
    assert isinstance(parsed.choices[0].message.parsed, City), parsed


def errors() -> None:
    expect(openai.NotFoundError, lambda: client.chat.completions.create(model="gpt-9", messages=hello))
    long = [{"role": "user", "content": "word " * 6000}]
    error = expect(openai.BadRequestError, lambda: client.chat.completions.create(model=chat_model, messages=long))
    assert error.code == "context_length_exceeded", error
    expect(openai.AuthenticationError, connect("clst_wrong").models.list)


def embeddings() -> None:
    data = client.embeddings.create(model=embedding_model, input=["a", "b"]).data
    assert [len(each.embedding) for each in data] == [256, 256], data


def expect(kind: type[Exception], call) -> Exception:
    try:
        call()
    except kind as error:
        return error
    raise AssertionError(f"expected {kind.__name__}")


globals()[sys.argv[1]]()
