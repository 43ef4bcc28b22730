#include "grammar/token_masks.h"

#include <algorithm>
#include <span>

#include "base/coded_error.h"
#include "sampling/plain_text.h"

namespace {

using Row = GrammarRows::Row;

// Edges looked at for one mask: some ten milliseconds.
constexpr uint64_t kMaskWorkMax = 20'000'000;
// The same for finding out whether plain text is allowed, whose bytes and rows are bounded as well.
constexpr uint64_t kPlainWorkMax = 1'000'000;
constexpr size_t kPlainStepsMax = 100'000;
constexpr size_t kPlainRowsMax = 16;
// Of one answer.
constexpr size_t kKeptBytesMax = 1 << 20;

// Whether a row reads every text of so many plain characters. That takes few rows: most characters lead to the same.
class PlainReader {
 public:
  explicit PlainReader(GrammarRows& rows) : rows_(rows), work_max_(rows.work() + kPlainWorkMax) {}

  bool reads_all(Row from, uint32_t length) {
    if (!reads_letters(from, length)) return false;
    add(from);
    // In the order of the characters before them: the way to each row is the shortest.
    for (size_t at = 0, before = 0; before < length && at < found_.size(); ++before) {
      for (const size_t end = found_.size(); at < end; ++at) {
        for (const PlainCharacters& characters : kPlainCharacters) {
          if (!read(found_[at], characters.ranges())) return false;
        }
      }
    }
    return true;
  }

 private:
  // Most rows that do not read all refuse these.
  bool reads_letters(Row row, uint32_t length) {
    for (uint32_t count = 0; count < length; ++count) {
      if (!may_go_on()) return false;
      const Row before = row;
      row = rows_.next(before, 'e');
      if (row == before) return true;
      if (row == GrammarRows::kRefused) return false;
    }
    return true;
  }

  bool read(Row row, std::span<const ByteRange> ranges) {
    if (ranges.empty()) return add(row);
    Row before = GrammarRows::kRefused;
    for (uint32_t byte = ranges.front().low; byte <= ranges.front().high; ++byte) {
      if (!may_go_on()) return false;
      const Row next = rows_.next(row, static_cast<uint8_t>(byte));
      if (next == GrammarRows::kRefused) return false;
      if (next != before && !read(next, ranges.subspan(1))) return false;
      before = next;
    }
    return true;
  }

  bool may_go_on() { return ++steps_ <= kPlainStepsMax && !rows_.full() && rows_.work() <= work_max_; }

  bool add(Row row) {
    if (std::find(found_.begin(), found_.end(), row) != found_.end()) return true;
    found_.push_back(row);
    return found_.size() <= kPlainRowsMax;
  }

  GrammarRows& rows_;
  uint64_t work_max_;
  size_t steps_ = 0;
  std::vector<Row> found_;
};

}  // namespace

const TokenSet& TokenMasks::allowed(GrammarState& state) {
  GrammarRows& rows = state.rows();
  if (rows.full()) rows.collect({state.path()});
  if (generation_ != rows.generation()) clear();
  generation_ = rows.generation();
  ++count_;
  const Row row = rows.without_counts(state.path().back(), tokens_->texts().height());
  for (Kept& kept : kept_) {
    if (kept.row != row) continue;
    kept.used = count_;
    return kept.tokens;
  }
  TokenSet tokens = make_room();
  const Row named = fill(state, row, tokens);
  // Rows that were renamed meanwhile are no longer those of the other masks.
  if (generation_ != rows.generation()) clear();
  generation_ = rows.generation();
  return kept_.emplace_back(Kept{named, count_, std::move(tokens)}).tokens;
}

// A set for another mask, taken from the mask that was not used for longest where there are too many.
TokenSet TokenMasks::make_room() {
  const size_t words = (tokens_->size() + 63) / 64;
  const size_t most = std::max<size_t>(1, kKeptBytesMax / (words * sizeof(uint64_t)));
  if (kept_.size() < most) return TokenSet(words);
  const auto oldest =
      std::min_element(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
  std::swap(*oldest, kept_.back());
  TokenSet tokens = std::move(kept_.back().tokens);
  kept_.pop_back();
  return tokens;
}

// Returns the row under the name that it has afterwards.
Row TokenMasks::fill(GrammarState& state, Row row, TokenSet& allowed) {
  GrammarRows& rows = state.rows();
  for (const TokenTable::Plain& plain : tokens_->plain()) {
    const Row reading = rows.without_counts(state.path().back(), plain.length_max * kPlainCharacterBytesMax);
    if (!PlainReader(rows).reads_all(reading, plain.length_max)) continue;
    std::copy(plain.tokens.begin(), plain.tokens.end(), allowed.begin());
    return walk(plain.rest, state, row, allowed);
  }
  std::fill(allowed.begin(), allowed.end(), 0);
  return walk(tokens_->texts(), state, row, allowed);
}

// Adds the trie's tokens that the row reads to the last byte.
Row TokenMasks::walk(const TokenTrie& trie, GrammarState& state, Row row, TokenSet& allowed) {
  GrammarRows& rows = state.rows();
  const uint64_t work_max = rows.work() + kMaskWorkMax;
  walked_.assign(trie.height() + 1, row);
  const std::vector<TokenTrie::Node>& nodes = trie.nodes();
  for (size_t at = 0; at < nodes.size();) {
    const TokenTrie::Node node = nodes[at];
    const auto byte = static_cast<uint8_t>(node.byte);
    Row next = rows.known_next(walked_[node.depth], byte);
    if (next == GrammarRows::kUnknown) {
      if (rows.full()) rows.collect({state.path(), std::span(walked_.data(), node.depth + 1)});
      next = rows.next(walked_[node.depth], byte);
      if (rows.work() > work_max) {
        throw CodedError("ERR_GRAMMAR_TOO_COMPLEX",
                         "the next token takes too long to constrain: make the schema less ambiguous");
      }
    }
    if (next == GrammarRows::kRefused) {
      at = node.end;
      continue;
    }
    const bool ends = node.token != TokenTrie::kNoToken;
    allowed[ends ? static_cast<size_t>(node.token) / 64 : 0] |= uint64_t{ends} << (node.token & 63);
    walked_[node.depth + 1] = next;
    ++at;
  }
  for (const auto& [first, twin] : trie.twins()) {
    if (has_token(allowed, first)) add_token(allowed, twin);
  }
  return walked_[0];
}
