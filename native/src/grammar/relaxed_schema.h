#pragma once

#include <string>
#include <string_view>

#include "grammar/char_dfa.h"

// A JSON schema that allows everything that `text` allows, without the keywords that the grammar cannot enforce and
// those that are invalid. The values are objects: a schema of a tool's arguments without a type gets one. The result
// can still be rejected, for example for its size or for references that lead nowhere. Throws ERR_GRAMMAR_INVALID for
// text that is not JSON or exceeds the limits.
std::string relaxed_schema(std::string_view text, GrammarBudget& budget);
