#include "engine/lora_adapters.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/coded_error.h"
#include "base/log_capture.h"
#include "gguf.h"

namespace {

struct GgufDeleter {
  void operator()(gguf_context* file) const { gguf_free(file); }
};
struct GgmlDeleter {
  void operator()(ggml_context* context) const { ggml_free(context); }
};

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw CodedError("ERR_MODEL_LOAD", "the adapter " + path + " cannot be used: " + reason);
}

bool has_type(const gguf_context* file, const char* name, gguf_type type) {
  const int64_t key = gguf_find_key(file, name);
  return key < 0 || gguf_get_kv_type(file, key) == type;
}

bool ends_with(std::string_view name, std::string_view end) {
  return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
}

// llama.cpp multiplies with these, and ends the process for a type that it cannot multiply with.
bool is_multiplied(ggml_type type) {
  return type == GGML_TYPE_F32 || type == GGML_TYPE_F16 || type == GGML_TYPE_BF16 || type == GGML_TYPE_Q8_0;
}

// Throws for a file with which llama.cpp would fail an assertion or read outside of a tensor.
void require_sound(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure)) refuse(path, "there is no such file");
  ggml_context* metadata = nullptr;
  const std::unique_ptr<gguf_context, GgufDeleter> file(gguf_init_from_file(path.c_str(), {true, &metadata}));
  const std::unique_ptr<ggml_context, GgmlDeleter> tensors(metadata);
  if (!file) refuse(path, "it is not a GGUF file");
  for (const char* name : {"general.type", "general.architecture", "adapter.type"}) {
    if (!has_type(file.get(), name, GGUF_TYPE_STRING)) refuse(path, std::string(name) + " must be a string");
  }
  const int64_t type = gguf_find_key(file.get(), "general.type");
  if (type < 0 || std::string_view(gguf_get_val_str(file.get(), type)) != "adapter") {
    refuse(path, "general.type must be adapter, as llama.cpp's convert_lora_to_gguf.py writes it");
  }
  if (!has_type(file.get(), "adapter.lora.alpha", GGUF_TYPE_FLOAT32)) refuse(path, "adapter.lora.alpha must be a float");
  if (gguf_find_key(file.get(), "adapter.alora.invocation_tokens") >= 0) {
    refuse(path, "activated adapters (aLoRA) are not supported");
  }
  for (ggml_tensor* tensor = ggml_get_first_tensor(tensors.get()); tensor != nullptr;
       tensor = ggml_get_next_tensor(tensors.get(), tensor)) {
    const std::string_view name = tensor->name;
    if (ends_with(name, "_norm.weight")) refuse(path, "changes of norms are not supported");
    if (!is_multiplied(tensor->type)) refuse(path, "its matrices must have the type F32, F16, BF16 or Q8_0");
    if (!ggml_is_matrix(tensor)) refuse(path, "adapters of experts are not supported");
    // llama.cpp would also use them for the output matrix of a model whose embedding is its output, in which they do not fit.
    if (name.starts_with("token_embd.")) refuse(path, "changes of the token embedding are not supported");
  }
}

}  // namespace

LoraAdapters::LoraAdapters(llama_model* model, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const LogCapture log;
    require_sound(path);
    adapters_.emplace_back(llama_adapter_lora_init(model, path.c_str()));
    if (!adapters_.back()) refuse(path, log.reason().empty() ? "llama.cpp gave no reason" : log.reason());
  }
}

void LoraAdapters::apply(llama_context* context, int32_t adapter) const {
  if (adapters_.empty()) return;
  llama_adapter_lora* applied = adapter == 0 ? nullptr : adapters_[static_cast<size_t>(adapter) - 1].get();
  float scale = 1;
  llama_set_adapters_lora(context, &applied, adapter == 0 ? 0 : 1, &scale);
}
