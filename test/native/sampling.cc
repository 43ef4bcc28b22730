// Compares the tokens that the sampler draws with those of a plain sampler that sorts the whole vocabulary, over random
// logits and parameters, and measures a draw from a flat distribution. Arguments: a seed and the number of cases.
#include "sampling/sampling.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

#include "kernels/vector_math.h"

namespace {

constexpr float kForbidden = -std::numeric_limits<float>::infinity();
constexpr size_t kFlatTokens = 131'072;

struct Weighed {
  Candidate candidate;
  float weight;
};

bool is_likelier(const Weighed& a, const Weighed& b) {
  const auto& [logit_a, token_a] = a.candidate;
  const auto& [logit_b, token_b] = b.candidate;
  return logit_a > logit_b || (logit_a == logit_b && token_a < token_b);
}

// Eighths of a factor of two: the weights of a whole eighth are added in the order of their ids.
uint32_t eighth_of(float weight) { return std::bit_cast<uint32_t>(weight) >> 20; }

int32_t draw_by_id(std::vector<Weighed>& nucleus, double target) {
  std::ranges::sort(nucleus, {}, [](const Weighed& one) { return one.candidate.token; });
  double sum = 0;
  for (const auto& [candidate, weight] : nucleus) {
    sum += weight;
    if (sum > target) return candidate.token;
  }
  return nucleus.back().candidate.token;
}

int32_t draw_from_top_k(const std::vector<Weighed>& sorted, const SamplingParameters& parameters, double draw) {
  const double scale = 1 / parameters.temperature;
  const double greatest = sorted.front().candidate.logit;
  std::vector<double> sums;
  for (size_t at = 0; at < std::min<size_t>(sorted.size(), static_cast<size_t>(parameters.top_k)); ++at) {
    const double weight = std::exp((sorted[at].candidate.logit - greatest) * scale);
    sums.push_back((sums.empty() ? 0 : sums.back()) + weight);
  }
  size_t last = 0;
  while (last + 1 < sums.size() && sums[last] < sums.back() * parameters.top_p) ++last;
  size_t drawn = 0;
  while (drawn < last && sums[drawn] <= draw * sums[last]) ++drawn;
  return sorted[drawn].candidate.token;
}

int32_t draw_from_nucleus(const std::vector<Weighed>& sorted, double mass, const SamplingParameters& parameters,
                          double draw) {
  const double scale = 1 / parameters.temperature;
  const double greatest = sorted.front().candidate.logit;
  std::vector<Weighed> nucleus;
  double sum = 0;
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    const auto end = std::find_if(
        begin, sorted.end(), [&](const Weighed& one) { return eighth_of(one.weight) != eighth_of(begin->weight); });
    std::vector<Weighed> eighth(begin, end);
    std::ranges::sort(eighth, {}, [](const Weighed& one) { return one.candidate.token; });
    double whole = 0;
    for (const Weighed& one : eighth) whole += one.weight;
    if (sum + whole >= mass || end == sorted.end()) {
      for (; begin != end; ++begin) {
        const double weight = std::exp((begin->candidate.logit - greatest) * scale);
        nucleus.push_back({begin->candidate, static_cast<float>(weight)});
        sum += weight;
        if (sum >= mass) break;
      }
      break;
    }
    sum += whole;
    nucleus.insert(nucleus.end(), begin, end);
    begin = end;
  }
  return draw_by_id(nucleus, draw * sum);
}

int32_t draw_plainly(const std::vector<float>& logits, const SamplingParameters& parameters, double draw) {
  const float greatest = *std::max_element(logits.begin(), logits.end());
  std::vector<float> weights(logits.size());
  const double total =
      exponentiate(logits.data(), logits.size(), greatest, static_cast<float>(1 / parameters.temperature),
                   std::numeric_limits<float>::lowest(), weights.data());
  std::vector<Weighed> sorted;
  for (size_t token = 0; token < logits.size(); ++token) {
    if (logits[token] > kForbidden) sorted.push_back({{logits[token], static_cast<int32_t>(token)}, weights[token]});
  }
  std::ranges::sort(sorted, is_likelier);
  if (parameters.top_k > 0 && static_cast<size_t>(parameters.top_k) < logits.size()) {
    return draw_from_top_k(sorted, parameters, draw);
  }
  return draw_from_nucleus(sorted, total * parameters.top_p, parameters, draw);
}

