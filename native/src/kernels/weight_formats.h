#pragma once

#include <cstdint>

#include "ggml.h"
#include "kernels/panel_rows.h"

// The formats of quantised weights, as ggml stores them, and how sixteen rows of each are unpacked into registers.
// Every value is scale × (number − bias) + base: a number of at most eight bits, a scale of 16 or 32 columns, a bias of
// the format and, in some formats, a base of 32 columns. Source: ggml/src/ggml-common.h and ggml-quants.c.

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

// The low nibbles of sixteen bytes are the first sixteen columns, the high nibbles the others.
[[gnu::always_inline]] inline void split_nibbles(const PanelRows& rows, size_t offset, __m512i (&quads)[kQuads]) {
  __m512i bytes[4];
  load_16(rows, offset, bytes);
  for (int i = 0; i < 4; ++i) {
    quads[i] = low_nibbles(bytes[i]);
    quads[i + 4] = high_nibbles(bytes[i]);
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

  [[gnu::always_inline]] explicit SixBitFactors(const PanelRows& rows) {
    __m512i header[4];
    load_16(rows, 0, header);
    scale = low_halves(header[0]);
    base = _mm512_sub_ps(_mm512_setzero_ps(), high_halves(header[0]));
    const __m512i six = _mm512_set1_epi8(63), two = _mm512_set1_epi8(3 << 4);
    scales[0] = _mm512_and_si512(header[1], six);
    bases[0] = _mm512_and_si512(header[2], six);
    scales[1] = _mm512_or_si512(low_nibbles(header[3]), _mm512_and_si512(_mm512_srli_epi16(header[1], 2), two));
    bases[1] = _mm512_or_si512(high_nibbles(header[3]), _mm512_and_si512(_mm512_srli_epi16(header[2], 2), two));
  }

  template <int span>
  [[gnu::always_inline]] void give(Span<1, true>& target) const {
    target.factors[0] = _mm512_mul_ps(scale, unsigned_byte<span % 4>(scales[span / 4]));
    target.factors[1] = _mm512_mul_ps(base, unsigned_byte<span % 4>(bases[span / 4]));
  }
};

}  // namespace formats

struct Q8_0 {
  static constexpr ggml_type kType = GGML_TYPE_Q8_0;
  static constexpr int64_t kSpans = 1, kBytes = 34;
  static constexpr int kBias = 128;
  using Columns = Span<1, false>;
  [[gnu::always_inline]] static void unpack(const PanelRows& rows, Columns* spans) {
    formats::load_32(rows, 2, spans[0].quads);
    for (__m512i& quad : spans[0].quads) quad = _mm512_xor_si512(quad, _mm512_set1_epi8(-128));
    spans[0].factors[0] = formats::load_half(rows, 0);
  }
};

struct Q4_0 {
  static constexpr ggml_type kType = GGML_TYPE_Q4_0;
  static constexpr int64_t kSpans = 1, kBytes = 18;
  static constexpr int kBias = 8;
  using Columns = Span<1, false>;
  [[gnu::always_inline]] static void unpack(const PanelRows& rows, Columns* spans) {
    formats::split_nibbles(rows, 2, spans[0].quads);
    spans[0].factors[0] = formats::load_half(rows, 0);
  }
};

struct Q4_1 {
  static constexpr ggml_type kType = GGML_TYPE_Q4_1;
  static constexpr int64_t kSpans = 1, kBytes = 20;
  static constexpr int kBias = 0;
  using Columns = Span<1, true>;
  [[gnu::always_inline]] static void unpack(const PanelRows& rows, Columns* spans) {
    formats::split_nibbles(rows, 4, spans[0].quads);
    const __m512i factors = formats::load_4(rows, 0);
    spans[0].factors[0] = formats::low_halves(factors);
    spans[0].factors[1] = formats::high_halves(factors);
  }
};

struct Q5_0 {
  static constexpr ggml_type kType = GGML_TYPE_Q5_0;
  static constexpr int64_t kSpans = 1, kBytes = 22;
  static constexpr int kBias = 16;
  using Columns = Span<1, false>;
  [[gnu::always_inline]] static void unpack(const PanelRows& rows, Columns* spans) {
    formats::split_nibbles(rows, 6, spans[0].quads);
    formats::add_fifth_bits(formats::load_4(rows, 2), spans[0].quads);
    spans[0].factors[0] = formats::load_half(rows, 0);
  }
};

