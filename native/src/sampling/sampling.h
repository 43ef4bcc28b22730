#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

struct SamplingParameters {
  double temperature = 0;
  double top_p = 1;
  int32_t top_k = 0;
  double min_p = 0;
  double presence_penalty = 0;
  double frequency_penalty = 0;
  std::vector<std::pair<int32_t, float>> logit_bias;
  uint32_t seed = 0;
  uint32_t drawn = 0;  // Tokens of the answer that were drawn elsewhere: the next one uses the draw after theirs.
  int32_t logprobs = -1;  // −1: no log probabilities.
};

struct Candidate {
  float logit;
  int32_t token;
};

struct TokenLogprob {
  int32_t token;
  double logprob;
};

// Working memory of one sampling thread, reused for every row.
struct SamplingScratch {
  std::vector<float> block_maxima;
  std::vector<float> ordered_maxima;
  std::vector<float> weights;
  std::vector<int32_t> heavy;  // Tokens that may belong to the nucleus.
  std::vector<Candidate> candidates;
  std::vector<Candidate> sorted;  // Buffer between two passes of the radix sort.
  std::vector<double> masses;
};

// A number in [0, 1) that depends only on the arguments, so that a draw does not depend on the rest of the batch.
double uniform_draw(uint32_t seed, uint64_t index, uint32_t attempt);

// Draws a token. As in vLLM, the order is temperature, min-p, top-k, top-p, each applied to the result of the one
// before. At temperature 0 the greatest logit wins, and among equals the lowest id. Throws ERR_LOGITS_INVALID if a
// logit is NaN or +∞, or if all are −∞.
int32_t choose_token(std::span<const float> logits, const SamplingParameters& parameters, double draw,
                     SamplingScratch& scratch);

// The model's own distribution at one position, before the logits are modified.
class RawDistribution {
 public:
  RawDistribution(std::span<const float> logits, int32_t top_count, SamplingScratch& scratch);
  double logprob(float raw_logit) const { return raw_logit - log_sum_; }
  const std::vector<TokenLogprob>& top() const { return top_; }

 private:
  double log_sum_;
  std::vector<TokenLogprob> top_;
};
