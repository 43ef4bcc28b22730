#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chat.h"
#include "peg-parser.h"

// The field of a message that the end of an answer belongs to, while the answer can go on within it.
struct GrowingField {
  enum class Kind : uint8_t { kContent, kReasoning, kArguments, kArgumentString };
  Kind kind;
  // Any of these ends the field; the quote of a JSON string does, too.
  std::vector<std::string> delimiters;
  bool is_json_string = false;

  // What parsing the answer together with `more` would append to the field: the first `certain` bytes. Behind them is
  // what may turn out to end it, or does.
  struct Extent {
    size_t certain;
    bool is_end;
  };
  Extent extent(std::string_view more) const;
  // How the field has text of the answer.
  std::string spelled(std::string_view text) const;
};

struct ParsedAnswer {
  common_chat_msg message;
  std::optional<GrowingField> growing;
};

// Parses an answer as llama.cpp's common_chat_parse does. Throws std::exception where the format cannot be read.
ParsedAnswer parse_answer(const std::string& text, bool partial, const common_chat_parser_params& format);
