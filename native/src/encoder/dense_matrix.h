#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/line_memory.h"

// Activations with one byte each, as ONNX's DynamicQuantizeLinear makes them: value = scale · (byte − zero), where each
// text has a scale and a zero of its own.
struct RowQuantisation {
  float scale;
  int32_t zero;
  int32_t sum;  // Of the row's bytes.
};

// What happens to a product on its way out.
enum class Finish {
  kBias,
  kGelu,  // Of the biased product, with the exact error function.
  kAdd,   // The biased product and what is in the result's place already.
};

// Where products go: [rows, stride].
struct Results {
  float* first;
  int64_t stride;
  Finish finish;
};

// Weights in single precision, or in bytes with a scale and a zero for each output, laid out in panels of 48 outputs.
// Every result is summed up in the order of the inputs: its bits do not depend on the rows beside it.
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

  // Writes the outputs of `panel` for rows of [count, inputs].
  void multiply(int64_t panel, const float* rows, int64_t count, const Results& results) const;
  void multiply(int64_t panel, const uint8_t* rows, const RowQuantisation* quantisation, int64_t count,
                const Results& results) const;

 private:
  int64_t inputs_;
  int64_t outputs_;
  // By output, filled up to whole panels.
  LineMemory<float> bias_;
  LineMemory<float> scales_;
  LineMemory<int32_t> zeros_;
  LineMemory<int32_t> sums_;  // Of the bytes.
  // One of both:
  LineMemory<float> weights_;  // [panels, inputs, 48]
  LineMemory<int8_t> bytes_;   // [panels, inputs / 4, 48, 4]
};
