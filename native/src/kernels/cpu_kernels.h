#pragma once

#include "base/model_options.h"
#include "kernels/decode_attention.h"
#include "kernels/q8_matmul.h"
#include "llama.h"

// Has the operations that most of a step goes to computed by this project's own code, inside llama.cpp's graphs and on
// its threads: where a node is one that a kernel here is made for, it is turned into a custom operation before the
// graph runs. For one context and one thread at a time.
class CpuKernels {
 public:
  // Whether a model so loaded is to have them: wanted, all of it on this CPU, and the CPU has what they take.
  static bool serve(const ModelOptions& options);
  // Before the context is made, if they serve; they must outlive it.
  void enter(llama_context_params& parameters);

 private:
  static bool before_node(ggml_tensor* node, bool ask, void* kernels);
  void take_over(ggml_tensor* node);
  static void multiply(ggml_tensor* node, int thread, int threads, void* kernels);
  static void attend(ggml_tensor* node, int thread, int threads, void* kernels);
  static void attend_to_prompt(ggml_tensor* node, int thread, int threads, void* kernels);

  Q8Matmul matmul_;
  DecodeAttention attention_;
};
