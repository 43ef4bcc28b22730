#pragma once

#include <cmath>

#include "encoder/activation_rows.h"
#include "kernels/simd.h"

// Passes over single rows of activations, for one instruction set.

#include "kernels/simd_begin.h"

namespace {

void normalise(float* row, int64_t width, const float* scale, const float* shift, float epsilon) {
  const auto count = static_cast<float>(width);
  Floats sum = zeros();
  for (int64_t at = 0; at < width; at += kWidth) sum = sum + load(row + at);
  const Floats mean = all(total_of(sum) / count);
  Floats squares = zeros();
  for (int64_t at = 0; at < width; at += kWidth) {
    const Floats distance = load(row + at) - mean;
    squares = multiply_add(distance, distance, squares);
  }
  const Floats factor = all(1.0f / std::sqrt(total_of(squares) / count + epsilon));
  for (int64_t at = 0; at < width; at += kWidth) {
    const Floats value = (load(row + at) - mean) * factor;
    store(row + at, multiply_add(value, load(scale + at), load(shift + at)));
  }
}

Range range_of(const float* row, int64_t width) {
  Floats least = zeros(), greatest = zeros();
  for (int64_t at = 0; at < width; at += kWidth) {
    least = lesser(least, load(row + at));
    greatest = greater(greatest, load(row + at));
  }
  return {-greatest_of(zeros() - least), greatest_of(greatest)};
}

void quantise(const float* row, int64_t width, RowQuantisation& quantisation, uint8_t* bytes) {
  const Floats scale = all(quantisation.scale);
  const Words zero = all_words(quantisation.zero), most = all_words(static_cast<int>(kByteMax));
  Words sum = all_words(0);
  for (int64_t at = 0; at < width; at += kWidth) {
    const Words shifted = add_words(nearest_words(load(row + at) / scale), zero);
    const Words byte = lesser_words(greater_words(shifted, all_words(0)), most);
    sum = add_words(sum, byte);
    store_low_bytes(bytes + at, byte);
  }
  quantisation.sum = sum_of(sum);
}

}  // namespace

#include "kernels/simd_end.h"
