#pragma once

#include <cstdint>
#include <optional>

#include "grammar/grammar_rules.h"

// The rules of JSON itself, each added at its first use.
class JsonRules {
 public:
  explicit JsonRules(GrammarBuilder& builder) : builder_(builder) {}

  // Optional white space: a space, or up to two line ends and an indent.
  uint32_t space();
  // Any string, any number, any integer, and any value.
  uint32_t string();
  uint32_t number(bool integral);
  uint32_t value();
  // Returns the state after white space.
  uint32_t after_space(uint32_t from);

 private:
  GrammarBuilder& builder_;
  std::optional<uint32_t> space_, string_, number_, integer_, value_;
};
