#pragma once

#include "kernels/decode_block.h"

// Attention of a few new tokens per sequence, on one thread.

#include "kernels/simd_begin.h"

namespace {

bool sees_any(const uint16_t* mask, int64_t begin, int64_t end) {
  uint32_t seen = 0;
  for (int64_t position = begin; position < end; position += kBlock) seen |= seen_in(mask + position);
  return seen != 0;
}

// The minimum number of calls to ContextAhead::some().
int64_t calls_per_block(const DecodeShape& shape) {
  const int64_t groups = shape.key_heads * ((shape.group + kHeadsAtOnce - 1) / kHeadsAtOnce);
  return shape.tokens_at_once * groups * 2 * (kBlock / kKeysAtOnce);
}

// Sets a partial result to the result for no positions.
void clear(float* partial, const DecodeShape& shape) {
  std::fill_n(partial, shape.partial_floats, 0.0f);
  partial[shape.value_width] = kNothing;
}

// Attention of all heads' queries of one token to a block of the sequence's context.
void attend_with_all_heads(const ggml_tensor* node, const DecodeShape& shape, float scale, int64_t sequence,
                           int64_t token, int64_t position, float* partials, ContextAhead& ahead) {
  const ggml_tensor *keys = node->src[1], *values = node->src[2];
  const auto* mask = at<uint16_t>(node->src[3], token, 0, sequence) + position;
  const auto& attend_with = keys->type == GGML_TYPE_Q8_0 ? kAttendToBlock<KvQ8> : kAttendToBlock<KvF16>;
  for (int64_t key_head = 0; key_head < shape.key_heads; ++key_head) {
    const int64_t heads_end = (key_head + 1) * shape.group;
    for (int64_t first = key_head * shape.group; first < heads_end; first += kHeadsAtOnce) {
      const int64_t heads = std::min<int64_t>(heads_end - first, kHeadsAtOnce);
      HeadsTask task{{},
                     {},
                     at<char>(keys, position, key_head, sequence),
                     at<char>(values, position, key_head, sequence),
                     keys->nb[1],
                     values->nb[1],
                     shape.key_width,
                     shape.value_width,
                     scale};
      for (int64_t index = 0; index < heads; ++index) {
        task.queries[index] = at<float>(node->src[0], token, first + index, sequence);
        task.partials[index] = partials + shape.partial(sequence, first + index, token, position / DecodeShape::kPart);
      }
      attend_with[heads - 1](task, mask, ahead);
    }
  }
}

// Attention of a slice's queries to the positions of a piece, for the piece's sequence.
void attend_to_piece(const ggml_tensor* node, const DecodeShape& shape, const DecodeSlice& slice, float scale,
                     const DecodePiece& piece, const DecodePiece& next, float* partials) {
  const ggml_tensor *keys = node->src[1], *values = node->src[2];
  const int64_t tokens_end = slice.first_token + slice.tokens;
  for (int64_t head = 0; head < shape.heads; ++head) {
    for (int64_t token = slice.first_token; token < tokens_end; ++token) {
      clear(partials + shape.partial(piece.sequence, head, token, piece.part), shape);
    }
  }
  const int64_t end = std::min((piece.part + 1) * DecodeShape::kPart, shape.positions);
  for (int64_t position = piece.part * DecodeShape::kPart; position < end; position += kBlock) {
    const bool last = position + kBlock >= end;
    const int64_t later = last ? next.part * DecodeShape::kPart : position + kBlock;
    const int64_t later_sequence = last ? next.sequence : piece.sequence;
    ContextAhead ahead(at<char>(keys, later, 0, later_sequence), at<char>(values, later, 0, later_sequence),
                       kBlock * static_cast<int64_t>(keys->nb[1]), kBlock * static_cast<int64_t>(values->nb[1]),
                       calls_per_block(shape));
    for (int64_t token = slice.first_token; token < tokens_end; ++token) {
      attend_with_all_heads(node, shape, scale, piece.sequence, token, position, partials, ahead);
    }
  }
}

// Combines a query's partial results in order: `partials` is the result of part 0.
void join(const float* partials, const DecodeShape& shape, std::span<const DecodePiece> pieces, float* result) {
  const auto of = [&](const DecodePiece& piece) { return partials + piece.part * shape.partial_floats; };
  float greatest = kNothing;
  for (const DecodePiece& piece : pieces) greatest = std::max(greatest, of(piece)[shape.value_width]);
  std::fill_n(result, shape.value_width, 0.0f);
  float total = 0;
  for (const DecodePiece& piece : pieces) {
    const float* notes = of(piece) + shape.value_width;
    if (notes[1] == 0) continue;  // No positions. A NaN score may leave no greatest score, but it leaves a sum.
    const Floats factor = exp_of(all(notes[0] - greatest));
    total += first_of(factor) * notes[1];
    for (int64_t column = 0; column < shape.value_width; column += kWidth) {
      store(result + column, multiply_add(factor, load(of(piece) + column), load(result + column)));
    }
  }
  const Floats inverse = all(total == 0.0f ? 0.0f : 1.0f / total);
  for (int64_t column = 0; column < shape.value_width; column += kWidth) {
    store(result + column, load(result + column) * inverse);
  }
}

}  // namespace

#include "kernels/simd_end.h"
