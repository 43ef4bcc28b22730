// NVIDIA's GPUs, where the image has their driver. Written from NVIDIA's documentation; not run on such hardware.
#pragma once

namespace cloister::guest {

// A UNIX socket. Whoever connects has the GPUs told that they may work, and reads `1`, or `0` where their driver
// refuses. attestation/guest/gpu-ready.ts is its one client: it connects once every GPU has proven itself.
constexpr const char* gpu_gate = "/run/gpu-gate";

// Makes the devices' nodes, starts the persistence daemon, without which a GPU forgets its confidential session, and
// opens the gate. The GPUs take no work yet. Nothing happens where the driver is not loaded; the machine stops where it
// is and one of these fails.
void prepare_gpus();

}  // namespace cloister::guest
