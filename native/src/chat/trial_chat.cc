#include "chat/trial_chat.h"

#include <exception>

common_chat_msg trial_message(const std::string& role, const std::string& content) {
  common_chat_msg message;
  message.role = role;
  message.content = content;
  if (role == "tool") message.tool_call_id = "call00000";
  return message;
}

common_chat_templates_inputs trial_chat(const std::vector<common_chat_msg>& messages) {
  common_chat_templates_inputs inputs;
  inputs.messages = messages;
  inputs.reasoning_format = COMMON_REASONING_FORMAT_DEEPSEEK;
  return inputs;
}

std::optional<std::string> render_trial(const common_chat_templates* templates,
                                        const common_chat_templates_inputs& inputs) {
  try {
    return common_chat_templates_apply(templates, inputs).prompt;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}
