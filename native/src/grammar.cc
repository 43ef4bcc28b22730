#include "grammar.h"

#include <cctype>
#include <climits>
#include <cmath>
#include <limits>

#include "coded_error.h"
#include "common.h"
#include "log_capture.h"
#include "reasoning-budget.h"

namespace {

struct Triggers {
  std::vector<std::string> patterns;
  std::vector<llama_token> tokens;
};

// As llama.cpp's server reads them: a word that is one token triggers by that token.
Triggers read_triggers(const llama_vocab* vocab, const common_chat_params& chat) {
  Triggers triggers;
  for (const common_grammar_trigger& trigger : chat.grammar_triggers) {
    switch (trigger.type) {
      case COMMON_GRAMMAR_TRIGGER_TYPE_TOKEN:
        triggers.tokens.push_back(trigger.token);
        break;
      case COMMON_GRAMMAR_TRIGGER_TYPE_WORD: {
        const auto tokens = common_tokenize(vocab, trigger.value, false, true);
        if (tokens.size() == 1) {
          triggers.tokens.push_back(tokens[0]);
        } else {
          triggers.patterns.push_back(regex_escape(trigger.value));
        }
        break;
      }
      case COMMON_GRAMMAR_TRIGGER_TYPE_PATTERN:
        triggers.patterns.push_back(trigger.value);
        break;
      case COMMON_GRAMMAR_TRIGGER_TYPE_PATTERN_FULL: {
        const std::string& pattern = trigger.value;
        const bool opens = !pattern.empty() && pattern.front() == '^';
        const bool closes = !pattern.empty() && pattern.back() == '$';
        triggers.patterns.push_back((opens ? "" : "^") + pattern + (closes ? "" : "$"));
        break;
      }
    }
  }
  return triggers;
}

SamplerPointer parse_grammar(const llama_vocab* vocab, const common_chat_params& chat) {
  if (!chat.grammar_lazy) return SamplerPointer(llama_sampler_init_grammar(vocab, chat.grammar.c_str(), "root"));
  const Triggers triggers = read_triggers(vocab, chat);
  std::vector<const char*> patterns;
  for (const std::string& pattern : triggers.patterns) patterns.push_back(pattern.c_str());
  return SamplerPointer(llama_sampler_init_grammar_lazy_patterns(vocab, chat.grammar.c_str(), "root", patterns.data(),
                                                                 patterns.size(), triggers.tokens.data(),
                                                                 triggers.tokens.size()));
}

// The tokens of the answer that the template itself has written.
std::vector<llama_token> tokenize_opening(const llama_vocab* vocab, const std::string& opening) {
  std::vector<llama_token> tokens;
  for (const llama_token token : common_tokenize(vocab, opening, false, true)) {
    const std::string piece = common_token_to_piece(vocab, token, true);
    // Some tokenizers put a space before the first token that is none of the template's.
    const bool added_space = tokens.empty() && !piece.empty() && std::isspace(static_cast<unsigned char>(piece[0])) &&
                             !std::isspace(static_cast<unsigned char>(opening[0]));
    if (!added_space) tokens.push_back(token);
  }
  return tokens;
}

SamplerPointer track_reasoning(const llama_vocab* vocab, const common_chat_params& chat,
                               const std::vector<llama_token>& opening) {
  if (!chat.grammar_lazy || chat.thinking_start_tag.empty() || chat.thinking_end_tags.empty()) return nullptr;
  std::vector<llama_tokens> ends;
  for (const std::string& tag : chat.thinking_end_tags) ends.push_back(common_tokenize(vocab, tag, false, true));
  const llama_tokens start = common_tokenize(vocab, chat.thinking_start_tag, false, true);
  SamplerPointer reasoning(common_reasoning_budget_init(vocab, {start}, ends, ends.front(), INT_MAX));
  for (const llama_token token : opening) llama_sampler_accept(reasoning.get(), token);
  return reasoning;
}

}  // namespace

Grammar::Grammar(SamplerPointer grammar, SamplerPointer reasoning, bool lazy)
    : grammar_(std::move(grammar)), reasoning_(std::move(reasoning)), lazy_(lazy) {}

Grammar::Grammar(const llama_vocab* vocab, const common_chat_params& chat) : lazy_(chat.grammar_lazy) {
  const LogCapture log;
  grammar_ = parse_grammar(vocab, chat);
  if (!grammar_) throw CodedError("ERR_GRAMMAR_INVALID", "the schema makes no usable grammar: " + log.reason());

  std::vector<llama_token> opening;
  if (!chat.generation_prompt.empty()) opening = tokenize_opening(vocab, chat.generation_prompt);
  if (!lazy_) {
    for (const llama_token token : opening) {
      // llama.cpp aborts the process on an end token that its grammar does not expect.
      if (!llama_vocab_is_eog(vocab, token)) llama_sampler_accept(grammar_.get(), token);
    }
  }
  reasoning_ = track_reasoning(vocab, chat, opening);
}

std::unique_ptr<Grammar> Grammar::clone() const {
  SamplerPointer reasoning(reasoning_ ? llama_sampler_clone(reasoning_.get()) : nullptr);
  return std::unique_ptr<Grammar>(
      new Grammar(SamplerPointer(llama_sampler_clone(grammar_.get())), std::move(reasoning), lazy_));
}

bool Grammar::applies() const {
  if (!reasoning_) return true;
  const auto state = common_reasoning_budget_get_state(reasoning_.get());
  return state == REASONING_BUDGET_IDLE || state == REASONING_BUDGET_DONE;
}

bool Grammar::allows(llama_token token) const {
  llama_token_data only{token, 1, 0};
  llama_token_data_array candidates{&only, 1, -1, false};
  llama_sampler_apply(grammar_.get(), &candidates);
  return only.logit == 1;
}

std::optional<llama_token> Grammar::first_allowed(std::span<const Candidate> candidates,
                                                  std::vector<llama_token_data>& workspace) const {
  workspace.clear();
  for (const Candidate& candidate : candidates) workspace.push_back({candidate.token, 1, 0});
  llama_token_data_array array{workspace.data(), workspace.size(), -1, false};
  llama_sampler_apply(grammar_.get(), &array);
  for (const llama_token_data& data : workspace) {
    if (data.logit == 1) return data.id;
  }
  return std::nullopt;
}

void Grammar::forbid_others(std::span<float> logits, std::vector<llama_token_data>& workspace) const {
  workspace.resize(logits.size());
  for (size_t index = 0; index < logits.size(); ++index) {
    workspace[index] = {static_cast<llama_token>(index), logits[index], 0};
  }
  llama_token_data_array candidates{workspace.data(), workspace.size(), -1, false};
  llama_sampler_apply(grammar_.get(), &candidates);
  for (size_t index = 0; index < logits.size(); ++index) logits[index] = workspace[index].logit;
}

void Grammar::accept(llama_token token) {
  const bool applied = applies();
  if (reasoning_) {
    llama_sampler_accept(reasoning_.get(), token);
    // The tag that ends the reasoning may also be what the grammar waits for.
    if (!applied && common_reasoning_budget_get_state(reasoning_.get()) == REASONING_BUDGET_DONE) {
      const llama_tokens* end_tag = common_reasoning_budget_get_end_match(reasoning_.get());
      if (end_tag != nullptr) {
        for (const llama_token end : *end_tag) llama_sampler_accept(grammar_.get(), end);
      }
    }
  }
  if (applied) llama_sampler_accept(grammar_.get(), token);
}
