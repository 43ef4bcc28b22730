#include "grammar/number_language.h"

#include <charconv>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "grammar/regex.h"

namespace {

// Doubles represent integers of up to sixteen digits exactly; bounds may have more.
constexpr const char* kInteger = "(0|[1-9][0-9]{0,19})";
constexpr uint64_t kDivisorMax = 20'000;

// The bytes that occur in the language's texts, each in a class of its own.
constexpr char kAlphabet[] = "-.0123456789";

struct Decimal {
  bool negative = false;
  std::string integer;   // Without leading zeros, "0" for none.
  std::string fraction;  // Without trailing zeros.
};

Decimal to_decimal(double value) {
  char text[1100];
  const auto [end, error] = std::to_chars(text, text + sizeof text, std::fabs(value), std::chars_format::fixed);
  (void)error;
  const std::string digits(text, end);
  const size_t point = digits.find('.');
  Decimal decimal{std::signbit(value) && value != 0, digits.substr(0, point), ""};
  if (point != std::string::npos) decimal.fraction = digits.substr(point + 1);
  return decimal;
}

// Builds the automaton whose states are values of `State`: `step` returns the state after a character, or nothing.
template <typename State, typename Step, typename Accepts>
CharDfa explore(const State& start, GrammarBudget& budget, const Step& step, const Accepts& accepts) {
  CharNfa nfa(budget);
  const uint32_t accept = nfa.add_state();
  std::map<State, uint32_t> known;
  std::vector<State> states;
  const auto state_of = [&](const State& state) {
    const auto [entry, added] = known.try_emplace(state, 0);
    if (added) {
      entry->second = nfa.add_state();
      states.push_back(state);
    }
    return entry->second;
  };
  const uint32_t first = state_of(start);
  for (size_t at = 0; at < states.size(); ++at) {
    const State state = states[at];
    const uint32_t from = state_of(state);
    if (accepts(state)) nfa.add_empty_step(from, accept);
    for (const char* character = kAlphabet; *character != '\0'; ++character) {
      const std::optional<State> next = step(state, *character);
      if (next) nfa.add_step(from, CharSet::one(static_cast<unsigned char>(*character)), state_of(*next));
    }
  }
  return nfa.determinize(first, accept);
}

int sign_of(int a, int b) { return a < b ? -1 : a > b ? 1 : 0; }

// The comparison of the part of a number read so far with the bound's magnitude.
struct Compared {
  bool negative = false;
  bool in_fraction = false;
  uint32_t digits = 0;  // Digits read of this part, counted to one more than the bound has.
  int relation = 0;
  auto operator<=>(const Compared&) const = default;
};

}  // namespace

const CharDfa& any_number() {
  static const CharDfa language = [] {
    GrammarBudget budget;
    return regex_language("^-?(0|[1-9][0-9]{0,15})(\\.[0-9]{1,15})?([eE][+-]?[0-9]{1,2})?$", budget);
  }();
  return language;
}

const CharDfa& decimal_numbers() {
  static const CharDfa language = [] {
    GrammarBudget budget;
    // At most fifteen digits in total if there is a fraction; of the two spellings of minus zero, one is enough.
    const CharDfa form = regex_language(std::string("^-?") + kInteger + "(\\.[0-9]{1,15})?$", budget);
    const CharDfa precise = regex_language("^[-0-9]*$|^-?[0-9.]{1,16}$", budget);
    const CharDfa signless_zero = regex_language("^-0(\\.0*)?$", budget).complement(budget);
    return form.intersect(precise, budget).intersect(signless_zero, budget);
  }();
  return language;
}

const CharDfa& integral_numbers() {
  static const CharDfa language = [] {
    GrammarBudget budget;
    return decimal_numbers().intersect(regex_language("^-?[0-9]+(\\.0+)?$", budget), budget);
  }();
  return language;
}

