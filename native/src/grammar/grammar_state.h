#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "grammar/grammar_rows.h"

// The progress of a text in a grammar. Its memory grows with the nesting of the text, not with its length, and its work
// per byte is bounded.
class GrammarState {
 public:
  GrammarState(std::shared_ptr<const GrammarRules> rules, uint32_t root)
      : rows_(std::move(rules), root), path_{rows_.start()} {}

  // Reads a byte if the grammar allows it. Throws ERR_GRAMMAR_TOO_COMPLEX if the text can be parsed in too many ways.
  bool push(uint8_t byte) {
    if (rows_.full()) rows_.collect({path_});
    const GrammarRows::Row next = rows_.next(path_.back(), byte);
    if (next == GrammarRows::kRefused) return false;
    path_.push_back(next);
    return true;
  }
  // Removes the last `count` bytes, which must have been read since `commit`.
  void pop(size_t count) { path_.resize(path_.size() - count); }
  // Earlier bytes can no longer be removed.
  void commit() { path_ = {path_.back()}; }
  // Whether the text may end here.
  bool finished() const { return rows_.finished(path_.back()); }

  // The rows, for callers that try many continuations. A caller that runs `collect` must keep `path`.
  GrammarRows& rows() { return rows_; }
  std::span<GrammarRows::Row> path() { return path_; }

 private:
  GrammarRows rows_;
  std::vector<GrammarRows::Row> path_;  // The row at the last `commit`, and one for each byte since.
};
