#pragma once

#include <cstdint>

#include "kernels/matrix_products.h"
#include "kernels/weight_formats.h"

// Multiplies unpacked weights with activations by AVX-512 VNNI: one instruction multiplies four columns of sixteen
// rows.

// Thirty-two activations of a row, rounded to bytes: what the products with them need.
struct ActivationFactors {
  float scale;
  float sum;               // Of the activations; multiplied by the base of the weights.
  int32_t corrections[2];  // For the bias of the weights, of each half or of both together.
};

// Some rows of activations, as bytes.
struct Tokens {
  const int8_t* bytes;
  const ActivationFactors* factors;
  int64_t spans;
  const MatrixProducts::Row* rows;
  int64_t first_result;

  Tokens from(int64_t row) const {
    return {bytes + row * spans * kSpanColumns, factors + row * spans, spans, rows + row, first_result};
  }
};

// Some spans of a panel, unpacked. They stay in the first-level cache while all rows are multiplied with them.
template <typename Columns>
struct Tile {
  static constexpr int64_t kSpansMax = 16;
  Columns spans[kSpansMax];
  int64_t first, count;
};

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma,f16c")

// Adds the exact sum of the products of some columns.
[[gnu::always_inline]] inline __m512 add_scaled(__m512 total, __m512i sum, __m512 factor,
                                                const ActivationFactors& activation) {
  const __m512 scale = _mm512_mul_ps(factor, _mm512_set1_ps(activation.scale));
  return _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), scale, total);
}

// Adds what the base of a span contributes.
template <typename Columns>
[[gnu::always_inline]] inline __m512 add_base(__m512 total, const Columns& span, const ActivationFactors& activation) {
  if constexpr (!Columns::kHasBase) return total;
  return _mm512_fmadd_ps(span.factors[Columns::kScales], _mm512_set1_ps(activation.sum), total);
}

// Adds the products of a span with 32 activations of one row.
template <typename Columns>
[[gnu::always_inline]] inline __m512 add_products(__m512 total, const Columns& span, const int8_t* bytes,
                                                  const ActivationFactors& activation) {
  const auto* quads = reinterpret_cast<const int32_t*>(bytes);
  constexpr int length = kQuads / Columns::kScales;
#pragma GCC unroll 2
  for (int part = 0; part < Columns::kScales; ++part) {
    // Two sums, because each instruction waits for the previous one of its sum.
    __m512i sum = _mm512_set1_epi32(activation.corrections[part]), other = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (int quad = part * length; quad < (part + 1) * length; quad += 2) {
      sum = _mm512_dpbusd_epi32(sum, span.quads[quad], _mm512_set1_epi32(quads[quad]));
      other = _mm512_dpbusd_epi32(other, span.quads[quad + 1], _mm512_set1_epi32(quads[quad + 1]));
    }
    total = add_scaled(total, _mm512_add_epi32(sum, other), span.factors[part], activation);
  }
  return add_base(total, span, activation);
}

// Adds a tile's products to the results of `count` rows.
template <int count, typename Columns>
[[gnu::noinline]] void add_tile(const Tile<Columns>& tile, const Tokens& tokens) {
  __m512 sums[count];
  for (int row = 0; row < count; ++row) {
    sums[row] = tile.first == 0 ? _mm512_setzero_ps() : _mm512_loadu_ps(tokens.rows[row].results + tokens.first_result);
  }
  for (int64_t index = 0; index < tile.count; ++index) {
#pragma GCC unroll 16
    for (int row = 0; row < count; ++row) {
      const int64_t slot = row * tokens.spans + tile.first + index;
      sums[row] = add_products(sums[row], tile.spans[index], tokens.bytes + slot * kSpanColumns, tokens.factors[slot]);
    }
  }
  for (int row = 0; row < count; ++row) _mm512_storeu_ps(tokens.rows[row].results + tokens.first_result, sums[row]);
}

#pragma GCC pop_options
