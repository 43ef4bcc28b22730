#pragma once

#include <optional>

#include "grammar/char_dfa.h"

// Languages of JSON numbers in decimal notation, by value: 1 and 1.0 are either both included or both excluded. Numbers
// with a fraction have at most fifteen digits, so that parsing them as doubles preserves their order.

// All numbers including exponents, and all numbers without an exponent.
const CharDfa& any_number();
const CharDfa& decimal_numbers();
const CharDfa& integral_numbers();

enum class Comparison { kLess, kAtMost, kEqual, kAtLeast, kGreater };
CharDfa compared_numbers(Comparison comparison, double bound, GrammarBudget& budget);

// Empty if the divisor has too many digits to count with.
std::optional<CharDfa> multiples_of(double divisor, GrammarBudget& budget);

// Texts whose fraction is not all zeros: the spelling that an answer should use.
const CharDfa& without_zero_fraction();
