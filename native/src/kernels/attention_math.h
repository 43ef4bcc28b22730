#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "ggml.h"
#include "kernels/avx512.h"
#include "kernels/kv_formats.h"
#include "kernels/lanes.h"

// Shared by the attention kernels. An attention node's sources 0 to 3 are queries, keys, values and mask; keys and
// values are both in F16 or both in Q8_0, the mask has half precision. The mask is 0, or −∞ for a position that a token
// does not attend to; such a position may belong to another sequence and must not affect the result.

inline constexpr int64_t kBlock = 32;  // Positions whose scores are weighted together.
inline constexpr float kNothing = -std::numeric_limits<float>::infinity();

// The address of a row.
template <typename Element>
Element* at(const ggml_tensor* tensor, int64_t second, int64_t third, int64_t fourth) {
  auto* bytes = static_cast<char*>(tensor->data) + second * static_cast<int64_t>(tensor->nb[1]) +
                third * static_cast<int64_t>(tensor->nb[2]) + fourth * static_cast<int64_t>(tensor->nb[3]);
  return reinterpret_cast<Element*>(bytes);
}

// Whether the rows of keys or values are whole spans of a format.
template <typename Format>
bool has_spans_of(const ggml_tensor* tensor) {
  return tensor->type == Format::kType && tensor->ne[0] % Format::kColumns == 0 &&
         tensor->nb[0] == ggml_type_size(Format::kType);
}

// Whether a node is plain attention in these types: no ALiBi, no soft cap, no sinks.
inline bool is_plain_attention(const ggml_tensor* node) {
  const ggml_tensor *queries = node->src[0], *keys = node->src[1], *values = node->src[2], *mask = node->src[3];
  const ggml_tensor* sinks = node->src[4];
  const auto fits = [&](const ggml_tensor* tensor) {
    const bool has_spans = has_spans_of<KvF16>(tensor) || has_spans_of<KvQ8>(tensor);
    return has_spans && tensor->ne[1] % kBlock == 0 && tensor->ne[3] == queries->ne[3];
  };
  float biases[2];
  std::memcpy(biases, node->op_params + 1, sizeof biases);
  return biases[0] == 0 && biases[1] == 0 && sinks == nullptr && queries->type == GGML_TYPE_F32 &&
         queries->nb[0] == sizeof(float) && queries->ne[2] % keys->ne[2] == 0 && keys->ne[2] == values->ne[2] &&
         fits(keys) && fits(values) && keys->type == values->type && keys->ne[1] == values->ne[1] && mask != nullptr &&
         mask->type == GGML_TYPE_F16 && mask->ne[0] >= keys->ne[1] && mask->ne[1] >= queries->ne[1] &&
         mask->ne[2] == 1 && mask->ne[3] == queries->ne[3];
}

// cpu_kernels.cc checks that the CPU supports these before it calls anything here.
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,fma,f16c")

[[gnu::always_inline]] inline __m512 unpack(const uint16_t* halves) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(halves)));
}

[[gnu::always_inline]] inline __m512 exp_of(__m512 x) {
  Lanes lanes = reinterpret_cast<Lanes>(x);
  exp_in_place(lanes);
  return reinterpret_cast<__m512>(lanes);
}

// Lane i of the result is the sum of vector i.
[[gnu::always_inline]] inline __m512 sums_of(__m512 (&vectors)[kLanes]) {
  __m512 pairs[8], quarters[4];
  for (int i = 0; i < 8; ++i) {
    const __m512 a = vectors[2 * i], b = vectors[2 * i + 1];
    pairs[i] = _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
  }
  for (int i = 0; i < 4; ++i) {
    const __m512d a = _mm512_castps_pd(pairs[2 * i]), b = _mm512_castps_pd(pairs[2 * i + 1]);
    quarters[i] = _mm512_add_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(a, b)), _mm512_castpd_ps(_mm512_unpackhi_pd(a, b)));
  }
  const auto join = [](__m512 a, __m512 b) {
    return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xDD));
  };
  return join(join(quarters[0], quarters[1]), join(quarters[2], quarters[3]));
}

// One bit for each position of a block that a token attends to.
[[gnu::always_inline]] inline uint32_t seen_in(const uint16_t* mask) {
  const __m512i minus_infinity = _mm512_set1_epi16(static_cast<int16_t>(0xFC00));
  return _mm512_cmpneq_epi16_mask(_mm512_loadu_si512(mask), minus_infinity);
}

// Turns a query's products with a block of keys into weights relative to the greatest score so far, and returns the
// factor by which earlier sums shrink. `notes` holds that score and the sum of the weights.
[[gnu::always_inline]] inline float weigh(float* products, const uint16_t* mask, float scale, float* notes) {
  __m512 scores[2];
  __mmask16 seen[2];
  for (int half = 0; half < 2; ++half) {
    const __m512 bias = unpack(mask + half * kLanes);
    seen[half] = _mm512_cmp_ps_mask(bias, _mm512_set1_ps(kNothing), _CMP_GT_OQ);
    const __m512 score = _mm512_fmadd_ps(_mm512_loadu_ps(products + half * kLanes), _mm512_set1_ps(scale), bias);
    scores[half] = _mm512_mask_mov_ps(_mm512_set1_ps(kNothing), seen[half], score);
  }
  const float before = notes[0];
  const float greatest = std::max(before, _mm512_reduce_max_ps(_mm512_max_ps(scores[0], scores[1])));
  __m512 total = _mm512_setzero_ps();
  for (int half = 0; half < 2; ++half) {
    const __m512 weights =
        _mm512_maskz_mov_ps(seen[half], exp_of(_mm512_sub_ps(scores[half], _mm512_set1_ps(greatest))));
    _mm512_storeu_ps(products + half * kLanes, weights);
    total = _mm512_add_ps(total, weights);
  }
  const float shrunk = before == greatest ? 1.0f : _mm512_cvtss_f32(exp_of(_mm512_set1_ps(before - greatest)));
  notes[0] = greatest;
  notes[1] = notes[1] * shrunk + _mm512_reduce_add_ps(total);
  return shrunk;
}

#pragma GCC pop_options
