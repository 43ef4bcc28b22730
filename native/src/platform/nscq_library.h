#pragma once

#include <string>
#include <vector>

#include "platform/nvml_library.h"

// NVIDIA's library for the switches between GPUs (NSCQ), opened at run time, because machines without switches do not
// have it.

struct SwitchEvidence {
  // The library's label of the switch.
  std::string uuid;
  GpuEvidence evidence;
};

// A report of every switch of this machine over `nonce`, with its certificates. Throws CodedError: ERR_NSCQ_MISSING if
// the library cannot be opened, ERR_NSCQ_FAILED.
std::vector<SwitchEvidence> read_switch_evidence(const std::string& library_path, const GpuNonce& nonce);
