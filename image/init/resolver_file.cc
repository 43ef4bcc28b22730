#include "resolver_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "stop.h"

namespace cloister::guest {

ResolverFile::ResolverFile(const char* path) : file_(::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
  if (!file_.is_open()) stop_with_errno("cannot write resolv.conf");
}

void ResolverFile::write(const std::vector<Ipv4>& nameservers) const {
  if (is_fixed_) return;
  std::string text;
  for (const Ipv4 one : nameservers) {
    text += "nameserver";
    for (int shift = 24; shift >= 0; shift -= 8) text += (shift == 24 ? ' ' : '.') + std::to_string(one >> shift & 0xff);
    text += '\n';
  }
  const auto bytes = static_cast<ssize_t>(text.size());
  if (::ftruncate(file_.value(), 0) != 0 || ::pwrite(file_.value(), text.data(), text.size(), 0) != bytes) {
    stop_with_errno("cannot write resolv.conf");
  }
}

void ResolverFile::fix(const std::vector<Ipv4>& nameservers) {
  write(nameservers);
  is_fixed_ = true;
}

}  // namespace cloister::guest
