#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// NVIDIA's management library, opened at run time: machines without a GPU do not have it.

struct GpuIdentity {
  std::string uuid;
  std::string name;
  std::string vbios_version;
};

// Numbers as nvml.h has them.
struct GpuSystemState {
  std::string driver_version;
  // 0 unavailable, 1 simulation, 2 production.
  unsigned int environment = 0;
  // 1: confidential computing is on.
  unsigned int cc_feature = 0;
  // 1: developer tools may look into the GPU.
  unsigned int devtools_mode = 0;
  // 0 none, 1 protected PCIe, 2 encrypted NVLink; nothing where the driver is older than the question.
  std::optional<unsigned int> multi_gpu_mode;
  // Whether the GPUs run programs; nothing where the driver does not say.
  std::optional<bool> accepts_work;
  std::vector<GpuIdentity> gpus;
};

struct GpuEvidence {
  // SPDM request and response.
  std::vector<uint8_t> report;
  // PEM, leaf first.
  std::vector<uint8_t> certificate_chain;
};

using GpuNonce = std::array<uint8_t, 32>;

// All throw CodedError: ERR_NVML_MISSING where the library cannot be opened, ERR_NVML_FAILED.
GpuSystemState read_gpu_state(const std::string& library_path);
GpuEvidence read_gpu_evidence(const std::string& library_path, unsigned int index, const GpuNonce& nonce);
// From now on the GPUs run programs. The driver takes it from a process with CAP_SYS_ADMIN only.
void set_gpus_ready(const std::string& library_path);
