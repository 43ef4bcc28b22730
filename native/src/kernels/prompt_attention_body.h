#pragma once

#include "kernels/attention_math.h"

// Attention of a tile of a prompt, on one thread.

#include "kernels/simd_begin.h"

namespace {

constexpr int64_t kProductsAtOnce = kWidth / 2;  // Queries whose sums fit into registers next to two vectors of keys.
constexpr int64_t kSumsAtOnce = 4;
constexpr int64_t kColumnsAtOnce = kWidth / kSumsAtOnce;  // In vectors.
static_assert(PromptTile::kPadding % kProductsAtOnce == 0 && PromptTile::kPadding % kSumsAtOnce == 0);

template <typename Format>
void unpack_keys(const ggml_tensor* keys, const PromptTile& tile, int64_t position, float* columns) {
  for (int64_t first = 0; first < kBlock; first += kWidth) {
    const char* row = at<char>(keys, position + first, tile.key_head, tile.sequence);
    for (int64_t column = 0; column < tile.key_width; column += Format::kColumns) {
      const char* span = span_at<Format>(row, column);
      for (int vector = 0; vector < Format::kVectors; ++vector) {
        Floats rows[kWidth];
        for (size_t key = 0; key < kWidth; ++key) rows[key] = Format::unpack(span + key * keys->nb[1], vector);
        store_transposed(rows, columns + (column + vector * kWidth) * kBlock + first, kBlock);
      }
    }
  }
}

// A value that some of the tile's tokens must not see may belong to another sequence and be non-finite. It is made
// finite here, so that a weight of zero removes it. Returns a bit for each position that was changed.
template <typename Format>
uint32_t unpack_values(const ggml_tensor* values, const PromptTile& tile, int64_t position, uint32_t seen_by_all,
                       float* rows) {
  uint32_t changed = 0;
  const Floats greatest = all(Format::kGreatest), least = all(-Format::kGreatest);
  for (int64_t row = 0; row < kBlock; ++row) {
    const auto* stored = at<char>(values, position + row, tile.key_head, tile.sequence);
    const bool shared = (seen_by_all >> row & 1) != 0;
    float* result = rows + row * tile.value_width;
    for (int64_t column = 0; column < tile.value_width; column += Format::kColumns) {
      for (int vector = 0; vector < Format::kVectors; ++vector, result += kWidth) {
        const Floats value = Format::unpack(span_at<Format>(stored, column), vector);
        const Floats finite = greater(lesser(value, greatest), least);
        store(result, shared ? value : finite);
        if (!shared && differ(value, finite)) changed |= uint32_t{1} << row;
      }
    }
  }
  return changed;
}

// Products of some queries with two vectors of keys of a block.
[[gnu::always_inline]] inline void multiply_keys(const float* const* queries, const PromptTile& tile,
                                                 const float* columns, float* products) {
  Floats sums[kProductsAtOnce][2];
  for (auto& sum : sums) sum[0] = sum[1] = zeros();
  for (int64_t column = 0; column < tile.key_width; ++column) {
    const Floats low = load(columns + column * kBlock), high = load(columns + column * kBlock + kWidth);
#pragma GCC unroll 8
    for (int query = 0; query < kProductsAtOnce; ++query) {
      const Floats factor = all(queries[query][column]);
      sums[query][0] = multiply_add(factor, low, sums[query][0]);
      sums[query][1] = multiply_add(factor, high, sums[query][1]);
    }
  }
  for (int query = 0; query < kProductsAtOnce; ++query) {
    store(products + query * kBlock, sums[query][0]);
    store(products + query * kBlock + kWidth, sums[query][1]);
  }
}

// Adds a block of weighted values to `columns` vectors of some queries' sums.
template <int columns>
[[gnu::always_inline]] inline void add_values(const float* weights, const float* values, const float* shrunk,
                                              int64_t width, float* sums) {
  Floats totals[kSumsAtOnce][columns];
  for (int query = 0; query < kSumsAtOnce; ++query) {
    for (int i = 0; i < columns; ++i) totals[query][i] = load(sums + query * width + i * kWidth) * all(shrunk[query]);
  }
  for (int64_t position = 0; position < kBlock; ++position) {
    Floats value[columns];
    for (int i = 0; i < columns; ++i) value[i] = load(values + position * width + i * kWidth);
#pragma GCC unroll 4
    for (int query = 0; query < kSumsAtOnce; ++query) {
      const Floats weight = all(weights[query * kBlock + position]);
      for (int i = 0; i < columns; ++i) totals[query][i] = multiply_add(weight, value[i], totals[query][i]);
    }
  }
  for (int query = 0; query < kSumsAtOnce; ++query) {
    for (int i = 0; i < columns; ++i) store(sums + query * width + i * kWidth, totals[query][i]);
  }
}

template <typename Format>
void attend_to_prompt_block(const ggml_tensor* node, const PromptTile& tile, float scale, int64_t position,
                            const float* const* queries, const PromptDesk& desk) {
  uint32_t seen_by_any = 0, seen_by_all = ~uint32_t{0};
  const uint16_t* masks[PromptTile::kQueriesMax];
  for (int64_t token = 0; token < tile.tokens; ++token) {
    masks[token] = at<uint16_t>(node->src[3], tile.first_token + token, 0, tile.sequence) + position;
    const uint32_t seen = seen_in(masks[token]);
    seen_by_any |= seen;
    seen_by_all &= seen;
  }
  if (seen_by_any == 0) return;
  unpack_keys<Format>(node->src[1], tile, position, desk.keys);
  const uint32_t changed = unpack_values<Format>(node->src[2], tile, position, seen_by_all, desk.values);
  float shrunk[PromptTile::kQueriesMax + PromptTile::kPadding];
  for (int64_t query = 0; query < tile.padded(); query += kProductsAtOnce) {
    for (int64_t first = 0; first < kBlock; first += 2 * kWidth) {
      multiply_keys(queries + query, tile, desk.keys + first, desk.products + query * kBlock + first);
    }
  }
  for (int64_t query = 0; query < tile.padded(); ++query) {
    const uint16_t* mask = masks[std::min(query, tile.queries() - 1) / tile.heads];
    float* notes = desk.notes + query * kNotes;
    shrunk[query] = weigh(desk.products + query * kBlock, mask, scale, notes);
    // A token that does attend to such a value must report it.
    if (changed != 0 && (changed & seen_in(mask)) != 0) notes[1] = std::numeric_limits<float>::quiet_NaN();
  }
  constexpr int64_t kStep = kColumnsAtOnce * kWidth;
  for (int64_t query = 0; query < tile.padded(); query += kSumsAtOnce) {
    const float* weights = desk.products + query * kBlock;
    float* sums = desk.sums + query * tile.value_width;
    int64_t column = 0;
    for (; tile.value_width - column >= kStep; column += kStep) {
      add_values<kColumnsAtOnce>(weights, desk.values + column, shrunk + query, tile.value_width, sums + column);
    }
    for (; column < tile.value_width; column += kWidth) {
      add_values<1>(weights, desk.values + column, shrunk + query, tile.value_width, sums + column);
    }
  }
}

void attend_to_prompt(const ggml_tensor* node, const PromptTile& tile, float scale, const PromptDesk& desk) {
  const float* queries[PromptTile::kQueriesMax + PromptTile::kPadding];
  for (int64_t query = 0; query < tile.padded(); ++query) {
    const int64_t index = std::min(query, tile.queries() - 1);
    const int64_t head = tile.key_head * tile.heads + index % tile.heads;
    queries[query] = at<float>(node->src[0], tile.first_token + index / tile.heads, head, tile.sequence);
    float* notes = desk.notes + query * kNotes;
    notes[0] = kNothing;
    notes[1] = 0;
  }
  std::fill_n(desk.sums, tile.padded() * tile.value_width, 0.0f);
  const auto attend_to_some =
      node->src[1]->type == GGML_TYPE_Q8_0 ? attend_to_prompt_block<KvQ8> : attend_to_prompt_block<KvF16>;
  for (int64_t position = 0; position < node->src[1]->ne[1]; position += kBlock) {
    attend_to_some(node, tile, scale, position, queries, desk);
  }
  for (int64_t query = 0; query < tile.queries(); ++query) {
    const int64_t head = tile.key_head * tile.heads + query % tile.heads;
    float* result = at<float>(node, head, tile.first_token + query / tile.heads, tile.sequence);
    const float total = desk.notes[query * kNotes + 1];
    const Floats inverse = all(total == 0 ? 0 : 1 / total);
    for (int64_t column = 0; column < tile.value_width; column += kWidth) {
      const float* sum = desk.sums + query * tile.value_width + column;
      store(result + column, load(sum) * inverse);
    }
  }
}

}  // namespace

#include "kernels/simd_end.h"
