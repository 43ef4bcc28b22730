#include <algorithm>
#include <array>
#include <cctype>

#include "base/coded_error.h"
#include "grammar/schema_limits.h"
#include "grammar/schema_shapes.h"

using namespace schema_limits;

namespace {

// References and combinations on the path to one value.
constexpr int kDepthMax = 48;

// Keywords whose members are schemas under names that the caller chose.
constexpr std::array kNamed = {"properties", "patternProperties", "$defs", "definitions"};

template <typename Range>
bool has(const Range& range, std::string_view name) {
  return std::find(range.begin(), range.end(), name) != range.end();
}

std::string numbered(size_t index) {
  std::string step(1, '[');
  step += std::to_string(index);
  step += ']';
  return step;
}

// The path of `wanted` in `value`. Names chosen by the caller are replaced by numbers.
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
    if (descend(value.items[index], numbered(index), false)) return true;
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
    if (descend(child, known ? "/" + name : numbered(index), known && has(kNamed, name))) return true;
  }
  return false;
}

}  // namespace

SchemaDocument::SchemaDocument(std::string_view text, GrammarBudget& budget)
    : root_(parse_json(text, kDocument)), budget_(budget) {
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
  for (const std::string_view keyword : kUnsupported) {
    const JsonValue* value = schema.find(keyword);
    if (value != nullptr && !(keyword == "unevaluatedItems" && value->is_boolean() && value->boolean)) {
      refuse(&schema, std::string(keyword), "this keyword is not supported");
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
