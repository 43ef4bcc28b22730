#include "chat/chat_format.h"

#include <algorithm>
#include <iterator>

#include "base/coded_error.h"
#include "base/log_capture.h"
#include "base/quiet_stderr.h"
#include "chat/answer_rules.h"
#include "chat/object_lookups.h"
#include "chat/render_budget.h"
#include "chat/schema_hooks.h"
#include "chat/tool_schemas.h"
#include "chat/trial_chat.h"
#include "common.h"

namespace {

// Reads the schema of a response format.
uint32_t read_schema(SchemaCollector& schemas, const std::string& text) {
  const uint32_t rule = schemas.add_schema(text);
  schemas.rules().complete();
  return rule;
}

std::string schema_text(const common_json& request) {
  if (!request.contains("json_schema") || !request.at("json_schema").is_string()) return "";
  const std::string text = request.at("json_schema").get<std::string>();
  const size_t first = text.find_first_not_of(" \t\r\n");
  // An empty schema stands for any object.
  const bool empty = first != std::string::npos && text[first] == '{' &&
                     text.find_first_not_of(" \t\r\n", first + 1) == text.find('}');
  return empty && text.find_first_not_of(" \t\r\n", text.find('}') + 1) == std::string::npos ? R"({"type":"object"})"
                                                                                             : text;
}

// Marks belong to the prompt only; the answer is compared with the caller's original text.
void remove_marks(common_chat_params& chat) {
  chat.grammar = ControlText::without_marks(std::move(chat.grammar));
  chat.parser = ControlText::without_marks(std::move(chat.parser));
  chat.generation_prompt = ControlText::without_marks(std::move(chat.generation_prompt));
  for (auto& trigger : chat.grammar_triggers) trigger.value = ControlText::without_marks(std::move(trigger.value));
  for (auto& stop : chat.additional_stops) stop = ControlText::without_marks(std::move(stop));
}

common_chat_parser_params reading_of(const common_chat_params& chat, bool tools) {
  common_chat_parser_params reading(chat);
  // Reasoning is returned as reasoning or not at all, never as content.
  reading.reasoning_format = COMMON_REASONING_FORMAT_DEEPSEEK;
  reading.parse_tool_calls = tools;
  if (!chat.parser.empty()) reading.parser.load(chat.parser);
  return reading;
}

}  // namespace

ChatFormat::ChatFormat(const llama_model* model)
    : vocab_(llama_model_get_vocab(model)),
      tokens_(std::make_shared<const TokenTable>(read_vocabulary(vocab_))),
      control_text_(vocab_) {
  // While a template is being analysed, it is rendered with trial tools.
  const SchemaCollector schemas;
  try {
    templates_ = common_chat_templates_init(model, "");
  } catch (const std::exception& error) {
    throw CodedError("ERR_MODEL_LOAD", std::string("the model's chat template cannot be used: ") + error.what());
  }
  auto capabilities = common_chat_templates_get_caps(templates_.get());
  supports_tools_ = capabilities["supports_tools"];
  learn_answer_form();
  effort_levels_ = EffortLevels(templates_.get());
  prompt_bound_ = learn_prompt_bound(templates_.get(), control_text_);
}

// Renders a trial chat and parses a trial answer. A template that rejects the trial is treated as one without reasoning
// whose answers need parsing.
void ChatFormat::learn_answer_form() {
  const std::string answer = "Two lines\n with {\"braces\": [1]} and <angles>.";
  try {
    const common_chat_params chat =
        common_chat_templates_apply(templates_.get(), trial_chat({trial_message("user", "Hello")}));
    supports_reasoning_ = chat.supports_thinking;
    const common_chat_msg read = common_chat_parse(answer, false, reading_of(chat, false));
    plain_ = read.content == answer && read.reasoning_content.empty() && read.tool_calls.empty();
  } catch (const std::exception&) {
    plain_ = false;
  }
}

