#include "kernels/prompt_attention.h"

#include "base/scratch.h"
#include "kernels/attention_math.h"

namespace {

constexpr int64_t kWidthMax = 256;
constexpr int64_t kQueriesMax = 48;     // Queries that one thread computes together.
constexpr int64_t kProductsAtOnce = 8;  // Queries whose sums fit into registers next to a block of keys.
constexpr int64_t kSumsAtOnce = 4;
constexpr int64_t kColumnsAtOnce = 4;  // Vectors of sixteen floats.

// The queries of some tokens, for the heads that share keys and values, and their sums so far.
struct Tile {
  int64_t sequence, key_head, first_token, tokens, heads, key_width, value_width;

  int64_t queries() const { return tokens * heads; }
  int64_t padded() const { return (queries() + kProductsAtOnce - 1) / kProductsAtOnce * kProductsAtOnce; }
};

// One thread's intermediate results.
struct Desk {
  Desk(Scratch& scratch, const Tile& tile) {
    float* next = scratch.floats(static_cast<size_t>(kBlock * (tile.key_width + tile.value_width) +
                                                     tile.padded() * (kBlock + tile.value_width + kLanes)));
    const auto take = [&](int64_t floats) { return (next += floats) - floats; };
    keys = take(kBlock * tile.key_width);
    values = take(kBlock * tile.value_width);
    products = take(tile.padded() * kBlock);
    sums = take(tile.padded() * tile.value_width);
    notes = take(tile.padded() * kLanes);
  }

  float* keys;      // [key_width, kBlock], transposed: a column of all keys is contiguous.
  float* values;    // [kBlock, value_width]
  float* products;  // [queries, kBlock]
  float* sums;      // [queries, value_width]
  float* notes;     // [queries, kLanes]: the greatest score and the sum of weights.
};

// cpu_kernels.cc checks that the CPU supports these before it calls anything here.
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,fma,f16c")

// Sixteen columns of sixteen keys, one vector of their spans, transposed.
template <typename Format>
[[gnu::always_inline]] inline void transpose_keys(const char* span, size_t stride, int vector, float* columns) {
  __m512 rows[kLanes], pairs[kLanes], quarters[kLanes];
  for (int key = 0; key < kLanes; ++key) rows[key] = Format::unpack(span + key * stride, vector);
  for (int i = 0; i < kLanes; i += 2) {
    pairs[i] = _mm512_unpacklo_ps(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm512_unpackhi_ps(rows[i], rows[i + 1]);
  }
  for (int i = 0; i < kLanes; i += 4) {
    for (int j = 0; j < 2; ++j) {
      const __m512d a = _mm512_castps_pd(pairs[i + j]), b = _mm512_castps_pd(pairs[i + j + 2]);
      quarters[i + 2 * j] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, b));
      quarters[i + 2 * j + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, b));
    }
  }
  // quarters[4g + c] holds the columns c, c + 4, c + 8, c + 12 of the keys 4g to 4g + 3.
  for (int c = 0; c < 4; ++c) {
    const __m512 low = _mm512_shuffle_f32x4(quarters[c], quarters[c + 4], 0x88);
    const __m512 high = _mm512_shuffle_f32x4(quarters[c], quarters[c + 4], 0xDD);
    const __m512 low_later = _mm512_shuffle_f32x4(quarters[c + 8], quarters[c + 12], 0x88);
    const __m512 high_later = _mm512_shuffle_f32x4(quarters[c + 8], quarters[c + 12], 0xDD);
    _mm512_store_ps(columns + (c + 0) * kBlock, _mm512_shuffle_f32x4(low, low_later, 0x88));
    _mm512_store_ps(columns + (c + 4) * kBlock, _mm512_shuffle_f32x4(high, high_later, 0x88));
    _mm512_store_ps(columns + (c + 8) * kBlock, _mm512_shuffle_f32x4(low, low_later, 0xDD));
    _mm512_store_ps(columns + (c + 12) * kBlock, _mm512_shuffle_f32x4(high, high_later, 0xDD));
  }
}

template <typename Format>
void unpack_keys(const ggml_tensor* keys, const Tile& tile, int64_t position, float* columns) {
  for (int64_t half = 0; half < kBlock; half += kLanes) {
    const char* row = at<char>(keys, position + half, tile.key_head, tile.sequence);
    for (int64_t column = 0; column < tile.key_width; column += Format::kColumns) {
      for (int vector = 0; vector < Format::kVectors; ++vector) {
        float* transposed = columns + (column + vector * kLanes) * kBlock + half;
        transpose_keys<Format>(span_at<Format>(row, column), keys->nb[1], vector, transposed);
      }
    }
  }
}

