#pragma once

#include <string>
#include <vector>

#include "platform/nvml_library.h"

// NVIDIA's library for the switches between GPUs (NSCQ), opened at run time: machines without switches do not have it.

struct SwitchEvidence {
  // As the library labels the switch.
  std::string uuid;
  GpuEvidence evidence;
};

// A report over `nonce` of every switch of this machine, with its certificates.
// Throws CodedError: ERR_NSCQ_MISSING where the library cannot be opened, ERR_NSCQ_FAILED.
std::vector<SwitchEvidence> read_switch_evidence(const std::string& library_path, const GpuNonce& nonce);
