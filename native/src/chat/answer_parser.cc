#include "chat/answer_parser.h"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <stdexcept>

#include "base/exported.h"
#include "chat-peg-parser.h"
#include "json.h"

namespace {

using Builder = common_chat_peg_builder;

// Records what llama.cpp's parser did at the end of its input.
class Frontier {
 public:
  Frontier() { current = this; }
  ~Frontier() { current = nullptr; }
  Frontier(const Frontier&) = delete;
  Frontier& operator=(const Frontier&) = delete;

  static thread_local Frontier* current;

  // Parsers return from the inside out, and a parser that needs more input ends all parsers around it, so the first one
  // recorded is the innermost.
  void add(const common_peg_parser_variant& parser, const common_peg_parse_result& result, size_t input_end) {
    if (result.need_more_input()) {
      if (!is_reached_) last_ = result.end == input_end ? &parser : nullptr;
      is_reached_ = true;
    } else if (result.success()) {
      ended_early_ |= depends_on_end(parser, result, input_end);
    }
  }

  // The parser of the text at the end of the input, provided that every other parser would behave the same with more
  // input.
  const common_peg_parser_variant* last() const { return ended_early_ ? nullptr : last_; }

 private:
  // Whether a successful parser might have behaved differently if the input had continued.
  static bool depends_on_end(const common_peg_parser_variant& parser, const common_peg_parse_result& result,
                             size_t input_end) {
    if (const auto* until = std::get_if<common_peg_until_parser>(&parser)) {
      size_t longest = 0;
      for (const std::string& delimiter : until->delimiters) longest = std::max(longest, delimiter.size());
      return input_end - result.end < longest;
    }
    const bool is_greedy = std::holds_alternative<common_peg_space_parser>(parser) ||
                           std::holds_alternative<common_peg_chars_parser>(parser) ||
                           std::holds_alternative<common_peg_repetition_parser>(parser) ||
                           std::holds_alternative<common_peg_end_parser>(parser);
    return is_greedy && result.end == input_end;
  }

  const common_peg_parser_variant* last_ = nullptr;
  bool is_reached_ = false;
  bool ended_early_ = false;
};

thread_local Frontier* Frontier::current = nullptr;

// Whether the answer spells arguments as JSON; the other formats use a notation of their own.
bool is_json(common_chat_format format) {
  return format != COMMON_CHAT_FORMAT_PEG_GEMMA4 && format != COMMON_CHAT_FORMAT_PEG_MINIMAX_M3;
}

std::unique_ptr<common_chat_peg_mapper> make_mapper(common_chat_format format, common_chat_msg& message) {
  switch (format) {
    case COMMON_CHAT_FORMAT_PEG_GEMMA4: return std::make_unique<common_chat_peg_gemma4_mapper>(message);
    case COMMON_CHAT_FORMAT_PEG_MINIMAX_M3: return std::make_unique<common_chat_peg_minimax_m3_mapper>(message);
    default: return std::make_unique<common_chat_peg_mapper>(message);
  }
}

std::string escaped(std::string_view text) {
  const std::string quoted = common_json(std::string(text)).dump();
  return quoted.substr(1, quoted.size() - 2);
}

// The field that receives the text at the end of the input, if the message ends with that text.
std::optional<GrowingField::Kind> last_field(const common_peg_ast_arena& nodes, const common_peg_parse_result& result,
                                             const ParsedAnswer& answer, common_chat_format format) {
  using Kind = GrowingField::Kind;
  const common_chat_msg& message = answer.message;
  const auto if_last = [](Kind kind, const std::string& field, std::string_view text) {
    return !text.empty() && field.ends_with(text) ? std::optional(kind) : std::nullopt;
  };
  const common_peg_ast_node* arguments = nullptr;
  for (const std::vector<common_peg_ast_id>* ids = &result.nodes; !ids->empty();) {
    const common_peg_ast_node& node = nodes.get(ids->back());
    if (!node.is_partial || node.end != result.end) return std::nullopt;
    if (node.tag == Builder::CONTENT) return if_last(Kind::kContent, message.content, node.text);
    if (node.tag == Builder::REASONING) return if_last(Kind::kReasoning, message.reasoning_content, node.text);
    if (node.tag == Builder::TOOL_ARGS) arguments = &node;
    if (node.tag == Builder::TOOL_ARG_STRING_VALUE || node.rule == "gemma4-string-content") {
      if (message.tool_calls.empty() || (is_json(format) && arguments && arguments->text.starts_with('{'))) break;
      return if_last(Kind::kArgumentString, message.tool_calls.back().arguments, escaped(node.text));
    }
    if (node.tag == Builder::TOOL_ARG_VALUE) return std::nullopt;
    ids = &node.children;
  }
  // Formats with JSON arguments take them verbatim, without trailing white space.
  const bool is_verbatim = is_json(format) && arguments && arguments->text.starts_with('{') &&
                           !message.tool_calls.empty() && message.tool_calls.back().arguments == arguments->text;
  return is_verbatim ? std::optional(Kind::kArguments) : std::nullopt;
}

std::optional<GrowingField> growing_field(const common_peg_parser_variant* frontier, GrowingField::Kind kind) {
  if (frontier == nullptr) return std::nullopt;
  if (const auto* until = std::get_if<common_peg_until_parser>(frontier)) {
    if (kind == GrowingField::Kind::kArguments) return std::nullopt;
    return GrowingField{kind, until->delimiters};
  }
  if (const auto* string = std::get_if<common_peg_string_parser>(frontier)) {
    if (kind == GrowingField::Kind::kArgumentString) return std::nullopt;
    return string->delimiter == '"' ? std::optional(GrowingField{kind, {}, true}) : std::nullopt;
  }
  return std::nullopt;
}

bool is_space(char byte) { return std::isspace(static_cast<unsigned char>(byte)) != 0; }

GrowingField::Extent text_extent(std::string_view text, const std::vector<std::string>& delimiters) {
  for (size_t at = 0; at < text.size(); ++at) {
    for (const std::string& delimiter : delimiters) {
      const size_t length = std::min(delimiter.size(), text.size() - at);
      if (text.compare(at, length, delimiter, 0, length) == 0) return {at, length == delimiter.size()};
    }
  }
  return {text.size(), false};
}

GrowingField::Extent string_extent(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') return {at, true};
    if (text[at] != '\\') continue;
    if (at + 1 == text.size()) return {at, false};
    // The parser validates hexadecimal digits.
    if (std::string_view("\"\\/bfnrt").find(text[at + 1]) == std::string_view::npos) return {at, true};
    ++at;
  }
  return {text.size(), false};
}

