#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "llama.h"

// A vocabulary's tokens as bytes, sorted so that all tokens with one beginning stand together: a mask over the
// vocabulary reads each shared beginning once.
class TokenTable {
 public:
  struct Entry {
    llama_token token;
    uint32_t offset, length;
    uint32_t shared;  // Bytes at its beginning that the entry before has, too.
  };

  explicit TokenTable(const llama_vocab* vocab);

  const std::vector<Entry>& sorted() const { return sorted_; }
  std::string_view bytes(const Entry& entry) const { return {bytes_.data() + entry.offset, entry.length}; }
  std::string_view bytes(llama_token token) const { return bytes(sorted_[places_[static_cast<size_t>(token)]]); }
  bool is_control(llama_token token) const { return control_[static_cast<size_t>(token)] != 0; }
  const std::vector<llama_token>& end_tokens() const { return end_tokens_; }

 private:
  std::vector<char> bytes_;
  std::vector<Entry> sorted_;
  std::vector<uint32_t> places_;
  std::vector<uint8_t> control_;
  std::vector<llama_token> end_tokens_;
};
