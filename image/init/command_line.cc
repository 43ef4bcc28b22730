#include "command_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "../../native/src/base/file_descriptor.h"
#include "stop.h"

namespace cloister::guest {

namespace {

constexpr std::string_view prefix = "cloister.";
constexpr std::size_t hash_digits = 64;
constexpr std::size_t block_digits_max = 12;
constexpr std::size_t model_disks_max = 8;

std::string read_line() {
  const FileDescriptor file(::open("/proc/cmdline", O_RDONLY | O_CLOEXEC));
  char text[4096];
  const ssize_t count = ::read(file.value(), text, sizeof text);
  if (count <= 0 || count == sizeof text) stop("the command line cannot be read");
  return std::string(text, static_cast<std::size_t>(count));
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (std::size_t at = text.find_first_not_of(separators); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(separators, end);
  }
  return parts;
}

bool is_hash(std::string_view text) {
  return text.size() == hash_digits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

// <root hash>:<blocks>:<salt>
VerityDisk parse_disk(std::string_view value) {
  const auto parts = split(value, ":");
  if (parts.size() != 3 || !is_hash(parts[0]) || !is_hash(parts[2])) stop("a disk on the command line is malformed");
  const std::string_view digits = parts[1];
  const bool is_number = !digits.empty() && digits.size() <= block_digits_max &&
                         digits.find_first_not_of("0123456789") == digits.npos && digits.front() != '0';
  if (!is_number) stop("the size of a disk on the command line is malformed");
  return {std::string(parts[0]), std::string(parts[2]), std::stoull(std::string(digits))};
}

}  // namespace

CommandLine read_command_line() {
  const std::string line = read_line();
  std::optional<VerityDisk> root;
  CommandLine found{};
  for (const std::string_view word : split(line, " \n")) {
    if (!word.starts_with(prefix)) continue;
    const std::size_t equals = std::min(word.find('='), word.size() - 1);
    const std::string_view name = word.substr(prefix.size(), equals - prefix.size());
    const std::string_view value = word.substr(equals + 1);
    if (name == "root" && !root) {
      root = parse_disk(value);
    } else if (name == "config" && !found.configuration && is_hash(value)) {
      found.configuration = std::string(value);
    } else if (name == "disks" && !found.is_partitioned && value == "partitions") {
      found.is_partitioned = true;
    } else if (name == "model" && found.models.size() < model_disks_max) {
      found.models.push_back(parse_disk(value));
    } else {
      // A parameter that is measured but has no effect would mislead verifiers.
      stop("a command-line parameter is unknown, repeated or malformed:", std::string(word.substr(0, equals)).c_str());
    }
  }
  if (!root) stop("the command line has no cloister.root");
  found.root = *root;
  return found;
}

}  // namespace cloister::guest
