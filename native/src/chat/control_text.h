#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chat/preparation_limits.h"
#include "chat/special_texts.h"
#include "chat/token_bound.h"
#include "json.h"
#include "llama.h"

// Keeps a caller's words from becoming control tokens. A template's output is plain text, so `<|im_end|>` written by
// a user would end the user's turn. Before rendering, a mark that no text contains is put behind the first character
// of whatever in the input spells a control token, or could begin one; after rendering, only unmarked spellings count
// as control tokens and the marks disappear.
class ControlText {
 public:
  explicit ControlText(const llama_vocab* vocab);

  // Marks all strings and keys of `json` except the values of "role" and "type". `json` may hold JSON in strings
  // (tool call arguments), which a template may decode: see `mark_json_text`. True if anything was marked.
  // Throws ERR_CHAT_TEMPLATE where the input is nested deeper than anything a template should see, ERR_ABORTED.
  bool mark(common_json& json, const PreparationLimits& limits) const;

  static std::string without_marks(std::string text);

  // Equal to llama_tokenize with add_special and parse_special for text without marks, in time linear in the text but
  // for what llama.cpp takes for text between special tokens.
  struct Tokens {
    std::vector<llama_token> tokens;
    // Not 0: there are more than `tokens_max`, at least as many as this, and `tokens` is empty.
    size_t at_least = 0;
  };
  // Throws ERR_ABORTED, and ERR_CHAT_TEMPLATE for a run of characters that llama.cpp's recursion has no stack for.
  Tokens tokenize(const std::string& rendered, const PreparationLimits& limits) const;

  // Control tokens in what a template rendered.
  size_t count_controls(const std::string& rendered) const;

  const TokenBound& bound() const { return bound_; }

 private:
  struct Piece {
    llama_token token;  // LLAMA_TOKEN_NULL: text.
    std::string text;
  };

  bool mark(common_json& json, int depth, const std::string& key, const PreparationLimits& limits) const;
  // Marks `text` after decoding it, if it is JSON.
  bool mark_json_text(std::string& text, const PreparationLimits& limits) const;
  bool mark_text(std::string& text, const PreparationLimits& limits) const;
  std::vector<Piece> split(const std::string& rendered) const;

  const llama_vocab* vocab_;
  SpecialTexts controls_;
  SpecialTexts user_defined_;
  TokenBound bound_;
};
