#pragma once

#include <napi.h>

#include "engine/sequence_sampler.h"

// A plain object of checked fields, as native/index.ts passes it.
SamplingParameters read_sampling(const Napi::Object& object);

struct StepFigures {
  int64_t decode_micros = 0;
  int64_t sample_micros = 0;
  int32_t threads = 0;
};

// Packs what was sampled: `ints` is the figures, then per row how many tokens were drawn, then per row its failure,
// then the tokens, then per token how many alternatives it reports (−1: no log probabilities) and their ids; `logprobs`
// the token's own and the alternatives'.
Napi::Object pack_sampled(Napi::Env env, const std::vector<DrawnRow>& drawn, const std::vector<SampledToken>& sampled,
                          const StepFigures& figures);

// The sampler of one sequence on its own, over logits from anywhere.
class SamplerWrap : public Napi::ObjectWrap<SamplerWrap> {
 public:
  static Napi::Function define(Napi::Env env);
  explicit SamplerWrap(const Napi::CallbackInfo& info);

 private:
  Napi::Value next(const Napi::CallbackInfo& info);
  std::optional<SequenceSampler> sampler_;
  SamplerWorkspace workspace_;
};
