#include "chat/chat_reader.h"

#include <algorithm>
#include <random>

namespace {

// The parser recurses with the JSON that it reads, on the caller's stack.
constexpr int kNestingMax = 128;
constexpr size_t kCallIdLength = 24;
// If the end of a long answer cannot be parsed without its beginning, the answer is parsed again only after this share
// of it has arrived, so that the total time is proportional to its length.
constexpr size_t kParsedEachTime = 8 * 1024;
constexpr size_t kUnparsedShare = 256;

std::string make_call_id() {
  static constexpr char kAlphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  static thread_local std::random_device random;
  std::uniform_int_distribution<size_t> pick(0, sizeof kAlphabet - 2);
  std::string id = "call_";
  for (size_t length = 0; length < kCallIdLength; ++length) id += kAlphabet[pick(random)];
  return id;
}

// What `now` adds to `before`; empty if `now` does not continue `before`, since emitted text cannot be taken back.
std::string continuation(const std::string& before, const std::string& now) {
  return now.compare(0, before.size(), before) == 0 ? now.substr(before.size()) : "";
}

}  // namespace

ChatReader::ChatReader(std::shared_ptr<const PreparedChat> prepared) : prepared_(std::move(prepared)) {}

ChatDelta ChatReader::feed(const std::string& text, bool final) {
  text_ += text;
  for (const char byte : text) {
    if (byte == '{' || byte == '[') deepest_ = std::max(deepest_, ++depth_);
    if ((byte == '}' || byte == ']') && depth_ > 0) --depth_;
  }
  if (!final && growing_ && deepest_ <= kNestingMax) {
    pending_ += text;
    const GrowingField::Extent extent = growing_->extent(pending_);
    if (!extent.is_end) return grow(extent.certain);
  } else if (!final && text_.size() - parsed_size_ < text_.size() / kUnparsedShare) {
    return {};
  }
  parsed_size_ = text_.size() <= kParsedEachTime ? 0 : text_.size();
  common_chat_msg message;
  if (parse(!final, message)) return advance(std::move(message), final);
  if (!final) return {};
  // The answer violates its format. Keep what can be parsed; if nothing ever could, all of it is content.
  if (parse(true, message) && !message.empty()) return advance(std::move(message), final);
  ChatDelta delta;
  if (content_.empty() && reasoning_.empty() && arguments_.empty()) delta.content = text_;
  return delta;
}

bool ChatReader::parse(bool partial, common_chat_msg& message) {
  growing_.reset();
  pending_.clear();
  if (deepest_ > kNestingMax) return false;
  try {
    ParsedAnswer answer = parse_answer(text_, partial, prepared_->reading);
    message = std::move(answer.message);
    growing_ = std::move(answer.growing);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

ChatDelta ChatReader::advance(common_chat_msg message, bool final) {
  ChatDelta delta;
  message.set_tool_call_ids(call_ids_, make_call_id);
  delta.content = continuation(content_, message.content);
  delta.reasoning = continuation(reasoning_, message.reasoning_content);
  content_ += delta.content;
  reasoning_ += delta.reasoning;
  add_calls(message, final, delta);
  if (growing_ && !has_told(message)) growing_.reset();
  return delta;
}

// Whether the emitted deltas add up to the message.
bool ChatReader::has_told(const common_chat_msg& message) const {
  const bool calls = message.tool_calls.empty() || (message.tool_calls.size() == arguments_.size() &&
                                                    message.tool_calls.back().arguments == arguments_.back());
  return calls && content_ == message.content && reasoning_ == message.reasoning_content;
}

// Appends the first `bytes` of the pending text to the field.
ChatDelta ChatReader::grow(size_t bytes) {
  const std::string more = growing_->spelled(std::string_view(pending_).substr(0, bytes));
  pending_.erase(0, bytes);
  ChatDelta delta;
  switch (growing_->kind) {
    case GrowingField::Kind::kContent:
      content_ += more;
      delta.content = more;
      break;
    case GrowingField::Kind::kReasoning:
      reasoning_ += more;
      delta.reasoning = more;
      break;
    case GrowingField::Kind::kArguments:
    case GrowingField::Kind::kArgumentString:
      arguments_.back() += more;
      if (!more.empty()) delta.tool_calls.push_back({arguments_.size() - 1, "", "", more});
      break;
  }
  return delta;
}

void ChatReader::add_calls(const common_chat_msg& message, bool final, ChatDelta& delta) {
  for (size_t index = 0; index < message.tool_calls.size(); ++index) {
    const common_chat_tool_call& call = message.tool_calls[index];
    const bool begun = index < arguments_.size();
    // A name may still grow while it is parsed; it is complete once something follows it.
    const bool named = final || !call.arguments.empty() || index + 1 < message.tool_calls.size();
    if (!begun && (!named || call.name.empty())) return;
    if (!begun) arguments_.emplace_back();
    const std::string more = continuation(arguments_[index], call.arguments);
    if (begun && more.empty()) continue;
    arguments_[index] += more;
    delta.tool_calls.push_back({index, begun ? "" : call.id, begun ? "" : call.name, more});
  }
}
