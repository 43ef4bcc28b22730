"""Write the checkpoint as two GGUF files: the text model in F16, and its projector (`mmproj`) in F16 with the vision transformer."""

import argparse
import importlib.util
from pathlib import Path

import gguf
import numpy as np
import torch

from model import TEXT, EyeShape, Llava, Shape
from questions import PATCH, SIDE
from tokens import load_tokenizer

_chat = importlib.util.spec_from_file_location("chat_export", Path(__file__).parent.parent / "chat" / "export.py")
chat_export = importlib.util.module_from_spec(_chat)

HERE = Path(__file__).parent
NAME = "cloister-demo-vision"


def write_file(writer: gguf.GGUFWriter, tensors: dict[str, torch.Tensor]) -> None:
    for name, tensor in tensors.items():
        values = tensor.float().cpu().numpy()
        # Vectors and the positions are added to F32 values, which ggml requires in F32.
        narrow = values.ndim >= 2 and "position_embd" not in name
        writer.add_tensor(name, values.astype(np.float16 if narrow else np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_text_model(file: Path, model: Llava, tokenizer) -> None:
    writer = gguf.GGUFWriter(file, "llama")
    chat_export.write_shape(writer, Shape(vocabulary=tokenizer.get_vocab_size(), **TEXT))
    writer.add_name("Cloister Demo Vision")
    writer.add_description("A very small chat model that describes images of shapes, trained on generated images and texts only.")
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    chat_export.write_vocabulary(writer, tokenizer)
    write_file(writer, model.text.state_dict())


def write_projector(file: Path, model: Llava) -> None:
    shape = EyeShape()
    writer = gguf.GGUFWriter(file, "clip")
    writer.add_name("Cloister Demo Vision")
    writer.add_bool("clip.has_vision_encoder", True)
    writer.add_string("clip.projector_type", "mlp")
    writer.add_bool("clip.use_gelu", True)
    for name, value in {
        "image_size": SIDE, "patch_size": PATCH, "embedding_length": shape.width, "feed_forward_length": shape.inner,
        "block_count": shape.layers, "projection_dim": TEXT["width"], "attention.head_count": shape.heads,
    }.items():
        writer.add_uint32(f"clip.vision.{name}", value)
    writer.add_float32("clip.vision.attention.layer_norm_epsilon", shape.epsilon)
    # All layers: without this, llama.cpp leaves the last one out, as LLaVA does.
    writer.add_array("clip.vision.feature_layer", [shape.layers])
    writer.add_array("clip.vision.image_mean", [0.5] * 3)
    writer.add_array("clip.vision.image_std", [0.5] * 3)
    tensors = {"v.patch_embd.weight": model.eye.patch_embd.weight, "v.patch_embd.bias": model.eye.patch_embd.bias, "v.position_embd.weight": model.eye.position_embd}
    tensors |= {f"v.{name}": value for name, value in model.eye.state_dict().items() if name.startswith(("blk.", "post_ln."))}
    tensors |= {f"mm.{name}": value for name, value in model.mm.state_dict().items()}
    write_file(writer, {name: value.detach() for name, value in tensors.items()})


def export(build: Path, folder: Path) -> None:
    tokenizer = load_tokenizer(build / "tokenizer.json")
    model = Llava(tokenizer.get_vocab_size())
    state = torch.load(build / "checkpoint.pt", map_location="cpu")
    model.load_state_dict(state["model"])
    for file, write in {
        folder / f"{NAME}.gguf": lambda file: write_text_model(file, model, tokenizer),
        folder / f"mmproj-{NAME}.gguf": lambda file: write_projector(file, model),
    }.items():
        write(file)
        print(f"{file}: {file.stat().st_size:,} bytes, from step {state['step']}")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", type=Path, default=HERE / "build")
    options.add_argument("--folder", type=Path, default=HERE)
    given = options.parse_args()
    _chat.loader.exec_module(chat_export)
    export(given.build, given.folder)
