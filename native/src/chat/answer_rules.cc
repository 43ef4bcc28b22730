#include "chat/answer_rules.h"

#include <algorithm>
#include <cctype>

#include "base/coded_error.h"
#include "chat/required_calls.h"
#include "grammar/gbnf.h"
#include "grammar/regex.h"

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

// The texts before and after another text.
struct Frame {
  std::string before, after;
};

const std::string kTrialContent = "{\"a\":1}";

// Whether an answer parses into the trial content, preceded by `thought` if one is given.
bool reads(const std::string& answer, const std::string& thought, const common_chat_parser_params& reading) {
  try {
    const common_chat_msg message = common_chat_parse(answer, false, reading);
    return trimmed(message.content) == kTrialContent && (thought.empty() || message.reasoning_content == thought);
  } catch (const std::exception&) {
    return false;  // The format cannot parse it.
  }
}

// The text that a template requires around the content, found by parsing a trial answer in each known frame.
Frame content_frame(const common_chat_params& chat, const common_chat_parser_params& reading) {
  const std::string thought = chat.thinking_end_tags.empty() ? "" : "x" + chat.thinking_end_tags.front() + "\n\n";
  for (const Frame& frame : {Frame{"", ""},
                             {"all\n", ""},
                             {"<|START_RESPONSE|>", "<|END_RESPONSE|>"},
                             {"<|START_TEXT|>", "<|END_TEXT|>"},
                             {" to=user<|message|>", ""},
                             {"<|channel|>final<|message|>", ""}}) {
    const std::string answer = frame.before + kTrialContent + frame.after;
    if (reads(answer, "", reading) || reads(thought + answer, "", reading)) return frame;
  }
  throw CodedError("ERR_GRAMMAR_INVALID", "this model's chat template does not support a response format");
}

// The text around a thought in front of `answer`, which the template has just opened; empty if the model cannot reason.
std::optional<Frame> thought_frame(const common_chat_params& chat, const std::string& answer,
                                   const common_chat_parser_params& reading) {
  const std::string end_tag = chat.thinking_end_tags.empty() ? "" : chat.thinking_end_tags.front();
  for (const Frame& frame : {Frame{chat.thinking_start_tag, end_tag}, {" to=self<|message|>", "<|eom|>"}}) {
    if (frame.before.empty() || frame.after.empty()) continue;
    if (reads(frame.before + "x" + frame.after + chat.generation_prompt + answer, "x", reading)) return frame;
  }
  return std::nullopt;
}

CharDfa texts_without(const std::string& part, GrammarBudget& budget) {
  return regex_language(regex_literal(part), budget).complement(budget);
}

}  // namespace

AnswerGrammar AnswerRules::finish(const common_chat_params& chat, const Request& request,
                                  const common_chat_parser_params& reading) {
  if (request.tools && request.required) return of_template(chat, without_content(chat.grammar, reading.parser));
  const bool template_holds = !chat.grammar.empty() && !request.tools && !request.plain;
  if (!schema_ || template_holds) return of_template(chat, chat.grammar);
  if (!request.tools || chat.grammar.empty()) return of_schema(chat, request, reading);
  if (!chat.grammar_lazy) {
    throw CodedError("ERR_GRAMMAR_INVALID",
                     "this model's chat template takes tools or a response format, not both: set tool_choice to "
                     "\"none\" or leave out response_format");
  }
  const bool by_words = std::all_of(chat.grammar_triggers.begin(), chat.grammar_triggers.end(), is_word);
  return by_words ? of_schema(chat, request, reading) : of_either(chat, reading);
}

AnswerGrammar AnswerRules::of_template(const common_chat_params& chat, const std::string& grammar) {
  AnswerGrammar answer;
  const uint32_t rule = add_template(grammar);
  (chat.grammar_lazy ? answer.from_trigger : answer.from_start) = rule;
  if (!chat.grammar_lazy) answer.opening = chat.generation_prompt;
  return complete(std::move(answer), {rule});
}

AnswerGrammar AnswerRules::of_schema(const common_chat_params& chat, const Request& request,
                                     const common_chat_parser_params& reading) {
  AnswerGrammar answer;
  GrammarBuilder& builder = schemas_.builder();
  const uint32_t rule = builder.add_rule(), end = builder.add_state();
  const uint32_t first = builder.add_state(), content = builder.add_state();
  builder.accept(end);
  answer.from_start = rule;
  std::vector<uint32_t> roots{rule};
  const Frame frame = request.plain ? Frame{} : content_frame(chat, reading);
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
    answer.from_trigger = roots.emplace_back(add_template(chat.grammar));
    // An answer with a tool call begins with a trigger, after which the template's grammar applies.
    for (const common_grammar_trigger& trigger : chat.grammar_triggers) {
      if (trigger.value.empty()) continue;
      builder.add_literal(content, trigger.value, end);
      answer.markers.push_back(trigger.value);
    }
  }
  add_schema(frame.before, frame.after, content, end);
  answer.markers.insert(answer.markers.end(), {frame.before, frame.after});
  return complete(std::move(answer), roots);
}

AnswerGrammar AnswerRules::of_either(const common_chat_params& chat, const common_chat_parser_params& reading) {
  AnswerGrammar answer;
  GrammarBuilder& builder = schemas_.builder();
  const uint32_t rule = builder.add_rule(), end = builder.add_state();
  builder.accept(end);
  answer.from_start = rule;
  // The template's lazy grammar starts at its trigger: after the text that the template wrote, or after a thought.
  answer.opening = chat.generation_prompt;
  const uint32_t opened = builder.add_literal(builder.start(rule), answer.opening);
  builder.add_call(opened, add_template(chat.grammar), end);
  const Frame frame = content_frame(chat, reading);
  add_schema(frame.before, frame.after, opened, end);
  answer.markers = {answer.opening, frame.before, frame.after};
  const auto thought = thought_frame(chat, frame.before + kTrialContent + frame.after, reading);
  if (thought) {
    const uint32_t thinking = builder.add_literal(opened, thought->before), thought_end = builder.add_state();
    const CharDfa texts = texts_without(thought->after, builder.budget());
    builder.add_language(thinking, texts, thought_end, GrammarBuilder::Spelling::kPlain);
    builder.add_literal(thought_end, thought->after + answer.opening, opened);
    answer.markers.insert(answer.markers.end(), {thought->before, thought->after});
  }
  return complete(std::move(answer), {rule});
}

void AnswerRules::add_schema(const std::string& before, const std::string& after, uint32_t from, uint32_t to) {
  GrammarBuilder& builder = schemas_.builder();
  const uint32_t behind = builder.add_state();
  builder.add_call(builder.add_literal(from, before), *schema_, behind);
  builder.add_literal(behind, after, to);
}

AnswerGrammar AnswerRules::complete(AnswerGrammar answer, const std::vector<uint32_t>& roots) {
  std::erase(answer.markers, "");
  schemas_.rules().complete();
  answer.rules = schemas_.builder().finish(roots);
  return answer;
}

uint32_t AnswerRules::add_template(const std::string& grammar) {
  if (!schemas_.used) throw CodedError("ERR_GRAMMAR_INVALID", "the chat template generated its own grammar");
  return add_gbnf(grammar, schemas_.builder(), [this](std::string_view name) { return schemas_.rule_named(name); });
}
