#pragma once

#include <cstddef>
#include <cstdint>

inline constexpr int64_t kKeyPanel = 48;  // Keys whose columns are stored together.

constexpr int64_t key_panels_of(int64_t tokens) { return (tokens + kKeyPanel - 1) / kKeyPanel; }

// One head of one text in which every token attends to all tokens.
struct TextHead {
  // Each [tokens, stride]; the first `width` numbers of a row belong to the head.
  const float* queries;
  const float* keys;
  const float* values;
  int64_t stride;
  int64_t tokens;
  int64_t width;  // A multiple of sixteen.
};

// The floats of scratch memory that `attend` needs for this many queries of a text with this many tokens.
size_t attention_floats(int64_t tokens, int64_t width, int64_t count);

// Writes [count, results_stride] for `count` queries, starting at `first`.
void attend(const TextHead& head, int64_t first, int64_t count, float* results, int64_t results_stride, float* scratch);
