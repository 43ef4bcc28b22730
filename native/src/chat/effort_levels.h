#pragma once

#include <map>
#include <string>

#include "chat.h"

// The variables by which a chat template sets the amount of thinking, and the levels that it accepts. Rendering trial
// chats detects both.
class EffortLevels {
 public:
  using Variables = std::map<std::string, std::string>;  // Each value is JSON.

  EffortLevels() = default;
  explicit EffortLevels(const common_chat_templates* templates);

  // The variables for a `reasoning_effort` of the API; empty if the template has no such level.
  Variables variables(const std::string& effort) const;

 private:
  std::map<std::string, Variables> levels_;
};
