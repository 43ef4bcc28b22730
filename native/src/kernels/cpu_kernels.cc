#include "kernels/cpu_kernels.h"

#include <chrono>
#include <cstring>
#include <utility>

#include "ggml-backend.h"
#include "kernels/instruction_set.h"
#include "kernels/prompt_attention.h"

namespace {

// The scale of an attention moves here, after the parameters of a custom operation.
constexpr size_t kScaleSlot = 8;

bool in_plain_memory(const ggml_tensor* tensor) {
  if (tensor == nullptr) return true;
  const ggml_tensor* owner = tensor->view_src != nullptr ? tensor->view_src : tensor;
  return owner->buffer != nullptr && ggml_backend_buft_is_host(ggml_backend_buffer_get_type(owner->buffer));
}

bool in_plain_memory_throughout(const ggml_tensor* node) {
  for (int index = 0; index < 4; ++index) {
    if (!in_plain_memory(node->src[index])) return false;
  }
  return in_plain_memory(node);
}

// What ggml_custom_4d does with a function; the layout of its parameters is declared in a private header.
void make_custom(ggml_tensor* node, ggml_custom_op_t function, void* data) {
  alignas(16) char memory[1024];
  ggml_context* context = ggml_init({sizeof memory, memory, true});
  const ggml_tensor* model =
      ggml_custom_4d(context, GGML_TYPE_F32, 1, 1, 1, 1, nullptr, 0, function, GGML_N_TASKS_MAX, data);
  std::memcpy(node->op_params, model->op_params, kScaleSlot * sizeof node->op_params[0]);
  node->op = GGML_OP_CUSTOM;
  ggml_free(context);
}

float scale_of(const ggml_tensor* node) {
  float scale = 0;
  std::memcpy(&scale, node->op_params + kScaleSlot, sizeof scale);
  return scale;
}

// Adds the time until its end to a total, on the first thread only.
class Stopwatch {
 public:
  Stopwatch(int thread, int64_t& nanos) : nanos_(thread == 0 ? &nanos : nullptr) {
    if (nanos_ != nullptr) started_ = Clock::now();
  }
  ~Stopwatch() {
    if (nanos_ != nullptr) *nanos_ += std::chrono::nanoseconds(Clock::now() - started_).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  int64_t* nanos_;
  Clock::time_point started_;
};

}  // namespace

bool CpuKernels::serve(const ModelOptions& options) {
  return options.own_kernels && !options.use_gpu && instruction_set() != nullptr;
}

void CpuKernels::enter(llama_context_params& parameters) {
  parameters.cb_eval = before_node;
  parameters.cb_eval_user_data = this;
}

CpuKernels::Times CpuKernels::take_times() {
  return {std::exchange(product_nanos_, 0) / 1000, std::exchange(attention_nanos_, 0) / 1000};
}

bool CpuKernels::before_node(ggml_tensor* node, bool ask, void* kernels) {
  if (ask) static_cast<CpuKernels*>(kernels)->take_over(node);
  return false;  // No callback needs the node's result.
}

// A graph may run again with its nodes as this function left them, so everything prepared for such a node remains
// valid.
void CpuKernels::take_over(ggml_tensor* node) {
  if (QuantisedMatmul::can_compute(node) && in_plain_memory_throughout(node)) {
    matmul_.prepare(node);
    make_custom(node, multiply, this);
  } else if (FloatMatmul::can_compute(node) && in_plain_memory_throughout(node)) {
    make_custom(node, multiply_floats, this);
  } else if (embedding_rows_.can_compute(node) && in_plain_memory_throughout(node)) {
    make_custom(node, look_up, this);
  }
  if (node->op != GGML_OP_FLASH_ATTN_EXT || !in_plain_memory_throughout(node)) return;
  const int32_t scale = node->op_params[0];
  if (DecodeAttention::can_compute(node)) {
    attention_.prepare(node);
    make_custom(node, attend, this);
  } else if (PromptAttention::can_compute(node)) {
    make_custom(node, attend_to_prompt, this);
  } else {
    return;
  }
  node->op_params[kScaleSlot] = scale;
}

void CpuKernels::multiply(ggml_tensor* node, int thread, int threads, void* data) {
  auto* kernels = static_cast<CpuKernels*>(data);
  const Stopwatch watch(thread, kernels->product_nanos_);
  kernels->matmul_.compute(node, thread, threads);
}

void CpuKernels::multiply_floats(ggml_tensor* node, int thread, int threads, void* data) {
  auto* kernels = static_cast<CpuKernels*>(data);
  const Stopwatch watch(thread, kernels->product_nanos_);
  kernels->float_matmul_.compute(node, thread, threads);
}

void CpuKernels::look_up(ggml_tensor* node, int thread, int threads, void* data) {
  static_cast<const CpuKernels*>(data)->embedding_rows_.compute(node, thread, threads);
}

void CpuKernels::attend(ggml_tensor* node, int thread, int threads, void* data) {
  auto* kernels = static_cast<CpuKernels*>(data);
  const Stopwatch watch(thread, kernels->attention_nanos_);
  kernels->attention_.compute(node, scale_of(node), thread, threads);
}

void CpuKernels::attend_to_prompt(ggml_tensor* node, int thread, int threads, void* data) {
  const Stopwatch watch(thread, static_cast<CpuKernels*>(data)->attention_nanos_);
  PromptAttention::compute(node, scale_of(node), thread, threads);
}
