#pragma once

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/coded_error.h"
#include "grammar/grammar.h"
#include "sampling/sampling.h"

struct SampledToken {
  int32_t token = 0;
  // Set if the sequence requested log probabilities.
  bool has_logprobs = false;
  double logprob = 0;
  std::vector<TokenLogprob> top;
};

struct SamplerWorkspace {
  SamplingScratch scratch;
};

// Why one answer cannot continue; the numbers are also known to JavaScript.
enum class AnswerFailure : int32_t { kNone = 0, kTooComplex = 1, kUnsatisfiable = 2 };

// The failure of one answer that this error of its sampler means; kNone if the fault lies elsewhere.
AnswerFailure answer_failure(const CodedError& error);

struct DrawnRow {
  int32_t count;  // Tokens; none if the answer failed.
  AnswerFailure failure;
};

// One answer's sampler: its parameters, its tokens so far, and the state of its grammar.
class SequenceSampler {
 public:
  // `vocab` may be null if there is no grammar.
  SequenceSampler(const llama_vocab* vocab, SamplingParameters parameters, std::unique_ptr<Grammar> grammar);

  // Draws the next token of the answer and records it. Modifies the logits. Throws ERR_LOGITS_INVALID,
  // ERR_GRAMMAR_TOO_COMPLEX, ERR_GRAMMAR_UNSATISFIABLE.
  SampledToken next(std::span<float> logits, SamplerWorkspace& workspace);

 private:
  std::vector<std::pair<int32_t, float>> adjust(std::span<float> logits) const;
  int32_t choose(std::span<float> logits, SamplerWorkspace& workspace);
  int32_t choose_among_allowed(std::span<float> logits, SamplerWorkspace& workspace);
  int32_t end_token() const;
  void accept(int32_t token);

  const llama_vocab* vocab_;
  SamplingParameters parameters_;
  std::unique_ptr<Grammar> grammar_;
  bool counts_tokens_;
  std::unordered_map<int32_t, int32_t> occurrences_;
  uint64_t answered_;
};
