// What the runtime's process can no longer do once it runs, whatever a model file or a request makes of it.
#pragma once

namespace cloister::guest {

// Of the calling process and all its threads and children, for good: the files it may write and execute (Landlock), the
// system calls it may make (seccomp), no new privileges. Call it right before the runtime is executed.
// The machine stops where the kernel refuses.
void raise_fence();

// The runtime's program: the only one that may be executed behind the fence.
inline constexpr const char* runtime_program = "/usr/bin/node";

}  // namespace cloister::guest
