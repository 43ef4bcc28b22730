#include "encoder/dense_matrix.h"

#include <algorithm>

#include "kernels/avx512.h"
#include "kernels/block_product.h"
#include "kernels/lanes.h"

namespace {

constexpr int64_t kPanel = DenseMatrix::kPanel;
constexpr int kRegisters = kPanel / kLanes;

size_t whole_panels(size_t outputs) { return (outputs + kPanel - 1) / kPanel * kPanel; }

template <typename Element>
LineMemory<Element> filled_up(std::span<const Element> values) {
  LineMemory<Element> memory(whole_panels(values.size()));
  std::copy(values.begin(), values.end(), memory.data());
  return memory;
}

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,fma")

// The error function, within 2e-7: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26.
[[gnu::always_inline]] inline __m512 error_function(__m512 x) {
  const __m512 size = _mm512_abs_ps(x), one = _mm512_set1_ps(1.0f);
  const __m512 t = _mm512_div_ps(one, _mm512_fmadd_ps(size, _mm512_set1_ps(0.3275911f), one));
  __m512 sum = _mm512_set1_ps(1.061405429f);
  for (const float term : {-1.453152027f, 1.421413741f, -0.284496736f, 0.254829592f}) {
    sum = _mm512_fmadd_ps(sum, t, _mm512_set1_ps(term));
  }
  Lanes power = reinterpret_cast<Lanes>(_mm512_fnmadd_ps(size, size, _mm512_setzero_ps()));
  exp_in_place(power);
  const __m512 result = _mm512_fnmadd_ps(_mm512_mul_ps(sum, t), reinterpret_cast<__m512>(power), one);
  return _mm512_or_ps(result, _mm512_and_ps(x, _mm512_set1_ps(-0.0f)));
}

[[gnu::always_inline]] inline __m512 gelu(__m512 x) {
  const __m512 half = _mm512_mul_ps(x, _mm512_set1_ps(0.5f));
  return _mm512_fmadd_ps(half, error_function(_mm512_mul_ps(x, _mm512_set1_ps(0.70710678f))), half);
}

// Adds four byte products to each sum. GCC 12 would copy the intrinsic's result from register to register.
[[gnu::always_inline]] inline void add_products(__m512i& sums, __m512i bytes, __m512i weights) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(bytes), "v"(weights));
}

// The parameters that a panel's results are computed with, and their destination.
struct Outputs {
  const float* bias;
  const float* scales;
  const int32_t* zeros;
  const int32_t* sums;
  int64_t inputs;
  int64_t count;  // Columns of the panel that belong to the matrix; the others are not stored.
  Results place;

  template <Finish finish>
  [[gnu::always_inline]] void store(__m512 product, int64_t row, int index) const {
    const int64_t left = std::clamp<int64_t>(count - index * kLanes, 0, kLanes);
    const auto mask = static_cast<__mmask16>((1u << left) - 1);
    float* results = place.first + row * place.stride + index * kLanes;
    __m512 value = _mm512_add_ps(product, _mm512_load_ps(bias + index * kLanes));
    if constexpr (finish == Finish::kGelu) value = gelu(value);
    if constexpr (finish == Finish::kAdd) value = _mm512_add_ps(value, _mm512_maskz_loadu_ps(mask, results));
    _mm512_mask_storeu_ps(results, mask, value);
  }

  // Σ(byte − zero)(weight − its zero), computed from Σ byte·weight.
  [[gnu::always_inline]] __m512 scaled(__m512i sum, const RowQuantisation& row, int index) const {
    const __m512i zero = _mm512_set1_epi32(row.zero), own_zeros = _mm512_load_si512(zeros + index * kLanes);
    const __m512i rest = _mm512_set1_epi32(row.sum - static_cast<int32_t>(inputs) * row.zero);
    sum = _mm512_sub_epi32(sum, _mm512_mullo_epi32(zero, _mm512_load_si512(sums + index * kLanes)));
    sum = _mm512_sub_epi32(sum, _mm512_mullo_epi32(own_zeros, rest));
    const __m512 scale = _mm512_mul_ps(_mm512_set1_ps(row.scale), _mm512_load_ps(scales + index * kLanes));
    return _mm512_mul_ps(_mm512_cvtepi32_ps(sum), scale);
  }
};

template <Finish finish>
void multiply_floats(const float* rows, int64_t count, const float* weights, const Outputs& outputs) {
  in_row_blocks(count, [&]<int some>(int64_t first) {
    __m512 sums[some][kRegisters];
    sum_products(sums, rows + first * outputs.inputs, outputs.inputs, weights, kPanel, outputs.inputs);
    for (int row = 0; row < some; ++row) {
      for (int index = 0; index < kRegisters; ++index) outputs.store<finish>(sums[row][index], first + row, index);
    }
  });
}

