#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chat.h"
#include "llama.h"
#include "sampling.h"

struct SamplerDeleter {
  void operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
};
using SamplerPointer = std::unique_ptr<llama_sampler, SamplerDeleter>;

// Which tokens an answer may continue with. Copies are independent; `Grammar` itself is the parsed original.
class Grammar {
 public:
  // Parses the grammar that a chat template asks for and feeds it what the template already wrote of the answer.
  // Throws ERR_GRAMMAR_INVALID.
  Grammar(const llama_vocab* vocab, const common_chat_params& chat);

  std::unique_ptr<Grammar> clone() const;

  // Whether the grammar has a say on the next token: a lazy one has not while the model reasons.
  bool applies() const;
  bool allows(llama_token token) const;
  // The first of `candidates` that is allowed, if any.
  std::optional<llama_token> first_allowed(std::span<const Candidate> candidates,
                                           std::vector<llama_token_data>& workspace) const;
  // Sets the logits of all tokens that are not allowed to −∞.
  void forbid_others(std::span<float> logits, std::vector<llama_token_data>& workspace) const;
  // Moves on by a token that `allows` accepted. Not for end tokens.
  void accept(llama_token token);

 private:
  Grammar(SamplerPointer grammar, SamplerPointer reasoning, bool lazy);

  SamplerPointer grammar_;
  // Tracks where reasoning begins and ends; null where the template knows none.
  SamplerPointer reasoning_;
  bool lazy_;
};
