#include "grammar/schema_rules.h"

#include <algorithm>
#include <bit>

#include "base/coded_error.h"
#include "grammar/number_language.h"

namespace {

using Guard = GrammarBuilder::Guard;
using Spelling = GrammarBuilder::Spelling;

constexpr size_t kRulesMax = 3'000;
// The number of values of an array with unique items, if they can be enumerated.
constexpr size_t kUniqueValuesMax = 10;
// States of an automaton times lengths.
constexpr size_t kProductMax = 12'000;

}  // namespace

SchemaDocument& SchemaRules::add_document(std::string_view text) {
  auto& document = documents_[std::string(text)];
  if (!document) document = std::make_unique<SchemaDocument>(text, builder_.budget());
  return *document;
}

uint32_t SchemaRules::rule_of(SchemaDocument& document, const Conjunction& schemas) {
  if (schemas.empty()) return json_.value();
  const auto [entry, added] = rules_.try_emplace(schemas, 0);
  if (added) {
    if (rules_.size() > kRulesMax)
      throw CodedError("ERR_GRAMMAR_INVALID", "the schemas of this request make too large a grammar");
    entry->second = builder_.add_rule();
    tasks_.push_back({&document, schemas, entry->second});
  }
  return entry->second;
}

void SchemaRules::complete() {
  for (size_t at = 0; at < tasks_.size(); ++at) {
    const Task task = tasks_[at];
    place_ = task.schemas.front();
    const uint32_t end = builder_.add_state();
    builder_.accept(end);
    fill(*task.document, answers(*task.document, task.schemas), builder_.start(task.rule), end);
  }
  tasks_.clear();
}

const Shapes& SchemaRules::answers(SchemaDocument& document, const Conjunction& schemas) {
  const auto known = answers_.find(schemas);
  if (known != answers_.end()) return known->second;
  Shapes shapes = document.shapes(schemas);
  for (Shape& shape : shapes) {
    if (shape.typed || !(shape.about_number || shape.about_string || shape.about_array || shape.about_object)) continue;
    Shape narrow = shape;
    narrow.null = narrow.yes = narrow.no = false;
    if (!shape.about_number) narrow.number.reset();
    if (!shape.about_string) narrow.string.reset();
    if (!shape.about_array) narrow.array.reset();
    if (!shape.about_object) narrow.object.reset();
    if (!narrow.empty()) shape = std::move(narrow);
  }
  return answers_.emplace(schemas, std::move(shapes)).first->second;
}

void SchemaRules::fill(SchemaDocument& document, const Shapes& shapes, uint32_t from, uint32_t to) {
  for (const Shape& shape : shapes) {
    if (shape.null) builder_.add_literal(from, "null", to);
    if (shape.yes) builder_.add_literal(from, "true", to);
    if (shape.no) builder_.add_literal(from, "false", to);
    if (shape.number) fill(document, *shape.number, from, to);
    if (shape.string) fill(*shape.string, from, to);
    if (shape.array) fill(document, *shape.array, from, to);
    if (shape.object) fill(document, *shape.object, from, to);
  }
}

void SchemaRules::fill(SchemaDocument&, const NumberShape& number, uint32_t from, uint32_t to) {
  if (!number.language) return builder_.add_call(from, json_.number(number.integral), to);
  const CharDfa spelled = number.language->intersect(without_zero_fraction(), builder_.budget());
  builder_.add_language(from, spelled, to, Spelling::kPlain);
}

