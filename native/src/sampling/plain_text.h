#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// Characters that most strings of a grammar allow anywhere: all of Unicode except control characters, line ends, quotes
// and backslashes.
struct ByteRange {
  uint8_t low, high;
};
inline constexpr uint32_t kPlainCharacterBytesMax = 4;
struct PlainCharacters {
  uint8_t length;
  std::array<ByteRange, kPlainCharacterBytesMax> bytes;

  std::span<const ByteRange> ranges() const { return {bytes.data(), length}; }
};

// In UTF-8: sequences of bytes, one from each range.
inline constexpr PlainCharacters kPlainCharacters[] = {
    {1, {{{0x20, 0x21}}}},
    {1, {{{0x23, 0x5B}}}},
    {1, {{{0x5D, 0x7E}}}},
    {2, {{{0xC2, 0xC2}, {0xA0, 0xBF}}}},
    {2, {{{0xC3, 0xDF}, {0x80, 0xBF}}}},
    {3, {{{0xE0, 0xE0}, {0xA0, 0xBF}, {0x80, 0xBF}}}},
    {3, {{{0xE1, 0xE1}, {0x80, 0xBF}, {0x80, 0xBF}}}},
    // Without U+2028 and U+2029.
    {3, {{{0xE2, 0xE2}, {0x80, 0x80}, {0x80, 0xA7}}}},
    {3, {{{0xE2, 0xE2}, {0x80, 0x80}, {0xAA, 0xBF}}}},
    {3, {{{0xE2, 0xE2}, {0x81, 0xBF}, {0x80, 0xBF}}}},
    {3, {{{0xE3, 0xEC}, {0x80, 0xBF}, {0x80, 0xBF}}}},
    {3, {{{0xED, 0xED}, {0x80, 0x9F}, {0x80, 0xBF}}}},
    {3, {{{0xEE, 0xEF}, {0x80, 0xBF}, {0x80, 0xBF}}}},
    {4, {{{0xF0, 0xF0}, {0x90, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}}}},
    {4, {{{0xF1, 0xF3}, {0x80, 0xBF}, {0x80, 0xBF}, {0x80, 0xBF}}}},
    {4, {{{0xF4, 0xF4}, {0x80, 0x8F}, {0x80, 0xBF}, {0x80, 0xBF}}}},
};

// The length in bytes of the plain character at the start of the text, or 0 if there is none.
constexpr size_t plain_character_bytes(std::string_view text) {
  for (const PlainCharacters& characters : kPlainCharacters) {
    if (text.size() < characters.length) continue;
    size_t read = 0;
    for (const ByteRange& range : characters.ranges()) {
      const auto byte = static_cast<uint8_t>(text[read]);
      if (byte < range.low || byte > range.high) break;
      ++read;
    }
    if (read == characters.length) return read;
  }
  return 0;
}

// The number of plain characters in the text; empty if the text contains anything else.
constexpr std::optional<size_t> plain_length(std::string_view text) {
  size_t count = 0;
  for (; !text.empty(); ++count) {
    const size_t bytes = plain_character_bytes(text);
    if (bytes == 0) return std::nullopt;
    text.remove_prefix(bytes);
  }
  return count;
}
