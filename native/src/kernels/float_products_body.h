#pragma once

#include <cstring>

#include "kernels/float_products.h"
#include "kernels/simd.h"

// Defines `kFloatProducts` of one instruction set.

#include "kernels/simd_begin.h"

namespace {

constexpr int64_t kTokensAtOnce = kWidth / kWeightRowsAtOnce;  // As many sums as a vector has lanes.

struct F32 {
  static constexpr int64_t kBytes = 4;
  [[gnu::always_inline]] static Floats unpack(const uint8_t* from) {
    return load(reinterpret_cast<const float*>(from));
  }
};

struct F16 {
  static constexpr int64_t kBytes = 2;
  [[gnu::always_inline]] static Floats unpack(const uint8_t* from) { return load_halves(from); }
};

struct Bf16 {
  static constexpr int64_t kBytes = 2;
  [[gnu::always_inline]] static Floats unpack(const uint8_t* from) { return as_floats(left<16>(load_pairs(from))); }
};

// The first `count` numbers of a vector, then zeros.
template <typename Format>
[[gnu::always_inline]] inline Floats unpack_some(const uint8_t* from, int64_t count) {
  uint8_t padded[kWidth * Format::kBytes]{};
  std::memcpy(padded, from, static_cast<size_t>(count * Format::kBytes));
  return Format::unpack(padded);
}

// Adds the products of a vector of columns: of all, or of the first `count`.
template <typename Format, int rows, int tokens, typename... Count>
[[gnu::always_inline]] inline void add_columns(Floats (&sums)[rows][tokens], const FloatRows& block, int64_t column,
                                               Count... count) {
  const auto unpack = [&]<typename Type>(const uint8_t* from) __attribute__((always_inline)) {
    if constexpr (sizeof...(count) == 0) {
      return Type::unpack(from);
    } else {
      return unpack_some<Type>(from, count...);
    }
  };
  Floats activations[tokens];
#pragma GCC unroll 4
  for (int token = 0; token < tokens; ++token) {
    const auto* first = reinterpret_cast<const uint8_t*>(block.rows[token].activations + column);
    activations[token] = unpack.template operator()<F32>(first);
  }
#pragma GCC unroll 4
  for (int row = 0; row < rows; ++row) {
    const uint8_t* first = block.weights + row * block.stride + column * Format::kBytes;
    const Floats weights = unpack.template operator()<Format>(first);
#pragma GCC unroll 4
    for (int token = 0; token < tokens; ++token) {
      sums[row][token] = multiply_add(weights, activations[token], sums[row][token]);
    }
  }
}

template <typename Format, int rows, int tokens>
[[gnu::noinline]] void multiply_floats(const FloatRows& block) {
  Floats sums[rows][tokens];
  for (auto& row : sums) {
    for (Floats& sum : row) sum = zeros();
  }
  const int64_t whole = block.columns / kWidth * kWidth;
  for (int64_t column = 0; column < whole; column += kWidth) {
    // The next rows follow these ones.
    for (int row = 0; row < rows; ++row) {
      _mm_prefetch(block.weights + (rows + row) * block.stride + column * Format::kBytes, _MM_HINT_T0);
    }
    add_columns<Format>(sums, block, column);
  }
  if (whole < block.columns) add_columns<Format>(sums, block, whole, block.columns - whole);
  for (int row = 0; row < rows; ++row) {
    for (int token = 0; token < tokens; ++token) {
      block.rows[token].results[block.first_result + row] = total_of(sums[row][token]);
    }
  }
}

template <typename Format, int rows, int64_t most = kTokensAtOnce>
void multiply_with_all(FloatRows block, int64_t tokens) {
  for (; tokens >= most; tokens -= most, block.rows += most) multiply_floats<Format, rows, most>(block);
  if constexpr (most > 1) multiply_with_all<Format, rows, most - 1>(block, tokens);
}

template <typename Format>
void multiply_float_rows(FloatRows block, int64_t rows, int64_t tokens) {
  if (rows == kWeightRowsAtOnce) return multiply_with_all<Format, kWeightRowsAtOnce>(block, tokens);
  for (; rows > 0; --rows, block.weights += block.stride, ++block.first_result) {
    multiply_with_all<Format, 1>(block, tokens);
  }
}

constexpr FloatProducts kFloatProducts{multiply_float_rows<F32>, multiply_float_rows<F16>, multiply_float_rows<Bf16>};

}  // namespace

#include "kernels/simd_end.h"
