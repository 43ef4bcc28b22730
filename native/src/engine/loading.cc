#include "engine/loading.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "base/coded_error.h"
#include "base/log_capture.h"
#include "engine/backends.h"
#include "fit.h"
#include "kernels/cpu_kernels.h"

namespace {

// common_get_device_memory_data and common_fit_params temporarily replace llama.cpp's global logger, so nothing else
// may load at the same time.
std::mutex loading_mutex;

constexpr size_t kGpuMarginBytes = size_t{1} << 30;

void require_file(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure)) {
    throw CodedError("ERR_MODEL_LOAD", "there is no model file at " + path);
  }
}

struct GgufDeleter {
  void operator()(gguf_context* file) const { gguf_free(file); }
};

// llama.cpp checks these properties with assertions, which would end the process.
void require_distinct_tokens(const gguf_context* file) {
  const int64_t key = gguf_find_key(file, "tokenizer.ggml.tokens");
  if (key < 0 || gguf_get_kv_type(file, key) != GGUF_TYPE_ARRAY) return;
  if (gguf_get_arr_type(file, key) != GGUF_TYPE_STRING) return;
  std::unordered_set<std::string_view> tokens;
  for (size_t index = 0; index < gguf_get_arr_n(file, key); ++index) {
    const std::string_view token = gguf_get_arr_str(file, key, index);
    if (!token.empty() && !tokens.insert(token).second) {
      throw CodedError("ERR_MODEL_LOAD", "the model's vocabulary has a token twice");
    }
  }
}

// A key under the name of the architecture. Nothing if the file lacks it or has a value per layer.
std::optional<uint32_t> read_number(const gguf_context* file, const std::string& name) {
  const int64_t architecture = gguf_find_key(file, "general.architecture");
  if (architecture < 0 || gguf_get_kv_type(file, architecture) != GGUF_TYPE_STRING) return std::nullopt;
  const int64_t key = gguf_find_key(file, (gguf_get_val_str(file, architecture) + ("." + name)).c_str());
  if (key < 0 || gguf_get_kv_type(file, key) != GGUF_TYPE_UINT32) return std::nullopt;
  return gguf_get_val_u32(file, key);
}

// The width of a head's keys or values, whose key is `name`.
std::optional<uint32_t> read_head_width(const gguf_context* file, const std::string& name) {
  if (const auto width = read_number(file, name)) return width;
  const auto embedding = read_number(file, "embedding_length"), heads = read_number(file, "attention.head_count");
  if (!embedding || !heads || *heads == 0) return std::nullopt;
  return *embedding / *heads;
}

void require_rotation_within_heads(const gguf_context* file) {
  const auto rotated = read_number(file, "rope.dimension_count");
  const auto width = read_head_width(file, "attention.key_length");
  if (rotated && width && (*rotated > *width || *rotated % 2 != 0)) {
    throw CodedError("ERR_MODEL_LOAD", "rope.dimension_count must be even and at most the width of a head, " +
                                           std::to_string(*width) + ", got " + std::to_string(*rotated));
  }
}

// A head's keys and values must be whole blocks. llama.cpp refuses the context of a model whose layers differ.
void require_heads_of_whole_blocks(const gguf_context* file) {
  const auto block = static_cast<uint32_t>(ggml_blck_size(GGML_TYPE_Q8_0));
  for (const char* name : {"attention.key_length", "attention.value_length"}) {
    const auto width = read_head_width(file, name);
    if (!width || *width % block == 0) continue;
    throw CodedError("ERR_MODEL_LOAD", "a KV cache in q8_0 requires heads whose size is a multiple of " +
                                           std::to_string(block) + ", and this model's have " + std::to_string(*width) +
                                           ": set --kv-cache-type f16");
  }
}

void require_sound_metadata(const ModelOptions& options) {
  const std::unique_ptr<gguf_context, GgufDeleter> file(
      gguf_init_from_file(options.model_path.c_str(), {true, nullptr}));
  if (!file) return;  // Loading the model reports the error.
  require_distinct_tokens(file.get());
  require_rotation_within_heads(file.get());
  if (options.kv_q8) require_heads_of_whole_blocks(file.get());
}

std::string or_else(const std::string& reason, const char* otherwise) { return reason.empty() ? otherwise : reason; }

// If nothing fits, leaves the parameters unchanged, and loading reports the error.
void fit_to_gpus(const ModelOptions& options, LlamaParameters& parameters) {
  std::vector<size_t> margins(llama_max_devices(), kGpuMarginBytes);
  parameters.tensor_split.assign(llama_max_devices(), 0);
  parameters.overrides.assign(llama_max_tensor_buft_overrides(), {nullptr, nullptr});
  common_fit_params(options.model_path.c_str(), &parameters.model, &parameters.context, parameters.tensor_split.data(),
                    parameters.overrides.data(), margins.data(), 0, nullptr, GGML_LOG_LEVEL_ERROR);
}

bool report_progress(float fraction, void* progress_pointer) {
  auto* progress = static_cast<LoadProgress*>(progress_pointer);
  progress->fraction = fraction;
  return !progress->cancelled;
}

DeviceMemory memory_of(const std::string& name, const common_device_memory_data& data) {
  return {name,
          static_cast<double>(data.total),
          static_cast<double>(data.free),
          static_cast<double>(data.model),
          static_cast<double>(data.context),
          static_cast<double>(data.compute)};
}

}  // namespace

