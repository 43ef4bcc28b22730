"""Writes scheduler-reference.json: what the schedulers of the published `diffusers` library do, step by step.

    pip install diffusers torch numpy
    python test/models/image/scheduler-reference.py > test/models/image/scheduler-reference.json
    npx biome check --write test/models/image/scheduler-reference.json

Last run with commit 58eb52c0803e of its repository, its scheduler files alone. The "model" is a fixed straight line of what it sees and of the time, so that its answer needs no network. Noise is fixed too.
"""
import json
import sys

import torch
import diffusers

LATENT = [-1.25, 0.1, 0.6, 2.0]
LINE = {"input": 0.7, "time": 0.4, "constant": -0.15}

SD15 = {"num_train_timesteps": 1000, "beta_start": 0.00085, "beta_end": 0.012, "beta_schedule": "scaled_linear"}
OFFSET = {**SD15, "steps_offset": 1, "set_alpha_to_one": False, "clip_sample": False}
SDXL = {**OFFSET, "timestep_spacing": "leading", "prediction_type": "epsilon", "interpolation_type": "linear"}
TURBO = {**OFFSET, "timestep_spacing": "trailing", "prediction_type": "epsilon"}
V = {"prediction_type": "v_prediction"}
ZERO_SNR = {**OFFSET, **V, "timestep_spacing": "trailing", "rescale_betas_zero_snr": True}
KARRAS = {"use_karras_sigmas": True}

# The settings of published models' scheduler_config.json first, then every option that changes a number.
CASES = [
    ("DDIM as Stable Diffusion 1.5 has it", "DDIMScheduler", OFFSET, 10),
    ("DDIM as Stable Diffusion 2.1 has it", "DDIMScheduler", {**OFFSET, **V}, 12),
    ("DDIM with the defaults of its class", "DDIMScheduler", {}, 7),
    ("DDIM, trailing, sample", "DDIMScheduler", {**SD15, "timestep_spacing": "trailing", "prediction_type": "sample"}, 6),
    ("DDIM, linspace", "DDIMScheduler", {**OFFSET, "timestep_spacing": "linspace"}, 8),
    ("DDIM, zero terminal SNR", "DDIMScheduler", ZERO_SNR, 8),
    ("DDIM, cosine", "DDIMScheduler", {"beta_schedule": "squaredcos_cap_v2", "clip_sample": False}, 9),
    ("PNDM as Stable Diffusion 1.5 has it", "PNDMScheduler", {**OFFSET, "skip_prk_steps": True}, 10),
    ("PNDM, v, trailing", "PNDMScheduler", {**SD15, **V, "skip_prk_steps": True, "timestep_spacing": "trailing"}, 7),
    ("PNDM, linspace, three steps", "PNDMScheduler", {**SD15, "skip_prk_steps": True, "timestep_spacing": "linspace"}, 3),
    ("Euler as SDXL has it", "EulerDiscreteScheduler", SDXL, 10),
    ("Euler as SD-Turbo has it", "EulerDiscreteScheduler", TURBO, 4),
    ("Euler as Stable Diffusion 2.1 has it", "EulerDiscreteScheduler", {**OFFSET, **V}, 10),
    ("Euler with the defaults of its class", "EulerDiscreteScheduler", {}, 6),
    ("Euler, sample", "EulerDiscreteScheduler", {**TURBO, "prediction_type": "sample"}, 5),
    ("Euler, Karras", "EulerDiscreteScheduler", {**SDXL, **KARRAS}, 10),
    ("Euler, Karras, linspace", "EulerDiscreteScheduler", {**SD15, **KARRAS, **V}, 12),
    ("Euler, Karras between given sigmas", "EulerDiscreteScheduler", {**SDXL, **KARRAS, "sigma_min": 0.03, "sigma_max": 14.5}, 5),
    ("Euler, ends at the least sigma", "EulerDiscreteScheduler", {**SDXL, "final_sigmas_type": "sigma_min"}, 5),
    ("Euler, zero terminal SNR", "EulerDiscreteScheduler", ZERO_SNR, 6),
    ("Euler ancestral as SDXL-Turbo has it", "EulerAncestralDiscreteScheduler", TURBO, 4),
    ("Euler ancestral, leading", "EulerAncestralDiscreteScheduler", SDXL, 10),
    ("Euler ancestral, linspace, v", "EulerAncestralDiscreteScheduler", {**SD15, **V}, 9),
    ("DPM-Solver++ 2M as for Stable Diffusion 1.5", "DPMSolverMultistepScheduler", {**SD15, "steps_offset": 1}, 10),
    ("DPM-Solver++ 2M as for Stable Diffusion 2.1", "DPMSolverMultistepScheduler", {**SD15, **V, "steps_offset": 1}, 20),
    ("DPM-Solver++ 2M Karras as for SDXL", "DPMSolverMultistepScheduler", {**SDXL, **KARRAS}, 20),
    ("DPM-Solver++ 2M Karras, few steps", "DPMSolverMultistepScheduler", {**SDXL, **KARRAS, "euler_at_final": True}, 5),
    ("DPM-Solver++ 2M, trailing, sample", "DPMSolverMultistepScheduler", {**TURBO, "prediction_type": "sample"}, 7),
    ("DPM-Solver++ 2M, leading", "DPMSolverMultistepScheduler", SDXL, 16),
    ("DPM-Solver++ 2M, Heun", "DPMSolverMultistepScheduler", {**SD15, "solver_type": "heun"}, 10),
    ("DPM-Solver++, first order", "DPMSolverMultistepScheduler", {**SD15, "solver_order": 1}, 10),
    ("DPM-Solver++ 2M, ends at the least sigma", "DPMSolverMultistepScheduler", {**SD15, "final_sigmas_type": "sigma_min"}, 16),
    ("DPM-Solver++ 2M, short, ends at the least sigma", "DPMSolverMultistepScheduler", {**SD15, "final_sigmas_type": "sigma_min"}, 6),
    ("DPM-Solver++ 2M, cosine", "DPMSolverMultistepScheduler", {"beta_schedule": "squaredcos_cap_v2"}, 8),
    ("LCM as distilled models have it", "LCMScheduler", {**OFFSET, "set_alpha_to_one": True, "original_inference_steps": 50}, 4),
    ("LCM with the defaults of its class", "LCMScheduler", {}, 10),
    ("LCM, v, 25 original steps, clipped", "LCMScheduler", {**V, "original_inference_steps": 25, "clip_sample": True}, 7),
]


