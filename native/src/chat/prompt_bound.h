#pragma once

#include <array>
#include <cstddef>

#include "chat.h"
#include "chat/control_text.h"

// What is known about a prompt's tokens before it is rendered: enough to reject a chat that can never fit.
struct PromptBound {
  // [256] A lower bound of the tokens per byte of text; see TokenBound.
  std::array<double, 256> byte_shares{};
  // [256] The same for a prompt without a template, whose text may spell control tokens.
  std::array<double, 256> text_byte_shares{};
  // The tokens that a message of each role costs in addition to its text, at least 1.
  struct {
    size_t system = 1, user = 1, assistant = 1, tool = 1;
  } tokens_per_message;
  // Whether the template renders the text of a user's message unchanged, apart from surrounding white space.
  bool keeps_user_text = false;
};

PromptBound learn_prompt_bound(const common_chat_templates* templates, const ControlText& control_text);
