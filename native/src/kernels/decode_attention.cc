#include "kernels/decode_attention.h"

#include <span>
#include <vector>

#include "kernels/attention_math.h"
#include "kernels/decode_block.h"

namespace {

constexpr int64_t kPart = 64;                            // Positions of one partial result.
constexpr int64_t kTokensMax = 16;                       // Per sequence; prompt_attention.cc handles more.
constexpr int64_t kPartialFloatsMax = int64_t{4} << 20;  // Partial results at a time, unless one query has more.
constexpr int64_t kNotes = kLanes;                       // After a partial sum: its greatest score and sum of weights.

struct Shape {
  explicit Shape(const ggml_tensor* node)
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

  // The minimum number of calls to ContextAhead::some().
  int64_t calls_per_block() const {
    return tokens_at_once * key_heads * ((group + kHeadsAtOnce - 1) / kHeadsAtOnce) * 2 * (kBlock / kKeysAtOnce);
  }
  int64_t partial(int64_t sequence, int64_t head, int64_t token, int64_t part) const {
    const int64_t first = (sequence % sequences_at_once * heads + head) * tokens_at_once;
    return ((first + token % tokens_at_once) * parts + part) * partial_floats;
  }

  int64_t key_width, value_width, tokens, heads, sequences, positions, key_heads, group, parts, partial_floats;
  int64_t tokens_at_once, sequences_at_once;
};

// The queries that are computed together, so that partial results need little memory however long the contexts are.
struct Slice {
  Slice(const Shape& shape, int64_t sequence, int64_t token)
      : first_sequence(sequence),
        sequences(std::min(shape.sequences_at_once, shape.sequences - sequence)),
        first_token(token),
        tokens(std::min(shape.tokens_at_once, shape.tokens - token)) {}

  int64_t first_sequence, sequences, first_token, tokens;
};

// A part of a sequence's context that some of its tokens attend to.
struct Piece {
  int64_t sequence, part;
};

// cpu_kernels.cc checks that the CPU supports these before it calls anything here.
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,fma,f16c")

bool sees_any(const uint16_t* mask, int64_t begin, int64_t end) {
  uint32_t seen = 0;
  for (int64_t position = begin; position < end; position += kBlock) seen |= seen_in(mask + position);
  return seen != 0;
}

// Sets a partial result to the result for no positions.
void clear(float* partial, const Shape& shape) {
  std::fill_n(partial, shape.partial_floats, 0.0f);
  partial[shape.value_width] = kNothing;
}

// Attention of all heads' queries of one token to a block of the sequence's context.
void attend_with_all_heads(const ggml_tensor* node, const Shape& shape, float scale, int64_t sequence, int64_t token,
                           int64_t position, float* partials, ContextAhead& ahead) {
  const ggml_tensor *keys = node->src[1], *values = node->src[2];
  const auto* mask = at<uint16_t>(node->src[3], token, 0, sequence) + position;
  const auto& attend_with = keys->type == KvQ8::kType ? kAttendToBlock<KvQ8> : kAttendToBlock<KvF16>;
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
        task.partials[index] = partials + shape.partial(sequence, first + index, token, position / kPart);
      }
      attend_with[heads - 1](task, mask, ahead);
    }
  }
}

// Attention of a slice's queries to the positions of a piece, for the piece's sequence.
void attend_to_piece(const ggml_tensor* node, const Shape& shape, const Slice& slice, float scale, const Piece& piece,
                     const Piece& next, float* partials) {
  const ggml_tensor *keys = node->src[1], *values = node->src[2];
  const int64_t tokens_end = slice.first_token + slice.tokens;
  for (int64_t head = 0; head < shape.heads; ++head) {
    for (int64_t token = slice.first_token; token < tokens_end; ++token) {
      clear(partials + shape.partial(piece.sequence, head, token, piece.part), shape);
    }
  }
  const int64_t end = std::min((piece.part + 1) * kPart, shape.positions);
  for (int64_t position = piece.part * kPart; position < end; position += kBlock) {
    const bool last = position + kBlock >= end;
    const int64_t later = last ? next.part * kPart : position + kBlock;
    const int64_t later_sequence = last ? next.sequence : piece.sequence;
    ContextAhead ahead(at<char>(keys, later, 0, later_sequence), at<char>(values, later, 0, later_sequence),
                       kBlock * static_cast<int64_t>(keys->nb[1]), kBlock * static_cast<int64_t>(values->nb[1]),
                       shape.calls_per_block());
    for (int64_t token = slice.first_token; token < tokens_end; ++token) {
      attend_with_all_heads(node, shape, scale, piece.sequence, token, position, partials, ahead);
    }
  }
}

