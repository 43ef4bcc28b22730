#include "grammar/relaxed_schema.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "base/coded_error.h"
#include "grammar/json_value.h"
#include "grammar/regex.h"
#include "grammar/schema_limits.h"
#include "grammar/string_formats.h"

namespace {

constexpr std::array kTypes = {"null", "boolean", "object", "array", "number", "string", "integer"};
constexpr std::array kBounds = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"};
constexpr std::array kCounts = {"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"};
constexpr std::array kSchemas = {"additionalItems", "additionalProperties", "propertyNames"};
constexpr std::array kNamedSchemas = {"properties", "$defs", "definitions"};

template <typename Range>
bool has(const Range& range, std::string_view name) {
  return std::find(range.begin(), range.end(), name) != range.end();
}

// An object or an array while it is written.
class Writer {
 public:
  explicit Writer(char open, char close) : text_(1, open), close_(close) {}
  void item(const std::string& value) {
    if (text_.size() > 1) text_ += ',';
    text_ += value;
  }
  void member(std::string_view name, const std::string& value) { item(json_quote(name) + ":" + value); }
  std::string finish() { return std::move(text_) + close_; }

 private:
  std::string text_;
  char close_;
};

std::string written(const JsonValue& value) {
  switch (value.type) {
    case JsonValue::Type::kNull: return "null";
    case JsonValue::Type::kBoolean: return value.boolean ? "true" : "false";
    case JsonValue::Type::kNumber: return value.text;
    case JsonValue::Type::kString: return json_quote(value.text);
    case JsonValue::Type::kArray: {
      Writer list('[', ']');
      for (const JsonValue& item : value.items) list.item(written(item));
      return list.finish();
    }
    case JsonValue::Type::kObject: {
      Writer object('{', '}');
      for (const auto& [name, member] : value.members) object.member(name, written(member));
      return object.finish();
    }
  }
  return "null";
}

// Writes a schema without what the grammar cannot enforce, and notes whether that allows more values.
class Relaxation {
 public:
  explicit Relaxation(GrammarBudget& budget) : budget_(budget) {}

  // Of a value that is an object if it is the `root`.
  std::string schema(const JsonValue& value, bool root = false);
  bool is_weaker() const { return is_weaker_; }

 private:
  using Text = std::optional<std::string>;  // Empty: the keyword is left out.

  Text keyword(const JsonValue& schema, const std::string& name, const JsonValue& value);
  Text kept(bool is_valid, const JsonValue& value);
  Text type(const JsonValue& value);
  Text list(const JsonValue& value);
  Text named(const JsonValue& value);
  void write_one_of(const JsonValue& schema, const JsonValue& value, Writer& object);
  Text negated(const JsonValue& value);
  bool is_expression(const std::string& pattern);
  bool patterns_hold(const JsonValue& schema);

