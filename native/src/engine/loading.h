#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/model_options.h"
#include "chat/image_encoder.h"
#include "llama.h"

struct ModelDeleter {
  void operator()(llama_model* model) const { llama_model_free(model); }
};
using ModelPointer = std::unique_ptr<llama_model, ModelDeleter>;

struct ContextDeleter {
  void operator()(llama_context* context) const { llama_free(context); }
};
using ContextPointer = std::unique_ptr<llama_context, ContextDeleter>;

// Written by the loading thread; any thread may read or cancel it.
struct LoadProgress {
  std::atomic<float> fraction{0};
  std::atomic<bool> cancelled{false};
};

// llama.cpp's parameters, with the arrays that they point to.
struct LlamaParameters {
  explicit LlamaParameters(const ModelOptions& options);
  LlamaParameters(const LlamaParameters&) = delete;
  LlamaParameters& operator=(const LlamaParameters&) = delete;

  llama_model_params model;
  llama_context_params context;
  std::vector<ggml_backend_dev_t> devices;
  std::vector<float> tensor_split;
  std::vector<llama_model_tensor_buft_override> overrides;
};

// Throws ERR_MODEL_LOAD with llama.cpp's reason, ERR_MEMORY_BUDGET, ERR_ABORTED.
ModelPointer load_model(const ModelOptions& options, LlamaParameters& parameters, LoadProgress& progress);
ContextPointer make_context(llama_model* model, const LlamaParameters& parameters);

// Throws ERR_MODEL_LOAD with llama.cpp's reason.
std::unique_ptr<ImageEncoder> load_projector(const ModelOptions& options, const llama_model* model);

// Zeroes the KV cache and recurrent states before they are freed. Does not throw; `memory` may be null.
void wipe_memory(llama_memory_t memory);

struct DeviceMemory {
  std::string name;
  double total_bytes;
  double free_bytes;
  double weight_bytes;
  double context_bytes;
  double compute_bytes;
};

// The memory that loading would take on each device, without loading. Throws ERR_MODEL_LOAD.
std::vector<DeviceMemory> plan_memory(const ModelOptions& options);