common_chat_params ChatFormat::render(const common_json& request, const std::string& schema,
                                      const PreparationLimits& limits) const {
  common_chat_templates_inputs inputs;
  inputs.json_schema = schema;
  RenderBudget budget(limits);
  try {
    common_json messages = request.at("messages");
    common_json tools = request.at("tools");
    control_text_.mark(messages, limits);
    control_text_.mark(tools, limits);
    inputs.messages = common_chat_msgs_parse_oaicompat(messages);
    if (tools.size() > 0) inputs.tools = common_chat_tools_parse_oaicompat(tools);
    inputs.tool_choice = common_chat_tool_choice_parse_oaicompat(request.at("tool_choice").get<std::string>());
    inputs.parallel_tool_calls = request.at("parallel_tool_calls").get<bool>();
    inputs.enable_thinking = request.at("reasoning").get<bool>();
    if (request.contains("effort") && request.at("effort").is_string()) {
      inputs.chat_template_kwargs = effort_levels_.variables(request.at("effort").get<std::string>());
    }
    inputs.reasoning_format = COMMON_REASONING_FORMAT_DEEPSEEK;
    common_chat_params chat = common_chat_templates_apply(templates_.get(), inputs);
    remove_marks(chat);
    return chat;
  } catch (const RenderBudget::Stopped&) {
    budget.fail();
  } catch (const CodedError&) {
    throw;
  } catch (const std::exception& error) {
    const SchemaCollector* schemas = SchemaCollector::current();
    if (schemas != nullptr && !schemas->failure.empty()) throw CodedError("ERR_GRAMMAR_INVALID", schemas->failure);
    throw CodedError("ERR_CHAT_TEMPLATE", ControlText::without_marks(error.what()));
  }
}

namespace {

// Arguments of tool calls are JSON within a string, which llama.cpp parses, too.
void spend_arguments(const common_json& messages, ObjectLookups& lookups) {
  for (size_t index = 0; index < messages.size(); ++index) {
    if (!messages[index].contains("tool_calls")) continue;
    const common_json calls = messages[index].at("tool_calls");
    for (size_t call = 0; call < calls.size(); ++call) {
      lookups.spend(calls[call].at("function").at("arguments").get<std::string>());
    }
  }
}

}  // namespace

// Sets either `tokens_at_least` or the tokens and what belongs to them.
void ChatFormat::tokenize(const std::string& rendered, const ChatImages& images, const PreparationLimits& limits,
                          PreparedChat& prepared) const {
  ControlText::Tokens counted;
  if (images.images.empty()) {
    counted = control_text_.tokenize(rendered, limits);
  } else {
    PlacedImages placed = tokenize_with_images(control_text_, vocab_, rendered, images, limits);
    counted = std::move(placed.tokens);
    prepared.embeddings = std::move(placed.embeddings);
    prepared.embedding_rows = std::move(placed.embedding_rows);
  }
  prepared.tokens_at_least = counted.at_least;
  prepared.tokens = std::move(counted.tokens);
}

