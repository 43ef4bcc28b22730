#include "grammar/char_set.h"

#include <algorithm>

namespace {

constexpr uint32_t kSurrogateFirst = 0xD800, kSurrogateLast = 0xDFFF;

}  // namespace

CharSet::CharSet(std::initializer_list<CodeRange> ranges) {
  for (const CodeRange& range : ranges) add(range.low, range.high);
}

CharSet CharSet::all() { return CharSet{{0, kCodePointMax}}; }

void CharSet::add(uint32_t low, uint32_t high) {
  if (low < kSurrogateFirst && high > kSurrogateLast) {
    add(low, kSurrogateFirst - 1);
    add(kSurrogateLast + 1, high);
    return;
  }
  if (low >= kSurrogateFirst && low <= kSurrogateLast) low = kSurrogateLast + 1;
  if (high >= kSurrogateFirst && high <= kSurrogateLast) high = kSurrogateFirst - 1;
  if (low > high) return;
  auto first = std::lower_bound(ranges_.begin(), ranges_.end(), low,
                                [](const CodeRange& range, uint32_t code) { return range.high + 1 < code; });
  auto last = first;
  for (; last != ranges_.end() && last->low <= high + 1; ++last) {
    low = std::min(low, last->low);
    high = std::max(high, last->high);
  }
  first = ranges_.erase(first, last);
  ranges_.insert(first, {low, high});
}

void CharSet::add(const CharSet& other) {
  for (const CodeRange& range : other.ranges_) add(range.low, range.high);
}

CharSet CharSet::complement() const {
  CharSet result;
  uint32_t next = 0;
  for (const CodeRange& range : ranges_) {
    if (range.low > next) result.add(next, range.low - 1);
    next = range.high + 1;
  }
  if (next <= kCodePointMax) result.add(next, kCodePointMax);
  return result;
}

bool CharSet::contains(uint32_t code) const {
  const auto range =
      std::lower_bound(ranges_.begin(), ranges_.end(), code,
                       [](const CodeRange& candidate, uint32_t wanted) { return candidate.high < wanted; });
  return range != ranges_.end() && range->low <= code;
}
