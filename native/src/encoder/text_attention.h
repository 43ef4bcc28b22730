#pragma once

#include <cstddef>
#include <cstdint>

// One head of one text, whose tokens all see each other.
struct TextHead {
  // [tokens, stride] each; a row's first `width` numbers are the head's own.
  const float* queries;
  const float* keys;
  const float* values;
  int64_t stride;
  int64_t tokens;
  int64_t width;  // A multiple of sixteen.
};

// Numbers that `attend` needs of scratch memory for so many queries of a text with so many tokens.
size_t attention_floats(int64_t tokens, int64_t width, int64_t count);

// Writes [count, results_stride] for the `count` queries from `first` on.
void attend(const TextHead& head, int64_t first, int64_t count, float* results, int64_t results_stride, float* scratch);
