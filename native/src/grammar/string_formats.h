#pragma once

#include <optional>
#include <string_view>

// The pattern that enforces a string format. Empty for formats that are only annotations.
std::optional<std::string_view> format_pattern(std::string_view format);

// Formats that JSON Schema defines and that are not supported here.
bool is_unsupported_format(std::string_view format);
