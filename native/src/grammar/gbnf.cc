#include "grammar/gbnf.h"

#include <map>
#include <string>

#include "base/coded_error.h"

namespace {

constexpr int kDepthMax = 200;
constexpr uint32_t kRepetitionMax = 2'000;
constexpr uint32_t kUnbounded = UINT32_MAX;

class Parser {
 public:
  Parser(std::string_view text, GrammarBuilder& builder,
         const std::function<std::optional<uint32_t>(std::string_view)>& outside)
      : text_(text), builder_(builder), outside_(outside) {}

  uint32_t parse() {
    skip_space(true);
    while (at_ < text_.size()) {
      const std::string name = parse_name();
      skip_space(false);
      if (!take("::=")) fail();
      skip_space(true);
      Named& rule = named(name);
      if (rule.defined) fail();
      rule.defined = true;
      const uint32_t start = builder_.start(rule.index), end = builder_.add_state();
      builder_.accept(end);
      parse_choice(start, end, 0, false);
      skip_space(true);
    }
    for (const auto& [name, rule] : rules_) {
      if (!rule.defined) fail();
    }
    const auto root = rules_.find("root");
    if (root == rules_.end()) fail();
    return root->second.index;
  }

 private:
  struct Named {
    uint32_t index;
    bool defined;
  };

