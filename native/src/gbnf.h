#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "grammar_rules.h"

// Reads a grammar in GBNF, as llama.cpp's chat templates write it, and adds its rules; its rule "root" is reached from the state
// `from` and leads to `to`. Names that the text does not define are asked of `outside`. Throws ERR_GRAMMAR_INVALID.
void add_gbnf(std::string_view text, GrammarBuilder& builder, uint32_t from, uint32_t to,
              const std::function<std::optional<uint32_t>(std::string_view)>& outside);
