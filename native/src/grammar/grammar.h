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

// The rules of an answer, and when they hold.
struct AnswerGrammar {
  std::shared_ptr<const GrammarRules> rules;
  std::optional<uint32_t> from_start;    // The rule that holds from the first token on.
  std::optional<uint32_t> from_trigger;  // The one that replaces it, or begins, where the template's trigger appears.
  std::string opening;                   // What of the answer the template wrote, where the first rule begins with it.
  std::vector<std::string> markers;      // Texts of control tokens that the rules use.
};

// Which tokens an answer may continue with. Copies are independent; `Grammar` itself is the parsed original.
class Grammar {
 public:
  // `chat` as the template rendered it says what triggers and how the model reasons; `shown` are the template's own
  // control tokens. Throws ERR_GRAMMAR_INVALID.
  Grammar(const llama_vocab* vocab, std::shared_ptr<const TokenTable> tokens, const AnswerGrammar& answer,
          const common_chat_params& chat, std::span<const llama_token> shown);
  Grammar(const Grammar& other);

  // Whether the grammar constrains the next token: a lazy one does not before its trigger, nor while the model reasons.
  bool applies() const;
  // Whether the answer may end here. Only where the grammar applies.
  bool finished() const { return state_->finished(); }
  // All these throw ERR_GRAMMAR_TOO_COMPLEX for an answer that can be read in too many ways.
  bool allows(llama_token token);
  // Sets the logits of all tokens that are not allowed to −∞. Returns whether any other is left.
  bool forbid_others(std::span<float> logits);
  // Moves on by a token that `allows` accepted. Not for end tokens.
  void accept(llama_token token);

 private:
  void begin(uint32_t rule);
  // Reads what a token spells. Throws ERR_GRAMMAR_INVALID where the grammar refuses it.
  void read(std::string_view bytes);
  bool is_reasoning() const;
  bool is_hidden(llama_token token) const;
  // Whether the answer reached a trigger with this token.
  bool watch_for_trigger(llama_token token);
  void begin_triggered(std::string_view opening);

  std::shared_ptr<const TokenTable> tokens_;
  std::shared_ptr<const std::vector<llama_token>> shown_;
  std::shared_ptr<const GrammarRules> rules_;
  std::optional<uint32_t> from_start_, from_trigger_;
  std::shared_ptr<const GrammarTriggers> triggers_;  // Null where nothing triggers, or once it did.
  std::optional<GrammarState> state_;                // None before a trigger that comes first.
  TokenMasks masks_;                                 // Of the state.
  std::string watched_;                              // The end of what was answered before the trigger.
  bool watched_from_start_ = true;
  // Tracks where reasoning begins and ends; null where the template knows none.
  SamplerPointer reasoning_;
};
