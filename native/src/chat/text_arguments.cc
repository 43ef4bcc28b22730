#include "chat/text_arguments.h"

#include <dlfcn.h>

#include <variant>

#include "base/exported.h"
#include "chat-peg-parser.h"
#include "chat/control_text.h"

namespace {

using Builder = common_chat_peg_builder;

// libllama-common's own function, which the addon's function of this name hides.
void build_original(const common_peg_arena& arena, const common_grammar_builder& builder, bool lazy) {
  using Build = void (*)(const common_peg_arena*, const common_grammar_builder&, bool);
  static const auto build =
      reinterpret_cast<Build>(dlsym(RTLD_NEXT, "_ZNK16common_peg_arena13build_grammarERK22common_grammar_builderb"));
  build(&arena, builder, lazy);
}

std::vector<common_peg_parser_id> children(const common_peg_arena& arena, common_peg_parser_id id) {
  return std::visit(
      [&](const auto& parser) -> std::vector<common_peg_parser_id> {
        if constexpr (requires { parser.children; }) {
          return parser.children;
        } else if constexpr (requires { parser.child; }) {
          return {parser.child};
        } else if constexpr (std::is_same_v<std::decay_t<decltype(parser)>, common_peg_ref_parser>) {
          return {arena.get_rule(parser.name)};
        } else {
          return {};
        }
      },
      arena.get(id));
}

// Calls visit(id) for this parser and those inside, in order and each once, until it returns true.
template <typename Visit>
void visit_within(const common_peg_arena& arena, common_peg_parser_id id, const Visit& visit) {
  std::set<common_peg_parser_id> visited;
  std::vector<common_peg_parser_id> waiting{id};
  while (!waiting.empty()) {
    const common_peg_parser_id next = waiting.back();
    waiting.pop_back();
    if (!visited.insert(next).second) continue;
    if (visit(next)) return;
    const std::vector<common_peg_parser_id> inside = children(arena, next);
    waiting.insert(waiting.end(), inside.rbegin(), inside.rend());
  }
}

bool is_tag(const common_peg_parser_variant& parser, std::string_view tag) {
  const auto* tagged = std::get_if<common_peg_tag_parser>(&parser);
  return tagged != nullptr && tagged->tag == tag;
}

}  // namespace

void TextArguments::hold() {
  std::set<Id> visited;
  find_arguments(arena_.root(), visited);
  for (const auto& [id, argument] : arguments_) {
    if (argument.is_shared || !contains(id, Builder::TOOL_ARG_STRING_VALUE)) continue;
    const Id value = std::get<common_peg_tag_parser>(arena_.get(id)).child;
    const std::optional<std::string> grammar = spell(value, argument, TextForm::Others::kNone);
    if (grammar) arena_.get(id) = common_peg_gbnf_parser{value, "(" + *grammar + ")"};
  }
}

// Each tool's name precedes its arguments. Tools can share a parser of arguments, which is visited for each of them.
void TextArguments::find_arguments(Id id, std::set<Id>& visited) {
  const bool has_tools = contains(id, Builder::TOOL_NAME);
  if (!(has_tools ? visited : visited_in_tool_).insert(id).second) return;
  const common_peg_parser_variant& parser = arena_.get(id);
  if (is_tag(parser, Builder::TOOL_NAME)) {
    tool_ = name_in(id, Builder::TOOL_NAME).value_or("");
    visited_in_tool_.clear();
  } else if (is_tag(parser, Builder::TOOL_ARG)) {
    const Argument argument{tool_, name_in(id, Builder::TOOL_ARG_NAME).value_or("")};
    const auto [known, added] = arguments_.try_emplace(id, argument);
    if (!added && (known->second.tool != argument.tool || known->second.name != argument.name)) {
      known->second.is_shared = true;
    }
  } else {
    for (const Id child : children(arena_, id)) find_arguments(child, visited);
  }
}

// The literal within the first parser of this tag. Names come first in their parsers.
std::optional<std::string> TextArguments::name_in(Id id, std::string_view tag) const {
  std::optional<std::string> name;
  visit_within(arena_, id, [&](Id next) {
    if (!is_tag(arena_.get(next), tag)) return false;
    const common_peg_parser_variant& named = arena_.get(children(arena_, next).front());
    const auto* literal = std::get_if<common_peg_literal_parser>(&named);
    if (literal != nullptr) name = ControlText::without_marks(literal->literal);
    return true;
  });
  return name;
}

bool TextArguments::contains(Id id, const char* tag) {
  // Only rules of JSON, which have no tags, are recursive.
  const auto [known, added] = contains_.try_emplace({tag, id}, false);
  if (!added) return known->second;
  bool found = is_tag(arena_.get(id), tag);
  for (const Id child : children(arena_, id)) found = contains(child, tag) || found;
  return known->second = found;
}

