#include "chat/special_texts.h"

#include <algorithm>
#include <cctype>

namespace {

bool is_space(char byte) { return std::isspace(static_cast<unsigned char>(byte)) != 0; }

uint64_t edge(uint32_t node, char byte) { return uint64_t{node} << 8 | static_cast<unsigned char>(byte); }

}  // namespace

void SpecialTexts::add(llama_token token, const std::string& text, llama_token_attr attributes) {
  uint32_t node = kRoot;
  for (const char byte : text) {
    const auto [found, is_new] = children_.try_emplace(edge(node, byte), static_cast<uint32_t>(ends_.size()));
    if (is_new) ends_.push_back(kNone);
    node = found->second;
  }
  starts_[static_cast<unsigned char>(text[0])] = true;
  // If two tokens have the same text, the first one counts, as in llama.cpp.
  if (ends_[node] != kNone) return;
  ends_[node] = static_cast<uint32_t>(texts_.size());
  texts_.push_back({token, text, attributes});
}

uint32_t SpecialTexts::child(uint32_t node, char byte) const {
  const auto found = children_.find(edge(node, byte));
  return found == children_.end() ? kNone : found->second;
}

bool SpecialTexts::may_begin(std::string_view text, size_t at) const {
  if (!starts_[static_cast<unsigned char>(text[at])]) return false;
  uint32_t node = kRoot;
  for (; at < text.size(); ++at) {
    node = child(node, text[at]);
    if (node == kNone) return false;
    if (ends_[node] != kNone) return true;
  }
  return true;
}

std::vector<SpecialTexts::Match> SpecialTexts::find_all(std::string_view text, std::string_view mark) const {
  std::vector<Match> matches;
  for (size_t at = 0; at < text.size(); ++at) {
    if (!starts_[static_cast<unsigned char>(text[at])]) continue;
    uint32_t node = kRoot;
    for (size_t end = at; end < text.size(); ++end) {
      node = child(node, text[end]);
      if (node == kNone) break;
      const bool is_marked = !mark.empty() && text.substr(end + 1, mark.size()) == mark;
      if (ends_[node] != kNone && !is_marked) matches.push_back({at, ends_[node]});
    }
  }
  return matches;
}

std::vector<SpecialTexts::Cut> SpecialTexts::cut(std::string_view text, std::string_view mark) const {
  std::vector<Match> matches = find_all(text, mark);
  if (matches.empty()) return {{LLAMA_TOKEN_NULL, text}};

  std::stable_sort(matches.begin(), matches.end(),
                   [&](const Match& a, const Match& b) { return length(a) > length(b); });
  enum : char { kFree, kTaken, kStripped };
  std::string taken(text.size(), kFree);
  std::vector<Match> placed;
  for (const Match& match : matches) {
    const size_t end = match.at + length(match);
    // No shorter text has been placed yet, so an overlapping one covers one of the two ends.
    if (taken[match.at] != kFree || taken[end - 1] != kFree) continue;
    std::fill(taken.begin() + static_cast<ptrdiff_t>(match.at), taken.begin() + static_cast<ptrdiff_t>(end), kTaken);
    const llama_token_attr attributes = texts_[match.index].attributes;
    if (attributes & LLAMA_TOKEN_ATTR_LSTRIP) {
      for (size_t at = match.at; at > 0 && taken[at - 1] == kFree && is_space(text[at - 1]); --at)
        taken[at - 1] = kStripped;
    }
    if (attributes & LLAMA_TOKEN_ATTR_RSTRIP) {
      for (size_t at = end; at < text.size() && taken[at] == kFree && is_space(text[at]); ++at) taken[at] = kStripped;
    }
    placed.push_back(match);
  }
  std::sort(placed.begin(), placed.end(), [](const Match& a, const Match& b) { return a.at < b.at; });

  std::vector<Cut> cuts;
  const auto add_text = [&](size_t from, size_t to) {
    while (from < to && taken[from] == kStripped) ++from;
    while (from < to && taken[to - 1] == kStripped) --to;
    if (from < to) cuts.push_back({LLAMA_TOKEN_NULL, text.substr(from, to - from)});
  };
  size_t from = 0;
  for (const Match& match : placed) {
    add_text(from, match.at);
    cuts.push_back({texts_[match.index].token, {}});
    from = match.at + length(match);
  }
  add_text(from, text.size());
  return cuts;
}