struct Q5_1 {
  static constexpr ggml_type kType = GGML_TYPE_Q5_1;
  static constexpr int64_t kSpans = 1, kBytes = 24;
  static constexpr int kBias = 0;
  using Columns = Span<1, true>;
  [[gnu::always_inline]] static void unpack(const PanelRows& rows, Columns* spans) {
    formats::split_nibbles(rows, 8, spans[0].quads);
    formats::add_fifth_bits(formats::load_4(rows, 4), spans[0].quads);
    const __m512i factors = formats::load_4(rows, 0);
    spans[0].factors[0] = formats::low_halves(factors);
    spans[0].factors[1] = formats::high_halves(factors);
  }
};

struct Iq4Nl {
  static constexpr ggml_type kType = GGML_TYPE_IQ4_NL;
  static constexpr int64_t kSpans = 1, kBytes = 18;
  static constexpr int kBias = 128;
  using Columns = Span<1, false>;
  [[gnu::always_inline]] static void unpack(const PanelRows& rows, Columns* spans) {
    formats::split_nibbles(rows, 2, spans[0].quads);
    formats::look_up<formats::kValuesIq4, kBias>(spans[0].quads);
    spans[0].factors[0] = formats::load_half(rows, 0);
  }
};

struct Mxfp4 {
  static constexpr ggml_type kType = GGML_TYPE_MXFP4;
  static constexpr int64_t kSpans = 1, kBytes = 17;
  static constexpr int kBias = 12;
  using Columns = Span<1, false>;
  [[gnu::always_inline]] static void unpack(const PanelRows& rows, Columns* spans) {
    formats::split_nibbles(rows, 1, spans[0].quads);
    formats::look_up<formats::kValuesFp4, kBias>(spans[0].quads);
    // A power of two, halved because the values are doubled; the two least are subnormal.
    const __m512i exponents = _mm512_and_si512(formats::load_4(rows, 0), _mm512_set1_epi32(255));
    const __m512i normal = _mm512_slli_epi32(_mm512_sub_epi32(exponents, _mm512_set1_epi32(1)), 23);
    const __m512i subnormal = _mm512_sllv_epi32(_mm512_set1_epi32(0x00200000), exponents);
    const __mmask16 least = _mm512_cmplt_epi32_mask(exponents, _mm512_set1_epi32(2));
    spans[0].factors[0] = _mm512_castsi512_ps(_mm512_mask_mov_epi32(normal, least, subnormal));
  }
};

struct Q4K {
  static constexpr ggml_type kType = GGML_TYPE_Q4_K;
  static constexpr int64_t kSpans = 8, kBytes = 144;
  static constexpr int kBias = 0;
  using Columns = Span<1, true>;
  [[gnu::always_inline]] static void unpack(const PanelRows& rows, Columns* spans) {
    const formats::SixBitFactors factors(rows);
    formats::for_each_index<4>([&]<int pair>() __attribute__((always_inline)) {
      __m512i bytes[8];
      formats::load_32(rows, 16 + 32 * pair, bytes);
      for (int quad = 0; quad < kQuads; ++quad) {
        spans[2 * pair].quads[quad] = formats::low_nibbles(bytes[quad]);
        spans[2 * pair + 1].quads[quad] = formats::high_nibbles(bytes[quad]);
      }
      factors.give<2 * pair>(spans[2 * pair]);
      factors.give<2 * pair + 1>(spans[2 * pair + 1]);
    });
  }
};

