#include "answer_rules.h"

#include <algorithm>
#include <cctype>

#include "coded_error.h"
#include "gbnf.h"

namespace {

std::string trimmed(std::string text) {
  const auto is_text = [](unsigned char character) { return !std::isspace(character); };
  text.erase(text.begin(), std::find_if(text.begin(), text.end(), is_text));
  text.erase(std::find_if(text.rbegin(), text.rend(), is_text).base(), text.end());
  return text;
}

bool is_word(const common_grammar_trigger& trigger) {
  return trigger.type == COMMON_GRAMMAR_TRIGGER_TYPE_WORD || trigger.type == COMMON_GRAMMAR_TRIGGER_TYPE_TOKEN;
}

// What a template wants around the content.
struct ContentFrame {
  std::string before, after;
};

// Found by reading a trial answer in each of the known frames.
ContentFrame content_frame(const common_chat_params& chat, const common_chat_parser_params& reading) {
  const std::string content = "{\"a\":1}";
  const std::string thought = chat.thinking_end_tags.empty() ? "" : "x" + chat.thinking_end_tags.front() + "\n\n";
  for (const ContentFrame& frame : {ContentFrame{"", ""},
                                    {"all\n", ""},
                                    {"<|START_RESPONSE|>", "<|END_RESPONSE|>"},
                                    {"<|START_TEXT|>", "<|END_TEXT|>"},
                                    {" to=user<|message|>", ""}}) {
    for (const std::string& before : {std::string(), thought}) {
      try {
        const std::string answer = before + frame.before + content + frame.after;
        if (trimmed(common_chat_parse(answer, false, reading).content) == content) return frame;
      } catch (const std::exception&) {
        // It cannot be read like this.
      }
    }
  }
  throw CodedError("ERR_GRAMMAR_INVALID", "this model's chat template has no place for a response format");
}

}  // namespace

AnswerGrammar AnswerRules::finish(const common_chat_params& chat, const Request& request,
                                  const common_chat_parser_params& reading) {
  AnswerGrammar answer;
  std::vector<uint32_t> roots;
  const bool template_holds = !chat.grammar.empty() && (request.tools ? request.required : !request.plain);
  if (!schema_ || template_holds) {
    roots.push_back(add_template(chat));
    (chat.grammar_lazy ? answer.from_trigger : answer.from_start) = roots[0];
    if (!chat.grammar_lazy) answer.opening = chat.generation_prompt;
  } else {
    GrammarBuilder& builder = schemas_.builder();
    const uint32_t rule = builder.add_rule(), end = builder.add_state();
    const uint32_t first = builder.add_state(), content = builder.add_state();
    builder.accept(end);
    answer.from_start = rule;
    roots.push_back(rule);
    const ContentFrame frame = request.plain ? ContentFrame{} : content_frame(chat, reading);
    if (request.plain || !frame.before.empty()) {
      builder.add_empty(builder.start(rule), content);
    } else {
      builder.add_call(builder.start(rule), schemas_.rules().json().space(), first);
      builder.add_call(first, schemas_.rules().json().space(), content);
    }
    if (!request.plain) {
      if (!chat.thinking_start_tag.empty()) answer.markers.push_back(trimmed(chat.thinking_start_tag));
      if (!chat.thinking_end_tags.empty()) answer.markers.push_back(trimmed(chat.thinking_end_tags.front()));
      if (!answer.markers.empty() && !answer.markers.front().empty()) {
        builder.add_literal(content, answer.markers.front(), end);
      }
    }
    if (request.tools && !chat.grammar.empty()) {
      if (!chat.grammar_lazy || !std::all_of(chat.grammar_triggers.begin(), chat.grammar_triggers.end(), is_word)) {
        throw CodedError("ERR_GRAMMAR_INVALID",
                         "this model's chat template takes tools or a response format, not both: set tool_choice to "
                         "\"none\" or leave out response_format");
      }
      answer.from_trigger = roots.emplace_back(add_template(chat));
      // An answer that calls begins with a trigger, where the template's grammar takes over.
      for (const common_grammar_trigger& trigger : chat.grammar_triggers) {
        if (trigger.value.empty()) continue;
        builder.add_literal(content, trigger.value, end);
        answer.markers.push_back(trigger.value);
      }
    }
    const uint32_t behind = builder.add_state();
    builder.add_call(builder.add_literal(content, frame.before), *schema_, behind);
    builder.add_literal(behind, frame.after, end);
    for (const std::string& marker : {frame.before, frame.after}) {
      if (!marker.empty()) answer.markers.push_back(marker);
    }
  }
  schemas_.rules().complete();
  answer.rules = schemas_.builder().finish(roots);
  return answer;
}

uint32_t AnswerRules::add_template(const common_chat_params& chat) {
  if (!schemas_.used) throw CodedError("ERR_GRAMMAR_INVALID", "the chat template made its grammar by itself");
  return add_gbnf(chat.grammar, schemas_.builder(),
                  [this](std::string_view name) { return schemas_.rule_named(name); });
}
