#pragma once

#include <algorithm>
#include <cstring>

#include "encoder/block_product.h"
#include "encoder/dense_matrix.h"
#include "kernels/vector_exp.h"

// Products of a panel of weights with rows of activations, for one instruction set.

#include "kernels/simd_begin.h"

namespace {

constexpr int kDenseVectors = kWidth == 16 ? 3 : 2;  // Vectors of outputs that are computed together.
constexpr int kDenseOutputs = kDenseVectors * kWidth;
static_assert(DenseMatrix::kPanel % kDenseOutputs == 0);

// The error function, within 2e-7: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26.
[[gnu::always_inline]] inline Floats error_function(Floats x) {
  const Floats size = magnitudes(x), one = all(1.0f);
  const Floats t = one / multiply_add(size, all(0.3275911f), one);
  Floats sum = all(1.061405429f);
  for (const float term : {-1.453152027f, 1.421413741f, -0.284496736f, 0.254829592f}) {
    sum = multiply_add(sum, t, all(term));
  }
  const Floats result = one - sum * t * exp_of(zeros() - size * size);
  return as_floats(as_words(result) | (as_words(x) & as_words(all(-0.0f))));
}

[[gnu::always_inline]] inline Floats gelu(Floats x) {
  const Floats half = x * all(0.5f);
  return multiply_add(half, error_function(x * all(0.70710678f)), half);
}

// Stores a vector of products: `first` is its first output in the panel.
template <Finish finish>
[[gnu::always_inline]] inline void finish_product(const DensePanel& panel, Floats product, int64_t row, int64_t first) {
  const int64_t count = std::clamp<int64_t>(panel.count - first, 0, kWidth);
  float* results = panel.results + row * panel.stride + first;
  Floats value = product + load(panel.bias + first);
  if constexpr (finish == Finish::kGelu) value = gelu(value);
  if constexpr (finish == Finish::kAdd) value = value + load_first(count, results);
  store_first(count, results, value);
}

// Σ(byte − zero)(weight − its zero), computed from Σ byte·weight.
[[gnu::always_inline]] inline Floats scaled(const DensePanel& panel, Words sum, const RowQuantisation& row,
                                            int64_t first) {
  const auto own = [&](const int32_t* values) { return load_words(reinterpret_cast<const uint8_t*>(values + first)); };
  const Words rest = all_words(row.sum - static_cast<int32_t>(panel.inputs) * row.zero);
  sum = subtract_words(sum, multiply_words(all_words(row.zero), own(panel.sums)));
  sum = subtract_words(sum, multiply_words(own(panel.zeros), rest));
  return to_floats(sum) * (all(row.scale) * load(panel.scales + first));
}

template <Finish finish>
void multiply_dense_floats(const float* rows, int64_t count, const float* weights, const DensePanel& panel) {
  for (int64_t output = 0; output < DenseMatrix::kPanel; output += kDenseOutputs) {
    in_row_blocks(count, [&]<int some>(int64_t first) {
      Floats sums[some][kDenseVectors];
      sum_products(sums, rows + first * panel.inputs, panel.inputs, weights + output, DenseMatrix::kPanel,
                   panel.inputs);
      for (int row = 0; row < some; ++row) {
        for (int index = 0; index < kDenseVectors; ++index) {
          finish_product<finish>(panel, sums[row][index], first + row, output + index * kWidth);
        }
      }
    });
  }
}

// Like sum_products, for bytes; left: [rows, depth], right: [depth / 4, 48, 4].
template <int rows>
[[gnu::always_inline]] inline void sum_byte_products(Words (&sums)[rows][kDenseVectors], const uint8_t* left,
                                                     const int8_t* right, int64_t depth) {
  Words own[rows][kDenseVectors];  // Kept in registers; `sums` cannot be, because a loop follows.
#pragma GCC unroll 8
  for (int row = 0; row < rows; ++row) {
#pragma GCC unroll 3
    for (int index = 0; index < kDenseVectors; ++index) own[row][index] = all_words(0);
  }
  for (int64_t step = 0; step < depth; step += 4) {
    QuadFactors factors[kDenseVectors];
#pragma GCC unroll 3
    for (int index = 0; index < kDenseVectors; ++index) {
      factors[index] = load_factors(right + step * DenseMatrix::kPanel + index * kWidth * 4);
    }
#pragma GCC unroll 8
    for (int row = 0; row < rows; ++row) {
      int32_t four;
      std::memcpy(&four, left + row * depth + step, sizeof four);
#pragma GCC unroll 3
      for (int index = 0; index < kDenseVectors; ++index) add_products(own[row][index], four, factors[index]);
    }
  }
#pragma GCC unroll 8
  for (int row = 0; row < rows; ++row) {
#pragma GCC unroll 3
    for (int index = 0; index < kDenseVectors; ++index) sums[row][index] = own[row][index];
  }
}

template <Finish finish>
void multiply_dense_bytes(const uint8_t* rows, const RowQuantisation* quantisation, int64_t count,
                          const int8_t* weights, const DensePanel& panel) {
  for (int64_t output = 0; output < DenseMatrix::kPanel; output += kDenseOutputs) {
    in_row_blocks(count, [&]<int some>(int64_t first) {
      Words sums[some][kDenseVectors];
      sum_byte_products(sums, rows + first * panel.inputs, weights + output * 4, panel.inputs);
      for (int row = 0; row < some; ++row) {
        for (int index = 0; index < kDenseVectors; ++index) {
          const int64_t place = output + index * kWidth;
          const Floats product = scaled(panel, sums[row][index], quantisation[first + row], place);
          finish_product<finish>(panel, product, first + row, place);
        }
      }
    });
  }
}

}  // namespace

#include "kernels/simd_end.h"
