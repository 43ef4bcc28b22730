#include "chat_format.h"

#include <algorithm>

#include "coded_error.h"
#include "common.h"
#include "json-schema-to-grammar.h"
#include "log_capture.h"
#include "quiet_stderr.h"

namespace {

// The grammar builder recurses with the schema, on a stack of a few megabytes.
constexpr int kSchemaDepthMax = 64;

int depth_of(const common_json& json, int limit) {
  if (limit == 0 || !(json.is_object() || json.is_array())) return 0;
  int deepest = 0;
  for (const auto& child : json) deepest = std::max(deepest, depth_of(child, limit - 1));
  return deepest + 1;
}

// Fails early, with a code of its own, on what the template's grammar builder would fail on later.
void require_usable_schema(const common_json& schema, const std::string& owner) {
  if (depth_of(schema, kSchemaDepthMax + 1) > kSchemaDepthMax) {
    throw CodedError("ERR_GRAMMAR_INVALID", owner + " nest deeper than " + std::to_string(kSchemaDepthMax) + " levels");
  }
  try {
    json_schema_to_grammar(schema);
  } catch (const std::exception& error) {
    throw CodedError("ERR_GRAMMAR_INVALID", owner + ": " + error.what());
  }
}

std::string read_schema(const common_json& request) {
  if (!request.contains("json_schema") || !request.at("json_schema").is_string()) return "";
  common_json schema = common_json::parse_no_throw(request.at("json_schema").get<std::string>());
  if (schema.is_discarded()) throw CodedError("ERR_GRAMMAR_INVALID", "the JSON schema is not JSON");
  // An empty schema stands for any object.
  if (schema.is_object() && schema.empty()) schema["type"] = "object";
  require_usable_schema(schema, "the JSON schema");
  return schema.dump();
}

void require_usable_tools(const common_json& tools) {
  for (const auto& tool : tools) {
    const common_json& function = tool.at("function");
    if (!function.contains("parameters")) continue;
    require_usable_schema(function.at("parameters"), "the parameters of a tool");
  }
}

// The marks belong to the prompt alone; what the answer is held against must be what the caller wrote.
void remove_marks(common_chat_params& chat) {
  chat.grammar = ControlText::without_marks(std::move(chat.grammar));
  chat.parser = ControlText::without_marks(std::move(chat.parser));
  chat.generation_prompt = ControlText::without_marks(std::move(chat.generation_prompt));
  for (auto& trigger : chat.grammar_triggers) trigger.value = ControlText::without_marks(std::move(trigger.value));
  for (auto& stop : chat.additional_stops) stop = ControlText::without_marks(std::move(stop));
}

// The template's own grammar also lets the model write a Markdown fence around the JSON, for its parser to take off.
// Where nothing else needs that parser, the answer is the JSON itself.
void hold_to_schema(common_chat_params& chat, const std::string& schema) {
  chat.grammar = json_schema_to_grammar(common_json::parse(schema));
  chat.grammar_lazy = false;
  chat.generation_prompt.clear();
}

common_chat_parser_params reading_of(const common_chat_params& chat, bool tools) {
  common_chat_parser_params reading(chat);
  // Reasoning comes out as reasoning, or not at all; never in the content.
  reading.reasoning_format = COMMON_REASONING_FORMAT_DEEPSEEK;
  reading.parse_tool_calls = tools;
  if (!chat.parser.empty()) reading.parser.load(chat.parser);
  return reading;
}

}  // namespace

ChatFormat::ChatFormat(const llama_model* model)
    : vocab_(llama_model_get_vocab(model)), control_text_(vocab_) {
  try {
    templates_ = common_chat_templates_init(model, "");
  } catch (const std::exception& error) {
    throw CodedError("ERR_MODEL_LOAD", std::string("the model's chat template cannot be used: ") + error.what());
  }
  auto capabilities = common_chat_templates_get_caps(templates_.get());
  supports_tools_ = capabilities["supports_tools"];
  learn_answer_form();
  prompt_bound_ = learn_prompt_bound(templates_.get(), control_text_);
}

