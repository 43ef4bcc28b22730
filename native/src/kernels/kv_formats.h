#pragma once

#include <cstdint>
#include <cstring>

#include "ggml.h"
#include "kernels/avx512.h"
#include "kernels/lanes.h"

// The element types in which a KV cache holds keys and values. A row consists of spans; a span of kColumns numbers has
// kBytes bytes, and is unpacked as kVectors vectors of sixteen floats.

// cpu_kernels.cc checks that the CPU supports these before it calls anything here.
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,fma,f16c")

struct KvF16 {
  static constexpr ggml_type kType = GGML_TYPE_F16;
  static constexpr int64_t kColumns = kLanes, kBytes = 2 * kLanes;
  static constexpr int kVectors = 1;
  static constexpr float kGreatest = 65504.0f;  // The greatest finite number.

  [[gnu::always_inline]] static __m512 unpack(const char* span, int /* vector */) {
    return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(span)));
  }
};

// A scale of half precision, then signed bytes.
struct KvQ8 {
  static constexpr ggml_type kType = GGML_TYPE_Q8_0;
  static constexpr int64_t kColumns = 2 * kLanes, kBytes = sizeof(int16_t) + kColumns;
  static constexpr int kVectors = 2;
  static constexpr float kGreatest = 65504.0f * 128.0f;

  [[gnu::always_inline]] static __m512 unpack(const char* span, int vector) {
    int16_t scale;
    std::memcpy(&scale, span, sizeof scale);
    const char* bytes = span + sizeof scale + vector * kLanes;
    const __m512i numbers = _mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
    return _mm512_mul_ps(_mm512_cvtepi32_ps(numbers), _mm512_broadcastss_ps(_mm_cvtph_ps(_mm_cvtsi32_si128(scale))));
  }
};

#pragma GCC pop_options

// The span of a row that begins with a column. `column` is a multiple of Format::kColumns.
template <typename Format>
[[gnu::always_inline]] inline const char* span_at(const char* row, int64_t column) {
  return row + column / Format::kColumns * Format::kBytes;
}
