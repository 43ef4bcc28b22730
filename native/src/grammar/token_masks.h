#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "grammar/grammar_state.h"
#include "sampling/token_table.h"

// Finds the tokens that are text and that an answer may continue with, and keeps them: one of the next tokens may meet
// the same state.
class TokenMasks {
 public:
  explicit TokenMasks(std::shared_ptr<const TokenTable> tokens) : tokens_(std::move(tokens)) {}

  // The tokens that the state reads to their last byte. Valid until the next call. Throws ERR_GRAMMAR_TOO_COMPLEX.
  const TokenSet& allowed(GrammarState& state);
  // Forgets the masks, which are those of one state's rows.
  void clear() { kept_.clear(); }

 private:
  struct Kept {
    GrammarRows::Row row;
    uint64_t used;  // When, counted in masks.
    TokenSet tokens;
  };

  GrammarRows::Row fill(GrammarState& state, GrammarRows::Row row, TokenSet& allowed);
  GrammarRows::Row walk(const TokenTrie& trie, GrammarState& state, GrammarRows::Row row, TokenSet& allowed);
  TokenSet make_room();

  std::shared_ptr<const TokenTable> tokens_;
  std::vector<Kept> kept_;
  std::vector<GrammarRows::Row> walked_;  // The rows from the root of a trie to where its walk is.
  uint64_t generation_ = 0;
  uint64_t count_ = 0;
};