// Renders a trial chat and reads a trial answer. A template that refuses the trial is taken for one without reasoning
// whose answers need parsing.
void ChatFormat::learn_answer_form() {
  common_chat_msg message;
  message.role = "user";
  message.content = "Hello";
  common_chat_templates_inputs inputs;
  inputs.messages = {message};
  inputs.reasoning_format = COMMON_REASONING_FORMAT_DEEPSEEK;
  const std::string answer = "Two lines\n with {\"braces\": [1]} and <angles>.";
  try {
    const common_chat_params chat = common_chat_templates_apply(templates_.get(), inputs);
    supports_reasoning_ = chat.supports_thinking;
    const common_chat_msg read = common_chat_parse(answer, false, reading_of(chat, false));
    plain_ = read.content == answer && read.reasoning_content.empty() && read.tool_calls.empty();
  } catch (const std::exception&) {
    plain_ = false;
  }
}

common_chat_params ChatFormat::render(const common_json& request, const PreparationLimits& limits) const {
  common_chat_templates_inputs inputs;
  inputs.json_schema = read_schema(request);
  const common_json& tools = request.at("tools");
  require_usable_tools(tools);
  try {
    common_json messages = request.at("messages");
    common_json marked_tools = tools;
    control_text_.mark(messages, limits);
    control_text_.mark(marked_tools, limits);
    inputs.messages = common_chat_msgs_parse_oaicompat(messages);
    if (tools.size() > 0) inputs.tools = common_chat_tools_parse_oaicompat(marked_tools);
    inputs.tool_choice = common_chat_tool_choice_parse_oaicompat(request.at("tool_choice").get<std::string>());
    inputs.parallel_tool_calls = request.at("parallel_tool_calls").get<bool>();
    inputs.enable_thinking = request.at("reasoning").get<bool>();
    inputs.reasoning_format = COMMON_REASONING_FORMAT_DEEPSEEK;
    common_chat_params chat = common_chat_templates_apply(templates_.get(), inputs);
    remove_marks(chat);
    const bool plain = plain_ && !chat.supports_thinking && inputs.tools.empty();
    if (plain && !inputs.json_schema.empty()) hold_to_schema(chat, inputs.json_schema);
    return chat;
  } catch (const CodedError&) {
    throw;
  } catch (const std::exception& error) {
    throw CodedError("ERR_CHAT_TEMPLATE", ControlText::without_marks(error.what()));
  }
}

std::shared_ptr<const PreparedChat> ChatFormat::prepare(const std::string& request_text,
                                                        const PreparationLimits& limits) const {
  const LogCapture log;
  const QuietStderr quiet;
  const common_json request = common_json::parse_no_throw(request_text);
  if (request.is_discarded()) throw CodedError("ERR_CHAT_TEMPLATE", "the chat is not valid JSON");
  const common_chat_params chat = render(request, limits);
  const bool tools = request.at("tools").size() > 0 && request.at("tool_choice").get<std::string>() != "none";

  auto prepared = std::make_shared<PreparedChat>();
  ControlText::Tokens counted = control_text_.tokenize(chat.prompt, limits);
  prepared->tokens_at_least = counted.at_least;
  if (counted.at_least > 0) return prepared;
  prepared->tokens = std::move(counted.tokens);
  prepared->prompt = ControlText::without_marks(chat.prompt);
  prepared->stops = chat.additional_stops;
  for (const std::string& text : chat.preserved_tokens) {
    const auto tokens = common_tokenize(vocab_, text, false, true);
    if (tokens.size() == 1) prepared->shown_tokens.push_back(tokens[0]);
  }
  prepared->structured = tools || chat.supports_thinking || !plain_;
  prepared->reading = reading_of(chat, tools);
  if (!chat.grammar.empty()) prepared->grammar = std::make_unique<const Grammar>(vocab_, chat);
  return prepared;
}
