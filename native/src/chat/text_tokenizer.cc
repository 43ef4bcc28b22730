#include "chat/text_tokenizer.h"

#include <algorithm>

#include "common.h"
#include "encoder/text_runs.h"

TextTokenizer::TextTokenizer(const llama_vocab* vocab) : vocab_(vocab) {
  constexpr int kSpecial = LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN | LLAMA_TOKEN_ATTR_USER_DEFINED;
  for (llama_token token = 0; token < llama_vocab_n_tokens(vocab); ++token) {
    const llama_token_attr attributes = llama_vocab_get_attr(vocab, token);
    const std::string text = llama_vocab_get_text(vocab, token);
    if ((attributes & kSpecial) != 0 && !text.empty()) specials_.add(token, text, attributes);
  }
  // Each kind of vocabulary adds others, on conditions of its own.
  const auto bare = common_tokenize(vocab, "a", false, false), whole = common_tokenize(vocab, "a", true, false);
  const auto found = std::search(whole.begin(), whole.end(), bare.begin(), bare.end());
  if (found == whole.end()) return;
  before_.assign(whole.begin(), found);
  after_.assign(found + static_cast<ptrdiff_t>(bare.size()), whole.end());
}

std::vector<llama_token> TextTokenizer::tokenize(const std::string& text, bool add_special) const {
  std::vector<llama_token> tokens;
  if (add_special) tokens = before_;
  for (const SpecialTexts::Cut& cut : specials_.cut(text)) {
    if (cut.token != LLAMA_TOKEN_NULL) {
      tokens.push_back(cut.token);
      continue;
    }
    require_short_runs(cut.text);
    const auto piece = common_tokenize(vocab_, std::string(cut.text), false, false);
    tokens.insert(tokens.end(), piece.begin(), piece.end());
  }
  if (add_special) tokens.insert(tokens.end(), after_.begin(), after_.end());
  return tokens;
}
