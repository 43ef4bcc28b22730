"""The network: the encoder of the demo embedding model over a query and a document, a pooler on [CLS], and one logit."""

import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

HERE = Path(__file__).parent
EMBEDDING = HERE.parent / "embedding"
sys.path.append(str(EMBEDDING))

from model import Encoder, Shape  # noqa: E402


class Reranker(nn.Module):
    """Map token ids and attention mask [batch, length] of pairs to logits [batch, 1], as BertForSequenceClassification does."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.encoder = Encoder(shape)
        self.pooler = nn.Linear(shape.width, shape.width)
        self.classifier = nn.Linear(shape.width, 1)
        nn.init.normal_(self.classifier.weight, std=0.02)
        nn.init.zeros_(self.classifier.bias)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        hidden = self.encoder(input_ids, attention_mask)
        return self.classifier(torch.tanh(self.pooler(hidden[:, 0])))


def embedding_weights(graph: Path = EMBEDDING / "onnx/model.onnx") -> dict[str, Tensor]:
    """Return the weights of the shipped embedding model in single precision, by their names in `Encoder`."""
    model = onnx.load(graph)
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    whole = {name.removesuffix(".int8"): tensors[name].astype(np.float32) * tensors[name.replace(".int8", ".scale")] for name in tensors if name.endswith(".int8")}
    whole |= {name: values for name, values in tensors.items() if not name.endswith((".int8", ".scale"))}
    # The exporter stores the matrices of linear layers transposed and renames them; their biases keep their names.
    products = {node.output[0]: node.input[1] for node in model.graph.node if node.op_type == "MatMul" and node.input[1] in whole}
    for node in model.graph.node:
        if node.op_type != "Add":
            continue
        bias = next((name for name in node.input if name.endswith(".bias")), None)
        product = next((name for name in node.input if name in products), None)
        if bias is not None and product is not None:
            whole[bias.replace(".bias", ".weight")] = whole[products[product]].T
    return {name: torch.tensor(np.array(values)) for name, values in whole.items() if "." in name}


def initial_reranker() -> tuple[Reranker, Encoder, Shape]:
    """Return a reranker that starts from the embedding model, and the embedding model itself."""
    weights = embedding_weights()
    shape = Shape(len(weights["words.weight"]))
    embedder, reranker = Encoder(shape), Reranker(shape)
    known = {name: weights[name] for name in embedder.state_dict()}
    embedder.load_state_dict(known)
    reranker.encoder.load_state_dict(known)
    return reranker, embedder.eval(), shape
