#pragma once

#include <cstddef>

// Limits of one schema. In addition to the budget for its automata, these bound the combinations of its parts.
namespace schema_limits {

constexpr size_t kDefinitionsMax = 1'000;
constexpr size_t kPropertiesMax = 1'000;
constexpr size_t kPatternPropertiesMax = 4;
constexpr size_t kBranchesMax = 128;
constexpr size_t kAlternativesMax = 256;
constexpr size_t kEnumerationMax = 2'000;

}  // namespace schema_limits