// A value that some of the tile's tokens must not see may belong to another sequence and be non-finite. It is made
// finite here, so that a weight of zero removes it. Returns a bit for each position that was changed.
template <typename Format>
uint32_t unpack_values(const ggml_tensor* values, const Tile& tile, int64_t position, uint32_t seen_by_all,
                       float* rows) {
  uint32_t changed = 0;
  const __m512 greatest = _mm512_set1_ps(Format::kGreatest), least = _mm512_set1_ps(-Format::kGreatest);
  for (int64_t row = 0; row < kBlock; ++row) {
    const auto* stored = at<char>(values, position + row, tile.key_head, tile.sequence);
    const bool shared = (seen_by_all >> row & 1) != 0;
    float* result = rows + row * tile.value_width;
    for (int64_t column = 0; column < tile.value_width; column += Format::kColumns) {
      for (int vector = 0; vector < Format::kVectors; ++vector, result += kLanes) {
        const __m512 value = Format::unpack(span_at<Format>(stored, column), vector);
        const __m512 finite = _mm512_max_ps(_mm512_min_ps(value, greatest), least);
        _mm512_store_ps(result, shared ? value : finite);
        if (!shared && _mm512_cmp_ps_mask(value, finite, _CMP_NEQ_UQ) != 0) changed |= uint32_t{1} << row;
      }
    }
  }
  return changed;
}

// Products of some queries with a block of keys.
void multiply_keys(const float* const* queries, const Tile& tile, const float* columns, float* products) {
  __m512 sums[kProductsAtOnce][2];
  for (auto& sum : sums) sum[0] = sum[1] = _mm512_setzero_ps();
  for (int64_t column = 0; column < tile.key_width; ++column) {
    const __m512 low = _mm512_load_ps(columns + column * kBlock);
    const __m512 high = _mm512_load_ps(columns + column * kBlock + kLanes);
#pragma GCC unroll 8
    for (int query = 0; query < kProductsAtOnce; ++query) {
      const __m512 factor = _mm512_set1_ps(queries[query][column]);
      sums[query][0] = _mm512_fmadd_ps(factor, low, sums[query][0]);
      sums[query][1] = _mm512_fmadd_ps(factor, high, sums[query][1]);
    }
  }
  for (int query = 0; query < kProductsAtOnce; ++query) {
    _mm512_store_ps(products + query * kBlock, sums[query][0]);
    _mm512_store_ps(products + query * kBlock + kLanes, sums[query][1]);
  }
}

// Adds a block of weighted values to `columns` vectors of some queries' sums.
template <int columns>
[[gnu::always_inline]] inline void add_values(const float* weights, const float* values, const float* shrunk,
                                              int64_t width, float* sums) {
  __m512 totals[kSumsAtOnce][columns];
  for (int query = 0; query < kSumsAtOnce; ++query) {
    for (int i = 0; i < columns; ++i) {
      const __m512 sum = _mm512_load_ps(sums + query * width + i * kLanes);
      totals[query][i] = _mm512_mul_ps(sum, _mm512_set1_ps(shrunk[query]));
    }
  }
  for (int64_t position = 0; position < kBlock; ++position) {
    __m512 value[columns];
    for (int i = 0; i < columns; ++i) value[i] = _mm512_load_ps(values + position * width + i * kLanes);
#pragma GCC unroll 4
    for (int query = 0; query < kSumsAtOnce; ++query) {
      const __m512 weight = _mm512_set1_ps(weights[query * kBlock + position]);
      for (int i = 0; i < columns; ++i) totals[query][i] = _mm512_fmadd_ps(weight, value[i], totals[query][i]);
    }
  }
  for (int query = 0; query < kSumsAtOnce; ++query) {
    for (int i = 0; i < columns; ++i) _mm512_store_ps(sums + query * width + i * kLanes, totals[query][i]);
  }
}

