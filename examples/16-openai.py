"""The openai client for Python: a streamed answer, and embeddings.

    pip install openai
    BASE_URL=https://localhost:8443/openai/v1 API_KEY=clst_… SSL_CERT_FILE=.cloister/certificate.pem python3 examples/16-openai.py
"""

import os

from openai import OpenAI

base_url = os.environ.get("BASE_URL", "https://localhost:8443/openai/v1")
client = OpenAI(base_url=base_url, api_key=os.environ["API_KEY"], max_retries=5)

question = [{"role": "user", "content": "What is 12 plus 30?"}]
stream = client.chat.completions.create(
    model="cloister-demo-TEE", messages=question, temperature=0, max_tokens=100, stream=True
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)
print()

texts = ["A refund is paid within five days.", "How do I get my money back?"]
first, second = client.embeddings.create(model="cloister-demo-embedding-TEE", input=texts).data
# Vectors have length 1: their product is the cosine of the angle between them.
print(f"cosine {sum(a * b for a, b in zip(first.embedding, second.embedding)):.3f}")