class Cases {
 public:
  explicit Cases(uint32_t seed) : random_(seed) {}

  // Peaked and flat ones, some with ties, zeros of both signs, or tokens that are forbidden.
  std::vector<float> logits() {
    const size_t count = pick({1, 2, 127, 128, 129, 1000, 5000, 9000, 20'000});
    const double spread = pick({0.0, 1e-6, 0.01, 0.05, 0.5, 3.0, 10.0}), step = pick({0.0, 0.0, 0.01, 0.5});
    const double forbidden = pick({0.0, 0.0, 0.3, 0.99}), offset = pick({0.0, 0.0, 20.0, -20.0});
    std::normal_distribution<double> normal;
    std::vector<float> logits(count);
    for (float& logit : logits) {
      double value = spread * normal(random_);
      if (step > 0) value = step * std::round(value / step);
      if (offset != 0) value += offset;  // Leaves a zero its sign.
      logit = chance(forbidden) ? kForbidden : static_cast<float>(value);
    }
    logits[random_() % count] = static_cast<float>(offset);
    if (chance(0.3)) logits[random_() % count] = static_cast<float>(offset + 4 * spread);
    return logits;
  }
  SamplingParameters parameters(size_t count) {
    SamplingParameters parameters;
    parameters.temperature = pick({0.1, 0.7, 1.0, 2.0});
    parameters.top_p = pick({0.0, 1e-4, 0.1, 0.5, 0.9, 0.95, 0.999, 1 - 1e-9});
    if (chance(0.3)) parameters.top_k = static_cast<int32_t>(1 + random_() % count);
    return parameters;
  }
  double draw() { return uniform_draw(random_(), 0, 0); }

 private:
  template <typename Value>
  Value pick(std::initializer_list<Value> values) {
    return values.begin()[random_() % values.size()];
  }
  bool chance(double probability) { return uniform_draw(random_(), 1, 0) < probability; }

  std::mt19937 random_;
};

double least_milliseconds(const auto& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < 7; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count());
  }
  return least;
}

}  // namespace

int main(int, char** arguments) {
  const auto seed = static_cast<uint32_t>(std::strtoul(arguments[1], nullptr, 10));
  const auto count = std::strtoul(arguments[2], nullptr, 10);
  Cases cases(seed);
  SamplingScratch scratch;
  size_t wrong = 0;
  for (size_t done = 0; done < count;) {
    const std::vector<float> logits = cases.logits();
    for (int repeat = 0; repeat < 4; ++repeat, ++done) {
      const SamplingParameters parameters = cases.parameters(logits.size());
      const double draw = cases.draw();
      if (choose_token(logits, parameters, draw, scratch) != draw_plainly(logits, parameters, draw)) ++wrong;
    }
  }

  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 0.01f);
  std::vector<float> flat(kFlatTokens);
  for (float& logit : flat) logit = normal(random);
  SamplingParameters nucleus;
  nucleus.temperature = 1;
  SamplingParameters top_k = nucleus;
  nucleus.top_p = 0.95;
  top_k.top_k = kFlatTokens - 1;
  const double nucleus_ms = least_milliseconds([&] { choose_token(flat, nucleus, 0.5, scratch); });
  const double top_k_ms = least_milliseconds([&] { choose_token(flat, top_k, 0.5, scratch); });
  std::vector<Weighed> candidates;
  const double sort_ms = least_milliseconds([&] {
    candidates.clear();
    for (size_t token = 0; token < flat.size(); ++token)
      candidates.push_back({{flat[token], static_cast<int32_t>(token)}, 0});
    std::ranges::sort(candidates, is_likelier);
  });
  std::printf("{\"wrong\":%zu,\"nucleusMs\":%.3f,\"topKMs\":%.3f,\"sortMs\":%.3f}\n", wrong, nucleus_ms, top_k_ms,
              sort_ms);
}
