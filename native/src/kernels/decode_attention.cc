#include "kernels/decode_attention.h"

#include <bit>
#include <span>
#include <vector>

#include "kernels/attention_math.h"

namespace {

constexpr int64_t kPart = 64;       // Positions of one partial result.
constexpr int64_t kTokensMax = 16;  // Per sequence; prompt_attention.cc handles more.
constexpr int kHeadsAtOnce = 4;     // Queries whose sums fit into registers together.
constexpr int kKeysAtOnce = 4;
constexpr int kColumnsAtOnce = 4;                        // Vectors of sixteen floats.
constexpr int64_t kPartialFloatsMax = int64_t{4} << 20;  // Partial results at a time, unless one query has more.
constexpr int64_t kNotes = kLanes;  // After a partial sum: the greatest score and the sum of the weights.

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

  // The minimum number of calls to Ahead::some().
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

// The queries of some heads of one token, and the keys and values that these heads share: rows at a stride in bytes.
struct Task {
  const float* queries[kHeadsAtOnce];
  float* partials[kHeadsAtOnce];
  const char* keys;
  const char* values;
  size_t key_bytes, value_bytes;
  int64_t key_width, value_width;
  float scale;
};

// Prefetches the keys and values of the next block, a few cache lines at a time: loading them takes as long as the work
// on the current block.
class Ahead {
 public:
  // Rows of `rows_bytes` each, with the heads adjacent; some() will be called `calls` times.
  Ahead(const char* keys, const char* values, int64_t key_bytes, int64_t value_bytes, int64_t calls)
      : ranges_{{keys, keys + key_bytes}, {values, values + value_bytes}},
        bytes_per_call_((key_bytes + value_bytes) / calls / kLine * kLine + kLine) {}

  [[gnu::always_inline]] void some() {
    int64_t left = bytes_per_call_;
    for (auto& [next, end] : ranges_) {
      for (; left > 0 && next < end; next += kLine, left -= kLine) _mm_prefetch(next, _MM_HINT_T1);
    }
  }

