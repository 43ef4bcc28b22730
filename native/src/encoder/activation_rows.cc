#include "encoder/activation_rows.h"

#include <algorithm>
#include <cmath>

#include "encoder/encoder_kernels.h"

void normalise(float* row, int64_t width, const float* scale, const float* shift, float epsilon) {
  encoder_kernels().normalise(row, width, scale, shift, epsilon);
}

Range range_of(const float* row, int64_t width) { return encoder_kernels().range_of(row, width); }

RowQuantisation quantisation_for(const Range& range) {
  const float scale = range.greatest == range.least ? 1.0f : (range.greatest - range.least) / kByteMax;
  const float zero = std::nearbyint(std::clamp(-range.least / scale, 0.0f, kByteMax));
  return {.scale = scale, .zero = std::isfinite(zero) ? static_cast<int32_t>(zero) : 0, .sum = 0};
}

void quantise(const float* row, int64_t width, RowQuantisation& quantisation, uint8_t* bytes) {
  encoder_kernels().quantise(row, width, quantisation, bytes);
}
