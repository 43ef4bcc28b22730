#pragma once

#include <optional>
#include <string_view>

// The pattern of a string format that answers are held to. Nothing for formats that only annotate.
std::optional<std::string_view> format_pattern(std::string_view format);

// Formats that JSON Schema defines and that are not among these.
bool is_unsupported_format(std::string_view format);
