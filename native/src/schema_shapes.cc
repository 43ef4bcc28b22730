#include "schema_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "coded_error.h"
#include "number_language.h"
#include "regex.h"
#include "string_formats.h"

namespace {

constexpr JsonLimits kLimits{.bytes = 256 * 1024, .values = 30'000, .depth = 64};
constexpr size_t kDefinitionsMax = 1'000;
constexpr size_t kPropertiesMax = 1'000;
constexpr size_t kBranchesMax = 128;
constexpr size_t kAlternativesMax = 256;
constexpr size_t kEnumerationMax = 2'000;
constexpr size_t kPatternPropertiesMax = 4;
// References and combinations on the way to one value.
constexpr int kDepthMax = 48;
// How deep properties are compared to tell the branches of a oneOf apart.
constexpr int kExclusionDepthMax = 3;

// Keywords that restrict values and that no grammar here holds.
constexpr std::array kUnsupported = {"$dynamicRef",      "$recursiveRef",   "contains", "minContains",
                                     "maxContains",      "dependencies",    "if",       "dependentRequired",
                                     "dependentSchemas", "unevaluatedItems"};
// Those whose members are schemas under names that the caller chose.
constexpr std::array kNamed = {"properties", "patternProperties", "$defs", "definitions"};

template <typename Range>
bool has(const Range& range, std::string_view name) {
  return std::find(range.begin(), range.end(), name) != range.end();
}

// The place of `wanted` in `value`, in words that are ours: names that the caller chose are numbers.
bool find_place(const JsonValue& value, const JsonValue* wanted, bool named, std::string& place) {
  if (&value == wanted) return true;
  const size_t length = place.size();
  const auto descend = [&](const JsonValue& child, const std::string& step, bool child_named) {
    place += step;
    if (find_place(child, wanted, child_named, place)) return true;
    place.resize(length);
    return false;
  };
  for (size_t index = 0; index < value.items.size(); ++index) {
    if (descend(value.items[index], "[" + std::to_string(index) + "]", false)) return true;
  }
  static constexpr std::array kKeywords = {"items",
                                           "additionalItems",
                                           "additionalProperties",
                                           "propertyNames",
                                           "not",
                                           "prefixItems",
                                           "allOf",
                                           "anyOf",
                                           "oneOf",
                                           "enum",
                                           "const",
                                           "properties",
                                           "patternProperties",
                                           "$defs",
                                           "definitions"};
  for (size_t index = 0; index < value.members.size(); ++index) {
    const auto& [name, child] = value.members[index];
    const bool known = !named && has(kKeywords, name);
    if (descend(child, known ? "/" + name : "[" + std::to_string(index) + "]", known && has(kNamed, name))) return true;
  }
  return false;
}

void add_schema(Conjunction& schemas, const JsonValue* schema) {
  if (schema->is_boolean() && schema->boolean) return;
  const auto at = std::lower_bound(schemas.begin(), schemas.end(), schema);
  if (at == schemas.end() || *at != schema) schemas.insert(at, schema);
}

Conjunction joined(const Conjunction& a, const Conjunction& b) {
  Conjunction both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

std::optional<Conjunction> joined(const std::optional<Conjunction>& a, const std::optional<Conjunction>& b) {
  if (!a || !b) return std::nullopt;
  return joined(*a, *b);
}

bool unconstrained(const ArrayShape& array) {
  return array.prefix.empty() && array.rest && array.rest->empty() && array.min == 0 && array.max == kNoBound &&
         !array.unique;
}

bool unconstrained(const ObjectShape& object) {
  return object.properties.empty() && object.patterns.empty() && object.additional && object.additional->empty() &&
         !object.names && object.min == 0 && object.max == kNoBound;
}

const ObjectShape::Property* find_property(const ObjectShape& object, const std::string& name) {
  const auto found = std::find_if(object.properties.begin(), object.properties.end(),
                                  [&](const auto& property) { return property.name == name; });
  return found == object.properties.end() ? nullptr : &*found;
}

std::string number_text(double value) {
  std::string text(400, '\0');
  text.resize(static_cast<size_t>(std::snprintf(text.data(), text.size(), "%.17g", value)));
  return text;
}

}  // namespace

Shape Shape::any() {
  Shape shape;
  shape.null = shape.yes = shape.no = true;
  shape.number.emplace();
  shape.string.emplace();
  shape.array.emplace();
  shape.object.emplace();
  return shape;
}

SchemaDocument::SchemaDocument(std::string_view text, GrammarBudget& budget)
    : root_(parse_json(text, kLimits)), budget_(budget) {
  budget_.spend(text.size());
  last_ = &root_;
  for (const char* keyword : {"$defs", "definitions"}) {
    const JsonValue* definitions = root_.find(keyword);
    if (definitions != nullptr && definitions->members.size() > kDefinitionsMax) {
      refuse(&root_, keyword, "may have " + std::to_string(kDefinitionsMax) + " schemas");
    }
  }
}

void SchemaDocument::refuse(const JsonValue* schema, const std::string& keyword, const std::string& reason) const {
  std::string place = "#";
  if (!find_place(root_, schema, false, place)) place = "#/…";
  if (!keyword.empty()) place += "/" + keyword;
  throw CodedError("ERR_GRAMMAR_INVALID", "the JSON schema at " + place + ": " + reason);
}

const JsonValue* SchemaDocument::keep(JsonValue value) { return &made_.emplace_back(std::move(value)); }

Conjunction SchemaDocument::schema_at(const JsonValue& schema, const std::string& keyword, const JsonValue& value) {
  if (!value.is_object() && !value.is_boolean()) refuse(&schema, keyword, "a schema must be an object or a boolean");
  Conjunction schemas;
  add_schema(schemas, &value);
  return schemas;
}

Shapes SchemaDocument::shapes(const Conjunction& schemas, int depth) {
  Shapes result{Shape::any()};
  for (const JsonValue* schema : schemas) result = intersect(result, shapes(*schema, depth));
  return result;
}

Shapes SchemaDocument::shapes(const JsonValue& schema, int depth) {
  budget_.spend(50 + schema.members.size() * 4);
  last_ = &schema;
  if (schema.is_boolean()) return schema.boolean ? Shapes{Shape::any()} : Shapes{};
  if (!schema.is_object()) refuse(&schema, "", "a schema must be an object or a boolean");
  if (depth > kDepthMax)
    refuse(&schema, "",
           "references and combinations may lead " + std::to_string(kDepthMax) +
               " steps from one value, or lead back to it");
  for (const char* keyword : kUnsupported) {
    const JsonValue* value = schema.find(keyword);
    if (value != nullptr &&
        !(std::string_view(keyword) == "unevaluatedItems" && value->is_boolean() && value->boolean)) {
      refuse(&schema, keyword, "this keyword is not supported");
    }
  }
  Shape own = Shape::any();
  read_types(schema, own);
  static constexpr std::array kNumber = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"};
  static constexpr std::array kString = {"minLength", "maxLength", "pattern", "format"};
  static constexpr std::array kArray = {"items",    "prefixItems", "additionalItems",
                                        "minItems", "maxItems",    "uniqueItems"};
  static constexpr std::array kObject = {"properties",    "required",      "additionalProperties", "patternProperties",
                                         "propertyNames", "minProperties", "maxProperties"};
  const auto mentions = [&](const auto& keywords) {
    return std::any_of(keywords.begin(), keywords.end(),
                       [&](const char* keyword) { return schema.find(keyword) != nullptr; });
  };
  own.about_number = mentions(kNumber);
  own.about_string = mentions(kString);
  own.about_array = mentions(kArray);
  own.about_object = mentions(kObject) || schema.find("unevaluatedProperties") != nullptr;
  if (own.number && own.about_number) read_number(schema, *own.number);
  if (own.string && own.about_string) read_string(schema, *own.string);
  if (own.array && own.about_array) read_array(schema, *own.array);
  if (own.object && own.about_object) read_object(schema, *own.object, depth);
  Shapes result{std::move(own)};
  if (const JsonValue* reference = schema.find("$ref")) {
    if (!reference->is_string()) refuse(&schema, "$ref", "must be a string");
    result = intersect(result, shapes(resolve(schema, reference->text), depth + 1));
    last_ = &schema;
  }
  if (const JsonValue* constant = schema.find("const")) result = intersect(result, values(schema, "const", {constant}));
  if (const JsonValue* list = schema.find("enum")) {
    if (!list->is_array() || list->items.empty()) refuse(&schema, "enum", "must be an array with at least one value");
    if (list->items.size() > kEnumerationMax)
      refuse(&schema, "enum", "may have " + std::to_string(kEnumerationMax) + " values");
    std::vector<const JsonValue*> constants;
    for (const JsonValue& value : list->items) constants.push_back(&value);
    result = intersect(result, values(schema, "enum", constants));
  }
  for (const char* keyword : {"allOf", "anyOf", "oneOf"}) {
    const JsonValue* branches = schema.find(keyword);
    if (branches == nullptr) continue;
    if (!branches->is_array() || branches->items.empty())
      refuse(&schema, keyword, "must be an array with at least one schema");
    if (branches->items.size() > kBranchesMax)
      refuse(&schema, keyword, "may have " + std::to_string(kBranchesMax) + " schemas");
    if (std::string_view(keyword) == "allOf") {
      for (const JsonValue& branch : branches->items) result = intersect(result, shapes(branch, depth + 1));
    } else if (std::string_view(keyword) == "anyOf") {
      Shapes any;
      for (const JsonValue& branch : branches->items) {
        Shapes of_branch = shapes(branch, depth + 1);
        any.insert(any.end(), std::make_move_iterator(of_branch.begin()), std::make_move_iterator(of_branch.end()));
        last_ = &schema;
        if (any.size() > kAlternativesMax)
          refuse(&schema, keyword,
                 "these branches make more than " + std::to_string(kAlternativesMax) + " alternatives");
      }
      result = intersect(result, any);
    } else {
      result = intersect(result, exactly_one(schema, *branches, depth + 1));
    }
    last_ = &schema;
  }
  if (const JsonValue* negated = schema.find("not")) {
    const Shapes refused = shapes(*negated, depth + 1);
    last_ = &schema;
    for (const Shape& shape : refused) result = intersect(result, {complement(shape)});
  }
  if (const JsonValue* unevaluated = schema.find("unevaluatedProperties")) {
    if (!unevaluated->is_boolean()) refuse(&schema, "unevaluatedProperties", "only booleans are supported");
    for (Shape& shape : result) {
      if (unevaluated->boolean || !shape.object || shape.object->additional_written) continue;
      shape.object->additional_written = true;
      shape.object->additional.reset();
    }
  }
  return result;
}

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
  // Before draft 6 the exclusive bounds were booleans.
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
    if (!multiples) refuse(&schema, "multipleOf", "has too many digits to be held to");
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
    if (string.language->empty()) refuse(&schema, "pattern", "no text matches it");
  }
  if (const JsonValue* format = schema.find("format")) {
    if (!format->is_string()) refuse(&schema, "format", "must be a string");
    if (is_unsupported_format(format->text)) refuse(&schema, "format", "this format is not supported");
    const auto pattern = format_pattern(format->text);
    if (pattern) {
      const CharDfa formatted = language_of("format", *pattern);
      const CharDfa both = string.language ? string.language->intersect(formatted, budget_) : formatted;
      // A pattern that contradicts its format was written for another reading of the format: the pattern counts.
      if (!both.empty()) string.language = both;
    }
  }
}

