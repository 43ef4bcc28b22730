#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "llama.h"

// The texts of all special tokens in one trie: finding them takes one pass over a text, independent of their number and
// of the text.
class SpecialTexts {
 public:
  // A special token, or LLAMA_TOKEN_NULL and the text between two of them.
  struct Cut {
    llama_token token;
    std::string_view text;
  };

  // Texts must not be empty.
  void add(llama_token token, const std::string& text, llama_token_attr attributes);

  // Whether the text at `at` spells a special token, or ends while it still could.
  bool may_begin(std::string_view text, size_t at) const;
  // Equivalent to llama.cpp's tokenizer_st_partition, whose time is quadratic in the number of tokens found: the
  // longest special texts first, each from left to right, where no other was found before. A special text that `mark`
  // follows is ordinary text.
  std::vector<Cut> cut(std::string_view text, std::string_view mark = {}) const;

 private:
  static constexpr uint32_t kRoot = 0;
  static constexpr uint32_t kNone = UINT32_MAX;

  struct Match {
    size_t at;
    uint32_t index;  // Index of the text, in the order of `add`.
  };
  struct Text {
    llama_token token;
    std::string text;
    llama_token_attr attributes;
  };

  uint32_t child(uint32_t node, char byte) const;
  size_t length(const Match& match) const { return texts_[match.index].text.size(); }
  std::vector<Match> find_all(std::string_view text, std::string_view mark) const;

  std::vector<Text> texts_;
  std::vector<uint32_t> ends_ = {kNone};  // [nodes] The text that ends at the node.
  std::unordered_map<uint64_t, uint32_t> children_;
  bool starts_[256] = {};
};
