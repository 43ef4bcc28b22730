#pragma once

#include <immintrin.h>

#include <algorithm>
#include <cstdint>

// The vector operations of the kernels on AVX2; the file for the other instruction set defines the same names.

#include "kernels/simd_begin.h"

using Floats = __m256;
using Words = __m256i;

inline constexpr char kInstructions[] = "AVX2";
inline constexpr int kWidth = 8;       // Rows of weights in a vector.
inline constexpr int kRowsAtOnce = 4;  // Rows of activations whose sums stay in registers.

[[gnu::always_inline]] inline Floats zeros() { return _mm256_setzero_ps(); }
[[gnu::always_inline]] inline Floats all(float value) { return _mm256_set1_ps(value); }
[[gnu::always_inline]] inline Words all_words(int32_t value) { return _mm256_set1_epi32(value); }
[[gnu::always_inline]] inline Words all_bytes(int value) { return _mm256_set1_epi8(static_cast<char>(value)); }

[[gnu::always_inline]] inline Floats load(const float* from) { return _mm256_loadu_ps(from); }
[[gnu::always_inline]] inline void store(float* to, Floats values) { _mm256_storeu_ps(to, values); }
// The first `count` lanes, of none to all.
[[gnu::always_inline]] inline Words first_lanes(int64_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
// For each lane: `one` if it is among them, else `other`.
[[gnu::always_inline]] inline Floats if_among_first(int64_t count, Floats one, Floats other) {
  return _mm256_blendv_ps(other, one, _mm256_castsi256_ps(first_lanes(count)));
}
[[gnu::always_inline]] inline Floats load_first(int64_t count, const float* from) {
  return _mm256_maskload_ps(from, first_lanes(count));
}
[[gnu::always_inline]] inline void store_first(int64_t count, float* to, Floats values) {
  _mm256_maskstore_ps(to, first_lanes(count), values);
}
[[gnu::always_inline]] inline Words load_words(const uint8_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
// Numbers of half precision.
[[gnu::always_inline]] inline Floats load_halves(const uint8_t* from) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}
// Two bytes for each word.
[[gnu::always_inline]] inline Words load_pairs(const uint8_t* from) {
  return _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}
// A signed byte for each word.
[[gnu::always_inline]] inline Words load_signed_bytes(const char* from) {
  return _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
}
// A byte for each word.
[[gnu::always_inline]] inline Words load_bytes(const uint8_t* from) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
}

[[gnu::always_inline]] inline Floats multiply_add(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
[[gnu::always_inline]] inline Floats to_floats(Words words) { return _mm256_cvtepi32_ps(words); }
[[gnu::always_inline]] inline Floats as_floats(Words words) { return _mm256_castsi256_ps(words); }
[[gnu::always_inline]] inline Words as_words(Floats values) { return _mm256_castps_si256(values); }
[[gnu::always_inline]] inline Words nearest_words(Floats values) { return _mm256_cvtps_epi32(values); }
// The low half of each word, a number of half precision.
[[gnu::always_inline]] inline Floats low_halves(Words words) {
  const __m256i low = _mm256_and_si256(words, _mm256_set1_epi32(0xFFFF));
  const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, low), 0x08);
  return _mm256_cvtph_ps(_mm256_castsi256_si128(packed));
}

[[gnu::always_inline]] inline Words add_words(Words a, Words b) { return _mm256_add_epi32(a, b); }
[[gnu::always_inline]] inline Words subtract_words(Words a, Words b) { return _mm256_sub_epi32(a, b); }
[[gnu::always_inline]] inline Words multiply_words(Words a, Words b) { return _mm256_mullo_epi32(a, b); }
[[gnu::always_inline]] inline Words greater_words(Words a, Words b) { return _mm256_max_epi32(a, b); }
[[gnu::always_inline]] inline Words lesser_words(Words a, Words b) { return _mm256_min_epi32(a, b); }
// Shifts of words, and of pairs of bytes.
template <int bits>
[[gnu::always_inline]] inline Words left(Words words) {
  return _mm256_slli_epi32(words, bits);
}
template <int bits>
[[gnu::always_inline]] inline Words right(Words words) {
  return _mm256_srli_epi32(words, bits);
}
template <int bits>
[[gnu::always_inline]] inline Words right_signed(Words words) {
  return _mm256_srai_epi32(words, bits);
}
template <int bits>
[[gnu::always_inline]] inline Words pairs_left(Words pairs) {
  return _mm256_slli_epi16(pairs, bits);
}
template <int bits>
[[gnu::always_inline]] inline Words pairs_right(Words pairs) {
  return _mm256_srli_epi16(pairs, bits);
}
[[gnu::always_inline]] inline Words left_by(Words words, Words bits) { return _mm256_sllv_epi32(words, bits); }
// For each word: `one` if `words` is below `bound`, else `other`.
[[gnu::always_inline]] inline Words if_below(Words words, int32_t bound, Words one, Words other) {
  return _mm256_blendv_epi8(other, one, _mm256_cmpgt_epi32(all_words(bound), words));
}

