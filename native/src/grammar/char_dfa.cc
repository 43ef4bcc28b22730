#include "grammar/char_dfa.h"

#include <algorithm>
#include <unordered_map>

#include "base/coded_error.h"

namespace {

std::vector<uint32_t> merge_classes(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  std::vector<uint32_t> merged;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(merged));
  return merged;
}

}  // namespace

void require_cells(size_t states, size_t classes) {
  // Of four bytes each.
  constexpr size_t kCellsMax = 1'500'000;
  if (states * classes > kCellsMax) {
    throw CodedError("ERR_GRAMMAR_INVALID", "a pattern, a length or an enumeration needs too large an automaton");
  }
}

void GrammarBudget::spend(uint64_t units) {
  if (units > left_) {
    throw CodedError("ERR_GRAMMAR_INVALID", "the schemas of this request are too expensive to turn into a grammar");
  }
  left_ -= units;
}

CharDfa CharDfa::nothing() {
  CharDfa dfa;
  dfa.next_ = {kDead};
  dfa.accepting_ = {0};
  return dfa;
}

CharDfa CharDfa::everything() {
  CharDfa dfa;
  dfa.next_ = {0};
  dfa.accepting_ = {1};
  return dfa;
}

CharDfa CharDfa::literal(std::string_view utf8) {
  const std::vector<uint32_t> codes = decode_utf8(utf8);
  CharDfa dfa;
  for (const uint32_t code : codes) {
    dfa.classes_.push_back(code);
    dfa.classes_.push_back(code + 1);
  }
  std::sort(dfa.classes_.begin(), dfa.classes_.end());
  dfa.classes_.erase(std::unique(dfa.classes_.begin(), dfa.classes_.end()), dfa.classes_.end());
  require_cells(codes.size() + 1, dfa.classes_.size());
  dfa.next_.assign((codes.size() + 1) * dfa.classes_.size(), kDead);
  for (size_t at = 0; at < codes.size(); ++at) {
    dfa.next_[at * dfa.classes_.size() + dfa.class_of(codes[at])] = static_cast<uint32_t>(at + 1);
  }
  dfa.accepting_.assign(codes.size() + 1, 0);
  dfa.accepting_.back() = 1;
  return dfa;
}

CharDfa CharDfa::length(uint32_t min, uint32_t max, GrammarBudget& budget) {
  const bool bounded = max != UINT32_MAX;
  const size_t states = static_cast<size_t>(bounded ? max : min) + 1;
  require_cells(states, 1);
  budget.spend(states);
  CharDfa dfa;
  dfa.next_.resize(states);
  dfa.accepting_.resize(states);
  for (size_t state = 0; state < states; ++state) {
    const bool last = state + 1 == states;
    dfa.next_[state] = !last ? static_cast<uint32_t>(state + 1) : bounded ? kDead : static_cast<uint32_t>(state);
    dfa.accepting_[state] = state >= min;
  }
  return dfa;
}

uint32_t CharDfa::class_of(uint32_t code) const {
  return static_cast<uint32_t>(std::upper_bound(classes_.begin(), classes_.end(), code) - classes_.begin() - 1);
}

template <typename Accepts>
CharDfa CharDfa::product(const CharDfa& a, const CharDfa& b, GrammarBudget& budget, const Accepts& accepts) {
  CharDfa result;
  result.classes_ = merge_classes(a.classes_, b.classes_);
  std::vector<uint32_t> class_a, class_b;
  for (const uint32_t first : result.classes_) {
    class_a.push_back(a.class_of(first));
    class_b.push_back(b.class_of(first));
  }
  std::unordered_map<uint64_t, uint32_t> known;
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  const auto state_of = [&](uint32_t state_a, uint32_t state_b) {
    const auto [entry, added] = known.try_emplace(static_cast<uint64_t>(state_a) << 32 | state_b, pairs.size());
    if (added) {
      require_cells(pairs.size() + 1, result.classes_.size());
      pairs.emplace_back(state_a, state_b);
      const bool in_a = state_a != kDead && a.accepting(state_a), in_b = state_b != kDead && b.accepting(state_b);
      result.accepting_.push_back(accepts(in_a, in_b));
    }
    return entry->second;
  };
  state_of(0, 0);
  for (size_t at = 0; at < pairs.size(); ++at) {
    budget.spend(result.classes_.size());
    const auto [state_a, state_b] = pairs[at];
    for (size_t index = 0; index < result.classes_.size(); ++index) {
      const uint32_t next_a = a.next(state_a, class_a[index]), next_b = b.next(state_b, class_b[index]);
      // A pair of dead ends stays dead; acceptance is decided as for any other pair.
      const bool over = next_a == kDead && next_b == kDead && !accepts(false, false);
      result.next_.push_back(over ? kDead : state_of(next_a, next_b));
    }
  }
  result.trim();
  return result;
}

