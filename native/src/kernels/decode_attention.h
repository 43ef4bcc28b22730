#pragma once

#include "base/scratch.h"
#include "ggml.h"
#include "kernels/spin_barrier.h"

// Attention of a few new tokens per sequence to a long context, for CPUs with AVX-512. The heads that share keys and
// values read them once, sums are kept in single precision, and a context is cut at fixed places: a result has the same
// bits whatever other sequences are in the batch, and however many threads compute it.
class DecodeAttention {
 public:
  static bool can_compute(const ggml_tensor* node);

  // Called before any thread computes `node`.
  void prepare(const ggml_tensor* node);
  // Called by each of `threads`; `thread` counts from 0.
  void compute(ggml_tensor* node, float scale, int thread, int threads);

 private:
  // What each query found in each part of its context: a weighted sum of values, the greatest score, and the sum of
  // weights.
  Scratch scratch_;
  float* partials_ = nullptr;
  SpinBarrier barrier_;
};
