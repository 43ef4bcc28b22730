// The measured kernel command line, which identifies every disk of the guest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cloister::guest {

// A dm-verity disk, whose hash tree follows the data.
struct VerityDisk {
  std::string root_hash;  // 64 lowercase hexadecimal digits
  std::string salt;       // 64 lowercase hexadecimal digits
  std::uint64_t blocks;   // number of data blocks, 4,096 bytes each
};

struct CommandLine {
  VerityDisk root;
  // SHA-256 of the configuration disk, 64 lowercase hexadecimal digits, if the guest has one.
  std::optional<std::string> configuration;
  // Model disks in the order of attachment.
  std::vector<VerityDisk> models;
  // Whether the disks are partitions of one disk, found by their names, instead of virtio disks in a fixed order.
  bool is_partitioned = false;
};

// Reads /proc/cmdline. Powers the machine off if a cloister parameter is malformed, unknown or repeated (except models).
CommandLine read_command_line();

}  // namespace cloister::guest
