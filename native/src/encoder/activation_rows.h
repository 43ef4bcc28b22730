#pragma once

#include <cstdint>

#include "encoder/dense_matrix.h"

// Passes over single rows of activations; `width` is a multiple of sixteen.

inline constexpr float kByteMax = 255;

// The minimum and maximum of a set of numbers and zero.
struct Range {
  float least = 0;
  float greatest = 0;
};

// (x − mean) / √(variance + epsilon) · scale + shift, in place.
void normalise(float* row, int64_t width, const float* scale, const float* shift, float epsilon);

Range range_of(const float* row, int64_t width);

// As in ONNX's DynamicQuantizeLinear, for activations in this range.
RowQuantisation quantisation_for(const Range& range);
// Writes one byte for each number, and the sum of the bytes.
void quantise(const float* row, int64_t width, RowQuantisation& quantisation, uint8_t* bytes);
