#include "kernels/quantised_matmul.h"

#include <algorithm>
#include <optional>

#include "kernels/amx.h"
#include "kernels/instruction_set.h"

namespace {

// The most rows that are never computed by AMX.
constexpr int64_t kVnniRowsMax = 8;

// Only where there is an instruction set.
const PanelProducts& kernels() { return instruction_set()->products; }

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

void QuantisedMatmul::compute(const ggml_tensor* node, int thread, int threads) {
  static thread_local MatrixProducts products;
  if (thread == 0) shares_.reset();
  products.find(node);

  const ggml_tensor* weights = node->src[0];
  const PanelFormat& format = *kernels().format_of(weights->type);
  InterleavedTensor* kept = weights_.find(weights);
  const int64_t spans = weights->ne[0] / kSpanColumns;
  const std::vector<MatrixProducts::Row>& rows = products.rows();
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
  if (uses_amx_ && std::ranges::any_of(products.groups(), needs_amx)) {
    shapes.emplace(static_cast<int>(kSpanColumns) / format.parts);
  }
  const Tokens all{bytes_.data(), factors_.data(), spans, rows.data(), 0};
  shares_.take(products, weights->ne[1] / kPanelRows, threads, [&](size_t index, int64_t part) {
    const MatrixProducts::Group& group = products.groups()[index];
    const int64_t first_row = part * kPanelRows;
    const uint8_t* panel_rows = group.weights + static_cast<size_t>(first_row) * weights->nb[1];
    const uint8_t* panel =
        kept != nullptr ? kept->panel(panel_rows) : copy_panel(panel_rows, weights->nb[1], format.shape);
    Tokens tokens = all.from(group.first);
    tokens.first_result = first_row;
    format.multiply(panel, tokens, group.count, shapes.has_value());
  });
}
