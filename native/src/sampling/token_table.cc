#include "sampling/token_table.h"

#include <algorithm>

#include "sampling/plain_text.h"

namespace {

// In characters. While a string with a maximum length has room for one of these lengths, it allows all plain tokens up
// to that length.
constexpr uint32_t kPlainLengths[] = {48, 12};

}  // namespace

TokenTable::TokenTable(VocabularyTable vocabulary) : vocabulary_(std::move(vocabulary)) {
  const auto& ends = end_tokens();
  std::vector<TokenTrie::Spelling> spellings;
  for (int32_t token = 0; token < static_cast<int32_t>(size()); ++token) {
    const std::string_view text = bytes(token);
    if (is_control(token) || text.empty() || text.size() > TokenTrie::kTokenBytesMax) continue;
    if (std::find(ends.begin(), ends.end(), token) == ends.end()) spellings.emplace_back(text, token);
  }
  std::sort(spellings.begin(), spellings.end());
  texts_ = TokenTrie(spellings);
  for (const uint32_t length_max : kPlainLengths) {
    Plain& plain = plain_.emplace_back(Plain{length_max, TokenSet((size() + 63) / 64), {}});
    std::vector<TokenTrie::Spelling> rest;
    for (const TokenTrie::Spelling& spelling : spellings) {
      const std::optional<size_t> length = plain_length(spelling.first);
      if (length && *length <= length_max) {
        add_token(plain.tokens, spelling.second);
      } else {
        rest.push_back(spelling);
      }
    }
    plain.rest = TokenTrie(rest);
  }
  short_plain_.assign(plain_.back().length_max, TokenSet((size() + 63) / 64));
  for (const auto& [text, token] : spellings) {
    const std::optional<size_t> length = plain_length(text);
    if (!length) continue;
    for (size_t most = *length; most < short_plain_.size(); ++most) add_token(short_plain_[most], token);
  }
}