struct Q5K {
  static constexpr ggml_type kType = GGML_TYPE_Q5_K;
  static constexpr int64_t kSpans = 8, kBytes = 176;
  static constexpr int kBias = 0;
  using Columns = Span<1, true>;
  [[gnu::always_inline]] static void unpack(const PanelRows& rows, Columns* spans) {
    const formats::SixBitFactors factors(rows);
    __m512i fifth[8];
    formats::load_32(rows, 16, fifth);
    formats::for_each_index<4>([&]<int pair>() __attribute__((always_inline)) {
      __m512i bytes[8];
      formats::load_32(rows, 48 + 32 * pair, bytes);
      for (int quad = 0; quad < kQuads; ++quad) {
        spans[2 * pair].quads[quad] =
            _mm512_or_si512(formats::low_nibbles(bytes[quad]), formats::move_bits<2 * pair, 4>(fifth[quad], 16));
        spans[2 * pair + 1].quads[quad] =
            _mm512_or_si512(formats::high_nibbles(bytes[quad]), formats::move_bits<2 * pair + 1, 4>(fifth[quad], 16));
      }
      factors.give<2 * pair>(spans[2 * pair]);
      factors.give<2 * pair + 1>(spans[2 * pair + 1]);
    });
  }
};

struct Q6K {
  static constexpr ggml_type kType = GGML_TYPE_Q6_K;
  static constexpr int64_t kSpans = 8, kBytes = 210;
  static constexpr int kBias = 32;
  using Columns = Span<2, false>;
  [[gnu::always_inline]] static void unpack(const PanelRows& rows, Columns* spans) {
    formats::for_each_index<2>([&]<int half>() __attribute__((always_inline)) {
      __m512i low[2][8], high[8];
      formats::load_32(rows, 64 * half, low[0]);
      formats::load_32(rows, 64 * half + 32, low[1]);
      formats::load_32(rows, 128 + 32 * half, high);
      for (int quad = 0; quad < kQuads; ++quad) {
        Columns* four = spans + 4 * half;
        const __m512i bits = high[quad];
        four[0].quads[quad] = _mm512_or_si512(formats::low_nibbles(low[0][quad]), formats::move_bits<0, 4>(bits, 48));
        four[1].quads[quad] = _mm512_or_si512(formats::low_nibbles(low[1][quad]), formats::move_bits<2, 4>(bits, 48));
        four[2].quads[quad] = _mm512_or_si512(formats::high_nibbles(low[0][quad]), formats::move_bits<4, 4>(bits, 48));
        four[3].quads[quad] = _mm512_or_si512(formats::high_nibbles(low[1][quad]), formats::move_bits<6, 4>(bits, 48));
      }
    });
    __m512i scales[4];
    formats::load_16(rows, 192, scales);
    const __m512 scale = formats::load_half(rows, 208);
    formats::for_each_index<8>([&]<int span>() __attribute__((always_inline)) {
      const __m512i four = scales[span / 2];
      spans[span].factors[0] = _mm512_mul_ps(scale, formats::signed_byte<span % 2 * 2>(four));
      spans[span].factors[1] = _mm512_mul_ps(scale, formats::signed_byte<span % 2 * 2 + 1>(four));
    });
  }
};

struct Iq4Xs {
  static constexpr ggml_type kType = GGML_TYPE_IQ4_XS;
  static constexpr int64_t kSpans = 8, kBytes = 136;
  static constexpr int kBias = 128;
  using Columns = Span<1, false>;
  [[gnu::always_inline]] static void unpack(const PanelRows& rows, Columns* spans) {
    const __m512i header = formats::load_4(rows, 0), low = formats::load_4(rows, 4);
    const __m512 scale = formats::low_halves(header);
    formats::for_each_index<8>([&]<int span>() __attribute__((always_inline)) {
      formats::split_nibbles(rows, 8 + 16 * span, spans[span].quads);
      formats::look_up<formats::kValuesIq4, kBias>(spans[span].quads);
      const __m512i four = _mm512_and_si512(_mm512_srli_epi32(low, 4 * span), _mm512_set1_epi32(15));
      const __m512i two = _mm512_and_si512(_mm512_srli_epi32(header, 16 + 2 * span), _mm512_set1_epi32(3));
      const __m512i six = _mm512_or_si512(four, _mm512_slli_epi32(two, 4));
      const __m512 factor = _mm512_cvtepi32_ps(_mm512_sub_epi32(six, _mm512_set1_epi32(32)));
      spans[span].factors[0] = _mm512_mul_ps(scale, factor);
    });
  }
};

#pragma GCC pop_options
