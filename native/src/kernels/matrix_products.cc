#include "kernels/matrix_products.h"

namespace {

float* at(const ggml_tensor* tensor, int64_t row, int64_t matrix, int64_t group = 0) {
  return reinterpret_cast<float*>(static_cast<char*>(tensor->data) + static_cast<size_t>(row) * tensor->nb[1] +
                                  static_cast<size_t>(matrix) * tensor->nb[2] +
                                  static_cast<size_t>(group) * tensor->nb[3]);
}

const uint8_t* matrix_at(const ggml_tensor* weights, int64_t index) {
  return static_cast<const uint8_t*>(weights->data) + static_cast<size_t>(index) * weights->nb[2];
}

int32_t expert_at(const ggml_tensor* experts, int64_t choice, int64_t token) {
  return *reinterpret_cast<const int32_t*>(static_cast<const char*>(experts->data) +
                                           static_cast<size_t>(choice) * experts->nb[0] +
                                           static_cast<size_t>(token) * experts->nb[1]);
}

bool has_float_rows(const ggml_tensor* tensor) {
  return tensor->type == GGML_TYPE_F32 && tensor->nb[0] == sizeof(float);
}

}  // namespace

bool MatrixProducts::are_computed_by(const ggml_tensor* node) {
  const bool is_matrix = node->op == GGML_OP_MUL_MAT;
  if (!is_matrix && node->op != GGML_OP_MUL_MAT_ID) return false;
  const ggml_tensor *weights = node->src[0], *activations = node->src[1];
  const bool are_matrices = is_matrix
                                ? ggml_is_matrix(weights)
                                : weights->ne[3] == 1 && activations->ne[3] == 1 && node->src[2]->type == GGML_TYPE_I32;
  return are_matrices && ggml_is_contiguous(weights) && has_float_rows(activations) && has_float_rows(node);
}

void MatrixProducts::find(const ggml_tensor* node) {
  rows_.clear();
  groups_.clear();
  if (node->src[2] != nullptr) return find_of_experts(node);
  const ggml_tensor* activations = node->src[1];
  // Recurrent models arrange the rows of several sequences in a third dimension.
  for (int64_t group = 0; group < activations->ne[3]; ++group) {
    for (int64_t matrix = 0; matrix < activations->ne[2]; ++matrix) {
      for (int64_t row = 0; row < activations->ne[1]; ++row) {
        rows_.push_back({at(activations, row, matrix, group), at(node, row, matrix, group)});
      }
    }
  }
  groups_.push_back({matrix_at(node->src[0], 0), 0, static_cast<int64_t>(rows_.size())});
}

// A token's activations are the same for all of its experts, or one row for each.
void MatrixProducts::find_of_experts(const ggml_tensor* node) {
  const ggml_tensor *weights = node->src[0], *activations = node->src[1], *experts = node->src[2];
  for (int64_t expert = 0; expert < weights->ne[2]; ++expert) {
    const auto first = static_cast<int64_t>(rows_.size());
    for (int64_t token = 0; token < experts->ne[1]; ++token) {
      for (int64_t choice = 0; choice < experts->ne[0]; ++choice) {
        if (expert_at(experts, choice, token) != expert) continue;
        rows_.push_back({at(activations, choice % activations->ne[1], token), at(node, choice, token)});
      }
    }
    const int64_t count = static_cast<int64_t>(rows_.size()) - first;
    if (count > 0) groups_.push_back({matrix_at(weights, expert), first, count});
  }
}
