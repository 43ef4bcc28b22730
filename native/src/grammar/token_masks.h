#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "grammar/grammar_state.h"
#include "sampling/token_table.h"

// Finds the text tokens that may continue an answer, and caches the sets, because a later token may meet the same
// state.
class TokenMasks {
 public:
  explicit TokenMasks(std::shared_ptr<const TokenTable> tokens) : tokens_(std::move(tokens)) {}

  // The tokens whose bytes the state can all read. Valid until the next call. Throws ERR_GRAMMAR_TOO_COMPLEX.
  const TokenSet& allowed(GrammarState& state);
  // Drops the masks, which belong to the rows of one state.
  void clear() { kept_.clear(); }

 private:
  struct Kept {
    GrammarRows::Row row;
    uint64_t used;  // Time of the last use, counted in masks.
    TokenSet tokens;
  };

  GrammarRows::Row fill(GrammarState& state, GrammarRows::Row row, TokenSet& allowed);
  GrammarRows::Row walk(const TokenTrie& trie, GrammarState& state, GrammarRows::Row row, TokenSet& allowed);
  TokenSet make_room();

  std::shared_ptr<const TokenTable> tokens_;
  std::vector<Kept> kept_;
  std::vector<GrammarRows::Row> walked_;  // The rows from the root of a trie to the current node of the walk.
  uint64_t generation_ = 0;
  uint64_t count_ = 0;
};
