"""Writes three tiny text encoders with random weights, and reference.json: what Python makes of them and of the demo model.

    pip install torch onnx onnxruntime onnxscript tokenizers transformers
    python test/models/embedding/reference/write.py
    npx biome check --write test/models/embedding-reference

Last run with torch 2.13, transformers 5.18, onnxruntime 1.30, tokenizers 0.23. The graphs are exported from the published `transformers` classes; texts become tokens by the Rust `tokenizers`, vectors by
ONNX Runtime on the CPU, pooled and normalised in numpy as sentence-transformers' Pooling and Normalize do it.
"""

import json
import os
import pathlib

import numpy
import onnx
import onnxruntime
import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import BertConfig, BertModel, Qwen3Config, Qwen3Model, RobertaConfig, RobertaModel

HERE = pathlib.Path(__file__).parent
DEMO = HERE / "../../../../../models/demo/embedding"
TEXTS = [
    "a",
    "The river was frozen, and so we walked.",
    "How do I rotate a certificate without stopping the server?",
    "Größe, naïveté, 北京, and one 🙂 — all in one line.",
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen",
    "  spaces,\ttabs\nand lines  ",
]
CORPUS = TEXTS + ["the cat sat on the mat", "rotate the certificate of the server", "we walked over the frozen river"]
WIDTH = 32
CONTEXT = 128


def word_piece():
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(CORPUS, trainers.WordPieceTrainer(vocab_size=180, special_tokens=special))
    ids = [(token, tokenizer.token_to_id(token)) for token in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ids)
    return tokenizer


def byte_level(special, after):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=320, special_tokens=special, initial_alphabet=alphabet)
    tokenizer.train_from_iterator(CORPUS, trainer)
    tokenizer.post_processor = after(tokenizer)
    return tokenizer


def roberta_ends(tokenizer):
    start, end = ((token, tokenizer.token_to_id(token)) for token in ("<s>", "</s>"))
    return processors.RobertaProcessing(end, start, trim_offsets=True, add_prefix_space=False)


def qwen_end(tokenizer):
    end = ("<|endoftext|>", tokenizer.token_to_id("<|endoftext|>"))
    return processors.TemplateProcessing(single="$A <|endoftext|>", special_tokens=[end])


def build():
    sizes = dict(hidden_size=WIDTH, num_hidden_layers=2, intermediate_size=64)
    bert, roberta = word_piece(), byte_level(["<s>", "<pad>", "</s>", "<unk>", "<mask>"], roberta_ends)
    qwen = byte_level(["<|endoftext|>"], qwen_end)
    spread = dict(initializer_range=0.4)
    # Heads of sixteen numbers are the least that our own kernels take.
    yield "bert", bert, "mean", trained(BertModel(
        BertConfig(vocab_size=bert.get_vocab_size(), max_position_embeddings=CONTEXT, num_attention_heads=2, **sizes, **spread)
    )), ["input_ids", "attention_mask", "token_type_ids"]
    # The graph itself counts positions from the padding token's id plus one; equal biases and norms are merged.
    yield "roberta", roberta, "cls", RobertaModel(
        RobertaConfig(
            vocab_size=roberta.get_vocab_size(), max_position_embeddings=CONTEXT + 2, pad_token_id=1,
            bos_token_id=0, eos_token_id=2, type_vocab_size=1, num_attention_heads=2, **sizes, **spread,
        )
    ), ["input_ids", "attention_mask"]
    yield "qwen3", qwen, "last", Qwen3Model(
        Qwen3Config(
            vocab_size=qwen.get_vocab_size(), max_position_embeddings=CONTEXT, num_attention_heads=4, num_key_value_heads=2, head_dim=8,
            pad_token_id=0, bos_token_id=0, eos_token_id=0, use_cache=False, **sizes, **spread,
        )
    ), ["input_ids", "attention_mask"]


def trained(model):
    """Biases and norms all different, as training leaves them."""
    random = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for name, values in model.named_parameters():
            if values.dim() == 1:
                values.add_(torch.randn(values.shape, generator=random) * 0.2)
    return model


