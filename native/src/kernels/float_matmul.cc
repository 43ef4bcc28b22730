#include "kernels/float_matmul.h"

#include "kernels/instruction_set.h"

bool FloatMatmul::can_compute(const ggml_tensor* node) {
  return MatrixProducts::are_computed_by(node) && instruction_set()->float_products.of(node->src[0]->type) != nullptr;
}

void FloatMatmul::compute(ggml_tensor* node, int thread, int threads) {
  static thread_local MatrixProducts products;
  if (thread == 0) shares_.reset();
  products.find(node);
  barrier_.wait(threads);

  const ggml_tensor* weights = node->src[0];
  const MultiplyFloats multiply_some = instruction_set()->float_products.of(weights->type);
  const int64_t parts = (weights->ne[1] + kWeightRowsAtOnce - 1) / kWeightRowsAtOnce;
  shares_.take(products, parts, threads, [&](size_t index, int64_t part) {
    const MatrixProducts::Group& group = products.groups()[index];
    const int64_t first = part * kWeightRowsAtOnce;
    const FloatRows block{.weights = group.weights + static_cast<size_t>(first) * weights->nb[1],
                          .stride = static_cast<int64_t>(weights->nb[1]),
                          .columns = weights->ne[0],
                          .rows = products.rows().data() + group.first,
                          .first_result = first};
    multiply_some(block, std::min(kWeightRowsAtOnce, weights->ne[1] - first), group.count);
  });
}
