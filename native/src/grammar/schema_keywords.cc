#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/coded_error.h"
#include "grammar/number_language.h"
#include "grammar/regex.h"
#include "grammar/schema_limits.h"
#include "grammar/schema_shapes.h"
#include "grammar/string_formats.h"

using namespace schema_limits;

namespace {

template <typename Range>
bool has(const Range& range, std::string_view name) {
  return std::find(range.begin(), range.end(), name) != range.end();
}

std::string number_text(double value) {
  std::string text(400, '\0');
  text.resize(static_cast<size_t>(std::snprintf(text.data(), text.size(), "%.17g", value)));
  return text;
}

JsonValue impossible() { return {JsonValue::Type::kBoolean, false, 0, "", {}, {}}; }

// Budget units for copying one value; limits copies to about twenty megabytes.
constexpr uint64_t kCopiedValueCost = 16;

uint64_t count_values(const JsonValue& value) {
  uint64_t count = 1;
  for (const JsonValue& item : value.items) count += count_values(item);
  for (const auto& [name, member] : value.members) count += count_values(member);
  return count;
}

}  // namespace

void SchemaDocument::read_types(const JsonValue& schema, Shape& shape) {
  const JsonValue* type = schema.find("type");
  if (type == nullptr) return;
  std::vector<std::string> names;
  if (type->is_string()) names.push_back(type->text);
  for (const JsonValue& item : type->items) {
    if (!item.is_string()) refuse(&schema, "type", "must be a type or an array of types");
    names.push_back(item.text);
  }
  if (names.empty()) refuse(&schema, "type", "must be a type or an array of types");
  static constexpr std::array kTypes = {"null", "boolean", "object", "array", "number", "string", "integer"};
  for (const std::string& name : names) {
    if (!has(kTypes, name))
      refuse(&schema, "type", "unknown type: expected null, boolean, object, array, number, integer or string");
  }
  shape.typed = true;
  shape.null = has(names, "null");
  shape.yes = shape.no = has(names, "boolean");
  if (!has(names, "object")) shape.object.reset();
  if (!has(names, "array")) shape.array.reset();
  if (!has(names, "string")) shape.string.reset();
  if (!has(names, "number")) {
    if (has(names, "integer")) shape.number->integral = true;
    else shape.number.reset();
  }
}

void SchemaDocument::read_number(const JsonValue& schema, NumberShape& number) {
  const auto bound = [&](const char* keyword, Comparison comparison) {
    const JsonValue* value = schema.find(keyword);
    if (value == nullptr) return;
    if (!value->is_number()) refuse(&schema, keyword, "must be a number");
    number.language = decimals(number).intersect(compared_numbers(comparison, value->number, budget_), budget_);
    number.integral = false;
  };
  // Before draft 6, the exclusive bounds were booleans.
  const auto exclusive = [&](const char* keyword) {
    const JsonValue* value = schema.find(keyword);
    return value != nullptr && value->is_boolean() && value->boolean;
  };
  const auto numeric = [&](const char* keyword) {
    const JsonValue* value = schema.find(keyword);
    return value != nullptr && !value->is_boolean();
  };
  bound("minimum", exclusive("exclusiveMinimum") ? Comparison::kGreater : Comparison::kAtLeast);
  bound("maximum", exclusive("exclusiveMaximum") ? Comparison::kLess : Comparison::kAtMost);
  if (numeric("exclusiveMinimum")) bound("exclusiveMinimum", Comparison::kGreater);
  if (numeric("exclusiveMaximum")) bound("exclusiveMaximum", Comparison::kLess);
  if (const JsonValue* divisor = schema.find("multipleOf")) {
    if (!divisor->is_number() || divisor->number <= 0) refuse(&schema, "multipleOf", "must be a number above 0");
    const std::optional<CharDfa> multiples = multiples_of(divisor->number, budget_);
    if (!multiples) refuse(&schema, "multipleOf", "has too many digits to be enforced");
    number.language = decimals(number).intersect(*multiples, budget_);
    number.integral = false;
  }
  if (number.language && number.language->empty()) refuse(&schema, "", "no number is within these bounds");
}

