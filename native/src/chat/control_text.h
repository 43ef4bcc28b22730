#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chat/preparation_limits.h"
#include "chat/special_texts.h"
#include "chat/token_bound.h"
#include "json.h"
#include "llama.h"

// Prevents a caller's text from becoming control tokens. A template's output is plain text, so `<|im_end|>` written by
// a user would end the user's turn. Before rendering, a mark that no text contains is inserted after the first
// character of anything in the input that spells a control token, or could begin one; after rendering, only unmarked
// spellings count as control tokens, and the marks are removed.
class ControlText {
 public:
  explicit ControlText(const llama_vocab* vocab);

  // Marks all strings and keys of `json` except the values of "role" and "type". `json` may contain strings that are
  // JSON themselves (tool-call arguments), which a template may decode: see `mark_json_text`. Returns whether anything
  // was marked. Throws ERR_CHAT_TEMPLATE if the input is nested deeper than any template needs, ERR_ABORTED.
  bool mark(common_json& json, const PreparationLimits& limits) const;

  static std::string without_marks(std::string text);

  // Equal to llama_tokenize with parse_special for text without marks. Takes linear time, apart from llama.cpp's own
  // time for the text between special tokens.
  struct Tokens {
    std::vector<llama_token> tokens;
    // If not 0, there are more tokens than `tokens_max`, at least this many, and `tokens` is empty.
    size_t at_least = 0;
  };
  // Throws ERR_ABORTED, and ERR_CHAT_TEMPLATE for a run of characters that would overflow the stack in llama.cpp's
  // recursion.
  Tokens tokenize(const std::string& rendered, const PreparationLimits& limits, bool add_special = true) const;

  // Equal to llama_tokenize without parse_special and add_special. Throws as `tokenize`.
  Tokens tokenize_plain(std::string text, const PreparationLimits& limits) const;

  // The number of control tokens in the text that a template rendered.
  size_t count_controls(const std::string& rendered) const;

  const TokenBound& bound() const { return bound_; }

 private:
  struct Piece {
    llama_token token;  // LLAMA_TOKEN_NULL for text.
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
