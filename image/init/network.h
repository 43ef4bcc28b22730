// The guest's network interface. Its addresses come from the measured configuration, not from DHCP.
#pragma once

#include <string>

namespace cloister::guest {

// Brings up lo and eth0 and writes resolv.conf to `resolver_path`. The file `path` has the lines
// "address 10.0.2.15/24", "gateway 10.0.2.2" and "nameserver 10.0.2.3"; without it these values, QEMU's defaults, apply.
// Powers the machine off if a line is invalid or the interface rejects a setting.
void configure_network(const char* path, const char* resolver_path);

}  // namespace cloister::guest
