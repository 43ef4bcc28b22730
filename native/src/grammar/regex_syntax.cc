#include "grammar/regex_syntax.h"

#include <string>

#include "base/coded_error.h"
#include "grammar/char_dfa.h"

namespace {

constexpr size_t kCharactersMax = 4096;
constexpr int kDepthMax = 100;
constexpr uint32_t kRepetitionMax = 10'000;

[[noreturn]] void refuse(const std::string& reason) { throw CodedError("ERR_GRAMMAR_INVALID", reason); }

const CharSet& digits() {
  static const CharSet set{{'0', '9'}};
  return set;
}

const CharSet& word() {
  static const CharSet set{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
  return set;
}

const CharSet& space() {
  static const CharSet set{{9, 13},          {0x20, 0x20},     {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
                           {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
  return set;
}

const CharSet& line_ends() {
  static const CharSet set{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}};
  return set;
}

class Parser {
 public:
  explicit Parser(std::string_view pattern) : codes_(decode_utf8(pattern)) {
    if (codes_.size() > kCharactersMax) refuse("a pattern may have " + std::to_string(kCharactersMax) + " characters");
  }

  RegexNode parse() {
    RegexNode node = parse_choice(0);
    if (at_ < codes_.size()) refuse("the pattern is not a regular expression");
    return node;
  }

 private:
  bool done() const { return at_ >= codes_.size(); }
  uint32_t peek(size_t ahead = 0) const { return at_ + ahead < codes_.size() ? codes_[at_ + ahead] : 0; }
  bool take(uint32_t code) {
    if (done() || codes_[at_] != code) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view text) {
    for (size_t index = 0; index < text.size(); ++index) {
      if (at_ + index >= codes_.size() || codes_[at_ + index] != static_cast<unsigned char>(text[index])) return false;
    }
    at_ += text.size();
    return true;
  }
  [[noreturn]] static void fail() { refuse("the pattern is not a regular expression"); }

  RegexNode parse_choice(int depth) {
    if (depth > kDepthMax) refuse("a pattern may nest " + std::to_string(kDepthMax) + " groups");
    RegexNode choice{RegexNode::Kind::kChoice, {}, {}};
    do {
      choice.children.push_back(parse_sequence(depth));
    } while (take('|'));
    return choice.children.size() == 1 ? std::move(choice.children.front()) : choice;
  }

  RegexNode parse_sequence(int depth) {
    RegexNode sequence{RegexNode::Kind::kSequence, {}, {}};
    while (!done() && peek() != '|' && peek() != ')') sequence.children.push_back(parse_term(depth));
    return sequence;
  }

  static RegexNode set_of(CharSet set) { return {RegexNode::Kind::kSet, std::move(set), {}}; }

  RegexNode parse_term(int depth) {
    if (take('^')) return set_of(CharSet{{kTextStart, kTextStart}});
    if (take('$')) return set_of(CharSet{{kTextEnd, kTextEnd}});
    if (take("(?=") || take("(?!")) {
      const bool negative = codes_[at_ - 1] == '!';
      RegexNode look{negative ? RegexNode::Kind::kNotAhead : RegexNode::Kind::kAhead, {}, {}};
      look.children.push_back(parse_choice(depth + 1));
      if (!take(')')) fail();
      return look;
    }
    return parse_quantifier(parse_atom(depth));
  }

  RegexNode parse_quantifier(RegexNode atom) {
    uint32_t min = 0, max = kUnboundedRepeat;
    if (take('*')) {
    } else if (take('+')) {
      min = 1;
    } else if (take('?')) {
      max = 1;
    } else if (peek() == '{' && !done()) {
      ++at_;
      min = parse_count();
      max = !take(',') ? min : peek() == '}' ? kUnboundedRepeat : parse_count();
      if (!take('}')) fail();
      if (max < min) refuse("a repetition in a pattern has a maximum below its minimum");
    } else {
      return atom;
    }
    take('?');
    if (peek() == '*' || peek() == '+' || peek() == '?' || peek() == '{') fail();
    RegexNode repeat{RegexNode::Kind::kRepeat, {}, {}};
    repeat.min = min;
    repeat.max = max;
    repeat.children.push_back(std::move(atom));
    return repeat;
  }

  uint32_t parse_count() {
    uint32_t count = 0;
    const size_t first = at_;
    for (; peek() >= '0' && peek() <= '9'; ++at_) {
      count = count * 10 + (peek() - '0');
      if (count > kRepetitionMax) refuse("a pattern may repeat something " + std::to_string(kRepetitionMax) + " times");
    }
    if (at_ == first) fail();
    return count;
  }

  RegexNode parse_atom(int depth) {
    if (take('(')) {
      if (take("?<")) {
        if (peek() == '=' || peek() == '!') refuse("look-behind in a pattern is not supported");
        while (!done() && peek() != '>') ++at_;
        if (!take('>')) fail();
      } else if (!take("?:") && peek() == '?') {
        fail();
      }
      RegexNode group = parse_choice(depth + 1);
      if (!take(')')) fail();
      return group;
    }
    if (take('.')) return set_of(line_ends().complement());
    if (take('[')) return set_of(parse_class());
    if (take('\\')) {
      if (peek() == 'b' || peek() == 'B') refuse("word boundaries in a pattern are not supported");
      return set_of(parse_escape(false));
    }
    if (done() || peek() == '*' || peek() == '+' || peek() == '?' || peek() == '{' || peek() == '}' || peek() == ']') {
      // Most engines treat these brackets as characters if they are unpaired.
      if (!done() && (peek() == '}' || peek() == ']')) return set_of(CharSet::one(codes_[at_++]));
      fail();
    }
    return set_of(CharSet::one(codes_[at_++]));
  }

  CharSet parse_class() {
    const bool negated = take('^');
    CharSet set;
    while (!take(']')) {
      if (done()) fail();
      const CharSet low = parse_class_atom();
      if (peek() == '-' && peek(1) != ']' && at_ + 1 < codes_.size()) {
        ++at_;
        const CharSet high = parse_class_atom();
        const auto single = [](const CharSet& atom) {
          return atom.ranges().size() == 1 && atom.ranges()[0].low == atom.ranges()[0].high;
        };
        if (!single(low) || !single(high) || high.ranges()[0].low < low.ranges()[0].low) fail();
        set.add(low.ranges()[0].low, high.ranges()[0].low);
      } else {
        set.add(low);
      }
    }
    return negated ? set.complement() : set;
  }

  CharSet parse_class_atom() {
    if (done()) fail();
    if (take('\\')) return parse_escape(true);
    return CharSet::one(codes_[at_++]);
  }

  CharSet parse_escape(bool in_class) {
    if (done()) fail();
    const uint32_t code = codes_[at_++];
    switch (code) {
      case 'd': return digits();
      case 'D': return digits().complement();
      case 'w': return word();
      case 'W': return word().complement();
      case 's': return space();
      case 'S': return space().complement();
      case 't': return CharSet::one('\t');
      case 'n': return CharSet::one('\n');
      case 'r': return CharSet::one('\r');
      case 'v': return CharSet::one('\v');
      case 'f': return CharSet::one('\f');
      case 'c': {
        const uint32_t letter = peek() | 0x20;
        if (letter < 'a' || letter > 'z') fail();
        return CharSet::one(codes_[at_++] & 31);
      }
      case 'x': return CharSet::one(parse_hex(2));
      case 'u': return CharSet::one(parse_unicode());
      case 'b':
        if (in_class) return CharSet::one('\b');
        break;
      case 'p':
      case 'P': refuse("\\p in a pattern is not supported: list the characters");
      case 'k': refuse("back references in a pattern are not supported");
      default: break;
    }
    if (code == '0' && !(peek() >= '0' && peek() <= '9')) return CharSet::one(0);
    if (code >= '0' && code <= '9') refuse("back references in a pattern are not supported");
    if ((code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z')) fail();
    return CharSet::one(code);
  }

  uint32_t parse_hex(int count) {
    uint32_t value = 0;
    for (int index = 0; index < count; ++index, ++at_) {
      const uint32_t code = peek(), letter = code | 0x20;
      if (code >= '0' && code <= '9') value = value * 16 + (code - '0');
      else if (letter >= 'a' && letter <= 'f') value = value * 16 + (letter - 'a' + 10);
      else fail();
    }
    return value;
  }

  uint32_t parse_unicode() {
    if (take('{')) {
      uint32_t value = 0;
      size_t length = 0;
      for (; !take('}'); ++length) {
        if (length == 6) fail();
        value = value * 16 + parse_hex(1);
      }
      if (length == 0 || value > kCodePointMax) fail();
      return value;
    }
    const uint32_t unit = parse_hex(4);
    if (unit >= 0xD800 && unit < 0xDC00 && peek() == '\\' && peek(1) == 'u') {
      at_ += 2;
      const uint32_t low = parse_hex(4);
      if (low < 0xDC00 || low >= 0xE000) fail();
      return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    }
    return unit;
  }

  std::vector<uint32_t> codes_;
  size_t at_ = 0;
};

}  // namespace

RegexNode parse_regex(std::string_view pattern) { return Parser(pattern).parse(); }
