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

// What a JSON schema allows, type by type. Schemas below arrays and objects stay as they are written until they are
// needed, so that recursive schemas are finite.

// Schemas that all hold of one value, in a fixed order; none: any value.
using Conjunction = std::vector<const JsonValue*>;

constexpr uint32_t kNoBound = UINT32_MAX;

// Adds a schema, but for `true`, which any value satisfies.
void add_schema(Conjunction& schemas, const JsonValue* schema);
Conjunction joined(const Conjunction& a, const Conjunction& b);

struct NumberShape {
  std::optional<CharDfa> language;  // None: all.
  bool integral = false;
};

struct StringShape {
  std::optional<CharDfa> language;   // None: all.
  std::string source;                // The pattern or format that alone makes the language, if one does.
  uint32_t min = 0, max = kNoBound;  // Code points.
};

struct ArrayShape {
  std::vector<Conjunction> prefix;
  std::optional<Conjunction> rest = Conjunction{};  // None: nothing behind the prefix.
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
  bool lists_properties = false;  // `properties` was written, if only as an empty object.
  std::vector<Pattern> patterns;
  std::optional<Conjunction> additional = Conjunction{};  // None: no others.
  // Whether `additional` was written, rather than being the default of JSON Schema.
  bool additional_written = false;
  std::optional<CharDfa> names;
  uint32_t min = 0, max = kNoBound;

  // Null where it is not listed.
  const Property* find(const std::string& name) const;
};

struct Shape {
  bool null = false, yes = false, no = false;
  std::optional<NumberShape> number;
  std::optional<StringShape> string;
  std::optional<ArrayShape> array;
  std::optional<ObjectShape> object;
  // Whether a type, an enumeration or a constant was written; and for which types anything else was.
  bool typed = false;
  bool about_number = false, about_string = false, about_array = false, about_object = false;

  static Shape any();
  bool empty() const { return !(null || yes || no || number || string || array || object); }
};

// Any of these. None: no value.
using Shapes = std::vector<Shape>;

// One schema document, and what its schemas allow. Throws ERR_GRAMMAR_INVALID, with the place in the schema, for a
// schema that is invalid, that is beyond the limits, or that asks for what no answer can be held to.
class SchemaDocument {
 public:
  SchemaDocument(std::string_view text, GrammarBudget& budget);

  const JsonValue& root() const { return root_; }
  Shapes shapes(const Conjunction& schemas) { return shapes(schemas, 0); }
  // The schemas of the values of a member that an object shape does not list; nothing where it may not be there.
  static std::optional<Conjunction> schemas_of_member(const ObjectShape& object, const std::string& name);
  [[noreturn]] void refuse(const JsonValue* schema, const std::string& keyword, const std::string& reason) const;
  // Of the schema that was looked at last.
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
  // Whether no value made from `a` is a value of `b`, as far as can be told.
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
