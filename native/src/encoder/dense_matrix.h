#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/line_memory.h"

// Activations as bytes, as in ONNX's DynamicQuantizeLinear: value = scale · (byte − zero), with a scale and a zero for
// each text.
struct RowQuantisation {
  float scale;
  int32_t zero;
  int32_t sum;  // Sum of the row's bytes.
};

// The operation applied to a product before it is stored.
enum class Finish {
  kBias,
  kGelu,  // GELU of the biased product, with the exact error function.
  kAdd,   // Adds the biased product to the stored value.
};

// The destination of products: [rows, stride].
struct Results {
  float* first;
  int64_t stride;
  Finish finish;
};

// The parameters that a panel's results are computed with, and their destination.
struct DensePanel {
  const float* bias = nullptr;
  const float* scales = nullptr;
  const int32_t* zeros = nullptr;
  const int32_t* sums = nullptr;
  int64_t inputs = 0;
  int64_t count = 0;  // Columns of the panel that belong to the matrix; the others are not stored.
  float* results = nullptr;
  int64_t stride = 0;
};

// Weights in single precision, or as bytes with a scale and a zero for each output, in panels of 48 outputs. Each
// result is summed in the order of the inputs, so its bits do not depend on the other rows.
class DenseMatrix {
 public:
  static constexpr int64_t kPanel = 48;

  // weights: [inputs, outputs], row after row; bias: [outputs].
  DenseMatrix(std::span<const float> weights, std::span<const float> bias);
  // `inputs` a multiple of four; scales, zeros, bias: [outputs].
  DenseMatrix(std::span<const int8_t> weights, std::span<const float> scales, std::span<const int32_t> zeros,
              std::span<const float> bias);

  bool takes_bytes() const { return scales_.size() > 0; }
  int64_t inputs() const { return inputs_; }
  int64_t outputs() const { return outputs_; }
  int64_t panels() const { return (outputs_ + kPanel - 1) / kPanel; }

  // Writes the outputs of `panel` for the rows, [count, inputs].
  void multiply(int64_t panel, const float* rows, int64_t count, const Results& results) const;
  void multiply(int64_t panel, const uint8_t* rows, const RowQuantisation* quantisation, int64_t count,
                const Results& results) const;

 private:
  int64_t inputs_;
  int64_t outputs_;
  // Values by output, padded to whole panels.
  LineMemory<float> bias_;
  LineMemory<float> scales_;
  LineMemory<int32_t> zeros_;
  LineMemory<int32_t> sums_;  // Sums of the bytes of each output.
  // One of these two is set.
  LineMemory<float> weights_;  // [panels, inputs, 48]
  LineMemory<int8_t> bytes_;   // [panels, inputs / 4, 48, 4]
};
