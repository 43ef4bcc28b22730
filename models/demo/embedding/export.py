"""Write the checkpoint as a Hugging Face folder with an ONNX graph, weights in eight bits, and check it against torch."""

import argparse
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

from measure import hand_written
from model import NORM_EPSILON, Encoder, Shape, pool
from tokenizer import CONTEXT, PAD, write_json

HERE = Path(__file__).parent
OPSET, QUANTISED_FROM = 17, 4_096  # Smaller tensors stay in single precision.


def write_graph(encoder: Encoder, file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    # Traced with padding, at a length that differs from all sizes of the network.
    tokens = torch.randint(5, 100, (2, 13))
    mask = torch.ones_like(tokens)
    mask[1, 9:] = 0
    shape = {0: "batch", 1: "length"}
    torch.onnx.export(
        encoder, (tokens, mask), file, dynamo=False, opset_version=OPSET, input_names=["input_ids", "attention_mask"],
        output_names=["last_hidden_state"], dynamic_axes={name: shape for name in ("input_ids", "attention_mask", "last_hidden_state")},
    )
    quantise_weights(file)


def quantise_weights(file: Path) -> None:
    """
    Store large weights in int8 with one scale per column (per row of a table), behind Cast and Mul; the runtime folds these
    away at load and computes in float32. So activations are never rounded, and texts of one batch do not change each other.
    """
    model = onnx.load(file)
    tables = {node.input[0] for node in model.graph.node if node.op_type in ("Gather", "Slice")}
    kept, unpacked = [], []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if tensor.data_type != TensorProto.FLOAT or values.ndim != 2 or values.size < QUANTISED_FROM:
            kept.append(tensor)
            continue
        scale = np.maximum(np.abs(values).max(axis=1 if tensor.name in tables else 0, keepdims=True) / 127, 1e-12).astype(np.float32)
        small, name = np.rint(values / scale).astype(np.int8), tensor.name
        kept += [numpy_helper.from_array(small, f"{name}.int8"), numpy_helper.from_array(scale, f"{name}.scale")]
        unpacked += [
            helper.make_node("Cast", [f"{name}.int8"], [f"{name}.whole"], to=TensorProto.FLOAT),
            helper.make_node("Mul", [f"{name}.whole", f"{name}.scale"], [name]),
        ]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    nodes = unpacked + list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, file)


def write_settings(shape: Shape, tokenizer: Path, folder: Path) -> None:
    write_json(folder / "config.json", {
        "architectures": ["BertModel"], "model_type": "bert", "vocab_size": shape.vocabulary, "hidden_size": shape.width, "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads, "intermediate_size": shape.feed_forward, "hidden_act": "gelu", "max_position_embeddings": shape.context,
        "layer_norm_eps": NORM_EPSILON, "pad_token_id": PAD, "position_embedding_type": "absolute",
    })
    write_json(folder / "1_Pooling/config.json", {"word_embedding_dimension": shape.width, "pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": False, "pooling_mode_mean_sqrt_len_tokens": False})
    parts = (("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize"))
    write_json(folder / "modules.json", [{"idx": index, "name": str(index), "path": path, "type": f"sentence_transformers.models.{kind}"} for index, (path, kind) in enumerate(parts)])
    write_json(folder / "tokenizer_config.json", {
        "tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": CONTEXT, "pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]",
    })
    trained = Tokenizer.from_file(str(tokenizer))
    trained.no_truncation()
    trained.no_padding()
    trained.save(str(folder / "tokenizer.json"), pretty=False)


def compare(encoder: Encoder, folder: Path) -> None:
    """Measure the loss by quantization: vectors of hand-written texts in the runtime and in torch."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    session = onnxruntime.InferenceSession(folder / "onnx/model.onnx", providers=["CPUExecutionProvider"])
    cosines = []
    for text in (text for pair in hand_written("tuning.txt") for text in pair):
        ids = np.array([tokenizer.encode(text).ids])
        mask = np.ones_like(ids)
        (hidden,) = session.run(None, {"input_ids": ids, "attention_mask": mask})
        with torch.no_grad():
            expected = pool(encoder(torch.tensor(ids), torch.tensor(mask)), torch.tensor(mask))[0].numpy()
        found = hidden.mean(1)[0]
        cosines.append(found @ expected / np.linalg.norm(found) / np.linalg.norm(expected))
    print(f"cosine to the single-precision weights: smallest {min(cosines):.6f}, mean {np.mean(cosines):.6f}")


def export(build: Path, folder: Path) -> None:
    state = torch.load(build / "checkpoint.pt")
    shape = Shape(len(state["encoder"]["words.weight"]))
    encoder = Encoder(shape)
    encoder.load_state_dict(state["encoder"])
    encoder.eval()
    write_graph(encoder, folder / "onnx/model.onnx")
    write_settings(shape, build / "tokenizer.json", folder)
    print(f"step {state['step']}, {sum(weight.numel() for weight in encoder.parameters()):,} parameters, {(folder / 'onnx/model.onnx').stat().st_size:,} bytes")
    compare(encoder, folder)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", type=Path, default=HERE / "build")
    options.add_argument("--folder", type=Path, default=HERE)
    given = options.parse_args()
    export(given.build, given.folder)
