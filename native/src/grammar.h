#pragma once

#include <memory>
#include <optional>
#include <regex>
#include <span>
#include <string>
#include <vector>

#include "chat.h"
#include "grammar_state.h"
#include "llama.h"
#include "sampling.h"
#include "token_table.h"

struct SamplerDeleter {
  void operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
};
using SamplerPointer = std::unique_ptr<llama_sampler, SamplerDeleter>;

// What lets a lazy grammar begin: tokens, words, or patterns in what was answered so far.
struct GrammarTriggers {
  struct Pattern {
    std::regex regex;
    bool at_start;
  };
  std::vector<llama_token> tokens;
  std::vector<std::string> words;
  std::vector<Pattern> patterns;
};

// Which tokens an answer may continue with. Copies are independent; `Grammar` itself is the parsed original.
class Grammar {
 public:
  // `rules` as the template and its schemas make them; `chat` as the template rendered it says when the grammar begins; `opening` is
  // what of the answer the template wrote itself; `shown` are the control tokens that the grammar may use. Throws ERR_GRAMMAR_INVALID.
  Grammar(const llama_vocab* vocab, std::shared_ptr<const TokenTable> tokens, std::shared_ptr<const GrammarRules> rules,
          const common_chat_params& chat, const std::string& opening, std::span<const llama_token> shown);
  Grammar(const Grammar& other);

  // Whether the grammar constrains the next token: a lazy one does not before its trigger, nor while the model reasons.
  bool applies() const;
  // All these throw ERR_GRAMMAR_TOO_COMPLEX for an answer that can be read in too many ways.
  bool allows(llama_token token);
  // The first of `candidates` that is allowed, if any.
  std::optional<llama_token> first_allowed(std::span<const Candidate> candidates);
  // Sets the logits of all tokens that are not allowed to −∞.
  void forbid_others(std::span<float> logits);
  // Moves on by a token that `allows` accepted. Not for end tokens.
  void accept(llama_token token);

 private:
  void read(std::string_view bytes);
  bool is_reasoning() const;
  bool is_hidden(llama_token token) const;
  void watch_for_trigger(llama_token token);

  std::shared_ptr<const TokenTable> tokens_;
  std::shared_ptr<const GrammarTriggers> triggers_;  // Null: the grammar holds from the first token on.
  std::shared_ptr<const std::vector<llama_token>> shown_;
  GrammarState state_;
  bool begun_;
  std::string watched_;  // The end of what was answered before the trigger.
  bool watched_from_start_ = true;
  // Tracks where reasoning begins and ends; null where the template knows none.
  SamplerPointer reasoning_;
};
