#include "chat/token_bound.h"

#include <algorithm>
#include <string>

#include "common.h"

namespace {

// [256] By byte: the length of the longest token that contains it.
void lengthen(std::array<size_t, 256>& longest, const std::string& piece) {
  for (const char byte : piece) {
    size_t& length = longest[static_cast<unsigned char>(byte)];
    length = std::max(length, piece.size());
  }
}

}  // namespace

TokenBound::TokenBound(const llama_vocab* vocab) {
  const enum llama_vocab_type type = llama_vocab_type(vocab);
  if (type != LLAMA_VOCAB_TYPE_BPE && type != LLAMA_VOCAB_TYPE_SPM) return;
  std::array<size_t, 256> longest{}, longest_control{};
  std::array<bool, 256> alone{};
  bool strips = false, control_strips = false;
  for (llama_token token = 0; token < llama_vocab_n_tokens(vocab); ++token) {
    const llama_token_attr attributes = llama_vocab_get_attr(vocab, token);
    const bool user_defined = (attributes & LLAMA_TOKEN_ATTR_USER_DEFINED) != 0;
    const bool strips_space = (attributes & (LLAMA_TOKEN_ATTR_LSTRIP | LLAMA_TOKEN_ATTR_RSTRIP)) != 0;
    // Control tokens are never matched in the texts of a chat.
    if ((attributes & (LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN)) != 0) {
      control_strips |= strips_space;
      lengthen(longest_control, llama_vocab_get_text(vocab, token));
      continue;
    }
    strips |= user_defined && strips_space;
    const std::string piece = common_token_to_piece(vocab, token, true);
    lengthen(longest, piece);
    if (piece.size() == 1) alone[static_cast<unsigned char>(piece[0])] = true;
  }
  for (size_t byte = 0; byte < shares_.size(); ++byte) {
    // The tokeniser may drop a byte that no token spells by itself.
    if (!alone[byte]) continue;
    shares_[byte] = 1.0 / static_cast<double>(longest[byte]);
    control_shares_[byte] = 1.0 / static_cast<double>(std::max(longest[byte], longest_control[byte]));
  }
  // A special token in a caller's own text may absorb the white space around it.
  for (const unsigned char space : {' ', '\t', '\n', '\v', '\f', '\r'}) {
    if (strips) shares_[space] = 0;
    if (strips || control_strips) control_shares_[space] = 0;
  }
}

double TokenBound::at_least(std::string_view text) const {
  double sum = 0;
  for (const char byte : text) sum += shares_[static_cast<unsigned char>(byte)];
  return sum;
}
