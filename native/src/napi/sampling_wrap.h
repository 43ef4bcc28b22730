#pragma once

#include <napi.h>

#include "engine/sequence_sampler.h"

// A plain object whose fields native/index.ts has validated.
SamplingParameters read_sampling(const Napi::Object& object);

struct StepFigures {
  int64_t decode_micros = 0;
  int64_t product_micros = 0;
  int64_t attention_micros = 0;
  int64_t sample_micros = 0;
  int32_t threads = 0;
};

// Packs the sampled tokens. `ints` holds the statistics, then the number of drawn tokens of each row, then the failure
// of each row, then the tokens, then for each token the number of its alternatives (−1: no log probabilities) and their
// ids. `logprobs` holds the token's own log probability and those of its alternatives.
Napi::Object pack_sampled(Napi::Env env, const std::vector<DrawnRow>& drawn, const std::vector<SampledToken>& sampled,
                          const StepFigures& figures);

// A sequence's sampler by itself, for logits from any source.
class SamplerWrap : public Napi::ObjectWrap<SamplerWrap> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit SamplerWrap(const Napi::CallbackInfo& info);

 private:
  Napi::Value next(const Napi::CallbackInfo& info);
  std::optional<SequenceSampler> sampler_;
  SamplerWorkspace workspace_;
};