const CharDfa& without_zero_fraction() {
  static const CharDfa language = [] {
    GrammarBudget budget;
    return regex_language("\\.0*$", budget).complement(budget);
  }();
  return language;
}

CharDfa compared_numbers(Comparison comparison, double bound, GrammarBudget& budget) {
  const Decimal limit = to_decimal(bound);
  const auto step = [&](Compared state, char character) -> std::optional<Compared> {
    if (character == '-') {
      if (state.negative || state.in_fraction || state.digits > 0) return std::nullopt;
      state.negative = true;
      return state;
    }
    const auto digits_of_limit = static_cast<uint32_t>(limit.integer.size());
    if (character == '.') {
      if (state.in_fraction || state.digits == 0) return std::nullopt;
      if (state.digits != digits_of_limit)
        state.relation = sign_of(static_cast<int>(state.digits), static_cast<int>(digits_of_limit));
      state.in_fraction = true;
      state.digits = 0;
      return state;
    }
    const std::string& part = state.in_fraction ? limit.fraction : limit.integer;
    const char wanted = state.digits < part.size() ? part[state.digits] : '0';
    if (state.relation == 0 && (state.in_fraction || state.digits < part.size()))
      state.relation = sign_of(character, wanted);
    state.digits = std::min(state.digits + 1, static_cast<uint32_t>(part.size()) + 1);
    return state;
  };
  const auto accepts = [&](const Compared& state) {
    int relation = state.relation;
    const auto digits_of_limit = static_cast<uint32_t>(limit.integer.size());
    if (!state.in_fraction) {
      if (state.digits == 0) return false;
      if (state.digits != digits_of_limit)
        relation = sign_of(static_cast<int>(state.digits), static_cast<int>(digits_of_limit));
      if (relation == 0 && !limit.fraction.empty()) relation = -1;
    } else if (relation == 0 && state.digits < limit.fraction.size()) {
      relation = -1;
    }
    if (state.negative != limit.negative) relation = state.negative ? -1 : 1;
    else if (state.negative) relation = -relation;
    switch (comparison) {
      case Comparison::kLess: return relation < 0;
      case Comparison::kAtMost: return relation <= 0;
      case Comparison::kEqual: return relation == 0;
      case Comparison::kAtLeast: return relation >= 0;
      case Comparison::kGreater: return relation > 0;
    }
    return false;
  };
  return explore(Compared{}, budget, step, accepts).intersect(decimal_numbers(), budget);
}

std::optional<CharDfa> multiples_of(double divisor, GrammarBudget& budget) {
  const Decimal decimal = to_decimal(divisor);
  const std::string digits = decimal.integer + decimal.fraction;
  uint64_t scaled = 0;
  for (const char digit : digits) {
    scaled = scaled * 10 + static_cast<uint64_t>(digit - '0');
    if (scaled > kDivisorMax) return std::nullopt;
  }
  const auto places = static_cast<uint32_t>(decimal.fraction.size());
  if (scaled == 0 || places > 15) return std::nullopt;
  // The remainder of the digits read, and the number of digits after the point plus one.
  using State = std::pair<uint32_t, uint32_t>;
  const auto step = [&](State state, char character) -> std::optional<State> {
    if (character == '-') return state;
    if (character == '.') return state.second == 0 ? std::optional(State{state.first, 1}) : std::nullopt;
    const auto digit = static_cast<uint32_t>(character - '0');
    if (state.second > places) return digit == 0 ? std::optional(state) : std::nullopt;
    return State{static_cast<uint32_t>((state.first * 10 + digit) % scaled), state.second == 0 ? 0 : state.second + 1};
  };
  const auto accepts = [&](const State& state) {
    uint64_t remainder = state.first;
    for (uint32_t place = state.second == 0 ? 0 : state.second - 1; place < places; ++place)
      remainder = remainder * 10 % scaled;
    return remainder == 0;
  };
  return explore(State{0, 0}, budget, step, accepts).intersect(decimal_numbers(), budget);
}
