#pragma once

#include <array>
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
// whatever else is in the batch and however many threads compute it. With AMX, tile registers compute the integer sums
// of batches. A sum or a gate that follows products in a graph can be computed with them, so that threads wait for each
// other once.
class QuantisedMatmul {
 public:
  // AMX requires a process that may use it (product_path.h).
  explicit QuantisedMatmul(bool uses_amx) : uses_amx_(uses_amx) {}

  static bool can_compute(const ggml_tensor* node);

  // Call before any thread computes `node`.
  void prepare(const ggml_tensor* node);
  // Each of `threads` threads calls one of these; `thread` counts from 0.
  void compute(const ggml_tensor* node, int thread, int threads);

  // Whether a node adds a bias or equally many rows to a product, in the product's memory: nothing else reads the
  // product then.
  static bool can_add(const ggml_tensor* sum, const ggml_tensor* product);
  void compute_sum(const ggml_tensor* sum, int thread, int threads);

  // Whether a node is silu(x) · y, of two products with the same activations. Requires products that can be computed.
  static bool can_gate(const ggml_tensor* gated);
  void compute_gated(const ggml_tensor* gated, int thread, int threads);

  const InterleavedWeights& weights() const { return weights_; }

 private:
  template <size_t count, typename Finish>
  void multiply(const std::array<const ggml_tensor*, count>& nodes, int thread, int threads, const Finish& finish);

  bool uses_amx_;
  InterleavedWeights weights_;
  // One row per product, those of one matrix together.
  std::vector<int8_t> bytes_;
  std::vector<ActivationFactors> factors_;
  Shares shares_;
  SpinBarrier barrier_;
};