CharDfa CharDfa::intersect(const CharDfa& other, GrammarBudget& budget) const {
  return product(*this, other, budget, [](bool a, bool b) { return a && b; });
}

CharDfa CharDfa::unite(const CharDfa& other, GrammarBudget& budget) const {
  return product(*this, other, budget, [](bool a, bool b) { return a || b; });
}

CharDfa CharDfa::complement(GrammarBudget& budget) const {
  return product(*this, everything(), budget, [](bool a, bool) { return !a; });
}

bool CharDfa::matches(std::string_view utf8) const {
  uint32_t state = 0;
  for (const uint32_t code : decode_utf8(utf8)) state = next(state, class_of(code));
  return state != kDead && accepting(state);
}

CharDfa CharDfa::between_marks() const {
  const uint32_t start = next(0, class_of(kTextStart)), end = class_of(kTextEnd);
  if (start == kDead) return nothing();
  CharDfa result = *this;
  for (uint32_t state = 0; state < size(); ++state) {
    const uint32_t after = next(state, end);
    result.accepting_[state] = after != kDead && accepting(after);
  }
  // State 0 is now unreachable from the other states, since no edge leads back over kTextStart.
  const size_t width = classes_.size();
  for (size_t index = 0; index < width; ++index) result.next_[index] = next(start, static_cast<uint32_t>(index));
  result.accepting_[0] = result.accepting_[start];
  result.trim();
  return result;
}

bool CharDfa::empty() const {
  return std::none_of(accepting_.begin(), accepting_.end(), [](uint8_t accepts) { return accepts != 0; });
}

std::optional<std::vector<std::string>> CharDfa::list(size_t most) const {
  std::vector<std::string> texts;
  std::vector<std::pair<uint32_t, std::string>> waiting{{0, ""}};
  for (size_t at = 0; at < waiting.size(); ++at) {
    const auto [state, text] = waiting[at];
    if (accepting(state)) texts.push_back(text);
    // Every state leads to an accepted text, so more prefixes than `most` means more texts than `most`.
    if (texts.size() > most || waiting.size() > most * 1'000 || text.size() > 1'000) return std::nullopt;
    for (const Step& step : steps(state)) {
      for (const CodeRange& range : step.characters.ranges()) {
        if (range.high - range.low > most) return std::nullopt;
        for (uint32_t code = range.low; code <= range.high; ++code) {
          std::string longer = text;
          append_utf8(longer, code);
          waiting.emplace_back(step.target, std::move(longer));
        }
      }
    }
  }
  return texts;
}

std::vector<CharDfa::Step> CharDfa::steps(uint32_t state) const {
  std::vector<Step> steps;
  for (size_t index = 0; index < classes_.size(); ++index) {
    const uint32_t target = next(state, static_cast<uint32_t>(index));
    if (target == kDead) continue;
    auto step =
        std::find_if(steps.begin(), steps.end(), [&](const Step& candidate) { return candidate.target == target; });
    if (step == steps.end()) step = steps.insert(steps.end(), {target, {}});
    step->characters.add(classes_[index], index + 1 < classes_.size() ? classes_[index + 1] - 1 : kTextEnd);
  }
  return steps;
}

