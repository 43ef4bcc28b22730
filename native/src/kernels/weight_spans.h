#pragma once

#include <cstdint>

#include "kernels/interleaved_panel.h"

// Thirty-two columns of sixteen rows of weights in registers, and the steps of unpacking that formats share.

inline constexpr int64_t kSpanColumns = 32;
inline constexpr int kQuads = kSpanColumns / 4;

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma,f16c")

// Thirty-two columns of a panel. Register q of `quads` holds columns 4q to 4q+3 of each row. The factors are the scales
// of the columns, in order, then the base.
template <int scales, bool with_base>
struct Span {
  static constexpr int kScales = scales;
  static constexpr bool kHasBase = with_base;
  __m512i quads[kQuads];
  __m512 factors[scales + (with_base ? 1 : 0)];
};

namespace formats {

// Calls use.operator()<index>() for each index below `count`.
template <int count, typename Use, int index = 0>
[[gnu::always_inline]] inline void for_each_index(const Use& use) {
  if constexpr (index < count) {
    use.template operator()<index>();
    for_each_index<count, Use, index + 1>(use);
  }
}

// Four words from `first` on: the low nibbles are the first sixteen columns, the high nibbles the others.
[[gnu::always_inline]] inline void split_nibbles(const PanelBlock& block, int64_t first, __m512i (&quads)[kQuads]) {
  for (int i = 0; i < 4; ++i) {
    const __m512i bytes = block.word(first + i);
    quads[i] = low_nibbles(bytes);
    quads[i + 4] = high_nibbles(bytes);
  }
}

// Adds 16 to the columns whose bit in `bits` is set; bit c belongs to column c.
[[gnu::always_inline]] inline void add_fifth_bits(__m512i bits, __m512i (&quads)[kQuads]) {
  const __m512i even = _mm512_set1_epi32(0x08040201), odd = _mm512_set1_epi32(static_cast<int>(0x80402010));
  for (int byte = 0; byte < 4; ++byte) {
    const int four = 0x01010101 * byte;
    const __m512i source =
        _mm512_broadcast_i32x4(_mm_setr_epi32(four, four + 0x04040404, four + 0x08080808, four + 0x0C0C0C0C));
    const __m512i spread = _mm512_shuffle_epi8(bits, source);
    const auto add = [&](int quad, __m512i mask) {
      quads[quad] =
          _mm512_mask_add_epi8(quads[quad], _mm512_test_epi8_mask(spread, mask), quads[quad], _mm512_set1_epi8(16));
    };
    add(2 * byte, even);
    add(2 * byte + 1, odd);
  }
}

template <const int8_t (&values)[16], int bias>
[[gnu::always_inline]] inline void look_up(__m512i (&quads)[kQuads]) {
  const __m128i table =
      _mm_add_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(values)), _mm_set1_epi8(static_cast<char>(bias)));
  for (__m512i& quad : quads) quad = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(table), quad);
}

inline constexpr int8_t kValuesIq4[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
inline constexpr int8_t kValuesFp4[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};  // Doubled.

// The scales and bases of eight spans, six bits each in twelve bytes, after a half-precision factor of each kind.
struct SixBitFactors {
  __m512i scales[2], bases[2];
  __m512 scale, base;

  [[gnu::always_inline]] explicit SixBitFactors(const PanelBlock& block) {
    const __m512i halves = block.word(0), header[3] = {block.word(1), block.word(2), block.word(3)};
    scale = low_halves(halves);
    base = _mm512_sub_ps(_mm512_setzero_ps(), high_halves(halves));
    const __m512i six = _mm512_set1_epi8(63), two = _mm512_set1_epi8(3 << 4);
    scales[0] = _mm512_and_si512(header[0], six);
    bases[0] = _mm512_and_si512(header[1], six);
    scales[1] = _mm512_or_si512(low_nibbles(header[2]), _mm512_and_si512(_mm512_srli_epi16(header[0], 2), two));
    bases[1] = _mm512_or_si512(high_nibbles(header[2]), _mm512_and_si512(_mm512_srli_epi16(header[1], 2), two));
  }

  template <int span>
  [[gnu::always_inline]] void give(Span<1, true>& target) const {
    target.factors[0] = _mm512_mul_ps(scale, unsigned_byte<span % 4>(scales[span / 4]));
    target.factors[1] = _mm512_mul_ps(base, unsigned_byte<span % 4>(bases[span / 4]));
  }
};

}  // namespace formats

#pragma GCC pop_options
