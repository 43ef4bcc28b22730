#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

struct JsonMember;

// A JSON document as a tree, for schemas that callers send. A document beyond the limits is rejected while it is
// parsed, before its tree takes memory.
struct JsonValue {
  enum class Type { kNull, kBoolean, kNumber, kString, kArray, kObject };

  Type type = Type::kNull;
  bool boolean = false;
  // As JavaScript parses it; `text` holds the original spelling.
  double number = 0;
  std::string text;
  std::vector<JsonValue> items;
  std::vector<JsonMember> members;

  bool is_object() const { return type == Type::kObject; }
  bool is_array() const { return type == Type::kArray; }
  bool is_string() const { return type == Type::kString; }
  bool is_number() const { return type == Type::kNumber; }
  bool is_boolean() const { return type == Type::kBoolean; }
  bool is_null() const { return type == Type::kNull; }
  // Whether the number has no fraction, in any spelling: 1, 1.0 and 1e2.
  bool is_integer() const;

  // Null if the object has no such member. The last one counts if a name is repeated, as in JavaScript.
  const JsonValue* find(std::string_view name) const;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

struct JsonLimits {
  size_t bytes = 0;
  size_t values = 0;
  size_t depth = 0;
};

// Throws ERR_GRAMMAR_INVALID for text that is not JSON or exceeds the limits.
JsonValue parse_json(std::string_view text, const JsonLimits& limits);

// Whether two values are equal in JSON Schema: 1 equals 1.0, and the order of members does not matter.
bool json_equal(const JsonValue& a, const JsonValue& b);

// The JSON string literal of `text`, including quotes, as JSON.stringify writes it.
std::string json_quote(std::string_view text);
