"""The vocabulary: WordPiece trained on generated texts; lower-cased, without accents, as in BERT."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from corpus import draw_pair, invented_word

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PAD, UNKNOWN, START, END, MASK = range(5)
VOCABULARY, CONTEXT = 8_000, 512
TEXTS, INVENTED, SEED = 60_000, 8_000, 11


def texts() -> Iterator[str]:
    rng = random.Random(SEED)
    for _ in range(TEXTS):
        yield from draw_pair(rng).texts
    # So that names and unknown words are split into syllables, not letters.
    for _ in range(INVENTED):
        yield invented_word(rng)


def train_tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(vocab_size=VOCABULARY, min_frequency=4, special_tokens=SPECIAL, initial_alphabet=[chr(code) for code in range(33, 127)], show_progress=False)
    tokenizer.train_from_iterator(texts(), trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", START), ("[SEP]", END)]
    )
    return tokenizer


def load_tokenizer(file: Path) -> Tokenizer:
    """Truncate to the context; the shipped file leaves this to the loader."""
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.enable_truncation(CONTEXT)
    return tokenizer


def write_json(file: Path, value: dict | list) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
