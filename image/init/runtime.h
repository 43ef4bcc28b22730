// Starts and supervises the runtime, the only program that the guest runs after boot.
#pragma once

namespace cloister::guest {

// Creates the runtime's folders, starts it in the sandbox as an unprivileged user, forwards SIGTERM and SIGINT, reaps
// orphans, and powers the machine off when the runtime ends. It does not restart the runtime: RTMR3 already contains the
// first start, so a second one could not be attested.
[[noreturn]] void run_runtime();

}  // namespace cloister::guest
