#pragma once

#include <cstdint>

#include "ggml.h"
#include "kernels/matrix_products.h"

// Products of rows of weights in F32, F16 or BF16 with activations, compiled for several instruction sets.

inline constexpr int64_t kWeightRowsAtOnce = 4;

// Some rows of weights and the activations that they are multiplied with.
struct FloatRows {
  const uint8_t* weights;
  int64_t stride;  // In bytes.
  int64_t columns;
  const MatrixProducts::Row* rows;
  int64_t first_result;
};

// Multiplies up to `kWeightRowsAtOnce` rows of weights with `tokens` rows of activations.
using MultiplyFloats = void (*)(FloatRows block, int64_t rows, int64_t tokens);

// The functions for each format.
struct FloatProducts {
  MultiplyFloats f32, f16, bf16;

  // Null for other formats.
  MultiplyFloats of(ggml_type type) const {
    switch (type) {
      case GGML_TYPE_F32: return f32;
      case GGML_TYPE_F16: return f16;
      case GGML_TYPE_BF16: return bf16;
      default: return nullptr;
    }
  }
};
