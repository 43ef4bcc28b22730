#pragma once

#include "kernels/amx.h"
#include "kernels/byte_product.h"

// The product of byte_product.h on AMX: the tile registers compute the same sums of bytes from the same unpacked
// weights, and the same instructions scale and add them, so that the results have the same bits.

#include "kernels/simd_begin.h"

// The depth of a product: each scale needs a sum of its own.
template <typename Columns>
constexpr int kAmxDepth = kSpanColumns / Columns::kScales;

// Exact sums of a span, for `count` rows.
template <int count, typename Columns>
using SpanSums = int32_t[Columns::kScales][count][kPanelRows];

template <int turn, int count, typename Columns>
[[gnu::always_inline]] inline void sum_span(const Columns& span, const Tokens& tokens, int64_t slot,
                                            SpanSums<count, Columns>& sums) {
  const int8_t* bytes = tokens.bytes + slot * kSpanColumns;
  const auto stride = static_cast<size_t>(tokens.spans * kSpanColumns);
  amx::Shapes::multiply<count, turn>(bytes, stride, span.quads, sums[0]);
  if constexpr (Columns::kScales == 2) {
    amx::Shapes::multiply<count, 1 - turn>(bytes + kSpanColumns / 2, stride, span.quads + kQuads / 2, sums[1]);
  }
}

template <int count, typename Columns>
[[gnu::always_inline]] inline void add_span(__m512 (&totals)[count], const Columns& span, const Tokens& tokens,
                                            int64_t slot, const SpanSums<count, Columns>& sums) {
#pragma GCC unroll 16
  for (int row = 0; row < count; ++row) {
    const ActivationFactors& activation = tokens.factors[row * tokens.spans + slot];
#pragma GCC unroll 2
    for (int part = 0; part < Columns::kScales; ++part) {
      __m512i sum = _mm512_load_si512(sums[part][row]);
      // Formats with a base have no bias.
      if constexpr (!Columns::kHasBase) sum = _mm512_add_epi32(sum, _mm512_set1_epi32(activation.corrections[part]));
      totals[row] = add_scaled(totals[row], sum, span.factors[part], activation);
    }
    totals[row] = add_base(totals[row], span, activation);
  }
}

// Adds a tile's products to the results of `count` rows, 8 or 16. The thread's registers must have shapes of the depth.
template <int count, typename Columns>
[[gnu::noinline]] void add_tile_by_amx(const Tile<Columns>& tile, const Tokens& tokens) {
  constexpr int64_t kAhead = 2, kSlots = kAhead + 1;  // Spans between a sum and its use, to hide its latency.
  alignas(64) SpanSums<count, Columns> sums[kSlots];
  __m512 totals[count];
#pragma GCC unroll 16
  for (int row = 0; row < count; ++row) {
    totals[row] =
        tile.first == 0 ? _mm512_setzero_ps() : _mm512_loadu_ps(tokens.rows[row].results + tokens.first_result);
  }
  for (int64_t next = 0; next < tile.count + kAhead; ++next) {
    if (next < tile.count) {
      auto& of_next = sums[next % kSlots];
      if (next % 2 == 0) {
        sum_span<0, count>(tile.spans[next], tokens, tile.first + next, of_next);
      } else {
        sum_span<1, count>(tile.spans[next], tokens, tile.first + next, of_next);
      }
    }
    const int64_t index = next - kAhead;
    if (index >= 0) add_span<count>(totals, tile.spans[index], tokens, tile.first + index, sums[index % kSlots]);
  }
#pragma GCC unroll 16
  for (int row = 0; row < count; ++row) _mm512_storeu_ps(tokens.rows[row].results + tokens.first_result, totals[row]);
}

#include "kernels/simd_end.h"
