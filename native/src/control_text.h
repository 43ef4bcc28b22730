#pragma once

#include <string>
#include <vector>

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
  // Throws ERR_CHAT_TEMPLATE where the input is nested deeper than anything a template should see.
  bool mark(common_json& json) const;
  // Marks `text` after decoding it, if it is JSON.
  bool mark_json_text(std::string& text) const;

  static std::string without_marks(std::string text);

  // Tokenises what a template rendered. Equal to llama_tokenize with add_special and parse_special for text without
  // marks.
  std::vector<llama_token> tokenize(const std::string& rendered) const;

 private:
  struct Control {
    llama_token token;
    std::string text;
    llama_token_attr attributes;
  };
  struct Piece {
    llama_token token;  // LLAMA_TOKEN_NULL: text.
    std::string text;
  };

  bool mark_text(std::string& text) const;
  bool mark(common_json& json, int depth, const std::string& key) const;
  std::vector<Piece> split(const std::string& rendered) const;

  const llama_vocab* vocab_;
  std::vector<Control> controls_;  // Longest first, as llama.cpp looks for them.
  bool starts_control_[256] = {};
};
