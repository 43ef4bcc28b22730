#include "prompt_bound.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace {

constexpr size_t kTrialMessages = 8;

std::optional<std::string> render(const common_chat_templates* templates, const std::vector<common_chat_msg>& messages) {
  common_chat_templates_inputs inputs;
  inputs.messages = messages;
  inputs.reasoning_format = COMMON_REASONING_FORMAT_DEEPSEEK;
  try {
    return common_chat_templates_apply(templates, inputs).prompt;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

common_chat_msg message(const std::string& role, const std::string& content) {
  common_chat_msg message;
  message.role = role;
  message.content = content;
  if (role == "tool") message.tool_call_id = "call00000";
  return message;
}

// Control tokens per message, in chats that go on with messages of these roles in turn; none where the template refuses them.
std::optional<size_t> controls_per_message(const common_chat_templates* templates, const ControlText& control_text,
                                           const std::vector<std::string>& roles) {
  std::vector<common_chat_msg> messages{message("user", "a")};
  const auto before = render(templates, messages);
  for (size_t index = 0; index < kTrialMessages; ++index) messages.push_back(message(roles[index % roles.size()], "a"));
  const auto after = render(templates, messages);
  if (!before || !after) return std::nullopt;
  const size_t first = control_text.count_controls(*before), all = control_text.count_controls(*after);
  return all <= first ? 0 : (all - first) / kTrialMessages;
}

// Anything by which a template can take text out of the middle of a message.
bool may_cut_text(std::string source) {
  // Lists of messages are cut by most templates.
  for (size_t at = source.find("messages["); at != std::string::npos; at = source.find("messages[")) {
    source.erase(at, source.find(']', at) - at);
  }
  for (const char* word : {"replace", "split", "truncate", "regex", "striptags", "[:", ":]", "[1:", "[0:"}) {
    if (source.find(word) != std::string::npos) return true;
  }
  return false;
}

bool keeps_user_text(const common_chat_templates* templates) {
  if (may_cut_text(common_chat_templates_source(templates))) return false;
  const auto prompt = render(templates, {message("user", "first words"), message("assistant", "b"), message("user", "last words")});
  return prompt && prompt->find("first words") != std::string::npos && prompt->find("last words") != std::string::npos;
}

}  // namespace

PromptBound learn_prompt_bound(const common_chat_templates* templates, const ControlText& control_text) {
  PromptBound bound;
  bound.byte_shares = control_text.bound().shares();
  bound.keeps_user_text = keeps_user_text(templates);
  const auto cost = [&](std::initializer_list<std::vector<std::string>> turns) {
    std::optional<size_t> least;
    for (const std::vector<std::string>& roles : turns) {
      const auto controls = controls_per_message(templates, control_text, roles);
      if (controls) least = std::min(least.value_or(*controls), *controls);
    }
    // A message that leaves nothing behind in the prompt is counted all the same: rendering takes time for it.
    return std::max<size_t>(1, least.value_or(1));
  };
  bound.tokens_per_message.system = cost({{"system"}});
  bound.tokens_per_message.user = cost({{"user"}, {"assistant", "user"}});
  bound.tokens_per_message.assistant = cost({{"assistant"}, {"assistant", "user"}});
  bound.tokens_per_message.tool = cost({{"tool"}, {"assistant", "tool"}});
  return bound;
}
