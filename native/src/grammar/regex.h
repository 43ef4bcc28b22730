#pragma once

#include <string_view>

#include "grammar/char_dfa.h"

// The texts in which an ECMA-262 regular expression (as JSON Schema uses it: flag u, unanchored) finds a match.
// Throws ERR_GRAMMAR_INVALID for what is no regular expression, and for what is none in the mathematical sense or is
// not supported: back references, look-behind, word boundaries, \p, look-ahead inside an unbounded repetition.
CharDfa regex_language(std::string_view pattern, GrammarBudget& budget);