uint32_t SchemaDocument::read_count(const JsonValue& schema, const char* keyword, uint32_t otherwise) {
  const JsonValue* value = schema.find(keyword);
  if (value == nullptr) return otherwise;
  if (!value->is_integer() || value->number < 0) refuse(&schema, keyword, "must be an integer from 0 on");
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
  // Until draft 2019-09, `items` could be the prefix and `additionalItems` the rest.
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
    if (object.names && !object.names->matches(name))
      add_schema(schemas, keep(JsonValue{JsonValue::Type::kBoolean, false, 0, "", {}, {}}));
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
    for (const auto& [name, value] : properties->members) {
      if (find_property(object, name) == nullptr)
        add_property(name, schema_at(schema, "properties", *properties->find(name)));
    }
  }
  if (const JsonValue* required = schema.find("required")) {
    // Draft 3 had booleans here, in the property; nobody means them.
    if (!required->is_array()) refuse(&schema, "required", "must be an array of names");
    if (required->items.size() > kPropertiesMax)
      refuse(&schema, "required", "may have " + std::to_string(kPropertiesMax) + " names");
    budget_.spend(required->items.size() * (object.properties.size() + required->items.size()) / 8);
    for (const JsonValue& name : required->items) {
      if (!name.is_string()) refuse(&schema, "required", "must be an array of names");
      if (find_property(object, name.text) == nullptr) {
        std::optional<Conjunction> schemas = schemas_of_member(object, name.text);
        if (!schemas) schemas = Conjunction{keep(JsonValue{JsonValue::Type::kBoolean, false, 0, "", {}, {}})};
        add_property(name.text, *schemas);
      }
      const_cast<ObjectShape::Property*>(find_property(object, name.text))->required = true;
    }
  }
}

