#pragma once

#include <cstdint>

#include "ggml.h"
#include "kernels/weight_spans.h"

// The formats of quantised weights, as ggml stores them, and how interleaved rows of each are unpacked into registers.
// Every value is scale × (number − bias) + base: a number of at most eight bits, a scale of 16 or 32 columns, a bias of
// the format and, in some formats, a base of 32 columns. `unpack` unpacks a block and calls use(index, span) for each
// of its spans. Source: ggml/src/ggml-common.h and ggml-quants.c.

#include "kernels/simd_begin.h"

struct Q8_0 {
  static constexpr ggml_type kType = GGML_TYPE_Q8_0;
  static constexpr int64_t kSpans = 1;
  static constexpr BlockShape kShape{34, 2, 0};
  static constexpr int kBias = kBiasOfSigned;
  using Columns = Span<1, false, 255>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    Columns span;
    for (int quad = 0; quad < kQuads; ++quad) {
      span.quads[quad] = block.word(quad) ^ all_bytes(kBiasOfSigned);
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
  using Columns = Span<1, false, 15>;
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
  using Columns = Span<1, true, 15>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    Columns span;
    formats::split_nibbles(block, 1, span.quads);
    const Words factors = block.word(0);
    span.factors[0] = low_halves(factors);
    span.factors[1] = formats::high_halves(factors);
    use(0, span);
  }
};

struct Q5_0 {
  static constexpr ggml_type kType = GGML_TYPE_Q5_0;
  static constexpr int64_t kSpans = 1;
  static constexpr BlockShape kShape{22, 2, 0};
  static constexpr int kBias = 16;
  using Columns = Span<1, false, 31>;
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
  using Columns = Span<1, true, 31>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    Columns span;
    formats::split_nibbles(block, 2, span.quads);
    formats::add_fifth_bits(block.word(1), span.quads);
    const Words factors = block.word(0);
    span.factors[0] = low_halves(factors);
    span.factors[1] = formats::high_halves(factors);
    use(0, span);
  }
};

struct Iq4Nl {
  static constexpr ggml_type kType = GGML_TYPE_IQ4_NL;
  static constexpr int64_t kSpans = 1;
  static constexpr BlockShape kShape{18, 2, 0};
  static constexpr int kBias = kBiasOfSigned;
  using Columns = Span<1, false, 255>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    Columns span;
    formats::split_nibbles(block, 0, span.quads);
    formats::look_up_all<formats::kValuesIq4, kBias>(span.quads);
    span.factors[0] = block.half();
    use(0, span);
  }
};

struct Mxfp4 {
  static constexpr ggml_type kType = GGML_TYPE_MXFP4;
  static constexpr int64_t kSpans = 1;
  static constexpr BlockShape kShape{17, 1, 0};
  static constexpr int kBias = 12;
  using Columns = Span<1, false, 24>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    Columns span;
    formats::split_nibbles(block, 0, span.quads);
    formats::look_up_all<formats::kValuesFp4, kBias>(span.quads);
    // A power of two, halved because the values are doubled; the two least are subnormal.
    const Words exponents = block.byte();
    const Words normal = left<23>(add_words(exponents, all_words(-1)));
    const Words subnormal = left_by(all_words(0x00200000), exponents);
    span.factors[0] = as_floats(if_below(exponents, 2, subnormal, normal));
    use(0, span);
  }
};

struct Q4K {
  static constexpr ggml_type kType = GGML_TYPE_Q4_K;
  static constexpr int64_t kSpans = 8;
  static constexpr BlockShape kShape{144, 0, 0};
  static constexpr int kBias = 0;
  using Columns = Span<1, true, 15>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    const formats::SixBitFactors factors(block);
    formats::for_each_index<4>([&]<int pair>() __attribute__((always_inline)) {
      Columns low, high;
      for (int quad = 0; quad < kQuads; ++quad) {
        const Words bytes = block.word(4 + kQuads * pair + quad);
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
  using Columns = Span<1, true, 31>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    const formats::SixBitFactors factors(block);
    formats::for_each_index<4>([&]<int pair>() __attribute__((always_inline)) {
      Columns low, high;
      for (int quad = 0; quad < kQuads; ++quad) {
        const Words fifth = block.word(4 + quad), bytes = block.word(12 + kQuads * pair + quad);
        low.quads[quad] = formats::low_nibbles(bytes) | formats::move_bits<2 * pair, 4>(fifth, 16);
        high.quads[quad] = formats::high_nibbles(bytes) | formats::move_bits<2 * pair + 1, 4>(fifth, 16);
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
  using Columns = Span<2, false, 63>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    const Floats scale = block.half();
    formats::for_each_index<2>([&]<int half>() __attribute__((always_inline)) {
      formats::for_each_index<4>([&]<int part>() __attribute__((always_inline)) {
        Columns columns;
        for (int quad = 0; quad < kQuads; ++quad) {
          const Words bytes = block.word(16 * half + kQuads * (part % 2) + quad);
          const Words high = block.word(32 + kQuads * half + quad);
          const Words four = part < 2 ? formats::low_nibbles(bytes) : formats::high_nibbles(bytes);
          columns.quads[quad] = four | formats::move_bits<2 * part, 4>(high, 48);
        }
        constexpr int kSpan = 4 * half + part;
        const Words of_two = block.word(48 + kSpan / 2);
        columns.factors[0] = scale * formats::signed_byte<kSpan % 2 * 2>(of_two);
        columns.factors[1] = scale * formats::signed_byte<kSpan % 2 * 2 + 1>(of_two);
        use(kSpan, columns);
      });
    });
  }
};

struct Iq4Xs {
  static constexpr ggml_type kType = GGML_TYPE_IQ4_XS;
  static constexpr int64_t kSpans = 8;
  static constexpr BlockShape kShape{136, 0, 0};
  static constexpr int kBias = kBiasOfSigned;
  using Columns = Span<1, false, 255>;
  template <typename Use>
  [[gnu::always_inline]] static void unpack(const PanelBlock& block, const Use& use) {
    const Words header = block.word(0), low = block.word(1);
    const Floats scale = low_halves(header);
    formats::for_each_index<8>([&]<int span>() __attribute__((always_inline)) {
      Columns columns;
      formats::split_nibbles(block, 2 + 4 * span, columns.quads);
      formats::look_up_all<formats::kValuesIq4, kBias>(columns.quads);
      const Words four = right<4 * span>(low) & all_words(15);
      const Words two = right<16 + 2 * span>(header) & all_words(3);
      const Floats factor = to_floats(add_words(four | left<4>(two), all_words(-32)));
      columns.factors[0] = scale * factor;
      use(span, columns);
    });
  }
};

#include "kernels/simd_end.h"
