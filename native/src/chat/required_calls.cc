#include "chat/required_calls.h"

#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "base/coded_error.h"

namespace {

// The tag of llama.cpp's parsers for the text that becomes the content of an answer.
constexpr std::string_view kContentTag = "content";
// The bodies of rules that match the empty text and no text.
const std::string kEmpty = "\"\"", kNothing = "[]";

[[noreturn]] void fail() {
  throw CodedError("ERR_GRAMMAR_INVALID",
                   "this model's chat template cannot require a tool call: set tool_choice to \"auto\"");
}

// Finds the rules of a grammar that spell content. llama.cpp names the rule of a text up to a marker after its parser.
class ContentRules {
 public:
  explicit ContentRules(const common_peg_arena& parser) : parser_(parser) {
    visit(parser.root(), {.rule = "", .is_part = false, .is_framed = false});
  }

  // The new body of each rule.
  const std::map<std::string, std::string>& bodies() const { return bodies_; }

 private:
  struct Place {
    std::string rule;  // The innermost named rule; empty in the root.
    bool is_part;      // Within a choice, a repetition or a rule, so that the answer can do without it.
    bool is_framed;    // Directly after a literal.
  };

  void visit(common_peg_parser_id id, const Place& place) {
    const common_peg_parser_variant& parser = parser_.get(id);
    if (const auto* tag = std::get_if<common_peg_tag_parser>(&parser)) {
      if (tag->tag == kContentTag) return remove(tag->child, place);
      visit(tag->child, place);
    } else if (const auto* sequence = std::get_if<common_peg_sequence_parser>(&parser)) {
      Place next = place;
      for (const common_peg_parser_id child : sequence->children) {
        visit(child, next);
        next.is_framed = is_literal(child);
      }
    } else if (const auto* choice = std::get_if<common_peg_choice_parser>(&parser)) {
      for (const common_peg_parser_id child : choice->children) visit(child, {place.rule, true, false});
    } else if (const auto* repetition = std::get_if<common_peg_repetition_parser>(&parser)) {
      visit(repetition->child, {place.rule, true, false});
    } else if (const auto* rule = std::get_if<common_peg_rule_parser>(&parser)) {
      if (rules_.insert(rule->name).second) visit(rule->child, {rule->name, true, false});
    } else if (const auto* reference = std::get_if<common_peg_ref_parser>(&parser)) {
      visit(parser_.get_rule(reference->name), place);
    } else if (const auto* atomic = std::get_if<common_peg_atomic_parser>(&parser)) {
      visit(atomic->child, place);
    }
  }

  bool is_literal(common_peg_parser_id id) const {
    const auto* literal = std::get_if<common_peg_literal_parser>(&parser_.get(id));
    return literal != nullptr && !literal->literal.empty();
  }

  // A message that frames its content is removed as a whole; content between other parts becomes empty.
  void remove(common_peg_parser_id content, const Place& place) {
    const bool is_message = place.is_part && place.is_framed;
    const auto* until = std::get_if<common_peg_until_parser>(&parser_.get(content));
    if (until != nullptr && !until->delimiters.empty()) {
      bodies_["until-" + std::to_string(content)] = is_message ? kNothing : kEmpty;
    } else if (is_message && !place.rule.empty()) {
      bodies_[place.rule] = kNothing;
    } else {
      fail();
    }
  }

  const common_peg_arena& parser_;
  std::set<std::string> rules_;
  std::map<std::string, std::string> bodies_;
};

// The parser takes white space after empty content for content.
std::string without_space_after(const std::string& name, std::string line) {
  const std::string spaced = name + " space ";
  for (size_t at = line.find(spaced); at != std::string::npos; at = line.find(spaced, at)) {
    line.replace(at, spaced.size(), name + " ");
  }
  return line;
}

}  // namespace

std::string without_content(const std::string& grammar, const common_peg_arena& parser) {
  if (grammar.empty() || parser.empty()) fail();
  const ContentRules rules(parser);
  constexpr std::string_view definition = " ::= ";
  std::string result;
  // Each line defines a rule, see build_grammar in schema_hooks.cc.
  for (size_t begin = 0; begin < grammar.size();) {
    const size_t end = std::min(grammar.find('\n', begin), grammar.size());
    std::string line = grammar.substr(begin, end - begin);
    const std::string name = line.substr(0, line.find(definition));
    const auto body = rules.bodies().find(name);
    if (body != rules.bodies().end()) line = name + std::string(definition) + body->second;
    for (const auto& rule : rules.bodies()) line = without_space_after(rule.first, std::move(line));
    result.append(line).append("\n");
    begin = end + 1;
  }
  return result;
}
