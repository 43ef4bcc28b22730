#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/avx512.h"

// Loads the same bytes of each of sixteen rows, transposed: a row's bytes in one 32-bit lane of each register.

inline constexpr int64_t kPanelRows = 16;

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma,f16c")

// A block of each of sixteen rows.
struct PanelRows {
  const uint8_t* first;
  size_t stride;
};

// The addresses of a block of each of sixteen rows. Sixteen pointers do not fit into registers, so only every fourth row
// has one; the addressing modes of instructions compute the others.
class RowPointers {
 public:
  [[gnu::always_inline]] explicit RowPointers(const PanelRows& rows) : stride_(rows.stride), three_(3 * rows.stride) {
    for (int quarter = 0; quarter < 4; ++quarter) {
      fourths_[quarter] = rows.first + static_cast<size_t>(4 * quarter) * rows.stride;
      asm("" : "+r"(fourths_[quarter]));  // Stops the compiler from computing it again for each row.
    }
    asm("" : "+r"(three_));
  }
  [[gnu::always_inline]] const uint8_t* operator[](int row) const {
    const uint8_t* first = fourths_[row / 4];
    const int rest = row % 4;
    return rest == 3 ? first + three_ : first + static_cast<size_t>(rest) * stride_;
  }

 private:
  const uint8_t* fourths_[4];
  size_t stride_, three_;
};

namespace formats {

[[gnu::always_inline]] inline __m512i two_rows(const uint8_t* lower, const uint8_t* upper) {
  const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(lower));
  const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(upper));
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

// Thirty-two bytes of each row, from `offset` on; register q gets bytes 4q to 4q+3.
[[gnu::always_inline]] inline void load_32(const RowPointers& rows, size_t offset, __m512i (&quads)[8]) {
  __m512i lines[8], pairs[8], quarters[8];
  for (int i = 0; i < 4; ++i) {
    lines[i] = two_rows(rows[i] + offset, rows[i + 4] + offset);
    lines[i + 4] = two_rows(rows[i + 8] + offset, rows[i + 12] + offset);
  }
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = _mm512_unpacklo_epi32(lines[i], lines[i + 1]);
    pairs[i + 1] = _mm512_unpackhi_epi32(lines[i], lines[i + 1]);
  }
  for (int i = 0; i < 8; i += 4) {
    quarters[i] = _mm512_unpacklo_epi64(pairs[i], pairs[i + 2]);
    quarters[i + 1] = _mm512_unpackhi_epi64(pairs[i], pairs[i + 2]);
    quarters[i + 2] = _mm512_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
    quarters[i + 3] = _mm512_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
  }
  for (int i = 0; i < 4; ++i) {
    quads[i] = _mm512_shuffle_i32x4(quarters[i], quarters[i + 4], 0x88);
    quads[i + 4] = _mm512_shuffle_i32x4(quarters[i], quarters[i + 4], 0xDD);
  }
}

// Sixteen bytes of each row, from `offset` on; register q gets bytes 4q to 4q+3.
[[gnu::always_inline]] inline void load_16(const RowPointers& rows, size_t offset, __m512i (&quads)[4]) {
  const auto part = [&](int row) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows[row] + offset)); };
  __m512i lines[4];
  for (int i = 0; i < 4; ++i) {
    lines[i] = _mm512_castsi128_si512(part(i));
    lines[i] = _mm512_mask_broadcast_i32x4(lines[i], 0x00F0, part(i + 4));
    lines[i] = _mm512_mask_broadcast_i32x4(lines[i], 0x0F00, part(i + 8));
    lines[i] = _mm512_mask_broadcast_i32x4(lines[i], 0xF000, part(i + 12));
  }
  const __m512i low = _mm512_unpacklo_epi32(lines[0], lines[1]), high = _mm512_unpackhi_epi32(lines[0], lines[1]);
  const __m512i later_low = _mm512_unpacklo_epi32(lines[2], lines[3]);
  const __m512i later_high = _mm512_unpackhi_epi32(lines[2], lines[3]);
  quads[0] = _mm512_unpacklo_epi64(low, later_low);
  quads[1] = _mm512_unpackhi_epi64(low, later_low);
  quads[2] = _mm512_unpacklo_epi64(high, later_high);
  quads[3] = _mm512_unpackhi_epi64(high, later_high);
}

