#include "grammar/grammar_state.h"

#include <algorithm>

#include "base/coded_error.h"

namespace {

// The ways to read a text, in one row and in all that are kept.
constexpr size_t kRowItemsMax = 6'000;
constexpr size_t kItemsMax = 400'000;
constexpr size_t kScanItems = 12;
// Edges looked at for one byte: about a millisecond.
constexpr uint64_t kByteWorkMax = 400'000;

// Which items a row holds already, for rows too long to look through. One per thread: a row is closed without a pause.
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

}  // namespace

GrammarState::GrammarState(std::shared_ptr<const GrammarRules> grammar, uint32_t root)
    : grammar_(std::move(grammar)), root_(root) {
  rows_.push_back({0, 0});
  add(Item{grammar_->rule(root_).start, 0, root_, 0});
  close();
}

void GrammarState::add(const Item& item) {
  Row& row = rows_.back();
  const size_t count = row.end - row.begin;
  const auto hash = [](const Item& value) {
    uint64_t mixed = (static_cast<uint64_t>(value.state) << 32 | value.origin) * 0x9E3779B97F4A7C15;
    mixed ^= (static_cast<uint64_t>(value.rule) << 32 | value.count) * 0xC2B2AE3D27D4EB4F;
    return mixed ^ mixed >> 29;
  };
  const auto same = [&](uint32_t index) { return items_[index] == item; };
  if (count < kScanItems) {
    for (uint32_t index = row.begin; index < row.end; ++index) {
      if (same(index)) return;
    }
  } else {
    if (count == kScanItems) {
      seen.begin();
      for (uint32_t index = row.begin; index < row.end; ++index)
        seen.insert(hash(items_[index]), index, [](uint32_t) { return false; });
    }
    if (!seen.insert(hash(item), row.end, same)) return;
    if (count >= kRowItemsMax || items_.size() >= kItemsMax) refuse();
  }
  items_.push_back(item);
  ++row.end;
}

// Follows an edge that needs no byte, or whose byte or rule was read.
void GrammarState::add(Item item, const GrammarRules::Edge& edge) {
  if (item.count < edge.guard.least) return;
  if (edge.guard.counts) {
    if (item.count >= edge.guard.below) return;
    ++item.count;
  }
  item.state = edge.target;
  add(item);
}

// Adds all that follows from the row's items without another byte.
void GrammarState::close() {
  const auto current = static_cast<uint32_t>(rows_.size() - 1);
  const uint64_t work_max = work_ + kByteWorkMax;
  for (uint32_t at = rows_.back().begin; at < rows_.back().end; ++at) {
    if (work_ > work_max) refuse();
    const Item item = items_[at];
    const GrammarRules::State& state = grammar_->state(item.state);
    // A rule that ends where it began was passed over when it was entered.
    if (state.accepting && item.origin != current) {
      const Row entered = rows_[item.origin];
      work_ += entered.end - entered.begin;
      for (uint32_t caller = entered.begin; caller < entered.end; ++caller) {
        const Item waiting = items_[caller];
        const GrammarRules::State& waiting_state = grammar_->state(waiting.state);
        const GrammarRules::Edge* edges = grammar_->edges(waiting_state);
        for (uint32_t index = 0; index < waiting_state.edge_count; ++index) {
          if (edges[index].kind == GrammarRules::Kind::kCall && edges[index].rule == item.rule)
            add(waiting, edges[index]);
        }
      }
    }
    const GrammarRules::Edge* edges = grammar_->edges(state);
    work_ += state.edge_count;
    for (uint32_t index = 0; index < state.edge_count; ++index) {
      const GrammarRules::Edge& edge = edges[index];
      switch (edge.kind) {
        case GrammarRules::Kind::kBytes: break;
        case GrammarRules::Kind::kEmpty: add(item, edge); break;
        case GrammarRules::Kind::kTailCall: add(Item{edge.target, item.origin, item.rule, 0}); break;
        case GrammarRules::Kind::kCall:
          add(Item{grammar_->rule(edge.rule).start, current, edge.rule, 0});
          if (grammar_->rule(edge.rule).nullable) add(item, edge);
          break;
      }
    }
  }
}

bool GrammarState::push(uint8_t byte) {
  const Row last = rows_.back();
  rows_.push_back({last.end, last.end});
  for (uint32_t at = last.begin; at < last.end; ++at) {
    const Item item = items_[at];
    const GrammarRules::State& state = grammar_->state(item.state);
    const GrammarRules::Edge* edges = grammar_->edges(state);
    work_ += state.edge_count;
    for (uint32_t index = 0; index < state.edge_count; ++index) {
      const GrammarRules::Edge& edge = edges[index];
      if (edge.kind == GrammarRules::Kind::kBytes && edge.low <= byte && byte <= edge.high) add(item, edge);
    }
  }
  if (rows_.back().begin == rows_.back().end) {
    rows_.pop_back();
    return false;
  }
  close();
  return true;
}

void GrammarState::commit() {
  const auto current = static_cast<uint32_t>(rows_.size() - 1);
  const Row last = rows_.back();
  uint32_t kept = 0;
  for (uint32_t at = last.begin; at < last.end; ++at) {
    if (items_[at].origin != current) kept = std::max(kept, items_[at].origin + 1);
  }
  if (kept >= current) return;
  const uint32_t begin = kept == 0 ? 0 : rows_[kept - 1].end;
  for (uint32_t at = last.begin; at < last.end; ++at) {
    Item item = items_[at];
    if (item.origin == current) item.origin = kept;
    items_[begin + at - last.begin] = item;
  }
  rows_.resize(kept + 1);
  rows_.back() = {begin, begin + last.end - last.begin};
  items_.resize(rows_.back().end);
}

bool GrammarState::finished() const {
  const Row last = rows_.back();
  return std::any_of(items_.begin() + last.begin, items_.begin() + last.end, [&](const Item& item) {
    return item.rule == root_ && item.origin == 0 && grammar_->state(item.state).accepting;
  });
}
