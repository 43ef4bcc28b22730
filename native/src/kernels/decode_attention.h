#pragma once

#include "base/scratch.h"
#include "ggml.h"
#include "kernels/spin_barrier.h"

// Attention of a few new tokens per sequence to a long context. Heads that share keys and values read them once, sums
// have single precision, and a context is split at fixed positions, so a result has the same bits with any
// other sequences in the batch and with any number of threads.
class DecodeAttention {
 public:
  static bool can_compute(const ggml_tensor* node);

  // Call before any thread computes `node`.
  void prepare(const ggml_tensor* node);
  // Each of `threads` threads calls this; `thread` counts from 0.
  void compute(ggml_tensor* node, float scale, int thread, int threads);

 private:
  // For each query and each part of its context: the weighted sum of the values, the greatest score, and the sum of the
  // weights.
  Scratch scratch_;
  float* partials_ = nullptr;
  SpinBarrier barrier_;
};