// Each byte of `indices` becomes the byte of that index of the table, or of the same sixteen bytes of `bytes`.
[[gnu::always_inline]] inline Words look_up(__m128i table, Words indices) {
  return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), indices);
}
[[gnu::always_inline]] inline Words shuffle(Words bytes, __m128i indices) {
  return _mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(indices));
}
// Adds `value` to each byte in which a bit of `mask` is set in `bits`; at most one bit of a byte of the mask is.
[[gnu::always_inline]] inline Words add_where(Words bytes, Words bits, Words mask, int value) {
  const __m256i is_set = _mm256_cmpeq_epi8(_mm256_and_si256(bits, mask), mask);
  return _mm256_add_epi8(bytes, _mm256_and_si256(is_set, all_bytes(value)));
}

[[gnu::always_inline]] inline Floats magnitudes(Floats values) {
  return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), values);
}
[[gnu::always_inline]] inline Floats greater(Floats a, Floats b) { return _mm256_max_ps(a, b); }
[[gnu::always_inline]] inline Floats lesser(Floats a, Floats b) { return _mm256_min_ps(a, b); }
// For each lane: `one` if `value` is above `bound`, else `other`.
[[gnu::always_inline]] inline Floats if_above(Floats value, Floats bound, Floats one, Floats other) {
  return _mm256_blendv_ps(other, one, _mm256_cmp_ps(value, bound, _CMP_GT_OQ));
}
[[gnu::always_inline]] inline bool differ(Floats a, Floats b) {
  return _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_NEQ_UQ)) != 0;
}
[[gnu::always_inline]] inline float greatest_of(Floats values) {
  const __m128 four = _mm_max_ps(_mm256_castps256_ps128(values), _mm256_extractf128_ps(values, 1));
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}
[[gnu::always_inline]] inline float first_of(Floats values) { return _mm256_cvtss_f32(values); }
[[gnu::always_inline]] inline float total_of(Floats values) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(values), _mm256_extractf128_ps(values, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
[[gnu::always_inline]] inline bool have_nan(Floats values) {
  return _mm256_movemask_ps(_mm256_cmp_ps(values, values, _CMP_UNORD_Q)) != 0;
}
// Stores the nearest integers as bytes, and returns these.
[[gnu::always_inline]] inline Words store_bytes(int8_t* to, Floats values) {
  const __m256i words = _mm256_cvtps_epi32(values);
  const __m128i pairs = _mm_packs_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
  const __m128i bytes = _mm_packs_epi16(pairs, pairs);
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), bytes);
  return _mm256_cvtepi8_epi32(bytes);
}
// Stores each word, which is at most 255, as a byte.
[[gnu::always_inline]] inline void store_low_bytes(uint8_t* to, Words words) {
  const __m128i pairs = _mm_packus_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packus_epi16(pairs, pairs));
}
[[gnu::always_inline]] inline int sum_of(Words words) {
  const __m128i four = _mm_add_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
  const __m128i two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
  return _mm_cvtsi128_si32(two) + _mm_extract_epi32(two, 1);
}

