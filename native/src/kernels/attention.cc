#include "kernels/attention.h"

#include <cstring>

namespace {

// Whether the rows of keys or values are whole spans of a format.
bool has_spans(const ggml_tensor* tensor) {
  const int64_t columns = tensor->type == GGML_TYPE_F16 ? 16 : tensor->type == GGML_TYPE_Q8_0 ? 32 : 0;
  return columns != 0 && tensor->ne[0] % columns == 0 && tensor->nb[0] == ggml_type_size(tensor->type);
}

}  // namespace

bool is_plain_attention(const ggml_tensor* node) {
  const ggml_tensor *queries = node->src[0], *keys = node->src[1], *values = node->src[2], *mask = node->src[3];
  const ggml_tensor* sinks = node->src[4];
  const auto fits = [&](const ggml_tensor* tensor) {
    return has_spans(tensor) && tensor->ne[1] % kBlock == 0 && tensor->ne[3] == queries->ne[3];
  };
  float biases[2];
  std::memcpy(biases, node->op_params + 1, sizeof biases);
  return biases[0] == 0 && biases[1] == 0 && sinks == nullptr && queries->type == GGML_TYPE_F32 &&
         queries->nb[0] == sizeof(float) && queries->ne[2] % keys->ne[2] == 0 && keys->ne[2] == values->ne[2] &&
         fits(keys) && fits(values) && keys->type == values->type && keys->ne[1] == values->ne[1] && mask != nullptr &&
         mask->type == GGML_TYPE_F16 && mask->ne[0] >= keys->ne[1] && mask->ne[1] >= queries->ne[1] &&
         mask->ne[2] == 1 && mask->ne[3] == queries->ne[3];
}