std::optional<Conjunction> SchemaDocument::schemas_of_member(const ObjectShape& object, const std::string& name) {
  if (object.names && !object.names->matches(name)) return std::nullopt;
  std::optional<Conjunction> schemas;
  for (const ObjectShape::Pattern& pattern : object.patterns) {
    if (pattern.names->matches(name)) schemas = joined(schemas.value_or(Conjunction{}), pattern.schemas);
  }
  return schemas ? schemas : object.additional;
}

// Constants as shapes: texts and numbers as languages, arrays and objects as schemas that only they satisfy.
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
    JsonValue made{JsonValue::Type::kObject, false, 0, "", {}, {}};
    made.members.emplace_back("const", value);
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
        // Numbers with more digits than decimals have here are written as they were.
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
          if (find_property(*shape.object, name) == nullptr)
            shape.object->properties.push_back({name, {schema_of(*constant->find(name))}, true});
        }
        result.push_back(std::move(shape));
        break;
      }
    }
  }
  if (any_string) scalars.string = StringShape{strings.determinize(string_start, string_end)};
  if (any_number) scalars.number = NumberShape{numbers.determinize(number_start, number_end)};
  if (!scalars.empty()) result.push_back(std::move(scalars));
  if (result.size() > kAlternativesMax)
    refuse(&schema, keyword, "may have " + std::to_string(kAlternativesMax) + " arrays and objects");
  return result;
}