void SchemaRules::fill(const StringShape& string, uint32_t from, uint32_t to) {
  if (!string.language && string.min == 0 && string.max == kNoBound) return builder_.add_call(from, json_.string(), to);
  const uint32_t text = builder_.add_state(), close = builder_.add_state();
  const bool bounded = string.min > 0 || string.max != kNoBound;
  if (string.language && !bounded && !string.source.empty()) return builder_.add_call(from, shared_rule(string), to);
  const size_t size = string.language ? string.language->size() : 0;
  // If the product is small, the lengths become part of the automaton, which then knows exactly what can still be
  // completed.
  const size_t lengths = string.max == kNoBound ? string.min : string.max;
  if (string.language && (!bounded || size * lengths < kProductMax)) {
    CharDfa language = *string.language;
    if (bounded) {
      language = language.intersect(CharDfa::length(string.min, string.max, builder_.budget()), builder_.budget());
    }
    builder_.add_byte(from, '"', text);
    builder_.add_language(text, language, close, Spelling::kJsonString);
    builder_.add_byte(close, '"', to);
    return;
  }
  if (string.language && string.max != kNoBound && string.max - string.min < size) {
    throw CodedError("ERR_GRAMMAR_INVALID",
                     "a pattern or format whose minLength and maxLength are this close needs too large an automaton");
  }
  // A separate rule, because it counts.
  const uint32_t rule = builder_.add_rule(), inside = builder_.add_state();
  builder_.accept(close);
  builder_.add_byte(builder_.start(rule), '"', text);
  if (string.language) {
    builder_.add_language(text, *string.language, inside, Spelling::kJsonString, string.min, string.max);
    builder_.add_byte(inside, '"', close);
  } else {
    builder_.add_character(text, CharSet::all(), text, Spelling::kJsonString, {.below = string.max, .counts = true});
    builder_.add_byte(text, '"', close, {.least = string.min});
  }
  builder_.add_call(from, rule, to);
}

// A pattern or format that several strings share is one rule.
uint32_t SchemaRules::shared_rule(const StringShape& string) {
  const auto [entry, added] = languages_.try_emplace(string.source, 0);
  if (!added) return entry->second;
  entry->second = builder_.add_rule();
  const uint32_t rule = entry->second, end = builder_.add_state();
  builder_.accept(end);
  fill(StringShape{string.language, ""}, builder_.start(rule), end);
  return rule;
}

void SchemaRules::fill(SchemaDocument& document, const ArrayShape& array, uint32_t caller, uint32_t to) {
  if (array.unique && array.max > 1) return fill_unique(document, array, caller, to);
  const size_t prefix = std::min<size_t>(array.prefix.size(), array.max);
  // Unless the schema limits their number, all listed items are present.
  const size_t least = array.has_min ? array.min : std::max<size_t>(array.min, prefix);
  const uint32_t rule = builder_.add_rule(), end = builder_.add_state(), open = builder_.add_state();
  builder_.accept(end);
  builder_.add_call(caller, rule, to);
  builder_.add_byte(builder_.start(rule), '[', open);
  uint32_t before = json_.after_space(open);
  if (least == 0) builder_.add_byte(before, ']', end);
  uint32_t last = 0;
  for (size_t index = 0; index < prefix; ++index) {
    last = builder_.add_state();
    builder_.add_call(before, rule_of(document, array.prefix[index]), last);
    if (index + 1 >= least) builder_.add_byte(json_.after_space(last), ']', end);
    const uint32_t comma = builder_.add_state();
    builder_.add_byte(last, ',', comma);
    before = json_.after_space(comma);
  }
  if (!array.rest || array.max <= array.prefix.size()) return;
  // Commas are counted, so that none is left without a following item.
  const uint32_t item = builder_.add_state(), comma = builder_.add_state();
  const auto others_min = static_cast<uint32_t>(least > prefix ? least - prefix : 0);
  const uint32_t commas_max = array.max == kNoBound ? kNoBound : static_cast<uint32_t>(array.max - prefix - 1);
  const uint32_t value = rule_of(document, *array.rest);
  builder_.add_call(before, value, item);
  builder_.add_byte(item, ',', comma, Guard{.below = commas_max, .counts = true});
  builder_.add_call(json_.after_space(comma), value, item);
  const uint32_t enough = builder_.add_state();
  builder_.add_empty(item, enough, Guard{.least = others_min > 0 ? others_min - 1 : 0});
  builder_.add_byte(json_.after_space(enough), ']', end);
}

