#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "encoder/block_product.h"
#include "encoder/text_attention.h"
#include "kernels/vector_exp.h"

// Attention of some tokens of a text to all of them, for one instruction set.

#include "kernels/simd_begin.h"

namespace {

constexpr int kKeyVectors = kWidth == 16 ? 3 : 2;  // Vectors of keys that are multiplied together.
static_assert(kKeyPanel % (kKeyVectors * kWidth) == 0);

// [panels, width, 48]: transposed keys, padded with zeros.
void lay_out_keys(const TextHead& head, int64_t panels, float* laid_out) {
  for (int64_t panel = 0; panel < panels; ++panel) {
    float* place = laid_out + panel * head.width * kKeyPanel;
    const int64_t first = panel * kKeyPanel, count = std::min(kKeyPanel, head.tokens - first);
    if (count < kKeyPanel) std::fill_n(place, head.width * kKeyPanel, 0.0f);
    for (int64_t key = 0; key < count; ++key) {
      const float* row = head.keys + (first + key) * head.stride;
      for (int64_t column = 0; column < head.width; ++column) place[column * kKeyPanel + key] = row[column];
    }
  }
}

// Turns `count` products into weights that sum to one, followed by zeros up to `whole`, a multiple of sixteen.
[[gnu::always_inline]] inline void weigh_all(float* products, int64_t count, int64_t whole, float scale) {
  const Floats nothing = all(-std::numeric_limits<float>::infinity());
  const auto left = [&](int64_t first) { return std::clamp<int64_t>(count - first, 0, kWidth); };
  Floats greatest = nothing;
  for (int64_t first = 0; first < whole; first += kWidth) {
    greatest = greater(greatest, if_among_first(left(first), load(products + first), nothing));
  }
  greatest = all(greatest_of(greatest));
  Floats total = zeros();
  for (int64_t first = 0; first < whole; first += kWidth) {
    const Floats power = exp_of((load(products + first) - greatest) * all(scale));
    const Floats weights = if_among_first(left(first), power, zeros());
    total = total + weights;
    store(products + first, weights);
  }
  const Floats factor = all(1.0f / total_of(total));
  for (int64_t first = 0; first < whole; first += kWidth) store(products + first, load(products + first) * factor);
}

// Some columns of the weighted sums of the values.
template <int vectors>
void sum_values(const float* weights, int64_t weights_stride, int64_t count, const TextHead& head, int64_t column,
                float* results, int64_t results_stride) {
  in_row_blocks(count, [&]<int some>(int64_t first) {
    Floats sums[some][vectors];
    const float* rows = weights + first * weights_stride;
    sum_products(sums, rows, weights_stride, head.values + column, head.stride, head.tokens);
    for (int row = 0; row < some; ++row) {
      for (int index = 0; index < vectors; ++index) {
        store(results + (first + row) * results_stride + column + index * kWidth, sums[row][index]);
      }
    }
  });
}

void attend_to_text(const TextHead& head, int64_t first, int64_t count, float* results, int64_t results_stride,
                    float* scratch) {
  constexpr int64_t kKeys = kKeyVectors * kWidth;
  const int64_t panels = key_panels_of(head.tokens), whole = panels * kKeyPanel;
  float* keys = scratch;
  float* weights = keys + whole * head.width;
  lay_out_keys(head, panels, keys);
  const float* queries = head.queries + first * head.stride;
  for (int64_t key = 0; key < whole; key += kKeys) {
    const float* some_keys = keys + key / kKeyPanel * head.width * kKeyPanel + key % kKeyPanel;
    in_row_blocks(count, [&]<int some>(int64_t row) {
      Floats sums[some][kKeyVectors];
      sum_products(sums, queries + row * head.stride, head.stride, some_keys, kKeyPanel, head.width);
      for (int each = 0; each < some; ++each) {
        for (int index = 0; index < kKeyVectors; ++index) {
          store(weights + (row + each) * whole + key + index * kWidth, sums[each][index]);
        }
      }
    });
  }
  const float scale = 1.0f / std::sqrt(static_cast<float>(head.width));
  for (int64_t row = 0; row < count; ++row) weigh_all(weights + row * whole, head.tokens, whole, scale);
  int64_t column = 0;
  for (; head.width - column >= 2 * kWidth; column += 2 * kWidth) {
    sum_values<2>(weights, whole, count, head, column, results, results_stride);
  }
  if (column < head.width) sum_values<1>(weights, whole, count, head, column, results, results_stride);
}

}  // namespace

#include "kernels/simd_end.h"
