#pragma once

#include <cstdint>

#include "kernels/simd.h"

// The inner loop of a matrix product in single precision: several rows times the columns of several vectors. Each sum
// is computed in the order of the depth, so its bits do not depend on the number of rows computed together.

#include "kernels/simd_begin.h"

inline constexpr int64_t kBlockRows = kWidth / 2;  // With three or two vectors per row, their sums fit into registers.

// left: [rows, left_stride], right: [depth, right_stride].
template <int rows, int vectors>
[[gnu::always_inline]] inline void sum_products(Floats (&sums)[rows][vectors], const float* left, int64_t left_stride,
                                                const float* right, int64_t right_stride, int64_t depth) {
  for (auto& row : sums) {
    for (Floats& sum : row) sum = zeros();
  }
  for (int64_t step = 0; step < depth; ++step) {
    Floats factors[vectors];
#pragma GCC unroll 4
    for (int index = 0; index < vectors; ++index) factors[index] = load(right + step * right_stride + index * kWidth);
#pragma GCC unroll 8
    for (int row = 0; row < rows; ++row) {
      const Floats value = all(left[row * left_stride + step]);
#pragma GCC unroll 4
      for (int index = 0; index < vectors; ++index) {
        sums[row][index] = multiply_add(value, factors[index], sums[row][index]);
      }
    }
  }
}

// Calls compute.operator()<rows>(first) for blocks of `most` rows, then of half as many, and so on.
template <int64_t most = kBlockRows, typename Compute>
void in_row_blocks(int64_t count, const Compute& compute, int64_t first = 0) {
  for (; count - first >= most; first += most) compute.template operator()<most>(first);
  if constexpr (most > 1) in_row_blocks<most / 2>(count, compute, first);
}

#include "kernels/simd_end.h"