// Unique items whose values can be enumerated: one state for each set of values used so far.
void SchemaRules::fill_unique(SchemaDocument& document, const ArrayShape& array, uint32_t from, uint32_t to) {
  std::vector<std::string> values;
  bool listed = array.prefix.empty() && array.rest.has_value();
  for (const Shape& shape : listed ? answers(document, *array.rest) : Shapes{}) {
    if (shape.null) values.emplace_back("null");
    if (shape.yes) values.emplace_back("true");
    if (shape.no) values.emplace_back("false");
    listed = listed && !shape.array && !shape.object;
    const auto list = [&](const CharDfa& language, bool quoted) {
      const auto texts = language.list(kUniqueValuesMax);
      listed = listed && texts.has_value();
      for (const std::string& text : texts.value_or(std::vector<std::string>{}))
        values.push_back(quoted ? json_quote(text) : text);
    };
    if (shape.number && !shape.number->language) listed = false;
    else if (shape.number) list(shape.number->language->intersect(without_zero_fraction(), builder_.budget()), false);
    if (shape.string && !shape.string->language) listed = false;
    else if (shape.string)
      list(shape.string->language->intersect(CharDfa::length(shape.string->min, shape.string->max, builder_.budget()),
                                             builder_.budget()),
           true);
  }
  if (!listed || values.size() > kUniqueValuesMax) {
    document.refuse(
        place_, "uniqueItems",
        "is supported for items with at most " + std::to_string(kUniqueValuesMax) + " values (enum, const, boolean)");
  }
  const uint32_t open = builder_.add_state();
  builder_.add_byte(from, '[', open);
  std::vector<uint32_t> before(size_t{1} << values.size());
  for (size_t set = 0; set < before.size(); ++set)
    before[set] = set == 0 ? json_.after_space(open) : builder_.add_state();
  if (array.min == 0) builder_.add_byte(before[0], ']', to);
  for (size_t set = 0; set < before.size(); ++set) {
    const auto count = static_cast<uint32_t>(std::popcount(set));
    if (count >= array.max) continue;
    for (size_t index = 0; index < values.size(); ++index) {
      const size_t larger = set | size_t{1} << index;
      if (larger == set) continue;
      const uint32_t item = builder_.add_literal(before[set], values[index]);
      if (count + 1 >= array.min) builder_.add_byte(json_.after_space(item), ']', to);
      const uint32_t comma = builder_.add_state();
      builder_.add_byte(item, ',', comma);
      builder_.add_call(comma, json_.space(), before[larger]);
    }
  }
}

void SchemaRules::add_member_value(SchemaDocument& document, const Conjunction& schemas, uint32_t from, uint32_t to) {
  const uint32_t colon = builder_.add_state();
  builder_.add_byte(from, ':', colon);
  builder_.add_call(json_.after_space(colon), rule_of(document, schemas), to);
}

