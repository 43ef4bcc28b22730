// The guest's network, as the measured configuration requests it: by DHCP, or with fixed addresses.
#pragma once

#include <sys/types.h>

#include <optional>

namespace cloister::guest {

// Brings up lo and eth0 and writes resolv.conf to `resolver_path`. The file `path` has the line "address dhcp", which is the
// default without a file, or the lines "address 10.0.2.15/24" and "gateway 10.0.2.2"; and "nameserver 10.0.2.3", which
// replaces the nameservers of DHCP. Powers the machine off if a line is invalid, the interface rejects a setting, or no DHCP
// server leases an address in time. Returns the process that renews the lease, if there is one.
std::optional<pid_t> configure_network(const char* path, const char* resolver_path);

}  // namespace cloister::guest
