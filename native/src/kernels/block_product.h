#pragma once

#include <cstdint>

#include "kernels/avx512.h"
#include "kernels/lanes.h"

// The inner loop of a matrix product in single precision: several rows times the columns of several registers. Each sum
// is computed in the order of the depth, so its bits do not depend on the number of rows computed together.

inline constexpr int64_t kRowsAtOnce = 8;  // With three registers per row, as many sums as there are registers.

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,fma")

// left: [rows, left_stride], right: [depth, right_stride].
template <int rows, int registers>
[[gnu::always_inline]] inline void sum_products(__m512 (&sums)[rows][registers], const float* left, int64_t left_stride,
                                                const float* right, int64_t right_stride, int64_t depth) {
  for (auto& row : sums) {
    for (__m512& sum : row) sum = _mm512_setzero_ps();
  }
  for (int64_t step = 0; step < depth; ++step) {
    __m512 factors[registers];
#pragma GCC unroll 4
    for (int index = 0; index < registers; ++index) {
      factors[index] = _mm512_loadu_ps(right + step * right_stride + index * kLanes);
    }
#pragma GCC unroll 8
    for (int row = 0; row < rows; ++row) {
      const __m512 value = _mm512_set1_ps(left[row * left_stride + step]);
#pragma GCC unroll 4
      for (int index = 0; index < registers; ++index) {
        sums[row][index] = _mm512_fmadd_ps(value, factors[index], sums[row][index]);
      }
    }
  }
}

#pragma GCC pop_options

// Calls compute.operator()<rows>(first) for blocks of eight rows, then of four, two and one.
template <typename Compute>
void in_row_blocks(int64_t count, const Compute& compute) {
  int64_t first = 0;
  for (; count - first >= kRowsAtOnce; first += kRowsAtOnce) compute.template operator()<kRowsAtOnce>(first);
  const int64_t rest = count - first;
  if (rest & 4) compute.template operator()<4>((first += 4) - 4);
  if (rest & 2) compute.template operator()<2>((first += 2) - 2);
  if (rest & 1) compute.template operator()<1>(first);
}
