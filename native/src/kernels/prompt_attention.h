#pragma once

#include "ggml.h"

// Attention of many new tokens of one sequence, such as a prompt. Tokens and heads that share keys and values process
// them together, block by block, unpacked once. A token's result does not depend on the other tokens computed with it.
class PromptAttention {
 public:
  static bool can_compute(const ggml_tensor* node);

  // Each of `threads` threads calls this; `thread` counts from 0.
  static void compute(ggml_tensor* node, float scale, int thread, int threads);
};