// Combines a query's partial results in order: `partials` is the result of part 0.
void join(const float* partials, const Shape& shape, std::span<const Piece> pieces, float* result) {
  const auto of = [&](const Piece& piece) { return partials + piece.part * shape.partial_floats; };
  float greatest = kNothing;
  for (const Piece& piece : pieces) greatest = std::max(greatest, of(piece)[shape.value_width]);
  std::fill_n(result, shape.value_width, 0.0f);
  float total = 0;
  for (const Piece& piece : pieces) {
    const float* notes = of(piece) + shape.value_width;
    if (notes[1] == 0) continue;  // No positions. A NaN score may leave no greatest score, but it leaves a sum.
    const __m512 factor = exp_of(_mm512_set1_ps(notes[0] - greatest));
    total += _mm512_cvtss_f32(factor) * notes[1];
    for (int64_t column = 0; column < shape.value_width; column += kLanes) {
      const __m512 sum = _mm512_fmadd_ps(factor, _mm512_load_ps(of(piece) + column), _mm512_loadu_ps(result + column));
      _mm512_storeu_ps(result + column, sum);
    }
  }
  const __m512 inverse = _mm512_set1_ps(total == 0.0f ? 0.0f : 1.0f / total);
  for (int64_t column = 0; column < shape.value_width; column += kLanes) {
    _mm512_storeu_ps(result + column, _mm512_mul_ps(_mm512_loadu_ps(result + column), inverse));
  }
}

#pragma GCC pop_options

// Lists the pieces of a slice's sequences in order; the pieces of the n-th sequence start at `firsts[n]`.
void list_pieces(const ggml_tensor* node, const Shape& shape, const Slice& slice, std::vector<Piece>& pieces,
                 std::vector<size_t>& firsts) {
  pieces.clear();
  firsts.clear();
  for (int64_t index = 0; index < slice.sequences; ++index) {
    const int64_t sequence = slice.first_sequence + index;
    firsts.push_back(pieces.size());
    for (int64_t part = 0; part < shape.parts; ++part) {
      bool seen = false;
      for (int64_t token = 0; token < slice.tokens && !seen; ++token) {
        const int64_t end = std::min((part + 1) * kPart, shape.positions);
        seen = sees_any(at<uint16_t>(node->src[3], slice.first_token + token, 0, sequence), part * kPart, end);
      }
      if (seen) pieces.push_back({sequence, part});
    }
  }
  firsts.push_back(pieces.size());
}

// One thread's share of a slice.
void attend_to_slice(const ggml_tensor* node, const Shape& shape, const Slice& slice, float scale, int thread,
                     int threads, float* partials, SpinBarrier& barrier) {
  static thread_local std::vector<Piece> pieces;
  static thread_local std::vector<size_t> firsts;
  list_pieces(node, shape, slice, pieces, firsts);
  // Each thread takes adjacent pieces, so that it prefetches its own data.
  const auto begin_of = [&](int index) {
    return pieces.size() * static_cast<size_t>(index) / static_cast<size_t>(threads);
  };
  for (size_t index = begin_of(thread); index < begin_of(thread + 1); ++index) {
    const Piece& next = pieces[std::min(index + 1, pieces.size() - 1)];
    attend_to_piece(node, shape, slice, scale, pieces[index], next, partials);
  }
  barrier.wait(threads);
  for (int64_t query = thread; query < slice.sequences * shape.heads * slice.tokens; query += threads) {
    const int64_t token = slice.first_token + query % slice.tokens, rest = query / slice.tokens;
    const int64_t head = rest % shape.heads, index = rest / shape.heads;
    const auto first = firsts[static_cast<size_t>(index)], end = firsts[static_cast<size_t>(index) + 1];
    const int64_t sequence = slice.first_sequence + index;
    join(partials + shape.partial(sequence, head, token, 0), shape, std::span(pieces).subspan(first, end - first),
         at<float>(node, head, token, sequence));
  }
}

}  // namespace

bool DecodeAttention::can_compute(const ggml_tensor* node) {
  return is_plain_attention(node) && node->src[0]->ne[1] <= kTokensMax;
}

void DecodeAttention::prepare(const ggml_tensor* node) {
  const Shape shape(node);
  const int64_t queries = shape.sequences_at_once * shape.heads * shape.tokens_at_once;
  partials_ = scratch_.floats(static_cast<size_t>(queries * shape.parts * shape.partial_floats));
}

void DecodeAttention::compute(ggml_tensor* node, float scale, int thread, int threads) {
  const Shape shape(node);
  for (int64_t sequence = 0; sequence < shape.sequences; sequence += shape.sequences_at_once) {
    for (int64_t token = 0; token < shape.tokens; token += shape.tokens_at_once) {
      // Wait until the previous slice's partial results may be overwritten.
      if (sequence > 0 || token > 0) barrier_.wait(threads);
      attend_to_slice(node, shape, Slice(shape, sequence, token), scale, thread, threads, partials_, barrier_);
    }
  }
}
