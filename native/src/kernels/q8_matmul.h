#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "ggml.h"
#include "kernels/spin_barrier.h"

// Matrix products with weights in Q8_0 (blocks of 32 signed bytes and a half-precision scale), for CPUs with AVX-512
// VNNI: sixteen rows of weights at a time, with their bytes interleaved so that one instruction multiplies four columns
// of each row. Each result is the sum over its blocks, in order, of exact integer sums times scales, so it has the same
// bits whatever else is in the batch and however many threads compute it.
class Q8Matmul {
 public:
  static bool can_compute(const ggml_tensor* node);

  // Call before any thread computes `node`.
  void prepare(const ggml_tensor* node);
  // Each of `threads` threads calls this; `thread` counts from 0.
  void compute(ggml_tensor* node, int thread, int threads);

 private:
  void quantise(const ggml_tensor* activations, int thread, int threads);

  // One row per token.
  std::vector<int8_t> bytes_;
  std::vector<float> scales_;
  std::vector<int32_t> corrections_;
  std::atomic<int64_t> next_panel_{0};
  SpinBarrier barrier_;
};
