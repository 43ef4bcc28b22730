// Starts and supervises the runtime, the only program that the guest runs after boot.
#pragma once

#include <sys/types.h>

#include <optional>

namespace cloister::guest {

// Creates the runtime's folders, starts it in the sandbox as an unprivileged user, forwards SIGTERM and SIGINT, reaps
// orphans, and powers the machine off when the runtime ends. It does not restart the runtime: RTMR3 already contains the
// first start, so a second one could not be attested. The end of the process that renews the DHCP lease also ends the machine,
// because the lease would expire.
[[noreturn]] void run_runtime(std::optional<pid_t> lease_process);

}  // namespace cloister::guest
