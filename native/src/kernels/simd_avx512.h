#pragma once

// GCC 12 warns about the undefined values in its own intrinsics.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#include <immintrin.h>

#include <cstdint>

// The vector operations of the kernels on AVX-512 VNNI; the file for the other instruction set defines the same names.

#include "kernels/simd_begin.h"

using Floats = __m512;
using Words = __m512i;

inline constexpr char kInstructions[] = "VNNI";
inline constexpr int kWidth = 16;       // Rows of weights in a vector.
inline constexpr int kRowsAtOnce = 16;  // Rows of activations whose sums stay in registers.

[[gnu::always_inline]] inline Floats zeros() { return _mm512_setzero_ps(); }
[[gnu::always_inline]] inline Floats all(float value) { return _mm512_set1_ps(value); }
[[gnu::always_inline]] inline Words all_words(int32_t value) { return _mm512_set1_epi32(value); }
[[gnu::always_inline]] inline Words all_bytes(int value) { return _mm512_set1_epi8(static_cast<char>(value)); }

[[gnu::always_inline]] inline Floats load(const float* from) { return _mm512_loadu_ps(from); }
[[gnu::always_inline]] inline void store(float* to, Floats values) { _mm512_storeu_ps(to, values); }
// The first `count` lanes, of none to all.
[[gnu::always_inline]] inline __mmask16 first_lanes(int64_t count) { return static_cast<__mmask16>((1u << count) - 1); }
// For each lane: `one` if it is among them, else `other`.
[[gnu::always_inline]] inline Floats if_among_first(int64_t count, Floats one, Floats other) {
  return _mm512_mask_mov_ps(other, first_lanes(count), one);
}
[[gnu::always_inline]] inline Floats load_first(int64_t count, const float* from) {
  return _mm512_maskz_loadu_ps(first_lanes(count), from);
}
[[gnu::always_inline]] inline void store_first(int64_t count, float* to, Floats values) {
  _mm512_mask_storeu_ps(to, first_lanes(count), values);
}
[[gnu::always_inline]] inline Words load_words(const uint8_t* from) { return _mm512_loadu_si512(from); }
// Numbers of half precision.
[[gnu::always_inline]] inline Floats load_halves(const uint8_t* from) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
}
// Two bytes for each word.
[[gnu::always_inline]] inline Words load_pairs(const uint8_t* from) {
  return _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
}
// A signed byte for each word.
[[gnu::always_inline]] inline Words load_signed_bytes(const char* from) {
  return _mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}
// A byte for each word.
[[gnu::always_inline]] inline Words load_bytes(const uint8_t* from) {
  return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}

[[gnu::always_inline]] inline Floats multiply_add(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
[[gnu::always_inline]] inline Floats to_floats(Words words) { return _mm512_cvtepi32_ps(words); }
[[gnu::always_inline]] inline Floats as_floats(Words words) { return _mm512_castsi512_ps(words); }
[[gnu::always_inline]] inline Words as_words(Floats values) { return _mm512_castps_si512(values); }
[[gnu::always_inline]] inline Words nearest_words(Floats values) { return _mm512_cvtps_epi32(values); }
// The low half of each word, a number of half precision.
[[gnu::always_inline]] inline Floats low_halves(Words words) { return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(words)); }

