#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grammar/char_dfa.h"
#include "grammar/json_value.h"

// What a JSON schema allows, type by type. Schemas inside arrays and objects remain unprocessed until needed, so that
// recursive schemas are finite.

// Schemas that apply to the same value, in a fixed order; an empty list allows any value.
using Conjunction = std::vector<const JsonValue*>;

constexpr uint32_t kNoBound = UINT32_MAX;

// Adds a schema unless it is `true`, which allows any value.
void add_schema(Conjunction& schemas, const JsonValue* schema);
Conjunction joined(const Conjunction& a, const Conjunction& b);

struct NumberShape {
  std::optional<CharDfa> language;  // Empty: all numbers.
  bool integral = false;
};

struct StringShape {
  std::optional<CharDfa> language;   // Empty: all strings.
  std::string source;                // The pattern or format that alone defines the language, if there is one.
  uint32_t min = 0, max = kNoBound;  // In code points.
};

struct ArrayShape {
  std::vector<Conjunction> prefix;
  std::optional<Conjunction> rest = Conjunction{};  // Empty: no items after the prefix.
  uint32_t min = 0, max = kNoBound;
  bool unique = false;
  bool has_min = false;
};

struct ObjectShape {
  struct Property {
    std::string name;
    Conjunction schemas;
    bool required = false;
  };
  struct Pattern {
    std::shared_ptr<const CharDfa> names;
    Conjunction schemas;
  };
  std::vector<Property> properties;
  bool lists_properties = false;  // `properties` was written, possibly as an empty object.
  std::vector<Pattern> patterns;
  std::optional<Conjunction> additional = Conjunction{};  // Empty: no other members.
  // Whether `additional` was written, as opposed to the default of JSON Schema.
  bool additional_written = false;
  std::optional<CharDfa> names;
  uint32_t min = 0, max = kNoBound;

  // Null if the property is not listed.
  const Property* find(const std::string& name) const;
};

struct Shape {
  bool null = false, yes = false, no = false;
  std::optional<NumberShape> number;
  std::optional<StringShape> string;
  std::optional<ArrayShape> array;
  std::optional<ObjectShape> object;
  // Whether a type, an enumeration or a constant was written; and the types that other keywords were written for.
  bool typed = false;
  bool about_number = false, about_string = false, about_array = false, about_object = false;

  static Shape any();
  bool empty() const { return !(null || yes || no || number || string || array || object); }
};

// A value matches any of these. An empty list: no value.
using Shapes = std::vector<Shape>;

// One schema document, and what its schemas allow. Throws ERR_GRAMMAR_INVALID, with the place in the schema, for a
// schema that is invalid, exceeds the limits, or uses a keyword that cannot be enforced.
class SchemaDocument {
 public:
  SchemaDocument(std::string_view text, GrammarBudget& budget);

  const JsonValue& root() const { return root_; }
  Shapes shapes(const Conjunction& schemas) { return shapes(schemas, 0); }
  // The schemas for the value of a member that the object shape does not list; empty if the member is forbidden.
  static std::optional<Conjunction> schemas_of_member(const ObjectShape& object, const std::string& name);
  [[noreturn]] void refuse(const JsonValue* schema, const std::string& keyword, const std::string& reason) const;
  // Rejects the schema that was examined last.
  [[noreturn]] void refuse_last(const std::string& keyword, const std::string& reason) const {
    refuse(last_, keyword, reason);
  }

 private:
  Shapes shapes(const Conjunction& schemas, int depth);
  Shapes shapes(const JsonValue& schema, int depth);
  Shapes intersect(const Shapes& a, const Shapes& b);
  Shape intersect(const Shape& a, const Shape& b);
  void intersect(ObjectShape& object, const ObjectShape& other);
  Shape complement(const Shape& shape);
  Shapes exactly_one(const JsonValue& schema, const JsonValue& branches, int depth);
  // Whether no value of `a` is a value of `b`, as far as this can be determined.
  bool excluded(const Shape& a, const Shape& b, int depth);
  bool excluded(const ObjectShape& a, const ObjectShape& b, int depth);

  Shapes values(const JsonValue& schema, const std::string& keyword, const std::vector<const JsonValue*>& constants);
  void read_types(const JsonValue& schema, Shape& shape);
  void read_number(const JsonValue& schema, NumberShape& number);
  void read_string(const JsonValue& schema, StringShape& string);
  void read_array(const JsonValue& schema, ArrayShape& array);
  void read_object(const JsonValue& schema, ObjectShape& object, int depth);
  uint32_t read_count(const JsonValue& schema, const char* keyword, uint32_t otherwise);
  Conjunction schema_at(const JsonValue& schema, const std::string& keyword, const JsonValue& value);
  const JsonValue& resolve(const JsonValue& schema, const std::string& reference);
  const JsonValue* keep(JsonValue value);

  const CharDfa& decimals(const NumberShape& number) const;
  CharDfa texts(const StringShape& string);

  JsonValue root_;
  GrammarBudget& budget_;
  std::deque<JsonValue> made_;
  const JsonValue* last_ = nullptr;
};
