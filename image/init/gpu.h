// NVIDIA GPUs, if the image has their driver. Based on NVIDIA's documentation; not tested on NVIDIA hardware.
#pragma once

namespace cloister::guest {

// A UNIX socket. On a connection, the GPUs' confidential computing state is set to ready, and the client reads `1`, or
// `0` if the driver refuses. attestation/guest/gpu-ready.ts connects after the evidence of every GPU is verified.
constexpr const char* gpu_gate = "/run/gpu-gate";

// Creates the device nodes, starts the persistence daemon, without which a GPU loses its confidential session, and opens
// the gate. The GPUs do not accept work yet. Does nothing if the driver is not loaded. Powers the machine off if a step
// fails.
void prepare_gpus();

}  // namespace cloister::guest
