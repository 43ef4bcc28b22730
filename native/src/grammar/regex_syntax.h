#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "grammar/char_set.h"

constexpr uint32_t kUnboundedRepeat = UINT32_MAX;

// A regular expression as a tree. Anchors are sets of the symbols kTextStart and kTextEnd (char_dfa.h).
struct RegexNode {
  enum class Kind { kSet, kSequence, kChoice, kRepeat, kAhead, kNotAhead };
  Kind kind;
  CharSet set;
  std::vector<RegexNode> children;
  uint32_t min = 0, max = 0;  // Bounds of a repetition.
};

// Throws ERR_GRAMMAR_INVALID, as regex_language does.
RegexNode parse_regex(std::string_view pattern);
