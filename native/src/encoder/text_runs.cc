#include "encoder/text_runs.h"

#include <string>

#include "base/coded_error.h"

namespace {

enum class Kind { kLetter, kDigit, kSpace, kSign, kOther };

Kind kind_of(char byte) {
  if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')) return Kind::kLetter;
  if (byte >= '0' && byte <= '9') return Kind::kDigit;
  if (byte == ' ' || (byte >= '\t' && byte <= '\r')) return Kind::kSpace;
  return static_cast<unsigned char>(byte) < 0x80 ? Kind::kSign : Kind::kOther;
}

}  // namespace

void require_short_runs(std::string_view text) {
  if (text.size() <= kRunBytesMax) return;
  size_t start = 0;
  Kind kind = kind_of(text[0]);
  for (size_t at = 1; at < text.size(); ++at) {
    const Kind next = kind_of(text[at]);
    // A character beyond ASCII may be of any kind, so it does not end a run of letters or signs.
    const bool goes_on = next == kind || (next == Kind::kOther && kind != Kind::kDigit) || kind == Kind::kOther;
    if (goes_on) {
      if (kind == Kind::kOther) kind = next;
      if (at - start < kRunBytesMax) continue;
      throw CodedError("ERR_CHAT_TEMPLATE",
                       "the prompt has more than " + std::to_string(kRunBytesMax) +
                           " bytes in a row without a change between letters, digits, punctuation and white space");
    }
    start = at;
    kind = next;
  }
}
