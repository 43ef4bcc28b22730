#pragma once

#include "ggml.h"
#include "kernels/interleaved_weights.h"

// Looks up rows of embeddings that are also the output matrix, in the copy that its products keep. So the original is
// not read any more, and takes no memory.
class EmbeddingRows {
 public:
  explicit EmbeddingRows(const InterleavedWeights& weights) : weights_(weights) {}

  bool can_compute(const ggml_tensor* node) const;

  // Each of `threads` threads calls this; `thread` counts from 0.
  void compute(ggml_tensor* node, int thread, int threads) const;

 private:
  const InterleavedWeights& weights_;
};
