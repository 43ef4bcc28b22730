"""Write the checkpoint as a Hugging Face folder with an ONNX graph, weights in eight bits, and check it against torch."""

import argparse
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from reranker import EMBEDDING, HERE, Reranker
from tokenizers import Tokenizer
from train import encode, pair_ids

from measure import hand_written
from model import NORM_EPSILON, Shape
from tokenizer import PAD, write_json

sys.path.append(str(EMBEDDING))
OPSET = 17


def quantise_weights(file: Path) -> None:
    """As in the export of the embedding model: int8 in the file, single precision at run time."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("embedding_export", EMBEDDING / "export.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.quantise_weights(file)


def write_graph(reranker: Reranker, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    tokens = torch.randint(5, 100, (2, 13))
    mask = torch.ones_like(tokens)
    mask[1, 9:] = 0
    shape = {0: "batch", 1: "length"}
    torch.onnx.export(
        reranker, (tokens, mask), file, dynamo=False, opset_version=OPSET, input_names=["input_ids", "attention_mask"],
        output_names=["logits"], dynamic_axes={"input_ids": shape, "attention_mask": shape, "logits": {0: "batch"}},
    )
    quantise_weights(file)


def write_settings(shape: Shape, folder: Path) -> None:
    write_json(folder / "config.json", {
        "architectures": ["BertForSequenceClassification"], "model_type": "bert", "vocab_size": shape.vocabulary, "hidden_size": shape.width,
        "num_hidden_layers": shape.layers, "num_attention_heads": shape.heads, "intermediate_size": shape.feed_forward, "hidden_act": "gelu",
        "max_position_embeddings": shape.context, "layer_norm_eps": NORM_EPSILON, "pad_token_id": PAD, "position_embedding_type": "absolute",
        "id2label": {"0": "LABEL_0"}, "label2id": {"LABEL_0": 0},
    })


def compare(reranker: Reranker, folder: Path) -> None:
    """Measure the loss by quantization: logits of hand-written pairs in the runtime and in torch."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    session = onnxruntime.InferenceSession(folder / "onnx/model.onnx", providers=["CPUExecutionProvider"])
    differences = []
    for first, second in hand_written("tuning.txt"):
        ids = np.array([pair_ids(*encode(tokenizer, [first, second]))])
        (logits,) = session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        with torch.no_grad():
            expected = reranker(torch.tensor(ids), torch.ones(ids.shape)).item()
        differences.append(abs(logits[0, 0] - expected))
    print(f"difference to the logits of the single-precision weights: largest {max(differences):.4f}, mean {np.mean(differences):.4f}")


def export(build: Path, folder: Path) -> None:
    state = torch.load(build / "checkpoint.pt")
    shape = Shape(len(state["reranker"]["encoder.words.weight"]))
    reranker = Reranker(shape)
    reranker.load_state_dict(state["reranker"])
    reranker.eval()
    write_graph(reranker, folder / "onnx/model.onnx")
    write_settings(shape, folder)
    print(f"step {state['step']}, {sum(weight.numel() for weight in reranker.parameters()):,} parameters, {(folder / 'onnx/model.onnx').stat().st_size:,} bytes")
    compare(reranker, folder)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", type=Path, default=HERE / "build")
    options.add_argument("--folder", type=Path, default=HERE)
    given = options.parse_args()
    export(given.build, given.folder)
