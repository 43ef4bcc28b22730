#include "engine/sequence_sampler.h"

AnswerFailure answer_failure(const CodedError& error) {
  const std::string_view code = error.code();
  if (code == "ERR_GRAMMAR_TOO_COMPLEX") return AnswerFailure::kTooComplex;
  return code == "ERR_GRAMMAR_UNSATISFIABLE" ? AnswerFailure::kUnsatisfiable : AnswerFailure::kNone;
}

SequenceSampler::SequenceSampler(const llama_vocab* vocab, SamplingParameters parameters,
                                 std::unique_ptr<Grammar> grammar)
    : vocab_(vocab),
      parameters_(std::move(parameters)),
      grammar_(std::move(grammar)),
      counts_tokens_(parameters_.presence_penalty != 0 || parameters_.frequency_penalty != 0),
      answered_(parameters_.drawn) {}

SampledToken SequenceSampler::next(std::span<float> logits, SamplerWorkspace& workspace) {
  SampledToken sampled;
  std::optional<RawDistribution> raw;
  if (parameters_.logprobs >= 0) raw.emplace(logits, parameters_.logprobs, workspace.scratch);

  const auto originals = adjust(logits);
  const auto raw_logit = [&](int32_t token) {
    for (const auto& [adjusted, logit] : originals) {
      if (adjusted == token) return logit;
    }
    return logits[static_cast<size_t>(token)];
  };
  sampled.token = choose(logits, workspace);
  if (raw) {
    sampled.has_logprobs = true;
    sampled.logprob = raw->logprob(raw_logit(sampled.token));
    sampled.top = raw->top();
  }
  accept(sampled.token);
  return sampled;
}

// Applies penalties and biases; returns the original logit of each changed token.
std::vector<std::pair<int32_t, float>> SequenceSampler::adjust(std::span<float> logits) const {
  std::vector<std::pair<int32_t, float>> originals;
  originals.reserve(occurrences_.size() + parameters_.logit_bias.size() + 1);
  // The grammar's mask may overwrite the end token's logit and then select that token.
  if (grammar_) originals.emplace_back(end_token(), logits[static_cast<size_t>(end_token())]);
  for (const auto& [token, count] : occurrences_) {
    float& logit = logits[static_cast<size_t>(token)];
    originals.emplace_back(token, logit);
    logit -= static_cast<float>(parameters_.presence_penalty + parameters_.frequency_penalty * count);
  }
  for (const auto& [token, bias] : parameters_.logit_bias) {
    float& logit = logits[static_cast<size_t>(token)];
    originals.emplace_back(token, logit);
    logit += bias;
  }
  return originals;
}

int32_t SequenceSampler::choose(std::span<float> logits, SamplerWorkspace& workspace) {
  const double draw = uniform_draw(parameters_.seed, answered_, 0);
  const int32_t token = choose_token(logits, parameters_, draw, workspace.scratch);
  // Most tokens drawn without a mask are allowed. Drawing again among the allowed tokens otherwise gives the same
  // distribution as masking first.
  if (!grammar_ || !grammar_->applies() || grammar_->allows(token)) return token;
  return choose_among_allowed(logits, workspace);
}

int32_t SequenceSampler::choose_among_allowed(std::span<float> logits, SamplerWorkspace& workspace) {
  if (!grammar_->forbid_others(logits)) {
    if (grammar_->finished()) return end_token();
    throw CodedError("ERR_GRAMMAR_UNSATISFIABLE", "no token of the vocabulary continues the answer");
  }
  const double draw = uniform_draw(parameters_.seed, answered_, 1);
  return choose_token(logits, parameters_, draw, workspace.scratch);
}

int32_t SequenceSampler::end_token() const {
  const llama_token eot = llama_vocab_eot(vocab_);
  return eot != LLAMA_TOKEN_NULL ? eot : llama_vocab_eos(vocab_);
}

void SequenceSampler::accept(int32_t token) {
  ++answered_;
  if (counts_tokens_) ++occurrences_[token];
  if (!grammar_ || llama_vocab_is_eog(vocab_, token)) return;
  try {
    grammar_->accept(token);
  } catch (const CodedError& error) {
    if (answer_failure(error) != AnswerFailure::kNone) throw;
    // Only a lazy grammar can get here: the token that completed its trigger also contains text that the grammar
    // rejects. The rest of the answer is treated as plain content.
    grammar_ = nullptr;
  }
}