// Like sum_products, for bytes; left: [rows, depth], right: [depth / 4, 48, 4].
template <int rows>
[[gnu::always_inline]] inline void sum_byte_products(__m512i (&sums)[rows][kRegisters], const uint8_t* left,
                                                     const int8_t* right, int64_t depth) {
  __m512i own[rows][kRegisters];  // Kept in registers; `sums` cannot be, because a loop follows.
#pragma GCC unroll 8
  for (int row = 0; row < rows; ++row) {
#pragma GCC unroll 3
    for (int index = 0; index < kRegisters; ++index) own[row][index] = _mm512_setzero_si512();
  }
  for (int64_t step = 0; step < depth; step += 4) {
    __m512i factors[kRegisters];
#pragma GCC unroll 3
    for (int index = 0; index < kRegisters; ++index) {
      factors[index] = _mm512_load_si512(right + step * kPanel + index * kLanes * 4);
    }
#pragma GCC unroll 8
    for (int row = 0; row < rows; ++row) {
      int32_t four;
      std::memcpy(&four, left + row * depth + step, sizeof four);
      const __m512i value = _mm512_set1_epi32(four);
#pragma GCC unroll 3
      for (int index = 0; index < kRegisters; ++index) add_products(own[row][index], value, factors[index]);
    }
  }
#pragma GCC unroll 8
  for (int row = 0; row < rows; ++row) {
#pragma GCC unroll 3
    for (int index = 0; index < kRegisters; ++index) sums[row][index] = own[row][index];
  }
}

template <Finish finish>
void multiply_bytes(const uint8_t* rows, const RowQuantisation* quantisation, int64_t count, const int8_t* weights,
                    const Outputs& outputs) {
  in_row_blocks(count, [&]<int some>(int64_t first) {
    __m512i sums[some][kRegisters];
    sum_byte_products(sums, rows + first * outputs.inputs, weights, outputs.inputs);
    for (int row = 0; row < some; ++row) {
      for (int index = 0; index < kRegisters; ++index) {
        const __m512 product = outputs.scaled(sums[row][index], quantisation[first + row], index);
        outputs.store<finish>(product, first + row, index);
      }
    }
  });
}

#pragma GCC pop_options

// Calls multiply.operator()<finish>(), so that the final operation is known at compile time.
template <typename Multiply>
void with_finish(Finish finish, const Multiply& multiply) {
  switch (finish) {
    case Finish::kBias: return multiply.template operator()<Finish::kBias>();
    case Finish::kGelu: return multiply.template operator()<Finish::kGelu>();
    case Finish::kAdd: return multiply.template operator()<Finish::kAdd>();
  }
}

}  // namespace

DenseMatrix::DenseMatrix(std::span<const float> weights, std::span<const float> bias)
    : inputs_(static_cast<int64_t>(weights.size() / bias.size())),
      outputs_(static_cast<int64_t>(bias.size())),
      bias_(filled_up(bias)),
      weights_(whole_panels(bias.size()) * static_cast<size_t>(inputs_)) {
  for (int64_t input = 0; input < inputs_; ++input) {
    for (int64_t output = 0; output < outputs_; ++output) {
      const int64_t place = (output / kPanel * inputs_ + input) * kPanel + output % kPanel;
      weights_.data()[place] = weights[static_cast<size_t>(input * outputs_ + output)];
    }
  }
}

DenseMatrix::DenseMatrix(std::span<const int8_t> weights, std::span<const float> scales, std::span<const int32_t> zeros,
                         std::span<const float> bias)
    : inputs_(static_cast<int64_t>(weights.size() / bias.size())),
      outputs_(static_cast<int64_t>(bias.size())),
      bias_(filled_up(bias)),
      scales_(filled_up(scales)),
      zeros_(filled_up(zeros)),
      sums_(whole_panels(bias.size())),
      bytes_(whole_panels(bias.size()) * static_cast<size_t>(inputs_)) {
  for (int64_t input = 0; input < inputs_; ++input) {
    for (int64_t output = 0; output < outputs_; ++output) {
      const int8_t weight = weights[static_cast<size_t>(input * outputs_ + output)];
      const int64_t four = (output / kPanel * inputs_ + input / 4 * 4) * kPanel;
      bytes_.data()[four + output % kPanel * 4 + input % 4] = weight;
      sums_.data()[output] += weight;
    }
  }
}

void DenseMatrix::multiply(int64_t panel, const float* rows, int64_t count, const Results& results) const {
  const int64_t first = panel * kPanel;
  const float* weights = weights_.data() + first * inputs_;
  const Outputs outputs{.bias = bias_.data() + first,
                        .scales = nullptr,
                        .zeros = nullptr,
                        .sums = nullptr,
                        .inputs = inputs_,
                        .count = outputs_ - first,
                        .place = {results.first + first, results.stride, results.finish}};
  with_finish(results.finish, [&]<Finish finish>() { multiply_floats<finish>(rows, count, weights, outputs); });
}

void DenseMatrix::multiply(int64_t panel, const uint8_t* rows, const RowQuantisation* quantisation, int64_t count,
                           const Results& results) const {
  const int64_t first = panel * kPanel;
  const int8_t* weights = bytes_.data() + first * inputs_;
  const Outputs outputs{.bias = bias_.data() + first,
                        .scales = scales_.data() + first,
                        .zeros = zeros_.data() + first,
                        .sums = sums_.data() + first,
                        .inputs = inputs_,
                        .count = outputs_ - first,
                        .place = {results.first + first, results.stride, results.finish}};
  with_finish(results.finish,
              [&]<Finish finish>() { multiply_bytes<finish>(rows, quantisation, count, weights, outputs); });
}
