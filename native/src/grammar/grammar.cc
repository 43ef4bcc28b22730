#include "grammar/grammar.h"

#include <algorithm>
#include <cctype>
#include <climits>
#include <cmath>

#include "base/coded_error.h"
#include "common.h"
#include "kernels/vector_math.h"
#include "reasoning-budget.h"

namespace {

// The length of the answer's end that is searched for a trigger pattern; words are found at any distance.
constexpr size_t kWatchedBytes = 4096;

// As in llama.cpp's server: a word that is a single token becomes a token trigger.
std::shared_ptr<const GrammarTriggers> read_triggers(const llama_vocab* vocab, const common_chat_params& chat) {
  auto triggers = std::make_shared<GrammarTriggers>();
  const auto add_pattern = [&](const std::string& pattern, bool whole) {
    const bool opens = !pattern.empty() && pattern.front() == '^', closes = !pattern.empty() && pattern.back() == '$';
    const std::string text = whole ? (opens ? "" : "^") + pattern + (closes ? "" : "$") : pattern;
    triggers->patterns.push_back({std::regex(text), opens || whole});
  };
  for (const common_grammar_trigger& trigger : chat.grammar_triggers) {
    switch (trigger.type) {
      case COMMON_GRAMMAR_TRIGGER_TYPE_TOKEN: triggers->tokens.push_back(trigger.token); break;
      case COMMON_GRAMMAR_TRIGGER_TYPE_WORD: {
        const auto tokens = common_tokenize(vocab, trigger.value, false, true);
        if (tokens.size() == 1) triggers->tokens.push_back(tokens[0]);
        else if (!trigger.value.empty()) triggers->words.push_back(trigger.value);
        break;
      }
      case COMMON_GRAMMAR_TRIGGER_TYPE_PATTERN: add_pattern(trigger.value, false); break;
      case COMMON_GRAMMAR_TRIGGER_TYPE_PATTERN_FULL: add_pattern(trigger.value, true); break;
    }
  }
  return triggers;
}

// The tokens of the answer that the template itself has written.
std::vector<llama_token> tokenize_opening(const llama_vocab* vocab, const std::string& opening) {
  std::vector<llama_token> tokens;
  for (const llama_token token : common_tokenize(vocab, opening, false, true)) {
    const std::string piece = common_token_to_piece(vocab, token, true);
    // Some tokenisers put a space before the first token that the template did not write.
    const bool added_space = tokens.empty() && !piece.empty() && std::isspace(static_cast<unsigned char>(piece[0])) &&
                             !std::isspace(static_cast<unsigned char>(opening[0]));
    if (!added_space) tokens.push_back(token);
  }
  return tokens;
}

SamplerPointer track_reasoning(const llama_vocab* vocab, const common_chat_params& chat) {
  if (chat.thinking_start_tag.empty() || chat.thinking_end_tags.empty()) return nullptr;
  std::vector<llama_tokens> ends;
  for (const std::string& tag : chat.thinking_end_tags) ends.push_back(common_tokenize(vocab, tag, false, true));
  const llama_tokens start = common_tokenize(vocab, chat.thinking_start_tag, false, true);
  SamplerPointer reasoning(common_reasoning_budget_init(vocab, {start}, ends, ends.front(), INT_MAX));
  if (chat.generation_prompt.empty()) return reasoning;
  for (const llama_token token : tokenize_opening(vocab, chat.generation_prompt)) {
    llama_sampler_accept(reasoning.get(), token);
  }
  return reasoning;
}

}  // namespace

Grammar::Grammar(const llama_vocab* vocab, std::shared_ptr<const TokenTable> tokens, const AnswerGrammar& answer,
                 const common_chat_params& chat, std::span<const llama_token> shown)
    : tokens_(std::move(tokens)),
      rules_(answer.rules),
      from_start_(answer.from_start),
      from_trigger_(answer.from_trigger),
      masks_(tokens_) {
  std::vector<llama_token> usable(shown.begin(), shown.end());
  for (const std::string& text : answer.markers) {
    for (const llama_token token : common_tokenize(vocab, text, false, true)) usable.push_back(token);
  }
  shown_ = std::make_shared<const std::vector<llama_token>>(std::move(usable));
  if (from_trigger_) triggers_ = read_triggers(vocab, chat);
  if (from_start_) begin(*from_start_);
  if (answer.opening.empty()) {
    // Rules that do not include the text written by the template do not include its reasoning either.
    reasoning_ = track_reasoning(vocab, chat);
    return;
  }
  for (const llama_token token : tokenize_opening(vocab, answer.opening)) {
    if (!llama_vocab_is_eog(vocab, token)) read(tokens_->bytes(token));
  }
}

