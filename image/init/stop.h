// How the guest's own programs end a boot that must not go on.
#pragma once

namespace cloister::guest {

// Writes one line to the console and switches the machine off. Nothing is tried again: whatever failed here decides
// whether the machine is the one that was measured. `subject` is a name of ours, never contents.
[[noreturn]] void stop(const char* what, const char* subject = "");

// The same, with what the last system call said.
[[noreturn]] void stop_with_errno(const char* what, const char* subject = "");

// One line on the console.
void say(const char* what, const char* subject = "");

}  // namespace cloister::guest
