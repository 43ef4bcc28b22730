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
  struct Match {
    size_t at;
    uint32_t index;  // Index of the text, in the order of `add`.
  };

  // Texts must not be empty.
  void add(llama_token token, const std::string& text, llama_token_attr attributes);

  bool empty() const { return texts_.empty(); }
  const std::string& text(uint32_t index) const { return texts_[index].text; }
  llama_token token(uint32_t index) const { return texts_[index].token; }
  llama_token_attr attributes(uint32_t index) const { return texts_[index].attributes; }

  // Whether the text at `at` spells a special token, or ends while it still could.
  bool may_begin(std::string_view text, size_t at) const;
  // Appends every special token that `text` spells at `at`.
  void find_all(std::string_view text, size_t at, std::vector<Match>& matches) const;

 private:
  static constexpr uint32_t kRoot = 0;
  static constexpr uint32_t kNone = UINT32_MAX;

  struct Text {
    llama_token token;
    std::string text;
    llama_token_attr attributes;
  };

  uint32_t child(uint32_t node, char byte) const;

  std::vector<Text> texts_;
  std::vector<uint32_t> ends_ = {kNone};  // [nodes] The text that ends at the node.
  std::unordered_map<uint64_t, uint32_t> children_;
  bool starts_[256] = {};
};
