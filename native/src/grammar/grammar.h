#pragma once

#include <memory>
#include <optional>
#include <regex>
#include <span>
#include <string>
#include <vector>

#include "chat.h"
#include "grammar/grammar_state.h"
#include "grammar/token_masks.h"
#include "llama.h"
#include "sampling/token_table.h"

struct SamplerDeleter {
  void operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
};
using SamplerPointer = std::unique_ptr<llama_sampler, SamplerDeleter>;

// The triggers of a lazy grammar: tokens, words, or patterns in the answer so far.
struct GrammarTriggers {
  struct Pattern {
    std::regex regex;
    bool at_start;
  };
  std::vector<llama_token> tokens;
  std::vector<std::string> words;
  std::vector<Pattern> patterns;
};

// The rules of an answer, and when they apply.
struct AnswerGrammar {
  std::shared_ptr<const GrammarRules> rules;
  std::optional<uint32_t> from_start;    // The rule that applies from the first token on.
  std::optional<uint32_t> from_trigger;  // The rule that starts, or replaces the first, at the template's trigger.
  std::string opening;                   // Part of the answer that the template wrote, if the first rule includes it.
  std::vector<std::string> markers;      // Texts of control tokens that the rules use.
};

// The tokens that may continue an answer. Copies are independent; `Grammar` itself is the parsed original.
class Grammar {
 public:
  // `chat` is the rendered chat, with its triggers and its reasoning format; `shown` are the template's own control
  // tokens. Throws ERR_GRAMMAR_INVALID.
  Grammar(const llama_vocab* vocab, std::shared_ptr<const TokenTable> tokens, const AnswerGrammar& answer,
          const common_chat_params& chat, std::span<const llama_token> shown);
  Grammar(const Grammar& other);

  // Whether the grammar constrains the next token. A lazy grammar does not before its trigger or during reasoning.
  bool applies() const;
  // Whether the answer may end here. Call only while the grammar applies.
  bool finished() const { return state_->finished(); }
  // All of these throw ERR_GRAMMAR_TOO_COMPLEX if the answer can be parsed in too many ways.
  bool allows(llama_token token);
  // Sets the logits of all other tokens to −∞. Returns whether any allowed token has a finite logit.
  bool forbid_others(std::span<float> logits);
  // Advances by a token that `allows` accepted. Not for end tokens.
  void accept(llama_token token);

 private:
  void begin(uint32_t rule);
  // Advances by the bytes of a token. Throws ERR_GRAMMAR_INVALID if the grammar rejects them.
  void read(std::string_view bytes);
  bool is_reasoning() const;
  bool is_hidden(llama_token token) const;
  // Whether this token completes a trigger.
  bool watch_for_trigger(llama_token token);
  void begin_triggered(std::string_view opening);

  std::shared_ptr<const TokenTable> tokens_;
  std::shared_ptr<const std::vector<llama_token>> shown_;
  std::shared_ptr<const GrammarRules> rules_;
  std::optional<uint32_t> from_start_, from_trigger_;
  std::shared_ptr<const GrammarTriggers> triggers_;  // Null if there are no triggers, or once one has fired.
  std::optional<GrammarState> state_;                // Empty before a required trigger.
  TokenMasks masks_;                                 // Masks of the state.
  std::string watched_;                              // The end of the answer before the trigger.
  bool watched_from_start_ = true;
  // Tracks the start and end of reasoning; null if the template has no reasoning.
  SamplerPointer reasoning_;
};
