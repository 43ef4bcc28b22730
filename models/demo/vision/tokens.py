"""The vocabulary: as small as the texts allow, with the rules of the demo chat model's tokenizer, so that llama.cpp agrees exactly."""

import random
import sys
from pathlib import Path

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

from questions import IMAGE, conversation, render

sys.path.insert(0, str(Path(__file__).parent.parent / "chat"))  # Before the folder of the images, which has a tokenizer too.
from tokenizer import BYTES, PIECE, SPECIAL, with_every_merge  # noqa: E402

VOCABULARY = 512


def train_tokenizer(conversations: int = 4_000, seed: int = 1) -> Tokenizer:
    rng = random.Random(seed)
    texts = ["".join(text for text, _ in render(conversation(rng))).replace(IMAGE, "\n") for _ in range(conversations)]
    learner = Tokenizer(models.BPE(unk_token="<unk>"))
    learner.normalizer = normalizers.Replace(" ", "▁")
    learner.pre_tokenizer = pre_tokenizers.Split(PIECE, behavior="isolated")
    alphabet = [chr(code) for code in range(33, 127)] + ["▁"]
    trainer = trainers.BpeTrainer(vocab_size=VOCABULARY - len(SPECIAL) - len(BYTES), initial_alphabet=alphabet, special_tokens=[], show_progress=False, min_frequency=2)
    learner.train_from_iterator((line for text in texts for line in cut(text)), trainer)
    return with_every_merge([token for token, _ in sorted(learner.get_vocab().items(), key=lambda entry: entry[1])])


def cut(text: str) -> list[str]:
    for mark in SPECIAL:
        text = text.replace(mark, "\n")
    return text.split("\n")


def load_tokenizer(path: Path) -> Tokenizer:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        train_tokenizer().save(str(path))
    return Tokenizer.from_file(str(path))
