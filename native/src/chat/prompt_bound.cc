#include "chat/prompt_bound.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "chat/trial_chat.h"

namespace {

constexpr size_t kTrialMessages = 8;

// The number of control tokens in a trial chat of one message followed by `count` messages with alternating roles;
// empty if the template rejects it.
std::optional<size_t> count_controls(const common_chat_templates* templates, const ControlText& control_text,
                                     const std::vector<std::string>& roles, size_t count) {
  std::vector<common_chat_msg> messages{trial_message("user", "a")};
  for (size_t index = 0; index < count; ++index) messages.push_back(trial_message(roles[index % roles.size()], "a"));
  const auto prompt = render_trial(templates, trial_chat(messages));
  return prompt ? std::optional(control_text.count_controls(*prompt)) : std::nullopt;
}

// Any construct by which a template can remove text from the middle of a message.
bool may_cut_text(std::string source) {
  // Most templates slice the list of messages.
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
  const auto chat = trial_chat({trial_message("user", "first words"), trial_message("assistant", "b"),
                                trial_message("user", "last words")});
  const auto prompt = render_trial(templates, chat);
  return prompt && prompt->find("first words") != std::string::npos && prompt->find("last words") != std::string::npos;
}

}  // namespace

PromptBound learn_prompt_bound(const common_chat_templates* templates, const ControlText& control_text) {
  PromptBound bound;
  bound.byte_shares = control_text.bound().shares();
  bound.text_byte_shares = control_text.bound().control_shares();
  bound.keeps_user_text = keeps_user_text(templates);
  const auto first = count_controls(templates, control_text, {"user"}, 0);
  const auto per_message = [&](const std::vector<std::string>& roles) -> std::optional<size_t> {
    const auto all = count_controls(templates, control_text, roles, kTrialMessages);
    if (!first || !all) return std::nullopt;
    return *all <= *first ? 0 : (*all - *first) / kTrialMessages;
  };
  const auto least = [](std::initializer_list<std::optional<size_t>> costs) {
    std::optional<size_t> least;
    for (const auto& cost : costs)
      if (cost) least = std::min(least.value_or(*cost), *cost);
    // A message that leaves nothing in the prompt counts too, because rendering it takes time.
    return std::max<size_t>(1, least.value_or(1));
  };
  const auto in_turn = per_message({"assistant", "user"});
  bound.tokens_per_message.system = least({per_message({"system"})});
  bound.tokens_per_message.user = least({per_message({"user"}), in_turn});
  bound.tokens_per_message.assistant = least({per_message({"assistant"}), in_turn});
  bound.tokens_per_message.tool = least({per_message({"tool"}), per_message({"assistant", "tool"})});
  return bound;
}
