#pragma once

#include <string>
#include <string_view>

#include "grammar/char_dfa.h"

// The texts in which an ECMA-262 regular expression (as in JSON Schema: flag u, unanchored) finds a match. Throws
// ERR_GRAMMAR_INVALID for invalid, non-regular and unsupported expressions: back references, look-behind, word
// boundaries, \p, look-ahead inside an unbounded repetition.
CharDfa regex_language(std::string_view pattern, GrammarBudget& budget);

// The expression that finds exactly this text.
std::string regex_literal(std::string_view text);
