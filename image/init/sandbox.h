// The sandbox of the runtime, which limits the effect of a compromise by a model file or a request.
#pragma once

namespace cloister::guest {

// Restricts the calling process, its threads and its children permanently: the files that they may write and execute
// (Landlock), their system calls (seccomp), and new privileges. Call it right before executing the runtime. Powers the
// machine off if the kernel rejects a restriction.
void enter_sandbox();

// The runtime's program, the only one that may be executed in the sandbox.
inline constexpr const char* runtime_program = "/usr/bin/node";

}  // namespace cloister::guest
