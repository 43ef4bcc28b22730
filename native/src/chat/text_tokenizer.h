#pragma once

#include <string>
#include <vector>

#include "chat/special_texts.h"
#include "llama.h"

// Tokenizes texts in which special tokens may be spelled. Equal to llama_tokenize with add_special and parse_special,
// in time linear in the number of special tokens instead of its square.
class TextTokenizer {
 public:
  explicit TextTokenizer(const llama_vocab* vocab);

  // Throws ERR_CHAT_TEMPLATE for a run of characters that llama.cpp's recursion has no stack for.
  std::vector<llama_token> tokenize(const std::string& text, bool add_special) const;

 private:
  const llama_vocab* vocab_;
  SpecialTexts specials_;
  std::vector<llama_token> before_, after_;  // Special tokens around every text.
};
