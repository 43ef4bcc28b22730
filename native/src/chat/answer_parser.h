#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chat.h"
#include "peg-parser.h"

// The field of a message to which the end of an answer belongs, while the answer can continue within it.
struct GrowingField {
  enum class Kind : uint8_t { kContent, kReasoning, kArguments, kArgumentString };
  Kind kind;
  // Any of these ends the field; for a JSON string, so does the closing quote.
  std::vector<std::string> delimiters;
  bool is_json_string = false;

  // What parsing the answer together with `more` would append to the field: the first `certain` bytes. The bytes after
  // them end the field, or may turn out to.
  struct Extent {
    size_t certain;
    bool is_end;
  };
  Extent extent(std::string_view more) const;
  // The text of the answer as the field represents it.
  std::string spelled(std::string_view text) const;
};

struct ParsedAnswer {
  common_chat_msg message;
  std::optional<GrowingField> growing;
};

// Parses an answer as llama.cpp's common_chat_parse does. Throws std::exception if the format cannot parse it.
ParsedAnswer parse_answer(const std::string& text, bool partial, const common_chat_parser_params& format);