 private:
  static constexpr int64_t kLine = 64;
  struct Range {
    const char *next, *end;
  };
  Range ranges_[2];
  int64_t bytes_per_call_;
};

// Products of the queries with a block of keys.
template <typename Format, int heads>
[[gnu::always_inline]] inline void multiply_keys(const Task& task, Ahead& ahead, float (&products)[heads][kBlock]) {
  for (int64_t position = 0; position < kBlock; position += kKeysAtOnce) {
    const char* row = task.keys + static_cast<size_t>(position) * task.key_bytes;
    __m512 sums[kLanes];
    for (auto& sum : sums) sum = _mm512_setzero_ps();
    ahead.some();
    for (int64_t column = 0; column < task.key_width; column += Format::kColumns) {
#pragma GCC unroll 4
      for (int key = 0; key < kKeysAtOnce; ++key) {
        const char* span = span_at<Format>(row + key * task.key_bytes, column);
#pragma GCC unroll 2
        for (int vector = 0; vector < Format::kVectors; ++vector) {
          const __m512 factor = Format::unpack(span, vector);
#pragma GCC unroll 4
          for (int head = 0; head < heads; ++head) {
            __m512& sum = sums[head * kKeysAtOnce + key];
            sum = _mm512_fmadd_ps(factor, _mm512_loadu_ps(task.queries[head] + column + vector * kLanes), sum);
          }
        }
      }
    }
    alignas(64) float all[kLanes];
    _mm512_store_ps(all, sums_of(sums));
    for (int head = 0; head < heads; ++head) {
      for (int key = 0; key < kKeysAtOnce; ++key) products[head][position + key] = all[head * kKeysAtOnce + key];
    }
  }
}

// Adds a block of weighted values to `columns` vectors of each head's sum.
template <typename Format, int heads, int columns>
[[gnu::always_inline]] inline void add_values(const Task& task, int64_t column, uint32_t seen, Ahead& ahead,
                                              const float (&weights)[heads][kBlock], const float (&shrunk)[heads]) {
  __m512 sums[heads][columns];
  for (int head = 0; head < heads; ++head) {
    for (int i = 0; i < columns; ++i) {
      const __m512 sum = _mm512_load_ps(task.partials[head] + column + i * kLanes);
      sums[head][i] = _mm512_mul_ps(sum, _mm512_set1_ps(shrunk[head]));
    }
  }
  for (; seen != 0; seen &= seen - 1) {
    const int position = std::countr_zero(seen);
    const char* first = span_at<Format>(task.values + static_cast<size_t>(position) * task.value_bytes, column);
    if (position % kKeysAtOnce == 0) ahead.some();
    __m512 values[columns];
    for (int i = 0; i < columns; ++i) {
      values[i] = Format::unpack(first + i / Format::kVectors * Format::kBytes, i % Format::kVectors);
    }
    for (int head = 0; head < heads; ++head) {
      const __m512 weight = _mm512_set1_ps(weights[head][position]);
      for (int i = 0; i < columns; ++i) sums[head][i] = _mm512_fmadd_ps(weight, values[i], sums[head][i]);
    }
  }
  for (int head = 0; head < heads; ++head) {
    for (int i = 0; i < columns; ++i) _mm512_store_ps(task.partials[head] + column + i * kLanes, sums[head][i]);
  }
}

bool sees_any(const uint16_t* mask, int64_t begin, int64_t end) {
  uint32_t seen = 0;
  for (int64_t position = begin; position < end; position += kBlock) seen |= seen_in(mask + position);
  return seen != 0;
}

template <typename Format, int heads>
void attend_to_block(const Task& task, const uint16_t* mask, Ahead& ahead) {
  const uint32_t seen = seen_in(mask);
  if (seen == 0) return;
  float weights[heads][kBlock], shrunk[heads];
  multiply_keys<Format, heads>(task, ahead, weights);
  for (int head = 0; head < heads; ++head) {
    shrunk[head] = weigh(weights[head], mask, task.scale, task.partials[head] + task.value_width);
  }
  int64_t column = 0;
  constexpr int64_t kStep = kColumnsAtOnce * kLanes;
  for (; task.value_width - column >= kStep; column += kStep) {
    add_values<Format, heads, kColumnsAtOnce>(task, column, seen, ahead, weights, shrunk);
  }
  for (; column < task.value_width; column += Format::kColumns) {
    add_values<Format, heads, Format::kVectors>(task, column, seen, ahead, weights, shrunk);
  }
}

using AttendToBlock = void (*)(const Task&, const uint16_t*, Ahead&);
template <typename Format>
constexpr AttendToBlock kAttendToBlock[] = {attend_to_block<Format, 1>, attend_to_block<Format, 2>,
                                            attend_to_block<Format, 3>, attend_to_block<Format, 4>};

// Sets a partial result to the result for no positions.
void clear(float* partial, const Shape& shape) {
  std::fill_n(partial, shape.partial_floats, 0.0f);
  partial[shape.value_width] = kNothing;
}

// Attention of all heads' queries of one token to a block of the sequence's context.
void attend_with_all_heads(const ggml_tensor* node, const Shape& shape, float scale, int64_t sequence, int64_t token,
                           int64_t position, float* partials, Ahead& ahead) {
  const ggml_tensor *keys = node->src[1], *values = node->src[2];
  const auto* mask = at<uint16_t>(node->src[3], token, 0, sequence) + position;
  const auto& attend_with = keys->type == KvQ8::kType ? kAttendToBlock<KvQ8> : kAttendToBlock<KvF16>;
  for (int64_t key_head = 0; key_head < shape.key_heads; ++key_head) {
    const int64_t heads_end = (key_head + 1) * shape.group;
    for (int64_t first = key_head * shape.group; first < heads_end; first += kHeadsAtOnce) {
      const int64_t heads = std::min<int64_t>(heads_end - first, kHeadsAtOnce);
      Task task{{},
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
    Ahead ahead(at<char>(keys, later, 0, later_sequence), at<char>(values, later, 0, later_sequence),
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