template <typename Number>
[[gnu::always_inline]] inline Number number_at(const uint8_t* bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

// Four bytes of each row.
[[gnu::always_inline]] inline __m512i load_4(const RowPointers& rows, size_t offset) {
  const auto part = [&](int row) { return number_at<int32_t>(rows[row] + offset); };
  return _mm512_setr_epi32(part(0), part(1), part(2), part(3), part(4), part(5), part(6), part(7), part(8), part(9),
                           part(10), part(11), part(12), part(13), part(14), part(15));
}

// The same by broadcasts from memory under masks: they occupy the load units instead of the shuffle units.
[[gnu::always_inline]] inline __m512i broadcast_4(const RowPointers& rows, size_t offset) {
  const auto broadcast = [&](__m512i others, __mmask16 lanes, int row) {
    // The intrinsic loads into a register first.
    const auto* four = reinterpret_cast<const int32_t*>(rows[row] + offset);
    asm("vpbroadcastd %2, %0%{%1%}" : "+v"(others) : "Yk"(lanes), "m"(*four));
    return others;
  };
  __m512i each[4];
  for (int i = 0; i < 4; ++i) {
    each[i] = _mm512_set1_epi32(number_at<int32_t>(rows[i] + offset));
    each[i] = broadcast(each[i], 0x00F0, i + 4);
    each[i] = broadcast(each[i], 0x0F00, i + 8);
    each[i] = broadcast(each[i], 0xF000, i + 12);
  }
  const __m512i even = _mm512_mask_mov_epi32(each[0], 0x2222, each[1]);
  return _mm512_mask_mov_epi32(_mm512_mask_mov_epi32(even, 0x4444, each[2]), 0x8888, each[3]);
}

// A number of half precision of each row.
[[gnu::always_inline]] inline __m512 load_half(const RowPointers& rows, size_t offset) {
  const auto part = [&](int row) { return number_at<int16_t>(rows[row] + offset); };
  return _mm512_cvtph_ps(_mm256_setr_epi16(part(0), part(1), part(2), part(3), part(4), part(5), part(6), part(7),
                                           part(8), part(9), part(10), part(11), part(12), part(13), part(14),
                                           part(15)));
}

[[gnu::always_inline]] inline __m512 low_halves(__m512i pairs) { return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(pairs)); }
[[gnu::always_inline]] inline __m512 high_halves(__m512i pairs) { return low_halves(_mm512_srli_epi32(pairs, 16)); }

[[gnu::always_inline]] inline __m512i low_nibbles(__m512i bytes) {
  return _mm512_and_si512(bytes, _mm512_set1_epi8(15));
}
[[gnu::always_inline]] inline __m512i high_nibbles(__m512i bytes) { return low_nibbles(_mm512_srli_epi16(bytes, 4)); }

// Moves bit `bit` of each byte to bit `target`, and clears the others.
template <int bit, int target>
[[gnu::always_inline]] inline __m512i move_bits(__m512i bytes, int mask) {
  const __m512i moved = bit > target ? _mm512_srli_epi16(bytes, bit > target ? bit - target : 0)
                                     : _mm512_slli_epi16(bytes, bit > target ? 0 : target - bit);
  return _mm512_and_si512(moved, _mm512_set1_epi8(static_cast<char>(mask)));
}

// Byte `index` of each row's four, as a number.
template <int index>
[[gnu::always_inline]] inline __m512 unsigned_byte(__m512i quads) {
  return _mm512_cvtepi32_ps(_mm512_and_si512(_mm512_srli_epi32(quads, 8 * index), _mm512_set1_epi32(255)));
}
template <int index>
[[gnu::always_inline]] inline __m512 signed_byte(__m512i quads) {
  return _mm512_cvtepi32_ps(_mm512_srai_epi32(_mm512_slli_epi32(quads, 24 - 8 * index), 24));
}

}  // namespace formats

#pragma GCC pop_options
