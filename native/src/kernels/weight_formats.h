#pragma once

#include <cstdint>

#include "ggml.h"
#include "kernels/weight_spans.h"

// The formats of quantised weights, as ggml stores them, and how interleaved rows of each are unpacked into registers.
// Every value is scale × (number − bias) + base: a number of at most eight bits, a scale of 16 or 32 columns, a bias of
// the format and, in some formats, a base of 32 columns. `unpack` unpacks a block and calls use(index, span) for each
// of its spans. Source: ggml/src/ggml-common.h and ggml-quants.c.

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma,f16c")

struct Q8_0 {
  static constexpr ggml_type kType = GGML_TYPE_Q8_0;
  static constexpr int64_t kSpans = 1;
  static constexpr BlockShape kShape{34, 2, 0};
  static constexpr int kBias = 128;
  using Columns = Span<1, false>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    Columns span;
    for (int quad = 0; quad < kQuads; ++quad) {
      span.quads[quad] = _mm512_xor_si512(block.word(quad), _mm512_set1_epi8(-128));
    }
    span.factors[0] = block.half();
    use(0, span);
  }
};

struct Q4_0 {
  static constexpr ggml_type kType = GGML_TYPE_Q4_0;
  static constexpr int64_t kSpans = 1;
  static constexpr BlockShape kShape{18, 2, 0};
  static constexpr int kBias = 8;
  using Columns = Span<1, false>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    Columns span;
    formats::split_nibbles(block, 0, span.quads);
    span.factors[0] = block.half();
    use(0, span);
  }
};

struct Q4_1 {
  static constexpr ggml_type kType = GGML_TYPE_Q4_1;
  static constexpr int64_t kSpans = 1;
  static constexpr BlockShape kShape{20, 0, 0};
  static constexpr int kBias = 0;
  using Columns = Span<1, true>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    Columns span;
    formats::split_nibbles(block, 1, span.quads);
    const __m512i factors = block.word(0);
    span.factors[0] = formats::low_halves(factors);
    span.factors[1] = formats::high_halves(factors);
    use(0, span);
  }
};

struct Q5_0 {
  static constexpr ggml_type kType = GGML_TYPE_Q5_0;
  static constexpr int64_t kSpans = 1;
  static constexpr BlockShape kShape{22, 2, 0};
  static constexpr int kBias = 16;
  using Columns = Span<1, false>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    Columns span;
    formats::split_nibbles(block, 1, span.quads);
    formats::add_fifth_bits(block.word(0), span.quads);
    span.factors[0] = block.half();
    use(0, span);
  }
};

struct Q5_1 {
  static constexpr ggml_type kType = GGML_TYPE_Q5_1;
  static constexpr int64_t kSpans = 1;
  static constexpr BlockShape kShape{24, 0, 0};
  static constexpr int kBias = 0;
  using Columns = Span<1, true>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    Columns span;
    formats::split_nibbles(block, 2, span.quads);
    formats::add_fifth_bits(block.word(1), span.quads);
    const __m512i factors = block.word(0);
    span.factors[0] = formats::low_halves(factors);
    span.factors[1] = formats::high_halves(factors);
    use(0, span);
  }
};

struct Iq4Nl {
  static constexpr ggml_type kType = GGML_TYPE_IQ4_NL;
  static constexpr int64_t kSpans = 1;
  static constexpr BlockShape kShape{18, 2, 0};
  static constexpr int kBias = 128;
  using Columns = Span<1, false>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    Columns span;
    formats::split_nibbles(block, 0, span.quads);
    formats::look_up<formats::kValuesIq4, kBias>(span.quads);
    span.factors[0] = block.half();
    use(0, span);
  }
};

struct Mxfp4 {
  static constexpr ggml_type kType = GGML_TYPE_MXFP4;
  static constexpr int64_t kSpans = 1;
  static constexpr BlockShape kShape{17, 1, 0};
  static constexpr int kBias = 12;
  using Columns = Span<1, false>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    Columns span;
    formats::split_nibbles(block, 0, span.quads);
    formats::look_up<formats::kValuesFp4, kBias>(span.quads);
    // A power of two, halved because the values are doubled; the two least are subnormal.
    const __m512i exponents = block.byte();
    const __m512i normal = _mm512_slli_epi32(_mm512_sub_epi32(exponents, _mm512_set1_epi32(1)), 23);
    const __m512i subnormal = _mm512_sllv_epi32(_mm512_set1_epi32(0x00200000), exponents);
    const __mmask16 least = _mm512_cmplt_epi32_mask(exponents, _mm512_set1_epi32(2));
    span.factors[0] = _mm512_castsi512_ps(_mm512_mask_mov_epi32(normal, least, subnormal));
    use(0, span);
  }
};

