#include "kernels/float_matmul.h"

#include "kernels/avx512.h"
#include "kernels/lanes.h"

namespace {

constexpr int64_t kRowsAtOnce = 4, kTokensAtOnce = 4;  // Sixteen sums, of the thirty-two registers.

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma,f16c")

struct F32 {
  static constexpr ggml_type kType = GGML_TYPE_F32;
  static constexpr int64_t kBytes = 4;
  [[gnu::always_inline]] static __m512 load(const uint8_t* first) { return _mm512_loadu_ps(first); }
  [[gnu::always_inline]] static __m512 load(const uint8_t* first, __mmask16 lanes) {
    return _mm512_maskz_loadu_ps(lanes, first);
  }
};

struct F16 {
  static constexpr ggml_type kType = GGML_TYPE_F16;
  static constexpr int64_t kBytes = 2;
  [[gnu::always_inline]] static __m512 load(const uint8_t* first) {
    return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(first)));
  }
  [[gnu::always_inline]] static __m512 load(const uint8_t* first, __mmask16 lanes) {
    return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(lanes, first));
  }
};

struct Bf16 {
  static constexpr ggml_type kType = GGML_TYPE_BF16;
  static constexpr int64_t kBytes = 2;
  [[gnu::always_inline]] static __m512 load(const uint8_t* first) {
    return widen(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(first)));
  }
  [[gnu::always_inline]] static __m512 load(const uint8_t* first, __mmask16 lanes) {
    return widen(_mm256_maskz_loadu_epi16(lanes, first));
  }
  [[gnu::always_inline]] static __m512 widen(__m256i halves) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
  }
};

struct Block {
  const uint8_t* weights;
  int64_t stride;  // In bytes.
  int64_t columns;
  const MatrixProducts::Row* rows;
  int64_t first_result;
};

// Adds the products of up to sixteen columns. `lanes` is nothing for sixteen, or the mask of fewer.
template <typename Format, int rows, int tokens, typename... Mask>
[[gnu::always_inline]] inline void add_columns(__m512 (&sums)[rows][tokens], const Block& block, int64_t column,
                                               Mask... lanes) {
  __m512 activations[tokens];
#pragma GCC unroll 4
  for (int token = 0; token < tokens; ++token) {
    const auto* first = reinterpret_cast<const uint8_t*>(block.rows[token].activations + column);
    activations[token] = F32::load(first, lanes...);
  }
#pragma GCC unroll 4
  for (int row = 0; row < rows; ++row) {
    const __m512 weights = Format::load(block.weights + row * block.stride + column * Format::kBytes, lanes...);
#pragma GCC unroll 4
    for (int token = 0; token < tokens; ++token) {
      sums[row][token] = _mm512_fmadd_ps(weights, activations[token], sums[row][token]);
    }
  }
}

template <typename Format, int rows, int tokens>
[[gnu::noinline]] void multiply(const Block& block) {
  __m512 sums[rows][tokens];
  for (auto& row : sums) {
    for (__m512& sum : row) sum = _mm512_setzero_ps();
  }
  const int64_t whole = block.columns / kLanes * kLanes;
  for (int64_t column = 0; column < whole; column += kLanes) {
    // The next rows follow these ones.
    for (int row = 0; row < rows; ++row) {
      _mm_prefetch(block.weights + (rows + row) * block.stride + column * Format::kBytes, _MM_HINT_T0);
    }
    add_columns<Format>(sums, block, column);
  }
  if (whole < block.columns) {
    add_columns<Format>(sums, block, whole, static_cast<__mmask16>((1 << (block.columns - whole)) - 1));
  }
  for (int row = 0; row < rows; ++row) {
    for (int token = 0; token < tokens; ++token) {
      block.rows[token].results[block.first_result + row] = _mm512_reduce_add_ps(sums[row][token]);
    }
  }
}

#pragma GCC pop_options

template <typename Format, int rows>
void multiply_with_all(Block block, int64_t tokens) {
  for (; tokens >= kTokensAtOnce; tokens -= kTokensAtOnce, block.rows += kTokensAtOnce) {
    multiply<Format, rows, kTokensAtOnce>(block);
  }
  if (tokens == 3) multiply<Format, rows, 3>(block);
  if (tokens == 2) multiply<Format, rows, 2>(block);
  if (tokens == 1) multiply<Format, rows, 1>(block);
}

// Multiplies up to four rows of weights with all tokens.
template <typename Format>
void multiply_rows(Block block, int64_t rows, int64_t tokens) {
  if (rows == kRowsAtOnce) return multiply_with_all<Format, kRowsAtOnce>(block, tokens);
  for (; rows > 0; --rows, block.weights += block.stride, ++block.first_result) {
    multiply_with_all<Format, 1>(block, tokens);
  }
}

using MultiplyRows = void (*)(Block, int64_t, int64_t);

MultiplyRows multiplier_of(ggml_type type) {
  if (type == F32::kType) return multiply_rows<F32>;
  if (type == F16::kType) return multiply_rows<F16>;
  if (type == Bf16::kType) return multiply_rows<Bf16>;
  return nullptr;
}

}  // namespace

bool FloatMatmul::can_compute(const ggml_tensor* node) {
  return MatrixProducts::are_computed_by(node) && multiplier_of(node->src[0]->type) != nullptr;
}

void FloatMatmul::compute(ggml_tensor* node, int thread, int threads) {
  static thread_local MatrixProducts products;
  if (thread == 0) shares_.reset();
  products.find(node);
  barrier_.wait(threads);

  const ggml_tensor* weights = node->src[0];
  const MultiplyRows multiply_some = multiplier_of(weights->type);
  const int64_t parts = (weights->ne[1] + kRowsAtOnce - 1) / kRowsAtOnce;
  shares_.take(products, parts, threads, [&](size_t index, int64_t part) {
    const MatrixProducts::Group& group = products.groups()[index];
    const int64_t first = part * kRowsAtOnce;
    const Block block{.weights = group.weights + static_cast<size_t>(first) * weights->nb[1],
                      .stride = static_cast<int64_t>(weights->nb[1]),
                      .columns = weights->ne[0],
                      .rows = products.rows().data() + group.first,
                      .first_result = first};
    multiply_some(block, std::min(kRowsAtOnce, weights->ne[1] - first), group.count);
  });
}