Shapes SchemaDocument::intersect(const Shapes& a, const Shapes& b) {
  Shapes result;
  for (const Shape& of_a : a) {
    for (const Shape& of_b : b) {
      budget_.spend(20);
      Shape both = intersect(of_a, of_b);
      if (both.empty()) continue;
      result.push_back(std::move(both));
      if (result.size() > kAlternativesMax)
        refuse_last("", "its combinations make more than " + std::to_string(kAlternativesMax) + " alternatives");
    }
  }
  return result;
}

const CharDfa& SchemaDocument::decimals(const NumberShape& number) const {
  return number.language ? *number.language : number.integral ? integral_numbers() : decimal_numbers();
}

CharDfa SchemaDocument::texts(const StringShape& string) {
  if (string.min == 0 && string.max == kNoBound) return string.language.value_or(CharDfa::everything());
  const CharDfa lengths = CharDfa::length(string.min, string.max, budget_);
  return string.language ? string.language->intersect(lengths, budget_) : lengths;
}

Shape SchemaDocument::intersect(const Shape& a, const Shape& b) {
  Shape both;
  both.typed = a.typed || b.typed;
  both.about_number = a.about_number || b.about_number;
  both.about_string = a.about_string || b.about_string;
  both.about_array = a.about_array || b.about_array;
  both.about_object = a.about_object || b.about_object;
  both.null = a.null && b.null;
  both.yes = a.yes && b.yes;
  both.no = a.no && b.no;
  if (a.number && b.number) {
    if (!a.number->language && !b.number->language) {
      both.number = NumberShape{std::nullopt, a.number->integral || b.number->integral};
    } else {
      both.number = NumberShape{};
      // A number as its schema wrote it may have an exponent, which the languages of decimals lack.
      const bool any_a = !a.number->language && !a.number->integral, any_b = !b.number->language && !b.number->integral;
      both.number->language = any_a   ? *b.number->language
                              : any_b ? *a.number->language
                                      : decimals(*a.number).intersect(decimals(*b.number), budget_);
      if (both.number->language->empty()) both.number.reset();
    }
  }
  if (a.string && b.string) {
    both.string.emplace();
    both.string->min = std::max(a.string->min, b.string->min);
    both.string->max = std::min(a.string->max, b.string->max);
    if (a.string->language && b.string->language)
      both.string->language = a.string->language->intersect(*b.string->language, budget_);
    else both.string->language = a.string->language ? a.string->language : b.string->language;
    if (both.string->min > both.string->max || (both.string->language && both.string->language->empty()))
      both.string.reset();
  }
  if (a.array && b.array) {
    both.array = a.array;
    ArrayShape& array = *both.array;
    const ArrayShape& other = *b.array;
    array.min = std::max(array.min, other.min);
    array.max = std::min(array.max, other.max);
    array.has_min |= other.has_min;
    array.unique |= other.unique;
    const size_t length = std::max(array.prefix.size(), other.prefix.size());
    std::vector<Conjunction> prefix;
    for (size_t index = 0; index < length; ++index) {
      const auto at = [&](const ArrayShape& of) {
        return index < of.prefix.size() ? std::optional(of.prefix[index]) : of.rest;
      };
      const std::optional<Conjunction> schemas = joined(at(array), at(other));
      if (!schemas) {
        array.max = std::min(array.max, static_cast<uint32_t>(index));
        break;
      }
      prefix.push_back(*schemas);
    }
    array.prefix = std::move(prefix);
    array.rest = joined(array.rest, other.rest);
    if (array.min > array.max) both.array.reset();
  }
  if (a.object && b.object) {
    both.object = a.object;
    intersect(*both.object, *b.object);
    if (both.object->min > both.object->max) both.object.reset();
  }
  return both;
}

