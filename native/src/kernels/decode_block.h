#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/attention_math.h"

// Attention of some heads of one token to one block of keys and values, which these heads share.

#include "kernels/simd_begin.h"

// Together, as many sums as a vector has lanes.
inline constexpr int kHeadsAtOnce = 4;
inline constexpr int kKeysAtOnce = kWidth / kHeadsAtOnce;

// The queries of some heads of one token, and the keys and values that these heads share: rows at a stride in bytes.
struct HeadsTask {
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
class ContextAhead {
 public:
  // `keys` and `values`: those of all heads, adjacent in memory. some() will be called `calls` times.
  ContextAhead(const char* keys, const char* values, int64_t key_bytes, int64_t value_bytes, int64_t calls)
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
[[gnu::always_inline]] inline void multiply_keys(const HeadsTask& task, ContextAhead& ahead,
                                                 float (&products)[heads][kBlock]) {
  for (int64_t position = 0; position < kBlock; position += kKeysAtOnce) {
    const char* row = task.keys + static_cast<size_t>(position) * task.key_bytes;
    Floats sums[kWidth];
    for (auto& sum : sums) sum = zeros();
    ahead.some();
    for (int64_t column = 0; column < task.key_width; column += Format::kColumns) {
#pragma GCC unroll 4
      for (int key = 0; key < kKeysAtOnce; ++key) {
        const char* span = span_at<Format>(row + key * task.key_bytes, column);
#pragma GCC unroll 4
        for (int vector = 0; vector < Format::kVectors; ++vector) {
          const Floats factor = Format::unpack(span, vector);
#pragma GCC unroll 4
          for (int head = 0; head < heads; ++head) {
            Floats& sum = sums[head * kKeysAtOnce + key];
            sum = multiply_add(factor, load(task.queries[head] + column + vector * kWidth), sum);
          }
        }
      }
    }
    float totals[kWidth];
    store(totals, totals_of(sums));
    for (int head = 0; head < heads; ++head) {
      for (int key = 0; key < kKeysAtOnce; ++key) products[head][position + key] = totals[head * kKeysAtOnce + key];
    }
  }
}

// Adds a block of weighted values to `columns` vectors of each head's sum.
template <typename Format, int heads, int columns>
[[gnu::always_inline]] inline void add_values(const HeadsTask& task, int64_t column, uint32_t seen, ContextAhead& ahead,
                                              const float (&weights)[heads][kBlock], const float (&shrunk)[heads]) {
  // The column begins a span, unless a span has more vectors.
  const int first_vector = columns % Format::kVectors == 0 ? 0 : static_cast<int>(column % Format::kColumns) / kWidth;
  Floats sums[heads][columns];
  for (int head = 0; head < heads; ++head) {
    for (int i = 0; i < columns; ++i) {
      sums[head][i] = load(task.partials[head] + column + i * kWidth) * all(shrunk[head]);
    }
  }
  for (; seen != 0; seen &= seen - 1) {
    const int position = std::countr_zero(seen);
    const char* first = span_at<Format>(task.values + static_cast<size_t>(position) * task.value_bytes, column);
    if (position % kKeysAtOnce == 0) ahead.some();
    Floats values[columns];
    for (int i = 0; i < columns; ++i) {
      values[i] = Format::unpack(first + i / Format::kVectors * Format::kBytes, first_vector + i % Format::kVectors);
    }
    for (int head = 0; head < heads; ++head) {
      const Floats weight = all(weights[head][position]);
      for (int i = 0; i < columns; ++i) sums[head][i] = multiply_add(weight, values[i], sums[head][i]);
    }
  }
  for (int head = 0; head < heads; ++head) {
    for (int i = 0; i < columns; ++i) store(task.partials[head] + column + i * kWidth, sums[head][i]);
  }
}

template <typename Format, int heads>
void attend_to_block(const HeadsTask& task, const uint16_t* mask, ContextAhead& ahead) {
  const uint32_t seen = seen_in(mask);
  if (seen == 0) return;
  float weights[heads][kBlock], shrunk[heads];
  multiply_keys<Format, heads>(task, ahead, weights);
  for (int head = 0; head < heads; ++head) {
    shrunk[head] = weigh(weights[head], mask, task.scale, task.partials[head] + task.value_width);
  }
  int64_t column = 0;
  constexpr int kColumnsAtOnce = kWidth / kHeadsAtOnce;  // In vectors.
  constexpr int64_t kStep = kColumnsAtOnce * kWidth;
  for (; task.value_width - column >= kStep; column += kStep) {
    add_values<Format, heads, kColumnsAtOnce>(task, column, seen, ahead, weights, shrunk);
  }
  if constexpr (kStep > Format::kColumns) {
    for (; column < task.value_width; column += Format::kColumns) {
      add_values<Format, heads, Format::kVectors>(task, column, seen, ahead, weights, shrunk);
    }
  }
}

using AttendToBlock = void (*)(const HeadsTask&, const uint16_t*, ContextAhead&);
template <typename Format>
inline constexpr AttendToBlock kAttendToBlock[] = {attend_to_block<Format, 1>, attend_to_block<Format, 2>,
                                                   attend_to_block<Format, 3>, attend_to_block<Format, 4>};

#include "kernels/simd_end.h"
