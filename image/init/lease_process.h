// The process that leases the guest's address by DHCP and renews it while the guest runs.
#pragma once

#include <sys/types.h>

#include "network_interface.h"
#include "resolver_file.h"

namespace cloister::guest {

// Starts the process and waits until it has configured the interface. The process parses what the network sends, so it runs
// as a user of its own in the runtime's sandbox, and of all capabilities keeps only CAP_NET_ADMIN. Powers the machine off if
// no server leases an address in time.
pid_t start_lease_process(const NetworkInterface& interface, ResolverFile resolver);

}  // namespace cloister::guest
