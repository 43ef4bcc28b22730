#include "kernels/embedding_rows.h"

#include <vector>

bool EmbeddingRows::can_compute(const ggml_tensor* node) const {
  if (node->op != GGML_OP_GET_ROWS) return false;
  const ggml_tensor *embeddings = node->src[0], *tokens = node->src[1];
  return weights_.find(embeddings) != nullptr && ggml_is_matrix(embeddings) && ggml_is_contiguous(embeddings) &&
         tokens->type == GGML_TYPE_I32 && ggml_is_vector(tokens) && node->type == GGML_TYPE_F32 &&
         ggml_is_contiguous(node);
}

void EmbeddingRows::compute(ggml_tensor* node, int thread, int threads) const {
  const ggml_tensor *embeddings = node->src[0], *tokens = node->src[1];
  const InterleavedTensor* kept = weights_.find(embeddings);
  const auto to_floats = ggml_get_type_traits(embeddings->type)->to_float;
  std::vector<uint8_t> row(embeddings->nb[1]);
  for (int64_t index = thread; index < tokens->ne[0]; index += threads) {
    const int32_t token = static_cast<const int32_t*>(tokens->data)[index];
    GGML_ASSERT(token >= 0 && token < embeddings->ne[1]);
    kept->copy_row(token, row.data());
    to_floats(row.data(), static_cast<float*>(node->data) + index * embeddings->ne[0], embeddings->ne[0]);
  }
}
