// Ends a boot that must not continue.
#pragma once

namespace cloister::guest {

// Writes one line to the console and powers the machine off. There are no retries: every failed step matters for the
// machine's measured identity. `subject` is a name, never contents.
[[noreturn]] void stop(const char* what, const char* subject = "");

// Like `stop`, with the message of errno.
[[noreturn]] void stop_with_errno(const char* what, const char* subject = "");

// Writes one line to the console.
void say(const char* what, const char* subject = "");

}  // namespace cloister::guest
