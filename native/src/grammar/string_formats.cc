#include "grammar/string_formats.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace {

struct Format {
  std::string_view name;
  std::string pattern;
};

// Each pattern is a subset of the format that every validator accepts.
const std::vector<Format>& formats() {
  static const std::string day =
      R"((?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])))";
  static const std::string leap_year = R"((?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00))";
  static const std::string date = "(?:" + leap_year + "-02-29|\\d{4}-" + day + ")";
  static const std::string clock = R"((?:[01]\d|2[0-3]):[0-5]\d)";
  static const std::string time = clock + R"(:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-])" + clock + ")";
  // No unit may be omitted between two others (RFC 3339, appendix A).
  static const std::string period = R"((?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D))";
  static const std::string hours = R"((?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))";
  // Without "--": a label with hyphens in its third and fourth position must be valid Punycode (RFC 5890, section
  // 2.3.1).
  static const std::string label = "[a-zA-Z0-9](?:-?[a-zA-Z0-9]){0,31}";
  static const std::string host = label + "(?:\\." + label + "){0,4}";
  static const std::string byte = R"((?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d))";
  static const std::string hex = "[0-9a-fA-F]{1,4}";
  static const std::string path = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})";
  static const std::string origin = "[A-Za-z][A-Za-z0-9+.-]*://" + host + "(?::\\d{1,4})?";
  static const std::string query = "(?:\\?" + path + "*)?(?:#" + path + "*)?";
  static const std::vector<Format> all{
      {"date", "^" + date + "$"},
      {"time", "^" + time + "$"},
      {"date-time", "^" + date + "T" + time + "$"},
      {"duration", "^P(?:\\d+W|" + period + "(?:T" + hours + ")?|T" + hours + ")$"},
      {"email", R"(^[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*@)" + label + "(?:\\." + label + R"(){0,3}\.[A-Za-z]{2,20}$)"},
      {"hostname", "^" + host + "$"},
      {"ipv4", "^" + byte + "(?:\\." + byte + "){3}$"},
      {"ipv6", "^(?:" + hex + "(?::" + hex + "){7}|::(?:" + hex + "(?::" + hex + "){0,5})?|" + hex + "(?::" + hex +
                   "){0,2}::(?:" + hex + "(?::" + hex + "){0,3})?)$"},
      {"uri", "^" + origin + "(?:/" + path + "*)*" + query + "$"},
      {"uri-reference", "^(?:" + origin + ")?(?:/" + path + "+)*/?" + query + "$"},
      {"uuid", "^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"},
      {"json-pointer", "^(?:/(?:[^~/]|~[01])*)*$"},
  };
  return all;
}

constexpr std::string_view kUnsupported[] = {"idn-email",    "idn-hostname",          "iri",  "iri-reference",
                                             "uri-template", "relative-json-pointer", "regex"};

}  // namespace

std::optional<std::string_view> format_pattern(std::string_view format) {
  const auto found =
      std::find_if(formats().begin(), formats().end(), [&](const Format& known) { return known.name == format; });
  return found == formats().end() ? std::nullopt : std::optional<std::string_view>(found->pattern);
}

bool is_unsupported_format(std::string_view format) {
  return std::find(std::begin(kUnsupported), std::end(kUnsupported), format) != std::end(kUnsupported);
}
