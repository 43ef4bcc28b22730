#pragma once

#include <cstdint>

#include "kernels/panel_block.h"

// Thirty-two columns of rows of weights in registers, and the steps of unpacking that formats share.

#include "kernels/simd_begin.h"

inline constexpr int kQuads = kSpanColumns / 4;

// Thirty-two columns of a panel. Vector q of `quads` holds columns 4q to 4q+3 of each row: numbers of at most
// `greatest`, or signed ones with their bias if that is 255. The factors are the scales of the columns, in order, then
// the base.
template <int scales, bool with_base, int greatest>
struct Span {
  static constexpr int kScales = scales, kGreatest = greatest;
  static constexpr bool kHasBase = with_base;
  Words quads[kQuads];
  Floats factors[scales + (with_base ? 1 : 0)];
};

namespace formats {

[[gnu::always_inline]] inline Floats high_halves(Words pairs) { return low_halves(right<16>(pairs)); }

[[gnu::always_inline]] inline Words low_nibbles(Words bytes) { return bytes & all_bytes(15); }
[[gnu::always_inline]] inline Words high_nibbles(Words bytes) { return low_nibbles(pairs_right<4>(bytes)); }

// Moves bit `bit` of each byte to bit `target`, and clears the others.
template <int bit, int target>
[[gnu::always_inline]] inline Words move_bits(Words bytes, int mask) {
  if constexpr (bit > target) return pairs_right<bit - target>(bytes) & all_bytes(mask);
  return pairs_left<(bit > target ? 0 : target - bit)>(bytes) & all_bytes(mask);
}

// Byte `index` of each row's four, as a number.
template <int index>
[[gnu::always_inline]] inline Floats unsigned_byte(Words quads) {
  return to_floats(right<8 * index>(quads) & all_words(255));
}
template <int index>
[[gnu::always_inline]] inline Floats signed_byte(Words quads) {
  return to_floats(right_signed<24>(left<24 - 8 * index>(quads)));
}

// Calls use.operator()<index>() for each index below `count`.
template <int count, typename Use, int index = 0>
[[gnu::always_inline]] inline void for_each_index(const Use& use) {
  if constexpr (index < count) {
    use.template operator()<index>();
    for_each_index<count, Use, index + 1>(use);
  }
}

// Four words from `first` on: the low nibbles are the first sixteen columns, the high nibbles the others.
[[gnu::always_inline]] inline void split_nibbles(const PanelBlock& block, int64_t first, Words (&quads)[kQuads]) {
  for (int i = 0; i < 4; ++i) {
    const Words bytes = block.word(first + i);
    quads[i] = low_nibbles(bytes);
    quads[i + 4] = high_nibbles(bytes);
  }
}

// Adds 16 to the columns whose bit in `bits` is set; bit c belongs to column c.
[[gnu::always_inline]] inline void add_fifth_bits(Words bits, Words (&quads)[kQuads]) {
  const Words even = all_words(0x08040201), odd = all_words(static_cast<int>(0x80402010));
  for (int byte = 0; byte < 4; ++byte) {
    const int four = 0x01010101 * byte;
    const Words spread = shuffle(bits, _mm_setr_epi32(four, four + 0x04040404, four + 0x08080808, four + 0x0C0C0C0C));
    quads[2 * byte] = add_where(quads[2 * byte], spread, even, 16);
    quads[2 * byte + 1] = add_where(quads[2 * byte + 1], spread, odd, 16);
  }
}

template <const int8_t (&values)[16], int bias>
[[gnu::always_inline]] inline void look_up_all(Words (&quads)[kQuads]) {
  const __m128i table =
      _mm_add_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(values)), _mm_set1_epi8(static_cast<char>(bias)));
  for (Words& quad : quads) quad = look_up(table, quad);
}

inline constexpr int8_t kValuesIq4[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
inline constexpr int8_t kValuesFp4[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};  // Doubled.

// The scales and bases of eight spans, six bits each in twelve bytes, after a half-precision factor of each kind.
struct SixBitFactors {
  Words scales[2], bases[2];
  Floats scale, base;

  [[gnu::always_inline]] explicit SixBitFactors(const PanelBlock& block) {
    const Words halves = block.word(0), header[3] = {block.word(1), block.word(2), block.word(3)};
    scale = low_halves(halves);
    base = zeros() - high_halves(halves);
    const Words six = all_bytes(63), two = all_bytes(3 << 4);
    scales[0] = header[0] & six;
    bases[0] = header[1] & six;
    scales[1] = low_nibbles(header[2]) | (pairs_right<2>(header[0]) & two);
    bases[1] = high_nibbles(header[2]) | (pairs_right<2>(header[1]) & two);
  }

  template <int span, typename Columns>
  [[gnu::always_inline]] void give(Columns& target) const {
    target.factors[0] = scale * unsigned_byte<span % 4>(scales[span / 4]);
    target.factors[1] = base * unsigned_byte<span % 4>(bases[span / 4]);
  }
};

}  // namespace formats

#include "kernels/simd_end.h"
