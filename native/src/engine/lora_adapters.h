#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "llama.h"

// LoRA adapters of one model: low-rank changes of its weights, of which one or none applies to a forward pass. Must not
// outlive the model, which owns them in llama.cpp's registry.
class LoraAdapters {
 public:
  // Load before creating the context, whose memory then has room for them. Throws ERR_MODEL_LOAD with the position of the
  // adapter.
  LoraAdapters(llama_model* model, const std::vector<std::string>& paths);

  int32_t count() const { return static_cast<int32_t>(adapters_.size()); }
  // adapter: from 1; 0 applies none. Changing it makes the next pass plan its memory again.
  void apply(llama_context* context, int32_t adapter) const;

 private:
  struct Deleter {
    void operator()(llama_adapter_lora* adapter) const { llama_adapter_lora_free(adapter); }
  };
  std::vector<std::unique_ptr<llama_adapter_lora, Deleter>> adapters_;
};