struct Q4K {
  static constexpr ggml_type kType = GGML_TYPE_Q4_K;
  static constexpr int64_t kSpans = 8;
  static constexpr BlockShape kShape{144, 0, 0};
  static constexpr int kBias = 0;
  using Columns = Span<1, true>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    const formats::SixBitFactors factors(block);
    formats::for_each_index<4>([&]<int pair>() __attribute__((always_inline)) {
      Columns low, high;
      for (int quad = 0; quad < kQuads; ++quad) {
        const __m512i bytes = block.word(4 + kQuads * pair + quad);
        low.quads[quad] = formats::low_nibbles(bytes);
        high.quads[quad] = formats::high_nibbles(bytes);
      }
      factors.give<2 * pair>(low);
      use(2 * pair, low);
      factors.give<2 * pair + 1>(high);
      use(2 * pair + 1, high);
    });
  }
};

struct Q5K {
  static constexpr ggml_type kType = GGML_TYPE_Q5_K;
  static constexpr int64_t kSpans = 8;
  static constexpr BlockShape kShape{176, 0, 0};
  static constexpr int kBias = 0;
  using Columns = Span<1, true>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    const formats::SixBitFactors factors(block);
    formats::for_each_index<4>([&]<int pair>() __attribute__((always_inline)) {
      Columns low, high;
      for (int quad = 0; quad < kQuads; ++quad) {
        const __m512i fifth = block.word(4 + quad), bytes = block.word(12 + kQuads * pair + quad);
        low.quads[quad] = _mm512_or_si512(formats::low_nibbles(bytes), formats::move_bits<2 * pair, 4>(fifth, 16));
        high.quads[quad] =
            _mm512_or_si512(formats::high_nibbles(bytes), formats::move_bits<2 * pair + 1, 4>(fifth, 16));
      }
      factors.give<2 * pair>(low);
      use(2 * pair, low);
      factors.give<2 * pair + 1>(high);
      use(2 * pair + 1, high);
    });
  }
};

struct Q6K {
  static constexpr ggml_type kType = GGML_TYPE_Q6_K;
  static constexpr int64_t kSpans = 8;
  static constexpr BlockShape kShape{210, 2, 208};
  static constexpr int kBias = 32;
  using Columns = Span<2, false>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    const __m512 scale = block.half();
    formats::for_each_index<2>([&]<int half>() __attribute__((always_inline)) {
      formats::for_each_index<4>([&]<int part>() __attribute__((always_inline)) {
        Columns columns;
        for (int quad = 0; quad < kQuads; ++quad) {
          const __m512i bytes = block.word(16 * half + kQuads * (part % 2) + quad);
          const __m512i high = block.word(32 + kQuads * half + quad);
          const __m512i four = part < 2 ? formats::low_nibbles(bytes) : formats::high_nibbles(bytes);
          columns.quads[quad] = _mm512_or_si512(four, formats::move_bits<2 * part, 4>(high, 48));
        }
        constexpr int kSpan = 4 * half + part;
        const __m512i of_two = block.word(48 + kSpan / 2);
        columns.factors[0] = _mm512_mul_ps(scale, formats::signed_byte<kSpan % 2 * 2>(of_two));
        columns.factors[1] = _mm512_mul_ps(scale, formats::signed_byte<kSpan % 2 * 2 + 1>(of_two));
        use(kSpan, columns);
      });
    });
  }
};

struct Iq4Xs {
  static constexpr ggml_type kType = GGML_TYPE_IQ4_XS;
  static constexpr int64_t kSpans = 8;
  static constexpr BlockShape kShape{136, 0, 0};
  static constexpr int kBias = 128;
  using Columns = Span<1, false>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    const __m512i header = block.word(0), low = block.word(1);
    const __m512 scale = formats::low_halves(header);
    formats::for_each_index<8>([&]<int span>() __attribute__((always_inline)) {
      Columns columns;
      formats::split_nibbles(block, 2 + 4 * span, columns.quads);
      formats::look_up<formats::kValuesIq4, kBias>(columns.quads);
      const __m512i four = _mm512_and_si512(_mm512_srli_epi32(low, 4 * span), _mm512_set1_epi32(15));
      const __m512i two = _mm512_and_si512(_mm512_srli_epi32(header, 16 + 2 * span), _mm512_set1_epi32(3));
      const __m512i six = _mm512_or_si512(four, _mm512_slli_epi32(two, 4));
      const __m512 factor = _mm512_cvtepi32_ps(_mm512_sub_epi32(six, _mm512_set1_epi32(32)));
      columns.factors[0] = _mm512_mul_ps(scale, factor);
      use(span, columns);
    });
  }
};

#pragma GCC pop_options
