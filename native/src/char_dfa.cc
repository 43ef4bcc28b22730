#include "char_dfa.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "coded_error.h"

namespace {

// What the table of one automaton may hold, in cells of four bytes.
constexpr size_t kCellsMax = 1'500'000;

// The states of one pattern before it is made deterministic.
constexpr size_t kStatesMax = 40'000;

void require_cells(size_t states, size_t classes) {
  if (states * classes > kCellsMax) {
    throw CodedError("ERR_GRAMMAR_INVALID", "a pattern, a length or an enumeration needs too large an automaton");
  }
}

struct VectorHash {
  size_t operator()(const std::vector<uint32_t>& values) const {
    uint64_t hash = 0xCBF29CE484222325;
    for (const uint32_t value : values) hash = (hash ^ value) * 0x100000001B3;
    return hash;
  }
};

std::vector<uint32_t> merge_classes(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  std::vector<uint32_t> merged;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(merged));
  return merged;
}

}  // namespace

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
      // A pair of dead ends stays one; whether it accepts is decided like for any other pair.
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
  // State 0 is behind everything else now, since nothing leads back over kTextStart.
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
    // Every state leads to an accepted text, so that more beginnings than texts are too many.
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

uint32_t CharNfa::add_state() {
  if (edges_.size() >= kStatesMax) {
    throw CodedError("ERR_GRAMMAR_INVALID",
                     "the repetitions of a pattern multiply to more than " + std::to_string(kStatesMax) + " steps");
  }
  budget_.spend(4);
  edges_.emplace_back();
  return static_cast<uint32_t>(edges_.size() - 1);
}

void CharNfa::add_step(uint32_t from, const CharSet& characters, uint32_t to) {
  if (characters.empty()) return;
  budget_.spend(1 + characters.ranges().size());
  if (sets_.empty() || sets_.back().ranges() != characters.ranges()) sets_.push_back(characters);
  edges_[from].push_back({static_cast<uint32_t>(sets_.size() - 1), to});
}

void CharNfa::add_empty_step(uint32_t from, uint32_t to) {
  budget_.spend(1);
  edges_[from].push_back({kEmpty, to});
}

uint32_t CharNfa::add(const CharDfa& dfa, uint32_t to) {
  const auto first = static_cast<uint32_t>(edges_.size());
  for (size_t state = 0; state < dfa.size(); ++state) add_state();
  for (uint32_t state = 0; state < dfa.size(); ++state) {
    for (const CharDfa::Step& step : dfa.steps(state)) add_step(first + state, step.characters, first + step.target);
    if (dfa.accepting(state)) add_empty_step(first + state, to);
  }
  return first;
}

void CharNfa::close(std::vector<uint32_t>& states, std::vector<uint8_t>& seen) const {
  for (const uint32_t state : states) seen[state] = 1;
  for (size_t at = 0; at < states.size(); ++at) {
    budget_.spend(1 + edges_[states[at]].size());
    for (const Edge& edge : edges_[states[at]]) {
      if (edge.set == kEmpty && !seen[edge.target]) seen[edge.target] = 1, states.push_back(edge.target);
    }
  }
  for (const uint32_t state : states) seen[state] = 0;
  std::sort(states.begin(), states.end());
}

CharDfa CharNfa::determinize(uint32_t start, uint32_t accept) const {
  CharDfa result;
  for (const CharSet& set : sets_) {
    for (const CodeRange& range : set.ranges()) {
      result.classes_.push_back(range.low);
      result.classes_.push_back(range.high + 1);
    }
  }
  std::sort(result.classes_.begin(), result.classes_.end());
  result.classes_.erase(std::unique(result.classes_.begin(), result.classes_.end()), result.classes_.end());
  while (!result.classes_.empty() && result.classes_.back() > kTextEnd) result.classes_.pop_back();
  const size_t width = result.classes_.size();
  budget_.spend(sets_.size() * width / 8 + width);
  // Per set the classes it is made of.
  std::vector<std::vector<uint32_t>> members(sets_.size());
  for (size_t set = 0; set < sets_.size(); ++set) {
    for (const CodeRange& range : sets_[set].ranges()) {
      for (uint32_t index = result.class_of(range.low); index < width && result.classes_[index] <= range.high;
           ++index) {
        members[set].push_back(index);
      }
    }
    budget_.spend(members[set].size());
  }
  std::unordered_map<std::vector<uint32_t>, uint32_t, VectorHash> known;
  std::vector<const std::vector<uint32_t>*> sets;
  const auto state_of = [&](std::vector<uint32_t> states) {
    const auto [entry, added] = known.try_emplace(std::move(states), sets.size());
    if (added) {
      require_cells(sets.size() + 1, width);
      budget_.spend(entry->first.size() + width);
      sets.push_back(&entry->first);
      result.accepting_.push_back(std::binary_search(entry->first.begin(), entry->first.end(), accept));
    }
    return entry->second;
  };
  std::vector<uint8_t> seen(edges_.size(), 0);
  std::vector<uint32_t> first{start};
  close(first, seen);
  state_of(std::move(first));
  std::vector<std::vector<uint32_t>> targets(width);
  for (size_t at = 0; at < sets.size(); ++at) {
    for (auto& target : targets) target.clear();
    for (const uint32_t state : *sets[at]) {
      for (const Edge& edge : edges_[state]) {
        if (edge.set == kEmpty) continue;
        budget_.spend(members[edge.set].size());
        for (const uint32_t index : members[edge.set]) targets[index].push_back(edge.target);
      }
    }
    for (auto& target : targets) {
      std::sort(target.begin(), target.end());
      target.erase(std::unique(target.begin(), target.end()), target.end());
      if (target.empty()) {
        result.next_.push_back(CharDfa::kDead);
        continue;
      }
      close(target, seen);
      result.next_.push_back(state_of(target));
    }
  }
  result.trim();
  return result;
}
