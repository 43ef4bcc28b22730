#include "platform/nvml_library.h"

#include <cstring>
#include <memory>

#include "base/coded_error.h"
#include "platform/shared_library.h"

// Types, sizes and numbers are those of the public nvml.h; a structure has a version field only where one is declared.
namespace {

using NvmlReturn = int;
using NvmlDevice = void*;

constexpr NvmlReturn kSuccess = 0;
constexpr NvmlReturn kNotSupported = 3;
constexpr NvmlReturn kFunctionNotFound = 13;
constexpr unsigned int kGpusMax = 64;
constexpr size_t kVersionBytes = 96;

struct SystemState {
  unsigned int environment;
  unsigned int cc_feature;
  unsigned int devtools_mode;
};

struct SystemSettings {
  unsigned int version;
  unsigned int environment;
  unsigned int cc_feature;
  unsigned int devtools_mode;
  unsigned int multi_gpu_mode;
};
constexpr unsigned int kSettingsVersion1 = sizeof(SystemSettings) | (1u << 24);

struct Certificate {
  unsigned int chain_size;
  unsigned int attestation_chain_size;
  unsigned char chain[0x1000];
  unsigned char attestation_chain[0x1400];
};

struct Report {
  unsigned int is_cec_report_present;
  unsigned int report_size;
  unsigned int cec_report_size;
  unsigned char nonce[32];
  unsigned char report[0x2000];
  unsigned char cec_report[0x1000];
};

struct MemoryInfo {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

struct UtilizationRates {
  unsigned int gpu;
  unsigned int memory;
};

// A newer driver may know a longer structure: the bytes that it writes past the end must not overwrite anything.
template <typename Structure>
struct Padded {
  Structure value{};
  unsigned char beyond[4096]{};
};

class Library {
 public:
  explicit Library(const std::string& path)
      : library_(path, "NVIDIA's management library", "ERR_NVML_MISSING", "ERR_NVML_FAILED") {
    require(function<NvmlReturn()>("nvmlInit_v2")(), "nvmlInit_v2");
  }
  ~Library() {
    if (const auto shutdown = find<NvmlReturn()>("nvmlShutdown")) shutdown();
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  template <typename Signature>
  Signature* find(const char* name) const {
    return library_.find<Signature>(name);
  }

  template <typename Signature>
  Signature* function(const char* name) const {
    return library_.function<Signature>(name);
  }

  void require(NvmlReturn result, const char* name) const {
    if (result == kSuccess) return;
    const auto describe = find<const char*(NvmlReturn)>("nvmlErrorString");
    const char* text = describe == nullptr ? nullptr : describe(result);
    throw CodedError("ERR_NVML_FAILED",
                     std::string(name) + ": " + (text == nullptr ? "NVML error " + std::to_string(result) : text));
  }

 private:
  SharedLibrary library_;
};

NvmlDevice device_at(const Library& library, unsigned int index) {
  NvmlDevice device = nullptr;
  library.require(
      library.function<NvmlReturn(unsigned int, NvmlDevice*)>("nvmlDeviceGetHandleByIndex_v2")(index, &device),
      "nvmlDeviceGetHandleByIndex_v2");
  return device;
}

std::string text_of(const Library& library, const char* name, NvmlDevice device) {
  char text[kVersionBytes] = {};
  library.require(library.function<NvmlReturn(NvmlDevice, char*, unsigned int)>(name)(device, text, sizeof text), name);
  return {text, strnlen(text, sizeof text)};
}

std::string driver_version_of(const Library& library) {
  constexpr const char* name = "nvmlSystemGetDriverVersion";
  char text[kVersionBytes] = {};
  library.require(library.function<NvmlReturn(char*, unsigned int)>(name)(text, sizeof text), name);
  return {text, strnlen(text, sizeof text)};
}

unsigned int count_of(const Library& library) {
  unsigned int count = 0;
  library.require(library.function<NvmlReturn(unsigned int*)>("nvmlDeviceGetCount_v2")(&count),
                  "nvmlDeviceGetCount_v2");
  if (count > kGpusMax) throw CodedError("ERR_NVML_FAILED", "the driver reports " + std::to_string(count) + " GPUs");
  return count;
}

// A driver or GPU that does not support the query is not confidential.
bool is_unknown(NvmlReturn result) { return result == kNotSupported || result == kFunctionNotFound; }

void read_confidential_state(const Library& library, GpuSystemState& state) {
  if (const auto get = library.find<NvmlReturn(SystemState*)>("nvmlSystemGetConfComputeState")) {
    Padded<SystemState> answer;
    const NvmlReturn result = get(&answer.value);
    if (!is_unknown(result)) {
      library.require(result, "nvmlSystemGetConfComputeState");
      state.environment = answer.value.environment;
      state.cc_feature = answer.value.cc_feature;
      state.devtools_mode = answer.value.devtools_mode;
    }
  }
  if (const auto get = library.find<NvmlReturn(SystemSettings*)>("nvmlSystemGetConfComputeSettings")) {
    Padded<SystemSettings> answer;
    answer.value.version = kSettingsVersion1;
    if (get(&answer.value) == kSuccess) state.multi_gpu_mode = answer.value.multi_gpu_mode;
  }
  if (const auto get = library.find<NvmlReturn(unsigned int*)>("nvmlSystemGetConfComputeGpusReadyState")) {
    unsigned int accepting = 0;
    if (get(&accepting) == kSuccess) state.accepts_work = accepting != 0;
  }
}

std::vector<uint8_t> copy_of(const unsigned char* bytes, size_t size, size_t size_max, const char* what) {
  if (size == 0 || size > size_max) {
    throw CodedError("ERR_NVML_FAILED",
                     std::string("the driver gave ") + what + " of " + std::to_string(size) + " bytes");
  }
  return {bytes, bytes + size};
}

}  // namespace

GpuSystemState read_gpu_state(const std::string& library_path) {
  const Library library(library_path);
  GpuSystemState state;
  state.driver_version = driver_version_of(library);
  read_confidential_state(library, state);
  const unsigned int count = count_of(library);
  for (unsigned int index = 0; index < count; ++index) {
    const NvmlDevice device = device_at(library, index);
    state.gpus.push_back({text_of(library, "nvmlDeviceGetUUID", device), text_of(library, "nvmlDeviceGetName", device),
                          text_of(library, "nvmlDeviceGetVbiosVersion", device)});
  }
  return state;
}

std::vector<GpuLoad> read_gpu_loads(const std::string& library_path) {
  const Library library(library_path);
  const auto memory_of = library.find<NvmlReturn(NvmlDevice, MemoryInfo*)>("nvmlDeviceGetMemoryInfo");
  const auto rates_of = library.find<NvmlReturn(NvmlDevice, UtilizationRates*)>("nvmlDeviceGetUtilizationRates");
  std::vector<GpuLoad> loads(count_of(library));
  for (unsigned int index = 0; index < loads.size(); ++index) {
    const NvmlDevice device = device_at(library, index);
    Padded<MemoryInfo> memory;
    if (memory_of != nullptr && memory_of(device, &memory.value) == kSuccess) {
      loads[index].memory_total_bytes = memory.value.total;
      loads[index].memory_used_bytes = memory.value.used;
    }
    Padded<UtilizationRates> rates;
    if (rates_of != nullptr && rates_of(device, &rates.value) == kSuccess) {
      loads[index].compute_percent = rates.value.gpu;
      loads[index].memory_percent = rates.value.memory;
    }
  }
  return loads;
}

GpuEvidence read_gpu_evidence(const std::string& library_path, unsigned int index, const GpuNonce& nonce) {
  const Library library(library_path);
  const NvmlDevice device = device_at(library, index);
  constexpr const char* report_name = "nvmlDeviceGetConfComputeGpuAttestationReport";
  const auto report = std::make_unique<Padded<Report>>();
  std::memcpy(report->value.nonce, nonce.data(), nonce.size());
  library.require(library.function<NvmlReturn(NvmlDevice, Report*)>(report_name)(device, &report->value), report_name);
  constexpr const char* certificate_name = "nvmlDeviceGetConfComputeGpuCertificate";
  const auto certificate = std::make_unique<Padded<Certificate>>();
  library.require(library.function<NvmlReturn(NvmlDevice, Certificate*)>(certificate_name)(device, &certificate->value),
                  certificate_name);
  return {copy_of(report->value.report, report->value.report_size, sizeof report->value.report, "a report"),
          copy_of(certificate->value.attestation_chain, certificate->value.attestation_chain_size,
                  sizeof certificate->value.attestation_chain, "a certificate chain")};
}

void set_gpus_ready(const std::string& library_path) {
  constexpr const char* name = "nvmlSystemSetConfComputeGpusReadyState";
  constexpr unsigned int kAcceptingRequests = 1;
  const Library library(library_path);
  library.require(library.function<NvmlReturn(unsigned int)>(name)(kAcceptingRequests), name);
}
