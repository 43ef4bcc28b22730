#include "chat/special_texts.h"

namespace {

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

void SpecialTexts::find_all(std::string_view text, size_t at, std::vector<Match>& matches) const {
  if (!starts_[static_cast<unsigned char>(text[at])]) return;
  uint32_t node = kRoot;
  for (size_t end = at; end < text.size(); ++end) {
    node = child(node, text[end]);
    if (node == kNone) return;
    if (ends_[node] != kNone) matches.push_back({at, ends_[node]});
  }
}