std::shared_ptr<const PreparedChat> ChatFormat::prepare(const std::string& request_text, const ChatImages& images,
                                                        const PreparationLimits& limits) const {
  const LogCapture log;
  const QuietStderr quiet;
  ObjectLookups lookups;
  lookups.spend(request_text);
  const common_json request = common_json::parse_no_throw(request_text);
  if (request.is_discarded()) throw CodedError("ERR_CHAT_TEMPLATE", "the chat is not valid JSON");
  spend_arguments(request.at("messages"), lookups);
  const std::string tool_choice = request.at("tool_choice").get<std::string>();
  const bool tools = request.at("tools").size() > 0 && tool_choice != "none";

  const std::string schema = schema_text(request);
  std::optional<SchemaCollector> schemas;
  std::optional<AnswerRules> rules;
  for (const ToolHold hold : {ToolHold::kWhole, ToolHold::kRelaxed, ToolHold::kAnyObject}) {
    rules.reset();
    schemas.reset();
    schemas.emplace();
    rules.emplace(*schemas);
    relax_tools(*schemas, request.at("tools"), hold);
    if (!schema.empty()) rules->hold_to(read_schema(*schemas, schema));
    if (read_tools(*schemas, request.at("tools"), hold)) break;
  }
  // The template sees the tools only; next to tools, the schema applies to an answer that calls none.
  const common_chat_params chat = render(request, tools ? "" : schema, limits);

  auto prepared = std::make_shared<PreparedChat>();
  tokenize(chat.prompt, images, limits, *prepared);
  if (prepared->tokens_at_least > 0) return prepared;
  prepared->prompt = ControlText::without_marks(chat.prompt);
  prepared->stops = chat.additional_stops;
  for (const std::string& text : chat.preserved_tokens) {
    const auto tokens = common_tokenize(vocab_, text, false, true);
    if (tokens.size() == 1) prepared->shown_tokens.push_back(tokens[0]);
  }
  prepared->structured = tools || chat.supports_thinking || !plain_;
  prepared->reading = reading_of(chat, tools);
  const bool required = tools && tool_choice == "required";
  if (schema.empty() && chat.grammar.empty() && !required) return prepared;
  const bool plain = plain_ && !chat.supports_thinking;
  const AnswerGrammar answer =
      rules->finish(chat, {.tools = tools, .required = required, .plain = plain}, prepared->reading);
  prepared->grammar = std::make_unique<const Grammar>(vocab_, tokens_, answer, chat, prepared->shown_tokens);
  return prepared;
}

std::shared_ptr<const PreparedChat> ChatFormat::prepare_text(const std::string& text,
                                                             const std::optional<std::string>& after, bool add_special,
                                                             const PreparationLimits& limits) const {
  if (after) return prepare_infill(text, *after, add_special, limits);
  const LogCapture log;
  const QuietStderr quiet;
  auto prepared = std::make_shared<PreparedChat>();
  ControlText::Tokens counted = control_text_.tokenize(text, limits, add_special);
  prepared->tokens_at_least = counted.at_least;
  prepared->tokens = std::move(counted.tokens);
  return prepared;
}

bool ChatFormat::supports_infill() const {
  const llama_token marks[] = {llama_vocab_fim_pre(vocab_), llama_vocab_fim_suf(vocab_), llama_vocab_fim_mid(vocab_)};
  return std::none_of(std::begin(marks), std::end(marks), [](llama_token mark) { return mark == LLAMA_TOKEN_NULL; });
}

// In the order of llama-server's /infill without further files.
std::shared_ptr<const PreparedChat> ChatFormat::prepare_infill(const std::string& before, const std::string& after,
                                                               bool add_special,
                                                               const PreparationLimits& limits) const {
  if (!supports_infill()) throw CodedError("ERR_CHAT_TEMPLATE", "the model has no tokens for filling gaps");
  const LogCapture log;
  const QuietStderr quiet;
  auto prepared = std::make_shared<PreparedChat>();
  const ControlText::Tokens prefix = control_text_.tokenize_plain(before, limits);
  const ControlText::Tokens suffix = control_text_.tokenize_plain(after, limits);
  const auto at_least = [](const ControlText::Tokens& part) { return std::max(part.at_least, part.tokens.size()); };
  if (prefix.at_least + suffix.at_least > 0) {
    prepared->tokens_at_least = at_least(prefix) + at_least(suffix);
    return prepared;
  }
  std::vector<llama_token>& tokens = prepared->tokens;
  if (add_special && llama_vocab_get_add_bos(vocab_)) tokens.push_back(llama_vocab_bos(vocab_));
  tokens.push_back(llama_vocab_fim_pre(vocab_));
  tokens.insert(tokens.end(), prefix.tokens.begin(), prefix.tokens.end());
  tokens.push_back(llama_vocab_fim_suf(vocab_));
  tokens.insert(tokens.end(), suffix.tokens.begin(), suffix.tokens.end());
  tokens.push_back(llama_vocab_fim_mid(vocab_));
  return prepared;
}
