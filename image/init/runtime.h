// The one program that the guest runs.
#pragma once

namespace cloister::guest {

// Makes the runtime's folders, starts it behind its fence as an ordinary user, hands on a request to stop, collects
// orphans, and switches the machine off when the runtime has ended: RTMR3 holds its start, so a second one could not be
// proven.
[[noreturn]] void run_runtime();

}  // namespace cloister::guest
