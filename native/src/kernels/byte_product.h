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

// Adds a tile's products to the results of `count` rows.
template <int count, typename Columns>
[[gnu::noinline]] void add_tile(const Tile<Columns>& tile, const Tokens& tokens) {
  Floats sums[count];
  for (int row = 0; row < count; ++row) {
    sums[row] = tile.first == 0 ? zeros() : load(tokens.rows[row].results + tokens.first_result);
  }
  for (int64_t index = 0; index < tile.count; ++index) {
#pragma GCC unroll 16
    for (int row = 0; row < count; ++row) {
      const int64_t slot = row * tokens.spans + tile.first + index;
      sums[row] = add_products(sums[row], tile.spans[index], tokens.bytes + slot * kSpanColumns, tokens.factors[slot]);
    }
  }
  for (int row = 0; row < count; ++row) store(tokens.rows[row].results + tokens.first_result, sums[row]);
}

#include "kernels/simd_end.h"
