#pragma once

#include <cstdint>
#include <vector>

#include "ggml.h"
#include "kernels/matrix_products.h"
#include "kernels/spin_barrier.h"

// Thirty-two activations of a row, rounded to bytes: what the products with them need.
struct ActivationFactors {
  float scale;
  float sum;               // Of the activations; multiplied by the base of the weights.
  int32_t corrections[2];  // For the bias of the weights, of each half or of both together.
};

// Matrix products with quantised weights, of one matrix or of the experts that each token chose, for CPUs with AVX-512
// VNNI: sixteen rows of weights at a time, with their bytes interleaved so that one instruction multiplies four columns
// of each row. Each result is the sum over its spans of 32 columns, in order, of exact integer sums times scales, so it
// has the same bits whatever else is in the batch and however many threads compute it.
class QuantisedMatmul {
 public:
  static bool can_compute(const ggml_tensor* node);

  // Call before any thread computes `node`.
  void prepare(const ggml_tensor* node);
  // Each of `threads` threads calls this; `thread` counts from 0.
  void compute(ggml_tensor* node, int thread, int threads);

 private:
  // One row per product, those of one matrix together.
  std::vector<int8_t> bytes_;
  std::vector<ActivationFactors> factors_;
  Shares shares_;
  SpinBarrier barrier_;
};
