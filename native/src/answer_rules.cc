#include "answer_rules.h"

#include <algorithm>
#include <cctype>

#include "coded_error.h"
#include "gbnf.h"
#include "regex.h"

namespace {

std::string trimmed(std::string text) {
  const auto is_text = [](unsigned char character) { return !std::isspace(character); };
  text.erase(text.begin(), std::find_if(text.begin(), text.end(), is_text));
  text.erase(std::find_if(text.rbegin(), text.rend(), is_text).base(), text.end());
  return text;
}

// A pattern that matches the text itself.
std::string escaped(const std::string& text) {
  std::string pattern;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte < 0x80 && !std::isalnum(byte)) pattern += '\\';
    pattern += character;
  }
  return pattern;
}

// What stands before the content where a template asks for it: some name the receiver first.
std::string content_prefix(const common_chat_parser_params& reading) {
  const std::string content = "{\"a\":1}";
  for (const std::string prefix : {"", "all\n"}) {
    try {
      if (common_chat_parse(prefix + content, false, reading).content == content) return prefix;
    } catch (const std::exception&) {
      // Not with this prefix.
    }
  }
  throw CodedError("ERR_GRAMMAR_INVALID", "this model's chat template has no place for a response format");
}

}  // namespace

AnswerRules::Answer AnswerRules::finish(const common_chat_params& chat, const Request& request, const common_chat_parser_params& reading) {
  GrammarBuilder& builder = schemas_.builder();
  const uint32_t start = builder.start(GrammarRules::kRoot), end = builder.add_state();
  builder.accept(end);
  Answer answer{nullptr, false, "", {}};
  if (!schema_ || (request.tools && request.required) || (!request.tools && !request.plain && !chat.grammar.empty())) {
    add_template(chat, start, end);
    answer.lazy = chat.grammar_lazy;
    answer.opening = chat.generation_prompt;
  } else {
    uint32_t content = start;
    if (!request.plain) content = add_reasoning(chat, start, answer);
    // A lazy grammar begins with the words that trigger it, so that it can stand as one of two beginnings.
    if (request.tools && !chat.grammar.empty()) {
      const bool by_words = chat.grammar_lazy && std::all_of(chat.grammar_triggers.begin(), chat.grammar_triggers.end(), [](const auto& trigger) {
        return trigger.type == COMMON_GRAMMAR_TRIGGER_TYPE_WORD || trigger.type == COMMON_GRAMMAR_TRIGGER_TYPE_TOKEN;
      });
      if (!by_words) {
        throw CodedError("ERR_GRAMMAR_INVALID", "this model's chat template takes tools or a response format, not both: set tool_choice to \"none\" or leave out response_format");
      }
      add_template(chat, content, end);
    }
    if (!request.plain) content = builder.add_literal(content, content_prefix(reading));
    builder.add_call(content, *schema_, end);
  }
  schemas_.rules().complete();
  answer.rules = builder.finish();
  return answer;
}

void AnswerRules::add_template(const common_chat_params& chat, uint32_t from, uint32_t to) {
  if (!schemas_.used) throw CodedError("ERR_GRAMMAR_INVALID", "the chat template made its grammar by itself");
  add_gbnf(chat.grammar, schemas_.builder(), from, to, [this](std::string_view name) { return schemas_.rule_named(name); });
}

uint32_t AnswerRules::add_reasoning(const common_chat_params& chat, uint32_t from, Answer& answer) {
  if (!chat.supports_thinking || chat.thinking_end_tags.empty()) return from;
  const std::string open = trimmed(chat.thinking_start_tag), close = trimmed(chat.thinking_end_tags.front());
  if (open.empty() || close.empty()) return from;
  GrammarBuilder& builder = schemas_.builder();
  answer.markers = {open, close};
  const size_t opened = chat.generation_prompt.rfind(open);
  const bool reasons = opened != std::string::npos && chat.generation_prompt.find(close, opened) == std::string::npos;
  const uint32_t content = builder.add_state(), thoughts = builder.add_state(), thought = builder.add_state(), closed = builder.add_state();
  if (reasons) {
    builder.add_empty(from, thoughts);
  } else {
    builder.add_call(from, schemas_.rules().space(), content);
    builder.add_literal(from, open, thoughts);
  }
  const CharDfa without_close = regex_language(escaped(close), builder.budget()).complement(builder.budget());
  builder.add_language(thoughts, without_close, thought, GrammarBuilder::Spelling::kPlain);
  builder.add_literal(thought, close, closed);
  const uint32_t line = builder.add_state();
  builder.add_call(closed, schemas_.rules().space(), line);
  builder.add_call(line, schemas_.rules().space(), content);
  return content;
}
