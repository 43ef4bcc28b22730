#include "grammar/grammar_rows.h"

#include <algorithm>

#include "base/coded_error.h"

namespace {

// The ways to parse a text: in one row, and in all rows that a text needs.
constexpr size_t kRowItemsMax = 6'000;
constexpr size_t kItemsMax = 400'000;
constexpr size_t kScanItems = 12;
// Larger rows are not sorted and may be stored twice.
constexpr size_t kSortedItemsMax = 256;
// Edges examined for one byte: about a millisecond.
constexpr uint64_t kByteWorkMax = 400'000;
// Storage beyond the rows that a text needs.
constexpr size_t kStoredBytesMax = 2 << 20;
// The approximate size of an entry of a hash map.
constexpr size_t kUncountedBytes = 64;
// Nested rows whose counts are examined for one mask.
constexpr size_t kUncountedRowsMax = 1'000;

// The items that a row already contains, for rows too long to search. One per thread, since a row is completed without
// interruption.
class SeenItems {
 public:
  void begin() { ++stamp_; }
  bool insert(uint64_t hash, uint32_t index, const auto& equal) {
    for (size_t slot = hash & kMask;; slot = (slot + 1) & kMask) {
      Entry& entry = entries_[slot];
      if (entry.stamp != stamp_) {
        entry = {stamp_, index};
        return true;
      }
      if (equal(entry.index)) return false;
    }
  }

 private:
  struct Entry {
    uint64_t stamp = 0;
    uint32_t index = 0;
  };
  static constexpr size_t kMask = (1 << 14) - 1;
  std::vector<Entry> entries_ = std::vector<Entry>(kMask + 1);
  uint64_t stamp_ = 0;
};

thread_local SeenItems seen;

[[noreturn]] void refuse() {
  throw CodedError("ERR_GRAMMAR_TOO_COMPLEX",
                   "the answer can be read in too many ways: make the schema less ambiguous");
}

uint64_t hash_of(const auto& item) {
  uint64_t mixed = (static_cast<uint64_t>(item.state) << 32 | item.origin) * 0x9E3779B97F4A7C15;
  mixed ^= (static_cast<uint64_t>(item.rule) << 32 | item.count) * 0xC2B2AE3D27D4EB4F;
  return mixed ^ mixed >> 29;
}

}  // namespace

GrammarRows::GrammarRows(std::shared_ptr<const GrammarRules> rules, uint32_t root)
    : rules_(std::move(rules)), root_(root), bytes_max_(kStoredBytesMax) {
  enter(root_, kOwn, root_);
  close();
  start_ = keep(may_finish());
}

size_t GrammarRows::stored_bytes() const {
  return items_.size() * sizeof(Item) + nodes_.size() * sizeof(Node) + tables_.size() * sizeof(Row) +
         slots_.size() * sizeof(Slot) + uncounted_.size() * kUncountedBytes;
}

void GrammarRows::add(const Item& item) {
  const size_t count = closing_.size();
  const auto same = [&](uint32_t index) { return closing_[index] == item; };
  if (count < kScanItems) {
    if (std::find(closing_.begin(), closing_.end(), item) != closing_.end()) return;
  } else {
    if (count == kScanItems) {
      seen.begin();
      for (uint32_t index = 0; index < count; ++index) {
        seen.insert(hash_of(closing_[index]), index, [](uint32_t) { return false; });
      }
    }
    if (!seen.insert(hash_of(item), static_cast<uint32_t>(count), same)) return;
    if (count >= kRowItemsMax) refuse();
  }
  closing_.push_back(item);
}

// Starts parsing the automaton of a rule, in an item of `item_rule`.
void GrammarRows::enter(uint32_t rule, Row origin, uint32_t item_rule) {
  const uint32_t state = rules_->rule(rule).start;
  add(Item{state, origin, item_rule, rules_->bounds(state).reduced(0)});
}

// Follows an edge that needs no byte, or whose byte or rule was read.
void GrammarRows::follow(Item item, const GrammarRules::Edge& edge) {
  if (item.count < edge.guard.least) return;
  if (edge.guard.counts && item.count != GrammarRules::kAnyCount) {
    if (item.count >= edge.guard.below) return;
    item.count = rules_->bounds(item.state).reduced(item.count + 1);
  }
  item.state = edge.target;
  add(item);
}

