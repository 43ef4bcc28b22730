#include <algorithm>

#include "base/coded_error.h"
#include "grammar/regex.h"
#include "grammar/schema_rules.h"

namespace {

using Spelling = GrammarBuilder::Spelling;

// States of an automaton times lengths.
constexpr size_t kProductMax = 12'000;
// No more text rules are added when a request has used half of its limits: states of its grammar, and units.
constexpr size_t kStatesMax = 50'000;
constexpr uint64_t kUnitsMin = 1'500'000;

// The texts that a template would read as a value of another type.
CharDfa other_values(const Shapes& shapes, TextForm::Others others, GrammarBudget& budget) {
  const auto reads = [&](auto&& test) {
    return others == TextForm::Others::kAll || std::any_of(shapes.begin(), shapes.end(), test);
  };
  std::string pattern = others == TextForm::Others::kAll ? R"(^\s*["])" : "";
  const auto add = [&](bool is_read, std::string_view part) {
    if (!is_read) return;
    if (!pattern.empty()) pattern += '|';
    pattern += part;
  };
  add(reads([](const Shape& shape) { return shape.null; }), R"(^\s*null\s*$)");
  add(reads([](const Shape& shape) { return shape.yes || shape.no; }), R"(^\s*(true|false)\s*$)");
  add(reads([](const Shape& shape) { return shape.number.has_value(); }), R"(^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$)");
  add(reads([](const Shape& shape) { return shape.array.has_value(); }), R"(^\s*\[)");
  add(reads([](const Shape& shape) { return shape.object.has_value(); }), R"(^\s*\{)");
  return pattern.empty() ? CharDfa::nothing() : regex_language(pattern, budget);
}

bool is_any_text(const StringShape& string) { return !string.language && string.min == 0 && string.max == kNoBound; }

Shape without_string(Shape shape) {
  shape.string.reset();
  return shape;
}

// Whether the text need not satisfy the shape. A format without values of other types spells them as texts, too.
bool is_free(const Shape& shape, TextForm::Others others) {
  return (shape.string && is_any_text(*shape.string)) ||
         (others == TextForm::Others::kNone && !without_string(shape).empty());
}

}  // namespace

std::optional<uint32_t> SchemaRules::text_rule_of(SchemaDocument& document, const Conjunction& schemas,
                                                  const TextForm& form) {
  if (schemas.empty()) return std::nullopt;
  try {
    return add_text_rule(document, schemas, form);
  } catch (const CodedError&) {
    return std::nullopt;  // The budget of these rules is spent.
  }
}

std::optional<uint32_t> SchemaRules::add_text_rule(SchemaDocument& document, const Conjunction& schemas,
                                                   const TextForm& form) {
  const Shapes& shapes = answers(document, schemas);
  for (const Shape& shape : shapes) {
    if (is_free(shape, form.others)) return std::nullopt;
  }
  const bool has_others = form.others != TextForm::Others::kNone;
  CharDfa texts = texts_before(form.end);
  if (has_others) {
    texts = texts.intersect(other_values(shapes, form.others, text_budget_).complement(text_budget_), text_budget_);
  }
  const uint32_t rule = builder_.add_rule(), end = builder_.add_state();
  builder_.accept(end);
  place_ = schemas.front();
  for (const Shape& shape : shapes) {
    if (shape.string && !add_texts(*shape.string, texts, builder_.start(rule), end)) return std::nullopt;
    if (has_others) fill(document, Shapes{without_string(shape)}, builder_.start(rule), end);
  }
  return builder_.is_unused(builder_.start(rule)) ? std::nullopt : std::optional(rule);
}

bool SchemaRules::add_texts(const StringShape& string, const CharDfa& texts, uint32_t from, uint32_t to) {
  const CharDfa allowed = string.language ? string.language->intersect(texts, text_budget_) : texts;
  if (allowed.empty()) return true;
  if (builder_.state_count() + allowed.size() > kStatesMax || builder_.budget().left() < kUnitsMin) return false;
  const bool is_bounded = string.min > 0 || string.max != kNoBound;
  if (!is_bounded) {
    builder_.add_language(from, allowed, to, Spelling::kPlain);
    return true;
  }
  const size_t lengths = string.max == kNoBound ? string.min : string.max;
  if (allowed.size() * lengths < kProductMax) {
    const CharDfa length = CharDfa::length(string.min, string.max, text_budget_);
    const CharDfa bounded = allowed.intersect(length, text_budget_);
    if (!bounded.empty()) builder_.add_language(from, bounded, to, Spelling::kPlain);
    return true;
  }
  if (string.max != kNoBound && string.max - std::min(string.min, string.max) < allowed.size()) return false;
  // A separate rule, because it counts.
  const uint32_t rule = builder_.add_rule(), end = builder_.add_state();
  builder_.accept(end);
  builder_.add_language(builder_.start(rule), allowed, end, Spelling::kPlain, string.min, string.max);
  builder_.add_call(from, rule, to);
  return true;
}

// The texts after which `end` occurs for the first time. A text can also end with the beginning of an occurrence that
// overlaps `end`.
const CharDfa& SchemaRules::texts_before(const std::string& end) {
  const auto known = texts_before_.find(end);
  if (known != texts_before_.end()) return known->second;
  std::string pattern = regex_literal(end);
  for (size_t length = 1; length < end.size(); ++length) {
    if (end.compare(length, std::string::npos, end, 0, end.size() - length) != 0) continue;
    pattern.append("|").append(regex_literal(std::string_view(end).substr(0, length))).append("$");
  }
  return texts_before_.emplace(end, regex_language(pattern, text_budget_).complement(text_budget_)).first->second;
}
