// The file with the addresses of the nameservers, which the runtime reads.
#pragma once

#include <vector>

#include "../../native/src/base/file_descriptor.h"
#include "dhcp_message.h"

namespace cloister::guest {

class ResolverFile {
 public:
  // Creates an empty file. It stays open, so that a process without access to its folder can write it.
  explicit ResolverFile(const char* path);

  // Writes the nameservers, unless they are fixed.
  void write(const std::vector<Ipv4>& nameservers) const;

  // Writes nameservers that later calls of `write` do not replace.
  void fix(const std::vector<Ipv4>& nameservers);

 private:
  FileDescriptor file_;
  bool is_fixed_ = false;
};

}  // namespace cloister::guest