void SchemaDocument::intersect(ObjectShape& object, const ObjectShape& other) {
  budget_.spend(object.properties.size() * other.properties.size() / 8 + object.properties.size() +
                other.properties.size());
  const JsonValue* nothing = nullptr;
  const auto never = [&]() {
    if (nothing == nullptr) nothing = keep(JsonValue{JsonValue::Type::kBoolean, false, 0, "", {}, {}});
    return Conjunction{nothing};
  };
  for (ObjectShape::Property& property : object.properties) {
    if (const ObjectShape::Property* twin = find_property(other, property.name)) {
      property.schemas = joined(property.schemas, twin->schemas);
      property.required |= twin->required;
    } else {
      property.schemas = joined(property.schemas, schemas_of_member(other, property.name).value_or(never()));
    }
  }
  const size_t known = object.properties.size();
  for (const ObjectShape::Property& property : other.properties) {
    const auto end = object.properties.begin() + static_cast<std::ptrdiff_t>(known);
    if (std::any_of(object.properties.begin(), end, [&](const auto& twin) { return twin.name == property.name; }))
      continue;
    object.properties.push_back({property.name,
                                 joined(property.schemas, schemas_of_member(object, property.name).value_or(never())),
                                 property.required});
  }
  if (object.properties.size() > kPropertiesMax)
    refuse_last("", "its combinations have more than " + std::to_string(kPropertiesMax) + " properties");
  object.patterns.insert(object.patterns.end(), other.patterns.begin(), other.patterns.end());
  if (object.patterns.size() > kPatternPropertiesMax)
    refuse_last("patternProperties", "may have " + std::to_string(kPatternPropertiesMax) + " patterns");
  object.additional = joined(object.additional, other.additional);
  object.additional_written |= other.additional_written;
  if (object.names && other.names) object.names = object.names->intersect(*other.names, budget_);
  else if (other.names) object.names = other.names;
  object.min = std::max(object.min, other.min);
  object.max = std::min(object.max, other.max);
}

