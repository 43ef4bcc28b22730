#include "sampling/token_table.h"

#include <algorithm>

#include "common.h"

TokenTable::TokenTable(const llama_vocab* vocab) {
  const int32_t size = llama_vocab_n_tokens(vocab);
  for (llama_token token = 0; token < size; ++token) {
    const std::string piece = common_token_to_piece(vocab, token, true);
    sorted_.push_back({token, static_cast<uint32_t>(bytes_.size()), static_cast<uint32_t>(piece.size()), 0});
    bytes_.insert(bytes_.end(), piece.begin(), piece.end());
    control_.push_back((llama_vocab_get_attr(vocab, token) & (LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN)) !=
                       0);
    if (llama_vocab_is_eog(vocab, token)) end_tokens_.push_back(token);
  }
  std::sort(sorted_.begin(), sorted_.end(), [this](const Entry& a, const Entry& b) {
    const int order = bytes(a).compare(bytes(b));
    return order != 0 ? order < 0 : a.token < b.token;
  });
  places_.resize(sorted_.size());
  for (size_t index = 0; index < sorted_.size(); ++index) {
    places_[static_cast<size_t>(sorted_[index].token)] = static_cast<uint32_t>(index);
    if (index == 0) continue;
    const std::string_view before = bytes(sorted_[index - 1]), text = bytes(sorted_[index]);
    const auto [end, _] = std::mismatch(before.begin(), before.end(), text.begin(), text.end());
    sorted_[index].shared = static_cast<uint32_t>(end - before.begin());
  }
}
