#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chat.h"

// Chats that are rendered when a model loads, to learn what its template does.

common_chat_msg trial_message(const std::string& role, const std::string& content);

common_chat_templates_inputs trial_chat(const std::vector<common_chat_msg>& messages);

// Empty if the template rejects the chat.
std::optional<std::string> render_trial(const common_chat_templates* templates,
                                        const common_chat_templates_inputs& inputs);
