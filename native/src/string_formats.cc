#include "string_formats.h"

#include <algorithm>
#include <iterator>

namespace {

struct Format {
  std::string_view name, pattern;
};

// Each a part of what the format allows that no validator disputes.
#define DATE                                                                                                          \
  "(?:(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29"                               \
  "|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-" \
  "8])))"
#define TIME "(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)"
// No unit is left out between two others (RFC 3339, appendix A).
#define CLOCK "(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)"
// Without "--": a label with hyphens in its third and fourth place has to be valid Punycode (RFC 5890, section 2.3.1).
#define LABEL "[a-zA-Z0-9](?:-?[a-zA-Z0-9]){0,31}"
#define HOST LABEL "(?:\\." LABEL "){0,4}"
#define BYTE "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)"
#define HEX "[0-9a-fA-F]{1,4}"
#define PATH_CHARACTER "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"

constexpr Format kFormats[] = {
    {"date", "^" DATE "$"},
    {"time", "^" TIME "$"},
    {"date-time", "^" DATE "T" TIME "$"},
    {"duration", "^P(?:\\d+W|(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)(?:T" CLOCK ")?|T" CLOCK ")$"},
    {"email", "^[A-Za-z0-9_+-]+(?:\\.[A-Za-z0-9_+-]+)*@" LABEL "(?:\\." LABEL "){0,3}\\.[A-Za-z]{2,20}$"},
    {"hostname", "^" HOST "$"},
    {"ipv4", "^" BYTE "(?:\\." BYTE "){3}$"},
    {"ipv6", "^(?:" HEX "(?::" HEX "){7}|::(?:" HEX "(?::" HEX "){0,5})?|" HEX "(?::" HEX "){0,2}::(?:" HEX "(?::" HEX
             "){0,3})?)$"},
    {"uri", "^[A-Za-z][A-Za-z0-9+.-]*://" HOST "(?::\\d{1,4})?(?:/" PATH_CHARACTER "*)*(?:\\?" PATH_CHARACTER
            "*)?(?:#" PATH_CHARACTER "*)?$"},
    {"uri-reference", "^(?:[A-Za-z][A-Za-z0-9+.-]*://" HOST "(?::\\d{1,4})?)?(?:/" PATH_CHARACTER
                      "+)*/?(?:\\?" PATH_CHARACTER "*)?(?:#" PATH_CHARACTER "*)?$"},
    {"uuid", "^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"},
    {"json-pointer", "^(?:/(?:[^~/]|~[01])*)*$"},
};

constexpr std::string_view kUnsupported[] = {"idn-email",    "idn-hostname",          "iri",  "iri-reference",
                                             "uri-template", "relative-json-pointer", "regex"};

}  // namespace

std::optional<std::string_view> format_pattern(std::string_view format) {
  const auto found =
      std::find_if(std::begin(kFormats), std::end(kFormats), [&](const Format& known) { return known.name == format; });
  return found == std::end(kFormats) ? std::nullopt : std::optional(found->pattern);
}

bool is_unsupported_format(std::string_view format) {
  return std::find(std::begin(kUnsupported), std::end(kUnsupported), format) != std::end(kUnsupported);
}
