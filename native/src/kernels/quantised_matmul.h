#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ggml.h"
#include "kernels/interleaved_weights.h"
#include "kernels/matrix_products.h"
#include "kernels/panel_products.h"
#include "kernels/spin_barrier.h"

// Matrix products with quantised weights, of one matrix or of the experts that each token chose: sixteen rows of
// weights at a time, with their bytes interleaved so that one instruction multiplies four columns of each row. Each
// result is the sum over its spans of 32 columns, in order, of exact integer sums times scales, so it has the same bits
// with any other tokens in the batch and with any number of threads. With AMX, tile registers compute the integer sums
// of batches.
class QuantisedMatmul {
 public:
  // AMX requires a process that may use it (product_path.h).
  explicit QuantisedMatmul(bool uses_amx) : uses_amx_(uses_amx) {}

  static bool can_compute(const ggml_tensor* node);

  // Call before any thread computes `node`.
  void prepare(const ggml_tensor* node);
  // Each of `threads` threads calls this; `thread` counts from 0.
  void compute(const ggml_tensor* node, int thread, int threads);

  const InterleavedWeights& weights() const { return weights_; }

 private:
  bool uses_amx_;
  InterleavedWeights weights_;
  // One row per product, those of one matrix together.
  std::vector<int8_t> bytes_;
  std::vector<ActivationFactors> factors_;
  Shares shares_;
  SpinBarrier barrier_;
};
