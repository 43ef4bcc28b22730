#include "sampling/vocabulary.h"

#include "common.h"

VocabularyTable read_vocabulary(const llama_vocab* vocab) {
  const int32_t size = llama_vocab_n_tokens(vocab);
  VocabularyTable table;
  table.offsets.reserve(static_cast<size_t>(size) + 1);
  table.offsets.push_back(0);
  table.control.reserve(static_cast<size_t>(size));
  for (llama_token token = 0; token < size; ++token) {
    const std::string piece = common_token_to_piece(vocab, token, true);
    table.bytes.insert(table.bytes.end(), piece.begin(), piece.end());
    table.offsets.push_back(static_cast<uint32_t>(table.bytes.size()));
    const auto attributes = llama_vocab_get_attr(vocab, token);
    table.control.push_back((attributes & (LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN)) != 0);
    if (llama_vocab_is_eog(vocab, token)) table.end_tokens.push_back(token);
  }
  return table;
}
