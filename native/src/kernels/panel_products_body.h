#pragma once

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>

#include "kernels/panel_products.h"
#include "kernels/unpacking_product.h"
#ifndef KERNELS_ON_AVX2
#include "kernels/amx_product.h"
#endif

// Defines `kPanelProducts` of one instruction set.

#include "kernels/simd_begin.h"

namespace {

// Adds the products of so many rows. Those of 16 or 8 keep the tile registers of AMX busy; fewer are faster on VNNI.
template <int count, typename Columns>
void add_block(const Tile<Columns>& tile, const Tokens& tokens, [[maybe_unused]] bool uses_amx) {
#ifndef KERNELS_ON_AVX2
  if constexpr (count >= 8) {
    if (uses_amx) return add_tile_by_amx<count>(tile, tokens);
  }
#endif
  add_tile<count>(tile, tokens);
}

// Of the rows from `done` on: blocks of `most`, then the rest in blocks of half as many, and so on.
template <int most, typename Columns>
void add_tile_to_all(const Tile<Columns>& tile, const Tokens& tokens, int64_t done, int64_t count, bool uses_amx) {
  for (; count - done >= most; done += most) add_block<most>(tile, tokens.from(done), uses_amx);
  if constexpr (most > 1) add_tile_to_all<most / 2>(tile, tokens, done, count, uses_amx);
}

// Up to so many rows, weights are unpacked for every eight of them, next to their products. Above, they are unpacked once,
// into a tile, where that is faster: it was measured with 12 to 128 rows (docs/decisions/2026-11-23-matrix-product-kernels.md).
template <typename Format>
#ifdef KERNELS_ON_AVX2
constexpr int64_t kUnpackingRowsMax = Format::kSpans == 1 ? 47 : 15;
#else
constexpr int64_t kUnpackingRowsMax = Format::kSpans == 1 ? std::numeric_limits<int64_t>::max() : 23;
#endif

// Multiplies `kWidth` rows of a panel, from `first_row` on, with as many rows of activations as are left: at most `most`.
template <int most, typename Format>
void multiply_rest(const uint8_t* panel, int64_t first_row, const Tokens& tokens, int64_t count) {
  if (count == most) return multiply_unpacking<most, 1, Format>(panel, first_row, tokens);
  if constexpr (most > 1) multiply_rest<most - 1, Format>(panel, first_row, tokens, count);
}

// Multiplies `kWidth` rows of a panel, from `first_row` on.
template <typename Format>
void multiply_rows(const uint8_t* panel, int64_t first_row, const Tokens& tokens, int64_t count, bool uses_amx) {
  static_assert(!Format::Columns::kHasBase || Format::kBias == 0);
  constexpr int kPass = 8;
  if (count <= (uses_amx ? kPass : kUnpackingRowsMax<Format>)) {
    int64_t done = 0;
    for (; count - done >= kPass; done += kPass) {
      multiply_unpacking<kPass, 1, Format>(panel, first_row, tokens.from(done));
    }
    return multiply_rest<kPass - 1, Format>(panel, first_row, tokens.from(done), count - done);
  }
  Tile<typename Format::Columns> tile;
  for (tile.first = 0; tile.first < tokens.spans; tile.first += tile.kSpansMax) {
    tile.count = std::min(tile.kSpansMax, tokens.spans - tile.first);
    unpack_tile<Format>(panel, first_row, tile);
    add_tile_to_all<kRowsAtOnce>(tile, tokens, 0, count, uses_amx);
  }
}

template <typename Format>
void multiply_panel(const uint8_t* panel, const Tokens& tokens, int64_t count, bool uses_amx) {
  constexpr int kVectors = kPanelRows / kWidth;
  if (count == 1) return multiply_unpacking<1, kVectors, Format>(panel, 0, tokens);
  if (count == 2) return multiply_unpacking<2, kVectors, Format>(panel, 0, tokens);
  Tokens part = tokens;
  for (int64_t row = 0; row < kPanelRows; row += kWidth, part.first_result += kWidth) {
    multiply_rows<Format>(panel, row, part, count, uses_amx);
  }
}

ActivationFactors quantise_span(const float* values, int8_t* bytes, int bias, int parts) {
  constexpr int kVectors = kSpanColumns / kWidth;
  Floats vectors[kVectors], greatest_lanes = zeros();
  bool numbers = true;
  for (int index = 0; index < kVectors; ++index) {
    vectors[index] = load(values + index * kWidth);
    greatest_lanes = greater(greatest_lanes, magnitudes(vectors[index]));
    numbers &= !have_nan(vectors[index]);
  }
  const float greatest = greatest_of(greatest_lanes);
  const Floats factor = all(greatest != 0.0f ? 127.0f / greatest : 0.0f);
  int sums[2] = {0, 0};
  for (int index = 0; index < kVectors; ++index) {
    sums[index / (kVectors / 2)] += sum_of(store_bytes(bytes + index * kWidth, vectors[index] * factor));
  }
  // A non-finite value cannot be the greatest magnitude or a byte; the scale reports it.
  const float exact = numbers ? greatest / 127.0f : std::numeric_limits<float>::quiet_NaN();
  const float scale = _cvtsh_ss(_cvtss_sh(exact, _MM_FROUND_TO_NEAREST_INT));
  const int sum = sums[0] + sums[1];
  return {scale, scale * static_cast<float>(sum), {-bias * (parts == 1 ? sum : sums[0]), -bias * sums[1]}};
}

template <typename Format>
constexpr PanelFormat format_of() {
  return {Format::kType, Format::kBias, Format::Columns::kScales, Format::kShape, multiply_panel<Format>};
}

constexpr PanelFormat kFormats[] = {format_of<Q4_0>(),  format_of<Q4_1>(),  format_of<Q5_0>(), format_of<Q5_1>(),
                                    format_of<Q8_0>(),  format_of<Q4K>(),   format_of<Q5K>(),  format_of<Q6K>(),
                                    format_of<Iq4Nl>(), format_of<Iq4Xs>(), format_of<Mxfp4>()};

constexpr PanelProducts kPanelProducts{std::begin(kFormats), std::end(kFormats), quantise_span};

}  // namespace

#include "kernels/simd_end.h"
