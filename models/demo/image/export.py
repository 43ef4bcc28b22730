"""Write the checkpoints as an ONNX pipeline in diffusers' folder layout, weights in half precision, and check it against torch."""

import argparse
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

from model import CELL, LATENTS, TEXT_WIDTH, Decoder, TextEncoder, UNet
from scenes import SIDE
from tokenizer import LENGTH, build_tokenizer, save_tokenizer, write_json
from train import BETA_END, BETA_START, STEPS

HERE = Path(__file__).parent
OPSET, HALVED_FROM = 17, 512  # Smaller tensors stay in single precision.
PARTS = {"text_encoder": ["diffusers", "OnnxRuntimeModel"], "unet": ["diffusers", "OnnxRuntimeModel"], "vae_decoder": ["diffusers", "OnnxRuntimeModel"]}


def halve_weights(file: Path) -> None:
    """Store large weights in float16 with a Cast, which the runtime folds at load; it computes in float32."""
    model = onnx.load(file)
    casts, kept = [], []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if tensor.data_type != TensorProto.FLOAT or values.size < HALVED_FROM:
            kept.append(tensor)
            continue
        kept.append(numpy_helper.from_array(values.astype(np.float16), tensor.name + ".half"))
        casts.append(helper.make_node("Cast", [tensor.name + ".half"], [tensor.name], to=TensorProto.FLOAT))
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    nodes = casts + list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, file)


def write_network(folder: Path, network: torch.nn.Module, inputs: dict[str, torch.Tensor], output: str, axes: dict[str, dict[int, str]], config: dict) -> None:
    """Write one network as model.onnx and config.json; its outputs must match torch within half precision."""
    folder.mkdir(parents=True, exist_ok=True)
    file, network = folder / "model.onnx", network.eval().to(memory_format=torch.contiguous_format)
    torch.onnx.export(network, tuple(inputs.values()), file, dynamo=False, opset_version=OPSET, input_names=list(inputs), output_names=[output], dynamic_axes=axes)
    halve_weights(file)
    write_json(folder / "config.json", config)
    with torch.no_grad():
        expected = network(*inputs.values()).numpy()
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    found = session.run(None, {name: value.numpy() for name, value in inputs.items()})[0]
    print(f"{folder.name}: {sum(weight.numel() for weight in network.parameters()):,} parameters, {file.stat().st_size:,} bytes, largest difference to torch {np.abs(found - expected).max():.4f} of {np.abs(expected).max():.2f}")


def load(build: Path) -> tuple[TextEncoder, UNet, Decoder, int]:
    """Load the running means of the weights, which draw better than the last weights."""
    unet, text, decoder = UNet(), TextEncoder(build_tokenizer().get_vocab_size(), LENGTH), Decoder()
    state = torch.load(build / "unet.pt")
    torch.nn.ModuleList([unet, text]).load_state_dict(state["mean"])
    decoder.load_state_dict(torch.load(build / "decoder.pt")["mean"])
    return text, unet, decoder, state["step"]


def export(build: Path, folder: Path) -> None:
    text, unet, decoder, step = load(build)
    print(f"from step {step}")
    ids = torch.tensor([encoded.ids for encoded in build_tokenizer().encode_batch(["a red circle", "the sea at night"])])
    words = text.eval()(ids).detach()
    # Traced with different height and width, so that the two cannot be confused.
    latent = torch.randn(2, LATENTS, 16, 28)
    batch = {0: "batch"}
    write_network(folder / "text_encoder", text, {"input_ids": ids}, "last_hidden_state", {"input_ids": batch, "last_hidden_state": batch},
        {"model_type": "clip_text_model", "vocab_size": text.words.num_embeddings, "hidden_size": TEXT_WIDTH, "max_position_embeddings": LENGTH, "num_hidden_layers": len(text.blocks), "pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3})
    shape = {0: "batch", 2: "height", 3: "width"}
    write_network(folder / "unet", unet, {"sample": latent, "timestep": torch.tensor([999, 20]), "encoder_hidden_states": words}, "out_sample",
        {"sample": shape, "timestep": {0: "times"}, "encoder_hidden_states": batch, "out_sample": shape},
        {"_class_name": "UNet2DConditionModel", "sample_size": SIDE // CELL, "in_channels": LATENTS, "out_channels": LATENTS, "cross_attention_dim": TEXT_WIDTH, "block_out_channels": [48, 128]})
    write_network(folder / "vae_decoder", decoder, {"latent_sample": latent}, "sample", {"latent_sample": shape, "sample": {0: "batch", 2: "picture_height", 3: "picture_width"}},
        {"_class_name": "AutoencoderKL", "latent_channels": LATENTS, "out_channels": 3, "sample_size": SIDE, "scaling_factor": 1.0, "block_out_channels": [16, 48, 96]})
    save_tokenizer(folder / "tokenizer")
    scheduler = {
        "_class_name": "DPMSolverMultistepScheduler", "num_train_timesteps": STEPS, "beta_start": BETA_START, "beta_end": BETA_END, "beta_schedule": "scaled_linear",
        "prediction_type": "v_prediction", "timestep_spacing": "trailing", "steps_offset": 0, "clip_sample": False, "set_alpha_to_one": False,
        "algorithm_type": "dpmsolver++", "solver_type": "midpoint", "solver_order": 2, "lower_order_final": True, "use_karras_sigmas": False, "thresholding": False,
    }
    (folder / "scheduler").mkdir(exist_ok=True)
    write_json(folder / "scheduler/scheduler_config.json", scheduler)
    index = {"_class_name": "StableDiffusionPipeline", **PARTS, "tokenizer": ["transformers", "PreTrainedTokenizerFast"], "scheduler": ["diffusers", scheduler["_class_name"]]}
    write_json(folder / "model_index.json", index)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", type=Path, default=HERE / "build")
    options.add_argument("--folder", type=Path, default=HERE)
    given = options.parse_args()
    export(given.build, given.folder)
