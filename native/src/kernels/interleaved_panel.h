#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/avx512.h"

// Sixteen rows of weights, interleaved: block after block, each 32-bit word of a block of the format is stored sixteen
// times in a row, once per row of weights, so that it is loaded into one register. The bytes of a block that fill no
// word, a scale at its beginning or end, lie after its words. So a product reads a panel from its first byte to its
// last.

inline constexpr int64_t kPanelRows = 16;

// How blocks of a format are interleaved.
struct BlockShape {
  static constexpr int64_t kLine = 64;

  int64_t bytes;    // Of a block of one row.
  int64_t rest;     // Bytes that fill no word: none, one or two.
  int64_t rest_at;  // Where they are in the block: at its beginning or at its end.

  constexpr int64_t words() const { return bytes / 4; }
  constexpr int64_t interleaved_rest_at() const { return words() * kLine; }
  constexpr int64_t first_word_at() const { return rest_at == 0 ? rest : 0; }
  // In a row of so many bytes.
  constexpr int64_t blocks_of(size_t row_bytes) const { return static_cast<int64_t>(row_bytes) / bytes; }
  // From a block of a panel to the next: a multiple of a cache line if that is at most 1/64 more than its bytes.
  constexpr int64_t stride() const {
    const int64_t exact = bytes * kPanelRows, lines = (exact + kLine - 1) / kLine * kLine;
    return lines - exact <= exact / 64 ? lines : exact;
  }
  constexpr size_t panel_bytes(int64_t blocks) const { return static_cast<size_t>(blocks * stride()); }

  // Interleaves sixteen rows of `row_bytes` each.
  void interleave(const uint8_t* rows, size_t row_bytes, uint8_t* panel) const;
  // Copies row `row` of a panel, with its bytes in their order again.
  void copy_row(const uint8_t* panel, int64_t blocks, int64_t row, uint8_t* to) const;
};

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma,f16c")

// A block of a panel.
class PanelBlock {
 public:
  [[gnu::always_inline]] PanelBlock(const BlockShape& shape, const uint8_t* panel, int64_t block)
      : words_(panel + block * shape.stride()), rest_(words_ + shape.interleaved_rest_at()) {}

  [[gnu::always_inline]] void advance(const BlockShape& shape) {
    words_ += shape.stride();
    rest_ += shape.stride();
  }
  // Word `index` of each row: four bytes in each 32-bit lane.
  [[gnu::always_inline]] __m512i word(int64_t index) const {
    return _mm512_loadu_si512(words_ + index * BlockShape::kLine);
  }
  // The rest, a number of half precision of each row.
  [[gnu::always_inline]] __m512 half() const {
    return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(rest_)));
  }
  // The rest, a byte of each row.
  [[gnu::always_inline]] __m512i byte() const {
    return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(rest_)));
  }
  // The byte at `offset` from the beginning of the block; may be after its end.
  [[gnu::always_inline]] const uint8_t* at(int64_t offset) const { return words_ + offset; }

 private:
  const uint8_t *words_, *rest_;
};

namespace formats {

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
