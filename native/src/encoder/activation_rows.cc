#include "encoder/activation_rows.h"

#include <algorithm>
#include <cmath>

#include "kernels/avx512.h"
#include "kernels/lanes.h"

namespace {

constexpr float kByteMax = 255;

}  // namespace

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,fma")

void normalise(float* row, int64_t width, const float* scale, const float* shift, float epsilon) {
  const auto count = static_cast<float>(width);
  __m512 sum = _mm512_setzero_ps();
  for (int64_t at = 0; at < width; at += kLanes) sum = _mm512_add_ps(sum, _mm512_loadu_ps(row + at));
  const __m512 mean = _mm512_set1_ps(_mm512_reduce_add_ps(sum) / count);
  __m512 squares = _mm512_setzero_ps();
  for (int64_t at = 0; at < width; at += kLanes) {
    const __m512 distance = _mm512_sub_ps(_mm512_loadu_ps(row + at), mean);
    squares = _mm512_fmadd_ps(distance, distance, squares);
  }
  const __m512 factor = _mm512_set1_ps(1.0f / std::sqrt(_mm512_reduce_add_ps(squares) / count + epsilon));
  for (int64_t at = 0; at < width; at += kLanes) {
    const __m512 value = _mm512_mul_ps(_mm512_sub_ps(_mm512_loadu_ps(row + at), mean), factor);
    _mm512_storeu_ps(row + at, _mm512_fmadd_ps(value, _mm512_loadu_ps(scale + at), _mm512_loadu_ps(shift + at)));
  }
}

Range range_of(const float* row, int64_t width) {
  __m512 least = _mm512_setzero_ps(), greatest = _mm512_setzero_ps();
  for (int64_t at = 0; at < width; at += kLanes) {
    least = _mm512_min_ps(least, _mm512_loadu_ps(row + at));
    greatest = _mm512_max_ps(greatest, _mm512_loadu_ps(row + at));
  }
  return {_mm512_reduce_min_ps(least), _mm512_reduce_max_ps(greatest)};
}

RowQuantisation quantisation_for(const Range& range) {
  const float scale = range.greatest == range.least ? 1.0f : (range.greatest - range.least) / kByteMax;
  const float zero = std::nearbyint(std::clamp(-range.least / scale, 0.0f, kByteMax));
  return {.scale = scale, .zero = std::isfinite(zero) ? static_cast<int32_t>(zero) : 0, .sum = 0};
}

void quantise(const float* row, int64_t width, RowQuantisation& quantisation, uint8_t* bytes) {
  const __m512 scale = _mm512_set1_ps(quantisation.scale);
  const __m512i zero = _mm512_set1_epi32(quantisation.zero), most = _mm512_set1_epi32(static_cast<int>(kByteMax));
  __m512i sum = _mm512_setzero_si512();
  for (int64_t at = 0; at < width; at += kLanes) {
    const __m512i steps = _mm512_cvtps_epi32(_mm512_div_ps(_mm512_loadu_ps(row + at), scale));
    const __m512i shifted = _mm512_add_epi32(steps, zero);
    const __m512i byte = _mm512_min_epi32(_mm512_max_epi32(shifted, _mm512_setzero_si512()), most);
    sum = _mm512_add_epi32(sum, byte);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes + at), _mm512_cvtepi32_epi8(byte));
  }
  quantisation.sum = _mm512_reduce_add_epi32(sum);
}

#pragma GCC pop_options