const common_peg_arena& plain_format() {
  static const common_peg_arena plain = build_chat_peg_parser([](Builder& p) { return p.content(p.rest()) + p.end(); });
  return plain;
}

}  // namespace

GrowingField::Extent GrowingField::extent(std::string_view more) const {
  Extent extent = is_json_string ? string_extent(more) : text_extent(more, delimiters);
  // White space after arguments is not part of them until something follows it.
  while (kind == Kind::kArguments && extent.certain > 0 && is_space(more[extent.certain - 1])) --extent.certain;
  return extent;
}

std::string GrowingField::spelled(std::string_view text) const {
  return kind == Kind::kArgumentString ? escaped(text) : std::string(text);
}

ParsedAnswer parse_answer(const std::string& text, bool partial, const common_chat_parser_params& format) {
  const common_peg_arena& parser = format.parser.empty() ? plain_format() : format.parser;
  common_peg_parse_context context(format.generation_prompt + text, COMMON_PEG_PARSE_FLAG_LENIENT);
  const Frontier frontier;
  const common_peg_parse_result result = parser.parse(context);
  if (result.fail() && !(partial && result.end > 0)) throw std::runtime_error("the answer does not match its format");
  ParsedAnswer answer;
  answer.message.role = "assistant";
  make_mapper(format.format, answer.message)->from_ast(context.ast, result);
  if (!partial || !result.need_more_input()) return answer;
  const auto kind = last_field(context.ast, result, answer, format.format);
  if (kind) answer.growing = growing_field(frontier.last(), *kind);
  return answer;
}

EXPORTED common_peg_parse_result common_peg_arena::parse(common_peg_parser_id id, common_peg_parse_context& ctx,
                                                         size_t start) const {
  // libllama-common's own function, which the addon's function of this name hides.
  using Parse =
      common_peg_parse_result (*)(const common_peg_arena*, common_peg_parser_id, common_peg_parse_context&, size_t);
  static const auto parse =
      reinterpret_cast<Parse>(dlsym(RTLD_NEXT, "_ZNK16common_peg_arena5parseEmR24common_peg_parse_contextm"));
  common_peg_parse_result result = parse(this, id, ctx, start);
  if (Frontier::current != nullptr) Frontier::current->add(get(id), result, ctx.input.size());
  return result;
}
