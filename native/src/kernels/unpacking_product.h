#pragma once

#include <cstdint>

#include "kernels/byte_product.h"

// Unpacks panels of weights: into a tile, or into registers where a few rows of activations are multiplied at once.

#include "kernels/simd_begin.h"

// Prefetches what follows in memory, a share for each span: prefetches in one burst keep loads waiting.
template <typename Format>
[[gnu::always_inline]] inline void prefetch_ahead(const PanelBlock& block, int64_t span) {
  constexpr int64_t kAhead = 6144, kShare = Format::kShape.stride() / Format::kSpans;
  const uint8_t* next = block.at(kAhead + span * kShare);
  for (int64_t byte = 0; byte < kShare; byte += BlockShape::kLine) _mm_prefetch(next + byte, _MM_HINT_T1);
}

template <typename Format>
[[gnu::noinline]] void unpack_tile(const uint8_t* panel, int64_t first_row, Tile<typename Format::Columns>& tile) {
  PanelBlock block(Format::kShape, panel, first_row, tile.first / Format::kSpans);
  for (int64_t first = 0; first < tile.count; first += Format::kSpans) {
    Format::unpack(
        block, [&](int index, const typename Format::Columns& span) __attribute__((always_inline)) {
          tile.spans[first + index] = span;
          prefetch_ahead<Format>(block, index);
        });
    block.advance(Format::kShape);
  }
}

// Whether the spans of a block are multiplied as they are unpacked, in code of their own for each. With many rows it
// would take long to compile. With two scales per span (Q6_K) it is faster in cache and slower from memory, which
// counts.
template <int count, typename Format>
constexpr bool kSpansStayInRegisters = Format::kSpans == 1 || (count <= 2 && Format::Columns::kScales == 1);

// Multiplies `vectors` vectors of rows of a panel, from `first_row` on, with a few rows of activations while they are
// unpacked: the CPU does both at the same time, and reads memory at an even pace.
template <int count, int vectors, typename Format>
[[gnu::noinline]] void multiply_unpacking(const uint8_t* panel, int64_t first_row, const Tokens& tokens) {
  using Columns = typename Format::Columns;
  constexpr int64_t kColumns = Format::kSpans * kSpanColumns;
  const int64_t spans = tokens.spans;
  const int8_t *bytes = tokens.bytes, *end = bytes + spans * kSpanColumns;
  const ActivationFactors* factors = tokens.factors;
  PanelBlock block(Format::kShape, panel, first_row, 0);
  Floats sums[vectors][count];
  for (auto& of_vector : sums) {
    for (Floats& sum : of_vector) sum = zeros();
  }
  for (; bytes < end; bytes += kColumns, factors += Format::kSpans) {
    if constexpr (Format::kSpans == 1) prefetch_ahead<Format>(block, 0);
#pragma GCC unroll 2
    for (int vector = 0; vector < vectors; ++vector) {
      const PanelBlock part = block.from_row(Format::kShape, vector * kWidth);
      const auto add = [&](int64_t index, const Columns& span) __attribute__((always_inline)) {
#pragma GCC unroll 16
        for (int row = 0; row < count; ++row) {
          const int64_t slot = row * spans + index;
          sums[vector][row] = add_products(sums[vector][row], span, bytes + slot * kSpanColumns, factors[slot]);
        }
        if constexpr (Format::kSpans > 1) {
          if (vector == 0) prefetch_ahead<Format>(block, index);
        }
      };
      if constexpr (kSpansStayInRegisters<count, Format>) {
        Format::unpack(part, add);
      } else {
        Columns unpacked[Format::kSpans];
        Format::unpack(
            part, [&](int index, const Columns& span) __attribute__((always_inline)) { unpacked[index] = span; });
#pragma GCC unroll 1
        for (int64_t index = 0; index < Format::kSpans; ++index) add(index, unpacked[index]);
      }
    }
    block.advance(Format::kShape);
  }
  for (int vector = 0; vector < vectors; ++vector) {
    for (int row = 0; row < count; ++row) {
      store(tokens.rows[row].results + tokens.first_result + vector * kWidth, sums[vector][row]);
    }
  }
}

#include "kernels/simd_end.h"