CharDfa::Distances CharDfa::distances(GrammarBudget& budget) const {
  const size_t count = size(), width = classes_.size();
  budget.spend(count * width * 2);
  std::vector<std::vector<uint32_t>> before(count);
  std::vector<uint32_t> open(count, 0);  // Steps to states whose longest text is not known yet.
  for (uint32_t state = 0; state < count; ++state) {
    for (size_t index = 0; index < width; ++index) {
      const uint32_t target = next_[state * width + index];
      if (target == kDead || (!before[target].empty() && before[target].back() == state)) continue;
      before[target].push_back(state);
      ++open[state];
    }
  }
  Distances distances{std::vector<uint32_t>(count, UINT32_MAX), std::vector<uint32_t>(count, UINT32_MAX)};
  std::vector<uint32_t> waiting;
  for (uint32_t state = 0; state < count; ++state) {
    if (accepting(state)) distances.shortest[state] = 0, waiting.push_back(state);
  }
  for (size_t at = 0; at < waiting.size(); ++at) {
    for (const uint32_t source : before[waiting[at]]) {
      if (distances.shortest[source] != UINT32_MAX) continue;
      distances.shortest[source] = distances.shortest[waiting[at]] + 1;
      waiting.push_back(source);
    }
  }
  // Works backwards from the ends; states on or before a cycle never have all their steps known.
  std::vector<uint32_t> longest(count, 0);
  waiting.clear();
  for (uint32_t state = 0; state < count; ++state) {
    if (open[state] == 0) waiting.push_back(state);
  }
  for (size_t at = 0; at < waiting.size(); ++at) {
    const uint32_t state = waiting[at];
    distances.longest[state] = longest[state];
    for (const uint32_t source : before[state]) {
      longest[source] = std::max(longest[source], longest[state] + 1);
      if (--open[source] == 0) waiting.push_back(source);
    }
  }
  return distances;
}

void CharDfa::trim() {
  const size_t width = classes_.size(), count = size();
  std::vector<std::vector<uint32_t>> before(count);
  for (size_t state = 0; state < count; ++state) {
    for (size_t index = 0; index < width; ++index) {
      const uint32_t target = next_[state * width + index];
      if (target != kDead && (before[target].empty() || before[target].back() != state)) {
        before[target].push_back(static_cast<uint32_t>(state));
      }
    }
  }
  std::vector<uint8_t> live(count, 0);
  std::vector<uint32_t> waiting;
  for (uint32_t state = 0; state < count; ++state) {
    if (accepting(state)) live[state] = 1, waiting.push_back(state);
  }
  while (!waiting.empty()) {
    const uint32_t state = waiting.back();
    waiting.pop_back();
    for (const uint32_t source : before[state]) {
      if (!live[source]) live[source] = 1, waiting.push_back(source);
    }
  }
  live[0] = 1;
  std::vector<uint8_t> reached(count, 0);
  reached[0] = 1;
  waiting.push_back(0);
  while (!waiting.empty()) {
    const uint32_t state = waiting.back();
    waiting.pop_back();
    for (size_t index = 0; index < width; ++index) {
      const uint32_t target = next_[state * width + index];
      if (target != kDead && live[target] && !reached[target]) reached[target] = 1, waiting.push_back(target);
    }
  }
  for (size_t state = 0; state < count; ++state) live[state] = live[state] && reached[state];
  std::vector<uint32_t> renamed(count, kDead);
  uint32_t kept = 0;
  for (size_t state = 0; state < count; ++state) {
    if (live[state]) renamed[state] = kept++;
  }
  for (size_t state = 0; state < count; ++state) {
    if (!live[state]) continue;
    for (size_t index = 0; index < width; ++index) {
      const uint32_t target = next_[state * width + index];
      next_[renamed[state] * width + index] = target == kDead ? kDead : renamed[target];
    }
    accepting_[renamed[state]] = accepting_[state];
  }
  next_.resize(kept * width);
  accepting_.resize(kept);
}
