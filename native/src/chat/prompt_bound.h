#pragma once

#include <array>
#include <cstddef>

#include "chat.h"
#include "chat/control_text.h"

// What is known of a prompt's tokens before it is rendered: enough to refuse at once a chat that can never fit.
struct PromptBound {
  // [256] Tokens per byte of text, at least; see TokenBound.
  std::array<double, 256> byte_shares{};
  // Tokens that a message of each role costs besides its text, at least 1.
  struct {
    size_t system = 1, user = 1, assistant = 1, tool = 1;
  } tokens_per_message;
  // Whether the template takes the text of a user's message as it is, but for the white space around it.
  bool keeps_user_text = false;
};

PromptBound learn_prompt_bound(const common_chat_templates* templates, const ControlText& control_text);
