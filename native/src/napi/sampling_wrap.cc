#include "napi/sampling_wrap.h"

#include "napi/js_error.h"

namespace {

double number(const Napi::Object& object, const char* name) {
  return object.Get(name).As<Napi::Number>().DoubleValue();
}

int32_t integer(const Napi::Object& object, const char* name) {
  return object.Get(name).As<Napi::Number>().Int32Value();
}

}  // namespace

SamplingParameters read_sampling(const Napi::Object& object) {
  SamplingParameters parameters;
  parameters.temperature = number(object, "temperature");
  parameters.top_p = number(object, "topP");
  parameters.top_k = integer(object, "topK");
  parameters.min_p = number(object, "minP");
  parameters.presence_penalty = number(object, "presencePenalty");
  parameters.frequency_penalty = number(object, "frequencyPenalty");
  parameters.seed = object.Get("seed").As<Napi::Number>().Uint32Value();
  parameters.drawn = object.Get("drawn").As<Napi::Number>().Uint32Value();
  parameters.logprobs = integer(object, "logprobs");
  const auto tokens = object.Get("biasTokens").As<Napi::Int32Array>();
  const auto biases = object.Get("biases").As<Napi::Float32Array>();
  for (size_t index = 0; index < tokens.ElementLength(); ++index) {
    parameters.logit_bias.emplace_back(tokens[index], biases[index]);
  }
  return parameters;
}

Napi::Object pack_sampled(Napi::Env env, const std::vector<DrawnRow>& drawn, const std::vector<SampledToken>& sampled,
                          const StepFigures& figures) {
  size_t integers = 5 + 2 * drawn.size() + sampled.size(), logprobs = 0;
  for (const SampledToken& token : sampled) {
    integers += 1 + token.top.size();
    if (token.has_logprobs) logprobs += 1 + token.top.size();
  }
  Napi::Int32Array ints = Napi::Int32Array::New(env, integers);
  Napi::Float64Array doubles = Napi::Float64Array::New(env, logprobs);
  ints[0] = static_cast<int32_t>(figures.decode_micros);
  ints[1] = static_cast<int32_t>(figures.product_micros);
  ints[2] = static_cast<int32_t>(figures.attention_micros);
  ints[3] = static_cast<int32_t>(figures.sample_micros);
  ints[4] = figures.threads;
  size_t at = 5, logprob_at = 0;
  for (const DrawnRow& row : drawn) ints[at++] = row.count;
  for (const DrawnRow& row : drawn) ints[at++] = static_cast<int32_t>(row.failure);
  for (const SampledToken& token : sampled) ints[at++] = token.token;
  for (const SampledToken& token : sampled) {
    ints[at++] = token.has_logprobs ? static_cast<int32_t>(token.top.size()) : -1;
    if (!token.has_logprobs) continue;
    doubles[logprob_at++] = token.logprob;
    for (const TokenLogprob& top : token.top) {
      ints[at++] = top.token;
      doubles[logprob_at++] = top.logprob;
    }
  }
  Napi::Object packed = Napi::Object::New(env);
  packed.Set("ints", ints);
  packed.Set("logprobs", doubles);
  return packed;
}

Napi::Function SamplerWrap::define(Napi::Env env) {
  return DefineClass(env, "Sampler", {InstanceMethod("next", &SamplerWrap::next)});
}

SamplerWrap::SamplerWrap(const Napi::CallbackInfo& info) : ObjectWrap(info) {
  sampler_.emplace(nullptr, read_sampling(info[0].As<Napi::Object>()), nullptr);
}

Napi::Value SamplerWrap::next(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  auto logits = info[0].As<Napi::Float32Array>();
  return with_js_errors(env, [&]() -> Napi::Value {
    std::vector<float> copy(logits.Data(), logits.Data() + logits.ElementLength());
    std::vector<SampledToken> sampled{sampler_->next(copy, workspace_)};
    return pack_sampled(env, {}, sampled, {});
  });
}
