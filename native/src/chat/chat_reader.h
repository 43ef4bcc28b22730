#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chat/answer_parser.h"
#include "chat/chat_format.h"

struct ChatDelta {
  std::string content;
  std::string reasoning;
  struct ToolCall {
    size_t index;
    std::string id;    // With the first delta of a call.
    std::string name;  // With the first delta of a call.
    std::string arguments;
  };
  std::vector<ToolCall> tool_calls;
};

// Parses one answer incrementally, with the same result as llama.cpp, which parses the whole answer each time, but in
// time proportional to its length. Text that the parser cannot interpret becomes content, since a model may emit
// anything.
class ChatReader {
 public:
  explicit ChatReader(std::shared_ptr<const PreparedChat> prepared);
  ChatDelta feed(const std::string& text, bool final);

 private:
  bool parse(bool partial, common_chat_msg& message);
  ChatDelta advance(common_chat_msg message, bool final);
  bool has_told(const common_chat_msg& message) const;
  ChatDelta grow(size_t bytes);
  void add_calls(const common_chat_msg& message, bool final, ChatDelta& delta);

  std::shared_ptr<const PreparedChat> prepared_;
  std::string text_;
  // The sum of the deltas so far.
  std::string content_;
  std::string reasoning_;
  std::vector<std::string> arguments_;  // One per tool call that has begun.
  std::vector<std::string> call_ids_;
  // Set while the next text can be parsed without the text before it; the pending text is then in no delta yet.
  std::optional<GrowingField> growing_;
  std::string pending_;
  size_t parsed_size_ = 0;
  int depth_ = 0;
  int deepest_ = 0;
};
