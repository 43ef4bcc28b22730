#pragma once

#include <cstdint>
#include <string>
#include <vector>

// How to load a model. The TypeScript layer has validated every field and filled in the defaults.
struct ModelOptions {
  std::string model_path;
  std::string projector_path;  // Empty: the model takes no images.
  std::vector<std::string> adapter_paths;  // LoRA adapters, which rows name by position, from 1.
  int32_t sequences = 1;
  int32_t context_per_sequence = 2048;
  int32_t batch_tokens = 512;
  int32_t draft_tokens = 0;  // Draft tokens that one step can verify, over all rows.
  int32_t threads = 1;
  int32_t poll = 0;
  bool use_gpu = false;
  int32_t gpu_layers = -1;       // −1: as many as fit in GPU memory.
  int32_t flash_attention = -1;  // −1: on if the model allows it; 0: off; 1: on.
  bool kv_q8 = false;
  bool unified_kv = false;
  bool own_kernels = true;  // Used if the CPU supports them.
  bool lock_memory = false;
};
