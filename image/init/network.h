// The guest's one network interface. Its addresses come from the measured configuration, not from the network.
#pragma once

#include <string>

namespace cloister::guest {

// Brings up lo and eth0. `path` holds lines "address 10.0.2.15/24", "gateway 10.0.2.2" and "nameserver 10.0.2.3";
// without the file these very values, which are QEMU's, are used. Writes the resolver's file to `resolver_path`. The
// machine stops where a line is not understood or the interface refuses.
void configure_network(const char* path, const char* resolver_path);

}  // namespace cloister::guest
