// NVIDIA's GPUs, where the image has their driver. Written from NVIDIA's documentation; not run on such hardware.
#pragma once

namespace cloister::guest {

// Makes the devices' nodes, starts the persistence daemon, without which a GPU forgets its confidential session, and tells the
// GPUs that they may work. What they are, is for the runtime to measure and for tenants to verify. Nothing happens where the
// driver is not loaded; the machine stops where it is and one of these fails.
void prepare_gpus();

}  // namespace cloister::guest
