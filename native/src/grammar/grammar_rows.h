#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "grammar/grammar_rules.h"

// The rows of an Earley recogniser over bytes. A row is the set of ways in which the rules can parse a text up to one
// of its bytes. An item refers to the row in which its rule was entered, not to a position in the text; texts with the
// same continuations therefore share one row, and the effect of a byte on a row is computed once.
class GrammarRows {
 public:
  using Row = uint32_t;
  // Instead of a row: the rules reject the byte.
  static constexpr Row kRefused = UINT32_MAX;
  // Instead of a row: not computed yet.
  static constexpr Row kUnknown = UINT32_MAX - 1;

  GrammarRows(std::shared_ptr<const GrammarRules> rules, uint32_t root);

  Row start() const { return start_; }
  // The row after one more byte, or kRefused. Throws ERR_GRAMMAR_TOO_COMPLEX if the text can be parsed in too many
  // ways.
  Row next(Row row, uint8_t byte) {
    const Row known = known_next(row, byte);
    return known == kUnknown ? compute_next(row, byte) : known;
  }
  // The same without computing a new row.
  Row known_next(Row row, uint8_t byte) const {
    const Node& node = nodes_[row];
    if (node.table != kNoTable) return tables_[node.table + byte];
    return node.low <= byte && byte <= node.high ? node.target : kUnknown;
  }
  // Whether the text may end here.
  bool finished(Row row) const { return nodes_[row].finished; }
  // A row that parses the next `bytes` bytes like `row`, without counts that cannot reach a bound within them. It does
  // not preserve where the text may end.
  Row without_counts(Row row, uint32_t bytes);

  // Whether so much is stored that `collect` should be called before the next row is computed.
  bool full() const { return stored_bytes() > bytes_max_; }
  // Drops all rows except `kept` and the rows they were entered from, and renumbers these. Throws
  // ERR_GRAMMAR_TOO_COMPLEX if too much is left.
  void collect(std::initializer_list<std::span<Row>> kept);
  size_t stored_bytes() const;
  // Incremented by every `collect`, which renumbers the rows.
  uint64_t generation() const { return generation_; }
  // Edges and items examined so far: a measure of time that does not depend on the machine.
  uint64_t work() const { return work_; }

 private:
  // Instead of the row in which the rule was entered: the item's own row.
  static constexpr Row kOwn = UINT32_MAX;
  static constexpr uint32_t kNoTable = UINT32_MAX;

  struct Item {
    uint32_t state;
    Row origin;  // The row in which the rule was entered.
    uint32_t rule;
    uint32_t count;
    auto operator<=>(const Item&) const = default;
  };
  struct Node {
    uint32_t begin, end;        // Range of its items.
    uint32_t table = kNoTable;  // Offset of its 256 next rows, once more than one is known.
    Row target = kUnknown;      // The next row for the bytes from `low` to `high`.
    uint8_t low = 1, high = 0;
    bool finished;
  };
  // The bytes around a given byte that lead to the same row.
  struct Bytes {
    uint8_t low = 0, high = 0xFF;
  };

  Row compute_next(Row row, uint8_t byte);
  Bytes read_byte(Row row, uint8_t byte);
  void remember(Row row, const Bytes& bytes, Row target);
  void enter(uint32_t rule, Row origin, uint32_t item_rule);
  void follow(Item item, const GrammarRules::Edge& edge);
  void add(const Item& item);
  void close();
  void complete(const Item& item);
  bool may_finish() const;
  Row keep(bool finished);
  Row find_slot(uint64_t hash, bool finished, size_t& slot) const;
  void grow_slots();
  Row copy_without_counts(Row row, uint32_t bytes);

  std::shared_ptr<const GrammarRules> rules_;
  uint32_t root_;
  Row start_ = kOwn;
  std::vector<Item> items_;
  std::vector<Node> nodes_;
  std::vector<Row> tables_;
  struct Slot {
    uint32_t hash = 0;
    Row row = kUnknown;
  };
  std::vector<Slot> slots_;  // A hash table of the rows, by their items.
  std::unordered_map<uint64_t, Row> uncounted_;
  std::vector<Item> closing_;  // The row under construction.
  size_t bytes_max_;
  uint64_t generation_ = 0;
  uint64_t work_ = 0;
};