Shape SchemaDocument::complement(const Shape& shape) {
  Shape rest;
  rest.typed = true;
  rest.null = !shape.null;
  rest.yes = !shape.yes;
  rest.no = !shape.no;
  if (!shape.number) rest.number.emplace();
  else if (shape.number->language || shape.number->integral) {
    rest.number = NumberShape{decimal_numbers().intersect(decimals(*shape.number).complement(budget_), budget_)};
    if (rest.number->language->empty()) rest.number.reset();
  }
  if (!shape.string) rest.string.emplace();
  else {
    rest.string = StringShape{texts(*shape.string).complement(budget_)};
    if (rest.string->language->empty()) rest.string.reset();
  }
  if (!shape.array) rest.array.emplace();
  else if (!unconstrained(*shape.array)) refuse_last("not", "arrays can be excluded altogether only");
  if (!shape.object) rest.object.emplace();
  else if (!unconstrained(*shape.object)) refuse_last("not", "objects can be excluded altogether only");
  return rest;
}

Shapes SchemaDocument::exactly_one(const JsonValue& schema, const JsonValue& branches, int depth) {
  std::vector<Shapes> all;
  for (const JsonValue& branch : branches.items) all.push_back(shapes(branch, depth));
  last_ = &schema;
  Shapes result;
  for (size_t branch = 0; branch < all.size(); ++branch) {
    for (Shape shape : all[branch]) {
      for (size_t other = 0; other < all.size(); ++other) {
        if (other == branch) continue;
        for (const Shape& twin : all[other]) {
          budget_.spend(50);
          if (excluded(shape, twin, 0)) continue;
          // Values of no structure can be taken out.
          Shape scalars = twin;
          const bool arrays = shape.array && twin.array, objects = shape.object && twin.object;
          Shape arrays_only, objects_only;
          arrays_only.array = arrays ? shape.array : std::nullopt;
          objects_only.object = objects ? shape.object : std::nullopt;
          if ((arrays && !excluded(arrays_only, twin, 0)) || (objects && !excluded(objects_only, twin, 0))) {
            refuse(&schema, "oneOf",
                   "branches " + std::to_string(std::min(branch, other)) + " and " +
                       std::to_string(std::max(branch, other)) +
                       " may both hold: use anyOf, or give them a property with different constants");
          }
          scalars.array.reset();
          scalars.object.reset();
          Shape outside = complement(scalars);
          outside.typed = false;
          shape = intersect(shape, outside);
        }
      }
      if (!shape.empty()) result.push_back(std::move(shape));
      if (result.size() > kAlternativesMax)
        refuse(&schema, "oneOf", "these branches make more than " + std::to_string(kAlternativesMax) + " alternatives");
    }
  }
  return result;
}

