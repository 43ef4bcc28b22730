#pragma once

#include <cstdint>

#include "kernels/vnni_product.h"

// Unpacks panels of weights: into a tile, or into registers where a few rows of activations are multiplied at once.

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma,f16c")

// Prefetches the next panel, which follows this one, a share for each span: prefetches in one burst keep loads waiting.
template <typename Format>
class Ahead {
 public:
  [[gnu::always_inline]] Ahead(const PanelRows& weights, int64_t first_block)
      : next_(weights.first + static_cast<size_t>(kPanelRows) * weights.stride + first_block * kBytes) {}

  // Call for each span of a block.
  [[gnu::always_inline]] void prefetch(int64_t span) const {
    constexpr int64_t kShare = kBytes / Format::kSpans;
    for (int64_t byte = 0; byte < kShare; byte += 64) _mm_prefetch(next_ + span * kShare + byte, _MM_HINT_T1);
  }
  // Call after a block.
  [[gnu::always_inline]] void advance() { next_ += kBytes; }

 private:
  static constexpr int64_t kBytes = kPanelRows * Format::kBytes;
  const uint8_t* next_;
};

template <typename Format>
[[gnu::noinline]] void unpack_tile(const PanelRows& weights, Tile<typename Format::Columns>& tile) {
  const int64_t first_block = tile.first / Format::kSpans;
  Ahead<Format> ahead(weights, first_block);
  PanelRows block{weights.first + first_block * Format::kBytes, weights.stride};
  for (int64_t first = 0; first < tile.count; first += Format::kSpans) {
    Format::unpack(RowPointers(block),
                   [&](int index, const typename Format::Columns& span) __attribute__((always_inline)) {
                     tile.spans[first + index] = span;
                     ahead.prefetch(index);
                   });
    block.first += Format::kBytes;
    ahead.advance();
  }
}

// Whether the spans of a block are multiplied as they are unpacked, in code of their own for each. With many rows it
// would take long to compile. With two scales per span (Q6_K) it is faster in cache and slower from memory, which counts.
template <int count, typename Format>
constexpr bool kSpansStayInRegisters = Format::kSpans == 1 || (count <= 2 && Format::Columns::kScales == 1);

// Multiplies a panel with a few rows while it is unpacked: the CPU does both at the same time.
template <int count, typename Format>
[[gnu::noinline]] void multiply_unpacking(const PanelRows& weights, const Tokens& tokens) {
  using Columns = typename Format::Columns;
  constexpr int64_t kColumns = Format::kSpans * kSpanColumns;
  const int64_t spans = tokens.spans;
  const int8_t *bytes = tokens.bytes, *end = bytes + spans * kSpanColumns;
  const ActivationFactors* factors = tokens.factors;
  Ahead<Format> ahead(weights, 0);
  PanelRows block = weights;
  __m512 sums[count];
  for (__m512& sum : sums) sum = _mm512_setzero_ps();
  for (; bytes < end; bytes += kColumns, factors += Format::kSpans) {
    if constexpr (Format::kSpans == 1) ahead.prefetch(0);
    const auto add = [&](int64_t index, const Columns& span) __attribute__((always_inline)) {
#pragma GCC unroll 16
      for (int row = 0; row < count; ++row) {
        const int64_t slot = row * spans + index;
        sums[row] = add_products(sums[row], span, bytes + slot * kSpanColumns, factors[slot]);
      }
      if constexpr (Format::kSpans > 1) ahead.prefetch(index);
    };
    if constexpr (kSpansStayInRegisters<count, Format>) {
      Format::unpack(RowPointers(block), add);
    } else {
      Columns unpacked[Format::kSpans];
      Format::unpack(RowPointers(block), [&](int index, const Columns& span) __attribute__((always_inline)) {
        unpacked[index] = span;
      });
#pragma GCC unroll 1
      for (int64_t index = 0; index < Format::kSpans; ++index) add(index, unpacked[index]);
    }
    block.first += Format::kBytes;
    ahead.advance();
  }
  for (int row = 0; row < count; ++row) _mm512_storeu_ps(tokens.rows[row].results + tokens.first_result, sums[row]);
}

#pragma GCC pop_options