class Hidden(torch.nn.Module):
    """Gives out the last layer alone, as exported feature extractors do."""

    def __init__(self, model, names):
        super().__init__()
        self.model, self.names = model, names

    def forward(self, *inputs):
        return self.model(**dict(zip(self.names, inputs)), return_dict=True).last_hidden_state


def write_model(name, tokenizer, pooling, model, inputs):
    folder = HERE / name
    for part in ("onnx", "1_Pooling"):
        os.makedirs(folder / part, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    model.config.architectures = [type(model).__name__]
    (folder / "config.json").write_text(model.config.to_json_string())
    modes = {"cls": "cls_token", "mean": "mean_tokens", "max": "max_tokens", "last": "lasttoken"}
    chosen = {f"pooling_mode_{mode}": key == pooling for key, mode in modes.items()}
    (folder / "1_Pooling/config.json").write_text(json.dumps({"word_embedding_dimension": WIDTH, **chosen}))
    parts = ["Transformer", "Pooling", "Normalize"]
    modules = [{"idx": i, "type": f"sentence_transformers.models.{part}"} for i, part in enumerate(parts)]
    (folder / "modules.json").write_text(json.dumps(modules))
    shape = {0: torch.export.Dim("batch", max=64), 1: torch.export.Dim("length", max=CONTEXT)}
    example = [torch.ones(2, 7, dtype=torch.long) for _ in inputs]
    if len(inputs) == 3:
        example[2] *= 0
    torch.onnx.export(
        Hidden(model.eval(), inputs), tuple(example), str(folder / "onnx/model.onnx"), input_names=inputs,
        output_names=["last_hidden_state"], dynamic_shapes={"inputs": tuple(shape for _ in inputs)}, dynamo=True,
        external_data=False,
    )
    strip(folder / "onnx/model.onnx")


def strip(path):
    """Removes the exporter's own metadata, which is most of the file."""
    file = onnx.load(path)
    for part in [file, file.graph, *file.graph.node, *file.graph.value_info, *file.graph.initializer, *file.graph.input, *file.graph.output]:
        part.ClearField("metadata_props")
        part.ClearField("doc_string")
    file.graph.ClearField("value_info")
    onnx.save(file, path)


def vectors_of(folder, pooling, *, together):
    """One pass for all texts, padded, or one for each: an int8 graph quantises by the whole batch."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(folder / "onnx/model.onnx"), options, ["CPUExecutionProvider"])
    pad = json.loads((folder / "config.json").read_text()).get("pad_token_id") or 0
    wanted = [one.name for one in session.get_inputs()]
    rows = [tokenizer.encode(text).ids for text in TEXTS]
    vectors = []
    for batch in [rows] if together else [[row] for row in rows]:
        longest = max(map(len, batch))
        ids = numpy.array([row + [pad] * (longest - len(row)) for row in batch])
        mask = numpy.array([[1] * len(row) + [0] * (longest - len(row)) for row in batch])
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
        (hidden,) = session.run(["last_hidden_state"], {key: feeds[key] for key in wanted})
        for states, row in zip(hidden, batch):
            real = states[: len(row)]
            vector = {"mean": real.mean(0), "cls": real[0], "last": real[-1]}[pooling]
            vectors.append(vector / numpy.linalg.norm(vector))
    return [[round(float(value), 7) for value in vector] for vector in vectors], [len(row) for row in rows]


def main():
    torch.manual_seed(20261121)
    cases = []
    for name, tokenizer, pooling, model, inputs in build():
        write_model(name, tokenizer, pooling, model, inputs)
        vectors, lengths = vectors_of(HERE / name, pooling, together=True)
        cases.append({"name": name, "folder": name, "lengths": lengths, "vectors": vectors})
    vectors, lengths = vectors_of(DEMO, "mean", together=False)
    cases.append({"name": "the demo model", "folder": "../../../../../models/demo/embedding", "lengths": lengths, "vectors": vectors})
    (HERE / "reference.json").write_text(json.dumps({"texts": TEXTS, "cases": cases}, ensure_ascii=False))


main()
