#include "chat/effort_levels.h"

#include <optional>
#include <vector>

#include "chat/trial_chat.h"

namespace {

// A level of the API and those of templates that express it, the best first.
struct Level {
  std::string effort;
  std::vector<std::string> names;
  std::string budget;  // In tokens; empty for no limit.
};

const std::vector<Level>& levels() {
  static const std::vector<Level> levels{
      {"none", {}, "0"},
      {"minimal", {"low"}, "512"},
      {"low", {"low"}, "1024"},
      {"medium", {"medium", "high"}, "4096"},
      {"high", {"high"}, "16384"},
      {"xhigh", {"max", "high"}, ""},
  };
  return levels;
}

constexpr const char* kNamedLevels[] = {"reasoning_effort", "thinking_effort", "reasoning_strength"};
constexpr const char* kTokenBudget = "thinking_budget";
// A level that no template has.
const std::string kUnknownLevel = "\"zyx\"";

std::optional<std::string> render(const common_chat_templates* templates, const EffortLevels::Variables& variables) {
  common_chat_templates_inputs inputs = trial_chat({trial_message("user", "Hello")});
  inputs.chat_template_kwargs = variables;
  return render_trial(templates, inputs);
}

}  // namespace

EffortLevels::EffortLevels(const common_chat_templates* templates) {
  const std::string source = common_chat_templates_source(templates);
  const auto plain = render(templates, {});
  if (!plain) return;
  for (const char* variable : kNamedLevels) {
    if (source.find(variable) == std::string::npos) continue;
    // A template that repeats any level leaves it to the model, which knows the common three.
    const auto unknown = render(templates, {{variable, kUnknownLevel}});
    const bool repeats = unknown && *unknown != *plain;
    for (const Level& level : levels()) {
      for (const std::string& name : level.names) {
        const std::string value = "\"" + name + "\"";
        if ((repeats && name == "max") || !render(templates, {{variable, value}})) continue;
        levels_[level.effort][variable] = value;
        break;
      }
    }
  }
  if (source.find(kTokenBudget) == std::string::npos) return;
  for (const Level& level : levels()) {
    if (level.budget.empty()) continue;
    const auto prompt = render(templates, {{kTokenBudget, level.budget}});
    if (prompt && *prompt != *plain) levels_[level.effort][kTokenBudget] = level.budget;
  }
}

EffortLevels::Variables EffortLevels::variables(const std::string& effort) const {
  const auto found = levels_.find(effort);
  return found == levels_.end() ? Variables{} : found->second;
}