Grammar::Grammar(const Grammar& other)
    : tokens_(other.tokens_),
      shown_(other.shown_),
      rules_(other.rules_),
      from_start_(other.from_start_),
      from_trigger_(other.from_trigger_),
      triggers_(other.triggers_),
      state_(other.state_),
      masks_(other.tokens_),
      watched_(other.watched_),
      watched_from_start_(other.watched_from_start_),
      reasoning_(other.reasoning_ ? llama_sampler_clone(other.reasoning_.get()) : nullptr) {}

bool Grammar::is_reasoning() const {
  if (!reasoning_) return false;
  const auto state = common_reasoning_budget_get_state(reasoning_.get());
  return state != REASONING_BUDGET_IDLE && state != REASONING_BUDGET_DONE;
}

bool Grammar::applies() const { return state_ && !is_reasoning(); }

// A control token is not text: inside a JSON string it would be counted but not shown. Templates name the control
// tokens that belong to their grammar.
bool Grammar::is_hidden(llama_token token) const {
  return tokens_->is_control(token) && std::find(shown_->begin(), shown_->end(), token) == shown_->end();
}

bool Grammar::allows(llama_token token) {
  const auto& ends = tokens_->end_tokens();
  if (std::find(ends.begin(), ends.end(), token) != ends.end()) return state_->finished();
  const std::string_view bytes = tokens_->bytes(token);
  if (bytes.empty() || is_hidden(token)) return false;
  size_t read = 0;
  while (read < bytes.size() && state_->push(static_cast<uint8_t>(bytes[read]))) ++read;
  state_->pop(read);
  return read == bytes.size();
}

bool Grammar::forbid_others(std::span<float> logits) {
  // The mask contains text tokens only.
  std::vector<std::pair<llama_token, float>> others;
  for (const auto* tokens : {&tokens_->end_tokens(), shown_.get()}) {
    for (const llama_token token : *tokens) {
      if (allows(token)) others.emplace_back(token, logits[static_cast<size_t>(token)]);
    }
  }
  bool left = keep_only(masks_.allowed(*state_).data(), logits.data(), logits.size());
  for (const auto& [token, logit] : others) {
    logits[static_cast<size_t>(token)] = logit;
    left = left || std::isfinite(logit);
  }
  return left;
}

void Grammar::begin(uint32_t rule) {
  state_.emplace(rules_, rule);
  masks_.clear();
}

void Grammar::read(std::string_view bytes) {
  for (const char byte : bytes) {
    if (!state_->push(static_cast<uint8_t>(byte)))
      throw CodedError("ERR_GRAMMAR_INVALID", "the answer does not match its grammar");
  }
  state_->commit();
}

void Grammar::accept(llama_token token) {
  if (reasoning_) {
    const bool reasoned = is_reasoning();
    llama_sampler_accept(reasoning_.get(), token);
    if (!reasoned && is_reasoning()) {
      // The rule begins after the tag that starts the reasoning.
      if (from_start_) begin(*from_start_);
      return;
    }
    if (reasoned) {
      // The tag that ends the reasoning may also be the trigger of the grammar.
      const bool ended = common_reasoning_budget_get_state(reasoning_.get()) == REASONING_BUDGET_DONE;
      const llama_tokens* end_tag = ended ? common_reasoning_budget_get_end_match(reasoning_.get()) : nullptr;
      if (end_tag == nullptr || from_start_) return;
      for (const llama_token end : *end_tag) {
        if (!watch_for_trigger(end) && state_) read(tokens_->bytes(end));
      }
      return;
    }
  }
  if (!watch_for_trigger(token) && state_) read(tokens_->bytes(token));
}

void Grammar::begin_triggered(std::string_view opening) {
  triggers_ = nullptr;
  watched_.clear();
  begin(*from_trigger_);
  read(opening);
}

bool Grammar::watch_for_trigger(llama_token token) {
  if (!triggers_) return false;
  if (std::find(triggers_->tokens.begin(), triggers_->tokens.end(), token) != triggers_->tokens.end()) {
    begin_triggered(tokens_->bytes(token));
    return true;
  }
  const size_t before = watched_.size();
  watched_ += tokens_->bytes(token);
  size_t start = std::string::npos;
  for (const std::string& word : triggers_->words) {
    start = std::min(start, watched_.find(word, before - std::min(before, word.size())));
  }
  for (const GrammarTriggers::Pattern& pattern : triggers_->patterns) {
    std::smatch match;
    if (start != std::string::npos || (pattern.at_start && !watched_from_start_) ||
        !std::regex_search(watched_, match, pattern.regex))
      continue;
    for (size_t index = 1; index < match.size(); ++index) {
      if (match.length(index) > 0) {
        start = static_cast<size_t>(match.position(index));
        break;
      }
    }
    if (start == std::string::npos) start = static_cast<size_t>(match.position(0));
  }
  if (start != std::string::npos) {
    const std::string opening = watched_.substr(start);
    begin_triggered(opening);
    return true;
  }
  if (watched_.size() > 2 * kWatchedBytes) {
    watched_.erase(0, watched_.size() - kWatchedBytes);
    watched_from_start_ = false;
  }
  return false;
}