  GrammarBudget& budget_;
  bool is_weaker_ = false;
};

std::string Relaxation::schema(const JsonValue& value, bool root) {
  if (value.is_boolean() && !root) return written(value);
  Writer object('{', '}');
  bool typed = false;
  if (!value.is_object()) is_weaker_ = true;
  for (const auto& [name, member] : value.members) {
    if (name == "oneOf") {
      write_one_of(value, member, object);
    } else if (const Text text = keyword(value, name, member)) {
      typed = typed || name == "type";
      object.member(name, *text);
    }
  }
  if (root && !typed) object.member("type", R"("object")");
  return object.finish();
}

Relaxation::Text Relaxation::keyword(const JsonValue& schema, const std::string& name, const JsonValue& value) {
  if (name == "type") return type(value);
  if (name == "enum") return kept(value.is_array() && !value.items.empty(), value);
  if (name == "const" || name == "nullable") return written(value);
  if (name == "required") {
    const bool names =
        std::all_of(value.items.begin(), value.items.end(), [](const auto& one) { return one.is_string(); });
    return kept(value.is_array() && names, value);
  }
  if (has(kBounds, name)) return kept(value.is_number() || value.is_boolean(), value);
  if (name == "multipleOf") return kept(value.is_number() && value.number > 0, value);
  if (has(kCounts, name)) return kept(value.is_integer() && value.number >= 0, value);
  if (name == "pattern") return kept(value.is_string() && is_expression(value.text), value);
  if (name == "format") return kept(value.is_string() && !is_unsupported_format(value.text), value);
  if (name == "$ref") {
    return kept(value.text == "#" || (value.is_string() && std::string_view(value.text).starts_with("#/")), value);
  }
  if (name == "items" && value.is_array()) return list(value);
  if (name == "additionalProperties" && !patterns_hold(schema)) return kept(false, value);
  if (name == "items" || has(kSchemas, name)) {
    if (!value.is_object() && !value.is_boolean()) return kept(false, value);
    return this->schema(value);
  }
  if (name == "prefixItems" || name == "allOf" || name == "anyOf") {
    return value.is_array() && !value.items.empty() ? list(value) : kept(false, value);
  }
  if (has(kNamedSchemas, name)) return value.is_object() ? named(value) : kept(false, value);
  if (name == "patternProperties") return patterns_hold(schema) ? named(value) : kept(false, value);
  if (name == "not") return negated(value);
  if (name == "uniqueItems") return kept(value.is_boolean() && !value.boolean, value);
  if (name == "unevaluatedProperties") return kept(value.is_boolean() && patterns_hold(schema), value);
  // Others have no effect in the grammar either.
  if (has(schema_limits::kUnsupported, name)) is_weaker_ = true;
  return std::nullopt;
}

Relaxation::Text Relaxation::kept(bool is_valid, const JsonValue& value) {
  if (is_valid) return written(value);
  is_weaker_ = true;
  return std::nullopt;
}

// Some clients write types in capitals.
Relaxation::Text Relaxation::type(const JsonValue& value) {
  const auto known = [](const JsonValue& one) -> Text {
    std::string name = one.text;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    return one.is_string() && has(kTypes, name) ? Text(json_quote(name)) : std::nullopt;
  };
  if (!value.is_array()) {
    const Text name = known(value);
    return name ? name : kept(false, value);
  }
  Writer names('[', ']');
  for (const JsonValue& one : value.items) {
    const Text name = known(one);
    if (!name) return kept(false, value);
    names.item(*name);
  }
  return value.items.empty() ? kept(false, value) : Text(names.finish());
}

Relaxation::Text Relaxation::list(const JsonValue& value) {
  Writer schemas('[', ']');
  for (const JsonValue& item : value.items) schemas.item(schema(item));
  return schemas.finish();
}

Relaxation::Text Relaxation::named(const JsonValue& value) {
  Writer schemas('{', '}');
  for (const auto& [name, member] : value.members) schemas.member(name, schema(member));
  return schemas.finish();
}

// Exactly one of weaker branches would allow less than before.
void Relaxation::write_one_of(const JsonValue& schema, const JsonValue& value, Writer& object) {
  const bool is_list = value.is_array() && !value.items.empty();
  Relaxation branches(budget_);
  const Text text = is_list ? branches.list(value) : std::nullopt;
  if (is_list && !branches.is_weaker()) return object.member("oneOf", *text);
  is_weaker_ = true;
  if (is_list && schema.find("anyOf") == nullptr) object.member("anyOf", *text);
}

// What must not be matched by a weaker schema would allow less than before.
Relaxation::Text Relaxation::negated(const JsonValue& value) {
  Relaxation inside(budget_);
  const std::string text = inside.schema(value);
  return inside.is_weaker() ? kept(false, value) : Text(text);
}

bool Relaxation::is_expression(const std::string& pattern) {
  try {
    return !regex_language(pattern, budget_).empty();
  } catch (const CodedError&) {
    return false;
  }
}

// Without one of its patterns, an object could have fewer members than before.
bool Relaxation::patterns_hold(const JsonValue& schema) {
  const JsonValue* patterns = schema.find("patternProperties");
  if (patterns == nullptr) return true;
  return patterns->is_object() && std::all_of(patterns->members.begin(), patterns->members.end(),
                                              [&](const auto& member) { return is_expression(member.name); });
}

}  // namespace

std::string relaxed_schema(std::string_view text, GrammarBudget& budget) {
  const JsonValue root = parse_json(text, schema_limits::kDocument);
  budget.spend(text.size());
  return Relaxation(budget).schema(root, true);
}