LlamaParameters::LlamaParameters(const ModelOptions& options)
    : model(llama_model_default_params()), context(llama_context_default_params()) {
  if (options.use_gpu) devices = gpu_devices();
  devices.push_back(nullptr);  // Terminates the list; an empty list keeps everything on the CPU.
  model.devices = devices.data();
  // common_fit_params does not change a layer count that the operator has set.
  if (!options.use_gpu) model.n_gpu_layers = 0;
  if (options.use_gpu && options.gpu_layers >= 0) model.n_gpu_layers = options.gpu_layers;
  // Extra buffer types rearrange weights for ggml's kernels (AMX tiles, repacked rows), and this project's kernels read
  // weights as the file has them.
  if (CpuKernels::serve(options)) model.use_extra_bufts = false;
  if (options.lock_memory) model.load_mode = LLAMA_LOAD_MODE_MMAP_MLOCK;

  context.n_ctx = static_cast<uint32_t>(options.context_per_sequence) * static_cast<uint32_t>(options.sequences);
  context.n_seq_max = static_cast<uint32_t>(options.sequences);
  // One step is one batch and one forward pass.
  context.n_batch = static_cast<uint32_t>(options.batch_tokens);
  context.n_ubatch = context.n_batch;
  // Each sequence draws one token per step, and more after draft tokens; by default, llama.cpp reserves logits for
  // every token of a batch.
  const auto draft_tokens = static_cast<uint32_t>(options.draft_tokens);
  context.n_outputs_max = std::min(context.n_batch, context.n_seq_max + draft_tokens);
  context.n_outputs_max_per_seq = std::min(context.n_batch, 1 + draft_tokens);
  context.n_threads = options.threads;
  context.n_threads_batch = options.threads;
  context.flash_attn_type = static_cast<llama_flash_attn_type>(options.flash_attention);
  context.type_k = options.kv_q8 ? GGML_TYPE_Q8_0 : GGML_TYPE_F16;
  context.type_v = context.type_k;
  context.kv_unified = options.unified_kv;
  // A sliding window that evicts cells cannot be truncated to a shorter prefix, so it could not be cached or shared.
  context.swa_full = true;
  context.no_perf = true;
}

ModelPointer load_model(const ModelOptions& options, LlamaParameters& parameters, LoadProgress& progress) {
  require_file(options.model_path);
  const std::lock_guard lock(loading_mutex);
  const LogCapture log;
  require_sound_metadata(options);
  if (options.use_gpu && options.gpu_layers < 0) fit_to_gpus(options, parameters);
  parameters.model.progress_callback = report_progress;
  parameters.model.progress_callback_user_data = &progress;
  ModelPointer model;
  try {
    model.reset(llama_model_load_from_file(options.model_path.c_str(), parameters.model));
  } catch (const std::exception& error) {
    throw CodedError("ERR_MODEL_LOAD", error.what());
  }
  if (progress.cancelled) throw CodedError("ERR_ABORTED", "loading was cancelled");
  if (!model) throw CodedError("ERR_MODEL_LOAD", or_else(log.reason(), "llama.cpp gave no reason"));
  if (!llama_model_has_decoder(model.get()) || llama_model_has_encoder(model.get()) ||
      llama_model_is_diffusion(model.get())) {
    throw CodedError("ERR_MODEL_LOAD", "this is not a decoder-only text model");
  }
  if (llama_vocab_type(llama_model_get_vocab(model.get())) == LLAMA_VOCAB_TYPE_NONE) {
    throw CodedError("ERR_MODEL_LOAD", "the model has no tokenizer");
  }
  return model;
}

ContextPointer make_context(llama_model* model, const LlamaParameters& parameters) {
  const std::lock_guard lock(loading_mutex);
  const LogCapture log;
  ContextPointer context;
  try {
    context.reset(llama_init_from_model(model, parameters.context));
  } catch (const std::exception& error) {
    throw CodedError("ERR_MEMORY_BUDGET", error.what());
  }
  if (!context) {
    throw CodedError("ERR_MEMORY_BUDGET", "no room for the context: " + or_else(log.reason(), "out of memory"));
  }
  return context;
}

std::unique_ptr<ImageEncoder> load_projector(const ModelOptions& options, const llama_model* model) {
  require_file(options.projector_path);
  const std::lock_guard lock(loading_mutex);
  return std::make_unique<ImageEncoder>(options.projector_path, model, options.threads, options.use_gpu);
}

void wipe_memory(llama_memory_t memory) {
  if (memory == nullptr) return;
  try {
    llama_memory_clear(memory, true);
  } catch (const std::exception&) {
    // A GPU that was lost zeroes nothing any more. The caller is a destructor, which an exception must not leave.
  }
}

std::vector<DeviceMemory> plan_memory(const ModelOptions& options) {
  require_file(options.model_path);
  LlamaParameters parameters(options);
  const std::lock_guard lock(loading_mutex);
  const LogCapture log;
  require_sound_metadata(options);
  try {
    if (options.use_gpu && options.gpu_layers < 0) fit_to_gpus(options, parameters);
    std::vector<ggml_backend_dev_t> devices;
    uint32_t layers = 0, trained_context = 0, experts = 0;
    const auto data = common_get_device_memory_data(options.model_path.c_str(), &parameters.model, &parameters.context,
                                                    devices, layers, trained_context, experts, GGML_LOG_LEVEL_WARN);
    std::vector<DeviceMemory> plan;
    for (size_t index = 0; index < devices.size(); ++index) {
      plan.push_back(memory_of(ggml_backend_dev_name(devices[index]), data[index]));
    }
    plan.push_back(memory_of("CPU", data.back()));
    return plan;
  } catch (const std::exception& error) {
    silence_logs();  // llama.cpp may have thrown before it restored our logger.
    throw CodedError("ERR_MODEL_LOAD", or_else(log.reason(), error.what()));
  }
}