[[gnu::always_inline]] inline Words add_words(Words a, Words b) { return _mm512_add_epi32(a, b); }
[[gnu::always_inline]] inline Words subtract_words(Words a, Words b) { return _mm512_sub_epi32(a, b); }
[[gnu::always_inline]] inline Words multiply_words(Words a, Words b) { return _mm512_mullo_epi32(a, b); }
[[gnu::always_inline]] inline Words greater_words(Words a, Words b) { return _mm512_max_epi32(a, b); }
[[gnu::always_inline]] inline Words lesser_words(Words a, Words b) { return _mm512_min_epi32(a, b); }
// Shifts of words, and of pairs of bytes.
template <int bits>
[[gnu::always_inline]] inline Words left(Words words) {
  return _mm512_slli_epi32(words, bits);
}
template <int bits>
[[gnu::always_inline]] inline Words right(Words words) {
  return _mm512_srli_epi32(words, bits);
}
template <int bits>
[[gnu::always_inline]] inline Words right_signed(Words words) {
  return _mm512_srai_epi32(words, bits);
}
template <int bits>
[[gnu::always_inline]] inline Words pairs_left(Words pairs) {
  return _mm512_slli_epi16(pairs, bits);
}
template <int bits>
[[gnu::always_inline]] inline Words pairs_right(Words pairs) {
  return _mm512_srli_epi16(pairs, bits);
}
[[gnu::always_inline]] inline Words left_by(Words words, Words bits) { return _mm512_sllv_epi32(words, bits); }
// For each word: `one` if `words` is below `bound`, else `other`.
[[gnu::always_inline]] inline Words if_below(Words words, int32_t bound, Words one, Words other) {
  return _mm512_mask_mov_epi32(other, _mm512_cmplt_epi32_mask(words, all_words(bound)), one);
}

// Each byte of `indices` becomes the byte of that index of the table, or of the same sixteen bytes of `bytes`.
[[gnu::always_inline]] inline Words look_up(__m128i table, Words indices) {
  return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(table), indices);
}
[[gnu::always_inline]] inline Words shuffle(Words bytes, __m128i indices) {
  return _mm512_shuffle_epi8(bytes, _mm512_broadcast_i32x4(indices));
}
// Adds `value` to each byte in which a bit of `mask` is set in `bits`.
[[gnu::always_inline]] inline Words add_where(Words bytes, Words bits, Words mask, int value) {
  return _mm512_mask_add_epi8(bytes, _mm512_test_epi8_mask(bits, mask), bytes, all_bytes(value));
}

[[gnu::always_inline]] inline Floats magnitudes(Floats values) { return _mm512_abs_ps(values); }
[[gnu::always_inline]] inline Floats greater(Floats a, Floats b) { return _mm512_max_ps(a, b); }
[[gnu::always_inline]] inline Floats lesser(Floats a, Floats b) { return _mm512_min_ps(a, b); }
// For each lane: `one` if `value` is above `bound`, else `other`.
[[gnu::always_inline]] inline Floats if_above(Floats value, Floats bound, Floats one, Floats other) {
  return _mm512_mask_mov_ps(other, _mm512_cmp_ps_mask(value, bound, _CMP_GT_OQ), one);
}
[[gnu::always_inline]] inline bool differ(Floats a, Floats b) { return _mm512_cmp_ps_mask(a, b, _CMP_NEQ_UQ) != 0; }
[[gnu::always_inline]] inline float greatest_of(Floats values) { return _mm512_reduce_max_ps(values); }
[[gnu::always_inline]] inline float first_of(Floats values) { return _mm512_cvtss_f32(values); }
[[gnu::always_inline]] inline float total_of(Floats values) { return _mm512_reduce_add_ps(values); }
[[gnu::always_inline]] inline bool have_nan(Floats values) {
  return _mm512_cmp_ps_mask(values, values, _CMP_UNORD_Q) != 0;
}
// Stores the nearest integers as bytes, and returns these.
[[gnu::always_inline]] inline Words store_bytes(int8_t* to, Floats values) {
  const __m128i bytes = _mm512_cvtsepi32_epi8(_mm512_cvtps_epi32(values));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
  return _mm512_cvtepi8_epi32(bytes);
}
[[gnu::always_inline]] inline int sum_of(Words words) { return _mm512_reduce_add_epi32(words); }
// Stores each word, which is at most 255, as a byte.
[[gnu::always_inline]] inline void store_low_bytes(uint8_t* to, Words words) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(words));
}

