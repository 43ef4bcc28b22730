#include "kernels/decode_attention.h"

#include <span>
#include <vector>

#include "kernels/instruction_set.h"

namespace {

constexpr int64_t kTokensMax = 16;  // Per sequence; prompt_attention.cc handles more.

const Attention& attention() { return instruction_set()->attention; }

// Lists the pieces of a slice's sequences in order; the pieces of the n-th sequence start at `firsts[n]`.
void list_pieces(const ggml_tensor* node, const DecodeShape& shape, const DecodeSlice& slice,
                 std::vector<DecodePiece>& pieces, std::vector<size_t>& firsts) {
  pieces.clear();
  firsts.clear();
  for (int64_t index = 0; index < slice.sequences; ++index) {
    const int64_t sequence = slice.first_sequence + index;
    firsts.push_back(pieces.size());
    for (int64_t part = 0; part < shape.parts; ++part) {
      bool seen = false;
      for (int64_t token = 0; token < slice.tokens && !seen; ++token) {
        const int64_t end = std::min((part + 1) * DecodeShape::kPart, shape.positions);
        seen = attention().sees_any(at<uint16_t>(node->src[3], slice.first_token + token, 0, sequence),
                                    part * DecodeShape::kPart, end);
      }
      if (seen) pieces.push_back({sequence, part});
    }
  }
  firsts.push_back(pieces.size());
}

// One thread's share of a slice.
void attend_to_slice(const ggml_tensor* node, const DecodeShape& shape, const DecodeSlice& slice, float scale,
                     int thread, int threads, float* partials, SpinBarrier& barrier) {
  static thread_local std::vector<DecodePiece> pieces;
  static thread_local std::vector<size_t> firsts;
  list_pieces(node, shape, slice, pieces, firsts);
  // Each thread takes adjacent pieces, so that it prefetches its own data.
  const auto begin_of = [&](int index) {
    return pieces.size() * static_cast<size_t>(index) / static_cast<size_t>(threads);
  };
  for (size_t index = begin_of(thread); index < begin_of(thread + 1); ++index) {
    const DecodePiece& next = pieces[std::min(index + 1, pieces.size() - 1)];
    attention().attend_to_piece(node, shape, slice, scale, pieces[index], next, partials);
  }
  barrier.wait(threads);
  for (int64_t query = thread; query < slice.sequences * shape.heads * slice.tokens; query += threads) {
    const int64_t token = slice.first_token + query % slice.tokens, rest = query / slice.tokens;
    const int64_t head = rest % shape.heads, index = rest / shape.heads;
    const auto first = firsts[static_cast<size_t>(index)], end = firsts[static_cast<size_t>(index) + 1];
    const int64_t sequence = slice.first_sequence + index;
    attention().join(partials + shape.partial(sequence, head, token, 0), shape,
                     std::span(pieces).subspan(first, end - first), at<float>(node, head, token, sequence));
  }
}

}  // namespace

bool DecodeAttention::can_compute(const ggml_tensor* node) {
  return is_plain_attention(node) && node->src[0]->ne[1] <= kTokensMax;
}

void DecodeAttention::prepare(const ggml_tensor* node) {
  const DecodeShape shape(node);
  const int64_t queries = shape.sequences_at_once * shape.heads * shape.tokens_at_once;
  partials_ = scratch_.floats(static_cast<size_t>(queries * shape.parts * shape.partial_floats));
}

void DecodeAttention::compute(ggml_tensor* node, float scale, int thread, int threads) {
  const DecodeShape shape(node);
  for (int64_t sequence = 0; sequence < shape.sequences; sequence += shape.sequences_at_once) {
    for (int64_t token = 0; token < shape.tokens; token += shape.tokens_at_once) {
      // Wait until the previous slice's partial results may be overwritten.
      if (sequence > 0 || token > 0) barrier_.wait(threads);
      attend_to_slice(node, shape, DecodeSlice(shape, sequence, token), scale, thread, threads, partials_, barrier_);
    }
  }
}
