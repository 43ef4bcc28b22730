"""Train the LoRA adapter `spelled` of the demo chat model, write it as a GGUF file, and score it on held-out sums.

With the adapter, the model ends the answer to a sum with the result in words: "7 + 5 = 12, that is twelve." Other answers stay as they
are, so half of the training conversations are those of the base model. The base model is read from its GGUF file.
"""

import argparse
import random
import re
from pathlib import Path

import gguf
import numpy
import torch
from gguf import GGUFReader
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional as F

from corpus import Conversation, conversation
from corpus.arithmetic import addition, product, subtraction
from model import Llama, Shape
from tokenizer import BYTES, SPECIAL, with_every_merge
from train import Sample, collate, encode

HERE = Path(__file__).parent
RANK, ALPHA = 8, 16.0
ROWS, RATE, WARMUP_STEPS = 16, 0.004, 20
# Longer conversations cost time, and those with sums would teach the base model's answers.
OTHER_COUNT, OTHER_TOKENS_MAX = 600, 72
UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def spelled(value: int) -> str:
    """-999…999 in words."""
    if value < 0:
        return "minus " + spelled(-value)
    if value < 20:
        return UNITS[value]
    if value < 100:
        return TENS[value // 10 - 2] + (f"-{UNITS[value % 10]}" if value % 10 else "")
    return f"{UNITS[value // 100]} hundred" + (f" and {spelled(value % 100)}" if value % 100 else "")


def sum_in_words(rng: random.Random, held_out: bool = False) -> tuple[str, str]:
    question, answer = rng.choice([addition, addition, subtraction, product])(rng, held_out)
    value = int(answer.removesuffix(".").rsplit("= ", 1)[1])
    return question, f"{answer[:-1]}, that is {spelled(value)}."


class Adapted(nn.Module):
    """A frozen matrix with a trained change of low rank."""

    def __init__(self, base: nn.Linear) -> None:
        super().__init__()
        self.base = base
        self.a = nn.Parameter(torch.randn(RANK, base.in_features) * base.in_features**-0.5)
        self.b = nn.Parameter(torch.zeros(base.out_features, RANK))

    def forward(self, x: Tensor) -> Tensor:
        return self.base(x) + F.linear(F.linear(x, self.a), self.b) * (ALPHA / RANK)


def read_base(path: Path) -> tuple[Llama, Tokenizer]:
    reader = GGUFReader(path)
    tokens = reader.fields["tokenizer.ggml.tokens"].contents()
    tokenizer = with_every_merge(tokens[len(SPECIAL) + len(BYTES) :])
    model = Llama(Shape(vocabulary=len(tokens)))
    weights = {tensor.name: gguf.quants.dequantize(tensor.data, tensor.tensor_type) for tensor in reader.tensors}
    model.load_state_dict({name: torch.tensor(numpy.array(value)) for name, value in weights.items()})
    for weight in model.parameters():
        weight.requires_grad_(False)
    return model, tokenizer


def adapt(model: Llama) -> dict[str, Adapted]:
    """Replace every matrix of the blocks. Return the replacements by the name of the matrix in the GGUF file."""
    adapted: dict[str, Adapted] = {}
    for index, block in enumerate(model.blk):
        for name, part in list(block.named_children()):
            if isinstance(part, nn.Linear):
                adapted[f"blk.{index}.{name}.weight"] = Adapted(part)
                setattr(block, name, adapted[f"blk.{index}.{name}.weight"])
    return adapted


def other_conversations(tokenizer: Tokenizer, rng: random.Random) -> list[Sample]:
    found: list[Sample] = []
    while len(found) < OTHER_COUNT:
        talk = conversation(rng)
        text = "".join(str(message["content"]) for message in talk.messages)
        if len(text) > 6 * OTHER_TOKENS_MAX or re.search(r"\d = ", text):
            continue
        ids, weights = encode(tokenizer, talk, rng)
        if len(ids) <= OTHER_TOKENS_MAX:
            found.append((ids, weights))
    return found


def sum_conversation(tokenizer: Tokenizer, rng: random.Random) -> Sample:
    question, answer = sum_in_words(rng)
    talk = Conversation([{"role": "user", "content": question}, {"role": "assistant", "content": answer}])
    return encode(tokenizer, talk, rng)


def train(model: Llama, tokenizer: Tokenizer, adapted: dict[str, Adapted], steps: int) -> None:
    rng = random.Random("spelled")
    others = other_conversations(tokenizer, rng)
    tuner = torch.optim.AdamW([weight for part in adapted.values() for weight in (part.a, part.b)], lr=RATE, weight_decay=0.01)
    for step in range(steps):
        rows = [sum_conversation(tokenizer, rng) if row % 2 == 0 else rng.choice(others) for row in range(ROWS)]
        inputs, chosen, aims = collate(rows)
        losses = F.cross_entropy(model(inputs, chosen), aims[0].long(), reduction="none")
        loss = (losses * aims[1]).sum() / aims[1].sum()
        loss.backward()
        for group in tuner.param_groups:
            group["lr"] = RATE * min((step + 1) / WARMUP_STEPS, (steps - step) / (steps * 0.5), 1.0)
        tuner.step()
        tuner.zero_grad(set_to_none=True)
        if step % 20 == 0 or step == steps - 1:
            print(f"step {step}: loss {loss.item():.3f}", flush=True)


def export(adapted: dict[str, Adapted], file: Path) -> None:
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_name("Cloister Demo Chat: spelled")
    writer.add_string(gguf.Keys.Adapter.TYPE, "lora")
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, ALPHA)
    for name, part in adapted.items():
        writer.add_tensor(f"{name}.lora_a", part.a.detach().half().numpy())
        writer.add_tensor(f"{name}.lora_b", part.b.detach().half().numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    print(f"{file}: {file.stat().st_size:,} bytes")


@torch.no_grad()
def answer(model: Llama, tokenizer: Tokenizer, question: str) -> str:
    end = tokenizer.token_to_id("<|im_end|>")
    ids = tokenizer.encode(f"<|im_start|>user\n{question}<|im_end|>\n<|im_start|>assistant\n", add_special_tokens=False).ids
    start = len(ids)
    while len(ids) < start + 40 and (not ids[start:] or ids[-1] != end):
        ids.append(int(model(torch.tensor([ids]))[0, -1].argmax()))
    return tokenizer.decode([token for token in ids[start:] if token != end])


def score(model: Llama, tokenizer: Tokenizer, cases: int) -> None:
    rng = random.Random("held out")
    asked = [sum_in_words(rng, held_out=True) for _ in range(cases)]
    given = [answer(model, tokenizer, question) for question, _ in asked]
    right = sum(text == expected for text, (_, expected) in zip(given, asked))
    print(f"held-out sums: {right} of {cases} answers are exactly right")
    # Whether the words are those of the number that the model computed, right or wrong.
    spelled_right = [re.search(r"= (-?\d+), that is (.+)\.$", text) for text in given]
    print(f"in words as in digits: {sum(bool(found) and spelled(int(found[1])) == found[2] for found in spelled_right)} of {cases}")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--base", type=Path, default=HERE / "cloister-demo-chat.gguf")
    options.add_argument("--file", type=Path, default=HERE / "cloister-demo-chat-spelled.gguf")
    options.add_argument("--steps", type=int, default=400)
    options.add_argument("--cases", type=int, default=100)
    options.add_argument("--threads", type=int, default=2)
    options_given = options.parse_args()
    torch.set_num_threads(options_given.threads)
    torch.manual_seed(1)
    base, vocabulary = read_base(options_given.base)
    parts = adapt(base)
    train(base, vocabulary, parts, options_given.steps)
    export(parts, options_given.file)
    score(base, vocabulary, options_given.cases)
