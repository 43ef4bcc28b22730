#pragma once

#include <array>
#include <string_view>

#include "llama.h"

// A lower bound of the number of tokens in a text, without tokenising it. Each byte counts for 1 / (length of the
// longest token that contains it), so the bytes of any token add up to at most 1.
class TokenBound {
 public:
  explicit TokenBound(const llama_vocab* vocab);

  double at_least(std::string_view text) const;
  // [256] By byte; all 0 if the vocabulary's tokeniser drops, joins or rewrites characters.
  const std::array<double, 256>& shares() const { return shares_; }
  // The same for text in which control tokens may be spelled.
  const std::array<double, 256>& control_shares() const { return control_shares_; }

 private:
  std::array<double, 256> shares_{};
  std::array<double, 256> control_shares_{};
};
