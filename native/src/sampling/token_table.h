#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sampling/token_trie.h"
#include "sampling/vocabulary.h"

// One bit per token.
using TokenSet = std::vector<uint64_t>;

inline void add_token(TokenSet& set, int32_t token) {
  set[static_cast<size_t>(token) / 64] |= uint64_t{1} << (token % 64);
}
inline bool has_token(const TokenSet& set, int32_t token) {
  return (set[static_cast<size_t>(token) / 64] >> (token % 64) & 1) != 0;
}

// The bytes of a vocabulary's tokens, indexed to find the tokens that a grammar allows.
class TokenTable {
 public:
  explicit TokenTable(VocabularyTable vocabulary);

  size_t size() const { return vocabulary_.control.size(); }
  std::string_view bytes(int32_t token) const {
    const uint32_t begin = vocabulary_.offsets[static_cast<size_t>(token)];
    const uint32_t end = vocabulary_.offsets[static_cast<size_t>(token) + 1];
    return {reinterpret_cast<const char*>(vocabulary_.bytes.data()) + begin, end - begin};
  }
  bool is_control(int32_t token) const { return vocabulary_.control[static_cast<size_t>(token)] != 0; }
  const std::vector<int32_t>& end_tokens() const { return vocabulary_.end_tokens; }

  // Text tokens: no control tokens, no end tokens, no empty tokens.
  const TokenTrie& texts() const { return texts_; }
  // The same tokens in two parts: those of at most `length_max` plain characters, and the rest.
  struct Plain {
    uint32_t length_max = 0;
    TokenSet tokens;
    TokenTrie rest;
  };
  // Ordered by length, longest first.
  const std::vector<Plain>& plain() const { return plain_; }
  // The tokens of at most `length` plain characters, where `length` is less than every `length_max`.
  const TokenSet& short_plain(uint32_t length) const { return short_plain_[length]; }

 private:
  VocabularyTable vocabulary_;
  TokenTrie texts_;
  std::vector<Plain> plain_;
  std::vector<TokenSet> short_plain_;
};
