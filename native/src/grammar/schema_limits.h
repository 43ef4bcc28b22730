#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "grammar/json_value.h"

// Limits of one schema. In addition to the budget for its automata, these bound the combinations of its parts.
namespace schema_limits {

constexpr JsonLimits kDocument{.bytes = 256 * 1024, .values = 30'000, .depth = 64};
constexpr size_t kDefinitionsMax = 1'000;
constexpr size_t kPropertiesMax = 1'000;
constexpr size_t kPatternPropertiesMax = 4;
constexpr size_t kBranchesMax = 128;
constexpr size_t kAlternativesMax = 256;
constexpr size_t kEnumerationMax = 2'000;

// Keywords that restrict values and that the grammar cannot enforce.
constexpr std::array<std::string_view, 10> kUnsupported = {
    "$dynamicRef", "$recursiveRef",     "contains",         "minContains",     "maxContains", "dependencies",
    "if",          "dependentRequired", "dependentSchemas", "unevaluatedItems"};

}  // namespace schema_limits
