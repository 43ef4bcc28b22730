#pragma once

#include "ggml.h"
#include "kernels/matrix_products.h"
#include "kernels/spin_barrier.h"

// Matrix products with weights in F32, F16 and BF16, of one matrix or of the experts that each token chose. Activations
// are not rounded. Each result is summed in the same order, so it has the same bits with any other tokens in the batch
// and with any number of threads.
class FloatMatmul {
 public:
  static bool can_compute(const ggml_tensor* node);

  // Each of `threads` threads calls this; `thread` counts from 0.
  void compute(ggml_tensor* node, int thread, int threads);

 private:
  Shares shares_;
  SpinBarrier barrier_;
};
