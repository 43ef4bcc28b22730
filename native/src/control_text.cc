#include "control_text.h"

#include <algorithm>
#include <cctype>
#include <list>

#include "coded_error.h"
#include "common.h"

namespace {

// U+FDD1, a noncharacter: valid UTF-8 that no text may contain. Should a caller write it all the same, it is dropped
// along with the marks, from a prompt that holds marks.
const std::string kMark = "\xEF\xB7\x91";

// Far above any sensible schema or message, far below what would exhaust the stack.
constexpr int kDepthMax = 96;

size_t character_bytes(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

bool ends_with_start_of(std::string_view text, size_t at, const std::string& control) {
  const size_t rest = text.size() - at;
  return rest < control.size() && control.compare(0, rest, text.substr(at)) == 0;
}

}  // namespace

ControlText::ControlText(const llama_vocab* vocab) : vocab_(vocab) {
  for (llama_token token = 0; token < llama_vocab_n_tokens(vocab); ++token) {
    const llama_token_attr attributes = llama_vocab_get_attr(vocab, token);
    const std::string text = llama_vocab_get_text(vocab, token);
    // Like llama.cpp, which leaves user-defined tokens readable in any text: those are the converter's word for
    // tokens that a caller may write.
    if ((attributes & (LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN)) == 0 || text.empty()) continue;
    controls_.push_back({token, text, attributes});
    starts_control_[static_cast<unsigned char>(text[0])] = true;
  }
  std::stable_sort(controls_.begin(), controls_.end(),
                   [](const Control& a, const Control& b) { return a.text.size() > b.text.size(); });
}

bool ControlText::mark_text(std::string& text) const {
  std::string marked;
  size_t copied = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (!starts_control_[static_cast<unsigned char>(text[at])]) continue;
    const bool spells = std::any_of(controls_.begin(), controls_.end(), [&](const Control& control) {
      return text.compare(at, control.text.size(), control.text) == 0 || ends_with_start_of(text, at, control.text);
    });
    if (!spells) continue;
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

bool ControlText::mark(common_json& json) const { return mark(json, 0, ""); }

bool ControlText::mark(common_json& json, int depth, const std::string& key) const {
  if (depth > kDepthMax) {
    throw CodedError("ERR_CHAT_TEMPLATE", "the messages nest deeper than " + std::to_string(kDepthMax) + " levels");
  }
  bool any = false;
  if (json.is_string()) {
    std::string text = json.get<std::string>();
    any = key == "arguments" ? mark_json_text(text) : mark_text(text);
    if (any) json = text;
  } else if (json.is_array()) {
    for (size_t index = 0; index < json.size(); ++index) any |= mark(json[index], depth + 1, "");
  } else if (json.is_object()) {
    common_json marked = common_json::object();
    for (const auto& [name, value] : json.items()) {
      std::string marked_name = name;
      any |= mark_text(marked_name);
      // The only strings with a meaning to llama.cpp itself; the caller has checked them.
      const bool fixed = (name == "role" || name == "type") && value.is_string() && depth <= 4;
      if (!fixed) any |= mark(value, depth + 1, name);
      marked[marked_name] = value;
    }
    if (any) json = marked;
  }
  return any;
}

bool ControlText::mark_json_text(std::string& text) const {
  common_json decoded = common_json::parse_no_throw(text);
  if (decoded.is_discarded() || !(decoded.is_object() || decoded.is_array())) return mark_text(text);
  if (!mark(decoded, 0, "")) return false;
  text = decoded.dump();
  return true;
}

std::string ControlText::without_marks(std::string text) {
  for (size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at)) text.erase(at, kMark.size());
  return text;
}

// llama.cpp's tokenizer_st_partition: each control token, longest first, is cut out of every text piece.
std::vector<ControlText::Piece> ControlText::split(const std::string& rendered) const {
  std::list<Piece> pieces{{LLAMA_TOKEN_NULL, rendered}};
  for (const Control& control : controls_) {
    for (auto piece = pieces.begin(); piece != pieces.end(); ++piece) {
      if (piece->token != LLAMA_TOKEN_NULL) continue;
      size_t from = 0;
      while (true) {
        const size_t at = piece->text.find(control.text, from);
        if (at == std::string::npos) break;
        // Of a control token that is a single character, the mark is behind it.
        if (piece->text.compare(at + control.text.size(), kMark.size(), kMark) == 0) {
          from = at + 1;
          continue;
        }
        std::string left = piece->text.substr(0, at);
        std::string right = piece->text.substr(at + control.text.size());
        if (control.attributes & LLAMA_TOKEN_ATTR_LSTRIP) {
          while (!left.empty() && std::isspace(static_cast<unsigned char>(left.back()))) left.pop_back();
        }
        if (control.attributes & LLAMA_TOKEN_ATTR_RSTRIP) {
          const auto is_space = [](unsigned char byte) { return std::isspace(byte); };
          right.erase(right.begin(), std::find_if_not(right.begin(), right.end(), is_space));
        }
        if (!left.empty()) pieces.insert(piece, {LLAMA_TOKEN_NULL, std::move(left)});
        pieces.insert(piece, {control.token, ""});
        piece->text = std::move(right);
        from = 0;
      }
    }
  }
  return {pieces.begin(), pieces.end()};
}

std::vector<llama_token> ControlText::tokenize(const std::string& rendered) const {
  if (rendered.find(kMark) == std::string::npos) return common_tokenize(vocab_, rendered, true, true);

  std::vector<llama_token> tokens;
  if (llama_vocab_get_add_bos(vocab_)) tokens.push_back(llama_vocab_bos(vocab_));
  for (const Piece& piece : split(rendered)) {
    if (piece.token != LLAMA_TOKEN_NULL) {
      tokens.push_back(piece.token);
      continue;
    }
    const std::string text = without_marks(piece.text);
    if (text.empty()) continue;
    const auto text_tokens = common_tokenize(vocab_, text, false, false);
    tokens.insert(tokens.end(), text_tokens.begin(), text_tokens.end());
  }
  if (llama_vocab_get_add_eos(vocab_)) tokens.push_back(llama_vocab_eos(vocab_));
  return tokens;
}
