#pragma once

#include <cstdint>

#include "kernels/panel_products.h"
#include "kernels/weight_formats.h"

// Multiplies unpacked weights with activations: numbers of eight bits, four columns of each row of weights at a time.

#include "kernels/simd_begin.h"

// Some spans of a panel, unpacked. They stay in the first-level cache while all rows are multiplied with them.
template <typename Columns>
struct Tile {
  static constexpr int64_t kSpansMax = 16;
  Columns spans[kSpansMax];
  int64_t first, count;
};

// Adds the exact sum of the products of some columns.
[[gnu::always_inline]] inline Floats add_scaled(Floats total, Words sum, Floats factor,
                                                const ActivationFactors& activation) {
  return multiply_add(to_floats(sum), factor * all(activation.scale), total);
}

// Adds what the base of a span contributes.
template <typename Columns>
[[gnu::always_inline]] inline Floats add_base(Floats total, const Columns& span, const ActivationFactors& activation) {
  if constexpr (!Columns::kHasBase) return total;
  return multiply_add(span.factors[Columns::kScales], all(activation.sum), total);
}

// Adds the products of a span with 32 activations of one row.
template <typename Columns>
[[gnu::always_inline]] inline Floats add_products(Floats total, const Columns& span, const int8_t* bytes,
                                                  const ActivationFactors& activation) {
  const auto* quads = reinterpret_cast<const int32_t*>(bytes);
  constexpr int length = kQuads / Columns::kScales;
#pragma GCC unroll 2
  for (int part = 0; part < Columns::kScales; ++part) {
    const Words sum = sum_products<Columns::kGreatest, length>(span.quads + part * length, quads + part * length,
                                                               activation.corrections[part]);
    total = add_scaled(total, sum, span.factors[part], activation);
  }
  return add_base(total, span, activation);
}

// Adds the products of a span of signed numbers with 32 activations of each of `count` rows, the first of which are at
// `slot`. Each number is prepared once for all rows.
template <int count, typename Columns>
[[gnu::always_inline]] inline void add_signed_span(Floats (&sums)[count], const Columns& span, const Tokens& tokens,
                                                   int64_t slot) {
  static_assert(Columns::kScales == 1 && !Columns::kHasBase);
  Words products[count];
  for (Words& product : products) product = all_words(0);
#pragma GCC unroll 8
  for (int quad = 0; quad < kQuads; ++quad) {
    const auto numbers = prepare_signed(span.quads[quad]);
#pragma GCC unroll 16
    for (int row = 0; row < count; ++row) {
      const int8_t* bytes = tokens.bytes + (slot + row * tokens.spans) * kSpanColumns;
      add_signed_products(products[row], numbers, reinterpret_cast<const int32_t*>(bytes)[quad]);
    }
  }
  for (int row = 0; row < count; ++row) {
    sums[row] = add_scaled(sums[row], products[row], span.factors[0], tokens.factors[slot + row * tokens.spans]);
  }
}

// Adds a tile's products to the results of `count` rows.
template <int count, typename Columns>
[[gnu::noinline]] void add_tile(const Tile<Columns>& tile, const Tokens& tokens) {
  Floats sums[count];
  for (int row = 0; row < count; ++row) {
    sums[row] = tile.first == 0 ? zeros() : load(tokens.rows[row].results + tokens.first_result);
  }
  for (int64_t index = 0; index < tile.count; ++index) {
    if constexpr (kPreparesSigned && Columns::kGreatest > 128) {
      add_signed_span<count>(sums, tile.spans[index], tokens, tile.first + index);
    } else {
#pragma GCC unroll 16
      for (int row = 0; row < count; ++row) {
        const int64_t slot = row * tokens.spans + tile.first + index;
        sums[row] = add_products(sums[row], tile.spans[index], tokens.bytes + slot * kSpanColumns, tokens.factors[slot]);
      }
    }
  }
  for (int row = 0; row < count; ++row) store(tokens.rows[row].results + tokens.first_result, sums[row]);
}

#include "kernels/simd_end.h"
