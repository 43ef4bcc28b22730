#include "grammar/token_masks.h"

#include <algorithm>
#include <optional>
#include <span>

#include "base/coded_error.h"
#include "sampling/plain_text.h"

namespace {

using Row = GrammarRows::Row;

// Edges examined for one mask: some ten milliseconds.
constexpr uint64_t kMaskWorkMax = 20'000'000;
// The same for deciding whether plain text is allowed, whose bytes and rows are bounded as well.
constexpr uint64_t kPlainWorkMax = 1'000'000;
constexpr size_t kPlainStepsMax = 100'000;
constexpr size_t kPlainRowsMax = 16;
// Per answer.
constexpr size_t kKeptBytesMax = 1 << 20;

// Counts how many arbitrary plain characters a row can read. This takes few rows, since most characters lead to the
// same row.
class PlainReader {
 public:
  explicit PlainReader(GrammarRows& rows) : rows_(rows), work_max_(rows.work() + kPlainWorkMax) {}

  // Whether the row can read every text of this many plain characters.
  bool reads_all(Row from, uint32_t length) { return count_letters(from, length) == length && find(from, length); }

  // The number of plain characters that the row has room for, if it is less than `below` and only the number matters:
  // the row reads every text of that many characters and none that is longer.
  std::optional<uint32_t> room(Row from, uint32_t below) {
    const uint32_t length = count_letters(from, below);
    if (length == below || !find(from, length) || meets_again_) return std::nullopt;
    for (; read_ < found_.size(); ++read_) {
      for (const PlainCharacters& characters : kPlainCharacters) {
        if (!refuses(found_[read_], characters.ranges())) return std::nullopt;
      }
    }
    return length;
  }

 private:
  // Most rows that do not read all texts reject one of these.
  uint32_t count_letters(Row row, uint32_t most) {
    for (uint32_t count = 0; count < most; ++count) {
      if (!may_go_on()) return count;
      const Row before = row;
      row = rows_.next(before, 'e');
      if (row == before) return most;
      if (row == GrammarRows::kRefused) return count;
    }
    return most;
  }

  // Finds the rows after 0, 1, … `length` plain characters. Returns whether all of the characters were read.
  bool find(Row from, uint32_t length) {
    found_.assign(1, from);
    read_ = layer_ = 0;
    meets_again_ = false;
    for (uint32_t before = 0; before < length && read_ < found_.size(); ++before) {
      layer_ = found_.size();
      for (; read_ < layer_; ++read_) {
        for (const PlainCharacters& characters : kPlainCharacters) {
          if (!read(found_[read_], characters.ranges())) return false;
        }
      }
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

  // Whether the row can read none of the characters completely.
  bool refuses(Row row, std::span<const ByteRange> ranges) {
    if (ranges.empty()) return false;
    for (uint32_t byte = ranges.front().low; byte <= ranges.front().high; ++byte) {
      if (!may_go_on()) return false;
      const Row next = rows_.next(row, static_cast<uint8_t>(byte));
      if (next != GrammarRows::kRefused && !refuses(next, ranges.subspan(1))) return false;
    }
    return true;
  }

  bool may_go_on() { return ++steps_ <= kPlainStepsMax && !rows_.full() && rows_.work() <= work_max_; }

  bool add(Row row) {
    const auto known = std::find(found_.begin(), found_.end(), row);
    if (known == found_.end()) found_.push_back(row);
    // A row that is also reached after fewer characters can read more characters from there.
    else if (known < found_.begin() + static_cast<ptrdiff_t>(layer_)) meets_again_ = true;
    return found_.size() <= kPlainRowsMax;
  }

  GrammarRows& rows_;
  uint64_t work_max_;
  size_t steps_ = 0;
  std::vector<Row> found_;  // Ordered by the number of characters before them, so the path to each row is the shortest.
  size_t read_ = 0;         // Rows of these whose next characters were read.
  size_t layer_ = 0;        // Start of the rows after one more character.
  bool meets_again_ = false;
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
  // Rows that were renumbered in the meantime no longer belong to the other masks.
  if (generation_ != rows.generation()) clear();
  generation_ = rows.generation();
  return kept_.emplace_back(Kept{named, count_, std::move(tokens)}).tokens;
}

// Provides a set for another mask, evicting the least recently used one if there are too many.
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

// Returns the row under its number afterwards.
Row TokenMasks::fill(GrammarState& state, Row row, TokenSet& allowed) {
  GrammarRows& rows = state.rows();
  for (const TokenTable::Plain& plain : tokens_->plain()) {
    const Row reading = rows.without_counts(state.path().back(), plain.length_max * kPlainCharacterBytesMax);
    if (!PlainReader(rows).reads_all(reading, plain.length_max)) continue;
    std::copy(plain.tokens.begin(), plain.tokens.end(), allowed.begin());
    return walk(plain.rest, state, row, allowed);
  }
  const uint32_t shortest = tokens_->plain().back().length_max;
  const Row reading = rows.without_counts(state.path().back(), shortest * kPlainCharacterBytesMax);
  if (const std::optional<uint32_t> room = PlainReader(rows).room(reading, shortest)) {
    const TokenSet& plain = tokens_->short_plain(*room);
    std::copy(plain.begin(), plain.end(), allowed.begin());
    return walk(tokens_->plain().front().rest, state, row, allowed);
  }
  std::fill(allowed.begin(), allowed.end(), 0);
  return walk(tokens_->texts(), state, row, allowed);
}

// Adds the trie's tokens whose bytes the row can all read.
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