void SchemaRules::fill(SchemaDocument& document, const ObjectShape& object, uint32_t caller, uint32_t to) {
  const size_t count = object.properties.size();
  const bool listed = object.lists_properties || count > 0 || !object.patterns.empty();
  const bool others =
      object.max > 0 && ((object.additional && (object.additional_written || !listed)) || !object.patterns.empty());
  if (others &&
      object.min > 1 + static_cast<uint32_t>(std::count_if(object.properties.begin(), object.properties.end(),
                                                           [](const auto& property) { return property.required; }))) {
    document.refuse(
        place_, "minProperties",
        "is supported up to one more than the required properties, unless only listed properties are allowed");
  }
  // The number of members is counted only within the range where it matters.
  const size_t counted =
      others ? object.min
             : std::min<size_t>(count + 1, object.max < count ? std::max(object.min, object.max + 1) : object.min);
  const size_t width = counted + 1;
  const bool capped = object.max != kNoBound;
  const uint32_t rule = builder_.add_rule(), end = builder_.add_state(), open = builder_.add_state();
  builder_.accept(end);
  builder_.add_call(caller, rule, to);
  builder_.add_byte(builder_.start(rule), '{', open);

  // key[i][n]: after n members, the next one is property i or a later one. after[i][n]: after a member, property i is
  // next.
  std::vector<uint32_t> key((count + 1) * width), after((count + 1) * width);
  for (uint32_t& state : key) state = builder_.add_state();
  for (uint32_t& state : after) state = builder_.add_state();
  const auto at = [&](size_t property, size_t members) { return property * width + members; };
  const uint32_t first = json_.after_space(open);
  builder_.add_empty(first, key[at(0, 0)]);
  size_t first_closing = count;
  while (first_closing > 0 && !object.properties[first_closing - 1].required) --first_closing;

  if (first_closing == 0 && object.min == 0) builder_.add_byte(first, '}', end);

  // If no state counts the members, the commas are counted.
  const Guard commas = others && capped ? Guard{.below = object.max - 1, .counts = true} : Guard{};
  for (size_t index = 0; index <= count; ++index) {
    for (size_t members = 0; members < width; ++members) {
      const uint32_t from = key[at(index, members)], behind = after[at(index, members)];
      const size_t more = std::min(members + 1, counted);
      const uint32_t comma = builder_.add_state();
      builder_.add_byte(behind, ',', comma, commas);
      builder_.add_call(comma, json_.space(), from);
      if (index >= first_closing && members >= object.min) builder_.add_byte(json_.after_space(behind), '}', end);
      if (index == count) {
        if (others) add_others(document, object, from, after[at(count, more)]);
        continue;
      }
      const ObjectShape::Property& property = object.properties[index];
      if (!property.required) builder_.add_empty(from, key[at(index + 1, members)]);
      if (members >= object.max) continue;
      const uint32_t name = builder_.add_literal(from, json_quote(property.name));
      add_member_value(document, property.schemas, name, after[at(index + 1, more)]);
    }
  }
}

void SchemaRules::add_others(SchemaDocument& document, const ObjectShape& object, uint32_t from, uint32_t to) {
  const auto add = [&](const std::optional<CharDfa>& names, const Conjunction& schemas) {
    const uint32_t name = builder_.add_state();
    if (names) fill(StringShape{*names, ""}, from, name);
    else builder_.add_call(from, json_.string(), name);
    add_member_value(document, schemas, name, to);
  };
  GrammarBudget& budget = builder_.budget();
  std::optional<CharDfa> free = object.names;
  const auto restrict = [&](const CharDfa& language) { free = free ? free->intersect(language, budget) : language; };
  if (!object.properties.empty()) {
    CharNfa listed(budget);
    const uint32_t start = listed.add_state(), end = listed.add_state();
    for (const ObjectShape::Property& property : object.properties) {
      uint32_t state = start;
      for (const uint32_t code : decode_utf8(property.name)) {
        const uint32_t next = listed.add_state();
        listed.add_step(state, CharSet::one(code), next);
        state = next;
      }
      listed.add_empty_step(state, end);
    }
    restrict(listed.determinize(start, end).complement(budget));
  }
  // The set of patterns that a name matches determines the schema of its value.
  for (size_t set = 0; set < size_t{1} << object.patterns.size(); ++set) {
    std::optional<CharDfa> names = free;
    Conjunction schemas;
    for (size_t index = 0; index < object.patterns.size(); ++index) {
      const bool matches = (set >> index & 1) != 0;
      const CharDfa& pattern = *object.patterns[index].names;
      const CharDfa side = matches ? pattern : pattern.complement(budget);
      names = names ? names->intersect(side, budget) : side;
      if (!matches) continue;
      Conjunction both;
      std::set_union(schemas.begin(), schemas.end(), object.patterns[index].schemas.begin(),
                     object.patterns[index].schemas.end(), std::back_inserter(both));
      schemas = std::move(both);
    }
    if (names && names->empty()) continue;
    if (set == 0) {
      // Next to patterns, other names are allowed only if the schema mentions them.
      if (!object.additional || (!object.additional_written && !object.patterns.empty())) continue;
      schemas = *object.additional;
    }
    add(names, schemas);
  }
}