def noise_of(step):
    return torch.tensor([((step * 4 + i) * 37 % 19 - 9) / 6 for i in range(4)], dtype=torch.float32)


def trajectory(name, class_name, config, steps):
    scheduler = getattr(diffusers, class_name)(**config)
    scheduler.set_timesteps(steps)
    # Else it looks for its first step by the time, and two steps may have the same.
    if hasattr(scheduler, "set_begin_index"):
        scheduler.set_begin_index(0)
    drawn = [0]

    def fixed_noise(*args, **kwargs):
        drawn[0] += 1
        return noise_of(drawn[0] - 1)

    sys.modules[type(scheduler).__module__].randn_tensor = fixed_noise
    latent = torch.tensor(LATENT, dtype=torch.float32) * float(scheduler.init_noise_sigma)
    latents = []
    for time in scheduler.timesteps:
        seen = scheduler.scale_model_input(latent, time)
        output = LINE["input"] * seen + LINE["time"] * float(time) / 1000 + LINE["constant"]
        latent = scheduler.step(output, time, latent, return_dict=False)[0]
        latents.append([float(f"{value:.7g}") for value in latent])
    return {
        "name": name,
        "config": {"_class_name": class_name, **config},
        "steps": steps,
        "initialScale": float(f"{float(scheduler.init_noise_sigma):.7g}"),
        "timesteps": [float(f"{float(time):.7g}") for time in scheduler.timesteps],
        "latents": latents,
    }


def main():
    cases = [json.dumps(trajectory(*case)) for case in CASES]
    head = {
        "source": f"diffusers {diffusers.__version__}, torch {torch.__version__}, 32 bit; scheduler-reference.py",
        "line": LINE,
        "latent": LATENT,
    }
    print(json.dumps(head)[:-1] + ', "cases": [\n' + ",\n".join(cases) + "\n]}")


main()
