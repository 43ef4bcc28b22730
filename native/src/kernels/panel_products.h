#pragma once

#include <algorithm>
#include <cstdint>

#include "ggml.h"
#include "kernels/interleaved_panel.h"
#include "kernels/matrix_products.h"

// Products of panels of quantised weights with activations, compiled for several instruction sets.

inline constexpr int64_t kSpanColumns = 32;  // Columns of which the products are summed exactly.

// Thirty-two activations of a row, rounded to bytes: what the products with them need.
struct ActivationFactors {
  float scale;
  float sum;               // Of the activations; multiplied by the base of the weights.
  int32_t corrections[2];  // For the bias of the weights, of each half or of both together.
};

// Some rows of activations, as bytes.
struct Tokens {
  const int8_t* bytes;
  const ActivationFactors* factors;
  int64_t spans;
  const MatrixProducts::Row* rows;
  int64_t first_result;

  Tokens from(int64_t row) const {
    return {bytes + row * spans * kSpanColumns, factors + row * spans, spans, rows + row, first_result};
  }
};

// A format of weights.
struct PanelFormat {
  ggml_type type;
  int bias;
  int parts;  // Scales per span.
  BlockShape shape;
  // Multiplies a panel of weights with rows of activations. For AMX, the thread's tile registers must have shapes of
  // the format.
  void (*multiply)(const uint8_t* panel, const Tokens& tokens, int64_t count, bool uses_amx);
};

struct PanelProducts {
  const PanelFormat *formats, *formats_end;
  // Like ggml's quantize_row_q8_0: the greatest magnitude of a span becomes 127; scales have half precision.
  ActivationFactors (*quantise_span)(const float* values, int8_t* bytes, int bias, int parts);

  // Null if products do not support the type.
  const PanelFormat* format_of(ggml_type type) const {
    const PanelFormat* found =
        std::find_if(formats, formats_end, [&](const PanelFormat& format) { return format.type == type; });
    return found == formats_end ? nullptr : found;
  }
};