// Adds everything that follows from the row's items without another byte.
void GrammarRows::close() {
  const uint64_t work_max = work_ + kByteWorkMax;
  for (size_t at = 0; at < closing_.size(); ++at) {
    if (work_ > work_max) refuse();
    const Item item = closing_[at];
    const GrammarRules::State& state = rules_->state(item.state);
    // A rule that ends where it started was skipped when it was entered.
    if (state.accepting && item.origin != kOwn) complete(item);
    const GrammarRules::Edge* edges = rules_->edges(state);
    work_ += state.edge_count;
    for (uint32_t index = 0; index < state.edge_count; ++index) {
      const GrammarRules::Edge& edge = edges[index];
      switch (edge.kind) {
        case GrammarRules::Kind::kBytes: break;
        case GrammarRules::Kind::kEmpty: follow(item, edge); break;
        case GrammarRules::Kind::kTailCall:
          add(Item{edge.target, item.origin, item.rule, rules_->bounds(edge.target).reduced(0)});
          break;
        case GrammarRules::Kind::kCall:
          enter(edge.rule, kOwn, edge.rule);
          if (rules_->rule(edge.rule).nullable) follow(item, edge);
          break;
      }
    }
  }
}

// Advances the items that wait for the rule in the row where it was entered.
void GrammarRows::complete(const Item& item) {
  const Node& entered = nodes_[item.origin];
  work_ += entered.end - entered.begin;
  for (uint32_t at = entered.begin; at < entered.end; ++at) {
    Item waiting = items_[at];
    if (waiting.origin == kOwn) waiting.origin = item.origin;
    const GrammarRules::State& state = rules_->state(waiting.state);
    const GrammarRules::Edge* edges = rules_->edges(state);
    for (uint32_t index = 0; index < state.edge_count; ++index) {
      if (edges[index].kind == GrammarRules::Kind::kCall && edges[index].rule == item.rule) {
        follow(waiting, edges[index]);
      }
    }
  }
}

bool GrammarRows::may_finish() const {
  return std::any_of(closing_.begin(), closing_.end(), [&](const Item& item) {
    return item.rule == root_ && item.origin == start_ && rules_->state(item.state).accepting;
  });
}

GrammarRows::Row GrammarRows::compute_next(Row row, uint8_t byte) {
  closing_.clear();
  const Bytes bytes = read_byte(row, byte);
  Row target = kRefused;
  if (!closing_.empty()) {
    close();
    target = keep(may_finish());
  }
  remember(row, bytes, target);
  return target;
}

// Starts the row after the byte. Returns the bytes that start the same row.
GrammarRows::Bytes GrammarRows::read_byte(Row row, uint8_t byte) {
  Bytes alike;
  const Node& node = nodes_[row];
  for (uint32_t at = node.begin; at < node.end; ++at) {
    Item item = items_[at];
    if (item.origin == kOwn) item.origin = row;
    const GrammarRules::State& state = rules_->state(item.state);
    const GrammarRules::Edge* edges = rules_->edges(state);
    work_ += state.edge_count;
    for (uint32_t index = 0; index < state.edge_count; ++index) {
      const GrammarRules::Edge& edge = edges[index];
      if (edge.kind != GrammarRules::Kind::kBytes) continue;
      if (byte < edge.low) {
        alike.high = std::min<uint8_t>(alike.high, edge.low - 1);
      } else if (byte > edge.high) {
        alike.low = std::max<uint8_t>(alike.low, edge.high + 1);
      } else {
        alike = {std::max(alike.low, edge.low), std::min(alike.high, edge.high)};
        follow(item, edge);
      }
    }
  }
  return alike;
}

// Most rows of a text see only one byte, so a table is created for the second.
void GrammarRows::remember(Row row, const Bytes& bytes, Row target) {
  Node& node = nodes_[row];
  const auto fill = [&](size_t low, size_t high, Row value) {
    std::fill(tables_.begin() + static_cast<ptrdiff_t>(node.table + low),
              tables_.begin() + static_cast<ptrdiff_t>(node.table + high + 1), value);
  };
  if (node.table == kNoTable) {
    if (node.target == kUnknown) {
      node.low = bytes.low, node.high = bytes.high, node.target = target;
      return;
    }
    const size_t table = tables_.size();
    tables_.resize(table + 256, kUnknown);
    node.table = static_cast<uint32_t>(table);
    fill(node.low, node.high, node.target);
  }
  fill(bytes.low, bytes.high, target);
}

// Stores the row under construction, once.
GrammarRows::Row GrammarRows::keep(bool finished) {
  work_ += closing_.size();
  std::erase_if(closing_, [this](const Item& item) { return !rules_->state(item.state).lasting; });
  if (closing_.size() <= kSortedItemsMax) std::sort(closing_.begin(), closing_.end());
  uint64_t hash = finished;
  for (const Item& item : closing_) hash = (hash ^ hash_of(item)) * 0x9E3779B97F4A7C15;
  hash ^= hash >> 32;
  if (2 * (nodes_.size() + 1) > slots_.size()) grow_slots();
  size_t slot = 0;
  const Row known = find_slot(hash, finished, slot);
  if (known != kUnknown) return known;
  const auto row = static_cast<Row>(nodes_.size());
  const auto begin = static_cast<uint32_t>(items_.size());
  items_.insert(items_.end(), closing_.begin(), closing_.end());
  nodes_.push_back({.begin = begin, .end = static_cast<uint32_t>(items_.size()), .finished = finished});
  slots_[slot] = {static_cast<uint32_t>(hash), row};
  return row;
}

