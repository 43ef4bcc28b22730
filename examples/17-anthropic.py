"""Anthropic's client for Python: a streamed answer, and a call of a function.

    pip install anthropic
    BASE_URL=https://localhost:8443 API_KEY=clst_… SSL_CERT_FILE=.cloister/certificate.pem python3 examples/17-anthropic.py
"""

import os

from anthropic import Anthropic

base_url = os.environ.get("BASE_URL", "https://localhost:8443")
client = Anthropic(base_url=base_url, api_key=os.environ["API_KEY"], max_retries=5)
model = "cloister-demo-TEE"

question = [{"role": "user", "content": "What is 12 plus 30?"}]
with client.messages.stream(model=model, messages=question, max_tokens=100) as stream:
    for text in stream.text_stream:
        print(text, end="", flush=True)
print()

cities = {"type": "object", "properties": {"city": {"enum": ["Lyon", "Oslo"]}}, "required": ["city"]}
answer = client.messages.create(
    model=model,
    messages=[{"role": "user", "content": "What is the weather in Lyon?"}],
    max_tokens=200,
    tools=[{"name": "weather", "description": "The weather in a city.", "input_schema": cities}],
    tool_choice={"type": "any"},
)
for block in answer.content:
    if block.type == "tool_use":
        print(f"{block.name}({block.input})")
