#include "encoder/text_attention.h"

#include <algorithm>
#include <cmath>

#include "kernels/avx512.h"
#include "kernels/block_product.h"
#include "kernels/lanes.h"

namespace {

constexpr int kRegisters = 3;
constexpr int64_t kPanel = kRegisters * kLanes;

int64_t panels_of(int64_t tokens) { return (tokens + kPanel - 1) / kPanel; }

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,fma")

// [panels, width, 48]: transposed keys, padded with zeros.
void lay_out_keys(const TextHead& head, int64_t panels, float* laid_out) {
  for (int64_t panel = 0; panel < panels; ++panel) {
    float* place = laid_out + panel * head.width * kPanel;
    const int64_t first = panel * kPanel, count = std::min(kPanel, head.tokens - first);
    if (count < kPanel) std::fill_n(place, head.width * kPanel, 0.0f);
    for (int64_t key = 0; key < count; ++key) {
      const float* row = head.keys + (first + key) * head.stride;
      for (int64_t column = 0; column < head.width; ++column) place[column * kPanel + key] = row[column];
    }
  }
}

// Turns `count` products into weights that sum to one, followed by zeros up to `whole`, a multiple of sixteen.
[[gnu::always_inline]] inline void weigh(float* products, int64_t count, int64_t whole, float scale) {
  const auto mask = [&](int64_t first) {
    return static_cast<__mmask16>((1u << std::clamp<int64_t>(count - first, 0, kLanes)) - 1);
  };
  __m512 greatest = _mm512_set1_ps(-INFINITY);
  for (int64_t first = 0; first < whole; first += kLanes) {
    greatest = _mm512_mask_max_ps(greatest, mask(first), greatest, _mm512_loadu_ps(products + first));
  }
  greatest = _mm512_set1_ps(_mm512_reduce_max_ps(greatest));
  __m512 total = _mm512_setzero_ps();
  for (int64_t first = 0; first < whole; first += kLanes) {
    const __m512 below = _mm512_sub_ps(_mm512_loadu_ps(products + first), greatest);
    Lanes power = reinterpret_cast<Lanes>(_mm512_mul_ps(below, _mm512_set1_ps(scale)));
    exp_in_place(power);
    const __m512 weights = _mm512_maskz_mov_ps(mask(first), reinterpret_cast<__m512>(power));
    total = _mm512_add_ps(total, weights);
    _mm512_storeu_ps(products + first, weights);
  }
  const __m512 factor = _mm512_set1_ps(1.0f / _mm512_reduce_add_ps(total));
  for (int64_t first = 0; first < whole; first += kLanes) {
    _mm512_storeu_ps(products + first, _mm512_mul_ps(_mm512_loadu_ps(products + first), factor));
  }
}

// Some columns of the weighted sums of the values.
template <int registers>
void sum_values(const float* weights, int64_t weights_stride, int64_t count, const TextHead& head, int64_t column,
                float* results, int64_t results_stride) {
  in_row_blocks(count, [&]<int some>(int64_t first) {
    __m512 sums[some][registers];
    const float* rows = weights + first * weights_stride;
    sum_products(sums, rows, weights_stride, head.values + column, head.stride, head.tokens);
    for (int row = 0; row < some; ++row) {
      for (int index = 0; index < registers; ++index) {
        _mm512_storeu_ps(results + (first + row) * results_stride + column + index * kLanes, sums[row][index]);
      }
    }
  });
}

}  // namespace

void attend(const TextHead& head, int64_t first, int64_t count, float* results, int64_t results_stride,
            float* scratch) {
  const int64_t panels = panels_of(head.tokens), whole = panels * kPanel;
  float* keys = scratch;
  float* weights = keys + whole * head.width;
  lay_out_keys(head, panels, keys);
  const float* queries = head.queries + first * head.stride;
  for (int64_t panel = 0; panel < panels; ++panel) {
    const float* some_keys = keys + panel * head.width * kPanel;
    in_row_blocks(count, [&]<int some>(int64_t row) {
      __m512 sums[some][kRegisters];
      sum_products(sums, queries + row * head.stride, head.stride, some_keys, kPanel, head.width);
      for (int each = 0; each < some; ++each) {
        for (int index = 0; index < kRegisters; ++index) {
          _mm512_storeu_ps(weights + (row + each) * whole + panel * kPanel + index * kLanes, sums[each][index]);
        }
      }
    });
  }
  const float scale = 1.0f / std::sqrt(static_cast<float>(head.width));
  for (int64_t row = 0; row < count; ++row) weigh(weights + row * whole, head.tokens, whole, scale);
  int64_t column = 0;
  for (; head.width - column >= 2 * kLanes; column += 2 * kLanes) {
    sum_values<2>(weights, whole, count, head, column, results, results_stride);
  }
  if (column < head.width) sum_values<1>(weights, whole, count, head, column, results, results_stride);
}

#pragma GCC pop_options

size_t attention_floats(int64_t tokens, int64_t width, int64_t count) {
  return static_cast<size_t>(panels_of(tokens) * kPanel * (width + count));
}
