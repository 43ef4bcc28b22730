"""The vocabulary: every word of the captions, and single letters for all other words."""

import json
import re
import string
from pathlib import Path

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from scenes import COLOURS, KINDS

LENGTH = 24
SPECIAL = ["[PAD]", "[UNK]", "[BOS]", "[EOS]"]
PAD, UNKNOWN, START, END = range(4)
WORDS = "a an the above over below under left right of to on at top bottom in and with by beside background night day small large big sky".split()


def build_tokenizer() -> Tokenizer:
    """WordPiece with whole words; other words are split into letters. Always LENGTH tokens."""
    letters = string.ascii_lowercase + string.digits
    vocabulary = dict.fromkeys([*SPECIAL, *WORDS, *COLOURS, *KINDS, *string.punctuation, *letters, *(f"##{letter}" for letter in letters)])
    tokenizer = Tokenizer(models.WordPiece({token: index for index, token in enumerate(vocabulary)}, unk_token="[UNK]", max_input_chars_per_word=32))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(single="[BOS] $A [EOS]", special_tokens=[("[BOS]", START), ("[EOS]", END)])
    tokenizer.add_special_tokens(SPECIAL)
    tokenizer.enable_truncation(LENGTH)
    tokenizer.enable_padding(length=LENGTH, pad_id=PAD, pad_token="[PAD]")
    return tokenizer


def save_tokenizer(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "tokenizer.json", json.loads(build_tokenizer().to_str()))
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": LENGTH, "padding_side": "right", "truncation_side": "right",
        "bos_token": "[BOS]", "eos_token": "[EOS]", "pad_token": "[PAD]", "unk_token": "[UNK]", "clean_up_tokenization_spaces": False,
    }
    write_json(folder / "tokenizer_config.json", settings)


def write_json(file: Path, value: dict) -> None:
    """Indented, with lists of plain values on one line."""
    plain = r'(?:"[^"\n]*"|[-\d.]+)'
    text = json.dumps(value, indent=2, ensure_ascii=False)
    text = re.sub(rf"\[\n\s+({plain}(?:,\n\s+{plain})*)\n\s+\]", lambda found: "[" + re.sub(r",\n\s+", ", ", found[1]) + "]", text)
    file.write_text(text + "\n")