  [[noreturn]] static void fail() {
    throw CodedError("ERR_GRAMMAR_INVALID", "the chat template's grammar cannot be read");
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(std::string_view wanted) {
    if (text_.substr(at_, wanted.size()) != wanted) return false;
    at_ += wanted.size();
    return true;
  }

  void skip_space(bool lines) {
    while (at_ < text_.size()) {
      const char character = text_[at_];
      if (character == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (character == ' ' || character == '\t' || (lines && (character == '\n' || character == '\r'))) {
        ++at_;
      } else {
        return;
      }
    }
  }

  static bool is_name(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') || character == '-' || character == '_';
  }

  std::string parse_name() {
    const size_t begin = at_;
    while (is_name(peek())) ++at_;
    if (at_ == begin) fail();
    return std::string(text_.substr(begin, at_ - begin));
  }

  Named& named(const std::string& name) {
    const auto found = rules_.find(name);
    if (found != rules_.end()) return found->second;
    const std::optional<uint32_t> known = outside_(name);
    return rules_[name] = known ? Named{*known, true} : Named{builder_.add_rule(), false};
  }

  void parse_choice(uint32_t from, uint32_t to, int depth, bool lines) {
    if (depth > kDepthMax) fail();
    do {
      skip_space(true);
      parse_sequence(from, to, depth, lines);
      skip_space(lines);
    } while (take("|"));
  }

  // Adds the texts of a sequence between `from` and `to`. A repetition is parsed again for each copy.
  void parse_sequence(uint32_t from, uint32_t to, int depth, bool lines) {
    uint32_t state = builder_.add_state();
    builder_.add_empty(from, state);
    while (true) {
      skip_space(lines);
      const char next = peek();
      if (next == '\0' || next == '|' || next == ')' || next == '\n' || next == '\r') break;
      const size_t begin = at_;
      uint32_t end = builder_.add_state();
      parse_term(state, end, depth);
      const size_t behind = at_;
      uint32_t min = 1, max = 1;
      if (take("*")) min = 0, max = kUnbounded;
      else if (take("+")) max = kUnbounded;
      else if (take("?")) min = 0;
      else if (peek() == '{') parse_counts(min, max);
      if (min != 1 || max != 1) {
        const size_t rest = at_;
        end = repeat(state, begin, behind, min, max, depth);
        at_ = rest;
      }
      state = end;
    }
    builder_.add_empty(state, to);
  }

  // The first copy already leads from `from` to a new state, which is unused here.
  uint32_t repeat(uint32_t before, size_t begin, size_t behind, uint32_t min, uint32_t max, int depth) {
    const auto copy = [&](uint32_t from, uint32_t to) {
      at_ = begin;
      parse_term(from, to, depth);
      if (at_ != behind) fail();
    };
    uint32_t state = builder_.add_state();
    builder_.add_empty(before, state);
    for (uint32_t count = 0; count < min; ++count) {
      const uint32_t next = builder_.add_state();
      copy(state, next);
      state = next;
    }
    const uint32_t end = builder_.add_state();
    builder_.add_empty(state, end);
    if (max == kUnbounded) {
      const uint32_t loop = builder_.add_state();
      builder_.add_empty(state, loop);
      copy(loop, loop);
      builder_.add_empty(loop, end);
      return end;
    }
    for (uint32_t count = min; count < max; ++count) {
      const uint32_t next = builder_.add_state();
      copy(state, next);
      builder_.add_empty(next, end);
      state = next;
    }
    return end;
  }

  void parse_counts(uint32_t& min, uint32_t& max) {
    ++at_;
    min = parse_count();
    skip_space(false);
    max = min;
    if (take(",")) {
      skip_space(false);
      max = peek() == '}' ? kUnbounded : parse_count();
    }
    skip_space(false);
    if (!take("}") || max < min) fail();
  }

  uint32_t parse_count() {
    uint32_t count = 0;
    const size_t begin = at_;
    for (; peek() >= '0' && peek() <= '9'; ++at_) {
      count = count * 10 + static_cast<uint32_t>(peek() - '0');
      if (count > kRepetitionMax) fail();
    }
    if (at_ == begin) fail();
    return count;
  }

  void parse_term(uint32_t from, uint32_t to, int depth) {
    if (take("\"")) {
      while (!take("\"")) {
        if (at_ >= text_.size()) fail();
        const uint32_t next = builder_.add_state();
        builder_.add_character(from, CharSet::one(parse_character()), next, GrammarBuilder::Spelling::kPlain);
        from = next;
      }
      builder_.add_empty(from, to);
    } else if (take("[")) {
      builder_.add_character(from, parse_class(), to, GrammarBuilder::Spelling::kPlain);
    } else if (take(".")) {
      builder_.add_character(from, CharSet::all(), to, GrammarBuilder::Spelling::kPlain);
    } else if (take("(")) {
      parse_choice(from, to, depth + 1, true);
      skip_space(true);
      if (!take(")")) fail();
    } else {
      builder_.add_call(from, named(parse_name()).index, to);
    }
  }

  CharSet parse_class() {
    const bool negated = take("^");
    CharSet set;
    while (!take("]")) {
      if (at_ >= text_.size()) fail();
      const uint32_t low = parse_character();
      if (peek() == '-' && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
        ++at_;
        set.add(low, parse_character());
      } else {
        set.add(low, low);
      }
    }
    return negated ? set.complement() : set;
  }

  uint32_t parse_character() {
    if (take("\\")) {
      const char escaped = peek();
      ++at_;
      switch (escaped) {
        case 'n': return '\n';
        case 'r': return '\r';
        case 't': return '\t';
        case 'x': return parse_hex(2);
        case 'u': return parse_hex(4);
        case 'U': return parse_hex(8);
        case '\0': fail();
        default: return static_cast<unsigned char>(escaped);
      }
    }
    const size_t length = [&] {
      const auto byte = static_cast<unsigned char>(peek());
      return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    }();
    const std::vector<uint32_t> codes = decode_utf8(text_.substr(at_, length));
    if (codes.size() != 1) fail();
    at_ += length;
    return codes[0];
  }

  uint32_t parse_hex(int digits) {
    uint32_t value = 0;
    for (; digits > 0; --digits, ++at_) {
      const char digit = peek(), letter = static_cast<char>(digit | 0x20);
      if (digit >= '0' && digit <= '9') value = value * 16 + static_cast<uint32_t>(digit - '0');
      else if (letter >= 'a' && letter <= 'f') value = value * 16 + static_cast<uint32_t>(letter - 'a' + 10);
      else fail();
    }
    if (value > kCodePointMax) fail();
    return value;
  }

  std::string_view text_;
  size_t at_ = 0;
  GrammarBuilder& builder_;
  const std::function<std::optional<uint32_t>(std::string_view)>& outside_;
  std::map<std::string, Named> rules_;
};

}  // namespace

uint32_t add_gbnf(std::string_view text, GrammarBuilder& builder,
                  const std::function<std::optional<uint32_t>(std::string_view)>& outside) {
  return Parser(text, builder, outside).parse();
}
