"""A BPE vocabulary with byte fallback that tokenizes exactly as llama.cpp's SentencePiece tokenizer does.

llama.cpp knows no pre-tokenizer for this kind of vocabulary: it joins any two neighbours whose text is a token. So the
pieces below are cut where two neighbouring characters decide it alone, and the merge list holds every way to build a token.
A space joins a lower-case word only; a name or a number therefore has the same tokens at the start of a line, in JSON and in a sentence.
"""

import random
from collections.abc import Iterator
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from corpus import conversation, render

SPECIAL = ["<unk>", "<|endoftext|>", "<|im_start|>", "<|im_end|>"]
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
PIECE = Regex(r"▁?\p{Ll}\p{L}*|\p{L}+|[^\p{L}]")
VOCABULARY = 4096


def texts(count: int, seed: int) -> Iterator[str]:
    rng = random.Random(seed)
    for _ in range(count):
        text = "".join(piece for piece, _ in render(conversation(rng)))
        for mark in SPECIAL:
            text = text.replace(mark, "\n")
        yield from text.split("\n")


def train_tokenizer(conversations: int = 40_000, seed: int = 1) -> Tokenizer:
    learner = Tokenizer(models.BPE(unk_token="<unk>"))
    learner.normalizer = normalizers.Replace(" ", "▁")
    learner.pre_tokenizer = pre_tokenizers.Split(PIECE, behavior="isolated")
    alphabet = [chr(code) for code in range(33, 127)] + ["▁", "€", "£", "§", "é", "ä", "ö", "ü"]
    trainer = trainers.BpeTrainer(vocab_size=VOCABULARY - len(SPECIAL) - len(BYTES), initial_alphabet=alphabet, special_tokens=[], show_progress=False, min_frequency=2)
    learner.train_from_iterator(texts(conversations, seed), trainer)
    learned = sorted(learner.get_vocab().items(), key=lambda entry: entry[1])
    return with_every_merge([token for token, _ in learned])


def with_every_merge(learned: list[str]) -> Tokenizer:
    vocabulary = SPECIAL + BYTES + learned
    ids = {token: index for index, token in enumerate(vocabulary)}
    merges = [
        (token[:cut], token[cut:])
        for token in learned
        for cut in range(1, len(token))
        if token[:cut] in ids and token[cut:] in ids
    ]
    tokenizer = Tokenizer(models.BPE(vocab=ids, merges=merges, unk_token="<unk>", byte_fallback=True, fuse_unk=False))
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(PIECE, behavior="isolated")
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    tokenizer.add_special_tokens(SPECIAL)
    return tokenizer


def load_tokenizer(path: Path) -> Tokenizer:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        train_tokenizer().save(str(path))
    return Tokenizer.from_file(str(path))
