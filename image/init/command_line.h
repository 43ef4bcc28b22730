// The measured kernel command line: the one place where the guest learns what it must be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cloister::guest {

// A disk under dm-verity: the tree of hashes follows the data on the same disk.
struct VerityDisk {
  std::string root_hash;  // 64 lowercase hexadecimal digits
  std::string salt;       // the same
  std::uint64_t blocks;   // of 4,096 bytes of data
};

struct CommandLine {
  VerityDisk root;
  // SHA-256 of the configuration disk, 64 lowercase hexadecimal digits; nothing where there is none.
  std::optional<std::string> configuration;
  // In the order of their disks.
  std::vector<VerityDisk> models;
};

// Reads /proc/cmdline. Each word of ours must be there once at most and be well formed; the machine stops otherwise.
CommandLine read_command_line();

}  // namespace cloister::guest
