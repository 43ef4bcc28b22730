#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "ggml.h"

// What the kernels of attention compute on one thread, compiled for several instruction sets. An attention node's
// sources 0 to 3 are queries, keys, values and mask; keys and values are both in F16 or both in Q8_0, the mask has half
// precision. The mask is 0, or −∞ for a position that a token does not attend to; such a position may belong to another
// sequence and must not affect the result.

inline constexpr int64_t kBlock = 32;  // Positions whose scores are weighted together.
inline constexpr int64_t kNotes = 16;  // Floats of which the first two are a greatest score and a sum of weights.
inline constexpr float kNothing = -std::numeric_limits<float>::infinity();

// The address of a row.
template <typename Element>
Element* at(const ggml_tensor* tensor, int64_t second, int64_t third, int64_t fourth) {
  auto* bytes = static_cast<char*>(tensor->data) + second * static_cast<int64_t>(tensor->nb[1]) +
                third * static_cast<int64_t>(tensor->nb[2]) + fourth * static_cast<int64_t>(tensor->nb[3]);
  return reinterpret_cast<Element*>(bytes);
}

// Whether a node is plain attention in these types: no ALiBi, no soft cap, no sinks.
bool is_plain_attention(const ggml_tensor* node);

// A few new tokens per sequence: each context is split into parts, and a partial result is a weighted sum of values,
// then notes.
struct DecodeShape {
  static constexpr int64_t kPart = 64;                            // Positions of one partial result.
  static constexpr int64_t kPartialFloatsMax = int64_t{4} << 20;  // At a time, unless one query has more.

  explicit DecodeShape(const ggml_tensor* node)
      : key_width(node->src[1]->ne[0]),
        value_width(node->src[2]->ne[0]),
        tokens(node->src[0]->ne[1]),
        heads(node->src[0]->ne[2]),
        sequences(node->src[0]->ne[3]),
        positions(node->src[1]->ne[1]),
        key_heads(node->src[1]->ne[2]),
        group(heads / key_heads),
        parts((positions + kPart - 1) / kPart),
        partial_floats(value_width + kNotes) {
    const int64_t fit = std::max<int64_t>(1, kPartialFloatsMax / (heads * parts * partial_floats));
    tokens_at_once = std::min(tokens, fit);
    sequences_at_once = std::min(sequences, std::max<int64_t>(1, fit / tokens));
  }

  int64_t partial(int64_t sequence, int64_t head, int64_t token, int64_t part) const {
    const int64_t first = (sequence % sequences_at_once * heads + head) * tokens_at_once;
    return ((first + token % tokens_at_once) * parts + part) * partial_floats;
  }

  int64_t key_width, value_width, tokens, heads, sequences, positions, key_heads, group, parts, partial_floats;
  int64_t tokens_at_once, sequences_at_once;
};

// The queries that are computed together, so that partial results need little memory however long the contexts are.
struct DecodeSlice {
  DecodeSlice(const DecodeShape& shape, int64_t sequence, int64_t token)
      : first_sequence(sequence),
        sequences(std::min(shape.sequences_at_once, shape.sequences - sequence)),
        first_token(token),
        tokens(std::min(shape.tokens_at_once, shape.tokens - token)) {}

  int64_t first_sequence, sequences, first_token, tokens;
};

// A part of a sequence's context that some of its tokens attend to.
struct DecodePiece {
  int64_t sequence, part;
};

// Of a prompt: the queries of some tokens, for the heads that share keys and values.
struct PromptTile {
  static constexpr int64_t kQueriesMax = 48;
  static constexpr int64_t kPadding = 8;  // Queries are computed in groups of this many at most.

  int64_t sequence, key_head, first_token, tokens, heads, key_width, value_width;

  int64_t queries() const { return tokens * heads; }
  int64_t padded() const { return (queries() + kPadding - 1) / kPadding * kPadding; }
};

// One thread's intermediate results for a tile.
struct PromptDesk {
  // `memory`: at least floats_for(tile).
  PromptDesk(float* memory, const PromptTile& tile) {
    const auto take = [&](int64_t floats) { return (memory += floats) - floats; };
    keys = take(kBlock * tile.key_width);
    values = take(kBlock * tile.value_width);
    products = take(tile.padded() * kBlock);
    sums = take(tile.padded() * tile.value_width);
    notes = take(tile.padded() * kNotes);
  }
  static size_t floats_for(const PromptTile& tile) {
    return static_cast<size_t>(kBlock * (tile.key_width + tile.value_width) +
                               tile.padded() * (kBlock + tile.value_width + kNotes));
  }

  float* keys;      // [key_width, kBlock], transposed: a column of all keys is contiguous.
  float* values;    // [kBlock, value_width]
  float* products;  // [queries, kBlock]
  float* sums;      // [queries, value_width]
  float* notes;     // [queries, kNotes]
};

struct Attention {
  // Whether a mask lets a token attend to any of some positions. Multiples of kBlock.
  bool (*sees_any)(const uint16_t* mask, int64_t begin, int64_t end);
  // Partial results of a slice's queries for a piece of their sequence; `next` is prefetched meanwhile.
  void (*attend_to_piece)(const ggml_tensor* node, const DecodeShape& shape, const DecodeSlice& slice, float scale,
                          const DecodePiece& piece, const DecodePiece& next, float* partials);
  // Combines a query's partial results in order: `partials` is the result of part 0.
  void (*join)(const float* partials, const DecodeShape& shape, std::span<const DecodePiece> pieces, float* result);
  // Results of a tile's queries.
  void (*attend_to_prompt)(const ggml_tensor* node, const PromptTile& tile, float scale, const PromptDesk& desk);
};
