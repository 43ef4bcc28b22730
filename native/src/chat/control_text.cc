#include "chat/control_text.h"

#include <algorithm>
#include <cmath>

#include "base/coded_error.h"
#include "common.h"
#include "encoder/text_runs.h"

namespace {

// U+FDD1, a noncharacter: valid UTF-8 that no text may contain. If a caller sends it anyway, it is removed together
// with the marks from a prompt that contains marks.
constexpr std::string_view kMark = "\xEF\xB7\x91";

// Far above any sensible schema or message, far below what would exhaust the stack.
constexpr int kDepthMax = 96;

// Bytes of text between two checks of the stop flag.
constexpr size_t kPollBytes = 64 * 1024;

size_t character_bytes(unsigned char first) { return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4; }

}  // namespace

ControlText::ControlText(const llama_vocab* vocab) : vocab_(vocab), bound_(vocab) {
  for (llama_token token = 0; token < llama_vocab_n_tokens(vocab); ++token) {
    const llama_token_attr attributes = llama_vocab_get_attr(vocab, token);
    const std::string text = llama_vocab_get_text(vocab, token);
    if (text.empty()) continue;
    if (attributes & (LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN)) controls_.add(token, text, attributes);
    // Like llama.cpp, which always parses user-defined tokens: converters use that attribute for tokens that a caller
    // may write.
    else if (attributes & LLAMA_TOKEN_ATTR_USER_DEFINED) user_defined_.add(token, text, attributes);
  }
}

bool ControlText::mark_text(std::string& text, const PreparationLimits& limits) const {
  std::string marked;
  size_t copied = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (at % kPollBytes == 0) limits.poll();
    if (!controls_.may_begin(text, at)) continue;
    const size_t end = std::min(text.size(), at + character_bytes(static_cast<unsigned char>(text[at])));
    marked.append(text, copied, end - copied);
    marked += kMark;
    copied = end;
  }
  if (copied == 0) return false;
  marked.append(text, copied);
  text = std::move(marked);
  return true;
}

bool ControlText::mark(common_json& json, const PreparationLimits& limits) const { return mark(json, 0, "", limits); }

bool ControlText::mark(common_json& json, int depth, const std::string& key, const PreparationLimits& limits) const {
  if (depth > kDepthMax) {
    throw CodedError("ERR_CHAT_TEMPLATE", "the messages nest deeper than " + std::to_string(kDepthMax) + " levels");
  }
  bool any = false;
  if (json.is_string()) {
    std::string text = json.get<std::string>();
    any = key == "arguments" ? mark_json_text(text, limits) : mark_text(text, limits);
    if (any) json = text;
  } else if (json.is_array()) {
    for (size_t index = 0; index < json.size(); ++index) any |= mark(json[index], depth + 1, "", limits);
  } else if (json.is_object()) {
    common_json marked = common_json::object();
    for (const auto& [name, value] : json.items()) {
      std::string marked_name = name;
      any |= mark_text(marked_name, limits);
      // The only strings with a meaning to llama.cpp itself; the caller has validated them.
      const bool fixed = (name == "role" || name == "type") && value.is_string() && depth <= 4;
      if (!fixed) any |= mark(value, depth + 1, name, limits);
      marked[marked_name] = value;
    }
    if (any) json = marked;
  }
  return any;
}

bool ControlText::mark_json_text(std::string& text, const PreparationLimits& limits) const {
  common_json decoded = common_json::parse_no_throw(text);
  if (decoded.is_discarded() || !(decoded.is_object() || decoded.is_array())) return mark_text(text, limits);
  if (!mark(decoded, 0, "", limits)) return false;
  text = decoded.dump();
  return true;
}

std::string ControlText::without_marks(std::string text) {
  size_t mark = text.find(kMark);
  if (mark == std::string::npos) return text;
  size_t kept = mark;
  while (mark != std::string::npos) {
    const size_t from = mark + kMark.size();
    mark = text.find(kMark, from);
    const size_t to = mark == std::string::npos ? text.size() : mark;
    std::copy(text.begin() + static_cast<ptrdiff_t>(from), text.begin() + static_cast<ptrdiff_t>(to),
              text.begin() + static_cast<ptrdiff_t>(kept));
    kept += to - from;
  }
  text.resize(kept);
  return text;
}

std::vector<ControlText::Piece> ControlText::split(const std::string& rendered) const {
  const bool marked = rendered.find(kMark) != std::string::npos;
  std::vector<Piece> pieces;
  // For a special token of a single character, the mark follows it.
  for (const auto& part : controls_.cut(rendered, marked ? kMark : std::string_view())) {
    if (part.token != LLAMA_TOKEN_NULL) {
      pieces.push_back({part.token, ""});
      continue;
    }
    const std::string text = marked ? without_marks(std::string(part.text)) : std::string(part.text);
    for (const auto& inner : user_defined_.cut(text)) {
      if (inner.token != LLAMA_TOKEN_NULL || !inner.text.empty())
        pieces.push_back({inner.token, std::string(inner.text)});
    }
  }
  return pieces;
}

size_t ControlText::count_controls(const std::string& rendered) const {
  const auto cuts = controls_.cut(rendered);
  return static_cast<size_t>(
      std::count_if(cuts.begin(), cuts.end(), [](const auto& cut) { return cut.token != LLAMA_TOKEN_NULL; }));
}

ControlText::Tokens ControlText::tokenize_plain(std::string text, const PreparationLimits& limits) const {
  mark_text(text, limits);
  return tokenize(text, limits, false);
}

ControlText::Tokens ControlText::tokenize(const std::string& rendered, const PreparationLimits& limits,
                                          bool add_special) const {
  limits.poll();
  const std::vector<Piece> pieces = split(rendered);
  limits.poll();
  if (limits.tokens_max > 0) {
    double at_least = 0;
    for (const Piece& piece : pieces) at_least += piece.token != LLAMA_TOKEN_NULL ? 1 : bound_.at_least(piece.text);
    // Minus the rounding error of the sum.
    const auto count = static_cast<size_t>(std::ceil(at_least * (1 - 1e-9) - 1e-6));
    if (count > limits.tokens_max) return {{}, count};
  }
  std::vector<llama_token> tokens;
  if (add_special && llama_vocab_get_add_bos(vocab_)) tokens.push_back(llama_vocab_bos(vocab_));
  for (const Piece& piece : pieces) {
    if (piece.token != LLAMA_TOKEN_NULL) {
      tokens.push_back(piece.token);
      continue;
    }
    limits.poll();
    require_short_runs(piece.text);
    const auto text_tokens = common_tokenize(vocab_, piece.text, false, false);
    tokens.insert(tokens.end(), text_tokens.begin(), text_tokens.end());
  }
  if (add_special && llama_vocab_get_add_eos(vocab_)) tokens.push_back(llama_vocab_eos(vocab_));
  return {std::move(tokens), 0};
}
