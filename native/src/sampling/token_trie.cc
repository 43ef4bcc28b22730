#include "sampling/token_trie.h"

#include <algorithm>

TokenTrie::TokenTrie(const std::vector<Spelling>& spellings) {
  std::vector<uint32_t> open;  // The nodes of the previous token.
  std::string_view before;
  const auto close = [&](size_t depth) {
    for (; open.size() > depth; open.pop_back()) nodes_[open.back()].end = static_cast<uint32_t>(nodes_.size());
  };
  for (const auto& [bytes, token] : spellings) {
    if (bytes == before) {
      twins_.emplace_back(nodes_.back().token, token);
      continue;
    }
    const auto [differs, _] = std::mismatch(before.begin(), before.end(), bytes.begin(), bytes.end());
    close(static_cast<size_t>(differs - before.begin()));
    for (size_t depth = open.size(); depth < bytes.size(); ++depth) {
      open.push_back(static_cast<uint32_t>(nodes_.size()));
      nodes_.push_back({.end = 0,
                        .token = kNoToken,
                        .depth = static_cast<uint32_t>(depth),
                        .byte = static_cast<uint8_t>(bytes[depth])});
    }
    nodes_.back().token = token;
    height_ = std::max(height_, static_cast<uint32_t>(bytes.size()));
    before = bytes;
  }
  close(0);
}
