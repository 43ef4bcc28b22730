#include "sampling/sampling.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <ranges>

#include "base/coded_error.h"
#include "kernels/vector_math.h"

namespace {

constexpr float kLeastFinite = std::numeric_limits<float>::lowest();
constexpr float kLeastWeight = std::numeric_limits<float>::denorm_min();

// Below this, exp(difference / temperature) overflows single precision; use the limit, which is greedy.
constexpr double kTemperatureMin = 1e-5;

// A generous bound on the rounding error of a logit that is converted to a weight and back.
constexpr double kRoundingLogits = 1e-2;
// A weight's bucket is the top of its bits: the exponent and three more bits, so each factor of two has eight buckets.
constexpr uint32_t kBucketShift = 20;
constexpr size_t kBuckets = (std::bit_cast<uint32_t>(1.0f) >> kBucketShift) + 1;

// From this number of candidates on, a radix sort is used.
constexpr size_t kRadixCandidatesMin = 4096;
constexpr size_t kDigitBits = 11;
constexpr size_t kDigits = size_t{1} << kDigitBits;
constexpr size_t kPasses = 3;
static_assert(kPasses * kDigitBits >= 32);

bool more_likely(const Candidate& a, const Candidate& b) {
  return a.logit > b.logit || (a.logit == b.logit && a.token < b.token);
}

// Increases as the logit decreases; −0 and 0 are equal.
uint32_t rank_bits(float logit) {
  const auto bits = std::bit_cast<uint32_t>(logit + 0.0f);
  return bits >> 31 != 0 ? bits : ~bits & 0x7FFFFFFF;
}

// Sorts by `more_likely`, and candidates with equal logits by id. A caller can request a distribution so flat that the
// whole vocabulary is sorted for every token and row, so this must take linear time.
void sort_candidates(std::vector<Candidate>& candidates, std::vector<Candidate>& sorted) {
  if (candidates.size() < kRadixCandidatesMin) {
    std::sort(candidates.begin(), candidates.end(), more_likely);
    return;
  }
  std::array<std::array<uint32_t, kDigits>, kPasses> ends{};
  for (const Candidate& candidate : candidates) {
    const uint32_t bits = rank_bits(candidate.logit);
    for (size_t pass = 0; pass < kPasses; ++pass) ++ends[pass][bits >> pass * kDigitBits & (kDigits - 1)];
  }
  sorted.resize(candidates.size());
  for (size_t pass = 0; pass < kPasses; ++pass) {
    std::exclusive_scan(ends[pass].begin(), ends[pass].end(), ends[pass].begin(), 0u);
    for (const Candidate& candidate : candidates) {
      const uint32_t digit = rank_bits(candidate.logit) >> pass * kDigitBits & (kDigits - 1);
      sorted[ends[pass][digit]++] = candidate;
    }
    candidates.swap(sorted);
  }
}

float find_greatest(std::span<const float> logits, SamplingScratch& scratch) {
  scratch.block_maxima.resize(block_count(logits.size()));
  const bool ordered = find_block_maxima(logits.data(), logits.size(), scratch.block_maxima.data());
  const float greatest = *std::max_element(scratch.block_maxima.begin(), scratch.block_maxima.end());
  if (!ordered || !std::isfinite(greatest)) {
    throw CodedError("ERR_LOGITS_INVALID", "the model computed logits that are not numbers");
  }
  return greatest;
}

int32_t first_index_of(std::span<const float> logits, float value, const SamplingScratch& scratch) {
  const auto block = std::find(scratch.block_maxima.begin(), scratch.block_maxima.end(), value);
  const size_t start = static_cast<size_t>(block - scratch.block_maxima.begin()) * kBlock;
  const auto found = std::find(logits.begin() + static_cast<ptrdiff_t>(start), logits.end(), value);
  return static_cast<int32_t>(found - logits.begin());
}

// Leaves the `count` most likely tokens with a logit of at least `least` in `scratch.candidates`, best first. The
// count-th greatest block maximum is a lower bound of the count-th greatest logit, so only the few blocks that reach it
// are read.
void gather_best(std::span<const float> logits, size_t count, float least, SamplingScratch& scratch) {
  const auto& maxima = scratch.block_maxima;
  float threshold = least;
  if (count < maxima.size()) {
    scratch.ordered_maxima = maxima;
    const auto nth = scratch.ordered_maxima.begin() + static_cast<ptrdiff_t>(count - 1);
    std::nth_element(scratch.ordered_maxima.begin(), nth, scratch.ordered_maxima.end(), std::greater<>());
    threshold = std::max(threshold, *nth);
  }
  auto& best = scratch.candidates;
  best.clear();
  for (size_t block = 0; block < maxima.size(); ++block) {
    if (maxima[block] < threshold) continue;
    const size_t end = std::min(logits.size(), (block + 1) * kBlock);
    for (size_t index = block * kBlock; index < end; ++index) {
      if (logits[index] >= threshold) best.push_back({logits[index], static_cast<int32_t>(index)});
    }
  }
  if (best.size() > count && count < kRadixCandidatesMin) {
    std::nth_element(best.begin(), best.begin() + static_cast<ptrdiff_t>(count), best.end(), more_likely);
    best.resize(count);
  }
  sort_candidates(best, scratch.sorted);
  if (best.size() > count) best.resize(count);
}

int32_t draw_from_top_k(std::span<const float> logits, const SamplingParameters& parameters, float greatest,
                        float least, double draw, SamplingScratch& scratch) {
  gather_best(logits, static_cast<size_t>(parameters.top_k), least, scratch);
  const double scale = 1 / parameters.temperature;
  auto& masses = scratch.masses;  // Running sums, best first.
  masses.clear();
  double sum = 0;
  for (const Candidate& candidate : scratch.candidates) {
    sum += std::exp((static_cast<double>(candidate.logit) - greatest) * scale);
    masses.push_back(sum);
  }
  const auto index_of = [&](auto found, size_t end) {
    return std::min(end, static_cast<size_t>(found - masses.begin()));
  };
  const size_t last =
      index_of(std::lower_bound(masses.begin(), masses.end(), sum * parameters.top_p), masses.size() - 1);
  const auto nucleus_end = masses.begin() + static_cast<ptrdiff_t>(last + 1);
  const auto drawn = std::upper_bound(masses.begin(), nucleus_end, draw * masses[last]);
  return scratch.candidates[index_of(drawn, last)].token;
}

// Draws one of `tokens` in proportion to `scratch.weights`, in their order.
template <typename Tokens>
int32_t draw_from_weights(const Tokens& tokens, double target, const SamplingScratch& scratch) {
  double sum = 0;
  int32_t last = 0;
  for (const int32_t token : tokens) {
    const float weight = scratch.weights[static_cast<size_t>(token)];
    if (weight == 0) continue;
    sum += weight;
    last = token;
    if (sum > target) return last;
  }
  return last;
}

// Leaves the tokens of at least this weight in `scratch.heavy`, ordered by id. Skips blocks whose greatest logit is
// below `bound`. No branch depends on a single weight, because such a branch would be unpredictable.
std::span<const int32_t> find_heavy(float weight, float bound, SamplingScratch& scratch) {
  const auto& weights = scratch.weights;
  scratch.heavy.resize(weights.size());
  size_t found = 0;
  for (size_t block = 0; block < scratch.block_maxima.size(); ++block) {
    if (scratch.block_maxima[block] < bound) continue;
    const size_t end = std::min(weights.size(), (block + 1) * kBlock);
    for (size_t index = block * kBlock; index < end; ++index) {
      scratch.heavy[found] = static_cast<int32_t>(index);
      found += weights[index] >= weight ? 1 : 0;
    }
  }
  return {scratch.heavy.data(), found};
}

// Draws from the most likely tokens that together have `mass` of the `total`. Whole buckets of similar weight are taken
// until one crosses the mass, and only that bucket is sorted.
int32_t draw_from_nucleus(std::span<const float> logits, double total, double mass, float greatest, double scale,
                          double draw, SamplingScratch& scratch) {
  auto& weights = scratch.weights;
  const auto weight_of = [&](int32_t token) -> float& { return weights[static_cast<size_t>(token)]; };
  // All tokens lighter than this have, together, less than half of the mass outside the nucleus.
  const double light = (total - mass) / (2 * static_cast<double>(logits.size()));
  const double bound = greatest + std::log(std::max<double>(light, kLeastWeight)) / scale - kRoundingLogits;
  const auto heavy = find_heavy(std::max(static_cast<float>(light), kLeastWeight), static_cast<float>(bound), scratch);

  const auto bucket_of = [](float weight) {
    return std::min<size_t>(kBuckets - 1, std::bit_cast<uint32_t>(weight) >> kBucketShift);
  };
  auto& masses = scratch.masses;
  masses.assign(kBuckets, 0.0);
  for (const int32_t token : heavy) masses[bucket_of(weight_of(token))] += weight_of(token);
  size_t crossing = kBuckets - 1;
  double whole = 0;
  while (crossing > 0 && whole + masses[crossing] < mass) whole += masses[crossing--];

  const float least = std::bit_cast<float>(static_cast<uint32_t>(crossing) << kBucketShift);
  const float next = crossing + 1 < kBuckets ? std::bit_cast<float>(static_cast<uint32_t>(crossing + 1) << kBucketShift)
                                             : std::numeric_limits<float>::infinity();
  auto& edge = scratch.candidates;
  edge.clear();
  for (const int32_t token : heavy) {
    float& weight = weight_of(token);
    if (weight >= next) continue;
    if (weight >= least) edge.push_back({logits[static_cast<size_t>(token)], token});
    weight = 0;
  }
  sort_candidates(edge, scratch.sorted);
  double sum = whole;
  for (const Candidate& candidate : edge) {
    const double weight = std::exp((static_cast<double>(candidate.logit) - greatest) * scale);
    weight_of(candidate.token) = static_cast<float>(weight);
    sum += weight;
    if (sum >= mass) break;
  }
  return draw_from_weights(heavy, draw * sum, scratch);
}

uint64_t splitmix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

double uniform_draw(uint32_t seed, uint64_t index, uint32_t attempt) {
  const uint64_t bits = splitmix(splitmix(splitmix(seed) ^ index) ^ attempt);
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

int32_t choose_token(std::span<const float> logits, const SamplingParameters& parameters, double draw,
                     SamplingScratch& scratch) {
  const float greatest = find_greatest(logits, scratch);
  if (parameters.temperature < kTemperatureMin) return first_index_of(logits, greatest, scratch);

  const double scale = 1 / parameters.temperature;
  float least = kLeastFinite;
  if (parameters.min_p > 0) {
    const double bound = greatest + std::log(parameters.min_p) * parameters.temperature;
    least = std::max(least, static_cast<float>(bound));
    least = std::min(least, greatest);
  }
  if (parameters.top_k > 0 && static_cast<size_t>(parameters.top_k) < logits.size()) {
    return draw_from_top_k(logits, parameters, greatest, least, draw, scratch);
  }
  scratch.weights.resize(logits.size());
  const double total =
      exponentiate(logits.data(), logits.size(), greatest, static_cast<float>(scale), least, scratch.weights.data());
  if (parameters.top_p >= 1) {
    const auto all = std::views::iota(0, static_cast<int32_t>(logits.size()));
    return draw_from_weights(all, draw * total, scratch);
  }

  return draw_from_nucleus(logits, total, total * parameters.top_p, greatest, scale, draw, scratch);
}

RawDistribution::RawDistribution(std::span<const float> logits, int32_t top_count, SamplingScratch& scratch) {
  const float greatest = find_greatest(logits, scratch);
  scratch.weights.resize(logits.size());
  const double sum = exponentiate(logits.data(), logits.size(), greatest, 1, kLeastFinite, scratch.weights.data());
  log_sum_ = greatest + std::log(sum);
  if (top_count == 0) return;
  gather_best(logits, static_cast<size_t>(top_count), kLeastFinite, scratch);
  for (const Candidate& candidate : scratch.candidates) top_.push_back({candidate.token, logprob(candidate.logit)});
}