// Lane i of the result is the sum of vector i.
[[gnu::always_inline]] inline Floats totals_of(const Floats (&vectors)[kWidth]) {
  Floats quarters[2];
  for (int i = 0; i < 2; ++i) {
    const Floats* four = vectors + 4 * i;
    const __m256d a = _mm256_castps_pd(_mm256_unpacklo_ps(four[0], four[1]) + _mm256_unpackhi_ps(four[0], four[1]));
    const __m256d b = _mm256_castps_pd(_mm256_unpacklo_ps(four[2], four[3]) + _mm256_unpackhi_ps(four[2], four[3]));
    quarters[i] = _mm256_castpd_ps(_mm256_unpacklo_pd(a, b)) + _mm256_castpd_ps(_mm256_unpackhi_pd(a, b));
  }
  return _mm256_permute2f128_ps(quarters[0], quarters[1], 0x20) +
         _mm256_permute2f128_ps(quarters[0], quarters[1], 0x31);
}
// Lane i of column j is lane j of row i. Column j is stored at `columns + j * stride`.
[[gnu::always_inline]] inline void store_transposed(const Floats (&rows)[kWidth], float* columns, int64_t stride) {
  Floats quarters[kWidth];
  for (int i = 0; i < kWidth; i += 4) {
    const __m256d low_a = _mm256_castps_pd(_mm256_unpacklo_ps(rows[i], rows[i + 1]));
    const __m256d low_b = _mm256_castps_pd(_mm256_unpacklo_ps(rows[i + 2], rows[i + 3]));
    const __m256d high_a = _mm256_castps_pd(_mm256_unpackhi_ps(rows[i], rows[i + 1]));
    const __m256d high_b = _mm256_castps_pd(_mm256_unpackhi_ps(rows[i + 2], rows[i + 3]));
    quarters[i] = _mm256_castpd_ps(_mm256_unpacklo_pd(low_a, low_b));
    quarters[i + 1] = _mm256_castpd_ps(_mm256_unpackhi_pd(low_a, low_b));
    quarters[i + 2] = _mm256_castpd_ps(_mm256_unpacklo_pd(high_a, high_b));
    quarters[i + 3] = _mm256_castpd_ps(_mm256_unpackhi_pd(high_a, high_b));
  }
  // quarters[4g + c] holds the columns c and c + 4 of the rows 4g to 4g + 3.
  for (int c = 0; c < 4; ++c) {
    store(columns + c * stride, _mm256_permute2f128_ps(quarters[c], quarters[c + 4], 0x20));
    store(columns + (c + 4) * stride, _mm256_permute2f128_ps(quarters[c], quarters[c + 4], 0x31));
  }
}
// A bit for each of thirty-two numbers of half precision, set if it is not `half`.
[[gnu::always_inline]] inline uint32_t bits_unless(const uint16_t* halves, uint16_t half) {
  const __m256i sought = _mm256_set1_epi16(static_cast<int16_t>(half));
  const auto* vectors = reinterpret_cast<const __m256i*>(halves);
  const __m256i low = _mm256_cmpeq_epi16(_mm256_loadu_si256(vectors), sought);
  const __m256i high = _mm256_cmpeq_epi16(_mm256_loadu_si256(vectors + 1), sought);
  const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xD8);
  return ~static_cast<uint32_t>(_mm256_movemask_epi8(bytes));
}

// Signed numbers are stored as they are.
inline constexpr int kBiasOfSigned = 0;

// The sum of `start` and the products of four columns at a time: of the numbers in `quads`, which are at most
// `greatest`, or signed if that is 255, with the bytes in `activations`, of −127 to 127.
template <int greatest, int count>
[[gnu::always_inline]] inline Words sum_products(const Words* quads, const int32_t* activations, int32_t start) {
  // One instruction adds two products in sixteen bits; so many of its results can be added there.
  constexpr int kExact = 32767 / (2 * 127 * std::min(greatest, 128));
  constexpr int kTogether = std::min(kExact >= 8 ? 8 : kExact >= 4 ? 4 : kExact >= 2 ? 2 : 1, count);
  const Words ones = _mm256_set1_epi16(1);
  Words sum = all_words(start);
  for (int first = 0; first < count; first += kTogether) {
    Words pairs = _mm256_setzero_si256();
    for (int quad = first; quad < first + kTogether; ++quad) {
      const Words bytes = all_words(activations[quad]);
      const Words products =
          greatest > 128 ? _mm256_maddubs_epi16(_mm256_abs_epi8(quads[quad]), _mm256_sign_epi8(bytes, quads[quad]))
                         : _mm256_maddubs_epi16(quads[quad], bytes);
      pairs = _mm256_add_epi16(pairs, products);
    }
    sum = add_words(sum, _mm256_madd_epi16(pairs, ones));
  }
  return sum;
}

// Words of four signed bytes, prepared for products with four bytes without a sign: two sums of sixteen bits could
// overflow, so the even and the odd bytes are widened apart.
struct QuadFactors {
  Words even, odd;
};
[[gnu::always_inline]] inline QuadFactors load_factors(const int8_t* from) {
  const Words words = load_words(reinterpret_cast<const uint8_t*>(from));
  return {_mm256_srai_epi16(_mm256_slli_epi16(words, 8), 8), _mm256_srai_epi16(words, 8)};
}
// Adds the products of the four bytes of `quad` to each sum.
[[gnu::always_inline]] inline void add_products(Words& sums, int32_t quad, const QuadFactors& factors) {
  const Words bytes = all_words(quad);
  const Words even = _mm256_and_si256(bytes, _mm256_set1_epi16(0xFF)), odd = _mm256_srli_epi16(bytes, 8);
  sums = add_words(sums, add_words(_mm256_madd_epi16(even, factors.even), _mm256_madd_epi16(odd, factors.odd)));
}

#include "kernels/simd_end.h"
