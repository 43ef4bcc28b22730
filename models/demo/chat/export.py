"""Write the checkpoint as a GGUF file: matrices in Q8_0, norms in F32, the vocabulary with scores, the chat template."""

import argparse
from pathlib import Path

import gguf
import torch
from gguf import GGMLQuantizationType as Kind
from tokenizers import Tokenizer

from model import Shape
from tokenizer import BYTES, SPECIAL, load_tokenizer

HERE = Path(__file__).parent
FILE = HERE / "cloister-demo-chat.gguf"
UNKNOWN, END_OF_TEXT, _, END_OF_TURN = range(4)


def write_shape(writer: gguf.GGUFWriter, shape: Shape) -> None:
    writer.add_name("Cloister Demo Chat")
    writer.add_description("A very small chat model for demonstrations and tests, trained on self-written text only.")
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    writer.add_vocab_size(shape.vocabulary)
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.inner)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.heads)
    writer.add_layer_norm_rms_eps(shape.epsilon)
    writer.add_rope_freq_base(shape.rope_base)
    writer.add_rope_dimension_count(shape.head_width)


def write_vocabulary(writer: gguf.GGUFWriter, tokenizer: Tokenizer) -> None:
    tokens = [token for token, _ in sorted(tokenizer.get_vocab().items(), key=lambda entry: entry[1])]
    first_learned = len(SPECIAL) + len(BYTES)
    types = [gguf.TokenType.UNKNOWN] + [gguf.TokenType.CONTROL] * (len(SPECIAL) - 1) + [gguf.TokenType.BYTE] * len(BYTES)
    types += [gguf.TokenType.NORMAL] * (len(tokens) - first_learned)
    # A token learned earlier is merged first, so the score decreases with the index.
    scores = [0.0] * first_learned + [-float(index) for index in range(len(tokens) - first_learned)]
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_scores(scores)
    writer.add_token_types(types)
    writer.add_bos_token_id(END_OF_TEXT)
    writer.add_eos_token_id(END_OF_TURN)
    writer.add_eot_token_id(END_OF_TURN)
    writer.add_unk_token_id(UNKNOWN)
    writer.add_pad_token_id(END_OF_TEXT)
    writer.add_add_bos_token(False)
    writer.add_add_eos_token(False)
    writer.add_add_space_prefix(False)
    writer.add_chat_template((HERE / "template.jinja").read_text())


def write_weights(writer: gguf.GGUFWriter, weights: dict[str, torch.Tensor]) -> None:
    for name, weight in weights.items():
        values = weight.float().cpu().numpy()
        if values.ndim == 1:
            writer.add_tensor(name, values)
        else:
            writer.add_tensor(name, gguf.quants.quantize(values, Kind.Q8_0), raw_dtype=Kind.Q8_0)


def export(build: Path, file: Path) -> None:
    tokenizer = load_tokenizer(build / "tokenizer.json")
    state = torch.load(build / "checkpoint.pt", map_location="cpu")
    writer = gguf.GGUFWriter(file, "llama")
    write_shape(writer, Shape(vocabulary=tokenizer.get_vocab_size()))
    write_vocabulary(writer, tokenizer)
    write_weights(writer, state["model"])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    print(f"{file}: {file.stat().st_size:,} bytes, from step {state['step']}")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", type=Path, default=HERE / "build")
    options.add_argument("--file", type=Path, default=FILE)
    given = options.parse_args()
    export(given.build, given.file)