std::optional<std::string> TextArguments::spell(Id id, const Argument& argument, TextForm::Others others) {
  const common_peg_parser_variant& parser = arena_.get(id);
  if (is_tag(parser, Builder::TOOL_ARG_STRING_VALUE)) {
    return spell_text(children(arena_, id).front(), argument, others);
  }
  if (is_tag(parser, Builder::TOOL_ARG)) return std::nullopt;  // An object, whose members are arguments.
  if (const auto* literal = std::get_if<common_peg_literal_parser>(&parser)) {
    return literal->literal.empty() ? "" : gbnf_format_literal(literal->literal);
  }
  if (const auto* until = std::get_if<common_peg_until_parser>(&parser)) return until_rule(id, until->delimiters);
  if (std::holds_alternative<common_peg_space_parser>(parser)) return "space";
  if (std::holds_alternative<common_peg_epsilon_parser>(parser)) return "";
  // A grammar cannot look ahead.
  if (std::holds_alternative<common_peg_and_parser>(parser) || std::holds_alternative<common_peg_not_parser>(parser)) {
    return "";
  }
  if (const auto* sequence = std::get_if<common_peg_sequence_parser>(&parser)) {
    return spell_each(sequence->children, " ", argument, others);
  }
  if (const auto* choice = std::get_if<common_peg_choice_parser>(&parser)) {
    return spell_each(choice->children, " | ", argument, others);
  }
  if (const auto* optional = std::get_if<common_peg_repetition_parser>(&parser)) {
    if (optional->min_count != 0 || optional->max_count != 1) return std::nullopt;
    const std::optional<std::string> inside = spell(optional->child, argument, others);
    return inside && !inside->empty() ? std::optional("(" + *inside + ")?") : inside;
  }
  if (const auto* gbnf = std::get_if<common_peg_gbnf_parser>(&parser)) return spell_choice(gbnf->child, argument);
  const bool is_wrapper = std::holds_alternative<common_peg_tag_parser>(parser) ||
                          std::holds_alternative<common_peg_atomic_parser>(parser) ||
                          std::holds_alternative<common_peg_ac_parser>(parser) ||
                          std::holds_alternative<common_peg_rule_parser>(parser) ||
                          std::holds_alternative<common_peg_ref_parser>(parser);
  return is_wrapper ? spell(children(arena_, id).front(), argument, others) : std::nullopt;
}

std::optional<std::string> TextArguments::spell_each(const std::vector<Id>& ids, const char* separator,
                                                     const Argument& argument, TextForm::Others others) {
  std::string spelled;
  for (const Id id : ids) {
    const std::optional<std::string> part = spell(id, argument, others);
    if (!part) return std::nullopt;
    if (part->empty()) continue;
    if (!spelled.empty()) spelled += separator;
    spelled.append("(").append(*part).append(")");
  }
  return spelled;
}

std::optional<std::string> TextArguments::spell_text(Id id, const Argument& argument, TextForm::Others others) {
  while (!std::holds_alternative<common_peg_until_parser>(arena_.get(id))) {
    const std::vector<Id> inside = children(arena_, id);
    if (inside.size() != 1) return std::nullopt;
    id = inside.front();
  }
  const std::vector<std::string>& ends = std::get<common_peg_until_parser>(arena_.get(id)).delimiters;
  if (ends.size() != 1 || ends.front().empty()) return std::nullopt;
  const std::optional<uint32_t> rule = schemas_.text_rule(
      argument.tool, argument.name, {.end = ControlText::without_marks(ends.front()), .others = others});
  return rule ? std::optional(SchemaCollector::name_of(*rule)) : std::nullopt;
}

// A value that the template reads as JSON if it can, and as a text otherwise. Its own grammar allows any text.
std::optional<std::string> TextArguments::spell_choice(Id id, const Argument& argument) {
  const auto* choice = std::get_if<common_peg_choice_parser>(&arena_.get(id));
  if (choice == nullptr) return std::nullopt;
  TextForm::Others others = TextForm::Others::kListed;
  std::optional<Id> text;
  for (const Id child : choice->children) {
    visit_within(arena_, child, [&](Id next) {
      const bool is_json = std::holds_alternative<common_peg_schema_parser>(arena_.get(next));
      if (is_json) others = TextForm::Others::kAll;
      return is_json;
    });
    if (contains(child, Builder::TOOL_ARG_STRING_VALUE)) text = child;
  }
  return text ? spell(*text, argument, others) : std::nullopt;
}

std::string TextArguments::until_rule(Id id, const std::vector<std::string>& delimiters) {
  const auto [known, added] = until_rules_.try_emplace(delimiters);
  if (!added) return known->second;
  common_grammar_builder part = builder_;
  part.add_rule = [&](const std::string& name, const std::string& text) {
    if (name != "root") return builder_.add_rule(name, text);
    known->second = text;
    return name;
  };
  const Id root = arena_.root();
  arena_.set_root(id);
  build_original(arena_, part, false);
  arena_.set_root(root);
  return known->second;
}

EXPORTED void common_peg_arena::build_grammar(const common_grammar_builder& builder, bool lazy) const {
  SchemaCollector* schemas = SchemaCollector::current();
  if (schemas == nullptr || !schemas->has_tools()) return build_original(*this, builder, lazy);
  common_peg_arena held = *this;
  TextArguments(held, builder, *schemas).hold();
  build_original(held, builder, lazy);
}
