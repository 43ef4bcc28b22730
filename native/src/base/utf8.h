#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

constexpr uint32_t kCodePointMax = 0x10FFFF;

inline void append_utf8(std::string& text, uint32_t code) {
  const auto put = [&](uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6), put(0x80 | (code & 63));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
  } else {
    put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 63)), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
  }
}

// Each byte that is not part of valid UTF-8 becomes one U+FFFD.
inline std::vector<uint32_t> decode_utf8(std::string_view text) {
  std::vector<uint32_t> codes;
  codes.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const size_t length = byte < 0x80                   ? 1
                          : byte >= 0xC2 && byte < 0xE0 ? 2
                          : byte >= 0xE0 && byte < 0xF0 ? 3
                          : byte >= 0xF0 && byte < 0xF5 ? 4
                                                        : 0;
    uint32_t code = length == 1 ? byte : length == 2 ? byte & 31 : length == 3 ? byte & 15 : byte & 7;
    bool valid = length > 0 && at + length <= text.size();
    for (size_t next = 1; valid && next < length; ++next) {
      const auto follower = static_cast<unsigned char>(text[at + next]);
      valid = (follower & 0xC0) == 0x80;
      code = code << 6 | (follower & 63);
    }
    valid = valid && (length < 3 || code >= (length == 3 ? 0x800u : 0x10000u)) && code <= kCodePointMax &&
            !(code >= 0xD800 && code < 0xE000);
    codes.push_back(valid ? code : 0xFFFD);
    at += valid ? length : 1;
  }
  return codes;
}