bool SchemaDocument::excluded(const Shape& a, const Shape& b, int depth) {
  if ((a.null && b.null) || (a.yes && b.yes) || (a.no && b.no)) return false;
  if (a.number && b.number && !decimals(*a.number).intersect(decimals(*b.number), budget_).empty()) return false;
  if (a.string && b.string) {
    if (!a.string->language && !b.string->language &&
        (a.string->min > b.string->max || b.string->min > a.string->max)) {
      // Their lengths differ.
    } else if (!texts(*a.string).intersect(texts(*b.string), budget_).empty()) {
      return false;
    }
  }
  if (a.array && b.array) {
    const auto least = [](const ArrayShape& array) {
      return array.has_min ? array.min : std::max<size_t>(array.min, array.prefix.size());
    };
    bool apart = least(*a.array) > b.array->max || b.array->min > a.array->max;
    const size_t both =
        std::min({a.array->prefix.size(), b.array->prefix.size(), static_cast<size_t>(least(*a.array))});
    for (size_t index = 0; !apart && depth < kExclusionDepthMax && index < both; ++index) {
      const Shapes of_a = shapes(a.array->prefix[index], 0), of_b = shapes(b.array->prefix[index], 0);
      apart = std::all_of(of_a.begin(), of_a.end(), [&](const Shape& one) {
        return std::all_of(of_b.begin(), of_b.end(), [&](const Shape& two) { return excluded(one, two, depth + 1); });
      });
    }
    if (!apart) return false;
  }
  return !(a.object && b.object) || excluded(*a.object, *b.object, depth);
}

bool SchemaDocument::excluded(const ObjectShape& a, const ObjectShape& b, int depth) {
  // Without a word about others, answers have the listed properties only.
  const bool closed = !a.additional || (!a.additional_written && !(a.properties.empty() && a.patterns.empty()));
  for (const ObjectShape::Property& property : b.properties) {
    if (property.required && closed && a.patterns.empty() && find_property(a, property.name) == nullptr) return true;
  }
  for (const ObjectShape::Property& property : a.properties) {
    budget_.spend(10);
    if (!property.required) continue;
    const ObjectShape::Property* twin = find_property(b, property.name);
    const std::optional<Conjunction> schemas = twin != nullptr ? twin->schemas : schemas_of_member(b, property.name);
    if (!schemas) return true;
    if (schemas->empty() || depth >= kExclusionDepthMax) continue;
    const JsonValue* before = last_;
    const Shapes of_a = shapes(property.schemas, 0), of_b = shapes(*schemas, 0);
    last_ = before;
    if (std::all_of(of_a.begin(), of_a.end(), [&](const Shape& one) {
          return std::all_of(of_b.begin(), of_b.end(), [&](const Shape& two) { return excluded(one, two, depth + 1); });
        })) {
      return true;
    }
  }
  return false;
}

const JsonValue& SchemaDocument::resolve(const JsonValue& schema, const std::string& reference) {
  if (reference.empty() || reference[0] != '#' || (reference.size() > 1 && reference[1] != '/')) {
    refuse(&schema, "$ref", "only references into the schema itself are supported: # or #/…");
  }
  const JsonValue* target = &root_;
  for (size_t at = 1; at < reference.size();) {
    const size_t end = std::min(reference.find('/', at + 1), reference.size());
    std::string step;
    for (size_t index = at + 1; index < end; ++index) {
      const char character = reference[index];
      if (character == '~' && index + 1 < end) {
        step += reference[++index] == '1' ? '/' : '~';
      } else if (character == '%' && index + 2 < end &&
                 std::isxdigit(static_cast<unsigned char>(reference[index + 1])) &&
                 std::isxdigit(static_cast<unsigned char>(reference[index + 2]))) {
        step += static_cast<char>(std::stoi(reference.substr(index + 1, 2), nullptr, 16));
        index += 2;
      } else {
        step += character;
      }
    }
    budget_.spend(1 + target->members.size() / 8);
    const JsonValue* next = target->find(step);
    if (target->is_array() && !step.empty() && step.size() < 6 &&
        std::all_of(step.begin(), step.end(), [](unsigned char c) { return std::isdigit(c); })) {
      const auto index = static_cast<size_t>(std::stoi(step));
      next = index < target->items.size() ? &target->items[index] : nullptr;
    }
    if (next == nullptr) refuse(&schema, "$ref", "leads nowhere");
    target = next;
    at = end;
  }
  return *target;
}
