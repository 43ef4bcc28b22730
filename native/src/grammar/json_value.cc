#include "grammar/json_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/coded_error.h"
#include "base/utf8.h"

namespace {

class Reader {
 public:
  Reader(std::string_view text, const JsonLimits& limits) : text_(text), limits_(limits) {}

  JsonValue read() {
    JsonValue value = read_value(0);
    skip_space();
    if (at_ < text_.size()) fail();
    return value;
  }

 private:
  [[noreturn]] void fail() const { throw CodedError("ERR_GRAMMAR_INVALID", "the JSON schema is not JSON"); }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }

  void expect(char wanted) {
    skip_space();
    if (peek() != wanted) fail();
    ++at_;
  }

  void expect_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) fail();
    at_ += word.size();
  }

  JsonValue read_value(size_t depth) {
    if (depth > limits_.depth) {
      throw CodedError("ERR_GRAMMAR_INVALID",
                       "a JSON schema may nest " + std::to_string(limits_.depth) + " levels deep");
    }
    if (++values_ > limits_.values) {
      throw CodedError("ERR_GRAMMAR_INVALID", "a JSON schema may hold " + std::to_string(limits_.values) + " values");
    }
    skip_space();
    JsonValue value;
    switch (peek()) {
      case 'n': expect_word("null"); break;
      case 't':
        expect_word("true");
        value.type = JsonValue::Type::kBoolean;
        value.boolean = true;
        break;
      case 'f':
        expect_word("false");
        value.type = JsonValue::Type::kBoolean;
        break;
      case '"':
        value.type = JsonValue::Type::kString;
        value.text = read_string();
        break;
      case '[': read_array(value, depth); break;
      case '{': read_object(value, depth); break;
      default: read_number(value);
    }
    return value;
  }

  void read_array(JsonValue& value, size_t depth) {
    value.type = JsonValue::Type::kArray;
    ++at_;
    skip_space();
    if (peek() == ']') {
      ++at_;
      return;
    }
    while (true) {
      value.items.push_back(read_value(depth + 1));
      skip_space();
      if (peek() == ',') ++at_;
      else break;
    }
    expect(']');
  }

  void read_object(JsonValue& value, size_t depth) {
    value.type = JsonValue::Type::kObject;
    ++at_;
    skip_space();
    if (peek() == '}') {
      ++at_;
      return;
    }
    while (true) {
      skip_space();
      if (peek() != '"') fail();
      std::string name = read_string();
      expect(':');
      value.members.push_back({std::move(name), read_value(depth + 1)});
      skip_space();
      if (peek() == ',') ++at_;
      else break;
    }
    expect('}');
  }

  void read_number(JsonValue& value) {
    const size_t begin = at_;
    const auto digits = [&] {
      const size_t first = at_;
      while (peek() >= '0' && peek() <= '9') ++at_;
      if (at_ == first) fail();
    };
    if (peek() == '-') ++at_;
    if (peek() == '0') ++at_;
    else digits();
    if (peek() == '.') {
      ++at_;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      digits();
    }
    value.type = JsonValue::Type::kNumber;
    value.text = std::string(text_.substr(begin, at_ - begin));
    value.number = std::strtod(value.text.c_str(), nullptr);
    if (!std::isfinite(value.number)) fail();
  }

  uint32_t read_hex4() {
    if (at_ + 4 > text_.size()) fail();
    uint32_t unit = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + at_ + 4, unit, 16);
    if (error != std::errc() || end != text_.data() + at_ + 4) fail();
    at_ += 4;
    return unit;
  }

  std::string read_string() {
    std::string result;
    ++at_;
    while (true) {
      if (at_ >= text_.size()) fail();
      const char character = text_[at_++];
      if (character == '"') return result;
      if (static_cast<unsigned char>(character) < 0x20) fail();
      if (character != '\\') {
        result += character;
        continue;
      }
      const char escaped = peek();
      ++at_;
      switch (escaped) {
        case '"':
        case '\\':
        case '/': result += escaped; break;
        case 'b': result += '\b'; break;
        case 'f': result += '\f'; break;
        case 'n': result += '\n'; break;
        case 'r': result += '\r'; break;
        case 't': result += '\t'; break;
        case 'u': {
          uint32_t unit = read_hex4();
          if (unit >= 0xD800 && unit < 0xE000) {
            // An unpaired surrogate is not a character.
            if (unit >= 0xDC00 || text_.substr(at_, 2) != "\\u") fail();
            at_ += 2;
            const uint32_t low = read_hex4();
            if (low < 0xDC00 || low >= 0xE000) fail();
            unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
          }
          append_utf8(result, unit);
          break;
        }
        default: fail();
      }
    }
  }

  std::string_view text_;
  const JsonLimits& limits_;
  size_t at_ = 0;
  size_t values_ = 0;
};

}  // namespace

bool JsonValue::is_integer() const { return is_number() && std::trunc(number) == number; }

const JsonValue* JsonValue::find(std::string_view name) const {
  for (auto member = members.rbegin(); member != members.rend(); ++member) {
    if (member->name == name) return &member->value;
  }
  return nullptr;
}

JsonValue parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes) {
    throw CodedError("ERR_GRAMMAR_INVALID", "a JSON schema may have " + std::to_string(limits.bytes) + " bytes");
  }
  return Reader(text, limits).read();
}

bool json_equal(const JsonValue& a, const JsonValue& b) {
  if (a.type != b.type) return false;
  switch (a.type) {
    case JsonValue::Type::kNull: return true;
    case JsonValue::Type::kBoolean: return a.boolean == b.boolean;
    case JsonValue::Type::kNumber: return a.number == b.number;
    case JsonValue::Type::kString: return a.text == b.text;
    case JsonValue::Type::kArray:
      return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), json_equal);
    case JsonValue::Type::kObject: break;
  }
  return a.members.size() == b.members.size() &&
         std::all_of(a.members.begin(), a.members.end(), [&](const auto& member) {
           const JsonValue* other = b.find(member.name);
           return other != nullptr && json_equal(member.value, *other);
         });
}

std::string json_quote(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    switch (character) {
      case '"': quoted += "\\\""; break;
      case '\\': quoted += "\\\\"; break;
      case '\b': quoted += "\\b"; break;
      case '\f': quoted += "\\f"; break;
      case '\n': quoted += "\\n"; break;
      case '\r': quoted += "\\r"; break;
      case '\t': quoted += "\\t"; break;
      default:
        if (byte < 0x20) {
          quoted += "\\u00";
          quoted += kHex[byte >> 4];
          quoted += kHex[byte & 15];
        } else {
          quoted += character;
        }
    }
  }
  return quoted + '"';
}
