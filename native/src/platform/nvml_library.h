#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// NVIDIA's management library, opened at run time, because machines without a GPU do not have it.

struct GpuIdentity {
  std::string uuid;
  std::string name;
  std::string vbios_version;
};

// The numbers of nvml.h.
struct GpuSystemState {
  std::string driver_version;
  // 0 unavailable, 1 simulation, 2 production.
  unsigned int environment = 0;
  // 1: confidential computing is enabled.
  unsigned int cc_feature = 0;
  // 1: developer tools may inspect the GPU.
  unsigned int devtools_mode = 0;
  // 0: none, 1: protected PCIe, 2: encrypted NVLink; empty if the driver does not support the query.
  std::optional<unsigned int> multi_gpu_mode;
  // Whether the GPUs run programs; empty if the driver does not report it.
  std::optional<bool> accepts_work;
  std::vector<GpuIdentity> gpus;
};

struct GpuEvidence {
  // SPDM request and response.
  std::vector<uint8_t> report;
  // PEM, leaf first.
  std::vector<uint8_t> certificate_chain;
};

// What a GPU does at the moment; values that the driver does not report are empty.
struct GpuLoad {
  std::optional<uint64_t> memory_total_bytes;
  std::optional<uint64_t> memory_used_bytes;
  // Percent of the driver's last sampling period in which a kernel ran.
  std::optional<unsigned int> compute_percent;
  // Percent of the same period in which GPU memory was read or written.
  std::optional<unsigned int> memory_percent;
};

using GpuNonce = std::array<uint8_t, 32>;

// All throw CodedError: ERR_NVML_MISSING if the library cannot be opened, ERR_NVML_FAILED.
GpuSystemState read_gpu_state(const std::string& library_path);
// One entry per GPU, in the driver's order.
std::vector<GpuLoad> read_gpu_loads(const std::string& library_path);
GpuEvidence read_gpu_evidence(const std::string& library_path, unsigned int index, const GpuNonce& nonce);
// Lets the GPUs run programs. The driver requires CAP_SYS_ADMIN.
void set_gpus_ready(const std::string& library_path);