void SchemaDocument::read_string(const JsonValue& schema, StringShape& string) {
  string.min = read_count(schema, "minLength", 0);
  string.max = read_count(schema, "maxLength", kNoBound);
  if (string.min > string.max) refuse(&schema, "minLength", "exceeds maxLength");
  const auto language_of = [&](const char* keyword, std::string_view pattern) {
    try {
      return regex_language(pattern, budget_);
    } catch (const CodedError& error) {
      refuse(&schema, keyword, error.what());
    }
  };
  if (const JsonValue* pattern = schema.find("pattern")) {
    if (!pattern->is_string()) refuse(&schema, "pattern", "must be a string");
    string.language = language_of("pattern", pattern->text);
    string.source = "pattern " + pattern->text;
    if (string.language->empty()) refuse(&schema, "pattern", "no text matches it");
  }
  if (const JsonValue* format = schema.find("format")) {
    if (!format->is_string()) refuse(&schema, "format", "must be a string");
    if (is_unsupported_format(format->text)) refuse(&schema, "format", "this format is not supported");
    const auto pattern = format_pattern(format->text);
    if (pattern) {
      const CharDfa formatted = language_of("format", *pattern);
      const CharDfa both = string.language ? string.language->intersect(formatted, budget_) : formatted;
      // A pattern that contradicts its format was written for another interpretation of the format, so the pattern
      // takes precedence.
      if (!both.empty()) {
        string.source = string.language ? "" : "format " + format->text;
        string.language = both;
      }
    }
  }
}

uint32_t SchemaDocument::read_count(const JsonValue& schema, const char* keyword, uint32_t otherwise) {
  const JsonValue* value = schema.find(keyword);
  if (value == nullptr) return otherwise;
  if (!value->is_integer() || value->number < 0) refuse(&schema, keyword, "must be an integer of at least 0");
  return static_cast<uint32_t>(std::min<double>(value->number, kNoBound));
}

void SchemaDocument::read_array(const JsonValue& schema, ArrayShape& array) {
  array.has_min = schema.find("minItems") != nullptr;
  array.min = read_count(schema, "minItems", 0);
  array.max = read_count(schema, "maxItems", kNoBound);
  if (array.min > array.max) refuse(&schema, "minItems", "exceeds maxItems");
  if (const JsonValue* unique = schema.find("uniqueItems")) {
    if (!unique->is_boolean()) refuse(&schema, "uniqueItems", "must be a boolean");
    array.unique = unique->boolean;
  }
  const JsonValue* prefix = schema.find("prefixItems");
  const JsonValue* items = schema.find("items");
  const char* rest_keyword = "items";
  // Before draft 2019-09, `items` could be the prefix and `additionalItems` the rest.
  if (prefix == nullptr && items != nullptr && items->is_array()) {
    prefix = items;
    items = schema.find("additionalItems");
    rest_keyword = "additionalItems";
  }
  if (prefix != nullptr) {
    if (!prefix->is_array()) refuse(&schema, "prefixItems", "must be an array of schemas");
    for (const JsonValue& item : prefix->items) array.prefix.push_back(schema_at(schema, "prefixItems", item));
  }
  if (items != nullptr) {
    if (items->is_boolean() && !items->boolean) array.rest.reset();
    else array.rest = schema_at(schema, rest_keyword, *items);
  }
}

void SchemaDocument::read_object(const JsonValue& schema, ObjectShape& object, int depth) {
  object.min = read_count(schema, "minProperties", 0);
  object.max = read_count(schema, "maxProperties", kNoBound);
  if (object.min > object.max) refuse(&schema, "minProperties", "exceeds maxProperties");
  if (const JsonValue* additional = schema.find("additionalProperties")) {
    object.additional_written = true;
    if (additional->is_boolean() && !additional->boolean) object.additional.reset();
    else object.additional = schema_at(schema, "additionalProperties", *additional);
  }
  if (const JsonValue* patterns = schema.find("patternProperties")) {
    if (!patterns->is_object()) refuse(&schema, "patternProperties", "must be an object of schemas");
    if (patterns->members.size() > kPatternPropertiesMax)
      refuse(&schema, "patternProperties", "may have " + std::to_string(kPatternPropertiesMax) + " patterns");
    for (const auto& [pattern, value] : patterns->members) {
      try {
        object.patterns.push_back({std::make_shared<const CharDfa>(regex_language(pattern, budget_)),
                                   schema_at(schema, "patternProperties", value)});
      } catch (const CodedError& error) {
        refuse(&schema, "patternProperties", error.what());
      }
    }
  }
  if (const JsonValue* names = schema.find("propertyNames")) {
    std::optional<CharDfa> all;
    for (const Shape& shape : shapes(schema_at(schema, "propertyNames", *names), depth + 1)) {
      if (!shape.string) continue;
      const CharDfa language = texts(*shape.string);
      all = all ? all->unite(language, budget_) : language;
    }
    last_ = &schema;
    object.names = all.value_or(CharDfa::nothing());
  }
  const auto add_property = [&](const std::string& name, Conjunction schemas) {
    if (object.names && !object.names->matches(name)) add_schema(schemas, keep(impossible()));
    for (const ObjectShape::Pattern& pattern : object.patterns) {
      if (pattern.names->matches(name)) schemas = joined(schemas, pattern.schemas);
    }
    object.properties.push_back({name, std::move(schemas), false});
  };
  if (const JsonValue* properties = schema.find("properties")) {
    if (!properties->is_object()) refuse(&schema, "properties", "must be an object of schemas");
    if (properties->members.size() > kPropertiesMax)
      refuse(&schema, "properties", "may have " + std::to_string(kPropertiesMax) + " properties");
    budget_.spend(properties->members.size() * properties->members.size() / 8);
    object.lists_properties = true;
    for (const auto& [name, value] : properties->members) {
      if (object.find(name) == nullptr) add_property(name, schema_at(schema, "properties", *properties->find(name)));
    }
  }
  if (const JsonValue* required = schema.find("required")) {
    // Draft 3 had booleans in the property here; they are not supported.
    if (!required->is_array()) refuse(&schema, "required", "must be an array of names");
    if (required->items.size() > kPropertiesMax)
      refuse(&schema, "required", "may have " + std::to_string(kPropertiesMax) + " names");
    budget_.spend(required->items.size() * (object.properties.size() + required->items.size()) / 8);
    for (const JsonValue& name : required->items) {
      if (!name.is_string()) refuse(&schema, "required", "must be an array of names");
      if (object.find(name.text) == nullptr) {
        std::optional<Conjunction> schemas = schemas_of_member(object, name.text);
        if (!schemas) schemas = Conjunction{keep(impossible())};
        add_property(name.text, *schemas);
      }
      const_cast<ObjectShape::Property*>(object.find(name.text))->required = true;
    }
  }
}