template <typename Format>
void attend_to_block(const ggml_tensor* node, const Tile& tile, float scale, int64_t position,
                     const float* const* queries, const Desk& desk) {
  uint32_t seen_by_any = 0, seen_by_all = ~uint32_t{0};
  const uint16_t* masks[kQueriesMax];
  for (int64_t token = 0; token < tile.tokens; ++token) {
    masks[token] = at<uint16_t>(node->src[3], tile.first_token + token, 0, tile.sequence) + position;
    const uint32_t seen = seen_in(masks[token]);
    seen_by_any |= seen;
    seen_by_all &= seen;
  }
  if (seen_by_any == 0) return;
  unpack_keys<Format>(node->src[1], tile, position, desk.keys);
  const uint32_t changed = unpack_values<Format>(node->src[2], tile, position, seen_by_all, desk.values);
  float shrunk[kQueriesMax + kProductsAtOnce];
  for (int64_t query = 0; query < tile.padded(); query += kProductsAtOnce) {
    multiply_keys(queries + query, tile, desk.keys, desk.products + query * kBlock);
  }
  for (int64_t query = 0; query < tile.padded(); ++query) {
    const uint16_t* mask = masks[std::min(query, tile.queries() - 1) / tile.heads];
    float* notes = desk.notes + query * kLanes;
    shrunk[query] = weigh(desk.products + query * kBlock, mask, scale, notes);
    // A token that does attend to such a value must report it.
    if (changed != 0 && (changed & seen_in(mask)) != 0) notes[1] = std::numeric_limits<float>::quiet_NaN();
  }
  constexpr int64_t kStep = kColumnsAtOnce * kLanes;
  for (int64_t query = 0; query < tile.padded(); query += kSumsAtOnce) {
    const float* weights = desk.products + query * kBlock;
    float* sums = desk.sums + query * tile.value_width;
    int64_t column = 0;
    for (; tile.value_width - column >= kStep; column += kStep) {
      add_values<kColumnsAtOnce>(weights, desk.values + column, shrunk + query, tile.value_width, sums + column);
    }
    for (; column < tile.value_width; column += kLanes) {
      add_values<1>(weights, desk.values + column, shrunk + query, tile.value_width, sums + column);
    }
  }
}

void attend(const ggml_tensor* node, const Tile& tile, float scale, const Desk& desk) {
  const float* queries[kQueriesMax + kProductsAtOnce];
  for (int64_t query = 0; query < tile.padded(); ++query) {
    const int64_t index = std::min(query, tile.queries() - 1);
    const int64_t head = tile.key_head * tile.heads + index % tile.heads;
    queries[query] = at<float>(node->src[0], tile.first_token + index / tile.heads, head, tile.sequence);
    float* notes = desk.notes + query * kLanes;
    notes[0] = kNothing;
    notes[1] = 0;
  }
  std::fill_n(desk.sums, tile.padded() * tile.value_width, 0.0f);
  const auto attend_to_some = node->src[1]->type == KvQ8::kType ? attend_to_block<KvQ8> : attend_to_block<KvF16>;
  for (int64_t position = 0; position < node->src[1]->ne[1]; position += kBlock) {
    attend_to_some(node, tile, scale, position, queries, desk);
  }
  for (int64_t query = 0; query < tile.queries(); ++query) {
    const int64_t head = tile.key_head * tile.heads + query % tile.heads;
    float* result = at<float>(node, head, tile.first_token + query / tile.heads, tile.sequence);
    const float total = desk.notes[query * kLanes + 1];
    const __m512 inverse = _mm512_set1_ps(total == 0 ? 0 : 1 / total);
    for (int64_t column = 0; column < tile.value_width; column += kLanes) {
      const float* sum = desk.sums + query * tile.value_width + column;
      _mm512_storeu_ps(result + column, _mm512_mul_ps(_mm512_load_ps(sum), inverse));
    }
  }
}

#pragma GCC pop_options

}  // namespace

bool PromptAttention::can_compute(const ggml_tensor* node) {
  return is_plain_attention(node) && node->src[0]->ne[2] / node->src[1]->ne[2] <= kQueriesMax &&
         node->src[1]->ne[0] <= kWidthMax && node->src[2]->ne[0] <= kWidthMax;
}

void PromptAttention::compute(ggml_tensor* node, float scale, int thread, int threads) {
  static thread_local Scratch scratch;
  const ggml_tensor *queries = node->src[0], *keys = node->src[1], *values = node->src[2];
  const int64_t tokens = queries->ne[1], key_heads = keys->ne[2], heads = queries->ne[2] / key_heads;
  const int64_t tokens_at_once = kQueriesMax / heads;
  const int64_t tiles = (tokens + tokens_at_once - 1) / tokens_at_once;
  for (int64_t piece = thread; piece < queries->ne[3] * key_heads * tiles; piece += threads) {
    const int64_t key_head = piece % key_heads, rest = piece / key_heads;
    const int64_t first_token = rest % tiles * tokens_at_once;
    const Tile tile{.sequence = rest / tiles,
                    .key_head = key_head,
                    .first_token = first_token,
                    .tokens = std::min(tokens_at_once, tokens - first_token),
                    .heads = heads,
                    .key_width = keys->ne[0],
                    .value_width = values->ne[0]};
    attend(node, tile, scale, Desk(scratch, tile));
  }
}