// The stored row with the same items as the row under construction; if there is none, `slot` is its place.
GrammarRows::Row GrammarRows::find_slot(uint64_t hash, bool finished, size_t& slot) const {
  for (slot = hash & (slots_.size() - 1); slots_[slot].row != kUnknown; slot = (slot + 1) & (slots_.size() - 1)) {
    if (slots_[slot].hash != static_cast<uint32_t>(hash)) continue;
    const Node& node = nodes_[slots_[slot].row];
    if (node.finished == finished &&
        std::equal(items_.begin() + node.begin, items_.begin() + node.end, closing_.begin(), closing_.end())) {
      return slots_[slot].row;
    }
  }
  return kUnknown;
}

void GrammarRows::grow_slots() {
  const std::vector<Slot> before = std::move(slots_);
  slots_.assign(std::max<size_t>(64, 2 * before.size()), {});
  for (const Slot& entry : before) {
    if (entry.row == kUnknown) continue;
    size_t slot = entry.hash & (slots_.size() - 1);
    while (slots_[slot].row != kUnknown) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = entry;
  }
}

GrammarRows::Row GrammarRows::without_counts(Row row, uint32_t bytes) {
  const auto key = [bytes](Row counted) { return static_cast<uint64_t>(counted) << 32 | bytes; };
  std::vector<Row> waiting{row};
  for (size_t steps = 0; !waiting.empty(); ++steps) {
    if (steps > kUncountedRowsMax || full()) return row;
    const Row at = waiting.back();
    const size_t before = waiting.size();
    for (uint32_t index = nodes_[at].begin; index < nodes_[at].end; ++index) {
      const Row origin = items_[index].origin;
      if (origin != kOwn && !uncounted_.contains(key(origin))) waiting.push_back(origin);
    }
    if (waiting.size() > before) continue;
    waiting.pop_back();
    if (!uncounted_.contains(key(at))) uncounted_.emplace(key(at), copy_without_counts(at, bytes));
  }
  return uncounted_.at(key(row));
}

// The rows that its items were entered from have already been copied.
GrammarRows::Row GrammarRows::copy_without_counts(Row row, uint32_t bytes) {
  closing_.clear();
  for (uint32_t at = nodes_[row].begin; at < nodes_[row].end; ++at) {
    Item item = items_[at];
    if (item.origin != kOwn) item.origin = uncounted_.at(static_cast<uint64_t>(item.origin) << 32 | bytes);
    if (rules_->bounds(item.state).out_of_reach(item.count, bytes)) item.count = GrammarRules::kAnyCount;
    add(item);
  }
  return keep(nodes_[row].finished);
}

void GrammarRows::collect(std::initializer_list<std::span<Row>> kept) {
  std::vector<Row> names(nodes_.size(), kUnknown);
  names[start_] = start_;
  for (const auto& rows : kept) {
    for (const Row row : rows) names[row] = row;
  }
  // A row is newer than the rows it was entered from.
  size_t items = 0;
  for (size_t row = nodes_.size(); row-- > 0;) {
    if (names[row] == kUnknown) continue;
    items += nodes_[row].end - nodes_[row].begin;
    for (uint32_t at = nodes_[row].begin; at < nodes_[row].end; ++at) {
      if (items_[at].origin != kOwn) names[items_[at].origin] = items_[at].origin;
    }
  }
  if (items > kItemsMax) refuse();
  work_ += nodes_.size() + items;
  const std::vector<Node> nodes = std::move(nodes_);
  const std::vector<Item> all = std::move(items_);
  nodes_.clear();
  items_.clear();
  tables_.clear();
  slots_.clear();
  uncounted_.clear();
  for (size_t row = 0; row < nodes.size(); ++row) {
    if (names[row] == kUnknown) continue;
    closing_.assign(all.begin() + nodes[row].begin, all.begin() + nodes[row].end);
    for (Item& item : closing_) {
      if (item.origin != kOwn) item.origin = names[item.origin];
    }
    names[row] = keep(nodes[row].finished);
  }
  start_ = names[start_];
  for (const auto& rows : kept) {
    for (Row& row : rows) row = names[row];
  }
  bytes_max_ = kStoredBytesMax + stored_bytes();
  ++generation_;
}
