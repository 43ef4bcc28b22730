#pragma once

#include "base/model_options.h"
#include "kernels/decode_attention.h"
#include "kernels/embedding_rows.h"
#include "kernels/float_matmul.h"
#include "kernels/product_path.h"
#include "kernels/quantised_matmul.h"
#include "llama.h"

// Computes the most expensive operations of a step with this project's own code, inside llama.cpp's graphs and on its
// threads: before a graph runs, each node that a kernel here supports becomes a custom operation. For one context and
// one thread at a time.
class CpuKernels {
 public:
  // Time that one of the threads has spent in each kind of operation.
  struct Times {
    int64_t product_micros = 0;
    int64_t attention_micros = 0;
  };

  // Whether a model with these options uses the kernels: they are enabled, the whole model is on this CPU, and the CPU
  // supports them.
  static bool serve(const ModelOptions& options);
  // Call before creating the context, which must not outlive this object.
  void enter(llama_context_params& parameters);
  // The times since the previous call. Not while a graph runs.
  Times take_times();

 private:
  static bool before_node(ggml_tensor* node, bool ask, void* kernels);
  void take_over(ggml_tensor* node);
  static void multiply(ggml_tensor* node, int thread, int threads, void* kernels);
  static void multiply_floats(ggml_tensor* node, int thread, int threads, void* kernels);
  static void look_up(ggml_tensor* node, int thread, int threads, void* kernels);
  static void attend(ggml_tensor* node, int thread, int threads, void* kernels);
  static void attend_to_prompt(ggml_tensor* node, int thread, int threads, void* kernels);

  QuantisedMatmul matmul_{product_path().uses_amx};
  EmbeddingRows embedding_rows_{matmul_.weights()};
  FloatMatmul float_matmul_;
  DecodeAttention attention_;
  int64_t product_nanos_ = 0;
  int64_t attention_nanos_ = 0;
};
