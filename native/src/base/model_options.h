#pragma once

#include <cstdint>
#include <string>
#include <vector>

// How to load a model; the face has checked and defaulted every field.
struct ModelOptions {
  std::string model_path;
  int32_t sequences = 1;
  int32_t context_per_sequence = 2048;
  int32_t batch_tokens = 512;
  int32_t draft_tokens = 0;  // Guesses that one step can check, over all rows.
  int32_t threads = 1;
  int32_t poll = 0;
  bool use_gpu = false;
  int32_t gpu_layers = -1;       // −1: as many as fit.
  int32_t flash_attention = -1;  // −1: where the model allows it; 0 off; 1 on.
  bool kv_q8 = false;
  bool unified_kv = false;
  bool own_kernels = true;  // Where the CPU can run them.
  bool lock_memory = false;
};
