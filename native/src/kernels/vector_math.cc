#include "kernels/vector_math.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kernels/lanes.h"

// The compiler splits vectors wider than the baseline's registers, so one source serves every clone.
#define CLONED [[gnu::target_clones("avx512f", "avx2", "default")]]

namespace {

// The longest sum in single precision; longer sums accumulate in double precision.
constexpr size_t kSumLength = 4096;

// Turns logits into weights.
[[gnu::always_inline]] inline void weigh(Lanes& logits, float greatest, float scale, float least) {
  Lanes x = (logits - greatest) * scale;
  exp_in_place(x);
  logits = logits >= least ? x : Lanes{};
}

[[gnu::always_inline]] inline void keep_greater(Lanes& lanes, const IntLanes& order) {
  const Lanes other = __builtin_shuffle(lanes, order);
  lanes = other > lanes ? other : lanes;
}

// Modifies its argument.
[[gnu::always_inline]] inline float greatest_lane(Lanes& lanes) {
  keep_greater(lanes, IntLanes{8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7});
  keep_greater(lanes, IntLanes{4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11});
  keep_greater(lanes, IntLanes{2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13});
  return lanes[1] > lanes[0] ? lanes[1] : lanes[0];
}

}  // namespace

CLONED bool find_block_maxima(const float* logits, size_t count, float* block_maxima) {
  constexpr float kLeast = -std::numeric_limits<float>::infinity();
  IntLanes unordered{};
  bool tail_unordered = false;
  for (size_t start = 0, block = 0; start < count; start += kBlock, ++block) {
    if (start + kBlock <= count) {
      Lanes greatest = Lanes{} + kLeast;
      for (size_t offset = 0; offset < kBlock; offset += kLanes) {
        Lanes x;
        std::memcpy(&x, logits + start + offset, sizeof x);
        unordered |= x != x;
        greatest = x > greatest ? x : greatest;
      }
      block_maxima[block] = greatest_lane(greatest);
    } else {
      float greatest = kLeast;
      for (size_t index = start; index < count; ++index) {
        tail_unordered |= logits[index] != logits[index];
        greatest = logits[index] > greatest ? logits[index] : greatest;
      }
      block_maxima[block] = greatest;
    }
  }
  int32_t any = 0;
  for (size_t lane = 0; lane < kLanes; ++lane) any |= unordered[lane];
  return any == 0 && !tail_unordered;
}

CLONED double exponentiate(const float* logits, size_t count, float greatest, float scale, float least,
                           float* weights) {
  double total = 0;
  size_t index = 0;
  while (index + kLanes <= count) {
    const size_t end = index + kSumLength < count ? index + kSumLength : count;
    Lanes sum{};
    for (; index + kLanes <= end; index += kLanes) {
      Lanes logit;
      std::memcpy(&logit, logits + index, sizeof logit);
      weigh(logit, greatest, scale, least);
      sum += logit;
      std::memcpy(weights + index, &logit, sizeof logit);
    }
    for (size_t lane = 0; lane < kLanes; ++lane) total += sum[lane];
  }
  if (index == count) return total;
  // The lanes past the end are −∞ and so are dropped: `least` is never below the lowest finite float.
  Lanes logit = Lanes{} - std::numeric_limits<float>::infinity();
  std::memcpy(&logit, logits + index, (count - index) * sizeof(float));
  weigh(logit, greatest, scale, least);
  std::memcpy(weights + index, &logit, (count - index) * sizeof(float));
  for (size_t lane = 0; lane < kLanes; ++lane) total += logit[lane];
  return total;
}

CLONED bool keep_only(const uint64_t* kept, float* logits, size_t count) {
  constexpr float kForbidden = -std::numeric_limits<float>::infinity();
  constexpr IntLanes kBits{1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                           1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
  IntLanes possible{};
  size_t index = 0;
  for (; index + kLanes <= count; index += kLanes) {
    const auto bits = static_cast<int32_t>(kept[index / 64] >> (index % 64) & 0xFFFF);
    Lanes x;
    std::memcpy(&x, logits + index, sizeof x);
    x = (kBits & bits) != 0 ? x : Lanes{} + kForbidden;
    possible |= x > kForbidden;
    std::memcpy(logits + index, &x, sizeof x);
  }
  int32_t left = 0;
  for (int lane = 0; lane < kLanes; ++lane) left |= possible[lane];
  for (; index < count; ++index) {
    if ((kept[index / 64] >> (index % 64) & 1) == 0) logits[index] = kForbidden;
    left |= logits[index] > kForbidden ? 1 : 0;
  }
  return left != 0;
}
