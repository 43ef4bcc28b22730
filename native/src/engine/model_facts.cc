#include "engine/model_facts.h"

#include <algorithm>
#include <cstdio>

#include "engine/backends.h"
#include "kernels/cpu_kernels.h"
#include "kernels/instruction_set.h"

std::string read_metadata(const llama_model* model, const char* key) {
  char value[256];
  return llama_model_meta_val_str(model, key, value, sizeof value) >= 0 ? value : "";
}

std::string describe_model(const llama_model* model) {
  const double millions = static_cast<double>(llama_model_n_params(model)) / 1e6;
  char size[64];
  std::snprintf(size, sizeof size, millions < 1000 ? "%.3g M parameters" : "%.3g B parameters",
                millions < 1000 ? millions : millions / 1000);
  const std::string name = read_metadata(model, "general.name");
  const std::string title = name.empty() ? read_metadata(model, "general.architecture") : name;
  return title + ", " + size + ", " + llama_ftype_name(llama_model_ftype(model));
}

namespace {

// Which code computes the products of a model.
std::string describe_kernels(const ModelOptions& options) {
  if (!CpuKernels::serve(options)) return "";
  const auto& [uses_amx, why_not] = product_path();
  const std::string kernels = std::string(", own kernels on ") + (uses_amx ? "AMX and " : "") + instruction_set()->name;
  return kernels + (why_not.empty() ? "" : "; " + why_not);
}

}  // namespace

std::string describe_device(const llama_model* model, const ModelOptions& options, const LlamaParameters& parameters) {
  std::string cpu = "CPU (" + cpu_variant() + describe_kernels(options) + "), " + std::to_string(options.threads) +
                    (options.threads == 1 ? " thread" : " threads");
  if (parameters.devices.size() <= 1) return cpu;
  const int32_t layers = llama_model_n_layer(model) + 1;
  const int32_t asked = parameters.model.n_gpu_layers;
  const int32_t offloaded = asked < 0 ? layers : std::min(layers, asked);
  std::string devices;
  for (size_t index = 0; index + 1 < parameters.devices.size(); ++index) {
    ggml_backend_dev_t device = parameters.devices[index];
    if (index > 0) devices += " + ";
    devices += std::string(ggml_backend_dev_name(device)) + " " + ggml_backend_dev_description(device);
  }
  devices += ", " + std::to_string(offloaded) + "/" + std::to_string(layers) + " layers";
  return offloaded < layers ? devices + "; rest on " + cpu : devices;
}
