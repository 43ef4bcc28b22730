#pragma once

#include <cstdint>
#include <cstring>

#include "ggml.h"
#include "kernels/simd.h"

// The element types in which a KV cache holds keys and values. A row consists of spans; a span of kColumns numbers has
// kBytes bytes, and is unpacked as kVectors vectors.

#include "kernels/simd_begin.h"

struct KvF16 {
  static constexpr int64_t kColumns = 16, kBytes = 32;
  static constexpr int kVectors = kColumns / kWidth;
  static constexpr float kGreatest = 65504.0f;  // The greatest finite number.

  [[gnu::always_inline]] static Floats unpack(const char* span, int vector) {
    return load_halves(reinterpret_cast<const uint8_t*>(span) + 2 * vector * kWidth);
  }
};

// A scale of half precision, then signed bytes.
struct KvQ8 {
  static constexpr int64_t kColumns = 32, kBytes = sizeof(uint16_t) + kColumns;
  static constexpr int kVectors = kColumns / kWidth;
  static constexpr float kGreatest = 65504.0f * 128.0f;

  [[gnu::always_inline]] static Floats unpack(const char* span, int vector) {
    uint16_t scale;
    std::memcpy(&scale, span, sizeof scale);
    return to_floats(load_signed_bytes(span + sizeof scale + vector * kWidth)) * all(_cvtsh_ss(scale));
  }
};

// The span of a row that begins with a column. `column` is a multiple of Format::kColumns.
template <typename Format>
[[gnu::always_inline]] inline const char* span_at(const char* row, int64_t column) {
  return row + column / Format::kColumns * Format::kBytes;
}

#include "kernels/simd_end.h"
