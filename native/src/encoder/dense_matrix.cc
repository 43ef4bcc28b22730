#include "encoder/dense_matrix.h"

#include <algorithm>

#include "encoder/encoder_kernels.h"

namespace {

constexpr int64_t kPanel = DenseMatrix::kPanel;

size_t whole_panels(size_t outputs) { return (outputs + kPanel - 1) / kPanel * kPanel; }

template <typename Element>
LineMemory<Element> filled_up(std::span<const Element> values) {
  LineMemory<Element> memory(whole_panels(values.size()));
  std::copy(values.begin(), values.end(), memory.data());
  return memory;
}

}  // namespace

DenseMatrix::DenseMatrix(std::span<const float> weights, std::span<const float> bias)
    : inputs_(static_cast<int64_t>(weights.size() / bias.size())),
      outputs_(static_cast<int64_t>(bias.size())),
      bias_(filled_up(bias)),
      weights_(whole_panels(bias.size()) * static_cast<size_t>(inputs_)) {
  for (int64_t input = 0; input < inputs_; ++input) {
    for (int64_t output = 0; output < outputs_; ++output) {
      const int64_t place = (output / kPanel * inputs_ + input) * kPanel + output % kPanel;
      weights_.data()[place] = weights[static_cast<size_t>(input * outputs_ + output)];
    }
  }
}

DenseMatrix::DenseMatrix(std::span<const int8_t> weights, std::span<const float> scales, std::span<const int32_t> zeros,
                         std::span<const float> bias)
    : inputs_(static_cast<int64_t>(weights.size() / bias.size())),
      outputs_(static_cast<int64_t>(bias.size())),
      bias_(filled_up(bias)),
      scales_(filled_up(scales)),
      zeros_(filled_up(zeros)),
      sums_(whole_panels(bias.size())),
      bytes_(whole_panels(bias.size()) * static_cast<size_t>(inputs_)) {
  for (int64_t input = 0; input < inputs_; ++input) {
    for (int64_t output = 0; output < outputs_; ++output) {
      const int8_t weight = weights[static_cast<size_t>(input * outputs_ + output)];
      const int64_t four = (output / kPanel * inputs_ + input / 4 * 4) * kPanel;
      bytes_.data()[four + output % kPanel * 4 + input % 4] = weight;
      sums_.data()[output] += weight;
    }
  }
}

void DenseMatrix::multiply(int64_t panel, const float* rows, int64_t count, const Results& results) const {
  const int64_t first = panel * kPanel;
  const DensePanel place{.bias = bias_.data() + first,
                         .inputs = inputs_,
                         .count = outputs_ - first,
                         .results = results.first + first,
                         .stride = results.stride};
  encoder_kernels().multiply_floats[static_cast<size_t>(results.finish)](rows, count, weights_.data() + first * inputs_,
                                                                         place);
}

void DenseMatrix::multiply(int64_t panel, const uint8_t* rows, const RowQuantisation* quantisation, int64_t count,
                           const Results& results) const {
  const int64_t first = panel * kPanel;
  const DensePanel place{.bias = bias_.data() + first,
                         .scales = scales_.data() + first,
                         .zeros = zeros_.data() + first,
                         .sums = sums_.data() + first,
                         .inputs = inputs_,
                         .count = outputs_ - first,
                         .results = results.first + first,
                         .stride = results.stride};
  encoder_kernels().multiply_bytes[static_cast<size_t>(results.finish)](rows, quantisation, count,
                                                                        bytes_.data() + first * inputs_, place);
}