// Constants as shapes: strings and numbers as languages, arrays and objects as schemas that only they satisfy.
Shapes SchemaDocument::values(const JsonValue& schema, const std::string& keyword,
                              const std::vector<const JsonValue*>& constants) {
  Shapes result;
  Shape scalars;
  scalars.typed = true;
  CharNfa strings(budget_), numbers(budget_);
  const uint32_t string_start = strings.add_state(), string_end = strings.add_state();
  const uint32_t number_start = numbers.add_state(), number_end = numbers.add_state();
  bool any_string = false, any_number = false;
  const auto add_text = [](CharNfa& nfa, uint32_t from, uint32_t to, std::string_view text) {
    for (const uint32_t code : decode_utf8(text)) {
      const uint32_t next = nfa.add_state();
      nfa.add_step(from, CharSet::one(code), next);
      from = next;
    }
    nfa.add_empty_step(from, to);
  };
  const auto schema_of = [&](const JsonValue& value) {
    // Each level of a nested constant is copied once for every level above it.
    budget_.spend(kCopiedValueCost * count_values(value));
    JsonValue made{JsonValue::Type::kObject, false, 0, "", {}, {}};
    made.members.push_back({"const", value});
    return keep(std::move(made));
  };
  for (const JsonValue* constant : constants) {
    switch (constant->type) {
      case JsonValue::Type::kNull: scalars.null = true; break;
      case JsonValue::Type::kBoolean: (constant->boolean ? scalars.yes : scalars.no) = true; break;
      case JsonValue::Type::kString:
        any_string = true;
        add_text(strings, string_start, string_end, constant->text);
        break;
      case JsonValue::Type::kNumber:
        any_number = true;
        numbers.add_empty_step(
            number_start, numbers.add(compared_numbers(Comparison::kEqual, constant->number, budget_), number_end));
        // `decimals` limits the number of digits; a constant with more digits is also accepted as its literal text.
        if (!decimals({}).matches(number_text(constant->number)))
          add_text(numbers, number_start, number_end, constant->text);
        break;
      case JsonValue::Type::kArray: {
        Shape shape;
        shape.typed = true;
        shape.array.emplace();
        shape.array->rest.reset();
        for (const JsonValue& item : constant->items) shape.array->prefix.push_back({schema_of(item)});
        shape.array->min = shape.array->max = static_cast<uint32_t>(constant->items.size());
        shape.array->has_min = true;
        result.push_back(std::move(shape));
        break;
      }
      case JsonValue::Type::kObject: {
        Shape shape;
        shape.typed = true;
        shape.object.emplace();
        shape.object->additional.reset();
        shape.object->additional_written = true;
        for (const auto& [name, value] : constant->members) {
          if (shape.object->find(name) == nullptr)
            shape.object->properties.push_back({name, {schema_of(*constant->find(name))}, true});
        }
        result.push_back(std::move(shape));
        break;
      }
    }
  }
  if (any_string) scalars.string = StringShape{strings.determinize(string_start, string_end), ""};
  if (any_number) scalars.number = NumberShape{numbers.determinize(number_start, number_end)};
  if (!scalars.empty()) result.push_back(std::move(scalars));
  if (result.size() > kAlternativesMax)
    refuse(&schema, keyword, "may have " + std::to_string(kAlternativesMax) + " arrays and objects");
  return result;
}
