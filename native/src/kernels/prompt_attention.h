#pragma once

#include "ggml.h"

// Attention of many new tokens of a sequence, as of a prompt, for CPUs with AVX-512: the tokens and heads that share
// keys and values take them together, a block at a time, unpacked once. What a token gets does not depend on which
// others are computed with it.
class PromptAttention {
 public:
  static bool can_compute(const ggml_tensor* node);

  // Called by each of `threads`; `thread` counts from 0.
  static void compute(ggml_tensor* node, float scale, int thread, int threads);
};
