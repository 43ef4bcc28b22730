#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "grammar/grammar_rules.h"

// How far a text has come in a grammar: an Earley recogniser over bytes. Its memory grows with the nesting of the text,
// not with its length, and its work per byte is bounded.
class GrammarState {
 public:
  GrammarState(std::shared_ptr<const GrammarRules> grammar, uint32_t root);

  // Reads a byte if the grammar allows it. Throws ERR_GRAMMAR_TOO_COMPLEX where the text can be read in too many ways.
  bool push(uint8_t byte);
  // Takes back the last `count` bytes, of those since `commit`.
  void pop(size_t count) {
    rows_.resize(rows_.size() - count);
    items_.resize(rows_.empty() ? 0 : rows_.back().end);
  }
  // Forgets what can no longer matter; bytes read before cannot be taken back any more.
  void commit();
  // Whether the text may end here.
  bool finished() const;
  // Edges looked at since the state was made: a measure of time that does not depend on the machine.
  uint64_t work() const { return work_; }

 private:
  struct Item {
    uint32_t state;
    uint32_t origin;  // The row in which the rule was entered.
    uint32_t rule;
    uint32_t count;
    bool operator==(const Item&) const = default;
  };
  struct Row {
    uint32_t begin, end;
  };

  void add(Item item, const GrammarRules::Edge& edge);
  void add(const Item& item);
  void close();

  std::shared_ptr<const GrammarRules> grammar_;
  uint32_t root_;
  std::vector<Item> items_;
  std::vector<Row> rows_;
  uint64_t work_ = 0;
};
