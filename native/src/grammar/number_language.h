#pragma once

#include <optional>

#include "grammar/char_dfa.h"

// Languages of JSON numbers in decimal notation, by their value: 1 and 1.0 are both in or both out. At most fifteen
// digits where there is a fraction, so that reading them as doubles keeps their order.

// All numbers, exponents included; and those without an exponent.
const CharDfa& any_number();
const CharDfa& decimal_numbers();
const CharDfa& integral_numbers();

enum class Comparison { kLess, kAtMost, kEqual, kAtLeast, kGreater };
CharDfa compared_numbers(Comparison comparison, double bound, GrammarBudget& budget);

// Nothing where the divisor has too many digits to count with.
std::optional<CharDfa> multiples_of(double divisor, GrammarBudget& budget);

// The texts whose fraction is not all zeros: the spelling that an answer should use.
const CharDfa& without_zero_fraction();