// Lane i of the result is the sum of vector i.
[[gnu::always_inline]] inline Floats totals_of(const Floats (&vectors)[kWidth]) {
  Floats pairs[8], quarters[4];
  for (int i = 0; i < 8; ++i) {
    const Floats a = vectors[2 * i], b = vectors[2 * i + 1];
    pairs[i] = _mm512_unpacklo_ps(a, b) + _mm512_unpackhi_ps(a, b);
  }
  for (int i = 0; i < 4; ++i) {
    const __m512d a = _mm512_castps_pd(pairs[2 * i]), b = _mm512_castps_pd(pairs[2 * i + 1]);
    quarters[i] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, b)) + _mm512_castpd_ps(_mm512_unpackhi_pd(a, b));
  }
  const auto join = [](Floats a, Floats b) {
    return _mm512_shuffle_f32x4(a, b, 0x88) + _mm512_shuffle_f32x4(a, b, 0xDD);
  };
  return join(join(quarters[0], quarters[1]), join(quarters[2], quarters[3]));
}
// Lane i of column j is lane j of row i. Column j is stored at `columns + j * stride`.
[[gnu::always_inline]] inline void store_transposed(const Floats (&rows)[kWidth], float* columns, int64_t stride) {
  Floats pairs[kWidth], quarters[kWidth];
  for (int i = 0; i < kWidth; i += 2) {
    pairs[i] = _mm512_unpacklo_ps(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm512_unpackhi_ps(rows[i], rows[i + 1]);
  }
  for (int i = 0; i < kWidth; i += 4) {
    for (int j = 0; j < 2; ++j) {
      const __m512d a = _mm512_castps_pd(pairs[i + j]), b = _mm512_castps_pd(pairs[i + j + 2]);
      quarters[i + 2 * j] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, b));
      quarters[i + 2 * j + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, b));
    }
  }
  // quarters[4g + c] holds the columns c, c + 4, c + 8, c + 12 of the rows 4g to 4g + 3.
  for (int c = 0; c < 4; ++c) {
    const Floats low = _mm512_shuffle_f32x4(quarters[c], quarters[c + 4], 0x88);
    const Floats high = _mm512_shuffle_f32x4(quarters[c], quarters[c + 4], 0xDD);
    const Floats low_later = _mm512_shuffle_f32x4(quarters[c + 8], quarters[c + 12], 0x88);
    const Floats high_later = _mm512_shuffle_f32x4(quarters[c + 8], quarters[c + 12], 0xDD);
    store(columns + (c + 0) * stride, _mm512_shuffle_f32x4(low, low_later, 0x88));
    store(columns + (c + 4) * stride, _mm512_shuffle_f32x4(high, high_later, 0x88));
    store(columns + (c + 8) * stride, _mm512_shuffle_f32x4(low, low_later, 0xDD));
    store(columns + (c + 12) * stride, _mm512_shuffle_f32x4(high, high_later, 0xDD));
  }
}
// A bit for each of thirty-two numbers of half precision, set if it is not `half`.
[[gnu::always_inline]] inline uint32_t bits_unless(const uint16_t* halves, uint16_t half) {
  return _mm512_cmpneq_epi16_mask(_mm512_loadu_si512(halves), _mm512_set1_epi16(static_cast<int16_t>(half)));
}

// The instruction multiplies numbers without a sign, so signed ones are stored with this bias.
inline constexpr int kBiasOfSigned = 128;

// The sum of `start` and the products of four columns at a time: of the numbers in `quads` with the bytes in
// `activations`.
template <int greatest, int count>
[[gnu::always_inline]] inline Words sum_products(const Words* quads, const int32_t* activations, int32_t start) {
  // Two sums, because each instruction waits for the previous one of its sum.
  Words sum = all_words(start), other = _mm512_setzero_si512();
#pragma GCC unroll 8
  for (int quad = 0; quad < count; quad += 2) {
    sum = _mm512_dpbusd_epi32(sum, quads[quad], all_words(activations[quad]));
    other = _mm512_dpbusd_epi32(other, quads[quad + 1], all_words(activations[quad + 1]));
  }
  return add_words(sum, other);
}

// Words of four signed bytes, for products with four bytes without a sign.
using QuadFactors = Words;
[[gnu::always_inline]] inline QuadFactors load_factors(const int8_t* from) { return _mm512_loadu_si512(from); }
// Adds the products of the four bytes of `quad` to each sum. GCC 12 would copy the intrinsic's result from register to
// register.
[[gnu::always_inline]] inline void add_products(Words& sums, int32_t quad, const QuadFactors& factors) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(all_words(quad)), "v"(factors));
}

#include "kernels/simd_end.h"
