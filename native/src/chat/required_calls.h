#pragma once

#include <string>

#include "peg-parser.h"

// Removes the content next to tool calls from a template's grammar, so that an answer which must call a tool consists of
// a thought, if the template has one, and calls. `grammar` was generated from `parser`. Throws ERR_GRAMMAR_INVALID.
std::string without_content(const std::string& grammar, const common_peg_arena& parser);
