#include "kernels/quantised_matmul.h"

#include <algorithm>
#include <optional>

#include "kernels/amx.h"
#include "kernels/instruction_set.h"

namespace {

// The most rows that are never computed by AMX.
constexpr int64_t kVnniRowsMax = 8;

bool have_same_layout(const ggml_tensor* one, const ggml_tensor* other) {
  return one->type == other->type && ggml_are_same_shape(one, other) && ggml_is_contiguous(one) &&
         ggml_is_contiguous(other);
}

// Only where there is an instruction set.
const PanelProducts& kernels() { return instruction_set()->products; }

float* floats(const ggml_tensor* tensor) { return static_cast<float*>(tensor->data); }

}  // namespace

bool QuantisedMatmul::can_compute(const ggml_tensor* node) {
  return MatrixProducts::are_computed_by(node) && kernels().format_of(node->src[0]->type) != nullptr &&
         node->src[0]->ne[1] % kPanelRows == 0;
}

void QuantisedMatmul::prepare(const ggml_tensor* node) {
  weights_.keep(node->src[0], kernels().format_of(node->src[0]->type)->shape);
  const auto rows = static_cast<size_t>(ggml_nrows(node));
  const size_t width = rows * static_cast<size_t>(node->src[0]->ne[0]);
  if (bytes_.size() >= width) return;
  factors_.resize(width / kSpanColumns);
  bytes_.resize(width);  // Last: its size states that both have this length.
}

// Multiplies the activations of the nodes, which are the same, and calls finish(results, row) for each sixteen results
// of the first node that are complete in all nodes; `row` is the first's row of weights.
template <size_t count, typename Finish>
void QuantisedMatmul::multiply(const std::array<const ggml_tensor*, count>& nodes, int thread, int threads,
                               const Finish& finish) {
  static thread_local std::array<MatrixProducts, count> products;
  if (thread == 0) shares_.reset();
  for (size_t index = 0; index < count; ++index) products[index].find(nodes[index]);

  const ggml_tensor* weights = nodes[0]->src[0];
  const PanelFormat& format = *kernels().format_of(weights->type);
  std::array<InterleavedTensor*, count> kept;
  std::ranges::transform(nodes, kept.begin(), [&](const ggml_tensor* node) { return weights_.find(node->src[0]); });
  const int64_t spans = weights->ne[0] / kSpanColumns;
  const std::vector<MatrixProducts::Row>& rows = products[0].rows();
  for (size_t row = static_cast<size_t>(thread); row < rows.size(); row += static_cast<size_t>(threads)) {
    for (int64_t span = 0; span < spans; ++span) {
      const size_t slot = row * static_cast<size_t>(spans) + static_cast<size_t>(span);
      factors_[slot] = kernels().quantise_span(rows[row].activations + span * kSpanColumns,
                                               &bytes_[slot * kSpanColumns], format.bias, format.parts);
    }
  }
  barrier_.wait(threads);

  std::optional<amx::Shapes> shapes;
  const auto needs_amx = [](const MatrixProducts::Group& group) { return group.count > kVnniRowsMax; };
  if (uses_amx_ && std::ranges::any_of(products[0].groups(), needs_amx)) {
    shapes.emplace(static_cast<int>(kSpanColumns) / format.parts);
  }
  shares_.take(products[0], weights->ne[1] / kPanelRows, threads, [&](size_t group, int64_t part) {
    const int64_t first_row = part * kPanelRows;
    const int64_t first = products[0].groups()[group].first, end = first + products[0].groups()[group].count;
    for (size_t index = 0; index < count; ++index) {
      const Tokens all{bytes_.data(), factors_.data(), spans, products[index].rows().data(), 0};
      Tokens tokens = all.from(first);
      tokens.first_result = first_row;
      const uint8_t* panel_rows =
          products[index].groups()[group].weights + static_cast<size_t>(first_row) * weights->nb[1];
      const uint8_t* panel = kept[index] != nullptr ? kept[index]->panel(panel_rows)
                                                    : copy_panel(panel_rows, weights->nb[1], format.shape);
      format.multiply(panel, tokens, end - first, shapes.has_value());
    }
    for (int64_t row = first; row < end; ++row) finish(rows[static_cast<size_t>(row)].results + first_row, first_row);
  });
}

void QuantisedMatmul::compute(const ggml_tensor* node, int thread, int threads) {
  multiply<1>({node}, thread, threads, [](float*, int64_t) {});
}

bool QuantisedMatmul::can_add(const ggml_tensor* sum, const ggml_tensor* product) {
  if (sum->op != GGML_OP_ADD || sum->src[0] != product || sum->data != product->data) return false;
  const ggml_tensor* added = sum->src[1];
  return have_same_layout(sum, product) && added->type == GGML_TYPE_F32 && ggml_is_contiguous(added) &&
         added->ne[0] == sum->ne[0] && (ggml_nrows(added) == 1 || ggml_are_same_shape(added, sum));
}

void QuantisedMatmul::compute_sum(const ggml_tensor* sum, int thread, int threads) {
  const ggml_tensor* added = sum->src[1];
  const bool is_bias = ggml_nrows(added) == 1;
  multiply<1>({sum->src[0]}, thread, threads, [&](float* results, int64_t row) {
    kernels().add(results, floats(added) + (is_bias ? row : results - floats(sum)));
  });
}

bool QuantisedMatmul::can_gate(const ggml_tensor* gated) {
  if (gated->op != GGML_OP_GLU || ggml_get_glu_op(gated) != GGML_GLU_OP_SWIGLU) return false;
  const ggml_tensor *x = gated->src[0], *y = gated->src[1];
  return y != nullptr && x->src[1] == y->src[1] && x->src[2] == y->src[2] && have_same_layout(x->src[0], y->src[0]) &&
         have_same_layout(gated, x) && have_same_layout(gated, y);
}

void QuantisedMatmul::compute_gated(const ggml_tensor* gated, int thread, int threads) {
  const ggml_tensor *x = gated->src[0], *y = gated->src[1];
  multiply<2>({x, y}, thread, threads, [&](float* results, int64_t) {
    const int64_t index = results - floats(x);
    kernels().gate(floats(gated) + index, results, floats(y) + index);
  });
}
