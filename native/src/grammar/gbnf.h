#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "grammar/grammar_rules.h"

// Parses a grammar in GBNF, as llama.cpp's chat templates write it, and adds its rules. Names that the text does not
// define are resolved by `outside`. Returns the rule "root". Throws ERR_GRAMMAR_INVALID.
uint32_t add_gbnf(std::string_view text, GrammarBuilder& builder,
                  const std::function<std::optional<uint32_t>(std::string_view)>& outside);
