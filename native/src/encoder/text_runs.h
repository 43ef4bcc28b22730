#pragma once

#include <cstddef>
#include <string_view>

// The longest run of bytes of one kind that fits a preparation thread's stack.
constexpr size_t kRunBytesMax = size_t{512} << 10;

// Several of llama.cpp's pre-tokenisers use std::regex, which recurses once per character of a run of letters, spaces
// or signs and would overflow the thread's stack. Throws ERR_CHAT_TEMPLATE for a run of more than kRunBytesMax bytes.
void require_short_runs(std::string_view text);
