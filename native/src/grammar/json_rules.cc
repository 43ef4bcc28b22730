#include "grammar/json_rules.h"

#include <string_view>
#include <utility>

#include "grammar/number_language.h"

namespace {

using Guard = GrammarBuilder::Guard;
using Spelling = GrammarBuilder::Spelling;

constexpr uint32_t kIndentMax = 40;

}  // namespace

uint32_t JsonRules::space() {
  if (space_) return *space_;
  space_ = builder_.add_rule();
  const uint32_t start = builder_.start(*space_), end = builder_.add_state();
  const uint32_t line = builder_.add_state(), second_line = builder_.add_state(), indent = builder_.add_state();
  for (const uint32_t state : {start, end, line, second_line, indent}) builder_.accept(state);
  builder_.add_byte(start, ' ', end);
  builder_.add_byte(start, '\n', line);
  builder_.add_byte(line, '\n', second_line);
  for (const uint32_t from : {line, second_line, indent}) {
    builder_.add_byte(from, ' ', indent, Guard{.below = kIndentMax, .counts = true});
    builder_.add_byte(from, '\t', indent, Guard{.below = kIndentMax, .counts = true});
  }
  return *space_;
}

uint32_t JsonRules::after_space(uint32_t from) {
  const uint32_t to = builder_.add_state();
  builder_.add_call(from, space(), to);
  return to;
}

uint32_t JsonRules::string() {
  if (string_) return *string_;
  string_ = builder_.add_rule();
  const uint32_t text = builder_.add_state(), end = builder_.add_state();
  builder_.accept(end);
  builder_.add_byte(builder_.start(*string_), '"', text);
  builder_.add_byte(text, '"', end);
  const uint32_t escape = builder_.add_state();
  static const CharSet unescaped = CharSet{{0, 0x1F}, {'"', '"'}, {'\\', '\\'}}.complement();
  builder_.add_character(text, unescaped, text, Spelling::kPlain);
  builder_.add_byte(text, '\\', escape);
  for (const char letter : std::string_view("\"\\/bfnrt")) builder_.add_byte(escape, letter, text);
  // Unpaired surrogates are not characters.
  uint32_t hex[4];
  for (uint32_t& state : hex) state = builder_.add_state();
  builder_.add_byte(escape, 'u', hex[0]);
  const uint32_t below = builder_.add_state();
  for (const auto& [low, high] : {std::pair{'0', '9'}, {'a', 'c'}, {'A', 'C'}, {'e', 'f'}, {'E', 'F'}}) {
    builder_.add_bytes(hex[0], static_cast<uint8_t>(low), static_cast<uint8_t>(high), hex[1]);
  }
  builder_.add_byte(hex[0], 'd', below);
  builder_.add_byte(hex[0], 'D', below);
  builder_.add_bytes(below, '0', '7', hex[2]);
  for (const auto& [low, high] : {std::pair{'0', '9'}, {'a', 'f'}, {'A', 'F'}}) {
    builder_.add_bytes(hex[1], static_cast<uint8_t>(low), static_cast<uint8_t>(high), hex[2]);
    builder_.add_bytes(hex[2], static_cast<uint8_t>(low), static_cast<uint8_t>(high), hex[3]);
    builder_.add_bytes(hex[3], static_cast<uint8_t>(low), static_cast<uint8_t>(high), text);
  }
  return *string_;
}

uint32_t JsonRules::number(bool integral) {
  std::optional<uint32_t>& rule = integral ? integer_ : number_;
  if (rule) return *rule;
  rule = builder_.add_rule();
  const uint32_t end = builder_.add_state();
  builder_.accept(end);
  CharDfa language = any_number();
  if (integral) language = integral_numbers().intersect(without_zero_fraction(), builder_.budget());
  builder_.add_language(builder_.start(*rule), language, end, Spelling::kPlain);
  return *rule;
}

uint32_t JsonRules::value() {
  if (value_) return *value_;
  value_ = builder_.add_rule();
  const uint32_t start = builder_.start(*value_), end = builder_.add_state();
  builder_.accept(end);
  for (const std::string_view word : {"null", "true", "false"}) builder_.add_literal(start, word, end);
  builder_.add_call(start, number(false), end);
  builder_.add_call(start, string(), end);
  const uint32_t items = builder_.add_state(), item = builder_.add_state();
  builder_.add_byte(start, '[', items);
  const uint32_t first = after_space(items);
  builder_.add_byte(first, ']', end);
  builder_.add_call(first, *value_, item);
  const uint32_t comma = builder_.add_state();
  builder_.add_byte(item, ',', comma);
  builder_.add_call(after_space(comma), *value_, item);
  builder_.add_byte(after_space(item), ']', end);
  const uint32_t members = builder_.add_state(), member = builder_.add_state(), key = builder_.add_state();
  builder_.add_byte(start, '{', members);
  const uint32_t first_member = after_space(members);
  builder_.add_byte(first_member, '}', end);
  builder_.add_call(first_member, string(), key);
  const uint32_t colon = builder_.add_state(), next = builder_.add_state();
  builder_.add_byte(key, ':', colon);
  builder_.add_call(after_space(colon), *value_, member);
  builder_.add_byte(member, ',', next);
  builder_.add_call(after_space(next), string(), key);
  builder_.add_byte(after_space(member), '}', end);
  return *value_;
}
