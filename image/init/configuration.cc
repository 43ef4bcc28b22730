#include "configuration.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "../../native/src/base/file_descriptor.h"
#include "sha256.h"
#include "stop.h"

namespace cloister::guest {

namespace {

constexpr std::size_t disk_bytes_max = 16 * 1024 * 1024;
constexpr std::size_t record_bytes = 512;
constexpr std::size_t name_bytes = 100;
constexpr std::size_t size_at = 124;
constexpr std::size_t size_bytes = 12;
constexpr std::size_t type_at = 156;

std::vector<std::uint8_t> read_whole(const char* device) {
  const FileDescriptor disk(::open(device, O_RDONLY | O_CLOEXEC));
  if (!disk.is_open()) stop_with_errno("the configuration disk cannot be opened");
  const off_t end = ::lseek(disk.value(), 0, SEEK_END);
  if (end <= 0 || static_cast<std::size_t>(end) > disk_bytes_max) stop("the configuration disk is empty or too large");
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(end));
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::pread(disk.value(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (count <= 0) stop_with_errno("the configuration disk cannot be read");
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

std::string_view field(const std::uint8_t* record, std::size_t at, std::size_t bytes) {
  const char* text = reinterpret_cast<const char*>(record) + at;
  return {text, ::strnlen(text, bytes)};
}

std::size_t parse_octal(std::string_view digits) {
  std::size_t value = 0;
  if (digits.empty()) stop("the configuration has a file without a size");
  for (const char digit : digits) {
    if (digit < '0' || digit > '7') stop("the configuration has a file whose size is not a number");
    value = value * 8 + static_cast<std::size_t>(digit - '0');
    if (value > disk_bytes_max) stop("the configuration has a file that extends past the end of the disk");
  }
  return value;
}

bool is_plain_name(std::string_view name) {
  const auto plain = "abcdefghijklmnopqrstuvwxyz0123456789.-_";
  return !name.empty() && name.front() != '.' && name.find_first_not_of(plain) == name.npos;
}

void write_file(const std::string& path, const std::uint8_t* bytes, std::size_t count) {
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444));
  if (!file.is_open() || ::write(file.value(), bytes, count) != static_cast<ssize_t>(count)) {
    stop_with_errno("a configuration file cannot be written");
  }
}

}  // namespace

void unpack_configuration(const char* device, const std::string& sha256, const std::string& target) {
  const std::vector<std::uint8_t> bytes = read_whole(device);
  Sha256 digest;
  digest.update(bytes.data(), bytes.size());
  if (digest.finish() != sha256) stop("the configuration disk does not match the SHA-256 on the command line");
  ::mkdir(target.c_str(), 0755);
  for (std::size_t at = 0; at + record_bytes <= bytes.size();) {
    const std::uint8_t* record = bytes.data() + at;
    if (record[0] == 0) return;  // The archive ends with zeros.
    const std::string_view name = field(record, 0, name_bytes);
    const std::size_t size = parse_octal(field(record, size_at, size_bytes - 1));
    at += record_bytes;
    if (record[type_at] != '0' || !is_plain_name(name)) stop("the configuration contains an entry other than a regular file with a plain name");
    if (size > bytes.size() - at) stop("the configuration has a file that extends past the end of the disk");
    write_file(target + "/" + std::string(name), bytes.data() + at, size);
    at += (size + record_bytes - 1) / record_bytes * record_bytes;
  }
}

}  // namespace cloister::guest
