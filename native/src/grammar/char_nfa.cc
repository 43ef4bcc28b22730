#include <algorithm>
#include <string>
#include <unordered_map>

#include "base/coded_error.h"
#include "grammar/char_dfa.h"

namespace {

// States of one pattern before determinisation.
constexpr size_t kStatesMax = 40'000;

struct VectorHash {
  size_t operator()(const std::vector<uint32_t>& values) const {
    uint64_t hash = 0xCBF29CE484222325;
    for (const uint32_t value : values) hash = (hash ^ value) * 0x100000001B3;
    return hash;
  }
};

}  // namespace

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
  // For each set, its classes.
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
