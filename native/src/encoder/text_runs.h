#pragma once

#include <cstddef>
#include <string_view>

// Bytes of one kind in a row that a preparation's stack has room for.
constexpr size_t kRunBytesMax = size_t{512} << 10;

// Several of llama.cpp's pre-tokenisers run through std::regex, which recurses once per character of a run of letters,
// of spaces or of signs, and the stack of a thread ends. Throws ERR_CHAT_TEMPLATE for a run of more than kRunBytesMax
// bytes.
void require_short_runs(std::string_view text);
